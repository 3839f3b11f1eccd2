"""The title page, decks, layouts, limits and calls of a document."""

import re
from typing import Final

from thirdcard.reading.document import Document, term_of
from thirdcard.reading.figures import letters_in, numbers_in, share_of, with_digits
from thirdcard.reading.model import LayoutRead, Place, Read
from thirdcard.reading.paragraphs import Paragraph

QUOTED_TITLE: Final = re.compile(r"\bthe game \"([^\"]{3,160})\"")
IN_BRACKETS: Final = re.compile(r"\s*\(([^()]{2,80})\)")
RULES_OF: Final = re.compile(
    r"^(?:the )?(?:house |official |game )?rules (?:of|for) (?:the )?(?:game (?:of )?)?(?=\w)", re.IGNORECASE
)
VERSION: Final = re.compile(r"\bversion\s*(?:no\.?\s*)?(\d{1,4})\b", re.IGNORECASE)
OPERATOR: Final = re.compile(r"^\(?([A-Z][A-Z0-9&]{1,7})\)?$")
NOT_TITLE: Final = re.compile(
    r"^(?:(?:house |official |approved )?(?:game )?rules$|version|w\.?e\.?f|effective|in force|approved|page|table of contents|contents|in accordance)\b|^\d",
    re.IGNORECASE,
)
MONTHS: Final = {
    name[:3]: number
    for number, name in enumerate(
        [
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
        ],
        1,
    )
}
DAY_FIRST: Final = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\s+([A-Z][a-z]{2,8}),?\s+(\d{4})\b")
MONTH_FIRST: Final = re.compile(r"\b([A-Z][a-z]{2,8})\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b")
ISO: Final = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
CLOCK: Final = re.compile(
    r"\b([01]?\d|2[0-3])[:.]?([0-5]\d)\s*(?:hours|hrs|h\b)|\b([01]?\d|2[0-3]):([0-5]\d)\b|\b(\d{1,2})(?:[.:]([0-5]\d))?\s*([ap])\.?m\b",
    re.IGNORECASE,
)
SMALL_WORDS: Final = frozenset(("with", "and", "of", "the", "in", "for", "or", "on"))

DECKS: Final = re.compile(
    r"\b(\d{1,2}(?:\s*(?:to|-|or|and|,\s*or|,)\s*\d{1,2}){0,5})\s*(?:\(\d{1,2}\)\s*)?(?:(?:standard|full|complete|ordinary|52-card|english)\s+){0,2}(?:decks?|packs?)\b",
    re.IGNORECASE,
)
DECK_OF: Final = re.compile(
    r"\b(?:decks?|packs?)\b[^.]{0,60}?\b(\d{2})[ -](?:playing )?cards?\b", re.IGNORECASE
)
POSITIONS: Final = re.compile(
    r"\b(\d{1,2})\s*(?:to|-)\s*(\d{1,2})\s+(?:\w+\s+){0,2}?(?:positions?|players?|box(?:es)?|seats?)\b",
    re.IGNORECASE,
)
UP_TO: Final = re.compile(
    r"\b(\d{1,2})[ -](?:\w+\s+){0,2}?(?:positions?|players?|box(?:es)?|seats?|seater)\b", re.IGNORECASE
)
NO_NAME: Final = re.compile(
    r"\b(?:this layout|layout is|is available|available (?:with|for)|positions?|playing areas?)\b",
    re.IGNORECASE,
)
ON_LAYOUT: Final = re.compile(r"\blayouts?\b", re.IGNORECASE)
COMMISSION: Final = re.compile(
    r"\bcommission(?: (?:rate|charge))?\s*(?:of|at|is|shall be|:)?\s*(?:a rate of )?(\d{1,2}(?:\.\d{1,2})?)\s?(?:%|per ?cent)|(\d{1,2}(?:\.\d{1,2})?)\s?(?:%|per ?cent)\s+commission",
    re.IGNORECASE,
)
CALLED: Final = re.compile(r"\"([^\"]{3,60})\"")
PER_AREA: Final = re.compile(
    r"\bmaximum of (\d{1,2}) (?:wagers?|bets?) (?:per|in (?:each|a|any)|on (?:each|a|any)) ", re.IGNORECASE
)
DISPLAYED: Final = re.compile(r"\b(?:shall|must|will|to) be displayed\b|\bdisplayed\b", re.IGNORECASE)
MOST_FRONT: Final = 40


class Terms:
    """What of a document is neither a bet nor a table."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.values: dict[str, Read] = {}
        self.calls: dict[str, list[str]] = {}  # the paragraphs that have the dealer's calls
        self.layouts: dict[str, LayoutRead] = {}
        self.layouts_at: list[Place] = []
        self._title_page()
        for paragraph in document.paragraphs.values():
            self._decks(paragraph)
            self._named_layouts(paragraph)
            self._commission(paragraph)
            self._calls(paragraph)
            self._limits(paragraph)
        self._appendices()

    def _value(self, key: str, value: str, place: Place) -> None:
        before = self.values.setdefault(key, Read(value=value, place=place))
        if before.value.casefold() != value.casefold():
            self.document.doubt(place, f"says {value}, where {before.place} says {before.value}", key)

    # --- the title page

    def _title_page(self) -> None:
        front = self.document.structure.front[:MOST_FRONT]
        first = self.document.lines[0].number if self.document.lines else 1
        text = " ".join(line.text for line in front)
        quoted = QUOTED_TITLE.search(text)
        if quoted is not None:
            at = next((line.number for line in front if "the game" in line.text), first)
            self._named(quoted[1], Place("", at))
        self._by_lines([(line.text.strip(" *#_"), line.number) for line in front])
        for line in front:
            version = VERSION.search(line.text)
            if version is not None:
                self.values.setdefault(
                    "document.version", Read(value=version[1], place=Place("", line.number))
                )
            date = date_in(line.text)
            if date is not None:
                self.values.setdefault("document.effective", Read(value=date, place=Place("", line.number)))

    def _named(self, title: str, place: Place) -> None:
        """A title as a sentence gives it: the operator and the version stand in brackets at its end."""
        operator = ""
        while (found := re.search(r"\s*\(([^()]{2,80})\)$", title)) is not None:
            if VERSION.fullmatch(found[1].strip()) is None and OPERATOR.match(found[1]) is None:
                break
            operator = found[1] if OPERATOR.match(found[1]) else operator
            title = title[: found.start()].strip()
        self.values["document.title"] = Read(value=" ".join(title.split()), place=place)
        if operator:
            self.values["document.operator"] = Read(value=operator, place=place)

    def _by_lines(self, front: list[tuple[str, int]]) -> None:
        """A title as the first page sets it, over one line or several."""
        lines: list[str] = []
        at = 0
        for shown, number in front:
            text = RULES_OF.sub("", shown)
            if not text or NOT_TITLE.match(text) or len(text) > 80:  # noqa: PLR2004 - a title is short
                if lines:
                    break
                continue
            operator = OPERATOR.match(text)
            if operator is not None and lines:
                self.values.setdefault("document.operator", Read(value=operator[1], place=Place("", number)))
                continue
            lines.append(text)
            at = at or number
        if lines and "document.title" not in self.values:
            title = " ".join(lines[:3])
            found = re.search(r"\s*\(([A-Z][A-Z0-9&]{1,7})\)$", title)
            if found is not None and " " in title[: found.start()].strip():
                self.values.setdefault("document.operator", Read(value=found[1], place=Place("", at)))
                title = title[: found.start()]
            self.values["document.title"] = Read(value=_titled(title), place=Place("", at))

    # --- decks and layouts

    def _decks(self, paragraph: Paragraph) -> None:
        text = with_digits(paragraph.text)
        found = DECKS.search(text)
        if (
            found is None
            or term_of(paragraph.text) is not None
            or "irregular" in self.document.structure.headings(paragraph).lower()
        ):
            return
        if not re.search(r"\b(?:game|play(?:ed)?|use[sd]?|consist|shoe|dealt from)\b", text, re.IGNORECASE):
            return
        numbers = numbers_in(found[1])
        place = self.document.place(paragraph)
        if max(numbers) - min(numbers) >= len(numbers):
            self.document.doubt(
                place,
                f"names {found[1]} decks, which a book has as {min(numbers)} to {max(numbers)}",
                "decks",
            )
        self._value("decks", f"{min(numbers)} to {max(numbers)}", place)
        of = DECK_OF.search(text)
        if of is not None and int(of[1]) != 52:  # noqa: PLR2004 - a deck
            self.document.doubt(place, f"a deck has {of[1]} cards: a deck of 52 can be played", "decks")

    def _named_layouts(self, paragraph: Paragraph) -> None:
        text = paragraph.text
        letters = letters_in(text)
        if (
            not letters
            or not ON_LAYOUT.search(text)
            or re.search(r"\b(?:settle|pays?|paid|odds)", text, re.IGNORECASE)
        ):
            return
        at = next((line.number for line in paragraph.lines if letters_in(line.text)), paragraph.line)
        self.layouts_at.append(Place(paragraph.number, at))
        for letter in letters:
            self.layouts.setdefault(letter, LayoutRead(letter=letter, at=Place(paragraph.number, at)))

    def _appendices(self) -> None:
        for appendix in self.document.structure.appendices:
            place = Place("", appendix.line)
            told = [with_digits(appendix.heading), *(with_digits(line.text) for line in appendix.lines[:4])]
            found = next((one for text in told if (one := _positions(text)) is not None), None)
            layout = self.layouts.get(appendix.letter)
            if layout is None:
                if found is None:
                    continue
                layout = self.layouts[appendix.letter] = LayoutRead(letter=appendix.letter, at=place)
                if self.layouts_at:
                    self.document.doubt(
                        place,
                        f"layout {appendix.letter} is drawn, but {self.layouts_at[0]} does not name it",
                        f"layouts.{appendix.letter}",
                    )
            name = re.sub(r"\s*\([^()]*\)?", "", UP_TO.sub("", POSITIONS.sub("", appendix.heading))).strip(
                " -:.,\"'"
            )
            name = re.sub(r"\s+(?:with|for|of)$", "", name)
            if name and not NO_NAME.search(re.sub(r"\([^()]*\)", "", appendix.heading)) and not layout.name:
                layout.name = name
            if found is None:
                continue
            if layout.positions is None:
                layout.positions, layout.positions_at = found, place
            elif layout.positions != found:
                why = f"says {found[0]} to {found[1]} positions, where {layout.positions_at} says {layout.positions[0]} to {layout.positions[1]}"
                self.document.doubt(place, why, f"layouts.{appendix.letter}.positions")

    # --- commission, calls, limits

    def _commission(self, paragraph: Paragraph) -> None:
        found = COMMISSION.search(with_digits(paragraph.text))
        if found is not None:
            self._value("commission.rate", share_of(found[1] or found[2]), self.document.place(paragraph))

    def _calls(self, paragraph: Paragraph) -> None:
        for found in CALLED.finditer(paragraph.text):
            said = found[1].strip(" .!,").lower()
            for key, words in (("betting.opens", "place your"), ("betting.closes", "no more")):
                if not said.startswith(words):
                    continue
                self.calls.setdefault(key, []).append(paragraph.number)
                if key not in self.values:
                    self.values[key] = Read(value=found[1].strip(" .!"), place=self.document.place(paragraph))

    def _limits(self, paragraph: Paragraph) -> None:
        text = with_digits(paragraph.text)
        per_area = PER_AREA.search(text)
        if per_area is not None:
            self._value("limits.wagers_per_area", per_area[1], self.document.place(paragraph))
        shown = DISPLAYED.search(text)
        if shown is None or "limit" not in text.lower() or term_of(paragraph.text) is not None:
            return
        lower = re.sub(r"\bmaximum (?:permissible )?differential\b", "differential", text.lower())
        names = [name for name in ("minimum", "maximum", "differential") if name in lower]
        before = self.values.get("limits.displayed")
        if names and (
            before is None or (shown[0].lower() != "displayed" and "be displayed" not in before.value)
        ):
            self.values["limits.displayed"] = Read(
                value=", ".join(names), place=self.document.place(paragraph)
            )


def _positions(text: str) -> tuple[int, int] | None:
    found = POSITIONS.search(text)
    if found is not None:
        return int(found[1]), int(found[2])
    most = UP_TO.search(text)
    return None if most is None else (1, int(most[1]))


def _titled(title: str) -> str:
    """A title in capitals as it is written in a sentence."""
    title = " ".join(title.split())
    if not title.isupper():
        return title
    words = re.split(r"([\s(-])", title)
    return "".join(
        word.lower() if at and word.lower() in SMALL_WORDS else word.capitalize()
        for at, word in enumerate(words)
    )


def date_in(text: str) -> str | None:
    """The day of a text as books write it, and the time if there is one: `2025-08-08 08:00`."""
    day = None
    if (found := ISO.search(text)) is not None:
        day = found[0]
    elif (found := DAY_FIRST.search(text)) is not None and found[2].lower()[:3] in MONTHS:
        day = f"{found[3]}-{MONTHS[found[2].lower()[:3]]:02}-{int(found[1]):02}"
    elif (found := MONTH_FIRST.search(text)) is not None and found[1].lower()[:3] in MONTHS:
        day = f"{found[3]}-{MONTHS[found[1].lower()[:3]]:02}-{int(found[2]):02}"
    if day is None or found is None:
        return None
    clock = CLOCK.search(text, found.end())
    if clock is None:
        return day
    hour, minute = int(clock[1] or clock[3] or clock[5]), int(clock[2] or clock[4] or clock[6] or 0)
    if clock[7]:
        hour = hour % 12 + (12 if clock[7].lower() == "p" else 0)
    return f"{day} {hour:02}:{minute:02}"
