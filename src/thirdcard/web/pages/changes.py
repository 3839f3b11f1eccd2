"""What a new version of a rulebook says and does to money, as one page to print."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from thirdcard.odds.changes import EdgeChange, LayoutEdges, MoneyChanges, changes
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.diff import Diff, diff
from thirdcard.web import charts
from thirdcard.web.pages import paper, render, today
from thirdcard.words import ENGLISH, Language, Words, words
from thirdcard.words.telling import brief

NONE = "\N{EN DASH}"


def changes_page(
    old: Rulebook, new: Rulebook, found: Diff, money: MoneyChanges, printed: str | None = None
) -> str:
    """One file that needs no network, black on white."""
    values = _values(old, new, found, money, ENGLISH)
    return paper("changes.html", ("changes.css", "print.css"), **values, printed=printed)


def changes_shown(
    old: Rulebook, new: Rulebook, decks: int, lang: Language, query: Mapping[str, object]
) -> str:
    """The same for a browser, as it was asked for."""
    values = _values(old, new, diff(old, new), _money(old, new, decks), lang)
    return render("changes.html", query=query, printed=today(), style="", **values)


@lru_cache(maxsize=32)
def _money(old: Rulebook, new: Rulebook, decks: int) -> MoneyChanges:
    return changes(old, new, decks)


def _values(old: Rulebook, new: Rulebook, found: Diff, money: MoneyChanges, lang: Language) -> dict[str, Any]:
    return {
        "lang": lang,
        "books": {"before": old, "after": new},
        "values": {"added": found.added, "removed": found.removed, "changed": found.changed},
        "money": money,
        "layouts": _alike(money.layouts, words(lang)),
        "begins": [change for change in money.insurance if change.begins],
        "ceases": [change for change in money.insurance if change.ceases],
        "brief": brief,
        "percent": percent,
    }


def _alike(layouts: Iterable[LayoutEdges], lexicon: Words) -> dict[str, tuple[EdgeChange, ...]]:
    """Layouts that offer the same bets before and after stand together."""
    t = lexicon.ui
    groups: dict[tuple[str, tuple[EdgeChange, ...]], list[str]] = {}
    for layout in layouts:
        suffix = f" ({t['diff_new']})" if layout.added else f" ({t['diff_gone']})" if layout.removed else ""
        groups.setdefault((suffix, layout.bets), []).append(layout.layout)
    return {f"{t['list_join'].join(letters)}{suffix}": bets for (suffix, bets), letters in groups.items()}


def percent(value: Fraction | None, *, sign: bool = False) -> str:
    """To four digits; a dash where there is no number."""
    if value is None:
        return NONE
    shown = charts.signed(float(value * 100), 4)
    return shown if sign else shown.removeprefix("+")
