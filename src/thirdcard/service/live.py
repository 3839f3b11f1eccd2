"""A live table: the fold of its whole log, the house's own events included."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from thirdcard.cards import Card
from thirdcard.rulebook.model import Side
from thirdcard.service import events as own
from thirdcard.service.codec import event_of
from thirdcard.service.dealer import Pace
from thirdcard.service.events import Logged
from thirdcard.service.store.model import GENESIS, Record, RoundRow
from thirdcard.table import State, events, evolve
from thirdcard.table.decide.squeezing import hand_of
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


def advance(live: Live, event: Logged, stored: Record) -> Live:
    """The table after one more record of its log."""
    changed = replace(live, version=stored.version, head=stored.hash, last_at=stored.at)
    if isinstance(event, own.AnyHouseEvent):
        return replace(changed, **HOUSE[type(event)](live, event, stored))
    if isinstance(event, events.TableOpened):
        return replace(changed, state=State(setup=event.setup, staff=event.setup.staff))
    timer = None if isinstance(event, TIMER_ENDS) else live.timer
    return replace(changed, state=evolve(live.table, event), timer=timer)


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
    playing = live.state is not None and live.table.phase in ("betting", "adjusting", "dealing")
    return playing and live.table.setup.dealing.face_down and number >= live.table.rounds


def table_events(records: Iterable[Record]) -> Iterator[AnyEvent]:
    """The events of the table's own rounds, without the house's."""
    for stored in records:
        event = event_of(stored)
        if not isinstance(event, own.AnyHouseEvent):
            yield event


SIGNIFICANT: dict[type, str] = {
    events.RoundVoided: "void",
    events.SettlementReversed: "reversal",
    events.CardsCorrected: "correction",
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
            hand=hand_of(state, current, place) or Side.BANKER,
            card=card if place in current.exposed else None,
        )
        for place, card in enumerate(current.cards, start=1)
    )
