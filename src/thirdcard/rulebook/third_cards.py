"""What a Table of Play says: whose card is next, by points."""

from functools import lru_cache
from itertools import product
from typing import Final, TypeVar

from thirdcard.rulebook.model import Side, TableOfPlay

T = TypeVar("T")
TWO: Final = 2  # cards of a hand that draws no third


def next_by_points(table: TableOfPlay, player: int, banker: int, thirds: tuple[int, ...] = ()) -> Side | None:
    """The hand that draws, from the two-card totals and the points of the third cards drawn since."""
    if player in table.natural or banker in table.natural:
        return None
    if player not in table.player_draws:
        return None if thirds or banker not in table.banker_draws_if_player_stands else Side.BANKER
    if not thirds:
        return Side.PLAYER
    return Side.BANKER if len(thirds) == 1 and thirds[0] in table.banker_draws[banker] else None


def third_cards(ending: tuple[int, int, int, int], fifth: T, sixth: T) -> tuple[T | None, T | None]:
    """The Player's third card and the Banker's, of the next two; `None` for a hand that draws none."""
    _, _, player, banker = ending
    if player == TWO:
        return None, None if banker == TWO else fifth
    return fifth, None if banker == TWO else sixth


def play_out(
    table: TableOfPlay, player: int, banker: int, thirds: tuple[int, int]
) -> tuple[int, int, int, int]:
    """Final totals and numbers of cards, Player's and Banker's, from two-card totals and the next two cards.

    Third cards count by their points; one that nobody draws is left alone.
    """
    due = next_by_points(table, player, banker)
    if due is None:
        return player, banker, 2, 2
    if due is Side.BANKER:
        return player, (banker + thirds[0]) % 10, 2, 3
    drawn = (player + thirds[0]) % 10
    if next_by_points(table, player, banker, thirds[:1]) is Side.BANKER:
        return drawn, (banker + thirds[1]) % 10, 3, 3
    return drawn, banker, 3, 2


@lru_cache(maxsize=16)
def every_ending(table: TableOfPlay) -> dict[tuple[int, ...], tuple[int, int, int, int]]:
    """The same by all four of these."""
    every = product(range(10), repeat=4)
    return {(i, j, fifth, sixth): play_out(table, i, j, (fifth, sixth)) for i, j, fifth, sixth in every}
