"""Every one of the 63 layouts as a table page shows it, from every one of its boxes."""

import pytest

from browser.eyes import Eyes
from browser.house import House
from thirdcard.rulebook import load, slugs

pytestmark = pytest.mark.browser

# Lays each felt onto the page and asks what a click at each chip slot of each own spot would meet.
CLICKS = """async (addresses) => {
  const felt = document.querySelector("table-felt");
  const missed = [];
  let spots = 0;
  for (const address of addresses) {
    const answer = await fetch(address);
    if (!answer.ok) { missed.push(`${address}: ${answer.status}`); continue; }
    felt.innerHTML = await answer.text();
    const svg = felt.querySelector("svg");
    const own = [...felt.querySelectorAll(".own .spot")];
    if (!own.length) missed.push(`${address}: no spots`);
    for (const spot of own) {
      spots += 1;
      for (const slot of spot.dataset.slots.split(" ")) {
        const [x, y] = slot.split(",").map(Number);
        const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
        const met = document.elementFromPoint(at.x, at.y);
        if (met?.closest(".spot") !== spot) {
          missed.push(`${address} ${spot.dataset.bet} at ${at.x.toFixed()},${at.y.toFixed()}: ${met?.outerHTML.slice(0, 90)}`);
        }
      }
    }
  }
  return { missed, spots };
}"""


def felts(slug: str) -> list[str]:
    return [
        f"/felt/{slug}/{letter}/{count}/{own}.svg"
        for letter, layout in load(slug).layouts.items()
        for count in sorted(set(layout.positions))
        for own in range(1, count + 1)
    ]


def test_there_are_63_layouts() -> None:
    assert sum(len(load(slug).layouts) for slug in slugs()) == 63


@pytest.mark.whole
@pytest.mark.parametrize("slug", slugs())
def test_own_spots_can_be_clicked(slug: str, eyes: Eyes, house: House) -> None:
    page = eyes.opens(f"{house.url}/tables/tiger-buffalo")
    page.locator("table-felt svg").wait_for()
    found = page.wait_for_function(CLICKS, arg=felts(slug)).json_value()  # unlike evaluate, it ends in time
    assert not found["missed"], "\n".join(found["missed"])
    assert found["spots"] >= 5 * len(felts(slug))
