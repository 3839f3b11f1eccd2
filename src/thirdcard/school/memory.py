"""What a learner remembers, by FSRS: when each skill is due, what is weak, and what comes next in a set.

A *skill* is the card that is remembered: a cell of the table of play, a pay line, a row of insurance, a
branch of a ruling. Time is an argument, in microseconds of UTC; nothing here is left to chance.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.diff import diff
from thirdcard.rulebook.model import Rulebook, Rules

if TYPE_CHECKING:
    from fsrs import Card, Scheduler
import math

MICROSECONDS: Final = 1_000_000
DAY: Final = 86_400 * MICROSECONDS
WANTED: Final = 0.9  # of what is due, the share that is to be remembered still
RETURNS: Final = timedelta(minutes=3)  # after which a wrong item comes back
NEW_A_DAY: Final = 8  # skills
WEEK: Final = 7  # days of which is known how often a skill was answered
IN_A_ROW: Final = 2  # items of one skill, at most
INTERVALS: Final = 4  # that are told ahead
MISSING: Final = "the school needs the package fsrs: install thirdcard[school]"

Grade: TypeAlias = Literal[1, 2, 3, 4]  # FSRS's: again, hard, good, easy
AGAIN: Final = 1
HARD: Final = 2
GOOD: Final = 3
EASY: Final = 4
REVIEW: Final = 2  # the state of a skill that is past its first steps
Weights: TypeAlias = tuple[float, ...]  # of FSRS; none are the published ones
Recalled: TypeAlias = dict[str, float]  # skills with the chance that each is remembered
Why: TypeAlias = Literal["again", "due", "new", "ahead"]
OfDay: TypeAlias = tuple[int, int, int]  # a day since 1970, answers given, and those that were wrong

replace = msgspec.structs.replace


class SkillKept(msgspec.Struct, frozen=True):
    """One skill as FSRS has it, times in microseconds of UTC.

    `paragraphs` are those of the item that was met last, `kind` is its kind. `lately` are the days of the
    last week with an answer, as of the last of them: days since 1970, their answers, those that were wrong.
    """

    stability: float
    difficulty: float
    due: int
    last: int
    state: int  # 1 learning, 2 in review, 3 learning again
    step: int
    met: int
    wrong: int
    paragraphs: tuple[str, ...] = ()  # not held to a pattern each time that they are read
    kind: str = ""
    lately: tuple[OfDay, ...] = ()


class SkillMemory(SkillKept, frozen=True, array_like=True, gc=False):
    """The same as it is stored, without the names of its fields."""


class ShiftScore(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A shift that is over: the table where somebody trained, and the points of 100."""

    table: str
    score: int


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered of one rulebook: skills by name, and the digest of the text they are of.

    `shifts` are the last that were worked by it.
    """

    rulebook: str
    digest: str
    skills: dict[str, SkillMemory] = {}
    shifts: tuple[ShiftScore, ...] = ()


class ChosenSkill(msgspec.Struct, frozen=True):
    """What comes next, and why: wrong a moment ago, due, new, or ahead of time since nothing is due."""

    skill: str
    why: Why


def grade_of(*, right: bool, seconds: float | None, limit: float, helped: bool = False) -> Grade:
    """Wrong: again. Right over the limit: hard. Right: good. Right in under a third, by oneself: easy."""
    if not right:
        return AGAIN
    if seconds is None:
        return GOOD
    if seconds > limit:
        return HARD
    return EASY if seconds < limit / 3 and not helped else GOOD


def reviewed(  # noqa: PLR0913 - what a review is
    memory: Memory,
    skill: str,
    grade: Grade,
    now: int,
    *,
    kind: str = "",
    paragraphs: Rules = (),
    weights: Weights = (),
) -> Memory:
    """The memory after an item of that skill."""
    from fsrs import Rating  # noqa: PLC0415

    before = memory.skills.get(skill)
    card, _ = _scheduler(weights).review_card(_card(before), Rating(grade), _time(now))
    after = SkillMemory(
        round(card.stability or 0.0, 6),
        round(card.difficulty or 0.0, 6),
        _micros(card.due),
        now,
        int(card.state),
        card.step or 0,
        (before.met if before else 0) + 1,
        (before.wrong if before else 0) + (grade == AGAIN),
        paragraphs,
        kind,
        _with_answer(before.lately if before else (), now // DAY, int(grade == AGAIN)),
    )
    return replace(memory, skills={**memory.skills, skill: after})


def _with_answer(lately: tuple[OfDay, ...], day: int, wrong: int) -> tuple[OfDay, ...]:
    answers = [one for one in lately if one[0] > day - WEEK] or [(day, 0, 0)]
    last, given, failed = answers[-1]
    if last != day:
        return (*answers, (day, 1, wrong))
    return (*answers[:-1], (day, given + 1, failed + wrong))


def without_wrong(one: SkillMemory, at: int, now: int) -> SkillMemory:
    """A skill without an answer that was marked wrong at that time; it is due anew."""
    lately = tuple(
        (day, given - 1, max(0, failed - 1)) if day == at // DAY else (day, given, failed)
        for day, given, failed in one.lately
    )
    return replace(one, met=one.met - 1, wrong=max(0, one.wrong - 1), due=min(one.due, now), lately=lately)


def coming(one: SkillMemory, weights: Weights = ()) -> tuple[int, ...]:
    """The next intervals, in microseconds from the last answer, if it is right whenever it is due."""
    from fsrs import Rating  # noqa: PLC0415

    card, times = _card(one), [one.last, one.due]
    while len(times) <= INTERVALS:
        card, _ = _scheduler(weights).review_card(card, Rating.Good, _time(times[-1]))
        times.append(_micros(card.due))
    return tuple(later - earlier for earlier, later in pairwise(times))


def remembered(one: SkillMemory, now: int, weights: Weights = ()) -> float:
    """The chance that it is remembered now, from 0 to 1: FSRS's retrievability, which goes by whole days."""
    factor, decay = forgetting(weights)
    return float((1 + factor * (max(now - one.last, 0) // DAY) / one.stability) ** decay)


def recalled(memory: Memory, now: int, weights: Weights = ()) -> Recalled:
    """The same of every skill; whoever asks for more than one asks for them here, once."""
    factor, decay = forgetting(weights)
    return {
        skill: (1.0 + factor * ((now - skill_memory.last) // DAY) / skill_memory.stability) ** decay
        if skill_memory.last < now
        else 1.0
        for skill, skill_memory in memory.skills.items()
    }


def due(
    memory: Memory, now: int, *, offered: Collection[str] | None = None, weights: Weights = ()
) -> list[str]:
    """Skills whose time has come: those wrong a moment ago, then by what is lost of them, most first."""
    there = memory.skills.items()
    waiting = [
        (skill_memory.state == REVIEW, remembered(skill_memory, now, weights), skill_memory.due, skill)
        for skill, skill_memory in there
        if skill_memory.due <= now and (offered is None or skill in offered)
    ]
    return [skill for *_, skill in sorted(waiting)]


def weak(memory: Memory, now: int, *, limit: int, weights: Weights = ()) -> list[tuple[str, float]]:
    """The skills that are remembered least, each with how well."""
    weakest = sorted(
        (remembered(skill_memory, now, weights), skill) for skill, skill_memory in memory.skills.items()
    )
    return [(skill, chance) for chance, skill in weakest[:limit]]


def choose(  # noqa: PLR0913 - what a choice rests on
    memory: Memory,
    offered: Sequence[str],
    now: int,
    *,
    recent: Sequence[str] = (),
    new_today: int = 0,
    weights: Weights = (),
) -> ChosenSkill | None:
    """The next skill of a set: what is due, then what is new, then what is remembered least.

    `recent` are the skills that came before it: no skill comes three times in a row while there is another.
    Where nothing that is offered was ever met there is nothing but new ones, however many came today.
    None if nothing is offered.
    """
    barred = recent[-1] if len(recent) >= IN_A_ROW and len(set(recent[-IN_A_ROW:])) == 1 else None
    there = set(offered)
    for skill in due(memory, now, offered=there, weights=weights):
        if skill != barred:
            return ChosenSkill(skill, "due" if memory.skills[skill].state == REVIEW else "again")
    if new_today < NEW_A_DAY:
        for skill in offered:
            if skill not in memory.skills:
                return ChosenSkill(skill, "new")
    met = [
        (remembered(skill_memory, now, weights), skill_memory.last, skill)
        for skill, skill_memory in memory.skills.items()
    ]
    ahead = [skill for _, _, skill in sorted(met) if skill in there]
    for skill in ahead:
        if skill != barred or len(ahead) == 1:
            return ChosenSkill(skill, "ahead")
    return ChosenSkill(offered[0], "new") if offered else None


def carried(memory: Memory, before: Rulebook, after: Rulebook, digest: str, now: int) -> Memory:
    """What is remembered of a rulebook, for a newer version of it.

    Skills whose paragraphs say the same are as they were; those of which one changed are due at once.
    """
    changed = _changed_paragraphs(before, after)
    skills = {
        skill: skill_memory
        if changed.isdisjoint(skill_memory.paragraphs)
        else replace(skill_memory, due=min(skill_memory.due, now))
        for skill, skill_memory in memory.skills.items()
    }
    return Memory(rulebook=after.slug, digest=digest, skills=skills)


def all_due(memory: Memory, digest: str, now: int) -> Memory:
    """The same where nobody knows any more what the text before said."""
    skills = {
        skill: replace(skill_memory, due=min(skill_memory.due, now))
        for skill, skill_memory in memory.skills.items()
    }
    return replace(memory, digest=digest, skills=skills)


@lru_cache(maxsize=4096)
def paragraph_order(paragraph: str) -> tuple[tuple[int, str], ...]:
    """By which `3.9` comes before `3.15`."""
    return tuple((int(part), "") if part.isdigit() else (0, part) for part in paragraph.split("."))


def _changed_paragraphs(before: Rulebook, after: Rulebook) -> frozenset[str]:
    """By the numbers that they had before, and those that are new."""
    changes = diff(before, after)
    lines = (*changes.changed, *changes.removed, *changes.added)
    return frozenset(rule for difference in lines for rule in (difference.rules_before or difference.rules))


@lru_cache(maxsize=64)
def _scheduler(weights: Weights) -> "Scheduler":
    try:
        from fsrs import Scheduler  # noqa: PLC0415
        from fsrs.scheduler import DEFAULT_PARAMETERS  # noqa: PLC0415
    except ImportError:
        raise BadInput(MISSING) from None
    return Scheduler(
        weights or DEFAULT_PARAMETERS,
        desired_retention=WANTED,
        learning_steps=(RETURNS,),
        relearning_steps=(RETURNS,),
        enable_fuzzing=False,
    )


@lru_cache(maxsize=64)
def forgetting(weights: Weights) -> tuple[float, float]:
    """Factor and exponent of the curve of forgetting."""
    decay = -_scheduler(weights).parameters[20]
    return 0.9 ** (1 / decay) - 1, decay


def _card(one: SkillMemory | None) -> "Card":
    from fsrs import Card, State  # noqa: PLC0415

    if one is None:
        return Card(card_id=1, due=_time(0))
    state = State(one.state)
    return Card(
        card_id=1,
        state=state,
        step=None if state == State.Review else one.step,
        stability=one.stability,
        difficulty=one.difficulty,
        due=_time(one.due),
        last_review=_time(one.last),
    )


def _time(micros: int) -> datetime:
    return datetime.fromtimestamp(micros / MICROSECONDS, UTC)


def _micros(at: datetime) -> int:
    return round(at.timestamp() * MICROSECONDS)


# --- a learner's own weights ------------------------------------------------------------------------------


LEAST_TO_FIT: Final = 400  # answers, before which the published weights are better
FITTED_EVERY: Final = 400  # answers, after which they are fitted again
MOST_FITTED: Final = 800  # answers that are looked at, the latest
# Moved together: all first stabilities; that after a wrong first answer; growth, its saturation and what
# spacing adds; what is left after a lapse; what a second answer on a day adds; the shape of forgetting.
MOVED_TOGETHER: Final = ((0, 1, 2, 3), (0,), (8,), (9,), (10,), (11,), (17,), (20,))
FACTORS: Final = (1.6, 1.25, 1.1)
PENALTY: Final = 2.0  # for a factor of e, in units of the loss of an answer
SURE: Final = 1e-4

Answered: TypeAlias = tuple[str, Grade, int]  # skill, grade, time


def is_due_to_fit(answered: int) -> bool:
    """Whether it is time for it, after so many answers."""
    return answered >= LEAST_TO_FIT and answered % FITTED_EVERY == 0


def fitted(answers: Sequence[Answered], start: Weights = ()) -> Weights:
    """Weights under which these answers, in order of time, are likelier than under the ones to start from."""
    from fsrs import scheduler  # noqa: PLC0415

    published = tuple(scheduler.DEFAULT_PARAMETERS)
    best = start or published
    lower, upper = scheduler.LOWER_BOUNDS_PARAMETERS, scheduler.UPPER_BOUNDS_PARAMETERS
    least = _loss(answers, best, published)
    for factor in FACTORS:
        for places in MOVED_TOGETHER:
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
