"""What an input costs as it grows: processor time, which no load beside it adds to, and memory.

The least of several measurements counts, and what looks dear is measured again before it is told. The limit for one
turn of the event loop is scaled by how long this machine takes for work of known size.
"""

import gc
import json
import math
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from time import process_time, thread_time
from typing import NamedTuple

LOOP_SECONDS = 0.020  # of one input on the event loop
WHOLE_SECONDS = 2.0  # of one input anywhere: a reader of large files takes some
MEMORY = 100_000_000  # bytes
CHEAP = 0.010  # seconds, below which it does not matter how something grows
STEEPEST = 1.55  # how often doubled for an input twice as large: 1 is linear, 2 quadratic
AGAIN = 4  # measurements of what looks dear
LONG = 0.3  # seconds, to which chance adds little
FAR = 5  # times the limit, which only what is loaded or made once adds
YARDSTICK_SECONDS = 0.0030  # that the yardstick takes on a machine of 2026


class Cost(NamedTuple):
    """Seconds in this thread, and in the whole process."""

    own: float
    whole: float

    def least(self, other: "Cost") -> "Cost":
        return Cost(min(self.own, other.own), min(self.whole, other.whole))


Feed = Callable[[bytes], object]


class Input(NamedTuple):
    """Something that grows: `made` gives it at a size of so many bytes, up to `most`."""

    name: str
    made: Callable[[int], bytes]
    most: int
    feed: Feed
    on_loop: bool = False


def yardstick() -> None:
    text = json.dumps([{"name": str(number), "value": [number] * 4} for number in range(500)])
    for _ in range(2):
        json.loads(text)


@cache
def slowness() -> float:
    """By how much this machine is slower than the one that the limits are for; never less than 1."""
    return max(1.0, min(_once(yardstick).own for _ in range(7)) / YARDSTICK_SECONDS)


def _once(work: Callable[[], object]) -> Cost:
    own, whole = thread_time(), process_time()
    work()
    return Cost(thread_time() - own, process_time() - whole)


def cost(given: Input, size: int, times: int = 1) -> Cost:
    made = given.made(size)
    found = _once(lambda: given.feed(made))
    for _ in range(times - 1):
        found = found.least(_once(lambda: given.feed(made)))
    return found


def sizes(most: int, step: int) -> list[int]:
    """From a few bytes to the most."""
    found = [most]
    while found[-1] // step >= 16:
        found.append(found[-1] // step)
    return found[::-1]


def too_dear(given: Input, step: int = 2) -> Iterator[str]:
    """What is wrong with the costs of an input that grows by that step; nothing if they are within their limits."""
    gc.collect()
    limit = (LOOP_SECONDS if given.on_loop else WHOLE_SECONDS) * slowness()
    known: dict[int, Cost] = {}
    for size in sizes(given.most, step):
        known[size] = cost(given, size)
        taken = _seconds(known[size], given)
        if taken > limit:  # the first time may have loaded something
            times = AGAIN if taken < FAR * limit else 1
            known[size] = known[size].least(cost(given, size, times))
            taken = _seconds(known[size], given)
        steep = [*_steep(given, known)]  # of a part already: what grows so is dear to be measured to its end
        if steep or taken > limit:
            yield from steep
            if not steep:
                yield f"{given.name}: {taken * 1000:.0f} ms for {size:,} bytes, at most {limit * 1000:.0f}"
            return


def _seconds(found: Cost, given: Input) -> float:
    return found.own if given.on_loop else found.whole


def _steep(given: Input, known: dict[int, Cost]) -> Iterator[str]:
    """More than linear, from a part to the whole: once as measured, then with what chance adds taken off."""
    least, most = min(known), max(known)
    part = next(size for size in known if size * 9 > most)
    for times in (0, AGAIN, 2 * AGAIN) if known[most].whole < LONG else (0, 1):
        for size in (least, part, most) if times else ():
            known[size] = known[size].least(cost(given, size, times))
        base, low, high = (known[size].whole for size in (least, part, most))
        if high - base < CHEAP * slowness() or part == most:
            return
        steepness = math.log((high - base) / max(low - base, high / 1e3)) / math.log(most / part)
        if steepness < STEEPEST:
            return
    yield (
        f"{given.name}: {low * 1000:.1f} ms for {part:,} bytes and {high * 1000:.1f} for {most:,}, "
        f"which is like the size to the power of {steepness:.1f}"
    )


def too_large(given: Input) -> Iterator[str]:
    """Whether an input of the largest size takes more memory than there is for it."""
    made = given.made(given.most)
    tracemalloc.start()
    try:
        given.feed(made)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    if peak > MEMORY:
        yield f"{given.name}: {peak / 1e6:.0f} MB for {len(made):,} bytes, at most {MEMORY / 1e6:.0f}"
