"""How rows are read from the tables, and how a few of them are written: what all parts of a store rest on."""
# ruff: noqa: S608 - what is put into a statement's text are our own names

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar, NamedTuple

from thirdcard.service.log.store.results import Before, relisted
from thirdcard.service.log.store.tables import (
    LATEST,
    NAMED,
    POSTINGS,
    ROUNDS,
    STREAMS,
    Dialect,
    R,
    Row,
    Rows,
    Table,
    listed,
)

Telling = Callable[[Any], str]  # what others are told of a value that was changed


def marks(values: Collection[object]) -> str:
    """As many placeholders as there are values."""
    return ", ".join("?" * len(values))


class Reading(ABC):
    """The rows of a database, whichever kind it is and whichever schema it has.

    Statements keep to what SQLite and PostgreSQL both understand, with `?` for what is filled in. A database
    of an earlier schema lacks tables, which are read as empty ones, and columns.
    """

    dialect: ClassVar[Dialect]
    schema: int = LATEST

    @abstractmethod
    def _ask(self, sql: str, parameters: Row = ()) -> Iterable[Any]:
        """The rows of a statement that only reads."""

    def _ask_one(self, sql: str, parameters: Row = ()) -> Any:  # noqa: ANN401 - a row, or none
        return next(iter(list(self._ask(sql, parameters))), None)

    def has(self, table: Table[Any]) -> bool:
        """Whether the database is new enough to have the table."""
        return table.since <= self.schema

    def every(self, table: Table[R], where: str = "", *parameters: object) -> Iterator[R]:
        """The rows of a table, one by one; with `where` only some of them, in some order."""
        return (row for _, row in self.keyed(table, where, *parameters, beside=()))

    def keyed(
        self, table: Table[R], where: str = "", *parameters: object, beside: Sequence[str] | None = None
    ) -> Iterator[tuple[Any, R]]:
        """The same, each with a tuple of what is beside it, or of some of that."""
        if not self.has(table):
            return
        beside = table.beside if beside is None else beside
        columns = ", ".join((*beside, self.dialect.own(table, self.schema)))
        for row in self._ask(f"SELECT {columns} FROM {table.name}{where and ' WHERE '}{where}", parameters):
            yield tuple(row[: len(beside)]), table.made(row[len(beside) :])

    def first(self, table: Table[R], where: str, *parameters: object) -> R | None:
        """The first of such rows."""
        return next(iter(list(self.every(table, where, *parameters))), None)

    def of_stream(self, table: Table[R], stream: str) -> Iterator[R]:
        """The rows of one stream."""
        return self.every(table, "stream = ?", stream)

    def rows(self, name: str) -> Iterator[list[Any]]:
        """All rows of a table for a back-up, in the same form from every kind of database."""
        table = NAMED[name]
        if not self.has(table):
            return
        source, order = name, table.key
        if table is POSTINGS:
            source, order = self.dialect.POSTINGS, self.dialect.POSTINGS_ORDER
        which = " WHERE version > 0" if table is STREAMS else ""
        columns = self.dialect.columns(table, self.schema)
        for row in self._ask(f"SELECT {columns} FROM {source}{which} ORDER BY {order}"):
            yield [
                list(listed(value)) if kind is tuple else bool(value) if kind is bool else value
                for kind, value in zip(table.types.values(), row, strict=True)
            ]


class Writing(ABC):
    """A transaction: all that is written in it is durable when it ends, or nothing of it is written."""

    @abstractmethod
    def ask(self, sql: str, parameters: Row) -> list[Any]:
        """The rows that a statement gives back."""

    @abstractmethod
    def put(self, table: Table[Any], rows: Sequence[Row]) -> None:
        """Write rows."""

    @abstractmethod
    def drop(self, table: Table[Any], keys: Sequence[Row]) -> None:
        """Drop the rows with these keys."""

    def write(self, dropped: Rows, written: Rows) -> None:
        """What a commit drops and then writes."""
        for table, keys in dropped.items():
            self.drop(table, keys)
        for table, rows in written.items():
            self.put(table, rows)

    def list_all(self) -> None:
        """Who played in all rounds there are, and what these came to, from nothing."""
        found = self.ask(f"SELECT stream, {ROUNDS.own} FROM rounds ORDER BY at, stream, number", ())
        rounds = {(stream, row[0]): ROUNDS.made(row) for stream, *row in found}
        self.write({}, {table: made for table, _, made in relisted(rounds, Before())})

    @abstractmethod
    def lock(self, table: Table[Any]) -> None:
        """Nobody else writes to the table until this ends."""

    @abstractmethod
    def tell(self, *changes: str) -> None:
        """Let other processes know, once it is written."""


class _Open(NamedTuple):
    """A transaction that a thread has open for more than one write, and what is to follow it."""

    writer: Any
    thread: int
    after: list[Callable[[], None]]


class Changing(Reading):
    """What is read and may be changed."""

    shared: bool  # several processes may write to it
    _lock: threading.RLock  # held by whoever writes
    _whole: _Open | None = None

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Writing]:
        """A transaction, undone if the block ends by an exception."""

    @abstractmethod
    def _begun(self) -> AbstractContextManager[Any]:
        """A new transaction of the connection that writes: durable afterwards, or undone."""

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        """The one that this thread has open, or a new one."""
        with self._lock:
            if self._whole is not None:
                yield self._whole.writer
                return
            with self._begun() as writer:
                yield writer

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that this thread writes in the block is one transaction, which its own reads see."""
        with self._lock:
            after = list[Callable[[], None]]()
            with self._begun() as writer:
                self._whole = _Open(writer, threading.get_ident(), after)
                try:
                    yield
                finally:
                    self._whole = None
            for work in after:
                work()

    def afterwards(self, work: Callable[[], None]) -> None:
        """Carry it out when what this thread is writing is durable, and never if that is undone."""
        mine = self._opened()
        if mine is None:
            work()
        else:
            mine.after.append(work)

    def _opened(self) -> _Open | None:
        """The transaction that this thread has open."""
        found = self._whole
        return found if found is not None and found.thread == threading.get_ident() else None

    def _change(self, sql: str, parameters: Row, telling: Telling | None = None) -> list[Any]:
        """Carry out a statement; the one value that it gives back of each row that it changed."""
        with self._writing() as writing:
            changed = [value for (value,) in writing.ask(sql, parameters)]
            if telling is not None:
                writing.tell(*map(telling, changed))
        return changed

    def _drop(self, table: Table[Any], *key: object, telling: Telling | None = None) -> None:
        """Drop one row; others are told of the first column of its key."""
        sql = f"DELETE FROM {table.name} WHERE {table.at_key} RETURNING {table.keys[0]}"
        self._change(sql, key, telling)
