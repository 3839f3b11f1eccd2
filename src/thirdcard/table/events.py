"""What happened. Names are stored forever: an event's tag never changes its meaning.

Here and in the other types of a table `gc=False` spares the garbage collector what cannot form circles.
"""

from typing import Literal, TypeAlias

import msgspec

from thirdcard.cards import Card
from thirdcard.rulebook.model import Rules, Side
from thirdcard.table.ledger import Posting
from thirdcard.table.setup import Setup
from thirdcard.table.state import Inputs, OpenOffer, Pending, Played, Purchase, Settlement, Stake


class Event(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="event"):
    """`rules` are the paragraphs it rests on, `postings` the money it moves."""

    rules: Rules = ()
    postings: tuple[Posting, ...] = ()


class TableOpened(Event, frozen=True, kw_only=True, tag="table-opened"):
    setup: Setup


class SetupChanged(Event, frozen=True, kw_only=True, tag="setup-changed"):
    """The set-up from the next round on."""

    by: str
    setup: Setup


class PlayerJoined(Event, frozen=True, kw_only=True, tag="player-joined"):
    player: str


class BoughtIn(Event, frozen=True, kw_only=True, tag="bought-in"):
    player: str
    cents: int


class CashedOut(Event, frozen=True, kw_only=True, tag="cashed-out"):
    player: str
    cents: int


class SeatTaken(Event, frozen=True, kw_only=True, tag="seat-taken"):
    player: str
    box: int


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat-left"):
    player: str
    box: int


class StaffAssigned(Event, frozen=True, kw_only=True, tag="staff-assigned"):
    by: str
    person: str
    rank: str


class ShoeStarted(Event, frozen=True, kw_only=True, tag="shoe-started"):
    number: int
    size: int


class BetsOpened(Event, frozen=True, kw_only=True, tag="bets-opened"):
    """A round begins; the one before it is final."""

    number: int


class StakeSet(Event, frozen=True, kw_only=True, tag="stake-set"):
    """A person's chips on a bet are now `stake`; they were `before`. A stake of 0 cents is gone."""

    why: Literal["placed", "taken-back", "recorded", "cut", "removed", "withdrawn", "returned"]
    stake: Stake
    before: int


class DifferentialExceeded(Event, frozen=True, kw_only=True, tag="differential-exceeded"):
    """The table differential stands in the way of the close: the heavier hand is asked to decrease."""

    heavier: Side
    excess: int


class BetsClosed(Event, frozen=True, kw_only=True, tag="bets-closed"):
    """`played` holds the stakes that do not play in full."""

    played: dict[str, Played]


class PlayedChanged(Event, frozen=True, kw_only=True, tag="played-changed"):
    """Chips recorded after the close changed what stakes play for; insurance is scaled with them."""

    played: dict[str, Played]
    purchases: tuple[Purchase, ...]


class CutCardAppeared(Event, frozen=True, kw_only=True, tag="cut-card-appeared"):
    first: bool


class WithdrawalAllowed(Event, frozen=True, kw_only=True, tag="withdrawal-allowed"):
    by: str


class CardDrawn(Event, frozen=True, kw_only=True, tag="card-drawn"):
    """The next card of the round, for that hand; `place` in the order drawn, from 1."""

    place: int
    hand: Side
    card: Card
    face_up: bool
    by: str


class CardsExposed(Event, frozen=True, kw_only=True, tag="cards-exposed"):
    places: tuple[int, ...]
    by: str


class FirstHandChosen(Event, frozen=True, kw_only=True, tag="first-hand-chosen"):
    hand: Side
    by: str


class SqueezeRequested(Event, frozen=True, kw_only=True, tag="squeeze-requested"):
    player: str
    places: tuple[int, ...]


class SqueezePermitted(Event, frozen=True, kw_only=True, tag="squeeze-permitted"):
    player: str
    places: tuple[int, ...]
    by: str


class CardsHanded(Event, frozen=True, kw_only=True, tag="cards-handed"):
    """From now on these face-down cards are in that person's view alone."""

    places: tuple[int, ...]
    player: str


class CardsRefused(Event, frozen=True, kw_only=True, tag="cards-refused"):
    hand: Side
    player: str


class ThirdCardsReversed(Event, frozen=True, kw_only=True, tag="third-cards-reversed"):
    """The Banker's third card is seen first; nobody is offered insurance in the second window."""

    player: str
    by: str


class DeviceGiven(Event, frozen=True, kw_only=True, tag="device-given"):
    player: str
    by: str
    without_wager: bool = False


class DeviceReturned(Event, frozen=True, kw_only=True, tag="device-returned"):
    player: str
    why: Literal["given-up", "wager-lost"]


class InsuranceOpened(Event, frozen=True, kw_only=True, tag="insurance-opened"):
    window: Literal[1, 2]
    offers: tuple[OpenOffer, ...]


class InsuranceBought(Event, frozen=True, kw_only=True, tag="insurance-bought"):
    purchase: Purchase
    odds: str
    by: str = ""


class InsuranceDeclined(Event, frozen=True, kw_only=True, tag="insurance-declined"):
    player: str


class InsuranceClosed(Event, frozen=True, kw_only=True, tag="insurance-closed"):
    """The next card ends the window; who was offered and kept silent has forgone the rest of the round."""

    window: Literal[1, 2]
    forgone: tuple[str, ...]


class RoundSettled(Event, frozen=True, kw_only=True, tag="round-settled"):
    settlement: Settlement
    player_pair: bool
    banker_pair: bool
    once: tuple[str, ...] = ()


class SettlementReversed(Event, frozen=True, kw_only=True, tag="settlement-reversed"):
    by: str
    reason: str


class CardsCorrected(Event, frozen=True, kw_only=True, tag="cards-corrected"):
    cards: tuple[Card, ...]
    by: str


class RoundVoided(Event, frozen=True, kw_only=True, tag="round-voided"):
    by: str
    reason: str


class IrregularityReported(Event, frozen=True, kw_only=True, tag="irregularity-reported"):
    """The round is held up; `drawn` cards have left the shoe."""

    by: str
    pending: Pending


class IrregularityRuled(Event, frozen=True, kw_only=True, tag="irregularity-ruled"):
    case: str
    by: str
    facts: dict[str, str | bool]
    remedies: tuple[str, ...]
    inputs: Inputs


class ChoicesOffered(Event, frozen=True, kw_only=True, tag="choices-offered"):
    """These players say whether they go on or take undecided bets back."""

    players: tuple[str, ...]
    singly: bool


class ChoiceMade(Event, frozen=True, kw_only=True, tag="choice-made"):
    """`returned` stakes and the insurance on them are back in the rack."""

    player: str
    choice: Literal["continue", "return"]
    returned: tuple[str, ...] = ()
    by: str = ""


class RemedyDone(Event, frozen=True, kw_only=True, tag="remedy-done"):
    remedy: str


class IrregularityClosed(Event, frozen=True, kw_only=True, tag="irregularity-closed"):
    """The round goes on, or is over."""

    case: str


class CardsReconstructed(Event, frozen=True, kw_only=True, tag="cards-reconstructed"):
    """The round's cards in the order they belong in; `waiting` come next, and some of them are `seen`.

    `out` are cards that were reported and belong nowhere.
    """

    cards: tuple[Card, ...]
    exposed: tuple[int, ...]
    waiting: tuple[Card, ...]
    seen: tuple[bool, ...]
    out: tuple[Card, ...] = ()


class CardsReplaced(Event, frozen=True, kw_only=True, tag="cards-replaced"):
    """The cards in use come out of play: a new shoe is needed before the next round."""

    by: str


class CardsRetrieved(Event, frozen=True, kw_only=True, tag="cards-retrieved"):
    """Cards that the wrong person held go back to the dealer."""

    places: tuple[int, ...]


class BetsReopened(Event, frozen=True, kw_only=True, tag="bets-reopened"):
    """The device is reset: betting is open again, and the cards drawn count no more."""


class RaiseDemanded(Event, frozen=True, kw_only=True, tag="raise-demanded"):
    """These stakes have to reach the minimum or come off before the close."""

    stakes: tuple[str, ...]


class InsuranceForgone(Event, frozen=True, kw_only=True, tag="insurance-forgone"):
    players: tuple[str, ...]


class LateInsuranceOpened(Event, frozen=True, kw_only=True, tag="late-insurance-opened"):
    """A neglected offer is made now, to these people."""

    window: Literal[1, 2]
    offers: tuple[OpenOffer, ...]
    players: tuple[str, ...]


class NeglectRecorded(Event, frozen=True, kw_only=True, tag="neglect-recorded"):
    """Original bets that go back if one of these rows would have won, by stake."""

    by: str
    rows: dict[str, tuple[int, ...]]


AnyEvent: TypeAlias = (
    TableOpened | SetupChanged | PlayerJoined | BoughtIn | CashedOut | SeatTaken | SeatLeft | StaffAssigned
    | ShoeStarted | BetsOpened | StakeSet | DifferentialExceeded | BetsClosed | PlayedChanged
    | CutCardAppeared
    | WithdrawalAllowed | CardDrawn | CardsExposed | FirstHandChosen | SqueezeRequested | SqueezePermitted
    | CardsHanded | CardsRefused | ThirdCardsReversed | DeviceGiven | DeviceReturned | InsuranceOpened
    | InsuranceBought | InsuranceDeclined | InsuranceClosed | RoundSettled | SettlementReversed
    | CardsCorrected | RoundVoided | IrregularityReported | IrregularityRuled | ChoicesOffered | ChoiceMade
    | RemedyDone | IrregularityClosed | CardsReconstructed | CardsReplaced | CardsRetrieved | BetsReopened
    | RaiseDemanded | InsuranceForgone | LateInsuranceOpened | NeglectRecorded
)  # fmt: skip
