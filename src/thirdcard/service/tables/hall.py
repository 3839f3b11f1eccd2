"""The house: its people, its tables, who deals at them, and who is watching."""

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import remember
from thirdcard.service.clock import Clock, ClockWatch
from thirdcard.service.keys import subkey
from thirdcard.service.log import floor_events as own
from thirdcard.service.log.anchor import Anchor
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.log.store.model import JOURNAL, Store, StoreDown
from thirdcard.service.people.accounts import People
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import plans, sealed_shoes
from thirdcard.service.tables.dealer import Do, DrawNext, Rest, Shuffle, Step, Timer, next_step
from thirdcard.service.tables.draft import Plan, TableChange
from thirdcard.service.tables.engine import Answer, Engine, Unavailable
from thirdcard.service.tables.live import Live, RunningTimer, recover
from thirdcard.service.tables.publish import MOST_BEHIND, Channel, Published, Reader, replayed
from thirdcard.service.tables.recovery import from_checkpoint
from thirdcard.service.tables.rulebook_texts import take_all, take_rulebooks
from thirdcard.service.tables.sealed_shoes import Commitment
from thirdcard.table import Setup, commands
from thirdcard.table.events import StakeSet
from thirdcard.table.setup import Limit

T = TypeVar("T")
log = logging.getLogger("thirdcard")
QUIET_SECONDS = 60.0  # a table rests so long after the last sign of anybody
LEAD_SECONDS = 1.0  # how often who drives a table is looked at
LATE_SECONDS = 5.0  # a deadline that passed longer ago than this while nobody dealt was missed
LOOK_SECONDS = 1.0
FIRST_STATE = 2  # the version at which a table has its set-up, and so something to be seen
UNLOGGED = frozenset({"card", "result", "shuffle"})  # pauses that give nobody a chance to act
TABLE_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be created; `live_odds` by default where the dealer is automatic."""

    id: str
    title: str
    dealer: own.Dealer
    setup: Setup
    pace: Pace = Pace()
    live_odds: bool | None = None


def _table(name: str, title: str, rulebook: str, *, layout: str, positions: int) -> NewTable:
    hands = Limit(1_000, 500_000)
    setup = Setup(
        rulebook=rulebook,
        layout=layout,
        positions=positions,
        limits={"player": hands, "banker": hands, "*": Limit(500, 50_000)},
        differential=1_000_000,
    )
    return NewTable(id=name, title=title, dealer="automatic", setup=setup)


BUFFALO = _table(
    "tiger-buffalo", "Tiger Buffalo, commission", "rws-tiger-buffalo-commission-v2", layout="A", positions=6
)
# What a house opens with: each of the five games, and one table with a dealer.
FIRST_TABLES = (
    _table(
        "commission-insurance",
        "Commission Baccarat with Insurance",
        "rws-commission-insurance-v5",
        layout="D",
        positions=7,
    ),
    BUFFALO,
    _table(
        "tiger-buffalo-3",
        "Tiger Buffalo, no commission, version 3",
        "rws-tiger-buffalo-non-commission-v3",
        layout="C",
        positions=6,
    ),
    _table(
        "tiger-buffalo-4",
        "Tiger Buffalo, no commission, version 4",
        "rws-tiger-buffalo-non-commission-v4",
        layout="L",
        positions=5,
    ),
    _table("tiger", "Tiger Baccarat", "mbs-tiger-v2", layout="A", positions=7),
    msgspec.structs.replace(BUFFALO, id="salon", title="Tiger Buffalo, dealt by hand", dealer="staff"),
)


class Hall:
    """One server process. `start` before the first request, `stop` after the last."""

    def __init__(  # noqa: PLR0913
        self,
        store: Store,
        *,
        key: bytes,
        clock: Clock | None = None,
        anchor: Anchor | None = None,
        first_tables: tuple[NewTable, ...] = FIRST_TABLES,
        deals: bool = True,
    ) -> None:
        self.clock = clock or Clock()
        self.engine = Engine(store, self.clock, anchor)
        self.people = People(
            store, self.clock, note=self._note_later, turn=self.engine.turn, key=subkey(key, "devices")
        )
        self.channels: dict[str, Channel] = {}
        self.started = self.clock.monotonic()
        self._shoe_key = subkey(key, "shoes")
        self._first, self._deals = first_tables, deals
        self._orders: dict[str, tuple[int, Commitment]] = {}
        self._pauses: dict[str, tuple[str, float]] = {}
        self._missed: dict[str, RunningTimer] = {}
        self._troubled: set[str] = set()  # tables whose dealer could not read or write
        self._signs: dict[str, float] = {}
        self._stirred: dict[str, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unlisten: Callable[[], None] = lambda: None

    # Life ---------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        engine = self.engine
        self._unlisten = engine.store.listen(self._heard)
        await engine.start()
        engine.watchers.append(self._changed)
        await engine.reading(take_all, engine.store)
        await self._note_clock_before()
        for live in list(self.tables().values()):
            self._welcome(live, recovered=True)
        if not self.tables():  # asked for together, so made in one commit: all of them or none
            await asyncio.gather(*map(self._create_first, self._first))
        self._spawn(self._watch())

    async def stop(self) -> None:
        self._unlisten()
        for channel in self.channels.values():
            for reader in list(channel.readers):
                reader.end("stopping")
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(Exception):
            await asyncio.to_thread(self.people.tidy)
        await self.engine.stop()

    def tables(self) -> dict[str, Live]:
        return {
            stream: live
            for stream, live in self.engine.tables.items()
            if stream != JOURNAL and live.state is not None
        }

    def table(self, name: str) -> Live | None:
        live = self.engine.tables.get(name)
        return live if live is not None and live.state is not None else None

    # Asking -------------------------------------------------------------------------------------------------

    async def create(self, wanted: NewTable, *, by: str) -> Answer:
        if not TABLE_ID.fullmatch(wanted.id) or wanted.id == JOURNAL:
            raise BadInput(f"{wanted.id!r} names no table: up to 40 lower-case letters, digits, hyphens")
        if not 1 <= len(wanted.title) <= 80 or not wanted.title.isprintable():  # noqa: PLR2004
            raise BadInput("a table's title has 1 to 80 printable characters")
        live_odds = wanted.dealer == "automatic" if wanted.live_odds is None else wanted.live_odds
        plan = plans.create(wanted.title, wanted.dealer, wanted.setup, pace=wanted.pace, live_odds=live_odds)
        answer = await self.engine.ask(wanted.id, plan, actor=by)
        if answer.refusal is not None:
            raise BadInput(answer.refusal.sentence)
        return answer

    async def _create_first(self, wanted: NewTable) -> None:
        try:
            await self.create(wanted, by=SYSTEM)
        except BadInput:
            if self.table(wanted.id) is None:  # otherwise another process was first
                raise

    async def ask(
        self, table: str, plan: Plan, person: Person, *, key: str = "", asked: bytes = b""
    ) -> Answer:
        self.sign_of_life(table)
        return await self.engine.ask(table, plan, actor=person.name, key=key, asked=asked)

    async def note(self, kind: str, facts: dict[str, str | int]) -> None:
        """Put something into the journal."""
        await self.engine.ask(JOURNAL, plans.note(kind, facts), actor=SYSTEM)

    async def add_rulebook(self, book: Rulebook, file: str, *, by: str) -> None:
        """Take a rulebook: tables that are opened from now on may be played by it, at every process."""
        remember(canonical(book))
        await self.engine.ask(JOURNAL, plans.add_rulebook(book, file, by), actor=by)

    def _note_later(self, kind: str, facts: dict[str, str | int]) -> None:
        """From any thread, without waiting."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(lambda: self._spawn(self.note(kind, facts)))

    # Watching -----------------------------------------------------------------------------------------------

    async def join(self, table: str, reader: Reader, after: int | None) -> Channel:
        """Let a reader in where it left off, or with the whole view."""
        channel = self.channels[table]
        missed = None
        if after is not None and after < channel.live.version and channel.since(after) is None:
            missed = await self._missed_steps(channel, table, after)
        channel.welcome(reader, after, missed)
        self.sign_of_life(table)
        return channel

    async def _missed_steps(self, channel: Channel, table: str, after: int) -> list[Published] | None:
        """What happened after a version, from the log; None if that is too long ago."""
        if channel.live.version - after > MOST_BEHIND or after < FIRST_STATE:
            return None
        steps = await self.engine.reading(self._replayed, table, after)
        if steps is None:
            return None
        newest = steps[-1].version if steps else after
        later = channel.since(newest)  # what was written while the log was read
        return None if later is None else [*steps, *later]

    def _replayed(self, table: str, after: int) -> list[Published] | None:
        store = self.engine.store
        live = from_checkpoint(store, table, after)
        if live is None and after <= MOST_BEHIND:
            live = recover(table, store.read(table, limit=after))
        return None if live is None else list(replayed(live, store.read(table, after=after)))

    def sign_of_life(self, table: str) -> None:
        """Somebody is there: the dealer need not rest."""
        now = self.clock.monotonic()
        quiet = now - self._signs.get(table, -QUIET_SECONDS)
        self._signs[table] = now
        if quiet >= 1:
            self._stir(table)

    def leave(self, table: str, reader: Reader) -> None:
        self.channels[table].readers.discard(reader)

    def end_readers(self, *, viewer: str = "", session: bytes = b"") -> None:
        """Close the sockets of a session, or of a person."""
        for channel in self.channels.values():
            for reader in list(channel.readers):
                if (viewer and reader.viewer == viewer) or (session and reader.session == session):
                    reader.end("signed-out")

    def _changed(self, change: TableChange) -> None:
        live = change.after
        if live.id == JOURNAL:
            take_rulebooks(change.events)
        if live.state is None:
            return
        if live.id not in self.channels:
            self._welcome(live, recovered=False)
        channel = self.channels[live.id]
        started = [event for event in change.events if isinstance(event, own.TimerStarted)]
        if started:
            channel.deadline = self.clock.monotonic() + started[-1].ms / 1000
        channel.change(change)
        if not all(isinstance(event, StakeSet) for event in change.events):  # more bets change no deadline
            self._stir(live.id)

    def _welcome(self, live: Live, *, recovered: bool) -> None:
        """A table is served from now on. Its timer goes on from where the log says it was."""
        channel = self.channels[live.id] = Channel(live, self.clock)
        if recovered and live.timer is not None:
            left = (live.timer.at + live.timer.ms * 1000 - self.clock.wall()) / 1_000_000
            left = min(left, live.timer.ms / 1000)  # the clock may have been set back
            channel.deadline = self.clock.monotonic() + left
            allowed = LATE_SECONDS if self.engine.store.shared else 0
            if left < -allowed:
                self._missed[live.id] = live.timer
        if live.automatic and self._deals:
            self._spawn(self._drive(live.id))

    def _stir(self, table: str) -> None:
        if table in self._stirred:
            self._stirred[table].set()

    def _heard(self, topic: str, text: str) -> None:
        """What another process says, in the listening thread."""
        loop = self._loop
        if loop is None or loop.is_closed():
            return
        if topic == "stream":
            stream, version = text.rsplit(" ", 1)
            loop.call_soon_threadsafe(self.engine.heard, stream, int(version))
        elif topic == "session":
            self.people.forget(bytes.fromhex(text))
        elif topic == "account":
            self.people.forget(text)
        else:  # lost: anything may have happened
            loop.call_soon_threadsafe(self.engine.lost)

    # Dealing ------------------------------------------------------------------------------------------------

    async def _drive(self, table: str) -> None:
        """Deal at an automatic table for as long as this process leads it."""
        stirred = self._stirred[table] = asyncio.Event()
        while True:
            stirred.clear()
            try:
                wait = await self._take_turn(table)
            except (Unavailable, StoreDown):
                self._troubled.add(table)
                wait = LEAD_SECONDS
            except Exception:
                log.exception("the dealer of %s stumbled", table)
                wait = LEAD_SECONDS
            if wait > 0:
                # Not wait_for: that of Python 3.11 may miss that the task is to end.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await stirred.wait()

    async def _take_turn(self, table: str) -> float:
        """Do what is due; the seconds to wait before looking again."""
        if not await self._leads(table):
            return LEAD_SECONDS
        live = self.engine.tables[table]
        assert live.pace is not None
        step, timer = next_step(live.table, pace=live.pace)
        if self._rests(live, step):
            return LEAD_SECONDS if self.engine.store.shared else QUIET_SECONDS
        wait = await self._waits(live, timer)
        if wait > 0:
            return min(wait, LEAD_SECONDS) if self.engine.store.shared else wait
        if self._came_too_late(live, timer, wait):
            await self._interrupt(live)
        else:
            await self._carry_out(live, step)
        return 0

    def _came_too_late(self, live: Live, timer: Timer | None, wait: float) -> bool:
        """Whether people had no chance to act before the deadline, since the house could not be reached."""
        if timer is None or timer.name in UNLOGGED or live.timer is None:
            return False
        if live.id in self._troubled and wait < -LATE_SECONDS:
            self._missed[live.id] = live.timer
        self._troubled.discard(live.id)
        return self._missed.get(live.id) == live.timer

    async def _interrupt(self, live: Live) -> None:
        """Apply the rule on technical interruptions; if somebody was faster, look again first."""
        await self._ask(live, plans.interrupt)
        if self.engine.tables[live.id].timer != live.timer:
            self._missed.pop(live.id, None)
            await self.note("interruption", {"table": live.id, "round": live.table.rounds})

    async def _leads(self, table: str) -> bool:
        store = self.engine.store
        return not store.shared or await self.engine.reading(store.lead, table)

    def _rests(self, live: Live, step: Step) -> bool:
        """Nothing is due, or a round would be opened at a table that is closed or that nobody looks at."""
        if isinstance(step, Rest):
            return True
        opens = isinstance(step, Do) and any(isinstance(one, commands.Open) for one in step.commands)
        return opens and (live.closed or not self._somebody(live))

    def _somebody(self, live: Live) -> bool:
        quiet = self.clock.monotonic() - self._signs.get(live.id, -QUIET_SECONDS)
        return bool(self.channels[live.id].readers) or quiet < QUIET_SECONDS

    async def _waits(self, live: Live, timer: Timer | None) -> float:
        """The seconds left of the step's timer, started if it is not running yet."""
        if timer is None:
            return 0
        now = self.clock.monotonic()
        if timer.name in UNLOGGED:
            key, deadline = self._pauses.get(live.id, ("", 0.0))
            if key != timer.key:
                deadline = now + timer.ms / 1000
                self._pauses[live.id] = (timer.key, deadline)
            return deadline - now
        if live.timer is None or live.timer.key != timer.key:
            await self._ask(live, plans.start_timer(timer.name, timer.key, timer.ms))
            return 0.001
        return self.channels[live.id].deadline - now

    async def _carry_out(self, live: Live, step: Step) -> None:
        if isinstance(step, Do) and live.table.setup.unseen and live.commitment:
            _, order = await self._order(live)
            await self._ask(live, plans.turned(order, *step.commands))
        elif isinstance(step, Do):
            await self._ask(live, plans.dealt(*step.commands))
        elif isinstance(step, Shuffle):
            await self._new_shoe(live)
        elif isinstance(step, DrawNext):
            number, order = await self._order(live)
            await self._ask(live, plans.draw_next(number, order, step.by))

    async def _ask(self, live: Live, plan: Plan) -> None:
        answer = await self.engine.ask(live.id, plans.still(live.version, plan), actor=SYSTEM)
        if answer.refusal is not None:
            log.error("the dealer of %s was refused: %s", live.id, answer.refusal.sentence)
            await asyncio.sleep(LEAD_SECONDS)

    async def _new_shoe(self, live: Live) -> None:
        old = (await self._order(live))[1] if live.commitment else None
        self._orders.pop(live.id, None)
        await self._ask(live, plans.new_shoe(self._shoe_key, old))

    async def _order(self, live: Live) -> tuple[int, Commitment]:
        """The shoe in use, unsealed for dealing."""
        shoe = live.table.shoe
        number = shoe.number if shoe is not None else 0
        held = self._orders.get(live.id)
        if held is not None and held[0] == number:
            return held
        sealed = await self.engine.reading(self.engine.store.shoe, live.id, number)
        if sealed is None:
            raise BadInput(f"shoe {number} of {live.id} is not in the store")
        held = number, sealed_shoes.unseal(self._shoe_key, live.id, number, sealed)
        self._orders[live.id] = held
        return held

    # The clock, and what else is looked after ---------------------------------------------------------------

    async def _watch(self) -> None:
        """Write down when the wall clock was set, and keep sessions in order."""
        watch = ClockWatch(self.clock)
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            jump = watch.look()
            with contextlib.suppress(Unavailable):
                if jump is not None:
                    await self.note("clock-changed", {"by_ms": jump // 1000})
            with contextlib.suppress(Exception):
                await asyncio.to_thread(self.people.tidy)

    async def _note_clock_before(self) -> None:
        """A clock that stands before what the logs already hold has been set back."""
        latest = max((live.last_at for live in self.engine.tables.values()), default=0)
        behind = latest - self.clock.wall()
        if behind > 1_000_000 and not self.engine.store.shared:  # noqa: PLR2004 - a second
            await self.note("clock-changed", {"by_ms": -behind // 1000})

    def _spawn(self, work) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
