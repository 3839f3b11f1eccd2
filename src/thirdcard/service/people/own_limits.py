"""What people allow themselves: loss, time, reality checks, time out. Tighter at once, looser a day later."""

from typing import Annotated

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import LARGEST_STAKE
from thirdcard.service.clock import MICROSECONDS
from thirdcard.words.saying import say

KIND = "limits"  # under which they are kept
MINUTE = 60 * MICROSECONDS
HOUR, DAY, WEEK = 60 * MINUTE, 24 * 60 * MINUTE, 7 * 24 * 60 * MINUTE
LOOSER_AFTER = DAY
LONGEST_HOURS = 30 * 24  # of a time out

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
        due = {name: one.value for name, one in self.coming.items() if one.at <= now}
        if not due:
            return self
        later = {name: one for name, one in self.coming.items() if name not in due}
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
            raise BadInput(say("time-out-lasts-1", longest_hours=LONGEST_HOURS))
        return replace(self.at(now), away_until=max(self.away_until, now + hours * HOUR))


def is_tighter(one: int | None, other: int | None) -> bool:
    return one is not None and (other is None or one < other)
