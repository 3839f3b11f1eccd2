"""The rules reader: every rulebook in our words, what changed between them, how they are read."""

from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from thirdcard.cards import Card
from thirdcard.odds.changes import usual_decks
from thirdcard.rulebook import Rulebook, named
from thirdcard.rulebook.diff import Difference, diff
from thirdcard.rulebook.faults import citations
from thirdcard.rulebook.load import Entry, catalogue
from thirdcard.rulebook.lookup import check_decks
from thirdcard.rulebook.model import Layout
from thirdcard.rulebook.trace import SHORT_NAMES, TraceTopic, interpretations, trace
from thirdcard.rulebook.versions import earlier_versions
from thirdcard.service.queries.spot_help import SpotHelp, spot_help
from thirdcard.web.pages import anchor, render, text_of, usable
from thirdcard.web.pages.changes import changes_shown
from thirdcard.words import Language, Words, words
from thirdcard.words.telling import (
    Term,
    assumed,
    brief,
    commission,
    condition,
    facts,
    key,
    numbers,
    pushed,
    ranks,
    remedy,
    terms,
)

# For whoever plays for the first time -------------------------------------------------------------------

SELDOM = 0.1  # what comes less often is told as one in so many


def learn_page(slug: str, lang: Language) -> str:
    """The bets are those of that rulebook's first layout."""
    return _learn(named(slug), tuple(usable()), lang)


@lru_cache(maxsize=32)
def _learn(book: Rulebook, books: tuple[Rulebook, ...], lang: Language) -> str:
    layout, decks = min(book.layouts), usual_decks(book, book)
    help_by_bet = spot_help(book, layout, decks, lang)
    bets = {name: one for name, one in help_by_bet.items() if one.tiers}
    return render(
        "learn.html",
        lang=lang,
        page="learn",
        query={"rulebook": book.slug},
        book=book,
        books=books,
        decks=decks,
        bets=bets,
        best=min(bets.values(), key=_price),
        chance=lambda part: chance(part, lang),
        edge=edge,
        as_card=Card,
    )


def _price(one: SpotHelp) -> float:
    return one.edge


def chance(part: float, lang: Language) -> str:
    """`44.6%`, or `1 in 60`: as beside a spot of a table."""
    if part >= SELDOM or not part:
        return f"{100 * part:.1f}%"
    return words(lang).ui["live_help_one_in"].format(n=f"{round(1 / part):,}")


def edge(part: float) -> str:
    """With two figures that tell something."""
    return f"{100 * part:.{2 if abs(part) < SELDOM else 1}f}%".replace("-", "\N{MINUS SIGN}")


MOST_COMPARED = 8  # rulebooks that a table of all pairs has room for


class Chapter(NamedTuple):
    number: str
    entries: list[TraceTopic]


class RulesChange(NamedTuple):
    """A difference as people read it."""

    path: list[str]
    before: str
    after: str
    rules: tuple[str, ...]
    rules_before: tuple[str, ...]


def rules_index(lang: Language) -> str:
    """Every rulebook that was found, those that cannot be used with the reason, and two to compare."""
    return _index(catalogue(), lang)


@lru_cache(maxsize=16)
def _index(entries: tuple[Entry, ...], lang: Language) -> str:
    books = {entry.slug: entry.book for entry in entries if entry.book is not None}
    return render(
        "rules.html",
        lang=lang,
        page="rules",
        entries=[entry for entry in entries if entry.book is not None],
        broken=[entry for entry in entries if entry.book is None],
        books=list(books.values()),
        most_compared=MOST_COMPARED,
        earlier=earlier_versions(books.values()),
        interpretations=len(interpretations()),
        count=sum(len(book.paragraphs) for book in books.values()),
    )


def rulebook_page(slug: str, lang: Language) -> str:
    """A whole rulebook; every paragraph has the anchor `p-` and its number."""
    book = named(slug)
    entry = next((entry for entry in catalogue() if entry.book is book), None)
    return _reader(book, entry, earlier_versions(usable()).get(book.slug, ""), lang)


@lru_cache(maxsize=128)
def _reader(book: Rulebook, entry: Entry | None, earlier: str, lang: Language) -> str:
    """`entry` is where the text was found, if its slug still means it."""
    lexicon = words(lang)
    entries = [topic for topic in trace() if topic.slug == book.slug] if entry else []
    return render(
        "rulebook.html",
        lang=lang,
        page="rules",
        book=book,
        entry=entry,
        earlier=earlier,
        text=text_of(book),
        assumed=assumed(book, lexicon),
        cited={} if entries else _cited(book),
        contents=_contents(book),
        statuses=Counter(entry.status for entry in entries),
        chapters=_chapters(entries),
        read_with={entry.paragraph: read_with(entry) for entry in entries},
        **rules_in_words(book, entries, lexicon),
    )


def rules_in_words(book: Rulebook, entries: Iterable[TraceTopic], lexicon: Words) -> dict[str, Any]:
    """What the parts of a rulebook are shown by; `entries` are its paragraphs in our words."""
    return {
        "commission": commission(book, lexicon),
        "layouts": _layouts(book),
        "on_layouts": {name: _on_layouts(book, name, lexicon.ui["rules_every_layout"]) for name in book.bets},
        "player_draws": numbers(book.table_of_play.player_draws, lexicon),
        "drawn": {
            points: [third in against for third in range(10)]
            for points, against in book.table_of_play.banker_draws.items()
        },
        "insurance": list(terms(book, book.insurance, lexicon)) if book.insurance else [],
        "limits": list(terms(book, book.limits, lexicon)),
        "betting": [*terms(book, book.betting, lexicon), *bare_terms(book, lexicon)],
        "methods": {method.name: list(terms(book, method, lexicon)) for method in book.dealing},
        "squeeze": list(terms(book, book.squeeze, lexicon)),
        "titles": ranks(book, lexicon),
        "remedy": partial(remedy, lexicon=lexicon),
        "summaries": {entry.paragraph: entry.summary for entry in entries},
        "condition": partial(condition, lexicon=lexicon),
        "pushed": partial(pushed, lexicon=lexicon),
        "facts": partial(facts, lexicon=lexicon),
        "key": key,
        "unique": dict.fromkeys,
    }


def compare_rulebooks(a: str, b: str, lang: Language) -> str:
    """What `b` adds to, takes from and changes in `a`."""
    old, new = named(a), named(b)
    groups = _grouped(old, new, words(lang))
    return render(
        "compare.html",
        lang=lang,
        page="rules",
        old=old,
        new=new,
        texts=(text_of(old), text_of(new)),
        groups=groups,
    )


def _grouped(old: Rulebook, new: Rulebook, lexicon: Words) -> dict[str, list[RulesChange]]:
    difference = diff(old, new)
    return {
        kind: _changes(differences, lexicon)
        for kind, differences in (
            ("added", difference.added),
            ("removed", difference.removed),
            ("changed", difference.changed),
        )
        if differences
    }


def changes_in_words(old: Rulebook, new: Rulebook, lexicon: Words) -> list[RulesChange]:
    """What the newer text says otherwise; what was not there before has no `before`."""
    return [
        change._replace(
            before="" if kind == "added" else change.before, after="" if kind == "removed" else change.after
        )
        for kind, changes in _grouped(old, new, lexicon).items()
        for change in changes
    ]


def rules_diff(a: str, b: str, decks: int | None, lang: Language) -> str:
    """The same to print, with what it does to money."""
    old, new = named(a), named(b)
    count = usual_decks(old, new) if decks is None else check_decks(new, check_decks(old, decks))
    return changes_shown(old, new, count, lang, {"a": a, "b": b, "decks": count})


@cache
def interpretations_page(lang: Language) -> str:
    """What the documents leave open; each has the anchor `i-` and its number."""
    return render(
        "interpretations.html",
        lang=lang,
        page="rules",
        interpretations=interpretations(),
        shorts=SHORT_NAMES,
    )


def _contents(book: Rulebook) -> list[str]:
    parts = ["layouts", "pays", "table_of_play", "insurance", "limits", "betting", "dealing", "ranks"]
    parts += ["irregularities", "discretions", "notices"]
    missing = {name for name in ("insurance", "discretions", "notices") if not getattr(book, name)}
    return [part for part in parts if part not in missing]


def _cited(book: Rulebook) -> dict[str, list[str]]:
    """Every paragraph of a document, with the keys that cite it or an item of it."""
    citing: dict[str, list[str]] = {paragraph: [] for paragraph in book.paragraphs}
    for where, rule in citations(book):
        citing[anchor(rule).removeprefix("p-")].append(where.removesuffix(".rules"))
    return citing


def bare_terms(book: Rulebook, lexicon: Words) -> list[Term]:
    """What the document says of the cut card and of a void round, where it does."""
    facts_of = {"cut_card": book.cut_card, "void": book.void}
    return [Term(lexicon.ui[f"term_{name}"], "", fact.rules) for name, fact in facts_of.items() if fact]


def _layouts(book: Rulebook) -> dict[Layout, list[str]]:
    """Letters together whose layouts are alike."""
    alike: dict[Layout, list[str]] = {}
    for letter, layout in book.layouts.items():
        alike.setdefault(layout, []).append(letter)
    return alike


def _on_layouts(book: Rulebook, bet: str, every: str) -> str:
    letters = [letter for letter, layout in book.layouts.items() if bet in layout.bets]
    return every if len(letters) == len(book.layouts) else " ".join(letters)


def _chapters(entries: Iterable[TraceTopic]) -> list[Chapter]:
    chapters: dict[str, list[TraceTopic]] = {}
    for entry in entries:
        chapters.setdefault(entry.paragraph.partition(".")[0], []).append(entry)
    return [Chapter(number, members) for number, members in chapters.items()]


def read_with(entry: TraceTopic) -> list[int]:
    """The interpretations that touch a paragraph, or a lettered item of it."""
    return [
        interpretation.number
        for interpretation in interpretations()
        if entry.paragraph
        in [rule.partition("(")[0] for rule in interpretation.paragraphs.get(entry.slug, ())]
    ]


def _changes(differences: Iterable[Difference], lexicon: Words) -> list[RulesChange]:
    """A line for each key: the entries of a list that came or went stand together."""
    alike: dict[tuple[object, ...], list[Difference]] = {}
    for difference in differences:
        alike.setdefault((difference.key, difference.rules, difference.rules_before), []).append(difference)
    return [
        RulesChange(
            [part.replace("_", " ") for part in group[0].key.split(".")],
            brief([difference.before for difference in group], lexicon),
            brief([difference.after for difference in group], lexicon),
            group[0].rules,
            group[0].rules_before,
        )
        for group in alike.values()
    ]
