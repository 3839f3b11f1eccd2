"""A person's own page in a browser: a guest becomes an account and loses nothing."""

import re

import pytest
from playwright.sync_api import expect

from browser.eyes import Eyes
from browser.house import House
from browser.player import Player

pytestmark = pytest.mark.browser

TABLE = "tiger-buffalo"
PASSWORD = "four unusual words of baccarat"  # noqa: S105 - of nobody


def test_a_guest_makes_it_an_account_and_comes_back_to_the_seat(eyes: Eyes, house: House) -> None:
    player = Player.from_lobby(eyes, house, TABLE)
    page, guest = player.page, player.name
    had = house.rack(TABLE, guest)
    page.goto(f"{house.url}/account")
    expect(page.locator("player-purse b")).to_be_visible()
    before = page.locator("#total").inner_text()
    page.locator("#keep-open").click()
    page.locator("#keep-form [name=name]").fill("Tan-Mei")
    page.locator("#keep-form [name=password]").fill(PASSWORD)
    page.locator("#keep-form button").click()
    expect(page.locator("#shown")).to_have_text("Tan-Mei")
    expect(page.locator("#keep")).to_have_count(0)
    expect(page.locator("#total")).to_have_text(before)
    assert house.rack(TABLE, guest) == had
    page.locator("#rename").click()
    page.locator("#nickname [name=name]").fill("Tiger")
    page.locator("#nickname button").click()
    expect(page.locator("#shown")).to_have_text("Tiger")
    page.locator("#daily").click()
    expect(page.locator("#daily")).to_be_disabled()
    page.goto(f"{house.url}/tables/{TABLE}")
    expect(page.locator(".own [data-plate]")).to_have_text("You · Tiger")
    expect(page.locator("#account .avatar")).to_have_attribute("title", "Tiger")
    player.bets("player", 100)
    watcher = eyes.opens(f"{house.url}/tables/{TABLE}")
    expect(watcher.locator(".plate", has_text="Tiger")).to_have_count(1)
    player.page.keyboard.press("x")
    expect(page.locator("table-purse .stake b")).to_have_text("0")
    page.goto(house.url)
    expect(page.locator("#kept")).to_contain_text("Your seat is kept")
    page.locator("[data-give-up]").click()
    expect(page.locator("#kept")).to_have_count(0)
    assert house.rack(TABLE, guest) == 0, "and the rack went home"
    page.locator('[data-kind="insurance"]').click()
    expect(page.locator(".tcard:visible").first).to_have_attribute("data-kinds", re.compile("insurance"))
