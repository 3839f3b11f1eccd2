"""The pages of the people who run the tables: dealer, pit, auditor, administrator.

Each page says what it needs. Who is not signed in is sent to do so; whose role does not fit is told.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote, urlencode

from litestar import Response, Router, get
from litestar.exceptions import HTTPException
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler

from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.odds.bet_values import check_bet
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import named
from thirdcard.rulebook.lookup import check_decks, usual_decks
from thirdcard.service.api.access import (
    AnyRequest,
    Asking,
    AtTable,
    TableVisit,
    Visit,
    guard,
    hall_of,
    needs,
)
from thirdcard.service.api.evidence import taken
from thirdcard.service.api.floor import DayAsked, ShiftAsked, shown_shift, table_ratings
from thirdcard.service.api.gate import language_of
from thirdcard.service.api.history import Before, Number, search, settled_again
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.radar import views_of
from thirdcard.service.api.reference import book_of
from thirdcard.service.log.store.model import JOURNAL, MANY
from thirdcard.service.people.roles import PERMISSIONS, ROLES, allowed
from thirdcard.service.queries.books import books, player_statement
from thirdcard.service.queries.finished_rounds import finished_rounds
from thirdcard.service.queries.lobby import summary
from thirdcard.service.queries.log_lines import PAGE, log_heads, log_part, significant_events
from thirdcard.service.queries.promises import shoes
from thirdcard.service.queries.redaction import head_shown
from thirdcard.service.queries.replay import drawn_steps
from thirdcard.service.queries.resettle import headline
from thirdcard.service.queries.shift_desk import ShiftDesk
from thirdcard.service.tables.live import RoundRecord
from thirdcard.service.watched import played_alike, records_of, seat_codes, watched
from thirdcard.web.answers import download, kept_nowhere, page, problem_answer, problem_page, worked_out
from thirdcard.web.csv_rows import csv_text
from thirdcard.web.pages import (
    evidence,
    find_page,
    home,
    protect,
    render,
    replay,
    setup,
    shift_page,
    text_of,
    usable,
)
from thirdcard.web.pages.protect_csv import radar_csv, table_csv
from thirdcard.web.pages.table_pages import named_otherwise
from thirdcard.web.protect_sheets import sheets_of
from thirdcard.words import Language
from thirdcard.words.saying import said_of, say, told

if TYPE_CHECKING:
    from thirdcard.protect.radar_sheet import RadarSheet
    from thirdcard.protect.sheet import Sheet

Name = Annotated[str, QueryParameter(max_length=64)]
Decks = Annotated[int, QueryParameter(ge=0, le=100)]
Amount = Annotated[int, QueryParameter(ge=1, le=10_000_000)]
Boxes = Annotated[int, QueryParameter(ge=1, le=100)]
Pace = Annotated[int, QueryParameter(ge=1, le=1_000)]
Hours = Annotated[int, QueryParameter(ge=1, le=10_000)]
Cut = Annotated[int, QueryParameter(ge=0, le=5_200)]
USUAL = protect.Figures()
FIRST_BOOK = "rws-tiger-buffalo-commission-v2"
MOST_WATCHED = 4_000  # rounds that the radar of a page looks at, the latest


def _page(request: AnyRequest, asking: Visit, template: str, **values: object) -> Response[bytes]:
    person = asking.person
    html = render(
        template,
        lang=language_of(request),
        role=person.role,
        query={name: value for name, value in request.query_params.items() if name != "lang"},
        person=person,
        may={name: allowed(person.role, name) for name in PERMISSIONS},
        dollars=format_dollars,
        **values,
    )
    return kept_nowhere(page(request, html))


# Finding one's place ------------------------------------------------------------------------------------


def _tiles(asking: Visit, lang: Language) -> list[home.Tile]:
    """The tables that people deal at and that are not archived."""
    by_hand = [live for live in asking.hall.tables().values() if not live.automatic and not live.archived]
    dealt = [(summary(asking.hall, live, asking.person), live) for live in by_hand]
    return home.tiles(asking.person, dealt, lang)


@get("/staff", opt=needs("deal"))
async def staff_home(request: AnyRequest, asking: Asking) -> Response[bytes]:
    """Where a dealer chooses a table."""
    hall, lang = asking.hall, language_of(request)
    tiles = _tiles(asking, lang)
    others = [live for live in hall.tables().values() if live.automatic and not live.closed]
    return _page(
        request,
        asking,
        "staff_home.html",
        tiles=tiles,
        part=home.tiles_part(tiles, asking.person, lang),
        automatic=[summary(hall, live, asking.person) for live in others],
        pin=await hall.engine.reading(hall.people.has_pin, asking.person.name),
    )


@get("/staff/tiles", opt=needs("deal"))
async def staff_tiles(request: AnyRequest, asking: Asking) -> Response[bytes]:
    """The tables alone, for a page that is open."""
    lang = language_of(request)
    return kept_nowhere(page(request, home.tiles_part(_tiles(asking, lang), asking.person, lang)))


# Setting tables up --------------------------------------------------------------------------------------


@get("/staff/tables/new", opt=needs("create-table"))
async def new_table(request: AnyRequest, asking: Asking) -> Response[bytes]:
    return _page(request, asking, "staff_setup.html", table=None, choices=await _choices(request))


@get("/staff/tables/{table:str}/setup", opt=needs("staff"))
async def table_setup(request: AnyRequest, at: AtTable) -> Response[bytes]:
    """Limits, method and pace of a table that runs, and its closing."""
    coming = at.live.table.next_setup or at.live.table.setup
    return _table_page(request, at, "staff_setup.html", choices=await _choices(request, coming.book))


async def _choices(request: AnyRequest, played: Rulebook | None = None) -> dict[str, Any]:
    """Away from the event loop: the first time it reads every rulebook."""
    lang = language_of(request)
    return await worked_out(request, lambda: setup.choices(lang, played))


# Dealer and pit -----------------------------------------------------------------------------------------


def _table_page(request: AnyRequest, at: AtTable, template: str, **values: object) -> Response[bytes]:
    """A page about one table, whose bets and paragraphs are those of the text that it plays by."""
    book = at.live.table.rulebook
    return _page(
        request,
        at,
        template,
        table=summary(at.hall, at.live, at.person),
        book=book,
        text=text_of(book),
        bets=named_otherwise(book, language_of(request)),
        shift=at.live.practice.post if at.live.practice is not None else "",
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
    lang = language_of(request)
    events = await significant_events(asking.hall, before=before, limit=PAGE, language=lang)
    return _page(
        request,
        asking,
        "staff_audit.html",
        logs=log_heads(asking.hall),
        journal=JOURNAL,
        events=events,
        older=events[-1].sequence if len(events) == PAGE else None,
    )


@get("/audit/find", opt=needs("read-log"))
async def audit_find(request: AnyRequest, asking: Asking) -> Response[bytes]:
    """Rounds by what is remembered of them; what was typed stays in the form."""
    typed = dict(request.query_params)
    wanted, found, wrong = None, None, ""
    if any(typed.get(name) for name in find_page.FIELDS):
        try:
            wanted = find_page.wanted(typed)
            _, found = await search(asking.hall, asking.person, wanted)
        except BadInput as error:
            wrong = told(said_of(error))
    lives = asking.hall.tables().values()
    return _page(
        request,
        asking,
        "staff_find.html",
        typed=typed,
        found=found,
        wrong=wrong,
        tables=[(live.id, live.title) for live in lives],
        choices=find_page.choices(
            {live.table.rulebook for live in lives if live.state}, language_of(request)
        ),
        going_on=find_page.address(typed, found.next) if found and found.next else "",
        csv=find_page.address(typed, "", ".csv"),
    )


@get("/audit/find.csv", opt=needs("read-log"))
async def audit_find_csv(request: AnyRequest, asking: Asking) -> Response[bytes]:
    _, rounds = await search(asking.hall, asking.person, find_page.wanted(dict(request.query_params)))
    return _csv(csv_text(find_page.csv_rows(rounds.rounds)), "rounds")


@get("/audit/resettle", opt=needs("read-log"))
async def audit_resettle(request: AnyRequest, asking: Asking) -> Response[bytes]:
    """What recorded rounds would have paid under another text."""
    typed, found, wrong = dict(request.query_params), None, ""
    if typed.get("do"):
        try:
            since, until = find_page.times(typed)
            book = book_of(typed.get("under", ""))
            found = await settled_again(asking.hall, book, since, until or MANY, typed.get("table", ""))
        except BadInput as error:
            wrong = told(said_of(error))
    lives = asking.hall.tables().values()
    return _page(
        request,
        asking,
        "staff_resettle.html",
        typed=typed,
        found=found,
        headline=headline(found) if found else "",
        wrong=wrong,
        books=usable(),
        tables=[(live.id, live.title) for live in lives],
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
        raise Wrong(404, "no-such-round", say("rounds-played", id=at.live.id, rounds=at.live.table.rounds))
    lang = language_of(request)
    steps = await drawn_steps(at.hall, at.live, number, lang)
    shown = await worked_out(request, lambda: replay.shown(at.live.table.setup, steps, lang))
    return _table_page(request, at, "staff_replay.html", number=number, steps=steps, **shown)


@get("/audit/{table:str}/rounds/{number:int}/evidence", opt=needs("evidence"))
async def evidence_page(request: AnyRequest, at: AtTable, number: FromPath[int]) -> Response[bytes]:
    """The round on paper, with all that is said of it."""
    proof = await _evidence(request, at, number, linked=True)
    return kept_nowhere(page(request, proof.page))


@get("/audit/{table:str}/evidence", opt=needs("evidence"))
async def evidence_of(
    at: AtTable, number: Annotated[int, QueryParameter(name="round", ge=1, le=2**53)]
) -> Redirect:
    """To the round that somebody has typed."""
    return Redirect(f"/audit/{quote(at.live.id)}/rounds/{number}/evidence", status_code=303)


@get("/audit/{table:str}/rounds/{number:int}/evidence.zip", opt=needs("evidence"))
async def evidence_archive(request: AnyRequest, at: AtTable, number: FromPath[int]) -> Response[bytes]:
    """What it says, the page and what proves it, signed: `thirdcard verify` checks it anywhere."""
    proof = await _evidence(request, at, number)
    return download(proof.archive, "application/zip", f"{at.live.id}-{number}.zip")


async def _evidence(
    request: AnyRequest, at: TableVisit, number: int, *, linked: bool = False
) -> evidence.MadeEvidence:
    part, heads, now = await taken(at, number)
    lang, by = language_of(request), at.person.name
    return await worked_out(
        request,
        lambda: evidence.made(part, heads, at.hall.heads.key, by=by, now=now, language=lang, linked=linked),
    )


@get("/audit/{table:str}/statements", opt=needs("read-statements"))
async def audit_statements(
    request: AnyRequest, at: AtTable, player: Name = "", before: Number = 0
) -> Response[bytes]:
    """Who got what; of one player also every movement, the latest of them first."""
    chosen = await player_statement(at.hall, at.live, player, before=before or None) if player else None
    if player and chosen is None:
        raise Wrong(404, "no-such-player", say("moved-no-money", who=player, id=at.live.id))
    return _table_page(
        request,
        at,
        "staff_statements.html",
        books=await books(at.hall, at.live),
        chosen=chosen,
    )


# Game protection ----------------------------------------------------------------------------------------


@get("/protect", opt=needs("protect"))
async def protect_index(
    request: AnyRequest, rulebook: Name = "", decks: Decks = 0, view: Name = "overview", bet: Name = ""
) -> Redirect:
    """To the rulebook that is asked for, or the first that tables play by."""
    played = next((live.table.rulebook for live in hall_of(request).tables().values() if live.state), None)
    slug = rulebook or (played.slug if played else FIRST_BOOK)
    query = {"view": view, "bet": bet} | ({"decks": str(decks)} if decks else {})
    return Redirect(f"/protect/{quote(slug)}?{urlencode(query)}", status_code=303)


@get("/protect/{slug:str}", opt=needs("protect"))
async def protect_book(  # noqa: PLR0913, PLR0917 - what the address may ask for
    request: AnyRequest,
    asking: Asking,
    slug: FromPath[str],
    decks: Decks = 0,
    view: Name = "overview",
    bet: Name = "",
    maximum: Amount = USUAL.maximum,
    boxes: Boxes = USUAL.boxes,
    pace: Pace = USUAL.pace,
    hours: Hours = USUAL.hours,
    cut: Cut = 0,
) -> Response[bytes]:
    """What can be won against a rulebook; a sheet that is not there yet is made meanwhile."""
    book, many = _protected(slug, decks)
    lang = language_of(request)
    sheet = sheets_of(request).protection(book, many)
    chosen = view if view in protect.VIEWS else "overview"
    own = protect.Figures(maximum, boxes, pace, hours, cut)
    values: dict[str, object] = {"sheet": sheet, "book": book, "decks": many, "view": chosen}
    values |= {"views": (chosen,), "all_views": protect.VIEWS, "books": usable()}
    if sheet is not None:
        values |= await worked_out(request, lambda: protect.figures(book, many, sheet, bet, lang, own))
    values["tables"] = [
        summary(asking.hall, live, asking.person)
        for live in asking.hall.tables().values()
        if live.state and not live.archived and allowed(asking.person.role, "radar")
    ]
    return _page(request, asking, "staff_protect.html", **values)


@get("/protect/{slug:str}/report", opt=needs("protect"))
async def protect_report(request: AnyRequest, slug: FromPath[str], decks: Decks = 0) -> Response[bytes]:
    """The same as one file to print or to keep."""
    book, many = _protected(slug, decks)
    sheet, lang = _made(request, book, many), language_of(request)
    report = await worked_out(request, lambda: protect.report(book, many, sheet, lang, linked=True))
    return kept_nowhere(page(request, report))


@get("/protect/{slug:str}/csv", opt=needs("protect"))
async def protect_csv(
    request: AnyRequest, slug: FromPath[str], table: Name = "overview", bet: Name = "", decks: Decks = 0
) -> Response[bytes]:
    """The numbers of one chart or table."""
    book, many = _protected(slug, decks)
    sheet = _made(request, book, many)
    chosen = bet or next(iter(sheet.protection.bets))
    check_bet(book, chosen)
    offered = await worked_out(request, lambda: protect.offered_by(book, many))
    return _csv(table_csv(sheet, offered, table, chosen), f"{book.slug}-{table}")


def _csv(text: str, name: str) -> Response[bytes]:
    return download(text.encode(), "text/csv; charset=utf-8", f"{name}.csv")


def _made(request: AnyRequest, book: Rulebook, decks: int) -> "Sheet":
    """The sheet of a rulebook; one that is being made is to be asked for again."""
    sheet = sheets_of(request).protection(book, decks)
    if sheet is None:
        raise Wrong(503, "unavailable", say("sheet-not-ready"))
    return sheet


def _protected(slug: str, decks: int) -> tuple[Rulebook, int]:
    book = named(slug)
    return book, check_decks(book, decks or usual_decks(book))


@get("/pit/{table:str}/radar", opt=needs("radar"))
async def radar(request: AnyRequest, at: AtTable, player: Name = "") -> Response[bytes]:
    """Whose stakes follow the value; shown for a while to who has given a reason."""
    live, views = at.live, views_of(request)
    if not views.may_see(at.hall, at.person, live.id):
        return _table_page(request, at, "staff_radar.html", open=False, waiting=False, closely=None)
    records, sheet = await _looked(request, at, player)
    values: dict[str, object] = {"open": True, "waiting": False, "closely": None}
    if records:
        values["waiting"] = sheet is None
        if sheet is not None and sheet.closely is not None:
            codes = {code: name for name, code in seat_codes(records).items()}
            seen = {seat: codes[seat] for seat in views.cases(at.person, live.id) if seat in codes}
            values |= protect.radar(live.table.rulebook, sheet, language_of(request)) | {"named_seats": seen}
    return _table_page(request, at, "staff_radar.html", **values)


async def _looked(
    request: AnyRequest, at: AtTable, player: str
) -> "tuple[list[RoundRecord], RadarSheet | None]":
    """The rounds of a table, and what the radar says of them once it is known."""
    live = at.live
    rows = await at.hall.engine.reading(at.hall.engine.store.rounds, live.id, limit=MOST_WATCHED)
    records = await worked_out(request, lambda: played_alike(records_of(rows), live.table.setup.digest))
    if not records:
        return [], None
    from thirdcard.protect.radar_sheet import RadarAsked  # noqa: PLC0415 - brings NumPy and Numba

    asked = RadarAsked(
        text=canonical(live.table.rulebook),
        decks=live.table.setup.decks,
        rounds=await worked_out(request, lambda: watched(records)),
        player=player,
    )
    return records, sheets_of(request).radar(live.id, max(record.number for record in records), asked)


@get("/pit/{table:str}/radar/csv", opt=needs("radar"))
async def radar_numbers(request: AnyRequest, at: AtTable) -> Response[bytes]:
    """Everybody who was watched, for who has opened the radar with a reason."""
    if not views_of(request).may_see(at.hall, at.person, at.live.id):
        raise Wrong(403, "denied", say("open-radar-first"))
    _, sheet = await _looked(request, at, "")
    if sheet is None:
        raise Wrong(503, "unavailable", say("radar-not-ready"))
    return _csv(radar_csv(sheet), f"{at.live.id}-radar")


# Shifts -------------------------------------------------------------------------------------------------


@get("/staff/shift", opt=needs("shift"))
async def shift(
    request: AnyRequest, asking: Asking, shift: ShiftAsked = "", day: DayAsked = ""
) -> Response[bytes]:
    """What a shift came to, table by table."""
    desk = await shown_shift(asking, shift, day)
    return _page(request, asking, "staff_shift.html", **await _drawn(request, desk))


async def _drawn(request: AnyRequest, desk: ShiftDesk) -> dict[str, Any]:
    lang = language_of(request)
    books = {live.table.rulebook for live in hall_of(request).tables().values() if live.state}
    return await worked_out(request, lambda: shift_page.shown(desk, books, lang))


@get("/staff/shift/{table:str}", opt=needs("shift"))
async def shift_table(
    request: AnyRequest, at: AtTable, shift: ShiftAsked = "", day: DayAsked = ""
) -> Response[bytes]:
    """A table's sheet of a shift: bets, time, float and the players' sessions."""
    ratings = await table_ratings(at, at.live, shift, day)
    desk = await shown_shift(at, shift, day)
    own = shift_page.table_in(desk, at.live.id)
    values = await _drawn(request, desk) | {"one": own, "ratings": ratings, "staffed": not at.live.automatic}
    return _table_page(request, at, "staff_shift_table.html", **values)


@get("/staff/slips/{table:str}/{number:int}", opt=needs("staff"))
async def slip(request: AnyRequest, at: AtTable, number: FromPath[int]) -> Response[bytes]:
    """A fill or a credit in three copies, as it stands."""
    found = at.live.money.slip(number)
    if found is None:
        raise Wrong(404, "there-is-no-such-thing", say("no-such-slip", number=number))
    named = f"{found.what[0].upper()}-{at.live.id}-{number:04}"
    return _table_page(request, at, "staff_slip.html", slip=found, number=named)


@get("/staff/shift.csv", opt=needs("shift"))
async def shift_csv(asking: Asking, shift: ShiftAsked = "", day: DayAsked = "") -> Response[bytes]:
    desk = await shown_shift(asking, shift, day)
    return _csv(csv_text(shift_page.csv_rows(desk)), shift_page.file_name(desk))


@get("/staff/shift.parquet", opt=needs("shift"))
async def shift_parquet(
    request: AnyRequest, asking: Asking, shift: ShiftAsked = "", day: DayAsked = ""
) -> Response[bytes]:
    desk = await shown_shift(asking, shift, day)
    content = await worked_out(request, lambda: shift_page.parquet(desk))
    return download(content, "application/vnd.apache.parquet", f"{shift_page.file_name(desk)}.parquet")


# Administrator ------------------------------------------------------------------------------------------


@get("/accounts", opt=needs("manage-accounts"))
async def accounts(request: AnyRequest, asking: Asking) -> Response[bytes]:
    return _page(request, asking, "staff_accounts.html", roles=[role for role in ROLES if role != "guest"])


@get("/staff/rulebooks", opt=needs("add-rulebook"))
async def rulebooks(request: AnyRequest, asking: Asking) -> Response[bytes]:
    return _page(request, asking, "staff_rulebooks.html")


@get("/staff/documents", opt=needs("add-rulebook"))
async def documents(request: AnyRequest, asking: Asking) -> Response[bytes]:
    return _page(request, asking, "staff_documents.html", books=usable())


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
    staff_home, staff_tiles, new_table, table_setup, dealer, pit, pit_table, audit_index, audit_find,
    audit_find_csv, audit_resettle, audit_table, audit_round, evidence_page, evidence_of, evidence_archive,
    audit_statements,
    accounts, rulebooks, documents, protect_index, protect_book, protect_report, protect_csv, radar,
    radar_numbers,
    shift, shift_table, shift_csv, shift_parquet, slip,
]  # fmt: skip
PAGES: list[ControllerRouterHandler] = [
    Router("/", route_handlers=ROUTES, guards=[guard], exception_handlers=WRONG, include_in_schema=False),
]
