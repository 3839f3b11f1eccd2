"""Make the pictures of every page anew (`make pictures`), with the house that the browser's tests look at.

One round is played before the camera: bets, insurance, result. Needs Chromium and what the tests need. With
names of pages, `docs/screens.py lobby odds`, all are taken, and only these are kept.
"""

import base64
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

import msgspec  # noqa: E402
import numpy as np  # noqa: E402
from palette import Pixels, packed  # noqa: E402
from playwright.sync_api import Page, ViewportSize, expect, sync_playwright  # noqa: E402

from browser.contexts import Contexts  # noqa: E402
from browser.eyes import DESKTOP, PHONE, Eyes, launched  # noqa: E402
from browser.house import House  # noqa: E402
from browser.past import played  # noqa: E402
from browser.scenes import CARDS, RESULTS, Company  # noqa: E402
from thirdcard.service.log.floor_events import Pace  # noqa: E402
from thirdcard.service.tables.hall import FIRST_TABLES  # noqa: E402

FOLDER = HERE / "pictures"
BOARD = ViewportSize(width=1920, height=1080)
TABLE = "tiger-buffalo"
PACE = Pace(card=20, shuffle=1)
LIMIT = 250_000  # bytes
SIDE = {
    "pit": ("/pit/salon", "pit-manager", "#decide form"),
    "odds": ("/odds?seen=9C+9D+KH", "", "main svg"),
    "rules": ("/rules/rws-tiger-buffalo-commission-v2", "", "main h2"),
    "lobby": ("/", "", ".tcard"),
}
READ = """async (png) => {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const paper = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  paper.drawImage(picture, 0, 0);
  const { data } = paper.getImageData(0, 0, picture.width, picture.height);
  let text = "";
  for (let at = 0; at < data.length; at += 9999) text += String.fromCharCode(...data.subarray(at, at + 9999));
  return [picture.width, picture.height, btoa(text)];
}"""


class Camera:
    def __init__(self, eyes: Eyes, company: Company) -> None:
        self.eyes, self.company = eyes, company
        self.taken: dict[str, bytes] = {}

    def page(self, path: str, who: str = "", viewport: ViewportSize = DESKTOP, **context: Any) -> Page:  # noqa: ANN401
        return self.eyes.opens(
            f"{self.company.house.url}{path}", token=self.company.token(who), viewport=viewport, **context
        )

    def takes(self, page: Page, name: str) -> None:
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(500)  # cards and panels come to rest
        self.taken[name] = page.screenshot()

    def develops(self, names: tuple[str, ...]) -> None:
        """All of them, or those that are asked for: to make a picture small takes longer than to take it."""
        for name, png in self.taken.items():
            if names and name not in names:
                continue
            picture = packed(self.pixels(png))
            if len(picture) > LIMIT:
                raise SystemExit(f"{name}.png has {len(picture)} bytes")
            (FOLDER / f"{name}.png").write_bytes(picture)
            sys.stdout.write(f"{name}.png {len(picture) // 1000} kB\n")

    def pixels(self, png: bytes) -> Pixels:
        """The browser reads its own picture."""
        width, height, data = self.eyes.contexts.browser.new_page().evaluate(
            READ, base64.b64encode(png).decode()
        )
        return np.frombuffer(base64.b64decode(data), np.uint8).reshape(height, width, 4)[:, :, :3]


def round_before_the_camera(camera: Camera) -> None:
    company = camera.company
    at = f"/tables/{TABLE}"
    company.sit(TABLE)
    wide, phone = camera.page(at, "Wei"), camera.page(at, "Wei", PHONE, device_scale_factor=2, is_mobile=True)
    chinese, board = camera.page(f"{at}?lang=zh", "Wei"), camera.page(f"{at}/board", viewport=BOARD)
    company.house.ends("result", TABLE)
    for page in (wide, phone, chinese):
        expect(page.locator('.shown [data-bet="player"][aria-disabled="false"]').first).to_be_visible()
    company.bet(TABLE)
    camera.takes(wide, "table-betting")
    camera.takes(phone, "phone-betting")
    camera.takes(chinese, "table-zh")
    company.house.ends("betting", TABLE)
    expect(wide.locator("insurance-prompt .what")).to_be_visible()
    camera.takes(wide, "table-insurance")
    camera.takes(phone, "phone-insurance")
    camera.takes(board, "board")
    company.insure(TABLE)
    expect(wide.locator("round-net:visible")).to_be_visible()
    camera.takes(wide, "table-result")
    camera.takes(phone, "phone-result")


def staff_before_the_camera(camera: Camera) -> None:
    company = camera.company
    company.deal()
    for name in ("Wei", "Anwar"):
        company.does(name, "decline", "salon")
    dealer = camera.page("/dealer/salon", "dealer")
    expect(dealer.locator("#main-button")).to_contain_text("Insurance closed")
    dealer.keyboard.press("Enter")
    expect(dealer.locator("#main-button")).to_contain_text("Enter the card")
    dealer.keyboard.type("4d")
    expect(dealer.locator("#main-button")).to_contain_text("Confirm")
    camera.takes(dealer, "dealer")
    company.hold_up()
    replay = camera.page(f"/audit/{TABLE}/rounds/28", "auditor")
    expect(replay.locator("#where")).to_contain_text("step 1 of")
    camera.takes(replay, "audit")


def main(*names: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    tables = tuple(msgspec.structs.replace(one, pace=PACE) for one in FIRST_TABLES)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "house.db"
        played(path, tables, RESULTS, CARDS)
        with House(path) as house:
            eyes = Eyes(Contexts(launched(playwright)))
            camera = Camera(eyes, Company(house))
            round_before_the_camera(camera)
            staff_before_the_camera(camera)
            for name, (address, who, ready) in SIDE.items():
                page = camera.page(address, who)
                page.locator(ready).first.wait_for()
                camera.takes(page, name)
            eyes.close()
            camera.develops(names)
    if eyes.wrong:
        raise SystemExit("\n".join(eyes.wrong))


main(*sys.argv[1:])
