"""Deal a shift in a browser: cases are ruled on and passed up at the real pit, and the shift is judged."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.eyes import GUARD_MS, Eyes
from browser.house import House, Opens, table
from browser.test_school import Faults
from browser.test_school import found as found  # noqa: PLC0414 - a fixture
from service.houses import TBC
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.tables import practice
from thirdcard.service.tables.live import Live

PATRONS = 2
SOON = 60  # milliseconds in which scripted people do what they do
QUICK = Pace(betting=300, insurance=300, adjusting=300, choice=300, squeeze=300, card=20, result=300)


@pytest.fixture
def school(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(practice, "PATRON_MS", SOON)
    monkeypatch.setattr(practice, "HOUSE_MS", SOON)
    monkeypatch.setattr(practice, "PIT", QUICK)
    return opens(table("salon"))


def taken(page: Page, post: str, seed: int) -> str:
    """Take a shift of two rounds in which something goes wrong every time; the table's name."""
    form = page.locator("#shift-form")
    for name, value in {"rounds": "2", "patrons": str(PATRONS), "trouble": "100", "seed": str(seed)}.items():
        form.locator(f"[name={name}]").fill(value)
    form.locator(f"[name=post][value={post}]").check(force=True)
    form.locator("button").press("Enter")
    page.wait_for_url(re.compile("/(dealer|pit)/practice-"))
    return page.url.rsplit("/", 1)[1]


def works(page: Page, house: House, name: str, act: Callable[[Live], None]) -> None:
    """Do what is there to be done until the shift is over."""
    late = time.monotonic() + GUARD_MS / 1000
    while not (live := house.live(name)).archived:
        assert time.monotonic() < late, (live.table.phase, live.table.round)
        act(live)
        page.wait_for_timeout(150)
    page.locator("#practice .btn.primary").click()
    page.wait_for_url(f"**/school/shifts/{name}")
    expect(page.locator(".dial")).to_be_visible()


def test_at_the_pit_a_case_is_ruled_on_and_another_passed_up(
    eyes: Eyes, school: House, found: Faults
) -> None:
    """Late chips are a pit supervisor's to refuse; insurance that was not offered is a pit manager's (5.14)."""
    page = eyes.opens(
        f"{school.url}/school/shift?rulebook={TBC}", token=school.account("Sue", "pit-supervisor")
    )
    name = taken(page, "pit", 55)  # late chips, then insurance that was not offered

    note, rule = page.locator("#pass [name=note]"), page.locator("#decide .huge")

    def act(live: Live) -> None:
        """One step at a time: the console is drawn anew whenever something happens at the table."""
        current = live.table.round
        pending = current.pending if current is not None else None
        if pending is None or pending.inputs is not None or (live.cases and live.cases[0].passed_to):
            return
        if note.is_visible():
            page.locator("#pass [type=radio]").first.check()
            note.fill("Not offered to them.")
            page.get_by_role("button", name="Ring and pass").click()
            expect(note).to_be_hidden()
        elif pending.window:
            if page.get_by_text(
                "Had meant to insure"
            ).first.is_visible():  # the console shows this case by now
                page.keyboard.press("Alt+u")
        elif rule.is_visible():
            rule.press("Enter")  # and again, when it asks for that

    works(page, school, name, act)
    expect(page.locator(".sh3 tbody tr")).to_have_count(2)
    expect(page.locator(".sh3")).to_contain_text("ruled")
    expect(page.locator(".sh3")).to_contain_text("passed up")
    expect(page.locator(".parts")).to_contain_text("2 of 2 noticed, 2 right")
    found.look(page)
