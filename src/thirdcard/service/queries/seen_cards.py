"""The cards of the shoe in use that everybody has seen, and no others: what its odds may be worked out of."""

from thirdcard.cards import Card
from thirdcard.table import State
from thirdcard.table.unseen import seen_counts


def seen_cards(state: State) -> tuple[Card, ...]:
    """In an order of our own; a card that was never turned is as unknown as those in the shoe."""
    assert state.shoe is not None  # asked for while there is one
    counts, most = seen_counts(state), state.shoe.decks  # a foreign card may have come out too
    return tuple(Card(name) for name in sorted(counts) for _ in range(min(counts[name], most)))
