"""A player adds a seed to the next shoe, and the page of that shoe works its order out when it is over."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

from browser.eyes import PHONE, Eyes
from browser.house import House, Opens, table
from browser.player import Player

pytestmark = pytest.mark.browser

TABLE = "tiger"


def in_use(house: House) -> int:
    sealed = house.live(TABLE).sealed
    return sealed.shoe if sealed else 0


def deals_on(house: House, shoe: int) -> None:
    """Round after round until that shoe is in use."""
    while in_use(house) < shoe:
        house.ends("betting", TABLE)
        house.ends("result", TABLE)


def with_another_seed(route: Route) -> None:
    shoe = json.loads(route.fetch().text())
    shoe["seeds"][0]["seed"] += "!"
    route.fulfill(json=shoe)


def test_a_seed_is_added_and_its_shoe_checked(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE, cut=410), cards=None)
    player = Player.sits(eyes, house, TABLE, viewport=PHONE)
    page = player.page
    page.locator(".pocket").click()
    page.get_by_role("button", name="Your seed for shoe 2").click()
    panel = page.locator("shoe-seeds")
    field = panel.get_by_label("Your seed", exact=True)
    suggested = field.input_value()
    assert len(suggested) == 32
    field.fill(f"發 {suggested}")
    panel.get_by_role("button", name="Add it").click()
    expect(panel.locator("dd").last).to_have_text(f"{player.name}: 發 {suggested}")
    expect(panel.get_by_role("button", name="Replace it")).to_be_visible()
    field.press("Escape")
    expect(panel).to_be_hidden()
    deals_on(house, 3)
    checked: Page = eyes.opens(f"{house.url}/tables/{TABLE}/shoes/2")
    expect(checked.locator("#shoe .notice.good")).to_contain_text("the order follows from it and the seeds")
    expect(checked.locator("#shoe")).to_contain_text(f"發 {suggested}")
    checked.route("**/api/tables/*/shoes/2", with_another_seed)
    checked.reload()
    expect(checked.locator("#shoe .wrong")).to_contain_text("It does not fit")
