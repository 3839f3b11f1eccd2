"""The charts of a shift: the band of what luck may do, the course of the win, rounds an hour.

They take their colours from the page's sheet, so that they are light on paper.
"""

from collections.abc import Callable, Sequence

from thirdcard.drawing import element, number, points, svg, text
from thirdcard.service.queries.shift_desk import Z95, Z99, CoursePoint, HourPace, ShiftTable

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
            told = f"{number(dollars / size)}{unit}"
            break
    else:
        told = f"{dollars:.0f}"
    return ("+" if cents > 0 else "\N{MINUS SIGN}" if cents < 0 else "") + told


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
        *(element("rect", class_=one, width=width, height=8, rx=4) for one, width in bars),
        class_="take-up",
        aria_hidden="true",
    )


def course(found: Sequence[CoursePoint], until: int, name: str, told: Callable[[int], str]) -> str:
    """The win over the shift, what was expected of the bets so far, and the bands around that."""
    known = [one for one in found if one.expected is not None and one.deviation is not None]
    edges = [(one.expected or 0) + sign * Z99 * (one.deviation or 0) for one in known for sign in (-1, 1)]
    every = [0, *edges, *(one.win for one in found)]
    step = _round_up(int(max(max(every) - min(every), 400) / 5))
    low, high = step * int(min(every) // step), step * int(-(-max(every) // step))
    since = found[0].at

    def place(at: int, cents: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - 10) * (at - since) / max(until - since, 1)
        return x, TOP + (HEIGHT - TOP - BOTTOM) * (high - cents) / max(high - low, 1)

    def area(kind: str, wide: float) -> str:
        upper = [place(one.at, (one.expected or 0) + wide * (one.deviation or 0)) for one in known]
        lower = [place(one.at, (one.expected or 0) - wide * (one.deviation or 0)) for one in known]
        return element("polygon", class_=kind, points=points([*upper, *reversed(lower)]))

    parts = [area("area2", Z99), area("area", Z95)] if known else []
    for cents in range(low, high + 1, step):
        y = place(since, cents)[1]
        parts.append(element("path", class_="line", d=f"M{LEFT} {number(y)}H{WIDTH - 10}"))
        parts.append(text(short(cents), LEFT - 6, y + 4, 12, class_="axis", text_anchor="end"))
    for at in range(since, until, max((until - since) // 4, 1)):
        x = place(at, 0)[0]
        parts.append(text(told(at), x, HEIGHT - 6, 12, class_="axis", text_anchor="middle"))
    expected = [place(one.at, one.expected or 0) for one in known]
    parts.append(element("polyline", class_="expected", points=points(expected)))
    wins = [place(one.at, one.win) for one in found]
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
