"""By what a round is found again: marks that its events leave, each at the time when its bets were opened.

A mark is a kind and a value, `bet:banker` or `staff:Dee`. What a dispute remembers is there (box, bet,
amount, who, result, cards), what happened out of the ordinary (cases, paragraphs of rulings, what is
significant), and who ran the table.
"""

from collections.abc import Iterable, Iterator

from thirdcard.cards import Card
from thirdcard.service.log.floor_events import SYSTEM, Logged
from thirdcard.service.log.store.model import Record, RoundMark
from thirdcard.service.tables.live import Live, shown_cards
from thirdcard.table import events
from thirdcard.table.ledger import rack
from thirdcard.table.state import Round, State

ROUND = "round"  # of every finished round
FINISHED = (events.RoundSettled, events.RoundVoided)
Value = str | int


def mark(kind: str, value: Value) -> str:
    return f"{kind}:{value}"


def hand_mark(hand: str, cards: Iterable[Card]) -> str:
    """The same in whatever order the cards are told."""
    return mark("cards", f"{hand} {' '.join(sorted(map(str, cards)))}")


def stake_mark(box: int, bet: str, cents: int) -> str:
    """What a dispute is about: all three of one stake."""
    return mark("stake", f"{box}/{bet}/{cents}")


def marks_of(before: Live, after: Live, event: Logged, stored: Record) -> Iterator[RoundMark]:
    """What an event adds to its round, from how the table was to how it is."""
    if stored.round and after.state is not None:
        for text in dict.fromkeys(_texts(before, after.table, event, stored)):
            yield RoundMark(text, stored.round, after.opened_at)


def _texts(before: Live, state: State, event: Logged, stored: Record) -> Iterator[str]:
    if stored.by != SYSTEM and rack(stored.by) not in state.balances:
        yield mark("staff", stored.by)
    if stored.flag:
        yield mark("flag", stored.flag)
    if isinstance(event, events.IrregularityReported):
        yield mark("case", event.pending.case)
        yield from (mark("rule", rule) for rule in event.pending.rules)
    elif isinstance(event, events.IrregularityRuled):
        yield mark("case", event.case)
        yield from _ruled(state.round)
    elif isinstance(event, FINISHED):
        lay, current = before.table.round, state.round
        assert lay is not None
        assert current is not None  # it has just ended
        yield ROUND
        yield from _stakes(lay)
        yield from _settled(state, current)
        yield mark("outcome", event.settlement.outcome if isinstance(event, events.RoundSettled) else "void")


def _ruled(current: Round | None) -> Iterator[str]:
    if current is not None and current.pending is not None:
        yield from (mark("rule", rule) for rule in current.pending.rules)


def _stakes(current: Round) -> Iterator[str]:
    """As they lay before they were paid, taken or given back."""
    stakes = [(stake.player, stake.box, stake.bet, stake.cents) for stake in current.stakes.values()]
    bought = [
        (purchase.player, purchase.box, f"{purchase.hand}-insurance", purchase.cents)
        for purchase in current.purchases
    ]
    for player, box, bet, cents in (*stakes, *bought):
        yield mark("player", player)
        yield mark("box", box)
        yield mark("bet", bet)
        yield mark("amount", cents)
        yield stake_mark(box, bet, cents)


def _settled(state: State, current: Round) -> Iterator[str]:
    if current.settlement is not None:
        for line in current.settlement.lines:
            if line.played is not None:  # what the limits, or a ruling, left of it
                yield from (mark("rule", rule) for rule in line.rules)
        for irregularity in current.settlement.irregularities:
            yield mark("case", irregularity.case)
            yield from (mark("rule", rule) for rule in irregularity.rules)
    cards = shown_cards(state, current)
    for hand in ("player", "banker"):
        own = [card.card for card in cards if card.hand == hand]
        shown = [card for card in own if card is not None]
        if shown and len(shown) == len(own):
            yield hand_mark(hand, shown)
