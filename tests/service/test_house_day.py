"""Shifts by the hours of the house: which it is, from when to when, what managers may set, and floats."""

from datetime import date

import msgspec
import pytest

from service.api.serving import Served, is_problem
from service.houses import new_table
from thirdcard.errors import BadInput
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.tables.house_day import (
    USUAL,
    HouseDay,
    ShiftHours,
    current,
    day_of,
    house_day_at,
    shift_time,
    week,
)
from thirdcard.service.tables.quarters import QUARTER, spread

MINUTE = 60 * 1_000_000
HOUR = 60 * MINUTE
DAY = date(2026, 11, 16)
MIDNIGHT = 20_773 * 24 * HOUR  # of that day, by UTC
SINGAPORE = msgspec.structs.replace(USUAL, ahead=8 * 60)


def day(*shifts: tuple[str, int], ahead: int = 0) -> HouseDay:
    return HouseDay(shifts=tuple(ShiftHours(name=name, begins=at) for name, at in shifts), ahead=ahead)


@pytest.mark.parametrize(
    ("house", "hours", "name", "on"),
    [
        (USUAL, 8, "A", DAY),
        (USUAL, 15.99, "A", DAY),
        (USUAL, 16, "B", DAY),
        (USUAL, 24, "C", DAY),
        (USUAL, 31.99, "C", DAY),
        (USUAL, 32, "A", date(2026, 11, 17)),
        (SINGAPORE, 0, "A", DAY),
        (SINGAPORE, 12, "B", DAY),
        (day(("only", 6 * 60)), 5.9, "only", date(2026, 11, 15)),
    ],
)
def test_which_shift_it_is(house: HouseDay, hours: float, name: str, on: date) -> None:
    at = MIDNIGHT + round(hours * HOUR)
    found = current(house, at)
    assert (found.name, found.day, day_of(house, at)) == (name, f"{on}", on)
    assert found.since <= at < found.until
    assert found == shift_time(house, on, name.lower())


def test_shifts_of_a_day_follow_one_another_and_make_the_day_and_the_week() -> None:
    every = [shift_time(SINGAPORE, DAY, one.name) for one in SINGAPORE.shifts]
    whole = shift_time(SINGAPORE, DAY)
    assert [one.until for one in every[:-1]] == [one.since for one in every[1:]]
    assert (every[0].since, every[-1].until) == (whole.since, whole.until) == (MIDNIGHT, MIDNIGHT + 24 * HOUR)
    assert week(SINGAPORE, DAY).since == whole.since - 6 * 24 * HOUR
    assert week(SINGAPORE, DAY).until == whole.until
    with pytest.raises(BadInput, match="expected one of A, B, C"):
        shift_time(USUAL, DAY, "D")


@pytest.mark.parametrize(
    ("house", "wrong"),
    [
        (HouseDay(shifts=()), "1 to 6 shifts"),
        (day(*((f"{n}", n * 60) for n in range(7))), "1 to 6 shifts"),
        (day(("A", 0), ("a", 60)), "a name of its own"),
        (day(("A", 5)), "quarter of an hour"),
        (day(("A", 0), ahead=20), "quarter of an hour"),
        (day(("A", 0), ("B", 0)), "in the order of the day"),
        (day(("A", 480), ("B", 0), ("C", 960)), "in the order of the day"),
    ],
)
def test_what_is_no_day(house: HouseDay, wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        house.check()
    USUAL.check()


def test_a_day_keeps_the_hours_that_it_had() -> None:
    later = day(("Day", 480), ("Night", 1200))
    days = [(MIDNIGHT, later), (0, USUAL)]
    assert house_day_at(days, MIDNIGHT) == later
    assert house_day_at(days, MIDNIGHT - 1) == USUAL


def test_time_is_spread_over_the_quarters_that_it_lies_in() -> None:
    parts = list(spread(QUARTER - 5, 2 * QUARTER + 7))
    assert parts == [(0, 5), (QUARTER, QUARTER), (2 * QUARTER, 7)]
    assert list(spread(9, 9)) == list(spread(9, 3)) == []


def test_hours_and_floats_are_set_by_who_may_and_are_on_record(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    hours = {"shifts": [{"name": "Day", "begins": 480}, {"name": "Night", "begins": 1200}], "ahead": 480}
    tables = new_table("one"), new_table("auto", "automatic")
    with Served(tmp_path_factory.mktemp("house") / "house.db", *tables) as house:
        manager, supervisor, dealer = map(house.as_, ("pit-manager", "pit-supervisor", "dealer"))
        assert supervisor.post("/api/shift-hours", hours, method="PUT").status_code == 403
        assert is_problem(manager.post("/api/shift-hours", hours | {"ahead": 7}, method="PUT"), 400)
        assert manager.post("/api/shift-hours", hours, method="PUT").status_code == 200
        assert supervisor.get("/api/shift-hours").json() == hours
        noted = [one for one in house.hall.engine.store.read(JOURNAL) if b"shifts-set" in one.body]
        assert len(noted) == 1
        assert b"Day 08:00, Night 20:00" in noted[0].body
        place = "/api/tables/one/float"
        assert dealer.post(place, {"what": "opening", "cents": 100_000}).status_code == 200
        assert is_problem(dealer.post(place, {"what": "fill", "cents": 5_000}), 422)
        assert supervisor.post(place, {"what": "fill", "cents": 5_000}).status_code == 200
        assert dealer.post(place, {"what": "closing", "cents": 104_000}).status_code == 200
        assert is_problem(dealer.post("/api/tables/auto/float", {"what": "opening", "cents": 1}), 422)
        assert is_problem(dealer.post(place, {"what": "closing", "cents": -1}), 400)
        (one,) = [one for one in manager.get("/api/shift-desk").json()["tables"] if one["table"] == "one"]
        counted = one["float"]
        assert (counted["opening"], counted["fills"], counted["closing"], counted["off"]) == (
            100_000,
            5_000,
            104_000,
            -1_000,
        )
        assert len({entry["by"] for entry in counted["entries"]}) == 2
        assert [one["table"] for one in supervisor.get("/api/shift-desk").json()["tables"]] == []
        assert supervisor.get("/api/tables/one/ratings").status_code == 404
        assert manager.get("/api/tables/one/ratings").json()["sessions"] == []
        assert is_problem(manager.get("/api/shift-desk?day=never"), 400)
