"""Whoever holds the event loop up pays for it several times over, on record."""

import logging
import math

from thirdcard.service.log.floor_events import LONG_TURN
from thirdcard.service.tables.hall import Hall
from thirdcard.service.turns import Caller

LONG_SECONDS = 0.25  # of a processor, in one turn of the event loop
TIMES = 5  # as much as it took is what it costs whoever caused it
NOTED_EVERY = 60.0  # seconds; all are counted
MOST_PATH = 100  # characters of an address that are told
log = logging.getLogger("thirdcard")


class Watchdog:
    """Told how long each turn of the loop took for somebody."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._quiet_until = -math.inf
        self.long_turns = 0

    def turned(self, caller: Caller, path: str, seconds: float) -> None:
        """A turn of the loop for somebody, about that address, took so many seconds of a processor."""
        if seconds < LONG_SECONDS:
            return
        caller.spend((TIMES - 1) * seconds)
        self.long_turns += 1
        now, ms, path = self._hall.clock.monotonic(), round(seconds * 1000), path[:MOST_PATH]
        if now < self._quiet_until:
            return
        self._quiet_until = now + NOTED_EVERY
        log.warning("nobody else was served for %d ms: %r, for %s", ms, path, caller.place)
        self._hall.note_soon(LONG_TURN, {"origin": caller.place, "path": path, "ms": ms})
