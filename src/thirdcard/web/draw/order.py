"""Where the boxes of a table lie around the one in the middle: in the table's order, and how wide each is."""

from collections.abc import Iterable
from math import asin
from typing import Final

import msgspec

from thirdcard.web.draw.stage import FeltStage

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
    found, seam = [Lie(middle, -half, half)], None
    for side, sign in ((left, -1), (right, 1)):
        near = sign * start
        for box in side:
            far = near + sign * unit * weight([box])
            found.append(Lie(box, min(near, far), max(near, far)))
            if box == (boxes if sign < 0 else 1):
                seam = near
            near = far
    return Around(lies=tuple(sorted(found, key=lambda lie: lie.a0)), seam=seam)
