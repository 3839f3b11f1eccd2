"""Classes: who is weak at what, what to teach next, and the lesson of a class.

Trainers see results, never times of day.

A class is of the house's own staff; what players learn is nobody's business but theirs.
"""

import contextlib
from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Final, NamedTuple

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import named
from thirdcard.rulebook.lookup import find_layout, usual_decks
from thirdcard.rulebook.model import Rulebook, Rules
from thirdcard.school.exams import ExamPlan, chance_to_pass, dealer_plan
from thirdcard.school.item_types import KINDS
from thirdcard.school.known import KnownNow, ParagraphMemory, by_paragraph, known_now
from thirdcard.school.memory import Memory, ShiftScore, Weights
from thirdcard.school.occurrence import RARE, in_100_rounds
from thirdcard.school.progress import ItemName, Review
from thirdcard.service.learning.learners import (
    NOBODY,
    decoded_review,
    latest_of,
    learners_of,
    memories_of_book,
    remade,
)
from thirdcard.service.learning.standing import ParagraphShown, tiles
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import LearningWrite
from thirdcard.service.log.store.people import fold
from thirdcard.service.log.store.school import SchoolStore
from thirdcard.service.people.accounts import People
from thirdcard.service.people.roles import STAFF
from thirdcard.service.tables.hall import Hall
from thirdcard.strict import decodable
from thirdcard.words import ENGLISH, Language
from thirdcard.words.paragraphs import paragraph_titles
from thirdcard.words.saying import say

CLASS: Final = "class:"
LESSON: Final = "lesson:"
MOST_MEMBERS: Final = 60
MOST_CLASSES: Final = 100
MOST_LOOKED_AT: Final = 256  # members of whom is remembered what they knew
BEHIND: Final = 100  # answers of each member, for what is behind a cell
MOST_WRONG: Final = 10
MOST_ITEMS: Final = 100
MOST_IN_LESSON: Final = 40

Member = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class SchoolClass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who learns together, by which rulebook and layout."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    rulebook: Annotated[str, msgspec.Meta(min_length=1, max_length=160)]
    layout: Annotated[str, msgspec.Meta(min_length=1, max_length=2)]
    members: tuple[Member, ...]


class ClassLesson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The items of a lesson, in their order."""

    items: Annotated[list[ItemName], msgspec.Meta(max_length=MOST_IN_LESSON)]


class MemberRow(msgspec.Struct, frozen=True, kw_only=True):
    """One of a class: how well each kind is remembered (None: never met), what is due, chance to pass now.

    `shifts` are the last that were worked by the class's rulebook, the latest at the end.
    """

    name: str
    role: str
    kinds: dict[str, float | None]
    shifts: tuple[ShiftScore, ...]
    due: int
    pass_today: float


class TeachNext(msgspec.Struct, frozen=True, kw_only=True):
    """The paragraph with the largest share of the class that would fail, times rounds in 100 with it."""

    paragraph: str
    would_fail: float
    in_100_rounds: float
    met_by: int
    wrong_answers: int


class WrongSkill(msgspec.Struct, frozen=True, kw_only=True):
    """A skill that was answered wrong this week, so many times of so many."""

    skill: str
    paragraphs: Rules
    wrong: int
    answered: int


class ClassView(msgspec.Struct, frozen=True, kw_only=True):
    """A class as its trainer sees it; `paragraphs` are the class's average, `titles` what each is about."""

    id: str
    title: str
    rulebook: str
    layout: str
    kinds: tuple[str, ...]
    members: tuple[MemberRow, ...]
    paragraphs: tuple[ParagraphShown, ...]
    teach_next: TeachNext | None
    most_wrong: tuple[WrongSkill, ...]
    titles: dict[str, str]


class _ItemInBrief(msgspec.Struct, frozen=True, gc=False):
    kind: str
    rulebook: str
    skill: str


class _ReviewInBrief(msgspec.Struct, frozen=True):
    """As much of an answer as thousands of them are looked through for."""

    item: _ItemInBrief
    right: bool
    paragraphs: Rules
    shift: str = ""


_in_brief = msgspec.json.Decoder(decodable(_ReviewInBrief)).decode
_class = msgspec.json.Decoder(decodable(SchoolClass)).decode


def classes(store: SchoolStore) -> dict[str, SchoolClass]:
    return {kind.removeprefix(CLASS): _class(kept.body) for kind, kept in store.all_learning(NOBODY, CLASS)}


def class_of(store: SchoolStore, name: str) -> SchoolClass | None:
    kept = store.learning(NOBODY, CLASS + name)
    return _class(kept.body) if kept else None


def check_class(people: People, wanted: SchoolClass) -> SchoolClass:
    """With the accounts' own names; BadInput if it cannot be a class."""
    book = named(wanted.rulebook)
    find_layout(book, wanted.layout)
    if not wanted.title.isprintable() or not wanted.title.strip():
        raise BadInput(say("class-title-length"))
    if not 1 <= len(wanted.members) <= MOST_MEMBERS:
        raise BadInput(say("class-size", most_members=MOST_MEMBERS, members=len(wanted.members)))
    found = []
    for name in wanted.members:
        account = people.find(name)
        if account is None or account.disabled or account.role not in STAFF:
            raise BadInput(say("class-is-of-staff", name=name))
        found.append(account.name)
    in_100_rounds(book, wanted.layout)  # the first look at it does not wait for this
    return msgspec.structs.replace(wanted, members=tuple(dict.fromkeys(found)))


def prepare(store: SchoolStore) -> None:
    """Make what the first look at a class needs once for all, so that nobody waits for it."""
    for school_class in classes(store).values():
        with contextlib.suppress(BadInput):  # a rulebook that is not there any more
            in_100_rounds(named(school_class.rulebook), school_class.layout)
            known_now(Memory(rulebook=school_class.rulebook, digest=""), 0)


def keep_class(store: SchoolStore, name: str, made: SchoolClass) -> bool:
    """False if somebody was faster."""
    if class_of(store, name) is None and len(store.all_learning(NOBODY, CLASS)) >= MOST_CLASSES:
        raise BadInput(say("too-many-classes", most_classes=MOST_CLASSES))
    return _keep(store, CLASS + name, made)


def _keep(store: SchoolStore, kind: str, made: SchoolClass | ClassLesson) -> bool:
    kept = store.learning(NOBODY, kind)
    return store.keep_learning(
        [LearningWrite(NOBODY, kind, kept.version if kept else 0, msgspec.json.encode(made))]
    )


def drop_class(store: SchoolStore, name: str) -> None:
    """With its lesson."""
    store.drop_learning(NOBODY, CLASS + name)
    store.drop_learning(NOBODY, LESSON + name)


# --- the view ---------------------------------------------------------------------------------------------


class _Looked(NamedTuple):
    """What a member knew when a class was last looked at, with what that rests on."""

    memory: Memory
    weights: Weights
    known: KnownNow
    plan: ExamPlan
    pass_today: float


_looked: dict[tuple[str, str], _Looked] = {}  # by member and rulebook


def _look(member: str, memory: Memory, weights: Weights, plan: ExamPlan, now: int) -> _Looked:
    """Worked out again only if something was answered, or enough time has passed to make a difference."""
    key = fold(member), memory.rulebook
    one = _looked.get(key)
    rests = memory, weights, plan
    if one and (one.memory, one.weights, one.plan) == rests and one.known.since <= now < one.known.until:
        return one
    known = known_now(memory, now, weights)
    if len(_looked) >= MOST_LOOKED_AT:
        _looked.clear()
    _looked[key] = one = _Looked(memory, weights, known, plan, chance_to_pass(plan, known.kinds))
    return one


def class_view(store: Store, name: str, made: SchoolClass, now: int, lang: Language = ENGLISH) -> ClassView:
    book = named(made.rulebook)
    plan = dealer_plan(book, "-", layout=made.layout, decks=usual_decks(book, None))
    learners = learners_of(store, made.members)
    looked = [
        _look(member, memory, learner.weights, plan, now)
        for member, learner, memory in zip(
            made.members, learners, memories_of_book(store, made.members, book, now), strict=True
        )
    ]
    roles = {fold(account.name): account.role for account in store.accounts_of(made.members)}
    kinds = tuple(kind for kind in KINDS if any(kind in one.known.kinds for one in looked))
    rows = tuple(
        MemberRow(
            name=member,
            role=roles.get(fold(member), ""),
            kinds={**dict.fromkeys(kinds), **one.known.kinds},
            shifts=one.memory.shifts,
            due=one.known.due,
            pass_today=one.pass_today,
        )
        for member, one in zip(made.members, looked, strict=True)
    )
    paragraphs = by_paragraph(one.known for one in looked)
    return ClassView(
        id=name,
        title=made.title,
        rulebook=made.rulebook,
        layout=made.layout,
        kinds=kinds,
        members=rows,
        paragraphs=tiles(paragraphs, book, now),
        teach_next=teach_next(paragraphs, book, made.layout),
        most_wrong=most_wrong(looked),
        titles=paragraph_titles(book, lang),
    )


def teach_next(found: list[ParagraphMemory], book: Rulebook, layout: str) -> TeachNext | None:
    """Over who has met a paragraph at all; None if nobody has met any."""
    often = in_100_rounds(book, layout)
    choice = [
        TeachNext(
            paragraph=memory.paragraph,
            would_fail=memory.would_fail,
            in_100_rounds=often.get(memory.paragraph, RARE),
            met_by=memory.met_by,
            wrong_answers=memory.wrong,
        )
        for memory in sorted(found, key=lambda memory: memory.paragraph)
    ]
    return max(choice, key=lambda one: one.would_fail * one.in_100_rounds, default=None)


def most_wrong(looked: Iterable[_Looked]) -> tuple[WrongSkill, ...]:
    """Of the answers of seven days."""
    answered, wrong, cited = Counter[str](), Counter[str](), dict[str, Rules]()
    for one in looked:
        for skill, (given, failed) in one.known.week.items():
            answered[skill] += given
            if failed:
                wrong[skill] += failed
                cited[skill] = one.memory.skills[skill].paragraphs
    return tuple(
        WrongSkill(skill=skill, paragraphs=cited[skill], wrong=count, answered=answered[skill])
        for skill, count in wrong.most_common(MOST_WRONG)
    )


def items_behind(
    store: Store, made: SchoolClass, *, member: str = "", kind: str = "", paragraph: str = ""
) -> list[tuple[str, Review]]:
    """The answers behind a cell or a tile: the last of each member, then the last but one, and so on."""
    names = {fold(name): name for name in made.members if member in ("", name)}
    wanted = f'"{paragraph}"' if paragraph else f'"kind":"{kind}"' if kind else ""
    behind = list[tuple[str, Review]]()
    few = 2 * MOST_ITEMS // max(1, len(names)) + 1  # of everybody are enough, mostly
    for each in (few, BEHIND):
        behind.clear()
        for row in latest_of(store, names, each=each, limit=each * len(names), holding=wanted.encode()):
            one = _in_brief(row.body)
            of_book = one.item.rulebook == made.rulebook and kind in ("", one.item.kind) and not one.shift
            if of_book and (not paragraph or paragraph in one.paragraphs):
                behind.append((names[row.person], decoded_review(row)))
                if len(behind) == MOST_ITEMS:
                    return behind
    return behind


# Lessons ----------------------------------------------------------------------------------------------


_lesson = msgspec.json.Decoder(decodable(ClassLesson)).decode


def lesson_of(store: SchoolStore, name: str) -> ClassLesson:
    kept = store.learning(NOBODY, LESSON + name)
    return _lesson(kept.body) if kept else ClassLesson(items=[])


def check_lesson(hall: Hall, made: SchoolClass, wanted: ClassLesson) -> None:
    """BadInput if an item cannot be made, or is of another rulebook than the class."""
    for item in wanted.items:
        if item.rulebook != made.rulebook:
            raise BadInput(say("item-not-for-class", rulebook=made.rulebook, rulebook2=item.rulebook[:80]))
        remade(hall, item)


def keep_lesson(store: SchoolStore, name: str, made: ClassLesson) -> bool:
    """False if somebody was faster."""
    return _keep(store, LESSON + name, made)


def drop_lesson(store: SchoolStore, name: str) -> None:
    store.drop_learning(NOBODY, LESSON + name)


def lessons_for(store: SchoolStore, person: str) -> dict[str, tuple[SchoolClass, ClassLesson]]:
    """The lessons of the classes that somebody is in, by class."""
    kept = {kind.removeprefix(LESSON): document for kind, document in store.all_learning(NOBODY, LESSON)}
    if not kept:
        return {}
    mine = {name: made for name, made in classes(store).items() if person in made.members}
    return {name: (made, _lesson(kept[name].body)) for name, made in mine.items() if name in kept}


def may_meet(store: SchoolStore, person: str, name: ItemName) -> bool:
    """Whether an item of a table is in the lesson of a class that somebody is in."""
    return any(name in lesson.items for _, lesson in lessons_for(store, person).values())
