"""A table between two events: everything that the next decision can depend on."""

from typing import Literal, TypeAlias

import msgspec

from thirdcard.cards import Card
from thirdcard.money import Odds
from thirdcard.play.bets import Verdict
from thirdcard.play.tableau import Deal
from thirdcard.roads import Result as RoadResult
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Rules, Side
from thirdcard.table.ledger import Posting, rack
from thirdcard.table.setup import Setup

Phase: TypeAlias = Literal["betting", "adjusting", "dealing", "settled", "void"]
HANDS: tuple[str, str] = ("player", "banker")


class Stake(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Chips of one person on one bet in one box. `order` says when they were last added to."""

    player: str
    box: int
    bet: str
    cents: int
    order: int
    seated: bool
    by: str = ""  # who placed them, if not the player

    @property
    def key(self) -> str:
        return stake_key(self.player, self.box, self.bet)


def stake_key(player: str, box: int, bet: str) -> str:
    return f"{box}/{bet}/{player}"


class Played(msgspec.Struct, frozen=True, gc=False):
    """What a stake outside the limits plays for, and why; the rest goes back at settlement."""

    cents: int
    rules: Rules


class OpenOffer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A row of the insurance table that is open now; `row` is its place in the table."""

    row: int
    hand: Side
    odds: str
    rules: Rules


class Window(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An open insurance window: what is offered, and who has answered."""

    number: Literal[1, 2]
    offers: tuple[OpenOffer, ...]
    answered: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    late_for: tuple[str, ...] = ()  # a late offer, with its own cap, was made to these people
    late_only: bool = False  # and is open to nobody else


class Purchase(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Insurance that somebody bought."""

    player: str
    box: int
    hand: Side
    window: Literal[1, 2]
    row: int
    cents: int
    late: bool = False


class Line(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One stake's part of the settlement; `played` and `returned` where it did not play in full."""

    player: str
    box: int
    bet: str
    stake: int
    result: Verdict | Literal["returned"]
    odds: str | None
    net: int
    rules: Rules
    window: int | None = None
    played: int | None = None
    exact: str | None = None


class Inputs(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What a person finds or decides when ruling on an irregularity."""

    reconstructable: bool | None = None
    order: tuple[Card, ...] = ()
    replace_cards: bool = False
    action: Literal["", "void", "continue", "return-stakes", "cut-to-maximum"] = ""
    stakes: tuple[tuple[str, int, str], ...] = ()  # player, box and bet that the action is about
    overrides: tuple[int, ...] = ()  # interpretations set aside on record
    intended: tuple[str, ...] = ()
    substitutes: dict[str, Card] = {}
    set_aside: tuple[Card, ...] = ()
    reason: str = ""


class Pending(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """An irregularity that holds the round up.

    First a rank rules on it; then its `remedies` are carried out one by one. `choices` are what each player
    decided, empty text while that is outstanding. `decided_by` names the bet that establishes an outcome.
    """

    case: str
    facts: dict[str, str | bool]
    decided_by: str = ""
    decides: str
    rules: Rules
    earlier: bool = False  # it is about a round before this one
    ruled_by: str = ""
    drawn: tuple[Card, ...] = ()
    shown: tuple[int, ...] = ()
    players: tuple[str, ...] = ()
    box: int = 0
    remedies: tuple[str, ...] = ()
    inputs: Inputs | None = None
    choices: dict[str, str] = {}
    singly: bool = False  # wagers may be withdrawn one by one


class Irregularity(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """What went wrong in a round and how it was ruled; `shown` are places of cards seen in error."""

    case: str
    remedies: tuple[str, ...]
    shown: tuple[int, ...] = ()
    rules: Rules


class Settlement(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """`irregularities` of the round are part of its statement."""

    outcome: Literal["player", "banker", "tie"]
    player: int
    banker: int
    lines: tuple[Line, ...]
    irregularities: tuple[Irregularity, ...] = ()


class Permit(msgspec.Struct, frozen=True, gc=False):
    """Somebody may squeeze a card, and by what."""

    player: str
    rules: Rules


class Round(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The round being played, or the last one until the next is opened.

    `cards` in the order drawn, `exposed` those that everybody has seen, `handed` those that one person holds
    (by place in the order, from 1).
    """

    number: int
    phase: Phase
    shoe: int  # the number of the shoe it is dealt from
    stakes: dict[str, Stake] = {}
    played: dict[str, Played] = {}
    placings: int = 0
    cards: tuple[Card, ...] = ()
    exposed: tuple[int, ...] = ()
    handed: dict[int, str] = {}
    first_hand: Side | None = None
    requests: dict[str, tuple[int, ...]] = {}
    permits: dict[int, Permit] = {}
    refused: tuple[tuple[Side, str], ...] = ()
    reversed: bool = False
    window: Window | None = None
    purchases: tuple[Purchase, ...] = ()
    forgone: tuple[str, ...] = ()
    withdrawable: bool = False
    pending: Pending | None = None
    irregularities: tuple[Irregularity, ...] = ()
    neglected: dict[str, tuple[int, ...]] = {}
    must_raise: tuple[str, ...] = ()
    settlement: Settlement | None = None
    paid: tuple[Posting, ...] = ()  # what the settlement moved
    lost_device: str | None = None  # who lost the dealing device with it
    once_before: tuple[str, ...] = ()


class Shoe(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What has been drawn of the cards in use. `waiting` were drawn in excess and come first next round."""

    number: int
    size: int
    drawn: dict[str, int] = {}
    used: int = 0
    waiting: tuple[Card, ...] = ()
    waiting_seen: tuple[bool, ...] = ()  # which of these everybody has seen
    cut_out: bool = False
    cut_first: bool = False  # it came before the first card of the round

    @property
    def left(self) -> int:
        return self.size - self.used


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """`seats` by box; `staff` person to rank; `results` of the shoe so far, void rounds left out.

    `once` are people whose wagers under the minimum were settled once (MBS 5.14); `device` is who controls
    the dealing device (MBS method C).
    """

    setup: Setup
    next_setup: Setup | None = None
    players: tuple[str, ...] = ()
    seats: dict[int, str] = {}
    staff: dict[str, str]
    balances: dict[str, int] = {}
    shoe: Shoe | None = None
    rounds: int = 0
    round: Round | None = None
    results: tuple[RoadResult, ...] = ()
    once: tuple[str, ...] = ()
    device: str | None = None

    @property
    def rules(self) -> Rulebook:
        return self.setup.rules

    @property
    def phase(self) -> Phase | Literal["idle"]:
        return "idle" if self.round is None else self.round.phase

    def rack(self, player: str) -> int:
        return self.balances.get(rack(player), 0)

    def deal(self) -> Deal:
        return Deal(self.rules.table_of_play, self.round.cards if self.round else ())


def offer_odds(state: State, row: int) -> Odds:
    insurance = state.rules.insurance
    assert insurance is not None  # a purchase exists only where insurance does
    return insurance.offers[row].odds
