"""Pages as they come out of a printer: light, whole, with a foot, nothing cut off; and a replay that is drawn."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.eyes import Eyes
from browser.house import House
from browser.paper import A4_INSIDE, faults_on_paper, printed
from browser.test_pages import AXE, minded
from irregularities.situations import TBC, Scene
from service.playing import logged, table_log
from service.proving import play_out
from thirdcard.cards import parse_card
from thirdcard.service.log.store import open_store
from thirdcard.table import commands

pytestmark = pytest.mark.browser

OTHER = "rws-tiger-buffalo-non-commission-v4"
# What is printed, and what stands on it.
PAGES = {
    "/audit/proved/rounds/1/evidence": (
        "Irregularity 1", "Reason, private", "What could be decided", "✓ chosen", "Log, records", "Signatures",
    ),
    "/audit/proved/rounds/1": ("step by step", "put right"),
    "/audit/proved/statements?player=ann": ("settlement reversed", "corrected settlement", "10,000"),
    "/audit": ("reverses the settlement", "ann had"),
    "/audit/find?bet=banker": ("ann", "900"),
    f"/rules/{TBC}": ("Pay table", "5.11"),
    f"/rules/rws-tiger-buffalo-non-commission-v3/compare/{OTHER}": ("Changed", "version"),
    "/odds": ("House edge", "30.7354"),
}  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A table at which cards came out together, were ruled on, and a card was put right after the settlement."""
    table = Scene(TBC)
    table.bets(("ann", "banker", 900_00), ("ann", "tie", 50_00), ("bob", "player", 500_00))
    table.close()
    table.deal("3S 7D 2H 9C")
    table.report("drawn-together", "6D 8C", order_known=False, note="Two came out stuck.")
    table.rule("sue", order="6D 8C", reason="The video shows the red card uppermost.")
    play_out(table)
    cards = [card for card in table.current.cards[:-1] if card is not None]
    cards.append(parse_card("7C"))
    table.do(commands.Correct(by="sue", cards=tuple(cards), reason="The last card was a seven."))
    path = tmp_path_factory.mktemp("printed") / "house.db"
    store = open_store(str(path))
    store.commit([logged("proved", table_log(table.log))])
    store.close()
    with House(path) as made:
        yield made


@pytest.mark.whole
def test_pages_print_light_and_whole_with_a_foot(house: House, eyes: Eyes, tmp_path: Path) -> None:
    page = eyes.opens(
        f"{house.url}/audit", token=house.token("auditor"), viewport={"width": A4_INSIDE, "height": 1000}
    )
    wrong = []
    for number, (address, wanted) in enumerate(PAGES.items()):
        page.goto(house.url + address)
        digest = not re.match("/audit(/find.*)?$", address)  # what is of no one rulebook has none
        found = faults_on_paper(page, tmp_path / f"{number}.pdf", *wanted, digest=digest)
        wrong += [f"{address}: {one}" for one in found]
    assert not wrong, "\n".join(wrong)


@pytest.mark.whole
def test_details_are_open_on_paper(house: House, eyes: Eyes, tmp_path: Path) -> None:
    page = eyes.opens(f"{house.url}/odds", token=house.token("auditor"))
    page.evaluate("document.querySelectorAll('details').forEach((one) => one.removeAttribute('open'))")
    assert page.locator("details").count() > 0
    text = "".join(one.get_textpage().get_text_bounded() for one in printed(page, tmp_path / "odds.pdf"))
    assert "COMES" in text, "a table that stands in details"
    assert page.locator("details[open]").count() == 0, "closed again afterwards"


def test_a_round_is_found_and_drawn_at_every_step(house: House, eyes: Eyes) -> None:
    page = eyes.opens(f"{house.url}/audit/find?bet=banker", token=house.token("auditor"))
    page.locator('main a[href$="/audit/proved/rounds/1"]').first.click()
    where = page.locator("#where")
    expect(where).to_contain_text("step 1 of")
    steps = page.locator("#replay > li")
    kinds = steps.evaluate_all("all => all.map((one) => one.dataset.kind)")
    reported, settled = kinds.index("irregularity-reported"), kinds.index("round-settled")
    for _ in range(reported):
        page.keyboard.press("ArrowRight")
    expect(where).to_contain_text(f"step {reported + 1} of {len(kinds)}")
    expect(page.locator("#hands .besides svg")).to_have_count(2)
    expect(page.locator("#stage .stack")).to_have_count(3)
    expect(page.locator("#wrote")).to_contain_text("Two came out stuck.")
    expect(page.locator("#facts")).to_contain_text("5.11")
    page.get_by_role("button", name="What the public saw").click()
    expect(page.locator("#hands .besides")).to_have_count(0)
    expect(page.locator("[data-private]")).to_be_hidden()
    page.get_by_role("button", name="What the desk knew").click()
    steps.nth(settled).locator("button").click()
    expect(page.locator("#hands .rpts")).to_have_text(["1", "4"])
    expect(page.locator("#changed")).to_contain_text("ann")
    steps.nth(kinds.index("irregularity-ruled")).locator("button").click()
    expect(page.locator("#changed")).to_contain_text("six of diamonds")
    steps.nth(kinds.index("record-amended")).locator("button").click()
    expect(page.locator("#changed")).to_contain_text("7D 9C 8C: 4")
    expect(page.locator("#changed")).to_contain_text("7D 9C 7C: 3")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#changed")).to_contain_text("eight of clubs")
    expect(page.locator(".road:visible")).to_have_count(1)
    page.locator("h1").click()
    page.keyboard.press("e")
    page.wait_for_url(re.compile("/rounds/1/evidence$"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("round 1")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert not minded(page)
    with page.expect_download() as taken:
        page.get_by_role("link", name="Archive").click()
    assert taken.value.suggested_filename == "proved-1.zip"
