"""Money is whole cents; odds are exact ratios; rounding has a name."""

import re
from collections.abc import Iterable
from fractions import Fraction

from thirdcard.errors import BadInput
from thirdcard.strict import whole

CHIP_STEP = 20  # cents; a chip unit is a multiple of this, which makes every listed payout exact
DEFAULT_CHIP_UNIT = 100
CHIP_VALUES = (5, 10, 25, 50, 100, 500, 1_000, 5_000, 10_000, 25_000, 100_000)  # dollars; the house's chips
LARGEST_STAKE = 10**15  # cents; keeps every payout inside 64 bits
LARGEST_WAGER = 10**12  # cents; at a table, where many are paid at once and again: see `table/limits.py`

_ODDS = re.compile(r"([0-9]+(?:\.[0-9]+)?) to ([1-9][0-9]*)")
_DOLLARS = re.compile(r"(-?)([0-9]{1,18})(?:\.([0-9]{1,2}))?")


class Odds:
    """What a win pays, `a to b`, written as the document prints it: `0.95 to 1`, `3 to 2`."""

    __slots__ = ("denominator", "numerator", "ratio", "text")

    def __init__(self, text: str) -> None:
        match = _ODDS.fullmatch(text)
        if match is None:
            raise BadInput(f"{text!r} are not odds: expected a form such as '0.95 to 1' or '3 to 2'")
        self.text = text
        self.ratio = Fraction(match[1]) / int(match[2])
        self.numerator, self.denominator = self.ratio.as_integer_ratio()

    def __repr__(self) -> str:
        return f"Odds({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odds) and self.ratio == other.ratio

    def __hash__(self) -> int:
        return hash(self.ratio)

    def winnings(self, stake: int) -> Fraction:
        """The exact winnings of a stake, in cents."""
        return stake * self.ratio

    def is_exact(self, stake: int) -> bool:
        """Whether the winnings are whole cents."""
        return not stake * self.numerator % self.denominator

    def winnings_cents(self, stake: int) -> int:
        """The winnings in whole cents, rounded down where they fall between two (interpretation 35)."""
        return stake * self.numerator // self.denominator

    def stake_for(self, winnings: int) -> int:
        """The largest stake in whole cents whose winnings are at most these."""
        return winnings * self.denominator // self.numerator


def kept_of(stake: int, returned: Fraction) -> int:
    """What a stake comes to of which only a share is returned: nothing, or a loss; rounded down to cents."""
    return stake * returned.numerator // returned.denominator - stake


def chips_of(cents: int) -> tuple[tuple[int, int], ...]:
    """An amount in the house's chips, the largest first: the value of a chip in cents, and how many.

    What is less than the smallest chip comes last, as one piece: that is paid in coins.
    """
    found = []
    for value in sorted(CHIP_VALUES, reverse=True):
        count, cents = divmod(cents, value * 100)
        if count:
            found.append((value * 100, count))
    return (*found, (cents, 1)) if cents else tuple(found)


def floor_to_unit(cents: int, unit: int) -> int:
    """A cap is rounded down to the chip unit (interpretation 12)."""
    return cents - cents % unit


def check_chip_unit(unit: int) -> int:
    unit = whole("the chip unit", unit)
    if unit <= 0 or unit % CHIP_STEP:
        raise BadInput(
            f"the chip unit must be a positive multiple of {format_dollars(CHIP_STEP)} dollars, "
            f"so that every payout is exact: got {format_dollars(unit)}"
        )
    return unit


def check_stake(name: str, stake: int, unit: int) -> int:
    """A stake in whole cents, which is a positive multiple of the chip unit."""
    stake = whole(f"the stake on {name}", stake) if type(stake) is not int else stake
    if 0 < stake <= LARGEST_STAKE and not stake % unit:
        return stake
    if stake <= 0:
        raise BadInput(f"the stake on {name} must be more than zero: got {format_dollars(stake)}")
    if stake > LARGEST_STAKE:
        raise BadInput(
            f"the stake on {name} is too large: at most {format_dollars(LARGEST_STAKE)} can be settled"
        )
    raise BadInput(
        f"the stake on {name} must be a multiple of the chip unit {format_dollars(unit)}: "
        f"got {format_dollars(stake)}"
    )


def parse_dollars(text: str) -> int:
    """Dollars as people type them, `25` or `12.60`, to cents."""
    match = _DOLLARS.fullmatch(text)
    if match is None:
        raise BadInput(f"{text!r} is not an amount: expected dollars such as 25 or 12.60")
    cents = int(match[2]) * 100 + int((match[3] or "").ljust(2, "0"))
    return -cents if match[1] else cents


def parse_stakes(parts: Iterable[str]) -> dict[str, int]:
    """Stakes in cents by bet, from `banker=25` and the like in dollars."""
    stakes: dict[str, int] = {}
    for part in parts:
        name, equals, amount = part.partition("=")
        if not equals:
            raise BadInput(f"{part!r} is not a bet: expected NAME=DOLLARS such as banker=25")
        if name in stakes:
            raise BadInput(f"the bet {name} is given twice: add the stakes up")
        stakes[name] = parse_dollars(amount)
    return stakes


def format_dollars(cents: int, *, sign: bool = False) -> str:
    """`12,350` or `12.60`; with `sign`, `+47.50`."""
    whole, rest = divmod(abs(cents), 100)
    prefix = "-" if cents < 0 else "+" if sign and cents else ""
    return f"{prefix}{whole:,}" + (f".{rest:02}" if rest else "")
