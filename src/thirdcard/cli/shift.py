"""`thirdcard shift`: what a shift came to, table by table."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from thirdcard.cli.options import Database, Json
from thirdcard.cli.output import console, plain, print_answer, table
from thirdcard.money import format_dollars
from thirdcard.service.clock import Clock
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import TableCreated
from thirdcard.service.log.store import Snapshot, open_snapshot
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.tables.house_day import asked_time, house_days
from thirdcard.table.events import TableOpened

if TYPE_CHECKING:
    from thirdcard.service.queries.shift_desk import ShiftDesk, ShiftTable

NUMBERS = ("Drop", "Win", "Expected", "95% band", "Rounds", "An hour", "Seats", "Incidents")
BAND = 1.959964  # standard deviations that hold 95 of 100


def shift(
    where: Database,
    name: Annotated[
        str,
        typer.Option("--shift", metavar="NAME", help="A shift, day or week; left out, the present one."),
    ] = "",
    day: Annotated[str, typer.Option(metavar="DATE", help="2026-11-16; today if left out.")] = "",
    json_output: Json = False,
) -> None:
    """What a shift came to: drop, win, what was expected, pace and incidents; a server may run meanwhile.

    thirdcard shift tables.db --shift B --day 2026-11-16
    """
    from thirdcard.service.queries.shift_desk import ShiftTables, shift_desk

    now = Clock().wall()
    with open_snapshot(where) as snapshot:
        house, time = asked_time(house_days(snapshot), now, name, day)
        known = ShiftTables(titles=_titles(snapshot), lives={})
        desk = shift_desk(snapshot, known, house, time, now=now)
    if json_output:
        print_answer("shift", None, desk)
    else:
        _show(desk)


def _titles(snapshot: Snapshot) -> dict[str, tuple[str, str]]:
    """What tables are called and play by, as their logs begin."""
    titles = {}
    for stream in snapshot.heads():
        first = [event_of(stored) for stored in snapshot.read(stream, after=0, limit=2)]
        match first if stream != JOURNAL else ():
            case [TableCreated(title=title), TableOpened(setup=setup)]:
                titles[stream] = title, setup.rulebook
    return titles


def _show(found: "ShiftDesk") -> None:
    since, until = (
        datetime.fromtimestamp(at / 1e6, UTC).strftime("%H:%M") for at in (found.time.since, found.time.until)
    )
    called = f"shift {found.time.name}" if found.time.name else "the day"
    console().print(plain(f"{called} of {found.time.day}, {since} to {until} by UTC"), style="bold")
    if not found.tables:
        console().print("No table was open in this time.")
        return
    rows = table("Table", *NUMBERS, right=NUMBERS)
    for shift_table in (*found.tables, found.total):
        rows.add_row(*_row(shift_table))
    console().print(rows)


def _row(one: "ShiftTable") -> tuple[str, ...]:
    expected = "-" if one.expected is None else format_dollars(one.expected)
    band = "-" if one.deviation is None else f"± {format_dollars(round(BAND * one.deviation / 100) * 100)}"
    hour = "-" if one.rounds_an_hour is None else f"{one.rounds_an_hour:.0f}"
    seats = "-" if one.seats_taken is None else f"{one.seats_taken:.0%}"
    money = format_dollars(one.drop), format_dollars(one.win, sign=True), expected, band
    return plain(one.title or "all"), *money, str(one.rounds), hour, seats, str(one.incidents)
