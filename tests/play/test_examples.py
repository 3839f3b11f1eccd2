"""Rounds that show what a bet is about, for every bet of every rulebook at hand."""

from pathlib import Path

import pytest

from thirdcard.cards import format_cards
from thirdcard.play.bets import result
from thirdcard.play.examples import example
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import check_whole
from thirdcard.rulebook import Rulebook, load, slugs
from thirdcard.rulebook.conditions import sight_of
from thirdcard.rulebook.model import Side
from thirdcard.rulebook.outcomes import every_outcome, looks_of

SAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"
BOOKS = [*slugs(), *map(str, sorted(SAMPLES.glob("*.toml")))]


@pytest.fixture(params=BOOKS, ids=lambda name: Path(name).stem)
def book(request: pytest.FixtureRequest) -> Rulebook:
    return load(request.param)


@pytest.mark.slow
def test_every_result_of_every_bet_is_shown_by_a_round_of_as_few_cards_as_can_be(book: Rulebook) -> None:
    table = book.table_of_play
    for bet in book.bets.values():
        fewest: dict[str, int] = {}
        for dealt in every_outcome(table, looks_of(bet.whens)):
            fewest.setdefault(result(bet, dealt.outcome).name, len(dealt.cards.split()))
        for name in [*(tier.tier for tier in bet.pays), *(push.tier for push in bet.every_push)]:
            shown = example(bet, name, table)
            assert shown is not None, (bet.name, name)
            check_whole(shown)
            assert result(bet, outcome_of(shown, sight_of(bet))).name == name
            assert len(shown.cards) == fewest[name]


@pytest.mark.parametrize(
    ("bet", "tier", "cards"),
    [
        ("big-tiger", "win", "KS 2C AD | KH 2D 4D"),  # three cards, a total of six
        ("player-pair", "win", "AS AC | KH 8D"),
        ("tie", "win", "KS 6C | KH 6D"),
        ("tiger-pair", "twin", "3S 3C | 3H 3D"),
    ],
)
def test_an_example_shows_what_matters_and_nothing_else(bet: str, tier: str, cards: str) -> None:
    book = load("rws-tiger-buffalo-commission-v2")
    shown = example(book.bets[bet], tier, book.table_of_play)
    assert shown is not None
    assert " | ".join(format_cards(shown.hand(side)) for side in Side) == cards


def test_no_round_shows_what_never_comes() -> None:
    book = load("mbs-tiger-v2")
    assert example(book.bets["tie"], "no such tier", book.table_of_play) is None
