"""A live table: the fold of its whole log, the house's own events included."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args

import msgspec
import msgspec.inspect

from thirdcard.cards import Card
from thirdcard.rulebook.model import Side
from thirdcard.service.log import floor_events as own
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import Logged, Pace
from thirdcard.service.log.store.model import GENESIS, Record, RoundRow
from thirdcard.table import State, events, evolve
from thirdcard.table.events import AnyEvent
from thirdcard.table.state import Purchase, Round, Settlement, Stake

replace = msgspec.structs.replace
# What ends the situation that a timer was started for.
TIMER_ENDS = (
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
# What ends a deal, with cards that were never turned, or the shoe they came from.
LEAVES_CARDS = (events.RoundSettled, events.RoundVoided, events.BetsReopened, events.ShoeStarted)
LARGE_WIN_CENTS = 1_000_000  # a player's net of one round from here on is significant


class RunningTimer(msgspec.Struct, frozen=True, gc=False):
    """`at` is when it was started by the wall clock, for whoever comes back after a stop."""

    name: str
    key: str
    ms: int
    at: int


class Promise(msgspec.Struct, frozen=True, gc=False):
    """What was published of a shoe before its first card; `revealed` is the version that kept the promise."""

    shoe: int
    commitment: str
    revealed: int = 0


class Live(msgspec.Struct, frozen=True, kw_only=True):
    """`state` is None until the set-up has been logged; `promises` are of all shoes, the last one in use."""

    id: str
    version: int = 0
    head: bytes = GENESIS
    created: own.TableCreated | None = None
    pace: Pace | None = None
    closed: bool = False
    state: State | None = None
    promises: tuple[Promise, ...] = ()
    timer: RunningTimer | None = None
    called: str = ""  # the dealer's call for a supervisor that nobody has answered
    last_at: int = 0
    unturned: int = 0  # the first round of the shoe that left cards which have a name and nobody has seen

    @property
    def table(self) -> State:
        assert self.state is not None  # a table is served once its set-up is logged
        return self.state

    @property
    def commitment(self) -> str:
        """The promise that is still to be kept, if any."""
        return self.promises[-1].commitment if self.promises and not self.promises[-1].revealed else ""

    @property
    def automatic(self) -> bool:
        return self.created is not None and self.created.dealer == "automatic"


def advance(live: Live, event: Logged, stored: Record, state: State | None = None) -> Live:
    """The table after one more record of its log; `state` if it is known what the event comes to."""
    changed = replace(live, version=stored.version, head=stored.hash, last_at=stored.at)
    if isinstance(event, own.AnyFloorEvent):
        return replace(changed, **HOUSE[type(event)](live, event, stored))
    if isinstance(event, events.TableOpened):
        return replace(changed, state=State(setup=event.setup, staff=event.setup.staff))
    timer = None if isinstance(event, TIMER_ENDS) else live.timer
    state = state or evolve(live.table, event)
    if isinstance(event, LEAVES_CARDS):
        return replace(changed, state=state, timer=timer, unturned=_unturned(live, event, state))
    return replace(changed, state=state, timer=timer)


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


def _revealed(live: Live, event: Any, stored: Record) -> dict[str, Any]:  # noqa: ANN401, ARG001
    kept = replace(live.promises[-1], revealed=stored.version)
    return {"promises": (*live.promises[:-1], kept)}


# What an event of the house changes.
HOUSE: dict[type, Callable[[Live, Any, Record], dict[str, Any]]] = {
    own.TableCreated: lambda _, event, __: {"created": event, "pace": event.pace},
    own.TableClosed: lambda *_: {"closed": True},
    own.TableReopened: lambda *_: {"closed": False},
    own.PaceChanged: lambda _, event, __: {"pace": event.pace},
    own.ShoeCommitted: lambda live, event, _: {
        "promises": (*live.promises, Promise(event.shoe, event.commitment))
    },
    own.ShoeRevealed: _revealed,
    own.TimerStarted: lambda _, event, stored: {
        "timer": RunningTimer(event.timer, event.key, event.ms, stored.at)
    },
    own.SupervisorCalled: lambda _, event, __: {"called": event.note or "called"},
    own.SupervisorCame: lambda *_: {"called": ""},
    own.Noted: lambda *_: {},
}


def recover(stream: str, records: Iterable[Record]) -> Live:
    """The table exactly where its log ends."""
    live = Live(id=stream)
    for stored in records:
        live = advance(live, event_of(stored), stored)
    return live


def round_of(live: Live, event: Logged) -> int:
    """The round that an event belongs to: the one being played or last played, 0 before the first."""
    if isinstance(event, events.BetsOpened):
        return event.number
    return live.state.rounds if live.state is not None else 0


def covered(live: Live, number: int) -> bool:
    """Whether records of a round may hold cards that nobody has seen yet.

    Then their hashes are not told either: whoever tries all 52 cards would find the one that fits.
    """
    if live.state is None:
        return False
    if live.unturned:
        return number >= live.unturned
    playing = live.table.phase in ("betting", "adjusting", "dealing")
    hidden = (playing and live.table.setup.dealing.face_down) or bool(unseen(live.table))
    return hidden and number >= live.table.rounds


def hides(name: str) -> tuple[str, ...]:
    """The fields of the events of that name which may tell cards, or what follows from them."""
    return CARD_FIELDS.get(name, ())


def _tells_cards(made: type[msgspec.Struct]) -> tuple[str, ...]:
    found = msgspec.inspect.type_info(made)
    assert isinstance(found, msgspec.inspect.StructType)
    told = [one.name for one in found.fields if _holds_card(one.type)]
    return (*told, "changes") if made is events.RecordAmended else tuple(told)


def _holds_card(kind: msgspec.inspect.Type) -> bool:
    """Whether a card can be a value of that type, or part of one."""
    if isinstance(kind, msgspec.inspect.EnumType):
        return kind.cls is Card
    if isinstance(kind, msgspec.inspect.UnionType):
        return any(_holds_card(one) for one in kind.types)
    if isinstance(kind, msgspec.inspect.StructType):
        return any(_holds_card(one.type) for one in kind.fields)
    if isinstance(kind, msgspec.inspect.VarTupleType):
        return _holds_card(kind.item_type)
    if isinstance(kind, msgspec.inspect.TupleType):
        return any(map(_holds_card, kind.item_types))
    return isinstance(kind, msgspec.inspect.DictType) and any(
        map(_holds_card, (kind.key_type, kind.value_type))
    )


CARD_FIELDS: dict[str, tuple[str, ...]] = {
    str(made.__struct_config__.tag): _tells_cards(made) for made in get_args(AnyEvent)
}


def table_events(records: Iterable[Record]) -> Iterator[AnyEvent]:
    """The events of the table's own rounds, without the house's."""
    for stored in records:
        event = event_of(stored)
        if not isinstance(event, own.AnyFloorEvent):
            yield event


SIGNIFICANT: dict[type, str] = {
    events.RoundVoided: "void",
    events.SettlementReversed: "reversal",
    events.CardsCorrected: "correction",
    events.RecordAmended: "correction",
    events.ReportDismissed: "ruling",
    events.IrregularityRuled: "ruling",
    events.SetupChanged: "limits",
    events.StaffAssigned: "rank",
    own.PaceChanged: "limits",
    own.TableCreated: "table",
    own.TableClosed: "table",
    own.TableReopened: "table",
    own.SupervisorCalled: "call",
}


def significance(event: Logged) -> str:
    """What makes an event one for the significant-event log; empty for everyday ones."""
    if isinstance(event, own.Noted):
        return event.kind
    if isinstance(event, events.RoundSettled):
        return "large-win" if _largest_win(event.settlement) >= LARGE_WIN_CENTS else ""
    if isinstance(event, events.IrregularityRuled) and event.inputs.overrides:
        return "override"
    return SIGNIFICANT.get(type(event), "")


def _largest_win(settlement: Settlement) -> int:
    nets: dict[str, int] = {}
    for line in settlement.lines:
        nets[line.player] = nets.get(line.player, 0) + line.net
    return max(nets.values(), default=0)


class SeenHand(msgspec.Struct, frozen=True, kw_only=True):
    """A card of a finished round; None if nobody but its squeezer ever saw it."""

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
    cards: tuple[SeenHand, ...]
    stakes: tuple[Stake, ...]
    purchases: tuple[Purchase, ...]
    settlement: Settlement | None
    reason: str = ""


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
        cards=_shown(state, current),
        stakes=tuple(current.stakes.values()),
        purchases=current.purchases,
        settlement=current.settlement,
        reason=reason,
    )
    return RoundRow(number=current.number, at=at, players=tuple(players), body=msgspec.json.encode(made))


def _shown(state: State, current: Round) -> tuple[SeenHand, ...]:
    return tuple(
        SeenHand(
            hand=current.hand(state.rules.table_of_play, place) or Side.BANKER,
            card=card.name if card.face_up else None,
        )
        for place, card in enumerate(current.drawn, start=1)
    )
