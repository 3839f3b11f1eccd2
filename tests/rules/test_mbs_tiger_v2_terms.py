"""Tiger Baccarat, MBS, version 2: limits, people and rulings."""

import pytest

from rules.terms import ladder, left_to, method, nothing_else_left, orders, says, shown
from thirdcard.rulebook import Rulebook, load
from thirdcard.school.pay_items import is_in_order, order_rules

SLUGS = ("mbs-tiger-v2",)
CARDS_BY_51 = " | pit-manager | void new-cards | 5.1 5.1.1 5.1.2 5.13"


@pytest.fixture
def book() -> Rulebook:
    return load(SLUGS[0])


# --- betting and limits -------------------------------------------------------------------------------


def test_3_1__3_2_the_dealers_calls(book: Rulebook) -> None:
    says(book.betting.opens, "Place your bets, please", "3.1")
    says(book.betting.closes, "No more bets", "3.2")
    says(book.authority.deals, "dealer", "3.1 3.2")


def test_1_1_7_a_round_ends_with_payment(book: Rulebook) -> None:
    says(book.betting.final, "payment", "1.1.7")
    says(book.authority.amends, "pit-supervisor", "1.1.7")


def test_1_1_7_what_is_lost_is_taken_before_what_is_won_is_paid(book: Rulebook) -> None:
    assert order_rules(book) == ("1.1.7",)
    nets = {"line-1": -5_000, "line-2": 0, "line-3": 4_750, "line-4": -100}
    for settled in ("1 4 2 3", "2 4 1 3", "4 1 3 2"):
        assert is_in_order(nets, [f"line-{one}" for one in settled.split()]), settled
    for settled in ("3 1 2 4", "1 3 4 2", "1 2 3 4"):
        assert not is_in_order(nets, [f"line-{one}" for one in settled.split()]), settled


def test_3_5_1_minimum_and_maximum_are_displayed(book: Rulebook) -> None:
    limits = book.limits
    says(limits.displayed, ("minimum", "maximum"), "3.5.1")
    says(limits.below_minimum_noticed, "refuse", "3.5.1")
    assert limits.maximum.rules == ("3.5.1",)
    assert "minimum and maximum" in shown(book, "3.5.1")


def test_3_5_1_several_people_share_a_playing_area(book: Rulebook) -> None:
    says(book.limits.balance_open_to_others, value=True, by="3.5.1")
    says(book.limits.standing_needs_seated, value=False, by="3.5.1")


def test_3_7__3_7_1_three_wagers_or_fewer(book: Rulebook) -> None:
    assert book.limits.wagers_per_area is not None
    says(book.limits.wagers_per_area, 3, "3.7")
    left_to(book, "fewer-wagers", "pit-manager", "3.7.1")


def test_3_8_staff_place_wagers_on_request(book: Rulebook) -> None:
    says(book.betting.by_staff, ("dealer", "pit-supervisor", "pit-manager"), "3.8")


def test_1_1_10__5_18__5_18_1__5_18_2__5_18_3_differential_of_the_table(book: Rulebook) -> None:
    differential = book.limits.differential
    assert (differential.scope, differential.before_close, differential.after_close) == (
        "table",
        "ask",
        "remove",
    )
    assert differential.before.rules == ("5.18.1", "5.18.2")
    assert differential.after.rules == ("5.18.3",)
    assert differential.rules == ("1.1.10", "5.18", "5.18.1", "5.18.2", "5.18.3")


# --- people -------------------------------------------------------------------------------------------


def test_3_8__6_1__6_2_a_higher_position_may_do_it(book: Rulebook) -> None:
    above = {
        "dealer": "",
        "pit-supervisor": "dealer",
        "pit-manager": "pit-supervisor",
        "gaming-shift-manager": "pit-manager",
        "assistant-casino-manager": "pit-manager",
    }
    ladder(book, above, pit="dealer pit-supervisor pit-manager")


def test_6_1_the_gaming_shift_manager_decides(book: Rulebook) -> None:
    says(book.authority.decides, "gaming-shift-manager", "6.1")
    left_to(book, "not-covered", "gaming-shift-manager", "6.1")


def test_3_9__3_9_1__3_10_1__3_10_2_method_a(book: Rulebook) -> None:
    a = method(book, "A")
    assert (a.device, a.handles, a.face_down, a.allowed_by, a.area) == (
        "dealer",
        "players",
        True,
        "pit-manager",
        "anywhere",
    )
    assert a.handing_rules == ("3.10.2", "3.10.3", "3.10.4", "3.10.5")
    assert (a.given_up, a.lost) == (None, None)


def test_3_9__3_9_1__3_11_1__3_11_2_method_b(book: Rulebook) -> None:
    b = method(book, "B")
    assert (b.device, b.handles, b.face_down, b.allowed_by, b.area) == (
        "dealer",
        "dealer",
        False,
        "pit-manager",
        "anywhere",
    )
    assert (b.handing, b.given_up, b.lost) == (None, None, None)


def test_3_9__3_12_1__3_12_3__3_12_8__3_12_8_1__3_12_8_2_method_c(book: Rulebook) -> None:
    c = method(book, "C")
    assert (c.device, c.handles, c.face_down, c.allowed_by, c.area) == (
        "player",
        "players",
        True,
        "assistant-casino-manager",
        "high-limit",
    )
    assert (c.handing_rules, c.given_up_rules, c.lost_rules) == (("3.12.3",), ("3.12.8.1",), ("3.12.8.2",))


def test_3_9__3_9_2_who_allows_a_method(book: Rulebook) -> None:
    assert [one.name for one in book.dealing] == ["A", "B", "C"]
    says(book.authority.manages, "pit-manager", "3.9.2")
    left_to(book, "method", "pit-manager", "3.9.2")
    left_to(book, "method-c", "assistant-casino-manager", "3.9.2")


def test_3_10_2__3_10_3__3_10_4__3_10_5__3_21_the_largest_total_on_a_hand_squeezes(book: Rulebook) -> None:
    squeeze = book.squeeze
    assert (squeeze.right, squeeze.seated_only, squeeze.permission) == (
        "largest-total-on-hand",
        False,
        "pit-manager",
    )
    assert squeeze.banker_third_first is None
    left_to(book, "any-squeezer", "pit-manager", "3.21")


def test_3_10_4_1__3_10_6__3_12_2__3_22__3_22_1_what_is_left_to_a_person(book: Rulebook) -> None:
    left_to(book, "handler", "pit-supervisor", "3.10.4.1")
    left_to(book, "first-hand", "dealer", "3.10.6")
    left_to(book, "draw-without-wager", "assistant-casino-manager", "3.12.2")
    left_to(book, "cut-card-withdrawal", "dealer", "3.22.1")
    assert book.cut_card is not None
    assert book.cut_card.rules == ("3.22",)


def test_5_8_2_2__5_13__5_18_3_what_a_ruling_leaves_to_the_pit_manager(book: Rulebook) -> None:
    left_to(book, "order-of-cards", "pit-manager", "5.8.2.2")
    left_to(book, "replace-cards", "pit-manager", "5.13")
    left_to(book, "removal", "pit-manager", "5.18.3")


def test_no_more_is_left_to_a_person(book: Rulebook) -> None:
    nothing_else_left(
        book,
        "fewer-wagers method method-c handler first-hand draw-without-wager any-squeezer cut-card-withdrawal "
        "order-of-cards replace-cards removal not-covered",
    )


# --- 5. Irregularities --------------------------------------------------------------------------------


def test_5_1__5_1_1__5_1_2__5_13_cards_that_are_not_what_they_should_be(book: Rulebook) -> None:
    for case in ("extra-or-missing-cards", "foreign-card", "unshuffled-cards"):
        orders(book, case, "bad-cards", CARDS_BY_51)


def test_5_2__5_13_the_order_was_altered(book: Rulebook) -> None:
    orders(
        book,
        "order-altered",
        "order-altered",
        """
        reconstructable yes | pit-manager | reconstruct continue | 5.2
        reconstructable no  | pit-manager | void new-cards       | 5.2 5.13
        """,
    )


def test_5_3__5_13_too_few_cards(book: Rulebook) -> None:
    orders(book, "too-few-cards", "too-few-cards", " | pit-manager | void new-cards | 5.3 5.13")


def test_5_4_late_wagers_are_refused(book: Rulebook) -> None:
    orders(book, "late-wager", "late-chips", " | dealer | refuse | 5.4")


def test_5_5_withdrawn_wagers_still_play(book: Rulebook) -> None:
    orders(book, "withdrawn-wager", "taken-chips", " | dealer | settle | 5.5")
    says(book.betting.withdrawn_after_close, "still-plays", "5.5")


def test_5_6_face_up_in_the_device(book: Rulebook) -> None:
    orders(book, "face-up-in-device", "face-up-in-device", " | dealer | continue | 5.6")


def test_5_7_wrong_order_and_wrong_person(book: Rulebook) -> None:
    orders(book, "wrong-order", "wrong-area", " | dealer | reconstruct continue | 5.7")
    orders(book, "wrong-person", "wrong-person", " | dealer | pass-on continue | 5.7", needs="face-down")


def test_5_7_1_no_wrong_delivery(book: Rulebook) -> None:
    orders(book, "not-wrong-delivery", "seen-in-error", " | dealer | stand continue | 5.7.1")


def test_5_8__5_8_1__5_8_2__5_8_2_1__5_8_2_2__5_13_drawn_together(book: Rulebook) -> None:
    orders(
        book,
        "drawn-together",
        "drawn-together",
        """
        order_known yes                           | pit-manager | withdraw reconstruct      | 5.8 5.8.1
        order_known no, stage initial-deal        | pit-manager | void replace-cards        | 5.8.2 5.8.2.1 5.13
        order_known no, stage after-initial-deal  | pit-manager | decide-order withdraw-all | 5.8.2 5.8.2.2
        """,
    )


def test_5_9_the_device_is_reset(book: Rulebook) -> None:
    remedies = "settle-decided withdraw reopen"
    orders(book, "device-reset", "device-reset", f" | dealer | {remedies} | 5.9", needs="reader")


def test_5_10_the_handler_is_not_there(book: Rulebook) -> None:
    orders(book, "absent-handler", "absent-handler", " | dealer | dealer-exposes | 5.10", needs="face-down")


def test_5_11__5_11_1__5_11_2__5_11_2_1__5_11_3__5_11_4__5_11_5_left_with_cards(book: Rulebook) -> None:
    orders(
        book,
        "left-with-cards",
        "left-with-cards",
        """
        values_known yes | pit-supervisor       | ascertain continue | 5.11
        values_known no  | gaming-shift-manager | substitute-cards continue new-cards | 5.11.1 5.11.2 5.11.2.1 5.11.3 5.11.4 5.11.5
        """,
    )


def test_5_12__5_12_1_exposed_while_the_device_moved(book: Rulebook) -> None:
    orders(book, "exposed-moving-device", "", " | dealer | continue | 5.12.1", needs="player-device")


def test_5_12__5_12_2_altered_while_the_device_moved(book: Rulebook) -> None:
    orders(
        book,
        "altered-moving-device",
        "order-altered",
        """
        reconstructable yes | pit-manager | reconstruct continue | 5.12
        reconstructable no  | pit-manager | void new-cards       | 5.12.2
        """,
        needs="player-device",
    )


def test_3_5_1__5_14__5_16_under_the_minimum(book: Rulebook) -> None:
    orders(
        book,
        "under-minimum",
        "below-minimum",
        """
        noticed bets-open   | dealer | refuse      | 3.5.1
        noticed bets-closed | dealer | settle-once | 5.14
        noticed settled     | dealer | settle-once | 5.14
        noticed next-round  | dealer | stand       | 5.16
        """,
    )
    says(book.limits.below_minimum_unnoticed, "settle-once", "5.14")


def test_3_5_1__5_15__5_16_over_the_maximum(book: Rulebook) -> None:
    orders(
        book,
        "over-maximum",
        "above-maximum",
        """
        noticed bets-open   | dealer | refuse     | 3.5.1
        noticed bets-closed | dealer | to-maximum | 5.15
        noticed settled     | dealer | to-maximum | 5.15
        noticed next-round  | dealer | stand      | 5.16
        """,
    )
    says(book.limits.above_maximum_unnoticed, "to-maximum", "5.15")


def test_5_17__5_17_1__5_17_2_power_failure(book: Rulebook) -> None:
    orders(
        book,
        "power-failure",
        "interruption",
        """
        outcome_established no  | dealer | withdraw-all continue | 5.17.1
        outcome_established yes | dealer | continue              | 5.17.2
        """,
    )


def test_5_18__5_18_1__5_18_2__5_18_3_over_the_differential(book: Rulebook) -> None:
    orders(
        book,
        "over-differential",
        "differential",
        """
        card_drawn no                           | dealer      | remove       | 5.18.1 5.18.2 5.18.3
        card_drawn yes, outcome_established no  | pit-manager | remove-named | 5.18.3
        card_drawn yes, outcome_established yes | dealer      | continue     | 5.18
        """,
    )


def test_6_1_what_no_rule_covers(book: Rulebook) -> None:
    orders(book, "not-covered", "uncovered", " | gaming-shift-manager | decide | 6.1")


def test_6_3_the_cards_decide_not_the_display(book: Rulebook) -> None:
    orders(book, "display-error", "display", " | dealer | correct-display | 6.3")
    assert "for information" in shown(book, "6.3")
