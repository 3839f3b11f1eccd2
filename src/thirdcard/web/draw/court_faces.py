"""Court figures: the upper half of each, drawn once, worn by four suits and turned over about the middle.

A half is 60 wide and 52 high, its middle at (30, 52). What it wears takes the colour of the coat, its shadow
the fill, both from whoever uses it; so three halves are twelve figures.
"""

from typing import Final

from thirdcard.cards import Card, Rank, Suit
from thirdcard.drawing import element

GOLD, PALE_GOLD, SKIN, EYES, LIPS, GROUND = "#c9a24a", "#e9d08a", "#f3dfc3", "#2a1c10", "#b4352b", "#f5eedb"
COATS: Final = {  # of each suit, and the shadow of it
    Suit.HEARTS: ("#b9261f", "#7d1512"),
    Suit.DIAMONDS: ("#c7561f", "#8a3410"),
    Suit.SPADES: ("#1d2f55", "#101a33"),
    Suit.CLUBS: ("#17503f", "#0c2f25"),
}
COAT: Final = "currentColor"
WIDEST, HIGHEST = 66, 58.5  # what a half needs, with the air around it


def _dots(fill: str, r: float, *places: tuple[float, float]) -> str:
    return "".join(element("circle", cx=x, cy=y, r=r, fill=fill) for x, y in places)


def _line(d: str, colour: str, width: float) -> str:
    return element("path", d=d, stroke=colour, stroke_width=width, stroke_linecap="round", fill="none")


def _shape(d: str, fill: str | None = None) -> str:
    """A shape in that colour; without one, in the shadow of the coat."""
    return element("path", d=d, fill=fill)


def _king() -> str:
    """Bearded, crowned, with a sword."""
    return "".join(
        (
            _shape("M0 52 4 34 30 26 56 34 60 52Z", COAT),
            _shape("M22 28 30 52 38 28Z", PALE_GOLD),
            _shape("M4 34 18 30 24 52H10ZM56 34 42 30 36 52H50Z"),
            _dots(PALE_GOLD, 1.6, (13, 37), (15.5, 45), (47, 37), (44.5, 45)),
            _shape("M20 12h20v12c0 7-5 12-10 12s-10-5-10-12Z", SKIN),
            _shape("M19 20c2 3 5 3 8 2h6c3 1 6 1 8-2v7c0 8-6 14-11 16-5-2-11-8-11-16Z"),
            _shape("M26.5 25.5h7l-3.5 2.6Z", SKIN),
            _line("M24 17.2h3.6M32.4 17.2H36", EYES, 1.7),
            _shape("M17 13 14-1l8 6 8-9 8 9 8-6-3 14Z", GOLD),
            _shape("M17 10.5h26V14H17Z", COAT),
            _dots(PALE_GOLD, 2, (14, -2), (30, -5), (46, -2)),
            _line("M54 52V20M50.5 25h7", GOLD, 2.6),
            _shape("M54 10 56.6 22h-5.2Z", GOLD),
        )
    )


def _queen() -> str:
    """Long hair, a coronet, a rose."""
    rose = (
        _dots(GOLD, 3.6, (0, 0))
        + _dots(COAT, 2.5, (0, -4.6), (4.4, -1.4), (2.8, 3.7), (-2.8, 3.7), (-4.4, -1.4))
        + _dots(PALE_GOLD, 2, (0, 0))
        + _line("M0 6v26", GOLD, 1.5)
    )
    return "".join(
        (
            _shape("M3 52C4 38 16 31 30 31s26 7 27 21Z", COAT),
            _shape("M19 33c2 9 20 9 22 0 4 1.4 6 2.6 8 4-4 14-34 14-38 0 2-1.4 4-2.6 8-4Z", PALE_GOLD),
            *(_shape(f"M{x} 43l3.4 4.5-3.4 4.5-3.4-4.5Z") for x in (12, 21, 30, 39, 48)),
            _shape(
                "M16 20C14 6 22 1 30 1s16 5 14 19c0 8 2 12 5 15-4 2-9 1-11-2H22c-2 3-7 4-11 2 3-3 5-7 5-15Z"
            ),
            _shape("M21 14c0-5 4-8 9-8s9 3 9 8v7c0 7-5 12-9 12s-9-5-9-12Z", SKIN),
            _shape("M21 15c1-6 5-9 9-9s8 3 9 9c-4-1-7-3-9-6-2 3-5 5-9 6Z"),
            _line("M24.2 18.5h3M32.8 18.5h3", EYES, 1.6),
            _line("M27.6 26.4q2.4 1.8 4.8 0", LIPS, 1.7),
            _shape("M17 6c2-6 6-8 13-9 7 1 11 3 13 9-8-3-18-3-26 0Z", GOLD),
            _dots(PALE_GOLD, 2.1, (19, 1), (24.5, -2.4), (30, -3.6), (35.5, -2.4), (41, 1)),
            element("g", rose, transform="translate(52 20)"),
        )
    )


def _jack() -> str:
    """A cap with a feather, and a pike."""
    return "".join(
        (
            _shape("M4 52 8 35 30 29 52 35 56 52Z", COAT),
            *(_shape(f"M{x} 52 {x + 7} 31h4.6L{x + 4.6} 52Z", PALE_GOLD) for x in (8, 21, 34)),
            _shape("M47 52 53 36 56 52ZM20 32h20l-4 7H24Z"),
            _shape("M19 14h22v8l4 12H33.5l-3 1-3-1H15l4-12Z", GOLD),
            _shape("M22 13h16v11c0 6-4 10-8 10s-8-4-8-10Z", SKIN),
            _line("M24.6 18.6h3M32.4 18.6h3", EYES, 1.6),
            _line("M27.5 27h5", LIPS, 1.5),
            _shape("M16 13C14 3 22-1 31-1c10 0 16 5 14 14Z", COAT),
            _shape("M14.5 11h31v4h-31Z"),
            _shape("M38 8C40-2 46-6 53-6.5c1 8.5-4 14-11 15.5Z", PALE_GOLD),
            _line("M40 8C44 1 47-2 51-4.5", GOLD, 1.2),
            _line("M7 52V16", GOLD, 2.2),
            _shape("M7 6c5 3 5 10 0 13-5-3-5-10 0-13Z"),
        )
    )


HALVES: Final = {Rank.KING: _king, Rank.QUEEN: _queen, Rank.JACK: _jack}


def halves(*ranks: Rank) -> str:
    """The halves that faces refer to, as `half-K`."""
    return "".join(element("g", HALVES[rank](), id=f"half-{rank.letter}") for rank in ranks)


def court(card: Card, x: float, y: float, width: float, height: float) -> str:
    """A frame with a double figure; the line across is where it turns over."""
    coat, shadow = COATS[card.suit]
    size = min(width / WIDEST, height / 2 / HIGHEST)
    half = element("use", href=f"#half-{card.rank.letter}", x=-30, y=-52)
    figure = element(
        "g",
        half,
        element("g", half, transform="rotate(180)"),
        transform=f"translate({x + width / 2:g} {y + height / 2:g})scale({size:.3f})",
        color=coat,
        fill=shadow,
    )
    frame = element("rect", x=x, y=y, width=width, height=height, rx=3, fill=GROUND, stroke=coat)
    across = element("path", d=f"M{x:g} {y + height / 2:g}h{width:g}", stroke=GOLD, stroke_width=1.6)
    return frame + figure + across
