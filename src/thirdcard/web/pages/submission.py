"""A game's submission on paper: its own page, with the report, the protection and the changes beside it."""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from thirdcard.odds import Value, by_decks, effects, fresh
from thirdcard.odds.changes import changes, usual_decks
from thirdcard.protect.protect_run import ProtectRun
from thirdcard.protect.protection import Protection
from thirdcard.protect.sheet import whole
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.diff import diff
from thirdcard.rulebook.trace import TraceTopic, interpretations, trace
from thirdcard.rulebook.versions import starts
from thirdcard.web import charts
from thirdcard.web.draw.showing import felt
from thirdcard.web.pages import odds, paper, plain_citations, protect
from thirdcard.web.pages.changes import changes_page
from thirdcard.web.pages.rules import changes_in_words, rules_in_words
from thirdcard.words import Language, words
from thirdcard.words.saying import in_words, say

STYLE: Final = ("tokens.css", "base.css", "reader.css", "print.css", "pack.css")
OWN: Final = "submission.html"
LEADS_OUT: Final = re.compile(r' href="/[^"]*"')


class DecksRow(NamedTuple):
    """A bet with so many decks, in percent, and its house edge as a fraction."""

    decks: int
    win: str
    push: str
    edge: str
    exact: str


class CountedCut(NamedTuple):
    """What watching the cards wins with so many behind the cut card, in units a shoe."""

    cut: int
    rounds: str
    perfect: str
    by_count: str
    frequency: str


class TestedParagraph(NamedTuple):
    paragraph: str
    summary: str
    test: str


class BetShown(NamedTuple):
    """All that a page tells of a bet."""

    name: str
    once: str
    edge: str
    deviation: str
    by_decks: list[DecksRow]
    removal: dict[str, str]
    counting: list[CountedCut]
    safe: str
    paragraphs: list[TestedParagraph]


def pages(  # noqa: PLR0913 - what they are made of
    book: Rulebook,
    before: Rulebook | None,
    run: ProtectRun,
    found: Protection,
    *,
    prepared: str,
    lang: Language,
) -> dict[str, str]:
    """Every page of a submission by the name of its file."""
    made = {
        OWN: _own(book, before, found, prepared, lang),
        "odds.html": odds.report(book, found.decks, printed=prepared),
        "protection.html": protect.report(book, found.decks, whole(run, found), lang, printed=prepared),
    }
    if before is not None:
        money = changes(before, book, usual_decks(before, book))
        made["changes.html"] = changes_page(before, book, diff(before, book), money, printed=prepared)
    return {name: LEADS_OUT.sub("", page) for name, page in made.items()}


def _own(book: Rulebook, before: Rulebook | None, found: Protection, prepared: str, lang: Language) -> str:
    lexicon = words(lang)
    topics = [topic for topic in trace() if topic.slug == book.slug]
    return paper(
        OWN,
        STYLE,
        lang=lang,
        printed=prepared,
        book=book,
        before=before,
        other=words("zh" if lang == "en" else "en"),
        found=found,
        decks=found.decks,
        in_force=_in_force(book, lang),
        statuses=Counter(topic.status for topic in topics),
        contents=_contents(before, lang),
        differences=[] if before is None else changes_in_words(before, book, lexicon),
        money_told="" if before is None else _money(before, book, lang),
        felts={letter: _drawn(book, letter) for letter in book.layouts},
        shown=list(_bets(book, found, topics, lang)),
        readings=[one for one in interpretations() if book.slug in one.paragraphs],
        topics=topics,
        cite=plain_citations,
        **rules_in_words(book, topics, lexicon),
    )


def _in_force(book: Rulebook, lang: Language) -> str:
    at = starts(book)
    told = say("submission-undated") if at is None else say("submission-from", at=at.isoformat())
    return in_words(told, lang)


def _contents(before: Rulebook | None, lang: Language) -> dict[str, str]:
    names = [OWN, "odds.html", "protection.html", *(("changes.html",) if before else ()), "figures.json"]
    names += ["rulebook.json", *(("rulebook-before.json",) if before else ()), "verify.py", "manifest.json"]
    names += ["signature.txt"]
    t = words(lang).ui
    return {name: t[f"submission_file_{re.sub('[.-]', '_', name)}"] for name in names}


def _money(before: Rulebook, book: Rulebook, lang: Language) -> str:
    """In a sentence what the changes do to the house's edges."""
    compared = changes(before, book, usual_decks(before, book))
    moved = [bet for bet in compared.bets if bet.change != 0]
    told = say("submission-money", moved=len(moved), bets=len(compared.bets), decks=compared.decks)
    return in_words(told, lang)


def _drawn(book: Rulebook, letter: str) -> str:
    return "data:image/svg+xml;base64," + b64encode(felt(book, letter).svg.encode()).decode()


# --- bets ---------------------------------------------------------------------------------------------------


def _bets(book: Rulebook, found: Protection, topics: list[TraceTopic], lang: Language) -> Iterator[BetShown]:
    every = by_decks(book)
    removal = effects(book, fresh(found.decks), tuple(book.bets))
    by_paragraph = {topic.paragraph: topic for topic in topics}
    for name, bet in book.bets.items():
        value = every[found.decks][name]
        rules = dict.fromkeys((*bet.rules, *(rule for tier in bet.pays for rule in tier.rules)))
        yield BetShown(
            name=name,
            once=f"{float(1 / value.win):,.2f}" if value.win else "",
            edge=_percent(value.house_edge),
            deviation=f"{float(value.variance) ** 0.5:.3f}",
            by_decks=[_row(decks, of[name]) for decks, of in every.items()],
            removal={rank.letter: charts.signed(float(100 * one), 3) for rank, one in removal[name].items()},
            counting=list(_counting(found, name)),
            safe=_safe(found, name, lang),
            paragraphs=[_tested(by_paragraph[rule]) for rule in rules if rule in by_paragraph],
        )


def _row(decks: int, value: Value) -> DecksRow:
    edge = value.house_edge
    exact = f"{edge.numerator} / {edge.denominator}"
    return DecksRow(decks, _percent(value.win), _percent(value.push), _percent(edge), exact)


def _percent(share: Fraction) -> str:
    return charts.signed(float(100 * share), 5).removeprefix("+")


def _counting(found: Protection, name: str) -> Iterator[CountedCut]:
    for cut, at in found.cuts.items():
        best, count = at.bets[name].perfect, at.bets[name].count
        yield CountedCut(
            cut=int(cut),
            rounds=f"{at.rounds_per_shoe:.1f}",
            perfect=f"{best.units_per_shoe:.3f} ± {best.error:.4f}",
            by_count=charts.signed(count.units_per_shoe, 3).removeprefix("+"),
            frequency=f"{100 * best.frequency:.2f} %",
        )


def _safe(found: Protection, name: str, lang: Language) -> str:
    cut, tolerance = found.bets[name].safe_cut, f"{found.terms.tolerance:g}"
    if cut is None:
        return in_words(say("submission-no-cut", units=tolerance), lang)
    return in_words(say("submission-cut", cut=cut, units=tolerance), lang)


def _tested(topic: TraceTopic) -> TestedParagraph:
    """With the first test that plays by it."""
    tests = topic.playing_tests or topic.tests
    test = tests[0].rpartition("::")[2] if tests else ""
    return TestedParagraph(topic.paragraph, topic.summary, test)
