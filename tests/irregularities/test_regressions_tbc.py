"""Faults that were found in neglected insurance, as the commission game with Insurance Plus has it."""

import pytest

from irregularities.situations import TO_COME, Scene, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import InsuranceClosed, InsuranceOpened, LateInsuranceOpened, NeglectRecorded

SLUGS = ("rws-tiger-buffalo-commission-v2",)
SLUG = SLUGS[0]
TWO_ON_PLAYER = (("ann", "player", 100_00), ("bob", "player", 100_00))
THREE_TO_TWO = 0  # places in the table of 4.1.15
FOUR_TO_ONE_LATER = 5


def caps(table: Scene, player: str) -> dict[str, dict[int, int]]:
    return {offer.odds: offer.caps for offer in table.view(player).offers}


def rows(table: Scene, *intended: str) -> dict[str, tuple[int, ...]]:
    return only(table.rule("pam", intended=intended), NeglectRecorded).rows


def test_5_14_1_a_late_offer_to_one_leaves_the_others_ordinary_offer_open() -> None:
    """Ann missed the first window at 3 to 2, and the second is open at 10 to 1 to her and to Bob."""
    table = Scene(SLUG)
    table.dealt(TO_COME, *TWO_ON_PLAYER)
    table.do(commands.Decline(by="bob"))
    table.deal("4D")
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam")
    assert caps(table, "ann") == {"10 to 1": {1: 100_00}, "3 to 2": {1: 66_00}}
    assert caps(table, "bob") == {"10 to 1": {2: 100_00}, "3 to 2": {}}
    assert table.refused(table.insuring("bob", "player", 1_00, window=1)).code == "no-offer"
    table.insure("bob", "player", 100_00)
    table.do(table.insuring("ann", "player", 66_00, window=1))
    bought = [(one.player, one.window, one.late) for one in table.current.purchases]
    assert bought == [("bob", 2, False), ("ann", 1, True)]
    assert [event.forgone for event in table.deal("2S") if isinstance(event, InsuranceClosed)] == [
        ("ann",),  # she said nothing to the second window
        (),
    ]


def test_5_14_1__3_12_2_the_late_cap_counts_late_winnings_only() -> None:
    """100 bought in time at 10 to 1 could win 1,000: the late offer at 3 to 2 is still for 66 of the 100."""
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 4D")
    table.report("neglected-insurance", players=("ann",), window=1)
    table.rule("pam")
    table.insure("ann", "player", 100_00)
    assert caps(table, "ann") == {"10 to 1": {1: 0}, "3 to 2": {1: 66_00}}
    table.do(table.insuring("ann", "player", 40_00, window=1))
    assert caps(table, "ann")["3 to 2"] == {1: 26_00}
    table.refuses("over-the-cap", ("5.14.1",), table.insuring("ann", "player", 27_00, window=1))


def with_a_third_card_face_down() -> Scene:
    """Window 1 has passed in silence; the Player's third card lies there and nobody has seen it."""
    table = Scene(SLUG, method="face-down")
    table.bets(*TWO_ON_PLAYER)
    table.close()
    table.show(TO_COME)
    table.deal("4D")
    assert (table.offers(), table.current.offerings[0].silent) == ({}, ("ann", "bob"))
    return table


def test_5_14_1_the_offer_is_at_the_row_of_the_cards_exposed() -> None:
    table = with_a_third_card_face_down()
    assert table.report("neglected-insurance", players=("ann",)).decided_by == ""
    made = only(table.rule("pam"), LateInsuranceOpened)
    assert (made.window, made.players) == (1, ("ann",))
    assert [(offer.odds, offer.row) for offer in made.offers] == [("3 to 2", THREE_TO_TWO)]
    assert table.sees("cat")[4] == "?"
    assert (caps(table, "ann"), caps(table, "bob")) == ({"3 to 2": {1: 66_00}}, {"3 to 2": {}})


def test_5_14_1_where_no_window_is_open_only_the_late_people_buy() -> None:
    """Bob said no to the first offer and has forgone nothing: the late one is Ann's alone all the same."""
    table = Scene(SLUG, method="face-down")
    table.bets(*TWO_ON_PLAYER)
    table.close()
    table.show(TO_COME)
    table.do(commands.Decline(by="bob"))
    table.deal("4D")
    table.report("neglected-insurance", players=("ann",))
    table.rule("pam")
    assert table.refused(table.insuring("bob", "player", 10_00)).code == "no-offer"
    assert caps(table, "bob") == {"3 to 2": {}}
    table.insure("ann", "player", 10_00)
    assert [(one.player, one.late) for one in table.current.purchases] == [("ann", True)]


def test_5_14_1_the_next_card_seen_closes_the_late_window_and_opens_the_second() -> None:
    table = with_a_third_card_face_down()
    table.report("neglected-insurance", players=("ann",))
    table.rule("pam")
    table.insure("ann", "player", 10_00)
    events = table.expose(5)
    assert kinds(events) == ["InsuranceClosed", "CardsExposed", "InsuranceOpened"]
    assert only(events, InsuranceClosed).forgone == ()
    opened = only(events, InsuranceOpened)
    assert (opened.window, [offer.odds for offer in opened.offers]) == (2, ["10 to 1"])
    assert caps(table, "ann") == {"10 to 1": {1: 100_00}}  # an ordinary offer: the stake alone counts
    assert table.refused(table.insuring("bob", "player", 10_00)).code == "insurance-forgone"


def test_5_14_1_silence_until_the_next_card_is_seen_forgoes_the_second_window() -> None:
    table = with_a_third_card_face_down()
    table.report("neglected-insurance", players=("ann",))
    table.rule("pam")
    assert only(table.expose(5), InsuranceClosed).forgone == ("ann",)
    assert table.refused(table.insuring("ann", "player", 10_00)).code == "insurance-forgone"


@pytest.mark.parametrize("settled", [False, True])
def test_5_14_2_a_tie_decides_the_round_too(settled: bool) -> None:  # noqa: FBT001
    """9 all: insurance on Player 9 would have been paid, so Ann's bet goes back; Bob's is a push."""
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.do(commands.Decline(by="ann"))
    table.deal("4D 5S")
    if settled:
        table.settle()
    pending = table.report("neglected-insurance", players=("ann",))
    assert (pending.decided_by, pending.facts["outcome_established"]) == ("player", True)
    assert set(rows(table, "ann")) == {"1/player/ann"}
    if not settled:
        table.settle()
    assert (table.line("ann", "player").result, table.line("bob", "banker").result) == ("returned", "push")
    assert (table.net("ann"), table.net("bob")) == (0, 0)


def test_5_14_2_a_window_in_which_the_person_bought_was_not_missed() -> None:
    """Ann bought in the first window, Cat in none: Banker wins 9 over 7 and both get their bets back."""
    table = Scene(SLUG)
    table.dealt(TO_COME, ("ann", "player", 100_00), ("cat", "player", 50_00))
    table.insure("ann", "player", 10_00)
    table.deal("2D 5S")
    both = table.reporting("neglected-insurance", players=("ann", "cat"), window=1)
    table.refuses("condition-not-met", ("5.14", "5.14.1", "5.14.2"), both)
    table.report("neglected-insurance", players=("cat",), window=1)
    assert rows(table, "cat") == {"1/player/cat": (THREE_TO_TWO,)}
    table.report("neglected-insurance", players=("ann",), window=2)
    assert rows(table, "ann") == {"1/player/ann": (FOUR_TO_ONE_LATER,)}
    table.settle()
    assert table.nets("ann", "cat") == [15_00, 0]


def test_5_14_2_who_bought_in_every_window_missed_none() -> None:
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.insure("ann", "player", 10_00)
    table.deal("2D")
    table.insure("ann", "player", 10_00)
    table.deal("5S")
    for window in (1, 2):
        report = table.reporting("neglected-insurance", players=("ann",), window=window)
        table.refuses("condition-not-met", ("5.14", "5.14.1", "5.14.2"), report)
    table.settle()
    assert (table.line("ann", "player").result, table.net("ann")) == ("lose", -45_00)
