"""Tiger Buffalo (Commission Baccarat with Insurance Plus), RWS, version 2: limits, people and rulings."""

import pytest

from rules.terms import ladder, left_to, method, nothing_else_left, orders, says, shown
from thirdcard.rulebook import Rulebook, load

SLUGS = ("rws-tiger-buffalo-commission-v2",)


@pytest.fixture
def book() -> Rulebook:
    return load(SLUGS[0])


# --- betting and limits -------------------------------------------------------------------------------


def test_3_3__3_8_the_dealers_calls(book: Rulebook) -> None:
    says(book.betting.opens, "Place your bets, please", "3.3")
    says(book.betting.closes, "No more bets", "3.8")


def test_3_4__3_5_minimum_and_differential_are_displayed(book: Rulebook) -> None:
    says(book.limits.displayed, ("minimum", "differential"), "3.4")
    assert "minimum bet and the maximum differential" in shown(book, "3.4")
    assert book.limits.maximum.rules == ("3.5",)


def test_3_5__5_19_over_the_maximum_no_rule_speaks(book: Rulebook) -> None:
    says(book.limits.above_maximum_unnoticed, "shift-manager", "3.5 5.19")


def test_3_6_nobody_may_refuse_the_balance(book: Rulebook) -> None:
    says(book.limits.balance_open_to_others, value=True, by="3.6")


def test_1_29_a_standing_player_bets_on_a_seated_players_box(book: Rulebook) -> None:
    says(book.limits.standing_needs_seated, value=True, by="1.29")
    assert book.limits.wagers_per_area is None


def test_5_18_staff_place_bets_on_request(book: Rulebook) -> None:
    says(book.betting.by_staff, ("dealer", "pit-supervisor", "pit-manager"), "5.18")


def test_5_6_settled_is_settled_once_the_next_round_began(book: Rulebook) -> None:
    says(book.betting.final, "next-round", "5.6")
    says(book.authority.amends, "pit-supervisor", "5.6")


def test_5_17_a_void_returns_all_bets(book: Rulebook) -> None:
    assert book.void is not None
    assert book.void.rules == ("5.17",)


def test_1_10__5_1__5_1_1__5_1_2_differential_of_a_box(book: Rulebook) -> None:
    differential = book.limits.differential
    assert (differential.scope, differential.before_close, differential.after_close) == (
        "box",
        "reject",
        "pro-rata",
    )
    assert differential.before.rules == ("5.1",)
    assert differential.after.rules == ("5.1.1", "5.1.2")
    assert differential.rules == ("1.10", "5.1", "5.1.1", "5.1.2")


# --- people -------------------------------------------------------------------------------------------


def test_1_9__1_17__5_19_ladder_of_authority(book: Rulebook) -> None:
    above = {
        "dealer": "",
        "pit-supervisor": "dealer",
        "pit-manager": "pit-supervisor",
        "shift-manager": "pit-manager",
    }
    ladder(book, above, pit="dealer pit-supervisor pit-manager")
    says(book.authority.deals, "dealer", "1.9 1.17 3.3 3.8")
    says(book.authority.manages, "pit-manager", "1.17 4.2.2")


def test_5_19_the_shift_manager_decides(book: Rulebook) -> None:
    says(book.authority.decides, "shift-manager", "5.19")
    left_to(book, "not-covered", "shift-manager", "5.19")


def test_3_9__3_10_cards_face_up_or_face_down(book: Rulebook) -> None:
    assert len(book.dealing) == 2
    for name, handles, face_down in (("face-up", "dealer", False), ("face-down", "players", True)):
        one = method(book, name)
        assert (one.device, one.handles, one.face_down) == ("dealer", handles, face_down)
        assert (one.allowed_by, one.area) == (None, "anywhere")
        assert (one.handing, one.given_up, one.lost) == (None, None, None)


def test_3_9_the_largest_bet_may_ask_to_squeeze(book: Rulebook) -> None:
    squeeze = book.squeeze
    assert (squeeze.right, squeeze.seated_only) == ("largest-bet", False)
    assert squeeze.permission == "pit-supervisor"
    left_to(book, "squeeze", "pit-supervisor", "3.9")


def test_3_14_the_bankers_third_card_first(book: Rulebook) -> None:
    assert book.squeeze.banker_third_first is not None
    says(book.squeeze.banker_third_first, value=True, by="3.14")
    left_to(book, "banker-third-first", "pit-supervisor", "3.14")
    assert book.insurance is not None
    assert book.insurance.waived.rules == ("3.14",)


def test_4_2_2_a_private_table_without_insurance(book: Rulebook) -> None:
    left_to(book, "no-insurance", "pit-manager", "4.2.2")
    assert "none is offered" in shown(book, "4.2.2")
    assert [one.only_private for one in book.notices if one.rules == ("4.2.2",)] == [True]
    assert book.insurance is not None
    assert book.insurance.private.rules == ("4.2.2",)


def test_3_12_the_odds_on_offer_are_shown(book: Rulebook) -> None:
    assert "odds of the insurance" in shown(book, "3.12")
    assert [one.rules for one in book.notices if one.only_private] == [("4.2.2",)]


def test_5_8__5_11__5_11_2_what_a_ruling_leaves_to_the_pit_supervisor(book: Rulebook) -> None:
    left_to(book, "reconstruction", "pit-supervisor", "5.8")
    left_to(book, "order-of-cards", "pit-supervisor", "5.11")
    left_to(book, "replace-cards", "pit-supervisor", "5.11.2")


def test_no_more_is_left_to_a_person(book: Rulebook) -> None:
    nothing_else_left(
        book,
        "squeeze banker-third-first no-insurance reconstruction order-of-cards replace-cards intention not-covered",
    )


# --- 5. Irregularities --------------------------------------------------------------------------------


def test_5_1__5_1_1__5_1_2__5_6_over_the_differential(book: Rulebook) -> None:
    orders(
        book,
        "over-differential",
        "differential",
        """
        noticed bets-open   | dealer | reject   | 5.1
        noticed bets-closed | dealer | pro-rata | 5.1.1 5.1.2
        noticed settled     | dealer | pro-rata | 5.1.1 5.1.2
        noticed next-round  | dealer | stand    | 5.6
        """,
    )


def test_5_2__5_2_1__5_6_under_the_minimum(book: Rulebook) -> None:
    orders(
        book,
        "under-minimum",
        "below-minimum",
        """
        noticed bets-open   | dealer | raise-or-withdraw | 5.2
        noticed bets-closed | dealer | settle            | 5.2.1
        noticed settled     | dealer | settle            | 5.2.1
        noticed next-round  | dealer | stand             | 5.6
        """,
    )
    says(book.limits.below_minimum_noticed, "raise-or-withdraw", "5.2")
    says(book.limits.below_minimum_unnoticed, "settle", "5.2.1")


def test_5_3__5_3_1_who_walks_away_forgoes_insurance(book: Rulebook) -> None:
    remedies = "forgo-insurance settle"
    orders(book, "walks-away", "walked-away", f" | dealer | {remedies} | 5.3 5.3.1")


def test_5_4__5_4_1__5_4_2__5_17_technical_interruption(book: Rulebook) -> None:
    orders(
        book,
        "technical-interruption",
        "interruption",
        """
        outcome_established yes | pit-supervisor | continue | 5.4.1
        outcome_established no  | pit-supervisor | void     | 5.4.2 5.17
        """,
    )


def test_5_5__5_5_1__5_17_a_card_of_another_set(book: Rulebook) -> None:
    orders(book, "foreign-card", "bad-cards", " | pit-supervisor | void new-cards | 5.5.1 5.17")


def test_5_5__5_5_2__5_17_too_many_cards_or_too_few(book: Rulebook) -> None:
    orders(book, "card-count", "bad-cards", " | pit-supervisor | void new-cards | 5.5.2 5.17")


def test_5_5__5_5_3__5_6__5_12__5_13_2__5_13_3__5_17_wrong_number_of_cards(book: Rulebook) -> None:
    orders(
        book,
        "wrong-number-of-cards",
        "wrong-number",
        """
        noticed bets-open, reconstructable yes   | pit-supervisor | reconstruct options | 5.13 5.13.2 5.13.3
        noticed bets-closed, reconstructable yes | pit-supervisor | reconstruct options | 5.13 5.13.2 5.13.3
        noticed settled, reconstructable yes     | pit-supervisor | reconstruct options | 5.13 5.13.2 5.13.3
        noticed bets-open, reconstructable no    | pit-supervisor | void                | 5.5.3 5.17
        noticed bets-closed, reconstructable no  | pit-supervisor | void                | 5.5.3 5.17
        noticed settled, reconstructable no      | pit-supervisor | void                | 5.5.3 5.17
        noticed next-round                       | pit-supervisor | stand               | 5.12 5.6
        """,
    )


def test_5_5__5_5_4__5_17_the_shoe_runs_short(book: Rulebook) -> None:
    orders(book, "too-few-cards", "too-few-cards", " | pit-supervisor | void new-cards | 5.5.4 5.17")


def test_5_5__5_5_5__5_17_cards_not_shuffled(book: Rulebook) -> None:
    orders(book, "unshuffled-cards", "bad-cards", " | pit-supervisor | void new-cards | 5.5.5 5.17")


def test_5_7_late_and_withdrawn_bets_are_refused(book: Rulebook) -> None:
    orders(book, "late-bet", "late-chips taken-chips", " | dealer | refuse | 5.7")
    says(book.betting.withdrawn_after_close, "refused", "5.7")


def test_5_8__5_8_1__5_13__5_13_1__5_13_2__5_13_3_excess_or_exposed_cards(book: Rulebook) -> None:
    orders(
        book,
        "excess-or-exposed-cards",
        "excess-cards",
        """
        outcome_established yes, reconstructable yes | pit-supervisor | reconstruct keep-for-next-round continue | 5.8
        outcome_established yes, reconstructable no  | pit-supervisor | keep-for-next-round continue             | 5.8
        outcome_established no, reconstructable yes  | pit-supervisor | reconstruct keep-for-next-round options  | 5.8 5.8.1 5.13 5.13.2 5.13.3
        outcome_established no, reconstructable no   | pit-supervisor | keep-for-next-round options              | 5.8 5.8.1 5.13 5.13.1 5.13.3
        """,
    )


def test_5_9__5_9_1__5_9_2__5_13__5_13_1__5_13_2__5_13_3_wrong_area_or_person(book: Rulebook) -> None:
    orders(
        book,
        "wrong-area-or-person",
        "wrong-area wrong-person",
        """
        outcome_established yes, reconstructable yes | pit-supervisor | reconstruct pass-on continue | 5.9
        outcome_established no, reconstructable yes  | pit-supervisor | reconstruct pass-on options  | 5.9 5.13 5.13.2 5.13.3
        reconstructable no                           | pit-supervisor | as-they-lie options          | 5.9 5.13 5.13.1 5.13.3
        """,
    )


def test_5_10__5_13__5_13_1__5_13_2__5_13_3_a_card_dealt_face_up(book: Rulebook) -> None:
    orders(
        book,
        "face-up-card",
        "seen-in-error",
        """
        outcome_established yes | pit-supervisor | continue         | 5.10
        outcome_established no  | pit-supervisor | options continue | 5.10 5.13 5.13.1 5.13.2 5.13.3
        """,
        needs="face-down",
    )


def test_5_11__5_11_1__5_11_2__5_13__5_13_1__5_13_2__5_13_3_drawn_together(book: Rulebook) -> None:
    orders(
        book,
        "drawn-together",
        "drawn-together",
        """
        order_known yes | pit-supervisor | reconstruct options replace-cards  | 5.11.1 5.11.2 5.13 5.13.2 5.13.3
        order_known no  | pit-supervisor | decide-order options replace-cards | 5.11 5.11.1 5.11.2 5.13 5.13.1 5.13.2 5.13.3
        """,
    )


def test_5_6__5_12_noticed_after_the_next_round_began(book: Rulebook) -> None:
    orders(book, "noticed-later", "earlier-round", " | pit-supervisor | stand | 5.12 5.6")


def test_5_13__5_13_1__5_13_2__5_13_3_any_other_dealing_error(book: Rulebook) -> None:
    orders(
        book,
        "other-dealing-error",
        "dealing-error",
        """
        reconstructable yes | pit-supervisor | reconstruct options | 5.13 5.13.2 5.13.3
        reconstructable no  | pit-supervisor | as-they-lie options | 5.13 5.13.1 5.13.3
        """,
    )


def test_3_12__5_14__5_14_1__5_14_2_neglected_insurance(book: Rulebook) -> None:
    orders(
        book,
        "neglected-insurance",
        "neglected-insurance",
        """
        still_on_offer yes                         | pit-manager | offer           | 3.12 5.14.1
        outcome_established no, still_on_offer no  | pit-manager | late-insurance  | 5.14.1
        outcome_established yes, still_on_offer no | pit-manager | return-original | 5.14.2
        """,
    )
    left_to(book, "intention", "pit-manager", "5.14.2")
    assert book.insurance is not None
    assert book.insurance.neglected.rules == ("5.14", "5.14.1", "5.14.2")
    assert book.insurance.late_winnings is not None
    says(book.insurance.late_winnings, 1, "5.14.1")


def test_5_3_insurance_that_nobody_asks_for_is_forgone(book: Rulebook) -> None:
    assert book.insurance is not None
    assert book.insurance.forgone.rules == ("5.3",)


def test_5_15_chips_count_where_they_lie(book: Rulebook) -> None:
    orders(book, "misplaced-chips", "chips-lie", " | dealer | settle | 5.15")


def test_5_16_the_table_decides_not_the_display(book: Rulebook) -> None:
    orders(book, "display-error", "display", " | dealer | correct-display | 5.16")
    assert "for information" in shown(book, "5.16")


def test_5_19_what_no_rule_covers(book: Rulebook) -> None:
    orders(book, "not-covered", "uncovered", " | shift-manager | decide | 5.19")
