"""A table's end: the last round is announced, racks are paid out, it is closed and archived; and shifts."""

import pytest

from service.houses import (
    DEE,
    MEI,
    PAM,
    WEI,
    bet,
    betting,
    did,
    does,
    go,
    hall_on,
    made,
    names,
    new_table,
    running,
    same,
    seated,
    set_up,
    timed,
)
from service.test_paying import BANKER_WINS, code, dealt, live_of
from thirdcard.errors import BadInput
from thirdcard.service.audit import audit_store
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.queries.lobby import listed, lobby
from thirdcard.service.queries.new_table import checked
from thirdcard.service.tables import floor_plans, plans
from thirdcard.service.tables.draft import Plan
from thirdcard.service.tables.engine import Answer, Engine
from thirdcard.service.tables.live import Live, recover
from thirdcard.service.tables.publish import public
from thirdcard.table import commands
from thirdcard.table.setup import Limit

QUICK = Pace(betting=3_000, insurance=3_000, adjusting=3_000, choice=5_000, squeeze=3_000, card=100, result=1_000, shuffle=500)  # fmt: skip


async def asked(engine: Engine, plan: Plan, by: str = "Pam") -> Answer:
    return await engine.ask("one", plan, actor=by)


@timed
async def test_after_the_last_round_none_is_opened_and_the_table_can_be_emptied() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        await did(engine, WEI, bet(cents=500_00, on="banker"))
        assert (await asked(engine, floor_plans.announce_last_round())).refusal is None
        assert code(await asked(engine, floor_plans.announce_last_round())) == "wrong-phase"
        assert live_of(engine).last_round == 1
        assert public(live_of(engine))["house"].saying == "closing"
        assert code(await asked(engine, floor_plans.cash_out(DEE))) == "wrong-phase"  # it is being played
        await dealt(engine, BANKER_WINS)
        assert code(await does(engine, DEE, commands.Open(by="Dee"))) == "wrong-phase"
        assert code(await asked(engine, floor_plans.archive_table())) == "wrong-phase"
        assert code(await asked(engine, floor_plans.cash_out(DEE, "Anwar"), "Dee")) == "unknown-player"
        assert (await asked(engine, floor_plans.cash_out(DEE, "Wei"), "Dee")).refusal is None
        assert (live_of(engine).table.rack("Wei"), live_of(engine).table.rack("Mei")) == (0, 10_000_00)
        assert (await asked(engine, plans.close_table())).refusal is None
        assert code(await asked(engine, floor_plans.archive_table())) == "wrong-phase"  # Mei has chips
        assert (await asked(engine, floor_plans.cash_out(DEE), "Dee")).refusal is None
        assert code(await asked(engine, floor_plans.cash_out(DEE), "Dee")) == "rack-too-small"
        takings = live_of(engine).takings
        assert (takings.drop, takings.paid_out) == (20_000_00, 20_475_00)
        assert (await asked(engine, floor_plans.archive_table())).refusal is None
        assert code(await asked(engine, floor_plans.archive_table())) == "wrong-phase"
        assert live_of(engine).archived
        assert code(await asked(engine, plans.reopen_table())) == "wrong-phase"
        assert code(await does(engine, WEI, commands.BuyIn(by="Wei", cents=10_00))) == "wrong-phase"
        assert (await asked(engine, floor_plans.unarchive_table())).refusal is None
        assert code(await asked(engine, floor_plans.unarchive_table())) == "wrong-phase"
        assert (await asked(engine, plans.reopen_table())).refusal is None
        assert live_of(engine).last_round == 0
        await did(engine, DEE, commands.Open(by="Dee"))
        assert same(recover("one", store.read("one")), live_of(engine))
    assert audit_store(store, [], None).problems == ()


@timed
async def test_between_two_rounds_the_next_is_the_last() -> None:
    async with running(MemoryStore()) as engine:
        await made(engine)
        assert (await asked(engine, floor_plans.announce_last_round())).refusal is None
        assert live_of(engine).last_round == 1
        await betting(engine)


@timed
async def test_an_automatic_dealer_stops_after_the_last_round() -> None:
    async with hall_on(MemoryStore(), new_table("one", "automatic", QUICK)) as hall:
        await seated(hall, WEI)

        def live() -> Live:
            return hall.engine.tables["one"]

        await go(hall, lambda: live().table.phase == "betting")
        assert (await hall.ask("one", floor_plans.announce_last_round(), PAM)).refusal is None
        await go(hall, lambda: live().table.phase == "settled")
        version = live().version
        for _ in range(60):
            hall.sign_of_life("one")
            hall.clock.wait(1)  # type: ignore[attr-defined]
            assert await hall._take_turn("one") > 0  # noqa: SLF001 - the dealer looks and finds nothing to do
        assert live().version == version


@timed
async def test_an_archived_table_is_in_no_list_unless_asked_for() -> None:
    async with hall_on(MemoryStore(), new_table("one"), new_table("two")) as hall:
        for plan in (plans.close_table(), floor_plans.archive_table()):
            assert (await hall.ask("one", plan, PAM)).refusal is None
        assert [one.house.id for one in lobby(hall, None)] == ["two"]
        assert {live.id for live in listed(hall, archived=True)} == {"one", "two"}


@timed
async def test_a_shift_counts_from_where_it_begins() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        await did(engine, WEI, bet(cents=500_00, on="banker"))
        await dealt(engine, BANKER_WINS)
        live = live_of(engine)
        assert (live.shift.name, live.shift.win(live.table)) == ("", -475_00)
        assert (await asked(engine, floor_plans.start_shift("B"))).refusal is None
        live = live_of(engine)
        assert (live.shift.name, live.shift.by, live.shift.rounds) == ("B", "Pam", 1)
        assert live.shift.win(live.table) == 0
        await did(engine, DEE, commands.Open(by="Dee"))
        await did(engine, MEI, bet(MEI, 100_00, box=2))
        await dealt(engine, BANKER_WINS)
        live = live_of(engine)
        assert (live.shift.win(live.table), live.table.rounds - live.shift.rounds) == (100_00, 1)
        assert same(recover("one", store.read("one")), live)


@timed
async def test_limits_under_which_nobody_could_bet_are_refused() -> None:
    low = set_up(limits={"*": Limit(100_00, 2_000_00)}, differential=50_00)
    with pytest.raises(BadInput, match="differential"):
        plans.create("one", "staff", low, pace=Pace(), live_odds=False)
    async with running(MemoryStore()) as engine:
        await made(engine)

        def change(**changed: object) -> commands.ChangeSetup:
            return commands.ChangeSetup(by="Pam", changes=commands.Changes(**changed))  # type: ignore[arg-type]

        assert code(await does(engine, PAM, change(differential=5_00))) == "bad-setup"
        await did(engine, PAM, change(differential=10_00))
        assert code(await does(engine, PAM, change(limits={"*": Limit(20_00, 2_000_00)}))) == "bad-setup"
        assert public(live_of(engine))["house"].next_limits.differential == 10_00
        await betting(engine)
        assert public(live_of(engine))["house"].next_limits is None
        assert public(live_of(engine))["differential"] == 10_00


@timed
async def test_a_new_table_is_checked_field_by_field_and_not_made() -> None:
    async with hall_on(MemoryStore(), new_table("one")) as hall:
        wrong = new_table(
            "one",
            limits={"*": Limit(10_00, 2_000_00), "tie": Limit(50_00, 20_00), "sic-bo": Limit(1_00, 2_00)},
            positions=40,
            decks=99,
            differential=5_00,
            method="none",
        )
        found = checked(hall, wrong, PAM)
        fields = [one.field for one in found.faults]
        assert {
            "id",
            "setup.decks",
            "setup.positions",
            "setup.method",
            "setup.limits.tie",
            "setup.limits.sic-bo",
            "setup.differential",
        } <= {*fields}
        assert len(fields) == len(set(fields))
        low = checked(hall, new_table("two", differential=5_00), PAM)
        assert [one.field for one in low.faults] == ["setup.differential"]
        fine = checked(hall, new_table("two"), PAM)
        assert fine.faults == ()
        assert set(hall.tables()) == {"one"}
        await hall.create(new_table("two"), by="Pam")
        assert names(hall.engine.store.read("two")) == ["table-created", "table-opened"]
