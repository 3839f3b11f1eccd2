"""Nothing is lost by a reload, a server that starts again, or a line that breaks."""

import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from browser.eyes import Eyes
from browser.house import House, Opens, table
from browser.player import BROUGHT, Player

pytestmark = pytest.mark.browser

TABLE = "tiger-buffalo"
CARDS = "6C 3D KH AS 3C"  # insurance on Player at 5 to 2, then Banker wins


def insuring(player: Player, house: House) -> None:
    """Bets are closed, four cards lie, insurance is on offer."""
    player.bets("player", 100)
    house.ends("betting", TABLE)
    expect(player.page.locator("insurance-prompt")).to_be_visible()


def same_as_before(player: Player) -> None:
    page = player.page
    expect(page.locator("insurance-prompt")).to_be_visible()
    expect(page.locator("table-hands .card")).to_have_count(4)
    expect(page.locator("table-felt .chips .stack.mine")).to_contain_text("100")
    expect(page.locator("table-middle small")).to_contain_text("insure")


def to_the_end(player: Player) -> None:
    insured = player.insures()
    expect(player.page.locator("round-net:visible")).to_be_visible()
    assert player.rack() == player.ledger() == BROUGHT - 10_000 + insured * 5 // 2


@pytest.mark.whole
def test_reload_in_the_middle_of_a_round(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE), cards=CARDS)
    player = Player.sits(eyes, house, TABLE)
    player.bets("player", 100)
    player.page.reload()
    expect(player.page.locator("table-felt .chips .stack.mine")).to_contain_text("100")
    expect(player.spot("banker")).to_have_attribute("aria-disabled", "false")
    house.ends("betting", TABLE)
    player.page.reload()
    same_as_before(player)
    to_the_end(player)


def test_the_server_starts_again_in_the_middle_of_a_round(eyes: Eyes, opens: Opens) -> None:
    eyes.expects("ERR_CONNECTION_REFUSED|WebSocket connection to .* failed")
    house = opens(table(TABLE), cards=CARDS)
    player = Player.sits(eyes, house, TABLE)
    insuring(player, house)
    house.stop()
    expect(player.page.locator("#lost")).to_be_visible()
    expect(player.page.locator("html")).to_have_attribute("data-link", "lost")
    player.house = opens(table(TABLE), again=house)
    expect(player.page.locator("#lost")).to_be_hidden()
    same_as_before(player)
    to_the_end(player)


def test_a_line_that_breaks_is_told_and_heals(eyes: Eyes, house: House) -> None:
    """While it is broken others bet; afterwards their chips are there, and the next bet goes through."""
    eyes.expects("ERR_INTERNET_DISCONNECTED|WebSocket connection to .* failed")
    player, other = (Player.sits(eyes, house, "tiger") for _ in range(2))
    player.page.context.set_offline(True)  # its socket is not closed by anybody
    expect(player.page.locator("#lost")).to_be_visible()
    other.bets("banker", 100)
    expect(player.page.locator("table-felt .chips .stack")).to_have_count(0)
    player.page.context.set_offline(False)
    expect(player.page.locator("#lost")).to_be_hidden()
    expect(player.page.locator("table-felt .chips .stack")).to_have_count(1)
    player.bets("player", 50)
    assert player.rack() == player.ledger()


@pytest.mark.whole
def test_a_line_that_falls_silent_is_noticed_by_what_is_not_answered(eyes: Eyes, house: House) -> None:
    player = Player.sits(eyes, house, "tiger")
    lines: list[WebSocketRoute] = []

    def passes(line: WebSocketRoute) -> None:
        """The first takes all that is said and brings nothing; the next is as good as any."""
        lines.append(line)
        server = line.connect_to_server()
        if len(lines) == 1:
            server.on_message(lambda said: line.send(said) if '"view"' in str(said) else None)

    player.page.route_web_socket(re.compile("/stream"), passes)
    player.page.reload()
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")
    player.bets("player", 50)
    assert len(lines) == 2
    assert player.rack() == player.ledger()
