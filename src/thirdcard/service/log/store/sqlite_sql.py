"""What SQLite says in its own way: types, tables, how rows are asked for, what is wrong with a file."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache
from itertools import chain
from typing import Any, ClassVar

from thirdcard.service.log.store.tables import POSTINGS, ROUND_PLAYERS, Dialect, Row, Table

APPLICATION = 0x33726443  # "3rdC" in the file's header


class Sqlite(Dialect):
    TYPES: ClassVar = {str: "TEXT", int: "INTEGER", bytes: "BLOB", bool: "INTEGER", tuple: "TEXT"}
    # Until when answers are kept: for a week at first.
    AFTER: ClassVar = {
        4: ("UPDATE answers SET until = (CAST(strftime('%s', 'now') AS INTEGER) + 604800) * 1000000",),
    }
    POSTINGS = "postings JOIN events USING (seq)"
    POSTINGS_ORDER = "seq, n"
    FLAGGED = "events INDEXED BY events_significant"
    HOLDS = "instr(r.body, ?)"
    PLAYED = "json_each(r.players) AS played"
    # The keys first: of a list the planner would read all answers.
    FIND_ANSWERS = """WITH asked (actor, key) AS ({asked})
SELECT actor, key, digest, answer FROM asked CROSS JOIN answers USING (actor, key)"""

    def asked(self, kinds: Sequence[type], rows: Sequence[Row]) -> tuple[str, Row]:
        """As many rows as a power of two, the last again and again: few statements have to be prepared."""
        one = f"({', '.join('?' * len(kinds))})"
        count = 1 << (len(rows) - 1).bit_length()
        filled = list(chain.from_iterable(rows)) + [*rows[-1]] * (count - len(rows))
        return f"VALUES {', '.join([one] * count)}", filled

    def create(self, table: Table[Any]) -> str:
        """Postings hang on the event's place in the sequence.

        So they come to the end of their table whatever the stream, and long rows have numbers for the same
        end: a commit over many streams writes fewer pages.
        """
        if table is POSTINGS:
            return (
                "CREATE TABLE postings (seq INTEGER NOT NULL REFERENCES events, n INTEGER NOT NULL,"
                " account TEXT NOT NULL, cents INTEGER NOT NULL, PRIMARY KEY (seq, n)) STRICT, WITHOUT ROWID"
            )
        return super().create(table)

    def also(self, table: Table[Any]) -> tuple[str, ...]:
        return ("FOREIGN KEY (stream, number) REFERENCES rounds",) if table is ROUND_PLAYERS else ()

    def made_with(self, table: Table[Any]) -> str:
        return " STRICT" if table.long else " STRICT, WITHOUT ROWID"

    def literal(self, table: Table[Any], name: str) -> str:
        return "x''" if table.types[name] is bytes else "0"


DIALECT = Sqlite()
STEPS = DIALECT.steps()


# What is wrong with a file itself ---------------------------------------------------------------------


LARGE = 500_000_000  # bytes; of larger files a start leaves out what indexes hold, an audit does not

Ask = Callable[[str], Iterable[Row]]
SCHEMA = """SELECT type, name, coalesce(sql, '') FROM sqlite_schema
WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\' ORDER BY type, name"""


def damaged(ask: Ask, steps: Sequence[str], *, indexes: bool = True) -> Iterator[str]:
    """Sentences; with `indexes` also on what these hold, which takes several times longer."""
    for (told,) in ask(f"PRAGMA {'integrity' if indexes else 'quick'}_check(1)"):
        if told != "ok":
            yield f"the file is damaged: {told}"
    ((version,),) = ask("PRAGMA user_version")
    yield from _foreign(_by_name(ask(SCHEMA)), made_by(tuple(steps[:version])))


def _by_name(schema: Iterable[Row]) -> dict[tuple[str, str], str]:
    """What there is by kind and name, however its statement was laid out."""
    return {(kind, name): "".join(sql.split()) for kind, name, sql in schema}


def _foreign(found: dict[tuple[str, str], str], own: dict[tuple[str, str], str]) -> Iterator[str]:
    for kind, name in sorted(found.keys() | own.keys()):
        if (kind, name) not in own:
            yield f"the database has a {kind} that thirdcard did not make: {name}"
        elif (kind, name) not in found:
            yield f"the database lacks its {kind} {name}"
        elif found[kind, name] != own[kind, name]:
            yield f"the {kind} {name} is not as thirdcard made it"


@cache
def made_by(steps: tuple[str, ...]) -> dict[tuple[str, str], str]:
    """What the steps make, by kind and name."""
    with closing(sqlite3.connect(":memory:")) as made:
        for step in steps:
            made.executescript(step)
        return _by_name(made.execute(SCHEMA))
