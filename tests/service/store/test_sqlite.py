"""What is SQLite's own: the file, who may open it, and what a connection may do wrong."""

import contextlib
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from service.store.making import append
from thirdcard.errors import BadInput
from thirdcard.service.log.store import open_beside, sqlite
from thirdcard.service.log.store.model import Account, Done, Head, LeftNote, PostingRow, StoreDown
from thirdcard.service.log.store.sqlite import BesideServer, SqliteSnapshot, SqliteStore
from thirdcard.service.log.store.sqlite_sql import APPLICATION, STEPS


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "house.db"


def run(path: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(statement)


def test_only_its_owner_may_read_it(path: Path) -> None:
    with contextlib.closing(SqliteStore(path)) as store:
        store.commit([append("t")])
        files = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert files == dict.fromkeys(["house.db", "house.db-wal", "house.db-shm", "house.db.lock"], 0o600)


def test_it_syncs_at_every_commit(path: Path) -> None:
    connections: list[Any] = []

    def connect(path: str, *, read_only: bool) -> sqlite.Connection:
        connections.append(sqlite.connect(path, read_only=read_only))
        return connections[-1]  # type: ignore[no-any-return]

    with contextlib.closing(SqliteStore(path, connect=connect)):
        asked = [
            connections[-1].execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert asked == ["wal", 2, 1]


class Counted:
    """A connection that fails at a statement, and tells whether it was closed."""

    def __init__(self, path: str, at: str, *, read_only: bool) -> None:
        self._real, self._at, self.closed = sqlite.connect(path, read_only=read_only), at, False

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._real, name)

    def execute(self, sql: str, parameters: Any = ()) -> Any:  # noqa: ANN401
        if self._at and self._at in sql:
            raise sqlite3.OperationalError("disk I/O error")
        return self._real.execute(sql, parameters)

    def close(self) -> None:
        self._real.close()
        self.closed = True


@pytest.mark.parametrize("at", ["synchronous", "query_only", ""])
def test_whatever_fails_no_connection_stays_open(path: Path, at: str) -> None:
    made: list[Counted] = []

    def connect(path: str, *, read_only: bool) -> sqlite.Connection:
        made.append(Counted(path, at, read_only=read_only))
        return made[-1]

    with (
        pytest.raises((BadInput, StoreDown, OverflowError)),
        contextlib.closing(SqliteStore(path, connect=connect)) as store,
    ):
        store.read("t", after=2**70)
    assert made
    assert all(one.closed for one in made)


def test_a_file_that_is_no_database_is_left_alone(path: Path) -> None:
    path.write_bytes(b"Dear Mei, " * 1000)
    with pytest.raises(BadInput, match="not a database of thirdcard"):
        SqliteStore(path)
    assert path.read_bytes() == b"Dear Mei, " * 1000


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    run(path, "CREATE TABLE songs (title)")
    before = path.read_bytes()
    with pytest.raises(BadInput, match="not one of thirdcard"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_newer_schema_is_left_alone(path: Path) -> None:
    SqliteStore(path).close()
    run(path, "PRAGMA user_version = 99")
    with pytest.raises(BadInput, match="newer thirdcard: it has schema 99"):
        SqliteStore(path)


def test_a_place_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file or directory"):
        SqliteStore(tmp_path / "no" / "house.db")
    with pytest.raises(BadInput, match="directory"):
        SqliteStore(tmp_path)
    with pytest.raises(BadInput, match="cannot open"):
        BesideServer(str(tmp_path / "house.db"))
    with pytest.raises(BadInput, match="there is no database"):
        SqliteSnapshot(str(tmp_path / "house.db"))
    assert not (tmp_path / "house.db").exists()


def test_a_file_whose_tables_an_earlier_release_wrote_over_several_lines_is_ours(path: Path) -> None:
    steps = "".join(STEPS).replace("(", "(\n    ").replace(", ", ",\n    ")
    own = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {len(STEPS)};"
    run(path, steps + own)
    with SqliteSnapshot(str(path)) as snapshot:
        assert list(snapshot.damage()) == []
    run(path, "DROP INDEX marks_of_table; CREATE INDEX marks_of_table ON marks (mark)")
    with SqliteSnapshot(str(path)) as snapshot:
        assert list(snapshot.damage()) == ["the index marks_of_table is not as thirdcard made it"]


@pytest.mark.server
def test_one_process_at_a_time_serves_a_file(path: Path) -> None:
    program = (
        "import sys; from thirdcard.service.log.store.sqlite import SqliteStore\n"
        "store = SqliteStore(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(BadInput, match="another process"):
            SqliteStore(path)
        SqliteSnapshot(str(path)).close()
        other.kill()
    with contextlib.closing(SqliteStore(path)) as store:
        assert store.commit([append("t")]) == [Done()]


def test_accounts_are_changed_beside_a_server_and_its_streams_are_not(path: Path) -> None:
    account = Account(name="Mei", role="player", created=1)
    with (
        contextlib.closing(SqliteStore(path)) as server,
        contextlib.closing(open_beside(str(path))) as beside,
    ):
        server.commit([append("t")])
        assert beside.add_account(account)
        assert server.account("mei") == account
        with pytest.raises(StoreDown, match="only the process that serves it may append"):
            beside.commit([append("t", 1)])
        assert beside.heads() == server.heads() == {"t": Head(1, append("t").records[0].hash)}


def test_notes_wait_until_they_are_taken_in(path: Path) -> None:
    with (
        contextlib.closing(SqliteStore(path)) as server,
        contextlib.closing(open_beside(str(path))) as beside,
    ):
        assert [beside.leave_note(note) for note in (b"first", b"second")] == [True, True]
        assert server.left_notes() == beside.left_notes() == [LeftNote(1, b"first"), LeftNote(2, b"second")]
        server.drop_note(LeftNote(1, b"first"))
        assert beside.leave_note(b"third")
        assert server.left_notes() == [LeftNote(2, b"second"), LeftNote(3, b"third")]


def test_no_note_is_left_where_nobody_serves_the_file(path: Path) -> None:
    for _ in ("a new file", "an old one"):
        with contextlib.closing(open_beside(str(path))) as store:
            assert not store.leave_note(b"note")
            assert store.commit([append("t", store.heads().get("t", Head(0, b"")).version)]) == [Done()]
            assert not store.left_notes()


def test_readers_cannot_write(path: Path) -> None:
    with contextlib.closing(SqliteStore(path)) as store:
        with pytest.raises(StoreDown, match="readonly"):
            store._ask("DELETE FROM streams")  # noqa: SLF001 - there is no other way to try
        assert store.heads() == {}


def test_there_are_no_more_readers_than_read_at_once(path: Path) -> None:
    with contextlib.closing(SqliteStore(path)) as store:
        for _ in range(20):
            store.heads()
        assert len(store._readers) == 1  # noqa: SLF001


def test_who_finds_it_locked_for_too_long_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_MS", 50)
    with contextlib.closing(SqliteStore(path)) as store:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreDown, match="locked"):
                store.commit([append("t")])
        assert store.commit([append("t")]) == [Done()]


class Failing:
    """A connection whose next COMMIT fails as a disk may fail it: done or not, nobody knows."""

    def __init__(self, inner: Any) -> None:  # noqa: ANN401
        self.inner, self.fails = inner, False

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self.inner, name)

    def execute(self, sql: str, parameters: Any = ()) -> Any:  # noqa: ANN401
        rows = self.inner.execute(sql, parameters)
        if self.fails and sql == "COMMIT":
            self.fails = False
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
            raise error
        return rows


def test_after_a_failed_sync_it_looks_anew_at_what_is_there(path: Path) -> None:
    connections: list[Failing] = []

    def connect(path: str, *, read_only: bool) -> sqlite.Connection:
        connections.append(Failing(sqlite.connect(path, read_only=read_only)))
        return connections[-1]

    with contextlib.closing(SqliteStore(path, connect=connect)) as store:
        store.commit([append("t")])
        connections[-1].fails = True
        with pytest.raises(StoreDown):
            store.commit([append("t", 1)])
        assert store.heads()["t"].version == 2  # this time it was done
        assert store.commit([append("t", 2)]) == [Done()]


def test_after_a_failed_sync_of_several_writes_it_looks_anew_too(path: Path) -> None:
    connections, done = list[Failing](), list[str]()

    def connect(path: str, *, read_only: bool) -> sqlite.Connection:
        connections.append(Failing(sqlite.connect(path, read_only=read_only)))
        return connections[-1]

    with contextlib.closing(SqliteStore(path, connect=connect)) as store:
        connections[-1].fails = True
        with contextlib.suppress(StoreDown), store.together():
            store.add_account(Account(name="Mei", role="player", created=1))
            store.commit([append("t")])
            store.afterwards(lambda: done.append("told"))
        assert not done, "nobody is told of what may not be there"
        assert store.heads()["t"].version == 1  # this time it was done
        assert store.account("mei") is not None
        assert store.commit([append("t", 1)]) == [Done()]


def test_more_than_it_can_hold_is_refused_whole(path: Path) -> None:
    with contextlib.closing(SqliteStore(path)) as store:
        with pytest.raises(ValueError, match="cannot hold"):
            store.commit([append("a"), append("b", entries=(PostingRow(1, "felt", 2**63),))])
        assert store.heads() == {}
        assert store.commit([append("a")]) == [Done()]


def test_significant_events_are_found_without_reading_the_others(path: Path) -> None:
    with contextlib.closing(SqliteStore(path)) as store:
        [plan] = store._ask(  # noqa: SLF001
            "EXPLAIN QUERY PLAN SELECT * FROM events INDEXED BY events_significant"
            " WHERE flag <> '' AND seq < 9 ORDER BY seq DESC LIMIT 5"
        )
    assert "SEARCH events USING INDEX events_significant" in plan[-1]


def test_a_store_that_was_closed_is_down(path: Path) -> None:
    store = SqliteStore(path)
    store.commit([append("t")])
    store.close()
    with pytest.raises(StoreDown):
        store.commit([append("t", 1)])
    with contextlib.closing(SqliteStore(path)) as again:
        assert again.heads() == {"t": Head(1, append("t").records[0].hash)}
