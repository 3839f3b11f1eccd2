"""A run: a house of some processes, some tables and some people, and everything that befalls them."""

import asyncio
import contextlib
import gc
import hashlib
import logging
import random
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any, cast
from unittest import mock

import msgspec
from argon2 import PasswordHasher

from simulator.browsers import PASSWORD, Door, Person, Window
from simulator.disk import Disk, Link
from simulator.referee import Referee
from simulator.wire import Message, Network, Socket
from simulator.world import Process, SimulatedClock, World, nothing_real
from thirdcard.cli.serving import ServedHall
from thirdcard.cli.serving import _anchor_others as anchor_others
from thirdcard.errors import BadInput
from thirdcard.service.api import app
from thirdcard.service.api.gate import Gate
from thirdcard.service.audit import audit_store
from thirdcard.service.audit.starting import check_anchor, unanchored
from thirdcard.service.keys import subkey
from thirdcard.service.log.anchor import Anchor, read_anchor
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store.model import StoreDown, StoreFull
from thirdcard.service.people import accounts
from thirdcard.service.people.accounts import People
from thirdcard.service.tables.engine import Unavailable
from thirdcard.service.tables.hall import NewTable
from thirdcard.table import Setup
from thirdcard.table.setup import Limit

KEY = bytes(range(32))
STAFF = {"dora": "dealer", "sven": "shift-manager", "pia": "pit-manager"}
KINDS = ("crash", "freeze", "away", "full", "down", "unsure", "clock", "cut", "slow", "stop", "mumble")
CHECKED = ("events", "commits", "requests", "answers", "messages", "faults")  # what is counted as checked
PLAYED = ("stakes", "paid")  # what storms have to have of people who bet
CALM_SECONDS = 90.0  # after the last fault, in which everything has to go on


class Fault(msgspec.Struct, frozen=True):
    """`kind` at so many seconds, for so many, to one of the processes; `size` of what has one."""

    at: float
    kind: str
    process: int
    seconds: float
    size: float

    def __str__(self) -> str:
        return f"{self.at:7.1f} {self.kind} of p{self.process} for {self.seconds:.1f} s ({self.size:+.2f})"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """All that a seed decides beforehand."""

    seed: str
    shared: bool
    processes: int
    people: int
    tables: tuple[NewTable, ...]
    seconds: float
    faults: tuple[Fault, ...]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What was found, if anything; how much was looked at; and a digest of all that happened."""

    found: str
    counted: dict[str, int]
    story: tuple[str, ...]
    digest: str
    plan: Plan


BOOKS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "rws-tiger-buffalo-commission-v2": ("A", 6, {}),
    "rws-commission-insurance-v5": ("D", 7, {}),
    "rws-tiger-buffalo-non-commission-v3": ("C", 6, {"method": "face-down"}),
    "rws-tiger-buffalo-non-commission-v4": ("L", 5, {}),
    "mbs-tiger-v2": ("A", 7, {"method": "C", "high_limit": True, "device": "reader"}),
}


def plan(
    seed: str,
    *,
    seconds: float = 200.0,
    without: frozenset[int] = frozenset(),
    shared: bool | None = None,
    kinds: Sequence[str] = (),
) -> Plan:
    """`without` leaves out faults by their number; `shared` and `kinds` are then not left to the seed."""
    pick = random.Random(f"{seed}/plan")  # noqa: S311 - sample data
    shared = pick.random() < 0.75 if shared is None else shared
    processes = pick.randint(2, 3) if shared else 1
    slugs = pick.sample(sorted(BOOKS), 2)
    tables = [_table(f"t{n}", slug, pick) for n, slug in enumerate(slugs)]
    tables.append(_table("hand", pick.choice(sorted(BOOKS)), pick, dealer="staff"))
    # What is rare among all kinds is frequent among few.
    kinds = kinds or pick.sample(KINDS, pick.randint(3, len(KINDS)))
    many = int(seconds / 12)
    faults = sorted((_fault(pick, kinds, seconds, processes) for _ in range(many)), key=lambda one: one.at)
    return Plan(
        seed=seed,
        shared=shared,
        processes=processes,
        people=pick.randint(4, 7),
        tables=tuple(tables),
        seconds=seconds,
        faults=tuple(one for number, one in enumerate(faults) if number not in without),
    )


def _table(name: str, slug: str, pick: random.Random, dealer: str = "automatic") -> NewTable:
    layout, positions, besides = BOOKS[slug]
    pace = Pace(
        betting=pick.choice((3_000, 6_000, 12_000)),
        insurance=pick.choice((3_000, 8_000)),
        adjusting=3_000,
        choice=6_000,
        squeeze=5_000,
        card=pick.choice((200, 1_000)),
        result=1_500,
        shuffle=1_500,
    )
    setup = Setup(
        rulebook=slug,
        layout=layout,
        positions=positions,
        limits={"*": Limit(10_00, 2_000_00)},
        differential=pick.choice((500_00, 10_000_00)),
        **(besides if dealer == "automatic" and pick.random() < 0.7 else {}),
    )
    return NewTable(id=name, title=name, dealer=cast("Any", dealer), setup=setup, pace=pace)


def _fault(pick: random.Random, kinds: Sequence[str], seconds: float, processes: int) -> Fault:
    return Fault(
        at=pick.uniform(10, seconds),
        kind=pick.choice(kinds),
        process=pick.randrange(processes),
        seconds=pick.choice((0.3, 2.0, 8.0, 15.0)) * pick.uniform(0.5, 1.5),
        size=pick.choice((-1, 1)) * pick.uniform(0, 1),
    )


def weak_hasher() -> PasswordHasher:
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Served(msgspec.Struct):
    """A process that serves, or will or did; `told` is what it said of its beginning and end."""

    process: Process
    link: Link
    hall: ServedHall
    anchor: Anchor
    gate: Gate
    ending: asyncio.Future[Message]
    told: list[str] = []


class House:
    """The processes, which come up, go down and come up again."""

    def __init__(self, chosen: Plan, world: World, referee: Referee, folder: Path) -> None:
        self.plan, self.world, self.referee, self.folder = chosen, world, referee, folder
        self.disk = Disk(world, chosen.seed, referee, shared=chosen.shared)
        self.network = Network(world, chosen.seed)
        self.door = Door(world, self.network, referee)
        self.served: dict[int, Served] = {}
        self.buried: list[Served] = []
        self.troubles: dict[int, int] = {}
        self._starts = 0

    def anchor_path(self, number: int) -> Path:
        return self.folder / f"{number}.anchor"

    def start(self, number: int) -> None:
        """A process comes up as `thirdcard serve` would."""
        self._starts += 1
        process = Process(self.world, f"p{number}.{self._starts}")
        link = self.disk.link(process)
        clock = SimulatedClock(process)
        store = cast("Any", link)
        anchor = Anchor(self.anchor_path(number), subkey(KEY, "anchor"))
        new = not anchor.latest()  # a process of a shared store comes later than its tables
        try:
            check_anchor(store, anchor, anew=new and bool(unanchored(store, anchor)))
        except BadInput as error:
            self.referee.wrong(f"{process.name} cannot start: {error}")
            return
        hall = ServedHall(store, key=KEY, clock=clock, anchor=anchor, first_tables=self.plan.tables)
        gate = app.create_app(hall)
        self.served[number] = Served(process, link, hall, anchor, gate, self.world.create_future())
        self.referee.say(f"{process.name} starts")
        process.spawn(self._come_up(number, self.served[number]))

    async def _come_up(self, number: int, served: Served) -> None:
        """As a server does it: the app is told to begin, and later to end."""

        async def receive() -> Message:
            return {"type": "lifespan.startup"} if not served.told else await served.ending

        async def send(message: Message) -> None:
            served.told.append(message["type"])
            if message["type"] == "lifespan.startup.complete":
                self.door.gates[f"p{number}"] = (served.process, served.gate)
                served.process.spawn(anchor_others(served.hall))
                self.look(number)

        try:
            await served.gate({"type": "lifespan", "state": {}}, receive, send)
        except* (StoreDown, StoreFull, Unavailable) as errors:
            self.referee.say(f"{served.process.name} broke off: {errors!r}")
        except* Exception as errors:  # noqa: BLE001 - nothing else should stop it
            self.referee.wrong(f"{served.process.name} could not start or stop: {errors!r}")
        self.referee.say(f"{served.process.name} has ended: {served.told}")
        self.world.call_later(1.0, self.again, number, served, context=self.world.outside.context())

    def again(self, number: int, served: Served) -> None:
        if self.served.get(number) is served:
            self.restart(number)

    def bury(self, number: int) -> None:
        served = self.served.pop(number, None)
        if served is not None:
            self.door.gates.pop(f"p{number}", None)
            self.network.lose(served.process)
            served.process.end()
            served.anchor.close()
            self.buried.append(served)
            self.look(number)

    def restart(self, number: int) -> None:
        self.bury(number)
        self.start(number)

    def look(self, number: int) -> None:
        """Tell the referee whether a process can do its work."""
        served = self.served.get(number)
        up = served is not None and f"p{number}" in self.door.gates
        name = served.process.name if served else f"p{number}.0"
        for other in [one for one in self.referee.health if one.startswith(f"p{number}.") and one != name]:
            self.referee.gone(other)
        cut_off = served is not None and (served.process.frozen or served.link.away)
        self.referee.well(name, well=up and not self.troubles.get(number), deaf=not up or cut_off)

    def trouble(self, number: int, change: int) -> None:
        self.troubles[number] = self.troubles.get(number, 0) + change
        self.look(number)


class Faults:
    """Carries the faults out."""

    def __init__(self, house: House) -> None:
        self.house = house

    async def befall(self) -> None:
        world = self.house.world
        for fault in self.house.plan.faults:
            await asyncio.sleep(max(0.0, 1000.0 + fault.at - world.now))
            self.house.referee.say(f"fault: {fault}")
            self.house.referee.counted["faults"] += 1
            work = getattr(self, f"_{fault.kind}")(fault)
            world.outside.spawn(_must_not_fail(self.house.referee, work))

    async def _crash(self, fault: Fault) -> None:
        house = self.house
        house.bury(fault.process)
        await asyncio.sleep(fault.seconds)
        if fault.process not in house.served:
            house.start(fault.process)

    async def _stop(self, fault: Fault) -> None:
        """A clean end, as by a signal."""
        house = self.house
        served = house.served.get(fault.process)
        if served is None or served.process.frozen:
            return
        house.door.gates.pop(f"p{fault.process}", None)
        house.look(fault.process)
        if not served.ending.done():
            served.ending.set_result({"type": "lifespan.shutdown"})
        await asyncio.sleep(30)
        house.again(fault.process, served)

    async def _freeze(self, fault: Fault) -> None:
        served = self.house.served.get(fault.process)
        if served is None or served.process.frozen:
            return
        served.process.frozen = True
        self.house.trouble(fault.process, 1)
        await asyncio.sleep(fault.seconds)
        served.process.frozen = False
        self.house.look(fault.process)
        await asyncio.sleep(1.0)
        self.house.trouble(fault.process, -1)

    async def _away(self, fault: Fault) -> None:
        """The store cannot be reached from one process."""
        served = self.house.served.get(fault.process)
        if served is None or served.link.away:
            return
        served.link.away = True
        self.house.trouble(fault.process, 1)
        await asyncio.sleep(fault.seconds)
        served.link.away = False
        served.link.hears("lost", "", 0.1)
        self.house.look(fault.process)
        await asyncio.sleep(1.5)
        self.house.trouble(fault.process, -1)

    async def _commits(self, fault: Fault) -> None:
        served = self.house.served.get(fault.process)
        if served is None:
            return
        self.house.trouble(fault.process, 1)
        many = 1 + round(abs(fault.size) * 3)
        served.link.faults += [fault.kind] * many
        while served.link.faults and served.process.alive:
            await asyncio.sleep(0.2)
            if self.house.world.now > 1000.0 + fault.at + 20:
                served.link.faults.clear()
        await asyncio.sleep(1.5)
        self.house.trouble(fault.process, -1)

    _full = _down = _unsure = _commits

    async def _clock(self, fault: Fault) -> None:
        served = self.house.served.get(fault.process)
        if served is not None:
            self.house.referee.steady = False
            served.process.ahead += round(fault.size * 60_000_000)

    async def _cut(self, fault: Fault) -> None:
        self.house.network.cut_some(abs(fault.size))

    async def _slow(self, fault: Fault) -> None:
        served = self.house.served.get(fault.process)
        if served is not None and served.process.slow == 1.0:
            self.house.trouble(fault.process, 1)
            served.process.slow = 200.0
            await asyncio.sleep(fault.seconds)
            served.process.slow = 1.0
            await asyncio.sleep(2.0)
            self.house.trouble(fault.process, -1)

    async def _mumble(self, fault: Fault) -> None:
        """What others write is heard late, twice or not at all."""
        disk = self.house.disk
        disk.lost, disk.doubled = abs(fault.size) * 0.5, abs(fault.size)
        await asyncio.sleep(fault.seconds)
        disk.lost = disk.doubled = 0.0


class Listening(logging.Handler):
    """What the service itself takes for a fault is one."""

    def __init__(self, referee: Referee) -> None:
        super().__init__(logging.WARNING)
        self.referee = referee

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self.referee.say(f"log: {text}")
        if record.exc_info or "was refused" in text:
            self.referee.wrong(f"the log says: {text} {record.exc_info[1] if record.exc_info else ''!r}")


def run(chosen: Plan, tell: Callable[[str], None] | None = None) -> Outcome:
    """Everything of a plan, once."""
    told = hashlib.sha256()

    def say(line: str) -> None:
        told.update(line.encode())
        if tell is not None:
            tell(line)

    folder = Path(tempfile.mkdtemp(prefix="storm-"))
    world = World(chosen.seed)
    referee = Referee(world, say, shared=chosen.shared)
    asyncio.set_event_loop(world)
    world.set_exception_handler(lambda _, context: _broken(referee, context))
    try:
        with nothing_real(chosen.seed), _quiet(referee):
            _play(House(chosen, world, referee, folder))
    finally:
        asyncio.set_event_loop(None)
        _bury(world)
        shutil.rmtree(folder, ignore_errors=True)
    return Outcome(
        found=referee.found,
        counted=dict(referee.counted) | {"turns": world.turns_taken},
        story=tuple(referee.story),
        digest=told.hexdigest(),
        plan=chosen,
    )


def _broken(referee: Referee, context: dict[str, Any]) -> None:
    """A callback failed: one of ours, or one of the service that should not."""
    if "handle" in context:
        referee.wrong(f"a callback failed: {context['exception']!r} in {context['handle']}")


def _play(house: House) -> None:
    referee, work = house.referee, house.world.outside.spawn(_story(house))
    broken = ""
    try:
        house.world.run_until_complete(work)
    except Exception as error:  # noqa: BLE001 - a fault of ours, or the run was stopped
        broken = repr(error)
    if broken and not referee.found:
        referee.wrong(f"the run broke off: {broken}")
    if not referee.found:
        _audit(house)


async def _story(house: House) -> None:
    chosen, world, referee = house.plan, house.world, house.referee
    register = People(house.disk.store, SimulatedClock(world.outside), hasher=weak_hasher())
    for name, role in STAFF.items():
        register.register(name, PASSWORD, role)
    for number in range(chosen.processes):
        house.start(number)
    people = [Person(house.door, chosen.seed, f"guest{n}", "guest") for n in range(chosen.people)]
    people += [Person(house.door, chosen.seed, name, role) for name, role in STAFF.items()]
    lives = [window.live() for window in _windows(house, people)]
    for work in (*lives, Faults(house).befall(), _watch(house)):
        world.outside.spawn(_must_not_fail(referee, work))
    await asyncio.sleep(chosen.seconds)
    referee.say("from now on all is well")
    for number in set(range(chosen.processes)) - set(house.served):
        house.start(number)
    await asyncio.sleep(30)
    house.door.calm = True
    calm = world.now
    await asyncio.sleep(CALM_SECONDS)
    for name, book in referee.books.items():
        if book.automatic and book.finished_at < calm:
            referee.wrong(
                f"{name} has finished no round since all is well: {book.phase} of round {book.rounds}"
            )
    for one in (one for person in people for one in person.waiting.values() if person.away < calm):
        if one.sent < calm:
            referee.wrong(f"{one.actor} never got an answer to {one.key} {one.body!r}")


def _windows(house: House, people: Sequence[Person]) -> list[Window]:
    """Staff look at every table, players at one or two, some of them twice, and nobody in particular at each."""
    seed, names = house.plan.seed, [one.id for one in house.plan.tables]
    pick = random.Random(f"{seed}/windows")  # noqa: S311 - sample data
    windows = [Window(None, house.door, seed, name, n) for n, name in enumerate(names)]
    for person in people:
        for name in names if person.staff else pick.sample(names, pick.randint(1, 2)):
            many = 1 if person.staff else pick.choice((1, 1, 2))
            windows += [Window(person, house.door, seed, name, n) for n in range(many)]
    return windows


async def _must_not_fail(referee: Referee, work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception as error:  # noqa: BLE001 - a fault of the simulator
        referee.wrong(f"the simulator failed: {error!r} {traceback.format_exc()}")


async def _watch(house: House) -> None:
    """Wherever somebody looks on by a process that is well, an automatic table goes on."""
    referee, world = house.referee, house.world
    while True:
        await asyncio.sleep(1.0)
        for name, book in referee.books.items():
            if not book.automatic or book.closed or book.held_up:
                continue
            since = [
                max(book.last_at, referee.healthy_since[one.process.name], one.opened)
                for one in house.network.open
                if isinstance(one, Socket) and one.table == name and referee.health.get(one.process.name)
            ]
            limit = book.longest + 20
            if since and world.now - min(since) > limit:
                referee.wrong(
                    f"{name} has not gone on for {limit:.0f} s: {book.phase} of round {book.rounds}"
                )


def _audit(house: House) -> None:
    there = [path for path in map(house.anchor_path, range(house.plan.processes)) if path.exists()]
    anchors = [read_anchor(path, subkey(KEY, "anchor")) for path in there]
    now = SimulatedClock(house.world.outside).wall()
    report = audit_store(house.disk.store, anchors, KEY, now=now)
    for problem in report.problems:
        house.referee.wrong(f"audit: {problem}")


@contextlib.contextmanager
def _quiet(referee: Referee) -> Iterator[None]:
    """What is logged is heard by the referee alone; passwords are hashed lightly; no document of the API is made."""
    logger, listening = logging.getLogger("thirdcard"), Listening(referee)
    before = logger.propagate
    logger.addHandler(listening)
    logger.propagate = False
    logging.getLogger("asyncio").disabled = True
    try:
        with contextlib.ExitStack() as patches:
            patches.enter_context(mock.patch.object(accounts, "default_hasher", weak_hasher))
            for name in ("LoggingConfig", "OpenAPIConfig"):
                patches.enter_context(mock.patch.object(app, name, return_value=None))
            yield
    finally:
        logger.removeHandler(listening)
        logger.propagate = before


def _bury(world: World) -> None:
    """What is left of a run goes without a word."""
    hook = sys.unraisablehook
    sys.unraisablehook = lambda _: None
    try:
        for task in asyncio.all_tasks(world):
            setattr(task, "_log_destroy_pending", False)  # noqa: B010
        world.over()
        gc.collect()
        world.close()
    finally:
        sys.unraisablehook = hook
