"""A learner's own weights of FSRS, fitted to what they recalled: few parameters, a step at a time.

The package's own optimizer needs PyTorch. Here the weights that tell learners apart are moved, one after the
other by smaller and smaller factors, as long as what was recalled becomes likelier; a penalty keeps them near
the published ones where the answers say little.
"""

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

from thirdcard.school.memory import AGAIN, DAY, Grade, Memory, SkillMemory, Weights, remembered, reviewed

LEAST: Final = 400  # answers, before which the published weights are better
EVERY: Final = 400  # answers, after which they are fitted again
MOST: Final = 800  # answers that are looked at, the latest
# Moved together: all first stabilities; that after a wrong first answer; growth, its saturation and what
# spacing adds; what is left after a lapse; what a second answer on a day adds; the shape of forgetting.
MOVED: Final = ((0, 1, 2, 3), (0,), (8,), (9,), (10,), (11,), (17,), (20,))
FACTORS: Final = (1.6, 1.25, 1.1)
PENALTY: Final = 2.0  # for a factor of e, in units of the loss of an answer
SURE: Final = 1e-4

Answered: TypeAlias = tuple[str, Grade, int]  # skill, grade, time


def is_due_to_fit(answered: int) -> bool:
    """Whether it is time for it, after so many answers."""
    return answered >= LEAST and answered % EVERY == 0


def fitted(answers: Sequence[Answered], start: Weights = ()) -> Weights:
    """Weights under which these answers, in order of time, are likelier than under the ones to start from."""
    from fsrs import scheduler  # noqa: PLC0415

    published = tuple(scheduler.DEFAULT_PARAMETERS)
    best = start or published
    lower, upper = scheduler.LOWER_BOUNDS_PARAMETERS, scheduler.UPPER_BOUNDS_PARAMETERS
    least = _loss(answers, best, published)
    for factor in FACTORS:
        for places in MOVED:
            for by in (factor, 1 / factor):
                moved = tuple(
                    min(max(one * by, lower[place]), upper[place]) if place in places else one
                    for place, one in enumerate(best)
                )
                loss = _loss(answers, moved, published)
                if loss < least:
                    best, least = moved, loss
    return best


def _loss(answers: Sequence[Answered], weights: Weights, published: Weights) -> float:
    """How unlikely the answers are that came a day or more after the last of their skill, and the penalty."""
    moved = zip(weights, published, strict=True)
    total = PENALTY * sum(math.log(max(one, SURE) / max(other, SURE)) ** 2 for one, other in moved)
    skills: dict[str, SkillMemory] = {}
    for skill, grade, at in answers:
        before = skills.get(skill)
        if before is not None and at - before.last >= DAY:
            known = min(max(remembered(before, at, weights), SURE), 1 - SURE)
            total -= math.log(1 - known if grade == AGAIN else known)
        own = Memory(rulebook="", digest="", skills={skill: before} if before else {})
        skills[skill] = reviewed(own, skill, grade, at, weights=weights).skills[skill]
    return total
