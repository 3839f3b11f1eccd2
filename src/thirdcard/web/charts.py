"""Charts of exact odds; each stands beside its numbers, and colour never carries a meaning alone."""

from collections.abc import Mapping, Sequence

from thirdcard.cards import Rank
from thirdcard.drawing import (
    BANKER_4,
    COSTS,
    GOLD_2,
    GOOD_2,
    NIGHT_2,
    NIGHT_4,
    PLAYER_4,
    TEXT_1,
    TEXT_3,
    TEXT_INK,
    TIE_4,
    element,
    points,
    svg,
    text,
    title,
)

HUES = {"player": PLAYER_4, "banker": BANKER_4, "tie": TIE_4}
COST_STEP = 5.0  # percent of house edge for each colour of COSTS


def hue(side: str) -> str:
    """The colour of a side; gold for a bet on more than one of them."""
    return HUES.get(side, GOLD_2)


def signed(value: float, digits: int) -> str:
    """With a plus or a true minus; zero has neither."""
    return f"{value:{'+' if value else ''}.{digits}f}".replace("-", "\N{MINUS SIGN}")


def bar(percent: float, low: float, high: float, side: str) -> str:
    """One bar on a scale from `low` to `high`, which zero lies between; it fills the width it is given."""
    zero = -low / (high - low) * 100
    size = max(abs(percent) / (high - low) * 100, 0.3)
    start = zero if percent >= 0 else zero - size
    return element(
        "svg",
        element("rect", x=f"{start:.2f}%", width=f"{size:.2f}%", height="100%", rx=2, fill=hue(side)),
        element("rect", x=f"{zero:.2f}%", width=1, height="100%", fill=NIGHT_4),
        class_="bar",
        aria_hidden="true",
        focusable="false",
    )


def removal(name: str, changes: Mapping[Rank, float], side: str) -> str:
    """Columns by rank, up where the player gains and down where the house does, the largest full height."""
    largest = max(map(abs, changes.values()))
    step, half, top = 17, 40, 6
    middle, width = top + half, step * len(Rank) + 6
    parts = [element("rect", x=0, y=middle, width=width, height=1, fill=TEXT_3)]
    for rank in Rank:
        x = 3 + step * (rank - 1)
        parts.append(_label(x + step / 2, middle + half + 15, rank.letter, "middle"))
        if rank in changes:
            size = abs(changes[rank]) / largest * half if largest else 0
            y = middle - size if changes[rank] > 0 else middle
            shown = title(f"{rank.letter}: {signed(changes[rank], 2)}")
            box = element("rect", shown, x=x + 3, y=y, width=step - 6, height=max(size, 1), fill=hue(side))
            parts.append(box)
    parts += [_label(0, top + 6, "+"), _label(0, middle + half, "\N{MINUS SIGN}")]
    return _chart(width, middle + half + 20, name, parts)


def heat(name: str, cells: Mapping[tuple[int, int], tuple[float, str]], columns: range, rows: range) -> str:
    """Values in percent by (column, row), each with words for it; blank where there is none.

    What favours the player has a plus sign, an outline and another colour.
    """
    side, height, left, top = 38, 26, 26, 22
    parts = [_label(left + side * (c - columns.start + 0.5), 14, str(c), "middle", 12) for c in columns]
    parts += [_label(left - 9, top + height * (r + 0.68), str(r), "end", 12) for r in rows]
    for column in columns:
        for row in rows:
            x, y = left + side * (column - columns.start), top + height * row
            value, words = cells.get((column, row), (None, ""))
            good = value is not None and value > 0
            step = 0 if value is None else min(max(int(-value / COST_STEP), 0), len(COSTS) - 1)
            box = element(
                "rect",
                x=x + 1,
                y=y + 1,
                width=side - 2,
                height=height - 2,
                rx=3,
                fill=NIGHT_2 if value is None else GOOD_2 if good else COSTS[step],
                stroke=TEXT_1 if good else None,
                stroke_width=2 if good else None,
            )
            if value is None:
                parts.append(box)
                continue
            ink = TEXT_1 if good or step > len(COSTS) // 2 else TEXT_INK
            label = _label(x + side / 2, y + 17.5, signed(value, 1), "middle", 12, ink)
            parts.append(element("g", title(words), box, label))
    return _chart(left + side * len(columns) + 4, top + height * len(rows) + 4, name, parts)


def line(name: str, values: Mapping[int, float], marked: int, side: str, unit: str) -> str:
    """One line over whole numbers of a unit, on its own scale; its ends and the marked point are labelled."""
    width, height, left, right, top, bottom = 216, 112, 12, 12, 24, 68
    low, high = min(values.values()), max(values.values())
    first, last = min(values), max(values)
    span = (high - low) or 1.0

    def place(at: int) -> tuple[float, float]:
        x = left + (width - left - right) * (at - first) / ((last - first) or 1)
        return x, bottom - (bottom - top) * (values[at] - low) / span

    places = {at: place(at) for at in values}
    course = points(places.values())
    parts = [element("polyline", points=course, fill="none", stroke=hue(side), stroke_width=2)]
    for at, (x, y) in places.items():
        radius, fill = (4.5, TEXT_1) if at == marked else (2.5, hue(side))
        parts.append(element("circle", cx=x, cy=y, r=radius, fill=fill))
    for at, anchor, x in ((first, "start", left - 4), (last, "end", width - right + 4)):
        under = values[at] < (low + high) / 2  # on the side that the line leaves free
        y = places[at][1] + (18 if under else -10)
        parts.append(_label(x, y, f"{values[at]:.4f}", anchor, 12, TEXT_1))
        parts.append(_label(x, height - 6, unit.format(at), anchor, 11))
    return _chart(width, height, name, parts)


def balance(name: str, values: Sequence[int]) -> str:
    """What was won or lost so far as a line around nothing, which is dashed."""
    width, height, edge = 560, 120, 8
    low, high = min(0, *values), max(0, *values)
    span = (high - low) or 1
    step = width / max(1, len(values) - 1)

    def y(value: int) -> float:
        return height - edge - (height - 2 * edge) * (value - low) / span

    places = [(step * at, y(value)) for at, value in enumerate(values)]
    around = [(0.0, y(0)), *places, (step * (len(values) - 1), y(0))]
    parts = [
        element("polygon", points=points(around), fill=GOLD_2, fill_opacity=0.16),
        element("line", x1=0, y1=y(0), x2=width, y2=y(0), stroke=TEXT_3, stroke_dasharray="4 5"),
        element(
            "polyline",
            points=points(places),
            fill="none",
            stroke=GOLD_2,
            stroke_width=2.5,
            stroke_linejoin="round",
        ),
    ]
    return _chart(width, height, name, parts)


def _chart(width: int, height: int, name: str, parts: Sequence[str]) -> str:
    return svg(width, height, title(name), *parts, role="img", aria_label=name)


def _label(  # noqa: PLR0913, PLR0917 - what a label has
    x: float, y: float, words: str, anchor: str = "start", size: int = 13, fill: str = TEXT_3
) -> str:
    return text(words, x, y, size, text_anchor=anchor, fill=fill)
