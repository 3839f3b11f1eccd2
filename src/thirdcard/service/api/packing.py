"""Answers go out compressed where that is understood, large ones packed away from the event loop.

What many ask for and changes all the time is made once for all of them (`Copies`).
"""

import asyncio
import contextvars
import gzip
from collections.abc import Callable, Hashable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from time import thread_time
from typing import Any

import msgspec

from thirdcard.service.clock import Clock
from thirdcard.service.turns import Caller, Workers

WORTH_PACKING = 1_000  # bytes
LARGE = 8_192  # bytes that take about as long to compress as all else that is done for a request
LEVEL = 5
PACKED = (b"text/html", b"application/json", b"application/vnd.oai.openapi+json")
REFUSED = {"q=0", "q=0.0", "q=0.00", "q=0.000"}

_packer = ThreadPoolExecutor(1, thread_name_prefix="packer")


def packs(accepted: str) -> bool:
    """Whether gzip is understood: named in `Accept-Encoding`, and not refused by `q=0`."""
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() in {"gzip", "*"}:
            return weight.replace(" ", "") not in REFUSED
    return False


def packed(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)


def worth_packing(start: Mapping[str, Any]) -> bool:
    """Text that is not compressed yet."""
    headers = {name.lower(): value for name, value in start["headers"]}
    kind = headers.get(b"content-type", b"").partition(b";")[0]
    return kind in PACKED and b"content-encoding" not in headers


async def pack(start: MutableMapping[str, Any], body: bytes, caller: Caller) -> bytes:
    """The body as it goes out, and its headers with it."""
    if len(body) < LARGE:
        body = packed(body)
    else:
        body, seconds = await asyncio.get_running_loop().run_in_executor(_packer, _timed, body)
        caller.spend(seconds)
    kept = [
        (name, value) for name, value in start["headers"] if name.lower() not in {b"content-length", b"vary"}
    ]
    vary = next((value for name, value in start["headers"] if name.lower() == b"vary"), b"")
    if b"accept-encoding" not in vary.lower():
        vary = b", ".join(filter(None, (vary, b"Accept-Encoding")))
    size = str(len(body)).encode()
    start["headers"] = [*kept, (b"vary", vary), (b"content-encoding", b"gzip"), (b"content-length", size)]
    return body


def _timed(body: bytes) -> tuple[bytes, float]:
    begin = thread_time()
    return packed(body), thread_time() - begin


# Copies -----------------------------------------------------------------------------------------------


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
