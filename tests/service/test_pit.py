"""The pit: every table's state, what waits for whom, the oldest first, and what a shift has come to."""

from typing import Any

from service.houses import (
    DEE,
    MBS,
    MEI,
    PAM,
    SAM,
    WEI,
    bet,
    cards,
    hall_on,
    new_table,
    seated,
    timed,
)
from thirdcard.cards import parse_card
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.pit import Pit, PitTable, pit
from thirdcard.service.tables import floor_plans, plans
from thirdcard.service.tables.draft import Plan
from thirdcard.service.tables.hall import Hall
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand

PIA = Person(name="Pia", role="pit-supervisor")
BANKER_WINS = "2C 9C 3D KD"


async def asks(hall: Hall, person: Person, plan: Plan, table: str = "one") -> None:
    hall.clock.wait(1)  # type: ignore[attr-defined]
    answer = await hall.ask(table, plan, person)
    assert answer.refusal is None, answer.refusal


async def does(hall: Hall, person: Person, *asked: AnyCommand, table: str = "one") -> None:
    await asks(hall, person, plans.by_person(person, *asked), table)


async def opened(hall: Hall, table: str = "one") -> None:
    await does(hall, DEE, commands.NewShoe(by="Dee"), commands.Open(by="Dee"), table=table)


async def dealt(hall: Hall, text: str = BANKER_WINS) -> None:
    await does(hall, DEE, commands.Close(by="Dee"))
    for card in cards(text):
        await does(hall, DEE, commands.Draw(by="Dee", card=card))
    await does(hall, DEE, commands.Settle(by="Dee"))


def one(seen: Pit, table: str = "one") -> PitTable:
    return next(row for row in seen.tables if row.id == table)


def kinds(rows: tuple[Any, ...]) -> list[tuple[str, str]]:
    return [(row.table, row.kind) for row in rows]


@timed
async def test_a_table_is_told_by_what_it_is_doing() -> None:
    async with hall_on(MemoryStore(), new_table("one"), new_table("two", "automatic")) as hall:
        await seated(hall, WEI)

        def state(person: Person = PIA) -> str:
            return one(pit(hall, person)).state

        assert state() == "no-dealer"
        assert kinds(pit(hall, PIA).alarms) == [("one", "no-dealer")]
        await does(hall, DEE, commands.NewShoe(by="Dee"))
        assert state() == "between"
        await does(hall, DEE, commands.Open(by="Dee"))
        seen = one(pit(hall, PIA))
        assert (seen.state, seen.seats_taken, seen.seats, seen.standing) == ("bets-open", 1, 5, 0)
        assert seen.timer is not None
        assert seen.duty.dealer == "Dee"
        await does(hall, WEI, bet(cents=500_00, on="banker"))
        await does(hall, DEE, commands.Close(by="Dee"))
        assert state() == "dealing"
        for card in cards(BANKER_WINS):
            await does(hall, DEE, commands.Draw(by="Dee", card=card))
        await does(hall, DEE, commands.Settle(by="Dee"))
        assert (state(), one(pit(hall, PIA)).payouts_left) == ("payouts", 1)
        await asks(hall, DEE, floor_plans.tick_payout(DEE, 1, "Wei", "paid"))
        await asks(hall, DEE, floor_plans.finish_payouts())
        assert state() == "between"
        await asks(hall, DEE, plans.call_supervisor(""))
        at = one(pit(hall, PIA)).state_since
        await asks(hall, DEE, plans.call_supervisor("a fill, please"))
        again = await hall.ask("one", plans.call_supervisor("hello?"), DEE)
        assert again.refusal is not None
        seen = one(pit(hall, PIA))
        assert seen.state == "calling"
        assert seen.call is not None
        assert (seen.call.note, seen.state_since) == ("a fill, please", at)
        call = one(pit(hall, DEE)).call
        assert call is not None
        assert call.note == "called"  # what a dealer wrote is for the pit
        await asks(hall, PIA, plans.supervisor_came())
        await asks(hall, PAM, plans.close_table())
        assert state() == "closed"
        await asks(hall, WEI, plans.by_person(WEI, commands.CashOut(by="Wei", cents=10_475_00)))
        await asks(hall, PAM, floor_plans.archive_table())
        assert [row.id for row in pit(hall, PIA).tables] == ["two"]
        assert one(pit(hall, PIA, archived=True)).state == "archived"


@timed
async def test_what_waits_is_told_with_who_may_do_it_the_oldest_first() -> None:
    async with hall_on(MemoryStore(), new_table("one"), new_table("two")) as hall:
        await seated(hall, WEI)
        await opened(hall)
        await does(hall, WEI, bet())
        await asks(hall, DEE, plans.call_supervisor("hello"), table="two")
        await does(hall, DEE, commands.Close(by="Dee"), commands.Draw(by="Dee", card=parse_card("2C")))
        await does(hall, DEE, commands.Report(by="Dee", case="other-dealing-error", note="slipped"))
        await does(hall, DEE, commands.Report(by="Dee", case="not-covered"))
        seen = pit(hall, PIA)
        assert kinds(seen.waiting) == [("two", "call"), ("one", "ruling"), ("one", "report")]
        assert [row.since for row in seen.waiting] == sorted(row.since for row in seen.waiting)
        assert [row.may for row in seen.waiting] == [True, True, False]  # the last is for a shift manager
        assert [row.may for row in pit(hall, SAM).waiting] == [True, True, True]
        assert [row.may for row in pit(hall, DEE).waiting] == [False, False, False]
        assert seen.waiting[1].note == "slipped"
        assert pit(hall, DEE).waiting[1].note == ""
        table = one(seen)
        assert (table.state, seen.totals.stopped, table.house.saying) == ("stopped", 1, "moment")
        assert table.case is not None
        assert (table.case.case, table.case.by) == ("other-dealing-error", "Dee")
        assert [more.case for more in table.more_cases] == ["not-covered"]
        assert table.stopped_at == table.case.at == table.state_since
        await asks(hall, PIA, floor_plans.take_case(PIA, "other-dealing-error"))
        assert pit(hall, SAM).waiting[1].taken_by == "Pia"


@timed
async def test_what_only_the_pit_can_take_off_waits_there() -> None:
    tables = new_table("one", slug=MBS, positions=7, differential=500_00), new_table("two")
    async with hall_on(MemoryStore(), *tables) as hall:
        await seated(hall, WEI, MEI)
        await opened(hall)
        await does(hall, WEI, bet(cents=800_00))
        await does(hall, DEE, commands.Close(by="Dee"))
        (row,) = pit(hall, PAM).waiting
        assert (row.table, row.kind, row.cents, row.decides) == ("one", "removal", 300_00, "pit-manager")
        assert row.may
        assert not pit(hall, PIA).waiting[0].may
        assert row.rules
        remove = commands.Remove(by="Pam", player="Wei", box=1, bet="player", cents=300_00)
        await does(hall, PAM, remove)
        assert pit(hall, PAM).waiting == ()


@timed
async def test_a_shift_begins_anew_and_is_summed_up_for_who_supervises() -> None:
    async with hall_on(MemoryStore(), new_table("one")) as hall:
        await seated(hall, WEI)
        await opened(hall)
        await does(hall, WEI, bet(cents=500_00, on="banker"))
        await dealt(hall)
        seen = pit(hall, PIA)
        assert (seen.totals.win, seen.totals.rounds, one(seen).drop) == (-475_00, 1, 10_000_00)
        assert pit(hall, DEE).totals.win is None
        assert one(pit(hall, DEE)).win is None
        await asks(hall, PAM, floor_plans.start_shift("B"))
        seen = pit(hall, PIA)
        assert (seen.shift.name, seen.shift.by, seen.totals.win, seen.totals.rounds) == ("B", "Pam", 0, 0)


@timed
async def test_corrections_disputes_and_late_relief_are_worth_a_look() -> None:
    async with hall_on(MemoryStore(), new_table("one")) as hall:
        await seated(hall, WEI)
        await opened(hall)
        await does(hall, WEI, bet())
        await dealt(hall)
        for king in ("KH", "KS", "KC"):
            wanted = tuple(cards(f"2C 9C 3D {king}"))
            await does(hall, PAM, commands.Correct(by="Pam", cards=wanted, reason="the wrong king"))
        (alarm,) = pit(hall, PIA).alarms
        assert (alarm.kind, alarm.count, {row.by for row in alarm.corrections}) == ("corrections", 3, {"Pam"})
        await asks(hall, DEE, floor_plans.tick_payout(DEE, 1, "Wei", "disputed", "had Banker"))
        seen = pit(hall, PIA)
        assert {row.kind for row in seen.alarms} == {"corrections", "disputed"}
        (dispute,) = seen.waiting
        assert (dispute.kind, dispute.players, dispute.box, dispute.note) == (
            "dispute",
            ("Wei",),
            1,
            "had Banker",
        )
        assert pit(hall, DEE).waiting[0].note == ""
