"""Looking for rounds, over HTTP; every search is itself on record, with who asked and what."""

from datetime import timedelta, timezone
from typing import Annotated

import msgspec
from litestar import Router, post
from litestar.params import JSONBody

from thirdcard.errors import BadInput
from thirdcard.rulebook.lookup import identity
from thirdcard.service.api.access import Asking, needs
from thirdcard.service.api.bodies import Body
from thirdcard.service.api.json_bodies import takes
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.floor_events import SEARCHED
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.finding import Findings, RoundFound, RoundQuestion, find_rounds
from thirdcard.service.queries.questions import HouseWords, asked, moment
from thirdcard.service.tables.hall import Hall
from thirdcard.words.saying import say

LONGEST = 200  # characters of a question
INSURANCE = frozenset(("player-insurance", "banker-insurance"))
Minutes = Annotated[int, msgspec.Meta(ge=-24 * 60, le=24 * 60)]


class FindRounds(Body, frozen=True, kw_only=True):
    """What is remembered: by its parts, or in words; `ahead` is how far the asker's clock is ahead of UTC."""

    question: RoundQuestion = msgspec.field(default_factory=RoundQuestion)
    words: Annotated[str, msgspec.Meta(max_length=LONGEST)] = ""
    ahead: Minutes = 0
    after: Annotated[str, msgspec.Meta(max_length=200)] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 50


class RoundsAnswer(Findings, frozen=True, kw_only=True):
    """What was found, by what the question came to."""

    schema: str
    thirdcard: str
    rulebook: str
    digest: str
    asked: list[RoundQuestion]


async def search(hall: Hall, person: Person, wanted: FindRounds) -> tuple[list[RoundQuestion], Findings]:
    """Put on record, then carried out."""
    questions = understood(hall, wanted)
    told = msgspec.json.encode([question for question in questions if question != RoundQuestion()]).decode()
    await hall.note(SEARCHED, {"by": person.name, "asked": told[:1_000]})
    found = list[RoundFound]()
    going_on = None
    for one in questions:
        part = await hall.engine.reading(
            find_rounds, hall.engine.store, one, after=wanted.after, limit=wanted.limit
        )
        found += part.rounds
        going_on = going_on or part.next
    found.sort(key=lambda one: (one.at, one.table, one.number), reverse=True)
    return questions, Findings(rounds=found[: wanted.limit], next=going_on)


def understood(hall: Hall, wanted: FindRounds) -> list[RoundQuestion]:
    if not wanted.words.strip():
        wanted.question.check()
        return [wanted.question]
    if wanted.question != RoundQuestion():
        raise BadInput(say("ask-words-parts-not"))
    books = {live.table.rulebook.slug: live.table.rulebook for live in hall.tables().values() if live.state}
    known = HouseWords(
        bets=INSURANCE | {name for book in books.values() for name in book.bets},
        tables=hall.tables().keys(),
        cases={procedure.case for book in books.values() for procedure in book.procedures},
        now=moment(hall.clock.wall() / MICROSECONDS, timezone(timedelta(minutes=wanted.ahead))),
    )
    return asked(wanted.words, known)


@post("/find", opt=needs("read-log"), status_code=200, **takes(FindRounds), summary="Rounds by what is remembered of them")  # fmt: skip
async def find(asking: Asking, data: JSONBody[FindRounds]) -> RoundsAnswer:
    """The latest first; the search is on record."""
    questions, found = await search(asking.hall, asking.person, data)
    told = identity("find", None)
    return RoundsAnswer(**told, asked=questions, rounds=found.rounds, next=found.next)


router = Router("", route_handlers=[find], tags=["tables"])
