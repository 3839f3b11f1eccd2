"""Conditions of bets: what can be said of a finished round, and whether it is so.

A condition is a field of `When` or `HandWhen` and its line in `matches` or `_hand_fits`; each language has
words for it under the name of the field. What looks at single cards is a `Sum` (`sums.py`).
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import chain, product
from math import prod
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

import msgspec

from thirdcard.cards import Card, Rank, Suit
from thirdcard.rulebook.parts import ANY, Numbers, Part, Side
from thirdcard.rulebook.sums import (
    PLACES,
    CardName,
    Cards,
    Compare,
    Count,
    RankPair,
    Sum,
    Sums,
    by_rank,
    card_at,
    compared,
    counted,
    either_way,
    every_card,
    first_two,
    no_card,
    seen_alike,
)

if TYPE_CHECKING:
    from thirdcard.rulebook.model import Bet, Rulebook

Winner: TypeAlias = Literal["player", "banker", "tie"]
Pairs: TypeAlias = Literal["none", "player", "banker", "double", "twin"]
Ranks: TypeAlias = tuple[
    Rank | None, ...
]  # by place: the Player's first, second and third, then the Banker's

NATURALS: Final = (8, 9)
NO_SUMS: Final = {"ranks": (), "first_two": ANY, "count": (), "every": (), "no": ()}
RED: Final = frozenset((Suit.HEARTS, Suit.DIAMONDS))
BY_LETTER: Final = {rank.letter: rank for rank in Rank}
LETTERS: Final = ("", *BY_LETTER)  # by rank
_WON: Final = {"player": Side.PLAYER, "banker": Side.BANKER, "tie": None}
_LOST: Final = {"player": Side.BANKER, "banker": Side.PLAYER, "tie": None}
PAIRED: Final[dict[Side, frozenset[Pairs]]] = {
    Side.PLAYER: frozenset(("player", "double", "twin")),
    Side.BANKER: frozenset(("banker", "double", "twin")),
}


class Pairing(StrEnum):
    """How the first two cards of the hands pair up, as far as a bet can care."""

    PLAYER = "player"  # the Player's two cards are a pair
    BANKER = "banker"  # the Banker's are
    EITHER = "either"  # at least one hand is
    ONE = "one"  # exactly one hand is
    BOTH = "both"  # both are
    DOUBLE = "double"  # both are, of different ranks
    TWIN = "twin"  # both are, of the same rank
    NONE = "none"  # neither is


class Suits(StrEnum):
    """How the suits of a hand's first two cards go together."""

    SAME = "same"  # one suit
    COLOUR = "colour"  # two suits of one colour
    MIXED = "mixed"  # one red, one black


class HandWhen(Part, frozen=True, kw_only=True):
    """A condition on one hand; every field given must hold.

    A natural is a total of 8 or 9 in two cards. `suits` are of the first two cards, `ranks` their ranks
    either way round, `first_two` their total. `first`, `second` and `third` name what the card at that place
    may be, and a hand without a third card has none. `count` is of cards in the hand; `every` and `no` say
    what all its cards are, and what none is.
    """

    total: Numbers = ANY
    cards: Numbers = ANY
    natural: bool | None = None
    pair: bool | None = None
    suits: tuple[Suits, ...] = ()
    ranks: tuple[RankPair, ...] = ()
    first_two: Numbers = ANY
    first: tuple[CardName, ...] = ()
    second: tuple[CardName, ...] = ()
    third: tuple[CardName, ...] = ()
    count: tuple[Count, ...] = ()
    every: tuple[CardName, ...] = ()
    no: tuple[CardName, ...] = ()


class When(Part, frozen=True, kw_only=True):
    """A condition on a finished round; every field given must hold.

    `total` is that of the winning hand (of both, in a tie), `cards` the number of cards in it (the Player's,
    in a tie), `cards_in_all` those of both hands together, `sum` both hands' totals added up. Pairs count
    only if their suits are among `pair_suits`. A tie has neither a winning nor a losing hand. `count`,
    `every` and `no` are of all cards of both hands. Of `any` one at least holds. A line with `otherwise` is
    for rounds that none before it fits.
    """

    winner: tuple[Literal["player", "banker", "tie"], ...] = ("player", "banker", "tie")
    total: Numbers = ANY
    cards: Numbers = ANY
    cards_in_all: Numbers = ANY
    margin: Numbers = ANY
    sum: Numbers = ANY
    pair: Pairing | None = None
    pair_suits: tuple[Suits, ...] = ()
    winning: HandWhen | None = None
    losing: HandWhen | None = None
    player: HandWhen | None = None
    banker: HandWhen | None = None
    count: tuple[Count, ...] = ()
    every: tuple[CardName, ...] = ()
    no: tuple[CardName, ...] = ()
    compare: tuple[Compare, ...] = ()
    any: tuple["When", ...] = ()
    otherwise: bool = False


class Sight(msgspec.Struct, frozen=True):
    """What bets look at beyond totals, numbers of cards and pairs.

    `ranks` are those that some condition names at each of the six places; `suits` says for each hand
    whether those of its first two cards matter. Where single cards are counted or compared, `cards` has for
    each place the first card of those that are as good as each of the 52.
    """

    ranks: tuple[frozenset[Rank], ...] = (frozenset(),) * 6
    suits: tuple[bool, bool] = (False, False)
    cards: tuple[tuple[Card, ...], ...] = ()

    @property
    def suited(self) -> bool:
        """Whether suits matter at all."""
        return any(self.suits) or not all(map(by_rank, self.cards))

    def of(self, place: int, rank: Rank | None) -> Rank | None:
        """The rank at a place (from 0) as it is seen: `None` where no condition names it, or no card lies."""
        return rank if rank in self.ranks[place] else None


PLAIN: Final = Sight()  # all that most bets need


class Row(NamedTuple):
    """One way in which a condition holds: all `whens` do, which ask for no single cards, and all sums."""

    whens: tuple[When, ...]
    sums: tuple[Sum, ...]


class Outcome(msgspec.Struct, frozen=True):
    """All that any bet depends on: totals, numbers of cards and pairs.

    Where bets look closer, `ranks` are the ranks by place as their `Sight` has them, `None` also for a card
    that was not drawn, `suits` how each hand's first two cards go together, and `cards` by place one that is
    as good as the card there.
    """

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    pairs: Pairs
    ranks: Ranks = ()
    suits: tuple[Suits | None, ...] = ()
    cards: Cards = ()

    @property
    def winner(self) -> Winner:
        return winner_of(self.player, self.banker)


def winner_of(player: int, banker: int) -> Winner:
    if player == banker:
        return "tie"
    return "player" if player > banker else "banker"


def pairs_of(player: Rank | None, banker: Rank | None) -> Pairs:
    """From the rank each hand's first two cards pair in, if they do."""
    if player is None:
        return "none" if banker is None else "banker"
    if banker is None:
        return "player"
    return "twin" if player is banker else "double"


def suits_of(first: Card, second: Card) -> Suits:
    """How two cards go together."""
    if first.suit is second.suit:
        return Suits.SAME
    return Suits.COLOUR if (first.suit in RED) == (second.suit in RED) else Suits.MIXED


@lru_cache(maxsize=4096)
def sight_of(bet: "Bet") -> Sight:
    """What one bet looks at."""
    return sight_of_whens(bet.whens)


@lru_cache(maxsize=256)
def sight_of_all(book: "Rulebook") -> Sight:
    """What the bets of a rulebook look at between them."""
    return sight_of_whens(when for bet in book.bets.values() for when in bet.whens)


def sight_of_whens(whens: Iterable[When]) -> Sight:
    ranks = [frozenset[Rank]() for _ in range(6)]
    suits = [False, False]
    sums: dict[Sums, None] = {}
    for when in chain.from_iterable(map(every_part, whens)):
        sums |= dict.fromkeys(sums_of_round(when))
        for side, condition in hands_of(when):
            suits[side] |= bool(condition.suits)
            sums |= dict.fromkeys(sums_of_hand(condition, side))
            for place, name in enumerate(PLACES):
                named = {BY_LETTER[one] for one in getattr(condition, name) if one in BY_LETTER}
                ranks[3 * side + place] |= named
        if when.pair_suits:
            suits = [True, True]
    sight = Sight(tuple(ranks), (suits[0], suits[1]), seen_alike(sums))
    return PLAIN if sight == PLAIN else sight


def every_part(when: When) -> Iterator[When]:
    """A condition, and all that stand in its `any`."""
    yield when
    for one in when.any:
        yield from every_part(one)


def hands_of(when: When) -> Iterator[tuple[int, HandWhen]]:
    """The conditions on one hand, with each that it may be about: 0 is the Player's, 1 the Banker's."""
    about = ((when.player, (0,)), (when.banker, (1,)), (when.winning, (0, 1)), (when.losing, (0, 1)))
    return ((side, condition) for condition, sides in about if condition is not None for side in sides)


@lru_cache(maxsize=4096)
def sums_of_hand(condition: HandWhen, side: int) -> tuple[Sums, ...]:
    """What a condition asks of single cards of a hand; all of them must hold."""
    places = tuple(range(3 * side, 3 * side + 3))
    return (
        *(counted(count, places) for count in condition.count),
        *([every_card(condition.every, places)] if condition.every else []),
        *([no_card(condition.no, places)] if condition.no else []),
        *([either_way(condition.ranks, side)] if condition.ranks else []),
        *([first_two(condition.first_two, side)] if condition.first_two else []),
        *(
            card_at(named, place)
            for place, name in zip(places, PLACES, strict=True)
            if not BY_LETTER.keys() >= set(named := getattr(condition, name))
        ),
    )


@lru_cache(maxsize=4096)
def sums_of_round(when: When) -> tuple[Sums, ...]:
    """What a condition asks of single cards of both hands."""
    places = tuple(range(6))
    return (
        *(counted(count, places) for count in when.count),
        *([every_card(when.every, places)] if when.every else []),
        *([no_card(when.no, places)] if when.no else []),
        *map(compared, when.compare),
    )


def ways_of(when: When) -> int:
    """In how many ways a condition holds, without making them."""
    found = prod(len(sums.either) for sums in sums_of_round(when))
    for side, hand in enumerate((when.player, when.banker)):
        found *= prod(len(sums.either) for sums in sums_of_hand(hand, side)) if hand else 1
    for hand in (when.winning, when.losing):
        sums = sums_of_hand(hand, 0) if hand else ()
        found *= 2 * prod(len(one.either) for one in sums) if sums else 1
    return found * (sum(map(ways_of, when.any)) if when.any else 1)


@lru_cache(maxsize=4096)
def rows_of(when: When) -> tuple[Row, ...]:
    """All the ways in which a condition holds; a round may be of several."""
    conditions: list[tuple[Row, ...]] = [(Row((_without_sums(when),), ()),)]
    conditions += [_either(sums) for sums in sums_of_round(when)]
    for side, hand in enumerate((when.player, when.banker)):
        conditions += [_either(sums) for sums in sums_of_hand(hand, side)] if hand else []
    for hand, first in ((when.winning, Side.PLAYER), (when.losing, Side.BANKER)):
        if hand and sums_of_hand(hand, 0):
            conditions.append(
                tuple(
                    Row((When(winner=(winner.value,)), *row.whens), row.sums)
                    for side, winner in enumerate((first, first.other))
                    for row in _together(map(_either, sums_of_hand(hand, side)))
                )
            )
    if when.any:
        conditions.append(tuple(row for one in when.any for row in rows_of(one)))
    return tuple(_together(conditions))


def _either(sums: Sums) -> tuple[Row, ...]:
    return tuple(Row((), both) for both in sums.either)


def _together(conditions: Iterable[tuple[Row, ...]]) -> Iterator[Row]:
    """Every choice of one way for each condition."""
    for rows in product(*conditions):
        yield Row(
            tuple(dict.fromkeys(when for row in rows for when in row.whens)),
            tuple(dict.fromkeys(one for row in rows for one in row.sums)),
        )


def _without_sums(when: When) -> When:
    hands = {name: getattr(when, name) for name in ("player", "banker", "winning", "losing")}
    plain = {
        name: msgspec.structs.replace(
            hand,
            **NO_SUMS,
            **{place: () for place in PLACES if not BY_LETTER.keys() >= set(getattr(hand, place))},
        )
        for name, hand in hands.items()
        if hand is not None
    }
    return msgspec.structs.replace(
        when, count=(), every=(), no=(), compare=(), any=(), otherwise=False, **plain
    )


def matches(when: When, outcome: Outcome) -> bool:
    """Whether the condition holds; the outcome was seen with the sight of its bet, or with more."""
    winner = outcome.winner
    banker_side = winner == "banker"
    total = outcome.banker if banker_side else outcome.player
    cards = outcome.banker_cards if banker_side else outcome.player_cards
    return (
        winner in when.winner
        and when.total.allow(total)
        and when.cards.allow(cards)
        and when.cards_in_all.allow(outcome.player_cards + outcome.banker_cards)
        and when.margin.allow(abs(outcome.player - outcome.banker))
        and when.sum.allow(outcome.player + outcome.banker)
        and (when.pair is None or _paired(when, outcome))
        and (when.player is None or _hand_fits(when.player, Side.PLAYER, outcome))
        and (when.banker is None or _hand_fits(when.banker, Side.BANKER, outcome))
        and (when.winning is None or _hand_fits(when.winning, _WON[winner], outcome))
        and (when.losing is None or _hand_fits(when.losing, _LOST[winner], outcome))
        and (
            not (when.count or when.every or when.no or when.compare)
            or all(sums.fit(outcome.cards) for sums in sums_of_round(when))
        )
        and (not when.any or any(matches(one, outcome) for one in when.any))
    )


def _paired(when: When, outcome: Outcome) -> bool:
    player, banker = (
        outcome.pairs in PAIRED[side] and (not when.pair_suits or outcome.suits[number] in when.pair_suits)
        for number, side in enumerate(Side)
    )
    both = player and banker
    fits: dict[Pairing | None, bool] = {
        Pairing.PLAYER: player,
        Pairing.BANKER: banker,
        Pairing.EITHER: player or banker,
        Pairing.ONE: player != banker,
        Pairing.BOTH: both,
        Pairing.DOUBLE: both and outcome.pairs == "double",
        Pairing.TWIN: both and outcome.pairs == "twin",
        Pairing.NONE: not player and not banker,
    }
    return fits[when.pair]


def _hand_fits(condition: HandWhen, side: Side | None, outcome: Outcome) -> bool:
    if side is None:
        return False
    player = side is Side.PLAYER
    total, cards = (
        (outcome.player, outcome.player_cards) if player else (outcome.banker, outcome.banker_cards)
    )
    place = 0 if player else 3
    return (
        (not condition.first or _named(condition.first, outcome, place))
        and (not condition.second or _named(condition.second, outcome, place + 1))
        and (not condition.third or _named(condition.third, outcome, place + 2))
        and condition.total.allow(total)
        and condition.cards.allow(cards)
        and condition.natural in (None, cards == 2 and total in NATURALS)  # noqa: PLR2004 - two cards
        and condition.pair in (None, outcome.pairs in PAIRED[side])
        and (not condition.suits or outcome.suits[0 if player else 1] in condition.suits)
        and (
            not (condition.count or condition.every or condition.no or condition.ranks or condition.first_two)
            or all(sums.fit(outcome.cards) for sums in sums_of_hand(condition, 0 if player else 1))
        )
    )


def _named(names: tuple[str, ...], outcome: Outcome, place: int) -> bool:
    rank = outcome.ranks[place]
    if rank is not None and LETTERS[rank] in names:
        return True
    return not BY_LETTER.keys() >= set(names) and card_at(names, place).fit(outcome.cards)
