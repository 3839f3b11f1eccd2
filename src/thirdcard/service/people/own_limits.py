"""What people allow themselves, and what they have played lately: loss, time, reality checks, time out.

What is set tighter holds at once, what is set looser a day later.
"""

from bisect import bisect_left, bisect_right
from operator import attrgetter
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


# How somebody has played lately -----------------------------------------------------------------------


PAUSE = 10 * MINUTE  # without a round ends a session
FIRST = MINUTE  # of play, that a round counts for which comes after a pause
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
