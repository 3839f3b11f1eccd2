"""A table of Tiger Baccarat (MBS), by paragraph."""

from typing import Any

import msgspec
import pytest

from table.tables import LIMITS, MBS, Table, cards, kinds, only, set_up
from thirdcard.errors import BadInput
from thirdcard.rulebook.model import Side
from thirdcard.table import commands, start
from thirdcard.table.events import (
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CutCardAppeared,
    DeviceGiven,
    DeviceReturned,
    DifferentialExceeded,
    SqueezePermitted,
    StakeSet,
)
from thirdcard.table.flags import flags
from thirdcard.table.setup import Limit

SLUGS = ("mbs-tiger-v2",)

PLAYER_WINS = "P 9C KD | B 4H 2S"
BANKER_WINS = "P 4C 2D | B 9H KS"
TIE = "P 4C 4D | B 6H 2S"
SQUEEZE = ("3.10.2", "3.10.3", "3.10.4", "3.10.5", "3.21")
METHOD_A = ("3.9", "3.9.1", "3.9.2", "3.10.1", "3.10.2")
METHOD_B = ("3.9", "3.9.1", "3.9.2", "3.11.1", "3.11.2")
METHOD_C = ("3.9", "3.9.2", "3.12.1", "3.12.8")
SEATS = {"ann": 1, "bob": 2, "cat": 3, "dan": 4, "eve": 0}
HIGH_LIMIT = {"high_limit": True, "device": "reader", "method": "C"}


def opened(**changed: Any) -> Table:  # noqa: ANN401 - values of a set-up
    table = Table(MBS, seats=SEATS, **changed)
    table.open()
    return table


def closed(*stakes: tuple[str, str, int, int], **changed: Any) -> Table:  # noqa: ANN401 - values of a set-up
    table = opened(**changed)
    for player, bet, cents, box in stakes:
        table.place(player, bet, cents, box)
    table.close()
    return table


# Betting --------------------------------------------------------------------------------------------------


def test_3_1_play_begins_with_the_call() -> None:
    table = Table(MBS)
    table.refuses("wrong-phase", ("3.1",), table.placing("ann", "player", 10_00))
    assert table.do(commands.Open(by="dee")) == (BetsOpened(number=1, rules=("3.1",)),)


def test_3_2_the_call_closes_bets() -> None:
    table = opened()
    assert table.refused(table.drawing("9C")).code == "wrong-phase"
    assert table.close() == (BetsClosed(played={}, rules=("3.2",)),)
    table.deal("9C")


def test_3_5_1_limits_are_displayed_and_hold_for_each_wager() -> None:
    table = opened(limits={"*": Limit(10_00, 100_00), "tiger": Limit(5_00, 50_00)})
    for viewer in ("ann", "dee", "somebody-passing"):
        assert table.view(viewer).limits["tiger"] == Limit(5_00, 50_00)
        assert "3.5.1" in {rule for notice in table.view(viewer).notices for rule in notice.rules}
    table.refuses("below-minimum", ("3.5.1",), table.placing("ann", "player", 9_00))
    table.refuses("above-maximum", ("3.5.1",), table.placing("ann", "player", 101_00))
    table.place("ann", "tiger", 5_00)
    # Several people share an area; the maximum is each one's own.
    for player in ("ann", "bob", "cat"):
        table.place(player, "player", 100_00, box=1)


def test_3_5_1_an_area_needs_nobody_seated() -> None:
    table = opened()
    table.place("eve", "player", 10_00, box=5)


def test_3_5_1_changed_limits_hold_from_the_next_round() -> None:
    table = opened()
    table.do(commands.ChangeSetup(by="pam", changes=commands.Changes(limits={"*": Limit(50_00)})))
    table.place("ann", "player", 10_00)
    assert table.view("ann").limits["player"] == LIMITS["*"]
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    table.open()
    table.refuses("below-minimum", ("3.5.1",), table.placing("ann", "player", 10_00))


def test_3_6_a_side_wager_needs_no_wager_on_a_hand() -> None:
    table = closed(("ann", "tiger", 10_00, 1), ("ann", "tie", 10_00, 1))
    table.deal("P KC 4D KH | B 6H KS")
    table.settle()
    assert table.net("ann") == 120_00 - 10_00


def test_3_7_three_wagers_in_an_area() -> None:
    table = opened()
    for player in ("ann", "bob", "cat"):
        table.place(player, "player", 10_00, box=1)
    table.refuses("too-many-wagers", ("3.7",), table.placing("dan", "player", 10_00, box=1))
    table.place("ann", "player", 10_00)  # the same wager grows
    table.place("dan", "banker", 10_00, box=1)  # another area
    table.place("dan", "player", 10_00, box=2)
    table.take_back("bob", "player", box=1)
    table.place("dan", "player", 10_00, box=1)


def test_3_7_1_a_pit_manager_allows_fewer() -> None:
    table = Table(MBS, seats=SEATS)
    one = commands.Changes(wagers_per_area=1)
    assert table.refused(commands.ChangeSetup(by="sue", changes=one)).code == "wrong-rank"
    table.do(commands.ChangeSetup(by="pam", changes=one))
    table.open()
    table.place("ann", "player", 10_00)
    table.refuses("too-many-wagers", ("3.7",), table.placing("bob", "player", 10_00, box=1))
    four = commands.ChangeSetup(by="pam", changes=commands.Changes(wagers_per_area=4))
    assert table.refused(four).code == "bad-setup"


@pytest.mark.parametrize("person", ["dee", "sue", "pam", "sam", "ada"])
def test_3_8__6_2_staff_place_wagers_for_a_player(person: str) -> None:
    table = opened()
    events = table.do(commands.Place(by=person, player="ann", box=1, bet="player", cents=50_00))
    event = only(events, StakeSet)
    assert (event.stake.player, event.stake.by, event.rules) == ("ann", person, ("3.8",))
    table.refuses(
        "wrong-rank", ("3.8",), commands.Place(by="bob", player="ann", box=1, bet="tie", cents=10_00)
    )


def test_5_4_after_the_close_nothing_is_placed_or_increased() -> None:
    table = closed(("ann", "player", 100_00, 1))
    table.refuses("wrong-phase", ("5.4",), table.placing("bob", "player", 10_00))
    table.refuses("wrong-phase", ("5.4",), table.placing("ann", "player", 10_00))


def test_5_5_a_wager_withdrawn_after_the_close_still_plays() -> None:
    table = closed(("ann", "player", 100_00, 1))
    table.refuses("wrong-phase", ("5.5",), table.taking_back("ann", "player"))
    table.refuses("wrong-phase", ("5.5",), table.taking_back("ann", "player", 10_00))
    table.deal(BANKER_WINS)
    table.settle()
    assert table.net("ann") == -100_00


@pytest.mark.parametrize(("deal", "net"), [(PLAYER_WINS, 100_00), (BANKER_WINS, -100_00), (TIE, 0)])
def test_5_4_chips_added_after_the_close_go_back_unplayed(deal: str, net: int) -> None:
    table = closed(("ann", "player", 100_00, 1))
    assert table.late("ann", "player", 400_00)[0].rules == ("5.4",)
    table.late("bob", "banker", 50_00)
    assert (table.rack("ann"), table.rack("bob")) == (9_500_00, 9_950_00)
    assert table.stakes() == {("ann", 1, "player"): 100_00}
    table.deal(deal)
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (net, 0)


@pytest.mark.parametrize(("deal", "net"), [(PLAYER_WINS, 100_00), (BANKER_WINS, -100_00), (TIE, 0)])
@pytest.mark.parametrize("taken", [100_00, 40_00])
def test_5_5_chips_taken_away_after_the_close_still_play(deal: str, net: int, taken: int) -> None:
    table = closed(("ann", "player", 100_00, 1))
    assert table.late("ann", "player", -taken)[0].rules == ("5.5",)
    assert table.rack("ann") == 9_900_00 + taken
    assert table.refused(table.being_late("ann", "player", -100_00)).code == "no-such-stake"
    table.deal(deal)
    table.settle()
    assert table.net("ann") == net


def test_5_5_what_was_taken_away_and_spent_is_owed() -> None:
    table = Table(MBS, seats={})
    table.join("ann", 1, bank=100_00)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.late("ann", "player", -100_00)
    table.do(commands.CashOut(by="ann", cents=100_00))
    table.deal(BANKER_WINS)
    table.settle()
    assert (table.rack("ann"), table.state.debt("ann"), table.house) == (0, 100_00, 100_00)
    assert (table.view("ann").owed, table.view("dee").owed) == ({"ann": 100_00}, {"ann": 100_00})


# The table differential -----------------------------------------------------------------------------------


def over() -> Table:
    """300 on Player against 50 on Banker, with a differential of 100."""
    table = opened(differential=100_00)
    table.place("ann", "player", 200_00)
    table.place("cat", "player", 100_00)
    table.place("bob", "banker", 50_00)
    return table


def test_1_1_10__5_18_the_differential_refuses_no_wager_and_holds_up_the_close() -> None:
    table = over()
    event = only(table.close(), DifferentialExceeded)
    assert (event.heavier, event.excess) == (Side.PLAYER, 150_00)
    assert table.state.phase == "adjusting"
    assert table.refused(table.drawing("9C")).code == "wrong-phase"
    refusal = table.refused(commands.Close(by="dee"))
    assert refusal.code == "over-differential"
    assert "5.18.3" in refusal.rules


def test_1_1_10_the_differential_is_over_the_whole_table() -> None:
    table = opened(differential=100_00)
    table.place("ann", "player", 80_00)
    table.place("bob", "player", 80_00)
    table.place("cat", "banker", 60_00)
    table.place("dan", "tie", 1_000_00)
    assert kinds(table.close()) == ["BetsClosed"]


def test_5_18_1_the_heavier_hand_may_only_decrease() -> None:
    table = over()
    table.close()
    assert table.refused(table.placing("ann", "player", 10_00)).code == "wrong-phase"
    assert table.refused(table.placing("ann", "tie", 10_00)).code == "wrong-phase"
    table.take_back("ann", "player", 50_00)
    table.take_back("cat", "player")
    assert kinds(table.close()) == ["BetsClosed"]
    assert table.stakes() == {("ann", 1, "player"): 150_00, ("bob", 2, "banker"): 50_00}


def test_5_18_2_who_wagers_on_the_lighter_hand_may_increase() -> None:
    table = over()
    table.close()
    assert table.refused(table.taking_back("bob", "banker")).code == "wrong-phase"
    table.place("bob", "banker", 100_00)
    assert table.refused(commands.Close(by="dee")).code == "over-differential"
    table.place("bob", "banker", 50_00)
    assert kinds(table.close()) == ["BetsClosed"]


def test_5_18_2_nobody_else_may() -> None:
    """Dan has no wager on Banker; Ann's on Player gives her no right to one there."""
    table = over()
    table.close()
    for player in ("dan", "eve", "ann"):
        refusal = table.refused(table.placing(player, "banker", 50_00))
        assert (refusal.code, refusal.rules) == ("wrong-phase", ("5.18.1", "5.18.2"))
    staff = commands.Place(by="pam", player="dan", box=4, bet="banker", cents=50_00)
    assert table.refused(staff).code == "wrong-phase"


def test_5_18_2_an_increase_may_lie_in_another_box_and_keeps_its_limits() -> None:
    table = over()
    table.close()
    table.refuses("above-maximum", ("3.5.1",), table.placing("bob", "banker", 2_000_00))
    table.place("bob", "banker", 150_00, box=5)
    assert kinds(table.close()) == ["BetsClosed"]


def test_5_18_2_increasing_past_the_other_hand_turns_the_question_round() -> None:
    """Bob's 450 makes Banker the heavier hand: now he is asked to decrease and Player may increase."""
    table = over()
    table.close()
    table.place("bob", "banker", 450_00)
    assert table.refused(commands.Close(by="dee")).code == "over-differential"
    assert table.refused(table.placing("bob", "banker", 10_00)).code == "wrong-phase"
    table.place("cat", "player", 50_00)
    table.take_back("bob", "banker", 50_00)
    assert kinds(table.close()) == ["BetsClosed"]


def test_5_18_3_a_pit_manager_says_what_comes_off() -> None:
    table = over()
    removal = commands.Remove(by="pam", player="ann", box=1, bet="player", cents=150_00)
    assert table.refused(removal).code == "wrong-phase"
    table.close()
    for person in ("dee", "sue", "ann"):
        assert (
            table.refused(commands.Remove(by=person, player="ann", box=1, bet="player", cents=150_00)).code
            == "wrong-rank"
        )
    assert (
        table.refused(commands.Remove(by="pam", player="bob", box=2, bet="banker", cents=50_00)).code
        == "over-differential"
    )
    assert (
        table.refused(commands.Remove(by="pam", player="dan", box=4, bet="player", cents=50_00)).code
        == "no-such-stake"
    )
    event = only(table.do(removal), StakeSet)
    assert (event.why, event.stake.cents, event.stake.by) == ("removed", 50_00, "pam")
    assert "5.18.3" in event.rules
    assert table.rack("ann") == 9_950_00
    assert kinds(table.close()) == ["BetsClosed"]


def test_5_18_a_table_may_have_none() -> None:
    table = opened(differential=None)
    table.place("ann", "player", 2_000_00)
    assert kinds(table.close()) == ["BetsClosed"]


# Outside the limits, unnoticed ----------------------------------------------------------------------------


@pytest.mark.parametrize(("deal", "net"), [(PLAYER_WINS, 5_00), (BANKER_WINS, -5_00)])
def test_5_14_under_the_minimum_once_then_returned(deal: str, net: int) -> None:
    table = opened()
    table.record("ann", "player", 5_00)
    table.close()
    table.deal(deal)
    table.settle()
    assert table.net("ann") == net
    for again in (PLAYER_WINS, BANKER_WINS):
        table.open()
        table.record("ann", "player", 5_00)
        table.place("ann", "tie", 10_00)  # within its limits: plays
        table.close()
        table.deal(again)
        table.settle()
        line = table.line("ann", "player")
        assert (line.result, line.net, line.played) == ("returned", 0, 0)
        assert "5.14" in line.rules
        net -= 10_00
        assert table.net("ann") == net


def test_5_14_a_push_does_not_use_up_the_one_time() -> None:
    """Neither paid nor collected: the next one still plays, the one after that goes back."""
    table = Table(MBS)
    for deal, result in ((TIE, "push"), (TIE, "push"), (BANKER_WINS, "lose"), (BANKER_WINS, "returned")):
        table.open()
        table.record("ann", "player", 5_00)
        table.close()
        table.deal(deal)
        table.settle()
        assert table.line("ann", "player").result == result
    assert table.net("ann") == -5_00


def test_5_14_a_push_beside_a_lost_one_uses_it_up() -> None:
    table = opened()
    table.record("ann", "player", 5_00)
    table.record("ann", "tiger", 5_00)
    table.close()
    table.deal(TIE)
    table.settle()
    assert table.net("ann") == -5_00
    table.open()
    table.record("ann", "player", 5_00)
    table.close()
    assert table.plays() == {("ann", 1, "player"): 0}


def test_5_14_all_of_the_first_round_are_settled() -> None:
    table = opened()
    table.record("ann", "player", 5_00)
    table.record("ann", "tie", 1_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("ann") == 4_00


def test_5_14_is_each_players_own() -> None:
    table = opened()
    table.record("ann", "player", 5_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    table.open()
    table.record("bob", "player", 5_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (5_00, 5_00)


def test_5_14_a_void_round_does_not_count_as_the_one_time() -> None:
    table = opened()
    table.record("ann", "player", 5_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    table.do(commands.Void(by="sam", reason="foreign card"))
    table.open()
    table.record("ann", "player", 5_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("ann") == 5_00


@pytest.mark.parametrize(("deal", "net"), [(PLAYER_WINS, 2_000_00), (BANKER_WINS, -2_000_00), (TIE, 0)])
def test_5_15_over_the_maximum_plays_for_the_maximum(deal: str, net: int) -> None:
    table = opened(differential=None)
    table.record("ann", "player", 2_500_00)
    table.close()
    assert table.plays() == {("ann", 1, "player"): 2_000_00}
    table.deal(deal)
    table.settle()
    assert table.net("ann") == net
    assert "5.15" in table.line("ann", "player").rules


def test_5_16_settled_wagers_outside_the_limits_stay_settled() -> None:
    table = opened()
    table.record("ann", "player", 5_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    table.open()
    assert table.net("ann") == 5_00
    command = commands.Correct(by="sam", cards=cards(BANKER_WINS), reason="too late")
    assert table.refused(command).code == "wrong-phase"


# Methods --------------------------------------------------------------------------------------------------


def test_3_9_one_of_three_methods() -> None:
    with pytest.raises(BadInput, match="choose one of A, B, C"):
        start(set_up(MBS, method="D"))
    assert Table(MBS).view("ann").method == "B"


@pytest.mark.parametrize("method", ["A", "B"])
def test_3_9_1_the_dealer_keeps_the_device(method: str) -> None:
    table = closed(("ann", "player", 100_00, 1), method=method)
    rules = {"A": METHOD_A, "B": METHOD_B}[method]
    table.refuses("wrong-rank", rules, table.drawing("9C", by="ann"))
    table.refuses("not-allowed-here", rules, commands.GiveDevice(by="dee", player="ann"))
    table.refuses("not-allowed-here", rules, commands.GiveDevice(by="ada", player="ann"))


def test_3_9_2_a_pit_manager_changes_between_a_and_b() -> None:
    table = closed(("ann", "player", 100_00, 1))
    to_a = commands.Changes(method="A")
    assert table.refused(commands.ChangeSetup(by="sue", changes=to_a)).code == "wrong-rank"
    table.do(commands.ChangeSetup(by="pam", changes=to_a))
    table.deal(PLAYER_WINS)  # this round is still dealt face up
    assert table.sees("eve") == ["9C", "4H", "KD", "2S"]
    table.settle()
    table.open()
    table.close()
    table.deal("9C")
    assert table.sees("eve") == ["?"]


def test_1_1_4__3_9_2_method_c_only_in_the_high_limit_area() -> None:
    with pytest.raises(BadInput, match=r"high-limit area.*3\.9\.2"):
        start(set_up(MBS, method="C", device="reader"))
    table = Table(MBS, device="reader")
    refusal = table.refused(commands.ChangeSetup(by="ada", changes=commands.Changes(method="C")))
    assert refusal.code == "bad-setup"


def test_3_12_1_method_c_needs_a_device_that_reads_cards() -> None:
    with pytest.raises(BadInput, match=r"reads cards.*3\.12\.1"):
        start(set_up(MBS, method="C", high_limit=True))


def test_3_9_2_method_c_takes_an_assistant_casino_manager() -> None:
    table = Table(MBS, high_limit=True, device="reader")
    to_c = commands.Changes(method="C")
    for person in ("pam", "sam"):
        table.refuses("wrong-rank", METHOD_C, commands.ChangeSetup(by=person, changes=to_c))
    table.do(commands.ChangeSetup(by="ada", changes=to_c))
    assert table.view("ann").method == "B"
    table.open()
    assert table.view("ann").method == "C"
    table.do(commands.ChangeSetup(by="pam", changes=commands.Changes(method="A")))


# Method A -------------------------------------------------------------------------------------------------


def method_a(*stakes: tuple[str, str, int, int], device: str = "shoe") -> Table:
    """Four cards lie face down: Player 5, Banker 4."""
    table = closed(*stakes, method="A", device=device)
    table.deal("2C 4H 3D KS")
    return table


def handing(player: str, *places: int) -> commands.HandOver:
    return commands.HandOver(by="dee", player=player, cards=places)


def test_3_10_1_the_dealer_draws() -> None:
    table = closed(("ann", "player", 100_00, 1), method="A")
    table.refuses("wrong-rank", METHOD_A, table.drawing("9C", by="ann"))
    assert not only(table.do(table.drawing("9C")), CardDrawn).face_up


MOST = (
    ("bob", "player", 100_00, 2),
    ("ann", "player", 60_00, 1),
    ("ann", "player", 60_00, 2),
    ("cat", "banker", 20_00, 3),
    ("dan", "tie", 500_00, 4),
)


@pytest.mark.parametrize("device", ["shoe", "reader"])
def test_3_10_2_each_hand_to_who_has_most_on_it(device: str) -> None:
    """Ann's 60 and 60 on Player are more than Bob's 100; Cat has the only wager on Banker."""
    table = method_a(*MOST, device=device)
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("bob", 1, 3))
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("ann", 2, 4))
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("dan", 2))
    table.do(handing("ann", 1, 3))
    table.do(handing("cat", 2, 4))
    held = {"ann": ["2C", "?", "3D", "?"], "cat": ["?", "4H", "?", "KS"]}
    for viewer in ("ann", "cat", "bob", "dan", "eve", "dee", "sam"):
        known = held.get(viewer) if device == "reader" else None
        assert table.sees(viewer) == (known or ["?"] * 4)
    assert [one.held_by for one in table.view("eve").cards] == ["ann", "cat", "ann", "cat"]


def test_3_10_2_the_cards_go_face_down() -> None:
    """Passed on before they are turned: who has the right is handed them, and nobody else turns them."""
    table = method_a(*MOST)
    table.do(handing("ann", 1, 3))
    for person in ("dee", "sam"):
        table.refuses("card-not-yours", SQUEEZE, table.exposing(1, by=person))
    for person in ("bob", "cat"):
        table.refuses("card-not-yours", SQUEEZE, table.exposing(1, by=person))
    table.expose(1, 3, by="ann")
    assert table.refused(handing("ann", 1)).code == "no-such-card"


def test_3_10_2_what_counts_is_what_plays() -> None:
    """Bob's 2,500 counts with the maximum, so Cat's two of 1,500 are more."""
    table = opened(method="A", differential=None)
    table.record("bob", "player", 2_500_00)
    table.place("cat", "player", 1_500_00)
    table.place("cat", "player", 1_500_00, box=4)
    table.close()
    table.deal("2C 4H 3D KS")
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("bob", 1, 3))
    table.do(handing("cat", 1, 3))


def test_3_10_2_a_wager_that_will_be_returned_counts_for_nothing() -> None:
    """Ann's wager under the minimum was settled once before: this one goes back, so Bob's is the only one."""
    table = opened(method="A", limits={"*": Limit(10_00, 2_000_00), "banker": Limit(50_00, 2_000_00)})
    for _ in range(2):
        table.record("ann", "banker", 40_00)
        table.place("bob", "player", 20_00)
        table.close()
        table.deal("9C 4H KD 2S")
        if table.state.rounds == 1:
            table.do(handing("ann", 2, 4))
            table.expose(2, 4, by="ann")
            table.expose(1, 3)
            table.settle()
            table.open()
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("ann", 2, 4))


def test_3_10_2_who_walked_away_is_passed_nothing() -> None:
    table = closed(*MOST, method="A")
    table.do(commands.Leave(by="ann"))
    table.deal("2C 4H 3D KS")
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("ann", 1, 3))
    table.do(handing("bob", 1, 3))


def test_3_10_3_refused_cards_go_to_the_next_highest() -> None:
    table = method_a(("ann", "player", 100_00, 1), ("bob", "player", 50_00, 2), ("cat", "player", 70_00, 3))
    table.refuses("no-right-to-squeeze", SQUEEZE, commands.RefuseCards(by="bob", hand=Side.PLAYER))
    table.do(commands.RefuseCards(by="ann", hand=Side.PLAYER))
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("ann", 1, 3))
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("bob", 1, 3))
    table.do(commands.RefuseCards(by="cat", hand=Side.PLAYER))
    table.do(handing("bob", 1, 3))


def test_3_10_3_cards_in_hand_can_be_refused() -> None:
    table = method_a(("ann", "player", 100_00, 1), ("bob", "player", 50_00, 2), device="reader")
    table.do(handing("ann", 1, 3))
    assert table.sees("ann") == ["2C", "?", "3D", "?"]
    table.do(commands.RefuseCards(by="ann", hand=Side.PLAYER))
    assert table.sees("ann") == ["?", "?", "?", "?"]
    table.do(handing("bob", 1, 3))
    assert table.sees("bob") == ["2C", "?", "3D", "?"]


def test_3_10_3_who_refused_is_not_asked_again_this_round() -> None:
    """Bob hands the cards back too: nobody with a wager is left, and the dealer turns them."""
    table = method_a(("ann", "player", 100_00, 1), ("bob", "player", 50_00, 2))
    for player in ("ann", "bob"):
        table.do(commands.RefuseCards(by=player, hand=Side.PLAYER))
    for player in ("ann", "bob"):
        table.refuses("no-right-to-squeeze", SQUEEZE, handing(player, 1, 3))
    table.expose(1, 2, 3, 4)


def test_3_10_3_one_hand_may_be_refused_and_the_other_taken() -> None:
    table = method_a(("ann", "player", 100_00, 1), ("ann", "banker", 100_00, 1), ("bob", "player", 50_00, 2))
    table.do(commands.RefuseCards(by="ann", hand=Side.PLAYER))
    table.do(handing("bob", 1, 3))
    table.do(handing("ann", 2, 4))


def test_3_10_4__3_10_5_equal_wagers_by_time_then_counter_clockwise() -> None:
    """Bob placed first; from his box 2 counter-clockwise comes Cat at 3, then round to Ann at 1."""
    table = method_a(
        ("bob", "player", 100_00, 2),
        ("ann", "player", 100_00, 1),
        ("cat", "player", 100_00, 3),
        ("dan", "player", 50_00, 4),
    )
    for player in ("bob", "cat", "ann", "dan"):
        for other in {"ann", "bob", "cat", "dan"} - {player}:
            table.refuses("no-right-to-squeeze", SQUEEZE, handing(other, 1))
        table.do(handing(player, 1, 3))
        table.do(commands.RefuseCards(by=player, hand=Side.PLAYER))
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("eve", 1))


def test_3_10_4_a_wager_counts_from_when_it_reached_its_amount() -> None:
    table = method_a(("ann", "player", 50_00, 1), ("bob", "player", 100_00, 2), ("ann", "player", 50_00, 1))
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("ann", 1, 3))
    table.do(handing("bob", 1, 3))


def test_3_10_4_1_the_pit_supervisor_names_somebody_where_no_rule_does() -> None:
    """Nobody has bet on Player; Banker's cards are Cat's."""
    table = method_a(("cat", "banker", 20_00, 3))
    permit = commands.PermitSqueeze(by="sue", player="eve", cards=(1, 3))
    table.refuses("wrong-rank", ("3.10.4.1",), commands.PermitSqueeze(by="dee", player="eve", cards=(1, 3)))
    event = only(table.do(permit), SqueezePermitted)
    assert event.rules == ("3.10.4.1",)
    table.do(handing("eve", 1, 3))
    table.refuses("wrong-rank", ("3.21",), commands.PermitSqueeze(by="sue", player="eve", cards=(2,)))


def test_3_10_4_1_after_everybody_refused() -> None:
    table = method_a(("cat", "banker", 20_00, 3))
    table.do(commands.RefuseCards(by="cat", hand=Side.BANKER))
    table.do(commands.PermitSqueeze(by="sue", player="eve", cards=(2, 4)))
    table.do(handing("eve", 2, 4))


def test_3_10_3__3_10_4_1_whom_the_supervisor_picked_may_refuse() -> None:
    table = method_a(("cat", "banker", 20_00, 3))
    table.do(commands.PermitSqueeze(by="sue", player="eve", cards=(1, 3)))
    table.do(handing("eve", 1, 3))
    table.do(commands.RefuseCards(by="eve", hand=Side.PLAYER))
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("eve", 1, 3))
    table.do(commands.PermitSqueeze(by="sue", player="dan", cards=(1, 3)))
    table.do(handing("dan", 1, 3))


def test_3_10_4_1__3_10_7_whom_the_supervisor_picked_squeezes_the_third_card_too() -> None:
    """Eve has no wager; she squeezes Player's hand, so its third card is hers as well."""
    table = method_a(("cat", "banker", 20_00, 3))
    table.do(commands.PermitSqueeze(by="sue", player="eve", cards=(1, 3)))
    table.do(handing("eve", 1, 3))
    table.expose(1, 3, by="eve")
    table.expose(2, 4)
    table.deal("2H")
    table.do(handing("eve", 5))
    table.expose(5, by="eve")


def test_3_10_4_1_nobody_is_picked_who_is_not_there() -> None:
    table = method_a(("cat", "banker", 20_00, 3), ("dan", "tie", 20_00, 4))
    table.do(commands.Leave(by="dan"))
    picking = commands.PermitSqueeze(by="sue", player="dan", cards=(1, 3))
    assert table.refused(picking).code == "no-right-to-squeeze"


@pytest.mark.parametrize("first", list(Side))
def test_3_10_6_the_dealer_says_which_hand_is_revealed_first(first: Side) -> None:
    table = method_a(("ann", "player", 100_00, 1), ("bob", "banker", 50_00, 2))
    table.refuses("wrong-rank", ("3.10.6",), commands.RevealFirst(by="ann", hand=first))
    table.do(commands.RevealFirst(by="dee", hand=first))
    table.refuses("card-not-due", ("3.10.6",), commands.RevealFirst(by="dee", hand=first.other))
    table.do(handing("ann", 1, 3))
    table.do(handing("bob", 2, 4))
    turns = [("ann", 1, 3), ("bob", 2, 4)]
    (now, *mine), (later, *theirs) = turns if first is Side.PLAYER else turns[::-1]
    table.refuses("card-not-due", ("3.10.6",), table.exposing(int(theirs[0]), by=str(later)))
    table.expose(*map(int, mine), by=str(now))
    table.expose(*map(int, theirs), by=str(later))


def test_3_10_6_half_of_the_first_hand_is_not_enough() -> None:
    table = method_a(("ann", "player", 100_00, 1), ("bob", "banker", 50_00, 2))
    table.do(commands.RevealFirst(by="dee", hand=Side.BANKER))
    table.expose(2)
    table.refuses("card-not-due", ("3.10.6",), table.exposing(1))
    table.refuses("card-not-due", ("3.10.6",), table.exposing(1, 3))
    table.expose(4)
    table.expose(1, 3)


def test_3_10_6_it_is_said_after_the_initial_deal_and_before_anything_is_seen() -> None:
    table = closed(("ann", "player", 100_00, 1), method="A")
    table.deal("2C 4H 3D")
    table.refuses("card-not-due", ("3.10.6",), commands.RevealFirst(by="dee", hand=Side.PLAYER))
    table.deal("KS")
    table.expose(2)
    table.refuses("card-not-due", ("3.10.6",), commands.RevealFirst(by="dee", hand=Side.PLAYER))


def test_3_10_7_third_cards_face_down_for_a_squeezer_or_turned_by_the_dealer() -> None:
    """Ann squeezes Player's third card; nobody has bet on Banker, so the dealer turns that one."""
    table = method_a(("ann", "player", 100_00, 1), device="reader")
    table.do(handing("ann", 1, 3))
    table.expose(1, 3, by="ann")
    table.expose(2, 4)
    assert kinds(table.deal("4C")) == ["CardDrawn"]
    assert table.sees("ann")[-1] == table.sees("eve")[-1] == "?"
    table.do(handing("ann", 5))
    assert (table.sees("ann")[-1], table.sees("eve")[-1]) == ("4C", "?")
    table.refuses("card-not-yours", SQUEEZE, commands.Expose(by="dee", cards=(5,)))
    table.expose(5, by="ann")
    table.deal("5D")
    assert table.sees("ann")[-1] == "?"
    table.refuses("card-not-yours", SQUEEZE, commands.Expose(by="ann", cards=(6,)))
    table.expose(6)
    table.settle()
    assert table.net("ann") == 0  # tie on 9


def test_3_10_7_where_nobody_squeezes_the_hand_its_third_card_is_the_dealers() -> None:
    """The dealer turned Player's cards; that Ann has a wager does not give her the third one."""
    table = method_a(("ann", "player", 100_00, 1))
    table.expose(1, 2, 3, 4)
    table.deal("2H")
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("ann", 5))
    table.expose(5)


def test_3_10_7_each_hand_by_itself() -> None:
    table = method_a(("ann", "player", 100_00, 1), ("bob", "banker", 50_00, 2))
    table.do(handing("bob", 2, 4))
    table.expose(2, 4, by="bob")
    table.expose(1, 3)
    table.deal("2H")
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("ann", 5))
    table.expose(5)
    table.deal("KD")
    table.do(handing("bob", 6))
    table.refuses("card-not-yours", SQUEEZE, table.exposing(6))
    table.expose(6, by="bob")
    table.settle()


def test_3_10_7__5_10_who_had_cards_taken_away_gets_no_third_one() -> None:
    table = method_a(("ann", "player", 100_00, 1))
    table.do(handing("ann", 1, 3))
    table.do(commands.TakeCards(by="dee", cards=(1, 3), reason="does not answer"))
    table.expose(1, 2, 3, 4)
    table.deal("2H")
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("ann", 5))
    table.expose(5)


def test_3_10_7__5_10_a_squeezer_who_leaves_gets_no_third_one() -> None:
    """The dealer turns what Ann holds and what would have come to her; the round is finished."""
    table = method_a(("ann", "player", 100_00, 1), ("bob", "player", 50_00, 2))
    table.do(handing("ann", 1, 3))
    table.do(commands.Leave(by="ann"))
    table.expose(1, 2, 3, 4)
    table.deal("2H")
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("ann", 5))
    table.expose(5)
    table.show("KD")
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, 50_00)


def test_3_21_a_pit_manager_lets_anybody_squeeze() -> None:
    table = method_a(("ann", "player", 100_00, 1), device="reader")
    table.refuses("wrong-rank", ("3.21",), commands.PermitSqueeze(by="sue", player="eve", cards=(1, 3)))
    event = only(table.do(commands.PermitSqueeze(by="pam", player="eve", cards=(1, 3))), SqueezePermitted)
    assert event.rules == ("3.21",)
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("ann", 1, 3))
    table.do(handing("eve", 1, 3))
    assert table.sees("eve") == ["2C", "?", "3D", "?"]
    assert table.sees("ann") == ["?", "?", "?", "?"]


# Method B -------------------------------------------------------------------------------------------------


def test_3_11_1_the_dealer_draws_and_lays_the_cards_out() -> None:
    table = closed(("ann", "player", 100_00, 1), method="B")
    drawn = [event for event in table.deal("9C 4H") if isinstance(event, CardDrawn)]
    assert [(event.hand, event.face_up, event.by) for event in drawn] == [
        (Side.PLAYER, True, "dee"),
        (Side.BANKER, True, "dee"),
    ]


def test_3_11_2_players_do_not_handle_the_cards() -> None:
    table = closed(("ann", "player", 100_00, 1), method="B")
    table.refuses("not-allowed-here", METHOD_B, commands.PermitSqueeze(by="pam", player="ann", cards=(1,)))
    table.refuses("not-allowed-here", SQUEEZE, commands.RefuseCards(by="ann", hand=Side.PLAYER))
    table.deal("9C")
    assert table.refused(handing("ann", 1)).code == "no-such-card"


# Method C -------------------------------------------------------------------------------------------------


def method_c(*stakes: tuple[str, str, int, int]) -> Table:
    """Ann draws the cards."""
    table = opened(**HIGH_LIMIT)
    for player, bet, cents, box in stakes or (("ann", "player", 100_00, 1), ("bob", "banker", 50_00, 2)):
        table.place(player, bet, cents, box)
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    return table


def test_3_12_1_a_player_draws_and_the_dealer_does_not() -> None:
    table = method_c()
    table.refuses("wrong-rank", METHOD_C, table.drawing("9C"))
    table.refuses("wrong-rank", METHOD_C, table.drawing("9C", by="sam"))
    table.refuses("wrong-rank", METHOD_C, table.drawing("9C", by="bob"))
    event = only(table.do(table.drawing("9C", by="ann")), CardDrawn)
    assert (event.by, event.face_up) == ("ann", False)
    assert table.sees("ann") == ["?"]  # drawing a card is not seeing it


@pytest.mark.parametrize("bet", ["player", "banker", "tie", "tiger-pair"])
def test_3_12_1_whoever_has_a_wager_may_draw(bet: str) -> None:
    table = opened(**HIGH_LIMIT)
    table.place("ann", bet, 10_00)
    event = only(table.do(commands.GiveDevice(by="dee", player="ann")), DeviceGiven)
    assert (event.without_wager, event.rules) == (False, METHOD_C)
    table.close()
    table.deal("9C", by="ann")


def test_3_12_1_not_only_who_has_the_highest_wager() -> None:
    table = opened(**HIGH_LIMIT)
    table.place("ann", "player", 1_000_00)
    table.place("bob", "tie", 10_00)
    table.do(commands.GiveDevice(by="dee", player="bob"))


def test_3_12_1_the_holder_may_turn_both_hands() -> None:
    table = method_c()
    table.deal("2C 4H 3D KS", by="ann")
    table.refuses("card-not-yours", ("3.12.3",), commands.Expose(by="bob", cards=(2, 4)))
    table.expose(1, 3, by="ann")
    table.expose(2, 4, by="ann")
    assert table.sees("eve") == ["2C", "4H", "3D", "KS"]


def test_3_12_1_the_first_card_waits_for_a_player_to_take_the_device() -> None:
    table = opened(**HIGH_LIMIT)
    table.place("ann", "player", 100_00)
    table.close()
    table.refuses("wrong-rank", METHOD_C, table.drawing("9C", by="ann"))
    table.refuses("not-allowed-here", METHOD_C, table.drawing("9C"))
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.deal("9C", by="ann")


def test_3_12_1_not_in_mid_deal() -> None:
    """Ann gives the device up after the first card: the dealer finishes the round."""
    table = method_c()
    table.deal("9C", by="ann")
    table.do(commands.GiveUpDevice(by="ann"))
    table.refuses("not-allowed-here", METHOD_C, commands.GiveDevice(by="dee", player="bob"))
    table.deal("4H")


def test_3_12_2_drawing_without_a_wager_takes_an_assistant_casino_manager() -> None:
    table = opened(**HIGH_LIMIT)
    table.place("bob", "player", 100_00)
    for person in ("dee", "pam", "sam"):
        table.refuses("wrong-rank", ("3.12.2",), commands.GiveDevice(by=person, player="ann"))
    event = only(table.do(commands.GiveDevice(by="ada", player="ann")), DeviceGiven)
    assert (event.without_wager, event.rules) == (True, ("3.12.2",))
    table.close()
    table.deal("9C", by="ann")


def test_3_12_2_the_leave_is_for_one_round() -> None:
    """Ann has no wager in the next round either: she draws only with leave given anew."""
    table = opened(**HIGH_LIMIT)
    table.place("bob", "player", 100_00)
    table.do(commands.GiveDevice(by="ada", player="ann"))
    table.close()
    play_out(table, PLAYER_WINS)
    table.open()
    table.place("bob", "player", 100_00)
    table.close()
    table.refuses("not-allowed-here", ("3.12.2",), table.drawing("9C", by="ann"))
    table.refuses("wrong-rank", ("3.12.2",), commands.GiveDevice(by="dee", player="ann"))
    table.do(commands.GiveDevice(by="ada", player="ann"))
    table.deal("9C", by="ann")


def test_3_12_2_a_wager_makes_the_leave_needless() -> None:
    table = opened(**HIGH_LIMIT)
    table.place("bob", "player", 100_00)
    table.do(commands.GiveDevice(by="ada", player="ann"))
    table.close()
    play_out(table, PLAYER_WINS)
    table.open()
    table.place("ann", "tie", 10_00)
    table.close()
    table.deal("9C", by="ann")


def test_3_12_2_who_has_neither_wager_nor_leave_gives_the_device_back() -> None:
    """Ann took her wager back before the close: the dealer takes the device, and Bob draws."""
    table = opened(**HIGH_LIMIT)
    table.place("ann", "player", 100_00)
    table.place("bob", "player", 100_00)
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.take_back("ann", "player")
    table.close()
    table.refuses("not-allowed-here", ("3.12.2",), table.drawing("9C", by="ann"))
    assert only(table.do(commands.TakeDevice(by="dee")), DeviceReturned).why == "taken"
    table.do(commands.GiveDevice(by="dee", player="bob"))
    table.deal("9C", by="bob")


def test_3_12_3__3_12_5_a_hand_goes_to_its_player_by_way_of_the_dealer() -> None:
    table = method_c()
    table.deal("2C 4H 3D KS", by="ann")
    assert table.refused(commands.HandOver(by="ann", player="bob", cards=(2, 4))).code == "wrong-rank"
    table.do(handing("bob", 2, 4))
    table.do(handing("ann", 1, 3))
    assert table.sees("bob") == ["?", "4H", "?", "KS"]
    table.expose(2, 4, by="bob")
    table.expose(1, 3, by="ann")
    assert table.sees("eve") == ["2C", "4H", "3D", "KS"]
    assert table.view("eve").points == {Side.PLAYER: 5, Side.BANKER: 4}


def test_3_12_6__3_12_7_third_cards_are_drawn_by_the_holder_of_the_device() -> None:
    table = method_c()
    table.deal("2C 4H 3D KS", by="ann")
    table.expose(1, 2, 3, 4)
    table.refuses("wrong-rank", METHOD_C, table.drawing("2C"))
    table.deal("2C", by="ann")
    table.do(handing("ann", 5))
    table.expose(5, by="ann")
    table.deal("KD", by="ann")
    table.do(handing("bob", 6))
    table.expose(6, by="bob")
    assert table.sees("eve") == ["2C", "4H", "3D", "KS", "2C", "KD"]
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -50_00)


def play_out(table: Table, deal: str) -> tuple[str, ...]:
    table.deal(deal, by="ann")
    table.expose(1, 2, 3, 4)
    return tuple(kinds(table.settle()))


@pytest.mark.parametrize("deal", [PLAYER_WINS, TIE])
def test_3_12_8_the_holder_keeps_the_device(deal: str) -> None:
    table = method_c()
    assert play_out(table, deal) == ("RoundSettled",)
    table.open()
    table.place("ann", "player", 10_00)
    table.place("bob", "player", 500_00)
    table.refuses("not-allowed-here", METHOD_C, commands.GiveDevice(by="dee", player="ann"))
    table.refuses("not-allowed-here", METHOD_C, commands.GiveDevice(by="dee", player="bob"))
    table.close()
    table.deal("9C", by="ann")


def test_3_12_8_nobody_takes_it_from_a_holder_by_right() -> None:
    table = method_c()
    for person in ("dee", "ada"):
        table.refuses("not-allowed-here", METHOD_C, commands.TakeDevice(by=person))
    table.deal("2C 4H", by="ann")
    table.refuses("not-allowed-here", METHOD_C, commands.TakeDevice(by="dee"))
    assert table.refused(commands.TakeDevice(by="bob")).code == "wrong-rank"


@pytest.mark.parametrize("when", ["bets open", "before the first card", "in mid-deal", "between rounds"])
def test_3_12_8_who_walks_away_loses_it(when: str) -> None:
    table = opened(**HIGH_LIMIT)
    table.place("ann", "player", 100_00)
    table.do(commands.GiveDevice(by="dee", player="ann"))
    if when != "bets open":
        table.close()
    if when == "in mid-deal":
        table.deal("2C 4H", by="ann")
    if when == "between rounds":
        play_out(table, PLAYER_WINS)
    event = only(table.do(commands.Leave(by="ann")), DeviceReturned)
    assert (event.player, event.why, table.state.device) == ("ann", "left", None)
    if when == "bets open":
        table.close()
    if when == "between rounds":
        table.open()
        table.close()
    table.deal("9C")  # the dealer goes on


def test_3_12_8_a_void_round_leaves_it_where_it_is() -> None:
    table = method_c()
    table.deal("2C 4H", by="ann")
    table.do(commands.Void(by="sam", reason="power"))
    assert table.state.device == "ann"


def test_3_12_8_1_the_holder_gives_it_up() -> None:
    table = method_c()
    table.refuses("not-allowed-here", METHOD_C, commands.GiveUpDevice(by="bob"))
    event = only(table.do(commands.GiveUpDevice(by="ann")), DeviceReturned)
    assert (event.player, event.why) == ("ann", "given-up")
    table.do(commands.GiveDevice(by="dee", player="bob"))
    table.deal("9C", by="bob")


def test_3_12_8_2_the_device_is_lost_with_the_wager() -> None:
    table = method_c()
    assert play_out(table, BANKER_WINS) == ("RoundSettled", "DeviceReturned")
    assert (table.state.device, table.view("eve").device) == (None, None)
    table.open()
    table.place("bob", "player", 10_00)
    table.do(commands.GiveDevice(by="dee", player="bob"))


@pytest.mark.parametrize(
    ("deal", "kept"), [("P 9C KD | B 4H 2S", False), ("P 4C 4D | B 6H 2S", True), ("P KC KD | B 4H 5S", True)]
)
def test_3_12_8_2_without_a_wager_on_a_hand_all_of_them_have_to_lose(deal: str, *, kept: bool) -> None:
    """Ann has only Tie and Tiger Pair: the one wins on a tie, the other with a pair of kings."""
    table = method_c(("ann", "tie", 10_00, 1), ("ann", "tiger-pair", 10_00, 1), ("bob", "banker", 50_00, 2))
    play_out(table, deal)
    assert table.state.device == ("ann" if kept else None)


def test_3_12_8_2_of_two_wagers_on_hands_one_loses() -> None:
    table = method_c(("ann", "player", 100_00, 1), ("ann", "banker", 10_00, 1))
    play_out(table, PLAYER_WINS)
    assert table.state.device is None


def test_3_12_8_2_who_draws_without_a_wager_loses_none() -> None:
    table = opened(**HIGH_LIMIT)
    table.place("bob", "player", 100_00)
    table.do(commands.GiveDevice(by="ada", player="ann"))
    table.close()
    assert play_out(table, BANKER_WINS) == ("RoundSettled",)
    assert table.state.device == "ann"


def test_3_12_8_2_a_lost_side_wager_keeps_it() -> None:
    table = method_c(("ann", "player", 100_00, 1), ("ann", "tie", 10_00, 1))
    assert play_out(table, PLAYER_WINS) == ("RoundSettled",)
    assert table.state.device == "ann"


def test_3_12_the_device_goes_back_when_the_method_changes() -> None:
    table = method_c()
    table.do(commands.ChangeSetup(by="pam", changes=commands.Changes(method="B")))
    play_out(table, PLAYER_WINS)
    table.open()
    assert table.state.device is None
    table.close()
    table.deal("9C")


# Cards ----------------------------------------------------------------------------------------------------


def test_3_13__3_13_1__3_13_2__3_15_four_cards_then_the_table_of_play() -> None:
    table = closed(("ann", "player", 100_00, 1))
    drawn = [event for event in table.deal("2C 4H 3D KS 2H KD") if isinstance(event, CardDrawn)]
    assert [event.hand for event in drawn] == [
        Side.PLAYER,
        Side.BANKER,
        Side.PLAYER,
        Side.BANKER,
        Side.PLAYER,
        Side.BANKER,
    ]
    table.refuses("card-not-due", ("3.15",), table.drawing("2C"))
    other = closed(("ann", "player", 100_00, 1))
    other.deal("2C 4H 3D KS KC")  # the Banker stands on 4 against a king
    other.refuses("card-not-due", ("3.15",), other.drawing("2C"))


def test_3_16_1_a_tie_leaves_wagers_on_the_hands_alone() -> None:
    table = closed(("ann", "player", 100_00, 1), ("bob", "banker", 100_00, 2), ("cat", "tie", 10_00, 3))
    table.deal(TIE)
    table.settle()
    assert [line.result for line in table.lines()] == ["push", "push", "win"]
    assert (table.net("ann"), table.net("bob"), table.net("cat")) == (0, 0, 80_00)


def test_4_1__4_2__4_3_a_whole_settlement() -> None:
    """Banker 6 on three cards over Player 5; Player began with a pair of queens."""
    table = opened()
    stakes = {"banker": 100_00, "tiger": 10_00, "big-tiger": 10_00, "small-tiger": 10_00, "tiger-pair": 10_00}
    for bet, cents in stakes.items():
        table.place("ann", bet, cents)
    table.place("bob", "player", 40_00)
    table.close()
    table.deal("P QC QD 5H | B 2H KS 4C")
    table.settle()
    assert {(line.player, line.bet): line.net for line in table.lines()} == {
        ("ann", "banker"): 95_00,
        ("ann", "tiger"): 200_00,
        ("ann", "big-tiger"): 500_00,
        ("ann", "small-tiger"): -10_00,
        ("ann", "tiger-pair"): 40_00,
        ("bob", "player"): -40_00,
    }
    assert (table.net("ann"), table.net("bob"), table.house) == (825_00, -40_00, -785_00)


def test_3_22_the_cut_card_is_put_aside_and_the_round_completed() -> None:
    """Six cards before the cut card: it comes in the second round, before its third card."""
    table = Table(MBS, cut=8 * 52 - 6)
    table.round(PLAYER_WINS, ("ann", "player", 10_00))
    table.open()
    table.place("ann", "player", 10_00)
    table.close()
    assert table.refused(commands.CutCard(by="dee")).code == "card-not-due"
    assert kinds(table.deal("9C 4H")) == ["CardDrawn", "CardDrawn"]
    events = table.deal("KD")
    assert events[0] == CutCardAppeared(first=False, rules=("3.22",))
    table.deal("2S")
    table.settle()
    assert table.net("ann") == 20_00
    assert table.view("eve").cut_card_out
    assert table.refused(commands.Open(by="dee")).code == "new-shoe-needed"
    table.do(commands.NewShoe(by="dee"))
    table.open()
    assert (table.view("eve").shoe, table.view("eve").cards_left, table.roads()) == (2, 416, [])


def cut_first(*, high_limit: bool) -> Table:
    """The cut card is the first to come in the second round."""
    table = Table(MBS, seats=SEATS, cut=8 * 52 - 6, high_limit=high_limit)
    table.round("P 2C 3D 2H | B 4H KS KD", ("ann", "player", 10_00))
    table.open()
    table.place("ann", "player", 100_00)
    table.place("ann", "tie", 20_00)
    table.place("bob", "banker", 50_00)
    table.close()
    assert table.do(commands.CutCard(by="dee")) == (CutCardAppeared(first=True, rules=("3.22",)),)
    return table


def test_3_22_1_in_the_high_limit_area_wagers_may_be_withdrawn() -> None:
    table = cut_first(high_limit=True)
    table.refuses("wrong-phase", ("5.5",), table.taking_back("ann", "player"))
    table.refuses("wrong-rank", ("3.22.1",), commands.AllowWithdrawal(by="ann"))
    table.do(commands.AllowWithdrawal(by="dee"))
    assert table.refused(table.taking_back("ann", "player", 50_00)).code == "no-such-stake"
    event = only(table.take_back("ann", "player"), StakeSet)
    assert (event.why, event.rules) == ("withdrawn", ("3.22.1",))
    table.refuses("wrong-phase", ("5.4",), table.placing("ann", "player", 10_00))
    table.deal("4C")
    table.refuses("wrong-phase", ("5.5",), table.taking_back("ann", "tie"))
    table.deal("9H 2D KS")
    table.settle()  # Banker wins
    assert (table.net("ann"), table.net("bob")) == (10_00 - 20_00, 47_50)


def test_3_22_1_nowhere_else() -> None:
    table = cut_first(high_limit=False)
    table.refuses("not-allowed-here", ("3.22.1",), commands.AllowWithdrawal(by="dee"))


def test_3_22_1_not_when_the_cut_card_comes_later() -> None:
    table = Table(MBS, cut=8 * 52 - 6, high_limit=True)
    table.round(PLAYER_WINS, ("ann", "player", 10_00))
    table.open()
    table.place("ann", "player", 10_00)
    table.close()
    table.deal("9C 4H KD")
    table.refuses("not-allowed-here", ("3.22.1",), commands.AllowWithdrawal(by="dee"))


# Finality and authority -----------------------------------------------------------------------------------


def test_1_1_7__6_1_payment_ends_the_round() -> None:
    table = closed(("ann", "player", 100_00, 1))
    table.deal(PLAYER_WINS)
    table.settle()
    correction = cards("P 9C KD | B 9H KS")
    for person in ("dee", "sue", "pam", "ada"):
        table.refuses("wrong-rank", ("6.1",), commands.Correct(by=person, cards=correction, reason="misread"))
        table.refuses("wrong-rank", ("6.1",), commands.Void(by=person, reason="misread"))
    events = table.do(commands.Correct(by="sam", cards=correction, reason="misread"))
    assert kinds(events) == ["SettlementReversed", "CardsAmended", "RecordAmended", "RoundSettled"]
    assert events[0].rules == ("6.1",)
    assert (table.net("ann"), table.roads()) == (0, ["tie"])
    table.do(commands.Void(by="sam", reason="after all"))
    assert (table.net("ann"), table.roads(), table.state.phase) == (0, [], "void")


def test_6_2_higher_positions_do_what_lower_ones_may() -> None:
    table = Table(MBS)
    for person in ("dee", "sue", "pam", "sam", "ada"):
        table.do(commands.Open(by=person))
        table.do(commands.Close(by=person))
        for card in cards(PLAYER_WINS):
            table.do(commands.Draw(by=person, card=card))
        table.do(commands.Settle(by=person))
    for person, rank in (("sam", "assistant-casino-manager"), ("ada", "gaming-shift-manager")):
        assert table.refused(commands.Assign(by=person, person="zoe", rank=rank)).code == "wrong-rank"


def test_6_3_results_on_display_are_for_information() -> None:
    table = Table(MBS)
    table.round(PLAYER_WINS, ("ann", "player", 10_00))
    seen = table.view("somebody-passing")
    assert ("6.3",) in {notice.rules for notice in seen.notices}
    assert [bead.winner for bead in seen.roads.bead_plate] == ["player"]


def test_no_insurance() -> None:
    table = closed(("ann", "player", 100_00, 1))
    table.deal("KC KH 6D 5S")
    refusal = table.refused(table.insuring("ann", "player", 10_00))
    assert (refusal.code, refusal.rules) == ("insurance-not-offered-here", ())
    assert table.refused(commands.BankerThirdFirst(by="sue", player="ann")).code == "not-allowed-here"
    assert table.refused(commands.RequestSqueeze(by="ann", cards=(5,))).code == "not-allowed-here"


def test_3_10_3__3_10_7_a_third_card_in_hand_can_be_refused() -> None:
    """Ann squeezed Player's two cards and declines the third: it is the next highest's."""
    table = method_a(("ann", "player", 100_00, 1), ("bob", "player", 50_00, 2), device="reader")
    table.do(handing("ann", 1, 3))
    table.expose(1, 3, by="ann")
    table.expose(2, 4)
    table.deal("2H")
    table.do(handing("ann", 5))
    table.do(commands.RefuseCards(by="ann", hand=Side.PLAYER))
    assert table.sees("ann")[-1] == "?"
    table.refuses("no-right-to-squeeze", SQUEEZE, handing("ann", 5))
    table.do(handing("bob", 5))


def test_5_14__5_18_3_the_pit_manager_leaves_no_wager_below_the_minimum() -> None:
    table = opened(differential=100_00)
    table.place("ann", "player", 105_00)
    table.close()
    remove = commands.Remove(by="pam", player="ann", box=1, bet="player", cents=100_00)
    assert table.refused(remove).code == "below-minimum"
    table.refuses("over-differential", ("5.18.3",), msgspec.structs.replace(remove, cents=105_00))
    table.do(msgspec.structs.replace(remove, cents=5_00))
    table.close()


def test_5_18_3_a_wager_comes_off_whole_where_less_would_leave_it_below_the_minimum() -> None:
    table = opened(differential=100_00)
    table.place("ann", "player", 95_00)
    table.place("bob", "player", 12_00, box=2)
    table.close()
    remove = commands.Remove(by="pam", player="bob", box=2, bet="player", cents=7_00)
    assert table.refused(remove).code == "below-minimum"
    table.do(msgspec.structs.replace(remove, cents=12_00))
    table.close()


def test_3_12_8_2_a_correction_to_a_loss_takes_the_device() -> None:
    table = method_c()
    play_out(table, PLAYER_WINS)
    table.do(commands.Correct(by="sam", cards=cards(BANKER_WINS), reason="misread"))
    assert table.state.device is None


def test_3_10_3_staff_record_who_refuses_the_cards() -> None:
    table = Table(MBS, method="A")
    table.open()
    table.place("ann", "player", 100_00)
    table.place("bob", "player", 50_00)
    table.close()
    table.deal("2C 4H 3D KS")
    table.do(commands.RefuseCards(by="dee", player="ann", hand=Side.PLAYER))
    table.do(commands.HandOver(by="dee", player="bob", cards=(1, 3)))


def test_3_5_1_a_wager_under_the_minimum_goes_back() -> None:
    table = Table(MBS, limits={"*": Limit(50_00, 2_000_00)})
    table.open()
    table.record("ann", "tie", 20_00)
    flag = table.flag()
    assert [one["key"] for one in flag.remedies] == ["withdraw"]
    assert flag.rules == ("3.5.1",)


def test_5_18_the_heavier_hand_is_asked_first_then_the_pit_manager_removes() -> None:
    table = Table(MBS, differential=500_00)
    table.open()
    table.place("ann", "banker", 400_00)
    table.place("bob", "banker", 300_00)
    flag = table.flag()
    assert (flag.kind, flag.box, flag.bet, flag.cents) == ("over-differential", 0, "banker", 200_00)
    assert (flag.players, flag.back, flag.decides, flag.who) == (("ann", "bob"), (), "", "")
    assert flag.rules == ("5.18.1", "5.18.2")
    table.clear(flag, "ask-to-decrease")
    asked = table.flag()
    assert asked.kind == "over-differential"
    assert (asked.decides, asked.rules) == ("pit-manager", ("5.18.3",))
    assert asked.who == "Pit Manager, Gaming Shift Manager or Assistant Casino Manager"
    assert asked.back == (("bob", "banker", 200_00),)
    table.take_back("ann", "banker", 50_00)  # somebody decreases: less is left to remove
    left = table.flag()
    assert left.back == (("bob", "banker", 150_00),)
    table.clear(left, "remove", by="pam")
    assert flags(table.state) == ()
    table.do(commands.Close(by="dee"))
    assert table.state.phase == "dealing"
