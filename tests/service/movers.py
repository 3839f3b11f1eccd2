"""A process of its own that moves somebody's money about: what is started has to be found by its name."""

import asyncio
import random

from service.houses import KEY, WEI, new_table
from thirdcard.service.log.store import open_store
from thirdcard.service.tables import plans
from thirdcard.service.tables.hall import Hall
from thirdcard.table import commands

TABLES = (new_table("one"), new_table("two"))
EACH = 1_000_00
MOVES = 25


async def opened(address: str) -> Hall:
    hall = Hall(open_store(address), key=KEY, first_tables=TABLES)
    await hall.start()
    return hall


def moves(address: str, seed: int) -> None:
    """A process of its own that takes Wei's chips from table to table by the wallet."""

    async def move() -> None:
        chance, hall = random.Random(seed), await opened(address)  # noqa: S311 - no secret
        for _ in range(MOVES):
            table, cents = chance.choice(TABLES).id, chance.choice((EACH, 5 * EACH, 20 * EACH))
            way = chance.choice((commands.BuyIn, commands.CashOut))
            await hall.ask(table, plans.by_person(WEI, way(by="Wei", cents=cents)), WEI)
        await hall.stop()

    asyncio.run(move())
