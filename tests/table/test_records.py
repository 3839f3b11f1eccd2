"""A wrong record is put right, and everything that follows from it is derived anew (interpretations 20, 37, 39)."""

import pytest

from table.tables import CBI, EVERY, MBS, RWS, TBC, V4, Table, cards, kinds, only
from thirdcard.rulebook import load
from thirdcard.table import commands
from thirdcard.table.events import (
    AmendmentDropped,
    AmendmentProposed,
    CardsAmended,
    InsuranceOpened,
    RecordAmended,
    SettlementReversed,
)
from thirdcard.table.setup import Limit
from thirdcard.table.state import Change, Inputs

INSURED = (TBC, CBI)
HIGHEST = {**dict.fromkeys(RWS, "sam"), MBS: "sam"}


def closed(slug: str, *stakes: tuple[str, str, int], method: str = "") -> Table:
    """Ann's 100 on Player and Bob's 50 on Banker if no others are named; bets are closed."""
    table = Table(slug, seats={"ann": 1, "bob": 2, "cat": 0, "dan": 0}, method=method)
    table.open()
    for player, bet, cents in stakes or (("ann", "player", 100_00), ("bob", "banker", 50_00)):
        table.place(player, bet, cents)
    table.close()
    return table


def shown(table: Table) -> list[str]:
    return table.sees("somebody-passing")


def waiting(table: Table) -> list[str]:
    assert table.state.shoe is not None
    return [str(one.name) for one in table.state.shoe.waiting]


def counted(table: Table) -> tuple[int, dict[str, int]]:
    """Cards out of the shoe: how many, and which."""
    assert table.state.shoe is not None
    return table.state.shoe.used, {name: n for name, n in table.state.shoe.drawn.items() if n}


# Cards before settlement ----------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", EVERY)
def test_a_mistyped_natural_does_not_end_the_round(slug: str) -> None:
    """9C was a 2C: nobody has a natural, Player draws, and no false result is ever announced."""
    table = closed(slug)
    table.deal("9C 4H 3D KS")
    table.do(commands.Amend(by="dee", cards=cards("2C 4H 3D KS"), reason="keyed wrongly"))
    events = table.do(commands.ConfirmAmendment(by="sue"))
    assert {"CardsAmended", "RecordAmended"} <= set(kinds(events))
    amended = only(events, RecordAmended)
    assert (amended.by, amended.agreed, amended.reason) == ("sue", "dee", "keyed wrongly")
    assert Change(what="hand", who="player", before="9C 3D: 2", after="2C 3D: 5") in amended.changes
    assert shown(table) == ["2C", "4H", "3D", "KS"]
    if table.offers():
        table.do(commands.Decline(by="ann"))
    table.deal("2D KC")
    table.settle()  # 7 over 4
    assert (table.net("ann"), table.net("bob")) == (100_00, -50_00)
    assert table.roads() == ["player"]
    assert counted(table) == (6, dict.fromkeys(("2C", "4H", "3D", "KS", "2D", "KC"), 1))


@pytest.mark.parametrize("slug", EVERY)
def test_what_is_due_changes_with_the_record(slug: str) -> None:
    table = closed(slug)
    table.deal("2C 4H 3D KS")
    events = table.amend("KC 9H 3D KS")
    assert Change(what="due", who="", before="player", after="") in only(events, RecordAmended).changes
    assert table.refused(table.drawing("2D")).code == "card-not-due"
    table.settle()
    assert table.roads() == ["banker"]


@pytest.mark.parametrize("slug", EVERY)
def test_a_card_that_nobody_should_have_drawn_opens_the_next_round(slug: str) -> None:
    """The third card was drawn by a wrong record: it waits, it is public, and it comes first."""
    table = closed(slug)
    table.deal("2C 4H 3D KS 2D")
    table.amend("2C 9H 3D KS 2D")
    assert (shown(table), waiting(table)) == (["2C", "9H", "3D", "KS"], ["2D"])
    assert table.view("ann").waiting == cards("2D")
    assert counted(table) == (5, dict.fromkeys(("2C", "9H", "3D", "KS", "2D"), 1))
    table.settle()
    table.open()
    table.close()
    assert table.refused(table.drawing("8D")).code == "card-not-due"
    table.do(commands.Draw(by="dee"))
    assert (shown(table), waiting(table)) == (["2D"], [])
    assert counted(table)[0] == 5


def test_a_correction_that_needs_a_waiting_card_takes_it_back() -> None:
    """Player drew after all: the card that waited is in the hand and nowhere else."""
    table = closed(V4)
    table.deal("2C 4H 3D KS 2D")
    table.amend("2C 9H 3D KS 2D")
    table.settle()
    assert waiting(table) == ["2D"]
    table.amend("2C 4H 3D KS 2D")
    assert (shown(table), waiting(table)) == (["2C", "4H", "3D", "KS", "2D"], [])
    assert counted(table) == (5, dict.fromkeys(("2C", "4H", "3D", "KS", "2D"), 1))


def test_a_card_that_was_never_drawn_leaves_the_record() -> None:
    table = closed(V4)
    table.deal("2C 4H 3D")
    table.amend("2C 4H")
    assert counted(table) == (2, {"2C": 1, "4H": 1})
    table.deal("8D")
    assert shown(table) == ["2C", "4H", "8D"]


def test_a_card_that_was_drawn_and_not_recorded_joins_it() -> None:
    table = closed(V4)
    table.deal("2C 4H")
    table.amend("2C 4H 3D")
    assert counted(table) == (3, {"2C": 1, "4H": 1, "3D": 1})
    table.deal("KS")
    assert shown(table) == ["2C", "4H", "3D", "KS"]


def test_the_shoe_must_have_held_what_is_said_to_lie_there() -> None:
    table = Table(V4, decks=4)
    table.round("P 9C 9C | B 9C 9C", ("ann", "player", 10_00))
    table.open()
    table.close()
    table.deal("2C 4H")
    assert table.refused(table.amending("9C 4H")).code == "card-not-in-shoe"
    table.amend("9D 4H")


@pytest.mark.parametrize("device", ["shoe", "reader"])
def test_a_card_that_nobody_has_seen_is_not_named(device: str) -> None:
    """Not even by its right name: else a dealer could find it out by trying."""
    table = Table(TBC, method="face-down", device=device)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.deal("2C 4H 3D KS")
    table.expose(1, 2)
    for name in ("3D", "9H"):
        refusal = table.refused(table.amending(f"2C 5H {name} ?"))
        assert refusal.code == "card-not-seen"
        assert "3D" not in refusal.sentence
    assert table.refused(table.amending("? 5H ? ?")).code == "card-not-named"
    table.amend("2C 5H ? ?")
    assert shown(table) == ["2C", "5H", "?", "?"]
    table.expose(3, 4)
    assert shown(table) == ["2C", "5H", "3D", "KS"]


# By two people --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", EVERY)
def test_dealer_and_supervisor_put_it_right_together(slug: str) -> None:
    table = closed(slug)
    table.deal("9C 4H 3D KS")
    assert table.refused(table.amending("2C 4H 3D KS", by="ann")).code == "wrong-rank"
    proposed = only(table.do(table.amending("2C 4H 3D KS")), AmendmentProposed)
    assert (proposed.proposal.by, proposed.proposal.reason) == ("dee", "keyed wrongly")
    assert shown(table) == ["9C", "4H", "3D", "KS"]  # nothing has changed yet
    assert table.view("ann").amendment == proposed.proposal
    for person in ("dee", "ann"):
        assert table.refused(commands.ConfirmAmendment(by=person)).code == "wrong-rank"
    for command in (commands.Settle(by="dee"), table.drawing("2D"), table.amending("2C 4H 3D KS")):
        assert table.refused(command).code == "paused"
    table.do(commands.ConfirmAmendment(by="sue"))
    assert shown(table) == ["2C", "4H", "3D", "KS"]
    assert table.view("ann").amendment is None


def test_a_supervisors_own_proposal_takes_somebody_else() -> None:
    table = closed(TBC)
    table.deal("9C 4H 3D KS")
    table.do(table.amending("2C 4H 3D KS", by="sue"))
    assert table.refused(commands.ConfirmAmendment(by="sue")).code == "no-amendment"
    table.do(commands.ConfirmAmendment(by="dee"))


def test_two_dealers_are_not_enough() -> None:
    table = closed(TBC)
    table.do(commands.Assign(by="pam", person="eve", rank="dealer"))
    table.deal("9C 4H 3D KS")
    table.do(table.amending("2C 4H 3D KS"))
    assert table.refused(commands.ConfirmAmendment(by="eve")).code == "wrong-rank"


def test_the_record_was_right_after_all() -> None:
    table = closed(TBC)
    table.deal("9C 4H 3D KS")
    before = table.state
    table.do(table.amending("2C 4H 3D KS"))
    assert table.refused(commands.DropAmendment(by="dee", reason=" ")).code == "fact-missing"
    assert (
        only(table.do(commands.DropAmendment(by="dee", reason="it is a nine")), AmendmentDropped).by == "dee"
    )
    assert table.state == before
    assert table.refused(commands.ConfirmAmendment(by="sue")).code == "no-amendment"


def test_what_is_recorded_already_is_no_amendment() -> None:
    table = closed(TBC)
    table.deal("9C 4H 3D KS")
    assert table.refused(table.amending("9C 4H 3D KS")).code == "no-amendment"


def test_a_void_ends_what_was_proposed() -> None:
    table = closed(TBC)
    table.deal("9C 4H 3D KS")
    table.do(table.amending("2C 4H 3D KS"))
    table.do(commands.Void(by="sam", reason="a fire alarm"))
    table.open()


# After settlement -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", RWS)
def test_a_settled_round_is_reversed_and_goes_on_if_it_was_not_over(slug: str) -> None:
    """The natural was a misread card: the settlement is taken back, and Player draws."""
    table = closed(slug)
    table.deal("9C 4H KD KS")
    table.settle()
    assert (table.net("ann"), table.roads()) == (100_00, ["player"])
    events = table.amend("2C 4H KD KS")
    assert kinds(events)[:2] == ["SettlementReversed", "CardsAmended"]
    assert (
        Change(what="settlement", who="ann", before=100_00, after="") in only(events, RecordAmended).changes
    )
    assert (table.state.phase, table.roads(), table.net("ann")) == ("dealing", [], -100_00)
    if table.offers():
        table.do(commands.Decline(by="bob"))
    table.deal("2D 5C")  # 4 against 9
    table.settle()
    assert (table.net("ann"), table.roads()) == (-100_00, ["banker"])


@pytest.mark.parametrize("slug", RWS)
def test_a_settled_round_that_is_still_whole_is_settled_anew(slug: str) -> None:
    table = closed(slug)
    table.deal("9C 4H KD 2S")
    table.settle()
    events = table.amend("9C 4H KD 5S")
    assert kinds(events) == ["SettlementReversed", "CardsAmended", "RecordAmended", "RoundSettled"]
    assert (table.net("ann"), table.net("bob"), table.roads()) == (0, 0, ["tie"])


def test_after_payment_a_gaming_shift_manager_takes_part() -> None:
    table = closed(MBS)
    table.deal("9C 4H KD 2S")
    table.settle()
    table.do(table.amending("9C 4H KD 5S"))
    for person in ("sue", "pam", "ada"):
        table.refuses("wrong-rank", ("6.1",), commands.ConfirmAmendment(by=person))
    table.do(commands.ConfirmAmendment(by="sam"))
    assert (table.net("ann"), table.roads()) == (0, ["tie"])


@pytest.mark.parametrize("slug", EVERY)
def test_the_next_round_makes_it_final(slug: str) -> None:
    table = closed(slug)
    table.deal("9C 4H KD 2S")
    table.settle()
    table.open()
    assert table.refused(table.amending("9C 4H KD 5S", by="sam")).code == "wrong-phase"


# Insurance ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", INSURED)
@pytest.mark.parametrize("when", ["before settlement", "after settlement"])
def test_insurance_plays_at_the_row_that_really_lay_there(slug: str, when: str) -> None:
    """Player had 7, not 6: what was bought at 5 to 2 (CBI: 3 to 1) plays at 4 to 1 (CBI: 4 to 1)."""
    table = closed(slug, ("ann", "player", 100_00))
    table.deal("KC KH 6D 5S")
    table.insure("ann", "player", 20_00)
    table.deal("3D")
    if when == "after settlement":
        table.settle()
    events = table.amend("KC KH 7D 5S 3D")
    wrong, right = {TBC: ("5 to 2", "4 to 1"), CBI: ("3 to 1", "4 to 1")}[slug]
    change = Change(what="odds", who="ann player window 1", box=1, before=wrong, after=right)
    assert change in only(events, RecordAmended).changes
    if when == "before settlement":
        table.settle()
    line = table.line("ann", "player-insurance")
    assert (line.odds, line.stake, line.net) == (right, 20_00, 80_00)
    assert table.net("ann") == -100_00 + 80_00  # Banker 8 over 7


@pytest.mark.parametrize("slug", INSURED)
def test_insurance_plays_within_the_cap_of_the_true_row(slug: str) -> None:
    """CBI: winnings up to the bet, so 33 at 3 to 1 are 25 at 4 to 1. TBC: the whole bet at either."""
    table = closed(slug, ("ann", "player", 100_00))
    table.deal("KC KH 6D 5S")
    table.insure("ann", "player", {TBC: 100_00, CBI: 33_00}[slug])
    table.amend("KC KH 7D 5S")
    assert table.view("ann").offers[0].caps == {1: 0}
    table.deal("3D")
    table.settle()
    line = table.line("ann", "player-insurance")
    assert (line.played, line.net) == {TBC: (None, 400_00), CBI: (25_00, 100_00)}[slug]


@pytest.mark.parametrize("slug", INSURED)
def test_insurance_that_was_never_on_offer_goes_back(slug: str) -> None:
    """Player had a natural: there was nothing to insure."""
    table = closed(slug, ("ann", "player", 100_00))
    table.deal("KC KH 6D 5S")
    table.insure("ann", "player", 20_00)
    table.amend("KC KH 9D 5S")
    assert table.offers() == {}
    assert table.rack("ann") == 9_880_00  # it lies there until the round is settled
    table.settle()
    line = table.line("ann", "player-insurance")
    assert (line.result, line.played, line.net) == ("returned", 0, 0)
    assert table.net("ann") == 100_00


@pytest.mark.parametrize("slug", INSURED)
def test_nobody_is_silent_about_an_offer_that_never_was(slug: str) -> None:
    """By the wrong record Ann let the first window pass; really there was none, so the second is open to her."""
    table = closed(slug, ("ann", "player", 100_00))
    table.deal("2C 4H 3D KS 4C")
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 5_00))
    table.amend("AC 4H 3D KS 4C")  # Player 4 against 4: no row; then 8
    assert list(table.offers()) == ["player"]
    table.insure("ann", "player", 5_00)


@pytest.mark.parametrize("slug", INSURED)
def test_an_offer_that_really_exists_is_made(slug: str) -> None:
    table = closed(slug, ("ann", "player", 100_00))
    table.deal("KC KH 9D 5S")
    assert table.offers() == {}
    events = table.amend("KC KH 6D 5S")
    assert only(events, InsuranceOpened).window == 1
    table.insure("ann", "player", 10_00)


@pytest.mark.parametrize("slug", INSURED)
def test_silence_about_the_same_offer_stays_silence(slug: str) -> None:
    """A card of another suit changes no offer."""
    table = closed(slug, ("ann", "player", 100_00))
    table.deal("2C 4H 3D KS 4C")
    table.amend("2C 4D 3D KS 4C")
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 5_00))


# Chips that came too late ---------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", RWS)
@pytest.mark.parametrize(("deal", "net"), [("P 9C KD | B 4H 2S", 100_00), ("P 4C 2D | B 9H KS", -100_00)])
def test_late_chips_change_nothing(slug: str, deal: str, net: int) -> None:
    table = closed(slug, ("ann", "player", 100_00))
    rules = table.late("ann", "player", 400_00)[0].rules
    assert rules == {CBI: ("5.6",)}.get(slug, ("5.7",))
    table.late("bob", "banker", 50_00)
    table.late("ann", "player", 100_00)
    assert (table.rack("ann"), table.rack("bob")) == (9_400_00, 9_950_00)
    table.deal(deal)
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (net, 0)


@pytest.mark.parametrize("slug", RWS)
def test_chips_taken_away_late_are_put_back(slug: str) -> None:
    table = closed(slug, ("ann", "player", 100_00))
    table.late("ann", "player", -100_00)
    assert table.rack("ann") == 10_000_00
    table.deal("P 4C 2D | B 9H KS")
    table.settle()
    assert table.net("ann") == -100_00


def test_late_chips_put_back_before_the_stake_itself_goes_back() -> None:
    """Ann took 30 of her 100 away; the decision returns her stake: she has what she came with, no more."""
    table = closed(TBC, ("ann", "player", 100_00))
    table.late("ann", "player", -30_00)
    table.do(commands.Report(by="dee", case="not-covered"))
    decision = Inputs(action="return-stakes", stakes=(("ann", 1, "player"),), reason="fainted")
    table.do(commands.Rule(by="sam", inputs=decision))
    assert table.net("ann") == 0
    assert table.state.balances["box:1"] == 0


@pytest.mark.parametrize("slug", EVERY)
def test_no_chips_are_late_while_bets_are_open(slug: str) -> None:
    table = Table(slug)
    table.open()
    assert table.refused(table.being_late("ann", "player", 10_00)).code == "wrong-phase"


# Chips over a maximum, unnoticed --------------------------------------------------------------------------


def over_maximum(slug: str) -> Table:
    """500 on the tie over a maximum of 200; the round is a tie."""
    table = Table(slug, limits={"*": Limit(10_00, 2_000_00), "tie": Limit(10_00, 200_00)})
    table.open()
    table.record("ann", "tie", 500_00)
    table.close()
    table.deal("P 4C 4D | B 6H 2S")
    return table


@pytest.mark.parametrize("slug", RWS)
@pytest.mark.parametrize(
    ("action", "stakes", "amounts", "net"),
    [
        ("let-stand", True, (), 4_000_00),
        ("cut-to-maximum", True, (), 1_600_00),
        ("cut-stakes", True, (100_00,), 800_00),
        ("return-stakes", True, (), 0),
    ],
)
def test_an_excess_is_decided_on_before_it_is_settled(
    slug: str, action: str, *, stakes: bool, amounts: tuple[int, ...], net: int
) -> None:
    table = over_maximum(slug)
    table.refuses(
        "decision-needed", load(slug).limits.above_maximum_unnoticed.rules, commands.Settle(by="dee")
    )
    table.do(commands.Report(by="dee", case="not-covered"))
    named = (("ann", 1, "tie"),) if stakes else ()
    decision = Inputs(action=action, stakes=named, amounts=amounts, reason="seen too late")  # type: ignore[arg-type]
    table.do(commands.Rule(by="sam", inputs=decision))
    table.settle()
    assert table.net("ann") == net


@pytest.mark.parametrize("slug", RWS)
def test_to_go_on_is_no_decision_about_it(slug: str) -> None:
    table = over_maximum(slug)
    table.do(commands.Report(by="dee", case="not-covered"))
    table.do(commands.Rule(by="sam", inputs=Inputs(action="continue", reason="later")))
    assert table.refused(commands.Settle(by="dee")).code == "decision-needed"


@pytest.mark.parametrize("slug", RWS)
def test_an_excess_found_after_settlement_is_decided_on_too(slug: str) -> None:
    table = Table(slug, limits={"*": Limit(10_00, 2_000_00), "tie": Limit(10_00, 200_00)})
    table.round("P 4C 4D | B 6H 2S", ("ann", "tie", 100_00))
    assert table.net("ann") == 800_00
    table.record("ann", "tie", 500_00)
    assert (table.state.phase, table.net("ann")) == ("dealing", -500_00)
    assert table.refused(commands.Settle(by="dee")).code == "decision-needed"


# Owed to the House ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", EVERY)
def test_winnings_can_be_cashed_out_at_once_and_are_owed_if_they_come_back(slug: str) -> None:
    table = Table(slug, seats={})
    table.join("ann", 1, bank=100_00)
    table.round("P 9C KD | B 4H 2S", ("ann", "player", 100_00))
    table.do(commands.CashOut(by="ann", cents=200_00))
    reversal = table.do(commands.Void(by=HIGHEST[slug], reason="the shoe was short"))
    assert only(reversal, SettlementReversed).postings
    # Her stake of 100 goes back, which pays that much of the 200 she took along.
    assert (table.rack("ann"), table.state.debt("ann"), table.house) == (0, 100_00, 0)
    assert table.view("ann").owed == table.view("dee").owed == {"ann": 100_00}
    assert table.view("bob").owed == {}


def test_a_debt_is_paid_from_what_is_won_next() -> None:
    """80 of the 100 that she owes: her stake of 80 comes back in full (interpretation 54)."""
    table = Table(TBC, seats={})
    table.join("ann", 1, bank=100_00)
    table.round("P 9C KD | B 4H 2S", ("ann", "player", 100_00))
    table.do(commands.CashOut(by="ann", cents=200_00))
    table.do(commands.Void(by="sam", reason="the shoe was short"))
    table.do(commands.BuyIn(by="ann", cents=80_00))
    table.open()
    table.place("ann", "player", 80_00)
    table.close()
    table.deal("P 9C KD | B 4H 2S")
    table.settle()
    assert (table.rack("ann"), table.state.debt("ann")) == (80_00, 20_00)


def test_a_debt_stands_while_nothing_comes_in() -> None:
    table = Table(TBC, seats={})
    table.join("ann", 1, bank=100_00)
    table.round("P 9C KD | B 4H 2S", ("ann", "player", 100_00))
    table.do(commands.CashOut(by="ann", cents=200_00))
    table.amend("9C 4H KD 9S")  # Player 9 against 3: the same result; nothing is owed
    assert (table.rack("ann"), table.state.debt("ann")) == (0, 0)
    table.amend("9C 9H KD KS")  # a tie
    assert (table.rack("ann"), table.state.debt("ann"), table.house) == (0, 100_00, 0)


# Who is no longer there -----------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", RWS)
def test_who_left_the_seat_has_no_seated_players_priority(slug: str) -> None:
    """Ann sat at box 1 and left 600 there; Cat stands behind it. Bob sits down: of the two Ann's, placed later, is cut."""
    table = Table(slug, seats={"ann": 1, "bob": 0, "cat": 0})
    table.open()
    table.place("cat", "player", 300_00, box=1)
    table.place("ann", "player", 600_00)
    table.do(commands.Leave(by="ann"))
    table.do(commands.Sit(by="bob", box=1))
    table.place("bob", "player", 400_00)
    assert table.stakes() == {
        ("cat", 1, "player"): 300_00,
        ("ann", 1, "player"): 300_00,
        ("bob", 1, "player"): 400_00,
    }


@pytest.mark.parametrize("slug", RWS)
def test_who_stays_seated_keeps_it(slug: str) -> None:
    table = Table(slug, seats={"ann": 1, "bob": 2, "cat": 0})
    table.open()
    table.place("cat", "player", 300_00, box=1)
    table.place("ann", "player", 800_00)
    assert table.stakes() == {("cat", 1, "player"): 200_00, ("ann", 1, "player"): 800_00}


def test_the_record_says_who_put_it_right_and_when() -> None:
    """Every amendment is an event after what it amends; nothing is edited."""
    table = closed(TBC)
    table.deal("9C 4H KD 2S")
    before = list(table.log)
    table.amend("9C 4H KD 3S")
    assert table.log[: len(before)] == before
    assert only(table.log, CardsAmended).by == "sue"
