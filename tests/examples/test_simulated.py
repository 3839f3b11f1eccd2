"""A sample rulebook simulated comes to its exact values."""

from pathlib import Path

import pytest

from thirdcard.odds import fresh, values
from thirdcard.rulebook import load
from thirdcard.simulate import TallyRun, estimates

EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"


@pytest.mark.parametrize("name", ["dragon-bonus", "nine-over-seven", "perfect-pairs"])
def test_what_is_dealt_is_what_is_counted(name: str) -> None:
    book = load(EXAMPLES / f"{name}.toml")
    run = TallyRun(rulebook=book, rounds=2_000_000, seed=14)
    exact = values(book, fresh(8))
    found = estimates(book, *run.play(0, run.chunks))
    assert list(found) == list(book.bets)
    for bet, one in found.items():
        assert abs(one.ev - float(exact[bet].ev)) < 4.5 * one.error, bet
