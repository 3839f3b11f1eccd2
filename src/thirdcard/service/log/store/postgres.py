"""A store for more than one process: PostgreSQL, by address.

Streams are locked row by row for the time of a commit, and the keys of answers are unique: the process that
is first has the effect, and the others are told so. What is committed is told on the channel `thirdcard`.
"""

import contextlib
import itertools
import logging
import select
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import psycopg
from psycopg import IsolationLevel, errors

from thirdcard.errors import BadInput
from thirdcard.service.log.store.model import (
    Answered,
    Append,
    Head,
    IndexRow,
    Record,
    Result,
    Source,
    StoreDown,
)
from thirdcard.service.log.store.postgres_connection import (
    Connection,
    address_of,
    alive,
    begun,
    faults,
    opened,
    place_of,
    readable,
)
from thirdcard.service.log.store.postgres_sql import (
    CHANNEL,
    DROP_PLAYERS,
    FIND_ANSWERS,
    FIND_SCHEMA,
    LAST_PLACE,
    LOCK_OF,
    LOCK_SCHEMA,
    LOCK_STREAMS,
    NEW_STREAMS,
    NOTIFY,
    PUT_ANSWERS,
    PUT_CHECKPOINT,
    PUT_EVENTS,
    PUT_HEADS,
    PUT_INDEX,
    PUT_PLAYERS,
    PUT_POSTINGS,
    PUT_ROUND,
    PUT_SHOE,
    PUT_TEXT,
    STEPS,
    TABLES,
)
from thirdcard.service.log.store.rows import COLUMNS, Judged, Row, as_heads, judge
from thirdcard.service.log.store.sql import PLAYED, SqlSnapshot, SqlStore, Telling

TRIES = 10  # of a commit that meets another one
PAUSE = 0.2  # seconds between two tries to reach a server that is down
FETCHED = 1_000  # rows of a snapshot at a time

Callback = Callable[[str, str], None]
logger = logging.getLogger(__name__)


class PostgresStore(SqlStore):
    """Lost connections are made anew by the next call; a call that they break off says StoreDown."""

    shared = True

    def __init__(self, url: str) -> None:
        self._address = address_of(url)
        self.place = place_of(self._address)
        self._lock = threading.RLock()
        self._writer: Connection | None = None
        self._readers: deque[Connection] = deque()
        self._lead_lock = threading.Lock()
        self._leader: Connection | None = None
        self._leading: set[str] = set()
        self._listeners: list[Callable[[], None]] = []
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """Bring the schema up to date; several processes may start at once: the first does it."""
        with self._transaction() as writer:
            writer.execute(LOCK_SCHEMA)
            version = _schema_of(writer, new=True)
            for step in STEPS[version:]:
                writer.execute(step)
            if version < len(STEPS):
                writer.execute("UPDATE about SET version = %s", (len(STEPS),))

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

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """The writer; its transaction is durable afterwards, or rolled back, or lost with the connection."""
        with self._lock, faults():
            if self._writer is None or not alive(self._writer):
                self._drop_writer()
                self._writer = opened(self._address, autocommit=False)
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

    def _ask(self, sql: str, parameters: Row = ()) -> list[Any]:
        """Rows from a reader; there are as many readers as have ever asked at once."""
        reader = None
        while reader is None or not alive(reader):
            if reader is not None:
                reader.close()
            try:
                reader = self._readers.pop()
            except IndexError:
                reader = opened(self._address, autocommit=True)
        with faults():
            try:
                rows = reader.execute(_marked(sql), parameters).fetchall()
            except BaseException:
                reader.close()
                raise
        self._readers.append(reader)
        return rows

    def _change(self, sql: str, parameters: Row, telling: Telling | None = None) -> list[Any]:
        with self._transaction() as writer:
            changed = [value for (value,) in writer.execute(_marked(sql), parameters)]
            if telling is not None:
                _tell(writer, [telling(value) for value in changed])
        return changed

    # Commits

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
        with self._transaction() as writer:
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
        return begun(opened(self._address, autocommit=True), f"LISTEN {CHANNEL}")

    def _listen(self, connection: Connection, sleeper: socket.socket, callback: Callback) -> None:
        with sleeper:
            while not _pass_on(connection, sleeper.fileno(), callback):
                lost = True
                while lost:
                    if readable(sleeper.fileno(), wait=PAUSE):
                        return
                    with contextlib.suppress(StoreDown):
                        connection = self._listening()
                        lost = False
                _call(callback, "lost", "")

    def lead(self, stream: str) -> bool:
        """Whether this process leads: at most one does, and it goes on to while its connection lives."""
        with self._lead_lock, faults():
            for last_try in (False, True):
                if self._leader is None or not alive(self._leader):
                    self._drop_leader()
                    self._leader = opened(self._address, autocommit=True)
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

    def index(self, stream: str, rows: Sequence[IndexRow]) -> None:
        if rows:
            with self._transaction() as writer:
                kept = [(stream, row.key, row.version, row.value) for row in rows]
                writer.execute(PUT_INDEX, _columns(kept))

    # Back-ups

    def fill(self, source: Source) -> int:
        if self.heads() or self.accounts():
            raise BadInput("that database is not empty: restore into a new one")
        try:
            with self._transaction() as writer:
                return _fill(writer, source)
        except ValueError as error:
            raise BadInput(f"nothing was restored: {error}") from None


class PostgresSnapshot(SqlSnapshot):
    """One transaction that sees one moment and writes nothing, and may think for as long as it likes."""

    def __init__(self, url: str) -> None:
        self._numbers = itertools.count(1)
        self._connection = opened(address_of(url), autocommit=False, idle_in_transaction_session_timeout="0")
        try:
            self._connection.isolation_level = IsolationLevel.REPEATABLE_READ
            self._connection.read_only = True
            with faults():
                _schema_of(self._connection)  # the moment is now
                self.tables = frozenset(name for (name,) in self._connection.execute(TABLES))
        except BaseException:
            self.close()
            raise

    def ask(self, sql: str, parameters: Row = ()) -> Iterator[Row]:
        name = f"rows{next(self._numbers)}"  # several may be read side by side
        try:
            with self._connection.cursor(name=name, scrollable=False) as cursor:
                cursor.itersize = FETCHED
                yield from cursor.execute(_marked(sql), parameters)
        except psycopg.Error:
            raise StoreDown("the database cannot be read: the server broke off") from None

    def damage(self) -> Iterator[str]:
        """A server looks after its own."""
        yield from ()

    def close(self) -> None:
        self._connection.close()


# What the module provides, beside the classes

open_store, open_beside, open_snapshot = PostgresStore, PostgresStore, PostgresSnapshot


def file_of(_where: str, /) -> None:
    return None


def _schema_of(connection: Connection, *, new: bool = False) -> int:
    """The number of the schema, 0 for a new one; BadInput if there is none, or one that we do not know."""
    if _only(connection.execute(FIND_SCHEMA)) is None:
        if new:
            return 0
        raise BadInput("the database holds nothing of thirdcard")
    version = int(_only(connection.execute("SELECT version FROM about")))
    if version > len(STEPS):
        raise BadInput(
            f"the database was written by a newer thirdcard: it has schema {version}, not {len(STEPS)}"
        )
    return version


def _marked(sql: str) -> str:
    """A statement with the driver's own marks for what is filled in."""
    return sql.replace("?", "%s")


class _Met(Exception):  # noqa: N818 - not a fault
    """Another process was first in a way that only the next look can see."""


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
        as_heads(heads),
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
    index = [(append.stream, row.key, row.version, row.value) for append in good for row in append.index]
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
        if index:
            writer.execute(PUT_INDEX, _columns(index))
        for append in good:
            for row in append.rounds:
                writer.execute(DROP_PLAYERS, (append.stream, row.number))
                writer.execute(PUT_ROUND, (append.stream, row.number, row.at, list(row.players), row.body))
                writer.execute(PUT_PLAYERS, (row.at, append.stream, row.number, list(row.players)))
            for shoe in append.shoes:
                writer.execute(PUT_SHOE, (append.stream, shoe.number, shoe.sealed))
            if append.checkpoint is not None:
                kept = append.checkpoint
                writer.execute(PUT_CHECKPOINT, (append.stream, kept.version, kept.body))
            for text in append.texts:
                writer.execute(PUT_TEXT, (text.digest, text.text))


@contextlib.contextmanager
def _pipelined(writer: Connection, then: Callable[[], None] | None = None) -> Iterator[None]:
    """Statements in one round trip.

    The driver waits for answers even if it has not yet sent all that was asked, and would wait forever: so
    everything is sent before it begins to wait.
    """
    with writer.pipeline():
        yield
        while writer.pgconn.flush():
            readable(writer.fileno(), also=select.POLLOUT)
            writer.pgconn.consume_input()
        if then is not None:
            then()


def _fill(writer: Connection, source: Source) -> int:
    """All rows of a back-up into empty tables; the number of events."""
    writer.execute("SET LOCAL idle_in_transaction_session_timeout = 0")  # the source may be slow
    for table, columns in COLUMNS.items():
        with writer.cursor().copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for row in source.rows(table):
                copy.write_row(row)
    writer.execute(f"{PLAYED} player, at, stream, number FROM rounds, unnest(players) AS player")
    writer.execute(LAST_PLACE)
    return int(_only(writer.execute("SELECT count(*) FROM events")))


def _tell(writer: Connection, told: list[str]) -> None:
    if told:
        writer.execute(NOTIFY, (told,))


def _columns(rows: Sequence[Row]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _record_row(r: Record) -> Row:
    return r.stream, r.version, r.at, r.by, r.name, r.schema, r.round, r.flag, r.body, r.hash


def _pass_on(connection: Connection, sleeper: int, callback: Callback) -> bool:
    """Call back with what comes, until there is something on the other socket; False if it ended before."""
    try:
        while True:
            for told in connection.notifies(timeout=0):
                topic, _, text = told.payload.partition(" ")
                _call(callback, topic, text)
            if sleeper in readable(connection.fileno(), sleeper):
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
