"""`thirdcard rules new`: a small rulebook from answers."""

import json
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema_rs
import pytest

from cli.running import complaint, thirdcard
from thirdcard.rulebook import digest_of, load, slugs
from thirdcard.rulebook.load import check
from thirdcard.rulebook.schema import schema
from thirdcard.rulebook.writing import Answers, well_known, written

pytestmark = pytest.mark.slow

GAMES, SIDES = well_known()["games"], well_known()["sides"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_with_every_side_bet_has_nothing_wrong(game: str) -> None:
    text = written(
        Answers(slug="x", title="A “game”", game=game, tie="9 to 1", sides=tuple(SIDES), decks=(6, 8))
    )
    book, findings = check("x.toml", text)
    assert findings == []
    assert book is not None
    assert (book.document.title, book.decks.min) == ("A “game”", 6)
    assert book.bets["tie"].pays[0].odds.text == "9 to 1"
    assert {bet for side in SIDES.values() for bet in side} <= set(book.bets)


@pytest.mark.parametrize("slug", slugs())
def test_every_document_can_be_extended_by_every_side_bet_it_lacks(slug: str) -> None:
    base = load(slug)
    sides = tuple(name for name, bets in SIDES.items() if not bets.keys() & base.bets.keys())
    text = written(Answers(slug="x", title="X", tie="9 to 1", sides=sides, extends=slug), base)
    book, findings = check("x.toml", text)
    assert findings == []
    assert book is not None
    added = [bet for side in sides for bet in SIDES[side]]
    assert all(layout.bets[-len(added) :] == tuple(added) for layout in book.layouts.values())
    assert all(book.bets[bet].rules for bet in added)


def test_what_is_written_is_checked_and_priced(tmp_path: Path) -> None:
    file = tmp_path / "my-ez.toml"
    arguments = ("--game", "push-on-7", "--side", "dragon-7", "--side", "panda-8", "--yes", "--json")
    done = thirdcard("rules", "new", file, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    made = json.loads(done.stdout)
    assert (made["rulebook"], made["digest"]) == ("my-ez", digest_of(load(file)))
    assert (made["findings"], made["file"]) == ([], str(file))
    edges = {name: round(bet["house_edge_approx"], 6) for name, bet in made["bets"].items()}
    assert edges["banker"] == 0.010183
    assert edges["dragon-7"] == 0.076113
    assert edges["panda-8"] == 0.101876
    assert len(file.read_text("utf-8").splitlines()) < 40


def test_questions_are_asked_until_they_are_answered(tmp_path: Path) -> None:
    answers = "asked\nAsked For\n\nno-such-game\nhalf-on-6\n\npairs, dragon-7\n6-8\n"
    done = thirdcard("rules", "new", stdin=answers, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "there is no game 'no-such-game'" in done.stdout
    book = load(tmp_path / "asked.toml")
    assert (book.document.title, book.decks.min, book.decks.max) == ("Asked For", 6, 8)
    assert {"player-pair", "banker-pair", "dragon-7"} < set(book.bets)
    assert [tier.odds.text for tier in book.bets["banker"].pays] == ["1 to 1", "1 to 2"]


def test_a_book_that_extends_a_file_beside_it(tmp_path: Path) -> None:
    assert thirdcard("rules", "new", tmp_path / "first.toml", "--yes").returncode == 0
    arguments = ("--extends", tmp_path / "first.toml", "--side", "super-6", "--tie", "9 to 1", "--yes")
    assert thirdcard("rules", "new", tmp_path / "second.toml", *arguments).returncode == 0
    book = load(tmp_path / "second.toml")
    assert book.layouts["A"].bets == ("player", "banker", "tie", "super-6")
    assert book.bets["tie"].pays[0].odds.text == "9 to 1"


def test_a_file_that_exists_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("mine", "utf-8")
    assert "is there already" in complaint("rules", "new", file, "--yes")
    assert file.read_text("utf-8") == "mine"
    assert thirdcard("rules", "new", file, "--yes", "--force").returncode == 0
    assert load(file).slug == "mine"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--side", "dragon-8"), "there is no side bet 'dragon-8'"),
        (("--game", "x"), "there is no game 'x'"),
        (("--decks", "6-"), "'6-' is not a number of decks"),
        (("--decks", "8-6"), "8 to 6 is not a range"),
        (("--tie", "nine"), "'nine' are not odds"),
        (("--tie", "1 to 3"), "no chip unit makes 1 to 3 exact"),
        (("--slug", "A B"), "'A B' is not a name"),
        (("--title", "[red]x"), "without markup"),
        (("--extends", "nowhere"), "there is no rulebook 'nowhere'"),
        (("--extends", "mbs-tiger-v2", "--game", "half-on-6"), "leave out --game"),
        (
            ("--extends", "rws-commission-insurance-v5", "--side", "pairs"),
            "has player-pair and banker-pair already",
        ),
    ],
)
def test_nothing_is_written_where_something_is_wrong(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    assert sentence in complaint("rules", "new", tmp_path / "x.toml", *arguments, "--yes")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_leaves_no_file(tmp_path: Path) -> None:
    asking = subprocess.Popen(
        [sys.executable, "-m", "thirdcard", "rules", "new"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert asking.stdout is not None
    assert asking.stdout.read(4) == b"Slug"
    asking.send_signal(signal.SIGINT)
    _, errors = asking.communicate(timeout=300)
    assert (asking.returncode, errors) == (130, b"")
    assert list(tmp_path.iterdir()) == []


def test_what_is_written_is_as_the_schema_has_it() -> None:
    validator = jsonschema_rs.validator_for(schema())
    for text in (
        written(Answers(slug="x", title="X", sides=tuple(SIDES))),
        written(
            Answers(slug="x", title="X", sides=("dragon-7",), extends="mbs-tiger-v2"), load("mbs-tiger-v2")
        ),
    ):
        assert validator.is_valid(tomllib.loads(text))
