"""A document as numbered paragraphs: `4.1.5`, `4)`, `(a)`, `Rule 4.1.5`, below headings, and appendices."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from thirdcard.reading.text import Line, joined

Path = tuple[int, ...]

LABEL: Final = r"(?:(?:rule|clause|section|para(?:graph)?\.?|article|§)\s*)?"
DOTTED: Final = re.compile(
    rf"^\s*{LABEL}(\d{{1,3}}(?:\.\d{{1,3}}){{1,6}})[.):]?(?:\s+|$)(?!to \d)", re.IGNORECASE
)
SINGLE: Final = re.compile(r"^\s*(?:(\d{1,3})([.)])|\((\d{1,3})\))(?:\s+|$)")
LABELLED: Final = re.compile(
    r"^\s*(?:rule|clause|section|article|chapter|part|§)\s+(\d{1,3}|[IVX]{1,5})\b[.):]?(?:\s*-)?(?:\s+|$)",
    re.IGNORECASE,
)
ROMAN_HEAD: Final = re.compile(r"^\s*([IVX]{1,5})[.)]\s+")
BARE_HEAD: Final = re.compile(r"^\s*(\d{1,2})\s+(?=[A-Z][A-Za-z]+(?:[ &,/-]+[A-Za-z]+){0,5}$)")
LETTER: Final = re.compile(r"^\s*(?:\(([a-z])\)|([a-z])[.)])(?:\s+|$)")
CONTENTS_LINE: Final = re.compile(
    r"(?:(?<!\.)\.{3,}|(?<!\. )(?:\. ){3,}|\t|(?<!\s)\s{2,}) {0,9}\d{1,3}\s?\|?\s?$"
)
APPENDIX: Final = re.compile(
    r"^[\s|]*(?:appendix|annex|schedule|layout)\s+\"?'?([A-Z]{1,2}|\d{1,2})\"?'?(?![\w'])(.*)$", re.IGNORECASE
)
LEADS_ON: Final = re.compile(
    r"(?:\b(?:paragraphs?|rules?|clauses?|sections?|and|or|to|of|in|under|by|per|see|with))$", re.IGNORECASE
)
GOES_ON: Final = re.compile(
    r"(?:\b(?:in|and|or|of|to|see|the|per|by|on|as|with|for|at)|,)\s*$", re.IGNORECASE
)
ITEM_ENDS: Final = re.compile(r"[;:.]\s*(?:and|or)?$", re.IGNORECASE)
ROMAN: Final = {"I": 1, "V": 5, "X": 10}
LONGEST_HEADING: Final = 70
MOST_HEADING_WORDS: Final = 7
MOST_GAP: Final = 3  # numbers that may be missing between two paragraphs


class Paragraph:
    """A numbered paragraph: its number, where it begins, and its lines, the number taken off the first."""

    __slots__ = ("lines", "number", "numbers")

    def __init__(self, number: str, numbers: Path, first: Line) -> None:
        self.number, self.numbers = number, numbers
        self.lines = [first]

    @property
    def line(self) -> int:
        return self.lines[0].number

    @property
    def text(self) -> str:
        return joined(line for line in self.lines if line.text.strip())

    @property
    def lettered(self) -> bool:
        return self.number.endswith(")")

    def __repr__(self) -> str:
        return f"<Paragraph {self.number}, line {self.line}>"


class Appendix(NamedTuple):
    """The page of a layout: its letter and heading, and the lines of its drawing."""

    letter: str
    heading: str
    line: int
    lines: list[Line]


class Strange(NamedTuple):
    """A line whose number does not follow from those before it."""

    line: Line
    why: str


class Structure(NamedTuple):
    """All of a document: what stands before the first paragraph, paragraphs by number, appendices."""

    front: list[Line]
    paragraphs: dict[str, Paragraph]
    appendices: list[Appendix]
    strange: list[Strange]
    chapters: dict[str, str]  # titles of chapters whose paragraphs have numbers below theirs
    families: dict[str, list[Paragraph]]  # each paragraph with those below it

    def headings(self, paragraph: Paragraph) -> str:
        """The titles and leading sentences above a paragraph."""
        parts = paragraph.number.partition("(")[0].split(".")
        above = [".".join(parts[:depth]) for depth in range(1, len(parts))]
        if paragraph.lettered:
            above.append(".".join(parts))
        told = [
            self.chapters.get(name) or self.paragraphs[name].text
            for name in above
            if name in self.chapters or name in self.paragraphs
        ]
        return " / ".join(told)

    def within(self, number: str) -> list[Paragraph]:
        """A paragraph and those below it."""
        return self.families.get(number, [])

    def is_heading(self, paragraph: Paragraph) -> bool:
        """Whether it only says what those below it are about."""
        below = len(self.within(paragraph.number)) > 1
        text = paragraph.text
        return not text or (below and len(text) <= LONGEST_HEADING and not text.endswith((".", ":", ";")))


def structure_of(lines: tuple[Line, ...]) -> Structure:
    """The paragraphs and appendices that the lines make."""
    return _Builder(lines).build()


class _Builder:
    """Goes through the lines once; a number is a paragraph's if it follows from those before."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        self.lines = lines
        self.front: list[Line] = []
        self.paragraphs: dict[str, Paragraph] = {}
        self.appendices: list[Appendix] = []
        self.strange: list[Strange] = []
        self.current: Path = ()
        self.chapter: Path = ()
        self.styles: list[str] = []  # how each level below the chapter is numbered, where it is not dotted
        self.letter = ""
        self.open: list[Line] = self.front

    def build(self) -> Structure:
        before: Line | None = None
        for line in self.lines:
            if not self._appendix(line, before) and not self._paragraph(line, before):
                self.open.append(line)
            before = line
        named = {name: paragraph for name, paragraph in self.paragraphs.items() if paragraph.numbers}
        kept = _without_chapters(named)
        chapters = {name: paragraph.text for name, paragraph in named.items() if name not in kept}
        return Structure(self.front, kept, self.appendices, self.strange, chapters, _families(kept))

    def _appendix(self, line: Line, before: Line | None) -> bool:
        found = APPENDIX.match(line.text)
        if found is not None and before is not None and not line.after_blank and GOES_ON.search(before.text):
            return False
        if (
            found is None
            or found[2].lstrip()[:1].islower()
            or (not found[1].isupper() and not found[1].isdigit())
        ):
            return False
        heading = CONTENTS_LINE.sub("", found[2]).strip(" \t|-:\"'")
        self.appendices.append(Appendix(found[1], heading, line.number, []))
        if any(len(path) > 1 for path in self._paths()):  # after the paragraphs, so no list of contents
            self.open = self.appendices[-1].lines
        return True

    def _paths(self) -> Iterator[Path]:
        return (paragraph.numbers for paragraph in self.paragraphs.values())

    def _paragraph(self, line: Line, before: Line | None) -> bool:
        return self._dotted(line, before) or self._heading(line) or self._single(line) or self._lettered(line)

    # --- numbers with dots

    def _dotted(self, line: Line, before: Line | None) -> bool:
        found = DOTTED.match(line.text)
        if found is None:
            return False
        path = tuple(int(part) for part in found[1].split("."))
        rest = line.text[found.end() :]
        if not self._follows(path):
            return self._out_of_order(line, path, rest, before)
        if self._leads_on(line, rest, before):
            return False
        self._begin(path, line, rest)
        self.styles = []
        return True

    def _follows(self, path: Path) -> bool:
        if path in (self.current, ()) or path[0] == 0:
            return False
        if path[:-1] == self.current:
            return path[-1] <= MOST_GAP
        if not self.current:
            return all(part <= MOST_GAP for part in path)
        for level in range(min(len(path), len(self.current))):
            if path[level] != self.current[level]:
                step = path[level] - self.current[level]
                return 0 < step <= MOST_GAP and all(part <= MOST_GAP for part in path[level + 1 :])
        return len(path) > len(self.current) and all(part <= MOST_GAP for part in path[len(self.current) :])

    def _out_of_order(self, line: Line, path: Path, rest: str, before: Line | None) -> bool:
        """Begins again where a list of contents ended; else a line of the paragraph that is open."""
        if path in ((1, 1), (1, 1, 1)) and self.paragraphs and self._only_contents():
            self._forget()
            self._begin(path, line, rest)
            return True
        ended = before is None or before.text.rstrip().endswith((".", ":", ";", "or", "and"))
        if rest[:1].isupper() and (ended or line.after_blank) and not CONTENTS_LINE.search(line.text):
            number = ".".join(map(str, path))
            why = (
                "comes a second time"
                if number in self.paragraphs
                else "does not follow from the number before"
            )
            self.strange.append(Strange(line, f"{number} {why}"))
        return False

    def _leads_on(self, line: Line, rest: str, before: Line | None) -> bool:
        """Whether the line goes on with a sentence, which cites the number."""
        if before is None or line.after_blank or not before.text.strip():
            return False
        told = before.text.rstrip()
        if told.endswith(","):
            return rest[:1].islower()
        return bool(LEADS_ON.search(told)) and not ITEM_ENDS.search(told)

    def _begin(self, path: Path, line: Line, rest: str) -> None:
        number = ".".join(map(str, path))
        self.current, self.letter = path, ""
        self.paragraphs[number] = Paragraph(number, path, line._replace(text=rest))
        self.open = self.paragraphs[number].lines

    def _only_contents(self) -> bool:
        """Whether all that was read so far may be a list of contents."""
        read = list(self.paragraphs.values())
        return all(len(paragraph.text) <= LONGEST_HEADING * 2 for paragraph in read)

    def _forget(self) -> None:
        self.paragraphs, self.current, self.styles = {}, (), []
        self.strange = []

    # --- headings

    def _heading(self, line: Line) -> bool:
        found = (
            LABELLED.match(line.text)
            or self._single_heading(line)
            or ROMAN_HEAD.match(line.text)
            or (BARE_HEAD.match(line.text) if line.after_blank else None)
        )
        if found is None:
            return False
        number = _roman(found[1])
        rest = CONTENTS_LINE.sub("", line.text[found.end() :]).strip(" -:|")
        is_next = number == (self.chapter[0] if self.chapter else 0) + 1
        again = number == 1 and bool(self.chapter) and self._only_contents()
        if len(rest) > LONGEST_HEADING or rest.endswith((".", ";")) or not (is_next or again):
            return False
        if again:
            self._forget()
        self.chapter = (number,)
        self._begin((number,), line, rest)
        self.styles = []
        return True

    def _single_heading(self, line: Line) -> re.Match[str] | None:
        found = SINGLE.match(line.text)
        if found is None or found[2] != ".":
            return None
        rest = line.text[found.end() :]
        return found if _looks_a_heading(rest) else None

    # --- numbers without dots

    def _single(self, line: Line) -> bool:
        found = SINGLE.match(line.text)
        if found is None:
            return False
        number, style = int(found[1] or found[3]), found[2] or "()"
        rest = line.text[found.end() :]
        if style in self.styles:
            level = self.styles.index(style)
            depth = len(self.current) - len(self.styles) + level
            wanted = self.current[depth] + 1
            if number == wanted or wanted < number <= wanted + MOST_GAP - 1:
                self.styles = self.styles[: level + 1]
                self._begin((*self.current[:depth], number), line, rest)
                return True
            if number == 1 and depth == 0:  # a chapter without a number begins
                return self._flat_chapter(line, rest)
            return False
        if number != 1:
            return False
        self.styles = [*self.styles, style]
        self._begin((*self.current, 1), line, rest)
        return True

    def _flat_chapter(self, line: Line, rest: str) -> bool:
        moved: dict[str, Paragraph] = {}
        for paragraph in self.paragraphs.values():
            paragraph.numbers = (1, *paragraph.numbers)
            paragraph.number = f"1.{paragraph.number}"
            moved[paragraph.number] = paragraph
        self.paragraphs = moved
        self.chapter = (2,)
        self.current = (2,)
        self.styles = self.styles[:1]
        self._begin((2, 1), line, rest)
        return True

    def _lettered(self, line: Line) -> bool:
        found = LETTER.match(line.text)
        if found is None or not self.current:
            return False
        letter = found[1] or found[2]
        expected = chr(ord(self.letter) + 1) if self.letter else "a"
        if letter != expected:
            return False
        number = ".".join(map(str, self.current)) + f"({letter})"
        self.letter = letter
        self.paragraphs[number] = Paragraph(
            number, self.current, line._replace(text=line.text[found.end() :])
        )
        self.open = self.paragraphs[number].lines
        return True


def _looks_a_heading(rest: str) -> bool:
    words = CONTENTS_LINE.sub("", rest).split()
    return (
        0 < len(words) <= MOST_HEADING_WORDS
        and words[0][:1].isupper()
        and not rest.rstrip().endswith((".", ";", ":", ","))
    )


def _families(paragraphs: dict[str, Paragraph]) -> dict[str, list[Paragraph]]:
    families: dict[str, list[Paragraph]] = {}
    for number, paragraph in paragraphs.items():
        parts = number.partition("(")[0].split(".")
        names = [".".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
        for name in dict.fromkeys((*names, number)):
            families.setdefault(name, []).append(paragraph)
    return families


def _roman(text: str) -> int:
    if text.isdigit():
        return int(text)
    values = [ROMAN[letter] for letter in text.upper()]
    return sum(
        -value if any(other > value for other in values[at + 1 : at + 2]) else value
        for at, value in enumerate(values)
    )


def _without_chapters(paragraphs: dict[str, Paragraph]) -> dict[str, Paragraph]:
    """Headings of chapters are no paragraphs where their paragraphs are numbered below them."""
    if not any(len(paragraph.numbers) > 1 for paragraph in paragraphs.values()):
        return paragraphs
    return {name: one for name, one in paragraphs.items() if len(one.numbers) > 1}
