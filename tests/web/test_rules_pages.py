"""The rules reader: whole, linked to the last paragraph, and fit for a strict Content-Security-Policy."""

from datetime import UTC, datetime
from functools import cache
from itertools import permutations

import pytest

from thirdcard.errors import BadInput
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.model import Side
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.rulebook.third_cards import next_by_points
from thirdcard.rulebook.trace import interpretations, trace
from thirdcard.web.assets import address, assets, version
from thirdcard.web.pages import cite, render
from thirdcard.web.pages.odds import odds_compare, odds_page
from thirdcard.web.pages.rules import (
    compare_rulebooks,
    interpretations_page,
    rulebook_page,
    rules_diff,
    rules_index,
)
from thirdcard.web.pages.timeline import timeline_page
from thirdcard.words import Language, bet_words, languages, words
from web.reading import Page

pytestmark = pytest.mark.slow

TBN3, TBN4 = "rws-tiger-buffalo-non-commission-v3", "rws-tiger-buffalo-non-commission-v4"
INTO = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
LANGUAGES = languages()


@cache
def site(lang: Language) -> dict[str, Page]:
    """Every page by its address; of the odds pages, a fresh shoe of each rulebook."""
    found = {"/rules": rules_index(lang), "/rules/interpretations": interpretations_page(lang)}
    now = datetime(2025, 7, 22, 6, 5, tzinfo=UTC)
    found["/rules/timeline"] = timeline_page("", "", "", lang, now=now)
    found["/rules/timeline?family=mbs-tiger"] = timeline_page("mbs-tiger", "", "", lang, now=now)
    found["/rules/timeline?family=rws-tiger-buffalo-non-commission"] = found["/rules/timeline"]
    for slug in slugs():
        found[f"/rules/{slug}"] = rulebook_page(slug, lang)
        found[f"/odds?rulebook={slug}"] = odds_page(slug, "", 8, "", lang)
    found[f"/rules/diff?a={TBN3}&b={TBN4}"] = rules_diff(TBN3, TBN4, None, lang)
    for old, new in permutations(slugs(), 2):
        found[f"/rules/{old}/compare/{new}"] = compare_rulebooks(old, new, lang)
        found[f"/odds/compare?a={old}&b={new}"] = odds_compare(old, new, 8, lang)
    return {address: Page(text) for address, text in found.items()}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_holds_to_a_strict_policy(lang: Language) -> None:
    assert [(address, fault) for address, page in site(lang).items() for fault in page.faults()] == []


def test_a_fault_is_seen() -> None:
    text = '<p id="a" style="color:red" onclick="x()"></p><b id="a"></b><script>x()</script><a href="http://x/">x</a>'
    assert Page(text).faults() == [
        "id a comes twice",
        "style on <p>",
        "onclick on <p>",
        "inline <script>",
        "href=http://x/",
    ]
    for broken in ("<p><b></p></b>", "<p>"):
        with pytest.raises(AssertionError):
            Page(broken)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_says_its_language_and_links_the_others(lang: Language) -> None:
    others = [other for other in LANGUAGES if other != lang]
    for page in site(lang).values():
        assert page.one("html").attributes["lang"] == words(lang).heading.html
        switches = [one.attributes["href"] for one in page.all("a", _class="language")]
        assert [href.rpartition("lang=")[2] for href in switches] == others
        assert page.one("main").attributes["id"] == "main"
        assert "main" in page.links[0]  # the skip link comes first
        assert page.one("h1").text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_static_files_that_pages_ask_for_exist(lang: Language) -> None:
    for page in site(lang).values():
        for element in (*page.all("link"), *page.all("script")):
            path = element.attributes.get("href") or element.attributes["src"]
            assert path.removeprefix(address("")) in assets(), path


def test_all_571_paragraphs_have_an_anchor() -> None:
    found = 0
    for slug in slugs():
        anchors = [one for one in site("en")[f"/rules/{slug}"].ids if one.startswith("p-")]
        assert anchors == [f"p-{paragraph}" for paragraph in load(slug).paragraphs]
        found += len(anchors)
    assert found == 571


# Pages of people, tables and the house's own documents, which tests of a server open.
ELSEWHERE = ("/account", "/learn", "/school", *(f"/rules/{slug}/beside" for slug in slugs()))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_link_is_broken(lang: Language) -> None:
    pages_of = site(lang)
    known = {here.partition("?")[0] for here in pages_of} | {"/"}
    ids = {here: frozenset(page.ids) for here, page in pages_of.items()}
    broken = []
    for here, page in pages_of.items():
        for link in page.links:
            path, _, anchor = link.partition("#")
            path = path.partition("?")[0]
            if path in ELSEWHERE:
                continue
            there = ids.get(path or here, frozenset())
            if (path and path not in known) or (anchor and anchor not in there):
                broken.append((here, link))
    assert broken == []


@pytest.mark.parametrize("slug", slugs())
def test_a_paragraph_is_told_with_its_status_readings_and_tests(slug: str) -> None:
    page = site("en")[f"/rules/{slug}"]
    for entry in trace():
        if entry.slug != slug:
            continue
        article = page.one("article", id=f"p-{entry.paragraph}")
        assert entry.summary in article.text
        assert [tag.text for tag in article.all("span", _class="tag")] == [entry.status]
        touching = {
            f"/rules/interpretations#i-{one.number}"
            for one in interpretations()
            if any(rule.partition("(")[0] == entry.paragraph for rule in one.paragraphs.get(slug, ()))
        }
        assert {link.attributes["href"] for link in article.all("a", _class="reading")} == touching
        assert [code.text for code in article.all("code")] == [*entry.code, *entry.tests]


@pytest.mark.parametrize("slug", slugs())
def test_layouts_and_pay_table_are_those_of_the_document(slug: str) -> None:
    book, page = load(slug), site("en")[f"/rules/{slug}"]
    for letter, layout in book.layouts.items():
        (group,) = [item for item in page.all("li") if item.all("b", id=f"layout-{letter}")]
        bets = [link.attributes["href"] for link in group.all("a") if "#bet-" in link.attributes["href"]]
        assert bets == [f"#bet-{name}" for name in layout.bets]
        assert "{} to {} positions".format(*layout.positions) in group.text
    for name, bet in book.bets.items():
        rows = page.one("tbody", id=f"bet-{name}")
        pays = [cell.text for cell in rows.all("td", _class="r")]
        assert pays == [tier.odds.text for tier in bet.pays] + ["returned"] * bool(bet.push)
        cited = {link.text for link in rows.all("a", _class="cite")}
        assert cited >= {*bet.rules, *(rule for tier in bet.pays for rule in tier.rules)}


@pytest.mark.parametrize("slug", slugs())
def test_table_of_play_is_the_one_that_deals(slug: str) -> None:
    table = load(slug).table_of_play
    rows = site("en")[f"/rules/{slug}"].one("table", _class="grid").all("tbody")[0].all("tr")
    assert len(rows) == 8
    for banker, row in enumerate(rows):
        shown = [cell.text == "draws" for cell in row.all("td")]
        stands = next_by_points(table, 6, banker) is Side.BANKER
        thirds = [next_by_points(table, 0, banker, (third,)) is Side.BANKER for third in range(10)]
        assert shown == [stands, *thirds]


@pytest.mark.parametrize("slug", slugs())
def test_every_irregularity_shows_its_rulings(slug: str) -> None:
    book, page = load(slug), site("en")[f"/rules/{slug}"]
    titles = {rank.name: rank.title for rank in book.ranks}
    for procedure in book.procedures:
        case = page.one("article", id=f"case-{procedure.case}")
        for ruling, told in zip(procedure.rulings, case.all("div", _class="ruling"), strict=True):
            assert [item.text for item in told.all("li")] == [REMEDIES[one].sentence for one in ruling.remedy]
            assert titles[ruling.decides] in told.text
            assert tuple(link.text for link in told.all("a", _class="cite")) == ruling.rules


@pytest.mark.parametrize("slug", slugs())
def test_the_insurance_table_is_the_documents(slug: str) -> None:
    insurance, page = load(slug).insurance, site("en")[f"/rules/{slug}"]
    sections = page.all("section", aria_labelledby="insurance")
    assert bool(sections) == bool(insurance)
    if insurance:
        rows = [row for row in sections[0].all("tr") if row.all("td")]
        for offer, row in zip(insurance.offers, rows, strict=True):
            cells = [cell.text for cell in row.all("td")][1:5]
            tie = "paid" if offer.tie_paid else "returned"
            assert cells == [str(offer.player), str(offer.banker), offer.odds.text, tie]


@pytest.mark.parametrize("slug", slugs())
def test_what_a_document_says_of_void_rounds_and_the_cut_card_is_told(slug: str) -> None:
    book, page = load(slug), site("en")[f"/rules/{slug}"]
    lines = page.one("section", aria_labelledby="betting").all("div")
    summaries = {entry.paragraph: entry.summary for entry in trace() if entry.slug == slug}
    for label, fact in (("A void round", book.void), ("The cut card", book.cut_card)):
        told = [line for line in lines if line.all("dt")[0].text == label]
        assert bool(told) == bool(fact)
        if fact:
            assert summaries[fact.rules[0]] in told[0].text


def test_index_links_what_changed() -> None:
    page = site("en")["/rules"]
    assert f"/rules/{TBN3}/compare/{TBN4}" in page.links
    assert {link for link in page.links if link.count("/") == 2} >= {f"/rules/{slug}" for slug in slugs()}


def test_compare_shows_what_a_version_brought() -> None:
    page = site("en")[f"/rules/{TBN3}/compare/{TBN4}"]
    added = page.one("section", aria_labelledby="added")
    assert f"layouts {INTO} R" in [head.text for head in added.all("th")]
    changed = {row.all("th")[0].text: row for row in page.one("section", aria_labelledby="changed").all("tr")}
    assert [cell.text for cell in changed[f"document {INTO} version"].all("td")][:2] == ["3", "4"]
    same = Page(compare_rulebooks(TBN3, TBN3, "en"))
    assert same.one("p", _class="notice").text == words("en").ui["rules_no_difference"]


def test_interpretations_are_all_there() -> None:
    page = site("en")["/rules/interpretations"]
    for one in interpretations():
        article = page.one("article", id=f"i-{one.number}")
        assert one.title in article.text
        assert one.text in article.text


def test_chinese_pages_tell_the_interface_in_chinese() -> None:
    english, chinese = words("en").ui, words("zh").ui
    for slug in slugs():
        text = site("zh")[f"/rules/{slug}"].one("main").text
        for key in ("rules_pays", "rules_limits", "rules_every_paragraph", "status_enforced"):
            assert chinese[key] in text
            assert english[key] != chinese[key]
        for name in load(slug).bets:
            assert bet_words(name).zh in text
        for procedure in load(slug).procedures:
            assert words("zh").sections["cases"][procedure.case] in text


def test_cite_links_lettered_items_to_their_paragraph() -> None:
    assert cite(("4.1.5", "4.2.1(b)"), "mbs-tiger-v2") == (
        '<a class="cite" href="/rules/mbs-tiger-v2#p-4.1.5">4.1.5</a> '
        '<a class="cite" href="/rules/mbs-tiger-v2#p-4.2.1">4.2.1(b)</a>'
    )
    assert cite(("1.1",)) == '<a class="cite" href="#p-1.1">1.1</a>'
    assert "<script>" not in cite(("<script>",))


def test_what_is_not_there_is_bad_input() -> None:
    with pytest.raises(BadInput):
        rulebook_page("nothing", "en")
    with pytest.raises(BadInput):
        compare_rulebooks(TBN3, "nothing", "en")
    with pytest.raises(BadInput):
        render("interpretations.html", lang="fr", interpretations=(), shorts={})


def test_static_addresses_are_versioned() -> None:
    page = Page(render("interpretations.html", interpretations=(), shorts={}))
    hrefs = [link.attributes["href"] for link in page.all("link")]
    assert address("css/base.css") in hrefs
    assert all(href.startswith(f"/static/{version()}/") for href in hrefs)
