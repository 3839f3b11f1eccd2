"""Whose card is due, and what can still be drawn."""

from thirdcard.play.tableau import INITIAL, Deal, next_hand
from thirdcard.rulebook.model import Side
from thirdcard.table.state import Round, Shoe, State

POINTS = 10  # a card has one of so many values


def banker_draws_anyway(state: State, deal: Deal) -> bool:
    """Whether after four cards the Player draws, and the Banker against every third card (interp. 16)."""
    if len(deal.cards) != INITIAL or deal.next is not Side.PLAYER:
        return False
    return len(set(state.rulebook.table_of_play.banker_draws[deal.banker_points])) == POINTS


def banker_third_is_first(state: State, current: Round) -> bool:
    """Whether the Banker's third card is seen first: by consent, while the cards are such as allow it."""
    if not current.reversed:
        return False
    return banker_draws_anyway(state, Deal(state.rulebook.table_of_play, current.seen[:INITIAL]))


def due_hand(state: State, current: Round) -> Side | None:
    """Whose card may be drawn now: due under the Table of Play, and all before it seen.

    Where the Banker's third card is seen first, it is drawn while the Player's lies face down.
    """
    drawn = len(current.drawn)
    if drawn < INITIAL:
        return Side.BANKER if drawn % 2 else Side.PLAYER
    seen = current.seen
    if len(seen) == drawn:
        return next_hand(state.rulebook.table_of_play, seen)
    first = drawn == INITIAL + 1 and len(seen) == INITIAL and banker_third_is_first(state, current)
    return Side.BANKER if first else None


def cut_card_is_next(state: State, shoe: Shoe) -> bool:
    return not shoe.cut_out and not shoe.waiting and shoe.left <= state.setup.cut


def is_sorted(current: Round) -> bool:
    """Whether the cards of the device lie sorted on the table: no more can be drawn of them (MBS 5.11)."""
    return any("substitute-cards" in irregularity.remedies for irregularity in current.irregularities)


def cards_to_come(state: State) -> int:
    """Cards that can still be drawn in the round, those that wait included (interpretation 61)."""
    shoe, current = state.shoe, state.round
    if shoe is None:
        return 0
    return len(shoe.waiting) if current is not None and is_sorted(current) else shoe.to_come


def any_card_out(current: Round) -> bool:
    """Whether a card of this deal has left the shoe, on record or in a report."""
    reports = (current.pending, *current.reported)
    return bool(current.drawn) or any(report is not None and report.drawn for report in reports)


def may_withdraw(current: Round) -> bool:
    """Whether wagers may be withdrawn: allowed when the cut card came first, and no card has come since.

    A report does not take it away, a reset ends it (MBS 3.22.1, interpretation 60).
    """
    return current.withdrawal and current.phase == "dealing" and not any_card_out(current)
