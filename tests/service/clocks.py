"""A clock that goes when it is told to."""

from thirdcard.service.clock import MICROSECONDS, Clock

START = 1_800_000_000 * MICROSECONDS


class FakeClock(Clock):
    def __init__(self) -> None:
        self.at, self.passed, self.stood_still = START, 1_000.0, 0.0

    def wall(self) -> int:
        return self.at

    def monotonic(self) -> float:
        return self.passed

    def boot(self) -> float:
        """Whoever watches it finds that time passed bit by bit, unless everybody stood still."""
        return self.stood_still

    def wait(self, seconds: float) -> None:
        """Time passes on both clocks."""
        self.passed += seconds
        self.set(seconds)

    def freeze(self, seconds: float) -> None:
        """The same, but nobody was awake."""
        self.wait(seconds)
        self.stood_still += seconds

    def sleep(self, seconds: float) -> None:
        """The machine sleeps: its monotonic clock stands still too."""
        self.set(seconds)
        self.stood_still += seconds

    def set(self, seconds: float) -> None:
        """Somebody sets the wall clock, forward or back."""
        self.at += round(seconds * MICROSECONDS)
