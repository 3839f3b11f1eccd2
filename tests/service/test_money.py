"""Money on the floor as it is moved: slips with numbers, two people, counts by chip, differences that are answered."""

from service.houses import DEE, MEI, PAM, WEI, bet, betting, did, made, running, same, timed
from service.test_paying import BANKER_WINS, PIA, code, dealt, live_of
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import duty, floats
from thirdcard.service.tables.draft import Plan
from thirdcard.service.tables.engine import Engine
from thirdcard.service.tables.live import recover

DAN = Person(name="Dan", role="dealer")
FLOAT = {100_00: 400, 1_000_00: 60}  # 100,000


async def asks(engine: Engine, plan: Plan, by: str = "Dee") -> str:
    answer = await engine.ask("one", plan, actor=by)
    return code(answer) if answer.refusal is not None else ""


@timed
async def test_a_slip_counts_once_two_people_have_signed_it() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        assert await asks(engine, duty.sign_on(DEE)) == ""
        assert await asks(engine, floats.count(DEE, PIA, "opening", FLOAT)) == ""
        fill = {500_00: 20}
        assert await asks(engine, floats.ask_slip(DAN, "fill", fill), "Dan") == "wrong-rank"
        assert await asks(engine, floats.ask_slip(DEE, "fill", {3_00: 1})) == "not-a-multiple"
        assert await asks(engine, floats.ask_slip(DEE, "fill", fill)) == ""
        live = live_of(engine)
        assert live.tray.expected(live.table) == 100_000_00, "not before it is signed"
        assert await asks(engine, floats.finish_slip(DEE, DEE, 1)) == "wrong-rank"
        assert await asks(engine, floats.finish_slip(DEE, DAN, 1)) == "wrong-rank", "nobody supervises"
        assert await asks(engine, floats.finish_slip(DEE, PIA, 1)) == ""
        live = live_of(engine)
        assert live.tray.expected(live.table) == 110_000_00
        assert await asks(engine, floats.finish_slip(DEE, PIA, 1)) == "wrong-phase"
        assert await asks(engine, floats.void_slip(DEE, PIA, 2, "no")) == "unknown-case"
        assert await asks(engine, floats.ask_slip(DEE, "credit", fill)) == ""
        assert await asks(engine, floats.void_slip(DEE, PIA, 2, " ")) == "fact-missing"
        assert await asks(engine, floats.void_slip(DEE, PIA, 2, "asked for the wrong table")) == ""
        assert await asks(engine, floats.ask_slip(DEE, "credit", fill)) == ""
        live = live_of(engine)
        assert [(one.number, one.state) for one in live.money.slips] == [
            (1, "done"),
            (2, "void"),
            (3, "asked"),
        ]
        assert live.tray.expected(live.table) == 110_000_00
        assert same(recover("one", store.read("one")), live)


@timed
async def test_counts_follow_the_play_and_a_difference_is_a_case() -> None:
    """A round is played between two counts: the float is what the ledger says, and a chip that is missing is told."""
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        assert await asks(engine, floats.count(PAM, PIA, "opening", FLOAT), "Pam") == ""
        await betting(engine)
        await did(engine, WEI, bet(cents=500_00, on="banker"))
        await did(engine, MEI, bet(MEI, 100_00, box=2))
        await dealt(engine, BANKER_WINS)
        live = live_of(engine)
        expected = live.tray.expected(live.table)
        assert expected is not None
        right = {1: expected}
        assert await asks(engine, floats.count(PAM, PIA, "closing", right), "Pam") == ""
        assert live_of(engine).money.differences == ()
        assert await asks(engine, floats.count(PAM, PIA, "check", {1: expected - 25_00}), "Pam") == ""
        (found,) = live_of(engine).money.differences
        assert (found.cents - found.expected, found.people) == (-25_00, ("Pam", "Pia"))
        assert await asks(engine, floats.answer_difference(DEE, found.at, "lost")) == "wrong-rank"
        assert await asks(engine, floats.answer_difference(PIA, found.at, " "), "Pia") == "fact-missing"
        assert await asks(engine, floats.answer_difference(PIA, found.at, "found on the floor"), "Pia") == ""
        assert await asks(engine, floats.answer_difference(PIA, found.at, "again"), "Pia") == "wrong-phase"
        drop = live_of(engine).takings.drop
        assert await asks(engine, floats.count(PAM, PIA, "drop", {1: drop}), "Pam") == ""
        assert floats.expected(live_of(engine), "drop") == 0
        assert [one.answer for one in live_of(engine).money.differences] == ["found on the floor"]
        assert await asks(engine, duty.hand_over(DEE, "Dan", expected - 25_00)) == ""
        assert len(live_of(engine).money.differences) == 1, "as it was counted before"
        assert await asks(engine, duty.hand_over(DAN, "Dee", expected - 30_00), "Dan") == ""
        handed = live_of(engine).money.differences[-1]
        assert (handed.cents - handed.expected, handed.people) == (-5_00, ("Dan", "Dee"))
        assert same(recover("one", store.read("one")), live_of(engine))
