"""The cards of the shoe in use that everybody has seen, and no others: what its odds may be worked out of."""

from collections import Counter

import msgspec

from thirdcard.cards import Card
from thirdcard.service.log.store.model import Store
from thirdcard.service.tables.live import Live, RoundRecord, unseen

MOST_ROUNDS = 200  # no shoe has that many


def seen_cards(store: Store, live: Live) -> tuple[Card, ...]:
    """In an order of our own.

    A round may leave cards that were never turned, so where cards lie face down only those count that
    finished rounds have shown.
    """
    state, current = live.table, live.table.round
    assert state.shoe is not None  # asked for while there is one
    if not state.setup.dealing.face_down and not live.unturned:
        counts = Counter(state.shoe.drawn)
        counts.subtract(card.value for card in unseen(state))
        return _in_order(counts)
    shown: list[Card | None] = [one.name for one in state.shoe.waiting if one.face_up]
    for row in store.rounds(live.id, limit=MOST_ROUNDS):
        record = msgspec.json.decode(row.body, type=RoundRecord)
        if record.shoe == state.shoe.number and (current is None or record.number != current.number):
            shown += [one.card for one in record.cards]
    if current is not None and current.shoe == state.shoe.number:
        shown += [one.name for one in current.drawn if one.face_up]
    return _in_order(Counter(card.value for card in shown if card is not None))


def _in_order(counts: Counter[str]) -> tuple[Card, ...]:
    return tuple(Card(name) for name in sorted(counts) for _ in range(counts[name]))
