"""At which tables this process deals: of those that share a store one does, and not one that hangs.

A process leads a table in a term, which ends when it has not said for some seconds that it still leads.
Whatever its dealer does is written in that term or not at all, so that who was asleep goes on nowhere where
another has taken over.
"""

import asyncio
import contextlib
import logging
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from thirdcard.service.clock import Clock
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import LEASE_SECONDS, StoreDown, StoreFull

log = logging.getLogger("thirdcard")
LEAD_SECONDS = 1.0  # how often who leads a table is looked at, and that this process does is said


class Led(Protocol):
    """The hall, as far as it is told."""

    def wanted(self) -> Collection[str]:
        """The tables at which something is due for somebody here."""

    def led(self, table: str) -> None:
        """From now on it is led by this process."""

    def led_elsewhere(self, table: str) -> None: ...

    def cut_off(self, tables: Collection[str]) -> None:
        """Whether these are still led here nobody can say: the store does not answer."""


class Leading:
    def __init__(self, store: Store, clock: Clock, hall: Led) -> None:
        self._store, self._clock, self._hall = store, clock, hall
        self._terms: dict[str, int] = {}
        self._until = 0.0
        self._elsewhere: set[str] = set()
        self._asked = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="leads")  # it waits for nobody else's work

    def term(self, table: str) -> int | None:
        """The term in which this process leads the table, 0 where nobody else could; None if it does not."""
        if not self._store.shared:
            return 0
        if table in self._terms and self._clock.boot() < self._until:
            return self._terms[table]
        if table not in self._elsewhere:
            self._asked.set()
        return None

    async def keep(self) -> None:
        """Lead what is wanted and free, for as long as this runs."""
        while True:
            self._asked.clear()
            await self._say()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LEAD_SECONDS):
                    await self._asked.wait()

    async def _say(self) -> None:
        wanted, now = self._hall.wanted(), self._clock.boot()
        loop = asyncio.get_running_loop()
        try:
            terms = await loop.run_in_executor(self._thread, self._store.lead, wanted)
        except (StoreDown, StoreFull):
            self._hall.cut_off(self._terms.keys())
            await asyncio.sleep(LEAD_SECONDS)
            return
        except Exception:
            log.exception("nobody can say which tables are led here")
            await asyncio.sleep(LEAD_SECONDS)
            return
        before, self._terms, self._until = self._terms, terms, now + LEASE_SECONDS
        self._elsewhere = {table for table in wanted if table not in terms}
        for table in self._elsewhere:
            self._hall.led_elsewhere(table)
        for table, term in terms.items():
            if before.get(table) != term:
                self._hall.led(table)

    async def stop(self) -> None:
        """Nothing is said any more."""
        await asyncio.to_thread(self._thread.shutdown)
