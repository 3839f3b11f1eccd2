"""A whole evening by keyboard alone, and one by touch alone: five rounds from the lobby until one leaves."""

import pytest
from playwright.sync_api import Page, expect

from browser.eyes import PHONE, Eyes
from browser.house import House, Opens, table, until
from browser.player import Player
from browser.test_keyboard import comes_in, goes_round_the_felt, staked, tabs_to

pytestmark = pytest.mark.browser

TABLE = "tiger-buffalo"
INSURED = "6C 3D KH AS 3C "  # insurance on Player at 5 to 2, then Banker wins
NATURAL = "9C 2D KH 3S "  # Player wins with nine
CARDS = INSURED + NATURAL * 4


def phase(house: House) -> str:
    return house.live(TABLE).table.phase


def next_bets(house: House, player: Player) -> None:
    """The result has been up long enough."""
    until(lambda: phase(house) == "settled")
    house.ends("result", TABLE)
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")


def says_ready(page: Page) -> None:
    """By key, once the table has taken a bet: the stake is shown before that."""
    expect(page.locator('[data-act="ready"]')).to_be_visible()
    page.keyboard.press("Space")


def is_right(player: Player) -> None:
    assert player.rack() == player.ledger()


def test_an_evening_by_keyboard_alone(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE), cards=CARDS)
    page = eyes.opens(f"{house.url}/")
    comes_in(page)
    player = Player(page, house, TABLE)
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")
    goes_round_the_felt(page)
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    staked(player, 100)
    tabs_to(page, '.chipbtn[aria-checked="true"]')
    says_ready(page)  # nobody else has bet
    expect(page.locator("insurance-prompt")).to_be_visible()
    page.keyboard.press("i")
    expect(page.locator("round-net:visible")).to_be_visible()
    page.keyboard.press("s")
    statement = page.locator("round-statement")
    expect(statement.locator("tbody tr").first).to_contain_text("+")
    expect(statement.locator("tbody tr").nth(1)).not_to_contain_text("+")
    page.keyboard.press("Escape")
    expect(statement).to_be_hidden()
    is_right(player)

    next_bets(house, player)
    page.keyboard.press("r")
    staked(player, 100)
    says_ready(page)
    next_bets(house, player)
    page.keyboard.press("Shift+R")  # the same again for several rounds
    staked(player, 100)
    says_ready(page)
    next_bets(house, player)
    staked(player, 100)
    page.keyboard.press("Shift+R")
    tabs_to(page, ".own .spot")
    page.keyboard.press("m")  # the most that Player takes
    staked(player, 5_000)
    page.keyboard.press("Enter")
    expect(page.locator(".spot-note")).to_contain_text("5,000 is the most here")
    page.keyboard.press("z")
    staked(player, 100)
    tabs_to(page, '.chipbtn[aria-checked="true"]')
    says_ready(page)
    next_bets(house, player)
    staked(player, 0)
    is_right(player)
    tabs_to(page, ".pocket, #menu-button")
    page.keyboard.press("Enter")
    tabs_to(page, "table-self button")
    page.keyboard.press("Enter")
    until(lambda: player.name not in house.live(TABLE).table.seats.values())
    assert house.live(TABLE).table.rounds == 5


def drags(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """With a finger."""
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    send("touchStart", start)
    for step in range(1, 6):
        send(
            "touchMove",
            (start[0] + (end[0] - start[0]) * step / 5, start[1] + (end[1] - start[1]) * step / 5),
        )
    page.wait_for_timeout(
        200
    )  # a finger that is still moving when it lifts throws, and the next touch stops that
    send("touchMove", end)
    send("touchEnd")


def centre(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


CALM_MS = (
    1_100  # so long after a press the page lets another one go that meets something else there (steady.js)
)


class Finger(Player):
    """Somebody who has nothing but a phone's screen."""

    def taps(self, act: str) -> None:
        self.page.locator(f'[data-act="{act}"]:visible').tap()

    def takes(self, dollars: int) -> None:
        self.page.locator(f'.chipbtn[data-cents="{dollars * 100}"]').tap()

    def lies(self, dollars: int) -> None:
        """So much of theirs is on the layout."""

        def lying() -> int:
            current = self.house.live(self.table).table.round
            return sum(stake.cents for stake in current.stakes.values()) if current else 0

        until(lambda: lying() == dollars * 100)


@pytest.mark.whole
def test_an_evening_by_touch_alone(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE), cards=CARDS)
    page = eyes.opens(f"{house.url}/", viewport=PHONE, has_touch=True, is_mobile=True)
    page.locator(f'[data-sit="{TABLE}"]').tap()
    page.wait_for_url(f"**/tables/{TABLE}")
    player = Finger(page, house, TABLE)
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")
    bets_and_insures(player)
    next_bets(house, player)
    repeats(player)
    tops_up(player)
    page.locator("#menu-button").tap()
    page.locator("table-self button").first.tap()
    until(lambda: player.name not in house.live(TABLE).table.seats.values())
    assert house.live(TABLE).table.rounds == 5


def bets_and_insures(player: Finger) -> None:
    """Chips by tap and drag, ready, insurance, the statement and back."""
    page = player.page
    player.takes(100)
    player.spot("player").tap()
    player.lies(100)
    drags(page, centre(page, '.chipbtn[data-cents="5000"]'), centre(page, '.pspot[data-bet="tie"]'))
    player.lies(150)
    drags(page, centre(page, '.pspot[data-bet="tie"]'), (195, 120))  # off the spots: back into the rack
    player.lies(100)
    player.taps("ready")
    page.locator("insurance-prompt [data-act=insure]").tap()
    page.locator("round-net:visible button").tap()
    statement = page.locator("round-statement")
    expect(statement).to_be_visible()
    statement.get_by_role("button", name="Close").tap()
    expect(statement).to_be_hidden()


def repeats(player: Finger) -> None:
    """Once by rebet, then twice by itself; toast and tags go with the first bet."""
    page, house = player.page, player.house
    expect(page.locator("round-net:visible")).to_be_visible()
    expect(player.spot("player").locator(".pile.lose")).to_be_visible()
    player.taps("rebet")
    player.lies(100)
    expect(page.locator("round-net:visible")).to_have_count(0)
    player.taps("ready")
    next_bets(house, player)
    page.wait_for_timeout(CALM_MS)
    player.taps("times")
    page.locator('bet-tools [data-keep="times-2"]').tap()
    player.lies(100)
    page.locator("bet-tools").get_by_role("button", name="Close").tap()
    for dollars in (100, 0):
        house.ends("betting", TABLE)
        next_bets(house, player)
        player.lies(dollars)


def tops_up(player: Finger) -> None:
    """An oversize chip lays what fits, and one undo takes a clearing back."""
    player.takes(1000)
    player.spot("tie").tap()
    player.lies(500)
    expect(player.page.locator(".spot-note")).to_contain_text("500 is the most here")
    for act, dollars in (("clear", 0), ("undo", 500), ("clear", 0)):
        player.taps(act)
        player.lies(dollars)
