"""What many ask for and changes all the time is made once for all of them, away from the event loop."""

import asyncio
import contextvars
from collections.abc import Callable, Hashable
from hashlib import sha256

import msgspec

from thirdcard.service.api.packing import packed, packs
from thirdcard.service.clock import Clock
from thirdcard.service.turns import Workers

OLD_SECONDS = 1.0  # how old a copy may be
MOST_KEPT = 500
TIMES = 10  # or so many times as old as it took to make it


class Copy(msgspec.Struct, frozen=True):
    """`stamp` tells whether anything has changed since; `tag` is of the body."""

    body: bytes
    packed: bytes
    tag: str
    stamp: Hashable
    made: float
    took: float

    def answer(self, accepted: str) -> tuple[bytes, dict[str, str]]:
        """The body as it goes out to whoever accepts that, with its headers."""
        if packs(accepted):
            return self.packed, {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return self.body, {"Vary": "Accept-Encoding"}


class Copies:
    def __init__(self, clock: Clock, workers: Workers) -> None:
        self._clock, self._workers = clock, workers
        self._kept: dict[Hashable, Copy] = {}
        self._making: dict[Hashable, asyncio.Task[Copy]] = {}

    async def get(
        self, key: Hashable, make: Callable[[], bytes], stamp: Hashable, *, old: float = OLD_SECONDS
    ) -> Copy:
        """What is kept by that key, made again when it is old or `stamp` has changed."""
        while True:
            kept = self._kept.get(key)
            if kept is not None and self._holds(kept, stamp, old):
                return kept
            making = self._making.get(key)
            if making is not None:
                await asyncio.wait({making})  # it may show what was before
                continue
            # For nobody in particular: whoever comes first does not pay for all.
            making = asyncio.create_task(self._make(key, make, stamp), context=contextvars.Context())
            self._making[key] = making
            return await asyncio.shield(making)

    def _holds(self, kept: Copy, stamp: Hashable, old: float) -> bool:
        age = self._clock.monotonic() - kept.made
        return kept.stamp == stamp and age < max(old, TIMES * kept.took)

    async def _make(self, key: Hashable, make: Callable[[], bytes], stamp: Hashable) -> Copy:
        try:
            begin = self._clock.monotonic()
            body, small = await self._workers.do(lambda: _both(make))
            end = self._clock.monotonic()
            tag = f'"{sha256(body).hexdigest()[:16]}"'
            self._kept.pop(key, None)
            if len(self._kept) >= MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            made = self._kept[key] = Copy(body, small, tag, stamp, end, end - begin)
            return made
        finally:
            del self._making[key]


def _both(make: Callable[[], bytes]) -> tuple[bytes, bytes]:
    body = make()
    return body, packed(body)
