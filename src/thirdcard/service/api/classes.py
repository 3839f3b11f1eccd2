"""Classes over HTTP, for trainers: who is weak at what, and what to teach next."""

import re
from typing import Annotated

import msgspec
from litestar import Router, delete, get, put
from litestar.params import FromPath, JSONBody, QueryParameter

from thirdcard.errors import BadInput
from thirdcard.school.progress import Given, ItemName
from thirdcard.service.api.access import Asking, Visit, needs
from thirdcard.service.api.consoles import Lang
from thirdcard.service.api.json_bodies import takes
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.reference import book_of
from thirdcard.service.api.school import told_in
from thirdcard.service.learning import classes
from thirdcard.service.learning.classes import ClassView, SchoolClass
from thirdcard.service.log.store.model import StoreDown
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
    return ClassListed(
        id=name, title=one.title, rulebook=one.rulebook, layout=one.layout, members=one.members
    )


@put(
    "/school/classes/{name:str}",
    opt=needs("train"),
    **takes(SchoolClass),
    summary="Make a class, or change it",
)
async def keep_class(asking: Asking, name: FromPath[str], data: JSONBody[SchoolClass]) -> ClassListed:
    """Its members are accounts of staff: what players learn is theirs alone."""
    if not CLASS_ID.fullmatch(name):
        raise BadInput(say("names-no-class-up", name=name[:40]))
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
        ItemBehind(name=who, item=one.item, answers=one.answers, right=one.right, points=one.points)
        for who, one in found
    ]


async def known_class(asking: Visit, name: str) -> SchoolClass:
    engine = asking.hall.engine
    made = await engine.reading(classes.class_of, engine.store, name)
    if made is None:
        raise Wrong(404, "no-such-class", say("no-class", name=name[:40]))
    return made


router = Router(
    "", route_handlers=[list_classes, keep_class, drop_class, show_class, show_items], tags=["school"]
)
