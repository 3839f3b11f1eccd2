"""What protection finds: plain values, as commands print them and pages show them.

Amounts are in units staked, shares and edges are fractions (0.05 is five percent), `low` and `high` are a
95% confidence interval and `error` is its standard error.
"""

from collections.abc import Iterator
from math import inf
from typing import ClassVar

import msgspec

from thirdcard.errors import BadInput
from thirdcard.frames import Schema, Tabular
from thirdcard.money import format_dollars
from thirdcard.notebook import html_table, percent
from thirdcard.strict import whole


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What turns units into money, in cents: the maximum, rounds an hour, boxes at the maximum, a bankroll.

    `tolerance` is what a house bears in units a shoe, `an_hour` in cents an hour.
    """

    maximum: int = 100_000
    rounds_per_hour: int = 70
    boxes: int = 1
    bankroll: int = 10_000_000
    tolerance: float = 0.05
    an_hour: int = 5_000

    def __post_init__(self) -> None:
        for name, amount, told in (
            ("maximum", self.maximum, format_dollars),
            ("rounds an hour", self.rounds_per_hour, str),
            ("boxes", self.boxes, str),
            ("bankroll", self.bankroll, format_dollars),
        ):
            if whole(f"the {name}", amount) <= 0:
                raise BadInput(f"the {name} must be more than zero: got {told(amount)}")
        if not (0 <= self.tolerance < inf and whole("the tolerance an hour", self.an_hour) >= 0):
            raise BadInput("a tolerance is zero or more")

    def hourly(self, units_a_round: float, maximum: int | None = None) -> int:
        """In cents, at this maximum or another."""
        return round(units_a_round * self.rounds_per_hour * (maximum or self.maximum) * self.boxes)


class Gain(msgspec.Struct, frozen=True, kw_only=True):
    """What one way to bet comes to at one cut."""

    units_per_shoe: float
    low: float
    high: float
    error: float
    units_per_100: float
    frequency: float  # of rounds with a bet
    average_edge: float  # when there is one


class PerfectPlay(Gain, frozen=True, kw_only=True):
    """A unit whenever the exact value is above zero: an upper bound."""

    sd_per_100: float  # of the result of 100 rounds
    desirability: float  # a thousand times mean over deviation of a round; 0 without a bet
    ruin: float  # the chance to lose the bankroll of the terms, playing on for ever; 0 without a bet
    hourly: int  # cents


class CountPlay(Gain, frozen=True, kw_only=True):
    """A unit whenever the true count of these tags, or the running count, is at the trigger or above.

    The trigger was chosen on one half of the shoes and all else measured on the other. Where no count
    pays all tags are 0 and there is no trigger.
    """

    level: str  # 1, 2, 3, free or given
    tags: dict[str, int]  # of each rank, ace to king
    trigger: float | None
    correlation: float  # of the tags with the effects of removal
    efficiency: float  # units, of those of perfect play
    decks_left: str  # how they are rounded; `none` for a running count


class BetAtCut(msgspec.Struct, frozen=True, kw_only=True):
    perfect: PerfectPlay
    count: CountPlay
    counts: tuple[CountPlay, ...] = ()  # every count that was tried, with `count` among them


class InsuredHand(Gain, frozen=True, kw_only=True):
    """A unit on a hand and, of each offer worth more than zero by the cards left, as much as the caps allow.

    The gain is that of betting the hand only when its own value is above `from_value`, which was chosen on
    one half of the shoes: one way to play, so no less can be won. No choice of rounds wins more than
    `at_most` units a shoe, which is won by who knows before betting what the offers of the round will be
    worth. The rest is of betting in every round: offers in a round, how many of them are favourable, what
    is staked on those, their edge, and what bet and insurance come to together.
    """

    from_value: float
    at_most: float
    offers: float
    favourable: float
    staked: float
    edge: float
    insurance: float  # what it adds to a round
    every_round: float  # with the bet


_GAIN = tuple(Gain.__struct_fields__)
_PERFECT = ("sd_per_100", "desirability", "ruin")
_COUNT = ("correlation", "efficiency")


class AtCut(msgspec.Struct, frozen=True, kw_only=True):
    """Everything at one cut; `teams` stake the maximum on every bet of a layout that pays, by its letter."""

    rounds_per_shoe: float
    bets: dict[str, BetAtCut]
    teams: dict[str, PerfectPlay] = {}
    insurance: dict[str, InsuredHand] = {}  # by hand, where it was asked for


class Turns(msgspec.Struct, frozen=True, kw_only=True):
    """When a bet is first worth more than zero: cards left, among the `share` of shoes where it is."""

    share: float
    late: int  # a tenth of those shoes turn with so few cards left or fewer
    median: int
    early: int


class Depth(msgspec.Struct, frozen=True, kw_only=True):
    """Perfect play with so many cards behind the cut card."""

    cut: int
    rounds_per_shoe: float
    units_per_shoe: float


class CutRow(msgspec.Struct, frozen=True, kw_only=True):
    """What a cut does: rounds kept, of those at the least cut, and the bet worth most an hour there."""

    cut: int
    rounds_per_shoe: float
    rounds_kept: float
    bet: str
    units_per_shoe: float
    hourly: int  # cents


class SafeFrom(msgspec.Struct, frozen=True, kw_only=True):
    """The fewest cards behind the cut card at which no bet is worth more than the tolerance an hour.

    None where half the shoe is not enough.
    """

    maximum: int
    cut: int | None
    rounds_kept: float | None


class WhereToCut(msgspec.Struct, frozen=True, kw_only=True):
    """One table to act on; `tolerance` is in cents an hour, for the best bet alone."""

    tolerance: int
    rows: tuple[CutRow, ...]
    by_maximum: tuple[SafeFrom, ...]


class BetFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What holds of a bet whatever the cut."""

    name: str
    house_edge: float
    effects: dict[str, float]  # of removing one card of each rank, ace to king
    safe_cut: (
        int | None
    )  # the fewest cards behind the cut card within the tolerance; none up to half the shoe
    turns: Turns | None
    depths: tuple[Depth, ...]


class FavourableOffer(msgspec.Struct, frozen=True, kw_only=True):
    """An offer that favours the player once it is made, averaged over every deal of a fresh shoe."""

    hand: str
    window: int
    player: int
    banker: int
    odds: str
    ev: float
    probability: float
    rules: tuple[str, ...]


class OffTheTop(msgspec.Struct, frozen=True, kw_only=True):
    """All insurance offers of a fresh shoe: how many there are, and the favourable ones, the best first."""

    offers: int
    favourable: tuple[FavourableOffer, ...]


class Protection(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `thirdcard protect`; as a table, a row for each bet at each cut."""

    COLUMNS: ClassVar[Schema] = {
        "cut": "int64",
        "rounds_per_shoe": "double",
        "bet": "string",
        "house_edge": "double",
        **dict.fromkeys((*_GAIN, *_PERFECT), "double"),
        "hourly": "int64",
        "level": "string",
        "trigger": "double",
        **{f"count_{name}": "double" for name in (*_GAIN, *_COUNT)},
    }

    decks: int
    seed: int
    shoes: int
    shoes_asked: int
    partial: bool
    error_asked: float | None = None
    largest_error: float = 0.0  # of perfect play, over all bets and cuts
    burn: str
    ending: str
    terms: Terms
    cuts: dict[str, AtCut]
    bets: dict[str, BetFacts]
    where: WhereToCut
    insurance: OffTheTop | None = None  # where it was asked for

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for cut, at in self.cuts.items():
            for bet, one in at.bets.items():
                best, count = one.perfect, one.count
                yield (
                    int(cut),
                    at.rounds_per_shoe,
                    bet,
                    self.bets[bet].house_edge,
                    *(getattr(best, name) for name in (*_GAIN, *_PERFECT)),
                    best.hourly,
                    count.level,
                    count.trigger,
                    *(getattr(count, name) for name in (*_GAIN, *_COUNT)),
                )

    def __repr__(self) -> str:
        bets, cuts = len(self.bets), len(self.cuts)
        counted = f"{bets} bet{'s' * (bets != 1)} at {cuts} cut{'s' * (cuts != 1)}"
        return f"<Protection: {counted} over {self.shoes:,} shoes of {self.decks} decks>"

    def _repr_html_(self) -> str:
        rows = (
            (
                cut,
                self.bets[bet].name,
                f"{one.perfect.units_per_shoe:.4f}",
                percent(one.perfect.frequency, 2),
                percent(one.perfect.average_edge, 2),
                f"{one.count.units_per_shoe:.4f}",
            )
            for cut, at in self.cuts.items()
            for bet, one in at.bets.items()
        )
        columns = ("Cut", "Bet", "Units a shoe", "Of rounds", "Edge then", "By counting")
        return html_table(f"{self.shoes:,} shoes of {self.decks} decks", columns, rows)
