"""Payouts at a table that people deal at: who has what coming, ticked, disputed, and done before bets open."""

from service.houses import (
    DEE,
    MEI,
    PAM,
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
    same,
    timed,
)
from thirdcard.money import CHIP_VALUES, chips_of
from thirdcard.service.audit import audit_store
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import AnyFloorEvent
from thirdcard.service.log.floor_words import floor_lines
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.payouts import Payouts, payouts
from thirdcard.service.tables import floor_plans
from thirdcard.service.tables.engine import Answer, Engine
from thirdcard.service.tables.floor_plans import PayoutState
from thirdcard.service.tables.live import Live, recover
from thirdcard.table import commands
from thirdcard.table.statements import player_statements
from thirdcard.words import words

PIA = Person(name="Pia", role="pit-supervisor")
BANKER_WINS = "2C 9C 3D KD"  # 5 to 9, a natural: nobody draws
PLAYER_WINS = "9C 2C KD 3D"


async def dealt(engine: Engine, text: str) -> None:
    draws = [commands.Draw(by="Dee", card=card) for card in cards(text)]
    await did(engine, DEE, commands.Close(by="Dee"))
    for draw in draws:
        await did(engine, DEE, draw)
    await did(engine, DEE, commands.Settle(by="Dee"))


async def banker_won(engine: Engine) -> None:
    """Wei has $500 on Banker and $50 on a pair, Mei $100 on Player and, standing behind Wei, $40 on Banker."""
    await made(engine)
    await betting(engine)
    await did(engine, WEI, bet(cents=500_00, on="banker"), bet(cents=50_00, on="player-pair"))
    await did(engine, MEI, bet(MEI, 100_00, box=2), bet(MEI, 40_00, on="banker", box=1))
    await dealt(engine, BANKER_WINS)


async def ticks(  # noqa: PLR0913, PLR0917 - who, and what
    engine: Engine, person: Person, box: int, player: str, state: PayoutState, note: str = ""
) -> Answer:
    plan = floor_plans.tick_payout(person, box, player, state, note)
    return await engine.ask("one", plan, actor=person.name)


async def finishes(engine: Engine) -> Answer:
    return await engine.ask("one", floor_plans.finish_payouts(), actor="Dee")


def live_of(engine: Engine) -> Live:
    return engine.tables["one"]


def told(engine: Engine, *, notes: bool = True) -> Payouts:
    found = payouts(live_of(engine), notes=notes)
    assert found is not None
    return found


def code(answer: Answer) -> str:
    assert answer.refusal is not None
    return answer.refusal.code


@timed
async def test_what_is_paid_is_told_in_the_order_of_a_dealer() -> None:
    async with running(MemoryStore()) as engine:
        await banker_won(engine)
        found = told(engine)
    assert [(one.box, one.player, one.standing, one.pays) for one in found.people] == [
        (1, "Wei", False, 475_00),
        (1, "Mei", True, 38_00),
        (2, "Mei", False, 0),
    ]
    assert [one.commission for one in found.people] == [25_00, 2_00, 0]
    assert (found.taken, found.take, found.pay) == ({1: 50_00, 2: 100_00}, 150_00, 513_00)
    assert found.people[0].chips == ((100_00, 4), (50_00, 1), (25_00, 1))
    assert found.people[1].chips == ((25_00, 1), (10_00, 1), (3_00, 1))  # the rest in coins
    assert found.people[2].chips == ()
    assert [(line.bet, line.net, line.commission) for line in found.people[0].lines] == [
        ("banker", 475_00, 25_00),
        ("player-pair", -50_00, 0),
    ]
    assert (found.settled, found.done, found.round) == (True, False, 1)


def test_chips_add_up_and_are_as_few_as_can_be() -> None:
    for cents in (*range(0, 400_00, 95), 123_456_78):
        assert sum(value * count for value, count in chips_of(cents)) == cents
    whole = [value * 100 for value in CHIP_VALUES]
    assert [chips_of(value) for value in whole] == [((value, 1),) for value in whole]


@timed
async def test_payouts_are_ticked_one_by_one_and_then_done() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await banker_won(engine)
        before = len(store.read("one"))
        assert code(await finishes(engine)) == "wrong-phase"
        assert (await ticks(engine, DEE, 1, "Wei", "paid")).refusal is None
        assert code(await ticks(engine, DEE, 1, "Wei", "paid")) == "wrong-phase"
        assert code(await ticks(engine, DEE, 2, "Mei", "paid")) == "wrong-phase"  # there is nothing to pay
        assert code(await ticks(engine, DEE, 3, "Wei", "paid")) == "unknown-player"
        assert [one.paid for one in told(engine).people] == [True, False, False]
        assert told(engine).people[0].chips == ()
        assert (await ticks(engine, DEE, 1, "Wei", "to-pay")).refusal is None
        assert [one.paid for one in told(engine).people] == [False, False, False]
        for player in ("Wei", "Mei"):
            assert (await ticks(engine, DEE, 1, player, "paid")).refusal is None
        assert (await finishes(engine)).refusal is None
        assert told(engine).done
        assert code(await finishes(engine)) == "wrong-phase"
        assert names(store.read("one", after=before)) == [
            "payout-ticked", "payout-unticked", "payout-ticked", "payout-ticked", "payouts-done",
        ]  # fmt: skip
        await did(engine, DEE, commands.Open(by="Dee"))
        assert live_of(engine).paying is None
        assert "payouts-done" not in names(store.read("one", after=before + 5))
        assert same(recover("one", store.read("one")), live_of(engine))
        assert code(await ticks(engine, DEE, 1, "Wei", "paid")) == "wrong-phase"
    assert audit_store(store, [], None).problems == ()


@timed
async def test_opening_bets_says_that_payouts_are_done_and_starts_the_timer() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await banker_won(engine)
        before = len(store.read("one"))
        await did(engine, DEE, commands.Open(by="Dee"))
        assert names(store.read("one", after=before)) == ["payouts-done", "bets-opened", "timer-started"]
        timer = live_of(engine).timer
        assert timer is not None
        assert (timer.name, timer.key) == ("betting", "betting/2")


@timed
async def test_a_dispute_holds_the_next_round_and_a_supervisor_settles_it() -> None:
    async with running(MemoryStore()) as engine:
        await banker_won(engine)
        assert (await ticks(engine, DEE, 2, "Mei", "disputed", "says it was Banker")).refusal is None
        assert code(await ticks(engine, DEE, 2, "Mei", "disputed")) == "wrong-phase"
        mei = told(engine).people[2]
        assert (mei.disputed, mei.note) == (True, "says it was Banker")
        assert told(engine, notes=False).people[2].note == ""
        assert code(await does(engine, DEE, commands.Open(by="Dee"))) == "decision-needed"
        assert code(await finishes(engine)) == "decision-needed"
        assert code(await ticks(engine, DEE, 2, "Mei", "to-pay")) == "wrong-rank"
        assert (await ticks(engine, PIA, 2, "Mei", "to-pay")).refusal is None
        assert not told(engine).people[2].disputed
        await did(engine, DEE, commands.Open(by="Dee"))


@timed
async def test_a_correction_unticks_what_is_different_now() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        await did(engine, WEI, bet(cents=500_00, on="banker"))
        await did(engine, MEI, bet(MEI, 100_00, box=2), bet(MEI, 20_00, on="banker-pair", box=2))
        await dealt(engine, BANKER_WINS)
        assert (await ticks(engine, DEE, 1, "Wei", "paid")).refusal is None
        assert (await finishes(engine)).refusal is None
        await did(engine, PAM, commands.Correct(by="Pam", cards=tuple(cards(PLAYER_WINS)), reason="swapped"))
        found = told(engine)
        assert not found.done
        wei, mei = found.people
        assert (wei.pays, wei.handed, wei.paid, wei.chips) == (-500_00, 475_00, False, chips_of(975_00))
        assert (mei.pays, mei.handed, mei.paid) == (80_00, -120_00, False), "one figure: pay 200"
        assert (found.corrected, found.take, wei.to_take, mei.to_take) == (True, 500_00, 500_00, 0)
        assert code(await finishes(engine)) == "wrong-phase"
        for box, player in ((1, "Wei"), (2, "Mei")):
            assert (await ticks(engine, DEE, box, player, "paid")).refusal is None
        back, paid = [event_of(one) for one in store.read("one")[-2:]]
        assert [line.told(words("en")) for event in (back, paid) for line in floor_lines(event)] == [  # type: ignore[arg-type]
            "975 is taken back from Wei in box 1, as the round was corrected",
            "Mei in box 2 is paid 200, as the round was corrected",
        ]
        assert (await ticks(engine, DEE, 1, "Wei", "to-pay")).refusal is None
        assert told(engine).people[0].handed == 475_00, "as it was before the correction"
        assert (await ticks(engine, DEE, 1, "Wei", "paid")).refusal is None
        assert live_of(engine).paying is not None
        assert (await finishes(engine)).refusal is None
        assert same(recover("one", store.read("one")), live_of(engine))


@timed
async def test_after_a_correction_each_is_paid_or_gives_back_the_difference() -> None:
    """At the desk, in the pit and in the statement; a bet that was taken comes back with it."""
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        await did(engine, WEI, bet(cents=500_00, on="banker"))
        await did(engine, MEI, bet(MEI, 100_00, box=2), bet(MEI, 20_00, on="banker-pair", box=2))
        await dealt(engine, BANKER_WINS)
        assert told(engine).differences == ()
        swapped = commands.Correct(by="Pam", cards=tuple(cards(PLAYER_WINS)), reason="swapped")
        await did(engine, PAM, swapped)
        differences = [
            (one.player, one.before, one.after, one.difference) for one in told(engine).differences
        ]
        assert differences == [("Wei", 475_00, -500_00, -975_00), ("Mei", -120_00, 80_00, 200_00)]
        assert (await ticks(engine, DEE, 2, "Mei", "paid")).refusal is None
        assert (await finishes(engine)).refusal is None
        await did(engine, SAM, commands.Void(by="Sam", reason="a card on the floor"))
        after = {one.player: one.difference for one in told(engine).differences}
        assert after == {"Wei": 500_00, "Mei": -80_00}, "from what was carried out last"
        log = [event for event in map(event_of, store.read("one")) if not isinstance(event, AnyFloorEvent)]
        wei = player_statements(log)["Wei"].entries[-5:]
        assert [(one.what, one.net, one.difference) for one in wei] == [
            ("settlement", 475_00, None),
            ("settlement reversed", 475_00, None),
            ("corrected settlement", -500_00, -975_00),
            ("settlement reversed", -500_00, None),
            ("round void", None, 500_00),
        ]
        assert same(recover("one", store.read("one")), live_of(engine))


@timed
async def test_every_bet_that_won_in_the_shoe_is_counted_and_a_reversal_takes_it_back() -> None:
    async with running(MemoryStore()) as engine:
        await made(engine)
        await betting(engine)
        await dealt(engine, "9C 2C 9D 3D")
        assert live_of(engine).hits.bets == {"player": 1, "player-pair": 1}
        await did(engine, DEE, commands.Open(by="Dee"))
        await dealt(engine, BANKER_WINS)
        first = {"player": 1, "player-pair": 1}
        assert {bet: live_of(engine).hits.bets[bet] for bet in first} == first
        assert live_of(engine).hits.bets["banker"] == 1
        await did(engine, PAM, commands.Correct(by="Pam", cards=tuple(cards(PLAYER_WINS)), reason="swapped"))
        assert live_of(engine).hits.bets["player"] == 2
        assert "banker" not in live_of(engine).hits.bets
        await did(engine, DEE, commands.NewShoe(by="Dee"))
        assert live_of(engine).hits.bets == {}
