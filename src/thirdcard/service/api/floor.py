"""What the people who run the floor ask over HTTP besides rounds: payouts, cases, closing, shifts, floats."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import msgspec
from litestar import get, post, put
from litestar.params import JSONBody, QueryParameter

from thirdcard.service.api.access import Asking, AtTable, TableVisit, Visit, needs
from thirdcard.service.api.asking import Accepted
from thirdcard.service.api.bodies import Body, takes
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.tables import carried_out
from thirdcard.service.log.floor_events import SHIFTS_SET, PublicSentence
from thirdcard.service.people.roles import Person, allowed
from thirdcard.service.queries.new_table import Checked, checked
from thirdcard.service.queries.pit import Pit, pit
from thirdcard.service.queries.ratings import PlayerSession, own_sessions, rated
from thirdcard.service.queries.shift_desk import ShiftDesk, ShiftTables, shift_desk
from thirdcard.service.tables import floor_plans, moves
from thirdcard.service.tables.hall import Hall, NewTable
from thirdcard.service.tables.house_day import HouseDay, ShiftTime, as_facts, asked_time, house_days
from thirdcard.service.tables.live import Live
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
        raise Wrong(400, "the-request-cannot-be-read", say("note-only-if-disputed"))
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
    return await carried_out(at, floor_plans.say_in_public(at.person, data.sentence))


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
        raise Wrong(422, "unknown-person", say("no-rank-and-nobody", to=to))


# Closing and shifts -------------------------------------------------------------------------------------


@post("/tables/{table:str}/last-round", opt=needs("close-table"), status_code=200, summary="Announce the last round")  # fmt: skip
async def last_round(at: AtTable) -> Accepted:
    return await carried_out(at, floor_plans.announce_last_round())


class MoveToNext(Body, frozen=True, kw_only=True):
    """The version after the table's own, or a later one by its slug; `layout` where it is not the present one."""

    rulebook: Annotated[str, msgspec.Meta(max_length=60)] = ""
    layout: Annotated[str, msgspec.Meta(max_length=12)] = ""


@post("/tables/{table:str}/move", opt=needs("open-table"), status_code=200, **takes(MoveToNext), summary="Move to the next version of the rules when it comes into force")  # fmt: skip
async def plan_move(at: AtTable, data: JSONBody[MoveToNext]) -> Accepted:
    """On record, between two rounds; players are told from now on."""
    version = moves.next_version(at.live.table.rulebook, data.rulebook)
    return await carried_out(at, moves.plan_move(at.person, version, data.layout))


@post("/tables/{table:str}/stay", opt=needs("open-table"), status_code=200, summary="Stay with the present version after all")  # fmt: skip
async def drop_move(at: AtTable) -> Accepted:
    return await carried_out(at, moves.drop_move())


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
    return checked(asking.hall, data, asking.person)


# Shifts and floats ------------------------------------------------------------------------------------


MOST_CENTS = 10**13
ShiftAsked = Annotated[str, QueryParameter(name="shift", max_length=24)]
DayAsked = Annotated[str, QueryParameter(name="day", max_length=10)]


def seen_tables(hall: Hall, person: Person) -> ShiftTables:
    """What somebody may see: a pit supervisor the tables that they have worked at."""
    lives = {live.id: live for live in hall.tables().values() if live.state is not None}
    only = None
    if person.role == "pit-supervisor":
        only = frozenset(table for table, live in lives.items() if person.name in live.table.staff)
    return ShiftTables(
        titles={table: (live.title, live.table.setup.rulebook) for table, live in lives.items()},
        lives=lives,
        only=only,
    )


async def shown_shift(asking: Visit, shift: str, day: str) -> ShiftDesk:
    """What somebody sees of a shift; the present one if none is named."""
    hall, known, now = asking.hall, seen_tables(asking.hall, asking.person), asking.hall.clock.wall()
    store = hall.engine.store

    def looked() -> ShiftDesk:
        house, time = asked_time(house_days(store), now, shift, day)
        return shift_desk(store, known, house, time, now=now)

    return await hall.engine.reading(looked)


@get("/shift-desk", opt=needs("shift"), summary="What a shift, a day or a week came to, table by table")
async def show_shift(asking: Asking, shift: ShiftAsked = "", day: DayAsked = "") -> ShiftDesk:
    """`shift` is its name, `day` or `week`; left out, with `day`, it is the present one. Figures are in cents."""
    return await shown_shift(asking, shift, day)


@get("/shift-hours", opt=needs("shift"), summary="When shifts begin")
async def show_hours(asking: Asking) -> HouseDay:
    store = asking.hall.engine.store
    return (await asking.hall.engine.reading(lambda: house_days(store)))[0][1]


@put("/shift-hours", opt=needs("open-table"), **takes(HouseDay), summary="Set when shifts begin")
async def set_hours(asking: Asking, data: JSONBody[HouseDay]) -> HouseDay:
    """On record in the journal; days before keep the hours that they had."""
    data.check()
    await asking.hall.note(SHIFTS_SET, as_facts(data, asking.person.name))
    return data


class ChangeFloat(Body, frozen=True, kw_only=True):
    """`opening`, `closing` and `check` are counts of it; a fill brings chips, a credit takes some."""

    what: Literal["opening", "closing", "check", "fill", "credit"]
    cents: Annotated[int, msgspec.Meta(ge=0, le=MOST_CENTS)]


@post("/tables/{table:str}/float", opt=needs("staff"), status_code=200, **takes(ChangeFloat), summary="Count the float, fill it or take from it")  # fmt: skip
async def change_float(at: AtTable, data: JSONBody[ChangeFloat]) -> Accepted:
    """A count is put on record beside what the books come to. Fills and credits are a supervisor's."""
    match data.what:
        case "fill" | "credit" as what:
            return await carried_out(at, floor_plans.change_float(at.person, what, data.cents))
        case "opening" | "closing" | "check" as why:
            return await carried_out(at, floor_plans.count_float(why, data.cents))


class TableRatings(msgspec.Struct, frozen=True, kw_only=True):
    """The sessions at a table in that time."""

    table: str
    time: ShiftTime
    sessions: list[PlayerSession]


async def table_ratings(asking: Visit, live: Live, shift: str, day: str) -> TableRatings:
    """The sessions at a table that who asks may see."""
    hall, now = asking.hall, asking.hall.clock.wall()
    only = seen_tables(hall, asking.person).only
    if only is not None and live.id not in only:
        raise Wrong(404, "no-such-table", say("supervisor-sees-own-tables"))
    store, decks = hall.engine.store, live.table.setup.decks

    def looked() -> TableRatings:
        _, time = asked_time(house_days(store), now, shift, day)
        return TableRatings(table=live.id, time=time, sessions=rated(store, live.id, time, decks))

    return await hall.engine.reading(looked)


@get("/tables/{table:str}/ratings", opt=needs("shift"), summary="What players' sessions at a table came to")
async def show_ratings(at: AtTable, shift: ShiftAsked = "", day: DayAsked = "") -> TableRatings:
    """By account or walk-in number, of a shift, a day or a week."""
    return await table_ratings(at, at.live, shift, day)


async def sessions_of(hall: Hall, name: str) -> list[PlayerSession]:
    """Somebody's own."""
    decks = decks_of(hall.tables().values())
    return await hall.engine.reading(own_sessions, hall.engine.store, name, decks)


def decks_of(lives: Iterable[Live]) -> Mapping[str, int]:
    return {live.id: live.table.setup.decks for live in lives if live.state is not None}


@get("/me/ratings", opt=needs("play"), summary="Your own sessions at all tables, the latest first")
async def my_sessions(asking: Asking) -> list[PlayerSession]:
    """Time, rounds, stakes, what the house was to expect of them, and the result."""
    return await sessions_of(asking.hall, asking.person.name)
