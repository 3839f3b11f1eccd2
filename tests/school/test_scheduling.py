"""Simulated learners with known forgetting: asked by memory they know more, with less work, than at fixed intervals.

`bench/school_memory.py` is the long run of it.
"""

from statistics import mean

import pytest

from school.forgetful import Outcome, by_intervals, by_memory
from thirdcard.school.memory import (
    AGAIN,
    DAY,
    EASY,
    GOOD,
    Grade,
    Memory,
    fitted,
    is_due_to_fit,
    remembered,
    reviewed,
)

SKILLS = [f"third-card/{number}" for number in range(40)]
SEEDS = range(3)


def means(found: list[Outcome]) -> Outcome:
    return Outcome(*(mean(values) for values in zip(*found, strict=True)))


def test_they_know_more_than_at_fixed_intervals_with_no_more_answers() -> None:
    own = means([by_memory(SKILLS, days=120, a_day=30, seed=seed) for seed in SEEDS])
    fixed = {
        every: means([by_intervals(SKILLS, days=120, a_day=30, seed=seed, boxes=(every,)) for seed in SEEDS])
        for every in (7, 14, 21)
    }
    assert own.right == pytest.approx(0.9, abs=0.03), "nine of ten are remembered when they are due"
    assert fixed[7].answers > 2 * own.answers, "every week is twice the work"
    for every in (14, 21):
        assert own.known > fixed[every].known
        assert own.weakest > fixed[every].weakest + 0.05, "and nothing is left behind"
    assert own.answers < fixed[14].answers


@pytest.mark.parametrize("forgets", [True, False])
def test_weights_are_fitted_to_who_forgets_faster_or_slower(forgets: bool) -> None:  # noqa: FBT001
    """After the same answers the next interval is shorter for one, longer for the other."""
    start = 1_800_000_000 * 1_000_000
    answers: list[tuple[str, Grade, int]] = []
    for number in range(60):
        later: tuple[Grade, ...] = (AGAIN, GOOD, AGAIN) if forgets else (EASY, GOOD, GOOD)
        for day, grade in zip((0, 2, 9, 20), (GOOD, *later), strict=True):
            answers.append((f"s{number}", grade, start + day * DAY))
    answers.sort(key=lambda one: one[2])
    weights = fitted(answers)
    one = Memory(rulebook="", digest="")
    published = reviewed(one, "s", GOOD, start).skills["s"]
    own = reviewed(one, "s", GOOD, start, weights=weights).skills["s"]
    sure = remembered(own, start + 9 * DAY, weights) > remembered(published, start + 9 * DAY)
    assert sure == (not forgets)


def test_fitting_begins_with_400_answers() -> None:
    assert [answered for answered in (0, 1, 399, 400, 401, 800, 1000, 1200) if is_due_to_fit(answered)] == [
        400,
        800,
        1200,
    ]
