"""Pages as HTML text: templates filled with plain values. Nothing is read but what the package holds.

No page carries an inline script or style, so a strict Content-Security-Policy holds.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from thirdcard.errors import BadInput
from thirdcard.web.assets import address
from thirdcard.web.words import Language, bet_words, ui

LANGUAGES: dict[Language, str] = {"en": "en", "zh": "zh-Hant"}  # ours, and as HTML names them
NOTHING: Mapping[str, object] = MappingProxyType({})
_PAGES = Environment(
    loader=PackageLoader("thirdcard.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def language(text: str) -> Language:
    """The language somebody asked for by name; BadInput if no page is written in it."""
    for known in LANGUAGES:
        if text == known:
            return known
    raise BadInput(f"there are pages in {' and '.join(LANGUAGES)}: got {text!r}")


def render(
    template: str, *, lang: Language = "en", query: Mapping[str, object] = NOTHING, **values: object
) -> str:
    """The page in that language; templates have its words as `t`.

    `query` is what the page was asked for; the link to the other language, `switch`, asks for the same.
    """
    other = "en" if lang == "zh" else "zh"
    given: dict[str, object] = {
        "lang": lang,
        "html_lang": LANGUAGES[lang],
        "t": ui(lang),
        "switch": "?" + urlencode({**query, "lang": other}),
    }
    return _PAGES.get_template(template).render(given | values)


def anchor(rule: str) -> str:
    """The id of a paragraph in its reader; a lettered item is in its paragraph."""
    return f"p-{rule.partition('(')[0]}"


def cite(rules: Iterable[str], slug: str = "") -> Markup:
    """Paragraph numbers as links into the reader of a rulebook; without a slug, into the page itself."""
    page = f"/rules/{slug}" if slug else ""
    link = Markup('<a class="cite" href="{}#{}">{}</a>')
    return Markup(" ").join(link.format(page, anchor(rule), rule) for rule in rules)


_PAGES.globals |= {"static": address, "bet_words": bet_words, "cite": cite}
_PAGES.filters["cite"] = cite
