"""A run of shoes in which every bet is valued before every round, at several cuts at once."""

from functools import cached_property
from typing import ClassVar, NamedTuple

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK, Rank, Suit
from thirdcard.errors import BadInput, no_such
from thirdcard.odds import fresh
from thirdcard.odds.bet_values import brings_of, cells_of, check_bet
from thirdcard.odds.compiled import Floats, Integers, np
from thirdcard.odds.composition import NUMBERS
from thirdcard.odds.counting import joint
from thirdcard.odds.insurance import insurance_of
from thirdcard.odds.kernel import CloserBet
from thirdcard.odds.starts import rounds
from thirdcard.play.tableau import LONGEST
from thirdcard.protect.conventions import (
    ALWAYS_ONE_MORE,
    CUT_CARD,
    DECKS_LEFT,
    ENDINGS,
    FIRST_CARD,
    NOTHING,
    ONE_MORE,
    check_burn,
    most_burnt,
)
from thirdcard.protect.follow_kernel import (
    BILLION,
    BURN_BY_FIRST_CARD,
    Counts,
    Rounds,
    Totals,
    add_up,
    follow,
)
from thirdcard.protect.insurance_kernel import CoverSums, insure, nothing_insured
from thirdcard.protect.tags import Tags
from thirdcard.protect.value_kernel import book_of, values_of
from thirdcard.rulebook.conditions import sight_of
from thirdcard.rulebook.model import Rulebook
from thirdcard.simulate.compiled import Bytes
from thirdcard.simulate.kernel import Cover, Play, ShoeKind
from thirdcard.simulate.pay_tables import CODES, SUIT_CODES, coded, is_plain, pays_of, play_of, shoe_of
from thirdcard.simulate.session_plans import HANDS, Stakes
from thirdcard.simulate.sessions import cover_of
from thirdcard.simulate.shoe_run import Part, Run, check_count, check_shoe


class Valuer:
    """The value of some bets, and of those above zero the mean square of the result.

    Bets on totals or on pairs are valued together. Bets that look closer, at ranks by place, at suits, or at
    totals and pairs, take some 10 to 100 times as long each, and are valued one by one.
    """

    def __init__(self, book: Rulebook, names: tuple[str, ...]) -> None:
        plain = [cells_of(book.bets[name]).needs in {"endings", "pairings"} for name in names]
        self._plain = np.flatnonzero(plain)
        self._closer = [
            CloserBet(book, name, number) for number, name in enumerate(names) if not plain[number]
        ]
        self.suited = any(sight_of(book.bets[name]).suited for name in names)
        self._book = book_of(book, tuple([name for name, one in zip(names, plain, strict=True) if one]))
        self._bets = len(names)

    def values(self, compositions: Integers) -> tuple[Floats, Floats]:
        """(k, 13) counts in, or (k, 52) where suits are followed; twice (k, bets) out."""
        shape = len(compositions), len(self._plain)
        found, squares = np.empty(shape), np.zeros(shape)
        ranks = compositions
        if compositions.shape[1] == CARDS_IN_A_DECK:
            ranks = compositions.reshape(len(compositions), len(Suit), -1).sum(axis=1)
        if len(self._plain):
            values_of(ranks, self._book, found, squares)
        if not self._closer:
            return found, squares
        all_found, all_squares = (np.empty((len(compositions), self._bets)) for _ in range(2))
        all_found[:, self._plain], all_squares[:, self._plain] = found, squares
        cards = compositions
        if compositions.shape[1] < CARDS_IN_A_DECK:
            cards = np.pad(compositions, ((0, 0), (0, CARDS_IN_A_DECK - compositions.shape[1])))
        for bet in self._closer:
            chances = bet.chances(cards)
            all_found[:, bet.number] = chances @ bet.brings
            all_squares[:, bet.number] = chances @ bet.brings**2
        return all_found, all_squares


class Correlations:
    """How the results of bets go together in the first round of a fresh shoe."""

    def __init__(self, book: Rulebook, names: tuple[str, ...], decks: int) -> None:
        self._book, self._names, self._decks = book, names, decks

    @cached_property
    def matrix(self) -> Floats:
        """[bet, bet], 1 on the diagonal."""
        bets = [self._book.bets[name] for name in self._names]
        shoe = fresh(self._decks)
        correlations = np.eye(len(bets))
        plain = [number for number, bet in enumerate(bets) if is_plain(bet)]
        if len(plain) > 1:
            counts = np.array(joint(self._book.table_of_play, shoe), float)
            paid = np.array([np.divide(*pays_of(bets[number])) for number in plain])
            spread = _spread(counts, paid)
            sd = np.sqrt(np.diag(spread))
            correlations[np.ix_(plain, plain)] = spread / np.outer(sd, sd)
        for one, bet in enumerate(bets):
            for other in range(len(bets)):
                if one != other and not is_plain(bet) and (is_plain(bets[other]) or one < other):
                    correlations[one, other] = correlations[other, one] = self._pair(one, other)
        return correlations

    def _pair(self, one: int, other: int) -> float:
        """Of two bets of which one looks closer."""
        names = self._names[one], self._names[other]
        bets = tuple([self._book.bets[name] for name in names])
        came = rounds(self._book.table_of_play, fresh(self._decks), bets)
        counts = np.array(list(came.values()), float)
        brings = [brings_of(bet) for bet in bets]
        paid = np.array(
            [[by[result] for by, result in zip(brings, results, strict=True)] for results in came]
        ).T
        spread = _spread(counts, paid)
        return float(spread[0, 1] / np.sqrt(spread[0, 0] * spread[1, 1]))


def _spread(counts: Floats, paid: Floats) -> Floats:
    """The covariances of what bets pay, a row each, where every column came up so often."""
    chances = counts / counts.sum()
    paid -= (paid @ chances)[:, None]
    found: Floats = (paid * chances) @ paid.T
    return found


# --- the run ----------------------------------------------------------------------------------------------


SHOES = 32  # that one stream deals; part of what a run is, so never changed
MOST_SHOES = 10**8
LEAST_ERROR = 0.0001
MOST_CUTS = 32
COVER_UNIT = 1_000_000  # the original bet, in which caps are told
TOTALS = len(Totals._fields)
TRIGGERS = 160  # that a count may choose from


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """A count to be followed; its triggers are `begin`, and `triggers` - 1 more by `step`, all over `per`."""

    bet: str
    level: str
    tags: Tags
    decks_left: str = "exact"
    begin: int = 1
    step: int = 1
    per: int = 2
    triggers: int = TRIGGERS

    def trigger(self, number: int) -> float:
        return (self.begin + number * self.step) / self.per


class FollowProgram(NamedTuple):
    """What the kernels need, made once."""

    shoe: ShoeKind
    kinds: Integers
    fresh: Integers
    play: Play
    valuer: Valuer
    tags: Integers
    counts: Counts
    teams: Integers
    together: Floats
    cover: Cover
    hands: Valuer


class ProtectRun(Run, frozen=True, kw_only=True, tag="protect", tag_field="kind"):
    """Shoes followed to the least of the cuts. Its values determine its totals to the last billionth.

    Chunk `c` deals `SHOES` shoes from stream `c`, each shuffled to the last card, so that the cards of a
    shoe do not depend on the cuts. With an `error` it ends, after a multiple of 1,024 shoes, as soon as
    perfect play on every bet at every cut is known within that standard error; `shoes` is then the most.
    """

    shoes: int
    cuts: tuple[int, ...]
    bets: tuple[str, ...] = ()
    counts: tuple[Count, ...] = ()
    teams: dict[str, tuple[str, ...]] = {}  # noqa: RUF012 - msgspec copies it
    burn: str = NOTHING
    ending: str = CUT_CARD
    insurance: bool = False
    error: float | None = None

    unit: ClassVar[str] = "shoes"
    stride: ClassVar[int] = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("shoes", self.shoes, MOST_SHOES)
        is_number = isinstance(self.error, int | float) and not isinstance(self.error, bool)
        if self.error is not None and not (is_number and LEAST_ERROR <= self.error <= 1):
            raise BadInput(f"a standard error is {LEAST_ERROR} to 1 units a shoe: got {self.error!r}")
        if self.insurance:
            insurance_of(self.book)
        check_cuts(self)
        for name in (*self.bets, *(count.bet for count in self.counts)):
            check_bet(self.book, name)
        for count in self.counts:
            if count.decks_left not in DECKS_LEFT:
                raise no_such("way to see the decks left", count.decks_left, DECKS_LEFT)

    @cached_property
    def program(self) -> FollowProgram:
        valuer = Valuer(self.book, self.bets)
        suited = valuer.suited
        shoe = shoe_of(self.decks, LONGEST, suits=suited)
        codes = list(CODES)
        kinds = np.zeros(256, np.int64)
        kinds[codes] = range(len(Rank))
        if suited:
            for card, number in NUMBERS.items():
                kinds[CODES[card.rank - 1] + SUIT_CODES[card.suit]] = number
        size = CARDS_IN_A_DECK if suited else len(Rank)
        fresh = np.full(size, self.decks if suited else self.decks * len(Suit), np.int64)
        tags = np.array([count.tags for count in self.counts], np.int64).reshape(-1, len(Rank))
        columns = [
            [getattr(count, name) for count in self.counts] for name in ("begin", "step", "per", "triggers")
        ]
        members = [[name in bets for name in self.bets] for bets in self.teams.values()]
        return FollowProgram(
            shoe,
            kinds,
            fresh,
            play_of(self.book.table_of_play),
            valuer,
            np.tile(tags, len(Suit)) if suited else tags,
            Counts(
                np.array([self.bets.index(count.bet) for count in self.counts], np.int64),
                np.array([list(DECKS_LEFT).index(count.decks_left) for count in self.counts], np.int64),
                *[np.array(column, np.int64) for column in columns],
            ),
            np.array(members, np.int64).reshape(-1, len(self.bets)),
            Correlations(self.book, self.bets, self.decks).matrix if self.teams else np.eye(len(self.bets)),
            cover_of(self.book.insurance, Stakes(maximum=COVER_UNIT)),
            Valuer(self.book, HANDS if self.insurance else ()),
        )

    @property
    def open_end(self) -> bool:
        return self.error is not None

    @property
    def per_chunk(self) -> int:
        return SHOES

    def empty(self) -> Part:
        """`Totals`, and what is `CoverSums` if that is asked for."""
        cards, bets, cuts = CARDS_IN_A_DECK * self.decks, len(self.bets), len(self.cuts)
        triggers = max([count.triggers for count in self.counts], default=1)
        totals = Totals(
            np.zeros(cards + 1, np.int64),
            np.zeros((bets, cards + 1, 3), np.int64),
            np.zeros((bets, cards + 1), np.int64),
            np.zeros((2, cuts, bets, 2), np.int64),
            np.zeros((cuts, len(self.teams), 4), np.int64),
            np.zeros((2, cuts, len(self.counts), triggers, 3), np.int64),
        )
        if not self.insurance:
            return totals
        return (*totals, *nothing_insured(len(insurance_of(self.book).offers), cuts, cards))

    def rounds_of(self, chunk: int, shoes: int) -> tuple[Bytes, Rounds, int]:
        """The cards of a chunk's first shoes, and what is known before each of so many rounds."""
        known = self.program
        cards = coded(known.shoe, seed=self.seed, stream=chunk, count=shoes)
        rounds = _room(shoes * (cards.shape[1] // 4 + 2), len(known.fresh), len(self.counts))
        burn = BURN_BY_FIRST_CARD if self.burn == FIRST_CARD else most_burnt(self.burn)
        found = follow(
            cards,
            known.kinds,
            known.fresh,
            known.play.replies,
            burn,
            list(ENDINGS).index(self.ending),
            min(self.cuts),
            known.tags,
            rounds,
        )
        return cards, rounds, found

    def deal(self, chunk: int, size: int, total: Part) -> None:
        """Follow so many shoes of a chunk."""
        known = self.program
        cards, rounds, found = self.rounds_of(chunk, size)
        values, squares = known.valuer.values(rounds.unseen[:found])
        cuts, begin = np.array(sorted(self.cuts), np.int64), self.size(chunk)
        add_up(
            rounds,
            found,
            values,
            squares,
            cuts,
            known.teams,
            known.together,
            known.counts,
            begin,
            Totals(*total[:TOTALS]),
        )
        if self.insurance:
            hands, _ = known.hands.values(rounds.unseen[:found])
            insured = CoverSums(*total[TOTALS:])
            insure(cards, rounds, found, hands, cuts, known.play, known.cover, COVER_UNIT, begin, insured)

    def enough(self, total: Part, done: int) -> bool:
        """At the end, or where the largest standard error is within what was asked for."""
        if self.error is None or not done or done % self.stride:
            return done == self.chunks
        return (
            done == self.chunks or self.largest_error(Totals(*total[:TOTALS]), self.size(done)) <= self.error
        )

    def largest_error(self, totals: Totals, shoes: int) -> float:
        """Of perfect play, over all bets and cuts."""
        gains, squares = (totals.shoes.sum(axis=0)[..., what] / BILLION / shoes for what in range(2))
        return float(np.sqrt(np.maximum(squares - gains**2, 0.0).max(initial=0.0) / max(shoes - 1, 1)))


def _room(rows: int, kinds: int, counts: int) -> Rounds:
    shoe, need, left = (np.empty(rows, np.int64) for _ in range(3))
    return Rounds(shoe, need, left, np.empty((rows, kinds), np.int64), np.empty((rows, counts), np.int64))


def check_cuts(run: ProtectRun) -> None:
    """Cuts with whole rounds behind them, each once, and something left to deal."""
    check_burn(run.burn)
    if run.ending not in ENDINGS:
        raise no_such("end of the shoe", run.ending, ENDINGS)
    if not 0 < len(run.cuts) <= MOST_CUTS or len(set(run.cuts)) != len(run.cuts):
        raise BadInput(f"expected 1 to {MOST_CUTS} different cuts: got {', '.join(map(str, run.cuts))}")
    least = {ONE_MORE: 2 * LONGEST - 1, ALWAYS_ONE_MORE: 2 * LONGEST}.get(run.ending, LONGEST)
    for cut in run.cuts:
        check_shoe(run.book, run.decks, cut)
        if cut < least:
            raise BadInput(
                f"with one more round after the cut card {least} cards or more lie behind it: got {cut}"
            )
        if cut > CARDS_IN_A_DECK * run.decks - most_burnt(run.burn):
            raise BadInput(
                f"the cut card lies among the cards that are burnt: got {cut} of {run.decks} decks"
            )
