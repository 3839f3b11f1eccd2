"""The statements of the SQLite store: the steps to its tables, and what a commit writes to them."""
# ruff: noqa: S608 - what is put into a statement's text are our own names

from thirdcard.service.log.store.rows import RECORD

APPLICATION = 0x33726443  # "3rdC" in the file's header

# Postings hang on the event's place in the sequence, so that they come to the end of their table whatever the
# stream, and answers have row numbers for the same end: a commit over many streams writes fewer pages.
FIRST = """
CREATE TABLE streams (
    stream TEXT PRIMARY KEY, version INTEGER NOT NULL, head BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    stream TEXT NOT NULL REFERENCES streams,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    "by" TEXT NOT NULL,
    name TEXT NOT NULL,
    schema INTEGER NOT NULL,
    round INTEGER NOT NULL,
    flag TEXT NOT NULL,
    body BLOB NOT NULL,
    hash BLOB NOT NULL,
    UNIQUE (stream, version)
) STRICT;
CREATE INDEX events_by_round ON events (stream, round);
CREATE INDEX events_significant ON events (seq) WHERE flag <> '';
CREATE TABLE postings (
    seq INTEGER NOT NULL REFERENCES events,
    n INTEGER NOT NULL,
    account TEXT NOT NULL,
    cents INTEGER NOT NULL,
    PRIMARY KEY (seq, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE answers (
    actor TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT NULL, answer BLOB NOT NULL,
    PRIMARY KEY (actor, key)
) STRICT;
CREATE TABLE rounds (
    stream TEXT NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    players TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (stream, number)
) STRICT;
CREATE TABLE round_players (
    player TEXT NOT NULL, at INTEGER NOT NULL, stream TEXT NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (player, at, stream, number),
    FOREIGN KEY (stream, number) REFERENCES rounds
) STRICT, WITHOUT ROWID;
CREATE TABLE shoes (
    stream TEXT NOT NULL, number INTEGER NOT NULL, sealed BLOB NOT NULL,
    PRIMARY KEY (stream, number)
) STRICT;
CREATE TABLE accounts (
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    password TEXT NOT NULL,
    created INTEGER NOT NULL,
    disabled INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    locked_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sessions (
    token_hash BLOB PRIMARY KEY,
    account TEXT NOT NULL,
    created INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    account_key TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_of ON sessions (account_key);
"""

# Rounds of a log are found by the index of events too.
SECOND = """
DROP INDEX events_by_round;
CREATE TABLE event_index (
    stream TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL, value INTEGER NOT NULL,
    PRIMARY KEY (stream, key, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE checkpoints (
    stream TEXT NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (stream, version)
) STRICT;
"""

# The text of a rulebook that logs name by its digest.
THIRD = """
CREATE TABLE rulebooks (digest TEXT PRIMARY KEY, text BLOB NOT NULL) STRICT;
"""

# To which command an event is the end of the answer; until when answers are kept, for a week at first; what
# people have set for themselves.
FOURTH = """
ALTER TABLE events ADD COLUMN asked BLOB NOT NULL DEFAULT x'';
ALTER TABLE answers ADD COLUMN until INTEGER NOT NULL DEFAULT 0;
UPDATE answers SET until = (CAST(strftime('%s', 'now') AS INTEGER) + 604800) * 1000000;
CREATE INDEX answers_until ON answers (until);
CREATE TABLE personal (
    key TEXT NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (key, kind)
) STRICT, WITHOUT ROWID;
"""

# People's own money; what their rounds came to, listed and summed up; the names that they go by.
FIFTH = """
CREATE TABLE wallets (
    name TEXT PRIMARY KEY, cents INTEGER NOT NULL, version INTEGER NOT NULL, refilled INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE results (
    player TEXT NOT NULL,
    list TEXT NOT NULL,
    at INTEGER NOT NULL,
    stream TEXT NOT NULL,
    number INTEGER NOT NULL,
    net INTEGER NOT NULL,
    staked INTEGER NOT NULL,
    time INTEGER NOT NULL,
    PRIMARY KEY (player, list, at, stream, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX results_best ON results (player, net) WHERE list = 'won';
CREATE TABLE tallies (
    player TEXT NOT NULL,
    day INTEGER NOT NULL,
    digest TEXT NOT NULL,
    bet TEXT NOT NULL,
    rounds INTEGER NOT NULL,
    staked INTEGER NOT NULL,
    net INTEGER NOT NULL,
    time INTEGER NOT NULL,
    PRIMARY KEY (player, digest, bet, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE names (
    key TEXT PRIMARY KEY, name TEXT NOT NULL, account TEXT NOT NULL, use TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX names_of ON names (account, use);
"""

# By what rounds are found, whatever the table.
SIXTH = """
CREATE TABLE marks (
    mark TEXT NOT NULL, at INTEGER NOT NULL, stream TEXT NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (mark, at, stream, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX marks_of_table ON marks (mark, stream, at, number);
"""

# What each quarter of an hour came to at a table, in sums that are added to.
SEVENTH = """
CREATE TABLE quarters (
    at INTEGER NOT NULL, stream TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,
    PRIMARY KEY (at, stream, name)
) STRICT, WITHOUT ROWID;
"""

# What people have learnt in the school, every answer they gave there, and exams with their sittings.
EIGHTH = """
CREATE TABLE learning (
    person TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (person, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE reviews (
    person TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (person, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE exams (
    exam TEXT NOT NULL, person TEXT NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (person, exam)
) STRICT, WITHOUT ROWID;
CREATE INDEX exams_sat ON exams (exam);
"""

# What is known of one kind of everybody's learning, such as the items that they think are wrong.
NINTH = """
CREATE INDEX learning_of_all ON learning (kind, person);
"""

# Step n makes schema n out of schema n - 1. One that was released is never edited.
STEPS = (FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH, EIGHTH, NINTH)
WITH_RESULTS = 5  # the first schema that has what rounds came to

PUT_HEAD = """INSERT INTO streams VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET version = excluded.version, head = excluded.head"""
PUT_EVENT = f"INSERT INTO events (seq, {RECORD}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
PUT_POSTING = "INSERT INTO postings VALUES (?, ?, ?, ?)"
PUT_ANSWER = "INSERT INTO answers VALUES (?, ?, ?, ?, ?)"
# The keys first, and then one look into the index for each: of a list the planner would read all answers.
FIND_ANSWERS = """WITH asked (actor, key) AS (VALUES {asked})
SELECT actor, key, digest, answer FROM asked CROSS JOIN answers USING (actor, key)"""
FIND_WALLETS = "SELECT name, version FROM wallets WHERE name IN ({names})"
PUT_WALLET = """INSERT INTO wallets VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET cents = excluded.cents, version = excluded.version, refilled = excluded.refilled"""
DROP_PLAYER = "DELETE FROM round_players WHERE player = ? AND at = ? AND stream = ? AND number = ?"
PUT_ROUND = """INSERT INTO rounds VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET at = excluded.at, players = excluded.players, body = excluded.body"""
PUT_PLAYER = "INSERT INTO round_players VALUES (?, ?, ?, ?)"
FIND_TIME = (
    "SELECT time FROM results WHERE player = ? AND list = 'all' AND at = ? AND stream = ? AND number = ?"
)
FIND_LAST = "SELECT max(at) FROM results WHERE player = ? AND list = 'all'"
DROP_RESULT = """DELETE FROM results
WHERE player = ? AND list = ? AND at = ? AND stream = ? AND number = ?"""
PUT_RESULT = "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
PUT_TALLY = """INSERT INTO tallies VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
SET rounds = rounds + excluded.rounds, staked = staked + excluded.staked, net = net + excluded.net,
time = time + excluded.time"""
PUT_INDEX = "INSERT INTO event_index VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
PUT_MARK = "INSERT INTO marks VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
PUT_QUARTER = """INSERT INTO quarters VALUES (?, ?, ?, ?)
ON CONFLICT DO UPDATE SET value = value + excluded.value"""
HAS_QUARTERS = "SELECT 1 FROM quarters WHERE at = ? AND stream = ? LIMIT 1"
PUT_CHECKPOINT = "INSERT INTO checkpoints VALUES (?, ?, ?)"
PUT_SHOE = "INSERT INTO shoes VALUES (?, ?, ?)"
PUT_TEXT = "INSERT INTO rulebooks VALUES (?, ?) ON CONFLICT DO NOTHING"
