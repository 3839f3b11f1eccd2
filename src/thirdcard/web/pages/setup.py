"""What the set-up page of a table chooses from: every rulebook with its layouts, bets and methods."""

from functools import lru_cache
from typing import Any

from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.lookup import usual_decks
from thirdcard.table.setup import DEFAULT_CUT
from thirdcard.web.draw import Spot, spots
from thirdcard.web.pages import text_of, usable
from thirdcard.words import Language, bet_name, words

# What a placard says, in both languages at once.
PLACARD = ("minimum", "maximum", "differential", "pays", "side_bets", "insurance", "no_insurance", "private")
BOTH: tuple[Language, Language] = ("en", "zh")


def choices(lang: Language, played: Rulebook | None = None) -> dict[str, Any]:
    """The rulebooks that can be used, by slug, and the words of a placard; `played` is a table's text."""
    return {
        "books": {book.slug: _book(book, lang) for book in (*usable(), *((played,) if played else ()))},
        "placard": {
            **{key: [words(one).ui[f"placard_{key}"] for one in BOTH] for key in PLACARD},
            "to": [words(one).ui["odds_to"] for one in BOTH],
        },
        "cut": DEFAULT_CUT,
    }


@lru_cache(maxsize=256)
def _book(book: Rulebook, lang: Language) -> dict[str, Any]:
    document, most = book.document, book.limits.wagers_per_area
    return {
        "text": text_of(book),
        "title": document.title,
        "titles": [words(one).name_of("books", book.slug, document.title) for one in BOTH],
        "operator": document.operator,
        "version": document.version,
        "decks": [book.decks.min, book.decks.max],
        "usual_decks": usual_decks(book),
        "layouts": {
            letter: {"positions": layout.positions, "bets": [spot.bet for spot in spots(book, letter, lang)]}
            for letter, layout in book.layouts.items()
        },
        "bets": {
            spot.bet: _bet(spot, lang, book) for letter in book.layouts for spot in spots(book, letter, lang)
        },
        "methods": [
            {
                "name": method.name,
                "title": method.title,
                "face_down": method.face_down,
                "area": method.area,
                "device": method.device,
            }
            for method in book.dealing
        ],
        "insurance": book.insurance.name if book.insurance else "",
        "private": book.insurance.private.rules if book.insurance else (),
        "differential": "differential" in book.limits.displayed.value,
        "most_wagers": most.value if most is not None else None,
    }


def _bet(spot: Spot, lang: Language, book: Rulebook) -> dict[str, Any]:
    return {
        "name": bet_name(spot.bet, lang, book),
        "en": spot.words.en,
        "zh": spot.words.zh,
        "side": spot.words.side,
        "main": spot.words.row == "main",
        "pays": spot.pays,
    }
