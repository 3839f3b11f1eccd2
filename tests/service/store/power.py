"""Simulated power cuts under the SQLite store.

A run of commits is recorded write by write, sync by sync. An image is what a disk may hold after the power went at
some point of the run: all that was synced, and of what was not, any 512-byte sector in any of its versions since.
Every commit that had been acknowledged by then must be in the image.
"""

import contextlib
import random
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import apsw
import msgspec

from service.store.making import answer, append
from thirdcard.service.log.store.model import Append, Conflict, Done
from thirdcard.service.log.store.sqlite import Connection, SqliteStore

SECTOR = 512
COMMITS = 60
Mode = Literal["FULL", "NORMAL"]


class Write(msgspec.Struct, frozen=True):
    file: str
    offset: int
    data: bytes


class Truncate(msgspec.Struct, frozen=True):
    file: str
    size: int


class Delete(msgspec.Struct, frozen=True):
    file: str


class Sync(msgspec.Struct, frozen=True):
    file: str


class Acknowledged(msgspec.Struct, frozen=True):
    """A commit returned: the appends in it are promised."""

    appends: list[Append]


Step = Write | Truncate | Delete | Sync | Acknowledged


class Recorder(apsw.VFS):
    """The system's files, with every change noted."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.vfs_name = f"recorder-{id(self)}"
        super().__init__(self.vfs_name, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: ANN401, N802 - SQLite's names
        return RecordedFile(self.steps, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001, N802
        self.steps.append(Delete(Path(filename).name))
        super().xDelete(filename, syncdir)


class RecordedFile(apsw.VFSFile):
    def __init__(self, steps: list[Step], name: Any, flags: list[int]) -> None:  # noqa: ANN401
        self.steps = steps
        self.name = (
            Path(name.filename()).name if isinstance(name, apsw.URIFilename) else Path(name or "temp").name
        )
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        super().xWrite(data, offset)
        self.steps.append(Write(self.name, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        super().xTruncate(newsize)
        self.steps.append(Truncate(self.name, newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self.steps.append(Sync(self.name))


def record(seed: int, synchronous: Mode) -> list[Step]:
    """The steps of a store that commits to several streams, with many a checkpoint in between."""
    chance = random.Random(seed)  # noqa: S311 - a test
    recorder = Recorder()

    def connect(path: str, *, read_only: bool) -> Connection:  # noqa: ARG001
        connection = apsw.Connection(path, vfs=recorder.vfs_name)
        # This lets the log do without shared memory, which a file system of ours does not offer.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        connection.execute("PRAGMA wal_autocheckpoint = 40").fetchall()
        return connection

    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(
            SqliteStore(Path(folder) / "house.db", synchronous=synchronous, connect=connect)
        ) as store,
    ):
        versions: dict[str, int] = defaultdict(int)
        for number in range(COMMITS):
            appends = []
            for part in range(chance.choice((1, 1, 2, 5))):
                stream, count = f"table-{chance.randrange(8)}", chance.randrange(1, 4)
                key = answer(f"{number}.{part}", text=chance.randbytes(chance.randrange(2000)))
                appends.append(append(stream, versions[stream], count, answers=(key,)))
                versions[stream] += count
            assert store.commit(appends) == [Done()] * len(appends)
            recorder.steps.append(Acknowledged(appends))
        return list(recorder.steps)  # closing tidies up: no power is cut there


class Disk:
    """One file as the disk has it: what is synced for certain, and what may or may not have come that far."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.waiting: list[Write | Truncate] = []

    def sync(self) -> None:
        for step in self.waiting:
            self.apply(step)
        self.waiting.clear()

    def apply(self, step: Write | Truncate) -> None:
        if isinstance(step, Truncate):
            del self.data[step.size :]
            self.data.extend(bytes(step.size - len(self.data)))
        else:
            self.data.extend(bytes(max(0, step.offset - len(self.data))))
            self.data[step.offset : step.offset + len(step.data)] = step.data

    def cut(self, chance: random.Random) -> None:
        """The power goes: each sector that waits is dropped or kept for itself, later ones perhaps before earlier."""
        kept = chance.choice((0.05, 0.5, 0.95))
        for step in self.waiting:
            if isinstance(step, Truncate):
                if chance.random() < kept:
                    self.apply(step)
                continue
            start = 0
            while start < len(step.data):
                end = start + SECTOR - (step.offset + start) % SECTOR
                if chance.random() < kept:
                    self.apply(Write(step.file, step.offset + start, step.data[start:end]))
                start = end


def image(steps: Iterable[Step], folder: Path, chance: random.Random) -> list[Append]:
    """Write the files as they may be after those steps; what had been promised by then."""
    disks: dict[str, Disk] = defaultdict(Disk)
    promised: list[Append] = []
    for step in steps:
        match step:
            case Acknowledged(appends):
                promised += appends
            case Sync(file):
                disks[file].sync()
            case Delete(file):
                disks.pop(file, None)
            case Write(file) | Truncate(file):
                disks[file].waiting.append(step)
    for file, disk in disks.items():
        disk.cut(chance)
        (folder / file).write_bytes(disk.data)
    return promised


def faults(database: Path, promised: list[Append]) -> list[str]:
    """What is wrong with an image, opened by the SQLite that serves; nothing, if the promises were kept."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,):
            return [*found, *["all lost"] * bool(promised)]
        halves = connection.execute(
            "SELECT sum(cents) FROM postings GROUP BY seq HAVING sum(cents) <> 0"
        ).fetchall()
        found += ["half an event"] * bool(halves)
    with contextlib.closing(SqliteStore(database)) as store:
        logs = {stream: store.read(stream) for stream in store.heads()}
        for stream, head in store.heads().items():
            if [event.version for event in logs[stream]] != list(range(1, head.version + 1)):
                found.append(f"{stream} has gaps")
        for wanted in promised:
            stored = logs.get(wanted.stream, [])[wanted.expected :][: len(wanted.records)]
            answers = [store.answered(key.actor, key.key) for key in wanted.answers]
            if stored != list(wanted.records) or answers != list(wanted.answers):
                found.append(f"{wanted.stream} lost what was acknowledged after version {wanted.expected}")
        if store.commit([append("table-0", 10**6)]) != [Conflict()]:
            found.append("it does not go on")
    return found


def cut_power(count: int, synchronous: Mode, *, seed: int = 1, progress: bool = False) -> list[list[str]]:
    """The faults of so many images, each cut at a random point of a run; a new run for every 500."""
    chance = random.Random(seed)  # noqa: S311
    found = []
    steps: list[Step] = []
    for number in range(count):
        if number % 500 == 0:
            steps = record(chance.randrange(2**32), synchronous)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            promised = image(steps[: chance.randrange(len(steps) + 1)], folder, chance)
            if (folder / "house.db").exists():
                found.append(faults(folder / "house.db", promised))
            else:
                found.append(["all lost"] * bool(promised))
        if progress and (number + 1) % 500 == 0:
            bad = sum(map(bool, found))
            print(f"{synchronous}: {number + 1} of {count} images, {bad} with faults", flush=True)  # noqa: T201
    return found
