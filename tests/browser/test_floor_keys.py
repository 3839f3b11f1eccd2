"""Keys and sounds of desk and pit that no other test presses or hears."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.eyes import Eyes
from browser.house import Opens, table, until
from browser.test_staffed import (
    TABLE,
    TONES,
    at_desk,
    goes_on,
    lie,
    main,
    opened,
    ready,
    ready_for_cards,
    scans,
)
from thirdcard.service.people.roles import Person
from thirdcard.service.tables.duty import plan_relief

pytestmark = pytest.mark.browser


def heard(page: Page) -> int:
    """How many tones there have been."""
    return int(page.evaluate("window.tones"))


@pytest.mark.whole
def test_a_flag_ticks_a_key_is_erased_and_a_request_withdrawn(eyes: Eyes, opens: Opens) -> None:
    """A card that is confirmed clicks once somebody has asked for it, and not before."""
    house = opens(table(TABLE))
    dealer = opened(house)
    lin = house.player("Lin", TABLE, box=2)
    desk = at_desk(eyes, house)
    ready(desk, "No more bets")
    desk.evaluate(TONES)
    desk.locator("#required h1").click()  # browsers are silent before a gesture
    dealer.does("record-chips", TABLE, player="Lin", box=2, bet="player", cents=500)
    expect(desk.locator("[data-box='2']")).to_have_class(re.compile("flagged"))
    until(lambda: heard(desk) == 1)
    lin.does("take-back", TABLE, box=2, bet="player")
    lin.does("place", TABLE, box=2, bet="player", cents=10_000)
    goes_on(desk, "No more bets")

    ready_for_cards(desk)
    desk.keyboard.type("9c")
    expect(desk.locator("#keypad [aria-pressed='true']")).to_have_count(2)
    for left in (1, 0):
        desk.keyboard.press("Backspace")
        expect(desk.locator("#keypad [aria-pressed='true']")).to_have_count(left)
    scans(desk, "8C")
    lie(desk, 1)
    assert heard(desk) == 1
    desk.locator("#sound").click()
    desk.get_by_role("button", name="Test").click()
    assert heard(desk) == 2
    desk.locator("#panel [type=checkbox]").check()
    desk.keyboard.press("Escape")
    expect(desk.locator("#panel")).to_be_hidden()
    desk.locator("#required h1").click()  # away from the box that was ticked
    scans(desk, "KS")
    lie(desk, 2)
    assert heard(desk) == 3
    scans(desk, "KD", "9H")

    ready(desk, "Settle")
    desk.keyboard.press("w")
    scans(desk, "7H")
    goes_on(desk, "Ask for the seven of hearts")
    expect(main(desk)).to_contain_text("Confirm seven of hearts")
    assert house.live(TABLE).table.round.proposal is not None  # type: ignore[union-attr]
    desk.keyboard.press("Escape")
    ready(desk, "Settle")
    assert house.live(TABLE).table.round.proposal is None  # type: ignore[union-attr]


@pytest.mark.whole
def test_the_pit_hears_one_tone_for_a_call_and_for_a_late_relief(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE))
    dealer = opened(house)
    pit = eyes.opens(f"{house.url}/pit", token=house.token("pit-supervisor"))
    rung = pit.locator("html")
    expect(pit.locator("#waiting")).to_contain_text("No table is stopped")
    pit.evaluate(TONES)
    pit.locator("#waiting").click()
    assert dealer.post(f"/api/tables/{TABLE}/call", {"note": "Fill, please."}).is_success
    expect(rung).to_have_attribute("data-rang", "call")
    expect(pit).to_have_title(re.compile(r"^\(1\)"))
    assert heard(pit) == 1
    supervisor = Person(name="pit-supervisor-1", role="pit-supervisor")
    late = plan_relief(supervisor, 1, "")  # for a time that is long over
    assert house.do(house.hall.ask(TABLE, late, supervisor)).refusal is None
    expect(pit).to_have_title(re.compile(r"^\(2\)"))
    until(lambda: heard(pit) == 2)
    pit.get_by_role("button", name="Test").click()
    assert heard(pit) == 4, "a table that stops has two"
