"""A document's text as clean lines: one alphabet, one kind of quotes and dashes, no running heads, no tags.

Lines keep their numbers, counted from the document's first; a form feed begins a page.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

LOOK_ALIKES: Final = str.maketrans(  # Cyrillic and Greek letters that print as Latin ones
    "АВЕЅІЈКМНОРСТХУаеѕіјорсхуΑΒΕΖΗΙΚΜΝΟΡΤΥΧοаӀԁһԛԝѵ",
    "ABESIJKMHOPCTXYaesijopcxyABEZHIKMNOPTYXoaIdhqwv",
)
SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("‐‑‒–—―−⁃", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f"),
        **dict.fromkeys("•·▪◦‣●○■□", "*"),
        **dict.fromkeys("\u2028\u2029\u0085\v", " "),
        "⁄": "/",
        "¦": "|",
        "│": "|",
        "\u00a0": " ",
    }
)
TAG: Final = re.compile(r"</?[a-zA-Z][a-zA-Z0-9 ]{0,20}/?>")
BOLD: Final = re.compile(r"(\*\*|__)(?=[^\s*_])([^*_|\t]{1,200})\1")
BULLET: Final = re.compile(r"^\s*(?:[-*>+]\s+|#{1,6}\s+)+")
ORDINAL: Final = re.compile(r"(?<=\d) (?=(?:st|nd|rd|th)\b)")
SPLIT_APPENDIX: Final = re.compile(r"^(\s*)App\s{1,3}endi", re.IGNORECASE)
PAGE_NUMBER: Final = re.compile(
    r"^\W{0,3}(?:page|pg\.?|p\.)\s*\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?\W{0,3}$|^-\s?\d{1,4}\s?-$|^\d{1,4}\s*(?:of|/)\s*\d{1,4}$",
    re.IGNORECASE,
)
ANY_PAGE: Final = re.compile(r"\bpage\s*\d{1,4}\b", re.IGNORECASE)
BARE_NUMBER: Final = re.compile(r"^\d{1,4}$")
DIGITS: Final = re.compile(r"\d+")
ROW_WORDS: Final = re.compile(r"\b(?:pays?|odds|appendix|\d to \d)\b", re.IGNORECASE)
EDGE: Final = 3  # lines at the top and the bottom of a page that may be a running head or foot
REPEATED: Final = 3  # pages on which such a line stands


class Line(NamedTuple):
    """A line of a document: its number and page, both from 1, and its text made clean."""

    number: int
    page: int
    text: str
    after_blank: bool = False


def lines_of(text: str) -> tuple[Line, ...]:
    r"""The lines that say something, without running heads, page numbers and marks of formatting.

    >>> lines_of("4.1 “Ｂig Ti\u00adger” pays 50\u00a0to\u00a01\\n\\n- 7 -")
    (Line(number=1, page=1, text='4.1 "Big Tiger" pays 50 to 1', after_blank=False),)
    """
    numbered: list[Line] = []
    page, blank = 1, False
    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        page += raw.count("\f")
        clean = _clean(raw.replace("\f", ""))
        if clean.strip():
            numbered.append(Line(number, page, clean, blank))
            blank = False
        else:
            blank = True
    return tuple(_without_furniture(numbered))


def _clean(raw: str) -> str:
    text = unicodedata.normalize("NFKC", raw).translate(SIGNS).translate(LOOK_ALIKES).rstrip()
    text = BOLD.sub(r"\2", TAG.sub("", text))
    if not text.lstrip().startswith("|"):
        text = BULLET.sub("", text) if BULLET.match(text) else text
    text = SPLIT_APPENDIX.sub(r"\1Appendi", text)
    return ORDINAL.sub("", text)


def _without_furniture(lines: list[Line]) -> Iterator[Line]:
    """Lines but for page numbers, and heads and feet that stand on several pages."""
    running = _running(lines)
    last = len(lines) - 1
    for number, line in enumerate(lines):
        shown = line.text.strip()
        if PAGE_NUMBER.match(shown) or _masked(shown) in running:
            continue
        if BARE_NUMBER.match(shown):
            alone = line.after_blank and (number == last or lines[number + 1].after_blank)
            turned = number < last and lines[number + 1].page > line.page
            if alone or turned or (number and lines[number - 1].page < line.page):
                continue
        yield line


def _running(lines: list[Line]) -> frozenset[str]:
    """What stands at the edge of several pages, or again and again with a page's number in it."""
    pages: dict[int, list[Line]] = {}
    for line in lines:
        pages.setdefault(line.page, []).append(line)
    at_edges: Counter[str] = Counter()
    if len(pages) > 1:
        for page in pages.values():
            at_edges.update({_masked(line.text) for line in (*page[:EDGE], *page[-EDGE:])})
    numbered = Counter(_masked(line.text) for line in lines if ANY_PAGE.search(line.text))
    wanted = min(REPEATED, max(2, len(pages)))
    return frozenset(
        text
        for text in {*at_edges, *numbered}
        if (at_edges[text] >= wanted or numbered[text] >= REPEATED - 1) and not ROW_WORDS.search(text)
    )


def _masked(text: str) -> str:
    return DIGITS.sub("0", " ".join(text.split())).casefold()


def joined(lines: Iterable[Line]) -> str:
    """Lines as running text, words that were parted at a line's end put together again."""
    text = ""
    for line in lines:
        piece = " ".join(line.text.split())
        if text.endswith("-") and text[-2:-1].isalpha() and piece[:1].islower():
            text = text[:-1] + piece
        else:
            text = f"{text} {piece}" if text else piece
    return text
