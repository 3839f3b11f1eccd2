"""Every page at every width: nothing wider than the screen, nothing too small to touch, nothing axe-core minds.

`make test` looks at each page once, on a phone, at staff's on their usual screen; `make whole` at three screens, and
`make sizes` does it all.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from browser.contexts import EMPTY
from browser.eyes import DESKTOP, PHONE, Eyes
from browser.scenes import SCENES, STAFF, Stage

pytestmark = pytest.mark.browser

WHOLE = bool(os.environ.get("THIRDCARD_SIZES"))
MORE = {1024: 768, 1180: 820, 1280: 720, 1920: 1080} if WHOLE else {}
WIDTHS = {390: 844, 820: 1180, 1440: 900, **MORE}
AXE = Path(sys.prefix) / "npm/node_modules/axe-core/axe.min.js"
FLOOR = ((1440, 900), (1280, 720), (1180, 820))  # of desks and pits
TOUCH = 44  # pixels

# What sticks out at the right, the page itself included; places that scroll by themselves may.
WIDE = """() => {
  const wide = document.documentElement.clientWidth;
  const found = [];
  if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const scrolls = (element) => {
    for (let up = element.parentElement; up && up !== document.documentElement; up = up.parentElement) {
      if (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(up).overflowX)) return true;
    }
    return false;
  };
  for (const element of document.querySelectorAll("main *, header *")) {
    const { right, width, height } = element.getBoundingClientRect();
    if (right > wide + 1 && width > 1 && height > 1 && !element.closest("svg") && !scrolls(element)) {
      found.push(`${element.tagName.toLowerCase()}.${element.className} ends at ${right.toFixed()}`);
    }
  }
  return found.slice(0, 5);
}"""
# Controls that are smaller than a finger; links within a sentence may be.
SMALL = """(least) => [...document.querySelectorAll("button, .btn, select, summary, [role=button], [role=radio], input, .navlink")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.disabled)
  .map((one) => (one.matches("input[type=checkbox], input[type=radio]") ? one.closest("label") ?? one : one))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 0 && (width < least - 0.5 || height < least - 0.5))
  .map(([one, { width, height }]) => `${one.tagName.toLowerCase()}.${one.getAttribute("class")} "${one.textContent.trim().slice(0, 20)}" ${width.toFixed()} by ${height.toFixed()}`)"""
# Text of staff's pages that is smaller than eleven pixels.
TINY = """() => [...document.querySelectorAll("main *, header *")]
  .filter((one) => [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim()))
  .filter((one) => !one.closest("svg") && one.checkVisibility({ visibilityProperty: true }) && parseFloat(getComputedStyle(one).fontSize) < 11)
  .map((one) => `${one.tagName.toLowerCase()}.${one.className} "${one.textContent.trim().slice(0, 20)}" ${getComputedStyle(one).fontSize}`)"""
CHECK = """async () => {
  const found = await axe.run(document, { preload: false, resultTypes: ["violations"] });
  return found.violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => `${one.id}: ${one.help}: ` + one.nodes.slice(0, 4).map((node) => `${node.target} (${node.any[0]?.message ?? ""})`).join("; "));
}"""
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    made = Stage(tmp_path_factory.mktemp("stage"))
    yield made
    made.house.stop()


def looked_at(eyes: Eyes, stage: Stage, name: str, viewport: ViewportSize, **context: Any) -> Page:  # noqa: ANN401
    scene = SCENES[name]
    if name == "nothing":
        eyes.expects("status of 404")
    page = eyes.opens(
        f"{stage.house.url}{scene.path}", token=stage.token(scene.who), viewport=viewport, **context
    )
    page.locator(scene.ready).first.wait_for()
    return page


def minded(page: Page) -> list[str]:
    """What axe-core minds, told where."""
    found: list[str] = page.wait_for_function(CHECK).json_value()  # unlike evaluate, it ends in time
    size = page.viewport_size
    return [f"{size and size['width']}: {one}" for one in found]


WALKS = {
    who or "anybody": [name for name, scene in SCENES.items() if scene.who == who]
    for who in sorted({scene.who for scene in SCENES.values()})
}
# Of many of a kind beside one another four are left: axe-core takes seconds for a hundred rows.
THIN = """() => {
  for (const parent of document.querySelectorAll("main *")) {
    const met = {};
    for (const one of [...parent.children]) {
      const kind = `${one.tagName} ${one.getAttribute("class")}`;
      met[kind] = (met[kind] ?? 0) + 1;
      if (met[kind] > 4) one.remove();
    }
  }
}"""


@pytest.mark.parametrize("who", WALKS)
def test_every_page_on_its_usual_screen(who: str, eyes: Eyes, stage: Stage) -> None:
    """Somebody goes from page to page: nothing sticks out, all can be read and touched, and axe-core minds nothing."""
    assert AXE.exists(), "axe-core is missing: npm install --prefix .venv/npm ./tests/browser"
    staff = who in STAFF
    viewport = DESKTOP if staff else PHONE
    page = eyes.opens(
        f"{stage.house.url}{EMPTY}", token=stage.token(who), viewport=viewport, has_touch=not staff
    )
    page.add_init_script(path=AXE)
    eyes.expects("status of 404")  # there is a page for that
    wrong = []
    for name in WALKS[who]:
        page.goto(f"{stage.house.url}{SCENES[name].path}")
        page.locator(SCENES[name].ready).first.wait_for()
        page.wait_for_function(SETTLED)
        found = page.evaluate(WIDE) + page.evaluate(SMALL, TOUCH)
        found += page.evaluate(TINY) if staff or name == "board" else []
        page.evaluate(THIN)
        wrong += [f"{name}: {one}" for one in (*found, *minded(page))]
    assert not wrong, "\n".join(wrong)


@pytest.mark.whole
@pytest.mark.parametrize("name", SCENES)
def test_a_page_on_every_screen(name: str, eyes: Eyes, stage: Stage) -> None:
    """Nothing sticks out, and on a phone everything can be touched; on the floor's screens where staff work too."""
    assert AXE.exists(), "axe-core is missing: npm install --prefix .venv/npm ./tests/browser"
    page = looked_at(eyes, stage, name, PHONE, has_touch=True)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    staff = SCENES[name].who in STAFF
    wrong = []
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(SETTLED)
        wrong += [f"{width}: {one}" for one in page.evaluate(WIDE)]
        if staff or name == "board":
            wrong += [f"{width}: {one}" for one in page.evaluate(TINY)]
        if width == PHONE["width"] or (staff and (width, height) in FLOOR):
            wrong += [f"{width}: {one}" for one in page.evaluate(SMALL, TOUCH)]
        usual = DESKTOP if staff else PHONE
        both = WHOLE and width in (PHONE["width"], DESKTOP["width"])
        if width == usual["width"] or both or (WHOLE and staff and (width, height) in FLOOR):
            wrong += minded(page)
    assert not wrong, "\n".join(wrong)


OPENED = {
    "odds": ("betting", "o", "shoe-odds:not([hidden]) h2"),
    "help": ("betting", "?", "bets-help:not([hidden]) h2"),
    "tools": ("betting", "f", "bet-tools:not([hidden]) h2"),
    "roads": ("betting", "g", "dialog[open] svg"),
    "statement": ("settled", "s", "round-statement:not([hidden]) table"),
}


@pytest.mark.whole
@pytest.mark.parametrize("opened", OPENED)
def test_no_serious_fault_for_axe_in_what_a_table_opens(opened: str, eyes: Eyes, stage: Stage) -> None:
    name, key, there = OPENED[opened]
    page = looked_at(eyes, stage, name, DESKTOP)
    page.keyboard.press(key)
    page.locator(there).first.wait_for()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    wrong = minded(page)
    assert not wrong, "\n".join(wrong)
