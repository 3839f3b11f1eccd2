"""Who deals at a staffed table: one person at a time, by name, on record."""

import pytest

from service.clocks import START
from service.houses import (
    DAN,
    DEE,
    KEY,
    SAM,
    WEI,
    bet,
    betting,
    cards,
    did,
    does,
    made,
    names,
    running,
    set_up,
    timed,
)
from thirdcard.service.audit import audit_store
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import SYSTEM, DealerRelieved, DealerSignedOff, DealerSignedOn, Pace
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.possible import possible
from thirdcard.service.queries.replay import steps
from thirdcard.service.tables import duty, plans
from thirdcard.service.tables.draft import Plan
from thirdcard.service.tables.engine import Engine
from thirdcard.service.tables.live import Duty, Live, recover
from thirdcard.table import commands

PIA = Person(name="Pia", role="pit-supervisor")


async def code(engine: Engine, person: Person, plan: Plan) -> str:
    """What a plan is refused with, empty if it is not."""
    answer = await engine.ask("one", plan, actor=person.name)
    return answer.refusal.code if answer.refusal else ""


def one(engine: Engine) -> Live:
    return engine.tables["one"]


@timed
async def test_who_begins_to_deal_is_on_duty_and_nobody_deals_beside() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        assert one(engine).duty == Duty()
        await betting(engine)
        assert one(engine).duty == Duty(dealer="Dee", since=START)
        refused = (await does(engine, DAN, commands.Close(by="Dan"))).refusal
        assert refused is not None
        assert refused.code == "not-on-duty"
        assert "Dee deals here" in refused.sentence
        assert (await does(engine, SAM, commands.Close(by="Sam"))).refusal is not None, "of whatever rank"
        await did(engine, DEE, commands.Close(by="Dee"))
    assert names(store.read("one")).count("dealer-signed-on") == 1
    told = [event_of(record) for record in store.read("one")]
    before = next(at for at, event in enumerate(told) if isinstance(event, DealerSignedOn))
    assert store.read("one")[before + 2].name == "shoe-started", "the rank, then what began it"
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_what_a_supervisor_decides_takes_no_duty() -> None:
    async with running(MemoryStore()) as engine:
        await made(engine)
        await betting(engine)
        await did(engine, WEI, bet())
        await did(
            engine, PIA, commands.RecordChips(by="Pia", player="Wei", box=1, bet="player", cents=200_00)
        )
        await did(engine, PIA, commands.Place(by="Pia", player="Wei", box=1, bet="player", cents=100_00))
        await did(engine, DEE, commands.Close(by="Dee"))
        await did(engine, DEE, commands.Draw(by="Dee", card=cards("9C")[0]))
        await did(engine, DAN, commands.Report(by="Dan", case="not-covered"))
        await did(engine, SAM, commands.Void(by="Sam", reason="it had to be"))
        assert one(engine).duty.dealer == "Dee"


@timed
async def test_what_may_be_done_leaves_out_what_the_dealer_alone_does() -> None:
    async with running(MemoryStore()) as engine:
        await made(engine)
        await betting(engine)
        offered = {
            person.name: {option.command["command"] for option in possible(one(engine), person)}
            for person in (DEE, DAN)
        }
        assert "close" in offered["Dee"]
        assert "close" not in offered["Dan"]
        assert "report" in offered["Dan"]


@timed
async def test_a_refused_command_signs_nobody_on() -> None:
    async with running(MemoryStore()) as engine:
        await made(engine)
        assert (await does(engine, DEE, commands.Open(by="Dee"))).refusal is not None
        assert (await does(engine, WEI, commands.NewShoe(by="Wei"))).refusal.code == "wrong-rank"  # type: ignore[union-attr]
        assert one(engine).duty == Duty()


@timed
async def test_an_automatic_table_has_nobody_on_duty() -> None:
    async with running(MemoryStore()) as engine:
        await made(engine)
        live = one(engine)
        created = live.created
        assert created is not None
        automatic = Live(
            id="two",
            created=type(created)(title="Two", dealer="automatic", pace=Pace(), live_odds=True),
            state=live.state,
        )
        refused = duty.sign_on(DEE)(automatic)
        assert getattr(refused, "code", "") == "not-allowed-here"
        assert plans.barred(automatic, DEE, commands.Open(by="Dee")) is not None


@timed
async def test_signing_on_and_off_between_rounds() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        assert await code(engine, DEE, duty.sign_off(DEE)) == "not-on-duty"
        assert await code(engine, DEE, duty.sign_on(DEE)) == ""
        assert await code(engine, DEE, duty.sign_on(DEE)) == "", "again is no matter"
        assert await code(engine, DAN, duty.sign_on(DAN)) == "not-on-duty"
        assert await code(engine, DAN, duty.sign_off(DAN)) == "wrong-rank"
        await betting(engine)
        assert await code(engine, DEE, duty.sign_off(DEE)) == "wrong-phase"
        assert await code(engine, PIA, duty.sign_off(PIA)) == "", "a supervisor, whenever it has to be"
        assert one(engine).duty == Duty(since=START)
        await did(engine, DAN, commands.Close(by="Dan"))
        assert one(engine).duty.dealer == "Dan", "the round goes on"
        live = one(engine)
    offs = [event_of(record) for record in store.read("one") if record.name == "dealer-signed-off"]
    assert offs == [DealerSignedOff(dealer="Dee", by="Pia")]
    assert names(store.read("one")).count("dealer-signed-on") == 2
    assert recover("one", store.read("one")) == live


@timed
async def test_a_table_is_handed_over_in_mid_shoe_and_not_while_a_case_is_open() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        assert await code(engine, DEE, duty.hand_over(DEE, "Dan", None)) == "not-on-duty"
        await betting(engine)
        assert await code(engine, DAN, duty.hand_over(DAN, "Dan", None)) == "not-on-duty", "nobody takes it"
        assert await code(engine, DEE, duty.hand_over(DEE, "Dee", None)) == "not-on-duty"
        await did(engine, DEE, commands.Close(by="Dee"))
        await did(engine, DEE, commands.Report(by="Dee", case="not-covered"))
        assert await code(engine, DEE, duty.hand_over(DEE, "Dan", None)) == "paused"
        await did(engine, SAM, commands.Dismiss(by="Sam", reason="nothing to it"))
        assert await code(engine, PIA, duty.plan_relief(PIA, START + 5, "Dan")) == ""
        assert one(engine).duty == Duty(dealer="Dee", since=START, relief_at=START + 5, relief_by="Dan")
        assert await code(engine, DEE, duty.hand_over(DEE, "Dan", 48_215_00)) == ""
        assert one(engine).duty == Duty(dealer="Dan", since=START)
        assert (await does(engine, DEE, commands.Draw(by="Dee", card=cards("9C")[0]))).refusal is not None
        await did(engine, DAN, commands.Draw(by="Dan", card=cards("9C")[0]))
    told = [event_of(record) for record in store.read("one") if record.name == "dealer-relieved"]
    assert told == [DealerRelieved(off="Dee", on="Dan", counted=48_215_00)]
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_the_pit_plans_relief() -> None:
    async with running(MemoryStore()) as engine:
        await made(engine)
        assert await code(engine, PIA, duty.plan_relief(PIA, START, "Dan")) == "not-on-duty"
        await betting(engine)
        assert await code(engine, DAN, duty.plan_relief(DAN, START, "Dan")) == "wrong-rank"
        assert await code(engine, PIA, duty.plan_relief(PIA, START, "Dee")) == "not-on-duty"
        assert await code(engine, PIA, duty.plan_relief(PIA, START, "")) == ""
        assert (one(engine).duty.relief_at, one(engine).duty.dealer) == (START, "Dee")
        assert await code(engine, PIA, duty.plan_relief(PIA, 0, "Dan")) == ""
        assert one(engine).duty == Duty(dealer="Dee", since=START), "taken back"


@timed
async def test_what_is_confirmed_at_a_desk_says_so_first() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        plan = plans.by_person(SAM, commands.Void(by="Sam", reason="chips moved"))
        assert await code(engine, SAM, duty.confirmed(plan, SAM, desk="Dee")) == ""
        refused = plans.by_person(SAM, commands.Settle(by="Sam"))
        assert await code(engine, SAM, duty.confirmed(refused, SAM, desk="Dee")) == "not-on-duty"
    last = store.read("one")[-3:]
    assert [record.name for record in last] == ["confirmed-at-desk", "staff-assigned", "round-voided"]
    assert {record.by for record in last} == {"Sam"}


@timed
async def test_who_cannot_deal_any_more_is_taken_off() -> None:
    async with running(MemoryStore()) as engine:
        await made(engine)
        await betting(engine)
        assert await code(engine, DAN, duty.take_off("Dan", by="Ada")) == ""
        assert one(engine).duty.dealer == "Dee", "somebody else deals"
        assert await code(engine, DEE, duty.take_off("Dee", by="Ada")) == ""
        assert one(engine).duty.dealer == ""


def test_every_command_that_draws_or_opens_is_the_dealers() -> None:
    """What an automatic dealer does is what a dealer does: the two lists are one."""
    assert {kind.__struct_config__.tag for kind in duty.DEALT} == {
        "new-shoe", "open", "close", "cut-card", "draw", "hand-over", "take-cards", "reveal-first",
        "give-device", "take-device", "close-insurance", "settle",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("role", "book", "does_so"),
    [
        ("dealer", "rws-tiger-buffalo-commission-v2", False),
        ("pit-supervisor", "rws-tiger-buffalo-commission-v2", True),
        ("dealer", "mbs-tiger-v2", False),
        ("pit-supervisor", "mbs-tiger-v2", True),
        ("assistant-casino-manager", "mbs-tiger-v2", True),
        ("auditor", "mbs-tiger-v2", False),
    ],
)
@timed
async def test_who_supervises_follows_from_the_rulebook(role: str, book: str, does_so: bool) -> None:  # noqa: FBT001
    async with running(MemoryStore()) as engine:
        plan = plans.create("one", "staff", set_up(book), pace=Pace(), live_odds=False)
        await engine.ask("one", plan, actor=SYSTEM)
        assert duty.supervises(Person(name="Who", role=role), one(engine).table) is does_so


@timed
async def test_who_dealt_is_told_with_the_round_in_both_languages() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        for plan in (
            duty.plan_relief(PIA, START, ""),
            duty.plan_relief(PIA, START, "Dan"),
            duty.plan_relief(PIA, 0, ""),
            duty.hand_over(DEE, "Dan", 48_215_00),
            duty.hand_over(PIA, "Dee", None),
            duty.sign_off(PIA),
            duty.confirmed(
                plans.by_person(PIA, commands.Report(by="Pia", case="not-covered")), PIA, desk="Dan"
            ),
        ):
            assert await code(engine, PIA, plan) == ""
        told = {language: list(steps(store, one(engine), 1, language)) for language in ("en", "zh")}
    english = [sentence for step in told["en"] for sentence in step.told]
    for sentence in (
        "Relief is planned for 08:00 UTC",
        "Relief is planned for 08:00 UTC, by Dan",
        "The planned relief is taken back",
        "Dan relieves Dee; the float is counted: 48,215",
        "Dee relieves Dan",
        "Pia signs Dee off",
        "Pia confirms by PIN at the desk of Dan:",
    ):
        assert sentence in english
    assert "Pia 把 Dee 撤下枱" in [sentence for step in told["zh"] for sentence in step.told]
