"""What does not grow with the log: a start, a statement, a resumed stream, a round told again, the lobby, a table."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from report import figure, sized
from table import Bench
from thirdcard.service.clock import Clock
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import AnyFloorEvent, Logged, Pace, TableCreated
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.sqlite import SqliteStore
from thirdcard.service.queries.books import player_statement
from thirdcard.service.queries.lobby import lobby
from thirdcard.service.queries.replay import steps
from thirdcard.service.tables.checkpoint import from_checkpoint, taken
from thirdcard.service.tables.draft import Decided, Draft, logging_only
from thirdcard.service.tables.engine import Engine
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live, recover
from thirdcard.service.tables.publish import replayed
from thirdcard.table import State, evolve
from thirdcard.table.events import AnyEvent, BoughtIn, PlayerJoined, PlayerLeft
from thirdcard.table.ledger import CASH, move, rack
from thirdcard.table.statements import player_statements

SLUG = "rws-commission-insurance-v5"
TABLES, EVENTS = sized((300, 500_000), (2, 900))
SHORT, LONG = sized((20_000, 200_000), (500, 1_000))  # events of one table
TOGETHER = 20  # events of a commit
MISSED = 50  # events that somebody who comes back has missed, at least
GROWTH = 1.5  # times as long, at ten times the log
RUNS = sized(5, 1)
TOLD_AGAIN = sized(20, 2)  # rounds
GUESTS = sized(10_000, 10)
LOBBY_SECONDS = 0.01


def events_of(count: int) -> list[tuple[Logged, State | None]]:
    """So many events of a table with seven players, each with the table after it."""
    bench = Bench(SLUG)
    while len(bench.log) < count:
        bench.round()
    created = TableCreated(title="Bench", dealer="automatic", pace=Pace(), live_odds=True)
    found: list[tuple[Logged, State | None]] = [(created, None), (bench.log[0], None)]
    state = State(setup=bench.state.setup, staff=bench.state.setup.staff)
    for event in bench.log[1 : count - 1]:
        state = evolve(state, event)
        found.append((event, state))
    return found


def write(store: Store, stream: str, events: list[tuple[Logged, State | None]]) -> None:
    """A log as the engine writes it, checkpoints and index included."""
    live = Live(id=stream)
    for place in range(0, len(events), TOGETHER):
        draft = Draft(live)
        draft.add(Decided(events=tuple(events[place : place + TOGETHER])), by="thirdcard", at=place)
        store.commit([draft.append(place)])
        live = draft.live


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Processor time of the best run."""
    found = []
    for _ in range(runs):
        begin = time.process_time()
        work()
        found.append(time.process_time() - begin)
    return min(found)


def starting() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "b.db"
        events = events_of(EVENTS // TABLES)
        store = SqliteStore(path, synchronous="NORMAL")
        for number in range(TABLES):
            write(store, f"t{number}", events)
        whole = seconds(lambda: [recover(stream, store.read(stream)) for stream in store.heads()], 1)
        store.close()

        async def start() -> float:
            engine = Engine(SqliteStore(path), Clock())
            begin = time.perf_counter()
            await engine.start()
            took = time.perf_counter() - begin
            await engine.stop()
            return took

        took = min(asyncio.run(start()) for _ in range(RUNS))
    return figure(
        f"Start with {TABLES} tables and {EVENTS:,} events, SQLite, every table recovered",
        f"{took:.2f} s",
        aim="under 1 s",
        compared=f"folding every log from its first event: {whole:.2f} s, {whole / took:.1f} times as long",
        reached=took < 1,
    )


async def _statement(hall: Hall) -> None:
    part = await player_statement(hall, hall.engine.tables["one"], "player1")
    if part is None:
        raise SystemExit("there is no statement")
    msgspec.json.encode(part)


def one_table() -> Iterator[bool]:
    found: dict[int, dict[str, float]] = {}
    for count in (SHORT, LONG):
        with tempfile.TemporaryDirectory() as folder:
            store = SqliteStore(Path(folder) / "b.db", synchronous="NORMAL")
            write(store, "one", events_of(count))
            found[count] = asyncio.run(_costs(store))
    short, long = found[SHORT], found[LONG]
    for what, aim in (("statement", 0.02), ("resume", 0.02), ("round told again", 0.02)):
        flat = long[what] / short[what]
        yield figure(
            f"One table with {LONG:,} events: {what}",
            f"{long[what] * 1e3:.1f} ms of processor time, {flat:.2f} times that at {SHORT:,} events",
            aim=f"under {aim * 1e3:.0f} ms, and under {GROWTH} times that at a tenth of the log",
            compared=f"from the whole log {long[f'{what}, whole']:.2f} s, {long[f'{what}, whole'] / long[what]:,.0f} times as long",
            reached=long[what] < aim and flat < GROWTH,
        )


async def _costs(store: SqliteStore) -> dict[str, float]:
    hall = Hall(store, key=bytes(32), clock=Clock(), first_tables=(), deals=False)
    await hall.start()
    live = hall.engine.tables["one"]
    after = live.checkpointed - MISSED
    loop = asyncio.get_running_loop()

    async def timed(work: Callable[[], object]) -> float:
        return await loop.run_in_executor(None, lambda: seconds(work))

    async def statement() -> float:
        best = 1e9
        for _ in range(RUNS):
            begin = time.process_time()
            await _statement(hall)
            best = min(best, time.process_time() - begin)
        return best

    def resume() -> object:
        start = from_checkpoint(store, "one", after)
        if start is None:
            raise SystemExit("no checkpoint was used")
        return list(replayed(start, store.read("one", after=after, limit=MISSED)))

    def resume_whole() -> object:
        records = store.read("one")
        return list(replayed(recover("one", records[:after]), records[after : after + MISSED]))

    middle = live.table.rounds // 2
    numbers = range(middle, middle + TOLD_AGAIN)  # some begin right after a checkpoint, others long after it
    costs = {
        "statement": await statement(),
        "resume": await timed(resume),
        "round told again": await timed(lambda: [list(steps(store, live, one)) for one in numbers])
        / TOLD_AGAIN,
        "statement, whole": seconds(lambda: player_statements(_table_events(store)), 1),
        "resume, whole": seconds(resume_whole, 1),
    }
    costs["round told again, whole"] = seconds(lambda: recover("one", store.read("one")), 1)
    await hall.stop()
    return costs


def _table_events(store: Store) -> Iterator[AnyEvent]:
    """Every event of the rounds, read from the whole log."""
    for event in map(event_of, store.read("one")):
        if not isinstance(event, AnyFloorEvent):
            yield event


def lobbies() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "b.db", synchronous="NORMAL")
        events = events_of(EVENTS // TABLES)
        for number in range(TABLES):
            write(store, f"t{number}", events)

        async def work() -> float:
            hall = Hall(store, key=bytes(32), clock=Clock(), first_tables=(), deals=False)
            await hall.start()
            took = seconds(lambda: msgspec.json.encode(lobby(hall, None)))
            await hall.stop()
            return took

        took = asyncio.run(work())
    return figure(
        f"The lobby of {TABLES} tables, as JSON",
        f"{took * 1e3:.1f} ms of processor time",
        aim="under 10 ms",
        compared=f"{took / TABLES * 1e6:.0f} microseconds a table",
        reached=took < LOBBY_SECONDS,
    )


def guests() -> bool:
    """What is kept of a table, and what a movement of chips costs, before and after many people were there."""
    empty = Draft(Live(id="one"))
    empty.add(Decided(events=tuple(events_of(200))), by="Bench", at=0)
    costs = {}
    for name, came, leave in (("empty", 0, True), ("left", GUESTS, True), ("stayed", GUESTS, False)):
        live = empty.live
        for number in range(came):
            live = _guest(live, f"Guest-{number}", leave=leave)
        took = seconds(partial(_hundred, live)) / 100
        costs[name] = len(taken(live)[0].body), took
    (size, took), (before, least) = costs["left"], costs["empty"]
    return figure(
        f"A table after {GUESTS:,} guests came and went",
        f"a checkpoint of {size:,} bytes (before {before:,}), {took * 1e6:.0f} microseconds for a guest (before {least * 1e6:.0f})",
        aim=f"under {GROWTH} times what it was before they came",
        compared=f"if none had left {costs['stayed'][0]:,} bytes, {costs['stayed'][1] * 1e6:.0f} microseconds",
        reached=took < GROWTH * least,
        right=size < GROWTH * before,
    )


def _hundred(live: Live) -> None:
    for _ in range(100):
        _guest(live, "Mei", leave=True)


def _guest(live: Live, name: str, *, leave: bool) -> Live:
    """Somebody joins, buys in and leaves, or stays."""
    bought = BoughtIn(player=name, cents=100, postings=move(100, CASH, rack(name)))
    gone = (PlayerLeft(player=name, cents=100, brought=100),) if leave else ()
    draft = Draft(live)
    draft.add(logging_only(PlayerJoined(player=name), bought, *gone), by=name, at=0)
    return draft.live


def main() -> bool:
    results = [starting(), *one_table(), lobbies(), guests()]
    return all(results)


if __name__ == "__main__":
    sys.exit(not main())
