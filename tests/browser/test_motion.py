"""What moves and what is heard, in a real browser: the end is the same whether it plays, is skipped or never moves."""

import json

import pytest
from playwright.sync_api import Page, expect

from browser.eyes import DESKTOP, Eyes
from browser.house import House, Opens, table, until
from browser.player import BROUGHT, Player, moves

pytestmark = pytest.mark.browser

TABLE = "tiger"
CARDS = "9C KS 7D 4H 3D"  # the Banker's third card decides, and the Banker wins by one
# Notes every movement, sound and word from the first on; `held` keeps movements from ending by themselves.
NOTES = """
window.made = { movements: 0, contexts: 0, words: 0 };
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  window.made.movements += 1;
  const animation = animate.apply(this, how);
  if (window.held) animation.pause();
  return animation;
};
window.AudioContext = class extends AudioContext {
  constructor(...how) { super(...how); window.made.contexts += 1; }
};
const speak = speechSynthesis.speak;
speechSynthesis.speak = function (...words) { window.made.words += 1; return speak.apply(this, words); };
"""


def noting(page: Page, notes: str = NOTES) -> Page:
    page.add_init_script(notes)
    page.reload()
    expect(page.locator("table-hands .hand-title")).to_have_count(2)
    return page


def lies(page: Page) -> list[str]:
    """Cards, points and chips as they are shown."""
    return [
        page.evaluate(
            "[...document.querySelectorAll('table-hands use')].map((one) => one.getAttribute('href')).join()"
        ),
        *page.locator("table-hands .score text").all_text_contents(),
        *page.locator("table-felt .chips .stack .tag").all_text_contents(),
        str(page.locator(".air .flier").count()),
        page.locator(".says b").inner_text(),
    ]


def made(page: Page) -> dict[str, int]:
    return dict(json.loads(page.evaluate("JSON.stringify(window.made)")))


def round_of(house: House, player: Player) -> None:
    player.bets("banker", 100)
    player.bets("player", 100)
    house.ends("betting", TABLE)
    expect(player.page.locator("table-hands .score.won text")).to_have_text("7")


@pytest.mark.whole
def test_moving_skipped_and_still_tables_end_the_same_and_nothing_is_heard(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE), cards=CARDS)
    address = f"{house.url}/tables/{TABLE}"
    player = Player.sits(eyes, house, TABLE)
    noting(player.page)
    moving, skipping = noting(eyes.opens(address)), noting(eyes.opens(address), f"window.held = true;{NOTES}")
    still = noting(eyes.opens(address, reduced_motion="reduce"))
    round_of(house, player)

    expect(skipping.locator("table-middle[data-came=banker]")).to_be_visible()
    assert moves(skipping), "what is held does not end by itself"
    skipping.locator(".stage").click(position={"x": 300, "y": 40})
    assert not moves(skipping)
    until(lambda: not moves(player.page) and not moves(moving))
    expect(still.locator("table-hands .score.won text")).to_have_text("7")
    assert lies(still)[0] == "#card-9C,#card-7D,#card-KS,#card-4H,#card-3D"
    assert lies(moving) == lies(skipping) == lies(still)
    assert player.rack() == player.ledger() == BROUGHT - 10_000 + 9_500

    notes = {
        name: made(page) for name, page in (("moving", moving), ("still", still), ("player", player.page))
    }
    assert notes["still"]["movements"] == 0
    assert notes["moving"]["movements"] > 5 * 2, "five cards slide and turn"
    assert notes["player"]["movements"] > notes["moving"]["movements"], "and one's own chips fly"
    assert all((one["contexts"], one["words"]) == (0, 0) for one in notes.values())


@pytest.mark.whole
def test_sounds_are_offered_once_and_kept(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE), cards=CARDS)
    page = noting(eyes.opens(f"{house.url}/tables/{TABLE}"))
    offer = page.locator(".sound-offer")
    offer.locator("button").first.click()
    expect(offer).to_have_count(0)
    assert made(page)["contexts"] == 1
    page.reload()
    expect(page.locator("table-hands .hand-title")).to_have_count(2)
    expect(offer).to_have_count(0)
    page.locator("#sound").click()
    box = page.locator(".listening").bounding_box()
    assert box
    assert abs(2 * box["x"] + box["width"] - DESKTOP["width"]) < 2, "in the middle"
    volume = page.locator("#sounds-loud")
    expect(volume).to_have_value("60")
    volume.focus()
    page.keyboard.press("End")
    page.keyboard.press("Escape")
    assert page.evaluate("localStorage.getItem('sounds')") == "100"
