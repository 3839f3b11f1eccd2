"""What happened. Names are stored forever: an event's tag never changes its meaning.

Here and in the other types of a table `gc=False` spares the garbage collector what cannot form circles.
"""

from typing import Literal, TypeAlias

import msgspec

from thirdcard.cards import Card
from thirdcard.rulebook.model import Rules, Side
from thirdcard.table.ledger import Posting
from thirdcard.table.setup import Setup
from thirdcard.table.state import (
    Change,
    DrawnCard,
    Inputs,
    Line,
    OpenOffer,
    Pending,
    Played,
    Proposal,
    Purchase,
    Settlement,
    Stake,
)


class Event(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="event"):
    """`rules` are the paragraphs it rests on, `postings` the money it moves.

    `by` of something that a player does is who recorded it in the player's place, if somebody did.
    """

    rules: Rules = ()
    postings: tuple[Posting, ...] = ()


class TableOpened(Event, frozen=True, kw_only=True, tag="table-opened"):
    setup: Setup


class SetupChanged(Event, frozen=True, kw_only=True, tag="setup-changed"):
    """The set-up from the next round on; `before` is what it would have been without."""

    by: str
    setup: Setup
    before: Setup | None = None


class RulebookChanged(Event, frozen=True, kw_only=True, tag="rulebook-changed"):
    """From the next round on the table is played by the text that the set-up names.

    `before` is what it would have been played by. `ranks` says what those become whose rank the other ladder
    does not have.
    """

    by: str
    setup: Setup
    ranks: dict[str, str] = {}
    before: Setup | None = None


class PlayerJoined(Event, frozen=True, kw_only=True, tag="player-joined"):
    """Who comes back finds the `cents` that were kept; `brought` is what was bought in and not cashed in."""

    player: str
    cents: int = 0
    brought: int = 0
    by: str = ""


class PlayerLeft(Event, frozen=True, kw_only=True, tag="player-left"):
    """Somebody was away for so long that the table does without; the chips are kept for a return."""

    player: str
    cents: int = 0
    brought: int = 0


class BoughtIn(Event, frozen=True, kw_only=True, tag="bought-in"):
    player: str
    cents: int
    by: str = ""


class CashedOut(Event, frozen=True, kw_only=True, tag="cashed-out"):
    player: str
    cents: int
    by: str = ""


class SeatTaken(Event, frozen=True, kw_only=True, tag="seat-taken"):
    player: str
    box: int
    by: str = ""


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat-left"):
    """`by`: who stood the player up, if somebody did."""

    player: str
    box: int
    by: str = ""


class WalkedAway(Event, frozen=True, kw_only=True, tag="walked-away"):
    """Somebody with bets, cards or the device is gone: bets stay, insurance is forgone for the round."""

    player: str


class NoInsuranceRequested(Event, frozen=True, kw_only=True, tag="no-insurance-requested"):
    player: str


class StaffAssigned(Event, frozen=True, kw_only=True, tag="staff-assigned"):
    """`before` is the rank that the person had, if any."""

    by: str
    person: str
    rank: str
    before: str = ""


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


class LateChipsRecorded(Event, frozen=True, kw_only=True, tag="late-chips-recorded"):
    """Chips that were added after the close, or taken away (negative); they do not change what plays."""

    late: Stake
    by: str


class ChipsPutRight(Event, frozen=True, kw_only=True, tag="chips-put-right"):
    """Chips are again as they lay at the close: late ones are back in the rack, taken ones on the layout."""

    stakes: tuple[str, ...]


class CutCardAppeared(Event, frozen=True, kw_only=True, tag="cut-card-appeared"):
    first: bool


class WithdrawalAllowed(Event, frozen=True, kw_only=True, tag="withdrawal-allowed"):
    by: str


class CardDrawn(Event, frozen=True, kw_only=True, tag="card-drawn"):
    """The next card of the round, for that hand; `place` in the order drawn, from 1."""

    place: int
    hand: Side
    card: Card | None
    face_up: bool
    by: str
    keyed: str = ""  # who recorded it in the place of a player who drew


class CardsExposed(Event, frozen=True, kw_only=True, tag="cards-exposed"):
    """`names`, by place, are what showed where no name was on record."""

    places: tuple[int, ...]
    by: str
    names: dict[int, Card] = {}


class FirstHandChosen(Event, frozen=True, kw_only=True, tag="first-hand-chosen"):
    hand: Side
    by: str


class SqueezeRequested(Event, frozen=True, kw_only=True, tag="squeeze-requested"):
    player: str
    places: tuple[int, ...]
    by: str = ""


class SqueezePermitted(Event, frozen=True, kw_only=True, tag="squeeze-permitted"):
    player: str
    places: tuple[int, ...]
    by: str


class CardsHanded(Event, frozen=True, kw_only=True, tag="cards-handed"):
    """From now on these face-down cards are in that person's view alone; `wrongly` if without a right."""

    places: tuple[int, ...]
    player: str
    wrongly: bool = False


class CardsRefused(Event, frozen=True, kw_only=True, tag="cards-refused"):
    hand: Side
    player: str
    by: str = ""


class ThirdCardRequested(Event, frozen=True, kw_only=True, tag="third-card-requested"):
    """The person with the highest bet asks that the Banker's third card be seen first."""

    player: str
    by: str = ""


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
    why: Literal["given-up", "wager-lost", "left", "taken"]
    by: str = ""


class InsuranceOpened(Event, frozen=True, kw_only=True, tag="insurance-opened"):
    window: Literal[1, 2]
    offers: tuple[OpenOffer, ...]


class InsuranceBought(Event, frozen=True, kw_only=True, tag="insurance-bought"):
    purchase: Purchase
    odds: str
    by: str = ""


class InsuranceDeclined(Event, frozen=True, kw_only=True, tag="insurance-declined"):
    player: str
    by: str = ""


class InsuranceClosed(Event, frozen=True, kw_only=True, tag="insurance-closed"):
    """The dealer's word or the next card ends the window.

    Who was offered and kept silent has forgone the rest of the round.
    """

    window: Literal[1, 2]
    forgone: tuple[str, ...]
    late: bool = False


class RoundSettled(Event, frozen=True, kw_only=True, tag="round-settled"):
    settlement: Settlement
    player_pair: bool
    banker_pair: bool
    once: tuple[str, ...] = ()


class DecidedSettled(Event, frozen=True, kw_only=True, tag="decided-settled"):
    """Wagers that were already won or lost are settled before the round ends."""

    lines: tuple[Line, ...]
    once: tuple[str, ...] = ()


class SettlementReversed(Event, frozen=True, kw_only=True, tag="settlement-reversed"):
    """`nets` are what each had won or lost by it; earlier releases left them out."""

    by: str
    reason: str
    nets: dict[str, int] = {}


class CardsCorrected(Event, frozen=True, kw_only=True, tag="cards-corrected"):
    """How release 0.1.0 put the cards of a settled round right."""

    cards: tuple[Card, ...]
    by: str


class AmendmentProposed(Event, frozen=True, kw_only=True, tag="amendment-proposed"):
    proposal: Proposal


class AmendmentDropped(Event, frozen=True, kw_only=True, tag="amendment-dropped"):
    by: str
    reason: str


class CardsAmended(Event, frozen=True, kw_only=True, tag="cards-amended"):
    """The cards as they really were drawn; what follows from them is derived anew."""

    cards: tuple[DrawnCard, ...]
    waiting: tuple[DrawnCard, ...]
    by: str


class RecordAmended(Event, frozen=True, kw_only=True, tag="record-amended"):
    """What a record that was put right makes different, for whom, in cents."""

    by: str
    agreed: str = ""  # who else confirmed it
    reason: str
    changes: tuple[Change, ...]


class RoundVoided(Event, frozen=True, kw_only=True, tag="round-voided"):
    """`waiting` are the cards that open the next round, where cards in excess are now among them."""

    by: str
    reason: str
    waiting: tuple[DrawnCard, ...] | None = None


class IrregularityReported(Event, frozen=True, kw_only=True, tag="irregularity-reported"):
    """The round is held up; `drawn` cards have left the shoe. `first`: it comes before those that wait."""

    by: str
    pending: Pending
    first: bool = False


class ReportDismissed(Event, frozen=True, kw_only=True, tag="report-dismissed"):
    """A report is taken back before anything was carried out; `number` is its place among those that wait."""

    case: str
    number: int
    by: str
    reason: str


class ReportEnded(Event, frozen=True, kw_only=True, tag="report-ended"):
    """What it was about is no more: the deal was reset. `number` is its place among those that wait."""

    case: str
    number: int


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


class RemedyNeedless(Event, frozen=True, kw_only=True, tag="remedy-needless"):
    """There was nothing for it to change."""

    remedy: str


class StakesDecided(Event, frozen=True, kw_only=True, tag="stakes-decided"):
    """Stakes outside the limits that a decision was taken on; those that are `freed` of the differential."""

    stakes: tuple[str, ...]
    freed: tuple[str, ...] = ()


class DisplayCorrected(Event, frozen=True, kw_only=True, tag="display-corrected"):
    """A display showed something else than the cards; these decide."""

    shown: str
    actual: str


class IrregularityClosed(Event, frozen=True, kw_only=True, tag="irregularity-closed"):
    """The round goes on, or is over."""

    case: str


class CardsLaid(Event, frozen=True, kw_only=True, tag="cards-laid"):
    """The round's cards in the order they belong in; `waiting` come next; `out` are in no place any more."""

    cards: tuple[DrawnCard, ...]
    waiting: tuple[DrawnCard, ...]
    out: tuple[Card, ...] = ()


class CardsReconstructed(Event, frozen=True, kw_only=True, tag="cards-reconstructed"):
    """How release 0.1.0 laid cards: `waiting` come next, and some of them are `seen`.

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
    """Cards that a person held go back to the dealer."""

    places: tuple[int, ...]
    by: str = ""
    reason: str = ""


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


class NeglectFound(Event, frozen=True, kw_only=True, tag="neglect-found"):
    """That window was never offered to these people: they have not been silent about it."""

    window: int
    players: tuple[str, ...]


class NeglectRecorded(Event, frozen=True, kw_only=True, tag="neglect-recorded"):
    """Original bets that go back if one of these rows would have won, by stake."""

    by: str
    rows: dict[str, tuple[int, ...]]


AnyEvent: TypeAlias = (
    TableOpened | SetupChanged | RulebookChanged | PlayerJoined | PlayerLeft | BoughtIn | CashedOut
    | SeatTaken | SeatLeft | WalkedAway | NoInsuranceRequested | StaffAssigned | ShoeStarted | BetsOpened
    | StakeSet | DifferentialExceeded | BetsClosed | PlayedChanged | LateChipsRecorded | ChipsPutRight
    | CutCardAppeared | WithdrawalAllowed | CardDrawn | CardsExposed | FirstHandChosen | SqueezeRequested
    | SqueezePermitted | CardsHanded | CardsRefused | ThirdCardRequested | ThirdCardsReversed
    | DeviceGiven | DeviceReturned | InsuranceOpened | InsuranceBought | InsuranceDeclined
    | InsuranceClosed | RoundSettled | DecidedSettled | SettlementReversed | CardsCorrected
    | AmendmentProposed | AmendmentDropped | CardsAmended | RecordAmended | RoundVoided
    | IrregularityReported | ReportDismissed | ReportEnded | IrregularityRuled | ChoicesOffered
    | ChoiceMade
    | RemedyDone | RemedyNeedless | StakesDecided | DisplayCorrected | IrregularityClosed | CardsLaid
    | CardsReconstructed | CardsReplaced | CardsRetrieved | BetsReopened | RaiseDemanded
    | InsuranceForgone | LateInsuranceOpened | NeglectFound | NeglectRecorded
)  # fmt: skip


def tag_of(event: AnyEvent | type[AnyEvent]) -> str:
    """The name that an event, or one of that type, is stored under."""
    return str(event.__struct_config__.tag)
