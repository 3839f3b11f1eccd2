"""The house: its people, its tables, who deals at them, and who is watching."""

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, Literal, TypeVar

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import remember
from thirdcard.service.clock import BEAT, MICROSECONDS, Clock, ClockWatch, Pulse, SteadyClock
from thirdcard.service.keys import signing_key, subkey
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.anchor import Anchor
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import JOURNAL, StoreDown, StoreFull
from thirdcard.service.people import habits
from thirdcard.service.people.accounts import People, set_personal
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import away, moves, patrons, plans, sealed_shoes, wallets
from thirdcard.service.tables.away import ABSENT_ROUNDS, KeptChips, seconds_left
from thirdcard.service.tables.checkpoint import from_checkpoint
from thirdcard.service.tables.dealer import Do, DrawNext, Rest, Shuffle, Step, Timer, next_step
from thirdcard.service.tables.draft import Decided, Plan, TableChange
from thirdcard.service.tables.engine import (
    NO_OTHERS,
    STOP_SECONDS,
    Answer,
    Engine,
    NotLeading,
    Unavailable,
)
from thirdcard.service.tables.head_signing import HeadSigner
from thirdcard.service.tables.leading import LEAD_SECONDS, Leading
from thirdcard.service.tables.live import Live, RunningTimer, recover
from thirdcard.service.tables.outage import Probe
from thirdcard.service.tables.own_play import OwnLimits, OwnPlay
from thirdcard.service.tables.practice import Driver
from thirdcard.service.tables.publish import MOST_BEHIND, Channel, Published, Reader, replayed
from thirdcard.service.tables.rulebook_texts import take_all, take_rulebooks
from thirdcard.service.tables.sealed_shoes import OpenShoe
from thirdcard.service.tables.wallets import Grants
from thirdcard.service.turns import Busy
from thirdcard.table import Setup, commands
from thirdcard.table.events import BetsOpened
from thirdcard.table.practice import Practice
from thirdcard.table.refusals import Refusal
from thirdcard.table.setup import Limit
from thirdcard.words.saying import say

T = TypeVar("T")
log = logging.getLogger("thirdcard")
QUIET_SECONDS = 60.0  # a table rests so long after the last sign of anybody
LOOKED_SECONDS = 15.0  # the lobby is looked at so long after it was asked for
CALM_SECONDS = 30.0  # from one round without anybody to the next, while the lobby is looked at
FIRST_ROUNDS = 12  # of a new table, dealt at once when the lobby is looked at: a shoe under way
LATE_SECONDS = 5.0  # a deadline that passed longer ago than this while nobody dealt was missed
STILL_SECONDS = 1.0  # who stood still for longer gives people the time back that they had left
LOOK_SECONDS = 1.0
HEARING_SECONDS = 1.0  # that a reader waits for what only another process has told it
FORGET_SECONDS = 10.0  # between two looks for what need not be kept any more
FORGOTTEN_AT_ONCE = 500  # rows
GUESTS_KEPT = 30 * 86_400 * MICROSECONDS  # who never had chips
FIRST_STATE = 2  # the version at which a table has its set-up, and so something to be seen
UNLOGGED = frozenset({"card", "result", "shuffle"})  # pauses that give nobody a chance to act
TABLE_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")


class NewTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be created; `live_odds` by default where the dealer is automatic."""

    id: str
    title: str
    dealer: floor.Dealer
    setup: Setup
    pace: Pace = Pace()
    live_odds: bool | None = None


def check_name_and_title(wanted: NewTable) -> None:
    """BadInput if no table can go by them."""
    if not TABLE_ID.fullmatch(wanted.id) or wanted.id == JOURNAL:
        raise BadInput(say("no-table-name", id=wanted.id))
    if not 1 <= len(wanted.title) <= 80 or not wanted.title.isprintable():  # noqa: PLR2004
        raise BadInput(say("table-title-length"))


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
QUICK = Pace(
    betting=10_000,
    insurance=8_000,
    adjusting=6_000,
    choice=20_000,
    squeeze=9_000,
    card=700,
    result=4_000,
    shuffle=2_000,
)
TIGER = _table("tiger", "Tiger Baccarat", "mbs-tiger-v2", layout="A", positions=7)
SQUEEZED = msgspec.structs.replace(TIGER.setup, method="A", device="reader")
GENTLE = Pace(betting=45_000, insurance=25_000, adjusting=20_000, card=2_000, result=12_000)
FIRST_STEPS = Setup(
    rulebook="rws-commission-insurance-v5",
    layout="G",
    positions=5,
    limits={"player": Limit(500, 20_000), "banker": Limit(500, 20_000), "*": Limit(500, 5_000)},
    differential=50_000,
)
# What a house opens with: each of the five games; a quick table, one dealt face down, one to learn at,
# and one with a dealer.
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
    TIGER,
    msgspec.structs.replace(
        _table("quick-tiger", "Quick Tiger", "mbs-tiger-v2", layout="A", positions=5), pace=QUICK
    ),
    msgspec.structs.replace(
        TIGER, id="squeeze-salon", title="Squeeze Salon", setup=SQUEEZED, pace=Pace(squeeze=20_000)
    ),
    NewTable(id="first-steps", title="First Steps", dealer="automatic", setup=FIRST_STEPS, pace=GENTLE),
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
        staff_codes: bool = False,
        absent_rounds: int = ABSENT_ROUNDS,
        idle_rounds: int = 0,
        grants: Grants = NO_OTHERS,
    ) -> None:
        self.clock = clock or Clock()
        self.steady = SteadyClock(self.clock)
        self.engine = Engine(store, self.clock, anchor, grants)
        self.people = People(
            store,
            self.clock,
            note=self.engine.note,
            turn=self.engine.turn,
            key=subkey(key, "devices"),
            factor_key=subkey(key, "second-factor"),
            pin_key=subkey(key, "pins"),
            session_key=subkey(key, "sessions"),
            staff_codes=staff_codes,
        )
        self.play = OwnPlay(self.engine)
        self.practises: Callable[[Practice], Driver] | None = None  # set by the school, if there is one
        self.channels: dict[str, Channel] = {}
        self.started = self.clock.monotonic()
        self.heads = HeadSigner(signing_key(key), self.clock)
        self._shoe_key = subkey(key, "shoes")
        self.exam_key = subkey(key, "exams")
        self._first, self._deals, self._absent_rounds = first_tables, deals, absent_rounds
        self._idle_rounds = (
            idle_rounds  # an hour that a table deals by itself; 0: it rests while nobody is there
        )
        self._looked = -LOOKED_SECONDS
        self._alone: dict[str, float] = {}  # when each table last dealt by itself
        self._orders: dict[str, tuple[int, OpenShoe]] = {}
        self._pauses: dict[str, tuple[str, float]] = {}
        self._missed: dict[str, RunningTimer] = {}
        self._troubled: set[str] = set()  # tables whose dealer could not read or write
        self._signs: dict[str, float] = {}
        self._scripted: dict[str, Driver] = {}
        self.shift_marks: dict[str, tuple[int, Any]] = {}  # by table, of which version
        self.leading = Leading(store, self.clock, self)
        self.probe = Probe(store)
        self.lag = 0.0  # by how many seconds the event loop was late; forgotten as fast as time passes
        self._pulse = Pulse(self.clock)
        self._recalls: dict[str, asyncio.Future[list[Published]]] = {}
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
        engine.watchers += [self._changed, self.heads.changed]
        for live in engine.tables.values():
            self.heads.welcome(live)
        await engine.reading(take_all, engine.store)
        await self._note_clock_before()
        for live in list(self.tables(practice=True).values()):
            self._welcome(live, recovered=True)
        if not self.tables():  # asked for together, so made in one commit: all of them or none
            await asyncio.gather(*map(self._create_first, self._first))
        self._pulse.beat()
        self._spawn(self._beat())
        self._spawn(self._watch())
        self._spawn(self._forget())
        self._spawn(self._try_again())
        if engine.store.shared:
            self._spawn(self.leading.keep())

    async def stop(self) -> None:
        self._unlisten()
        for channel in self.channels.values():
            for reader in list(channel.readers):
                reader.end("stopping")
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.leading.stop()
        tidied = asyncio.gather(asyncio.to_thread(self.people.tidy), return_exceptions=True)
        await asyncio.wait([tidied], timeout=STOP_SECONDS)
        await self.engine.stop()

    def tables(self, *, practice: bool = False) -> dict[str, Live]:
        """All tables of the house; those that somebody trains at only if they are asked for."""
        return {
            stream: live
            for stream, live in self.engine.tables.items()
            if stream != JOURNAL and live.state is not None and (practice or live.practice is None)
        }

    def table(self, name: str) -> Live | None:
        live = self.engine.tables.get(name)
        return live if live is not None and live.state is not None else None

    # Asking -------------------------------------------------------------------------------------------------

    async def create(self, wanted: NewTable, *, by: str, practice: Practice | None = None) -> Answer:
        check_name_and_title(wanted)
        live_odds = wanted.dealer == "automatic" if wanted.live_odds is None else wanted.live_odds
        if by != SYSTEM:  # what the house opens with may be of any pace
            plans.check_pace(wanted.pace)
        plan = plans.create(
            wanted.title,
            wanted.dealer,
            wanted.setup,
            pace=wanted.pace,
            live_odds=live_odds,
            practice=practice,
        )
        answer = await self.engine.ask(wanted.id, plan, actor=by)
        if answer.refusal is not None:
            raise BadInput(answer.refusal.said)
        return answer

    async def _create_first(self, wanted: NewTable) -> None:
        try:
            await self.create(wanted, by=SYSTEM)
        except BadInput:
            if self.table(wanted.id) is None:  # otherwise another process was first
                raise

    async def ask(  # noqa: PLR0913 - what a request holds
        self,
        table: str,
        plan: Plan,
        person: Person,
        *,
        key: str = "",
        asked: bytes = b"",
        players: Collection[str] = (),
    ) -> Answer:
        """Within the limits that the person, and the `players` whose chips are meant, set themselves."""
        self.sign_of_life(table)
        plan = self._at_opening(plan)
        names = [name for name in sorted({person.name, *players}) if not self.play.has_none(name)]
        limited = [one for name in names if (one := await self.play.of(name)).limits.are_any]
        if not limited:
            return await self.engine.ask(table, plan, actor=person.name, key=key, asked=asked)
        async with contextlib.AsyncExitStack() as one_at_a_time:
            for mine in limited:
                await one_at_a_time.enter_async_context(mine.lock)
                plan = self.play.within(mine, plan)
            return await self.engine.ask(table, plan, actor=person.name, key=key, asked=asked)

    def _at_opening(self, plan: Plan) -> Plan:
        """The plan, with what comes before bets are opened: the away leave, a move that is due is made."""
        return moves.on_time(away.clearing(plan, self._absent_rounds), self.clock.wall)

    async def change_limits(self, name: str, made: Callable[[OwnLimits, int], OwnLimits]) -> None:
        """What somebody sets for themselves, kept and on record."""
        await self.play.change(name, made)

    async def keep_habits(self, name: str, kept: habits.Habits) -> None:
        """How somebody likes to bet; on record without what it is."""
        body = msgspec.json.encode(kept)
        await self.engine.together(lambda: self._set_personal(name, habits.KIND, body, by=name))

    async def describe(self, table: str, name: str, text: str, *, by: str) -> None:
        """How staff know a walk-in of a table again; on record without its words."""
        place, body = patrons.place_of(table, name), patrons.description(text, self.clock.wall())
        await self.engine.together(lambda: self._set_personal(place, patrons.KIND, body, by=by))

    def _set_personal(self, name: str, kind: str, body: bytes | None, *, by: str) -> None:
        set_personal(self.engine.store, self.engine.note, name, kind, body, by=by)

    async def kept(self, table: str, player: str) -> KeptChips:
        """What somebody finds who joins the table now."""
        live = self.engine.tables[table]
        if player in live.seen:
            return KeptChips(left=live.left)
        return await self.engine.reading(self._kept, live, player)

    def _kept(self, live: Live, player: str) -> KeptChips:
        kept = away.kept_for(self.engine.store, live, player)
        return msgspec.structs.replace(kept, shown=self.people.shown_as(player))

    async def grant(self, person: Person, why: Literal["daily", "fresh-start"], key: str) -> Answer:
        """Play money for somebody's wallet, if it is due."""
        engine, name = self.engine, person.name

        def plan(_: Live) -> Decided | Refusal:
            purse, now = engine.purse(JOURNAL, name), self.clock.wall()
            if why == "daily":
                return wallets.daily(purse, engine.grants, now)
            lying = sum(wallets.racks_of(engine.tables.values(), name).values())
            return wallets.fresh_start(purse, lying, engine.grants, now)

        return await engine.ask(JOURNAL, plan, actor=name, key=key, asked=why.encode())

    async def show_as(self, name: str, shown: str) -> None:
        """At all tables where somebody is."""
        for live in list(self.tables().values()):
            if name in live.table.players:
                await self.engine.ask(live.id, plans.show_as(name, shown), actor=SYSTEM)

    async def note(self, kind: str, facts: dict[str, str | int]) -> None:
        """Put something into the journal."""
        await self.engine.ask(JOURNAL, plans.note(kind, facts), actor=SYSTEM)

    def note_soon(self, kind: str, facts: dict[str, str | int]) -> None:
        """The same without waiting for it."""
        self._spawn(self.note(kind, facts))

    async def note_heads(self, *, waiting: float = 0.0) -> None:
        """Sign in the journal for what changed, if the first of it did so many seconds ago."""
        facts = self.heads.note(waiting=waiting)
        if facts is not None:
            await self.note(floor.HEADS_SIGNED, facts)

    async def add_rulebook(self, book: Rulebook, file: str, *, by: str) -> None:
        """Take a rulebook: tables that are opened from now on may be played by it, at every process."""
        remember(canonical(book))
        await self.engine.ask(JOURNAL, plans.add_rulebook(book, file, by), actor=by)

    async def keep_document(self, book: Rulebook, text: str, *, by: str) -> None:
        """Keep the house's own copy of a rulebook's document; an empty one takes it back."""
        await self.engine.ask(JOURNAL, plans.keep_document(book, text, by), actor=by)

    # Watching -----------------------------------------------------------------------------------------------

    async def join(self, table: str, reader: Reader, after: int | None) -> Channel:
        """Let a reader in where it left off, or with the whole view."""
        channel = self.channels[table]
        if after is not None and FIRST_STATE <= after < channel.oldest:
            channel.awaited += 1
            try:
                await self._recall(channel, table, after)
            finally:
                channel.awaited -= 1
        elif after is not None and after > channel.live.version and self.engine.store.shared:
            await self._hear_of(channel, table, after)
        channel.welcome(reader, after)
        self.sign_of_life(table)
        self._note_present(channel)
        return channel

    async def _hear_of(self, channel: Channel, table: str, version: int) -> None:
        """Another process has told a reader more than was heard here: take that in, if there is more."""
        self.engine.heard(table, version)
        ends = self.clock.monotonic() + HEARING_SECONDS
        while channel.live.version < version and self.clock.monotonic() < ends:  # noqa: ASYNC110 - a moment
            await asyncio.sleep(HEARING_SECONDS / 50)

    async def _recall(self, channel: Channel, table: str, after: int) -> None:
        """Read again what happened after a version, once for all who ask; unless that is too long ago."""
        while (recall := self._recalls.get(table)) is not None:
            await asyncio.wait({recall})
        if after >= channel.oldest or channel.live.version - after > MOST_BEHIND:
            return
        upto = channel.oldest
        recall = asyncio.ensure_future(self.engine.reading(self._replayed, table, after, upto))
        self._recalls[table] = recall
        recall.add_done_callback(lambda _: self._recalls.pop(table))
        with contextlib.suppress(Busy, StoreDown):  # there is the whole view
            channel.recall(await recall)

    def _replayed(self, table: str, after: int, upto: int) -> list[Published]:
        store = self.engine.store
        live = from_checkpoint(store, table, after)
        if live is None and after <= MOST_BEHIND:
            live = recover(table, store.read(table, limit=after))
        if live is None:
            return []
        return list(replayed(live, store.read(table, after=after, limit=upto - after)))

    def sign_of_life(self, table: str) -> None:
        """Somebody is there: the dealer need not rest."""
        now = self.clock.monotonic()
        quiet = now - self._signs.get(table, -QUIET_SECONDS)
        self._signs[table] = now
        if quiet >= 1:
            self._stir(table)

    def lobby_seen(self) -> None:
        """Somebody looks at the lobby: tables deal, if only for that."""
        looked, self._looked = self._looked, self.clock.monotonic()
        if self._looked - looked >= LOOKED_SECONDS and self._idle_rounds:
            for table in self._stirred:
                self._stir(table)

    def _note_present(self, channel: Channel) -> None:
        """Of players who look on and do nothing only their sockets tell: that goes into the log."""
        due = away.due_to_be_seen(channel.live, self._absent_rounds)
        looking = {reader.viewer for reader in channel.readers} if due else set()
        there = tuple(player for player in due if player in looking)
        if there:
            self._spawn(self._log_present(channel.live.id, there))

    async def _log_present(self, table: str, players: tuple[str, ...]) -> None:
        with contextlib.suppress(Unavailable):
            await self.engine.ask(table, away.seen(players), actor=SYSTEM)

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
        only_bets = change.only_bets
        started = [] if only_bets else [one for one in change.events if isinstance(one, floor.TimerStarted)]
        if started:
            channel.deadline = self.clock.monotonic() + started[-1].ms / 1000
        channel.change(change)
        for name, text in self.play.take_in(change):
            for reader in [reader for reader in channel.readers if reader.viewer == name]:
                reader.put(text)
        if not only_bets and any(isinstance(event, BetsOpened) for event in change.events):
            self._note_present(channel)
        waits = live.pace is not None and live.pace.waits
        if live.ready or waits or not only_bets:  # more bets change no deadline otherwise
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
        if self._deals and live.practice is not None and self.practises is not None:
            self._scripted[live.id] = self.practises(live.practice)
        if self._deals and (live.automatic or (live.id in self._scripted and not live.archived)):
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
        """Deal at an automatic table for as long as this process leads it; at one for practice to its end."""
        stirred = self._stirred[table] = asyncio.Event()
        stumbled = ""
        while not ((live := self.engine.tables[table]).practice and live.archived):
            stirred.clear()
            try:
                wait = await self._take_turn(table)
            except NotLeading:
                wait = LEAD_SECONDS
            except (Unavailable, StoreDown):
                self._troubled.add(table)
                wait = LEAD_SECONDS
            except Exception as error:
                if stumbled != repr(error):  # not again every second
                    log.exception("the dealer of %s stumbled", table)
                stumbled, wait = repr(error), LEAD_SECONDS
            if wait > 0:
                # Not wait_for: that of Python 3.11 may miss that the task is to end.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await stirred.wait()

    async def _take_turn(self, table: str) -> float:
        """Do what is due; the seconds to wait before looking again."""
        self._notice_gap()
        live = self.engine.tables[table]
        if live.practice is not None:
            return await self._practise(live, self._scripted[table])
        assert live.pace is not None
        step, timer = next_step(live.table, pace=live.pace)
        if self._rests(live, step):
            return LEAD_SECONDS if self.engine.store.shared else min(QUIET_SECONDS, self._until_alone(live))
        if self.leading.term(table) is None:
            return LEAD_SECONDS
        wait = await self._waits(live, timer)
        if wait > 0:
            return min(wait, LEAD_SECONDS) if self.engine.store.shared else wait
        if self._came_too_late(live, timer, wait):
            await self._interrupt(live)
        else:
            await self._carry_out(live, step)
        return 0

    async def _practise(self, live: Live, people: Driver) -> float:
        """What the people of a script do next, while the trainee is there; the seconds to wait first."""
        act = people.next_act(live) if self._somebody(live) else None
        term = self.leading.term(live.id)
        if act is None or term is None:
            return LEAD_SECONDS if self.engine.store.shared else QUIET_SECONDS
        now = self.clock.monotonic()
        key, at = self._pauses.get(live.id, ("", 0.0))
        if key != (this := f"practice/{live.version}"):
            at = now + act.ms / 1000
            self._pauses[live.id] = this, at
        if at > now:
            return at - now
        people.done.add(act.mark)
        plan = plans.still(live.version, act.plan)
        answer = await self.engine.ask(live.id, plan, actor=act.by, term=term)
        if answer.refusal is not None:
            log.error("a scripted act at %s was refused: %s", live.id, answer.refusal.sentence)
            return LEAD_SECONDS
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

    def wanted(self) -> list[str]:
        """Where something is due that this process would do."""
        return [table for table in self._stirred if self._has_work(self.engine.tables[table])]

    def _has_work(self, live: Live) -> bool:
        if live.practice is not None:
            return not live.archived and self._somebody(live)
        assert live.pace is not None
        return not self._rests(live, next_step(live.table, pace=live.pace)[0])

    def led(self, table: str) -> None:
        self._stir(table)

    def led_elsewhere(self, table: str) -> None:
        """There people could act all the time, whatever happened here."""
        self._missed.pop(table, None)
        self._troubled.discard(table)

    def cut_off(self, tables: Collection[str]) -> None:
        self._troubled.update(tables)

    def _rests(self, live: Live, step: Step) -> bool:
        """Nothing is due, or a round would be opened at a table that is closed or that nobody looks at."""
        if isinstance(step, Rest):
            return True
        opens = isinstance(step, Do) and any(isinstance(command, commands.Open) for command in step.commands)
        return opens and (live.ended or (not self._somebody(live) and self._until_alone(live) > 0))

    def _until_alone(self, live: Live) -> float:
        """The seconds until a table deals a round by itself."""
        if not self._idle_rounds or not live.automatic or live.ended:
            return QUIET_SECONDS
        looked = self._is_looked_at()
        if looked and live.table.rounds < FIRST_ROUNDS:
            return 0
        every = CALM_SECONDS if looked else 3_600 / self._idle_rounds
        return max(self._alone.setdefault(live.id, self.started) + every - self.clock.monotonic(), 0)

    def _is_looked_at(self) -> bool:
        return self.clock.monotonic() - self._looked < LOOKED_SECONDS

    def _waits_for_nobody(self, live: Live) -> bool:
        """Whether a round without anybody, and without a bet, needs no time: nobody sees it pass."""
        current = live.table.round
        if not self._idle_rounds or self._somebody(live) or (current and (current.stakes or current.closed)):
            return False
        return not self._is_looked_at() or live.table.rounds <= FIRST_ROUNDS

    def _somebody(self, live: Live) -> bool:
        quiet = self.clock.monotonic() - self._signs.get(live.id, -QUIET_SECONDS)
        return bool(self.channels[live.id].readers) or quiet < QUIET_SECONDS

    async def _waits(self, live: Live, timer: Timer | None) -> float:
        """The seconds left of the step's timer, started if it is not running yet."""
        if timer is None or self._waits_for_nobody(live):
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
        return seconds_left(live, self.channels[live.id].deadline - now)

    async def _carry_out(self, live: Live, step: Step) -> None:
        if isinstance(step, Do) and live.table.setup.unseen and live.commitment:
            _, order = await self._order(live)
            await self._ask(live, plans.turned(order, *step.commands))
        elif isinstance(step, Do):
            if any(isinstance(command, commands.Open) for command in step.commands):
                self._alone[live.id] = self.clock.monotonic()
            await self._ask(live, plans.dealt(*step.commands))
        elif isinstance(step, Shuffle):
            await self._new_shoe(live)
        elif isinstance(step, DrawNext):
            number, order = await self._order(live)
            await self._ask(live, plans.draw_next(number, order, step.by))

    async def _ask(self, live: Live, plan: Plan) -> None:
        plan = self._in_time(self._at_opening(plans.still(live.version, plan)))
        term = self.leading.term(live.id)
        if term is None:
            raise NotLeading
        answer = await self.engine.ask(live.id, plan, actor=SYSTEM, term=term)
        if answer.refusal is not None:
            log.error("the dealer of %s was refused: %s", live.id, answer.refusal.sentence)
            await asyncio.sleep(LEAD_SECONDS)

    def _in_time(self, plan: Plan) -> Plan:
        """The plan, unless the store kept it waiting for so long that nobody else could act either."""
        asked = self.clock.monotonic()

        def in_time(live: Live) -> Decided | Refusal:
            if self.clock.monotonic() - asked <= LATE_SECONDS:
                return plan(live)
            self._troubled.add(live.id)
            return plans.NOTHING

        return in_time

    async def _new_shoe(self, live: Live) -> None:
        old = (await self._order(live))[1] if live.commitment else None
        self._orders.pop(live.id, None)
        await self._ask(live, plans.new_shoe(self._shoe_key, old))

    async def _order(self, live: Live) -> tuple[int, OpenShoe]:
        """The shoe in use, unsealed for dealing."""
        shoe = live.table.shoe
        number = shoe.number if shoe is not None else 0
        held = self._orders.get(live.id)
        if held is not None and held[0] == number:
            return held
        kept = await self.engine.reading(self.engine.store.shoe, live.id, number)
        if kept is None:
            raise BadInput(say("shoe-not-stored", number=number, id=live.id))
        held = number, sealed_shoes.opened(self._shoe_key, live.id, number, kept, live.sealed)
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
                await self.move_tables()
                await self.part_with_absent()
            with contextlib.suppress(Exception):
                await asyncio.to_thread(self.people.tidy)

    async def move_tables(self) -> None:
        """Tables at which no round is being played go over to the text that has come into force."""
        now = self.clock.wall()
        for live in list(self.tables().values()):
            if not moves.may_be_made(live, now):
                continue
            answer = await self.engine.ask(live.id, moves.made_at(now), actor=SYSTEM)
            if answer.refusal is not None:
                why = answer.refusal.sentence
                called = await self.engine.ask(live.id, moves.call_for_help(why), actor=SYSTEM)
                if called.events:
                    log.error("%s cannot be moved: %s", live.id, why)

    async def part_with_absent(self) -> None:
        """Who has long been gone from a table that stands still leaves it; others leave before a round."""
        for live in list(self.tables().values()) if self._absent_rounds else []:
            looking = {reader.viewer for reader in self.channels[live.id].readers}
            gone = away.left_behind(live, looking, self.clock.wall())
            if gone:
                await self.engine.ask(live.id, away.going(gone), actor=SYSTEM)

    async def _forget(self) -> None:
        """What is kept for a time only goes in small pieces, so that nobody's command waits for it."""
        looked = ""
        while True:
            await asyncio.sleep(FORGET_SECONDS)
            try:
                looked = await self.forget(looked)
            except (StoreDown, StoreFull):
                continue
            except Exception:
                log.exception("what need not be kept any more cannot be dropped")

    async def forget(self, looked: str = "") -> str:
        """Old answers and descriptions, and some guests who never played: those after a key.

        The key up to which that was.
        """
        store, write, now = self.engine.store, self.engine.writing, self.clock.wall()
        while await write(store.forget_answers, before=now, limit=FORGOTTEN_AT_ONCE) == FORGOTTEN_AT_ONCE:
            pass  # commits come in between
        for place in await self.engine.reading(patrons.outdated, store, now - patrons.KEPT):
            await self.engine.together(partial(self._set_personal, place, patrons.KIND, None, by=SYSTEM))
        before = now - GUESTS_KEPT
        return await write(store.forget_guests, after=looked, created_before=before, limit=FORGOTTEN_AT_ONCE)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            self._notice_gap()
            self.lag = max(self._pulse.beat(), self.lag - BEAT)

    def _notice_gap(self) -> None:
        """What ran out while this process stood still, or its machine, is no silence: nobody could act.

        After a short while people get back the time that they had left, after a long one the rule on
        technical interruptions applies, as after a restart.
        """
        passed = self._pulse.since()
        if passed - BEAT < STILL_SECONDS:
            return
        now = self.clock.monotonic()
        for table, channel in self.channels.items():
            left = channel.deadline - self._pulse.at
            timer = channel.live.timer
            if timer is None or left > passed:
                continue
            if passed - BEAT > LATE_SECONDS:
                self._missed[table] = timer
                left = 0.0
            channel.deadline = now + max(left, 0.0)
        self.lag = self._pulse.beat()
        if self.lag > LATE_SECONDS:
            log.warning("nothing was done for %.1f s: the process or its machine stood still", self.lag)

    async def _try_again(self) -> None:
        """While nothing can be written, try to: that it can be again goes on record."""
        engine = self.engine
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            with contextlib.suppress(Unavailable):
                if not engine.healthy:
                    await self.note("writing-again", {"after_ms": round(engine.outage.seconds * 1000)})
                if engine.anchor is not None and engine.anchor.behind:
                    await engine.writing(engine.anchor.write, {})

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
