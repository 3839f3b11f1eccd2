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


def rules(manager: Page, order: str) -> None:
    """The pit's page comes to the case by itself; whoever rules chooses an order of cards that nobody has seen."""
    submit = manager.locator("#decide [type=submit]")
    expect(manager.locator("#needed")).to_be_visible()
    expect(submit).to_be_disabled()
    expect(manager.locator("#case-head .cite").first).to_be_visible()
    manager.get_by_label(f"Order of the report: {order}").check()
    expect(submit).to_be_enabled()
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
    rules(manager, "2, 1")
    chooses(one, "Go on")
    chooses(two, "Take undecided bets back")
    goes_on(dealer, "Draw the card")  # the other one, after the insurance that the first has opened
    goes_on(dealer, "Settle")
    expect(dealer.locator("#money-title")).to_contain_text("Payouts")
    for player, net in ((one, -10_000), (two, 0)):
        expect(player.page.locator("table-middle text")).to_have_text("庄")
        assert player.rack() == player.ledger() == BROUGHT + net
    expect(dealer.locator("#money")).to_contain_text(one.name)


def turns(dealer: Page, *cards: str) -> None:
    """Name what shows, card by card, as the cards are turned."""
    for card in cards:
        expect(dealer.locator("#main-button")).to_contain_text("Enter the card")
        dealer.keyboard.type(card.lower())
        goes_on(dealer, "Confirm")


def test_cards_from_an_ordinary_shoe_are_named_when_they_are_turned(eyes: Eyes, opens: Opens) -> None:
    """Nobody has seen them before; a wrong name is put right by two people, a report is dismissed."""
    house = opens(table(TABLE, method="face-down"))
    dealer = eyes.opens(f"{house.url}/dealer/{TABLE}", token=house.token("dealer"))
    pit = eyes.opens(f"{house.url}/pit/{TABLE}", token=house.token("pit-supervisor"))
    goes_on(dealer, "Start the shoe")
    goes_on(dealer, "Open bets")
    player = Player.sits(eyes, house, TABLE)
    player.bets("player", 100)
    goes_on(dealer, "No more bets")
    for count in range(1, 5):
        goes_on(dealer, "Draw the card")
        expect(dealer.locator("#hands .pc")).to_have_count(count)
    turns(dealer, "9C", "KD")
    turns(dealer, "2H", "4S")
    expect(dealer.locator("#main-button")).to_contain_text("Settle")

    amend = dealer.locator("#amend")
    amend.locator("[name=cards]").fill("9C 2H KD 5S")
    amend.locator("[name=reason]").fill("A five, not a four.")
    amend.locator("[type=submit]").click()
    expect(player.page.locator("held-up")).to_be_visible()
    pit.locator("summary", has_text="Put the record of the cards right").click()
    pit.get_by_role("button", name="Confirm: the record is put right").click()
    expect(player.page.locator("held-up")).to_be_hidden()

    report = dealer.locator("#report")
    report.locator("[name=case]").select_option("other-dealing-error")
    report.locator("[type=submit]").click()
    expect(pit.locator("#case-head h2")).to_be_visible()
    pit.locator("#dismiss summary").click()
    pit.locator("#dismiss [name=dismissed]").fill("Nothing to it.")
    pit.locator("#dismiss [type=submit]").click()
    goes_on(dealer, "Settle")
    expect(dealer.locator("#money-title")).to_contain_text("Payouts")
    address = f"{house.url}/api/tables/{TABLE}/rounds/1"
    while not (answer := player.page.request.get(address)).ok:
        player.page.wait_for_timeout(100)  # the round is on its way to the disk
    assert [one["card"] for one in answer.json()["cards"]] == ["9C", "2H", "KD", "5S"]


def test_what_no_rule_covers_is_decided_with_what_the_decision_asks_for(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE))
    dealer = house.as_("dealer")
    for name in ("new-shoe", "open"):
        dealer.does(name, TABLE)
    player = Player.sits(eyes, house, TABLE)
    player.bets("player", 100)
    dealer.does("close", TABLE)
    dealer.does("report", TABLE, case="not-covered")
    dealer.does("report", TABLE, case="other-dealing-error")
    manager = eyes.opens(f"{house.url}/pit/{TABLE}", token=house.token("shift-manager"))
    decide = manager.locator("#decide")
    expect(manager.locator("#case-head")).to_contain_text("Waits behind it")
    expect(decide.locator("[name=stakes]")).to_be_hidden()
    decide.locator("[name=action]").select_option("cut-stakes")
    decide.locator("[name=stakes]").check()
    decide.locator("[name=amount]").fill("40")
    expect(decide.locator("[type=submit]")).to_be_disabled()
    decide.locator("[name=reason]").fill("Half of them were painted.")
    decide.locator("[type=submit]").click()
    expect(player.page.locator("table-purse .stake b")).to_have_text("40")
    expect(manager.locator("#case-head h2")).to_contain_text("dealing error")
    expect(manager.locator("#case-head")).not_to_contain_text("Waits behind it")


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


def test_an_account_and_a_table_are_made_on_their_pages(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE))
    accounts = eyes.opens(f"{house.url}/accounts", token=house.token("administrator"))
    accounts.locator("#add [name=name]").fill("mei")
    accounts.locator("#add [name=password]").fill("a long pass phrase")
    accounts.locator("#add [type=submit]").click()
    expect(accounts.locator("#accounts")).to_contain_text("mei")
    expect(accounts.locator("#add [name=name]")).to_have_value("")
    pit = eyes.opens(f"{house.url}/pit", token=house.token("pit-manager"))
    pit.locator("#new-table [name=title]").fill("Salon 2")
    pit.locator("#new-table [name=id]").fill("salon-2")
    pit.locator("#new-table [type=submit]").click()
    pit.wait_for_url("**/pit/salon-2")


def test_pages_of_staff_are_for_staff(eyes: Eyes, opens: Opens) -> None:
    """Who is not signed in is asked to; who is somebody else is told."""
    eyes.expects("status of 403")
    house = opens(table(TABLE))
    for path in (f"/dealer/{TABLE}", "/pit", "/audit", "/accounts"):
        expect(eyes.opens(f"{house.url}{path}").locator("#sign-in")).to_be_visible()
        told = eyes.opens(f"{house.url}{path}", token=house.token("player"))
        expect(told.locator("#staff")).to_have_count(0)
        expect(told.locator("h1")).to_be_visible()
