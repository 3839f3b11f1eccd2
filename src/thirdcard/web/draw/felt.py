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
from html import escape
from math import degrees
from typing import Final

from thirdcard.drawing import element, number, svg, text, title
from thirdcard.rulebook import Rulebook
from thirdcard.web.draw.cells import FeltCell, Slot, Text
from thirdcard.web.draw.plan import RING_DX, RING_TYPE, SPAN, Half, Position, plan
from thirdcard.web.draw.shapes import CENTRE_X, CENTRE_Y, HEIGHT, RADIUS, WIDTH, Sector, arc, at, turned
from thirdcard.words import ENGLISH, Language, Words, words

CENTRE: Final = f"{CENTRE_X} {CENTRE_Y}"
RAIL, PLATE = RADIUS + 50, RADIUS + 29
GAP, OTHER_GAP, CORNER, OTHER_CORNER = 4, 3, 7, 5
COLOURS: Final = {"player": "p", "banker": "b", "tie": "t"}
LETTER, NUMBER = 6.8, 22  # pixels that a letter of a name takes, and a box's number with its margins


@lru_cache(maxsize=256)
def felt_svg(
    book: Rulebook, layout: str, positions: int, own: int | None, language: Language = ENGLISH
) -> str:
    """The felt seen from position `own`, or by somebody who only watches; BadInput if it cannot be.

    The language is that of what is read aloud: both are printed on every felt.
    """
    planned, said = plan(book, layout, positions, own, language), words(language)
    prefix = f"felt-{book.slug}-{layout}-{positions}-{own or 0}"
    return svg(
        WIDTH,
        HEIGHT,
        _cloth(prefix),
        *(_half(half, prefix) for half in planned.insurance),
        *(_position(position, said) for position in planned.positions),
        element("g", "", class_="centre"),
        element("g", "", class_="chips"),
        class_="felt",
        role="group",
        aria_label=said.say("ui", "felt_label", layout=layout, boxes=_boxes(positions, said)),
        text_anchor="middle",
    )


def _boxes(count: int, said: Words) -> str:
    return said.say("ui", "felt_one_box") if count == 1 else said.say("ui", "felt_boxes", count=count)


def _cloth(prefix: str) -> str:
    """The rail and the cloth inside it, lit from above the dealer."""
    lights = (
        element("stop", class_=f"lit-{n}", offset=offset) for n, offset in ((1, None), (2, 0.55), (3, 1))
    )
    units = "userSpaceOnUse"
    shapes = element(
        "radialGradient", *lights, id=f"{prefix}-cloth", gradientUnits=units, cx=720, cy=210, r=760
    )
    for name, radius, more, out, fill in (
        ("rail", RAIL, 0.09, 60, None),
        ("cloth", RADIUS + 8, 0.035, 0, f"url(#{prefix}-cloth)"),
    ):
        edge = SPAN / 2 + more
        left, right = number(at(radius, -edge)[0] - out), number(at(radius, edge)[0] + out)
        line = f"{arc(radius, -edge, edge)}L{right} -10H{left}Z"
        shapes += element("path", class_=name, fill=fill, d=line)
    return shapes


def _half(half: Half, prefix: str) -> str:
    """A half of the insurance ring, its title along the arc."""
    sector, line = half.sector, f"{prefix}-{half.bet}"
    ends = sector.angle_at(12), sector.angle_at(min(slot.px for slot in half.slots) - 16)
    outline = Sector(sector.r0, sector.r1, sector.a0 + 0.002, sector.a1 - 0.002).path(GAP, 6)
    name = escape(half.zh) + element("tspan", escape(half.en), dx=RING_DX)
    return element(
        "g",
        element("path", d=outline),
        element("path", class_="line", id=line, d=arc(sector.radius + 5, *ends)),
        element("text", element("textPath", name, href=f"#{line}", startOffset="50%"), font_size=RING_TYPE),
        class_="insurance",
        data_bet=half.bet,
        data_slots=_slots(sector, half.slots),
        data_turn=number(-degrees(sector.angle_at(half.slots[0].px))),
        data_tag="right",
    )


def _position(position: Position, said: Words) -> str:
    sector, box = position.sector, position.box
    ground = Sector(sector.r0 - 2, sector.r1 + 4, sector.a0, sector.a1).path(0, 11)
    return element(
        "g",
        element("path", class_="ground", d=ground) if position.own else "",
        *(_spot(cell, position) for cell in position.cells),
        _plate(position),
        class_="position own" if position.own else "position",
        data_box=box,
        role="group",
        aria_label=said.say("ui", "live_box", box=box),
        transform=f"rotate({-degrees(position.angle):.3f} {CENTRE})",
    )


def _spot(cell: FeltCell, position: Position) -> str:
    sector, own, angle = cell.sector, position.own, position.angle
    colour = f" {COLOURS[cell.spots[0].words.side]}" if len(cell.spots) == 1 else ""
    label = "; ".join(spot.label for spot in cell.spots)
    return element(
        "g",
        title(label),
        element("path", d=sector.path(GAP if own else OTHER_GAP, CORNER if own else OTHER_CORNER)),
        _texts(cell),
        class_=f"spot {cell.kind}{colour}",
        data_box=position.box,
        data_bet=" ".join(spot.bet for spot in cell.spots),
        data_slots=_slots(sector, cell.slots, angle),
        data_turn=number(-degrees(sector.angle + angle)),
        data_tag=cell.tag if cell.tag != "below" else None,
        role="button" if own else None,
        tabindex=-1 if own else None,
        aria_label=label if own else None,
    )


def _slots(sector: Sector, slots: Iterable[Slot], turn: float = 0) -> str:
    """Places for stacks on the felt as a whole, whatever the position's own transform."""
    places = ((*sector.point(slot.px, slot.dy, turn), slot.radius) for slot in slots)
    return " ".join(",".join(map(number, place)) for place in places)


def _texts(cell: FeltCell) -> str:
    """The label in a frame of its own, turned with the tangent."""
    frame = turned(cell.sector.radius, cell.sector.angle_at(cell.label_px))
    lines = (_text(line, line.px - cell.label_px) for line in cell.texts)
    return element(
        "g", *lines, class_="label", transform=frame, text_anchor=None if cell.centred else "start"
    )


def _text(line: Text, x: float) -> str:
    return text(line.text, round(x, 1) or None, round(line.dy, 1), round(line.size, 1), class_=line.style)


def _plate(position: Position) -> str:
    """The name plate on the rail: the number of the box, and room for a name."""
    sector, box = position.sector, position.box
    width = min((sector.a1 - sector.a0) * PLATE - 6, 192 if position.own else 124)
    room = max(2, int((width - NUMBER) / LETTER))
    name = element("tspan", "", dx=6, data_plate=box, data_room=room)
    return element(
        "g",
        element("rect", x=-width / 2, y=-15, width=width, height=30, rx=15),
        element(
            "text",
            element("tspan", str(box), class_="num"),
            name,
            y=4.5,
            font_size=14 if position.own else 12,
        ),
        class_="plate",
        transform=turned(PLATE, sector.angle),
    )
