"""A table of Commission Baccarat with Insurance, by the paragraphs of its own numbers."""

from typing import Any

from table.tables import CBI, Table, cards, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import InsuranceOpened, RoundVoided, SettlementReversed, StakeSet

SLUGS = ("rws-commission-insurance-v5",)

PLAYER_WINS = "P 9C KD | B 4H 2S"
FIVE_AGAINST_FOUR = "2C 4H 3D KS"


def bet(*stakes: tuple[str, str, int, int], method: str = "face-down", **changed: Any) -> Table:  # noqa: ANN401 - values of a set-up
    table = Table(CBI, seats={"ann": 1, "bob": 2, "cat": 0}, method=method, **changed)
    table.open()
    for player, name, cents, box in stakes:
        table.place(player, name, cents, box)
    table.close()
    return table


# People ---------------------------------------------------------------------------------------------------


def test_1_12_whoever_ranks_higher_may_do_what_a_lower_one_may() -> None:
    table = Table(CBI)
    for person in ("dee", "sue", "pam", "sam"):
        table.do(commands.Open(by=person))
        table.do(commands.Close(by=person))
        for card in cards(PLAYER_WINS):
            table.do(commands.Draw(by=person, card=card))
        table.do(commands.Settle(by=person))
    assert table.refused(commands.Assign(by="sue", person="eve", rank="dealer")).code == "wrong-rank"
    table.do(commands.Assign(by="pam", person="eve", rank="dealer"))
    table.do(commands.Open(by="eve"))


def test_1_17_a_round_runs_from_the_call_to_the_settlement() -> None:
    table = bet(("ann", "player", 10_00, 1), method="face-up")
    assert table.refused(commands.Open(by="dee")).code == "wrong-phase"
    table.deal(PLAYER_WINS)
    table.settle()
    table.open()
    assert table.state.rounds == 2


def test_1_18__1_19_seated_and_standing() -> None:
    table = bet(("ann", "player", 10_00, 1), ("cat", "player", 10_00, 1), ("ann", "tie", 10_00, 2))
    current = table.state.round
    assert current is not None
    assert [stake.seated for stake in current.stakes.values()] == [True, False, False]
    other = Table(CBI)
    other.open()
    other.refuses("box-not-occupied", ("1.19",), other.placing("cat", "player", 10_00, box=4))


def test_3_9_only_seated_people_squeeze() -> None:
    stakes = (("ann", "player", 100_00, 1), ("cat", "player", 600_00, 1), ("bob", "banker", 50_00, 2))
    table = bet(*stakes, device="reader")
    table.refuses("no-right-to-squeeze", ("3.9",), commands.RequestSqueeze(by="cat", cards=(1,)))
    table.refuses("no-right-to-squeeze", ("3.9",), commands.RequestSqueeze(by="bob", cards=(1,)))
    table.do(commands.RequestSqueeze(by="ann", cards=(1, 3)))
    table.refuses("wrong-rank", ("3.9",), commands.PermitSqueeze(by="dee", player="ann", cards=(1, 3)))
    table.do(commands.PermitSqueeze(by="sue", player="ann", cards=(1, 3)))
    table.deal(FIVE_AGAINST_FOUR)
    table.do(commands.HandOver(by="dee", player="ann", cards=(1, 3)))
    assert table.sees("ann") == ["2C", "?", "3D", "?"]
    assert table.sees("cat") == ["?", "?", "?", "?"]
    table.expose(1, 3, by="ann")
    assert table.sees("cat") == ["2C", "?", "3D", "?"]


def test_3_9_who_left_the_seat_has_no_seated_persons_right() -> None:
    table = bet(("ann", "player", 100_00, 1), ("bob", "banker", 50_00, 2))
    table.do(commands.Leave(by="ann"))
    table.refuses("no-right-to-squeeze", ("3.9",), commands.RequestSqueeze(by="ann", cards=(1,)))
    table.do(commands.RequestSqueeze(by="bob", cards=(1,)))


def test_3_9_where_only_standing_people_have_bet_nobody_squeezes() -> None:
    table = bet(("cat", "player", 100_00, 1))
    table.refuses("no-right-to-squeeze", ("3.9",), commands.RequestSqueeze(by="cat", cards=(1,)))


# Insurance ------------------------------------------------------------------------------------------------


def test_3_12_2_winnings_over_both_windows_up_to_the_original_bet() -> None:
    """100 insured: 20 at 2 to 1 may win 40, which leaves 60, or 15 at 4 to 1."""
    table = bet(("ann", "player", 100_00, 1))
    table.show(FIVE_AGAINST_FOUR)
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 51_00))
    table.insure("ann", "player", 20_00)
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 31_00))
    table.show("2C")
    assert table.offers() == {"player": "4 to 1"}
    assert table.view("ann").offers[0].caps == {1: 15_00}
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 16_00))
    table.insure("ann", "player", 15_00)
    table.show("5D")  # Banker 9 over 7
    table.settle()
    assert [(line.bet, line.net) for line in table.lines()] == [
        ("player", -100_00),
        ("player-insurance", 40_00),
        ("player-insurance", 60_00),
    ]
    assert table.net("ann") == 0


def test_3_12_2_the_cap_is_rounded_down_to_the_chip_unit() -> None:
    """60 of winnings left at 7 to 1 is 8.57."""
    table = bet(("ann", "player", 100_00, 1))
    table.show(FIVE_AGAINST_FOUR)
    table.insure("ann", "player", 20_00)
    table.show("3C")
    assert table.offers() == {"player": "7 to 1"}
    assert table.view("ann").offers[0].caps == {1: 8_00}


def test_3_12_2_each_box_by_itself() -> None:
    table = bet(("ann", "player", 100_00, 1), ("ann", "player", 60_00, 2))
    table.show(FIVE_AGAINST_FOUR)
    assert table.view("ann").offers[0].caps == {1: 50_00, 2: 30_00}
    table.insure("ann", "player", 50_00, box=1)
    assert table.view("ann").offers[0].caps == {1: 0, 2: 30_00}


def test_4_2_1_a_tie_on_nought_returns_banker_insurance() -> None:
    """Only Player's insured nine is paid on a tie here: Banker 2 against Player 1, both end on 1."""
    table = bet(("bob", "banker", 100_00, 2))
    table.show("KC KH QD 2S AC")
    assert table.offers() == {"banker": "7 to 1"}
    table.insure("bob", "banker", 10_00)
    table.show("9D")
    table.settle()
    assert [(line.bet, line.result, line.net) for line in table.lines()] == [
        ("banker", "push", 0),
        ("banker-insurance", "push", 0),
    ]


def test_5_1_1__5_14_insurance_plays_within_the_pro_rated_bet() -> None:
    """Ann's 1,000 comes to play for 500; at 3 to 1 that leaves 166 of her 200 of insurance."""
    table = bet(("ann", "player", 1_000_00, 1), method="face-up")
    table.deal("KC KH 6D 5S")
    table.insure("ann", "player", 200_00)
    table.record("cat", "player", 1_000_00, box=1)
    assert table.plays() == {("ann", 1, "player"): 500_00, ("cat", 1, "player"): 500_00}
    assert table.view("ann").offers[0].caps == {1: 0}
    table.deal("3D")
    table.settle()
    line = table.line("ann", "player-insurance")
    assert (line.stake, line.played, line.net) == (200_00, 166_00, 498_00)
    assert (table.net("ann"), table.net("cat")) == (-2_00, -500_00)


# After the close and after the round ----------------------------------------------------------------------


def test_5_6_after_the_close_nothing_is_placed_increased_or_withdrawn() -> None:
    table = bet(("ann", "player", 100_00, 1), method="face-up")
    for command in (
        table.placing("bob", "banker", 10_00),
        table.placing("ann", "player", 10_00),
        table.taking_back("ann", "player"),
        table.taking_back("ann", "player", 10_00),
    ):
        table.refuses("wrong-phase", ("5.6",), command)


def test_5_5_settled_rounds_stand_once_the_next_has_begun() -> None:
    table = bet(("ann", "player", 100_00, 1), method="face-up")
    table.deal(PLAYER_WINS)
    table.settle()
    correction = commands.Correct(by="sue", cards=cards("P 9C KD | B 9H KS"), reason="misread")
    events = table.do(correction)
    assert kinds(events) == ["SettlementReversed", "CardsAmended", "RecordAmended", "RoundSettled"]
    assert only(events, SettlementReversed).rules == ("5.5",)
    assert (table.net("ann"), table.roads()) == (0, ["tie"])
    table.open()
    table.refuses("wrong-phase", ("5.5",), correction)
    assert table.roads() == ["tie"]


def test_1_21__5_16__5_18_a_void_round_returns_every_bet() -> None:
    table = bet(("ann", "player", 100_00, 1), ("bob", "tie", 20_00, 2), method="face-up")
    table.deal("KC KH 6D 5S")
    table.insure("ann", "player", 10_00)
    table.refuses("wrong-rank", ("5.18",), commands.Void(by="pam", reason="power"))
    event = only(table.do(commands.Void(by="sam", reason="power")), RoundVoided)
    assert "5.18" in event.rules
    assert (table.net("ann"), table.net("bob"), table.house, table.roads()) == (0, 0, 0, [])


def test_5_14_bets_are_settled_as_the_chips_lie() -> None:
    table = bet(("ann", "player", 100_00, 1), method="face-up")
    assert only(table.record("ann", "player", 0), StakeSet).rules == ("5.14",)
    table.record("ann", "banker", 100_00)
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("ann") == -100_00


def test_5_17_pit_employees_place_bets_for_a_player() -> None:
    table = Table(CBI)
    table.open()
    event = only(table.do(commands.Place(by="pam", player="ann", box=1, bet="tie", cents=50_00)), StakeSet)
    assert (event.stake.player, event.stake.by, event.rules) == ("ann", "pam", ("5.17",))
    table.refuses(
        "wrong-rank", ("5.17",), commands.Place(by="bob", player="ann", box=1, bet="tie", cents=50_00)
    )


def test_5_13_insurance_that_was_closed_too_soon_is_offered_again() -> None:
    table = Table(CBI)
    table.open()
    for player in ("ann", "bob", "cat"):
        table.place(player, "player", 100_00)
    table.close()
    table.deal("KC KH 6D 5S")
    table.do(commands.Decline(by="cat"))
    table.do(commands.CloseInsurance(by="dee", silent=("ann", "bob")))
    table.do(commands.Report(by="dee", case="neglected-insurance", players=("ann",)))
    assert only(table.do(commands.Rule(by="pam")), InsuranceOpened).window == 1
    table.insure("ann", "player", 10_00)
    table.refuses("insurance-forgone", ("5.3",), table.insuring("bob", "player", 10_00))
    table.do(commands.CloseInsurance(by="dee"))  # nobody is asked twice: Cat has said no
    table.deal("3C")
    table.settle()
