"""Faults that were found in the irregularities of Tiger Baccarat."""

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
    turned = [event for event in table.goes_on("bob") if isinstance(event, CardsExposed)]
    assert [event.places for event in turned] == [(5,), (6,)]
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


def test_5_11_4_the_cards_set_aside_are_counted_once_when_they_are_named() -> None:
    table = Scene(SLUG, method="A")
    table.dealt(TO_COME)
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="ann"))
    table.report("left-with-cards", players=("ann",), values_known=False)
    table.rule("sam", substitutes={1: "2C", 3: "3H"})
    counted = {card: many for card, many in table.shoe.drawn.items() if many}
    assert (counted, table.shoe.used) == ({"2C": 1, "3H": 1}, 6)
    table.said[3] = cards("3H")[0]
    table.expose(1, 2, 3, 4)
    table.finish("4D 2S")
    counts = dict.fromkeys(("2C", "4H", "3H", "KS", "4D", "2S"), 1)
    assert {card: many for card, many in table.shoe.drawn.items() if many} == counts
    assert (table.shoe.used, table.shoe.left) == (6, table.shoe.size - 6)


def test_5_14_the_line_of_a_wager_under_the_minimum_says_so() -> None:
    table = Scene(SLUG)
    table.bets(("ann", "player", 100_00))
    table.record("bob", "player", 5_00)
    table.close()
    table.deal("9C 4H KD 2S")
    table.settle()
    assert table.line("bob", "player").rules == (*table.line("ann", "player").rules, "5.14")
    assert "5.14" not in table.line("ann", "player").rules
