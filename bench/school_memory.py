"""Simulated learners whose forgetting is known: asked again by memory, and at intervals.

`school_memory.py 40` takes forty of them.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from report import sized
from school.forgetful import SETTLED, Outcome, by_intervals, by_memory

COUNT, DAYS, LEARNERS = sized((100, 180, 40), (100, SETTLED + 40, 1))
SKILLS, A_DAY = [f"third-card/{number}" for number in range(COUNT)], 40
GROWING = (1, 3, 7, 14, 30, 60, 120)  # days


def show(name: str, way: Callable[..., Outcome], learners: int) -> None:
    found = [way(seed=seed) for seed in range(learners)]
    known, weakest, answers, right = (mean(values) for values in zip(*found, strict=True))
    print(f"{name:34}{known:8.1%}{weakest:16.1%}{right:9.1%}{answers:10,.0f}", flush=True)


def main() -> None:
    learners = int(sys.argv[1]) if len(sys.argv) > 1 else LEARNERS
    print(f"{learners} learners, {len(SKILLS)} skills, {DAYS} days, at most {A_DAY} items a day\n")
    print(f"{'asked again':34}{'known':>8}{'weakest tenth':>16}{'right':>9}{'answers':>10}")
    show("by memory, published weights", partial(by_memory, SKILLS, days=DAYS, a_day=A_DAY), learners)
    show(
        "by memory, fitted from 400 on",
        partial(by_memory, SKILLS, days=DAYS, a_day=A_DAY, fits=True),
        learners,
    )
    at = partial(by_intervals, SKILLS, days=DAYS, a_day=A_DAY)
    for every in (7, 10, 14, 21, 30):
        show(f"every {every} days", partial(at, boxes=(every,)), learners)
    show(f"after {' '.join(map(str, GROWING))} days", partial(at, boxes=GROWING), learners)


if __name__ == "__main__":
    main()
