"""What pages ask of the server: nothing twice, little, and nothing of anybody else."""

import json
import re
from collections import Counter
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, WebSocket, WebSocketRoute, expect

from browser.eyes import DESKTOP, PHONE, Eyes
from browser.house import House, Opens, table, until
from browser.player import BROUGHT, Player
from relay import Relay

pytestmark = pytest.mark.browser

TABLE = "tiger-buffalo"
FIRST_VIEW_BYTES = 120_000


@pytest.fixture(autouse=True)
def _listens(eyes: Eyes) -> None:
    eyes.listens()


def fetched(eyes: Eyes, page: Page) -> Counter[str]:
    page.wait_for_load_state("networkidle")
    return Counter(f"{one.method} {one.url.partition('?')[0]}" for one in eyes.requests)


@pytest.mark.whole
def test_nothing_is_fetched_twice_by_somebody_who_comes_in(eyes: Eyes, house: House) -> None:
    page = eyes.opens(f"{house.url}/tables/{TABLE}")
    page.locator("table-felt .spot").first.wait_for()
    twice = [name for name, count in fetched(eyes, page).items() if count > 1]
    assert not twice, "\n".join(twice)
    assert any("/felt/" in one.url for one in eyes.requests)


def test_nothing_is_fetched_twice_by_somebody_with_a_seat(eyes: Eyes, house: House) -> None:
    token = house.as_("guest").token
    assert (
        house.as_("guest").post(f"/api/tables/{TABLE}/sit-down", {"box": 6, "cents": 100_000}).status_code
        == 200
    )
    page = eyes.opens(f"{house.url}/tables/{TABLE}", token=token)
    expect(Player(page, house, TABLE).spot("player")).to_have_attribute("aria-disabled", "false")
    twice = [name for name, count in fetched(eyes, page).items() if count > 1]
    assert not twice, "\n".join(twice)


@pytest.mark.whole
def test_a_phone_fetches_no_felt(eyes: Eyes, house: House) -> None:
    page = eyes.opens(f"{house.url}/tables/{TABLE}", viewport=PHONE)
    page.locator(".pspot").first.wait_for()
    names = fetched(eyes, page)
    assert not [name for name in names if "/felt/" in name]
    assert max(names.values()) == 1


@pytest.mark.gate("en")
@pytest.mark.parametrize(("lang", "box"), [("en", 1), ("zh", 2)])
def test_the_first_view_of_a_table_is_light(lang: str, box: int, chromium: Browser, house: House) -> None:
    """Every byte that is sent to somebody who comes for the first time: headers, stream, coach and installed app too."""
    asking = house.as_(house.account(f"Newcomer-{lang}", "player"))
    assert asking.post("/api/tables/tiger/sit-down", {"box": box, "cents": 100_000}).status_code == 200
    with Relay(house.port) as relay:
        context = chromium.new_context(viewport=DESKTOP, locale="en-GB")
        context.add_cookies([{"name": "thirdcard", "value": asking.token, "url": relay.url}])
        page = context.new_page()
        page.goto(f"{relay.url}/tables/tiger?lang={lang}")
        expect(page.locator('.own .spot[aria-disabled="false"]').first).to_be_attached()
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.wait_for_load_state("networkidle")
        context.close()
    assert FIRST_VIEW_BYTES / 2 < relay.sent < FIRST_VIEW_BYTES


def test_eyes_see_what_is_wrong(eyes: Eyes, house: House) -> None:
    """A control: a message, an error, a script and a request that must not be are all noted."""
    page = eyes.opens(f"{house.url}/rules")
    page.evaluate("console.warn('one thing')")
    page.evaluate("setTimeout(() => { throw new Error('another') })")
    page.evaluate(
        "document.head.append(Object.assign(document.createElement('script'), { textContent: 'document.title = 1' }))"
    )
    page.evaluate("fetch('http://127.0.0.1:9/elsewhere').catch(() => {})")
    signs = ("one thing", "another", "Content Security Policy", "127.0.0.1:9/elsewhere")
    until(lambda: page.title() and all(sign in "\n".join(eyes.wrong) for sign in signs))
    eyes.wrong.clear()


# Commands -----------------------------------------------------------------------------------------------

FREE = "tiger-buffalo-4"  # no insurance comes between two rounds
CARDS = "KC 2D 5H AS KD 3C"


def plays(eyes: Eyes, house: House) -> tuple[Player, list[dict[str, Any]]]:
    """Somebody with a seat, and every message that the page sends over its socket."""
    player, messages = Player.sits(eyes, house, FREE), list[dict[str, Any]]()

    def watch(opened: WebSocket) -> None:
        opened.on("framesent", lambda text: messages.append(json.loads(text)))

    player.page.on("websocket", watch)
    player.page.reload()
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")
    return player, messages


def places(player: Player, stakes: dict[str, int]) -> None:
    """Bets without a click, in cents."""
    seats = player.house.live(FREE).table.seats
    at = next(box for box, name in seats.items() if name == player.name)
    bets = [{"command": "place", "box": at, "bet": bet, "cents": cents} for bet, cents in stakes.items()]
    address = f"{player.house.url}/api/tables/{FREE}/commands"
    answer = player.page.request.post(address, data=bets, headers={"Idempotency-Key": uuid4().hex})
    assert answer.ok, answer.text()
    shows(player, sum(stakes.values()))


def shows(player: Player, cents: int) -> None:
    """The page says so much is staked, and nothing is on its way any more."""
    expect(player.page.locator("table-purse .stake b")).to_have_text(f"{cents // 100:,}")
    expect(player.page.locator("table-felt .stack.sent")).to_have_count(0)


@pytest.mark.whole
def test_rebet_double_and_clear_are_one_message_each(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(FREE), cards=CARDS)
    player, messages = plays(eyes, house)
    bets = house.live(FREE).table.setup.bets
    assert len(bets) == 11
    places(player, dict.fromkeys(bets, 1_000))
    house.ends("betting", FREE)
    house.ends("result", FREE)
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")
    for number, (act, staked) in enumerate({"rebet": 11_000, "double": 22_000, "clear": 0}.items(), start=1):
        player.page.locator(f"[data-act={act}]").click()
        shows(player, staked)
        assert len(messages) == number
        assert {one["bet"] for one in messages[-1]["ask"]} == set(bets)
    assert len({message["key"] for message in messages}) == 3
    assert not [one.url for one in eyes.requests if one.url.endswith("/commands")]


@pytest.mark.whole
def test_double_goes_as_far_as_each_bet_may(eyes: Eyes, opens: Opens) -> None:
    """Twice as much is too much on one of three: that one comes to the most, in the same message."""
    house = opens(table(FREE), cards=CARDS)
    player, messages = plays(eyes, house)
    places(player, {"player": 10_000, "tie": 30_000, "big-tiger": 1_000})
    most = house.live(FREE).table.setup.limit("tie").max
    assert most
    assert 30_000 < most < 60_000
    player.page.locator("[data-act=double]").click()
    shows(player, 20_000 + most + 2_000)
    assert len(messages) == 1
    assert player.rack() == player.ledger()


def test_a_bet_whose_answer_is_lost_is_asked_again_and_done_once(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(FREE), cards=CARDS)
    player = Player.sits(eyes, house, FREE)
    lost: list[dict[str, Any]] = []

    def line(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def passed(text: str | bytes) -> None:
            message = json.loads(text)
            if "key" in message and not lost:
                lost.append(message)
                page.close()
            else:
                page.send(text)

        server.on_message(passed)

    player.page.route_web_socket(re.compile("/stream"), line)
    player.page.reload()
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")
    player.bets("player", 100)
    shows(player, 10_000)
    again = [one for one in eyes.requests if one.url.endswith("/commands")]
    assert [one.headers["idempotency-key"] for one in again] == [message["key"] for message in lost]
    assert len(lost) == 1
    player.bets("banker", 50)
    assert player.rack() == player.ledger() == BROUGHT - 15_000
