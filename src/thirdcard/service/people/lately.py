"""What a person has played lately: results, time and the present session."""

from bisect import bisect_left, bisect_right
from operator import attrgetter

import msgspec

from thirdcard.service.people.own_limits import MINUTE, WEEK

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
