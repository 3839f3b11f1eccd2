"""Tables over HTTP: what they look like, and what is asked of them."""

import math
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import JSONBody, QueryParameter

from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.rulebook.lookup import identity
from thirdcard.service.api.access import (
    ANYBODY,
    AnyRequest,
    Asking,
    AtTable,
    TableVisit,
    needs,
)
from thirdcard.service.api.asking import Accepted, accepted
from thirdcard.service.api.bodies import takes
from thirdcard.service.api.gate import header
from thirdcard.service.api.packing import Copies, Copy
from thirdcard.service.api.problems import Wrong
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.people.roles import allowed, seen_as
from thirdcard.service.queries.chances import OfferChance, ShoeHits, offer_chances, shoe_hits
from thirdcard.service.queries.lobby import TableSummary, listed, lobby_stamp, summaries, summary
from thirdcard.service.queries.new_table import not_for
from thirdcard.service.queries.possible import PossibleCommand, possible, rights
from thirdcard.service.queries.spot_help import SpotHelp, spot_help
from thirdcard.service.tables import plans
from thirdcard.service.tables.draft import Plan
from thirdcard.service.tables.hall import NewTable
from thirdcard.service.tables.publish import Message
from thirdcard.service.turns import Workers
from thirdcard.table.why import Why
from thirdcard.words import ENGLISH, languages
from thirdcard.words.saying import READER, say


async def carried_out(at: TableVisit, plan: Plan) -> Accepted:
    """What a plan of whoever asks comes to at the table."""
    return accepted(await at.hall.ask(at.live.id, plan, at.person))


class DescribedTable(TableSummary, frozen=True, kw_only=True):
    """A table of the lobby, told by itself."""

    schema: str
    thirdcard: str


# Looking ------------------------------------------------------------------------------------------------


@get("/tables", opt=ANYBODY, summary="All tables, as a lobby shows them")
async def list_tables(
    request: AnyRequest,
    asking: Asking,
    archived: Annotated[bool, QueryParameter()] = False,  # noqa: FBT002 - of the address
) -> Response[list[TableSummary]]:
    """Archived tables too, if asked for."""
    hall, viewer = asking.hall, asking.viewer
    staff = viewer is not None and allowed(viewer.role, "staff")
    copies: Copies = request.app.state.copies
    tables = listed(hall, archived=archived)
    copy = await copies.get(
        ("tables", staff, archived),
        lambda: msgspec.json.encode(summaries(hall, tables, viewer)),
        lobby_stamp(hall),
    )
    return _copied(request, copy)


@get("/tables/{table:str}", opt=ANYBODY, summary="A table as you see it now")
async def show_table(at: AtTable) -> Message:
    if at.viewer is not None:
        at.hall.sign_of_life(at.live.id)
    role = at.viewer.role if at.viewer is not None else ""
    return at.hall.channels[at.live.id].whole(seen_as(at.viewer), role, READER.get()())


@get("/tables/{table:str}/summary", opt=ANYBODY, summary="A table as a lobby shows it")
async def show_summary(at: AtTable) -> DescribedTable:
    shown = summary(at.hall, at.live, at.viewer)
    return identified(DescribedTable, "table-summary", at.live.table.rulebook, shown)


@get("/tables/{table:str}/legal", opt=needs(None), summary="What you may do at a table now")
async def show_legal(
    at: AtTable, player: Annotated[str, QueryParameter(max_length=64)] = ""
) -> list[PossibleCommand]:
    """Staff name the `player` whose chips they mean to handle; without one chips are left out."""
    return possible(at.live, at.person, player)


@get("/tables/{table:str}/why", opt=needs(None), summary="Why a player may do a thing, or may not")
async def show_why(
    at: AtTable,
    player: Annotated[str, QueryParameter(max_length=64)] = "",
    right: Annotated[str, QueryParameter(max_length=16)] = "",
) -> list[Why]:
    """About yourself; staff name the `player`. Of one `right` (insure, decline, choose, withdraw, squeeze, device), or of all."""
    asked = player or at.person.name
    if asked != at.person.name and not allowed(at.person.role, "staff"):
        raise Wrong(403, "not-yours", say("rights-are-private"))
    if asked not in at.live.table.players:
        raise Wrong(404, "no-such-player", say("not-at-table", who=asked))
    return list(rights(at.live, at.person, asked, right))


@get("/tables/{table:str}/offers", opt=ANYBODY, summary="What the insurance on offer comes to")
async def show_offers(request: AnyRequest, at: AtTable) -> list[OfferChance]:
    """Of a fresh shoe less the cards on the table, in percent."""
    return await _chances(request, at)


@get("/tables/{table:str}/offers.json", opt=ANYBODY, deprecated=True, tags=["tables"], summary="The same as `/api/tables/{table}/offers`")  # fmt: skip
async def show_offers_as_before(request: AnyRequest, at: AtTable) -> list[OfferChance]:
    return await _chances(request, at)


async def _chances(request: AnyRequest, at: TableVisit) -> list[OfferChance]:
    workers: Workers = request.app.state.workers
    return await workers.apart(offer_chances, at.live.table)


@get("/tables/{table:str}/help", opt=ANYBODY, summary="What every spot of a table is")
async def show_help(
    request: AnyRequest, at: AtTable, lang: Annotated[str, QueryParameter(max_length=12)] = ENGLISH
) -> Response[dict[str, SpotHelp]]:
    """By bet. Made once for each text, layout, number of decks and language, for nobody in particular."""
    setup, said = at.live.table.setup, lang if lang in languages() else ENGLISH
    copies: Copies = request.app.state.copies
    copy = await copies.get(
        ("help", digest_of(setup.book), setup.layout, setup.decks, said),
        lambda: msgspec.json.encode(spot_help(setup.book, setup.layout, setup.decks, said)),
        None,
        old=math.inf,
    )
    return _copied(request, copy)


def _copied(request: AnyRequest, copy: Copy) -> Response[Any]:
    body, headers = copy.answer(header(request.scope, b"accept-encoding"))
    return Response(body, media_type=MediaType.JSON, headers=headers)


@get("/tables/{table:str}/hits", opt=ANYBODY, summary="Which rounds of the shoe each bet has won")
async def show_hits(at: AtTable) -> ShoeHits:
    return shoe_hits(at.live)


# Managing -----------------------------------------------------------------------------------------------


@post("/tables", opt=needs("create-table"), **takes(NewTable), summary="A new table")
async def create_table(asking: Asking, data: JSONBody[NewTable]) -> Accepted:
    no = not_for(asking.person, data.setup)
    if no is not None:
        raise Wrong(403, no.code, no.said, tuple(no.rules))
    return accepted(await asking.hall.create(data, by=asking.person.name))


@post("/tables/{table:str}/close", opt=needs("close-table"), status_code=200, summary="Open no further round")
async def close_table(at: AtTable) -> Accepted:
    return await carried_out(at, plans.close_table())


@post("/tables/{table:str}/open", opt=needs("open-table"), status_code=200, summary="Let rounds be opened again")  # fmt: skip
async def open_table(at: AtTable) -> Accepted:
    return await carried_out(at, plans.reopen_table())


@post("/tables/{table:str}/pace", opt=needs("change-pace"), status_code=200, **takes(Pace), summary="How long people have for what")  # fmt: skip
async def change_pace(at: AtTable, data: JSONBody[Pace]) -> Accepted:
    return await carried_out(at, plans.change_pace(data))


T = TypeVar("T", bound=msgspec.Struct)


def identified(kind: type[T], schema: str, book: Rulebook, value: msgspec.Struct) -> T:
    """A value with its identity, as the kind that has the fields of both."""
    return kind(**(msgspec.structs.asdict(value) | identity(schema, book)))
