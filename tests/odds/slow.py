"""Exact counts the slow and obvious way: every round is dealt, card by card, by the engine itself.

Nothing here comes from `thirdcard.odds` but the type of a composition.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from math import perm
from random import Random

from thirdcard.cards import Card, Rank
from thirdcard.odds import Composition
from thirdcard.odds.composition import NUMBERS
from thirdcard.play.bets import result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.conditions import PLAIN, Outcome, Sight, pairs_of
from thirdcard.rulebook.model import Side, TableOfPlay
from thirdcard.rulebook.third_cards import next_by_points

CARDS = tuple(Card(rank.letter + "S") for rank in Rank)  # one of each rank where suits do not matter
EVERYTHING = Sight((frozenset(Rank),) * 6, (True, True), (tuple(Card),) * 6)


def dealt(table: TableOfPlay, composition: Composition) -> Iterator[tuple[Deal, int]]:
    """Every whole round as cards can be drawn, with how many ordered draws of six cards begin so.

    Cards go by rank, or by rank and suit where the composition has both.
    """
    cards, counts = (Card, composition.by_card) if composition.by_card else (CARDS, composition.ranks)
    yield from _go_on(table, (), {card: count for card, count in zip(cards, counts, strict=True) if count}, 1)


def _go_on(
    table: TableOfPlay, drawn: tuple[Card, ...], left: dict[Card, int], ways: int
) -> Iterator[tuple[Deal, int]]:
    deal = Deal(table, drawn)
    if deal.next is None:
        yield deal, ways * perm(sum(left.values()), 6 - len(drawn))
        return
    for card, count in left.items():
        if count:
            yield from _go_on(table, (*drawn, card), left | {card: count - 1}, ways * count)


def outcomes(table: TableOfPlay, composition: Composition, sight: Sight = PLAIN) -> Counter[Outcome]:
    counts: Counter[Outcome] = Counter()
    for deal, ways in dealt(table, composition):
        counts[outcome_of(deal, sight)] += ways
    return counts


def outcomes_by_points(table: TableOfPlay, composition: Composition) -> Counter[Outcome]:
    """The same for a shoe with every rank: third cards by their points, which is all they matter by."""
    counts: Counter[Outcome] = Counter()
    cards = composition.cards
    for p1, b1, p2, b2 in product(Rank, repeat=4):
        ways, left = 1, list(composition.ranks)
        for rank in (p1, b1, p2, b2):
            ways *= left[rank - 1]
            left[rank - 1] -= 1
        if not ways:
            continue
        points = [0] * 10
        for rank in Rank:
            points[rank.points] += left[rank - 1]
        player, banker = (p1.points + p2.points) % 10, (b1.points + b2.points) % 10
        pairs = pairs_of(p1 if p1 is p2 else None, b1 if b1 is b2 else None)
        due = next_by_points(table, player, banker)
        if due is None:
            counts[Outcome(player, banker, 2, 2, pairs)] += ways * perm(cards - 4, 2)
            continue
        for x in range(10):
            if due is Side.BANKER:
                counts[Outcome(player, (banker + x) % 10, 2, 3, pairs)] += ways * points[x] * (cards - 5)
            elif next_by_points(table, player, banker, (x,)) is None:
                counts[Outcome((player + x) % 10, banker, 3, 2, pairs)] += ways * points[x] * (cards - 5)
            else:
                for y in range(10):
                    both = points[x] * (points[y] - (x == y))
                    counts[Outcome((player + x) % 10, (banker + y) % 10, 3, 3, pairs)] += ways * both
    return counts


def tallies(book: Rulebook, counts: Mapping[Outcome, int]) -> dict[str, dict[str, int]]:
    """Rounds by result for each bet, settled one outcome at a time; results with none left out."""
    found: dict[str, dict[str, int]] = {}
    for name, bet in book.bets.items():
        mine: Counter[str] = Counter()
        for outcome, ways in counts.items():
            mine[result(bet, outcome).name] += ways
        found[name] = nonzero(mine)
    return found


def nonzero(tally: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in tally.items() if count}


def small_shoe(seed: int) -> Composition:
    """A shoe in which most ranks have run out: two to five of them are left, few cards of each."""
    chance = Random(seed)  # noqa: S311 - a test's own shuffling
    while True:
        ranks = [0] * 13
        for rank in chance.sample(range(13), chance.randint(2, 5)):
            ranks[rank] = chance.choice((1, 1, 2, 3, 4, 7, 20))
        if sum(ranks) >= 6:
            return Composition(tuple(ranks))


def large_shoe(seed: int) -> Composition:
    """A shoe in which most ranks are left, some nearly gone."""
    chance = Random(seed)  # noqa: S311 - a test's own shuffling
    return Composition(tuple(chance.choice((0, 1, 2, 5, 9, 20, 31, 40)) for _ in range(13)))


def suited_shoe(seed: int) -> Composition:
    """A shoe with a handful of different cards, a few of each, some of them of one rank or one suit."""
    chance = Random(seed)  # noqa: S311 - a test's own shuffling
    counts = [0] * len(Card)
    while sum(counts) < 6:
        for rank in chance.sample(list(Rank), chance.randint(1, 3)):
            for suit in chance.sample("SHDC", chance.randint(1, 2)):
                counts[NUMBERS[Card(rank.letter + suit)]] = chance.choice((1, 1, 2, 3, 5))
    ranks = [0] * 13
    for card, number in NUMBERS.items():
        ranks[card.rank - 1] += counts[number]
    return Composition(tuple(ranks), tuple(counts))
