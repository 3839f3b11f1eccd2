"""Exams over HTTP: a trainer makes them, people sit them once, and after the last everything is open."""

from typing import Annotated

import msgspec
from litestar import delete, get, post, put
from litestar.params import FromPath, JSONBody, QueryParameter

from thirdcard.rulebook.lookup import find_layout, usual_decks
from thirdcard.school.certificates import SignedCertificate
from thirdcard.school.exams import ExamPlan, ExamResult, chance_to_pass, dealer_plan, item_at, result_of
from thirdcard.school.known import known_now
from thirdcard.school.progress import Answers, Given
from thirdcard.service.api.access import Asking, Numbered, Visit, needs
from thirdcard.service.api.bodies import Body, takes
from thirdcard.service.api.consoles import Lang
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.reference import book_of
from thirdcard.service.api.school import Letter, told_in
from thirdcard.service.evidence.verify import VerifiedCertificate, verified_certificate
from thirdcard.service.learning import exam_papers, exam_room
from thirdcard.service.learning.exam_papers import Exam, Extra, Reason, Sitting, SittingState
from thirdcard.service.learning.learners import learner_of, memory_of
from thirdcard.service.learning.shown import ItemShown, QuestionShown, item_shown, question_shown
from thirdcard.service.log.store.people import fold
from thirdcard.service.people.roles import allowed
from thirdcard.words import ENGLISH
from thirdcard.words.saying import say

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
ExamName = Annotated[str, QueryParameter(max_length=40)]


class NewExam(Body, frozen=True, kw_only=True):
    """A plan, and who may sit it with how many minutes more; it can be begun from `opens` to `closes`.

    Times are microseconds of UTC.
    """

    plan: ExamPlan
    people: Annotated[dict[Name, Extra], msgspec.Meta(min_length=1, max_length=exam_room.MOST_PEOPLE)]
    opens: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    closes: Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class ExamOpen(Body, frozen=True, kw_only=True):
    """When an exam can be begun; microseconds of UTC."""

    opens: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    closes: Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class ExtraTime(Body, frozen=True, kw_only=True):
    """So many minutes more."""

    extra: Extra


class ItemDoubted(Body, frozen=True, kw_only=True):
    """What is wrong with an item."""

    reason: Reason


class ExamAnswer(Body, frozen=True, kw_only=True):
    """An answer by its parts."""

    answers: Answers


class OwnSitting(msgspec.Struct, frozen=True, kw_only=True):
    """One's own part of an exam: `until` is when the time is up, 0 before it is begun; `answered` how many are."""

    state: SittingState
    until: int
    answered: int
    extra: int


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One of the people of an exam, as its trainer sees them; `result` once they have finished.

    `challenged` are items that they think are wrong, by place.
    """

    name: str
    extra: int
    state: SittingState
    result: ExamResult | None
    challenged: dict[int, str]


class ExamShown(msgspec.Struct, frozen=True, kw_only=True):
    """An exam. The seal is told before the first item; `seed` is empty until the last person has finished.

    `mine` is None for who does not sit it, `people` for all but trainers. `chance` is one's own to pass now.
    `later` is the rulebook that is in force in place of the exam's, if one is; `renews` and `renewed` are the
    exam whose certificates it renews and those that renew its own.
    """

    id: str
    plan: ExamPlan
    items: int
    digest: str
    seal: str
    seed: str
    by: str
    opens: int
    closes: int
    over: bool
    struck: dict[int, str]
    now: int
    mine: OwnSitting | None
    chance: float | None
    people: tuple[Candidate, ...] | None
    later: str
    renews: str
    renewed: tuple[str, ...]


class ExamQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """The so-manieth item of one's own order, from 1, without its answer; what was answered so far."""

    number: int
    of: int
    question: QuestionShown
    given: dict[str, Given]
    answered: int
    until: int
    now: int


class AnswerTaken(msgspec.Struct, frozen=True, kw_only=True):
    """It is kept; it is not marked before the end."""

    answered: int
    until: int
    now: int


class OwnResult(msgspec.Struct, frozen=True, kw_only=True):
    """What was reached. While others still sit, `wrong` is empty: items are told once all is `open`.

    `lapsed`: the rulebook `later` is in force in its place. `renews` is the exam whose certificate it renews,
    `renewed_by` the one by which it was renewed itself; both are empty where there is none.
    """

    exam: str
    name: str
    title: str
    open: bool
    result: ExamResult
    lapsed: bool
    later: str
    renews: str
    renewed_by: str


class ExamItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item of the set once it is open, by place: with its solution, and what was answered."""

    place: int
    struck: str
    right: bool
    item: ItemShown
    given: dict[str, Given]


# --- looking ----------------------------------------------------------------------------------------------


def trains(asking: Visit) -> bool:
    return allowed(asking.person.role, "train")


async def _looked(asking: Visit, exam: str) -> tuple[Exam, dict[str, Sitting]]:
    """An exam for its trainer or who is on its list; there is none for anybody else."""
    kept, sat = await exam_room.look(asking.hall, exam)
    if not trains(asking) and asking.person.name not in kept.people:
        raise Wrong(404, "no-such-exam", say("no-exam-for-you", exam=exam[:40]))
    return kept, sat


def _shown(asking: Visit, name: str, exam: Exam, sat: dict[str, Sitting]) -> ExamShown:
    now, me = asking.hall.steady.now(), asking.person.name
    mine = sat.get(me)
    own, later = None, exam_papers.lapsed(exam, now)
    if me in exam.people:
        own = OwnSitting(
            state=mine.state(now) if mine else "invited",
            until=mine.until if mine else 0,
            answered=len(mine.given) if mine else 0,
            extra=exam.people[me],
        )
    return ExamShown(
        id=name,
        plan=exam.plan,
        items=exam.plan.items,
        digest=exam.digest,
        seal=exam.seal,
        seed=exam.seed,
        by=exam.by,
        opens=exam.opens,
        closes=exam.closes,
        over=bool(exam.opened),
        struck=exam.struck,
        now=now,
        mine=own,
        chance=None,
        people=tuple(_candidate(person, exam, sat.get(person), now) for person in exam.people)
        if trains(asking)
        else None,
        later=later.slug if later else "",
        renews=exam.renews,
        renewed=exam.renewed,
    )


def _candidate(name: str, exam: Exam, sitting: Sitting | None, now: int) -> Candidate:
    result = result_of(exam.plan, sitting.items, exam.struck) if sitting and sitting.finished else None
    if result is not None and not exam.opened:
        result = msgspec.structs.replace(result, wrong=())
    return Candidate(
        name=name,
        extra=exam.people[name],
        state=sitting.state(now) if sitting else "invited",
        result=result,
        challenged=sitting.challenged if sitting else {},
    )


@get("/school/exams", opt=needs(None), summary="Exams: yours to sit, or all of them for a trainer")
async def list_exams(
    asking: Asking,
    after: ExamName = "",
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 100,
) -> list[ExamShown]:
    """In order of their days. With your chance to pass each of yours, by what you remember now."""
    engine, me = asking.hall.engine, asking.person.name
    found = await engine.reading(lambda: exam_papers.all_exams(engine.store, after=after, limit=limit))
    shown = []
    for name, exam in found:
        if trains(asking) or me in exam.people:
            kept, sat = await exam_room.look(asking.hall, name)
            shown.append(_shown(asking, name, kept, sat))
    return shown


@get(
    "/school/exams/plan/{slug:str}",
    opt=needs("train"),
    summary="The usual plan of a dealer's exam, to begin with",
)
async def show_plan(slug: FromPath[str], layout: Letter = None) -> ExamPlan:
    book = book_of(slug)
    letter = layout or next(iter(book.layouts))
    find_layout(book, letter)
    return dealer_plan(book, book.document.title[:80], layout=letter, decks=usual_decks(book, None))


@get("/school/exams/{exam:str}", opt=needs(None), summary="An exam: its plan, its seal, and how far you are")
async def show_exam(asking: Asking, exam: FromPath[str]) -> ExamShown:
    """`chance` is yours to pass it now, by what you remember; the people and their results are for trainers."""
    kept, sat = await _looked(asking, exam)
    shown = _shown(asking, exam, kept, sat)
    me, now, store = asking.person.name, asking.hall.clock.wall(), asking.hall.engine.store
    if me not in kept.people or me in sat:
        return shown

    book = exam_papers.book_of(asking.hall, kept)

    def chance() -> float:
        learner, memory = learner_of(store, me)[0], memory_of(store, me, book, now)[0]
        return chance_to_pass(kept.plan, known_now(memory, now, learner.weights).kinds)

    return msgspec.structs.replace(shown, chance=await asking.hall.engine.reading(chance))


# --- a trainer's part -------------------------------------------------------------------------------------


@post(
    "/school/exams",
    opt=needs("train"),
    status_code=201,
    **takes(NewExam),
    summary="Make an exam: sealed at once",
)
async def make_exam(asking: Asking, data: JSONBody[NewExam]) -> ExamShown:
    """The seed is the server's own: whoever makes an exam does not know its items either."""
    book_of(data.plan.rulebook)
    name = await exam_room.make_exam(
        asking.hall, data.plan, data.people, opens=data.opens, closes=data.closes, by=asking.person.name
    )
    return _shown(asking, name, *await _looked(asking, name))


@post("/school/exams/{exam:str}/renewal", opt=needs("train"), status_code=201, **takes(ExamOpen), summary="Make the exam that renews certificates of this one: of what changed")  # fmt: skip
async def renew(asking: Asking, exam: FromPath[str], data: JSONBody[ExamOpen]) -> ExamShown:
    """For all who passed it and have not renewed it, with the extra time that they had; sealed at once."""
    by = asking.person.name
    name = await exam_room.renew(asking.hall, exam, opens=data.opens, closes=data.closes, by=by)
    return _shown(asking, name, *await _looked(asking, name))


@put("/school/exams/{exam:str}/people/{name:str}", opt=needs("train"), **takes(ExtraTime), summary="Let somebody sit it, or give them extra time, before they begin")  # fmt: skip
async def admit(
    asking: Asking, exam: FromPath[str], name: FromPath[str], data: JSONBody[ExtraTime]
) -> ExamShown:
    await exam_room.admit(asking.hall, exam, name, data.extra, by=asking.person.name)
    return _shown(asking, exam, *await _looked(asking, exam))


@delete("/school/exams/{exam:str}/people/{name:str}", opt=needs("train"), status_code=200, summary="Take somebody off the list who has not begun")  # fmt: skip
async def dismiss(asking: Asking, exam: FromPath[str], name: FromPath[str]) -> ExamShown:
    await exam_room.admit(asking.hall, exam, name, None, by=asking.person.name)
    return _shown(asking, exam, *await _looked(asking, exam))


@post("/school/exams/{exam:str}/struck/{place:int}", opt=needs("train"), status_code=200, **takes(ItemDoubted), summary="Strike an item, for everybody")  # fmt: skip
async def strike(
    asking: Asking, exam: FromPath[str], place: Numbered, data: JSONBody[ItemDoubted]
) -> ExamShown:
    """By its place in the set, from 0, once the seed is open."""
    await exam_room.strike(asking.hall, exam, place, data.reason, by=asking.person.name)
    return _shown(asking, exam, *await _looked(asking, exam))


# --- who sits it ------------------------------------------------------------------------------------------


@post("/school/exams/{exam:str}/begin", opt=needs(None), status_code=200, summary="Begin an exam: your one sitting, the clock is the server's")  # fmt: skip
async def begin(asking: Asking, exam: FromPath[str]) -> ExamShown:
    """Asked again it goes on: the answers are kept, and the time runs on."""
    await _looked(asking, exam)
    await exam_room.begin(asking.hall, exam, asking.person.name)
    return _shown(asking, exam, *await _looked(asking, exam))


@get("/school/exams/{exam:str}/items/{number:int}", opt=needs(None), summary="An item of the exam that you sit, in your own order")  # fmt: skip
async def show_question(
    asking: Asking, exam: FromPath[str], number: Numbered, lang: Lang = ENGLISH
) -> ExamQuestion:
    """From 1 on, as often as you like, while your time runs."""
    me, hall = asking.person.name, asking.hall
    item, given = await exam_room.question(hall, exam, me, number)
    kept, _ = await hall.engine.reading(exam_papers.exam_of, hall.engine.store, exam)
    sitting, _ = await hall.engine.reading(exam_papers.sitting_of, hall.engine.store, exam, me)
    assert sitting is not None
    return ExamQuestion(
        number=number,
        of=kept.plan.items,
        question=question_shown(item, exam_papers.book_of(hall, kept), told_in(lang)),
        given=given,
        answered=len(sitting.given),
        until=sitting.until,
        now=hall.steady.now(),
    )


@put("/school/exams/{exam:str}/items/{number:int}", opt=needs(None), **takes(ExamAnswer), summary="Answer an item of the exam that you sit")  # fmt: skip
async def give(
    asking: Asking, exam: FromPath[str], number: Numbered, data: JSONBody[ExamAnswer]
) -> AnswerTaken:
    """It may be changed until you finish or the time is up; nothing is marked before."""
    sitting = await exam_room.give(asking.hall, exam, asking.person.name, number, data.answers)
    return AnswerTaken(answered=len(sitting.given), until=sitting.until, now=asking.hall.steady.now())


@post(
    "/school/exams/{exam:str}/finish",
    opt=needs(None),
    status_code=200,
    summary="Hand in: everything is marked",
)
async def finish(asking: Asking, exam: FromPath[str]) -> OwnResult:
    await exam_room.finish(asking.hall, exam, asking.person.name)
    return await _result(asking, exam, asking.person.name)


@get(
    "/school/exams/{exam:str}/result", opt=needs(None), summary="What you reached, or somebody whom you train"
)
async def show_result(asking: Asking, exam: FromPath[str], name: Annotated[str, QueryParameter(max_length=64)] = "") -> OwnResult:  # fmt: skip
    return await _result(asking, exam, _whose(asking, name))


def _whose(asking: Visit, name: str) -> str:
    me = asking.person.name
    if name and fold(name) != fold(me) and not trains(asking):
        raise Wrong(403, "not-yours", say("results-are-private"))
    return name or me


async def _result(asking: Visit, exam: str, name: str) -> OwnResult:
    kept, sitting = await _sat(asking, exam, name)
    result, engine = result_of(kept.plan, sitting.items, kept.struck), asking.hall.engine
    later = exam_papers.lapsed(kept, asking.hall.clock.wall())
    return OwnResult(
        exam=exam,
        name=sitting.person,
        title=kept.plan.title,
        open=bool(kept.opened),
        result=result if kept.opened else msgspec.structs.replace(result, wrong=()),
        lapsed=later is not None,
        later=later.slug if later else "",
        renews=kept.renews,
        renewed_by=await engine.reading(exam_papers.renewal_of, engine.store, kept, sitting.person),
    )


async def _sat(asking: Visit, exam: str, name: str) -> tuple[Exam, Sitting]:
    """A sitting that is over."""
    kept, sat = await _looked(asking, exam)
    sitting = next((sitting for sitting in sat.values() if fold(sitting.person) == fold(name)), None)
    if sitting is None:
        raise Wrong(409, "exam-not-begun", say("exam-not-sat", name=name))
    if not sitting.finished:
        raise Wrong(409, "exam-running", say("marks-at-the-end"))
    return kept, sitting


@get("/school/exams/{exam:str}/set/{place:int}", opt=needs(None), summary="An item of the set with its solution, once the exam is over")  # fmt: skip
async def show_item(
    asking: Asking,
    exam: FromPath[str],
    place: Numbered,
    name: Annotated[str, QueryParameter(max_length=64)] = "",
    lang: Lang = ENGLISH,
) -> ExamItem:
    """By its place in the set, from 0."""
    kept, sitting = await _sat(asking, exam, _whose(asking, name))
    if not kept.opened:
        raise Wrong(409, "exam-sealed", say("items-shown-after-exam"))
    book, language = exam_papers.book_of(asking.hall, kept), told_in(lang)

    def work() -> ItemShown:
        return item_shown(item_at(kept.plan, book, kept.seed, place), book, language, solved=True)

    item = await asking.hall.engine.reading(work)
    return ExamItem(
        place=place,
        struck=kept.struck.get(place, ""),
        right=sitting.items[place].right,
        item=item,
        given=sitting.given.get(place, {}),
    )


@post("/school/exams/{exam:str}/set/{place:int}/challenge", opt=needs(None), status_code=204, **takes(ItemDoubted), summary="Say that an item is wrong")  # fmt: skip
async def challenge(
    asking: Asking, exam: FromPath[str], place: Numbered, data: JSONBody[ItemDoubted]
) -> None:
    await _looked(asking, exam)
    await exam_room.challenge(asking.hall, exam, asking.person.name, place, data.reason)


@get("/school/exams/{exam:str}/certificate", opt=needs(None), summary="What was reached, signed: `thirdcard verify` checks it")  # fmt: skip
async def show_certificate(asking: Asking, exam: FromPath[str], name: Annotated[str, QueryParameter(max_length=64)] = "") -> SignedCertificate:  # fmt: skip
    """Once the seed is open. Whoever has it marks every answer again, with no more than this file and thirdcard."""
    _, sitting = await _sat(asking, exam, _whose(asking, name))
    return await exam_room.certificate(asking.hall, exam, sitting.person)


@get("/school/exams/{exam:str}/checks", opt=needs(None), summary="A certificate checked as `thirdcard verify` does it")  # fmt: skip
async def show_checks(asking: Asking, exam: FromPath[str], name: Annotated[str, QueryParameter(max_length=64)] = "") -> VerifiedCertificate:  # fmt: skip
    """Signature, answers, seal, every item made and marked again; of one that renews another, that one too."""
    _, sitting = await _sat(asking, exam, _whose(asking, name))
    signed = await exam_room.certificate(asking.hall, exam, sitting.person)
    return await asking.hall.engine.reading(verified_certificate, msgspec.json.encode(signed), signed.key)
