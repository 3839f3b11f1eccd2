"""Answers go out compressed where that is understood; large ones are compressed away from the event loop."""

import asyncio
import gzip
from collections.abc import Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from time import thread_time
from typing import Any

from thirdcard.service.turns import Caller

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
