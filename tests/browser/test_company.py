"""Two browsers at one table see each other's chips."""

import re

from playwright.sync_api import Locator, Page, expect

from browser.eyes import PHONE, Eyes
from browser.house import House
from browser.player import Player

TABLE = "tiger-buffalo"


def stacks(page: Page) -> Locator:
    return page.locator("table-felt .chips .stack")


def box_of(player: Player) -> int:
    """Where the house has seated somebody."""
    seats = player.house.live(player.table).table.seats
    return next(box for box, name in seats.items() if name == player.name)


def test_chips_of_two_people(eyes: Eyes, house: House) -> None:
    one = Player.sits(eyes, house, TABLE)
    two = Player.sits(eyes, house, TABLE)
    expect(stacks(two.page)).to_have_count(0)
    one.bets("banker", 50)
    one.bets("banker", 100)
    expect(stacks(two.page)).to_have_count(1)
    expect(stacks(two.page)).to_contain_text("150")
    there = f'.position[data-box="{box_of(one)}"] .spot[data-bet=banker]'
    expect(two.page.locator(there)).to_have_class(re.compile("taken"))
    two.bets("tie", 10)
    expect(stacks(one.page)).to_have_count(2)
    expect(two.spot("tie")).to_have_accessible_name("Tie, pays 8 to 1, You 10")


def test_a_phone_sees_totals(eyes: Eyes, house: House) -> None:
    player = Player.sits(eyes, house, "tiger-buffalo-3")
    phone = eyes.opens(f"{house.url}/tables/tiger-buffalo-3", viewport=PHONE)
    player.bets("player", 500)
    player.bets("banker", 100)
    box = box_of(player)
    expect(phone.locator(f'.stage table-seats [data-at="{box}"]')).to_have_accessible_name(
        f"Box {box}, {player.name}, 600"
    )


def test_standing_behind_somebody(eyes: Eyes, house: House) -> None:
    """Whoever stands behind a box bets there, and both see it."""
    table = "tiger-buffalo-4"
    seated = Player.sits(eyes, house, table)
    behind = Player.sits(eyes, house, table)
    box = box_of(seated)
    behind.page.locator(f'.plate:has([data-plate="{box}"])').click()
    expect(behind.page.locator(f'.own[data-box="{box}"]')).to_be_visible()
    behind.bets("player", 50)
    expect(seated.spot("player")).to_have_accessible_name(f"Player, pays 1 to 1, {behind.name} 50")
