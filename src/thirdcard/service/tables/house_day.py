"""The house's day: its shifts by name and hour, as managers set them, and when each begins and ends."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Annotated

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import SHIFTS_SET, Noted
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.log.store.model import JOURNAL, MANY
from thirdcard.strict import decodable
from thirdcard.words.saying import say

DAY = 24 * 60  # minutes
STEP = 15  # shifts begin on a quarter of an hour, by which all is summed up
MOST = 6
WEEK = 7
FIRST, LAST = date(2, 1, 1), date(9998, 12, 31)  # of which every clock can tell weeks, and their ends
WHOLE_DAY, WHOLE_WEEK = "day", "week"  # asked for in place of a shift
ShiftName = Annotated[str, msgspec.Meta(min_length=1, max_length=24, pattern=r"^[^\s:,/?&#].*$")]


class ShiftHours(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shift, and the minute of the day at which it begins; it ends where the next one begins."""

    name: ShiftName
    begins: Annotated[int, msgspec.Meta(ge=0, lt=DAY)]


class HouseDay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Shifts in their order; the day begins with the first. The house is `ahead` minutes of UTC."""

    shifts: tuple[ShiftHours, ...]
    ahead: Annotated[int, msgspec.Meta(ge=-14 * 60, le=14 * 60)] = 0

    def check(self) -> None:
        """BadInput if it is no day."""
        names = [shift.name for shift in self.shifts]
        if not 1 <= len(names) <= MOST:
            raise BadInput(say("shifts-in-a-day", most=MOST, names=len(names)))
        if len({name.casefold() for name in names}) < len(names):
            raise BadInput(say("shift-names-differ", names=tuple(names)))
        if any(shift.begins % STEP for shift in self.shifts) or self.ahead % STEP:
            raise BadInput(say("shifts-on-quarter-hours", step=STEP))
        starts = self.starts
        if list(starts) != sorted(set(starts)):
            raise BadInput(say("shifts-within-a-day"))

    @property
    def starts(self) -> tuple[int, ...]:
        """Minutes from the beginning of the day to each shift."""
        first = self.shifts[0].begins
        return tuple((shift.begins - first) % DAY for shift in self.shifts)


USUAL = HouseDay(
    shifts=(
        ShiftHours(name="A", begins=8 * 60),
        ShiftHours(name="B", begins=16 * 60),
        ShiftHours(name="C", begins=0),
    )
)


class ShiftTime(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for: a shift of a day, the whole `day` or the `week` that ends with it."""

    name: str
    day: str
    since: int
    until: int


def shift_time(house: HouseDay, day: date, name: str = "") -> ShiftTime:
    """From when to when a shift is, or, without a name, the whole day; BadInput if there is no such shift."""
    begins = _micros(day) + (house.shifts[0].begins - house.ahead) * 60 * MICROSECONDS
    if not name:
        return ShiftTime(name="", day=f"{day}", since=begins, until=begins + _minutes(DAY))
    named = [shift.name.casefold() for shift in house.shifts]
    if name.casefold() not in named:
        known = ", ".join(shift.name for shift in house.shifts)
        raise BadInput(say("no-such-shift", name=name, known=known))
    place = named.index(name.casefold())
    starts = (*house.starts, DAY)
    return ShiftTime(
        name=house.shifts[place].name,
        day=f"{day}",
        since=begins + _minutes(starts[place]),
        until=begins + _minutes(starts[place + 1]),
    )


def week(house: HouseDay, day: date) -> ShiftTime:
    """The seven days that end with that one."""
    last = shift_time(house, day)
    return ShiftTime(
        name="week", day=f"{day}", since=last.since - _minutes((WEEK - 1) * DAY), until=last.until
    )


def day_of(house: HouseDay, at: int) -> date:
    """The day of the house that a time belongs to."""
    local = at + (house.ahead - house.shifts[0].begins) * 60 * MICROSECONDS
    return datetime.fromtimestamp(local // MICROSECONDS, UTC).date()


def current(house: HouseDay, at: int) -> ShiftTime:
    """The shift that it is at that time."""
    day = day_of(house, at)
    every = [shift_time(house, day, shift.name) for shift in house.shifts]
    return next(time for time in every if time.since <= at < time.until)


def house_days(store: LogReading) -> list[tuple[int, HouseDay]]:
    """What was set, each with when, the latest first; at last what holds where nobody has set anything."""
    found = store.lookup(JOURNAL, (SHIFTS_SET,), limit=MANY)
    return [*((stored.at, _noted(event_of(stored))) for _, stored in found), (0, USUAL)]


def house_day_at(days: Sequence[tuple[int, HouseDay]], at: int) -> HouseDay:
    """What held at a time."""
    return next(house for since, house in days if since <= at)


def asked_time(
    days: Sequence[tuple[int, HouseDay]], now: int, shift: str, day: str
) -> tuple[HouseDay, ShiftTime]:
    """The hours that held, and from when to when; BadInput if there is no such shift or day."""
    latest = days[0][1]
    try:
        wanted = date.fromisoformat(day) if day else day_of(latest, now)
    except ValueError:
        raise BadInput(say("day-form", day=day)) from None
    if not FIRST <= wanted <= LAST:
        raise BadInput(say("no-such-day", text=day))
    begins = shift_time(latest, wanted).since
    house = latest if not day else house_day_at(days, max(begins, 0))
    if not shift and not day:
        return house, current(house, now)
    if shift == WHOLE_WEEK:
        return house, week(house, wanted)
    return house, shift_time(house, wanted, "" if shift == WHOLE_DAY else shift)


def as_facts(house: HouseDay, by: str) -> dict[str, str | int]:
    """What the journal says of it."""
    told = ", ".join(f"{shift.name} {shift.begins // 60:02}:{shift.begins % 60:02}" for shift in house.shifts)
    return {"by": by, "told": told, "set": msgspec.json.encode(house).decode()}


def _noted(event: object) -> HouseDay:
    assert isinstance(event, Noted)  # nothing else is found under that key
    return msgspec.json.decode(str(event.facts["set"]), type=decodable(HouseDay))


def _micros(day: date) -> int:
    return (day - date(1970, 1, 1)) // timedelta(seconds=1) * MICROSECONDS


def _minutes(many: int) -> int:
    return many * 60 * MICROSECONDS
