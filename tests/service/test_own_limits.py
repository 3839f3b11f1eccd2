"""Limits that people set themselves: what is tighter, when it holds, and what a table then takes from them."""

import hashlib

import msgspec
import pytest

from service.clocks import START, FakeClock
from service.houses import MBS, PAM, SAM, WEI, bet, cards, hall_on, new_table, running, seated, timed
from thirdcard.errors import BadInput
from thirdcard.rulebook.model import Side
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import Noted
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.people.sessions import TRUSTED_SHARED
from thirdcard.service.tables import plans
from thirdcard.service.tables.engine import Answer
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import at_risk
from thirdcard.service.tables.own_play import (
    DAY,
    HOUR,
    KIND,
    MINUTE,
    NO_BOUNDS,
    WEEK,
    Bounds,
    Lately,
    OwnLimits,
    OwnPlay,
    RealityCheck,
)
from thirdcard.service.tables.publish import Reader
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand

BANKER_WINS, PLAYER_WINS = "2C 4D 3C 4S", "4C 2D 4S 3D"  # by naturals


def bounds(**given: int | None) -> Bounds:
    return msgspec.structs.replace(NO_BOUNDS, **given)


# What is tighter ----------------------------------------------------------------------------------------


def test_a_tighter_limit_holds_at_once_and_a_looser_one_after_a_day() -> None:
    first = OwnLimits().asked(bounds(loss_day=100_00, minutes_day=60), START)
    assert (first.bounds, first.coming) == (bounds(loss_day=100_00, minutes_day=60), {})
    second = first.asked(bounds(loss_day=200_00, minutes_day=30), START + 1)
    assert second.bounds == bounds(loss_day=100_00, minutes_day=30)
    assert second.coming["loss_day"].at == START + 1 + DAY
    assert second.at(START + DAY).bounds.loss_day == 100_00
    assert second.at(START + 1 + DAY).bounds.loss_day == 200_00
    assert not second.at(START + 1 + DAY).coming


def test_no_limit_is_the_loosest_of_all() -> None:
    none = OwnLimits().asked(bounds(check_minutes=30), START).asked(NO_BOUNDS, START)
    assert none.bounds.check_minutes == 30
    assert none.at(START + DAY).bounds == NO_BOUNDS


def test_asking_again_for_the_same_does_not_put_it_off_and_taking_it_back_ends_it() -> None:
    tight, loose = bounds(loss_week=100), bounds(loss_week=300)
    asked = OwnLimits().asked(tight, START).asked(loose, START)
    assert asked.asked(loose, START + HOUR).coming["loss_week"].at == START + DAY
    assert asked.asked(bounds(loss_week=200), START + HOUR).coming["loss_week"].at == START + HOUR + DAY
    assert not asked.asked(tight, START + HOUR).coming


def test_a_time_out_only_gets_longer() -> None:
    away = OwnLimits().away(24, START)
    assert away.away_until == START + DAY
    assert away.away(1, START + HOUR).away_until == START + DAY
    assert away.away(720, START).away_until == START + 30 * DAY
    for hours in (0, 721):
        with pytest.raises(BadInput):
            away.away(hours, START)


def test_the_rounds_of_a_week_are_enough_and_none_is_counted_twice() -> None:
    lately = Lately()
    for number in range(20_000):  # a minute each: a fortnight
        lately.add(START + number * MINUTE, -100, 300)
    now = START + 19_999 * MINUTE
    assert (lately.net(now - DAY), lately.net(now - WEEK)) == (-100 * 24 * 60, -100 * 7 * 24 * 60)
    assert lately.time(now - DAY) == DAY
    assert len(lately._rounds) == 7 * 24 * 60 + 1  # noqa: SLF001
    assert lately.session(now, now - 30 * MINUTE) == RealityCheck(
        minutes=30, rounds=30, staked=9_000, net=-3_000
    )
    assert lately.session(now + 11 * MINUTE, 0) is None
    lately.add(now - HOUR, -100, 300)  # by a clock that was set back
    assert (lately.net(now - 1), lately.time(now - DAY)) == (-200, DAY)


# At a table ---------------------------------------------------------------------------------------------


async def asks(hall: Hall, *asked: AnyCommand, person: Person = WEI, table: str = "one") -> Answer:
    return await hall.ask(table, plans.by_person(person, *asked), person)


async def refused(hall: Hall, *asked: AnyCommand, table: str = "one") -> tuple[str, str]:
    no = (await asks(hall, *asked, table=table)).refusal
    return (no.code, no.sentence) if no else ("", "")


async def limit(hall: Hall, **given: int | None) -> None:
    await hall.change_limits("Wei", lambda own, now: own.asked(bounds(**given), now))


async def opened(hall: Hall, table: str = "one") -> None:
    if hall.engine.tables[table].table.shoe is None:
        await dealt(hall, commands.NewShoe(by="Sam"), table=table)
    await dealt(hall, commands.Open(by="Sam"), table=table)


async def dealt(hall: Hall, *asked: AnyCommand, table: str = "one") -> None:
    answer = await hall.ask(table, plans.by_person(SAM, *asked), SAM)
    assert answer.refusal is None, answer.refusal


async def finished(hall: Hall, text: str = BANKER_WINS, table: str = "one") -> None:
    """The dealer deals the round, and a minute passes."""
    draws = [commands.Draw(by="Sam", card=card) for card in cards(text)]
    await dealt(hall, commands.Close(by="Sam"), *draws, commands.Settle(by="Sam"), table=table)
    assert isinstance(hall.clock, FakeClock)
    hall.clock.wait(60)


async def loses(hall: Hall, cents: int, table: str = "one") -> None:
    await opened(hall, table)
    assert await refused(hall, bet(cents=cents), table=table) == ("", "")
    await finished(hall, table=table)


@timed
async def test_a_bet_that_could_lose_more_than_allowed_is_refused_with_what_is_left() -> None:
    async with hall_on(MemoryStore(), new_table(), new_table("two")) as hall:
        for table in ("one", "two"):
            await seated(hall, WEI, table=table)
        await limit(hall, loss_day=500_00)
        await loses(hall, 200_00)
        await opened(hall)
        code, sentence = await refused(hall, bet(cents=301_00))
        assert (code, "300 is left" in sentence) == ("own-limit", True), sentence
        assert await refused(hall, bet(cents=100_00)) == ("", "")
        assert ": 200 is left" in (await refused(hall, bet(cents=201_00)))[1], "what lies on the table counts"
        await opened(hall, "two")
        assert ": 200 is left" in (await refused(hall, bet(cents=201_00), table="two"))[1], (
            "so at another one"
        )
        assert await refused(hall, bet(cents=200_00), table="two") == ("", "")
        assert (await refused(hall, bet(cents=10_00)))[0] == "own-limit"
        assert await refused(hall, commands.TakeBack(by="Wei", box=1, bet="player")) == ("", "")
        assert await refused(hall, bet(cents=100_00)) == ("", "")


@timed
async def test_wins_make_room_and_a_day_later_a_loss_is_forgotten_but_not_of_the_week() -> None:
    async with hall_on(MemoryStore(), new_table()) as hall:
        await seated(hall, WEI)
        await limit(hall, loss_day=300_00, loss_week=400_00)
        await loses(hall, 300_00)
        await opened(hall)
        assert (await refused(hall, bet(cents=10_00)))[0] == "own-limit"
        await finished(hall)
        hall.clock.wait(86_400)  # type: ignore[attr-defined]
        await opened(hall)
        assert ": 100 is left" in (await refused(hall, bet(cents=200_00)))[1], "of the week that is left"
        assert await refused(hall, bet(cents=100_00)) == ("", "")
        await finished(hall, PLAYER_WINS)
        await opened(hall)
        assert await refused(hall, bet(cents=200_00)) == ("", "")


@timed
async def test_another_process_or_a_restart_counts_what_was_lost_before() -> None:
    store, clock = MemoryStore(), FakeClock()
    async with hall_on(store, new_table(), clock=clock) as hall:
        await seated(hall, WEI)
        await loses(hall, 200_00)
        await limit(hall, loss_day=300_00)
        await loses(hall, 50_00)
    async with hall_on(store, clock=clock) as hall:
        await opened(hall)
        assert ": 50 is left" in (await refused(hall, bet(cents=51_00)))[1]
        assert await refused(hall, bet(cents=50_00)) == ("", "")


@timed
async def test_what_was_settled_again_counts_once() -> None:
    async with hall_on(MemoryStore(), new_table()) as hall:
        await seated(hall, WEI)
        await limit(hall, loss_day=500_00)
        await loses(hall, 400_00)
        await dealt(hall, commands.Amend(by="Sam", cards=tuple(cards(PLAYER_WINS)), reason="misread"))
        assert (await asks(hall, commands.ConfirmAmendment(by="Pam"), person=PAM)).refusal is None
        own = await hall.play.of("Wei")
        assert hall.play.used(own).loss_day == 0, "it was a win after all"


@timed
async def test_what_was_settled_before_the_end_counts_too() -> None:
    """A device is reset: Wei's tiger pair is lost, and the round begins again without it."""
    async with hall_on(MemoryStore(), new_table(slug=MBS, device="reader")) as hall:
        await seated(hall, WEI)
        await limit(hall, loss_day=500_00)
        await opened(hall)
        assert await refused(hall, bet(cents=100_00, on="tiger-pair")) == ("", "")
        draws = [commands.Draw(by="Sam", card=card) for card in cards("2C 4H 3D KS")]
        await dealt(hall, commands.Close(by="Sam"), *draws)
        await dealt(hall, commands.Report(by="Sam", case="device-reset"))
        await dealt(hall, commands.Rule(by="Sam"))
        assert hall.engine.tables["one"].table.phase == "betting"
        await finished(hall)
        assert hall.play.used(await hall.play.of("Wei")).loss_day == 100_00


@timed
async def test_limits_set_at_another_process_hold_here_within_moments() -> None:
    store, clock = MemoryStore(), FakeClock()
    store.shared = True
    async with hall_on(store, new_table(), clock=clock) as here:
        await seated(here, WEI)
        await opened(here)
        async with running(store, clock=clock) as engine:
            await OwnPlay(engine).change("Wei", lambda own, now: own.away(1, now))
            clock.wait(TRUSTED_SHARED)
            assert (await refused(here, bet()))[0] == "time-out"


@timed
async def test_insurance_is_a_bet_but_no_reality_check_stands_in_its_way() -> None:
    async with hall_on(MemoryStore(), new_table()) as hall:
        await seated(hall, WEI)
        await limit(hall, check_minutes=1)
        await loses(hall, 10_00)
        await hall.change_limits("Wei", lambda own, now: msgspec.structs.replace(own, acknowledged=now))
        await opened(hall)
        assert await refused(hall, bet(cents=100_00)) == ("", "")
        await hall.change_limits("Wei", lambda own, _: msgspec.structs.replace(own, acknowledged=0))
        draws = [commands.Draw(by="Sam", card=card) for card in cards("KC KH 6D 5S")]
        await dealt(hall, commands.Close(by="Sam"), *draws)
        assert hall.play.check(await hall.play.of("Wei"))
        await limit(hall, check_minutes=1, loss_day=130_00)
        insure = commands.Insure(by="Wei", box=1, hand=Side.PLAYER, cents=30_00)
        assert ": 20 is left" in (await refused(hall, insure))[1]
        assert await refused(hall, msgspec.structs.replace(insure, cents=20_00)) == ("", "")


@timed
async def test_staff_do_not_lay_chips_for_somebody_beyond_their_limit() -> None:
    async with hall_on(MemoryStore(), new_table()) as hall:
        await seated(hall, WEI)
        await limit(hall, loss_day=100_00)
        await opened(hall)
        placed = commands.Place(by="Sam", box=1, bet="player", cents=200_00, player="Wei")
        answer = await hall.ask("one", plans.by_person(SAM, placed), SAM, players=("Wei",))
        assert answer.refusal is not None
        assert answer.refusal.code == "own-limit"


@timed
async def test_time_of_play_runs_from_round_to_round_and_ends_bets_and_seats() -> None:
    async with hall_on(MemoryStore(), new_table()) as hall:
        await seated(hall, WEI)
        await limit(hall, minutes_day=3)
        for _ in range(3):
            await loses(hall, 10_00)
        assert hall.play.used(await hall.play.of("Wei")).minutes_day == 3
        await opened(hall)
        assert (await refused(hall, bet()))[0] == "own-limit"
        assert (await refused(hall, commands.BuyIn(by="Wei", cents=100_00)))[0] == "own-limit"
        assert await refused(hall, commands.Leave(by="Wei")) == ("", "")
        assert (await refused(hall, commands.Sit(by="Wei", box=1)))[0] == "own-limit"
        assert await refused(hall, commands.CashOut(by="Wei", cents=100_00)) == ("", "")
        hall.clock.wait(86_400)  # type: ignore[attr-defined]
        assert await refused(hall, commands.Sit(by="Wei", box=1)) == ("", "")


@timed
async def test_nobody_bets_buys_in_or_sits_in_a_time_out_and_nothing_ends_it_early() -> None:
    async with hall_on(MemoryStore(), new_table()) as hall:
        await seated(hall, WEI)
        await opened(hall)
        assert await refused(hall, bet(cents=100_00)) == ("", "")
        await hall.change_limits("Wei", lambda own, now: own.away(1, now))
        await limit(hall, loss_day=1_000_00)
        for command in (bet(), commands.BuyIn(by="Wei", cents=100_00)):
            assert (await refused(hall, command))[0] == "time-out"
        await finished(hall)  # the bet that lay there plays
        assert await refused(hall, commands.Leave(by="Wei")) == ("", "")
        assert (await refused(hall, commands.Sit(by="Wei", box=1)))[0] == "time-out"
        hall.clock.wait(3_600)  # type: ignore[attr-defined]
        assert await refused(hall, commands.Sit(by="Wei", box=1)) == ("", "")
        await hall.change_limits("Wei", lambda own, _: msgspec.structs.replace(own, excluded=True))
        hall.clock.wait(400 * 86_400)  # type: ignore[attr-defined]
        assert (await refused(hall, commands.BuyIn(by="Wei", cents=100_00)))[0] == "time-out"


@timed
async def test_a_reality_check_is_sent_and_no_bet_is_taken_before_it_is_acknowledged() -> None:
    async with hall_on(MemoryStore(), new_table()) as hall:
        await seated(hall, WEI)
        mine, others = Reader("Wei", b""), Reader("Mei", b"")
        for reader in (mine, others):
            await hall.join("one", reader, None)
        await limit(hall, check_minutes=2)
        await loses(hall, 100_00)
        await loses(hall, 50_00)
        sent = [text for text in mine.outbox if text and '"check"' in text]
        expected = {"check": {"minutes": 2, "rounds": 2, "staked": 150_00, "net": -150_00}}
        assert [msgspec.json.decode(text) for text in sent] == [expected]
        assert not [text for text in others.outbox if text and '"check"' in text]
        await opened(hall)
        assert (await refused(hall, bet()))[0] == "reality-check"
        await hall.change_limits("Wei", lambda own, now: msgspec.structs.replace(own, acknowledged=now))
        assert await refused(hall, bet(cents=10_00)) == ("", "")
        await finished(hall)
        assert hall.play.check(await hall.play.of("Wei")) is None


@timed
async def test_a_pause_begins_a_new_session() -> None:
    async with hall_on(MemoryStore(), new_table()) as hall:
        await seated(hall, WEI)
        await limit(hall, check_minutes=2)
        await loses(hall, 10_00)
        hall.clock.wait(11 * 60)  # type: ignore[attr-defined]
        await loses(hall, 10_00)
        assert hall.play.check(await hall.play.of("Wei")) is None
        await loses(hall, 10_00)
        check = hall.play.check(await hall.play.of("Wei"))
        assert check is not None
        assert (check.minutes, check.rounds) == (2, 2)


@timed
async def test_every_change_is_in_the_journal_by_the_hash_of_what_is_kept() -> None:
    store = MemoryStore()
    async with hall_on(store, new_table()) as hall:
        await limit(hall, loss_day=100_00)
        kept = store.personal("Wei", KIND)
        assert kept is not None
        notes = [event for record in store.read(JOURNAL) if isinstance(event := event_of(record), Noted)]
        facts = {"account": "Wei", "kind": KIND, "sha256": hashlib.sha256(kept).hexdigest(), "by": "Wei"}
        assert facts in [note.facts for note in notes if note.kind == "personal-set"]


@timed
async def test_who_has_no_limits_is_not_looked_at() -> None:
    async with hall_on(MemoryStore(), new_table()) as hall:
        await seated(hall, WEI)
        await loses(hall, 1_000_00)
        assert (await hall.play.of("Wei")).known == "no"
        assert at_risk(hall.engine.tables["one"].table, "Wei") == 0
