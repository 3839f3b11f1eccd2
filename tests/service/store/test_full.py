"""A full disk: refused cleanly, all that was acknowledged is kept, and it goes on when there is room."""

import contextlib
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.store.making import answer, append, hash_of
from thirdcard.service.log.anchor import Anchor, read_anchor
from thirdcard.service.log.store import sqlite
from thirdcard.service.log.store.model import Append, Done, Head, StoreFull
from thirdcard.service.log.store.sqlite import SqliteStore


def large(version: int) -> Append:
    return append("t", version, answers=(answer(str(version), text=bytes(20_000)),))


def fill(store: SqliteStore) -> int:
    """Commit until it is full; the versions that were acknowledged."""
    head = store.heads().get("t")
    version = head.version if head else 0
    for _ in range(1000):
        try:
            assert store.commit([large(version)]) == [Done()]
        except StoreFull:
            return version
        version += 1
    raise AssertionError("it never was full")


def check_kept(store: SqliteStore, version: int) -> None:
    assert store.heads() == ({"t": Head(version, hash_of("t", version))} if version else {})
    assert [event.version for event in store.read("t")] == list(range(1, version + 1))
    assert len(store.entries("t")) == 2 * version
    assert store.answered("Mei", str(version)) is None
    for answered in range(version):
        assert store.answered("Mei", str(answered)) is not None


@contextlib.contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file of this process may grow beyond a size: a write past it fails, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [600_000, 1_000_001, 1_500_123])
def test_a_file_that_cannot_grow(tmp_path: Path, size: int) -> None:
    path = tmp_path / "house.db"
    with contextlib.closing(SqliteStore(path)) as store:
        with largest_file(size):
            version = fill(store)
            assert version > 10
            check_kept(store, version)
            with pytest.raises(StoreFull):  # still
                store.commit([append("u"), large(version)])
            check_kept(store, version)
        assert store.commit([append("u"), large(version)]) == [Done(), Done()]
    with contextlib.closing(SqliteStore(path)) as again:
        assert again.heads()["t"].version == version + 1
        assert again.commit([large(version + 1)]) == [Done()]


def test_what_was_acknowledged_outlasts_a_full_disk_and_the_end_of_the_process(tmp_path: Path) -> None:
    """Nobody makes room, and the store is opened again with the log as it was left."""
    path = tmp_path / "house.db"
    with largest_file(700_000):
        store = SqliteStore(path)
        version = fill(store)
        for suffix in ("", "-wal"):
            Path(f"{tmp_path}/copy.db{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())
        store.close()
    with contextlib.closing(SqliteStore(tmp_path / "copy.db")) as copy:
        check_kept(copy, version)


def test_a_database_at_its_limit_of_pages(tmp_path: Path) -> None:
    connections: list[Any] = []

    def connect(path: str, *, read_only: bool) -> sqlite.Connection:
        connections.append(sqlite.connect(path, read_only=read_only))
        return connections[-1]  # type: ignore[no-any-return]

    with contextlib.closing(SqliteStore(tmp_path / "house.db", connect=connect)) as store:
        writer = connections[-1]
        writer.execute("PRAGMA max_page_count = 200")
        version = fill(store)
        assert version > 10
        check_kept(store, version)
        writer.execute("PRAGMA max_page_count = 4000")
        assert store.commit([large(version)]) == [Done()]


def test_an_anchor_without_room_is_written_when_there_is_some(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, key = tmp_path / "anchor", bytes(32)
    with contextlib.closing(Anchor(path, key)) as anchor:
        with largest_file(10_000):
            for version in range(1, 101):
                anchor.write(
                    {"t": Head(version, hash_of("t", version)), "u": Head(version, hash_of("u", version))}
                )
            assert anchor.behind
            held = read_anchor(path, key)
            assert 20 < held.latest["t"].version < 100
            assert held.problems == []
        anchor.write({"t": Head(101, hash_of("t", 101))})
        assert not anchor.behind
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"], "when it begins and ends"
    assert read_anchor(path, key).latest == {
        "t": Head(101, hash_of("t", 101)),
        "u": Head(100, hash_of("u", 100)),
    }
