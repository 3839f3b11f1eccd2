"""How closely stakes follow the exact value, and how often reshuffled shoes give a figure as large.

Two accounts of a player's stakes on one bet are set against each other. *As people do*: whether to bet, and
how much, goes with what happened before: lateness in the shoe, who won last, the streak, whether the bet hit,
how long it has not, whether the player won or lost. *By the count*: the same, and one slope more for the
exact value of the bet. Twice the gain in log-likelihood is the statistic, nought where the slope is not
upward: logistic for whether to bet, normal in the logarithm for how much.

What is large is told by reshuffles alone: the same pattern of stakes, round for round, laid over other shoes.
"""

from math import log
from typing import NamedTuple

from thirdcard.odds.compiled import Floats, Integers, compiled, np

FEATURES = 8
RIDGE = 1.0  # keeps an account of habits finite where a habit is without exception
STEPS = 25
FAR = 30.0  # a chance that is as good as none, or as certain
AT_REST = 1e-6
FEWEST = 8  # bets, and rounds without one, below which whether to bet tells nothing
ENOUGH_SIZES = 30  # bets below which their sizes tell nothing beside so many habits


BELOW, ABOVE = 3.0, 0.5  # how far values are told apart, in edges of a fresh shoe below and above zero


def told_apart(values: Floats, fresh: float) -> Floats:
    """Values as far as a player would tell them apart, by the value of a fresh shoe.

    The last rounds of a shoe can be worth many times the stake; left as they are, a few of them would decide.
    """
    edge = abs(fresh)
    found: Floats = np.clip(values, -BELOW * edge, ABOVE * edge)
    return found


class Habit(NamedTuple):
    """A player's stakes on one bet over some shoes, as people play: what is left is for the value to explain.

    Rounds stand in order, shoe after shoe. `logits` are the fitted chances to bet; `size_rounds` are the
    rounds with a bet, `sizes` their stakes freed of habits and `basis` those habits, orthonormal.
    """

    shoes: Integers  # of each round, from 0
    rounds: Integers  # in its shoe, from 0
    bet: Floats
    logits: Floats
    size_rounds: Integers
    sizes: Floats
    basis: Floats


def features(hands: Integers, hits: Integers, staked: Integers, lengths: Integers) -> Floats:
    """What people go by before each round of their shoes, one row a round.

    `hands` are 1 for the Banker, -1 for the Player and 0 for a tie; `hits` what the bet did.
    """
    found = np.zeros((int(lengths.sum()), FEATURES))
    _fill_features(hands, hits, staked, lengths, found)
    return found


@compiled
def _fill_features(
    hands: Integers, hits: Integers, staked: Integers, lengths: Integers, found: Floats
) -> None:
    start = 0
    for length in lengths:
        streak, since, last_hand, won = 0, 0, 0, 0
        for at in range(length):
            row = start + at
            found[row, 0] = at / length
            found[row, 1] = 1.0 if at * 4 >= length * 3 else 0.0
            found[row, 2] = last_hand
            found[row, 3] = min(streak, 8) / 4
            found[row, 4] = 1.0 if at > 0 and hits[row - 1] > 0 else 0.0
            found[row, 5] = np.log1p(since)
            found[row, 6] = won
            found[row, 7] = 1.0 if at > 0 and last_hand == 0 else 0.0
            hand = hands[row]
            if hand != 0:
                streak = streak + 1 if hand == last_hand else 1
            last_hand = hand
            since = 0 if hits[row] > 0 else since + 1
            won = 0
            if staked[row] > 0:
                won = 1 if hits[row] > 0 else -1
        start += length


def habit(seen: Floats, stakes: Floats, lengths: Integers) -> Habit | None:
    """The account of habits for these stakes; none where nothing varies that the value could explain."""
    shoes = np.repeat(np.arange(len(lengths)), lengths)
    rounds = np.concatenate([np.arange(length) for length in lengths])
    whole = np.column_stack((np.ones(len(seen)), seen))
    bet = (stakes > 0).astype(float)
    chosen = FEWEST <= bet.sum() <= len(bet) - FEWEST
    logits = _fit_logits(whole, bet) if chosen else np.zeros(0)
    with_bet = np.flatnonzero(stakes > 0)
    varied = len(with_bet) >= ENOUGH_SIZES and np.unique(stakes[with_bet]).size > 1
    basis, sizes = np.zeros((0, 0)), np.zeros(0)
    if varied:
        basis = _basis(whole[with_bet])
        logged = np.log(stakes[with_bet])
        sizes = logged - basis @ (basis.T @ logged)
        varied = bool((sizes**2).sum() > 1e-9 * len(sizes))
    if not chosen and not varied:
        return None
    if not varied:
        with_bet, sizes, basis = np.zeros(0, np.int64), np.zeros(0), np.zeros((0, 1))
    return Habit(shoes, rounds, bet, logits, with_bet, sizes, basis)


def _fit_logits(whole: Floats, bet: Floats) -> Floats:
    """Logistic by Newton's method, shrunk a little but for the constant."""
    scale = whole.std(axis=0)
    scale[scale == 0] = 1.0
    scaled = whole / scale
    weights = np.zeros(whole.shape[1])
    share = bet.mean()
    weights[0] = log(share / (1 - share)) * scale[0]
    shrink = np.full(whole.shape[1], RIDGE)
    shrink[0] = 0.0
    told = _told(scaled, bet, weights, shrink)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(scaled @ weights, -FAR, FAR)))
        slope = scaled.T @ (bet - chance) - shrink * weights
        bend = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + np.diag(shrink + 1e-9)
        step = np.linalg.solve(bend, slope)
        while (better := _told(scaled, bet, weights + step, shrink)) < told and np.abs(step).max() > AT_REST:
            step /= 2  # too far
        weights, told = weights + step, max(better, told)
        if np.abs(step).max() < AT_REST:
            break
    logits: Floats = np.clip(scaled @ weights, -FAR, FAR)
    return logits


def _told(scaled: Floats, bet: Floats, weights: Floats, shrink: Floats) -> float:
    """The log-likelihood, less what shrinks it."""
    logits = scaled @ weights
    found = bet @ logits - np.logaddexp(0, logits).sum() - (shrink * weights**2).sum() / 2
    return float(found)


def _basis(columns: Floats) -> Floats:
    """An orthonormal basis of what these columns span."""
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    found: Floats = left[:, sizes > 1e-9 * sizes[0]]
    return found


def statistic(of: Habit, values: Floats) -> float:
    """Of these values, one a round: how much better stakes are told when they may follow them."""
    whether = float(_whether(of.bet, of.logits, values)) if len(of.logits) else 0.0
    if not len(of.sizes):
        return whether
    return whether + float(_how_much(of.sizes, of.basis, values[of.size_rounds]))


@compiled
def _whether(bet: Floats, logits: Floats, values: Floats) -> float:
    """Twice the gain in log-likelihood by a constant and an upward slope beside the fitted chances."""
    n = len(bet)
    mean, spread = 0.0, 0.0
    for at in range(n):
        mean += values[at]
    mean /= n
    for at in range(n):
        spread += (values[at] - mean) ** 2
    spread = np.sqrt(spread / n)
    if spread == 0.0:
        return 0.0
    a, b, base, gain, last_a, last_b = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for step in range(25):
        ga, gb, haa, hab, hbb, told = 0.0, 0.0, 1e-9, 0.0, 1e-9, 0.0
        for at in range(n):
            z = (values[at] - mean) / spread
            logit = logits[at] + a + b * z
            chance = 1.0 / (1.0 + np.exp(-logit))
            # log(1 + e^x) without overflow
            told += bet[at] * logit - (max(logit, 0.0) + np.log1p(np.exp(-abs(logit))))
            off, weight = bet[at] - chance, chance * (1.0 - chance)
            ga += off
            gb += off * z
            haa += weight
            hab += weight * z
            hbb += weight * z * z
        if step == 0:
            base = told
            if gb <= 0.0:
                return 0.0
        elif told < base + gain - 1e-7:  # too far: half the way back
            a, b = (a + last_a) / 2, (b + last_b) / 2
            continue
        gain = told - base
        last_a, last_b = a, b
        det = haa * hbb - hab * hab
        da, db = (hbb * ga - hab * gb) / det, (haa * gb - hab * ga) / det
        a += da
        b += db
        if max(abs(da), abs(db)) < AT_REST:
            break
    return max(0.0, 2.0 * gain) if b > 0.0 else 0.0


@compiled
def _how_much(sizes: Floats, basis: Floats, values: Floats) -> float:
    """The same for the size of stakes: by their correlation with the value, both freed of habits.

    The score form of the likelihood ratio: a single large stake cannot make it as large as one likes.
    """
    n, columns = basis.shape
    free = values.copy()
    for column in range(columns):
        along = 0.0
        for at in range(n):
            along += basis[at, column] * values[at]
        for at in range(n):
            free[at] -= along * basis[at, column]
    cross, own, theirs = 0.0, 0.0, 0.0
    for at in range(n):
        cross += free[at] * sizes[at]
        own += sizes[at] * sizes[at]
        theirs += free[at] * free[at]
    if cross <= 0.0 or theirs <= 1e-12 * n or own == 0.0:
        return 0.0
    return float((n - columns) * cross * cross / (own * theirs))


@compiled
def reshuffled(  # noqa: PLR0913, PLR0917 - a kernel takes its arrays one by one
    shoes: Integers,
    rounds: Integers,
    bet: Floats,
    logits: Floats,
    size_rounds: Integers,
    sizes: Floats,
    basis: Floats,
    picks: Integers,
    library: Floats,
    out: Floats,
) -> None:
    """The statistic of the same stakes over other shoes.

    One for each row of `picks`, which names a shoe of the library for each of the player's.
    """
    values = np.empty(len(shoes))
    for number in range(len(picks)):
        for at in range(len(shoes)):
            values[at] = library[picks[number, shoes[at]], rounds[at]]
        found = 0.0
        if len(logits):
            found += _whether(bet, logits, values)
        if len(sizes):
            found += _how_much(sizes, basis, values[size_rounds])
        out[number] = max(out[number], found)
