"""Every page of every rulebook that others brought: small ones, one with forty bets and long names, broken ones."""

import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import msgspec
import pytest

from each import each
from service.api.serving import NOBODY, Asking, Served
from thirdcard.rulebook import digest_of, load, named, sources
from thirdcard.rulebook.sources import FOLDERS
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.tables.hall import NewTable
from thirdcard.table import Setup
from thirdcard.table.setup import Limit
from thirdcard.web import assets
from thirdcard.web.draw import felt_svg
from thirdcard.web.pages import text_of
from thirdcard.web.pages.odds import odds_compare, odds_page
from thirdcard.web.pages.rules import rulebook_page, rules_diff, rules_index
from thirdcard.words import ENGLISH, bet_name, languages
from web.books import EXAMPLES, found, made, text
from web.reading import Page
from web.test_site import add_pages

pytestmark = pytest.mark.server

STRESS = "stress"
DEALT = (path for path in EXAMPLES.glob("*.toml") if load(path).table_of_play.usual)  # by tables
BOOKS = (*sorted(path.stem for path in DEALT), STRESS)
TABLE_PAGES = (
    "/tables/{}",
    "/tables/{}/board",
    "/tables/{}/roads",
    "/tables/{}/shoes/1",
    "/dealer/{}",
    "/pit/{}",
    "/audit/{}",
    "/audit/{}/rounds/1",
    "/audit/{}/statements",
    "/audit/{}/statements?player=Wei",
)
BOOK_PAGES = (
    "/rules/{}",
    "/odds?rulebook={}",
    "/rules/mbs-tiger-v2/compare/{}",
    "/rules/diff?a=mbs-tiger-v2&b={}",
)
LISTS = ("/", "/tables", "/rules", "/odds", "/odds/compare", "/pit", "/audit", "/staff/rulebooks")


def table_of(slug: str) -> NewTable:
    book = named(slug)
    letter, layout = next(iter(book.layouts.items()))
    limits = {"*": Limit(min=1_00, max=None)}
    setup = Setup(
        rulebook=slug, layout=letter, positions=layout.positions[1], limits=limits, decks=book.decks.max
    )
    return NewTable(id=slug, title=book.document.title, dealer="staff", setup=setup, pace=Pace())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A table of each book, at each of which a round was played with a chip on every bet."""
    with found(text(40, 60)):
        tables = [table_of(slug) for slug in BOOKS]
        with Served(tmp_path_factory.mktemp("external") / "house.db", *tables, change=add_pages) as house:
            wei, dealer = Asking(house, house.account("Wei", "player")), house.as_("dealer")
            for slug in BOOKS:
                wei.post(f"/api/tables/{slug}/sit-down", {"box": 1, "cents": 1_000_000})
                for command in ("new-shoe", "open"):
                    dealer.does(command, slug)
                for bet in house.live(slug).table.setup.bets:
                    wei.does("place", slug, box=1, bet=bet, cents=100)
                dealer.does("close", slug)
                for card in ("9C", "4S", "7D", "4H"):
                    dealer.does("draw", slug, card=card)
                dealer.does("settle", slug)
                dealer.does("open", slug)
            yield house


def asked(address: str, lang: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}lang={lang}"


@pytest.mark.gate("stress", "big-and-small")
@pytest.mark.parametrize("slug", BOOKS)
@each("address", [*TABLE_PAGES, *BOOK_PAGES])
def test_every_page_of_a_book_answers(served: Served, address: str, slug: str) -> None:
    for lang in languages() if slug == STRESS else (ENGLISH,):
        answer = served.as_("shift-manager").get(asked(address.format(slug), lang))
        assert answer.status_code == 200, answer.text
        assert Page(answer.text).faults() == []


@pytest.mark.parametrize("address", LISTS)
def test_every_list_answers(served: Served, address: str) -> None:
    role = "administrator" if address.startswith("/staff") else "shift-manager"
    for lang in languages():
        answer = served.as_(role).get(asked(address, lang))
        assert answer.status_code == 200, answer.text
        assert Page(answer.text).faults() == []


@pytest.mark.parametrize("slug", BOOKS)
def test_the_grid_and_the_scripts_have_the_books_own_names(served: Served, slug: str) -> None:
    book, page = named(slug), Page(served.as_(NOBODY).get(f"/tables/{slug}").text)
    spots = {one.attributes["data-bet"]: one for one in page.all("button", _class="pspot")}
    assert spots.keys() == set(served.live(slug).table.setup.bets)
    told = msgspec.json.decode(page.one("div", id="table").attributes["data-bets"])
    for name, bet in book.bets.items():
        assert spots[name].text.startswith(f"{bet.name}, pays ")
        assert told.get(name, {"name": bet_name(name, "en")})["name"] == bet.name


def test_statements_and_replays_name_the_books_bets(served: Served) -> None:
    shown = served.as_("shift-manager")
    for slug in BOOKS:
        stated = Page(shown.get(f"/audit/{slug}/statements?player=Wei").text).one("main").text
        assert [bet.name for bet in named(slug).bets.values() if bet.name not in stated] == []


def test_books_are_listed_with_their_place_and_digest(served: Served) -> None:
    page = Page(served.as_(NOBODY).get("/rules").text)
    books = {
        one.all("h2")[0].all("a")[0].attributes["href"]: one.text for one in page.all("li", _class="book")
    }
    for slug in BOOKS:
        assert digest_of(named(slug))[:12] in books[f"/rules/{slug}"]
    assert "ez-baccarat.toml" in books["/rules/ez-baccarat"]
    assert "this server" in books[f"/rules/{STRESS}"]
    assert str(EXAMPLES) not in page.one("body").text
    for address, field in (("/odds", "rulebook"), ("/odds/compare", "a")):
        options = Page(served.as_(NOBODY).get(address).text).one("select", name=field).all("option")
        assert {one.attributes["value"] for one in options} >= set(BOOKS)


def test_a_book_that_is_added_is_there_at_once(served: Served) -> None:
    """Nothing that was shown before is kept: the list, the form, the reader, and a new text of an old slug."""
    nobody, administrator = served.as_(NOBODY), served.as_("administrator")
    assert nobody.get("/rules/late").status_code == 404
    for odds in ("11 to 1", "12 to 1"):
        body = {"file": "late.toml", "text": text(3, 20, slug="late").replace("2 to 1", odds)}
        assert administrator.post("/api/rulebooks", body).status_code < 300
        assert odds in Page(nobody.get("/rules/late").text).one("main").text
        assert "/rules/late" in Page(nobody.get("/rules").text).links
        assert "late" in nobody.get("/odds").text
        felt = nobody.get("/felt/late/Long/3/1.svg", v=assets.version())
        assert odds in felt.text
        assert felt.headers["cache-control"] == "no-cache"


def test_a_text_is_read_by_its_digest_whatever_the_slug_means_now(served: Served) -> None:
    old = text_of(named("ez-baccarat"))
    assert served.as_(NOBODY).get(f"/rules/{old}").status_code == 200
    felt = served.as_(NOBODY).get(f"/felt/{old}/A/3/1.svg", v=assets.version())
    assert "immutable" in felt.headers["cache-control"]
    for wrong in ("ez-baccarat@0123456789ab", "ez-baccarat@", "../ez", "%2Fetc%2Fpasswd", "ez-baccarat.toml"):
        assert served.as_(NOBODY).get(f"/rules/{wrong}").status_code == 404


@pytest.mark.parametrize(
    "address", ["/odds?rulebook={}", "/odds/compare?a={}", "/rules/diff?a={}&b=mbs-tiger-v2"]
)
def test_no_address_reads_a_file(served: Served, address: str) -> None:
    file = EXAMPLES / "ez-baccarat.toml"
    answer = served.as_(NOBODY).get(address.format(file))
    assert "there is no rulebook" in answer.text.lower()
    assert "Dragon 7" not in answer.text


def test_two_books_with_one_slug_are_told_and_neither_is_used(served: Served, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text(text(4, 9, slug="quik"), encoding="utf-8")
    (tmp_path / "broken.toml").write_text(
        'slug = "broken"\n[bets.player]\nname = "<b>x</b>"', encoding="utf-8"
    )
    folders = os.pathsep.join((str(EXAMPLES), str(tmp_path)))
    with mock.patch.dict(os.environ, {FOLDERS: folders}):
        page = Page(served.as_(NOBODY).get("/rules").text)
        rows = [row.text for row in page.one("section", aria_labelledby="broken").all("tr")[1:]]
        assert len([row for row in rows if row.startswith("quik")]) == 2
        assert any(row.startswith("broken") for row in rows)
        assert not page.one("main").all("b")
        assert str(tmp_path) not in page.one("body").text
        assert served.as_(NOBODY).get("/rules/quik").status_code == 404
        for address in ("/", "/tables/quik", "/odds", "/rules/ez-baccarat"):
            assert served.as_(NOBODY).get(address).status_code == 200
    assert served.as_(NOBODY).get("/rules/quik").status_code == 200


def test_markup_in_a_name_is_shown_as_it_is_written() -> None:
    """No such book loads; what is shown is escaped all the same."""
    evil = "<script>x</script>"
    plain = made(4, 12)
    bets = {
        name: msgspec.structs.replace(
            bet, name=evil, pays=tuple(msgspec.structs.replace(tier, tier=evil) for tier in bet.pays)
        )
        for name, bet in plain.bets.items()
    }
    document = msgspec.structs.replace(plain.document, title=evil, operator=evil)
    ranks = tuple(msgspec.structs.replace(rank, title=evil) for rank in plain.ranks)
    book = msgspec.structs.replace(plain, slug="evil", document=document, bets=bets, ranks=ranks)
    with mock.patch.object(sources, "_taken", {}):
        sources.keep("evil.toml", book)
        shown = [rulebook_page("evil", "zh"), odds_page("evil", "", 8, "", "en"), rules_index("en")]
        shown += [rules_diff("mbs-tiger-v2", "evil", 8, "en"), odds_compare("evil", "mbs-tiger-v2", 8, "en")]
        shown.append(felt_svg(book, "Long", 3, 1))
    assert [one for one in shown if evil in one] == []
    assert all("&lt;script&gt;" in one or "&LT;SCRIPT" in one.upper() for one in shown)
