"""Faults that were found in the irregularities of Commission Baccarat with Insurance."""

import pytest

from irregularities.situations import PLAYER_WINS, TO_COME, Scene, cards, kinds, only
from thirdcard.table.events import CardsExposed, CardsLaid

SLUGS = ("rws-commission-insurance-v5",)
SLUG = SLUGS[0]


def test_5_2_1_the_line_of_a_bet_under_the_minimum_says_so() -> None:
    table = Scene(SLUG)
    table.bets(("ann", "player", 100_00))
    table.record("bob", "player", 5_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.line("bob", "player").rules == (*table.line("ann", "player").rules, "5.2.1")
    assert "5.2.1" not in table.line("ann", "player").rules


@pytest.mark.parametrize("settled", [False, True])
def test_5_7_excess_cards_are_counted_as_they_came(settled: bool) -> None:  # noqa: FBT001
    """An order of other cards is refused; a settlement that stays right is left alone."""
    table = Scene(SLUG)
    table.dealt(PLAYER_WINS)
    if settled:
        table.settle()
    table.report("excess-or-exposed-cards", "5H 6H")
    assert table.refused(table.ruling("sue", "7C 8C")).code in ("fact-missing", "input-not-used")
    events = table.rule("sue")
    assert [one.name for one in only(events, CardsLaid).waiting] == list(cards("5H 6H"))
    assert "SettlementReversed" not in kinds(events)
    assert (table.shoe.drawn, table.shoe.used) == (dict.fromkeys([*PLAYER_WINS.split(), "5H", "6H"], 1), 6)


@pytest.mark.parametrize("known", [True, False])
def test_5_10_1_everybody_chooses_before_the_cards_are_seen(known: bool) -> None:  # noqa: FBT001
    """The round is over with these two cards; nobody has seen them, so no bet is decided by them."""
    table = Scene(SLUG)
    table.dealt(TO_COME, ("ann", "player", 100_00), ("bob", "banker", 100_00), ("cat", "player-pair", 10_00))
    table.report("drawn-together", "2S 4D" if known else "4D 2S", order_known=known)
    table.rule("sue", "" if known else "2S 4D")
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
