"""Items that people think are wrong, over HTTP: said by who was asked, settled by trainers."""

import contextlib
from typing import Annotated, Literal, TypeAlias

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from thirdcard.errors import BadInput
from thirdcard.school.disputes import ItemDoubt
from thirdcard.school.progress import Given
from thirdcard.service.api.access import Asking, Numbered, needs
from thirdcard.service.api.bodies import Body, takes
from thirdcard.service.api.consoles import Lang
from thirdcard.service.api.exams import ItemDoubted
from thirdcard.service.api.school import kept_for, told_in
from thirdcard.service.learning import disputes
from thirdcard.service.learning.disputes import DisputedItem
from thirdcard.service.learning.exam_papers import Reason
from thirdcard.service.learning.learners import NOBODY, disputes_of
from thirdcard.service.learning.shown import ItemShown, TraceShown, item_shown, trace_shown
from thirdcard.service.tables.hall import Hall
from thirdcard.words import ENGLISH, Language
from thirdcard.words.saying import say

DisputeState: TypeAlias = Literal["open", "upheld", "explained"]
MOST_OWN = 20  # of one's own that are told


class OwnDispute(msgspec.Struct, frozen=True, kw_only=True):
    """An item that you think is wrong, by the number of your answer; `note` is what the trainer says to you."""

    number: int
    item: ItemShown
    given: dict[str, Given]
    right: bool
    reason: str
    trace: TraceShown
    state: DisputeState
    note: str


class SaidOfItem(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody answered, and why they think that the item is wrong."""

    given: dict[str, Given]
    right: bool
    reason: str


class ItemDisputed(msgspec.Struct, frozen=True, kw_only=True):
    """An item that people think is wrong, made again: how many, what they said; `of_skill` counts all of its skill."""

    id: str
    item: ItemShown
    trace: TraceShown
    people: int
    of_skill: int
    said: tuple[SaidOfItem, ...]


class DisputedPage(msgspec.Struct, frozen=True, kw_only=True):
    """Items that nobody has settled yet, the most disputed first; `next` goes on, empty at the end."""

    items: tuple[ItemDisputed, ...]
    next: str


class SettledDispute(Body, frozen=True, kw_only=True):
    """Whether the item was wrong, and what is said to who disputes it."""

    upheld: bool
    note: Reason


class DoubtsSettled(msgspec.Struct, frozen=True, kw_only=True):
    """For so many people."""

    people: int


def _own(hall: Hall, one: ItemDoubt, language: Language) -> OwnDispute:
    item, book = disputes.made_again(hall, one)
    settled = one.settled
    return OwnDispute(
        number=one.number,
        item=item_shown(item, book, language, solved=True),
        given=one.answers,
        right=one.right,
        reason=one.reason,
        trace=trace_shown(item, book, language),
        state="open" if settled is None else "upheld" if settled.upheld else "explained",
        note=settled.note if settled else "",
    )


@post("/school/answers/{number:int}/dispute", opt=needs(None), status_code=200, **takes(ItemDoubted), summary="Say that an item is wrong which you have answered")  # fmt: skip
async def dispute(
    asking: Asking, number: Numbered, data: JSONBody[ItemDoubted], lang: Lang = ENGLISH
) -> OwnDispute:
    """By the number of your answer. How the engine worked it out is told at once; a trainer settles it."""
    if kept_for(asking) == NOBODY:
        raise BadInput(say("guest-cannot-dispute"))
    said = await disputes.dispute(asking.hall, asking.person.name, number, data.reason)
    return await asking.hall.engine.reading(_own, asking.hall, said, told_in(lang))


@get("/school/disputes", opt=needs(None), summary="Items that you think are wrong, and what it came to")
async def list_own(asking: Asking, lang: Lang = ENGLISH) -> list[OwnDispute]:
    """The latest 20, without items of a table that cannot be made again."""
    hall, name, language = asking.hall, asking.person.name, told_in(lang)

    def work() -> list[OwnDispute]:
        found = []
        for doubt in disputes_of(hall.engine.store, name)[0][: -MOST_OWN - 1 : -1]:
            with contextlib.suppress(BadInput):
                found.append(_own(hall, doubt, language))
        return found

    return await hall.engine.reading(work)


@get("/school/disputed", opt=needs("train"), summary="Items that people think are wrong, to be settled")
async def list_disputed(
    asking: Asking, after: Annotated[str, QueryParameter(max_length=64)] = "", lang: Lang = ENGLISH
) -> DisputedPage:
    """Without names: what is said of an item counts, not by whom."""
    hall, language = asking.hall, told_in(lang)

    def work() -> DisputedPage:
        found, goes_on = disputes.open_disputes(hall, after)
        return DisputedPage(items=tuple(_disputed(item, language) for item in found), next=goes_on)

    return await hall.engine.reading(work)


def _disputed(one: DisputedItem, language: Language) -> ItemDisputed:
    return ItemDisputed(
        id=one.id,
        item=item_shown(one.item, one.book, language, solved=True),
        trace=trace_shown(one.item, one.book, language),
        people=len(one.disputes),
        of_skill=one.of_skill,
        said=tuple(
            SaidOfItem(given=each.answers, right=each.right, reason=each.reason) for each in one.disputes
        ),
    )


@post("/school/disputed/{item:str}/settle", opt=needs("train"), status_code=200, **takes(SettledDispute), summary="Settle what people think of an item")  # fmt: skip
async def settle(asking: Asking, item: FromPath[str], data: JSONBody[SettledDispute]) -> DoubtsSettled:
    """Upheld, a wrong answer to it counts no more and its skill is due anew; else the note explains it."""
    people = await disputes.settle(
        asking.hall, item, upheld=data.upheld, note=data.note, by=asking.person.name
    )
    return DoubtsSettled(people=people)
