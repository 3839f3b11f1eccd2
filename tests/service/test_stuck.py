"""What hangs, stands still, is full or cannot be written: told, bounded in time, and nobody else's affair."""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Collection
from pathlib import Path

import pytest

from service.clocks import FakeClock
from service.houses import (
    CBI,
    DEE,
    MEI,
    WEI,
    Faulty,
    bet,
    betting,
    did,
    does,
    go,
    hall_on,
    made,
    names,
    new_table,
    running,
    seated,
    stack,
    tick,
    timed,
    until,
)
from thirdcard.errors import BadInput
from thirdcard.service.log.store.model import LEASE_SECONDS, RulebookText, StoreDown
from thirdcard.service.log.store.sqlite import MemoryStore, SqliteStore
from thirdcard.service.tables import engine as engines
from thirdcard.service.tables import hall as halls
from thirdcard.service.tables import outage as outages
from thirdcard.service.tables.draft import Decided, logging_only
from thirdcard.service.tables.engine import Engine, Unavailable
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.leading import Leading
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.outage import Probe
from thirdcard.table import commands
from thirdcard.table.events import BoughtIn
from thirdcard.table.ledger import CASH, move, rack

INSURED = new_table(dealer="automatic", slug=CBI, layout="D")


def one(hall: Hall) -> Live:
    return hall.engine.tables["one"]


def timer(hall: Hall) -> str:
    running = one(hall).timer
    return running.name if running is not None else ""


# Standing still -----------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def at_insurance(store: MemoryStore, clock: FakeClock, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]  # noqa: ANN201
    """Wei has bet on Player, who is ahead, and may insure now."""
    stack(monkeypatch, "6C 3D KH AS 3C")
    async with hall_on(store, INSURED, clock=clock) as hall:
        await seated(hall, WEI)
        await go(hall, lambda: timer(hall) == "betting")
        await did(hall.engine, WEI, bet())
        await go(hall, lambda: timer(hall) == "insurance")
        hall._pulse.beat()  # noqa: SLF001
        yield hall


@pytest.mark.parametrize("how", ["freeze", "sleep"])
@timed
async def test_5_4_a_window_that_a_process_or_its_machine_slept_through_is_an_interruption(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, clock = MemoryStore(), FakeClock()
    async with at_insurance(store, clock, monkeypatch) as hall:
        getattr(clock, how)(60)
        hall._stir("one")  # noqa: SLF001
        await until(lambda: "irregularity-reported" in names(store.read("one")))
        assert "round-settled" not in names(store.read("one"))


@timed
async def test_the_dealer_who_wakes_first_looks_for_how_long_nobody_was_awake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever has run out meanwhile has its turn before whoever watches."""
    monkeypatch.setattr(halls, "BEAT", 3_600)
    store, clock = MemoryStore(), FakeClock()
    async with at_insurance(store, clock, monkeypatch) as hall:
        clock.freeze(3_600 + 60)
        hall._stir("one")  # noqa: SLF001
        await until(lambda: "irregularity-reported" in names(store.read("one")))


@timed
async def test_silence_while_everybody_is_awake_is_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    store, clock = MemoryStore(), FakeClock()
    async with at_insurance(store, clock, monkeypatch) as hall:
        tick(hall, 60)
        await go(hall, lambda: one(hall).table.phase == "settled")
        assert "irregularity-reported" not in names(store.read("one"))


@timed
async def test_after_a_short_standstill_people_have_the_time_again_that_they_had_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store, clock = MemoryStore(), FakeClock()
    async with at_insurance(store, clock, monkeypatch) as hall:
        channel = hall.channels["one"]
        channel.deadline = clock.monotonic() + 2
        clock.freeze(halls.LATE_SECONDS - 1)
        await until(lambda: channel.deadline == clock.monotonic() + 2)
        await did(hall.engine, WEI, commands.Decline(by="Wei"))
        await go(hall, lambda: one(hall).table.phase == "settled")
        assert "irregularity-reported" not in names(store.read("one"))


# Leading ------------------------------------------------------------------------------------------------


class Shared(MemoryStore):
    """Somebody else decides who leads."""

    shared = True
    terms: dict[str, int] | None = None

    def lead(self, streams: Collection[str]) -> dict[str, int]:
        if self.terms is None:
            raise StoreDown("gone")
        return {stream: self.terms[stream] for stream in streams if stream in self.terms}


class Told:
    """What a hall is told of its tables."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, ...]] = []

    def wanted(self) -> list[str]:
        return ["one", "two"]

    def led(self, table: str) -> None:
        self.heard.append(("led", table))

    def led_elsewhere(self, table: str) -> None:
        self.heard.append(("elsewhere", table))

    def cut_off(self, tables: Collection[str]) -> None:
        self.heard.append(("cut off", *tables))


@timed
async def test_a_process_leads_no_longer_than_its_lease_whether_or_not_anybody_can_tell_it_so() -> None:
    store, clock, hall = Shared(), FakeClock(), Told()
    leading = Leading(store, clock, hall)
    store.terms = {"one": 3}
    keeping = asyncio.create_task(leading.keep())
    await until(lambda: hall.heard)
    assert hall.heard == [("elsewhere", "two"), ("led", "one")]
    assert (leading.term("one"), leading.term("two")) == (3, None)
    store.terms = None
    clock.freeze(LEASE_SECONDS)
    assert leading.term("one") is None, "it slept: another may lead by now"
    await until(lambda: hall.heard[-1] == ("cut off", "one"))
    store.terms = {"one": 4}
    await until(lambda: leading.term("one") == 4)
    assert hall.heard.count(("led", "one")) == 2, "in a new term it looks at the table anew"
    keeping.cancel()
    await leading.stop()


# What cannot be written ---------------------------------------------------------------------------------


def too_much(_: Live) -> Decided:
    """More than any store can hold."""
    return logging_only(BoughtIn(player="Mei", cents=2**63, postings=move(2**63, CASH, rack("Mei"))))


@timed
async def test_one_request_that_cannot_be_written_fails_alone(tmp_path: Path) -> None:
    """Not those at the same table, before and after it, nor those at others that would be written with it."""
    store = SqliteStore(tmp_path / "house.db")
    async with running(store) as engine:
        for table in ("one", "two"):
            await made(engine, table)
            await betting(engine, table)
        found = await asyncio.gather(
            does(engine, WEI, bet(), key="a"),
            engine.ask("one", too_much, actor="Mei", key="b"),
            does(engine, WEI, bet(), key="c"),
            does(engine, WEI, bet(), key="d", table="two"),
            engine.ask("two", too_much, actor="Mei", key="e"),
            return_exceptions=True,
        )
        assert [type(one) for one in found] == [engines.Answer, BadInput, *[engines.Answer] * 2, BadInput]
        await did(engine, MEI, bet(MEI, box=2))
        assert engine.healthy
    with contextlib.closing(SqliteStore(tmp_path / "house.db")) as store:
        assert names(store.read("one")).count("stake-set") == 3
        assert names(store.read("two")).count("stake-set") == 1
        assert store.answered("Mei", "b") is None


@timed
async def test_a_request_that_fails_half_way_leaves_nothing_in_what_is_written_with_it() -> None:
    def fails(_: Live) -> Decided:
        bought = BoughtIn(player="Wei", cents=100, postings=move(100, CASH, rack("Wei")))
        return logging_only(bought, RulebookText("no event", b""))  # type: ignore[arg-type]

    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        before = store.read("one")
        found = await asyncio.gather(
            engine.ask("one", fails, actor="Wei"),
            does(engine, DEE, commands.NewShoe(by="Dee")),
            return_exceptions=True,
        )
        assert isinstance(found[0], Exception)
        assert names(store.read("one", after=len(before))) == [
            "dealer-signed-on",
            "staff-assigned",
            "shoe-started",
        ]


class Unwritable(MemoryStore):
    """Takes nothing that belongs to a round."""

    tried = 0

    def commit(self, appends):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        if any(record.name == "bets-opened" for append in appends for record in append.records):
            self.tried += 1
            raise ValueError("the store cannot hold that")
        return super().commit(appends)


@timed
async def test_a_dealer_who_cannot_write_tries_again_now_and_then_and_is_told_of_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(halls, "LEAD_SECONDS", 0.05)
    store = Unwritable()
    async with hall_on(store, new_table(dealer="automatic")) as hall:
        hall.sign_of_life("one")
        begun = asyncio.get_running_loop().time()
        await until(lambda: store.tried > 5)
        assert asyncio.get_running_loop().time() - begun >= 0.05 * 4, "it goes round in circles"
    assert len([one for one in caplog.records if "stumbled" in one.message]) == 1
    assert len([one for one in caplog.records if "cannot be written" in one.message]) == 1


# What is told -------------------------------------------------------------------------------------------


def told(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(one.levelname, one.message) for one in caplog.records if one.levelno >= logging.WARNING]


@pytest.mark.parametrize(("fault", "to_do"), [("full", "make room"), ("down", "see that the database runs")])
@timed
async def test_an_outage_is_one_line_when_it_begins_and_one_when_it_ends(
    fault: str, to_do: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "PATIENCE", 0.0)
    store = Faulty()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        store.faults = [fault] * 4
        for n in range(4):
            with pytest.raises(Unavailable):
                await does(engine, WEI, bet(), key=str(n))
            assert not engine.healthy
        assert len(told(caplog)) == 1
        await did(engine, WEI, bet(), key="a")
        assert engine.healthy
    (begun, what), (ended, back) = told(caplog)
    assert (begun, ended) == ("ERROR", "WARNING")
    assert to_do in what
    assert "can be used again, after" in back


@timed
async def test_what_is_written_beside_the_tables_tells_of_an_outage_too() -> None:
    async with running(Faulty()) as engine:

        def fails() -> None:
            raise StoreDown("gone")

        with pytest.raises(StoreDown):
            await asyncio.to_thread(engine.turn, fails)
        assert engine.outage.kind == "not-written"


@timed
async def test_a_house_that_nobody_asks_anything_of_finds_out_by_itself_that_it_can_write_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(halls, "LOOK_SECONDS", 0.01)
    store = Faulty()
    async with hall_on(store, new_table()) as hall:
        store.faults = ["full"] * 3
        with pytest.raises(Unavailable):
            await hall.note("anything", {})
        await until(lambda: hall.engine.healthy)
        assert not store.faults
        assert [record.flag for record in store.read("journal")] == ["writing-again"]


# What waits for ever ------------------------------------------------------------------------------------


@timed
async def test_a_store_that_can_be_read_but_not_written_keeps_nobody_waiting_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engines, "PATIENCE", 0.5)
    store = Faulty()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        store.faults = ["down"] * 1_000
        with pytest.raises(Unavailable, match="ask again with the same key"):
            await does(engine, WEI, bet(), key="a")
        store.faults = []
        await did(engine, WEI, bet(), key="a")


@timed
async def test_a_writer_that_hangs_is_seen_and_keeps_no_process_from_stopping(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(engines, "STOP_SECONDS", 0.1)
    store = Faulty()
    engine = Engine(store, FakeClock())
    await engine.start()
    await made(engine)
    assert engine.oldest == 0
    store.waiting.clear()
    store.gate.clear()
    try:
        asked = asyncio.create_task(does(engine, WEI, bet(), key="a"))
        await until(store.waiting.is_set)
        await until(lambda: engine.oldest > 0.05)
        await engine.stop()
        assert engine.hung
        assert "does not answer" in caplog.text
        with pytest.raises(Unavailable):
            await asked
    finally:
        store.gate.set()


class Silent(MemoryStore):
    """Reads wait until somebody says something."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.asked = 0

    def text(self, digest: str) -> bytes | None:
        self.asked += 1
        self.gate.wait()
        return super().text(digest)


@timed
async def test_a_probe_of_a_store_that_hangs_answers_in_time_and_asks_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outages, "ANSWER_SECONDS", 0.05)
    store = Silent()
    probe = Probe(store)
    try:
        found = await asyncio.gather(*(probe.trouble() for _ in range(20)))
        assert {*found, await probe.trouble()} == {"the store does not answer"}
        assert store.asked == 1
    finally:
        store.gate.set()
    while await probe.trouble():
        assert store.asked <= 2
    assert store.asked <= 2
    assert {await probe.trouble() for _ in range(20)} == {""}
    assert store.asked <= 2, "its answer is believed for a while"
