"""Sessions: a betting plan, an insurance policy and a bankroll, played from the first shoe to the end.

Session `s` of a run is dealt from stream `s`, beginning with a new shoe, so it is the same session whoever
plays it. All money is whole cents, and each bet is settled as `thirdcard.play.settlement` settles it.
"""

from functools import cached_property
from typing import ClassVar

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK
from thirdcard.money import LARGEST_STAKE
from thirdcard.play.classes import CLASSES
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Insurance
from thirdcard.simulate.compiled import np
from thirdcard.simulate.kernel import (
    END,
    NO_SUCH_BET,
    POINTS,
    TIE,
    U64,
    Cover,
    PlannedBets,
    Play,
    ShoeKind,
    Staked,
    Workspace,
    play_sessions,
)
from thirdcard.simulate.own_strategies import MOST_ROUNDS_KNOWN, is_compiled, no_bet, play_own
from thirdcard.simulate.pay_tables import (
    WINNERS,
    is_plain,
    pays_of,
    play_of,
    room_for,
    room_to_lay,
    shoe_of,
    tiers_of,
)
from thirdcard.simulate.session_plans import LONGEST_LINE, POLICIES, Stakes, check_stakes
from thirdcard.simulate.shoe_run import Part, ShoeRun, check_count

MOST_SESSIONS = 10**7
MOST_ROUNDS = 10**8  # in a session; a stream has words for three times as many
PATHS = 10_000  # sessions whose bankroll is followed, for the picture
STEPS = 100  # points of a path after its start
CHUNK_ROUNDS = 1 << 20  # a chunk is about so many rounds; no part of what a run is
SLOW_CHUNK_ROUNDS = 1 << 12  # the same where a strategy is in plain Python

ENDS = ("rounds", "target", "floor", "ruin")  # why a session ended, as numbers
NO_TARGET = 1 << 62

FIELDS = ("net", "rounds", "turnover", "drawdown", "end", "insured", "insurance_net")


def book_of(rulebook: Rulebook, stakes: Stakes, rounds: int) -> PlannedBets:
    bets = tuple(dict.fromkeys(stakes.bets))
    plan = stakes.progression
    side_net = np.zeros(CLASSES, np.int64)
    for name, stake in stakes.side.items():
        numerators, denominators = pays_of(rulebook.bets[name])
        side_net += np.where(numerators < 0, -stake, stake * numerators // denominators)
    return PlannedBets(
        unit=stakes.unit,
        chip=stakes.chip_unit,
        minimum=stakes.least,
        bankroll=stakes.bankroll,
        target=NO_TARGET if stakes.target is None else stakes.target,
        floor=-1 if stakes.floor is None else stakes.floor,
        rounds=rounds,
        every=-(-rounds // STEPS),
        sides=stakes.sides,
        side_net=side_net,
        after=np.array([bets.index(name) for name in (stakes.bets[:1] * 3 if stakes.among else stakes.bets)]),
        hands=np.array([WINNERS.get(name, TIE) for name in bets], np.int64),
        most=np.array([stakes.most(name) for name in bets], np.int64),
        highest=max(stakes.most(name) for name in bets),
        pays=np.array([pays_of(rulebook.bets[name]) for name in bets], np.int64),
        steps=np.array([min(step, LARGEST_STAKE // stakes.unit) for step in plan.steps], np.int64),
        on_win=np.array(plan.on_win, np.int64),
        on_lose=np.array(plan.on_lose, np.int64),
        line=np.array(plan.line, np.int64),
        share=np.array([plan.share.numerator, plan.share.denominator], np.int64),
    )


def staked_on(rulebook: Rulebook, stakes: Stakes) -> Staked | None:
    """The tiers of the plan's bets that look at ranks or suits, if it has such bets."""
    rows = tuple(dict.fromkeys(stakes.bets))
    bets = {name: rulebook.bets[name] for name in (*rows, *stakes.side)}
    if all(is_plain(bet) for bet in bets.values()):
        return None
    tiers, pays = tiers_of(bets)
    sides = [stakes.side.get(pay.bet, 0) for pay in pays]
    return Staked(
        tiers,
        rows=np.array([rows.index(pay.bet) if pay.bet in rows else -1 for pay in pays], np.int64),
        pays=np.array([pay.ratio for pay in pays], np.int64),
        side_net=np.array([s + s * pay.ratio[0] // pay.ratio[1] for s, pay in zip(sides, pays, strict=True)]),
        laid=room_to_lay(),
    )


def cover_of(insurance: Insurance | None, stakes: Stakes) -> Cover:
    rows = () if insurance is None else insurance.offers
    offers = np.full((3, 2, 10, 10), -1, np.int64)
    long_cap = np.full(max(len(rows), 1), LARGEST_STAKE, np.int64)
    for number, offer in enumerate(rows):
        for player in offer.player:
            for banker in offer.banker:
                offers[WINNERS[offer.hand], offer.window - 1, player, banker] = number
    none = np.array([-1, 1], np.int64)
    per_window = winnings = none
    if insurance is not None:
        if insurance.stake_per_window is not None:
            per_window = np.array(insurance.stake_per_window.value.as_integer_ratio(), np.int64)
        if insurance.winnings_per_round is not None:
            winnings = np.array(insurance.winnings_per_round.value.as_integer_ratio(), np.int64)
        if insurance.long_odds is not None and stakes.displayed_maximum is not None:
            for number, offer in enumerate(rows):
                if offer.odds == insurance.long_odds.odds:
                    long_cap[number] = int(stakes.displayed_maximum * insurance.long_odds.of_maximum)
    return Cover(
        policy=POLICIES.index(stakes.insurance),
        offers=offers,
        odds=np.array([offer.odds.ratio.as_integer_ratio() for offer in rows] or [(1, 1)], np.int64),
        tie_paid=np.array([offer.tie_paid is not None for offer in rows] or [False], np.int64),
        long_cap=long_cap,
        per_window=per_window,
        winnings=winnings,
    )


class SessionRun(ShoeRun, frozen=True, kw_only=True, tag="sessions", tag_field="kind"):
    """Many sessions of one plan, each of `rounds` at most. Its values determine every session to the cent.

    >>> run = SessionRun(rulebook="mbs-tiger-v2", rounds=10, sessions=3, stakes=Stakes(plan="paroli"))
    >>> run.play(0, run.chunks)[0].shape  # a row for each session, a column for each of `FIELDS`
    (3, 7)
    """

    sessions: int
    stakes: Stakes

    unit: ClassVar[str] = "sessions"

    def __post_init__(self) -> None:
        check_count("sessions", self.sessions, MOST_SESSIONS)
        check_count("rounds", self.rounds, MOST_ROUNDS)
        super().__post_init__()
        if self.stakes.strategy:
            check_count("rounds of a strategy of one's own", self.rounds, MOST_ROUNDS_KNOWN)
        check_stakes(self.book, self.stakes)

    @cached_property
    def _program(self) -> tuple[ShoeKind, Play, PlannedBets, Cover, Staked | None]:
        staked = staked_on(self.book, self.stakes)
        return (
            shoe_of(self.decks, self.cut, suits=staked is not None),
            play_of(self.book.table_of_play),
            book_of(self.book, self.stakes, self.rounds),
            cover_of(self.book.insurance, self.stakes),
            staked,
        )

    @property
    def per_chunk(self) -> int:
        slow = self.stakes.strategy and not is_compiled(self.stakes.strategy)
        return max(1, (SLOW_CHUNK_ROUNDS if slow else CHUNK_ROUNDS) // self.rounds)

    def empty(self) -> Part:
        """Room for each session's `FIELDS`, and for the bankroll along the first `PATHS` of them."""
        return (
            np.zeros((self.sessions, len(FIELDS)), np.int64),
            np.zeros((min(self.sessions, PATHS), STEPS + 1), np.int64),
        )

    def play(self, first: int, count: int) -> Part:
        """The sessions of some chunks."""
        shoe, play, book, cover, staked = self._program
        begin, end = self.size(first), self.size(first + count)
        followed = max(min(PATHS, end) - begin, 0)
        out = np.zeros((end - begin, len(FIELDS)), np.int64)
        paths = np.zeros((followed, STEPS + 1), np.int64)
        left = np.bincount(shoe.fresh[: CARDS_IN_A_DECK * self.decks] & int(POINTS), minlength=10)
        line, cards = np.zeros(2 * LONGEST_LINE, np.int64), CARDS_IN_A_DECK * self.decks
        desk = Workspace(line, left.copy(), left, np.zeros(6, np.int64), cards)
        if staked is not None:
            staked = staked._replace(laid=room_to_lay())  # one for each thread
        room, seed = room_for(shoe), U64(self.seed)
        given = (seed, begin, shoe, play, book, cover, room, desk, out, paths, staked)
        if self.stakes.strategy:
            play_own(self.stakes.strategy, given, rounds=self.rounds, bets=len(book.hands))
            if (out[:, END] == NO_SUCH_BET).any():
                raise no_bet(len(book.hands))
        else:
            play_sessions(*given, None, None, None)
        return out, paths

    def merge(self, total: Part, part: Part, first: int) -> None:
        """Put a part where it belongs."""
        begin = self.size(first)
        for whole, piece in zip(total, part, strict=True):
            whole[begin : begin + len(piece)] = piece

    def take_back(self, total: Part, first: int) -> None:
        """Nothing: sessions are put in their places once more, and come to the same."""

    def warm(self) -> None:
        """Compile what is needed, or load it, before anybody looks at the clock."""
        msgspec.structs.replace(self, sessions=1, rounds=1).play(0, 1)
