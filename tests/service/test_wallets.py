"""One wallet moved by two processes on one PostgreSQL: nothing is spent twice, nothing is lost, also after a restart."""

import asyncio
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest

from service.houses import GUARD_SECONDS, KEY, MEI, WEI, timed, until
from service.movers import EACH, TABLES, moves, opened
from service.store.server import Server
from thirdcard.service.audit import audit_store
from thirdcard.service.log.store import open_snapshot, open_store
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.tables import plans
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.wallets import Grants
from thirdcard.table import commands
from thirdcard.table.ledger import rack, wallet

pytestmark = pytest.mark.server

OPENING, DAILY = Grants().opening, Grants().daily


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    started = Server()
    yield started
    started.stop()


@pytest.fixture
def address(server: Server) -> str:
    return server.database()


async def sit_down(hall: Hall, table: str) -> None:
    for box, person in enumerate((WEI, MEI), start=1):
        await hall.ask(table, plans.sit_down(person, box, 0), person)


async def brings(hall: Hall, table: str, cents: int) -> str:
    """Chips for Wei's rack there; why not."""
    answer = await hall.ask(table, plans.by_person(WEI, commands.BuyIn(by="Wei", cents=cents)), WEI)
    return answer.refusal.code if answer.refusal else ""


def ledger(address: str) -> Counter[str]:
    """What all postings of the house come to, by account."""
    store, sums = open_store(address), Counter[str]()
    try:
        for stream in (JOURNAL, *(one.id for one in TABLES)):
            for entry in store.entries(stream):
                sums[entry.account] += entry.cents
        kept = store.wallet("Wei")
        assert kept is not None
        assert kept.cents == sums[wallet("Wei")], "the row of the wallet is what the postings come to"
    finally:
        store.close()
    assert sum(sums.values()) == 0
    assert min(sums[account] for account in sums if account.startswith(("wallet:", "rack:"))) >= 0
    with open_snapshot(address) as snapshot:
        assert [str(problem) for problem in audit_store(snapshot, (), KEY).problems] == []
    return sums


def at_table(hall: Hall, table: str) -> bool:
    return {WEI.name, MEI.name} <= set(hall.tables()[table].table.players)


@timed
async def test_the_same_money_is_spent_once_and_found_again_after_a_restart(address: str) -> None:
    one, two = await opened(address), await opened(address)
    await sit_down(one, "one")
    await sit_down(two, "two")
    for hall, table in ((one, "two"), (two, "one")):  # each hears of the other's after a moment
        await until(partial(at_table, hall, table))
    asked = [brings(hall, table, EACH) for _ in range(6) for hall in (one, two) for table in ("one", "two")]
    told = Counter(await asyncio.gather(*asked))
    assert told == {"": OPENING // EACH, "wallet-too-small": len(asked) - OPENING // EACH}
    grants = await asyncio.gather(
        *(hall.grant(WEI, "daily", f"{n}") for n, hall in enumerate((one, two) * 5))
    )
    assert sorted(one.refusal.code if one.refusal else "" for one in grants) == ["", *["granted-already"] * 9]
    await one.stop()
    await two.stop()

    sums = ledger(address)
    assert sums[wallet("Wei")] == DAILY
    assert sums[rack("Wei")] == OPENING
    again = await opened(address)
    racks = {table: live.table.rack("Wei") for table, live in again.tables().items()}
    assert sum(racks.values()) == OPENING
    assert await brings(again, "one", DAILY + EACH) == "wallet-too-small"
    assert await brings(again, "one", DAILY) == ""
    await again.stop()
    assert ledger(address)[rack("Wei")] == OPENING + DAILY


async def comes(address: str) -> None:
    hall = await opened(address)
    await sit_down(hall, "one")
    await sit_down(hall, "two")
    assert await brings(hall, "one", EACH) == ""
    await hall.stop()


@pytest.mark.whole
def test_two_processes_of_the_system_move_it_and_the_ledger_holds(address: str) -> None:
    asyncio.run(comes(address))
    before = ledger(address)
    context = multiprocessing.get_context("spawn")
    movers = [context.Process(target=moves, args=(address, seed)) for seed in (1, 2)]
    for one in movers:
        one.start()
    for one in movers:
        one.join(GUARD_SECONDS)
        assert one.exitcode == 0
    after = ledger(address)
    both = (wallet("Wei"), rack("Wei"))
    assert sum(after[name] for name in both) == sum(before[name] for name in both) == OPENING
    store = open_store(address)
    moved = [
        record for table in ("one", "two") for record in store.read(table) if record.name == "cashed-out"
    ]
    store.close()
    assert moved, "money went both ways"
