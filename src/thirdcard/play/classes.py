"""Outcome classes by number: any bet of any rulebook is settled by one of 2,000.

Arrays of counts, whether exact or simulated, are indexed by these.
"""

from functools import cache
from itertools import product
from typing import Final, get_args

from thirdcard.rulebook.conditions import Outcome, Pairs

PAIRS: Final[tuple[Pairs, ...]] = get_args(Pairs)
CLASSES: Final = 10 * 10 * 2 * 2 * len(PAIRS)


def number_of(outcome: Outcome) -> int:
    """The class of an outcome. Totals, then third cards drawn (Player's, Banker's), then pairs."""
    number = outcome.player * 10 + outcome.banker
    number = (number * 2 + outcome.player_cards - 2) * 2 + outcome.banker_cards - 2
    return number * len(PAIRS) + PAIRS.index(outcome.pairs)


@cache
def outcomes() -> tuple[Outcome, ...]:
    """The outcome of each class, in the order of their numbers."""
    return tuple(
        Outcome(player, banker, player_cards, banker_cards, pairs)
        for player, banker, player_cards, banker_cards, pairs in product(
            range(10), range(10), (2, 3), (2, 3), PAIRS
        )
    )
