"""The same exact counts a thousand times faster, for following a shoe and for many at once.

Integers have 64 bits here. The largest count is that of all ordered six-card sequences, n(n-1)...(n-5):
1.9e16 for ten decks, and beyond 9.2e18 only from 28 decks on. Every count is at most that, and sums are
exact modulo 2^64 in any order, so every count is right up to `MOST_CARDS`.

How: among the four-card starts with two-card totals i and j, let `f` be all of them, `h[x]` those that
hold one given card of value x and `b[y]` those that hold that card and another given one, of value y.
Then left[y] = f - h[x] - h[y] + b[y] hold neither, and leave these two as third cards. `f` takes
ten steps and each `h` and `b` a few, where counting the starts anew would take hundreds.
"""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from thirdcard.cards import CARDS_IN_A_DECK, Rank
from thirdcard.errors import BadInput
from thirdcard.odds.bet_values import Tally, brings_of, cells_in, results_of
from thirdcard.odds.compiled import Floats, Integers, compiled, np
from thirdcard.odds.composition import SUITS, VALUES
from thirdcard.odds.counting import ENDINGS, paths, rule_of
from thirdcard.odds.starts_kernel import count_many, count_pairs, program_of, results_by_cards
from thirdcard.play.classes import PAIRS
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.conditions import sight_of
from thirdcard.rulebook.model import Rulebook, Side, TableOfPlay

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MOST_CARDS = 27 * 52
FORMS = (len(Rank), CARDS_IN_A_DECK)  # how many counts a composition may have
NOBODY, PLAYER, BANKER = range(3)  # whose third card is next
NONE, SINGLE, DOUBLE, TWIN = (
    ENDINGS,
    ENDINGS + 1,
    ENDINGS + 3,
    ENDINGS + 4,
)  # cells of pairs, after the endings
CELLS = ENDINGS + len(PAIRS)
BLOCK = 4096  # compositions that one thread takes at a time


@compiled
def _count_endings(  # noqa: C901, PLR0912 - one loop; calls inside would cost more than they tell
    c: Integers, first: Integers, replies: Integers, cells: Integers
) -> None:
    """Rounds by ending, from the cards of each point value.

    Below, i and j are two-card totals and x and y points of third cards. A value that has run out may
    get senseless entries in `h` and `left`; they are always multiplied by its count, which is zero.
    """
    n = c.sum()
    other = np.empty((10, 10), np.uintp)  # [i, x]: what makes i with x; as an index never below zero
    fit = np.empty((10, 10), np.int64)  # [i, x]: cards that make i with one given card of value x
    two = np.zeros(10, np.int64)  # ordered pairs of cards by total
    for i in range(10):
        for x in range(10):
            other[i, x] = (i - x) % 10
            fit[i, x] = c[other[i, x]] - (1 if other[i, x] == x else 0)
            two[i] += c[x] * fit[i, x]
    h = np.empty(10, np.int64)
    left = np.empty(10, np.int64)
    ends = np.zeros((4, 10, 20), np.int64)  # [thirds drawn, Player, Banker before it is taken modulo 10]
    for i in range(10):
        for j in range(10):
            alike = 2 if i == j else 0
            f = 0
            for x in range(10):
                # The given card comes first in the Player's hand: its partner, then the Banker's pairs
                # that use neither. The same in the Banker's hand, and in each it may come second.
                held = fit[i, x] * (two[j] - 2 * (fit[j, x] + fit[j, other[i, x]]) + alike)
                f += c[x] * held
                h[x] = 2 * (held + fit[j, x] * (two[i] - 2 * (fit[i, x] + fit[i, other[j, x]]) + alike))
            if first[i, j] == NOBODY:
                ends[0, i, j] += f * (n - 4) * (n - 5)
            elif first[i, j] == BANKER:
                for y in range(10):
                    ends[1, i, j + y] += (f - h[y]) * c[y] * (n - 5)
            else:
                for x in range(10):
                    player = (i + x) % 10
                    if not replies[j, x]:
                        ends[2, player, j] += (f - h[x]) * c[x] * (n - 5)
                        continue
                    # Neither given card, plus both: one in each hand with a partner each, either way round.
                    with_i, with_j = 4 * fit[i, x], 4 * fit[j, x]
                    for y in range(10):
                        left[y] = f - h[x] - h[y] + with_i * fit[j, y] + with_j * fit[i, y]
                    # Where the two make a hand's total, neither is the other's partner there, and they may
                    # be that hand.
                    y_i, y_j = other[i, x], other[j, x]
                    left[y_i] += 2 * two[j] - 2 * with_j - 8 * fit[j, y_i]
                    left[y_j] += 2 * two[i] - 2 * with_i - 8 * fit[i, y_j]
                    if i == j:
                        left[y_i] += 16
                    # Where the two partners have one value, they are still two cards.
                    y = other[j, y_i]
                    left[y] -= with_i - (4 if y == y_i else 0)
                    y = other[i, y_j]
                    left[y] -= 4 * fit[i, y] - (4 if y == y_i else 0)
                    for y in range(10):
                        ends[3, player, j + y] += c[x] * c[y] * left[y]
                    ends[3, player, j + x] -= c[x] * left[x]  # a third card is not drawn twice
    for player in range(10):
        for banker in range(10):
            for thirds in range(4):
                cells[(player * 10 + banker) * 4 + thirds] = (
                    ends[thirds, player, banker] + ends[thirds, player, banker + 10]
                )


@compiled
def _count_pairs(ranks: Integers, cells: Integers) -> None:
    """Rounds by pairs; see `counting.pairings`."""
    n = ranks.sum()
    pairs, squares, twins = 0, 0, 0
    for count in ranks:
        ways = count * (count - 1)
        pairs += ways
        squares += ways * ways
        twins += ways * (count - 2) * (count - 3)
    rest = (n - 4) * (n - 5)
    double, twin = (pairs * pairs - squares) * rest, twins * rest
    single = pairs * (n - 2) * (n - 3) * rest - double - twin
    cells[NONE] = n * (n - 1) * (n - 2) * (n - 3) * rest - 2 * single - double - twin
    cells[SINGLE] = single
    cells[SINGLE + 1] = single
    cells[DOUBLE] = double
    cells[TWIN] = twin


@compiled
def _tally(  # noqa: PLR0913, PLR0917 - arrays, as a kernel takes them
    ranks: Integers,
    values: Integers,
    first: Integers,
    replies: Integers,
    bounds: Integers,
    members: Integers,
    loses: Integers,
    out: Integers,
) -> int:
    """Fill one composition's tallies; the number of all rounds, or 0 if they cannot be counted."""
    points = np.zeros(10, np.int64)
    n = 0
    for rank in range(len(values)):
        if not 0 <= ranks[rank] <= MOST_CARDS:
            return 0
        points[values[rank]] += ranks[rank]
        n += ranks[rank]
    if not LONGEST <= n <= MOST_CARDS:
        return 0
    cells = np.empty(CELLS, np.int64)
    _count_endings(points, first, replies, cells)
    _count_pairs(ranks, cells)
    rounds = n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5)
    rest = rounds
    for row in range(len(out)):
        count = 0
        for at in range(bounds[row], bounds[row + 1]):
            count += cells[members[at]]
        if loses[row]:  # the last result of a bet: every round that is left
            count, rest = rest, rounds
        else:
            rest -= count
        out[row] = count
    return int(rounds)


@compiled
def _tally_many(compositions: Integers, program: Any, out: Integers) -> int:  # noqa: ANN401 - a tuple of arrays
    """Fill a row of tallies for each composition; the first that cannot be counted, or -1."""
    for k in range(len(compositions)):
        if _tally(compositions[k], *program, out[k]) == 0:
            return k
    return -1


@compiled
def _value_many(
    compositions: Integers,
    program: Any,  # noqa: ANN401 - a tuple of arrays
    pays: Floats,
    bets: Integers,
    out: Floats,
) -> int:
    """The same for values: what each row pays goes to its bet."""
    tallies = np.empty(len(pays), np.int64)
    for k in range(len(compositions)):
        rounds = _tally(compositions[k], *program, tallies)
        if rounds == 0:
            return k
        out[k] = 0
        for row in range(len(pays)):
            out[k, bets[row]] += pays[row] * (tallies[row] / rounds)
    return -1


class TallyRow(NamedTuple):
    """What one number of a tally counts: rounds in which this bet has this result."""

    bet: str
    result: str


class Kernel:
    """All bets of a rulebook, or some, compiled for counting; safe to share between threads.

    `rows` says what the columns of `tallies` are; `names` what those of `values` are. A composition is 13
    counts, ace to king, or 52 in the order of `Card`; to bets on suits 13 mean as many of every suit.
    """

    def __init__(self, rulebook: Rulebook, names: Iterable[str] | None = None) -> None:
        self.names = tuple(rulebook.bets if names is None else names)
        possible = {path.ending for path in paths(rulebook.table_of_play, (LONGEST,) * 10)}
        rows: list[TallyRow] = []
        bounds, members = [0], []
        closer = []
        for name in self.names:
            bet = rulebook.bets[name]
            needs, results = cells_in(rulebook.table_of_play, bet)
            if needs in {"joint", "starts"}:
                closer.append(name)
                continue
            for wanted in results_of(bet):
                rows.append(TallyRow(name, wanted))
                cells = [cell for cell, came in enumerate(results) if came == wanted != "lose"]
                if needs == "pairings":
                    members += [ENDINGS + cell for cell in cells]
                else:
                    members += [cell for cell in cells if cell in possible]
                bounds.append(len(members))
        self._program = (
            np.array(VALUES, np.int64),
            *drawing(rulebook.table_of_play),
            np.array(bounds, np.int64),
            np.array(members, np.int64),
            np.array([row.result == "lose" for row in rows], np.int64),
        )
        self._bets = np.array([self.names.index(row.bet) for row in rows], np.int64)
        brings = {name: brings_of(rulebook.bets[name]) for name in self.names}
        self._pays = np.array([brings[row.bet][row.result] for row in rows])
        self._closer = tuple([CloserBet(rulebook, name, self.names.index(name)) for name in closer])
        self._suited = any(sight_of(rulebook.bets[name]).suited for name in closer)
        self.rows = (*rows, *(row for bet in self._closer for row in bet.rows))

    def tallies(self, compositions: "ArrayLike") -> Integers:
        """Exact rounds for each of `rows`: an array (rows) for one composition, (k, rows) for k."""
        given = _checked(compositions)
        whole = given if given.ndim > 1 else given[None]
        many = _by_rank(whole)
        out = np.empty((len(many), len(self._pays)), np.int64)
        _refuse(many, _tally_many(many, self._program, out))
        if self._closer:
            cards = self._by_card(whole)
            out = np.concatenate((out, *(bet.tallies(cards) for bet in self._closer)), axis=1)
        return out if given.ndim > 1 else out[0]

    def tally(self, composition: Iterable[int]) -> dict[str, Tally]:
        """One composition's tallies by name, as `odds.tallies` gives them."""
        tallied: dict[str, Tally] = {name: {} for name in self.names}
        for row, count in zip(self.rows, self.tallies(tuple(composition)).tolist(), strict=True):
            tallied[row.bet][row.result] = count
        return tallied

    def values(self, compositions: "ArrayLike", workers: int | None = None) -> Floats:
        """The value per unit of each bet: (k, 13) or (k, 52) counts in, (k, bets) floats out, on all cores.

        The counts are exact and only the values are rounded, to about 15 digits after the point.
        """
        given = np.atleast_2d(_checked(compositions))
        many = _by_rank(given)
        out = np.empty((len(many), len(self.names)))

        def fill(start: int) -> None:
            block = slice(start, start + BLOCK)
            bad = _value_many(many[block], self._program, self._pays, self._bets, out[block])
            _refuse(many[block], bad)
            for bet in self._closer:
                out[block, bet.number] = bet.values(self._by_card(given[block]))

        with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
            for _done in pool.map(fill, range(0, len(many), BLOCK)):
                pass
        return out

    def _by_card(self, given: Integers) -> Integers:
        """52 counts each; where no bet looks at suits, ranks are as good in one suit."""
        if given.shape[1] == CARDS_IN_A_DECK:
            return given
        if not self._suited:
            return np.pad(given, ((0, 0), (0, CARDS_IN_A_DECK - len(Rank))))
        if (given % SUITS).any():
            uneven = given[(given % SUITS).any(axis=1)][0]
            raise BadInput(
                f"a bet on suits needs {CARDS_IN_A_DECK} counts, one for each card: {tuple(uneven.tolist())} "
                "are not the same number of every suit"
            )
        return np.tile(given // SUITS, SUITS)


class CloserBet:
    """A bet that looks closer than at totals or pairs alone."""

    def __init__(self, rulebook: Rulebook, name: str, number: int) -> None:
        bet = rulebook.bets[name]
        self.number = number
        self.rows = tuple(TallyRow(name, wanted) for wanted in results_of(bet))
        self.brings = np.array(list(brings_of(bet).values()))
        table = rulebook.table_of_play
        self._program = None if table.order else program_of(table, bet)
        self._by_cards = results_by_cards(table, bet) if table.order else None

    def tallies(self, cards: Integers) -> Integers:
        out = np.empty((len(cards), len(self.rows)), np.int64)
        if self._by_cards is None:
            count_many(cards, self._program, out)
        else:
            count_pairs(cards, self._by_cards, out)
        return out

    def chances(self, cards: Integers) -> Floats:
        """Of each result, in the order of `rows`."""
        tallies = self.tallies(cards)
        found: Floats = tallies / tallies.sum(axis=1, keepdims=True)
        return found

    def values(self, cards: Integers) -> Floats:
        found: Floats = self.chances(cards) @ self.brings
        return found


def drawing(table: TableOfPlay) -> tuple[Integers, Integers]:
    """Whose third card is next, by both totals; and whether the Banker draws, by its total and that card."""
    rule, whose = rule_of(table), {None: NOBODY, Side.PLAYER: PLAYER, Side.BANKER: BANKER}
    first = np.array([[whose[due] for due in line] for line in rule.first], np.int64)
    return first, np.array(rule.replies, np.int64)


def _checked(compositions: "ArrayLike") -> Integers:
    given = np.asarray(compositions)
    if given.ndim not in (1, 2) or given.shape[-1] not in FORMS or given.dtype.kind not in "iu":
        raise BadInput(
            f"expected {len(Rank)} whole counts for each composition, ace to king, or {CARDS_IN_A_DECK}"
        )
    return np.ascontiguousarray(given, np.int64)


def _by_rank(given: Integers) -> Integers:
    """13 counts each."""
    if given.shape[1] == FORMS[0]:
        return given
    bad = ((given < 0) | (given > MOST_CARDS)).any(axis=1)
    _refuse(given, int(bad.argmax()) if bad.any() else -1)
    ranks: Integers = given.reshape(-1, SUITS, len(Rank)).sum(axis=1)
    return ranks


def _refuse(compositions: Integers, bad: int) -> None:
    if bad >= 0:
        raise BadInput(
            f"these cards cannot be counted: expected {LONGEST} to {MOST_CARDS:,} of them and no count below "
            f"zero, got {compositions[bad].tolist()}"
        )
