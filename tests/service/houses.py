"""Houses for tests: engines over stores that fail on demand, tables at which a few people sit, waiting."""

import asyncio
import functools
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, ParamSpec

import msgspec
import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from service.clocks import FakeClock
from thirdcard.cards import Card, format_cards, parse_card
from thirdcard.service.clock import Clock
from thirdcard.service.learning.scripted import ScriptedPeople
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import Append, Head, Record, Result, StoreDown, StoreFull
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import plans, sealed_shoes
from thirdcard.service.tables.dealer import next_step
from thirdcard.service.tables.engine import Answer, Engine
from thirdcard.service.tables.hall import UNLOGGED, Hall, NewTable
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.wallets import Grants
from thirdcard.table import Setup, commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.setup import Limit

TBC = "rws-tiger-buffalo-commission-v2"
CBI = "rws-commission-insurance-v5"
MBS = "mbs-tiger-v2"
RICH = Grants(opening=10**13)  # cents: wallets are not what a test is about that uses it
KEY = bytes(range(32))
GUARD_SECONDS = 300.0  # for a test that is stuck, whatever the machine
WEI, MEI, ANWAR = (Person(name=name, role="player") for name in ("Wei", "Mei", "Anwar"))
DEE, DAN = (Person(name=name, role="dealer") for name in ("Dee", "Dan"))
PAM = Person(name="Pam", role="pit-manager")
SAM = Person(name="Sam", role="shift-manager")

P = ParamSpec("P")


def timed(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    """A test that waits, run to its end."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def guarded() -> None:
            async with asyncio.timeout(GUARD_SECONDS):
                await test(*args, **kwargs)

        asyncio.run(guarded())

    return run


async def until(holds: Callable[[], object], poke: Callable[[], object] = lambda: None) -> None:
    """Come back when it holds; the guard of the test ends what never does."""
    while not holds():
        poke()
        await asyncio.sleep(0.002)


class Faulty(MemoryStore):
    """A store that fails as it is told to: each commit takes the next of `faults`.

    `full` writes nothing and says so; `down` writes nothing and breaks off; `unsure` writes and breaks off;
    `broken` is a fault that nobody has foreseen; an empty text is none. While `gate` is closed commits wait
    before they are made. While `away`, nothing can be read or written.
    """

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.gate = threading.Event()
        self.gate.set()
        self.waiting = threading.Event()
        self.away = False
        self.reads = 0

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        self.waiting.set()
        self.gate.wait()
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "full":
            raise StoreFull("no room")
        if fault == "broken":
            raise RuntimeError("nobody thought of this")
        if self.away or fault == "down":
            raise StoreDown("broke off before the commit")
        results = super().commit(appends)
        if fault == "unsure":
            raise StoreDown("broke off after the commit")
        return results

    def heads(self) -> dict[str, Head]:
        self.reads += 1
        if self.away:
            raise StoreDown("cannot be reached")
        return super().heads()

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
        self.reads += 1
        if self.away:
            raise StoreDown("cannot be reached")
        return super().read(stream, after=after, limit=limit)


class Hasty(Engine):
    """A control: it answers as soon as it has decided, before anything is written."""

    def _draw_up(self, request: Any, draft: Any, decided: Any, now: int) -> Answer:  # noqa: ANN401
        answer = super()._draw_up(request, draft, decided, now)
        request.answer.set_result(answer)
        return answer


class Stale(Engine):
    """A control: it decides on the table as it was before the requests that are being decided with it."""

    def _decide(self, request: Any, drafts: Any) -> None:  # noqa: ANN401
        plan = request.plan
        request.plan = lambda live: plan(self.tables.get(live.id, live))
        super()._decide(request, drafts)


# Tables -------------------------------------------------------------------------------------------------


def set_up(slug: str = TBC, layout: str = "A", **changed: Any) -> Setup:  # noqa: ANN401
    values: dict[str, Any] = {
        "rulebook": slug,
        "layout": layout,
        "positions": 5,
        "limits": {"*": Limit(10_00, 2_000_00)},
        "differential": 100_000_00,
    }
    return Setup(**(values | changed))


def new_table(name: str = "one", dealer: str = "staff", pace: Pace | None = None, **setup: Any) -> NewTable:  # noqa: ANN401
    return NewTable(
        id=name,
        title=name.capitalize(),
        dealer="automatic" if dealer == "automatic" else "staff",
        setup=set_up(**setup),
        pace=pace or Pace(),
    )


async def made(engine: Engine, name: str = "one") -> None:
    """A staffed table at which Wei and Mei sit with $10,000 each."""
    plan = plans.create(name, "staff", set_up(), pace=Pace(), live_odds=False)
    await engine.ask(name, plan, actor=SYSTEM)
    for box, person in enumerate((WEI, MEI), start=1):
        await engine.ask(name, plans.sit_down(person, box, 10_000_00), actor=person.name)


async def does(
    engine: Engine, person: Person, *asked: AnyCommand, key: str = "", table: str = "one"
) -> Answer:
    """What somebody is answered who asks for this."""
    body = msgspec.json.encode(asked)
    return await engine.ask(table, plans.by_person(person, *asked), actor=person.name, key=key, asked=body)


async def did(
    engine: Engine, person: Person, *asked: AnyCommand, key: str = "", table: str = "one"
) -> Answer:
    """The same, and it must be accepted."""
    answer = await does(engine, person, *asked, key=key, table=table)
    assert answer.refusal is None, answer.refusal
    return answer


async def betting(engine: Engine, table: str = "one") -> None:
    """Dee brings a shoe and opens bets."""
    await did(engine, DEE, commands.NewShoe(by="Dee"), commands.Open(by="Dee"), table=table)


def bet(person: Person = WEI, cents: int = 100_00, on: str = "player", box: int = 1) -> AnyCommand:
    return commands.Place(by=person.name, box=box, bet=on, cents=cents)


def cards(text: str) -> list[Card]:
    return [parse_card(one) for one in text.split()]


@asynccontextmanager
async def running(
    store: Store, engine: type[Engine] = Engine, clock: Clock | None = None
) -> AsyncIterator[Engine]:
    started = engine(store, clock or FakeClock(), grants=RICH)
    await started.start()
    try:
        yield started
    finally:
        await started.stop()


class HallOfTests(Hall):
    """A hall whose time is up when a test says so: it neither sleeps nor knows when the dealer comes to it."""

    def end_wait(self, table: str, name: str) -> bool:
        """Let the time for `name` be up at an automatic table; False if it does not run, or is up already."""
        live, now = self.engine.tables[table], self.clock.monotonic()
        due = next_step(live.table, pace=live.pace)[1] if live.pace else None
        if due is None or due.name != name:
            return False
        channel = self.channels[table]
        key, deadline = self._pauses.get(table, ("", 0.0))
        if name not in UNLOGGED:
            key, deadline = live.timer.key if live.timer else "", channel.deadline
        if key != due.key or deadline <= now:
            return False
        if name in UNLOGGED:
            self._pauses[table] = (key, now)
        else:
            channel.deadline = now
        self._stir(table)
        return True


@asynccontextmanager
async def hall_on(store: Store, *tables: NewTable, clock: Clock | None = None) -> AsyncIterator[HallOfTests]:
    hall = HallOfTests(store, key=KEY, clock=clock or FakeClock(), first_tables=tables, grants=RICH)
    hall.practises = ScriptedPeople
    await hall.start()
    try:
        yield hall
    finally:
        await hall.stop()


async def go(hall: Hall, holds: Callable[[], object], table: str = "one", seconds: float = 1.0) -> None:
    """Time passes, so many seconds at once, until it holds; somebody is at the table."""

    def passes() -> None:
        hall.sign_of_life(table)
        tick(hall, seconds, table)

    await until(holds, passes)


def tick(hall: Hall, seconds: float = 1.0, table: str = "one") -> None:
    """So much time, and the dealer looks up as when a real clock has reached a deadline."""
    assert isinstance(hall.clock, FakeClock)
    hall.clock.wait(seconds)
    hall._stir(table)  # noqa: SLF001


async def seated(hall: Hall, *people: Person, table: str = "one") -> None:
    """They sit down in the first boxes with $10,000 each, as soon as the round lets them."""
    for box, person in enumerate(people, start=1):
        while refusal := (await hall.ask(table, plans.sit_down(person, box, 10_000_00), person)).refusal:
            assert refusal.code == "wrong-phase", refusal
            await asyncio.sleep(0.005)


def stack(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Every new shoe begins with these cards; the rest is shuffled."""
    first, shuffled = cards(text), sealed_shoes.shuffled

    def stacked(decks: int, key: bytes) -> tuple[Card, ...]:
        rest = list(shuffled(decks, key))
        for card in first:
            rest.remove(card)
        return (*first, *rest)

    monkeypatch.setattr(sealed_shoes, "shuffled", stacked)


def sealed_before(key: bytes, stream: str, number: int, salt: bytes, order: Sequence[Card]) -> bytes:
    """A shoe as release 0.1.0 kept it: the order too, and the first byte tells so."""
    nonce, place = os.urandom(12), f"thirdcard shoe {number} {stream}".encode()
    plain = salt + format_cards(order).encode()
    return b"\x01" + nonce + ChaCha20Poly1305(key).encrypt(nonce, plain, place)


def names(records: Sequence[Record]) -> list[str]:
    return [record.name for record in records]


def same(one: Live, other: Live) -> bool:
    """Whether two folds of a log agree in everything."""
    return one == other and msgspec.json.encode(one.state) == msgspec.json.encode(other.state)
