"""Irregularities of Tiger Baccarat around who handles the cards: wrong persons, absent ones, cards carried off."""

from typing import Any

import pytest

from irregularities.situations import PLAYER_WINS, TO_COME, Scene, only
from thirdcard.table import commands
from thirdcard.table.events import (
    CardsExposed,
    CardsHanded,
    CardsLaid,
    CardsRetrieved,
    IrregularityRuled,
    RemedyDone,
)

SLUGS = ("mbs-tiger-v2",)
SLUG = SLUGS[0]

METHOD_C: dict[str, Any] = {"method": "C", "device": "reader", "high_limit": True}
MISSING = ("5.11.1", "5.11.2", "5.11.2.1", "5.11.3", "5.11.4", "5.11.5")
EVERY_MISSING = ("5.11", *MISSING)


def with_the_player_hand(text: str = PLAYER_WINS, **changed: Any) -> Scene:  # noqa: ANN401
    """Method A: Ann holds the Player hand."""
    table = Scene(SLUG, method="A", **changed)
    table.dealt(text)
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="ann"))
    return table


def ruled_on(table: Scene, by: str, **inputs: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:  # noqa: ANN401
    """Remedies and paragraphs of a ruling."""
    ruled = only(table.rule(by, **inputs), IrregularityRuled)
    return ruled.remedies, ruled.rules


# The wrong person -----------------------------------------------------------------------------------------


def test_5_7_cards_passed_to_the_wrong_person_are_retrieved_and_passed_on() -> None:
    """Bob, who wagers on Banker, was handed the Player hand; it is Ann's, and nobody has a choice."""
    table = Scene(SLUG, method="A")
    table.dealt(PLAYER_WINS)
    table.refuses("condition-not-met", ("5.7",), table.reporting("wrong-person", players=("bob",)))
    handing = commands.HandOver(by="dee", cards=(1, 3), player="bob")
    assert table.refused(handing).code == "no-right-to-squeeze"
    wrongly = commands.HandOver(by="dee", cards=(1, 3), player="bob", wrongly=True)
    assert only(table.do(wrongly), CardsHanded).rules == ("5.7",)
    assert table.current.handed == {1: "bob", 3: "bob"}
    table.report("wrong-person", players=("bob",))
    events = table.rule("dee")
    ruled = only(events, IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("pass-on", "continue"), ("5.7",))
    assert only(events, CardsRetrieved).places == (1, 3)
    assert not table.held_up
    assert table.current.handed == {1: "ann", 3: "ann"}
    assert table.current.drawn[0].seen_by == ("bob", "ann")
    assert table.refused(commands.Expose(by="bob", cards=(1, 3))).code in ("card-not-named", "card-not-yours")
    table.expose(1, 3, by="ann")
    table.expose(2, 4)
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


def test_5_7_only_the_cards_that_went_wrong_are_retrieved() -> None:
    table = Scene(SLUG, method="A")
    table.dealt(PLAYER_WINS)
    table.do(commands.HandOver(by="dee", cards=(2, 4), player="bob"))
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="cat", wrongly=True))
    table.report("wrong-person")
    assert only(table.rule("dee"), CardsRetrieved).places == (1, 3)
    assert table.current.handed == {1: "ann", 2: "bob", 3: "ann", 4: "bob"}


def test_5_7_nobody_had_a_right_to_the_cards_so_the_dealer_has_them() -> None:
    """No wager on Player: Bob is the only one who could be handed anything, and not this hand."""
    table = Scene(SLUG, method="A")
    table.dealt(PLAYER_WINS, ("bob", "banker", 100_00))
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="bob", wrongly=True))
    table.report("wrong-person", players=("bob",))
    table.rule("dee")
    assert table.current.handed == {}
    table.expose(1, 3)


def test_5_7_1_cards_shown_in_error_are_no_wrong_delivery() -> None:
    """No outcome is established, and still nobody may withdraw: the round goes on as it is."""
    table = Scene(SLUG, method="A")
    table.dealt("9C")
    pending = table.report("not-wrong-delivery", "4H", shown=(2,))
    assert pending.decides == "dealer"
    assert ruled_on(table, "dee") == (("stand", "continue"), ("5.7.1",))
    assert not table.held_up
    assert table.sees("cat") == ["?", "4H"]
    table.deal("KD 2S")
    table.finish()
    assert [str(card) for card in table.state.deal().banker] == ["4H", "2S"]
    assert table.nets("ann", "bob") == [100_00, -100_00]


def test_5_7_1_a_third_card_dealt_face_up_to_a_hand_that_is_squeezed() -> None:
    table = with_the_player_hand(TO_COME)
    table.expose(1, 3, by="ann")
    table.expose(2, 4)
    table.report("not-wrong-delivery", "4D", shown=(5,))
    table.rule("dee")
    assert table.sees("cat") == [*TO_COME.split(), "4D"]
    table.finish("2S")
    assert table.nets("ann", "bob") == [100_00, -100_00]


def test_5_7_1_cards_that_were_passed_to_nobody() -> None:
    """Ann was to have the hand, and the dealer turned it: the outcome stands."""
    table = Scene(SLUG, method="A")
    table.dealt(PLAYER_WINS)
    table.expose(1, 2, 3, 4)
    table.report("not-wrong-delivery")
    assert ruled_on(table, "dee") == (("stand", "continue"), ("5.7.1",))
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


# The handler is not there ---------------------------------------------------------------------------------


def test_5_10_the_dealer_exposes_for_an_absent_handler() -> None:
    table = with_the_player_hand()
    assert table.refused(table.exposing(1, 3)).code == "card-not-yours"
    table.refuses("condition-not-met", ("5.10",), table.reporting("absent-handler", players=("cat",)))
    table.report("absent-handler", players=("ann",))
    table.refuses("fact-missing", ("5.10",), table.ruling("dee"))
    table.refuses("fact-missing", ("5.10",), table.ruling("dee", names={1: "9C"}))
    events = table.rule("dee", names={1: "9C", 3: "KD"})
    exposed = only(events, CardsExposed)
    assert (exposed.places, exposed.by, exposed.rules) == ((1, 3), "dee", ("5.10",))
    assert table.sees("cat") == ["9C", "?", "KD", "?"]
    table.expose(2, 4)
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


@pytest.mark.parametrize("left", [False, True])
def test_5_10_later_cards_are_the_dealers_too(left: bool) -> None:  # noqa: FBT001
    """Ann squeezed the Player hand and is not there to be handed its third card."""
    table = with_the_player_hand(TO_COME)
    table.expose(1, 3, by="ann")
    table.expose(2, 4)
    if left:
        table.do(commands.Leave(by="ann"))
    else:
        table.report("absent-handler", players=("ann",))
        table.rule("dee")
    table.deal("4D")
    handing = commands.HandOver(by="dee", cards=(5,), player="ann")
    assert table.refused(handing).code == "no-right-to-squeeze"
    assert only(table.expose(5), CardsExposed).by == "dee"
    table.finish("2S")
    assert table.nets("ann", "bob") == [100_00, -100_00]


def test_5_10_without_absence_the_third_card_is_the_squeezers() -> None:
    table = with_the_player_hand(TO_COME)
    table.expose(1, 3, by="ann")
    table.expose(2, 4)
    table.deal("4D")
    table.do(commands.HandOver(by="dee", cards=(5,), player="ann"))
    assert table.refused(table.exposing(5)).code == "card-not-yours"


def test_5_10__3_10_7_who_has_the_cards_taken_away_is_not_handed_the_third() -> None:
    """Ann is there and does not turn them: nobody squeezes that hand any more, and the dealer turns what comes."""
    table = with_the_player_hand(TO_COME)
    table.do(commands.TakeCards(by="dee", cards=(1, 3), reason="no answer"))
    table.expose(1, 2, 3, 4)
    table.deal("4D")
    handing = commands.HandOver(by="dee", cards=(5,), player="ann")
    assert table.refused(handing).code == "no-right-to-squeeze"
    table.expose(5)
    table.finish("2S")
    assert table.nets("ann", "bob") == [100_00, -100_00]


def test_5_10_a_handler_who_left_does_not_hold_the_round_up() -> None:
    """Nothing has to be reported: what she holds lies on the table, and the dealer turns it."""
    table = with_the_player_hand()
    table.do(commands.Leave(by="ann"))
    table.expose(1, 2, 3, 4)
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


# Cards that somebody carried off --------------------------------------------------------------------------


def test_5_11_cards_whose_values_are_known_count_as_they_are() -> None:
    """Surveillance saw them: the hand is complete without the cards, and nothing is replaced."""
    table = with_the_player_hand()
    assert table.refused(table.reporting("left-with-cards", players=("ann",))).code == "fact-missing"
    table.report("left-with-cards", players=("ann",), values_known=True)
    table.refuses("wrong-rank", ("5.11",), table.ruling("dee", names={1: "9C", 3: "KD"}))
    table.refuses("fact-missing", ("5.11",), table.ruling("sue"))
    assert ruled_on(table, "sue", names={1: "9C", 3: "KD"}) == (("ascertain", "continue"), ("5.11",))
    assert (table.sees("cat"), table.current.handed) == (["9C", "?", "KD", "?"], {})
    table.expose(2, 4)
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]
    table.open()


def test_5_11_what_a_device_has_read_is_known() -> None:
    table = with_the_player_hand(device="reader")
    unknown = table.reporting("left-with-cards", players=("ann",), values_known=False)
    table.refuses("condition-not-met", EVERY_MISSING, unknown)
    table.report("left-with-cards", players=("ann",), values_known=True)
    table.rule("sue")
    assert table.sees("cat") == ["9C", "?", "KD", "?"]


def test_5_11_nobody_leaves_with_cards_who_has_none() -> None:
    table = Scene(SLUG, method="A")
    table.dealt(PLAYER_WINS)
    for players in ((), ("ann",)):
        reporting = table.reporting("left-with-cards", players=players, values_known=False)
        table.refuses("condition-not-met", EVERY_MISSING, reporting)


def test_5_11_1__5_11_2__5_11_2_1_a_gaming_shift_manager_finds_the_missing_cards() -> None:
    """Two cards come out of the device unseen; then each missing card is named, and no other."""
    table = with_the_player_hand()
    table.report("left-with-cards", players=("ann",), values_known=False)
    found = {1: "9C", 3: "KD"}
    for person in ("dee", "sue", "pam", "ada"):
        table.refuses("wrong-rank", MISSING, table.ruling(person, substitutes=found))
    wrong: list[dict[str, Any]] = [
        {},
        {"substitutes": {1: "9C"}},
        {"substitutes": {**found, 2: "4H"}},
        {"names": found},
    ]
    for inputs in wrong:
        refused = table.refused(table.ruling("sam", **inputs))
        assert (refused.code in ("fact-missing", "input-not-used"), refused.rules) == (True, MISSING)
    used = table.shoe.used
    table.rule("sam", substitutes=found)
    assert (table.waiting, table.shoe.used) == (["?", "?"], used + 2)
    for viewer in ("ann", "dee", "sam"):
        assert (table.view(viewer).waiting, table.sees(viewer)) == ((), ["?", "?", "?", "?"])
    assert not table.held_up


def test_5_11_2_1_a_missing_card_is_one_that_the_sorted_decks_lack() -> None:
    """All four kings of clubs have been seen, so none of them is missing."""
    table = Scene(SLUG, method="A", decks=4)
    table.shown("KC 9H KC KS")
    table.settle()
    table.shown("KC 9H KC KS")
    table.settle()
    table.dealt(PLAYER_WINS)
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="ann"))
    table.report("left-with-cards", players=("ann",), values_known=False)
    assert table.refused(table.ruling("sam", substitutes={1: "9C", 3: "KC"})).code == "card-not-in-shoe"
    table.rule("sam", substitutes={1: "9C", 3: "KD"})


def test_5_11_3__5_11_4__5_11_5_replacements_complete_the_round_and_new_cards_follow() -> None:
    """A card of the same suit and value lies in the missing one's place, and no other is turned there.

    The two cards that came out first are the third cards, in their order.
    """
    table = with_the_player_hand(TO_COME)
    table.report("left-with-cards", players=("ann",), values_known=False)
    table.rule("sam", substitutes={1: "2C", 3: "3D"})
    other = commands.Expose(by="dee", cards=(1, 2, 3, 4), names=tuple(table.said[p] for p in (2, 2, 3, 4)))
    assert table.refused(other).code == "card-not-in-shoe"
    table.expose(1, 2, 3, 4)
    assert [str(card) for card in table.state.deal().player] == ["2C", "3D"]
    left = table.shoe.left
    table.show("4D")
    assert (table.waiting, table.shoe.left) == (["?"], left)
    table.finish("2S")
    assert (table.waiting, table.shoe.left) == ([], left)
    assert table.nets("ann", "bob") == [100_00, -100_00]
    table.new_shoe_first()


def test_5_11_3_only_what_is_missing_is_replaced() -> None:
    """Ann had turned the 9C before she left with the other card."""
    table = with_the_player_hand()
    table.expose(1, by="ann")
    table.report("left-with-cards", players=("ann",), values_known=False)
    table.refuses("fact-missing", MISSING, table.ruling("sam", substitutes={1: "9H", 3: "KD"}))
    table.rule("sam", substitutes={3: "KD"})
    assert table.sees("cat") == ["9C", "?", "?", "?"]
    table.expose(2, 3, 4)
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (PLAYER_WINS, ""),  # nothing is left to set aside, and nothing is needed
        (TO_COME, "KD"),  # one is left: the Player's, and the Banker stands against it
        (TO_COME, "4D 2S"),
    ],
)
def test_5_11_1__5_11_3__5_11_4_near_the_end_of_a_shoe(text: str, rest: str) -> None:
    table = Scene(SLUG, method="A", decks=4, cut=0)
    table.run_down(keep=f"{text} {rest}".strip())
    table.dealt(text)
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="ann"))
    table.report("left-with-cards", players=("ann",), values_known=False)
    first, third = text.split(maxsplit=1)[0], text.split()[2]
    # Only cards of these suits and values can be the missing ones: all others have been seen.
    assert table.refused(table.ruling("sam", substitutes={1: "AH", 3: third})).code == "card-not-in-shoe"
    table.rule("sam", substitutes={1: first, 3: third})
    assert (table.waiting, table.shoe.left) == (["?"] * len(rest.split()), 0)
    table.expose(1, 2, 3, 4)
    table.finish(rest)
    assert table.nets("ann", "bob") == [100_00, -100_00]


# Method C -------------------------------------------------------------------------------------------------


def with_the_device() -> Scene:
    table = Scene(SLUG, **METHOD_C)
    table.bets()
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    table.deal("9C", by="ann")
    return table


def test_5_12__5_12_1_method_c_a_card_seen_as_the_device_moves_is_played() -> None:
    """It is the second card of the round all the same, and everybody has seen it."""
    table = with_the_device()
    table.report("exposed-moving-device", "4H", shown=(2,))
    assert ruled_on(table, "dee") == (("continue",), ("5.12.1",))
    assert not table.held_up
    table.deal("KD 2S", by="ann")
    assert table.sees("cat") == ["?", "4H", "?", "?"]
    table.finish()
    assert table.nets("ann", "bob") == [100_00, -100_00]


def test_5_12__5_12_2_method_c_altered_order_voids_and_the_cards_are_replaced() -> None:
    table = with_the_device()
    table.report("altered-moving-device")
    table.refuses("wrong-rank", ("5.12.2",), table.ruling("sue", reconstructable=False))
    assert ruled_on(table, "pam", reconstructable=False) == (("void", "new-cards"), ("5.12.2",))
    table.everything_is_back()
    table.new_shoe_first()


def test_5_12_an_order_that_can_be_rectified_is() -> None:
    """Three cards slid out, the first two were laid in each other's place: they lie as they came out."""
    table = with_the_device()
    table.report("altered-moving-device", "4H KD 2S")
    made = table.rule("pam", reconstructable=True)
    ruled, laid = only(made, IrregularityRuled), only(made, CardsLaid)
    assert (ruled.remedies, ruled.rules) == (("reconstruct", "continue"), ("5.12",))
    assert [str(one.name) for one in laid.cards] == ["9C", "4H", "KD", "2S"]
    assert (laid.waiting, laid.rules) == ((), ("5.12",))
    assert made.index(laid) < made.index(RemedyDone(remedy="reconstruct"))
    # As they had been laid the Player would have 3 and the Banker 2, and both would draw.
    table.finish()
    assert table.nets("ann", "bob") == [100_00, -100_00]


@pytest.mark.parametrize("method", ["A", "B"])
@pytest.mark.parametrize("case", ["exposed-moving-device", "altered-moving-device"])
def test_5_12_only_where_a_player_has_the_device(case: str, method: str) -> None:
    table = Scene(SLUG, method=method)
    table.dealt("9C")
    assert table.refused(table.reporting(case)).code == "not-allowed-here"
