"""A guest plays a whole round of each game, and the screen says what the ledger says."""

from typing import NamedTuple

import pytest
from playwright.sync_api import ViewportSize

from browser.eyes import DESKTOP, PHONE, Eyes
from browser.house import Opens, table
from browser.player import BROUGHT, Player, cents

pytestmark = [pytest.mark.browser, pytest.mark.gate("commission-insurance", "tiger-buffalo-390")]

BANKER_BY_ONE = "6C 3D KH AS 3C"  # Player 6, Banker 4; Banker draws and has 7
BANKER_ON_SIX = "KC 2D 5H AS KD 3C"  # Player 5 and 5; Banker 3 and 6


class Case(NamedTuple):
    """Dollars on each bet, and by hand what they come to without insurance; insurance pays so much to one."""

    table: str
    cards: str
    bets: dict[str, int]
    net: int
    insurance: float = 0
    viewport: ViewportSize = DESKTOP


PLUS = Case("tiger-buffalo", BANKER_BY_ONE, {"player": 100, "banker-char-siu": 10}, -100 + 150, insurance=2.5)
CASES = (
    PLUS,
    PLUS._replace(viewport=PHONE),
    Case("commission-insurance", BANKER_BY_ONE, {"player": 100, "tie": 10}, -110, insurance=3),
    Case("tiger-buffalo-3", BANKER_BY_ONE, {"banker": 100, "banker-char-siu": 10, "tie": 10}, 100 + 150 - 10),
    Case("tiger-buffalo-4", BANKER_ON_SIX, {"banker": 100, "big-tiger": 10, "tie": 10}, 50 + 500 - 10),
    Case("tiger", BANKER_ON_SIX, {"banker": 100, "tiger": 10, "tiger-tie": 10}, 95 + 200 - 10),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.table}-{case.viewport['width']}")
def test_guest_plays_a_round(case: Case, eyes: Eyes, opens: Opens) -> None:
    house = opens(table(case.table), cards=case.cards)
    player = Player.from_lobby(eyes, house, case.table, viewport=case.viewport)
    assert player.rack() == player.ledger() == BROUGHT
    for bet, dollars in case.bets.items():
        player.bets(bet, dollars)
    assert player.rack() == player.ledger() == BROUGHT - 100 * sum(case.bets.values())
    if case.insurance:  # what lies open then gives way to the offer
        player.page.keyboard.press("o")
        player.page.locator("shoe-odds h2").wait_for()
        player.page.locator(".pocket").click()
    house.ends("betting", case.table)
    insured = player.insures() if case.insurance else 0
    statement = player.statement()
    net = 100 * case.net + int(insured * case.insurance)
    assert player.came_to() == net
    assert player.rack() == player.ledger() == BROUGHT + net
    assert cents(statement.locator(".total .net").inner_text()) == net
    assert statement.locator("tbody tr:not(.total)").count() == len(case.bets) + bool(insured)
    for line in statement.locator("tbody tr:not(.total)").all():
        assert line.locator(".cite").count() > 0
