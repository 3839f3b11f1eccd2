"""The pages as routes: every address that a browser asks for and is not the API.

Pages are open to anybody; what they show and do comes from the API, which asks who you are.
"""

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, Router, get
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from thirdcard.errors import BadInput
from thirdcard.play.settlement import DEFAULT_DECKS
from thirdcard.roads import RoadResult, roads
from thirdcard.rulebook.load import named, packaged
from thirdcard.service.api.access import (
    ANYBODY,
    AnyRequest,
    Asking,
    AtTable,
    Visit,
    guard,
    table_of,
    token_of,
)
from thirdcard.service.api.floor import sessions_of
from thirdcard.service.api.gate import FRAMED, FRAMES, language_of
from thirdcard.service.api.packing import Copies, Copy
from thirdcard.service.api.players import shown_limits, wallet_of
from thirdcard.service.api.problems import TITLES, Wrong
from thirdcard.service.log.store.model import ResultList
from thirdcard.service.people.roles import STAFF, allowed
from thirdcard.service.queries.documents import copy_of
from thirdcard.service.queries.finished_rounds import own_rounds
from thirdcard.service.queries.lobby import kept_seats, listed, lobby_stamp, summaries, summary
from thirdcard.service.queries.own_results import ResultSpan, own_results
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.service.turns import Workers
from thirdcard.table.view import notices
from thirdcard.web import assets
from thirdcard.web.answers import copied, file, kept_nowhere, page, problem_answer, problem_page
from thirdcard.web.draw import FeltStage, felt_svg
from thirdcard.web.pages import beside, lobby, odds, render, rules, table_pages, timeline
from thirdcard.web.pages.account import Owner, account_page
from thirdcard.web.places import home_of
from thirdcard.web.school import PAGES as SCHOOL_PAGES
from thirdcard.web.school import ROUTES as SCHOOL_ROUTES
from thirdcard.web.staff import PAGES as STAFF_PAGES
from thirdcard.web.staff import ROUTES as STAFF_ROUTES
from thirdcard.words import ENGLISH, Language, languages, words
from thirdcard.words.saying import say

Letter = Annotated[str, QueryParameter(max_length=12)]
Text = Annotated[str, QueryParameter(max_length=4_000)]
Slug = Annotated[str, QueryParameter(max_length=128)]  # with a digest behind it
NextWinner = Annotated[Literal["", "player", "banker"], QueryParameter()]
Several = Annotated[tuple[str, ...], QueryParameter(max_items=8)]  # tables by their ids
ROUNDS_SHOWN = 20  # on a page of one's own
FIRST_BOOK = "rws-tiger-buffalo-commission-v2"
NOT_FOUND = 404
PARTS = {"str}": r"\w[\w.~-]*", "int}": r"[0-9]{1,9}"}  # of an address, as patterns
SAFE_QUERY = re.compile(r"[\w.~%=&+-]{0,400}", re.ASCII)
EVERY_BOX = 2**16 - 1  # of a felt, a bit for each
NAMED = ("/rules/", "/felt/")  # what is wrong there is a name in the address


def title_of(live: Live) -> str:
    return live.created.title if live.created else live.id


def _name(asking: Visit) -> str:
    return asking.viewer.name if asking.viewer else ""


async def _shown(asking: Visit) -> str:
    """What others see of whoever asks."""
    who = _name(asking)
    if asking.viewer is None or not allowed(asking.viewer.role, "play"):
        return who
    return await asking.hall.engine.reading(asking.hall.people.shown_as, who)


# Tables -------------------------------------------------------------------------------------------------


@get("/", opt=ANYBODY)
async def lobby_page(request: AnyRequest, asking: Asking) -> Response[bytes]:
    """Whoever is not signed in sees the same page as all others are who are not."""
    lang, who = language_of(request), _name(asking)
    if not who:
        return copied(request, await _lobby(request, asking, "page", lang))
    cards, hall = await _lobby(request, asking, "cards", lang), asking.hall
    plays = allowed(asking.person.role, "play")
    shown = await _shown(asking)
    kept = kept_seats(hall, who) if plays else ()
    html = cards.body.decode()
    return await _made(
        request, lobby.lobby_page, html, lang=lang, who=shown, name=who, plays=plays, kept=kept
    )


@get("/tables", opt=ANYBODY)
async def lobby_cards(request: AnyRequest, asking: Asking) -> Response[bytes]:
    """The lobby's tables alone, for a lobby that is open."""
    return copied(request, await _lobby(request, asking, "cards", language_of(request)), tagged=True)


async def _lobby(request: AnyRequest, asking: Visit, part: str, lang: Language) -> Copy:
    """The lobby's page for nobody in particular, or its tables alone."""
    hall, tables = asking.hall, [live for live in asking.hall.tables().values() if not live.archived]
    hall.lobby_seen()
    drawn = request.app.state.setdefault("lobby_cards", lobby.LobbyCards())

    def make() -> bytes:
        books = {live.id: live.table.rulebook for live in tables}
        cards: str = drawn.html(summaries(hall, tables, None), books, lang)
        return (lobby.lobby_page(cards, lang) if part == "page" else cards).encode()

    copies: Copies = request.app.state.copies
    return await copies.get((part, lang), make, lobby_stamp(hall))


@get("/tables/{table:str}", opt=ANYBODY)
async def play(request: AnyRequest, at: AtTable) -> Response[bytes]:
    state, who = at.live.table, _name(at)
    answer = await _made(
        request,
        table_pages.table_page,
        summary(at.hall, at.live, at.viewer),
        state.rulebook,
        roads(state.results),
        own=next((box for box, name in state.seats.items() if name == who), None),
        who=who,
        shown=await _shown(at),
        works=at.viewer is not None and allowed(at.viewer.role, "staff"),
        plays=at.viewer is None or allowed(at.viewer.role, "play"),
        lang=language_of(request),
    )
    return _with(answer, FRAMED)


@get("/several", opt=ANYBODY)
async def several(request: AnyRequest, asking: Asking, t: Several = ()) -> Response[bytes]:
    """Up to four tables side by side, each in a frame of its own."""
    if len(t) > table_pages.MOST_TABLES or len(set(t)) < len(t):
        expected = f"up to {table_pages.MOST_TABLES} tables are shown side by side, each of them once"
        raise BadInput(f"{expected}: got {', '.join(t)}")
    shown = [table_of(asking.hall, one, asking.viewer) for one in t]
    others = [live for live in listed(asking.hall) if live.id not in t]
    answer = await _made(
        request,
        table_pages.several_page,
        summaries(asking.hall, shown, asking.viewer),
        summaries(asking.hall, others, asking.viewer),
        language_of(request),
        await _shown(asking),
    )
    return _with(answer, FRAMES)


def _with(answer: Response[bytes], headers: Mapping[str, str]) -> Response[bytes]:
    for name, value in headers.items():
        answer.set_header(name, value)
    return answer


@get("/tables/{table:str}/board", opt=ANYBODY)
async def board(request: AnyRequest, at: AtTable) -> Response[bytes]:
    state, shown = at.live.table, summary(at.hall, at.live, at.viewer)
    road_map = roads(state.results)
    return await _made(
        request, table_pages.board_page, shown, state.rulebook, road_map, notices(state), language_of(request)
    )


@get(["/tables/{table:str}/roads", "/tables/{table:str}/board/roads"], opt=ANYBODY)
async def road_part(request: AnyRequest, at: AtTable, next: NextWinner = "") -> Response[bytes]:  # noqa: A002
    """The roads as a table or a board shows them; with `next`, as they would be if that hand wins."""
    sheet: table_pages.Sheet = "board" if request.url.path.endswith("/board/roads") else "strip"
    lang, results = language_of(request), at.live.table.results
    asked = (*results, RoadResult(next)) if next else results
    copies: Copies = request.app.state.copies
    copy = await copies.get(
        (at.live.id, sheet, lang, next),
        lambda: table_pages.roads_part(roads(asked), sheet, lang).encode(),
        tuple(results),
        old=math.inf,
    )
    return copied(request, copy, tagged=True)


@get("/tables/{table:str}/shoes/{number:int}", opt=ANYBODY)
async def shoe(request: AnyRequest, at: AtTable, number: FromPath[int]) -> Response[bytes]:
    shown = summary(at.hall, at.live, at.viewer)
    return page(request, table_pages.shoe_page(shown, number, language_of(request)))


@get("/home", opt=ANYBODY)
async def home(asking: Asking) -> Redirect:
    """Where whoever is signed in works or plays."""
    return Redirect(home_of(asking.viewer.role if asking.viewer else ""), status_code=303)


@get("/sign-in", opt=ANYBODY)
async def sign_in(request: AnyRequest, asking: Asking) -> Response[bytes]:
    back = own_page(request.query_params.get("next", "/home"))
    html = render(
        "sign_in.html",
        lang=language_of(request),
        query={"next": back},
        back=back,
        who=_name(asking),
        plays=asking.viewer is not None and allowed(asking.viewer.role, "play"),
        codes=await _codes(asking),
        pin=await _pin(asking),
        ended=asking.hall.people.why_ended(token_of(request)) if asking.viewer is None else "",
    )
    return page(request, html)


async def _codes(asking: Visit) -> bool | None:
    """Whether whoever is signed in has one-time codes; None if there is no password to go with them."""
    if asking.viewer is None or asking.viewer.role == "guest":
        return None
    return await asking.hall.engine.reading(asking.hall.people.has_codes, asking.viewer.name)


async def _pin(asking: Visit) -> bool | None:
    """Whether whoever is signed in has a PIN of their own; None if no desk asks for it."""
    if asking.viewer is None or not allowed(asking.viewer.role, "staff"):
        return None
    return await asking.hall.engine.reading(asking.hall.people.has_pin, asking.viewer.name)


@get("/account", opt=ANYBODY)
async def account(
    request: AnyRequest,
    asking: Asking,
    span: FromQuery[ResultSpan] = "session",
    which: FromQuery[ResultList] = "all",
    after: Annotated[str, QueryParameter(max_length=100)] = "",
) -> Response[Any]:
    """A player's own page; others are sent to sign in as one."""
    if asking.viewer is None or not allowed(asking.viewer.role, "play"):
        return Redirect("/sign-in?next=/account", status_code=303)
    hall, person, lang = asking.hall, asking.person, language_of(request)
    own_account = await hall.engine.reading(hall.people.find, person.name)
    owner = Owner(
        name=person.name,
        shown=await hall.engine.reading(hall.people.shown_as, person.name),
        since=own_account.created if own_account else hall.clock.wall(),
        is_guest=person.role == "guest",
    )
    return await _made(
        request,
        account_page,
        owner,
        await wallet_of(asking),
        await own_results(hall, person.name, span),
        await own_results(hall, person.name, "all"),
        await shown_limits(asking),
        await own_rounds(hall, person, after=after, limit=ROUNDS_SHOWN, which=which),
        {live.id: table_pages.friendly(live.id, lang) or title_of(live) for live in hall.tables().values()},
        await sessions_of(hall, person.name),
        which=which,
        lang=lang,
    )


@get("/limits", opt=ANYBODY)
async def limits(request: AnyRequest, asking: Asking) -> Response[Any]:
    """What players allow themselves; others are sent to sign in as one."""
    if asking.viewer is None or not allowed(asking.viewer.role, "play"):
        return Redirect("/sign-in?next=/limits", status_code=303)
    return page(request, render("limits.html", lang=language_of(request), who=_name(asking)))


# Rules and odds -----------------------------------------------------------------------------------------


async def _made(
    request: AnyRequest, make: Callable[..., str], *args: object, **named: object
) -> Response[bytes]:
    """A page that follows from its arguments."""
    workers: Workers = request.app.state.workers
    return page(request, await workers.apart(make, *args, **named))


@get("/learn", opt=ANYBODY)
async def learn(request: AnyRequest, rulebook: Slug = FIRST_BOOK) -> Response[bytes]:
    return await _made(request, rules.learn_page, rulebook, language_of(request))


@get("/rules", opt=ANYBODY)
async def rules_index(request: AnyRequest) -> Response[bytes]:
    return await _made(request, rules.rules_index, language_of(request))


@get("/rules/interpretations", opt=ANYBODY)
async def interpretations(request: AnyRequest) -> Response[bytes]:
    return await _made(request, rules.interpretations_page, language_of(request))


@get("/rules/diff", opt=ANYBODY)
async def rules_diff(
    request: AnyRequest, a: Slug, b: Slug, decks: FromQuery[int | None] = None
) -> Response[bytes]:
    """What a new version means, to print."""
    return await _made(request, rules.rules_diff, a, b, decks, language_of(request))


@get("/rules/timeline", opt=ANYBODY)
async def rules_timeline(
    request: AnyRequest, asking: Asking, family: Slug = "", on: Text = "", change: Slug = ""
) -> Response[bytes]:
    """Which text of a game is in force when; staff see the tables that move too."""
    role = asking.viewer.role if asking.viewer is not None else ""
    tables = tables_in_time(asking.hall, language_of(request)) if role in STAFF else None
    answer = await _made(
        request,
        timeline.timeline_page,
        family,
        on,
        change,
        language_of(request),
        now=datetime.fromtimestamp(asking.hall.clock.wall() / 1_000_000, UTC),
        tables=tables,
        movable=allowed(role, "open-table"),
    )
    return kept_nowhere(answer) if tables is not None else answer


def tables_in_time(hall: Hall, lang: Language) -> tuple[timeline.TableInTime, ...]:
    """The open tables of all games, with the moves that are planned."""
    lives = [live for live in hall.tables().values() if not live.archived]
    return tuple(timeline.table_in_time(live, lang) for live in lives)


@get("/rules/{slug:str}", opt=ANYBODY)
async def rulebook(request: AnyRequest, slug: FromPath[str]) -> Response[bytes]:
    return await _made(request, rules.rulebook_page, slug, language_of(request))


@get("/rules/{slug:str}/beside", opt=ANYBODY)
async def beside_page(
    request: AnyRequest, asking: Asking, slug: FromPath[str], p: Letter = "", against: Slug = ""
) -> Response[bytes]:
    """Staff see the house's own copy of the document in it."""
    role, page_of = asking.viewer.role if asking.viewer else "", (slug, p, against, language_of(request))
    if not role or not allowed(role, "read-documents"):
        return await _made(request, beside.beside_page, *page_of)
    copy, may_copy = await copy_of(asking.hall, named(slug)), allowed(role, "add-rulebook")
    return kept_nowhere(await _made(request, beside.beside_page, *page_of, copy, may_copy=may_copy))


@get("/rules/{slug:str}/compare/{other:str}", opt=ANYBODY)
async def compare(request: AnyRequest, slug: FromPath[str], other: FromPath[str]) -> Response[bytes]:
    return await _made(request, rules.compare_rulebooks, slug, other, language_of(request))


@get("/odds", opt=ANYBODY)
async def odds_page(
    request: AnyRequest,
    rulebook: Slug = FIRST_BOOK,
    layout: Letter = "",
    decks: FromQuery[int] = DEFAULT_DECKS,
    seen: Text = "",
) -> Response[bytes]:
    return await _made(request, odds.odds_page, rulebook, layout, decks, seen, language_of(request))


@get("/odds/compare", opt=ANYBODY)
async def odds_compare(
    request: AnyRequest, a: Slug = FIRST_BOOK, b: Slug = "mbs-tiger-v2", decks: FromQuery[int] = DEFAULT_DECKS
) -> Response[bytes]:
    return await _made(request, odds.odds_compare, a, b, decks, language_of(request))


# Files --------------------------------------------------------------------------------------------------


@get("/felt/{slug:str}/{layout:str}/{positions:int}/{own:str}", opt=ANYBODY)
async def felt(  # noqa: PLR0913, PLR0917 - the parts of its address
    request: AnyRequest,
    slug: FromPath[str],
    layout: FromPath[str],
    positions: FromPath[int],
    own: FromPath[str],
    v: Slug = "",
    lang: Slug = ENGLISH,
    width: FromQuery[int] = 1368,
    height: FromQuery[int] = 552,
    scale: FromQuery[int] = 100,
    taken: FromQuery[int] = EVERY_BOX,
    *,
    beside: FromQuery[bool] = False,
    watching: FromQuery[bool] = False,
) -> Response[bytes]:
    """The felt around position `own`, `0.svg` for the middle one and nobody's; `lang` is what is read aloud.

    It fills a stage of so many units (see `draw/stage.py`); of `taken` each bit is a box with somebody.
    """
    box, dot, kind = own.partition(".")
    if not box.isdecimal() or len(box) > 2 or (dot, kind) != (".", "svg"):  # noqa: PLR2004 - 16 boxes at most
        raise Wrong(NOT_FOUND, "no-such-felt", say("felt-by-position"))
    said = lang if lang in languages() else ENGLISH
    boxes = frozenset(one for one in range(1, 17) if 0 <= taken <= EVERY_BOX and taken >> (one - 1) & 1)
    stage = FeltStage(width=width, height=height, scale=scale, beside=beside)

    forever = v == assets.version() and ("@" in slug or slug in packaged())
    workers: Workers = request.app.state.workers
    drawn = await workers.apart(
        _drawn, slug, layout, positions, int(box) or None, said, stage=stage, taken=boxes, watching=watching
    )
    return file(request, drawn, forever=forever)


def _drawn(slug: str, *place: Any, **how: Any) -> assets.Asset:  # noqa: ANN401 - as `felt_svg` takes them
    return assets.drawing(felt_svg(named(slug), *place, **how))


@get("/offline", opt=ANYBODY)
async def offline(request: AnyRequest) -> Response[bytes]:
    """What an installed app shows without a network, in every language; the page's own comes first."""
    own = language_of(request)
    spoken = sorted(map(words, languages()), key=lambda one: one.code != own)
    return page(request, render("offline.html", lang=own, spoken=spoken))


@get("/worker.js", opt=ANYBODY, sync_to_thread=False)
def worker(request: AnyRequest) -> Response[bytes]:
    """Where its scope is every page; asked for again, so that no release is held up by an old one."""
    return file(request, assets.assets()["js/worker.js"], forever=False)


@get("/static/{given:str}/{path:path}", opt=ANYBODY, sync_to_thread=False)
def static(request: AnyRequest, given: FromPath[str], path: FromPath[str]) -> Response[bytes]:
    """A file of the version in use for ever; of another version as it is now, to be asked for again."""
    asset = assets.assets().get(path.lstrip("/"))
    if asset is None:
        raise Wrong(NOT_FOUND, "no-such-file", say("no-such-file"))
    return file(request, asset, forever=given == assets.version())


@get("/{path:path}", opt=ANYBODY, include_in_schema=False)
async def nothing() -> Response[bytes]:
    raise Wrong(NOT_FOUND, "no-such-page", say("no-such-page"))


# Where to go after signing in ---------------------------------------------------------------------------


def own_page(asked: str) -> str:
    """That address if it is one of these pages', else the lobby's: nobody is sent to another site."""
    path, _, query = asked.partition("?")
    known = SAFE_QUERY.fullmatch(query) and any(pattern.fullmatch(path) for pattern in _pages())
    return asked if known else "/"


@cache
def _pages() -> tuple[re.Pattern[str], ...]:
    """The addresses of pages as patterns; a name in one begins with a letter, a digit or an underscore."""
    public = (route for route in ROUTES if route not in (worker, static, nothing))
    handlers = (*public, *STAFF_ROUTES, *SCHOOL_ROUTES)
    patterns = []
    for path in (path for handler in handlers for path in getattr(handler, "paths", ())):
        parts = [PARTS[part[-4:]] if part.startswith("{") else re.escape(part) for part in path.split("/")]
        patterns.append(re.compile("/".join(parts), re.ASCII))
    return tuple(patterns)


# What goes wrong ----------------------------------------------------------------------------------------


def _problem(request: AnyRequest, error: Exception) -> Response[Any]:
    """As a page for people; for programs that asked an address of the API, as problem+json."""
    answer = problem_answer(request, error)
    if request.url.path.startswith("/api/"):
        return answer
    problem = answer.content
    if isinstance(error, BadInput) and request.url.path.startswith(NAMED):
        problem = msgspec.structs.replace(problem, status=NOT_FOUND, title=TITLES[NOT_FOUND])
    return problem_page(request, problem)


ROUTES: list[ControllerRouterHandler] = [
    lobby_page, lobby_cards, play, several, board, road_part, shoe, home, sign_in, account, limits,
    learn, rules_index,
    interpretations, rules_diff, rules_timeline, rulebook, beside_page, compare, odds_page,
    odds_compare, felt, offline,
    worker, static, nothing,
]  # fmt: skip
WRONG: dict[Any, Any] = {Wrong: _problem, BadInput: _problem, HTTPException: _problem, Exception: _problem}
PAGES: list[ControllerRouterHandler] = [
    *STAFF_PAGES,
    *SCHOOL_PAGES,
    Router("/", route_handlers=ROUTES, guards=[guard], exception_handlers=WRONG, include_in_schema=False),
]
