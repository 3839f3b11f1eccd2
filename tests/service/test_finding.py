"""Rounds are found by what happened in them: every question against a slow look through all that was recorded."""

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest

from service.clocks import START
from service.playing import SAM, House, played
from service.store.earlier import as_of
from thirdcard.errors import BadInput
from thirdcard.service.log.store import Snapshot, open_snapshot, open_store
from thirdcard.service.log.store.model import JOURNAL, MANY, RoundRow
from thirdcard.service.queries import finding
from thirdcard.service.queries.finding import Findings, RoundQuestion, find_rounds, place_of, told_cards
from thirdcard.service.queries.questions import HouseWords, asked
from thirdcard.service.tables.live import RoundRecord

HERE = timezone(timedelta(hours=8))
NOW = datetime(2026, 11, 17, 9, 30, tzinfo=HERE)
KNOWN = HouseWords(
    bets={"banker", "player", "tie", "big-tiger", "player-insurance"},
    tables={"t3", "tiger"},
    cases={"drawn-together", "late-wager"},
    now=NOW,
)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    """A house with three automatic tables and one dealt by hand, some rounds put right."""
    where = str(tmp_path_factory.mktemp("house") / "house.db")
    store = open_store(where)
    played(store, rounds=12)
    store.close()
    with open_snapshot(where) as opened:
        yield opened


def every_round(snapshot: Snapshot) -> dict[tuple[str, int], RoundRecord]:
    return {
        (stream, row.number): msgspec.json.decode(row.body, type=RoundRecord)
        for stream in snapshot.heads()
        if stream != JOURNAL
        for row in snapshot.rounds(stream, limit=MANY)
    }


def places(found: Findings) -> set[tuple[str, int]]:
    return {(one.table, one.number) for one in found.rounds}


def slowly(snapshot: Snapshot, question: RoundQuestion) -> set[tuple[str, int]]:
    """By reading everything."""
    found = set()
    for place, record in every_round(snapshot).items():
        stakes = [(one.player, one.box, one.bet, one.cents) for one in record.stakes]
        stakes += [(one.player, one.box, f"{one.hand}-insurance", one.cents) for one in record.purchases]
        outcome = record.settlement.outcome if record.settlement else "void"
        fits = [
            1
            for player, box, bet, cents in stakes
            if question.player in ("", player)
            and question.box in (0, box)
            and question.bet in ("", bet)
            and question.least <= cents <= (question.most or MANY)
        ]
        if outcome == "void" and question.of_a_stake:
            continue  # of these another test tells
        if (fits or not question.of_a_stake) and question.outcome in ("", outcome):
            found.add(place)
    return {place for place in found if question.table in ("", place[0])}


@pytest.mark.slow
def test_every_question_finds_what_reading_everything_finds(snapshot: Snapshot) -> None:
    rounds = every_round(snapshot)
    assert len(rounds) > 30
    void = {place for place, one in rounds.items() if one.settlement is None}
    chance = random.Random(5)  # noqa: S311
    tried = 0
    for stream, number in sorted(rounds):
        stakes = rounds[stream, number].stakes
        if not stakes:
            continue
        one = chance.choice(stakes)
        exact = {"player": one.player, "box": one.box, "bet": one.bet, "least": one.cents, "most": one.cents}
        for kept in (chance.sample(sorted(exact), chance.randint(1, 5)), sorted(exact)):
            said = {name: exact[name] for name in kept if not (name == "most" and "least" not in kept)}
            question = RoundQuestion(**said, table=chance.choice(["", stream]))  # type: ignore[arg-type]
            found = find_rounds(snapshot, question, limit=1_000)
            assert {one for one in places(found) if one not in void} == slowly(snapshot, question), question
            assert (stream, number) in places(found)
            assert found.next is None
            tried += 1
    assert tried > 60


@pytest.mark.parametrize("outcome", ["player", "banker", "tie", "void"])
def test_by_who_won(snapshot: Snapshot, outcome: str) -> None:
    """Also by what was called first, where that was put right later."""
    question = RoundQuestion(outcome=outcome)
    found = find_rounds(snapshot, question, limit=1_000)
    assert places(found) >= slowly(snapshot, question)
    for one in found.rounds:
        assert outcome == one.outcome or "reversal" in one.flags


def test_a_result_that_was_put_right_is_found_by_both(snapshot: Snapshot) -> None:
    """Round 1 at the table dealt by hand was called a tie, and the Player had won."""
    for outcome in ("tie", "player"):
        assert ("by-hand", 1) in places(find_rounds(snapshot, RoundQuestion(outcome=outcome), limit=1_000))
    (one,) = find_rounds(snapshot, RoundQuestion(table="by-hand", number=1)).rounds
    assert "correction" in one.flags


def test_stakes_of_a_void_round_are_found_too(snapshot: Snapshot) -> None:
    """At the table dealt by hand Mei had 350 in box 2 in each of four rounds, of which two were made void."""
    question = RoundQuestion(table="by-hand", player="Mei", box=2, bet="banker", least=350_00, most=350_00)
    found = find_rounds(snapshot, question).rounds
    assert [(one.number, one.outcome, one.stakes[0].net) for one in found if one.outcome == "void"] == [
        (3, "void", 0),
        (2, "void", 0),
    ]
    assert len(found) == 4


def test_by_staff_by_what_was_put_right_and_by_case(snapshot: Snapshot) -> None:
    by_hand = find_rounds(snapshot, RoundQuestion(staff="Dee"), limit=1_000).rounds
    assert by_hand
    assert {one.table for one in by_hand} == {"by-hand"}
    assert all("Dee" in one.staff for one in by_hand)
    flags = {flag for one in find_rounds(snapshot, RoundQuestion(), limit=1_000).rounds for flag in one.flags}
    assert flags
    for flag in flags:
        found = find_rounds(snapshot, RoundQuestion(flag=flag), limit=1_000).rounds
        assert found
        assert all(flag in one.flags for one in found)
    cases = {case for one in find_rounds(snapshot, RoundQuestion(), limit=1_000).rounds for case in one.cases}
    for case in cases:
        assert all(case in one.cases for one in find_rounds(snapshot, RoundQuestion(case=case)).rounds)
    assert not find_rounds(snapshot, RoundQuestion(staff=f"not {SAM.name}")).rounds


def test_by_cards_in_any_order(snapshot: Snapshot) -> None:
    one = next(
        one
        for one in find_rounds(snapshot, RoundQuestion(outcome="player")).rounds
        if len(one.cards["player"]) > 2
    )
    backwards = told_cards(reversed(one.cards["player"]))
    assert (one.table, one.number) in places(
        find_rounds(snapshot, RoundQuestion(cards={"player": backwards}))
    )
    assert not find_rounds(snapshot, RoundQuestion(cards={"player": "AS AS AS"})).rounds


def test_cards_that_nobody_turned_are_in_no_answer(snapshot: Snapshot) -> None:
    hidden = [place for place, one in every_round(snapshot).items() if any(c.card is None for c in one.cards)]
    found = {
        (one.table, one.number): one for one in find_rounds(snapshot, RoundQuestion(), limit=1_000).rounds
    }
    for place in hidden:
        assert None in [card for hand in found[place].cards.values() for card in hand]


def test_what_no_mark_tells_is_looked_for_in_so_many_rounds_at_once(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are that do not fit; whoever asks on comes to the end."""
    read = list[int]()
    monkeypatch.setattr(finding, "READ", 4)
    round_of = type(snapshot).round

    def counted(self: Snapshot, stream: str, number: int) -> RoundRow | None:
        read.append(number)
        return round_of(self, stream, number)

    monkeypatch.setattr(type(snapshot), "round", counted)
    question = RoundQuestion(bet="player", least=9_999_999_00)
    after, asked_for = "", 0
    while True:
        read.clear()
        part = find_rounds(snapshot, question, after=after, limit=3)
        assert not part.rounds
        assert len(read) <= 4
        asked_for += len(read)
        if part.next is None:
            break
        after = part.next
    assert asked_for >= len(slowly(snapshot, RoundQuestion(bet="player"))) > 4


def test_a_long_answer_comes_in_parts(snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = find_rounds(snapshot, RoundQuestion(bet="banker", least=1, most=10**9), limit=1_000).rounds
    assert len(whole) > 5
    monkeypatch.setattr(finding, "LOOKED_AT", 3)
    found, after = [], ""
    while True:
        part = find_rounds(snapshot, RoundQuestion(bet="banker", least=1, most=10**9), after=after, limit=2)
        found += part.rounds
        if part.next is None:
            break
        after = part.next
    assert found == whole
    assert [one.at for one in whole] == sorted((one.at for one in whole), reverse=True)


def test_time_goes_by_when_bets_were_opened(snapshot: Snapshot) -> None:
    whole = find_rounds(snapshot, RoundQuestion(), limit=1_000).rounds
    assert all(one.at >= START for one in whole)
    middle = whole[len(whole) // 2].at
    later = find_rounds(snapshot, RoundQuestion(since=middle), limit=1_000).rounds
    earlier = find_rounds(snapshot, RoundQuestion(until=middle), limit=1_000).rounds
    assert later + earlier == whole


def test_one_round_by_its_number(snapshot: Snapshot) -> None:
    (one,) = find_rounds(snapshot, RoundQuestion(table="tiger", number=2)).rounds
    assert (one.table, one.number) == ("tiger", 2)
    assert find_rounds(snapshot, RoundQuestion(table="tiger", number=10_000)).rounds == []


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (RoundQuestion(number=2), "say which table"),
        (RoundQuestion(least=5, most=4), "from the smaller to the larger"),
        (RoundQuestion(since=5, until=5), "from the earlier to the later"),
        (RoundQuestion(cards={"dealer": "9C"}), "not of dealer"),
        (RoundQuestion(cards={"player": "9X"}), "9X"),
    ],
)
def test_what_cannot_be_asked(snapshot: Snapshot, question: RoundQuestion, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        find_rounds(snapshot, question)


@pytest.mark.parametrize("text", ["x", "1.2", "a.b.c", "1..2", "9" * 30 + ".t.1"])
def test_places_are_ours(text: str) -> None:
    with pytest.raises(BadInput, match="gave as `next`"):
        place_of(text)


# In words -------------------------------------------------------------------------------------------------


def hours(question: RoundQuestion) -> tuple[str, str]:
    def told(at: int) -> str:
        return datetime.fromtimestamp(at / 1e6, HERE).strftime("%d %H:%M")

    return told(question.since), told(question.until)


def test_the_dispute_in_one_question() -> None:
    morning, evening = asked("box 3 says Banker 500 yesterday about ten", KNOWN)
    for one in (morning, evening):
        assert (one.box, one.bet, one.least, one.most) == (3, "banker", 500_00, 500_00)
    assert hours(morning) == ("16 09:15", "16 10:45")
    assert hours(evening) == ("16 21:15", "16 22:45")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            "big tiger 1,000 table TIGER",
            RoundQuestion(bet="big-tiger", least=1_000_00, most=1_000_00, table="tiger"),
        ),
        ("Chua over 1000 banker won", RoundQuestion(player="Chua", least=1_000_00, outcome="banker")),
        ("drawn together dealer Dee", RoundQuestion(case="drawn-together", staff="Dee")),
        ("void rounds 5.8.1", RoundQuestion(flag="void", rule="5.8.1")),
        ("table t3 round 42", RoundQuestion(table="t3", number=42)),
        (
            "player insurance 40-60 box 2",
            RoundQuestion(bet="player-insurance", least=40_00, most=60_00, box=2),
        ),
        ("2k on the tie", RoundQuestion(bet="tie", least=2_000_00, most=2_000_00)),
        ("枱 TIGER 大虎 1,000", RoundQuestion(bet="big-tiger", least=1_000_00, most=1_000_00, table="tiger")),
        ("玩家 Chua 一千元以上 庄贏", RoundQuestion(player="Chua", least=1_000_00, outcome="banker")),
        ("同时抽出两张或以上的牌 荷官 Dee", RoundQuestion(case="drawn-together", staff="Dee")),
        ("作廢的局 5.8.1條", RoundQuestion(flag="void", rule="5.8.1")),
        ("作廢 5.8.1條", RoundQuestion(flag="void", rule="5.8.1")),
        ("枱 t3 第四十二局", RoundQuestion(table="t3", number=42)),
        ("二号位闲保险 40 至 60 元", RoundQuestion(bet="player-insurance", least=40_00, most=60_00, box=2)),
        (
            "玩家 陳大文 押和 兩萬零五百",
            RoundQuestion(player="陳大文", bet="tie", least=20_500_00, most=20_500_00),
        ),
    ],
)
def test_what_can_be_said(text: str, meant: RoundQuestion) -> None:
    """In English or Chinese, in either script; what is not understood is left out."""
    assert asked(text, KNOWN) == [meant]


@pytest.mark.parametrize("text", ["三號位 莊 500 昨天十點左右", "昨日大约十点\uff0c三号位说庄五百元"])
def test_the_dispute_in_one_question_in_chinese(text: str) -> None:
    assert asked(text, KNOWN) == asked("box 3 banker 500 yesterday about ten", KNOWN)
    assert len(asked("三號位 昨晚十點", KNOWN)) == 1, "the evening"
    (half,) = asked("今日下午三點半", KNOWN)
    assert hours(half) == ("17 14:45", "17 16:15")


def test_times() -> None:
    (one,) = asked("2026-11-15 19:45-20:15", KNOWN)
    assert hours(one) == ("15 19:45", "15 20:15")
    (one,) = asked("today", KNOWN)
    assert hours(one) == ("17 00:00", "18 00:00")
    (one,) = asked("yesterday at 23:50", KNOWN)
    assert hours(one) == ("16 23:05", "17 00:35")
    (one,) = asked("around 10pm", KNOWN)
    assert hours(one) == ("17 21:15", "17 22:45")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "what is remembered"),
        ("lasagne", "“lasagne” is not understood"),
        ("box 3 box 4", "two of one thing"),
        ("table t9", "there is no table t9"),
        ("2026-13-40", "no day"),
        ("at 27:00", "no clock"),
    ],
)
def test_what_is_not_understood_is_told(text: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        asked(text, KNOWN)


def test_titles_are_taken_and_unknown_words_are_skipped_and_named() -> None:
    skipped: list[str] = []
    known = msgspec.structs.replace(KNOWN, titles={"Table 3": "t3", "Tiger Baccarat": "tiger"})
    assert asked("table 3 lasagne box 2", known, skipped) == [RoundQuestion(table="t3", box=2)]
    assert skipped == ["lasagne"]


def marks_in(file: Path) -> list[tuple[str, int, str, int]]:
    with closing(sqlite3.connect(file)) as raw:
        return raw.execute("SELECT * FROM marks ORDER BY mark, at, stream, number").fetchall()


def test_a_database_of_an_earlier_release_is_marked_when_it_is_served(tmp_path: Path) -> None:
    """Its log is folded from the first record on, and marks are left as if they had always been."""
    file = tmp_path / "house.db"
    played(open_store(str(file)), rounds=3)
    before = marks_in(file)
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute("DELETE FROM checkpoints")
    as_of(file, 5)

    async def serve() -> None:
        async with House(open_store(str(file))):
            assert marks_in(file)

    asyncio.run(serve())
    assert marks_in(file) == before
