"""People who are away: they are stood up after some rounds, nothing waits for them, and they find their chips."""

import asyncio

import msgspec
import pytest

from service.clocks import FakeClock
from service.houses import (
    DEE,
    KEY,
    MEI,
    RICH,
    SAM,
    WEI,
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
    timed,
    until,
)
from thirdcard.errors import BadInput
from thirdcard.service.audit import audit_store
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.log.store.tables import ANSWERS, WALLETS
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.books import player_statement, table_account
from thirdcard.service.tables import away, duty, plans, wallets
from thirdcard.service.tables.checkpoint import taken
from thirdcard.service.tables.draft import Decided, Plan, logging_only
from thirdcard.service.tables.engine import Unavailable
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live, recover
from thirdcard.service.tables.publish import Reader
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import PlayerJoined, PlayerLeft, SeatLeft

AUTOMATIC = new_table(dealer="automatic")


def one(hall: Hall) -> Live:
    return hall.engine.tables["one"]


async def round_begins(hall: Hall, number: int) -> None:
    await go(hall, lambda: one(hall).table.rounds >= number and one(hall).table.phase == "betting")


@timed
async def test_who_gives_no_sign_for_three_rounds_leaves_and_the_chips_go_home() -> None:
    store = MemoryStore()
    async with hall_on(store, AUTOMATIC) as hall:
        await seated(hall, WEI)
        await round_begins(hall, 1)
        await hall.ask("one", plans.by_person(WEI, bet(WEI)), WEI)
        await round_begins(hall, 2)
        had = one(hall).table.rack("Wei")
        await round_begins(hall, 5)
        assert one(hall).table.players == ()
        wallet = store.wallet("Wei")
        assert wallet is not None
        assert wallet.cents == RICH.opening - 10_000_00 + had
        assert table_account(one(hall)).away == 0
        statement = await player_statement(hall, one(hall), "Wei")
        assert statement is not None
        assert (statement.balance, statement.net) == (0, had - 10_000_00)
    assert audit_store(store, (), KEY).problems == ()


def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chips of who is away stay at the table, as earlier releases kept them: their logs go on."""
    monkeypatch.setattr(wallets, "taken_home", lambda *_, **__: ())


@timed
async def test_who_left_chips_at_a_table_with_an_earlier_release_finds_them_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    as_before(monkeypatch)
    store = MemoryStore()
    async with hall_on(store, AUTOMATIC) as hall:
        await seated(hall, WEI, MEI)
        await round_begins(hall, 1)
        await hall.ask("one", plans.by_person(WEI, bet(WEI)), WEI)
        for number in (2, 3, 4):
            await round_begins(hall, number)
            await hall.ask("one", plans.by_person(MEI, bet(MEI, box=2)), MEI)
            assert one(hall).table.seats == {1: "Wei", 2: "Mei"}, "two rounds are not three"
        had = one(hall).table.rack("Wei")
        await round_begins(hall, 5)
        assert one(hall).table.seats == {2: "Mei"}
        assert one(hall).table.players == ("Mei",)
        assert "rack:Wei" not in one(hall).table.balances
        assert table_account(one(hall)).away == had
        statement = await player_statement(hall, one(hall), "Wei")
        assert statement is not None
        assert (statement.balance, statement.net) == (had, had - 10_000_00)
        plan = plans.sit_down(WEI, 1, 10_000_00, await hall.kept("one", "Wei"))
        assert (await hall.ask("one", plan, WEI)).refusal is None
        assert one(hall).table.rack("Wei") == had, "and no chips are brought besides"
        statement = await player_statement(hall, one(hall), "Wei")
        assert statement is not None
        assert (statement.balance, statement.net) == (had, had - 10_000_00)
    left = [event_of(one) for one in store.read("one") if one.name == "seat-left"]
    assert left == [SeatLeft(player="Wei", box=1, by=SYSTEM)]
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_who_looks_on_keeps_the_seat() -> None:
    store = MemoryStore()
    async with hall_on(store, AUTOMATIC) as hall:
        await seated(hall, WEI)
        await hall.join("one", Reader("Wei", b""), None)
        for number in range(1, 9):
            await round_begins(hall, number)
        assert one(hall).table.seats == {1: "Wei"}
    assert 2 <= names(store.read("one")).count("players-seen") <= 4, "it is not said round by round"


@timed
async def test_after_a_restart_people_are_as_absent_as_before() -> None:
    store = MemoryStore()
    async with hall_on(store, AUTOMATIC) as hall:
        await seated(hall, WEI)
        reader = Reader("Wei", b"")
        await hall.join("one", reader, None)
        await round_begins(hall, 3)
        await until(lambda: one(hall).seen["Wei"] >= 2)
    async with hall_on(store) as hall:
        seen = one(hall).seen["Wei"]
        await round_begins(hall, seen + 3)
        assert one(hall).table.seats == {1: "Wei"}
        await round_begins(hall, seen + 4)
        assert one(hall).table.seats == {}


@timed
async def test_a_dealer_opens_and_who_was_away_is_stood_up() -> None:
    """At a staffed table too; chips that staff place for somebody are a sign of that person."""
    async with hall_on(MemoryStore(), new_table()) as hall:
        await seated(hall, WEI, MEI)
        engine = hall.engine
        for number in range(5):
            shoe = () if number else (commands.NewShoe(by="Dee"),)
            plan = plans.by_person(DEE, *shoe, commands.Open(by="Dee"))
            assert (await hall.ask("one", plan, DEE)).refusal is None
            place = commands.Place(by="Sam", player="Mei", box=2, bet="banker", cents=100_00)
            await did(engine, SAM, place, commands.Void(by="Sam", reason="a rehearsal"))
        assert one(hall).table.seats == {2: "Mei"}


@timed
async def test_a_setting_of_the_house_says_after_how_many_rounds() -> None:
    for rounds, stays in ((0, True), (1, False)):
        hall = Hall(MemoryStore(), key=KEY, first_tables=(new_table(),), absent_rounds=rounds)
        await hall.start()
        await seated(hall, WEI)
        for number in range(3):
            shoe = () if number else (commands.NewShoe(by="Dee"),)
            await hall.ask("one", plans.by_person(DEE, *shoe, commands.Open(by="Dee")), DEE)
            await did(hall.engine, SAM, commands.Void(by="Sam", reason="a rehearsal"))
        assert bool(one(hall).table.seats) == stays
        await hall.stop()


@timed
async def test_nobody_finds_chips_that_are_not_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept is looked up before it is decided; if anybody left meanwhile it is looked up again."""
    as_before(monkeypatch)
    async with running(MemoryStore()) as engine:
        await made(engine)
        before = away.KeptChips()
        await betting(engine)
        await engine.ask("one", duty.sign_off(SAM), actor="Sam")
        await engine.ask("one", away.clearing(_again(), 1), actor="Sam")
        live = engine.tables["one"]
        assert live.left
        assert live.table.players == ()
        with pytest.raises(Unavailable):
            await engine.ask("one", plans.sit_down(WEI, 1, 0, before), actor="Wei")
        kept = away.kept_for(engine.store, live, "Wei")
        assert kept.cents == 10_000_00
        await engine.ask("one", plans.sit_down(WEI, 1, 0, kept), actor="Wei")
        again = await does(engine, WEI, commands.Join(by="Wei"))
        assert again.refusal is not None


def _again() -> Plan:
    void = commands.Void(by="Sam", reason="a rehearsal")
    return plans.by_person(SAM, void, commands.Open(by="Sam"))


@timed
async def test_an_audit_finds_chips_that_somebody_did_not_leave() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        found = PlayerJoined(player="Anwar", cents=500)
        await engine.ask("one", lambda _: logging_only(found), actor=SYSTEM)
    (problem,) = audit_store(store, (), KEY).problems
    assert "the chips are not what Anwar has in the ledger" in problem.what


@timed
async def test_a_debt_is_not_left_behind() -> None:
    async with running(MemoryStore()) as engine:
        await made(engine)
        await betting(engine)
        live = engine.tables["one"]
        owing = {**live.table.balances, "rack:Wei": 0, "owed:Wei": -10_000_00, "house": 20_000_00}
        owes = _with_balances(live, owing)
        assert [type(event) for event, _ in _left(owes)] == [SeatLeft, SeatLeft, PlayerLeft]


def _with_balances(live: Live, balances: dict[str, int]) -> Live:
    replace = msgspec.structs.replace
    state = replace(live.table, balances=balances, rounds=9)
    return replace(live, state=state, duty=replace(live.duty, dealer="Sam"))


def _left(live: Live) -> tuple[tuple[object, object], ...]:
    decided = away.clearing(_again(), 3)(live)
    assert isinstance(decided, Decided)
    return tuple(step for step in decided.events if isinstance(step[0], SeatLeft | PlayerLeft))


# What stays of those who came and went ------------------------------------------------------------------------


@pytest.mark.slow
@timed
async def test_a_table_after_many_guests_is_as_small_as_before() -> None:
    """Nothing that is kept of a table grows with the people who were ever there."""
    store = MemoryStore()
    sizes = []
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        await engine.ask("one", duty.sign_off(SAM), actor="Sam")
        for number in range(300):
            guest = Person(name=f"Guest-{number}", role="guest")
            kept = away.KeptChips(left=engine.tables["one"].left)
            await engine.ask("one", plans.sit_down(guest, 3 + number % 2, 1_000_00, kept), actor=guest.name)
            await did(engine, WEI, bet(WEI))
            await did(engine, MEI, bet(MEI, box=2))
            await engine.ask("one", away.clearing(_again(), 1), actor="Sam")
            sizes.append(len(taken(engine.tables["one"])[0].body))
        live = engine.tables["one"]
        wallets_hold = sum(one.cents for one in store.every(WALLETS))
        assert wallets_hold == 302 * RICH.opening - sum(map(live.table.rack, live.table.players))
    assert max(sizes[100:]) <= max(sizes[:100]) + 40, "but for the digits of numbers"
    assert recover("one", store.read("one")) == live
    joined = [event_of(one) for one in store.read("one") if one.name == "player-joined"]
    assert all(isinstance(one, PlayerJoined) and not one.cents for one in joined)
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_a_crowd_at_a_table_without_rounds_makes_room_for_who_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody goes who has a seat or a bet; who does finds the chips again."""
    monkeypatch.setattr(away, "MOST_PLAYERS", 5)
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)

        async def comes(number: int, *then: AnyCommand) -> Live:
            guest = Person(name=f"Guest-{number}", role="guest")
            kept = away.kept_for(store, engine.tables["one"], guest.name)
            plan = away.clearing(plans.sit_down(guest, None, 1_000_00, kept), 3)
            assert (await engine.ask("one", plan, actor=guest.name)).refusal is None
            for command in then:
                await did(engine, guest, command)
            return engine.tables["one"]

        await comes(0, commands.Place(by="Guest-0", box=1, bet="player", cents=100_00))
        for number in range(1, 40):
            live = await comes(number)
            assert live.table.players[:3] == ("Wei", "Mei", "Guest-0")
            assert len(live.table.players) <= 5
        live = await comes(7)
        assert live.table.rack("Guest-7") == 1_000_00
        assert sum(live.table.balances.values()) == 0
    assert audit_store(store, (), KEY).problems == ()


# What is kept for a time only -----------------------------------------------------------------------------------


@timed
async def test_answers_are_kept_for_a_week_and_refusals_for_a_quarter_of_an_hour() -> None:
    """Whoever asks again in that time is answered the same; later the store has forgotten."""
    store, clock = MemoryStore(), FakeClock()
    async with hall_on(store, new_table(), clock=clock) as hall:
        await seated(hall, WEI)
        sits = plans.by_person(WEI, commands.Sit(by="Wei", box=2))
        await hall.ask("one", sits, WEI, key="sits")
        await hall.ask("one", plans.by_person(WEI, bet(WEI)), WEI, key="too early")
        for passed, kept in ((0, 2), (14 * 60, 2), (2 * 60, 1), (6 * 86_400, 1), (86_400, 0)):
            clock.wait(passed)
            await hall.forget()
            assert len(list(store.every(ANSWERS))) == kept
        assert one(hall).table.seats == {2: "Wei"}


@timed
async def test_guests_who_never_had_chips_are_forgotten_after_a_month_and_the_names_of_others_stay() -> None:
    store, clock = MemoryStore(), FakeClock()
    async with hall_on(store, new_table(), clock=clock) as hall:
        players = [await asyncio.to_thread(hall.people.guest) for _ in range(3)]
        names = [account.name for account, _ in players]
        await seated(hall, Person(name=names[0], role="guest"))
        for days in (0, 8, 21):
            clock.wait(days * 86_400)
            await asyncio.to_thread(hall.people.tidy)
            assert len(store.accounts()) == 3
            assert await hall.forget() == max(names).casefold()
        clock.wait(2 * 86_400)
        await hall.forget()
        assert [account.name for account in store.accounts()] == [names[0]]


# Pace ---------------------------------------------------------------------------------------------------------


@timed
async def test_a_pace_is_neither_breathless_nor_endless() -> None:
    async with hall_on(MemoryStore(), AUTOMATIC) as hall:
        for name in Pace.__struct_fields__:
            least, most = getattr(plans.FASTEST, name), getattr(plans.SLOWEST, name)
            for ms in (0, least - 1, most + 1):
                with pytest.raises(BadInput, match=f"{name} takes {least:,} to {most:,} milliseconds"):
                    plans.change_pace(Pace(**{name: ms}))
                with pytest.raises(BadInput, match=name):
                    await hall.create(new_table("two", pace=Pace(**{name: ms})), by="Sam")
        for bound in (plans.FASTEST, plans.SLOWEST):
            assert (await hall.ask("one", plans.change_pace(bound), SAM)).refusal is None


@timed
async def test_who_is_gone_from_a_table_that_stands_still_leaves_it_by_the_clock() -> None:
    store, clock = MemoryStore(), FakeClock()
    async with hall_on(store, new_table(), clock=clock) as hall:
        await seated(hall, WEI, MEI)
        await hall.join("one", Reader("Mei", b""), None)
        clock.wait(60 * away.ABSENT_MINUTES - 1)
        await hall.part_with_absent()
        assert set(one(hall).table.players) == {"Wei", "Mei"}
        clock.wait(2)
        await hall.part_with_absent()
        assert one(hall).table.players == ("Mei",), "who looks on stays"
        assert RICH.opening == store.wallet("Wei").cents  # type: ignore[union-attr]
