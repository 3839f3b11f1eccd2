"""Chance from a seed: the same draws for the same seed, on any machine and any Python."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, TypeVar

from thirdcard.cards import Card, Rank

T = TypeVar("T")

BYTES: Final = 64  # of one block
WIDTH: Final = 4  # bytes of a draw
MOST: Final = 256**WIDTH
EVERY_CARD: Final = tuple(Card)
BY_RANK: Final = {rank: tuple(card for card in Card if card.rank is rank) for rank in Rank}
BY_POINTS: Final = {points: tuple(rank for rank in Rank if rank.points == points) for points in range(10)}


class SeededChance:
    """Draws that depend on a text and on nothing else."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._block, self._place, self._number = b"", 0, 0

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit - 1`, each as likely as another."""
        fair = MOST - MOST % limit
        while True:
            if self._place >= len(self._block):
                counted = self._number.to_bytes(8, "big")
                self._block = blake2b(self._seed + counted, digest_size=BYTES).digest()
                self._place, self._number = 0, self._number + 1
            drawn = int.from_bytes(self._block[self._place : self._place + WIDTH], "big")
            self._place += WIDTH
            if drawn < fair:
                return drawn % limit

    def pick(self, some: Sequence[T]) -> T:
        return some[self.below(len(some))]

    def shuffled(self, some: Sequence[T]) -> list[T]:
        left = list(some)
        for place in range(len(left) - 1, 0, -1):
            other = self.below(place + 1)
            left[place], left[other] = left[other], left[place]
        return left

    def some(self, of: Sequence[T], count: int) -> list[T]:
        """So many of them, in their order."""
        chosen = set(self.shuffled(range(len(of)))[:count])
        return [one for place, one in enumerate(of) if place in chosen]

    def card(self, points: int | None = None) -> Card:
        """Any card, or any with these points."""
        if points is None:
            return self.pick(EVERY_CARD)
        return self.pick(BY_RANK[self.pick(BY_POINTS[points])])

    def two_cards(self, total: int) -> tuple[Card, Card]:
        """Two cards of that total, as likely as they are dealt: four of the 13 ranks count nothing."""
        while True:
            first = self.card()
            rest = (total - first.points) % 10
            if rest == 0 or self.below(4) == 0:
                return first, self.card(rest)
