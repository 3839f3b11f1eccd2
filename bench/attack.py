"""What one stranger can do to everybody else: server, a seated player and an attacker, each a process of its own.

How long a seated player's bets take while somebody at another address asks for everything that costs much, as
often as it is let; and how much memory 10,000 sockets take that do nothing. All on this machine's loopback.
"""

import asyncio
import contextlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator

import msgspec
import uvloop

import service
from growth import events_of, write
from report import figure, sized
from thirdcard.service.api.app import create_app
from thirdcard.service.api.server import run
from thirdcard.service.clock import Clock
from thirdcard.service.log.floor_events import SYSTEM, Pace, TableCreated
from thirdcard.service.log.store import Store, open_store
from thirdcard.service.tables import plans
from thirdcard.service.tables.engine import Engine
from thirdcard.service.tables.hall import FIRST_TABLES, Hall
from thirdcard.web.site import PAGES

PORT = service.PORT
TABLES, EVENTS = sized((300, 450), (3, 450))  # tables of a house, and events of each
PLAYED = "play"  # the table that the player sits at
ATTACKER = "127.0.0.2"
BETS = 25  # a second
TURNS, SECONDS = sized((5, 4.0), (1, 0.2))  # with the attacker, and as many without
WARMS, STRIKES, RESTS = sized((2.0, 5.0, 2.0), (0.2, 0.2, 0.0))  # seconds before and between turns
TIMES = 2.0
IDLE, OF_ONE, MEGABYTES = (
    sized(10_000, 200),
    150,
    300,
)  # sockets, of one address, and all that the server may take then
PING_SECONDS = sized(10.0, 0.1)
NOT_FOUND, BROKEN = 404, 500  # answers
IN_TURN = 4  # addresses that are asked for in turn, at least
SLOW = Pace(betting=600_000, insurance=1, adjusting=1, choice=1, squeeze=1, card=1, result=1, shuffle=0)


# The house --------------------------------------------------------------------------------------------------


def fill(db: str) -> None:
    """A house of many tables with their logs, and one that somebody plays at."""
    store = open_store(db)
    events = events_of(EVENTS)
    created = TableCreated(title="Bench", dealer="staff", pace=Pace(), live_odds=True)
    for number in range(TABLES):
        write(store, f"t{number}", [(created, None), *events[1:]])
    asyncio.run(_open_table(store))


async def _open_table(store: Store) -> None:
    first = FIRST_TABLES[1]
    wide = {"*": type(next(iter(first.setup.limits.values())))(100, None)}
    setup = msgspec.structs.replace(first.setup, limits=wide, differential=10**12)
    engine = Engine(store, Clock())
    await engine.start()
    made = plans.create("Play", "automatic", setup, pace=SLOW, live_odds=True)
    await engine.ask(PLAYED, made, actor=SYSTEM)
    await engine.stop()


def serve(db: str) -> None:
    """With every limit as it is by default."""
    hall = Hall(open_store(db), key=bytes(32), grants=service.RICH)
    run(create_app(hall, pages=PAGES), host="127.0.0.1", port=PORT)


@contextlib.contextmanager
def serving(db: str) -> Iterator[subprocess.Popen[bytes]]:
    fill(db)
    with _started("serve", db) as process:
        service.wait_for(process)
        yield process


@contextlib.contextmanager
def _started(*what: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, __file__, *what], stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def _heard(process: subprocess.Popen[bytes]) -> bytes:
    """The next line that a process says; empty if it has ended."""
    return process.stdout.readline() if process.stdout else b""


# The player -------------------------------------------------------------------------------------------------


async def _play(seconds: float, player: service.Socket, began: int) -> list[float]:
    """Milliseconds from each bet to its answer; those that are refused count too."""
    times, start = [], time.perf_counter()
    for number in range(round(seconds * BETS)):
        await asyncio.sleep(max(0.0, start + number / BETS - time.perf_counter()))
        asked = time.perf_counter()
        bet = (b"player", b"banker")[number % 2]
        body = b'{"command":"place","box":1,"bet":"%s","cents":1000}' % bet
        if not await player.bet(PLAYED, body, f"b{began + number}"):
            raise SystemExit("a seated player's bet was refused")
        times.append((time.perf_counter() - asked) * 1000)
    return times


async def _measured() -> tuple[list[float], list[float]]:
    """Without the attacker, and with."""
    player = service.Socket()
    await player.come_in(PLAYED, 1)
    looks = service.Client()
    await looks.open()
    await looks.bets_open(PLAYED)
    await _play(WARMS, player, 0)
    calm: list[float] = []
    attacked: list[float] = []
    for turn in range(TURNS):  # by turns, since other things happen on this machine too
        calm += await _play(SECONDS, player, 2_000 * turn + 1_000)
        with _started("strike") as attacker:
            if not await asyncio.to_thread(_heard, attacker):
                raise SystemExit("the attacker could not begin")
            await asyncio.sleep(STRIKES)  # what is done once for all of them is done by then
            attacked += await _play(SECONDS, player, 2_000 * turn + 2_000)
        await asyncio.sleep(RESTS)
    return sorted(calm), sorted(attacked)


def seated() -> bool:
    """On SQLite, and on PostgreSQL where one can be started."""
    with tempfile.TemporaryDirectory() as folder:
        reached = _seated("SQLite", f"{folder}/bench.db")
    with service.postgres() as server:
        return _seated("PostgreSQL", server.get_uri()) and reached


def _seated(kind: str, db: str) -> bool:
    with serving(db):
        calm, attacked = uvloop.run(_measured())
    before, during = (times[len(times) * 99 // 100] for times in (calm, attacked))
    return figure(
        f"A seated player's bets while one address asks for all that it can, {TABLES} tables, {kind}",
        f"p99 {during:.1f} ms, {during / before:.2f} times; p50 {attacked[len(attacked) // 2]:.1f} ms",
        aim=f"less than {TIMES:g} times the p99 without",
        compared=f"without the attacker: p99 {before:.1f} ms, p50 {calm[len(calm) // 2]:.1f} ms",
        reached=during < TIMES * before,
    )


# The attacker -----------------------------------------------------------------------------------------------


class Stranger(service.Client):
    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", PORT, local_addr=(ATTACKER, 0), limit=2**20
        )

    async def guest(self) -> None:
        await self.open()
        status, body = await self.ask("POST", "/api/guests")
        if status == 201:  # noqa: PLR2004
            self.token = json.loads(body)["token"]


async def _endlessly(addresses: Callable[[], AsyncIterator[str]], *, guest: bool = False) -> None:
    """Ask one address after the other as fast as they are answered, over and over."""
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, ValueError):
            stranger = Stranger()
            await (stranger.guest() if guest else stranger.open())
            async for address in addresses():
                await stranger.ask("GET", address)
        await asyncio.sleep(0.05)


async def _lobby() -> AsyncIterator[str]:
    while True:
        for address in ("/", "/tables", "/api/tables", f"/tables/t{random.randrange(TABLES)}"):  # noqa: S311
            yield address


async def _reference() -> AsyncIterator[str]:
    while True:
        ranks = "%20".join(random.choice("A23456789") + random.choice("SHDC") for _ in range(8))  # noqa: S311
        yield f"/api/odds/mbs-tiger-v2?seen={ranks}"
        yield f"/odds?rulebook=rws-tiger-buffalo-commission-v2&seen={ranks}"
        yield f"/api/insurance/rws-commission-insurance-v5?seen={ranks}"
        yield f"/api/tables/{PLAYED}/odds"
        yield "/rules/diff?a=rws-tiger-buffalo-non-commission-v3&b=rws-tiger-buffalo-non-commission-v4"


async def _histories() -> AsyncIterator[str]:
    while True:
        table = f"t{random.randrange(TABLES)}"  # noqa: S311
        yield f"/api/tables/{table}/rounds?limit=200"
        yield f"/api/tables/{PLAYED}/legal"
        yield "/api/me/rounds?limit=200"
        yield f"/api/tables/{table}/shoes"


async def _sockets(table: str) -> None:
    """One socket after the other that goes on from long ago, and says something silly when it is let in."""
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", PORT, local_addr=(ATTACKER, 0))
            place = f"{table}/stream?after={random.randrange(60, EVENTS - 1)}"  # noqa: S311
            writer.write(service.asked_to_upgrade(place))
            await reader.readuntil(b"\r\n\r\n")
            for _ in range(random.randrange(20)):  # noqa: S311
                await service.frame(reader, writer)
                writer.write(service.framed(service.TEXT, b'{"key":"x","ask":{"command":"join"}}'))
            writer.close()
        await asyncio.sleep(0.01)


async def _watch(table: str) -> None:
    """A socket that takes what comes."""
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", PORT, local_addr=(ATTACKER, 0))
            writer.write(service.asked_to_upgrade(f"{table}/stream"))
            await reader.readuntil(b"\r\n\r\n")
            while True:
                await service.frame(reader, writer)
        await asyncio.sleep(1)


async def _tried() -> None:
    """Everything is asked for once: an address that is not there costs nobody anything."""
    stranger = Stranger()
    await stranger.guest()
    for addresses in (_lobby, _reference, _histories):
        asked: set[str] = set()
        async for address in addresses():
            status, _ = await stranger.ask("GET", address)
            if status == NOT_FOUND or status >= BROKEN:
                raise SystemExit(f"{address}: {status}")
            asked.add(address)
            if len(asked) >= IN_TURN:
                break


async def _strike() -> None:
    await _tried()
    print("begins", flush=True)
    work = [
        *(_endlessly(_lobby) for _ in range(20)),
        *(_endlessly(_reference) for _ in range(10)),
        *(_endlessly(_histories, guest=True) for _ in range(10)),
        *(_sockets(f"t{number}") for number in range(40)),
        *(_watch(PLAYED) for _ in range(150)),
    ]
    await asyncio.gather(*work)


# Sockets that do nothing ------------------------------------------------------------------------------------


async def _opened(count: int) -> list[asyncio.StreamWriter]:
    """So many sockets, from as many addresses as it takes."""

    async def one(number: int) -> asyncio.StreamWriter:
        address = f"127.1.{number // OF_ONE // 250}.{number // OF_ONE % 250 + 1}"
        reader, writer = await asyncio.open_connection("127.0.0.1", PORT, local_addr=(address, 0), limit=4096)
        writer.write(service.asked_to_upgrade(f"t{number % TABLES}/stream"))
        answer = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in answer:
            raise SystemExit(answer.decode())
        await service.frame(reader, writer)
        asyncio.get_running_loop().create_task(_pong(reader, writer))
        return writer

    writers: list[asyncio.StreamWriter] = []
    for first in range(0, count, 50):
        writers += await asyncio.gather(*(one(number) for number in range(first, min(first + 50, count))))
    return writers


async def _pong(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        while True:
            await service.frame(reader, writer)


def idle() -> bool:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    count = min(IDLE, most - 200)
    with tempfile.TemporaryDirectory() as folder, serving(f"{folder}/bench.db") as process:

        async def measured() -> tuple[float, float]:
            before = service.resident(process)
            writers = await _opened(count)
            await asyncio.sleep(2 * PING_SECONDS)
            after = service.resident(process)
            if sum(writer.is_closing() for writer in writers):
                raise SystemExit("not all sockets stayed open")
            return before, after

        before, after = uvloop.run(measured())
    return figure(
        f"Memory of the server with {count:,} sockets that do nothing, {TABLES} tables",
        f"{after:.0f} MB, {(after - before) / count * 1000:.1f} kB each",
        aim=f"under {MEGABYTES} MB",
        compared=f"the same server before anybody came: {before:.0f} MB",
        reached=after < MEGABYTES,
    )


BENCHES = {"seated": seated, "idle": idle}


def main(*names: str) -> bool:
    results = [BENCHES[name]() for name in names or BENCHES]  # every one runs, also after a miss
    return all(results)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", db]:
            serve(db)
        case ["strike"]:
            os.nice(10)  # it stands for another machine
            uvloop.run(_strike())
        case names:
            sys.exit(not main(*names))
