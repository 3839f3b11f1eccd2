"""A shift of fifty tables out of a week: every figure of the desk, and the day and the week that it is part of."""

import random
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from report import figure, sized
from thirdcard.rulebook import digest_of, load
from thirdcard.rulebook.forms import canonical
from thirdcard.service.log.store.model import Append, QuarterSum, RulebookText
from thirdcard.service.log.store.sqlite import SqliteStore
from thirdcard.service.queries.shift_desk import PHASES, ShiftTables, shift_desk
from thirdcard.service.tables.house_day import USUAL, ShiftTime, shift_time, week
from thirdcard.service.tables.quarters import QUARTER, SQUARE_DOLLAR, is_side_bet

TABLES, DAYS = sized((50, 7), (3, 1))
BETS, ROUNDS = 8, 12
BOOKS = tuple(
    load(slug) for slug in ("mbs-tiger-v2", "rws-commission-insurance-v5", "rws-tiger-buffalo-commission-v2")
)
FIRST = date(2026, 11, 9)
KNOWN = ShiftTables(titles={}, lives={})
AIM_SECONDS = 1.0
RUNS = sized(5, 1)


def sums(chance: random.Random, table: int, at: int) -> Iterator[QuarterSum]:
    """A quarter with a dozen rounds, on as many bets as people choose among."""
    book = BOOKS[table % len(BOOKS)]
    basis = f"|8|{digest_of(book)}"
    stakes = sorted((bet, chance.randint(50, 5_000) * 100) for bet in list(book.bets)[:BETS])
    yield QuarterSum(at, "rounds", ROUNDS)
    yield QuarterSum(at, "win", chance.randint(-500_000, 520_000))
    yield QuarterSum(at, "drop", chance.randint(0, 1_000_000))
    yield QuarterSum(at, "staked", sum(cents for _, cents in stakes))
    yield QuarterSum(at, "boxes", ROUNDS * 4)
    yield QuarterSum(at, "side-boxes", ROUNDS)
    for phase in PHASES:
        yield QuarterSum(at, f"time:{phase}", QUARTER // len(PHASES))
    yield QuarterSum(at, "room", QUARTER * 7)
    yield QuarterSum(at, "seats", QUARTER * 4)
    for place, (bet, cents) in enumerate(stakes):
        yield QuarterSum(at, f"staked:{bet}{basis}", cents * ROUNDS)
        yield QuarterSum(at, f"won:{bet}", chance.randint(-100_000, 110_000))
        if is_side_bet(bet):
            yield QuarterSum(at, f"boxes:{bet}", ROUNDS)
        for other, more in stakes[place:]:
            yield QuarterSum(at, f"product:{bet}*{other}{basis}", cents * more * ROUNDS // SQUARE_DOLLAR)


def fill(store: SqliteStore) -> int:
    chance, rows = random.Random(3), 0  # noqa: S311 - sample data
    texts = tuple(RulebookText(digest_of(book), canonical(book)) for book in BOOKS)
    since = shift_time(USUAL, FIRST).since
    for at in range(since, since + DAYS * 24 * 4 * QUARTER, QUARTER):
        made = [
            Append(stream=f"table-{n}", expected=0, quarters=tuple(sums(chance, n, at)), texts=texts)
            for n in range(TABLES)
        ]
        store.commit(made)
        rows += sum(len(one.quarters) for one in made)
    return rows


def main() -> bool:
    good = True
    last = FIRST + timedelta(days=DAYS - 1)
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "shift.db", synchronous="NORMAL")
        rows = fill(store)
        print(f"{rows:,} sums of {TABLES} tables in {DAYS} days\n")
        first = _seconds(store, shift_time(USUAL, last, "B"))
        for told, asked, aim in (
            ("a shift", shift_time(USUAL, last, "B"), AIM_SECONDS),
            ("a shift of the first day", shift_time(USUAL, FIRST, "A"), AIM_SECONDS),
            ("a day", shift_time(USUAL, last), AIM_SECONDS * 3),
            ("a week", week(USUAL, last), AIM_SECONDS * 20),
        ):
            median = sorted(_seconds(store, asked) for _ in range(RUNS))[RUNS // 2]
            good &= figure(
                f"shift desk: {told}, {TABLES} tables",
                f"{median * 1000:,.0f} ms",
                aim=f"{aim:.0f} s",
                compared=f"the first time after a start, with edges to be counted: {first:.1f} s",
                reached=median <= aim,
            )
        store.close()
    return good


def _seconds(store: SqliteStore, asked: ShiftTime) -> float:
    begun = time.process_time()
    found = shift_desk(store, KNOWN, USUAL, asked, now=asked.until)
    took = time.process_time() - begun
    if len(found.tables) != TABLES or not found.total.expected:
        raise RuntimeError("it is not the shift that was asked for")
    return took


if __name__ == "__main__":
    sys.exit(not main())
