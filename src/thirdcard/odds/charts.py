"""Charts as SVG text: drawn here, so that a page needs no script and no network.

Each has a title that says what it shows; colour never carries a meaning alone.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

HUES = {"player": "#5b95ec", "banker": "#e0645a", "tie": "#4fb87f", "none": "#d9bc7a"}
COSTS = ("#fdf3d3", "#f3d27c", "#e0a548", "#bd7636", "#8f4128", "#5a1f1a")  # dearer is darker
COST_STEP = 5.0  # percent of house edge for each of them
GOOD, BLANK = "#1f9d61", "#0f1c18"
INK, PALE, QUIET, LINE = "#14110a", "#f6f2e8", "#97a69e", "#21372f"


class Bar(NamedTuple):
    label: str
    percent: float
    hue: str  # a key of HUES


def svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def text(  # noqa: PLR0913 - as many attributes as an SVG text has
    x: float, y: float, words: str, *, anchor: str = "start", fill: str = PALE, size: int = 13
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}" font-size="{size}">'
        f"{escape(words)}</text>"
    )


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Horizontal bars of percentages with their numbers; below zero they grow to the left."""
    row, left, width, top = 27, 118, 250, 4
    low, high = min(0.0, *(bar.percent for bar in rows)), max(5.0, *(bar.percent for bar in rows))
    scale = width / (high - low)
    zero = left - low * scale
    bottom = top + row * len(rows)
    parts = []
    for mark in range(int(low // 5) * 5 + 5 if low else 0, int(high) + 1, 5):
        x = zero + mark * scale
        parts.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" stroke="{LINE}"/>')
        parts.append(text(x, bottom + 18, f"{mark}%", anchor="middle", fill=QUIET, size=12))
    for number, bar in enumerate(rows):
        y, size = top + row * number, abs(bar.percent) * scale
        start = zero - size if bar.percent < 0 else zero
        parts.append(text(left - 10, y + 18, bar.label, anchor="end"))
        box = f'x="{start:.1f}" y="{y + 5}" width="{max(size, 1):.1f}" height="17" rx="2"'
        parts.append(f'<rect {box} fill="{HUES[bar.hue]}"/>')
        parts.append(text(max(zero, start + size) + 8, y + 18, f"{bar.percent:.4f}%"))
    return svg(left + width + 80, bottom + 26, title, parts)


def heat(title: str, cells: Mapping[tuple[int, int], tuple[float, str]], columns: range, rows: range) -> str:
    """Values in percent by (column, row), each with words for it; blank where there is none.

    What favours the player has a plus sign, an outline and another colour.
    """
    side, height, left, top = 38, 26, 26, 22
    parts = [
        text(left + side * (c - columns.start + 0.5), 14, str(c), anchor="middle", fill=QUIET, size=12)
        for c in columns
    ]
    parts += [
        text(left - 9, top + height * (r + 0.68), str(r), anchor="end", fill=QUIET, size=12) for r in rows
    ]
    for column in columns:
        for row in rows:
            x, y = left + side * (column - columns.start), top + height * row
            box = f'x="{x + 1}" y="{y + 1}" width="{side - 2}" height="{height - 2}" rx="3"'
            if (column, row) not in cells:
                parts.append(f'<rect {box} fill="{BLANK}"/>')
                continue
            value, words = cells[column, row]
            step = min(max(int(-value / COST_STEP), 0), len(COSTS) - 1)
            good = value > 0
            fill = GOOD if good else COSTS[step]
            ink = PALE if good or step > len(COSTS) // 2 else INK
            edge = f' stroke="{PALE}" stroke-width="2"' if good else ""
            label = f"{value:+.1f}".replace("-", "\N{MINUS SIGN}") if value else "0"
            parts.append(
                f'<g><title>{escape(words)}</title><rect {box} fill="{fill}"{edge}/>'
                f"{text(x + side / 2, y + 17.5, label, anchor='middle', fill=ink, size=12)}</g>"
            )
    return svg(left + side * len(columns) + 4, top + height * len(rows) + 4, title, parts)


def line(title: str, values: Mapping[int, float], marked: int, hue: str) -> str:
    """One line over whole numbers, on its own scale; its ends and the marked point are labelled."""
    width, height, left, right, top, bottom = 216, 112, 12, 12, 24, 68
    low, high = min(values.values()), max(values.values())
    first, last = min(values), max(values)
    span = (high - low) or 1.0

    def place(at: int) -> tuple[float, float]:
        x = left + (width - left - right) * (at - first) / ((last - first) or 1)
        return x, bottom - (bottom - top) * (values[at] - low) / span

    points = {at: place(at) for at in values}
    course = " ".join(f"{x:.1f},{y:.1f}" for x, y in points.values())
    parts = [f'<polyline points="{course}" fill="none" stroke="{HUES[hue]}" stroke-width="2"/>']
    for at, (x, y) in points.items():
        radius, fill = (4.5, PALE) if at == marked else (2.5, HUES[hue])
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}"/>')
    for at, anchor, x in ((first, "start", left - 4), (last, "end", width - right + 4)):
        under = values[at] < (low + high) / 2  # on the side that the line leaves free
        parts.append(
            text(x, points[at][1] + (18 if under else -10), f"{values[at]:.4f}", anchor=anchor, size=12)
        )
        parts.append(text(x, height - 6, f"{at} decks", anchor=anchor, fill=QUIET, size=11))
    return svg(width, height, title, parts)
