"""Shifts over HTTP: their hours, what they came to, floats, and what players' sessions were worth."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import msgspec
from litestar import Router, get, post, put
from litestar.params import JSONBody, QueryParameter

from thirdcard.service.api.access import Asking, AtTable, Visit, needs
from thirdcard.service.api.asking import Accepted
from thirdcard.service.api.bodies import Body
from thirdcard.service.api.json_bodies import takes
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.tables import carried_out
from thirdcard.service.log.floor_events import SHIFTS_SET
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.ratings import PlayerSession, own_sessions, rated
from thirdcard.service.queries.shift_desk import ShiftDesk, ShiftTables, shift_desk
from thirdcard.service.tables import floor_plans
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.house_day import HouseDay, ShiftTime, as_facts, asked_time, house_days
from thirdcard.service.tables.live import Live
from thirdcard.words.saying import say

MOST_CENTS = 10**13
ShiftAsked = Annotated[str, QueryParameter(name="shift", max_length=24)]
DayAsked = Annotated[str, QueryParameter(name="day", max_length=10)]


def seen_tables(hall: Hall, person: Person) -> ShiftTables:
    """What somebody may see: a pit supervisor the tables that they have worked at."""
    lives = {live.id: live for live in hall.tables().values() if live.state is not None}
    only = None
    if person.role == "pit-supervisor":
        only = frozenset(table for table, live in lives.items() if person.name in live.table.staff)
    return ShiftTables(titles={table: _named(live) for table, live in lives.items()}, lives=lives, only=only)


def _named(live: Live) -> tuple[str, str]:
    return (live.created.title if live.created else live.id), live.table.setup.rulebook


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
        raise Wrong(404, "no-such-table", say("pit-supervisor-sees-tables"))
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


ROUTES = [show_shift, show_hours, set_hours, change_float, show_ratings, my_sessions]
router = Router("", route_handlers=ROUTES, tags=["floor"])
