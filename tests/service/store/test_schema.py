"""Databases of every earlier schema are brought up to date, and can be read as they are."""

import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from service.store.making import append
from service.store.server import Server
from thirdcard.errors import BadInput
from thirdcard.service.audit.backup import backup, restore
from thirdcard.service.log.store import (
    open_snapshot,
    open_store,
    postgres,
    postgres_sql,
    sqlite,
    sqlite_sql,
    tables,
)
from thirdcard.service.log.store.model import Account, Done, StoreDown

# The steps that were released, by what they say however it is laid out: whoever has made one of them will never make it again.
RELEASED = {
    "sqlite": ["36b8e43e43d91247"],
    "postgres": ["d943afa8e37da854"],
}


class Note(msgspec.Struct, frozen=True):
    note: str


MORE = tables.Table(name="more", row=Note, beside=("stream",), key="stream", since=len(sqlite_sql.STEPS) + 1)
MODULES: dict[str, Any] = {"sqlite": sqlite, "postgres": postgres}
STEPS: dict[str, tuple[str, ...]] = {"sqlite": sqlite_sql.STEPS, "postgres": postgres_sql.STEPS}
RECORDS = append("t", 0, 3).records
# What a program of schema 1 wrote, by table; the two kinds keep postings and players differently.
WRITTEN: dict[str, list[tuple[Any, ...]]] = {
    "streams": [("t", 3, RECORDS[-1].hash)],
    'events (stream, version, at, "by", name, schema, round, flag, body, hash)': [
        msgspec.structs.astuple(stored)[:-1] for stored in RECORDS
    ],
    "answers": [("Mei", "k", b"digest", b"answer")],
    "shoes": [("t", 1, b"sealed")],
    "accounts": [("mei", "Mei", "player", "", 1, False, 0, 0)],
}
OWN: dict[str, dict[str, list[tuple[Any, ...]]]] = {
    "sqlite": {
        "postings": [(2, 0, "house", -5), (2, 1, "rack:Mei", 5)],
        "rounds": [("t", 1, 7, '["Mei"]', b"{}")],
    },
    "postgres": {
        "postings": [("t", 2, 0, "house", -5), ("t", 2, 1, "rack:Mei", 5)],
        "rounds": [("t", 1, 7, ["Mei"], b"{}")],
    },
}
PLAYED = {"round_players": [("Mei", 7, "t", 1)]}
MEI = Account(name="Mei", role="player", created=1)


class Database:
    """A place of one kind, with as many of the steps as its program knows."""

    def __init__(self, kind: str, where: str, patch: pytest.MonkeyPatch) -> None:
        self.kind, self.where, self._patch = kind, where, patch
        self.steps(*STEPS[kind][:1])

    def steps(self, *steps: str) -> None:
        self._patch.setattr(MODULES[self.kind], "STEPS", steps)

    def step_more(self) -> None:
        """A program with one step more than there are."""
        self.steps(*STEPS[self.kind], f"{MODULES[self.kind].DIALECT.create(MORE)};\n")
        self._patch.setitem(tables.NAMED, "more", MORE)
        self._patch.setitem(tables.BACKED_UP, "more", MORE)

    def ask(self, sql: str, *parameters: Any) -> list[Any]:  # noqa: ANN401 - rows
        if self.kind == "sqlite":
            with contextlib.closing(sqlite3.connect(self.where)) as file, file:
                return file.execute(sql, parameters).fetchall()
        with psycopg.connect(self.where, options="-c search_path=thirdcard") as server:
            done = server.execute(sql.replace("?", "%s").encode(), parameters)
            return done.fetchall() if done.description else []

    def version(self) -> int:
        where = "pragma_user_version" if self.kind == "sqlite" else "about"
        column = "user_version" if self.kind == "sqlite" else "version"
        ((version,),) = self.ask(f"SELECT {column} FROM {where}")  # noqa: S608
        return int(version)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    if request.param == "sqlite":
        where = str(tmp_path / "house.db")
    else:
        server: Server = request.getfixturevalue("server")
        where = server.database()
    with pytest.MonkeyPatch.context() as patch:
        yield Database(request.param, where, patch)


@pytest.fixture
def first(database: Database) -> Database:
    """A database of schema 1 with something in it."""
    open_store(database.where).close()
    for table, written in (WRITTEN | OWN[database.kind] | PLAYED).items():
        for row in written:
            database.ask(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", *row)  # noqa: S608
    assert database.version() == 1
    return database


def read(where: str) -> list[Any]:
    """What an audit reads."""
    with open_snapshot(where) as one:
        return [
            one.heads(), one.streams(), list(one.read("t")), list(one.entries("t")), list(one.rounds("t", limit=9)),
            one.shoe("t", 1), list(one.of_stream(tables.SHOES, "t")), list(one.of_stream(tables.ROUND_PLAYERS, "t")),
            [(a.actor, a.key, a.digest, a.answer) for a in one.every(tables.ANSWERS)], list(one.out_of_order()),
            list(one.damage()), list(one.of_stream(tables.EVENT_INDEX, "t")), one.checkpoint("t", at_most=9), one.accounts(),
        ]  # fmt: skip


@pytest.mark.parametrize("kind", STEPS)
def test_a_step_that_was_released_stays_as_it_is(kind: str) -> None:
    hashes = [hashlib.sha256("".join(step.split()).encode()).hexdigest()[:16] for step in STEPS[kind]]
    assert hashes[: len(RELEASED[kind])] == RELEASED[kind]


def test_a_database_of_schema_1_is_brought_up_to_date_when_it_is_opened(first: Database) -> None:
    before = read(first.where)
    first.step_more()
    with contextlib.closing(open_store(first.where)) as store:
        assert store.read("t") == list(RECORDS)
        assert store.account("mei") == MEI
        assert store.commit([append("t", 3)]) == [Done()]
        first.ask("INSERT INTO more VALUES ('t', 'new')")
    assert first.version() == len(STEPS[first.kind]) + 1
    with contextlib.closing(open_store(first.where)) as again:
        assert again.heads()["t"].version == 4
    assert first.ask("SELECT * FROM more") == [("t", "new")]
    assert read(first.where)[2][:3] == before[2]


def test_a_new_database_and_an_old_one_come_to_the_same(
    first: Database, tmp_path: Path, server: Server
) -> None:
    columns = (
        "SELECT name, sql FROM sqlite_schema ORDER BY name"
        if first.kind == "sqlite"
        else "SELECT table_name, column_name, data_type, collation_name, is_nullable FROM information_schema.columns"
        " WHERE table_schema = 'thirdcard' UNION SELECT tablename, indexname, indexdef, '', '' FROM pg_indexes"
        " WHERE schemaname = 'thirdcard' ORDER BY 1, 2"
    )
    first.step_more()
    open_store(first.where).close()
    migrated, version = first.ask(columns), first.version()
    first.where = str(tmp_path / "new.db") if first.kind == "sqlite" else server.database()
    open_store(first.where).close()
    assert first.ask(columns) == migrated
    assert first.version() == version


def test_a_database_of_schema_1_is_audited_and_backed_up_without_touching_it(
    first: Database, tmp_path: Path
) -> None:
    before = read(first.where)
    assert before[2] == list(RECORDS)
    first.step_more()
    assert read(first.where) == before
    with open_snapshot(first.where) as snapshot:
        assert list(snapshot.rows("more")) == []
    if first.kind == "sqlite":  # a back-up is one, of whatever version the program is that restores it
        count = backup(first.where, tmp_path / "backup")
        assert restore(tmp_path / "backup", str(tmp_path / "restored.db")) == count == 3
        assert read(str(tmp_path / "restored.db")) == before
    assert first.version() == 1


def test_a_step_that_fails_leaves_all_as_it_was(first: Database) -> None:
    before = read(first.where)
    first.steps(*STEPS[first.kind], "CREATE TABLE more (note TEXT);\nCREATE TABLE events (note TEXT);\n")
    with pytest.raises((BadInput, StoreDown)):
        open_store(first.where)
    first.steps(*STEPS[first.kind])
    assert first.version() == 1
    assert read(first.where) == before
    open_store(first.where).close()


def test_processes_that_start_at_once_make_each_step_once(
    first: Database, opened: Callable[[str], Any]
) -> None:
    first.step_more()
    stores = [opened(first.where) for _ in range(1 if first.kind == "sqlite" else 4)]
    assert {store.heads()["t"].version for store in stores} == {3}
    assert first.version() == len(STEPS[first.kind]) + 1


def test_no_placeholder_has_a_number() -> None:
    """From Python 3.14 on sqlite3 takes a sequence for nameless placeholders alone."""
    for path in Path(sqlite.__file__).parent.glob("*.py"):
        assert "?1" not in path.read_text("utf-8"), path
