"""The logs of a database as tables: what the store has, and nothing that nobody has seen."""

from pathlib import Path

import pytest

from cli.running import complaint, thirdcard
from service.houses import DEE, WEI, bet, betting, cards, did, made, running, set_up, timed
from thirdcard.data import read_table
from thirdcard.errors import BadInput
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.log.store.sqlite import SqliteStore
from thirdcard.service.queries.whole_logs import LoggedEvents, LoggedPostings
from thirdcard.service.tables import plans
from thirdcard.table import commands

ROUND = "9C 4H 9D 2S"  # 8 against 6: no more cards


async def played(db: Path) -> None:
    """One table with a round that is settled, another with cards face down that nobody has turned."""
    store = SqliteStore(str(db), synchronous="NORMAL")
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        await did(engine, WEI, bet())
        await did(engine, DEE, commands.Close(by="Dee"))
        for card in cards(ROUND):
            await did(engine, DEE, commands.Draw(by="Dee", card=card))
        await did(engine, DEE, commands.Settle(by="Dee"))
        hidden = set_up(method="face-down", device="reader")
        await engine.ask(
            "two", plans.create("two", "staff", hidden, pace=Pace(), live_odds=False), actor=SYSTEM
        )
        await engine.ask("two", plans.sit_down(WEI, 1, 10_000_00), actor="Wei")
        await betting(engine, "two")
        await did(engine, WEI, bet(), table="two")
        await did(engine, DEE, commands.Close(by="Dee"), table="two")
        await did(engine, DEE, commands.Draw(by="Dee", card=cards("7H")[0]), table="two")
    store.close()


@pytest.mark.slow
@timed
async def test_what_the_store_has_and_nothing_that_nobody_has_seen(tmp_path: Path) -> None:
    db = tmp_path / "house.db"
    await played(db)
    store = SqliteStore(str(db))
    kept = {name: store.read(name) for name in ("one", "two")}
    entries = {name: store.entries(name) for name in kept}
    store.close()
    events, postings = LoggedEvents(str(db)).to_frame(), LoggedPostings(str(db)).to_frame()
    rows = events.to_pylist()
    assert [(row["table"], row["version"], row["event"]) for row in rows] == [
        (name, one.version, one.name) for name, log in kept.items() for one in log
    ]
    whole = [row for row in rows if row["table"] == "one"]
    assert [(row["body"], row["hash"]) for row in whole] == [
        (one.body.decode(), one.hash.hex()) for one in kept["one"]
    ]
    drawn = kept["two"][-1]
    assert b"7H" in drawn.body
    assert "7H" not in str(rows)
    assert drawn.hash.hex() not in str(rows)
    assert [row["cents"] for row in postings.to_pylist() if row["table"] == "one"] == [
        one.cents for one in entries["one"]
    ]
    assert sum(postings["cents"].to_pylist()) == 0
    with pytest.raises(BadInput, match="there is no table 'three': expected one of one, two"):
        LoggedEvents(str(db), "three").to_frame()

    for extra, count in (((), len(rows)), (("--postings", "--table", "one"), len(entries["one"]))):
        out = tmp_path / "out.parquet"
        done = thirdcard("export", str(db), *extra, "--out", str(out))
        assert (done.returncode, done.stderr) == (0, "")
        assert read_table(out).num_rows == count
    assert "of no known kind" in complaint("export", str(db), "--out", "events.txt")
