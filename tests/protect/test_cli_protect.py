"""`thirdcard protect` as the contract has it, and as people use it."""

from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from cli.running import answer, complaint, interrupted, saving, thirdcard
from thirdcard.cli import app
from thirdcard.errors import BadInput
from thirdcard.rulebook import load

pytestmark = pytest.mark.slow

MBS = "mbs-tiger-v2"
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]


class Perfect(msgspec.Struct):
    units_per_shoe: float
    low: float
    high: float
    units_per_100: float
    frequency: float
    average_edge: float


class Count(msgspec.Struct):
    tags: dict[str, int]
    trigger: float | None
    correlation: float
    units_per_shoe: float
    low: float
    high: float
    efficiency: float


class Bet(msgspec.Struct):
    perfect: Perfect
    count: Count


class Cut(msgspec.Struct):
    rounds_per_shoe: float
    bets: dict[str, Bet]


class Contract(msgspec.Struct):
    """What the answer holds at least."""

    rulebook: str
    digest: str
    decks: int
    shoes: int
    cuts: dict[str, Cut]


def test_the_json_is_the_contract() -> None:
    asked = ("--cut", "14,52", "--shoes", "128", "--seed", "3")
    one = answer("protect", MBS, *asked, "--workers", "1")
    found = msgspec.convert(one, Contract)
    assert (found.rulebook, found.decks, found.shoes, list(found.cuts)) == (MBS, 8, 128, ["14", "52"])
    assert one["schema"] == "thirdcard.protect.1"
    for cut in found.cuts.values():
        assert list(cut.bets) == list(load(MBS).bets)
        for bet in cut.bets.values():
            assert list(bet.count.tags) == RANKS
            assert bet.perfect.low <= bet.perfect.units_per_shoe <= bet.perfect.high
    assert answer("protect", MBS, *asked, "--workers", "2") == one


def test_anybodys_count_and_two_bets_of_a_book_of_ones_own() -> None:
    lucky = Path(__file__).parents[2] / "examples" / "rulebooks" / "lucky-6.toml"
    tags = "0 0 0 0 0 \N{MINUS SIGN}2 1 1 0 0"
    asked = ("--bet", "lucky-6", "--tags", tags, "--trigger", "6.5", "--decks-left", "half", "--shoes", "64")
    found = answer("protect", lucky, *asked, "--burn", "first-card", "--ending", "one-more", "--cut", "20")
    count = found["cuts"]["20"]["bets"]["lucky-6"]["count"]
    assert (count["trigger"], count["level"], count["decks_left"]) == (6.5, "given", "half")
    assert (count["tags"]["6"], count["tags"]["K"]) == (-2, 0)
    assert (found["burn"], found["ending"]) == ("first-card", "one-more")


def test_what_people_see() -> None:
    asked = (
        "--bet",
        "big-tiger",
        "--bet",
        "tiger-pair",
        "--together",
        "big-tiger,tiger-pair",
        "--shoes",
        "64",
    )
    done = thirdcard("protect", MBS, *asked, "--count", "--where")
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 88
    for said in ("Big Tiger", "level 3", "Of perfect", "Where to cut", "at once", "no count follows it"):
        assert said in done.stdout


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--bet", "big-tigre"), "big-tiger"),
        (("--cut", "14;52"), "such as 14,26,52"),
        (("--cut", "3"), "6 to 416 cards"),
        (("--cut", "8", "--ending", "one-more"), "11 cards or more"),
        (("--level", "4"), "1, 2, 3, free"),
        (("--tags", "1 2"), "expected 10 whole numbers"),
        (("--tags", "1 0 0 0 0 0 0 0 0 0", "--level", "1"), "leave out --level"),
        (("--trigger", "eight"), "such as 8 or 7.5"),
        (("--burn", "some"), "nothing, first-card"),
        (("--ending", "one-mor"), "did you mean one-more"),
        (("--decks-left", "third"), "exact or half or whole"),
        (("--shoes", "0"), "more than zero"),
        (("--boxes", "0"), "more than zero"),
        (("--insurance",), "offers no insurance"),
        (("--together", "big-tiger,tigre"), "tigre"),
        (("--together", "big-tiger"), "two or more"),
        (("--together", "big-tiger,big-tiger"), "each once"),
        (("--maximum", "-5"), "got -5"),
        (("--tolerance", "nan"), "zero or more"),
        (("--out", "/nowhere/report.html"), "there is no directory /nowhere"),
        (("--out", "/"), "it is a directory"),
        (("--cut", "14,14"), "different cuts"),
        (("--cut", "417"), "6 to 416 cards"),
        (("--cut", "11", "--ending", "always-one-more"), "12 cards or more"),
    ],
)
def test_what_is_refused(asked: tuple[str, ...], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        CliRunner().invoke(app, ["protect", MBS, *asked], catch_exceptions=False)
    assert said in str(caught.value)


def test_ctrl_c_keeps_the_result_so_far_and_the_checkpoint_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "run"
    asked = ("protect", MBS, "--bet", "big-tiger", "--cut", "14", "--checkpoint", str(file), "--json")
    with saving(*asked, "--shoes", "10000000") as long:
        told, problems = interrupted(long, file)
    assert (long.returncode, problems) == (130, "")
    found = msgspec.json.decode(told)
    assert found["partial"]
    assert 0 < found["shoes"] < found["shoes_asked"] == 10_000_000
    assert "another run" in complaint(*asked[:-1], "--shoes", "100")
