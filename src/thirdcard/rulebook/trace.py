"""Where each of the documents' paragraphs is carried: summary, status, code and tests."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.faults import citations
from thirdcard.rulebook.load import named, packaged
from thirdcard.rulebook.model import Rulebook

DATA = files("thirdcard.rulebook")
SHORT_NAMES: dict[str, tuple[str, ...]] = {
    "TBC": ("rws-tiger-buffalo-commission-v2",),
    "TBN": ("rws-tiger-buffalo-non-commission-v3", "rws-tiger-buffalo-non-commission-v4"),
    "TBN3": ("rws-tiger-buffalo-non-commission-v3",),
    "TBN4": ("rws-tiger-buffalo-non-commission-v4",),
    "CBI": ("rws-commission-insurance-v5",),
    "MBS": ("mbs-tiger-v2",),
}
Status: TypeAlias = Literal["enforced", "shown", "discretion", "definition", "open"]


class TraceTopic(msgspec.Struct, frozen=True, kw_only=True):
    """One paragraph. `code` names `module:object`, `tests` pytest's node ids."""

    slug: str
    paragraph: str
    status: Status
    summary: str
    code: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def playing_tests(self) -> tuple[str, ...]:
        """The tests that play by the paragraph; others compare a value of the book with what it says."""
        return tuple(test for test in self.tests if "_terms.py::" not in test)

    @property
    def counted_tests(self) -> str:
        """How many tests carry it, and how many of them only compare values: `11 (2 of values)`."""
        of_values = len(self.tests) - len(self.playing_tests)
        return f"{len(self.tests)} ({of_values} of values)" if of_values else str(len(self.tests))


class Interpretation(msgspec.Struct, frozen=True, kw_only=True):
    """How we read what the documents leave open; `paragraphs` by slug."""

    number: int
    title: str
    text: str
    paragraphs: dict[str, tuple[str, ...]]


@cache
def trace() -> tuple[TraceTopic, ...]:
    """Every entry, in the order of documents and paragraphs."""
    tests = tests_by_paragraph()
    entries = [
        TraceTopic(
            slug=slug,
            paragraph=paragraph,
            status=topic["status"],
            summary=topic["summary"],
            code=tuple(topic["code"]),
            tests=tests.get(slug, {}).get(paragraph, ()),
        )
        for topic in _read("trace.toml")["topics"]
        for slug, paragraph in _cited(topic)
    ]
    return tuple(sorted(entries, key=lambda entry: (entry.slug, numbered(entry.paragraph))))


def trace_of(book: Rulebook) -> tuple[TraceTopic, ...]:
    """Every paragraph of a rulebook; of one that is not ours, the keys of its file that cite each."""
    if _is_ours(book):
        return tuple(entry for entry in trace() if entry.slug == book.slug)
    citing: dict[str, list[str]] = {}
    for key, paragraph in citations(book):
        citing.setdefault(paragraph.partition("(")[0], []).append(key.removesuffix(".rules"))
    return tuple(
        TraceTopic(
            slug=book.slug,
            paragraph=paragraph,
            status=_status(citing.get(paragraph, [])),
            summary=", ".join(citing.get(paragraph, ())),
            code=(),
            tests=(),
        )
        for paragraph in book.paragraphs
    )


def _is_ours(book: Rulebook) -> bool:
    try:
        return book.slug in packaged() and book is named(book.slug)
    except BadInput:  # another goes by its slug
        return False


def _status(citing: list[str]) -> Status:
    """What becomes of a paragraph that these keys cite."""
    if not citing:
        return "open"
    sections = {key.partition(".")[0].partition("[")[0] for key in citing}
    weaker: dict[str, Status] = {"document": "definition", "notices": "shown", "discretions": "discretion"}
    statuses = [weaker.get(section, "enforced") for section in sections]
    return "enforced" if "enforced" in statuses else max(statuses)


@cache
def interpretations() -> tuple[Interpretation, ...]:
    readings = []
    for entry in _read("interpretations.toml")["interpretations"]:
        paragraphs: dict[str, tuple[str, ...]] = {}
        for slug, paragraph in _cited(entry):
            paragraphs[slug] = (*paragraphs.get(slug, ()), paragraph)
        readings.append(
            Interpretation(
                number=entry["number"],
                title=entry["title"],
                text=" ".join(entry["text"].split()),
                paragraphs=paragraphs,
            )
        )
    return tuple(readings)


def markdown(entries: Sequence[TraceTopic]) -> str:
    """The trace as a page: a table for each document, and the interpretations that touch it."""
    page = ["# Every paragraph, and where it is carried", ""]
    page += [
        "Written by `make docs` from the trace; `thirdcard rules trace --json` also names every test.",
        "A test “of values” compares a value of the rulebook with what the paragraph says; the others play",
        "by it, and whatever is enforced has such a test.",
        "",
    ]
    for slug in dict.fromkeys(entry.slug for entry in entries):
        mine = [entry for entry in entries if entry.slug == slug]
        page += [f"## {slug}", "", f"{len(mine)} paragraphs.", ""]
        page += ["| paragraph | status | what it says | code | tests |", "| --- | --- | --- | --- | --- |"]
        for entry in mine:
            code = ", ".join(f"`{one.removeprefix('thirdcard.')}`" for one in entry.code)
            row = (entry.paragraph, entry.status, entry.summary, code, entry.counted_tests)
            page.append(f"| {' | '.join(row)} |")
        page += ["", "Read with these interpretations:", ""]
        for reading in interpretations():
            if slug in reading.paragraphs:
                page.append(f"- {reading.number}. {reading.title}: {', '.join(reading.paragraphs[slug])}")
        page.append("")
    page += ["## Interpretations", ""]
    for reading in interpretations():
        page += [f"{reading.number}. **{reading.title}.** {reading.text}"]
    return "\n".join(page) + "\n"


def tests_by_paragraph() -> dict[str, dict[str, tuple[str, ...]]]:
    """The tests that carry each paragraph, as `make trace` collected them from the tests' names."""
    text = (DATA / "trace_tests.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, tuple[str, ...]]])


def numbered(paragraph: str) -> tuple[int, ...]:
    """A key that puts 5.9 before 5.10."""
    return tuple(int(part) for part in paragraph.split("."))


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / name).read_text(encoding="utf-8"))


def _cited(entry: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (slug, paragraph)
        for short, slugs in SHORT_NAMES.items()
        for slug in slugs
        for paragraph in entry.get(short, ())
    ]
