"""The cells of a position: label and slots for chips, in one design for each size of cell.

In the box in the middle a label keeps left and chips keep right; where a cell is too narrow for both, its
amount is a pill in the first line or, if that has no room for it, in the place of the English name. The
cells of others show one total each, and their character makes room for it: the page adds the class `taken`
to the spot, `felt.css` moves it up.
"""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import msgspec

from thirdcard.web.draw.shapes import Sector, cut, text_width
from thirdcard.web.draw.spots import Spot
from thirdcard.web.draw.stage import FeltStage
from thirdcard.words import words
from thirdcard.words.bet_names import FELT

CellKind: TypeAlias = Literal["main", "wide", "narrow", "tiny", "total", "slim", "part"]
Tag: TypeAlias = Literal["below", "end", "pill", "alone", "none"]

SPACED, TIGHT, DISPLAY = 0.045, 0.01, 0.1  # between letters, in parts of the size; felt.css says the same
PILL = 6  # a slot of this radius holds a pill: a small chip and the amount beside it
LEFT: Final = 9.0  # where the lines of a narrow cell begin
MARGIN: Final = 4.0  # a text keeps this away from the edges of its cell
CHIP_ROOM: Final = 62.0  # a chip with a tag such as `5,000`
AMOUNT_ROOM: Final = 44.0  # a narrower cell holds no amount
NAME_ROOM: Final = 62.0  # a narrower cell shows too little of a name that is cut
TOTALS: Final = 34.0  # a narrower cell of somebody else shows a chip alone
NARROW: Final = 82.0  # others that are narrower stand in a column
LONGEST: Final = 240.0  # a longer line would leave the arc
LONG_MARK = 2  # characters; longer ones are printed smaller


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a label, its baseline at (px, dy); in a centred label `px` is its middle, else its start."""

    text: str
    style: str
    size: float
    px: float
    dy: float
    spacing: float = 0

    @property
    def width(self) -> float:
        return text_width(self.text, self.size, self.spacing)


class Slot(msgspec.Struct, frozen=True):
    """Where a stack stands: the middle of its lowest chip, and the chip's radius.

    Of a cell whose tag is at the `end` there are three: the right end of a pill in the first line, the left
    end of one in the second, and the right end of a result in the third.
    """

    px: float
    dy: float
    radius: float


class FeltCell(msgspec.Struct, frozen=True, kw_only=True):
    """A spot of one position: one bet, or all the small ones of somebody else's.

    `needs` is how wide it must be; `room` what the first line has left beside its characters. A label at
    the left turns with the tangent at its own middle.
    """

    spots: tuple[Spot, ...]
    kind: CellKind
    sector: Sector
    texts: tuple[Text, ...]
    slots: tuple[Slot, ...]
    needs: float = 0
    room: float | None = None
    centred: bool = False
    tag: Tag = "below"

    @property
    def label_px(self) -> float:
        return self.sector.width / 2 if self.centred else label_end(self.texts) / 2


Design: TypeAlias = Callable[[Spot, Sector, FeltStage], FeltCell]


def label_end(texts: tuple[Text, ...]) -> float:
    return max(text.px + text.width for text in texts)


def own_main(spot: Spot, sector: Sector, stage: FeltStage) -> FeltCell:
    """Player or Banker of the box in the middle: a large label and three stacks."""
    shrunk = min(1.0, sector.height / 64)
    zh = Text(text=spot.words.zh, style="zh", size=37 * shrunk, px=20, dy=13 * shrunk)
    after = zh.px + zh.width + 12
    room = sector.width / 2 - 26 - after
    en = _fitted(
        spot.words.en.upper(), "en", (21 * shrunk, stage.least), room, px=after, dy=-1, spacing=DISPLAY
    )
    pays = _fitted(spot.pays, "pays", (max(14, stage.figures), stage.least), room, px=after, dy=19 * shrunk)
    slots = tuple(
        Slot(sector.width * u, dy * shrunk, radius * shrunk)
        for u, dy, radius in ((0.5, -13.5, 20), (0.65, -9.5, 14), (0.78, -9.5, 14))
    )
    return FeltCell(spots=(spot,), kind="main", sector=sector, texts=(zh, en, pays), slots=slots)


def wide(spot: Spot, sector: Sector, stage: FeltStage) -> FeltCell:
    """A small bet with its name beside its characters, and a stack at the right."""
    size = max(12.5, stage.least)
    zh = Text(text=spot.words.zh, style="zh", size=23 if len(spot.words.zh) == 1 else 19, px=14, dy=-2)
    name = Text(text=spot.words.short.upper(), style="en", size=size, px=20 + zh.width, dy=-4, spacing=TIGHT)
    pays = Text(text=spot.pays, style="pays", size=max(13, stage.figures), px=14, dy=15)
    end = label_end((zh, name, pays))
    middle = max(sector.width * 0.82, end + CHIP_ROOM / 2)
    return FeltCell(
        spots=(spot,),
        kind="wide",
        sector=sector,
        texts=(zh, name, pays),
        slots=(Slot(min(middle, sector.width - CHIP_ROOM / 2), -10, 14),),
        needs=end + CHIP_ROOM,
    )


def narrow(spot: Spot, sector: Sector, stage: FeltStage) -> FeltCell:
    """A small bet in three lines, with its short name in full."""
    name, zh = spot.words.short.upper(), _mark(spot, stage)
    least = LEFT + 3 + text_width(name, stage.least, TIGHT)
    pays = Text(text=spot.pays, style="pays", size=max(12.5, stage.figures), px=LEFT, dy=22)
    needs = max(AMOUNT_ROOM, least, *(LEFT + line.width + MARGIN for line in (zh, pays)))
    return _lines(spot, sector, stage, (zh, pays), needs)


def clipped(spot: Spot, sector: Sector, stage: FeltStage) -> FeltCell:
    """The same where the name is too long: as much of it as there is room for, and of the odds."""
    room = sector.width - LEFT - MARGIN
    size = max(12.5, stage.figures)
    pays = Text(text=cut(spot.pays, size, max(room, size)), style="pays", size=size, px=LEFT, dy=22)
    zh = _mark(spot, stage)
    return _lines(spot, sector, stage, (zh, pays), max(NAME_ROOM, LEFT + zh.width + MARGIN))


def _mark(spot: Spot, stage: FeltStage) -> Text:
    size = 18 if len(spot.words.zh) <= LONG_MARK else 16.5
    return Text(text=spot.words.zh, style="zh", size=max(size, stage.least), px=LEFT, dy=-9)


def _lines(spot: Spot, sector: Sector, stage: FeltStage, lines: tuple[Text, Text], needs: float) -> FeltCell:
    zh, pays = lines
    room = min(sector.width - LEFT - 3, LONGEST)
    en = _fitted(spot.words.short.upper(), "en", (12, stage.least), room, px=LEFT, dy=7, spacing=TIGHT)
    end, first = sector.width - 7, sector.height / 2
    return FeltCell(
        spots=(spot,),
        kind="narrow",
        sector=sector,
        texts=(zh, en, pays),
        slots=(Slot(end, -first + 14, PILL), Slot(LEFT - 3, 4, PILL), Slot(end, first - 13, PILL)),
        needs=needs,
        room=end - LEFT - zh.width - 3,
        tag="end",
    )


def tiny(spot: Spot, sector: Sector, stage: FeltStage) -> FeltCell:
    """One of very many bets: its mark and, in a cell that is high enough, what it pays."""
    low = sector.height < 2.5 * stage.least
    size = max(12, stage.least)
    texts = [(spot.words.zh, "zh", size, size * 0.4 if low else -2, 0.0)]
    if not low:
        pays = cut(spot.pays, stage.figures, sector.width - 2 * MARGIN)
        texts.append((pays, "pays", stage.figures, stage.figures * 0.9, 0.0))
    lines = _column(sector, *texts)
    slot = Slot(sector.width / 2, 7, PILL)
    needs = max(AMOUNT_ROOM + 6, lines[0].width + 2 * MARGIN)
    return FeltCell(
        spots=(spot,),
        kind="tiny",
        sector=sector,
        texts=lines,
        slots=(slot,),
        needs=needs,
        centred=True,
        tag="pill",
    )


def other_main(spot: Spot, sector: Sector, stage: FeltStage) -> FeltCell:
    """Player or Banker of somebody else's box: its character, and the total beside or under it."""
    zh, width = spot.words.zh, sector.width
    if (sector.a1 - sector.a0) * stage.circle.radius >= NARROW:
        room = width * 0.64 - 24
        mark = Text(text=zh, style="zh", size=_size(zh, 22, stage.least, room), px=10, dy=8)
        slot = Slot(width * 0.64, -2, 13)
        return FeltCell(spots=(spot,), kind="total", sector=sector, texts=(mark,), slots=(slot,))
    texts = _column(sector, (zh, "zh", _size(zh, 16, stage.least, width - 2 * MARGIN), 6, 0))
    return _counted((spot,), "slim", sector, texts, Slot(width / 2, 1, 10))


def other_part(spots: tuple[Spot, ...], sector: Sector, stage: FeltStage) -> FeltCell:
    """Tie, or all the other bets together, of somebody else's box."""
    zh = spots[0].words.zh if len(spots) == 1 else words(FELT).ui["felt_side"][0]
    texts = _column(sector, (zh, "zh", _size(zh, 14, stage.least, sector.width - 2 * MARGIN), 5, 0))
    slot = Slot(sector.width / 2, sector.height / 2 - 14, 9)
    return _counted(spots, "part", sector, texts, slot, tag="alone")


def _counted(  # noqa: PLR0913, PLR0917 - one place that knows when there is room for figures
    spots: tuple[Spot, ...],
    kind: CellKind,
    sector: Sector,
    texts: tuple[Text, ...],
    slot: Slot,
    tag: Tag = "below",
) -> FeltCell:
    if sector.width < TOTALS:
        slot, tag = Slot(sector.width / 2, 10, 7), "none"
    return FeltCell(spots=spots, kind=kind, sector=sector, texts=texts, slots=(slot,), centred=True, tag=tag)


def _size(text: str, size: float, least: float, room: float, spacing: float = 0) -> float:
    """The size, or as much smaller as the text needs to have room."""
    return max(least, min(size, size * room / text_width(text, size, spacing)))


def _fitted(  # noqa: PLR0913 - what a line has
    text: str,
    style: str,
    sizes: tuple[float, float],
    room: float,
    *,
    px: float,
    dy: float,
    spacing: float = 0,
) -> Text:
    """A line that is smaller where it is long, and cut where that is not enough."""
    size = _size(text, max(sizes), sizes[1], room, spacing)
    text = cut(text, size, room, spacing)
    return Text(text=text, style=style, size=size, px=px, dy=dy, spacing=spacing)


def _column(sector: Sector, *lines: tuple[str, str, float, float, float]) -> tuple[Text, ...]:
    """Centred lines: text, style, size, baseline, spacing."""
    return tuple(
        Text(text=text, style=style, size=size, px=sector.width / 2, dy=dy, spacing=spacing)
        for text, style, size, dy, spacing in lines
    )
