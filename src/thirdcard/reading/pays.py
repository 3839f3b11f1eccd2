"""Pay lines of a document: rows of tables and sentences, with the layouts that they hold for."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Final, NamedTuple

from thirdcard.money import Odds
from thirdcard.reading.bets import WAGER_ENDING, Bets, slug_of, spelled
from thirdcard.reading.conditions import WHICH_HAND, condition_of
from thirdcard.reading.document import LONGEST_ROW, Document, Row, rows_of, term_of
from thirdcard.reading.figures import (
    BROKEN_ODDS,
    PERCENT,
    ReadOdds,
    letters_in,
    odds_in,
    span_of,
    with_digits,
)
from thirdcard.reading.model import BetRead, Mention, PayLine, Place
from thirdcard.reading.paragraphs import Paragraph
from thirdcard.reading.text import Line, joined
from thirdcard.rulebook.forms import Raw

HEADER: Final = re.compile(r"\b(?:pays?|payouts?|odds|paid|pay-?off)\b", re.IGNORECASE)
INSURANCE: Final = re.compile(r"\binsurance\b", re.IGNORECASE)
CARDS_CELL: Final = re.compile(r"^\(?(?:with |in |on )?(\d)[ -]cards?\)?$", re.IGNORECASE)
IN_ALL: Final = re.compile(r"\b(?:total )?number of cards?\b|\bin all\b|\bboth hands\b", re.IGNORECASE)
PAYING: Final = re.compile(
    r"\b(?:pays?|paid|paying|payout|settled|settlement|odds|at|of|winning|wins?|bets?|wagers?|shall|be|is|are|the|a|all|each|and|also|on|will|for|:)\b"
)
LESS_COMMISSION: Final = re.compile(r"\bless\b.{0,30}?(\d{1,2}(?:\.\d{1,2})?)\s?%", re.IGNORECASE)
EXCEPT: Final = re.compile(
    r"\bexcept\b(?: in (?:the|an) event)?(?: that)?\s*(?:when|where|if)?\s+([^()]{3,80}?)\s*\([^()%]{0,80}?(\d{1,3})\s?%",
    re.IGNORECASE,
)
SETTLES: Final = re.compile(r"\b(?:settle(?:ment|d)?|pays?|paid|payouts?|pay tables?|odds)\b", re.IGNORECASE)
PAYS_FOR: Final = re.compile(r"\b(?:pays?|paid)\b", re.IGNORECASE)
AFTER: Final = re.compile(r"^\s*(?:for|on|to)\s+(?:a |any |each )?(?:winning )?", re.IGNORECASE)
SHOWN_FOR: Final = re.compile(r"\b(?:layouts?|appendi\w+|annex\w*)\b", re.IGNORECASE)
ONLY_HAND: Final = re.compile(r"^\W*(?:player|banker)(?:\s+(?:wins?|pays?|bets?|hand))*\W*$", re.IGNORECASE)
LONGEST_TITLE: Final = 70
WINNING: Final = re.compile(r"\bwins?\b|\bwon\b", re.IGNORECASE)
SAYS: Final = re.compile(
    r"\b(?:is|are|shall|will|may|must|pays)\b|\b(?:in|and|or|of|to|the|on|with|for|at)$", re.IGNORECASE
)
SENTENCE_WITHIN: Final = re.compile(r"[.;] [A-Z]")
SAID_OF_ODDS: Final = re.compile(r"\b(?:odds|odds of|at|pays?|paid|payout)\W*$", re.IGNORECASE)
MOST_SECOND: Final = 2  # of odds in a sentence, unless it speaks of payment
MOST_NAME: Final = 6  # words that a title in a drawing has


class _Labelled(NamedTuple):
    """Odds with the words that say what they are paid for."""

    label: str
    middle: tuple[str, ...]
    title: str
    odds: ReadOdds
    line: Line
    row: bool
    after: str  # what stands behind the odds


class Pays:
    """Reads every pay line of a document into its bets."""

    def __init__(self, document: Document, bets: Bets) -> None:
        self.document, self.bets = document, bets
        self.mentions: list[Mention] = []
        self.told: list[tuple[int, BetRead, PayLine]] = []
        for paragraph in document.paragraphs.values():
            self._paragraph(paragraph)
        self._tell()
        for paragraph in document.paragraphs.values():
            self._exceptions(paragraph)

    # --- lines of a paragraph

    def _paragraph(self, paragraph: Paragraph) -> None:
        settles = _settles(self.document, paragraph)
        chapter = bool(SETTLES.search(self.document.structure.headings(paragraph)))
        named: list[BetRead] = []
        for one in self._labelled(paragraph):
            if not settles and one.row:
                continue  # a drawing, or a table of something else
            bets = self._bets_of(one, paragraph)
            place = self.document.place(paragraph, one.line.number)
            if settles and not bets and (one.row or PAYS_FOR.search(one.label)):
                self.document.use(one.line.number, one.odds.text)
                self.document.doubt(
                    place,
                    f"{one.odds.text} is paid for something that no paragraph lists or defines as a bet",
                    "bets",
                )
            for bet in bets:
                self.document.use(one.line.number, one.odds.text)
                weight = 0 if one.row else 1 if settles and chapter else 2 if settles else 3
                self.told.append((weight, bet, self._pay_line(bet, one, place)))
                named += [bet] if weight <= 1 or not _has_rows(self.told, bet) else []
        if settles:
            self._broken(paragraph, named)
            self._layouts(paragraph, named)

    def _tell(self) -> None:
        """Tables say what a bet pays, then sentences about payment, then others; what says it again is only held to that."""
        best: dict[str, int] = {}
        for weight, bet, _ in self.told:
            best[bet.slug] = min(weight, best.get(bet.slug, weight))
        for weight, bet, line in self.told:
            if weight == best[bet.slug]:
                bet.lines.append(line)
            else:
                self.mentions.append(Mention(bet.slug, {}, line.odds, line.place, bet.name))

    def _labelled(self, paragraph: Paragraph) -> Iterator[_Labelled]:
        title, label = "", ""
        prose: list[Line] = []
        for row in rows_of(paragraph.lines):
            texts = [cell for cell in row.cells if cell]
            odds = _row_odds(row)
            if insurance_row(row) is not None:
                title = label = ""
            elif odds is not None:
                yield from self._prose(prose, title)
                prose = []
                own, middle = _label_of(row, odds)
                label = own or label
                yield _Labelled(
                    label, middle, title, odds[1], row.line, row=True, after=" ".join(row.cells[odds[0] :])
                )
            elif len(texts) == 1 and _is_title(texts[0]):
                yield from self._prose(prose, title)
                prose, title, label = [], texts[0], ""
            elif len(texts) > 1 and not list(odds_in(row.line.text)):
                title, label = title if not _is_title(texts[0]) or HEADER.search(texts[-1]) else texts[0], ""
            else:
                prose.append(row.line)
        yield from self._prose(prose, title)

    def _prose(self, lines: list[Line], title: str) -> Iterator[_Labelled]:
        """Odds within sentences, with the part of the sentence that each belongs to."""
        text = joined(lines)
        if not lines or INSURANCE.search(text):
            return
        shown = with_digits(text)
        found = list(odds_in(shown))
        found = [one for one in found if not _is_range(one, shown)]
        before, starts = 0, _starts(lines)
        for number, odds in enumerate(found):
            following = found[number + 1].start if number + 1 < len(found) else len(shown)
            part = re.split(r"(?<=[.;])\s", shown[before : odds.start])[-1]
            after = AFTER.match(shown[odds.end : following])
            if after is not None and not self.bets.in_text(part):
                part = re.split(r"[.;,]|\band\b", shown[odds.end + after.end() : following])[0]
            behind = re.split(r"[.;]\s", shown[odds.end : following])[0]
            yield _Labelled(
                part.strip(" ,"),
                (),
                title,
                odds,
                lines[bisect_right(starts, odds.start) - 1],
                row=False,
                after=behind,
            )
            before = odds.end

    def _bets_of(self, one: _Labelled, paragraph: Paragraph) -> list[BetRead]:
        """The bets that a label is about: by its own words, else by those of its table."""
        offered = self._by_title(one.title, paragraph)
        start = self.bets.at_start(one.label)
        if start is not None:
            bet, rest = start
            on_hand = bet.slug in ("player", "banker") and re.match(
                r"hand\b|wins? (?:over|against|by)", rest, re.IGNORECASE
            )
            if not (on_hand and offered and bet not in offered):
                return [bet]
        named = [bet for bet, _, _ in self.bets.in_text(one.label)]
        others = [bet for bet in named if bet.slug not in ("player", "banker")]
        if others:
            return [max(others, key=lambda bet: len(bet.name))]
        said = condition_of(_phrase(one.label))
        words = [bet for bet in self.bets.by_words(one.label) if bet.slug not in ("player", "banker")]
        if said.left:
            return words or named[:1]  # names something that is no bet of the document
        winner = said.when.get("winner", [])
        fitting = [
            bet
            for bet in offered
            if len(winner) != 1
            or winner[0] in bet.slug.split("-")
            or any(definition.when.get("winner") == winner for definition in bet.definitions)
        ]
        return fitting if fitting and (winner or not words) else words or named[:1]

    def _by_title(self, title: str, paragraph: Paragraph) -> list[BetRead]:
        """The bets that the title of a table is about, or the sentence that leads it in."""
        for text in (title, SHOWN_FOR.split(paragraph.text)[0][:200]):
            named = [bet for bet, _, _ in self.bets.in_text(text)]
            if not named:
                found = re.search(r"\b(?:of|for)\s+((?:[A-Z][\w']*\s+){1,4})(?:Bets?|Wagers?)\b", text)
                named = self.bets.by_words(
                    found[1] if found else WAGER_ENDING.sub("", text) if text == title else ""
                )
            if named:
                return list({bet.slug: bet for bet in named}.values())
        return []

    def _pay_line(self, bet: BetRead, one: _Labelled, place: Place) -> PayLine:
        said, rest, left, case = self._said(bet, one)
        odds, doubt = one.odds.odds, one.odds.doubt
        less = LESS_COMMISSION.search(one.after)
        if less:
            odds = Odds(f"{float(odds.ratio * (1 - Fraction(less[1]) / 100)):g} to 1")
        if left:
            doubt = f"{doubt}; " if doubt else ""
            doubt += f"the words “{' '.join(left)}” were not understood"
        return PayLine(bet.slug, case, said, rest, odds, place, doubt)

    def _said(self, bet: BetRead, one: _Labelled) -> tuple[Raw, bool, tuple[str, ...], str]:
        """What a label says beside the name of its bet."""
        label = re.sub(r"[\"'*]", "", one.label)
        case = next(
            (
                case
                for case in sorted(bet.cases, key=len, reverse=True)
                if with_digits(case) in slug_of(with_digits(label))
            ),
            "",
        )
        start = self.bets.at_start(label)
        phrase = (
            start[1]
            if start is not None and start[0] is bet and bet.slug not in ("player", "banker")
            else label
        )
        prefix = ""
        if case:
            at = re.search(r"[\s-]+".join(map(re.escape, case.split("-"))), label, re.IGNORECASE)
            phrase = label[: at.start()] + label[at.end() :] if at else phrase
        elif start is None or start[0] is not bet:
            at = re.search(spelled(bet.name), label, re.IGNORECASE)
            if at:
                prefix, phrase = label[: at.start()].strip(), label[at.end() :]
        if bet.slug in ("player", "banker") and re.search(r"\bcommission\b", phrase, re.IGNORECASE):
            phrase = re.sub(
                r"[,(]?\s*\b(?:less|with|after|subject to|net of)\b.*$", "", phrase, flags=re.IGNORECASE
            )
        condition = condition_of(_phrase(phrase))
        said = dict(condition.when)
        left = tuple(word for word in condition.left if word != WHICH_HAND or not bet.definitions)
        if bet.slug in ("player", "banker") and "winner" not in said:
            said = {"winner": [bet.slug]} | said
        said, unread, rest = self._middle(one, bet, said)
        tier = case.removesuffix(bet.slug).strip("-") if case else slug_of(prefix)
        known = {"single": "one", "double": "double", "twin": "twin"}
        if prefix and not case:
            prefixed = condition_of(prefix)
            if prefix.lower() in known and "pair" not in said:
                left = (*left, prefix)
            elif prefixed.left:
                left = (*left, *prefixed.left)
            else:
                said |= prefixed.when
        return said, condition.rest or rest, (*left, *unread), tier

    @staticmethod
    def _middle(one: _Labelled, bet: BetRead, said: Raw) -> tuple[Raw, tuple[str, ...], bool]:
        """What the cells between the label and the odds add."""
        unread: tuple[str, ...] = ()
        rest = False
        for cell in one.middle:
            cards = CARDS_CELL.match(with_digits(cell))
            if cards:
                all_cards = int(cards[1]) > 3 or any(part.by_cards for part in bet.definitions)  # noqa: PLR2004
                said = said | {"cards_in_all" if all_cards else "cards": int(cards[1])}
            else:
                more = condition_of(cell)
                said, unread, rest = said | more.when, (*unread, *more.left), rest or more.rest
        return said, unread, rest

    # --- what is doubtful

    def _broken(self, paragraph: Paragraph, named: list[BetRead]) -> None:
        """Lines of a pay table whose odds cannot be read."""
        for row in rows_of(paragraph.lines):
            text = row.line.text
            last = row.cells[-1]
            if list(odds_in(text)) or list(odds_in(with_digits(text))) or text.rstrip().endswith(SENTENCE):
                continue
            if (
                len(text) <= LONGEST_ROW
                and BROKEN_ODDS.search(last)
                and (self.bets.at_start(row.cells[0]) or named)
            ):
                self.document.doubt(
                    self.document.place(paragraph, row.line.number),
                    "the odds cannot be read: expected a form such as 35 to 1",
                    "bets",
                )

    def _layouts(self, paragraph: Paragraph, named: list[BetRead]) -> None:
        letters = letters_in(paragraph.text)
        above = self.document.paragraphs.get(_above(paragraph.number))
        if not letters and above is not None and _settles(self.document, above):
            letters, paragraph = letters_in(above.text), above  # it holds for what stands below it
        if not letters or not named:
            return
        place = next(
            (
                self.document.place(paragraph, line.number)
                for line in paragraph.lines
                if SHOWN_FOR.search(line.text)
            ),
            self.document.place(paragraph),
        )
        for bet in {bet.slug: bet for bet in named}.values():
            if bet.layouts is None:
                bet.layouts, bet.layouts_at = letters, place
            elif bet.layouts != letters:
                told = (
                    f"{bet.name} is for layouts {', '.join(bet.layouts)} by {bet.layouts_at}, here for others"
                )
                self.document.doubt(place, told, f"bets.{bet.slug}.layouts")

    def _exceptions(self, paragraph: Paragraph) -> None:
        """`… except when the Banker wins on 6 points (only 50% … paid)`, in a definition."""
        found = EXCEPT.search(with_digits(paragraph.text))
        if found is None:
            return
        said = condition_of(found[1]).when
        bet = next((bet for bet, _, _ in self.bets.in_text(found[1])), None)
        if bet is not None and said:
            share = Fraction(int(found[2]), 100)
            odds = Odds(f"{share.numerator} to {share.denominator}")
            self.mentions.append(Mention(bet.slug, said, odds, self.document.place(paragraph), found[0]))


SENTENCE: Final = (".", ":", ";")


def _phrase(label: str) -> str:
    """A label without the words that say that it is paid."""
    return label if WINNING.search(label) else PAYING.sub(" ", label)


def _above(number: str) -> str:
    """The number of the paragraph that another is a part of."""
    return number.partition("(")[0] if "(" in number else number.rpartition(".")[0]


def _has_rows(told: list[tuple[int, BetRead, PayLine]], bet: BetRead) -> bool:
    """Whether a table has said already what a bet pays."""
    return any(weight == 0 and other is bet for weight, other, _ in told)


def insurance_row(row: Row) -> tuple[list[str], bool, ReadOdds] | None:
    """The points of a row of an insurance table, whether it is marked, and its odds."""
    text = row.line.text.strip(" |")
    found = list(odds_in(with_digits(text)))
    if len(found) != 1:
        return None
    given = [cell for cell in row.cells if cell and not list(odds_in(cell))]
    if len(row.cells) == 1:
        given = text[: found[0].start].split()
    spans = [span for cell in given if (span := span_of(cell)) is not None]
    if len(spans) < 2:  # noqa: PLR2004 - the Player's and the Banker's
        return None
    return [span for span, _ in spans], any(marked for _, marked in spans), found[0]


def _settles(document: Document, paragraph: Paragraph) -> bool:
    """Whether its odds are what bets are paid, rather than told in passing."""
    if term_of(paragraph.text) is not None:
        return False
    return bool(SETTLES.search(f"{document.structure.headings(paragraph)} / {paragraph.text[:300]}"))


def _is_title(text: str) -> bool:
    """Whether a line by itself is what a table is called."""
    if len(text) > LONGEST_TITLE or not text[:1].isupper() or text.rstrip().endswith((".", ";", ",")):
        return False
    return not SAYS.search(text) and not any(True for _ in odds_in(with_digits(text)))


def _row_odds(row: Row) -> tuple[int, ReadOdds] | None:
    """The cell of a row that has its odds, and these; nothing where a line is no row."""
    cells = row.cells
    filled = [cell for cell in cells if cell]
    if len(filled) > 1:
        for number, cell in reversed(list(enumerate(cells))):
            spelled = with_digits(cell)
            for odds in odds_in(spelled):
                if not re.sub(
                    r"\b(?:pays?|less|\d+(?:\.\d+)?\s?%|commission|odds of|at)\b|\W",
                    "",
                    spelled[: odds.start] + spelled[odds.end :],
                ).strip("0123456789"):
                    return number, odds
        return None
    text = with_digits(row.line.text.strip().rstrip(" .;|"))
    found = list(odds_in(text))
    if len(found) != 1 or len(text) > LONGEST_ROW or not text[:1].isalnum() or text[:1].islower():
        return None
    if SENTENCE_WITHIN.search(text):
        return None
    ends = not text[found[0].end :].strip(" .;)") or LESS_COMMISSION.search(text[found[0].end :])
    return (0, found[0]) if ends and found[0].start else None


def _label_of(row: Row, odds: tuple[int, ReadOdds]) -> tuple[str, tuple[str, ...]]:
    """The first cell of a row, and those between it and the odds."""
    number, read = odds
    if len([cell for cell in row.cells if cell]) == 1:
        text = with_digits(row.line.text.strip())
        label = text[: read.start].strip(" .-:(|·…_*")
        return re.sub(
            r"[\s,]*\b(?:pays?|is paid(?: at)?|paid|shall be paid(?: at)?|at(?: odds of)?|odds of)\s*$",
            "",
            label,
            flags=re.IGNORECASE,
        ), ()
    others = [cell for at, cell in enumerate(row.cells) if at != number]
    if not others[0]:
        return "", tuple(cell for cell in others if cell)
    return others[0], tuple(cell for cell in others[1:] if cell)


def _starts(lines: list[Line]) -> list[int]:
    """Where each line begins in the joined text, number words made figures."""
    lengths = (len(with_digits(" ".join(line.text.split()))) + 1 for line in lines)
    return [0, *accumulate(lengths)][: len(lines)]


def drawn(document: Document, bets: Bets) -> Iterator[tuple[BetRead | None, ReadOdds, Line]]:
    """Odds in drawings and other lines that no table has, each with the bet whose name is nearest before it."""
    for lines in _passages(document):
        named: BetRead | None = None
        for line in lines:
            text = with_digits(line.text)
            found = list(odds_in(text))
            names = bets.in_text(text)
            if not found:
                titled = names or [
                    (bet, 0, 0) for bet in bets.by_words(line.text) if len(line.text.split()) <= MOST_NAME
                ]
                if titled:
                    only = ONLY_HAND.match(line.text)
                    told = [bet for bet, _, _ in titled if only or bet.slug not in ("player", "banker")]
                    named = max(told, key=lambda bet: len(bet.name), default=named)
            for odds in found:
                if (line.number, odds.text) in document.used or _is_range(odds, text):
                    continue
                yield (_nearest(bets, text[: odds.start], names, odds.start) or named), odds, line


def _is_range(odds: ReadOdds, text: str) -> bool:
    """Whether numbers in a sentence are points from one to another, and no odds."""
    first, second = odds.text.split(" to ")
    before = text[max(0, odds.start - 20) : odds.start]
    return int(second) > MOST_SECOND and float(first) < int(second) and not SAID_OF_ODDS.search(before)


def _nearest(bets: Bets, label: str, names: list[tuple[BetRead, int, int]], at: int) -> BetRead | None:
    """The bet that the words before some odds name, on the same line."""
    start = bets.at_start(label)
    before = [bet for bet, begins, _ in names if begins < at]
    sides = [bet for bet in before if bet.slug not in ("player", "banker")]
    if start is not None and start[0].slug not in ("player", "banker"):
        return start[0]
    if sides:
        return sides[-1]
    return before[-1] if before and ONLY_HAND.match(label) else None


def _passages(document: Document) -> Iterator[list[Line]]:
    yield from (appendix.lines for appendix in document.structure.appendices)
    yield from (paragraph.lines for paragraph in document.paragraphs.values())


def percentages(text: str) -> Iterator[tuple[str, int]]:
    """The percentages of a text, and where each stands."""
    for found in PERCENT.finditer(text):
        yield found[1], found.start()
