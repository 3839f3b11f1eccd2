"""The shoe in use, for anybody: what insurance on offer comes to, what was seen, what bets have won.

Chances are of a fresh shoe less the cards that lie face up.
"""

import msgspec

from thirdcard.cards import Card
from thirdcard.odds import fresh, situation
from thirdcard.play.bets import standing
from thirdcard.play.tableau import INITIAL
from thirdcard.service.tables.live import Live
from thirdcard.table import State
from thirdcard.table.rights.insurance import open_windows
from thirdcard.table.unseen import seen_counts


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
            hand=offer.offer.hand.value,
            window=offer.offer.window,
            win=round(100 * offer.win / offer.rounds, 2),
            push=round(100 * offer.push / offer.rounds, 2),
            lose=round(100 * offer.lose / offer.rounds, 2),
            edge=round(-100 * float(offer.ev or 0), 2),
            tie_paid=offer.offer.tie_paid is not None,
            lost=lost,
        )
        for offer in situation(state.rulebook, fresh(state.setup.decks), cards)
        if offer.rounds
    ]


def _is_lost(state: State, name: str, cards: tuple[Card, ...]) -> bool:
    found = standing(state.rulebook.bets[name], state.rulebook.table_of_play, cards)
    return {verdict for verdict, _ in found.results} == {"lose"}


def seen_cards(state: State) -> tuple[Card, ...]:
    """In an order of our own; a card that was never turned is as unknown as those in the shoe."""
    assert state.shoe is not None  # asked for while there is one
    counts, most = seen_counts(state), state.shoe.decks  # a foreign card may have come out too
    return tuple(Card(name) for name in sorted(counts) for _ in range(min(counts[name], most)))


class ShoeHits(msgspec.Struct, frozen=True, kw_only=True):
    """How many `rounds` were settled, void ones left out; by bet the places of those that it won, from 1."""

    shoe: int | None
    rounds: int
    bets: dict[str, tuple[int, ...]]


def shoe_hits(live: Live) -> ShoeHits:
    state = live.table
    return ShoeHits(
        shoe=state.shoe.number if state.shoe else None,
        rounds=len(state.results),
        bets={bet: live.hits.places.get(bet, ()) for bet in state.setup.bets},
    )
