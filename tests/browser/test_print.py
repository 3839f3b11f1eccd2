"""Pages as they come out of a printer: light, whole, with a foot, nothing cut off; and a replay that is drawn."""

import re
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from browser.eyes import Eyes
from browser.house import House
from irregularities.situations import TBC, Scene
from service.playing import logged, table_log
from service.proving import play_out
from thirdcard import __version__
from thirdcard.cards import parse_card
from thirdcard.service.log.store import open_store
from thirdcard.table import commands

TOO_WIDE = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  return width > 0 && !one.closest("svg svg, svg g") && (right > innerWidth + 2 || left < -2);
}).map((one) => `${one.tagName}.${one.getAttribute("class")}`).slice(0, 5)"""
A4_INSIDE = 694  # pixels: 210 mm less the margins
OTHER = "rws-tiger-buffalo-non-commission-v4"
# What is printed, and what stands on it.
PAGES = {
    "/audit/proved/rounds/1/evidence": ("Irregularity 1", "Reason, private", "Log, records", "Signatures"),
    "/audit/proved/rounds/1": ("step by step", "put right"),
    "/audit/proved/statements?player=ann": ("settlement reversed", "10,000"),
    f"/rules/{TBC}": ("Pay table", "5.11"),
    f"/rules/rws-tiger-buffalo-non-commission-v3/compare/{OTHER}": ("Changed", "version"),
    "/odds": ("House edge", "30.7354"),
}


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


def printed(page: Page, path: Path) -> pypdfium2.PdfDocument:
    page.pdf(path=path, prefer_css_page_size=True, print_background=True)
    return pypdfium2.PdfDocument(path)


def test_pages_print_light_and_whole_with_a_foot(house: House, eyes: Eyes, tmp_path: Path) -> None:
    page = eyes.opens(
        f"{house.url}/audit", token=house.token("auditor"), viewport={"width": A4_INSIDE, "height": 1000}
    )
    for number, (address, wanted) in enumerate(PAGES.items()):
        page.goto(house.url + address)
        page.emulate_media(media="print")
        assert page.evaluate(TOO_WIDE) == [], address
        file = printed(page, tmp_path / f"{number}.pdf")
        page.emulate_media(media="screen")
        texts = [one.get_textpage().get_text_bounded() for one in file]
        whole = " ".join(" ".join(texts).split())
        for words in wanted:
            assert words in whole, (address, words)
        for place, text in enumerate(texts, start=1):
            assert f"{place} / {len(texts)}" in text, address
            foot = rf"thirdcard {re.escape(__version__)} · .*20[0-9]{{2}}"
            assert re.search(foot, " ".join(text.split())), (address, text[-300:])
            assert "SHA-256" in text or address == "/audit" or "compare" in address
        shades = file[0].render(scale=0.25, grayscale=True).to_numpy()
        assert shades[0, 0] > 250, address
        assert (shades > 200).mean() > 0.6, f"{address} is dark"
        assert not (shades[:, :6] < 200).any(), f"{address} runs into the margin"
        assert not (shades[:, -6:] < 200).any(), f"{address} runs into the margin"


def test_details_are_open_on_paper(house: House, eyes: Eyes, tmp_path: Path) -> None:
    page = eyes.opens(f"{house.url}/odds", token=house.token("auditor"))
    page.evaluate("document.querySelectorAll('details').forEach((one) => one.removeAttribute('open'))")
    assert page.locator("details").count() > 0
    text = "".join(one.get_textpage().get_text_bounded() for one in printed(page, tmp_path / "odds.pdf"))
    assert "COMES" in text, "a table that stands in details"
    assert page.locator("details[open]").count() == 0, "closed again afterwards"


def test_a_round_is_drawn_at_every_step(house: House, eyes: Eyes) -> None:
    page = eyes.opens(f"{house.url}/audit/proved/rounds/1", token=house.token("auditor"))
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
    with page.expect_download() as taken:
        page.get_by_role("link", name="Archive").click()
    assert taken.value.suggested_filename == "proved-1.zip"
