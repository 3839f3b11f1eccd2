"""What people can ask of a table. `by` is who asks; in JSON a command is named by its `command`.

Where a command is a player's, staff name the `player` for whom they record it.
"""

import re
from typing import Literal, TypeAlias

import msgspec

from thirdcard.cards import Card, parse_card
from thirdcard.errors import BadInput
from thirdcard.rulebook.model import Side
from thirdcard.table.setup import Limit
from thirdcard.table.state import Inputs


class Command(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="command",
):
    by: str


# People -------------------------------------------------------------------------------------------------


class Join(Command, frozen=True, kw_only=True, tag="join"):
    """A person comes to the table, with no chips yet."""

    player: str = ""


class BuyIn(Command, frozen=True, kw_only=True, tag="buy-in"):
    cents: int
    player: str = ""


class CashOut(Command, frozen=True, kw_only=True, tag="cash-out"):
    cents: int
    player: str = ""


class Sit(Command, frozen=True, kw_only=True, tag="sit"):
    box: int
    player: str = ""


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Give up the seat; chips on the layout stay and are settled. Staff name the `player` they stand up."""

    player: str = ""


class Assign(Command, frozen=True, kw_only=True, tag="assign"):
    """Put a person into a rank, up to one's own."""

    person: str
    rank: str


class Changes(
    msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What of a set-up may change between rounds; what is left out stays."""

    limits: dict[str, Limit] | None = None
    differential: int | None = None
    method: str | None = None
    insurance: bool | None = None
    wagers_per_area: int | None = None
    cut: int | None = None
    device: Literal["shoe", "reader"] | None = None


class ChangeSetup(Command, frozen=True, kw_only=True, tag="change-setup"):
    """Takes effect with the next round."""

    changes: Changes


class ChangeRulebook(Command, frozen=True, kw_only=True, tag="change-rulebook"):
    """Play by another text, of this rulebook or of another, from the next round on.

    `digest` chooses one text of the rulebook, the latest if left out. `layout` where it is not the present
    one, `ranks` what a rank becomes that the other ladder does not have.
    """

    rulebook: str
    digest: str = ""
    layout: str = ""
    ranks: dict[str, str] = {}
    changes: Changes = Changes()


class RequestNoInsurance(Command, frozen=True, kw_only=True, tag="request-no-insurance"):
    """Ask, at a private table, that no insurance be offered; a pit manager grants it by `change-setup`."""


# A round ------------------------------------------------------------------------------------------------


class NewShoe(Command, frozen=True, kw_only=True, tag="new-shoe"):
    """A full set of shuffled cards comes into use."""


class Open(Command, frozen=True, kw_only=True, tag="open"):
    """The dealer says: Place your bets, please."""


class Place(Command, frozen=True, kw_only=True, tag="place"):
    """Add chips to a bet."""

    box: int
    bet: str
    cents: int
    player: str = ""


class TakeBack(Command, frozen=True, kw_only=True, tag="take-back"):
    """Take chips off a bet, all of them if `cents` is left out."""

    box: int
    bet: str
    cents: int | None = None
    player: str = ""


class RecordChips(Command, frozen=True, kw_only=True, tag="record-chips"):
    """Chips as they lie: staff set what a person has on a bet, whatever the limits.

    After the close this puts the record right, to how the chips lay at the close, with a `reason`.
    """

    player: str
    box: int
    bet: str
    cents: int
    reason: str = ""


class LateChips(Command, frozen=True, kw_only=True, tag="late-chips"):
    """Chips that somebody added after the close or, with negative `cents`, took away: they change nothing."""

    player: str
    box: int
    bet: str
    cents: int


class RejectExcess(Command, frozen=True, kw_only=True, tag="reject-excess"):
    """What is over the differential in a box goes back before the close."""

    box: int


class Remove(Command, frozen=True, kw_only=True, tag="remove"):
    """Take so much of a wager off to meet the table differential."""

    player: str
    box: int
    bet: str
    cents: int


class Close(Command, frozen=True, kw_only=True, tag="close"):
    """The dealer says: No more bets."""


class CutCard(Command, frozen=True, kw_only=True, tag="cut-card"):
    """The cut card comes out and is put aside."""


class AllowWithdrawal(Command, frozen=True, kw_only=True, tag="allow-withdrawal"):
    """Players may take wagers back because the cut card came first."""


class Draw(Command, frozen=True, kw_only=True, tag="draw"):
    """The next card leaves the shoe.

    It is named where it is dealt face up or a device reads it; from an ordinary shoe at a face-down table
    nobody has seen it yet, and it is named when it is turned. Without a `place` it also ends the insurance
    on offer; with one it is for that place and no other, and never while insurance is open. `player` has the
    device and drew it: the dealer records that.
    """

    card: Card | None = None
    place: int = 0
    player: str = ""


class Expose(Command, frozen=True, kw_only=True, tag="expose"):
    """Turn cards face up, by their places in the order drawn.

    `names`, in the same order, are what shows, where no device has read them: the dealer says them.
    `player`: who turns them, where staff record it.
    """

    cards: tuple[int, ...]
    names: tuple[Card, ...] = ()
    player: str = ""


class RevealFirst(Command, frozen=True, kw_only=True, tag="reveal-first"):
    hand: Side


class RequestSqueeze(Command, frozen=True, kw_only=True, tag="request-squeeze"):
    """Ask to squeeze cards that are yet to be drawn."""

    cards: tuple[int, ...]
    player: str = ""


class PermitSqueeze(Command, frozen=True, kw_only=True, tag="permit-squeeze"):
    """Let a person squeeze cards."""

    player: str
    cards: tuple[int, ...]


class HandOver(Command, frozen=True, kw_only=True, tag="hand-over"):
    """Pass face-down cards to the person who squeezes them."""

    cards: tuple[int, ...]
    player: str
    wrongly: bool = False  # it went to somebody who had no right to it


class TakeCards(Command, frozen=True, kw_only=True, tag="take-cards"):
    """Take cards back from who holds them."""

    cards: tuple[int, ...]
    reason: str


class RefuseCards(Command, frozen=True, kw_only=True, tag="refuse-cards"):
    """Decline to handle a hand; the right passes on."""

    hand: Side
    player: str = ""


class RequestBankerThirdFirst(Command, frozen=True, kw_only=True, tag="request-banker-third-first"):
    """Ask that the Banker's third card be seen before the Player's."""

    player: str = ""


class BankerThirdFirst(Command, frozen=True, kw_only=True, tag="banker-third-first"):
    """Consent that the Banker's third card is seen before the Player's; the second window is waived."""

    player: str


class GiveDevice(Command, frozen=True, kw_only=True, tag="give-device"):
    """Let a player draw the cards."""

    player: str


class GiveUpDevice(Command, frozen=True, kw_only=True, tag="give-up-device"):
    """Said by the holder, or by `player` to the dealer."""

    player: str = ""


class TakeDevice(Command, frozen=True, kw_only=True, tag="take-device"):
    """The dealer takes the device back from a holder who is gone or has no wager and no leave."""


class Insure(Command, frozen=True, kw_only=True, tag="insure"):
    """Buy insurance on a hand; `window` where a late offer is open beside the window of the moment."""

    box: int
    hand: Side
    cents: int
    player: str = ""
    window: int = 0


class Decline(Command, frozen=True, kw_only=True, tag="decline"):
    """Say no to the insurance on offer."""

    player: str = ""


class CloseInsurance(Command, frozen=True, kw_only=True, tag="close-insurance"):
    """The dealer says that insurance is closed: everybody has answered but the `silent`, who forgo it."""

    silent: tuple[str, ...] = ()


class Settle(Command, frozen=True, kw_only=True, tag="settle"):
    """Announce the result, pay and collect."""


class Void(Command, frozen=True, kw_only=True, tag="void"):
    """Invalidate the round: every bet goes back."""

    reason: str


class Correct(Command, frozen=True, kw_only=True, tag="correct"):
    """The cards of a settled round were recorded wrongly: reverse and settle what really lay there."""

    cards: tuple[Card, ...]
    reason: str


class Amend(Command, frozen=True, kw_only=True, tag="amend"):
    """The cards were recorded wrongly: all of the round's in the order drawn, as they really are.

    A card that nobody has seen yet stays without a name. Somebody else has to confirm it, and one of the two
    is of the rank that puts records right.
    """

    cards: tuple[Card | None, ...]
    reason: str


class ConfirmAmendment(Command, frozen=True, kw_only=True, tag="confirm-amendment"):
    """The second person agrees: the record is put right, and all that follows from it."""


class DropAmendment(Command, frozen=True, kw_only=True, tag="drop-amendment"):
    """The record was right after all."""

    reason: str


# Irregularities --------------------------------------------------------------------------------------


class Report(Command, frozen=True, kw_only=True, tag="report"):
    """Something went wrong: the round pauses until it is ruled on.

    `drawn`: cards that came out and are not yet recorded, in the order drawn if that is known, without a
    name where nobody has seen them. `cards`: places of recorded cards that it is about. `shown`: places of
    cards that everybody has seen though they should not have, those of `drawn` counting on from the last
    recorded one. `names`: what shows on recorded cards that had no name, by place. `players`: whom it
    concerns. `round`: an earlier round it is about. `window`: the insurance that was not offered.
    `displayed`: what a display showed. `note`: what happened in the reporter's own words, for staff alone.
    """

    case: str
    drawn: tuple[Card | None, ...] = ()
    cards: tuple[int, ...] = ()
    shown: tuple[int, ...] = ()
    names: dict[int, Card] = {}
    players: tuple[str, ...] = ()
    box: int = 0
    order_known: bool | None = None
    values_known: bool | None = None
    round: int | None = None
    window: int = 0
    displayed: Literal["", "player", "banker", "tie"] = ""
    note: str = ""


class Rule(Command, frozen=True, kw_only=True, tag="rule"):
    """Rule on what was reported, with whatever the ruling leaves to a person."""

    inputs: Inputs = Inputs()


class Dismiss(Command, frozen=True, kw_only=True, tag="dismiss"):
    """Withdraw or dismiss a report before anything was carried out, the one under way or one that waits."""

    reason: str
    case: str = ""


class Choose(Command, frozen=True, kw_only=True, tag="choose"):
    """A player goes on, or takes undecided bets back: all of them, or these where they may be single.

    A wager is named by box and bet.
    """

    choice: Literal["continue", "return"]
    wagers: tuple[tuple[int, str], ...] = ()
    player: str = ""


AnyCommand: TypeAlias = (
    Join | BuyIn | CashOut | Sit | Leave | Assign | ChangeSetup | ChangeRulebook | RequestNoInsurance
    | NewShoe | Open | Place | TakeBack | RecordChips | LateChips | RejectExcess | Remove | Close | CutCard
    | AllowWithdrawal | Draw | Expose | RevealFirst | RequestSqueeze | PermitSqueeze | HandOver | TakeCards
    | RefuseCards | RequestBankerThirdFirst | BankerThirdFirst | GiveDevice | GiveUpDevice | TakeDevice
    | Insure | Decline | CloseInsurance | Settle | Void | Correct | Amend | ConfirmAmendment | DropAmendment
    | Report | Rule | Dismiss | Choose
)  # fmt: skip

# A word that stands for no card, where a command has one.
_NO_CARD = re.compile(
    r"Invalid enum value '(.*)' - at `.*\b(cards?|names|drawn|order|substitutes|set_aside)\b.*`"
)


def why_unreadable(error: Exception) -> str:
    """What is wrong with a command that cannot be read; a card that is written otherwise is told as such."""
    found = _NO_CARD.fullmatch(str(error))
    try:
        if found is not None:
            parse_card(found[1])
    except BadInput as wrong:
        return str(wrong)
    return str(error)
