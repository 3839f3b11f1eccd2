"""Pages as HTML text: templates filled with plain values. Nothing is read but what the package holds.

No page carries an inline script or style, so a strict Content-Security-Policy holds.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.rulebook.load import SHOWN_DIGEST, catalogue
from thirdcard.web.assets import address
from thirdcard.web.places import places
from thirdcard.words import (
    ENGLISH,
    BetWords,
    Language,
    Words,
    bet_name,
    bet_words,
    card_name,
    languages,
    words,
)
from thirdcard.words.saying import in_words
from thirdcard.words.telling import pays

NOTHING: Mapping[str, object] = MappingProxyType({})
_PAGES = Environment(
    loader=PackageLoader("thirdcard.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render(
    template: str, *, lang: Language = ENGLISH, query: Mapping[str, object] = NOTHING, **values: object
) -> str:
    """The page in that language; templates have its phrases as `t`, and all its words as `own`.

    `query` is what the page was asked for; the links to other languages, `switches`, ask for the same. Bets
    are named as the page's `book` does, or the one that a template names.
    """
    lexicon, book = words(lang), values.get("book")
    page_book = book if isinstance(book, Rulebook) else None

    def words_of(name: str, of: Rulebook | None = None) -> BetWords:
        return bet_words(name, of or page_book)

    def name_of(name: str, of: Rulebook | None = None) -> str:
        return bet_name(name, lang, of or page_book)

    given: dict[str, object] = {
        "lang": lang,
        "html_lang": lexicon.heading.html,
        "own": lexicon,
        "t": lexicon.ui,
        "hands": lexicon.sections["hands"],
        "in_words": partial(in_words, language=lexicon.code),
        "named": partial(_named, lexicon),
        "bet_name": name_of,
        "bet_words": words_of,
        "paid_at": partial(pays, lexicon=lexicon),
        "card_name": partial(card_name, language=lang),
        "switches": [
            (words(other).heading, "?" + urlencode({**query, "lang": other}, doseq=True))
            for other in languages()
            if other != lang
        ],
    }
    return _PAGES.get_template(template).render(given | values)


def paper(template: str, sheets: Iterable[str], *, linked: bool = False, **values: Any) -> str:  # noqa: ANN401 - a template's
    """A page to be printed or kept: whole by itself, or `linked` to the style sheets that a server has."""
    css = files("thirdcard.web") / "static" / "css"
    style = "" if linked else "".join((css / name).read_text(encoding="utf-8") for name in sheets)
    printed = values.pop("printed", None)  # when it was made, if it is not today
    values["printed"] = today() if printed is None else printed
    return render(template, linked=tuple(sheets) if linked else (), style=style, **values)


def plain_citations(rules: Iterable[str], _slug: str = "") -> str:
    """Paragraphs as paper has them, without links."""
    return ", ".join(dict.fromkeys(rules))


def _named(lexicon: Words, section: str, key: str, title: str) -> str | Markup:
    """What the language calls something that the documents name; their own words are marked as English."""
    said = lexicon.name_of(section, key, "")
    return said or (title if lexicon.code == ENGLISH else Markup('<span lang="en">{}</span>').format(title))


def usable() -> list[Rulebook]:
    """Every rulebook that was found and can be used."""
    return [entry.book for entry in catalogue() if entry.book is not None]


def short_digest(book: Rulebook) -> str:
    return digest_of(book)[:SHOWN_DIGEST]


def today() -> str:
    """The day on which a file is made, by UTC."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


def text_of(book: Rulebook) -> str:
    """How an address names this very text of a rulebook, whatever its slug means later."""
    return f"{book.slug}@{short_digest(book)}"


def anchor(rule: str) -> str:
    """The id of a paragraph in its reader; a lettered item is in its paragraph."""
    return f"p-{rule.partition('(')[0]}"


def cite(rules: Iterable[str], slug: str = "") -> Markup:
    """Paragraph numbers as links into the reader of a rulebook; without a slug, into the page itself."""
    page = f"/rules/{slug}" if slug else ""
    link = Markup('<a class="cite" href="{}#{}">{}</a>')
    return Markup(" ").join(link.format(page, anchor(rule), rule) for rule in rules)


_PAGES.globals |= {
    "release": version("thirdcard"),
    "static": address,
    "cite": cite,
    "digest_of": digest_of,
    "places": places,
    "short_digest": short_digest,
}
_PAGES.filters["cite"] = cite
