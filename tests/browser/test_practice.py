"""Deal a shift in a browser: troubles dealt with at the real desk, cases ruled on and passed up at the real pit."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.eyes import GUARD_MS, Eyes
from browser.house import House, Opens, table, until
from browser.test_school import Faults, right
from browser.test_school import found as found  # noqa: PLC0414 - a fixture
from service.houses import TBC
from thirdcard.school.shift_troubles import cut_card_lies, out_now
from thirdcard.service.learning import scripted
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.practice import to_name
from thirdcard.table.rights.insurance import silent_people
from thirdcard.table.state import Round, State

pytestmark = pytest.mark.browser

PATRONS = 2
LIES = "1/banker/W-1"  # chips that nobody has put on record
SOON = 60  # milliseconds in which scripted people do what they do
QUICK = Pace(betting=300, insurance=300, adjusting=300, choice=300, squeeze=300, card=20, result=300)


@pytest.fixture
def school(opens: Opens, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(scripted, "PATRON_MS", SOON)
    monkeypatch.setattr(scripted, "HOUSE_MS", SOON)
    monkeypatch.setattr(scripted, "PIT", QUICK)
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


def bettors(current: Round | None) -> set[str]:
    return {one.player for one in current.stakes.values()} if current is not None else set()


def awaited(state: State) -> bool:
    """Whether a patron has yet to bet, or to answer the insurance on offer."""
    current = state.round
    if current is None:
        return False
    betting = current.phase == "betting" and len(bettors(current)) < PATRONS
    return betting or bool(silent_people(state, current))


CARDS_OUT = "ones => ones.map((one) => one.getAttribute('href'))"


def goes_on(page: Page, house: House, live: Live) -> None:
    """What the desk asks for: a payout, a card, else what Enter does."""
    out = out_now(live.practice, live.table) if live.practice else ()
    shown = page.locator("#practice .pout use").evaluate_all(CARDS_OUT)
    if page.locator("input[name=paid]").is_visible():
        box, player = to_name(live)[0] if to_name(live) else (0, "")
        if f"{player} coming in box {box}" not in page.locator("#required h1").inner_text():
            return  # that is the one before
        page.locator("input[name=paid]").fill(f"{right(live, f'{box}/{player}') / 100:g}")
    elif len(shown) == len(out) == 1:
        if not shown[0].endswith(f"-{out[0].value}"):
            return
        page.keyboard.type(out[0].value.lower())
    elif out or awaited(live.table):
        return
    else:
        page.keyboard.press("Enter")
        return
    page.keyboard.press("Enter")
    until(lambda: house.live(live.id).version != live.version)


@pytest.mark.whole
def test_troubles_are_dealt_with_at_the_desk_by_keyboard(eyes: Eyes, school: House, found: Faults) -> None:
    """Chips between two spots are put on record, a claim is reported and decided, the cut card is put aside."""
    token = school.account("Dee", "dealer")
    page = eyes.opens(f"{school.url}/school/shift?rulebook={TBC}", token=token)
    name = taken(page, "desk", 206)  # chips between two spots, then chips said to be misplaced
    sees = page.locator("#practice .psees")

    def act(live: Live) -> None:
        current, told = live.table.round, sees.inner_text()
        open_now = current is not None and (current.number, current.phase) == (1, "betting")
        if open_now and current and LIES not in current.stakes:
            expect(sees).to_contain_text("between two spots")
            told = sees.inner_text()
            amount = re.search(r"([\d,.]+) of (W-\d)", told)
            assert amount
            page.locator(".chipform [name=player]").select_option(amount[2])
            page.locator(".chipform .bets").get_by_label("Banker", exact=True).press("Enter")
            page.locator(".chipform [name=cents]").fill(amount[1])
            page.keyboard.press("Alt+Enter")
            until(lambda: LIES in school.live(name).table.round.stakes)  # type: ignore[union-attr]
        elif "were meant for" in told:
            page.keyboard.press("r")
            page.locator("form.report [name=case]").select_option("misplaced-chips")
            page.locator("form.report [name=players][value=W-2]").press(" ")
            page.locator("form.report [name=box]").select_option("2")
            page.locator("form.report [type=submit]").press("Enter")
            rule = page.locator("#rail").get_by_role("button", name="Rule so")
            rule.press("Enter")
            expect(rule).to_have_count(0)
        elif cut_card_lies(live.table):
            expect(sees).to_contain_text("cut card")
            page.get_by_role("button", name="More", exact=True).press("Enter")
            page.get_by_role("button", name="The cut card has come out").press("Enter")
            expect(sees).not_to_contain_text("cut card")
            page.keyboard.press("Escape")
        else:
            goes_on(page, school, live)

    works(page, school, name, act)
    rows = page.locator(".sh3 tbody tr")
    expect(rows).to_have_count(2)
    expect(page.locator(".sh3")).to_contain_text("put right before the close")
    expect(page.locator(".sh3")).to_contain_text("reported")
    expect(page.locator(".sh3 .no")).to_have_count(0)
    expect(page.locator(".parts")).to_contain_text("2 of 2 noticed, 2 right")
    expect(page.locator(".sh4")).to_contain_text("Into your schedule")
    found.look(page)
    kept = school.as_(token).get("/api/school/export").json()
    assert {one["review"]["shift"] for one in kept["answers"]} == {name}


@pytest.mark.whole
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
