"""docs/rulebooks.md: its books can be used, it shows every key, and its commands work."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.running import thirdcard
from thirdcard.rulebook import faults
from thirdcard.rulebook.forms import LARGEST
from thirdcard.rulebook.load import check, read
from thirdcard.rulebook.schema import schema
from thirdcard.rulebook.writing import well_known

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[2] / "docs" / "rulebooks.md").read_text("utf-8")
DOCUMENTS = (Path(__file__).parents[2] / "docs" / "documents.md").read_text("utf-8")


def books() -> list[str]:
    """Each begins with its slug and goes on in the blocks that follow."""
    found: list[str] = []
    for block in re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL):
        if block.startswith("slug"):
            found.append("")
        found[-1] += f"{block}\n"
    return found


SMALL, EXTENDING, WHOLE, PRINTED = books()


def test_the_books_can_be_used() -> None:
    assert check("small.toml", SMALL)[1] == []
    assert check("whole.toml", WHOLE)[1] == []
    assert check("printed.toml", PRINTED)[1] == []
    _, notes = check("extending.toml", EXTENDING)
    assert [(one.level, one.key) for one in notes] == [("note", "paragraphs")] * 2


def test_the_book_that_extends_another_does_what_it_says() -> None:
    book = read("extending.toml", EXTENDING)
    assert book.bets["tie"].pays[0].odds.text == "9 to 1"
    assert "tiger-tie" not in book.bets
    assert "G" not in book.layouts
    assert "7.1" in book.bets["tie"].rules


def test_every_key_is_shown() -> None:
    draft = re.findall(r"```toml\n(.*?)```", DOCUMENTS, flags=re.DOTALL)  # a draft's keys stand there
    shown = {key for text in (*books(), *draft) for key in keys(tomllib.loads(text))}
    assert sorted(known_keys() - shown) == []


def keys(value: Any) -> Iterator[str]:  # noqa: ANN401 - any value of a file
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys(inner)


def known_keys() -> set[str]:
    made = schema()
    tables = [made, *made["$defs"].values()]
    return {key for table in tables for key in table["properties"]}


def test_an_interpretation_that_is_named_is_there() -> None:
    told = thirdcard("rules", "interpretations").stdout
    for number in re.findall(r"interpretations = \[(\d+)\]", WHOLE):
        assert f"\n{number}. " in told


def commands() -> list[str]:
    (block, *_) = re.findall(r"```sh\n(.*?)```", PAGE, flags=re.DOTALL)
    lines = [line.partition("#")[0].strip() for line in block.splitlines()]
    return [line.partition(">")[0] for line in lines if " new " not in line]


@pytest.mark.parametrize("line", commands())
def test_a_command_works(line: str, tmp_path: Path) -> None:
    (tmp_path / "my-game.toml").write_text(SMALL, "utf-8")
    (tmp_path / "my-game-v2.toml").write_text(SMALL.replace("40 to 1", "35 to 1"), "utf-8")
    _, *arguments = shlex.split(line)
    done = thirdcard(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_games_and_side_bets_are_those_that_are_known() -> None:
    (told,) = re.findall(r"It knows the\ngames (.*?) \(`--side`", PAGE, flags=re.DOTALL)
    assert set(re.findall(r"`([a-z0-9-]+)`", told.replace("`--game`", ""))) == {
        *well_known()["games"],
        *well_known()["sides"],
    }


def test_the_limits_are_those_of_the_code() -> None:
    told = PAGE.partition("## Limits")[2]
    assert f"{LARGEST // 1024} KiB" in told
    assert f"{faults.MOST['bets']} bets of {faults.MOST_TIERS} tiers" in told
    assert f"{faults.MOST['layouts']} layouts" in told
    assert f"{faults.MOST_DECKS} decks and {faults.MOST_POSITIONS} positions" in told
    assert f"{faults.LONGEST_TEXT} characters" in told.replace("\n", " ")
