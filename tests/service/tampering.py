"""Copies of a house that was played in, to be tampered with and audited."""

import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from service.playing import KEY, Log, logged, played
from thirdcard.service.audit import AuditReport, audit, audit_store
from thirdcard.service.log.codec import chained, event_of
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.store import open_snapshot
from thirdcard.service.log.store.model import GENESIS
from thirdcard.service.log.store.rows import RECORD, as_record
from thirdcard.service.log.store.sqlite import SqliteStore

FILES = ("house.db", "house.db.key", "house.db.anchor")


def make(folder: Path, **how: Any) -> Path:  # noqa: ANN401 - as `played` takes it
    """A database with its key and its anchor."""
    db = folder / FILES[0]
    played(SqliteStore(db, synchronous="NORMAL"), folder / FILES[2], **how)
    (folder / FILES[1]).write_text(KEY.hex(), encoding="ascii")
    (folder / FILES[1]).chmod(0o600)
    return db


class Copy:
    """A copy of a house: whatever is done to it, `problems` are what the audit then says."""

    def __init__(self, original: Path, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        for name in FILES:
            shutil.copy(original.parent / name, folder / name)
        self.db, self.key, self.anchor = (folder / name for name in FILES)

    def audited(self) -> AuditReport:
        return audit(str(self.db), key=self.key, anchors=[self.anchor])

    @property
    def problems(self) -> list[str]:
        return [f"{one.table}/{one.event}/{one.round}: {one.what}" for one in self.audited().problems]

    @property
    def unanchored(self) -> list[str]:
        """What is found without the anchors."""
        with open_snapshot(str(self.db)) as snapshot:
            return [one.what for one in audit_store(snapshot, (), KEY).problems]

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
        rows = self.ask(f"SELECT {RECORD} FROM events WHERE stream = ? ORDER BY version", stream)  # noqa: S608
        records = [one for one in map(as_record, rows) if one.name != "checkpointed"]
        return [(event_of(one), one.at, one.by) for one in records]

    def rehash(self, stream: str) -> None:
        """The chain of a log made good again, whatever its events now say."""
        before = GENESIS
        for row in self.ask(f"SELECT {RECORD} FROM events WHERE stream = ? ORDER BY version", stream):  # noqa: S608
            stored = as_record(row)
            before = chained(before, stored)
            place = (stream, stored.version)
            self.ask("UPDATE events SET hash = ? WHERE stream = ? AND version = ?", before, *place)
        self.ask("UPDATE streams SET head = ? WHERE stream = ?", before, stream)

    def drop(self, stream: str, *, tables: Sequence[str] = ()) -> None:
        """Everything of a stream, but for its sealed shoes."""
        self.ask("DELETE FROM postings WHERE seq IN (SELECT seq FROM events WHERE stream = ?)", stream)
        for name in ("events", "streams", "rounds", "round_players", "event_index", "checkpoints", *tables):
            self.ask(f"DELETE FROM {name} WHERE stream = ?", stream)  # noqa: S608
        with closing(sqlite3.connect(self.db)) as connection, connection:
            for place, (seq,) in enumerate(
                connection.execute("SELECT seq FROM events ORDER BY seq").fetchall(), 1
            ):
                connection.execute("UPDATE events SET seq = ? WHERE seq = ?", (place, seq))
                connection.execute("UPDATE postings SET seq = ? WHERE seq = ?", (place, seq))

    def rewrite(self, stream: str, log: Log) -> None:
        """A log as if it had always been this one: hashes, ledger and recall are all in order."""
        self.ask("DELETE FROM answers")  # of these it is told too, once a log does not hold their events
        self.drop(stream)
        store = SqliteStore(self.db, synchronous="NORMAL")
        store.commit([logged(stream, log)])
        store.close()


def changed(log: Log, kind: type[Logged], change: Callable[[Any], Any], which: int = -1) -> Log:
    """The log with the last, or another, event of that kind changed."""
    places = [place for place, (event, *_) in enumerate(log) if isinstance(event, kind)]
    place = places[which]
    event, at, by = log[place]
    return [*log[:place], (change(event), at, by), *log[place + 1 :]]


replace = msgspec.structs.replace
