"""A simulation as one asks for it: rounds of whole shoes, and what every bet came to."""

import os
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from thirdcard.errors import BadInput
from thirdcard.frames import Schema, Tabular
from thirdcard.money import format_dollars
from thirdcard.notebook import html_table
from thirdcard.odds import fresh, values
from thirdcard.rulebook import Which, load
from thirdcard.rulebook.by_bet import ByBet
from thirdcard.rulebook.lookup import usual_decks
from thirdcard.simulate.own_strategies import Strategy, named, read_strategy
from thirdcard.simulate.results import SessionsDealt, ShoesDealt, Summary, summary
from thirdcard.simulate.session_plans import LADDER, OWN, LadderStep, Stakes, read_ladder
from thirdcard.simulate.sessions import ENDS, FIELDS, SessionRun
from thirdcard.simulate.tally import Estimate, TallyRun, estimates, outcomes_in
from thirdcard.simulate.work import RunOutcome, Threads, execute
from thirdcard.strict import fields_of

if TYPE_CHECKING:
    from thirdcard.simulate.compiled import Integers


class SimulatedBet(msgspec.Struct, frozen=True, kw_only=True):
    """What a bet came to, and what the first round of a fresh shoe is exactly worth."""

    ev: float
    low: float
    high: float
    exact: Fraction


class RoundsWon(msgspec.Struct, frozen=True, kw_only=True):
    player: int
    banker: int
    tie: int


class Tallied(ShoesDealt, frozen=True, kw_only=True):
    """A run of rounds, and what every bet came to."""

    rounds: int
    outcomes: RoundsWon
    bets: dict[str, SimulatedBet]


class SimulatedBets(ByBet[Estimate], Tabular):
    """What each bet came to, with its 95% confidence interval, over so many rounds.

    >>> simulate("mbs-tiger-v2", 1000).to_frame().column_names
    ['bet', 'ev', 'low', 'high', 'error', 'rounds']
    """

    COLUMNS: ClassVar[Schema] = {
        "bet": "string",
        **dict.fromkeys(("ev", "low", "high", "error"), "double"),
        "rounds": "int64",
    }

    def __init__(self, run: TallyRun, outcome: RunOutcome) -> None:
        super().__init__(run.book, estimates(run.book, *outcome.total))
        self.run, self.outcome = run, outcome
        self.rounds = run.size(outcome.done)
        self.outcomes = outcomes_in(outcome.total[0])

    @cached_property
    def exact(self) -> dict[str, Fraction]:
        """What each bet is worth in the first round of a fresh shoe."""
        return {bet: value.ev for bet, value in values(self.run.book, fresh(self.run.decks)).items()}

    def answer(self) -> Tallied:
        """All of it, as programs get it."""
        bets = {
            bet: fields_of(SimulatedBet, estimate, exact=self.exact[bet]) for bet, estimate in self.items()
        }
        won = RoundsWon(**self.outcomes)
        return Tallied.of(self.run, self.outcome, self.rounds, rounds=self.rounds, outcomes=won, bets=bets)

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for bet, estimate in self.items():
            yield bet, estimate.ev, estimate.low, estimate.high, estimate.error, self.rounds

    def extended(self, rounds: int, *, workers: int | None = None) -> "SimulatedBets":
        """So many rounds in all: those there are, and more, as one long run has them to the last count.

        >>> simulate("mbs-tiger-v2", 1000).extended(3000).outcomes == simulate("mbs-tiger-v2", 3000).outcomes
        True
        """
        run = self.run.of_length(rounds)
        return SimulatedBets(run, execute(run, crew_of(workers), after=self.outcome))

    def _told(self) -> str:
        return f"{self.run.rulebook}, {self.run.decks} decks, {self.rounds:,} rounds, seed {self.run.seed}"

    def __repr__(self) -> str:
        return f"<SimulatedBets of {self._told()}: {len(self)} bets>"

    def _repr_html_(self) -> str:
        rows = (
            (
                self.run.book.bets[name].name,
                f"{estimate.ev:+.6f}",
                f"{estimate.low:+.6f}",
                f"{estimate.high:+.6f}",
            )
            for name, estimate in self.items()
        )
        return html_table(self._told(), ("Bet", "Per unit", "95% from", "to"), rows)


def simulate(  # noqa: PLR0913 - what a run depends on
    rulebook: Which,
    rounds: int = 10_000_000,
    *,
    decks: int | None = None,
    cut: int = 14,
    seed: int = 1,
    workers: int | None = None,
    checkpoint: Path | str | None = None,
) -> SimulatedBets:
    """Deal so many rounds from whole shoes to the cut card; the same seed deals the same cards.

    >>> found = simulate("mbs-tiger-v2", 100_000)
    >>> found.rounds, sum(found.outcomes.values())
    (100000, 100000)
    """
    book = load(rulebook)
    run = TallyRun(rulebook=book, rounds=rounds, decks=usual_decks(book, decks), cut=cut, seed=seed)
    return SimulatedBets(run, execute(run, crew_of(workers), checkpoint=checkpoint))


# --- sessions ---------------------------------------------------------------------------------------------


SESSIONS, ROUNDS = 10_000, 500
ROUNDS_PER_HOUR = 70


class SimulatedSessions(Tabular):
    """What each session came to, in cents, as far as they were played.

    >>> played = run_sessions("mbs-tiger-v2", 100, 50, plan="martingale", bet="player", seed=3)
    >>> played
    <SimulatedSessions of mbs-tiger-v2: 100 sessions of 50 rounds, martingale on player, seed 3>
    >>> played.to_frame().column_names
    ['session', 'net', 'rounds', 'turnover', 'drawdown', 'end', 'insured', 'insurance_net']
    """

    COLUMNS: ClassVar[Schema] = {"session": "int64", **dict.fromkeys(FIELDS, "int64"), "end": "string"}

    def __init__(self, run: SessionRun, outcome: RunOutcome) -> None:
        played = run.size(outcome.done)
        self.run, self.outcome = run, outcome
        self.fields: Integers = outcome.total[0][:played]
        self.paths: Integers = outcome.total[1][:played]

    def __len__(self) -> int:
        return len(self.fields)

    def __repr__(self) -> str:
        stakes, told = self.run.stakes, f"{len(self):,} sessions of {self.run.rounds:,} rounds"
        bets = " or ".join(stakes.among or (stakes.bet,))
        plan = f"{stakes.plan} on {bets}, seed {self.run.seed}"
        return f"<SimulatedSessions of {self.run.rulebook}: {told}, {plan}>"

    def summary(self, rounds_per_hour: int = ROUNDS_PER_HOUR) -> Summary:
        """What they came to together."""
        return summary(self.fields, rounds_per_hour=rounds_per_hour)

    def dealt(self, rounds: int) -> SessionsDealt:
        """What was played, in so many rounds."""
        return SessionsDealt.of(self.run, self.outcome, rounds, sessions_asked=self.run.sessions)

    def extended(self, sessions: int, *, workers: int | None = None) -> "SimulatedSessions":
        """So many sessions in all: those there are, and more, as one long run has them."""
        run = self.run.of_length(sessions)
        return SimulatedSessions(run, execute(run, crew_of(workers), after=self.outcome))

    def to_frame(self) -> Any:  # noqa: ANN401 - pyarrow has no types
        """A row for each session, the first one first; `end` says why it ended."""
        from thirdcard.arrow import np, pa  # noqa: PLC0415 - only who wants a table needs pyarrow

        columns = {"session": pa.array(np.arange(1, len(self) + 1))}
        columns |= {name: pa.array(self.fields[:, place]) for place, name in enumerate(FIELDS)}
        columns["end"] = pa.DictionaryArray.from_arrays(columns["end"], list(ENDS)).cast(pa.string())
        return pa.table(columns)

    def _repr_html_(self) -> str:
        told = self.summary()
        rows = (
            (
                name,
                *(
                    format_dollars(round(cents), sign=True)
                    for cents in (spread.mean, spread.low, spread.high)
                ),
            )
            for name, spread in (
                ("Result", told.net),
                ("Drawdown", told.drawdown),
                ("Turnover", told.turnover),
            )
        )
        return html_table(repr(self)[1:-1], ("A session's", "Mean", "95% from", "to"), rows)


def crew_of(workers: int | None) -> Threads:
    """So many threads, one for each processor if nobody says."""
    return Threads(_processors() if workers is None else workers)


def _processors() -> int:
    """Those that this process may use, where the system says which."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_sessions(  # noqa: PLR0913 - what a run depends on
    rulebook: Which,
    sessions: int = SESSIONS,
    rounds: int = ROUNDS,
    *,
    plan: str | None = None,
    ladder: Iterable[LadderStep] | Path | str | None = None,
    strategy: Strategy | str | None = None,
    bets: Iterable[str] | str | None = None,
    decks: int | None = None,
    cut: int = 14,
    seed: int = 1,
    workers: int | None = None,
    checkpoint: Path | str | None = None,
    **stakes: Any,  # noqa: ANN401 - any other field of `Stakes`
) -> SimulatedSessions:
    """Play so many sessions of at most so many rounds; money in cents (`unit=1000`, `bankroll=100_000`).

    By a `plan`, a `ladder` (its steps or their file) or a `strategy` of one's own (a function, or its
    `FILE.py:NAME`), which chooses among `bets`. The same seed deals the same cards.

    >>> played = run_sessions("mbs-tiger-v2", 50, 20, strategy=lambda known: (0, known.unit), bets=["tie"])
    >>> int(played.fields[0, 1])
    20
    """
    book = load(rulebook)
    chosen = [name for name, given in ((OWN, strategy), (LADDER, ladder), (plan, plan)) if given is not None]
    if len(chosen) > 1:
        raise BadInput("a plan, a ladder and a strategy exclude each other: give one of them")
    unknown = [name for name in stakes if name not in Stakes.__struct_fields__]
    if unknown:
        raise BadInput(
            f"there is no {unknown[0]!r} of a session: expected {', '.join(Stakes.__struct_fields__)}"
        )
    if chosen:
        stakes["plan"] = chosen[0]
    if ladder is not None:
        stakes["ladder"] = read_ladder(ladder) if isinstance(ladder, str | os.PathLike) else tuple(ladder)
    if strategy is not None:
        among = (bets,) if isinstance(bets, str) else tuple(bets or ("banker",))
        own = read_strategy(strategy) if isinstance(strategy, str) else named(strategy)
        stakes |= {"strategy": own, "among": among, "bet": among[0]}
    elif bets is not None:
        raise BadInput("bets to choose from go with a strategy: a plan has one bet")
    run = SessionRun(
        rulebook=book,
        rounds=rounds,
        sessions=sessions,
        decks=usual_decks(book, decks),
        cut=cut,
        seed=seed,
        stakes=Stakes(**stakes),
    )
    return SimulatedSessions(run, execute(run, crew_of(workers), checkpoint=checkpoint))
