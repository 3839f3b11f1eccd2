"""Cards as SVG in three cuts: on the table, small, and to be squeezed.

A card is 100 by 140. The table cut has an index in two corners and pips; the small cut, for cards under 56
pixels wide, a large index and one mark; the squeeze cut has no index, and its pips stand at the edges, so
that a lifted edge tells: none of A 2 3, two of 4 5, three of 6 7 8, four of 9 10, a frame of J Q K.

Colours are attributes, so that a picture is whole by itself; it refers to nothing outside it.
"""

from functools import cache
from typing import Final, Literal, TypeAlias

from thirdcard.cards import Card, Rank, Suit
from thirdcard.drawing import (
    BLACK,
    CARD_BACK,
    CARD_BLACK,
    CARD_RED,
    GOLD_1,
    GOLD_2,
    PAPER,
    element,
    svg,
    text,
)
from thirdcard.web.draw.chip_faces import DENOMINATIONS, chip_symbol
from thirdcard.web.draw.court_faces import HALVES, court, halves
from thirdcard.words import card_name

WIDTH, HEIGHT = 100, 140
Cut: TypeAlias = Literal["card", "small", "squeeze"]

# Each mark fills a square of 100.
MARKS: Final = {
    Suit.SPADES: "M50 5c8 19 43 38 43 61 0 12-9 19-20 19-8 0-14-4-18-10 1 9 4 16 10 21H35c6-5 9-12 10-21"
    "-4 6-10 10-18 10C16 85 7 78 7 66 7 43 42 24 50 5Z",
    Suit.HEARTS: "M50 90C20 64 6 47 6 30 6 16 17 7 29 7c10 0 17 6 21 14C54 13 61 7 71 7c12 0 23 9 23 23 "
    "0 17-14 34-44 60Z",
    Suit.DIAMONDS: "M50 3C60 22 74 38 88 50 74 62 60 78 50 97 40 78 26 62 12 50 26 38 40 22 50 3Z",
    Suit.CLUBS: "M50 6a21 21 0 0 1 17 33 21 21 0 1 1-11 35c1 9 4 16 10 22H34c6-6 9-13 10-22a21 21 0 1 1-11-35"
    "A21 21 0 0 1 50 6Z",
}
# Where the pips of a number stand: across from 0 (left) to 1, down from 0 to 1.
EDGES: Final = {4: (0.0, 1.0), 6: (0.0, 0.5, 1.0), 9: (0.0, 1 / 3, 2 / 3, 1.0)}  # from that number on
MIDDLE: Final = {
    1: (0.5,), 2: (0.0, 1.0), 3: (0.0, 0.5, 1.0), 5: (0.5,), 7: (0.25,), 8: (0.25, 0.75), 9: (0.5,),
    10: (1 / 6, 5 / 6),
}  # fmt: skip


def places(number: int) -> tuple[tuple[float, float], ...]:
    """Where the pips of a number card stand, the left edge first, then the right, then the middle."""
    rows = next((EDGES[least] for least in (9, 6, 4) if number >= least), ())
    edges = tuple((across, down) for across in (0.0, 1.0) for down in rows)
    return edges + tuple((0.5, down) for down in MIDDLE.get(number, ()))


def card_svg(card: Card | None, cut: Cut = "card") -> str:
    """A picture of that card, or of a card's back."""
    parts = _shared((card.suit,), (card.rank,)) if card else ""
    return svg(WIDTH, HEIGHT, parts, _face(card, cut), class_="card", role="img", aria_label=card_name(card))


@cache
def sprite() -> str:
    """Every card in two cuts, `card-9C` and `small-9C`, `card-back`, and every chip, as `chip-500`."""
    cards = (_symbol(card, cut) for cut in ("card", "small") for card in Card)
    chips = map(chip_symbol, DENOMINATIONS)
    return _sheet_of(_shared(tuple(Suit), tuple(HALVES)), *cards, _symbol(None), *chips)


@cache
def squeeze_sprite() -> str:
    """Every card in the cut that is squeezed, `squeeze-9C`; marks and figures are those of the sprite."""
    return _sheet_of(*(_symbol(card, "squeeze") for card in Card))


def _sheet_of(*inside: str) -> str:
    return svg(WIDTH, HEIGHT, *inside, class_="sprite", aria_hidden="true")


def _symbol(card: Card | None, cut: Cut = "card") -> str:
    return element("symbol", _face(card, cut), id=f"{cut}-{card or 'back'}", viewBox=f"0 0 {WIDTH} {HEIGHT}")


def _shared(suits: tuple[Suit, ...], ranks: tuple[Rank, ...]) -> str:
    """What faces refer to: the marks of suits, as `suit-C`, and the halves of court figures."""
    marks = (
        element("symbol", element("path", d=MARKS[suit]), id=f"suit-{suit.value}", viewBox="0 0 100 100")
        for suit in suits
    )
    return element("defs", *marks, halves(*(rank for rank in ranks if rank in HALVES)))


def _face(card: Card | None, cut: Cut = "card") -> str:
    if card is None:
        return _back()
    drawn = {"card": _table_cut, "small": _small_cut, "squeeze": _squeeze_cut}[cut]
    ink = CARD_RED if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else CARD_BLACK
    return _paper(PAPER) + element("g", drawn(card), fill=ink)


def _table_cut(card: Card) -> str:
    rank = _letters(card)
    size, length = (27.0, None) if len(rank) == 1 else (23.2, 23.0)
    adjust = "spacingAndGlyphs" if length else None
    index = text(
        rank, 14.5, 27, size,
        class_="card-rank", text_anchor="middle", textLength=length, lengthAdjust=adjust,
    )  # fmt: skip
    index += _mark(card.suit, 14.5, 40, 17)
    both = index + element("g", index, transform="rotate(180 50 70)")
    if card.rank in HALVES:
        return _court(card, 27, 9, 46, 122) + both
    return _pips(card, (37, 63), (23, 117), 18.5, 42) + both


def _small_cut(card: Card) -> str:
    rank = _letters(card)
    x, size = (24, 46) if len(rank) == 1 else (27, 40)
    index = text(rank, x, 41, size, class_="card-rank", text_anchor="middle") + _mark(card.suit, 23, 62, 27)
    return index + (_court(card, 44, 50, 50, 84) if card.rank in HALVES else _mark(card.suit, 64, 102, 58))


def _squeeze_cut(card: Card) -> str:
    return _court(card, 9, 9, 82, 122) if card.rank in HALVES else _pips(card, (22, 78), (21, 119), 24, 52)


def _letters(card: Card) -> str:
    return "10" if card.rank is Rank.TEN else card.rank.letter


def _paper(colour: str) -> str:
    return element(
        "rect", x=0.5, y=0.5, width=99, height=139, rx=8.5, fill=colour, stroke=BLACK, stroke_opacity=0.28
    )


def _mark(suit: Suit, x: float, y: float, size: float, *, over: bool = False) -> str:
    """A suit's mark around a point; `over` is upside down."""
    half = size / 2
    turn = f"rotate(180 {x:g} {y:g})" if over else None
    return element(
        "use", href=f"#suit-{suit.value}", x=x - half, y=y - half, width=size, height=size, transform=turn
    )


def _pips(card: Card, across: tuple[float, float], down: tuple[float, float], size: float, ace: float) -> str:
    number = int(_letters(card).replace("A", "1"))
    (left, right), (top, bottom) = across, down
    if number == 1:
        return _mark(card.suit, (left + right) / 2, (top + bottom) / 2, ace)
    return "".join(
        _mark(card.suit, left + (right - left) * u, top + (bottom - top) * v, size, over=v > 0.5)  # noqa: PLR2004
        for u, v in places(number)
    )


def _court(card: Card, x: float, y: float, width: float, height: float) -> str:
    """The figure in its frame, with the suit in two corners of it."""
    size = width * 0.2
    near = _mark(card.suit, x + width * 0.13, y + height * 0.085, size)
    far = _mark(card.suit, x + width * 0.87, y + height * 0.915, size, over=True)
    return court(card, x, y, width, height) + near + far


def _back() -> str:
    """Night blue, a gold lattice in a frame, and in the middle two cards over one that lies across."""
    lines = element(
        "g",
        element("path", stroke_opacity=0.34, d=_lattice(84, 124)),
        element("rect", x=5.5, y=5.5, width=89, height=129, rx=5, stroke_opacity=0.8),
        element("rect", x=8.5, y=8.5, width=83, height=123, rx=3, stroke_opacity=0.45),
        element("path", fill=CARD_BACK, stroke_opacity=0.9, d="M50 42 72 70 50 98 28 70Z"),
        element("path", stroke_opacity=0.55, d="M50 50 66 70 50 90 34 70Z"),
        element("path", stroke=GOLD_1, stroke_width=1.7, d="M42.5 59h6.8v9.6h-6.8ZM50.7 59h6.8v9.6h-6.8Z"),
        element("path", fill=GOLD_1, stroke="none", d="M45.2 71.5h9.6v6.8h-9.6Z"),
        fill="none",
        stroke=GOLD_2,
    )
    return _paper(CARD_BACK) + lines


def _lattice(width: int, height: int) -> str:
    """Lines that lean both ways, cut at the edges of a frame with its corner at (8, 8)."""
    lines = []
    for offset in range(-width + 10, height, 11):
        start, end = max(0, -offset), min(width, height - offset)
        top, bottom = 8 + start + offset, 8 + end + offset
        lines.append(f"M{8 + start} {top}L{8 + end} {bottom}")
        lines.append(f"M{8 + width - start} {top}L{8 + width - end} {bottom}")
    return "".join(lines)
