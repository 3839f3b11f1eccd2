"""Whole rounds of every game at the desk: card by card by keyboard, and by a scanner that types ahead."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from browser.eyes import Eyes
from browser.floor import Floor, plays_on
from browser.house import House, table, until
from table.tables import BANK, EVERY, set_up
from thirdcard.play.settlement import Game
from thirdcard.rulebook import load
from thirdcard.table import commands

pytestmark = pytest.mark.browser

BETS = (("ann", 1, "player", 100_00), ("bob", 2, "banker", 100_00), ("cat", 2, "tie", 20_00))
NATURAL = ("9C", "4H", "KD", "2S")  # Player 9, Banker 6: no third card, no insurance


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with House(tmp_path_factory.mktemp("games") / "house.db", table("salon"), absent_rounds=0) as made:
        yield Floor(made)


def seated(floor: Floor, name: str, slug: str) -> None:
    """Bets are open, and three people have bet."""
    floor.opens(name, set_up(slug, staff={}))
    for player, box in (("ann", 1), ("bob", 2), ("cat", 0)):
        floor.asks(name, commands.Join(by=player))
        floor.asks(name, commands.BuyIn(by=player, cents=BANK))
        if box:
            floor.asks(name, commands.Sit(by=player, box=box))
    for dealt in (commands.NewShoe(by="dee"), commands.Open(by="dee")):
        floor.asks(name, dealt)
    for player, box, bet, cents in BETS:
        floor.asks(name, commands.Place(by=player, box=box, bet=bet, cents=cents))


def won(floor: Floor, name: str) -> dict[str, int]:
    state = floor.state(name)
    return {player: state.rack(player) - BANK for player, *_ in BETS}


@pytest.mark.gate("rws-commission")
@pytest.mark.parametrize("slug", EVERY)
def test_a_round_by_keyboard(slug: str, floor: Floor, eyes: Eyes) -> None:
    """From the bets to the last payout; everybody has what the cards alone come to."""
    name = f"keys-{slug}"[-40:]
    seated(floor, name, slug)
    desk = eyes.opens(f"{floor.house.url}/dealer/{name}", token=floor.tokens["dee"])
    plays_on(desk, eyes, floor, name)
    current = floor.state(name).round
    assert current is not None
    game = Game(load(slug), "A")
    assert won(floor, name) == {
        player: game.settle(current.seen, {bet: cents}).net for player, _, bet, cents in BETS
    }
    expect(desk.locator("#main-button")).to_contain_text("Open bets")


@pytest.mark.whole
@pytest.mark.parametrize("slug", EVERY)
def test_a_scanner_that_types_ahead(slug: str, floor: Floor, eyes: Eyes) -> None:
    """It scans four cards and two more that nobody draws: these are held back, and the round is what it was."""
    name = f"scan-{slug}"[-40:]
    seated(floor, name, slug)
    desk = eyes.opens(f"{floor.house.url}/dealer/{name}", token=floor.tokens["dee"])
    main = desk.locator("#main-button")
    expect(main).to_have_attribute("aria-keyshortcuts", "Enter")
    desk.keyboard.press("Enter")
    expect(desk.locator("#keypad [data-key='9']")).to_be_enabled()
    for card in (*NATURAL, "5H", "8D"):
        desk.keyboard.type(card.lower())
        desk.keyboard.press("Enter")
    until(lambda: len(floor.state(name).round.drawn) == len(NATURAL))  # type: ignore[union-attr]
    expect(main).to_contain_text("Settle")
    plays_on(desk, eyes, floor, name)
    assert won(floor, name) == {"ann": 100_00, "bob": -100_00, "cat": -20_00}
