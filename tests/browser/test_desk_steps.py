"""The desk after the cards: a wrong card, payouts, cards in players' hands, cases, relief, paragraphs beside it."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.eyes import Eyes
from browser.house import House, Opens, table, until
from browser.player import BROUGHT, MINUS
from browser.test_pages import AXE, CHECK
from browser.test_staffed import (
    TABLE,
    at_desk,
    fits,
    goes_on,
    lie,
    main,
    opened,
    ready,
    ready_for_cards,
    scans,
)
from service.api.serving import PASSWORD, Asking

pytestmark = pytest.mark.browser

PIN = "314159"


def has_pin(house: House, role: str) -> str:
    """Somebody of a role with a PIN of their own; the name."""
    body = {"password": PASSWORD, "pin": PIN}
    answer = house.as_(role).post("/api/me/pin", body, method="PUT")
    assert answer.status_code == 204, answer.text
    return f"{role}-1"


def with_pin(form: Page, name: str, place: str = "#rail") -> None:
    form.locator(f"{place} [name=person], {place} [name=to]").select_option(name)
    form.locator(f"{place} [name=pin]").fill(PIN)


def dealt_round(house: House, cards: str, **bets: int) -> tuple[Asking, dict[str, Asking]]:
    """A round with these cards on the felt; `bets` are dollars on the Banker from box 1 upward."""
    dealer = opened(house)
    people = {name: house.player(name, TABLE, box=box) for box, name in enumerate(bets, start=1)}
    for box, (name, dollars) in enumerate(bets.items(), start=1):
        people[name].does("place", TABLE, box=box, bet="banker", cents=dollars * 100)
    dealer.does("close", TABLE)
    for card in cards.split():
        dealer.does("draw", TABLE, card=card)
    return dealer, people


@pytest.mark.whole
def test_the_last_card_is_put_right_by_a_supervisor_at_the_desk(eyes: Eyes, opens: Opens) -> None:
    """Before and after in dollars, withdrawn once, then confirmed with a PIN; a wrong PIN changes nothing."""
    eyes.expects("status of 40[13]|status of 422")
    house = opens(table(TABLE))
    name = has_pin(house, "pit-supervisor")
    dealt_round(house, "8C KS KD 9H", Anwar=100, Lin=200)
    desk = at_desk(eyes, house)
    ready(desk, "Settle")
    desk.keyboard.press("w")
    expect(desk.locator("#required")).to_contain_text("nine of hearts")
    scans(desk, "7H")
    expect(desk.locator(".wr tr", has_text="Lin")).to_contain_text("+190")
    expect(desk.locator(".wr tr", has_text="Lin")).to_contain_text(f"{MINUS}200")
    desk.keyboard.press("Escape")
    ready(desk, "Settle")
    desk.keyboard.press("w")
    scans(desk, "7H")
    goes_on(desk, "Ask for the seven of hearts")
    expect(main(desk)).to_be_disabled()
    desk.keyboard.press("Enter")
    desk.locator("#rail [name=person]").select_option(name)
    desk.locator("#rail [name=pin]").fill("271828")
    main(desk).click()
    expect(desk.locator("#answer")).to_be_visible()
    assert house.live(TABLE).table.round.proposal is not None  # type: ignore[union-attr]
    with_pin(desk, name)
    main(desk).click()
    ready(desk, "Settle")
    expect(desk.locator("#required h1")).to_contain_text("Player 8 over 7")


@pytest.mark.whole
def test_payouts_are_ticked_one_at_a_time(eyes: Eyes, opens: Opens) -> None:
    """Box 1 first, in chips; a tick is undone, a dispute waits for a supervisor, Enter ends nothing by itself."""
    house = opens(table(TABLE))
    dealer, people = dealt_round(house, "8C KS KD 9H", Anwar=100, Lin=500)
    desk = at_desk(eyes, house)
    goes_on(desk, "Settle")
    ready(desk, "Paid, next")
    expect(desk.locator("#required h1")).to_contain_text("Anwar at box 1: 95")
    for _ in range(4):
        desk.keyboard.press("Enter")
    expect(desk.locator("#required h1")).to_contain_text("Lin at box 2: 475")
    expect(desk.locator(".pay .now .brk")).to_contain_text("4\N{MULTIPLICATION SIGN}100")
    ready(desk, "Paid, the last")
    desk.keyboard.press("Backspace")
    expect(desk.locator("#required h1")).to_contain_text("Anwar at box 1: 95")
    goes_on(desk, "Paid, next")
    expect(desk.locator("#required h1")).to_contain_text("Lin")
    desk.locator(".paynow").get_by_role("button", name="Disputed").click()
    desk.locator(".paynow [name=note]").fill("Says it was 600.")
    desk.locator(".paynow [type=submit]").click()
    expect(desk.locator("#required h1")).to_contain_text("Disputed: Lin")
    expect(main(desk)).to_be_disabled()
    assert "Says it was" not in people["Lin"].get(f"/api/tables/{TABLE}").text
    settled = {"box": 2, "player": "Lin", "state": "to-pay"}
    assert house.as_("pit-supervisor").post(f"/api/tables/{TABLE}/payouts", settled).status_code == 200
    goes_on(desk, "Paid, the last")
    ready(desk, "Payouts done")
    assert dealer.get(f"/api/tables/{TABLE}/desk").json()["payouts"]["done"] is False
    desk.keyboard.press("Enter")
    ready(desk, "Open bets")
    assert house.rack(TABLE, "Lin") == BROUGHT + 47_500


def face_down(house: House) -> Asking:
    """Bets are closed; who has the highest on the Banker."""
    dealer, tay = opened(house), house.player("Tay", TABLE, box=5)
    tay.does("place", TABLE, box=5, bet="banker", cents=80_000)
    dealer.does("close", TABLE)
    return tay


@pytest.mark.whole
def test_cards_are_squeezed_and_taken_back(eyes: Eyes, opens: Opens) -> None:
    """Asked for, allowed by one tap with a supervisor's PIN, handed over, taken back; the dealer names them."""
    house = opens(table(TABLE, method="face-down"))
    name = has_pin(house, "pit-supervisor")
    tay = face_down(house)
    desk = at_desk(eyes, house)
    wish = desk.locator(".sq").get_by_role("button", name="Banker's cards")
    expect(wish).to_contain_text("may be asked by Tay")
    tay.does("request-squeeze", TABLE, cards=[2, 4])  # on a device of their own: the desk has it at once
    expect(wish).to_contain_text("tap to allow")
    wish.click()
    with_pin(desk, name)
    desk.get_by_role("button", name="Let Tay squeeze").click()
    expect(wish).to_contain_text("allowed to Tay")
    for count in range(1, 5):
        goes_on(desk, "Draw the card")
        until(lambda: len(house.live(TABLE).table.round.drawn) == count)  # type: ignore[union-attr]  # noqa: B023
    goes_on(desk, "Handed over")
    banker = desk.locator(".ch", has_text="Banker")
    expect(banker).to_contain_text("with Tay")
    expect(desk.locator(".slow")).to_contain_text("Tay")
    desk.keyboard.press("b")
    expect(banker).to_contain_text("with the dealer")
    expect(desk.locator(".cus-t")).not_to_contain_text("Tay")
    ready(desk, "Handed over")
    desk.keyboard.press("t")  # not again: the dealer turns them, the Player's first
    for card in ("9C", "KD", "2H", "4S"):
        ready_for_cards(desk)
        scans(desk, card)
    ready(desk, "Settle")


@pytest.mark.whole
def test_nothing_waits_for_a_squeezer_who_left(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE, method="face-down"))
    face_down(house)
    dealer = house.as_("dealer")
    dealer.does("request-squeeze", TABLE, player="Tay", cards=[2, 4])
    house.as_("pit-supervisor").does("permit-squeeze", TABLE, player="Tay", cards=[2, 4])
    for _ in range(4):
        dealer.does("draw", TABLE)
    dealer.does("hand-over", TABLE, player="Tay", cards=[2, 4])
    house.as_("pit-supervisor").does("leave", TABLE, player="Tay")
    desk = at_desk(eyes, house)
    ready_for_cards(desk)
    scans(desk, "9C", "KD", "2H", "4S")
    ready(desk, "Settle")


def reports(desk: Page, case: str) -> None:
    desk.keyboard.press("r")
    desk.locator("#panel [name=case]").select_option(case)


@pytest.mark.whole
def test_two_cases_one_after_the_other(eyes: Eyes, opens: Opens) -> None:
    """A ten as people write it; what the case does not ask for is not there; Enter chooses for nobody."""
    house = opens(table(TABLE))
    _, people = dealt_round(house, "2C 4H 3D", Anwar=100, Lin=200)
    desk = at_desk(eyes, house)
    ready_for_cards(desk)
    reports(desk, "drawn-together")
    expect(desk.locator("#panel [name=window], #panel [name=displayed]")).to_have_count(0)
    desk.locator("#panel [name=order_known]").select_option("false")
    desk.locator("#panel [name=drawn]").fill("10S 5")
    desk.locator("#panel .minipad").get_by_role("button", name="hearts").click()
    expect(desk.locator("#panel .cardfield small")).to_have_text("ten of spades, five of hearts")
    desk.locator("#panel [name=note]").fill("One pull, two cards.")
    desk.locator("#panel [type=submit]").click()
    expect(desk.locator("#required h1")).to_contain_text("Stopped")
    reports(desk, "walks-away")
    desk.locator("#panel [name=players][value=Lin]").check()
    desk.locator("#panel [type=submit]").click()
    expect(desk.locator("#rail")).to_contain_text("One pull, two cards.")
    expect(desk.locator("#rail")).to_contain_text("waits behind it")
    assert "One pull" not in people["Lin"].get(f"/api/tables/{TABLE}").text
    ruling = {"inputs": {"order": [1, 2]}}
    assert house.as_("pit-manager").post(f"/api/tables/{TABLE}/rule", ruling).status_code == 200
    expect(desk.locator("#required h1")).to_contain_text("Ask Anwar, Lin")
    first = desk.locator("#rail tr", has_text="Anwar").get_by_role("button", name="Continue")
    first.focus()
    version = house.versions()[TABLE]
    for _ in range(3):
        desk.keyboard.press("Enter")
    assert house.versions()[TABLE] == version
    first.press("Space")
    desk.locator("#rail tr", has_text="Lin").get_by_role("button", name="Return").click()
    expect(desk.locator("#required h1")).to_contain_text("decide it here")
    main(desk).click()
    expect(desk.locator("#required h1")).not_to_contain_text("decide it here")
    assert house.live(TABLE).table.round.pending is None  # type: ignore[union-attr]


def test_the_table_is_handed_over_with_the_pin_of_who_takes_it(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE))
    opened(house)
    token = house.account("Priya", "dealer")
    body = {"password": PASSWORD, "pin": PIN}
    assert house.as_(token).post("/api/me/pin", body, method="PUT").status_code == 204
    desk = at_desk(eyes, house)
    ready(desk, "No more bets")
    desk.keyboard.press("h")
    desk.locator("#panel [data-cents='100000']").fill("32")
    expect(desk.locator("#panel .sumline")).to_contain_text("32,000")
    with_pin(desk, "Priya", "#panel")
    desk.get_by_role("button", name="Hand over the table").click()
    expect(desk.locator("#duty")).to_contain_text("Priya")
    goes_on(desk, "No more bets")
    ready_for_cards(desk)
    assert house.live(TABLE).duty.dealer == "Priya"


@pytest.mark.whole
def test_a_paragraph_opens_beside_the_table(eyes: Eyes, opens: Opens) -> None:
    """Cards are entered while it is open; Esc closes it and nothing else, and the focus goes back."""
    house = opens(table(TABLE))
    dealt_round(house, "2C", Anwar=100)
    desk = at_desk(eyes, house)
    cite = desk.locator("#required .cite").first
    number = cite.inner_text()
    cite.click()
    expect(desk.locator("#para")).to_contain_text(f"Paragraph {number}")
    expect(desk.locator("#para .says-so")).not_to_be_empty()
    scans(desk, "4H")
    lie(desk, 2)
    ready_for_cards(desk)  # the bar is drawn anew, with that citation
    expect(desk.locator("#required .cite", has_text=number).first).to_be_visible()
    desk.keyboard.press("Escape")
    expect(desk.locator("#para")).to_have_count(0)
    expect(desk.locator("#required .cite:focus")).to_have_count(1)
    assert desk.url.endswith(f"/dealer/{TABLE}")


@pytest.mark.whole
def test_the_table_of_play_is_lit_where_the_hands_are(eyes: Eyes, opens: Opens) -> None:
    """The Banker's row alone while the Player's third card is to come; what is wider than the panel can be scrolled by keys."""
    house = opens(table(TABLE))
    dealer, _ = dealt_round(house, "2C 4H 3D KS", Anwar=100)
    desk = at_desk(eyes, house, viewport={"width": 1180, "height": 820})
    lit = desk.locator("#para [data-points].here [data-third].here")
    for card, cells in (("2S", 0), ("", 1)):
        desk.locator("#required .cite", has_text="3.13").click()
        expect(desk.locator("#para [data-points='4']")).to_have_class(re.compile("here"))
        expect(lit).to_have_count(cells)
        desk.evaluate(AXE.read_text(encoding="utf-8"))
        assert desk.wait_for_function(CHECK).json_value() == []
        desk.keyboard.press("Escape")
        if card:
            dealer.does("draw", TABLE, card=card)
            lie(desk, 5)


@pytest.mark.whole
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_later_steps_fit_the_screen(lang: str, eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE))
    people = {name: 500 * box for box, name in enumerate(("Anwar", "Lin", "Wei", "Tay", "Chua", "Kumar"), 1)}
    dealer, _ = dealt_round(house, "8C KS KD 9H", **people)
    desk = eyes.opens(f"{house.url}/dealer/{TABLE}?lang={lang}", token=house.token("dealer"))
    expect(desk.locator(".sm7 tbody tr")).to_have_count(6)
    looks_right(desk, lang)
    dealer.does("amend", TABLE, cards=["8C", "KS", "KD", "7H"], reason="It is a seven.")
    expect(desk.locator(".wr tbody tr")).to_have_count(6)
    looks_right(desk, lang)
    dealer.does("drop-amendment", TABLE, reason="It is not.")
    for name in ("r", "h"):
        desk.keyboard.press(name)
        expect(desk.locator("#panel form")).to_be_visible()
        looks_right(desk, lang)
        desk.keyboard.press("Escape")
    dealer.does("settle", TABLE)
    expect(desk.locator(".paynow .brk")).to_be_visible()
    looks_right(desk, lang)
    dealer.does("new-shoe", TABLE)


def looks_right(desk: Page, lang: str) -> None:
    fits(desk)
    if lang != "en":
        return
    desk.evaluate(AXE.read_text(encoding="utf-8"))
    assert desk.wait_for_function(CHECK).json_value() == []
