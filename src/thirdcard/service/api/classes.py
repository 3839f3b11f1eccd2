"""Classes over HTTP, for trainers: who is weak at what, what to teach next, and lessons."""

import re
from typing import Annotated

import msgspec
from litestar import delete, get, put
from litestar.params import FromPath, JSONBody, QueryParameter

from thirdcard.errors import BadInput
from thirdcard.rulebook import named
from thirdcard.rulebook.lookup import answered
from thirdcard.school.progress import Given, ItemName
from thirdcard.service.api.access import Asking, AtTable, Numbered, Visit, needs
from thirdcard.service.api.bodies import takes
from thirdcard.service.api.consoles import Lang
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.reference import book_of
from thirdcard.service.api.school import Kinds, told_in
from thirdcard.service.learning import classes
from thirdcard.service.learning.classes import ClassLesson, ClassView, SchoolClass, class_of
from thirdcard.service.learning.learners import kinds_of, remade
from thirdcard.service.learning.own_tables import MOST_ROUNDS, last_over, rounds_mined
from thirdcard.service.learning.shown import ItemShown, item_shown
from thirdcard.service.log.store.model import StoreDown
from thirdcard.service.people.roles import allowed
from thirdcard.words import ENGLISH
from thirdcard.words.saying import say

CLASS_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
Filter = Annotated[str, QueryParameter(max_length=64)]


class ClassListed(msgspec.Struct, frozen=True, kw_only=True):
    """A class in brief."""

    id: str
    title: str
    rulebook: str
    layout: str
    members: tuple[str, ...]


class ItemBehind(msgspec.Struct, frozen=True, kw_only=True):
    """An answer behind a cell: the item's name makes it again. Without the time at which it was given."""

    name: str
    item: ItemName
    answers: dict[str, Given]
    right: bool
    points: int


@get("/school/classes", opt=needs("train"), summary="All classes")
async def list_classes(asking: Asking) -> list[ClassListed]:
    engine = asking.hall.engine
    found = await engine.reading(classes.classes, engine.store)
    return [_listed(name, one) for name, one in found.items()]


def _listed(name: str, one: SchoolClass) -> ClassListed:
    return ClassListed(id=name, **msgspec.structs.asdict(one))


@put(
    "/school/classes/{name:str}",
    opt=needs("train"),
    **takes(SchoolClass),
    summary="Make a class, or change it",
)
async def keep_class(asking: Asking, name: FromPath[str], data: JSONBody[SchoolClass]) -> ClassListed:
    """Its members are accounts of staff: what players learn is theirs alone."""
    if not CLASS_ID.fullmatch(name):
        raise BadInput(say("no-class-name", name=name[:40]))
    book_of(data.rulebook)
    hall = asking.hall
    made = await hall.engine.reading(classes.check_class, hall.people, data)
    if not await hall.engine.writing(classes.keep_class, hall.engine.store, name, made):
        raise StoreDown("somebody changed that class just now")
    return _listed(name, made)


@delete("/school/classes/{name:str}", opt=needs("train"), status_code=204, summary="Drop a class; nobody's learning is lost")  # fmt: skip
async def drop_class(asking: Asking, name: FromPath[str]) -> None:
    await known_class(asking, name)
    await asking.hall.engine.writing(classes.drop_class, asking.hall.engine.store, name)


@get("/school/classes/{name:str}", opt=needs("train"), summary="Who is weak at what, a tile a paragraph, and what to teach next")  # fmt: skip
async def show_class(asking: Asking, name: FromPath[str], lang: Lang = ENGLISH) -> ClassView:
    made, engine = await known_class(asking, name), asking.hall.engine
    now, language = asking.hall.clock.wall(), told_in(lang)
    return await engine.reading(classes.class_view, engine.store, name, made, now, language)


@get("/school/classes/{name:str}/items", opt=needs("train"), summary="The items behind a cell or a tile")
async def show_items(
    asking: Asking, name: FromPath[str], member: Filter = "", kind: Filter = "", paragraph: Filter = ""
) -> list[ItemBehind]:
    """At most 100, of the latest answers of each member."""
    made, engine = await known_class(asking, name), asking.hall.engine
    found = await engine.reading(
        lambda: classes.items_behind(engine.store, made, member=member, kind=kind, paragraph=paragraph)
    )
    return [
        ItemBehind(
            name=who, item=review.item, answers=review.answers, right=review.right, points=review.points
        )
        for who, review in found
    ]


async def known_class(asking: Visit, name: str) -> SchoolClass:
    engine = asking.hall.engine
    made = await engine.reading(classes.class_of, engine.store, name)
    if made is None:
        raise Wrong(404, "no-such-class", say("no-class", name=name[:40]))
    return made


# Lessons, and items of the house's own tables ---------------------------------------------------------


Round = Annotated[int | None, QueryParameter(ge=1, le=10**9)]


class TableMined(msgspec.Struct, frozen=True, kw_only=True):
    """A table with rounds that are over, the latest of them by number."""

    table: str
    title: str
    rulebook: str
    last: int


class ItemsMined(msgspec.Struct, frozen=True, kw_only=True):
    """Items of `count` rounds of a table from `first` on; `last` is the latest round that is over."""

    schema: str
    thirdcard: str
    table: str
    first: int
    count: int
    last: int
    items: tuple[ItemShown, ...]


class LessonListed(msgspec.Struct, frozen=True, kw_only=True):
    """A class's lesson in brief."""

    name: str
    title: str
    rulebook: str
    items: int


class LessonItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item of a lesson without its answer, which `POST /answers` marks; the so-manieth, from 1."""

    number: int
    of: int
    item: ItemShown


@get("/school/tables", opt=needs("train"), summary="Tables of this house that items can be made of")
async def list_tables(asking: Asking) -> list[TableMined]:
    """Those that have a round that is over; tables for practice are left out."""
    return [
        TableMined(
            table=live.id,
            title=live.title,
            rulebook=live.table.setup.rulebook,
            last=last,
        )
        for live in sorted(asking.hall.engine.tables.values(), key=lambda live: live.id)
        if live.practice is None and (last := last_over(live))
    ]


@get("/school/tables/{table:str}/items", opt=needs("train"), summary="Items of rounds that were played here, with their answers")  # fmt: skip
async def mine(  # noqa: PLR0913, PLR0917 - which rounds, and how they are told
    at: AtTable,
    first: Round = None,
    count: Annotated[int, QueryParameter(ge=1, le=MOST_ROUNDS)] = 5,
    kind: Kinds = None,
    level: Annotated[int, QueryParameter(ge=1, le=10)] = 2,
    lang: Lang = ENGLISH,
) -> ItemsMined:
    """As they were dealt and bet on, with letters for people and without times; without `first`, of the latest rounds."""
    store, language = at.hall.engine.store, told_in(lang)
    kinds_of(named(at.live.table.setup.rulebook), None, tuple(kind or ()))

    def work() -> ItemsMined:
        found = rounds_mined(store, at.live, first=first, count=count, level=level)
        return ItemsMined(
            **answered("mined"),
            table=at.live.id,
            first=found.first,
            count=found.count,
            last=found.last,
            items=tuple(
                item_shown(item, named(item.rulebook), language, solved=True)
                for item in found.items
                if not kind or item.kind in kind
            ),
        )

    return await at.hall.engine.reading(work)


@put("/school/classes/{name:str}/lesson", opt=needs("train"), **takes(ClassLesson), summary="Give a class a lesson: items in their order, none for no lesson")  # fmt: skip
async def keep_lesson(asking: Asking, name: FromPath[str], data: JSONBody[ClassLesson]) -> LessonListed:
    """Up to 40 items of its rulebook, by their names; those of a table too."""
    engine = asking.hall.engine
    made = await known_class(asking, name)
    await engine.reading(classes.check_lesson, asking.hall, made, data)
    if not data.items:
        await engine.writing(classes.drop_lesson, engine.store, name)
    elif not await engine.writing(classes.keep_lesson, engine.store, name, data):
        raise StoreDown("somebody changed that lesson just now")
    return _lesson_listed(name, made, data)


@get("/school/lessons", opt=needs(None), summary="The lessons of the classes that you are in")
async def list_lessons(asking: Asking) -> list[LessonListed]:
    engine = asking.hall.engine
    found = await engine.reading(classes.lessons_for, engine.store, asking.person.name)
    return [_lesson_listed(name, made, lesson) for name, (made, lesson) in found.items()]


@get("/school/lessons/{name:str}/{number:int}", opt=needs(None), summary="An item of your class's lesson, by its number from 1")  # fmt: skip
async def show_item(
    asking: Asking, name: FromPath[str], number: Numbered, lang: Lang = ENGLISH
) -> LessonItem:
    hall, language = asking.hall, told_in(lang)
    made = await hall.engine.reading(class_of, hall.engine.store, name)
    is_in = made is not None and asking.person.name in made.members
    if not is_in and not allowed(asking.person.role, "train"):
        raise Wrong(404, "no-such-class", say("not-in-class", name=name[:40]))
    lesson = await hall.engine.reading(classes.lesson_of, hall.engine.store, name)
    if not 1 <= number <= len(lesson.items):
        raise BadInput(say("lesson-item-range", items=len(lesson.items), number=number))
    wanted = lesson.items[number - 1]

    def work() -> ItemShown:
        return item_shown(remade(hall, wanted), book_of(wanted.rulebook), language, solved=False)

    return LessonItem(number=number, of=len(lesson.items), item=await hall.engine.reading(work))


def _lesson_listed(name: str, made: SchoolClass, lesson: ClassLesson) -> LessonListed:
    return LessonListed(name=name, title=made.title, rulebook=made.rulebook, items=len(lesson.items))
