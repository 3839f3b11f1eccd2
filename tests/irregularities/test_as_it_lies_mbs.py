"""Records put right in Tiger Baccarat, and what hangs on a settlement: the one time, the device, the pair.

Money is written by hand: Player pays 1 to 1, Banker 0.95 to 1, Tie 8 to 1, Tiger Pair 4, 20 or 100 to 1.
"""

from typing import Any

import pytest

from irregularities.situations import BANKER_WINS, PLAYER_WINS, TO_COME, Scene, cards, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import DecidedSettled

SLUGS = ("mbs-tiger-v2",)
SLUG = SLUGS[0]

METHOD_C: dict[str, Any] = {"method": "C", "device": "reader", "high_limit": True}
FALSE_NATURAL = "2C 4H 7D KS"  # as keyed: Player 9; really TO_COME, with the 3D
TIE_ON_SIX = "2C 4H 4D 2S"


# A card keyed wrongly -------------------------------------------------------------------------------------


def test_3_15_a_natural_that_was_not_there() -> None:
    table = Scene(SLUG)
    table.dealt(FALSE_NATURAL)
    table.amend(TO_COME)
    assert table.refused(commands.Settle(by="dee")).code == "round-not-complete"
    table.deal("2D 5S")
    table.settle()
    assert (table.nets("ann", "bob"), table.roads()) == ([-100_00, 95_00], ["banker"])


def test_1_1_7__6_1_payment_ends_the_round_but_for_the_gaming_shift_manager() -> None:
    table = Scene(SLUG)
    table.dealt(PLAYER_WINS)
    table.settle()
    for person in ("sue", "pam", "ada"):
        correcting = commands.Correct(by=person, cards=cards(BANKER_WINS), reason="keyed wrongly")
        table.refuses("wrong-rank", ("6.1",), correcting)
        table.do(table.amending(BANKER_WINS))
        table.refuses("wrong-rank", ("6.1",), commands.ConfirmAmendment(by=person))
        table.do(commands.DropAmendment(by="dee", reason="not ours to say"))
    table.amend(BANKER_WINS, agreed="sam")
    assert table.nets("ann", "bob") == [-100_00, 95_00]


def test_3_14__4_2_a_pair_that_was_keyed_away() -> None:
    """The Player's second card was a two as well: a pair on each side, 20 to 1; of one rank, 100 to 1."""
    for text, net in (("2C 4H 2D 4S", 200_00), ("2C 2H 2D 2S", 1_000_00), ("2C 4H 2D 5S", 40_00)):
        table = Scene(SLUG)
        table.dealt("2C 4H 3D 4S", ("ann", "tiger-pair", 10_00))
        assert table.net("ann") == -10_00
        table.amend(text)
        while table.state.deal().next is not None:
            table.deal("KC")
        table.settle()
        assert table.line("ann", "tiger-pair").net == net


def test_5_14_the_one_time_is_given_back_with_the_settlement() -> None:
    """Bob's 5 had lost, and with the true cards it was a push: the next one still plays, the one after not."""
    table = Scene(SLUG)
    table.open()
    table.record("bob", "player", 5_00)
    table.close()
    table.deal(BANKER_WINS)
    table.settle()
    assert (table.net("bob"), table.state.once) == (-5_00, ("bob",))
    table.amend(TIE_ON_SIX, agreed="sam")
    assert (table.net("bob"), table.state.once) == (0, ())
    for net in (5_00, 5_00):
        table.open()
        table.record("bob", "player", 5_00)
        table.close()
        table.deal(PLAYER_WINS)
        table.settle()
        assert table.net("bob") == net


def test_3_12_8_2_the_device_goes_with_what_really_lost() -> None:
    """Ann's wager lost as keyed, and the device with it; with the true cards it won, and she has it again."""
    table = Scene(SLUG, **METHOD_C)
    table.bets()
    table.do(commands.GiveDevice(by="dee", player="ann"))
    table.close()
    table.deal(BANKER_WINS, by="ann")
    table.finish()
    assert table.view("dee").device is None
    table.amend(PLAYER_WINS, agreed="sam")
    assert (table.view("dee").device, table.nets("ann", "bob")) == ("ann", [100_00, -100_00])
    table.amend(BANKER_WINS, agreed="sam")
    assert table.view("dee").device is None


# A device that is reset -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "net"),
    [("2C 4H 2D KS", 40_00), ("2C 3H 2D 3S", 200_00), ("2C 2H 2D 2S", 1_000_00), ("2C 4H 3D KS", -10_00)],
)
def test_5_9__4_2_a_tiger_pair_is_paid_before_the_reset(text: str, net: int) -> None:
    table = Scene(SLUG, device="reader")
    table.dealt(text, ("ann", "tiger-pair", 10_00), ("bob", "tie", 10_00))
    table.report("device-reset")
    decided = only(table.rule("dee"), DecidedSettled)
    assert [(line.player, line.net) for line in decided.lines] == [("ann", net)]
    assert (table.net("ann"), list(table.asked())) == (net, ["bob"])
    table.goes_on("bob")
    assert (table.state.phase, table.stakes()) == ("betting", {("bob", 2, "tie"): 10_00})
    table.close()
    table.deal(TIE_ON_SIX)
    table.settle()
    assert table.nets("ann", "bob") == [net, 80_00]


def test_5_9_the_reset_cards_are_gone_and_who_was_paid_may_wager_again() -> None:
    table = Scene(SLUG, device="reader")
    table.dealt("2C 4H 2D KS", ("ann", "tiger-pair", 10_00))
    table.report("device-reset")
    table.rule("dee")
    assert (table.state.phase, table.sees("cat")) == ("betting", [])
    table.place("ann", "tiger-pair", 10_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("ann") == 30_00


def test_5_9_a_second_reset_settles_only_what_is_new() -> None:
    table = Scene(SLUG, device="reader")
    table.dealt("2C 4H 2D KS", ("ann", "tiger-pair", 10_00), ("bob", "tie", 10_00))
    for _ in range(2):
        table.report("device-reset")
        events = table.rule("dee")
        table.all_go_on()
        table.close()
        table.deal("3C 4H 2D KS")
    assert "DecidedSettled" not in kinds(events)
    assert table.net("ann") == 40_00


# Leave to withdraw ----------------------------------------------------------------------------------------


def cut_card_first() -> Scene:
    """In the high-limit area the cut card comes before the first card of the round."""
    table = Scene(SLUG, high_limit=True, decks=4, cut=202)
    table.round(f"{TO_COME} 4D 2S", ("ann", "player", 100_00))
    table.dealt("", ("ann", "player", 100_00), ("bob", "banker", 100_00))
    table.do(commands.CutCard(by="dee"))
    table.do(commands.AllowWithdrawal(by="dee"))
    return table


def test_3_22_1_leave_to_withdraw_ends_with_the_first_card() -> None:
    table = cut_card_first()
    table.take_back("bob", "banker")
    table.deal("9C")
    table.refuses("wrong-phase", ("5.5",), table.taking_back("ann", "player"))


@pytest.mark.parametrize("case", ["wrong-order", "drawn-together"])
def test_3_22_1_leave_to_withdraw_ends_with_cards_that_a_report_drew(case: str) -> None:
    table = cut_card_first()
    known = {"order_known": True} if case == "drawn-together" else {}
    table.report(case, "9C 4H", **known)
    table.rule("pam")
    table.all_go_on()
    table.refuses("wrong-phase", ("5.5",), table.taking_back("ann", "player"))
