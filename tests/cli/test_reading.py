"""`thirdcard rules read` and `rules check --against`."""

from pathlib import Path

import pytest

from cli.running import answer, complaint, here
from reading.composing import compose
from reading.papers import paper
from thirdcard.rulebook import load

pytestmark = pytest.mark.slow

SLUG = "rws-tiger-buffalo-commission-v2"


@pytest.fixture
def document(tmp_path: Path) -> Path:
    file = tmp_path / "rules.txt"
    file.write_text(compose(load(SLUG)), encoding="utf-8")
    return file


def test_a_draft_is_written_with_a_report(document: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.toml"
    told = answer("rules", "read", document, "--out", draft, "--slug", "mine", status=1)
    assert (told["schema"], told["rulebook"], told["nearest"]) == ("thirdcard.rules.read.1", "mine", SLUG)
    assert (told["draft"], told["not_understood"], told["changed"]) == (str(draft), [], [])
    lines = document.read_text(encoding="utf-8").split("\n")
    (tiger,) = (one for one in told["read"] if one["key"] == "bets.small-tiger.pays.win")
    assert "22 to 1" in lines[tiger["line"] - 1]
    assert [row["line"] for row in told["to_decide"] if row["nearest"]]
    found = answer("rules", "check", draft, status=1)
    assert len(found["findings"]) == len(told["to_decide"])
    assert found["rulebook"] == "mine"


def test_the_report_for_people(document: Path) -> None:
    status, out, err = here("rules", "read", document)
    assert (status, err) == (1, "")
    for words in (
        "✓ Pay lines",
        "Nearest book: rws-tiger-buffalo-commission-v2",
        "To decide:",
        "no table can use it",
    ):
        assert words in out


def test_what_changed_comes_with_its_edge(document: Path) -> None:
    text = document.read_text(encoding="utf-8").replace("22 to 1", "23 to 1")
    document.write_text(text, encoding="utf-8")
    told = answer("rules", "read", document, status=1)
    (change,) = told["changed"]
    assert (change["key"], change["before"], change["after"]) == (
        "bets.small-tiger.pays.win.odds",
        "22 to 1",
        "23 to 1",
    )
    assert change["edge_before_approx"] > change["edge_after_approx"] > 0
    assert "14.33 → 10.61" in here("rules", "read", document)[1]


def test_a_file_that_is_there_is_not_written_over(document: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.toml"
    draft.write_text("mine", encoding="utf-8")
    assert "is there already" in complaint("rules", "read", document, "--out", draft)
    assert draft.read_text(encoding="utf-8") == "mine"
    assert here("rules", "read", document, "--out", draft, "--force")[0] == 1
    assert "extends" in draft.read_text(encoding="utf-8")


def test_nothing_is_written_of_what_cannot_be_read(tmp_path: Path) -> None:
    picture = tmp_path / "rules.pdf"
    picture.write_bytes(paper([[]]))
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Sir,\n", encoding="utf-8")
    draft = tmp_path / "draft.toml"
    assert "only pictures" in complaint("rules", "read", picture, "--out", draft)
    assert "no paragraph numbers" in complaint("rules", "read", letter, "--out", draft)
    assert "is not a name" in complaint("rules", "read", letter, "--slug", "No Name")
    assert not draft.exists()


def test_a_book_and_its_document_agree(document: Path) -> None:
    found = answer("rules", "check", SLUG, "--against", document)
    assert (found["findings"], found["against"]) == ([], "rules.txt")
    assert found["compared"] == found["agree"] > 800
    assert "The book is the document" in here("rules", "check", SLUG, "--against", document)[1]


def test_a_difference_has_file_key_and_line(document: Path, tmp_path: Path) -> None:
    book = tmp_path / "house.toml"
    book.write_text(
        f'slug = "house"\nextends = "{SLUG}"\n[decks]\nmax = 8\n[bets.big-tiger]\npays = [{{ tier = "win", odds = "45 to 1" }}]\n',
        encoding="utf-8",
    )
    found = answer("rules", "check", book, "--against", document, status=1)
    lines = document.read_text(encoding="utf-8").split("\n")
    told = {one["key"]: one for one in found["findings"] if one["level"] == "fault"}
    assert set(told) == {"decks.max", "bets.big-tiger.pays.win.odds"}
    assert {one["file"] for one in told.values()} == {"house.toml"}
    assert "50 to 1" in lines[told["bets.big-tiger.pays.win.odds"]["line"] - 1]
    assert (
        "ten decks" in lines[told["decks.max"]["line"] - 1]
        or "10 decks" in lines[told["decks.max"]["line"] - 1]
    )
    status, out, _ = here("rules", "check", book, "--against", document)
    assert status == 1
    assert "values agree with rules.txt" in out


def test_one_book_is_held_to_one_document(document: Path) -> None:
    assert "one rulebook to one document" in complaint(
        "rules", "check", SLUG, "mbs-tiger-v2", "--against", document
    )
