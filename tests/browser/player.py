"""Somebody at a table page: what they do with mouse or finger, and what they read."""

import re
from typing import Any, Self

from playwright.sync_api import Locator, Page, ViewportSize, expect

from browser.eyes import DESKTOP, Eyes
from browser.house import House, until

MINUS = "\N{MINUS SIGN}"
MOVES = (
    """async () => (await import(document.querySelector('script[type=module]').src)).modules.motion.busy()"""
)
BROUGHT = 1_000_000  # cents that a guest sits down with


def cents(text: str) -> int:
    """An amount as a page shows it: `10,000`, `+12.50`, or less than nothing."""
    found = re.search(rf"([+{MINUS}]?)([\d,]+)(?:\.(\d\d))?", text)
    assert found, f"no amount in {text!r}"
    sign, whole, part = found.groups()
    amount = int(whole.replace(",", "")) * 100 + int(part or 0)
    return -amount if sign == MINUS else amount


def moves(page: Page) -> bool:
    """Whether anything moves at a table."""
    return bool(page.evaluate(MOVES))


def best_seat(positions: int, seats: dict[int, str]) -> int | None:
    """As `best-seat.js` has it: near the middle, rather beside people; none if all are taken."""

    def far(box: int) -> float:
        return abs(box - (positions + 1) / 2) - (1.25 if {box - 1, box + 1} & seats.keys() else 0)

    free = [box for box in range(1, positions + 1) if box not in seats]
    return min(free, key=far, default=None)


class Player:
    """A guest with a seat."""

    def __init__(self, page: Page, house: House, table: str) -> None:
        self.page, self.house, self.table = page, house, table

    @classmethod
    def sits(
        cls,
        eyes: Eyes,
        house: House,
        table: str,
        *,
        viewport: ViewportSize = DESKTOP,
        **context: Any,  # noqa: ANN401
    ) -> Self:
        """Where the lobby would seat a guest, without its page; bets are open."""
        guest = house.as_(house.hall.people.guest()[1])
        state = house.live(table).table
        box = best_seat(state.setup.positions, state.seats)
        sat = guest.post(f"/api/tables/{table}/sit-down", {"box": box, "usual": True})
        assert sat.status_code == 200, sat.text
        page = eyes.opens(f"{house.url}/tables/{table}", token=guest.token, viewport=viewport, **context)
        return cls._at(page, house, table)

    @classmethod
    def from_lobby(
        cls,
        eyes: Eyes,
        house: House,
        table: str,
        *,
        viewport: ViewportSize = DESKTOP,
        **context: Any,  # noqa: ANN401
    ) -> Self:
        """Into the lobby, one click, and bets are open."""
        page = eyes.opens(f"{house.url}/", viewport=viewport, **context)
        page.locator(f'[data-sit="{table}"]').click()
        page.wait_for_url(f"**/tables/{table}")
        return cls._at(page, house, table)

    @classmethod
    def _at(cls, page: Page, house: House, table: str) -> Self:
        made = cls(page, house, table)
        expect(made.spot("player")).to_have_attribute("aria-disabled", "false")
        return made

    @property
    def name(self) -> str:
        name = self.page.locator("#table").get_attribute("data-who")
        assert name
        return name

    def spot(self, bet: str) -> Locator:
        """One's own spot, on the arc or in the phone's grid."""
        return self.page.locator(f'.shown :is(.own .spot, .pspot)[data-bet="{bet}"]')

    def takes_chip(self, dollars: int) -> None:
        self.page.locator(f'.chipbtn[data-cents="{dollars * 100}"]').click()

    def bets(self, bet: str, dollars: int) -> None:
        """One chip of that much on a spot, accepted."""
        self.takes_chip(dollars)
        before = self.staked()
        self.clicks(bet)
        expect(self.page.locator("table-purse .stake b")).to_have_text(f"{(before + dollars * 100) // 100:,}")

    def clicks(self, bet: str) -> None:
        """Where the spot itself is: the middle of a drawing's corners may lie outside the arc."""
        spot = self.spot(bet)
        outline = spot.locator("path").first
        (outline if outline.count() else spot).click()

    def staked(self) -> int:
        return cents(self.page.locator("table-purse .stake b").inner_text())

    def rack(self) -> int:
        """The money that the screen says is one's own, once winnings are counted into it."""
        until(lambda: not moves(self.page))
        return cents(self.page.locator("table-purse .rack b").inner_text())

    def came_to(self) -> int:
        """What the settled round brought, once it is shown."""
        return cents(self.page.locator("round-net:visible b").inner_text())

    def statement(self) -> Locator:
        """Of the round that has just been settled, opened by its button."""
        self.page.locator("round-net button:visible").click()
        shown = self.page.locator("round-statement")
        expect(shown).to_be_visible()
        return shown

    def ledger(self) -> int:
        """The same money as the store's postings and the statement of the API have it."""
        stated = self.page.request.get(
            f"{self.house.url}/api/tables/{self.table}/statements/{self.name}"
        ).json()
        stored = self.house.rack(self.table, self.name)
        assert stated["balance"] == stored
        return stored

    def insures(self) -> int:
        """Take the insurance on offer, at the amount that is set; what it is."""
        button = self.page.locator("insurance-prompt [data-act=insure]")
        amount = cents(button.inner_text())
        assert self.page.locator("insurance-prompt .cite").count() > 0
        button.click()
        expect(button).to_be_hidden()
        return amount
