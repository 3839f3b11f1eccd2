"""A store for more than one process: PostgreSQL, by address.

Streams are locked row by row for the time of a commit, and the keys of answers are unique: the process that
is first has the effect, and the others are told so. What is committed is told on the channel `thirdcard`.
"""

import contextlib
import itertools
import logging
import secrets
import select
import socket
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import psycopg
from psycopg import IsolationLevel, errors

from thirdcard.errors import BadInput
from thirdcard.service.log.store.commits import Look, judge, rows_of
from thirdcard.service.log.store.kinds import Snapshot, Source, Store
from thirdcard.service.log.store.model import (
    LEASE_SECONDS,
    Append,
    Fenced,
    Head,
    Record,
    Result,
    StoreDown,
)
from thirdcard.service.log.store.postgres_connection import (
    PATIENT,
    WRITER,
    Connection,
    address_of,
    alive,
    answering,
    begun,
    faults,
    opened,
    place_of,
    readable,
    set_to,
)
from thirdcard.service.log.store.postgres_sql import (
    CHANNEL,
    DIALECT,
    END_HANGING,
    FIND_SCHEMA,
    FIND_TERMS,
    FOREIGN,
    HOLD_TERMS,
    LAST_PLACE,
    LEAD,
    LOCK_SCHEMA,
    LOCK_STREAMS,
    NEW_STREAMS,
    NOTIFY,
    RELATIONS,
    RESIGN,
    STEPS,
    relations,
    turned,
)
from thirdcard.service.log.store.reading import Writing
from thirdcard.service.log.store.tables import BACKED_UP, EVENTS, WITH_RESULTS, Row, Table

TRIES = 10  # of a commit that meets another one
PAUSE = 0.2  # seconds between two tries to reach a server that is down
FETCHED = 1_000  # rows of a snapshot at a time
READ_AT_ONCE = 20_000  # records: a server that answers does so in time, however long the log

Callback = Callable[[str, str], None]
logger = logging.getLogger(__name__)


class PostgresWriting(Writing):
    """A transaction of the one connection that writes."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def ask(self, sql: str, parameters: Row) -> list[Any]:
        return self.begin(sql, parameters).fetchall()

    def begin(self, sql: str, parameters: Row) -> psycopg.Cursor[tuple[Any, ...]]:
        """Ask without waiting for the answer, in a pipeline."""
        return self.connection.execute(_marked(sql), parameters)

    def put(self, table: Table[Any], rows: Sequence[Row]) -> None:
        """All at once, but for those that hold lists; the server gives events their places."""
        if table.lists:
            for row in rows:
                self.connection.execute(
                    _marked(table.insert),
                    [list(value) if isinstance(value, tuple) else value for value in row],
                )
        elif rows:
            given = [row[1:] for row in rows] if table is EVENTS else rows
            self.connection.execute(DIALECT.put_all(table), turned(given))

    def drop(self, table: Table[Any], keys: Sequence[Row]) -> None:
        self.connection.execute(DIALECT.drop_all(table), turned(keys))

    def lock(self, table: Table[Any]) -> None:
        self.connection.execute(f"LOCK TABLE {table.name} IN SHARE ROW EXCLUSIVE MODE")

    def tell(self, *changes: str) -> None:
        if changes:
            self.connection.execute(NOTIFY, (list(changes),))


class PostgresStore(Store):
    """Lost connections are made anew by the next call; a call that they break off says StoreDown."""

    dialect = DIALECT
    shared = True

    def __init__(self, url: str) -> None:
        self._address = address_of(url)
        self.place = place_of(self._address)
        self._lock = threading.RLock()
        self._writer: Connection | None = None
        self._readers: deque[Connection] = deque()
        self._lead_lock = threading.Lock()
        self._leader: Connection | None = None
        self._holder = secrets.token_hex(16)
        self._listeners: list[Callable[[], None]] = []
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """Bring the schema up to date; several processes may start at once: the first does it."""
        with self._begun(patient=True) as writer:
            writer.execute(LOCK_SCHEMA)
            version = _schema_of(writer, new=True)
            for step in STEPS[version:]:
                writer.execute(step)
            if 0 < version < WITH_RESULTS <= len(STEPS):
                PostgresWriting(writer).list_all()
            if version < len(STEPS):
                writer.execute("UPDATE about SET version = %s", (len(STEPS),))

    def close(self) -> None:
        for stop in self._listeners:
            stop()
        self.resign()
        with self._lock:
            self._drop_writer()
            while self._readers:
                self._readers.pop().close()

    # Connections

    @contextlib.contextmanager
    def _begun(self, *, patient: bool = False) -> Iterator[Connection]:
        """A `patient` one may take as long as it likes. It may also be lost with the connection."""
        with self._lock, faults():
            if self._writer is None or not alive(self._writer):
                self._drop_writer()
                self._writer = opened(self._address, autocommit=False, **WRITER)
            try:
                with contextlib.nullcontext() if patient else answering(self._writer):
                    if patient:
                        self._writer.execute(set_to(PATIENT, only_now=True))
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
        if (mine := self._opened()) is not None:
            return list(mine.writer.execute(_marked(sql), parameters).fetchall())
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
                with answering(reader):
                    rows = reader.execute(_marked(sql), parameters).fetchall()
            except BaseException:
                reader.close()
                raise
        self._readers.append(reader)
        return rows

    @contextlib.contextmanager
    def _writing(self) -> Iterator[PostgresWriting]:
        with self._transaction() as writer:
            yield PostgresWriting(writer)

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
        found: list[Record] = []
        while limit is None or len(found) < limit:
            count = READ_AT_ONCE if limit is None else min(READ_AT_ONCE, limit - len(found))
            part = super().read(stream, after=after, limit=count)
            found += part
            if len(part) < count:
                break
            after = part[-1].version
        return found

    # Commits

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        for _ in range(TRIES if self._opened() is None else 1):
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
                heads, terms, look = _look(writer, appends)
                led = [not append.term or terms.get(append.stream) == append.term for append in appends]
                mine = list(itertools.compress(appends, led))
                judged = judge(mine, heads, look.answers().get, look.wallets())
                dropped, written = rows_of(judged, look.before())
                with _pipelined(writer, then=None if self._opened() else writer.commit):
                    _hold_terms(writer, judged.good)
                    writing = PostgresWriting(writer)
                    writing.write(dropped, written)
                    writing.tell(
                        *(f"stream {stream} {head.version}" for stream, head in judged.heads.items())
                    )
            except errors.UniqueViolation as error:
                if error.diag.constraint_name == "answers_pkey":
                    raise _Met from None
                raise
            except (errors.DeadlockDetected, errors.SerializationFailure, errors.DivisionByZero):
                raise _Met from None
        results = iter(judged.results)
        return [next(results) if mine else Fenced() for mine in led]

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

    def lead(self, streams: Collection[str]) -> dict[str, int]:
        """On a connection of its own: however much there is to read and write, this does not wait for it.

        What another process has locked that hangs is let go first.
        """
        with self._lead_lock, faults():
            if self._leader is None or not alive(self._leader):
                self._drop_leader()
                self._leader = opened(self._address, autocommit=True)
            try:
                with answering(self._leader, LEASE_SECONDS):
                    self._leader.execute(END_HANGING)
                    rows = self._leader.execute(
                        LEAD, (self._holder, LEASE_SECONDS, sorted(streams))
                    ).fetchall()
            except psycopg.Error:
                self._drop_leader()
                raise
        return dict(rows)

    def resign(self) -> None:
        """What it cannot say now the others find out when the lease has run out."""
        with self._lead_lock, contextlib.suppress(psycopg.Error):
            if self._leader is not None:
                with answering(self._leader, LEASE_SECONDS):
                    self._leader.execute(RESIGN, (self._holder,))
            self._drop_leader()

    def _drop_leader(self) -> None:
        if self._leader is not None:
            self._leader.close()
            self._leader = None

    def damage(self) -> Iterator[str]:
        return _foreign(self._ask)

    # Back-ups

    def fill(self, source: Source) -> int:
        if self.heads() or self.accounts():
            raise BadInput("that database is not empty: restore into a new one")
        try:
            with self._begun(patient=True) as writer:
                return _fill(writer, source)
        except ValueError as error:
            raise BadInput(f"nothing was restored: {error}") from None


class PostgresSnapshot(Snapshot):
    """One transaction that sees one moment and writes nothing, and may think for as long as it likes."""

    dialect = DIALECT

    def __init__(self, url: str) -> None:
        self._numbers = itertools.count(1)
        self._connection = opened(address_of(url), autocommit=False, **PATIENT)
        try:
            self._connection.isolation_level = IsolationLevel.REPEATABLE_READ
            self._connection.read_only = True
            with faults():
                self.schema = _schema_of(self._connection)  # the moment is now
        except BaseException:
            self.close()
            raise

    def _ask(self, sql: str, parameters: Row = ()) -> Iterator[Row]:
        name = f"rows{next(self._numbers)}"  # several may be read side by side
        try:
            with self._connection.cursor(name=name, scrollable=False) as cursor:
                cursor.itersize = FETCHED
                yield from cursor.execute(_marked(sql), parameters)
        except psycopg.Error:
            raise StoreDown("the database cannot be read: the server broke off") from None

    def damage(self) -> Iterator[str]:
        """A server looks after its own pages."""
        return _foreign(self._ask)

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
    version = _only(connection.execute("SELECT version FROM about"))
    if not isinstance(version, int):
        raise BadInput("the database is damaged: it does not say which schema it has")
    if version > len(STEPS):
        raise BadInput(
            f"the database was written by a newer thirdcard: it has schema {version}, not {len(STEPS)}"
        )
    return version


def _foreign(ask: Callable[[str], Iterable[Row]]) -> Iterator[str]:
    """What is in the schema that is not ours, or not there that is."""
    for kind, name in ask(FOREIGN):
        yield f"the database has {kind} that thirdcard did not make: {name}"
    ((version,),) = ask("SELECT version FROM about")
    own, found = relations(STEPS[:version]), {name for (name,) in ask(RELATIONS)}
    yield from (f"the database has a relation that thirdcard did not make: {name}" for name in found - own)
    yield from (f"the database lacks its relation {name}" for name in own - found)


def _marked(sql: str) -> str:
    """A statement with the driver's own marks for what is filled in."""
    return sql.replace("?", "%s")


class _Met(Exception):  # noqa: N818 - not a fault
    """Another process was first in a way that only the next look can see."""


def _only(cursor: psycopg.Cursor[tuple[Any, ...]]) -> Any:  # noqa: ANN401 - the one value of the one row
    row = cursor.fetchone()
    return row[0] if row else None


def _look(writer: Connection, appends: Sequence[Append]) -> tuple[dict[str, Head], dict[str, int], Look]:
    """Lock the streams and the wallets, in one order for everybody, and look.

    Where streams end, in which terms they are led, and what any commit has to know.
    """
    new = sorted({append.stream for append in appends if append.records and append.expected == 0})
    streams = sorted({append.stream for append in appends if append.records})
    led = [append.stream for append in appends if append.term]
    with _pipelined(writer):
        if new:
            writer.execute(NEW_STREAMS, (new,))
        heads = writer.execute(LOCK_STREAMS, (streams,))
        terms = writer.execute(FIND_TERMS, (led,))
        look = Look(PostgresWriting(writer).begin, DIALECT, appends)
    return {stream: Head(*head) for stream, *head in heads}, dict(terms.fetchall()), look


def _hold_terms(writer: Connection, appends: Sequence[Append]) -> None:
    led = [(append.stream, append.term) for append in appends if append.term]
    if led:
        writer.execute(HOLD_TERMS, turned(led))


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
    for name, table in BACKED_UP.items():
        with writer.cursor().copy(f"COPY {name} ({table.columns}) FROM STDIN") as copy:
            for row in source.rows(name):
                copy.write_row(row)
    PostgresWriting(writer).list_all()
    writer.execute(LAST_PLACE)
    return int(_only(writer.execute("SELECT count(*) FROM events")))


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
