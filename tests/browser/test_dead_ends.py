"""At the edges of an evening the desk goes on: the device with a walk-in, a dealer who goes, a table that closes."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import expect

from browser.eyes import Eyes
from browser.floor import Floor, is_shown
from browser.house import House, table, until
from service.api.serving import PASSWORD
from thirdcard.service.tables.money import Money
from thirdcard.table import commands
from thirdcard.table.samples import spare_cards

pytestmark = pytest.mark.browser
PIN = "314159"


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    with House(tmp_path / "house.db", table("salon"), table("tiger"), absent_rounds=0) as made:
        yield Floor(made)


def seats_walk_in(floor: Floor, name: str, box: int) -> str:
    asked = {"description": "grey scarf", "box": box, "cents": 200_000}
    found: str = floor.as_("dee").post(f"/api/tables/{name}/patrons", asked).json()["name"]
    return found


def test_3_12_a_walk_in_draws_by_method_c_and_the_dealer_records_it(floor: Floor, eyes: Eyes) -> None:
    """Enter gives the device to nobody; what the holder draws is entered, and it comes back when they say so."""
    changed = {"method": "C", "device": "reader", "high_limit": True}
    floor.opens("c", msgspec.structs.replace(table("tiger").setup, **changed))
    floor.asks("c", commands.NewShoe(by="dee"))
    who = seats_walk_in(floor, "c", 3)
    floor.asks("c", commands.Open(by="dee"))
    for bet in ("player", "banker"):
        floor.asks("c", commands.RecordChips(by="dee", player=who, box=3, bet=bet, cents=10_000))
    floor.asks("c", commands.Close(by="dee"))
    desk = eyes.opens(f"{floor.house.url}/dealer/c", token=floor.tokens["dee"])
    expect(desk.locator("#required h1")).to_have_text("Who draws the cards?")
    gives = desk.get_by_role("button", name=f"Give {who} the dealing device")
    gives.focus()
    desk.keyboard.press("Enter")
    assert floor.state("c").device is None
    gives.click()
    until(lambda: floor.state("c").device == who)
    for place in range(1, 5):
        until(lambda: is_shown(desk, floor, "c"))
        expect(desk.locator("#required")).to_contain_text(f"{who} draws the cards")
        desk.keyboard.type(spare_cards(floor.state("c"))[17 * place].value.lower())
        expect(desk.locator("#main-button")).to_have_attribute("aria-keyshortcuts", "Enter")
        desk.keyboard.press("Enter")
        until(lambda place=place: len(floor.state("c").round.drawn) == place)  # type: ignore[misc, union-attr]
    until(lambda: is_shown(desk, floor, "c"))
    expect(desk.locator("#main-button")).to_have_attribute(
        "aria-keyshortcuts", "Enter"
    )  # nothing is being done
    desk.get_by_role("button", name=f"{who} gives it back").click()
    until(lambda: floor.state("c").device is None)


def test_a_dealer_signs_off_and_deals_elsewhere(floor: Floor, eyes: Eyes) -> None:
    """Between two rounds, from the table itself; while one is played the desk says why not."""
    for name in ("here", "there"):
        floor.opens(name, table("salon").setup)
    floor.asks("here", commands.NewShoe(by="dee"))
    floor.asks("here", commands.Open(by="dee"))
    eyes.expects("status of 422")
    desk = eyes.opens(f"{floor.house.url}/dealer/here", token=floor.tokens["dee"])
    until(lambda: is_shown(desk, floor, "here"))
    desk.keyboard.press("h")
    desk.get_by_role("button", name="Sign off", exact=True).click()
    expect(desk.locator("#answer")).to_contain_text("being played")
    floor.asks("here", commands.Close(by="dee"))
    floor.asks("here", commands.Void(by="sam", reason="the table is wanted"))
    until(lambda: is_shown(desk, floor, "here"))
    desk.get_by_role("button", name="Sign off", exact=True).click()
    expect(desk).to_have_url(re.compile("/staff$"))
    desk.goto(f"{floor.house.url}/dealer/there")
    expect(desk.locator("#main-button")).to_contain_text("I deal here")
    desk.locator("#main-button").click()
    until(lambda: floor.house.live("there").duty.dealer == "dee")


def test_a_table_closes_after_its_last_round(floor: Floor, eyes: Eyes) -> None:
    """Not before; the desk then offers no round."""
    floor.opens("late", table("salon").setup)
    floor.asks("late", commands.NewShoe(by="dee"))
    pam = floor.as_("pam")
    assert pam.post("/api/tables/late/last-round").status_code == 200
    assert "round 1 was announced as the last" in pam.post("/api/tables/late/close").json()["detail"]
    desk = eyes.opens(f"{floor.house.url}/dealer/late", token=floor.tokens["dee"])
    expect(desk.locator("#main-button")).to_contain_text("Open bets")
    floor.asks("late", commands.Open(by="dee"))
    floor.asks("late", commands.Void(by="sam", reason="nobody plays"))
    expect(desk.locator("#required h1")).to_have_text("The last round has been played")
    expect(desk.locator("#main-button")).not_to_contain_text("Open bets")
    assert pam.post("/api/tables/late/close").status_code == 200


@pytest.mark.parametrize("seed", range(3))
def test_any_chips_after_the_close_are_recorded_or_the_desk_says_why_not(
    floor: Floor, eyes: Eyes, seed: int
) -> None:
    """Any player, box, bet and amount, late, unseen or taken away (RWS 5.1.1, 5.7, 5.15; interpretation 20)."""
    chance = random.Random(seed)  # noqa: S311
    floor.opens("chips", table("salon").setup)
    floor.asks("chips", commands.NewShoe(by="dee"))
    for box, player in enumerate(("ann", "bob", "cat"), 1):
        floor.asks("chips", commands.Join(by=player))
        floor.asks("chips", commands.BuyIn(by=player, cents=500_000))
        floor.asks("chips", commands.Sit(by=player, box=box))
    floor.asks("chips", commands.Open(by="dee"))
    floor.asks("chips", commands.Place(by="ann", box=1, bet="player", cents=50_000))
    floor.asks("chips", commands.Close(by="dee"))
    page = eyes.opens(f"{floor.house.url}/pit/chips", token=floor.tokens["sue"])
    page.get_by_text("Chips for a player").click()
    form = page.locator(".chipsafter")
    state = floor.state("chips")
    recorded = 0
    for _ in range(6):
        kind = chance.choice(["late-chips", "record-chips", "late-taken"])
        player, box, bet = (
            chance.choice(["ann", "bob", "cat"]),
            chance.randint(1, 6),
            chance.choice(state.setup.bets),
        )
        dollars = chance.choice([1, 37, 500, 2_000, 9_000])
        before = floor.house.live("chips").version
        form.locator(".seg3 button").nth(["late-chips", "record-chips", "late-taken"].index(kind)).click()
        form.get_by_label(f"Box {box}", exact=True).click()
        form.locator("[name=player]").select_option(player)
        form.locator(".bets button").nth(state.setup.bets.index(bet)).click()
        if kind == "record-chips":
            form.locator("[name=reason]").fill("seen on video")
        form.locator("[name=cents]").fill(str(dollars))
        expect(form.locator(".follows, .whynot")).to_have_count(1)
        expect(form.locator(".follows, .whynot")).to_be_visible()
        if not form.locator(".follows").count():
            assert len(form.locator(".whynot").inner_text()) > len("Not possible: ")
            continue
        form.get_by_role("button", name="Record it").click()
        until(lambda before=before: floor.house.live("chips").version > before)  # type: ignore[misc]
        current = floor.state("chips").round
        assert current is not None
        key = f"{player}/{box}/{bet}"
        found = current.late if kind != "record-chips" else current.closed
        lies = next(
            stake for stake in found.values() if (stake.player, stake.box, stake.bet) == (player, box, bet)
        )
        if kind == "record-chips":
            assert lies.cents == dollars * 100, key
        recorded += 1
        expect(form.locator("[name=cents]")).to_have_value("")
    assert recorded


def test_money_is_counted_and_moved_by_two_people(floor: Floor, eyes: Eyes) -> None:
    """An opening count, a fill that counts once it is signed, a closing count that differs and is answered in writing."""
    floor.opens("float", table("salon").setup)
    for name in ("dee", "sue"):
        asked = {"password": PASSWORD, "pin": PIN}
        floor.as_(name).post("/api/me/pin", asked, method="PUT")
    floor.asks("float", commands.NewShoe(by="dee"))
    desk = eyes.opens(f"{floor.house.url}/dealer/float", token=floor.tokens["dee"])
    panel = desk.locator("#panel")

    def counts(chip: int, pieces: int) -> None:
        panel.locator(f"[data-cents='{chip * 100}'][name=count]").fill(str(pieces))

    def signs() -> None:
        panel.locator("[name=person]").select_option("sue")
        panel.locator("[name=pin]").fill(PIN)
        panel.get_by_role("button", name="Sign", exact=True).click()

    def money() -> Money:
        return floor.house.live("float").money

    desk.get_by_role("button", name="Float").click()
    panel.get_by_role("button", name="Opening count").click()
    counts(1_000, 50)
    panel.get_by_role("button", name="Counted").click()
    signs()
    until(lambda: money().counted == "opening")
    panel.get_by_role("button", name="Ask for a fill").click()
    counts(500, 20)
    panel.get_by_role("button", name="Ask for it").click()
    until(lambda: money().numbers == 1)
    panel.get_by_role("button", name="Sign", exact=True).click()
    signs()
    until(lambda: money().slips[0].state == "done")
    live = floor.house.live("float")
    assert live.tray.expected(live.table) == 60_000_00
    slip = eyes.opens(f"{floor.house.url}/staff/slips/float/1", token=floor.tokens["dee"])
    expect(slip.locator(".slip")).to_have_count(3)
    assert slip.locator(".slip .signs b").all_inner_texts() == ["dee", "sue"] * 3
    assert floor.as_("pam").post("/api/tables/float/close").status_code == 200
    desk.keyboard.press("Escape")
    expect(desk.locator("#required h1")).to_have_text("Closing count")
    expect(desk.locator("#main-button")).to_have_attribute("aria-keyshortcuts", "Enter")
    desk.keyboard.press("Enter")
    for _ in range(2):  # the first is counted again by the other
        counts(1_000, 59)
        panel.get_by_role("button", name="Counted").click()
        expect(panel.locator(".whynot")).to_contain_text("1,000")
    signs()
    until(lambda: money().counted == "closing")
    pit = floor.as_("sue").get("/api/pit").json()["waiting"]
    assert [(one["kind"], one["cents"]) for one in pit] == [("difference", -1_000_00)]
    at = money().differences[0].at
    answer = {"at": at, "answer": "A chip lay under the tray."}
    assert floor.as_("sue").post("/api/tables/float/differences", answer).status_code == 200
    assert floor.as_("sue").get("/api/pit").json()["waiting"] == []
