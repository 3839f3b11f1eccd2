"""What SQLite says in its own way: types, tables, and how several rows are asked for at once."""

from collections.abc import Sequence
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
        one = f"({', '.join('?' * len(kinds))})"
        return f"VALUES {', '.join([one] * len(rows))}", list(chain.from_iterable(rows))

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
