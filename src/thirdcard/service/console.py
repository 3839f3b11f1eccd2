"""Accounts changed by a command on the server's own machine, whether or not a server runs.

On PostgreSQL, or while nobody serves a file, the change and its entry in the journal are written here. A file
that a server has open takes the change as well; but the journal is that server's, so what is to be written
there waits in a file beside the database until the server takes it in, which it does within a second.
"""

import asyncio
import contextlib
import fcntl
import logging
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.clock import Clock
from thirdcard.service.log.codec import record
from thirdcard.service.log.floor_events import Noted
from thirdcard.service.log.store import open_store
from thirdcard.service.log.store.model import GENESIS, JOURNAL, Append, Conflict, Head, Store
from thirdcard.service.log.store.snapshot import is_address
from thirdcard.service.log.store.sqlite import Connection, SqliteStore
from thirdcard.service.people.accounts import CONSOLE, Fact, People
from thirdcard.service.tables.engine import Unavailable
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import significance

LOOK_SECONDS = 0.5
KINDS = frozenset({"account-added", "account-disabled", "password-changed", "role-changed"})
log = logging.getLogger("thirdcard")


class Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be written into the journal."""

    kind: str
    facts: dict[str, Fact]


class Beside(SqliteStore):
    """The accounts of a file that a server has open; SQLite lets one of the two write at a time.

    Streams are the server's alone: nothing can be appended here.
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


@contextlib.contextmanager
def people_of(where: str) -> Iterator[People]:
    """The accounts of a database. What is done to them is in the journal, or on its way there."""
    clock, told = Clock(), list[Told]()
    store, served = _open(where)
    people = People(store, clock, note=lambda kind, facts: told.append(Told(kind, facts)))
    try:
        yield people
        for one in told:
            if served:
                _leave(where, one)
            else:
                _journal(store, clock, one)
    finally:
        store.close()


def _open(where: str) -> tuple[Store, bool]:
    """The store, and whether a server has it for itself."""
    if not is_address(where) and Path(where).is_file():
        with contextlib.suppress(BadInput):
            return SqliteStore(where), False
        return Beside(where), True
    return open_store(where), False


def _journal(store: Store, clock: Clock, told: Told) -> None:
    """Append to the journal; another process may be first, then again."""
    event = Noted(kind=told.kind, facts=told.facts)
    while True:
        head = store.heads().get(JOURNAL, Head(0, GENESIS))
        stored = record(
            event,
            stream=JOURNAL,
            version=head.version + 1,
            before=head.hash,
            at=clock.wall(),
            by=CONSOLE,
            number=0,
            flag=significance(event),
        )
        (result,) = store.commit([Append(stream=JOURNAL, expected=head.version, records=(stored,))])
        if not isinstance(result, Conflict):
            return


def _box(where: str) -> Path:
    return Path(f"{where}.console")


@contextlib.contextmanager
def _opened(box: Path) -> Iterator[int]:
    """The file of what waits, for one process at a time."""
    file = os.open(box, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)


def _leave(where: str, told: Told) -> None:
    with _opened(_box(where)) as file:
        os.write(file, msgspec.json.encode(told) + b"\n")
        os.fsync(file)


async def take_in(hall: Hall, where: str) -> None:
    """Write into the journal what was done beside this server, and have it look at those accounts anew."""
    box = _box(where)
    while not is_address(where):
        if box.exists() and box.stat().st_size:
            with contextlib.suppress(Unavailable), _opened(box) as file:
                for line in box.read_bytes().splitlines():
                    await _take(hall, line)
                os.ftruncate(file, 0)
        await asyncio.sleep(LOOK_SECONDS)


async def _take(hall: Hall, line: bytes) -> None:
    try:
        told = msgspec.json.decode(line, type=Told)
    except msgspec.MsgspecError:
        told = Told("", {})
    name = told.facts.get("name")
    if told.kind not in KINDS or not isinstance(name, str):
        log.warning("something was left for the journal that does not belong there")
        return
    await hall.note(told.kind, {**told.facts, "by": CONSOLE})
    hall.people.forget(name)
    hall.end_readers(viewer=name)
