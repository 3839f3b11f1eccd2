"""What people rely on: their language, less motion, reasons in words, cards that they may turn themselves."""

import re

import pytest
from playwright.sync_api import expect

from browser.eyes import Eyes
from browser.house import House, Opens, table
from browser.player import BROUGHT, Player

pytestmark = pytest.mark.browser

TABLE = "tiger-buffalo"
CARDS = "6C 3D KH AS 3C"
HAN = re.compile(r"[\u4e00-\u9fff]")


def named(label: str) -> str:
    """What stands before the odds."""
    return re.split(r"[0-9]", label)[0]


def test_chinese(eyes: Eyes, opens: Opens) -> None:
    """Labels, announcements, odds and results change; the names on the felt are bilingual in both."""
    house = opens(table(TABLE), cards=CARDS)
    english = Player.sits(eyes, house, TABLE)
    labels = english.page.locator("table-felt .position.own .spot .label").all_text_contents()
    assert "1 to 1" in labels[0]
    english.page.get_by_role("link", name="繁體中文").click()
    expect(english.page.locator("html")).to_have_attribute("lang", re.compile("^zh"))
    chinese = english
    expect(chinese.spot("player")).to_have_attribute("aria-disabled", "false")
    written = chinese.page.locator("table-felt .position.own .spot .label").all_text_contents()
    assert "1賠1" in written[0]
    assert [named(label) for label in written] == [named(label) for label in labels]
    assert any(HAN.search(one) and "BANKER" in one for one in labels)
    expect(chinese.page.locator('[data-act="undo"] span')).to_have_text(HAN)
    expect(chinese.page.locator(".says b")).to_have_text(re.compile("下注"))
    chinese.bets("player", 100)
    house.ends("betting", TABLE)
    expect(chinese.page.locator("insurance-prompt h2")).to_have_text(HAN)
    chinese.page.locator("[data-act=decline]").click()
    expect(chinese.page.locator("#polite")).to_have_text(re.compile("庄.*贏|莊.*贏|庄.*胜|庄"))
    expect(chinese.statement().locator("h2")).to_have_text(HAN)
    chinese.page.get_by_role("link", name="English").click()
    expect(chinese.page.locator("html")).to_have_attribute("lang", "en")
    expect(chinese.page.locator('[data-act="undo"] span')).to_have_text("Undo")


@pytest.mark.whole
def test_less_motion(eyes: Eyes, opens: Opens) -> None:
    """Where it is asked for, nothing is ever animated; elsewhere cards fly in."""
    started = """() => {
      window.animated = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...given) { window.animated += 1; return animate.apply(this, given); };
      for (const name of ["animationstart", "transitionrun"]) document.addEventListener(name, () => (window.animated += 1), true);
    }"""
    house = opens(table(TABLE), cards=CARDS)
    still = Player.sits(eyes, house, TABLE, reduced_motion="reduce")
    moving = Player.sits(eyes, house, TABLE, reduced_motion="no-preference")
    for player in (still, moving):
        player.page.evaluate(started)
        player.bets("banker", 100)
    house.ends("betting", TABLE)
    for player in (still, moving):
        expect(player.page.locator("round-net:visible")).to_be_visible()
    assert moving.page.evaluate("window.animated") > 0
    assert still.page.evaluate("window.animated") == 0


def test_a_refused_bet_says_why_at_the_spot(eyes: Eyes, house: House) -> None:
    eyes.expects("status of 422")
    player = Player.sits(eyes, house, TABLE)
    player.takes_chip(5)
    player.clicks("player")
    told = player.page.locator(".toast")
    expect(told).to_contain_text("Player takes at least 10, not 5.")
    assert told.locator(".cite").count() > 0
    address = told.locator(".cite").first.get_attribute("href") or ""
    expect(player.spot("player")).to_have_class(re.compile("refused"))
    expect(player.page.locator("#assertive")).to_contain_text("10")
    spot, words = player.spot("player").bounding_box(), told.bounding_box()
    assert spot
    assert words
    assert (
        abs(spot["y"] - words["y"] - words["height"]) < 40
        or abs(spot["y"] + spot["height"] - words["y"]) < 40
    )
    assert player.rack() == player.ledger() == BROUGHT
    expect(player.page.locator("table-felt .chips .stack")).to_have_count(0)
    slug, _, paragraph = address.removeprefix("/rules/").partition("#")
    reader = eyes.opens(f"{house.url}/rules/{slug}#{paragraph}")
    expect(reader.locator(f'[id="{paragraph}"]')).to_be_visible()
