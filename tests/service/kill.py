"""A server that is killed again and again while people play, and what must be true of its log afterwards.

`python tests/service/kill.py 1000` kills it a thousand times, for at most an hour; Ctrl-C ends it earlier.
"""

import argparse
import asyncio
import contextlib
import itertools
import multiprocessing
import os
import random
import signal
import socket
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import httpx
import msgspec
import pytest

from service.houses import CBI, KEY, RICH, WEI, Hasty, bet, does, new_table, seated, stack
from thirdcard.cards import Card
from thirdcard.service.api.app import create_app
from thirdcard.service.api.gate import Rates
from thirdcard.service.api.server import run
from thirdcard.service.audit import audit_store
from thirdcard.service.keys import subkey
from thirdcard.service.log.anchor import Anchor, read_anchor
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store import open_snapshot, open_store
from thirdcard.service.log.store.model import Record, Result
from thirdcard.service.log.store.sqlite import SqliteStore
from thirdcard.service.tables import hall as halls

FAST = Pace(betting=120, insurance=30, adjusting=30, choice=30, squeeze=30, card=5, result=10, shuffle=5)
TABLES = (new_table("auto", "automatic", FAST), new_table("hand", "staff", FAST))
OFFERED = msgspec.structs.replace(FAST, insurance=1_500)
INSURED = new_table("auto", "automatic", OFFERED, slug=CBI, layout="D")
LATE_SECONDS = 1.0
PASSWORD = "correct horse battery staple 5"  # noqa: S105 - of a house that lives for a minute
COMMIT_SECONDS = 0.004  # a slow disk: there is time to die while something is being written
START_SECONDS = 300.0
LOADED = [
    "httpx",
    "pytest",
    "thirdcard.service.api.app",
    "thirdcard.service.api.server",
    "thirdcard.service.audit",
]
Kind = Literal["sound", "hasty"]


# The server ---------------------------------------------------------------------------------------------


class SlowStore(SqliteStore):
    def commit(self, appends: Any) -> list[Result]:  # noqa: ANN401
        time.sleep(COMMIT_SECONDS)
        return super().commit(appends)


def serve(path: str, port: int, kind: Kind) -> None:
    """Until it is killed. The `hasty` kind answers before it commits."""
    os.setsid()  # Ctrl-C is for whoever started all this
    if kind == "hasty":
        vars(halls)["Engine"] = Hasty
    anchor = Anchor(f"{path}.anchor", subkey(KEY, "anchor"))
    hall = halls.Hall(
        SlowStore(path), key=KEY, anchor=anchor, first_tables=TABLES, absent_rounds=0, grants=RICH
    )
    if hall.people.find("Dee") is None:
        hall.people.register("Dee", PASSWORD, "dealer")
    run(create_app(hall, rates=Rates.off()), host="127.0.0.1", port=port)


def deal(address: str) -> None:
    """Until it is killed: a process that shares a database with others, and deals at its tables."""

    async def house() -> None:
        hall = halls.Hall(open_store(address), key=KEY, first_tables=TABLES, absent_rounds=0, grants=RICH)
        await hall.start()
        while True:
            hall.sign_of_life("auto")
            await asyncio.sleep(0.2)

    asyncio.run(house())


def offer(path: str) -> None:
    """Until it is killed: a house in which Wei bets in every round, and is offered insurance in the first."""

    async def house() -> None:
        halls.LATE_SECONDS = LATE_SECONDS  # so that a test need not take long
        stack(pytest.MonkeyPatch(), "6C 3D KH AS 3C")
        hall = halls.Hall(SqliteStore(path), key=KEY, first_tables=(INSURED,), grants=RICH)
        await hall.start()
        await seated(hall, WEI, table="auto")
        while True:
            hall.sign_of_life("auto")
            await does(hall.engine, WEI, bet(), table="auto")
            await asyncio.sleep(0.02)

    asyncio.run(house())


class Server:
    """Starts quickly: a process that has all modules loaded makes a copy of itself."""

    def __init__(self, path: Path, kind: Kind) -> None:
        self._start = multiprocessing.get_context("forkserver")
        self._start.set_forkserver_preload(LOADED)
        self.path, self.kind = path, kind
        self.address = f"http://127.0.0.1:{_free_port()}"
        self._process: Any = None

    async def start(self) -> None:
        """Back when it answers."""
        port = int(self.address.rpartition(":")[2])
        self._process = self._start.Process(target=serve, args=(str(self.path), port, self.kind), daemon=True)
        self._process.start()
        give_up = time.monotonic() + START_SECONDS
        async with httpx.AsyncClient(base_url=self.address) as client:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    if (await client.get("/healthz")).status_code == 200:
                        return
                if time.monotonic() > give_up or not self._process.is_alive():
                    raise RuntimeError(f"the server does not start: exit status {self._process.exitcode}")
                await asyncio.sleep(0.01)

    def kill(self) -> None:
        """SIGKILL: nothing is flushed, nothing is tidied up."""
        if self._process is not None:
            self._process.kill()
            self._process.join()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


# The people ---------------------------------------------------------------------------------------------


class Asked(msgspec.Struct):
    """A command with its key, and the answer once there is one."""

    actor: str
    table: str
    route: str
    body: dict[str, Any]
    key: str
    status: int = 0
    answer: Any = None


class Person:
    """Does one thing after the other. What got no answer is asked again with the same key, first of all."""

    def __init__(self, table: str, wish: Callable[["Person", Any], dict[str, Any]], box: int) -> None:
        self.table, self.wish, self.box = table, wish, box
        self.random = random.Random(box)  # noqa: S311 - sample data
        self.name = self.token = ""
        self.asked: list[Asked] = []
        self.wrong: list[str] = []

    async def play(self, client: httpx.AsyncClient, heard: Callable[[], None]) -> None:
        """Until the server is gone."""
        with contextlib.suppress(httpx.TransportError):
            if not self.token:
                await self._come_in(client)
            for one in [one for one in self.asked if not one.status]:
                await self._send(client, one)
            for one in self.random.sample(self.asked, min(2, len(self.asked))):
                await self._send(client, one)
            while True:
                seen = (await client.get(f"/api/tables/{self.table}", headers=self._bearer())).json()
                self._ask("commands", self.wish(self, seen))
                await self._send(client, self.asked[-1])
                heard()

    async def settle_up(self, client: httpx.AsyncClient) -> None:
        """At the end: whatever has no answer yet gets one."""
        for one in self.asked:
            if not one.status:
                await self._send(client, one)

    async def _come_in(self, client: httpx.AsyncClient) -> None:
        if self.table == "hand":
            answer = await client.post("/api/sessions", json={"name": "Dee", "password": PASSWORD})
        else:
            answer = await client.post("/api/guests")
        assert answer.is_success, answer.text
        self.name, self.token = answer.json()["name"], answer.json()["token"]
        if self.table == "auto":
            self._ask("sit-down", {"cents": 1_000_000_00, "box": self.box})

    def _ask(self, route: str, body: dict[str, Any]) -> None:
        self.asked.append(Asked(self.name, self.table, route, body, uuid.uuid4().hex))

    async def _send(self, client: httpx.AsyncClient, one: Asked) -> None:
        headers = self._bearer() | {"Idempotency-Key": one.key}
        answer = await client.post(f"/api/tables/{one.table}/{one.route}", json=one.body, headers=headers)
        if answer.status_code in (401, 503):  # nothing was done, or whether it was is unknown
            self.wrong += ["signed out by a restart"] * (answer.status_code == 401)
            return
        told = answer.status_code, answer.json()
        if one.status and told != (one.status, one.answer):
            self.wrong.append(f"another answer to {one.key}: {told}, before {(one.status, one.answer)}")
        one.status, one.answer = told

    def _bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def bets(person: Person, _: object) -> dict[str, Any]:
    """Whether or not bets are open: refusals are answers too."""
    pick = person.random
    name = pick.choice(("place", "place", "place", "take-back", "buy-in"))
    if name == "buy-in":
        return {"command": name, "cents": 1_000_00}
    spot = {"command": name, "box": person.box, "bet": pick.choice(("player", "banker", "tie"))}
    return spot if name == "take-back" else spot | {"cents": 10_00}


def deals(person: Person, seen: Any) -> dict[str, Any]:  # noqa: ANN401
    """What a dealer does next, more or less."""
    phase = seen["view"]["phase"]
    if phase in ("idle", "settled", "void"):
        return {"command": "new-shoe" if seen["view"]["shoe"] is None else "open"}
    if phase == "dealing" and person.random.random() < 0.7:
        return {"command": "draw", "card": str(person.random.choice(list(Card)))}
    return {"command": "settle" if phase == "dealing" else "close"}


# What must be true --------------------------------------------------------------------------------------


def problems(path: Path, people: list[Person]) -> list[str]:
    """Everything that is wrong with the log, as an auditor sees it and as those who asked do."""
    anchor = read_anchor(f"{path}.anchor", subkey(KEY, "anchor"))
    with open_snapshot(str(path)) as snapshot:
        found = [str(problem) for problem in audit_store(snapshot, [anchor], KEY).problems]
    store = SqliteStore(path)
    try:
        for person in people:
            records = [one for one in store.read(person.table) if one.by == person.name]
            found += person.wrong + misfits(records, person.asked)
            found += [
                f"the answer to {one.key} is not in the store"
                for one in person.asked
                if store.answered(one.actor, one.key) is None
            ]
        for table in TABLES:
            if sum(entry.cents for entry in store.entries(table.id)):
                found.append(f"the ledger of {table.id} does not add up")
    finally:
        store.close()
    return found


def misfits(records: list[Record], asked: list[Asked]) -> list[str]:
    """Events of somebody that nobody asked for, and answers whose events are not there, exactly once each."""
    answered: Counter[tuple[int, str]] = Counter()
    for one in asked:
        if one.status == 200:
            names = one.answer["events"]
            first = one.answer["version"] - len(names) + 1
            answered.update(zip(itertools.count(first), names, strict=False))
        elif one.status != 422:
            answered[0, f"status {one.status} for {one.body}"] += 1
    logged = Counter((record.version, record.name) for record in records)
    return [f"answered, but not in the log: {one}" for one in (answered - logged)] + [
        f"in the log, but asked for by nobody: {one}" for one in (logged - answered)
    ]


# The storm ----------------------------------------------------------------------------------------------


class Tally(msgspec.Struct):
    kills: int = 0
    answers: int = 0
    problems: list[str] = []


async def storm(
    path: Path, kills: int, *, kind: Kind = "sound", stop: Callable[[], bool] = lambda: False, every: int = 25
) -> Tally:
    """Start, play, kill, again and again; the log is looked through every now and then and at the end."""
    server, tally = Server(path, kind), Tally()
    chance = random.Random(str(path))  # noqa: S311
    people = [Person("auto", bets, box) for box in (1, 2, 3)] + [Person("hand", deals, 0)]
    try:
        while tally.kills < kills and not stop() and not tally.problems:
            await server.start()
            await _until_killed(server, people, chance)
            tally.kills += 1
            if tally.kills % every == 0 and tally.kills < kills:
                await _settle_up(server, people)
                tally.problems = problems(path, people)
            tally.answers = sum(bool(one.status) for person in people for one in person.asked)
            _show(f"{tally.kills} of {kills} kills, {tally.answers} answers", last=not tally.kills % 100)
        if not tally.problems:
            await _settle_up(server, people)
            tally.problems = problems(path, people)
    finally:
        server.kill()
    return tally


async def _until_killed(server: Server, people: list[Person], chance: random.Random) -> None:
    """Kill it at some moment after the first answer, or right after one."""
    answered = asyncio.Event()
    async with httpx.AsyncClient(base_url=server.address, timeout=300) as client:
        tasks = [asyncio.create_task(person.play(client, answered.set)) for person in people]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS):
                await answered.wait()
        await asyncio.sleep(chance.random() * 0.3)
        if chance.random() < 0.5:
            answered.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(5):
                    await answered.wait()
        server.kill()
        await asyncio.gather(*tasks)


async def _settle_up(server: Server, people: list[Person]) -> None:
    await server.start()
    async with httpx.AsyncClient(base_url=server.address, timeout=300) as client:
        for person in people:
            await person.settle_up(client)
    server.kill()


def _show(text: str, *, last: bool) -> None:
    """On one line of a screen; elsewhere only now and then."""
    screen = sys.stdout.isatty()
    if screen or last:
        sys.stdout.write("\r" * screen + text + "\n" * last)
        sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kills", type=int, nargs="?", default=1000)
    parser.add_argument("--minutes", type=float, default=60.0, help="at most")
    asked = parser.parse_args()
    ends = time.monotonic() + 60 * asked.minutes
    interrupted: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: interrupted.append(number))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "house.db"
        stop = lambda: bool(interrupted) or time.monotonic() > ends  # noqa: E731
        tally = asyncio.run(storm(path, asked.kills, stop=stop))
    _show(f"{tally.kills} kills, {tally.answers} answers, {len(tally.problems)} problems", last=True)
    for problem in tally.problems[:20]:
        _show(problem, last=True)
    return 1 if tally.problems else 0


if __name__ == "__main__":
    sys.exit(main())
