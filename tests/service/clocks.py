"""A clock that goes when it is told to."""

from thirdcard.service.clock import MICROSECONDS, Clock

START = 1_800_000_000 * MICROSECONDS


class FakeClock(Clock):
    def __init__(self) -> None:
        self.at, self.passed = START, 1_000.0

    def wall(self) -> int:
        return self.at

    def monotonic(self) -> float:
        return self.passed

    def wait(self, seconds: float) -> None:
        """Time passes on both clocks."""
        self.passed += seconds
        self.set(seconds)

    def set(self, seconds: float) -> None:
        """Somebody sets the wall clock, forward or back."""
        self.at += round(seconds * MICROSECONDS)
