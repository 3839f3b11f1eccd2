"""What a store is: its three parts, what it promises to processes that share it, and what each kind provides.

A stream is the log of one table, or the journal of the house. A store keeps streams and all that follows
from them (`LogStore`), people (`PeopleStore`) and what they learn (`SchoolStore`). Another kind is a module
in this folder that provides what `Kind` says, and a line in `__init__` that tells by the address which places
are its own; nobody else asks what kind a store is. In it are

- a `Store`: connections, commits, other processes, and how it is filled from a back-up;
- a `Snapshot`: everything at one moment, read while a server writes;
- a `Dialect`: what its database says in its own way (`tables.py`).

`tests/service/store` runs the same tests on every store: add it to `where` in its conftest.
"""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, Protocol, Self

from thirdcard.service.log.store.log import LogReading, LogStore
from thirdcard.service.log.store.model import Account, LeftNote
from thirdcard.service.log.store.people import PeopleStore
from thirdcard.service.log.store.school import SchoolStore
from thirdcard.service.log.store.tables import ACCOUNTS, LEFT_NOTES


class Source(Protocol):
    """Where a store can be filled from."""

    def rows(self, name: str, /) -> Iterator[list[Any]]:
        """All rows of a table, in the same form from every kind of store."""


class Snapshot(LogReading):
    """All of a store at one moment, read-only, while a server goes on writing; open for the time of a `with`.

    Whoever audits or backs up reads through this. Rows come one by one, however many there are; what cannot
    be read raises StoreDown.
    """

    def accounts(self) -> list[Account]:
        return list(self.every(ACCOUNTS, "true ORDER BY key"))

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Store(LogStore, PeopleStore, SchoolStore):
    """`commit` and the writing methods are called from one thread at a time, reads from any thread.

    Any method may raise StoreDown, writing ones StoreFull too.
    """

    place: str  # where it is, for people to read: without passwords

    @abstractmethod
    def listen(self, callback: Callable[[str, str], None]) -> Callable[[], None]:
        """Tell what other processes write, from a thread of its own; the function given back ends that.

        Topic and text: `stream NAME VERSION`, `session HASH`, `account NAME`; `lost` if some may be missing.
        """

    @abstractmethod
    def lead(self, streams: Collection[str]) -> dict[str, int]:
        """Which of these this process leads, and no other, for the next `LEASE_SECONDS`; in which terms.

        It goes on to lead what it leads, and takes what nobody does. Whoever takes a stream from another gets
        a new term.
        """

    @abstractmethod
    def resign(self) -> None:
        """Lead nothing any more: another process may at once."""

    def leave_note(self, note: bytes) -> bool:  # noqa: ARG002 - where everybody may append nobody leaves any
        """Leave a line for the process that has the streams for itself; False if this one may append."""
        return False

    def left_notes(self) -> list[LeftNote]:
        """What others have left, in the order in which they did."""
        return list(self.every(LEFT_NOTES, "true ORDER BY number"))

    def drop_note(self, note: LeftNote) -> None:
        """It has been taken in."""
        self._drop(LEFT_NOTES, note.number)

    @abstractmethod
    def fill(self, source: Source) -> int:
        """Take in a whole back-up or nothing; the number of events. BadInput if anything is there already."""

    @abstractmethod
    def close(self) -> None: ...


class Kind(Protocol):
    """What a module of this folder provides; `where` is what people type. BadInput if it cannot be that."""

    def open_store(self, where: str, /) -> Store:
        """The store, made if there is none."""

    def open_beside(self, where: str, /) -> Store:
        """The same for accounts alone, even while a server has the streams for itself."""

    def open_snapshot(self, where: str, /) -> Snapshot: ...

    def file_of(self, where: str, /) -> Path | None:
        """The file beside which the key and the anchor lie; None if it is not on this machine."""
