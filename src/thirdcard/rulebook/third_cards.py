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
    totals = {Side.PLAYER: player, Side.BANKER: banker}
    cards = {Side.PLAYER: 2, Side.BANKER: 2}
    drawn = 0
    while (due := next_by_points(table, player, banker, thirds[:drawn])) is not None:
        totals[due] = (totals[due] + thirds[drawn]) % 10
        cards[due] += 1
        drawn += 1
    return totals[Side.PLAYER], totals[Side.BANKER], cards[Side.PLAYER], cards[Side.BANKER]
