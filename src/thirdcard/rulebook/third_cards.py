"""What a Table of Play says: whose card is next, by points."""

from thirdcard.rulebook.model import Side, TableOfPlay


def next_by_points(table: TableOfPlay, player: int, banker: int, thirds: tuple[int, ...] = ()) -> Side | None:
    """The hand that draws, from the two-card totals and the points of the third cards drawn since."""
    if player in table.natural or banker in table.natural:
        return None
    if player not in table.player_draws:
        return None if thirds or banker not in table.banker_draws_if_player_stands else Side.BANKER
    if not thirds:
        return Side.PLAYER
    return Side.BANKER if len(thirds) == 1 and thirds[0] in table.banker_draws[banker] else None


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
