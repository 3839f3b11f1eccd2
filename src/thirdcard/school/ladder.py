"""How fast somebody works, and on how many days in a row: levels of the speed ladder, and the streak."""

from typing import Final

import msgspec

LEVELS: Final = 10
UP_AFTER, DOWN_AFTER = 5, 2  # right in time, wrong
WEEK: Final = 7  # days


class SpeedLevel(msgspec.Struct, frozen=True):
    """A level, and what has counted towards another since it was reached."""

    level: int = 1
    in_time: int = 0
    wrong: int = 0

    def answered(self, *, right: bool, in_time: bool) -> "SpeedLevel":
        """Five right in time are one level up, two wrong one down; right but late counts for neither."""
        if right and in_time:
            if self.in_time + 1 < UP_AFTER:
                return SpeedLevel(self.level, self.in_time + 1, self.wrong)
            return SpeedLevel(min(self.level + 1, LEVELS))
        if not right:
            if self.wrong + 1 < DOWN_AFTER:
                return SpeedLevel(self.level, self.in_time, self.wrong + 1)
            return SpeedLevel(max(self.level - 1, 1))
        return self


class Streak(msgspec.Struct, frozen=True):
    """Days of practice in a row up to `last` (days since 1970). A missed day pauses it, once in a week."""

    days: int = 0
    last: int = 0
    paused: int = 0  # the last day that was missed and forgiven
    longest: int = 0

    def practised(self, day: int) -> "Streak":
        if day <= self.last:
            return self
        goes_on = self.runs(day)
        days = self.days + 1 if goes_on else 1
        paused = day - 1 if goes_on and day == self.last + 2 else self.paused
        return Streak(days, day, paused, max(days, self.longest))

    def runs(self, day: int) -> bool:
        """Whether practice on that day would go on with it."""
        missed = day - self.last - 1
        forgiven = missed == 1 and (not self.paused or day - 1 - self.paused >= WEEK)
        return self.days > 0 and (missed <= 0 or forgiven)

    def on(self, day: int) -> int:
        """The days to be shown on that day: none any more, once it is over."""
        return self.days if day <= self.last or self.runs(day) else 0
