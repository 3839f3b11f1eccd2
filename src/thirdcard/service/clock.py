"""The two clocks: one tells people when something happened, the other measures how long something takes."""

import time

MICROSECONDS = 1_000_000  # in a second
TOLERANCE = MICROSECONDS  # a wall clock that is set right by less than a second is no news


class Clock:
    """Only `wall` can be set by people, so it orders nothing and no timer runs by it."""

    def wall(self) -> int:
        """Microseconds of UTC since 1970."""
        return time.time_ns() // 1_000

    def monotonic(self) -> float:
        """Seconds that never go back; from when they count means nothing."""
        return time.monotonic()


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
