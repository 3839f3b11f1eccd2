"""Tables of the four RWS documents, by the paragraphs whose numbers agree in all of them."""

from typing import Any

import pytest

from table.tables import LIMITS, Table, kinds, only, set_up
from thirdcard.errors import BadInput
from thirdcard.rulebook.model import Side
from thirdcard.table import commands, start
from thirdcard.table.events import BetsClosed, BetsOpened, CardDrawn, PlayedChanged
from thirdcard.table.setup import Limit

SLUGS = (
    "rws-tiger-buffalo-commission-v2",
    "rws-tiger-buffalo-non-commission-v3",
    "rws-tiger-buffalo-non-commission-v4",
    "rws-commission-insurance-v5",
)
pytestmark = pytest.mark.parametrize("slug", SLUGS)

# Player wins 9 over 6 on four cards; no pair, nothing drawn.
PLAYER_WINS = "P 9C KD | B 4H 2S"
BANKER_WINS = "P 4C 2D | B 9H KS"
TIE = "P 4C 4D | B 6H 2S"


def opened(slug: str, **changed: Any) -> Table:  # noqa: ANN401 - values of a set-up
    table = Table(slug, seats={"ann": 1, "bob": 2, "cat": 0, "dan": 0}, **changed)
    table.open()
    return table


# Limits on display ----------------------------------------------------------------------------------------


def test_3_4_minimum_and_differential_are_displayed_to_everybody(slug: str) -> None:
    table = Table(slug, limits={"*": Limit(10_00), "player": Limit(50_00, 500_00)}, differential=700_00)
    for viewer in ("ann", "dee", "somebody-passing"):
        seen = table.view(viewer)
        assert seen.limits["player"] == Limit(50_00, 500_00)
        assert seen.limits["tie"] == Limit(10_00)
        assert seen.differential == 700_00
        assert "3.4" in {rule for notice in seen.notices for rule in notice.rules}


def test_3_4_no_table_without_a_differential(slug: str) -> None:
    with pytest.raises(BadInput, match=r"differential must be displayed \(3\.4\)"):
        start(set_up(slug, differential=None))


@pytest.mark.parametrize(
    ("cents", "code"),
    [(9_00, "below-minimum"), (10_00, None), (500_00, None), (501_00, "above-maximum")],
)
def test_3_5_a_bet_stays_within_the_limits(slug: str, cents: int, code: str | None) -> None:
    table = opened(slug, limits={"*": Limit(10_00, 500_00)})
    if code is None:
        table.place("ann", "player", cents)
        assert table.stakes() == {("ann", 1, "player"): cents}
    else:
        assert table.refused(table.placing("ann", "player", cents)).code == code


def test_3_5_limits_hold_for_what_a_stake_grows_to(slug: str) -> None:
    table = opened(slug, limits={"*": Limit(10_00, 500_00)})
    table.place("ann", "player", 400_00)
    assert table.refused(table.placing("ann", "player", 101_00)).code == "above-maximum"
    table.place("ann", "player", 1_00)
    table.place("ann", "player", 99_00)
    assert table.stakes() == {("ann", 1, "player"): 500_00}
    assert table.refused(table.taking_back("ann", "player", 491_00)).code == "below-minimum"
    table.take_back("ann", "player", 490_00)
    assert table.stakes() == {("ann", 1, "player"): 10_00}


def test_3_5_changed_limits_hold_from_the_next_round(slug: str) -> None:
    table = opened(slug)
    change = commands.ChangeSetup(by="pam", changes=commands.Changes(limits={"*": Limit(100_00)}))
    for person in ("dee", "sue", "ann"):
        assert table.refused(commands.ChangeSetup(by=person, changes=change.changes)).code == "wrong-rank"
    table.do(change)
    assert table.view("ann").limits["player"] == LIMITS["*"]
    assert "next round" in " ".join(notice.text for notice in table.view("ann").notices)
    table.place("ann", "player", 10_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    table.open()
    assert table.view("ann").limits["player"] == Limit(100_00)
    assert table.refused(table.placing("ann", "player", 10_00)).code == "below-minimum"
    assert not any("next round" in notice.text for notice in table.view("ann").notices)


# People, seats, bets --------------------------------------------------------------------------------------


def test_3_3_bets_are_placed_from_the_call_on(slug: str) -> None:
    table = Table(slug)
    table.refuses("wrong-phase", ("3.3",), table.placing("ann", "player", 10_00))
    (event,) = table.do(commands.Open(by="dee"))
    assert (event, event.rules) == (BetsOpened(number=1, rules=("3.3",)), ("3.3",))
    table.place("ann", "player", 10_00)


def test_3_6_others_take_up_the_balance_of_a_box(slug: str) -> None:
    table = opened(slug)
    table.place("ann", "player", 400_00)
    table.place("cat", "player", 500_00, box=1)
    assert table.refused(table.placing("dan", "player", 101_00, box=1)).code == "over-differential"
    table.place("dan", "player", 100_00, box=1)
    assert table.stakes() == {
        ("ann", 1, "player"): 400_00,
        ("cat", 1, "player"): 500_00,
        ("dan", 1, "player"): 100_00,
    }


def test_3_7_a_side_bet_needs_no_bet_on_a_hand(slug: str) -> None:
    table = Table(slug)
    assert table.round(TIE, ("ann", "tie", 50_00)) == {"ann": 400_00}
    assert table.house == -400_00


def test_3_8_the_close_ends_betting(slug: str) -> None:
    table = opened(slug)
    table.place("ann", "player", 100_00)
    assert only(table.close(), BetsClosed) == BetsClosed(played={}, rules=("3.8",))
    for command in (
        table.placing("ann", "player", 10_00),
        table.placing("bob", "tie", 10_00),
        table.taking_back("ann", "player"),
        table.taking_back("ann", "player", 10_00),
        commands.Place(by="dee", player="bob", box=2, bet="tie", cents=10_00),
    ):
        assert table.refused(command).code == "wrong-phase"
    assert table.stakes() == {("ann", 1, "player"): 100_00}


def test_3_10_four_cards_to_player_and_banker_in_turn(slug: str) -> None:
    table = opened(slug)
    table.place("ann", "player", 100_00)
    assert table.refused(table.drawing("9C")).code == "wrong-phase"
    table.close()
    drawn = [event for event in table.deal("9C 4H KD 2S") if isinstance(event, CardDrawn)]
    assert [(event.place, event.hand, str(event.card), event.face_up) for event in drawn] == [
        (1, Side.PLAYER, "9C", True),
        (2, Side.BANKER, "4H", True),
        (3, Side.PLAYER, "KD", True),
        (4, Side.BANKER, "2S", True),
    ]
    assert table.view("cat").points == {Side.PLAYER: 9, Side.BANKER: 6}


def test_3_10_the_first_four_cards_decide_the_pairs(slug: str) -> None:
    table = Table(slug)
    assert table.round("P 2C 2D 2H | B KH 7S", ("ann", "player-pair", 10_00)) == {"ann": 110_00}
    assert table.round("P 2C 3D 3H | B KH 7S", ("ann", "player-pair", 10_00)) == {"ann": -10_00}


# The differential while bets are open ---------------------------------------------------------------------


def test_5_1_the_differential_of_a_box(slug: str) -> None:
    table = opened(slug)
    refusal = table.refused(table.placing("ann", "player", 1_001_00))
    assert refusal.code == "over-differential"
    assert "5.1" in refusal.rules
    table.place("ann", "player", 1_000_00)
    # What lies on the other hand makes room, a person's own bets included.
    table.place("ann", "banker", 500_00)
    table.place("ann", "player", 500_00)
    assert table.refused(table.placing("ann", "player", 1_00)).code == "over-differential"
    table.place("ann", "banker", 1_500_00)
    # Another box has its own, and side bets never count.
    table.place("bob", "player", 1_000_00)
    table.place("bob", "tie", 1_000_00)
    assert table.stakes() == {
        ("ann", 1, "player"): 1_500_00,
        ("ann", 1, "banker"): 2_000_00,
        ("bob", 2, "player"): 1_000_00,
        ("bob", 2, "tie"): 1_000_00,
    }


def test_5_1_standing_stakes_give_way_to_a_seated_one(slug: str) -> None:
    table = opened(slug)
    table.place("cat", "player", 800_00, box=1)
    events = table.place("ann", "player", 300_00)
    assert kinds(events) == ["StakeSet", "StakeSet"]
    assert table.stakes() == {("cat", 1, "player"): 700_00, ("ann", 1, "player"): 300_00}
    assert table.rack("cat") == 9_300_00


def test_5_1_of_standing_stakes_the_latest_is_cut_first(slug: str) -> None:
    table = opened(slug)
    table.place("cat", "player", 300_00, box=1)
    table.place("dan", "player", 300_00, box=1)
    table.place("ann", "player", 500_00)
    assert table.stakes() == {
        ("cat", 1, "player"): 300_00,
        ("dan", 1, "player"): 200_00,
        ("ann", 1, "player"): 500_00,
    }
    table.place("ann", "player", 300_00)  # takes the rest of Dan's and a hundred of Cat's
    assert table.stakes() == {("cat", 1, "player"): 200_00, ("ann", 1, "player"): 800_00}


def test_5_1_a_cut_below_the_minimum_returns_the_whole_stake(slug: str) -> None:
    table = opened(slug)
    table.place("cat", "player", 100_00, box=1)
    table.place("ann", "player", 990_00)
    assert table.stakes() == {("cat", 1, "player"): 10_00, ("ann", 1, "player"): 990_00}
    table.place("ann", "player", 1_00)  # nine dollars would be left
    assert table.stakes() == {("ann", 1, "player"): 991_00}
    assert table.rack("cat") == 10_000_00


def test_5_1_a_standing_player_displaces_nobody(slug: str) -> None:
    table = opened(slug)
    table.place("ann", "player", 900_00)
    table.place("cat", "player", 100_00, box=1)
    assert table.refused(table.placing("dan", "player", 10_00, box=1)).code == "over-differential"
    # Bob is seated, but not at this box.
    assert table.refused(table.placing("bob", "player", 10_00, box=1)).code == "over-differential"


def test_5_1_a_withdrawal_on_the_lighter_hand_cuts_the_heavier(slug: str) -> None:
    table = opened(slug)
    table.place("ann", "banker", 500_00)
    table.place("ann", "player", 1_000_00)
    table.place("cat", "player", 500_00, box=1)
    table.take_back("ann", "banker")
    assert table.stakes() == {("ann", 1, "player"): 1_000_00}
    assert (table.rack("ann"), table.rack("cat")) == (9_000_00, 10_000_00)


def test_5_1_the_dealer_rejects_an_excess_that_lies_there(slug: str) -> None:
    table = opened(slug)
    table.record("ann", "player", 700_00)
    table.record("cat", "player", 600_00, box=1)
    assert table.refused(commands.RejectExcess(by="cat", box=1)).code == "wrong-rank"
    table.do(commands.RejectExcess(by="dee", box=1))
    assert table.stakes() == {("ann", 1, "player"): 700_00, ("cat", 1, "player"): 300_00}
    assert table.refused(commands.RejectExcess(by="dee", box=1)).code == "over-differential"


# The differential after the close -------------------------------------------------------------------------


def test_5_1_1_the_heavier_hand_plays_pro_rata(slug: str) -> None:
    """1,500 against 200 with a differential of 1,000: the heavier hand plays for 1,200, four fifths."""
    table = opened(slug)
    table.record("ann", "player", 900_00)
    table.record("cat", "player", 600_00, box=1)
    table.record("dan", "banker", 200_00, box=1)
    table.close()
    assert table.plays() == {("ann", 1, "player"): 720_00, ("cat", 1, "player"): 480_00}
    table.deal(PLAYER_WINS)
    table.settle()
    assert (table.net("ann"), table.net("cat"), table.net("dan")) == (720_00, 480_00, -200_00)
    assert table.house == -1_000_00
    line = table.line("ann", "player")
    assert (line.stake, line.played, line.net) == (900_00, 720_00, 720_00)
    assert {"5.1.1", "5.1.2"} <= set(line.rules)


def test_5_1_1_what_is_not_played_for_is_returned_when_the_hand_loses(slug: str) -> None:
    table = opened(slug)
    table.record("ann", "player", 900_00)
    table.record("cat", "player", 600_00, box=1)
    table.close()  # 1,000 of 1,500: two thirds
    table.deal(BANKER_WINS)
    table.settle()
    assert (table.net("ann"), table.net("cat")) == (-600_00, -400_00)


def test_5_1_1_cents_go_by_largest_remainder(slug: str) -> None:
    """500, 400 and 200 share 1,000: 45454.54…, 36363.63… and 18181.81… cents."""
    table = opened(slug)
    table.record("ann", "player", 500_00)
    table.record("cat", "player", 400_00, box=1)
    table.record("dan", "player", 200_00, box=1)
    table.close()
    assert table.plays() == {
        ("ann", 1, "player"): 454_54,
        ("cat", 1, "player"): 363_64,
        ("dan", 1, "player"): 181_82,
    }


def test_5_1_1_of_equal_remainders_the_earliest_placed_gets_the_cent(slug: str) -> None:
    table = opened(slug)
    table.record("dan", "player", 700_00, box=1)
    table.record("ann", "player", 700_00)
    table.record("cat", "player", 700_00, box=1)
    table.close()
    assert table.plays() == {
        ("dan", 1, "player"): 333_34,
        ("ann", 1, "player"): 333_33,
        ("cat", 1, "player"): 333_33,
    }


def test_5_1_1_no_share_falls_below_the_minimum(slug: str) -> None:
    """110 of 2,110 would play for 52.13: it plays for the minimum and the others share 900."""
    table = opened(slug, limits={"*": Limit(100_00)})
    table.record("ann", "player", 1_000_00)
    table.record("cat", "player", 1_000_00, box=1)
    table.record("dan", "player", 110_00, box=1)
    table.close()
    assert table.plays() == {
        ("ann", 1, "player"): 450_00,
        ("cat", 1, "player"): 450_00,
        ("dan", 1, "player"): 100_00,
    }


def test_5_1_1_a_raised_share_can_push_another_below_the_minimum(slug: str) -> None:
    """1,000, 220 and 110 share 620: 110 is raised, 220 of the rest would play for 93.77, so it is too."""
    table = opened(slug, limits={"*": Limit(100_00)}, differential=620_00)
    table.record("ann", "player", 1_000_00)
    table.record("cat", "player", 220_00, box=1)
    table.record("dan", "player", 110_00, box=1)
    table.close()
    assert table.plays() == {
        ("ann", 1, "player"): 420_00,
        ("cat", 1, "player"): 100_00,
        ("dan", 1, "player"): 100_00,
    }


def test_5_1_1_floors_that_exceed_the_differential_stand(slug: str) -> None:
    table = opened(slug, limits={"*": Limit(100_00)}, differential=200_00)
    for player in ("ann", "cat", "dan"):
        table.record(player, "player", 300_00, box=1)
    table.close()
    assert set(table.plays().values()) == {100_00}
    assert len(table.plays()) == 3


def test_5_1_1_each_box_by_itself(slug: str) -> None:
    table = opened(slug)
    table.record("ann", "player", 1_600_00)
    table.record("bob", "banker", 1_200_00)
    table.record("cat", "player", 100_00, box=2)
    table.close()
    assert table.plays() == {("ann", 1, "player"): 1_000_00, ("bob", 2, "banker"): 1_100_00}


def test_5_1_2_a_bet_under_the_minimum_plays_in_full(slug: str) -> None:
    """50 plays in full; 1,000 and 500 share the other 950: 63333.33… and 31666.66… cents."""
    table = opened(slug, limits={"*": Limit(100_00)})
    table.record("ann", "player", 1_000_00)
    table.record("cat", "player", 500_00, box=1)
    table.record("dan", "player", 50_00, box=1)
    table.close()
    assert table.plays() == {("ann", 1, "player"): 633_33, ("cat", 1, "player"): 316_67}
    table.deal(PLAYER_WINS)
    table.settle()
    assert (table.net("ann"), table.net("cat"), table.net("dan")) == (633_33, 316_67, 50_00)


def test_5_1_1_chips_recorded_after_the_close_are_shared_anew(slug: str) -> None:
    table = opened(slug)
    table.place("ann", "player", 1_000_00)
    table.close()
    assert table.plays() == {}
    events = table.record("cat", "player", 1_000_00, box=1)
    assert "5.1.1" in only(events, PlayedChanged).rules
    assert table.plays() == {("ann", 1, "player"): 500_00, ("cat", 1, "player"): 500_00}
    table.record("cat", "player", 0, box=1)
    assert table.plays() == {}


# Under the minimum ----------------------------------------------------------------------------------------


def test_5_2_an_under_minimum_bet_is_raised_or_withdrawn(slug: str) -> None:
    table = opened(slug)
    assert table.refused(table.placing("ann", "player", 9_00)).code == "below-minimum"
    table.record("ann", "player", 5_00)
    table.record("bob", "player", 5_00)
    assert table.refused(table.placing("ann", "player", 4_00)).code == "below-minimum"
    assert table.refused(table.taking_back("ann", "player", 1_00)).code == "below-minimum"
    table.place("ann", "player", 5_00)
    table.take_back("bob", "player")
    assert table.stakes() == {("ann", 1, "player"): 10_00}


def test_5_2_1_an_unnoticed_one_wins_or_loses(slug: str) -> None:
    table = Table(slug)
    for cards, net in ((PLAYER_WINS, 5_00), (BANKER_WINS, 0), (PLAYER_WINS, 5_00)):
        table.open()
        table.record("ann", "player", 5_00)
        table.close()
        assert table.plays() == {}
        table.deal(cards)
        table.settle()
        assert table.net("ann") == net


# Voids leave no mark --------------------------------------------------------------------------------------


def test_results_on_display_follow_the_table(slug: str) -> None:
    table = Table(slug)
    table.round(PLAYER_WINS, ("ann", "player", 10_00))
    table.round(TIE, ("ann", "player", 10_00))
    table.round(BANKER_WINS, ("ann", "player", 10_00))
    assert table.roads() == ["player", "tie", "banker"]
    table.do(commands.Void(by="sam", reason="wrong shoe"))
    assert table.roads() == ["player", "tie"]
    table.open()
    table.do(commands.Void(by="sam", reason="nobody is here"))
    assert table.roads() == ["player", "tie"]
    beads = table.view("cat").roads.bead_plate
    assert [bead.winner for bead in beads] == ["player", "tie"]


def test_5_1_a_side_bet_taken_back_touches_no_other_stake(slug: str) -> None:
    table = opened(slug)
    table.record("ann", "player", 1_500_00)
    table.place("bob", "tie", 10_00, box=1)
    assert kinds(table.take_back("bob", "tie", box=1)) == ["StakeSet"]
