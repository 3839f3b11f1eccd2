"""A table between two events: everything that the next decision can depend on."""

from typing import Literal, TypeAlias

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK, Card
from thirdcard.money import Odds
from thirdcard.play.bets import Verdict
from thirdcard.play.tableau import INITIAL, Deal, next_hand
from thirdcard.roads import RoadResult
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Rules, Side, TableOfPlay
from thirdcard.table.ledger import Posting, owed, rack
from thirdcard.table.setup import Setup

Phase: TypeAlias = Literal["betting", "adjusting", "dealing", "settled", "void"]
HANDS: tuple[str, str] = ("player", "banker")
UNDER_WAY = ("betting", "adjusting", "dealing")  # a round in which somebody can still walk away


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


class DrawnCard(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A card that has left the shoe, as it lies.

    `name` is unknown until somebody who may has named it: it was turned, or a device read it. `holder` is the
    person who has it in hand, empty while it lies on the table in the dealer's care. `seen_by` are people who
    have had it in hand; `squeezer` was given it by right and it was not taken back. A `doubtful` card was
    touched by an error that could not be put right.
    """

    name: Card | None = None
    face_up: bool = False  # everybody has seen it
    holder: str = ""
    seen_by: tuple[str, ...] = ()
    squeezer: str = ""
    doubtful: bool = False


class OpenOffer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A row of the insurance table that is open now; `row` is its place in the table."""

    row: int
    hand: Side
    odds: str
    rules: Rules


class Offering(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Insurance as it was offered, and what people said to it.

    A late offer is made to `people` by name, any other to everybody. `silent` had said nothing when it was
    closed; `unasked` were found not to have been offered it after all.
    """

    window: Literal[1, 2]
    offers: tuple[OpenOffer, ...]
    people: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    over: bool = False


class Absence(msgspec.Struct, frozen=True, gc=False):
    """Somebody walked away when so many `cards` of the round lay there, and may be `back`.

    Who only gave up a seat is not there to be handed anything, but has walked away from nothing.
    """

    player: str
    cards: int
    back: bool = False
    walked: bool = True


class Purchase(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Insurance that somebody bought, as it was bought; what of it plays is derived (`playing`)."""

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
    """What a person finds or decides when ruling on an irregularity.

    Each remedy says which of these it asks for; one that no remedy asks for is refused. `order` names cards,
    or their numbers among those in question where nobody has seen them. `amounts` are what the `stakes`
    keep. `names` and `substitutes` are cards by their place. `overrides` set interpretations aside: `action`
    is then what is carried out instead.
    """

    reconstructable: bool | None = None
    order: tuple[Card | int, ...] = ()
    replace_cards: bool = False
    action: Literal[
        "", "void", "continue", "return-stakes", "cut-to-maximum", "cut-stakes", "let-stand",
        "withdraw", "withdraw-all", "fix-order",
    ] = ""  # fmt: skip
    stakes: tuple[tuple[str, int, str], ...] = ()  # player, box and bet that the action is about
    amounts: tuple[int, ...] = ()
    overrides: tuple[int, ...] = ()
    intended: tuple[str, ...] = ()
    names: dict[str, Card] = {}
    substitutes: dict[str, Card] = {}
    set_aside: tuple[Card, ...] = ()
    reason: str = ""


class Chosen(msgspec.Struct, frozen=True, gc=False):
    """What somebody chose after an error."""

    player: str
    choice: Literal["continue", "return"]


class Pending(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """An irregularity that holds the round up.

    First a rank rules on it; then its `remedies` are carried out one by one. `asked` are the players who were
    given a choice when it was offered, `chosen` what they said; who has still to choose is derived
    (`rights.choosing`). `decided_by` names the bet that establishes an outcome.
    `drawn` came out besides the cards on record, `cards` are places of cards on record that it is about,
    `shown` places of cards that everybody has seen in error, counting on through `drawn`. `note` is what the
    reporter wrote, for staff alone.
    """

    case: str
    facts: dict[str, str | bool]
    decided_by: str = ""
    decides: str
    rules: Rules
    earlier: bool = False  # it is about a round before this one
    first: int = 0  # the place of the first card that came out, after all that lay there or waited to be laid
    ruled_by: str = ""
    drawn: tuple[Card | None, ...] = ()
    shown: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    names: dict[int, Card] = {}  # what shows on recorded cards that had no name
    waited: tuple[DrawnCard, ...] = ()  # those of `drawn` that were waiting, as they lay
    players: tuple[str, ...] = ()
    box: int = 0
    window: int = 0  # the insurance window that was neglected
    displayed: str = ""  # what a display showed
    note: str = ""
    remedies: tuple[str, ...] = ()
    inputs: Inputs | None = None
    asked: tuple[str, ...] | None = None
    chosen: tuple[Chosen, ...] = ()
    singly: bool = False  # wagers may be withdrawn one by one
    was_settled: bool = False  # its settlement was reversed for this


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

    @property
    def nets(self) -> dict[str, int]:
        """What each player has won or lost."""
        found: dict[str, int] = {}
        for line in self.lines:
            found[line.player] = found.get(line.player, 0) + line.net
        return found


class Change(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One thing that an amended record makes different; amounts are cents.

    `what` is a hand, the card that is due, an offer, a cap, insurance or its odds, a share or a settlement;
    `who` the hand or the person. Empty text before or after means that there was or is no such thing.
    """

    what: Literal["hand", "due", "offer", "cap", "insurance", "odds", "share", "settlement"]
    who: str
    box: int = 0
    before: str | int = ""
    after: str | int = ""


class Proposal(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Cards as they really were drawn, put forward by one person and not yet confirmed by another."""

    cards: tuple[Card | None, ...]
    by: str
    reason: str


class Permit(msgspec.Struct, frozen=True, gc=False):
    """Somebody was let squeeze a card, by what, and on which stake that rests, if on one."""

    player: str
    rules: Rules
    stake: str = ""


class Round(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The round being played, or the last one until the next is opened: what happened in it.

    What people may do follows from it (`rights`). `drawn` are its cards in the order drawn; whose they are
    follows from the order. `stakes` are in play, `closed` as they lay at the close, `played` what of them
    does not play in full, `late` chips added (or, negative, taken away) after it and not yet put right.
    `accepted` have chosen to go on after an error. `decided` are stakes outside the limits that a decision
    was taken on. `lacks` is what a reversal under way has left people owing.
    """

    number: int
    phase: Phase
    shoe: int  # the number of the shoe it is dealt from
    stakes: dict[str, Stake] = {}
    closed: dict[str, Stake] = {}
    played: dict[str, Played] = {}
    late: dict[str, Stake] = {}
    decided: tuple[str, ...] = ()
    freed: tuple[str, ...] = ()  # stakes for which the differential was set aside
    placings: int = 0
    lacks: dict[str, int] | None = None
    absences: tuple[Absence, ...] = ()
    drawn: tuple[DrawnCard, ...] = ()
    amended: bool = False  # cards or stakes are no longer what insurance was bought on
    cut_first: bool = False  # the cut card came before its first card
    withdrawal: bool = False  # which was taken as leave to withdraw wagers
    withdrew: tuple[str, ...] = ()  # have taken wagers back by right
    first_hand: Side | None = None
    requests: dict[str, tuple[int, ...]] = {}
    permits: dict[int, Permit] = {}
    refused: tuple[tuple[Side, str], ...] = ()
    third_request: str = ""  # who has asked for the Banker's third card first
    reversed: bool = False  # the House has consented to that
    dealer_draws: bool = False  # decided where a player should have drawn
    offerings: tuple[Offering, ...] = ()
    purchases: tuple[Purchase, ...] = ()
    neglected: dict[str, tuple[int, ...]] = {}
    pending: Pending | None = None
    reported: tuple[Pending, ...] = ()  # irregularities that wait behind it
    proposal: Proposal | None = None
    irregularities: tuple[Irregularity, ...] = ()
    accepted: tuple[str, ...] = ()
    must_raise: tuple[str, ...] = ()
    early: tuple[Line, ...] = ()  # bets that were settled before it ended
    early_paid: tuple[Posting, ...] = ()  # what that moved
    settlement: Settlement | None = None
    paid: tuple[Posting, ...] = ()  # what the settlement moved
    repaid: dict[str, int] = {}  # of that, older debts that it paid
    lost_device: str | None = None  # who lost the dealing device with it

    @property
    def cards(self) -> tuple[Card | None, ...]:
        """Names in the order drawn, `None` where no name is on record."""
        return tuple([card.name for card in self.drawn])

    @property
    def exposed(self) -> tuple[int, ...]:
        """Places of the cards that everybody has seen."""
        return tuple([place for place, card in enumerate(self.drawn, start=1) if card.face_up])

    @property
    def hidden(self) -> tuple[int, ...]:
        """Places of the cards that lie face down or are in somebody's hands."""
        return tuple([place for place, card in enumerate(self.drawn, start=1) if not card.face_up])

    @property
    def handed(self) -> dict[int, str]:
        """Who holds which card, by place."""
        return {place: card.holder for place, card in enumerate(self.drawn, start=1) if card.holder}

    @property
    def seen(self) -> tuple[Card, ...]:
        """The cards that everybody has seen, as far as they follow one another from the first."""
        found = []
        for card in self.drawn:
            if not card.face_up or card.name is None:
                break
            found.append(card.name)
        return tuple(found)

    @property
    def all_seen(self) -> bool:
        return not [card for card in self.drawn if not card.face_up]

    def hand(self, table: TableOfPlay, place: int) -> Side | None:
        """The hand that the card at a place belongs to, drawn or to come; `None` while that is open."""
        if place <= INITIAL:
            return Side.PLAYER if place % 2 else Side.BANKER
        if place > INITIAL + 1:
            return Side.BANKER  # it can only be the second of two third cards
        here = len(self.drawn) >= place  # then everybody has seen why; else only what all have seen may tell
        first = [
            card.name for card in self.drawn[:INITIAL] if card.name is not None and (here or card.face_up)
        ]
        return next_hand(table, tuple(first)) if len(first) == INITIAL else None

    def hand_of_drawn(self, table: TableOfPlay, place: int) -> Side:
        """Whose a drawn card is: it was laid once that was known."""
        hand = self.hand(table, place)
        assert hand is not None
        return hand

    @property
    def gone(self) -> tuple[str, ...]:
        """Who has walked away and is not back."""
        return tuple(
            dict.fromkeys(
                [absence.player for absence in self.absences if absence.walked and not absence.back]
            )
        )

    @property
    def away(self) -> tuple[str, ...]:
        """The same, and who has given up a seat: nobody who has left is handed cards (interpretation 55)."""
        return tuple(dict.fromkeys([absence.player for absence in self.absences if not absence.back]))


class Shoe(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What has left the cards in use: `drawn` counts those with a name, `used` all of them.

    `waiting` came out in excess and are the next to be drawn. `unturned` counts those of `drawn` that went
    out of play and that nobody has seen.
    """

    number: int
    size: int
    drawn: dict[str, int] = {}
    used: int = 0
    waiting: tuple[DrawnCard, ...] = ()
    cut_out: bool = False
    unturned: dict[str, int] = {}

    @property
    def decks(self) -> int:
        return self.size // CARDS_IN_A_DECK

    @property
    def left(self) -> int:
        return self.size - self.used

    @property
    def to_come(self) -> int:
        """Cards that can still be drawn, those that wait included."""
        return self.size - self.used + len(self.waiting)


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """`seats` by box; `staff` person to rank; `results` of the shoe so far, void rounds left out.

    `next_ranks` are what ranks become with `next_setup`, where its ladder is another.
    `settled_once` are people whose wagers under the minimum earlier rounds have settled (MBS 5.14); `device`
    is who controls the dealing device (MBS method C), `leave` the round for which that person needs no wager.
    `asked` are players who want a private table without insurance (RWS 4.2.2).
    """

    setup: Setup
    next_setup: Setup | None = None
    next_ranks: dict[str, str] = {}
    players: tuple[str, ...] = ()
    seats: dict[int, str] = {}
    staff: dict[str, str]
    balances: dict[str, int] = {}
    shoe: Shoe | None = None
    rounds: int = 0
    round: Round | None = None
    results: tuple[RoadResult, ...] = ()
    settled_once: tuple[str, ...] = ()
    device: str | None = None
    leave: int = 0
    asked: tuple[str, ...] = ()

    @property
    def rulebook(self) -> Rulebook:
        return self.setup.book

    @property
    def phase(self) -> Phase | Literal["idle"]:
        return "idle" if self.round is None else self.round.phase

    @property
    def once(self) -> tuple[str, ...]:
        """Whose wagers under the minimum were settled once, this round included if it has settled any."""
        current, limit_of = self.round, self.setup.limit_of
        if current is None or self.rulebook.limits.below_minimum_unnoticed.value != "settle-once":
            return self.settled_once
        lines = (*current.early, *(current.settlement.lines if current.settlement else ()))
        low = (
            line for line in lines if line.result in ("win", "lose") and line.stake < limit_of[line.bet].min
        )
        return tuple(dict.fromkeys((*self.settled_once, *(line.player for line in low))))

    def rack(self, player: str) -> int:
        return self.balances.get(rack(player), 0)

    def debt(self, player: str) -> int:
        """What a person owes the House since a reversal found too few chips (interpretation 37)."""
        return -self.balances.get(owed(player), 0)

    def deal(self) -> Deal:
        """The round as far as everybody has seen its cards, in order."""
        return Deal(self.rulebook.table_of_play, self.round.seen if self.round else ())


def offer_odds(state: State, row: int) -> Odds:
    insurance = state.rulebook.insurance
    assert insurance is not None  # a purchase exists only where insurance does
    return insurance.offers[row].odds
