"""A store for more than one process: PostgreSQL, by address.

Streams are locked row by row for the time of a commit, and the keys of answers are unique: the process that
is first has the effect, and the others are told so. What is committed is told on the channel `thirdcard`.
"""
# ruff: noqa: S608 - what is put into a statement's text are our own lists of columns

import contextlib
import logging
import select
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, LiteralString

import psycopg
from psycopg import conninfo, errors

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
from thirdcard.service.log.store.postgres_sql import (
    CHANNEL,
    DROP_PLAYERS,
    FIND_ANSWERS,
    FIND_SCHEMA,
    LOCK_OF,
    LOCK_STREAMS,
    NEW_STREAMS,
    NOTIFY,
    PUT_ANSWERS,
    PUT_EVENTS,
    PUT_HEADS,
    PUT_PLAYERS,
    PUT_POSTINGS,
    PUT_ROUND,
    PUT_SHOE,
    SCHEMA,
    VERSION,
)
from thirdcard.service.log.store.rows import (
    ACCOUNT,
    RECORD,
    ROUND,
    SESSION,
    Judged,
    Row,
    as_account,
    as_record,
    as_round,
    as_session,
    fold,
    judge,
)

TRIES = 10  # of a commit that meets another one
PAUSE = 0.2  # seconds between two tries to reach a server that is down

# A server or a client that has gone is noticed within five seconds, from both ends.
CLIENT = {
    "connect_timeout": 3,
    "keepalives": 1,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 2,
    "tcp_user_timeout": 4000,
    "application_name": "thirdcard",
}
SERVER = {
    "search_path": "thirdcard",
    "synchronous_commit": "on",
    "tcp_keepalives_idle": "2",
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": "2",
    "tcp_user_timeout": "4000",
    "idle_in_transaction_session_timeout": "4000",
    "lock_timeout": "5000",
}

# What may be said of a failure to connect. The driver's own words may hold parts of the address, and so of a
# password that was not written as an address wants it.
_TELLING = (
    "Connection refused",
    "timeout expired",
    "No such file or directory",
    "failed to resolve host",
    "could not translate host name",
    "password authentication failed",
    "no password supplied",
    "database system is starting up",
    "database system is shutting down",
    "too many clients",
    "does not exist",
    "SSL",
)

Connection = psycopg.Connection[tuple[Any, ...]]
Callback = Callable[[str, str], None]
logger = logging.getLogger(__name__)


class PostgresStore:
    """Lost connections are made anew by the next call; a call that they break off says StoreDown."""

    shared = True

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self._address = _address(url)
        self._settings = SERVER | {"default_transaction_read_only": "on" if read_only else "off"}
        self._lock = threading.RLock()
        self._writer: Connection | None = None
        self._readers: deque[Connection] = deque()
        self._lead_lock = threading.Lock()
        self._leader: Connection | None = None
        self._leading: set[str] = set()
        self._listeners: list[Callable[[], None]] = []
        try:
            if not read_only:
                self._make_schema()
            self._check()
        except BaseException:
            self.close()
            raise

    def _make_schema(self) -> None:
        """Several processes may start at once: the first makes it."""
        with self._writing() as writer:
            writer.execute("SELECT pg_advisory_xact_lock(hashtextextended('thirdcard schema', 0))")
            if _only(writer.execute(FIND_SCHEMA)) is None:
                writer.execute(SCHEMA)
                writer.execute("INSERT INTO about VALUES (%s)", (VERSION,))

    def _check(self) -> None:
        if self._ask(FIND_SCHEMA) == [(None,)]:
            raise BadInput("the database holds nothing of thirdcard")
        version = self._ask_one("SELECT version FROM about")[0]
        if version > VERSION:
            raise BadInput(f"the database was written by a newer thirdcard: it has schema {version}")

    def close(self) -> None:
        for stop in self._listeners:
            stop()
        for stream in list(self._leading):
            self.resign(stream)  # the server might take a while to see that the connection has gone
        with self._lock, self._lead_lock:
            self._drop_writer()
            self._drop_leader()
            while self._readers:
                self._readers.pop().close()

    # Connections

    def _open(self, *, autocommit: bool) -> Connection:
        try:
            connection = psycopg.connect(**self._address, autocommit=True)
        except psycopg.Error as error:
            why = next((words for words in _TELLING if words in str(error)), "no connection")
            raise StoreDown(f"the PostgreSQL server cannot be used: {why}") from None
        settings = ", ".join(
            f"set_config('{name}', '{value}', false)" for name, value in self._settings.items()
        )
        return self._begin(connection, f"SELECT {settings}", autocommit=autocommit)

    def _begin(
        self, connection: Connection, statement: LiteralString, *, autocommit: bool = True
    ) -> Connection:
        with _faults():
            try:
                connection.execute(statement)
                connection.autocommit = autocommit
            except BaseException:
                connection.close()
                raise
        return connection

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Connection]:
        """The writer; its transaction is durable afterwards, or rolled back, or lost with the connection."""
        with self._lock, _faults():
            if self._writer is None or not _alive(self._writer):
                self._drop_writer()
                self._writer = self._open(autocommit=False)
            try:
                yield self._writer
                self._writer.commit()
            except (psycopg.OperationalError, psycopg.InterfaceError):
                self._drop_writer()
                raise
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        try:
            if self._writer is not None:
                self._writer.rollback()
        except psycopg.Error:
            self._drop_writer()

    def _drop_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _ask(self, sql: LiteralString, parameters: Row = ()) -> list[Any]:
        """Rows from a reader; there are as many readers as have ever asked at once."""
        reader = None
        while reader is None or not _alive(reader):
            if reader is not None:
                reader.close()
            try:
                reader = self._readers.pop()
            except IndexError:
                reader = self._open(autocommit=True)
        with _faults():
            try:
                rows = reader.execute(sql, parameters).fetchall()
            except BaseException:
                reader.close()
                raise
        self._readers.append(reader)
        return rows

    def _ask_one(self, sql: LiteralString, parameters: Row = ()) -> Any:  # noqa: ANN401 - a row, or none
        rows = self._ask(sql, parameters)
        return rows[0] if rows else None

    # Streams

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        for _ in range(TRIES):
            with contextlib.suppress(_Met):
                return self._commit(appends)
        raise StoreDown("too many commits meet each other")

    def _commit(self, appends: Sequence[Append]) -> list[Result]:
        """Two round trips: lock and look, then write.

        An answer that another process gave since the look is a key that is taken: the commit is undone, and
        finds that answer at its next try.
        """
        with self._writing() as writer:
            try:
                heads, answers = _look(writer, appends)
                judged = judge(appends, heads, answers.get)
                _write(writer, judged)
            except errors.UniqueViolation as error:
                if error.diag.constraint_name == "answers_pkey":
                    raise _Met from None
                raise
            except (errors.DeadlockDetected, errors.SerializationFailure):
                raise _Met from None
        return judged.results

    def heads(self) -> dict[str, Head]:
        rows = self._ask("SELECT stream, version, head FROM streams WHERE version > 0")
        return {stream: Head(version, head) for stream, version, head in rows}

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
        rows = self._ask(
            f"SELECT {RECORD} FROM events WHERE stream = %s AND version > %s ORDER BY version LIMIT %s",
            (stream, after, limit),
        )
        return [as_record(row) for row in rows]

    def read_round(self, stream: str, number: int) -> list[Record]:
        rows = self._ask(
            f"SELECT {RECORD} FROM events WHERE stream = %s AND round = %s ORDER BY version", (stream, number)
        )
        return [as_record(row) for row in rows]

    def entries(self, stream: str) -> list[Entry]:
        rows = self._ask(
            "SELECT version, account, cents FROM postings WHERE stream = %s ORDER BY version, n", (stream,)
        )
        return [Entry(*row) for row in rows]

    def answered(self, actor: str, key: str) -> Answered | None:
        row = self._ask_one("SELECT digest, answer FROM answers WHERE actor = %s AND key = %s", (actor, key))
        return row and Answered(actor=actor, key=key, digest=row[0], answer=row[1])

    def rounds(self, stream: str, *, before: int | None = None, limit: int = 100) -> list[RoundRow]:
        rows = self._ask(
            f"SELECT {ROUND} FROM rounds WHERE stream = %s AND (%s::bigint IS NULL OR number < %s)"
            " ORDER BY number DESC LIMIT %s",
            (stream, before, before, limit),
        )
        return [as_round(row) for row in rows]

    def round(self, stream: str, number: int) -> RoundRow | None:
        row = self._ask_one(f"SELECT {ROUND} FROM rounds WHERE stream = %s AND number = %s", (stream, number))
        return row and as_round(row)

    def rounds_of(
        self, player: str, *, before: tuple[int, str, int] | None = None, limit: int = 100
    ) -> list[tuple[str, RoundRow]]:
        rows = self._ask(
            "SELECT p.stream, p.number, p.at, r.players, r.body"
            " FROM round_players p JOIN rounds r USING (stream, number)"
            " WHERE p.player = %s AND (p.at, p.stream, p.number) < (%s, %s, %s)"
            " ORDER BY p.at DESC, p.stream DESC, p.number DESC LIMIT %s",
            (player, *(before or (2**63 - 1, "", 0)), limit),
        )
        return [(stream, as_round(row)) for stream, *row in rows]

    def shoe(self, stream: str, number: int) -> bytes | None:
        row = self._ask_one("SELECT sealed FROM shoes WHERE stream = %s AND number = %s", (stream, number))
        return None if row is None else bytes(row[0])

    def significant(self, *, before: int | None = None, limit: int = 100) -> list[tuple[int, Record]]:
        rows = self._ask(
            f"SELECT seq, {RECORD} FROM events WHERE flag <> '' AND (%s::bigint IS NULL OR seq < %s)"
            " ORDER BY seq DESC LIMIT %s",
            (before, before, limit),
        )
        return [(seq, as_record(row)) for seq, *row in rows]

    # People

    def account(self, name: str) -> Account | None:
        row = self._ask_one(f"SELECT {ACCOUNT} FROM accounts WHERE key = %s", (fold(name),))
        return row and as_account(row)

    def accounts(self) -> list[Account]:
        return [as_account(row) for row in self._ask(f"SELECT {ACCOUNT} FROM accounts ORDER BY key")]

    def add_account(self, account: Account) -> bool:
        with self._writing() as writer:
            added = writer.execute(
                "INSERT INTO accounts VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                (fold(account.name), *_account_row(account)),
            )
            _tell(writer, [f"account {account.name}"] * added.rowcount)
        return added.rowcount == 1

    def change_account(self, account: Account) -> None:
        with self._writing() as writer:
            changed = writer.execute(
                f"UPDATE accounts SET ({ACCOUNT}) = (%s, %s, %s, %s, %s, %s, %s) WHERE key = %s",
                (*_account_row(account), fold(account.name)),
            )
            if not changed.rowcount:
                raise KeyError(account.name)
            _tell(writer, [f"account {account.name}"])

    def session(self, token_hash: bytes) -> Session | None:
        row = self._ask_one(f"SELECT {SESSION} FROM sessions WHERE token_hash = %s", (token_hash,))
        return row and as_session(row)

    def put_session(self, session: Session) -> None:
        with self._writing() as writer:
            writer.execute(
                "INSERT INTO sessions VALUES (%s, %s, %s, %s, %s) ON CONFLICT (token_hash) DO UPDATE"
                " SET account = excluded.account, created = excluded.created, seen = excluded.seen,"
                " account_key = excluded.account_key",
                (session.token_hash, session.account, session.created, session.seen, fold(session.account)),
            )

    def touch_session(self, token_hash: bytes, seen: int) -> bool:
        """False if the session has gone: it is not brought back."""
        with self._writing() as writer:
            sql = "UPDATE sessions SET seen = %s WHERE token_hash = %s"
            return writer.execute(sql, (seen, token_hash)).rowcount == 1

    def drop_session(self, token_hash: bytes) -> None:
        self._drop("token_hash = %s", (token_hash,))

    def drop_sessions(self, *, account: str | None = None, seen_before: int | None = None) -> None:
        key = None if account is None else fold(account)
        self._drop("account_key = %s OR seen < %s", (key, seen_before))

    def _drop(self, which: LiteralString, parameters: Row) -> None:
        with self._writing() as writer:
            gone = writer.execute(f"DELETE FROM sessions WHERE {which} RETURNING token_hash", parameters)
            _tell(writer, [f"session {token_hash.hex()}" for (token_hash,) in gone])

    # Other processes

    def listen(self, callback: Callback) -> Callable[[], None]:
        """Call back, from a thread of its own, with topic and text of all that is committed from now on.

        The topics: `stream` (its name and version), `session` (its hash in hex, when dropped), `account` (its
        name, when changed), and `lost`: the connection was away and is back, anything may have happened.
        """
        wake, sleeper = socket.socketpair()
        thread = threading.Thread(
            target=self._listen,
            args=(self._listening(), sleeper, callback),
            name="thirdcard-listen",
            daemon=True,
        )
        thread.start()

        def stop() -> None:
            wake.close()
            if thread is not threading.current_thread():
                thread.join()

        self._listeners.append(stop)
        return stop

    def _listening(self) -> Connection:
        return self._begin(self._open(autocommit=True), f"LISTEN {CHANNEL}")

    def _listen(self, connection: Connection, sleeper: socket.socket, callback: Callback) -> None:
        with sleeper:
            while not _pass_on(connection, sleeper.fileno(), callback):
                lost = True
                while lost:
                    if _readable(sleeper.fileno(), wait=PAUSE):
                        return
                    with contextlib.suppress(StoreDown):
                        connection = self._listening()
                        lost = False
                _call(callback, "lost", "")

    def lead(self, stream: str) -> bool:
        """Whether this process leads: at most one does, and it goes on to while its connection lives."""
        with self._lead_lock, _faults():
            for last_try in (False, True):
                if self._leader is None or not _alive(self._leader):
                    self._drop_leader()
                    self._leader = self._open(autocommit=True)
                try:
                    return self._lead(self._leader, stream)
                except psycopg.Error:
                    self._drop_leader()
                    if last_try:
                        raise
        raise AssertionError

    def _lead(self, leader: Connection, stream: str) -> bool:
        if stream in self._leading:
            leader.execute("SELECT 1")
        elif _only(leader.execute(f"SELECT pg_try_advisory_lock({LOCK_OF})", (stream,))):
            self._leading.add(stream)
        return stream in self._leading

    def resign(self, stream: str) -> None:
        with self._lead_lock:
            if stream in self._leading and self._leader is not None:
                self._leading.discard(stream)
                try:
                    self._leader.execute(f"SELECT pg_advisory_unlock({LOCK_OF})", (stream,))
                except psycopg.Error:
                    self._drop_leader()  # and every lock with it

    def _drop_leader(self) -> None:
        self._leading.clear()
        if self._leader is not None:
            self._leader.close()
            self._leader = None


class _Met(Exception):  # noqa: N818 - not a fault
    """Another process was first in a way that only the next look can see."""


def _address(url: str) -> dict[str, Any]:
    """The parts of an address; where it does not say otherwise, with what notices a lost server."""
    try:
        return CLIENT | conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        raise BadInput(
            "that is not a PostgreSQL address: postgresql://USER:PASSWORD@HOST/DATABASE is one,"
            " with %40 for an @ in the password and the like"
        ) from None


@contextlib.contextmanager
def _faults() -> Iterator[None]:
    """Say what is wrong in the store's words, without the driver's."""
    try:
        yield
    except errors.DiskFull:
        raise StoreFull("there is no room where PostgreSQL keeps its data") from None
    except (psycopg.IntegrityError, psycopg.DataError) as error:
        raise ValueError(f"the store cannot hold that ({error.sqlstate})") from None
    except psycopg.Error as error:
        raise StoreDown(f"PostgreSQL broke off ({error.sqlstate or 'the connection is lost'})") from None


def _alive(connection: Connection) -> bool:
    """Nothing comes unasked on an idle connection but its end."""
    return not connection.closed and not _readable(connection.fileno(), wait=0)


def _readable(*numbers: int, wait: float | None = None, also: int = 0) -> list[int]:
    """Those of the sockets that have something to read; `select` itself stops at the thousandth."""
    poll = select.poll()
    for number in numbers:
        poll.register(number, select.POLLIN | also)
    return [number for number, _ in poll.poll(None if wait is None else wait * 1000)]


def _only(cursor: psycopg.Cursor[tuple[Any, ...]]) -> Any:  # noqa: ANN401 - the one value of the one row
    row = cursor.fetchone()
    return row[0] if row else None


def _look(
    writer: Connection, appends: Sequence[Append]
) -> tuple[dict[str, Head], dict[tuple[str, str], Answered]]:
    """Lock the streams, in one order for everybody, and see where they end and what was answered."""
    new = sorted({append.stream for append in appends if append.records and append.expected == 0})
    streams = sorted({append.stream for append in appends if append.records})
    asked = [answer for append in appends for answer in append.answers]
    with _pipelined(writer):
        if new:
            writer.execute(NEW_STREAMS, (new,))
        heads = writer.execute(LOCK_STREAMS, (streams,))
        answers = writer.execute(FIND_ANSWERS, ([a.actor for a in asked], [a.key for a in asked]))
    return (
        {stream: Head(version, head) for stream, version, head in heads},
        {
            (actor, key): Answered(actor=actor, key=key, digest=digest, answer=answer)
            for actor, key, digest, answer in answers
        },
    )


def _write(writer: Connection, judged: Judged) -> None:
    """Write the appends table by table, in one round trip with the commit."""
    good, heads = judged.good, judged.heads
    records = [record for append in good for record in append.records]
    postings = [
        (append.stream, entry.version, n, entry.account, entry.cents)
        for append in good
        for n, entry in enumerate(append.entries)
    ]
    answers = sorted((a.actor, a.key, a.digest, a.answer) for append in good for a in append.answers)
    with _pipelined(writer, then=writer.commit):
        if records:
            ends = heads.values()
            writer.execute(
                PUT_HEADS, (list(heads), [head.version for head in ends], [head.hash for head in ends])
            )
            writer.execute(PUT_EVENTS, _columns([_record_row(record) for record in records]))
            _tell(writer, [f"stream {stream} {head.version}" for stream, head in heads.items()])
        if postings:
            writer.execute(PUT_POSTINGS, _columns(postings))
        if answers:
            writer.execute(PUT_ANSWERS, _columns(answers))
        for append in good:
            for row in append.rounds:
                writer.execute(DROP_PLAYERS, (append.stream, row.number))
                writer.execute(PUT_ROUND, (append.stream, row.number, row.at, list(row.players), row.body))
                writer.execute(PUT_PLAYERS, (row.at, append.stream, row.number, list(row.players)))
            for shoe in append.shoes:
                writer.execute(PUT_SHOE, (append.stream, shoe.number, shoe.sealed))


@contextlib.contextmanager
def _pipelined(writer: Connection, then: Callable[[], None] | None = None) -> Iterator[None]:
    """Statements in one round trip.

    The driver waits for answers even if it has not yet sent all that was asked, and would wait forever: so
    everything is sent before it begins to wait.
    """
    with writer.pipeline():
        yield
        while writer.pgconn.flush():
            _readable(writer.fileno(), also=select.POLLOUT)
            writer.pgconn.consume_input()
        if then is not None:
            then()


def _tell(writer: Connection, told: list[str]) -> None:
    if told:
        writer.execute(NOTIFY, (told,))


def _columns(rows: Sequence[Row]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _record_row(r: Record) -> Row:
    return r.stream, r.version, r.at, r.by, r.name, r.schema, r.round, r.flag, r.body, r.hash


def _account_row(account: Account) -> Row:
    return (
        account.name,
        account.role,
        account.password,
        account.created,
        account.disabled,
        account.failures,
        account.locked_until,
    )


def _pass_on(connection: Connection, sleeper: int, callback: Callback) -> bool:
    """Call back with what comes, until there is something on the other socket; False if it ended before."""
    try:
        while True:
            for told in connection.notifies(timeout=0):
                topic, _, text = told.payload.partition(" ")
                _call(callback, topic, text)
            if sleeper in _readable(connection.fileno(), sleeper):
                return True
    except psycopg.Error:
        return False
    finally:
        connection.close()


def _call(callback: Callback, topic: str, text: str) -> None:
    """A callback that fails must not end the listening."""
    try:
        callback(topic, text)
    except Exception:
        logger.exception("a listener failed")
