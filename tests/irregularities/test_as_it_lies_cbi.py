"""Records put right in Commission Baccarat with Insurance, and its insurance through all of it.

Money is written by hand: Player pays 1 to 1, Banker 0.95 to 1, insurance as 4.1.3 lists it.
"""

import pytest

from irregularities.situations import TO_COME, Scene, only
from thirdcard.table import commands
from thirdcard.table.events import IrregularityRuled

SLUGS = ("rws-commission-insurance-v5",)
SLUG = SLUGS[0]

SIX = "2C 2H 4D 3S"  # Player 6 stands, Banker 5 draws: Player insurance at 3 to 1
SEVEN = "3C 2H 4D 3S"  # what really lay there: Player 7, at 4 to 1


@pytest.mark.parametrize("settled", [False, True])
def test_3_12_2__4_1_3_insurance_plays_at_the_true_row_within_its_cap(settled: bool) -> None:  # noqa: FBT001
    """33 at 3 to 1 could win 99 of the 100; at 4 to 1 only 25 may play, and 8 go back. Banker draws to 9."""
    table = Scene(SLUG)
    table.dealt(SIX)
    assert table.offers() == {"player": "3 to 1"}
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 34_00))
    table.insure("ann", "player", 33_00)
    table.deal("4H")
    if settled:
        table.settle()
        assert table.net("ann") == -1_00  # -100 + 99
    table.amend(f"{SEVEN} 4H")
    if not settled:
        table.settle()
    line = table.line("ann", "player-insurance")
    assert (line.stake, line.played, line.odds, line.net) == (33_00, 25_00, "4 to 1", 100_00)
    assert table.nets("ann", "bob") == [0, 95_00]


def test_3_12_2_what_plays_in_the_first_window_leaves_less_for_the_second() -> None:
    """20 at 2 to 1 could win 40 of the 100: 15 are left at 4 to 1, and 8 at 7 to 1 once the 7 is an 8."""
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.insure("ann", "player", 20_00)
    table.deal("2D")
    assert table.offers() == {"player": "4 to 1"}
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 16_00))
    table.insure("ann", "player", 15_00)
    table.amend(f"{TO_COME} 3H")
    assert table.offers() == {"player": "7 to 1"}
    table.deal("5S")
    table.settle()
    played = [(line.stake, line.played, line.net) for line in table.lines() if line.window]
    assert played == [(20_00, None, 40_00), (15_00, 8_00, 56_00)]  # 60 of winnings are left: 8 at 7 to 1
    assert table.net("ann") == -4_00  # -100 + 40 + 56


def test_5_13_ruled_while_its_window_is_open_it_pays_once() -> None:
    """The window is there to be used; nothing is promised on top of it."""
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.report("neglected-insurance", players=("ann",))
    table.refuses("input-not-used", ("3.12", "5.13"), table.ruling("pam", intended=("ann",)))
    assert only(table.rule("pam"), IrregularityRuled).remedies == ("offer",)
    table.insure("ann", "player", 50_00)
    table.deal("2D 5S")
    again = table.reporting("neglected-insurance", players=("ann",), window=1)
    table.refuses("condition-not-met", ("5.13",), again)
    table.settle()
    assert (table.line("ann", "player").result, table.net("ann")) == ("lose", 0)  # -100 + 100


def test_5_13_the_first_window_neglected_with_the_second_intact() -> None:
    """The bet goes back for the first; what was bought in the second is settled, 25 at 4 to 1."""
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 2D")
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam", intended=("ann",))
    table.insure("ann", "player", 25_00)
    table.deal("5S")
    table.settle()
    assert (table.line("ann", "player").result, table.net("ann")) == ("returned", 100_00)


def test_5_13_the_second_window_neglected_with_the_first_intact() -> None:
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.do(commands.Decline(by="ann"))
    table.deal("2D 5S")
    again = table.reporting("neglected-insurance", players=("ann",), window=1)
    table.refuses("condition-not-met", ("5.13",), again)
    table.report("neglected-insurance", players=("ann",), window=2)
    table.rule("pam", intended=("ann",))
    table.settle()
    assert (table.line("ann", "player").result, table.nets("ann", "bob")) == ("returned", [0, 95_00])


def test_5_13_a_correction_may_make_the_insurance_a_winner() -> None:
    """As keyed the Player won, and nothing was to be returned; really Banker won, and Ann's bet goes back."""
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 4D 2S")
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam", intended=("ann",))
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]
    table.amend(f"{TO_COME} 2D 5S")
    assert (table.line("ann", "player").result, table.nets("ann", "bob")) == ("returned", [0, 95_00])


def test_5_13_a_row_that_never_existed_was_not_neglected() -> None:
    """Against Banker 3 there is no row for Player 5: with the true card there was nothing to offer."""
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 2D")
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam", intended=("ann",))
    table.amend("2C 4H 3D 9S 2D")
    table.deal("5S")
    table.settle()
    assert (table.line("ann", "player").result, table.nets("ann", "bob")) == ("lose", [-100_00, 95_00])
