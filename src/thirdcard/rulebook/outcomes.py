"""Every outcome that can be dealt, as closely as some conditions look, and the smallest round of each."""

from collections import Counter
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias, get_args

import msgspec

from thirdcard.cards import Rank
from thirdcard.rulebook.conditions import HandWhen, Outcome, Pairs, Suits, hands_of, pairs_of
from thirdcard.rulebook.model import TableOfPlay, When
from thirdcard.rulebook.third_cards import play_out, third_cards

TOTALS: Final = range(10)
SUIT_LETTERS: Final = (  # of the Player's first two cards and of the Banker's, so that one deck may do
    {None: "SC", Suits.SAME: "SS", Suits.COLOUR: "SC", Suits.MIXED: "SD"},
    {None: "HD", Suits.SAME: "HH", Suits.COLOUR: "HD", Suits.MIXED: "CH"},
)


class Looks(msgspec.Struct, frozen=True):
    """What some conditions look at: those on each hand, whether they ask for pairs, and their suits."""

    hands: tuple[tuple[HandWhen, ...], tuple[HandWhen, ...]]
    pairs: bool
    pair_suits: bool

    def at_suits(self, side: int) -> bool:
        return self.pair_suits or any(condition.suits for condition in self.hands[side])


@lru_cache(maxsize=1024)
def looks_of(whens: tuple[When, ...]) -> Looks:
    hands: tuple[dict[HandWhen, None], dict[HandWhen, None]] = ({}, {})
    for when in whens:
        for side, condition in hands_of(when):
            hands[side][condition] = None
    return Looks(
        (tuple(hands[0]), tuple(hands[1])),
        any(
            when.pair is not None or any(condition.pair is not None for _, condition in hands_of(when))
            for when in whens
        ),
        any(when.pair_suits for when in whens),
    )


class _Hand(NamedTuple):
    """A hand's first two cards; `kind` tells apart what conditions tell apart, but for totals and pairs."""

    kind: tuple[object, ...]
    total: int
    pair: Rank | None
    ranks: tuple[Rank, Rank]
    suits: Suits | None
    cards: tuple[str, str]


class Dealt(NamedTuple):
    """An outcome, and the smallest round that ends in it."""

    outcome: Outcome
    player: _Hand
    banker: _Hand
    thirds: tuple[Rank, ...]

    @property
    def cards(self) -> str:
        """As they are drawn, the third cards in suits that are not there yet, if they can be."""
        cards = [hand.cards[place] for place in (0, 1) for hand in (self.player, self.banker)]
        for third in self.thirds:
            cards.append(min((third.letter + suit for suit in "DCHS"), key=cards.count))
        return " ".join(cards)


class _End(NamedTuple):
    """How a round ends: totals and numbers of cards, and for each hand a third card as good as its own."""

    counts: tuple[int, int, int, int]
    thirds: tuple[Rank | None, Rank | None]


_Endings: TypeAlias = dict[tuple[int, int], dict[_End, tuple[Rank, ...]]]


@lru_cache(maxsize=1024)
def count_of(table: TableOfPlay, looks: Looks) -> int:
    """How many outcomes there are at most."""
    endings = _endings(table, looks)
    every = len({end for ends in endings.values() for end in ends})
    sides = []  # how many kinds of hands have one of these totals
    for side in (0, 1):
        totals: dict[tuple[object, ...], set[int]] = {}
        for hand in _hands(looks, side):
            totals.setdefault(hand.kind, set()).add(hand.total)
        sides.append(Counter(frozenset(total) for total in totals.values()))
    count = 0
    for (players, first), (bankers, second) in product(sides[0].items(), sides[1].items()):
        count += first * second * min(every, sum(len(endings[both]) for both in product(players, bankers)))
    return count * (len(get_args(Pairs)) if looks.pairs else 1)


@lru_cache(maxsize=64)
def every_outcome(table: TableOfPlay, looks: Looks) -> tuple[Dealt, ...]:
    """One outcome of each kind that the conditions can tell apart, those of the fewest cards first.

    Where none of them asks for pairs, none is told.
    """
    dealt: list[Dealt] = []
    endings = _endings(table, looks)
    told: dict[tuple[object, ...], set[_End]] = {}
    for player, banker in product(_hands(looks, 0), _hands(looks, 1)):
        pairs = pairs_of(player.pair, banker.pair)
        before = told.setdefault((player.kind, banker.kind, pairs), set())
        ends = endings[player.total, banker.total]
        for end in (end for end in ends if end not in before):
            ranks = (*player.ranks, end.thirds[0], *banker.ranks, end.thirds[1])
            outcome = Outcome(*end.counts, pairs, ranks, (player.suits, banker.suits))
            dealt.append(Dealt(outcome, player, banker, ends[end]))
        before.update(ends)
    return tuple(sorted(dealt, key=lambda one: len(one.thirds)))


@lru_cache(maxsize=128)
def _hands(looks: Looks, side: int) -> list[_Hand]:
    """One hand of each kind with each total, and each pair if pairs are asked for."""
    hands: dict[tuple[object, ...], _Hand] = {}
    for first, second, suits in product(Rank, Rank, tuple(Suits) if looks.at_suits(side) else (None,)):
        fitting = tuple(_begins(condition, first, second, suits) for condition in looks.hands[side])
        letters = SUIT_LETTERS[side][suits]
        hand = _Hand(
            (fitting, suits if looks.pair_suits and first is second else None),
            (first.points + second.points) % 10,
            first if looks.pairs and first is second else None,
            (first, second),
            suits,
            (first.letter + letters[0], second.letter + letters[1]),
        )
        hands.setdefault(hand[:3], hand)
    return list(hands.values())


def _begins(condition: HandWhen, first: Rank, second: Rank, suits: Suits | None) -> bool:
    """Whether a condition on a hand holds as far as its first two cards go."""
    return (
        (not condition.first or first.letter in condition.first)
        and (not condition.second or second.letter in condition.second)
        and (not condition.suits or suits in condition.suits)
        and condition.pair in (None, first is second)
    )


def _endings(table: TableOfPlay, looks: Looks) -> _Endings:
    """How rounds may end that begin with these totals, and the third cards that are drawn then."""
    return _ways_to_end(table, *(_alike(looks.hands[side]) for side in (0, 1)))


@lru_cache(maxsize=64)
def _ways_to_end(table: TableOfPlay, players: tuple[Rank, ...], bankers: tuple[Rank, ...]) -> _Endings:
    kinds = {(rank.points, players[rank - 1], bankers[rank - 1]): rank for rank in reversed(Rank)}
    thirds = [
        (rank, other, (rank.points, other.points))
        for rank, other in product(sorted(kinds.values()), repeat=2)
    ]
    endings: _Endings = {}
    for totals in product(TOTALS, TOTALS):
        ends = endings.setdefault(totals, {})
        for fifth, sixth, points in thirds:
            counts = play_out(table, *totals, points)
            player, banker = third_cards(counts, fifth, sixth)
            as_good = player and players[player - 1], banker and bankers[banker - 1]
            ends.setdefault(_End(counts, as_good), tuple(rank for rank in (player, banker) if rank))
    return endings


@lru_cache(maxsize=1024)
def _alike(conditions: tuple[HandWhen, ...]) -> tuple[Rank, ...]:
    """For each rank of a third card the first that no condition tells from it."""
    first: dict[tuple[bool, ...], Rank] = {}
    told = ((rank, tuple(rank.letter in condition.third for condition in conditions)) for rank in Rank)
    return tuple(first.setdefault(which, rank) for rank, which in told)
