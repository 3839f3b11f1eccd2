"""What happened, over HTTP: rounds, statements, shoes, logs; every search for rounds is itself on record."""

from datetime import timedelta, timezone
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.lookup import identity
from thirdcard.service.api.access import ANYBODY, Asking, AtTable, needs
from thirdcard.service.api.bodies import Body, takes
from thirdcard.service.api.consoles import Lang
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.reference import book_of
from thirdcard.service.api.tables import identified
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.floor_events import SEARCHED
from thirdcard.service.log.store.model import MANY, ResultList
from thirdcard.service.people.roles import Person, allowed
from thirdcard.service.queries import finished_rounds
from thirdcard.service.queries.books import MOVEMENTS, StatementPart, player_statement, table_account
from thirdcard.service.queries.finding import Findings, RoundFound, RoundQuestion, find_rounds
from thirdcard.service.queries.finished_rounds import OwnRounds
from thirdcard.service.queries.log_lines import LogLine, Significant, log_lines, significant_events
from thirdcard.service.queries.promises import ShoePromise, shoe, shoes
from thirdcard.service.queries.questions import HouseWords, asked, moment
from thirdcard.service.queries.resettle import Resettled, Resettling, streams_of
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import RoundRecord
from thirdcard.table.statements import TableStatement
from thirdcard.words import ENGLISH, languages
from thirdcard.words.saying import say

Few = Annotated[int, QueryParameter(ge=1, le=200)]
Number = Annotated[int, QueryParameter(ge=0, le=2**53)]
MOST_RESETTLED = 50_000  # rounds that are settled again for one page
Before = Annotated[int | None, QueryParameter(ge=0, le=2**53)]


@get("/tables/{table:str}/rounds", opt=ANYBODY, summary="Finished rounds, the latest first")
async def list_rounds(at: AtTable, before: Before = None, limit: Few = 100) -> list[RoundRecord]:
    return await finished_rounds.finished_rounds(at.hall, at.live.id, before=before, limit=limit)


@get("/tables/{table:str}/rounds/{number:int}", opt=ANYBODY, summary="One finished round")
async def show_round(at: AtTable, number: FromPath[int]) -> RoundRecord:
    if not 0 < number < 2**53:
        raise Wrong(404, "no-such-round", say("rounds-count-from-1"))
    found = await finished_rounds.finished_round(at.hall, at.live.id, number)
    if found is None:
        raise Wrong(404, "no-such-round", say("round-not-finished", id=at.live.id, number=number))
    return found


@get("/me/rounds", opt=needs("play"), summary="Your own rounds at all tables, the latest first")
async def own_rounds(
    asking: Asking,
    after: Annotated[str, QueryParameter(max_length=100)] = "",
    limit: Few = 100,
    which: FromQuery[ResultList | None] = None,
) -> OwnRounds:
    """All that you had money in, or, by `which`, those of a list that were settled: all, won, lost or insured."""
    return await finished_rounds.own_rounds(asking.hall, asking.person, after=after, limit=limit, which=which)


class TableAccount(TableStatement, frozen=True, kw_only=True):
    """The table's own account, and by what it is played."""

    schema: str
    thirdcard: str
    rulebook: str
    digest: str


class PlayerAccount(StatementPart, frozen=True, kw_only=True):
    """A part of a player's statement, and by what the table is played."""

    schema: str
    thirdcard: str
    rulebook: str
    digest: str


@get("/tables/{table:str}/statement", opt=needs("read-statements"), summary="The table's own account")
async def show_table_statement(at: AtTable) -> TableAccount:
    return identified(TableAccount, "table-statement", at.live.table.rulebook, table_account(at.live))


@get("/tables/{table:str}/statements/{player:str}", opt=needs(None), summary="A player's statement")
async def show_statement(
    at: AtTable, player: FromPath[str], before: Before = None, limit: Few = MOVEMENTS
) -> PlayerAccount:
    """Your own; staff with the right to it read anybody's. The latest movements, in the order they happened."""
    if player != at.person.name and not allowed(at.person.role, "read-statements"):
        raise Wrong(403, "not-yours", say("statement-is-private"))
    found = await player_statement(at.hall, at.live, player, before=before, limit=limit)
    if found is None:
        raise Wrong(404, "no-such-player", say("moved-no-money", who=player, id=at.live.id))
    return identified(PlayerAccount, "player-statement", at.live.table.rulebook, found)


@get("/tables/{table:str}/shoes", opt=ANYBODY, summary="What was promised of each shoe, the latest first")
async def list_shoes(at: AtTable, before: Before = None, limit: Few = 100) -> list[ShoePromise]:
    """Salt and order are told shoe by shoe."""
    return await shoes(at.hall, at.live, before=before, limit=limit)


@get(
    "/tables/{table:str}/shoes/{number:int}",
    opt=ANYBODY,
    summary="A shoe's promise, and its order once it is finished",
)
async def show_shoe(at: AtTable, number: FromPath[int]) -> ShoePromise:
    found = await shoe(at.hall, at.live, number)
    if found is None:
        raise Wrong(404, "no-such-shoe", say("no-sealed-shoe", id=at.live.id, number=number))
    return found


@get("/tables/{table:str}/log", opt=needs("read-log"), summary="A table's log")
async def show_log(at: AtTable, after: Number = 0, limit: Few = 200) -> list[LogLine]:
    """Cards that nobody has seen are left out, as everywhere, and hashes that would tell them."""
    return await log_lines(at.hall, at.live, after=after, limit=limit)


@get("/significant-events", opt=needs("read-significant"), summary="The significant-event log, the latest first")  # fmt: skip
async def list_significant(
    asking: Asking, before: Before = None, limit: Few = 100, lang: Lang = ENGLISH
) -> list[Significant]:
    chosen = lang if lang in languages() else ENGLISH
    return await significant_events(asking.hall, before=before, limit=limit, language=chosen)


# Looking for rounds -----------------------------------------------------------------------------------


LONGEST = 200  # characters of a question
INSURANCE = frozenset(("player-insurance", "banker-insurance"))
FARTHEST = 24 * 60 - 1  # minutes that any clock is ahead of UTC, or behind it
Minutes = Annotated[int, msgspec.Meta(ge=-FARTHEST, le=FARTHEST)]


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
    skipped: list[str] = []
    questions = understood(hall, wanted, skipped)
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
    found.sort(key=lambda found: (found.at, found.table, found.number), reverse=True)
    return questions, Findings(rounds=found[: wanted.limit], next=going_on, skipped=tuple(skipped))


@get("/resettle", opt=needs("read-log"), summary="What recorded rounds would have paid under another text; nothing is written")  # fmt: skip
async def resettle(
    asking: Asking,
    under: Annotated[str, QueryParameter(min_length=1, max_length=128)],
    since: Number = 0,
    until: Annotated[int, QueryParameter(ge=0, le=MANY)] = MANY,
    table: Annotated[str, QueryParameter(max_length=LONGEST)] = "",
) -> Resettled:
    """Times in microseconds since 1970; a round counts by when it ended."""
    return await settled_again(asking.hall, book_of(under), since, until, table)


async def settled_again(hall: Hall, book: Rulebook, since: int, until: int, table: str) -> Resettled:
    """Part by part, so that others read in between."""
    if since >= until:
        raise BadInput(say("resettle-no-time"))
    store, work = hall.engine.store, Resettling(book, since, until)
    for stream in await hall.engine.reading(streams_of, store, table):
        parts = work.table(store, stream)
        while await hall.engine.reading(next, parts, None) is not None:
            if work.looked_at > MOST_RESETTLED:
                raise BadInput(say("resettle-too-many", most=MOST_RESETTLED))
    return work.result()


def understood(hall: Hall, wanted: FindRounds, skipped: list[str]) -> list[RoundQuestion]:
    if not wanted.words.strip():
        wanted.question.check()
        return [wanted.question]
    if wanted.question != RoundQuestion():
        raise BadInput(say("ask-by-words-or-parts"))
    books = {live.table.rulebook.slug: live.table.rulebook for live in hall.tables().values() if live.state}
    known = HouseWords(
        bets=INSURANCE | {name for book in books.values() for name in book.bets},
        tables=hall.tables().keys(),
        titles={live.title: live.id for live in hall.tables().values()},
        cases={procedure.case for book in books.values() for procedure in book.procedures},
        now=moment(hall.clock.wall() / MICROSECONDS, timezone(timedelta(minutes=wanted.ahead))),
    )
    questions = asked(wanted.words, known, skipped)
    for question in questions:
        question.check()
    return questions


@post("/find", opt=needs("read-log"), status_code=200, **takes(FindRounds), summary="Rounds by what is remembered of them")  # fmt: skip
async def find(asking: Asking, data: JSONBody[FindRounds]) -> RoundsAnswer:
    """The latest first; the search is on record."""
    questions, found = await search(asking.hall, asking.person, data)
    told = identity("find", None)
    return RoundsAnswer(**told, asked=questions, rounds=found.rounds, next=found.next, skipped=found.skipped)
