"""The house: who deals, when it rests, what it does in trouble, and how it closes."""

import asyncio

import msgspec
import pytest

from service.clocks import FakeClock
from service.houses import (
    KEY,
    MBS,
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
    running,
    seated,
    tick,
    timed,
    until,
)
from thirdcard.cards import Card
from thirdcard.errors import BadInput
from thirdcard.rulebook.model import Side
from thirdcard.service.audit import audit_store
from thirdcard.service.keys import subkey
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import SYSTEM, Noted, ShoeRevealed, ShoeSealed, TableCreated
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.tables import hall as module
from thirdcard.service.tables import plans
from thirdcard.service.tables.dealer import dealer_rank
from thirdcard.service.tables.draft import Plan, logging_only
from thirdcard.service.tables.engine import Unavailable
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.publish import Reader
from thirdcard.service.tables.sealed_shoes import is_kept, opened
from thirdcard.table import commands, start
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import CardDrawn
from thirdcard.table.state import Inputs

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


@timed
async def test_a_wait_is_ended_once_when_the_dealer_has_come_to_it_logged_or_not() -> None:
    """The clock stands still: nothing goes on but for that."""
    async with hall_on(MemoryStore(), AUTOMATIC) as hall:
        await hall.join("one", Reader("", b""), None)
        assert not hall.end_wait("one", "betting")
        await until(lambda: hall.end_wait("one", "betting"))
        assert not hall.end_wait("one", "betting")
        await until(lambda: one(hall).table.phase != "betting")
        assert not hall.end_wait("one", "betting")
        await until(lambda: hall.end_wait("one", "result"), lambda: hall.end_wait("one", "card"))
        await until(lambda: one(hall).table.rounds == 2)
        assert hall.clock.monotonic() == FakeClock().monotonic()


# Shoes --------------------------------------------------------------------------------------------------


def shoe_of(hall: Hall) -> int:
    """The number of the sealed shoe in use."""
    shoe = one(hall).table.shoe
    return shoe.number if shoe is not None else 0


@timed
async def test_shoe_after_shoe_is_dealt_as_promised_and_then_revealed() -> None:
    store = MemoryStore()
    async with hall_on(store, new_table(dealer="automatic", cut=390)) as hall:
        await go(hall, lambda: shoe_of(hall) == 4, seconds=30)
    events = [event_of(record) for record in store.read("one")]
    sealed = {event.shoe: event for event in events if isinstance(event, ShoeSealed)}
    revealed = [event for event in events if isinstance(event, ShoeRevealed)]
    assert [event.shoe for event in revealed] == [1, 2, 3]
    assert all(is_kept("one", sealed[event.shoe], event.salt, event.cards) for event in revealed)
    report = audit_store(store, (), KEY)  # every card as it lay in the sealed shoe
    assert (report.problems, report.tables) == ((), 1)


def as_before() -> Plan:
    """A face-down table as release 0.1.0 kept it: its set-up says nothing of a device that reads cards."""
    wanted = new_table(dealer="automatic", slug=MBS, method="A", positions=7)
    staffed = msgspec.structs.replace(wanted.setup, staff={SYSTEM: dealer_rank(wanted.setup.book)})
    created = TableCreated(title="One", dealer="automatic", pace=wanted.pace, live_odds=False)
    return lambda _: logging_only(created, start(staffed))


NAMED: list[AnyCommand] = [
    commands.Draw(by="Sam", card=Card("9C")),
    commands.Expose(by="Sam", cards=(1,)),
    commands.Expose(by="Sam", cards=(1,), names=(Card("9C"),)),
    commands.TakeCards(by="Sam", cards=(1,), reason="slow"),
    commands.TakeDevice(by="Sam"),
    commands.Correct(by="Sam", cards=(Card("9C"),), reason="misread"),
    commands.Amend(by="Sam", cards=(Card("9C"),), reason="misread"),
    commands.ConfirmAmendment(by="Sam"),
    commands.RecordChips(by="Sam", player="Wei", box=1, bet="player", cents=10_00),
    commands.LateChips(by="Sam", player="Wei", box=1, bet="player", cents=10_00),
    commands.Report(by="Sam", case="foreign-card", drawn=(Card("9C"),)),
    commands.Report(by="Sam", case="foreign-card", names={1: Card("9C")}, shown=(1,)),
    commands.Rule(by="Sam", inputs=Inputs(order=(Card("9C"), Card("8C")))),
    commands.Rule(by="Sam", inputs=Inputs(names={"1": Card("9C")})),
    commands.Rule(by="Sam", inputs=Inputs(substitutes={"1": Card("9C")})),
]


@pytest.mark.slow
@pytest.mark.parametrize("command", NAMED, ids=lambda one: type(one).__name__)
@timed
async def test_nobody_names_cards_or_mends_a_record_at_an_automatic_table(command: AnyCommand) -> None:
    """Sam has never been there: the rank that the account brings makes no difference."""
    async with hall_on(MemoryStore(), new_table(dealer="automatic", slug=MBS, method="A")) as hall:
        await seated(hall, WEI)
        await go(hall, lambda: one(hall).table.phase == "dealing" and one(hall).table.round.hidden)  # type: ignore[union-attr]
        before = one(hall).version
        answer = await hall.ask("one", plans.by_person(SAM, command), SAM)
        assert answer.refusal is not None
        assert answer.refusal.code == "not-allowed-here"
        assert one(hall).version == before


@timed
async def test_a_new_table_that_is_dealt_face_down_from_a_sealed_shoe_reads_its_cards() -> None:
    async with hall_on(MemoryStore(), new_table(dealer="automatic", slug=MBS, method="A")) as hall:
        assert one(hall).table.setup.reads_cards
        await hall.create(new_table("hand", slug=MBS, method="A"), by="Sam")
        assert hall.engine.tables["hand"].table.setup.unseen, "people do not see through cards"


@timed
async def test_a_face_down_table_of_an_older_release_is_dealt_on() -> None:
    """The round under way is finished without names; from the next one on the shoe reads its cards."""
    store = MemoryStore()
    async with running(store) as engine:
        await engine.ask("one", as_before(), actor=SYSTEM)
        sealed = plans.new_shoe(subkey(KEY, "shoes"), None)
        for plan in (sealed, plans.dealt(commands.Open(by=SYSTEM))):
            assert (await engine.ask("one", plan, actor=SYSTEM)).refusal is None
        await engine.ask("one", plans.sit_down(WEI, 1, 10_000_00), actor="Wei")
        await did(engine, WEI, bet())
    async with hall_on(store) as hall:
        assert one(hall).table.setup.unseen
        await go(hall, lambda: one(hall).table.phase == "dealing" and one(hall).table.round.hidden)  # type: ignore[union-attr]
        await go(hall, lambda: one(hall).table.rounds == 3, seconds=30)
        assert one(hall).table.setup.reads_cards
    events = [event_of(record) for record in store.read("one")]
    drawn = [event for event in events if isinstance(event, CardDrawn)]
    second = next(place for place, event in enumerate(drawn) if event.card is not None)
    assert all(event.card is None for event in drawn[:second])
    assert all(event.card is not None for event in drawn[second:])
    assert second >= 4
    assert audit_store(store, (), KEY).problems == ()
    assert audit_store(store).problems == ()


@timed
async def test_cards_that_were_named_before_are_turned_beside_those_that_were_not() -> None:
    """The older release had dealt some of them when it was stopped."""
    store = MemoryStore()
    async with running(store) as engine:
        await engine.ask("one", as_before(), actor=SYSTEM)
        sealed = plans.new_shoe(subkey(KEY, "shoes"), None)
        begun = plans.dealt(commands.Open(by=SYSTEM), commands.Close(by=SYSTEM))
        for plan in (sealed, begun):
            await engine.ask("one", plan, actor=SYSTEM)
        live = engine.tables["one"]
        locked = store.shoe("one", 1)
        assert locked is not None
        order = opened(subkey(KEY, "shoes"), "one", 1, locked, live.sealed).cards
        first = CardDrawn(place=1, hand=Side.PLAYER, card=order[0], face_up=False, by=SYSTEM)
        assert live.table.setup.unseen
        await engine.ask("one", lambda _: logging_only(first), actor=SYSTEM)
    async with hall_on(store) as hall:
        await go(hall, lambda: one(hall).table.rounds == 2, seconds=30)
    assert audit_store(store, (), KEY).problems == ()


# Trouble ------------------------------------------------------------------------------------------------


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAD_SECONDS", 0.01)
    monkeypatch.setattr("thirdcard.service.tables.engine.PATIENCE", 0.05)
    monkeypatch.setattr("thirdcard.service.tables.engine.PAUSE", 0.01)


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


@pytest.mark.slow
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
