"""The pages of the people who run the tables: dealer, pit, auditor, administrator.

Each page says what it needs. Who is not signed in is sent to do so; whose role does not fit is told.
"""

from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from litestar import Response, Router, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.service.api.access import guard, hall_of, need_person, needs
from thirdcard.service.api.problems import HANDLERS, TITLES, Wrong
from thirdcard.service.api.strict import takes
from thirdcard.service.api.tables import Accepted, Key, summary, table_of, told
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.people.roles import PERMISSIONS, ROLES, Person, allowed
from thirdcard.service.queries import records as audit
from thirdcard.service.queries.desk import Desk, desk
from thirdcard.service.queries.replay import Step, steps
from thirdcard.service.tables import plans
from thirdcard.service.tables.engine import Plan
from thirdcard.table import commands
from thirdcard.table.state import Inputs
from thirdcard.web.answers import AnyRequest, language_of, page
from thirdcard.web.draw import card_name
from thirdcard.web.pages import render
from thirdcard.web.words import ui

PREFIX = "staff_"
SPOKEN = (PREFIX, "fact_")  # phrases that scripts need
Number = Annotated[int, QueryParameter(ge=0, le=2**53)]
Name = Annotated[str, QueryParameter(max_length=64)]
Path = FromPath[str]


def _page(request: AnyRequest, person: Person, template: str, **values: object) -> Response[bytes]:
    lang = language_of(request)
    words = {key.removeprefix(PREFIX): said for key, said in ui(lang).items() if key.startswith(SPOKEN)}
    may = {name: allowed(person.role, name) for name in PERMISSIONS}
    query = {name: value for name, value in request.query_params.items() if name != "lang"}
    html = render(
        template,
        lang=lang,
        query=query,
        words=words,
        person=person,
        may=may,
        dollars=format_dollars,
        card_name=card_name,
        **values,
    )
    return page(request, html)


# Dealer and pit -----------------------------------------------------------------------------------------


@get("/dealer/{table:str}", opt=needs("deal"))
async def dealer(request: AnyRequest, table: Path) -> Response[bytes]:
    person, live = await need_person(request), table_of(hall_of(request), table)
    shown = summary(hall_of(request), live)
    return _page(request, person, "staff_dealer.html", table=shown, book=live.table.rules)


@get("/pit", opt=needs("staff"))
async def pit(request: AnyRequest) -> Response[bytes]:
    return _page(request, await need_person(request), "staff_pit.html", table=None)


@get("/pit/{table:str}", opt=needs("staff"))
async def pit_table(request: AnyRequest, table: Path) -> Response[bytes]:
    hall = hall_of(request)
    shown = summary(hall, table_of(hall, table))
    return _page(request, await need_person(request), "staff_pit.html", table=shown)


@get(
    "/tables/{table:str}/desk",
    opt=needs("staff"),
    summary="A table from behind: what is due, rulings worked out",
)
async def show_desk(request: AnyRequest, table: Path) -> Desk:
    person = await need_person(request)
    return desk(table_of(hall_of(request), table), person)


@get("/tables/{table:str}/record", opt=needs("staff"), summary="The round so far, told step by step")
async def show_record(request: AnyRequest, table: Path) -> list[Step]:
    hall = hall_of(request)
    number = table_of(hall, table).table.rounds
    read = hall.engine.store.read
    found: list[Step] = await hall.engine.reading(lambda: list(steps(read(table), number)))
    return found


class AskedRuling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ruling; `order` names the cards in question by their places among them, from 0, not by value."""

    inputs: Inputs = msgspec.field(default_factory=Inputs)
    order: tuple[int, ...] = ()


@post("/tables/{table:str}/rule", opt=needs("staff"), status_code=200, **takes(AskedRuling))
async def rule(request: AnyRequest, table: Path, key: Key, data: JSONBody[AskedRuling]) -> Accepted:
    """Like the command `rule`, for who must not see the cards that the ruling is about."""
    person, hall = await need_person(request), hall_of(request)
    table_of(hall, table)
    asked = b"rule " + await request.body()
    return told(await hall.ask(table, ruled(person, data), person, key=key, asked=asked))


def ruled(person: Person, data: AskedRuling) -> Plan:
    """The ruling as a plan: cards are numbered from 1 at the table."""
    inputs = data.inputs
    if data.order:
        inputs = msgspec.structs.replace(inputs, order=tuple(place + 1 for place in data.order))
    return plans.by_person(person, commands.Rule(by=person.name, inputs=inputs))


# Auditor ------------------------------------------------------------------------------------------------


@get("/audit", opt=needs("read-log"))
async def audit_index(
    request: AnyRequest, before: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None
) -> Response[bytes]:
    """Every log with its head, and the significant-event log."""
    person, hall = await need_person(request), hall_of(request)
    found = await hall.engine.reading(hall.engine.store.significant, before=before, limit=audit.FEW)
    return _page(
        request,
        person,
        "staff_audit.html",
        logs=audit.heads(hall.engine.tables.values()),
        journal=JOURNAL,
        events=[audit.significant(sequence, stored) for sequence, stored in found],
        older=found[-1][0] if len(found) == audit.FEW else None,
    )


@get("/audit/{table:str}", opt=needs("read-log"))
async def audit_table(
    request: AnyRequest,
    table: Path,
    after: Number = 0,
    played: Annotated[int | None, QueryParameter(name="round", ge=0, le=2**53)] = None,
    kind: Name = "",
) -> Response[bytes]:
    """A table's log in parts, its rounds and its shoes."""
    person, hall = await need_person(request), hall_of(request)
    live, store = table_of(hall, table), hall.engine.store
    part = await hall.engine.reading(
        lambda: audit.part_of_log(live, store, after=after, number=played, kind=kind)
    )
    rounds = await hall.engine.reading(store.rounds, table, limit=audit.FEW)
    return _page(
        request,
        person,
        "staff_log.html",
        table=summary(hall, live),
        live=live,
        head=audit.head_of(live),
        part=part,
        asked={"after": after, "round": played, "kind": kind},
        rounds=[audit.brief_round(row) for row in rounds],
    )


@get("/audit/{table:str}/rounds/{number:int}", opt=needs("read-log"))
async def audit_round(request: AnyRequest, table: Path, number: FromPath[int]) -> Response[bytes]:
    person, hall = await need_person(request), hall_of(request)
    live, read = table_of(hall, table), hall.engine.store.read
    if not 0 < number <= live.table.rounds:
        raise Wrong(404, "no-such-round", f"{table} has played {live.table.rounds} rounds")
    found = await hall.engine.reading(lambda: list(steps(read(table), number)))
    return _page(request, person, "staff_replay.html", table=summary(hall, live), number=number, steps=found)


@get("/audit/{table:str}/statements", opt=needs("read-statements"))
async def audit_statements(request: AnyRequest, table: Path, player: Name = "") -> Response[bytes]:
    """Who got what, added up anew from the whole log, whose chain is checked on the way."""
    person, hall = await need_person(request), hall_of(request)
    live, read = table_of(hall, table), hall.engine.store.read
    books = await hall.engine.reading(lambda: audit.books(read(table)))
    if player and player not in books.players:
        raise Wrong(404, "no-such-player", f"{player} has moved no money at {table}")
    chosen = books.players.get(player)
    return _page(
        request, person, "staff_statements.html", table=summary(hall, live), books=books, chosen=chosen
    )


# Administrator ------------------------------------------------------------------------------------------


@get("/accounts", opt=needs("manage-accounts"))
async def accounts(request: AnyRequest) -> Response[bytes]:
    roles = [role for role in ROLES if role != "guest"]
    return _page(request, await need_person(request), "staff_accounts.html", roles=roles)


# What goes wrong ----------------------------------------------------------------------------------------


def _wrong(request: AnyRequest, error: Exception) -> Response[Any]:
    """Who is not signed in is sent to do so and comes back; all else is a page that says what is wrong."""
    kind = next(kind for kind in type(error).__mro__ if kind in HANDLERS)
    answer: Response[Any] = HANDLERS[kind](request, error)
    problem = answer.content
    if problem.status == 401:  # noqa: PLR2004
        query = f"?{request.url.query}" if request.url.query else ""
        return Redirect(f"/sign-in?next={quote(request.url.path + query)}", status_code=303)
    lang = language_of(request)
    heading = TITLES.get(problem.status, problem.title)
    html = render("wrong.html", lang=lang, status=problem.status, heading=heading, detail=problem.detail)
    return page(request, html, problem.status)


WRONG: dict[Any, Callable[..., Any]] = {
    Wrong: _wrong,
    BadInput: _wrong,
    HTTPException: _wrong,
    Exception: _wrong,
}
SHOWN: list[ControllerRouterHandler] = [
    dealer, pit, pit_table, audit_index, audit_table, audit_round, audit_statements, accounts,
]  # fmt: skip
PAGES: list[ControllerRouterHandler] = [
    Router("/", route_handlers=SHOWN, guards=[guard], exception_handlers=WRONG, include_in_schema=False),
    Router("/api", route_handlers=[show_desk, show_record, rule], guards=[guard], tags=["tables"]),
]
