"""Exact counts, the slow and obvious way: every start and every third card, dealt by the engine.

A count is a number of ordered draws of six cards from a fresh shoe. Suits do not matter to any bet, and
third cards matter by their points alone, so a start is four ranks and a third card one of ten values.
"""

from collections import Counter
from functools import cache
from itertools import product
from typing import TypeAlias

from thirdcard.cards import Rank
from thirdcard.play.bets import result
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.conditions import Outcome, Pairs, pairs_of
from thirdcard.rulebook.model import TableOfPlay
from thirdcard.rulebook.third_cards import play_out

DECKS = range(4, 11)
THIRDS = tuple((fifth, sixth) for fifth in range(10) for sixth in range(10))
Endings: TypeAlias = tuple[tuple[tuple[int, int, int, int], ...], ...]


def outcome_counts(table: TableOfPlay, decks: int) -> Counter[Outcome]:
    """How many ordered draws of six cards come to each outcome."""
    return _counts(_endings(table), decks)


@cache
def _counts(endings: Endings, decks: int) -> Counter[Outcome]:
    counts: Counter[Outcome] = Counter()
    for (player, banker, pairs, left), ways in _starts(decks).items():
        for (fifth, sixth), ending in zip(THIRDS, endings[player * 10 + banker], strict=True):
            third_ways = left[fifth] * (left[sixth] - (fifth == sixth))
            counts[Outcome(*ending, pairs)] += ways * third_ways
    return counts


@cache
def _endings(table: TableOfPlay) -> Endings:
    """Final totals and numbers of cards for any start and any third cards, needed or not."""
    return tuple(
        tuple(play_out(table, player, banker, thirds) for thirds in THIRDS)
        for player, banker in product(range(10), repeat=2)
    )


@cache
def _starts(decks: int) -> Counter[tuple[int, int, Pairs, tuple[int, ...]]]:
    """Ways to draw the first four cards, by totals, pairs and what is left of each value."""
    starts: Counter[tuple[int, int, Pairs, tuple[int, ...]]] = Counter()
    for p1, b1, p2, b2 in product(Rank, repeat=4):
        ways, left = 1, [4 * decks] * 13
        for rank in (p1, b1, p2, b2):
            ways *= left[rank - 1]
            left[rank - 1] -= 1
        by_points = [0] * 10
        for rank in Rank:
            by_points[rank.points] += left[rank - 1]
        pairs = pairs_of(p1 if p1 is p2 else None, b1 if b1 is b2 else None)
        key = ((p1.points + p2.points) % 10, (b1.points + b2.points) % 10, pairs, tuple(by_points))
        starts[key] += ways
    return starts


def bet_counts(book: Rulebook, decks: int) -> dict[str, dict[str, int]]:
    """For each bet how many draws win each tier, push or lose."""
    counts: dict[str, dict[str, int]] = {}
    for name, bet in book.bets.items():
        mine: Counter[str] = Counter()
        for outcome, ways in outcome_counts(book.table_of_play, decks).items():
            came = result(bet, outcome)
            mine[came.tier.tier if came.tier else came.verdict] += ways
        counts[name] = dict(sorted(mine.items()))
    return counts
