"""The embedded default: one SQLite file, durable at every commit.

WAL with `synchronous=FULL` syncs the log before a commit is answered. One process at a time serves a file;
commands beside it may change accounts, and leave notes for its journal in a file of their own.
"""
# ruff: noqa: S608 - what is put into a statement's text are our own lists of columns

import contextlib
import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.files import hold, hold_beside, open_private
from thirdcard.service.log.store.model import (
    Answered,
    Append,
    Head,
    IndexRow,
    QuarterSum,
    Result,
    RoundMark,
    RoundRow,
    Source,
    StoreDown,
    StoreFull,
)
from thirdcard.service.log.store.results import Tallies, listed, results_of, time_of
from thirdcard.service.log.store.rows import (
    COLUMNS,
    ROUND,
    Row,
    as_heads,
    as_round,
    judge,
    mark_row,
    quarter_row,
    record_row,
    wallet_row,
)
from thirdcard.service.log.store.sql import (
    FIND_ROUND,
    HEADS,
    PLAYED,
    Naming,
    SqlSnapshot,
    SqlStore,
    Telling,
)
from thirdcard.service.log.store.sqlite_damage import LARGE, damaged
from thirdcard.service.log.store.sqlite_sql import (
    APPLICATION,
    DROP_PLAYER,
    DROP_RESULT,
    FIND_ANSWERS,
    FIND_LAST,
    FIND_TIME,
    FIND_WALLETS,
    HAS_QUARTERS,
    PUT_ANSWER,
    PUT_CHECKPOINT,
    PUT_EVENT,
    PUT_HEAD,
    PUT_INDEX,
    PUT_MARK,
    PUT_PLAYER,
    PUT_POSTING,
    PUT_QUARTER,
    PUT_RESULT,
    PUT_ROUND,
    PUT_SHOE,
    PUT_TALLY,
    PUT_TEXT,
    PUT_WALLET,
    STEPS,
    WITH_RESULTS,
)

BUSY_MS = 5000
ASKED_AT_ONCE = 1000  # keys in one statement
POSTINGS = "postings JOIN events USING (seq)"
_NO_ROOM = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_IOERR_SHMOPEN,
    }
)
_NOT_OURS = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})


class Rows(Protocol):
    def fetchone(self) -> Any: ...  # noqa: ANN401 - a row is of whatever was asked
    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """What is used of a connection; the test that cuts the power brings its own."""

    @property
    def in_transaction(self) -> bool: ...
    def execute(self, sql: str, parameters: Any = ..., /) -> Rows: ...  # noqa: ANN401
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


class SqliteStore(SqlStore):
    """A commit is on the disk when it returns (with `synchronous` NORMAL it is not: a test shows that).

    Heads are remembered, not looked up: the lock on the file keeps other writers out.
    """

    POSTINGS = POSTINGS
    FLAGGED = "events INDEXED BY events_significant"
    HOLDS = "instr(r.body, ?)"
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
        self._writer: Connection | None = None
        self._heads: dict[str, Head] = {}
        self._seq = 0
        try:
            if not read_only:
                os.close(_open_private(self.path))
                self._held = _hold(self.path)
            self._prepare()
            if not read_only:
                self._open_writer()
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

    def _prepare(self) -> None:
        """Look whose file it is, and bring its schema up to date if it is ours to write."""
        with contextlib.closing(self._connect(self.path, read_only=self._held is None)) as connection:
            version = _schema_of(connection, self.path, new=self._held is not None)
            if self._held is not None and version < len(STEPS):
                connection.execute("PRAGMA journal_mode = WAL").fetchall()
                connection.execute("BEGIN IMMEDIATE")
                _migrate(connection, version)
                connection.execute("COMMIT")

    def _open_writer(self) -> Connection:
        writer = self._connect(self.path, read_only=False)
        try:
            for pragma in ("journal_mode = WAL", f"synchronous = {self._synchronous}", "foreign_keys = ON"):
                writer.execute(f"PRAGMA {pragma}").fetchall()
            self._heads = as_heads(writer.execute(HEADS).fetchall())
            self._seq = writer.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0]
        except BaseException:
            writer.close()
            raise
        self._writer = writer
        return writer

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
            if self._held is not None:
                os.close(self._held)
                self._held = None

    # Connections

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """The writer in a transaction: all of it is durable afterwards, or nothing is written."""
        with self._lock:
            if self._held is None:
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

    def _fault(self, error: sqlite3.DatabaseError) -> Exception:
        if _code(error) in _NO_ROOM:
            return StoreFull(f"there is no room for {self.path}: {error}")
        self._drop_writer()  # after a failed sync nobody knows what the disk holds
        return StoreDown(f"{self.path} cannot be used: {error}")

    def _ask(self, sql: str, parameters: Row = ()) -> list[Any]:
        """Rows from a reader; there are as many readers as have ever asked at once."""
        try:
            reader = self._readers.pop()
        except IndexError:
            reader = self._open_reader()
        try:
            rows = reader.execute(sql, parameters).fetchall()
        except (sqlite3.DatabaseError, UnicodeError) as error:
            reader.close()
            raise StoreDown(f"{self.path} cannot be read: {error}") from error
        except BaseException:  # such as a number that no column can hold
            reader.close()
            raise
        self._readers.append(reader)
        return rows

    def _open_reader(self) -> Connection:
        reader = None
        try:
            reader = self._connect(self.path, read_only=self._held is None)
            reader.execute("PRAGMA query_only = ON")
        except sqlite3.DatabaseError as error:
            if reader is not None:
                reader.close()
            raise StoreDown(f"{self.path} cannot be read: {error}") from error
        return reader

    def _change(self, sql: str, parameters: Row, telling: Telling | None = None) -> list[Any]:  # noqa: ARG002
        with self._transaction() as writer:
            return [value for (value,) in writer.execute(sql, parameters).fetchall()]

    @contextlib.contextmanager
    def _naming(self, account: str) -> Iterator[Naming]:  # noqa: ARG002 - nobody else is told
        with self._transaction() as writer:
            yield lambda sql, parameters: writer.execute(sql, parameters).fetchall()

    @contextlib.contextmanager
    def _together(self) -> Iterator[Naming]:
        with self._transaction() as writer:
            yield lambda sql, parameters: writer.execute(sql, parameters).fetchall()

    # Commits

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        with self._lock:  # until what is known of the logs is what is written
            with self._transaction() as writer:
                answers, wallets = _find_answers(writer, appends), _find_wallets(writer, appends)
                judged = judge(appends, self._heads, answers.get, wallets)
                seq = self._write(writer, judged.good, judged.heads)
                writer.executemany(PUT_WALLET, [wallet_row(one) for one in judged.wallets.values()])
            self._heads.update(judged.heads)
            self._seq = seq
        return judged.results

    def _write(self, writer: Connection, good: Sequence[Append], heads: dict[str, Head]) -> int:
        """Write the appends table by table; the place of the last event in the sequence."""
        seq = self._seq
        events: list[Row] = []
        postings: list[Row] = []
        answers: list[Row] = []
        index: list[Row] = []
        for append in good:
            before = seq - append.expected
            for r in append.records:
                seq += 1
                events.append((seq, *record_row(r)))
            for n, entry in enumerate(append.entries):
                postings.append((before + entry.version, n, entry.account, entry.cents))
            answers += [(a.actor, a.key, a.digest, a.answer, a.until) for a in append.answers]
            index += [(append.stream, row.key, row.version, row.value) for row in append.index]
        writer.executemany(PUT_HEAD, [(stream, head.version, head.hash) for stream, head in heads.items()])
        writer.executemany(PUT_EVENT, events)
        writer.executemany(PUT_POSTING, postings)
        writer.executemany(PUT_ANSWER, answers)
        writer.executemany(PUT_INDEX, index)
        writer.executemany(PUT_MARK, [mark_row(append.stream, m) for append in good for m in append.marks])
        writer.executemany(
            PUT_QUARTER, [quarter_row(append.stream, q) for append in good for q in append.quarters]
        )
        _write_rounds(writer, [(append.stream, row) for append in good for row in append.rounds])
        for append in good:
            for shoe in append.shoes:
                writer.execute(PUT_SHOE, (append.stream, shoe.number, shoe.sealed))
            if append.checkpoint is not None:
                kept = append.checkpoint
                writer.execute(PUT_CHECKPOINT, (append.stream, kept.version, kept.body))
            for text in append.texts:
                writer.execute(PUT_TEXT, (text.digest, text.text))
        return seq

    def index(
        self,
        stream: str,
        rows: Sequence[IndexRow],
        marks: Sequence[RoundMark],
        quarters: Sequence[QuarterSum] = (),
    ) -> None:
        with self._transaction() as writer:
            writer.executemany(PUT_INDEX, [(stream, row.key, row.version, row.value) for row in rows])
            writer.executemany(PUT_MARK, [mark_row(stream, one) for one in marks])
            if quarters and not writer.execute(HAS_QUARTERS, (quarters[0].at, stream)).fetchone():
                writer.executemany(PUT_QUARTER, [quarter_row(stream, one) for one in quarters])

    # Other processes: none but commands that leave notes

    def listen(self, callback: Callable[[str, str], None]) -> Callable[[], None]:  # noqa: ARG002
        return lambda: None

    def lead(self, streams: Collection[str]) -> dict[str, int]:
        return dict.fromkeys(streams, 0)

    def resign(self) -> None: ...

    @contextlib.contextmanager
    def left_notes(self) -> Iterator[list[bytes]]:
        box = _notes_beside(self.path)
        if not box.exists() or not box.stat().st_size:
            yield []
            return
        with _opened(box) as file:
            yield os.read(file, os.fstat(file).st_size).splitlines()
            os.ftruncate(file, 0)

    def damage(self) -> Iterator[str]:
        return damaged(self._ask, STEPS, indexes=Path(self.path).stat().st_size <= LARGE)

    # Back-ups

    def fill(self, source: Source) -> int:
        if self.heads() or self.accounts():
            raise BadInput(f"{self.path} is not empty: restore into a new one")
        with self._lock:
            self._drop_writer()  # it would hold foreign keys against a back-up that the audit is to judge
            return _filled(self._connect(self.path, read_only=False), self.path, source)


class BesideServer(SqliteStore):
    """The accounts of a file that a server has open; SQLite lets one of the two write at a time.

    Streams are the server's alone: what is to be appended is left for it in a file beside the database.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path, read_only=True)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Connection]:
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
        with _opened(_notes_beside(self.path)) as file:
            os.write(file, note + b"\n")
            os.fsync(file)
        return True


class SqliteSnapshot(SqlSnapshot):
    EMPTY = "x''"
    POSTINGS = POSTINGS
    POSTINGS_ORDER = "seq, n"

    def __init__(self, where: str) -> None:
        if not Path(where).is_file():
            raise BadInput(f"there is no database {where}")
        self._connection = connect(where, read_only=True)
        try:
            self._connection.execute("PRAGMA query_only = ON")
            self._connection.execute("BEGIN")
            _schema_of(self._connection, where)  # from this look on it stands still
            found = self._connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            self.tables = frozenset(name for (name,) in found.fetchall())
        except (sqlite3.Error, UnicodeError) as error:
            self.close()
            raise BadInput(f"{where} is not a database of thirdcard, or it is damaged: {error}") from None
        except BaseException:
            self.close()
            raise

    def ask(self, sql: str, parameters: Row = ()) -> Iterator[Row]:
        try:
            # `yield from` would close the cursor in the end, and by then the connection may be closed.
            for row in self._connection.execute(sql, parameters):  # noqa: UP028
                yield row
        except (sqlite3.Error, UnicodeError) as error:
            raise StoreDown(f"the database cannot be read: {error}") from None

    def damage(self) -> Iterator[str]:
        yield from damaged(self.ask, STEPS)
        for _ in self.ask("SELECT 1 FROM postings WHERE seq NOT IN (SELECT seq FROM events) LIMIT 1"):
            yield "there are postings of no event"
        # Here the sequence has no gaps: it counts the events.
        for count, last in self.ask("SELECT count(*), coalesce(max(seq), 0) FROM events"):
            if count != last:
                yield f"the sequence of events comes to {last}, but there are {count}"

    def close(self) -> None:
        self._connection.close()


# What the module provides, beside the classes

open_store, open_snapshot, file_of = SqliteStore, SqliteSnapshot, Path


def open_beside(where: str) -> SqliteStore:
    """A file that a server has open is written to beside it."""
    if Path(where).is_file():
        with contextlib.suppress(BadInput):
            return SqliteStore(where)
        return BesideServer(where)
    return SqliteStore(where)


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
            for table, columns in COLUMNS.items():
                marks = ", ".join("?" for _ in columns.split(", "))
                sql = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
                if table == "postings":
                    place = "events WHERE stream = ? AND version = ?"
                    sql = f"INSERT INTO postings SELECT seq, ?, ?, ? FROM {place}"
                target.executemany(sql, _as_kept(table, source.rows(table)))
            target.execute(f"{PLAYED} value, at, stream, number FROM rounds, json_each(players)")
            _list_all(target)
            (events,) = target.execute("SELECT count(*) FROM events").fetchone()
            target.execute("COMMIT")
    except sqlite3.Error as error:
        raise BadInput(f"cannot write {path}: {error}") from None
    return int(events)


def _as_kept(table: str, rows: Iterable[list[Any]]) -> Iterator[list[Any]]:
    for place, row in enumerate(rows, start=1):
        if table == "events":
            row[0] = place
        elif table == "rounds":
            row[3] = msgspec.json.encode(row[3]).decode()
        elif table == "postings":
            row = [*row[2:], *row[:2]]  # noqa: PLW2901 - its event comes last
        yield row


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
        _list_all(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {len(STEPS)}")


def _notes_beside(path: str) -> Path:
    return Path(f"{path}.console")


@contextlib.contextmanager
def _opened(box: Path) -> Iterator[int]:
    """The file of what waits, for one process at a time."""
    file = open_private(box, adding=True)
    try:
        hold(file, wait=True)
        yield file
    finally:
        os.close(file)


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


def _find_answers(writer: Connection, appends: Sequence[Append]) -> dict[tuple[str, str], Answered]:
    """The answers that keys of these appends have been given before."""
    keys = [(answer.actor, answer.key) for append in appends for answer in append.answers]
    found = {}
    for first in range(0, len(keys), ASKED_AT_ONCE):
        asked = keys[first : first + ASKED_AT_ONCE]
        sql = FIND_ANSWERS.format(asked=", ".join(["(?, ?)"] * len(asked)))
        for actor, key, digest, answer in writer.execute(sql, list(chain.from_iterable(asked))).fetchall():
            found[actor, key] = Answered(actor=actor, key=key, digest=digest, answer=answer)
    return found


def _find_wallets(writer: Connection, appends: Sequence[Append]) -> dict[str, int]:
    """The versions of the wallets that these appends move."""
    names = [one.after.name for append in appends for one in append.wallets]
    if not names:
        return {}
    sql = FIND_WALLETS.format(names=", ".join("?" * len(names)))
    return dict(writer.execute(sql, names).fetchall())


def _write_rounds(writer: Connection, rounds: Iterable[tuple[str, RoundRow]]) -> None:
    """Rounds for recall, with the lists and sums of who played in them."""
    tallies = Tallies()
    for stream, row in rounds:
        old = writer.execute(FIND_ROUND, (stream, row.number)).fetchone()
        times = _drop_round(writer, stream, as_round(old), tallies) if old else {}
        players_text = msgspec.json.encode(row.players).decode()
        writer.execute(PUT_ROUND, (stream, row.number, row.at, players_text, row.body))
        writer.executemany(PUT_PLAYER, [(player, row.at, stream, row.number) for player in row.players])
        _list_round(writer, stream, row, tallies, times)
    writer.executemany(PUT_TALLY, tallies.rows())


def _list_round(
    writer: Connection, stream: str, row: RoundRow, tallies: Tallies, times: dict[str, int]
) -> None:
    """Put a round into its players' lists and sums; `times`: what it has counted for before."""
    for one in results_of(row):
        if one.player not in times:
            (last,) = writer.execute(FIND_LAST, (one.player,)).fetchone()
            times[one.player] = time_of(one.at, last or 0)
        time = times[one.player]
        tallies.add(one, time)
        writer.executemany(PUT_RESULT, [(*made, time) for made in listed(stream, [one])])


def _drop_round(writer: Connection, stream: str, old: RoundRow, tallies: Tallies) -> dict[str, int]:
    """Take a round out of all lists and sums; what it counted for in time, by player."""
    writer.executemany(DROP_PLAYER, [(player, old.at, stream, old.number) for player in old.players])
    times = {}
    for one in results_of(old):
        found = writer.execute(FIND_TIME, (one.player, one.at, stream, one.number)).fetchone()
        times[one.player] = found[0] if found else 0
        tallies.add(one, times[one.player], -1)
        writer.executemany(DROP_RESULT, [made[:5] for made in listed(stream, [one])])
    return times


def _list_all(writer: Connection) -> None:
    """The lists and sums of all rounds there are, from nothing."""
    tallies = Tallies()
    for stream, *row in writer.execute(
        f"SELECT stream, {ROUND} FROM rounds ORDER BY at, stream, number"
    ).fetchall():
        _list_round(writer, stream, as_round(row), tallies, {})
    writer.executemany(PUT_TALLY, tallies.rows())
