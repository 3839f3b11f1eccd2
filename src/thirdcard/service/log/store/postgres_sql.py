"""The statements of the PostgreSQL store: the steps to its tables, and what a commit writes to them."""
# ruff: noqa: S608 - what is put into a statement's text are our own names

import re
from collections.abc import Sequence

from thirdcard.service.log.store.rows import RECORD, ROUND

CHANNEL = "thirdcard"

# Order is by code point, as in Python and SQLite, wherever a page of rows begins at a name.
FIRST = """
CREATE SCHEMA thirdcard;
CREATE TABLE about (version integer NOT NULL);
INSERT INTO about VALUES (0);
CREATE TABLE streams (
    stream text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, head bytea NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE events (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream text COLLATE "C" NOT NULL REFERENCES streams,
    version bigint NOT NULL,
    at bigint NOT NULL,
    "by" text NOT NULL,
    name text NOT NULL,
    schema integer NOT NULL,
    round bigint NOT NULL,
    flag text NOT NULL,
    body bytea NOT NULL,
    hash bytea NOT NULL,
    UNIQUE (stream, version)
);
CREATE INDEX events_by_round ON events (stream, round);
CREATE INDEX events_significant ON events (seq) WHERE flag <> '';
CREATE TABLE postings (
    stream text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    n integer NOT NULL,
    account text NOT NULL,
    cents bigint NOT NULL,
    PRIMARY KEY (stream, version, n)
);
CREATE TABLE answers (
    actor text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    digest bytea NOT NULL,
    answer bytea NOT NULL,
    PRIMARY KEY (actor, key)
);
CREATE TABLE rounds (
    stream text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    players text[] NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (stream, number)
);
CREATE TABLE round_players (
    player text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    stream text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (player, at, stream, number)
);
CREATE TABLE shoes (
    stream text COLLATE "C" NOT NULL, number bigint NOT NULL, sealed bytea NOT NULL,
    PRIMARY KEY (stream, number)
);
CREATE TABLE accounts (
    key text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL,
    password text NOT NULL,
    created bigint NOT NULL,
    disabled boolean NOT NULL,
    failures integer NOT NULL,
    locked_until bigint NOT NULL
);
CREATE TABLE sessions (
    token_hash bytea PRIMARY KEY,
    account text NOT NULL,
    created bigint NOT NULL,
    seen bigint NOT NULL,
    account_key text COLLATE "C" NOT NULL
);
CREATE INDEX sessions_of ON sessions (account_key);
"""

# Rounds of a log are found by the index of events too.
SECOND = """
DROP INDEX events_by_round;
CREATE TABLE event_index (
    stream text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    value bigint NOT NULL,
    PRIMARY KEY (stream, key, version)
);
CREATE TABLE checkpoints (
    stream text COLLATE "C" NOT NULL, version bigint NOT NULL, body bytea NOT NULL,
    PRIMARY KEY (stream, version)
);
"""

# The text of a rulebook that logs name by its digest.
THIRD = """
CREATE TABLE rulebooks (digest text COLLATE "C" PRIMARY KEY, text bytea NOT NULL);
"""

# To which command an event is the end of the answer; until when answers are kept, for a week at first; what
# people have set for themselves; which process leads a table, in which term, until when.
FOURTH = """
ALTER TABLE events ADD COLUMN asked bytea NOT NULL DEFAULT '';
ALTER TABLE answers ADD COLUMN until bigint NOT NULL DEFAULT 0;
UPDATE answers SET until = (extract(epoch FROM now())::bigint + 604800) * 1000000;
CREATE INDEX answers_until ON answers (until);
CREATE TABLE personal (
    key text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (key, kind)
);
CREATE TABLE leases (
    stream text COLLATE "C" PRIMARY KEY,
    holder text NOT NULL,
    term bigint NOT NULL,
    until timestamptz NOT NULL
) WITH (fillfactor = 50);
"""

# People's own money; what their rounds came to, listed and summed up; the names that they go by.
FIFTH = """
CREATE TABLE wallets (
    name text COLLATE "C" PRIMARY KEY,
    cents bigint NOT NULL,
    version bigint NOT NULL,
    refilled bigint NOT NULL
);
CREATE TABLE results (
    player text COLLATE "C" NOT NULL,
    list text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    stream text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    net bigint NOT NULL,
    staked bigint NOT NULL,
    time bigint NOT NULL,
    PRIMARY KEY (player, list, at, stream, number)
);
CREATE INDEX results_best ON results (player, net) WHERE list = 'won';
CREATE TABLE tallies (
    player text COLLATE "C" NOT NULL,
    day bigint NOT NULL,
    digest text COLLATE "C" NOT NULL,
    bet text COLLATE "C" NOT NULL,
    rounds bigint NOT NULL,
    staked bigint NOT NULL,
    net bigint NOT NULL,
    time bigint NOT NULL,
    PRIMARY KEY (player, digest, bet, day)
);
CREATE TABLE names (
    key text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    account text COLLATE "C" NOT NULL,
    use text COLLATE "C" NOT NULL
);
CREATE INDEX names_of ON names (account, use);
"""

# By what rounds are found, whatever the table.
SIXTH = """
CREATE TABLE marks (
    mark text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    stream text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (mark, at, stream, number)
);
CREATE INDEX marks_of_table ON marks (mark, stream, at, number);
"""

# What each quarter of an hour came to at a table, in sums that are added to.
SEVENTH = """
CREATE TABLE quarters (
    at bigint NOT NULL,
    stream text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    value bigint NOT NULL,
    PRIMARY KEY (at, stream, name)
);
"""

# What people have learnt in the school, every answer they gave there, and exams with their sittings.
EIGHTH = """
CREATE TABLE learning (
    person text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (person, kind)
);
CREATE TABLE reviews (
    person text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    at bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (person, number)
);
CREATE TABLE exams (
    exam text COLLATE "C" NOT NULL,
    person text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (person, exam)
);
CREATE INDEX exams_sat ON exams (exam);
"""

# What is known of one kind of everybody's learning, such as the items that they think are wrong.
NINTH = """
CREATE INDEX learning_of_all ON learning (kind, person);
"""

# Step n makes schema n out of schema n - 1. One that was released is never edited.
STEPS = (FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH, EIGHTH, NINTH)
WITH_RESULTS = 5  # the first schema that has what rounds came to


def relations(steps: Sequence[str]) -> frozenset[str]:
    """The names of all tables, indexes and sequences that the steps make."""
    text = "".join(steps)
    tables = re.findall(r"CREATE TABLE (\w+)", text)
    indexes = {*re.findall(r"CREATE INDEX (\w+)", text)} - {*re.findall(r"DROP INDEX (\w+)", text)}
    keys = {f"{table}_pkey" for table in tables if table != "about"}
    return frozenset({*tables, *indexes, *keys, "events_seq_seq", "events_stream_version_key"})


LOCK_SCHEMA = "SELECT pg_advisory_xact_lock(hashtextextended('thirdcard schema', 0))"
FIND_SCHEMA = "SELECT to_regclass('thirdcard.about')"
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'thirdcard'"
# What would act on rows, or stand beside them, in a schema that is ours alone.
RELATIONS = "SELECT relname FROM pg_class WHERE relnamespace = 'thirdcard'::regnamespace"
FOREIGN = """
SELECT 'a trigger', tgname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
WHERE c.relnamespace = 'thirdcard'::regnamespace AND NOT tgisinternal
UNION ALL SELECT 'a rule', rulename FROM pg_rules WHERE schemaname = 'thirdcard'
UNION ALL SELECT 'a policy', policyname FROM pg_policies WHERE schemaname = 'thirdcard'
UNION ALL SELECT 'a function', proname FROM pg_proc WHERE pronamespace = 'thirdcard'::regnamespace"""
NEW_STREAMS = """INSERT INTO streams SELECT stream, 0, '' FROM unnest(%s::text[]) AS stream
ON CONFLICT DO NOTHING"""
LOCK_STREAMS = "SELECT stream, version, head FROM streams WHERE stream = ANY(%s) ORDER BY stream FOR UPDATE"
# The limit keeps the planner to one look into the index for each, whatever it thinks of the table.
FIND_ANSWERS = """SELECT found.* FROM unnest(%s::text[], %s::text[]) AS asked (actor, key), LATERAL (
SELECT actor, key, digest, answer FROM answers AS a
WHERE a.actor = asked.actor AND a.key = asked.key LIMIT 1) AS found"""
PUT_HEADS = """UPDATE streams SET version = moved.version, head = moved.head
FROM unnest(%s::text[], %s::bigint[], %b::bytea[]) AS moved (stream, version, head)
WHERE streams.stream = moved.stream"""
PUT_EVENTS = f"""INSERT INTO events ({RECORD}) SELECT * FROM unnest(
%s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::integer[], %s::bigint[], %s::text[],
%b::bytea[], %b::bytea[], %b::bytea[])"""
PUT_POSTINGS = """INSERT INTO postings
SELECT * FROM unnest(%s::text[], %s::bigint[], %s::integer[], %s::text[], %s::bigint[])"""
PUT_ANSWERS = """INSERT INTO answers
SELECT * FROM unnest(%s::text[], %s::text[], %b::bytea[], %b::bytea[], %s::bigint[])"""
LOCK_NAMES = "LOCK TABLE names IN SHARE ROW EXCLUSIVE MODE"
LOCK_WALLETS = "SELECT name, version FROM wallets WHERE name = ANY(%s) ORDER BY name FOR UPDATE"
PUT_WALLETS = """INSERT INTO wallets
SELECT * FROM unnest(%s::text[], %s::bigint[], %s::bigint[], %s::bigint[]) ON CONFLICT (name)
DO UPDATE SET cents = excluded.cents, version = excluded.version, refilled = excluded.refilled"""
# Rounds that are written again, and when each player of the others played before.
FIND_ROUNDS = f"""SELECT stream, {ROUND} FROM unnest(%s::text[], %s::bigint[]) AS asked (stream, number)
JOIN rounds USING (stream, number)"""
FIND_TIMES = """SELECT made.player, made.stream, made.number, made.time
FROM unnest(%s::text[], %s::bigint[]) AS asked (stream, number) JOIN rounds AS r USING (stream, number),
LATERAL (SELECT results.* FROM results WHERE results.player = ANY(r.players) AND results.list = 'all'
AND results.at = r.at AND results.stream = r.stream AND results.number = r.number) AS made"""
FIND_LASTS = """SELECT player,
(SELECT max(at) FROM results AS r WHERE r.player = asked.player AND list = 'all')
FROM unnest(%s::text[]) AS asked (player)"""
DROP_RESULTS = """DELETE FROM results USING unnest(
%s::text[], %s::text[], %s::bigint[], %s::text[], %s::bigint[]) AS old (player, list, at, stream, number)
WHERE results.player = old.player AND results.list = old.list AND results.at = old.at
AND results.stream = old.stream AND results.number = old.number"""
PUT_RESULTS = """INSERT INTO results SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::text[],
%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])"""
PUT_TALLIES = """INSERT INTO tallies AS t
SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::text[],
%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[]) ON CONFLICT (player, digest, bet, day) DO UPDATE
SET rounds = t.rounds + excluded.rounds, staked = t.staked + excluded.staked, net = t.net + excluded.net,
time = t.time + excluded.time"""
DROP_PLAYERS = """DELETE FROM round_players AS p USING rounds AS r WHERE r.stream = %s AND r.number = %s
AND p.player = ANY(r.players) AND p.at = r.at AND p.stream = r.stream AND p.number = r.number"""
PUT_ROUND = """INSERT INTO rounds VALUES (%s, %s, %s, %s, %s) ON CONFLICT (stream, number)
DO UPDATE SET at = excluded.at, players = excluded.players, body = excluded.body"""
PUT_PLAYERS = """INSERT INTO round_players
SELECT player, %s, %s, %s FROM (SELECT DISTINCT unnest(%s::text[])) AS given (player)"""
PUT_INDEX = """INSERT INTO event_index
SELECT * FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::bigint[]) ON CONFLICT DO NOTHING"""
PUT_MARKS = """INSERT INTO marks
SELECT * FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bigint[]) ON CONFLICT DO NOTHING"""
PUT_QUARTERS = """INSERT INTO quarters AS q
SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::bigint[]) ON CONFLICT (at, stream, name)
DO UPDATE SET value = q.value + excluded.value"""
HAS_QUARTERS = "SELECT 1 FROM quarters WHERE at = %s AND stream = %s LIMIT 1"
PUT_CHECKPOINT = "INSERT INTO checkpoints VALUES (%s, %s, %s)"
PUT_SHOE = "INSERT INTO shoes VALUES (%s, %s, %s)"
PUT_TEXT = "INSERT INTO rulebooks VALUES (%s, %s) ON CONFLICT DO NOTHING"
NOTIFY = f"SELECT pg_notify('{CHANNEL}', told) FROM unnest(%s::text[]) AS told"
# A process that hangs in the middle of a commit has streams locked: the server waits for its next word, which
# no time limit of the server counts.
END_HANGING = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name = 'thirdcard writer' AND datname = current_database() AND usename = current_user
AND wait_event = 'ClientRead' AND xact_start < clock_timestamp() - interval '2 s'"""
# In one order for everybody. What another process leads is not touched, not even locked.
LEAD = """INSERT INTO leases AS held
SELECT stream, mine.holder, 1, clock_timestamp() + mine.lasts
FROM (VALUES (%s::text, make_interval(secs => %s))) AS mine (holder, lasts), unnest(%s::text[]) AS stream
LEFT JOIN leases AS old USING (stream)
WHERE old.stream IS NULL OR old.holder = mine.holder OR old.until < clock_timestamp() ORDER BY stream
ON CONFLICT (stream) DO UPDATE SET holder = excluded.holder, until = excluded.until,
term = held.term + (held.holder <> excluded.holder)::int
WHERE held.holder = excluded.holder OR held.until < clock_timestamp() RETURNING stream, term"""
RESIGN = "UPDATE leases SET until = '-infinity' WHERE holder = %s"
FIND_TERMS = "SELECT stream, term FROM leases WHERE stream = ANY(%s) AND until > clock_timestamp()"
# An error, if one of the terms has ended: whoever stood still since looking writes nothing.
HOLD_TERMS = """SELECT 1 / (count(held.term) = count(*))::int
FROM unnest(%s::text[], %s::bigint[]) AS mine (stream, term)
LEFT JOIN leases AS held ON held.stream = mine.stream AND held.term = mine.term
AND held.until > clock_timestamp()"""
LAST_PLACE = "SELECT setval(pg_get_serial_sequence('thirdcard.events', 'seq'), max(seq)) FROM events"
