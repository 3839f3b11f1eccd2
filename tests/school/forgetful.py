"""Learners whose forgetting is known, and what becomes of them under two ways of asking again.

They forget by a power of time, as people do, and every recall slows it down, the more the longer ago the last
one was. The form is that of FSRS's model, but how strong each effect is belongs to the learner, and how hard each
skill is belongs to the skill: the scheduler knows neither, and starts from the published weights.
"""

import math
import random
from collections.abc import Callable
from statistics import mean
from typing import Final, NamedTuple

from thirdcard.school.memory import (
    AGAIN,
    DAY,
    EASY,
    GOOD,
    HARD,
    MOST_FITTED,
    NEW_A_DAY,
    Answered,
    Grade,
    Memory,
    Weights,
    choose,
    fitted,
    is_due_to_fit,
    reviewed,
)

START: Final = 1_800_000_000 * 1_000_000
SETTLED: Final = 30  # days, after which every skill has been met
SPREAD: Final = 0.25  # of learners' own weights around the usual ones, in logarithms
MINUTE: Final = 60 * 1_000_000


class Learner:
    """How somebody learns and forgets: the weights of the model that are their own."""

    def __init__(self, chance: random.Random) -> None:
        def own(usual: float) -> float:
            return usual * math.exp(chance.gauss(0, SPREAD))

        self.growth, self.saturates, self.spacing = own(6.5), own(0.17), own(0.8)
        self.left, self.decay = own(1.5), own(0.155)
        self.factor = 0.9 ** (-1 / self.decay) - 1


class Trace:
    """How one learner forgets one skill. `hard` from 1 to 10 is known to nobody else."""

    def __init__(self, learner: Learner, chance: random.Random) -> None:
        self.of, self.hard = learner, min(max(chance.gauss(5, 2.5), 1.0), 10.0)
        self.stable = math.exp(chance.gauss(0, 1))  # days until a tenth is lost, once it was met
        self.last = -1

    def known(self, now: int) -> float:
        if self.last < 0:
            return 0.0
        days = (now - self.last) / DAY
        return float((1 + self.of.factor * days / self.stable) ** -self.of.decay)

    def asked(self, now: int, chance: random.Random) -> Grade:
        """How it is answered; either way it is met. What is easy is known to some before, and told quickly."""
        known, of, before = self.known(now), self.of, self.stable
        new = self.last < 0
        right = chance.random() < ((11 - self.hard) / 14 if new else known)
        if new:
            self.stable = before * (2 if right else 0.7)
        elif right:
            gained = (
                of.growth
                * (11 - self.hard)
                * before**-of.saturates
                * (math.exp(of.spacing * (1 - known)) - 1)
            )
            self.stable = before * (1 + gained)
        else:
            left = of.left * self.hard**-0.06 * ((before + 1) ** 0.26 - 1) * math.exp(1.65 * (1 - known))
            self.stable = max(0.1, min(left, before))
        self.last = now
        if not right:
            return AGAIN
        quick = chance.random() * 10
        return EASY if quick > 4 + self.hard else HARD if quick < (self.hard - 4) / 2 else GOOD


class Outcome(NamedTuple):
    """Of all skills over all days, the share that is known; that of the weakest tenth, from the second month on.

    With the answers that it took, and of those to skills that were met on earlier days, the share that was right.
    """

    known: float
    weakest: float
    answers: int
    right: float


Pick = Callable[[int], str | None]
Take = Callable[[str, Grade, int], None]


def _live(skills: list[str], days: int, a_day: int, seed: int, pick: Pick, take: Take) -> Outcome:  # noqa: PLR0913, PLR0917
    """So many items a day at most; a day ends when nothing is due and nothing new is left for it."""
    chance = random.Random(seed)  # noqa: S311 - a simulation
    learner = Learner(chance)
    traces = {skill: Trace(learner, chance) for skill in skills}
    known, weakest, grades, answers = list[float](), list[float](), list[Grade](), 0
    for day in range(days):
        morning = START + day * DAY
        for number in range(a_day):
            now = morning + number * 4 * MINUTE
            skill = pick(now)
            if skill is None:
                break
            earlier = 0 <= traces[skill].last < morning
            grade = traces[skill].asked(now, chance)
            take(skill, grade, now)
            answers += 1
            if earlier:
                grades.append(grade)
        chances = sorted(trace.known(morning + DAY - MINUTE) for trace in traces.values())
        known.append(mean(chances))
        if day >= SETTLED:
            weakest.append(mean(chances[: len(chances) // 10]))
    return Outcome(mean(known), mean(weakest), answers, mean(grade != AGAIN for grade in grades))


def by_memory(skills: list[str], *, days: int, a_day: int, seed: int, fits: bool = False) -> Outcome:
    """As the school asks, by `choose` and `reviewed`; what is ahead of its time is left for later."""
    memory, new = Memory(rulebook="-", digest="-"), dict[int, int]()
    answers, weights = list[Answered](), Weights()

    def pick(now: int) -> str | None:
        chosen = choose(memory, skills, now, new_today=new.get(now // DAY, 0), weights=weights)
        return None if chosen is None or chosen.why == "ahead" else chosen.skill

    def take(skill: str, grade: Grade, now: int) -> None:
        nonlocal memory, weights
        if skill not in memory.skills:
            new[now // DAY] = new.get(now // DAY, 0) + 1
        memory = reviewed(memory, skill, grade, now, weights=weights)
        answers.append((skill, grade, now))
        if fits and is_due_to_fit(len(answers)):
            weights = fitted(answers[-MOST_FITTED:], weights)

    return _live(skills, days, a_day, seed, pick, take)


def by_intervals(skills: list[str], *, days: int, a_day: int, seed: int, boxes: tuple[int, ...]) -> Outcome:
    """The same at intervals of so many days: the next of them with each right answer, the first with a wrong one."""
    place, due, new = dict[str, int](), dict[str, int](), dict[int, int]()

    def pick(now: int) -> str | None:
        waiting = min(due, key=due.__getitem__, default=None)
        if waiting is not None and due[waiting] <= now:
            return waiting
        unmet = next((skill for skill in skills if skill not in place), None)
        return unmet if new.get(now // DAY, 0) < NEW_A_DAY else None

    def take(skill: str, grade: Grade, now: int) -> None:
        if skill not in place:
            new[now // DAY] = new.get(now // DAY, 0) + 1
        place[skill] = -1 if grade == AGAIN else min(place.get(skill, -1) + 1, len(boxes) - 1)
        due[skill] = now + (3 * MINUTE if grade == AGAIN else boxes[place[skill]] * DAY)

    return _live(skills, days, a_day, seed, pick, take)
