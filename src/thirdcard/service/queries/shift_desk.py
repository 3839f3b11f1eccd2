"""A shift, table by table: what it came to, what was to be expected, how the time was spent, what happened.

All of it comes from sums that were written with the events (`tables/quarters`), so that a shift costs the
same however long the logs are. Pit supervisors see the tables that they have worked at, all others every one.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from math import sqrt

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.log.store.model import Record
from thirdcard.service.queries.expected_win import PriceLists, expected_of, expected_win
from thirdcard.service.tables.house_day import HouseDay, ShiftTime
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.quarters import (
    FLOAT,
    INCIDENT,
    QUARTER,
    dated,
    is_insurance,
    is_side_bet,
    large_wins,
    quarter_of,
    time_spent,
)
from thirdcard.table import events

HOUR = 3_600 * MICROSECONDS
PHASES = ("betting", "dealing", "insurance", "stopped", "payouts", "new-shoe", "between")
MOST_INCIDENTS = 200  # that are told one by one, the latest
Sums = Counter[str]


class SideBetSums(msgspec.Struct, frozen=True, kw_only=True):
    """A bet: in how many boxes it lay, cents staked, won by the house, and expected of it."""

    bet: str
    boxes: int
    staked: int
    win: int
    expected: int | None


class InsuranceSums(msgspec.Struct, frozen=True, kw_only=True):
    """How many people were asked in each window, and bought; cents as of any bet, by hand in `bets`."""

    offered: int
    bought: int
    windows: dict[str, tuple[int, int]]
    bets: tuple[SideBetSums, ...]


class FloatSums(msgspec.Struct, frozen=True, kw_only=True):
    """Chips of the house at the table: brought and taken, and as they were counted.

    `off`: by how much counts were not what the books came to, together; `drop` as it was counted.
    """

    fills: int = 0
    credits: int = 0
    opening: int | None = None
    closing: int | None = None
    off: int = 0
    drop: int | None = None
    entries: tuple["FloatEntry", ...] = ()


class FloatEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A count, a fill or a credit, by whom; `off` what a count was too much, or too little."""

    at: int
    by: str
    what: str
    cents: int
    off: int | None = None


class Incident(msgspec.Struct, frozen=True, kw_only=True):
    """Something out of the ordinary; `what` is a case where there is one."""

    table: str
    at: int
    round: int
    kind: str
    what: str
    by: str
    rules: Rules


class ShiftTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table, or all of them together (`table` is empty). Cents; shares between 0 and 1; seconds by phase.

    `hold` is the win of the drop, `expected_hold` what was to be expected of it. `deviation` is the standard
    deviation of the win: 1.96 of it to either side are the band that holds 95 of 100 shifts, 2.576 are 99.
    """

    table: str
    title: str
    rulebook: str
    drop: int
    cashed_in: int
    win: int
    staked: int
    expected: int | None
    deviation: int | None
    hold: float | None
    expected_hold: float | None
    rounds: int
    rounds_an_hour: float | None
    seconds: dict[str, int]
    seats_taken: float | None
    boxes: int
    side_boxes: int
    side_bets: tuple[SideBetSums, ...]
    insurance: InsuranceSums
    reports: int
    rulings: int
    dismissals: int
    voids: int
    corrections: int
    disputes: int
    calls: int
    large_wins: int
    float: FloatSums

    @property
    def incidents(self) -> int:
        """What a shift is asked about."""
        return self.reports + self.voids + self.corrections + self.disputes

    @property
    def outside(self) -> int:
        """Of a hundred shifts, how many luck keeps nearer to what is expected: 95, 99, or 0 for fewer."""
        if self.expected is None or not self.deviation:
            return 0
        away = abs(self.win - self.expected) / self.deviation
        return 99 if away > Z99 else 95 if away > Z95 else 0


Z95, Z99 = 1.959964, 2.575829


class CoursePoint(msgspec.Struct, frozen=True, kw_only=True):
    """All tables from the beginning up to that time: win, expectation and standard deviation in cents."""

    at: int
    win: int
    expected: int | None
    deviation: int | None


class HourPace(msgspec.Struct, frozen=True, kw_only=True):
    """An hour that begins at `at`: rounds an hour of one table that is open, and hours of them all."""

    at: int
    rounds: int
    open_hours: float
    rounds_an_hour: float | None


class ShiftDesk(msgspec.Struct, frozen=True, kw_only=True):
    """Figures up to `at`, or to the end of the shift if that is over."""

    at: int
    time: ShiftTime
    house: HouseDay
    tables: tuple[ShiftTable, ...]
    total: ShiftTable
    course: tuple[CoursePoint, ...]
    pace: tuple[HourPace, ...]
    incidents: tuple[Incident, ...]
    all_tables: bool


class ShiftTables(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the tables beside their sums: titles, and as they are if somebody serves them.

    `only`: those that who asks may see, None for all.
    """

    titles: Mapping[str, tuple[str, str]]  # title and rulebook
    lives: Mapping[str, Live]
    only: frozenset[str] | None = None


def shift_desk(
    store: LogReading, known: ShiftTables, house: HouseDay, time: ShiftTime, *, now: int
) -> ShiftDesk:
    """Everything of a shift."""
    lists = PriceLists(store.text)
    by_table = defaultdict[str, Sums](Sums)
    for stream, name, value in store.sums(time.since, time.until, known.only):
        by_table[stream][name] += value
    by_quarter = defaultdict[int, Sums](Sums)
    for at, name, value in store.course(time.since, time.until, known.only):
        by_quarter[at][name] += value
    until = min(time.until, now)
    for stream, live in known.lives.items():
        for quarter_sum in time_spent(live, until):
            if time.since <= quarter_sum.at < time.until and (known.only is None or stream in known.only):
                by_table[stream][quarter_sum.name] += quarter_sum.value
                by_quarter[quarter_sum.at][quarter_sum.name] += quarter_sum.value
    floats = {stream: _float(store, stream, time, sums) for stream, sums in by_table.items()}
    tables = tuple(
        _table(stream, sums, known.titles.get(stream, (stream, "")), floats[stream], lists)
        for stream, sums in sorted(by_table.items())
    )
    whole = Sums()
    for sums in by_table.values():
        whole.update(sums)
    return ShiftDesk(
        at=until,
        time=time,
        house=house,
        tables=tables,
        total=_table("", whole, ("", ""), _together(floats.values()), lists),
        course=tuple(_course(by_quarter, time, until, lists)),
        pace=tuple(_pace(by_quarter, time, until)),
        incidents=tuple(_incidents(store, by_table, time)),
        all_tables=known.only is None,
    )


# A table ------------------------------------------------------------------------------------------------


def _table(
    table: str, sums: Sums, named: tuple[str, str], counted: FloatSums, lists: PriceLists
) -> ShiftTable:
    expected = expected_win(sums, lists)
    seconds = {phase: sums[f"time:{phase}"] for phase in PHASES if sums[f"time:{phase}"] > 0}
    opened, drop, win = sum(seconds.values()), sums["drop"], sums["win"]
    return ShiftTable(
        table=table,
        title=named[0],
        rulebook=named[1],
        drop=drop,
        cashed_in=sums["cashed-in"],
        win=win,
        staked=sums["staked"],
        expected=expected.cents if expected else None,
        deviation=expected.deviation if expected else None,
        hold=_share(win, drop if counted.drop is None else counted.drop),
        expected_hold=_share(expected.cents, drop) if expected else None,
        rounds=sums["rounds"],
        rounds_an_hour=_share(sums["rounds"] * HOUR, opened),
        seconds={phase: time // MICROSECONDS for phase, time in seconds.items()},
        seats_taken=_share(sums["seats"], sums["room"]),
        boxes=sums["boxes"],
        side_boxes=sums["side-boxes"],
        side_bets=_bets(sums, is_side_bet, lists),
        insurance=_insurance(sums, lists),
        reports=sums["reports"],
        rulings=sums["rulings"],
        dismissals=sums["dismissals"],
        voids=sums["voids"],
        corrections=sums["corrections"],
        disputes=sums["disputes"],
        calls=sums["calls"],
        large_wins=sums["large-wins"],
        float=counted,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole > 0 else None


def _bets(sums: Sums, which: Callable[[str], bool], lists: PriceLists) -> tuple[SideBetSums, ...]:
    names = [
        name.removeprefix("boxes:") for name, value in sums.items() if name.startswith("boxes:") and value
    ]
    return tuple(
        SideBetSums(
            bet=bet,
            boxes=sums[f"boxes:{bet}"],
            staked=sum(
                cents for name, cents in sums.items() if name.startswith((f"staked:{bet}|", f"staked:{bet}:"))
            ),
            win=sums[f"won:{bet}"],
            expected=expected_of(sums, lists, bet),
        )
        for bet in sorted(names)
        if which(bet)
    )


def _insurance(sums: Sums, lists: PriceLists) -> InsuranceSums:
    windows = {number: (sums[f"offered:{number}"], sums[f"bought:{number}"]) for number in ("1", "2")}
    return InsuranceSums(
        offered=sum(offered for offered, _ in windows.values()),
        bought=sum(bought for _, bought in windows.values()),
        windows={number: both for number, both in windows.items() if both[0]},
        bets=_bets(sums, is_insurance, lists),
    )


# Floats and incidents -----------------------------------------------------------------------------------


def _found(store: LogReading, stream: str, key: str, time: ShiftTime, most: int) -> list[Record]:
    """In the order in which it happened."""
    keys = [dated(key, at) for at in range(quarter_of(time.since), time.until, QUARTER)]
    return [stored for _, stored in reversed(store.lookup(stream, keys, limit=most))]


def _float(store: LogReading, stream: str, time: ShiftTime, sums: Sums) -> FloatSums:
    entries = [_entry(stored) for stored in _found(store, stream, FLOAT, time, MOST_INCIDENTS)]
    opening = [entry.cents for entry in entries if entry.what == "opening"]
    closing = [entry.cents for entry in entries if entry.what == "closing"]
    drops = [entry.cents for entry in entries if entry.what == "drop"]
    return FloatSums(
        fills=sums["fills"],
        credits=sums["credits"],
        opening=opening[0] if opening else None,
        closing=closing[-1] if closing else None,
        off=sum(entry.off or 0 for entry in entries if entry.what != "drop"),
        drop=sum(drops) if drops else None,
        entries=tuple(entries),
    )


def _entry(stored: Record) -> FloatEntry:
    event = event_of(stored)
    off: int | None = None
    what: str
    match event:
        case floor.FloatCounted(why=what, cents=cents):
            off = None if event.expected is None else event.cents - event.expected
        case floor.DropCounted(cents=cents):
            what, off = "drop", event.cents - event.expected
        case floor.DealerRelieved(counted=int(cents)):
            what = "handed-over"
        case floor.FloatFilled(cents=cents):
            what = "fill"
        case floor.FloatCredited(cents=cents):
            what = "credit"
        case _:
            raise AssertionError(stored.name)  # nothing else is found under that key
    by = ", ".join(getattr(event, "people", ())) or stored.by
    return FloatEntry(at=stored.at, by=by, what=what, cents=cents, off=off)


def _together(floats: Iterable[FloatSums]) -> FloatSums:
    every = list(floats)
    opening = [sums.opening for sums in every if sums.opening is not None]
    closing = [sums.closing for sums in every if sums.closing is not None]
    return FloatSums(
        fills=sum(sums.fills for sums in every),
        credits=sum(sums.credits for sums in every),
        opening=sum(opening) if opening else None,
        closing=sum(closing) if closing else None,
        off=sum(sums.off for sums in every),
    )


def _incidents(store: LogReading, by_table: Mapping[str, Sums], time: ShiftTime) -> list[Incident]:
    """The latest first; only tables where there are some are asked."""
    counted = ("reports", "rulings", "dismissals", "voids", "corrections", "disputes", "large-wins")
    some = [stream for stream, sums in by_table.items() if any(sums[name] for name in counted)]
    rows = [
        _incident(stored)
        for stream in some
        for stored in _found(store, stream, INCIDENT, time, MOST_INCIDENTS)
    ]
    return sorted(rows, key=lambda incident: (incident.at, incident.table), reverse=True)[:MOST_INCIDENTS]


def _incident(stored: Record) -> Incident:
    event = event_of(stored)
    kind, what, rules = stored.flag or "report", "", tuple(event.rules)
    match event:
        case events.IrregularityReported():
            what, rules = event.pending.case, event.pending.rules
        case events.IrregularityRuled():
            kind, what = "ruling", event.case
        case events.ReportDismissed():
            kind, what = "dismissal", event.case
        case events.RoundSettled():
            kind, what = "large-win", str(max(event.settlement.nets.values()))
            assert large_wins(event)
    return Incident(
        table=stored.stream, at=stored.at, round=stored.round, kind=kind, what=what, by=stored.by, rules=rules
    )


# The course of the shift --------------------------------------------------------------------------------


def _course(
    by_quarter: Mapping[int, Sums], time: ShiftTime, until: int, lists: PriceLists
) -> Iterable[CoursePoint]:
    """After each quarter that has begun; expectation and variance of the quarters are added up."""
    win = expected = 0
    variance, known = 0.0, True
    yield CoursePoint(at=time.since, win=0, expected=0, deviation=0)
    for at in range(time.since, until, QUARTER):
        sums = by_quarter.get(at, Sums())
        mean = expected_win(sums, lists)
        known = known and mean is not None
        win += sums["win"]
        expected += mean.cents if mean else 0
        variance += mean.deviation**2 if mean else 0
        yield CoursePoint(
            at=min(at + QUARTER, until),
            win=win,
            expected=expected if known else None,
            deviation=round(sqrt(variance)) if known else None,
        )


def _pace(by_quarter: Mapping[int, Sums], time: ShiftTime, until: int) -> Iterable[HourPace]:
    for hour in range(time.since, until, HOUR):
        sums = Sums()
        for at in range(hour, min(hour + HOUR, time.until), QUARTER):
            sums.update(by_quarter.get(at, Sums()))
        opened = sum(sums[f"time:{phase}"] for phase in PHASES)
        yield HourPace(
            at=hour,
            rounds=sums["rounds"],
            open_hours=opened / HOUR,
            rounds_an_hour=_share(sums["rounds"] * HOUR, opened),
        )
