"""Finding things in a rulebook by name; what is not there is a sentence with the nearest names."""

from difflib import get_close_matches

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.load import load, slugs
from thirdcard.rulebook.model import Layout, Rulebook


def listing() -> list[dict[str, object]]:
    """Every rulebook in brief, as plain values."""
    return [
        {
            "slug": book.slug,
            "title": book.document.title,
            "operator": book.document.operator,
            "version": book.document.version,
            "effective": book.document.effective,
            "decks": [book.decks.min, book.decks.max],
            "layouts": {
                letter: {"positions": layout.positions, "bets": layout.bets}
                for letter, layout in book.layouts.items()
            },
        }
        for book in map(load, slugs())
    ]


def only_layout(book: Rulebook, letter: str) -> Rulebook:
    """The rulebook as far as one layout goes."""
    layout = find_layout(book, letter)
    return msgspec.structs.replace(
        book,
        layouts={letter: layout},
        bets={name: bet for name, bet in book.bets.items() if name in layout.bets},
    )


def find_layout(book: Rulebook, letter: str) -> Layout:
    if letter not in book.layouts:
        raise BadInput(f"{book.slug} has no layout {letter!r}: choose one of {', '.join(book.layouts)}")
    return book.layouts[letter]


def check_decks(book: Rulebook, decks: int) -> int:
    allowed = book.decks
    if not allowed.min <= decks <= allowed.max:
        raise BadInput(
            f"{book.slug} is played with {allowed.min} to {allowed.max} decks "
            f"({', '.join(allowed.rules)}): got {decks}",
            rules=allowed.rules,
        )
    return decks


def no_such_bet(book: Rulebook, name: str, layout: str | None = None) -> BadInput:
    """Why a bet cannot be made: the rulebook does not know it, or the layout does not offer it."""
    if name in book.bets and layout is not None:
        offering = [letter for letter, one in book.layouts.items() if name in one.bets]
        return BadInput(
            f"layout {layout} of {book.slug} does not offer {name}: layout {', '.join(offering)} does"
        )
    near = get_close_matches(name, book.bets, n=3) or list(book.bets)
    return BadInput(f"{book.slug} has no bet {name!r}: did you mean {' or '.join(near)}?")
