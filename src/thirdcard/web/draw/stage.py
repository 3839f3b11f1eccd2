"""How a felt is looked at: the room that a page has for it, and which boxes somebody sits at.

A stage of W by H pixels is V by U units, one of which is min(H / 552, W / 1180) pixels; so either U is 552 or
V is 1180, and nothing is left over. Beside a drawer 900 stand for 1180.
"""

from typing import Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.web.draw.shapes import Circle

LOWEST, NARROWEST, NARROWEST_BESIDE = 552, 1180, 900
LARGEST: Final = 6_000  # units; wider than any screen
STEP: Final = 4  # units from one size to the next: rail and cloth run past the edges
SCALES: Final = range(50, 155, 5)  # hundredths of a pixel
RAIL: Final = 40
SMALLEST_TYPE, SMALLEST_FIGURES = 11, 12  # pixels
RISE, RISE_BESIDE, HIGHEST = 0.155, 0.105, 212


class FeltStage(msgspec.Struct, frozen=True, kw_only=True):
    """So many units wide and high; `scale` is how many hundredths of a pixel one unit is, at least."""

    width: int = 1368
    height: int = LOWEST
    scale: int = 100
    beside: bool = False

    def check(self) -> None:
        """BadInput unless it is a stage that pages ask for."""
        narrowest = NARROWEST_BESIDE if self.beside else NARROWEST
        fits = self.height == LOWEST or self.width == narrowest
        large = narrowest <= self.width <= LARGEST and LOWEST <= self.height <= LARGEST
        if not (fits and large) or self.width % STEP or self.height % STEP or self.scale not in SCALES:
            raise BadInput(
                f"a felt is {narrowest} units wide or {LOWEST} high, in steps of {STEP}, "
                f"at 50 to 150 hundredths of a pixel: got {self.width} by {self.height} at {self.scale}"
            )

    @property
    def circle(self) -> Circle:
        """The edge of the cloth: it leaves the screen at both sides, higher than in the middle."""
        half = self.width / 2
        rise = min((RISE_BESIDE if self.beside else RISE) * self.width, HIGHEST)
        radius = (half**2 + rise**2) / (2 * rise)
        return Circle(half, self.height - RAIL - radius, radius)

    @property
    def least(self) -> float:
        """The smallest type, in units."""
        return SMALLEST_TYPE * 100 / self.scale

    @property
    def figures(self) -> float:
        """The smallest type of payouts and amounts, in units."""
        return SMALLEST_FIGURES * 100 / self.scale
