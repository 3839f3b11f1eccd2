"""Exact odds: integer counts and fractions, for a fresh shoe or the cards left in one.

Nothing here needs more than the standard library and msgspec. `thirdcard.odds.kernel` gives the same
integers thousands of times faster for following a shoe and for many compositions at once; it needs
NumPy and Numba (`thirdcard[analysis]`).
"""

from thirdcard.front import callable_as
from thirdcard.odds.bet_plans import BetPlan, plan
from thirdcard.odds.bet_values import Value, tallies, values
from thirdcard.odds.compare import against, by_decks, effects
from thirdcard.odds.composition import Composition, fresh, shoe
from thirdcard.odds.insurance import OfferValue, offers, situation
from thirdcard.odds.sheet import OddsSheet, OfferSheet, odds

__all__ = [
    "BetPlan",
    "Composition",
    "OddsSheet",
    "OfferSheet",
    "OfferValue",
    "Value",
    "against",
    "by_decks",
    "effects",
    "fresh",
    "offers",
    "plan",
    "shoe",
    "situation",
    "tallies",
    "values",
]

callable_as(__name__, odds)
