"""`thirdcard shift`: what a shift came to, on a console."""

import asyncio
from pathlib import Path

import pytest

from cli.running import answer, complaint, thirdcard
from service.shifts import filled

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Played on an evening long ago."""
    file = tmp_path_factory.mktemp("house") / "house.db"
    asyncio.run(filled(str(file), 1_700_000_000 * 1_000_000))
    return file


def test_a_shift_of_a_day_for_people_and_programs(house: Path) -> None:
    found = answer("shift", house, "--shift", "b", "--day", "2023-11-14")
    assert (found["schema"], found["time"]["name"]) == ("thirdcard.shift.1", "B")
    assert [one["table"] for one in found["tables"]] == ["by-hand", "insured", "squeezed", "tiger"]
    assert found["total"]["win"] == sum(one["win"] for one in found["tables"])
    shown = thirdcard("shift", house, "--shift", "B", "--day", "2023-11-14").stdout
    assert "squeezed" in shown
    assert "all" in shown
    whole = answer("shift", house, "--shift", "day", "--day", "2023-11-14")
    assert whole["total"] == found["total"]
    assert answer("shift", house, "--shift", "A", "--day", "2023-11-14")["tables"] == []
    assert "No table was open" in thirdcard("shift", house).stdout


def test_what_is_wrong_is_one_sentence(house: Path) -> None:
    assert "expected one of A, B, C" in complaint("shift", house, "--shift", "D")
    assert "is no day" in complaint("shift", house, "--day", "yesterday")
    assert "there is no database" in complaint("shift", "nowhere.db")
