"""Text beside rule: a paragraph of a document, what the book makes of it, how it is read and what changed."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from thirdcard.cards import Card
from thirdcard.errors import BadInput
from thirdcard.odds.changes import EdgeChange, changes, usual_decks
from thirdcard.rulebook import Rulebook, named
from thirdcard.rulebook.diff import Difference, diff
from thirdcard.rulebook.faults import citations
from thirdcard.rulebook.model import Rules
from thirdcard.rulebook.trace import Interpretation, TraceTopic, interpretations, trace_of
from thirdcard.rulebook.versions import earlier_versions
from thirdcard.service.queries.spot_help import SpotHelp, spots
from thirdcard.web.pages import render, text_of, usable
from thirdcard.web.pages.rules import bare_terms, chance, edge
from thirdcard.words import Language, Words, words
from thirdcard.words.saying import say
from thirdcard.words.telling import Term, brief, commission, ranks, remedy, terms

NO_COPY: Mapping[str, str] = MappingProxyType({})
EVERY = "all"  # asks for all paragraphs, one below the other
STAKED = 1_000  # that the price of a bet is shown for
BOOK_BETS = "bets."


class Beside(NamedTuple):
    """A paragraph with all that rests on it; `text` is the document's own, where the house keeps a copy."""

    topic: TraceTopic
    text: str
    bets: dict[str, SpotHelp]
    layouts: dict[str, list[str]]  # on which each of these bets is
    terms: list[Term]
    readings: list[Interpretation]
    redline: list[Difference]
    prices: list[EdgeChange]


def beside_page(  # noqa: PLR0913 - what the address asks for, and who asks
    slug: str,
    paragraph: str,
    against: str,
    lang: Language,
    copy: Mapping[str, str] = NO_COPY,
    *,
    may_copy: bool = False,
) -> str:
    """One paragraph of a book, the first if none is named, or `EVERY` one to print.

    `against` is the book it is compared with: the version before, if none is named and there is one. `copy`
    has the texts of the house's own copy by paragraph; `may_copy` is for who may give and take one.
    """
    book = named(slug)
    before = against or earlier_versions(usable()).get(book.slug)
    older = named(before) if before else None
    topics = trace_of(book)
    chosen = [topic for topic in topics if paragraph in (topic.paragraph, EVERY)] or list(topics[:1])
    if paragraph not in ("", EVERY, *(topic.paragraph for topic in chosen)):
        raise BadInput(say("no-such-paragraph", rulebook=book.slug, paragraph=paragraph))
    compared = _Compared(book, older, usual_decks(older or book, book), lang)
    return render(
        "beside.html",
        lang=lang,
        page="rules",
        query={"p": paragraph, "against": against},
        book=book,
        older=older,
        others=[other for other in usable() if other is not book],
        decks=compared.decks,
        text=text_of(book),
        topics=topics,
        shown=[compared.beside(topic, copy.get(topic.paragraph, "")) for topic in chosen],
        every=paragraph == EVERY,
        copy=copy,
        may_copy=may_copy,
        chance=lambda part: chance(part, lang),
        edge=lambda part: edge(float(part)),
        kept=lambda part: f"{STAKED * float(part):,.2f}",
        brief=lambda value: brief(value, words(lang)),
        as_card=Card,
        unique=dict.fromkeys,
    )


class _Compared(NamedTuple):
    """The book that is read, and the one it is compared with."""

    book: Rulebook
    older: Rulebook | None
    decks: int
    lang: Language

    def beside(self, topic: TraceTopic, text: str) -> Beside:
        book, paragraph = self.book, topic.paragraph
        bets = _bets_of(_citing(book)[paragraph])
        redline, prices = _changes(self.older, book, self.decks) if self.older else ((), {})
        return Beside(
            topic=topic,
            text=text,
            bets=spots(book, bets, self.decks, self.lang),
            layouts={
                name: [letter for letter, layout in book.layouts.items() if name in layout.bets]
                for name in bets
            },
            terms=list(_terms(book, paragraph, words(self.lang), bets=bool(bets))),
            readings=[one for one in interpretations() if paragraph in _paragraphs(one, book)],
            redline=[one for one in redline if paragraph in map(_whole, one.rules) or _is_about(one, bets)],
            prices=[prices[name] for name in bets if name in prices],
        )


def _whole(paragraph: str) -> str:
    """The paragraph that a lettered item stands in."""
    return paragraph.partition("(")[0]


def _paragraphs(reading: Interpretation, book: Rulebook) -> set[str]:
    return set(map(_whole, reading.paragraphs.get(book.slug, ())))


@lru_cache(maxsize=64)
def _citing(book: Rulebook) -> dict[str, list[str]]:
    """The keys of a book that cite each paragraph, or an item of it."""
    citing: dict[str, list[str]] = {paragraph: [] for paragraph in book.paragraphs}
    for key, paragraph in citations(book):
        citing[_whole(paragraph)].append(key.removesuffix(".rules"))
    return citing


def _bets_of(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(key.split(".")[1] for key in keys if key.startswith(BOOK_BETS)))


@lru_cache(maxsize=64)
def _changes(older: Rulebook, book: Rulebook, decks: int) -> tuple[list[Difference], dict[str, EdgeChange]]:
    """All that changed from one book to another, and what each bet costs on both sides."""
    values = diff(older, book)
    return [*values.changed, *values.added, *values.removed], changes(older, book, decks).by_bet


def _is_about(difference: Difference, bets: Iterable[str]) -> bool:
    """Whether a value came from, went from or changed at one of these bets."""
    return any(f"{difference.key}.".startswith(f"{BOOK_BETS}{name}.") for name in bets)


# What the book makes of it --------------------------------------------------------------------------------


def _terms(book: Rulebook, paragraph: str, lexicon: Words, *, bets: bool) -> Iterator[Term]:
    """The values that rest on a paragraph; layouts are told with the bets, where it is about bets."""
    for term in chain(_of_cards(book, lexicon, layouts=not bets), _of_people(book, lexicon)):
        if paragraph in map(_whole, term.rules):
            yield term


def _of_cards(book: Rulebook, lexicon: Words, *, layouts: bool) -> Iterator[Term]:
    t = lexicon.ui
    document, decks = book.document, book.decks
    yield Term(
        t["rules_game_word"], f"{document.title}, {t['rules_version']} {document.version}", document.rules
    )
    yield Term(t["rules_decks_word"], lexicon.choice([f"{decks.min}\N{EN DASH}{decks.max}"]), decks.rules)
    for letter, layout in book.layouts.items() if layouts else ():
        yield Term(
            f"{t['rules_layouts']} {letter}", t["rules_positions"].format(*layout.positions), layout.rules
        )
    yield Term(t["rules_table_of_play"], t["rules_table_note"], book.table_of_play.rules)
    if book.commission:
        yield Term(t["rules_commission_word"], commission(book, lexicon), book.commission.rules)
    yield from _insurance(book, lexicon)
    yield from bare_terms(book, lexicon)


def _of_people(book: Rulebook, lexicon: Words) -> Iterator[Term]:
    t, titles = lexicon.ui, ranks(book, lexicon)
    for field in book.authority.__struct_fields__:
        cited = getattr(book.authority, field)
        yield Term(t["rules_ranks"], titles[cited.value], cited.rules)
    for part in (book.limits, book.betting, book.squeeze, *book.dealing):
        yield from terms(book, part, lexicon)
    for method in book.dealing:
        yield Term(lexicon.name_of("methods", method.name, method.title), "", method.rules)
    for rank in book.ranks:
        above = [titles[name] for name in rank.above]
        yield Term(
            titles[rank.name], f"{t['rules_above']} {lexicon.together(above)}" if above else "", rank.rules
        )
    for procedure in book.procedures:
        title = lexicon.name_of("cases", procedure.case, procedure.title)
        for ruling in procedure.rulings:
            told = " ".join(remedy(name, lexicon) for name in ruling.remedy)
            yield Term(title, told, (*procedure.rules, *ruling.rules))
    for discretion in book.discretions:
        yield Term(titles[discretion.rank], discretion.what, discretion.rules)
    for notice in book.notices:
        yield Term(t["rules_notices"], notice.shows, notice.rules)


def _insurance(book: Rulebook, lexicon: Words) -> Iterator[Term]:
    if book.insurance is None:
        return
    t = lexicon.ui
    title = lexicon.name_of("insurance", book.insurance.name, book.insurance.name)
    yield Term(t["rules_insurance"], title, book.insurance.rules)
    for offer in book.insurance.offers:
        rules: Rules = offer.rules + (offer.tie_paid.rules if offer.tie_paid else ())
        hand = lexicon.say("hands", offer.hand)
        points = f"{offer.player} : {offer.banker}"
        odds = offer.odds.text.replace(" to ", t["odds_to"])
        yield Term(
            f"{t['rules_insurance']}, {hand}", f"{t[f'window_{offer.window}']}, {points}, {odds}", rules
        )
    yield from terms(book, book.insurance, lexicon)
