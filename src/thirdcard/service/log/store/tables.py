"""What is kept, described once: a table for each kind of row.

From a description both databases derive the table itself, the statements that write and read its rows, and
its part of a back-up. A new kind of row is a struct in `model.py` and a table here, with the next number as
`since`. What was released stays as it is: a later column or index has a number of its own, and `Dialect`
makes step n, by which schema n - 1 becomes schema n, from all that has the number n. So there is one way to
make a new database and to bring an old one up to date, and a snapshot of an old one knows what it lacks.
"""
# ruff: noqa: S608 - what is put into a statement's text are our own names

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, ClassVar, Generic, Literal, TypeVar, get_args, get_origin

import msgspec

from thirdcard.service.log.store import model

R = TypeVar("R", bound=msgspec.Struct)
astuple = msgspec.structs.astuple
Row = Sequence[Any]
Rows = dict["Table[Any]", list[Row]]

NUMBERED = ("seq", "n")  # columns beside a struct that are whole numbers; all others are text


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """What else rows are found by, from the schema `since` on; the schema `until`, if any, drops it."""

    name: str
    columns: str
    since: int
    until: int = 0
    where: str = ""


class Table(msgspec.Struct, Generic[R], frozen=True, eq=False, dict=True, kw_only=True):
    """Where rows of one kind are kept, a column for each field of their struct.

    `beside` are columns that the struct does not have, such as the stream or the name that it is found by;
    `key` tells rows apart. `again` says what becomes of a row whose key is taken: it is an error, the old row
    is kept or replaced, or the numbers are added to it. `later` has the schema of columns that were not there
    at first; `derived` rows follow from others and are no part of a back-up.
    """

    name: str
    row: type[R]
    key: str
    since: int
    beside: tuple[str, ...] = ()
    again: Literal["", "keep", "replace", "add"] = ""
    later: Mapping[str, int] = {}
    indexes: tuple[Index, ...] = ()
    derived: bool = False
    unique: str = ""
    references: Mapping[str, str] = {}
    primary: str = ""  # the order of the key in its index, where it is another
    small: tuple[str, ...] = ()  # numbers that PostgreSQL keeps in four bytes
    long: bool = False  # rows that SQLite keeps in the order in which they came, not in that of the key
    busy: bool = False  # rows that are changed all the time: PostgreSQL leaves room for that

    @cached_property
    def types(self) -> dict[str, type]:
        """The columns with their types: those of the key, the struct's others, and what else is beside it."""
        known: dict[str, type] = {
            field.name: get_origin(field.type) or field.type for field in msgspec.structs.fields(self.row)
        }
        known |= {name: int if name in NUMBERED else str for name in self.beside}
        return {name: known[name] for name in (*self.keys, *(one for one in known if one not in self.keys))}

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.key.split(", "))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        return self.row.__struct_fields__

    @cached_property
    def lists(self) -> list[int]:
        """The places of columns that hold lists."""
        return [place for place, kind in enumerate(self.types.values()) if kind is tuple]

    @cached_property
    def columns(self) -> str:
        """All of them, as a statement names them."""
        return named(self.types)

    @cached_property
    def own(self) -> str:
        """Those of the struct, in its own order."""
        return named(self.fields)

    @cached_property
    def _in_order(self) -> Callable[[Row], Row]:
        given = (*self.beside, *self.fields)
        return itemgetter(*(given.index(name) for name in self.types))

    def values(self, row: R, *beside: object) -> Row:
        """What a row puts into the columns; `beside` has what the struct lacks, in the order of `beside`."""
        return self._in_order((*beside, *astuple(row)))

    def made(self, values: Row) -> R:
        """The row again from what is in the struct's own columns, in either database."""
        if self._kept_otherwise:
            values = [
                made(value) if (made := self._kept_otherwise.get(name)) else value
                for name, value in zip(self.fields, values, strict=True)
            ]
        if self.row.__match_args__:
            return self.row(*values)
        return self.row(**dict(zip(self.fields, values, strict=True)))  # its fields are given by name

    @cached_property
    def _kept_otherwise(self) -> dict[str, Any]:
        ways = {bool: bool, tuple: listed}
        return {name: ways[kind] for name, kind in self.types.items() if kind in ways and name in self.fields}

    @cached_property
    def on_conflict(self) -> str:
        """What a statement says of rows whose key is taken."""
        if self.again in ("", "keep"):
            return " ON CONFLICT DO NOTHING" if self.again else ""
        old = f"{self.name}.{{0}} + " if self.again == "add" else ""
        others = [name for name in self.types if name not in self.keys]
        changed = ", ".join(f"{name} = {old}excluded.{{0}}".format(name) for name in others)
        return f" ON CONFLICT ({self.primary or self.key}) DO UPDATE SET {changed}"

    @cached_property
    def insert(self) -> str:
        """The statement that writes one row."""
        marks = ", ".join("?" * len(self.types))
        return f"INSERT INTO {self.name} ({self.columns}) VALUES ({marks}){self.on_conflict}"

    @cached_property
    def at_key(self) -> str:
        """The condition that names one row by its key."""
        return " AND ".join(f"{name} = ?" for name in self.keys)


def named(columns: Sequence[str] | Mapping[str, type]) -> str:
    """As a statement names them: one of them is a word of SQL."""
    return ", ".join('"by"' if name == "by" else name for name in columns)


def listed(players: Sequence[str]) -> tuple[str, ...]:
    """A list of names, or the JSON of it where a database has no lists."""
    return msgspec.json.decode(players, type=tuple[str, ...]) if isinstance(players, str) else tuple(players)


STREAMS = Table(name="streams", row=model.StreamEnd, key="stream", since=1, again="replace", busy=True)
EVENTS = Table(
    name="events",
    row=model.Record,
    beside=("seq",),
    key="seq",
    since=1,
    later={"asked": 4},
    unique="stream, version",
    references={"stream": "streams"},
    small=("schema",),
    long=True,
    indexes=(
        Index(name="events_by_round", columns="stream, round", since=1, until=2),
        Index(name="events_significant", columns="seq", where="flag <> ''", since=1),
    ),
)
POSTINGS = Table(
    name="postings",
    row=model.PostingRow,
    beside=("stream", "n"),
    key="stream, version, n",
    since=1,
    small=("n",),
)
ANSWERS = Table(
    name="answers",
    row=model.Answered,
    key="actor, key",
    since=1,
    later={"until": 4},
    long=True,
    indexes=(Index(name="answers_until", columns="until", since=4),),
)
ROUNDS = Table(
    name="rounds",
    row=model.RoundRow,
    beside=("stream",),
    key="stream, number",
    since=1,
    again="replace",
    long=True,
)
ROUND_PLAYERS = Table(
    name="round_players",
    row=model.RoundPlayer,
    key="player, at, stream, number",
    since=1,
    again="keep",
    derived=True,
)
SHOES = Table(
    name="shoes", row=model.SealedShoe, beside=("stream",), key="stream, number", since=1, long=True
)
ACCOUNTS = Table(
    name="accounts",
    row=model.Account,
    beside=("key",),
    key="key",
    since=1,
    again="keep",
    small=("failures",),
)
# Whoever was signed out stays so: sessions are no part of a back-up.
SESSIONS = Table(
    name="sessions",
    row=model.Session,
    beside=("account_key",),
    key="token_hash",
    since=1,
    again="replace",
    derived=True,
    indexes=(Index(name="sessions_of", columns="account_key", since=1),),
)
EVENT_INDEX = Table(
    name="event_index",
    row=model.IndexRow,
    beside=("stream",),
    key="stream, key, version",
    since=2,
    again="keep",
)
CHECKPOINTS = Table(
    name="checkpoints",
    row=model.Checkpoint,
    beside=("stream",),
    key="stream, version",
    since=2,
    long=True,
)
RULEBOOKS = Table(name="rulebooks", row=model.RulebookText, key="digest", since=3, again="keep", long=True)
DOCUMENTS = Table(
    name="documents", row=model.DocumentCopy, key="digest", since=10, again="replace", long=True
)
LEFT_NOTES = Table(name="left_notes", row=model.LeftNote, key="number", since=10)
PERSONAL = Table(name="personal", row=model.Personal, key="key, kind", since=4, again="replace")
WALLETS = Table(name="wallets", row=model.Wallet, key="name", since=5, again="replace")
RESULTS = Table(
    name="results",
    row=model.ResultRow,
    key="player, list, at, stream, number",
    since=5,
    derived=True,
    indexes=(Index(name="results_best", columns="player, net", where="list = 'won'", since=5),),
)
TALLIES = Table(
    name="tallies",
    row=model.Tally,
    key="player, day, digest, bet",
    primary="player, digest, bet, day",
    since=5,
    again="add",
    derived=True,
)
NAMES = Table(
    name="names",
    row=model.KnownAs,
    beside=("key",),
    key="key",
    since=5,
    indexes=(Index(name="names_of", columns="account, use", since=5),),
)
MARKS = Table(
    name="marks",
    row=model.RoundMark,
    beside=("stream",),
    key="mark, at, stream, number",
    since=6,
    again="keep",
    indexes=(Index(name="marks_of_table", columns="mark, stream, at, number", since=6),),
)
QUARTERS = Table(
    name="quarters",
    row=model.QuarterSum,
    beside=("stream",),
    key="at, stream, name",
    since=7,
    again="add",
)
LEARNING = Table(
    name="learning",
    row=model.KeptDocument,
    beside=("person", "kind"),
    key="person, kind",
    since=8,
    again="keep",
    indexes=(Index(name="learning_of_all", columns="kind, person", since=9),),
)
REVIEWS = Table(name="reviews", row=model.ReviewRow, key="person, number", since=8, again="keep")
EXAMS = Table(
    name="exams",
    row=model.KeptDocument,
    beside=("exam", "person"),
    key="exam, person",
    primary="person, exam",
    since=8,
    again="keep",
    indexes=(Index(name="exams_sat", columns="exam", since=8),),
)

# In the order in which they are made, and filled from a back-up.
TABLES: tuple[Table[Any], ...] = (
    STREAMS, EVENTS, POSTINGS, ANSWERS, ROUNDS, ROUND_PLAYERS, SHOES, ACCOUNTS, SESSIONS,
    EVENT_INDEX, CHECKPOINTS, RULEBOOKS, DOCUMENTS, PERSONAL, WALLETS, RESULTS, TALLIES, NAMES,
    MARKS, QUARTERS, LEARNING, REVIEWS, EXAMS, LEFT_NOTES,
)  # fmt: skip
NAMED = {table.name: table for table in TABLES}
BACKED_UP = {name: table for name, table in NAMED.items() if not table.derived}
LATEST = max(since for table in TABLES for since in (table.since, *(index.since for index in table.indexes)))
WITH_RESULTS = RESULTS.since


def _of_append() -> dict[str, Table[Any]]:
    kinds = {table.row: table for table in TABLES}
    parts = {field.name: get_args(field.type)[:1] for field in msgspec.structs.fields(model.Append)}
    return {name: kinds[kind[0]] for name, kind in parts.items() if kind and kind[0] in kinds}


OF_APPEND = _of_append()  # where each part of an append is kept


class Dialect(ABC):
    """What one database says in its own way: its types, the steps to its tables, and some statements."""

    TYPES: ClassVar[Mapping[type, str]]
    BEFORE: ClassVar[Mapping[int, tuple[str, ...]]] = {}  # statements that a step begins with
    AFTER: ClassVar[Mapping[int, tuple[str, ...]]] = {}  # and that it ends with

    POSTINGS: ClassVar[str] = "postings"  # where postings are found with their stream and version
    POSTINGS_ORDER: ClassVar[str] = "stream, version, n"  # in which all of them are read without sorting
    FLAGGED: ClassVar[str] = "events"  # where significant events are found without reading the others
    HOLDS: ClassVar[str]  # where some bytes begin in the body of an answer in the school, counted from 1
    PLAYED: ClassVar[str]  # the players of a round `r`, each as the `value` of a row
    FOR_UPDATE: ClassVar[str] = ""  # ends a statement whose rows nobody else may change meanwhile
    FIND_ANSWERS: ClassVar[str]  # of the keys in `asked`, by one look into the index for each

    @abstractmethod
    def asked(self, kinds: Sequence[type], rows: Sequence[Row]) -> tuple[str, Row]:
        """A query that gives back these rows, with values of these kinds, and what fills it in."""

    def asking(self, sql: str, kinds: Sequence[type], rows: Sequence[Row]) -> tuple[str, Row]:
        """A statement about the rows that it calls `{asked}`."""
        asked, filled = self.asked(kinds, rows)
        return sql.format(asked=asked, played=self.PLAYED, lock=self.FOR_UPDATE), filled

    def steps(self) -> tuple[str, ...]:
        """Step n, as text of statements that each end a line, at place n - 1."""
        return tuple(
            "".join(f"{statement};\n" for statement in self._step(number)) for number in range(1, LATEST + 1)
        )

    def _step(self, number: int) -> Iterator[str]:
        yield from self.BEFORE.get(number, ())
        for table in TABLES:
            if table.since == number:
                yield self.create(table)
            for name, since in table.later.items():
                if since == number:
                    kept = f"{self.kept(table, name)} DEFAULT {self.literal(table, name)}"
                    yield f"ALTER TABLE {table.name} ADD COLUMN {name} {kept}"
            for index in table.indexes:
                if index.since == number:
                    where = f" WHERE {index.where}" if index.where else ""
                    yield f"CREATE INDEX {index.name} ON {table.name} ({index.columns}){where}"
                if index.until == number:
                    yield f"DROP INDEX {index.name}"
        yield from self.AFTER.get(number, ())

    def create(self, table: Table[Any]) -> str:
        """The statement that makes a table as it was at first."""
        first = [name for name in table.types if name not in table.later]
        lines = [f"{named([name])} {self.kept(table, name)}" for name in first]
        if len(table.keys) > 1:
            lines.append(f"PRIMARY KEY ({table.primary or table.key})")
        if table.unique:
            lines.append(f"UNIQUE ({table.unique})")
        return f"CREATE TABLE {table.name} ({', '.join((*lines, *self.also(table)))}){self.made_with(table)}"

    def kept(self, table: Table[Any], name: str) -> str:
        """How a column keeps its values."""
        alone = " PRIMARY KEY" if table.keys == (name,) else " NOT NULL"
        referred = f" REFERENCES {table.references[name]}" if name in table.references else ""
        return f"{self.type_of(table, name)}{alone}{referred}"

    def type_of(self, table: Table[Any], name: str) -> str:
        return self.TYPES[table.types[name]]

    def also(self, table: Table[Any]) -> tuple[str, ...]:  # noqa: ARG002
        """What else has to hold of its rows."""
        return ()

    @abstractmethod
    def made_with(self, table: Table[Any]) -> str:
        """How the statement that makes a table ends."""

    @abstractmethod
    def literal(self, table: Table[Any], name: str) -> str:
        """What stands for a column in rows that an earlier schema wrote."""

    def own(self, table: Table[Any], schema: int) -> str:
        """The columns of the struct as a database of that schema has them."""
        return self._as_of(table, table.fields, schema) if table.later else table.own

    def columns(self, table: Table[Any], schema: int) -> str:
        """All columns as a database of that schema has them."""
        return self._as_of(table, table.types, schema)

    def _as_of(self, table: Table[Any], columns: Iterable[str], schema: int) -> str:
        return ", ".join(
            f"{self.literal(table, name)} AS {name}" if table.later.get(name, 0) > schema else named([name])
            for name in columns
        )
