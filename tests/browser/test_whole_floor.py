"""One evening at one table with everybody at once: dealers, a supervisor, a manager, guests and walk-ins.

Everybody comes in by the lobby and finds their place by links and buttons alone. Three rounds are dealt by keyboard
and by a scanner that types ahead: insured, a card put right from the pit, two cards together ruled by the manager;
in between another dealer takes the table. What everybody has in the end is worked out here by hand.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.eyes import Eyes
from browser.house import House, Opens, table
from browser.player import BROUGHT, MINUS, Player
from browser.test_desk_steps import PIN, with_pin
from browser.test_office import signs_in
from browser.test_staffed import (
    TABLE,
    goes_on,
    lie,
    main,
    pays_all,
    puts_down,
    ready,
    ready_for_cards,
    scans,
    walk_in,
)
from service.api.serving import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.whole]

STAFF = {"Dee": "dealer", "Priya": "dealer", "Sue": "pit-supervisor", "Pam": "pit-manager"}
NOTE, REASON = "They came out stuck together.", "The spade lay uppermost on video."
CAP = "grey cap"
WALKED_IN = 200_000  # cents


def comes_to_work(eyes: Eyes, house: House, name: str, place: str) -> Page:
    """From the lobby, by the one link for it; each role lands where it works."""
    page = eyes.opens(house.url)
    page.get_by_role("link", name="Sign in").click()
    signs_in(page, name)
    page.wait_for_url(f"**{place}")
    return page


def opens_up(eyes: Eyes, house: House) -> Page:
    """A dealer signs on, and a shoe is made ready, one press for each step of it."""
    desk = comes_to_work(eyes, house, "Dee", "/staff")
    desk.get_by_role("button", name="Sign on at").click()
    desk.wait_for_url(f"**/dealer/{TABLE}")
    for name in ("Counted", "Shuffled", "cut", "placed", "Load"):
        expect(main(desk)).to_contain_text(re.compile(name, re.IGNORECASE))
        goes_on(desk, "")
        expect(main(desk)).not_to_have_attribute("aria-keyshortcuts", "Enter")
    return desk


def bets(desk: Page, banker: Player, player: Player) -> None:
    """The same in each round: two by their own hands, two by the dealer's."""
    puts_down(desk, "W-1", "Player", 400)
    puts_down(desk, "W-2", "Banker", 300)
    for one, hand, dollars in ((banker, "banker", 100), (player, "player", 500)):
        expect(one.spot(hand)).to_have_attribute("aria-disabled", "false")
        one.bets(hand, dollars)
    goes_on(desk, "No more bets")
    ready_for_cards(desk)


def is_right(house: House, guests: dict[Player, int], walk_ins: dict[str, int]) -> None:
    """So much everybody has won so far, in cents: on the screen, by the statement and by the postings."""
    for guest, won in guests.items():
        assert guest.rack() == guest.ledger() == BROUGHT + won
    for name, won in walk_ins.items():
        assert house.rack(TABLE, name) == WALKED_IN + won, name
    lying = house.live(TABLE).table.balances
    assert not any(cents for account, cents in lying.items() if account.startswith("box:"))
    assert sum(lying.values()) == 0, "what people won is what the house paid"


def test_an_evening_with_everybody(eyes: Eyes, opens: Opens) -> None:
    # What a desk asks in the very moment in which another dealer takes it.
    eyes.expects(rf"status of 401 .*/api/tables/{TABLE}/(desk|legal)")
    house = opens(table(TABLE))
    for name, role in STAFF.items():
        house.hall.people.register(name, PASSWORD, role)
    for name in ("Priya", "Pam"):
        pin = {"password": PASSWORD, "pin": PIN}
        assert house.as_(house.sign_in(name)).post("/api/me/pin", pin, method="PUT").is_success
    desk = opens_up(eyes, house)
    supervisor, manager = (comes_to_work(eyes, house, name, "/pit") for name in ("Sue", "Pam"))
    board = eyes.opens(f"{house.url}/tables/{TABLE}/board")
    goes_on(desk, "Open bets")
    walk_in(desk, 5, "2,000", CAP)
    walk_in(desk, 6, "2,000")
    banker, player = (Player.from_lobby(eyes, house, TABLE) for _ in range(2))

    bets(desk, banker, player)
    an_insured_round(desk, player)
    is_right(house, {banker: 9_500, player: 12_500}, {"W-1": -40_000, "W-2": 28_500})

    takes_over(desk)
    goes_on(desk, "Open bets")
    bets(desk, banker, player)
    a_card_is_wrong(desk, supervisor)
    is_right(house, {banker: -500, player: 62_500}, {"W-1": 0, "W-2": -1_500})

    goes_on(desk, "Open bets")
    bets(desk, banker, player)
    two_cards_together(desk, supervisor, manager)
    they_choose(desk, banker, player)
    the_rest_is_laid(desk)
    expect(board.locator(".says")).not_to_contain_text("One moment")
    is_right(house, {banker: 9_000, player: 62_500}, {"W-1": -40_000, "W-2": -1_500})
    for page in (board, player.page):
        is_discreet(page, house)
    assert house.live(TABLE).duty.dealer == "Priya"
    assert house.live(TABLE).table.rounds == 3


def an_insured_round(desk: Page, player: Player) -> None:
    """The scanner types on over the window; one insures at a page of their own, one answers the dealer."""
    scans(desk, "9C", "KS", "7D", "4H", "3D")
    lie(desk, 4)
    expect(desk.locator("#keypad")).to_contain_text("held back")
    desk.keyboard.press("Enter")  # two are silent: nothing is closed
    assert player.insures() == 25_000
    expect(main(desk)).to_have_attribute("aria-keyshortcuts", "Shift+Enter")
    desk.locator("[data-player='W-1']").get_by_role("button", name="No").click()
    goes_on(desk, "Insurance closed")
    ready_for_cards(desk)
    scans(desk, "3D")
    lie(desk, 5)
    goes_on(desk, "Settle")
    pays_all(desk)


def takes_over(desk: Page) -> None:
    """In the middle of the shoe, by the PIN of who takes it; the shoe goes on."""
    desk.keyboard.press("h")
    with_pin(desk, "Priya", "#panel")
    desk.get_by_role("button", name="Hand over the table").click()
    expect(desk.locator("#duty")).to_contain_text("Priya")


def a_card_is_wrong(desk: Page, supervisor: Page) -> None:
    """Naturals 8 and 9 are scanned; the nine was a seven. The pit is rung for it and confirms in two presses."""
    scans(desk, "8C", "KS", "KD", "9H")
    ready(desk, "Settle")
    desk.keyboard.press("w")
    scans(desk, "7H")
    goes_on(desk, "Ask for the seven of hearts")
    expect(main(desk)).to_be_disabled()
    supervisor.locator("#waiting a.open").click()
    supervisor.wait_for_url(f"**/pit/{TABLE}")
    slip = supervisor.locator("#proposed")
    expect(slip.locator("tr", has_text="W-2")).to_contain_text(f"{MINUS}300")
    for _ in range(2):
        slip.locator(".btn.primary").click()
    expect(slip).to_be_hidden()
    goes_on(desk, "Settle")
    pays_all(desk)


def two_cards_together(desk: Page, supervisor: Page, manager: Page) -> None:
    """The dealer may only report it, the supervisor passes it up, the manager rules by a PIN and gives a reason."""
    scans(desk, "2C", "4H", "3D", "KS")
    goes_on(desk, "Insurance closed", "Shift+Enter")
    ready_for_cards(desk)
    desk.keyboard.press("r")
    report = desk.locator("#panel")
    report.locator("[name=case]").select_option("drawn-together")
    report.locator("[name=order_known]").select_option("false")
    report.locator("[name=drawn]").fill("4D 2S")
    report.locator("[name=note]").fill(NOTE)
    report.locator("[type=submit]").click()
    expect(desk.locator("#required h1")).to_contain_text("Stopped")
    expect(supervisor.locator("#wrote")).to_contain_text(NOTE)
    expect(main(desk)).to_be_disabled()
    expect(desk.locator("#rail article.decision")).to_have_count(0)
    supervisor.keyboard.press("Alt+u")
    supervisor.locator("#pass").get_by_label("Pam").check()
    supervisor.locator("#pass [name=note]").fill("Disputed.")
    supervisor.get_by_role("button", name="Ring and pass").click()
    expect(manager.locator("html")).to_have_attribute("data-rang", "passed")
    manager.keyboard.press("1")
    manager.wait_for_url(f"**/pit/{TABLE}")
    manager.locator("#decide [name=decision][value=order-2-1]").check(force=True)
    manager.locator("#decide [name=reason]").fill(REASON)
    manager.locator("#decide .huge").click()
    manager.locator("#decide [name=pin]").fill(PIN)
    manager.keyboard.press("Enter")
    expect(manager.locator("#public")).to_contain_text("named the order")
    expect(supervisor.locator("#record")).to_contain_text("Pam")


def they_choose(desk: Page, banker: Player, player: Player) -> None:
    """Guests by themselves, walk-ins by what they tell the dealer; one of each kind takes the bets back."""
    for guest, name in ((banker, "Go on"), (player, "Take undecided bets back")):
        guest.page.locator("held-up").get_by_role("button", name=name).click()
        expect(guest.page.locator("held-up").get_by_role("button")).to_have_count(0)
    for name, choice in (("W-1", "Continue"), ("W-2", "Return")):
        desk.locator("#rail tr", has_text=name).get_by_role("button", name=choice).click()
        expect(desk.locator("#rail tr", has_text=name).get_by_role("button")).to_have_count(0)


def the_rest_is_laid(desk: Page) -> None:
    """The first of the two opens a second window, and who was silent at the first forgoes it; then comes the other."""
    goes_on(desk, "Insurance closed")
    expect(main(desk)).not_to_contain_text("Insurance closed")
    goes_on(desk, "")
    lie(desk, 6)
    goes_on(desk, "Settle")
    pays_all(desk)
    ready(desk, "Open bets")


def is_discreet(page: Page, house: House) -> None:
    """What was written for the pit, or about somebody, is on no page and in no answer that the public can have."""
    paths = [route.path for route in house.app.routes if "GET" in getattr(route, "methods", ())]
    asked = ["/", "/api/tables"]
    for path in [one for one in paths if "{table:str}" in one]:
        filled = path.replace("{table:str}", TABLE).replace("{player:str}", "W-1")
        asked += [filled.replace("{number:int}", str(number)) for number in (1, 2, 3)]
    texts = [
        page.content(),
        *(page.request.get(f"{house.url}{path}").text() for path in dict.fromkeys(asked)),
    ]
    assert sum("W-1" in text for text in texts) > 1, "they do tell of this table"
    for text in texts:
        assert not [one for one in (NOTE, REASON, CAP) if one in text]
