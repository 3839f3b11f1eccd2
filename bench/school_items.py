"""Items of every kind over all rulebooks and layouts, each held against the referee of the tests (`make school`).

`python bench/school_items.py 100000 pay rule` makes so many of these kinds; status 1 if an item is wrong, repeated
in a session or on average dearer than 5 ms.
"""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import msgspec

from report import figure, machine
from thirdcard.rulebook import load, slugs
from thirdcard.school.items import KINDS, LEVELS, make, skills

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from school.referee import wrong  # noqa: E402 - it is the tests'

EACH = 100_000
SESSION = 100  # items of one seed
AIM_MS = 5.0
SHOWN = 5


def tables(kind: str) -> Iterator[tuple[str, str]]:
    """Every rulebook and layout that has such items, sample books too."""
    for which in (*slugs(), *map(str, sorted((ROOT / "examples" / "rulebooks").glob("*.toml")))):
        for layout in load(which).layouts:
            if skills(kind, which, layout):
                yield which, layout


def run(kind: str, each: int) -> tuple[str, int, int, int, float, list[str]]:
    """How many items, how many of them wrong or repeated, milliseconds for each, and what is wrong."""
    places = list(tables(kind))
    made, bad, again, spent = 0, 0, 0, 0.0
    told: list[str] = []
    session, seen = 0, set[bytes]()
    while made < each:
        which, layout = places[session % len(places)]
        book = load(which)
        seen.clear()
        for number in range(min(SESSION, each - made)):
            level = 1 + (number + session) % LEVELS
            began = time.process_time()
            item = make(
                kind,
                book,
                f"bench {session}",
                number,
                layout=layout,
                decks=book.decks.min + session % 2,
                level=level,
            )
            spent += time.process_time() - began
            made += 1
            text = msgspec.json.encode(item.facts)
            again += text in seen
            seen.add(text)
            faults = wrong(item, book)
            bad += bool(faults)
            if faults and len(told) < SHOWN:
                told.append(f"{kind} {book.slug} {layout} bench {session}/{number} level {level}: {faults}")
        session += 1
    return kind, made, bad, again, spent * 1000 / made, told


def main(each: int = EACH, kinds: tuple[str, ...] = KINDS, jobs: int = 2) -> bool:
    reached = True
    with ProcessPoolExecutor(jobs) as pool:
        for done in as_completed([pool.submit(run, kind, each) for kind in kinds]):
            kind, made, bad, again, ms, told = done.result()
            reached &= figure(
                f"{kind}: {made:,} items",
                f"{ms:.2f} ms of processor time each, {bad} wrong, {again} repeated in a session of {SESSION}",
                aim=f"none wrong, none repeated, under {AIM_MS:.0f} ms",
                compared="the same answers from the document's JSON, by code of their own",
                reached=not bad and not again and ms <= AIM_MS,
            )
            print("\n".join(told), end="\n" if told else "", flush=True)
    return reached


if __name__ == "__main__":
    given = sys.argv[1:]
    print(f"{machine()}\n")
    sys.exit(not main(int(given[0]) if given else EACH, tuple(given[1:]) or KINDS))
