"""Glicko-2 (Mark Glickman, 2012): how strong a learner is and how hard an item, with how sure that is.

A period is a day. What is met within it counts by the ratings that both had when it began, so only two sums
are carried; `Rated` is a rating with the sums of its day.
"""

import math
from typing import Final

import msgspec

SCALE: Final = 173.7178
TAU: Final = 0.5  # how fast volatility may change
MOST_DEVIATION: Final = 350.0
NEAR: Final = 1e-6


class Rating(msgspec.Struct, frozen=True):
    """Shown as `1684 ± 41`: the rating and its deviation."""

    rating: float = 1500.0
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06


class Rated(msgspec.Struct, frozen=True):
    """A rating as its `day` began (days since 1970), and the sums of all that was met on it."""

    start: Rating = Rating()
    day: int = 0
    weight: float = 0.0
    surplus: float = 0.0
    met: int = 0  # in all days

    def on(self, day: int) -> "Rated":
        """As that day begins: days that passed are closed, and on idle ones it gets less sure."""
        if self.day == 0 or day <= self.day:
            return self if self.day else msgspec.structs.replace(self, day=day)
        closed = self.now
        idle = day - self.day - 1
        return Rated(_idle(closed, idle), day, 0.0, 0.0, self.met)

    def against(self, other: Rating, score: float, day: int) -> "Rated":
        """With one more that was met: `score` is 1 for won, 0 for lost."""
        today = self.on(day)
        spread = _spread(other.deviation / SCALE)
        expected = 1 / (1 + math.exp(-spread * (today.start.rating - other.rating) / SCALE))
        return Rated(
            today.start,
            today.day,
            today.weight + spread * spread * expected * (1 - expected),
            today.surplus + spread * (score - expected),
            today.met + 1,
        )

    @property
    def now(self) -> Rating:
        """With all that was met so far."""
        return after(self.start, self.weight, self.surplus)


def after(before: Rating, weight: float, surplus: float) -> Rating:
    """A rating when its period ends; `weight` sums g²E(1-E) and `surplus` g(s-E) over all that was met."""
    if weight == 0:
        return _idle(before, 1)
    deviation = before.deviation / SCALE
    variance = 1 / weight
    volatility = _volatility(before.volatility, deviation, variance, variance * surplus)
    widened = deviation * deviation + volatility * volatility
    narrowed = 1 / math.sqrt(1 / widened + weight)
    return Rating(
        before.rating + SCALE * narrowed * narrowed * surplus,
        min(SCALE * narrowed, MOST_DEVIATION),
        volatility,
    )


def _idle(rating: Rating, periods: int) -> Rating:
    """After periods in which nothing was met."""
    wider = math.hypot(rating.deviation / SCALE, rating.volatility * math.sqrt(periods))
    return Rating(rating.rating, min(SCALE * wider, MOST_DEVIATION), rating.volatility)


def _spread(deviation: float) -> float:
    return 1 / math.sqrt(1 + 3 * deviation * deviation / (math.pi * math.pi))


def _volatility(before: float, deviation: float, variance: float, change: float) -> float:
    """Step 5 of the published method: the zero of f by the Illinois form of regula falsi."""
    start = math.log(before * before)

    def f(x: float) -> float:
        e = math.exp(x)
        total = deviation * deviation + variance + e
        return e * (change * change - total) / (2 * total * total) - (x - start) / (TAU * TAU)

    low = start
    if change * change > deviation * deviation + variance:
        high = math.log(change * change - deviation * deviation - variance)
    else:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > NEAR:
        between = low + (low - high) * at_low / (at_high - at_low)
        found = f(between)
        if found * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, found
    return math.exp(low / 2)
