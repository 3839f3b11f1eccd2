"""What insurance on offer comes to, for anybody: of a fresh shoe less the cards that lie face up."""

import msgspec

from thirdcard.odds import fresh, situation
from thirdcard.play.tableau import INITIAL
from thirdcard.table import State


class OfferChance(msgspec.Struct, frozen=True, kw_only=True):
    """An open offer, in percent."""

    hand: str
    window: int
    win: float
    push: float
    lose: float
    edge: float


def offer_chances(state: State) -> list[OfferChance]:
    """Every open offer with its honest odds; none while a card lies face down."""
    current = state.round
    if current is None or current.window is None or not current.window.offers:
        return []
    cards = current.seen
    if len(cards) != len(current.drawn) or len(cards) not in (INITIAL, INITIAL + 1):
        return []
    return [
        OfferChance(
            hand=one.offer.hand.value,
            window=one.offer.window,
            win=round(100 * one.win / one.rounds, 2),
            push=round(100 * one.push / one.rounds, 2),
            lose=round(100 * one.lose / one.rounds, 2),
            edge=round(-100 * float(one.ev or 0), 2),
        )
        for one in situation(state.rules, fresh(state.setup.decks), cards)
        if one.rounds
    ]
