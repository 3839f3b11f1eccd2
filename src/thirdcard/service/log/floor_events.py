"""What a live table's log holds besides the events of its rounds, and what the journal holds.

Like the events of a table these are stored forever under the names given here.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.table.events import AnyEvent
from thirdcard.table.ledger import Posting

Dealer: TypeAlias = Literal["automatic", "staff"]
SYSTEM = "thirdcard"  # who deals at automatic tables
Milliseconds: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=600_000)]


class Pace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long people have for what, and how fast cards come, in milliseconds."""

    betting: Milliseconds = 20_000
    insurance: Milliseconds = 12_000
    adjusting: Milliseconds = 10_000
    choice: Milliseconds = 30_000
    squeeze: Milliseconds = 15_000
    card: Milliseconds = 1_200
    result: Milliseconds = 8_000
    shuffle: Milliseconds = 4_000


class FloorEvent(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="event"):
    """It moves no money and rests on no paragraph."""

    rules: Rules = ()
    postings: tuple[Posting, ...] = ()


class TableCreated(FloorEvent, frozen=True, kw_only=True, tag="table-created"):
    """The first event of every table's log; its set-up follows. `live_odds`: whether players may see them."""

    title: str
    dealer: Dealer
    pace: Pace
    live_odds: bool


class TableClosed(FloorEvent, frozen=True, kw_only=True, tag="table-closed"):
    """No round is opened until it is open again; the one being played is finished."""


class TableReopened(FloorEvent, frozen=True, kw_only=True, tag="table-reopened"):
    pass


class PaceChanged(FloorEvent, frozen=True, kw_only=True, tag="pace-changed"):
    pace: Pace


class ShoeCommitted(FloorEvent, frozen=True, kw_only=True, tag="shoe-committed"):
    """The SHA-256 of salt and order, before the first card: of shoes that earlier releases shuffled."""

    shoe: int
    commitment: str


class ShoePromised(FloorEvent, frozen=True, kw_only=True, tag="shoe-promised"):
    """The SHA-256 of table, number and salt, before anybody adds a seed to the shoe."""

    shoe: int
    commitment: str


class Seed(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a player adds, so that nobody else chooses the order of a shoe."""

    player: str
    seed: str


class SeedAdded(FloorEvent, frozen=True, kw_only=True, tag="seed-added"):
    """A seed for the shoe that is promised, in place of one that the player added to it before."""

    shoe: int
    player: str
    seed: str


class ShoeSealed(FloorEvent, frozen=True, kw_only=True, tag="shoe-sealed"):
    """With the promise of its salt, decks and seeds in the order added: from these the order follows."""

    shoe: int
    commitment: str
    decks: int
    seeds: tuple[Seed, ...]


class ShoeRevealed(FloorEvent, frozen=True, kw_only=True, tag="shoe-revealed"):
    """Salt and order, once no card of the shoe can be dealt any more."""

    shoe: int
    salt: str
    cards: str


class TimerStarted(FloorEvent, frozen=True, kw_only=True, tag="timer-started"):
    """`key` names the situation that the timer is for: once that has passed, so has the timer."""

    timer: str
    key: str
    ms: int


class PlayersSeen(FloorEvent, frozen=True, kw_only=True, tag="players-seen"):
    """They look on and are not away, though nothing else in the log tells."""

    players: tuple[str, ...]


class SupervisorCalled(FloorEvent, frozen=True, kw_only=True, tag="supervisor-called"):
    """The dealer asks the pit to come."""

    note: str


class SupervisorCame(FloorEvent, frozen=True, kw_only=True, tag="supervisor-came"):
    pass


class Checkpointed(FloorEvent, frozen=True, kw_only=True, tag="checkpointed"):
    """The table as it was before this event is kept, so that nobody has to fold the log up to here again.

    `sha256` is that of what is kept: a copy that was changed does not pass for the table.
    """

    sha256: str


class Noted(FloorEvent, frozen=True, kw_only=True, tag="noted"):
    """An entry of the journal: what happened in the house outside any table."""

    kind: str
    facts: dict[str, str | int]


RULEBOOK_ADDED = "rulebook-added"  # the kind of a note: the house was given the text of a rulebook
HEADS_SIGNED = "heads-signed"  # and of another: where logs ended, signed by the house


AnyFloorEvent: TypeAlias = (
    TableCreated | TableClosed | TableReopened | PaceChanged | ShoeCommitted | ShoePromised | SeedAdded
    | ShoeSealed | ShoeRevealed | TimerStarted | PlayersSeen | SupervisorCalled | SupervisorCame
    | Checkpointed | Noted
)  # fmt: skip
Logged: TypeAlias = AnyEvent | AnyFloorEvent
