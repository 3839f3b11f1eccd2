"""Exact counts of rounds: how many ordered draws of six cards end in each outcome class.

Every count is of ordered six-card sequences, also where a round needs only four or five of them, so
all counts of one composition add up to `Composition.sequences`. Python's integers have no limit and
no step divides, so nothing is ever rounded.

The order of drawing does not change a count. So the third cards are drawn first and the four-card
starts are counted in what they leave: by the two hands' totals, which is all that third cards ask of
a start.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import perm
from operator import mul
from typing import NamedTuple, TypeAlias

from thirdcard.odds.composition import VALUES, Composition, check_round
from thirdcard.play.classes import CLASSES, PAIRS
from thirdcard.rulebook.model import Side, TableOfPlay
from thirdcard.rulebook.third_cards import next_by_points

Points: TypeAlias = tuple[int, ...]  # cards left of each point value
Starts: TypeAlias = Iterable[tuple[int, int, int]]  # Player's total, Banker's total, ways
TOTALS = range(10)
ENDINGS = CLASSES // len(PAIRS)  # totals and numbers of cards, without the pairs


class Path(NamedTuple):
    """Rounds that go one way: the two-card totals, the third cards by points, and how many."""

    player: int
    banker: int
    player_third: int | None
    banker_third: int | None
    rounds: int

    @property
    def player_points(self) -> int:
        return (self.player + (self.player_third or 0)) % 10

    @property
    def banker_points(self) -> int:
        return (self.banker + (self.banker_third or 0)) % 10

    @property
    def ending(self) -> int:
        """The number of the outcome class, pairs left out."""
        totals = self.player_points * 10 + self.banker_points
        return totals * 4 + (self.player_third is not None) * 2 + (self.banker_third is not None)


class DrawingRule(NamedTuple):
    """A Table of Play asked for every total once."""

    first: tuple[tuple[Side | None, ...], ...]  # [Player's total][Banker's]: whose third card is next
    replies: tuple[tuple[bool, ...], ...]  # [Banker's total][points of the Player's third card]


@lru_cache
def rule_of(table: TableOfPlay) -> DrawingRule:
    first = tuple(tuple(next_by_points(table, player, banker) for banker in TOTALS) for player in TOTALS)
    drawing = (
        table.player_draws[0] if table.player_draws else 0
    )  # whichever: the Banker asks only for the card
    return DrawingRule(
        first,
        tuple(
            tuple(next_by_points(table, drawing, banker, (third,)) is Side.BANKER for third in TOTALS)
            for banker in TOTALS
        ),
    )


def two_cards(points: Sequence[int]) -> list[int]:
    """The ordered ways to draw two cards, by their total."""
    # A negative index wraps round: points[total - first] is the partner's value modulo 10.
    return [
        sum([points[a] * (points[total - a] - (2 * a % 10 == total)) for a in TOTALS]) for total in TOTALS
    ]


def starts(points: Points) -> list[tuple[int, int, int]]:
    """The ordered ways to draw two cards for each hand, by both totals.

    Choose each card as if it went back, then take away the choices that used one card twice: over the
    partitions of the four places into sets that share a card, a set of k counts (-1)^(k-1) (k-1)!.
    """
    # Row i, at a: the partner that makes i together with a card of value a.
    partners = [[points[total - a] for a in TOTALS] for total in TOTALS]
    products = [list(map(mul, points, row)) for row in partners]  # both cards of a hand, in its order
    free = [sum(row) for row in products]
    doubled = [points[i // 2] + points[i // 2 + 5] if i % 2 == 0 else 0 for i in TOTALS]
    table = []
    for i in TOTALS:
        for j in range(i, 10):
            ways = (free[i] - doubled[i]) * (free[j] - doubled[j]) - 4 * sum(
                map(mul, products[i], partners[j])
            )
            for one, other in ((i, j), (j, i)):
                if one % 2 == 0:  # both cards of one hand and one of the other are the same card
                    half = one // 2
                    ways += 4 * (products[other][half] + products[other][half + 5])
            if i == j:
                ways += 2 * free[i] - 6 * doubled[i]
                table.append((i, j, ways))
            else:
                table += ((i, j, ways), (j, i, ways))
    return table


def walk(
    rule: DrawingRule, points: Points, starts_in: Callable[[Points], Starts], cards: int
) -> Iterator[Path]:
    """Every way a round can go, third cards taken from `points` and starts from what they leave.

    `cards` is how many the whole shoe holds; cards that nobody draws make up the six.
    """
    for i, j, ways in starts_in(points):
        if rule.first[i][j] is None:
            yield Path(i, j, None, None, ways * perm(cards - 4, 2))
    for x in TOTALS:
        if points[x]:
            yield from _one_third(rule, x, starts_in(_less(points, x)), points[x] * (cards - 5))
        for y in range(x, 10):
            weight = points[x] * (points[y] - (x == y))
            if weight:
                yield from _two_thirds(rule, x, y, starts_in(_less(points, x, y)), weight)


def _one_third(rule: DrawingRule, x: int, found: Starts, weight: int) -> Iterator[Path]:
    """Rounds in which a card of value x is the only third card."""
    for i, j, ways in found:
        due = rule.first[i][j]
        if due is Side.BANKER:
            yield Path(i, j, None, x, ways * weight)
        elif due is Side.PLAYER and not rule.replies[j][x]:
            yield Path(i, j, x, None, ways * weight)


def _two_thirds(rule: DrawingRule, x: int, y: int, found: Starts, weight: int) -> Iterator[Path]:
    """Rounds in which cards of values x and y are the third cards, either way round."""
    orders = ((x, y),) if x == y else ((x, y), (y, x))
    for i, j, ways in found:
        if rule.first[i][j] is Side.PLAYER:
            for third, last in orders:
                if rule.replies[j][third]:
                    yield Path(i, j, third, last, ways * weight)


def _less(points: Points, *values: int) -> Points:
    left = list(points)
    for value in values:
        left[value] -= 1
    return tuple(left)


@lru_cache(maxsize=64)
def paths(table: TableOfPlay, points: Points) -> tuple[Path, ...]:
    """Every way a round can go from these cards, those with no chance left out."""
    return tuple(path for path in walk(rule_of(table), points, starts, sum(points)) if path.rounds)


def endings(table: TableOfPlay, composition: Composition) -> list[int]:
    """Rounds by totals and numbers of cards: outcome classes without their pairs."""
    check_round(composition)
    counts = [0] * ENDINGS
    for path in paths(table, composition.points):
        counts[path.ending] += path.rounds
    return counts


def pairings(composition: Composition) -> list[int]:
    """Rounds by the pairs of the first two cards, in the order of `play.classes.PAIRS`."""
    check_round(composition)
    cards, twos = composition.cards, [perm(count, 2) for count in composition.ranks]
    one_hand = sum(twos) * perm(cards - 2, 4)
    rest = perm(cards - 4, 2)
    double = (sum(twos) ** 2 - sum(ways * ways for ways in twos)) * rest
    twin = sum(perm(count, 4) for count in composition.ranks) * rest
    single = one_hand - double - twin
    return [composition.sequences - 2 * single - double - twin, single, single, double, twin]


def joint(table: TableOfPlay, composition: Composition) -> list[int]:
    """Rounds by outcome class, pairs and all: indexed as `play.classes` numbers them.

    Pairs are of ranks and everything else goes by points. So the pairs are taken out of the shoe
    first, and the rest of the round is counted by points in what they leave.
    """
    everything = endings(table, composition)
    rule, points, cards = rule_of(table), composition.points, composition.cards
    player, banker, double, twin = ([0] * ENDINGS for _ in range(4))
    pairs, twins = _pairs_by_value(composition)
    for v in TOTALS:
        ways = sum(pairs[v])
        if ways:
            left = _less(points, v, v)
            _add(player, walk(rule, left, _other_hand(2 * v % 10, Side.PLAYER), cards), ways)
            _add(banker, walk(rule, left, _other_hand(2 * v % 10, Side.BANKER), cards), ways)
        for w in TOTALS:
            unlike = ways * sum(pairs[w]) - (sum([pair * pair for pair in pairs[v]]) if v == w else 0)
            alike = twins[v] if v == w else 0
            if unlike or alike:
                both = tuple(walk(rule, _less(points, v, v, w, w), _one_start(2 * v % 10, 2 * w % 10), cards))
                _add(double, both, unlike)
                _add(twin, both, alike)
    return [
        count
        for whole, p, b, d, t in zip(everything, player, banker, double, twin, strict=True)
        for count in (whole - p - b + d + t, p - d - t, b - d - t, d, t)  # in the order of PAIRS
    ]


def _pairs_by_value(composition: Composition) -> tuple[list[list[int]], list[int]]:
    """For each point value: the ways to pair each of its ranks, and to draw four alike."""
    pairs: list[list[int]] = [[] for _ in TOTALS]
    twins = [0] * 10
    for value, count in zip(VALUES, composition.ranks, strict=True):
        pairs[value].append(perm(count, 2))
        twins[value] += perm(count, 4)
    return pairs, twins


def _other_hand(total: int, paired: Side) -> Callable[[Points], Starts]:
    """Starts in which the paired hand is already drawn and has this total."""
    if paired is Side.PLAYER:
        return lambda left: [(total, j, ways) for j, ways in enumerate(two_cards(left))]
    return lambda left: [(i, total, ways) for i, ways in enumerate(two_cards(left))]


def _one_start(player: int, banker: int) -> Callable[[Points], Starts]:
    """Both hands are already drawn."""
    start = ((player, banker, 1),)
    return lambda _left: start


def _add(counts: list[int], found: Iterable[Path], weight: int) -> None:
    for path in found:
        counts[path.ending] += path.rounds * weight
