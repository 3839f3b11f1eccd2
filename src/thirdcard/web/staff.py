"""The pages of the people who run the tables: dealer, pit, auditor, administrator.

Each page says what it needs. Who is not signed in is sent to do so; whose role does not fit is told.
"""

from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import quote

from litestar import Response, Router, get
from litestar.exceptions import HTTPException
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.service.api.access import AnyRequest, Asking, AtTable, Visit, guard, needs
from thirdcard.service.api.history import Before, Number
from thirdcard.service.api.problems import Wrong
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.people.roles import PERMISSIONS, ROLES, allowed
from thirdcard.service.queries.books import books, player_statement
from thirdcard.service.queries.finished_rounds import finished_rounds
from thirdcard.service.queries.lobby import summary
from thirdcard.service.queries.log_lines import PAGE, log_heads, log_part, significant_events
from thirdcard.service.queries.promises import shoes
from thirdcard.service.queries.redaction import head_shown
from thirdcard.service.queries.replay import round_steps
from thirdcard.web.answers import language_of, page, problem_answer, problem_page
from thirdcard.web.pages import render, text_of
from thirdcard.web.pages.table_pages import named_otherwise

Name = Annotated[str, QueryParameter(max_length=64)]


def _page(request: AnyRequest, asking: Visit, template: str, **values: object) -> Response[bytes]:
    person = asking.person
    html = render(
        template,
        lang=language_of(request),
        query={name: value for name, value in request.query_params.items() if name != "lang"},
        person=person,
        may={name: allowed(person.role, name) for name in PERMISSIONS},
        dollars=format_dollars,
        **values,
    )
    made = page(request, html)
    made.headers["Cache-Control"] = "no-store"  # nothing of it stays on a device that many use
    return made


# Dealer and pit -----------------------------------------------------------------------------------------


def _table_page(request: AnyRequest, at: AtTable, template: str, **values: object) -> Response[bytes]:
    """A page about one table, whose bets and paragraphs are those of the text that it plays by."""
    book = at.live.table.rules
    return _page(
        request,
        at,
        template,
        table=summary(at.hall, at.live, at.person),
        book=book,
        text=text_of(book),
        bets=named_otherwise(book, language_of(request)),
        **values,
    )


@get("/dealer/{table:str}", opt=needs("deal"))
async def dealer(request: AnyRequest, at: AtTable) -> Response[bytes]:
    return _table_page(request, at, "staff_dealer.html")


@get("/pit", opt=needs("staff"))
async def pit(request: AnyRequest, asking: Asking) -> Response[bytes]:
    return _page(request, asking, "staff_pit.html", table=None)


@get("/pit/{table:str}", opt=needs("staff"))
async def pit_table(request: AnyRequest, at: AtTable) -> Response[bytes]:
    return _table_page(request, at, "staff_pit.html")


# Auditor ------------------------------------------------------------------------------------------------


@get("/audit", opt=needs("read-log"))
async def audit_index(request: AnyRequest, asking: Asking, before: Before = None) -> Response[bytes]:
    """Every log with its head, and the significant-event log."""
    found = await significant_events(asking.hall, before=before, limit=PAGE)
    return _page(
        request,
        asking,
        "staff_audit.html",
        logs=log_heads(asking.hall),
        journal=JOURNAL,
        events=found,
        older=found[-1].sequence if len(found) == PAGE else None,
    )


@get("/audit/{table:str}", opt=needs("read-log"))
async def audit_table(
    request: AnyRequest,
    at: AtTable,
    after: Number = 0,
    played: Annotated[int | None, QueryParameter(name="round", ge=0, le=2**53)] = None,
    kind: Name = "",
) -> Response[bytes]:
    """A table's log in parts, its rounds and its shoes."""
    return _table_page(
        request,
        at,
        "staff_log.html",
        live=at.live,
        head=head_shown(at.live),
        part=await log_part(at.hall, at.live, after=after, number=played, kind=kind),
        asked={"after": after, "round": played, "kind": kind},
        rounds=await finished_rounds(at.hall, at.live.id, before=None, limit=PAGE),
        shoes=await shoes(at.hall, at.live),
    )


@get("/audit/{table:str}/rounds/{number:int}", opt=needs("read-log"))
async def audit_round(request: AnyRequest, at: AtTable, number: FromPath[int]) -> Response[bytes]:
    if not 0 < number <= at.live.table.rounds:
        raise Wrong(404, "no-such-round", f"{at.live.id} has played {at.live.table.rounds} rounds")
    found = await round_steps(at.hall, at.live, number, language_of(request))
    return _table_page(request, at, "staff_replay.html", number=number, steps=found)


@get("/audit/{table:str}/statements", opt=needs("read-statements"))
async def audit_statements(
    request: AnyRequest, at: AtTable, player: Name = "", before: Number = 0
) -> Response[bytes]:
    """Who got what; of one player also every movement, the latest of them first."""
    chosen = await player_statement(at.hall, at.live, player, before=before or None) if player else None
    if player and chosen is None:
        raise Wrong(404, "no-such-player", f"{player} has moved no money at {at.live.id}")
    return _table_page(
        request,
        at,
        "staff_statements.html",
        books=await books(at.hall, at.live),
        chosen=chosen,
    )


# Administrator ------------------------------------------------------------------------------------------


@get("/accounts", opt=needs("manage-accounts"))
async def accounts(request: AnyRequest, asking: Asking) -> Response[bytes]:
    return _page(request, asking, "staff_accounts.html", roles=[role for role in ROLES if role != "guest"])


@get("/staff/rulebooks", opt=needs("add-rulebook"))
async def rulebooks(request: AnyRequest, asking: Asking) -> Response[bytes]:
    return _page(request, asking, "staff_rulebooks.html")


# What goes wrong ----------------------------------------------------------------------------------------


def _wrong(request: AnyRequest, error: Exception) -> Response[Any]:
    """Who is not signed in is sent to do so and comes back; all else is a page that says what is wrong."""
    problem = problem_answer(request, error).content
    if problem.status == 401:  # noqa: PLR2004
        query = f"?{request.url.query}" if request.url.query else ""
        return Redirect(f"/sign-in?next={quote(request.url.path + query)}", status_code=303)
    return problem_page(request, problem)


WRONG: dict[Any, Callable[..., Any]] = {
    Wrong: _wrong,
    BadInput: _wrong,
    HTTPException: _wrong,
    Exception: _wrong,
}
ROUTES: list[ControllerRouterHandler] = [
    dealer, pit, pit_table, audit_index, audit_table, audit_round, audit_statements, accounts, rulebooks,
]  # fmt: skip
PAGES: list[ControllerRouterHandler] = [
    Router("/", route_handlers=ROUTES, guards=[guard], exception_handlers=WRONG, include_in_schema=False),
]
