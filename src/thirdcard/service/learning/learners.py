"""What somebody learns: the next item, an answer marked and kept, and all that is known of them.

Guests may drill, and nothing of it is kept. An answer is in the store, with all that it changes, before it is
told; the same item answered again at once counts once.
"""

import asyncio
import contextlib
import contextvars
import secrets
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Annotated, Final, NamedTuple

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import named, slugs
from thirdcard.rulebook.forms import digest_of
from thirdcard.rulebook.lookup import check_decks, find_layout, usual_decks
from thirdcard.rulebook.model import Rulebook
from thirdcard.rulebook.versions import VERSIONED
from thirdcard.school import memory as memories
from thirdcard.school.disputes import ItemDoubt
from thirdcard.school.item_types import KINDS, Item, ItemMark
from thirdcard.school.items import ANOTHER, make, mark, skills, template, what_is_shown
from thirdcard.school.memory import (
    DAY,
    IN_A_ROW,
    MOST_FITTED,
    NEW_A_DAY,
    ChosenSkill,
    Memory,
    Weights,
    Why,
    fitted,
    is_due_to_fit,
)
from thirdcard.school.progress import (
    Answers,
    ItemName,
    Learner,
    Review,
    SettledOrder,
    name_of,
    practised,
)
from thirdcard.school.ratings import Rated
from thirdcard.school.spot_items import NO_ERROR, SPOT, is_unplanted
from thirdcard.school.wrong_answers import WrongAnswers, to_offer, with_wrong
from thirdcard.service.learning.own_tables import own_item
from thirdcard.service.log.store.model import MANY, LearningWrite, ReviewRow, StoreDown, StoreFull
from thirdcard.service.log.store.people import fold
from thirdcard.service.log.store.school import SchoolStore
from thirdcard.service.tables.hall import Hall
from thirdcard.strict import decodable
from thirdcard.words.saying import say

LEARNER: Final = "learner"
MEMORY: Final = "memory:"
DISPUTES: Final = "disputes"
TEMPLATE: Final = "template:"
WRONG: Final = "wrong:"
NOBODY: Final = ""  # whose what belongs to no person is
TRIES: Final = 5  # of a write that meets another, of an item that cannot be made
EXPORTED: Final = 1_000  # answers at a time

_fitting: set[asyncio.Task[None]] = set()  # which nobody else holds
_learner = msgspec.json.Decoder(decodable(Learner)).decode
_rated = msgspec.json.Decoder(decodable(Rated)).decode
_review = msgspec.json.Decoder(decodable(Review)).decode
_memory = lru_cache(maxsize=256)(msgspec.json.Decoder(decodable(Memory)).decode)  # a class is looked at often
_wrong = msgspec.json.Decoder(decodable(WrongAnswers)).decode
_disputes = msgspec.json.Decoder(decodable(tuple[ItemDoubt, ...])).decode


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody practises: a rulebook, some kinds of items or all that it has, on a layout."""

    book: Rulebook
    kinds: tuple[str, ...] = ()
    layout: str | None = None
    decks: int | None = None
    level: int | None = None


class NextItem(msgspec.Struct, frozen=True):
    """The next item of a set and why it comes; how many are due, and how many new skills may still come."""

    item: Item
    why: Why
    due: int
    new_left: int


class GivenAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer to an item: by part a choice's key, several keys, or cents.

    Without `seconds` the clock is off. `order` are the lines of a box as they were settled, where it has one.
    `looked_back`: at a replay, once more from its first four cards, after it was stopped.
    """

    item: ItemName
    answers: Answers
    order: SettledOrder = ()
    seconds: Annotated[float, msgspec.Meta(ge=0, le=86_400)] | None = None
    hint: bool = False
    looked_back: bool = False


class KeptAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer marked, and what is then so: `learner` and `memory` are None where nothing is kept."""

    item: Item
    mark: ItemMark
    learner: Learner | None
    memory: Memory | None


class _Kept(NamedTuple):
    """What is kept of somebody and a rulebook, with the versions of both."""

    learner: Learner
    learner_version: int
    memory: Memory
    memory_version: int


# --- what is kept -----------------------------------------------------------------------------------------


def learner_of(store: SchoolStore, name: str) -> tuple[Learner, int]:
    kept = store.learning(name, LEARNER)
    return (_learner(kept.body), kept.version) if kept else (Learner(), 0)


def learners_of(store: SchoolStore, names: Sequence[str]) -> list[Learner]:
    """One for each name, in one question to the store."""
    kept = store.learning_of(names, LEARNER)
    return [_learner(one.body) if (one := kept.get(fold(name))) else Learner() for name in names]


def memories_of(store: SchoolStore, name: str) -> list[Memory]:
    """As they were kept, of every rulebook."""
    return [_memory(kept.body) for _, kept in store.all_learning(name, MEMORY)]


def memory_of(store: SchoolStore, name: str, book: Rulebook, now: int) -> tuple[Memory, int]:
    """What somebody remembers of a rulebook; taken over from an earlier text or version of it."""
    kept = store.learning(name, MEMORY + book.slug)
    if kept is not None:
        return _brought_up(_memory(kept.body), book, now), kept.version
    earlier = _earlier(memories_of(store, name), book.slug)
    if earlier is not None:
        return _newer(earlier, book, digest_of(book), now), 0
    return Memory(rulebook=book.slug, digest=digest_of(book)), 0


def memories_of_book(store: SchoolStore, names: Sequence[str], book: Rulebook, now: int) -> list[Memory]:
    """What each of several people remembers of a rulebook, in one question to the store."""
    kept = store.learning_of(names, MEMORY + book.slug)
    return [
        _brought_up(_memory(one.body), book, now)
        if (one := kept.get(fold(name)))
        else memory_of(store, name, book, now)[0]
        for name in names
    ]


def _brought_up(found: Memory, book: Rulebook, now: int) -> Memory:
    """To the text that the rulebook has now."""
    digest = digest_of(book)
    return found if found.digest == digest else _newer(found, book, digest, now)


def _earlier(kept: Iterable[Memory], slug: str) -> Memory | None:
    """What is remembered of the latest version before this one."""
    own = VERSIONED.fullmatch(slug)
    versions = [(VERSIONED.fullmatch(memory.rulebook), memory) for memory in kept]
    before = [
        (int(match[2]), memory)
        for match, memory in versions
        if own and match and match[1] == own[1] and int(match[2]) < int(own[2])
    ]
    return max(before, key=lambda pair: pair[0])[1] if before else None


def _newer(memory: Memory, book: Rulebook, digest: str, now: int) -> Memory:
    try:
        before = named(f"{memory.rulebook}@{memory.digest}")
    except BadInput:  # nobody has that text any more
        return memories.all_due(msgspec.structs.replace(memory, rulebook=book.slug), digest, now)
    return memories.carried(memory, before, book, digest, now)


def known_of(store: SchoolStore, name: str, book: Rulebook, now: int) -> _Kept:
    return _Kept(*learner_of(store, name), *memory_of(store, name, book, now))


# --- a set ------------------------------------------------------------------------------------------------


def kinds_of(book: Rulebook, layout: str | None, kinds: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """The skills of each kind that a layout has anything of; BadInput for a kind that there is not."""
    for kind in kinds:
        if kind not in KINDS:
            raise BadInput(say("no-such-drill", kind=kind[:40], kinds=tuple(KINDS)))
    by_kind = {}
    for kind in kinds or KINDS:
        try:
            of_kind = skills(kind, book, layout)
        except BadInput:
            if kinds:
                raise
            continue  # a kind that is not made yet
        if of_kind:
            by_kind[kind] = of_kind
    return by_kind


def next_item(store: SchoolStore, name: str, wanted: Wanted, now: int) -> NextItem:
    """What comes next for somebody, who is nobody in particular if nothing of theirs is kept."""
    book = wanted.book
    letter = wanted.layout or next(iter(book.layouts))
    find_layout(book, letter)
    decks = check_decks(book, usual_decks(book, wanted.decks))
    offered = {skill: kind for kind, some in kinds_of(book, letter, wanted.kinds).items() for skill in some}
    if not offered:
        raise BadInput(say("nothing-to-drill", slug=book.slug, letter=letter))
    if name == NOBODY:
        learner, memory = Learner(), Memory(rulebook=book.slug, digest="")
        offered = {skill: offered[skill] for skill in _shuffled(list(offered))}
    else:
        learner, _, memory, _ = known_of(store, name, book, now)
    waiting = memories.due(memory, now, offered=offered.keys(), weights=learner.weights)
    new_today = learner.new_on(now // DAY)
    turn = secrets.token_hex(8) if name == NOBODY else f"{name}\n{learner.answered}"
    may_be = NO_ERROR in memory.skills or new_today < NEW_A_DAY
    unplanted = is_unplanted(turn) and may_be and learner.recent[-IN_A_ROW:] != (NO_ERROR,) * IN_A_ROW
    if not unplanted and offered.keys() - {NO_ERROR}:
        offered.pop(NO_ERROR, None)
    for _ in range(TRIES):
        chosen = memories.choose(
            memory, list(offered), now, recent=learner.recent, new_today=new_today, weights=learner.weights
        )
        if chosen is None:
            break
        if unplanted and NO_ERROR in offered and offered[chosen.skill] == SPOT:
            why: Why = "ahead" if NO_ERROR in memory.skills else "new"
            chosen = ChosenSkill(NO_ERROR, "due" if NO_ERROR in waiting else why)
        kind = offered.pop(chosen.skill)
        made_of = ItemName(
            kind=kind,
            rulebook=book.slug,
            layout=letter,
            decks=decks,
            seed=secrets.token_hex(8),
            number=learner.answered,
            level=wanted.level or learner.level(kind),
            skill=chosen.skill,
        )
        try:
            item = _unseen(made_of, book, learner.seen)
        except BadInput:  # not on this layout, or not at this level: another one
            continue
        item = _with_recorded(store, item, book)
        return NextItem(item, chosen.why, len(waiting), max(0, NEW_A_DAY - new_today))
    raise BadInput(say("no-item-for-layout", slug=book.slug, letter=letter))


def wrong_answers(store: SchoolStore, rulebook: str, skill: str) -> tuple[WrongAnswers, int]:
    """What was answered wrong to a skill by anybody, and how often."""
    kept = store.learning(NOBODY, f"{WRONG}{skill}@{rulebook}")
    return (_wrong(kept.body), kept.version) if kept else ({}, 0)


def _with_recorded(store: SchoolStore, item: Item, book: Rulebook) -> Item:
    """The same with the commonest wrong answer that it can offer; its name says so."""
    for one in islice(to_offer(wrong_answers(store, item.rulebook, item.skill)[0], item), TRIES):
        with contextlib.suppress(BadInput):  # it cannot be offered with this deal
            return _made_by(msgspec.structs.replace(name_of(item), recorded=(one,)), book)
    return item


def _unseen(name: ItemName, book: Rulebook, seen: Collection[str]) -> Item:
    """An item that does not show what one of the last did, if there is any."""
    for _ in range(ANOTHER):
        item = _made_by(name, book)
        if what_is_shown(item) not in seen:
            break
        name = msgspec.structs.replace(name, seed=secrets.token_hex(8))
    return item


def _shuffled(some: list[str]) -> list[str]:
    secrets.SystemRandom().shuffle(some)
    return some


# --- answers ----------------------------------------------------------------------------------------------


def remade(hall: Hall, name: ItemName, book: Rulebook | None = None) -> Item:
    """The item of that name, by today's text or another of the same rulebook; never from a file."""
    return own_item(hall, name) if name.table else _made_by(name, book)


def _made_by(name: ItemName, book: Rulebook | None = None) -> Item:
    return make(
        name.kind,
        book or named(name.rulebook),
        name.seed,
        name.number,
        layout=name.layout,
        decks=name.decks,
        skill=name.skill,
        level=name.level,
        recorded=name.recorded,
    )


async def answer(hall: Hall, person: str, given: GivenAnswer) -> KeptAnswer:
    """An answer marked and kept; of NOBODY it is only marked."""
    engine, store, now = hall.engine, hall.engine.store, hall.clock.wall()

    def work() -> tuple[KeptAnswer, list[LearningWrite], list[ReviewRow]]:
        item = remade(hall, given.item)
        marked = mark(
            item,
            given.answers,
            seconds=given.seconds,
            hint=given.hint,
            looked_back=given.looked_back,
            order=given.order,
        )
        if person == NOBODY:
            return KeptAnswer(item=item, mark=marked, learner=None, memory=None), [], []
        known = known_of(store, person, named(item.rulebook), now)
        if known.learner.last == given.item:  # the answer to it was lost on its way: it counts once
            return KeptAnswer(item=item, mark=marked, learner=known.learner, memory=known.memory), [], []
        of_item = TEMPLATE + template(item)
        before = store.learning(NOBODY, of_item)
        after = practised(
            known.learner,
            known.memory,
            _rated(before.body) if before else None,
            item,
            marked,
            given.answers,
            order=given.order,
            seconds=given.seconds,
            hint=given.hint,
            now=now,
            looked_back=given.looked_back,
        )
        encode = msgspec.json.encode
        writes = [
            LearningWrite(person, LEARNER, known.learner_version, encode(after.learner)),
            LearningWrite(person, MEMORY + item.rulebook, known.memory_version, encode(after.memory)),
            LearningWrite(NOBODY, of_item, before.version if before else 0, encode(after.template)),
        ]
        if not marked.right:
            of_skill, version = wrong_answers(store, item.rulebook, item.skill)
            wrong = with_wrong(of_skill, item, marked, given.answers)
            if wrong != of_skill:
                kind = f"{WRONG}{item.skill}@{item.rulebook}"
                writes.append(LearningWrite(NOBODY, kind, version, encode(wrong)))
        row = ReviewRow(person=person, number=after.learner.answered, at=now, body=encode(after.review))
        told = KeptAnswer(item=item, mark=marked, learner=after.learner, memory=after.memory)
        return told, writes, [row]

    for _ in range(TRIES):
        told, writes, rows = await engine.reading(work)
        if not writes or await engine.writing(store.keep_learning, writes, rows):
            if writes and told.learner is not None and is_due_to_fit(told.learner.answered):
                fit_later(hall, person)
            return told
    raise StoreDown("too many answers at once")


def fit_later(hall: Hall, person: str) -> None:
    """For nobody in particular: whoever answers does not wait for it, nor pay."""
    task = asyncio.create_task(fit(hall, person), context=contextvars.Context())
    _fitting.add(task)
    task.add_done_callback(_fitting.discard)


async def fit(hall: Hall, person: str) -> None:
    """A learner's own weights, by what they recalled; they may answer meanwhile."""
    engine, store = hall.engine, hall.engine.store

    def work() -> Weights:
        learner, _ = learner_of(store, person)
        rows = [review for _, review in reviews_of(store, person, limit=MOST_FITTED)]
        answers = [(f"{row.item.rulebook} {row.item.skill}", row.grade, row.at) for row in reversed(rows)]
        return fitted(answers, learner.weights)

    with contextlib.suppress(StoreDown, StoreFull):
        weights = await engine.reading(work)
        for _ in range(TRIES):
            learner, version = await engine.reading(learner_of, store, person)
            if not learner.answered:
                return  # all of it was forgotten on wish
            own = msgspec.json.encode(msgspec.structs.replace(learner, weights=weights))
            if await engine.writing(store.keep_learning, [LearningWrite(person, LEARNER, version, own)]):
                return


# --- all that is kept -------------------------------------------------------------------------------------


def disputes_of(store: SchoolStore, name: str) -> tuple[tuple[ItemDoubt, ...], int]:
    """Items that somebody thinks are wrong, or thought so, in the order of the answers."""
    kept = store.learning(name, DISPUTES)
    return (_disputes(kept.body), kept.version) if kept else ((), 0)


def reviews_of(
    store: SchoolStore, name: str, *, before: int = MANY, limit: int = 100, struck: bool = False
) -> list[tuple[int, Review]]:
    """Somebody's answers by number, the latest first; those that were struck only if asked for."""
    rows: Iterable[ReviewRow] = store.reviews(name, before=before, limit=limit)
    return [
        (row.number, decoded_review(row)) for row in (rows if struck else _counting(store, (name,), rows))
    ]


def latest_of(
    store: SchoolStore, names: Collection[str], *, each: int, limit: int, holding: bytes
) -> Iterator[ReviewRow]:
    """What counts of `latest_reviews`."""
    return _counting(store, names, store.latest_reviews(names, each=each, limit=limit, holding=holding))


def _counting(store: SchoolStore, names: Collection[str], rows: Iterable[ReviewRow]) -> Iterator[ReviewRow]:
    """Without answers that were struck."""
    struck = {
        (person, dispute.number)
        for person, kept in store.learning_of(names, DISPUTES).items()
        for dispute in _disputes(kept.body)
        if dispute.settled and dispute.settled.upheld
    }
    return (row for row in rows if (row.person, row.number) not in struck)


def decoded_review(row: ReviewRow) -> Review:
    return _review(row.body)


async def forget(hall: Hall, name: str) -> None:
    """All that is known of somebody's learning is gone; results of exams are the house's and stay."""
    await hall.engine.writing(hall.engine.store.forget_learning, name)


def books() -> list[Rulebook]:
    """Every rulebook that can be learnt."""
    rulebooks = []
    for slug in slugs():
        try:
            rulebooks.append(named(slug))
        except BadInput:
            continue
    return rulebooks
