"""`thirdcard simulate` as the contract has it, and as people use it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import typer
from typer.testing import CliRunner

from cli.running import GUARD, interrupted, saving
from thirdcard.cli.simulate import simulate
from thirdcard.errors import BadInput
from thirdcard.odds import fresh, values
from thirdcard.rulebook import load, slugs
from thirdcard.simulate import TallyRun, outcomes_in

pytestmark = pytest.mark.slow

MBS = "mbs-tiger-v2"
CBI = "rws-commission-insurance-v5"

app = typer.Typer()
app.command("simulate")(simulate)


def told(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments, catch_exceptions=False, env={"COLUMNS": "100", "NO_COLOR": "1"})
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def answer(*arguments: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads(told(*arguments, "--json"))


@pytest.mark.parametrize("slug", slugs())
def test_the_json_of_a_run(slug: str) -> None:
    found = answer(slug, "--rounds", "300000", "--seed", "5")
    assert found["rounds"] == 300_000 == sum(found["outcomes"].values())
    run = TallyRun(rulebook=slug, rounds=300_000, seed=5)
    assert found["outcomes"] == outcomes_in(run.play(0, 1)[0])
    assert found["rounds_per_second"] == pytest.approx(found["rounds"] / found["seconds"])
    assert found["partial"] is False
    assert (found["rulebook"], found["decks"], found["cut"], found["seed"]) == (slug, 8, 14, 5)
    exact = values(load(slug), fresh())
    assert list(found["bets"]) == list(exact)
    for name, bet in found["bets"].items():
        assert bet["low"] < bet["ev"] < bet["high"]
        assert (bet["exact"], bet["exact_approx"]) == (str(exact[name].ev), float(exact[name].ev))


def test_decks_cut_and_workers() -> None:
    one = answer(MBS, "--rounds", "3000000", "--decks", "4", "--cut", "30", "--workers", "1")
    two = answer(MBS, "--rounds", "3000000", "--decks", "4", "--cut", "30", "--workers", "2")
    assert one["outcomes"] == two["outcomes"]
    assert one["bets"] == two["bets"]
    assert two["decks"] == 4
    assert answer(MBS, "--rounds", "3000000", "--decks", "4")["outcomes"] != one["outcomes"]


def test_a_run_for_people() -> None:
    text = told(MBS, "--rounds", "200000")
    assert "Tiger Baccarat, 8 decks, cut card 14 from the end, seed 1" in text
    assert "200,000 rounds in" in text
    assert "Small Tiger" in text
    assert "-0.143325" in text  # its exact value


def test_the_json_of_sessions() -> None:
    found = answer(CBI, "--plan", "martingale", "--bet", "player", "--unit", "20", "--bankroll", "2000",
                   "--sessions", "300", "--rounds", "200", "--insurance", "positive", "--maximum", "400",
                   "--target", "3000", "--floor", "500", "--rounds-per-hour", "60")  # fmt: skip
    assert (found["sessions"], found["sessions_asked"], found["rounds_asked"]) == (300, 300, 200)
    assert found["rounds"] <= 60_000
    assert list(found["ends"]) == ["rounds", "target", "floor", "ruin"]
    assert set(found["net"]) == {"mean", "low", "high", "sd", "least", "most", "quantiles"}
    assert found["stakes"]["maximum"] == 40_000
    assert found["cost_per_hour"] == pytest.approx(-found["net"]["mean"] * 300 / found["rounds"] * 60)


def test_sessions_for_people() -> None:
    text = told(CBI, "--plan", "1-3-2-6", "--sessions", "200", "--insurance", "always", "--side", "tie=5")
    assert "1-3-2-6 (1, 3, 2, then 6 units as long as you win) on banker, layout A" in text
    assert "200 sessions" in text
    assert "in ruin" in text
    assert "Insurance (always)" in text
    assert "an hour at 70 rounds" in " ".join(text.split())


def test_any_option_of_sessions_makes_a_session_run() -> None:
    for option in (("--sessions", "20"), ("--unit", "5"), ("--bet", "follow"), ("--plan", "follow")):
        assert "ends" in answer(MBS, "--rounds", "30", *option)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((MBS, "--rounds", "0"), "the number of rounds must be more than zero: got 0"),
        ((MBS, "--rounds", "-3"), "the number of rounds must be more than zero: got -3"),
        ((MBS, "--decks", "20"), "is played with 4 to 10 decks"),
        (("mbs",), "there is no rulebook 'mbs': did you mean mbs-tiger-v2"),
        ((MBS, "--workers", "0"), "the number of workers must be more than zero"),
        ((MBS, "--plan", "martingal"), "did you mean martingale"),
        ((MBS, "--plan", "flat", "--bet", "wu-dalang"), "has no bet 'wu-dalang'"),
        ((MBS, "--plan", "flat", "--insurance", "always"), "offers no insurance"),
        ((MBS, "--plan", "flat", "--unit", "ten"), "'ten' is not an amount"),
        ((MBS, "--plan", "flat", "--side", "tie"), "expected NAME=DOLLARS"),
        ((MBS, "--plan", "labouchere", "--line", "1,x"), "'1,x' is not a line"),
        ((MBS, "--plan", "flat", "--rounds-per-hour", "0"), "the number of rounds per hour must be more than zero"),
        ((MBS, "--plan", "flat", "--plot", "x.gif"), "a picture is a file named .svg or .png"),
        ((MBS, "--plan", "flat", "--plot", "/nowhere/x.svg"), "there is no folder '/nowhere'"),
        ((MBS, "--cluster", "127.0.0.1:1", "--workers", "2"), "leave one of them out"),
        ((MBS, "--checkpoint", "/nowhere/run"), "cannot write the checkpoint /nowhere/run"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        CliRunner().invoke(app, arguments, catch_exceptions=False)


def test_a_checkpoint_continues_to_the_identical_json(tmp_path: Path) -> None:
    run = (MBS, "--rounds", "5000000", "--checkpoint", str(tmp_path / "run"))
    first, again = answer(*run), answer(*run)
    assert first["bets"] == again["bets"] == answer(*run[:3])["bets"]
    with pytest.raises(BadInput, match="is a checkpoint of another run: it has seed 1, not 2"):
        CliRunner().invoke(app, (*run, "--seed", "2"), catch_exceptions=False)


@pytest.mark.parametrize("plan", ["flat", "martingale"])
def test_a_picture(plan: str, tmp_path: Path) -> None:
    """A fan and a histogram; the bars hold all sessions between them."""
    file = tmp_path / "it.svg"
    told(MBS, "--plan", plan, "--sessions", "200", "--rounds", "120", "--side", "tie=1", "--plot", str(file))
    root = ET.parse(file).getroot()  # noqa: S314 - our own file
    assert root.get("viewBox") == "0 0 1200 620"
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {f"{plan.title()} on banker", "Bankroll over rounds", "Result of a session"} <= set(texts)
    assert "nan" not in file.read_text()
    assert len(list(root.iter("{http://www.w3.org/2000/svg}polygon"))) == 2


def test_a_picture_of_sessions_that_all_end_alike(tmp_path: Path) -> None:
    file = tmp_path / "it.svg"
    told(MBS, "--plan", "flat", "--sessions", "1", "--rounds", "1", "--plot", str(file))
    assert "<svg" in file.read_text()


def test_a_picture_as_png(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    file = tmp_path / "it.png"
    told(MBS, "--plan", "flat", "--sessions", "50", "--rounds", "60", "--plot", str(file))
    assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_ctrl_c_ends_with_the_result_so_far_and_the_checkpoint_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "run"
    with saving("simulate", MBS, "--rounds", str(10**13), "--checkpoint", str(file), "--json") as running:
        out, complaints = interrupted(running, file)
    assert (running.returncode, complaints) == (130, "")
    found = json.loads(out)
    assert found["partial"] is True
    assert 0 < found["rounds"] < found["rounds_asked"] == 10**13
    assert sum(found["outcomes"].values()) == found["rounds"]
    asked = TallyRun(rulebook=MBS, rounds=10**13)
    chunks = found["rounds"] // (1 << 20)
    assert asked.size(chunks) == found["rounds"]
    assert outcomes_in(asked.play(0, chunks)[0]) == found["outcomes"]


def test_a_cluster_that_does_not_answer_is_one_sentence() -> None:
    with saving("simulate", MBS, "--cluster", "tcp://127.0.0.1:9") as running:
        out, complaints = running.communicate(timeout=GUARD)
    assert (running.returncode, out) == (2, "")
    assert complaints == (
        "thirdcard: the cluster at tcp://127.0.0.1:9 does not answer: is its scheduler running there?\n"
    )


@pytest.mark.whole
def test_an_install_with_no_place_for_compiled_code_still_runs() -> None:
    """Neither the package nor the home directory can be written to: it is compiled anew, and that is all."""
    code = (
        "from numba.core import caching; caching.CacheImpl._locator_classes = []; "
        "from thirdcard.simulate import TallyRun; "
        "print(TallyRun(rulebook='mbs-tiger-v2', rounds=5000).play(0, 1)[0].sum())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=GUARD
    )
    assert (done.stdout, done.stderr) == ("5000\n", "")


def test_without_numba_one_sentence_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from thirdcard.errors import BadInput\n"
        "try:\n    import thirdcard.simulate\n"
        "except BadInput as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=GUARD
    )
    assert done.stderr == ""
    assert "the simulator needs NumPy and Numba: install thirdcard[analysis]" in done.stdout
