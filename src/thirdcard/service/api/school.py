"""The school over HTTP: items by topic and seed for anybody, a learner's own set, answers and progress."""

from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, delete, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.lookup import identity, schema_name
from thirdcard.school import in_words
from thirdcard.school.disputes import ItemDoubt
from thirdcard.school.item_types import KINDS
from thirdcard.school.items import make
from thirdcard.school.memory import DAY, Memory, ShiftScore, SkillKept, Why, coming, remembered
from thirdcard.school.progress import MOST_RECORDED, ItemName, Learner, Review
from thirdcard.school.ratings import Rated
from thirdcard.service.api.access import ANYBODY, AnyRequest, Asking, Visit, needs
from thirdcard.service.api.bodies import takes
from thirdcard.service.api.consoles import Lang
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.reference import book_of
from thirdcard.service.learning import learners, standing
from thirdcard.service.learning.classes import may_meet
from thirdcard.service.learning.learners import EXPORTED, NOBODY, GivenAnswer, KeptAnswer, Wanted
from thirdcard.service.learning.shown import (
    ItemShown,
    MarkShown,
    SolutionShown,
    StepShown,
    item_shown,
    mark_shown,
    mixed_up_shown,
    solution_shown,
)
from thirdcard.service.learning.standing import BookProgress, SchoolProgress
from thirdcard.service.log.store.model import MANY
from thirdcard.service.people.roles import allowed
from thirdcard.words import ENGLISH, Language, languages, words
from thirdcard.words.saying import say

MOST_AT_ONCE = 20  # items of one answer

Kind = Annotated[str, QueryParameter(max_length=20)]
Kinds = Annotated[list[str] | None, QueryParameter(max_items=len(KINDS))]
Letter = Annotated[str | None, QueryParameter(min_length=1, max_length=2)]
Decks = Annotated[int | None, QueryParameter(ge=1, le=16)]
Level = Annotated[int | None, QueryParameter(ge=1, le=10)]
SeedText = Annotated[str, QueryParameter(min_length=1, max_length=64)]
SkillName = Annotated[str | None, QueryParameter(max_length=120)]


class KindListed(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of item that a layout has, and all its skills."""

    kind: str
    skills: tuple[str, ...]


class KindsListed(msgspec.Struct, frozen=True, kw_only=True):
    """What can be drilled by a rulebook on a layout."""

    rulebook: str
    digest: str
    layout: str
    kinds: tuple[KindListed, ...]


class ItemsMade(msgspec.Struct, frozen=True, kw_only=True):
    """Items of one topic and seed, the same for ever for the same text of the rulebook."""

    schema: str
    thirdcard: str
    rulebook: str
    digest: str
    seed: str
    items: tuple[ItemShown, ...]


class SetItem(msgspec.Struct, frozen=True, kw_only=True):
    """The next item of a set. `why`: wrong a moment ago, due, new, or ahead of time since nothing is due.

    `kept` says whether answers are: a guest's are not.
    """

    item: ItemShown
    why: Why
    due: int
    new_left: int
    kept: bool


class LearnerThen(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer has left: when the skill is due again (microseconds of UTC), level, rating, in a row.

    `coming` are the next intervals, in microseconds, if it is right whenever it is due; `met` and `wrong` count
    the answers to the skill.
    """

    due: int
    coming: tuple[int, ...]
    met: int
    wrong: int
    remembered: float
    level: int
    rating: int
    deviation: int
    in_a_row: int
    streak: int
    answered: int


class MarkedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer marked, with the right one and why; `then` is None where nothing is kept.

    `mixed_up` says where a wrong answer would have been right, if that is recognised.
    """

    mark: MarkShown
    solution: SolutionShown
    mixed_up: StepShown | None
    then: LearnerThen | None


class WrongShown(msgspec.Struct, frozen=True, kw_only=True):
    """A wrong answer to a part of a skill's items, in words, and how often it was given."""

    part: str
    answer: str
    says: str
    count: int


class OwnAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One of one's own answers, by number."""

    number: int
    review: Review


class MemoryKept(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered of a text of a rulebook, by skill, and the last shifts that were worked by it."""

    rulebook: str
    digest: str
    skills: dict[str, SkillKept]
    shifts: tuple[ShiftScore, ...]


class SchoolExport(msgspec.Struct, frozen=True, kw_only=True):
    """All that is kept of somebody's learning; older answers follow with `before` set to `next`, 0 at the end."""

    schema: str
    name: str
    learner: Learner
    memories: tuple[MemoryKept, ...]
    answers: tuple[OwnAnswer, ...]
    exams: tuple[str, ...]
    next: int
    disputes: tuple[ItemDoubt, ...] = ()


def told_in(language: Language) -> Language:
    return language if language in languages() else ENGLISH


def kept_for(asking: Visit) -> str:
    """Whose learning is kept: nobody's, of a guest."""
    return NOBODY if asking.viewer is None or asking.viewer.role == "guest" else asking.viewer.name


# --- items for anybody ------------------------------------------------------------------------------------


@get(
    "/school/kinds/{slug:str}",
    opt=ANYBODY,
    summary="What can be drilled by a rulebook, and every skill of it",
)
async def list_kinds(request: AnyRequest, slug: FromPath[str], layout: Letter = None) -> KindsListed:
    book = book_of(slug)
    letter = layout or next(iter(book.layouts))
    found = await request.app.state.workers.apart(learners.kinds_of, book, letter)
    said = identity("kinds", book)
    return KindsListed(
        rulebook=said["rulebook"],
        digest=said["digest"],
        layout=letter,
        kinds=tuple(KindListed(kind=kind, skills=skills) for kind, skills in found.items()),
    )


@get("/school/items/{slug:str}/{kind:str}", opt=ANYBODY, summary="Items of a topic from a seed, with or without their answers")  # fmt: skip
async def list_items(  # noqa: PLR0913, PLR0917 - what an item is made of
    request: AnyRequest,
    slug: FromPath[str],
    kind: FromPath[str],
    seed: SeedText,
    first: Annotated[int, QueryParameter(ge=0, le=10**9)] = 0,
    count: Annotated[int, QueryParameter(ge=1, le=MOST_AT_ONCE)] = 1,
    layout: Letter = None,
    decks: Decks = None,
    skill: SkillName = None,
    level: Level = None,
    recorded: Annotated[list[str] | None, QueryParameter(max_items=MOST_RECORDED)] = None,
    solved: FromQuery[bool] = True,  # noqa: FBT002
    lang: Lang = ENGLISH,
) -> ItemsMade:
    """For schools with systems of their own: the same names give the same items, and `solved=false` leaves answers out."""
    book, language = book_of(slug), told_in(lang)

    items = await request.app.state.workers.apart(
        _items,
        kind,
        book,
        seed,
        range(first, first + count),
        language,
        solved=solved,
        layout=layout,
        decks=decks,
        skill=skill,
        level=level or 1,
        recorded=recorded or (),
    )
    return ItemsMade(**identity("items", book), seed=seed, items=items)


def _items(  # noqa: PLR0913 - as they are asked for
    kind: str,
    book: Rulebook,
    seed: str,
    numbers: range,
    language: str,
    *,
    solved: bool,
    **how: Any,  # noqa: ANN401
) -> tuple[ItemShown, ...]:
    made = (make(kind, book, seed, number, **how) for number in numbers)
    return tuple(item_shown(item, book, language, solved=solved) for item in made)


@get("/school/schema", opt=ANYBODY, summary="The JSON schema of items")
async def show_schema() -> Response[Any]:
    made = msgspec.json.schema(ItemsMade) | {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": schema_name("items")}  # fmt: skip
    return Response(msgspec.json.encode(made), media_type=MediaType.JSON)


@post(
    "/school/marks",
    opt=ANYBODY,
    status_code=200,
    **takes(GivenAnswer),
    summary="Mark an answer; nothing is kept",
)
async def mark_answer(asking: Asking, data: JSONBody[GivenAnswer], lang: Lang = ENGLISH) -> MarkedAnswer:
    return await _answered(asking, NOBODY, data, lang)


# --- a learner's own --------------------------------------------------------------------------------------


@get(
    "/school/next/{slug:str}",
    opt=needs(None),
    summary="The next item of your set: what is due, then what is new",
)
async def show_next(  # noqa: PLR0913, PLR0917
    asking: Asking,
    slug: FromPath[str],
    kind: Kinds = None,
    layout: Letter = None,
    decks: Decks = None,
    level: Level = None,
    lang: Lang = ENGLISH,
) -> SetItem:
    """`kind` may be given several times; without one, of all kinds. A guest gets items too, of which nothing is kept."""
    wanted = Wanted(book=book_of(slug), kinds=tuple(kind or ()), layout=layout, decks=decks, level=level)
    engine, now, name = asking.hall.engine, asking.hall.clock.wall(), kept_for(asking)
    language = told_in(lang)

    def work() -> SetItem:
        found = learners.next_item(engine.store, name, wanted, now)
        return SetItem(
            item=item_shown(found.item, wanted.book, language, solved=False),
            why=found.why,
            due=found.due,
            new_left=found.new_left,
            kept=name != NOBODY,
        )

    return await engine.reading(work)


@post("/school/answers", opt=needs(None), status_code=200, **takes(GivenAnswer), summary="Answer an item: marked, and kept for what comes next")  # fmt: skip
async def give_answer(asking: Asking, data: JSONBody[GivenAnswer], lang: Lang = ENGLISH) -> MarkedAnswer:
    """The same item answered again at once counts once."""
    return await _answered(asking, kept_for(asking), data, lang)


async def _answered(asking: Visit, name: str, data: GivenAnswer, lang: Language) -> MarkedAnswer:
    book_of(data.item.rulebook)
    await _check_meets(asking, data.item)
    found = await learners.answer(asking.hall, name, data)
    book = book_of(data.item.rulebook)
    return MarkedAnswer(
        mark=mark_shown(found.mark, data.answers),
        solution=solution_shown(found.item, book, told_in(lang)),
        mixed_up=mixed_up_shown(found.item, book, data.answers, told_in(lang)),
        then=_then(found, asking.hall.clock.wall()),
    )


async def _check_meets(asking: Visit, item: ItemName) -> None:
    """Items of a table are for trainers, and for the class that has them in its lesson."""
    if not item.table or (asking.viewer and allowed(asking.viewer.role, "train")):
        return
    store, name = asking.hall.engine.store, asking.viewer.name if asking.viewer else NOBODY
    if not await asking.hall.engine.reading(may_meet, store, name, item):
        raise Wrong(403, "not-yours", say("items-for-trainers"))


@get("/school/wrong/{slug:str}", opt=needs("train"), summary="The commonest wrong answers to a skill")
async def show_wrong(
    asking: Asking,
    slug: FromPath[str],
    skill: Annotated[str, QueryParameter(min_length=1, max_length=120)],
    lang: Lang = ENGLISH,
) -> list[WrongShown]:
    """Of everybody, by nobody in particular; the most common first."""
    engine, book, lexicon = asking.hall.engine, book_of(slug), words(told_in(lang))

    def work() -> list[WrongShown]:
        found, _ = learners.wrong_answers(engine.store, book.slug, skill)
        rows = [
            WrongShown(
                part=part, answer=key, says=in_words.say(answer.says, lexicon, book), count=answer.count
            )
            for part, answers in found.items()
            for key, answer in answers.items()
        ]
        return sorted(rows, key=lambda shown: -shown.count)

    return await engine.reading(work)


def _then(found: KeptAnswer, now: int) -> LearnerThen | None:
    learner, memory = found.learner, found.memory
    if learner is None or memory is None:
        return None
    one, kind = memory.skills[found.item.skill], found.item.kind
    rating = learner.rated.get(kind, Rated()).now
    return LearnerThen(
        due=one.due,
        coming=coming(one, learner.weights),
        met=one.met,
        wrong=one.wrong,
        remembered=remembered(one, now, learner.weights),
        level=learner.level(kind),
        rating=round(rating.rating),
        deviation=round(rating.deviation),
        in_a_row=learner.in_a_row,
        streak=learner.streak.on(now // DAY),
        answered=learner.answered,
    )


@get(
    "/school/progress",
    opt=needs(None),
    summary="Your learning in brief: ratings, levels, streak, what is due",
)
async def show_progress(asking: Asking) -> SchoolProgress:
    engine = asking.hall.engine
    return await engine.reading(standing.progress, engine.store, asking.person.name, asking.hall.clock.wall())


@get("/school/progress/{slug:str}", opt=needs(None), summary="What you remember of a rulebook: skills, what is due and weak, a tile a paragraph")  # fmt: skip
async def show_book_progress(asking: Asking, slug: FromPath[str]) -> BookProgress:
    engine, book = asking.hall.engine, book_of(slug)
    now = asking.hall.clock.wall()
    return await engine.reading(standing.book_progress, engine.store, asking.person.name, book, now)


@get("/school/export", opt=needs(None), summary="All that is kept of your learning")
async def export(
    asking: Asking, before: Annotated[int, QueryParameter(ge=1, le=MANY)] = MANY
) -> SchoolExport:
    engine, name = asking.hall.engine, asking.person.name

    def work() -> SchoolExport:
        rows = learners.reviews_of(engine.store, name, before=before, limit=EXPORTED, struck=True)
        return SchoolExport(
            schema=schema_name("school.export"),
            name=name,
            learner=learners.learner_of(engine.store, name)[0],
            memories=tuple(map(_exported, learners.memories_of(engine.store, name))),
            answers=tuple(OwnAnswer(number=number, review=row) for number, row in rows),
            exams=tuple(exam for exam, _ in engine.store.exams(name)),
            disputes=learners.disputes_of(engine.store, name)[0],
            next=rows[-1][0] if len(rows) == EXPORTED and rows[-1][0] > 1 else 0,
        )

    return await engine.reading(work)


def _exported(memory: Memory) -> MemoryKept:
    skills = {skill: SkillKept(**msgspec.structs.asdict(other)) for skill, other in memory.skills.items()}
    return MemoryKept(rulebook=memory.rulebook, digest=memory.digest, skills=skills, shifts=memory.shifts)


@delete(
    "/school/progress", opt=needs(None), status_code=204, summary="Forget all that is kept of your learning"
)
async def forget_progress(asking: Asking) -> None:
    """It cannot be undone. Results of exams are the house's and stay."""
    if kept_for(asking) == NOBODY:
        raise BadInput(say("guest-learning-is-not-kept"))
    await learners.forget(asking.hall, asking.person.name)
