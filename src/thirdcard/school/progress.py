"""A learner: one answer after another, folded into rating, levels, streak and memory."""

from collections.abc import Mapping
from typing import Annotated, Final, TypeAlias

import msgspec

from thirdcard.school.item_types import LEVELS, Item, ItemMark
from thirdcard.school.items import difficulty, seconds_before, seconds_for, what_is_shown
from thirdcard.school.memory import (
    AGAIN,
    DAY,
    GOOD,
    WEEK,
    Grade,
    Memory,
    ShiftScore,
    Weights,
    grade_of,
    reviewed,
)
from thirdcard.school.ratings import Rated, Rating
from thirdcard.school.shift_skills import WorkedSkill
from thirdcard.strict import fields_of

UP_AFTER, DOWN_AFTER = 5, 2  # levels of the speed ladder: right in time, wrong
HISTORY: Final = 12  # ratings, shifts
CALENDAR: Final = 84  # days
SEEN: Final = 40  # items, two sets of them, of which none comes twice
RECENT: Final = 8  # skills that are known to have come last
LONGEST: Final = 600.0  # seconds: who thinks for longer was away
MOST_PARTS: Final = 40  # of an item

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
Given: TypeAlias = Name | tuple[Name, ...] | Annotated[int, msgspec.Meta(ge=-(10**15), le=10**15)]
Answers: TypeAlias = Annotated[dict[Name, Given], msgspec.Meta(max_length=MOST_PARTS)]
SettledOrder: TypeAlias = Annotated[tuple[Name, ...], msgspec.Meta(max_length=MOST_PARTS)]


Recorded = Annotated[str, msgspec.Meta(min_length=3, max_length=200)]
MOST_RECORDED: Final = 2  # wrong choices of an item that come from what people answered


class ItemName(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that an item is made of: the same name is the same item, for ever.

    One of a house's own rounds has the `table` too, the round as its number, and the seed `log`.
    """

    kind: Annotated[str, msgspec.Meta(max_length=20)]
    rulebook: Annotated[str, msgspec.Meta(min_length=1, max_length=160)]
    layout: Annotated[str, msgspec.Meta(min_length=1, max_length=2)]
    decks: Annotated[int, msgspec.Meta(ge=1, le=16)]
    seed: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    number: Annotated[int, msgspec.Meta(ge=0, le=10**9)]
    level: Annotated[int, msgspec.Meta(ge=1, le=10)]
    skill: Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
    recorded: Annotated[tuple[Recorded, ...], msgspec.Meta(max_length=MOST_RECORDED)] = ()
    table: Annotated[str, msgspec.Meta(min_length=1, max_length=40)] | msgspec.UnsetType = msgspec.UNSET


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """One answer as it is kept: which item, what was said to it, how it was marked and graded.

    Of what was done at a `shift` the item names the skill, the table and the round: nothing was asked there,
    and no item can be made of it again. `order` is how the lines of a box were settled, where that is marked.
    """

    item: ItemName
    at: int
    answers: dict[str, Given]
    right: bool
    order: tuple[str, ...] = ()
    points: int
    seconds: float | None
    hint: bool
    grade: Grade
    paragraphs: tuple[str, ...]
    shift: str = ""  # the table where somebody trained
    looked_back: bool = False  # at a replay, once it was stopped


class SpeedLevel(msgspec.Struct, frozen=True):
    """A level, and what has counted towards another since it was reached."""

    level: int = 1
    in_time: int = 0
    wrong: int = 0

    def answered(self, *, right: bool, in_time: bool) -> "SpeedLevel":
        """Five right in time are one level up, two wrong one down; right but late counts for neither."""
        if right and in_time:
            if self.in_time + 1 < UP_AFTER:
                return SpeedLevel(self.level, self.in_time + 1, self.wrong)
            return SpeedLevel(min(self.level + 1, LEVELS))
        if not right:
            if self.wrong + 1 < DOWN_AFTER:
                return SpeedLevel(self.level, self.in_time, self.wrong + 1)
            return SpeedLevel(max(self.level - 1, 1))
        return self


class Streak(msgspec.Struct, frozen=True):
    """Days of practice in a row up to `last` (days since 1970). A missed day pauses it, once in a week."""

    days: int = 0
    last: int = 0
    paused: int = 0  # the last day that was missed and forgiven
    longest: int = 0

    def practised(self, day: int) -> "Streak":
        if day <= self.last:
            return self
        goes_on = self.runs(day)
        days = self.days + 1 if goes_on else 1
        paused = day - 1 if goes_on and day == self.last + 2 else self.paused
        return Streak(days, day, paused, max(days, self.longest))

    def runs(self, day: int) -> bool:
        """Whether practice on that day would go on with it."""
        missed = day - self.last - 1
        forgiven = missed == 1 and (not self.paused or day - 1 - self.paused >= WEEK)
        return self.days > 0 and (missed <= 0 or forgiven)

    def on(self, day: int) -> int:
        """The days to be shown on that day: none any more, once it is over."""
        return self.days if day <= self.last or self.runs(day) else 0


class Learner(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of somebody beside the memory of each rulebook. `new` skills were met on `day`.

    Ratings and levels are by kind of item; `history` has a rating for each of the last days of practice,
    `days` how many answers were given on each day of the last weeks. `struck` answers were wrong by an item
    that was: they count neither as given nor as wrong. `seen` are the
    items that came last, by what they showed: none of them comes again so soon.
    """

    rated: dict[str, Rated] = {}
    history: dict[str, tuple[int, ...]] = {}
    days: dict[int, int] = {}
    levels: dict[str, SpeedLevel] = {}
    streak: Streak = Streak()
    answered: int = 0
    right: int = 0
    in_a_row: int = 0
    day: int = 0
    new: int = 0
    recent: tuple[str, ...] = ()
    last: ItemName | None = None
    weights: Weights = ()
    struck: int = 0
    seen: tuple[str, ...] = ()

    def new_on(self, day: int) -> int:
        """How many new skills were met on that day."""
        return self.new if day == self.day else 0

    def level(self, kind: str) -> int:
        return self.levels.get(kind, SpeedLevel()).level


class Practised(msgspec.Struct, frozen=True):
    """All that one answer changes."""

    learner: Learner
    memory: Memory
    template: Rated
    review: Review


def name_of(item: Item) -> ItemName:
    return fields_of(ItemName, item)


def practised(  # noqa: PLR0913, PLR0917 - what an answer is
    learner: Learner,
    memory: Memory,
    template: Rated | None,
    item: Item,
    mark: ItemMark,
    answers: Mapping[str, Given],
    *,
    order: SettledOrder = (),
    seconds: float | None,
    hint: bool,
    now: int,
    looked_back: bool = False,
) -> Practised:
    """A learner, a memory and an item's template after an answer; `template` is None before the first."""
    day, limit = now // DAY, seconds_for(item)
    took = None if seconds is None else min(seconds, LONGEST)
    before_it = seconds_before(item)
    grade = grade_of(
        right=mark.right,
        seconds=None if took is None else max(0.0, took - before_it),
        limit=limit - before_it,
        helped=hint or looked_back,
    )
    theirs = (template or Rated(Rating(float(difficulty(item))))).on(day)
    rated, score = learner.rated.get(item.kind, Rated()), float(mark.right)
    mine = rated.on(day)
    in_time = took is None or took <= limit
    before = learner.levels.get(item.kind, SpeedLevel())
    after = Learner(
        rated={**learner.rated, item.kind: mine.against(theirs.start, score, day)},
        history=_history(learner, item.kind, day),
        days=_calendar(learner, day, 1),
        levels={**learner.levels, item.kind: before.answered(right=mark.right, in_time=in_time)},
        streak=learner.streak.practised(day),
        answered=learner.answered + 1,
        right=learner.right + mark.right,
        in_a_row=learner.in_a_row + 1 if mark.right else 0,
        day=day,
        new=learner.new_on(day) + (item.skill not in memory.skills),
        recent=(*learner.recent, item.skill)[-RECENT:],
        last=name_of(item),
        weights=learner.weights,
        struck=learner.struck,
        seen=(*learner.seen, what_is_shown(item))[-SEEN:],
    )
    review = fields_of(
        Review,
        mark,
        item=name_of(item),
        at=now,
        answers=dict(answers),
        order=order,
        seconds=took,
        hint=hint,
        looked_back=looked_back,
        grade=grade,
        paragraphs=item.paragraphs,
    )
    after_it = _reviewed(memory, item, grade, now, learner.weights)
    return Practised(after, after_it, theirs.against(mine.start, 1 - score, day), review)


def _reviewed(memory: Memory, of: Item | WorkedSkill, grade: Grade, now: int, weights: Weights) -> Memory:
    return reviewed(memory, of.skill, grade, now, kind=of.kind, paragraphs=of.paragraphs, weights=weights)


class Worked(msgspec.Struct, frozen=True):
    """All that a shift changes."""

    learner: Learner
    memory: Memory
    reviews: tuple[Review, ...]


class ShiftWorked(msgspec.Struct, frozen=True, kw_only=True):
    """A shift that is over: its table, how that was set up, and the skills that it asked for.

    `score` is None where no round was dealt.
    """

    table: str
    rulebook: str
    layout: str
    decks: int
    score: int | None
    skills: tuple[WorkedSkill, ...]


def worked(learner: Learner, memory: Memory, shift: ShiftWorked, now: int) -> Worked:
    """A learner and a memory after a shift: one review a skill, good or again.

    Nothing was asked at a level or against a clock, so ratings and levels stay as they are.
    """
    day, reviews = now // DAY, []
    for skill in shift.skills:
        grade: Grade = GOOD if skill.right else AGAIN
        memory = _reviewed(memory, skill, grade, now, learner.weights)
        reviews.append(
            fields_of(
                Review,
                skill,
                item=fields_of(
                    ItemName,
                    shift,
                    kind=skill.kind,
                    seed=shift.table,
                    number=skill.round,
                    level=1,
                    skill=skill.skill,
                    table=msgspec.UNSET,
                ),
                at=now,
                answers={},
                points=100 if skill.right else 0,
                seconds=None,
                hint=False,
                grade=grade,
                shift=shift.table,
            )
        )
    if shift.score is not None:
        shifts = (*memory.shifts, ShiftScore(shift.table, shift.score))[-HISTORY:]
        memory = msgspec.structs.replace(memory, shifts=shifts)
    if not reviews:
        return Worked(learner, memory, ())
    after = msgspec.structs.replace(
        learner,
        days=_calendar(learner, day, len(reviews)),
        streak=learner.streak.practised(day),
        answered=learner.answered + len(reviews),
        right=learner.right + sum(review.right for review in reviews),
    )
    return Worked(after, memory, tuple(reviews))


def _calendar(learner: Learner, day: int, answers: int) -> dict[int, int]:
    """How many answers were given on each day, with these."""
    kept = {before: count for before, count in learner.days.items() if before > day - CALENDAR}
    return {**kept, day: learner.days.get(day, 0) + answers}


def _history(learner: Learner, kind: str, day: int) -> dict[str, tuple[int, ...]]:
    """With the rating that a day ended with, once another begins."""
    rated = learner.rated.get(kind)
    if rated is None or rated.day >= day:
        return learner.history
    before = learner.history.get(kind, ())
    return {**learner.history, kind: (*before, round(rated.now.rating))[-HISTORY:]}
