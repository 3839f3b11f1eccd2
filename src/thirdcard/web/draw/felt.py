"""The felt of a layout as one SVG, drawn from the rulebook: the bets it offers, what they pay, and no others.

One box is large in the middle, the viewer's own or one that may be taken; it is drawn as if it were there,
and the others are turned to their places. What the page does with it:

- A spot is `.spot[data-box="3"][data-bet~="tie"]`. Others have one spot for all their side bets; its
  `data-bet` names them all. Own spots are buttons without a tab stop, for a roving focus.
- `data-slots` are places for stacks, `x,y,radius` each, best first; `data-turn` are the degrees by which a
  stack turns with its cell. `data-tag` says where a tag goes if not below its stack (see `chips.js`),
  `data-free` how much the first line of a cell has left for it.
- `.chips`, the last child, takes the stacks, `.centre` before it a chip in hand. `[data-plate="3"]` takes
  the name of box 3, at most `data-room` letters; `[data-sit="4"]` what a free box says.
- `.crowd[data-bet]` in the middle is a line, 100 long, for what the whole table has on a bet, and its words.
- States are classes of a spot, styled in `felt.css`: taken, came (a result lies there), win, faint, lose,
  refused, sent, closed; `open` and `taken` of a half of the insurance ring; `free` of a position.
"""

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from math import asin, degrees
from typing import Final

from thirdcard.drawing import element, number, svg, text, title
from thirdcard.rulebook import Rulebook
from thirdcard.web.draw.cells import FeltCell, Slot, Text
from thirdcard.web.draw.chip_faces import FACES
from thirdcard.web.draw.plan import Half, Position, plan, ring_type
from thirdcard.web.draw.shapes import Sector, place
from thirdcard.web.draw.stage import RAIL, FeltStage
from thirdcard.words import ENGLISH, Language, Words, words

GAP, OTHER_GAP, CORNER, OTHER_CORNER = 4, 3, 8, 6
PAST = 60  # units that rail and cloth run past the edges of the drawing
COLOURS: Final = {"player": "p", "banker": "b", "tie": "t"}
LETTER, NUMBER = (
    0.53,
    22,
)  # of a name: parts of the type size that a letter takes; a box's number with its margins
NAMED: Final = 74  # units; a narrower box has its number alone on the rail
FLOAT: Final = (
    10,
    50,
    100,
    100,
    500,
    500,
    1_000,
    1_000,
    5_000,
    5_000,
    10_000,
    100,
    50,
    10,
)  # the dealer's chips
BARS: Final = {
    "main": (0.80, 0.965, 13, 4),
    "wide": (0.40, 0.66, 13, 3),
}  # from, to, units from the edge, thick


@lru_cache(maxsize=256)
def felt_svg(  # noqa: PLR0913 - what a felt depends on
    book: Rulebook,
    layout: str,
    positions: int,
    own: int | None,
    language: Language = ENGLISH,
    *,
    stage: FeltStage = FeltStage(),  # noqa: B008 - frozen
    taken: frozenset[int] | None = None,
    watching: bool = False,
) -> str:
    """The felt around position `own`, or around the middle one; BadInput if it cannot be.

    `taken` are the boxes that somebody sits at, all if it is None. Whoever is `watching` has no spots of
    their own. The language is that of what is read aloud: both are printed on every felt.
    """
    middle = (positions + 1) // 2 if own is None else own
    there = frozenset(range(1, positions + 1)) if taken is None else taken
    planned, said = plan(book, layout, positions, middle, there, stage, language), words(language)
    prefix = f"felt-{book.slug}-{layout}-{positions}-{own or 0}"
    drawing = _Drawing(stage, said, prefix, own=not (watching or own is None))
    return svg(
        stage.width,
        stage.height,
        drawing.cloth(),
        drawing.dealers_chips(),
        *(drawing.half(half) for half in planned.insurance),
        *(drawing.position(position) for position in planned.positions),
        drawing.seam(planned.seam),
        element("g", "", class_="centre"),
        element("g", "", class_="chips"),
        class_="felt",
        role="group",
        aria_label=said.say("ui", "felt_label", layout=layout, boxes=_boxes(positions, said)),
        text_anchor="middle",
    )


def _boxes(count: int, said: Words) -> str:
    return said.say("ui", "felt_one_box") if count == 1 else said.say("ui", "felt_boxes", count=count)


class _Drawing:
    """The parts of a felt on its stage; `own` if the box in the middle is the viewer's."""

    def __init__(self, stage: FeltStage, said: Words, prefix: str, *, own: bool) -> None:
        self.stage, self.said, self.prefix, self.own = stage, said, prefix, own
        self.circle = stage.circle

    def cloth(self) -> str:
        """The rail and the cloth inside it, lit from above the dealer; both go on past the edges."""
        circle, width = self.circle, self.stage.width
        lights = (
            element("stop", class_=f"lit-{n}", offset=offset) for n, offset in ((1, None), (2, 0.5), (3, 1))
        )
        units = "userSpaceOnUse"
        shapes = element(
            "radialGradient", *lights, id=f"{self.prefix}-cloth", gradientUnits=units, cx=width / 2, cy=190,
            r=width * 0.62,
        )  # fmt: skip
        for name, radius, fill in (
            ("rail", circle.radius + RAIL, None),
            ("cloth", circle.radius + 7, f"url(#{self.prefix}-cloth)"),
        ):
            edge = asin(min(0.99, (width / 2 + PAST) / radius))
            line = f"{circle.arc(radius, -edge, edge)}L{width + PAST} {-PAST}H{-PAST}Z"
            shapes += element("path", class_=name, fill=fill, d=line)
        return shapes

    def dealers_chips(self) -> str:
        """The dealer's chips, seen from above at the top edge."""
        left = self.circle.x - 12 * len(FLOAT)
        parts = [element("rect", class_="tray", x=left - 10, y=-10, width=356, height=27, rx=8)]
        for column, chip in enumerate(FLOAT):
            base, edge = FACES[chip]
            x = left + 24 * column
            lines = "".join(f"M{number(x)} {-5 + 5 * line}h22" for line in range(4))
            parts.append(element("rect", x=x, y=-8, width=22, height=20, rx=3, fill=base))
            parts.append(element("path", d=lines, stroke=edge, stroke_opacity=0.55, stroke_width=1.4))
        return element("g", *parts, class_="float")

    def half(self, half: Half) -> str:
        """A half of the insurance ring, its title along the arc."""
        sector, line = half.sector, f"{self.prefix}-{half.bet}"
        outline = Sector(sector.r0, sector.r1, sector.a0 + 0.002, sector.a1 - 0.002)
        size = ring_type(self.stage)
        name = escape(half.zh) + "\N{EM SPACE}" + element("tspan", escape(half.whose), class_="whose")
        name += element("tspan", escape(half.en), class_="long" if half.long else None)
        ends = sector.angle_at(12), sector.angle_at(sector.width - 12)
        return element(
            "g",
            element("path", d=outline.path(self.circle, GAP, 6)),
            element("path", class_="line", id=line, d=self.circle.arc(sector.radius + size * 0.38, *ends)),
            element("text", element("textPath", name, href=f"#{line}", startOffset="50%"), font_size=size),
            class_="insurance",
            data_bet=half.bet,
            data_slots=self._slots(sector, half.slots),
            data_turn=number(-degrees(sector.angle_at(half.slots[0].px))),
            data_tag="end",
        )

    def position(self, position: Position) -> str:
        box = position.box
        inside = self._free(position) if not position.cells else self._taken(position)
        kind = ("own" if self.own else "middle") if position.middle else "" if position.cells else "free"
        return element(
            "g",
            inside,
            self._plate(position),
            class_=f"position {kind}".strip(),
            data_box=box,
            role="group",
            aria_label=self.said.say("ui", "live_box", box=box),
            transform=f"rotate({-degrees(position.angle):.3f} {place((self.circle.x, self.circle.y))})",
        )

    def _taken(self, position: Position) -> str:
        sector = position.sector
        around = Sector(sector.r0 - 3, sector.r1 + 5, sector.a0 - 0.004, sector.a1 + 0.004)
        ground = (
            element("path", class_="ground", d=around.path(self.circle, 0, 13)) if position.middle else ""
        )
        return ground + "".join(self._spot(cell, position) for cell in position.cells)

    def _free(self, position: Position) -> str:
        sector, size = position.sector, max(13.0, self.stage.least)
        words = element(
            "text",
            "",
            class_="sit",
            data_sit=position.box,
            data_room=max(2, int((sector.width - 8) / (LETTER * size))),
            font_size=size,
            transform=self.circle.turned(sector.radius, 0),
            dy=5,
        )
        return element("path", class_="outline", d=sector.path(self.circle, GAP, 9)) + words

    def _spot(self, cell: FeltCell, position: Position) -> str:
        sector, middle, angle = cell.sector, position.middle, position.angle
        colour = f" {COLOURS[cell.spots[0].words.side]}" if len(cell.spots) == 1 else ""
        label = "; ".join(spot.label for spot in cell.spots)
        button = middle and self.own
        gap, corner = (GAP, CORNER) if middle else (OTHER_GAP, OTHER_CORNER)
        return element(
            "g",
            title(label),
            element("path", d=sector.path(self.circle, gap, corner)),
            self._texts(cell),
            self._crowd(cell) if middle else "",
            class_=f"spot {cell.kind}{colour}",
            data_box=position.box,
            data_bet=" ".join(spot.bet for spot in cell.spots),
            data_slots=self._slots(sector, cell.slots, angle),
            data_turn=number(-degrees(sector.angle_at(cell.slots[0].px) + angle)),
            data_tag=cell.tag if cell.tag != "below" else None,
            data_free=None if cell.room is None else round(cell.room, 1),
            role="button" if button else None,
            tabindex=-1 if button else None,
            aria_label=label if button else None,
        )

    def _crowd(self, cell: FeltCell) -> str:
        """A place for what everybody has on this bet: a line at the right, and words over it."""
        if cell.kind not in BARS:
            return ""
        u0, u1, up, thick = BARS[cell.kind]
        sector = cell.sector
        ends = sector.angle_at(sector.width * u0), sector.angle_at(sector.width * u1)
        d = self.circle.arc(sector.r1 - up, *ends)
        parts = [
            element("path", class_=name, d=d, pathLength=100, stroke_width=thick) for name in ("all", "part")
        ]
        if cell.kind == "main":
            frame = self.circle.turned(sector.r1 - up - 10, ends[1])
            size = max(12.5, self.stage.figures)
            parts.append(element("text", "", font_size=size, text_anchor="end", transform=frame))
        return element("g", *parts, class_="crowd", data_bet=cell.spots[0].bet)

    def _slots(self, sector: Sector, slots: Iterable[Slot], turn: float = 0) -> str:
        """Places for stacks on the felt as a whole, whatever the position's own transform."""
        places = ((*sector.point(self.circle, slot.px, slot.dy, turn), slot.radius) for slot in slots)
        return " ".join(",".join(map(number, place)) for place in places)

    def _texts(self, cell: FeltCell) -> str:
        """The label in a frame of its own, turned with the tangent."""
        frame = self.circle.turned(cell.sector.radius, cell.sector.angle_at(cell.label_px))
        lines = (_text(line, line.px - cell.label_px) for line in cell.texts)
        return element(
            "g", *lines, class_="label", transform=frame, text_anchor=None if cell.centred else "start"
        )

    def _plate(self, position: Position) -> str:
        """On the rail: the number of the box, and room for a name; one's own in gold."""
        circle, box, middle = self.circle, position.box, position.middle
        across = (position.sector.a1 - position.sector.a0) * (circle.radius + 22)
        width = 196.0 if middle else min(across - 4, 150)
        size = max(14.0 if middle else 13.0, self.stage.least)
        room = max(2, int((width - NUMBER) / (LETTER * size))) if middle or across > NAMED else 0
        name = element("tspan", "", dx=6, data_plate=box, data_room=room)
        return element(
            "g",
            element("rect", x=-width / 2, y=-14, width=width, height=28, rx=14),
            element("text", element("tspan", str(box), class_="num"), name, y=5, font_size=size),
            class_="plate",
            transform=circle.turned(circle.radius + 22, position.sector.angle),
        )

    def seam(self, angle: float | None) -> str:
        """Where the last box of the table meets the first."""
        if angle is None:
            return ""
        circle = self.circle
        ends = place(circle.at(circle.radius + 36, angle)), place(circle.at(circle.radius - 186, angle))
        gem = f"translate({place(circle.at(circle.radius + 22, angle))})"
        return element(
            "g",
            element("path", d=f"M{ends[0]}L{ends[1]}"),
            element("path", class_="gem", transform=gem, d="M0-7 5 0 0 7-5 0Z"),
            class_="seam",
        )


def _text(line: Text, x: float) -> str:
    return text(line.text, round(x, 1) or None, round(line.dy, 1), round(line.size, 2), class_=line.style)
