"""The cells of a position: label and slots for chips, in one design for each size of cell.

Labels keep the left and chips the right where a cell is wide enough for both. In the other designs the label
makes room when chips come: the page adds the class `taken` to the spot, and `felt.css` moves the label up.
"""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import msgspec

from thirdcard.web.draw.shapes import Sector, cut, text_width
from thirdcard.web.draw.spots import Spot
from thirdcard.words import ENGLISH, words
from thirdcard.words.bet_names import FELT

Kind: TypeAlias = Literal["main", "wide", "narrow", "slim", "middle", "mini", "tiny", "more"]

SPACED, TIGHT, DISPLAY = 0.045, 0.01, 0.1  # between letters, in parts of the size; felt.css says the same
LOW = 45  # under this height there is room for a pill, not for a chip and its tag
PILL = 6  # a slot of this radius holds a pill: a small chip and the amount beside it
MARGIN: Final = 4.0  # a text keeps this away from the edges of its cell
CHIP_ROOM: Final = 70.0  # a chip with a tag such as `You 500`
AMOUNT_ROOM: Final = 42.0  # a narrower cell holds no amount
PILL_ROOM: Final = 50.0  # a pill with an amount of four figures
NAME_ROOM: Final = 62.0  # a narrower cell shows too little of a name that is cut
SMALLEST: Final = 11.0  # type
LARGEST: Final = 1.31  # times the usual size of a main cell
ROOMY = 80  # pixels; from here on a character alone in its cell is large
BESIDE_LABEL, ROOM_FOR_TWO = 0.127, 0.14  # angles, so that Player and Banker of a position are alike


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
    """Where a stack stands: the middle of its lowest chip, and the chip's radius."""

    px: float
    dy: float
    radius: float


class FeltCell(msgspec.Struct, frozen=True, kw_only=True):
    """A spot of one position: one bet, or all the small ones of a narrow position.

    `needs` is how wide it must be. A label at the left turns with the tangent at its own middle.
    """

    spots: tuple[Spot, ...]
    kind: Kind
    sector: Sector
    texts: tuple[Text, ...]
    slots: tuple[Slot, ...]
    needs: float
    centred: bool = True
    tag: Literal["below", "right", "pill"] = "below"

    @property
    def label_px(self) -> float:
        return self.sector.width / 2 if self.centred else label_end(self.texts) / 2


Design: TypeAlias = Callable[[Spot, Sector], FeltCell]


def label_end(texts: tuple[Text, ...]) -> float:
    return max(text.px + text.width for text in texts)


def own_main(spot: Spot, sector: Sector) -> FeltCell:
    """Player or Banker of your own position: a large label and three stacks."""
    grown = min(sector.height / 66, LARGEST)
    zh = Text(text=spot.words.zh, style="zh", size=36 * grown, px=20, dy=13 * grown)
    after = zh.px + zh.width + 12 * grown
    room = sector.width / 2 - 26 * grown - after
    texts = (
        zh,
        _fitted(spot.words.en.upper(), "en", 20 * grown, room, px=after, dy=-1, spacing=DISPLAY),
        _fitted(spot.pays, "pays", max(SMALLEST, 13.5 * grown), room, px=after, dy=19 * grown),
    )
    slots = tuple(Slot(sector.width * u, -9 * grown, 19 * grown) for u in (0.5, 0.69, 0.87))
    return FeltCell(
        spots=(spot,), kind="main", sector=sector, texts=texts, slots=slots, needs=0, centred=False
    )


def wide(spot: Spot, sector: Sector) -> FeltCell:
    """A small bet of your own position, with its full name and a stack beside it."""
    zh = Text(text=spot.words.zh, style="zh", size=18, px=11, dy=-1)
    pays = Text(text=spot.pays, style="pays", size=12, px=16 + zh.width, dy=-2)
    name = spot.words.en.upper()
    en = Text(text=name, style="en", size=11, px=11, dy=17, spacing=TIGHT)
    end = label_end((zh, pays, en))
    middle = min((end + sector.width) / 2, sector.width - CHIP_ROOM / 2)
    return FeltCell(
        spots=(spot,),
        kind="wide",
        sector=sector,
        texts=(zh, pays, en),
        slots=(Slot(middle, -7, 15),),
        needs=end + CHIP_ROOM,
        centred=False,
    )


def narrow(spot: Spot, sector: Sector) -> FeltCell:
    """A small bet of your own position in three lines; the name gives way to chips."""
    texts = _column(
        sector,
        (spot.words.zh, "zh", 17, -11, 0),
        (spot.words.short.upper(), "en", 11, 6, TIGHT),
        (spot.pays, "pays", 12, 22, 0),
    )
    return _centred((spot,), "narrow", sector, texts, Slot(18, 16, 11), tag="right")


def clipped(spot: Spot, sector: Sector) -> FeltCell:
    """The same where the name is too long: as much of it as there is room for."""
    name = cut(spot.words.short.upper(), 11, sector.width - 2 * MARGIN, TIGHT)
    cell = narrow(_renamed(spot, name), sector)
    zh, _, pays = cell.texts
    needs = max(NAME_ROOM, *(text.width + 2 * MARGIN for text in (zh, pays)))
    return msgspec.structs.replace(cell, spots=(spot,), needs=needs)


def _renamed(spot: Spot, short: str) -> Spot:
    return msgspec.structs.replace(spot, words=msgspec.structs.replace(spot.words, short=short))


def tiny(spot: Spot, sector: Sector) -> FeltCell:
    """One of very many bets of your own position: its mark and what it pays, which gives way to chips."""
    pays = cut(spot.pays, SMALLEST, sector.width - 2 * MARGIN)
    texts = _column(sector, (spot.words.zh, "zh", 12, -2, 0), (pays, "pays", SMALLEST, 11, 0))
    cell = _centred((spot,), "tiny", sector, texts, Slot(sector.width / 2, 7, PILL), tag="pill")
    return msgspec.structs.replace(cell, needs=max(PILL_ROOM, texts[0].width + 2 * MARGIN))


def other_main(spot: Spot, sector: Sector) -> FeltCell:
    """Player or Banker of somebody else's position."""
    width, angle = sector.width, sector.a1 - sector.a0
    if angle < BESIDE_LABEL:
        size = _size(spot.words.zh, 22 if width < ROOMY else 28, width - 2 * MARGIN)
        texts = _column(sector, (spot.words.zh, "zh", size, 8, 0))
        return _centred((spot,), "slim", sector, texts, Slot(width / 2, 0, 12))
    places = (37, 83) if angle >= ROOM_FOR_TWO else (37,)
    room = width - places[-1] - 22
    name = cut(spot.words.en.upper(), 11, room, SPACED)
    texts = (
        Text(text=spot.words.zh, style="zh", size=_size(spot.words.zh, 25, room), px=10, dy=3),
        Text(text=name, style="en", size=11, px=10, dy=21, spacing=SPACED),
    )
    slots = tuple(Slot(width - from_right, -6, 15) for from_right in places)
    return FeltCell(
        spots=(spot,), kind="main", sector=sector, texts=texts, slots=slots, needs=0, centred=False
    )


def other_small(spot: Spot, sector: Sector) -> FeltCell:
    """Any other bet of somebody else's position: what it pays only where the cell is high enough."""
    zh = spot.words.zh
    if sector.height < LOW:
        return _mini((spot,), zh, sector)
    pays = cut(spot.pays, 11, sector.width - 2 * MARGIN)
    texts = _column(sector, (zh, "zh", 17 if len(zh) == 1 else 15, 0, 0), (pays, "pays", 11, 17, 0))
    return _centred((spot,), "middle", sector, texts, Slot(sector.width / 2, -1, 10))


def others(spots: tuple[Spot, ...], sector: Sector) -> FeltCell:
    """One cell for all these bets of a narrow position."""
    en, zh = words(ENGLISH).ui["felt_side"].upper(), words(FELT).ui["felt_side"]
    if sector.height < LOW:
        return _mini(spots, zh, sector)
    texts = _column(sector, (zh, "zh", 14, -2, 0), (en, "en", 11, 14, SPACED))
    return _centred(spots, "more", sector, texts, Slot(sector.width / 2, -1, 11))


def _mini(spots: tuple[Spot, ...], zh: str, sector: Sector) -> FeltCell:
    texts = _column(sector, (zh, "zh", 12 if len(zh) > 2 else 13, 4.5, 0))  # noqa: PLR2004 - characters
    return _centred(spots, "mini", sector, texts, Slot(sector.width / 2, 7, PILL), tag="pill")


def _size(text: str, size: float, room: float, spacing: float = 0) -> float:
    """The size, or as much smaller as the text needs to have room."""
    return max(SMALLEST, min(size, size * room / text_width(text, size, spacing)))


def _fitted(  # noqa: PLR0913 - what a line has
    text: str, style: str, size: float, room: float, *, px: float, dy: float, spacing: float = 0
) -> Text:
    """A line that is smaller where it is long, and cut where that is not enough."""
    size = _size(text, size, room, spacing)
    text = cut(text, size, room, spacing)
    return Text(text=text, style=style, size=size, px=px, dy=dy, spacing=spacing)


def _column(sector: Sector, *lines: tuple[str, str, float, float, float]) -> tuple[Text, ...]:
    """Centred lines: text, style, size, baseline, spacing."""
    return tuple(
        Text(text=text, style=style, size=size, px=sector.width / 2, dy=dy, spacing=spacing)
        for text, style, size, dy, spacing in lines
    )


def _centred(  # noqa: PLR0913 - one place that knows what a centred cell is
    spots: tuple[Spot, ...],
    kind: Kind,
    sector: Sector,
    texts: tuple[Text, ...],
    slot: Slot,
    *,
    tag: Literal["below", "right", "pill"] = "below",
) -> FeltCell:
    needs = max(AMOUNT_ROOM, *(text.width + 2 * MARGIN for text in texts))
    return FeltCell(spots=spots, kind=kind, sector=sector, texts=texts, slots=(slot,), needs=needs, tag=tag)
