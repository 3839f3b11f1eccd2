"""The felt of a layout as one SVG, drawn from the rulebook: the bets it offers, what they pay, and no others.

Every position is drawn as if it were in the middle, and turned to its place. What the page does with it:

- A spot is `.spot[data-box="3"][data-bet~="tie"]`. A narrow position has one spot for all its side bets; its
  `data-bet` names them all. Own spots are buttons without a tab stop, for a roving focus.
- `data-slots` are places for stacks, `x,y,radius` each, best first; `data-turn` are the degrees by which a
  stack turns with its cell. `data-tag` says where a tag goes if not below its stack (see `chips.py`).
- `.chips`, the last child, takes the stacks, `.centre` before it the hands. `[data-plate="3"]` takes the name
  of box 3, at most `data-room` letters.
- States are classes of a spot, styled in `felt.css`: taken, win, faint, lose, refused, sent, closed; `open`
  of a half of the insurance ring; `empty` of a position; `sit` of a plate.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import degrees
from typing import Final

from thirdcard.web.draw.cells import Cell, Slot, Text
from thirdcard.web.draw.plan import SPAN, Half, Position, plan
from thirdcard.web.draw.shapes import (
    CENTRE_X,
    CENTRE_Y,
    HEIGHT,
    RADIUS,
    WIDTH,
    Sector,
    arc,
    at,
    escape,
    number,
    turned,
)

CENTRE: Final = f"{CENTRE_X} {CENTRE_Y}"
RAIL, PLATE = RADIUS + 50, RADIUS + 29
GAP, OTHER_GAP, CORNER, OTHER_CORNER = 4, 3, 7, 5
COLOURS: Final = {"player": "p", "banker": "b", "tie": "t"}
LETTER, NUMBER = 6.8, 22  # pixels that a letter of a name takes, and a box's number with its margins


@lru_cache(maxsize=256)
def felt_svg(rulebook_slug: str, layout: str, positions: int, own: int | None) -> str:
    """The felt seen from position `own`, or by somebody who only watches; BadInput if it cannot be."""
    planned = plan(rulebook_slug, layout, positions, own)
    prefix = f"felt-{rulebook_slug}-{layout}-{positions}-{own or 0}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="felt" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="group" aria-label="Layout {layout}, {_boxes(positions)}" text-anchor="middle">'
        + _cloth(prefix)
        + "".join(_half(half, prefix) for half in planned.insurance)
        + "".join(map(_position, planned.positions))
        + '<g class="centre"></g><g class="chips"></g></svg>'
    )


def _boxes(count: int) -> str:
    return "1 box" if count == 1 else f"{count} boxes"


def _cloth(prefix: str) -> str:
    """The rail and the cloth inside it, lit from above the dealer."""
    shapes = (
        f'<radialGradient id="{prefix}-cloth" gradientUnits="userSpaceOnUse" cx="720" cy="210" r="760">'
        '<stop class="lit-1"/><stop class="lit-2" offset=".55"/><stop class="lit-3" offset="1"/>'
        "</radialGradient>"
    )
    for name, radius, more, out, fill in (
        ("rail", RAIL, 0.09, 60, ""),
        ("cloth", RADIUS + 8, 0.035, 0, f' fill="url(#{prefix}-cloth)"'),
    ):
        edge = SPAN / 2 + more
        left, right = number(at(radius, -edge)[0] - out), number(at(radius, edge)[0] + out)
        shapes += f'<path class="{name}"{fill} d="{arc(radius, -edge, edge)}L{right} -10H{left}Z"/>'
    return shapes


def _half(half: Half, prefix: str) -> str:
    """A half of the insurance ring, its title along the arc."""
    sector = half.sector
    ends = sector.angle_at(12), sector.angle_at(min(slot.px for slot in half.slots) - 16)
    turn = number(-degrees(sector.angle_at(half.slots[0].px)))
    return (
        f'<g class="insurance" data-bet="{half.bet}" data-slots="{_slots(sector, half.slots)}" '
        f'data-turn="{turn}" data-tag="right">'
        f'<path d="{Sector(sector.r0, sector.r1, sector.a0 + 0.002, sector.a1 - 0.002).path(GAP, 6)}"/>'
        f'<path class="line" id="{prefix}-{half.bet}" d="{arc(sector.radius + 5, *ends)}"/>'
        f'<text font-size="12.5"><textPath href="#{prefix}-{half.bet}" startOffset="50%">'
        f'{half.zh}<tspan dx="14">{escape(half.en)}</tspan></textPath></text></g>'
    )


def _position(position: Position) -> str:
    sector, box = position.sector, position.box
    ground = Sector(sector.r0 - 2, sector.r1 + 4, sector.a0, sector.a1).path(0, 11)
    return (
        f'<g class="position{" own" if position.own else ""}" data-box="{box}" role="group" '
        f'aria-label="Box {box}" transform="rotate({-degrees(position.angle):.3f} {CENTRE})">'
        + (f'<path class="ground" d="{ground}"/>' if position.own else "")
        + "".join(_spot(cell, position) for cell in position.cells)
        + f"{_plate(position)}</g>"
    )


def _spot(cell: Cell, position: Position) -> str:
    sector, own, angle = cell.sector, position.own, position.angle
    colour = f" {COLOURS[cell.spots[0].words.side]}" if len(cell.spots) == 1 else ""
    bets = " ".join(spot.bet for spot in cell.spots)
    label = escape("; ".join(spot.label for spot in cell.spots))
    turn = number(-degrees(sector.angle + angle))
    tag = f' data-tag="{cell.tag}"' if cell.tag != "below" else ""
    button = f' role="button" tabindex="-1" aria-label="{label}"' if own else ""
    path = sector.path(GAP if own else OTHER_GAP, CORNER if own else OTHER_CORNER)
    return (
        f'<g class="spot {cell.kind}{colour}" data-box="{position.box}" data-bet="{bets}" '
        f'data-slots="{_slots(sector, cell.slots, angle)}" data-turn="{turn}"{tag}{button}>'
        f'<title>{label}</title><path d="{path}"/>{_texts(cell)}</g>'
    )


def _slots(sector: Sector, slots: Iterable[Slot], turn: float = 0) -> str:
    """Places for stacks on the felt as a whole, whatever the position's own transform."""
    points = ((sector.point(slot.px, slot.dy, turn), slot.radius) for slot in slots)
    return " ".join(f"{number(x)},{number(y)},{number(radius)}" for (x, y), radius in points)


def _texts(cell: Cell) -> str:
    """The label in a frame of its own, turned with the tangent."""
    start = "" if cell.centred else ' text-anchor="start"'
    frame = turned(cell.sector.radius, cell.sector.angle_at(cell.label_px))
    lines = "".join(_text(text, text.px - cell.label_px) for text in cell.texts)
    return f'<g class="label" transform="{frame}"{start}>{lines}</g>'


def _text(text: Text, x: float) -> str:
    across = "" if number(x) == "0" else f' x="{number(x)}"'
    return (
        f'<text class="{text.style}"{across} y="{number(text.dy)}" font-size="{number(text.size)}">'
        f"{escape(text.text)}</text>"
    )


def _plate(position: Position) -> str:
    """The name plate on the rail: the number of the box, and room for a name."""
    sector, box = position.sector, position.box
    width = min((sector.a1 - sector.a0) * PLATE - 6, 192 if position.own else 124)
    size = 14 if position.own else 12
    room = max(2, int((width - NUMBER) / LETTER))
    return (
        f'<g class="plate" transform="{turned(PLATE, sector.angle)}">'
        f'<rect x="{number(-width / 2)}" y="-15" width="{number(width)}" height="30" rx="15"/>'
        f'<text y="4.5" font-size="{size}"><tspan class="num">{box}</tspan>'
        f'<tspan dx="6" data-plate="{box}" data-room="{room}"></tspan></text></g>'
    )
