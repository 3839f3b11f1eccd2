"""Irregularities of Tiger Baccarat with its limits, power failures, and its general provisions."""

from typing import Any

import pytest

from irregularities.situations import BANKER_WINS, PLAYER_WINS, STAGES, TO_COME, Scene, only
from thirdcard.table import commands
from thirdcard.table.events import DifferentialExceeded, DisplayCorrected, IrregularityRuled, StakeSet

SLUGS = ("mbs-tiger-v2",)
SLUG = SLUGS[0]

TIE_ON_SIX = "2C 4H 4D 2S"


def ruled_on(table: Scene, by: str, **inputs: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:  # noqa: ANN401
    """Remedies and paragraphs of a ruling."""
    ruled = only(table.rule(by, **inputs), IrregularityRuled)
    return ruled.remedies, ruled.rules


# Minimum and maximum --------------------------------------------------------------------------------------


def test_5_14_under_the_minimum_once() -> None:
    """All such wagers of the first round count; later ones go back, won or lost."""
    table = Scene(SLUG)
    table.bets(("ann", "player", 100_00))
    table.record("bob", "player", 5_00)
    table.record("bob", "banker", 4_00)
    table.close()
    table.report("under-minimum", players=("bob",))
    assert ruled_on(table, "dee") == (("settle-once",), ("5.14",))
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("bob") == 1_00
    for text in (PLAYER_WINS, BANKER_WINS):
        table.open()
        table.record("bob", "player", 5_00)
        table.record("cat", "player", 20_00)
        table.close()
        table.deal(text)
        table.settle()
        assert table.net("bob") == 1_00
        assert (table.line("bob", "player").result, table.line("bob", "player").net) == ("returned", 0)
    assert table.net("cat") == 0


def test_5_14_a_push_has_not_used_up_the_one_time() -> None:
    table = Scene(SLUG)
    for text, net in ((TIE_ON_SIX, 0), (BANKER_WINS, -5_00), (BANKER_WINS, -5_00), (PLAYER_WINS, -5_00)):
        table.open()
        table.record("bob", "player", 5_00)
        table.close()
        table.deal(text)
        table.settle()
        assert table.net("bob") == net


def test_5_14_it_is_counted_for_each_player() -> None:
    table = Scene(SLUG)
    for player in ("bob", "cat"):
        table.open()
        table.record(player, "player", 5_00)
        table.close()
        table.deal(PLAYER_WINS)
        table.settle()
        assert table.net(player) == 5_00


def test_5_14_no_such_wager_no_such_case() -> None:
    table = Scene(SLUG)
    table.bets(("ann", "player", 100_00))
    table.record("bob", "player", 5_00)
    table.close()
    table.refuses("condition-not-met", ("5.14", "5.16"), table.reporting("under-minimum", players=("ann",)))


def test_5_15_over_the_maximum_plays_for_the_maximum() -> None:
    for text, net in ((PLAYER_WINS, 2_000_00), (BANKER_WINS, -2_000_00)):
        table = Scene(SLUG, differential=None)
        table.bets(("bob", "player", 50_00))
        table.record("ann", "player", 2_500_00)
        table.close()
        refused = table.reporting("over-maximum", players=("bob",))
        table.refuses("condition-not-met", ("5.15", "5.16"), refused)
        table.report("over-maximum", players=("ann",))
        assert ruled_on(table, "dee") == (("to-maximum",), ("5.15",))
        table.deal(text)
        table.settle()
        assert table.nets("ann", "bob") == [net, 50_00 if net > 0 else -50_00]


def test_5_15__3_5_1_while_bets_are_open_only_the_person_named_is_cut() -> None:
    table = Scene(SLUG, differential=None)
    table.open()
    table.record("ann", "player", 2_500_00)
    table.record("bob", "player", 2_600_00)
    table.report("over-maximum", players=("ann",))
    assert only(table.rule("dee"), StakeSet).stake.player == "ann"
    assert table.stakes() == {("ann", 1, "player"): 2_000_00, ("bob", 2, "player"): 2_600_00}


@pytest.mark.parametrize(
    ("case", "cents", "net"), [("over-maximum", 2_500_00, 2_000_00), ("under-minimum", 5_00, 5_00)]
)
def test_5_16_earlier_rounds_are_settled(case: str, cents: int, net: int) -> None:
    table = Scene(SLUG, differential=None)
    table.open()
    table.record("ann", "player", cents)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    table.open()
    table.report(case, players=("ann",), round=1)
    assert ruled_on(table, "dee") == (("stand",), ("5.16",))
    assert table.net("ann") == net


# Power failure --------------------------------------------------------------------------------------------


def test_5_17__5_17_1_without_an_outcome_players_may_withdraw_everything_or_nothing() -> None:
    table = Scene(SLUG)
    bets = (("ann", "player", 100_00), ("bob", "banker", 100_00), ("bob", "tie", 10_00))
    table.dealt("2C 4H", *bets, ("bob", "tiger-pair", 10_00))
    pending = table.report("power-failure")
    assert (pending.decided_by, pending.decides) == ("", "dealer")
    assert ruled_on(table, "dee") == (("withdraw-all", "continue"), ("5.17.1",))
    table.refuses("no-choice", ("5.17.1",), table.choosing("bob", "return", (2, "tie")))
    table.takes_back("bob")
    assert table.net("bob") == 0
    table.goes_on("ann")
    table.deal("3D KS 4D 2S")
    table.settle()
    assert (table.nets("ann", "bob"), table.roads()) == ([100_00, 0], ["player"])


def test_5_17_1_a_second_failure_asks_again() -> None:
    """Going on here is no promise to accept whatever comes: that is RWS."""
    table = Scene(SLUG)
    table.dealt("2C")
    table.report("power-failure")
    table.rule("dee")
    table.all_go_on()
    table.deal("4H")
    table.report("power-failure")
    table.rule("dee")
    assert table.asked() == {"ann": "", "bob": ""}


@pytest.mark.parametrize(("text", "bet"), [("2C 4H 2D", "tiger-pair"), (TO_COME, "tiger-tie")])
def test_5_17_2_with_an_outcome_the_round_goes_on(text: str, bet: str) -> None:
    """A pair is won with three cards; 5 against 4 can no longer tie on 6."""
    table = Scene(SLUG)
    table.dealt(text)
    assert table.report("power-failure").decided_by == bet
    assert ruled_on(table, "dee") == (("continue",), ("5.17.2",))
    assert not table.held_up


# The table differential -----------------------------------------------------------------------------------


def over_the_differential() -> Scene:
    """1,400 on Player, 100 on Banker, 1,000 allowed between them."""
    table = Scene(SLUG)
    table.bets(("ann", "player", 900_00), ("cat", "player", 500_00), ("bob", "banker", 100_00))
    return table


def noticed_after_the_close(text: str) -> Scene:
    """The same, but Cat's chips had been recorded as 100."""
    table = Scene(SLUG)
    table.bets(("ann", "player", 900_00), ("cat", "player", 100_00), ("bob", "banker", 100_00))
    table.close()
    table.deal(text)
    table.record("cat", "player", 500_00)
    return table


def test_5_18__5_18_1_the_heavier_hand_is_asked_to_decrease() -> None:
    table = over_the_differential()
    exceeded = only(table.close(), DifferentialExceeded)
    assert (exceeded.heavier, exceeded.excess) == ("player", 300_00)
    assert table.refused(table.placing("cat", "player", 10_00)).code == "wrong-phase"
    assert table.refused(table.taking_back("bob", "banker", 10_00)).code == "wrong-phase"
    table.take_back("ann", "player", 200_00)
    assert table.refused(commands.Close(by="dee")).code == "over-differential"
    table.take_back("cat", "player", 100_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.nets("ann", "cat", "bob") == [700_00, 400_00, -100_00]


def test_5_18_2_who_wagers_on_the_lighter_hand_may_increase_and_nobody_else() -> None:
    """Bob's 300 more meet it alone; Dan has no wager there, and a side bet does not help."""
    table = over_the_differential()
    table.close()
    for command in (
        table.placing("dan", "banker", 300_00),
        table.placing("ann", "banker", 300_00),
        table.placing("bob", "tie", 10_00),
        table.placing("bob", "player", 10_00),
    ):
        refusal = table.refused(command)
        assert (refusal.code, refusal.rules) == ("wrong-phase", ("5.18.1", "5.18.2"))
    table.place("bob", "banker", 290_00)
    assert table.refused(commands.Close(by="dee")).code == "over-differential"
    table.place("bob", "banker", 10_00)
    table.close()
    assert (table.state.phase, table.stakes()["bob", 2, "banker"]) == ("dealing", 400_00)
    table.deal(BANKER_WINS)
    table.settle()
    assert table.nets("ann", "cat", "bob") == [-900_00, -500_00, 380_00]


def test_5_18_3_then_the_pit_manager_names_what_is_removed() -> None:
    table = over_the_differential()
    table.report("over-differential")
    rules = ("5.18.1", "5.18.2", "5.18.3")
    assert only(table.rule("dee"), IrregularityRuled).rules == rules
    assert table.state.phase == "adjusting"
    removing = commands.Remove(by="sue", player="cat", box=1, bet="player", cents=300_00)
    assert table.refused(removing).code == "wrong-rank"
    table.do(commands.Remove(by="pam", player="cat", box=1, bet="player", cents=300_00))
    table.close()
    assert table.stakes()["cat", 1, "player"] == 200_00
    assert table.nets("ann", "cat") == [-900_00, -200_00]


def test_5_18_3_after_the_first_card_only_the_pit_managers_removal_is_left() -> None:
    table = noticed_after_the_close("9C 4H")
    assert table.report("over-differential").decides == "pit-manager"
    cat, ann, bob = ("cat", 1, "player"), ("ann", 1, "player"), ("bob", 2, "banker")
    table.refuses("wrong-rank", ("5.18.3",), table.ruling("dee", stakes=(cat,), amounts=(200_00,)))
    for stakes, amounts, code in (
        ((), (), "fact-missing"),
        ((cat,), (), "fact-missing"),
        ((cat,), (300_00,), "over-differential"),
        ((bob, cat), (0, 200_00), "over-differential"),  # enough, but not from the lighter hand
        ((cat,), (600_00,), "condition-not-met"),
        ((("dan", 1, "player"),), (0,), "no-such-stake"),
    ):
        assert table.refused(table.ruling("pam", stakes=stakes, amounts=amounts)).code == code
    events = table.rule("pam", stakes=(cat, ann), amounts=(300_00, 800_00))
    assert [(event.stake.player, event.why) for event in events if isinstance(event, StakeSet)] == [
        ("cat", "removed"),
        ("ann", "removed"),
    ]
    table.deal("KD 2S")
    table.settle()
    assert table.nets("ann", "cat", "bob") == [800_00, 300_00, -100_00]


def test_5_18_once_an_outcome_is_established_the_wagers_stand() -> None:
    table = noticed_after_the_close(PLAYER_WINS)
    table.report("over-differential")
    assert ruled_on(table, "dee") == (("continue",), ("5.18",))
    table.settle()
    assert table.nets("ann", "cat", "bob") == [900_00, 500_00, -100_00]


def test_5_18_within_the_differential_there_is_nothing_to_meet() -> None:
    table = Scene(SLUG)
    table.bets(("ann", "player", 1_000_00))
    refused = table.reporting("over-differential")
    table.refuses("condition-not-met", ("5.18", "5.18.1", "5.18.2", "5.18.3"), refused)


# General provisions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", STAGES)
def test_6_1_the_gaming_shift_manager_decides_what_is_not_covered(stage: str) -> None:
    table = Scene(SLUG)
    table.reach(stage)
    assert table.report("not-covered").decides == "gaming-shift-manager"
    for person in ("dee", "sue", "pam", "ada"):
        table.refuses("wrong-rank", ("6.1",), table.ruling(person, action="void", reason="a fire"))
        assert "Gaming Shift Manager" in table.refused(table.ruling(person)).sentence
    table.refuses("fact-missing", ("6.1",), table.ruling("sam", action="void"))
    ruled = only(table.rule("sam", action="void", reason="a fire"), IrregularityRuled)
    assert (ruled.by, ruled.inputs.reason) == ("sam", "a fire")
    table.everything_is_back()


def test_6_1_the_round_may_go_on() -> None:
    table = Scene(SLUG)
    table.dealt(PLAYER_WINS)
    table.report("not-covered")
    table.rule("sam", action="continue", reason="a glass fell over")
    table.settle()
    assert table.net("ann") == 100_00


def test_6_2_whoever_acts_or_stands_higher_may_do_it() -> None:
    for person in ("pam", "sam", "ada"):
        table = Scene(SLUG)
        table.dealt("2C 4H")
        table.report("foreign-card")
        table.rule(person)
        table.everything_is_back()
    table = Scene(SLUG)
    table.dealt("2C 4H")
    table.do(commands.Assign(by="pam", person="dee", rank="pit-manager"))
    table.report("foreign-card")
    table.rule("dee")
    table.everything_is_back()


def test_6_3_the_cards_dealt_decide_not_the_display() -> None:
    table = Scene(SLUG)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.refuses("condition-not-met", ("6.3",), table.reporting("display-error", displayed="player"))
    table.report("display-error", displayed="tie")
    events = table.rule("dee")
    ruled, corrected = only(events, IrregularityRuled), only(events, DisplayCorrected)
    assert (ruled.remedies, ruled.rules) == (("correct-display",), ("6.3",))
    assert (corrected.shown, corrected.actual) == ("tie", "player")
    assert (table.nets("ann", "bob"), table.roads()) == ([100_00, -100_00], ["player"])
    assert "6.3" in {rule for notice in table.view("cat").notices for rule in notice.rules}
