"""The odds explorer: exact figures of any rulebook, layout, number of decks and cards seen; and a report."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import NamedTuple, TypeVar

from thirdcard.cards import Card, Rank, parse_cards
from thirdcard.errors import BadInput
from thirdcard.odds import (
    Composition,
    OfferValue,
    Value,
    against,
    by_decks,
    effects,
    fresh,
    offers,
    shoe,
    values,
)
from thirdcard.odds.bet_values import bets_on
from thirdcard.rulebook import Rulebook, named
from thirdcard.rulebook.lookup import check_decks
from thirdcard.rulebook.model import Side
from thirdcard.web import charts
from thirdcard.web.pages import paper, plain_citations, render, usable
from thirdcard.words import ENGLISH, Language, bet_name, bet_words, words

STYLE = ("tokens.css", "base.css", "odds.css", "print.css")
LONGEST_SEEN = 2_000  # characters; ten decks fit
T = TypeVar("T")


class BetRow(NamedTuple):
    """A bet with its exact value and its bar."""

    bet: str
    value: Value
    sd: float
    bar: str


class Heat(NamedTuple):
    hand: str
    window: int
    chart: str


class Removal(NamedTuple):
    """What one card less of each rank does to a bet, in hundredths of a percent of the stake."""

    bet: str
    changes: dict[Rank, Fraction]
    chart: str


class ByDecks(NamedTuple):
    """House edges of a bet by number of decks."""

    bet: str
    edges: dict[int, Fraction]
    chart: str


class Pair(NamedTuple):
    """A bet of two rulebooks, house edges in both."""

    bet: str
    here: Fraction
    there: Fraction
    bars: tuple[str, str]


class OddsForm:
    """What a form asks for. A field that cannot be used has its sentence in `wrong`."""

    def __init__(self) -> None:
        self.wrong: dict[str, str] = {}

    def take(self, field: str, read: Callable[[], T], otherwise: T) -> T:
        try:
            return read()
        except BadInput as error:
            self.wrong[field] = str(error)
            return otherwise


def odds_page(slug: str, layout: str, decks: int, seen: str, lang: Language) -> str:
    """Every figure of a rulebook, or of one layout of it; `layout` empty means every bet.

    What cannot be used is told beside its field, and then there are no figures.
    """
    asked, books = OddsForm(), usable()
    book = asked.take("rulebook", lambda: named(slug), books[0])
    names = asked.take("layout", lambda: bets_on(book, layout or None), tuple(book.bets))
    asked.take("decks", lambda: check_decks(book, decks), decks)
    left = None if asked.wrong else asked.take("seen", lambda: shoe(book, decks, _cards(seen)), None)
    return render(
        "odds.html",
        lang=lang,
        page="odds",
        query={"rulebook": slug, "layout": layout, "decks": decks, "seen": seen},
        books=_listed(books, book),
        book=book,
        layout=layout,
        decks=decks,
        seen=seen,
        wrong=asked.wrong,
        answer=_answer(book, names, decks, left, lang) if left else None,
    )


def odds_compare(a: str, b: str, decks: int, lang: Language) -> str:
    """House edges of two rulebooks side by side; what cannot be used is told beside its field."""
    asked, books = OddsForm(), usable()
    here = asked.take("a", lambda: named(a), books[0])
    there = asked.take("b", lambda: named(b), books[0])
    asked.take("decks", lambda: {check_decks(book, decks) for book in (here, there)}, {decks})
    compared = None if asked.wrong else against(here, there, fresh(decks))
    pairs = [
        (name, ours.house_edge, theirs.house_edge)
        for name, (ours, theirs) in (compared.common.items() if compared else ())
    ]
    low, high = _scale([edge for _, *edges in pairs for edge in edges])
    return render(
        "odds_compare.html",
        lang=lang,
        page="odds",
        query={"a": a, "b": b, "decks": decks},
        books=_listed(books, here, there),
        here=here,
        there=there,
        decks=decks,
        wrong=asked.wrong,
        compared=compared,
        pairs=[
            Pair(
                name, ours, theirs, (_bar(here, name, ours, low, high), _bar(there, name, theirs, low, high))
            )
            for name, ours, theirs in pairs
        ],
        percent=percent,
        signed=signed,
    )


def report(book: Rulebook, decks: int, printed: str | None = None) -> str:
    """Every figure of a rulebook for a fresh shoe, as one file that needs no network."""
    answer = _answer(book, tuple(book.bets), decks, shoe(book, decks), ENGLISH)
    return paper(
        "report.html",
        STYLE,
        book=book,
        decks=decks,
        answer=answer | {"by_decks": _by_decks(book, decks, ENGLISH)},
        cite=plain_citations,
        printed=printed,
    )


def percent(value: Fraction) -> str:
    return signed(value, 100, 4).removeprefix("+")


def signed(value: Fraction, scale: int, digits: int) -> str:
    """With a plus or a true minus; zero has neither."""
    return charts.signed(float(value * scale), digits)


def _cards(seen: str) -> tuple[Card, ...]:
    if len(seen) > LONGEST_SEEN:
        raise BadInput(f"that is more than any shoe holds: at most {LONGEST_SEEN:,} characters of cards")
    return parse_cards(seen)


@lru_cache(maxsize=512)
def _worth(book: Rulebook, left: Composition) -> dict[str, Value]:
    return values(book, left)


@lru_cache(maxsize=512)
def _offered(book: Rulebook, left: Composition) -> tuple[OfferValue, ...]:
    return offers(book, left) if book.insurance else ()


@lru_cache(maxsize=64)
def _effects(book: Rulebook, decks: int) -> Mapping[str, dict[Rank, Fraction]]:
    """Of a fresh shoe: thirteen times the work of one, so kept for every rulebook and number of decks."""
    return effects(book, fresh(decks))


def _answer(
    book: Rulebook, names: Sequence[str], decks: int, left: Composition, lang: Language
) -> dict[str, object]:
    worth = {name: value for name, value in _worth(book, left).items() if name in names}
    ordered = sorted(worth.items(), key=lambda item: item[1].house_edge)
    low, high = _scale([value.house_edge for value in worth.values()])
    offered = _offered(book, left)
    return {
        "left": left,
        "ranks": dict(zip(Rank, left.ranks, strict=True)),
        "rows": [
            BetRow(name, value, sqrt(value.variance), _bar(book, name, value.house_edge, low, high))
            for name, value in ordered
        ],
        "good": [name for name, value in worth.items() if value.ev > 0],
        "offered": offered,
        "offered_good": sum(offer.favours == "player" for offer in offered),
        "heats": heats(offered, lang),
        "removals": _removals(book, names, decks, lang),
        "by_decks": (),
        "percent": percent,
        "signed": signed,
    }


def _scale(edges: Sequence[Fraction]) -> tuple[float, float]:
    """Percent from the lowest to the highest, zero and five always among them."""
    percents = [float(edge * 100) for edge in edges]
    return min(0.0, *percents) if percents else 0.0, max([5.0, *percents])


def _bar(book: Rulebook, name: str, edge: Fraction, low: float, high: float) -> str:
    return charts.bar(float(edge * 100), low, high, bet_words(name, book).side)


def _listed(books: list[Rulebook], *asked: Rulebook) -> list[Rulebook]:
    """Those to choose from, with what was asked for where that is another text."""
    return list(dict.fromkeys((*books, *asked)))


def heats(offered: Sequence[OfferValue], lang: Language) -> list[Heat]:
    """A map for each hand and window that is offered, all of the same width."""
    lexicon, groups = words(lang), {}
    t = lexicon.ui
    for side in Side:
        for window in (1, 2):
            group = [offer for offer in offered if offer.offer.hand is side and offer.offer.window == window]
            if group:
                groups[side, window] = group
    spans = [[offer.player for offer in group] for group in groups.values()]
    wide = max((max(points) - min(points) + 1 for points in spans), default=0)
    return [
        Heat(
            side,
            window,
            _heat(group, wide, f"{lexicon.say('hands', side)}, {t[f'window_{window}']}", t["heat_told"]),
        )
        for (side, window), group in groups.items()
    ]


def _heat(group: Sequence[OfferValue], wide: int, title: str, told: str) -> str:
    cells = {
        (offer.player, offer.banker): (
            float(offer.ev * 100),
            told.format(
                player=offer.player,
                banker=offer.banker,
                odds=offer.offer.odds.text,
                value=signed(offer.ev, 100, 4),
                chance=percent(offer.probability),
            ),
        )
        for offer in group
        if offer.ev is not None
    }
    start = min(*(offer.player for offer in group), 10 - wide)
    return charts.heat(title, cells, range(start, start + wide), range(8))


def _removals(book: Rulebook, names: Sequence[str], decks: int, lang: Language) -> list[Removal]:
    """Each bet on its own scale: some change a hundred times as much as others."""
    by_rank, t = _effects(book, decks), words(lang).ui
    return [
        Removal(
            name,
            by_rank[name],
            charts.removal(
                t["removal_told"].format(bet_name(name, lang, book)),
                {rank: float(change * 10_000) for rank, change in by_rank[name].items()},
                bet_words(name, book).side,
            ),
        )
        for name in names
    ]


def _by_decks(book: Rulebook, decks: int, lang: Language) -> list[ByDecks]:
    by_bet, t = by_decks(book), words(lang).ui
    edges = {name: {count: worth[name].house_edge for count, worth in by_bet.items()} for name in book.bets}
    return [
        ByDecks(
            name,
            by_count,
            charts.line(
                t["by_decks_told"].format(bet_name(name, lang, book)),
                {count: float(edge * 100) for count, edge in by_count.items()},
                decks,
                bet_words(name, book).side,
                t["by_decks_count"],
            ),
        )
        for name, by_count in edges.items()
    ]
