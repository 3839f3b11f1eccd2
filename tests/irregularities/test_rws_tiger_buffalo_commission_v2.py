"""Irregularities of the commission game with Insurance Plus where its numbers are its own."""

import pytest

from irregularities import checks
from irregularities.situations import PLAYER_WINS, STAGES, TO_COME, Scene, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import (
    InsuranceForgone,
    IrregularityRuled,
    LateInsuranceOpened,
    NeglectRecorded,
    SettlementReversed,
)
from thirdcard.table.setup import Limit

SLUGS = ("rws-tiger-buffalo-commission-v2",)
SLUG = SLUGS[0]


def test_5_3_who_walks_away_forgoes_insurance() -> None:
    table = Scene(SLUG)
    table.dealt(TO_COME)
    assert table.offers() == {"player": "3 to 2"}
    table.report("walks-away", players=("ann",))
    events = table.rule("dee")
    forgone = only(events, InsuranceForgone)
    assert (forgone.players, forgone.rules) == (("ann",), ("5.3",))
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 10_00))


def test_5_3_1_the_bet_is_settled() -> None:
    table = Scene(SLUG)
    table.bets()
    table.close()
    table.do(commands.Leave(by="ann"))
    table.report("walks-away", players=("ann",))
    ruled = only(table.rule("dee"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("settle",), ("5.3.1",))
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("ann") == 100_00


def test_5_13_3_insurance_goes_back_with_its_bet() -> None:
    checks.insurance_goes_back_with_its_bet(SLUG)


# Insurance that was not offered ---------------------------------------------------------------------------


def test_5_14__5_14_1_a_pit_manager_makes_the_offer_late() -> None:
    """Player 9 after three cards: 10 to 1, winnings up to the original 100, so 10."""
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.deal("4D")
    assert table.state.round is not None
    assert table.state.round.forgone == ("ann",)
    assert table.report("neglected-insurance", players=("ann",)).decided_by == ""
    for person in ("dee", "sue"):
        table.refuses("wrong-rank", ("5.14.1",), table.ruling(person))
        assert "Pit Manager" in table.refused(table.ruling(person)).sentence
    events = table.rule("pam")
    made = only(events, LateInsuranceOpened)
    assert ([(o.hand, o.odds) for o in made.offers], made.players) == ([("player", "10 to 1")], ("ann",))
    assert made.rules == ("5.14.1",)
    assert [offer.caps for offer in table.view("ann").offers] == [{1: 10_00}]
    table.refuses("over-the-cap", ("5.14.1",), table.insuring("ann", "player", 11_00))
    table.insure("ann", "player", 10_00)
    table.refuses("over-the-cap", ("5.14.1",), table.insuring("ann", "player", 1_00))
    assert table.refused(table.insuring("bob", "banker", 1_00)).code == "no-offer"
    table.deal("5S")  # Banker draws to 9 as well: the insurance is paid on this tie
    table.settle()
    assert (table.line("ann", "player-insurance").net, table.net("ann")) == (100_00, 100_00)


def test_5_14_1_the_late_offer_in_the_first_window() -> None:
    """Player 7 against Banker 3, both on two cards: 4 to 1, so 25 on 100."""
    table = Scene(SLUG)
    table.dealt("3C 2H 4D AS")
    table.report("neglected-insurance", players=("ann",))
    table.rule("pam")
    assert table.offers() == {"player": "4 to 1"}
    assert [offer.caps for offer in table.view("ann").offers] == [{1: 25_00}]


def test_5_14_1__3_12_2_the_ordinary_caps_still_apply() -> None:
    """At 10 to 1 a person stakes at most a quarter of the displayed maximum, here 25, over all boxes."""
    table = Scene(SLUG, limits={"*": Limit(10_00, 100_00)})
    table.do(commands.Sit(by="cat", box=3))
    table.open()
    for box in (1, 2, 3):
        table.place("ann", "player", 100_00, box=box)
    table.close()
    table.deal(f"{TO_COME} 4D")
    table.report("neglected-insurance", players=("ann",))
    table.rule("pam")
    assert [offer.caps for offer in table.view("ann").offers] == [{1: 10_00, 2: 10_00, 3: 10_00}]
    table.insure("ann", "player", 10_00, box=1)
    table.insure("ann", "player", 10_00, box=2)
    assert [offer.caps for offer in table.view("ann").offers] == [{1: 0, 2: 0, 3: 5_00}]
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 6_00, box=3))
    table.insure("ann", "player", 5_00, box=3)


def test_5_14_1_silence_after_a_late_offer_forgoes_it() -> None:
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.deal("4D")
    table.report("neglected-insurance", players=("ann",))
    table.rule("pam")
    table.deal("2S")
    assert table.state.round is not None
    assert table.state.round.forgone == ("ann",)
    assert table.state.round.window is None


@pytest.mark.parametrize("settled", [False, True])
def test_5_14_2_too_late_the_original_bet_goes_back(settled: bool) -> None:  # noqa: FBT001
    """Banker wins 9 over 7: Ann had meant to insure, Cat had not; Bob's bet is not touched."""
    table = Scene(SLUG)
    table.dealt(TO_COME, ("ann", "player", 100_00), ("cat", "player", 50_00), ("bob", "banker", 100_00))
    table.deal("2D 5S")
    if settled:
        table.settle()
        assert table.net("ann") == -100_00
    assert table.report("neglected-insurance", players=("ann", "cat")).decided_by == "player"
    table.refuses("wrong-rank", ("5.14.2",), table.ruling("sue", intended=("ann",)))
    assert table.refused(table.ruling("pam", intended=("nobody",))).code == "unknown-player"
    events = table.rule("pam", intended=("ann",))
    assert only(events, NeglectRecorded).by == "pam"
    assert ("SettlementReversed" in kinds(events)) == settled
    if not settled:
        table.settle()
    assert [table.net(player) for player in ("ann", "cat", "bob")] == [0, -50_00, 95_00]
    assert (table.line("ann", "player").result, table.line("cat", "player").result) == ("returned", "lose")


def test_5_14_2_only_where_the_insurance_would_have_won() -> None:
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.deal("4D 2S")
    table.report("neglected-insurance", players=("ann",))
    table.rule("pam", intended=("ann",))
    table.settle()
    assert (table.line("ann", "player").result, table.net("ann")) == ("win", 100_00)


def test_5_14_2_insurance_that_was_bought_stays_settled() -> None:
    """Cat was offered and bought: that insurance is paid, and her bet is lost."""
    table = Scene(SLUG)
    table.dealt(TO_COME, ("ann", "player", 100_00), ("cat", "player", 50_00))
    table.insure("cat", "player", 20_00)
    table.deal("2D 5S")
    table.report("neglected-insurance", players=("ann",))
    table.rule("pam", intended=("ann",))
    table.settle()
    assert table.line("cat", "player-insurance").net == 30_00
    assert (table.net("ann"), table.net("cat")) == (0, -20_00)


def test_5_14_2__4_2_2_not_at_a_table_without_insurance() -> None:
    table = Scene(SLUG, insurance=False)
    table.dealt(TO_COME)
    table.refuses(
        "insurance-not-offered-here", ("4.2.2",), table.reporting("neglected-insurance", players=("ann",))
    )


# Chips, display, void, staff, what is not covered ---------------------------------------------------------


def test_5_15_chips_count_where_they_lie() -> None:
    checks.chips_count_where_they_lie(SLUG)


def test_5_16_the_outcome_at_the_table_prevails() -> None:
    checks.display_is_corrected(SLUG)


@pytest.mark.parametrize("stage", STAGES)
def test_5_17_a_void_round_returns_every_bet_and_all_insurance(stage: str) -> None:
    table = Scene(SLUG)
    table.reach(stage)
    events = table.do(commands.Void(by="sam", reason="a fire"))
    assert [type(event) for event in events].count(SettlementReversed) == (stage == "settled")
    table.everything_is_back()


def test_5_18_staff_place_bets_for_players() -> None:
    checks.bets_by_staff_are_the_players(SLUG)


def test_5_19_the_shift_manager_decides_what_is_not_covered() -> None:
    checks.uncovered_goes_to_the_shift_manager(SLUG)
    checks.uncovered_may_go_on(SLUG)
