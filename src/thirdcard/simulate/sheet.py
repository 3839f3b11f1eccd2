"""A simulation as one asks for it: rounds of whole shoes, and what every bet came to."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import msgspec

from thirdcard.frames import Schema, Tabular
from thirdcard.notebook import ByBet, html_table
from thirdcard.odds import fresh, values
from thirdcard.rulebook import Which, load
from thirdcard.rulebook.lookup import no_such_bet, usual_decks
from thirdcard.simulate.results import ShoesDealt
from thirdcard.simulate.session_sheet import crew_of
from thirdcard.simulate.tally import Estimate, TallyRun, estimates, outcomes_in
from thirdcard.simulate.work import RunOutcome, execute


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
        super().__init__(estimates(run.book, *outcome.total), lambda bet: no_such_bet(run.book, bet))
        self.run, self.outcome = run, outcome
        self.rounds = run.size(outcome.done)
        self.outcomes = outcomes_in(outcome.total[0])

    @cached_property
    def exact(self) -> dict[str, Fraction]:
        """What each bet is worth in the first round of a fresh shoe."""
        return {bet: value.ev for bet, value in values(self.run.book, fresh(self.run.decks)).items()}

    def answer(self) -> Tallied:
        """All of it, as programs get it."""
        return Tallied(
            **ShoesDealt.of(self.run, self.outcome, self.rounds),
            rounds=self.rounds,
            outcomes=RoundsWon(**self.outcomes),
            bets={
                bet: SimulatedBet(ev=one.ev, low=one.low, high=one.high, exact=self.exact[bet])
                for bet, one in self.items()
            },
        )

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for bet, one in self.items():
            yield bet, one.ev, one.low, one.high, one.error, self.rounds

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
            (self.run.book.bets[name].name, f"{one.ev:+.6f}", f"{one.low:+.6f}", f"{one.high:+.6f}")
            for name, one in self.items()
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
