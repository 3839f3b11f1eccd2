"""A shift's figures: each of them worked out again, slowly, from the raw log and recalled rounds."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.clocks import START
from service.shifts import filled
from service.store.server import Server
from thirdcard.cards import Card
from thirdcard.odds import fresh
from thirdcard.odds.counting import joint
from thirdcard.odds.sheet import insurance, odds
from thirdcard.play.bets import result
from thirdcard.play.classes import outcomes
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import load
from thirdcard.service.audit.backup import backup, restore
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.store import Snapshot, open_snapshot
from thirdcard.service.log.store.model import JOURNAL, MANY, Record
from thirdcard.service.queries.ratings import rated
from thirdcard.service.queries.shift_desk import ShiftDesk, ShiftTable, ShiftTables, shift_desk
from thirdcard.service.tables.house_day import USUAL, ShiftTime
from thirdcard.service.tables.live import Live, RoundRecord, advance

HOUR = 3_600 * 1_000_000
TIME = ShiftTime(
    name="A", day="2026-01-01", since=START - START % HOUR, until=START - START % HOUR + 8 * HOUR
)
KNOWN = ShiftTables(titles={}, lives={})
LARGE = 1_000_000


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("shift") / "house.db")
    asyncio.run(filled(path))
    return path


@pytest.fixture(scope="module")
def snapshot(where: str) -> Iterator[Snapshot]:
    with open_snapshot(where) as opened:
        yield opened


@pytest.fixture(scope="module")
def desk(snapshot: Snapshot) -> ShiftDesk:
    return shift_desk(snapshot, KNOWN, USUAL, TIME, now=TIME.until)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    started = Server()
    yield started
    started.stop()


class Slow:
    """A table's shift from its raw log: bytes of events as JSON, and rounds as they are recalled."""

    def __init__(self, snapshot: Snapshot, table: str) -> None:
        self.records: list[Record] = list(snapshot.read(table))
        self.bodies: list[dict[str, Any]] = [msgspec.json.decode(one.body) for one in self.records]
        self.over = {
            row.number: msgspec.json.decode(row.body, type=RoundRecord)
            for row in snapshot.rounds(table, limit=MANY)
        }
        last = dict[int, str]()
        for one in self.records:
            if one.name in ("round-settled", "round-voided", "settlement-reversed"):
                last[one.round] = one.name
        self.over = {n: one for n, one in self.over.items() if last[n] != "settlement-reversed"}
        self.settled = [one for n, one in self.over.items() if last[n] == "round-settled"]
        self.book = load(event_of(self.records[1]).setup.book)  # type: ignore[union-attr]

    def named(self, *names: str) -> int:
        return sum(one.name in names for one in self.records)

    def moved(self, account: str) -> list[int]:
        """What each event moved there in all."""
        return [
            sum(cents for whose, cents in body.get("postings", ()) if whose.startswith(account))
            for body in self.bodies
        ]

    @property
    def lines(self) -> Iterator[tuple[RoundRecord, Any]]:
        for one in self.over.values():
            early_only = one.settlement is None
            for line in one.early if early_only else one.lines:
                if line.result != "returned":
                    yield one, line

    def expected(self) -> tuple[int, float]:
        """Edges by the library's own sheets; variance by every outcome of every round."""
        sheet = odds(self.book, decks=8)
        offers = {
            (str(one.offer.hand), one.offer.window, one.player, one.banker): one
            for one in (insurance(self.book, decks=8) if self.book.insurance else ())
        }
        counts = joint(self.book.table_of_play, fresh(8))
        whole, mean, variance = sum(counts), Fraction(0), 0.0
        stakes = defaultdict[int, Counter[str]](Counter)
        for one, line in self.lines:
            cents = line.stake if line.played is None else line.played
            if line.window is None:
                mean -= sheet[line.bet].ev * cents
                stakes[one.number][line.bet] += cents
            else:
                cards = tuple(card.card for card in one.cards if isinstance(card.card, Card))
                deal = Deal(self.book.table_of_play, cards[: 3 + line.window])
                key = line.bet.removesuffix("-insurance"), line.window, deal.player_points, deal.banker_points
                mean -= (offers[key].ev or 0) * cents
                stakes[one.number]["insured"] += cents
        nets = {
            bet: [_net(self.book.bets[bet], outcome) for outcome in outcomes()]
            for bet in {bet for some in stakes.values() for bet in some} - {"insured"}
        }
        for some in stakes.values():
            main = [(bet, cents) for bet, cents in some.items() if bet != "insured"]
            wins = [sum(nets[bet][place] * cents for bet, cents in main) for place in range(len(counts))]
            first = sum(won * count for won, count in zip(wins, counts, strict=True)) / whole
            second = sum(won * won * count for won, count in zip(wins, counts, strict=True)) / whole
            variance += second - first**2
        return round(mean), sqrt(variance)

    def times(self) -> Counter[str]:
        """Event by event: what the table did until the next one."""
        live, found = Live(id=self.records[0].stream), Counter[str]()
        for one, after in zip(self.records, [*self.records[1:], None], strict=True):
            live = advance(live, event_of(one), one)
            if after is not None and live.state is not None and not live.closed:
                gone = after.at - one.at
                found[_doing(live)] += gone
                found["seats"] += gone * len(live.table.seats)
                found["room"] += gone * live.table.setup.positions
        return found


def _net(bet: Any, outcome: Any) -> float:  # noqa: ANN401 - of the rulebook's own types
    came = result(bet, outcome)
    if came.verdict != "win":
        return -1.0 if came.verdict == "lose" else 0.0
    return float(next(tier.odds.ratio for tier in bet.pays if tier.tier == came.name))


def _doing(live: Live) -> str:
    current = live.table.round
    if current is not None and (current.pending or current.proposal):
        return "stopped"
    if current is None or current.phase in ("settled", "void"):
        if live.paying is not None and not live.paying.done:
            return "payouts"
        shoe = live.table.shoe
        return (
            "new-shoe"
            if shoe is None or shoe.cut_out or shoe.size - shoe.used + len(shoe.waiting) < 6
            else "between"
        )
    if current.phase in ("betting", "adjusting"):
        return "betting"
    return "insurance" if any(not one.over for one in current.offerings) else "dealing"


def tables(desk: ShiftDesk) -> dict[str, ShiftTable]:
    return {one.table: one for one in desk.tables}


@pytest.mark.slow
@pytest.mark.parametrize("table", ["insured", "squeezed", "tiger", "by-hand"])
def test_every_figure_is_that_of_the_raw_log(snapshot: Snapshot, desk: ShiftDesk, table: str) -> None:
    slow, found = Slow(snapshot, table), tables(desk)[table]
    outside = [a + b for a, b in zip(slow.moved("cash"), slow.moved("wallet:"), strict=True)]
    assert found.drop == -sum(cents for cents in outside if cents < 0)
    assert found.cashed_in == sum(cents for cents in outside if cents > 0)
    assert found.win == sum(slow.moved("house"))
    assert found.rounds == len(slow.settled)
    assert found.voids == len(slow.over) - len(slow.settled)
    lines = list(slow.lines)
    assert found.staked == sum(line.stake if line.played is None else line.played for _, line in lines)
    assert found.staked > 0
    assert found.boxes == len({(one.number, line.box) for one, line in lines})
    side = [
        (one, line) for one, line in lines if line.bet not in ("player", "banker", "tie") and not line.window
    ]
    assert found.side_boxes == len({(one.number, line.box) for one, line in side})
    by_bet = defaultdict[str, list[Any]](list)
    for one, line in lines:
        by_bet[line.bet].append((one.number, line))
    told = {bet.bet: bet for bet in (*found.side_bets, *found.insurance.bets)}
    assert told.keys() == by_bet.keys() - {"player", "banker", "tie"}
    for bet, its in told.items():
        assert its.win == -sum(line.net for _, line in by_bet[bet])
        assert its.boxes == len({(number, line.box) for number, line in by_bet[bet]})
        assert its.staked == sum(
            line.stake if line.played is None else line.played for _, line in by_bet[bet]
        )
    assert found.reports == slow.named("irregularity-reported")
    assert found.rulings == slow.named("irregularity-ruled")
    assert found.corrections == slow.named("record-amended", "cards-corrected")
    assert found.disputes == slow.named("payout-disputed")
    nets = [net for one in slow.settled if one.settlement for net in one.settlement.nets.values()]
    assert found.large_wins == sum(net >= LARGE for net in nets)
    hold = found.win / found.drop if found.drop else None
    assert found.hold == hold


@pytest.mark.parametrize("table", ["insured", "squeezed", "tiger", "by-hand"])
def test_the_expectation_is_that_of_every_bet_and_the_band_that_of_every_outcome(
    snapshot: Snapshot, desk: ShiftDesk, table: str
) -> None:
    slow, found = Slow(snapshot, table), tables(desk)[table]
    mean, deviation = slow.expected()
    assert found.expected == mean
    assert found.deviation is not None
    if not found.insurance.bought:
        assert found.deviation == pytest.approx(deviation, abs=5)
    else:  # insurance moves it one way or the other, of which another test tells
        assert found.deviation != pytest.approx(deviation, abs=5)


@pytest.mark.parametrize("table", ["insured", "squeezed", "tiger", "by-hand"])
def test_time_by_phase_and_seats_are_those_between_any_two_events(
    snapshot: Snapshot, desk: ShiftDesk, table: str
) -> None:
    """The last event's phase goes on: of that a snapshot knows nothing."""
    slow, found = Slow(snapshot, table), tables(desk)[table]
    times = slow.times()
    sums = {name: value for stream, name, value in snapshot.sums(0, MANY) if stream == table}
    counted = {name.removeprefix("time:"): value for name, value in sums.items() if name.startswith("time:")}
    live = Live(id=table)
    for stored in slow.records:
        live = advance(live, event_of(stored), stored)
    running = _doing(live)
    times[running] -= slow.records[-1].at - live.counted_at
    assert counted == {
        name: value for name, value in times.items() if value and name not in ("seats", "room")
    }
    assert found.seconds == {phase: value // 1_000_000 for phase, value in counted.items()}
    assert 0 < sums["seats"] <= times["seats"]
    assert sums["room"] <= times["room"]
    assert found.rounds_an_hour == found.rounds * HOUR / sum(counted.values())


def test_insurance_asked_and_bought_is_what_people_answered(snapshot: Snapshot, desk: ShiftDesk) -> None:
    slow, found = Slow(snapshot, "insured"), tables(desk)["insured"]
    asked, bought, window = set(), set(), 0
    for one, body in zip(slow.records, slow.bodies, strict=True):
        if one.name == "insurance-opened":
            window = body["window"]
        elif one.name == "insurance-bought":
            place = one.round, body["purchase"]["window"], body["purchase"]["player"]
            bought.add(place)
            asked.add(place)
        elif one.name == "insurance-declined":
            asked.add((one.round, window, body["player"]))
        elif one.name == "insurance-closed":
            asked |= {(one.round, body["window"], who) for who in body["forgone"]}
    over = slow.over.keys()
    assert found.insurance.bought == len({place for place in bought if place[0] in over}) > 1
    assert found.insurance.offered == len({place for place in asked if place[0] in over})


def test_the_float_is_counted_filled_and_taken_from_with_who(desk: ShiftDesk) -> None:
    counted = tables(desk)["by-hand"].float
    assert [(one.what, one.by, one.cents) for one in counted.entries][:2] == [
        ("opening", "Dee", 5_000_000_00),
        ("fill", "Sam", 20_000_00),
    ]
    table = tables(desk)["by-hand"]
    owed = 0
    books = 5_000_000_00 + 20_000_00 - 5_000_00 + table.win - table.drop + table.cashed_in + owed
    assert (counted.opening, counted.closing, counted.off) == (5_000_000_00, books - 25_00, -25_00)
    assert (counted.fills, counted.credits) == (20_000_00, 5_000_00)


def test_all_tables_together_are_their_sum(desk: ShiftDesk) -> None:
    for name in ("drop", "win", "staked", "expected", "rounds", "voids", "boxes", "large_wins"):
        total = sum(getattr(one, name) for one in desk.tables)
        assert getattr(desk.total, name) == pytest.approx(total, abs=len(desk.tables))
    spread = sqrt(sum((one.deviation or 0) ** 2 for one in desk.tables))
    assert desk.total.deviation == pytest.approx(spread, rel=1e-6)
    assert desk.course[-1].win == desk.total.win
    assert desk.course[-1].expected == pytest.approx(desk.total.expected, abs=len(desk.course))
    assert sum(one.rounds for one in desk.pace) == desk.total.rounds
    corrected = [one for one in desk.incidents if one.kind == "correction"]
    assert len(corrected) == desk.total.corrections > 0
    assert len([one for one in desk.incidents if one.kind == "void"]) == desk.total.voids


def test_nothing_outside_the_shift_is_in_it(snapshot: Snapshot) -> None:
    later = ShiftTime(name="B", day="2026-01-01", since=TIME.until, until=TIME.until + 8 * HOUR)
    assert shift_desk(snapshot, KNOWN, USUAL, later, now=later.until).tables == ()
    only = msgspec.structs.replace(KNOWN, only=frozenset({"tiger"}))
    assert [one.table for one in shift_desk(snapshot, only, USUAL, TIME, now=TIME.until).tables] == ["tiger"]
    none = msgspec.structs.replace(KNOWN, only=frozenset())
    assert shift_desk(snapshot, none, USUAL, TIME, now=TIME.until).tables == ()


@pytest.mark.parametrize("table", ["insured", "by-hand"])
def test_ratings_are_what_each_player_staked_and_won(snapshot: Snapshot, table: str) -> None:
    slow = Slow(snapshot, table)
    found = rated(snapshot, table, TIME, 8)
    assert {one.player for one in found} == {line.player for _, line in slow.lines}
    for player in {one.player for one in found}:
        own = [(one, line) for one, line in slow.lines if line.player == player]
        rows = [one for one in found if one.player == player]
        assert sum(one.result for one in rows) == sum(line.net for _, line in own)
        assert sum(one.rounds for one in rows) == len({one.number for one, _ in own})
        assert sum(one.staked for one in rows) == sum(
            line.stake if line.played is None else line.played for _, line in own
        )
    assert sum(one.expected or 0 for one in found) == pytest.approx(slow.expected()[0], abs=len(found))
    if table == "by-hand":
        assert any(one.player.startswith("W-") for one in found)


def test_the_same_on_postgres(where: str, postgres: Server, tmp_path: Path, desk: ShiftDesk) -> None:
    backup(where, tmp_path / "backup")
    url = postgres.database()
    restore(tmp_path / "backup", url)
    with open_snapshot(url) as other:
        assert shift_desk(other, KNOWN, USUAL, TIME, now=TIME.until) == desk
        assert JOURNAL not in {stream for stream, _, _ in other.sums(0, MANY)}
