"""Documents as files: text, or the text of a PDF; bounded before anything is read."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from thirdcard.errors import BadInput
from thirdcard.reading.reader import LONGEST_TEXT

LARGEST_FILE: Final = 16 << 20  # bytes
MOST_PAGES: Final = 300
MOST_SIGNS: Final = 20_000  # on one page
PDF: Final = b"%PDF-"
ARCHIVES: Final = {
    b"PK\x03\x04": "a Word document or an archive",
    b"\xd0\xcf\x11\xe0": "an old Word document",
    b"{\\rtf": "rich text",
}
CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
WIDE_GAP: Final = 1.2  # of the height of letters: the next column
LINE_GAP: Final = 1.8
SAME_LINE: Final = 0.5


class DocumentText(NamedTuple):
    """A document's name and its text, in which a form feed begins a page."""

    name: str
    text: str


def document_text(path: Path) -> DocumentText:
    """The text of a document, from a text file or a PDF; BadInput where there is none to be had.

    A PDF needs pypdfium2, which the extra `pdf` brings.
    """
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise BadInput(f"{path} is no file: expected a rules document as text or PDF")
        if size > LARGEST_FILE:
            raise BadInput(f"{path.name} has {size:,} bytes: a document of at most {LARGEST_FILE:,} is read")
        with path.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    return DocumentText(path.name, text_of(path.name, content))


def text_of(name: str, content: bytes) -> str:
    """The text of a document by its name and its bytes."""
    if len(content) > LARGEST_FILE:
        raise BadInput(
            f"{name} has more than {LARGEST_FILE:,} bytes: a document of at most that many is read"
        )
    if not content.strip():
        raise BadInput(f"{name} is empty: expected a rules document as text or PDF")
    if PDF in content[:1024]:
        return _text_of_pdf(name, content)
    if name.lower().endswith(".pdf"):
        raise BadInput(f"{name} is called a PDF but is none: expected a rules document as text or PDF")
    return _text(name, content)


def _text(name: str, content: bytes) -> str:
    for beginning, what in ARCHIVES.items():
        if content.startswith(beginning):
            raise BadInput(f"{name} is {what}: save it as PDF or plain text first")
    encodings = ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if len(CONTROLS.findall(text)) * 100 <= len(text):
            return text
    raise BadInput(f"{name} is no text: expected a rules document as plain text or PDF")


def _text_of_pdf(name: str, content: bytes) -> str:
    import pypdfium2  # noqa: PLC0415 - brought by an extra

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise BadInput(f"{name} is encrypted: save it without a password first") from error
        raise BadInput(f"{name} is a broken PDF: it cannot be opened") from error
    try:
        if len(document) > MOST_PAGES:
            raise BadInput(f"{name} has {len(document):,} pages: at most {MOST_PAGES} are read")
        pages = [_page(name, document, number) for number in range(len(document))]
    except pypdfium2.PdfiumError as error:
        raise BadInput(f"{name} is a broken PDF: a page of it cannot be read") from error
    finally:
        document.close()
    if not any(page.strip() for page in pages):
        count = f"{len(pages)} page has" if len(pages) == 1 else f"{len(pages)} pages have"
        raise BadInput(
            f"the {count} no text in {name}, only pictures: have the text recognised first; nothing was read"
        )
    text = "\f".join(pages)
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"{name} has {len(text):,} characters: at most {LONGEST_TEXT:,} are read")
    return text


class _Word(NamedTuple):
    """Letters that stand together, and where they stand on the page."""

    text: str
    left: float
    bottom: float
    right: float
    top: float

    @property
    def height(self) -> float:
        return max(self.top - self.bottom, 1.0)

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def _page(name: str, document: Any, number: int) -> str:  # noqa: ANN401 - a PDF's
    """The lines of a page from top to bottom, columns parted by tabs."""
    page = document[number]
    textpage = page.get_textpage()
    try:
        count = textpage.count_chars()
        if count > MOST_SIGNS:
            raise BadInput(
                f"page {number + 1} of {name} has {count:,} characters: at most {MOST_SIGNS:,} are read"
            )
        words = _words(textpage, textpage.get_text_range(0, count) if count > 0 else "", count)
    finally:
        textpage.close()
        page.close()
    lines: list[str] = []
    before: list[_Word] = []
    for line in _lines(words):
        if before and before[0].bottom - line[0].top > LINE_GAP * line[0].height - line[0].height:
            lines.append("")
        lines.append(_joined(line))
        before = line
    return "\n".join(lines) + "\n"


def _words(textpage: Any, text: str, count: int) -> list[_Word]:  # noqa: ANN401 - a PDF's
    """The words of a page in the order of the file, each with its box."""
    words: list[_Word] = []
    sign: list[str] = []
    box: list[float] = []
    for index in range(min(count, len(text)) if len(text) == count else count):
        one = text[index] if len(text) == count else textpage.get_text_range(index, 1)
        if not one.strip():
            _end(words, sign, box)
            continue
        left, bottom, right, top = textpage.get_charbox(index, loose=True)
        if box and (
            left < box[2] - box[3] + box[1]
            or left - box[2] > (box[3] - box[1])
            or abs(bottom - box[1]) > (box[3] - box[1])
        ):
            _end(words, sign, box)
        sign.append(one)
        box[:] = (
            [min(box[0], left), min(box[1], bottom), max(box[2], right), max(box[3], top)]
            if box
            else [left, bottom, right, top]
        )
    _end(words, sign, box)
    return words


def _end(words: list[_Word], sign: list[str], box: list[float]) -> None:
    if sign:
        words.append(_Word("".join(sign), *box))
    sign.clear()
    box.clear()


def _lines(words: list[_Word]) -> list[list[_Word]]:
    """Words on one height, from the top of the page down, each line from left to right."""
    lines: list[list[_Word]] = []
    for word in sorted(words, key=lambda one: -one.middle):
        if lines and abs(lines[-1][0].middle - word.middle) <= SAME_LINE * max(
            word.height, lines[-1][0].height
        ):
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda one: one.left) for line in lines]


def _joined(line: list[_Word]) -> str:
    text = line[0].text
    for before, word in pairwise(line):
        wide = word.left - before.right > WIDE_GAP * max(before.height, word.height)
        text += ("\t" if wide else " ") + word.text
    return text
