"""Charts of game protection: lines by depth, and what the radar shows; the page or the paper has the colours.

Each stands beside its numbers. Series differ by pattern and by mark, never by colour alone.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from thirdcard.drawing import element, number, points, svg, text, title
from thirdcard.web.charts import signed

Point = tuple[float, float]


def _down(of: "PlotFrame", at: float, first: str = "", second: str = "", *, left: bool = True) -> list[str]:
    """A line from top to bottom where something turns, and two lines of words beside it."""
    x, side = of.x(at), {"text_anchor": "end"} if left else {}
    beside = x - 8 if left else x + 8
    parts = [element("path", d=f"M{number(x)} {number(of.top)}V{number(of.bottom)}", class_="turn")]
    if first:
        parts.append(text(first, beside, of.top + 12, 13, class_="label", **side))
        parts.append(text(second, beside, of.top + 28, 12, class_="axis", **side))
    return parts


class Series(NamedTuple):
    """A line: its name, its pattern (`line-1` …) and its points."""

    name: str
    pattern: str
    points: Sequence[Point]


class PlotFrame(NamedTuple):
    """The plot inside a drawing, and how values become places."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x: Callable[[float], float]
    y: Callable[[float], float]


def frame(width: float, height: float, xs: tuple[float, float], ys: tuple[float, float]) -> PlotFrame:
    left, right, top, bottom = 56.0, width - 14, 30.0, height - 42

    def x(value: float) -> float:
        return left + (value - xs[0]) / ((xs[1] - xs[0]) or 1) * (right - left)

    def y(value: float) -> float:
        return bottom - (value - ys[0]) / ((ys[1] - ys[0]) or 1) * (bottom - top)

    return PlotFrame(width, height, left, right, top, bottom, x, y)


def _axes(
    of: PlotFrame, xs: Sequence[tuple[float, str]], ys: Sequence[tuple[float, str]], labels: tuple[str, str]
) -> list[str]:
    parts = []
    for value, words in ys:
        y = of.y(value)
        parts.append(
            element(
                "path",
                d=f"M{number(of.left)} {number(y)}H{number(of.right)}",
                class_="grid" if value else "grid zero",
            )
        )
        parts.append(text(words, of.left - 8, y + 4, 12, text_anchor="end", class_="axis"))
    for value, words in xs:
        parts.append(text(words, of.x(value), of.bottom + 18, 12, text_anchor="middle", class_="axis"))
    parts.append(
        text(labels[0], (of.left + of.right) / 2, of.height - 4, 12, text_anchor="middle", class_="label")
    )
    parts.append(text(labels[1], 4, 14, 12, class_="label"))
    return parts


def steps(top: float, most: int = 5) -> list[float]:
    """Round numbers from nought to a little above the top."""
    if top <= 0:
        return [0.0, 1.0]
    size = (
        10.0 ** (len(f"{int(top)}") - 1)
        if top >= 1
        else 0.1 ** next(k for k in range(1, 12) if top * 10**k >= 1)
    )
    step = next(
        step for step in (size / 5, size / 2, size, 2 * size, 5 * size, 10 * size) if top / step <= most
    )
    return [step * k for k in range(int(top / step) + 2)]


def depth(name: str, series: Sequence[Series], cuts: Sequence[int], labels: tuple[str, str]) -> str:
    """Lines over cards behind the cut card, to scale."""
    top = max((y for one in series for _, y in one.points), default=0.0)
    marks = steps(top)
    of = frame(680, 240, (min(cuts) - 4, max(cuts) + 4), (0, marks[-1]))
    parts = _axes(of, [(cut, str(cut)) for cut in cuts], [(mark, f"{mark:g}") for mark in marks], labels)
    for at, one in enumerate(series):
        course = [(of.x(x), of.y(y)) for x, y in one.points]
        parts.append(element("polyline", points=points(course), class_=f"line {one.pattern}"))
        parts += [_mark(at, x, y) for x, y in course]
        y = of.top + 6 + 18 * at
        parts.append(
            element("path", d=f"M{number(of.right - 190)} {number(y)}h32", class_=f"line {one.pattern}")
        )
        parts.append(text(one.name, of.right - 150, y + 4, 12, class_="label"))
    return _chart(of, name, parts)


def _mark(at: int, x: float, y: float) -> str:
    if at % 2:
        return element("rect", x=x - 3.5, y=y - 3.5, width=7, height=7, class_="mark second")
    return element("circle", cx=x, cy=y, r=4, class_="mark")


class AtPoint(NamedTuple):
    """A mean with the band around it."""

    at: float
    mean: float
    low: float
    high: float


def band(
    name: str, course: Sequence[AtPoint], trigger: tuple[float, str, str] | None, labels: tuple[str, str]
) -> str:
    """A mean over the true count with its band; `trigger` is a place, and two lines said beside it."""
    low, high = min(0.0, *[one.low for one in course]), max(0.0, *[one.high for one in course])
    low, high = max(low, -1.0), min(high, 2 * max(one.mean for one in course) + 0.2)
    size = steps(high - low)[1]
    ys = [size * k for k in range(floor(low / size), ceil(high / size) + 1)]
    of = frame(560, 270, (course[0].at, course[-1].at), (ys[0], ys[-1]))

    def y(value: float) -> float:
        return of.y(min(max(value, ys[0]), ys[-1]))

    width = 5 * min(b.at - a.at for a, b in pairwise(course)) if len(course) > 1 else 1.0
    marked = [one for one in course if one.at % width == 0]
    xs = [(one.at, signed(one.at, 0) if one.at else "0") for one in marked]
    parts = _axes(of, xs, [(one, signed_percent(one)) for one in ys], labels)
    edge = [(of.x(one.at), y(one.high)) for one in course] + [
        (of.x(one.at), y(one.low)) for one in reversed(course)
    ]
    parts.append(element("polygon", points=points(edge), class_="band"))
    places = [(of.x(one.at), y(one.mean)) for one in course]
    parts.append(element("polyline", points=points(places), class_="line line-1"))
    parts += [_mark(0, of.x(one.at), y(one.mean)) for one in marked]
    if trigger is not None and course[0].at <= trigger[0] <= course[-1].at:
        parts += _down(of, *trigger, left=trigger[0] > (course[0].at + course[-1].at) / 2)
    return _chart(of, name, parts)


def turning(
    name: str, course: Sequence[Point], median: tuple[float, str, str] | None, labels: tuple[str, str]
) -> str:
    """The share of rounds with a value above zero over the cards left: full, left, to the end, right."""
    ys = steps(max((share for _, share in course), default=0.0) * 100)
    of = frame(560, 270, (-max(left for left, _ in course), -min(left for left, _ in course)), (0, ys[-1]))
    most = max(left for left, _ in course)
    xs = [(-left, f"{left:g}") for left, _ in course[:: max(1, len(course) // 6)]]
    parts = _axes(of, xs, [(one, f"{one:g}%") for one in ys], labels)
    places = [(of.x(-left), of.y(100 * share)) for left, share in course]
    ends = [(of.x(-course[-1][0]), of.bottom), (of.x(-most), of.bottom)]
    parts.append(element("polygon", points=points([*places, *ends]), class_="band"))
    parts.append(element("polyline", points=points(places), class_="line line-1"))
    if median is not None:
        parts += _down(of, -median[0], *median[1:])
    return _chart(of, name, parts)


def shares(
    name: str, bins: Sequence[tuple[float, float, float]], wide: float, labels: tuple[str, str]
) -> str:
    """Over the value: all rounds, and narrower, those with a bet. Bins are (from, all, bets)."""
    top = max((max(one, other) for _, one, other in bins), default=0.0)
    marks = steps(top * 100)
    low, high = bins[0][0], bins[-1][0] + wide
    of = frame(560, 270, (low, high), (0, marks[-1]))
    xs = [(low + wide * k, signed_percent(low + wide * k)) for k in range(0, len(bins) + 1, 2)]
    parts = _axes(of, xs, [(mark, f"{mark:g}%") for mark in marks], labels)
    for start, every, bets in bins:
        left, right = of.x(start), of.x(start + wide)
        parts.append(_bar(left + 2, right - 2, of.y(every * 100), of.bottom, "bar all"))
        if bets:
            parts.append(_bar(left + 6, right - 6, of.y(bets * 100), of.bottom, "bar bets"))
    if low < 0 < high:
        parts += _down(of, 0)
    return _chart(of, name, parts)


def signed_percent(share: float) -> str:
    """Whole percent with its sign; nought has none."""
    whole = round(100 * share)
    return f"{signed(whole, 0)}%" if whole else "0"


def _bar(left: float, right: float, top: float, bottom: float, kind: str) -> str:
    return element(
        "rect", x=left, y=top, width=max(right - left, 1), height=max(bottom - top, 0), class_=kind
    )


def growth(name: str, course: Sequence[Point], line: float, told: str, labels: tuple[str, str]) -> str:
    """The statistic over shoes watched, with the line that chance keeps under."""
    marks = steps(max(line, *(y for _, y in course)))
    last = max(x for x, _ in course)
    of = frame(430, 270, (0, last), (0, marks[-1]))
    xs = [(step, f"{step:g}") for step in steps(last) if step <= last]
    parts = _axes(of, xs, [(mark, f"{mark:g}") for mark in marks], labels)
    y = of.y(line)
    parts.append(
        element("rect", x=of.left, y=y, width=of.right - of.left, height=of.bottom - y, class_="calm")
    )
    parts.append(element("path", d=f"M{number(of.left)} {number(y)}H{number(of.right)}", class_="chance"))
    parts.append(text(told, of.right, y - 6, 12, text_anchor="end", class_="axis"))
    places = [(of.x(x), of.y(y)) for x, y in course]
    parts.append(element("polyline", points=points(places), class_="line line-1"))
    parts.append(_mark(0, *places[-1]))
    return _chart(of, name, parts)


def one_shoe(name: str, rounds: Sequence[tuple[float, int]], labels: tuple[str, str]) -> str:
    """The value before each round, marked where there was a bet, and the stakes below."""
    values = [value for value, _ in rounds]
    low, high = min(*values, 0.0), max(*values, 0.0)
    of = frame(1010, 230, (0, len(rounds)), (low, high))._replace(bottom=160.0)
    span = (high - low) or 1.0

    def y(value: float) -> float:
        return 160.0 - (value - low) / span * (160.0 - of.top)

    most = max((stake for _, stake in rounds), default=0) or 1
    parts = [element("path", d=f"M{number(of.left)} {number(y(0))}H{number(of.right)}", class_="grid zero")]
    parts += [
        text(signed_percent(value), of.left - 8, y(value) + 4, 12, text_anchor="end", class_="axis")
        for value in dict.fromkeys((low, 0.0, high))
    ]
    course = [(of.x(at + 0.5), y(value)) for at, (value, _) in enumerate(rounds)]
    parts.append(element("polyline", points=points(course), class_="line line-1"))
    for at, (value, stake) in enumerate(rounds):
        if stake:
            x = course[at][0]
            kind = "bets" if value > 0 else "below"
            parts.append(_bar(x - 4, x + 4, 210 - 34 * stake / most, 210, f"bar {kind}"))
            parts.append(
                element(
                    "circle", cx=x, cy=course[at][1], r=4.5, class_=f"mark {'' if value > 0 else 'hollow'}"
                )
            )
    parts.append(element("path", d=f"M{number(of.left)} 210H{number(of.right)}", class_="grid"))
    parts += [
        text(str(at + 1), of.x(at + 0.5), 226, 12, text_anchor="middle", class_="axis")
        for at in range(0, len(rounds), 10)
    ]
    parts += [
        text(labels[0], 4, 14, 12, class_="label"),
        text(labels[1], of.left - 8, 208, 12, text_anchor="end", class_="axis"),
    ]
    return _chart(of, name, parts)


def _chart(of: PlotFrame, name: str, parts: Sequence[str]) -> str:
    return svg(of.width, of.height, title(name), *parts, role="img", aria_label=name, class_="plot")
