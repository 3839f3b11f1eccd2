"""A table of Tiger Buffalo with commission and Insurance Plus, by its own paragraphs."""

from typing import Any

import pytest

from table.tables import TBC, Table, kinds, only
from thirdcard.rulebook.model import Side
from thirdcard.table import commands
from thirdcard.table.events import PlayedChanged, RecordAmended, RoundVoided, StakeSet
from thirdcard.table.setup import Limit
from thirdcard.table.state import Inputs

SLUGS = ("rws-tiger-buffalo-commission-v2",)

SIX_AGAINST_FIVE = "KC KH 6D 5S"
FIVE_AGAINST_FOUR = "2C 4H 3D KS"


def bet(*stakes: tuple[str, str, int, int], **changed: Any) -> Table:  # noqa: ANN401 - values of a set-up
    table = Table(TBC, **({"method": "face-down"} | changed))
    table.open()
    for player, name, cents, box in stakes:
        table.place(player, name, cents, box)
    table.close()
    return table


# Draws ----------------------------------------------------------------------------------------------------


def test_3_13__3_15_cards_are_drawn_as_the_table_of_play_says() -> None:
    table = bet(("ann", "player", 100_00, 1), method="face-up")
    table.refuses("round-not-complete", ("3.13", "3.15"), commands.Settle(by="dee"))
    table.deal(FIVE_AGAINST_FOUR)
    table.refuses("round-not-complete", ("3.13", "3.15"), commands.Settle(by="dee"))
    table.deal("KD")  # the Banker stands on 4 against a king
    table.refuses("card-not-due", ("3.13", "3.15"), table.drawing("2C"))
    table.settle()
    assert table.net("ann") == 100_00


def test_3_17_a_tie_returns_original_bets() -> None:
    table = Table(TBC)
    table.open()
    table.place("ann", "player", 100_00)
    table.place("bob", "banker", 100_00)
    table.close()
    table.deal("P 4C 4D | B 6H 2S")
    table.settle()
    assert {line.result for line in table.lines()} == {"push"}
    assert all(line.rules == ("3.17",) for line in table.lines())
    assert (table.net("ann"), table.net("bob"), table.house) == (0, 0, 0)


def test_4_1_1__4_1_2_banker_pays_less_commission() -> None:
    table = Table(TBC)
    assert table.round("P 4C 2D | B 9H KS", ("ann", "banker", 100_00), ("bob", "player", 60_00)) == {
        "ann": 95_00,
        "bob": -60_00,
    }
    assert table.house == -35_00


# Caps -----------------------------------------------------------------------------------------------------


def test_3_12_2_at_most_the_original_bet_in_each_window() -> None:
    table = bet(("ann", "player", 100_00, 1))
    table.show(FIVE_AGAINST_FOUR)
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 101_00))
    table.insure("ann", "player", 60_00)
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 41_00))
    table.insure("ann", "player", 40_00)
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 1_00))
    table.show("2C")  # Player 7 at 4 to 1: the whole Original Bet once more
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 101_00))
    table.insure("ann", "player", 100_00)


def test_3_12_2_each_box_has_its_own_original_bet() -> None:
    table = bet(("ann", "player", 100_00, 1), ("ann", "player", 30_00, 2), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 31_00, box=2))
    table.insure("ann", "player", 30_00, box=2)
    table.insure("ann", "player", 100_00, box=1)
    assert table.view("ann").offers[0].caps == {1: 0, 2: 0}


def test_3_12_2_at_ten_to_one_a_quarter_of_the_maximum_over_all_boxes() -> None:
    """A quarter of the displayed $2,000 is $500, for both boxes together."""
    table = bet(("ann", "player", 800_00, 1), ("ann", "player", 400_00, 2), ("bob", "player", 500_00, 2))
    table.show(FIVE_AGAINST_FOUR)
    table.do(commands.Decline(by="ann"))
    table.do(commands.Decline(by="bob"))
    table.show("4C")
    assert table.offers() == {"player": "10 to 1"}
    assert table.view("ann").offers[0].caps == {1: 500_00, 2: 400_00}
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 501_00, box=1))
    table.insure("ann", "player", 390_00, box=1)
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 111_00, box=2))
    table.insure("ann", "player", 110_00, box=2)
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 1_00, box=1))
    table.insure("bob", "player", 500_00)  # another person's share is their own
    table.show("KD")  # Player 9 over 4
    table.settle()
    assert table.net("ann") == 1_200_00 - 500_00


@pytest.mark.parametrize(("banker", "base"), [(2_000_00, 100_00), (None, 100_00)])
def test_3_12_2_the_quarter_is_of_the_insured_hands_maximum(banker: int | None, base: int) -> None:
    """Player's maximum is 400, whatever Banker's is and whatever the differential."""
    limits = {"*": Limit(10_00), "player": Limit(10_00, 400_00), "banker": Limit(10_00, banker)}
    table = bet(("ann", "player", 400_00, 1), limits=limits)
    table.show(FIVE_AGAINST_FOUR)
    table.do(commands.Decline(by="ann"))
    table.show("4C")
    assert table.view("ann").offers[0].caps == {1: base}


def test_3_12_2_at_ten_to_one_never_more_than_the_original_bet() -> None:
    table = bet(("ann", "player", 100_00, 1))
    table.show(FIVE_AGAINST_FOUR)
    table.do(commands.Decline(by="ann"))
    table.show("4C")
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 101_00))


def test_3_12_2_without_a_displayed_maximum_the_differential_is_the_base() -> None:
    """A quarter of $1,010, down to the chip unit."""
    table = bet(("ann", "player", 800_00, 1), limits={"*": Limit(10_00)}, differential=1_010_00)
    table.show(FIVE_AGAINST_FOUR)
    table.do(commands.Decline(by="ann"))
    table.show("4C")
    assert table.view("ann").offers[0].caps == {1: 252_00}  # 252.50


def test_3_12_2_other_odds_know_no_quarter() -> None:
    table = bet(("ann", "player", 800_00, 1), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 800_00)


def test_4_2_1_banker_insurance_against_player_nought() -> None:
    """Player 5 and a five make 0; Banker 4 draws a six to 0: a tie that pays."""
    table = bet(("bob", "banker", 100_00, 2))
    table.show(FIVE_AGAINST_FOUR + " 5C")
    assert table.offers() == {"banker": "10 to 1"}
    table.insure("bob", "banker", 10_00)
    table.show("6D")
    table.settle()
    line = table.line("bob", "banker-insurance")
    assert (line.result, line.net, line.rules) == ("win", 100_00, ("4.2.1(b)", "4.1.15"))
    assert table.net("bob") == 100_00


# Insurance after chips were put right ---------------------------------------------------------------------


def insured(cents: int) -> Table:
    """Ann has 1,000 on Player and insured it at 5 to 2."""
    table = bet(("ann", "player", 1_000_00, 1), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", cents)
    return table


def test_5_1_1__5_15_insurance_plays_within_the_pro_rated_bet() -> None:
    """Ann's 1,000 turns out to share with Cat's: it plays for 500, and 500 of her insurance of 800."""
    table = insured(800_00)
    events = table.record("cat", "player", 1_000_00, box=1)
    assert kinds(events) == ["StakeSet", "PlayedChanged", "RecordAmended"]
    assert only(events, StakeSet).rules == ("5.15",)
    assert [one.cents for one in only(events, PlayedChanged).purchases] == [800_00]  # as it was bought
    changes = {(one.what, one.who): (one.before, one.after) for one in only(events, RecordAmended).changes}
    assert changes == {
        ("share", "ann player"): (1_000_00, 500_00),
        ("share", "cat player"): ("", 500_00),
        ("cap", "ann player"): (200_00, 0),
        ("cap", "cat player"): ("", 500_00),
        ("insurance", "ann player window 1"): (800_00, 500_00),
    }
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 1_00))
    table.deal("3D")  # Banker 8 over 6
    table.settle()
    line = table.line("ann", "player-insurance")
    assert (line.stake, line.played, line.net) == (800_00, 500_00, 1_250_00)
    assert (table.net("ann"), table.net("cat")) == (750_00, -500_00)


def test_5_1_1__5_15_insurance_within_the_share_plays_in_full() -> None:
    table = insured(400_00)
    table.record("cat", "player", 1_000_00, box=1)
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 101_00))
    table.deal("3D")
    table.settle()
    assert (table.line("ann", "player-insurance").net, table.net("ann")) == (1_000_00, 500_00)


def test_5_1_1_insurance_plays_for_whole_chips() -> None:
    """Two thirds of 1,000 is 666.67: 666 of the insurance plays, at 5 to 2."""
    table = insured(800_00)
    table.record("cat", "player", 500_00, box=1)
    assert table.plays() == {("ann", 1, "player"): 666_67, ("cat", 1, "player"): 333_33}
    table.deal("3D")
    table.settle()
    line = table.line("ann", "player-insurance")
    assert (line.stake, line.played, line.net) == (800_00, 666_00, 1_665_00)


@pytest.mark.parametrize("settled", [False, True])
def test_5_15_a_mistake_put_right_leaves_nothing_behind(settled: bool) -> None:  # noqa: FBT001
    """Ann's 1,000 was read as 100 for a moment: insurance is worth again what it was."""
    table = insured(800_00)
    if settled:
        table.deal("3D")
        table.settle()
    table.record("ann", "player", 100_00)
    table.record("ann", "player", 1_000_00)
    if not settled:
        table.deal("3D")
        table.settle()
    assert table.line("ann", "player-insurance").net == 2_000_00
    assert table.net("ann") == 1_000_00


def test_5_15_insurance_without_its_bet_goes_back() -> None:
    """There were no chips on Player at the close: the insurance stays on record and does not play."""
    table = bet(("ann", "player", 100_00, 1), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 50_00)
    table.record("ann", "player", 0)
    assert table.net("ann") == -50_00
    table.deal("3D")
    table.settle()
    (line,) = table.lines()
    assert (line.bet, line.result, line.played, line.net) == ("player-insurance", "returned", 0, 0)
    assert table.net("ann") == 0


# Chips after the close ------------------------------------------------------------------------------------


def test_5_15_bets_are_settled_as_the_chips_lay() -> None:
    """Ann's $100 lay on Banker at the close, where she did not mean it."""
    table = bet(("ann", "player", 100_00, 1), method="face-up")
    for person in ("ann", "dee"):
        table.refuses("wrong-rank", ("5.15",), table.recording("ann", "banker", 100_00, by=person))
    silent = commands.RecordChips(by="sue", player="ann", box=1, bet="player", cents=0)
    table.refuses("fact-missing", ("5.15",), silent)
    event = only(table.record("ann", "player", 0), StakeSet)
    assert (event.rules, table.rack("ann")) == (("5.15",), 10_000_00)
    table.record("ann", "banker", 100_00)
    table.deal("P 9C KD | B 4H 2S")
    table.settle()
    assert table.net("ann") == -100_00


def test_5_15_after_settlement_until_the_next_round() -> None:
    """The dealer cannot turn a lost 100 into a won 4,000; a supervisor puts right what lay there."""
    table = bet(("ann", "player", 100_00, 1), method="face-up")
    table.deal("P 4C 2D | B 9H KS")
    table.settle()
    table.refuses("wrong-rank", ("5.15",), table.recording("ann", "banker", 4_000_00, by="dee"))
    events = table.record("ann", "player", 60_00)
    assert kinds(events) == ["SettlementReversed", "StakeSet", "RecordAmended", "RoundSettled"]
    assert table.net("ann") == -60_00
    change = only(events, RecordAmended).changes[-1]
    assert (change.what, change.who, change.before, change.after) == ("settlement", "ann", -100_00, -60_00)
    table.open()
    assert table.refused(table.recording("bob", "player", 10_00, by="ann")).code == "wrong-rank"
    table.record("bob", "player", 10_00)  # this is the next round's
    assert table.net("ann") == -60_00


def test_5_15_nobody_elses_share_changes_when_chips_go_back() -> None:
    """The differential is judged once, on the chips as they lay: Cat's return leaves Ann's share alone."""
    table = Table(TBC)
    table.open()
    table.record("ann", "player", 1_000_00)
    table.record("cat", "player", 1_000_00, box=1)
    table.close()
    table.do(commands.Report(by="dee", case="not-covered"))
    decision = Inputs(action="return-stakes", stakes=(("cat", 1, "player"),), reason="fainted")
    table.do(commands.Rule(by="sam", inputs=decision))
    assert table.plays() == {("ann", 1, "player"): 500_00}
    table.deal("P 9C KD | B 4H 2S")
    table.settle()
    assert (table.net("ann"), table.net("cat")) == (500_00, 0)


def test_5_17__5_19_a_void_round_returns_every_bet_and_insurance() -> None:
    table = bet(("ann", "player", 100_00, 1), ("ann", "tie", 20_00, 1), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 50_00)
    for person in ("dee", "sue", "pam"):
        table.refuses("wrong-rank", ("5.19",), commands.Void(by=person, reason="power"))
    assert table.refused(commands.Void(by="sam", reason="")).code == "fact-missing"
    event = only(table.do(commands.Void(by="sam", reason="power")), RoundVoided)
    assert "5.19" in event.rules
    assert (table.net("ann"), table.house) == (0, 0)


def test_5_17_a_void_after_settlement_returns_insurance_too() -> None:
    table = bet(("ann", "player", 100_00, 1), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 50_00)
    table.deal("3D")
    table.settle()
    assert table.net("ann") == 25_00
    table.do(commands.Void(by="sam", reason="foreign card"))
    assert (table.net("ann"), table.house) == (0, 0)


@pytest.mark.parametrize("person", ["dee", "sue", "pam", "sam"])
def test_5_18_pit_employees_place_bets_for_a_player(person: str) -> None:
    table = Table(TBC)
    table.open()
    (event,) = table.do(commands.Place(by=person, player="ann", box=1, bet="player", cents=50_00))
    assert isinstance(event, StakeSet)
    assert (event.stake.player, event.stake.by, event.stake.seated) == ("ann", person, True)
    assert event.rules == ("5.18",)
    assert table.rack("ann") == 9_950_00
    table.do(commands.TakeBack(by=person, player="ann", box=1, bet="player"))
    assert table.rack("ann") == 10_000_00


def test_5_18_players_place_bets_for_nobody_else() -> None:
    table = Table(TBC)
    table.open()
    command = commands.Place(by="bob", player="ann", box=1, bet="player", cents=50_00)
    table.refuses("wrong-rank", ("5.18",), command)
    assert table.refused(commands.Place(by="dee", box=1, bet="player", cents=50_00)).code == "wrong-rank"


def test_5_18_limits_hold_for_bets_placed_by_staff() -> None:
    table = Table(TBC)
    table.open()
    command = commands.Place(by="dee", player="ann", box=1, bet="player", cents=5_00)
    assert table.refused(command).code == "below-minimum"


def test_3_11_only_the_hand_that_was_bet_on_is_insured() -> None:
    table = bet(("ann", "player", 100_00, 1), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    command = commands.Insure(by="ann", box=1, hand=Side.BANKER, cents=10_00)
    assert table.refused(command).code == "no-offer"
