"""Where everything on a felt goes: positions along the arc, their cells, and the insurance ring.

Your own position is always 28 degrees wide and has every bet with its label in full; the others share the
rest. Theirs show every bet while label and amount fit into each cell, and otherwise Player, Banker, Tie and
one cell for all the other bets together. Where your own bets are too many or their names too long for that,
Player and Banker make room, names are cut, and of very many only marks are left.
"""

from collections.abc import Iterator
from math import radians
from typing import Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook
from thirdcard.web.draw.cells import (
    Design,
    FeltCell,
    Slot,
    clipped,
    narrow,
    other_main,
    other_small,
    others,
    own_main,
    tiny,
    wide,
)
from thirdcard.web.draw.shapes import RADIUS, Sector, cut, text_width
from thirdcard.web.draw.spots import Spot, layout_of, spots
from thirdcard.words import ENGLISH, Language, bet_words

SPAN: Final = radians(70.4)
OWN: Final = SPAN * 3.3 / 8.3  # beside five others: 3.3 times as wide as each of them
WIDEST: Final = SPAN / 8.3
WIDEST_WATCHED: Final = SPAN / 6  # where none is your own, six fill the arc
BANDS, BANDS_WITHOUT_SIDE = (66, 66, 54, 64), (86, 86, 78)
DEPTH: Final = sum(BANDS)
LOWEST_ROW = 30
ONE_ROW = 3  # side bets; more of them take two rows
CROWDED_MAIN = 48
CROWDED_ROWS: Final[tuple[tuple[Design, float], ...]] = ((clipped, 52), (tiny, 31))  # how low each may be
RING_GAP, RING_HEIGHT, RING_INSET, SHORTEST_HALF = 8, 34, 0.05, radians(29.5)
RING_TYPE, RING_SPACING, RING_DX = 12.5, 0.14, 14


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A box: its sector and cells as if it were in the middle, and the angle at which it is."""

    box: int
    own: bool
    angle: float
    sector: Sector
    cells: tuple[FeltCell, ...]


class Half(msgspec.Struct, frozen=True, kw_only=True):
    """One hand's half of the insurance ring; the title ends where the slots begin."""

    bet: str
    zh: str
    en: str
    sector: Sector
    slots: tuple[Slot, ...]


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    positions: tuple[Position, ...]
    insurance: tuple[Half, ...]


def plan(book: Rulebook, layout: str, positions: int, own: int | None, language: Language = ENGLISH) -> Plan:
    """The whole felt; BadInput for a number of positions that the layout may not have."""
    low, high = layout_of(book, layout).positions
    if not low <= positions <= high:
        raise BadInput(f"layout {layout} of {book.slug} has {low} to {high} positions: got {positions}")
    if own is not None and not 1 <= own <= positions:
        raise BadInput(f"there is no position {own}: the table has {positions}")
    offered, widths = spots(book, layout, language), _widths(positions, own)
    free = 0 if book.insurance else RING_GAP + RING_HEIGHT
    found, left = [], -sum(widths) / 2
    for box, width in enumerate(widths, start=1):
        sector = Sector(RADIUS - DEPTH, RADIUS, -width / 2, width / 2)
        cells = _own_cells(offered, sector, free) if box == own else list(_other_cells(offered, sector))
        inner = min((cell.sector.r0 for cell in cells), default=sector.r0)
        found.append(
            Position(
                box=box,
                own=box == own,
                angle=left + width / 2,
                sector=Sector(inner, sector.r1, sector.a0, sector.a1),
                cells=tuple(cells),
            )
        )
        left += width
    return Plan(positions=tuple(found), insurance=tuple(_insurance(book, sum(widths))))


def _widths(positions: int, own: int | None) -> list[float]:
    """The angle of each position, from left to right."""
    if own is None:
        return [min(WIDEST_WATCHED, SPAN / positions)] * positions
    other = min(WIDEST, (SPAN - OWN) / max(1, positions - 1))
    return [OWN if box == own else other for box in range(1, positions + 1)]


def _rows(offered: tuple[Spot, ...], sector: Sector) -> list[tuple[list[Spot], Sector]]:
    """The bets by band, from the seat inward: Player, Banker, the middle ones, the side bets."""
    main = [[spot] for spot in offered if spot.words.row == "main"]
    small = [[spot for spot in offered if spot.words.row == row] for row in ("middle", "side")]
    rows = main + [row for row in small if row]
    usual = {len(bands): bands for bands in (BANDS, BANDS_WITHOUT_SIDE)}
    heights = usual.get(len(rows)) or (DEPTH / max(1, len(rows)),) * len(rows)
    return list(zip(rows, sector.bands(heights), strict=True))


def _own_cells(offered: tuple[Spot, ...], sector: Sector, free: float) -> list[FeltCell]:
    """Every bet in a cell of its own; a crowd of them also takes what is free behind the position."""
    found: list[FeltCell] = []
    for row, band in _rows(offered, sector):
        if row[0].words.row == "main":
            cells: list[FeltCell] | None = [own_main(row[0], band)]
        else:
            cells = _row(row, band, wide) or _row(row, band, narrow)
        if cells is None:
            return _crowd(offered, Sector(sector.r0 - free, sector.r1, sector.a0, sector.a1))
        found += cells
    return found


def _crowd(offered: tuple[Spot, ...], sector: Sector) -> list[FeltCell]:
    """Player and Banker as low as they may be, and all the other bets in rows of the same height."""
    main = [spot for spot in offered if spot.words.row == "main"]
    small = [spot for spot in offered if spot not in main]
    left = sector.height - CROWDED_MAIN * len(main)
    *mains, area = sector.bands((*(CROWDED_MAIN,) * len(main), left))
    found = [own_main(spot, band) for spot, band in zip(main, mains, strict=True)]
    for design, lowest in CROWDED_ROWS:
        for count in range(1, int(area.height // lowest) + 1):
            rows = list(zip(_even(small, count), area.bands((area.height / count,) * count), strict=False))
            cells = [_row(row, band, design) for row, band in rows]
            if None not in cells:
                return found + [cell for row in cells for cell in row or ()]
    return found + [cell for row, band in rows for cell in _squeezed(row, band)]


def _even(spots_there: list[Spot], count: int) -> list[list[Spot]]:
    """In so many rows at most, as even as they go."""
    wide_row = -(-len(spots_there) // count)
    return [spots_there[start : start + wide_row] for start in range(0, len(spots_there), wide_row)]


def _squeezed(row: list[Spot], band: Sector) -> list[FeltCell]:
    """More bets than amounts have room for, all alike."""
    return [tiny(spot, sector) for spot, sector in zip(row, band.cells([1.0] * len(row)), strict=True)]


def _other_cells(offered: tuple[Spot, ...], sector: Sector) -> Iterator[FeltCell]:
    rows = _rows(offered, sector)
    small = [(row, band) for row, band in rows if row[0].words.row != "main"]
    for (spot, *_), band in rows[: len(rows) - len(small)]:
        yield other_main(spot, band)
    yield from _all_small(small) or _few(small)


def _all_small(rows: list[tuple[list[Spot], Sector]]) -> list[FeltCell] | None:
    """Every small bet in a cell of its own; None if the cells would be too narrow."""
    found = []
    for row, band in (part for whole in rows for part in _two_rows(*whole)):
        cells = _row(row, band, other_small)
        if cells is None:
            return None
        found += cells
    return found


def _two_rows(row: list[Spot], band: Sector) -> list[tuple[list[Spot], Sector]]:
    """More than three bets take two rows: the Player's nearer the seat, or halves if all are on one side.

    A band that is too low for two keeps them in one.
    """
    if len(row) <= ONE_ROW or band.height < 2 * LOWEST_ROW:
        return [(row, band)]
    near = [spot for spot in row if spot.words.side == "player"]
    if len(near) in (0, len(row)):
        near = row[: len(row) // 2]
    far = [spot for spot in row if spot not in near]
    return list(zip((near, far), band.bands((band.height / 2,) * 2), strict=True))


def _few(rows: list[tuple[list[Spot], Sector]]) -> tuple[FeltCell, ...]:
    """Tie in a cell of its own, if there is one, and all the other small bets in another."""
    small = [spot for row, _ in rows for spot in row]
    parts = [part for part in (_of(small, tie=True), _of(small, tie=False)) if part]
    if not parts:
        return ()
    bands = [band for _, band in rows]
    if len(bands) != len(parts):
        whole = Sector(bands[-1].r0, bands[0].r1, bands[0].a0, bands[0].a1)
        bands = whole.bands((whole.height / len(parts),) * len(parts))
    return tuple(
        other_small(part[0], band) if len(part) == 1 else others(part, band)
        for part, band in zip(parts, bands, strict=True)
    )


def _of(small: list[Spot], *, tie: bool) -> tuple[Spot, ...]:
    return tuple(spot for spot in small if (spot.bet == "tie") == tie)


def _row(row: list[Spot], band: Sector, design: Design) -> list[FeltCell] | None:
    """The cells of a row in that design; None if they do not fit."""
    needs = [design(spot, band).needs for spot in row]
    if sum(needs) > band.width:
        return None
    return [design(spot, sector) for spot, sector in zip(row, band.cells(needs), strict=True)]


def _insurance(book: Rulebook, span: float) -> Iterator[Half]:
    """Player half left, Banker half right, where the rulebook has insurance."""
    insurance = book.insurance
    if insurance is None:
        return
    outer = RADIUS - DEPTH - RING_GAP
    half = max(span / 2 - RING_INSET, SHORTEST_HALF)
    for hand, (a0, a1) in (("player", (-half, 0.0)), ("banker", (0.0, half))):
        words = bet_words(f"{hand}-insurance")
        sector = Sector(outer - RING_HEIGHT, outer, a0, a1)
        slots = tuple(Slot(sector.width - place, 0, 13) for place in (80, 162))
        room = (
            min(slot.px for slot in slots) - 2 * RING_DX - text_width(words.zh, RING_TYPE, RING_SPACING) - 30
        )
        en = cut(f"{hand} {insurance.name}".upper(), RING_TYPE, room, RING_SPACING)
        yield Half(bet=f"{hand}-insurance", zh=words.zh, en=en, sector=sector, slots=slots)
