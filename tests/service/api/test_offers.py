"""The odds of insurance on offer: those of the command line, from the cards on the table alone."""

from pathlib import Path

import pytest

from service.api.serving import NOBODY, Served, is_problem
from service.houses import CBI, new_table
from thirdcard.cards import parse_cards
from thirdcard.odds import fresh, situation
from thirdcard.rulebook import load

pytestmark = pytest.mark.server

PATHS = ("/api/tables/one/offers", "/tables/one/offers.json")
SIX_AGAINST_FIVE = "KC KH 6D 5S"  # Player insurance is offered


def test_offers_have_their_odds_at_both_addresses(house_path: Path) -> None:
    with Served(house_path, new_table("one", slug=CBI, layout="D")) as house:
        dealer, nobody = house.as_("dealer"), house.as_(NOBODY)
        wei = house.player("Wei", box=1)
        for name in ("new-shoe", "open"):
            dealer.does(name)
        wei.does("place", box=1, bet="player", cents=100_00)
        dealer.does("close")
        *first, last = SIX_AGAINST_FIVE.split()
        for card in first:
            dealer.does("draw", card=card)
            assert [nobody.get(path).json() for path in PATHS] == [[], []]
        dealer.does("draw", card=last)
        decks = house.live().table.setup.decks
        (due,) = situation(load(CBI), fresh(decks), parse_cards(SIX_AGAINST_FIVE))
        expected = {
            "hand": "player",
            "window": 1,
            "win": round(100 * due.win / due.rounds, 2),
            "push": round(100 * due.push / due.rounds, 2),
            "lose": round(100 * due.lose / due.rounds, 2),
            "edge": round(-100 * float(due.ev or 0), 2),
            "tie_paid": False,
            "lost": ["player-pair", "banker-pair"],
        }
        assert [nobody.get(path).json() for path in PATHS] == [[expected], [expected]]
        for path in PATHS:
            assert is_problem(nobody.get(path.replace("one", "nowhere")), 404)
