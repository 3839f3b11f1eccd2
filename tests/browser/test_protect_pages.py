"""Pages of game protection and of the radar: every view whole, in two languages, at two sizes; figures, CSV, reasons."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from browser.eyes import DESKTOP, PHONE, Eyes
from browser.house import House, table
from browser.paper import A4_INSIDE, faults_on_paper
from browser.test_pages import AXE, CHECK, SMALL, TINY, TOUCH, WIDE
from protect.planted import rounds_with_a_counter
from protect.played_table import played_into
from thirdcard.protect.sheet import Sheet, make
from thirdcard.rulebook import load
from thirdcard.web.pages.protect import VIEWS, Figures, by_worth, comes_to
from thirdcard.web.protect_sheets import Sheets

pytestmark = pytest.mark.browser

BOOK = load("rws-commission-insurance-v5")
MBS = "mbs-tiger-v2"
CHARTS = {"overview": 1, "bet": 4, "insurance": 0, "known": 0, "prices": 0, "readings": 0}


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return make(BOOK, 8, 96)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, sheet: Sheet) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("protected") / "house.db", table("tiger")) as made:
        made.app.state.sheets = Sheets()
        made.app.state.sheets.keep(BOOK, 8, sheet)
        yield made


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[House]:
    """A house where somebody counted at one table."""
    path = tmp_path / "watched.db"
    played_into(path, MBS, "pit-1", rounds_with_a_counter(load(MBS), "tiger-pair", shoes=6, seed=3))
    with House(path, table("tiger")) as made:
        yield made


def faults(page: Page, *, phone: bool) -> list[str]:
    """What is too wide, too small to read or to touch, and what axe-core minds."""
    assert AXE.exists(), "axe-core is missing: npm install --prefix .venv/npm ./tests/browser"
    found: list[str] = page.evaluate(WIDE) + page.evaluate(TINY)
    found += page.evaluate(SMALL, TOUCH) if phone else []
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found += page.wait_for_function(CHECK).json_value()
    return found


@pytest.mark.whole
@pytest.mark.parametrize(("viewport", "locale"), [(DESKTOP, "en-GB"), (PHONE, "zh-HK")])
def test_every_view_is_whole(viewport: ViewportSize, locale: str, eyes: Eyes, house: House) -> None:
    phone = viewport == PHONE
    page = eyes.opens(
        f"{house.url}/protect/{BOOK.slug}",
        token=house.token("shift-manager"),
        viewport=viewport,
        locale=locale,
        has_touch=phone,
        is_mobile=phone,
    )
    wrong = []
    for view in VIEWS:
        page.goto(f"{house.url}/protect/{BOOK.slug}?view={view}&bet=tie")
        expect(page.locator(".views [aria-current]")).to_be_visible()
        assert page.locator(".sheet svg[role=img]").count() == CHARTS[view], view
        assert page.locator(".sheet table").count() >= max(CHARTS[view], 1), view
        wrong += [f"{view}: {one}" for one in faults(page, phone=phone)]
    expect(page.locator("h1")).to_have_text("Game protection" if locale == "en-GB" else "遊戲防護")
    assert not wrong, "\n".join(wrong)


@pytest.mark.whole
def test_every_view_and_the_report_print_whole(eyes: Eyes, house: House, tmp_path: Path) -> None:
    page = eyes.opens(
        f"{house.url}/protect/{BOOK.slug}",
        token=house.token("shift-manager"),
        viewport={"width": A4_INSIDE, "height": 1000},
    )
    wrong = []
    for number, address in enumerate([*(f"?view={view}&bet=tie" for view in VIEWS), "/report"]):
        page.goto(f"{house.url}/protect/{BOOK.slug}{address}")
        found = faults_on_paper(page, tmp_path / f"{number}.pdf")
        wrong += [f"{address}: {one}" for one in found]
    assert not wrong, "\n".join(wrong)


def test_money_is_reckoned_by_the_readers_own_figures(eyes: Eyes, house: House, sheet: Sheet) -> None:
    page = eyes.opens(f"{house.url}/protect/{BOOK.slug}", token=house.token("shift-manager"))
    for name, value in (("maximum", 750), ("boxes", 3), ("pace", 45), ("hours", 40)):
        page.fill(f".money [name={name}]", str(value))
    page.select_option(".money [name=cut]", "26")
    page.click(".money button")
    best = by_worth(sheet.protection)[0]
    comes = comes_to(sheet.protection, best, Figures(750, 3, 45, 40, 26))
    expect(page.locator("#comes-perfect b")).to_have_text(f"{comes.perfect // 100:,}")
    expect(page.locator("#comes-whole b")).to_have_text(f"{comes.whole // 100:,}")
    units = sheet.protection.cuts["26"].bets[best].perfect.units_per_100
    assert comes.perfect == round(units / 100 * 45 * 750_00 * 3)
    expect(page.locator(".money [name=maximum]")).to_have_value("750")
    assert not faults(page, phone=False)


def test_every_table_comes_as_csv(eyes: Eyes, house: House, sheet: Sheet) -> None:
    page = eyes.opens(f"{house.url}/protect/{BOOK.slug}?view=bet&bet=tie", token=house.token("shift-manager"))
    with page.expect_download() as kept:
        page.locator("a.csv", has_text="turns").click()
    assert kept.value.suggested_filename == f"{BOOK.slug}-turns.csv"
    rows = list(csv.reader(io.StringIO(kept.value.path().read_text(encoding="utf-8"))))
    assert [row[0] for row in rows[1:]] == [str(one.left) for one in sheet.portraits["tie"].by_left]
    for name in (
        "overview",
        "where",
        "depths",
        "counts",
        "by-count",
        "effects",
        "insurance",
        "known",
        "prices",
        "readings",
    ):
        answer = page.request.get(f"{house.url}/protect/{BOOK.slug}/csv?table={name}&bet=tie")
        assert answer.status == 200, (name, answer.text())
        assert len(answer.text().splitlines()) > 1, name
    assert page.request.get(f"{house.url}/protect/{BOOK.slug}/csv?table=none").status == 400


@pytest.mark.whole
def test_the_radar_is_opened_with_a_reason_and_shows_who_stands_out(eyes: Eyes, watched: House) -> None:
    page = eyes.opens(f"{watched.url}/pit/pit-1/radar", token=watched.token("shift-manager"))
    assert page.request.get(f"{watched.url}/pit/pit-1/radar/csv").status == 403
    page.fill("[name=reason]", "large stakes late in the shoe")
    page.click("#reason button")
    expect(page.locator(".radar .seatcode")).to_have_text("S4")
    assert page.locator(".radar svg[role=img]").count() == 3
    assert page.locator(".radar details.numbers table").count() == 3
    text = page.locator("#staff").inner_text()
    assert "Anwar" not in text  # a name only with a case
    assert "counter" not in text.lower().replace("counter radar", "")
    wrong = faults(page, phone=False)
    page.set_viewport_size(PHONE)
    wrong += page.evaluate(WIDE)
    assert not wrong, "\n".join(wrong)
    rows = page.request.get(f"{watched.url}/pit/pit-1/radar/csv").text().splitlines()
    assert rows[1].startswith("S4,tiger-pair,6,")
    page.fill("[name=reason]", "to be looked into")
    page.click("#reason button")
    expect(page.locator(".radar .headline")).to_contain_text("Anwar")
