"""Irregularities of Tiger Baccarat: cards that are not right, late wagers, cards drawn wrongly, the device."""

from typing import Any

import pytest

from irregularities.situations import PLAYER_WINS, STAGES, TO_COME, Scene, cards, kinds, only
from thirdcard.table.events import (
    BetsReopened,
    CardsLaid,
    CardsReplaced,
    ChipsPutRight,
    ChoiceMade,
    ChoicesOffered,
    DecidedSettled,
    IrregularityRuled,
    LateChipsRecorded,
    RemedyDone,
    RoundVoided,
)

SLUGS = ("mbs-tiger-v2",)
SLUG = SLUGS[0]

BEFORE_PAYMENT = [stage for stage in STAGES if stage != "settled"]
WRONG_CARDS = ("extra-or-missing-cards", "foreign-card", "unshuffled-cards")


def ruled_on(table: Scene, by: str, **inputs: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:  # noqa: ANN401
    """Remedies and paragraphs of a ruling."""
    ruled = only(table.rule(by, **inputs), IrregularityRuled)
    return ruled.remedies, ruled.rules


def names(event: CardsLaid) -> list[str]:
    return [str(one.name) for one in event.cards]


# Cards that are not right ---------------------------------------------------------------------------------


def void_at(stage: str, case: str, rules: tuple[str, ...], **inputs: Any) -> None:  # noqa: ANN401
    """Everything goes back, and these cards are not dealt from again."""
    table = Scene(SLUG)
    table.reach(stage)
    assert table.report(case).decides == "pit-manager"
    for person in ("dee", "sue"):
        table.refuses("wrong-rank", rules, table.ruling(person, **inputs))
        assert "Pit Manager" in table.refused(table.ruling(person, **inputs)).sentence
    assert only(table.rule("pam", **inputs), RoundVoided).rules == rules
    table.everything_is_back()
    table.new_shoe_first()


@pytest.mark.parametrize("case", WRONG_CARDS)
@pytest.mark.parametrize("stage", BEFORE_PAYMENT)
def test_5_1__5_1_1_wrong_cards_void_the_round(stage: str, case: str) -> None:
    void_at(stage, case, ("5.1", "5.1.1", "5.1.2", "5.13"))


@pytest.mark.parametrize("case", WRONG_CARDS)
def test_5_1_2_earlier_rounds_stand(case: str) -> None:
    table = Scene(SLUG)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.refuses("round-is-final", ("1.1.7",), table.reporting(case))
    table.dealt("2D", ("ann", "player", 50_00))
    table.refuses("round-is-final", ("1.1.7",), table.reporting(case, round=1))
    table.report(case)
    table.rule("pam")
    assert (table.nets("ann", "bob"), table.roads()) == ([100_00, -100_00], ["player"])


@pytest.mark.parametrize("stage", BEFORE_PAYMENT)
def test_5_2_order_altered_beyond_reconstruction_voids_the_round(stage: str) -> None:
    void_at(stage, "order-altered", ("5.2", "5.13"), reconstructable=False)


def test_5_2_order_that_can_be_reconstructed_does_not() -> None:
    """The third card was laid with the Banker and the fourth with the Player: they lie as they came out."""
    table = Scene(SLUG)
    table.dealt("2C 4H")
    table.report("order-altered", "3D KS")
    made = table.rule("pam", reconstructable=True)
    ruled, laid = only(made, IrregularityRuled), only(made, CardsLaid)
    assert (ruled.remedies, ruled.rules) == (("reconstruct", "continue"), ("5.2",))
    assert (names(laid), laid.waiting, laid.rules) == (["2C", "4H", "3D", "KS"], (), ("5.2",))
    assert made.index(laid) < made.index(RemedyDone(remedy="reconstruct"))
    # As they had been laid the Player would have 2 and the Banker 7, who would win.
    table.deal("4D 2S")
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


def test_5_3_too_few_cards_void_the_round() -> None:
    """The Banker is due a third card, and the device is empty."""
    table = Scene(SLUG, decks=4, cut=0)
    table.run_down(keep=f"{TO_COME} 2D")
    earlier = table.roads()
    table.dealt(TO_COME, ("ann", "player", 100_00), ("bob", "banker", 100_00), ("cat", "tiger-pair", 15_00))
    table.refuses("condition-not-met", ("5.3", "5.13"), table.reporting("too-few-cards"))
    table.deal("2D")
    assert (table.shoe.left, table.refused(table.drawing("5S")).code) == (0, "shoe-empty")
    table.report("too-few-cards")
    rules = ("5.3", "5.13")
    table.refuses("wrong-rank", rules, table.ruling("sue"))
    assert only(table.rule("pam"), RoundVoided).rules == rules
    assert (table.nets("ann", "bob", "cat"), table.house, table.roads()) == ([0, 0, 0], 0, earlier)
    table.new_shoe_first()


@pytest.mark.parametrize("stage", BEFORE_PAYMENT)
def test_5_3_a_device_that_is_full_enough_is_not_short(stage: str) -> None:
    table = Scene(SLUG)
    table.reach(stage)
    table.refuses("condition-not-met", ("5.3", "5.13"), table.reporting("too-few-cards"))


@pytest.mark.parametrize("replaced", [False, True])
def test_5_13_cards_may_be_replaced_after_a_void(replaced: bool) -> None:  # noqa: FBT001
    """Nothing is wrong with the cards themselves here: a pit manager decides."""
    table = Scene(SLUG)
    table.dealt("2C 4H")
    table.report("drawn-together", "3D KS", order_known=False)
    events = table.rule("pam", replace_cards=replaced)
    assert [type(event) for event in events].count(CardsReplaced) == replaced
    if replaced:
        table.new_shoe_first()
    else:
        table.open()


# Late, withdrawn, face up ---------------------------------------------------------------------------------


def test_5_4_late_wagers_are_refused() -> None:
    table = Scene(SLUG)
    table.bets()
    table.close()
    table.refuses("wrong-phase", ("5.4",), table.placing("cat", "player", 100_00))
    table.refuses("wrong-phase", ("5.4",), table.placing("ann", "player", 10_00))
    table.refuses("condition-not-met", ("5.4",), table.reporting("late-wager", players=("cat",)))


def test_5_4_late_chips_are_not_honoured() -> None:
    """Cat's 300 and what Ann added to the winning hand go back; a wager taken away is another case."""
    table = Scene(SLUG)
    table.bets()
    table.close()
    assert only(table.late("cat", "player", 300_00), LateChipsRecorded).rules == ("5.4",)
    table.late("ann", "player", 50_00)
    table.deal(PLAYER_WINS)
    table.refuses("condition-not-met", ("5.5",), table.reporting("withdrawn-wager"))
    table.report("late-wager", players=("cat",))
    events = table.rule("dee")
    ruled, right = only(events, IrregularityRuled), only(events, ChipsPutRight)
    assert (ruled.remedies, ruled.rules) == (("refuse",), ("5.4",))
    assert (right.stakes, right.rules) == (("1/player/cat",), ("5.4",))
    assert table.nets("ann", "cat") == [-150_00, 0]
    table.settle()
    assert table.nets("ann", "bob", "cat") == [100_00, -100_00, 0]
    assert {line.player for line in table.lines()} == {"ann", "bob"}


@pytest.mark.parametrize("reported", [False, True])
def test_5_5_a_withdrawn_wager_still_plays(reported: bool) -> None:  # noqa: FBT001
    table = Scene(SLUG)
    table.bets()
    table.close()
    table.refuses("wrong-phase", ("5.5",), table.taking_back("bob", "banker"))
    table.refuses("condition-not-met", ("5.5",), table.reporting("withdrawn-wager", players=("bob",)))
    assert only(table.late("bob", "banker", -100_00), LateChipsRecorded).rules == ("5.5",)
    table.late("ann", "player", -40_00)
    assert table.nets("ann", "bob") == [-60_00, 0]
    if reported:
        table.report("withdrawn-wager", players=("bob",))
        assert ruled_on(table, "dee") == (("settle",), ("5.5",))
        assert table.nets("ann", "bob") == [-60_00, -100_00]
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


def test_5_4__5_5_what_was_added_and_what_was_taken_away_are_ruled_on_apart() -> None:
    table = Scene(SLUG)
    table.bets()
    table.close()
    table.late("cat", "player", 300_00)
    table.late("bob", "banker", -100_00)
    table.report("late-wager")
    assert only(table.rule("dee"), ChipsPutRight).stakes == ("1/player/cat",)
    assert table.nets("cat", "bob") == [0, 0]
    table.report("withdrawn-wager")
    assert only(table.rule("dee"), ChipsPutRight).stakes == ("2/banker/bob",)
    assert table.nets("cat", "bob") == [0, -100_00]


def test_5_6_a_face_up_card_in_the_device_is_played() -> None:
    """It is the next card, whatever everybody has seen of it; before the first card the rule says nothing."""
    table = Scene(SLUG, method="A")
    table.bets()
    table.close()
    table.refuses("condition-not-met", ("5.6",), table.reporting("face-up-in-device"))
    table.deal("9C")
    table.report("face-up-in-device", "4H", shown=(2,))
    assert ruled_on(table, "dee") == (("continue",), ("5.6",))
    assert not table.held_up
    table.deal("KD 2S")
    assert table.sees("cat") == ["?", "4H", "?", "?"]
    table.finish()
    assert table.nets("ann", "bob") == [100_00, -100_00]


# Wrong order ----------------------------------------------------------------------------------------------


def test_5_7_cards_dealt_in_a_wrong_order_are_reconstructed() -> None:
    """The Banker had been given the 4D: it is the Player's third card. Nobody has a choice."""
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.report("wrong-order", "4D 2S")
    assert ruled_on(table, "dee") == (("reconstruct", "continue"), ("5.7",))
    assert not table.held_up
    assert [str(card) for card in table.state.deal().player] == ["2C", "3D", "4D"]
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


def test_5_7_before_an_outcome_nobody_has_a_choice_either() -> None:
    table = Scene(SLUG)
    table.dealt("9C")
    table.report("wrong-order", "4H KD")
    table.rule("dee")
    assert not table.held_up
    assert table.sees("cat") == ["9C", "4H", "KD"]
    table.deal("2S")
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


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


# Drawn together -------------------------------------------------------------------------------------------


def test_5_8__5_8_1_order_known_wagers_may_be_withdrawn_before_reconstruction() -> None:
    table = Scene(SLUG)
    table.dealt("2C", ("ann", "player", 100_00), ("bob", "banker", 100_00), ("bob", "tie", 10_00))
    table.report("drawn-together", "4H 3D", order_known=True)
    events = table.rule("pam")
    ruled = only(events, IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("withdraw", "reconstruct"), ("5.8", "5.8.1"))
    assert only(events, ChoicesOffered).singly
    assert "CardsLaid" not in kinds(events)
    assert table.current.cards == cards("2C")
    assert only(table.takes_back("bob", (2, "tie")), ChoiceMade).returned == ("2/tie/bob",)
    assert table.net("bob") == -100_00
    assert names(only(table.goes_on("ann"), CardsLaid)) == ["2C", "4H", "3D"]
    assert not table.held_up
    table.deal("KS 4D 2S")
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


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


@pytest.mark.parametrize("later", ["", "4D", "4D 2S"])
def test_5_8_2_1_when_they_were_drawn_counts_not_when_it_was_noticed(later: str) -> None:
    """The third and the fourth card came out together, and the tape shows it only now."""
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.deal(later)
    assert table.report("drawn-together", cards=(3, 4), order_known=False).facts["stage"] == "initial-deal"
    assert only(table.rule("pam"), RoundVoided).rules == ("5.8.2", "5.8.2.1", "5.13")
    table.everything_is_back()


def test_5_8_2_2_order_unknown_later_the_pit_manager_decides_and_all_remaining_wagers_may_go() -> None:
    """Bob's pair is lost already; he takes everything else back, one wager alone he may not."""
    table = Scene(SLUG, method="A")
    bets = (("ann", "player", 100_00), ("bob", "banker", 100_00), ("bob", "tie", 10_00))
    table.shown(TO_COME, *bets, ("bob", "tiger-pair", 15_00))
    table.report("drawn-together", "4D 2S", shown=(5, 6), order_known=False)
    rules = ("5.8.2", "5.8.2.2")
    table.refuses("wrong-rank", rules, table.ruling("sue", "2S 4D"))
    table.refuses("fact-missing", rules, table.ruling("pam"))
    events = table.rule("pam", "2S 4D")
    assert names(only(events, CardsLaid)) == [*TO_COME.split(), "2S", "4D"]
    assert table.asked() == {"ann": "", "bob": ""}
    table.refuses("no-choice", rules, table.choosing("bob", "return", (2, "tie")))
    assert only(table.takes_back("bob"), ChoiceMade).returned == ("2/banker/bob", "2/tie/bob")
    table.goes_on("ann")
    table.finish()
    assert table.nets("ann", "bob") == [-100_00, -15_00]


def test_5_8_2_2_noticed_when_both_lie_face_up_they_still_decide_nothing() -> None:
    """Player 9 and Banker 6 as recorded; the pit manager turns them round, and Bob would have won."""
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 4D 2S")
    facts = table.report("drawn-together", cards=(5, 6), order_known=False).facts
    assert facts["stage"] == "after-initial-deal"
    table.rule("pam", "2S 4D")
    assert table.asked() == {"ann": "", "bob": ""}
    table.takes_back("bob")
    table.goes_on("ann")
    table.settle()
    assert table.nets("ann", "bob") == [-100_00, 0]


# The device -----------------------------------------------------------------------------------------------


def test_5_9_a_reset_reopens_betting() -> None:
    table = Scene(SLUG, device="reader")
    table.bets(("ann", "player", 100_00), ("bob", "banker", 100_00), ("bob", "tie", 10_00))
    table.refuses("condition-not-met", ("5.9",), table.reporting("device-reset"))
    table.close()
    table.deal("2C")
    table.report("device-reset")
    assert ruled_on(table, "dee") == (("settle-decided", "withdraw", "reopen"), ("5.9",))
    table.takes_back("bob", (2, "tie"))
    assert only(table.goes_on("ann"), BetsReopened).rules == ("5.9",)
    assert (table.state.phase, table.sees("cat")) == ("betting", [])
    table.place("cat", "player", 50_00)
    table.place("ann", "player", 20_00)
    table.take_back("bob", "banker", 10_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.nets("ann", "bob", "cat") == [120_00, -90_00, 50_00]


def test_5_9_what_is_already_won_or_lost_is_settled_first() -> None:
    """A pair of twos pays 4 to 1; Player 4 and Banker 4 leave Small Tiger lost and the rest open."""
    table = Scene(SLUG, device="reader")
    bets = (("ann", "tiger-pair", 10_00), ("ann", "player", 100_00), ("bob", "small-tiger", 20_00))
    table.dealt("2C 4H 2D KS", *bets)
    table.report("device-reset")
    events = table.rule("dee")
    decided = only(events, DecidedSettled)
    assert [(line.player, line.bet, line.net) for line in decided.lines] == [
        ("ann", "tiger-pair", 40_00),
        ("bob", "small-tiger", -20_00),
    ]
    assert table.asked() == {"ann": ""}
    table.takes_back("ann", (1, "player"))
    assert (table.state.phase, table.stakes()) == ("betting", {})
    table.close()
    table.deal("9C 4H KD 3S")
    table.settle()
    assert (table.nets("ann", "bob"), table.house) == ([40_00, -20_00], -20_00)


def test_5_9_a_pair_that_is_won_is_not_played_for_again() -> None:
    """Three cards show the pair; whatever the Banker's would have been, it is won at 4 to 1 at least."""
    table = Scene(SLUG, device="reader")
    table.dealt("2C 4H 2D", ("ann", "tiger-pair", 10_00))
    table.report("device-reset")
    table.rule("dee")
    table.all_go_on()
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("ann") == 40_00


def test_5_9_only_an_electronic_device_is_reset() -> None:
    table = Scene(SLUG)
    table.dealt("2C")
    table.refuses("not-allowed-here", ("5.9",), table.reporting("device-reset"))
