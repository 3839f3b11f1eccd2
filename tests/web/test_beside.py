"""Text beside rule: whatever a paragraph says is told beside it, by every book, in every language."""

import re
from html import unescape

import pytest

from each import each
from thirdcard.errors import BadInput
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.faults import citations
from thirdcard.web.pages.beside import EVERY, beside_page
from thirdcard.words import languages
from web.books import found

TBN3, TBN4 = "rws-tiger-buffalo-non-commission-v3", "rws-tiger-buffalo-non-commission-v4"


def text_of(html: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)))


@each("slug", slugs)
def test_every_paragraph_is_shown_in_every_language(slug: str) -> None:
    book = load(slug)
    for lang in languages():
        page = beside_page(slug, EVERY, "", lang)
        assert re.findall(r'<article class="whole" id="p-([\d.]+)"', page) == list(book.paragraphs)


@each("slug", slugs)
def test_what_cites_a_paragraph_stands_beside_it(slug: str) -> None:
    """Whatever part of the book cites it: no paragraph with a value is shown without one."""
    book = load(slug)
    cited = {paragraph.partition("(")[0] for _, paragraph in citations(book)}
    parts = re.split(r'<article class="whole" id="p-', beside_page(slug, EVERY, "", "en"))[1:]
    empty = {part.partition('"')[0] for part in parts if "No value of the book rests" in part}
    assert empty.isdisjoint(cited)
    assert empty <= set(book.paragraphs) - cited


def test_4_1_4_small_tiger_and_big_tiger_with_price_layouts_round_and_tests() -> None:
    page = text_of(beside_page(TBN4, "4.1.4", "", "en"))
    for said in ("Small Tiger", "Banker wins on 6 with 2 cards", "22 to 1", "143.33", "test_4_1_4_big_tiger"):
        assert said in page
    assert "A B C D E F G H I J K L M N O Q R" in page


def test_the_version_before_is_compared_with_unless_another_is_named() -> None:
    page = beside_page(TBN4, "4.1.13", "", "en")
    assert "version 3 → RWS" in text_of(page)
    other = text_of(beside_page(TBN4, "4.1.1", "mbs-tiger-v2", "en"))
    assert re.search(r"House edge [\d.]+% → [\d.]+%", other), "a price that changed is told on both sides"
    assert "Nothing changed here." in text_of(beside_page(TBN4, "3.2.1", "", "en"))


def test_a_copy_stands_beside_its_paragraph_and_is_marked_up_as_text() -> None:
    page = beside_page(TBN4, "4.1.4", "", "en", {"4.1.4": "<b>bold</b> & more"})
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; more" in page
    assert "<b>bold</b>" not in page


def test_a_paragraph_that_is_not_there() -> None:
    with pytest.raises(BadInput, match=r"has no paragraph 9\.9"):
        beside_page(TBN4, "9.9", "", "en")


def test_a_book_without_paragraphs() -> None:
    with found():
        assert "no numbered paragraphs" in beside_page("ez-baccarat", "", TBN3, "en")
