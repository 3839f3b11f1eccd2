"""What people may do follows from the record as it stands: interpretations 44 to 65, a small table for each.

Each test is named for a paragraph (the documents it is of are in its first lines) and for the interpretation that it
shows. What is asked are commands and what can be bought, chosen or handed over; no test looks at how a state is kept.
"""

from typing import Any

import msgspec
import pytest

from irregularities.situations import BANK, CBI, MBS, PLAYER_WINS, TBC, TO_COME, V4, Scene, only
from thirdcard.cards import parse_cards
from thirdcard.rulebook.model import Side
from thirdcard.table import Refusal, commands, decide
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import (
    DecidedSettled,
    DisplayCorrected,
    InsuranceClosed,
    LateInsuranceOpened,
    RoundVoided,
    SettlementReversed,
)
from thirdcard.table.setup import Limit

TWO = (("ann", "player", 100_00), ("cat", "player", 100_00))  # both on Player, in box 1
METHOD_C: dict[str, Any] = {"high_limit": True, "device": "reader", "method": "C"}


# Asking ---------------------------------------------------------------------------------------------------


def takes(table: Scene, command: AnyCommand) -> bool:
    """Whether a command would be accepted; nothing happens."""
    return not isinstance(decide(table.state, command), Refusal)


def to_choose(table: Scene) -> set[str]:
    """Whom the dealer may record a choice for."""
    options = table.legal("dee")
    return {one.command.player for one in options if isinstance(one.command, commands.Choose)}


def silent(table: Scene) -> set[str]:
    """Who would be silent if insurance closed now."""
    found = [one.command for one in table.legal("dee") if isinstance(one.command, commands.CloseInsurance)]
    return set(found[0].silent) if found else set()


def may_buy(table: Scene, player: str) -> dict[tuple[int, str], int]:
    """The most that somebody may put on each offer: (0, hand) in the ordinary way, (window, hand) late."""
    found = [one for one in table.legal(player) if isinstance(one.command, commands.Insure)]
    return {(one.command.window, str(one.command.hand)): one.most or 0 for one in found}  # type: ignore[union-attr]


def late_offer(table: Scene, *players: str, window: int = 1) -> tuple[str, ...]:
    """A neglected window is reported for these people and ruled on; to whom the late offer is made."""
    table.report("neglected-insurance", players=players, window=window)
    return only(table.rule("pam"), LateInsuranceOpened).players


def handing(player: str, *places: int) -> commands.HandOver:
    return commands.HandOver(by="dee", player=player, cards=places)


def face_down_fifth(*bets: tuple[str, str, int], fifth: str = "2D") -> Scene:
    """Player 5 against Banker 4; the Player's third card lies face down, and nobody has answered."""
    table = Scene(TBC, method="face-down")
    table.shown(TO_COME, *(bets or TWO))
    table.deal(fifth)
    return table


def face_down_sixth(*bets: tuple[str, str, int]) -> Scene:
    """Player 7 against Banker 4; the Banker's third card lies face down, and nobody has answered either window."""
    table = Scene(TBC, method="face-down")
    table.shown(f"{TO_COME} 2D", *(bets or TWO))
    table.deal("5S")
    return table


# 44 to 48: cards and offers -------------------------------------------------------------------------------


def test_5_9_interpretation_44_a_sure_win_of_an_open_tier_is_paid_at_the_lowest() -> None:
    """MBS: the Player has a pair, whether the Banker has one too nobody will ever know."""
    table = Scene(MBS, device="reader")
    table.dealt("2C 4H 2D", ("ann", "tiger-pair", 10_00), ("bob", "banker", 100_00))
    table.report("device-reset")
    (line,) = only(table.rule("dee"), DecidedSettled).lines
    assert (line.odds, line.net, table.net("ann")) == ("4 to 1", 40_00, 40_00)


def test_3_12_interpretation_45_an_unseen_third_card_waits_for_the_insurance() -> None:
    """TBC: the fourth and the fifth card came out together; the window comes between them."""
    table = Scene(TBC)
    table.dealt("2C 4H 3D")
    table.report("drawn-together", "KS 2D", order_known=True)
    table.rule("sue")
    table.all_go_on()
    assert (table.offers(), table.waiting) == ({"player": "3 to 2"}, ["2D"])
    assert may_buy(table, "ann") == {(0, "player"): 100_00}
    table.do(commands.Decline(by="ann"))
    table.do(commands.Draw(by="dee"))
    assert table.sees("ann") == [*TO_COME.split(), "2D"]


def test_5_3_interpretation_45_a_card_ends_the_window_also_when_another_came_with_it() -> None:
    """TBC: two cards come out while the first window is open: who had not answered has been silent."""
    table = Scene(TBC)
    table.dealt(TO_COME, *TWO)
    table.do(commands.Decline(by="cat"))
    table.report("drawn-together", "2D 5S", order_known=True)
    table.rule("sue")
    table.all_go_on()
    assert (table.offers(), table.waiting) == ({"player": "4 to 1"}, ["5S"])
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 10_00))
    table.insure("cat", "player", 10_00, box=1)


def test_3_14__5_10_the_bankers_card_is_seen_first_only_with_the_cards_as_they_are_put_in_order() -> None:
    """CBI: by the order that is decided on, the Banker's third card is no longer due whatever the Player's is."""
    table = Scene(CBI, method="face-down")
    table.dealt("KC KH 3D 2S")
    table.expose(1, 2, 3, 4)
    table.do(commands.RequestBankerThirdFirst(by="ann"))
    table.do(commands.BankerThirdFirst(by="sue", player="ann"))
    table.deal("KD")
    table.report("drawn-together", "6S", cards=(4, 5), shown=(6,), order_known=False)
    table.rule("sue", "3 2 1")  # the Banker has 6 now, and draws against some third cards alone
    table.all_go_on()
    assert (len(table.current.drawn), table.waiting) == (5, ["2S"])
    table.do(commands.Expose(by="dee", cards=(5,), names=tuple(parse_cards("KD"))))
    table.settle()
    assert table.current.settlement is not None
    assert (table.current.settlement.banker, table.waiting) == (6, ["2S"])


@pytest.mark.parametrize(("cards", "asked"), [((), {"ann", "bob", "cat"}), ((2, 4), {"ann", "bob"})])
def test_5_9_interpretation_46_a_report_says_which_cards_it_touches(
    cards: tuple[int, ...], asked: set[str]
) -> None:
    """TBC: with the Player's cards beyond doubt Cat's Player Pair is lost; with none of them she chooses too."""
    table = Scene(TBC)
    bets = (("ann", "player", 100_00), ("bob", "banker", 100_00), ("cat", "player-pair", 10_00))
    table.dealt(PLAYER_WINS, *bets)
    table.report("wrong-area-or-person", cards=cards)
    table.rule("sue", reconstructable=False)
    assert to_choose(table) == asked


def test_3_12_1_interpretation_47_the_gaming_shift_manager_lets_the_dealer_draw() -> None:
    """MBS, method C: nobody will have the device."""
    table = Scene(MBS, **METHOD_C)
    table.bets()
    table.close()
    assert table.refused(table.drawing("9C")).code == "not-allowed-here"
    table.decide("continue")
    table.deal("9C 4H KD 2S")


def test_3_12_8_interpretation_47_who_walks_away_leaves_the_rest_of_the_round_to_the_dealer() -> None:
    """MBS, method C."""
    table = Scene(MBS, **METHOD_C)
    table.bets()
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    table.deal("9C", by="ann")
    table.do(commands.Leave(by="ann"))
    table.deal("4H KD 2S")


def test_3_12_8__5_11_interpretation_47_a_holder_who_left_with_cards_has_lost_the_device() -> None:
    """MBS, method C: the ruling finds that Ann is gone."""
    table = Scene(MBS, **METHOD_C)
    table.bets()
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    table.deal("2C 4H 3D KS", by="ann")
    table.do(handing("ann", 1, 3))
    table.report("left-with-cards", players=("ann",), values_known=True)
    table.rule("sue")
    table.expose(2, 4)
    table.refused(table.drawing("4D", by="ann"))
    table.deal("4D")


def test_5_14_1_interpretation_48_silence_in_the_first_window_stands_against_a_neglected_second() -> None:
    """TBC: Cat said no to the first window and was passed over in the second; Ann had been silent in the first."""
    table = Scene(TBC, method="face-down")
    table.shown(TO_COME, *TWO)
    table.do(commands.Decline(by="cat"))
    table.show("2D")
    table.deal("5S")
    assert late_offer(table, window=2) == ("cat",)
    table.refused(table.insuring("ann", "player", 10_00, window=2))


def test_5_14_1_interpretation_48_silence_stands_not_against_an_earlier_window() -> None:
    """TBC: Ann was never offered the first window and silent in the second."""
    table = Scene(TBC, method="face-down")
    table.shown(TO_COME)
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam")
    table.do(commands.Decline(by="ann"))
    table.show("2D")
    table.deal("5S")  # silent in the second window
    table.refuses(
        "insurance-not-open", ("3.11", "3.12", "3.12.1", "4.2.1"), table.insuring("ann", "player", 1_00)
    )
    other = face_down_sixth()
    assert late_offer(other, "cat", window=1) == ("cat",)
    assert (1, "player") in may_buy(other, "cat")


def test_5_3_interpretation_48_silence_to_a_late_offer_is_silence() -> None:
    """TBC: the late offer of the first window runs out with the Player's third card, and the second is forgone."""
    table = face_down_fifth()
    late_offer(table, "ann", "cat")
    table.do(commands.Decline(by="cat"))
    table.expose(5)
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 10_00))
    table.insure("cat", "player", 10_00, box=1)


# 49: rights are derived -----------------------------------------------------------------------------------


def test_3_12_interpretation_49_a_suit_put_right_leaves_an_open_offer_alone() -> None:
    """TBC."""
    table = Scene(TBC)
    table.dealt(TO_COME, *TWO)
    table.do(commands.Decline(by="cat"))
    before = may_buy(table, "ann")
    table.amend("2D 4H 3D KS")
    assert (may_buy(table, "ann"), silent(table)) == (before, {"ann"})
    assert not takes(table, commands.Decline(by="cat"))


def test_5_14_1_interpretation_49_a_suit_put_right_leaves_a_late_offer_alone() -> None:
    """TBC."""
    table = face_down_fifth()
    late_offer(table, "ann")
    before = may_buy(table, "ann")
    assert before == {(1, "player"): 66_00}
    table.amend("2D 4H 3D KS ?")
    assert (may_buy(table, "ann"), silent(table)) == (before, {"ann"})


def test_5_14_1_interpretation_49_points_put_right_move_the_late_offer_to_its_true_row() -> None:
    """TBC: Player 6, not 5: 5 to 2 where 3 to 2 had been offered, and the cap of the late offer follows."""
    table = face_down_fifth()
    late_offer(table, "ann")
    table.amend("3C 4H 3D KS ?")
    assert may_buy(table, "ann") == {(1, "player"): 40_00}
    assert not takes(table, table.insuring("ann", "player", 41_00, window=1))


def test_5_14_1_interpretation_49_a_late_offer_ends_with_the_bet_that_it_insures() -> None:
    """TBC: the Player's third card was an 8, the Banker stands on 4, and Ann's bet is lost."""
    table = Scene(TBC)
    table.dealt(f"{TO_COME} 2D", *TWO)
    late_offer(table, "ann")
    table.amend(f"{TO_COME} 8D")
    assert (may_buy(table, "ann"), silent(table)) == ({}, set())
    table.settle()
    assert table.net("ann") == -100_00


def test_3_12_interpretation_49_a_no_stands_where_a_card_was_drawn_once_more() -> None:
    """TBC: the fourth card had not come out; then it does, and the offer is the same."""
    table = Scene(TBC)
    table.dealt(TO_COME, *TWO)
    table.do(commands.Decline(by="ann"))
    table.amend("2C 4H 3D")
    table.deal("QS")
    assert (may_buy(table, "ann"), silent(table)) == ({}, {"cat"})


def test_5_13_interpretation_49_a_bet_found_while_others_choose_is_asked_about() -> None:
    """TBC: Cat's chips had not been seen."""
    table = Scene(TBC)
    table.dealt("2C 4H")
    table.report("other-dealing-error")
    table.rule("sue")
    assert to_choose(table) == {"ann", "bob"}
    table.record("cat", "player", 50_00, box=1)
    assert to_choose(table) == {"ann", "bob", "cat"}
    table.goes_on("ann")
    table.goes_on("bob")
    assert not takes(table, table.drawing("3D"))
    table.takes_back("cat")
    assert table.stakes() == {("ann", 1, "player"): 100_00, ("bob", 2, "banker"): 100_00}
    table.deal("3D")


def test_5_13_interpretation_49_a_bet_struck_while_people_choose_is_not_waited_for() -> None:
    """TBC: Bob's chips had lain in another box and were nobody's bet on Banker."""
    table = Scene(TBC)
    table.dealt("2C 4H")
    table.report("other-dealing-error")
    table.rule("sue")
    table.goes_on("ann")
    table.record("bob", "banker", 0)
    assert to_choose(table) == set()
    table.deal("3D")


def test_5_13_interpretation_49_who_has_chosen_is_asked_again_for_nothing() -> None:
    """TBC: Ann goes on; more chips of hers are found, and she has accepted every later card."""
    table = Scene(TBC)
    table.dealt("2C 4H")
    table.report("other-dealing-error")
    table.rule("sue")
    table.goes_on("ann")
    table.record("ann", "tie", 20_00)
    assert to_choose(table) == {"bob"}
    table.goes_on("bob")
    table.deal("3D")


# 50 and 51: neglected offers ------------------------------------------------------------------------------


def test_5_14_1_interpretation_50_late_offers_stand_side_by_side() -> None:
    """TBC: one player's late offer does not end when another's is ruled on."""
    table = face_down_fifth()
    assert late_offer(table, "ann") == ("ann",)
    assert late_offer(table, "cat") == ("cat",)
    assert (may_buy(table, "ann"), silent(table)) == ({(1, "player"): 66_00}, {"ann", "cat"})
    table.do(table.insuring("cat", "player", 10_00, box=1, window=1))
    assert silent(table) == {"ann"}
    table.do(table.insuring("ann", "player", 66_00, window=1))
    assert silent(table) == set()


def test_5_14_1_interpretation_50_both_windows_of_one_person() -> None:
    """TBC: both were neglected, and both can be bought within the winnings of the Original Bet."""
    table = face_down_sixth()
    late_offer(table, "ann", window=1)
    late_offer(table, "ann", window=2)
    assert may_buy(table, "ann") == {(1, "player"): 66_00, (2, "player"): 25_00}
    table.do(table.insuring("ann", "player", 20_00, window=1))  # at 3 to 2: 70 of the 100 are left
    table.refuses("over-the-cap", ("5.14.1",), table.insuring("ann", "player", 18_00, window=2))
    table.do(table.insuring("ann", "player", 17_00, window=2))
    table.expose(6)
    table.settle()
    assert [line.net for line in table.lines() if line.player == "ann"] == [-100_00, 30_00, 68_00]


def test_5_14_1_interpretation_50_a_no_ends_ones_own_offer_only() -> None:
    """TBC: Cat declines; Ann's offer is open still, and Cat's other window too, which was ruled on after."""
    table = face_down_sixth()
    late_offer(table, "ann", window=1)
    late_offer(table, "cat", window=1)
    table.do(commands.Decline(by="cat"))
    late_offer(table, "cat", window=2)
    assert may_buy(table, "ann") == {(1, "player"): 66_00}
    assert may_buy(table, "cat") == {(2, "player"): 25_00}
    assert silent(table) == {"ann", "cat"}


def test_5_13_interpretation_51_a_neglect_found_frees_everybody_who_was_not_offered() -> None:
    """CBI: only Ann had meant to insure; Cat was not offered the first window either, and buys in the second."""
    table = Scene(CBI)
    table.dealt(f"{TO_COME} 2D", *TWO)
    table.report("neglected-insurance", window=1)
    table.rule("pam", intended=("ann",))
    assert silent(table) == {"ann", "cat"}
    table.insure("cat", "player", 10_00, box=1)
    table.insure("ann", "player", 10_00)


def test_3_12__5_14_1_interpretation_51_the_second_who_was_passed_over_is_freed_too() -> None:
    """TBC: the window is open again for Ann when it is found that Cat was not asked either."""
    table = Scene(TBC)
    table.dealt(TO_COME, *TWO)
    table.do(commands.CloseInsurance(by="dee", silent=("ann", "cat")))
    for player in ("ann", "cat"):
        table.report("neglected-insurance", players=(player,), window=1)
        table.rule("pam")
    assert silent(table) == {"ann", "cat"}
    table.insure("cat", "player", 10_00, box=1)


def test_5_14_1_interpretation_51_who_was_silent_in_a_window_of_their_own_stays_so() -> None:
    """TBC: the report names Ann; Cat was asked and said nothing."""
    table = face_down_fifth()
    assert late_offer(table, "ann") == ("ann",)
    table.do(commands.Decline(by="ann"))
    table.expose(5)
    table.refuses("insurance-forgone", ("5.3",), table.insuring("cat", "player", 10_00, box=1))
    table.insure("ann", "player", 10_00)


def test_5_13_interpretation_51_walking_away_later_bars_no_intention() -> None:
    """CBI: Ann was passed over in the first window and left when all cards lay there."""
    table = Scene(CBI)
    table.dealt(f"{TO_COME} 2D 5S")
    table.do(commands.Leave(by="ann"))
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam", intended=("ann",))
    table.settle()
    assert (table.line("ann", "player").result, table.net("ann")) == ("returned", 0)


def test_5_13_interpretation_51_walking_away_before_bars_it() -> None:
    """CBI: Ann was gone before anything could be offered to her."""
    table = Scene(CBI)
    table.dealt("2C 4H 3D")
    table.do(commands.Leave(by="ann"))
    table.deal("KS 2D 5S")
    report = table.reporting("neglected-insurance", players=("ann",), window=1)
    if takes(table, report):
        table.do(report)
        assert not takes(table, table.ruling("pam", intended=("ann",)))


@pytest.mark.parametrize("slug", [TBC, CBI])
def test_5_13__5_14_interpretation_51_no_report_for_who_has_no_bet_on_the_hand(slug: str) -> None:
    """TBC 5.14, CBI 5.13: the first window insures Player; Bob's bet is on Banker."""
    table = Scene(slug, method="face-down")
    table.shown(TO_COME)
    table.deal("2D")
    table.refused(table.reporting("neglected-insurance", players=("bob",), window=1))
    table.refused(table.reporting("neglected-insurance", players=("ann", "bob"), window=1))
    assert takes(table, table.reporting("neglected-insurance", players=("ann",), window=1))


@pytest.mark.parametrize("slug", [TBC, CBI])
def test_5_13__5_14_interpretation_51_no_report_for_who_has_answered(slug: str) -> None:
    """TBC 5.14, CBI 5.13."""
    table = Scene(slug, method="face-down")
    table.shown(TO_COME, *TWO, ("bob", "player", 100_00))
    table.do(commands.Decline(by="cat"))
    table.insure("bob", "player", 10_00)
    table.deal("2D")
    table.refused(table.reporting("neglected-insurance", players=("cat",), window=1))
    table.refused(table.reporting("neglected-insurance", players=("bob",), window=1))
    assert takes(table, table.reporting("neglected-insurance", players=("ann",), window=1))


# 52 and 53: limits and errors -----------------------------------------------------------------------------


def over_both(maximum: int) -> Scene:
    """TBN: 800,000 on Player against a differential of 500,000."""
    limits = {"*": Limit(10_00, 2_000_00), "player": Limit(10_00, maximum)}
    table = Scene(V4, limits=limits, differential=500_000_00)
    table.do(commands.BuyIn(by="ann", cents=790_000_00))
    table.open()
    table.record("ann", "player", 800_000_00)
    table.close()
    table.deal(PLAYER_WINS)
    return table


def test_5_1_1_interpretation_52_what_the_differential_cut_is_not_over_a_maximum() -> None:
    table = over_both(600_000_00)
    table.settle()
    assert table.net("ann") - 790_000_00 == 500_000_00


def test_5_1_1_interpretation_52_letting_it_stand_leaves_the_differential_as_it_is() -> None:
    """Half a million still plays over the maximum of 400,000: the shift manager decides on that and on no more."""
    table = over_both(400_000_00)
    assert table.refused(commands.Settle(by="dee")).code == "decision-needed"
    table.decide("let-stand", stakes=(("ann", 1, "player"),))
    table.settle()
    assert table.net("ann") - 790_000_00 == 500_000_00


def test_5_1_1_interpretation_52_nor_does_a_cut_to_the_maximum_play_more_than_the_share() -> None:
    """400,000 of the 500,000 that the differential leaves; where those are within the maximum nothing is cut."""
    table = over_both(400_000_00)
    table.decide("cut-to-maximum", stakes=(("ann", 1, "player"),))
    table.settle()
    assert table.net("ann") - 790_000_00 == 400_000_00
    table = over_both(600_000_00)
    table.report("not-covered")
    cut = table.ruling("sam", action="cut-to-maximum", reason="why not", stakes=(("ann", 1, "player"),))
    if takes(table, cut):
        table.do(cut)
        table.settle()
        assert table.net("ann") - 790_000_00 == 500_000_00


def test_5_19_interpretation_52_let_stand_asks_for_a_stake_over_a_limit() -> None:
    """TBC: a stake within its limits is not let stand, and no settlement is reversed for it."""
    table = Scene(TBC)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.report("not-covered")
    ruling = table.ruling("sam", action="let-stand", reason="why not", stakes=(("ann", 1, "player"),))
    ruled = decide(table.state, ruling)
    assert isinstance(ruled, Refusal) or not any(isinstance(one, SettlementReversed) for one in ruled)


@pytest.mark.parametrize("slug", [TBC, CBI, V4])
def test_5_12__5_13_interpretation_53_no_dealing_error_before_the_first_card(slug: str) -> None:
    """TBC and TBN 5.13, CBI 5.12."""
    table = Scene(slug)
    table.bets()
    table.refused(table.reporting("other-dealing-error"))
    table.close()
    table.refused(table.reporting("other-dealing-error"))
    table.deal("9C")
    assert takes(table, table.reporting("other-dealing-error"))
    table.deal("4H KD 2S")
    table.settle()
    assert takes(table, table.reporting("other-dealing-error"))


@pytest.mark.parametrize("slug", [TBC, MBS])
def test_5_16__6_3_no_display_error_before_the_outcome(slug: str) -> None:
    """TBC 5.16, MBS 6.3: there is nothing yet that a display could show wrongly."""
    table = Scene(slug)
    table.dealt("2C 4H")
    report = table.reporting("display-error", displayed="tie")
    if takes(table, report):
        table.do(report)
        assert not any(isinstance(event, DisplayCorrected) for event in table.rule("dee"))


def test_5_12_1_nobody_exposes_a_card_with_a_device_that_nobody_has() -> None:
    """MBS, method C."""
    table = Scene(MBS, **METHOD_C)
    table.bets()
    table.close()
    table.refused(table.reporting("exposed-moving-device"))
    table.do(commands.GiveDevice(by="dee", player="ann"))
    assert takes(table, table.reporting("exposed-moving-device"))


@pytest.mark.parametrize("slug", [TBC, MBS])
def test_a_set_up_that_stays_as_it_is_is_no_event(slug: str) -> None:
    table = Scene(slug)
    table.refused(commands.ChangeSetup(by="pam", changes=commands.Changes()))
    same = commands.Changes(differential=1_000_00)
    table.refused(commands.ChangeSetup(by="pam", changes=same))


# 54: debts ------------------------------------------------------------------------------------------------


def in_debt() -> Scene:
    """TBC: Ann won 100 and cashed everything in; the round turned out a tie, and she owes 100."""
    table = Scene(TBC)
    table.dealt(PLAYER_WINS, ("ann", "player", 100_00))
    table.settle()
    table.do(commands.CashOut(by="ann", cents=BANK + 100_00))
    table.do(commands.Correct(by="sue", cards=parse_cards("9C 9H KD KS"), reason="misread"))
    assert (table.rack("ann"), table.state.debt("ann")) == (0, 100_00)
    table.do(commands.BuyIn(by="ann", cents=50_00))
    assert (table.rack("ann"), table.state.debt("ann")) == (50_00, 100_00)
    return table


def test_5_17_interpretation_54_a_reversal_is_netted() -> None:
    """TBC: 200 are taken and 100 come back; 150 are there, so nothing is owed."""
    table = Scene(TBC)
    table.dealt(PLAYER_WINS, ("ann", "player", 100_00))
    table.settle()
    table.do(commands.CashOut(by="ann", cents=BANK - 50_00))
    table.do(commands.Void(by="sam", reason="misdeal"))
    assert (table.rack("ann"), table.state.debt("ann")) == (50_00, 0)


def test_5_17_interpretation_54_a_void_returns_the_bet_of_who_owes() -> None:
    table = in_debt()
    table.dealt("2C", ("ann", "player", 50_00))
    table.do(commands.Void(by="sam", reason="misdeal"))
    assert (table.rack("ann"), table.state.debt("ann")) == (50_00, 100_00)


def test_5_13_3_interpretation_54_a_bet_taken_back_is_returned() -> None:
    table = in_debt()
    table.dealt("2C", ("ann", "player", 50_00))
    table.report("other-dealing-error")
    table.rule("sue")
    table.takes_back("ann")
    assert (table.rack("ann"), table.state.debt("ann")) == (50_00, 100_00)


def test_4_1_2_interpretation_54_only_winnings_pay_a_debt() -> None:
    table = in_debt()
    table.dealt("9C 4H KH 2S", ("ann", "player", 50_00))
    table.settle()
    assert (table.rack("ann"), table.state.debt("ann")) == (50_00, 50_00)


def test_3_17_interpretation_54_a_tie_gives_the_bet_back() -> None:
    table = in_debt()
    table.dealt("9C 9D KH KS", ("ann", "player", 50_00))
    table.settle()
    assert (table.rack("ann"), table.state.debt("ann")) == (50_00, 100_00)


def test_5_17_interpretation_54_an_older_debt_has_no_part_in_a_reversal() -> None:
    """The 50 that Ann lost come back with the void of the round, all of them."""
    table = in_debt()
    table.dealt("4C 9H 2D KD", ("ann", "player", 50_00))
    table.settle()
    assert (table.rack("ann"), table.state.debt("ann")) == (0, 100_00)
    table.do(commands.Void(by="sam", reason="misdeal"))
    assert (table.rack("ann"), table.state.debt("ann")) == (50_00, 100_00)


# 55: squeezing --------------------------------------------------------------------------------------------


def squeezing(*bets: tuple[str, str, int]) -> Scene:
    """TBC, face down, bets closed: Ann has the largest bet unless it is said otherwise."""
    table = Scene(TBC, method="face-down")
    table.bets(*(bets or (("ann", "player", 200_00), ("bob", "banker", 100_00))))
    table.close()
    return table


def permitting(player: str, *places: int) -> commands.PermitSqueeze:
    return commands.PermitSqueeze(by="sue", player=player, cards=places)


def test_3_9_interpretation_55_requests_stand_side_by_side() -> None:
    table = squeezing()
    table.do(commands.RequestSqueeze(by="ann", cards=(1,)))
    table.do(commands.RequestSqueeze(by="ann", cards=(3,)))
    assert takes(table, permitting("ann", 1))
    assert takes(table, permitting("ann", 1, 3))


def test_3_9_interpretation_55_requests_of_two_people() -> None:
    """Ann's chips turn out to be fewer: then Bob has the largest bet and asks too."""
    table = squeezing()
    table.do(commands.RequestSqueeze(by="ann", cards=(1,)))
    table.record("ann", "player", 50_00)
    table.do(commands.RequestSqueeze(by="bob", cards=(2,)))
    assert takes(table, permitting("bob", 2))


def test_3_9_interpretation_55_a_permit_ends_with_its_bet() -> None:
    """Ann's chips had been Bob's: there was no bet of hers."""
    table = squeezing()
    table.do(commands.RequestSqueeze(by="ann", cards=(1, 3)), permitting("ann", 1, 3))
    table.deal(TO_COME)
    table.record("ann", "player", 0)
    table.refused(handing("ann", 1, 3))


def test_3_9_interpretation_55_a_permit_ends_with_a_bet_that_was_taken_back() -> None:
    table = squeezing()
    table.do(commands.RequestSqueeze(by="ann", cards=(1, 3)), permitting("ann", 1, 3))
    table.deal(TO_COME)
    table.report("other-dealing-error")
    table.rule("sue")
    table.takes_back("ann")
    table.goes_on("bob")
    table.refused(handing("ann", 1, 3))


def test_3_9_interpretation_55_who_has_left_is_handed_nothing() -> None:
    table = squeezing()
    table.do(commands.RequestSqueeze(by="ann", cards=(1, 3)), permitting("ann", 1, 3))
    table.deal(TO_COME)
    table.do(commands.Leave(by="ann"))
    table.refused(handing("ann", 1, 3))


def test_3_21_interpretation_55_who_has_left_without_a_wager_is_handed_nothing() -> None:
    """MBS, method A: the Pit Manager lets Dan squeeze, who has no wager and then leaves his seat."""
    table = Scene(MBS, method="A")
    table.do(commands.Sit(by="dan", box=4))
    table.bets()
    table.close()
    table.do(commands.PermitSqueeze(by="pam", player="dan", cards=(1, 3)))
    table.deal(TO_COME)
    assert takes(table, handing("dan", 1, 3))
    table.do(commands.Leave(by="dan"))
    table.refused(handing("dan", 1, 3))


def test_3_12_3_interpretation_55_nor_is_a_hand_passed_on_to_who_has_left() -> None:
    """MBS, method C: Dan has no wager and leaves his seat."""
    table = Scene(MBS, **METHOD_C)
    table.do(commands.Sit(by="dan", box=4))
    table.bets()
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    table.deal(TO_COME, by="ann")
    assert takes(table, handing("dan", 1, 3))
    table.do(commands.Leave(by="dan"))
    table.refused(handing("dan", 1, 3))


def test_3_10_7_interpretation_55_one_card_taken_back_ends_the_squeeze_of_that_card_only() -> None:
    """MBS, method A: Ann squeezes the Player's other card, and the third."""
    table = Scene(MBS, method="A")
    table.dealt(TO_COME)
    table.do(handing("ann", 1, 3))
    table.do(commands.TakeCards(by="dee", cards=(1,), reason="bent it too far"))
    table.expose(3, by="ann")
    table.expose(1, 2, 4)
    table.deal("2D")
    table.do(handing("ann", 5))


# 56 and 57: cards in excess, a window reopened ------------------------------------------------------------


def test_5_8_interpretation_56_a_card_in_excess_outlives_a_void() -> None:
    """TBC: a fifth card came out of a round of four; before that was ruled on the round was void."""
    table = Scene(TBC)
    table.dealt(PLAYER_WINS)
    table.report("excess-or-exposed-cards", "7S")
    table.do(commands.Void(by="sam", reason="misdeal"))
    assert table.waiting == ["7S"]
    table.open()
    table.close()
    table.do(commands.Draw(by="dee"))
    assert table.sees("ann") == ["7S"]


def test_5_8_interpretation_56_also_by_the_ruling_on_another_report() -> None:
    """TBC: the power failed before any bet was decided; the card that had come out opens the next round."""
    table = Scene(TBC)
    table.dealt("2C 4H")
    table.report("technical-interruption")
    table.report("excess-or-exposed-cards", "7S 8S")
    only(table.rule("sue"), RoundVoided)
    assert table.waiting == ["7S", "8S"]


def test_5_5_1__5_8_interpretation_56_not_where_the_void_needs_a_new_shoe() -> None:
    """TBC: one of the cards was foreign to the shoe."""
    table = Scene(TBC)
    table.dealt(PLAYER_WINS)
    table.report("foreign-card")
    table.report("excess-or-exposed-cards", "7S")
    only(table.rule("sue"), RoundVoided)
    table.new_shoe_first()
    assert table.waiting == []


def test_3_12_interpretation_57_a_reopened_window_knows_who_declined() -> None:
    """TBC: the dealer had passed Cat over; Ann has said no."""
    table = Scene(TBC)
    table.dealt(TO_COME, *TWO)
    table.do(commands.Decline(by="ann"))
    table.do(commands.CloseInsurance(by="dee", silent=("cat",)))
    table.report("neglected-insurance", players=("cat",), window=1)
    table.rule("pam")
    assert (silent(table), may_buy(table, "ann")) == ({"cat"}, {})
    table.refused(table.insuring("ann", "player", 10_00))
    table.insure("cat", "player", 10_00, box=1)


# 58 to 61: a device that is reset, cards that are sorted --------------------------------------------------


def reset(*bets: tuple[str, str, int], cards: str = "2C 4H 2D", low: int = 0, **changed: Any) -> Scene:  # noqa: ANN401
    """MBS: a reset after three cards; the Player has a pair. Cat's Tiger Pair may lie under the minimum."""
    table = Scene(MBS, **{"device": "reader"} | changed)
    table.bets(*(bets or (("ann", "tiger-pair", 20_00), ("bob", "banker", 100_00))))
    if low:
        table.record("cat", "tiger-pair", low, box=1)
    if "method" in changed:
        table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    table.deal(cards, by="ann" if "method" in changed else "dee")
    if "method" in changed:
        table.expose(*range(1, len(cards.split()) + 1), by="ann")
    table.report("device-reset")
    table.rule("dee")
    table.all_go_on()
    assert table.state.phase == "betting"
    return table


def test_5_9_interpretation_58_a_void_takes_back_what_was_settled_early() -> None:
    table = reset()
    assert table.net("ann") == 80_00
    table.do(commands.Void(by="sam", reason="misdeal"))
    table.everything_is_back()


def test_5_9_interpretation_58_also_what_was_lost_early() -> None:
    table = reset(cards="2C 4H 3D 5S")  # no hand has a pair
    assert table.net("ann") == -20_00
    table.close()
    table.report("foreign-card")
    table.rule("pam")
    table.everything_is_back()


def test_5_14_interpretation_58_a_void_does_not_use_up_the_one_time() -> None:
    table = reset(low=5_00)
    assert table.net("cat") == 20_00
    table.do(commands.Void(by="sam", reason="misdeal"))
    table.open()
    table.record("cat", "player", 5_00, box=1)
    table.close()
    assert table.plays() == {}
    table.deal("9C 4H KD 2S")
    table.settle()
    assert table.net("cat") == 5_00


def test_5_14_interpretation_58_all_wagers_of_the_first_such_round_are_settled() -> None:
    """Cat's first wager under the minimum was paid early; the second is of the same round."""
    table = reset(low=5_00)
    table.record("cat", "player", 5_00, box=1)
    table.close()
    assert table.plays() == {}
    table.deal("9C 4H KD 2S")
    table.settle()
    assert table.net("cat") == 20_00 + 5_00


def test_3_12_8_2_interpretation_58_the_holder_has_not_lost_all_wagers_where_one_was_paid_early() -> None:
    """Method C: Ann's Tiger Pair was paid; her Tie loses, and not all of her wagers have."""
    table = reset(**METHOD_C)
    table.place("ann", "tie", 10_00)
    table.close()
    table.deal(PLAYER_WINS, by="ann")
    table.expose(1, 2, 3, 4, by="ann")
    table.settle()
    table.do(commands.GiveUpDevice(by="ann"))


def test_5_1__5_9_interpretation_59_a_foreign_card_is_not_forgotten_by_a_reset() -> None:
    table = Scene(MBS, device="reader")
    table.dealt("2C 4H")
    table.report("device-reset")
    table.rule("dee")
    table.report("foreign-card")
    table.all_go_on()
    assert not takes(table, commands.Close(by="dee"))
    table.refuses("wrong-rank", ("5.1", "5.1.1", "5.1.2", "5.13"), table.ruling("dee"))
    only(table.rule("pam"), RoundVoided)
    table.new_shoe_first()


def test_5_7__5_9_interpretation_59_what_was_about_the_cards_ends_and_says_so() -> None:
    table = Scene(MBS, device="reader")
    table.dealt("2C 4H 3D")
    table.report("device-reset")
    table.report("wrong-order", cards=(1, 2))
    table.rule("dee")
    before = len(table.log)
    table.all_go_on()
    assert takes(table, commands.Close(by="dee"))
    said = [msgspec.to_builtins(event).get("case") for event in table.log[before:]]
    assert "wrong-order" in said


def cut_card_first() -> Scene:
    """MBS, high limit: the cut card comes first in the second round."""
    table = Scene(MBS, cut=8 * 52 - 6, high_limit=True, device="reader")
    table.dealt("2C 4H 3D KS 2H KD", ("ann", "player", 10_00))
    table.settle()
    table.bets()
    table.close()
    table.do(commands.CutCard(by="dee"))
    return table


def test_3_22_1_interpretation_60_an_earlier_report_takes_no_leave_away() -> None:
    table = cut_card_first()
    table.decide("continue")
    table.do(commands.AllowWithdrawal(by="dee"))
    table.take_back("ann", "player")


def test_3_22_1_interpretation_60_nor_does_a_report_after_it() -> None:
    table = cut_card_first()
    table.do(commands.AllowWithdrawal(by="dee"))
    table.decide("continue")
    table.take_back("ann", "player")


def test_3_22_1__5_9_interpretation_60_a_reset_ends_it() -> None:
    table = cut_card_first()
    table.do(commands.AllowWithdrawal(by="dee"))
    table.report("device-reset")
    table.rule("dee")
    table.all_go_on()
    table.close()
    table.refuses("wrong-phase", ("5.5",), table.taking_back("ann", "player"))
    table.refuses("not-allowed-here", ("3.22.1",), commands.AllowWithdrawal(by="dee"))


def sorted_cards() -> Scene:
    """MBS, method A: Ann left with the first card, and all cards but two lie sorted on the table."""
    table = Scene(MBS, method="A")
    table.dealt("2C 4H")
    table.do(handing("ann", 1))
    table.report("left-with-cards", players=("ann",), values_known=False)
    table.rule("sam", substitutes={1: "2C"})
    table.deal("3D KS")  # the two that were set aside
    table.expose(1, 2, 3, 4)
    return table


def test_5_11_4_interpretation_61_nothing_more_is_drawn_than_was_set_aside() -> None:
    table = sorted_cards()
    table.refused(table.drawing("2D"))


def test_5_3__5_11_interpretation_61_a_round_that_needs_more_is_void() -> None:
    table = sorted_cards()
    table.report("too-few-cards")
    only(table.rule("pam"), RoundVoided)
    table.everything_is_back()
    table.new_shoe_first()


# 62 to 65: removals, rules of reports, the device, corrections --------------------------------------------


def test_5_18_interpretation_62_the_differential_is_judged_on_the_wagers_as_they_lie() -> None:
    """MBS: 1,200 against 500 was within 1,000; Bob withdrew by right."""
    table = cut_card_first_with(("ann", "player", 1_200_00), ("bob", "banker", 500_00))
    table.do(commands.AllowWithdrawal(by="dee"))
    table.refused(table.reporting("over-differential"))
    table.take_back("bob", "banker")
    assert takes(table, table.reporting("over-differential"))


def cut_card_first_with(*bets: tuple[str, str, int]) -> Scene:
    table = Scene(MBS, cut=8 * 52 - 6, high_limit=True, device="reader")
    table.dealt("2C 4H 3D KS 2H KD", ("dan", "tie", 10_00))
    table.settle()
    table.bets(*bets)
    table.close()
    table.do(commands.CutCard(by="dee"))
    return table


def test_5_18_3_interpretation_62_a_removal_cuts_no_further() -> None:
    """MBS: 500 too much on Player."""
    table = Scene(MBS)
    table.bets(("ann", "player", 1_500_00))
    table.close()
    removing = commands.Remove(by="pam", player="ann", box=1, bet="player", cents=600_00)
    table.refused(removing)
    table.do(msgspec.structs.replace(removing, cents=500_00))
    table.close()


def test_5_18_3_interpretation_62_what_would_fall_under_the_minimum_comes_off_whole() -> None:
    """MBS: 95 too much; of Bob's 100 only 5 would be left."""
    table = Scene(MBS)
    table.bets(("ann", "player", 995_00), ("bob", "player", 100_00))
    table.close()
    removing = commands.Remove(by="pam", player="bob", box=2, bet="player", cents=100_00)
    table.do(removing)
    table.close()


def test_5_18_3_interpretation_62_nor_after_the_first_card() -> None:
    """MBS: the chips of Ann had been recorded wrongly."""
    table = Scene(MBS)
    table.dealt("2C", ("ann", "player", 900_00), ("bob", "banker", 100_00))
    table.record("ann", "player", 1_500_00)
    table.report("over-differential")
    more = table.ruling("pam", stakes=(("ann", 1, "player"),), amounts=(1_000_00,))
    table.refused(more)
    table.rule("pam", stakes=(("ann", 1, "player"),), amounts=(1_100_00,))
    assert table.stakes()["ann", 1, "player"] == 1_100_00


def test_5_18_2_interpretation_62_an_increase_in_another_box() -> None:
    """MBS: Bob wagers on Banker in box 2 and adds to it in box 3."""
    table = Scene(MBS)
    table.bets(("ann", "player", 1_500_00), ("bob", "banker", 100_00))
    table.close()
    table.refused(table.placing("cat", "banker", 400_00, box=3))
    table.place("bob", "banker", 400_00, box=3)
    table.close()


@pytest.mark.parametrize(
    ("case", "left"),
    [
        ("over-maximum", {("ann", 1, "player"): 2_000_00, ("bob", 2, "banker"): 5_00}),
        ("under-minimum", {("ann", 1, "player"): 2_500_00}),
    ],
)
def test_3_5_1_interpretation_63_a_report_names_its_rule(
    case: str, left: dict[tuple[str, int, str], int]
) -> None:
    """MBS, while bets are open."""
    table = Scene(MBS, differential=None)
    table.open()
    table.record("ann", "player", 2_500_00)
    table.record("bob", "banker", 5_00)
    table.report(case)
    table.rule("dee")
    assert table.stakes() == left


def test_3_12_2_interpretation_64_a_wager_that_goes_back_is_no_valid_one() -> None:
    """MBS, method C: Cat has had her one time under the minimum."""
    table = Scene(MBS, **METHOD_C)
    for last in (False, True):
        table.bets(("ann", "banker", 100_00))
        table.record("cat", "player", 5_00, box=1)
        assert takes(table, commands.GiveDevice(by="dee", player="cat")) is not last
        table.close()
        if not last:
            table.do(commands.GiveDevice(by="dee", player="ann"))
            table.deal(PLAYER_WINS, by="ann")
            table.expose(1, 2, 3, 4, by="ann")
            table.settle()
    table.refuses("wrong-rank", ("3.12.2",), commands.GiveDevice(by="dee", player="cat"))
    assert takes(table, commands.GiveDevice(by="ada", player="cat"))
    assert takes(table, commands.GiveDevice(by="dee", player="ann"))


def test_3_12_2__5_17_1_interpretation_64_who_withdrew_by_right_keeps_the_device() -> None:
    """MBS, method C: the power failed, and Ann took her wager back."""
    table = Scene(MBS, **METHOD_C)
    table.bets()
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    table.deal("9C 4H", by="ann")
    table.report("power-failure")
    table.rule("dee")
    table.takes_back("ann")
    table.goes_on("bob")
    table.refused(commands.TakeDevice(by="dee"))
    table.deal("KD", by="ann")


@pytest.mark.parametrize("slug", [TBC, CBI, V4])
def test_5_5__5_6_interpretation_65_a_supervisor_alone_corrects_a_settled_round(slug: str) -> None:
    """RWS: before the settlement it takes two."""
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    right = commands.Correct(by="sue", cards=parse_cards("9C 9H KD KS"), reason="misread")
    table.refused(right)
    table.do(table.amending("9C 4H KH 2S", by="sue"))
    table.refused(commands.ConfirmAmendment(by="sue"))
    table.do(commands.ConfirmAmendment(by="dee"))
    table.settle()
    table.refused(msgspec.structs.replace(right, by="dee"))
    table.refused(msgspec.structs.replace(right, reason=" "))
    table.do(right)
    assert table.nets("ann", "bob") == [0, 0]


def test_5_3_a_window_that_ends_names_the_silent() -> None:
    """TBC: the dealer's word ends a late offer and a window by right, each with its own silent people."""
    table = Scene(TBC)
    table.dealt(f"{TO_COME} 2D", *TWO)
    late_offer(table, "cat")
    table.do(table.insuring("cat", "player", 10_00, box=1, window=1))
    assert silent(table) == {"cat"}  # Ann was silent in the first window
    closed = [
        event
        for event in table.do(commands.CloseInsurance(by="dee", silent=("cat",)))
        if isinstance(event, InsuranceClosed)
    ]
    assert {(event.window, event.forgone, event.late) for event in closed} == {
        (1, (), True),
        (2, ("cat",), False),
    }


def test_3_10_2_interpretation_30_what_goes_back_counts_for_nothing() -> None:
    """MBS, method A: who is handed the cards follows from what plays when they are handed over."""
    table = Scene(MBS, method="A")
    table.bets(("ann", "player", 200_00), ("bob", "player", 100_00))
    table.close()
    table.deal(TO_COME)
    assert takes(table, handing("ann", 1, 3))
    table.record("ann", "player", 50_00)
    assert not takes(table, handing("ann", 1, 3))
    assert takes(table, handing("bob", 1, 3))
    assert not takes(table, commands.RefuseCards(by="ann", hand=Side.PLAYER))


def test_5_13_nobody_waits_for_who_left_while_an_amendment_was_proposed() -> None:
    """TBC: Bob was still to choose and walks away; the record turns out to have been right."""
    table = Scene(TBC)
    table.dealt("2C 4H")
    table.report("other-dealing-error")
    table.rule("sue")
    table.goes_on("ann")
    table.do(commands.Amend(by="dee", cards=parse_cards("2C 5H"), reason="misread"))
    table.do(commands.Leave(by="bob"))
    table.do(commands.DropAmendment(by="dee", reason="it was right"))
    assert not table.held_up


def test_3_21_a_card_that_somebody_may_squeeze_already_is_not_permitted_again() -> None:
    """With others neither: nothing is accepted and ignored."""
    table = Scene(MBS, method="A")
    table.do(commands.Sit(by="dan", box=4))
    table.bets()
    table.close()
    permits = commands.PermitSqueeze(by="pam", player="dan", cards=(2,))
    table.do(permits)
    assert table.refused(msgspec.structs.replace(permits, cards=(2, 3))).code == "no-right-to-squeeze"
    assert takes(table, msgspec.structs.replace(permits, cards=(3,)))
