"""The roads drawn as SVG: plain text without scripts, styles or outside references.

A character or a shape stands wherever a colour does: 庄 閒 和 for the results, a dot or a cross in an
irregular (blue) mark. Every picture has a title and a description that say the same in words.
Colours are attributes, so a picture is whole by itself and a page's style sheet may still overrule them.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import ceil
from typing import TypeAlias

from thirdcard.roads import DERIVED, ROWS, Ask, Bead, Cell, Derived, Mark, Roads, lay

PAPER, LINE, INK, LATEST = "#f7f4ea", "#cfcab8", "#14110a", "#fff0b8"
RED, BLUE, GREEN = "#b92b22", "#1f58b5", "#0f7a45"
HUES = {"banker": RED, "player": BLUE, "tie": GREEN, "R": RED, "L": BLUE}
CHARACTERS = {"banker": "庄", "player": "閒", "tie": "和"}
NAMES = {
    "bead_plate": "Bead plate 珠盤路",
    "big_road": "Big road 大路",
    "big_eye_boy": "Big eye boy 大眼仔",
    "small_road": "Small road 小路",
    "cockroach_pig": "Cockroach pig 曱甴路",
    "ask": "Ask 問路",
}
FONTS = (
    "Inter, 'Segoe UI', 'PingFang TC', 'Microsoft JhengHei', 'Noto Sans CJK TC', 'Noto Sans TC', sans-serif"
)

# Marks are drawn around the middle of a square of UNIT; a picture's size only scales them.
UNIT = 20
BIG, SMALL = 32, 16

Drawn: TypeAlias = tuple[int, int, str, str]  # column, row, class, shapes


def bead_plate_svg(beads: Sequence[Bead], *, columns: int | None = None, cell: int = BIG) -> str:
    """The bead plate, all of it or its newest columns."""
    told = ", ".join(_told_bead(bead) for bead in beads)
    drawn = [(bead.column, bead.row, bead.winner, _bead(bead, last=bead is beads[-1])) for bead in beads]
    return _sheet(NAMES["bead_plate"], told, drawn, columns, cell)


def big_road_svg(cells: Sequence[Cell], *, columns: int | None = None, cell: int = BIG) -> str:
    """The big road, all of it or its newest columns."""
    drawn = [(one.column, one.row, one.winner, _ring(one, last=one is cells[-1])) for one in cells]
    return _sheet(NAMES["big_road"], _told_streaks(cells), drawn, columns, cell)


def derived_svg(marks: str, kind: Derived, *, columns: int | None = None, cell: int = SMALL) -> str:
    """One derived road from its marks, all of it or its newest columns."""
    told = f"{marks} (R red, regular; L blue, irregular)" if marks else ""
    drawn = [(mark.column, mark.row, mark.colour, mark_shape(mark.colour, kind)) for mark in lay(marks)]
    return _sheet(NAMES[kind], told, drawn, columns, cell)


def ask_svg(ask: Ask, *, cell: int = SMALL) -> str:
    """Two rows, Player and Banker: the marks that a win would add next."""
    told = f"Player {ask.player}, Banker {ask.banker} (R red, L blue, - no mark)"
    rows = []
    for number, (winner, marks) in enumerate((("player", ask.player), ("banker", ask.banker))):
        rows.append(
            f'<g transform="translate(0 {number * 64})">'
            f'<rect width="160" height="56" rx="6" fill="#fff" stroke="{LINE}"/>'
            f'<text x="30" y="38" font-size="28" fill="{HUES[winner]}">{CHARACTERS[winner]}</text>'
        )
        for place, (mark, kind) in enumerate(zip(marks, DERIVED, strict=True)):
            shape = mark_shape(mark, kind) if mark != "-" else '<path d="M-3 0H3" stroke="#6b675c"/>'
            rows.append(
                f'<g class="ask {mark}" transform="translate({72 + place * 32} 28) scale(1.25)">{shape}</g>'
            )
        rows.append("</g>")
    return _svg(NAMES["ask"], told, "".join(rows), (8 * UNIT, ROWS * UNIT), cell / UNIT)


def board_svg(roads: Roads) -> str:
    """All five roads and the ask marks on one sheet of paper, a picture file by itself."""
    top, lower, gap = 72, 72 + ROWS * BIG + 52, BIG
    # Big squares are two small ones wide and the ask boxes four, so both rows end at the same edge when
    # three derived roads of 2 x `half` columns stand under 3 x `half` + 6 columns of the two upper ones.
    bead = max(11, _width(roads.bead_plate))
    big = _width(roads.big_road) + 1
    longest = max(_width(lay(getattr(roads, kind))) for kind in DERIVED)
    half = max(9, ceil((longest + 1) / 2), ceil((bead + big - 6) / 3))
    derived, big = 2 * half, 3 * half + 6 - bead

    parts = [_counts(roads.bead_plate, gap)]
    place = gap
    parts += _titled("bead_plate", place, top, bead_plate_svg(roads.bead_plate, columns=bead))
    parts += _titled("big_road", place + bead * BIG + gap, top, big_road_svg(roads.big_road, columns=big))
    for kind in DERIVED:
        parts += _titled(kind, place, lower, derived_svg(getattr(roads, kind), kind, columns=derived))
        place += derived * SMALL + gap
    parts += _titled("ask", place, lower, ask_svg(roads.ask))
    floor = lower + ROWS * SMALL
    parts.append(
        f'<text x="{gap}" y="{floor + 30}" font-size="13" fill="{INK}" text-anchor="start" font-weight="400">'
        "Lower roads: red is regular, blue with a dot or cross is irregular; neither means Banker or Player. "
        "Ask marks show what a win would add, not what will come.</text>"
    )
    width, height = (bead + big) * BIG + 3 * gap, floor + 48
    body = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>' + "".join(parts)
    told = "Bead plate, big road, big eye boy, small road, cockroach pig and ask marks of one shoe."
    return _svg("Baccarat roads", told, body, (width, height), 1, role="group")


def mark_shape(mark: str, kind: Derived) -> str:
    """A derived mark around its middle; an irregular one also has a dot or a cross in it."""
    hue = HUES[mark]
    shape = {
        "big_eye_boy": f'<circle r="6.6" fill="none" stroke="{hue}" stroke-width="2.6"/>',
        "small_road": f'<circle r="7.6" fill="{hue}"/>',
        "cockroach_pig": f'<path d="M-6 6L6-6" stroke="{hue}" stroke-width="3.2" stroke-linecap="round"/>',
    }[kind]
    if mark == "R":
        return shape
    return (
        shape
        + {
            "big_eye_boy": f'<circle r="2.2" fill="{hue}"/>',
            "small_road": f'<path d="M-3-3L3 3M-3 3L3-3" stroke="{PAPER}" stroke-width="2"/>',
            "cockroach_pig": f'<path d="M-3.4-3.4L3.4 3.4" stroke="{hue}" stroke-width="2.2"/>',
        }[kind]
    )


def _bead(bead: Bead, *, last: bool) -> str:
    edge = f' stroke="{INK}" stroke-width="1.2"' if last else ""
    shapes = (
        f'<circle r="8.6" fill="{HUES[bead.winner]}"{edge}/>'
        f'<text y="3.9" font-size="10.5" fill="#fff">{CHARACTERS[bead.winner]}</text>'
    )
    for pair, place, hue in ((bead.banker_pair, -6.4, RED), (bead.player_pair, 6.4, BLUE)):
        if pair:
            shapes += (
                f'<circle class="pair" cx="{place}" cy="{place}" r="2.7" fill="{hue}" '
                'stroke="#fff" stroke-width=".9"/>'
            )
    return shapes


def _ring(cell: Cell, *, last: bool) -> str:
    hue = HUES[cell.winner]
    shapes = ""
    if cell.winner != "tie":
        fill = LATEST if last else "none"
        shapes += f'<circle r="7.4" fill="{fill}" stroke="{hue}" stroke-width="2"/>'
    if cell.ties:
        shapes += f'<path class="tie" d="M-9 9L9-9" stroke="{GREEN}" stroke-width="1.8"/>'
    halo = f'paint-order="stroke" stroke="{PAPER}" stroke-width="1.6"'
    shapes += f'<text y="2.9" font-size="8" fill="{hue}" {halo}>{CHARACTERS[cell.winner]}</text>'
    if cell.ties > 1:
        shapes += f'<text x="7" y="9.4" font-size="7.5" fill="{GREEN}" {halo}>{cell.ties}</text>'
    return shapes


def _sheet(title: str, told: str, drawn: Sequence[Drawn], columns: int | None, cell: int) -> str:
    """Squared paper with the marks on it; of a road wider than `columns`, the newest ones."""
    widest = max((column for column, *_ in drawn), default=0)
    columns = max(widest, 1) if columns is None else columns
    hidden = max(0, widest - columns)
    width, height = columns * UNIT, ROWS * UNIT
    lines = "".join(f"M{x} 0V{height}" for x in range(0, width + 1, UNIT))
    lines += "".join(f"M0 {y}H{width}" for y in range(0, height + 1, UNIT))
    body = [
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        f'<path d="{lines}" stroke="{LINE}" vector-effect="non-scaling-stroke"/>',
    ]
    for column, row, name, shapes in drawn:
        if column > hidden:
            x, y = (column - hidden) * UNIT - UNIT // 2, row * UNIT - UNIT // 2
            body.append(f'<g class="mark {name}" transform="translate({x} {y})">{shapes}</g>')
    return _svg(title, told or "empty", "".join(body), (width, height), cell / UNIT)


def _svg(  # noqa: PLR0913, PLR0917 - one place that knows the frame of a picture
    title: str, told: str, body: str, size: tuple[int, int], scale: float, role: str = "img"
) -> str:
    width, height = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="{role}" viewBox="0 0 {width} {height}" '
        f'width="{width * scale:g}" height="{height * scale:g}" '
        f'font-family="{FONTS}" font-weight="700" text-anchor="middle">'
        f"<title>{title}</title><desc>{told}</desc>{body}</svg>"
    )


def _titled(name: str, x: int, y: int, picture: str) -> list[str]:
    heading = f'<text y="-10" font-size="15" fill="{INK}" text-anchor="start">{NAMES[name]}</text>'
    return [f'<g transform="translate({x} {y})">', heading, picture, "</g>"]


def _counts(beads: Sequence[Bead], x: int) -> str:
    """How often each result came."""
    counts = "".join(
        f'<tspan dx="18" fill="{HUES[winner]}">{character} {winner.title()} '
        f"{sum(bead.winner == winner for bead in beads)}</tspan>"
        for winner, character in CHARACTERS.items()
    )
    told = f"Rounds {len(beads)}{counts}"
    return f'<text x="{x}" y="30" font-size="15" fill="{INK}" text-anchor="start">{told}</text>'


def _width(cells: Iterable[Bead | Cell | Mark]) -> int:
    return max((cell.column for cell in cells), default=0)


def _told_bead(bead: Bead) -> str:
    pairs = [name for name, had in (("Banker", bead.banker_pair), ("Player", bead.player_pair)) if had]
    return bead.winner.title() + (f" with {' and '.join(pairs)} pair" if pairs else "")


def _told_streaks(cells: Sequence[Cell]) -> str:
    """The streaks and their ties in words: `Banker 2 (1 tie), Player 3`."""
    told = []
    for winner, group in groupby(cells, key=lambda cell: cell.winner):
        streak = list(group)
        ties = sum(cell.ties for cell in streak)
        if winner == "tie":
            told.append(f"Tie {ties}, no win yet")
        else:
            told.append(f"{winner.title()} {len(streak)}" + (f" ({_ties(ties)})" if ties else ""))
    return ", ".join(told)


def _ties(count: int) -> str:
    return "1 tie" if count == 1 else f"{count} ties"
