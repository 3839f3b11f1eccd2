"""Items of every kind over all rulebooks and layouts, each held against the referee of the tests (`make school`).

`python bench/school_items.py 100000 pay rule` makes so many of these kinds; status 1 if an item is wrong, repeated
in a session or on average dearer than 5 ms.
"""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import islice
from pathlib import Path

import msgspec

from report import figure, sized
from thirdcard.rulebook import load, slugs
from thirdcard.school.item_types import KINDS, LEVELS, Item
from thirdcard.school.items import session, skills

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from school.referee import wrong  # noqa: E402 - it is the tests'

EACH = sized(100_000, 20)
SESSION = sized(100, 2)  # items of one seed
PART = 2_000  # of them at once, between two words of progress
AIM_MS = 5.0
SHOWN = 5


def tables(kind: str) -> Iterator[tuple[str, str]]:
    """Every rulebook and layout that has such items, sample books too."""
    for which in (*slugs(), *map(str, sorted((ROOT / "examples" / "rulebooks").glob("*.toml")))):
        for layout in load(which).layouts:
            if skills(kind, which, layout):
                yield which, layout


class Tally(msgspec.Struct):
    """Items that were made: how many of them wrong or repeated, seconds for all, and what is wrong."""

    made: int = 0
    bad: int = 0
    again: int = 0
    seconds: float = 0.0
    told: list[str] = []

    def add(self, other: "Tally") -> None:
        self.made += other.made
        self.bad += other.bad
        self.again += other.again
        self.seconds += other.seconds
        self.told += other.told


def shown(item: Item) -> bytes:
    """All that is seen of it, not the digest that `session` goes by."""
    return msgspec.json.encode((item.facts, [part.asks for part in item.parts]))


def run(kind: str, sessions: range, most: int) -> Tally:
    """These sessions of a kind, each at the next table, no more items than `most`."""
    places = list(tables(kind))
    tally = Tally()
    for number in sessions:
        again, place = divmod(number, len(places))
        which, layout = places[place]
        book = load(which)
        began = time.process_time()  # a session at once: asking for the time is dear on some systems
        asked = session(
            kind,
            book,
            f"bench {number}",
            layout=layout,
            decks=book.decks.min + again % 2,
            level=1 + (place + again) % LEVELS,
        )
        items = list(islice(asked, min(SESSION, most - tally.made)))
        tally.seconds += time.process_time() - began
        tally.made += len(items)
        tally.again += len(items) - len(set(map(shown, items)))
        for item in items:
            if faults := wrong(item, book):
                tally.bad += 1
                tally.told.append(
                    f"{kind} {book.slug} {layout} {item.seed}/{item.number} {item.skill}: {faults}"
                )
    return tally


def main(each: int = EACH, kinds: tuple[str, ...] = KINDS, jobs: int = 2) -> bool:
    reached = True
    with ProcessPoolExecutor(jobs) as pool:
        for kind in kinds:
            tally = Tally()
            work = [
                pool.submit(
                    run, kind, range(first // SESSION, (first + PART) // SESSION), min(PART, each - first)
                )
                for first in range(0, each, PART)
            ]
            for part in as_completed(work):
                tally.add(part.result())
                print(f"\r{kind}: {tally.made:,} of {each:,}", end="", file=sys.stderr, flush=True)
            print("\r" + " " * 40, end="\r", file=sys.stderr, flush=True)
            reached &= figure(
                f"{kind}: {tally.made:,} items",
                f"{tally.seconds * 1000 / tally.made:.2f} ms of processor time each, {tally.bad} wrong, "
                f"{tally.again} repeated in a session of {SESSION}",
                aim=f"none wrong, none repeated, under {AIM_MS:.0f} ms",
                compared="the same answers from the document's JSON, by code of their own",
                reached=tally.seconds * 1000 / tally.made <= AIM_MS,
                right=not tally.bad and not tally.again,
            )
            print("\n".join(tally.told[:SHOWN]), end="\n" if tally.told else "", flush=True)
    return reached


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(not main(int(given[0]) if given else EACH, tuple(given[1:]) or KINDS))
