"""How somebody likes to bet: named patterns of bets, and the chips of the rack. Read by nobody else."""

from typing import Annotated

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import LARGEST_WAGER
from thirdcard.strict import decodable
from thirdcard.words.saying import say

KIND = "habits"  # under which they are kept
MOST_PATTERNS = 9  # as many as there are keys for
MOST_BETS = 32
MOST_CHIPS = 8

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
Bet = Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
Cents = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_WAGER)]


class PatternBet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Chips on a spot of whatever box one has."""

    bet: Bet
    cents: Cents


class Pattern(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Name
    bets: Annotated[list[PatternBet], msgspec.Meta(min_length=1, max_length=MOST_BETS)]


class Habits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`chips` in cents, in the order of the rack; none are those that fit the table."""

    patterns: Annotated[list[Pattern], msgspec.Meta(max_length=MOST_PATTERNS)] = []
    chips: Annotated[list[Cents], msgspec.Meta(max_length=MOST_CHIPS)] = []


def check_habits(habits: Habits) -> None:
    """BadInput for what would be two things by one name."""
    for pattern in habits.patterns:
        if not pattern.name.isprintable() or not pattern.name.strip():
            raise BadInput(say("pattern-name-length"))
        if len({bet.bet for bet in pattern.bets}) < len(pattern.bets):
            raise BadInput(say("spots-named-once", name=pattern.name))
    if len(set(habits.chips)) < len(habits.chips):
        raise BadInput(say("chips-named-once"))


def habits_of(body: bytes | None) -> Habits:
    return Habits() if body is None else msgspec.json.decode(body, type=decodable(Habits))
