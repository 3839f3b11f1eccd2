"""A player's table at every size: nothing clipped, nothing in the way of a control, no type under eleven pixels.

One page goes through a round, and at each moment of it through the sizes and panels. The suite looks at a sample;
`make sizes` at fourteen screens, four numbers of boxes, every moment, panel and language, or at the SCREENS that it is
told.
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import pytest
from playwright.sync_api import Page, ViewportSize

from browser.eyes import Eyes
from browser.house import MS, PACE, House, dealt, table, until
from service.api.serving import Asking
from thirdcard.service.tables.hall import NewTable

pytestmark = [pytest.mark.browser, pytest.mark.gate("boxes-6")]

SIZES = (
    "360x640",
    "390x844",
    "568x320",
    "667x375",
    "720x450",
    "844x390",
    "820x1180",
    "954x1020",  # one of two side by side
    "1024x768",
    "1280x720",
    "1366x768",
    "1366x1024",
    "1440x900",
    "1920x1080",
    "2560x1440",
)
SAMPLE = ("360x640", "667x375", "844x390", "954x1020", "1280x720", "1920x1080")
BOXES = {
    1: ("tiger-buffalo", "A"),
    6: ("tiger-buffalo", "A"),
    9: ("commission-insurance", "C"),
    16: ("tiger-buffalo", "K"),
}
PEOPLE = ("Wei", "Mei", "Anwar", "Lin", "Rani", "Joe", "Kim")
CARDS = "6C 3D KH AS 3C"  # insurance on the Player after four cards, then the Banker wins
ASKED = os.environ.get("THIRDCARD_SIZES", "")
WHOLE = bool(ASKED)
SCREENS = tuple(ASKED.split()) if ASKED != "all" else SIZES


class Look(NamedTuple):
    """What is looked at: the moment of a round, the key or control that opens something, what is there then."""

    at: str
    ready: str
    key: str = ""
    click: str = ""


MOMENTS = ("betting", "dealing", "insuring", "settled", "again")
LOOKS = {
    "betting": Look("betting", ".shown .mine"),
    "odds": Look("betting", "shoe-odds:not([hidden]) h2", key="o"),
    "help": Look("betting", "bets-help:not([hidden]) h2", key="?"),
    "tools": Look("betting", "bet-tools:not([hidden]) h2", key="f"),
    "menu": Look("betting", "#menu[open] .row", click="#menu-button, .pocket"),
    "watching": Look("betting", "table-purse .watching"),
    "dealing": Look("dealing", "table-hands use"),
    "insuring": Look("insuring", "insurance-prompt .what"),
    "settled": Look("settled", "round-net b"),
    "again": Look("again", "table-tray.fresh"),
    "statement": Look("settled", "round-statement:not([hidden]) table", key="s"),
}


class Case(NamedTuple):
    """A table with so many boxes, what is looked at there, and in which language."""

    boxes: int
    lang: str = "en"
    looks: tuple[str, ...] = tuple(LOOKS)

    @property
    def table(self) -> str:
        return f"boxes-{self.boxes}-{self.lang}".lower()


CASES = (
    [*map(Case, BOXES), Case(6, "zh"), Case(6, "zh-Hans")]
    if WHOLE
    else [Case(6, "zh", ("betting", "odds", "insuring", "again")), Case(16, "en", ("betting", "settled"))]
)
# Whether the felt that the stage asks for is the one that is shown, and nothing moves.
RESTS = """async () => {
  const { modules } = await import(document.querySelector("script[type=module]").src);
  const { shape, wide } = modules.stage;
  const drawn = document.querySelector("table-felt > svg")?.viewBox.baseVal;
  const { width, height } = shape();
  return !modules.motion.busy() && (!wide.matches || (drawn?.width === width && drawn?.height === height));
}"""
# What is wrong with the page as it stands. Marks of roads, faces of cards and chips are pictures, not type.
FAULTS = r"""() => {
  const [wide, high] = [innerWidth, innerHeight];
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest(".hidden, [inert], dialog:not([open])");
  const called = (one) => `${one.tagName.toLowerCase()}.${one.getAttribute("class") ?? ""} "${(one.getAttribute("aria-label") ?? one.textContent).trim().slice(0, 24)}"`;
  const pictures = ".roads svg, .roadstrip svg, table-hands svg, symbol, .chip, .chipbtn";
  const swept = (one) => { // what a finger moves, sideways or in a menu or panel, is within reach
    for (let up = one.parentElement; up; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      if (["auto", "scroll"].includes(overflowX) && up.scrollWidth > up.clientWidth) return true;
      if (["auto", "scroll"].includes(overflowY) && up.scrollHeight > up.clientHeight && up.closest("#menu, #drawer")) return true;
    }
    return false;
  };
  const narrow = wide < 900 || high < 600;
  const panel = (narrow || wide < 1240) && [...document.querySelectorAll("#drawer > *")].find((one) => !one.hidden); // it lies over the felt
  const top = document.querySelector("dialog:modal") ?? (panel || document.body);
  const found = [];
  const lines = []; // of type, each with its rectangle
  if (document.documentElement.scrollWidth > wide || document.documentElement.scrollHeight > high) found.push("the page scrolls");
  for (const one of top.querySelectorAll("*")) {
    if (![...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim())) continue;
    if (!shown(one) || one.closest(pictures) || one.closest("script, style, template")) continue;
    const matrix = one.getScreenCTM?.();
    if (!matrix) lines.push(...[...one.childNodes].filter((part) => part.nodeType === 3).flatMap((part) => {
      const range = document.createRange();
      range.selectNodeContents(part);
      return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1).map((rect) => ({ one, rect, size: parseFloat(getComputedStyle(one).fontSize) }));
    }));
    const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
    const size = parseFloat(getComputedStyle(one).fontSize) * scale;
    if (size < 10.9) found.push(`${size.toFixed(1)} px: ${called(one)}`);
    for (let up = matrix ? null : one; up?.closest("button, table-purse, round-net, insurance-prompt"); up = up.parentElement) {
      const cut = getComputedStyle(up).overflowX !== "visible" && up.clientWidth > 2 && up.scrollWidth > up.clientWidth + 1;
      if (cut) found.push(`cut short: ${called(one)}`);
    }
  }
  const within = ({ one, rect, size }) => { // its letters, as much of them as whatever holds them lets be seen
    let { left, top, right, bottom } = rect;
    const spare = Math.max(0, (bottom - top - 0.8 * size) / 2);
    [top, bottom] = [top + spare, bottom - spare];
    for (let up = one; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowY === "visible") continue;
      const box = up.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return { one, left, top, right, bottom };
  };
  const seen = lines.map(within).filter((line) => line.right > line.left && line.bottom > line.top);
  seen.forEach((a, place) => {
    for (const b of seen.slice(place + 1)) {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 2 && down > 2 && a.one !== b.one) found.push(`one over the other: ${called(a.one)} and ${called(b.one)}`);
    }
  });
  for (const part of narrow ? [] : document.querySelectorAll(".dock > *")) {
    const { left, right } = part.getBoundingClientRect();
    for (const one of part.querySelectorAll("button, input, b, svg")) {
      const box = one.getBoundingClientRect();
      if (shown(one) && box.width && (box.left < left - 1 || box.right > right + 1)) found.push(`beyond its part of the dock: ${called(one)}`);
    }
  }
  for (const one of top.querySelectorAll("button, a[href], input, select, .own [role=button]")) {
    if (!shown(one) || one.closest("#roads") || one.classList.contains("skip") || swept(one)) continue;
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
    if (width < 1 || height < 1) continue;
    if (left < -1 || top < -1 || right > wide + 1 || bottom > high + 1) {
      found.push(`beyond the screen: ${called(one)} ${[left, top, right, bottom].map(Math.round)}`);
      continue;
    }
    const steps = [0.5, 0.3, 0.7, 0.15, 0.85];
    const hit = steps.some((x) => steps.some((y) => {
      const over = document.elementFromPoint(left + width * x, top + height * y);
      return over && (one.contains(over) || over.contains(one) && over.closest("label"));
    }));
    if (!hit) found.push(`covered: ${called(one)} ${[left, top, right, bottom].map(Math.round)}`);
  }
  return found;
}"""


def seated(boxes: int) -> dict[int, str]:
    """Who sits where: the one who looks in a box that is not the first, and company beside."""
    mine = (boxes + 1) // 2
    beside = (mine - 1, mine + 1, boxes, *(range(mine + 2, mine + 5) if boxes > mine + 4 else ()))
    others = [box for box in beside if 1 <= box <= boxes and box != mine]
    return {mine: PEOPLE[0], **dict(zip(dict.fromkeys(others), PEOPLE[1:], strict=False))}


class Rooms:
    """A house with a table for each case, where a round goes on when it is told to."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.people = {name: Asking(house, house.account(name, "player")) for name in PEOPLE}

    def comes_to(self, moment: str, case: Case) -> None:
        """Play on from the moment before it."""
        at = case.table
        if moment == "betting":
            self._bet(at, seated(case.boxes))
        elif moment == "dealing":
            self.house.ends("betting", at)
            for _ in range(3):
                self.house.ends("card", at)
            until(lambda: self._drawn(at) == 3)
        elif moment == "insuring":
            self.house.ends("card", at)
            until(lambda: self.house.waits(at) == "insurance")
        elif moment == "again":
            self.house.ends("result", at)
            until(lambda: self.house.waits(at) == "betting")
        else:
            self.house.ends("insurance", at)  # the fifth card waits for nothing else
            self.house.ends("card", at)
            until(lambda: self.house.live(at).table.phase == "settled")

    def _bet(self, at: str, people: dict[int, str]) -> None:
        for box, who in people.items():
            sat = self.people[who].post(f"/api/tables/{at}/sit-down", {"box": box, "cents": 500_000})
            assert sat.status_code == 200
        until(lambda: self.house.waits(at) == "betting")
        for box, who in people.items():
            self.people[who].does("place", at, box=box, bet="player", cents=120_000)
            self.people[who].does("place", at, box=box, bet="tie", cents=1_000)

    def _drawn(self, at: str) -> int:
        current = self.house.live(at).table.round
        return len(current.drawn) if current else 0


def opened(case: Case) -> NewTable:
    first, layout = BOXES[case.boxes]
    pace = msgspec.structs.replace(PACE, card=MS)
    made = table(first, layout=layout, positions=case.boxes, pace=pace)
    return msgspec.structs.replace(made, id=case.table)


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rooms]:
    tables = tuple(map(opened, CASES))
    planted = dealt(CARDS, *(one.id for one in tables))
    with planted, House(tmp_path_factory.mktemp("rooms") / "house.db", *tables) as house:
        yield Rooms(house)


def faults(page: Page, name: str) -> list[str]:
    """What is wrong once the page has come to rest, at each size."""
    found: list[str] = []
    for size in SCREENS or SAMPLE:
        width, height = map(int, size.split("x"))
        page.set_viewport_size(ViewportSize(width=width, height=height))
        wrong: list[str] = []
        for _ in range(5):  # what was laid out anew may still be on its way
            page.wait_for_function(RESTS)
            wrong = page.evaluate(FAULTS)
            if not wrong:
                break
            page.wait_for_timeout(200)
        found += [f"{name} at {size}: {one}" for one in wrong]
    return found


def seen(page: Page, name: str) -> list[str]:
    """Open what is to be looked at, look at it at every size, and close it."""
    look = LOOKS[name]
    if look.key:
        page.keyboard.press(look.key)
    if look.click:
        page.locator(look.click).locator("visible=true").first.click()
    page.locator(look.ready).first.wait_for(state="attached")
    found = faults(page, name)
    if look.key or look.click:
        page.keyboard.press("Escape")
        page.locator(look.ready).first.wait_for(state="detached")
    return found


@pytest.mark.whole
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.table)
def test_everything_is_whole_legible_and_within_reach(case: Case, eyes: Eyes, rooms: Rooms) -> None:
    address = f"{rooms.house.url}/tables/{case.table}?lang={case.lang}"
    token = rooms.people["Wei"].token
    pages: dict[bool, Page] = {}
    wrong: list[str] = []
    for moment in MOMENTS:
        rooms.comes_to(moment, case)
        if not pages:
            pages[True] = eyes.opens(address, reduced_motion="reduce", token=token)
            if "watching" in case.looks:
                pages[False] = eyes.opens(address, reduced_motion="reduce")
        if moment == "betting":
            pages[True].locator(LOOKS["betting"].ready).first.wait_for(state="attached")
        for name in case.looks:
            if LOOKS[name].at == moment:
                wrong += seen(pages[name != "watching"], name)
        if case.boxes == max(BOXES) and moment == "betting":
            assert "1.2K" in pages[True].locator("table-felt .tag").all_text_contents()  # in narrow boxes
    assert not wrong, "\n".join(wrong)
