"""Conditions of bets: what can be said of a finished round, and whether it is so.

A condition is a field of `When` or `HandWhen` and its line in `matches` or `_hand_fits`; each language has
words for it under the name of the field.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import msgspec

from thirdcard.cards import Card, Rank, Suit
from thirdcard.rulebook.parts import ANY, Numbers, Part, Side

if TYPE_CHECKING:
    from thirdcard.rulebook.model import Bet, Rulebook

Winner: TypeAlias = Literal["player", "banker", "tie"]
Pairs: TypeAlias = Literal["none", "player", "banker", "double", "twin"]
Ranks: TypeAlias = tuple[
    Rank | None, ...
]  # by place: the Player's first, second and third, then the Banker's

NATURALS: Final = (8, 9)
PLACES: Final = ("first", "second", "third")
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


RankLetter: TypeAlias = Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]


class HandWhen(Part, frozen=True, kw_only=True):
    """A condition on one hand; every field given must hold.

    A natural is a total of 8 or 9 in two cards. `suits` are of the first two cards; `first`, `second` and
    `third` name the ranks that the card at that place may have, and a hand without a third card has none.
    """

    total: Numbers = ANY
    cards: Numbers = ANY
    natural: bool | None = None
    pair: bool | None = None
    suits: tuple[Suits, ...] = ()
    first: tuple[RankLetter, ...] = ()
    second: tuple[RankLetter, ...] = ()
    third: tuple[RankLetter, ...] = ()


class When(Part, frozen=True, kw_only=True):
    """A condition on a finished round; every field given must hold.

    `total` is that of the winning hand (of both, in a tie), `cards` the number of cards in it (the Player's,
    in a tie), `cards_in_all` those of both hands together, `sum` both hands' totals added up. Pairs count
    only if their suits are among `pair_suits`. A tie has neither a winning nor a losing hand.
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


class Sight(msgspec.Struct, frozen=True):
    """What bets look at beyond totals, numbers of cards and pairs.

    `ranks` are those that some condition names at each of the six places; `suits` says for each hand
    whether those of its first two cards matter.
    """

    ranks: tuple[frozenset[Rank], ...] = (frozenset(),) * 6
    suits: tuple[bool, bool] = (False, False)

    def of(self, place: int, rank: Rank | None) -> Rank | None:
        """The rank at a place (from 0) as it is seen: `None` where no condition names it, or no card lies."""
        return rank if rank in self.ranks[place] else None


PLAIN: Final = Sight()  # all that most bets need


class Outcome(msgspec.Struct, frozen=True):
    """All that any bet depends on: totals, numbers of cards and pairs.

    Where bets look closer, `ranks` are the ranks by place as their `Sight` has them, `None` also for a card
    that was not drawn, and `suits` how each hand's first two cards go together.
    """

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    pairs: Pairs
    ranks: Ranks = ()
    suits: tuple[Suits | None, ...] = ()

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
    for when in whens:
        for side, condition in hands_of(when):
            suits[side] |= bool(condition.suits)
            for place, name in enumerate(PLACES):
                ranks[3 * side + place] |= {BY_LETTER[one] for one in getattr(condition, name)}
        if when.pair_suits:
            suits = [True, True]
    sight = Sight(tuple(ranks), (suits[0], suits[1]))
    return PLAIN if sight == PLAIN else sight


def hands_of(when: When) -> Iterator[tuple[int, HandWhen]]:
    """The conditions on one hand, with each that it may be about: 0 is the Player's, 1 the Banker's."""
    about = ((when.player, (0,)), (when.banker, (1,)), (when.winning, (0, 1)), (when.losing, (0, 1)))
    return ((side, condition) for condition, sides in about if condition is not None for side in sides)


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
        (not condition.first or _named(condition.first, outcome.ranks[place]))
        and (not condition.second or _named(condition.second, outcome.ranks[place + 1]))
        and (not condition.third or _named(condition.third, outcome.ranks[place + 2]))
        and condition.total.allow(total)
        and condition.cards.allow(cards)
        and condition.natural in (None, cards == 2 and total in NATURALS)  # noqa: PLR2004 - two cards
        and condition.pair in (None, outcome.pairs in PAIRED[side])
        and (not condition.suits or outcome.suits[0 if player else 1] in condition.suits)
    )


def _named(letters: tuple[str, ...], rank: Rank | None) -> bool:
    return rank is not None and LETTERS[rank] in letters
