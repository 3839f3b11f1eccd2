"""The pages as routes: every address that a browser asks for and is not the API.

Pages are open to anybody; what they show and do comes from the API, which asks who you are.
"""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import Response, Router, get
from litestar.exceptions import HTTPException
from litestar.params import FromPath, QueryParameter
from litestar.types import ControllerRouterHandler

from thirdcard.errors import BadInput
from thirdcard.odds import fresh, situation
from thirdcard.play.tableau import INITIAL
from thirdcard.roads import roads
from thirdcard.service.api.access import ANYBODY, guard, hall_of, person_of
from thirdcard.service.api.problems import HANDLERS, TITLES, Wrong
from thirdcard.service.api.tables import summary, table_of
from thirdcard.table.state import State
from thirdcard.table.view import notices
from thirdcard.web import assets
from thirdcard.web.answers import AnyRequest, drawing, file, fragment, language_of, page
from thirdcard.web.draw import felt_svg
from thirdcard.web.pages import odds, render, rules, tables
from thirdcard.web.staff import PAGES as STAFF_PAGES

Letter = Annotated[str, QueryParameter(max_length=4)]
Text = Annotated[str, QueryParameter(max_length=4_000)]
Slug = Annotated[str, QueryParameter(max_length=64)]
Decks = Annotated[int, QueryParameter(ge=1, le=16)]
FIRST_BOOK = "rws-tiger-buffalo-commission-v2"
DECKS = 8
NOT_FOUND = 404
NAMED = ("/rules/", "/felt/")  # what is wrong there is a name in the address


async def _who(request: AnyRequest) -> str:
    person = await person_of(request)
    return person.name if person else ""


# Tables -------------------------------------------------------------------------------------------------


@get("/", opt=ANYBODY)
async def lobby(request: AnyRequest) -> Response[bytes]:
    shown = [summary(hall_of(request), live) for live in hall_of(request).tables().values()]
    return page(request, tables.lobby_page(shown, language_of(request), await _who(request)))


@get("/tables", opt=ANYBODY)
async def lobby_cards(request: AnyRequest) -> Response[bytes]:
    """The lobby's tables alone, for a lobby that is open."""
    shown = [summary(hall_of(request), live) for live in hall_of(request).tables().values()]
    return fragment(request, tables.lobby_cards(shown, language_of(request)))


@get("/tables/{table:str}", opt=ANYBODY)
async def play(request: AnyRequest, table: FromPath[str]) -> Response[bytes]:
    live = table_of(hall_of(request), table)
    who = await _who(request)
    own = next((box for box, name in live.table.seats.items() if name == who), None)
    html = tables.table_page(
        summary(hall_of(request), live),
        roads(live.table.results),
        own=own,
        who=who,
        lang=language_of(request),
    )
    return page(request, html)


@get("/tables/{table:str}/board", opt=ANYBODY)
async def board(request: AnyRequest, table: FromPath[str]) -> Response[bytes]:
    live = table_of(hall_of(request), table)
    shown = summary(hall_of(request), live)
    html = tables.board_page(shown, roads(live.table.results), notices(live.table), language_of(request))
    return page(request, html)


@get(["/tables/{table:str}/roads", "/tables/{table:str}/board/roads"], opt=ANYBODY)
async def road_part(request: AnyRequest, table: FromPath[str]) -> Response[bytes]:
    """The roads as a table or a board shows them, after a result."""
    live = table_of(hall_of(request), table)
    sheet: tables.Sheet = "board" if request.url.path.endswith("/board/roads") else "strip"
    return fragment(request, tables.roads_part(roads(live.table.results), sheet, language_of(request)))


@get("/tables/{table:str}/shoes/{number:int}", opt=ANYBODY)
async def shoe(request: AnyRequest, table: FromPath[str], number: FromPath[int]) -> Response[bytes]:
    live = table_of(hall_of(request), table)
    shown = summary(hall_of(request), live)
    return page(request, tables.shoe_page(shown, number, language_of(request)))


class OfferChance(msgspec.Struct, frozen=True, kw_only=True):
    """What an open offer comes to, of a fresh shoe less the cards on the table; in percent."""

    hand: str
    window: int
    win: float
    push: float
    lose: float
    edge: float


@get("/tables/{table:str}/offers.json", opt=ANYBODY)
async def offer_chances(request: AnyRequest, table: FromPath[str]) -> list[OfferChance]:
    """Honest odds beside every offer, from the cards on the table alone."""
    state = table_of(hall_of(request), table).table
    return await asyncio.to_thread(_chances, state)


def _chances(state: State) -> list[OfferChance]:
    current = state.round
    if current is None or current.window is None or not current.window.offers:
        return []
    cards = current.seen
    if len(cards) != len(current.drawn) or len(cards) not in (INITIAL, INITIAL + 1):
        return []
    found = situation(state.rules, fresh(state.setup.decks), cards)
    return [
        OfferChance(
            hand=one.offer.hand.value,
            window=one.offer.window,
            win=round(100 * one.win / one.rounds, 2),
            push=round(100 * one.push / one.rounds, 2),
            lose=round(100 * one.lose / one.rounds, 2),
            edge=round(-100 * float(one.ev or 0), 2),
        )
        for one in found
        if one.rounds
    ]


@get("/sign-in", opt=ANYBODY)
async def sign_in(request: AnyRequest) -> Response[bytes]:
    query = {name: value for name, value in request.query_params.items() if name == "next"}
    html = render("sign_in.html", lang=language_of(request), query=query, who=await _who(request))
    return page(request, html)


# Rules and odds -----------------------------------------------------------------------------------------


async def _made(request: AnyRequest, make: Callable[..., str], *args: object) -> Response[bytes]:
    """A page that takes its time is made away from the event loop."""
    return page(request, await asyncio.to_thread(make, *args, language_of(request)))


@get("/rules", opt=ANYBODY)
async def rules_index(request: AnyRequest) -> Response[bytes]:
    return await _made(request, rules.rules_index)


@get("/rules/interpretations", opt=ANYBODY)
async def interpretations(request: AnyRequest) -> Response[bytes]:
    return await _made(request, rules.interpretations_page)


@get("/rules/{slug:str}", opt=ANYBODY)
async def rulebook(request: AnyRequest, slug: FromPath[str]) -> Response[bytes]:
    return await _made(request, rules.rulebook_page, slug)


@get("/rules/{slug:str}/compare/{other:str}", opt=ANYBODY)
async def compare(request: AnyRequest, slug: FromPath[str], other: FromPath[str]) -> Response[bytes]:
    return await _made(request, rules.compare_rulebooks, slug, other)


@get("/odds", opt=ANYBODY)
async def odds_page(
    request: AnyRequest,
    rulebook: Slug = FIRST_BOOK,
    layout: Letter = "",
    decks: Decks = DECKS,
    seen: Text = "",
) -> Response[bytes]:
    async with request.app.state.working:
        return await _made(request, odds.odds_page, rulebook, layout, decks, seen)


@get("/odds/compare", opt=ANYBODY)
async def odds_compare(
    request: AnyRequest, a: Slug = FIRST_BOOK, b: Slug = "mbs-tiger-v2", decks: Decks = DECKS
) -> Response[bytes]:
    async with request.app.state.working:
        return await _made(request, odds.odds_compare, a, b, decks)


# Files --------------------------------------------------------------------------------------------------


@get("/felt/{slug:str}/{layout:str}/{positions:int}/{own:str}", opt=ANYBODY)
async def felt(  # noqa: PLR0913, PLR0917 - the parts of its address
    request: AnyRequest,
    slug: FromPath[str],
    layout: FromPath[str],
    positions: FromPath[int],
    own: FromPath[str],
    v: Slug = "",
) -> Response[bytes]:
    """The felt from position `own`, `0.svg` for whoever only watches."""
    box, dot, kind = own.partition(".")
    if not box.isdecimal() or len(box) > 2 or (dot, kind) != (".", "svg"):  # noqa: PLR2004 - 16 boxes at most
        raise Wrong(NOT_FOUND, "no-such-felt", "a felt is named by its position: 3.svg, or 0.svg for none")
    svg = felt_svg(slug, layout, positions, int(box) or None)
    return drawing(request, svg, forever=v == assets.version())


@get("/static/{given:str}/{path:path}", opt=ANYBODY, sync_to_thread=False)
def static(request: AnyRequest, given: FromPath[str], path: FromPath[str]) -> Response[bytes]:
    """A file of the version in use for ever; of another version as it is now, to be asked for again."""
    found = assets.assets().get(path.lstrip("/"))
    if found is None:
        raise Wrong(NOT_FOUND, "no-such-file", "there is no such file")
    return file(request, found, forever=given == assets.version())


@get("/{path:path}", opt=ANYBODY, include_in_schema=False)
async def nothing() -> Response[bytes]:
    raise Wrong(NOT_FOUND, "no-such-page", "there is no such page")


# What goes wrong ----------------------------------------------------------------------------------------


def _problem(request: AnyRequest, error: Exception) -> Response[Any]:
    """As a page for people; for programs that asked an address of the API, as problem+json."""
    kinds = (kind for kind in type(error).__mro__ if kind in HANDLERS)
    told: Response[Any] = HANDLERS[next(kinds, Exception)](request, error)
    if request.url.path.startswith("/api/"):
        return told
    problem = told.content
    named = isinstance(error, BadInput) and request.url.path.startswith(NAMED)
    status = NOT_FOUND if named else problem.status
    html = render(
        "wrong.html",
        lang=language_of(request),
        status=status,
        heading=TITLES.get(status, problem.title),
        detail=problem.detail,
    )
    return page(request, html, status)


ROUTES: list[ControllerRouterHandler] = [
    lobby, lobby_cards, play, board, road_part, shoe, offer_chances, sign_in, rules_index, interpretations,
    rulebook, compare, odds_page, odds_compare, felt, static, nothing,
]  # fmt: skip
WRONG: dict[Any, Any] = {Wrong: _problem, BadInput: _problem, HTTPException: _problem, Exception: _problem}
PAGES: list[ControllerRouterHandler] = [
    *STAFF_PAGES,
    Router("/", route_handlers=ROUTES, guards=[guard], exception_handlers=WRONG, include_in_schema=False),
]
