"""Records put right in the commission game with Insurance Plus, and insurance through all of it.

Money is written by hand: Player pays 1 to 1, Banker 0.95 to 1, insurance as 4.1.15 lists it.
"""

import pytest

from irregularities.situations import PLAYER_WINS, TO_COME, Scene, cards, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import CardsAmended, LateInsuranceOpened, RecordAmended
from thirdcard.table.setup import Limit

SLUGS = ("rws-tiger-buffalo-commission-v2",)
SLUG = SLUGS[0]

FALSE_NATURAL = "2C 4H 7D KS"  # as keyed: Player 9; really TO_COME, with the 3D
SIX = "2C 2H 4D 3S"  # Player 6 stands, Banker 5 draws: Player insurance at 5 to 2
SEVEN = "3C 2H 4D 3S"  # what really lay there: Player 7, at 4 to 1


def changed(events: object, what: str, who: str) -> tuple[object, object]:
    """What an amendment makes different, before and after."""
    found = only(events, RecordAmended).changes  # type: ignore[arg-type]
    (one,) = [change for change in found if (change.what, change.who) == (what, who)]
    return one.before, one.after


# A card keyed wrongly -------------------------------------------------------------------------------------


def test_3_15_a_natural_that_was_not_there() -> None:
    """The round goes on where it really stands: the Player draws, and insurance is offered first."""
    table = Scene(SLUG)
    table.dealt(FALSE_NATURAL)
    assert table.refused(table.drawing("4D")).code == "card-not-due"
    events = table.amend(TO_COME)
    assert changed(events, "hand", "player") == ("2C 7D: 9", "2C 3D: 5")
    assert changed(events, "due", "") == ("", "player")
    assert only(events, RecordAmended).agreed == "dee"
    assert (table.shoe.drawn.get("7D", 0), table.shoe.drawn["3D"], table.shoe.used) == (0, 1, 4)
    assert table.offers() == {"player": "3 to 2"}
    table.insure("ann", "player", 20_00)
    table.deal("4D 2S")
    table.settle()
    assert (table.nets("ann", "bob"), table.roads()) == ([80_00, -100_00], ["player"])


def test_3_15__5_6_a_natural_that_was_not_there_and_was_settled() -> None:
    """What was paid comes back, and the round is played to its end: Banker wins 9 over 7."""
    table = Scene(SLUG)
    table.dealt(FALSE_NATURAL)
    table.settle()
    assert (table.nets("ann", "bob"), table.roads()) == ([100_00, -100_00], ["player"])
    events = table.amend(TO_COME)
    assert "SettlementReversed" in kinds(events)
    assert (table.state.phase, table.nets("ann", "bob"), table.roads()) == ("dealing", [-100_00, -100_00], [])
    table.deal("2D 5S")
    table.settle()
    assert (table.nets("ann", "bob"), table.house, table.roads()) == ([-100_00, 95_00], 5_00, ["banker"])


@pytest.mark.parametrize("settled", [False, True])
def test_4_1_15_insurance_plays_at_the_true_row(settled: bool) -> None:  # noqa: FBT001
    """100 on Player 6 at 5 to 2 was on Player 7, at 4 to 1; the Banker draws to 9."""
    table = Scene(SLUG)
    table.dealt(SIX)
    assert table.offers() == {"player": "5 to 2"}
    table.insure("ann", "player", 100_00)
    table.deal("4H")
    if settled:
        table.settle()
        assert table.net("ann") == 150_00  # lost 100, won 250
    events = table.amend(f"{SEVEN} 4H")
    if settled:
        assert changed(events, "settlement", "ann") == (150_00, 300_00)
    else:
        table.settle()
    line = table.line("ann", "player-insurance")
    assert (line.stake, line.odds, line.net) == (100_00, "4 to 1", 400_00)
    assert table.nets("ann", "bob") == [300_00, 95_00]


def test_4_1_15_a_supervisor_alone_corrects_a_settled_round() -> None:
    table = Scene(SLUG)
    table.dealt(SIX)
    table.insure("ann", "player", 100_00)
    table.deal("4H")
    table.settle()
    correcting = commands.Correct(by="dee", cards=cards(f"{SEVEN} 4H"), reason="keyed wrongly")
    assert table.refused(correcting).code == "wrong-rank"
    table.do(commands.Correct(by="sue", cards=cards(f"{SEVEN} 4H"), reason="keyed wrongly"))
    assert table.nets("ann", "bob") == [300_00, 95_00]


def test_3_12_2_the_true_row_has_its_own_cap() -> None:
    """Player 7 at 4 to 1 was Player 8 at 10 to 1: a quarter of the hand's maximum of 200 plays, 50 of the 100."""
    table = Scene(SLUG, limits={"*": Limit(10_00, 200_00)})
    table.dealt(TO_COME, ("ann", "player", 200_00))
    table.do(commands.Decline(by="ann"))
    table.deal("2D")
    assert table.offers() == {"player": "4 to 1"}
    table.insure("ann", "player", 100_00)
    events = table.amend(f"{TO_COME} 3H")
    assert changed(events, "insurance", "ann player window 2") == (100_00, 50_00)
    assert changed(events, "odds", "ann player window 2") == ("4 to 1", "10 to 1")
    assert table.offers() == {"player": "10 to 1"}
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 1_00))
    table.deal("5S")
    table.settle()
    line = table.line("ann", "player-insurance")
    assert (line.stake, line.played, line.odds, line.net) == (100_00, 50_00, "10 to 1", 500_00)
    assert table.net("ann") == 300_00


def test_3_12_insurance_that_was_never_on_offer_goes_back() -> None:
    """Player 6 was Player 8: a natural, and no window at all."""
    table = Scene(SLUG)
    table.dealt(SIX)
    table.insure("ann", "player", 100_00)
    table.amend("4C 2H 4D 3S")
    assert table.offers() == {}
    table.settle()
    line = table.line("ann", "player-insurance")
    assert (line.result, line.net, line.stake) == ("returned", 0, 100_00)
    assert table.nets("ann", "bob") == [100_00, -100_00]


def test_5_14_1_an_offer_that_the_wrong_card_hid_was_neglected() -> None:
    """Against Banker 3 there was no row for Player 5; against Banker 4 there was one, at 3 to 2."""
    table = Scene(SLUG)
    table.dealt("2C 4H 3D 9S 4D")
    assert table.offers() == {"player": "10 to 1"}
    refusing = table.reporting("neglected-insurance", players=("ann",), window=1)
    assert table.refused(refusing).code == "condition-not-met"
    table.amend(f"{TO_COME} 4D")
    assert table.offers() == {"player": "10 to 1"}
    table.report("neglected-insurance", players=("ann",), window=1)
    made = only(table.rule("pam"), LateInsuranceOpened)
    assert (made.window, [offer.odds for offer in made.offers]) == (1, ["3 to 2"])
    table.do(table.insuring("ann", "player", 66_00, window=1))


def test_5_3__3_12_who_bought_at_a_wrong_row_has_not_been_silent() -> None:
    """Banker 5 at 3 to 2 was Banker 6 at 5 to 2: Bob has insured, and the second window is his as well."""
    table = Scene(SLUG)
    table.dealt("KC 2H 4D 3S")
    table.insure("bob", "banker", 20_00)
    table.amend("KC 2H 4D 4S")
    assert table.offers() == {"banker": "5 to 2"}
    table.deal("6C")
    assert table.offers() == {"banker": "10 to 1"}
    table.insure("bob", "banker", 10_00)
    table.deal("5D")  # Banker 1 over 0: both are lost
    table.settle()
    assert table.nets("ann", "bob") == [-100_00, 65_00]


def test_3_15__3_12_a_third_card_that_was_the_other_hands() -> None:
    """Player 6 stands, so the 4D was the Banker's and the 2S is nobody's.

    The insurance of the first window plays at 5 to 2; a second window there never was.
    """
    table = Scene(SLUG)
    table.dealt(TO_COME)
    table.insure("ann", "player", 20_00)
    table.deal("4D")
    table.insure("ann", "player", 10_00)
    table.deal("2S")
    table.amend("2C 4H 4C KS 4D 2S")
    assert ([str(card) for card in table.state.deal().banker], table.waiting) == (["4H", "KS", "4D"], ["2S"])
    table.settle()
    insured = [(line.window, line.result, line.net) for line in table.lines() if line.window]
    assert insured == [(1, "win", 50_00), (2, "returned", 0)]
    assert table.nets("ann", "bob") == [-50_00, 95_00]


def test_3_15__3_9_a_card_that_nobody_has_seen_goes_where_it_belongs() -> None:
    """The fifth card lies face down: with Player 9 it waits unseen, with Player 6 it is the Banker's."""
    for text, sees, waiting in (
        ("2C 4H 7D KS ?", ["2C", "4H", "7D", "KS"], ["?"]),
        ("2C 4H 4C KS ?", ["2C", "4H", "4C", "KS", "?"], []),
    ):
        table = Scene(SLUG, method="face-down")
        table.shown(TO_COME)
        table.deal("4D")
        table.amend(text)
        assert (table.sees("cat"), table.waiting) == (sees, waiting)
        table.finish()
        assert table.nets("ann", "bob") == ([100_00, -100_00] if waiting else [-100_00, 95_00])


@pytest.mark.parametrize("settled", [False, True])
def test_5_8_a_card_that_waits_is_taken_for_the_hand_it_belongs_to(settled: bool) -> None:  # noqa: FBT001
    """The 5H seemed in excess after a natural; it is the Player's third card and is in one place only."""
    table = Scene(SLUG)
    table.dealt(FALSE_NATURAL)
    table.report("excess-or-exposed-cards", "5H 6S")
    table.rule("sue")
    assert table.waiting == ["5H", "6S"]
    if settled:
        table.settle()
    made = only(table.amend(f"{TO_COME} 5H 6S"), CardsAmended)
    assert ([one.name for one in made.cards], made.waiting) == (list(cards(f"{TO_COME} 5H 6S")), ())
    assert (table.waiting, table.shoe.used) == ([], 6)
    if not settled:
        table.settle()
    assert (table.nets("ann", "bob"), table.roads()) == ([0, 0], ["tie"])  # 0 all
    table.dealt("7C")


def test_5_8_a_card_that_nobody_draws_any_more_waits() -> None:
    """The other way round: what was keyed as a third card came after a natural."""
    table = Scene(SLUG)
    table.dealt(f"{TO_COME} 4D")
    table.amend(f"{FALSE_NATURAL} 4D")
    assert (len(table.current.drawn), table.waiting) == (4, ["4D"])
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]
    table.dealt("4D")


# Two people, and a reason ---------------------------------------------------------------------------------


def test_5_6_a_dealer_and_a_supervisor_put_a_card_right_together() -> None:
    table = Scene(SLUG)
    table.do(commands.Assign(by="pam", person="del", rank="dealer"))
    table.dealt(FALSE_NATURAL)
    assert table.refused(commands.ConfirmAmendment(by="sue")).code == "no-amendment"
    assert table.refused(table.amending(FALSE_NATURAL)).code == "no-amendment"
    unreasoned = commands.Amend(by="dee", cards=cards(TO_COME), reason=" ")
    assert table.refused(unreasoned).code == "fact-missing"
    assert table.refused(table.amending(TO_COME, by="ann")).code == "wrong-rank"
    table.do(table.amending(TO_COME))
    assert table.sees("cat") == FALSE_NATURAL.split()
    assert table.refused(commands.Settle(by="dee")).code == "paused"
    assert table.refused(commands.ConfirmAmendment(by="dee")).code == "wrong-rank"
    assert table.refused(commands.ConfirmAmendment(by="del")).code == "wrong-rank"
    table.do(commands.ConfirmAmendment(by="sue"))
    assert table.sees("cat") == TO_COME.split()
    table.do(table.amending(FALSE_NATURAL, by="sue"))
    assert table.refused(commands.ConfirmAmendment(by="sue")).code == "no-amendment"
    assert table.refused(commands.DropAmendment(by="dee", reason="no")).code == "wrong-rank"
    table.do(commands.DropAmendment(by="sue", reason="it was right"))
    assert table.sees("cat") == TO_COME.split()


def test_2_2_1_no_card_is_in_two_places() -> None:
    """All four kings of clubs lie on the table; the shoe holds no fifth."""
    table = Scene(SLUG, decks=4)
    table.dealt("KC KC KC KC")
    table.deal("2C 3H")
    assert table.refused(table.amending("KC KC KC KC KC 3H")).code == "card-not-in-shoe"
    table.amend("KC KC KC KS KC 3H")
    assert (table.shoe.drawn["KC"], table.shoe.used) == (4, 6)


def test_3_9_a_card_that_nobody_has_seen_has_no_name_to_put_right() -> None:
    table = Scene(SLUG, method="face-down")
    table.dealt(PLAYER_WINS)
    table.expose(1, 3)
    assert table.refused(table.amending(PLAYER_WINS.replace("9C", "8C"))).code == "card-not-seen"
    assert table.refused(table.amending("? ? KD ?")).code == "card-not-named"
    table.amend("8C ? KD ?")
    assert table.sees("cat") == ["8C", "?", "KD", "?"]


def test_5_6_the_next_round_makes_it_final() -> None:
    table = Scene(SLUG)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.open()
    assert table.refused(table.amending("4C 9H 2D KS")).code == "wrong-phase"
    correcting = commands.Correct(by="sam", cards=cards("4C 9H 2D KS"), reason="keyed wrongly")
    assert table.refused(correcting).code == "wrong-phase"


# Insurance through chips that are put right ---------------------------------------------------------------


@pytest.mark.parametrize(("back", "net"), [(True, -550_00), (False, 50_00)])
def test_3_12_2__5_15_a_mistyped_stake_leaves_the_insurance_as_bought(back: bool, net: int) -> None:  # noqa: FBT001
    """300 at 3 to 2 on 1,000: while 100 are on record 100 of it play, and with the 1,000 all of it again."""
    table = Scene(SLUG)
    table.dealt(TO_COME, ("ann", "player", 1_000_00))
    table.insure("ann", "player", 300_00)
    table.record("ann", "player", 100_00)
    if back:
        table.record("ann", "player", 1_000_00)
    table.deal("2D 5S")
    table.settle()
    assert table.net("ann") == net  # -1,000 + 450, or -100 + 150
    assert table.line("ann", "player-insurance").stake == 300_00


def test_3_12_2_insurance_follows_the_share() -> None:
    """1,500 on Player with 1,000 allowed: Ann's 600 play for 400, and so much of her insurance."""
    table = Scene(SLUG)
    table.bets(("ann", "player", 600_00))
    table.record("cat", "player", 900_00)
    table.close()
    table.deal(TO_COME)
    table.refuses("over-the-cap", ("3.12.2",), table.insuring("ann", "player", 401_00))
    table.insure("ann", "player", 400_00)
    table.record("cat", "player", 0)
    assert table.plays() == {}
    table.insure("ann", "player", 200_00)
    table.record("cat", "player", 900_00)
    table.deal("2D 5S")
    table.settle()
    lines = [line for line in table.lines() if line.window]
    assert [(line.stake, line.played, line.net) for line in lines] == [
        (400_00, None, 600_00),
        (200_00, 0, 0),
    ]
    assert table.nets("ann", "cat") == [200_00, -600_00]


@pytest.mark.parametrize("after", [False, True])
def test_3_12_2__5_19_insurance_follows_a_stake_that_is_cut(after: bool) -> None:  # noqa: FBT001
    """Decided that 40 of the 100 play: so much of the insurance at 5 to 2, and the rest of both goes back."""
    table = Scene(SLUG)
    table.dealt(SIX)
    table.insure("ann", "player", 100_00)
    table.deal("4H")
    if after:
        table.settle()
    table.decide("cut-stakes", stakes=(("ann", 1, "player"),), amounts=(40_00,))
    if not after:
        table.settle()
    assert table.nets("ann", "bob") == [60_00, 95_00]  # -40 + 100
