"""What conditions ask of single cards: each card at a place counts for a number, and the sum has to be right.

So "three sevens" counts one for each seven, "no picture" allows a sum of nothing, and of two cards that are
compared the one counts upwards and the other downwards.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import msgspec

from thirdcard.cards import Card, Rank, Suit
from thirdcard.rulebook.parts import Numbers, Part

RANKS: Final = "A23456789TJQK"
PLACES: Final = ("first", "second", "third")
NAMED_SUITS: Final[dict[str, tuple[Suit, ...]]] = {
    **{suit.name.lower(): (suit,) for suit in Suit},
    "red": (Suit.HEARTS, Suit.DIAMONDS),
    "black": (Suit.SPADES, Suit.CLUBS),
}
CARD_NAME: Final = rf"^([{RANKS}][SHDC]?|{'|'.join(NAMED_SUITS)})$"
CardName: TypeAlias = Annotated[str, msgspec.Meta(pattern=CARD_NAME, examples=["7", "9S", "hearts", "red"])]
RankPair: TypeAlias = Annotated[str, msgspec.Meta(pattern=rf"^[{RANKS}]{{2}}$", examples=["KQ", "77"])]
Place: TypeAlias = Literal[
    "player.first", "player.second", "player.third", "banker.first", "banker.second", "banker.third"
]
Cards: TypeAlias = tuple[Card | None, ...]  # by place: the Player's first, second and third, the Banker's
DECK: Final = tuple(Card)
ALL_PLACES: Final = tuple(range(6))
UP, DOWN = 20, 60  # what two cards that are compared count beside their order: neither does alone
TOO_MANY: Final = 10  # cards
MARKS: Final = (0, 2, 5, 25, 37, 43, 59, 70, 85, 89, 98, 99, 106)  # no two add up to what two others do
MOST: Final = 256  # no sum reaches it


class Count(Part, frozen=True, kw_only=True):
    """How many cards are such; `suited` if these are of one suit, `initial` of the first two of each hand."""

    of: tuple[CardName, ...]
    number: Numbers
    suited: bool = False
    initial: bool = False


class Compare(Part, frozen=True, kw_only=True):
    """How one card compares with another, by rank from the ace to the king, or by points."""

    card: Place
    how: tuple[Literal["higher", "same", "lower"], ...]
    than: Place
    by: Literal["rank", "points"] = "rank"


class Sum(NamedTuple):
    """What each card counts at each of the six places, and the sums that will do."""

    values: tuple[tuple[int, ...], ...]
    allowed: frozenset[int]

    def of(self, cards: Cards) -> int:
        """A card that was not drawn counts nothing."""
        return sum([self.values[place][NUMBERS[card]] for place, card in enumerate(cards) if card])

    def begun(self, places: tuple[int, ...], cards: Cards) -> int:
        """What some cards of a round count; as little as can be of all that is too much."""
        counts = [
            self.values[place][NUMBERS[card]] for place, card in zip(places, cards, strict=True) if card
        ]
        return min(sum(counts), max(self.allowed, default=-1) + 1)


class Sums(NamedTuple):
    """One of these has to hold, with all its sums."""

    either: tuple[tuple[Sum, ...], ...]

    def fit(self, cards: Cards) -> bool:
        return any(all(one.of(cards) in one.allowed for one in both) for both in self.either)


NUMBERS: Final = {card: number for number, card in enumerate(DECK)}
NOTHING: Final = (0,) * len(DECK)


@lru_cache(maxsize=1024)
def cards_named(names: tuple[str, ...]) -> frozenset[Card]:
    """The cards that any of these names is one of.

    >>> len(cards_named(("7", "red")))
    28
    """
    return frozenset(card for card in DECK if any(_is_named(card, name) for name in names))


def _is_named(card: Card, name: str) -> bool:
    if name in NAMED_SUITS:
        return card.suit in NAMED_SUITS[name]
    return str(card).startswith(name)


def _ones(cards: frozenset[Card]) -> tuple[int, ...]:
    return tuple([int(card in cards) for card in DECK])


def _at(places: Iterable[int], values: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    wanted = set(places)
    return tuple([values if place in wanted else NOTHING for place in ALL_PLACES])


def _counting(cards: frozenset[Card], places: Iterable[int], numbers: Iterable[int]) -> Sum:
    return Sum(_at(places, _ones(cards)), frozenset(numbers))


def counted(count: Count, places: tuple[int, ...]) -> Sums:
    """Where the cards have to be of one suit, one of another counts more than all of that one can."""
    there = tuple(place for place in places if not (count.initial and place % 3 == 2))  # noqa: PLR2004 - thirds
    cards, number = cards_named(count.of), frozenset(count.number)
    if not count.suited:
        return Sums(((_counting(cards, there, number),),))
    of_suits = (frozenset(card for card in cards if card.suit is suit) for suit in Suit)
    return Sums(
        tuple(
            (
                Sum(
                    _at(
                        there, tuple([int(card in suit) + TOO_MANY * (card in cards - suit) for card in DECK])
                    ),
                    number,
                ),
            )
            for suit in of_suits
            if suit
        )
    )


def every_card(names: tuple[str, ...], places: tuple[int, ...]) -> Sums:
    return Sums(((_counting(frozenset(DECK) - cards_named(names), places, (0,)),),))


def no_card(names: tuple[str, ...], places: tuple[int, ...]) -> Sums:
    return Sums(((_counting(cards_named(names), places, (0,)),),))


@cache
def card_at(names: tuple[str, ...], place: int) -> Sums:
    return Sums(((_counting(cards_named(names), (place,), (1,)),),))


def first_two(totals: Numbers, side: int) -> Sums:
    values = _at((3 * side, 3 * side + 1), tuple([card.points for card in DECK]))
    return Sums(((Sum(values, frozenset(total + ten for total in totals for ten in (0, 10))),),))


def either_way(pairs: tuple[str, ...], side: int) -> Sums:
    """First two cards of these ranks; those that are not named count alike."""
    named = [letter for letter in RANKS if any(letter in pair for pair in pairs)]
    marks = dict(zip(named, MARKS[1:] if len(named) < len(RANKS) else MARKS, strict=False))
    values = _at((3 * side, 3 * side + 1), tuple([marks.get(card.rank.letter, MARKS[0]) for card in DECK]))
    return Sums(((Sum(values, frozenset(marks[pair[0]] + marks[pair[1]] for pair in pairs)),),))


def compared(compare: Compare) -> Sums:
    """Two cards that are there, by the difference of what they count."""
    order = [card.rank if compare.by == "rank" else card.points for card in DECK]
    values = [NOTHING] * len(ALL_PLACES)
    values[place_number(compare.card)] = tuple([UP + one for one in order])
    values[place_number(compare.than)] = tuple([DOWN - one for one in order])
    signs = {"higher": range(1, len(Rank)), "same": (0,), "lower": range(1 - len(Rank), 0)}
    return Sums(
        ((Sum(tuple(values), frozenset(UP + DOWN + by for how in compare.how for by in signs[how])),),)
    )


def place_number(place: str) -> int:
    side, _, which = place.partition(".")
    return 3 * (side == "banker") + PLACES.index(which)


def seen_alike(asked: Iterable[Sums]) -> tuple[tuple[Card, ...], ...]:
    """By place: for each card the first that counts the same in every sum; nothing where there is no sum."""
    sums = list(dict.fromkeys(one for sums in asked for both in sums.either for one in both))
    if not sums:
        return ()
    by_place = []
    for place in ALL_PLACES:
        first: dict[tuple[int, ...], Card] = {}
        counts = zip(DECK, zip(*(one.values[place] for one in sums), strict=True), strict=True)
        by_place.append(tuple([first.setdefault(count, card) for card, count in counts]))
    return tuple(by_place)


def by_rank(alike: tuple[Card, ...]) -> bool:
    """Whether cards of one rank are always as good as each other."""
    suits = [alike[start : start + len(Rank)] for start in range(0, len(DECK), len(Rank))]
    return all(suit == suits[0] for suit in suits)
