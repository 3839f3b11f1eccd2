"""The shift desk, a table's sheet of it, and both as files."""

import io
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from thirdcard.errors import BadInput
from thirdcard.frames import Schema, frame
from thirdcard.rulebook import Rulebook
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.queries.shift_desk import PHASES, Z95, HourPace, Incident, ShiftDesk, ShiftTable
from thirdcard.web import shift_charts
from thirdcard.words import Language, words

_CENTS = ("drop", "cashed_in", "win", "staked", "expected", "deviation")
_COUNTS = (
    "rounds", "voids", "boxes", "side_boxes", "reports", "rulings", "dismissals", "corrections", "disputes",
    "calls", "large_wins",
)  # fmt: skip
_FLOAT = ("fills", "credits", "opening", "closing", "off")
COLUMNS: Schema = {
    **dict.fromkeys(("shift", "day", "since", "until", "table", "title", "rulebook"), "string"),
    **{f"{name}_cents": "int64" for name in _CENTS},
    **dict.fromkeys(("hold", "expected_hold", "rounds_an_hour", "seats_taken"), "double"),
    **dict.fromkeys(_COUNTS, "int64"),
    **dict.fromkeys(("insurance_offered", "insurance_bought", "insurance_win_cents"), "int64"),
    **{f"float_{name}_cents": "int64" for name in _FLOAT},
    **{f"{phase.replace('-', '_')}_seconds": "int64" for phase in PHASES},
}
NONE = "\N{EN DASH}"  # what cannot be told
BET_COLUMNS = ("table", "bet", "boxes", "staked_cents", "win_cents", "expected_cents")


def clock(desk: ShiftDesk, at: int, form: str = "%H:%M") -> str:
    """By the clock of the house."""
    return datetime.fromtimestamp(at / MICROSECONDS + desk.house.ahead * 60, UTC).strftime(form)


def rows(desk: ShiftDesk) -> Iterator[tuple[object, ...]]:
    """One for each table; times in UTC."""
    since, until = (
        datetime.fromtimestamp(at / MICROSECONDS, UTC).isoformat() for at in (desk.time.since, desk.at)
    )
    for table in desk.tables:
        insured = table.insurance
        yield (
            *(desk.time.name or "day", desk.time.day, since, until, table.table, table.title, table.rulebook),
            *(getattr(table, name) for name in _CENTS),
            *(table.hold, table.expected_hold, table.rounds_an_hour, table.seats_taken),
            *(getattr(table, name) for name in _COUNTS),
            *(insured.offered, insured.bought, sum(bet.win for bet in insured.bets)),
            *(getattr(table.float, name) for name in _FLOAT),
            *(table.seconds.get(phase, 0) for phase in PHASES),
        )


def csv_rows(desk: ShiftDesk) -> Iterator[tuple[object, ...]]:
    """The tables, then each side bet and insurance of each."""
    yield tuple(COLUMNS)
    yield from rows(desk)
    yield ()
    yield BET_COLUMNS
    for one in desk.tables:
        for bet in (*one.side_bets, *one.insurance.bets):
            yield one.table, bet.bet, bet.boxes, bet.staked, bet.win, bet.expected


def parquet(desk: ShiftDesk) -> bytes:
    """The tables; BadInput where pyarrow is missing."""
    made = frame(COLUMNS, rows(desk))
    from pyarrow import parquet as files  # noqa: PLC0415 - only who wants such a file needs it

    out = io.BytesIO()
    files.write_table(made, out)
    return out.getvalue()


def file_name(desk: ShiftDesk) -> str:
    name = "".join(letter for letter in desk.time.name or "day" if letter.isascii() and letter.isalnum())
    return f"shift-{desk.time.day}-{name or 'shift'}"


def shown(desk: ShiftDesk, books: Iterable[Rulebook], lang: Language) -> dict[str, Any]:
    """What the page draws; the rulebooks name their cases."""
    t = words(lang).ui
    reach, running = shift_charts.largest(desk.tables), desk.at < desk.time.until
    day_form = "%H:%M" if desk.time.until - desk.time.since <= DAY else "%d.%m."

    def told(at: int) -> str:
        return clock(desk, at, day_form)

    def strip(one: ShiftTable) -> str:
        facts = {"win": plain(one.win), "expected": plain(one.expected), "band": band(one)}
        return shift_charts.strip(one, reach, t["shift_strip"].format(**facts))

    end = desk.time.until if desk.at < desk.time.until and len(desk.course) < 2 else desk.at  # noqa: PLR2004
    return {
        "desk": desk,
        "asked": {"shift": desk.time.name or "day", "day": desk.time.day},
        "cases": {procedure.case: procedure.title for book in books for procedure in book.procedures},
        "phases": PHASES,
        "minutes": lambda seconds: f"{seconds / 60:.0f}",
        "strip": strip,
        "scale": shift_charts.scale(reach),
        "band": band,
        "take_up": shift_charts.take_up,
        "course": shift_charts.course(desk.course, max(end, desk.time.since + 1), t["shift_course"], told),
        "pace": shift_charts.pace(desk.pace, t["shift_pace"], told, running=running) if desk.pace else "",
        "clock": lambda at, form="%H:%M": clock(desk, at, form),
        "whole": plain,
        "percent": percent,
        "open_cases": len(still_open(desk.incidents)),
        "running": running,
        "hour": mean_pace(desk.pace),
    }


def table_in(desk: ShiftDesk, table: str) -> ShiftTable:
    """A table of it; BadInput if nothing was counted there in that time."""
    found = next((one for one in desk.tables if one.table == table), None)
    if found is None:
        raise BadInput(f"table {table} was not open in that time: choose another shift or day")
    return found


DAY = 24 * 3_600 * MICROSECONDS


def still_open(incidents: tuple[Incident, ...]) -> list[Incident]:
    """Reports that nobody has ruled on or dismissed since."""
    over = [
        (incident.table, incident.what) for incident in incidents if incident.kind in ("ruling", "dismissal")
    ]
    left = []
    for one in reversed(incidents):
        if one.kind == "report":
            if (one.table, one.what) in over:
                over.remove((one.table, one.what))
            else:
                left.append(one)
    return left


def mean_pace(hours: tuple[HourPace, ...]) -> float | None:
    opened = sum(hour.open_hours for hour in hours)
    return sum(hour.rounds for hour in hours) / opened if opened else None


def band(one: ShiftTable) -> str:
    """What is to either side of the expectation in 95 of 100 shifts."""
    return "" if one.deviation is None else plain(round(Z95 * one.deviation))


def plain(cents: int | None, *, sign: bool = False) -> str:
    """Whole dollars, with a true minus."""
    if cents is None:
        return NONE
    dollars = round(abs(cents) / 100)
    mark = "\N{MINUS SIGN}" if cents < 0 and dollars else "+" if sign and cents > 0 and dollars else ""
    return f"{mark}{dollars:,}"


def percent(share: float | None, digits: int = 1) -> str:
    return NONE if share is None else f"{share:.{digits}%}".replace("-", "\N{MINUS SIGN}")
