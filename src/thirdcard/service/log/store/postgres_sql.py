"""What PostgreSQL says in its own way: types, tables, locks, leases, and many rows at a time."""
# ruff: noqa: S608 - what is put into a statement's text are our own names

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from thirdcard.service.log.store.tables import EVENTS, Dialect, Row, Table, named

CHANNEL = "thirdcard"


LEASES = """CREATE TABLE leases (
    stream text COLLATE "C" PRIMARY KEY,
    holder text NOT NULL,
    term bigint NOT NULL,
    until timestamptz NOT NULL
) WITH (fillfactor = 50)"""


class Postgres(Dialect):
    TYPES: ClassVar = {str: "text", int: "bigint", bytes: "bytea", bool: "boolean", tuple: "text[]"}
    BEFORE: ClassVar = {
        1: (
            "CREATE SCHEMA thirdcard",
            "CREATE TABLE about (version integer NOT NULL)",
            "INSERT INTO about VALUES (0)",
        )
    }
    # Until when answers are kept, for a week at first; which process leads a table, in which term, how long.
    AFTER: ClassVar = {
        4: (
            "UPDATE answers SET until = (extract(epoch FROM now())::bigint + 604800) * 1000000",
            LEASES,
        )
    }

    HOLDS = "position(? IN r.body)"
    PLAYED = "unnest(r.players) AS played (value)"
    FOR_UPDATE = " FOR UPDATE OF kept"
    # The limit keeps the planner to one look into the index for each, whatever it thinks of the table.
    FIND_ANSWERS = """WITH asked (actor, key) AS ({asked}) SELECT found.* FROM asked, LATERAL (
SELECT actor, key, digest, answer FROM answers AS a
WHERE a.actor = asked.actor AND a.key = asked.key LIMIT 1) AS found"""

    def asked(self, kinds: Sequence[type], rows: Sequence[Row]) -> tuple[str, Row]:
        return f"SELECT * FROM unnest({', '.join(f'?::{self.TYPES[kind]}[]' for kind in kinds)})", turned(
            rows
        )

    def type_of(self, table: Table[Any], name: str) -> str:
        """Order is by code point, as in Python and SQLite, wherever rows are found by a name."""
        if name == "seq":
            return "bigint GENERATED ALWAYS AS IDENTITY"
        if name in table.small:
            return "integer"
        found_by = ", ".join([table.key, table.unique, *(index.columns for index in table.indexes)]).split(
            ", "
        )
        collated = ' COLLATE "C"' if table.types[name] is str and name in found_by else ""
        return super().type_of(table, name) + collated

    def put_all(self, table: Table[Any]) -> str:
        """The statement that writes many rows, column by column; the server gives events their places."""
        given = [name for name in table.types if table is not EVENTS or name != "seq"]
        rows = f"SELECT * FROM unnest({self._arrays(table, given)})"
        return f"INSERT INTO {table.name} ({named(given)}) {rows}{table.on_conflict}"

    def drop_all(self, table: Table[Any]) -> str:
        """The statement that drops the rows with these keys."""
        same = " AND ".join(f"{table.name}.{name} = old.{name}" for name in table.keys)
        old = f"unnest({self._arrays(table, table.keys)}) AS old ({table.key})"
        return f"DELETE FROM {table.name} USING {old} WHERE {same}"

    def _arrays(self, table: Table[Any], columns: Sequence[str]) -> str:
        kinds = [(name, table.types[name]) for name in columns]
        return ", ".join(
            f"{'%b' if kind is bytes else '%s'}::{'integer' if name in table.small else self.TYPES[kind]}[]"
            for name, kind in kinds
        )

    def made_with(self, table: Table[Any]) -> str:
        return " WITH (fillfactor = 50)" if table.busy else ""

    def literal(self, table: Table[Any], name: str) -> str:
        return "''::bytea" if table.types[name] is bytes else "0"


DIALECT = Postgres()
STEPS = DIALECT.steps()


def turned(rows: Sequence[Row]) -> list[list[Any]]:
    """Rows as columns."""
    return [list(column) for column in zip(*rows, strict=True)]


def relations(steps: Sequence[str]) -> frozenset[str]:
    """The names of all tables, indexes and sequences that the steps make."""
    text = "".join(steps)
    tables = re.findall(r"CREATE TABLE (\w+)", text)
    indexes = {*re.findall(r"CREATE INDEX (\w+)", text)} - {*re.findall(r"DROP INDEX (\w+)", text)}
    keys = {f"{table}_pkey" for table in tables if table != "about"}
    return frozenset({*tables, *indexes, *keys, "events_seq_seq", "events_stream_version_key"})


LOCK_SCHEMA = "SELECT pg_advisory_xact_lock(hashtextextended('thirdcard schema', 0))"
FIND_SCHEMA = "SELECT to_regclass('thirdcard.about')"
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
