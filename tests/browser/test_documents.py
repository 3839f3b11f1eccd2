"""From a document to a rulebook: read, every row confirmed by hand, kept; and a rulebook held to a document."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.eyes import Eyes
from browser.house import Opens, table
from service.api.test_documents import DOCUMENT

pytestmark = pytest.mark.browser

SLUG = "quick-tiger-v7"


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "rules.txt"
    path.write_text(DOCUMENT)
    return path


def test_a_draft_is_a_book_once_every_row_is_confirmed(eyes: Eyes, opens: Opens, document: Path) -> None:
    house = opens(table("salon"))
    page = eyes.opens(f"{house.url}/staff/documents", token=house.token("administrator"))
    page.locator("#document [name=file]").set_input_files(document)
    page.get_by_role("button", name="Read it").click()
    rows, make = page.locator("#report .row button"), page.locator("#draft [name=make]")
    expect(rows.first).to_be_visible()
    count = rows.count()
    expect(make).to_have_text(f"Make the book: {count} open")
    expect(make).to_be_disabled()
    for number in range(count):
        rows.nth(number).click()
        expect(rows.nth(number)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#report .banner h2")).to_have_text("A draft. Nothing in it is open.")
    rows.first.click()  # taken back
    expect(make).to_have_text("Make the book: 1 open")
    rows.first.click()
    expect(make).to_be_enabled()
    with page.expect_download() as kept:
        page.get_by_role("button", name="Keep the draft").click()
    assert kept.value.suggested_filename == f"{SLUG}.toml"
    written = Path(kept.value.path()).read_text()
    assert "[[unconfirmed]]" not in written
    assert '"9 to 1"' in written


def test_a_rulebook_is_held_to_a_document(eyes: Eyes, opens: Opens, document: Path) -> None:
    house = opens(table("salon"))
    page = eyes.opens(f"{house.url}/staff/documents", token=house.token("administrator"))
    page.locator("#document [name=file]").set_input_files(document)
    page.locator("#document [name=rulebook]").select_option("mbs-tiger-v2")
    page.get_by_role("button", name="Hold the rulebook to it").click()
    expect(page.locator("#report .banner h2")).to_contain_text("The book is not the document")
    tie = page.locator("#report tr", has_text="bets.tie.pays.win.odds").first
    expect(tie).to_contain_text("is 8 to 1, where 2.1.3 says 9 to 1")
    expect(tie.locator("td").first).to_have_text("12")
