"""Irregularities that the Tiger Buffalo documents, with and without commission, state under the same numbers."""

import pytest

from irregularities import checks, checks_cards

SLUGS = (
    "rws-tiger-buffalo-commission-v2",
    "rws-tiger-buffalo-non-commission-v3",
    "rws-tiger-buffalo-non-commission-v4",
)
pytestmark = pytest.mark.parametrize("slug", SLUGS)


def test_5_6__5_12_errors_noticed_later_change_nothing(slug: str) -> None:
    checks.later_errors_change_nothing(slug)


def test_5_7_after_the_close_bets_stay_as_they_are(slug: str) -> None:
    checks.late_bets_are_refused(slug)


def test_5_7_late_chips_go_back_unplayed(slug: str) -> None:
    checks.late_chips_go_back_unplayed(slug)


def test_5_7_chips_taken_away_after_the_close_still_play(slug: str) -> None:
    checks.chips_taken_away_after_the_close_still_play(slug)


def test_5_8_excess_cards_begin_the_next_round(slug: str) -> None:
    checks_cards.excess_begins_the_next_round(slug)


def test_5_8_excess_cards_may_belong_to_the_round(slug: str) -> None:
    checks_cards.excess_belongs_to_the_round(slug)


def test_5_8_excess_cards_nobody_saw_stay_unseen(slug: str) -> None:
    checks_cards.unseen_excess_is_in_nobodys_view(slug)


def test_5_8__5_8_1_excess_before_an_outcome_gives_options(slug: str) -> None:
    checks_cards.excess_before_an_outcome_gives_options(slug)


def test_5_8_1_excess_after_an_outcome_gives_none(slug: str) -> None:
    checks_cards.excess_after_an_outcome_gives_none(slug)


def test_5_8__5_8_1__5_13_1_excess_beyond_reconstruction(slug: str) -> None:
    checks_cards.excess_beyond_reconstruction(slug)


def test_5_9__5_9_1_wrong_area_with_an_outcome(slug: str) -> None:
    checks_cards.wrong_area_with_an_outcome(slug)


def test_5_9__5_9_1__5_13_2_wrong_area_without_an_outcome(slug: str) -> None:
    checks_cards.wrong_area_without_an_outcome(slug)


def test_5_9__5_9_2__5_13_2_wrong_person_gives_the_cards_back(slug: str) -> None:
    checks_cards.wrong_person_gives_the_cards_back(slug)


def test_5_9__5_9_2_wrong_person_with_an_outcome(slug: str) -> None:
    checks_cards.wrong_person_with_an_outcome(slug)


def test_5_9_2_a_wrong_person_has_to_be_on_record(slug: str) -> None:
    checks_cards.wrong_person_has_to_be_on_record(slug)


def test_5_9__5_9_1__5_13_1_beyond_reconstruction_everybody_is_asked(slug: str) -> None:
    checks_cards.beyond_reconstruction_everybody_is_asked(slug)


def test_5_10_a_card_dealt_face_up_before_an_outcome(slug: str) -> None:
    checks_cards.face_up_card_before_an_outcome(slug)


def test_5_10_a_card_drawn_face_up_stays_in_the_round(slug: str) -> None:
    checks_cards.face_up_card_stays_in_the_round(slug)


def test_5_10_a_card_dealt_face_up_after_an_outcome(slug: str) -> None:
    checks_cards.face_up_card_after_an_outcome(slug)


def test_5_11_a_pit_supervisor_decides_the_order(slug: str) -> None:
    checks_cards.order_is_decided(slug)


def test_5_11_the_order_of_cards_that_were_seen(slug: str) -> None:
    checks_cards.order_is_decided_of_cards_that_were_seen(slug)


def test_5_11__5_11_1_the_order_is_decided_whenever_it_is_noticed(slug: str) -> None:
    checks_cards.order_is_decided_whenever_it_is_noticed(slug)


def test_5_11_whether_the_order_is_known_has_to_be_said(slug: str) -> None:
    checks_cards.order_has_to_be_reported(slug)


def test_5_11_1_cards_drawn_together_always_give_options(slug: str) -> None:
    checks_cards.together_always_gives_options(slug)


def test_5_11_2_cards_may_be_replaced(slug: str) -> None:
    checks_cards.cards_may_be_replaced(slug)


def test_5_13__5_13_1__5_13_2_any_other_error_gives_options(slug: str) -> None:
    checks.any_other_error_gives_options(slug)


def test_5_13_who_goes_on_accepts_later_cards(slug: str) -> None:
    checks.who_goes_on_accepts_later_cards(slug)


def test_5_13_who_goes_on_chooses_anew_in_the_next_round(slug: str) -> None:
    checks.who_goes_on_chooses_anew_in_the_next_round(slug)


def test_5_13_3_undecided_bets_go_back(slug: str) -> None:
    checks.undecided_bets_go_back(slug)


def test_5_13_everybody_may_withdraw(slug: str) -> None:
    checks.everybody_may_withdraw(slug)
