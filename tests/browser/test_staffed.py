"""The dealing desk: whole rounds by keyboard, scanner and touch; Enter does one thing and decides for nobody."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

from browser.eyes import Eyes
from browser.house import House, Opens, table, until
from browser.player import BROUGHT, Player
from browser.test_pages import AXE, CHECK, SETTLED, WIDE
from service.api.serving import Asking
from thirdcard.cards import parse_cards

pytestmark = pytest.mark.browser

TABLE = "salon"
SIZES = ((1440, 900), (1280, 720), (1180, 820))
# Panels of the desk that show less than they hold; the right column may scroll by itself.
CUT_OFF = """() => [...document.querySelectorAll("#required, #felt, #keypad, .bx, .topbar, #steps li")]
  .filter((one) => one.checkVisibility() && (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1))
  .map((one) => `${one.id || one.className}: ${one.textContent.slice(0, 40)}`)"""


def main(desk: Page) -> Locator:
    return desk.locator("#main-button")


def ready(desk: Page, name: str, key: str = "Enter") -> None:
    """The one required action is this one, and that key would do it."""
    expect(main(desk)).to_contain_text(name)
    expect(main(desk)).to_have_attribute("aria-keyshortcuts", key)


def goes_on(desk: Page, name: str, key: str = "Enter") -> None:
    ready(desk, name, key)
    desk.keyboard.press(key)


def scans(desk: Page, *cards: str) -> None:
    """A scanner types rank, suit and Enter, and does not look at the desk."""
    for card in cards:
        desk.keyboard.type(card.lower())
        desk.keyboard.press("Enter")


def lie(desk: Page, count: int) -> None:
    expect(desk.locator("#felt .pc")).to_have_count(count)


def at_desk(eyes: Eyes, house: House, role: str = "dealer", **options: object) -> Page:
    return eyes.opens(f"{house.url}/dealer/{TABLE}", token=house.token(role), **options)  # type: ignore[arg-type]


def opened(house: House) -> Asking:
    """Bets are open; who did it deals from here on."""
    dealer = house.as_("dealer")
    for name in ("new-shoe", "open"):
        dealer.does(name, TABLE)
    return dealer


def walk_in(desk: Page, box: int, cents: str, description: str = "") -> None:
    """Seat somebody without a device."""
    desk.locator(f"[data-box='{box}'] .seatbtn").click()
    desk.locator(".seatform [name=description]").fill(description)
    desk.locator(".seatform [name=cents]").fill(cents)
    desk.keyboard.press("Alt+S")
    expect(desk.locator(f"[data-box='{box}'] header")).to_contain_text("W-")


def puts_down(desk: Page, who: str, bet: str, dollars: int) -> None:
    """Chips as they lie."""
    form = desk.locator(".chipform")
    option = form.locator("[name=player] option", has_text=who)
    form.locator("[name=player]").select_option(option.get_attribute("value"))
    form.get_by_role("button", name=bet, exact=True).click()
    form.locator("[name=cents]").fill(str(dollars))
    desk.keyboard.press("Alt+Enter")
    expect(form.locator("[name=cents]")).to_have_value("")


def pays_all(desk: Page) -> None:
    """Losing bets are taken, then each payout is ticked, one by one; then it is done."""
    expect(main(desk)).to_contain_text(re.compile("Losing bets|Paid"))
    while "Payouts done" not in (text := main(desk).inner_text()):
        goes_on(desk, text.split("\n")[0])
        expect(main(desk)).not_to_have_attribute("aria-keyshortcuts", "Enter")
        expect(main(desk)).to_have_attribute("aria-keyshortcuts", "Enter")
    goes_on(desk, "Payouts done")


def test_a_round_by_a_scanner_with_a_guest_and_a_walk_in(eyes: Eyes, opens: Opens) -> None:
    """From the shuffle to the next round; the scanner types on over the insurance and is held back."""
    house = opens(table(TABLE))
    desk = at_desk(eyes, house)
    goes_on(desk, "I deal here")
    for name in ("Counted", "Shuffled", "cut", "placed", "Load"):
        ready(desk, "")
        expect(main(desk)).to_contain_text(re.compile(name, re.IGNORECASE))
        desk.keyboard.press("Enter")
        expect(main(desk)).not_to_have_attribute("aria-keyshortcuts", "Enter")
    goes_on(desk, "Open bets")
    walk_in(desk, 5, "2,000", "grey cap")
    expect(desk.locator("[data-box='5']")).to_contain_text("grey cap")
    puts_down(desk, "W-1", "Player", 400)
    guest = Player.sits(eyes, house, TABLE)
    guest.bets("banker", 100)
    assert "grey cap" not in guest.page.request.get(f"{house.url}/api/tables/{TABLE}").text()
    expect(desk.locator("#rail")).to_be_visible()
    goes_on(desk, "No more bets")
    ready_for_cards(desk)
    scans(desk, "9C", "KS", "7D", "4H", "3D", "8S")
    lie(desk, 4)
    expect(desk.locator("#keypad")).to_contain_text("held back")
    expect(desk.locator(".fsteps .now")).to_contain_text("1 silent")
    expect(main(desk)).to_have_attribute("aria-keyshortcuts", "Shift+Enter")
    desk.keyboard.press("Enter")  # somebody is silent: this closes nothing
    desk.locator("[data-player='W-1']").get_by_role("button", name="Full 400").click()
    expect(desk.locator("[data-player='W-1']")).to_contain_text("Bought 400")
    goes_on(desk, "Insurance closed")
    expect(main(desk)).to_contain_text("Enter the card")
    desk.keyboard.type("3d")
    goes_on(desk, "Confirm three of diamonds")
    lie(desk, 5)
    goes_on(desk, "Settle")
    pays_all(desk)
    ready(desk, "Open bets")
    assert guest.rack() == guest.ledger() == BROUGHT + 9_500
    assert house.rack(TABLE, "W-1") == 200_000 - 40_000 + 100_000
    desk.get_by_role("button", name="Seat, buy-in").click()
    for _ in range(2):  # it is asked once more
        desk.locator("#panel [data-player='W-1']").get_by_role("button", name="Cash out").click()
    expect(desk.locator("#panel [data-player='W-1']")).to_have_count(0)
    assert house.rack(TABLE, "W-1") == 0


TONES = """() => {
  const { createOscillator } = BaseAudioContext.prototype;
  window.tones = 0;
  BaseAudioContext.prototype.createOscillator = function () { window.tones += 1; return createOscillator.call(this); };
}"""


@pytest.mark.whole
def test_a_scanner_is_held_at_both_windows_and_heard(eyes: Eyes, opens: Opens) -> None:
    """Each time it types on, nothing is dealt, a low tick is heard, and insurance is closed by a word first."""
    house = opens(table(TABLE))
    dealer = opened(house)
    player = house.player("Lin", TABLE, box=2)
    player.does("place", TABLE, box=2, bet="player", cents=10_000)
    dealer.does("close", TABLE)
    desk = at_desk(eyes, house)
    ready_for_cards(desk)
    desk.evaluate(TONES)
    held = 0
    for window, (scanned, lying) in enumerate(
        ((("2C", "4H", "3D", "KS", "2S"), 4), (("2S", "8S"), 5)), start=1
    ):
        ready_for_cards(desk)
        expect(desk.locator("#keypad")).not_to_contain_text("held back")  # what was said before is over
        scans(desk, *scanned)
        expect(desk.locator("#keypad")).to_contain_text("held back")
        lie(desk, lying)
        expect(desk.locator(".offer .stamp")).to_contain_text("first" if window == 1 else "second")
        assert desk.evaluate("window.tones") > held
        held = desk.evaluate("window.tones")
        player.does("decline", TABLE)
        goes_on(desk, "Insurance closed")
    ready_for_cards(desk)
    scans(desk, "8S")
    lie(desk, 6)
    ready(desk, "Settle")


@pytest.mark.whole
def test_what_lies_outside_the_limits_goes_back_by_one_press(eyes: Eyes, opens: Opens) -> None:
    """Over the differential and over a maximum: Enter returns one excess at a time, and bets close after both."""
    house = opens(table(TABLE, differential=500_000))
    dealer = opened(house)
    for box, (name, bet, dollars) in enumerate((("Chua", "player", 4_800), ("Siti", "tie", 100)), start=5):
        house.player(name, TABLE, box=box).does("place", TABLE, box=box, bet=bet, cents=dollars * 100)
    desk = at_desk(eyes, house)
    ready(desk, "No more bets")
    dealer.does("record-chips", TABLE, player="Siti", box=5, bet="player", cents=100_000)
    dealer.does("record-chips", TABLE, player="Siti", box=6, bet="tie", cents=60_000)
    expect(desk.locator(".bx.flagged")).to_have_count(2)
    for name in ("Return the excess, 800", "Return the excess, 100"):
        goes_on(desk, name)
        expect(main(desk)).not_to_contain_text(name)
    ready(desk, "No more bets")
    lying = {(one.player, one.bet): one.cents for one in house.live(TABLE).table.round.stakes.values()}  # type: ignore[union-attr]
    assert lying == {("Chua", "player"): 480_000, ("Siti", "player"): 20_000, ("Siti", "tie"): 50_000}


def ready_for_cards(desk: Page) -> None:
    expect(desk.locator("#keypad")).to_be_visible()
    expect(desk.locator("#keypad [data-key='9']")).to_be_enabled()


@pytest.mark.whole
def test_enter_does_one_thing_and_decides_for_nobody(eyes: Eyes, opens: Opens) -> None:
    """A second Enter is dead; a bet that is too small is raised or withdrawn by its own button alone."""
    house = opens(table(TABLE))
    dealer = opened(house)
    player = house.player("Lin", TABLE, box=2)
    desk = at_desk(eyes, house)
    dealer.does("record-chips", TABLE, player="Lin", box=2, bet="player", cents=500)
    expect(desk.locator("[data-box='2']")).to_have_class(re.compile("flagged"))
    version = house.versions()[TABLE]
    expect(main(desk)).to_be_disabled()
    desk.keyboard.press("Enter")
    withdraw = desk.get_by_role("button", name="Withdraw")
    withdraw.focus()
    desk.keyboard.press("Enter")
    scans(desk, "9C")
    assert house.versions()[TABLE] == version
    withdraw.press("Space")
    expect(desk.locator("[data-box='2']")).not_to_have_class(re.compile("flagged"))
    player.does("place", TABLE, box=2, bet="player", cents=10_000)
    ready(desk, "No more bets")
    desk.keyboard.press("Enter")
    for _ in range(5):
        desk.keyboard.press("Enter")
    ready_for_cards(desk)
    scans(desk, "8C", "KS", "KD", "9H")  # naturals: nothing is left to draw
    lie(desk, 4)
    ready(desk, "Settle")
    desk.keyboard.press("Enter")
    desk.keyboard.press("Enter")
    expect(main(desk)).to_contain_text("Losing bets taken")
    payouts = house.as_("dealer").get(f"/api/tables/{TABLE}/desk").json()["payouts"]
    assert not any(one["paid"] for one in payouts["people"])


@pytest.mark.whole
def test_who_does_not_deal_looks_on(eyes: Eyes, opens: Opens) -> None:
    """Nothing of theirs is sent, and nothing is refused."""
    house = opens(table(TABLE))
    opened(house)
    other = eyes.opens(f"{house.url}/dealer/{TABLE}", token=house.account("Priya", "dealer"))
    expect(other.locator("#required h1")).to_contain_text("deals here")
    expect(main(other)).to_be_disabled()
    version = house.versions()[TABLE]
    for key in ("Enter", "w", "r"):
        other.keyboard.press(key)
    scans(other, "9C")
    expect(other.locator(".seatbtn")).to_have_count(0)
    expect(other.locator("#answer")).to_contain_text("held back")
    assert house.versions()[TABLE] == version


def test_a_lost_line_locks_the_entry_and_names_the_last_card(eyes: Eyes, opens: Opens) -> None:
    eyes.expects("WebSocket")
    eyes.expects("ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    house = opens(table(TABLE))
    dealer = opened(house)
    dealer.does("close", TABLE)
    desk = at_desk(eyes, house)
    ready_for_cards(desk)
    desk.route("**/desk", lambda route: route.abort())  # it does not hear which card is due next
    scans(desk, "9C")
    lie(desk, 1)
    desk.context.set_offline(True)
    desk.unroute("**/desk")
    house.cut("dealer-1", TABLE)
    expect(desk.locator("#required")).to_contain_text("nine of clubs")
    expect(desk.locator("#keypad")).to_contain_text("Locked")
    scans(desk, "KS")
    desk.context.set_offline(False)
    ready_for_cards(desk)
    lie(desk, 1)
    scans(desk, "KS")
    lie(desk, 2)
    desk.evaluate(
        "WebSocket.prototype.send = () => {}"
    )  # what is sent gets lost: it is said, then sent again
    scans(desk, "7D")
    expect(desk.locator("#required .unsent")).to_contain_text("Not sent yet")
    lie(desk, 3)
    expect(desk.locator("#required .unsent")).to_have_count(0)


def turns(desk: Page, *cards: str) -> None:
    """Name what shows, card by card, as the cards are turned."""
    for card in cards:
        ready_for_cards(desk)
        desk.keyboard.type(card.lower())
        goes_on(desk, "Confirm")
        expect(desk.locator("#keypad [aria-pressed='true']")).to_have_count(0)


@pytest.mark.whole
def test_cards_from_an_ordinary_shoe_are_named_when_they_are_turned(eyes: Eyes, opens: Opens) -> None:
    """Nobody has seen them before."""
    house = opens(table(TABLE, method="face-down"))
    opened(house)
    player = house.player("Ong", TABLE, box=2)
    player.does("place", TABLE, box=2, bet="player", cents=10_000)
    desk = at_desk(eyes, house)
    goes_on(desk, "No more bets")
    for count in range(1, 5):
        goes_on(desk, "Draw the card")
        until(lambda: len(house.live(TABLE).table.round.drawn) == count)  # type: ignore[union-attr]  # noqa: B023
    turns(desk, "9C", "KD")
    turns(desk, "2H", "4S")
    goes_on(desk, "Settle")
    expect(main(desk)).to_contain_text("Paid")
    assert house.live(TABLE).table.round.seen == parse_cards("9C 2H KD 4S")  # type: ignore[union-attr]


@pytest.mark.whole
def test_a_dealer_calls_the_pit_and_says_what_for(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE))
    opened(house)
    desk = at_desk(eyes, house)
    ready(desk, "No more bets")
    desk.keyboard.press("p")
    expect(desk.locator("#call")).to_be_disabled()
    desk.locator("#panel [name=note]").fill("A chip is under the table.")
    desk.get_by_role("button", name="Tell the pit").click()
    expect(desk.locator("#panel")).to_be_hidden()
    assert house.live(TABLE).called == "A chip is under the table."
    assert "chip is under" not in house.as_("player").get(f"/api/tables/{TABLE}").text


@pytest.mark.whole
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_whole_desk_fits_the_screen(lang: str, eyes: Eyes, opens: Opens) -> None:
    """With six boxes taken and people behind them; axe-core minds nothing."""
    house = opens(table(TABLE))
    dealer = opened(house)
    people = {
        name: house.player(name, TABLE, box=box)
        for box, name in enumerate(("Anwar", "Lin", "Wei", "Tay", "Chua", "Kumar"), 1)
    }
    for box, (name, one) in enumerate(people.items(), 1):
        for bet, dollars in (("player", 1_300), ("banker", 500), ("tie", 50), ("banker-char-siu", 50)):
            one.does("place", TABLE, box=box, bet=bet, cents=dollars * 100)
        house.player(f"{name}-2", TABLE).does("place", TABLE, box=box, bet="banker", cents=30_000)
    dealer.does("record-chips", TABLE, player="Lin", box=2, bet="tie", cents=100)
    desk = eyes.opens(f"{house.url}/dealer/{TABLE}?lang={lang}", token=house.token("dealer"))
    expect(desk.locator(".bx.flagged")).to_have_count(1)
    fits(desk)
    people["Lin"].does("take-back", TABLE, box=2, bet="tie")
    dealer.does("close", TABLE)
    for card in ("9C", "KS", "7D", "4H"):
        dealer.does("draw", TABLE, card=card)
    people["Wei"].does("decline", TABLE)
    expect(desk.locator(".ansx.wait")).to_have_count(5)
    fits(desk)
    desk.evaluate(AXE.read_text(encoding="utf-8"))
    assert desk.wait_for_function(CHECK).json_value() == []
    hands = desk.locator("#felt .hands .hl")
    expect(hands.first).to_have_text(re.compile("Player" if lang == "en" else "^閒6"))
    answer, time = desk.locator("#rail tr", has_text="Wei"), re.compile(r"\d\d:\d\d:\d\d")
    expect(answer).to_contain_text(time)
    desk.reload()
    expect(desk.locator(".tally .since b")).to_have_text(
        "\N{EN DASH}"
    )  # it was not there and does not say when
    expect(answer).not_to_contain_text(time)


def fits(desk: Page) -> None:
    for width, height in SIZES:
        desk.set_viewport_size(ViewportSize(width=width, height=height))
        desk.wait_for_function(SETTLED)
        assert desk.evaluate(WIDE) == [], f"at {width} by {height}"
        assert desk.evaluate(CUT_OFF) == [], f"at {width} by {height}"
        assert desk.evaluate("document.documentElement.scrollHeight") <= height


@pytest.mark.whole
def test_pages_of_staff_are_for_staff(eyes: Eyes, opens: Opens) -> None:
    """Who is not signed in is asked to; who is somebody else is told."""
    eyes.expects("status of 403")
    house = opens(table(TABLE))
    for path in (f"/dealer/{TABLE}", "/pit", "/audit", "/accounts"):
        expect(eyes.opens(f"{house.url}{path}").locator("#sign-in")).to_be_visible()
        told = eyes.opens(f"{house.url}{path}", token=house.token("player"))
        expect(told.locator("#staff")).to_have_count(0)
        expect(told.locator("h1")).to_be_visible()


@pytest.mark.whole
def test_the_next_is_begun_with_while_the_last_is_on_its_way(eyes: Eyes, opens: Opens) -> None:
    """What the dealer has typed for the next patron, or as the next amount, is not taken for the last."""
    house = opens(table(TABLE))
    opened(house)
    desk = at_desk(eyes, house)
    held: list[Route] = []
    desk.route("**/patrons", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    desk.locator("[data-box='5'] .seatbtn").click()
    desk.locator(".seatform [name=cents]").fill("2,000")
    desk.keyboard.press("Alt+S")
    until(lambda: desk.title() and held)
    desk.locator("[data-box='6'] .seatbtn").click()
    expect(desk.locator(".seatform [name=cents]")).to_have_value("")
    desk.locator(".seatform [name=cents]").fill("3,000")
    held.pop().continue_()
    expect(desk.locator("[data-box='5'] header")).to_contain_text("W-1")
    ready(desk, "No more bets")
    expect(desk.locator(".seatform [name=cents]")).to_have_value("3,000")
    desk.unroute("**/patrons")
    desk.keyboard.press("Alt+S")
    expect(desk.locator("[data-box='6'] header")).to_contain_text("W-2")
    assert house.rack(TABLE, "W-2") == 300_000
    puts_down(desk, "W-2", "Banker", 100)
    expect(desk.locator("[data-box='6'] .pb")).to_contain_text("100")
