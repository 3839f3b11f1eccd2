"""A whole round by keyboard alone, from the lobby to the next round."""

import pytest
from playwright.sync_api import Page, expect

from browser.eyes import DESKTOP, Eyes
from browser.house import House, Opens, table
from browser.player import BROUGHT, MINUS, Player

pytestmark = pytest.mark.browser

TABLE = "tiger-buffalo"
CARDS = "6C 3D KH AS 3C"  # insurance on Player at 5 to 2, then Banker wins
MOST_TABS = 60


def tabs_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"no Tab leads to {selector}")


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.dataset.bet"))


def staked(player: Player, dollars: int) -> None:
    expect(player.page.locator("table-purse .stake b")).to_have_text(f"{dollars:,}")


def comes_in(page: Page) -> None:
    tabs_to(page, "[data-sit]")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/tables/{TABLE}")


def goes_round_the_felt(page: Page) -> None:
    """Arrows lead to neighbours; ends on Player."""
    tabs_to(page, ".own .spot")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    assert focused(page) == "player"
    page.keyboard.press("ArrowUp")
    assert focused(page) == "banker"
    page.keyboard.press("ArrowDown")


def chip(page: Page, dollars: int) -> None:
    expect(page.locator('.chipbtn[aria-checked="true"]')).to_have_attribute("data-cents", str(dollars * 100))


def bets_every_way(player: Player) -> None:
    """Ends with 100 on Player."""
    page = player.page
    page.keyboard.press("4")
    chip(page, 100)
    for key, dollars in (
        ("Enter", 100),
        ("z", 0),
        ("Space", 100),
        ("d", 200),
        ("Shift+Enter", 100),
        ("x", 0),
        ("Enter", 100),
    ):
        page.keyboard.press(key)
        staked(player, dollars)
    tabs_to(page, ".chipbtn")
    page.keyboard.press("ArrowRight")
    chip(page, 500)


@pytest.mark.whole
def test_keyboard_alone_plays_a_round(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE), cards=f"{CARDS} {CARDS}")
    page = eyes.opens(f"{house.url}/")
    comes_in(page)
    player = Player(page, house, TABLE)
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")
    goes_round_the_felt(page)
    bets_every_way(player)
    house.ends("betting", TABLE)
    expect(page.locator("insurance-prompt")).to_be_visible()
    page.keyboard.press("i")
    expect(page.locator("round-net:visible")).to_be_visible()
    assert player.rack() == player.ledger() > BROUGHT - 10_000
    statement = page.locator("round-statement")
    page.keyboard.press("s")
    expect(statement).to_be_visible()
    page.keyboard.press("Escape")
    expect(statement).to_be_hidden()

    house.ends("result", TABLE)
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")
    before = player.ledger()
    page.keyboard.press("r")
    staked(player, 100)
    house.ends("betting", TABLE)
    expect(page.locator("insurance-prompt")).to_be_visible()
    expect(page.locator(".says")).to_contain_text(
        "insurance at"
    )  # the offer, not the card that comes after it
    page.keyboard.press("o")
    expect(page.locator("shoe-odds h2")).to_be_visible()
    page.keyboard.press("Escape")  # what lies open is closed, and nothing is declined
    expect(page.locator("shoe-odds")).to_be_hidden()
    expect(page.locator("insurance-prompt")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("insurance-prompt")).to_be_hidden()
    expect(page.locator("round-net:visible b")).to_have_text(f"{MINUS}100")
    assert player.rack() == player.ledger() == before - 10_000


def test_focus_is_seen(eyes: Eyes, house: House) -> None:
    """The spot with the focus looks otherwise than without."""
    player = Player.sits(eyes, house, TABLE, viewport=DESKTOP)
    tabs_to(player.page, ".own .spot")
    spot = player.page.locator('.own .spot[tabindex="0"]')
    line = "(spot) => { const { stroke, strokeWidth } = getComputedStyle(spot.querySelector('path')); return stroke + strokeWidth; }"
    seen = spot.evaluate(line)
    spot.evaluate("(spot) => spot.blur()")
    assert spot.evaluate(line) != seen
