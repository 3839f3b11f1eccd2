"""The embedded default: one SQLite file, durable at every commit.

WAL with `synchronous=FULL` syncs the log before a commit is answered. One process at a time serves a file.
"""
# ruff: noqa: S608 - what is put into a statement's text are our own lists of columns

import contextlib
import fcntl
import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.log.store.model import (
    Account,
    Answered,
    Append,
    Entry,
    Head,
    Record,
    Result,
    RoundRow,
    Session,
    StoreDown,
    StoreFull,
)
from thirdcard.service.log.store.rows import (
    ACCOUNT,
    RECORD,
    ROUND,
    SESSION,
    Row,
    as_account,
    as_record,
    as_round,
    as_session,
    fold,
    judge,
)

APPLICATION = 0x33726443  # "3rdC" in the file's header
VERSION = 1
BUSY_MS = 5000

# Postings hang on the event's place in the sequence, so that they come to the end of their table whatever the
# stream, and answers have row numbers for the same end: a commit over many streams writes fewer pages.
SCHEMA = """
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

PUT_HEAD = """INSERT INTO streams VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET version = excluded.version, head = excluded.head"""
PUT_EVENT = f"INSERT INTO events (seq, {RECORD}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
PUT_POSTING = "INSERT INTO postings VALUES (?, ?, ?, ?)"
PUT_ANSWER = "INSERT INTO answers VALUES (?, ?, ?, ?)"
FIND_ANSWER = "SELECT digest, answer FROM answers WHERE actor = ? AND key = ?"
FIND_PLAYERS = "SELECT at, players FROM rounds WHERE stream = ? AND number = ?"
DROP_PLAYER = "DELETE FROM round_players WHERE player = ? AND at = ? AND stream = ? AND number = ?"
PUT_ROUND = """INSERT INTO rounds VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET at = excluded.at, players = excluded.players, body = excluded.body"""
PUT_PLAYER = "INSERT INTO round_players VALUES (?, ?, ?, ?)"
PUT_SHOE = "INSERT INTO shoes VALUES (?, ?, ?)"

_LAST = 2**63 - 1
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


def connect(path: str, *, read_only: bool) -> Connection:
    mode = "ro" if read_only else "rw"
    return sqlite3.connect(
        f"{Path(path).absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_MS / 1000,
        isolation_level=None,
        check_same_thread=False,
    )


class SqliteStore:
    """A commit is on the disk when it returns (with `synchronous` NORMAL it is not: a test shows that).

    Heads are remembered, not looked up: the lock on the file keeps other writers out.
    """

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
            self._check()
            if not read_only:
                self._open_writer()
        except sqlite3.DatabaseError as error:
            self.close()
            if _code(error) in _NOT_OURS:
                raise BadInput(
                    f"{self.path} is not a database of thirdcard, or it is damaged: {error}"
                ) from error
            raise BadInput(f"cannot open {self.path}: {error}") from error
        except BaseException:
            self.close()
            raise

    # Opening and closing

    def _check(self) -> None:
        with contextlib.closing(self._connect(self.path, read_only=self._held is None)) as connection:
            application, version, tables = connection.execute(
                "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)"
                " FROM pragma_application_id, pragma_user_version"
            ).fetchone()
            if application == 0 and tables == 0 and self._held is not None:
                self._make_schema(connection)
            elif application != APPLICATION:
                raise BadInput(f"{self.path} is a database, but not one of thirdcard")
            elif version > VERSION:
                raise BadInput(
                    f"{self.path} was written by a newer thirdcard: it has schema {version}, not {VERSION}"
                )

    def _make_schema(self, connection: Connection) -> None:
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("BEGIN IMMEDIATE")
        for statement in SCHEMA.split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")

    def _open_writer(self) -> Connection:
        writer = self._connect(self.path, read_only=False)
        for pragma in ("journal_mode = WAL", f"synchronous = {self._synchronous}", "foreign_keys = ON"):
            writer.execute(f"PRAGMA {pragma}").fetchall()
        self._heads = {
            stream: Head(version, head)
            for stream, version, head in writer.execute("SELECT * FROM streams").fetchall()
        }
        self._seq = writer.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0]
        self._writer = writer
        return writer

    def close(self) -> None:
        with self._lock:
            while self._readers:
                self._readers.pop().close()
            if self._writer is not None:
                self._writer.close()
                self._writer = None
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
        # After a failed sync nobody knows what the disk holds: what is remembered is read anew.
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        return StoreDown(f"{self.path} cannot be used: {error}")

    def _ask(self, sql: str, parameters: Row = ()) -> list[Any]:
        """Rows from a reader; there are as many readers as have ever asked at once."""
        try:
            reader = self._readers.pop()
        except IndexError:
            reader = self._open_reader()
        try:
            rows = reader.execute(sql, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            reader.close()
            raise StoreDown(f"{self.path} cannot be read: {error}") from error
        self._readers.append(reader)
        return rows

    def _open_reader(self) -> Connection:
        try:
            reader = self._connect(self.path, read_only=self._held is None)
            reader.execute("PRAGMA query_only = ON")
        except sqlite3.DatabaseError as error:
            raise StoreDown(f"{self.path} cannot be read: {error}") from error
        return reader

    def _ask_one(self, sql: str, parameters: Row = ()) -> Any:  # noqa: ANN401 - a row, or none
        rows = self._ask(sql, parameters)
        return rows[0] if rows else None

    # Streams

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        with self._transaction() as writer:

            def answered(key: tuple[str, str]) -> Answered | None:
                row = writer.execute(FIND_ANSWER, key).fetchone()
                return row and Answered(actor=key[0], key=key[1], digest=row[0], answer=row[1])

            judged = judge(appends, self._heads, answered)
            seq = self._write(writer, judged.good, judged.heads)
        self._heads.update(judged.heads)
        self._seq = seq
        return judged.results

    def _write(self, writer: Connection, good: Sequence[Append], heads: dict[str, Head]) -> int:
        """Write the appends table by table; the place of the last event in the sequence."""
        seq = self._seq
        events: list[Row] = []
        postings: list[Row] = []
        answers: list[Row] = []
        for append in good:
            before = seq - append.expected
            for r in append.records:
                seq += 1
                events.append(
                    (seq, r.stream, r.version, r.at, r.by, r.name, r.schema, r.round, r.flag, r.body, r.hash)
                )
            for n, entry in enumerate(append.entries):
                postings.append((before + entry.version, n, entry.account, entry.cents))
            answers += [(a.actor, a.key, a.digest, a.answer) for a in append.answers]
        writer.executemany(PUT_HEAD, [(stream, head.version, head.hash) for stream, head in heads.items()])
        writer.executemany(PUT_EVENT, events)
        writer.executemany(PUT_POSTING, postings)
        writer.executemany(PUT_ANSWER, answers)
        for append in good:
            for row in append.rounds:
                _write_round(writer, append.stream, row)
            for shoe in append.shoes:
                writer.execute(PUT_SHOE, (append.stream, shoe.number, shoe.sealed))
        return seq

    def heads(self) -> dict[str, Head]:
        rows = self._ask("SELECT stream, version, head FROM streams")
        return {stream: Head(version, head) for stream, version, head in rows}

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
        rows = self._ask(
            f"SELECT {RECORD} FROM events WHERE stream = ? AND version > ? ORDER BY version LIMIT ?",
            (stream, after, -1 if limit is None else limit),
        )
        return [as_record(row) for row in rows]

    def read_round(self, stream: str, number: int) -> list[Record]:
        rows = self._ask(
            f"SELECT {RECORD} FROM events WHERE stream = ? AND round = ? ORDER BY seq", (stream, number)
        )
        return [as_record(row) for row in rows]

    def entries(self, stream: str) -> list[Entry]:
        rows = self._ask(
            "SELECT version, account, cents FROM events JOIN postings USING (seq) WHERE stream = ?"
            " ORDER BY version, n",
            (stream,),
        )
        return [Entry(*row) for row in rows]

    def answered(self, actor: str, key: str) -> Answered | None:
        row = self._ask_one(FIND_ANSWER, (actor, key))
        return row and Answered(actor=actor, key=key, digest=row[0], answer=row[1])

    def rounds(self, stream: str, *, before: int | None = None, limit: int = 100) -> list[RoundRow]:
        rows = self._ask(
            f"SELECT {ROUND} FROM rounds WHERE stream = ? AND number < ? ORDER BY number DESC LIMIT ?",
            (stream, _LAST if before is None else before, limit),
        )
        return [_as_round(row) for row in rows]

    def round(self, stream: str, number: int) -> RoundRow | None:
        row = self._ask_one(f"SELECT {ROUND} FROM rounds WHERE stream = ? AND number = ?", (stream, number))
        return row and _as_round(row)

    def rounds_of(
        self, player: str, *, before: tuple[int, str, int] | None = None, limit: int = 100
    ) -> list[tuple[str, RoundRow]]:
        rows = self._ask(
            "SELECT p.stream, p.number, p.at, r.players, r.body"
            " FROM round_players p JOIN rounds r USING (stream, number)"
            " WHERE p.player = ? AND (p.at, p.stream, p.number) < (?, ?, ?)"
            " ORDER BY p.at DESC, p.stream DESC, p.number DESC LIMIT ?",
            (player, *(before or (_LAST, "", 0)), limit),
        )
        return [(stream, _as_round(row)) for stream, *row in rows]

    def shoe(self, stream: str, number: int) -> bytes | None:
        row = self._ask_one("SELECT sealed FROM shoes WHERE stream = ? AND number = ?", (stream, number))
        return None if row is None else bytes(row[0])

    def significant(self, *, before: int | None = None, limit: int = 100) -> list[tuple[int, Record]]:
        rows = self._ask(
            f"SELECT seq, {RECORD} FROM events INDEXED BY events_significant"
            " WHERE flag <> '' AND seq < ? ORDER BY seq DESC LIMIT ?",
            (_LAST if before is None else before, limit),
        )
        return [(seq, as_record(row)) for seq, *row in rows]

    # People

    def account(self, name: str) -> Account | None:
        row = self._ask_one(f"SELECT {ACCOUNT} FROM accounts WHERE key = ?", (fold(name),))
        return row and as_account(row)

    def accounts(self) -> list[Account]:
        return [as_account(row) for row in self._ask(f"SELECT {ACCOUNT} FROM accounts ORDER BY key")]

    def add_account(self, account: Account) -> bool:
        with self._transaction() as writer:
            sql = "INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1"
            return bool(writer.execute(sql, (fold(account.name), *_account_row(account))).fetchall())

    def change_account(self, account: Account) -> None:
        with self._transaction() as writer:
            sql = f"UPDATE accounts SET ({ACCOUNT}) = (?, ?, ?, ?, ?, ?, ?) WHERE key = ? RETURNING 1"
            if not writer.execute(sql, (*_account_row(account), fold(account.name))).fetchall():
                raise KeyError(account.name)

    def session(self, token_hash: bytes) -> Session | None:
        row = self._ask_one(f"SELECT {SESSION} FROM sessions WHERE token_hash = ?", (token_hash,))
        return row and as_session(row)

    def put_session(self, session: Session) -> None:
        with self._transaction() as writer:
            writer.execute(
                "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?)",
                (session.token_hash, session.account, session.created, session.seen, fold(session.account)),
            )

    def touch_session(self, token_hash: bytes, seen: int) -> bool:
        """False if the session has gone: it is not brought back."""
        with self._transaction() as writer:
            sql = "UPDATE sessions SET seen = ? WHERE token_hash = ? RETURNING 1"
            return bool(writer.execute(sql, (seen, token_hash)).fetchall())

    def drop_session(self, token_hash: bytes) -> None:
        with self._transaction() as writer:
            writer.execute("DELETE FROM sessions WHERE token_hash = ?", (token_hash,))

    def drop_sessions(self, *, account: str | None = None, seen_before: int | None = None) -> None:
        with self._transaction() as writer:
            writer.execute(
                "DELETE FROM sessions WHERE account_key = ? OR seen < ?",
                (None if account is None else fold(account), seen_before),
            )

    # Other processes: there are none

    def listen(self, callback: Callable[[str, str], None]) -> Callable[[], None]:  # noqa: ARG002
        return lambda: None

    def lead(self, stream: str) -> bool:  # noqa: ARG002
        return True

    def resign(self, stream: str) -> None: ...


def _open_private(path: str) -> int:
    """Open a file, made for its owner alone; SQLite gives its own files beside it the same mode."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise BadInput(f"cannot open {path}: {error.strerror}") from error


def _hold(path: str) -> int:
    """Keep other processes from serving the same file; the system lets go of it when this one ends."""
    lock = _open_private(f"{path}.lock")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise BadInput(f"{path} is in use: another process serves it") from error
    return lock


def _code(error: sqlite3.DatabaseError) -> int:
    return getattr(error, "sqlite_errorcode", 0)


def _write_round(writer: Connection, stream: str, row: RoundRow) -> None:
    old = writer.execute(FIND_PLAYERS, (stream, row.number)).fetchone()
    if old:
        players = msgspec.json.decode(old[1])
        writer.executemany(DROP_PLAYER, [(player, old[0], stream, row.number) for player in players])
    players_text = msgspec.json.encode(row.players).decode()
    writer.execute(PUT_ROUND, (stream, row.number, row.at, players_text, row.body))
    writer.executemany(PUT_PLAYER, [(player, row.at, stream, row.number) for player in row.players])


def _as_round(row: Row) -> RoundRow:
    number, at, players, body = row
    return as_round((number, at, msgspec.json.decode(players), body))


def _account_row(account: Account) -> Row:
    return (
        account.name,
        account.role,
        account.password,
        account.created,
        int(account.disabled),
        account.failures,
        account.locked_until,
    )
