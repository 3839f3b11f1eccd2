"""Classes: who is weak at what, and what to teach next. Trainers see results, never times of day.

A class is of the house's own staff; what players learn is nobody's business but theirs.
"""

from collections import Counter
from typing import Annotated, Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import named
from thirdcard.rulebook.lookup import find_layout, usual_decks
from thirdcard.rulebook.model import Rulebook, Rules
from thirdcard.school.exams import ExamPlan, chance_to_pass, dealer_plan
from thirdcard.school.items import KINDS
from thirdcard.school.memory import DAY, Memory, remembered
from thirdcard.school.occurrence import RARE, in_100_rounds
from thirdcard.school.progress import Learner, Review
from thirdcard.service.learning.learners import learner_of, memory_of, reviews_of
from thirdcard.service.learning.standing import ParagraphShown, mean, tiles
from thirdcard.service.log.store.model import LearningWrite, Store
from thirdcard.service.people.accounts import People
from thirdcard.service.people.roles import STAFF

CLASS: Final = "class:"
NOBODY: Final = ""
MOST_MEMBERS: Final = 60
MOST_CLASSES: Final = 100
WEEK: Final = 7 * DAY
LOOKED_AT: Final = 200  # answers of each member, for what was wrong this week
MOST_WRONG: Final = 10
MOST_ITEMS: Final = 100

Member = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class SchoolClass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who learns together, by which rulebook and layout."""

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    rulebook: Annotated[str, msgspec.Meta(min_length=1, max_length=160)]
    layout: Annotated[str, msgspec.Meta(min_length=1, max_length=2)]
    members: tuple[Member, ...]


class MemberRow(msgspec.Struct, frozen=True, kw_only=True):
    """One of a class: how well each kind is remembered (None: never met), what is due, chance to pass now."""

    name: str
    role: str
    kinds: dict[str, float | None]
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
    """A class as its trainer sees it; `paragraphs` are the class's average."""

    id: str
    title: str
    rulebook: str
    layout: str
    kinds: tuple[str, ...]
    members: tuple[MemberRow, ...]
    paragraphs: tuple[ParagraphShown, ...]
    teach_next: TeachNext | None
    most_wrong: tuple[WrongSkill, ...]


_class = msgspec.json.Decoder(SchoolClass).decode


def classes(store: Store) -> dict[str, SchoolClass]:
    return {kind.removeprefix(CLASS): _class(kept.body) for kind, kept in store.all_learning(NOBODY, CLASS)}


def class_of(store: Store, name: str) -> SchoolClass | None:
    kept = store.learning(NOBODY, CLASS + name)
    return _class(kept.body) if kept else None


def check_class(people: People, wanted: SchoolClass) -> SchoolClass:
    """With the accounts' own names; BadInput if it cannot be a class."""
    book = named(wanted.rulebook)
    find_layout(book, wanted.layout)
    if not wanted.title.isprintable() or not wanted.title.strip():
        raise BadInput("a class's title has 1 to 80 printable characters")
    if not 1 <= len(wanted.members) <= MOST_MEMBERS:
        raise BadInput(f"a class has 1 to {MOST_MEMBERS} members: these are {len(wanted.members)}")
    found = []
    for name in wanted.members:
        account = people.find(name)
        if account is None or account.disabled or account.role not in STAFF:
            raise BadInput(f"{name!r} is no account of staff: a class is of staff")
        found.append(account.name)
    return msgspec.structs.replace(wanted, members=tuple(dict.fromkeys(found)))


def keep_class(store: Store, name: str, made: SchoolClass) -> bool:
    """False if somebody was faster."""
    kept = store.learning(NOBODY, CLASS + name)
    if kept is None and len(store.all_learning(NOBODY, CLASS)) >= MOST_CLASSES:
        raise BadInput(f"a house has at most {MOST_CLASSES} classes: drop one first")
    expected, body = kept.version if kept else 0, msgspec.json.encode(made)
    return store.keep_learning(
        [LearningWrite(person=NOBODY, kind=CLASS + name, expected=expected, body=body)]
    )


def drop_class(store: Store, name: str) -> None:
    store.drop_learning(NOBODY, CLASS + name)


# --- the view ---------------------------------------------------------------------------------------------


def class_view(store: Store, name: str, made: SchoolClass, now: int) -> ClassView:
    book = named(made.rulebook)
    known = [
        (member, learner_of(store, member)[0], memory_of(store, member, book, now)[0])
        for member in made.members
    ]
    met = {one.kind for _, _, memory in known for one in memory.skills.values()}
    kinds = tuple(kind for kind in KINDS if kind in met)
    plan = dealer_plan(book, "-", layout=made.layout, decks=usual_decks(book, None))
    rows = tuple(_row(store, plan, *one, kinds, now) for one in known)
    return ClassView(
        id=name,
        title=made.title,
        rulebook=made.rulebook,
        layout=made.layout,
        kinds=kinds,
        members=rows,
        paragraphs=tiles([memory for *_, memory in known], book, now),
        teach_next=teach_next([memory for *_, memory in known], book, made.layout, now),
        most_wrong=_most_wrong(store, made, now),
    )


def _row(  # noqa: PLR0913, PLR0917 - what a row is made of
    store: Store,
    plan: ExamPlan,
    member: str,
    learner: Learner,
    memory: Memory,
    kinds: tuple[str, ...],
    now: int,
) -> MemberRow:
    account = store.account(member)
    chances: dict[str, list[float]] = {kind: [] for kind in kinds}
    for one in memory.skills.values():
        chances[one.kind].append(remembered(one, now, learner.weights))
    by_kind = {kind: mean(some) for kind, some in chances.items()}
    known = {kind: chance for kind, chance in by_kind.items() if chance is not None}
    return MemberRow(
        name=member,
        role=account.role if account else "",
        kinds=by_kind,
        due=sum(one.due <= now for one in memory.skills.values()),
        pass_today=chance_to_pass(plan, known),
    )


def teach_next(kept: list[Memory], book: Rulebook, layout: str, now: int) -> TeachNext | None:
    """Over who has met a paragraph at all; None if nobody has met any."""
    often = in_100_rounds(book, layout)
    by_paragraph: dict[str, list[list[float]]] = {}
    wrong = Counter[str]()
    for memory in kept:
        own: dict[str, list[float]] = {}
        for one in memory.skills.values():
            for paragraph in one.paragraphs:
                own.setdefault(paragraph, []).append(1 - remembered(one, now))
                wrong[paragraph] += one.wrong
        for paragraph, lost in own.items():
            by_paragraph.setdefault(paragraph, []).append(lost)
    found = [
        TeachNext(
            paragraph=paragraph,
            would_fail=sum(sum(lost) / len(lost) for lost in people) / len(people),
            in_100_rounds=often.get(paragraph, RARE),
            met_by=len(people),
            wrong_answers=wrong[paragraph],
        )
        for paragraph, people in sorted(by_paragraph.items())
    ]
    return max(found, key=lambda one: one.would_fail * one.in_100_rounds, default=None)


def _most_wrong(store: Store, made: SchoolClass, now: int) -> tuple[WrongSkill, ...]:
    answered, wrong, cited = Counter[str](), Counter[str](), dict[str, Rules]()
    for member in made.members:
        for _, one in reviews_of(store, member, limit=LOOKED_AT):
            if one.at >= now - WEEK and one.item.rulebook == made.rulebook:
                skill = one.item.skill
                answered[skill] += 1
                wrong[skill] += not one.right
                cited[skill] = one.paragraphs
    return tuple(
        WrongSkill(skill=skill, paragraphs=cited[skill], wrong=count, answered=answered[skill])
        for skill, count in wrong.most_common(MOST_WRONG)
        if count
    )


def items_behind(
    store: Store, made: SchoolClass, *, member: str = "", kind: str = "", paragraph: str = ""
) -> list[tuple[str, Review]]:
    """The answers behind a cell or a tile, the latest of each member first."""
    found = []
    for name in made.members:
        if member in ("", name):
            for _, one in reviews_of(store, name, limit=LOOKED_AT):
                of_book = one.item.rulebook == made.rulebook and not one.shift  # where nothing was asked
                if of_book and kind in ("", one.item.kind) and (not paragraph or paragraph in one.paragraphs):
                    found.append((name, one))
    return found[:MOST_ITEMS]
