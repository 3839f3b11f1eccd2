"""From a document's text to what it says: values as a book has them, each with paragraph and line, and doubts."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.reading.bets import Bets, definition_of
from thirdcard.reading.conditions import both
from thirdcard.reading.document import Document
from thirdcard.reading.figures import ODDS
from thirdcard.reading.insurance import Insurance
from thirdcard.reading.model import (
    BetRead,
    Definition,
    Doubt,
    Kind,
    LayoutRead,
    OfferRead,
    PayLine,
    Place,
    Read,
    Statement,
)
from thirdcard.reading.paragraphs import Paragraph
from thirdcard.reading.pays import Pays, drawn
from thirdcard.reading.tableau import Tableau
from thirdcard.reading.terms import Terms
from thirdcard.rulebook.forms import Raw

LONGEST_TEXT: Final = 500_000  # characters
LONGEST_LINE: Final = 10_000
MOST_ODDS: Final = 3_000
MOST_PARAGRAPHS: Final = 2_000
FEWEST_PARAGRAPHS: Final = 5
CITES: Final = re.compile(
    r"\b(?:paragraphs?|rules?|clauses?|sections?|paras?\.?)\s+(\d{1,3}(?:\.\d{1,3}){1,5}(?:(?:\s?,\s?|\s(?:and|or|to)\s)\d{1,3}(?:\.\d{1,3}){1,5})*)",
    re.IGNORECASE,
)
NUMBER: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,5}")
INSURANCE_TABLE: Final = re.compile(
    r"\binsurance\b[^.]{0,30}\b(?:pay|odds) table\b[^.]{0,30}$", re.IGNORECASE
)
PLAY_TABLE: Final = re.compile(r"\btable of play\b[^.]{0,30}$", re.IGNORECASE)
IRREGULAR: Final = re.compile(r"\birregular", re.IGNORECASE)
COMMISSION: Final = re.compile(r"\bcommission\b", re.IGNORECASE)
CASES: Final = {"single": "one", "double": "double", "twin": "twin"}
KINDS: Final[dict[str, Kind]] = {"document": "document", "decks": "decks"}
COUNTS: Final = {2: "two-cards", 3: "three-cards"}


class TierRead(msgspec.Struct, kw_only=True):
    """A pay line with its whole condition; none where the document does not say it."""

    name: str
    when: Raw | None
    line: PayLine


class Reading(msgspec.Struct, kw_only=True):
    """What a document says, as far as it was understood.

    `read` has every value with its paragraph and line, `not_understood` the lines that a person has to look
    at. The other fields are for those who make a draft of it, or hold a book to it.
    """

    lines: int
    pages: int
    read: list[Statement]
    not_understood: list[Doubt]
    paragraphs: tuple[str, ...]
    values: dict[str, Read]
    calls: dict[str, list[str]]
    layouts: dict[str, LayoutRead]
    layouts_at: list[Place]
    bets: dict[str, BetRead]
    tiers: dict[str, list[TierRead]]
    table_of_play: Raw
    table_places: dict[str, Place]
    offers: list[OfferRead]
    caps: dict[str, Read]
    long_odds: tuple[str, str, Place] | None
    insurance_name: Read | None
    irregularities: list[str]
    texts: dict[str, tuple[int, str]]  # of each paragraph the line and its text with those below it
    headings: frozenset[str]
    terms: dict[str, tuple[str, ...]]  # the terms that a paragraph defines


def read_text(text: str) -> Reading:
    """What a rules document in text says; BadInput where it is none.

    >>> reading = read_text('''
    ... 1. Definitions
    ... 1.1 "Lucky Nine" means a wager which shall win if the "Player" wins with a point total of nine with two cards.
    ... 2. Mode of Play
    ... 2.1 The game is played with six to eight decks of cards.
    ... 3. How to Play
    ... 3.1 The available wagers are "Player", "Banker" and "Lucky Nine".
    ... 4. Settlement
    ... 4.1 "Player" pays 1 to 1 and "Banker" pays 0.95 to 1.
    ... 4.2 Settlement of "Lucky Nine" wagers: a winning wager is paid at odds of nine to one.''')
    >>> [(tier.when, str(tier.line.odds), tier.line.place.line) for tier in reading.tiers["lucky-nine"]]
    [({'winner': ['player'], 'total': [9], 'cards': 2}, '9 to 1', 10)]
    """
    _check(text)
    document = Document(text)
    if len(document.paragraphs) < FEWEST_PARAGRAPHS:
        count = len(document.paragraphs)
        told = "no paragraph numbers were" if not count else f"only {count} numbered paragraphs were"
        raise BadInput(
            f"this is no rules document: {told} found in {len(document.lines):,} lines; expected numbers such as 4.1.5"
        )
    if len(document.paragraphs) > MOST_PARAGRAPHS:
        raise BadInput(
            f"the document has {len(document.paragraphs):,} numbered paragraphs: at most {MOST_PARAGRAPHS:,} are read"
        )
    reading = _Reader(document).reading()
    if not reading.offers and not reading.table_of_play and not any(reading.tiers.values()):
        raise BadInput(
            f"this is no rules document of baccarat: none of its {len(reading.paragraphs)} numbered paragraphs has a pay table, "
            "an insurance table or a Table of Play"
        )
    return reading


def _check(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"the document has {len(text):,} characters: at most {LONGEST_TEXT:,} are read")
    count = sum(1 for _ in ODDS.finditer(text))
    if count > MOST_ODDS:
        raise BadInput(f"the document has {count:,} odds: at most {MOST_ODDS:,} are read")
    if "\x00" in text:
        raise BadInput("this is no text: it has characters that no text has; expected a text file or a PDF")
    longest = max((len(line) for line in text.split("\n")), default=0)
    if longest > LONGEST_LINE:
        raise BadInput(
            f"a line of the document has {longest:,} characters: at most {LONGEST_LINE:,} are read"
        )


class _Reader:
    """Has every part of a document read, and puts the parts together."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.bets = Bets(document)
        self.pays = Pays(document, self.bets)
        self.insurance = Insurance(document)
        self.tableau = Tableau(document)
        self.terms = Terms(document)

    def reading(self) -> Reading:
        document, insurance = self.document, self.insurance
        tiers = {slug: self._tiers(bet) for slug, bet in self.bets.by_slug.items()}
        self._commission(tiers)
        self._check_mentions(tiers)
        self._check_layouts()
        self._check_citations()
        self._check_play()
        self._check_offers()
        irregular = list(self._irregularities())
        for number, paragraph in document.paragraphs.items():
            if not paragraph.lettered:
                document.state("paragraphs", number, "", Place(number, paragraph.line))
        self._state(tiers, irregular)
        doubts = sorted(document.doubts, key=lambda doubt: (doubt.line, doubt.key))
        return Reading(
            lines=document.lines[-1].number if document.lines else 0,
            pages=document.lines[-1].page if document.lines else 0,
            read=document.statements,
            not_understood=doubts,
            paragraphs=tuple(number for number, one in document.paragraphs.items() if not one.lettered),
            values=self.terms.values,
            calls=self.terms.calls,
            layouts=self.terms.layouts,
            layouts_at=self.terms.layouts_at,
            bets=self.bets.by_slug,
            tiers=tiers,
            table_of_play=self.tableau.values() or {},
            table_places=self._table_places(),
            offers=insurance.offers,
            caps=insurance.caps,
            long_odds=insurance.long_odds
            and (str(insurance.long_odds.odds), insurance.long_odds.share, insurance.long_odds.place),
            insurance_name=insurance.name,
            irregularities=irregular,
            texts={
                number: (one.line, document.text_of(number)) for number, one in document.paragraphs.items()
            },
            headings=frozenset(
                number for number, one in document.paragraphs.items() if document.structure.is_heading(one)
            ),
            terms=self._terms(),
        )

    def _terms(self) -> dict[str, tuple[str, ...]]:
        terms: dict[str, tuple[str, ...]] = {}
        for term in self.document.terms():
            terms[term.place.paragraph] = (*terms.get(term.place.paragraph, ()), *term.names)
        return terms

    # --- pay lines

    def _tiers(self, bet: BetRead) -> list[TierRead]:
        when, wrong = definition_of(bet)
        for definition in bet.definitions:
            if definition.left:
                why = f"what {bet.name} wins on is not clear: the words “{' '.join(definition.left)}” were not understood"
                self.document.doubt(definition.place, why, f"bets.{bet.slug}")
        for definition in wrong:
            why = f"says something else of {bet.name} than {bet.definitions[0].place}"
            self.document.doubt(definition.place, why, f"bets.{bet.slug}")
        if not bet.lines and (bet.listed or bet.definitions):
            place = bet.listed or bet.definitions[0].place
            self.document.doubt(place, f"no pay line of {bet.name} was found", f"bets.{bet.slug}.pays")
        half = next((definition for definition in bet.definitions if definition.left), None)
        if when is None and half is not None:
            when = half.when or None
        tiers = [TierRead(name="", when=self._whole(bet, line, when), line=line) for line in bet.lines]
        _share_pairs(tiers)
        _share_totals(tiers)
        return self._named(bet, self._single(bet, tiers))

    def _whole(self, bet: BetRead, line: PayLine, when: Raw | None) -> Raw | None:
        """What a pay line holds for: what it says and what the definition says, both."""
        if line.doubt:
            self.document.doubt(line.place, f"{bet.name}: {line.doubt}", f"bets.{bet.slug}.pays")
        case = self._case(bet, line)
        if case is not None:
            if case.left:
                why = f"the words “{' '.join(case.left)}” were not understood"
                self.document.doubt(case.place, why, f"bets.{bet.slug}.pays")
            when = _and(when, case.when)
        if when is None and not line.said:
            self.document.doubt(
                line.place, f"no paragraph says what {bet.name} wins on", f"bets.{bet.slug}.pays"
            )
            return None
        made = line.said if when is None else both(when, line.said)
        if made is None:
            at = bet.definitions[0].place if bet.definitions else line.place
            why = f"the pay line of {bet.name} and its definition ({at}) cannot both be right"
            self.document.doubt(line.place, why, f"bets.{bet.slug}.pays")
            return line.said
        for name in ("total", "margin"):
            if (
                when
                and name in when
                and name in line.said
                and line.said[name] != when[name]
                and len(bet.lines) == 1
            ):
                why = f"the pay line of {bet.name} says less than its definition"
                self.document.doubt(line.place, why, f"bets.{bet.slug}.pays")
        return made

    @staticmethod
    def _case(bet: BetRead, line: PayLine) -> Definition | None:
        return next(
            (one for name, one in bet.cases.items() if line.case and name.startswith(line.case)), None
        )

    def _single(self, bet: BetRead, tiers: list[TierRead]) -> list[TierRead]:
        """Each condition once; another odds for the same condition is a doubt."""
        kept: list[TierRead] = []
        for tier in tiers:
            same = next((one for one in kept if one.when == tier.when), None)
            if same is None:
                kept.append(tier)
            elif same.line.odds != tier.line.odds:
                why = f"{bet.name} pays {tier.line.odds} here, and {same.line.odds} by {same.line.place}"
                self.document.doubt(tier.line.place, why, f"bets.{bet.slug}.pays")
        return kept

    @staticmethod
    def _named(bet: BetRead, tiers: list[TierRead]) -> list[TierRead]:
        for tier in tiers:
            tier.name = "win" if len(tiers) == 1 else _tier_name(tier, bet)
        names = [tier.name for tier in tiers]
        for number, tier in enumerate(tiers):
            if names.count(tier.name) > 1:
                tier.name = f"{tier.name}-{number + 1}"
        return tiers

    def _commission(self, tiers: dict[str, list[TierRead]]) -> None:
        """A rate that no percentage states: what Banker pays less than 1 to 1."""
        banker = tiers.get("banker", [])
        if "commission.rate" in self.terms.values or len(banker) != 1 or banker[0].line.odds.ratio >= 1:
            return
        for paragraph in self.document.paragraphs.values():
            if COMMISSION.search(paragraph.text[:80]):
                rate = str(Fraction(1) - banker[0].line.odds.ratio)
                self.terms.values["commission.rate"] = Read(value=rate, place=self.document.place(paragraph))
                return

    # --- what stands in several places

    def _check_mentions(self, tiers: dict[str, list[TierRead]]) -> None:
        """Odds in drawings and definitions are those of the pay tables."""
        for mention in self.pays.mentions:
            lines = [tier for tier in tiers[mention.bet] if tier.line.odds == mention.odds]
            if not lines or (mention.said and not any(tier.when == mention.said for tier in lines)):
                self._other_odds(
                    tiers[mention.bet], self.bets.by_slug[mention.bet], str(mention.odds), mention.place
                )
        for bet, odds, line in drawn(self.document, self.bets):
            place = Place("", line.number)
            if bet is None or (bet.slug in ("player", "banker") and not _pays(tiers[bet.slug], odds.text)):
                self.document.doubt(place, f"{odds.text}: it is not clear what this is paid for", "bets")
            elif not _pays(tiers[bet.slug], odds.text):
                self._other_odds(tiers[bet.slug], bet, odds.text, place)
        offers = {(o.hand, o.window, o.player, o.banker): o for o in self.insurance.offers}
        for row in self.insurance.drawn:
            same = offers.get((row.hand, row.window, row.player, row.banker))
            if same is None or same.odds != row.odds:
                at = (
                    f"where {same.place} says {same.odds}"
                    if same
                    else "which the insurance table does not have"
                )
                why = f"a drawing has {row.odds} for {row.hand} insurance at Player {row.player}, Banker {row.banker}, {at}"
                self.document.doubt(row.place, why, "insurance.offers")

    def _other_odds(self, tiers: list[TierRead], bet: BetRead, odds: str, place: Place) -> None:
        said = " and ".join(f"{tier.line.odds} ({tier.line.place})" for tier in tiers) or "nothing"
        self.document.doubt(
            place, f"shows {odds} for {bet.name}, where the pay table has {said}", f"bets.{bet.slug}.pays"
        )

    def _check_layouts(self) -> None:
        for letter, layout in self.terms.layouts.items():
            if layout.positions is None:
                why = f"how many positions layout {letter} has is not said in words"
                self.document.doubt(layout.at, why, f"layouts.{letter}.positions")
        for bet in self.bets.by_slug.values():
            unknown = [letter for letter in bet.layouts or () if letter not in self.terms.layouts]
            if unknown and bet.layouts_at:
                why = f"{bet.name} is for layout {', '.join(unknown)}, which the document does not have"
                self.document.doubt(bet.layouts_at, why, f"bets.{bet.slug}.layouts")

    def _check_citations(self) -> None:
        """Paragraphs that others cite are there, and have the table that is cited."""
        known = {number.partition("(")[0] for number in self.document.paragraphs} | set(
            self.document.structure.chapters
        )
        insured = {offer.place.paragraph for offer in self.insurance.offers}
        played = {place.paragraph for place in self.tableau.places}
        for paragraph in self.document.paragraphs.values():
            text = paragraph.text
            for cites in CITES.finditer(text):
                before = text[max(0, cites.start() - 80) : cites.start()]
                for number in NUMBER.findall(cites[1]):
                    if number not in known:
                        why = f"cites {number}, which the document does not have"
                        self.document.doubt(self.document.place(paragraph), why, "paragraphs")
                    elif INSURANCE_TABLE.search(before) and insured and number not in insured:
                        self._cites_other(paragraph, number, "the insurance table", insured)
                    elif PLAY_TABLE.search(before) and played and number not in played:
                        self._cites_other(paragraph, number, "the Table of Play", played)

    def _cites_other(self, paragraph: Paragraph, number: str, what: str, there: set[str]) -> None:
        why = f"cites {number} for {what}, which stands in {' and '.join(sorted(there))}"
        self.document.doubt(self.document.place(paragraph), why, "paragraphs")

    def _check_play(self) -> None:
        values = self.tableau.values()
        if values is None:
            return
        for key in self.tableau.missing():
            self.document.doubt(
                self.tableau.places[0], f"nothing was understood of {_spoken(key)}", f"table_of_play.{key}"
            )
        natural, player = set(values.get("natural", ())), set(values.get("player_draws", ()))
        stands = self.tableau.stands.get("player")
        if stands and natural and player | stands[0] | natural != set(range(10)):
            why = "the totals on which Player draws, stands or has a natural are not 0 to 9, each once"
            self.document.doubt(stands[1], why, "table_of_play.player_draws")

    def _check_offers(self) -> None:
        """Two rows do not speak of one moment, and the rows of a table go upwards."""
        seen: dict[tuple[str, int, int, int], OfferRead] = {}
        for offer in self.insurance.offers:
            for player in _points(offer.player):
                for banker in _points(offer.banker):
                    before = seen.setdefault((offer.hand, offer.window, player, banker), offer)
                    if before is not offer:
                        why = f"this insurance row speaks of Player {player}, Banker {banker} as {before.place} does"
                        self.document.doubt(offer.place, why, "insurance.offers")

    # --- what is listed

    def _irregularities(self) -> Iterator[str]:
        """The paragraphs right below a heading of irregularities."""
        for number, paragraph in self.document.paragraphs.items():
            above = self.document.structure.headings(paragraph)
            if IRREGULAR.search(above) and not paragraph.lettered:
                parts = number.split(".")
                heading = next(
                    (
                        ".".join(parts[:depth])
                        for depth in range(1, len(parts))
                        if IRREGULAR.search(self._title(".".join(parts[:depth])))
                    ),
                    "",
                )
                if heading and number.count(".") == heading.count(".") + 1:
                    yield number

    def _title(self, number: str) -> str:
        structure = self.document.structure
        if number in structure.chapters:
            return structure.chapters[number]
        return structure.paragraphs[number].text[:80] if number in structure.paragraphs else ""

    def _table_places(self) -> dict[str, Place]:
        tableau = self.tableau
        places: dict[str, Place] = {
            f"banker_draws.{total}": place for total, (_, place) in tableau.lines.items()
        }
        if tableau.natural:
            places["natural"] = tableau.natural[1]
        for who, key in (("player", "player_draws"), ("alone", "banker_draws_if_player_stands")):
            found = tableau.draws.get(who) or tableau.stands.get(who)
            if found:
                places[key] = found[1]
        return places

    def _state(self, tiers: dict[str, list[TierRead]], irregular: list[str]) -> None:
        """Lists every value with its place."""
        state = self.document.state
        for key, read in self.terms.values.items():
            state(KINDS.get(key.partition(".")[0], "limits"), key, read.value, read.place)
        for letter, layout in self.terms.layouts.items():
            shown = "{} to {} positions".format(*layout.positions) if layout.positions else ""
            state("layouts", f"layouts.{letter}", shown, layout.positions_at or layout.at)
        self._state_bets(tiers)
        self._state_tables()
        for number in irregular:
            state("irregularities", number, "", self.document.place(self.document.paragraphs[number]))

    def _state_bets(self, tiers: dict[str, list[TierRead]]) -> None:
        state = self.document.state
        for slug, bet in self.bets.by_slug.items():
            if not tiers[slug]:
                continue
            place = bet.definitions[0].place if bet.definitions else bet.listed or tiers[slug][0].line.place
            state("bets", f"bets.{slug}", bet.name, place)
            for tier in tiers[slug]:
                state("pay lines", f"bets.{slug}.pays.{tier.name}", str(tier.line.odds), tier.line.place)
            if bet.layouts is not None and bet.layouts_at is not None:
                state("layouts", f"bets.{slug}.layouts", ", ".join(bet.layouts), bet.layouts_at)

    def _state_tables(self) -> None:
        state = self.document.state
        values = self.tableau.values() or {}
        for key, place in self._table_places().items():
            section, _, total = key.partition(".")
            value = values[section][total] if total else values.get(section, ())
            state("table of play", f"table_of_play.{key}", ", ".join(map(str, value)), place)
        for offer in self.insurance.offers:
            key = f"insurance.offers.{offer.hand} {offer.window} at {offer.player} against {offer.banker}"
            state("insurance", key, str(offer.odds), offer.place)
            for place in offer.tie_paid:
                state("insurance", f"{key}.tie_paid", "yes", place)
        for name, read in self.insurance.caps.items():
            state("insurance", f"insurance.{name}", read.value, read.place)
        if self.insurance.long_odds:
            long_odds = self.insurance.long_odds
            state(
                "insurance", "insurance.long_odds", f"{long_odds.share} at {long_odds.odds}", long_odds.place
            )


def _and(when: Raw | None, case: Raw) -> Raw:
    """A case of a bet narrows what the bet wins on."""
    return case if when is None else (both(when, case) or case)


def _share_pairs(tiers: list[TierRead]) -> None:
    """Where a line pays for both hands, the line for either is for just one of them; so for twins."""
    kinds = {tier.when.get("pair") for tier in tiers if tier.when}
    for tier in tiers:
        if tier.when and tier.when.get("pair") == "either" and kinds & {"both", "double", "twin"}:
            tier.when = tier.when | {"pair": "one"}
        elif tier.when and tier.when.get("pair") == "both" and "twin" in kinds:
            tier.when = tier.when | {"pair": "double"}


def _share_totals(tiers: list[TierRead]) -> None:
    """A line for other points is for those that the other lines do not name."""
    named = {
        total for tier in tiers if tier.when and not tier.line.rest for total in tier.when.get("total", ())
    }
    for tier in tiers:
        if tier.line.rest and tier.when is not None:
            tier.when = tier.when | {"total": [total for total in range(1, 10) if total not in named]}


def _tier_name(tier: TierRead, bet: BetRead) -> str:  # noqa: PLR0911 - a name for each kind of line
    """A name for a line that tells it from the others of its bet."""
    when = tier.when or {}
    if tier.line.rest:
        return "other-points"
    if tier.line.case:
        return tier.line.case[:40]
    if "pair" in when:
        return next((name for name, pair in CASES.items() if pair == when["pair"]), str(when["pair"]))
    if isinstance(when.get("cards_in_all"), int):
        return f"{when['cards_in_all']}-cards"
    if isinstance(when.get("cards"), int) and "cards" in tier.line.said:
        return COUNTS.get(when["cards"], f"{when['cards']}-cards")
    if "margin" in when:
        return f"by-{'-'.join(map(str, _listed(when['margin'])))}"
    if len(when.get("total", ())) == 1:
        return f"on-{when['total'][0]}"
    winner = when.get("winner", [bet.slug])
    return str(winner[0]) if len(winner) == 1 else "win"


def _listed(value: object) -> list[int]:
    return list(value) if isinstance(value, list) else [value]  # type: ignore[list-item]


def _pays(tiers: list[TierRead], odds: str) -> bool:
    return any(str(tier.line.odds) == odds for tier in tiers)


def _points(span: str) -> range:
    low, _, high = span.partition("-")
    return range(int(low), int(high or low) + 1)


def _spoken(key: str) -> str:
    """A key of the Table of Play in words."""
    name, _, total = key.partition(".")
    return f"what Banker does with {total}" if total else name.replace("_", " ")


__all__ = ["Reading", "TierRead", "read_text"]
