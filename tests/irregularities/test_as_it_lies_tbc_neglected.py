"""Insurance that was not offered in the commission game with Insurance Plus, in either window with the other intact.

Money is written by hand: Player pays 1 to 1, Banker 0.95 to 1, insurance as 4.1.15 lists it.
"""

from irregularities.situations import TO_COME, Scene, only
from thirdcard.table import commands
from thirdcard.table.events import LateInsuranceOpened

SLUGS = ("rws-tiger-buffalo-commission-v2",)
SLUG = SLUGS[0]


def test_5_14_1__5_14_2_nobody_has_the_same_insurance_twice() -> None:
    """Ann bought the first window late; when the round is over it was not neglected any more."""
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 2D")
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam")
    table.do(table.insuring("ann", "player", 66_00, window=1))
    table.deal("5S")
    again = table.reporting("neglected-insurance", players=("ann",), window=1)
    table.refuses("condition-not-met", ("5.14", "5.14.1", "5.14.2"), again)
    table.settle()
    assert (table.line("ann", "player").result, table.net("ann")) == ("lose", -1_00)  # -100 + 99


def test_5_14_2_the_second_window_neglected_with_the_first_intact() -> None:
    """Ann said no to 3 to 2 and would have insured at 4 to 1: Banker wins 9 over 7, her bet goes back."""
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.do(commands.Decline(by="ann"))
    table.deal("2D 5S")
    again = table.reporting("neglected-insurance", players=("ann",), window=1)
    table.refuses("condition-not-met", ("5.14", "5.14.1", "5.14.2"), again)
    table.report("neglected-insurance", players=("ann",), window=2)
    table.rule("pam", intended=("ann",))
    table.settle()
    assert (table.line("ann", "player").result, table.nets("ann", "bob")) == ("returned", [0, 95_00])


def test_5_14_1_the_first_window_neglected_with_the_second_intact() -> None:
    """Both are bought: 66 late at 3 to 2 and 100 in time at 4 to 1, and both win."""
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 2D")
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam")
    table.do(table.insuring("ann", "player", 66_00, window=1))
    table.do(table.insuring("ann", "player", 100_00, window=2))
    table.deal("5S")
    table.settle()
    assert [line.net for line in table.lines() if line.player == "ann"] == [-100_00, 99_00, 400_00]
    assert table.net("ann") == 399_00


def test_5_14_1__3_12_2_late_insurance_has_its_late_cap_at_the_true_row_too() -> None:
    """25 late at 4 to 1 was at 10 to 1: winnings up to the original 100, so 10 play and 15 go back."""
    table = Scene(SLUG, method="face-down")
    table.shown(TO_COME)
    table.do(commands.Decline(by="ann"))
    table.show("2D")
    table.deal("5S")
    table.report("neglected-insurance", players=("ann",))
    table.rule("pam")
    table.insure("ann", "player", 25_00)
    table.amend(f"{TO_COME} 3H ?")
    table.finish()
    line = table.line("ann", "player-insurance")
    assert (line.stake, line.played, line.odds, line.net) == (25_00, 10_00, "10 to 1", 100_00)
    assert table.net("ann") == 0


def test_5_3_insurance_that_was_bought_is_settled_for_who_walks_away() -> None:
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.insure("ann", "player", 50_00)
    table.do(commands.Leave(by="ann"))
    table.deal("2D 5S")
    table.settle()
    assert table.net("ann") == -25_00  # -100 + 75


def test_5_14_1_who_walked_away_is_not_offered_late() -> None:
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 4D", ("ann", "player", 100_00), ("cat", "player", 100_00))
    table.do(commands.Leave(by="ann"))
    table.report("neglected-insurance", window=1)
    assert only(table.rule("pam"), LateInsuranceOpened).players == ("cat",)


def test_5_14_1_who_bought_or_declined_is_not_offered_late() -> None:
    table = Scene(SLUG)
    bets = (("ann", "player", 100_00), ("bob", "player", 100_00), ("cat", "player", 100_00))
    table.dealt(TO_COME, *bets)
    table.insure("ann", "player", 10_00)
    table.do(commands.Decline(by="bob"))
    table.deal("4D")
    table.report("neglected-insurance", window=1)
    assert only(table.rule("pam"), LateInsuranceOpened).players == ("cat",)


def test_5_14_1__5_14_2_before_four_cards_lie_there_nothing_was_neglected() -> None:
    table = Scene(SLUG)
    table.dealt("2C 4H 3D")
    rules = ("5.14", "5.14.1", "5.14.2")
    table.refuses("condition-not-met", rules, table.reporting("neglected-insurance", players=("ann",)))
    table.deal("KS")
    later = table.reporting("neglected-insurance", players=("ann",), window=2)
    table.refuses("condition-not-met", rules, later)


def test_3_14__5_14_a_window_that_was_waived_was_not_neglected() -> None:
    """Player 5 and Banker 0: Ann asked for the Banker's third card first, and the second window is nobody's."""
    table = Scene(SLUG, method="face-down")
    table.shown("2C KH 3D QS", ("ann", "player", 100_00))
    table.do(commands.RequestBankerThirdFirst(by="ann"))
    table.do(commands.BankerThirdFirst(by="sue", player="ann"))
    table.deal("4D 2S")
    table.expose(6)
    table.expose(5)
    later = table.reporting("neglected-insurance", players=("ann",), window=2)
    assert table.refused(later).code == "condition-not-met"


def test_5_14_1_the_first_window_late_where_only_the_banker_draws() -> None:
    """Player 7 against Banker 3: the Banker's third card lies face down, 25 at 4 to 1 keep within the 100."""
    table = Scene(SLUG, method="face-down")
    table.shown("3C 2H 4D AS")
    table.deal("6C")
    assert table.report("neglected-insurance", players=("ann",)).window == 1
    assert [offer.odds for offer in only(table.rule("pam"), LateInsuranceOpened).offers] == ["4 to 1"]
    table.refuses("over-the-cap", ("5.14.1",), table.insuring("ann", "player", 26_00))
    table.insure("ann", "player", 25_00)
    table.finish()  # Banker wins, 9 over 7
    assert table.nets("ann", "bob") == [0, 95_00]
