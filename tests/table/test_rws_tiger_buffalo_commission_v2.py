"""A table of Tiger Buffalo with commission and Insurance Plus, by its own paragraphs."""

from typing import Any

import pytest

from table.tables import TBC, Table, kinds, only
from thirdcard.rulebook.model import Side
from thirdcard.table import commands
from thirdcard.table.events import PlayedChanged, RoundVoided, StakeSet
from thirdcard.table.setup import Limit

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


# Pro rata after insurance was bought ----------------------------------------------------------------------


def test_5_1_1__5_15_insurance_follows_the_pro_rated_bet() -> None:
    """Ann's 1,000 turns out to share with Cat's: it plays for 500, and her 400 of insurance for 200."""
    table = bet(("ann", "player", 1_000_00, 1), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 400_00)
    assert table.rack("ann") == 8_600_00
    events = table.record("cat", "player", 1_000_00, box=1)
    assert kinds(events) == ["StakeSet", "PlayedChanged"]
    assert only(events, StakeSet).rules == ("5.15",)
    assert [one.cents for one in only(events, PlayedChanged).purchases] == [200_00]
    assert table.rack("ann") == 8_800_00
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 301_00))
    table.deal("3D")  # Banker 8 over 6
    table.settle()
    assert table.line("ann", "player-insurance").net == 500_00
    assert (table.net("ann"), table.net("cat")) == (0, -500_00)


def test_5_1_1_a_share_of_insurance_between_cents_is_rounded_down() -> None:
    """Two thirds of $100 of insurance is 6666.66… cents; at 5 to 2 that wins 16665 cents."""
    table = bet(("ann", "player", 1_000_00, 1), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 100_00)
    table.record("cat", "player", 500_00, box=1)
    assert table.plays() == {("ann", 1, "player"): 666_67, ("cat", 1, "player"): 333_33}
    table.deal("3D")
    table.settle()
    line = table.line("ann", "player-insurance")
    assert (line.stake, line.net) == (66_66, 166_65)


def test_5_15_chips_taken_off_after_the_close_take_their_insurance_along() -> None:
    table = bet(("ann", "player", 100_00, 1), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 50_00)
    table.record("ann", "player", 0)
    assert table.net("ann") == 0
    table.deal("3D")
    table.settle()
    assert (table.net("ann"), table.lines()) == (0, [])


# Staff ----------------------------------------------------------------------------------------------------


def test_5_15_bets_are_settled_as_the_chips_lie() -> None:
    """The dealer finds Ann's $100 on Banker, where she did not mean it."""
    table = bet(("ann", "player", 100_00, 1), method="face-up")
    table.refuses(
        "wrong-rank",
        ("5.15",),
        commands.RecordChips(by="ann", player="ann", box=1, bet="banker", cents=100_00),
    )
    (event,) = table.do(commands.RecordChips(by="dee", player="ann", box=1, bet="player", cents=0))
    assert (event.rules, table.rack("ann")) == (("5.15",), 10_000_00)
    table.do(commands.RecordChips(by="dee", player="ann", box=1, bet="banker", cents=100_00))
    table.deal("P 9C KD | B 4H 2S")
    table.settle()
    assert table.net("ann") == -100_00
    assert table.refused(table.recording("ann", "banker", 0)).code == "wrong-phase"


def test_5_17__5_19_a_void_round_returns_every_bet_and_insurance() -> None:
    table = bet(("ann", "player", 100_00, 1), ("ann", "tie", 20_00, 1), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 50_00)
    for person in ("dee", "sue", "pam"):
        table.refuses("wrong-rank", ("5.19",), commands.Void(by=person, reason="power"))
    assert table.refused(commands.Void(by="sam", reason="")).code == "not-allowed-here"
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
