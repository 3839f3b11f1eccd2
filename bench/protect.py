"""Game protection: how long the answers take (`python bench/run.py protect`)."""

import os
import sys
import time
from typing import TYPE_CHECKING

import numpy as np

from report import figure, sized
from thirdcard.odds.kernel import Kernel
from thirdcard.protect.asking import MOST_FOR_AN_ERROR, Question, prepare
from thirdcard.protect.measures import protection
from thirdcard.protect.protect_run import Valuer
from thirdcard.protect.protection import Terms
from thirdcard.rulebook import load, slugs
from thirdcard.simulate.work import Threads, execute

if TYPE_CHECKING:
    from collections.abc import Callable

SLUG = "rws-tiger-buffalo-commission-v2"
SIX = (14, 26, 52, 78, 104, 130)
ERROR_AIM, MINUTES_AIM, SECONDS_AIM, TIMES_AIM = 0.005, 5, 5.0, 2
COMPOSITIONS, TURNS = sized((8192, 6), (64, 1))
SHOES, MOST = sized((4000, MOST_FOR_AN_ERROR), (8, 8))
DOCUMENTS = sized(slugs(), slugs()[:1])


def valuing() -> bool:
    """All bets of one composition, beside the kernel of exact counts."""
    book, chance = load(SLUG), np.random.default_rng(1)
    shoe = np.repeat(np.arange(13), 32)
    many = np.array(
        [
            np.bincount(chance.permutation(shoe)[: chance.integers(14, 417)], minlength=13)
            for _ in range(COMPOSITIONS)
        ]
    )
    valuer, kernel = Valuer(book, tuple(book.bets)), Kernel(book)
    ways: dict[str, Callable[[], object]] = {
        "side by side": lambda: valuer.values(many),
        "one by one": lambda: kernel.values(many, workers=1),
    }
    took: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(TURNS):
        for name, value in ways.items():
            begun = time.process_time()
            value()
            took[name].append((time.process_time() - begun) / COMPOSITIONS * 1e6)
    quick, slow = (min(times) for times in took.values())
    return figure(
        f"{len(book.bets)} bets of one composition valued, one core",
        f"{quick:.2f} microseconds",
        aim=f"{TIMES_AIM} times as fast as one by one",
        compared=f"{slow / quick:.1f} times as fast as the kernel of exact counts ({slow:.1f} microseconds)",
        reached=slow > TIMES_AIM * quick,
    )


def one_document() -> bool:
    question = Question(cuts=(14,), shoes=SHOES)
    run = prepare(load(SLUG), question)
    run.warm()
    begun, processor = time.perf_counter(), time.process_time()
    prepare(load(SLUG), question)
    protection(run, execute(run, Threads(os.cpu_count() or 1)), Terms())
    seconds, used = time.perf_counter() - begun, time.process_time() - processor
    return figure(
        f"thirdcard protect {SLUG} --cut 14 --shoes {SHOES}, compiled",
        f"{seconds:.1f} s, {used:.1f} s of processor time",
        aim=f"about {SECONDS_AIM:.0f} s",
        compared="nothing but itself",
        reached=seconds < SECONDS_AIM,
    )


def every_document() -> bool:
    """All bets of the package's rulebooks at six cuts, until the standard error is small enough."""
    begun, processor, worst, dealt = time.perf_counter(), time.process_time(), 0.0, 0
    for slug in DOCUMENTS:
        book, workers = load(slug), os.cpu_count() or 1
        run = prepare(book, Question(cuts=SIX, shoes=MOST, error=ERROR_AIM))
        found = protection(run, execute(run, Threads(workers)), Terms())
        worst, dealt = max(worst, found.largest_error), dealt + found.shoes
        print(f"  {slug}: {found.shoes:,} shoes, largest standard error {found.largest_error:.5f}")
    seconds, used = time.perf_counter() - begun, time.process_time() - processor
    return figure(
        f"all bets of {len(DOCUMENTS)} rulebooks at six cuts, 8 decks, with their counts",
        f"{seconds:.0f} s with {os.cpu_count()} workers, {used:.0f} s of processor time, {dealt:,} shoes",
        aim=f"a standard error of {ERROR_AIM} units a shoe within {MINUTES_AIM} minutes on 2 cores",
        compared=f"largest standard error {worst:.5f}",
        reached=seconds < 60 * MINUTES_AIM and worst <= ERROR_AIM,
    )


def main() -> bool:
    return all([valuing(), one_document(), every_document()])


if __name__ == "__main__":
    sys.exit(not main())
