"""More than one process on one PostgreSQL: the same tables, one dealer at each, and nothing done twice."""

import asyncio
import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from multiprocessing.process import BaseProcess

import msgspec
import psycopg
import pytest

from service.houses import (
    DEE,
    GUARD_SECONDS,
    KEY,
    MEI,
    SAM,
    WEI,
    bet,
    betting,
    did,
    does,
    names,
    new_table,
    same,
    seated,
    timed,
    until,
)
from service.kill import FAST, TABLES, deal
from service.store.server import Server
from thirdcard.service.audit import audit_store
from thirdcard.service.clock import Clock
from thirdcard.service.log.store import open_snapshot, open_store, postgres
from thirdcard.service.log.store.model import LEASE_SECONDS, Record
from thirdcard.service.people import sessions
from thirdcard.service.tables import engine as engines
from thirdcard.service.tables import hall as halls
from thirdcard.service.tables import plans
from thirdcard.service.tables.away import ABSENT_ROUNDS, due_to_be_seen
from thirdcard.service.tables.dealer import Step
from thirdcard.service.tables.engine import Unavailable
from thirdcard.service.tables.hall import Hall, NewTable
from thirdcard.service.tables.leading import LEAD_SECONDS
from thirdcard.service.tables.live import Live, recover
from thirdcard.service.tables.publish import Reader
from thirdcard.table import commands

pytestmark = pytest.mark.server

STAFFED = new_table("one")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    started = Server()
    yield started
    started.stop()


@pytest.fixture
def address(server: Server) -> str:
    return server.database()


@asynccontextmanager
async def process(address: str, *tables: NewTable, clock: Clock | None = None) -> AsyncIterator[Hall]:
    """A house of its own on the shared database; real time, since others have no other."""
    hall = Hall(open_store(address), key=KEY, first_tables=tables, clock=clock)
    await hall.start()
    try:
        yield hall
    finally:
        await hall.stop()


@asynccontextmanager
async def processes(address: str, *tables: NewTable) -> AsyncIterator[tuple[Hall, Hall]]:
    async with process(address, *tables) as one, process(address, *tables) as two:
        yield one, two


def version(hall: Hall, table: str = "one") -> int:
    live = hall.table(table)
    return live.version if live is not None else 0


async def agree(one: Hall, two: Hall, table: str = "one") -> None:
    """Both have heard of everything."""
    await until(lambda: version(one, table) == version(two, table) > 0)


def found_wrong(address: str) -> list[str]:
    with open_snapshot(address) as snapshot:
        return [str(problem) for problem in audit_store(snapshot, (), KEY).problems]


def log_of(address: str, table: str) -> list[Record]:
    store = open_store(address)
    try:
        return store.read(table)
    finally:
        store.close()


def settled_twice(records: list[Record]) -> list[int]:
    times = Counter(record.round for record in records if record.name == "round-settled")
    return [number for number, count in times.items() if count > 1]


# The same tables ----------------------------------------------------------------------------------------


@timed
async def test_processes_that_start_together_make_one_house(address: str) -> None:
    halls = [Hall(open_store(address), key=KEY, first_tables=TABLES) for _ in range(3)]
    async with AsyncExitStack() as stack:
        await asyncio.gather(*(hall.start() for hall in halls))
        for hall in halls:
            stack.push_async_callback(hall.stop)
        assert [set(hall.tables()) for hall in halls] == [{"auto", "hand"}] * 3
        assert [set(hall.channels) for hall in halls] == [{"auto", "hand"}] * 3
        assert names(log_of(address, "hand")) == ["table-created", "table-opened"]


@timed
async def test_who_looks_on_at_one_process_is_not_away_from_a_table_that_another_deals(address: str) -> None:
    async with processes(address, STAFFED) as (one, two):
        await seated(one, WEI, MEI)
        await agree(one, two)
        await two.join("one", Reader("Wei", b""), None)
        for number in range(6):
            shoe = () if number else (commands.NewShoe(by="Dee"),)
            await one.ask("one", plans.by_person(DEE, *shoe, commands.Open(by="Dee")), DEE)
            await until(lambda: "Wei" not in due_to_be_seen(one.engine.tables["one"], ABSENT_ROUNDS))
            await did(one.engine, SAM, commands.Void(by="Sam", reason="a rehearsal"))
        assert one.engine.tables["one"].table.seats == {1: "Wei"}
    assert found_wrong(address) == []


@timed
async def test_a_command_at_one_process_is_seen_by_those_who_watch_at_the_other(address: str) -> None:
    async with processes(address, STAFFED) as (one, two):
        await seated(one, WEI, MEI)
        await agree(one, two)
        readers = [Reader("Wei", b""), Reader("Wei", b"")]
        for hall, reader in zip((one, two), readers, strict=True):
            await hall.join("one", reader, None)
        await betting(one.engine)
        await agree(one, two)
        await did(two.engine, WEI, bet())  # decided there on what was written here
        await agree(one, two)
        assert same(one.engine.tables["one"], two.engine.tables["one"])
        told = [[msgspec.json.decode(text) for text in _taken(reader)] for reader in readers]
        assert [messages[-1]["version"] for messages in told] == [version(one)] * 2
        for messages in told:
            ends = [message["version"] for message in messages[:-1]]
            assert [message["from"] for message in messages[1:]] == ends, "without gap or double"
            assert [stake["player"] for stake in messages[-1]["changed"]["stakes"]] == ["Wei"]


@timed
async def test_who_comes_from_a_process_that_is_further_on_is_not_led_back(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres.PostgresStore, "listen", lambda *_: lambda: None)
    async with processes(address, STAFFED) as (one, two):
        await betting(one.engine)
        assert version(two) < version(one), "it has not heard of it"
        reader = Reader("", b"")
        await two.join("one", reader, version(one))
        told = [msgspec.json.decode(text) for text in _taken(reader)]
        assert [message["version"] for message in told] == [version(one)]
        assert "view" not in told[0], "it has all of it"


def _taken(reader: Reader) -> list[str]:
    return [text for text in reader.outbox if text is not None]


@timed
async def test_a_table_made_at_one_process_can_be_played_at_the_other(address: str) -> None:
    async with processes(address, STAFFED) as (one, two):
        await one.create(new_table("later"), by="Sam")
        await until(lambda: "later" in two.channels)
        await seated(two, WEI, table="later")
        await agree(one, two, "later")


@timed
async def test_one_key_at_both_processes_has_one_effect_and_one_answer(address: str) -> None:
    async with processes(address, STAFFED) as (one, two):
        await seated(one, WEI)
        await betting(one.engine)
        await agree(one, two)
        asked = [does(hall.engine, WEI, bet(), key="a") for _ in range(50) for hall in (one, two)]
        answers = await asyncio.gather(*asked)
        assert len({msgspec.json.encode(answer) for answer in answers}) == 1
        assert names(log_of(address, "one")).count("stake-set") == 1


@timed
async def test_bets_at_both_processes_at_once_are_all_taken_and_none_after_the_close(address: str) -> None:
    async with processes(address, STAFFED) as (one, two):
        await seated(one, WEI, MEI)
        await betting(one.engine)
        await agree(one, two)
        asked = [
            does(hall.engine, person, bet(person, 10_00, box=box), key=f"{n} {box}")
            for n in range(20)
            for hall, person, box in ((one, WEI, 1), (two, MEI, 2))
        ]
        asked.insert(21, does(two.engine, DEE, commands.Close(by="Dee")))
        answers = await asyncio.gather(*asked)
        await agree(one, two)
    records = log_of(address, "one")
    logged = names(records)
    assert "stake-set" not in logged[logged.index("bets-closed") :]
    assert logged.count("stake-set") == sum(answer.events == ("stake-set",) for answer in answers)
    assert same(one.engine.tables["one"], recover("one", records))
    assert found_wrong(address) == []


# How long it may take -----------------------------------------------------------------------------------


def test_another_process_takes_over_within_five_seconds() -> None:
    """A lease runs out, the next look finds it free, while a server may have to be tried again."""
    waits = LEASE_SECONDS + LEAD_SECONDS + engines.PAUSE + postgres.PAUSE
    assert waits < halls.LATE_SECONDS == 5


def test_who_is_signed_out_at_one_process_is_out_at_all_within_two_seconds() -> None:
    assert sessions.TRUSTED_SHARED == 2


# One dealer ---------------------------------------------------------------------------------------------

DEALT = new_table("auto", "automatic", FAST)


@timed
async def test_one_of_two_processes_deals_and_when_it_stops_the_other_does(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: Counter[Hall] = Counter()
    carry_out = Hall._carry_out  # noqa: SLF001

    async def counted(hall: Hall, live: Live, step: Step) -> None:
        steps[hall] += 1
        await carry_out(hall, live, step)

    monkeypatch.setattr(Hall, "_carry_out", counted)
    async with processes(address, DEALT) as both:
        await until(lambda: min(map(rounds, both)) >= 2, lambda: _somebody(*both))
        ((dealt, _),) = steps.most_common()
        (other,) = set(both) - {dealt}
        await dealt.stop()
        before = rounds(other)
        await until(lambda: rounds(other) > before, lambda: _somebody(other))
    assert settled_twice(log_of(address, "auto")) == []
    assert found_wrong(address) == []


def rounds(hall: Hall) -> int:
    live = hall.table("auto")
    return live.table.rounds if live is not None else 0


def _somebody(*halls: Hall) -> None:
    for hall in halls:
        hall.sign_of_life("auto")


@contextmanager
def another(address: str) -> Iterator[BaseProcess]:
    """A real process that deals."""
    dealing = multiprocessing.get_context("forkserver").Process(target=deal, args=(address,), daemon=True)
    dealing.start()
    try:
        yield dealing
    finally:
        dealing.kill()
        dealing.join()


async def led_by_another(hall: Hall) -> None:
    """Nobody is here, so that the other one deals; then Wei is, with a bet."""
    await until(lambda: rounds(hall) >= 2)
    assert hall.leading.term("auto") is None
    await seated(hall, WEI, table="auto")
    await _placed(hall)
    assert hall.leading.term("auto") is None


async def taken_over(hall: Hall) -> None:
    await until(lambda: hall.leading.term("auto"), lambda: _somebody(hall))
    number = rounds(hall)
    await until(lambda: rounds(hall) > number + 1, lambda: _somebody(hall))


@timed
async def test_when_the_process_that_deals_is_killed_another_takes_over(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(halls, "LATE_SECONDS", GUARD_SECONDS)  # however slow the machine is
    with another(address) as dealing:
        async with process(address, *TABLES) as hall:
            await led_by_another(hall)
            dealing.kill()
            await taken_over(hall)
    records = log_of(address, "auto")
    assert settled_twice(records) == []
    assert "round-voided" not in names(records), "to take over is no interruption"
    assert found_wrong(address) == []


@pytest.mark.whole
@timed
async def test_when_the_process_that_deals_hangs_another_takes_over_and_it_goes_on_nowhere_when_it_wakes(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(halls, "LATE_SECONDS", GUARD_SECONDS)
    with another(address) as dealing:
        async with process(address, *TABLES) as hall:
            await led_by_another(hall)
            assert dealing.pid is not None
            os.kill(dealing.pid, signal.SIGSTOP)
            await taken_over(hall)
            term = hall.leading.term("auto")
            os.kill(dealing.pid, signal.SIGCONT)
            number = rounds(hall)
            await until(lambda: rounds(hall) > number + 5, lambda: _somebody(hall))
            assert dealing.is_alive()
            await hall.stop()
            await asyncio.to_thread(_goes_on, address, term or 0)
    records = log_of(address, "auto")
    assert settled_twice(records) == []
    assert not {"round-voided", "irregularity-reported"} & set(names(records)), (
        "people could act all the time"
    )
    assert found_wrong(address) == []


def _goes_on(address: str, term: int) -> None:
    """Somebody else leads by now, who was there all the time."""
    with psycopg.connect(address) as connection:
        while True:
            (now,) = connection.execute("SELECT max(term) FROM thirdcard.leases").fetchone() or (0,)
            connection.rollback()
            if now > term:
                return
            time.sleep(0.01)


async def _placed(hall: Hall) -> None:
    """Wei has a bet, as soon as bets are open."""
    while True:
        answer = await does(hall.engine, WEI, bet(), table="auto")
        if answer.refusal is None:
            return
        await asyncio.sleep(0.005)


class Ahead(Clock):
    """An hour ahead of everybody else's."""

    def wall(self) -> int:
        return super().wall() + 3_600_000_000


@pytest.mark.whole
@timed
async def test_a_deadline_that_only_a_bystander_thought_missed_interrupts_nothing_later(address: str) -> None:
    slow = new_table("auto", "automatic", msgspec.structs.replace(FAST, betting=1_500))
    async with AsyncExitStack() as stack:
        async with process(address, slow) as one:
            await until(lambda: _betting(one), lambda: _somebody(one))
            two = await stack.enter_async_context(process(address, slow, clock=Ahead()))
            number = rounds(one)
            await until(lambda: rounds(two) > number, lambda: _somebody(one))
        await until(lambda: rounds(two) > number + 2, lambda: _somebody(two))
    assert "irregularity-reported" not in names(log_of(address, "auto"))


def _betting(hall: Hall) -> bool:
    live = hall.table("auto")
    return live is not None and live.timer is not None and live.timer.name == "betting"


@timed
async def test_two_processes_that_deal_without_asking_each_other_are_held_apart_by_the_log(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the lock is for is speed: even without it no card is dealt twice."""
    async with processes(address, DEALT) as (one, two):
        for hall in (one, two):
            monkeypatch.setattr(hall.engine.store, "lead", lambda streams: dict.fromkeys(streams, 0))
        await until(lambda: rounds(one) >= 4, lambda: _somebody(one, two))
    assert settled_twice(log_of(address, "auto")) == []
    assert found_wrong(address) == []


# People -------------------------------------------------------------------------------------------------


@timed
async def test_a_session_ended_at_one_process_is_refused_at_the_other(address: str) -> None:
    async with processes(address, STAFFED) as (one, two):
        account, token = await asyncio.to_thread(one.people.guest)

        async def who(hall: Hall) -> str:
            found = await asyncio.to_thread(hall.people.who, token)
            return found.name if found is not None else ""

        assert await who(one) == await who(two) == account.name
        await asyncio.to_thread(one.people.sign_out, token)
        assert await who(one) == ""
        await until(lambda: not two.people.who(token))


@timed
async def test_an_account_disabled_at_one_process_is_out_at_the_other(address: str) -> None:
    async with processes(address, STAFFED) as (one, two):
        await asyncio.to_thread(one.people.register, "Lena", "a long enough password 7", "player")
        token = await asyncio.to_thread(two.people.sign_in, "Lena", "a long enough password 7", origin="here")
        assert await asyncio.to_thread(two.people.who, token) is not None
        await asyncio.to_thread(one.people.disable, "Lena")
        await until(lambda: not two.people.who(token))


# PostgreSQL itself --------------------------------------------------------------------------------------


@timed
async def test_postgresql_killed_in_the_middle_of_a_round_is_waited_for_and_nothing_is_lost(
    server: Server, address: str
) -> None:
    async with processes(address, STAFFED) as (one, two):
        await seated(one, WEI, MEI)
        await betting(one.engine)
        await agree(one, two)
        acknowledged = [await did(one.engine, WEI, bet(cents=10_00), key=str(n)) for n in range(10)]
        await asyncio.to_thread(server.kill)
        waits = [
            asyncio.create_task(does(hall.engine, WEI, bet(cents=10_00), key="w")) for hall in (one, two)
        ]
        await until(lambda: not one.engine.healthy and not two.engine.healthy)
        await asyncio.to_thread(server.start)
        answers = await asyncio.gather(*waits)
        assert answers[0] == answers[1]
        assert answers[0].refusal is None
        again = [await did(two.engine, WEI, bet(cents=10_00), key=str(n)) for n in range(10)]
        assert again == acknowledged
        await did(two.engine, MEI, bet(MEI, 20_00, box=2))
        await agree(one, two)  # the listening connection is back too
        await did(one.engine, DEE, commands.Close(by="Dee"))
        await agree(one, two)
    assert names(log_of(address, "one")).count("stake-set") == 12
    assert found_wrong(address) == []


@timed
async def test_an_automatic_table_goes_on_after_postgresql_was_killed(server: Server, address: str) -> None:
    async with processes(address, DEALT) as (one, two):
        await seated(one, WEI, table="auto")
        await until(lambda: rounds(two) >= 1, lambda: _somebody(one, two))
        await _placed(one)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        before = (version(one, "auto"), version(two, "auto"))
        await until(
            lambda: version(one, "auto") > before[0] and version(two, "auto") > before[1],
            lambda: _somebody(one, two),
        )
        number = rounds(one)
        await until(lambda: min(rounds(one), rounds(two)) > number, lambda: _somebody(one, two))
    assert settled_twice(log_of(address, "auto")) == []
    assert found_wrong(address) == []


@pytest.mark.whole
@timed
async def test_who_asks_while_postgresql_stays_away_is_told_so(
    server: Server, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thirdcard.service.tables.engine.PATIENCE", 0.5)
    async with process(address, STAFFED) as hall:
        await seated(hall, WEI)
        await betting(hall.engine)
        await asyncio.to_thread(server.kill)
        with pytest.raises(Unavailable):
            await does(hall.engine, WEI, bet(), key="a")
        await asyncio.to_thread(server.start)
        await until(lambda: hall.engine.healthy)
        await did(hall.engine, WEI, bet(), key="a")
    assert names(log_of(address, "one")).count("stake-set") == 1
