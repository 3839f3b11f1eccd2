"""`thirdcard protect known`, `price`, `radar` and the report, as other programs call them."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from protect.planted import rounds_with_a_counter
from protect.played_table import played_into
from thirdcard.cli import app
from thirdcard.rulebook import load

pytestmark = pytest.mark.slow

PLAIN = "examples/rulebooks/ez-baccarat.toml"


def told(*words: str) -> Any:  # noqa: ANN401 - JSON
    done = CliRunner().invoke(app, ["protect", *words, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_known_and_price_of_a_plain_game() -> None:
    known = told("known", PLAIN)
    assert known["rulebook"] == "ez-baccarat"
    assert set(known["bets"]["dragon-7"]["places"]) == set("123456")
    assert known["main"]["1"]["worth"] > 0
    priced = told("price", PLAIN)
    assert [one["case"] for one in priced["cases"]] == [one.case for one in load(PLAIN).procedures]


def test_one_known_card_as_published() -> None:
    """Eight decks, Player or Banker of the commission game, a unit whenever it pays: 6.765% and 8.973%."""
    main = told("known", "rws-commission-insurance-v5", "--bet", "player", "--bet", "banker")["main"]
    found = {place: f"{100 * one['worth']:.3f}" for place, one in main.items()}
    assert (found["1"], found["3"], found["5"]) == ("6.765", "6.765", "8.973")
    assert float(Fraction(main["5"]["exact"])) == main["5"]["worth"]
    words = ["protect", "known", "rws-commission-insurance-v5", "--bet", "player", "--bet", "banker"]
    shown = " ".join(CliRunner().invoke(app, words, catch_exceptions=False).output.split())
    assert "first or third 6.765%, second or fourth 6.406%, fifth 8.973%, sixth 9.098%" in shown


def test_radar_of_a_file(tmp_path: Path) -> None:
    slug = "rws-tiger-buffalo-commission-v2"
    file = tmp_path / "rounds.jsonl"
    planted = rounds_with_a_counter(load(slug), "player-pair", shoes=6, seed=3)
    file.write_text(
        "".join(
            json.dumps(
                {"shoe": r.shoe, "round": r.number, "cards": " ".join(map(str, r.cards)), "stakes": r.stakes}
            )
            + "\n"
            for r in planted
        )
    )
    (found,) = told("radar", str(file), "--rulebook", slug)["tables"]
    assert found["players"] == 3
    assert found["alone"][0]["players"] == ["S4"]
    missing = CliRunner().invoke(app, ["protect", "radar", str(file)])
    assert missing.exit_code
    assert "--rulebook" in str(missing.exception)


@pytest.mark.whole
def test_radar_of_a_database(tmp_path: Path) -> None:
    """A table that a dealer has dealt into a real store: players go by their boxes, and the one who counts stands out."""
    slug, file = "mbs-tiger-v2", tmp_path / "house.db"
    planted = rounds_with_a_counter(load(slug), "small-tiger", shoes=9, seed=7)
    played_into(file, slug, "pit-1", planted)
    (found,) = told("radar", str(file), "--table", "pit-1")["tables"]
    assert (found["table"], found["rulebook"], found["decks"]) == ("pit-1", slug, 8)
    assert (found["players"], found["shoes"], found["rounds"]) == (3, 9, len(planted))
    first = found["alone"][0]
    assert (first["players"], first["bet"], first["beyond"]) == (["S4"], "small-tiger", True)
    assert first["bets"] == sum("small-tiger" in one.stakes["S4"] for one in planted)
    assert first["staked"] == sum(one.stakes["S4"].get("small-tiger", 0) for one in planted)
    nowhere = CliRunner().invoke(app, ["protect", "radar", str(file), "--table", "pit-2"])
    assert "no finished rounds at these tables" in str(nowhere.exception)


def test_a_report_stands_alone(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    words = ["protect", PLAIN, "--shoes", "64", "--cut", "14,52", "--out", str(file), "--json"]
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert text.index("gives most to a counter") < text.index("<svg")  # findings first
    assert text.count("<svg") <= text.count("<table")  # a table with every chart
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "<script" not in text
    assert "No card is burnt." in text


@pytest.mark.parametrize(
    ("customs", "told"),
    [
        (
            ("--burn", "first-card", "--ending", "one-more"),
            ("The first card is shown", "none after one that it"),
        ),
        (
            ("--burn", "5", "--ending", "always-one-more"),
            ("before the first round: 5.", "or that it came before"),
        ),
    ],
)
def test_a_report_says_by_which_customs_it_was_dealt(
    customs: tuple[str, ...], told: tuple[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "report.html"
    words = ["protect", PLAIN, "--bet", "tie", "--shoes", "8", "--cut", "14", "--out", str(file), *customs]
    assert CliRunner().invoke(app, words, catch_exceptions=False).exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert "No card is burnt." not in text
    assert "Too few shoes were dealt" in text  # and no chart of nothing
    for sentence in told:
        assert sentence in text
