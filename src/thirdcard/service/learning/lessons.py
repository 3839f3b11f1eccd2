"""The lesson of a class: items that its trainer chose, of what was missed or of the house's own tables.

Items of a table are for trainers, and for the class that has them in its lesson.
"""

from typing import Annotated, Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.school.progress import ItemName
from thirdcard.service.learning.classes import LESSON, NOBODY, SchoolClass, classes
from thirdcard.service.learning.learners import remade
from thirdcard.service.log.store.model import LearningWrite
from thirdcard.service.log.store.school import SchoolStore
from thirdcard.service.tables.hall import Hall
from thirdcard.strict import decodable
from thirdcard.words.saying import say

MOST_ITEMS: Final = 40


class ClassLesson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The items of a lesson, in their order."""

    items: Annotated[list[ItemName], msgspec.Meta(max_length=MOST_ITEMS)]


_lesson = msgspec.json.Decoder(decodable(ClassLesson)).decode


def lesson_of(store: SchoolStore, name: str) -> ClassLesson:
    kept = store.learning(NOBODY, LESSON + name)
    return _lesson(kept.body) if kept else ClassLesson(items=[])


def check_lesson(hall: Hall, made: SchoolClass, wanted: ClassLesson) -> None:
    """BadInput if an item cannot be made, or is of another rulebook than the class."""
    for item in wanted.items:
        if item.rulebook != made.rulebook:
            raise BadInput(say("class-learns-item-not", rulebook=made.rulebook, rulebook2=item.rulebook[:80]))
        remade(hall, item)


def keep_lesson(store: SchoolStore, name: str, made: ClassLesson) -> bool:
    """False if somebody was faster."""
    kept = store.learning(NOBODY, LESSON + name)
    write = LearningWrite(
        person=NOBODY,
        kind=LESSON + name,
        expected=kept.version if kept else 0,
        body=msgspec.json.encode(made),
    )
    return store.keep_learning([write])


def drop_lesson(store: SchoolStore, name: str) -> None:
    store.drop_learning(NOBODY, LESSON + name)


def lessons_for(store: SchoolStore, person: str) -> dict[str, tuple[SchoolClass, ClassLesson]]:
    """The lessons of the classes that somebody is in, by class."""
    kept = {kind.removeprefix(LESSON): one for kind, one in store.all_learning(NOBODY, LESSON)}
    if not kept:
        return {}
    mine = {name: made for name, made in classes(store).items() if person in made.members}
    return {name: (made, _lesson(kept[name].body)) for name, made in mine.items() if name in kept}


def may_meet(store: SchoolStore, person: str, name: ItemName) -> bool:
    """Whether an item of a table is in the lesson of a class that somebody is in."""
    return any(name in lesson.items for _, lesson in lessons_for(store, person).values())
