"""What a store keeps: the rows, what a commit is made of and what comes of it; `tables.py` has their tables.

Times are in microseconds, money in whole cents.
"""

from typing import Literal, TypeAlias

import msgspec

JOURNAL = "journal"  # the stream of what concerns no single table
GENESIS = bytes(32)  # the hash before a stream's first record
MANY = 2**63 - 1  # more than there are of anything
LEASE_SECONDS = 3.0  # a process leads a stream no longer than this without saying so again


ResultList: TypeAlias = Literal["all", "won", "lost", "insured"]  # the lists of a player's rounds


class StoreDown(Exception):  # noqa: N818 - a state of affairs
    """The store cannot be reached, or it broke off: whether the commit was made is unknown. Try again."""


class StoreFull(Exception):  # noqa: N818
    """There is no room: nothing of the commit was written."""


class Record(msgspec.Struct, frozen=True, gc=False):
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


class StreamEnd(msgspec.Struct, frozen=True, gc=False):
    """Where a stream ends, as it is stored; version 0 is one that is about to begin."""

    stream: str
    version: int
    head: bytes


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


class RoundPlayer(msgspec.Struct, frozen=True, gc=False):
    """Who played in which round."""

    player: str
    at: int
    stream: str
    number: int


class ResultRow(msgspec.Struct, frozen=True, gc=False):
    """What a round came to for a player, in one of the player's lists; `time` is microseconds of play."""

    player: str
    list: str
    at: int
    stream: str
    number: int
    net: int
    staked: int
    time: int


class Tally(msgspec.Struct, frozen=True, gc=False):
    """What a player's rounds of one day came to, on one bet or, without digest and bet, in all.

    `time` is microseconds of play.
    """

    player: str
    day: int
    digest: str
    bet: str
    rounds: int
    staked: int
    net: int
    time: int


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


class DocumentCopy(msgspec.Struct, frozen=True, gc=False):
    """The house's own copy of the document of the rulebook with this digest; empty once it is taken back."""

    digest: str
    text: str


class LeftNote(msgspec.Struct, frozen=True, gc=False):
    """A line that a command left for the journal of the process that has the streams for itself."""

    number: int
    body: bytes


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
    checkpoints: tuple[Checkpoint, ...] = ()
    texts: tuple[RulebookText, ...] = ()
    documents: tuple[DocumentCopy, ...] = ()
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


class Personal(msgspec.Struct, frozen=True, gc=False):
    """What a person has set for themselves, of one kind; `key` is the folded name."""

    key: str
    kind: str
    body: bytes


class KeptDocument(msgspec.Struct, frozen=True, gc=False):
    """Something of the school after so many changes."""

    version: int
    body: bytes


class LearningWrite(msgspec.Struct, frozen=True, gc=False):
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
    """A signed-in person; only a hash of the token by a key of the house is kept. Times in microseconds."""

    token_hash: bytes
    account: str
    created: int
    seen: int
