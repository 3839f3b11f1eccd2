"""What the people who run the floor ask over HTTP besides rounds: payouts, cases, the public, closing, shifts."""

from typing import Annotated, Literal

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter

from thirdcard.service.api.access import Asking, AtTable, TableVisit, needs
from thirdcard.service.api.asking import Accepted
from thirdcard.service.api.bodies import Body
from thirdcard.service.api.json_bodies import takes
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.tables import carried_out
from thirdcard.service.log.floor_events import PublicSentence
from thirdcard.service.people.roles import allowed
from thirdcard.service.queries.new_table import Checked, checked
from thirdcard.service.queries.pit import Pit, pit
from thirdcard.service.tables import floor_plans
from thirdcard.service.tables.hall import NewTable
from thirdcard.words.saying import say

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Note = Annotated[str, msgspec.Meta(max_length=500)]


@get("/pit", opt=needs("staff"), summary="All tables as a pit sees them: what waits for whom, and this shift")
async def show_pit(
    asking: Asking,
    archived: Annotated[bool, QueryParameter()] = False,  # noqa: FBT002 - of the address
) -> Pit:
    """Archived tables too, if asked for."""
    return pit(asking.hall, asking.person, archived=archived)


# Payouts ------------------------------------------------------------------------------------------------


class TickPayout(Body, frozen=True, kw_only=True):
    """What one person has coming in one box; `note` says why it is disputed, to supervisors and auditors."""

    box: Annotated[int, msgspec.Meta(ge=1, le=64)]
    player: Name
    state: floor_plans.PayoutState
    note: Note = ""


@post("/tables/{table:str}/payouts", opt=needs("deal"), status_code=200, **takes(TickPayout), summary="A payout was made, or not yet, or is disputed")  # fmt: skip
async def tick_payout(at: AtTable, data: JSONBody[TickPayout]) -> Accepted:
    """A dispute is settled by a supervisor, as paid or as still to be paid."""
    if data.note and data.state != "disputed":
        raise Wrong(400, "the-request-cannot-be-read", say("note-goes-state-disputed"))
    return await carried_out(
        at, floor_plans.tick_payout(at.person, data.box, data.player, data.state, data.note)
    )


@post("/tables/{table:str}/payouts/done", opt=needs("deal"), status_code=200, summary="All of the round has been paid")  # fmt: skip
async def finish_payouts(at: AtTable) -> Accepted:
    return await carried_out(at, floor_plans.finish_payouts())


# The public and cases -----------------------------------------------------------------------------------


class Say(Body, frozen=True, kw_only=True):
    """A sentence by its key; empty for none."""

    sentence: PublicSentence | Literal[""]


@post("/tables/{table:str}/say", opt=needs("staff"), status_code=200, **takes(Say), summary="Choose what board and players read")  # fmt: skip
async def say_in_public(at: AtTable, data: JSONBody[Say]) -> Accepted:
    return await carried_out(at, floor_plans.say_in_public(data.sentence))


class TakeCase(Body, frozen=True, kw_only=True):
    case: Name


class PassCase(Body, frozen=True, kw_only=True):
    """`to` is a rank of the table's rulebook, or somebody of the floor."""

    case: Name
    to: Name
    note: Note = ""


@post("/tables/{table:str}/cases/take", opt=needs("staff"), status_code=200, **takes(TakeCase), summary="Look after an irregularity")  # fmt: skip
async def take_case(at: AtTable, data: JSONBody[TakeCase]) -> Accepted:
    return await carried_out(at, floor_plans.take_case(at.person, data.case))


@post("/tables/{table:str}/cases/pass", opt=needs("staff"), status_code=200, **takes(PassCase), summary="Pass an irregularity on to a rank or a person")  # fmt: skip
async def pass_case(at: AtTable, data: JSONBody[PassCase]) -> Accepted:
    await _check_receiver(at, data.to)
    return await carried_out(at, floor_plans.pass_case(data.case, data.to, data.note))


async def _check_receiver(at: TableVisit, to: str) -> None:
    if to in (rank.name for rank in at.live.table.rulebook.ranks):
        return
    account = await at.hall.engine.reading(at.hall.people.find, to)
    if account is None or not allowed(account.role, "staff"):
        raise Wrong(422, "unknown-person", say("no-rank-table-nobody", to=to))


# Closing and shifts -------------------------------------------------------------------------------------


@post("/tables/{table:str}/last-round", opt=needs("close-table"), status_code=200, summary="Announce the last round")  # fmt: skip
async def last_round(at: AtTable) -> Accepted:
    return await carried_out(at, floor_plans.announce_last_round())


class RacksPaidOut(Body, frozen=True, kw_only=True):
    """`player` for one, left out for everybody."""

    player: Annotated[str, msgspec.Meta(max_length=64)] = ""


@post("/tables/{table:str}/cash-out", opt=needs("deal"), status_code=200, **takes(RacksPaidOut), summary="Pay racks out after the last round")  # fmt: skip
async def cash_out(at: AtTable, data: JSONBody[RacksPaidOut]) -> Accepted:
    return await carried_out(at, floor_plans.cash_out(at.person, data.player))


@post("/tables/{table:str}/archive", opt=needs("close-table"), status_code=200, summary="Take a closed table out of the lists")  # fmt: skip
async def archive(at: AtTable) -> Accepted:
    return await carried_out(at, floor_plans.archive_table())


@post("/tables/{table:str}/unarchive", opt=needs("close-table"), status_code=200, summary="Put it back into the lists")  # fmt: skip
async def unarchive(at: AtTable) -> Accepted:
    return await carried_out(at, floor_plans.unarchive_table())


class NewShift(Body, frozen=True, kw_only=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class ShiftBegun(msgspec.Struct, frozen=True, kw_only=True):
    """The tables that it begins at, each with the version of its log."""

    tables: dict[str, int]


@post("/shift", opt=needs("open-table"), status_code=200, **takes(NewShift), summary="A shift begins at all tables")  # fmt: skip
async def start_shift(asking: Asking, data: JSONBody[NewShift]) -> ShiftBegun:
    """At all but archived tables; what the pit counts of a shift begins there."""
    hall, plan = asking.hall, floor_plans.start_shift(data.name)
    tables = [live.id for live in hall.tables().values() if not live.archived]
    answers = {table: await hall.ask(table, plan, asking.person) for table in tables}
    return ShiftBegun(tables={table: answer.version for table, answer in answers.items()})


@post("/tables/check", opt=needs("create-table"), status_code=200, **takes(NewTable), summary="What would be wrong with a new table")  # fmt: skip
async def check_table(asking: Asking, data: JSONBody[NewTable]) -> Checked:
    """Nothing is made."""
    return checked(asking.hall, data)


ROUTES = [
    show_pit, tick_payout, finish_payouts, say_in_public, take_case, pass_case, last_round, cash_out, archive, unarchive,
    start_shift, check_table,
]  # fmt: skip
router = Router("", route_handlers=ROUTES, tags=["floor"])
