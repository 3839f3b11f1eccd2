"""One-time codes and limits as people meet them: set up, asked for, kept to, told at the table."""

import re

import msgspec
import pyotp
import pytest
from playwright.sync_api import Route, expect

from browser.eyes import PHONE, Eyes
from browser.house import House, Opens, table, until
from browser.player import MINUS, Player
from service.api.serving import PASSWORD
from thirdcard.service.tables.own_play import NO_BOUNDS

pytestmark = pytest.mark.browser

TABLE = "tiger-buffalo"


@pytest.mark.whole
def test_codes_are_set_up_at_the_first_sign_in_and_asked_for_at_the_next(eyes: Eyes, opens: Opens) -> None:
    eyes.expects("status of 401")
    house = opens(table(TABLE))
    house.hall.people.register("Dee", PASSWORD, "dealer")
    house.hall.people.staff_codes = True
    page = eyes.opens(f"{house.url}/sign-in?next=/rules", viewport=PHONE)
    page.fill("#sign-in [name=name]", "Dee")
    page.fill("#sign-in [name=password]", PASSWORD)
    page.click("#sign-in button")
    expect(page.locator("#enrol-first")).to_be_visible()
    expect(page.locator("#enrol .qr svg")).to_be_visible()
    device = pyotp.TOTP((page.text_content("#enrol code") or "").replace(" ", ""))
    page.fill("#enrol [name=code]", "not a code")
    page.click("#codes-confirm button")
    expect(page.locator("#wrong")).to_contain_text("code is wrong")
    page.fill("#enrol [name=code]", device.now())
    page.click("#codes-confirm button")
    expect(page.locator("#recovery li")).to_have_count(8)
    recovery = page.locator("#recovery li").first.text_content() or ""
    page.click("#codes-done")
    expect(page).to_have_url(f"{house.url}/rules")

    page.goto(f"{house.url}/sign-in")
    expect(page.locator("#codes-off")).to_be_visible()
    page.click("#sign-out")
    page.wait_for_url(f"{house.url}/")
    page.goto(f"{house.url}/sign-in")
    page.fill("#sign-in [name=name]", "Dee")
    page.fill("#sign-in [name=password]", PASSWORD)
    expect(page.locator("#second")).to_be_hidden()
    page.click("#sign-in button")
    expect(page.locator("#second input")).to_be_focused()
    page.fill("#second input", recovery)
    page.click("#sign-in button")
    page.wait_for_url(f"{house.url}/staff")
    expect(page.locator(".duty")).to_contain_text("Dee")


@pytest.mark.whole
def test_limits_are_set_and_a_break_is_asked_for_twice(eyes: Eyes, house: House) -> None:
    page, held = eyes.opens(f"{house.url}/learn", token=house.account("Lin", "player")), list[Route]()
    page.route("**/api/me/limits", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    page.goto(f"{house.url}/limits")
    until(lambda: page.title() and held)
    expect(page.locator("#limits :is(input, button):enabled")).to_have_count(0)  # the answer would undo it
    held[0].continue_()
    page.unroute("**/api/me/limits")
    page.fill("[name=loss_day]", "500")
    page.fill("[name=check_minutes]", "30")
    page.click("#limits button")
    expect(page.locator("#saved")).not_to_be_empty()
    expect(page.locator("#loss_day-more .used")).to_have_text("0 of 500")
    page.fill("[name=loss_day]", "")
    page.click("#limits button")
    expect(page.locator("#loss_day-more .coming")).to_contain_text("no limit")
    expect(page.locator("#loss_day-more .used")).to_have_text("0 of 500")
    page.click("#break button")
    expect(page.locator("#break button")).to_have_text(re.compile("Sure"))
    expect(page.locator("#away")).to_be_hidden()
    page.click("#break button")
    expect(page.locator("#away")).to_be_visible()


@pytest.mark.whole
def test_the_table_shows_a_reality_check_until_the_player_goes_on(eyes: Eyes, opens: Opens) -> None:
    eyes.expects("status of 422")
    house = opens(table(TABLE), cards="2C 4D 3C 4S")
    player = Player.sits(eyes, house, TABLE)
    every = msgspec.structs.replace(NO_BOUNDS, check_minutes=1)
    house.do(house.hall.change_limits(player.name, lambda own, now: own.asked(every, now)))
    player.bets("player", 100)
    house.ends("betting", TABLE)
    check = player.page.locator("reality-check")
    expect(check).to_contain_text(f"{MINUS}100 in all")
    house.ends("result", TABLE)
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")
    player.clicks("player")
    expect(player.page.locator(".toast")).to_contain_text("minutes")
    check.get_by_role("button", name="Go on").click()
    expect(check).to_be_hidden()
    player.bets("player", 100)
