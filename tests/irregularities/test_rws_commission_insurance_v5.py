"""Irregularities of Commission Baccarat with Insurance, under its own numbers."""

import pytest

from irregularities import checks, checks_cards
from irregularities.situations import PLAYER_WINS, STAGES, TO_COME, Scene, only
from thirdcard.table import commands
from thirdcard.table.events import InsuranceClosed, IrregularityRuled, NeglectRecorded, WalkedAway

SLUGS = ("rws-commission-insurance-v5",)
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
    assert table.offers() == {"player": "2 to 1"}
    if stage == "four-cards":
        table.report("walks-away", players=("ann",))
        events = table.rule("dee")
        assert only(events, WalkedAway).player == "ann"
        assert only(events, IrregularityRuled).rules == ("5.3", "5.3.1")
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 10_00, box=1))
    assert only(table.deal("4D"), InsuranceClosed).forgone == ("cat",)
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 10_00, box=1))


def test_5_3_who_leaves_without_a_bet_has_forgone_nothing() -> None:
    table = Scene(SLUG)
    table.open()
    table.do(commands.Leave(by="ann"))
    table.place("bob", "banker", 100_00)
    table.do(commands.Sit(by="ann", box=1))
    table.place("ann", "player", 100_00)
    table.close()
    table.deal(TO_COME)
    table.insure("ann", "player", 10_00)


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


def test_5_5__5_11_errors_noticed_later_change_nothing() -> None:
    checks.later_errors_change_nothing(SLUG)


def test_5_6_after_the_close_bets_stay_as_they_are() -> None:
    checks.late_bets_are_refused(SLUG)


def test_5_6_late_chips_go_back_unplayed() -> None:
    checks.late_chips_go_back_unplayed(SLUG)


def test_5_6_chips_taken_away_after_the_close_still_play() -> None:
    checks.chips_taken_away_after_the_close_still_play(SLUG)


def test_5_7_excess_cards_begin_the_next_round() -> None:
    checks_cards.excess_begins_the_next_round(SLUG)


def test_5_7_excess_cards_may_belong_to_the_round() -> None:
    checks_cards.excess_belongs_to_the_round(SLUG)


def test_5_7_excess_cards_nobody_saw_stay_unseen() -> None:
    checks_cards.unseen_excess_is_in_nobodys_view(SLUG)


def test_5_7__5_7_1_excess_before_an_outcome_gives_options() -> None:
    checks_cards.excess_before_an_outcome_gives_options(SLUG)


def test_5_7_1_excess_after_an_outcome_gives_none() -> None:
    checks_cards.excess_after_an_outcome_gives_none(SLUG)


def test_5_7__5_7_1__5_12_1_excess_beyond_reconstruction() -> None:
    checks_cards.excess_beyond_reconstruction(SLUG)


def test_5_8__5_8_1_wrong_area_with_an_outcome() -> None:
    checks_cards.wrong_area_with_an_outcome(SLUG)


def test_5_8__5_8_1__5_12_2_wrong_area_without_an_outcome() -> None:
    checks_cards.wrong_area_without_an_outcome(SLUG)


def test_5_8__5_8_2__5_12_2_wrong_person_gives_the_cards_back() -> None:
    checks_cards.wrong_person_gives_the_cards_back(SLUG)


def test_5_8__5_8_2_wrong_person_with_an_outcome() -> None:
    checks_cards.wrong_person_with_an_outcome(SLUG)


def test_5_8_2_a_wrong_person_has_to_be_on_record() -> None:
    checks_cards.wrong_person_has_to_be_on_record(SLUG)


def test_5_8__5_8_1__5_12_1_beyond_reconstruction_everybody_is_asked() -> None:
    checks_cards.beyond_reconstruction_everybody_is_asked(SLUG)


def test_5_9_a_card_dealt_face_up_before_an_outcome() -> None:
    checks_cards.face_up_card_before_an_outcome(SLUG)


def test_5_9_a_card_drawn_face_up_stays_in_the_round() -> None:
    checks_cards.face_up_card_stays_in_the_round(SLUG)


def test_5_9_a_card_dealt_face_up_after_an_outcome() -> None:
    checks_cards.face_up_card_after_an_outcome(SLUG)


def test_5_10_a_pit_supervisor_decides_the_order() -> None:
    checks_cards.order_is_decided(SLUG)


def test_5_10_the_order_of_cards_that_were_seen() -> None:
    checks_cards.order_is_decided_of_cards_that_were_seen(SLUG)


def test_5_10__5_10_1_the_order_is_decided_whenever_it_is_noticed() -> None:
    checks_cards.order_is_decided_whenever_it_is_noticed(SLUG)


def test_5_10_whether_the_order_is_known_has_to_be_said() -> None:
    checks_cards.order_has_to_be_reported(SLUG)


def test_5_10_1_cards_drawn_together_always_give_options() -> None:
    checks_cards.together_always_gives_options(SLUG)


def test_5_10_2_cards_may_be_replaced() -> None:
    checks_cards.cards_may_be_replaced(SLUG)


def test_5_12__5_12_1__5_12_2_any_other_error_gives_options() -> None:
    checks.any_other_error_gives_options(SLUG)


def test_5_12_who_goes_on_accepts_later_cards() -> None:
    checks.who_goes_on_accepts_later_cards(SLUG)


def test_5_12_who_goes_on_chooses_anew_in_the_next_round() -> None:
    checks.who_goes_on_chooses_anew_in_the_next_round(SLUG)


def test_5_12_3_undecided_bets_go_back() -> None:
    checks.undecided_bets_go_back(SLUG)


def test_5_12_3_insurance_goes_back_with_its_bet() -> None:
    checks.insurance_goes_back_with_its_bet(SLUG)


def test_5_12_everybody_may_withdraw() -> None:
    checks.everybody_may_withdraw(SLUG)


# Insurance that was not offered ---------------------------------------------------------------------------

ON_PLAYER = (("ann", "player", 100_00), ("cat", "player", 50_00), ("bob", "banker", 100_00))


@pytest.mark.parametrize(
    ("noticed", "window"),
    [("player-third", 1), ("complete", 1), ("complete", 2), ("settled", 1), ("settled", 2)],
)
def test_5_13_the_original_bet_goes_back_once_it_can_no_longer_be_offered(noticed: str, window: int) -> None:
    """Banker wins 9 over 7: there is no late offer here, and only Ann had meant to insure."""
    table = Scene(SLUG)
    table.dealt(TO_COME, *ON_PLAYER)
    for person in ("ann", "cat") if window > 1 else ():
        table.do(commands.Decline(by=person))
    table.deal({"player-third": "2D"}.get(noticed, "2D 5S"))
    if noticed == "settled":
        table.settle()
    pending = table.report("neglected-insurance", players=("ann", "cat"), window=window)
    assert (pending.decides, pending.facts["still_on_offer"]) == ("pit-manager", False)
    table.refuses("wrong-rank", ("5.13",), table.ruling("sue", intended=("ann",)))
    events = table.rule("pam", intended=("ann",))
    ruled = only(events, IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("return-original",), ("5.13",))
    assert list(only(events, NeglectRecorded).rows) == ["1/player/ann"]
    table.deal({"player-third": "5S"}.get(noticed, ""))
    if noticed != "settled":
        table.settle()
    assert table.nets("ann", "cat", "bob") == [0, -50_00, 95_00]
    assert table.line("ann", "player").rules == ("5.13",)


@pytest.mark.parametrize(("window", "odds", "won"), [(1, "2 to 1", 100_00), (2, "4 to 1", 100_00)])
def test_5_13__3_12_while_it_can_still_be_offered_it_is_and_nothing_goes_back(
    window: int, odds: str, won: int
) -> None:
    """Winnings up to the 100 insured: 50 at 2 to 1, or 25 at 4 to 1, and the bet itself is lost."""
    table = Scene(SLUG)
    table.dealt(TO_COME, *ON_PLAYER)
    if window == 2:
        table.do(commands.Decline(by="ann"))
        table.deal("2D")
    assert table.report("neglected-insurance", players=("ann",), window=window).facts["still_on_offer"]
    table.refuses("input-not-used", ("3.12", "5.13"), table.ruling("pam", intended=("ann",)))
    ruled = only(table.rule("pam"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("offer",), ("3.12", "5.13"))
    assert table.offers() == {"player": odds}
    table.insure("ann", "player", 50_00 if window == 1 else 25_00)
    table.deal("2D 5S" if window == 1 else "5S")
    table.settle()
    assert (table.line("ann", "player").result, table.line("ann", "player-insurance").net) == ("lose", won)
    assert table.net("ann") == 0


def test_5_13_only_where_the_insurance_would_have_won() -> None:
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.deal("4D")
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam", intended=("ann",))
    table.deal("2S")
    table.settle()
    assert (table.line("ann", "player").result, table.net("ann")) == ("win", 100_00)


@pytest.mark.parametrize("answer", ["bought", "said no", "walked away"])
def test_5_13_nobody_intended_what_the_log_knows_otherwise(answer: str) -> None:
    table = Scene(SLUG)
    table.dealt(TO_COME, *ON_PLAYER)
    if answer == "bought":
        table.insure("ann", "player", 10_00)
    table.do(commands.Leave(by="ann") if answer == "walked away" else commands.Decline(by="cat"))
    if answer == "said no":
        table.do(commands.Decline(by="ann"))
    table.deal("2D 5S")
    report = table.reporting("neglected-insurance", players=("ann",), window=1)
    table.refuses("condition-not-met", ("5.13",), report)
    assert answer in table.refused(report).sentence
    table.settle()
    assert table.line("ann", "player").result == "lose"


def test_5_13__4_2_2_not_at_a_table_without_insurance() -> None:
    table = Scene(SLUG, insurance=False, private=True)
    table.dealt(TO_COME)
    table.refuses("not-allowed-here", ("4.2.2",), table.reporting("neglected-insurance", players=("ann",)))


def test_5_14_chips_count_where_they_lie() -> None:
    checks.chips_count_where_they_lie(SLUG)


def test_5_15_the_outcome_at_the_table_prevails() -> None:
    checks.display_is_corrected(SLUG)


@pytest.mark.parametrize("stage", STAGES)
def test_5_16_a_void_round_returns_every_bet_and_all_insurance(stage: str) -> None:
    table = Scene(SLUG)
    table.reach(stage)
    table.do(commands.Void(by="sam", reason="a fire"))
    table.everything_is_back()


def test_5_17_staff_place_bets_for_players() -> None:
    checks.bets_by_staff_are_the_players(SLUG)


def test_5_18_the_shift_manager_decides_what_is_not_covered() -> None:
    checks.uncovered_goes_to_the_shift_manager(SLUG)
    checks.uncovered_may_go_on(SLUG)
