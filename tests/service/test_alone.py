"""Tables that nobody is at deal by themselves: calmly while the lobby is looked at, a few rounds an hour otherwise."""

from service.clocks import FakeClock
from service.houses import (
    KEY,
    RICH,
    WEI,
    HallOfTests,
    bet,
    go,
    hall_on,
    new_table,
    seated,
    tick,
    timed,
    until,
)
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.tables import hall as halls
from thirdcard.service.tables import plans
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.publish import Reader

EVERY = 3  # rounds an hour


def rounds(hall: Hall) -> int:
    return hall.engine.tables["one"].table.rounds


async def a_house(idle_rounds: int) -> tuple[Hall, MemoryStore]:
    store = MemoryStore()
    tables = (new_table(dealer="automatic"),)
    hall = HallOfTests(
        store, key=KEY, clock=FakeClock(), first_tables=tables, grants=RICH, idle_rounds=idle_rounds
    )
    await hall.start()
    return hall, store


@timed
async def test_a_new_table_has_a_shoe_under_way_for_the_first_visitor_and_goes_on_calmly() -> None:
    hall, store = await a_house(EVERY)
    hall.lobby_seen()
    await until(
        lambda: rounds(hall) == halls.FIRST_ROUNDS and hall.engine.tables["one"].table.phase != "betting"
    )
    names = [record.name for record in store.read("one")]
    assert "timer-started" not in names, "nothing is written but what a round needs"

    def looks() -> None:
        hall.lobby_seen()
        tick(hall, 1.0)

    before = hall.clock.monotonic()
    await until(lambda: rounds(hall) == halls.FIRST_ROUNDS + 2, looks)
    assert hall.clock.monotonic() - before >= halls.CALM_SECONDS
    assert "player-joined" not in [record.name for record in store.read("one")], "nobody is made up"
    await hall.stop()


@timed
async def test_while_nobody_looks_a_table_deals_a_few_rounds_an_hour() -> None:
    hall, _ = await a_house(EVERY)
    begun = hall.clock.monotonic()
    await until(lambda: rounds(hall) == EVERY, lambda: tick(hall, 30.0))
    assert 3_500 <= hall.clock.monotonic() - begun <= 4_000
    await hall.stop()


@timed
async def test_a_house_may_let_its_tables_rest() -> None:
    hall, _ = await a_house(0)
    hall.lobby_seen()
    for _ in range(200):
        tick(hall, 60.0)
    assert rounds(hall) == 0
    await hall.stop()


@timed
async def test_who_has_bet_has_all_the_time_there_is() -> None:
    hall, _ = await a_house(EVERY)
    await seated(hall, WEI)
    await until(lambda: hall.engine.tables["one"].table.phase == "betting", lambda: tick(hall, 1.0))
    await hall.ask("one", plans.by_person(WEI, bet(WEI)), WEI)
    tick(hall, halls.QUIET_SECONDS + 1)
    live = hall.engine.tables["one"]
    assert not hall._waits_for_nobody(live)  # noqa: SLF001
    await hall.stop()


@timed
async def test_a_table_to_learn_at_waits_for_the_first_bet_of_whoever_has_a_seat() -> None:
    gentle = Pace(betting=45_000)
    assert gentle.is_gentle
    async with hall_on(MemoryStore(), new_table(dealer="automatic", pace=gentle)) as hall:
        await seated(hall, WEI)
        await go(hall, lambda: hall.engine.tables["one"].table.phase == "betting")
        for _ in range(10):
            hall.sign_of_life("one")
            tick(hall, 60.0)
            await hall.join("one", Reader("Wei", b""), None)
        assert (rounds(hall), hall.engine.tables["one"].table.phase) == (1, "betting")
        begun = hall.clock.monotonic()
        await hall.ask("one", plans.by_person(WEI, bet(WEI)), WEI)
        await go(hall, lambda: hall.engine.tables["one"].table.phase != "betting")
        assert hall.clock.monotonic() - begun >= gentle.betting / 1000, "and then has all the time there is"
