"""Exact odds: one composition, a million of them, and the command from a cold start."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import combinations

import msgspec
import numpy as np
from numba import njit

from report import SMALLEST, figure, sized
from thirdcard.cards import Card
from thirdcard.money import Odds
from thirdcard.odds import fresh, tallies
from thirdcard.odds.closer_look import closer_look
from thirdcard.odds.counting import paths, rule_of
from thirdcard.odds.kernel import Kernel
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.conditions import HandWhen, Pairing, Suits
from thirdcard.rulebook.model import Bet, Side, Tier, When

SLUG = "rws-tiger-buffalo-non-commission-v4"  # the longest list of bets, twenty
ONE_AIM, MANY_AIM, COLD_AIM = 0.05, 30.0, 1.0  # milliseconds; seconds; seconds
PLAIN_AIM, COMPILED_AIM = 1000.0, 5.0  # milliseconds
MANY, STARTS = sized((1_000_000, 5), (1_000, 1))


@njit(cache=True)
def direct(c, first, replies):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201, C901
    """Player, Banker and tie by plain enumeration over card values: every start, then every third card."""
    wins, cards = np.zeros(3, np.int64), c.sum()
    for p1 in range(10):
        for p2 in range(p1, 10):
            player = (p1 + p2) % 10
            w2 = c[p1] * (c[p2] - (p1 == p2)) * (1 if p1 == p2 else 2)
            c[p1] -= 1
            c[p2] -= 1
            for b1 in range(10):
                for b2 in range(b1, 10):
                    banker = (b1 + b2) % 10
                    w4 = w2 * c[b1] * (c[b2] - (b1 == b2)) * (1 if b1 == b2 else 2)
                    if w4 == 0:
                        continue
                    c[b1] -= 1
                    c[b2] -= 1
                    if first[player, banker] == 0:
                        wins[1 + (player > banker) - (player < banker)] += w4 * (cards - 4) * (cards - 5)
                    elif first[player, banker] == 2:  # noqa: PLR2004 - the Banker draws
                        for y in range(10):
                            end = (banker + y) % 10
                            wins[1 + (player > end) - (player < end)] += w4 * c[y] * (cards - 5)
                    else:
                        for x in range(10):
                            p = (player + x) % 10
                            if not replies[banker, x]:
                                wins[1 + (p > banker) - (p < banker)] += w4 * c[x] * (cards - 5)
                                continue
                            for y in range(10):
                                end = (banker + y) % 10
                                wins[1 + (p > end) - (p < end)] += w4 * c[x] * (c[y] - (x == y))
                    c[b1] += 1
                    c[b2] += 1
            c[p1] += 1
            c[p2] += 1
    return wins


def best(work: Callable[[], object], *, calls: int, times: int) -> float:
    """Seconds for one call, the quickest of several loops."""
    calls, times = sized((calls, times), (1, 1))
    work()
    quickest = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        for _ in range(calls):
            work()
        quickest = min(quickest, (time.perf_counter() - start) / calls)
    return quickest


def one() -> bool:
    book, shoe = load(SLUG), fresh(8)
    kernel, ranks = Kernel(book), np.array(shoe.ranks)
    rule = rule_of(book.table_of_play)
    whose = {None: 0, Side.PLAYER: 1, Side.BANKER: 2}
    first = np.array([[whose[due] for due in line] for line in rule.first])
    points, replies = np.array(shoe.points), np.array(rule.replies)
    exact = tallies(book, shoe)
    if kernel.tally(shoe.ranks) != exact or direct(points, first, replies)[2] != exact["player"]["win"]:
        raise SystemExit("the counts differ: nothing was measured")
    mine = best(lambda: kernel.tallies(ranks), calls=500, times=40) * 1e3
    plain = best(lambda: direct(points, first, replies), calls=100, times=40) * 1e3

    def afresh() -> object:
        paths.cache_clear()
        return tallies(book, shoe)

    slow = best(afresh, calls=5, times=5) * 1e3
    return figure(
        f"All {len(book.bets)} bets for one composition, exact integers, one core, warm",
        f"{mine:.4f} ms a composition (Kernel.tallies)",
        aim=f"under {ONE_AIM} ms",
        compared=f"direct enumeration over card values, 3 bets, compiled alike: {plain:.4f} ms, "
        f"{plain / mine:.1f} times as long; without Numba (odds.tallies): {slow:.1f} ms",
        reached=mine < ONE_AIM,
    )


def many() -> bool:
    kernel = Kernel(load(SLUG))
    shoes = np.random.default_rng(1).integers(2, 33, (MANY, 13))
    seconds = best(lambda: kernel.values(shoes), calls=1, times=2)
    tenth = best(lambda: kernel.values(shoes[: MANY // 10], workers=1), calls=1, times=2)
    return figure(
        f"{MANY:,} random compositions at once, {len(kernel.names)} bets, {os.cpu_count()} cores",
        f"{seconds:.1f} s (Kernel.values)",
        aim=f"under {MANY_AIM:.0f} s on two cores",
        compared=f"one core: {tenth * 10:.1f} s, {tenth * 10 / seconds:.1f} times as long",
        reached=seconds < MANY_AIM,
    )


def closer_bets() -> Rulebook:
    """Bets on suits, on ranks by place and on pairs with totals, with both hands looked at."""
    pictures = HandWhen(first=("J", "Q", "K"), suits=(Suits.SAME,))
    whens = {
        "suited-winner": When(winning=HandWhen(suits=(Suits.SAME,)), losing=HandWhen(third=("6", "7"))),
        "pictures": When(player=pictures, banker=pictures),
        "paired-tie": When(winner=("tie",), pair=Pairing.EITHER),
        "perfect-pairs": When(pair=Pairing.BOTH, pair_suits=(Suits.SAME,)),
    }
    bets = {
        name: Bet(name=name, pays=(Tier(tier="win", when=when, odds=Odds("1 to 1")),))
        for name, when in whens.items()
    }
    return msgspec.structs.replace(load(SLUG), bets=bets)


def closer() -> bool:
    book, left = closer_bets(), fresh(8)
    kernel, cards = Kernel(book), np.array(left.by_card)
    if kernel.tally(left.by_card) != tallies(book, left):
        raise SystemExit("the counts differ: nothing was measured")
    compiled = best(lambda: kernel.tallies(cards), calls=20, times=20) * 1e3
    shoes = iter([left.without(two) for two in combinations(Card, 2)])

    def afresh() -> object:
        closer_look.cache_clear()
        return tallies(book, next(shoes))

    again = best(lambda: tallies(book, next(shoes)), calls=1, times=20) * 1e3
    first = best(afresh, calls=1, times=20) * 1e3
    return figure(
        f"{len(book.bets)} bets on suits, ranks by place and pairs with totals, one composition, exact",
        f"{compiled:.2f} ms (Kernel.tallies)",
        aim=f"under {COMPILED_AIM:.0f} ms, without Numba under {PLAIN_AIM:.0f} ms",
        compared=f"without Numba (odds.tallies): {first:.0f} ms the first time, {again:.0f} ms for another shoe",
        reached=compiled < COMPILED_AIM and first < PLAIN_AIM,
    )


def started(*command: str, **environment: str) -> float:
    """Seconds of a whole command from start to exit."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, *command], env=os.environ | environment, stdout=subprocess.DEVNULL, check=True
    )
    return time.perf_counter() - start


def cold() -> bool:
    command = ("-m", "thirdcard", "odds", SLUG)
    seconds = min(started(*command) for _ in range(STARTS))
    bare = min(started("-c", "pass") for _ in range(STARTS))
    use = (
        "from thirdcard.odds.kernel import Kernel; from thirdcard.rulebook import load; "
        f"Kernel(load({SLUG!r})).tally((32,) * 13)"
    )
    with tempfile.TemporaryDirectory() as folder:
        place = {} if SMALLEST else {"NUMBA_CACHE_DIR": folder}  # to compile is no matter of size
        compiled = started("-c", use, **place)
        kept = min(started("-c", use, **place) for _ in range(STARTS))
    return figure(
        f"thirdcard odds {SLUG}, cold start to exit",
        f"{seconds:.2f} s",
        aim=f"under {COLD_AIM:.0f} s, the first time too (nothing is compiled on this way)",
        compared=f"an empty Python: {bare:.2f} s; the compiled kernel from start to first answer: "
        f"{compiled:.1f} s the first time ever, {kept:.2f} s afterwards",
        reached=seconds < COLD_AIM,
    )


def main() -> bool:
    return all([one(), many(), closer(), cold()])


if __name__ == "__main__":
    sys.exit(not main())
