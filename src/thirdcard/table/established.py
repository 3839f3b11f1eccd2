"""Is an outcome established? From the cards everybody has seen and the bets the layout offers."""

from thirdcard.cards import Card
from thirdcard.play.bets import standing
from thirdcard.play.outcome import Outcome, possible
from thirdcard.play.tableau import LONGEST
from thirdcard.table.state import Round, State


def still_possible(
    state: State, current: Round, extra: tuple[Card, ...] = (), shown: tuple[int, ...] = ()
) -> frozenset[Outcome]:
    """Every outcome that the cards everybody has seen leave open, in the order drawn.

    `extra` cards came out besides; of these only the `shown` ones have been seen.
    """
    cards = (current.cards + extra)[:LONGEST]
    seen = {*current.exposed, *shown}
    known = tuple(card if place in seen else None for place, card in enumerate(cards, start=1))
    return possible(state.rules.table_of_play, known)


def establishing_bet(state: State, outcomes: frozenset[Outcome], among: tuple[str, ...]) -> str:
    """The first bet that is conclusively won or lost, empty if none is (interpretation 24)."""
    return next((bet for bet in among if standing(state.rules.bets[bet], outcomes).decided), "")


def undecided(state: State, current: Round, player: str) -> list[str]:
    """The player's stakes that are not yet conclusively won or lost (interpretation 26)."""
    if current.settlement is not None:
        return []
    pending = current.pending
    outcomes = still_possible(state, current)
    if pending is not None and {"reconstruct", "decide-order"} & set(pending.remedies):
        outcomes = still_possible(state, current, pending.drawn, pending.shown)  # not yet laid to their hands
    return [
        key
        for key, stake in current.stakes.items()
        if stake.player == player and not standing(state.rules.bets[stake.bet], outcomes).decided
    ]
