"""Documents as files: a PDF says what its text says, and what cannot be read is one sentence."""

from pathlib import Path

import pytest

from each import each
from reading.composing import Style, compose
from reading.papers import paper
from thirdcard.errors import BadInput
from thirdcard.reading import document_text, held, read_text
from thirdcard.reading.files import LARGEST_FILE, MOST_PAGES
from thirdcard.reading.reader import LONGEST_LINE, LONGEST_TEXT, MOST_ODDS, MOST_PARAGRAPHS
from thirdcard.rulebook import load
from thirdcard.rulebook.load import packaged

FIVE = "1. A\n1.1 One.\n1.2 Two.\n1.3 Three.\n1.4 Four.\n1.5 Five.\n"


@each("slug", packaged())
def test_a_pdf_says_what_its_text_says(slug: str, tmp_path: Path) -> None:
    lines = compose(load(slug), Style(width=110)).split("\n")
    file = tmp_path / "rules.pdf"
    file.write_bytes(paper([lines[at : at + 50] for at in range(0, len(lines), 50)]))
    name, text = document_text(file)
    reading = read_text(text)
    assert (name, reading.pages) == ("rules.pdf", len(lines) // 50 + 1)
    assert [str(one) for one in held(reading, load(slug)).findings] == []


@each(
    ("name", "content", "words"),
    [
        ("a.txt", b"", "is empty"),
        ("a.txt", b"\x00\x01\x02\x03" * 400, "is no text"),
        ("a.docx", b"PK\x03\x04" + b"\x00" * 400, "Word document or an archive"),
        ("a.doc", b"\xd0\xcf\x11\xe0" + b"\x00" * 400, "old Word document"),
        ("a.pdf", b"just text", "is none"),
        ("a.pdf", b"%PDF-1.4\nnothing of the kind", "broken PDF"),
        ("a.pdf", paper([["1.1 Text"]])[:300], "broken PDF"),
        ("a.pdf", paper([["1.1 Text"]], encrypted=True), "encrypted"),
        ("a.pdf", paper([[], []]), "2 pages have no text"),
        ("a.pdf", paper([[]] * (MOST_PAGES + 1)), f"{MOST_PAGES + 1} pages"),
        ("a.txt", b"x" * (LARGEST_FILE + 1), "bytes"),
    ],
)
def test_what_is_no_document_is_told_in_one_sentence(
    name: str, content: bytes, words: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(BadInput, match=words) as told:
        document_text(file)
    assert "\n" not in str(told.value)


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot read"):
        document_text(tmp_path / "nothing.txt")
    with pytest.raises(BadInput, match="is no file"):
        document_text(tmp_path)


@each("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("“1.1” – rules".encode(encoding))
    assert document_text(file).text.lstrip("\ufeff") == "“1.1” – rules"


@each(
    ("text", "words"),
    [
        ("Dear Sir,\nthank you for your letter.\n", "no paragraph numbers"),
        (
            "1. A\n1.1 One.\n",
            "only 1 numbered paragraphs|no paragraph numbers|numbered paragraphs were found",
        ),
        (FIVE, "no rules document of baccarat"),
        ("x" * (LONGEST_LINE + 1), "a line of the document"),
        ("a line\n" * (LONGEST_TEXT // 7 + 1), "characters: at most"),
        ("7 to 1\n" * (MOST_ODDS + 1), "odds: at most"),
        (
            FIVE + "".join(f"1.{number} More.\n" for number in range(6, MOST_PARAGRAPHS + 9)),
            "numbered paragraphs",
        ),
    ],
)
def test_what_is_no_rules_document_is_told_before_work_begins(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as told:
        read_text(text)
    assert "\n" not in str(told.value)
