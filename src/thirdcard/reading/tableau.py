"""The Table of Play of a document: who draws a third card, from whatever table or sentences say so."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from thirdcard.reading.document import Document, rows_of
from thirdcard.reading.figures import is_separator, numbers_in, odds_in, with_digits
from thirdcard.reading.model import Place
from thirdcard.reading.paragraphs import Paragraph
from thirdcard.reading.text import Line, joined
from thirdcard.rulebook.forms import Raw

ABOUT: Final = re.compile(
    r"\btable of play\b|\bthird[- ]card (?:rules?|table)\b|\b3rd[- ]card (?:rules?|table)\b|\bdraws?\b.{0,120}\b(?:3rd|third)\b"
    r"|\b(?:player|banker)(?:'s)?\"?(?: hand)?\s+(?:shall |must |has to |will )?(?:draws?|stands?)\b",
    re.IGNORECASE,
)
THIRD: Final = re.compile(
    r"\b(?:3rd|third)[ -]cards?\b|\b(?:first|initial)? ?(?:two|2|four|4) cards?\b|\b(?:one|1|a) (?:more |additional |further )?cards?\b|\b52 cards?\b",
    re.IGNORECASE,
)
LIST: Final = re.compile(
    r"[\"']?\b\d\b[\"']?(?:\s*(?:,\s*or|,\s*and|,|-|/|&|\bor\b|\band\b|\bto\b|\bthrough\b)\s*[\"']?\b\d\b[\"']?)*"
)
SIDES: Final = re.compile(r"\b(player|banker)\b", re.IGNORECASE)
STAND: Final = re.compile(
    r"\b(?:stands?|no (?:more )?cards?|neither (?:hand )?(?:draws?|receives?|takes?)|(?:cannot|can not|does not|do not|may not|shall not|not) draw)\b",
    re.IGNORECASE,
)
DRAW: Final = re.compile(r"\b(?:draws?|hits?|takes?|receives?)\b", re.IGNORECASE)
EXCEPT: Final = re.compile(r"\b(?:except|unless|but not|other than)\b", re.IGNORECASE)
WHEN: Final = re.compile(r"\b(?:when|where|if|against|on player|provided)\b", re.IGNORECASE)
IRREGULAR: Final = re.compile(r"\birregular", re.IGNORECASE)
NO_NATURAL: Final = re.compile(r"\bno naturals?\b", re.IGNORECASE)
NATURAL: Final = re.compile(r"\bnaturals?\b", re.IGNORECASE)
ROW_START: Final = re.compile(r"^[\s|\"']*\d\b")
PARTS: Final = re.compile(r"(?<=[.;:])\s")
UNFINISHED: Final = re.compile(
    r"(?:\b(?:or|and|is|an?|when|if|except|unless|of|on)|,)\s*[\"']?$", re.IGNORECASE
)
HANDS: Final = ("player", "banker")
ALL: Final = tuple(range(10))
LINES: Final = range(8)


class _Item(NamedTuple):
    """A part of a row: numbers, or the words between them."""

    numbers: tuple[int, ...]
    words: str


class Tableau:
    """What the document says of third cards, each part with its place."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.natural: tuple[tuple[int, ...], Place] | None = None
        self.draws: dict[
            str, tuple[set[int], Place]
        ] = {}  # "player", "banker", "alone": the totals that draw
        self.stands: dict[str, tuple[set[int], Place]] = {}
        self.lines: dict[
            int, tuple[tuple[int, ...], Place]
        ] = {}  # the Banker's total: the third cards it draws against
        self.places: list[Place] = []
        for paragraph in document.paragraphs.values():
            text = paragraph.text
            insures = "insurance" in text.lower() and "table of play" not in text.lower()
            if (
                ABOUT.search(text)
                and not insures
                and not IRREGULAR.search(document.structure.headings(paragraph))
            ):
                self._paragraph(paragraph)

    def values(self) -> Raw | None:
        """The section of a book, if anything was found of it."""
        if not self.lines and "player" not in self.draws:
            return None
        made: Raw = {}
        if self.natural:
            made["natural"] = list(self.natural[0])
        player = self._drawing("player")
        if player is not None:
            made["player_draws"] = player
        alone = self._drawing("alone")
        if alone is not None:
            made["banker_draws_if_player_stands"] = alone
        made["banker_draws"] = {str(total): list(self.lines[total][0]) for total in sorted(self.lines)}
        return made

    def missing(self) -> list[str]:
        """What nothing was found of."""
        made = self.values() or {}
        lacking = [
            name for name in ("natural", "player_draws", "banker_draws_if_player_stands") if name not in made
        ]
        natural = set(made.get("natural", (8, 9)))
        return lacking + [
            f"banker_draws.{total}" for total in ALL if total not in natural and total not in self.lines
        ]

    def _drawing(self, who: str) -> list[int] | None:
        if who in self.draws:
            return sorted(self.draws[who][0])
        if who in self.stands and self.natural:
            return [
                total for total in ALL if total not in self.stands[who][0] and total not in self.natural[0]
            ]
        return None

    # --- rows

    def _paragraph(self, paragraph: Paragraph) -> None:
        side, columns = "", False
        prose: list[Line] = []
        for row in rows_of(paragraph.lines):
            text = _prepared(row.line.text.replace("|", "\t"))
            if is_separator(row.line.text) or (
                not DRAW.search(text) and any(True for _ in odds_in(row.line.text))
            ):
                continue
            goes_on = bool(prose) and UNFINISHED.search(prose[-1].text) is not None
            if len(row.cells) == 1 and (goes_on or not ROW_START.match(text)):
                prose.append(row.line)
                if not LIST.search(text) and not row.line.text.rstrip().endswith((",", "-")):
                    side = _side_in(text) or side
                continue
            self._sentences(prose, side, paragraph)
            unfinished, prose = prose, []
            found = [one[1].lower() for one in SIDES.finditer(text)]
            if not LIST.search(text):
                columns = columns or ({*found} == {"player", "banker"} and not DRAW.search(text))
                side = found[0] if found else side
                continue
            if unfinished and UNFINISHED.search(unfinished[-1].text):
                prose = [row.line]  # the end of a line that was parted
                continue
            self._read(
                list(_items(text)), side, self.document.place(paragraph, row.line.number), columns=columns
            )
            if UNFINISHED.search(row.line.text.rstrip()):
                prose = [row.line]
        self._sentences(prose, side, paragraph)

    def _sentences(self, lines: list[Line], side: str, paragraph: Paragraph) -> None:
        """What running text says, sentence by sentence."""
        text, at = joined(lines), 0
        for part in PARTS.split(text):
            told = _prepared(part)
            if LIST.search(told):
                place = self.document.place(paragraph, _line_of(lines, at))
                self._read(list(_items(told)), _side_in(told) or side, place, columns=False)
            at += len(part) + 1

    def _read(self, items: list[_Item], side: str, place: Place, *, columns: bool) -> None:
        """Every statement of one row or sentence."""
        whole = " ".join(item.words for item in items)
        numbered = [item for item in items if item.numbers]
        if self._alone(items, whole, place) or not numbered:
            return
        if (
            len(numbered) > 1
            and items[0].numbers
            and all(not item.words.strip(" \t-") for item in items if not item.numbers)
        ):
            self._three_columns(numbered, place)
            return
        if not items[0].numbers:
            self._told(items, side, place)
            return
        pairs = list(_pairs(items))
        for number, pair in enumerate(pairs):
            by_column = HANDS[min(number, 1)] if len(pairs) > 1 else "banker" if columns else side
            self._pair(pair, _side_of(pair[1:], by_column), place)

    def _three_columns(self, numbered: list[_Item], place: Place) -> None:
        """The Banker's total, the third cards that it draws against, and those it does not."""
        draws = numbered[1].numbers
        if len(numbered) > 2:  # noqa: PLR2004 - the cards it stands on are told too
            stands = numbered[2].numbers
            if sorted({*draws, *stands}) != list(ALL) or {*draws} & {*stands}:
                told = f"of the Player's third cards {_told(draws)} are to draw and {_told(stands)} to stand, which is not each card once"
                self.document.doubt(place, told, f"table_of_play.banker_draws.{_told(numbered[0].numbers)}")
        for total in numbered[0].numbers:
            self._line(total, draws, place)

    def _pair(self, pair: list[_Item], who: str, place: Place) -> None:
        """Totals, and what a hand does with them."""
        totals, words = pair[0].numbers, pair[1].words if len(pair) > 1 else ""
        others = next((item.numbers for item in pair[2:] if item.numbers), None)
        said = " ".join(item.words for item in pair[1:])
        if NATURAL.search(said) and not NO_NATURAL.search(said):
            self._natural(totals, place)
        elif STAND.search(words) and not DRAW.search(STAND.sub("", words)):
            self._stand(who, totals, place)
        elif DRAW.search(words) and others is not None:
            drawn = tuple(card for card in ALL if card not in others) if EXCEPT.search(words) else others
            for total in totals:
                self._line(total, drawn, place)
        elif DRAW.search(words):
            self._draw(who, totals, place)

    def _told(self, items: list[_Item], side: str, place: Place) -> None:
        """A sentence whose words come before its numbers: `Player draws on 0-5 and stands on 6-7`."""
        who = side
        for at, item in enumerate(items):
            if not item.numbers:
                found = [one[1].lower() for one in SIDES.finditer(item.words)]
                who = found[0] if found else who
                continue
            before = items[at - 1].words if at else ""
            after = items[at + 1].words if at + 1 < len(items) else ""
            if NATURAL.search(before + after) and not NO_NATURAL.search(before):
                self._natural(item.numbers, place)
                return
            third = items[at + 2].numbers if at + 2 < len(items) else ()
            if (
                who == "banker"
                and DRAW.search(after)
                and third
                and (WHEN.search(after) or EXCEPT.search(after))
            ):
                drawn = tuple(card for card in ALL if card not in third) if EXCEPT.search(after) else third
                for total in item.numbers:
                    self._line(total, drawn, place)
                return
            if STAND.search(before):
                self._stand(who, item.numbers, place)
            elif DRAW.search(before) or (DRAW.search(after) and not STAND.search(after)):
                self._draw(who, item.numbers, place)
            elif STAND.search(after):
                self._stand(who, item.numbers, place)

    def _alone(self, items: list[_Item], whole: str, place: Place) -> bool:
        """What the Banker does where the Player takes no third card."""
        shown = whole.lower()
        if (
            not re.search(r"player\b.{0,40}\b(?:stands?|does not draw|has stood|takes no)\b", shown)
            or "banker" not in shown
        ):
            return False
        after = False
        act = ""
        for item in items:
            if item.numbers:
                if after and act == "draw":
                    self._draw("alone", item.numbers, place)
                elif after and act == "stand":
                    self._stand("alone", item.numbers, place)
                continue
            at = item.words.lower().rfind("banker")
            after = after or at >= 0
            tail = item.words[at:] if at >= 0 else item.words
            if DRAW.search(tail) or STAND.search(tail):
                act = "stand" if STAND.search(tail) and not DRAW.search(STAND.sub("", tail)) else "draw"
        return "alone" in self.draws or "alone" in self.stands

    # --- what was found

    def _natural(self, totals: tuple[int, ...], place: Place) -> None:
        if self.natural is None:
            self.natural = (totals, place)
            self.places.append(place)
        elif {*self.natural[0]} != {*totals} and not {*totals} <= {*self.natural[0]}:
            self._contradicts("table_of_play.natural", self.natural[1], place)

    def _draw(self, who: str, totals: tuple[int, ...], place: Place) -> None:
        if who == "banker":
            for total in totals:
                self._line(total, ALL, place)
        elif who in ("player", "alone"):
            self._add(self.draws, who, totals, place)

    def _stand(self, who: str, totals: tuple[int, ...], place: Place) -> None:
        if who == "banker":
            for total in totals:
                if not (self.natural and total in self.natural[0]):
                    self._line(total, (), place)
        elif who in ("player", "alone"):
            self._add(self.stands, who, totals, place)

    def _add(
        self, kept: dict[str, tuple[set[int], Place]], who: str, totals: tuple[int, ...], place: Place
    ) -> None:
        before = kept.get(who)
        key = "player_draws" if who == "player" else "banker_draws_if_player_stands"
        other = (self.stands if kept is self.draws else self.draws).get(who)
        if before is None:
            kept[who] = ({*totals}, place)
            self.places.append(place)
        elif before[0] != {*totals}:
            self._contradicts(f"table_of_play.{key}", before[1], place)
        if other is not None and other[0] & {*totals}:
            self._contradicts(f"table_of_play.{key}", other[1], place)

    def _line(self, total: int, draws: tuple[int, ...], place: Place) -> None:
        before = self.lines.get(total)
        if before is None:
            self.lines[total] = (tuple(sorted({*draws})), place)
            self.places.append(place)
        elif {*before[0]} != {*draws}:
            self._contradicts(f"table_of_play.banker_draws.{total}", before[1], place)

    def _contradicts(self, key: str, before: Place, place: Place) -> None:
        self.document.doubt(place, f"says something else than {before}", key)


def _side_in(text: str) -> str:
    """The hand that a text names first."""
    found = SIDES.search(text)
    return found[1].lower() if found else ""


def _line_of(lines: list[Line], at: int) -> int:
    """The number of the line in which a place of the joined text stands."""
    passed = 0
    for line in lines:
        passed += len(" ".join(line.text.split())) + 1
        if passed > at:
            return line.number
    return lines[-1].number


def _told(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def _prepared(text: str) -> str:
    """A row without the numbers that are no points."""
    shown = THIRD.sub(" card ", text)
    if not re.search(r"\d", shown):
        shown = with_digits(shown)
    return re.sub(r"[\"']", "", shown)


def _items(text: str) -> Iterator[_Item]:
    """Numbers and the words between them, in turn."""
    at = 0
    for found in LIST.finditer(text):
        words = text[at : found.start()]
        if words.strip(" \t:-.,") or at:
            yield _Item((), words)
        yield _Item(tuple(numbers_in(found[0])), "")
        at = found.end()
    if text[at:].strip(" \t.,"):
        yield _Item((), text[at:])


def _pairs(items: list[_Item]) -> Iterator[list[_Item]]:
    """A row of several columns as totals with what is done, each pair a list of its items."""
    pair: list[_Item] = []
    for item in items:
        conditional = pair and any((WHEN.search(one.words) or EXCEPT.search(one.words)) for one in pair)
        if item.numbers and pair and any(one.words.strip() for one in pair) and not conditional:
            yield pair
            pair = []
        pair.append(item)
    if pair:
        yield pair


def _side_of(items: list[_Item], otherwise: str) -> str:
    """The hand that the words of a row begin with."""
    words = items[0].words.strip().lower() if items else ""
    found = re.match(r"(?:the )?(player|banker)\b", words)
    return found[1] if found else otherwise
