"""The engine's exact counts for every rulebook and deck count equal the committed ones."""

import json
from math import perm
from pathlib import Path

import pytest

from counts.counting import DECKS, bet_counts, outcome_counts
from thirdcard.rulebook import load, slugs

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("slug", slugs())
def test_counts_equal_the_committed_data(slug: str) -> None:
    book = load(slug)
    committed = json.loads((Path(__file__).parent / f"{slug}.json").read_text(encoding="utf-8"))
    assert [int(decks) for decks in committed] == list(range(book.decks.min, book.decks.max + 1))
    for decks, counts in committed.items():
        assert bet_counts(book, int(decks)) == counts, decks


def test_eight_decks_as_published() -> None:
    counts = bet_counts(load("mbs-tiger-v2"), 8)
    assert counts["banker"] == {
        "win": 2_292_252_566_437_888,
        "lose": 2_230_518_282_592_256,
        "push": 475_627_426_473_216,
    }
    assert counts["player"]["win"] == 2_230_518_282_592_256
    assert counts["tie"]["win"] == 475_627_426_473_216


@pytest.mark.parametrize("decks", DECKS)
def test_every_draw_of_six_cards_is_counted_once(decks: int) -> None:
    table = load("mbs-tiger-v2").table_of_play
    assert outcome_counts(table, decks).total() == perm(52 * decks, 6)
