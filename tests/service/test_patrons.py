"""Walk-ins: seated, bought in and bet for by staff; described for staff alone and not for long."""

import pytest

from service.clocks import START, FakeClock
from service.houses import DEE, KEY, SAM, WEI, cards, did, does, hall_on, names, new_table, timed
from thirdcard.errors import BadInput
from thirdcard.service.audit import audit_store
from thirdcard.service.audit.beside import people_problems
from thirdcard.service.audit.journal import Journal
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.credentials import check_person, check_walk_in
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import patrons, plans
from thirdcard.service.tables.away import KeptChips
from thirdcard.service.tables.draft import Plan
from thirdcard.service.tables.engine import Answer
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.patrons import Patron
from thirdcard.table import commands

WORDS = "grey jacket, reads the paper"
DAY = 86_400


async def asks(hall: Hall, person: Person, plan: Plan) -> Answer:
    return await hall.ask("one", plan, person)


async def code(hall: Hall, person: Person, plan: Plan) -> str:
    answer = await asks(hall, person, plan)
    return answer.refusal.code if answer.refusal else ""


def bring(name: str = "", box: int | None = None, cents: int = 500_00, least: int = 1) -> Plan:
    return patrons.bring(DEE, name, box=box, cents=cents, kept=KeptChips(), least=least)


def beside(store: MemoryStore) -> list[str]:
    """What an audit says of the people, held against the journal."""
    return [problem.what for problem in people_problems(store, Journal(store.read(JOURNAL)))]


def one(hall: Hall) -> Live:
    return hall.engine.tables["one"]


async def plays(hall: Hall, name: str, box: int = 1, drawn: str = "9C 7D KH 2S") -> None:
    """A round in which a walk-in bets $100 on Player and staff enter all of it."""
    engine = hall.engine
    shoe = () if one(hall).table.shoe else (commands.NewShoe(by="Dee"),)
    opening = plans.by_person(DEE, *shoe, commands.Open(by="Dee"))
    assert await code(hall, DEE, opening) == ""
    await did(engine, DEE, commands.Place(by="Dee", player=name, box=box, bet="player", cents=100_00))
    await did(engine, DEE, commands.Close(by="Dee"))
    for card in cards(drawn):
        await did(engine, DEE, commands.Draw(by="Dee", card=card))
    await did(engine, DEE, commands.Settle(by="Dee"))


@timed
async def test_a_walk_in_joins_buys_in_and_sits_in_one() -> None:
    store = MemoryStore()
    async with hall_on(store, new_table()) as hall:
        assert await code(hall, DEE, bring(box=3)) == ""
        state = one(hall).table
        assert (state.players, state.seats, state.rack("W-1")) == (("W-1",), {3: "W-1"}, 500_00)
        assert await code(hall, DEE, bring("W-Tan", box=3)) == "box-taken"
        assert one(hall).table.players == ("W-1",), "all of it or nothing"
        assert await code(hall, DEE, bring("W-Tan")) == ""
        assert await code(hall, DEE, bring()) == ""
        assert one(hall).table.players == ("W-1", "W-Tan", "W-2")
        assert await code(hall, DEE, bring(least=9)) == ""
        assert one(hall).walk_ins == 9
        assert await code(hall, DEE, bring("W-Tan", box=4, cents=100_00)) == "", "who stood sits down"
        assert one(hall).table.rack("W-Tan") == 600_00
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_nobody_else_is_brought_to_a_table_and_players_bring_nobody() -> None:
    async with hall_on(MemoryStore(), new_table(), new_table("auto", "automatic")) as hall:
        engine = hall.engine

        async def refused(person: Person, table: str = "one", **fields: str) -> str:
            answer = await does(engine, person, commands.Join(by=person.name, **fields), table=table)
            return answer.refusal.code if answer.refusal else ""

        assert await refused(DEE, player="Wei") == "unknown-player", "who has an account joins"
        assert await refused(DEE, player="W-") == "unknown-player"
        assert await refused(DEE, player="W-a b") == "unknown-player"
        assert await refused(WEI, player="W-1") in ("unknown-person", "wrong-rank")
        assert await refused(DEE) == "wrong-rank", "staff do not play"
        assert await refused(DEE, "auto", player="W-1") == "not-allowed-here"
        assert await refused(DEE, player="W-Tan") == ""
        assert await refused(DEE, player="W-TAN") == "unknown-player", "it would look the same"
        two = (commands.Join(by="Dee", player="W-3"), commands.Join(by="Dee", player="W-4"))
        assert await code(hall, DEE, plans.by_person(DEE, *two)) == "not-allowed-here"
        buys = commands.BuyIn(by="Dee", player="Wei", cents=100_00)
        assert await code(hall, DEE, plans.by_person(DEE, buys)) == "unknown-player", "Wei is not there"
        assert await code(hall, WEI, plans.sit_down(WEI, 1, 100_00)) == ""
        others = commands.BuyIn(by="Wei", player="W-Tan", cents=100_00)
        assert await code(hall, WEI, plans.by_person(WEI, others)) == "wrong-rank"


@timed
async def test_a_walk_in_is_never_absent_and_goes_when_staff_say_so() -> None:
    store = MemoryStore()
    async with hall_on(store, new_table()) as hall:
        assert await code(hall, WEI, plans.sit_down(WEI, 2, 1_000_00)) == ""
        assert await code(hall, DEE, bring(box=1)) == ""
        assert await code(hall, DEE, bring("W-Tan", cents=300_00)) == ""
        for _ in range(5):
            await plays(hall, "W-1")
        assert one(hall).table.players == ("W-1", "W-Tan"), "Wei gave no sign"
        assert await code(hall, DEE, plans.by_person(DEE, commands.Open(by="Dee"))) == ""
        await did(hall.engine, DEE, commands.Place(by="Dee", player="W-1", box=1, bet="player", cents=100_00))
        assert await code(hall, DEE, patrons.see_off(DEE, "W-1")) == "wrong-phase", "chips on the layout"
        assert await code(hall, DEE, patrons.see_off(DEE, "Wei")) == "unknown-player"
        assert await code(hall, DEE, patrons.see_off(DEE, "W-Tan")) == "", "who has none there"
        assert one(hall).table.players == ("W-1",)
        books = one(hall).takings
        assert (books.drop, books.paid_out) == (1_800_00, 1_300_00), "and Wei's rack went home"
        kept = await hall.kept("one", "W-Tan")
        back = patrons.bring(DEE, "W-Tan", box=None, cents=0, kept=kept, least=1)
        assert (await code(hall, DEE, back), one(hall).table.rack("W-Tan")) == ("", 0)
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_who_goes_after_the_result_is_of_the_table_until_it_is_final() -> None:
    store = MemoryStore()
    async with hall_on(store, new_table()) as hall:
        assert await code(hall, DEE, bring(box=1)) == ""
        await plays(hall, "W-1")
        assert await code(hall, DEE, patrons.see_off(DEE, "W-1")) == ""
        state = one(hall).table
        assert (state.players, state.seats, state.rack("W-1")) == (("W-1",), {}, 0)
        again = commands.Correct(by="Sam", cards=tuple(cards("2C 7D KH 2S")), reason="misread")
        await did(hall.engine, SAM, again)
        assert one(hall).table.debt("W-1"), "it lost after all"
        assert await code(hall, DEE, plans.by_person(DEE, commands.Open(by="Dee"))) == ""
        assert one(hall).table.players == ("W-1",), "whoever owes something stays"
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_who_has_nothing_left_is_gone_when_bets_are_opened() -> None:
    store = MemoryStore()
    async with hall_on(store, new_table()) as hall:
        assert await code(hall, DEE, bring(box=1, cents=100_00)) == ""
        await plays(hall, "W-1", drawn="2C 7D KH 2S")
        assert (one(hall).table.rack("W-1"), one(hall).table.players) == (0, ("W-1",)), "the seat is kept"
        await did(hall.engine, SAM, commands.Leave(by="Sam", player="W-1"))
        assert one(hall).table.players == ("W-1",)
        assert await code(hall, DEE, plans.by_person(DEE, commands.Open(by="Dee"))) == ""
        assert one(hall).table.players == ()
        assert await code(hall, DEE, bring()) == ""
        assert one(hall).table.players == ("W-2",), "no number is given twice"
    assert names(store.read("one")).count("player-left") == 1
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_a_description_is_for_staff_alone_and_for_thirty_days() -> None:
    store, clock = MemoryStore(), FakeClock()
    async with hall_on(store, new_table(), new_table("two"), clock=clock) as hall:
        for table in ("one", "two"):
            assert (await hall.ask(table, bring("W-Tan"), DEE)).refusal is None
        await hall.describe("one", "W-Tan", "a hat", by="Dee")
        await hall.describe("two", "W-Tan", "no hat", by="Dee")
        clock.wait(29 * DAY)
        await hall.describe("one", "W-Tan", WORDS, by="Dee")
        await hall.forget()
        assert patrons.described(store, one(hall)) == [Patron(name="W-Tan", description=WORDS)]
        clock.wait(2 * DAY)
        await hall.forget()
        assert patrons.described(store, one(hall)) == [Patron(name="W-Tan", description=WORDS)]
        assert [place for place, _ in store.personal_of(patrons.KIND)] == ["one/w-tan"], "another table's"
        assert beside(store) == []
        clock.wait(28 * DAY + 1)
        await hall.forget()
        assert patrons.described(store, one(hall)) == [Patron(name="W-Tan", description="")]
        assert beside(store) == []
    for stream in ("one", "two", JOURNAL):
        assert not any(b"hat" in record.body or b"jacket" in record.body for record in store.read(stream))
    assert [record.by for record in store.read(JOURNAL)][-1] == "thirdcard"
    assert store.read(JOURNAL)[0].at == START


@timed
async def test_an_audit_notices_another_description() -> None:
    store = MemoryStore()
    async with hall_on(store, new_table()) as hall:
        assert await code(hall, DEE, bring("W-Tan")) == ""
        await hall.describe("one", "W-Tan", WORDS, by="Dee")
        store.put_personal(patrons.place_of("one", "W-Tan"), patrons.KIND, patrons.description(WORDS, START))
        (problem,) = beside(store)
        assert "one/w-tan" in problem


def test_no_account_is_called_like_a_walk_in() -> None:
    for name in ("W-17", "w-17", "W-Tan", "\uff37-17"):
        with pytest.raises(BadInput, match="keeps for itself"):
            check_person(name)
    assert check_person("Wei-W-17") == "Wei-W-17"


@pytest.mark.parametrize("name", ["W-1", "W-999999", "W-Tan", "W-陳", "W-O'Hara"])
def test_a_walk_in_has_a_number_or_a_word(name: str) -> None:
    assert check_walk_in(name) == name


@pytest.mark.parametrize(
    "name", ["", "W-", "Tan", "w-Tan", "W-1000000", "W-a b", "W-a/b", "W-" + "x" * 23, "W-\uff34an"]
)
def test_others_have_none(name: str) -> None:
    with pytest.raises(BadInput):
        check_walk_in(name)
