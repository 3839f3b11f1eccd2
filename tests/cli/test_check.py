"""`thirdcard rules check` and `rules schema`."""

import json
import os
import re
import tomllib
from pathlib import Path

import jsonschema_rs
import pytest

from cli.running import answer, complaint, here, thirdcard
from thirdcard.cli.rules import saved
from thirdcard.rulebook import digest_of, load, slugs
from thirdcard.rulebook.load import DOCUMENTS
from thirdcard.rulebook.schema import schema

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"
EZ = EXAMPLES / "ez-baccarat.toml"
ROUND = r"([A2-9TJQK][SHDC] ){3}[A2-9TJQK][SHDC]"
FAULTY = """
slug = "faulty"

[document]
title = "Faulty"

[bets.player]
name = "Player"
pays = [
  { tier = "win", when = { winner = ["player"] }, odds = "1 to 1" },
  { tier = "nine", when = { winner = ["player"], total = 9 }, odds = "2 to 1" },
  { tier = "never", when = { winner = ["player"], total = 0 }, odds = "1 to 3" },
]
"""


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    file = tmp_path / "faulty.toml"
    file.write_text(FAULTY, "utf-8")
    return file


def test_a_book_with_nothing_wrong() -> None:
    found = answer("rules", "check", EZ)
    assert (found["schema"], found["rulebook"]) == ("thirdcard.rules.check.1", "ez-baccarat")
    assert (found["digest"], found["findings"]) == (digest_of(load(EZ)), [])
    assert "procedures" in found["assumed"]


def test_all_faults_at_once_each_with_a_round_where_one_shows_it(faulty: Path) -> None:
    found = answer("rules", "check", faulty, status=1)
    assert {frozenset(one) for one in found["findings"]} == {
        frozenset(("file", "key", "finding", "example", "level"))
    }
    assert {one["file"] for one in found["findings"]} == {"faulty.toml"}
    examples = {one["key"]: one["example"] for one in found["findings"]}
    assert {"bets", "bets.player.pays[1]", "bets.player.pays[2]", "bets.player.pays[2].odds"} <= set(examples)
    assert re.fullmatch(ROUND, examples["bets.player.pays[1]"])


def test_people_get_a_table_that_fits_eighty_columns(faulty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = thirdcard("rules", "check", faulty, EZ)
    assert (done.returncode, done.stderr) == (1, "")
    assert "Cannot be used: " in done.stdout
    assert "Nothing is wrong." in done.stdout
    assert "so as in the plain game: " in done.stdout
    assert re.search(ROUND, done.stdout)
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_several_books_give_a_list() -> None:
    found = answer("rules", "check", *slugs())
    assert [(one["rulebook"], one["findings"]) for one in found] == [(slug, []) for slug in slugs()]


def test_a_note_is_marked_as_one(tmp_path: Path) -> None:
    file = tmp_path / "noted.toml"
    text = 'slug = "noted"\nextends = "mbs-tiger-v2"\nparagraphs = ["...", "9.1"]\n'
    file.write_text(text, "utf-8")
    (note,) = answer("rules", "check", file, status=1)["findings"]
    assert (note["level"], note["finding"]) == ("note", "nothing cites 9.1")
    assert "No fault: it can be used." in thirdcard("rules", "check", file).stdout
    assert answer("rules", "show", file)["slug"] == "noted"


def test_a_file_that_makes_no_book_goes_by_its_own_name(tmp_path: Path) -> None:
    file = tmp_path / "no-toml.toml"
    file.write_text("slug = [[red]x[/]", "utf-8")
    found = answer("rules", "check", file, status=1)
    assert (found["rulebook"], found["digest"]) == ("no-toml", "")
    assert len(found["findings"]) == 1


def test_what_cannot_be_read(tmp_path: Path) -> None:
    assert "there is no file" in complaint("rules", "check", tmp_path / "nowhere.toml")
    assert "there is no rulebook 'nowhere'" in complaint("rules", "check", "nowhere")
    (tmp_path / "latin.toml").write_bytes(b'slug = "caf\xe9"')
    assert "is not UTF-8 text" in complaint("rules", "check", tmp_path / "latin.toml")
    (tmp_path / "large.toml").write_bytes(b"#" * 10_000_000)
    assert "10,000,000 bytes" in complaint("rules", "check", tmp_path / "large.toml")


# --- the schema -------------------------------------------------------------------------------------------

VALIDATOR = jsonschema_rs.validator_for(schema())


def test_the_command_prints_the_schema() -> None:
    assert json.loads(thirdcard("rules", "schema").stdout) == answer("rules", "schema") == schema()


@pytest.mark.parametrize("name", [*(f"{slug}.toml" for slug in slugs()), *sorted(EXAMPLES.glob("*.toml"))])
def test_files_are_as_the_schema_has_them(name: str | Path) -> None:
    text = name.read_text("utf-8") if isinstance(name, Path) else (DOCUMENTS / name).read_text("utf-8")
    assert [error.message for error in VALIDATOR.iter_errors(tomllib.loads(text))] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('[document]\ntitle = "x"', '"slug" is a required property'),
        ('slug = "x"', '"document" is a required property'),
        ('slug = "X Y"\n[document]\ntitle = "x"', "does not match"),
        ('slug = "x"\nassumed = []\n[document]\ntitle = "x"', "'assumed' was unexpected"),
        ('slug = "x"\n[document]\ntitle = "x"\n[bets.tie]\npays = []', '"name" is a required property'),
        ('slug = "x"\nextends = "y"\n[bets.tie]\nodds = "8 to 1"', "'odds' was unexpected"),
        ('slug = "x"\nextends = "y"\n[bets.tie]\npays = [{ tier = "win", odds = "8:1" }]', "does not match"),
        ('slug = "x"\nextends = "y"\n[layouts.A]\npositions = [1]', "less than"),
    ],
)
def test_the_schema_finds(text: str, wrong: str) -> None:
    found = [error.message for error in VALIDATOR.iter_errors(tomllib.loads(text))]
    assert any(wrong in message for message in found), found


@pytest.mark.parametrize(
    "text",
    [
        'slug = "x"\nextends = "y"\n[bets.tie]\npays = [{ tier = "win", odds = "9 to 1" }]',
        'slug = "x"\nextends = "y"\nremove = ["bets.tie"]\n[layouts.A]\nbets = ["...", "z"]',
        'slug = "x"\n[document]\ntitle = "x"',
    ],
)
def test_a_small_book_is_as_the_schema_has_it(text: str) -> None:
    assert VALIDATOR.is_valid(tomllib.loads(text))


def test_files_are_looked_at_again_when_one_was_saved(tmp_path: Path) -> None:
    file, base = tmp_path / "game.toml", tmp_path / "base.toml"

    def save(one: Path, at: int) -> None:
        one.write_text("", "utf-8")
        os.utime(one, ns=(at, at))

    save(file, 1)
    save(base, 2)
    waits = iter(((), (base, 3), (), (file, 4)))

    def wait(_: float) -> None:
        for one, at in (saving,) if (saving := next(waits)) else ():
            save(one, at)

    looks = saved([str(file)], wait)
    assert [next(looks) for _ in range(3)] == [None, None, None]
    assert list(waits) == []


def test_watching_goes_on_and_is_no_answer_for_programs() -> None:
    assert "--json" in complaint("rules", "check", EZ, "--watch", "--json")


def test_expected_rounds_are_written_and_checked(tmp_path: Path) -> None:
    file = tmp_path / "ez.toml"
    text = EZ.read_text("utf-8").replace('slug = "ez-baccarat"', 'slug = "ez"')
    file.write_text(text, "utf-8")
    assert "write it with --write" in complaint("rules", "test", file)
    written = answer("rules", "test", file, "--write")
    assert (written["file"], written["differences"]) == ("ez.rounds.json", [])
    assert answer("rules", "test", file)["rounds"] == written["rounds"] > 10
    file.write_text(text.replace("40 to 1", "39 to 1"), "utf-8")
    (one,) = answer("rules", "test", file, status=1)["differences"]
    assert (one["bet"], one["expected"], one["found"]) == ("dragon-7", "win +4,000", "win +3,900")
    status, out, _ = here("rules", "test", file)
    assert (status, "1 different" in out) == (1, True)
