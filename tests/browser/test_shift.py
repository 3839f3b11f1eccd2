"""The shift desk in a real browser: figures, a table's sheet, hours and floats put on record, and on paper."""

import asyncio
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import Page, ViewportSize, expect

from browser.eyes import Eyes
from browser.house import House
from browser.paper import TOO_WIDE
from browser.test_pages import AXE, CHECK, WIDE
from service.shifts import filled

pytestmark = pytest.mark.browser

DAY = 86_400
A4_LANDSCAPE: ViewportSize = {"width": 1_026, "height": 700}
SIZES: tuple[ViewportSize, ...] = ({"width": 1440, "height": 900}, {"width": 1280, "height": 720})
# Yesterday, half an hour after its first shift began by UTC.
BEGAN = int(time.time()) // DAY * DAY - DAY + 8 * 3_600 + 1_800
YESTERDAY = time.strftime("%Y-%m-%d", time.gmtime(BEGAN))
ASKED = f"shift=A&day={YESTERDAY}"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    path = tmp_path_factory.mktemp("shift") / "house.db"
    with ThreadPoolExecutor(1) as apart:  # a browser may run in this thread
        apart.submit(asyncio.run, filled(str(path), BEGAN * 1_000_000)).result()
    with House(path) as made:
        yield made


def minded(page: Page) -> object:
    """What axe-core minds, and what is wider than the screen."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(WIDE) == []
    return page.wait_for_function(CHECK).json_value()


def test_a_manager_reads_a_shift_and_sets_its_hours(house: House, eyes: Eyes) -> None:
    token = house.token("shift-manager")
    for size in SIZES:
        page = eyes.opens(f"{house.url}/staff/shift?{ASKED}", token=token, viewport=size)
        rows = page.locator(".sums .sht").first.locator("tbody tr")
        expect(rows).to_have_count(4)
        expect(page.locator("h1")).to_contain_text("Shift desk")
        assert minded(page) == []
    desk = house.as_("shift-manager").get(f"/api/shift-desk?{ASKED}").json()
    win = f"{abs(round(desk['total']['win'] / 100)):,}"
    expect(page.locator("tfoot").first).to_contain_text(win)
    page.goto(f"{house.url}/staff/shift?{ASKED}&lang=zh")
    expect(page.locator("h1")).to_contain_text("更次報表")
    assert minded(page) == []
    page.goto(f"{house.url}/staff/shift?lang=en")
    page.locator(".hours summary").click()
    page.locator('[name="name"]').nth(0).fill("Day")
    page.locator('[name="name"]').nth(1).fill("Night")
    page.locator('[name="begins"]').nth(1).fill("20:00")
    page.locator('[name="name"]').nth(2).fill("")
    page.locator("#hours button").click()
    expect(page.locator(".spans")).to_contain_text("Shift Night")
    assert house.as_("shift-manager").get("/api/shift-hours").json()["shifts"] == [
        {"name": "Day", "begins": 480},
        {"name": "Night", "begins": 1200},
    ]
    page.goto(f"{house.url}/staff/shift?{ASKED}")
    expect(page.locator(".spans")).to_contain_text("Shift A")  # the hours that held then


@pytest.mark.whole
def test_a_table_its_float_and_its_players(house: House, eyes: Eyes) -> None:
    page = eyes.opens(f"{house.url}/staff/shift/by-hand?{ASKED}", token=house.token("pit-manager"))
    expect(page.locator("table").last).to_contain_text("W-17")
    expect(page.locator("body")).to_contain_text("Opening count")
    assert minded(page) == []
    page.goto(f"{house.url}/staff/shift/by-hand?shift=day")
    page.locator('#float [name="what"]').select_option("fill")
    page.locator('#float [name="dollars"]').fill("2500.50")
    page.locator("#float button").click()
    expect(page.locator("body")).to_contain_text("2,500.50")
    own = eyes.opens(f"{house.url}/account", token=house.account("Wei", "player"))
    expect(own.locator(".sessions tbody tr")).not_to_have_count(0)
    assert minded(own) == []


def test_a_supervisor_sees_the_tables_that_they_have_worked_at(house: House, eyes: Eyes) -> None:
    page = eyes.opens(f"{house.url}/staff/shift?{ASKED}", token=house.token("pit-supervisor"))
    expect(page.locator(".panel").first).to_contain_text("tables that you have worked at")
    eyes.expects("404")
    page.goto(f"{house.url}/staff/shift/by-hand?{ASKED}")
    expect(page.locator("main")).to_contain_text("worked at")


def test_on_paper_it_is_light_and_whole(house: House, eyes: Eyes, tmp_path: Path) -> None:
    token = house.token("auditor")
    for address, wanted in (
        (
            f"/staff/shift?{ASKED}",
            ("Shift desk", "Expected win", "Rounds, time in minutes", "Record put right"),
        ),
        (f"/staff/shift/by-hand?{ASKED}", ("Opening count", "THEORETICAL LOSS", "W-17")),
    ):
        page = eyes.opens(house.url + address, token=token, viewport=A4_LANDSCAPE)
        page.emulate_media(media="print")
        assert page.evaluate(TOO_WIDE) == [], address
        page.pdf(path=tmp_path / "shift.pdf", prefer_css_page_size=True, print_background=True)
        file = pypdfium2.PdfDocument(tmp_path / "shift.pdf")
        whole = " ".join(" ".join(one.get_textpage().get_text_bounded() for one in file).split())
        for words in wanted:
            assert words in whole, (address, words)
        assert re.search(rf"1 / {len(file)}", whole)
        shades = file[0].render(scale=0.25, grayscale=True).to_numpy()
        assert shades[0, 0] > 250
        assert (shades > 200).mean() > 0.6, "it is dark"
        assert not (shades[:, -6:] < 200).any(), "it runs into the margin"


def test_as_files(house: House) -> None:
    asks = house.as_("shift-manager")
    csv = asks.get(f"/staff/shift.csv?{ASKED}")
    lines = csv.text.splitlines()
    assert lines[0].startswith(
        "shift,day,since,until,table,title,rulebook,drop_cents,cashed_in_cents,win_cents"
    )
    assert {line.split(",")[4] for line in lines[1:5]} == {"by-hand", "insured", "squeezed", "tiger"}
    parquet = asks.get(f"/staff/shift.parquet?{ASKED}")
    assert parquet.content[:4] == b"PAR1"
    assert asks.get("/staff/shift.csv?shift=none").status_code in (400, 422)
    assert asks.get("/staff/shift?day=yesterday").status_code in (400, 422)
