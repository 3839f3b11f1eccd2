"""Irregularities of the commission game with Insurance Plus where its numbers are its own."""

import pytest

from irregularities import checks
from irregularities.situations import PLAYER_WINS, STAGES, TO_COME, Scene, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import (
    InsuranceClosed,
    IrregularityRuled,
    LateInsuranceOpened,
    NeglectRecorded,
    SettlementReversed,
    WalkedAway,
)
from thirdcard.table.rights.insurance import has_forgone, open_windows
from thirdcard.table.setup import Limit

SLUGS = ("rws-tiger-buffalo-commission-v2",)
SLUG = SLUGS[0]


@pytest.mark.parametrize("stage", ["bets-open", "closed", "four-cards"])
def test_5_3_who_walks_away_forgoes_insurance(stage: str) -> None:
    """Whenever that was after placing a bet; Cat, who stays, is offered it."""
    table = Scene(SLUG)
    table.bets(("ann", "player", 100_00), ("cat", "player", 100_00))
    if stage == "bets-open":
        table.do(commands.Leave(by="ann"))
    table.close()
    if stage == "closed":
        table.do(commands.Leave(by="ann"))
    table.deal(TO_COME)
    assert table.offers() == {"player": "3 to 2"}
    if stage == "four-cards":
        table.report("walks-away", players=("ann",))
        events = table.rule("dee")
        assert only(events, WalkedAway).player == "ann"
        assert only(events, IrregularityRuled).rules == ("5.3", "5.3.1")
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 10_00, box=1))
    assert only(table.deal("4D"), InsuranceClosed).forgone == ("cat",)
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 10_00, box=1))


def test_5_3_silence_forgoes_the_round_a_no_only_that_offer() -> None:
    table = Scene(SLUG)
    table.dealt(TO_COME, ("ann", "player", 100_00), ("bob", "player", 100_00))
    table.do(commands.Decline(by="ann"))
    assert only(table.deal("4D"), InsuranceClosed).forgone == ("bob",)
    table.insure("ann", "player", 10_00)
    table.refuses("insurance-forgone", ("5.3",), table.insuring("bob", "player", 10_00))


def test_5_3_1_the_bet_is_settled() -> None:
    table = Scene(SLUG)
    table.bets()
    table.close()
    table.report("walks-away", players=("ann",))
    ruled = only(table.rule("dee"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("forgo-insurance", "settle"), ("5.3", "5.3.1"))
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("ann") == 100_00


def test_5_13_3_insurance_goes_back_with_its_bet() -> None:
    checks.insurance_goes_back_with_its_bet(SLUG)


# Insurance that was not offered ---------------------------------------------------------------------------


def caps(table: Scene, player: str) -> dict[str, dict[int, int]]:
    """What somebody may still buy, by odds and box."""
    return {offer.odds: offer.caps for offer in table.view(player).offers}


def second_window_passed() -> Scene:
    """Player 9 after three cards, Banker 4: the Banker's third card has come and lies face down."""
    table = Scene(SLUG, method="face-down")
    table.shown(TO_COME)
    table.do(commands.Decline(by="ann"))
    table.show("4D")
    table.deal("5S")
    return table


def test_5_14__5_14_1_a_pit_manager_makes_the_offer_late() -> None:
    """The first window at 3 to 2 while the second is open at 10 to 1: winnings up to the original 100, so 66."""
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 4D")
    assert has_forgone(table.state, table.current, "ann")
    pending = table.report("neglected-insurance", players=("ann",), window=1)
    assert (pending.decided_by, pending.facts["still_on_offer"]) == ("", False)
    for person in ("dee", "sue"):
        table.refuses("wrong-rank", ("5.14.1",), table.ruling(person))
        assert "Pit Manager" in table.refused(table.ruling(person)).sentence
    events = table.rule("pam")
    made = only(events, LateInsuranceOpened)
    assert ([(o.hand, o.odds) for o in made.offers], made.players) == ([("player", "3 to 2")], ("ann",))
    assert (made.window, made.rules) == (1, ("5.14.1",))
    assert caps(table, "ann") == {"10 to 1": {1: 100_00}, "3 to 2": {1: 66_00}}
    table.refuses("over-the-cap", ("5.14.1",), table.insuring("ann", "player", 67_00, window=1))
    table.do(table.insuring("ann", "player", 66_00, window=1))
    table.refuses("over-the-cap", ("5.14.1",), table.insuring("ann", "player", 1_00, window=1))
    table.insure("ann", "player", 5_00)  # the second window is hers too: its offer was the first she heard
    table.deal("5S")
    table.settle()
    # 9 all: the second window's insurance is paid on this tie, the first one's goes back with the bet.
    assert [(line.window, line.result, line.net) for line in table.lines() if line.window] == [
        (1, "push", 0),
        (2, "win", 50_00),
    ]
    assert table.nets("ann", "bob") == [50_00, 0]


def test_5_14_1__3_12_while_the_window_is_open_it_is_offered_in_the_ordinary_way() -> None:
    """Player 7 against Banker 3, both on two cards: 4 to 1 up to the whole stake, to everybody."""
    table = Scene(SLUG)
    table.dealt("3C 2H 4D AS", ("ann", "player", 100_00), ("bob", "player", 100_00))
    assert table.report("neglected-insurance", players=("ann",)).facts["still_on_offer"]
    table.refuses("wrong-rank", ("3.12", "5.14.1"), table.ruling("sue"))
    assert only(table.rule("pam"), IrregularityRuled).remedies == ("offer",)
    assert caps(table, "ann") == {"4 to 1": {1: 100_00}}
    assert caps(table, "bob") == {"4 to 1": {2: 100_00}}


def test_5_14_1_the_second_window_late_at_its_own_row() -> None:
    """The Banker's third card lies face down: at 10 to 1 the winnings stay within 100 with 10."""
    table = second_window_passed()
    assert table.report("neglected-insurance", players=("ann",)).window == 2
    made = only(table.rule("pam"), LateInsuranceOpened)
    assert (made.window, [offer.odds for offer in made.offers]) == (2, ["10 to 1"])
    assert caps(table, "ann") == {"10 to 1": {1: 10_00}}
    table.insure("ann", "player", 10_00)
    assert table.refused(table.insuring("bob", "banker", 1_00)).code == "no-offer"
    table.finish()
    assert (table.line("ann", "player-insurance").net, table.net("ann")) == (100_00, 100_00)


def test_5_14_1__3_12_2_the_ordinary_caps_still_apply() -> None:
    """At 10 to 1 a person stakes at most a quarter of the hand's maximum, here 25, over all boxes."""
    table = Scene(SLUG, method="face-down", limits={"*": Limit(10_00, 100_00)})
    table.do(commands.Sit(by="cat", box=3))
    table.open()
    for box in (1, 2, 3):
        table.place("ann", "player", 100_00, box=box)
    table.close()
    table.show(TO_COME)
    table.do(commands.Decline(by="ann"))
    table.show("4D")
    table.deal("5S")
    table.report("neglected-insurance", players=("ann",))
    table.rule("pam")
    assert caps(table, "ann") == {"10 to 1": {1: 10_00, 2: 10_00, 3: 10_00}}
    table.insure("ann", "player", 10_00, box=1)
    table.insure("ann", "player", 10_00, box=2)
    assert caps(table, "ann") == {"10 to 1": {1: 0, 2: 0, 3: 5_00}}
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 6_00, box=3))
    table.insure("ann", "player", 5_00, box=3)


def test_5_14_1_silence_after_a_late_offer_forgoes_it() -> None:
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 4D")
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam")
    assert not has_forgone(table.state, table.current, "ann")
    table.deal("2S")
    assert has_forgone(table.state, table.current, "ann")
    assert open_windows(table.state, table.current) == ()


def test_5_14_1_who_was_offered_late_accepts_every_later_card() -> None:
    """An error after the late offer: Bob is asked, Ann has taken what comes."""
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 4D")
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam")
    table.do(table.insuring("ann", "player", 10_00, window=1))
    table.report("other-dealing-error")
    table.rule("sue")
    assert table.asked() == {"bob": ""}
    table.takes_back("bob")
    table.deal("2S")
    table.settle()
    assert table.nets("ann", "bob") == [90_00, 0]


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
    table = Scene(SLUG, insurance=False, private=True)
    table.dealt(TO_COME)
    table.refuses("not-allowed-here", ("4.2.2",), table.reporting("neglected-insurance", players=("ann",)))


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
