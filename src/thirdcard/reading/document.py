"""A document as the recognisers see it: its paragraphs, their definitions and rows, and what is doubtful."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from thirdcard.reading.figures import cells, is_separator, odds_in
from thirdcard.reading.model import Doubt, Kind, Place, Statement
from thirdcard.reading.paragraphs import Paragraph, structure_of
from thirdcard.reading.text import Line, joined, lines_of

TERM_VERB: Final = re.compile(
    r"\s+(?:(?:shall )?means?\b|refers? to\b|denotes?\b|is defined as\b|is an? (?=(?:optional |side )?(?:bet|wager)\b)"
    r"|[-:]\s+(?=an? (?:optional |side )?(?:bet|wager)\b))|:\s+(?=an? (?:optional |side )?(?:bet|wager)\b)",
    re.IGNORECASE,
)
LONGEST_TERM: Final = 90
MOST_TERM_WORDS: Final = 10
LONGEST_ROW: Final = 160
SENTENCE_ENDS: Final = (".", ":", ";")


class Term(NamedTuple):
    """A defined term, or several that share one definition, and what it means."""

    names: tuple[str, ...]
    body: str
    place: Place


class Row(NamedTuple):
    """A line of a table: its cells, and the line."""

    cells: tuple[str, ...]
    line: Line


class Document:
    """The lines and paragraphs of a document; recognisers note what they read and what they doubt."""

    def __init__(self, text: str) -> None:
        self.lines = lines_of(text)
        structure = structure_of(self.lines)
        self.structure = structure
        self.paragraphs = structure.paragraphs
        self.doubts: list[Doubt] = [
            Doubt(
                line=line.number,
                page=line.page,
                paragraph="",
                text=line.text.strip(),
                why=why,
                key="paragraphs",
            )
            for line, why in structure.strange
        ]
        self.statements: list[Statement] = []
        self.used: set[tuple[int, str]] = set()  # line and text of the odds that something was made of
        self._pages = {line.number: line.page for line in self.lines}
        self._texts = {line.number: line.text for line in self.lines}

    def doubt(self, place: Place, why: str, key: str = "", text: str = "") -> None:
        """Notes a line that a person has to look at."""
        shown = text or self._texts.get(place.line, "").strip()
        page = self._pages.get(place.line, 1)
        found = Doubt(line=place.line, page=page, paragraph=place.paragraph, text=shown, why=why, key=key)
        if found not in self.doubts:
            self.doubts.append(found)

    def state(self, kind: Kind, key: str, value: str, place: Place) -> None:
        """Notes a value that was read."""
        self.statements.append(
            Statement(kind=kind, key=key, value=value, paragraph=place.paragraph, line=place.line)
        )

    def use(self, line: int, odds: str) -> None:
        self.used.add((line, odds))

    def place(self, paragraph: Paragraph, line: int | None = None) -> Place:
        return Place(paragraph.number, paragraph.line if line is None else line)

    def text_of(self, number: str) -> str:
        """A paragraph's text with that of the paragraphs below it."""
        return " ".join(paragraph.text for paragraph in self.structure.within(number))

    def terms(self) -> Iterator[Term]:
        """Every defined term, also those in lines without a number."""
        for paragraph in self.paragraphs.values():
            for block in _blocks(paragraph):
                term = term_of(joined(block))
                if term is not None:
                    yield Term(*term, self.place(paragraph, block[0].number))


def _blocks(paragraph: Paragraph) -> Iterator[list[Line]]:
    """The lines of a paragraph, parted where a line begins a definition."""
    block: list[Line] = []
    for line in paragraph.lines:
        if block and term_of(line.text) is not None:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def term_of(text: str) -> tuple[tuple[str, ...], str] | None:
    """The terms that a text defines, and its definition; nothing if it defines none."""
    text = text.strip()
    found = TERM_VERB.search(text, 0, LONGEST_TERM + 20)
    if found is None or found.start() > LONGEST_TERM:
        return None
    head = text[: found.start()].strip(" \"'*")
    names = tuple(name.strip(" \"'*") for name in re.split(r"[\"'*\s]\s*(?:or|and|/)\s*(?=[\"'*A-Z])", head))
    if (
        not all(names)
        or not head[0].isupper()
        or len(head.split()) > MOST_TERM_WORDS
        or any(sign in head for sign in ".,;:")
    ):
        return None
    return names, text[found.end() :].strip()


def rows_of(lines: list[Line]) -> Iterator[Row]:
    """The lines as rows; a label that goes on in the next line is put together."""
    rows: list[Row] = []
    for line in lines:
        if is_separator(line.text):
            continue
        row = Row(tuple(cells(line.text)), line)
        before = rows[-1] if rows else None
        if before is not None and _goes_on(before, row):
            rows[-1] = _put_together(before, row)
        else:
            rows.append(row)
    yield from rows


def _goes_on(before: Row, row: Row) -> bool:
    """Whether a line only ends the first cell of the row before it."""
    label = before.cells[0]
    open_bracket = label.count("(") > label.count(")")
    alone = sum(bool(cell) for cell in row.cells) == 1
    first = next((cell for cell in row.cells if cell), "")
    has_odds = any(list(odds_in(cell)) for cell in before.cells)
    return (
        has_odds
        and alone
        and not list(odds_in(first))
        and (open_bracket or (first[:1].islower() and len(before.cells) > 1))
    )


def _put_together(before: Row, row: Row) -> Row:
    end = next(cell for cell in row.cells if cell)
    return Row((f"{before.cells[0]} {end}", *before.cells[1:]), before.line)
