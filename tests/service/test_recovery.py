"""A table goes on exactly where its log ends; a deadline that passed meanwhile is a technical interruption."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from service.clocks import FakeClock
from service.houses import (
    DEE,
    MBS,
    MEI,
    SAM,
    WEI,
    bet,
    cards,
    did,
    go,
    hall_on,
    made,
    names,
    new_table,
    running,
    same,
    seated,
    stack,
    timed,
    until,
)
from thirdcard.rulebook.model import Side
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import Noted
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import hall as module
from thirdcard.service.tables import plans
from thirdcard.service.tables.checkpoint import Changed
from thirdcard.service.tables.hall import Hall, NewTable
from thirdcard.service.tables.live import Live, recover
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.script import state_hash
from thirdcard.table.state import Inputs, Round

TO_COME = "2C 4H 3D KS 2D 5S"  # Player 5 draws, with insurance on offer before; no pair
AUTOMATIC = new_table(dealer="automatic")
FACE_DOWN = new_table(dealer="automatic", layout="C", method="face-down", insurance=False, private=True)
TIGER = new_table(dealer="automatic", slug=MBS, positions=5)
Act = Callable[[Hall, Round | None], Awaitable[object]]


def current(live: Live) -> Round:
    assert live.table.round is not None
    return live.table.round


def one(hall: Hall) -> Live:
    return hall.engine.tables["one"]


async def asks(hall: Hall, person: Person, command: AnyCommand) -> None:
    await did(hall.engine, person, command)


# At every event -----------------------------------------------------------------------------------------


async def whole_round(store: MemoryStore, table: NewTable, act: Act) -> list[Live]:
    """The table after each stop, with a stop as soon as anything at all has happened, until a result."""
    clock = FakeClock()
    stops: list[Live] = []
    while not stops or stops[-1].state is None or stops[-1].table.phase != "settled":
        async with hall_on(store, table, clock=clock) as hall:
            here = one(hall)
            if stops:
                _is_as_before(store, stops[-1], here)
            if not here.table.players:
                await seated(hall, WEI, MEI)
            await act(hall, here.table.round)
            await go(hall, lambda hall=hall, here=here: one(hall).version > here.version)  # type: ignore[misc]
        stops.append(one(hall))
        assert len(stops) < 100, "the round does not end"
    return stops


def _is_as_before(store: MemoryStore, before: Live, after: Live) -> None:
    """What was written while the server stopped comes on top."""
    records = store.read("one")
    again = recover("one", records[: before.version])
    assert same(again, before)
    assert state_hash(again.table) == state_hash(before.table)
    assert same(after, recover("one", records))
    assert after.version - before.version <= 8


async def bets(hall: Hall, now: Round | None) -> None:
    if now is not None and now.phase == "betting" and not now.stakes:
        await asks(hall, WEI, bet())
        await asks(hall, MEI, bet(MEI, on="banker", box=2))


async def insures(hall: Hall, now: Round | None) -> None:
    await bets(hall, now)
    if now is not None and offered(now) and not now.purchases:
        await asks(hall, WEI, commands.Insure(by="Wei", box=1, hand=Side.PLAYER, cents=10_00))


async def asks_to_squeeze(hall: Hall, now: Round | None) -> None:
    await bets(hall, now)
    if now is not None and now.phase == "dealing" and not now.cards and not now.requests:
        await asks(hall, WEI, commands.RequestSqueeze(by="Wei", cards=(1, 3)))


async def squeezes(hall: Hall, now: Round | None) -> None:
    await asks_to_squeeze(hall, now)
    held = [place for place, who in now.handed.items() if who == "Wei"] if now else []
    if now is not None and held and held[0] not in now.exposed:
        await asks(hall, WEI, commands.Expose(by="Wei", cards=(held[0],)))


async def is_held_up(hall: Hall, now: Round | None) -> None:
    await bets(hall, now)
    if now is not None and len(now.cards) == 3 and now.pending is None and not now.irregularities:
        await asks(hall, SAM, commands.Report(by="Sam", case="power-failure"))
    elif now is not None and now.pending is not None and now.pending.asked and not now.pending.chosen:
        await asks(hall, WEI, commands.Choose(by="Wei", choice="continue"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "act", "seen"),
    [
        (AUTOMATIC, insures, "insurance-bought"),
        (FACE_DOWN, squeezes, "cards-handed"),
        (TIGER, is_held_up, "choice-made"),
    ],
    ids=["insurance", "squeeze", "held up"],
)
@timed
async def test_an_automatic_table_stopped_at_every_event_goes_on_as_if_it_had_not_been(
    table: NewTable, act: Act, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack(monkeypatch, TO_COME)
    store = MemoryStore()
    stops = await whole_round(store, table, act)
    log = names(store.read("one"))
    assert seen in log
    assert len(stops) > 10
    assert "round-voided" not in log
    drawn = [event.card for event in map(event_of, store.read("one")) if hasattr(event, "card")]
    assert drawn == cards(TO_COME)[: len(drawn)]
    noted = names(store.read(JOURNAL))
    assert set(noted) <= {"wallet-granted"}, "a restart alone is no interruption"


@timed
async def test_a_staffed_table_stopped_at_every_event_goes_on_as_if_it_had_not_been() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
    draws = [(DEE, commands.Draw(by="Dee", card=card)) for card in cards(TO_COME)]
    script: list[tuple[Person, AnyCommand]] = [
        (DEE, commands.NewShoe(by="Dee")),
        (DEE, commands.Open(by="Dee")),
        (WEI, bet()),
        (MEI, bet(MEI, on="banker", box=2)),
        (DEE, commands.Close(by="Dee")),
        *draws[:4],
        (WEI, commands.Insure(by="Wei", box=1, hand=Side.PLAYER, cents=10_00)),
        (SAM, commands.Report(by="Sam", case="misplaced-chips")),
        (SAM, commands.Rule(by="Sam", inputs=Inputs(reason="seen by all"))),
        *draws[4:],
        (DEE, commands.Settle(by="Dee")),
    ]
    before = None
    for person, command in script:
        async with running(store) as engine:
            here = engine.tables["one"]
            assert before is None or (
                same(here, before) and state_hash(here.table) == state_hash(before.table)
            )
            await did(engine, person, command)
            before = engine.tables["one"]
    assert before is not None
    assert before.table.phase == "settled"


# Timers -------------------------------------------------------------------------------------------------


@asynccontextmanager
async def stopped_while(
    holds: Callable[[Round], object],
    table: NewTable,
    act: Act,
    seconds: float,
    store: MemoryStore | None = None,
) -> AsyncIterator[tuple[Hall, Live]]:
    """A house that was away for so long, from the moment on when this held; and the table before that."""
    store, clock = store or MemoryStore(), FakeClock()
    async with hall_on(store, table, clock=clock) as hall:
        await seated(hall, WEI, MEI)
        while not (one(hall).timer and holds(current(one(hall)))):
            version = one(hall).version
            await act(hall, one(hall).table.round)
            await go(hall, lambda version=version: one(hall).version > version)  # type: ignore[misc]
        before = one(hall)
    clock.wait(seconds)
    async with hall_on(store, table, clock=clock) as hall:
        yield hall, before


def left(hall: Hall) -> int:
    timer = hall.channels["one"].timer()
    return timer.left_ms if timer is not None else 0


def interruptions(hall: Hall) -> list[Noted]:
    events = [event_of(record) for record in hall.engine.store.read(JOURNAL)]
    return [event for event in events if isinstance(event, Noted) and event.kind == "interruption"]


@timed
async def test_a_timer_goes_on_with_what_was_left_of_it_and_a_restart_is_no_interruption() -> None:
    async with stopped_while(lambda now: now.stakes, AUTOMATIC, bets, 3.0) as (hall, before):
        assert same(one(hall), before)
        assert before.timer is not None
        ran = (hall.clock.wall() - before.timer.at) // 1000
        assert 3_000 <= ran < before.timer.ms
        assert left(hall) == before.timer.ms - ran
        await go(hall, lambda: one(hall).table.phase == "settled")
        assert not {"irregularity-reported", "round-voided"} & set(names(hall.engine.store.read("one")))
        assert not interruptions(hall)


def offered(now: Round) -> object:
    return any(not one.over for one in now.offerings)


def held(now: Round) -> object:
    return now.handed


@pytest.mark.parametrize(
    ("holds", "table", "act", "outcome"),
    [
        (lambda now: now.stakes, AUTOMATIC, bets, "void"),
        (offered, AUTOMATIC, bets, "settled"),  # four cards are seen: the pairs are decided
        (held, FACE_DOWN, asks_to_squeeze, "void"),
    ],
    ids=["betting", "insurance", "squeeze"],
)
@timed
async def test_5_4_a_deadline_that_passed_meanwhile_is_a_technical_interruption(
    holds: Callable[[Round], object],
    table: NewTable,
    act: Act,
    outcome: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stack(monkeypatch, TO_COME)
    async with stopped_while(holds, table, act, 60.0) as (hall, before):
        await go(hall, lambda: one(hall).table.phase in ("void", "settled"))
        await until(lambda: interruptions(hall))
        now = one(hall).table
        assert (now.phase, now.rounds) == (outcome, before.table.rounds)
        assert current(one(hall)).irregularities[0].case == "technical-interruption"
        assert interruptions(hall) == [Noted(kind="interruption", facts={"table": "one", "round": 1})]
        flags = {record.flag for _, record in hall.engine.store.significant()}
        assert flags >= {"interruption", "ruling", *(("void",) if outcome == "void" else ())}
        if outcome == "void":
            assert {now.rack("Wei"), now.rack("Mei")} == {10_000_00}
        await go(hall, lambda: one(hall).table.rounds == 2)  # and the next round is opened


@timed
async def test_mbs_5_17_after_a_deadline_that_passed_meanwhile_players_have_time_to_choose() -> None:
    async with stopped_while(lambda now: now.stakes, TIGER, bets, 60.0) as (hall, _):
        await until(lambda: one(hall).timer is not None and one(hall).timer.name == "choice")  # type: ignore[union-attr]
        pending = current(one(hall)).pending
        assert pending is not None
        assert (pending.case, pending.asked, pending.chosen) == ("power-failure", ("Wei", "Mei"), ())
        assert left(hall) == TIGER.pace.choice
        await asks(hall, WEI, commands.Choose(by="Wei", choice="return"))
        await go(hall, lambda: one(hall).table.phase == "settled")
        assert one(hall).table.rack("Wei") == 10_000_00
        assert [stake.player for stake in current(one(hall)).stakes.values()] == ["Mei"]
        assert len(interruptions(hall)) == 1


@timed
async def test_mbs_5_17_who_had_no_time_to_choose_gets_it_anew() -> None:
    async def fails(hall: Hall, now: Round | None) -> None:
        await bets(hall, now)
        if now is not None and now.phase == "dealing" and now.pending is None:
            await asks(hall, SAM, commands.Report(by="Sam", case="power-failure"))

    def choosing(now: Round) -> bool:
        return now.pending is not None and now.pending.inputs is not None

    async with stopped_while(choosing, TIGER, fails, 60.0) as (hall, before):
        assert before.timer is not None
        await until(lambda: one(hall).version > before.version)
        pending = current(one(hall)).pending
        assert pending is not None
        assert (pending.asked, pending.chosen) == (("Wei", "Mei"), ())
        assert left(hall) == TIGER.pace.choice
        await go(hall, lambda: one(hall).table.phase == "settled")
        assert names(hall.engine.store.read("one")).count("choice-made") == 2


@timed
async def test_who_bets_before_the_interruption_is_dealt_with_does_not_prevent_it() -> None:
    async with stopped_while(lambda now: now.stakes, AUTOMATIC, bets, 60.0) as (hall, _):
        await asks(hall, WEI, bet(cents=10_00))
        await go(hall, lambda: one(hall).table.phase in ("void", "settled"))
        assert one(hall).table.phase == "void"


@timed
async def test_staff_declare_an_interruption_by_a_report() -> None:
    async with hall_on(MemoryStore(), AUTOMATIC) as hall:
        await seated(hall, WEI, MEI)
        await go(hall, lambda: one(hall).table.phase == "betting")
        await bets(hall, one(hall).table.round)
        await asks(hall, SAM, commands.Report(by="Sam", case="technical-interruption"))
        await go(hall, lambda: one(hall).table.phase == "void")  # the dealer rules as the document says
        assert one(hall).table.rack("Wei") == 10_000_00


@timed
async def test_a_first_start_that_breaks_off_leaves_all_tables_or_none() -> None:
    """They are made in one commit."""
    store = MemoryStore()
    async with hall_on(store, *(new_table(f"t{n}") for n in range(6))) as hall:
        assert len(hall.tables()) == 6
        assert hall.engine.commits == 1


@timed
async def test_the_houses_own_tables_can_be_played_at_once() -> None:
    async with hall_on(MemoryStore(), *module.FIRST_TABLES) as hall:
        assert {live.table.setup.rulebook for live in hall.tables().values() if live.automatic} == {
            "rws-tiger-buffalo-commission-v2",
            "rws-tiger-buffalo-non-commission-v3",
            "rws-tiger-buffalo-non-commission-v4",
            "rws-commission-insurance-v5",
            "mbs-tiger-v2",
        }
        assert [live.id for live in hall.tables().values() if not live.automatic] == ["salon"]
        hidden = [live for live in hall.tables().values() if live.table.setup.dealing.face_down]
        assert [(live.id, live.table.setup.reads_cards) for live in hidden] == [("squeeze-salon", True)]
        for table in hall.tables():
            await seated(hall, WEI, table=table)


@timed
async def test_a_process_starts_while_others_write() -> None:
    """It goes on from where logs ended when it looked; elsewhere what is beyond that was put there by somebody."""
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        head = store.heads()["one"]
        await did(engine, WEI, commands.BuyIn(by="Wei", cents=100_00))
        with pytest.raises(Changed, match="was said to end"):
            engine._recovered("one", head)  # noqa: SLF001
        store.shared = True
        assert engine._recovered("one", head).version == head.version  # noqa: SLF001


@timed
async def test_what_the_dealer_asked_long_ago_is_not_done() -> None:
    """A store that was away for long kept people from acting too: the rule on interruptions applies."""
    clock = FakeClock()
    async with hall_on(MemoryStore(), AUTOMATIC, clock=clock) as hall:
        plan = hall._in_time(plans.close_table())  # noqa: SLF001
        clock.wait(module.LATE_SECONDS)
        assert plan(one(hall)) != plans.NOTHING
        clock.wait(0.1)
        assert plan(one(hall)) == plans.NOTHING
        assert "one" in hall._troubled  # noqa: SLF001
