"""What the log knows: a report against it is refused, and no detail or input is taken and then ignored."""

from collections.abc import Callable
from typing import Any

import pytest

from each import each
from irregularities.every_case import EVERY_CASE, procedure_of, reported
from irregularities.situations import FACE_DOWN, MBS, PLAYER_WINS, RWS, TO_COME, Scene, kinds, only
from thirdcard.rulebook import load, slugs
from thirdcard.table.events import RemedyDone, RemedyNeedless

# Conditions -----------------------------------------------------------------------------------------------


def bets_open(slug: str) -> Scene:
    table = Scene(slug)
    table.bets()
    return table


def closed(slug: str) -> Scene:
    table = bets_open(slug)
    table.close()
    return table


def late_in_box_1(slug: str) -> Scene:
    table = closed(slug)
    table.late("ann", "player", 50_00)
    return table


def lying(text: str, **changed: Any) -> Callable[[str], Scene]:  # noqa: ANN401
    def made(slug: str) -> Scene:
        table = Scene(slug, **changed)
        table.dealt(text)
        return table

    return made


def hidden(text: str) -> Callable[[str], Scene]:
    def made(slug: str) -> Scene:
        table = Scene(slug, **FACE_DOWN[slug])
        table.dealt(text)
        return table

    return made


def settled(slug: str) -> Scene:
    table = lying(PLAYER_WINS)(slug)
    table.settle()
    return table


def second_round(slug: str) -> Scene:
    table = settled(slug)
    table.dealt("2C 4H")
    return table


def half_turned(slug: str) -> Scene:
    """Two cards of four are turned, as they should be."""
    table = hidden(PLAYER_WINS)(slug)
    table.expose(1, 3)
    return table


Against = tuple[str, Callable[[str], Scene], dict[str, Any]]
AGAINST: list[Against] = [
    ("over-differential", bets_open, {}),
    ("over-differential", closed, {}),
    ("under-minimum", bets_open, {}),
    ("under-minimum", closed, {"players": ("ann",)}),
    ("over-maximum", closed, {}),
    ("walks-away", closed, {}),
    ("walks-away", closed, {"players": ("cat",)}),
    ("late-bet", bets_open, {}),
    ("late-bet", closed, {}),
    ("late-bet", late_in_box_1, {"box": 2}),
    ("late-bet", late_in_box_1, {"players": ("bob",)}),
    ("late-wager", bets_open, {}),
    ("late-wager", closed, {}),
    ("late-wager", late_in_box_1, {"box": 2}),
    ("withdrawn-wager", late_in_box_1, {}),
    ("withdrawn-wager", bets_open, {}),
    ("withdrawn-wager", closed, {}),
    ("too-few-cards", bets_open, {}),
    ("too-few-cards", lying("2C 4H 3D"), {}),
    ("too-few-cards", lying(PLAYER_WINS), {}),
    ("wrong-number-of-cards", lying(TO_COME), {}),
    ("wrong-number-of-cards", lying(TO_COME), {"drawn": "4D"}),
    ("excess-or-exposed-cards", lying(PLAYER_WINS), {}),
    ("excess-or-exposed-cards", lying("2C 4H"), {"shown": (1,)}),  # it lies face up by right
    ("excess-or-exposed-cards", half_turned, {"shown": (1,)}),
    ("wrong-area-or-person", closed, {}),
    ("wrong-area-or-person", hidden(PLAYER_WINS), {"players": ("bob",)}),
    ("wrong-order", closed, {}),
    ("wrong-person", hidden(PLAYER_WINS), {}),
    ("face-up-card", hidden("9C"), {}),
    ("face-up-card", half_turned, {"shown": (1,)}),
    ("not-wrong-delivery", half_turned, {"shown": (1,)}),
    ("face-up-in-device", closed, {}),
    ("drawn-together", lying("2C"), {"order_known": True}),
    ("drawn-together", lying("2C"), {"drawn": "4H", "order_known": True}),
    ("drawn-together", lying("2C"), {"cards": (1,), "order_known": True}),
    ("drawn-together", lying("2C 4H 3D"), {"cards": (1, 3), "order_known": True}),
    ("drawn-together", lying("2C 4H"), {"cards": (1,), "drawn": "3D", "order_known": True}),
    ("absent-handler", hidden(PLAYER_WINS), {"players": ("cat",)}),
    ("left-with-cards", hidden(PLAYER_WINS), {"values_known": False}),
    ("technical-interruption", settled, {}),
    ("noticed-later", closed, {}),
    ("noticed-later", second_round, {"round": 2}),  # that is this round, and its error gives options
    ("neglected-insurance", lying("2C 4H 3D"), {}),
    ("neglected-insurance", lying(PLAYER_WINS), {}),
    ("neglected-insurance", lying(TO_COME), {"window": 2}),
    ("display-error", settled, {"displayed": "player"}),
]


def documents_with(case: str) -> list[str]:
    return [slug for slug in slugs() if any(one.case == case for one in load(slug).procedures)]


@pytest.mark.slow
@each(
    ("slug", "case", "at", "details"),
    [(slug, case, at, details) for case, at, details in AGAINST for slug in documents_with(case)],
)
def test_where_the_log_knows_better_a_report_is_refused(
    slug: str, case: str, at: Callable[[str], Scene], details: dict[str, Any]
) -> None:
    table = at(slug)
    refused = table.refused(table.reporting(case, **details))
    assert (refused.code, refused.rules) == ("condition-not-met", procedure_of(slug, case).rules)
    assert not table.held_up


def test_5_9_a_reset_before_the_close_is_refused() -> None:
    table = Scene(MBS, device="reader")
    table.bets()
    table.refuses("condition-not-met", ("5.9",), table.reporting("device-reset"))


@pytest.mark.parametrize("slug", slugs())
def test_5_1_the_differential_is_nobodys_own(slug: str) -> None:
    """Who is cut follows from the document, not from who is named."""
    table = Scene(slug)
    table.bets(("ann", "player", 900_00))
    table.record("cat", "player", 900_00)
    refused = table.refused(table.reporting("over-differential", players=("ann",)))
    assert (refused.code, refused.rules) == ("input-not-used", procedure_of(slug, "over-differential").rules)


@pytest.mark.parametrize("slug", slugs())
def test_what_a_case_does_not_turn_on_is_not_taken(slug: str) -> None:
    table = lying("2C 4H")(slug)
    for case, details in (
        ("foreign-card", {"box": 1}),
        ("foreign-card", {"players": ("ann",)}),
        ("foreign-card", {"order_known": True}),
        ("foreign-card", {"values_known": False}),
        ("foreign-card", {"window": 1}),
        ("foreign-card", {"displayed": "tie"}),
    ):
        refused = table.refused(table.reporting(case, **details))
        assert (refused.code, refused.rules) == ("input-not-used", procedure_of(slug, case).rules)


@pytest.mark.parametrize("slug", slugs())
def test_what_a_display_shows_is_all_that_is_said_of_it(slug: str) -> None:
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    table.settle()
    for details in ({"players": ("ann",)}, {"box": 1}):
        refused = table.refused(table.reporting("display-error", displayed="tie", **details))
        assert (refused.code, refused.rules) == ("input-not-used", procedure_of(slug, "display-error").rules)


# Inputs ---------------------------------------------------------------------------------------------------

ANYTHING: dict[str, Any] = {
    "order": "1 2",
    "replace_cards": True,
    "action": "continue",
    "stakes": (("ann", 1, "player"),),
    "amounts": (10_00,),
    "intended": ("ann",),
    "names": {1: "2C"},
    "substitutes": {1: "2C"},
    "set_aside": (),
    "reconstructable": True,
}
# What a ruling may say, by what the documents leave to a person in that situation.
ASKED = {
    "wrong-number-of-cards": {"reconstructable"},
    "excess-or-exposed-cards": {"reconstructable", "order"},
    "wrong-area-or-person": {"reconstructable"},
    "other-dealing-error": {"reconstructable"},
    "order-altered": {"reconstructable"},
    "altered-moving-device": {"reconstructable"},
    "absent-handler": {"names"},
    "left-with-cards": {"substitutes"},
    "not-covered": {"action"},
}
ALSO = {("drawn-together", slug): {"replace_cards"} for slug in RWS}


@pytest.mark.slow
@each(("slug", "case"), EVERY_CASE)
def test_no_input_is_taken_that_no_remedy_asks_for(slug: str, case: str) -> None:
    table = reported(slug, case)
    asked = ASKED.get(case, set()) | ALSO.get((case, slug), set())
    for name, value in ANYTHING.items():
        if name in asked or not value:
            continue
        needed = {"action": "continue"} if case == "not-covered" and name != "action" else {}
        refused = table.refused(table.ruling("sam", reason="x", **{name: value}, **needed))
        assert refused.code in ("input-not-used", "condition-not-met"), name


@pytest.mark.parametrize("slug", RWS)
def test_an_order_of_cards_that_are_reconstructed_is_not_ignored(slug: str) -> None:
    """Reconstructed they stay in the order drawn; another order is for cards that cannot be."""
    table = lying(PLAYER_WINS)(slug)
    table.report("excess-or-exposed-cards", "5H 6H")
    assert table.refused(table.ruling("sue", "6H 5H")).code == "input-not-used"
    table.rule("sue", "6H 5H", reconstructable=False)
    assert table.waiting == ["6H", "5H"]


@pytest.mark.parametrize("slug", RWS)
def test_recorded_cards_are_no_part_of_an_excess(slug: str) -> None:
    """It is about cards that came out besides, or were seen."""
    table = lying(PLAYER_WINS)(slug)
    reporting = table.reporting("excess-or-exposed-cards", "5H 6H", cards=(1,))
    assert table.refused(reporting).code == "input-not-used"


@pytest.mark.parametrize("slug", RWS)
def test_a_remedy_that_changes_nothing_is_not_logged_as_done(slug: str) -> None:
    table = lying(TO_COME)(slug)
    table.report("other-dealing-error")
    events = table.rule("sue")
    assert only(events, RemedyNeedless).remedy == "reconstruct"
    assert "RemedyDone" not in kinds(events)
    table.goes_on("ann")
    assert only(table.goes_on("bob"), RemedyDone).remedy == "options"
