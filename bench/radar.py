# ruff: noqa: PLR2004 - habits of players are numbers
"""The radar measured: false alarms of innocent players of ten kinds, and how soon planted counters are found.

`python bench/radar.py [--sessions N] [--counters N] [--seed S] [--book SLUG]`; the whole measurement is
100,000 sessions. A session is 20 shoes at one bet, and everybody is looked at alone: the figure is one false alarm in
a hundred, and the same at other lines. The margin was set by the shoes of seed 11; any other is fresh.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from report import sized
from thirdcard.odds import fresh
from thirdcard.odds.bet_values import cells_of
from thirdcard.odds.compare import effects
from thirdcard.play.classes import PAIRS
from thirdcard.protect.following import features, habit, reshuffled, statistic, told_apart
from thirdcard.protect.radar import MARGIN, DealtShoes, dealt_shoes
from thirdcard.rulebook import load
from thirdcard.rulebook.model import Rulebook

DECKS, SHOES, CUT_ROUNDS = 8, 20, 2  # a shoe ends two rounds before its cards do: a cut of about 14
POOL, LIBRARY = sized((1200, 600), (40, 20))
SESSIONS, COUNTED = sized((100_000, 100), (10, 1))  # of innocent players, and of each counter
LINES = (50, 100, 200, 400)  # one false alarm in so many
ONE_IN, RESHUFFLES = 100, 519
ENOUGH = 8  # as large, and no alarm can come of it at any line
SEED = 11  # of the shoes by which the margin was set
BETS = sized(("wu-dalang", "small-tiger", "player-pair", "big-tiger", "tie"), ("player-pair", "tie"))
CURVE = sized((3, 5, 8, 10, 12, 15, 20), (3, 5))

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Chance = np.random.Generator


class Seen(NamedTuple):
    """What a player goes through: rounds of some shoes, one after the other."""

    lengths: Integers
    at: Integers  # of each round in its shoe
    hands: Integers
    hits: Integers
    values: Floats


def streak(hands: Integers, at: Integers) -> Integers:
    """How often the same hand has won before each round, ties left out."""
    found, run, last = np.zeros(len(hands), np.int64), 0, 0
    for row, hand in enumerate(hands):
        if at[row] == 0:
            run, last = 0, 0
        found[row] = run * last
        if hand:
            run = run + 1 if hand == last else 1
            last = hand
    return found


def since(hits: Integers, at: Integers) -> Integers:
    """Rounds since the bet hit in this shoe."""
    found, gone = np.zeros(len(hits), np.int64), 0
    for row, hit in enumerate(hits):
        gone = 0 if at[row] == 0 else gone
        found[row] = gone
        gone = 0 if hit else gone + 1
    return found


def steps(seen: Seen, chance: Chance, *, after_loss: float, after_win: float, share: float) -> Floats:
    """A stake that goes by what the last bet did."""
    stakes, stake = np.zeros(len(seen.at)), 10.0
    for row in range(len(stakes)):
        if seen.at[row] == 0:
            stake = 10.0
        if chance.random() < share:
            stakes[row] = stake
            stake = min(max(stake * (after_win if seen.hits[row] else after_loss), 10.0), 500.0)
    return stakes


def flat(seen: Seen, chance: Chance) -> Floats:
    return np.where(chance.random(len(seen.at)) < 0.97, 20.0, 0.0)


def now_and_then(seen: Seen, chance: Chance) -> Floats:
    stakes = chance.choice(np.array([10.0, 20.0, 50.0, 100.0]), len(seen.at))
    return np.where(chance.random(len(seen.at)) < 0.1, stakes, 0.0)


def with_streaks(seen: Seen, chance: Chance) -> Floats:
    run = np.abs(streak(seen.hands, seen.at))
    return np.where(
        chance.random(len(run)) < 0.05 + 0.15 * np.minimum(run, 5), 10.0 * np.minimum(run + 1, 6), 0.0
    )


def against_streaks(seen: Seen, chance: Chance) -> Floats:
    run = np.abs(streak(seen.hands, seen.at))
    return np.where((run >= 3) & (chance.random(len(run)) < 0.8), 50.0, 0.0)


def doubling(seen: Seen, chance: Chance) -> Floats:
    return steps(seen, chance, after_loss=1.3, after_win=0.0, share=0.5)


def pressing(seen: Seen, chance: Chance) -> Floats:
    return steps(seen, chance, after_loss=0.9, after_win=2.0, share=0.6)


def late(seen: Seen, chance: Chance) -> Floats:
    share = seen.at / np.repeat(seen.lengths, seen.lengths)
    size = np.where(share > 0.9, 100.0, 25.0)
    return np.where(chance.random(len(share)) < np.where(share > 0.7, 0.6, 0.03), size, 0.0)


def due(seen: Seen, chance: Chance) -> Floats:
    gone = since(seen.hits, seen.at)
    return np.where((gone > 15) & (chance.random(len(gone)) < 0.6), 10.0 + gone, 0.0)


def hot(seen: Seen, chance: Chance) -> Floats:
    gone = since(seen.hits, seen.at)
    ever = np.concatenate(([0], np.cumsum(seen.hits)[:-1])) > 0
    return np.where(ever & (gone < 6) & (chance.random(len(gone)) < 0.7), 40.0, 0.0)


def moods(seen: Seen, chance: Chance) -> Floats:
    """In and out for a while, more in some shoes than in others, with larger stakes as the night goes on."""
    stakes, playing = np.zeros(len(seen.at)), False
    keen = np.repeat(chance.uniform(0.02, 0.3, len(seen.lengths)), seen.lengths)
    for row in range(len(stakes)):
        playing = chance.random() < (0.85 if playing else keen[row])
        if playing:
            stakes[row] = chance.choice([10.0, 20.0, 50.0]) * (1 + row / len(stakes))
    return stakes


INNOCENT: dict[str, Callable[[Seen, Chance], Floats]] = {
    "flat, nearly every round": flat,
    "now and then": now_and_then,
    "with streaks": with_streaks,
    "against streaks": against_streaks,
    "doubling after losses": doubling,
    "pressing after wins": pressing,
    "late in the shoe": late,
    "when it is due": due,
    "when it is hot": hot,
    "by moods": moods,
}


class Player(NamedTuple):
    """A counter: the tags are kept with some mistakes, decks left are whole, and some bets are cover."""

    name: str
    trigger: float
    slips: float  # cards in a hundred that are not counted
    taken: float  # of the rounds that the count says
    cover: float  # of the others
    flat: bool  # a small stake in every other round instead


COUNTERS = (
    Player("moderate", 0.0, 2.0, 0.8, 0.03, flat=False),
    Player("moderate, always in the game", 0.0, 2.0, 0.8, 0.9, flat=True),
    Player("careful", 0.0, 0.5, 0.95, 0.01, flat=False),
    Player("poor", 0.0, 8.0, 0.6, 0.08, flat=False),
)


class Room(NamedTuple):
    """Shoes to play at, shoes to compare with, and what settles and counts a bet."""

    book: Rulebook
    name: str
    pool: DealtShoes
    library: Floats
    hits: Integers  # by class of outcome
    tag_error: float


def room(slug: str, name: str, seed: int) -> Room:
    book = load(slug)
    pool, other = (
        dealt_shoes(book, DECKS, size, one, (name,)) for size, one in ((POOL, seed), (LIBRARY, seed + 1))
    )
    longest = max(pool.values.shape[1], other.values.shape[1])
    reach = np.minimum(np.arange(longest)[None, :], other.lengths[:, None] - 1)
    edge = pool.values[0, 0, 0]
    library = np.ascontiguousarray(told_apart(np.take_along_axis(other.values[:, :, 0], reach, axis=1), edge))
    bet = book.bets[name]
    cells = cells_of(bet)
    won = {tier.tier for tier in bet.pays}
    by_cell = np.array([came in won for came in cells.results], np.int64)
    repeats = {"endings": len(PAIRS), "pairings": 1, "joint": 1}[cells.needs]
    hits = np.repeat(by_cell, repeats) if cells.needs != "pairings" else np.tile(by_cell, 400)
    spread = float(np.std([float(one) for one in effects(book, fresh(DECKS), (name,))[name].values()]))
    return Room(book, name, pool, library, hits, spread)


def sit(at: Room, chance: Chance, shoes: int) -> Seen:
    picks = chance.integers(0, POOL, shoes)
    lengths = at.pool.lengths[picks] - CUT_ROUNDS
    classes = np.concatenate(
        [at.pool.classes[one, :length] for one, length in zip(picks, lengths, strict=True)]
    )
    values = np.concatenate(
        [at.pool.values[one, :length, 0] for one, length in zip(picks, lengths, strict=True)]
    )
    totals = classes // (4 * len(PAIRS))
    rounds = np.concatenate([np.arange(length) for length in lengths])
    return Seen(lengths, rounds, np.sign(totals % 10 - totals // 10), at.hits[classes], values)


def count(seen: Seen, player: Player, at: Room, chance: Chance) -> Floats:
    """Stakes of a counter who knows the value up to an error that grows as cards go by uncounted."""
    left = 416.0 - 4.94 * seen.at
    drift = chance.normal(0, 1, len(seen.lengths))[np.repeat(np.arange(len(seen.lengths)), seen.lengths)]
    missed = np.sqrt(np.maximum(seen.at, 1) * 4.94 * player.slips / 100)
    error = drift * missed * at.tag_error * 416.0 / left
    rounding = chance.normal(0, 1, len(seen.at)) * np.abs(seen.values - seen.values[0]) * 0.15  # whole decks
    good = seen.values + error + rounding > player.trigger
    bets = chance.random(len(good)) < np.where(good, player.taken, player.cover)
    return np.where(bets, np.where(good, 100.0, 20.0), 0.0)


def chance_of(at: Room, seen: Seen, stakes: Floats, chance: Chance) -> float:
    """The share of reshuffles with a statistic as large; stops as soon as that is plainly not small."""
    found = habit(
        features(seen.hands, seen.hits, (stakes > 0).astype(np.int64), seen.lengths), stakes, seen.lengths
    )
    if found is None:
        return 1.0
    own = statistic(found, told_apart(seen.values, at.pool.values[0, 0, 0]))
    if own == 0.0:
        return 1.0
    as_large = made = 0
    for batch in (10, 10, 20, 60, RESHUFFLES - 100):
        out = np.zeros(batch)
        reshuffled(*found, chance.integers(0, LIBRARY, (batch, len(seen.lengths))), at.library, out)
        as_large, made = as_large + int((out >= own).sum()), made + batch
        if as_large >= ENOUGH:
            break
    return (as_large + 1) / (made + 1)


def _beyond(chance: float) -> Integers:
    """Whether it is an alarm, at each of the lines."""
    return np.array([chance <= 1 / (one_in * MARGIN) for one_in in LINES], np.int64)


def _innocent(slug: str, name: str, kind: str, sessions: int, seed: int) -> tuple[str, Integers]:
    """Sessions, and alarms at each line."""
    at, chance = room(slug, name, seed), np.random.default_rng((seed, 0, *f"{name} {kind}".encode()))
    alarms = np.zeros(len(LINES), np.int64)
    for _ in range(sessions):
        seen = sit(at, chance, SHOES)
        alarms += _beyond(chance_of(at, seen, INNOCENT[kind](seen, chance), chance))
    return kind, np.concatenate(([sessions], alarms))


def _counting(slug: str, name: str, number: int, sessions: int, seed: int) -> tuple[int, str, Integers]:
    """Alarms by shoes watched and line."""
    at, player = room(slug, name, seed), COUNTERS[number]
    chance = np.random.default_rng((seed, 1, number, *name.encode()))
    found = np.zeros((len(CURVE), len(LINES)), np.int64)
    for _ in range(sessions):
        for place, shoes in enumerate(CURVE):
            seen = sit(at, chance, shoes)
            found[place] += _beyond(chance_of(at, seen, count(seen, player, at, chance), chance))
    return number, name, found


def measure(  # noqa: PLR0913, PLR0917 - all that is measured by
    slug: str, sessions: int, counters: int, bets: tuple[str, ...], workers: int, seed: int
) -> Iterator[str]:
    """The tables, line by line as they are known."""
    book = load(slug)
    bets = tuple(name for name in bets if name in book.bets)
    start = time.perf_counter()
    with ProcessPoolExecutor(workers) as pool:
        each = max(1, sessions // len(INNOCENT) // len(bets))
        planted = [
            pool.submit(_counting, slug, name, number, counters, seed)
            for name in bets
            if name != "tie"
            for number in range(len(COUNTERS))
        ]
        jobs = [pool.submit(_innocent, slug, name, kind, each, seed) for name in bets for kind in INNOCENT]
        yield f"{slug}, 8 decks, {SHOES} shoes a session, shoes of seed {seed}; bets: {', '.join(bets)}"
        yield f"  {'found within … shoes, %':<44}" + "".join(f"{shoes:>6}" for shoes in CURVE)
        by_line = np.zeros((len(CURVE), len(LINES)), np.int64)
        for counting in planted:
            number, name, found = counting.result()
            shares = "".join(f"{100 * one / counters:>6.0f}" for one in found[:, LINES.index(ONE_IN)])
            yield f"  {COUNTERS[number].name:<30}{name:<14}{shares}"
            by_line += found if number == 0 else 0
        heading = "".join(f"{f'1 in {one}':>10}" for one in LINES)
        made = counters * (len(bets) - ("tie" in bets))
        yield f"  {'moderate, all bets, by the line':<44}{heading}"
        for place, shoes in enumerate(CURVE):
            shares = "".join(f"{100 * one / made:>10.0f}" for one in by_line[place])
            yield f"  {f'found within {shoes} shoes, %':<44}{shares}"
        totals = {kind: np.zeros(1 + len(LINES), np.int64) for kind in INNOCENT}
        for job in jobs:
            kind, came = job.result()
            totals[kind] += came
            print(kind, *came, file=sys.stderr, flush=True)  # a long run that is stopped has told this much
        yield f"  {'false alarms, %':<32}{'sessions':>12}{heading}"
        for kind, came in (*totals.items(), ("all", np.sum([*totals.values()], axis=0))):
            shares = "".join(f"{100 * one / came[0]:>10.2f}" for one in came[1:])
            yield f"  {kind:<32}{came[0]:>12,}{shares}"
    yield f"  {time.perf_counter() - start:,.0f} s on {workers} processes"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--book", default="rws-tiger-buffalo-commission-v2")
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--counters", type=int, default=COUNTED)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    for line in measure(asked.book, asked.sessions, asked.counters, BETS, asked.workers, asked.seed):
        print(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
