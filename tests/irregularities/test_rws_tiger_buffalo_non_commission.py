"""Irregularities of the non-commission documents where their numbers are their own."""

import pytest

from irregularities import checks
from irregularities.situations import PLAYER_WINS, STAGES, Scene, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import IrregularityRuled

SLUGS = ("rws-tiger-buffalo-non-commission-v3", "rws-tiger-buffalo-non-commission-v4")
pytestmark = pytest.mark.parametrize("slug", SLUGS)


def test_5_3_a_bet_is_settled_when_its_player_has_left(slug: str) -> None:
    table = Scene(slug)
    table.bets()
    table.close()
    table.report("walks-away", players=("ann",))
    events = table.rule("dee")
    ruled = only(events, IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("settle",), ("5.3",))
    assert "InsuranceForgone" not in kinds(events)
    table.deal(PLAYER_WINS)
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -100_00)


def test_5_14_chips_count_where_they_lie(slug: str) -> None:
    checks.chips_count_where_they_lie(slug)


def test_5_15_the_outcome_at_the_table_prevails(slug: str) -> None:
    checks.display_is_corrected(slug)


@pytest.mark.parametrize("stage", STAGES)
def test_5_16_a_void_round_returns_every_bet(slug: str, stage: str) -> None:
    table = Scene(slug)
    table.reach(stage)
    table.do(commands.Void(by="sam", reason="a fire"))
    table.everything_is_back()


def test_5_17_staff_place_bets_for_players(slug: str) -> None:
    checks.bets_by_staff_are_the_players(slug)


def test_5_18_the_shift_manager_decides_what_is_not_covered(slug: str) -> None:
    checks.uncovered_goes_to_the_shift_manager(slug)
    checks.uncovered_may_go_on(slug)


def test_no_neglected_insurance_without_insurance(slug: str) -> None:
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    refusal = table.refused(table.reporting("neglected-insurance"))
    assert refusal.code == "unknown-case"
