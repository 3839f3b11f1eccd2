"""`thirdcard find`: a dispute is found in one question."""

from pathlib import Path

import pytest

from cli.running import answer, complaint, thirdcard
from service.playing import played
from thirdcard.service.log.store import open_store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("house") / "house.db"
    played(open_store(str(file)), rounds=2)
    return file


def test_in_words_and_by_options(house: Path) -> None:
    words = answer("find", house, "box 2 says banker 350 table by-hand")
    options = answer("find", house, "--box", "2", "--bet", "banker", "--amount", "350", "--table", "by-hand")
    assert words == options
    assert (words["schema"], words["more"]) == ("thirdcard.find.1", False)
    assert [one["number"] for one in words["rounds"]] == [4, 3, 2, 1]
    assert words["rounds"][0]["stakes"] == [
        {"player": "Mei", "box": 2, "bet": "banker", "cents": 35_000, "net": 0}
    ]


def test_a_table_for_people(house: Path) -> None:
    shown = thirdcard("find", house, "--flag", "correction")
    assert shown.returncode == 0
    assert "by-hand" in shown.stdout
    assert "correction" in shown.stdout
    assert thirdcard("find", house, "--player", "Nobody").returncode == 1


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("lasagne",), "“lasagne” is not understood"),
        (("Wei", "--box", "2"), "in words or by options"),
        (("--since", "noon"), "“noon” is no time"),
        (("--amount", "9-5"), "from the smaller to the larger"),
        (("--player-cards", "9X"), "9X"),
        (("--round", "4"), "which table"),
    ],
)
def test_what_is_wrong_is_one_sentence(house: Path, asked: tuple[str, ...], told: str) -> None:
    assert told in complaint("find", house, *asked)


def test_a_database_that_is_not_there() -> None:
    assert "there is no database" in complaint("find", "nowhere.db", "Wei")
