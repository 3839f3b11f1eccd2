"""A live table: the fold of its whole log, the house's own events included."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from thirdcard.cards import Card
from thirdcard.rulebook.model import Side
from thirdcard.service.log import floor_events as own
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import Logged, Pace
from thirdcard.service.log.store.model import GENESIS, Record, RoundRow
from thirdcard.table import State, events, evolve, replay
from thirdcard.table.events import AnyEvent
from thirdcard.table.ledger import CASH
from thirdcard.table.state import Purchase, Round, Settlement, Stake
from thirdcard.table.statements import BROUGHT, PlayedBy, moved, played_by

replace = msgspec.structs.replace
# What ends the situation that a timer was started for.
TIMER_ENDS = frozenset(
    (
        events.BetsOpened,
        events.DifferentialExceeded,
        events.BetsClosed,
        events.BetsReopened,
        events.CardDrawn,
        events.CardsExposed,
        events.InsuranceClosed,
        events.RoundSettled,
        events.RoundVoided,
        events.IrregularityReported,
        events.IrregularityClosed,
    )
)
# What ends a deal, with cards that were never turned, or the shoe they came from.
LEAVES_CARDS = frozenset((events.RoundSettled, events.RoundVoided, events.BetsReopened, events.ShoeStarted))


class RunningTimer(msgspec.Struct, frozen=True, gc=False):
    """`at` is when it was started by the wall clock, for whoever comes back after a stop."""

    name: str
    key: str
    ms: int
    at: int


class Takings(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What of a table's books no balance tells: the chips that came and went, and void rounds."""

    drop: int = 0
    paid_out: int = 0
    void_rounds: int = 0
    brought: dict[str, int] = {}  # by each player, less what the player has cashed in


class Live(msgspec.Struct, frozen=True, kw_only=True):
    """`state` is None until the set-up has been logged."""

    id: str
    version: int = 0
    head: bytes = GENESIS
    created: own.TableCreated | None = None
    pace: Pace | None = None
    closed: bool = False
    state: State | None = None
    commitment: str = ""  # to the order of the shoe in use, until that is revealed
    timer: RunningTimer | None = None
    called: str = ""  # the dealer's call for a supervisor that nobody has answered
    last_at: int = 0
    unturned: int = 0  # the first round of the shoe that left cards which have a name and nobody has seen
    takings: Takings = Takings()
    texts: tuple[PlayedBy, ...] = ()
    checkpointed: int = 0  # the version of the last checkpoint's event

    @property
    def table(self) -> State:
        assert self.state is not None  # a table is served once its set-up is logged
        return self.state

    @property
    def automatic(self) -> bool:
        return self.created is not None and self.created.dealer == "automatic"


def advance(live: Live, event: Logged, stored: Record, state: State | None = None) -> Live:
    """The table after one more record of its log; `state` if it is known what the event comes to."""
    kind = type(event)
    if kind in FLOOR:
        where = {"version": stored.version, "head": stored.hash, "last_at": stored.at}
        return replace(live, **where, **FLOOR[kind](event, stored))
    if isinstance(event, events.TableOpened):
        state = replay([event])
    assert not isinstance(event, own.AnyFloorEvent)
    state = state or evolve(live.table, event)
    return Live(
        id=live.id,
        version=stored.version,
        head=stored.hash,
        created=live.created,
        pace=live.pace,
        closed=live.closed,
        state=state,
        commitment=live.commitment,
        timer=None if kind in TIMER_ENDS else live.timer,
        called=live.called,
        last_at=stored.at,
        unturned=_unturned(live, event, state) if kind in LEAVES_CARDS else live.unturned,
        takings=_takings(live.takings, event) if kind in TAKEN else live.takings,
        texts=played_by(live.texts, event, state.rounds) if kind in BOUND else live.texts,
        checkpointed=live.checkpointed,
    )


TAKEN = frozenset((*BROUGHT, events.RoundVoided))
BOUND = frozenset((events.TableOpened, events.RulebookChanged))


def _takings(takings: Takings, event: AnyEvent) -> Takings:
    if isinstance(event, events.RoundVoided):
        return replace(takings, void_rounds=takings.void_rounds + 1)
    cash = sum(posting.cents for posting in event.postings if posting.account == CASH)
    brought = {player: takings.brought.get(player, 0) + cents for player, cents in moved(event).items()}
    return Takings(
        drop=takings.drop - min(cash, 0),
        paid_out=takings.paid_out + max(cash, 0),
        void_rounds=takings.void_rounds,
        brought=takings.brought | brought,
    )


def _unturned(live: Live, event: AnyEvent, state: State) -> int:
    """The first round from which cards lie about that nobody has seen: the next shoe makes them history."""
    if isinstance(event, events.ShoeStarted):
        return 0
    left = unseen(live.table if isinstance(event, events.BetsReopened) else state)
    return live.unturned or (state.rounds if left else 0)


def unseen(state: State) -> tuple[Card, ...]:
    """The cards that have left the shoe and have a name on record, though not everybody has seen them."""
    current, shoe = state.round, state.shoe
    lying = [*(current.drawn if current else ()), *(shoe.waiting if shoe else ())]
    found = [one.name for one in lying if not one.face_up]
    if current is not None and current.pending is not None:
        first = len(current.drawn) + 1
        for pending in (current.pending, *current.reported):
            out = enumerate(pending.drawn, start=first)
            found += [name for place, name in out if place not in pending.shown]
    return tuple(name for name in found if name is not None)


# What an event of the floor changes.
FLOOR: dict[type, Callable[[Any, Record], dict[str, Any]]] = {
    own.TableCreated: lambda event, _: {"created": event, "pace": event.pace},
    own.TableClosed: lambda *_: {"closed": True},
    own.TableReopened: lambda *_: {"closed": False},
    own.PaceChanged: lambda event, _: {"pace": event.pace},
    own.ShoeCommitted: lambda event, _: {"commitment": event.commitment},
    own.ShoeRevealed: lambda *_: {"commitment": ""},
    own.TimerStarted: lambda event, stored: {
        "timer": RunningTimer(event.timer, event.key, event.ms, stored.at)
    },
    own.SupervisorCalled: lambda event, _: {"called": event.note or "called"},
    own.SupervisorCame: lambda *_: {"called": ""},
    own.Checkpointed: lambda _, stored: {"checkpointed": stored.version},
    own.Noted: lambda *_: {},
}


def recover(stream: str, records: Iterable[Record]) -> Live:
    """The table exactly where its whole log ends."""
    return fold(Live(id=stream), records)


def fold(live: Live, records: Iterable[Record]) -> Live:
    """The table after the records that follow."""
    for stored in records:
        live = advance(live, event_of(stored), stored)
    return live


def steps(live: Live, records: Iterable[Record]) -> Iterator[tuple[Logged, Live]]:
    """The events of the records that follow, each with the table after it."""
    for stored in records:
        event = event_of(stored)
        live = advance(live, event, stored)
        yield event, live


def round_of(live: Live, event: Logged) -> int:
    """The round that an event belongs to: the one being played or last played, 0 before the first."""
    if isinstance(event, events.BetsOpened):
        return event.number
    return live.state.rounds if live.state is not None else 0


class ShownCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card on the table; None while it lies face down, or if nobody but its squeezer ever saw it."""

    hand: Side
    card: Card | None


class RoundRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished round as everybody at the table saw it."""

    table: str
    number: int
    shoe: int
    phase: str
    version: int
    at: int
    cards: tuple[ShownCard, ...]
    stakes: tuple[Stake, ...]
    purchases: tuple[Purchase, ...]
    settlement: Settlement | None
    reason: str = ""
    digest: str = ""  # of the text that it was played by


def finished(live: Live, event: Logged, at: int) -> RoundRow | None:
    """The round as it goes into recall, when this event has just ended it."""
    match event:
        case events.RoundSettled():
            reason = ""
        case events.RoundVoided():
            reason = event.reason
        case _:
            return None
    state, current = live.table, live.table.round
    assert current is not None  # it has just ended
    moved = [p.account.removeprefix("rack:") for p in event.postings if p.account.startswith("rack:")]
    players = dict.fromkeys((*moved, *(stake.player for stake in current.stakes.values())))
    made = RoundRecord(
        table=live.id,
        number=current.number,
        shoe=current.shoe,
        phase=current.phase,
        version=live.version,
        at=at,
        cards=shown_cards(state, current),
        stakes=tuple(current.stakes.values()),
        purchases=current.purchases,
        settlement=current.settlement,
        reason=reason,
        digest=state.setup.digest,
    )
    return RoundRow(number=current.number, at=at, players=tuple(players), body=msgspec.json.encode(made))


def shown_cards(state: State, current: Round) -> tuple[ShownCard, ...]:
    """The cards of a round as everybody sees them."""
    table = state.rules.table_of_play
    return tuple(
        ShownCard(hand=current.hand_of_drawn(table, place), card=card.name if card.face_up else None)
        for place, card in enumerate(current.drawn, start=1)
    )
