"""Connections to a PostgreSQL server: made so that a lost one is noticed, and faults told without secrets."""

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import psycopg
from psycopg import conninfo, errors

from thirdcard.errors import BadInput
from thirdcard.service.log.store.model import StoreDown, StoreFull

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
    "statement_timeout": "10000",
}
WRITER = {"application_name": "thirdcard writer"}
# For work on all there is.
PATIENT = {
    "idle_in_transaction_session_timeout": "0",
    "statement_timeout": "0",
    "application_name": "thirdcard",
}
ANSWER_SECONDS = 8.0  # a server that takes longer for a commit or a read hangs, though its machine answers
LOOKS = 4  # a second
PAUSE = 1 / LOOKS

# What may be said of a failure to connect. The driver's own words may hold parts of the address, and so of a
# password that was not written as an address wants it.
TELLING = (
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


def address_of(url: str) -> dict[str, Any]:
    """The parts of an address; where it does not say otherwise, with what notices a lost server."""
    try:
        return CLIENT | conninfo.conninfo_to_dict(url)
    except psycopg.Error:
        raise BadInput(
            "that is not a PostgreSQL address: postgresql://USER:PASSWORD@HOST/DATABASE is one,"
            " with %40 for an @ in the password and the like"
        ) from None


def place_of(address: Mapping[str, Any]) -> str:
    """Where the database is, without what nobody else should know."""
    name, host = address.get("dbname") or "the default database", address.get("host") or "this machine"
    return f"PostgreSQL, {name} at {host}"


def opened(address: Mapping[str, Any], *, autocommit: bool, **settings: str) -> Connection:
    """A new connection; StoreDown tells why there is none."""
    try:
        connection = psycopg.connect(**address, autocommit=True)
    except psycopg.Error as error:
        why = next((words for words in TELLING if words in str(error)), "no connection")
        raise StoreDown(f"the PostgreSQL server cannot be used: {why}") from None
    return begun(connection, set_to(SERVER | settings), autocommit=autocommit)


def set_to(settings: Mapping[str, str], *, only_now: bool = False) -> str:
    """The statement that sets them, for the connection or only for the transaction."""
    local = "true" if only_now else "false"
    return "SELECT " + ", ".join(
        f"set_config('{name}', '{value}', {local})" for name, value in settings.items()
    )


def begun(connection: Connection, statement: str, *, autocommit: bool = True) -> Connection:
    """The connection once the statement is done; closed if it fails."""
    with faults():
        try:
            with answering(connection):
                connection.execute(statement)
            connection.autocommit = autocommit
        except BaseException:
            connection.close()
            raise
    return connection


class _Waiting:
    """Connections on which an answer is awaited, each with how often it will be looked at before it is ended.

    Looks are counted, not time: a process that stood still itself has not waited.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._looks: dict[int, int] = {}
        self._watched = False

    def add(self, socket_number: int, seconds: float) -> None:
        with self._lock:
            self._looks[socket_number] = round(seconds * LOOKS)
            if not self._watched:
                self._watched = True
                threading.Thread(target=self._watch, name="thirdcard-answers", daemon=True).start()

    def remove(self, socket_number: int) -> None:
        with self._lock:
            self._looks.pop(socket_number, None)
            os.close(socket_number)

    def _watch(self) -> None:
        while True:
            time.sleep(PAUSE)
            with self._lock:
                for number, left in self._looks.items():
                    self._looks[number] = left - 1
                    if left == 0:
                        _shut(number)


_waiting = _Waiting()


@contextlib.contextmanager
def answering(connection: Connection, seconds: float = ANSWER_SECONDS) -> Iterator[None]:
    """Break the connection off if its server hangs: the system there still answers, so nothing else would."""
    number = os.dup(connection.fileno())  # so that it is no other's, whatever becomes of the connection
    _waiting.add(number, seconds)
    try:
        yield
    finally:
        _waiting.remove(number)


def _shut(number: int) -> None:
    """End what goes over a socket, for whoever else has it open too."""
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(number)) as end:
        end.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def faults() -> Iterator[None]:
    """Say what is wrong in the store's words, without the driver's."""
    try:
        yield
    except errors.DiskFull:
        raise StoreFull("there is no room where PostgreSQL keeps its data") from None
    except (psycopg.IntegrityError, psycopg.DataError) as error:
        raise ValueError(f"the store cannot hold that ({error.sqlstate})") from None
    except psycopg.Error as error:
        raise StoreDown(f"PostgreSQL broke off ({error.sqlstate or 'the connection is lost'})") from None


def alive(connection: Connection) -> bool:
    """Nothing comes unasked on an idle connection but its end."""
    return not connection.closed and not readable(connection.fileno(), wait=0)


def readable(*numbers: int, wait: float | None = None, also: int = 0) -> list[int]:
    """Those of the sockets that have something to read; `select` itself stops at the thousandth."""
    poll = select.poll()
    for number in numbers:
        poll.register(number, select.POLLIN | also)
    return [number for number, _ in poll.poll(None if wait is None else wait * 1000)]
