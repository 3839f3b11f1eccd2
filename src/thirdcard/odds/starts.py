"""Exact counts for bets that look closer: both hands' first two cards before any third card.

The order of drawing does not change a count. Of the starts in one class let F be how many there are, H(x) the
sum of what they hold of kind x, and G(x, y) the sum of the products of what they hold of x and of y. Then
n(x) F - H(x) leave a card of kind x to be drawn next, and the like for two: no start meets every third card.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import perm
from operator import add, mul
from typing import NamedTuple, TypeAlias

from thirdcard.cards import Card, Suit
from thirdcard.odds.closer_look import Bits, Ends, Results, StartingHand, closer_look
from thirdcard.odds.composition import Composition, check_round
from thirdcard.play.bets import result
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.conditions import Suits, suits_of
from thirdcard.rulebook.model import Bet, TableOfPlay
from thirdcard.rulebook.outcomes import of_one_card
from thirdcard.rulebook.sums import DECK, NUMBERS

Columns: TypeAlias = tuple[tuple[int, ...], ...]  # the ranks of each suit, or of all suits together
SuitCounts: TypeAlias = list[list[int]]  # of each letter by suit

ACES = [Card("A" + suit.value) for suit in Suit]
RELATIONS = [[tuple(Suits).index(suits_of(ace, other)) for other in ACES] for ace in ACES]  # of two suits
SAME_SUIT: Bits = 1 << tuple(Suits).index(Suits.SAME)


class Drawn(NamedTuple):
    """A hand's first two cards in a shoe, and the ordered ways to draw them.

    By suit of the first card: `with_first` are the cards that make the hand with one given, `from_first` the
    ways to draw it. The others are by suit of the second card.
    """

    hand: StartingHand
    ways: int
    with_first: list[int]
    from_first: list[int]
    with_second: list[int]
    from_second: list[int]


class Starts(NamedTuple):
    """F, H and G of some starts."""

    f: int
    h: list[int]
    g: list[list[int]]


def rounds(table: TableOfPlay, composition: Composition, bets: tuple[Bet, ...]) -> dict[Results, int]:
    """Rounds by the results of all these bets together; suits of a colour, and colours, may change places."""
    check_round(composition)
    if table.order:
        return _of_one_card(table, composition, bets)
    columns: Columns = (composition.ranks,)
    look = closer_look(table, bets)
    if look.by_card or (look.suited and look.printed):
        columns = composition.suits
    elif look.suited:
        spades, hearts, diamonds, clubs = composition.suits
        black, red = sorted((sorted((spades, clubs)), sorted((hearts, diamonds))))
        columns = (black[0], *red, black[1])
    return _rounds(table, bets, columns)


@lru_cache(maxsize=128)
def _rounds(table: TableOfPlay, bets: tuple[Bet, ...], columns: Columns) -> dict[Results, int]:
    look = closer_look(table, bets)
    counts = [[0] * len(columns) for _ in look.kinds]
    for suit, column in enumerate(columns):
        for number, count in enumerate(column, start=suit * len(column)):
            counts[look.letters[number]][suit] += count
    if look.printed:
        letter, suit = look.printed
        counts[letter][suit if len(columns) > 1 else 0] = 1
    left = [0] * (max(look.kinds) + 1)
    for kind, by_suit in zip(look.kinds, counts, strict=True):
        left[kind] += sum(by_suit)
    players, bankers = (
        [[drawn for hand in hands if (drawn := _drawn(hand, counts)).ways] for hands in classes]
        for classes in (look.players, look.bankers)
    )
    tally = [0] * len(look.results)
    for player, line in zip(players, look.ends, strict=True):
        for banker, ends in zip(bankers, line, strict=True):
            if ends.cards == 0:
                ways = sum([_apart(one, other, counts) for one in player for other in banker])
                tally[ends.results[0]] += ways * perm(sum(left) - 4, 2)
            elif player and banker:
                found = _starts(player, banker, counts, look.kinds)
                for number, count in zip(ends.results, _by_thirds(ends, found, left), strict=True):
                    tally[number] += count
    rest = sum(left) - LONGEST if look.printed else 1  # cards that nobody draws make up the six
    return dict(zip(look.results, [count * rest for count in tally], strict=True))


def _of_one_card(table: TableOfPlay, composition: Composition, bets: tuple[Bet, ...]) -> dict[Results, int]:
    """Each hand has one card, and four more make up the six."""
    by_card = [count for ranks in composition.suits for count in ranks]
    rest = perm(composition.cards - 2, LONGEST - 2)
    tally: dict[Results, int] = {}
    for player, banker in product(DECK, repeat=2):
        outcome = of_one_card(table, player, banker)
        names = tuple([result(bet, outcome).name for bet in bets])
        ways = by_card[NUMBERS[player]] * (by_card[NUMBERS[banker]] - (player is banker))
        tally[names] = tally.get(names, 0) + ways * rest
    return tally


def _drawn(hand: StartingHand, counts: SuitCounts) -> Drawn:
    first, second = counts[hand.first], counts[hand.second]
    with_first = [hand.orders * count for count in _partners(first, second, hand.suits)]
    with_second = [hand.orders * count for count in _partners(second, first, hand.suits)]
    from_first, from_second = list(map(mul, first, with_first)), list(map(mul, second, with_second))
    return Drawn(hand, sum(from_first), with_first, from_first, with_second, from_second)


def _partners(cards: list[int], others: list[int], suits: Bits) -> list[int]:
    """For each suit of a given card: the others that go with it, itself left out."""
    itself = cards is others and suits & SAME_SUIT
    return [
        sum([count for count, how in zip(others, line, strict=False) if suits >> how & 1]) - itself
        for line in RELATIONS[: len(cards)]
    ]


def _apart(one: Drawn, other: Drawn, counts: SuitCounts) -> int:
    """The ways to draw both hands: all, less those that use a card of the one again in the other."""
    ways = one.ways * other.ways
    a, b, suits, orders = one.hand
    c, d, other_suits, other_orders = other.hand
    if a == c:
        ways -= sum(map(mul, one.from_first, other.with_first))
    if a == d:
        ways -= sum(map(mul, one.from_first, other.with_second))
    if b == c:
        ways -= sum(map(mul, one.from_second, other.with_first))
    if b == d:
        ways -= sum(map(mul, one.from_second, other.with_second))
        if a == c:  # both cards again, which were taken away twice
            again = sum(map(mul, counts[a], _partners(counts[a], counts[b], suits & other_suits)))
            ways += orders * other_orders * again * (2 if a == b else 1)
    return ways


def _starts(
    player: Sequence[Drawn], banker: Sequence[Drawn], counts: SuitCounts, kinds: tuple[int, ...]
) -> Starts:
    """All starts with one of these hands for the Player and one of those for the Banker."""
    size = max(kinds) + 1
    f, h, g = 0, [0] * size, [[0] * size for _ in range(size)]
    theirs = [(kinds[other.hand.first], kinds[other.hand.second]) for other in banker]
    of_each = [0] * len(banker)
    for one in player:
        ways = [_apart(one, other, counts) for other in banker]
        of_each = list(map(add, of_each, ways))
        held = [0] * size  # in the Banker's hands
        for two, count in zip(theirs, ways, strict=True):
            for y in two:
                held[y] += count
        f += sum(ways)
        h = list(map(add, h, held))
        mine = kinds[one.hand.first], kinds[one.hand.second]
        for x in mine:
            h[x] += sum(ways)
            for y in mine:
                g[x][y] += sum(ways)
            for y, count in enumerate(held):
                g[x][y] += count
                g[y][x] += count
    for two, count in zip(theirs, of_each, strict=True):
        for x, y in product(two, repeat=2):
            g[x][y] += count
    return Starts(f, h, g)


def _by_thirds(ends: Ends, found: Starts, left: list[int]) -> list[int]:
    """Rounds by the next card, or by the next two, drawn from what the starts leave of each kind."""
    f, h, g = found
    ones = [count * f - held for count, held in zip(left, h, strict=True)]
    if ends.cards == 1:
        return [count * (sum(left) - 5) for count in ones]
    return [
        left[y] * ones[x] - left[x] * h[y] + g[x][y] - (ones[x] if x == y else 0)
        for x, y in product(range(len(left)), repeat=2)
    ]
