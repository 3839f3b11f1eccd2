"""A table moves to the next version of its game when that comes into force: on record, between two rounds."""

from collections.abc import Callable
from importlib import import_module

import pytest

from service.clocks import START, FakeClock
from service.houses import DEE, KEY, SAM, WEI, cards, did, go, hall_on, new_table, seated, tick, timed, until
from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook, digest_of, sources
from thirdcard.rulebook.load import read
from thirdcard.service.audit import audit_store
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.tables import moves, plans
from thirdcard.service.tables.draft import Decided
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live, Move
from thirdcard.service.tables.publish import public_facts
from thirdcard.table import Setup, commands

loading = import_module("thirdcard.rulebook.load")
HOUR = 3600
GAME = """
slug = "game-v{version}"
extends = "plain"
[document]
title = "A Game"
version = {version}
effective = "{effective}"
[bets.tie]
pays = [{{ tier = "win", when = {{ winner = ["tie"] }}, odds = "{odds} to 1" }}]
[layouts.{layout}]
positions = [1, 9]
bets = ["player", "banker", "tie"]
"""
TIE = "AC 8D 8H AS"


def version(number: int, effective: str, odds: int = 8, layout: str = "A") -> Rulebook:
    return read("game.toml", GAME.format(version=number, effective=effective, odds=odds, layout=layout))


ONE, TWO = version(1, "2026-01-01"), version(2, "2027-01-15 17:00", odds=9)
AT = START + HOUR * MICROSECONDS  # 17:00 in Singapore


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What this process has read is forgotten at the end, or when asked, as by one that has just started."""
    monkeypatch.setattr(loading, "_known", {})
    monkeypatch.setattr(sources, "_taken", {})

    def forget() -> None:
        loading._known.clear()  # noqa: SLF001
        sources._taken.clear()  # noqa: SLF001

    return forget


async def house(hall: Hall, *books: Rulebook, dealer: str = "staff") -> None:
    for book in books:
        await hall.add_rulebook(book, "game.toml", by="Root")
    wanted = new_table("one", dealer, slug="game-v1", differential=None)
    await hall.create(wanted, by="Sam")
    await seated(hall, WEI)


def one(hall: Hall) -> Live:
    return hall.engine.tables["one"]


def logged(store: Store) -> list[str]:
    return [stored.name for stored in store.read("one")]


def coming(hall: Hall) -> Setup:
    """The set-up from the next round on."""
    setup = one(hall).table.next_setup
    assert setup is not None
    return setup


async def planned(hall: Hall, slug: str = "", layout: str = "") -> None:
    plan = moves.plan_move(SAM, moves.next_version(one(hall).table.rulebook, slug), layout)
    assert (await hall.ask("one", plan, SAM)).refusal is None


async def opens(hall: Hall) -> None:
    """Dee opens a round as over HTTP: what the house does before it happens too."""
    answer = await hall.ask("one", plans.by_person(DEE, commands.Open(by="Dee")), DEE)
    assert answer.refusal is None, answer


async def round_won(hall: Hall) -> int:
    """What Wei wins with $10 on a tie that comes."""
    if one(hall).table.shoe is None:
        await did(hall.engine, DEE, commands.NewShoe(by="Dee"))
    await opens(hall)
    return await finished(hall)


async def finished(hall: Hall) -> int:
    await did(hall.engine, WEI, commands.Place(by="Wei", box=1, bet="tie", cents=10_00))
    drawn = [commands.Draw(by="Dee", card=card) for card in cards(TIE)]
    await did(hall.engine, DEE, commands.Close(by="Dee"), *drawn, commands.Settle(by="Dee"))
    current = one(hall).table.round
    assert current is not None
    assert current.settlement is not None
    return current.settlement.nets["Wei"]


def waits(hall: Hall, seconds: float) -> None:
    assert isinstance(hall.clock, FakeClock)
    hall.clock.wait(seconds)


@timed
async def test_a_round_after_the_hour_is_played_by_the_new_text_and_one_before_by_the_old() -> None:
    store = MemoryStore()
    async with hall_on(store, new_table("other")) as hall:
        await house(hall, ONE, TWO)
        await planned(hall)
        assert one(hall).move == Move(at=AT, rulebook="game-v2", digest=digest_of(TWO), layout="", by="Sam")
        waits(hall, HOUR - 1)
        assert await round_won(hall) == 80_00
        await opens(hall)  # a second before the hour
        waits(hall, 1)
        assert await finished(hall) == 80_00, "a round is settled by the text under which it began"
        assert await round_won(hall) == 90_00
        assert one(hall).move is None
        assert one(hall).table.setup.digest == digest_of(TWO)
        told = logged(store)
        assert told.index("move-planned") < told.index("rulebook-changed")
        assert told[told.index("rulebook-changed") + 1 :].count("bets-opened") == 1
        assert [(text.since, text.digest, text.effective) for text in one(hall).texts] == [
            (1, digest_of(ONE), "2026-01-01"),
            (3, digest_of(TWO), "2027-01-15 17:00"),
        ]
    report = audit_store(store, (), KEY)
    assert (report.problems, report.remarks) == ((), ())


@timed
async def test_a_table_at_which_nothing_is_opened_is_moved_by_the_clock() -> None:
    async with hall_on(MemoryStore(), new_table("other")) as hall:
        await house(hall, ONE, TWO)
        await planned(hall)
        waits(hall, HOUR - 1)
        await hall.move_tables()
        assert one(hall).move is not None
        waits(hall, 1)
        await hall.move_tables()
        assert one(hall).move is None
        assert coming(hall).digest == digest_of(TWO)


@timed
async def test_the_clock_never_moves_a_table_in_the_middle_of_a_round() -> None:
    async with hall_on(MemoryStore(), new_table("other")) as hall:
        await house(hall, ONE, TWO)
        await planned(hall)
        await did(hall.engine, DEE, commands.NewShoe(by="Dee"))
        await opens(hall)
        waits(hall, 2 * HOUR)
        await hall.move_tables()
        assert one(hall).move is not None
        assert await finished(hall) == 80_00
        await hall.move_tables()
        assert one(hall).move is None


@timed
async def test_a_move_is_known_after_a_restart_and_made_by_the_first_round(fresh: Callable[[], None]) -> None:
    """The text is kept with the plan: the file that it came from may be gone."""
    store: Store = MemoryStore()
    clock = FakeClock()
    async with hall_on(store, new_table("other"), clock=clock) as hall:
        await house(hall, ONE)
        loading.take("game.toml", GAME.format(version=2, effective="2027-01-15 17:00", odds=9, layout="A"))
        await planned(hall)
    fresh()
    clock.wait(3 * HOUR)
    async with hall_on(store, clock=clock) as hall:
        assert one(hall).move is not None
        assert await round_won(hall) == 90_00
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_the_automatic_dealer_moves_its_table() -> None:
    store = MemoryStore()
    async with hall_on(store, new_table("other")) as hall:
        await house(hall, ONE, TWO, dealer="automatic")
        await planned(hall)
        await go(hall, lambda: one(hall).table.rounds == 2)
        assert one(hall).table.setup.digest == digest_of(ONE)
        waits(hall, HOUR)
        await until(lambda: one(hall).table.phase in ("settled", "void"), lambda: tick(hall))
        rounds = one(hall).table.rounds
        await go(hall, lambda: one(hall).table.rounds == rounds + 1)
        assert one(hall).table.setup.digest == digest_of(TWO)
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_players_are_told_in_every_language_until_it_has_happened() -> None:
    async with hall_on(MemoryStore(), new_table("other")) as hall:
        await house(hall, ONE, TWO)
        assert public_facts(one(hall)).next_rules is None
        await planned(hall)
        told = public_facts(one(hall)).next_rules
        assert told is not None
        assert (told.rulebook, told.version, told.at) == ("game-v2", 2, AT)
        assert told.notice["en"] == (
            "Version 2 of the rules comes into force at this table on Friday, 15 January 2027, 17:00. "
            "A round that begins before then is settled by version 1."
        )
        assert "2027 年 1 月 15 日" in told.notice["zh-Hant"]
        waits(hall, HOUR)
        await hall.move_tables()
        assert public_facts(one(hall)).next_rules is None


@timed
async def test_it_is_taken_back_and_dropped_by_another_change_of_the_text() -> None:
    async with hall_on(MemoryStore(), new_table("other")) as hall:
        await house(hall, ONE, TWO)
        no = (await hall.ask("one", moves.drop_move(), SAM)).refusal
        assert no is not None
        assert no.sentence == "no move to another text is planned at this table"
        await planned(hall)
        again = (await hall.ask("one", moves.plan_move(SAM, moves.next_version(ONE)), SAM)).refusal
        assert again is not None
        assert again.sentence == "the table is to move to that text already"
        await hall.ask("one", moves.drop_move(), SAM)
        assert one(hall).move is None
        await planned(hall)
        await did(hall.engine, SAM, commands.ChangeRulebook(by="Sam", rulebook="game-v2"))
        assert one(hall).move is None


@timed
async def test_a_move_that_the_table_could_not_make_is_refused_when_it_is_planned() -> None:
    async with hall_on(MemoryStore(), new_table("other")) as hall:
        await house(hall, ONE, version(2, "2027-01-15 17:00", layout="B"))
        version_two = moves.next_version(ONE)
        no = (await hall.ask("one", moves.plan_move(SAM, version_two), SAM)).refusal
        assert no is not None
        assert no.code == "bad-setup"
        assert "layout" in no.sentence
        dealer = (await hall.ask("one", moves.plan_move(DEE, version_two, "B"), DEE)).refusal
        assert dealer is not None
        assert dealer.code == "wrong-rank"
        await planned(hall, layout="B")
        waits(hall, HOUR)
        await hall.move_tables()
        assert coming(hall).layout == "B"


@timed
async def test_a_table_that_cannot_be_moved_after_all_opens_no_round_and_calls_the_pit() -> None:
    """After the plan the layout was changed to one that the new text does not have."""
    three = read(
        "game.toml",
        GAME.format(version=1, effective="2026-01-01", odds=8, layout="A")
        + '[layouts.C]\npositions = [1, 9]\nbets = ["player", "banker", "tie"]\n',
    )
    async with hall_on(MemoryStore(), new_table("other")) as hall:
        await house(hall, three, TWO)
        await planned(hall)
        await did(hall.engine, DEE, commands.NewShoe(by="Dee"))
        await did(hall.engine, SAM, commands.ChangeRulebook(by="Sam", rulebook="game-v1", layout="C"))
        assert one(hall).move is not None, "the text is the same"
        waits(hall, HOUR)
        plan = plans.by_person(DEE, commands.Open(by="Dee"))
        no = (await hall.ask("one", plan, DEE)).refusal
        assert no is not None
        assert no.sentence.startswith(
            "the text by which this table was to be played is in force, and the table cannot be moved to it: "
        )
        for _ in range(2):
            await hall.move_tables()
        assert one(hall).called.startswith("the text by which")
        assert logged(hall.engine.store).count("supervisor-called") == 1
        await hall.ask("one", moves.drop_move(), SAM)
        assert (await hall.ask("one", plan, DEE)).refusal is None, "who decides that it stays, decides"


def test_only_a_later_version_of_the_same_game_is_next() -> None:
    sources.keep("one.toml", ONE)
    with pytest.raises(
        BadInput, match=r"^there is no version of game after game-v1 here: give the house its text first$"
    ):
        moves.next_version(ONE)
    sources.keep("two.toml", TWO)
    assert moves.next_version(ONE).book is TWO
    assert moves.next_version(ONE, "game-v2").book is TWO
    with pytest.raises(
        BadInput, match=r"^mbs-tiger-v2 is no later version of this table's game: expected game-v2$"
    ):
        moves.next_version(ONE, "mbs-tiger-v2")
    with pytest.raises(BadInput, match=r"^there is no version of game after game-v2 here"):
        moves.next_version(TWO)


@timed
async def test_the_audit_names_rounds_under_a_text_that_was_not_in_force() -> None:
    """A table that nobody moves, and one that plays a text before its time."""
    store = MemoryStore()
    async with hall_on(store, new_table("other")) as hall:
        await house(hall, ONE, TWO)
        await round_won(hall)
        waits(hall, HOUR)
        await round_won(hall)
        await round_won(hall)
    async with hall_on(early := MemoryStore(), new_table("other")) as hall:
        await house(hall, ONE, TWO)
        await did(hall.engine, SAM, commands.ChangeRulebook(by="Sam", rulebook="game-v2"))
        await round_won(hall)
    ended, begins = (
        f"which {what} 15 January 2027, 17:00 Singapore time"
        for what in ("was in force until", "is in force only from")
    )
    report = audit_store(store, (), KEY)
    assert report.remarks == (f"one: 2 rounds, 2 to 3, were dealt under game-v1, {ended}",)
    assert report.problems == (), "it is on record; nothing in the log is wrong"
    assert audit_store(early, (), KEY).remarks == (f"one: round 1 was dealt under game-v2, {begins}",)


def test_a_plan_that_opens_nothing_waits_for_no_move() -> None:
    """Chips, seats and cards of the old round go on; nothing is added to what was asked."""
    live = Live(id="one", move=Move(at=1, rulebook="game-v2", digest="", layout="", by="Sam"))
    nothing = Decided(events=())
    assert moves.on_time(lambda _: nothing, lambda: 2)(live) is nothing
