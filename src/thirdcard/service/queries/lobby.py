"""Tables as a lobby shows them, for anybody; what a dealer wrote when calling the pit is for staff alone."""

from collections.abc import Hashable, Iterable

import msgspec

from thirdcard.service.log.floor_events import Pace
from thirdcard.service.people.roles import Person, allowed
from thirdcard.service.tables.away import ABSENT_ROUNDS
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.publish import PublicFacts, TimerView, public_facts
from thirdcard.table.setup import Limit

FEW_TABLES = 30  # that are looked at again whenever one has changed
LETTERS = {"banker": "B", "player": "P", "tie": "T"}


class TableSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the lobby."""

    house: PublicFacts
    rulebook: str
    digest: str
    layout: str
    positions: int
    limits: dict[str, Limit]
    differential: int | None
    phase: str
    round: int
    shoe: int | None
    cards_left: int | None
    seats: dict[int, str]
    results: str
    held_up: str
    betting_seconds: int
    timer: TimerView | None
    version: int


class KeptSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that somebody has, with the chips there and the rounds for which it is kept without a sign."""

    table: str
    title: str
    box: int
    rack: int
    rounds: int


def kept_seats(hall: Hall, player: str) -> list[KeptSeat]:
    """Those of one person, for that person: of each table a look at its seats, in memory."""
    kept = []
    for live in hall.tables().values():
        state = live.table
        for box, who in state.seats.items():
            if who == player:
                missed = state.rounds - live.seen.get(player, state.rounds)
                kept.append(
                    KeptSeat(
                        table=live.id,
                        title=live.title,
                        box=box,
                        rack=state.rack(player),
                        rounds=max(0, ABSENT_ROUNDS - missed),
                    )
                )
    return kept


def lobby(hall: Hall, viewer: Person | None) -> list[TableSummary]:
    return summaries(hall, listed(hall), viewer)


def listed(hall: Hall, *, archived: bool = False) -> list[Live]:
    """The tables that a list holds."""
    return [live for live in hall.tables().values() if archived or not live.archived]


def summaries(hall: Hall, tables: Iterable[Live], viewer: Person | None) -> list[TableSummary]:
    """Of tables that were gathered before: from any thread."""
    return [summary(hall, live, viewer) for live in tables]


def lobby_stamp(hall: Hall) -> Hashable:
    """Differs when the lobby has to be made again at once; that of many tables may be a second old."""
    tables = hall.tables()
    if len(tables) > FEW_TABLES:
        return len(tables)
    return tuple((live.version, len(hall.channels[live.id].readers)) for live in tables.values())


def summary(hall: Hall, live: Live, viewer: Person | None) -> TableSummary:
    state, channel = live.table, hall.channels[live.id]
    setup, current = state.setup, state.round
    staff = viewer is not None and allowed(viewer.role, "staff")
    return TableSummary(
        house=public_facts(live, len(channel.readers), to_staff=staff),
        rulebook=setup.rulebook,
        digest=setup.digest,
        layout=setup.layout,
        positions=setup.positions,
        limits=setup.limit_of,
        differential=setup.differential,
        phase=state.phase,
        round=state.rounds,
        shoe=state.shoe.number if state.shoe else None,
        cards_left=state.shoe.left if state.shoe else None,
        seats=state.seats,
        results="".join([LETTERS[result.winner] for result in state.results]),
        held_up=current.pending.case if current is not None and current.pending is not None else "",
        betting_seconds=(live.pace or Pace()).betting // 1000,
        timer=channel.timer(),
        version=live.version,
    )
