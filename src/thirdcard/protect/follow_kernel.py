"""Follows shoes round by round: what is left before each, and what betting by value or by count brings.

Amounts are whole numbers, in billionths of a unit (squares of a round's result in millionths), so that
parts add up to the same total in any order.
"""

from typing import NamedTuple

from thirdcard.cards import CARDS_IN_A_DECK
from thirdcard.odds.compiled import Floats, Integers, compiled, np
from thirdcard.simulate.compiled import Bytes, Lanes

BILLION, MILLION = 1e9, 1e6
BURN_BY_FIRST_CARD = -1
EXACT, HALF, WHOLE, UNDIVIDED = range(4)  # how decks left are rounded, as in `conventions.DECKS_LEFT`
ENDS_AT_CUT, ONE_MORE, ALWAYS_ONE_MORE = range(3)  # when the last round begins, as in `conventions.ENDINGS`
POINTS = 15  # the bits of a card that are its points
CHANCES, GAIN, SQUARE = range(3)  # of rounds with a bet: how many, their values, the squares of their results
SHOE_SQUARE = 3  # of a shoe's gain


class Rounds(NamedTuple):
    """What is known before each round of some shoes, a row each.

    `need` is the greatest cut depth at which the round is dealt, `left` the cards in the shoe.
    """

    shoe: Integers
    need: Integers
    left: Integers
    unseen: Integers  # [round, kind of card]: also those that were burnt unseen
    running: Integers  # [round, count]


class Counts(NamedTuple):
    """Counts as the kernel takes them; trigger k is (begin + k * step) / per."""

    bets: Integers
    decks_left: Integers
    begin: Integers
    step: Integers
    per: Integers
    triggers: Integers


class Totals(NamedTuple):
    """Everything that is added up over shoes."""

    rounds: Integers  # by need
    chances: Integers  # [bet, need, CHANCES to SQUARE]
    turned: Integers  # [bet, cards left]: shoes in which its value was above zero there first
    shoes: Integers  # [half of the shoes, cut, bet, a shoe's gain or its square]
    teams: Integers  # [cut, team, CHANCES to SHOE_SQUARE]
    counts: Integers  # [half of the shoes, cut, count, trigger, CHANCES to SQUARE]; the last of a shoe's gain


@compiled
def follow(  # noqa: C901, PLR0913, PLR0917 - arrays, as a kernel takes them
    cards: Bytes,
    kinds: Integers,
    fresh: Integers,
    replies: Lanes,
    burn: int,
    ending: int,
    least: int,
    tags: Integers,
    out: Rounds,
) -> int:
    """Lay down what is known before every round that a cut of `least` allows; how many rounds there are.

    `kinds` numbers the cards as `fresh` counts them and tags are of those.
    """
    row, whole = 0, cards.shape[1]
    unseen, running = fresh.copy(), np.zeros(tags.shape[0], np.int64)
    for shoe in range(cards.shape[0]):
        unseen[:] = fresh
        running[:] = 0
        at = max(burn, 0)
        if burn == BURN_BY_FIRST_CARD:
            kind = kinds[cards[shoe, 0]]
            unseen[kind] -= 1
            for count in range(len(running)):
                running[count] += tags[count, kind]
            points = int(cards[shoe, 0]) & POINTS
            at = 1 + (points if points > 0 else 10)
        need = whole
        while True:
            if ending == ENDS_AT_CUT:
                need = whole - at
            if need < least:
                break
            out.shoe[row] = shoe
            out.need[row] = need
            out.left[row] = whole - at
            for kind in range(len(unseen)):
                out.unseen[row, kind] = unseen[kind]
            for count in range(len(running)):
                out.running[row, count] = running[count]
            row += 1
            need = whole - at  # one more is dealt, by one custom unless the cut card came before this round
            if ending == ONE_MORE:
                need -= 1
            player = (int(cards[shoe, at]) & POINTS) + (int(cards[shoe, at + 2]) & POINTS)
            banker = (int(cards[shoe, at + 1]) & POINTS) + (int(cards[shoe, at + 3]) & POINTS)
            fifth = int(cards[shoe, at + 4]) & POINTS
            played = int(replies[(player << 5 | banker) << 4 | fifth]) & 7
            for place in range(at, at + played):
                kind = kinds[cards[shoe, place]]
                unseen[kind] -= 1
                for count in range(len(running)):
                    running[count] += tags[count, kind]
            at += played
    return row


@compiled
def begins_shoe(rounds: Rounds, row: int, found: int) -> bool:
    """Whether a shoe ended with the round before this row; after the last round there is one more row."""
    return row == found or (row > 0 and rounds.shoe[row] != rounds.shoe[row - 1])


@compiled
def is_past(rounds: Rounds, row: int, cuts: Integers, cut: int, new: bool) -> bool:  # noqa: FBT001 - a kernel's
    """Whether the rounds of this cut are all before the row; cuts are passed from the largest down."""
    return row > 0 and cut >= 0 and (new or rounds.need[row] < cuts[cut])


@compiled
def _seen_left(left: int, rounding: int) -> int:
    """The cards left as a person sees them; those of one deck where nobody divides by them."""
    if rounding == HALF:
        unit = CARDS_IN_A_DECK // 2
    elif rounding == WHOLE:
        unit = CARDS_IN_A_DECK
    elif rounding == UNDIVIDED:
        return CARDS_IN_A_DECK
    else:
        return left
    return max((left + unit // 2) // unit, 1) * unit


@compiled
def add_up(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - one loop over rounds
    rounds: Rounds,
    found: int,
    values: Floats,
    squares: Floats,
    cuts: Integers,
    teams: Integers,
    together: Floats,
    counts: Counts,
    first: int,
    totals: Totals,
) -> None:
    """Add some shoes to the totals; `first` is the number of the first of them.

    `cuts` rise. `teams` has a row of ones and zeros by bet for each team, and `together` is the
    correlation of the bets' results.
    """
    bets, kept = values.shape[1], len(counts.bets)
    most = totals.counts.shape[3]
    gains = np.zeros(bets)
    turned = np.zeros(bets, np.int64)
    team = np.zeros((len(teams), 3))
    sums = np.zeros((kept, most))
    times = np.zeros((kept, most), np.int64)
    top = np.full(kept, -1, np.int64)
    cut = len(cuts) - 1
    for row in range(found + 1):
        new = begins_shoe(rounds, row, found)
        while is_past(rounds, row, cuts, cut, new):
            half = (first + rounds.shoe[row - 1]) % 2
            for bet in range(bets):
                totals.shoes[half, cut, bet, 0] += round(gains[bet] * BILLION)
                totals.shoes[half, cut, bet, 1] += round(gains[bet] * gains[bet] * BILLION)
            for one in range(len(teams)):
                totals.teams[cut, one, CHANCES] += int(team[one, CHANCES])
                totals.teams[cut, one, GAIN] += round(team[one, GAIN] * BILLION)
                totals.teams[cut, one, SQUARE] += round(team[one, SQUARE] * MILLION)
                totals.teams[cut, one, SHOE_SQUARE] += round(team[one, GAIN] * team[one, GAIN] * BILLION)
            for count in range(kept):
                total, chances = 0.0, 0
                for k in range(top[count], -1, -1):
                    total += sums[count, k]
                    chances += times[count, k]
                    totals.counts[half, cut, count, k, CHANCES] += chances
                    totals.counts[half, cut, count, k, GAIN] += round(total * BILLION)
                    totals.counts[half, cut, count, k, SQUARE] += round(total * total * BILLION)
            cut -= 1
        if row == found:
            break
        if new:
            gains[:] = 0
            turned[:] = 0
            team[:] = 0
            sums[:] = 0
            times[:] = 0
            top[:] = -1
            cut = len(cuts) - 1
        need, left = rounds.need[row], rounds.left[row]
        totals.rounds[need] += 1
        some = False
        for bet in range(bets):
            value = values[row, bet]
            if value > 0:
                some = True
                gains[bet] += value
                totals.chances[bet, need, CHANCES] += 1
                totals.chances[bet, need, GAIN] += round(value * BILLION)
                totals.chances[bet, need, SQUARE] += round(squares[row, bet] * MILLION)
                if not turned[bet]:
                    turned[bet] = 1
                    totals.turned[bet, left] += 1
        if some:
            for one in range(len(teams)):
                paid = 0.0
                for bet in range(bets):
                    if teams[one, bet] and values[row, bet] > 0:
                        paid += values[row, bet]
                        sd = np.sqrt(squares[row, bet] - values[row, bet] ** 2)
                        for other in range(bets):
                            if teams[one, other] and values[row, other] > 0:
                                spread = np.sqrt(squares[row, other] - values[row, other] ** 2)
                                team[one, SQUARE] += together[bet, other] * sd * spread
                if paid > 0:
                    team[one, CHANCES] += 1
                    team[one, GAIN] += paid
                    team[one, SQUARE] += paid * paid
        unseen = 0
        for kind in range(rounds.unseen.shape[1]):
            unseen += rounds.unseen[row, kind]
        for count in range(kept):
            seen = _seen_left(unseen, counts.decks_left[count])
            over = (
                CARDS_IN_A_DECK * rounds.running[row, count] * counts.per[count] - counts.begin[count] * seen
            )
            k = min(over // (counts.step[count] * seen), counts.triggers[count] - 1)
            if k >= 0:
                sums[count, k] += values[row, counts.bets[count]]
                times[count, k] += 1
                top[count] = max(top[count], k)
