"""Figures as documents print them: odds, points, ranges, lists of letters, shares, and cells of rows."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from thirdcard.money import Odds

WORDS: Final = {
    name: str(number)
    for number, name in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
        ]
    )
}
TENS: Final = {
    name: 10 * tens
    for tens, name in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
    )
}
NUMBER_WORD: Final = re.compile(rf"\b(?:{'|'.join(sorted(WORDS, key=len, reverse=True))})\b", re.IGNORECASE)
_TENS = rf"(?:{'|'.join(TENS)})"
COMPOUND: Final = re.compile(
    rf"\b({_TENS})(?:[ -]({'|'.join(list(WORDS)[1:10])}))?\b|\b(?:(one|two|three) |a )?hundred(?: and (fifty|twenty-five))?\b",
    re.IGNORECASE,
)
ODDS: Final = re.compile(
    r"(?<![\d.,$-])(\d{1,5}(?:\.\d{1,4})?)\s{0,3}(to|:|for|-to-|-for-)\s{0,3}(\d{1,3})(?![\d.,]*\d)(?!\s*(?:decks?|playing|players?|positions?|box(?:es)?|seats?|points?\b))",
    re.IGNORECASE,
)
RANGE_BEFORE: Final = re.compile(r"\b(?:from|between|(?:totals?|points?|values?) of) +$", re.IGNORECASE)
EVEN_MONEY: Final = re.compile(r"\b(?:even money|evens)\b", re.IGNORECASE)
BROKEN_ODDS: Final = re.compile(
    r"\S{0,6}\s{0,2}\bto\s{0,2}[1lI|!]\b|\d\S{0,4}\s+to\b(?!\s*\d)|\d{1,6}\s?[?#▒█�]+", re.IGNORECASE
)
NUMBER_LIST: Final = re.compile(
    r"\d+(?:\s*(?:,\s*or|,\s*and|,|-|/|&|\bor\b|\band\b|\bto\b|\bthrough\b)\s*\d+)*", re.IGNORECASE
)
SPAN: Final = re.compile(
    r"^([0-9])(?:\s*(?:-|to|through)\s*([0-9]))?\s*(?:points?)?\s*(\*{0,3}|[#†‡^]?)$", re.IGNORECASE
)
PERCENT: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3})?)\s?(?:%|per ?cent\b)", re.IGNORECASE)
COLUMNS: Final = re.compile(r"\t| {2,}")
LETTERS_LEAD: Final = re.compile(
    r"\b(?:appendi(?:x|ces)|appendixes|layouts?|annex(?:es)?|schedules?)\s*[:(]?\s*(?=[\"'(]{0,2}(?:[A-Z]{1,2}|\d{1,2})\b)",
    re.IGNORECASE,
)
LETTER: Final = re.compile(r"[\"'(]{0,2}\b([A-Z]|\d{1,2})\b[\"')]{0,2}")
BETWEEN: Final = re.compile(
    r"\s*(?:,\s*and|,\s*or|,|&|;|\band\b|\bor\b|\bto\b|\bthrough\b|-)?\s*(?:appendi(?:x|ces)\s+|layouts?\s+)?",
    re.IGNORECASE,
)
SEPARATOR_ROW: Final = re.compile(r"^[\s|:=+_-]+$")


def with_digits(text: str) -> str:
    """The same with number words as figures: `thirty-five to one` is `35 to 1`."""
    return NUMBER_WORD.sub(lambda word: WORDS[word[0].lower()], COMPOUND.sub(_compound, text))


def _compound(found: re.Match[str]) -> str:
    if found[1]:
        return str(TENS[found[1].lower()] + int(WORDS[found[2].lower()] if found[2] else 0))
    hundreds = int(WORDS[found[3].lower()]) if found[3] else 1
    return str(100 * hundreds + {None: 0, "fifty": 50, "twenty-five": 25}[found[4] and found[4].lower()])


class ReadOdds(NamedTuple):
    """Odds in a text, where they stand in it, and why they are not certain, if so."""

    text: str
    start: int
    end: int
    doubt: str = ""

    @property
    def odds(self) -> Odds:
        return Odds(self.text)


def odds_in(text: str) -> Iterator[ReadOdds]:
    """Every odds of a text: `35 to 1`, `35:1`, `even money`; `35 for 1` counts the stake."""
    found = [(one.start(), one) for one in ODDS.finditer(text)]
    found += [(one.start(), one) for one in EVEN_MONEY.finditer(text)]
    for _, one in sorted(found, key=lambda pair: pair[0]):
        if one.re is EVEN_MONEY:
            yield ReadOdds("1 to 1", *one.span())
            continue
        if RANGE_BEFORE.search(text, max(0, one.start() - 24), one.start()):
            continue
        first, word, second = one[1], one[2].lower().strip("-"), one[3]
        if int(second) == 0:
            continue
        if word == "for":
            net = Fraction(first) - int(second)
            if net > 0 and net.denominator == 1:
                yield ReadOdds(
                    f"{net} to {second}", *one.span(), "is printed as “for”, which counts the stake in"
                )
            continue
        yield ReadOdds(f"{first} to {second}", *one.span())


def numbers_in(text: str) -> list[int]:
    """The whole numbers that a list or range names: `7, 8 or 9`, `0-4`, `0-1-2-3`."""
    parts = re.split(r"(\d+)", text)
    numbers = [int(part) for part in parts[1::2]]
    dashes = [part for part in parts[2:-1:2] if "-" in part]
    ranges = len(numbers) == 2 or len(dashes) < len(numbers) - 1  # noqa: PLR2004 - 0-1-2 is a list, 0-2, 4 has a range
    spread: list[int] = []
    for at, number in enumerate(numbers):
        joint = parts[2 * at].strip(" \"'").lower()
        if at and (joint in ("to", "through") or (joint == "-" and ranges)):
            spread += range(numbers[at - 1] + 1, number)
        spread.append(number)
    return spread


def cells(text: str) -> list[str]:
    """The cells of a row, by pipes, tabs or gaps; a line that is none is one cell."""
    shown = text.rstrip()
    if "|" in shown:
        return [cell.strip() for cell in shown.strip().strip("|").split("|")]
    if "\t" in shown:
        return (
            [cell.strip() for cell in re.split(r"\t+| {3,}", shown) if cell.strip()]
            if not shown.startswith("\t")
            else ["", *(cell.strip() for cell in shown.lstrip("\t").split("\t"))]
        )
    indented = len(shown) - len(shown.lstrip()) >= 6  # noqa: PLR2004 - the first column is empty
    parts = [cell.strip() for cell in COLUMNS.split(shown.strip())]
    return ["", *parts] if indented and parts != [""] else parts


def span_of(cell: str) -> tuple[str, bool] | None:
    """Points as an insurance table prints them, and whether a mark stands beside them: `0-4`, `9*`."""
    found = SPAN.match(cell.strip().strip("\"'"))
    if found is None:
        return None
    low, high = found[1], found[2]
    return (f"{low}-{high}" if high and high != low else low), bool(found[3])


def is_separator(text: str) -> bool:
    """Whether a line only rules a table off."""
    return bool(SEPARATOR_ROW.match(text))


def letters_in(text: str) -> list[str]:
    """The appendices or layouts that a text names: `Appendices A, B and D`, `Layouts A to F`."""
    letters: list[str] = []
    at = 0
    for lead in LETTERS_LEAD.finditer(text):
        if lead.start() < at:
            continue  # a list that names its kind again
        at, span = lead.end(), False
        while (found := LETTER.match(text, at)) is not None:
            name = found[1]
            if span and letters and len(name) == 1 and name.isalpha() and letters[-1] < name:
                letters += [chr(code) for code in range(ord(letters[-1]) + 1, ord(name))]
            if name not in letters:
                letters.append(name)
            between = BETWEEN.match(text, found.end())
            if between is None or not between[0].strip(" "):
                break
            span = bool(re.search(r"\bto\b|\bthrough\b|-", between[0], re.IGNORECASE))
            at = between.end()
    return letters


def share_of(percent: str) -> str:
    """A percentage as a share: `5` is `1/20`."""
    return str(Fraction(percent) / 100)
