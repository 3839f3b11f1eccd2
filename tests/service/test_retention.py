"""What the store keeps for good, and what for a time: as docs/operating.md tells it."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from service.clocks import FakeClock
from service.houses import KEY, timed
from service.playing import play
from thirdcard.service.log.store import open_snapshot, open_store
from thirdcard.service.log.store.postgres_sql import STEPS
from thirdcard.service.log.store.tables import BACKED_UP
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.own_play import NO_BOUNDS

DOCS = Path(__file__).parents[2] / "docs" / "operating.md"
FOR_A_TIME = {"answers", "sessions", "accounts"}
LIMITS = msgspec.structs.replace(NO_BOUNDS, loss_day=1_000_00)
NOTED = {"streams", "events"}  # that a description was set and erased is in the journal


def tables(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as database:
        return {name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def rows(path: Path) -> dict[str, list[list[Any]]]:
    with open_snapshot(str(path)) as snapshot:
        return {table: list(snapshot.rows(table)) for table in BACKED_UP}


def test_every_table_of_a_store_has_its_rule_in_the_documentation(tmp_path: Path) -> None:
    open_store(str(tmp_path / "house.db")).close()
    section = (
        DOCS.read_text(encoding="utf-8")
        .partition("## What is kept, and for how long")[2]
        .partition("\n## ")[0]
    )
    first = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    told = [name for cell in first for name in re.findall(r"`(\w+)`", cell)]
    shared = {name for step in STEPS for name in re.findall(r"CREATE TABLE (\w+)", step)}
    assert sorted(told) == sorted(tables(tmp_path / "house.db") | shared)


@timed
async def test_after_ten_years_what_is_kept_for_good_is_there_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    await play(open_store(str(path)), rounds=2)
    clock = FakeClock()
    hall = Hall(open_store(str(path)), key=KEY, clock=clock, deals=False)
    await hall.start()
    hall.people.guest()
    await hall.change_limits("Wei", lambda own, now: own.asked(LIMITS, now))
    before = rows(path)
    await hall.describe("by-hand", "W-1", "a grey jacket", by="Dee")
    clock.wait(30 * 86_400)
    await hall.forget()
    assert len(rows(path)["personal"]) == len(before["personal"]) + 1, "no sooner"
    clock.wait(10 * 365 * 86_400)
    hall.people.tidy()
    await hall.forget()
    after = rows(path)
    await hall.stop()
    assert before["answers"]
    assert before["accounts"]
    assert before["personal"], "what people have set for themselves"
    for table in set(BACKED_UP) - NOTED:
        assert after[table] == ([] if table in FOR_A_TIME else before[table]), table
    assert after["events"][: len(before["events"])] == before["events"]
    assert len(after["streams"]) == len(before["streams"])
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM sessions").fetchone() == (0,)
