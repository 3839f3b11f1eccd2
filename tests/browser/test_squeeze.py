"""The squeeze in a real browser: by mouse, finger and keys; others see backs, and nothing else reaches them."""

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from browser.eyes import DESKTOP, PHONE, Eyes
from browser.house import Opens, table
from browser.player import BROUGHT, Player
from browser.test_sizes import FAULTS

pytestmark = pytest.mark.browser

SALON = "squeeze-salon"
LYING = ViewportSize(width=844, height=390)
# Player 9 and 7, Banker 2 and A and a third card; then a round in which both hands stand.
CARDS = "9C 2D 7D AS 4H 6S KC 8H 9S"


def listens(page: Page) -> list[str]:
    """What the page is sent over its socket, from now on."""
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: heard.append(str(data))))
    page.reload()
    return heard


def card(panel: Locator) -> tuple[float, float, float, float]:
    """Where the card in hand lies, once it may be opened."""
    expect(panel.locator(".btn.primary")).to_be_enabled()
    box = panel.locator(".held .under").bounding_box()
    assert box
    return box["x"], box["y"], box["width"], box["height"]


def lifted(panel: Locator) -> int:
    return int(panel.get_attribute("data-lifted") or 0)


def lights(panel: Locator) -> list[str]:
    return panel.locator(".edges li.on span").all_inner_texts()


def drags(page: Page, panel: Locator, far: float) -> None:
    """From the near edge upwards, by so many heights of the card, and hold it there."""
    x, y, wide, high = card(panel)
    page.mouse.move(x + wide / 2, y + high - 3)
    page.mouse.down()
    page.mouse.move(x + wide / 2, y + high - 3 - high * far, steps=4)


def swipes(page: Page, panel: Locator) -> None:
    """The same by finger, far enough, and let go."""
    x, y, wide, high = card(panel)
    touch = page.context.new_cdp_session(page)
    for kind, part in [
        ("touchStart", 0),
        *(("touchMove", part) for part in (0.3, 0.7, 1.1, 1.4)),
        ("touchEnd", 0),
    ]:
        points = [] if kind == "touchEnd" else [{"x": x + wide / 2, "y": y + high - 3 - high * part}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def told(heard: list[str], *cards: str) -> list[str]:
    """What has one of the cards in it; a guest may have the same letters in the name."""
    card = re.compile(rf"(?<![A-Z0-9-])({'|'.join(cards)})(?![A-Z0-9])")
    return [one for one in heard if card.search(one)]


def test_cards_are_lifted_by_mouse_and_finger_and_nobody_else_sees_them(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(SALON), cards=CARDS)
    player = Player.sits(eyes, house, SALON, has_touch=True)
    page, panel = player.page, player.page.locator("squeeze-panel")
    watcher = eyes.opens(f"{house.url}/tables/{SALON}")
    heard = listens(watcher)
    backs = watcher.locator("table-hands [aria-label='face down']")
    expect(watcher.locator("table-hands .hand-title")).to_have_count(2)
    player.bets("player", 100)
    expect(page.locator(".here b")).to_have_text("2")
    house.ends("betting", SALON)
    expect(panel.locator(".because a")).to_have_text(["3.10.2", "3.10.3", "3.10.4", "3.10.5"])

    drags(page, panel, 0.7)
    assert 25 < lifted(panel) < 60
    assert lights(panel) == ["9 10"], "four sides of the nine"
    page.mouse.up()
    expect(panel).to_have_attribute("data-lifted", "0")
    expect(backs).to_have_count(4)
    assert not told(heard, "9C", "7D")

    drags(page, panel, 1.5)
    page.mouse.up()
    expect(watcher.locator("table-hands [aria-label='nine of clubs']")).to_have_count(1)
    expect(panel.locator(".sum")).to_have_text("9")
    assert not told(heard, "7D")
    assert not told([watcher.request.get(f"{house.url}/api/tables/{SALON}").text()], "7D")
    swipes(page, panel)
    expect(watcher.locator("table-hands [aria-label='seven of diamonds']")).to_have_count(1)
    assert told(heard, "7D")
    expect(panel).to_be_hidden()
    expect(backs).to_have_count(0)  # those of the Banker are nobody's: the dealer turns them


@pytest.mark.whole
def test_cards_are_lifted_turned_and_opened_by_keys(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(SALON), cards=CARDS)
    player = Player.sits(eyes, house, SALON)
    page, panel = player.page, player.page.locator("squeeze-panel")
    player.bets("player", 100)
    house.ends("betting", SALON)
    card(panel)
    page.keyboard.press("Enter")
    expect(panel.locator(".sum")).to_have_text("9")
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    expect(panel).to_have_attribute("data-lifted", "36")
    assert lights(panel) == ["6 7 8"]
    expect(panel.locator(".makes b")).to_have_text(["6 → 5", "7 → 6", "8 → 7"])
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    expect(panel).to_have_attribute("data-lifted", "18")
    assert lights(panel) == ["4 5", "6 7 8", "9 10"]
    page.keyboard.press("t")
    expect(panel).to_have_attribute("data-lifted", "0")
    expect(panel.locator(".turner")).to_have_attribute("transform", "rotate(0 50 70)")
    page.keyboard.press("o")
    expect(panel).to_be_hidden()
    expect(page.locator("table-hands [aria-label='seven of diamonds']")).to_have_count(1)


@pytest.mark.whole
def test_a_slider_lifts_without_dragging_and_time_or_a_word_gives_the_cards_back(
    eyes: Eyes, opens: Opens
) -> None:
    house = opens(table(SALON), cards=CARDS)
    player = Player.sits(eyes, house, SALON, viewport=PHONE, reduced_motion="reduce")
    panel = player.page.locator("squeeze-panel")
    player.bets("player", 100)
    house.ends("betting", SALON)
    slider = panel.locator("input[type=range]")
    slider.focus()
    for _ in range(30):
        player.page.keyboard.press("ArrowRight")
    expect(panel).to_have_attribute("data-lifted", "30")
    expect(panel.locator(".edges li.on")).not_to_have_count(0)
    panel.locator(".turn").click()
    expect(panel).to_have_attribute("data-lifted", "0")
    for control in panel.locator("button:visible, input:visible").all():
        box = control.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    player.page.set_viewport_size(LYING)  # the phone is turned with the cards in hand
    assert player.page.evaluate(FAULTS) == []
    player.page.locator("#menu-button").click()
    player.page.locator("#menu [data-does=history]").click()
    expect(player.page.locator("round-history")).to_contain_text("No round")  # over the cards, not under them
    assert player.page.evaluate(FAULTS) == []
    player.page.keyboard.press("Escape")
    expect(player.page.locator("round-history")).to_be_hidden()
    house.ends("squeeze", SALON)  # the dealer takes the cards back and turns them
    expect(panel).to_be_hidden()
    expect(player.page.locator("table-hands [aria-label='nine of clubs']")).to_have_count(1)
    player.page.set_viewport_size(DESKTOP)
    house.ends("result", SALON)
    player.bets("player", 100)
    house.ends("betting", SALON)
    panel.get_by_role("button", name=re.compile("Pass")).click()
    expect(panel).to_be_hidden()
    expect(player.page.locator("table-hands .score:not(.none)")).to_have_count(2)
    assert player.ledger() == BROUGHT - 2 * 10_000  # the Banker has seven, then nine
