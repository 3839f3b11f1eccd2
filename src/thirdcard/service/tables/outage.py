"""Whether the store can be used: told on record when that changes, and to whoever asks."""

import asyncio
import contextlib
import logging
import threading
from typing import Literal

from thirdcard.service.clock import Clock
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import StoreDown, StoreFull

log = logging.getLogger("thirdcard")
FRESH = 1.0  # seconds that an answer of the store is believed
ANSWER_SECONDS = 1.0  # a store that takes longer does not answer
Trouble = Literal["full", "not-written", "not-read"]
TO_DO: dict[Trouble, str] = {
    "full": "make room",
    "not-written": "see that the database runs and that its disk is sound",
    "not-read": "see that the database runs",
}


class Outage:
    """From a failed write, or read, to one that succeeds: told when it begins or changes, and at its end."""

    def __init__(self, clock: Clock, place: str) -> None:
        self._clock, self._place = clock, place
        self.kind: Trouble | None = None
        self._since = 0.0

    def begins(self, kind: Trouble, error: StoreFull | StoreDown) -> None:
        if kind == self.kind or (kind == "not-read" and self.kind):
            return
        if self.kind is None:
            self._since = self._clock.monotonic()
        self.kind = kind
        log.error(
            "%s: commands are refused for now, nothing that was acknowledged is lost; %s, and play goes on",
            error,
            TO_DO[kind],
        )

    def ends(self, *kinds: Trouble) -> None:
        """Of these kinds, or of any."""
        if self.kind is not None and (not kinds or self.kind in kinds):
            self.kind = None
            log.warning("%s can be used again, after %.1f s", self._place, self.seconds)

    @property
    def seconds(self) -> float:
        """How long the latest one has lasted."""
        return self._clock.monotonic() - self._since


class Probe:
    """Asks the store for a sign of life, once a second at most, in a thread that nobody else waits for.

    One that hangs is not asked again before it has answered: whoever wants to know meanwhile is told so.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._told, self._at = "", float("-inf")
        self._waiting: asyncio.Future[None] | None = None

    async def trouble(self) -> str:
        """Why the store does not answer; empty if it does."""
        loop = asyncio.get_running_loop()
        if self._waiting is None and loop.time() - self._at >= FRESH:
            self._at, self._waiting = loop.time(), loop.create_future()
            threading.Thread(target=self._look, args=(loop,), name="probe", daemon=True).start()
        if self._waiting is not None:
            left = max(self._at + ANSWER_SECONDS - loop.time(), 0.0)
            await asyncio.wait([self._waiting], timeout=left)
        return self._told if self._waiting is None else "the store does not answer"

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        told = ""
        try:
            self._store.text("")
        except Exception:  # noqa: BLE001 - whatever it is, the store cannot be used
            told = "the store cannot be read"
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._answered, told)

    def _answered(self, told: str) -> None:
        waiting, self._waiting = self._waiting, None
        self._told, self._at = told, asyncio.get_running_loop().time()
        if waiting is not None:
            waiting.set_result(None)
