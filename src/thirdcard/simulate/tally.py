"""Rounds by outcome class: one run values every bet of every rulebook with the same Table of Play."""

from functools import cached_property
from math import sqrt
from typing import ClassVar

import msgspec

from thirdcard.play.classes import CLASSES, outcomes
from thirdcard.rulebook import Rulebook, load
from thirdcard.simulate.check import check_count, check_seed, check_shoe
from thirdcard.simulate.compiled import Integers, np
from thirdcard.simulate.kernel import U64, Play, Shoe, tally_stream
from thirdcard.simulate.pay_tables import pays_of, play_of
from thirdcard.simulate.shoes import room_for, shoe_of

CHUNK = 1 << 20  # rounds that one stream deals; part of what a run is, so never changed
MOST_ROUNDS = 10**15
ERRORS_95 = 1.959964  # a 95% confidence interval is so many standard errors either way


class TallyRun(msgspec.Struct, frozen=True, kw_only=True, tag="tally", tag_field="kind", dict=True):
    """A run of rounds. These five values determine its tally to the last count.

    Chunk `c` deals `CHUNK` rounds from stream `c`, beginning with a new shoe; the last one deals the rest.
    """

    rulebook: str
    decks: int = 8
    cut: int = 14
    rounds: int
    seed: int = 1

    unit: ClassVar[str] = "rounds"

    def __post_init__(self) -> None:
        check_count("rounds", self.rounds, MOST_ROUNDS)
        check_seed(self.seed)
        check_shoe(self.book, self.decks, self.cut)

    @cached_property
    def book(self) -> Rulebook:
        return load(self.rulebook)

    @cached_property
    def _program(self) -> tuple[Shoe, Play]:
        return shoe_of(self.decks, self.cut), play_of(self.book.table_of_play)

    @property
    def chunks(self) -> int:
        return -(-self.rounds // CHUNK)

    def size(self, chunks: int) -> int:
        """The rounds in the first so many chunks."""
        return min(chunks * CHUNK, self.rounds)

    def empty(self) -> tuple[Integers, ...]:
        return (np.zeros(CLASSES, np.int64),)

    def play(self, first: int, count: int) -> tuple[Integers, ...]:
        """The tally of some chunks, by class."""
        shoe, play = self._program
        room = room_for(shoe)
        total = np.zeros(CLASSES, np.int64)
        for chunk in range(first, first + count):
            tally = np.zeros(CLASSES, np.uint32)
            rounds = self.size(chunk + 1) - self.size(chunk)
            tally_stream(U64(self.seed), chunk, rounds, shoe, play, room, tally)
            total += tally
        return (total,)

    def merge(self, total: tuple[Integers, ...], part: tuple[Integers, ...], first: int) -> None:  # noqa: ARG002
        """Add a part to the total; counts add up in any order."""
        total[0][:] += part[0]

    def warm(self) -> None:
        """Compile what is needed, or load it, before anybody looks at the clock."""
        shoe, play = self._program
        tally_stream(U64(0), 0, 1, shoe, play, room_for(shoe), np.zeros(CLASSES, np.uint32))


class Estimate(msgspec.Struct, frozen=True):
    """A mean and its 95% confidence interval."""

    ev: float
    low: float
    high: float
    error: float  # the standard error


def outcomes_in(tally: Integers) -> dict[str, int]:
    """Rounds by winner."""
    found = dict.fromkeys(("player", "banker", "tie"), 0)
    for outcome, count in zip(outcomes(), tally.tolist(), strict=True):
        found[outcome.winner] += count
    return found


def estimates(book: Rulebook, tally: Integers) -> dict[str, Estimate]:
    """The value per unit staked of every bet of a rulebook, in its order.

    The interval takes rounds as independent. Rounds of one shoe are not quite, but the difference is
    far below what a run can show.
    """
    rounds = int(tally.sum())
    found = {}
    for name, bet in book.bets.items():
        numerators, denominators = pays_of(bet)
        paid = numerators / denominators
        ev = float(paid @ tally) / rounds
        error = sqrt(max(float((paid - ev) ** 2 @ tally), 0.0)) / rounds
        found[name] = Estimate(ev, ev - ERRORS_95 * error, ev + ERRORS_95 * error, error)
    return found
