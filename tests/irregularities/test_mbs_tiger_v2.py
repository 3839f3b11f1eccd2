"""Irregularities of Tiger Baccarat, and its general provisions."""

from typing import Any

import pytest

from irregularities.situations import PLAYER_WINS, STAGES, TO_COME, Scene, cards, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import (
    BetsReopened,
    CardsExposed,
    CardsReconstructed,
    CardsReplaced,
    CardsRetrieved,
    ChoiceMade,
    ChoicesOffered,
    DifferentialExceeded,
    IrregularityRuled,
    RoundVoided,
)

SLUGS = ("mbs-tiger-v2",)
SLUG = SLUGS[0]

BEFORE_PAYMENT = [stage for stage in STAGES if stage != "settled"]
METHOD_C: dict[str, Any] = {"method": "C", "device": "reader", "high_limit": True}


def ruled_on(table: Scene, by: str, **inputs: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:  # noqa: ANN401
    """Remedies and paragraphs of a ruling."""
    ruled = only(table.rule(by, **inputs), IrregularityRuled)
    return ruled.remedies, ruled.rules


def with_a_card_in_hand() -> Scene:
    """Method A: Ann holds the Player hand."""
    table = Scene(SLUG, method="A")
    table.dealt(PLAYER_WINS)
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="ann"))
    return table


# Cards that are not right ---------------------------------------------------------------------------------


def void_at(stage: str, case: str, rules: tuple[str, ...], **inputs: Any) -> None:  # noqa: ANN401
    table = Scene(SLUG)
    table.reach(stage)
    assert table.report(case).decides == "pit-manager"
    for person in ("dee", "sue"):
        table.refuses("wrong-rank", rules, table.ruling(person, **inputs))
        assert "Pit Manager" in table.refused(table.ruling(person, **inputs)).sentence
    assert only(table.rule("pam", **inputs), RoundVoided).rules == rules
    table.everything_is_back()
    table.open()


@pytest.mark.parametrize("case", ["extra-or-missing-cards", "foreign-card", "unshuffled-cards"])
@pytest.mark.parametrize("stage", BEFORE_PAYMENT)
def test_5_1__5_1_1_wrong_cards_void_the_round(stage: str, case: str) -> None:
    void_at(stage, case, ("5.1", "5.1.1", "5.1.2", "5.13"))


@pytest.mark.parametrize("case", ["extra-or-missing-cards", "foreign-card", "unshuffled-cards"])
def test_5_1_2_earlier_rounds_stand(case: str) -> None:
    table = Scene(SLUG)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.refuses("round-is-final", ("1.1.7",), table.reporting(case))
    table.dealt("2D", ("ann", "player", 50_00))
    table.refuses("round-is-final", ("1.1.7",), table.reporting(case, round=1))
    table.report(case)
    table.rule("pam")
    assert (table.net("ann"), table.net("bob"), table.roads()) == (100_00, -100_00, ["player"])


@pytest.mark.parametrize("stage", BEFORE_PAYMENT)
def test_5_2_order_altered_beyond_reconstruction_voids_the_round(stage: str) -> None:
    void_at(stage, "order-altered", ("5.2", "5.13"), reconstructable=False)


def test_5_2_order_that_can_be_reconstructed_does_not() -> None:
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.report("order-altered")
    assert ruled_on(table, "pam", reconstructable=True) == (("reconstruct", "continue"), ("5.2",))
    table.deal("4D 2S")
    table.settle()
    assert table.net("ann") == 100_00


@pytest.mark.parametrize("stage", BEFORE_PAYMENT)
def test_5_3_too_few_cards_void_the_round(stage: str) -> None:
    void_at(stage, "too-few-cards", ("5.3", "5.13"))


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize("case", ["extra-or-missing-cards", "foreign-card", "order-altered", "too-few-cards"])
def test_5_13_cards_may_be_replaced_after_a_void(case: str, replaced: bool) -> None:  # noqa: FBT001
    table = Scene(SLUG)
    table.dealt("2C 4H")
    table.report(case)
    events = table.rule("pam", reconstructable=False, replace_cards=replaced)
    assert [type(event) for event in events].count(CardsReplaced) == replaced
    if replaced:
        assert table.refused(commands.Open(by="dee")).code == "new-shoe-needed"
        table.do(commands.NewShoe(by="dee"))
    table.open()


# Late, withdrawn, face up ---------------------------------------------------------------------------------


def test_5_4_late_wagers_are_refused() -> None:
    table = Scene(SLUG)
    table.bets()
    table.close()
    table.refuses("wrong-phase", ("5.4",), table.placing("cat", "player", 100_00))
    table.refuses("wrong-phase", ("5.4",), table.placing("ann", "player", 10_00))
    table.report("late-wager", players=("cat",))
    assert ruled_on(table, "dee") == (("refuse",), ("5.4",))
    assert table.stakes() == {("ann", 1, "player"): 100_00, ("bob", 2, "banker"): 100_00}


def test_5_5_a_withdrawn_wager_still_plays() -> None:
    table = Scene(SLUG)
    table.bets()
    table.close()
    table.refuses("wrong-phase", ("5.5",), table.taking_back("bob", "banker"))
    table.report("withdrawn-wager", players=("bob",))
    assert ruled_on(table, "dee") == (("settle",), ("5.5",))
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("bob") == -100_00


def test_5_6_a_face_up_card_in_the_device_is_played() -> None:
    table = Scene(SLUG, method="A")
    table.dealt("9C")
    table.report("face-up-in-device")
    assert ruled_on(table, "dee") == (("continue",), ("5.6",))
    table.deal("4H KD 2S")
    assert table.sees("cat") == ["?", "?", "?", "?"]
    table.expose(1, 2, 3, 4)
    table.settle()
    assert table.net("ann") == 100_00


# Wrong order, wrong person --------------------------------------------------------------------------------


def test_5_7_cards_dealt_in_a_wrong_order_are_reconstructed() -> None:
    """The Banker had been given the 4D: it is the Player's third card."""
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.report("wrong-order", "4D 2S")
    assert ruled_on(table, "dee") == (("reconstruct", "continue"), ("5.7",))
    assert not table.held_up
    assert [str(card) for card in table.state.deal().player] == ["2C", "3D", "4D"]
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -100_00)


def test_5_7_cards_left_over_begin_the_next_round() -> None:
    table = Scene(SLUG)
    table.dealt(PLAYER_WINS)
    table.report("wrong-order", "5H")
    table.rule("dee")
    table.settle()
    table.bets(("ann", "player", 10_00))
    table.close()
    assert table.refused(table.drawing("6H")).code == "card-not-due"
    table.deal("5H")


def test_5_7_cards_passed_to_the_wrong_person_are_retrieved() -> None:
    table = with_a_card_in_hand()
    assert table.sees("ann") == ["9C", "?", "KD", "?"]
    table.report("wrong-person", players=("ann",))
    events = table.rule("dee")
    assert only(events, CardsRetrieved).places == (1, 3)
    assert table.sees("ann") == ["?", "?", "?", "?"]
    assert not table.held_up
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="ann"))


def test_5_7_1_cards_shown_in_error_are_no_wrong_delivery() -> None:
    table = Scene(SLUG, method="A")
    table.dealt(PLAYER_WINS)
    table.report("not-wrong-delivery", shown=(1, 3))
    assert ruled_on(table, "dee") == (("stand", "continue"), ("5.7.1",))
    assert table.sees("cat") == ["9C", "?", "KD", "?"]
    table.expose(2, 4)
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -100_00)


# Drawn together -------------------------------------------------------------------------------------------


def test_5_8__5_8_1_order_known_wagers_may_be_withdrawn_before_reconstruction() -> None:
    table = Scene(SLUG)
    table.dealt("2C", ("ann", "player", 100_00), ("bob", "banker", 100_00), ("bob", "tie", 10_00))
    table.report("drawn-together", "4H 3D", order_known=True)
    events = table.rule("pam")
    ruled = only(events, IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("withdraw", "reconstruct"), ("5.8", "5.8.1"))
    assert only(events, ChoicesOffered).singly
    assert "CardsReconstructed" not in kinds(events)
    assert table.state.round is not None
    assert table.state.round.cards == cards("2C")
    assert only(table.takes_back("bob", (2, "tie")), ChoiceMade).returned == ("2/tie/bob",)
    assert table.net("bob") == -100_00
    assert only(table.goes_on("ann"), CardsReconstructed).cards == cards("2C 4H 3D")
    assert not table.held_up
    table.deal("KS 4D 2S")
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -100_00)


def test_5_8_1_a_wager_that_is_not_there_cannot_be_withdrawn() -> None:
    table = Scene(SLUG)
    table.dealt("2C")
    table.report("drawn-together", "4H 3D", order_known=True)
    table.rule("pam")
    refusal = table.refused(table.choosing("bob", "return", (1, "player")))
    assert (refusal.code, refusal.rules) == ("no-such-stake", ("5.8", "5.8.1"))
    assert table.refused(table.choosing("bob", "continue", (2, "banker"))).code == "no-choice"


@pytest.mark.parametrize(("lying", "drawn"), [("", "2C 4H"), ("2C 4H", "3D KS"), ("2C 4H 3D", "KS 4D")])
def test_5_8_2__5_8_2_1_order_unknown_in_the_initial_deal_voids_the_round(lying: str, drawn: str) -> None:
    table = Scene(SLUG)
    table.bets()
    table.close()
    table.deal(lying)
    table.report("drawn-together", drawn, order_known=False)
    rules = ("5.8.2", "5.8.2.1", "5.13")
    table.refuses("wrong-rank", rules, table.ruling("sue"))
    assert only(table.rule("pam"), RoundVoided).rules == rules
    table.everything_is_back()


def test_5_8_2_2_order_unknown_later_the_pit_manager_decides_and_all_remaining_wagers_may_go() -> None:
    """Bob's pair is lost already; he takes everything else back, one wager alone he may not."""
    table = Scene(SLUG, method="A")
    bets = (("ann", "player", 100_00), ("bob", "banker", 100_00), ("bob", "tie", 10_00))
    table.bets(*bets, ("bob", "tiger-pair", 15_00))
    table.close()
    table.show(TO_COME)
    table.report("drawn-together", "4D 2S", order_known=False)
    rules = ("5.8.2", "5.8.2.2")
    table.refuses("wrong-rank", rules, table.ruling("sue", "2S 4D"))
    table.refuses("fact-missing", rules, table.ruling("pam"))
    events = table.rule("pam", "2S 4D")
    assert only(events, CardsReconstructed).cards == cards(f"{TO_COME} 2S 4D")
    assert table.asked() == {"ann": "", "bob": ""}
    table.refuses("no-choice", rules, table.choosing("bob", "return", (2, "tie")))
    assert only(table.takes_back("bob"), ChoiceMade).returned == ("2/banker/bob", "2/tie/bob")
    table.goes_on("ann")
    table.expose(5)
    table.expose(6)
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (-100_00, -15_00)


# The device, the handler, the cards -----------------------------------------------------------------------


def test_5_9_a_reset_reopens_betting() -> None:
    table = Scene(SLUG, device="reader")
    table.dealt("2C", ("ann", "player", 100_00), ("bob", "banker", 100_00), ("bob", "tie", 10_00))
    table.report("device-reset")
    assert ruled_on(table, "dee") == (("withdraw", "reopen"), ("5.9",))
    table.takes_back("bob", (2, "tie"))
    assert only(table.goes_on("ann"), BetsReopened).rules == ("5.9",)
    assert (table.state.phase, table.sees("cat")) == ("betting", [])
    table.place("cat", "player", 50_00)
    table.place("ann", "player", 20_00)
    table.take_back("bob", "banker", 10_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert [table.net(player) for player in ("ann", "bob", "cat")] == [120_00, -90_00, 50_00]


def test_5_10_the_dealer_exposes_for_an_absent_handler() -> None:
    table = with_a_card_in_hand()
    assert table.refused(commands.Expose(by="dee", cards=(1, 3))).code == "card-not-yours"
    table.report("absent-handler", players=("ann",))
    events = table.rule("dee")
    exposed = only(events, CardsExposed)
    assert (exposed.places, exposed.by, exposed.rules) == ((1, 3), "dee", ("5.10",))
    table.expose(2, 4)
    table.settle()
    assert table.net("ann") == 100_00


def test_5_11_a_player_left_with_cards_of_known_value() -> None:
    table = with_a_card_in_hand()
    assert table.refused(table.reporting("left-with-cards", players=("ann",))).code == "fact-missing"
    table.report("left-with-cards", players=("ann",), values_known=True)
    assert ruled_on(table, "sam")[0] == ("continue",)


def test_5_11_1__5_11_2__5_11_2_1_a_gaming_shift_manager_finds_the_missing_cards() -> None:
    table = with_a_card_in_hand()
    table.report("left-with-cards", players=("ann",), values_known=False)
    found = {"1": cards("9C")[0], "3": cards("KD")[0]}
    rules = ("5.11.1", "5.11.2", "5.11.2.1", "5.11.3", "5.11.4", "5.11.5")
    for person in ("dee", "sue", "pam", "ada"):
        table.refuses("wrong-rank", rules, table.ruling(person, set_aside="5H 6H", substitutes=found))
    for inputs in (
        {},
        {"set_aside": "5H 6H"},
        {"substitutes": found},
        {"substitutes": found, "set_aside": "5H"},
        {"substitutes": {"7": found["1"]}, "set_aside": "5H 6H"},
    ):
        table.refuses("fact-missing", rules, table.ruling("sam", **inputs))
    table.rule("sam", set_aside="5H 6H", substitutes=found)
    assert not table.held_up


def test_5_11_3__5_11_4__5_11_5_substitutes_complete_the_round_and_new_cards_follow() -> None:
    table = with_a_card_in_hand()
    table.report("left-with-cards", players=("ann",), values_known=False)
    found = {"1": cards("9C")[0], "3": cards("KD")[0]}
    events = table.rule("sam", set_aside="5H 6H", substitutes=found)
    assert only(events, CardsReconstructed).cards == cards(PLAYER_WINS)
    hidden = [place for place in (1, 2, 3, 4) if table.sees("cat")[place - 1] == "?"]
    if table.state.round is not None and table.state.round.handed:
        table.report("absent-handler", players=("ann",))
        table.rule("dee")
        hidden = [2, 4]
    table.expose(*hidden)
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -100_00)
    assert table.refused(commands.Open(by="dee")).code == "new-shoe-needed"
    table.do(commands.NewShoe(by="dee"))
    table.open()


def test_5_12__5_12_1_method_c_a_card_seen_as_the_device_moves_is_played() -> None:
    table = Scene(SLUG, **METHOD_C)
    table.bets()
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    table.deal("9C", by="ann")
    table.report("exposed-moving-device")
    assert ruled_on(table, "dee") == (("continue",), ("5.12.1",))
    table.deal("4H KD 2S", by="ann")
    assert table.sees("cat") == ["?", "?", "?", "?"]


def test_5_12__5_12_2_method_c_altered_order_voids_and_the_cards_are_replaced() -> None:
    table = Scene(SLUG, **METHOD_C)
    table.bets()
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    table.deal("9C", by="ann")
    table.report("altered-moving-device")
    table.refuses("wrong-rank", ("5.12.2",), table.ruling("sue", reconstructable=False))
    assert ruled_on(table, "pam", reconstructable=False) == (("void", "new-cards"), ("5.12.2",))
    table.everything_is_back()
    assert table.refused(commands.Open(by="dee")).code == "new-shoe-needed"


# Limits ---------------------------------------------------------------------------------------------------


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
    for text in (PLAYER_WINS, "4C 9H 2D KS"):
        table.open()
        table.record("bob", "player", 5_00)
        table.record("cat", "player", 20_00)
        table.close()
        table.deal(text)
        table.settle()
        assert table.net("bob") == 1_00
        assert (table.line("bob", "player").result, table.line("bob", "player").net) == ("returned", 0)
    assert table.net("cat") == 0


def test_5_15_over_the_maximum_plays_for_the_maximum() -> None:
    for text, net in ((PLAYER_WINS, 2_000_00), ("4C 9H 2D KS", -2_000_00)):
        table = Scene(SLUG, differential=None)
        table.open()
        table.record("ann", "player", 2_500_00)
        table.close()
        table.report("over-maximum", players=("ann",))
        assert ruled_on(table, "dee") == (("to-maximum",), ("5.15",))
        table.deal(text)
        table.settle()
        assert table.net("ann") == net


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
    assert (table.net("ann"), table.net("bob"), table.roads()) == (100_00, 0, ["player"])


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
    table = Scene(SLUG)
    table.bets(("ann", "player", 900_00), ("cat", "player", 500_00), ("bob", "banker", 100_00))
    return table


def test_5_18__5_18_1__5_18_2_the_heavier_hand_decreases_the_lighter_may_increase() -> None:
    table = over_the_differential()
    exceeded = only(table.close(), DifferentialExceeded)
    assert (exceeded.heavier, exceeded.excess) == ("player", 300_00)
    assert table.refused(table.placing("cat", "player", 10_00)).code == "wrong-phase"
    assert table.refused(table.taking_back("bob", "banker", 10_00)).code == "wrong-phase"
    table.take_back("ann", "player", 100_00)
    assert table.refused(commands.Close(by="dee")).code == "over-differential"
    table.place("bob", "banker", 200_00)
    table.close()
    assert table.state.phase == "dealing"


def test_5_18_3_then_the_pit_manager_names_what_is_removed() -> None:
    table = over_the_differential()
    table.report("over-differential")
    rules = ("5.18.1", "5.18.2", "5.18.3")
    assert only(table.rule("pam"), IrregularityRuled).rules == rules
    assert table.state.phase == "adjusting"
    removing = commands.Remove(by="sue", player="cat", box=1, bet="player", cents=300_00)
    assert table.refused(removing).code == "wrong-rank"
    table.do(commands.Remove(by="pam", player="cat", box=1, bet="player", cents=300_00))
    table.close()
    assert table.stakes()["cat", 1, "player"] == 200_00
    assert table.net("cat") == -200_00


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
    table.report("display-error")
    assert ruled_on(table, "dee") == (("correct-display",), ("6.3",))
    assert (table.net("ann"), table.net("bob"), table.roads()) == (100_00, -100_00, ["player"])
    assert "6.3" in {rule for notice in table.view("cat").notices for rule in notice.rules}
