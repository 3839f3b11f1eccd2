"""Two browsers at one table see each other's chips."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.eyes import PHONE, Eyes
from browser.house import House
from browser.player import Player

pytestmark = pytest.mark.browser

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


@pytest.mark.whole
def test_a_phone_sees_totals(eyes: Eyes, house: House) -> None:
    player = Player.sits(eyes, house, "tiger-buffalo-3")
    phone = eyes.opens(f"{house.url}/tables/tiger-buffalo-3", viewport=PHONE)
    player.bets("player", 500)
    player.bets("banker", 100)
    box = box_of(player)
    expect(phone.locator(f'.stage table-seats [data-at="{box}"]')).to_have_accessible_name(
        f"Box {box}, {player.name}, 600"
    )


@pytest.mark.whole
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


@pytest.mark.whole
def test_moving_to_a_free_box(eyes: Eyes, house: House) -> None:
    """Before one bets; with chips on the layout the box says what is in the way, and nothing moves."""
    table = "tiger-buffalo-4"
    player = Player.sits(eyes, house, table)
    at = house.live(table).table
    first, second = [box for box in range(1, at.setup.positions + 1) if box not in at.seats][:2]
    free = player.page.locator(f'.position[data-box="{first}"]')
    expect(free.locator(".sit[data-sit]")).to_have_text(re.compile("Sit here|free"))
    free.locator(".sit[data-sit]").click()
    expect(player.page.locator(f'.own[data-box="{first}"]')).to_be_visible()
    player.bets("player", 50)
    eyes.expects("status of 409")
    other = player.page.locator(f'.position[data-box="{second}"]')
    expect(other.locator(".plate")).to_have_accessible_name(re.compile("before you bet, or after the round"))
    expect(other.locator(".sit[data-sit]")).to_have_text("free")
    other.locator(".sit[data-sit]").click()
    expect(player.page.locator("body")).to_contain_text("take them back first")
    assert box_of(player) == first
