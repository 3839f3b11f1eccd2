"""What a shoe holds, by rank: all that the odds of its next round depend on."""

from collections.abc import Iterable
from math import perm

import msgspec

from thirdcard.cards import Card, Rank, check_copies
from thirdcard.errors import BadInput
from thirdcard.play.settlement import DEFAULT_DECKS
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.lookup import check_decks
from thirdcard.rulebook.model import Rulebook

SUITS = 4
VALUES = tuple(rank.points for rank in Rank)  # the points of each rank, ace to king


class Composition(msgspec.Struct, frozen=True):
    """How many cards of each rank are left, ace to king."""

    ranks: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.ranks) != len(Rank) or any(count < 0 for count in self.ranks):
            raise BadInput(
                f"a composition is {len(Rank)} counts, ace to king, none below zero: got {self.ranks}"
            )

    @property
    def cards(self) -> int:
        return sum(self.ranks)

    @property
    def points(self) -> tuple[int, ...]:
        """How many cards of each point value 0 to 9 are left."""
        counts = [0] * 10
        for value, count in zip(VALUES, self.ranks, strict=True):
            counts[value] += count
        return tuple(counts)

    @property
    def sequences(self) -> int:
        """The ordered ways to draw six cards: what every count of rounds adds up to."""
        return perm(self.cards, LONGEST)

    def without(self, cards: Iterable[Card]) -> "Composition":
        ranks = list(self.ranks)
        for card in cards:
            ranks[card.rank - 1] -= 1
            if ranks[card.rank - 1] < 0:
                raise BadInput(
                    f"no {card.rank.letter} is left in the shoe, so {card} cannot be drawn from it"
                )
        return Composition(tuple(ranks))


def fresh(decks: int = DEFAULT_DECKS) -> Composition:
    return Composition((SUITS * decks,) * len(Rank))


def shoe(rulebook: Rulebook, decks: int = DEFAULT_DECKS, seen: tuple[Card, ...] = ()) -> Composition:
    """A shoe of that rulebook without the cards already seen; there is a whole round left in it."""
    check_decks(rulebook, decks)
    check_copies(seen, decks)
    left = fresh(decks).without(seen)
    check_round(left)
    return left


def check_round(composition: Composition) -> None:
    if composition.cards < LONGEST:
        raise BadInput(f"not enough cards for a round: {composition.cards} left, {LONGEST} needed")
