"""What pages know of the house besides their words, and are told with them: how cards are written, chips."""

from typing import Final, TypedDict

from thirdcard.cards import Rank, Suit
from thirdcard.money import CHIP_VALUES

MARKS: Final = dict(zip((suit.value for suit in Suit), "♠♥♦♣", strict=True))
NOT_IN_RACKS: Final = (25, 25_000)  # dollars; a player's rack makes them of smaller chips
LARGEST_IN_TRAYS: Final = 10_000  # dollars; what a dealer counts and changes


class Facts(TypedDict):
    ranks: str
    suits: dict[str, str]
    chips: list[int]
    rack: list[int]
    tray: list[int]


def facts() -> Facts:
    """Ranks, suits with their marks, and in cents the chips there are, those of a rack and of a tray."""
    return {
        "ranks": "".join(rank.letter for rank in Rank),
        "suits": MARKS,
        "chips": [value * 100 for value in CHIP_VALUES],
        "rack": [value * 100 for value in CHIP_VALUES if value not in NOT_IN_RACKS],
        "tray": [value * 100 for value in CHIP_VALUES if value <= LARGEST_IN_TRAYS],
    }
