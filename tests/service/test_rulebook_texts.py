"""A table is dealt, recovered and audited by its own text for ever, whatever a file or the package says today."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack, closing
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from service.houses import (
    DEE,
    KEY,
    SAM,
    WEI,
    cards,
    did,
    does,
    go,
    hall_on,
    new_table,
    running,
    seated,
    timed,
    until,
)
from service.store.earlier import as_of
from service.store.server import Server
from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook, digest_of, load, sources
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import read, remember
from thirdcard.service.audit import audit_store
from thirdcard.service.audit.backup import backup, restore
from thirdcard.service.log.codec import event_of, record, significance
from thirdcard.service.log.floor_events import Logged, Noted
from thirdcard.service.log.store import open_snapshot, open_store
from thirdcard.service.log.store.model import GENESIS, JOURNAL, Append, Record, RulebookText
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.console import add_rulebook, note_of
from thirdcard.service.queries.books import table_account
from thirdcard.service.tables import hall as halls
from thirdcard.service.tables import plans, rulebook_texts
from thirdcard.service.tables.engine import Engine
from thirdcard.service.tables.hall import TIGER, Hall
from thirdcard.service.tables.left_notes import take_in_notes
from thirdcard.service.tables.live import RoundRecord
from thirdcard.table import State, commands, events, replay, start

loading = import_module("thirdcard.rulebook.load")
MBS = "mbs-tiger-v2"
GAME = """
slug = "house-game"
extends = "plain"
[document]
title = "House Game"
[bets.tie]
pays = [{{ tier = "win", when = {{ winner = ["tie"] }}, odds = "{odds}" }}]
[bets.perfect]
name = "Perfect Pair"
pays = [{{ tier = "win", when = {{ pair = "either", pair_suits = ["same"] }}, odds = "25 to 1" }}]
[bets.ace]
name = "First Ace"
pays = [{{ tier = "win", when = {{ player = {{ first = ["A"] }} }}, odds = "10 to 1" }}]
[layouts.A]
positions = [1, 9]
bets = ["player", "banker", "tie", "perfect", "ace"]
"""
EIGHT, NINE = GAME.format(odds="8 to 1"), GAME.format(odds="9 to 1")
TIE = "AC 8D 8H AS"  # Player 9 with an ace first, Banker 9


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What this process has read is forgotten at the end, or when asked, as by one that has just started."""
    monkeypatch.setattr(loading, "_known", {})
    monkeypatch.setattr(sources, "_taken", {})

    def forget() -> None:
        loading._known.clear()  # noqa: SLF001
        sources._taken.clear()  # noqa: SLF001

    return forget


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    started = Server()
    yield started
    started.stop()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "house.db")
    found: Server = request.getfixturevalue("server")
    return found.database()


async def opened(hall: Hall, name: str = "one", slug: str = "house-game") -> None:
    await hall.create(new_table(name, slug=slug, differential=None), by="Sam")
    await seated(hall, WEI, table=name)


async def tie_pays(engine: Engine, table: str = "one", bet: str = "tie") -> int:
    """What Wei wins with $100 in a round that ends in a tie."""
    if engine.tables[table].table.shoe is None:
        await did(engine, DEE, commands.NewShoe(by="Dee"), table=table)
    await did(engine, DEE, commands.Open(by="Dee"), table=table)
    await did(engine, WEI, commands.Place(by="Wei", box=1, bet=bet, cents=100_00), table=table)
    drawn = [commands.Draw(by="Dee", card=card) for card in cards(TIE)]
    await did(engine, DEE, commands.Close(by="Dee"), *drawn, commands.Settle(by="Dee"), table=table)
    current = engine.tables[table].table.round
    assert current is not None
    assert current.settlement is not None
    return current.settlement.nets["Wei"]


def texts(where: str) -> dict[str, bytes]:
    with open_snapshot(where) as snapshot:
        return {digest: bytes(text) for digest, text in snapshot.rows("rulebooks")}


def problems(where: str) -> list[str]:
    with open_snapshot(where) as snapshot:
        return [f"{one.table}/{one.event}: {one.what}" for one in audit_store(snapshot, (), KEY).problems]


@timed
async def test_a_table_goes_on_by_its_own_text_whatever_the_house_was_given_since(
    place: str, fresh: Callable[[], None]
) -> None:
    eight, nine = read("game.toml", EIGHT), read("game.toml", NINE)
    async with hall_on(open_store(place), new_table("other")) as hall:
        await hall.add_rulebook(eight, "game.toml", by="Root")
        await opened(hall)
        assert await tie_pays(hall.engine) == 800_00
        assert await tie_pays(hall.engine, bet="ace") == 1_000_00
    fresh()
    async with hall_on(open_store(place)) as hall:
        assert load("house-game").slug == "house-game", "it is taken again at the next start"
        await hall.add_rulebook(nine, "game.toml", by="Root")
        await opened(hall, "two")
        assert await tie_pays(hall.engine) == 800_00
        assert await tie_pays(hall.engine, "two") == 900_00
    fresh()
    async with hall_on(open_store(place)) as hall:
        assert digest_of(load("house-game")) == digest_of(nine)
        assert await tie_pays(hall.engine) == 800_00
        assert hall.engine.tables["one"].table.setup.digest == digest_of(eight)
    fresh()
    assert set(texts(place)) == {
        digest_of(eight),
        digest_of(nine),
        digest_of(load("rws-tiger-buffalo-commission-v2")),
    }
    assert problems(place) == []


@timed
async def test_the_text_is_written_with_the_event_that_names_it(place: str) -> None:
    async with hall_on(open_store(place), new_table("one", slug=MBS)) as hall:
        store = hall.engine.store
        kept = store.text(digest_of(load(MBS)))
        assert kept == canonical(load(MBS))
        assert [one.digest for one in store.texts()] == [digest_of(load(MBS))]
        assert store.text("0" * 64) is None
        await hall.create(new_table("two", slug=MBS), by="Sam")
        assert len(store.texts()) == 1, "the same text is kept once"


@timed
async def test_a_running_table_moves_to_another_text_between_two_rounds(
    place: str, fresh: Callable[[], None]
) -> None:
    eight, nine = read("game.toml", EIGHT), read("game.toml", NINE)
    async with hall_on(open_store(place), new_table("other")) as hall:
        await hall.add_rulebook(eight, "game.toml", by="Root")
        await opened(hall)
        await tie_pays(hall.engine)
        await hall.add_rulebook(nine, "game.toml", by="Root")
        change = commands.ChangeRulebook(by="Sam", rulebook="house-game")
        assert (await does(hall.engine, DEE, msgspec.structs.replace(change, by="Dee"))).refusal is not None
        assert (await did(hall.engine, SAM, change)).events[-1] == "rulebook-changed"
        assert await tie_pays(hall.engine) == 900_00
        told = [(one.since, one.digest) for one in table_account(hall.engine.tables["one"]).texts]
        assert told == [(1, digest_of(eight)), (2, digest_of(nine))]
        rounds = [msgspec.json.decode(one.body, type=RoundRecord) for one in hall.engine.store.rounds("one")]
        assert [one.digest for one in rounds] == [digest_of(nine), digest_of(eight)]
    fresh()
    assert problems(place) == []
    fresh()
    async with running(open_store(place)) as engine:
        assert engine.tables["one"].table.setup.digest == digest_of(nine)
        assert await tie_pays(engine) == 900_00


@timed
async def test_ranks_follow_accounts_into_another_ladder() -> None:
    """From RWS, with four ranks, to a plain game with three; the automatic dealer goes on."""
    async with hall_on(
        MemoryStore(), new_table("one", "automatic", slug="rws-tiger-buffalo-non-commission-v4", layout="L")
    ) as hall:
        await hall.add_rulebook(read("game.toml", EIGHT), "game.toml", by="Root")
        change = commands.ChangeRulebook(by="Sam", rulebook="house-game", layout="A")
        await did(hall.engine, SAM, change)
        await hall.engine.ask(
            "one",
            plans.dealt(commands.NewShoe(by="thirdcard"), commands.Open(by="thirdcard")),
            actor="thirdcard",
        )
        staff = hall.engine.tables["one"].table.staff
        assert staff == {"thirdcard": "shift-manager", "Sam": "shift-manager"}


def at_one(hall: Hall) -> State:
    return hall.engine.tables["one"].table


@timed
async def test_the_automatic_dealer_deals_by_a_small_book(fresh: Callable[[], None]) -> None:
    store = MemoryStore()
    async with hall_on(store, new_table("other")) as hall:
        await hall.add_rulebook(read("game.toml", EIGHT), "game.toml", by="Root")
        await hall.create(new_table("one", "automatic", slug="house-game", differential=None), by="Sam")
        await seated(hall, WEI)
        for number in range(1, 4):
            await go(hall, lambda: (at_one(hall).rounds, at_one(hall).phase) == (number, "betting"))  # noqa: B023
            for bet in ("player", "perfect", "ace"):
                await did(hall.engine, WEI, commands.Place(by="Wei", box=1, bet=bet, cents=10_00))
            await go(hall, lambda: at_one(hall).phase == "settled")
    assert audit_store(store, (), KEY).problems == ()
    fresh()


# The audit ------------------------------------------------------------------------------------------------


@pytest.fixture
def house(tmp_path: Path, fresh: Callable[[], None]) -> str:
    """A table of a game that the house was given, played once."""
    where = str(tmp_path / "house.db")

    @timed
    async def play() -> None:
        async with hall_on(open_store(where), new_table("other")) as hall:
            await hall.add_rulebook(read("game.toml", EIGHT), "game.toml", by="Root")
            await opened(hall)
            await tie_pays(hall.engine)

    play()
    fresh()
    return where


def edit(where: str, sql: str, *parameters: object) -> None:
    with closing(sqlite3.connect(where)) as connection, connection:
        assert connection.execute(sql, parameters).rowcount == 1


def test_the_audit_names_a_table_whose_text_is_missing(house: str) -> None:
    digest = digest_of(read("game.toml", EIGHT))
    loading._known.clear()  # noqa: SLF001
    edit(house, "DELETE FROM rulebooks WHERE digest = ?", digest)
    assert f"one/2: the text {digest} of its rulebook house-game is missing" in problems(house)


def test_the_audit_names_a_table_whose_text_was_changed(house: str) -> None:
    digest, nine = digest_of(read("game.toml", EIGHT)), canonical(read("game.toml", NINE))
    edit(house, "UPDATE rulebooks SET text = ? WHERE digest = ?", nine, digest)
    assert f"one/2: the text {digest} of its rulebook house-game was changed" in problems(house)


def test_the_audit_names_a_table_whose_text_is_of_another_rulebook(house: str) -> None:
    """Even if the log was written anew from end to end."""
    other = load("rws-tiger-buffalo-commission-v2")
    with closing(open_store(house)) as store:
        created, begun = (event_of(one) for one in store.read("one", limit=2))
    assert isinstance(begun, events.TableOpened)
    setup = msgspec.structs.replace(begun.setup, digest=digest_of(other))
    log = [record_of(created, 1, GENESIS)]
    log.append(record_of(msgspec.structs.replace(begun, setup=setup), 2, log[0].hash))
    store = MemoryStore()
    text = RulebookText(digest_of(other), canonical(other))
    store.commit([Append(stream="one", expected=0, records=tuple(log), texts=(text,))])
    (found,) = audit_store(store).problems
    assert found.what == f"the text {digest_of(other)} is not one of its rulebook house-game"


def record_of(event: Logged, version: int, before: bytes) -> Record:
    flag = significance(event)
    return record(event, stream="one", version=version, before=before, at=1, by="Sam", number=0, flag=flag)


@timed
async def test_a_file_that_says_otherwise_today_changes_nothing(
    tmp_path: Path, fresh: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is played by while a table is opened; afterwards Tie is changed to 9 to 1 in the file."""
    folder, where = tmp_path / "books", str(tmp_path / "house.db")
    folder.mkdir()
    (folder / "game.toml").write_text(EIGHT, encoding="utf-8")
    monkeypatch.setenv(sources.FOLDERS, str(folder))
    async with hall_on(open_store(where), new_table("other")) as hall:
        await opened(hall)
        assert await tie_pays(hall.engine) == 800_00
    (folder / "game.toml").write_text(NINE, encoding="utf-8")
    fresh()
    async with hall_on(open_store(where)) as hall:
        assert digest_of(load("house-game")) == digest_of(read("game.toml", NINE))
        assert await tie_pays(hall.engine) == 800_00
    fresh()
    assert problems(where) == []
    (folder / "game.toml").unlink()
    fresh()
    assert problems(where) == []


def test_a_server_does_not_play_by_a_text_that_was_changed(house: str, fresh: Callable[[], None]) -> None:
    digest, nine = digest_of(read("game.toml", EIGHT)), canonical(read("game.toml", NINE))
    edit(house, "UPDATE rulebooks SET text = ? WHERE digest = ?", nine, digest)
    fresh()

    @timed
    async def start() -> None:
        with closing(open_store(house)) as store:
            async with hall_on(store):
                pass

    with pytest.raises(BadInput, match="is not known here"):
        start()


def test_a_back_up_carries_the_texts(
    house: str, tmp_path: Path, server: Server, fresh: Callable[[], None]
) -> None:
    copy, address = tmp_path / "copy.db", server.database()
    backup(house, copy)
    restore(copy, address)
    assert texts(address) == texts(str(copy)) == texts(house)
    assert len(texts(house)) == 2
    fresh()
    assert problems(address) == []


def test_a_database_without_texts_is_read_all_the_same(house: str) -> None:
    """As an earlier release left it: the table that names none is played by the package's document."""
    as_of(house, 2)
    assert [one for one in problems(house) if not one.startswith(("one/", "other/", "journal/"))] == []
    with closing(open_store(house)) as store:
        assert store.texts() == []


def test_an_old_log_is_read_by_the_package_whatever_a_folder_has(
    tmp_path: Path, fresh: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing new is opened by a slug that two texts have."""
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "tiger.toml").write_text(EIGHT.replace("house-game", MBS), encoding="utf-8")
    setup = msgspec.structs.replace(new_table(slug=MBS).setup, staff={})
    monkeypatch.setenv(sources.FOLDERS, str(folder))
    old = replay([events.TableOpened(setup=setup)])
    assert old.rulebook.document.operator == "MBS"
    with pytest.raises(BadInput, match=f"2 rulebooks are called {MBS}"):
        start(setup)
    fresh()


# Other processes ------------------------------------------------------------------------------------------


@timed
async def test_every_process_learns_of_a_rulebook(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are in this process, and so is what they know: each is heard reading and taking it."""
    where, took, knew = server.database(), list[str](), list[str]()

    def takes(several: Iterable[Logged]) -> None:
        several = list(several)
        took.extend(str(one.facts["rulebook"]) for one in several if isinstance(one, Noted))
        rulebook_texts.take_rulebooks(several)

    def knows(text: bytes) -> Rulebook:
        book = remember(text)
        knew.append(book.slug)
        return book

    monkeypatch.setattr(halls, "take_rulebooks", takes)
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(hall_on(open_store(where), new_table("other")))
        two = await stack.enter_async_context(hall_on(open_store(where)))
        monkeypatch.setattr(rulebook_texts, "remember", knows)
        await one.add_rulebook(read("game.toml", EIGHT), "game.toml", by="Root")
        await until(lambda: took == ["house-game"] * 2)
        assert knew == ["house-game"], "the one that was not given it has it from the store"
        await opened(one)
        await until(lambda: two.table("one") is not None)
        assert knew == ["house-game"] * 2
        assert two.engine.tables["one"].table.rulebook.document.title == "House Game"


@timed
async def test_a_command_gives_a_rulebook_to_a_server_that_runs(
    place: str, fresh: Callable[[], None]
) -> None:
    async with hall_on(open_store(place), new_table("other")) as hall:
        looking = asyncio.create_task(take_in_notes(hall))
        add_rulebook(place, "game.toml", read("game.toml", EIGHT))
        await until(lambda: "house-game" in sources._taken)  # noqa: SLF001
        await opened(hall)
        looking.cancel()
    fresh()
    async with hall_on(open_store(place)) as hall:
        assert load("house-game").document.title == "House Game"
        facts = [one for _, one in hall.engine.store.lookup(JOURNAL, ("rulebook-added",))]
        assert len(facts) == 1
    assert problems(place) == []


@timed
async def test_a_command_gives_a_rulebook_to_a_house_that_is_closed(
    place: str, fresh: Callable[[], None]
) -> None:
    with closing(open_store(place)):
        pass
    add_rulebook(place, "game.toml", read("game.toml", EIGHT))
    fresh()
    async with hall_on(open_store(place), new_table("other")) as hall:
        await opened(hall)
        assert await tie_pays(hall.engine) == 800_00
    fresh()
    assert problems(place) == []


@pytest.mark.parametrize(
    "line",
    [
        b'{"kind": "rulebook-added", "facts": {"rulebook": "x", "digest": "y", "file": "z"}, "text": "{}"}',
        b'{"kind": "rulebook-added", "facts": {"rulebook": "x", "digest": "y", "file": "z"}, "text": "["}',
        b'{"kind": "rulebook-added", "facts": {}, "text": ""}',
    ],
)
def test_nothing_but_a_rulebook_gets_in_as_one(line: bytes) -> None:
    assert note_of(line) is None


def test_a_house_of_many_tables_makes_the_text_of_their_rulebook_once() -> None:
    tables = [msgspec.structs.replace(TIGER, id=f"tiger-{number}") for number in range(12)]

    async def opened() -> int:
        async with hall_on(MemoryStore(), *tables) as hall:
            return len(hall.tables())

    before = canonical.cache_info().misses
    assert asyncio.run(opened()) == len(tables)
    assert canonical.cache_info().misses <= before + 1
