"""Betting at ease: acts that one undo takes back, what fits and what does not, ready, saved bets, several rounds."""

import pytest
from playwright.sync_api import Locator, expect

from browser.eyes import PHONE, Eyes
from browser.house import House, Opens, table, until
from browser.player import Player

pytestmark = pytest.mark.browser

TABLE, TIGER = "tiger-buffalo", "tiger"
CARDS = "9C 2D KH 3S "  # a natural: Player wins, nothing to insure
TIMES = "\N{MULTIPLICATION SIGN}"


def staked(player: Player, dollars: int) -> None:
    expect(player.page.locator("table-purse .stake b")).to_have_text(f"{dollars:,}")


def acts(player: Player, name: str) -> Locator:
    return player.page.locator(f'[data-act="{name}"]:visible')


def says(player: Player, text: str) -> None:
    expect(player.page.locator(".spot-note")).to_contain_text(text)


def middle(player: Player, bet: str) -> tuple[float, float]:
    """A point inside a spot, whatever its shape."""
    spot = player.spot(bet)
    outline = spot.locator("path").first
    box = (outline if outline.count() else spot).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drags(player: Player, start: tuple[float, float], end: tuple[float, float]) -> None:
    mouse = player.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    mouse.move(*end, steps=3)
    mouse.up()


def bets_of(house: House, name: str) -> dict[str, int]:
    current = house.live(TABLE).table.round
    assert current
    return {stake.bet: stake.cents // 100 for stake in current.stakes.values() if stake.player == name}


def next_round(house: House, name: str = TABLE) -> None:
    number = house.live(name).table.rounds
    if house.live(name).table.phase == "betting":
        house.ends("betting", name)
    until(lambda: house.live(name).table.phase == "settled")
    house.ends("result", name)
    until(lambda: house.live(name).table.rounds > number and house.live(name).timer)


def test_one_act_one_undo_by_mouse(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE), cards=CARDS * 6)
    player = Player.sits(eyes, house, TABLE)
    player.bets("player", 100)
    player.bets("tie", 50)
    acts(player, "double").click()
    staked(player, 300)
    acts(player, "undo").click()
    staked(player, 150)
    acts(player, "clear").click()
    staked(player, 0)
    acts(player, "undo").click()
    staked(player, 150)
    assert bets_of(house, player.name) == {"player": 100, "tie": 50}

    # The maximum of a side bet is 500: a chip of 1,000 puts what fits, and the next one says so.
    player.takes_chip(1000)
    player.clicks("tie")
    staked(player, 600)
    says(player, "500 is the most here")
    player.clicks("tie")
    says(player, "500 is the most here")
    acts(player, "undo").click()
    staked(player, 150)
    player.spot("banker-pair").focus()
    player.page.keyboard.press("m")
    staked(player, 650)
    player.page.keyboard.press("Backspace")
    staked(player, 150)

    # Chips by hand: onto a spot, to another, off the felt.
    chip = player.page.locator('.chipbtn[data-cents="10000"]').bounding_box()
    assert chip
    drags(player, (chip["x"] + 20, chip["y"] + 20), middle(player, "banker"))
    staked(player, 250)
    drags(player, middle(player, "banker"), middle(player, "player-pair"))
    until(lambda: bets_of(house, player.name).get("player-pair") == 100)
    acts(player, "undo").click()
    until(lambda: bets_of(house, player.name).get("banker") == 100)
    stage = player.page.locator(".stage").bounding_box()
    assert stage
    drags(player, middle(player, "banker"), (stage["x"] + 30, stage["y"] + stage["height"] * 0.6))
    staked(player, 150)

    # Rebet remembers the last bets, however many rounds were let pass, and after a reload.
    next_round(house)
    next_round(house)
    next_round(house)
    expect(acts(player, "rebet")).to_contain_text("150")
    player.page.reload()
    acts(player, "rebet").click()
    staked(player, 150)
    acts(player, "undo").click()
    staked(player, 0)


@pytest.mark.whole
def test_ready_goes_on_when_all_who_bet_are(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE), cards=CARDS * 3)
    one, two = Player.sits(eyes, house, TABLE), Player.sits(eyes, house, TABLE, viewport=PHONE)
    expect(acts(one, "ready")).to_have_count(0)
    one.bets("player", 100)
    two.bets("banker", 100)
    expect(one.page.locator("ready-button .dots i")).to_have_count(2)
    one.page.locator("h1").evaluate("() => document.activeElement.blur()")
    one.page.keyboard.press("Space")
    expect(two.page.locator("ready-button .dots i.on")).to_have_count(1)
    one.bets("tie", 50)
    expect(two.page.locator("ready-button .dots i.on")).to_have_count(0)
    acts(two, "ready").click()
    expect(one.page.locator("ready-button .dots i.on")).to_have_count(1)
    assert house.live(TABLE).table.phase == "betting"
    acts(one, "ready").click()
    until(lambda: house.live(TABLE).table.phase == "settled")


@pytest.mark.whole
def test_the_differential_is_told_at_the_spot_with_the_bet_that_fits(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE, differential=150_000), table(TIGER, differential=150_000), cards=CARDS)
    player = Player.sits(eyes, house, TABLE)
    player.bets("player", 1000)
    warning = player.page.locator(".spot-warning")
    expect(warning).to_contain_text("Room for 500")
    warning.get_by_role("button", name="Bet 500").click()
    staked(player, 1500)
    expect(warning).to_contain_text("No room")
    player.takes_chip(100)
    player.clicks("banker")
    staked(player, 1600)
    expect(warning).to_have_count(0)

    # Over the whole table: what others take away may leave too much, and a tap puts it right.
    other, third = Player.sits(eyes, house, TIGER), Player.sits(eyes, house, TIGER)
    other.bets("banker", 1000)
    third.bets("player", 1000)
    third.bets("player", 1000)
    acts(other, "clear").click()
    warning = third.page.locator(".spot-warning")
    expect(warning).to_contain_text("500 over")
    warning.get_by_role("button", name="Take 500 back").click()
    staked(third, 1500)
    expect(warning).not_to_contain_text("over")


@pytest.mark.whole
def test_who_is_cut_is_told_what_and_why(eyes: Eyes, opens: Opens) -> None:
    """5.1: who is seated comes first, and who stands behind gives way."""
    house = opens(table(TABLE, differential=150_000), cards=CARDS)
    seated, standing = Player.sits(eyes, house, TABLE), Player.sits(eyes, house, TABLE)
    box = next(box for box, who in house.live(TABLE).table.seats.items() if who == seated.name)
    ask = {"command": "place", "box": box, "bet": "player", "cents": 100_000}
    answer = standing.page.request.post(
        f"{house.url}/api/tables/{TABLE}/commands",
        data=ask,
        headers={"Idempotency-Key": "behind", "Origin": house.url},
    )
    assert answer.status == 200
    seated.bets("player", 1000)
    note = standing.page.locator(".spot-note")
    expect(note).to_contain_text("goes back")
    expect(note.locator(".cite")).not_to_have_count(0)


@pytest.mark.whole
def test_saved_bets_several_rounds_and_chips(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE), cards=CARDS * 6)
    player = Player.sits(eyes, house, TABLE)
    player.bets("player", 100)
    player.bets("big-tiger", 50)
    page, tools = player.page, player.page.locator("bet-tools")
    acts(player, "saved").click()
    tools.get_by_role("textbox").fill("Evening")
    tools.get_by_role("button", name="Save").click()
    expect(tools.locator("li")).to_contain_text(["Evening"])
    acts(player, "clear").click()
    staked(player, 0)
    page.keyboard.press("Escape")
    expect(tools).to_be_hidden()
    page.keyboard.press("f")
    page.keyboard.press("1")
    staked(player, 150)
    page.keyboard.press("z")
    staked(player, 0)
    page.keyboard.press("1")
    staked(player, 150)

    tools.locator('[data-keep="chip-500"]').click()
    expect(page.locator('.chipbtn[data-cents="500"]')).to_have_count(0)
    page.reload()
    expect(page.locator('.chipbtn[data-cents="500"]')).to_have_count(0)
    expect(page.locator('.chipbtn[data-cents="1000"]')).to_be_visible()

    # The same bets twice, then no more.
    acts(player, "times").click()
    tools.locator('[data-keep="times-2"]').click()
    expect(acts(player, "rebet")).to_contain_text("Round 1 of 2")
    next_round(house)
    staked(player, 150)
    expect(acts(player, "rebet")).to_contain_text("Round 2 of 2")
    next_round(house)
    staked(player, 0)
    expect(acts(player, "rebet")).to_contain_text("Rebet 150")
    page.keyboard.press("Shift+r")
    expect(acts(player, "rebet")).to_contain_text("Round 1 of 2")
    acts(player, "times").click()
    expect(acts(player, "times")).to_contain_text(f"{TIMES}2")
    next_round(house)
    staked(player, 0)
