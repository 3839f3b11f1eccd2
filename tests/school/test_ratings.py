"""Ratings: the published example of Glicko-2, and days as its periods."""

import pytest

from thirdcard.school.ratings import MOST_DEVIATION, Rated, Rating

PUBLISHED = ((1400, 30, 1), (1550, 100, 0), (1700, 300, 0))  # Glickman's example: won one, lost two


def test_the_published_example() -> None:
    rated = Rated(Rating(1500, 200, 0.06), 7)
    for rating, deviation, score in PUBLISHED:
        rated = rated.against(Rating(rating, deviation, 0.06), score, 7)
    after = rated.on(8)
    assert after.start.rating == pytest.approx(1464.06, abs=0.01)
    assert after.start.deviation == pytest.approx(151.52, abs=0.01)
    assert after.start.volatility == pytest.approx(0.05999, abs=0.00001)
    assert after.met == 3
    assert rated.now == after.start, "what is shown on the day is what the day comes to"


def test_the_order_within_a_day_does_not_matter() -> None:
    games = [(Rating(float(r), float(d)), float(s)) for r, d, s in PUBLISHED]
    one, other = Rated(), Rated()
    for opponent, score in games:
        one = one.against(opponent, score, 3)
    for opponent, score in reversed(games):
        other = other.against(opponent, score, 3)
    assert one.now.rating == pytest.approx(other.now.rating)
    assert one.now.deviation == pytest.approx(other.now.deviation)


def test_who_is_away_is_less_sure_but_no_worse() -> None:
    rated = Rated(Rating(1684, 41, 0.06), 10).against(Rating(1700, 50), 1, 10)
    soon, late, never = (rated.on(day).start for day in (11, 41, 100_000))
    assert soon.rating == late.rating == never.rating
    assert soon.deviation < late.deviation < never.deviation == MOST_DEVIATION


def test_a_clock_that_was_set_back_opens_no_day_again() -> None:
    rated = Rated().against(Rating(), 1, 10)
    assert rated.on(9) == rated
    assert rated.against(Rating(), 1, 9).day == 10
