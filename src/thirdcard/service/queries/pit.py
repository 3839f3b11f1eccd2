"""All tables as a pit sees them, for staff: their states, what waits for whom, what a shift has come to.

What the house has won, and what people wrote, is for those who supervise.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.service.people.roles import DUTIES, Person, rank_at
from thirdcard.service.queries.lobby import LETTERS
from thirdcard.service.queries.parts import ranks_told
from thirdcard.service.tables.cases import OpenCase, waiting
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import PLAYING, Duty, Live, phase_of
from thirdcard.service.tables.publish import Channel, PublicFacts, TimerView, public_facts
from thirdcard.service.tables.shift import Correction
from thirdcard.table import State, limits
from thirdcard.table.ranks import discretion, outranks
from thirdcard.table.rights.choosing import to_choose
from thirdcard.table.rights.insurance import silent_people
from thirdcard.table.state import HANDS, Pending, Round

MANY = 3  # corrections or void rounds of a shift that are worth a look
TableState: TypeAlias = Literal[
    "bets-open", "dealing", "insurance", "held", "stopped", "payouts", "new-shoe", "between", "no-dealer",
    "calling", "closed", "archived",
]  # fmt: skip
WaitsFor: TypeAlias = Literal[
    "ruling", "report", "amendment", "removal", "over-maximum", "dispute", "call", "relief", "difference"
]
AlarmKind: TypeAlias = Literal["corrections", "voids", "disputed", "relief-late", "no-dealer"]


class PitCase(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity that is open; `players`: it is ruled on, and these have yet to choose."""

    case: str
    title: str
    decides: str
    decides_title: str
    may: bool  # decide it, in the rank of who asks
    rules: Rules
    note: str
    by: str
    at: int
    taken_by: str
    taken_at: int
    passed_to: str
    passed_by: str
    passed_at: int
    passed_note: str
    players: tuple[str, ...]


class PitCall(msgspec.Struct, frozen=True, kw_only=True):
    note: str
    at: int


class PitTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the pit; times in microseconds, `win` and `drop` since the shift began."""

    house: PublicFacts
    id: str
    title: str
    rulebook: str
    rulebook_title: str
    rulebook_version: int
    version: int  # of its log
    layout: str
    method: str
    state: TableState
    state_since: int
    timer: TimerView | None
    stopped_at: int
    case: PitCase | None
    more_cases: tuple[PitCase, ...]
    call: PitCall | None
    duty: Duty
    round: int
    shoe: int | None
    seats_taken: int
    seats: int
    standing: int
    results: str
    minimum: int
    maximum: int | None
    differential: int | None
    squeezes: tuple[str, ...]  # who has asked to squeeze and waits
    silent: tuple[str, ...]  # who has yet to answer the insurance on offer
    payouts_left: int
    shift_rounds: int
    win: int | None
    drop: int | None


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody of the floor is awaited at a table; `may`: who asks can do it; `to_you`: it was passed up."""

    table: str
    kind: WaitsFor
    since: int
    may: bool
    case: str = ""
    title: str = ""
    decides: str = ""
    decides_title: str = ""
    players: tuple[str, ...] = ()
    box: int = 0
    cents: int = 0
    note: str = ""
    by: str = ""
    taken_by: str = ""
    passed_to: str = ""
    to_you: bool = False
    rules: Rules = ()


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that is worth a look."""

    table: str
    kind: AlarmKind
    since: int
    count: int = 0
    corrections: tuple[Correction, ...] = ()


class PitShift(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    since: int
    by: str


class PitTotals(msgspec.Struct, frozen=True, kw_only=True):
    """`rounds` of the shift, and the `win` of the house in it."""

    stopped: int
    waiting: int
    tables: int
    open: int
    seats_taken: int
    seats: int
    rounds: int
    win: int | None


class Pit(msgspec.Struct, frozen=True, kw_only=True):
    at: int
    shift: PitShift
    totals: PitTotals
    tables: tuple[PitTable, ...]
    waiting: tuple[Waiting, ...]
    alarms: tuple[Alarm, ...]


def pit(hall: Hall, person: Person, *, archived: bool = False) -> Pit:
    """All tables that are not archived, what waits at them, the oldest first, and what is worth a look."""
    now = hall.clock.wall()
    lives = [live for live in hall.tables().values() if archived or not live.archived]
    tables = tuple(table(live, hall.channels[live.id], person, now) for live in lives)
    trained = trained_at(hall, person)
    shown = [*lives, *trained]
    waits = sorted((one for live in shown for one in awaited(live, person, now)), key=lambda one: one.since)
    alarms = sorted(
        (alarm for live in lives for alarm in alarms_of(live, now)), key=lambda alarm: alarm.since
    )
    latest = max((live.shift for live in lives), key=lambda shift: shift.since, default=None)
    opened = [one for one in tables if not one.house.closed]
    return Pit(
        at=now,
        shift=PitShift(
            name=latest.name if latest else "",
            since=latest.since if latest else 0,
            by=latest.by if latest else "",
        ),
        totals=PitTotals(
            stopped=sum(one.state == "stopped" for one in tables),
            waiting=len(waits),
            tables=len(tables),
            open=len(opened),
            seats_taken=sum(one.seats_taken for one in opened),
            seats=sum(one.seats for one in opened),
            rounds=sum(one.shift_rounds for one in tables),
            win=sum(one.win or 0 for one in tables) if supervises_somewhere(person) else None,
        ),
        tables=(*tables, *(table(live, hall.channels[live.id], person, now) for live in trained)),
        waiting=tuple(waits),
        alarms=tuple(alarms),
    )


def trained_at(hall: Hall, person: Person) -> list[Live]:
    """Where somebody trains to rule: there for nobody else, and in no total."""
    return [
        live
        for live in hall.tables(practice=True).values()
        if live.practice is not None
        and (live.practice.trainee, live.practice.post) == (person.name, "pit")
        and not live.archived
    ]


def supervises_somewhere(person: Person) -> bool:
    return "amends" in DUTIES.get(person.role, ())


# A table ------------------------------------------------------------------------------------------------


def table(live: Live, channel: Channel, person: Person, now: int) -> PitTable:
    state, setup = live.table, live.table.setup
    above = supervises_somewhere(person)
    step, since = state_of(live)
    seated = set(state.seats.values())
    hands = [limit for bet, limit in setup.limit_of.items() if bet in HANDS]
    cases = tuple(_case(live, case, person) for case in live.cases)
    house = public_facts(live, len(channel.readers), to_staff=above)
    return PitTable(
        house=house,
        id=live.id,
        title=house.title,
        rulebook=setup.rulebook,
        rulebook_title=setup.book.document.title,
        rulebook_version=setup.book.document.version,
        version=live.version,
        layout=setup.layout,
        method=setup.dealing.name,
        state=step,
        state_since=min(since, now),
        timer=channel.timer(),
        stopped_at=live.stopped_at,
        case=cases[0] if cases else None,
        more_cases=cases[1:],
        call=PitCall(note=house.called, at=live.called_at) if live.called else None,
        duty=live.duty,
        round=state.rounds,
        shoe=state.shoe.number if state.shoe else None,
        seats_taken=len(seated),
        seats=setup.positions,
        standing=sum(player not in seated for player in state.players),
        results="".join([LETTERS[result.winner] for result in state.results]),
        minimum=min((limit.min for limit in hands), default=0),
        maximum=max((limit.max for limit in hands if limit.max is not None), default=None),
        differential=setup.differential,
        squeezes=tuple(state.round.requests) if state.round else (),
        silent=silent_people(state, state.round) if state.round else (),
        payouts_left=len(live.paying.open) if live.paying and state.phase not in PLAYING else 0,
        shift_rounds=max(0, state.rounds - live.shift.rounds - (state.phase in PLAYING)),
        win=live.shift.win(state) if above else None,
        drop=live.takings.drop - live.shift.drop if above else None,
    )


def state_of(live: Live) -> tuple[TableState, int]:
    """What a table is doing, as a pit calls it, and since when."""
    if live.archived or live.closed:
        return "archived" if live.archived else "closed", live.step_at
    current = live.table.round
    if live.stopped_at:
        pending = current.pending if current is not None else None
        ruled = pending is not None and pending.inputs is not None
        return "held" if ruled else "stopped", live.stopped_at
    if live.called:
        return "calling", live.called_at
    if not live.automatic and not live.duty.dealer:
        return "no-dealer", live.duty.since
    return _step(live, current), live.step_at


def _step(live: Live, current: Round | None) -> TableState:
    """The phase; while bets are adjusted none can be placed."""
    phase = phase_of(live)
    if phase == "betting":
        return "dealing" if current is not None and current.phase == "adjusting" else "bets-open"
    return phase


def _pending(live: Live, one: OpenCase) -> Pending:
    return waiting(live.table.round)[live.cases.index(one)]


def _case(live: Live, one: OpenCase, person: Person) -> PitCase:
    state, pending = live.table, _pending(live, one)
    above = supervises_somewhere(person)
    return PitCase(
        case=one.case,
        title=_title(state, one.case),
        decides=pending.decides,
        decides_title=ranks_told(state.rulebook, pending.decides),
        may=_may(state, person, pending.decides),
        rules=pending.rules,
        note=pending.note if above else "",
        by=one.by,
        at=one.at,
        taken_by=one.taken_by,
        taken_at=one.taken_at,
        passed_to=one.passed_to,
        passed_by=one.passed_by,
        passed_at=one.passed_at,
        passed_note=one.note if above else "",
        players=to_choose(state, state.round) if state.round and state.round.pending is pending else (),
    )


def _title(state: State, case: str) -> str:
    return next(procedure.title for procedure in state.rulebook.procedures if procedure.case == case)


def _may(state: State, person: Person, needed: str) -> bool:
    rank = rank_at(person.role, state.rulebook)
    return rank is not None and outranks(state.rulebook, rank, needed)


def _decides(state: State, rank: str) -> dict[str, Any]:
    """Who decides: the rank, and in words all that may."""
    return {"decides": rank, "decides_title": ranks_told(state.rulebook, rank)}


# What waits ---------------------------------------------------------------------------------------------


def awaited(live: Live, person: Person, now: int) -> Iterator[Waiting]:
    """What somebody of the floor has to do at a table, other than deal."""
    if live.archived:
        return
    yield from _cases_waiting(live, person)
    yield from _stakes_waiting(live, person)
    state, name, above = live.table, live.id, supervises_somewhere(person)
    amends = state.rulebook.authority.amends.value
    proposal = state.round.proposal if state.round else None
    if proposal is not None:
        may = _may(state, person, amends) and person.name != proposal.by
        yield Waiting(
            table=name,
            kind="amendment",
            since=live.stopped_at,
            may=may,
            by=proposal.by,
            **_decides(state, amends),
        )
    for key, said in live.paying.disputed.items() if live.paying else ():
        box, _, player = key.partition("/")
        yield Waiting(
            table=name,
            kind="dispute",
            since=said.at,
            may=_may(state, person, amends),
            **_decides(state, amends),
            players=(player,),
            box=int(box),
            cents=live.paying.due.get(key, 0) if live.paying else 0,
            note=said.note if above else "",
            by=said.by,
        )
    for one in live.money.differences:
        if not one.answer:
            yield Waiting(
                table=name,
                kind="difference",
                since=one.at,
                may=_may(state, person, amends),
                **_decides(state, amends),
                cents=one.cents - one.expected,
                by=", ".join(one.people),
            )
    if live.called:
        note = live.called if above else ""
        yield Waiting(table=name, kind="call", since=live.called_at, may=above, note=note)
    if live.duty.dealer and 0 < live.duty.relief_at < now:
        players = (live.duty.relief_by,) if live.duty.relief_by else ()
        yield Waiting(table=name, kind="relief", since=live.duty.relief_at, may=True, players=players)


def _cases_waiting(live: Live, person: Person) -> Iterator[Waiting]:
    for number, case in enumerate(live.cases):
        pending = _pending(live, case)
        if pending.inputs is not None:
            continue  # it is ruled on, and players choose
        yield Waiting(
            table=live.id,
            kind="report" if number else "ruling",
            since=case.passed_at or case.at,
            may=_may(live.table, person, pending.decides),
            case=case.case,
            title=_title(live.table, case.case),
            **_decides(live.table, pending.decides),
            note=pending.note if supervises_somewhere(person) else "",
            by=case.by,
            taken_by=case.taken_by,
            passed_to=case.passed_to,
            to_you=case.passed_to in (person.name, rank_at(person.role, live.table.rulebook)),
            rules=pending.rules,
        )


def _stakes_waiting(live: Live, person: Person) -> Iterator[Waiting]:
    """Stakes that a rank above the dealer has to decide on before the round goes on."""
    state, current = live.table, live.table.round
    if live.automatic or current is None or current.pending is not None:
        return
    excess = limits.excess(state.setup, current.stakes.values()) if state.phase == "adjusting" else 0
    if excess:
        removal = discretion(state.rulebook, "removal")
        decides = removal.rank if removal else state.rulebook.authority.manages.value
        yield Waiting(
            table=live.id,
            kind="removal",
            since=live.step_at,
            may=_may(state, person, decides),
            **_decides(state, decides),
            cents=excess,
            rules=state.rulebook.limits.differential.after.rules,
        )
    over = limits.undecided_excess(state, current) if state.phase == "dealing" else ()
    for stake in over:
        decides = state.rulebook.authority.decides.value
        yield Waiting(
            table=live.id,
            kind="over-maximum",
            since=live.step_at,
            may=_may(state, person, decides),
            **_decides(state, decides),
            players=(stake.player,),
            box=stake.box,
            cents=stake.cents - (state.setup.limit(stake.bet).max or 0),
            rules=state.rulebook.limits.above_maximum_unnoticed.rules,
        )


def alarms_of(live: Live, now: int) -> Iterable[Alarm]:
    """Facts about a table; nobody is accused of anything."""
    shift, name = live.shift, live.id
    if len(shift.corrections) >= MANY:
        last, count = shift.corrections[-1].at, len(shift.corrections)
        yield Alarm(table=name, kind="corrections", since=last, count=count, corrections=shift.corrections)
    voids = live.takings.void_rounds - shift.void_rounds
    if voids >= MANY:
        yield Alarm(table=name, kind="voids", since=live.step_at, count=voids)
    if live.paying is not None and live.paying.disputed:
        first = min(said.at for said in live.paying.disputed.values())
        yield Alarm(table=name, kind="disputed", since=first, count=len(live.paying.disputed))
    if live.duty.dealer and 0 < live.duty.relief_at < now:
        yield Alarm(table=name, kind="relief-late", since=live.duty.relief_at)
    seated = len(live.table.seats)
    if seated and not live.automatic and not live.duty.dealer and not live.closed:
        yield Alarm(table=name, kind="no-dealer", since=live.duty.since, count=seated)
