"""Around the desks: everybody lands at work, tables are set up and closed, accounts are changed on purpose."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.eyes import Eyes
from browser.house import House, Opens, table
from browser.player import Player
from service.api.serving import PASSWORD

pytestmark = pytest.mark.browser

TABLE = "salon"
PIN = "271828"


def signs_in(page: Page, name: str, password: str = PASSWORD) -> None:
    form = page.locator("#sign-in")
    form.locator("[name=name]").fill(name)
    form.locator("[name=password]").fill(password)
    form.locator("button").click()


def test_a_newcomer_deals_without_typing_an_address(eyes: Eyes, opens: Opens) -> None:
    """From the lobby: an administrator makes a dealer, who signs in, signs on, sets a PIN and is at the desk."""
    house = opens(table(TABLE))
    house.hall.people.register("Ada", PASSWORD, "administrator")
    page = eyes.opens(house.url)
    page.get_by_role("link", name="Sign in").click()
    signs_in(page, "Ada")
    page.wait_for_url("**/accounts")
    page.locator("#add [name=name]").fill("Dee")
    page.locator("#add [name=password]").fill(PASSWORD)
    page.locator("#add [type=submit]").click()
    expect(page.locator("#accounts tr[data-name=Dee] .role")).to_have_text("Dealer")
    page.locator(".duty").click()
    page.locator("#sign-out").click()
    page.get_by_role("link", name="Sign in").click()
    signs_in(page, "Dee")
    page.wait_for_url("**/staff")
    page.locator(".duty").click()
    pin = page.locator("#pin-set")
    pin.locator("[name=password]").fill(PASSWORD)
    for name in ("pin", "again"):
        pin.locator(f"[name={name}]").fill(PIN)
    pin.locator("button").click()
    expect(page.locator("#pin-done")).to_be_visible()
    assert house.hall.people.has_pin("Dee")
    page.get_by_role("link", name="To your work").click()
    page.get_by_role("button", name="Sign on at").click()
    page.wait_for_url(f"**/dealer/{TABLE}")
    assert house.live(TABLE).duty.dealer == "Dee"
    expect(page.locator("#main-button")).to_be_enabled()


@pytest.mark.whole
def test_everybody_lands_at_work_and_watches_without_an_error(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE))
    house.as_("dealer").does("new-shoe", TABLE)  # somebody deals: people may sit down
    homes = {
        "dealer": "/staff", "pit-supervisor": "/pit", "shift-manager": "/pit", "auditor": "/audit",
        "administrator": "/accounts", "player": "/",
    }  # fmt: skip
    for role, home in homes.items():
        page = eyes.opens(f"{house.url}/home", token=house.token(role))
        assert page.url == f"{house.url}{home}", role
        page.goto(house.url)
        expect(page.get_by_role("button", name="Sit down")).to_have_count(1 if role == "player" else 0)
        page.goto(f"{house.url}/tables/{TABLE}")
        watching = "Take an empty seat" if role == "player" else "Staff do not play"
        expect(page.locator("table-purse .watching")).to_contain_text(watching)
        desk = page.get_by_role("link", name="Desk", exact=True)
        expect(desk).to_have_count(1 if role in ("dealer", "pit-supervisor", "shift-manager") else 0)


@pytest.mark.whole
def test_a_role_changes_by_a_deliberate_act_and_says_so(eyes: Eyes, opens: Opens) -> None:
    """A key in a list changes nothing; who deals is named first; who is signed out reads why."""
    eyes.expects("status of (401|403|409)")
    house = opens(table(TABLE))
    dealer = eyes.opens(f"{house.url}/staff", token=house.token("dealer"))
    dealer.get_by_role("button", name="Sign on at").click()
    dealer.wait_for_url(f"**/dealer/{TABLE}")
    name = house.live(TABLE).duty.dealer
    accounts = eyes.opens(f"{house.url}/accounts", token=house.token("administrator"))
    row = accounts.locator(f"#accounts tr[data-name={name}]")
    expect(row).to_contain_text(f"deals at {TABLE}")
    expect(row.locator("select")).to_have_count(0)
    row.get_by_role("button", name="Role").click()
    dialog = accounts.locator("dialog")
    confirm = dialog.locator("[type=submit]")
    expect(confirm).to_be_disabled()
    dialog.locator("select").focus()
    accounts.keyboard.press("ArrowDown")
    dialog.locator("select").select_option("pit-supervisor")
    expect(dialog).to_contain_text("Dealer → Pit Supervisor")
    assert role_of(house, name) == "dealer"
    confirm.click()
    expect(dialog.locator(".wrong")).to_contain_text(TABLE)
    assert role_of(house, name) == "dealer"
    accounts.get_by_role("button", name="Do it even so").click()
    expect(row.locator(".role")).to_have_text("Pit Supervisor")
    with dealer.expect_popup() as other:
        dealer.locator("#signed-out a").click()
    expect(other.value.locator("#ended")).to_contain_text("changed your role")
    signs_in(other.value, name)
    expect(dealer.locator("#signed-out")).to_have_count(0)
    assert dealer.url.endswith(f"/dealer/{TABLE}")


def role_of(house: House, name: str) -> str:
    found = house.call(lambda: house.hall.people.find(name))
    assert found is not None
    return str(found.role)


@pytest.mark.whole
def test_a_table_is_checked_as_it_is_typed_and_opened(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE))
    manager = eyes.opens(f"{house.url}/staff/tables/new", token=house.token("pit-manager"))
    go = manager.locator("#go [type=submit]")
    expect(go).to_be_disabled()
    manager.locator("[name=rulebook]").select_option("rws-tiger-buffalo-commission-v2")
    expect(manager.locator("[name=decks]")).to_have_value("8")
    manager.locator("[name=title]").fill("Salon 2")
    expect(manager.locator("[name=id]")).to_have_value("salon-2")
    expect(manager.locator("#felt svg")).to_be_visible()
    most = manager.locator("[name='max/big-buffalo']")
    most.fill("3")
    expect(most).to_have_attribute("aria-invalid", "true")
    expect(go).to_be_disabled()
    manager.get_by_role("button", name="Use 500").click()
    expect(go).to_be_enabled()
    manager.locator("[name=differential]").fill("5")
    expect(manager.locator("#checked")).to_contain_text("below the minimum")
    manager.locator("[name=differential]").fill("4,000")
    expect(manager.locator("#placard")).to_contain_text("4,000")
    go.click()
    manager.wait_for_url("**/staff/tables/salon-2/setup")
    board = eyes.opens(f"{house.url}/tables/salon-2/board")
    expect(board.locator(".says")).to_contain_text("A dealer is on the way")
    lobby = eyes.opens(house.url)
    expect(lobby.locator(".tcard[data-id=salon-2] .phase")).to_contain_text("no dealer now")


@pytest.mark.whole
def test_limits_change_everywhere_and_a_table_is_closed_step_by_step(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE))
    board, lobby = eyes.opens(f"{house.url}/tables/{TABLE}/board"), eyes.opens(house.url)
    manager = eyes.opens(f"{house.url}/staff/tables/{TABLE}/setup", token=house.token("pit-manager"))
    dealer = house.as_("dealer")
    for name in ("new-shoe", "open"):
        dealer.does(name, TABLE)
    expect(board.locator(".says")).to_contain_text("Place your bets")
    expect(board.locator("table-clock text")).not_to_be_empty()
    player = Player.sits(eyes, house, TABLE)
    manager.locator("[name=differential]").fill("6,000")
    manager.locator("#go [type=submit]").click()
    for page in (board, player.page):
        expect(page.locator("[data-comes]")).to_contain_text("From round 2")
        expect(page.locator("[data-comes]")).to_contain_text("6,000")

    closing = manager.locator("#closing")
    closing.get_by_role("button", name="Announce").click()
    expect(player.page.locator("held-up")).to_contain_text("Last round")
    expect(board.locator(".says")).to_contain_text("最後")
    dealer.does("close", TABLE)
    for card in ("4C", "2D", "4H", "3S"):
        dealer.does("draw", TABLE, card=card)
    dealer.does("settle", TABLE)
    expect(board.locator("[data-hits=player-pair]")).to_have_text("1")
    expect(board.locator("[data-hits=banker-pair]")).to_have_text("0")
    closing.get_by_role("button", name="Close the table").click()
    expect(player.page.locator("held-up")).to_contain_text("closed")
    archive = closing.get_by_role("button", name="Archive")
    expect(archive).to_be_disabled()
    closing.get_by_role("button", name=re.compile("Cash out")).click()
    archive.click()
    expect(closing).to_contain_text("Archived")
    assert player.ledger() == 0
    expect(lobby.locator(".notice.none")).to_be_visible()
    expect(lobby.locator(".tcard")).to_have_count(0)


@pytest.mark.whole
def test_an_irregularity_is_one_moment_please_to_the_public(eyes: Eyes, opens: Opens) -> None:
    """The sentence that staff chose is read in both languages on the board and at the table, and no more."""
    house = opens(table(TABLE))
    dealer, manager = house.as_("dealer"), house.as_("pit-manager")
    board = eyes.opens(f"{house.url}/tables/{TABLE}/board")
    for name in ("new-shoe", "open"):
        dealer.does(name, TABLE)
    player = Player.sits(eyes, house, TABLE)
    player.bets("player", 100)
    dealer.does("close", TABLE)
    dealer.does("draw", TABLE, card="9C")
    dealer.does("report", TABLE, case="other-dealing-error", note="My sleeve caught the shoe.")
    told = {board: board.locator(".says"), player.page: player.page.locator("held-up")}
    for place in told.values():
        expect(place).to_contain_text("One moment please")
        expect(place).to_contain_text("請稍候")
    manager.post(f"/api/tables/{TABLE}/say", {"sentence": "card-checked"})
    for page, place in told.items():
        expect(place).to_contain_text("The supervisor checks a card")
        assert "sleeve" not in page.content()
    manager.does("dismiss", TABLE, case="other-dealing-error", reason="Nothing to it.")
    expect(told[player.page]).to_be_hidden()
