"""Rulings that hold: overrides and decisions with their effect, and a table that nobody can block."""

from typing import Any

import pytest

from each import each
from irregularities.checks import banker_wins
from irregularities.every_case import METHOD_C
from irregularities.situations import (
    BANKER_WINS,
    FACE_DOWN,
    INSURED,
    MBS,
    PLAYER_WINS,
    RWS,
    TBC,
    TO_COME,
    Scene,
    cards,
    only,
)
from thirdcard.rulebook import load, slugs
from thirdcard.table import commands
from thirdcard.table.events import IrregularityRuled

DECIDES = {slug: load(slug).authority.decides.rules for slug in slugs()}


def lying(slug: str, text: str) -> Scene:
    table = Scene(slug)
    table.dealt(text)
    return table


def settled(slug: str) -> Scene:
    table = lying(slug, PLAYER_WINS)
    table.settle()
    return table


# Overrides ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", RWS)
def test_a_reading_set_aside_takes_rank_reason_and_effect(slug: str) -> None:
    """Cards drawn together always give options (25); the shift manager lets the round go on without."""
    table = lying(slug, "2C 4H")
    table.report("drawn-together", "3D KS", order_known=True)
    for person in ("sue", "pam"):
        ruling = table.ruling(person, overrides=(25,), action="continue", reason="the tape shows it")
        table.refuses("wrong-rank", DECIDES[slug], ruling)
    for inputs, code in (
        ({"overrides": (25,), "action": "continue"}, "fact-missing"),
        ({"overrides": (25,), "reason": "the tape"}, "condition-not-met"),
        ({"overrides": (3,), "action": "continue", "reason": "the tape"}, "condition-not-met"),
        ({"action": "continue", "reason": "the tape"}, "input-not-used"),
    ):
        assert table.refused(table.ruling("sam", **inputs)).code == code
    events = table.rule("sam", overrides=(25,), action="continue", reason="the tape shows it")
    ruled = only(events, IrregularityRuled)
    assert (ruled.by, ruled.remedies, ruled.inputs.overrides) == ("sam", ("continue",), (25,))
    assert set(DECIDES[slug]) <= set(ruled.rules)
    assert not table.held_up
    assert table.sees("cat") == TO_COME.split()  # the cards that came out are in the round all the same
    table.deal("4D 2S")
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


@pytest.mark.parametrize("slug", slugs())
def test_an_override_without_effect_is_refused(slug: str) -> None:
    """With an outcome established the round goes on: setting a reading aside for that changes nothing."""
    case = "power-failure" if slug == MBS else "technical-interruption"
    table = lying(slug, PLAYER_WINS)
    table.report(case)
    same = table.ruling("sam", overrides=(24,), action="continue", reason="it was long")
    table.refuses("condition-not-met", DECIDES[slug], same)
    table.rule("sam", overrides=(24,), action="void", reason="it was long")
    table.everything_is_back()


def test_6_1_an_assistant_casino_manager_does_not_set_a_reading_aside() -> None:
    table = lying(MBS, "2C")
    table.report("drawn-together", "4H 3D", order_known=True)
    ruling = table.ruling("ada", overrides=(26,), action="continue", reason="the tape shows it")
    table.refuses("wrong-rank", ("6.1",), ruling)
    table.rule("sam", overrides=(26,), action="continue", reason="the tape shows it")
    assert (table.held_up, table.sees("cat")) == (False, ["2C", "4H", "3D"])


# Decisions at discretion ----------------------------------------------------------------------------------

BETS = (("ann", "player", 100_00), ("ann", "tie", 20_00), ("bob", "banker", 100_00))
DECISIONS: list[tuple[str, dict[str, Any], list[int]]] = [
    ("continue", {}, [80_00, -100_00]),
    ("void", {}, [0, 0]),
    ("return-stakes", {"stakes": (("ann", 1, "tie"),)}, [100_00, -100_00]),
    ("return-stakes", {"stakes": (("bob", 2, "banker"), ("ann", 1, "player"))}, [-20_00, 0]),
    ("cut-stakes", {"stakes": (("ann", 1, "player"),), "amounts": (40_00,)}, [20_00, -100_00]),
    ("cut-stakes", {"stakes": (("ann", 1, "tie"),), "amounts": (0,)}, [100_00, -100_00]),
]


@each("slug", slugs())
@each("after", [False, True])
@each(("action", "inputs", "nets"), DECISIONS)
def test_a_decision_has_its_effect_before_and_after_settlement(
    slug: str,
    after: bool,  # noqa: FBT001
    action: str,
    inputs: dict[str, Any],
    nets: list[int],
) -> None:
    table = Scene(slug)
    table.dealt(PLAYER_WINS, *BETS)
    if after:
        table.settle()
    table.decide(action, **inputs)
    assert not table.held_up
    if not after and action != "void":
        table.settle()
    assert (table.nets("ann", "bob"), table.lying()) == (nets, 0)
    assert table.roads() == ([] if action == "void" else ["player"])


@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize("after", [False, True])
def test_an_order_of_cards_is_fixed_before_and_after_settlement(slug: str, after: bool) -> None:  # noqa: FBT001
    """The hands had been taken for each other: Banker has the natural 9."""
    table = Scene(slug)
    table.dealt(PLAYER_WINS, *BETS)
    if after:
        table.settle()
    table.decide("fix-order", order="4H 9C 2S KD")
    if not after:
        table.settle()
    won = 95_00 if slug == MBS else banker_wins(slug, 100_00)
    assert (table.nets("ann", "bob"), table.roads()) == ([-120_00, won], ["banker"])


def test_an_order_by_names_never_tells_what_only_the_device_has_read() -> None:
    """Right or wrong, a name for a card that lies face down is answered alike; numbers put it in order."""
    table = Scene(MBS, device="reader", **FACE_DOWN[MBS])
    table.bets()
    table.close()
    table.deal("9C 4H KD 2S")
    table.report("not-covered")
    answers = [
        table.refused(table.ruling("sam", order, action="fix-order", reason="seen on the tape"))
        for order in ("4H 9C 2S KD", "4H 9C 2S KC")
    ]
    assert answers[0] == answers[1]
    assert answers[0].code == "fact-missing"
    table.rule("sam", "2 1 4 3", action="fix-order", reason="seen on the tape")
    assert [one.name for one in table.current.drawn] == list(cards("4H 9C 2S KD"))


@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("action", ["withdraw", "withdraw-all"])
def test_withdrawal_is_offered_before_and_after_settlement(slug: str, after: bool, action: str) -> None:  # noqa: FBT001
    """Whatever the cards say: single wagers where that is decided, else all of them or none."""
    table = Scene(slug)
    table.dealt(PLAYER_WINS, *BETS)
    if after:
        table.settle()
    table.decide(action)
    assert table.asked() == {"ann": "", "bob": ""}
    table.takes_back("bob")
    if action == "withdraw":
        table.takes_back("ann", (1, "tie"))
    else:
        assert table.refused(table.choosing("ann", "return", (1, "tie"))).code == "no-choice"
        table.goes_on("ann")
    if not after:
        table.settle()
    assert table.nets("ann", "bob") == [100_00 if action == "withdraw" else 80_00, 0]


@pytest.mark.parametrize("slug", RWS)
@pytest.mark.parametrize("after", [False, True])
def test_shares_are_set_aside_before_and_after_settlement(slug: str, after: bool) -> None:  # noqa: FBT001
    """1,500 where 1,000 may differ: 400 and 600 play; the shift manager lets Ann's 600 stand."""
    table = Scene(slug)
    table.bets(("ann", "player", 600_00))
    table.record("cat", "player", 900_00)
    table.close()
    table.deal(PLAYER_WINS)
    if after:
        table.settle()
        assert table.nets("ann", "cat") == [400_00, 600_00]
    table.decide("let-stand", stakes=(("ann", 1, "player"),))
    if not after:
        table.settle()
    assert table.nets("ann", "cat") == [600_00, 600_00]


@pytest.mark.parametrize("slug", RWS)
@pytest.mark.parametrize("cents", [500_00, 100_00])
def test_stakes_play_for_the_amounts_that_are_named(slug: str, cents: int) -> None:
    """Ann's 600 play for 400 in a box over the differential; decided is another amount."""
    table = Scene(slug)
    table.bets(("ann", "player", 600_00))
    table.record("cat", "player", 900_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.decide("cut-stakes", stakes=(("ann", 1, "player"),), amounts=(cents,))
    table.settle()
    assert table.nets("ann", "cat") == [cents, 600_00]


@pytest.mark.parametrize("slug", RWS)
def test_what_was_decided_stands_when_other_chips_are_put_right(slug: str) -> None:
    table = Scene(slug)
    table.bets(("ann", "player", 600_00), ("bob", "banker", 100_00))
    table.record("cat", "player", 900_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.decide("let-stand", stakes=(("ann", 1, "player"),))
    table.record("bob", "banker", 50_00)
    table.settle()
    assert table.nets("ann", "bob", "cat") == [600_00, -50_00, 600_00]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize(("action", "net"), [("let-stand", 2_500_00), ("cut-to-maximum", 2_000_00)])
def test_6_1_a_wager_over_the_maximum_plays_as_decided(action: str, net: int, after: bool) -> None:  # noqa: FBT001
    table = Scene(MBS, differential=None)
    table.open()
    table.record("ann", "player", 2_500_00)
    table.close()
    table.deal(PLAYER_WINS)
    if after:
        table.settle()
    table.decide(action, stakes=(("ann", 1, "player"),))
    if not after:
        table.settle()
    assert table.net("ann") == net


@pytest.mark.parametrize("slug", INSURED)
def test_insurance_goes_back_with_a_bet_that_is_returned_after_settlement(slug: str) -> None:
    """20 on Player lost with the bet won, or won with it lost: both are undone."""
    for rest in ("4D 2S", "2D 5S"):
        table = Scene(slug)
        table.dealt(TO_COME)
        table.insure("ann", "player", 20_00)
        table.deal(rest)
        table.settle()
        table.decide("return-stakes", stakes=(("ann", 1, "player"),))
        assert table.net("ann") == 0
        assert [line.player for line in table.lines()] == ["bob"]


@pytest.mark.parametrize("slug", slugs())
def test_a_decision_names_what_it_is_about(slug: str) -> None:
    table = lying(slug, PLAYER_WINS)
    table.report("not-covered")
    ann, bob = ("ann", 1, "player"), ("bob", 2, "banker")
    for inputs, code in (
        ({"action": "return-stakes"}, "fact-missing"),
        ({"action": "cut-stakes", "stakes": (ann,)}, "fact-missing"),
        ({"action": "cut-stakes", "stakes": (ann, bob), "amounts": (10_00,)}, "fact-missing"),
        ({"action": "cut-stakes", "stakes": (ann,), "amounts": (100_00,)}, "condition-not-met"),
        ({"action": "cut-stakes", "stakes": (ann,), "amounts": (50,)}, "not-a-multiple"),
        ({"action": "cut-to-maximum", "stakes": (ann,)}, "condition-not-met"),
        ({"action": "return-stakes", "stakes": (("cat", 1, "tie"),)}, "no-such-stake"),
        ({"action": "fix-order"}, "fact-missing"),
        ({"action": "void", "stakes": (ann,)}, "input-not-used"),
        ({"action": "continue", "amounts": (10_00,)}, "input-not-used"),
        ({"action": "return-stakes", "stakes": (ann,), "amounts": (10_00,)}, "input-not-used"),
    ):
        ruling = table.ruling("sam", reason="seen on the tape", **inputs)
        assert table.refused(ruling).code == code, inputs


@pytest.mark.parametrize("slug", RWS)
def test_a_new_shoe_is_not_the_one_with_the_bad_cards(slug: str) -> None:
    """The settled round is void; the cards that were wrong have gone already."""
    table = settled(slug)
    table.do(commands.NewShoe(by="dee"))
    table.report("card-count")
    table.rule("sue")
    table.everything_is_back()
    table.open()


@pytest.mark.parametrize("slug", slugs())
def test_cards_put_right_after_a_new_shoe_came_leave_the_new_one_alone(slug: str) -> None:
    table = settled(slug)
    table.do(commands.NewShoe(by="dee"))
    table.amend(BANKER_WINS, agreed="sam")
    won = 95_00 if slug == MBS else banker_wins(slug, 100_00)
    assert (table.nets("ann", "bob"), table.shoe.used, table.roads()) == ([-100_00, won], 0, [])


# Who is not there -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", RWS)
def test_a_squeezer_who_leaves_does_not_block_the_round(slug: str) -> None:
    table = Scene(slug, method="face-down")
    table.bets(("ann", "player", 200_00), ("bob", "banker", 100_00))
    table.close()
    table.do(commands.RequestSqueeze(by="ann", cards=(1, 3)))
    table.do(commands.PermitSqueeze(by="sue", player="ann", cards=(1, 3)))
    table.deal(PLAYER_WINS)
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="ann"))
    assert table.refused(table.exposing(1, 3)).code == "card-not-yours"
    table.do(commands.Leave(by="ann"))
    table.expose(1, 2, 3, 4)
    table.settle()
    assert table.nets("ann", "bob") == [200_00, -100_00]


@pytest.mark.parametrize("slug", slugs())
def test_cards_are_taken_back_from_who_does_not_turn_them(slug: str) -> None:
    """She is there and does not answer: with a reason the dealer has the cards again, and turns them."""
    table = Scene(slug, **FACE_DOWN[slug])
    table.dealt("", ("ann", "player", 200_00), ("bob", "banker", 100_00))
    if slug != MBS:
        table.do(commands.RequestSqueeze(by="ann", cards=(1, 3)))
        table.do(commands.PermitSqueeze(by="sue", player="ann", cards=(1, 3)))
    table.deal(BANKER_WINS)
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="ann"))
    assert table.refused(commands.TakeCards(by="dee", cards=(1, 3), reason="")).code == "fact-missing"
    assert table.refused(commands.TakeCards(by="dee", cards=(2,), reason="x")).code == "no-such-card"
    assert table.refused(commands.TakeCards(by="bob", cards=(1, 3), reason="x")).code == "wrong-rank"
    table.do(commands.TakeCards(by="dee", cards=(1, 3), reason="no answer"))
    assert table.current.drawn[0].seen_by == ("ann",)
    table.expose(1, 2, 3, 4)
    table.settle()
    assert table.net("ann") == -200_00


def test_3_12_8_a_holder_of_the_device_who_is_gone_does_not_block_the_round() -> None:
    table = Scene(MBS, **METHOD_C)
    table.bets()
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    table.deal("9C 4H", by="ann")
    table.do(commands.Leave(by="ann"))
    assert table.state.device is None
    table.deal("KD 2S")
    table.finish()
    assert table.nets("ann", "bob") == [100_00, -100_00]


def test_5_13_who_is_gone_is_recorded_by_staff() -> None:
    """Nobody waits for Ann, who has left: her bets play on, on record, and Bob alone is asked."""
    table = lying(TBC, "2C")
    table.do(commands.Leave(by="ann"))
    table.report("other-dealing-error")
    table.rule("sue")
    assert table.asked() == {"ann": "continue", "bob": ""}
    table.goes_on("bob")
    assert not table.held_up
