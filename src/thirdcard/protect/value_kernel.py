"""The values of many compositions at once: the counts of `odds.kernel`, a block of compositions side by side.

Every step is done for `LANES` compositions before the next one, which the compiler turns into vector
instructions. Numbers are floats: starts and what they leave are whole numbers below 2^53 and exact, and only
the last products, up to the count of all draws, are rounded, each in its 16th digit. Nothing is added in
another order from one machine to the next, so values are the same everywhere.

Beside what the kernel of `odds` says: with a Banker total j, a Player who ends with p and a last card y, what
does not depend on y is summed over the Player's totals before y is looked at.
"""

from typing import NamedTuple

from thirdcard.cards import Rank
from thirdcard.odds.bet_values import brings_of, cells_of
from thirdcard.odds.compiled import Floats, Integers, compiled, np
from thirdcard.odds.composition import VALUES
from thirdcard.odds.counting import ENDINGS, paths
from thirdcard.odds.kernel import BANKER, CELLS, DOUBLE, NOBODY, NONE, SINGLE, TWIN, drawing
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.model import Rulebook

LANES = 64
POINTS = np.array(VALUES, np.int64)
RANKS = len(Rank)


class PricedBets(NamedTuple):
    """Bets as the kernel takes them: cells that do not lose, each with what it brings beyond a loss."""

    first: Integers  # [Player's total, Banker's]: whose third card is next
    replies: Integers  # [Banker's total, points of the Player's third card]
    bounds: Integers  # where each bet's cells begin, and the end of the last
    cells: Integers
    gains: Floats  # above -1
    squares: Floats  # of the result, above 1
    paired: Integers  # whether any cell is of pairs


def book_of(rulebook: Rulebook, names: tuple[str, ...]) -> PricedBets:
    """Of bets that totals or pairs alone settle."""
    possible = {path.ending for path in paths(rulebook.table_of_play, (LONGEST,) * 10)}
    bounds, cells, paid = [0], [], []
    for name in names:
        bet = rulebook.bets[name]
        needs, results = cells_of(bet)
        brings = brings_of(bet)
        for cell, came in enumerate(results):
            if came != "lose" and (needs == "pairings" or cell in possible):
                cells.append(ENDINGS + cell if needs == "pairings" else cell)
                paid.append(brings[came])
        bounds.append(len(cells))
    return PricedBets(
        *drawing(rulebook.table_of_play),
        np.array(bounds, np.int64),
        np.array(cells, np.int64),
        np.array(paid) + 1,
        np.array(paid) ** 2 - 1,
        np.array([any(cell >= ENDINGS for cell in cells)], np.int64),
    )


@compiled
def _fits(c: Floats, fit: Floats, two: Floats) -> None:
    """[i, x]: cards that make i with one given card of value x; ordered pairs of cards by total."""
    for i in range(10):
        two[i] = 0
        for x in range(10):
            other = (i - x) % 10
            less = 1.0 if other == x else 0.0
            for k in range(LANES):
                fit[i, x, k] = c[other, k] - less
                two[i, k] += c[x, k] * (c[other, k] - less)


@compiled
def _starts(  # noqa: PLR0913, PLR0917 - arrays, as a kernel takes them
    c: Floats, fit: Floats, two: Floats, i: int, j: int, f: Floats, h: Floats
) -> None:
    """All starts with totals i and j; and by x, those that hold one given card of value x."""
    alike = 2.0 if i == j else 0.0
    f[:] = 0
    for x in range(10):
        y_i, y_j = (i - x) % 10, (j - x) % 10
        for k in range(LANES):
            mine = fit[i, x, k] * (two[j, k] - 2 * (fit[j, x, k] + fit[j, y_i, k]) + alike)
            theirs = fit[j, x, k] * (two[i, k] - 2 * (fit[i, x, k] + fit[i, y_j, k]) + alike)
            f[k] += c[x, k] * mine
            h[x, k] = 2 * (mine + theirs)


@compiled
def _count_endings(  # noqa: C901, PLR0912, PLR0915 - one loop; calls inside would cost more than they tell
    c: Floats, first: Integers, replies: Integers, cells: Floats
) -> None:
    """Rounds by ending from the cards of each point value; see `odds.kernel` for f, h and left."""
    n = np.zeros(LANES)
    for x in range(10):
        for k in range(LANES):
            n[k] += c[x, k]
    fit, two = np.empty((10, 10, LANES)), np.empty((10, LANES))
    _fits(c, fit, two)
    f, h = np.empty(LANES), np.empty((10, LANES))
    whole, slope = (
        np.empty((10, LANES)),
        np.empty((10, LANES)),
    )  # by p: what no last card changes, and per fit
    sums = np.empty((10, 10, LANES))  # [p, y]: what it does change
    ways, both, mine, theirs = np.empty(LANES), np.empty(LANES), np.empty(LANES), np.empty(LANES)
    cells[:] = 0
    for j in range(10):
        whole[:] = 0
        slope[:] = 0
        sums[:] = 0
        for i in range(10):
            _starts(c, fit, two, i, j, f, h)
            if first[i, j] == NOBODY:
                cell = (i * 10 + j) * 4
                for k in range(LANES):
                    cells[cell, k] += f[k] * (n[k] - 4) * (n[k] - 5)
                continue
            if first[i, j] == BANKER:
                for y in range(10):
                    cell = (i * 10 + (j + y) % 10) * 4 + 1
                    for k in range(LANES):
                        cells[cell, k] += (f[k] - h[y, k]) * c[y, k] * (n[k] - 5)
                continue
            for x in range(10):
                p = (i + x) % 10
                if not replies[j, x]:
                    cell = (p * 10 + j) * 4 + 2
                    for k in range(LANES):
                        cells[cell, k] += (f[k] - h[x, k]) * c[x, k] * (n[k] - 5)
                    continue
                y_i, y_j = (i - x) % 10, (j - x) % 10
                alike = 16.0 if i == j else 0.0
                for k in range(LANES):
                    ways[k] = c[x, k]
                    mine[k], theirs[k] = 4 * fit[i, x, k], 4 * fit[j, x, k]
                    both[k] = ways[k] * theirs[k]
                    whole[p, k] += ways[k] * (f[k] - h[x, k])
                    slope[p, k] += ways[k] * mine[k]
                for y in range(10):
                    for k in range(LANES):
                        sums[p, y, k] += both[k] * fit[i, y, k] - ways[k] * h[y, k]
                # Where the two make a hand's total, and where their partners have one value.
                y_one, y_other = (j - y_i) % 10, (i - y_j) % 10
                four_one = 4.0 if y_one == y_i else 0.0
                four_other = 4.0 if y_other == y_i else 0.0
                for k in range(LANES):
                    sums[p, y_i, k] += ways[k] * (2 * two[j, k] - 2 * theirs[k] - 8 * fit[j, y_i, k] + alike)
                for k in range(LANES):
                    sums[p, y_j, k] += ways[k] * (2 * two[i, k] - 2 * mine[k] - 8 * fit[i, y_j, k])
                for k in range(LANES):
                    sums[p, y_one, k] -= ways[k] * (mine[k] - four_one)
                for k in range(LANES):
                    sums[p, y_other, k] -= ways[k] * (4 * fit[i, y_other, k] - four_other)
                # A third card is not drawn twice: what is left of x as the last card too.
                cell = (p * 10 + (j + x) % 10) * 4 + 3
                for k in range(LANES):
                    both[k] = f[k] - 2 * h[x, k] + mine[k] * fit[j, x, k] + theirs[k] * fit[i, x, k]
                if y_i == x:
                    for k in range(LANES):
                        both[k] += 2 * two[j, k] - 2 * theirs[k] - 8 * fit[j, x, k] + alike
                if y_j == x:
                    for k in range(LANES):
                        both[k] += 2 * two[i, k] - 2 * mine[k] - 8 * fit[i, x, k]
                if y_one == x:
                    for k in range(LANES):
                        both[k] -= mine[k] - four_one
                if y_other == x:
                    for k in range(LANES):
                        both[k] -= 4 * fit[i, x, k] - four_other
                for k in range(LANES):
                    cells[cell, k] -= ways[k] * both[k]
        for p in range(10):
            for y in range(10):
                cell = (p * 10 + (j + y) % 10) * 4 + 3
                for k in range(LANES):
                    cells[cell, k] += c[y, k] * (whole[p, k] + slope[p, k] * fit[j, y, k] + sums[p, y, k])


@compiled
def _count_pairs(ranks: Floats, cells: Floats) -> None:
    """Rounds by pairs; see `odds.counting.pairings`."""
    for k in range(LANES):
        n, pairs, squares, twins = 0.0, 0.0, 0.0, 0.0
        for rank in range(RANKS):
            count = ranks[rank, k]
            ways = count * (count - 1)
            n += count
            pairs += ways
            squares += ways * ways
            twins += ways * (count - 2) * (count - 3)
        rest = (n - 4) * (n - 5)
        double, twin = (pairs * pairs - squares) * rest, twins * rest
        single = pairs * (n - 2) * (n - 3) * rest - double - twin
        cells[NONE, k] = n * (n - 1) * (n - 2) * (n - 3) * rest - 2 * single - double - twin
        cells[SINGLE, k] = single
        cells[SINGLE + 1, k] = single
        cells[DOUBLE, k] = double
        cells[TWIN, k] = twin


@compiled
def values_of(  # noqa: C901 - one loop over blocks
    compositions: Integers, book: PricedBets, values: Floats, squares: Floats
) -> None:
    """Fill in each bet's value per unit, and where that is above zero the mean square of its result.

    A composition is 13 counts, ace to king, of at least six cards.
    """
    bets = len(book.bounds) - 1
    ranks, points = np.empty((RANKS, LANES)), np.empty((10, LANES))
    cells, draws, found = np.empty((CELLS, LANES)), np.empty(LANES), np.empty(LANES)
    for begin in range(0, len(compositions), LANES):
        points[:] = 0
        for k in range(LANES):
            row = min(begin + k, len(compositions) - 1)  # the last block is filled up
            n = 0
            for rank in range(RANKS):
                count = compositions[row, rank]
                n += count
                ranks[rank, k] = count
                points[POINTS[rank], k] += count
            draws[k] = 1.0 / (float(n * (n - 1) * (n - 2)) * float((n - 3) * (n - 4) * (n - 5)))
        _count_endings(points, book.first, book.replies, cells)
        if book.paired[0]:
            _count_pairs(ranks, cells)
        rows = min(LANES, len(compositions) - begin)
        for bet in range(bets):
            found[:] = 0
            for at in range(book.bounds[bet], book.bounds[bet + 1]):
                cell, gain = book.cells[at], book.gains[at]
                for k in range(LANES):
                    found[k] += gain * cells[cell, k]
            for k in range(rows):
                value = found[k] * draws[k] - 1
                values[begin + k, bet] = value
                if value > 0:
                    square = 0.0
                    for at in range(book.bounds[bet], book.bounds[bet + 1]):
                        square += book.squares[at] * cells[book.cells[at], k]
                    squares[begin + k, bet] = square * draws[k] + 1
