"""`starts` compiled: the same counts for bets that look closer, for many compositions at once.

64 bits are enough for the reason that `kernel` gives.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from thirdcard.cards import Rank
from thirdcard.odds.bet_values import results_of
from thirdcard.odds.closer_look import StartingHand, closer_look
from thirdcard.odds.compiled import Integers, compiled, np
from thirdcard.odds.starts import RELATIONS, SAME_SUIT
from thirdcard.play.bets import result
from thirdcard.rulebook.model import Bet, TableOfPlay
from thirdcard.rulebook.outcomes import of_one_card
from thirdcard.rulebook.sums import DECK

SUITED = np.array(RELATIONS, np.int64)
SUITS = len(SUITED)
RANKS = len(Rank)


class Hands(NamedTuple):
    """The first two cards of one side, class by class."""

    classes: Integers  # where each begins, and the end of the last
    first: Integers
    second: Integers
    suits: Integers
    orders: Integers


class Program(NamedTuple):
    """A `CloserLook` at one bet as arrays; results are numbered as in its tally."""

    letters: Integers
    kinds: Integers
    printed: Integers  # the letter and the suit of a card that is in no shoe, if there is one
    players: Hands
    bankers: Hands
    cards: Integers  # [Player's class, Banker's]: how many of the next two cards matter
    at: Integers  # where its results begin
    results: Integers


def program_of(table: TableOfPlay, bet: Bet) -> Program:
    look = closer_look(table, (bet,))
    order = results_of(bet)
    numbers = [order.index(name) for (name,) in look.results]
    ends = [one for line in look.ends for one in line]
    shape = len(look.players), len(look.bankers)
    lengths = [len(end.results) for end in ends]
    return Program(
        np.array(look.letters, np.int64),
        np.array(look.kinds, np.int64),
        np.array(look.printed or (), np.int64),
        _hands(look.players),
        _hands(look.bankers),
        np.array([end.cards for end in ends], np.int64).reshape(shape),
        (np.cumsum(lengths, dtype=np.int64) - lengths).reshape(shape),
        np.array([numbers[number] for end in ends for number in end.results], np.int64),
    )


def _hands(classes: Sequence[Sequence[StartingHand]]) -> Hands:
    bounds = np.cumsum([0, *map(len, classes)], dtype=np.int64)
    first, second, suits, orders = np.array([hand for hands in classes for hand in hands], np.int64).T.copy()
    return Hands(bounds, first, second, suits, orders)


@compiled
def _partners(counts: Integers, first: int, second: int, suits: int, suit: int) -> int:
    """The cards that make such a hand with a given first card of that suit."""
    partners = 0
    for other in range(SUITS):
        if suits >> SUITED[suit, other] & 1:
            partners += counts[second, other]
    return partners - (1 if first == second and suits & SAME_SUIT else 0)


@compiled
def _draw(counts: Integers, hands: Hands, ways: Integers, given: Integers, begun: Integers) -> None:
    """The ways to draw each hand; then, by which card and its suit, with one given and with any."""
    for k in range(len(hands.first)):
        first, second, suits = hands.first[k], hands.second[k], hands.suits[k]
        ways[k] = 0
        for suit in range(SUITS):
            given[k, 0, suit] = hands.orders[k] * _partners(counts, first, second, suits, suit)
            given[k, 1, suit] = hands.orders[k] * _partners(counts, second, first, suits, suit)
            begun[k, 0, suit] = counts[first, suit] * given[k, 0, suit]
            begun[k, 1, suit] = counts[second, suit] * given[k, 1, suit]
            ways[k] += begun[k, 0, suit]


@compiled
def _again(counts: Integers, players: Hands, one: int, bankers: Hands, other: int) -> int:
    """The ways in which the Banker's hand is the Player's two cards once more."""
    first, second = players.first[one], players.second[one]
    suits = players.suits[one] & bankers.suits[other]
    found = 0
    for suit in range(SUITS):
        found += counts[first, suit] * _partners(counts, first, second, suits, suit)
    return int(found * players.orders[one] * bankers.orders[other] * (2 if first == second else 1))


@compiled
def _count(  # noqa: C901, PLR0912, PLR0915 - one loop; calls inside would cost more than they tell
    cards: Integers, program: Program, out: Integers
) -> None:
    """Fill one composition's tally; see `starts` for F, H and G."""
    letters, kinds, printed, players, bankers, needed, at, results = program
    counts = np.zeros((len(kinds), SUITS), np.int64)
    for card in range(len(letters)):
        counts[letters[card], card // RANKS] += cards[card]
    if len(printed) > 0:
        counts[printed[0], printed[1]] = 1
    size = kinds.max() + 1
    left = np.zeros(size, np.int64)
    for letter in range(len(kinds)):
        left[kinds[letter]] += counts[letter].sum()
    n = left.sum()
    ways_p, ways_b = np.empty(len(players.first), np.int64), np.empty(len(bankers.first), np.int64)
    given_p, begun_p = (
        np.empty((len(ways_p), 2, SUITS), np.int64),
        np.empty((len(ways_p), 2, SUITS), np.int64),
    )
    given_b, begun_b = (
        np.empty((len(ways_b), 2, SUITS), np.int64),
        np.empty((len(ways_b), 2, SUITS), np.int64),
    )
    _draw(counts, players, ways_p, given_p, begun_p)
    _draw(counts, bankers, ways_b, given_b, begun_b)
    h, held, g = np.empty(size, np.int64), np.empty(size, np.int64), np.empty((size, size), np.int64)
    out[:] = 0
    for p in range(len(players.classes) - 1):
        for b in range(len(bankers.classes) - 1):
            f = 0
            h[:] = 0
            g[:] = 0
            for one in range(players.classes[p], players.classes[p + 1]):
                if ways_p[one] == 0:
                    continue
                x1, x2 = players.first[one], players.second[one]
                whole = 0
                held[:] = 0
                for other in range(bankers.classes[b], bankers.classes[b + 1]):
                    y1, y2 = bankers.first[other], bankers.second[other]
                    ways = ways_p[one] * ways_b[other]
                    if x1 in (y1, y2) or x2 in (y1, y2):
                        for suit in range(SUITS):
                            if x1 == y1:
                                ways -= begun_p[one, 0, suit] * given_b[other, 0, suit]
                            if x1 == y2:
                                ways -= begun_p[one, 0, suit] * given_b[other, 1, suit]
                            if x2 == y1:
                                ways -= begun_p[one, 1, suit] * given_b[other, 0, suit]
                            if x2 == y2:
                                ways -= begun_p[one, 1, suit] * given_b[other, 1, suit]
                        if x1 == y1 and x2 == y2:
                            ways += _again(counts, players, one, bankers, other)
                    whole += ways
                    if needed[p, b] > 0:
                        y1, y2 = kinds[y1], kinds[y2]
                        held[y1] += ways
                        held[y2] += ways
                        g[y1, y1] += ways
                        g[y1, y2] += ways
                        g[y2, y1] += ways
                        g[y2, y2] += ways
                f += whole
                if needed[p, b] > 0:
                    x1, x2 = kinds[x1], kinds[x2]
                    h[x1] += whole
                    h[x2] += whole
                    g[x1, x1] += whole
                    g[x1, x2] += whole
                    g[x2, x1] += whole
                    g[x2, x2] += whole
                    for y in range(size):
                        h[y] += held[y]
                        g[x1, y] += held[y]
                        g[x2, y] += held[y]
                        g[y, x1] += held[y]
                        g[y, x2] += held[y]
            start = at[p, b]
            if needed[p, b] == 0:
                out[results[start]] += f * (n - 4) * (n - 5)
                continue
            for x in range(size):
                leave = left[x] * f - h[x]
                if needed[p, b] == 1:
                    out[results[start + x]] += leave * (n - 5)
                    continue
                for y in range(size):
                    both = left[y] * leave - left[x] * h[y] + g[x, y] - (leave if x == y else 0)
                    out[results[start + x * size + y]] += both
    if len(printed) > 0:  # cards that nobody draws make up the six
        for row in range(len(out)):
            out[row] *= n - 6


@compiled
def count_many(cards: Integers, program: Program, out: Integers) -> None:
    """Fill a row of tallies for each composition of 52 counts."""
    for k in range(len(cards)):
        _count(cards[k], program, out[k])


def results_by_cards(table: TableOfPlay, bet: Bet) -> Integers:
    """Where each hand has one card: the number of the result by both cards."""
    order = results_of(bet)
    found = [result(bet, of_one_card(table, *both)).name for both in product(DECK, repeat=2)]
    return np.array([order.index(name) for name in found], np.int64).reshape(len(DECK), len(DECK))


@compiled
def count_pairs(cards: Integers, results: Integers, out: Integers) -> None:
    """The same for games of one card to each hand."""
    out[:] = 0
    for k in range(len(cards)):
        n = cards[k].sum()
        rest = (n - 2) * (n - 3) * (n - 4) * (n - 5)
        for one in range(len(results)):
            for other in range(len(results)):
                ways = cards[k, one] * (cards[k, other] - (1 if one == other else 0))
                out[k, results[one, other]] += ways * rest
