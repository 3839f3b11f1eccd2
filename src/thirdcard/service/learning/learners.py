"""What somebody learns: the next item, an answer marked and kept, and all that is known of them.

Guests may drill, and nothing of it is kept. An answer is in the store, with all that it changes, before it is
told; the same item answered again at once counts once.
"""

import asyncio
import contextlib
import contextvars
import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import named, slugs
from thirdcard.rulebook.forms import digest_of
from thirdcard.rulebook.lookup import check_decks, find_layout, usual_decks
from thirdcard.rulebook.model import Rulebook
from thirdcard.school import memory as memories
from thirdcard.school.fitting import MOST, fitted, is_due_to_fit
from thirdcard.school.items import KINDS, Item, ItemMark, make, mark, skills, template
from thirdcard.school.memory import DAY, NEW_A_DAY, Memory, Why
from thirdcard.school.progress import Given, ItemName, Learner, Review, practised
from thirdcard.school.ratings import Rated
from thirdcard.service.log.store.model import MANY, LearningWrite, ReviewRow, Store, StoreDown, StoreFull
from thirdcard.service.tables.hall import Hall

LEARNER: Final = "learner"
MEMORY: Final = "memory:"
TEMPLATE: Final = "template:"
NOBODY: Final = ""  # whose what belongs to no person is
TRIES: Final = 5  # of a write that meets another, of an item that cannot be made
EXPORTED: Final = 1_000  # answers at a time
VERSIONED: Final = re.compile(r"(.+)-v([0-9]{1,4})")

_fitting: set[asyncio.Task[None]] = set()  # which nobody else holds
_learner = msgspec.json.Decoder(Learner).decode
_memory = msgspec.json.Decoder(Memory).decode
_rated = msgspec.json.Decoder(Rated).decode
_review = msgspec.json.Decoder(Review).decode


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


class KeptAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer marked, and what is then so: `learner` and `memory` are None where nothing is kept."""

    item: Item
    mark: ItemMark
    learner: Learner | None
    memory: Memory | None


class _Known(NamedTuple):
    """What is kept of somebody and a rulebook, with the versions of both."""

    learner: Learner
    learner_version: int
    memory: Memory
    memory_version: int


# --- what is kept -----------------------------------------------------------------------------------------


def learner_of(store: Store, name: str) -> tuple[Learner, int]:
    kept = store.learning(name, LEARNER)
    return (_learner(kept.body), kept.version) if kept else (Learner(), 0)


def memories_of(store: Store, name: str) -> list[Memory]:
    """As they were kept, of every rulebook."""
    return [_memory(kept.body) for _, kept in store.all_learning(name, MEMORY)]


def memory_of(store: Store, name: str, book: Rulebook, now: int) -> tuple[Memory, int]:
    """What somebody remembers of a rulebook; taken over from an earlier text or version of it."""
    digest, kept = digest_of(book), store.learning(name, MEMORY + book.slug)
    if kept is not None:
        found = _memory(kept.body)
        return (found if found.digest == digest else _newer(found, book, digest, now)), kept.version
    earlier = _earlier(memories_of(store, name), book.slug)
    if earlier is not None:
        return _newer(earlier, book, digest, now), 0
    return Memory(rulebook=book.slug, digest=digest), 0


def _earlier(kept: Iterable[Memory], slug: str) -> Memory | None:
    """What is remembered of the latest version before this one."""
    own = VERSIONED.fullmatch(slug)
    found = [(VERSIONED.fullmatch(one.rulebook), one) for one in kept]
    before = [
        (int(match[2]), one)
        for match, one in found
        if own and match and match[1] == own[1] and int(match[2]) < int(own[2])
    ]
    return max(before, key=lambda pair: pair[0])[1] if before else None


def _newer(memory: Memory, book: Rulebook, digest: str, now: int) -> Memory:
    try:
        before = named(f"{memory.rulebook}@{memory.digest}")
    except BadInput:  # nobody has that text any more
        return memories.all_due(msgspec.structs.replace(memory, rulebook=book.slug), digest, now)
    return memories.carried(memory, before, book, digest, now)


def _known(store: Store, name: str, book: Rulebook, now: int) -> _Known:
    return _Known(*learner_of(store, name), *memory_of(store, name, book, now))


# --- a set ------------------------------------------------------------------------------------------------


def kinds_of(book: Rulebook, layout: str | None, kinds: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """The skills of each kind that a layout has anything of; BadInput for a kind that there is not."""
    for kind in kinds:
        if kind not in KINDS:
            raise BadInput(f"there is no drill {kind[:40]!r}: choose one of {', '.join(KINDS)}")
    found = {}
    for kind in kinds or KINDS:
        try:
            of_kind = skills(kind, book, layout)
        except BadInput:
            if kinds:
                raise
            continue  # a kind that is not made yet
        if of_kind:
            found[kind] = of_kind
    return found


def next_item(store: Store, name: str, wanted: Wanted, now: int) -> NextItem:
    """What comes next for somebody, who is nobody in particular if nothing of theirs is kept."""
    book = wanted.book
    letter = wanted.layout or next(iter(book.layouts))
    find_layout(book, letter)
    decks = check_decks(book, usual_decks(book, wanted.decks))
    offered = {skill: kind for kind, some in kinds_of(book, letter, wanted.kinds).items() for skill in some}
    if not offered:
        raise BadInput(f"{book.slug} has nothing to drill on layout {letter}")
    if name == NOBODY:
        learner, memory = Learner(), Memory(rulebook=book.slug, digest="")
        offered = {skill: offered[skill] for skill in _shuffled(list(offered))}
    else:
        learner, _, memory, _ = _known(store, name, book, now)
    waiting = memories.due(memory, now, offered=offered.keys(), weights=learner.weights)
    new_today = learner.new_on(now // DAY)
    for _ in range(TRIES):
        chosen = memories.choose(
            memory, list(offered), now, recent=learner.recent, new_today=new_today, weights=learner.weights
        )
        if chosen is None:
            break
        kind = offered.pop(chosen.skill)
        try:
            item = make(
                kind,
                book,
                secrets.token_hex(8),
                learner.answered,
                layout=letter,
                decks=decks,
                skill=chosen.skill,
                level=wanted.level or learner.level(kind),
            )
        except BadInput:  # not on this layout, or not at this level: another one
            continue
        return NextItem(item, chosen.why, len(waiting), max(0, NEW_A_DAY - new_today))
    raise BadInput(f"no item can be made for {book.slug} on layout {letter}: choose another drill")


def _shuffled(some: list[str]) -> list[str]:
    secrets.SystemRandom().shuffle(some)
    return some


# --- answers ----------------------------------------------------------------------------------------------


def remade(name: ItemName) -> Item:
    """The item of that name; never from a file."""
    return make(
        name.kind,
        named(name.rulebook),
        name.seed,
        name.number,
        layout=name.layout,
        decks=name.decks,
        skill=name.skill,
        level=name.level,
    )


async def answer(  # noqa: PLR0913 - what an answer is
    hall: Hall,
    person: str,
    name: ItemName,
    answers: dict[str, Given],
    *,
    seconds: float | None = None,
    hint: bool = False,
) -> KeptAnswer:
    """An answer marked and kept; of NOBODY it is only marked."""
    engine, store, now = hall.engine, hall.engine.store, hall.clock.wall()

    def work() -> tuple[KeptAnswer, list[LearningWrite], list[ReviewRow]]:
        item = remade(name)
        marked = mark(item, answers, seconds=seconds, hint=hint)
        if person == NOBODY:
            return KeptAnswer(item=item, mark=marked, learner=None, memory=None), [], []
        known = _known(store, person, named(item.rulebook), now)
        if known.learner.last == name:  # the answer to it was lost on its way: it counts once
            return KeptAnswer(item=item, mark=marked, learner=known.learner, memory=known.memory), [], []
        of_item = TEMPLATE + template(item)
        before = store.learning(NOBODY, of_item)
        after = practised(
            known.learner,
            known.memory,
            _rated(before.body) if before else None,
            item,
            marked,
            answers,
            seconds=seconds,
            hint=hint,
            now=now,
        )
        encode = msgspec.json.encode
        writes = [
            write(person, LEARNER, known.learner_version, encode(after.learner)),
            write(person, MEMORY + item.rulebook, known.memory_version, encode(after.memory)),
            write(NOBODY, of_item, before.version if before else 0, encode(after.template)),
        ]
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
    """A learner's own weights, by what they recalled; if they answer meanwhile it waits for the next time."""
    engine, store = hall.engine, hall.engine.store

    def work() -> LearningWrite:
        learner, version = learner_of(store, person)
        rows = [one for _, one in reviews_of(store, person, limit=MOST)]
        answers = [(f"{one.item.rulebook} {one.item.skill}", one.grade, one.at) for one in reversed(rows)]
        own = msgspec.structs.replace(learner, weights=fitted(answers, learner.weights))
        return write(person, LEARNER, version, msgspec.json.encode(own))

    with contextlib.suppress(StoreDown, StoreFull):
        await engine.writing(store.keep_learning, [await engine.reading(work)])


def write(person: str, kind: str, expected: int, body: bytes) -> LearningWrite:
    return LearningWrite(person=person, kind=kind, expected=expected, body=body)


# --- all that is kept -------------------------------------------------------------------------------------


def reviews_of(store: Store, name: str, *, before: int = MANY, limit: int = 100) -> list[tuple[int, Review]]:
    """Somebody's answers by number, the latest first."""
    return [(row.number, _review(row.body)) for row in store.reviews(name, before=before, limit=limit)]


async def forget(hall: Hall, name: str) -> None:
    """All that is known of somebody's learning is gone; results of exams are the house's and stay."""
    await hall.engine.writing(hall.engine.store.forget_learning, name)


def books() -> list[Rulebook]:
    """Every rulebook that can be learnt."""
    found = []
    for slug in slugs():
        try:
            found.append(named(slug))
        except BadInput:
            continue
    return found
