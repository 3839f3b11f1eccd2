"""The two clocks: one tells people when something happened, the other measures how long something takes."""

import time

MICROSECONDS = 1_000_000  # in a second
BEAT = 0.25  # seconds
TOLERANCE = MICROSECONDS  # a wall clock that is set right by less than a second is no news


class Clock:
    """Only `wall` can be set by people, so it orders nothing and no timer runs by it."""

    def wall(self) -> int:
        """Microseconds of UTC since 1970."""
        return time.time_ns() // 1_000

    def monotonic(self) -> float:
        """Seconds that never go back; from when they count means nothing."""
        return time.monotonic()

    def boot(self) -> float:
        """The same, and they go on while the machine sleeps, where the system can tell."""
        return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class SteadyClock:
    """The wall clock as it was at the start, going on by itself: who sets the wall clock does not move it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wall, self._monotonic, self._boot = clock.wall(), clock.monotonic(), clock.boot()

    def now(self) -> int:
        """Microseconds of UTC since 1970, by which times run out that people are given."""
        passed = max(self._clock.monotonic() - self._monotonic, self._clock.boot() - self._boot)
        return self._wall + round(passed * MICROSECONDS)


class Pulse:
    """Notices that this process or its machine stood still: what should beat every `BEAT` seconds did not.

    Frozen, it cannot notice in time. So whoever acts when a time has run out looks first for how long nobody
    was awake.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._boot, self.at = clock.boot(), clock.monotonic()

    def since(self) -> float:
        """Seconds since the last beat, asleep or awake."""
        return self._clock.boot() - self._boot

    def beat(self) -> float:
        """How many seconds late this beat comes. `at` is when it came, on the monotonic clock."""
        late = max(self.since() - BEAT, 0.0)
        self._boot, self.at = self._clock.boot(), self._clock.monotonic()
        return late


class ClockWatch:
    """Notices when somebody sets the wall clock.

    A machine that slept looks as if its clock had been set forward: its monotonic clock stood still.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wall, self._monotonic = clock.wall(), clock.monotonic()

    def look(self) -> int | None:
        """By how many microseconds the wall clock jumped since the last look; None if by a second or less.

        Each jump is told once.
        """
        wall, monotonic = self._clock.wall(), self._clock.monotonic()
        passed = round((monotonic - self._monotonic) * MICROSECONDS)
        jump = wall - self._wall - passed
        self._wall, self._monotonic = wall, monotonic
        return jump if abs(jump) > TOLERANCE else None
