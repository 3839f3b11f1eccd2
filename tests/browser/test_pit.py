"""The pit: every table rings for somebody, a case is decided with everything in view, records are put right."""

import re

import msgspec
import pytest
from playwright.sync_api import Page, expect

from browser.eyes import Eyes
from browser.house import Opens, table, until
from browser.player import MINUS
from browser.scenes import Company
from browser.test_pages import SETTLED, WIDE
from service.api.serving import PASSWORD, Asking
from thirdcard.cards import parse_cards

pytestmark = pytest.mark.browser

TABLE = "salon"
NOTE = "Two came out stuck together."
REASON = "The red one lay uppermost on video."
SIZES = ((1440, 900), (1280, 720), (1180, 820))
PIN = "274913"


# The tab goes out of sight: its own timers and frames sleep.
UNSEEN = """() => {
  Object.defineProperty(document, "hidden", { get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
  for (let timer = 0; timer < 9999; timer += 1) clearTimeout(timer);
  window.setTimeout = window.setInterval = window.requestAnimationFrame = () => 0;
}"""


def together(company: Company) -> None:
    """Two cards come out together, and the dealer writes what happened."""
    company.deal()
    came_out = {"drawn": ["4D", "2S"], "shown": [5, 6], "order_known": False, "note": NOTE}
    company.staff["dealer"].does("report", TABLE, case="drawn-together", **came_out)


def at_pit(eyes: Eyes, company: Company, role: str = "pit-manager", path: str = f"/pit/{TABLE}") -> Page:
    return eyes.opens(f"{company.house.url}{path}", token=company.token(role))


def more(company: Company, role: str, name: str) -> Asking:
    """One more of the staff."""
    company.staff[role] = Asking(company.house, company.house.account(name, role))
    return company.staff[role]


def open_panel(page: Page, name: str) -> None:
    page.locator(f"#{name}-panel > summary").click()


def net(page: Page, player: str, column: int) -> str:
    return page.locator("#money tbody tr", has_text=player).locator("td.net").nth(column).inner_text()


def nothing_sticks_out(page: Page) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(SETTLED)
        assert page.evaluate(WIDE) == [], f"at {width} by {height}"


@pytest.mark.whole
def test_a_case_is_decided_with_everything_in_view(eyes: Eyes, opens: Opens) -> None:
    """It rings in a tab that nobody sees, is opened from the overview, ruled in two presses, and players are asked by name."""
    company = Company(opens(table(TABLE)))
    overview = at_pit(eyes, company, path="/pit")
    expect(overview.locator("#waiting")).to_contain_text("No table is stopped")
    overview.evaluate(UNSEEN)
    together(company)
    expect(overview).to_have_title(re.compile(r"^\(1\) Ruling"))
    expect(overview.locator("html")).to_have_attribute("data-rang", "stopped")
    tile = overview.locator(f".tt[data-id={TABLE}]")
    expect(tile).to_contain_text(NOTE)
    overview.keyboard.press("Escape")  # a gesture; no key decides anything
    tile.get_by_role("link", name="Open the case").click()
    overview.wait_for_url(f"**/pit/{TABLE}")
    pit = overview
    expect(pit.locator("#wrote")).to_contain_text(NOTE)
    expect(pit.locator("#wrote")).to_contain_text("Pam")
    expect(pit.locator("#felt .pc")).to_have_count(6)
    assert (net(pit, "Anwar", 0), net(pit, "Anwar", 1)) == ("+900", f"{MINUS}1,100")
    rule = pit.locator("#decide .huge")
    expect(rule).to_be_disabled()
    pit.get_by_label("two of spades first").check()
    expect(pit.locator("#decide [name=sentence]")).to_have_value("order-named")
    pit.locator("#decide [name=reason]").fill(REASON)
    nothing_sticks_out(pit)
    rule.click()
    expect(rule).to_contain_text("Press again")
    rule.click()
    expect(pit.locator("#public")).to_contain_text("named the order")
    for player, choice in (
        ("Mei", "Continue"),
        ("Wei", "Continue"),
        ("Lin", "Return"),
        ("Anwar", "Continue"),
    ):
        pit.get_by_role("button", name=f"{player}: {choice}").click()
        expect(pit.get_by_role("button", name=f"{player}:")).to_have_count(0)
    expect(pit.locator("#decision")).to_be_hidden()
    expect(pit.locator("#felt .togp")).to_have_count(0)
    public = company.people["Wei"].get(f"/api/tables/{TABLE}").text
    assert "order-named" in public
    assert REASON not in public
    assert NOTE not in public


def test_a_ruling_is_confirmed_by_ones_own_pin(eyes: Eyes, opens: Opens) -> None:
    company = Company(opens(table(TABLE)))
    body = {"password": PASSWORD, "pin": PIN}
    answer = company.staff["pit-manager"].post("/api/me/pin", body, method="PUT")
    assert answer.is_success, answer.text
    together(company)
    pit = at_pit(eyes, company)
    pit.get_by_label("four of diamonds first").check()
    pit.locator("#decide .huge").click()
    eyes.expects("status of 4")
    pit.locator("#decide [name=pin]").fill("111222")
    pit.keyboard.press("Enter")
    expect(pit.locator("#answer")).to_be_visible()
    pit.locator("#decide [name=pin]").fill(PIN)
    pit.keyboard.press("Enter")
    expect(pit.locator("#money")).to_contain_text("Continue")
    expect(pit.locator("#record")).to_contain_text("confirms by PIN")


@pytest.mark.whole
def test_two_cases_are_tabs_and_one_is_passed_up(eyes: Eyes, opens: Opens) -> None:
    """The next rank hears it; the other case is dismissed with a reason."""
    company = Company(opens(table(TABLE)))
    more(company, "pit-supervisor", "Sue")
    more(company, "shift-manager", "Jim")
    together(company)
    company.staff["dealer"].does("report", TABLE, case="other-dealing-error", note="Second slip.")
    pit = at_pit(eyes, company, "pit-supervisor")
    shift = at_pit(eyes, company, "shift-manager", "/pit")
    expect(pit.get_by_role("tab")).to_have_count(2)
    expect(pit.locator("#notes")).to_contain_text("How the cases meet")
    pit.keyboard.press("Alt+u")
    pit.locator("#pass").get_by_label("Jim").check()
    pit.locator("#pass [name=note]").fill("Disputed by Lin.")
    pit.get_by_role("button", name="Ring and pass").click()
    expect(pit.locator("#pass")).to_be_hidden()
    expect(pit.locator("#wrote")).to_contain_text("Jim")
    expect(shift.locator("html")).to_have_attribute("data-rang", "passed")
    pit.get_by_role("tab").nth(1).click()
    expect(pit.locator("#wrote")).to_contain_text("Second slip.")
    expect(pit.locator("#felt .togp")).to_contain_text("Case 1")
    pit.locator("#dismiss-button").click()
    pit.locator("#beside [name=dismissed]").fill("Nothing to it.")
    pit.locator("#beside [type=submit]").click()
    expect(pit.locator("#tabs")).to_be_hidden()
    expect(shift.locator("#waiting li")).to_have_count(1)
    shift.keyboard.press("1")
    shift.wait_for_url(f"**/pit/{TABLE}")
    expect(pit.locator("#wrote")).to_contain_text("with Jim")


@pytest.mark.whole
def test_what_no_rule_covers_is_decided_with_what_the_decision_asks_for(eyes: Eyes, opens: Opens) -> None:
    """What is typed is worked out before anything is ruled; a reason is needed."""
    company = Company(opens(table(TABLE)))
    more(company, "shift-manager", "Jim")
    company.sit(TABLE, "Wei")
    dealer = company.staff["dealer"]
    for name in ("new-shoe", "open"):
        dealer.does(name, TABLE)
    company.does("Wei", "place", TABLE, box=3, bet="player", cents=10_000)
    dealer.does("close", TABLE)
    dealer.does("report", TABLE, case="not-covered")
    manager = at_pit(eyes, company)
    expect(manager.locator("#deciders .no.you")).to_have_count(1)
    pit = at_pit(eyes, company, "shift-manager")
    decide = pit.locator("#decide")
    decide.get_by_label("Named stakes play for named amounts").check()
    decide.locator("[name=stakes]").check()
    decide.locator("[name=amount]").fill("40")
    expect(pit.locator("#money tr", has_text="Wei")).to_contain_text("60 goes back")
    rule = decide.locator(".huge")
    expect(rule).to_be_disabled()
    decide.locator("[name=reason]").fill("Half of them were painted.")
    rule.click()
    rule.click()
    expect(pit.locator("#decision")).to_be_hidden()
    expect(pit.locator("#money")).to_contain_text("40")


def settled(company: Company) -> None:
    """Player 9, Banker 6: naturals, nobody is insured."""
    company.sit(TABLE)
    dealer = company.staff["dealer"]
    for name in ("new-shoe", "open"):
        dealer.does(name, TABLE)
    company.bet(TABLE)
    dealer.does("close", TABLE)
    for card in ("9C", "2H", "KD", "4S"):
        dealer.does("draw", TABLE, card=card)
    dealer.does("settle", TABLE)


@pytest.mark.whole
def test_a_settled_round_is_corrected_with_before_and_after_in_dollars(eyes: Eyes, opens: Opens) -> None:
    """The button is dead until the cards differ, and until the table would take them."""
    company = Company(opens(table(TABLE)))
    settled(company)
    before = company.house.rack(TABLE, "Lin")
    pit = at_pit(eyes, company)
    expect(pit.locator("#money")).to_contain_text("Lin")
    open_panel(pit, "amend")
    amend = pit.locator("#amend")
    button = amend.locator(".btn.primary")
    expect(button).to_be_disabled()
    cards = amend.locator("[name=card]")
    cards.nth(0).fill("10c")
    expect(button).to_contain_text("Propose")  # with these cards the round is not over
    cards.nth(0).fill("8x")
    expect(amend.locator("[aria-invalid=true]")).to_have_count(1)
    expect(button).to_be_disabled()
    cards.nth(0).fill("9c")
    expect(button).to_be_disabled()
    cards.nth(1).fill("5h")
    expect(amend.locator("tr", has_text="Lin")).to_contain_text("0")
    amend.locator("[name=reason]").fill("A five, not a two.")
    nothing_sticks_out(pit)
    button.click()
    button.click()
    until(lambda: company.house.rack(TABLE, "Lin") != before)
    assert company.house.rack(TABLE, "Lin") == before + 250_000


@pytest.mark.whole
def test_a_proposal_of_the_desk_is_confirmed_or_dropped_here(eyes: Eyes, opens: Opens) -> None:
    company = Company(opens(table(TABLE)))
    more(company, "pit-supervisor", "Sue")
    company.deal()
    dealer = company.staff["dealer"]
    pit = at_pit(eyes, company, "pit-supervisor")
    slip = pit.locator("#proposed")
    for cards, done in (("2C 4H 3D QS", "drop"), ("2C 5H 3D KS", "confirm")):
        dealer.does("amend", TABLE, cards=cards.split(), reason="Misread.")
        expect(slip).to_contain_text("Misread.")
        if done == "drop":
            slip.locator("[name=reason]").fill("It was right.")
            slip.locator("[type=submit]").click()
        else:
            confirm = slip.locator(".btn.primary")
            confirm.click()
            confirm.click()
        expect(slip).to_be_hidden()
    current = company.house.live(TABLE).table.round
    assert current is not None
    assert [one.name for one in current.drawn] == list(parse_cards("2C 5H 3D KS"))


@pytest.mark.whole
def test_chips_over_the_differential_are_decided_by_the_pit_where_the_rules_say_so(
    eyes: Eyes, opens: Opens
) -> None:
    """At an MBS table a manager chooses which wager comes down after the close."""
    tiger = msgspec.structs.replace(table("tiger", differential=100_000), dealer="staff")
    company = Company(opens(tiger))
    company.sit("tiger", "Lin", "Mei")
    dealer = company.staff["dealer"]
    for name in ("new-shoe", "open"):
        dealer.does(name, "tiger")
    company.does("Lin", "place", "tiger", box=6, bet="banker", cents=100_000)
    company.does("Mei", "place", "tiger", box=1, bet="banker", cents=50_000)
    dealer.does("close", "tiger")
    overview = at_pit(eyes, company, path="/pit")
    expect(overview.locator("#waiting")).to_contain_text("500 over the differential")
    overview.locator("#waiting a.open").click()
    overview.wait_for_url("**/pit/tiger")
    overview.locator("#flagged .btn").first.click()
    expect(overview.locator("#flagged")).to_be_hidden()
    current = company.house.live("tiger").table.round
    assert current is not None
    assert sum(one.cents for one in current.stakes.values()) == 100_000


@pytest.mark.whole
def test_a_call_is_answered_with_the_dealers_words_in_view(eyes: Eyes, opens: Opens) -> None:
    company = Company(opens(table(TABLE)))
    dealer = company.staff["dealer"]
    assert dealer.post(f"/api/tables/{TABLE}/call", {"note": "Fill, please."}).status_code == 200
    overview = at_pit(eyes, company, path="/pit")
    expect(overview.locator(f".tt[data-id={TABLE}]")).to_contain_text("Fill, please.")
    pit = at_pit(eyes, company)
    expect(pit.locator("#called q")).to_have_text("Fill, please.")
    pit.locator("#called button").click()
    expect(pit.locator("#called")).to_be_hidden()
    expect(overview.locator("#needed")).to_be_hidden()


@pytest.mark.whole
def test_a_disputed_payout_is_settled_here(eyes: Eyes, opens: Opens) -> None:
    company = Company(opens(table(TABLE)))
    settled(company)
    body = {"box": 3, "player": "Wei", "state": "disputed", "note": "Says it was 600."}
    assert company.staff["dealer"].post(f"/api/tables/{TABLE}/payouts", body).is_success
    pit = at_pit(eyes, company)
    row = pit.locator("#money tr", has_text="Wei")
    expect(row).to_contain_text("Says it was 600.")
    row.get_by_role("button", name="Still to pay").click()
    expect(row).to_contain_text("to pay")
    expect(pit.locator("#needed")).to_be_hidden()


def test_a_manager_starts_a_shift_and_plans_a_relief(eyes: Eyes, opens: Opens) -> None:
    company = Company(opens(table(TABLE)))
    company.deal()
    overview = at_pit(eyes, company, path="/pit")
    overview.locator("#shift [name=name]").fill("Shift B")
    overview.locator("#shift [type=submit]").click()
    expect(overview.locator("#subheading")).to_contain_text("Shift B")
    pit = at_pit(eyes, company)
    in_an_hour = pit.evaluate("new Date(Date.now() + 3_600_000).toTimeString().slice(0, 5)")
    pit.locator("#duty [name=at]").fill(in_an_hour)
    pit.locator("#duty [type=submit]").click()
    expect(pit.locator("#duty")).to_contain_text(f"relief {in_an_hour}")


@pytest.mark.whole
def test_a_round_is_void_only_on_purpose(eyes: Eyes, opens: Opens) -> None:
    company = Company(opens(table(TABLE)))
    more(company, "shift-manager", "Jim")
    company.deal()
    pit = at_pit(eyes, company, "shift-manager")
    pit.locator("#void-panel > summary").click()
    void = pit.locator("#house-void")
    void.locator("[name=reason]").fill("The shoe broke.")
    void.locator("[type=submit]").click()
    assert company.house.live(TABLE).table.phase == "dealing"
    void.locator("[type=checkbox]").check()
    void.locator("[type=submit]").click()
    expect(pit.locator("#record")).to_contain_text("void")
    assert company.house.live(TABLE).table.phase == "void"


@pytest.mark.whole
@pytest.mark.parametrize("path", ["/pit", f"/pit/{TABLE}"])
def test_the_pit_speaks_chinese_without_an_english_word_of_ours(path: str, eyes: Eyes, opens: Opens) -> None:
    company = Company(opens(table(TABLE)))
    together(company)
    page = at_pit(eyes, company, path=f"{path}?lang=zh")
    expect(page.locator("#needed")).to_be_visible()
    expect(page.locator("#staff")).to_contain_text("兩張")
    text = page.locator("#staff").inner_text()
    assert "staff_" not in text
    assert "{" not in text
    nothing_sticks_out(page)
