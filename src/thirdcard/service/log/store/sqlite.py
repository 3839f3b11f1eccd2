"""The embedded default: one SQLite file, durable at every commit.

WAL with `synchronous=FULL` syncs the log before a commit is answered. One process at a time serves a file;
commands beside it may change accounts, and leave notes for its journal in a file of their own.
"""
# ruff: noqa: S608 - what is put into a statement's text are our own lists of columns

import contextlib
import os
import sqlite3
import threading
import weakref
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.files import hold_beside, open_private
from thirdcard.service.log.store.commits import Look, judge, rows_of
from thirdcard.service.log.store.kinds import Snapshot, Source, Store
from thirdcard.service.log.store.model import Append, Head, LeftNote, Result, StoreDown, StoreFull
from thirdcard.service.log.store.reading import Writing
from thirdcard.service.log.store.sqlite_sql import APPLICATION, DIALECT, LARGE, STEPS, damaged
from thirdcard.service.log.store.tables import (
    BACKED_UP,
    EVENTS,
    LEFT_NOTES,
    POSTINGS,
    STREAMS,
    WITH_RESULTS,
    Row,
    Rows,
    Table,
)

BUSY_MS = 5000
IN_MEMORY = "memory:"  # the address of a database that is gone with its process
PUT_POSTING = "INSERT INTO postings VALUES (?, ?, ?, ?)"
FILL_POSTING = "INSERT INTO postings SELECT seq, ?, ?, ? FROM events WHERE stream = ? AND version = ?"
_NO_ROOM = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_IOERR_SHMOPEN,
    }
)
_NOT_OURS = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})


class Cursor(Protocol):
    def fetchone(self) -> Any: ...  # noqa: ANN401 - a row is of whatever was asked
    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """What is used of a connection; the test that cuts the power brings its own."""

    @property
    def in_transaction(self) -> bool: ...
    def execute(self, sql: str, parameters: Any = ..., /) -> Cursor: ...  # noqa: ANN401
    def executemany(self, sql: str, rows: Iterable[Any], /) -> object: ...
    def close(self) -> None: ...


def connect(path: str, *, read_only: bool) -> sqlite3.Connection:
    mode = "ro" if read_only else "rw"
    return sqlite3.connect(
        f"{Path(path).absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_MS / 1000,
        isolation_level=None,
        check_same_thread=False,
    )


class SqliteWriting(Writing):
    """A transaction of the one connection that writes."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def ask(self, sql: str, parameters: Row) -> list[Any]:
        return self.connection.execute(sql, parameters).fetchall()

    def put(self, table: Table[Any], rows: Iterable[Row]) -> None:
        """Events and postings have their places in the sequence."""
        kept = (_with_lists(row, table.lists) for row in rows) if table.lists else rows
        self.connection.executemany(PUT_POSTING if table is POSTINGS else table.insert, kept)

    def lock(self, table: Table[Any]) -> None:
        """Nobody else writes at all."""

    def tell(self, *changes: str) -> None:
        """There is nobody else."""

    def drop(self, table: Table[Any], keys: Sequence[Row]) -> None:
        self.connection.executemany(f"DELETE FROM {table.name} WHERE {table.at_key}", keys)


def _with_lists(row: Row, lists: Sequence[int]) -> Row:
    """A row with its lists as JSON."""
    kept = list(row)
    for place in lists:
        kept[place] = msgspec.json.encode(kept[place]).decode()
    return kept


class SqliteStore(Store):
    """A commit is on the disk when it returns (with `synchronous` NORMAL it is not: a test shows that).

    Heads are remembered, not looked up: the lock on the file keeps other writers out.
    """

    dialect = DIALECT
    shared = False

    def __init__(
        self,
        path: str | Path,
        *,
        synchronous: Literal["FULL", "NORMAL"] = "FULL",
        read_only: bool = False,
        connect: Callable[..., Connection] = connect,
    ) -> None:
        self.path = str(path)
        self.place = str(Path(path).absolute())
        self._connect = connect
        self._synchronous = synchronous
        self._lock = threading.RLock()
        self._readers: deque[Connection] = deque()
        self._held: int | None = None
        self._writable = False
        self._writer: Connection | None = None
        self._heads: dict[str, Head] = {}
        self._seq = 0
        try:
            self._open(read_only=read_only)
        except sqlite3.DatabaseError as error:
            self.close()
            if _code(error) in _NOT_OURS:
                raise BadInput(
                    f"{self.path} is not a database of thirdcard, or it is damaged: {error}"
                ) from error
            raise BadInput(f"cannot open {self.path}: {error}") from error
        except UnicodeError:  # what SQLite says of damage may be no text
            self.close()
            raise BadInput(f"{self.path} is not a database of thirdcard, or it is damaged") from None
        except BaseException:
            self.close()
            raise

    # Opening and closing

    def _open(self, *, read_only: bool) -> None:
        if not read_only:
            os.close(_open_private(self.path))
            self._held = _hold(self.path)
            self._writable = True
        self._prepare()
        if not read_only:
            self._open_writer()

    def _prepare(self) -> None:
        """Look whose file it is, and bring its schema up to date if it is ours to write."""
        with contextlib.closing(self._connect(self.path, read_only=not self._writable)) as connection:
            version = _schema_of(connection, self.path, new=self._writable)
            if self._writable and version < len(STEPS):
                connection.execute("PRAGMA journal_mode = WAL").fetchall()
                connection.execute("BEGIN IMMEDIATE")
                _migrate(connection, version)
                connection.execute("COMMIT")

    def _open_writer(self) -> Connection:
        writer = self._connect(self.path, read_only=False)
        try:
            for pragma in ("journal_mode = WAL", f"synchronous = {self._synchronous}", "foreign_keys = ON"):
                writer.execute(f"PRAGMA {pragma}").fetchall()
            self._look_where_logs_end(writer)
        except BaseException:
            writer.close()
            raise
        self._writer = writer
        return writer

    def _look_where_logs_end(self, writer: Connection) -> None:
        ends = f"SELECT {STREAMS.own} FROM streams WHERE version > 0"
        self._heads = {stream: Head(*head) for stream, *head in writer.execute(ends).fetchall()}
        ((self._seq,),) = writer.execute("SELECT coalesce(max(seq), 0) FROM events").fetchall()

    def _drop_writer(self) -> None:
        """What is remembered is read anew by the next one."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def close(self) -> None:
        with self._lock:
            while self._readers:
                self._readers.pop().close()
            self._drop_writer()
            self._writable = False
            if self._held is not None:
                os.close(self._held)
                self._held = None

    # Connections

    @contextlib.contextmanager
    def _begun(self) -> Iterator[Connection]:
        if not self._writable:
            raise StoreDown(f"{self.path} is not open for writing")
        try:
            writer = self._writer or self._open_writer()
            writer.execute("BEGIN IMMEDIATE")
            yield writer
            writer.execute("COMMIT")
        except (sqlite3.IntegrityError, sqlite3.DataError, OverflowError) as error:
            self._roll_back()
            raise ValueError(f"the store cannot hold that: {error}") from error
        except sqlite3.DatabaseError as error:
            self._roll_back()
            raise self._fault(error) from error
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        writer = self._writer
        if writer is not None and writer.in_transaction:
            with contextlib.suppress(sqlite3.DatabaseError):
                writer.execute("ROLLBACK")
                self._look_where_logs_end(writer)

    def _fault(self, error: sqlite3.DatabaseError) -> Exception:
        if _code(error) in _NO_ROOM:
            return StoreFull(f"there is no room for {self.path}: {error}")
        self._drop_writer()  # after a failed sync nobody knows what the disk holds
        return StoreDown(f"{self.path} cannot be used: {error}")

    def _ask(self, sql: str, parameters: Row = ()) -> list[Any]:
        """Rows from a reader; there are as many readers as have ever asked at once."""
        if (mine := self._opened()) is not None:
            return list(mine.writer.execute(sql, parameters).fetchall())
        try:
            reader = self._readers.pop()
        except IndexError:
            reader = self._open_reader()
        try:
            with self._reading():
                rows = reader.execute(sql, parameters).fetchall()
        except BaseException:  # such as a number that no column can hold
            reader.close()
            raise
        self._readers.append(reader)
        return rows

    def _open_reader(self) -> Connection:
        with self._reading():
            reader = self._connect(self.path, read_only=not self._writable)
            try:
                reader.execute("PRAGMA query_only = ON")
            except BaseException:
                reader.close()
                raise
        return reader

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeError) as error:
            raise StoreDown(f"{self.path} cannot be read: {error}") from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[SqliteWriting]:
        with self._transaction() as writer:
            yield SqliteWriting(writer)

    # Commits

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        with self._lock:  # until what is known of the logs is what is written
            with self._writing() as writing:
                look = Look(writing.ask, self.dialect, appends)
                judged = judge(appends, self._heads, look.answers().get, look.wallets())
                dropped, written = rows_of(judged, look.before())
                seq = self._placed(written)
                writing.write(dropped, written)
            self._heads.update(judged.heads)
            self._seq = seq
        return judged.results

    def _placed(self, written: Rows) -> int:
        """Give events their places in the sequence, and postings those of their events; the last place."""
        seq, places = self._seq, dict[tuple[str, int], int]()
        for n, (_, stream, version, *row) in enumerate(written.get(EVENTS, ())):
            seq += 1
            places[stream, version] = seq
            written[EVENTS][n] = (seq, stream, version, *row)
        for n, (stream, version, *row) in enumerate(written.get(POSTINGS, ())):
            written[POSTINGS][n] = (places[stream, version], *row)
        return seq

    # Other processes: none but commands that leave notes

    def listen(self, callback: Callable[[str, str], None]) -> Callable[[], None]:  # noqa: ARG002
        return lambda: None

    def lead(self, streams: Collection[str]) -> dict[str, int]:
        return dict.fromkeys(streams, 0)

    def resign(self) -> None: ...

    def damage(self) -> Iterator[str]:
        return damaged(self._ask, STEPS, indexes=Path(self.path).stat().st_size <= LARGE)

    # Back-ups

    def fill(self, source: Source) -> int:
        if self.heads() or self.accounts():
            raise BadInput(f"{self.path} is not empty: restore into a new one")
        with self._lock:
            self._drop_writer()  # it would hold foreign keys against a back-up that the audit is to judge
            return _filled(self._connect(self.path, read_only=False), self.path, source)


class MemoryStore(SqliteStore):
    """A database that is gone with its process: one connection, which everybody uses in turn.

    It lives as long as this does, closed or not: a house can be opened on it again, and it can be audited.
    """

    def __init__(self) -> None:
        super().__init__(IN_MEMORY)

    def _open(self, *, read_only: bool) -> None:  # noqa: ARG002
        self.place = "memory"
        self._writer = _new_in_memory()
        weakref.finalize(self, self._writer.close)
        self._writable = True

    def _drop_writer(self) -> None: ...

    def _ask(self, sql: str, parameters: Row = ()) -> list[Any]:
        with self._lock, self._reading():
            assert self._writer is not None
            return self._writer.execute(sql, parameters).fetchall()

    def close(self) -> None: ...

    def damage(self) -> Iterator[str]:
        return iter(())

    def fill(self, source: Source) -> int:  # noqa: ARG002
        raise BadInput("what is in memory is gone with the process: restore into a file or a server")


def _new_in_memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.deserialize(_empty())
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


@cache
def _empty() -> bytes:
    """An empty database with all its tables: to make these takes longer than most tests do."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("BEGIN")
        _migrate(connection, 0)
        connection.execute("COMMIT")
        return connection.serialize()


class BesideServer(SqliteStore):
    """The accounts of a file that a server has open; SQLite lets one of the two write at a time.

    Streams are the server's alone: what is to be appended is left for it in a table of their own.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path, read_only=True)

    @contextlib.contextmanager
    def _begun(self) -> Iterator[Connection]:
        with contextlib.closing(self._connect(self.path, read_only=False)) as writer:
            try:
                writer.execute("PRAGMA synchronous = FULL").fetchall()
                writer.execute("BEGIN IMMEDIATE")
                yield writer
                writer.execute("COMMIT")
            except sqlite3.Error as error:
                raise BadInput(f"{self.path} cannot be written to: {error}") from error

    def commit(self, appends: Sequence[Append]) -> list[Result]:  # noqa: ARG002
        raise StoreDown(f"{self.path} is in use: only the process that serves it may append")

    def leave_note(self, note: bytes) -> bool:
        with self._writing() as writing:
            ((last,),) = writing.ask("SELECT coalesce(max(number), 0) FROM left_notes", ())
            writing.put(LEFT_NOTES, [LEFT_NOTES.values(LeftNote(last + 1, note))])
        return True


class SqliteSnapshot(Snapshot):
    dialect = DIALECT

    def __init__(self, where: str) -> None:
        if not Path(where).is_file():
            raise BadInput(f"there is no database {where}")
        self._connection = connect(where, read_only=True)
        try:
            self._connection.execute("PRAGMA query_only = ON")
            self._connection.execute("BEGIN")
            self.schema = _schema_of(self._connection, where)  # from this look on it stands still
        except (sqlite3.Error, UnicodeError) as error:
            self.close()
            raise BadInput(f"{where} is not a database of thirdcard, or it is damaged: {error}") from None
        except BaseException:
            self.close()
            raise

    def _ask(self, sql: str, parameters: Row = ()) -> Iterator[Row]:
        try:
            # `yield from` would close the cursor in the end, and by then the connection may be closed.
            for row in self._connection.execute(sql, parameters):  # noqa: UP028
                yield row
        except (sqlite3.Error, UnicodeError) as error:
            raise StoreDown(f"the database cannot be read: {error}") from None

    def damage(self) -> Iterator[str]:
        yield from damaged(self._ask, STEPS)
        for _ in self._ask("SELECT 1 FROM postings WHERE seq NOT IN (SELECT seq FROM events) LIMIT 1"):
            yield "there are postings of no event"
        # Here the sequence has no gaps: it counts the events.
        for count, last in self._ask("SELECT count(*), coalesce(max(seq), 0) FROM events"):
            if count != last:
                yield f"the sequence of events comes to {last}, but there are {count}"

    def close(self) -> None:
        self._connection.close()


# What the module provides, beside the classes

open_snapshot, file_of = SqliteSnapshot, Path


def open_store(where: str) -> SqliteStore:
    return MemoryStore() if where == IN_MEMORY else SqliteStore(where)


def open_beside(where: str) -> SqliteStore:
    """A file that a server has open is written to beside it."""
    if Path(where).is_file():
        with contextlib.suppress(BadInput):
            return SqliteStore(where)
        return BesideServer(where)
    return open_store(where)


def write_file(source: Source, path: Path) -> int:
    """A new file for its owner alone, filled; it has no other files beside it."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    return _filled(connect(str(path), read_only=False), str(path), source)


def _filled(target: Connection, path: str, source: Source) -> int:
    """Take all rows of a back-up or nothing; the number of events, whose sequence has no gaps here."""
    try:
        with contextlib.closing(target):
            target.execute("BEGIN IMMEDIATE")
            _migrate(target, _schema_of(target, path, new=True))
            for name, table in BACKED_UP.items():
                rows = source.rows(name)
                if table is POSTINGS:
                    target.executemany(FILL_POSTING, ([*row[2:], *row[:2]] for row in rows))
                elif table is EVENTS:
                    target.executemany(EVENTS.insert, ([n, *row[1:]] for n, row in enumerate(rows, start=1)))
                else:
                    SqliteWriting(target).put(table, rows)
            SqliteWriting(target).list_all()
            (events,) = target.execute("SELECT count(*) FROM events").fetchone()
            target.execute("COMMIT")
    except sqlite3.Error as error:
        raise BadInput(f"cannot write {path}: {error}") from None
    return int(events)


def _schema_of(connection: Connection, path: str, *, new: bool = False) -> int:
    """The number of the schema, 0 for a new file; BadInput if it is not ours, or one that we do not know."""
    application, version, tables = connection.execute(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)"
        " FROM pragma_application_id, pragma_user_version"
    ).fetchone()
    if new and application == 0 and tables == 0:
        return 0
    if application != APPLICATION:
        raise BadInput(f"{path} is a database, but not one of thirdcard")
    if version > len(STEPS):
        raise BadInput(f"{path} was written by a newer thirdcard: it has schema {version}, not {len(STEPS)}")
    return int(version)


def _migrate(connection: Connection, version: int) -> None:
    """From that schema to the latest, in the transaction that was begun."""
    for step in STEPS[version:]:
        for statement in step.split(";\n"):
            connection.execute(statement)
    if 0 < version < WITH_RESULTS <= len(STEPS):
        SqliteWriting(connection).list_all()
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {len(STEPS)}")


def _open_private(path: str) -> int:
    """Open a file, made for its owner alone; SQLite gives its own files beside it the same mode."""
    try:
        return open_private(path)
    except OSError as error:
        raise BadInput(f"cannot open {path}: {error.strerror}") from error


def _hold(path: str) -> int:
    """Keep other processes from serving the same file; the system lets go of it when this one ends."""
    try:
        lock = hold_beside(path)
    except OSError as error:
        raise BadInput(f"cannot lock {path}: {error.strerror}") from error
    if lock is None:
        raise BadInput(f"{path} is in use: another process serves it")
    return lock


def _code(error: sqlite3.DatabaseError) -> int:
    return getattr(error, "sqlite_errorcode", 0)
