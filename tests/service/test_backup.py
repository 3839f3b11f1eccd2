"""A back-up holds everything of one moment, and either kind of database can be filled from it."""

import asyncio
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from service.playing import KEY, House, played, seeded_shoes
from service.store.server import Server
from service.tampering import make
from thirdcard.errors import BadInput
from thirdcard.service.audit import audit, audit_store
from thirdcard.service.audit.backup import backup, restore
from thirdcard.service.clock import Clock
from thirdcard.service.keys import subkey
from thirdcard.service.log.anchor import read_anchor
from thirdcard.service.log.store import Snapshot, open_snapshot, open_store
from thirdcard.service.log.store.model import StoreDown
from thirdcard.service.log.store.postgres import PostgresSnapshot
from thirdcard.service.log.store.sqlite import SqliteSnapshot, SqliteStore
from thirdcard.service.log.store.tables import BACKED_UP, ROUND_PLAYERS, SESSIONS
from thirdcard.service.people.accounts import People
from thirdcard.service.people.console import people_of
from thirdcard.service.tables.live import recover
from thirdcard.table.script import state_hash

pytestmark = pytest.mark.slow

PASSWORD = "a long enough one"  # noqa: S105 - of nobody


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    started = Server()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house with an administrator who is signed in."""
    db = make(tmp_path_factory.mktemp("house"), rounds=4)
    with people_of(str(db)) as people:
        people.register("Root", PASSWORD, "administrator")
        people.sign_in("Root", PASSWORD, origin="here")
        people.guest()
    return db


def everything(where: str) -> dict[str, list[list[Any]]]:
    """All rows, but for numbers that only order them."""
    with open_snapshot(where) as snapshot:
        found = {table: list(snapshot.rows(table)) for table in BACKED_UP}
        found["recalled"] = [sorted(map(msgspec.structs.astuple, snapshot.every(ROUND_PLAYERS)))]
    found["events"] = [row[1:] for row in found["events"]]
    found["postings"].sort()
    return found


def states(where: str) -> dict[str, str]:
    """What each table comes to."""
    with open_snapshot(where) as snapshot:
        lives = [recover(stream, snapshot.read(stream)) for stream in snapshot.heads()]
    return {live.id: state_hash(live.state) for live in lives if live.state is not None}


# Whole and the same ---------------------------------------------------------------------------------------


def test_a_back_up_goes_from_either_kind_into_either_kind(
    original: Path, tmp_path: Path, server: Server
) -> None:
    first, second = tmp_path / "first.db", tmp_path / "second.db"
    in_server, in_file = server.database(), str(tmp_path / "restored.db")
    count = backup(str(original), first)
    assert count == restore(first, in_server)
    assert count == backup(in_server, second)
    assert count == restore(second, in_file)
    wanted = everything(str(original))
    assert wanted["events"]
    for place in (str(first), in_server, str(second), in_file):
        assert everything(place) == wanted
        assert states(place) == states(str(original))
        report = audit(place, key=Path(f"{original}.key"), anchors=[Path(f"{original}.anchor")])
        assert (report.problems, report.events) == ((), count)


def test_a_house_on_a_server_is_backed_up_and_goes_on_in_a_file(tmp_path: Path, server: Server) -> None:
    url, file, db = server.database(), tmp_path / "backup.db", tmp_path / "house.db"
    played(open_store(url), rounds=2)
    backup(url, file)
    restore(file, str(db))
    assert everything(str(db)) == everything(url)
    asyncio.run(go_on(str(db)))
    with open_snapshot(str(db)) as snapshot:
        assert audit_store(snapshot, (), KEY).problems == ()
    assert states(str(db)) != states(url)


def test_a_house_in_a_file_is_backed_up_and_goes_on_on_a_server(
    original: Path, tmp_path: Path, server: Server
) -> None:
    url = server.database()
    backup(str(original), tmp_path / "backup.db")
    restore(tmp_path / "backup.db", url)
    asyncio.run(go_on(url))
    with open_snapshot(url) as snapshot:
        assert audit_store(snapshot, (), KEY).problems == ()
    assert states(url) != states(str(original))


async def go_on(where: str) -> None:
    async with House(open_store(where), seed="again") as house:
        with seeded_shoes(house.random):
            await house.play("tiger", 2)


def test_back_ups_of_a_house_that_is_played_in_are_each_of_one_moment(tmp_path: Path) -> None:
    db, anchor = tmp_path / "house.db", tmp_path / "house.db.anchor"

    async def main() -> list[int]:
        async with House(SqliteStore(db, synchronous="NORMAL"), anchor) as house:
            with seeded_shoes(house.random):
                made = lambda number: backup(str(db), tmp_path / f"{number}.backup")  # noqa: E731
                return await house.while_played("insured", made, 6)

    counts = asyncio.run(main())
    assert len(set(counts)) > 1
    with open_snapshot(str(db)) as snapshot:
        logs = {stream: list(snapshot.read(stream)) for stream in snapshot.heads()}
    for number, count in enumerate(counts):
        place = str(tmp_path / f"{number}.restored")
        assert restore(tmp_path / f"{number}.backup", place) == count
        with open_snapshot(place) as snapshot:
            report = audit_store(snapshot, (), KEY)
            assert (report.problems, report.events) == ((), count)
            for stream, head in snapshot.heads().items():
                assert list(snapshot.read(stream)) == logs[stream][: head.version]


def test_an_older_back_up_lacks_what_the_anchor_has_seen(tmp_path: Path) -> None:
    db, anchor = tmp_path / "house.db", tmp_path / "house.db.anchor"
    make(tmp_path, rounds=2)
    backup(str(db), tmp_path / "old")
    store = SqliteStore(db, synchronous="NORMAL")

    async def more() -> None:
        async with House(store, anchor) as house:
            with seeded_shoes(house.random):
                await house.play("tiger", 1)

    asyncio.run(more())
    restore(tmp_path / "old", str(tmp_path / "restored.db"))
    seen = read_anchor(anchor, subkey(KEY, "anchor"))
    with open_snapshot(str(tmp_path / "restored.db")) as snapshot:
        told = {one.table: one.what for one in audit_store(snapshot, [seen], KEY).problems}
    assert "but it was anchored at event" in told["tiger"]


# What is in it --------------------------------------------------------------------------------------------


def test_accounts_are_in_a_back_up_and_sessions_are_not(original: Path, tmp_path: Path) -> None:
    backup(str(original), tmp_path / "backup.db")
    restore(tmp_path / "backup.db", str(tmp_path / "restored.db"))
    with SqliteSnapshot(str(original)) as snapshot:
        assert len(list(snapshot.every(SESSIONS))) == 2
    with SqliteSnapshot(str(tmp_path / "backup.db")) as snapshot:
        assert not list(snapshot.every(SESSIONS))
    store = open_store(str(tmp_path / "restored.db"))
    assert People(store, Clock()).sign_in("root", PASSWORD, origin="here")
    store.close()


def test_the_key_is_not_in_a_back_up_and_others_cannot_read_it(original: Path, tmp_path: Path) -> None:
    backup(str(original), tmp_path / "backup.db")
    data = (tmp_path / "backup.db").read_bytes()
    assert KEY not in data
    assert KEY.hex().encode() not in data
    assert stat.S_IMODE((tmp_path / "backup.db").stat().st_mode) == 0o600


# What is refused ------------------------------------------------------------------------------------------


def test_a_back_up_never_replaces_a_file(original: Path, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("dear", encoding="utf-8")
    with pytest.raises(BadInput, match="letter is there already"):
        backup(str(original), tmp_path / "letter")
    assert (tmp_path / "letter").read_text(encoding="utf-8") == "dear"


def test_a_back_up_that_fails_leaves_nothing(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Snapshot, table: str) -> Iterator[list[Any]]:
        if table == "rounds":
            raise StoreDown("the server broke off")
        yield from ()

    monkeypatch.setattr(Snapshot, "rows", broken)
    with pytest.raises(StoreDown):
        backup(str(original), tmp_path / "backup.db")
    assert list(tmp_path.iterdir()) == []


def test_a_restore_that_fails_leaves_an_empty_place(
    original: Path, tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup(str(original), tmp_path / "backup.db")
    whole = Snapshot.rows

    def broken(snapshot: Snapshot, table: str) -> Iterator[list[Any]]:
        if table == "accounts":
            raise StoreDown("the disk broke off")
        return whole(snapshot, table)

    places = [str(tmp_path / "restored.db"), server.database()]
    with monkeypatch.context() as patch:
        patch.setattr(Snapshot, "rows", broken)
        for place in places:
            with pytest.raises(StoreDown):
                restore(tmp_path / "backup.db", place)
    for place in places:
        assert restore(tmp_path / "backup.db", place), "it can be tried again"


@pytest.mark.parametrize("with_events", [True, False], ids=["events", "one account"])
def test_a_place_that_is_not_empty_is_not_restored_into(
    original: Path, tmp_path: Path, server: Server, *, with_events: bool
) -> None:
    backup(str(original), tmp_path / "backup.db")
    for place in (str(tmp_path / "other.db"), server.database()):
        store = open_store(place)
        if not with_events:
            People(store, Clock()).register("Wei", PASSWORD, "player")
            store.close()
        else:
            played(store, rounds=1)
        before = everything(place)
        with pytest.raises(BadInput, match="is not empty: restore into a new one"):
            restore(tmp_path / "backup.db", place)
        assert everything(place) == before


def test_what_is_no_database_of_ours_is_neither_backed_up_nor_restored(
    tmp_path: Path, server: Server
) -> None:
    (tmp_path / "letter").write_text("dear", encoding="utf-8")
    for source in (str(tmp_path / "letter"), str(tmp_path / "nothing"), server.database()):
        with pytest.raises(
            BadInput, match=r"not a database of thirdcard|there is no database|holds nothing of thirdcard"
        ):
            backup(source, tmp_path / "backup.db")
    with pytest.raises(BadInput, match="not a database of thirdcard"):
        restore(tmp_path / "letter", str(tmp_path / "restored.db"))
    assert {path.name for path in tmp_path.iterdir()} == {"letter"}


# The audit of a server ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE postings SET cents = cents + 1 WHERE stream = 'tiger' AND version = 4 AND n = 0",
        "UPDATE events SET flag = 'x' WHERE stream = 'tiger' AND version = 9",
        "DELETE FROM rounds WHERE stream = 'tiger'",
        "UPDATE shoes SET sealed = '\\x01' WHERE stream = 'tiger'",
        "DELETE FROM round_players WHERE player = 'Wei'",
        "INSERT INTO shoes VALUES ('ghost', 1, '')",
    ],
)
def test_an_edit_on_a_server_is_found(original: Path, tmp_path: Path, server: Server, edit: str) -> None:
    url = server.database()
    backup(str(original), tmp_path / "backup.db")
    restore(tmp_path / "backup.db", url)
    with psycopg.connect(url, options="-c search_path=thirdcard") as connection:
        assert connection.execute(edit.encode()).rowcount
    with open_snapshot(url) as snapshot:
        assert audit_store(snapshot, (), KEY).problems


def test_an_audit_changes_nothing_on_a_server(server: Server) -> None:
    url = server.database()
    played(open_store(url), rounds=1)
    with PostgresSnapshot(url) as snapshot, pytest.raises(StoreDown):
        list(snapshot._ask("DELETE FROM events RETURNING seq"))  # noqa: SLF001
    with open_snapshot(url) as snapshot:
        assert audit_store(snapshot, (), KEY).problems == ()
