"""A book held to its document: every value both ways, every paragraph, every citation."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from thirdcard.reading.model import BetRead, OfferRead, Place
from thirdcard.reading.reader import Reading, TierRead
from thirdcard.reading.sections import nearest_book, raw_of, same_condition, when_of
from thirdcard.reading.subjects import Corpus, aligned, likeness, said_of
from thirdcard.rulebook import load
from thirdcard.rulebook.extending import entry_name
from thirdcard.rulebook.findings import Finding, finding
from thirdcard.rulebook.forms import Raw
from thirdcard.rulebook.load import packaged
from thirdcard.rulebook.model import Bet, Offer, Rulebook, Tier
from thirdcard.rulebook.trace import trace

LEAST_ALIKE: Final = 0.08  # of a paragraph and what is known of the value that cites it
HALF_AS_ALIKE: Final = 0.5
VALUES: Final = (
    "bets",
    "layouts",
    "insurance",
    "table_of_play",
    "decks",
    "commission",
    "document",
    "limits",
    "betting",
)
CAPS: Final = ("stake_per_window", "winnings_per_round", "late_winnings")
TERMS: Final = ("betting.opens", "betting.closes", "limits.displayed")


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """How a book stands to its document: how many values were compared, how many agree, and every difference."""

    compared: int
    agree: int
    findings: tuple[Finding, ...]


class _Cited(NamedTuple):
    """A value of a book and the paragraphs that it cites."""

    key: str
    rules: tuple[str, ...]
    value: Raw


def held(reading: Reading, book: Rulebook, file: str = "") -> Held:
    r"""Holds a book to what was read of its document; every finding has a key, and the line if there is one.

    >>> from thirdcard.reading.reader import read_text
    >>> from thirdcard.rulebook import load
    >>> document = "\n".join((
    ...     "1. Play", "1.1 The game is played with four to ten decks.", "2. Settlement",
    ...     "2.1 Player pays 1 to 1.", "2.2 Banker pays 0.95 to 1.", "2.3 Tie pays 9 to 1.", "2.4 Tiger pays 12 to 1."))
    >>> found = held(read_text(document), load("mbs-tiger-v2")).findings
    >>> next(str(one) for one in found if one.key.startswith("bets.tie"))
    'bets.tie.pays.win.odds: is 8 to 1, where 2.3 says 9 to 1'
    """
    holder = _Holder(reading, book, file or f"{book.slug}.toml")
    holder.hold()
    return Held(compared=holder.compared, agree=holder.agree, findings=tuple(holder.findings))


class _Holder:
    def __init__(self, reading: Reading, book: Rulebook, file: str) -> None:
        self.reading, self.book, self.file = reading, book, file
        self.findings: list[Finding] = []
        self.compared = self.agree = 0
        self.rules = {one.key: one.rules for one in cited_of(raw_of(book))}
        self.nearest = nearest_book(reading, [load(slug) for slug in packaged()])[0]
        self.same_numbers = set(self.nearest.paragraphs) == set(reading.paragraphs)
        self.lettered = {number for number in reading.texts if number.endswith(")")}

    def hold(self) -> None:
        self._document()
        self._decks()
        self._layouts()
        self._bets()
        self._commission()
        self._table_of_play()
        self._insurance()
        self._terms()
        self._doubts()
        self._paragraphs()
        self._citations()
        self.findings.sort(key=lambda one: (one.line == 0, one.line, one.key))

    # --- how a value is held

    def _find(self, key: str, told: str, line: int, *, note: bool = False) -> None:
        made = finding(self.file, key, told, level="note" if note else "fault")
        made = msgspec.structs.replace(made, line=line)
        if made not in self.findings:
            self.findings.append(made)

    def _hold(self, key: str, book: object, read: object, place: Place, *, same: bool | None = None) -> bool:
        """One value on both sides."""
        self.compared += 1
        if same is None:
            same = str(book).casefold() == str(read).casefold()
        if same:
            self.agree += 1
        else:
            self._find(key, f"is {_shown(book)}, where {_where(place)} says {_shown(read)}", place.line)
        return same

    def _only_book(self, key: str, value: object, line: int = 0) -> None:
        self.compared += 1
        told = f"{_shown(value)} is in the book, but was not found in the document"
        self._find(key, told, line or self._cited_line(key))

    def _cited_line(self, key: str) -> int:
        """The line of the paragraph that a value, or what it is a part of, cites."""
        while key:
            for rule in self.rules.get(key, ()):
                line = self._line(rule.partition("(")[0])
                if line:
                    return line
            key = key.rpartition(".")[0]
        return 0

    def _only_document(self, key: str, value: object, place: Place) -> None:
        self.compared += 1
        self._find(key, f"{_where(place)} has {_shown(value)}, which the book has not", place.line)

    def _rests_on(self, key: str, rules: Iterable[str], place: Place) -> None:
        """A value cites the paragraph in which it was read."""
        if not place.paragraph or not self.book.paragraphs:
            return
        given = list(rules)
        known = {rule.partition("(")[0] for rule in given}
        self.compared += 1
        if place.paragraph in given or (not place.paragraph.endswith(")") and place.paragraph in known):
            self.agree += 1
            return
        cited = ", ".join(given) or "nothing"
        self._find(key, f"cites {cited}, where the document says it in {place.paragraph}", place.line)

    # --- the title page, decks

    def _document(self) -> None:
        document = self.book.document
        for name in ("title", "operator", "version", "effective"):
            read = self.reading.values.get(f"document.{name}")
            value = getattr(document, name)
            if read is None:
                if name in ("version", "effective") and value:
                    self._only_book(f"document.{name}", value)
                continue
            same = _same_time(str(value), read.value) if name == "effective" else None
            self._hold(f"document.{name}", value, read.value, read.place, same=same)

    def _decks(self) -> None:
        decks, read = self.book.decks, self.reading.values.get("decks")
        if read is None:
            if "decks" not in self.book.assumed:
                self._only_book("decks", f"{decks.min} to {decks.max}")
            return
        low, _, high = read.value.partition(" to ")
        self._hold("decks.min", decks.min, low, read.place)
        self._hold("decks.max", decks.max, high, read.place)
        self._rests_on("decks.rules", decks.rules, read.place)

    # --- layouts

    def _layouts(self) -> None:
        read, book = self.reading.layouts, self.book.layouts
        if not read and "layouts" in self.book.assumed:
            return
        for letter in book:
            if letter not in read:
                self._only_book(f"layouts.{letter}", f"layout {letter}")
        for letter, layout in read.items():
            if letter not in book:
                self._only_document(f"layouts.{letter}", f"layout {letter}", layout.at)
                continue
            key = f"layouts.{letter}"
            if layout.positions is not None and layout.positions_at is not None:
                self._hold(
                    f"{key}.positions",
                    _range(book[letter].positions),
                    _range(layout.positions),
                    layout.positions_at,
                )
            if layout.name:
                self._hold(f"{key}.name", book[letter].name, layout.name, layout.positions_at or layout.at)
            if layout.at.paragraph:
                self._rests_on(f"{key}.rules", book[letter].rules, layout.at)
            self._offered(letter)

    def _offered(self, letter: str) -> None:
        """The bets of a layout are those whose paragraphs name it, or name no layout."""
        offered = self.book.layouts[letter].bets
        for slug, tiers in self.reading.tiers.items():
            bet = self.reading.bets[slug]
            if not tiers or slug not in self.book.bets:
                continue
            should = bet.layouts is None or letter in bet.layouts
            place = bet.layouts_at or tiers[0].line.place
            if should != (slug in offered):
                self.compared += 1
                told = f"{_where(place)} {'names' if should else 'does not name'} it for {slug}, the book {'does not offer' if should else 'offers'} it"
                self._find(f"layouts.{letter}.bets", told, place.line)

    # --- bets

    def _bets(self) -> None:
        read = {slug for slug, tiers in self.reading.tiers.items() if tiers}
        for slug, bet in self.book.bets.items():
            if slug not in read:
                self._only_book(f"bets.{slug}", bet.name)
        for slug in self.reading.tiers:
            if slug not in read:
                continue
            tiers = self.reading.tiers[slug]
            if slug not in self.book.bets:
                self._only_document(f"bets.{slug}", self.reading.bets[slug].name, tiers[0].line.place)
            else:
                self._bet(slug, self.book.bets[slug], self.reading.bets[slug], tiers)

    def _bet(self, slug: str, bet: Bet, read: BetRead, tiers: Sequence[TierRead]) -> None:
        key = f"bets.{slug}"
        for definition in read.definitions:
            self._rests_on(
                f"{key}.rules",
                (*bet.rules, *(rule for tier in bet.pays for rule in tier.rules)),
                definition.place,
            )
        if read.push is not None:
            if bet.push is None:
                self._only_document(f"{key}.push", "a tie that returns the stake", read.push)
            else:
                self._rests_on(f"{key}.push.rules", bet.push.rules, read.push)
        elif slug in ("player", "banker") and bet.push is not None and self.book.paragraphs:
            self._only_book(f"{key}.push", "a tie that returns the stake")
        self._named_layouts(key, bet, read)
        left = list(bet.pays)
        for tier in tiers:
            self._tier(key, left, bet, tier)
        for one in left:
            self._only_book(
                f"{key}.pays.{one.tier}", f"the pay line {one.tier} at {one.odds}", tiers[0].line.place.line
            )

    def _named_layouts(self, key: str, bet: Bet, read: BetRead) -> None:
        if read.layouts is None or read.layouts_at is None:
            if bet.layouts is not None:
                self._only_book(
                    f"{key}.layouts", f"layouts {', '.join(bet.layouts.value)}", read.lines[0].place.line
                )
            return
        if bet.layouts is None:
            if self.book.paragraphs and set(read.layouts) != set(self.book.layouts):
                self._only_document(f"{key}.layouts", f"layouts {', '.join(read.layouts)}", read.layouts_at)
            return
        place = read.layouts_at
        for letter in dict.fromkeys((*read.layouts, *bet.layouts.value)):
            self.compared += 1
            if letter in read.layouts and letter in bet.layouts.value:
                self.agree += 1
            elif letter in read.layouts:
                self._find(
                    f"{key}.layouts", f"{_where(place)} names layout {letter}, the book does not", place.line
                )
            else:
                self._find(
                    f"{key}.layouts",
                    f"layout {letter} is in the book, but {_where(place)} does not name it",
                    place.line,
                )
        self._rests_on(f"{key}.layouts.rules", bet.layouts.rules, place)

    def _tier(self, key: str, left: list[Tier], bet: Bet, tier: TierRead) -> None:
        """A pay line: the book's line for the same rounds, else the one that it was meant to be."""
        place = tier.line.place
        if tier.when is None:
            self._find(f"{key}.pays", "the document does not say what this line is paid for", place.line)
            return
        when = when_of(tier.when)
        match = next((one for one in left if same_condition(when, one.when, self.book.table_of_play)), None)
        if match is None:
            meant = next(
                (one for one in left if one.odds == tier.line.odds),
                left[0] if len(left) == 1 and len(bet.pays) == 1 else None,
            )
            if meant is None:
                self._only_document(
                    f"{key}.pays", f"a pay line of {tier.line.odds} for {_told(tier.when)}", place
                )
                return
            left.remove(meant)
            at = self._definition_at(key, place)
            self.compared += 1
            told = f"wins on {_told(_raw_when(meant))}, where {_where(at)} says {_told(tier.when)}"
            self._find(f"{key}.pays.{meant.tier}.when", told, at.line)
            match = meant
        else:
            left.remove(match)
            self.compared += 1
            self.agree += 1
        same = match.odds == tier.line.odds
        self._hold(f"{key}.pays.{match.tier}.odds", match.odds, tier.line.odds, place, same=same)
        self._rests_on(f"{key}.pays.{match.tier}.rules", match.rules, place)

    def _definition_at(self, key: str, place: Place) -> Place:
        read = self.reading.bets[key.partition(".")[2]]
        return read.definitions[0].place if read.definitions and len(read.lines) == 1 else place

    def _commission(self) -> None:
        read, commission = self.reading.values.get("commission.rate"), self.book.commission
        if read is None:
            if commission is not None:
                self._only_book("commission.rate", commission.rate)
            return
        if commission is None:
            self._only_document("commission.rate", read.value, read.place)
            return
        self._hold("commission.rate", commission.rate, read.value, read.place)
        self._rests_on("commission.rules", commission.rules, read.place)

    # --- the Table of Play

    def _table_of_play(self) -> None:
        table, read, places = self.book.table_of_play, self.reading.table_of_play, self.reading.table_places
        if not read:
            if "table_of_play" not in self.book.assumed:
                self._only_book("table_of_play", "a Table of Play")
            return
        for name in ("natural", "player_draws", "banker_draws_if_player_stands"):
            if name in read:
                numbers = sorted(getattr(table, name))
                self._hold(
                    f"table_of_play.{name}", _numbers(numbers), _numbers(sorted(read[name])), places[name]
                )
                self._rests_on("table_of_play.rules", table.rules, places[name])
            else:
                self._only_book(f"table_of_play.{name}", _numbers(getattr(table, name)))
        for total in dict.fromkeys((*map(str, table.banker_draws), *read["banker_draws"])):
            drawn = table.banker_draws.get(int(total))
            key = f"table_of_play.banker_draws.{total}"
            if total not in read["banker_draws"]:
                self._only_book(key, _numbers(drawn or ()))
            elif drawn is None:
                self._only_document(
                    key, _numbers(read["banker_draws"][total]), places[f"banker_draws.{total}"]
                )
            else:
                place = places[f"banker_draws.{total}"]
                self._hold(key, _numbers(sorted(drawn)), _numbers(sorted(read["banker_draws"][total])), place)
                self._rests_on("table_of_play.rules", table.rules, place)

    # --- insurance

    def _insurance(self) -> None:
        insurance = self.book.insurance
        if insurance is None:
            for offer in self.reading.offers:
                self._only_document(f"insurance.offers.{_offer_key(offer)}", str(offer.odds), offer.place)
            return
        book = {_moment(one): one for one in insurance.offers}
        read = {_moment(one): one for one in self.reading.offers}
        for name, one in book.items():
            if name not in read:
                near = next(
                    (
                        other
                        for at, other in read.items()
                        if at[:2] == name[:2] and other.odds == one.odds and at not in book
                    ),
                    None,
                )
                self._only_book(
                    f"insurance.offers.{_offer_key(one)}",
                    f"an insurance row at {one.odds}",
                    near.place.line if near else 0,
                )
        for name, offer in read.items():
            key = f"insurance.offers.{_offer_key(offer)}"
            if name not in book:
                self._only_document(key, f"an insurance row at {offer.odds}", offer.place)
                continue
            one = book[name]
            self._hold(f"{key}.odds", one.odds, offer.odds, offer.place, same=one.odds == offer.odds)
            self._rests_on(f"{key}.rules", one.rules, offer.place)
            paid = one.tie_paid is not None
            self._hold(f"{key}.tie_paid", _yes(yes=paid), _yes(yes=offer.marked), offer.place)
            if one.tie_paid is not None and offer.tie_paid:
                self._rests_on(f"{key}.tie_paid.rules", one.tie_paid.rules, offer.tie_paid[-1])
        if self.reading.insurance_name:
            self._hold(
                "insurance.name",
                insurance.name,
                self.reading.insurance_name.value,
                self.reading.insurance_name.place,
            )
        self._caps()

    def _caps(self) -> None:
        insurance = self.book.insurance
        for name in CAPS:
            cap, read = getattr(insurance, name), self.reading.caps.get(name)
            if cap is None and read is not None:
                self._only_document(f"insurance.{name}", read.value, read.place)
            elif cap is not None and read is None:
                self._only_book(f"insurance.{name}", cap.value)
            elif cap is not None and read is not None:
                self._hold(f"insurance.{name}", cap.value, read.value, read.place)
                self._rests_on(f"insurance.{name}.rules", cap.rules, read.place)
        long_odds, told = getattr(insurance, "long_odds", None), self.reading.long_odds
        if told is None:
            if long_odds is not None:
                self._only_book("insurance.long_odds", f"{long_odds.of_maximum} at {long_odds.odds}")
        elif long_odds is None:
            self._only_document("insurance.long_odds", f"{told[1]} at {told[0]}", told[2])
        else:
            self._hold("insurance.long_odds.odds", long_odds.odds, told[0], told[2])
            self._hold("insurance.long_odds.of_maximum", long_odds.of_maximum, told[1], told[2])
            self._rests_on("insurance.long_odds.rules", long_odds.rules, told[2])

    # --- calls and limits

    def _terms(self) -> None:
        for key in TERMS:
            read = self.reading.values.get(key)
            section, _, name = key.partition(".")
            given = getattr(getattr(self.book, section), name)
            if read is None:
                continue
            value = ", ".join(given.value) if isinstance(given.value, tuple) else given.value
            if (
                self._hold(key, value, read.value, read.place)
                and self.book.paragraphs
                and section not in self.book.assumed
            ):
                calls = self.reading.calls.get(key, [read.place.paragraph])
                if not {*given.rules} & {*calls}:
                    self._rests_on(f"{key}.rules", given.rules, Place(calls[-1], self._line(calls[-1])))
        wagers, read = self.book.limits.wagers_per_area, self.reading.values.get("limits.wagers_per_area")
        if wagers is not None and read is not None:
            self._hold("limits.wagers_per_area", wagers.value, read.value, read.place)
            self._rests_on("limits.wagers_per_area.rules", wagers.rules, read.place)
        elif wagers is not None and self.book.paragraphs:
            self._only_book("limits.wagers_per_area", wagers.value)
        elif read is not None:
            self._only_document("limits.wagers_per_area", read.value, read.place)

    def _line(self, paragraph: str) -> int:
        return self.reading.texts.get(paragraph, (0, ""))[0]

    # --- what of the document was not understood, paragraphs and citations

    def _doubts(self) -> None:
        for doubt in self.reading.not_understood:
            section = doubt.key.partition(".")[0]
            self._find(
                doubt.key or "paragraphs",
                f"in the document: {doubt.why}",
                doubt.line,
                note=section not in VALUES,
            )

    def _paragraphs(self) -> None:
        book, document = self.book.paragraphs, self.reading.paragraphs
        if not book:
            return
        for paragraph in book:
            self.compared += 1
            if paragraph in self.reading.texts:
                self.agree += 1
            else:
                self._find("paragraphs", f"the document has no paragraph {paragraph}", 0)
        for paragraph in document:
            if paragraph not in book:
                self._find(
                    "paragraphs",
                    f"the document has {paragraph}, the book does not list it",
                    self._line(paragraph),
                )
        carried = self._carried()
        for paragraph in document:
            if paragraph in book and paragraph not in carried:
                told = f"nothing in the book cites {paragraph}, nor does it say so under not_carried"
                self._find("paragraphs", told, self._line(paragraph), note=True)

    def _carried(self) -> set[str]:
        """Paragraphs that are cited, said not to be carried, or say nothing that could be."""
        cited = {rule.partition("(")[0] for one in cited_of(raw_of(self.book)) for rule in one.rules}
        slugs = {self.book.slug, *((self.nearest.slug,) if self.same_numbers else ())}
        told = {topic.paragraph for topic in trace() if topic.slug in slugs and topic.status != "open"}
        bets = {name.casefold() for name in (bet.name for bet in self.book.bets.values())}
        words = {
            number
            for number, terms in self.reading.terms.items()
            if not any(term.casefold() in bets for term in terms)
        }
        return cited | told | words | {*self.book.not_carried} | self.reading.headings

    def _citations(self) -> None:
        if not self.book.paragraphs:
            return
        cited = list(cited_of(raw_of(self.book)))
        for one in cited:
            for rule in one.rules:
                letter = rule.endswith(")") and rule not in self.lettered
                if rule.partition("(")[0] not in self.reading.texts or (letter and self.lettered):
                    self._find(
                        f"{one.key}.rules".lstrip("."), f"cites {rule}, which the document does not have", 0
                    )
        self._subjects([one for one in cited if one.key.partition(".")[0] not in self.book.assumed])

    def _subjects(self, cited: Sequence[_Cited]) -> None:
        """Each citation leads to a paragraph about its value, as the nearest book of the package has it."""
        nearest = self.nearest
        numbers = aligned(
            nearest, {number: self.reading.texts[number][1] for number in self.reading.paragraphs}
        )
        known = {one.key: one for one in cited_of(raw_of(nearest))}
        said = said_of(nearest)
        corpus = Corpus({number: self._in_context(number) for number in self.reading.paragraphs})
        for one in cited:
            other = known.get(one.key)
            if other is None:
                continue
            expected = [
                number for rule in other.rules if (number := numbers.get(rule.partition("(")[0])) is not None
            ]
            about = " ".join(said.get(rule.partition("(")[0], "") for rule in other.rules)
            if self.same_numbers and one.value == other.value:
                self._same_rules(one, other)
            elif expected:
                self._alike(one, expected, about, corpus)

    def _same_rules(self, one: _Cited, other: _Cited) -> None:
        for rule in one.rules:
            self.compared += 1
            if rule in other.rules:
                self.agree += 1
            else:
                told = f"cites {rule}, which is about something else: for the same value the nearest book cites {', '.join(other.rules)}"
                self._find(f"{one.key}.rules", told, self._line(rule.partition("(")[0]))
        for rule in other.rules:
            if rule not in one.rules:
                told = f"does not cite {rule}, as the nearest book does for the same value"
                self._find(f"{one.key}.rules", told, self._line(rule.partition("(")[0]))

    def _alike(self, one: _Cited, expected: Sequence[str], about: str, corpus: Corpus) -> None:
        subject = corpus.vector(about)
        best = max(likeness(subject, corpus.vectors[number]) for number in expected)
        for rule in one.rules:
            number = rule.partition("(")[0]
            if number in expected or number not in corpus.vectors:
                continue
            self.compared += 1
            if likeness(subject, corpus.vectors[number]) < max(LEAST_ALIKE, HALF_AS_ALIKE * best):
                told = (
                    f"cites {rule}, which seems to be about something else: {', '.join(expected)} is nearer"
                )
                self._find(f"{one.key}.rules", told, self._line(number), note=True)
            else:
                self.agree += 1

    def _in_context(self, number: str) -> str:
        """A paragraph's text with those above it."""
        parts = number.split(".")
        above = (".".join(parts[:depth]) for depth in range(2, len(parts)))
        return " ".join(
            [
                self.reading.texts[number][1],
                *(self.reading.texts[one][1][:400] for one in above if one in self.reading.texts),
            ]
        )


def cited_of(value: Any, key: str = "") -> Iterator[_Cited]:  # noqa: ANN401 - any values of a book
    """Every value of a book that cites paragraphs, by its key."""
    if isinstance(value, dict):
        if "rules" in value:
            yield _Cited(key, tuple(value["rules"]), _without_rules(value))
        for name, inner in value.items():
            if name != "rules":
                yield from cited_of(inner, f"{key}.{name}".lstrip("."))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            if isinstance(inner, dict):
                yield from cited_of(inner, f"{key}.{entry_name(inner) or number}")


def _without_rules(value: Any) -> Any:  # noqa: ANN401 - any values of a book
    if isinstance(value, dict):
        return {name: _without_rules(inner) for name, inner in value.items() if name != "rules"}
    return [_without_rules(one) for one in value] if isinstance(value, list) else value


def _raw_when(tier: Tier) -> Raw:
    when: Raw = {}
    if len(tier.when.winner) < 3:  # noqa: PLR2004 - not any outcome
        when["winner"] = list(tier.when.winner)
    for name in ("total", "cards", "cards_in_all", "margin", "sum"):
        numbers = getattr(tier.when, name)
        if numbers:
            when[name] = list(numbers)
    if tier.when.pair:
        when["pair"] = str(tier.when.pair)
    return when


def _told(when: Raw) -> str:
    """A condition in a few words."""
    parts = []
    for name, value in when.items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        parts.append(f"{name.replace('_', ' ')} {shown}")
    return "; ".join(parts) or "any outcome"


def _where(place: Place) -> str:
    return place.paragraph or f"line {place.line}"


def _shown(value: object) -> str:
    return str(value) or "nothing"


def _numbers(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"


def _range(positions: tuple[int, int]) -> str:
    return "{} to {}".format(*positions)


def _yes(*, yes: bool) -> str:
    return "paid on a tie" if yes else "returned on a tie"


def _moment(offer: Offer | OfferRead) -> tuple[str, int, str, str]:
    """The hand, the window and the points that an insurance row is for."""
    return str(offer.hand), offer.window, str(offer.player), str(offer.banker)


def _offer_key(offer: Offer | OfferRead) -> str:
    return "{} {} at {} against {}".format(*_moment(offer))


def _same_time(book: str, read: str) -> bool:
    """Whether both are the same day, and the same time where both have one; a zone may stand beside it."""
    first, second = (re.sub(r"\D", "", text)[:12] for text in (book, read))
    size = min(len(first), len(second))
    return bool(first) and first[:size] == second[:size]
