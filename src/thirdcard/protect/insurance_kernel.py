"""Insurance as those buy it who know the cards left: by its exact value, as much as the caps allow.

Amounts are billionths of the original bet, as in `follow_kernel`.
"""

from typing import NamedTuple

from thirdcard.odds.compiled import Floats, Integers, compiled, np
from thirdcard.odds.composition import VALUES
from thirdcard.play.tableau import LONGEST
from thirdcard.protect.follow_kernel import (
    BILLION,
    CHANCES,
    GAIN,
    POINTS,
    SQUARE,
    Rounds,
    begins_shoe,
    is_past,
)
from thirdcard.simulate.compiled import Bytes
from thirdcard.simulate.kernel import Cover, Play, worth
from thirdcard.simulate.session_plans import HANDS

STEP, STEPS = 0.0005, 60  # a hand is bet whose own value is above some number of steps below zero
OFFERED, FAVOURABLE, STAKED, GAINED, HAND_VALUE = range(5)
BY_RANK = np.array(VALUES, np.int64)


class CoverSums(NamedTuple):
    """Everything about insurance that is added up over shoes; hands are Player and Banker."""

    hands: Integers  # [hand, need, OFFERED to HAND_VALUE]: the last is the value of the hand's bet
    offers: Integers  # [offer, OFFERED to GAINED], at the least cut
    policies: Integers  # [half of the shoes, cut, hand, step, CHANCES to SQUARE]
    hindsight: Integers  # [cut, hand]: of rounds whose value and insurance are worth more than zero together


def nothing_insured(offers: int, cuts: int, cards: int) -> CoverSums:
    return CoverSums(
        np.zeros((len(HANDS), cards + 1, HAND_VALUE + 1), np.int64),
        np.zeros((offers, HAND_VALUE), np.int64),
        np.zeros((2, cuts, len(HANDS), STEPS, SQUARE + 1), np.int64),
        np.zeros((cuts, len(HANDS)), np.int64),
    )


@compiled
def _cap(cover: Cover, unit: float, offer: int, used: float) -> float:
    """The most that may be staked on an offer by a bet of one; `used` are winnings bought before."""
    most: float = cover.long_cap[offer] / unit
    if cover.per_window[0] >= 0:
        most = min(most, cover.per_window[0] / cover.per_window[1])
    if cover.winnings[0] >= 0:
        spare = cover.winnings[0] / cover.winnings[1] - used
        most = min(most, max(spare, 0.0) * cover.odds[offer, 1] / cover.odds[offer, 0])
    return most


@compiled
def _buy(  # noqa: PLR0913, PLR0917 - what the offers and their caps depend on
    points: Integers,
    left: Integers,
    hand: int,
    play: Play,
    cover: Cover,
    unit: float,
    bought: Floats,
    by_offer: Integers,
) -> None:
    """Put what a bet on a hand buys in this round to `bought`; `left` is what the first four cards leave."""
    sums = (points[0] + points[2]) << 5 | points[1] + points[3]
    player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    drawn = play.replies[sums << 4 | points[4]] & 7
    bought[:] = 0
    used = 0.0
    for window in range(2):
        if drawn < LONGEST - 1 + window:
            break
        fifth = -1
        if window == 1:
            player, fifth = (player + points[4]) % 10, points[4]
        offer = cover.offers[hand, window, player, banker]
        if offer < 0:
            continue
        if window == 1:
            left[fifth] -= 1
        cards = left.sum()
        ways = cards * (cards - 1) if window == 0 else cards
        value = worth(play, cover, offer, hand, sums, fifth, left) / (cover.odds[offer, 1] * ways)
        if window == 1:
            left[fifth] += 1
        bought[OFFERED] += 1
        by_offer[offer, OFFERED] += 1
        stake = _cap(cover, unit, offer, used)
        if value > 0 and stake > 0:
            used += stake * cover.odds[offer, 0] / cover.odds[offer, 1]
            bought[FAVOURABLE] += 1
            bought[STAKED] += stake
            bought[GAINED] += stake * value
            by_offer[offer, FAVOURABLE] += 1
            by_offer[offer, STAKED] += round(stake * BILLION)
            by_offer[offer, GAINED] += round(stake * value * BILLION)


@compiled
def insure(  # noqa: C901, PLR0913, PLR0917 - one loop over rounds, arrays as a kernel takes them
    cards: Bytes,
    rounds: Rounds,
    found: int,
    values: Floats,
    cuts: Integers,
    play: Play,
    cover: Cover,
    unit: float,
    first: int,
    totals: CoverSums,
) -> None:
    """Add some shoes; `values` are those of the bets on the hands. As `follow_kernel.add_up` otherwise."""
    points, left, bought = np.empty(LONGEST, np.int64), np.empty(10, np.int64), np.empty(HAND_VALUE)
    sums, times, kept = np.zeros((2, STEPS)), np.zeros((2, STEPS), np.int64), np.zeros(2)
    whole, cut = cards.shape[1], len(cuts) - 1
    for row in range(found + 1):
        new = begins_shoe(rounds, row, found)
        while is_past(rounds, row, cuts, cut, new):
            half = (first + rounds.shoe[row - 1]) % 2
            for hand in range(2):
                totals.hindsight[cut, hand] += round(kept[hand] * BILLION)
                total, chances = 0.0, 0
                for step in range(STEPS):
                    total += sums[hand, step]
                    chances += times[hand, step]
                    totals.policies[half, cut, hand, step, CHANCES] += chances
                    totals.policies[half, cut, hand, step, GAIN] += round(total * BILLION)
                    totals.policies[half, cut, hand, step, SQUARE] += round(total * total * BILLION)
            cut -= 1
        if row == found:
            break
        if new:
            sums[:] = 0
            times[:] = 0
            kept[:] = 0
            cut = len(cuts) - 1
        begin = whole - rounds.left[row]
        for k in range(LONGEST):
            points[k] = cards[rounds.shoe[row], begin + k] & POINTS
        for hand in range(2):
            left[:] = 0
            for kind in range(rounds.unseen.shape[1]):
                left[BY_RANK[kind % len(BY_RANK)]] += rounds.unseen[row, kind]
            for k in range(4):
                left[points[k]] -= 1
            _buy(points, left, hand + 1, play, cover, unit, bought, totals.offers)
            value = values[row, hand]
            here = totals.hands[hand, rounds.need[row]]
            here[OFFERED] += int(bought[OFFERED])
            here[FAVOURABLE] += int(bought[FAVOURABLE])
            here[STAKED] += round(bought[STAKED] * BILLION)
            here[GAINED] += round(bought[GAINED] * BILLION)
            here[HAND_VALUE] += round(value * BILLION)
            kept[hand] += max(value + bought[GAINED], 0.0)
            step = 0 if value > 0 else int(-value / STEP) + 1
            if step < STEPS:
                sums[hand, step] += value + bought[GAINED]
                times[hand, step] += 1
