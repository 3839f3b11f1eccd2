"""A table with players planted at it, played by its dealer into a real store."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from service.houses import DEE, RICH
from thirdcard.protect.radar import WatchedRound
from thirdcard.service.clock import Clock
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.log.store import open_store
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import plans
from thirdcard.service.tables.draft import Plan
from thirdcard.service.tables.engine import Engine
from thirdcard.table import Setup, commands
from thirdcard.table.setup import Limit

GUARD_SECONDS = 300.0
BOXES = {"S1": 1, "S2": 2, "S4": 4, "S5": 5, "S6": 6}
NAMES = {"S1": "Wei", "S2": "Mei", "S4": "Anwar", "S5": "Lin", "S6": "Bo"}


def played_into(path: Path, slug: str, table: str, rounds: Sequence[WatchedRound]) -> None:
    """Everybody sits in the box of the seat code, bets as planted, and the dealer lays these very cards."""
    with ThreadPoolExecutor(1) as apart:  # an event loop may be running in this thread: a browser's
        apart.submit(asyncio.run, _play(path, slug, table, rounds)).result()


async def _play(path: Path, slug: str, table: str, rounds: Sequence[WatchedRound]) -> None:
    engine = Engine(open_store(str(path)), Clock(), grants=RICH)
    await engine.start()
    async with asyncio.timeout(GUARD_SECONDS):
        setup = Setup(
            rulebook=slug,
            layout="A",
            positions=7,
            limits={"*": Limit(1_00, 5_000_00)},
            differential=5_000_00,
            cut=14,
        )
        await _ask(engine, table, plans.create(table, "staff", setup, pace=Pace(), live_odds=False), SYSTEM)
        people = {code: Person(name=NAMES[code], role="player") for one in rounds[:1] for code in one.stakes}
        for code, person in people.items():
            await _ask(engine, table, plans.sit_down(person, BOXES[code], 50_000_000_00), person.name)
        shoe = ""
        for one in rounds:
            if one.shoe != shoe:
                shoe = one.shoe
                await _ask(engine, table, plans.by_person(DEE, commands.NewShoe(by=DEE.name)), DEE.name)
            await _ask(engine, table, plans.by_person(DEE, commands.Open(by=DEE.name)), DEE.name)
            for code, bets in one.stakes.items():
                placed = [
                    commands.Place(by=NAMES[code], box=BOXES[code], bet=bet, cents=cents)
                    for bet, cents in bets.items()
                ]
                if placed:
                    await _ask(engine, table, plans.by_person(people[code], *placed), people[code].name)
            dealt = [commands.Draw(by=DEE.name, card=card) for card in one.cards]
            await _ask(
                engine,
                table,
                plans.by_person(DEE, commands.Close(by=DEE.name), *dealt, commands.Settle(by=DEE.name)),
                DEE.name,
            )
    await engine.stop()


async def _ask(engine: Engine, table: str, plan: Plan, actor: str) -> None:
    answer = await engine.ask(table, plan, actor=actor)
    assert answer.refusal is None, answer.refusal
