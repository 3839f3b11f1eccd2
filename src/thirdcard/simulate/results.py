"""What many sessions came to: distribution, ruin, drawdown, rounds, turnover and the cost of an hour."""

from math import sqrt
from typing import Any, Self

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.simulate.compiled import Integers, np
from thirdcard.simulate.kernel import DRAWDOWN, END, INSURANCE_NET, INSURED, NET, ROUNDS, TURNOVER
from thirdcard.simulate.session_plans import Stakes
from thirdcard.simulate.sessions import ENDS
from thirdcard.simulate.shoe_run import ShoeRun
from thirdcard.simulate.tally import ERRORS_95
from thirdcard.simulate.work import RunOutcome
from thirdcard.strict import fields_of

QUANTILES = (5, 25, 50, 75, 95)  # percent


class ShoesDealt(msgspec.Struct, frozen=True, kw_only=True):
    """What a run was, so that it can be had again, and how long it took."""

    decks: int
    seed: int
    cut: int
    rounds_asked: int
    partial: bool
    seconds: float
    rounds_per_second: float

    @classmethod
    def of(cls, run: ShoeRun, outcome: RunOutcome, played: int, /, **more: Any) -> Self:  # noqa: ANN401
        """Of a run that has played so many rounds."""
        return fields_of(
            cls,
            run,
            rounds_asked=run.rounds,
            partial=outcome.partial,
            seconds=outcome.seconds,
            rounds_per_second=played / outcome.seconds,
            **more,
        )


class SessionsDealt(ShoesDealt, frozen=True, kw_only=True):
    """A run of sessions, by the same stakes."""

    sessions_asked: int
    stakes: Stakes


class Spread(msgspec.Struct, frozen=True):
    """A quantity over all sessions: mean with its 95% confidence interval, and where sessions lie."""

    mean: float
    low: float
    high: float
    sd: float
    least: int
    most: int
    quantiles: dict[str, float]


class Chance(msgspec.Struct, frozen=True):
    """A share of sessions with its 95% confidence interval (Wilson's)."""

    probability: float
    low: float
    high: float


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """Money in cents.

    `cost_per_hour` is what the House keeps at so many rounds an hour, `edge` what it keeps of all stakes.

    >>> from thirdcard.simulate import run_sessions
    >>> run_sessions("mbs-tiger-v2", 100, 50).summary()
    <Summary of 100 sessions, 5,000 rounds: mean ...>
    """

    sessions: int
    rounds: int
    ends: dict[str, Chance]
    net: Spread
    ahead: Chance
    drawdown: Spread
    rounds_played: Spread
    turnover: Spread
    insured: float
    insurance_net: float
    edge: float
    rounds_per_hour: int
    cost_per_hour: float

    def __repr__(self) -> str:
        mean, cost = (
            format_dollars(round(cents), sign=True) for cents in (self.net.mean, -self.cost_per_hour)
        )
        return f"<Summary of {self.sessions:,} sessions, {self.rounds:,} rounds: mean {mean}, {cost} an hour>"


def spread(values: Integers) -> Spread:
    mean = float(values.mean())
    sd = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    error = ERRORS_95 * sd / sqrt(len(values))
    quantiles = np.percentile(values, QUANTILES)
    return Spread(
        mean,
        mean - error,
        mean + error,
        sd,
        int(values.min()),
        int(values.max()),
        {f"{percent}%": float(value) for percent, value in zip(QUANTILES, quantiles, strict=True)},
    )


def chance(count: int, among: int) -> Chance:
    share, z2 = count / among, ERRORS_95**2
    centre = (share + z2 / (2 * among)) / (1 + z2 / among)
    half = ERRORS_95 * sqrt(share * (1 - share) / among + z2 / (4 * among**2)) / (1 + z2 / among)
    return Chance(share, max(centre - half, 0.0), min(centre + half, 1.0))


def summary(sessions: Integers, *, rounds_per_hour: int) -> Summary:
    """Of at least one session, as `SessionRun` plays them.

    >>> from thirdcard.simulate import run_sessions
    >>> summary(run_sessions("mbs-tiger-v2", 10, 5).fields, rounds_per_hour=70).rounds
    50
    """
    if not len(sessions):
        raise BadInput("there are no sessions to sum up")
    count = len(sessions)
    rounds = int(sessions[:, ROUNDS].sum())
    lost, staked = -int(sessions[:, NET].sum()), int(sessions[:, TURNOVER].sum())
    return Summary(
        sessions=count,
        rounds=rounds,
        ends={name: chance(int((sessions[:, END] == k).sum()), count) for k, name in enumerate(ENDS)},
        net=spread(sessions[:, NET]),
        ahead=chance(int((sessions[:, NET] > 0).sum()), count),
        drawdown=spread(sessions[:, DRAWDOWN]),
        rounds_played=spread(sessions[:, ROUNDS]),
        turnover=spread(sessions[:, TURNOVER]),
        insured=float(sessions[:, INSURED].mean()),
        insurance_net=float(sessions[:, INSURANCE_NET].mean()),
        edge=lost / staked if staked else 0.0,
        rounds_per_hour=rounds_per_hour,
        cost_per_hour=lost / rounds * rounds_per_hour,
    )
