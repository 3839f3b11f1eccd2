"""The tiers of the tests: what tests/conftest.py lists is there."""

from pathlib import Path

import pytest

from conftest import LEFT_TO_WHOLE, TIERS, left_to_whole

PLACES = [*(place for places in TIERS.values() for place in places), *LEFT_TO_WHOLE]


@pytest.mark.parametrize("place", PLACES)
def test_what_is_listed_is_there(place: str) -> None:
    name, _, test = place.partition("::")
    found = Path(__file__).parent / name
    assert found.exists()
    assert not test or f"def {test}(" in found.read_text("utf-8")


def test_each_tier_has_a_marker(pytestconfig: pytest.Config) -> None:
    markers = {line.partition(":")[0] for line in pytestconfig.getini("markers")}
    assert {"quick", "whole", *TIERS} <= markers


def test_a_case_is_left_to_make_whole_unless_its_name_begins_as_one_that_stays() -> None:
    games = "browser/test_games.py::test_a_round_by_keyboard"
    assert not left_to_whole(games, "rws-commission-insurance-v5]")
    assert left_to_whole(games, "rws-tiger-buffalo-non-commission-v3]")
    assert left_to_whole("law/test_mutants.py::test_planted_survivors_are_found", "")
    assert not left_to_whole("browser/test_games.py::test_another", "")
