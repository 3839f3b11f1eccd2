"""Where everything on a felt goes: the box in the middle large, the others beside it, and the insurance ring.

The box in the middle has every bet with its label in full. Those that somebody sits at show Player, Banker,
Tie and all the other bets together; free ones are an outline. Where the bets of the middle are too many or
their names too long, Player and Banker make room, names are cut, and of very many only marks are left.
"""

from collections.abc import Iterable, Iterator
from math import asin
from typing import Final, Literal

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook
from thirdcard.web.draw.cells import (
    NARROW,
    Design,
    FeltCell,
    Slot,
    clipped,
    narrow,
    other_main,
    other_part,
    own_main,
    tiny,
    wide,
)
from thirdcard.web.draw.shapes import SLACK, Sector, cut, text_width
from thirdcard.web.draw.spots import Spot, layout_of, spots
from thirdcard.web.draw.stage import FeltStage
from thirdcard.words import ENGLISH, Language, bet_words

# Where the boxes lie around the one in the middle, and how wide each is ---------------------------------

OWN_LEAST, OWN_MOST = 540, 640
NAMED_MOST: Final = 780  # for the sake of names; wider it would lie below the placards
OTHER_LEAST: Final = 42  # units; what names of one's own side bets may leave to a box of somebody else
PER_OTHER, PER_OTHER_BESIDE = 106, 47
SIDE_MARGIN = 30  # between the others and the edge, as far as one's own width goes
FREE: Final = 0.66  # of the width of a box that somebody sits at
MANY: Final = 10  # boxes, from which on all are alike
WIDEST, APART, EDGE = 128, 10, 16


class Lie(msgspec.Struct, frozen=True):
    """A box between two angles."""

    box: int
    a0: float
    a1: float


class Around(msgspec.Struct, frozen=True, kw_only=True):
    """The boxes from left to right; `seam` is where the last box of the table meets the first."""

    lies: tuple[Lie, ...]
    seam: float | None


def sides(boxes: int, middle: int) -> tuple[list[int], list[int]]:
    """The boxes left and right of that one, the nearest first.

    They lie as at the table while that is balanced; otherwise the ring of boxes turns.
    """
    left = max((boxes - 1) // 2, min(boxes // 2, middle - 1))
    return (
        [(middle - 1 - place - 1) % boxes + 1 for place in range(left)],
        [(middle + place) % boxes + 1 for place in range(boxes - 1 - left)],
    )


def around(boxes: int, middle: int, taken: frozenset[int], stage: FeltStage, needs: float = 0) -> Around:
    """The middle box as wide as the others let it be, the others alike beside it.

    Where its bets need more, the others make room as far as they can.
    """
    circle, (left, right) = stage.circle, sides(boxes, middle)

    def weight(some: Iterable[int]) -> float:
        return sum(1.0 if box in taken or boxes >= MANY else FREE for box in some)

    per = PER_OTHER_BESIDE if stage.beside else PER_OTHER
    room = stage.width - 2 * (per * max(weight(left), weight(right)) + SIDE_MARGIN)
    edge = asin(min(0.98, (stage.width / 2 - EDGE) / (circle.radius + 4)))
    spare = 2 * (edge * circle.radius - APART - OTHER_LEAST * max(weight(left), weight(right)))
    half = max(OWN_LEAST, min(room, OWN_MOST), min(needs, spare, NAMED_MOST)) / circle.radius / 2
    start = half + APART / circle.radius
    beside = edge - start
    units = [beside / weight(side) for side in (left, right) if side]
    unit = min([WIDEST / circle.radius, *units])
    lies, seam = [Lie(middle, -half, half)], None
    for side, sign in ((left, -1), (right, 1)):
        near = sign * start
        for box in side:
            far = near + sign * unit * weight([box])
            lies.append(Lie(box, min(near, far), max(near, far)))
            if box == (boxes if sign < 0 else 1):
                seam = near
            near = far
    return Around(lies=tuple(sorted(lies, key=lambda lie: lie.a0)), seam=seam)


BANDS, BANDS_WITHOUT_SIDE = (64, 64, 52, 62), (84, 84, 74)
DEPTH: Final = sum(BANDS)
CROWDED_MAIN = 48
CROWDED_ROWS: Final[tuple[tuple[Design, float], ...]] = ((clipped, 52), (tiny, 31))  # how low each may be
OTHER_MAIN, OTHER_PARTS, OTHER_COLUMN, FREE_DEPTH = 64, 52, 44, 128
RING_GAP, RING_HEIGHT = 7, 28
RING_SPACING = 0.14
RING_MARGINS = 36
RING_PILL = 86  # an amount with its owner, such as `You +500`


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A box as if it were in the middle, and the angle at which it is; a free one has no cells."""

    box: int
    middle: bool
    angle: float
    sector: Sector
    cells: tuple[FeltCell, ...]


class Half(msgspec.Struct, frozen=True, kw_only=True):
    """One hand's half of the insurance ring; `whose` gives way to what lies on it, and a `long` name too."""

    bet: str
    zh: str
    whose: str
    en: str
    long: bool
    sector: Sector
    slots: tuple[Slot, ...]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    positions: tuple[Position, ...]
    insurance: tuple[Half, ...]
    seam: float | None


def plan(  # noqa: PLR0913, PLR0917 - what a felt depends on
    book: Rulebook, layout: str, positions: int, middle: int, taken: frozenset[int], stage: FeltStage,
    language: Language = ENGLISH,
) -> Plan:  # fmt: skip
    """The whole felt; BadInput for a number of positions that the layout may not have."""
    stage.check()
    low, high = layout_of(book, layout).positions
    if not low <= positions <= high:
        raise BadInput(f"layout {layout} of {book.slug} has {low} to {high} positions: got {positions}")
    if not 1 <= middle <= positions:
        raise BadInput(f"there is no position {middle}: the table has {positions}")
    offered = spots(book, layout, language)
    lying = around(positions, middle, taken, stage, max(_needs(offered, stage), _ring_needs(book, stage)))
    behind = 0 if book.insurance else RING_GAP + RING_HEIGHT
    drawn = [
        _position(
            offered,
            lie,
            "middle" if lie.box == middle else "taken" if lie.box in taken else "free",
            behind,
            stage,
        )
        for lie in lying.lies
    ]
    wide_half = next(lie.a1 for lie in lying.lies if lie.box == middle)
    halves = tuple(_insurance(book, wide_half, stage))
    return Plan(positions=tuple(drawn), insurance=halves, seam=lying.seam)


def _position(
    offered: tuple[Spot, ...],
    lie: Lie,
    kind: Literal["middle", "taken", "free"],
    behind: float,
    stage: FeltStage,
) -> Position:
    radius, half = stage.circle.radius, (lie.a1 - lie.a0) / 2
    sector = Sector(radius - DEPTH, radius, -half, half)
    if kind == "middle":
        cells = _own_cells(offered, sector, behind, stage)
    else:
        cells = list(_other_cells(offered, sector, stage)) if kind == "taken" else []
    inner = min((cell.sector.r0 for cell in cells), default=radius - FREE_DEPTH)
    return Position(
        box=lie.box,
        middle=kind == "middle",
        angle=(lie.a0 + lie.a1) / 2,
        sector=Sector(inner, radius, -half, half),
        cells=tuple(cells),
    )


def _rows(offered: tuple[Spot, ...], sector: Sector) -> list[tuple[list[Spot], Sector]]:
    """The bets by band, from the seat inward: Player, Banker, the middle ones, the side bets."""
    main = [[spot] for spot in offered if spot.words.row == "main"]
    small = [[spot for spot in offered if spot.words.row == row] for row in ("middle", "side")]
    rows = main + [row for row in small if row]
    usual = {len(bands): bands for bands in (BANDS, BANDS_WITHOUT_SIDE)}
    heights = usual.get(len(rows)) or (DEPTH / max(1, len(rows)),) * len(rows)
    return list(zip(rows, sector.bands(heights), strict=True))


def _needs(offered: tuple[Spot, ...], stage: FeltStage) -> float:
    """How wide the box in the middle must be at its edge for every name of its side bets to be whole."""
    radius = stage.circle.radius
    bands = _rows(offered, Sector(radius - DEPTH, radius, -0.2, 0.2))
    return max(
        (
            sum(narrow(spot, band, stage).needs for spot in row) * radius / band.radius
            for row, band in bands
            if row[0].words.row == "side"
        ),
        default=0,
    )


def _ring_needs(book: Rulebook, stage: FeltStage) -> float:
    """How wide it must be for the first word of insurance to be whole in both halves of the ring."""
    if book.insurance is None:
        return 0
    radius, size = stage.circle.radius, ring_type(stage)
    first = book.insurance.name.split()[0].upper()
    texts = [bet_words(f"{hand}-insurance").zh + "\N{EM SPACE}" + first for hand in ("player", "banker")]
    widest = max(text_width(text, size, RING_SPACING) for text in texts)
    ring = radius - DEPTH - RING_GAP - RING_HEIGHT / 2
    return 2 * (RING_MARGINS + widest) * radius / ring


def _own_cells(offered: tuple[Spot, ...], sector: Sector, behind: float, stage: FeltStage) -> list[FeltCell]:
    """Every bet in a cell of its own; a crowd of them also takes what is free behind the position."""
    drawn: list[FeltCell] = []
    for row, band in _rows(offered, sector):
        if row[0].words.row == "main":
            cells: list[FeltCell] | None = [own_main(row[0], band, stage)]
        elif row[0].words.row == "middle":
            cells = _row(row, band, wide, stage) or _row(row, band, narrow, stage)
        else:
            cells = _row(row, band, narrow, stage) or _row(row, band, clipped, stage)
        if cells is None:
            whole = Sector(sector.r0 - behind, sector.r1, sector.a0, sector.a1)
            return _crowd(offered, whole, stage)
        drawn += cells
    return drawn


def _crowd(offered: tuple[Spot, ...], sector: Sector, stage: FeltStage) -> list[FeltCell]:
    """Player and Banker as low as they may be, and all the other bets in rows of the same height."""
    main = [spot for spot in offered if spot.words.row == "main"]
    small = [spot for spot in offered if spot not in main]
    left = sector.height - CROWDED_MAIN * len(main)
    *mains, area = sector.bands((*(CROWDED_MAIN,) * len(main), left))
    drawn = [own_main(spot, band, stage) for spot, band in zip(main, mains, strict=True)]
    for design, lowest in CROWDED_ROWS:
        for count in range(1, int(area.height // lowest) + 1):
            rows = list(zip(_even(small, count), area.bands((area.height / count,) * count), strict=False))
            cells = [_row(row, band, design, stage) for row, band in rows]
            if None not in cells:
                return drawn + [cell for row in cells for cell in row or ()]
    return drawn + [cell for row, band in rows for cell in _squeezed(row, band, stage)]


def _even(spots_there: list[Spot], count: int) -> list[list[Spot]]:
    """In so many rows at most, as even as they go."""
    wide_row = -(-len(spots_there) // count)
    return [spots_there[start : start + wide_row] for start in range(0, len(spots_there), wide_row)]


def _squeezed(row: list[Spot], band: Sector, stage: FeltStage) -> list[FeltCell]:
    """More bets than amounts have room for, all alike."""
    cells = zip(row, band.cells([1.0] * len(row)), strict=True)
    return [tiny(spot, sector, stage) for spot, sector in cells]


def _other_cells(offered: tuple[Spot, ...], sector: Sector, stage: FeltStage) -> Iterator[FeltCell]:
    """Player and Banker in bands; Tie and the rest side by side, or in a column too if the box is narrow."""
    main = [spot for spot in offered if spot.words.row == "main"]
    small = [spot for spot in offered if spot.words.row != "main"]
    parts = [part for part in (_of(small, tie=True), _of(small, tie=False)) if part]
    column = (sector.a1 - sector.a0) * sector.r1 < NARROW
    heights = (OTHER_MAIN,) * len(main) + ((OTHER_COLUMN,) * len(parts) if column else (OTHER_PARTS,))
    bands = sector.bands(heights)
    for spot, band in zip(main, bands[: len(main)], strict=True):
        yield other_main(spot, band, stage)
    rest = bands[len(main) :]
    beside = rest if column else rest[0].cells([1.0] * len(parts)) if parts else []
    for part, cell in zip(parts, beside, strict=True):
        yield other_part(part, cell, stage)


def _of(small: list[Spot], *, tie: bool) -> tuple[Spot, ...]:
    return tuple(spot for spot in small if (spot.bet == "tie") == tie)


def _row(row: list[Spot], band: Sector, design: Design, stage: FeltStage) -> list[FeltCell] | None:
    """The cells of a row in that design; None if they do not fit."""
    needs = [design(spot, band, stage).needs for spot in row]
    if sum(needs) > band.width + SLACK:
        return None
    return [design(spot, sector, stage) for spot, sector in zip(row, band.cells(needs), strict=True)]


def _insurance(book: Rulebook, half: float, stage: FeltStage) -> Iterator[Half]:
    """Player half left, Banker half right of the middle, where the rulebook has insurance."""
    insurance = book.insurance
    if insurance is None:
        return
    outer, size = stage.circle.radius - DEPTH - RING_GAP, ring_type(stage)
    for hand, (a0, a1) in (("player", (-half, 0.0)), ("banker", (0.0, half))):
        words = bet_words(f"{hand}-insurance")
        sector = Sector(outer - RING_HEIGHT, outer, a0, a1)
        slots = tuple(Slot(sector.width - place, 0, 6) for place in (9, 86))
        room = sector.width - RING_MARGINS - text_width(words.zh + "\N{EM SPACE}", size, RING_SPACING)
        whose = f"{hand} ".upper()
        if text_width(whose + insurance.name.split()[0].upper(), size, RING_SPACING) > room:
            whose = ""  # the characters say it
        room -= text_width(whose, size, RING_SPACING)
        en = _whole_words(insurance.name.upper(), size, room)
        named = text_width(f"{words.zh}\N{EM SPACE}{en}", size, RING_SPACING)
        long = named > sector.width - 24 - RING_PILL
        yield Half(
            bet=f"{hand}-insurance", zh=words.zh, whose=whose, en=en, long=long, sector=sector, slots=slots
        )


def _whole_words(name: str, size: float, room: float) -> str:
    """As many of its words as there is room for, the first cut if need be."""
    parts = name.split()
    fitting = (" ".join(parts[:count]) for count in range(len(parts), 0, -1))
    whole = next((some for some in fitting if text_width(some, size, RING_SPACING) <= room), None)
    return whole or cut(parts[0], size, room, RING_SPACING)


def ring_type(stage: FeltStage) -> float:
    return max(12.0, stage.least)
