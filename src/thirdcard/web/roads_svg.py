"""The roads drawn as SVG: plain text without scripts, styles or outside references.

A character or a shape stands wherever a colour does: those of the felt for the results, a dot or a cross
in an irregular (blue) mark; pages leave out those within rings until somebody wants shapes. Every picture
has a title and a description that say the same in words.
Colours are attributes, so a picture is whole by itself and a page's style sheet may still overrule them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from html import escape
from itertools import groupby
from math import ceil
from typing import TypeAlias

from thirdcard.drawing import (
    BANKER_2,
    PAPER,
    PAPER_LINE,
    PLAYER_2,
    SANS,
    TEXT_INK,
    TIE_2,
    WHITE,
    WIN_1,
    Attribute,
    element,
    svg,
    text,
    title,
)
from thirdcard.roads import DERIVED, ROWS, Ask, Bead, Cell, Derived, Mark, Roads, lay
from thirdcard.words import ENGLISH, Language, Words, bet_words, words

HUES = {"banker": BANKER_2, "player": PLAYER_2, "tie": TIE_2, "R": BANKER_2, "L": PLAYER_2}

# Marks are drawn around the middle of a square of UNIT; a picture's size only scales them.
UNIT = 20
BIG, SMALL = 32, 16

Drawn: TypeAlias = tuple[int, int, str, str]  # column, row, class, shapes


def glyph(winner: str) -> str:
    """The character of a result, as the felt prints it."""
    return bet_words(winner).zh


def bead_plate_svg(
    beads: Sequence[Bead], *, columns: int | None = None, cell: int = BIG, lang: Language = ENGLISH
) -> str:
    """The bead plate, all of it or its newest columns."""
    lexicon = words(lang)
    results = lexicon.ui["list_join"].join(_told_bead(bead, lexicon) for bead in beads)
    drawn = [
        (
            bead.column,
            bead.row,
            bead.winner,
            _bead(bead.winner, bead.banker_pair, bead.player_pair, bead is beads[-1]),
        )
        for bead in beads
    ]
    return _sheet("bead_plate", results, drawn, columns, cell, lexicon)


def big_road_svg(
    cells: Sequence[Cell], *, columns: int | None = None, cell: int = BIG, lang: Language = ENGLISH
) -> str:
    """The big road, all of it or its newest columns."""
    lexicon = words(lang)
    drawn = [
        (won.column, won.row, won.winner, _ring(won.winner, won.ties, won is cells[-1])) for won in cells
    ]
    return _sheet("big_road", _told_streaks(cells, lexicon), drawn, columns, cell, lexicon)


def derived_svg(
    marks: str, kind: Derived, *, columns: int | None = None, cell: int = SMALL, lang: Language = ENGLISH
) -> str:
    """One derived road from its marks, all of it or its newest columns."""
    lexicon = words(lang)
    description = lexicon.say("roads", "marks", marks=marks) if marks else ""
    drawn = [(mark.column, mark.row, mark.colour, mark_shape(mark.colour, kind)) for mark in lay(marks)]
    return _sheet(kind, description, drawn, columns, cell, lexicon)


def ask_svg(ask: Ask, *, cell: int = SMALL, lang: Language = ENGLISH) -> str:
    """Two rows, Player and Banker: the marks that a win would add next."""
    lexicon = words(lang)
    description = lexicon.say("roads", "asked", player=ask.player, banker=ask.banker)
    rows = []
    for row, (winner, marks) in enumerate((("player", ask.player), ("banker", ask.banker))):
        shapes = [
            element("rect", width=160, height=56, rx=6, fill=WHITE, stroke=PAPER_LINE),
            text(glyph(winner), 30, 38, 28, fill=HUES[winner]),
        ]
        for place, (mark, kind) in enumerate(zip(marks, DERIVED, strict=True)):
            middle = f"translate({72 + place * 32} 28) scale(1.25)"
            shapes.append(element("g", mark_shape(mark, kind), class_=f"ask {mark}", transform=middle))
        rows.append(element("g", *shapes, transform=f"translate(0 {row * 64})"))
    return _svg(lexicon.say("roads", "ask"), description, rows, (8 * UNIT, ROWS * UNIT), cell / UNIT)


def board_svg(roads: Roads, lang: Language = ENGLISH) -> str:
    """All five roads and the ask marks on one sheet of paper, a picture file by itself."""
    lexicon = words(lang)
    top, lower, gap = 72, 72 + ROWS * BIG + 52, BIG
    # Big squares are two small ones wide and the ask boxes four, so both rows end at the same edge when
    # three derived roads of 2 x `half` columns stand under 3 x `half` + 6 columns of the two upper ones.
    bead = max(11, _width(roads.bead_plate))
    big = _width(roads.big_road) + 1
    longest = max(_width(lay(getattr(roads, kind))) for kind in DERIVED)
    half = max(9, ceil((longest + 1) / 2), ceil((bead + big - 6) / 3))
    derived, big = 2 * half, 3 * half + 6 - bead

    parts = [_counts(roads.bead_plate, gap, lexicon)]
    place = gap
    bead_plate = bead_plate_svg(roads.bead_plate, columns=bead, lang=lang)
    parts.append(_titled("bead_plate", place, top, bead_plate, lexicon))
    big_road = big_road_svg(roads.big_road, columns=big, lang=lang)
    parts.append(_titled("big_road", place + bead * BIG + gap, top, big_road, lexicon))
    for kind in DERIVED:
        road = derived_svg(getattr(roads, kind), kind, columns=derived, lang=lang)
        parts.append(_titled(kind, place, lower, road, lexicon))
        place += derived * SMALL + gap
    parts.append(_titled("ask", place, lower, ask_svg(roads.ask, lang=lang), lexicon))
    floor = lower + ROWS * SMALL
    parts.append(_heading(lexicon.say("roads", "key"), gap, floor + 30, size=13, font_weight=400))
    width, height = (bead + big) * BIG + 3 * gap, floor + 48
    paper = element("rect", width=width, height=height, fill=PAPER)
    name, told = lexicon.say("roads", "all"), lexicon.say("roads", "all-told")
    return _svg(name, told, [paper, *parts], (width, height), 1, role="group")


@cache
def mark_shape(mark: str, kind: Derived) -> str:
    """A derived mark around its middle, irregular ones with a dot or a cross in it; a dash for none."""
    if mark == "-":
        return element("path", d="M-3 0H3", stroke=TEXT_INK, stroke_opacity=0.6)
    hue = HUES[mark]
    shape = {
        "big_eye_boy": element("circle", r=6.6, fill="none", stroke=hue, stroke_width=2.6),
        "small_road": element("circle", r=7.6, fill=hue),
        "cockroach_pig": element("path", d="M-6 6L6-6", stroke=hue, stroke_width=3.2, stroke_linecap="round"),
    }
    irregular = {
        "big_eye_boy": element("circle", class_="irregular", r=2.2, fill=hue),
        "small_road": element(
            "path", class_="irregular", d="M-3-3L3 3M-3 3L3-3", stroke=PAPER, stroke_width=2
        ),
        "cockroach_pig": element(
            "path", class_="irregular", d="M-3.4-3.4L3.4 3.4", stroke=hue, stroke_width=2.2
        ),
    }
    return shape[kind] + (irregular[kind] if mark == "L" else "")


@cache
def _bead(winner: str, banker_pair: bool, player_pair: bool, last: bool) -> str:  # noqa: FBT001 - kept
    edge, width = (TEXT_INK, 1.2) if last else (None, None)
    shapes = element("circle", r=8.6, fill=HUES[winner], stroke=edge, stroke_width=width)
    shapes += text(glyph(winner), None, 3.9, 10.5, fill=WHITE)
    for pair, place, hue in ((banker_pair, -6.4, BANKER_2), (player_pair, 6.4, PLAYER_2)):
        if pair:
            shapes += element(
                "circle", class_="pair", cx=place, cy=place, r=2.7, fill=hue, stroke=WHITE, stroke_width=0.9
            )
    return shapes


@cache
def _ring(winner: str, ties: int, last: bool) -> str:  # noqa: FBT001 - kept
    halo: dict[str, Attribute] = {"paint_order": "stroke", "stroke": PAPER, "stroke_width": 1.6}
    shapes = ""
    if winner != "tie":
        fill = WIN_1 if last else "none"
        shapes += element("circle", r=7.4, fill=fill, stroke=HUES[winner], stroke_width=2)
    if ties:
        shapes += element("path", class_="tie", d="M-9 9L9-9", stroke=TIE_2, stroke_width=1.8)
    named: dict[str, Attribute] = {} if winner == "tie" else {"class_": "glyph"}
    shapes += text(glyph(winner), None, 2.9, 8, fill=HUES[winner], **halo, **named)
    if ties > 1:
        shapes += text(str(ties), 7, 9.4, 7.5, fill=TIE_2, **halo)
    return shapes


def _title(road: str, lexicon: Words) -> str:
    """A road's name in both languages."""
    return f"{lexicon.say('roads', road)} {lexicon.beside.say('roads', road)}"


def _sheet(  # noqa: PLR0913, PLR0917 - one place that knows squared paper
    road: str, told: str, drawn: Sequence[Drawn], columns: int | None, cell: int, lexicon: Words
) -> str:
    """Squared paper with the marks on it; of a road wider than `columns`, the newest ones."""
    widest = max((column for column, *_ in drawn), default=0)
    columns = max(widest, 1) if columns is None else columns
    hidden = max(0, widest - columns)
    width, height = columns * UNIT, ROWS * UNIT
    lines = "".join(f"M{x} 0V{height}" for x in range(0, width + 1, UNIT))
    lines += "".join(f"M0 {y}H{width}" for y in range(0, height + 1, UNIT))
    body = [
        element("rect", width=width, height=height, fill=PAPER),
        element("path", d=lines, stroke=PAPER_LINE, vector_effect="non-scaling-stroke"),
    ]
    for column, row, name, shapes in drawn:
        if column > hidden:
            body.append(_mark(column - hidden, row, name, shapes))
    told = told or lexicon.say("roads", "empty")
    return _svg(lexicon.say("roads", road), told, body, (width, height), cell / UNIT)


@lru_cache(maxsize=8_192)
def _mark(column: int, row: int, name: str, shapes: str) -> str:
    """A mark in its square; all tables have the same ones."""
    middle = f"translate({column * UNIT - UNIT // 2} {row * UNIT - UNIT // 2})"
    return element("g", shapes, class_=f"mark {name}", transform=middle)


def _svg(  # noqa: PLR0913, PLR0917 - one place that knows the frame of a picture
    name: str, told: str, body: Sequence[str], size: tuple[int, int], scale: float, role: str = "img"
) -> str:
    width, height = size
    return svg(
        width,
        height,
        title(name),
        element("desc", escape(told)),
        *body,
        role=role,
        width=width * scale,
        height=height * scale,
        font_family=SANS,
        font_weight=700,
        text_anchor="middle",
    )


def _heading(words: str, x: float | None, y: float, *, size: int = 15, **more: float) -> str:
    return text(words, x, y, size, fill=TEXT_INK, text_anchor="start", **more)


def _titled(name: str, x: int, y: int, picture: str, lexicon: Words) -> str:
    return element("g", _heading(_title(name, lexicon), None, -10), picture, transform=f"translate({x} {y})")


def _counts(beads: Sequence[Bead], x: int, lexicon: Words) -> str:
    """How often each result came."""
    won = Counter(bead.winner for bead in beads)
    counts = (
        element(
            "tspan",
            escape(f"{glyph(winner)} {lexicon.say('bets', winner)} {won[winner]}"),
            dx=18,
            fill=HUES[winner],
        )
        for winner in ("banker", "player", "tie")
    )
    rounds = escape(lexicon.say("roads", "rounds", count=len(beads)))
    return element("text", rounds, *counts, x=x, y=30, font_size=15, fill=TEXT_INK, text_anchor="start")


def _width(cells: Iterable[Bead | Cell | Mark]) -> int:
    return max((cell.column for cell in cells), default=0)


def _told_bead(bead: Bead, lexicon: Words) -> str:
    winner = lexicon.say("bets", bead.winner)
    if bead.banker_pair and bead.player_pair:
        return lexicon.say("roads", "pairs", winner=winner)
    if bead.banker_pair or bead.player_pair:
        hand = lexicon.say("hands", "banker" if bead.banker_pair else "player")
        return lexicon.say("roads", "pair", winner=winner, hand=hand)
    return winner


def _told_streaks(cells: Sequence[Cell], lexicon: Words) -> str:
    """The streaks and their ties in words: `Banker 2 (1 tie), Player 3`."""
    streaks = []
    for winner, group in groupby(cells, key=lambda cell: cell.winner):
        streak = list(group)
        ties = sum(cell.ties for cell in streak)
        if winner == "tie":
            streaks.append(lexicon.say("roads", "only-ties", count=ties))
        else:
            counted = lexicon.say("roads", "tie" if ties == 1 else "ties", count=ties)
            key = "streak-ties" if ties else "streak"
            streaks.append(
                lexicon.say("roads", key, winner=lexicon.say("bets", winner), count=len(streak), ties=counted)
            )
    return lexicon.ui["list_join"].join(streaks)
