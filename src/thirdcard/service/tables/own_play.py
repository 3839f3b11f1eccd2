"""What people allow themselves, what they have played lately, and whether what they ask for is within it.

Limits are of loss, time, reality checks and time out: what is set tighter holds at once, what is set looser
a day later. Loss and time are those of the rounds that the store keeps by player, of the last week at most,
over all tables. They are read once for whoever has limits, and kept up by all changes that this process sees.
"""

import asyncio
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from operator import attrgetter
from typing import Annotated, Literal

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import LARGEST_STAKE
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.store.model import StoreDown
from thirdcard.service.log.store.results import FIRST, PAUSE
from thirdcard.service.people.accounts import set_personal
from thirdcard.service.people.sessions import TRUSTED_SHARED
from thirdcard.service.tables.draft import Decided, HouseRefusal, Plan, TableChange, early
from thirdcard.service.tables.engine import Engine
from thirdcard.service.tables.live import Live, RoundRecord, at_risk
from thirdcard.strict import decodable
from thirdcard.table import State, events
from thirdcard.table.refusals import Refusal
from thirdcard.table.state import Line
from thirdcard.words.saying import say

KIND = "limits"  # under which they are kept
MINUTE = 60 * MICROSECONDS
HOUR, DAY, WEEK = 60 * MINUTE, 24 * 60 * MINUTE, 7 * 24 * 60 * MINUTE
LOOSER_AFTER = DAY
LONGEST_HOURS = 30 * 24  # of a time out
PAGE = 200
MOST_KNOWN = 20_000  # people
# What changes rounds that are over, or settles a part of one early.
IRREGULAR = (events.RoundVoided, events.DecidedSettled, events.SettlementReversed)

Cents = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_STAKE)]
Minutes = Annotated[int, msgspec.Meta(ge=0, le=24 * 60)]
Every = Annotated[int, msgspec.Meta(ge=1, le=24 * 60)]
replace = msgspec.structs.replace


class Bounds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The most to lose in 24 hours and in 7 days, in cents; None is no limit, and less is tighter.

    Of play, the most minutes in 24 hours, and those from one reality check to the next.
    """

    loss_day: Cents | None
    loss_week: Cents | None
    minutes_day: Minutes | None
    check_minutes: Every | None


NO_BOUNDS = Bounds(loss_day=None, loss_week=None, minutes_day=None, check_minutes=None)


class Coming(msgspec.Struct, frozen=True):
    """What a limit will be, and from when on."""

    value: int | None
    at: int


class OwnLimits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Times by the wall clock. `coming` are limits that loosen, by name; `away_until` ends a time out.

    `excluded` is a time out without an end, `acknowledged` when the last reality check was.
    """

    bounds: Bounds = NO_BOUNDS
    coming: dict[str, Coming] = {}
    away_until: int = 0
    excluded: bool = False
    acknowledged: int = 0

    @property
    def are_any(self) -> bool:
        return self.bounds != NO_BOUNDS or self.excluded or bool(self.away_until)

    def at(self, now: int) -> "OwnLimits":
        """With what has come into force by then."""
        due = {name: coming.value for name, coming in self.coming.items() if coming.at <= now}
        if not due:
            return self
        later = {name: coming for name, coming in self.coming.items() if name not in due}
        return replace(self, bounds=replace(self.bounds, **due), coming=later)

    def asked(self, wanted: Bounds, now: int) -> "OwnLimits":
        """With other limits: those that are tighter hold at once, others a day after they were asked for."""
        current = self.at(now)
        held, coming = {}, dict[str, Coming]()
        for name in Bounds.__struct_fields__:
            before, after = getattr(current.bounds, name), getattr(wanted, name)
            if is_tighter(after, before):
                held[name] = after
            elif after != before:
                earlier = current.coming.get(name)
                same = earlier is not None and earlier.value == after
                coming[name] = earlier if earlier and same else Coming(after, now + LOOSER_AFTER)
        return replace(current, bounds=replace(current.bounds, **held), coming=coming)

    def away(self, hours: int, now: int) -> "OwnLimits":
        """With a time out from now on; one that lasts longer stays as it is."""
        if not 1 <= hours <= LONGEST_HOURS:
            raise BadInput(say("time-out-length", longest_hours=LONGEST_HOURS))
        return replace(self.at(now), away_until=max(self.away_until, now + hours * HOUR))


def is_tighter(one: int | None, other: int | None) -> bool:
    return one is not None and (other is None or one < other)


# How somebody has played lately -----------------------------------------------------------------------


at = attrgetter("at")


class RealityCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What a session has come to: minutes played, rounds, cents staked, and won or lost."""

    minutes: int
    rounds: int
    staked: int
    net: int


class PlayedRound(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A round; all but its time is a sum over it and those before. `session` is when the first of its was."""

    at: int = 0
    net: int = 0
    staked: int = 0
    time: int = 0
    session: int = 0


class Lately:
    """Rounds in order of time, those of a week and the one before; no sum takes longer for more of them."""

    def __init__(self) -> None:
        self._rounds = [PlayedRound()]

    def add(self, when: int, net: int, staked: int) -> None:
        """One more; by a clock that was set back it is as late as the last."""
        last = self._rounds[-1]
        when = max(when, last.at)
        goes_on = when - last.at <= PAUSE
        self._rounds.append(
            PlayedRound(
                at=when,
                net=last.net + net,
                staked=last.staked + staked,
                time=last.time + (when - last.at if goes_on else FIRST),
                session=last.session if goes_on else when,
            )
        )
        while self._rounds[1].at <= when - WEEK:
            del self._rounds[0]

    def net(self, since: int) -> int:
        """Won or lost after that."""
        return self._rounds[-1].net - self._before(since).net

    def time(self, since: int) -> int:
        """PlayedRound after that: from round to round, without pauses."""
        return self._rounds[-1].time - self._before(since).time

    def session(self, now: int, acknowledged: int) -> RealityCheck | None:
        """What is being played now, as far as it was not acknowledged."""
        last = self._rounds[-1]
        if now - last.at > PAUSE or last.at <= acknowledged:
            return None
        begun = bisect_left(self._rounds, last.session, key=at)
        first = max(1, begun, bisect_right(self._rounds, acknowledged, key=at))
        before, since = self._rounds[first - 1], self._rounds[first].at - acknowledged
        return RealityCheck(
            minutes=(last.at - (acknowledged if since <= PAUSE else last.session - FIRST)) // MINUTE,
            rounds=len(self._rounds) - first,
            staked=last.staked - before.staked,
            net=last.net - before.net,
        )

    def _before(self, since: int) -> PlayedRound:
        return self._rounds[bisect_right(self._rounds, since, key=at) - 1]


# People and what they ask for ------------------------------------------------------------------------------


class CheckMessage(msgspec.Struct, frozen=True):
    """A message over the socket of whoever is to be reminded."""

    check: RealityCheck


class Used(msgspec.Struct, frozen=True, kw_only=True):
    """How much of the limits is used: cents lost in 24 hours and in 7 days, minutes played in 24 hours."""

    loss_day: int
    loss_week: int
    minutes_day: int


class Own:
    """One person's limits, and rounds once somebody has to know them; one thing is asked at a time."""

    def __init__(self, name: str) -> None:
        self.name, self.limits, self.trusted = name, OwnLimits(), -math.inf
        self.lately = Lately()
        self.counted: dict[str, int] = {}  # the last round of each table that is among these
        self.known: Literal["no", "reading", "yes"] = "no"  # whether they are all
        self.changes = 0  # of the limits, by this process
        self.lock = asyncio.Lock()


class OwnPlay:
    """Of all people of a house, as far as they are known in this process."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._store, self._clock = engine, engine.store, engine.clock
        self._trust = TRUSTED_SHARED if engine.store.shared else math.inf
        self._known: dict[str, Own] = {}

    def has_none(self, name: str) -> bool:
        """Whether it is known that a person has set no limits."""
        own = self._known.get(name)
        return own is not None and not own.limits.are_any and self._clock.monotonic() < own.trusted

    async def of(self, name: str) -> Own:
        """A person's limits; the rounds are there if there are any limits."""
        own = self._known.get(name)
        if own is None:
            own = self._known[name] = Own(name)
            if len(self._known) > MOST_KNOWN:
                del self._known[next(iter(self._known))]
        now = self._clock.monotonic()
        if now >= own.trusted:
            await self._read_limits(own, now)
        if own.limits.are_any:
            await self.read_rounds(own)
        return own

    async def _read_limits(self, own: Own, now: float) -> None:
        """As they are kept, unless changed meanwhile; of a store that is down the last that were known."""
        before = own.changes
        try:
            body = await self._engine.reading(self._store.personal, own.name, KIND)
        except StoreDown:
            if own.trusted == -math.inf:
                raise
        else:
            if own.changes == before:
                own.limits, own.trusted = _limits(body), now + self._trust

    async def read_rounds(self, own: Own) -> None:
        """Know the person's rounds of the last week; again, if something happened meanwhile."""
        while own.known != "yes":
            own.known = "reading"
            found = await self._engine.reading(self._read, own.name)
            if own.known == "reading":
                (own.lately, own.counted), own.known = found, "yes"

    async def change(self, name: str, made: Callable[[OwnLimits, int], OwnLimits]) -> None:
        """Set other limits, on record."""
        own = await self.of(name)
        async with own.lock:
            own.limits = await self._engine.together(lambda: self._write(name, made))
            own.changes += 1

    # Asking -------------------------------------------------------------------------------------------------

    def within(self, own: Own, plan: Plan) -> Plan:
        """The plan, unless its consequences are beyond what the person allows themselves."""

        def limited(live: Live) -> Decided | Refusal:
            decided = plan(live)
            if isinstance(decided, Refusal):
                return decided
            return self._refusal(own, live, decided) or decided

        return limited

    def used(self, own: Own) -> Used:
        lately, now = own.lately, self._clock.wall()
        return Used(
            loss_day=max(0, -lately.net(now - DAY)),
            loss_week=max(0, -lately.net(now - WEEK)),
            minutes_day=lately.time(now - DAY) // MINUTE,
        )

    def check(self, own: Own) -> RealityCheck | None:
        """The reality check that is due."""
        now = self._clock.wall()
        limits = own.limits.at(now)
        every, played = limits.bounds.check_minutes, own.lately.session(now, limits.acknowledged)
        return played if every is not None and played is not None and played.minutes >= every else None

    def _refusal(self, own: Own, live: Live, decided: Decided) -> HouseRefusal | None:
        made = [event for event, _ in decided.events]
        after = next((state for _, state in reversed(decided.events) if state is not None), live.table)
        bets = at_risk(after, own.name) > at_risk(live.table, own.name)
        places = bets and any(isinstance(one, events.StakeSet) for one in made)
        comes = any(
            isinstance(one, events.BoughtIn | events.SeatTaken) and one.player == own.name for one in made
        )
        if not bets and not comes:
            return None
        return (
            self._away(own)
            or (self._too_long(own) if places or comes else None)
            or (self._unchecked(own) if places else None)
            or (self._too_much(own, live, after) if bets else None)
        )

    def _away(self, own: Own) -> HouseRefusal | None:
        limits = own.limits
        if limits.excluded:
            return HouseRefusal("time-out", say("excluded-for-good"))
        if limits.away_until <= self._clock.wall():
            return None
        until = datetime.fromtimestamp(limits.away_until / MICROSECONDS, UTC)
        return HouseRefusal("time-out", say("own-time-out", until=f"{until:%d %B %Y, %H:%M}"))

    def _too_long(self, own: Own) -> HouseRefusal | None:
        now = self._clock.wall()
        most = own.limits.at(now).bounds.minutes_day
        if most is None or own.lately.time(now - DAY) < most * MINUTE:
            return None
        return HouseRefusal("own-limit", say("own-time-over", most=most))

    def _unchecked(self, own: Own) -> HouseRefusal | None:
        due = self.check(own)
        if due is None:
            return None
        return HouseRefusal("reality-check", say("own-reality-check", minutes=due.minutes))

    def _too_much(self, own: Own, live: Live, after: State) -> HouseRefusal | None:
        """What lies on all tables may be lost too."""
        now = self._clock.wall()
        bounds = own.limits.at(now).bounds
        tables = [table.state for table in self._engine.tables.values() if table.id != live.id]
        elsewhere = sum(at_risk(state, own.name) for state in tables if state is not None)
        for most, span, key in (
            (bounds.loss_day, DAY, "loss-limit-of-a-day"),
            (bounds.loss_week, WEEK, "loss-limit-of-a-week"),
        ):
            room = math.inf if most is None else most + own.lately.net(now - span) - elsewhere
            if at_risk(after, own.name) > room:
                left = max(0, int(room) - at_risk(live.table, own.name))
                return HouseRefusal("own-limit", say(key, most=most or 0, left=left))
        return None

    # What happens -------------------------------------------------------------------------------------------

    def take_in(self, change: TableChange) -> Iterator[tuple[str, str]]:
        """Keep up with a table; who is to be reminded, and the message."""
        for event, live in change.steps:
            if isinstance(event, IRREGULAR):
                self._forget_rounds(live.table)
            elif isinstance(event, events.RoundSettled):
                yield from self._settled(event, live)

    def _settled(self, event: events.RoundSettled, live: Live) -> Iterator[tuple[str, str]]:
        for name in event.settlement.nets:
            own = self._known.get(name)
            if own is None or live.table.rounds <= own.counted.get(live.id, 0):
                continue
            if own.known != "yes" or _was_early(name, live.table):
                own.known = "no"
                continue
            own.lately.add(live.last_at, *_played(name, event.settlement.lines))
            own.counted[live.id] = live.table.rounds
            due = self.check(own)
            if due is not None:
                yield name, msgspec.json.encode(CheckMessage(due)).decode()

    def _forget_rounds(self, state: State) -> None:
        """They are read again."""
        for name in state.players:
            if name in self._known:
                self._known[name].known = "no"

    # In threads of the store --------------------------------------------------------------------------------

    def _read(self, name: str) -> tuple[Lately, dict[str, int]]:
        since = self._clock.wall() - WEEK
        found, whole = list[tuple[int, int, int]](), set[tuple[str, int]]()
        counted, before = dict[str, int](), None
        while True:
            rows = self._store.rounds_of(name, before=before, limit=PAGE)
            for stream, row in rows:
                kept = RoundRecord.of(row)
                if row.at > since and kept.lines:
                    found.append((row.at, *_played(name, kept.lines)))
                    whole |= {(stream, row.number)} if kept.early else set()
                    counted[stream] = max(row.number, counted.get(stream, 0))
            if len(rows) < PAGE or rows[-1][1].at <= since:
                break
            before = (rows[-1][1].at, rows[-1][0], rows[-1][1].number)
        found += self._settled_early(name, since, whole)
        lately = Lately()
        for one in sorted(found):
            lately.add(*one)
        return lately, counted

    def _settled_early(
        self, name: str, since: int, whole: set[tuple[str, int]]
    ) -> Iterator[tuple[int, int, int]]:
        """Bets that were settled before their round was over, each by itself; not those of `whole` rounds."""
        for stream in list(self._engine.tables):
            for _, record in self._store.lookup(stream, [early(name)]):
                event = event_of(record)
                counted = record.at <= since or (stream, record.round) in whole
                if not counted and isinstance(event, events.DecidedSettled):
                    yield record.at, *_played(name, event.lines)

    def _write(self, name: str, made: Callable[[OwnLimits, int], OwnLimits]) -> OwnLimits:
        limits = made(_limits(self._store.personal(name, KIND)), self._clock.wall())
        set_personal(self._store, self._engine.note, name, KIND, msgspec.json.encode(limits), by=name)
        return limits


def _limits(body: bytes | None) -> OwnLimits:
    return OwnLimits() if body is None else msgspec.json.decode(body, type=decodable(OwnLimits))


def _was_early(player: str, state: State) -> bool:
    """Whether bets of this round counted by themselves so far."""
    return state.round is not None and any(line.player == player for line in state.round.early)


def _played(player: str, lines: Iterable[Line]) -> tuple[int, int]:
    """Won or lost, and staked."""
    own = [line for line in lines if line.player == player]
    return sum(line.net for line in own), sum(line.stake for line in own)
