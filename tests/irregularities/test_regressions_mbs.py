"""Faults that were found in the irregularities of Tiger Baccarat."""

import pytest

from irregularities.situations import BANK, TO_COME, Scene, cards, only
from thirdcard.table import commands
from thirdcard.table.events import CardsExposed, ChoiceMade, IrregularityRuled, StakeSet
from thirdcard.table.ledger import Posting

SLUGS = ("mbs-tiger-v2",)
SLUG = SLUGS[0]


def test_3_5_1_under_the_minimum_while_open_goes_back_whole() -> None:
    table = Scene(SLUG)
    table.bets(("ann", "player", 100_00))
    table.record("bob", "player", 5_00)
    table.record("cat", "tie", 4_00)
    table.report("under-minimum", box=2)
    events = table.rule("dee")
    assert only(events, IrregularityRuled).rules == ("3.5.1",)
    assert only(events, StakeSet).postings == (Posting("box:2", -5_00), Posting("rack:bob", 5_00))
    assert table.stakes() == {("ann", 1, "player"): 100_00, ("cat", 1, "tie"): 4_00}
    assert (table.rack("bob"), table.lying()) == (BANK, 104_00)


def test_3_5_1_over_the_maximum_while_open_goes_down_to_the_maximum() -> None:
    table = Scene(SLUG, differential=None)
    table.bets(("bob", "player", 2_000_00))
    table.record("ann", "player", 2_500_00)
    table.report("over-maximum")
    events = table.rule("dee")
    assert only(events, IrregularityRuled).rules == ("3.5.1",)
    cut = only(events, StakeSet)
    assert (cut.before, cut.stake.cents, cut.rules) == (2_500_00, 2_000_00, ("3.5.1",))
    assert table.stakes() == {("bob", 2, "player"): 2_000_00, ("ann", 1, "player"): 2_000_00}
    assert (table.net("ann"), table.lying()) == (-2_000_00, 4_000_00)
    table.close()
    assert table.plays() == {}


def test_5_8_2_2_everybody_chooses_before_the_cards_are_seen() -> None:
    """The round is over with these two cards; nobody has seen them, so no bet is decided by them."""
    table = Scene(SLUG)
    table.dealt(TO_COME, ("ann", "player", 100_00), ("bob", "banker", 100_00), ("cat", "tiger-pair", 10_00))
    table.report("drawn-together", "4D 2S", order_known=False)
    table.rule("pam", "2S 4D")
    assert table.asked() == {"ann": "", "bob": ""}  # Cat's pair is lost on the first four cards
    unseen = [*TO_COME.split(), "?", "?"]
    for viewer in ("ann", "cat", "dee", "sam"):
        assert table.sees(viewer) == unseen
    table.takes_back("ann")
    assert table.sees("bob") == unseen
    assert only(table.goes_on("bob"), CardsExposed).places == (5, 6)
    assert table.sees("cat") == [*TO_COME.split(), "2S", "4D"]
    table.settle()
    assert [table.net(player) for player in ("ann", "bob", "cat")] == [0, 95_00, -10_00]


def test_5_9_a_wager_named_twice_goes_back_once() -> None:
    table = Scene(SLUG, device="reader")
    table.dealt("2C", ("ann", "player", 100_00), ("bob", "banker", 100_00), ("bob", "tie", 10_00))
    table.report("device-reset")
    table.rule("dee")
    made = only(table.takes_back("bob", (2, "tie"), (2, "tie")), ChoiceMade)
    assert made.returned == ("2/tie/bob",)
    assert made.postings == (Posting("box:2", -10_00), Posting("rack:bob", 10_00))
    assert (table.rack("bob"), table.state.balances["box:2"]) == (BANK - 100_00, 100_00)
    table.goes_on("ann")
    assert table.stakes() == {("ann", 1, "player"): 100_00, ("bob", 2, "banker"): 100_00}


def left_with_the_player_hand(text: str = TO_COME) -> Scene:
    """Method A: Ann has gone with the cards 1 and 3."""
    table = Scene(SLUG, method="A")
    table.dealt(text)
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="ann"))
    table.report("left-with-cards", players=("ann",), values_known=False)
    return table


def test_5_11_4_the_cards_set_aside_are_drawn_next_and_left_the_shoe_once() -> None:
    """The Player's second card was another three than the one recorded."""
    table = left_with_the_player_hand()
    found = {"1": cards("2C")[0], "3": cards("3H")[0]}
    table.rule("sam", set_aside="4D 2S", substitutes=found)
    counts = dict.fromkeys(("2C", "4H", "3H", "KS", "4D", "2S"), 1)
    assert {card: many for card, many in table.shoe.drawn.items() if many} == counts
    assert (table.shoe.used, table.shoe.left) == (6, table.shoe.size - 6)
    assert (table.current.handed, table.shoe.waiting) == ({}, cards("4D 2S"))
    assert table.sees("ann") == ["?", "?", "?", "?"]
    table.expose(1, 2, 3, 4)
    assert table.refused(table.drawing("2S")).code == "card-not-due"
    table.deal("4D")
    table.expose(5)
    table.deal("2S")
    table.expose(6)
    assert table.sees("cat") == ["2C", "4H", "3H", "KS", "4D", "2S"]
    assert {card: many for card, many in table.shoe.drawn.items() if many} == counts
    assert (table.shoe.used, table.shoe.waiting) == (6, ())
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -100_00)


def test_5_11_4__5_11_5_a_new_shoe_comes_before_the_next_round() -> None:
    """Nobody draws: what was set aside goes with the old cards."""
    table = left_with_the_player_hand("9C 4H KD 2S")
    found = {"1": cards("9C")[0], "3": cards("KD")[0]}
    table.rule("sam", set_aside="5H 6H", substitutes=found)
    table.expose(1, 2, 3, 4)
    table.settle()
    assert table.refused(commands.Open(by="dee")).code == "new-shoe-needed"
    table.do(commands.NewShoe(by="dee"))
    assert (table.shoe.waiting, table.shoe.used, table.shoe.drawn) == ((), 0, {})
    table.bets()
    table.close()
    table.deal("7C")


@pytest.mark.parametrize(
    ("set_aside", "place", "card"),
    [
        ("KC 5H", "1", "KC"),  # there is no ninth king of clubs to set aside
        ("5H KC", "1", "KC"),
        ("5H 6H", "2", "KC"),  # nor to take the place of another card
        ("5H 5H", "1", "5H"),  # six have come out already: three more are one too many
    ],
)
def test_5_11_4_cards_that_the_shoe_cannot_have_held(set_aside: str, place: str, card: str) -> None:
    table = Scene(SLUG, method="A", decks=8)
    table.bets()
    table.close()
    table.show("KC KC KC KC KC KC")
    table.settle()
    table.bets()
    table.close()
    table.show("5H 5H 5H 5H 5H 5H")
    table.settle()
    table.dealt("KC 4H KC 2S")
    table.report("left-with-cards", players=("ann",), values_known=False)
    found = {place: cards(card)[0]}
    refusal = table.refused(table.ruling("sam", set_aside=set_aside, substitutes=found))
    assert refusal.code == "card-not-in-shoe"
    table.rule("sam", set_aside="7H 6H", substitutes={"1": cards("KC")[0]})
    assert (table.shoe.drawn["KC"], table.shoe.drawn["7H"], table.shoe.waiting) == (8, 1, cards("7H 6H"))


def test_5_14_the_line_of_a_wager_under_the_minimum_says_so() -> None:
    table = Scene(SLUG)
    table.bets(("ann", "player", 100_00))
    table.record("bob", "player", 5_00)
    table.close()
    table.deal("9C 4H KD 2S")
    table.settle()
    assert table.line("bob", "player").rules == (*table.line("ann", "player").rules, "5.14")
    assert "5.14" not in table.line("ann", "player").rules


def test_5_11_3__5_11_4_a_replaced_card_may_change_who_draws() -> None:
    """With 6H in its place the Player stands on 9: the card drawn before has no hand and waits."""
    table = Scene(SLUG, method="A")
    table.dealt("2C 4H 3D KS")
    table.report("wrong-order", "4D")
    table.rule("dee")
    table.report("left-with-cards", values_known=False)
    table.rule("sam", substitutes={"1": cards("6H")[0]}, set_aside="7H 8H")
    assert table.current.cards == cards("6H 4H 3D KS")
    assert table.shoe.waiting == cards("4D 7H 8H")
    table.expose(1, 2, 3, 4)
    assert table.refused(commands.Draw(by="dee", card=cards("4D")[0])).code == "card-not-due"
    table.settle()


def test_5_11_nobody_leaves_with_cards_that_all_have_seen() -> None:
    table = Scene(SLUG)
    table.bets()
    refused = table.refused(commands.Report(by="dee", case="left-with-cards", values_known=False))
    assert refused.code == "no-such-card"
