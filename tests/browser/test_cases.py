"""Every irregularity of every document, from the dealer's report at the desk to the last payout.

The dealer fills in the form, the lowest rank that may decides it on its own page, players choose by their own
buttons, and the round is dealt and paid by keyboard. What was shown in dollars before is what everybody has after.
`make cases` goes through all of them; one case of each kind is always looked at.
"""

import os
from collections.abc import Iterator
from functools import partial
from typing import Any
from unittest import mock

import msgspec
import pytest
from playwright.sync_api import Locator, Page, expect

from browser.eyes import Eyes
from browser.floor import ROLES, Floor, plays_on
from browser.house import House, table, until
from irregularities import every_case
from irregularities.every_case import EVERY_CASE, REPORTED
from irregularities.situations import Scene
from thirdcard.table import State, commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent
from thirdcard.table.rights.choosing import to_choose
from thirdcard.table.samples import spare_cards

pytestmark = [pytest.mark.browser, pytest.mark.whole]  # the gate has one by `make cases SMALLEST=1`

AT_THE_DESK = {"reason", "names"}
FILLED = {"reason", "stakes", "amounts", "names", "substitutes", "order", "intended"}
ALWAYS = [
    ("rws-tiger-buffalo-commission-v2", "drawn-together"),
    ("rws-tiger-buffalo-commission-v2", "neglected-insurance"),
    ("rws-commission-insurance-v5", "late-bet"),
    ("mbs-tiger-v2", "over-differential"),
    ("mbs-tiger-v2", "left-with-cards"),
]
CASES = EVERY_CASE if os.environ.get("THIRDCARD_CASES") else [one for one in EVERY_CASE if one in ALWAYS]


class Recorded(Scene):
    """A scene that remembers what was asked for, so that it can be played again at a live table."""

    def __init__(self, *given: Any, **changed: Any) -> None:  # noqa: ANN401
        self.given: list[AnyCommand] = []
        super().__init__(*given, **changed)

    def do(self, *asked: AnyCommand) -> tuple[AnyEvent, ...]:
        self.given += asked
        return super().do(*asked)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with House(tmp_path_factory.mktemp("cases") / "house.db", table("salon"), absent_rounds=0) as made:
        yield Floor(made)


def plays(floor: Floor, slug: str, case: str) -> tuple[str, commands.Report]:
    """A staffed table where that has just happened, and what is to be reported of it."""
    with mock.patch.object(every_case, "Scene", Recorded):
        scene = REPORTED[case](slug)
    assert isinstance(scene, Recorded)
    *before, report = scene.given
    assert isinstance(report, commands.Report)
    name = f"{slug}-{case}"[-40:].strip("-")
    floor.opens(name, msgspec.structs.replace(scene.state.setup, staff={}))
    for command in before:
        floor.asks(name, command)
    return name, report


# The dealer reports -------------------------------------------------------------------------------------


def reports(desk: Page, report: commands.Report, lying: int) -> None:
    """Press R, choose the case, fill in what it asks for."""
    expect(desk.locator("#low")).to_contain_text("Report")
    desk.keyboard.press("r")
    form = desk.locator("form.report")
    form.locator("[name=case]").select_option(report.case)
    if report.drawn:
        form.locator("[name=drawn]").fill(" ".join(one.value if one else "??" for one in report.drawn))
    for name, places in (("cards", report.cards), ("shown", report.shown)):
        for place in places:
            if place <= lying:
                form.locator(f"[name={name}][value='{place}']").check()
    for player in report.players:
        form.locator(f"[name=players][value='{player}']").check()
    for name in ("order_known", "values_known", "box", "window", "displayed"):
        value = getattr(report, name)
        if (value is not None and value not in (0, "")) or value is False:
            form.locator(f"[name={name}]").select_option(str(value).lower())
    if report.round is not None:
        form.locator("[name=round]").fill(str(report.round))
    form.locator("[name=note]").fill(f"This is how it was: {report.case}")
    form.locator("[type=submit]").click()


# It is decided ------------------------------------------------------------------------------------------


def who_decides(floor: Floor, name: str) -> tuple[str, dict[str, Any]]:
    """The lowest rank that may take one of the decisions, and that decision."""
    for who in ROLES:
        (case, *_) = floor.desk(name, who)["cases"]
        said = AT_THE_DESK if who == "dee" else FILLED
        offered = [one for one in case["decisions"] if one["power"]["may"] and set(one["asks"]) <= said]
        for one in sorted(offered, key=lambda one: (one["override"], len(one["asks"]))):
            return who, one
    raise AssertionError("nobody may decide this case")


def names_the_cards(form: Locator, state: State) -> None:
    """What lies at the places that the decision asks about."""
    for number, one in enumerate(form.locator("[name=lies]").all()):
        one.fill(spare_cards(state)[40 * number + 3].value)


def at_the_desk(desk: Page, floor: Floor, name: str, decision: dict[str, Any]) -> None:
    """A dealer's own decision."""
    (case, *_) = floor.desk(name, "dee")["cases"]
    mine = [one for one in case["decisions"] if one["power"]["may"] and set(one["asks"]) <= AT_THE_DESK]
    place = [one["key"] for one in mine].index(decision["key"])
    if "reason" in decision["asks"]:
        desk.locator("#rail [name=reason]").last.fill("Seen by the dealer.")
    names_the_cards(desk.locator("#rail"), floor.state(name))
    desk.locator("#rail article.decision").nth(place).get_by_role("button").click()


def at_the_pit(eyes: Eyes, floor: Floor, name: str, who: str, decision: dict[str, Any]) -> None:
    pit = eyes.opens(f"{floor.house.url}/pit/{name}", token=floor.tokens[who])
    decide = pit.locator("#decide")
    expect(pit.locator("#wrote")).to_contain_text("This is how it was")
    choice = decide.locator(f"[name=decision][value='{decision['key']}']")
    expect(choice).to_have_count(1)
    if decision["override"]:
        decide.locator("details.more > summary").click()
    choice.check(force=True)
    asks = set(decision["asks"])
    if "stakes" in asks:
        decide.locator("[name=stakes]").first.check()
        if "amounts" in asks:
            decide.locator("[name=amount]").first.fill("10")
    if "intended" in asks:
        decide.locator("[name=intended]").first.check()
    if "order" in asks:
        decide.locator("[name=numbers]").fill("1 2")
    names_the_cards(decide, floor.state(name))
    decide.locator("[name=reason]").fill("Seen on video.")
    rule = decide.locator(".huge")
    expect(rule).to_be_enabled()
    rule.click()
    expect(rule).to_contain_text("Press again")
    rule.click()


def is_ruled(floor: Floor, name: str) -> bool:
    current = floor.state(name).round
    return current is None or current.pending is None or current.pending.inputs is not None


def players_choose(desk: Page, floor: Floor, name: str) -> None:
    """Everybody who may choose goes on, by a button of their own."""
    state = floor.state(name)
    for player in to_choose(state, state.round) if state.round else ():
        row = desk.locator("#rail tr", has_text=player).first
        row.locator("[data-theirs]").first.click()
        until(partial(_chose, floor, name, player))


def _chose(floor: Floor, name: str, player: str) -> bool:
    state = floor.state(name)
    return state.round is None or player not in to_choose(state, state.round)


# Money --------------------------------------------------------------------------------------------------


def worth(state: State, player: str) -> int:
    """What somebody has in chips, those on the layout included."""
    current = state.round
    mine = [*current.stakes.values(), *current.late.values()] if current and _lie(state) else []
    bought = current.purchases if current and _lie(state) else ()
    lying = sum(one.cents for one in mine if one.player == player)
    insured = sum(one.cents for one in bought if one.player == player)
    return state.rack(player) - state.debt(player) + lying + insured


def _lie(state: State) -> bool:
    return state.phase not in ("settled", "void")


def came_with(state: State) -> dict[str, int]:
    """What everybody had before the round."""
    settled = state.round.settlement if state.round else None
    nets = settled.nets if settled else {}
    return {player: worth(state, player) - nets.get(player, 0) for player in state.players}


def expected(decision: dict[str, Any]) -> dict[str, int | None]:
    """What was shown for everybody who goes on: None where cards were still to come."""
    found: dict[str, int | None] = {}
    for one in decision["results"]:
        before = found.get(one["player"], 0)
        found[one["player"]] = None if one["net"] is None or before is None else before + one["net"]
    return found


@pytest.mark.parametrize(("slug", "case"), CASES)
def test_a_case_from_the_report_to_the_last_payout(slug: str, case: str, floor: Floor, eyes: Eyes) -> None:
    name, report = plays(floor, slug, case)
    current, before = floor.state(name).round, came_with(floor.state(name))
    desk = eyes.opens(f"{floor.house.url}/dealer/{name}", token=floor.tokens["dee"])
    reports(desk, report, len(current.drawn) if current else 0)
    until(lambda: _held_up_by(floor, name) == case)
    who, decision = who_decides(floor, name)
    if who == "dee":
        at_the_desk(desk, floor, name, decision)
    else:
        at_the_pit(eyes, floor, name, who, decision)
    until(lambda: is_ruled(floor, name))
    players_choose(desk, floor, name)
    plays_on(desk, eyes, floor, name)
    shown = expected(decision)
    came = {player: worth(floor.state(name), player) - cents for player, cents in before.items()}
    if not FILLED & set(decision["asks"]) - {"reason"}:
        assert {who: came[who] for who, net in shown.items() if net is not None} == {
            who: net for who, net in shown.items() if net is not None
        }
    settlement = floor.state(name).round.settlement  # type: ignore[union-attr]
    if settlement is not None and not _settled_early(floor, name):
        assert {who: cents for who, cents in came.items() if cents} == {
            who: cents for who, cents in settlement.nets.items() if cents
        }
    assert not any(cents for box, cents in floor.state(name).balances.items() if box.startswith("box:"))
    floor.as_("sue").post(f"/api/tables/{name}/dealer", method="DELETE")


def _held_up_by(floor: Floor, name: str) -> str:
    current = floor.state(name).round
    return current.pending.case if current is not None and current.pending is not None else ""


def _settled_early(floor: Floor, name: str) -> bool:
    """Bets that were won or lost for certain were paid before the settlement."""
    records = floor.house.hall.engine.store.read(name)
    return any(one.name == "decided-settled" for one in records)
