"""Two browsers at one table see each other's chips."""

from playwright.sync_api import Locator, Page, expect

from browser.eyes import PHONE, Eyes
from browser.house import House
from browser.player import Player

TABLE = "tiger-buffalo"


def stacks(page: Page) -> Locator:
    return page.locator("table-felt .chips .stack")


def test_chips_of_two_people(eyes: Eyes, house: House) -> None:
    one = Player.sits(eyes, house, TABLE)
    two = Player.sits(eyes, house, TABLE)
    expect(stacks(two.page)).to_have_count(0)
    one.bets("banker", 50)
    one.bets("banker", 100)
    expect(stacks(two.page)).to_have_count(1)
    expect(stacks(two.page)).to_contain_text("150")
    expect(two.page.locator('.position[data-box="1"] .spot[data-bet=banker]')).to_have_class(
        r"spot main b taken"
    )
    two.bets("tie", 10)
    expect(stacks(one.page)).to_have_count(2)
    expect(two.spot("tie")).to_have_accessible_name("Tie, pays 8 to 1, You 10")


def test_a_phone_sees_totals(eyes: Eyes, house: House) -> None:
    player = Player.sits(eyes, house, "tiger-buffalo-3")
    phone = eyes.opens(f"{house.url}/tables/tiger-buffalo-3", viewport=PHONE)
    player.bets("player", 500)
    player.bets("banker", 100)
    expect(phone.locator('table-seats [data-at="1"]')).to_have_accessible_name(f"Box 1, {player.name}, 600")


def test_standing_behind_somebody(eyes: Eyes, house: House) -> None:
    """Whoever stands behind a box bets there, and both see it."""
    table = "tiger-buffalo-4"
    seated = Player.sits(eyes, house, table)
    behind = Player.sits(eyes, house, table)
    behind.page.locator('.plate:has([data-plate="1"])').click()
    expect(behind.page.locator('.own[data-box="1"]')).to_be_visible()
    behind.bets("player", 50)
    expect(seated.spot("player")).to_have_accessible_name(f"Player, pays 1 to 1, {behind.name} 50")
