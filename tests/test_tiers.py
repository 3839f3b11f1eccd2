"""The tiers of the tests: what tests/conftest.py lists is there."""

from pathlib import Path

import pytest

from conftest import TIERS

PLACES = [place for places in TIERS.values() for place in places]


@pytest.mark.parametrize("place", PLACES)
def test_what_is_listed_is_there(place: str) -> None:
    name, _, test = place.partition("::")
    found = Path(__file__).parent / name
    assert found.exists()
    assert not test or f"def {test}(" in found.read_text("utf-8")


def test_each_tier_has_a_marker(pytestconfig: pytest.Config) -> None:
    markers = {line.partition(":")[0] for line in pytestconfig.getini("markers")}
    assert {"quick", *TIERS} <= markers
