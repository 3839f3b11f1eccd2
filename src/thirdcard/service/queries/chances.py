"""What insurance on offer comes to, for anybody: of a fresh shoe less the cards that lie face up."""

import msgspec

from thirdcard.cards import Card
from thirdcard.odds import fresh, situation
from thirdcard.play.bets import standing
from thirdcard.play.tableau import INITIAL
from thirdcard.table import State
from thirdcard.table.rights.insurance import open_windows


class OfferChance(msgspec.Struct, frozen=True, kw_only=True):
    """An open offer, in percent; `tie_paid` says that a tie wins it too.

    `lost` are the bets of the layout that no card can win any more.
    """

    hand: str
    window: int
    win: float
    push: float
    lose: float
    edge: float
    tie_paid: bool
    lost: tuple[str, ...]


def offer_chances(state: State) -> list[OfferChance]:
    """Every open offer with its honest odds; none while a card lies face down."""
    current = state.round
    if current is None or all(window.late_for for window in open_windows(state, current)):
        return []
    cards = current.seen
    if len(cards) != len(current.drawn) or len(cards) not in (INITIAL, INITIAL + 1):
        return []
    lost = tuple(name for name in state.setup.bets if _is_lost(state, name, cards))
    return [
        OfferChance(
            hand=one.offer.hand.value,
            window=one.offer.window,
            win=round(100 * one.win / one.rounds, 2),
            push=round(100 * one.push / one.rounds, 2),
            lose=round(100 * one.lose / one.rounds, 2),
            edge=round(-100 * float(one.ev or 0), 2),
            tie_paid=one.offer.tie_paid is not None,
            lost=lost,
        )
        for one in situation(state.rulebook, fresh(state.setup.decks), cards)
        if one.rounds
    ]


def _is_lost(state: State, name: str, cards: tuple[Card, ...]) -> bool:
    found = standing(state.rulebook.bets[name], state.rulebook.table_of_play, cards)
    return {verdict for verdict, _ in found.results} == {"lose"}
