"""Cards as SVG: a large rank, the suit under it, and one large mark; a court card wears its crown or cap.

A card is 100 by 140. Its colours are attributes, so that a picture is whole by itself.
"""

from functools import cache
from typing import Final

from thirdcard.cards import Card, Rank, Suit
from thirdcard.drawing import (
    BLACK,
    CARD_BACK,
    CARD_BLACK,
    CARD_GOLD,
    CARD_RED,
    GOLD_2,
    PAPER,
    element,
    svg,
    text,
)
from thirdcard.web.draw.chip_faces import DENOMINATIONS, chip_symbol
from thirdcard.words import card_name

WIDTH, HEIGHT = 100, 140

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
# Each is 60 wide and stands on the line y = 30: a crown, a coronet, a cap with a feather.
HEADS: Final = {
    Rank.KING: "M5 30 0 7l14 10L30-4l16 21L60 7l-5 23Z",
    Rank.QUEEN: "M6 30C2 20 2 12 8 6c3 8 7 11 11 11 1-8 4-14 11-20 7 6 10 12 11 20 4 0 8-3 11-11"
    " 6 6 6 14 2 24Z",
    Rank.JACK: "M5 30C3 15 14 8 29 8s28 7 26 22ZM36 5C39-6 48-13 62-14 61-2 54 6 42 8Z",
}
PEARLS: Final = {
    Rank.KING: ((0, 5), (30, -6), (60, 5)),
    Rank.QUEEN: ((8, 4), (30, -5), (52, 4)),
    Rank.JACK: (),
}


def card_svg(card: Card | None) -> str:
    """A picture of that card, or of a card's back."""
    return svg(WIDTH, HEIGHT, _face(card), class_="card", role="img", aria_label=card_name(card))


@cache
def sprite() -> str:
    """Every card, the back and every chip as symbols: `card-9C`, `card-back`, `chip-500`."""
    cards = (
        element("symbol", _face(card), id=f"card-{card or 'back'}", viewBox=f"0 0 {WIDTH} {HEIGHT}")
        for card in (*Card, None)
    )
    return svg(WIDTH, HEIGHT, *cards, *map(chip_symbol, DENOMINATIONS), class_="sprite", aria_hidden="true")


def _face(card: Card | None) -> str:
    if card is None:
        return _back()
    ink = CARD_RED if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else CARD_BLACK
    rank, x, size = ("10", 26, 40) if card.rank is Rank.TEN else (card.rank.letter, 23, 43)
    return _sheet(PAPER) + element(
        "g",
        text(rank, x, 39, size, class_="card-rank", text_anchor="middle"),
        _mark(card.suit, 11, 52, 23),
        _court(card) if card.rank in HEADS else _mark(card.suit, 34, 74, 58),
        fill=ink,
    )


def _sheet(colour: str) -> str:
    return element(
        "rect", x=0.5, y=0.5, width=99, height=139, rx=8.5, fill=colour, stroke=BLACK, stroke_opacity=0.28
    )


def _mark(suit: Suit, x: float, y: float, size: float) -> str:
    return element("path", transform=f"translate({x} {y})scale({size / 100})", d=MARKS[suit])


def _court(card: Card) -> str:
    """What a court card wears, in gold over its suit."""
    pearls = (element("circle", cx=x, cy=y, r=3.4) for x, y in PEARLS[card.rank])
    worn = element("g", element("path", d=HEADS[card.rank]), *pearls, fill=CARD_GOLD)
    band = element("path", d="M5 33h50v4.5H5Z")
    return element("g", worn, band, transform="translate(42 59)scale(.8)") + _mark(card.suit, 45, 91, 42)


def _back() -> str:
    """Night blue, a gold lattice in a frame, a lozenge in the middle."""
    lines = element(
        "g",
        element("path", stroke_opacity=0.38, d=_lattice(80, 120)),
        element("rect", x=6, y=6, width=88, height=128, rx=5, stroke_opacity=0.75),
        element("rect", x=10, y=10, width=80, height=120, rx=2, stroke_opacity=0.5),
        element("path", fill=CARD_BACK, stroke_opacity=0.9, d="M50 46 69 70 50 94 31 70Z"),
        element("path", stroke_opacity=0.6, d="M50 54 63 70 50 86 37 70Z"),
        fill="none",
        stroke=GOLD_2,
    )
    return _sheet(CARD_BACK) + lines + element("path", fill=GOLD_2, d="M50 62 56 70 50 78 44 70Z")


def _lattice(width: int, height: int) -> str:
    """Lines that lean both ways, cut at the edges of a frame with its corner at (10, 10)."""
    lines = []
    for offset in range(-width + 10, height, 14):
        start, end = max(0, -offset), min(width, height - offset)
        top, bottom = 10 + start + offset, 10 + end + offset
        lines.append(f"M{10 + start} {top}L{10 + end} {bottom}")
        lines.append(f"M{10 + width - start} {top}L{10 + width - end} {bottom}")
    return "".join(lines)
