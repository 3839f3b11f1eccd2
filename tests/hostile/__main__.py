"""Everything that comes from outside grown up to its limit, and what it costs: python -m hostile [--only PART].

Prints what is too dear, what takes too much memory and what is answered as a fault; status 1 if there is any.
"""

import argparse
import logging
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from hostile import faults, inputs
from hostile.house import House
from hostile.measuring import Input, too_dear, too_large


def everything(folder: Path, house: House) -> Iterator[Input]:
    yield from inputs.texts()
    yield from inputs.lines()
    yield from inputs.files(folder, inputs.evidence())
    yield from inputs.heads(house)
    for role in ("player", "dealer", "auditor"):
        yield from inputs.messages(house, role)
    for route in house.routes:
        house.people_as_before()
        yield from inputs.requests(house, route)


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="inputs whose names have this in them")
    parser.add_argument("--step", type=int, default=4, help="how many times as large the next one is")
    parser.add_argument("--one-in", type=int, default=1, help="one in so many of all that there is")
    given = parser.parse_args()
    found, count, last = list[str](), 0, time.monotonic()
    logging.getLogger("litestar").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder, House() as house:
        for number, one in enumerate(everything(Path(folder), house)):
            if given.only not in one.name or number % given.one_in:
                continue
            count += 1
            house.people_as_before()
            for wrong in [*too_dear(one, given.step)] or too_large(one):
                found.append(wrong)
                say(wrong)
            if time.monotonic() - last > 20:
                last = time.monotonic()
                say(f"{count} inputs, at {one.name}")
        for told in faults.told(house, lambda _: given.one_in):
            found.append(told)
            say(told)
        routes = len(house.routes)
    say(
        f"{count} inputs grown, {routes} routes asked at every edge: {len(found)} are too dear or end in a fault"
    )
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
