"""The floor at work: staff of every rank and four players, and a desk that is driven by keyboard alone."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from browser.eyes import Eyes
from browser.house import House, until
from service.api.serving import Asking
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import plans
from thirdcard.service.tables.hall import NewTable
from thirdcard.table import Setup, State, commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.samples import spare_cards

ROLES = {"dee": "dealer", "sue": "pit-supervisor", "pam": "pit-manager", "sam": "shift-manager"}
PLAYERS = ("ann", "bob", "cat", "dan")
NEXT_ROUND = "Open bets"
DUE = re.compile("(Enter|Name) the card")
WAITS = "…"  # what the button says while it does something


class Floor:
    """A house with the staff of every rank and four players."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.tokens = {name: house.account(name, role) for name, role in ROLES.items()}
        self.tokens |= {name: house.account(name, "player") for name in PLAYERS}

    def person(self, name: str) -> Person:
        return Person(name=name, role=ROLES.get(name, "player"))

    def asks(self, table: str, command: AnyCommand) -> None:
        person = self.person(command.by)
        answer = self.house.do(self.house.hall.ask(table, plans.by_person(person, command), person))
        assert answer.refusal is None, f"{command}: {answer.refusal}"

    def opens(self, name: str, setup: Setup) -> None:
        """A staffed table."""
        made = NewTable(id=name, title="Table 1", dealer="staff", setup=setup)
        self.house.do(self.house.hall.create(made, by="pam"))

    def state(self, name: str) -> State:
        return self.house.live(name).table

    def desk(self, name: str, who: str) -> dict[str, Any]:
        found: dict[str, Any] = self.as_(who).get(f"/api/tables/{name}/desk").json()
        return found

    def as_(self, who: str) -> Asking:
        return Asking(self.house, self.tokens[who])


# The round goes on --------------------------------------------------------------------------------------


def is_over(floor: Floor, name: str) -> bool:
    """Settled and paid, or void."""
    live = floor.house.live(name)
    paid = live.table.phase == "settled" and live.paying is not None and live.paying.done
    return live.table.phase == "void" or paid


def pit_removes(eyes: Eyes, floor: Floor, name: str) -> None:
    """Where the whole table's differential is exceeded a manager says whose chips come off."""
    pit = eyes.opens(f"{floor.house.url}/pit/{name}", token=floor.tokens["pam"])
    pit.locator("#flagged .btn").first.click()


def plays_on(desk: Page, eyes: Eyes, floor: Floor, name: str) -> None:
    """Whatever is required next, by keyboard, until the round is paid."""
    main = desk.locator("#main-button")
    for _ in range(60):
        if is_over(floor, name):
            return
        until(lambda: is_shown(desk, floor, name) and main.inner_text() != WAITS)
        seen = floor.desk(name, "dee")
        next_ = seen["next"]
        before, said = floor.house.live(name).version, main.inner_text().split("\n")[0]
        flags = seen["flags"] if seen["step"] in ("bets", "close") else ()
        if (
            said == "Waiting"
            and (turns := desk.locator(".ch").get_by_role("button", name="Dealer turns")).count()
        ):
            turns.first.click()
        elif next_["kind"] == "insurance":
            _presses(desk, main, "Shift+Enter" if next_["silent"] else "Enter")
        elif next_["kind"] in ("draw", "turn"):
            _names_a_card(desk, main, floor, name, len(next_["command"].get("cards", ())) or 1)
        elif floor.state(name).device in PLAYERS and next_["kind"] == "wait":
            state = floor.state(name)
            floor.asks(name, commands.Draw(by=state.device or "", card=spare_cards(state)[17]))
        elif any(flag["decides"] for flag in flags):
            pit_removes(eyes, floor, name)
        elif any(flag["kind"] == "under-minimum" for flag in flags):
            desk.locator("#rail [data-theirs]").first.click()
        else:
            _presses(desk, main, "Enter")
        until(lambda: _went_on(floor, name, before, main, said))  # noqa: B023
    raise AssertionError("the round does not end")


def is_shown(desk: Page, floor: Floor, name: str) -> bool:
    """Whether the desk shows the table as it is."""
    return desk.locator("#table").get_attribute("data-version") == str(floor.house.live(name).version)


def _presses(desk: Page, main: Locator, key: str) -> None:
    """Do what is required, unless that is the next round."""
    expect(main).to_have_attribute("aria-keyshortcuts", key)
    if NEXT_ROUND not in main.inner_text():
        desk.keyboard.press(key)


def _names_a_card(desk: Page, main: Locator, floor: Floor, name: str, number: int) -> None:
    for place in range(number):
        expect(main).to_contain_text(DUE)
        card = spare_cards(floor.state(name))[17 * (place + 1)].value
        desk.keyboard.type(card.lower())
        _presses(desk, main, "Enter")


def _went_on(floor: Floor, name: str, before: int, main: Locator, said: str) -> bool:
    """It is on record, or a step that is not was done; while the desk waits for an answer neither is known."""
    return floor.house.live(name).version > before or main.inner_text().split("\n")[0] not in (said, WAITS)
