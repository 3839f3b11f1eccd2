"""Points, sectors and text of the felt: one circle, whose middle is behind the dealer.

An angle is measured from the line to the middle seat, in radians, positive to the right. A sector lies
between two radii and two angles. Inside it a place is (px, dy): units from its left edge, and units from its
middle line toward the seat.
"""

from math import cos, degrees, sin
from typing import Final

import msgspec

from thirdcard.drawing import number

ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"
SLACK: Final = 1e-6  # units: what was made to fit does not fail by the last digit of a float
# Widths of letters in the widest face we name first (Inter, semi-bold), in parts of the type size.
_WIDTHS: Final = {
    " ": 0.28,
    "I": 0.31,
    "M": 0.92,
    "W": 1.05,
    "·": 0.31,
    ".": 0.31,
    "t": 0.4,
    "1": 0.62,
    ELLIPSIS: 1.0,
}
_CAPITAL, _SMALL, _DIGIT, _CHARACTER = 0.72, 0.62, 0.65, 1.0
_FIRST_CJK = 0x2E80

Point = tuple[float, float]


def text_width(text: str, size: float, spacing: float = 0) -> float:
    """An upper estimate of how wide a text prints; `spacing` is between letters, in parts of the size."""
    return size * sum(_em(letter) + spacing for letter in text)


def cut(text: str, size: float, room: float, spacing: float = 0) -> str:
    """The text, or as much of its beginning as has room, and an ellipsis; a number that ends a name stays."""
    if text_width(text, size, spacing) <= room + SLACK:
        return text
    name, _, last = text.rpartition(" ")
    end_of = last if name.isupper() and last.isdigit() else ""
    head = name if end_of else text[:-1]
    fitting = (head[:end].rstrip(" ,.;:-") + ELLIPSIS + end_of for end in range(len(head), 0, -1))
    return next((short for short in fitting if text_width(short, size, spacing) <= room), text[:1])


def _em(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if ord(letter) >= _FIRST_CJK:
        return _CHARACTER
    if letter.isdigit():
        return _DIGIT
    return _CAPITAL if letter.isupper() else _SMALL


def place(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


class Circle(msgspec.Struct, frozen=True):
    """The edge of the cloth: its middle and its radius."""

    x: float
    y: float
    radius: float

    def at(self, radius: float, angle: float) -> Point:
        return self.x + radius * sin(angle), self.y + radius * cos(angle)

    def turned(self, radius: float, angle: float) -> str:
        """A transform to that point, with the tangent there as the horizontal."""
        return f"translate({place(self.at(radius, angle))})rotate({number(-degrees(angle))})"

    def arc(self, radius: float, a0: float, a1: float) -> str:
        """A line along the circle from left to right."""
        ends = place(self.at(radius, a0)), place(self.at(radius, a1))
        return f"M{ends[0]}A{number(radius)} {number(radius)} 0 0 0 {ends[1]}"


class Sector(msgspec.Struct, frozen=True):
    """A piece of the ring between radii `r0` < `r1` and angles `a0` < `a1`."""

    r0: float
    r1: float
    a0: float
    a1: float

    @property
    def radius(self) -> float:
        return (self.r0 + self.r1) / 2

    @property
    def angle(self) -> float:
        return (self.a0 + self.a1) / 2

    @property
    def width(self) -> float:
        """Units across, on the middle line."""
        return (self.a1 - self.a0) * self.radius

    @property
    def height(self) -> float:
        return self.r1 - self.r0

    def angle_at(self, px: float) -> float:
        return self.a0 + px / self.radius

    def point(self, circle: Circle, px: float, dy: float, turn: float = 0) -> Point:
        """The place (px, dy), of this sector or of one further round by `turn`."""
        return circle.at(self.radius + dy, self.angle_at(px) + turn)

    def bands(self, heights: tuple[float, ...]) -> list["Sector"]:
        """Cut into bands of these heights, from the seat inward."""
        cut, outer = [], self.r1
        for height in heights:
            cut.append(Sector(outer - height, outer, self.a0, self.a1))
            outer -= height
        return cut

    def cells(self, needs: list[float]) -> list["Sector"]:
        """Cut side by side: all alike if that gives each the units it needs, else in that proportion."""
        if max(needs) <= self.width / len(needs):
            needs = [1] * len(needs)
        unit, a0, cut = (self.a1 - self.a0) / sum(needs), self.a0, []
        for need in needs:
            cut.append(Sector(self.r0, self.r1, a0, a0 + unit * need))
            a0 += unit * need
        return cut

    def path(self, circle: Circle, gap: float, corner: float) -> str:
        """The outline, inset by half of `gap` on every side, so that gaps are parallel; round corners."""
        r0, r1 = self.r0 + gap / 2, self.r1 - gap / 2

        def left(r: float, along: float = 0) -> str:
            return place(circle.at(r, self.a0 + (gap / 2 + along) / r))

        def right(r: float, along: float = 0) -> str:
            return place(circle.at(r, self.a1 - (gap / 2 + along) / r))

        big, small = number(r1), number(r0)
        return (
            f"M{left(r1, corner)}A{big} {big} 0 0 0 {right(r1, corner)}Q{right(r1)} {right(r1 - corner)}"
            f"L{right(r0 + corner)}Q{right(r0)} {right(r0, corner)}"
            f"A{small} {small} 0 0 1 {left(r0, corner)}Q{left(r0)} {left(r0 + corner)}"
            f"L{left(r1 - corner)}Q{left(r1)} {left(r1, corner)}Z"
        )
