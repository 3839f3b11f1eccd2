"""Teaching in place: help on every spot, the odds of the shoe, roads in large, the coach; by mouse, finger and keys."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from browser.eyes import DESKTOP, PHONE, Eyes
from browser.house import House, until
from browser.past import played
from browser.scenes import BETS, CARDS, RESULTS, TABLES, Company
from browser.test_pages import AXE, CHECK, SMALL, TOUCH
from thirdcard.cards import Rank
from thirdcard.odds import fresh, offers
from thirdcard.words import languages, words

pytestmark = pytest.mark.browser

SMALL_SCREEN = ViewportSize(width=360, height=640)
LESSONS = ".spot-help, bets-help:not([hidden]), shoe-odds:not([hidden]), .roads-large[open], .coach"
TINY_TYPE = """(lessons) => [...document.querySelectorAll(lessons)].flatMap((one) => [...one.querySelectorAll("*")])
  .filter((one) => !one.closest("svg") && one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 11)
  .map((one) => `${one.tagName} ${one.textContent.slice(0, 20)}`)"""


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Company]:
    """Bets are open at one table, after 29 rounds of its shoe."""
    path = tmp_path_factory.mktemp("lessons") / "house.db"
    played(path, TABLES[:1], RESULTS, CARDS)
    with House(path) as house:
        made = Company(house)
        made.sit("betting")
        house.ends("result", "betting")
        until(lambda: house.waits("betting") == "betting")
        made.bet("betting")
        yield made


def opened(eyes: Eyes, company: Company, who: str, viewport: ViewportSize, **context: Any) -> Page:  # noqa: ANN401
    address = f"{company.house.url}/tables/betting"
    page = eyes.opens(address, token=company.token(who), viewport=viewport, **context)
    expect(page.locator(".shown [data-bet]").first).to_be_visible()
    if who:
        expect(page.locator('.shown :is(.own .spot, .pspot)[data-bet="player"]')).to_have_attribute(
            "aria-disabled", "false"
        )
    return page


def spot(page: Page, bet: str) -> Locator:
    return page.locator(f'.shown :is(.own .spot, .pspot, .insurance)[data-bet="{bet}"]').first


def apart(one: Locator, other: Locator) -> bool:
    first, second = one.bounding_box(), other.bounding_box()
    assert first is not None
    assert second is not None
    return (
        first["x"] + first["width"] <= second["x"] + 1
        or second["x"] + second["width"] <= first["x"] + 1
        or first["y"] + first["height"] <= second["y"] + 1
        or second["y"] + second["height"] <= first["y"] + 1
    )


def in_order(page: Page) -> None:
    """Nothing of a lesson that axe-core minds, nothing too small to read or to touch."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.locator(LESSONS).count() >= 1
    minded = CHECK.replace("axe.run(document,", f"axe.run([...document.querySelectorAll('{LESSONS}')],")
    small = SMALL.replace(".filter((one) => one.", f".filter((one) => one.closest('{LESSONS}') && one.", 1)
    assert page.evaluate(minded) == []
    assert page.evaluate(TINY_TYPE, LESSONS) == []
    assert page.evaluate(small, TOUCH) == []


@pytest.mark.whole
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE, SMALL_SCREEN], ids=lambda one: str(one["width"]))
def test_help_on_a_spot_by_press_menu_and_key(viewport: ViewportSize, eyes: Eyes, company: Company) -> None:
    page = opened(eyes, company, "Wei", viewport)
    panel, before = page.locator(".spot-help"), company.house.live("betting").version

    spot(page, "big-tiger").click(button="right")
    expect(panel.locator("h2")).to_have_text("Big Tiger")
    expect(panel.locator(".when")).to_have_text("Wins when Banker wins on 6 with 3 cards")
    expect(panel.locator(".example .won em")).to_have_text("6")
    expect(panel.locator(".example .banker use")).to_have_count(3)
    expect(panel.locator(".figures dd")).to_have_text(["50 to 1", "1 in 60", "15.3%", "4.24"])
    expect(panel.locator(".shoe-hits p")).to_have_text("This shoe: 0 of 29")
    assert apart(panel, spot(page, "big-tiger"))
    expect(page.locator(".leader circle")).to_have_count(1 if viewport == DESKTOP else 0)
    panel.get_by_role("button", name="why?").click()
    expect(panel.locator(".cite")).to_have_text(["1.7", "4.1.5"])
    in_order(page)

    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    spot(page, "player").focus()
    page.keyboard.press("?")
    expect(panel.locator(".push")).to_have_text("The stake comes back: a tie")
    expect(panel.locator(".marks .hit")).to_have_count(RESULTS.count("P"))
    assert apart(panel, spot(page, "player"))
    page.keyboard.press("Escape")
    expect(spot(page, "player")).to_be_focused()

    spot(page, "banker-char-siu").click(delay=700)  # a long press, which is no bet
    expect(panel.locator(".ways .btn")).to_have_count(3)
    panel.locator(".ways .btn").last.click()
    expect(panel.locator(".example use")).to_have_count(6)
    assert company.house.live("betting").version == before


@pytest.mark.whole
def test_help_in_every_language_and_for_who_only_watches(eyes: Eyes, company: Company) -> None:
    for lang in languages():
        page = opened(eyes, company, "", DESKTOP, locale={"en": "en-GB", "zh": "zh-HK"}.get(lang, "zh-CN"))
        page.locator('table-felt .spot[data-bet="tie"]').first.click(button="right")
        own = words(lang)
        expect(page.locator(".spot-help h2")).to_have_text(own.say("bets", "tie"))
        labels = page.locator(".spot-help .figures dt").all_inner_texts()
        assert labels[:3] == [own.ui[f"live_help_{name}"] for name in ("pays", "chance", "edge")]


@pytest.mark.whole
def test_help_on_insurance_and_how_the_bets_work(eyes: Eyes, company: Company) -> None:
    page = opened(eyes, company, "Wei", DESKTOP)
    page.locator('table-felt .insurance[data-bet="player-insurance"]').dispatch_event("contextmenu")
    rows = page.locator(".spot-help tbody tr")
    expect(rows.first).to_be_visible()
    offered = offers(company.house.live("betting").table.rulebook, fresh(8))
    expect(rows).to_have_count(sum(one.offer.hand == "player" and one.rounds > 0 for one in offered))
    in_order(page)
    page.keyboard.press("Escape")
    page.locator("#help").click()
    lines = page.locator("bets-help li")
    expect(lines).to_have_count(len(company.house.live("betting").table.setup.bets) + 2)
    in_order(page)
    lines.filter(has_text="Small Buffalo").locator("button").click()
    expect(page.locator(".spot-help h2")).to_have_text("Small Buffalo")


@pytest.mark.whole
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=lambda one: str(one["width"]))
def test_the_odds_of_the_shoe_are_those_of_the_api_and_cover_nothing(
    viewport: ViewportSize, eyes: Eyes, company: Company
) -> None:
    page = opened(eyes, company, "Wei", viewport)
    page.keyboard.press("o")
    rows = page.locator("shoe-odds tbody tr")
    exact = page.evaluate("fetch('/api/tables/betting/odds').then((answer) => answer.json())")
    expect(rows).to_have_count(len(exact["bets"]))
    for row, (name, value) in zip(rows.all(), exact["bets"].items(), strict=True):
        told = row.inner_text().replace("\N{MINUS SIGN}", "-")
        assert f"{100 * value['house_edge_approx']:.2f}%" in told, name
        assert (
            f"{abs(100 * (value['house_edge_approx'] - exact['fresh'][name]['house_edge_approx'])):.2f}"
            in told
        )
    assert page.locator(".ranks span").all_inner_texts() == [
        str(exact["ranks"][rank.letter]) for rank in Rank
    ]
    expect(page.locator("shoe-odds header p")).to_contain_text(str(416 - exact["cards_left"]))
    in_order(page)
    if viewport == DESKTOP:
        assert apart(page.locator("#drawer"), page.locator(".stage"))
    page.keyboard.press("o")
    expect(page.locator("shoe-odds")).to_be_hidden()


@pytest.mark.whole
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=lambda one: str(one["width"]))
def test_the_roads_in_large_and_what_a_win_would_write(
    viewport: ViewportSize, eyes: Eyes, company: Company
) -> None:
    page = opened(eyes, company, "Wei", viewport)
    page.keyboard.press("g")
    dialog = page.get_by_role("dialog", name="Roads")
    expect(dialog.locator("figure.road svg[role=img]")).to_have_count(6)
    beads = dialog.locator(".bead-plate .mark")
    expect(beads).to_have_count(len(RESULTS))
    page.get_by_role("button", name="If Banker wins").focus()
    page.keyboard.press("Enter")
    expect(beads).to_have_count(len(RESULTS) + 1)
    expect(dialog.locator(".told")).to_contain_text("If Banker wins next: Big Eye Boy")
    in_order(page)
    page.keyboard.press("g")
    expect(dialog).to_have_count(0)


@pytest.mark.gate("390")
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE, SMALL_SCREEN], ids=lambda one: str(one["width"]))
def test_the_coach_has_three_steps_goes_on_with_what_one_does_and_comes_once(
    viewport: ViewportSize, eyes: Eyes, company: Company
) -> None:
    page = opened(eyes, company, "Mei", viewport, first_visit=True)
    coach, title = page.locator(".coach"), page.locator(".coach h2")
    expect(title).to_have_text("Take a chip")
    expect(page.locator("#assertive")).to_contain_text("Step 1 of 3")
    in_order(page)
    expect(page.locator(".sound-offer")).to_have_count(0)  # one thing at a time
    page.locator(".chipbtn").nth(1).click()
    expect(title).to_have_text("Tap where you think it goes")
    assert apart(coach, spot(page, "player"))
    coach.get_by_role("button", name="Next").click()
    expect(title).to_have_text("Say you are ready")
    page.keyboard.press("Escape")
    expect(coach).to_have_count(0)
    expect(page.locator(".sound-offer")).to_have_count(1)
    page.reload()
    expect(spot(page, "player")).to_have_attribute("aria-disabled", "false")
    expect(coach).to_have_count(0)


@pytest.mark.whole
def test_the_table_has_its_totals_at_the_spots(eyes: Eyes, company: Company) -> None:
    page = opened(eyes, company, "Wei", PHONE)
    sums = Counter[str]()
    for bets in BETS.values():
        sums.update(bets)
    for bet, dollars in sums.items():
        width = page.locator(f'.pspot[data-bet="{bet}"] .crowd-bar i').evaluate(
            "(bar) => parseFloat(bar.style.width)"
        )
        assert width == pytest.approx(100 * dollars / max(sums.values()), abs=0.01), bet
    expect(page.locator('.pspot[data-bet="small-tiger"] .crowd-bar')).to_be_hidden()


@pytest.mark.whole
def test_a_shoe_is_one_click_from_being_checked(eyes: Eyes, company: Company) -> None:
    page = opened(eyes, company, "Wei", DESKTOP)
    link = page.locator(".placard a[data-shoe]")
    expect(link).to_have_text("sealed · check")
    with page.context.expect_page() as met:
        link.click()
    expect(met.value.locator(".notice")).to_contain_text("sealed until the last card")
