"""Chip faces by denomination, and how the page stacks them.

A stack stands on a slot `x,y,r` of a spot, turned by the spot's `data-turn`. Its lowest chip is centred on
the slot; at most `MOST` chips are drawn, the largest lowest, each `LIFT` of `r` above the last. The tag is 15
high where `r` is under 16, else 18, and starts `r` below the middle; `data-tag="right"` puts it beside the
chip. `data-tag="pill"` is a pill 14 high around the slot, a chip of radius 6 at its left. Initials have room
where `r` is at least 15 and the stack is alone in its spot or the spot is your own. Where `r` is less, an
amount has at most five letters (`5,000`), and at most three where it is 10 or less (`12K`).
"""

from typing import Final

from thirdcard.drawing import BLACK, WHITE, element, text
from thirdcard.money import CHIP_VALUES

LIFT, MOST = 0.19, 5
COLOURS: Final = (  # of each chip, the smallest first, and of its edge marks
    ("#b8402f", "#f3d9cf"),
    ("#5b7f95", "#e4eef4"),
    ("#2f7d4f", "#dcf1e3"),
    ("#b55a2a", "#f8e2cc"),
    ("#22262b", "#d8d2c2"),
    ("#6a3f8f", "#ecdcf7"),
    ("#b8892b", "#fbf0cf"),
    ("#8f2440", "#f6d3da"),
    ("#1f5f63", "#cfeeee"),
    ("#3b4ca0", "#dfe4fb"),
    ("#101113", "#e8c977"),
)
FACES: Final = dict(zip(CHIP_VALUES, COLOURS, strict=True))
DENOMINATIONS: Final = tuple(FACES)
LONG_NAME = 3


def chip_name(denomination: int) -> str:
    """What is printed on it: `500`, `25K`."""
    return f"{denomination // 1000}K" if denomination >= 1000 else str(denomination)  # noqa: PLR2004


def chip_symbol(denomination: int) -> str:
    """`<symbol id="chip-500">`: eight marks on the edge, the number in the middle."""
    base, edge = FACES[denomination]
    name = chip_name(denomination)
    size = 27 if len(name) < LONG_NAME else 22 if len(name) > LONG_NAME else 24
    return element(
        "symbol",
        element("circle", r=50, fill=base, stroke=BLACK, stroke_opacity=0.45, stroke_width=2),
        element(
            "circle", r=42.5, fill="none", stroke=edge, stroke_width=13,
            stroke_dasharray="16.7 16.7", stroke_dashoffset=8.3,
        ),
        element("circle", r=34, fill=base, stroke=edge, stroke_opacity=0.85, stroke_width=1.6),
        element("circle", r=29, fill=WHITE, fill_opacity=0.07, stroke=WHITE, stroke_opacity=0.22),
        text(name, None, 9.5, size, class_="chip-face", text_anchor="middle", fill=WHITE),
        id=f"chip-{denomination}",
        viewBox="-52 -52 104 104",
    )  # fmt: skip
