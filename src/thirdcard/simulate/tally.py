"""Rounds by outcome class: one run values every bet of every rulebook with the same Table of Play."""

from functools import cached_property
from math import sqrt
from typing import ClassVar

import msgspec

from thirdcard.play.classes import CLASSES, outcomes
from thirdcard.rulebook import Rulebook
from thirdcard.simulate.compiled import Integers, np
from thirdcard.simulate.kernel import U64, Play, ShoeKind, Tiers, tally_stream, tally_tiers
from thirdcard.simulate.pay_tables import (
    LOST,
    is_plain,
    pays_of,
    play_of,
    room_for,
    room_to_lay,
    shoe_of,
    tiers_of,
)
from thirdcard.simulate.shoe_run import Part, ShoeRun, check_count

CHUNK = 1 << 20  # rounds that one stream deals; part of what a run is, so never changed
MOST_ROUNDS = 10**15
ERRORS_95 = 1.959964  # a 95% confidence interval is so many standard errors either way


class TallyRun(ShoeRun, frozen=True, kw_only=True, tag="tally", tag_field="kind"):
    """A run of rounds. Its values determine its tally to the last count.

    Chunk `c` deals `CHUNK` rounds from stream `c`, beginning with a new shoe; the last one deals the rest.

    >>> TallyRun(rulebook="mbs-tiger-v2", rounds=3_000_000).chunks
    3
    """

    unit: ClassVar[str] = "rounds"

    def __post_init__(self) -> None:
        check_count("rounds", self.rounds, MOST_ROUNDS)
        super().__post_init__()

    @cached_property
    def _tiers(self) -> Tiers | None:
        """Those that rounds are tallied by beside their classes, if a bet asks for them."""
        return None if all(map(is_plain, self.book.bets.values())) else tiers_of(self.book.bets)[0]

    @cached_property
    def _program(self) -> tuple[ShoeKind, Play]:
        shoe = shoe_of(self.decks, self.cut, suits=self._tiers is not None)
        return shoe, play_of(self.book.table_of_play)

    @property
    def per_chunk(self) -> int:
        return CHUNK

    def empty(self) -> Part:
        sizes = (CLASSES,) if self._tiers is None else (CLASSES, len(self._tiers.endings))
        return tuple([np.zeros(size, np.int64) for size in sizes])

    def deal(self, chunk: int, size: int, total: Part) -> None:
        """Tally rounds of a chunk by class, and by tiers where classes do not settle every bet."""
        shoe, play = self._program
        room, seed = room_for(shoe), U64(self.seed)
        counts = tuple([np.zeros(array.shape, np.uint32) for array in total])
        if self._tiers is None:
            tally_stream(seed, chunk, size, shoe, play, room, *counts)
        else:
            tally_tiers(seed, chunk, size, shoe, play, self._tiers, room, room_to_lay(), *counts)
        self.merge(total, tuple([array.astype(np.int64) for array in counts]), chunk)


class Estimate(msgspec.Struct, frozen=True):
    """A mean and its 95% confidence interval.

    >>> Estimate(ev=-0.01, low=-0.03, high=0.01, error=0.0102).error
    0.0102
    """

    ev: float
    low: float
    high: float
    error: float  # the standard error


def outcomes_in(tally: Integers) -> dict[str, int]:
    """Rounds by winner.

    >>> outcomes_in(TallyRun(rulebook="mbs-tiger-v2", rounds=100).play(0, 1)[0])
    {'player': 48, 'banker': 48, 'tie': 4}
    """
    counts = dict.fromkeys(("player", "banker", "tie"), 0)
    for outcome, count in zip(outcomes(), tally.tolist(), strict=True):
        counts[outcome.winner] += count
    return counts


def estimates(book: Rulebook, tally: Integers, by_tier: Integers | None = None) -> dict[str, Estimate]:
    """The value per unit staked of every bet of a rulebook, in its order.

    Bets that classes do not settle are left out without `by_tier`, as a run of this rulebook has it.

    >>> run = TallyRun(rulebook="mbs-tiger-v2", rounds=100)
    >>> estimates(run.book, *run.play(0, 1))["player"].ev
    0.0
    """
    rounds = int(tally.sum())
    tiers = [] if by_tier is None else list(zip(tiers_of(book.bets)[1], by_tier.tolist(), strict=True))
    estimated = {}
    for name, bet in book.bets.items():
        if is_plain(bet):
            estimated[name] = _estimate(pays_of(bet), tally)
        elif tiers:
            own = [(pay.ratio, count) for pay, count in tiers if pay.bet == name]
            own.append((LOST, rounds - sum(count for _, count in own)))
            ratios, counts = zip(*own, strict=True)
            estimated[name] = _estimate(np.array(ratios).T, np.array(counts))
    return estimated


def _estimate(pays: Integers, counts: Integers) -> Estimate:
    """From how often each ratio was paid.

    The interval takes rounds as independent. Rounds of one shoe are not quite, but the difference is
    far below what a run can show.
    """
    rounds = int(counts.sum())
    numerators, denominators = pays
    paid = numerators / denominators
    ev = float(paid @ counts) / rounds
    error = sqrt(max(float((paid - ev) ** 2 @ counts), 0.0)) / rounds
    return Estimate(ev, ev - ERRORS_95 * error, ev + ERRORS_95 * error, error)
