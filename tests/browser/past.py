"""Tables at which rounds have been played already, so that roads and logs have something to show."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path

from browser.house import GUARD, dealt
from service.houses import KEY
from thirdcard.service.clock import Clock
from thirdcard.service.keys import subkey
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.log.store import open_store
from thirdcard.service.tables import plans
from thirdcard.service.tables.dealer import Do, DrawNext, Shuffle, next_step
from thirdcard.service.tables.engine import Engine
from thirdcard.service.tables.hall import NewTable
from thirdcard.service.tables.sealed_shoes import opened
from thirdcard.table import State

RANKS = {
    "B": "2930",
    "P": "9203",
    "T": "8800",
}  # of four cards that bring that result; 0 is any of ten points


def shoe_of(results: str) -> str:
    """Cards of rounds that end so, four each; every suit of a rank in turn."""
    tens, suits = cycle("KQJT"), {rank: cycle("SHDC") for rank in "KQJT23489"}
    ranks = (next(tens) if rank == "0" else rank for result in results for rank in RANKS[result])
    return " ".join(rank + next(suits[rank]) for rank in ranks)


def played(path: Path, tables: tuple[NewTable, ...], results: str, then: str) -> None:
    """Make these tables, and at automatic ones play rounds that end so; then come the cards `then`.

    Results are turned about and are two fewer from table to table.
    """
    with ThreadPoolExecutor(1) as apart:  # an event loop may be running in this thread: a browser's
        apart.submit(asyncio.run, _play(path, tables, results, then)).result()


async def _play(path: Path, tables: tuple[NewTable, ...], results: str, then: str) -> None:
    engine = Engine(open_store(str(path)), Clock())
    await engine.start()
    async with asyncio.timeout(GUARD):
        await _tables(engine, tables, results, then)
    await engine.stop()


async def _tables(engine: Engine, tables: tuple[NewTable, ...], results: str, then: str) -> None:
    for number, one in enumerate(tables):
        automatic, rest = one.dealer == "automatic", _turned(results, 5 * number)[2 * number :]
        made = plans.create(one.title, one.dealer, one.setup, pace=one.pace, live_odds=automatic)
        await engine.ask(one.id, made, actor=SYSTEM)
        with dealt(f"{shoe_of(rest)} {then}", one.id):
            while automatic and not _over(engine.tables[one.id].table, len(rest)):
                await _step(engine, one.id)


def _turned(text: str, by: int) -> str:
    """The same in another order, so that tables differ."""
    return text[by % len(text) :] + text[: by % len(text)]


def _over(table: State, rounds: int) -> bool:
    return table.rounds == rounds and table.phase == "settled"


async def _step(engine: Engine, table: str) -> None:
    """What a dealer would do next, at once."""
    live, key = engine.tables[table], subkey(KEY, "shoes")
    step, _ = next_step(live.table, pace=Pace())
    if isinstance(step, Do):
        answer = await engine.ask(table, plans.dealt(*step.commands), actor=SYSTEM)
    elif isinstance(step, Shuffle):
        answer = await engine.ask(table, plans.new_shoe(key, None), actor=SYSTEM)
    else:
        assert isinstance(step, DrawNext)
        assert live.table.shoe is not None
        number = live.table.shoe.number
        order = opened(key, table, number, engine.store.shoe(table, number) or b"", live.sealed)
        answer = await engine.ask(table, plans.draw_next(number, order, SYSTEM), actor=SYSTEM)
    assert answer.refusal is None, answer.refusal
