"""Ready: once everybody who bet is, the automatic dealer goes on; nobody can hurry anybody else."""

import asyncio

from service.houses import KEY, MEI, WEI, bet, did, go, hall_on, names, new_table, seated, timed, until
from thirdcard.service.audit import audit_store
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.tables.away import BY_HAND, NO_BET, NOT_OPEN, say_ready
from thirdcard.service.tables.hall import QUICK, Hall
from thirdcard.service.tables.live import Live, recover
from thirdcard.service.tables.publish import TimerView, public_facts
from thirdcard.table import commands

AUTOMATIC = new_table(dealer="automatic", pace=Pace(betting=20_000, card=1))


def one(hall: Hall) -> Live:
    return hall.engine.tables["one"]


def left(hall: Hall) -> int:
    """Milliseconds that people are told they have."""
    timer = hall.channels["one"].timer()
    return timer.left_ms if timer is not None else 0


async def says(hall: Hall, person: Person, *, ready: bool = True) -> str:
    """What it was refused with, if it was."""
    no = (await hall.ask("one", say_ready(person, ready=ready), person)).refusal
    return no.sentence if no is not None else ""


async def opened(hall: Hall) -> None:
    await go(hall, lambda: one(hall).timer is not None and one(hall).table.phase == "betting")


async def rests(hall: Hall) -> None:
    """A moment in which the dealer could have gone on."""
    await asyncio.sleep(0.05)
    assert one(hall).table.phase == "betting"


@timed
async def test_who_plays_alone_goes_on_at_once() -> None:
    store = MemoryStore()
    async with hall_on(store, AUTOMATIC) as hall:
        await seated(hall, WEI)
        await opened(hall)
        assert await says(hall, WEI) == NO_BET.sentence
        await did(hall.engine, WEI, bet(WEI))
        await rests(hall)
        assert await says(hall, WEI) == ""
        await until(lambda: one(hall).table.phase == "dealing")
        assert one(hall).ready == ()
        assert await says(hall, WEI) == NOT_OPEN.sentence
    assert names(store.read("one")).count("player-ready") == 1
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_everybody_who_bet_has_to_be_ready_and_whose_chips_move_is_not_any_more() -> None:
    async with hall_on(MemoryStore(), AUTOMATIC) as hall:
        await seated(hall, WEI, MEI)
        await opened(hall)
        await did(hall.engine, WEI, bet(WEI))
        await did(hall.engine, MEI, bet(MEI, box=2))
        await says(hall, WEI)
        await rests(hall)
        assert public_facts(one(hall)).ready == ("Wei",)
        await did(hall.engine, WEI, bet(WEI, on="tie"))
        assert one(hall).ready == ()
        await says(hall, MEI)
        await rests(hall)
        await says(hall, MEI, ready=False)
        await says(hall, WEI)
        await rests(hall)
        await says(hall, MEI)
        await until(lambda: one(hall).table.phase == "dealing")
        await go(hall, lambda: one(hall).table.rounds == 2)
        assert one(hall).ready == (), "each round begins with nobody ready"


@timed
async def test_half_of_the_time_stays_for_who_has_chips_and_no_bet() -> None:
    async with hall_on(MemoryStore(), AUTOMATIC) as hall:
        await seated(hall, WEI, MEI)
        await opened(hall)
        await did(hall.engine, WEI, bet(WEI))
        before = left(hall)
        await says(hall, WEI)
        assert left(hall) == before - 10_000, "and everybody is told so"
        await rests(hall)
        await did(hall.engine, MEI, bet(MEI, box=2))
        assert left(hall) == before
        await did(hall.engine, MEI, commands.TakeBack(by="Mei", box=2, bet="player"))
        assert left(hall) == before - 10_000
        hall.clock.wait(before / 1000 - 10)  # type: ignore[attr-defined]
        hall._stir("one")  # noqa: SLF001
        await until(lambda: one(hall).table.phase == "dealing")


@timed
async def test_a_dealer_of_flesh_and_blood_is_not_told_when_to_close() -> None:
    async with hall_on(MemoryStore(), new_table()) as hall:
        await seated(hall, WEI)
        assert await says(hall, WEI) == BY_HAND.sentence


@timed
async def test_a_restart_knows_who_was_ready_and_a_log_without_such_events_has_nobody() -> None:
    store = MemoryStore()
    async with hall_on(store, AUTOMATIC) as hall:
        await seated(hall, WEI, MEI)
        await opened(hall)
        await did(hall.engine, WEI, bet(WEI))
        await did(hall.engine, MEI, bet(MEI, box=2))
        await says(hall, WEI)
    records = store.read("one")
    assert recover("one", records).ready == ("Wei",)
    before = records[: names(records).index("player-ready")]
    assert recover("one", before).ready == ()


def test_a_quick_table_says_so() -> None:
    assert QUICK.is_quick
    assert not Pace().is_quick
    assert TimerView(name="betting", ms=QUICK.betting, left_ms=1).ms < Pace().betting
