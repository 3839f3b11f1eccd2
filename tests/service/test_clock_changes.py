"""Somebody sets the clock: order is by version, timers run on, and the change is in the significant-event log."""

from itertools import pairwise

import pytest

from service.clocks import FakeClock
from service.houses import MEI, WEI, bet, did, go, hall_on, names, new_table, seated, timed, until
from thirdcard.service.log.codec import broken_link, event_of
from thirdcard.service.log.floor_events import Noted
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.tables import hall as module
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live

AUTOMATIC = new_table(dealer="automatic")
HOUR = 3600.0


def one(hall: Hall) -> Live:
    return hall.engine.tables["one"]


def changes(hall: Hall) -> list[int]:
    """By how many milliseconds the clock was set, as the journal tells it."""
    events = [event_of(record) for record in hall.engine.store.read(JOURNAL)]
    told = [event for event in events if isinstance(event, Noted) and event.kind == "clock-changed"]
    return [by for event in told if isinstance(by := event.facts["by_ms"], int)]


async def with_bets(hall: Hall) -> None:
    await seated(hall, WEI, MEI)
    await go(hall, lambda: one(hall).table.phase == "betting" and one(hall).timer)
    await did(hall.engine, WEI, bet())


@pytest.mark.parametrize("seconds", [-HOUR, HOUR, -10 * 365 * 24 * HOUR])
@timed
async def test_timers_run_on_and_the_change_is_logged(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.01)
    clock = FakeClock()
    async with hall_on(MemoryStore(), AUTOMATIC, clock=clock) as hall:
        await with_bets(hall)
        before = hall.channels["one"].timer()
        assert before is not None
        clock.set(seconds)
        assert hall.channels["one"].timer() == before
        await until(lambda: changes(hall))
        assert changes(hall) == [round(seconds * 1000)]
        await go(hall, lambda: one(hall).table.phase == "settled")
        records = hall.engine.store.read("one")
        assert not {"irregularity-reported", "round-voided"} & set(names(records))
        assert ("clock-changed", "journal") in {
            (record.flag, record.stream) for _, record in hall.engine.store.significant()
        }
        assert changes(hall) == [round(seconds * 1000)], "it is told once"


@timed
async def test_a_log_whose_times_go_back_is_in_order_all_the_same() -> None:
    clock, store = FakeClock(), MemoryStore()
    async with hall_on(store, AUTOMATIC, clock=clock) as hall:
        await with_bets(hall)
        clock.set(-HOUR)
        await did(hall.engine, WEI, bet())
        await go(hall, lambda: one(hall).table.phase == "settled")
    records = store.read("one")
    assert [record.version for record in records] == list(range(1, len(records) + 1))
    assert any(later.at < earlier.at for earlier, later in pairwise(records))
    assert broken_link(records) is None


@timed
async def test_a_clock_set_back_while_the_house_was_closed_is_logged_and_lengthens_no_timer() -> None:
    clock, store = FakeClock(), MemoryStore()
    async with hall_on(store, AUTOMATIC, clock=clock) as hall:
        await with_bets(hall)
        timer = one(hall).timer
        assert timer is not None
    clock.set(-HOUR)
    async with hall_on(store, AUTOMATIC, clock=clock) as hall:
        assert [round(by / 60_000) for by in changes(hall)] == [-60]
        running = hall.channels["one"].timer()
        assert running is not None
        assert 0 < running.left_ms <= timer.ms
        await go(hall, lambda: one(hall).table.phase == "settled")
        assert "irregularity-reported" not in names(store.read("one"))


@timed
async def test_a_clock_set_forward_while_the_house_was_closed_looks_like_a_long_stop() -> None:
    clock, store = FakeClock(), MemoryStore()
    async with hall_on(store, AUTOMATIC, clock=clock) as hall:
        await with_bets(hall)
    clock.set(HOUR)
    async with hall_on(store, AUTOMATIC, clock=clock) as hall:
        await go(hall, lambda: one(hall).table.phase == "void")
        assert one(hall).table.rack("Wei") == 10_000_00
