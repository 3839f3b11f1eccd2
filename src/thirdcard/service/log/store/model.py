"""What a store keeps, and what it promises; the same for memory, SQLite and PostgreSQL.

A stream is the log of one table, or the journal of the house. Events, postings, answers to commands, finished
rounds and sealed shoes of a commit are written together or not at all.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

JOURNAL = "journal"  # the stream of what concerns no single table
GENESIS = bytes(32)  # the hash before a stream's first record


class StoreDown(Exception):  # noqa: N818 - a state of affairs
    """The store cannot be reached, or it broke off: whether the commit was made is unknown. Try again."""


class StoreFull(Exception):  # noqa: N818
    """There is no room: nothing of the commit was written."""


class Record(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One event as it is stored. `at` is the wall clock in microseconds and orders nothing: `version` does.

    `flag` names what makes the event significant, empty for everyday ones. `hash` chains all of it to the
    record before.
    """

    stream: str
    version: int
    at: int
    by: str
    name: str
    schema: int
    round: int
    flag: str
    body: bytes
    hash: bytes


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A posting of the event at `version`, in whole cents."""

    version: int
    account: str
    cents: int


class Answered(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The answer that a command got: the same key never has another effect, nor another answer.

    `digest` is the SHA-256 of what was asked.
    """

    actor: str
    key: str
    digest: bytes
    answer: bytes


class RoundRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A finished round for recall; written again when it is corrected. `players` had money in it."""

    number: int
    at: int
    players: tuple[str, ...]
    body: bytes


class SealedShoe(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The order of a shoe, encrypted."""

    number: int
    sealed: bytes


class Append(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What is added to one stream, if its version still is `expected`.

    An append without records stores only answers (of refused commands) and needs no version.
    """

    stream: str
    expected: int
    records: tuple[Record, ...] = ()
    entries: tuple[Entry, ...] = ()
    answers: tuple[Answered, ...] = ()
    rounds: tuple[RoundRow, ...] = ()
    shoes: tuple[SealedShoe, ...] = ()


class Head(msgspec.Struct, frozen=True, gc=False):
    """Where a stream ends."""

    version: int
    hash: bytes


class Done(msgspec.Struct, frozen=True, gc=False):
    """The append is durable."""


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """Somebody else added to the stream first: nothing of this append was written."""


class Seen(msgspec.Struct, frozen=True, gc=False):
    """Some of its commands were answered before: nothing of this append was written."""

    answers: tuple[Answered, ...]


Result = Done | Conflict | Seen


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """A person. `name` is unique whatever its case; guests have no `password` hash. Times in microseconds."""

    name: str
    role: str
    password: str = ""
    created: int
    disabled: bool = False
    failures: int = 0
    locked_until: int = 0


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A signed-in person; only the SHA-256 of the token is kept. Times in microseconds."""

    token_hash: bytes
    account: str
    created: int
    seen: int


class Store(Protocol):
    """`commit` and the writing methods are called from one thread at a time, reads from any thread.

    Any method may raise StoreDown, writing ones StoreFull too.
    """

    shared: bool  # several processes may write to it

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        """Write all appends in one durable transaction; a Conflict or Seen concerns its own append only."""

    def heads(self) -> dict[str, Head]: ...

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
        """Records in order of version, those with a version above `after`."""

    def read_round(self, stream: str, number: int) -> list[Record]: ...

    def entries(self, stream: str) -> list[Entry]:
        """All postings of a stream in order of version."""

    def answered(self, actor: str, key: str) -> Answered | None: ...

    def rounds(self, stream: str, *, before: int | None = None, limit: int = 100) -> list[RoundRow]:
        """Finished rounds, the latest first, those with a number below `before`."""

    def round(self, stream: str, number: int) -> RoundRow | None: ...

    def rounds_of(
        self, player: str, *, before: tuple[int, str, int] | None = None, limit: int = 100
    ) -> list[tuple[str, RoundRow]]:
        """A player's own rounds at all tables, the latest first (by at, stream, number, all falling)."""

    def shoe(self, stream: str, number: int) -> bytes | None: ...

    def significant(self, *, before: int | None = None, limit: int = 100) -> list[tuple[int, Record]]:
        """Flagged records of all streams, the latest first, each with its place in the sequence of all."""

    def account(self, name: str) -> Account | None: ...

    def accounts(self) -> list[Account]: ...

    def add_account(self, account: Account) -> bool:
        """False if the name is taken, in whatever case."""

    def change_account(self, account: Account) -> None: ...

    def session(self, token_hash: bytes) -> Session | None: ...

    def put_session(self, session: Session) -> None: ...

    def touch_session(self, token_hash: bytes, seen: int) -> bool:
        """Note when a session was last used; False if it has been ended."""

    def drop_session(self, token_hash: bytes) -> None: ...

    def drop_sessions(self, *, account: str | None = None, seen_before: int | None = None) -> None:
        """Those of an account, or those last seen before a time."""

    def listen(self, callback: Callable[[str, str], None]) -> Callable[[], None]:
        """Tell what other processes write, from a thread of its own; the function given back ends that.

        Topic and text: `stream NAME VERSION`, `session HASH`, `account NAME`; `lost` if some may be missing.
        """

    def lead(self, stream: str) -> bool:
        """Whether this process, and no other, drives the table now; tries to if nobody does."""

    def resign(self, stream: str) -> None: ...

    def close(self) -> None: ...
