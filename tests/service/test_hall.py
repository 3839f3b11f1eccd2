"""The house: who deals, when it rests, what it does in trouble, and how it closes."""

import asyncio

import pytest

from service.clocks import FakeClock
from service.houses import (
    KEY,
    MEI,
    SAM,
    WEI,
    Faulty,
    bet,
    did,
    go,
    hall_on,
    names,
    new_table,
    seated,
    tick,
    timed,
    until,
)
from thirdcard.errors import BadInput
from thirdcard.service import hall as module
from thirdcard.service import plans
from thirdcard.service.audit import audit_store
from thirdcard.service.codec import event_of
from thirdcard.service.engine import Unavailable
from thirdcard.service.events import Noted, ShoeCommitted, ShoeRevealed
from thirdcard.service.hall import Hall
from thirdcard.service.live import Live
from thirdcard.service.publish import Reader
from thirdcard.service.shoes import check
from thirdcard.service.store import JOURNAL
from thirdcard.service.store.memory import MemoryStore

AUTOMATIC = new_table(dealer="automatic")


def one(hall: Hall) -> Live:
    return hall.engine.tables["one"]


async def minutes_pass(hall: Hall) -> None:
    """Three of them, second by second, with a moment for the dealer after each; nobody does anything."""
    for _ in range(180):
        tick(hall)
        await asyncio.sleep(0.001)


# Resting ------------------------------------------------------------------------------------------------


@timed
async def test_no_round_is_opened_while_nobody_is_there_and_the_one_being_played_is_finished() -> None:
    async with hall_on(MemoryStore(), AUTOMATIC) as hall:
        await minutes_pass(hall)
        assert one(hall).table.rounds == 0
        await go(hall, lambda: one(hall).table.phase == "betting")
        hall.clock.wait(60)  # type: ignore[attr-defined]  # they have all gone
        await until(lambda: one(hall).table.phase == "settled", lambda: tick(hall))
        await minutes_pass(hall)
        assert (one(hall).table.rounds, one(hall).table.phase) == (1, "settled")
        await hall.join("one", Reader("", b""), None)
        await until(lambda: one(hall).table.rounds == 5, lambda: tick(hall))  # somebody watches


@timed
async def test_a_closed_table_finishes_its_round_and_opens_no_other_until_it_is_open_again() -> None:
    async with hall_on(MemoryStore(), AUTOMATIC) as hall:
        await hall.join("one", Reader("", b""), None)
        await go(hall, lambda: one(hall).table.phase == "betting")
        await hall.ask("one", plans.close_table(), SAM)
        await until(lambda: one(hall).table.phase == "settled", lambda: tick(hall))
        await minutes_pass(hall)
        assert (one(hall).table.rounds, one(hall).table.phase) == (1, "settled")
        await hall.ask("one", plans.reopen_table(), SAM)
        await go(hall, lambda: one(hall).table.rounds == 2)


# Shoes --------------------------------------------------------------------------------------------------


@timed
async def test_shoe_after_shoe_is_dealt_as_promised_and_then_revealed() -> None:
    store = MemoryStore()
    async with hall_on(store, new_table(dealer="automatic", cut=390)) as hall:
        await go(hall, lambda: len(one(hall).promises) == 4, seconds=30)
    events = [event_of(record) for record in store.read("one")]
    promised = {event.shoe: event.commitment for event in events if isinstance(event, ShoeCommitted)}
    opened = [event for event in events if isinstance(event, ShoeRevealed)]
    assert [event.shoe for event in opened] == [1, 2, 3]
    assert all(check(promised[event.shoe], event.salt, event.cards) for event in opened)
    report = audit_store(store, (), KEY)  # every card as it lay in the sealed shoe
    assert (report.problems, report.tables) == ((), 1)


# Trouble ------------------------------------------------------------------------------------------------


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAD_SECONDS", 0.01)
    monkeypatch.setattr("thirdcard.service.engine.PATIENCE", 0.05)
    monkeypatch.setattr("thirdcard.service.engine.PAUSE", 0.01)


@pytest.mark.usefixtures("hurried")
@timed
async def test_a_disk_that_is_full_for_a_moment_holds_the_dealer_up_and_no_more() -> None:
    store = Faulty()
    async with hall_on(store, AUTOMATIC) as hall:
        await seated(hall, WEI, MEI)
        await go(hall, lambda: one(hall).table.phase == "betting" and one(hall).timer)
        await did(hall.engine, WEI, bet())
        store.faults = ["full"] * 5
        tick(hall, AUTOMATIC.pace.betting / 1000)
        await until(lambda: not store.faults)
        await go(hall, lambda: one(hall).table.phase == "settled")
        assert "irregularity-reported" not in names(store.read("one"))


def interruptions(store: MemoryStore) -> list[Noted]:
    journal = [event_of(record) for record in store.read(JOURNAL)]
    return [event for event in journal if isinstance(event, Noted) and event.kind == "interruption"]


@pytest.mark.parametrize(("seconds", "phase"), [(2.0, "settled"), (60.0, "void")])
@pytest.mark.usefixtures("hurried")
@timed
async def test_5_4_a_store_that_stays_away_long_after_the_deadline_is_a_technical_interruption(
    seconds: float, phase: str
) -> None:
    store, clock = Faulty(), FakeClock()
    async with hall_on(store, AUTOMATIC, clock=clock) as hall:
        await seated(hall, WEI, MEI)
        await go(hall, lambda: one(hall).table.phase == "betting" and one(hall).timer)
        await did(hall.engine, WEI, bet())
        store.away = True
        clock.wait(AUTOMATIC.pace.betting / 1000 + seconds)
        hall.sign_of_life("one")
        await until(lambda: not hall.engine.healthy)
        with pytest.raises(Unavailable):  # and so was the dealer, who asked before
            await did(hall.engine, WEI, bet())
        assert one(hall).table.phase == "betting"
        store.away = False
        await until(lambda: one(hall).table.phase != "betting")
        await go(hall, lambda: one(hall).table.phase in ("void", "settled"))
        assert one(hall).table.phase == phase
        assert phase == "void" or not interruptions(store)
        await until(lambda: len(interruptions(store)) == (phase == "void"))


# Opening and closing ------------------------------------------------------------------------------------


@timed
async def test_a_first_table_that_cannot_be_played_is_told_and_not_left_out_in_silence() -> None:
    hall = Hall(MemoryStore(), key=KEY, clock=FakeClock(), first_tables=(new_table(positions=99),))
    with pytest.raises(BadInput, match="positions"):
        await hall.start()
    await hall.stop()


@pytest.mark.parametrize("name", ["", "journal", "One", "a b", "-a", "a" * 41, "ä", "a/b"])
@timed
async def test_a_table_has_a_plain_name(name: str) -> None:
    async with hall_on(MemoryStore()) as hall:
        with pytest.raises(BadInput, match="names no table"):
            await hall.create(new_table(name), by="Sam")


@timed
async def test_a_name_is_given_once() -> None:
    async with hall_on(MemoryStore(), AUTOMATIC) as hall:
        with pytest.raises(BadInput, match="already"):
            await hall.create(AUTOMATIC, by="Sam")


@timed
async def test_who_watches_is_told_that_the_house_closes_and_can_go_on_after_it() -> None:
    store, reader = MemoryStore(), Reader("", b"")
    async with hall_on(store, AUTOMATIC) as hall:
        await hall.join("one", reader, None)
    assert reader.why == "stopping"
    async with hall_on(store, AUTOMATIC) as hall:
        assert one(hall).table.phase in ("idle", "betting")


@timed
async def test_a_house_that_is_stirred_all_the_time_closes_all_the_same() -> None:
    for _ in range(20):
        async with hall_on(MemoryStore(), AUTOMATIC) as hall:
            stirring = asyncio.create_task(go(hall, lambda: False))
            await asyncio.sleep(0.005)
        stirring.cancel()


@timed
async def test_sockets_of_a_session_or_a_person_are_closed_and_no_others() -> None:
    async with hall_on(MemoryStore(), AUTOMATIC) as hall:
        readers = [Reader("Wei", b"1"), Reader("Wei", b"2"), Reader("Mei", b"3"), Reader("", b"")]
        for reader in readers:
            await hall.join("one", reader, None)
        hall.end_readers(session=b"1")
        assert [reader.why for reader in readers] == ["signed-out", "", "", ""]
        hall.end_readers(viewer="Wei")
        assert [reader.why for reader in readers] == ["signed-out", "signed-out", "", ""]


@timed
async def test_what_happens_to_accounts_is_in_the_journal() -> None:
    async with hall_on(MemoryStore()) as hall:
        await asyncio.to_thread(hall.people.register, "Lena", "a long enough password 7", "player")
        await until(lambda: hall.engine.store.read(JOURNAL))
        (record,) = hall.engine.store.read(JOURNAL)
        assert (record.flag, record.by) == ("account-added", "thirdcard")
