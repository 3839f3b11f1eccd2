"""A dealer runs a round by keyboard, two cards come out together, a pit manager rules, and players choose."""

from playwright.sync_api import Page, expect

from browser.eyes import Eyes
from browser.house import Opens, table
from browser.player import BROUGHT, Player

TABLE = "salon"


def goes_on(dealer: Page, name: str) -> None:
    """Press Enter for what is due, once the main button says that."""
    button = dealer.locator("#main-button")
    expect(button).to_contain_text(name)
    expect(button).to_be_enabled()
    dealer.keyboard.press("Enter")


def enters(dealer: Page, *cards: str) -> None:
    """Rank, suit and Enter for each card; nobody sees it before that."""
    for count, card in enumerate(cards, start=1):
        expect(dealer.locator("#main-button")).to_contain_text("Enter the card")
        dealer.keyboard.type(card.lower())
        expect(dealer.locator("#hands .pc")).to_have_count(count - 1)
        goes_on(dealer, "Confirm")
        expect(dealer.locator("#hands .pc")).to_have_count(count)


def reports(dealer: Page, drawn: str) -> None:
    """Two cards drawn together; nobody knows which came first."""
    form = dealer.locator("#report")
    form.locator("[name=case]").select_option("drawn-together")
    form.locator("[name=order_known]").select_option("false")
    form.locator("[name=drawn]").fill(drawn)
    form.locator("[type=submit]").click()
    expect(dealer.locator("#main-button")).to_be_disabled()


def rules(manager: Page, first: str) -> None:
    """The pit's page comes to the case by itself; whoever rules sees where each order leads."""
    submit = manager.locator("#decide [type=submit]")
    expect(manager.locator("#needed")).to_be_visible()
    expect(submit).to_be_disabled()
    expect(manager.locator("#case-head .cite").first).to_be_visible()
    manager.get_by_label(f"{first} first").check()
    expect(submit).to_contain_text(first)
    manager.locator("#decide [name=reason]").fill("Seen by the floor.")
    submit.click()
    expect(manager.locator("#options-count")).to_contain_text("0")


def chooses(player: Player, what: str) -> None:
    expect(player.page.locator("held-up .cite").first).to_be_visible()
    player.page.locator("held-up").get_by_role("button", name=what).click()


def test_a_staffed_round_with_an_irregularity(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE))
    dealer = eyes.opens(f"{house.url}/dealer/{TABLE}", token=house.token("dealer"))
    manager = eyes.opens(f"{house.url}/pit/{TABLE}", token=house.token("pit-manager"))
    goes_on(dealer, "Start the shoe")
    goes_on(dealer, "Open bets")
    one, two = (Player.sits(eyes, house, TABLE) for _ in range(2))
    one.bets("player", 100)
    two.bets("banker", 100)
    two.bets("banker-char-siu", 10)
    expect(dealer.locator("#money tbody tr")).to_have_count(2)
    goes_on(dealer, "No more bets")
    enters(dealer, "2C", "4H", "3D", "KS")
    reports(dealer, "4D 2S")
    assert "4D" not in one.page.request.get(f"{house.url}/api/tables/{TABLE}").text()
    rules(manager, "2 of spades")
    chooses(one, "Go on")
    chooses(two, "Take undecided bets back")
    goes_on(dealer, "Draw the card")  # the other one, after the insurance that the first has opened
    goes_on(dealer, "Settle")
    expect(dealer.locator("#money-title")).to_contain_text("Payouts")
    for player, net in ((one, -10_000), (two, 0)):
        expect(player.page.locator("table-middle text")).to_have_text("庄")
        assert player.rack() == player.ledger() == BROUGHT + net
    expect(dealer.locator("#money")).to_contain_text(one.name)


def test_a_dealer_calls_the_pit(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE))
    dealer = eyes.opens(f"{house.url}/dealer/{TABLE}", token=house.token("dealer"))
    manager = eyes.opens(f"{house.url}/pit", token=house.token("pit-manager"))
    expect(dealer.locator("#main-button")).to_be_enabled()
    dealer.keyboard.press("p")
    expect(dealer.locator("#call")).to_be_disabled()
    manager.locator("#calls a").click()
    manager.locator("#called button").click()
    expect(dealer.locator("#call")).to_be_enabled()


def test_pages_of_staff_are_for_staff(eyes: Eyes, opens: Opens) -> None:
    """Who is not signed in is asked to; who is somebody else is told."""
    eyes.expects("status of 403")
    house = opens(table(TABLE))
    for path in (f"/dealer/{TABLE}", "/pit", "/audit", "/accounts"):
        expect(eyes.opens(f"{house.url}{path}").locator("#sign-in")).to_be_visible()
        told = eyes.opens(f"{house.url}{path}", token=house.token("player"))
        expect(told.locator("#staff")).to_have_count(0)
        expect(told.locator("h1")).to_be_visible()
