"""A plan of several bets in one round: the exact distribution of what it wins or loses."""

from collections.abc import Mapping
from fractions import Fraction
from math import erf, sqrt
from typing import ClassVar

import msgspec
from msgspec import UNSET, UnsetType

from thirdcard.answers import Exactly, Told
from thirdcard.errors import BadInput
from thirdcard.money import CHIP_STEP, check_stake, format_dollars, kept_of, parse_stakes
from thirdcard.odds.bet_values import check_bet
from thirdcard.odds.composition import Composition
from thirdcard.odds.counting import joint
from thirdcard.odds.starts import rounds
from thirdcard.play.bets import result
from thirdcard.play.classes import outcomes
from thirdcard.rulebook import Rulebook, Which, load
from thirdcard.rulebook.conditions import PLAIN, sight_of
from thirdcard.rulebook.lookup import offering
from thirdcard.rulebook.model import Bet

SIGMAS_95 = 1.959963984540054  # a normal variable is within so many deviations in 95 of 100 cases


class PlanResult(msgspec.Struct, frozen=True):
    """What a plan may come to in a round, in cents, and how likely that is."""

    net: int
    probability: Fraction


class BetPlan(msgspec.Struct, Told, frozen=True):
    """Rounds by net result in cents, from the worst to the best, for these stakes; over many rounds if asked.

    >>> from thirdcard.odds import fresh
    >>> plan("mbs-tiger-v2", fresh(8), {"banker": 1000, "tie": 100})
    <BetPlan of 11: from -11 to +8.50, mean -0.25 a round>
    """

    TELLS: ClassVar = (
        "stakes", "staked", "mean", "variance", "sd", "worst", "best", "results", "rounds=ahead",
    )  # fmt: skip

    stakes: dict[str, int]
    rounds: dict[int, int]
    ahead: "RoundsAhead | UnsetType" = UNSET

    def __repr__(self) -> str:
        least, most, mean = (
            format_dollars(round(net), sign=True) for net in (self.worst, self.best, self.mean)
        )
        return f"<BetPlan of {format_dollars(self.staked)}: from {least} to {most}, mean {mean} a round>"

    @property
    def among(self) -> int:
        return sum(self.rounds.values())

    @property
    def staked(self) -> int:
        return sum(self.stakes.values())

    @property
    def mean(self) -> Fraction:
        """Cents a round."""
        return Fraction(sum(net * count for net, count in self.rounds.items()), self.among)

    @property
    def variance(self) -> Exactly:
        squares = Fraction(sum(net * net * count for net, count in self.rounds.items()), self.among)
        return squares - self.mean**2

    @property
    def sd(self) -> float:
        """The standard deviation of a round, in cents."""
        return sqrt(self.variance)

    @property
    def results(self) -> tuple[PlanResult, ...]:
        """From the worst to the best."""
        return tuple(PlanResult(net, self.chance(net)) for net in self.rounds)

    @property
    def worst(self) -> int:
        return min(self.rounds)

    @property
    def best(self) -> int:
        return max(self.rounds)

    def chance(self, net: int) -> Fraction:
        return Fraction(self.rounds[net], self.among)


class RoundsAhead(msgspec.Struct, Told, frozen=True):
    """So many rounds of a plan by the normal approximation, each from the same composition; cents."""

    TELLS: ClassVar = (
        "rounds", "method", "mean_approx=mean", "sd_approx=sd", "low_95_approx=low", "high_95_approx=high",
        "ahead_approx=ahead",
    )  # fmt: skip

    rounds: int
    mean: float
    sd: float
    method: str = "normal approximation"

    @property
    def low(self) -> float:
        """The lower end of the middle 95%."""
        return self.mean - SIGMAS_95 * self.sd

    @property
    def high(self) -> float:
        return self.mean + SIGMAS_95 * self.sd

    @property
    def ahead(self) -> float:
        """The chance to be ahead."""
        return (1 + erf(self.mean / (self.sd * sqrt(2)))) / 2 if self.sd else float(self.mean > 0)


def read_plan(rulebook: Rulebook, layout: str | None, text: str) -> dict[str, int]:
    """Stakes in cents from `banker=100,big-tiger=5`, in dollars; one layout offers all of them."""
    stakes = parse_stakes(part.strip() for part in text.split(","))
    for name, stake in stakes.items():
        check_stake(check_bet(rulebook, name), stake, CHIP_STEP)
    offering(rulebook, stakes, layout)
    return stakes


def plan(rulebook: Which, composition: Composition, stakes: Mapping[str, int]) -> BetPlan:
    """The exact distribution of one round's net result; winnings between two cents are rounded down.

    Stakes are cents, in multiples of the smallest chip unit.

    >>> from thirdcard.odds import fresh
    >>> float(plan("mbs-tiger-v2", fresh(8), {"player": 1000}).mean)
    -12.35...
    """
    rulebook = load(rulebook)
    for name in stakes:
        check_bet(rulebook, name)
    stakes = {name: check_stake(name, stake, CHIP_STEP) for name, stake in stakes.items()}
    bets = tuple([rulebook.bets[name] for name in stakes])
    table = rulebook.table_of_play
    nets = [_nets(bet, stake) for bet, stake in zip(bets, stakes.values(), strict=True)]
    planned: dict[int, int] = {}
    if table.usual and all(sight_of(bet) is PLAIN for bet in bets):
        counts = zip(outcomes(), joint(table, composition), strict=True)
        results = [([result(bet, outcome).name for bet in bets], count) for outcome, count in counts if count]
    else:
        results = [(list(names), count) for names, count in rounds(table, composition, bets).items() if count]
    for names, count in results:
        net = sum([brings[name] for brings, name in zip(nets, names, strict=True)])
        planned[net] = planned.get(net, 0) + count
    return BetPlan(stakes, dict(sorted(planned.items())))


def _nets(bet: Bet, stake: int) -> dict[str, int]:
    """What each result of a bet brings, in cents."""
    return {
        **{push.tier: kept_of(stake, push.returned) for push in bet.every_push},
        **{tier.tier: tier.odds.winnings_cents(stake) for tier in bet.pays},
        "lose": -stake,
    }


def over(one: BetPlan, rounds: int) -> BetPlan:
    """The plan with what it comes to over so many rounds."""
    return msgspec.structs.replace(one, ahead=run(one, rounds))


def run(one: BetPlan, rounds: int) -> RoundsAhead:
    if rounds < 1:
        raise BadInput(f"expected at least one round: got {rounds}")
    return RoundsAhead(rounds, float(one.mean * rounds), sqrt(one.variance * rounds))
