"""The engine: what is answered is durable, happens once, and is decided on what came before it."""

import asyncio
import contextlib
import sqlite3
import time
from pathlib import Path

import msgspec
import pytest

from service.houses import (
    DEE,
    MEI,
    WEI,
    Faulty,
    Hasty,
    bet,
    betting,
    did,
    does,
    made,
    names,
    running,
    same,
    timed,
    until,
)
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.store.sqlite import Connection, MemoryStore, SqliteStore, connect
from thirdcard.service.tables import engine as module
from thirdcard.service.tables import plans
from thirdcard.service.tables.draft import TableChange
from thirdcard.service.tables.engine import Engine, KeyReused, Unavailable
from thirdcard.service.tables.live import recover
from thirdcard.table import commands

# Nothing before the commit ------------------------------------------------------------------------------


async def _early(kind: type[Engine]) -> list[str]:
    """What has happened of a bet while its commit is still on its way."""
    store = Faulty()
    told: list[TableChange] = []
    async with running(store, kind) as engine:
        await made(engine)
        await betting(engine)
        await until(lambda: engine.tables["one"].table.phase == "betting")
        before = engine.tables["one"]
        engine.watchers.append(told.append)
        store.waiting.clear()
        store.gate.clear()
        asked = asyncio.create_task(does(engine, WEI, bet(), key="a"))
        try:
            await until(store.waiting.is_set)
            await asyncio.sleep(0)
            happened = ["answered"] * asked.done() + ["told"] * bool(told)
            happened += ["changed"] * (engine.tables["one"] is not before)
        finally:
            store.gate.set()
        answer = await asked
        await until(lambda: told)
        assert engine.tables["one"].version == before.version + 1 == answer.version
    return happened


@timed
async def test_nobody_is_answered_and_nothing_changes_before_the_commit() -> None:
    assert await _early(Engine) == []


@timed
async def test_an_engine_that_answers_before_the_commit_is_found_out() -> None:
    assert await _early(Hasty) == ["answered"]


@timed
async def test_requests_that_come_together_are_written_together_and_each_builds_on_the_ones_before() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        commits, start = engine.commits, engine.tables["one"].version
        answers = await asyncio.gather(*(did(engine, WEI, bet(cents=10_00), key=str(n)) for n in range(100)))
        assert engine.commits == commits + 1
        assert [answer.version for answer in answers] == list(range(start + 1, start + 101))
        stakes = engine.tables["one"].table.round
        assert stakes is not None
        assert [stake.cents for stake in stakes.stakes.values()] == [1_000_00]
        assert same(engine.tables["one"], recover("one", store.read("one")))


@timed
async def test_after_a_crowd_more_are_let_come_in_and_after_a_few_nobody_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[asyncio.Future[None]] = []

    async def pause(_seconds: float) -> None:
        pauses.append(asyncio.get_running_loop().create_future())
        await pauses[-1]

    async with running(MemoryStore()) as engine:
        await made(engine)
        await betting(engine)
        await asyncio.gather(*(did(engine, WEI, bet(cents=10_00)) for _ in range(module.CROWD - 1)))
        with monkeypatch.context() as held:
            held.setattr(asyncio, "sleep", pause)
            await did(engine, WEI, bet(cents=10_00))
            assert not pauses
            await asyncio.gather(*(did(engine, WEI, bet(cents=10_00)) for _ in range(module.CROWD)))
            assert len(pauses) == 1
            commits = engine.commits
            one = asyncio.create_task(did(engine, WEI, bet(cents=10_00)))
            other = asyncio.create_task(did(engine, MEI, bet(MEI, cents=10_00)))
        await until(lambda: len(engine._inbox) == 2)  # noqa: SLF001
        assert engine.commits == commits
        pauses[0].set_result(None)
        await asyncio.gather(one, other)
        assert engine.commits == commits + 1


@timed
async def test_postings_stand_with_their_events_whatever_else_is_in_the_commit() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        await asyncio.gather(
            did(engine, WEI, commands.BuyIn(by="Wei", cents=500_00), bet(cents=50_00)),
            does(engine, MEI, bet(MEI, cents=7)),
            did(engine, DEE, commands.Place(by="Dee", player="Mei", box=2, bet="banker", cents=60_00)),
        )
        expected = [
            (record.version, posting.account, posting.cents)
            for record in store.read("one")
            for posting in event_of(record).postings
        ]
        assert [(entry.version, entry.account, entry.cents) for entry in store.entries("one")] == expected
        assert len(expected) == 10


# No room ------------------------------------------------------------------------------------------------


@timed
async def test_a_full_store_refuses_cleanly_and_the_same_request_is_done_once_there_is_room() -> None:
    store = Faulty()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        before, log = engine.tables["one"], store.read("one")
        store.faults = ["full"]
        with pytest.raises(Unavailable, match="no room to write: nothing was done"):
            await does(engine, WEI, bet(), key="a")
        assert engine.tables["one"] is before
        assert store.read("one") == log
        assert store.answered("Wei", "a") is None
        assert (await did(engine, WEI, bet(), key="a")).version == before.version + 1


@timed
async def test_a_real_file_without_room_keeps_what_was_acknowledged_and_goes_on_when_there_is_some(
    tmp_path: Path,
) -> None:
    opened: list[sqlite3.Connection] = []

    def small(path: str, *, read_only: bool) -> Connection:
        connection = connect(path, read_only=read_only)
        assert isinstance(connection, sqlite3.Connection)
        opened.append(connection)
        return connection

    def room(pages: int) -> None:
        for connection in opened:
            try:
                connection.execute(f"PRAGMA max_page_count = {pages}")
            except sqlite3.ProgrammingError:  # closed since
                continue

    store = SqliteStore(tmp_path / "house.db", connect=small)
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        room(1)  # no page more than there are
        accepted: list[int] = []
        with contextlib.suppress(Unavailable):
            while len(accepted) < 500:
                accepted.append((await did(engine, WEI, bet(cents=10_00), key=str(len(accepted)))).version)
        assert 0 < len(accepted) < 500, "some fit into pages that there were"
        assert engine.tables["one"].version == accepted[-1]
        with pytest.raises(Unavailable):
            await did(engine, WEI, bet(cents=10_00), key=str(len(accepted)))
        room(10_000)
        for n in range(len(accepted) + 2):
            again = await did(engine, WEI, bet(cents=10_00), key=str(n))
            assert n >= len(accepted) or again.version == accepted[n]
        assert len([name for name in names(store.read("one")) if name == "stake-set"]) == len(accepted) + 2
        assert sum(entry.cents for entry in store.entries("one")) == 0
    reopened = SqliteStore(tmp_path / "house.db")
    assert same(recover("one", reopened.read("one")), engine.tables["one"])
    reopened.close()


# A store that breaks off --------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["down", "unsure"])
@timed
async def test_whether_or_not_a_broken_off_commit_was_made_it_has_one_effect_and_one_answer(
    fault: str,
) -> None:
    store = Faulty()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        version = engine.tables["one"].version
        store.faults = [fault]
        answer = await did(engine, WEI, bet(), key="a")
        assert answer.version == version + 1
        kept = store.answered("Wei", "a")
        assert kept is not None
        assert msgspec.json.decode(kept.answer, type=module.Answer) == answer
        assert await does(engine, WEI, bet(), key="a") == answer
        assert names(store.read("one", after=version)) == ["stake-set"]
        assert same(engine.tables["one"], recover("one", store.read("one")))


@timed
async def test_watchers_hear_once_of_what_a_broken_off_commit_did_write() -> None:
    store = Faulty()
    told: list[TableChange] = []
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        engine.watchers.append(told.append)
        store.faults = ["unsure"]
        await asyncio.gather(*(did(engine, WEI, bet(cents=10_00), key=str(n)) for n in range(3)))
        reached = [version for one in told for version in range(one.before.version, one.after.version)]
        assert reached == list(range(told[0].before.version, engine.tables["one"].version))
        assert len(reached) == 3


@timed
async def test_a_store_that_stays_away_is_told_and_what_was_asked_can_be_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    store = Faulty()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        store.away = True
        with pytest.raises(Unavailable, match="ask again with the same key"):
            await does(engine, WEI, bet(), key="a")
        assert not engine.healthy
        store.away = False
        await did(engine, WEI, bet(), key="a")
        assert engine.healthy
        assert names(store.read("one")).count("stake-set") == 1


@timed
async def test_what_others_wrote_is_fetched_once_the_store_is_back_without_asking_all_the_time() -> None:
    store = Faulty()
    async with running(store) as engine, running(store) as other:
        await made(engine)
        store.away = True
        reads, begun = store.reads, time.monotonic()
        engine.heard("one", engine.tables["one"].version + 1)
        await until(lambda: store.reads - reads >= 5)
        assert time.monotonic() - begun > 3 * module.PAUSE, "it asks all the time"
        assert not engine.healthy
        store.away = False
        await other.catch_up("one")
        await did(other, DEE, commands.NewShoe(by="Dee"))
        await until(lambda: engine.tables["one"].version == other.tables["one"].version)
        await until(lambda: engine.healthy)


@timed
async def test_a_fault_that_nobody_foresaw_ends_its_own_requests_and_no_others() -> None:
    store = Faulty()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        store.faults = ["broken"]
        with pytest.raises(Unavailable):
            await does(engine, WEI, bet(), key="a")
        await did(engine, WEI, bet(), key="a")


@timed
async def test_a_watcher_that_fails_keeps_nobody_from_an_answer_and_no_other_watcher_from_hearing() -> None:
    told: list[TableChange] = []

    def fails(change: TableChange) -> None:
        raise ZeroDivisionError(change.after.id)

    async with running(MemoryStore()) as engine:
        engine.watchers += [fails, told.append]
        await made(engine)
        await betting(engine)
        await did(engine, WEI, bet(), key="a")
        assert told[-1].after.version == engine.tables["one"].version


@timed
async def test_who_asks_while_the_engine_stops_or_after_it_is_told_to_ask_again() -> None:
    store = Faulty()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        store.waiting.clear()
        store.gate.clear()
        written = asyncio.create_task(does(engine, WEI, bet(), key="a"))
        await until(store.waiting.is_set)
        waits = asyncio.create_task(does(engine, MEI, bet(MEI, box=2), key="b"))
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(0.1, store.gate.set)
        await engine.stop()
        for asked in (written, waits):
            with pytest.raises(Unavailable):
                await asked
        with pytest.raises(Unavailable):
            await does(engine, WEI, bet(), key="c")
    assert store.answered("Wei", "a") is not None, "what was being written is finished"
    assert store.answered("Mei", "b") is None


# Keys ---------------------------------------------------------------------------------------------------


@timed
async def test_an_answer_is_the_same_for_ever_and_after_every_restart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 2)
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        answers = [await did(engine, WEI, bet(cents=10_00), key=str(n)) for n in range(10)]
        assert [await does(engine, WEI, bet(cents=10_00), key=str(n)) for n in range(10)] == answers
    async with running(store) as engine:
        assert [await does(engine, WEI, bet(cents=10_00), key=str(n)) for n in range(10)] == answers
        assert names(store.read("one")).count("stake-set") == 10


@timed
async def test_a_refusal_is_an_answer_too_and_stays_one_when_the_moment_has_come() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        refused = await does(engine, WEI, bet(), key="a")
        assert refused.refusal is not None
        assert refused.refusal.code == "wrong-phase"
        await betting(engine)
        assert await does(engine, WEI, bet(), key="a") == refused
    async with running(store) as engine:
        assert await does(engine, WEI, bet(), key="a") == refused
        await did(engine, WEI, bet(), key="b")


@timed
async def test_a_key_that_belongs_to_another_request_is_refused() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        for table in ("one", "two"):
            await made(engine, table)
            await betting(engine, table)
        await did(engine, WEI, bet(), key="a")
        logs = store.read("one"), store.read("two")

        async def reused(engine: Engine) -> None:
            with pytest.raises(KeyReused):
                await does(engine, WEI, bet(cents=200_00), key="a")
            with pytest.raises(KeyReused):
                await does(engine, WEI, bet(), key="a", table="two")

        await reused(engine)
    async with running(store) as engine:
        await reused(engine)
        assert (store.read("one"), store.read("two")) == logs
        await did(engine, MEI, bet(MEI, box=2), key="a")  # keys are each person's own


@timed
async def test_of_two_requests_with_one_key_at_the_same_moment_the_first_is_done() -> None:
    async with running(MemoryStore()) as engine:
        for table in ("one", "two"):
            await made(engine, table)
            await betting(engine, table)
        found = await asyncio.gather(
            does(engine, WEI, bet(), key="a"),
            does(engine, WEI, bet(cents=200_00), key="a"),
            does(engine, WEI, bet(), key="a", table="two"),
            return_exceptions=True,
        )
        assert [isinstance(one, KeyReused) for one in found] == [False, True, True]
        assert engine.tables["two"].table.round is not None
        assert not engine.tables["two"].table.round.stakes


# Others who write ---------------------------------------------------------------------------------------


@timed
async def test_two_engines_on_one_store_decide_again_what_the_other_has_overtaken() -> None:
    store = MemoryStore()
    async with running(store) as one, running(store) as two:
        await made(one)
        await betting(one)
        await two.catch_up("one")
        both = [
            did(engine, WEI, bet(cents=10_00), key=f"{number} {n}")
            for n in range(50)
            for number, engine in enumerate((one, two))
        ]
        answers = await asyncio.gather(*both)
        await did(one, WEI, bet(cents=10_00))
        await did(two, WEI, bet(cents=10_00))
        await one.catch_up("one")
        assert same(one.tables["one"], two.tables["one"])
        assert same(one.tables["one"], recover("one", store.read("one")))
        assert names(store.read("one")).count("stake-set") == 102
        assert len({answer.version for answer in answers}) == 100


@timed
async def test_the_same_key_at_two_engines_has_one_effect_and_one_answer() -> None:
    store = MemoryStore()
    async with running(store) as one, running(store) as two:
        await made(one)
        await betting(one)
        await two.catch_up("one")
        asked = [did(engine, WEI, bet(), key="a") for _ in range(50) for engine in (one, two)]
        answers = await asyncio.gather(*asked)
        assert len({msgspec.json.encode(answer) for answer in answers}) == 1
        assert names(store.read("one")).count("stake-set") == 1


@timed
async def test_a_table_that_another_engine_has_made_is_told_to_watchers_too() -> None:
    store = MemoryStore()
    told: list[TableChange] = []
    async with running(store) as one, running(store) as two:
        two.watchers.append(told.append)
        await made(one)
        two.heard("one", one.tables["one"].version)
        await until(lambda: told)
        assert told[0].before.version == 0
        assert same(told[-1].after, one.tables["one"])


@timed
async def test_a_plan_that_comes_to_nothing_is_told_to_nobody() -> None:
    told: list[TableChange] = []
    async with running(MemoryStore()) as engine:
        await made(engine)
        await betting(engine)
        engine.watchers.append(told.append)
        plan = plans.still(1, plans.close_table())
        nothing = [engine.ask("one", plan, actor="Dee", key=key) for key in ("", "a")]
        answers = await asyncio.gather(*nothing, did(engine, WEI, bet()))
        assert [(answer.events, answer.refusal) for answer in answers[:2]] == [((), None)] * 2
        assert len(told) == 1
