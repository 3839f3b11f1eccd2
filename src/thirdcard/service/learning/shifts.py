"""What a shift teaches: the skills that it asked for are reviewed, once, when its result is first read."""

from typing import Final

import msgspec

from thirdcard.rulebook import named
from thirdcard.rulebook.model import Rules
from thirdcard.school.memory import FITTED_EVERY
from thirdcard.school.progress import ShiftWorked, worked
from thirdcard.service.learning import learners
from thirdcard.service.log.store.model import LearningWrite, ReviewRow, StoreDown
from thirdcard.service.tables.hall import Hall

SHIFT: Final = "shift:"  # that this one was reviewed; nobody's, so that it is not again once all is forgotten


class LearntSkill(msgspec.Struct, frozen=True, kw_only=True):
    """A skill that a shift asked for; when it is due now, 0 if it was forgotten on wish."""

    skill: str
    kind: str
    right: bool
    due: int
    paragraphs: Rules


async def learnt(hall: Hall, person: str, shift: ShiftWorked) -> tuple[LearntSkill, ...]:
    """The skills of a shift that is over, reviewed if they were not before; what was wrong comes first."""
    engine, store, now = hall.engine, hall.engine.store, hall.clock.wall()
    book = named(shift.rulebook)

    def work() -> tuple[list[LearningWrite], list[ReviewRow], bool]:
        if store.learning(learners.NOBODY, SHIFT + shift.table) is not None:
            return [], [], False
        learner, version = learners.learner_of(store, person)
        memory, kept = learners.memory_of(store, person, book, now)
        after, encode = worked(learner, memory, shift, now), msgspec.json.encode
        writes = [
            learners.write_of(learners.NOBODY, SHIFT + shift.table, 0, encode(now)),
            learners.write_of(person, learners.LEARNER, version, encode(after.learner)),
            learners.write_of(person, learners.MEMORY + book.slug, kept, encode(after.memory)),
        ]
        rows = [
            ReviewRow(person=person, number=number, at=now, body=encode(one))
            for number, one in enumerate(after.reviews, start=learner.answered + 1)
        ]
        fits = learner.answered // FITTED_EVERY != after.learner.answered // FITTED_EVERY
        return writes, rows, fits

    for _ in range(learners.TRIES):
        writes, rows, fits = await engine.reading(work)
        if not writes or await engine.writing(store.keep_learning, writes, rows):
            if fits:
                learners.fit_later(hall, person)
            return await engine.reading(lambda: _as_it_is(hall, person, shift))
    raise StoreDown("too many answers at once")


def _as_it_is(hall: Hall, person: str, shift: ShiftWorked) -> tuple[LearntSkill, ...]:
    now = hall.clock.wall()
    memory, _ = learners.memory_of(hall.engine.store, person, named(shift.rulebook), now)
    found = [
        LearntSkill(
            skill=skill.skill,
            kind=skill.kind,
            right=skill.right,
            due=memory.skills[skill.skill].due if skill.skill in memory.skills else 0,
            paragraphs=skill.paragraphs,
        )
        for skill in shift.skills
    ]
    return tuple(sorted(found, key=lambda one: (one.right, one.due, one.skill)))
