"""Items that learners think are wrong: kept with what they learn, found and settled by trainers.

A trainer is told what was asked, answered and said of it, not by whom: what players learn is theirs.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from thirdcard.errors import BadInput, NotPossible
from thirdcard.rulebook import named
from thirdcard.rulebook.forms import digest_of
from thirdcard.rulebook.model import Rulebook
from thirdcard.school.disputes import MOST_OPEN, DoubtSettled, ItemDoubt, kept, taken_back
from thirdcard.school.item_types import Item
from thirdcard.school.progress import Review
from thirdcard.service.learning.learners import (
    DISPUTES,
    LEARNER,
    MEMORY,
    TRIES,
    disputes_of,
    known_of,
    remade,
    reviews_of,
)
from thirdcard.service.log.store.model import LearningWrite, StoreDown
from thirdcard.service.log.store.school import SchoolStore
from thirdcard.service.tables.hall import Hall
from thirdcard.words.saying import say

MOST_PEOPLE: Final = 200  # whose disputes are looked at in one go

replace = msgspec.structs.replace


class DisputedItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item that people think is wrong, with all that they said; how many say so of its skill."""

    id: str
    item: Item
    book: Rulebook
    disputes: tuple[ItemDoubt, ...]
    of_skill: int


def made_again(hall: Hall, one: ItemDoubt) -> tuple[Item, Rulebook]:
    """The item as it was asked, by the text of that day; by today's where nobody has that any more.

    BadInput of an item of a table whose text is not the rulebook's any more.
    """
    try:
        book = named(f"{one.item.rulebook}@{one.digest}")
    except BadInput:
        book = named(one.item.rulebook)
    return remade(hall, one.item, book), book


async def _change(
    hall: Hall,
    person: str,
    change: Callable[[tuple[ItemDoubt, ...]], tuple[tuple[ItemDoubt, ...], list[LearningWrite]]],
) -> tuple[ItemDoubt, ...]:
    """What somebody disputes, changed together with what follows from it."""
    engine, store = hall.engine, hall.engine.store

    def work() -> tuple[tuple[ItemDoubt, ...], list[LearningWrite]]:
        before, version = disputes_of(store, person)
        after, more = change(before)
        if after == before:
            return after, more
        return after, [LearningWrite(person, DISPUTES, version, msgspec.json.encode(after)), *more]

    for _ in range(TRIES):
        after, writes = await engine.reading(work)
        if not writes or await engine.writing(store.keep_learning, writes):
            return after
    raise StoreDown("too many changes at once")


async def dispute(hall: Hall, person: str, number: int, reason: str) -> ItemDoubt:
    """Somebody thinks that an item is wrong that they have answered; said again, the reason is another."""
    store, now = hall.engine.store, hall.clock.wall()

    def change(before: tuple[ItemDoubt, ...]) -> tuple[tuple[ItemDoubt, ...], list[LearningWrite]]:
        review = _answer(store, person, number)
        if review is None:
            raise NotPossible("no-such-answer", say("no-such-answer", number=number))
        if review.shift:
            raise BadInput(say("answer-of-a-shift", number=number))
        if any(doubt.number == number and doubt.settled for doubt in before):
            raise BadInput(say("dispute-settled-already", number=number))
        others = [doubt for doubt in before if doubt.number != number]
        if sum(other.settled is None for other in others) >= MOST_OPEN:
            raise BadInput(say("too-many-disputes", most_open=MOST_OPEN))
        said = ItemDoubt(
            number=number,
            item=review.item,
            digest=digest_of(named(review.item.rulebook)),
            answers=review.answers,
            right=review.right,
            reason=reason,
            at=now,
        )
        return kept((*others, said)), []

    after = await _change(hall, person, change)
    return next(doubt for doubt in after if doubt.number == number)


def _answer(store: SchoolStore, person: str, number: int) -> Review | None:
    reviews = reviews_of(store, person, before=number + 1, limit=1, struck=True)
    return reviews[0][1] if reviews and reviews[0][0] == number else None


def open_disputes(hall: Hall, after: str = "") -> tuple[list[DisputedItem], str]:
    """What nobody has settled yet, the most disputed first; and from whom it goes on, empty at the end.

    What cannot be made again is left out.
    """
    store = hall.engine.store
    rows = store.learning_of_all(DISPUTES, after=after, limit=MOST_PEOPLE)
    told = [doubt for person, _ in rows for doubt in disputes_of(store, person)[0] if doubt.settled is None]
    of_skill = Counter((doubt.item.rulebook, doubt.item.skill) for doubt in told)
    doubts: dict[str, list[ItemDoubt]] = {}
    for doubt in told:
        doubts.setdefault(doubt.id, []).append(doubt)
    items = []
    for name, some in doubts.items():
        try:
            item, book = made_again(hall, some[0])
        except BadInput:
            continue
        alike = of_skill[item.rulebook, item.skill]
        items.append(DisputedItem(id=name, item=item, book=book, disputes=tuple(some), of_skill=alike))
    items.sort(key=lambda item: (-len(item.disputes), -item.of_skill, min(each.at for each in item.disputes)))
    return items, rows[-1][0] if len(rows) == MOST_PEOPLE else ""


async def settle(hall: Hall, item: str, *, upheld: bool, note: str, by: str) -> int:
    """For everybody who disputes that item; how many they are."""
    store, now = hall.engine.store, hall.clock.wall()
    done = DoubtSettled(upheld=upheld, note=note, by=by, at=now)
    people = await hall.engine.reading(_who, store, item)
    if not people:
        raise NotPossible("no-such-answer", say("nobody-disputes-item", item=item[:40]))
    for person in people:

        def change(
            before: tuple[ItemDoubt, ...], person: str = person
        ) -> tuple[tuple[ItemDoubt, ...], list[LearningWrite]]:
            mine = [doubt for doubt in before if doubt.id == item and doubt.settled is None]
            settled = {doubt.number: replace(doubt, settled=done) for doubt in mine}
            wrong = [doubt for doubt in mine if upheld and not doubt.right]
            return tuple(settled.get(doubt.number, doubt) for doubt in before), _struck(
                store, person, wrong, now
            )

        await _change(hall, person, change)
    return len(people)


def _who(store: SchoolStore, item: str) -> list[str]:
    people, after = [], ""
    while True:
        rows = store.learning_of_all(DISPUTES, after=after, limit=MOST_PEOPLE)
        for person, _ in rows:
            if any(doubt.id == item and doubt.settled is None for doubt in disputes_of(store, person)[0]):
                people.append(person)
        if len(rows) < MOST_PEOPLE:
            return people
        after = rows[-1][0]


def _struck(store: SchoolStore, person: str, wrong: Iterable[ItemDoubt], now: int) -> list[LearningWrite]:
    """What somebody has learnt without those answers, which are of one item."""
    some = list(wrong)
    if not some:
        return []
    known = known_of(store, person, named(some[0].item.rulebook), now)
    learner, memory = known.learner, known.memory
    for doubt in some:
        answer = _answer(store, person, doubt.number)
        learner, memory = taken_back(
            learner, memory, doubt.item.skill, answer.at if answer else doubt.at, now
        )
    encode = msgspec.json.encode
    return [
        LearningWrite(person, LEARNER, known.learner_version, encode(learner)),
        LearningWrite(person, MEMORY + memory.rulebook, known.memory_version, encode(memory)),
    ]
