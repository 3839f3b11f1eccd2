"""How often somebody may ask."""

from itertools import islice

from thirdcard.service.clock import Clock


class Buckets:
    """A bucket of `burst` tokens for each key, refilled by `rate` a second; a request takes one, or what it costs.

    Kept for a key is only the time at which its bucket is full again. A full bucket is the same as none, so
    full ones are forgotten when there are `most`, and then the oldest if that is not enough. For one thread.
    """

    def __init__(self, rate: float, burst: float, clock: Clock, most: int = 10_000) -> None:
        self._refill, self._depth = 1 / rate, burst / rate
        self._clock = clock
        self._most = most
        self._full_at: dict[str, float] = {}  # the last to take a token comes last

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: str, cost: float = 1) -> float:
        """0 if the request may go ahead, else the seconds until one may. Being refused costs nothing."""
        now = self._clock.monotonic()
        full_at = max(now, self._full_at.get(key, now)) + cost * self._refill
        wait = full_at - now - self._depth
        if wait > 1e-9:  # noqa: PLR2004 - less than a clock can tell is rounding
            return wait
        if cost:
            self._put(key, full_at, now)
        return 0.0

    def spend(self, key: str, cost: float) -> None:
        """Take what something has cost that was not known before; the bucket may owe some then."""
        now = self._clock.monotonic()
        self._put(key, max(now, self._full_at.get(key, now)) + cost * self._refill, now)

    def _put(self, key: str, full_at: float, now: float) -> None:
        if self._full_at.pop(key, None) is None and len(self._full_at) >= self._most:
            self._make_room(now)
        self._full_at[key] = full_at

    def _make_room(self, now: float) -> None:
        """At least a tenth at once, so that a flood of new keys does not pay for a sweep each."""
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        excess = len(self._full_at) - self._most * 9 // 10
        for key in list(islice(self._full_at, max(0, excess))):
            del self._full_at[key]
