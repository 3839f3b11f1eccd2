"""Copies of a house that was played in, to be tampered with and audited.

`python tests/service/tampering.py 1000` changes a thousand bits of a database, one at a time.
"""

import asyncio
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgspec
import pytest

from service.clocks import START, FakeClock
from service.playing import KEY, House, Log, logged, played, seeded_shoes
from thirdcard.errors import BadInput
from thirdcard.rulebook import load
from thirdcard.school.exams import ExamPart, ExamPlan
from thirdcard.school.items import make as make_item
from thirdcard.school.progress import name_of
from thirdcard.service import audit as auditing
from thirdcard.service.audit import AuditReport, anchor_all, audit, audit_store
from thirdcard.service.audit.uncovered import UNCOVERED
from thirdcard.service.keys import subkey
from thirdcard.service.learning import exam_room, learners
from thirdcard.service.log.anchor import Anchor
from thirdcard.service.log.codec import asked_by, chained, event_of
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.store import open_beside, open_snapshot, open_store
from thirdcard.service.log.store.model import GENESIS, StoreDown, Wallet
from thirdcard.service.log.store.results import Tallies, results_of
from thirdcard.service.log.store.sqlite import SqliteStore
from thirdcard.service.log.store.tables import EVENTS, ROUNDS, TALLIES, WALLETS, Table
from thirdcard.service.people.console import add_rulebook, people_of
from thirdcard.service.tables import checkpoint, wallets
from thirdcard.service.tables.hall import Hall

replace = msgspec.structs.replace

PASSWORD = "correct horse battery"  # noqa: S105 - of nobody
BOOKS = Path(__file__).parents[2] / "examples" / "rulebooks"
ROWS = "rows"  # instead of a column: whether they are there
LISTED = {(one.table, column) for one in UNCOVERED for column in (*one.columns, *([ROWS] * one.rows))}
FILES = ("house.db", "house.db.key", "house.db.anchor")


def make(folder: Path, **how: Any) -> Path:  # noqa: ANN401 - as `played` takes it
    """A database with its key and its anchor."""
    db = folder / FILES[0]
    played(SqliteStore(db, synchronous="NORMAL"), folder / FILES[2], **how)
    (folder / FILES[1]).write_text(KEY.hex(), encoding="ascii")
    (folder / FILES[1]).chmod(0o600)
    return db


def make_whole(folder: Path) -> Path:
    """A small house that has something of everything: checkpoints, people of all kinds, a rulebook, signatures."""
    where = str(folder / FILES[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint, "EVERY", 25)
        asyncio.run(_play_little(where))
    with people_of(where) as people:
        for name, role in (("Ada", "administrator"), ("Dee", "dealer"), ("Wei", "player")):
            people.register(name, PASSWORD, role)
        people.set_role("Dee", "auditor")
        people.begin_codes("Ada", PASSWORD, origin="192.0.2.1")
        guest, _ = people.guest()
        people.become_account(guest.name, "Tan", PASSWORD)
        people.set_nickname("Tan", "Tiger")
    asyncio.run(_learn_a_little(where))
    with people_of(where) as people:
        people.sign_in("Wei", PASSWORD, origin="192.0.2.1")
    add_rulebook(where, "game.toml", load(next(iter(sorted(BOOKS.glob("*.toml"))))))
    with closing(open_store(where)) as server, closing(open_beside(where)) as beside:
        assert server.heads()
        beside.leave_note(b"for the journal")
    (folder / FILES[1]).write_text(KEY.hex(), encoding="ascii")
    (folder / FILES[1]).chmod(0o600)
    with (
        closing(open_store(where)) as store,
        closing(Anchor(folder / FILES[2], subkey(KEY, "anchor"))) as anchor,
    ):
        anchor_all(store, anchor)
    return folder / FILES[0]


async def _play_little(where: str) -> None:
    async with House(open_store(where)) as house:
        with seeded_shoes(house.random):
            await house.play("tiger", 3)
            await house.play_by_hand("by-hand")
        await house.hall.keep_document(load("mbs-tiger-v2"), "1.1 Its words.", by="Ada")
        await house.hall.note_heads()


async def _learn_a_little(where: str) -> None:
    """Somebody practises and sits an exam."""
    clock = FakeClock()
    hall = Hall(open_store(where), key=KEY, clock=clock, deals=False)
    await hall.start()
    item = make_item("third-card", "mbs-tiger-v2", "eight", 0)
    await learners.answer(hall, "Wei", learners.GivenAnswer(item=name_of(item), answers={}))
    part = ExamPart(kind="third-card", items=1)
    plan = ExamPlan(title="Sample", rulebook="mbs-tiger-v2", layout="A", decks=8, parts=(part,))
    now = clock.wall()
    exam = await exam_room.make_exam(hall, plan, {"Wei": 0}, opens=now, closes=now + 10**9, by="Ada")
    await exam_room.begin(hall, exam, "Wei")
    await exam_room.finish(hall, exam, "Wei")
    await hall.stop()
    hall.engine.store.close()


class Copy:
    """A copy of a house: whatever is done to it, `problems` are what the audit then says."""

    def __init__(self, original: Path, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        for name in FILES:
            shutil.copy(original.parent / name, folder / name)
        self.db, self.key, self.anchor = (folder / name for name in FILES)

    def audited(self, *heads: Path) -> AuditReport:
        """The audit on the day on which the house was played in."""
        return audit(str(self.db), key=self.key, anchors=[self.anchor], heads=heads, now=START)

    @property
    def problems(self) -> list[str]:
        return [f"{one.table}/{one.event}/{one.round}: {one.what}" for one in self.audited().problems]

    @property
    def unanchored(self) -> list[str]:
        """What is found without the anchors, when no answer has to be kept any more."""
        with open_snapshot(str(self.db)) as snapshot:
            return [one.what for one in audit_store(snapshot, (), KEY, now=2 * START).problems]

    def ask(self, sql: str, *parameters: Any) -> list[Any]:  # noqa: ANN401 - rows
        """Rows of a statement; what it changes is changed."""
        with closing(sqlite3.connect(self.db)) as connection, connection:
            return connection.execute(sql, parameters).fetchall()

    def edit(self, sql: str) -> int:
        """How many rows a statement changes."""
        with closing(sqlite3.connect(self.db)) as connection, connection:
            connection.execute(sql)
            return connection.total_changes

    def log(self, stream: str) -> Log:
        """What a log says; whoever writes it anew makes checkpoints of their own."""
        rows = self.ask(f"SELECT {EVENTS.own} FROM events WHERE stream = ? ORDER BY version", stream)  # noqa: S608
        records = [one for one in map(EVENTS.made, rows) if one.name != "checkpointed"]
        return [(event_of(one), one.at, one.by) for one in records]

    def rehash(self, stream: str) -> None:
        """The chain of a log made good again, whatever its events now say."""
        before = GENESIS
        for row in self.ask(f"SELECT {EVENTS.own} FROM events WHERE stream = ? ORDER BY version", stream):  # noqa: S608
            stored = EVENTS.made(row)
            before = chained(before, stored)
            place = (stream, stored.version)
            self.ask("UPDATE events SET hash = ? WHERE stream = ? AND version = ?", before, *place)
        self.ask("UPDATE streams SET head = ? WHERE stream = ?", before, stream)

    def drop(self, stream: str, *, tables: Sequence[str] = ()) -> None:
        """Everything of a stream, but for its sealed shoes."""
        self.ask("DELETE FROM postings WHERE seq IN (SELECT seq FROM events WHERE stream = ?)", stream)
        for name in (
            "events",
            "streams",
            "rounds",
            "round_players",
            "results",
            "event_index",
            "marks",
            "quarters",
            "checkpoints",
            *tables,
        ):
            self.ask(f"DELETE FROM {name} WHERE stream = ?", stream)  # noqa: S608
        with closing(sqlite3.connect(self.db)) as connection, connection:
            for place, (seq,) in enumerate(
                connection.execute("SELECT seq FROM events ORDER BY seq").fetchall(), 1
            ):
                connection.execute("UPDATE events SET seq = ? WHERE seq = ?", (place, seq))
                connection.execute("UPDATE postings SET seq = ? WHERE seq = ?", (place, seq))

    def rewrite(self, stream: str, log: Log) -> None:
        """A log as if it had always been this one: hashes, ledger and recall are all in order."""
        ended = {asked for (asked,) in self.ask("SELECT asked FROM events WHERE stream = ?", stream)}
        for actor, key, digest in self.ask("SELECT actor, key, digest FROM answers"):
            if asked_by(actor, key, digest) in ended:
                self.ask("DELETE FROM answers WHERE actor = ? AND key = ?", actor, key)
        self.ask("DELETE FROM answers WHERE CAST(answer AS TEXT) LIKE '%refusal%'")  # of any version
        self.drop(stream)
        store = SqliteStore(self.db, synchronous="NORMAL")
        store.commit([logged(stream, log)])
        store.close()
        self.sum_up()

    def sum_up(self) -> None:
        """Wallets and sums put in order, whatever the logs now say."""
        streams = [stream for (stream,) in self.ask("SELECT stream FROM streams")]
        purses, tallies = dict[str, Wallet](), Tallies()
        for event in (event for stream in streams for event, _, _ in self.log(stream)):
            for name, cents in wallets.moved_by(event).items():
                before = purses.get(name, Wallet(name=name, cents=0, version=0))
                purses[name] = wallets.after(before, event, cents)
        for row in self.ask("SELECT number, at, players, body FROM rounds"):
            for one in results_of(ROUNDS.made(row)):
                tallies.add(one, 0)
        summed_up: tuple[tuple[Table[Any], Iterable[Any]], ...] = (
            (WALLETS, purses.values()),
            (TALLIES, tallies.rows()),
        )
        for table, rows in summed_up:
            self.ask(f"DELETE FROM {table.name}")  # noqa: S608
            for row in rows:
                self.ask(table.insert, *table.values(row))


def changed(log: Log, kind: type[Logged], change: Callable[[Any], Any], which: int = -1) -> Log:
    """The log with the last, or another, event of that kind changed."""
    places = [place for place, (event, *_) in enumerate(log) if isinstance(event, kind)]
    place = places[which]
    event, at, by = log[place]
    return [*log[:place], (change(event), at, by), *log[place + 1 :]]


# The file itself -------------------------------------------------------------------------------------------


def contents(db: Path) -> dict[str, list[Any]]:
    """Every row but for what the audit does not cover."""
    found = {}
    with closing(sqlite3.connect(db)) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            covered = ", ".join(f'"{name}"' for name in names if (table, name) not in LISTED)
            if not covered:
                continue
            which = "CAST(answer AS TEXT) LIKE '%events%'" if table == "answers" else "true"
            rows = connection.execute(f"SELECT {covered} FROM {table} WHERE {which}").fetchall()  # noqa: S608
            found[table] = sorted(rows, key=repr)
    return found


def unnoticed(house: Copy, before: dict[str, list[Any]]) -> bool:
    """Whether the audit is content with a file that holds something else than it did."""
    try:
        if house.audited().problems:
            return False
    except (BadInput, StoreDown):
        return False
    return contents(house.db) != before


def flipped(original: Path, folder: Path, chance: random.Random) -> Copy:
    """A house with one bit of its database changed."""
    house = Copy(original, folder)
    data = bytearray(house.db.read_bytes())
    place = chance.randrange(len(data))
    data[place] ^= 1 << chance.randrange(8)
    house.db.write_bytes(data)
    return house


def main() -> None:
    """So many bits, one at a time."""
    many = int(sys.argv[1])
    vars(auditing)["NOTED_WITHIN"] = 0.0
    with tempfile.TemporaryDirectory() as folder:
        original = make_whole(Path(folder))
        chance, before = random.Random(), contents(original)  # noqa: S311 - sample damage
        for number in range(many):
            house = flipped(original, Path(folder) / "copy", chance)
            if unnoticed(house, before):
                kept = Path(tempfile.mkdtemp(prefix="thirdcard-unnoticed-"))
                shutil.copytree(house.db.parent, kept, dirs_exist_ok=True)
                sys.exit(f"bit {number}: something was changed and not noticed, see {kept}")
    sys.stdout.write(f"{many} bits were changed, and nothing by them that was not noticed.\n")


if __name__ == "__main__":
    main()
