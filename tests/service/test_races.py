"""Many at once: whatever the order in which requests come in, the table is as if they came one by one.

Each check is also made of an engine that decides on stale state, and must find it out.
"""

import asyncio
import random
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import msgspec
import pytest

from service.houses import (
    ANWAR,
    DEE,
    KEY,
    MEI,
    SAM,
    WEI,
    Stale,
    bet,
    betting,
    did,
    does,
    made,
    names,
    new_table,
    running,
    same,
    timed,
)
from thirdcard.cards import Card
from thirdcard.service.api.app import create_app
from thirdcard.service.api.gate import Rates
from thirdcard.service.api.server import server
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.store import open_store
from thirdcard.service.log.store.model import Record
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import plans
from thirdcard.service.tables.engine import Answer, Engine
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import recover
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand

pytestmark = pytest.mark.server

ROUNDS = 12


# One key, a hundred times -------------------------------------------------------------------------------


@timed
async def test_one_key_a_hundred_times_at_once_has_one_effect_and_one_answer() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        answers = await asyncio.gather(*(did(engine, WEI, bet(), key="a") for _ in range(100)))
        assert len({msgspec.json.encode(answer) for answer in answers}) == 1
        assert names(store.read("one")).count("stake-set") == 1


@timed
async def test_a_hundred_keys_at_once_have_a_hundred_effects() -> None:
    """The control: the same requests are done each, if they have keys of their own."""
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        asked = (did(engine, WEI, bet(cents=10_00), key=str(n)) for n in range(100))
        assert len({answer.version for answer in await asyncio.gather(*asked)}) == 100
        assert names(store.read("one")).count("stake-set") == 100


@asynccontextmanager
async def _served(path: Path) -> AsyncIterator[tuple[Hall, httpx.AsyncClient]]:
    hall = Hall(open_store(str(path)), key=KEY, first_tables=(new_table("one"), new_table("two")))
    serving = server(create_app(hall, rates=Rates.off()), host="127.0.0.1", port=0)
    task = asyncio.create_task(serving.serve())
    await serving.ready.wait()
    port = serving.servers[0].sockets[0].getsockname()[1]
    limits = httpx.Limits(max_connections=100)
    try:
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", limits=limits, timeout=300
        ) as client:
            yield hall, client
    finally:
        serving.should_exit = True
        await task


@timed
async def test_over_http_one_key_is_one_effect_and_with_another_body_or_table_a_conflict(
    tmp_path: Path,
) -> None:
    async with _served(tmp_path / "house.db") as (hall, client):
        guest = (await client.post("/api/guests")).json()
        bearer = {"Authorization": f"Bearer {guest['token']}"}

        async def post(where: str, body: dict[str, object], key: str) -> httpx.Response:
            headers = {**bearer, "Idempotency-Key": key}
            return await client.post(f"/api/tables/{where}", json=body, headers=headers)

        for table in ("one", "two"):
            seated = await post(f"{table}/sit-down", {"box": 1, "cents": 1_000_00}, uuid.uuid4().hex)
            assert seated.status_code == 200
            await betting(hall.engine, table)
        body: dict[str, object] = {"command": "place", "box": 1, "bet": "player", "cents": 100_00}
        answers = await asyncio.gather(*(post("one/commands", body, "a") for _ in range(100)))
        assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
        assert names(hall.engine.store.read("one")).count("stake-set") == 1
        other_body = await post("one/commands", body | {"cents": 50_00}, "a")
        other_table = await post("two/commands", body, "a")
        for conflict in (other_body, other_table):
            assert (conflict.status_code, conflict.json()["code"]) == (409, "key-reused")
            assert conflict.headers["content-type"] == "application/problem+json"
        assert names(hall.engine.store.read("one")).count("stake-set") == 1
        assert "stake-set" not in names(hall.engine.store.read("two"))


# One rack, fifty bets -----------------------------------------------------------------------------------


async def _fifty_bets(kind: type[Engine]) -> list[str]:
    """What is wrong after 50 bets at once of $100 each, out of a rack of $2,000."""
    store = MemoryStore()
    async with running(store, kind) as engine:
        await made(engine)
        await engine.ask("one", plans.sit_down(ANWAR, 3, 2_000_00), actor="Anwar")
        await betting(engine)
        spots = [on for on in engine.tables["one"].table.setup.bets if not on.endswith("pair")]
        asked = (
            does(engine, ANWAR, bet(ANWAR, 100_00, on=spots[n % len(spots)], box=3), key=str(n))
            for n in range(50)
        )
        answers = await asyncio.gather(*asked)
        accepted = sum(answer.refusal is None for answer in answers)
        racks = list(_running_total(store, "rack:Anwar"))
        left, state = racks[-1], recover("one", store.read("one")).table
        assert state.round is not None
        lying = sum(stake.cents for stake in state.round.stakes.values())
    wrong = []
    if min(racks) < 0:
        wrong.append("a rack below zero")
    if accepted != 20 or left + 100_00 * accepted != 2_000_00 or lying != 100_00 * accepted:
        wrong.append("sums that do not agree")
    return wrong


def _running_total(store: MemoryStore, account: str) -> list[int]:
    totals = [0]
    for entry in store.entries("one"):
        if entry.account == account:
            totals.append(totals[-1] + entry.cents)
    return totals


@timed
async def test_fifty_bets_at_once_never_take_a_rack_below_zero() -> None:
    assert await _fifty_bets(Engine) == []


@timed
async def test_fifty_bets_decided_on_stale_state_are_found_out() -> None:
    assert await _fifty_bets(Stale) == ["a rack below zero", "sums that do not agree"]


# A bet and "No more bets" -------------------------------------------------------------------------------


async def _bets_against_the_close(kind: type[Engine]) -> Counter[str]:
    """Rounds in which the close comes among forty bets; how many were accepted, refused, or too late."""
    chance = random.Random("no more bets")  # noqa: S311 - sample data
    found: Counter[str] = Counter()
    store = MemoryStore()
    async with running(store, kind) as engine:
        await made(engine)
        await betting(engine)
        for _ in range(ROUNDS):
            asked: list[Awaitable[Answer]] = [
                _soon(does(engine, person, bet(person, 10_00, box=box)), chance.randrange(4))
                for box, person in enumerate((WEI, MEI), start=1)
                for _ in range(20)
            ]
            asked.insert(chance.randrange(41), _soon(does(engine, DEE, commands.Close(by="Dee")), 2))
            answers = await asyncio.gather(*asked)
            found["accepted"] += sum(answer.events == ("stake-set",) for answer in answers)
            found["refused"] += sum(answer.refusal is not None for answer in answers)
            await did(engine, SAM, commands.Void(by="Sam", reason="a test"))
            await did(engine, DEE, commands.Open(by="Dee"))
    found["too late"] = _late_bets(store.read("one"))
    return found


async def _soon(asked: Awaitable[Answer], turns: int) -> Answer:
    """After so many turns of the loop."""
    for _ in range(turns):
        await asyncio.sleep(0)
    return await asked


def _late_bets(records: list[Record]) -> int:
    late, is_open = 0, False
    for record in records:
        if record.name in ("bets-opened", "bets-reopened"):
            is_open = True
        elif record.name == "bets-closed":
            is_open = False
        late += record.name == "stake-set" and not is_open and record.by not in ("Sam", "Dee")
    return late


@timed
async def test_no_bet_is_taken_after_no_more_bets_however_close() -> None:
    found = await _bets_against_the_close(Engine)
    assert found["too late"] == 0
    assert found["accepted"] > 20, "some came in time"
    assert found["refused"] > 20, "and some did not"
    assert found["accepted"] + found["refused"] == 40 * ROUNDS


@timed
async def test_a_bet_taken_on_stale_state_after_the_close_is_found_out() -> None:
    assert (await _bets_against_the_close(Stale))["too late"] > 0


# Two dealers --------------------------------------------------------------------------------------------


async def _two_desks(kind: type[Engine]) -> list[str]:
    """What is wrong after two people have dealt at one table, each as if alone."""
    store = MemoryStore()
    async with running(store, kind) as engine:
        await made(engine)
        await did(engine, DEE, commands.NewShoe(by="Dee"))
        for number in range(ROUNDS):
            await _both(engine, number)
            phase = engine.tables["one"].table.phase
            if phase != "settled":
                return [f"round {number + 1} is {phase}"]
        live = engine.tables["one"]
    records = store.read("one")
    settled = Counter(record.round for record in records if record.name == "round-settled")
    wrong = [f"round {number} has {times} results" for number, times in settled.items() if times != 1]
    wrong += [] if live.table.rounds == ROUNDS == len(settled) else ["rounds are missing"]
    wrong += [] if same(live, recover("one", records)) else ["the log tells another story"]
    return wrong + _wrong_deals(records)


async def _both(engine: Engine, number: int) -> None:
    """A round from two desks of a dealer that send everything at the same time, each with cards of its own."""
    chance = random.Random(f"two desks {number}")  # noqa: S311 - sample data

    async def every(*asked: tuple[Person, AnyCommand]) -> None:
        await asyncio.gather(*(does(engine, person, command) for person, command in asked))

    def of_both(
        kind: type[commands.Open | commands.Close | commands.Settle],
    ) -> list[tuple[Person, AnyCommand]]:
        return [(DEE, kind(by="Dee"))] * 2

    await every(*of_both(commands.Open), *of_both(commands.Open))
    await every((WEI, bet()), (MEI, bet(MEI, on="banker", box=2)))
    await every(*of_both(commands.Close), *of_both(commands.Close))
    for _ in range(6):
        drawn = [chance.choice(list(Card)) for _ in range(2)]
        draws = [(DEE, commands.Draw(by="Dee", card=card)) for card in drawn]
        await every(*draws, *of_both(commands.Settle))
        await every(*of_both(commands.Settle))


def _wrong_deals(records: list[Record]) -> list[str]:
    """Rounds whose cards are not what the Table of Play says, or that were paid twice."""
    wrong = []
    paid: Counter[int] = Counter()
    for record in records:
        if record.name == "round-settled":
            paid[record.round] += 1
        if record.name == "card-drawn" and paid[record.round]:
            wrong.append(f"a card after the result of round {record.round}")
        if sum(posting.cents for posting in event_of(record).postings):
            wrong.append(f"event {record.version} does not add up")
    return wrong


@timed
async def test_two_desks_at_once_never_make_two_results() -> None:
    assert await _two_desks(Engine) == []


@timed
async def test_two_desks_on_stale_state_are_found_out() -> None:
    assert await _two_desks(Stale)
