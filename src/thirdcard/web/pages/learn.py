"""For whoever plays for the first time: the game in three steps, and every bet with cards to look at."""

from functools import lru_cache

from thirdcard.cards import Card
from thirdcard.odds.changes import usual_decks
from thirdcard.rulebook import Rulebook, named
from thirdcard.service.queries.spot_help import SpotHelp, spot_help
from thirdcard.web.pages import render, usable
from thirdcard.words import Language, words

SELDOM = 0.1  # what comes less often is told as one in so many


def learn_page(slug: str, lang: Language) -> str:
    """The bets are those of that rulebook's first layout."""
    return _learn(named(slug), tuple(usable()), lang)


@lru_cache(maxsize=32)
def _learn(book: Rulebook, books: tuple[Rulebook, ...], lang: Language) -> str:
    layout, decks = min(book.layouts), usual_decks(book, book)
    told = spot_help(book, layout, decks, lang)
    bets = {name: one for name, one in told.items() if one.tiers}
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
