"""Insurance tables: rows by hand, window and points, the rows that pay a tie, and caps by the Original Bet."""

import re
from typing import Final, NamedTuple

from thirdcard.money import Odds
from thirdcard.reading.document import Document, Row, rows_of, term_of
from thirdcard.reading.figures import PERCENT, odds_in, share_of, with_digits
from thirdcard.reading.model import OfferRead, Place, Read
from thirdcard.reading.paragraphs import Paragraph
from thirdcard.reading.pays import insurance_row
from thirdcard.reading.text import Line

WINDOWS: Final = (
    (
        2,
        re.compile(
            r"\b(?:3rd|third|5th|fifth|5) ?cards?\b|\b(?:window|stage)\s*(?:2|ii|two)\b|\bsecond\b",
            re.IGNORECASE,
        ),
    ),
    (
        1,
        re.compile(
            r"\b(?:4|four|initial|first 4)(?: initial)? cards?\b|\b(?:window|stage)\s*(?:1|i|one)\b|\binitial deal\b",
            re.IGNORECASE,
        ),
    ),
)
HAND: Final = re.compile(
    r"\b(player|banker)(?:'s)?(?: hand)? insurance\b|\binsurance (?:on|for|of) (?:the )?(player|banker)\b",
    re.IGNORECASE,
)
LOSES: Final = re.compile(r"\b(player|banker)(?:'s)?(?: hand)? loses\b", re.IGNORECASE)
POINTS: Final = re.compile(
    r"\b(player|banker)(?:'s)?\s*(?:hand\s*)?(?:points?|totals?|point totals?|has|cards?|is)\b", re.IGNORECASE
)
BARE_HAND: Final = re.compile(r"^\W*(player|banker)\W*$", re.IGNORECASE)
TITLE: Final = re.compile(
    r"\b(?:baccarat\s+)?(insurance(?:\s+[A-Z][\w]*)?)\s+(?:pay|payout|odds)\s+table", re.IGNORECASE
)
EXCEPTION: Final = re.compile(
    r"\b(?:exception|except|notwithstanding|shall be paid|in which)\b", re.IGNORECASE
)
RETURNED: Final = re.compile(r"\breturned\b", re.IGNORECASE)
TIE: Final = re.compile(r"\btie[sd]?\b|\balso draws?\b|\bsame\b|\bsubsequently\b", re.IGNORECASE)
CAP: Final = re.compile(r"\b(?:shall|may|must|can) not exceed\b|\bnot more than\b|\bup to\b", re.IGNORECASE)
PAYOUT: Final = re.compile(r"\b(?:total )?(?:payouts?|winnings|amount paid)\b", re.IGNORECASE)
SHARE: Final = re.compile(
    r"(?:(\d{1,3}(?:\.\d+)?)\s?%|\b(half|one half|twice|double|three times)\b)\s*(?:of\s+)?(?:the\s+)?(?=original|maximum)",
    re.IGNORECASE,
)
TIMES: Final = {"half": "1/2", "one half": "1/2", "twice": "2", "double": "2", "three times": "3"}
NEGLECTED: Final = re.compile(
    r"\bneglect(?:s|ed)?\b|\bforg[eo]ts?\b|\bomit(?:s|ted)?\b|\bfail(?:s|ed)? to offer\b|\bnot offered\b|\bbrought to\b|\bbefore any outcome\b",
    re.IGNORECASE,
)
ORIGINAL: Final = re.compile(r"\boriginal (?:bets?|wagers?)\b", re.IGNORECASE)
POINTS_OF: Final = re.compile(
    r"\b(?:of|at|having|has|with)\s+(\d)\s+points?\b|\b(\d)\s+points?\b", re.IGNORECASE
)


class LongOdds(NamedTuple):
    """Odds at which stakes are capped by the displayed maximum, and the share of it."""

    odds: Odds
    share: str
    place: Place


class Insurance:
    """All that a document says of insurance that has figures."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.offers: list[OfferRead] = []
        self.drawn: list[OfferRead] = []
        self.name: Read | None = None
        self.caps: dict[str, Read] = {}
        self.long_odds: LongOdds | None = None
        for paragraph in document.paragraphs.values():
            self._table(paragraph, paragraph.lines, self.offers)
        for appendix in document.structure.appendices:
            self._table(None, appendix.lines, self.drawn)
        if self.offers:
            self._name()
            for paragraph in document.paragraphs.values():
                self._caps(paragraph)
            self._ties()

    # --- rows

    def _table(self, paragraph: Paragraph | None, lines: list[Line], into: list[OfferRead]) -> None:
        hand, window, order = "", 0, ["player", "banker"]
        for row in rows_of(lines):
            text = row.line.text
            place = Place(paragraph.number if paragraph else "", row.line.number)
            read = insurance_row(row)
            if read is None:
                hand, window, order = self._header(row, hand, window, order, place)
                continue
            spans, marked, odds = read
            own_hand, own_window = _in_cells(row)
            self.document.use(row.line.number, odds.text)
            if not (own_hand or hand) or not (own_window or window) or len(spans) != 2:  # noqa: PLR2004
                self.document.doubt(
                    place,
                    "an insurance row: which hand, window or points it is for is not clear",
                    "insurance.offers",
                    text,
                )
                continue
            points = dict(zip(order, spans, strict=True))
            into.append(
                OfferRead(
                    hand=own_hand or hand,
                    window=own_window or window,
                    player=points["player"],
                    banker=points["banker"],
                    odds=odds.odds,
                    place=place,
                    marked=marked,
                )
            )

    def _header(
        self, row: Row, hand: str, window: int, order: list[str], place: Place
    ) -> tuple[str, int, list[str]]:
        """What a line between rows says of the rows below it."""
        text = row.line.text
        if text.lstrip().startswith("*") or len(text) > 200:  # noqa: PLR2004 - a note below the table
            return hand, window, order
        found = HAND.search(text) or LOSES.search(text)
        if found is not None:
            hand = next(group for group in found.groups() if group).lower()
        for number, pattern in WINDOWS:
            if pattern.search(text):
                window = number
                break
        columns = [one[1].lower() for one in POINTS.finditer(re.sub(r"\([^()]*\)", "", text))]
        columns = columns or [one[1].lower() for cell in row.cells if (one := BARE_HAND.match(cell))]
        if len(columns) == 2 and len(set(columns)) == 2:  # noqa: PLR2004 - two hands
            order = columns
        broken = [cell for cell in row.cells if cell]
        if hand and len(broken) == 3 and broken[0][:1].isdigit() and broken[1][:1].isdigit():  # noqa: PLR2004
            self.document.doubt(
                place, "an insurance row whose points or odds cannot be read", "insurance.offers"
            )
        return hand, window, order

    def _name(self) -> None:
        at = self.offers[0].place
        for line in self.document.paragraphs[at.paragraph].lines:
            found = TITLE.search(line.text)
            if found is not None:
                name = " ".join(found[1].split()).title()
                name = "Insurance" if name.lower().endswith((" pay", " payout", " odds")) else name
                self.name = Read(value=name, place=Place(at.paragraph, line.number))
                return

    # --- ties and caps

    def _ties(self) -> None:
        """Rows with a mark are paid on a tie where a paragraph says so."""
        for offer in self.offers:
            if not offer.marked:
                continue
            for paragraph in self.document.paragraphs.values():
                text = paragraph.text
                if (
                    paragraph.number == offer.place.paragraph
                    or "insurance" not in text.lower()
                    or term_of(text)
                ):
                    continue
                says = re.search(rf"\b{offer.hand} insurance\b", text, re.IGNORECASE) and TIE.search(text)
                points = {one[1] or one[2] for one in POINTS_OF.finditer(text)}
                if says and offer.player in points and "paid" in text.lower():
                    offer.tie_paid.append(self.document.place(paragraph))
            if not offer.tie_paid:
                why = "the row is marked, but no paragraph says in so many words that it is paid on a tie"
                self.document.doubt(offer.place, why, "insurance.offers")

    def _caps(self, paragraph: Paragraph) -> None:
        text = with_digits(paragraph.text)
        if "insurance" not in text.lower() or not CAP.search(text):
            return
        place = self.document.place(paragraph)
        for sentence in re.split(r"(?<=[.;])\s+(?=[A-Z])", text):
            if not CAP.search(sentence) or not (ORIGINAL.search(sentence) or "maximum" in sentence.lower()):
                continue
            odds = next(odds_in(sentence), None)
            share = SHARE.search(sentence)
            of_maximum = share is not None and sentence[share.end() :].lower().startswith("maximum")
            if odds is not None and of_maximum and share is not None and share[1]:
                self.long_odds = LongOdds(odds.odds, share_of(share[1]), place)
            elif ORIGINAL.search(sentence):
                self._cap(paragraph, sentence, share if not of_maximum else None, place)
        for line in paragraph.lines:
            for one in odds_in(line.text):
                if self.long_odds is not None and one.odds == self.long_odds.odds:
                    self.document.use(line.number, one.text)

    def _cap(self, paragraph: Paragraph, sentence: str, share: re.Match[str] | None, place: Place) -> None:
        value = "1"
        if share is not None:
            value = share_of(share[1]) if share[1] else TIMES[share[2].lower()]
        elif PERCENT.search(CAP.split(sentence)[-1]):
            self.document.doubt(place, "a cap on insurance whose share is not clear", "insurance")
            return
        context = " ".join(
            self.document.paragraphs[name].text
            for name in (paragraph.number.rpartition(".")[0], paragraph.number)
            if name in self.document.paragraphs
        )
        if NEGLECTED.search(context):
            name = "late_winnings"
        elif PAYOUT.search(CAP.split(sentence)[0]) and not re.search(
            r"\btotal bet\b", sentence, re.IGNORECASE
        ):
            name = "winnings_per_round"
        else:
            name = "stake_per_window"
        self.caps.setdefault(name, Read(value=value, place=place))


def _in_cells(row: Row) -> tuple[str, int]:
    """The hand and the window that a row names itself."""
    hand, window = "", 0
    for cell in row.cells:
        bare = BARE_HAND.match(cell) or HAND.search(cell)
        if bare is not None:
            hand = next(group for group in bare.groups() if group).lower()
        for number, pattern in WINDOWS:
            if pattern.search(cell):
                window = number
                break
    return hand, window
