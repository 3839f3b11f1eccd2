"""What a store keeps, and what it promises; the same for memory, SQLite and PostgreSQL.

A stream is the log of one table, or the journal of the house. Events, postings, answers to commands, finished
rounds, sealed shoes and the texts of rulebooks of a commit are written together or not at all.

Another store is a module in this folder that provides what `Kind` says, and a line in `__init__` that tells
by the address which places are its own; nobody else asks what kind a store is. In it are

- a `Store`: how to commit, to read and to write accounts and sessions; to be told of other processes and to
  lead a table, if it is shared; to be filled from a back-up. One in SQL inherits most of it (`sql.SqlStore`).
- a `Snapshot`: everything at one moment, read while a server writes (`sql.SqlSnapshot`).
- `STEPS`, if it has a schema: step n makes schema n out of schema n - 1, so that there is one way to make a
  new database and to bring an old one up to date, which `Store` does when it is opened. A step that was
  released is never edited; what is new comes as new tables, which a snapshot of an old schema finds empty.

`tests/service/store` runs the same tests on every store: add it to `where` in its conftest.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, Protocol, Self, TypeAlias

import msgspec

JOURNAL = "journal"  # the stream of what concerns no single table
GENESIS = bytes(32)  # the hash before a stream's first record
MANY = 2**63 - 1  # more than there are of anything
LEASE_SECONDS = 3.0  # a process leads a stream no longer than this without saying so again


Listed: TypeAlias = Literal["all", "won", "lost", "insured"]  # the lists of a player's rounds


class StoreDown(Exception):  # noqa: N818 - a state of affairs
    """The store cannot be reached, or it broke off: whether the commit was made is unknown. Try again."""


class StoreFull(Exception):  # noqa: N818
    """There is no room: nothing of the commit was written."""


class Record(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One event as it is stored. `at` is the wall clock in microseconds and orders nothing: `version` does.

    `flag` names what makes the event significant, empty for everyday ones. `hash` chains all of it to the
    record before. `asked` says to which command with a key it is the end of the answer (`codec.asked_by`).
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
    asked: bytes = b""


class PostingRow(msgspec.Struct, frozen=True, gc=False):
    """A posting of the event at `version`, in whole cents."""

    version: int
    account: str
    cents: int


class Answered(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The answer that a command got: the same key never has another effect, nor another answer.

    `digest` is the SHA-256 of what was asked; after `until` (microseconds) it may be forgotten.
    """

    actor: str
    key: str
    digest: bytes
    answer: bytes
    until: int = 0


class RoundRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A finished round for recall; written again when it is corrected. `players` had money in it."""

    number: int
    at: int
    players: tuple[str, ...]
    body: bytes


class SealedShoe(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What is secret of a shoe, encrypted."""

    number: int
    sealed: bytes


class IndexRow(msgspec.Struct, frozen=True, gc=False):
    """Where an event is found again without reading the log: under a key, with a value that goes with it."""

    key: str
    version: int
    value: int


class RoundMark(msgspec.Struct, frozen=True, gc=False):
    """What a round is found by, across all streams: `kind:value`. `at` is when its bets were opened."""

    mark: str
    number: int
    at: int


class QuarterSum(msgspec.Struct, frozen=True, gc=False):
    """What is added to one sum of a table's quarter of an hour, which begins at `at`."""

    at: int
    name: str
    value: int


class Sought(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds with all of these marks, of one stream or of all, begun from `since` on and before `until`.

    `before` is a place to go on from: time, stream and number.
    """

    marks: tuple[str, ...]
    stream: str | None = None
    since: int = 0
    until: int = MANY
    before: tuple[int, str, int] | None = None


class RoundsFound(msgspec.Struct, frozen=True, kw_only=True):
    """Time, stream and number of rounds, the latest first; `reached` is where to go on, None at the end."""

    places: list[tuple[int, str, int]]
    reached: tuple[int, str, int] | None


class Checkpoint(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A table as it was at `version`, to start from instead of the first record."""

    version: int
    body: bytes


class RulebookText(msgspec.Struct, frozen=True, gc=False):
    """The canonical text of a rulebook that a log names by its digest; the same text is kept once."""

    digest: str
    text: bytes


class Wallet(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A person's own money in cents, after so many movements (`version`), the last refill on day `refilled`.

    Days count from 1970 by UTC.
    """

    name: str
    cents: int
    version: int
    refilled: int = 0


class WalletMove(msgspec.Struct, frozen=True, gc=False):
    """A wallet as an append leaves it, if nobody has moved it since version `expected`, 0 for a new one."""

    expected: int
    after: Wallet


class Append(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What is added to one stream, if its version still is `expected`.

    An append without records stores only answers (of refused commands) and needs no version. One with a
    `term` is written only while the lease of the stream has that term.
    """

    stream: str
    expected: int
    records: tuple[Record, ...] = ()
    entries: tuple[PostingRow, ...] = ()
    answers: tuple[Answered, ...] = ()
    rounds: tuple[RoundRow, ...] = ()
    shoes: tuple[SealedShoe, ...] = ()
    index: tuple[IndexRow, ...] = ()
    marks: tuple[RoundMark, ...] = ()
    quarters: tuple[QuarterSum, ...] = ()
    checkpoint: Checkpoint | None = None
    texts: tuple[RulebookText, ...] = ()
    term: int = 0
    wallets: tuple[WalletMove, ...] = ()


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


class Fenced(msgspec.Struct, frozen=True, gc=False):
    """Another process leads the stream by now: nothing of this append was written."""


class Overtaken(msgspec.Struct, frozen=True, gc=False):
    """Others have moved these wallets first: nothing of this append was written."""

    wallets: tuple[str, ...]


Result = Done | Conflict | Seen | Fenced | Overtaken


class RoundPlayed(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A finished round as one player finds it again, with what it came to."""

    stream: str
    row: RoundRow
    net: int
    staked: int


class DayTally(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a player's rounds of one day came to; `time` is microseconds of play."""

    day: int
    rounds: int
    staked: int
    net: int
    time: int


class BetTally(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a player has staked on one bet, by the text of a rulebook, and what it came to."""

    digest: str
    bet: str
    staked: int
    net: int


class KnownAs(msgspec.Struct, frozen=True, kw_only=True):
    """A name that an account goes by beside its own: `use` is `sign-in`, or `shown` to others."""

    name: str
    account: str
    use: str


class KeptDocument(msgspec.Struct, frozen=True, gc=False):
    """Something of the school after so many changes."""

    version: int
    body: bytes


class LearningWrite(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What is known of a person's learning, of one kind, if nobody has changed it since `expected`.

    0 is for what is new. What is nobody's in particular, such as how hard an item is, has no person.
    """

    person: str
    kind: str
    expected: int
    body: bytes


class ReviewRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An answer that somebody gave in the school, the so-manieth of theirs."""

    person: str
    number: int
    at: int
    body: bytes


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


class Source(Protocol):
    """Where a store can be filled from."""

    def rows(self, table: str) -> Iterator[list[Any]]:
        """All rows of a table of `rows.COLUMNS`, in the same form from every kind of store."""


class Findable(Protocol):
    """Where rounds are looked for: a store, or a snapshot of one."""

    def find(self, sought: Sought, *, limit: int, most: int) -> RoundsFound: ...

    def round(self, stream: str, number: int) -> RoundRow | None: ...

    def lookup(
        self, stream: str, keys: Sequence[str], *, before: int = MANY, limit: int = 100
    ) -> list[tuple[IndexRow, Record]]: ...

    def read(self, stream: str, *, after: int, limit: int) -> Iterable[Record]: ...

    def text(self, digest: str) -> bytes | None: ...

    def sums(
        self, since: int, until: int, streams: Collection[str] | None = None
    ) -> list[tuple[str, str, int]]:
        """Stream, name and sum of the quarters from one time to another, of these streams or of all."""

    def course(
        self, since: int, until: int, streams: Collection[str] | None = None
    ) -> list[tuple[int, str, int]]:
        """Quarter, name and sum, the streams taken together."""


class Auditable(Protocol):
    """What an audit reads: a store, as long as nobody writes to it meanwhile."""

    def heads(self) -> dict[str, Head]: ...

    def streams(self) -> set[str]:
        """Every stream that any table speaks of, whether or not it is said to exist."""

    def read(self, stream: str, *, after: int = 0, limit: int = MANY) -> Iterable[Record]: ...

    def entries(self, stream: str) -> Iterable[PostingRow]: ...

    def rounds(self, stream: str, *, limit: int) -> Iterable[RoundRow]: ...

    def shoe(self, stream: str, number: int) -> bytes | None: ...

    def shoes(self, stream: str) -> set[int]:
        """The numbers of the sealed shoes of a stream."""

    def recalled(self, stream: str) -> set[tuple[int, str, int]]:
        """Number, player and time of a stream's rounds as players find them again."""

    def answers(self) -> Iterable[Answered]: ...

    def index_rows(self, stream: str) -> set[IndexRow]:
        """All that is indexed of a stream; nothing, if an earlier release kept it."""

    def marks(self, stream: str) -> set[RoundMark] | None:
        """All marks of a stream; None if an earlier release kept it, which had none."""

    def quarters(self, stream: str) -> set[QuarterSum] | None:
        """All sums of a stream that are not 0; None if an earlier release kept it, which had none."""

    def checkpoint(self, stream: str, *, at_most: int) -> Checkpoint | None: ...

    def checkpoints(self, stream: str) -> set[int]:
        """The versions of the checkpoints of a stream."""

    def text(self, digest: str) -> bytes | None:
        """What is kept as the text of a rulebook with that digest."""

    def texts(self) -> Iterable[RulebookText]: ...

    def keyed_accounts(self) -> Iterable[tuple[str, Account]]:
        """Each account with the name under which it is found."""

    def keyed_sessions(self) -> Iterable[tuple[str, Session]]:
        """Each session with the name under which those of its account are found."""

    def all_personal(self) -> Iterable[tuple[str, str, bytes]]:
        """Folded name, kind and body of all that people have set for themselves."""

    def wallets(self) -> Iterable[Wallet]: ...

    def all_exams(self) -> Iterable[tuple[str, str, KeptDocument]]:
        """Every exam, and every sitting with the folded name of who sat."""

    def results(self, stream: str) -> set[tuple[str, str, int, int, int, int]] | None:
        """Player, list, time, number, net and stakes of a stream's rounds as they are in players' lists.

        None if an earlier release kept it, which had no lists; so for the sums.
        """

    def tallies(self) -> Iterable[tuple[str, int, str, str, int, int, int]] | None:
        """Player, day, digest, bet, rounds, stakes and net of all that is summed up."""

    def keyed_names(self) -> Iterable[tuple[str, KnownAs]]:
        """Each name that somebody goes by, with that under which it is found."""

    def out_of_order(self) -> Iterable[tuple[str, int]]:
        """Stream and version of events that the store's own sequence puts before the event before them."""

    def damage(self) -> Iterable[str]:
        """What is wrong with the store itself, in sentences."""


class Snapshot(Auditable, Findable, Source, Protocol):
    """All of a store at one moment, read-only, while a server goes on writing; open for the time of a `with`.

    Whoever audits or backs up reads through this. What cannot be read raises StoreDown.
    """

    def accounts(self) -> list[Account]: ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class Store(Protocol):
    """`commit` and the writing methods are called from one thread at a time, reads from any thread.

    Any method may raise StoreDown, writing ones StoreFull too.
    """

    shared: bool  # several processes may write to it

    @property
    def place(self) -> str:
        """Where it is, for people to read: without passwords."""

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        """Write all appends in one durable transaction; any result but Done concerns its own append only."""

    def heads(self) -> dict[str, Head]: ...

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
        """Records in order of version, those with a version above `after`."""

    def entries(self, stream: str, *, after: int = 0) -> list[PostingRow]:
        """The postings of a stream in order of version, those of a version above `after`."""

    def answered(self, actor: str, key: str) -> Answered | None: ...

    def rounds(self, stream: str, *, before: int | None = None, limit: int = 100) -> list[RoundRow]:
        """Finished rounds, the latest first, those with a number below `before`."""

    def round(self, stream: str, number: int) -> RoundRow | None: ...

    def rounds_of(
        self, player: str, *, before: tuple[int, str, int] | None = None, limit: int = 100
    ) -> list[tuple[str, RoundRow]]:
        """A player's own rounds at all tables, the latest first (by at, stream, number, all falling)."""

    def wallet(self, name: str) -> Wallet | None:
        """None of who has never had any money in the house."""

    def played(
        self, player: str, which: Listed, *, before: tuple[int, str, int] | None = None, limit: int = 100
    ) -> list[RoundPlayed]:
        """A player's own rounds at all tables, the latest first, as `rounds_of`."""

    def best(self, player: str, *, limit: int) -> list[RoundPlayed]:
        """The rounds in which a player has won most."""

    def by_day(self, player: str, *, since: int = 0) -> list[DayTally]:
        """One for each day played, from a day on, in order."""

    def by_bet(self, player: str, *, since: int = 0) -> list[BetTally]: ...

    def shoe(self, stream: str, number: int) -> bytes | None: ...

    def lookup(
        self, stream: str, keys: Sequence[str], *, before: int = MANY, limit: int = 100
    ) -> list[tuple[IndexRow, Record]]:
        """What is indexed under these keys below a version, with its records, the latest first."""

    def index(
        self,
        stream: str,
        rows: Sequence[IndexRow],
        marks: Sequence[RoundMark],
        quarters: Sequence[QuarterSum] = (),
    ) -> None:
        """Put rows that an earlier release did not write; those that are there stay as they are.

        Sums are put where the stream has none at all.
        """

    def sums(
        self, since: int, until: int, streams: Collection[str] | None = None
    ) -> list[tuple[str, str, int]]:
        """Stream, name and sum of the quarters from one time to another, of these streams or of all."""

    def course(
        self, since: int, until: int, streams: Collection[str] | None = None
    ) -> list[tuple[int, str, int]]:
        """Quarter, name and sum, the streams taken together."""

    def find(self, sought: Sought, *, limit: int, most: int) -> RoundsFound:
        """At most so many; at most `most` rounds of the rarest mark are looked at."""

    def checkpoint(self, stream: str, *, at_most: int = MANY) -> Checkpoint | None:
        """The latest at or before a version."""

    def text(self, digest: str) -> bytes | None:
        """The text of a rulebook that some log names."""

    def texts(self) -> list[RulebookText]:
        """All of them."""

    def significant(self, *, before: int | None = None, limit: int = 100) -> list[tuple[int, Record]]:
        """Flagged records of all streams, the latest first, each with its place in the sequence of all."""

    def account(self, name: str) -> Account | None: ...

    def accounts(self, roles: Collection[str] = ()) -> list[Account]:
        """All, or those with one of the roles."""

    def accounts_of(self, names: Collection[str]) -> list[Account]:
        """Those of these names that there are, in whatever case."""

    def add_account(self, account: Account) -> bool:
        """False if the name is taken, in whatever case; also if somebody goes by it."""

    def change_account(self, account: Account) -> None: ...

    def found_by(self, name: str, use: str) -> KnownAs | None:
        """Whose name that is beside the account's own, in whatever case."""

    def name_of(self, account: str, use: str) -> KnownAs | None:
        """What an account goes by."""

    def claim_name(self, wanted: KnownAs) -> bool:
        """Let an account go by that name, in place of the one before; False if it is anybody else's."""

    def drop_name(self, account: str, use: str) -> None: ...

    def personal(self, name: str, kind: str) -> bytes | None:
        """What a person has set for themselves, of one kind."""

    def personal_of(self, kind: str) -> list[tuple[str, bytes]]:
        """Whatever is kept of one kind, by whose it is."""

    def put_personal(self, name: str, kind: str, body: bytes) -> None: ...

    def drop_personal(self, name: str, kind: str) -> None: ...

    # The school

    def learning(self, name: str, kind: str) -> KeptDocument | None:
        """What is known of somebody's learning, of one kind."""

    def all_learning(self, name: str, prefix: str = "") -> list[tuple[str, KeptDocument]]:
        """All kinds that begin so, in order."""

    def learning_of(self, names: Collection[str], kind: str) -> dict[str, KeptDocument]:
        """What is known of several people's learning, of one kind, by their folded names."""

    def latest_reviews(
        self, names: Collection[str], *, each: int, limit: int, holding: bytes = b""
    ) -> list[ReviewRow]:
        """Of the latest so many answers of `each` of these people those whose body is `holding` something.

        The last of everybody come first, then the last but one, and so on.
        """

    def learning_of_all(
        self, kind: str, *, after: str = "", limit: int = 100
    ) -> list[tuple[str, KeptDocument]]:
        """What is known of one kind, by whose it is, in the order of names and from the one after `after`."""

    def reviews(self, name: str, *, before: int = MANY, limit: int = 100) -> list[ReviewRow]:
        """Somebody's answers in the school, the latest first, those with a number below `before`."""

    def keep_learning(self, writes: Sequence[LearningWrite], reviews: Sequence[ReviewRow] = ()) -> bool:
        """Write all of it or, if somebody was faster, nothing and False."""

    def forget_learning(self, name: str) -> None:
        """All that is known of somebody's learning; exams are not part of it."""

    def drop_learning(self, name: str, kind: str) -> None: ...

    def exam(self, exam: str, name: str = "") -> KeptDocument | None:
        """An exam, or somebody's sitting of it."""

    def exams(self, name: str = "", *, after: str = "", limit: int = 100) -> list[tuple[str, KeptDocument]]:
        """Exams whose names follow, or somebody's sittings, in order."""

    def sittings(self, exam: str) -> list[tuple[str, KeptDocument]]:
        """All sittings of an exam, by the folded names of who sat."""

    def keep_exam(self, exam: str, name: str, *, expected: int, body: bytes) -> bool:
        """An exam or a sitting, new for `expected` 0; False if somebody was faster."""

    def forget_answers(self, *, before: int, limit: int) -> int:
        """Drop answers that were to be kept until then, so many at most; how many there were."""

    def forget_guests(self, *, after: str, created_before: int, limit: int) -> str:
        """Look through so many accounts that follow a key; the last one's key, empty if none are left.

        Guests of before that time go who have no session, have set nothing and have never had money.
        """

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

    def lead(self, streams: Collection[str]) -> dict[str, int]:
        """Which of these this process leads, and no other, for the next `LEASE_SECONDS`; in which terms.

        It goes on to lead what it leads, and takes what nobody does. Whoever takes a stream from another gets
        a new term.
        """

    def resign(self) -> None:
        """Lead nothing any more: another process may at once."""

    def leave_note(self, note: bytes) -> bool:
        """Leave a line for the process that has the streams for itself; False if this one may append."""

    def left_notes(self) -> AbstractContextManager[list[bytes]]:
        """What others have left; it is gone once the block has ended without an exception."""

    def damage(self) -> Iterable[str]:
        """What is wrong with the store itself, in sentences, before anybody relies on it."""

    def fill(self, source: Source) -> int:
        """Take in a whole back-up or nothing; the number of events. BadInput if anything is there already."""

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
