"""Irregularities that all four RWS documents state under the same numbers."""

import pytest

from irregularities.situations import INSURED, PLAYER_WINS, STAGES, TO_COME, Scene, cards, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import CardsLaid, IrregularityRuled, RoundVoided

SLUGS = (
    "rws-tiger-buffalo-commission-v2",
    "rws-tiger-buffalo-non-commission-v3",
    "rws-tiger-buffalo-non-commission-v4",
    "rws-commission-insurance-v5",
)
VOID = dict.fromkeys(SLUGS, "5.16") | {"rws-tiger-buffalo-commission-v2": "5.17"}

pytestmark = pytest.mark.parametrize("slug", SLUGS)


# The differential and the minimum -------------------------------------------------------------------------


def test_5_1_excess_noticed_while_open_is_rejected_standing_first(slug: str) -> None:
    table = Scene(slug)
    table.bets(("ann", "player", 600_00))
    table.record("cat", "player", 300_00)
    table.record("dan", "player", 300_00)
    assert table.report("over-differential", box=1).decides == "dealer"
    ruled = only(table.rule("dee"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("reject",), ("5.1",))
    assert table.stakes() == {
        ("ann", 1, "player"): 600_00,
        ("cat", 1, "player"): 300_00,
        ("dan", 1, "player"): 100_00,
    }


def test_5_1_a_cut_below_the_minimum_returns_the_stake(slug: str) -> None:
    table = Scene(slug)
    table.bets(("ann", "player", 695_00))
    table.record("cat", "player", 300_00)
    table.record("dan", "player", 300_00)
    table.report("over-differential", box=1)
    table.rule("dee")
    assert table.stakes() == {("ann", 1, "player"): 695_00, ("cat", 1, "player"): 300_00}


def test_5_1_1_excess_noticed_after_the_close_plays_pro_rata(slug: str) -> None:
    """1,500 against 200 with a differential of 1,000: Player plays for 1,200, four fifths of each stake."""
    table = Scene(slug)
    table.bets(("ann", "player", 600_00), ("dan", "banker", 200_00))
    table.record("cat", "player", 900_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.report("over-differential", box=1)
    ruled = only(table.rule("dee"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("pro-rata",), ("5.1.1", "5.1.2"))
    assert table.plays() == {("ann", 1, "player"): 480_00, ("cat", 1, "player"): 720_00}
    table.settle()
    assert [table.net(player) for player in ("ann", "cat", "dan")] == [480_00, 720_00, -200_00]


def test_5_1_1_the_loser_loses_only_the_share(slug: str) -> None:
    table = Scene(slug)
    table.bets(("ann", "player", 600_00))
    table.record("cat", "player", 900_00)
    table.close()
    table.deal("4C 9H 2D KS")
    table.settle()
    assert [table.net(player) for player in ("ann", "cat")] == [-400_00, -600_00]


def test_5_1_1_no_share_falls_below_the_minimum(slug: str) -> None:
    """Cat's share would be under 10: it is raised to 10 and Ann has the other 990."""
    table = Scene(slug)
    table.bets(("cat", "player", 10_00))
    table.record("ann", "player", 1_990_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert [table.net(player) for player in ("ann", "cat")] == [990_00, 10_00]


def test_5_1_2_a_bet_under_the_minimum_plays_in_full(slug: str) -> None:
    """Dan's 5 counts whole; 995 are left for Ann's 300 and Cat's 900."""
    table = Scene(slug)
    table.bets(("ann", "player", 300_00))
    table.record("cat", "player", 900_00)
    table.record("dan", "player", 5_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert [table.net(player) for player in ("ann", "cat", "dan")] == [248_75, 746_25, 5_00]


def test_5_2_a_bet_under_the_minimum_is_raised_or_withdrawn(slug: str) -> None:
    for taken_back in (False, True):
        table = Scene(slug)
        table.bets(("ann", "player", 100_00))
        table.record("bob", "banker", 5_00)
        table.report("under-minimum", box=2)
        ruled = only(table.rule("dee"), IrregularityRuled)
        assert (ruled.remedies, ruled.rules) == (("raise-or-withdraw",), ("5.2",))
        table.refuses("below-minimum", ("5.2",), commands.Close(by="dee"))
        if taken_back:
            table.take_back("bob", "banker")
        else:
            table.place("bob", "banker", 5_00)
        table.close()


def test_5_2_only_the_bet_that_was_noticed_has_to_be_raised(slug: str) -> None:
    """Bob's is; Cat's was overlooked and plays as it lies."""
    table = Scene(slug)
    table.open()
    table.record("bob", "banker", 5_00)
    table.record("cat", "player", 4_00)
    table.report("under-minimum", players=("bob",))
    table.rule("dee")
    table.refuses("below-minimum", ("5.2",), commands.Close(by="dee"))
    table.place("bob", "banker", 5_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.nets("bob", "cat") == [-10_00, 4_00]


def test_5_2_1_overlooked_it_wins_or_loses_as_it_lies(slug: str) -> None:
    table = Scene(slug)
    table.bets(("ann", "player", 100_00))
    table.record("bob", "player", 5_00)
    table.close()
    table.report("under-minimum", box=2)
    ruled = only(table.rule("dee"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("settle",), ("5.2.1",))
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("bob") == 5_00
    table.open()
    table.record("bob", "player", 5_00)
    table.close()
    table.deal("4C 9H 2D KS")
    table.settle()
    assert table.net("bob") == 0


# A technical interruption ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "bet"),
    [
        ("2C 4H 3D", "player-pair"),  # no pair: lost
        ("2C 4H 2D", "player-pair"),  # a pair: won
        ("9C 4H KD 2S", "player"),  # the round is complete, the first bet of the layout is won
    ],
)
def test_5_4__5_4_1_with_an_outcome_the_round_goes_on(slug: str, text: str, bet: str) -> None:
    table = Scene(slug)
    table.dealt(text)
    pending = table.report("technical-interruption")
    assert (pending.decided_by, pending.facts["outcome_established"]) == (bet, True)
    assert table.view("cat").held_up is not None
    assert getattr(table.view("cat").held_up, "decided_by", "") == bet
    table.refuses("wrong-rank", ("5.4.1",), table.ruling("dee"))
    ruled = only(table.rule("sue"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("continue",), ("5.4.1",))
    assert table.state.phase == "dealing"
    assert not table.held_up


@pytest.mark.parametrize("text", ["", "2C", "2C 4H"])
def test_5_4_2_without_an_outcome_the_round_is_void(slug: str, text: str) -> None:
    table = Scene(slug)
    table.dealt(text) if text else table.bets()
    pending = table.report("technical-interruption")
    assert (pending.decided_by, pending.facts["outcome_established"]) == ("", False)
    table.refuses("wrong-rank", ("5.4.2", VOID[slug]), table.ruling("dee"))
    assert only(table.rule("sue"), IrregularityRuled).rules == ("5.4.2", VOID[slug])
    table.everything_is_back()


def test_5_4_2_cards_that_lie_face_down_establish_nothing(slug: str) -> None:
    table = Scene(slug, method="face-down")
    table.dealt(PLAYER_WINS)
    assert table.report("technical-interruption").decided_by == ""
    table.rule("sue")
    table.everything_is_back()


# Five faults that void the round --------------------------------------------------------------------------

WRONG_CARDS = {"foreign-card": "5.5.1", "card-count": "5.5.2", "unshuffled-cards": "5.5.5"}


def void_at(slug: str, stage: str, case: str) -> None:
    """At every stage every cent goes back, insurance included; after settlement by a reversal.

    These cards are not dealt from again.
    """
    table = Scene(slug)
    table.reach(stage)
    rules = (WRONG_CARDS[case], VOID[slug])
    assert table.report(case).decides == "pit-supervisor"
    table.refuses("wrong-rank", rules, table.ruling("dee"))
    assert "Pit Supervisor" in table.refused(table.ruling("dee")).sentence
    events = table.rule("sue")
    assert only(events, RoundVoided).rules == rules
    assert ("SettlementReversed" in kinds(events)) == (stage == "settled")
    table.everything_is_back()
    table.new_shoe_first()


@pytest.mark.parametrize("stage", STAGES)
def test_5_5__5_5_1_foreign_card_voids_the_round(slug: str, stage: str) -> None:
    void_at(slug, stage, "foreign-card")


@pytest.mark.parametrize("stage", STAGES)
def test_5_5_2_missing_or_extra_cards_void_the_round(slug: str, stage: str) -> None:
    void_at(slug, stage, "card-count")


@pytest.mark.parametrize("stage", STAGES)
def test_5_5_5_unshuffled_cards_void_the_round(slug: str, stage: str) -> None:
    void_at(slug, stage, "unshuffled-cards")


@pytest.mark.parametrize("stage", ["complete", "settled"])
def test_5_5_3_wrong_number_of_cards_beyond_reconstruction_voids_the_round(slug: str, stage: str) -> None:
    """Player 7 and Banker 9 stand on three cards each, and one of them was dealt a fourth."""
    table = Scene(slug)
    table.reach(stage)
    rules = ("5.5.3", VOID[slug])
    assert table.report("wrong-number-of-cards", "6H").decides == "pit-supervisor"
    table.refuses("wrong-rank", rules, table.ruling("dee", reconstructable=False))
    events = table.rule("sue", reconstructable=False)
    assert only(events, RoundVoided).rules == rules
    assert ("SettlementReversed" in kinds(events)) == (stage == "settled")
    table.everything_is_back()


@pytest.mark.parametrize("settled", [False, True])
def test_5_5_3_wrong_number_that_can_be_reconstructed_does_not(slug: str, settled: bool) -> None:  # noqa: FBT001
    """A natural, and a hand was dealt a third card: it is taken out, and opens the next round."""
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    if settled:
        table.settle()
    table.report("wrong-number-of-cards", "5H")
    events = table.rule("sue", reconstructable=True)
    made = only(events, CardsLaid)
    assert [one.name for one in made.cards] == list(cards(PLAYER_WINS))
    assert (table.waiting, table.state.phase == "void") == (["5H"], False)
    if not settled:
        table.settle()
    assert (table.nets("ann", "bob"), table.roads()) == ([100_00, -100_00], ["player"])
    table.dealt("5H")


def test_5_5_3_wrong_number_before_an_outcome_gives_options(slug: str) -> None:
    table = Scene(slug, method="face-down")
    table.dealt(PLAYER_WINS)
    table.report("wrong-number-of-cards", "? ? ?")
    table.rule("sue", reconstructable=True)
    assert table.waiting == ["?", "?", "?"]
    assert table.asked() == {"ann": "", "bob": ""}


@pytest.mark.parametrize("text", ["", "2C 4H", TO_COME, f"{TO_COME} 2D 5S"])
def test_5_5_3_where_the_hands_have_the_right_number_it_is_refused(slug: str, text: str) -> None:
    table = Scene(slug)
    table.dealt(text)
    table.refuses("condition-not-met", ("5.5", "5.5.3"), table.reporting("wrong-number-of-cards"))


def test_5_5_3_a_card_that_is_due_is_no_wrong_number(slug: str) -> None:
    table = Scene(slug)
    table.dealt(TO_COME)
    table.refuses("condition-not-met", ("5.5", "5.5.3"), table.reporting("wrong-number-of-cards", "2D"))


def running_short(slug: str, keep: str) -> Scene:
    """A shoe of four decks without a cut card, dealt until only these cards are left."""
    table = Scene(slug, decks=4, cut=0)
    table.run_down(keep=keep)
    return table


def test_5_5_4_too_few_cards_void_the_round(slug: str) -> None:
    """The Banker is due a third card, and the shoe is empty."""
    table = running_short(slug, f"{TO_COME} 2D")
    earlier = table.roads()
    bets = (("ann", "player", 100_00), ("bob", "banker", 100_00), ("cat", "player-pair", 15_00))
    table.dealt(TO_COME, *bets)
    refusing = table.reporting("too-few-cards")
    table.refuses("condition-not-met", ("5.5", "5.5.4"), refusing)  # one is left, for the Player
    if slug in INSURED:
        table.insure("ann", "player", 20_00)
    table.deal("2D")
    assert (table.shoe.left, table.refused(table.drawing("5S")).code) == (0, "shoe-empty")
    assert table.refused(commands.Settle(by="dee")).code == "round-not-complete"
    table.report("too-few-cards")
    rules = ("5.5.4", VOID[slug])
    table.refuses("wrong-rank", rules, table.ruling("dee"))
    assert only(table.rule("sue"), RoundVoided).rules == rules
    assert (table.nets("ann", "bob", "cat"), table.lying(), table.house) == ([0, 0, 0], 0, 0)
    assert table.roads() == earlier
    table.new_shoe_first()


def test_5_5_4_both_third_cards_are_certain_and_one_card_is_left(slug: str) -> None:
    """Player 5 draws and Banker 0 draws against whatever comes: the round cannot be completed."""
    table = running_short(slug, "2C KH 3D KS 2D")
    table.dealt("2C KH 3D KS")
    assert table.shoe.left == 1
    table.report("too-few-cards")
    table.rule("sue")
    assert table.state.phase == "void"


@pytest.mark.parametrize("stage", STAGES)
def test_5_5_4_a_shoe_that_is_full_enough_is_not_short(slug: str, stage: str) -> None:
    table = Scene(slug)
    table.reach(stage)
    table.refuses("condition-not-met", ("5.5", "5.5.4"), table.reporting("too-few-cards"))


@pytest.mark.parametrize("case", WRONG_CARDS)
def test_5_5_earlier_rounds_stand(slug: str, case: str) -> None:
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.dealt(TO_COME, ("ann", "player", 50_00))
    if slug in INSURED:
        table.insure("ann", "player", 20_00)
    table.report(case)
    table.rule("sue")
    assert table.state.phase == "void"
    assert (table.nets("ann", "bob"), table.roads()) == ([100_00, -100_00], ["player"])
