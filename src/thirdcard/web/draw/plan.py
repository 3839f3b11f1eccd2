"""Where everything on a felt goes: positions along the arc, their cells, and the insurance ring.

Your own position is always 28 degrees wide and has every bet with its label in full; the others share the
rest. Theirs show every bet while label and amount fit into each cell, and otherwise Player, Banker, Tie and
one cell for all the other bets together.
"""

from collections.abc import Iterator
from math import radians
from typing import Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import load
from thirdcard.web.draw.cells import (
    Design,
    FeltCell,
    Slot,
    narrow,
    other_main,
    other_small,
    others,
    own_main,
    wide,
)
from thirdcard.web.draw.shapes import RADIUS, Sector
from thirdcard.web.draw.spots import Spot, layout_of, spots
from thirdcard.words import ENGLISH, Language, bet_words

SPAN: Final = radians(70.4)
OWN: Final = SPAN * 3.3 / 8.3  # beside five others: 3.3 times as wide as each of them
WIDEST: Final = SPAN / 8.3
WIDEST_WATCHED: Final = SPAN / 6  # where none is your own, six fill the arc
BANDS, BANDS_WITHOUT_SIDE = (66, 66, 54, 64), (86, 86, 78)
DEPTH: Final = sum(BANDS)
ONE_ROW = 3  # side bets; more of them take two rows
RING_GAP, RING_HEIGHT, RING_INSET, SHORTEST_HALF = 8, 34, 0.05, radians(29.5)


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


def plan(slug: str, layout: str, positions: int, own: int | None, language: Language = ENGLISH) -> Plan:
    """The whole felt; BadInput for a number of positions that the layout may not have."""
    low, high = layout_of(slug, layout).positions
    if not low <= positions <= high:
        raise BadInput(f"layout {layout} of {slug} has {low} to {high} positions: got {positions}")
    if own is not None and not 1 <= own <= positions:
        raise BadInput(f"there is no position {own}: the table has {positions}")
    widths = _widths(positions, own)
    found, left = [], -sum(widths) / 2
    for box, width in enumerate(widths, start=1):
        sector = Sector(RADIUS - DEPTH, RADIUS, -width / 2, width / 2)
        cells = tuple((_own_cells if box == own else _other_cells)(spots(slug, layout, language), sector))
        found.append(Position(box=box, own=box == own, angle=left + width / 2, sector=sector, cells=cells))
        left += width
    return Plan(positions=tuple(found), insurance=tuple(_insurance(slug, sum(widths))))


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
    return list(
        zip(rows, sector.bands(BANDS if len(rows) == len(BANDS) else BANDS_WITHOUT_SIDE), strict=True)
    )


def _own_cells(offered: tuple[Spot, ...], sector: Sector) -> Iterator[FeltCell]:
    for row, band in _rows(offered, sector):
        if row[0].words.row == "main":
            yield own_main(row[0], band)
        else:
            yield from _row(row, band, wide) or _row(row, band, narrow) or ()


def _other_cells(offered: tuple[Spot, ...], sector: Sector) -> Iterator[FeltCell]:
    player, banker, *small = _rows(offered, sector)
    for (spot,), band in (player, banker):
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
    """More than three bets take two rows: the Player's nearer the seat, or halves if all are on one side."""
    if len(row) <= ONE_ROW:
        return [(row, band)]
    near = [spot for spot in row if spot.words.side == "player"]
    if len(near) in (0, len(row)):
        near = row[: len(row) // 2]
    far = [spot for spot in row if spot not in near]
    return list(zip((near, far), band.bands((band.height / 2,) * 2), strict=True))


def _few(rows: list[tuple[list[Spot], Sector]]) -> tuple[FeltCell, ...]:
    """Tie in a cell of its own, and all the other small bets in another."""
    small, bands = [spot for row, _ in rows for spot in row], [band for _, band in rows]
    if len(bands) == 1:
        bands = bands[0].bands((bands[0].height / 2,) * 2)
    tie = next(spot for spot in small if spot.bet == "tie")
    return other_small(tie, bands[0]), others(tuple(spot for spot in small if spot is not tie), bands[1])


def _row(row: list[Spot], band: Sector, design: Design) -> list[FeltCell] | None:
    """The cells of a row in that design; None if they do not fit."""
    needs = [design(spot, band).needs for spot in row]
    if sum(needs) > band.width:
        return None
    return [design(spot, sector) for spot, sector in zip(row, band.cells(needs), strict=True)]


def _insurance(slug: str, span: float) -> Iterator[Half]:
    """Player half left, Banker half right, where the rulebook has insurance."""
    insurance = load(slug).insurance
    if insurance is None:
        return
    outer = RADIUS - DEPTH - RING_GAP
    half = max(span / 2 - RING_INSET, SHORTEST_HALF)
    for hand, (a0, a1) in (("player", (-half, 0.0)), ("banker", (0.0, half))):
        words = bet_words(f"{hand}-insurance")
        sector = Sector(outer - RING_HEIGHT, outer, a0, a1)
        slots = tuple(Slot(sector.width - place, 0, 13) for place in (80, 162))
        en = f"{hand} {insurance.name}".upper()
        yield Half(bet=f"{hand}-insurance", zh=words.zh, en=en, sector=sector, slots=slots)
