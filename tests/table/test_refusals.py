"""Every refusal has its row, and of several faults the one that `refusals.Code` lists first is told."""

from collections.abc import Callable
from typing import NamedTuple, get_args

import msgspec
import pytest

from each import each
from table.tables import MBS, TBC, Table, cards
from thirdcard.rulebook.model import Side
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.refusals import Code
from thirdcard.table.setup import Limit
from thirdcard.table.state import DrawnCard, Inputs

ORDER: tuple[Code, ...] = get_args(Code)

DIFFERENTIAL = ("1.10", "5.1", "5.1.1", "5.1.2")
TABLE_OF_PLAY = ("3.13", "3.15")
INSURANCE = ("3.11", "3.12", "3.12.1", "4.2.1")


# Situations -----------------------------------------------------------------------------------------------


def idle() -> Table:
    """Ann sits at box 1, Bob at box 2, Cat stands; no round yet."""
    return Table(TBC)


def betting() -> Table:
    table = idle()
    table.open()
    return table


def staked() -> Table:
    """Ann has $100 on Player, Bob $50 on Banker; bets are open."""
    table = betting()
    table.place("ann", "player", 100_00)
    table.place("bob", "banker", 50_00)
    return table


def closed() -> Table:
    table = staked()
    table.close()
    return table


def window() -> Table:
    """Player insurance is on offer at 5 to 2."""
    table = closed()
    table.deal("KC KH 6D 5S")
    return table


def forgone() -> Table:
    """Ann kept silent in the first window; the second is open."""
    table = Table(TBC, method="face-down")
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.show("KC 4H 5D KS 2C")
    return table


def waived() -> Table:
    """Face down, the Banker's third card comes first."""
    table = Table(TBC, method="face-down")
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.deal("KC KH 3D 2S")
    table.expose(1, 2, 3, 4)
    table.do(commands.RequestBankerThirdFirst(by="ann"))
    table.do(commands.BankerThirdFirst(by="sue", player="ann"))
    return table


def private() -> Table:
    table = Table(TBC, insurance=False, private=True)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.deal("KC KH 6D 5S")
    return table


def complete() -> Table:
    table = closed()
    table.deal("P 9C KD | B 4H 2S")
    return table


def face_down_read() -> Table:
    """The same, and a device has read them."""
    return face_down("reader")


def face_down(device: str = "shoe") -> Table:
    """Four cards lie face down."""
    table = Table(TBC, method="face-down", device=device)
    table.open()
    table.place("ann", "player", 100_00)
    table.place("bob", "banker", 50_00)
    table.close()
    table.deal("KC KH 3D 2S")
    return table


def crowded() -> Table:
    """MBS: three wagers on Player in box 1; Pip has no chips."""
    table = Table(MBS, seats={"ann": 1, "bob": 2, "cat": 3, "dan": 4})
    table.join("pip", 5, bank=0)
    table.open()
    for player in ("ann", "bob", "cat"):
        table.place(player, "player", 10_00, box=1)
    return table


def cut_out() -> Table:
    """The cut card came out in a round that is settled."""
    table = Table(TBC, cut=8 * 52 - 6)
    table.round("P 9C KD | B 4H 2S", ("ann", "player", 10_00))
    table.round("P 9C KD | B 4H 2S", ("ann", "player", 10_00))
    return table


def run_out() -> Table:
    """Bets are closed and no card is left."""
    table = closed()
    shoe = table.state.shoe
    assert shoe is not None
    table.state = msgspec.structs.replace(table.state, shoe=msgspec.structs.replace(shoe, used=shoe.size))
    return table


def all_nines_gone() -> Table:
    """The four nines of clubs of four decks are gone; the next round's bets are closed."""
    table = Table(TBC, decks=4)
    table.round("P 9C 9C | B 9C 9C", ("ann", "player", 10_00))
    table.open()
    table.close()
    return table


def waiting() -> Table:
    """A king of clubs was drawn in excess and has to come first."""
    table = closed()
    shoe = table.state.shoe
    assert shoe is not None
    table.state = msgspec.structs.replace(
        table.state, shoe=msgspec.structs.replace(shoe, waiting=(DrawnCard(name=cards("KC")[0]),))
    )
    return table


def held_up() -> Table:
    """Bets are closed; the power failed, and nobody has ruled on it yet."""
    table = closed()
    table.do(commands.Report(by="dee", case="technical-interruption"))
    return table


def amending() -> Table:
    """Four cards lie there; the dealer says that the last one is another, and nobody has confirmed it."""
    table = closed()
    table.deal("2C 4H 3D KS")
    table.do(table.amending("2C 4H 3D QS"))
    return table


def settled() -> Table:
    table = complete()
    table.settle()
    return table


def paid() -> Table:
    """MBS: payment has ended the round."""
    table = Table(MBS)
    table.round("P 9C KD | B 4H 2S", ("ann", "player", 10_00))
    return table


def over_maximum() -> Table:
    """Ann's 3,000 on the tie were recorded as they lay; the round is played out."""
    table = betting()
    table.record("ann", "tie", 3_000_00)
    table.close()
    table.deal("P 9C KD | B 4H 2S")
    return table


def poor() -> Table:
    """Pip stands behind box 1 without a chip; bets are open."""
    table = idle()
    table.join("pip", 0, bank=0)
    table.open()
    return table


def nines_gone_and_complete() -> Table:
    table = all_nines_gone()
    table.deal("P 9H KD | B 4H 2S")
    return table


def nines_gone_and_settled() -> Table:
    table = nines_gone_and_complete()
    table.settle()
    return table


def nines_gone_and_face_down() -> Table:
    table = Table(TBC, decks=4, method="face-down")
    table.open()
    table.close()
    table.show("9C 9C 9C 9C")
    table.settle()
    table.open()
    table.close()
    table.deal("KC KH 3D 2S")
    return table


def run_out_face_down() -> Table:
    """Face down, and no card is left."""
    table = Table(TBC, method="face-down")
    table.open()
    table.close()
    shoe = table.state.shoe
    assert shoe is not None
    table.state = msgspec.structs.replace(table.state, shoe=msgspec.structs.replace(shoe, used=shoe.size))
    return table


def reopened() -> Table:
    """One round is settled, the bets of the next are closed."""
    table = settled()
    table.open()
    table.close()
    return table


def uncovered() -> Table:
    """Something that no rule speaks of waits for a decision."""
    table = closed()
    table.do(commands.Report(by="dee", case="not-covered"))
    return table


def revealing() -> Table:
    table = Table(MBS, method="A")
    table.open()
    table.place("ann", "player", 10_00)
    table.place("bob", "banker", 10_00)
    table.close()
    table.deal("2C 4H 3D KS")
    table.do(commands.RevealFirst(by="dee", hand=Side.PLAYER))
    return table


# One row for each code ------------------------------------------------------------------------------------


class Row(NamedTuple):
    code: Code
    situation: Callable[[], Table]
    command: AnyCommand
    rules: tuple[str, ...]


PLACE = commands.Place(by="ann", box=1, bet="player", cents=100_00)
INSURE = commands.Insure(by="ann", box=1, hand=Side.PLAYER, cents=10_00)
REPORT = commands.Report(by="dee", case="drawn-together", order_known=True)
TOGETHER = ("5.11", "5.11.1", "5.11.2")
replace = msgspec.structs.replace

ROWS = (
    Row("unknown-person", idle, commands.Open(by="nobody"), ()),
    Row("paused", held_up, commands.Settle(by="dee"), ("5.4", "5.4.1", "5.4.2")),
    Row("wrong-rank", idle, commands.Open(by="ann"), ("3.3",)),
    Row("wrong-phase", idle, PLACE, ("3.3",)),
    Row("unknown-case", closed, commands.Report(by="dee", case="earthquake"), ()),
    Row("unknown-player", betting, replace(PLACE, by="dee", player="zed"), ()),
    Row("unknown-rank", idle, commands.Assign(by="pam", person="eve", rank="king"), ()),
    Row("unknown-box", betting, replace(PLACE, box=6), ()),
    Row("not-allowed-here", closed, commands.RefuseCards(by="ann", hand=Side.PLAYER), ("3.9",)),
    Row("round-is-final", paid, commands.Report(by="dee", case="foreign-card"), ("1.1.7",)),
    Row("fact-missing", closed, commands.Report(by="dee", case="drawn-together"), TOGETHER),
    Row("condition-not-met", closed, replace(REPORT, drawn=cards("9C")), TOGETHER),
    Row("input-not-used", closed, replace(REPORT, drawn=cards("9C 9D"), window=1), TOGETHER),
    Row("no-choice", held_up, commands.Choose(by="ann", choice="continue"), ()),
    Row("no-amendment", complete, commands.ConfirmAmendment(by="sue"), ()),
    Row("box-taken", idle, commands.Sit(by="cat", box=1), ()),
    Row("box-not-occupied", betting, replace(PLACE, box=3), ("1.29",)),
    Row("bad-setup", idle, commands.ChangeSetup(by="pam", changes=commands.Changes(cut=999)), ()),
    Row(
        "not-on-layout",
        betting,
        replace(PLACE, bet="tiger"),
        ("2.1.1", "4.1.3", "4.1.4", "4.1.5", "4.1.6", "4.1.14"),
    ),
    Row("no-such-stake", betting, commands.TakeBack(by="ann", box=1, bet="tie"), ()),
    Row("not-a-multiple", betting, replace(PLACE, cents=10_50), ()),
    Row("below-minimum", betting, replace(PLACE, cents=9_00), ("3.4",)),
    Row("above-maximum", betting, replace(PLACE, cents=2_001_00), ("3.5",)),
    Row("over-differential", betting, replace(PLACE, cents=1_001_00), ("5.1",)),
    Row("too-many-wagers", crowded, commands.Place(by="dan", box=1, bet="player", cents=10_00), ("3.7",)),
    Row("insurance-not-offered-here", private, INSURE, ("4.2.2",)),
    Row("insurance-waived", waived, INSURE, ("3.14",)),
    Row("insurance-not-open", closed, INSURE, INSURANCE),
    Row("insurance-forgone", forgone, INSURE, ("5.3",)),
    Row("no-offer", window, replace(INSURE, by="bob", box=2, hand=Side.BANKER), INSURANCE),
    Row("no-original-bet", window, replace(INSURE, by="bob"), INSURANCE),
    Row("over-the-cap", window, replace(INSURE, cents=101_00), ("3.12.2",)),
    Row("rack-too-small", poor, replace(PLACE, by="pip"), ()),
    Row("new-shoe-needed", cut_out, commands.Open(by="dee"), ()),
    Row("no-such-card", face_down, commands.Expose(by="dee", cards=(5,)), ()),
    Row("shoe-empty", run_out, commands.Draw(by="dee", card=cards("2C")[0]), ()),
    Row("card-not-seen", face_down, commands.Draw(by="dee", card=cards("2C")[0]), ("3.9", "3.10")),
    Row("card-not-named", closed, commands.Draw(by="dee"), ()),
    Row("card-not-in-shoe", all_nines_gone, commands.Draw(by="dee", card=cards("9C")[0]), ()),
    Row("no-right-to-squeeze", face_down, commands.RequestSqueeze(by="bob", cards=(5,)), ("3.9",)),
    Row("card-not-yours", face_down_read, commands.Expose(by="bob", cards=(1,)), ("3.9",)),
    Row("card-not-due", complete, commands.Draw(by="dee", card=cards("2C")[0]), TABLE_OF_PLAY),
    Row("round-not-complete", closed, commands.Settle(by="dee"), TABLE_OF_PLAY),
    Row("decision-needed", over_maximum, commands.Settle(by="dee"), ("3.5", "5.19")),
)


@each("row", ROWS, ids=lambda row: row.code)
def test_one_row_for_each_refusal(row: Row) -> None:
    table = row.situation()
    table.refuses(row.code, row.rules, row.command)


def test_the_rows_cover_the_closed_set_in_its_order() -> None:
    rows = [row.code for row in ROWS]
    assert rows == sorted(rows, key=ORDER.index)
    assert set(rows) == set(ORDER)


def test_a_refusal_is_a_value_and_nothing_has_happened() -> None:
    table = window()
    before = table.state
    for row in ROWS:
        table.refused(replace(row.command, by="nobody"))
    assert table.state == before


# The order of checks --------------------------------------------------------------------------------------


class Step(NamedTuple):
    """A command with this fault, and with later ones besides."""

    code: Code
    situation: Callable[[], Table]
    command: AnyCommand


WRONG = commands.Place(by="nobody", player="zed", box=9, bet="nope", cents=7)
PIP = replace(WRONG, by="dee", player="pip", box=1, bet="player")
PLACING = (
    Step("unknown-person", idle, WRONG),
    Step("wrong-rank", idle, replace(WRONG, by="ann")),
    Step("wrong-phase", idle, replace(WRONG, by="dee")),
    Step("unknown-player", poor, replace(WRONG, by="dee")),
    Step("unknown-box", poor, replace(WRONG, by="dee", player="pip")),
    Step("box-not-occupied", poor, replace(WRONG, by="dee", player="pip", box=3)),
    Step("not-on-layout", poor, replace(WRONG, by="dee", player="pip", box=1)),
    Step("not-a-multiple", poor, PIP),
    Step("below-minimum", poor, replace(PIP, cents=1_00)),
    Step("above-maximum", poor, replace(PIP, cents=3_000_00)),
    Step("over-differential", poor, replace(PIP, cents=1_500_00)),
    Step("rack-too-small", poor, replace(PIP, cents=500_00)),
)

SEAT = commands.Sit(by="nobody", box=9)
SITTING = (
    Step("unknown-person", closed, SEAT),
    Step("wrong-rank", closed, replace(SEAT, by="dee")),
    Step("unknown-player", idle, replace(SEAT, by="dee", player="zed")),
    Step("unknown-box", idle, replace(SEAT, by="cat")),
    Step("box-taken", idle, replace(SEAT, by="cat", box=2)),
)

UP = commands.Leave(by="nobody", player="zed")
STANDING_UP = (
    Step("unknown-person", idle, UP),
    Step("wrong-rank", idle, replace(UP, by="dee")),
    Step("unknown-player", idle, replace(UP, by="sue")),
    Step("unknown-box", idle, replace(UP, by="sue", player="cat")),
)

BACK = commands.TakeBack(by="nobody", player="zed", box=9, bet="nope", cents=7)
TAKING_BACK = (
    Step("unknown-person", idle, BACK),
    Step("wrong-rank", idle, replace(BACK, by="ann")),
    Step("wrong-phase", idle, replace(BACK, by="dee")),
    Step("unknown-player", staked, replace(BACK, by="dee")),
    Step("unknown-box", staked, replace(BACK, by="dee", player="ann")),
    Step("not-on-layout", staked, replace(BACK, by="dee", player="ann", box=1)),
    Step("no-such-stake", staked, replace(BACK, by="dee", player="ann", box=1, bet="tie")),
    Step("not-a-multiple", staked, replace(BACK, by="ann", player="", box=1, bet="player", cents=99_50)),
    Step("below-minimum", staked, replace(BACK, by="ann", player="", box=1, bet="player", cents=99_00)),
)

CHIPS = commands.RecordChips(by="nobody", player="zed", box=9, bet="nope", cents=7)
RECORDING = (
    Step("unknown-person", idle, CHIPS),
    Step("wrong-rank", idle, replace(CHIPS, by="ann")),
    Step("wrong-phase", idle, replace(CHIPS, by="dee")),
    Step("unknown-player", poor, replace(CHIPS, by="dee")),
    Step("unknown-box", poor, replace(CHIPS, by="dee", player="pip")),
    Step("not-on-layout", poor, replace(CHIPS, by="dee", player="pip", box=1)),
    Step("no-such-stake", poor, replace(CHIPS, by="dee", player="pip", box=1, bet="player", cents=0)),
    Step("not-a-multiple", poor, replace(CHIPS, by="dee", player="pip", box=1, bet="player")),
    Step("rack-too-small", poor, replace(CHIPS, by="dee", player="pip", box=1, bet="player", cents=5_00)),
)

COVER = commands.Insure(by="nobody", player="zed", box=9, hand=Side.BANKER, cents=7)
INSURING = (
    Step("unknown-person", idle, COVER),
    Step("wrong-rank", idle, replace(COVER, by="ann")),
    Step("wrong-phase", idle, replace(COVER, by="dee")),
    Step("unknown-player", window, replace(COVER, by="dee")),
    Step("unknown-box", window, replace(COVER, by="dee", player="ann")),
    Step("not-a-multiple", window, replace(COVER, by="dee", player="ann", box=2)),
    Step("insurance-forgone", forgone, replace(COVER, by="ann", player="", box=2, cents=500_00)),
    Step("no-offer", window, replace(COVER, by="ann", player="", box=2, cents=500_00)),
    Step("no-original-bet", window, replace(INSURE, box=2, cents=500_00)),
)

SQUEEZE = commands.HandOver(by="nobody", player="zed", cards=(5,))
HANDING_OVER = (
    Step("unknown-person", idle, SQUEEZE),
    Step("wrong-rank", idle, replace(SQUEEZE, by="ann")),
    Step("wrong-phase", idle, replace(SQUEEZE, by="dee")),
    Step("unknown-player", face_down, replace(SQUEEZE, by="dee")),
    Step("no-such-card", face_down, replace(SQUEEZE, by="dee", player="bob")),
    Step("no-right-to-squeeze", face_down, replace(SQUEEZE, by="dee", player="bob", cards=(1,))),
)

DRAW = commands.Draw(by="nobody", card=cards("9C")[0])
DRAWING = (
    Step("unknown-person", held_up, DRAW),
    Step("paused", held_up, replace(DRAW, by="ann")),
    Step("wrong-rank", idle, replace(DRAW, by="ann")),
    Step("wrong-phase", idle, replace(DRAW, by="dee")),
    Step("shoe-empty", run_out_face_down, replace(DRAW, by="dee")),
    Step("card-not-seen", face_down, replace(DRAW, by="dee")),
    Step("card-not-named", complete, replace(DRAW, by="dee", card=None)),
    Step("card-not-in-shoe", nines_gone_and_complete, replace(DRAW, by="dee")),
    Step("card-not-due", waiting, replace(DRAW, by="dee")),
)

CORRECTION = commands.Correct(by="nobody", cards=cards("9C 9C"), reason="")
CORRECTING = (
    Step("unknown-person", amending, CORRECTION),
    Step("paused", amending, replace(CORRECTION, by="dee")),
    Step("wrong-rank", idle, replace(CORRECTION, by="dee")),
    Step("wrong-phase", idle, replace(CORRECTION, by="sue")),
    Step("fact-missing", nines_gone_and_settled, replace(CORRECTION, by="sue")),
    Step("card-not-in-shoe", nines_gone_and_settled, replace(CORRECTION, by="sue", reason="misread")),
    Step("card-not-due", settled, replace(CORRECTION, by="sue", reason="misread")),
)

AMENDMENT = commands.Amend(by="nobody", cards=(None, *cards("9C 9C 9C 9C 9C 9C")), reason="")
AMENDING = (
    Step("unknown-person", idle, AMENDMENT),
    Step("paused", amending, replace(AMENDMENT, by="ann")),
    Step("wrong-rank", idle, replace(AMENDMENT, by="ann")),
    Step("wrong-phase", idle, replace(AMENDMENT, by="dee")),
    Step("fact-missing", complete, replace(AMENDMENT, by="dee")),
    Step("no-such-card", complete, replace(AMENDMENT, by="dee", reason="misread")),
    Step(
        "card-not-named",
        nines_gone_and_complete,
        replace(AMENDMENT, by="dee", reason="misread", cards=(None, *cards("9C"))),
    ),
    Step(
        "card-not-in-shoe",
        nines_gone_and_complete,
        replace(AMENDMENT, by="dee", reason="misread", cards=cards("9C")),
    ),
)

CONFIRMATION = commands.ConfirmAmendment(by="nobody")
CONFIRMING = (
    Step("unknown-person", idle, CONFIRMATION),
    Step("paused", held_up, replace(CONFIRMATION, by="ann")),
    Step("wrong-rank", amending, replace(CONFIRMATION, by="dee")),
    Step("no-amendment", idle, replace(CONFIRMATION, by="dee")),
)

DROPPING = (
    Step("unknown-person", idle, commands.DropAmendment(by="nobody", reason="")),
    Step("paused", held_up, commands.DropAmendment(by="ann", reason="")),
    Step("wrong-rank", amending, commands.DropAmendment(by="ann", reason="")),
    Step("fact-missing", amending, commands.DropAmendment(by="dee", reason="")),
    Step("no-amendment", idle, commands.DropAmendment(by="dee", reason="it is right")),
)

FAULTY = commands.Report(
    by="nobody",
    case="earthquake",
    drawn=cards("9C"),
    players=("zed",),
    box=9,
    values_known=True,
    round=9,
    window=1,
)
REPORTING = (
    Step("unknown-person", amending, FAULTY),
    Step("paused", amending, replace(FAULTY, by="ann")),
    Step("wrong-rank", idle, replace(FAULTY, by="ann")),
    Step("wrong-phase", closed, replace(FAULTY, by="dee")),
    Step("unknown-case", closed, replace(FAULTY, by="dee", round=None)),
    Step("unknown-player", closed, replace(FAULTY, by="dee", round=None, case="drawn-together")),
    Step("unknown-box", closed, replace(FAULTY, by="dee", round=None, case="face-up-card", players=())),
    Step(
        "not-allowed-here",
        closed,
        replace(FAULTY, by="dee", round=None, case="face-up-card", players=(), box=0),
    ),
    Step(
        "round-is-final",
        reopened,
        replace(FAULTY, by="dee", round=1, case="drawn-together", players=(), box=0),
    ),
    Step(
        "fact-missing",
        closed,
        replace(FAULTY, by="dee", round=None, case="drawn-together", players=(), box=0),
    ),
    Step("condition-not-met", closed, replace(REPORT, drawn=cards("9C"), values_known=True, window=1)),
    Step("input-not-used", run_out, replace(REPORT, drawn=cards("9C 9C"), shown=(9,), values_known=True)),
    Step("no-such-card", run_out, replace(REPORT, drawn=(None, *cards("9C")), shown=(1, 9))),
    Step("shoe-empty", run_out, replace(REPORT, drawn=(None, *cards("9C")), shown=(1,))),
    Step("card-not-named", all_nines_gone, replace(REPORT, drawn=(None, *cards("9C")), shown=(1,))),
    Step("card-not-in-shoe", all_nines_gone, replace(REPORT, drawn=cards("9C 9C"))),
)

RULE = commands.Rule(by="nobody", inputs=Inputs(order=cards("9C")))
RULING = (
    Step("unknown-person", amending, RULE),
    Step("paused", amending, replace(RULE, by="dee")),
    Step("wrong-rank", held_up, replace(RULE, by="dee")),
    Step("wrong-phase", closed, replace(RULE, by="dee")),
    Step("fact-missing", uncovered, replace(RULE, by="sam")),
    Step("condition-not-met", held_up, replace(RULE, by="sam", inputs=Inputs(overrides=(1,), reason="so"))),
    Step("input-not-used", held_up, replace(RULE, by="sue")),
)

DISMISSAL = commands.Dismiss(by="nobody", reason="")
DISMISSING = (
    Step("unknown-person", held_up, DISMISSAL),
    Step("paused", amending, replace(DISMISSAL, by="ann")),
    Step("wrong-rank", held_up, replace(DISMISSAL, by="dee")),
    Step("wrong-phase", closed, replace(DISMISSAL, by="dee")),
    Step("fact-missing", held_up, replace(DISMISSAL, by="sue")),
)

LATE = commands.LateChips(by="nobody", player="zed", box=9, bet="nope", cents=-7)
BEING_LATE = (
    Step("unknown-person", idle, LATE),
    Step("paused", amending, replace(LATE, by="ann")),
    Step("wrong-rank", idle, replace(LATE, by="ann")),
    Step("wrong-phase", idle, replace(LATE, by="dee")),
    Step("unknown-player", closed, replace(LATE, by="dee")),
    Step("unknown-box", closed, replace(LATE, by="dee", player="ann")),
    Step("not-on-layout", closed, replace(LATE, by="dee", player="ann", box=1)),
    Step("no-such-stake", closed, replace(LATE, by="dee", player="ann", box=1, bet="tie")),
    Step("not-a-multiple", closed, replace(LATE, by="dee", player="ann", box=1, bet="player")),
    Step(
        "rack-too-small", closed, replace(LATE, by="dee", player="ann", box=1, bet="player", cents=20_000_00)
    ),
)

TURN = commands.Expose(by="nobody", cards=(1, 9), names=cards("9C"), player="zed")
TURNING = (
    Step("unknown-person", held_up, TURN),
    Step("paused", held_up, replace(TURN, by="ann")),
    Step("wrong-rank", idle, replace(TURN, by="ann")),
    Step("wrong-phase", idle, replace(TURN, by="dee")),
    Step("no-such-card", face_down, replace(TURN, by="dee")),
    Step("card-not-named", face_down, replace(TURN, by="dee", cards=(1, 2))),
    Step("card-not-in-shoe", nines_gone_and_face_down, replace(TURN, by="dee", cards=(1,))),
    Step("card-not-yours", revealing, replace(TURN, by="dee", cards=(2,))),
    Step("card-not-due", revealing, replace(TURN, by="dee", cards=(2,), player="")),
)

TAKING_CARDS = (
    Step("unknown-person", idle, commands.TakeCards(by="nobody", cards=(), reason="")),
    Step("paused", amending, commands.TakeCards(by="ann", cards=(), reason="")),
    Step("wrong-rank", idle, commands.TakeCards(by="ann", cards=(), reason="")),
    Step("wrong-phase", idle, commands.TakeCards(by="dee", cards=(), reason="")),
    Step("fact-missing", face_down, commands.TakeCards(by="dee", cards=(), reason="")),
    Step("no-such-card", face_down, commands.TakeCards(by="dee", cards=(1,), reason="gone")),
)

AFTER = replace(CHIPS, cents=100_00)
RECORDING_AFTER = (
    Step("unknown-person", closed, AFTER),
    Step("paused", amending, replace(AFTER, by="ann")),
    Step("wrong-rank", closed, replace(AFTER, by="dee")),
    Step("unknown-player", closed, replace(AFTER, by="sue")),
    Step("unknown-box", closed, replace(AFTER, by="sue", player="ann")),
    Step("fact-missing", closed, replace(AFTER, by="sue", player="ann", box=1)),
    Step("not-on-layout", closed, replace(AFTER, by="sue", player="ann", box=1, reason="so it lay")),
    Step(
        "no-such-stake",
        closed,
        replace(AFTER, by="sue", player="ann", box=1, reason="so it lay", bet="player"),
    ),
    Step(
        "not-a-multiple",
        closed,
        replace(AFTER, by="sue", player="ann", box=1, reason="so it lay", bet="player", cents=7),
    ),
)

OTHERS = (
    Step("wrong-rank", closed, commands.Open(by="ann")),
    Step("wrong-phase", closed, commands.Open(by="dee")),
    Step("wrong-rank", closed, commands.Close(by="bob")),
    Step("wrong-rank", idle, commands.Settle(by="bob")),
    Step("wrong-phase", idle, commands.Settle(by="dee")),
    Step("wrong-rank", idle, commands.Void(by="pam", reason="")),
    Step("wrong-phase", idle, commands.Void(by="sam", reason="")),
    Step("wrong-rank", closed, commands.NewShoe(by="bob")),
    Step("wrong-rank", idle, commands.RejectExcess(by="bob", box=9)),
    Step("wrong-phase", idle, commands.RejectExcess(by="dee", box=9)),
    Step("unknown-box", betting, commands.RejectExcess(by="dee", box=9)),
    Step("unknown-person", closed, commands.Expose(by="nobody", cards=(9,))),
    Step("wrong-phase", idle, commands.Expose(by="ann", cards=(9,))),
    Step("no-such-card", face_down, commands.Expose(by="bob", cards=(1, 9))),
    Step("unknown-player", idle, commands.BuyIn(by="dee", player="zed", cents=7)),
    Step("not-a-multiple", idle, commands.BuyIn(by="ann", cents=10**17 + 7)),
    Step("unknown-player", idle, commands.CashOut(by="dee", player="zed", cents=0)),
    Step("not-a-multiple", poor, commands.CashOut(by="pip", cents=0)),
    Step("rack-too-small", poor, commands.CashOut(by="pip", cents=1)),
    Step("unknown-person", idle, commands.Decline(by="nobody")),
    Step("wrong-rank", idle, commands.Decline(by="dee")),
    Step("wrong-phase", idle, commands.Decline(by="dee", player="zed")),
    Step("wrong-rank", closed, replace(SEAT, by="ann", player="zed")),
    Step("wrong-rank", idle, commands.Join(by="ann", player="dee")),
    Step("unknown-player", idle, commands.Join(by="dee", player="ann")),
    Step("wrong-rank", idle, commands.CloseInsurance(by="ann", silent=("zed",))),
    Step("wrong-phase", idle, commands.CloseInsurance(by="dee", silent=("zed",))),
    Step("unknown-player", closed, commands.CloseInsurance(by="dee", silent=("zed",))),
    Step("insurance-not-open", closed, commands.CloseInsurance(by="dee", silent=("ann",))),
    Step("insurance-not-open", window, commands.CloseInsurance(by="dee", silent=("bob",))),
    Step("decision-needed", window, commands.CloseInsurance(by="dee")),
    Step("card-not-in-shoe", all_nines_gone, commands.Draw(by="dee", card=cards("9C")[0], place=3)),
    Step("card-not-due", closed, commands.Draw(by="dee", card=cards("9C")[0], place=2)),
    Step("card-not-due", window, commands.Draw(by="dee", card=cards("9C")[0], place=5)),
    Step("too-many-wagers", crowded, commands.Place(by="pip", box=1, bet="player", cents=10_00)),
)


LADDERS = (
    PLACING, SITTING, STANDING_UP, TAKING_BACK, RECORDING, RECORDING_AFTER, INSURING, HANDING_OVER, DRAWING, CORRECTING,
    AMENDING, CONFIRMING, DROPPING, REPORTING, RULING, DISMISSING, BEING_LATE, TURNING, TAKING_CARDS,
)  # fmt: skip


@pytest.mark.slow
@each(
    "step",
    [step for steps in (*LADDERS, OTHERS) for step in steps],
    ids=lambda step: f"{type(step.command).__name__}-{step.code}",
)
def test_the_earliest_fault_is_told(step: Step) -> None:
    assert step.situation().refused(step.command).code == step.code


@pytest.mark.parametrize("ladder", LADDERS, ids=lambda ladder: type(ladder[0].command).__name__)
def test_the_ladders_follow_the_documented_order(ladder: tuple[Step, ...]) -> None:
    places = [ORDER.index(step.code) for step in ladder]
    assert places == sorted(set(places))


def test_minimum_before_maximum_before_differential_on_the_same_stake() -> None:
    """Where limits contradict each other for a stake, the earlier one is told."""
    table = Table(TBC, limits={"*": Limit(10_00), "player": Limit(100_00, 200_00)}, differential=50_00)
    table.open()
    assert table.refused(table.placing("ann", "player", 90_00)).code == "below-minimum"
    assert table.refused(table.placing("ann", "player", 300_00)).code == "above-maximum"
    assert table.refused(table.placing("ann", "player", 150_00)).code == "over-differential"


def adjusting() -> Table:
    table = Table(MBS, differential=100_00)
    table.open()
    table.place("ann", "player", 300_00)
    table.place("bob", "banker", 10_00)
    table.close()
    return table


def method_b() -> Table:
    table = Table(MBS, method="B")
    table.open()
    table.close()
    return table


def device() -> Table:
    table = Table(MBS, method="C", high_limit=True, device="reader")
    table.open()
    table.place("ann", "player", 10_00)
    table.do(commands.GiveDevice(by="dee", player="ann"))
    return table


def penniless() -> Table:
    table = window()
    table.do(commands.CashOut(by="ann", cents=table.rack("ann")))
    return table


def withdrawing() -> Table:
    table = Table(MBS, cut=410, high_limit=True)
    table.round("P 2C 3D 2H | B 4H KS KD", ("ann", "player", 10_00))
    table.open()
    table.place("ann", "player", 10_00)
    table.close()
    table.do(commands.CutCard(by="dee"))
    table.do(commands.AllowWithdrawal(by="dee"))
    return table


SINGLE = (
    Step("wrong-phase", staked, commands.Sit(by="ann", box=2)),
    Step("unknown-person", idle, commands.Assign(by="pam", person="ann", rank="king")),
    Step("wrong-rank", crowded, commands.ChangeSetup(by="pam", changes=commands.Changes(method="C"))),
    Step("no-such-stake", staked, commands.TakeBack(by="ann", box=1, bet="player", cents=100_50)),
    Step("unknown-player", withdrawing, commands.TakeBack(by="dee", player="zed", box=1, bet="player")),
    Step("unknown-box", withdrawing, commands.TakeBack(by="ann", box=9, bet="player")),
    Step("not-on-layout", withdrawing, commands.TakeBack(by="ann", box=1, bet="nope")),
    Step("not-a-multiple", adjusting, commands.Remove(by="pam", player="bob", box=2, bet="banker", cents=7)),
    Step(
        "no-such-stake", adjusting, commands.Remove(by="pam", player="ann", box=1, bet="player", cents=300_50)
    ),
    Step("unknown-player", closed, replace(INSURE, by="dee", player="zed")),
    Step("unknown-box", private, replace(INSURE, box=9)),
    Step("not-a-multiple", closed, replace(INSURE, cents=7)),
    Step("over-the-cap", penniless, replace(INSURE, cents=500_00)),
    Step("no-offer", penniless, replace(INSURE, hand=Side.BANKER)),
    Step("card-not-in-shoe", nines_gone_and_complete, commands.Draw(by="dee", card=cards("9C")[0])),
    Step("card-not-yours", face_down_read, commands.Expose(by="bob", cards=(2,))),
    Step("no-such-card", revealing, commands.Expose(by="dee", cards=(2, 9))),
    Step("not-allowed-here", closed, commands.RequestSqueeze(by="bob", cards=(1,))),
    Step("no-such-card", face_down, commands.RequestSqueeze(by="bob", cards=(1,))),
    Step("no-right-to-squeeze", face_down, commands.BankerThirdFirst(by="sue", player="bob")),
    Step("not-allowed-here", method_b, commands.PermitSqueeze(by="pam", player="ann", cards=(9,))),
    Step("wrong-rank", device, commands.GiveDevice(by="dee", player="bob")),
)


@pytest.mark.parametrize("step", SINGLE, ids=lambda step: f"{type(step.command).__name__} {step.code}")
def test_the_earlier_of_two_faults_is_told(step: Step) -> None:
    assert step.situation().refused(step.command).code == step.code
