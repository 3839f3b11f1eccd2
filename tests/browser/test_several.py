"""Tables side by side, each fully playable; and the pages as an installed app."""

import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page, ViewportSize, expect

from browser.eyes import ARGUMENTS, Eyes, found
from browser.house import House, Opens, table, until
from browser.scenes import CARDS
from browser.test_pages import AXE, CHECK
from service.api.serving import Asking

pytestmark = pytest.mark.browser

TWO = ViewportSize(width=1600, height=900)
FOUR = ViewportSize(width=1920, height=1080)
ONE = ViewportSize(width=1366, height=768)
NAMED = ("left", "right", "third", "fourth")


def opened(eyes: Eyes, house: House, person: Asking, viewport: ViewportSize, *names: str) -> Page:
    address = f"{house.url}/several?" + "&".join(f"t={name}" for name in names)
    return eyes.opens(address, token=person.token, viewport=viewport)


def frame(page: Page, name: str) -> FrameLocator:
    return page.frame_locator(f'iframe[data-src="/tables/{name}"]')


def spot(page: Page, name: str, bet: str) -> Locator:
    return frame(page, name).locator(f'.shown :is(.own .spot, .pspot)[data-bet="{bet}"]')


def attended(page: Page) -> list[str]:
    return [one.get_attribute("data-src") or "" for one in page.locator("iframe.attended").all()]


def stakes(house: House, name: str) -> dict[str, int]:
    current = house.live(name).table.round
    assert current is not None
    return {stake.bet: stake.cents for stake in current.stakes.values()}


def test_two_tables_are_played_by_mouse_and_by_keys_and_one_of_them_is_heard(
    eyes: Eyes, opens: Opens
) -> None:
    buffalo = table("tiger-buffalo")
    house = opens(*(msgspec.structs.replace(buffalo, id=name) for name in NAMED), cards=CARDS)
    wei = Asking(house, house.account("Wei", "player"))
    for name in NAMED[:2]:
        assert wei.post(f"/api/tables/{name}/sit-down", {"box": 3, "cents": 500_000}).status_code == 200
    page = opened(eyes, house, wei, TWO, *NAMED[:2])
    for name in NAMED[:2]:
        expect(spot(page, name, "player")).to_have_attribute("aria-disabled", "false")
        expect(frame(page, name).locator("html")).to_have_class(re.compile("framed"))  # its keys are heard
    assert attended(page) == ["/tables/left"]
    expect(frame(page, "right").locator("html")).to_have_class(re.compile("aside"))

    spot(page, "left", "player").click()
    until(lambda: stakes(house, "left"))
    page.keyboard.press("]")
    expect(page.locator('[data-at="1"]')).to_have_attribute("aria-pressed", "true")
    assert attended(page) == ["/tables/right"]
    expect(frame(page, "left").locator("html")).to_have_class(re.compile("aside"))
    page.keyboard.press("4")  # keys are the other table's now: a chip of 100
    spot(page, "right", "banker").focus()
    page.keyboard.press("Enter")
    until(lambda: stakes(house, "right"))
    assert list(stakes(house, "left")) == ["player"]
    assert stakes(house, "right") == {"banker": 10_000}

    page.evaluate(AXE.read_text(encoding="utf-8"))
    minded = CHECK.replace("axe.run(document,", "axe.run({ exclude: ['iframe'] },")
    assert page.evaluate(minded) == []
    house.ends("betting", "left")
    expect(
        page.locator('[data-at="0"] .asks')
    ).to_be_visible()  # insurance, at the table that has not the keys
    page.keyboard.press("[")
    assert attended(page) == ["/tables/left"]
    page.keyboard.press("i")
    until(lambda: house.waits("left") != "insurance")
    expect(page.locator('[data-at="0"] .asks')).to_be_hidden()
    expect(frame(page, "left").locator("round-net:visible")).to_be_visible()  # the page has it too
    page.keyboard.press("s")
    expect(frame(page, "left").locator("round-statement")).to_contain_text("Player Insurance")


@pytest.mark.whole
def test_as_many_tables_as_the_screen_takes(eyes: Eyes, opens: Opens) -> None:
    buffalo = table("tiger-buffalo")
    salon = msgspec.structs.replace(table("squeeze-salon"), id="fourth")
    house = opens(*(msgspec.structs.replace(buffalo, id=name) for name in NAMED[:3]), salon)
    wei = Asking(house, house.account("Wei", "player"))
    assert wei.post("/api/tables/fourth/sit-down", {"box": 3, "cents": 500_000}).status_code == 200
    page = opened(eyes, house, wei, FOUR, *NAMED)
    shown = page.locator("iframe:not([hidden])")
    for viewport, count in ((FOUR, 4), (TWO, 2), (ONE, 1)):
        page.set_viewport_size(viewport)
        expect(shown).to_have_count(count)
    page.locator('[data-at="3"]').click()
    expect(shown).to_have_attribute("data-src", "/tables/fourth")
    page.set_viewport_size(FOUR)
    expect(shown).to_have_count(4)
    boxes = [one.bounding_box() for one in shown.all()]
    assert all(box and box["width"] >= 900 and box["height"] > 500 for box in boxes), "no room is left over"
    until(lambda: house.waits("fourth") == "betting")
    wei.does("place", "fourth", box=3, bet="player", cents=10_000)
    house.ends("betting", "fourth")
    page.locator('[data-at="0"]').click()
    expect(page.locator('[data-at="3"] .asks')).to_have_text("Your squeeze")  # the keys are elsewhere
    page.locator(".tab a").first.click()
    page.wait_for_url("**/several?t=right&t=third&t=fourth")
    page.locator(".add summary").click()
    page.locator(".add a").click()
    page.wait_for_url("**/several?t=right&t=third&t=fourth&t=left")


def test_no_other_page_has_a_table_in_a_frame(eyes: Eyes, house: House) -> None:
    eyes.expects("frame-ancestors|chrome-error|a request to")
    page = eyes.opens(f"{house.url}/offline")
    page.goto(f"data:text/html,<iframe src='{house.url}/tables/tiger'></iframe>")
    until(
        lambda: page.evaluate("frames.length") == 1 and page.frames[1].url == "chrome-error://chromewebdata/"
    )


def test_the_pages_can_be_installed_and_say_so_without_a_network(
    chromium: Browser, tmp_path: Path, opens: Opens
) -> None:
    """In a browser that keeps what it is given, and could show it in a window; then the server is gone."""
    house = opens()
    kept = chromium.browser_type.launch_persistent_context(
        tmp_path / "kept", executable_path=found(), args=ARGUMENTS, locale="en-GB"
    )
    page = kept.new_page()
    page.goto(f"{house.url}/")
    asking = kept.new_cdp_session(page)
    assert asking.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    manifest = asking.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/app/en.webmanifest")

    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.goto(f"{house.url}/tables/tiger")
    stored = page.evaluate(
        "caches.keys().then((all) => Promise.all(all.map((name) => caches.open(name).then((one) => one.keys()))))"
        ".then((all) => all.flat().map((one) => new URL(one.url).pathname))"
    )
    assert "/offline" in stored
    assert all(one == "/offline" or one.startswith("/static/") for one in stored)
    house.stop()
    page.goto(f"{house.url}/tables/tiger")
    expect(page.locator("h1").first).to_have_text("No network")
    expect(page.locator("h1")).to_have_count(3)
    styled = "getComputedStyle(document.documentElement).getPropertyValue('--night-1')"
    assert page.evaluate(styled), "its style sheets are kept too"
    again = page.locator("a.btn.primary")
    expect(again).to_have_js_property(
        "href", f"{house.url}/tables/tiger"
    )  # back to the table, not to another page
    kept.close()
