"""The shift desk, a table's sheet of it, and both as files."""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from thirdcard.drawing import element, number, points, svg, text
from thirdcard.errors import BadInput
from thirdcard.frames import Schema, frame
from thirdcard.rulebook import Rulebook
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.queries.shift_desk import (
    PHASES,
    Z95,
    Z99,
    CoursePoint,
    HourPace,
    Incident,
    ShiftDesk,
    ShiftTable,
)
from thirdcard.words import Language, words

# Charts: they take their colours from the page, so that they are light on paper -------------------------

STRIP, STRIP_HEIGHT = 300, 30
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 560, 290, 60, 12, 28


def largest(tables: Sequence[ShiftTable]) -> int:
    """Cents to either side that all strips are drawn to, a round sum."""
    reach = [abs(table.win) for table in tables]
    reach += [
        abs(table.expected) + round(Z99 * (table.deviation or 0))
        for table in tables
        if table.expected is not None
    ]
    return _round_up(max(reach, default=0) or 100)


def _round_up(cents: int) -> int:
    step = int("1" + "0" * (len(str(cents)) - 1))
    return -(-cents // step) * step


def short(cents: int) -> str:
    """`+50k`, with a true minus."""
    dollars = abs(cents) / 100
    for unit, size in (("m", 1e6), ("k", 1e3)):
        if dollars >= size:
            amount = f"{number(dollars / size)}{unit}"
            break
    else:
        amount = f"{dollars:.0f}"
    return ("+" if cents > 0 else "\N{MINUS SIGN}" if cents < 0 else "") + amount


def strip(one: ShiftTable, reach: int, name: str) -> str:
    """A table's win as a dot, what was expected as a stroke, and the bands around that."""

    def x(cents: float) -> float:
        return STRIP / 2 + (STRIP / 2 - 6) * max(-1.0, min(1.0, cents / reach))

    parts = [element("path", class_="zero", d=f"M{STRIP / 2} 0V{STRIP_HEIGHT}")]
    if one.expected is not None and one.deviation is not None:
        for kind, wide in (("band2", Z99), ("band", Z95)):
            low, high = x(one.expected - wide * one.deviation), x(one.expected + wide * one.deviation)
            parts.append(element("rect", class_=kind, x=low, y=9, width=max(high - low, 1), height=12, rx=3))
        parts.append(element("path", class_="expects", d=f"M{number(x(one.expected))} 5V25"))
    parts.append(element("circle", class_="won out" if one.outside else "won", cx=x(one.win), cy=15, r=5.5))
    return svg(STRIP, STRIP_HEIGHT, *parts, class_="strip", role="img", aria_label=name)


def scale(reach: int) -> str:
    """What the strips are drawn to."""
    ends = ((12, -reach, "start"), (STRIP / 2, 0, "middle"), (STRIP - 12, reach, "end"))
    labels = [text(short(cents), at, 11, 12, class_="axis", text_anchor=anchor) for at, cents, anchor in ends]
    return svg(STRIP, 14, *labels, class_="strip", aria_hidden="true")


def take_up(share: float, kind: str) -> str:
    bars = (("track", 46.0), (kind, 46 * min(share, 1.0)))
    return svg(
        46,
        8,
        *(element("rect", class_=bar, width=width, height=8, rx=4) for bar, width in bars),
        class_="take-up",
        aria_hidden="true",
    )


def course(found: Sequence[CoursePoint], until: int, name: str, told: Callable[[int], str]) -> str:
    """The win over the shift, what was expected of the bets so far, and the bands around that."""
    known = [point for point in found if point.expected is not None and point.deviation is not None]
    edges = [
        (point.expected or 0) + sign * Z99 * (point.deviation or 0) for point in known for sign in (-1, 1)
    ]
    every = [0, *edges, *(point.win for point in found)]
    step = _round_up(int(max(max(every) - min(every), 400) / 5))
    low, high = step * int(min(every) // step), step * int(-(-max(every) // step))
    since = found[0].at

    def place(at: int, cents: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - 10) * (at - since) / max(until - since, 1)
        return x, TOP + (HEIGHT - TOP - BOTTOM) * (high - cents) / max(high - low, 1)

    def area(kind: str, wide: float) -> str:
        upper = [place(point.at, (point.expected or 0) + wide * (point.deviation or 0)) for point in known]
        lower = [place(point.at, (point.expected or 0) - wide * (point.deviation or 0)) for point in known]
        return element("polygon", class_=kind, points=points([*upper, *reversed(lower)]))

    parts = [area("area2", Z99), area("area", Z95)] if known else []
    for cents in range(low, high + 1, step):
        y = place(since, cents)[1]
        parts.append(element("path", class_="line", d=f"M{LEFT} {number(y)}H{WIDTH - 10}"))
        parts.append(text(short(cents), LEFT - 6, y + 4, 12, class_="axis", text_anchor="end"))
    for at in range(since, until, max((until - since) // 4, 1)):
        x = place(at, 0)[0]
        parts.append(text(told(at), x, HEIGHT - 6, 12, class_="axis", text_anchor="middle"))
    expected = [place(point.at, point.expected or 0) for point in known]
    parts.append(element("polyline", class_="expected", points=points(expected)))
    wins = [place(point.at, point.win) for point in found]
    parts.append(element("polyline", class_="win", points=points(wins)))
    parts.append(element("circle", class_="won", cx=wins[-1][0], cy=wins[-1][1], r=5))
    return svg(WIDTH, HEIGHT, *parts, class_="big", role="img", aria_label=name)


def pace(hours: Sequence[HourPace], name: str, told: Callable[[int], str], *, running: bool) -> str:
    """Rounds an hour of one open table, hour by hour; the present hour stands out."""
    width, most = 330, max((hour.rounds_an_hour or 0 for hour in hours), default=0) or 1
    step = width / max(len(hours), 1)
    parts = []
    for n, one in enumerate(hours):
        value = one.rounds_an_hour or 0
        tall = (HEIGHT - BOTTOM - 30) * value / most
        x, y, middle = n * step + step * 0.12, HEIGHT - BOTTOM - tall, n * step + step / 2
        kind = "bar now" if running and n == len(hours) - 1 else "bar"
        parts.append(element("rect", class_=kind, x=x, y=y, width=step * 0.76, height=max(tall, 1), rx=4))
        if one.rounds_an_hour is not None and len(hours) <= 12:  # noqa: PLR2004 - else they do not fit
            parts.append(text(f"{value:.0f}", middle, y - 6, 13, class_="value", text_anchor="middle"))
        if n % max(1, len(hours) // 5) == 0:
            parts.append(text(told(one.at), middle, HEIGHT - 6, 12, class_="axis", text_anchor="middle"))
    return svg(width, HEIGHT, *parts, class_="big", role="img", aria_label=name)


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
    for table in desk.tables:
        for bet in (*table.side_bets, *table.insurance.bets):
            yield table.table, bet.bet, bet.boxes, bet.staked, bet.win, bet.expected


def parquet(desk: ShiftDesk) -> bytes:
    """The tables; BadInput where pyarrow is missing."""
    columns = frame(COLUMNS, rows(desk))
    from pyarrow import parquet as files  # noqa: PLC0415 - only who wants such a file needs it

    out = io.BytesIO()
    files.write_table(columns, out)
    return out.getvalue()


def file_name(desk: ShiftDesk) -> str:
    name = "".join(letter for letter in desk.time.name or "day" if letter.isascii() and letter.isalnum())
    return f"shift-{desk.time.day}-{name or 'shift'}"


def shown(desk: ShiftDesk, books: Iterable[Rulebook], lang: Language) -> dict[str, Any]:
    """What the page draws; the rulebooks name their cases."""
    t = words(lang).ui
    reach, running = largest(desk.tables), desk.at < desk.time.until
    day_form = "%H:%M" if desk.time.until - desk.time.since <= DAY else "%d.%m."

    def told(at: int) -> str:
        return clock(desk, at, day_form)

    def strip_of(one: ShiftTable) -> str:
        facts = {"win": plain(one.win), "expected": plain(one.expected), "band": band(one)}
        return strip(one, reach, t["shift_strip"].format(**facts))

    end = desk.time.until if desk.at < desk.time.until and len(desk.course) < 2 else desk.at  # noqa: PLR2004
    return {
        "desk": desk,
        "asked": {"shift": desk.time.name or "day", "day": desk.time.day},
        "cases": {procedure.case: procedure.title for book in books for procedure in book.procedures},
        "phases": PHASES,
        "minutes": lambda seconds: f"{seconds / 60:.0f}",
        "strip": strip_of,
        "scale": scale(reach),
        "band": band,
        "take_up": take_up,
        "course": course(desk.course, max(end, desk.time.since + 1), t["shift_course"], told),
        "pace": pace(desk.pace, t["shift_pace"], told, running=running) if desk.pace else "",
        "clock": lambda at, form="%H:%M": clock(desk, at, form),
        "whole": plain,
        "percent": percent,
        "open_cases": len(still_open(desk.incidents)),
        "running": running,
        "hour": mean_pace(desk.pace),
    }


def table_in(desk: ShiftDesk, table: str) -> ShiftTable:
    """A table of it; BadInput if nothing was counted there in that time."""
    listed = next((other for other in desk.tables if other.table == table), None)
    if listed is None:
        raise BadInput(f"table {table} was not open in that time: choose another shift or day")
    return listed


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
