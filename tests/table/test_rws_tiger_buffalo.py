"""Tables of the three Tiger Buffalo documents, by the paragraphs whose numbers agree in them."""

import pytest

from table.tables import Table, cards, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import (
    CardsAmended,
    CardsExposed,
    CardsHanded,
    RecordAmended,
    RoundSettled,
    RoundVoided,
    SettlementReversed,
)
from thirdcard.table.state import Change

SLUGS = (
    "rws-tiger-buffalo-commission-v2",
    "rws-tiger-buffalo-non-commission-v3",
    "rws-tiger-buffalo-non-commission-v4",
)
pytestmark = pytest.mark.parametrize("slug", SLUGS)

PLAYER_WINS = "P 9C KD | B 4H 2S"
BANKER_WINS = "P 4C 2D | B 9H KS"


# People ---------------------------------------------------------------------------------------------------


def test_1_17_whoever_ranks_higher_may_do_what_a_lower_one_may(slug: str) -> None:
    table = Table(slug)
    for person in ("dee", "sue", "pam", "sam"):
        table.do(commands.Open(by=person))
        table.do(commands.Close(by=person))
        for card in cards(PLAYER_WINS):
            table.do(commands.Draw(by=person, card=card))
        table.do(commands.Settle(by=person))


def test_1_17_a_person_is_assigned_to_a_position(slug: str) -> None:
    table = Table(slug)
    refusal = table.refused(commands.Open(by="eve"))
    assert refusal.code == "unknown-person"
    for person in ("ann", "dee", "sue"):
        refused = table.refused(commands.Assign(by=person, person="eve", rank="dealer"))
        assert refused.code == "wrong-rank"
    assert table.refused(commands.Assign(by="pam", person="eve", rank="shift-manager")).code == "wrong-rank"
    table.do(commands.Assign(by="pam", person="eve", rank="dealer"))
    table.do(commands.Open(by="eve"))


def test_1_17_nobody_is_player_and_staff_at_once(slug: str) -> None:
    table = Table(slug)
    assert table.refused(commands.Join(by="dee")).code == "unknown-player"
    assert table.refused(commands.Assign(by="pam", person="ann", rank="dealer")).code == "unknown-person"


def test_1_25_a_round_runs_from_the_call_to_the_settlement(slug: str) -> None:
    table = Table(slug)
    phases = [table.state.phase]
    table.open()
    phases.append(table.state.phase)
    assert table.refused(commands.Open(by="dee")).code == "wrong-phase"
    table.close()
    phases.append(table.state.phase)
    table.deal(PLAYER_WINS)
    assert table.refused(commands.Open(by="dee")).code == "wrong-phase"
    table.settle()
    phases.append(table.state.phase)
    table.open()
    assert phases == ["idle", "betting", "dealing", "settled"]
    assert table.state.rounds == 2


def test_1_26__1_29_seated_and_standing(slug: str) -> None:
    """Ann sits at box 1 and stands behind box 2; nobody stands behind an empty box."""
    table = Table(slug)
    table.open()
    table.place("ann", "player", 10_00)
    table.place("ann", "player", 10_00, box=2)
    table.place("cat", "tie", 10_00, box=1)
    current = table.state.round
    assert current is not None
    assert [(stake.player, stake.box, stake.seated) for stake in current.stakes.values()] == [
        ("ann", 1, True),
        ("ann", 2, False),
        ("cat", 1, False),
    ]
    table.refuses("box-not-occupied", ("1.29",), table.placing("cat", "player", 10_00, box=3))


def test_1_29_behind_a_box_whose_occupant_has_not_bet(slug: str) -> None:
    table = Table(slug)
    table.open()
    table.place("cat", "player", 10_00, box=2)


def test_1_26_a_seat_is_taken_and_left(slug: str) -> None:
    table = Table(slug)
    assert table.refused(commands.Sit(by="cat", box=1)).code == "box-taken"
    table.do(commands.Sit(by="cat", box=3))
    assert kinds(table.do(commands.Sit(by="cat", box=4))) == ["SeatLeft", "SeatTaken"]
    table.do(commands.Leave(by="ann"))
    table.do(commands.Sit(by="cat", box=1))
    assert table.view("dee").seats == {1: "cat", 2: "bob"}
    table.open()
    table.place("cat", "player", 10_00)
    assert table.refused(commands.Sit(by="cat", box=3)).code == "wrong-phase"


def test_1_26_a_seat_is_taken_while_cards_are_dealt_and_bets_begin_with_the_next_round(slug: str) -> None:
    table = Table(slug)
    table.open()
    table.place("ann", "player", 10_00)
    table.close()
    assert table.refused(commands.Sit(by="ann", box=3)).code == "wrong-phase"
    assert kinds(table.do(commands.Sit(by="cat", box=3))) == ["SeatTaken"]
    assert table.refused(table.placing("cat", "player", 10_00)).code == "wrong-phase"
    table.show("9C 2D KH 3S")
    table.settle()
    table.open()
    table.place("cat", "player", 10_00)


# After the close ------------------------------------------------------------------------------------------


def test_5_7_after_the_close_nothing_is_placed_increased_or_withdrawn(slug: str) -> None:
    table = Table(slug)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    for step in range(3):
        for command in (
            table.placing("bob", "banker", 10_00),
            table.placing("ann", "player", 10_00),
            table.taking_back("ann", "player"),
            table.taking_back("ann", "player", 10_00),
        ):
            table.refuses("wrong-phase", ("5.7",), command)
        if step == 0:
            table.deal(PLAYER_WINS)
        elif step == 1:
            table.settle()
    assert table.net("ann") == 100_00


# Final only with the next round ---------------------------------------------------------------------------


def settled(slug: str) -> Table:
    """Ann won $100 on Player, Bob lost $40 on Banker."""
    table = Table(slug)
    table.open()
    table.place("ann", "player", 100_00)
    table.place("bob", "banker", 40_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert (table.net("ann"), table.net("bob"), table.house) == (100_00, -40_00, -60_00)
    return table


def test_5_6_a_correction_reverses_and_settles_anew(slug: str) -> None:
    table = settled(slug)
    command = commands.Correct(by="sue", cards=cards("P 9C KD | B 9H KS"), reason="misread a nine")
    events = table.do(command)
    assert kinds(events) == ["SettlementReversed", "CardsAmended", "RecordAmended", "RoundSettled"]
    assert only(events, SettlementReversed).rules == ("5.6",)
    assert only(events, SettlementReversed).reason == "misread a nine"
    assert [str(card.name) for card in only(events, CardsAmended).cards] == ["9C", "9H", "KD", "KS"]
    amended = only(events, RecordAmended)
    assert (amended.by, amended.reason) == ("sue", "misread a nine")
    assert amended.changes == (
        Change(what="hand", who="banker", before="4H 2S: 6", after="9H KS: 9"),
        Change(what="settlement", who="ann", before=100_00, after=0),
        Change(what="settlement", who="bob", before=-40_00, after=0),
    )
    assert only(events, RoundSettled).settlement.outcome == "tie"
    assert (table.net("ann"), table.net("bob"), table.house) == (0, 0, 0)
    assert table.roads() == ["tie"]


def test_5_6_a_correction_can_be_corrected(slug: str) -> None:
    table = settled(slug)
    table.do(commands.Correct(by="sue", cards=cards("P 9C KD | B 9H KS"), reason="misread"))
    table.do(commands.Correct(by="sue", cards=cards(PLAYER_WINS), reason="it was right"))
    assert (table.net("ann"), table.net("bob"), table.house) == (100_00, -40_00, -60_00)
    assert table.roads() == ["player"]


def test_5_6_a_correction_takes_a_pit_supervisor_and_a_reason(slug: str) -> None:
    table = settled(slug)
    tie = cards("P 9C KD | B 9H KS")
    table.refuses("wrong-rank", ("5.6",), commands.Correct(by="dee", cards=tie, reason="misread"))
    assert table.refused(commands.Correct(by="sue", cards=tie, reason=" ")).code == "fact-missing"
    short = cards("9C KD 4H")
    assert table.refused(commands.Correct(by="sue", cards=short, reason="misread")).code == "card-not-due"


def test_5_6_the_next_call_makes_it_final(slug: str) -> None:
    table = settled(slug)
    table.open()
    command = commands.Correct(by="sam", cards=cards("P 9C KD | B 9H KS"), reason="too late")
    table.refuses("wrong-phase", ("5.6",), command)
    table.do(commands.Void(by="sam", reason="only this one"))
    assert (table.net("ann"), table.net("bob")) == (100_00, -40_00)
    assert table.roads() == ["player"]
    assert table.state.rounds == 2


def test_1_35__5_6_a_settled_round_is_voided_until_then(slug: str) -> None:
    table = settled(slug)
    events = table.do(commands.Void(by="sam", reason="the shoe was short"))
    assert kinds(events) == ["SettlementReversed", "RoundVoided"]
    assert only(events, RoundVoided).reason == "the shoe was short"
    assert (table.net("ann"), table.net("bob"), table.house) == (0, 0, 0)
    assert table.roads() == []
    assert table.refused(commands.Void(by="sam", reason="again")).code == "wrong-phase"
    command = commands.Correct(by="sue", cards=cards(PLAYER_WINS), reason="it was right")
    assert table.refused(command).code == "wrong-phase"


@pytest.mark.parametrize("stage", range(4))
def test_1_35_a_void_round_has_no_result_and_moves_no_money(slug: str, stage: int) -> None:
    table = Table(slug)
    table.open()
    table.place("ann", "player", 100_00)
    table.place("cat", "tie", 20_00, box=1)
    if stage > 0:
        table.close()
    if stage > 1:
        table.deal("9C 4H")
    if stage > 2:
        table.deal("KD 2S")
    table.do(commands.Void(by="sam", reason="power"))
    assert (table.net("ann"), table.net("cat"), table.house) == (0, 0, 0)
    assert (table.roads(), table.state.phase) == ([], "void")
    shoe = table.state.shoe
    assert shoe is not None
    assert shoe.used == (0, 0, 2, 4)[stage]  # drawn cards stay drawn
    table.round(PLAYER_WINS, ("ann", "player", 10_00))
    assert table.state.rounds == 2


# Squeezing ------------------------------------------------------------------------------------------------


def squeezing(slug: str, *stakes: tuple[str, str, int, int]) -> Table:
    table = Table(slug, seats={"ann": 1, "bob": 2, "cat": 0}, method="face-down")
    table.open()
    for player, bet, cents, box in stakes:
        table.place(player, bet, cents, box)
    table.close()
    return table


def test_3_9_the_highest_bet_on_the_table_seated_or_standing(slug: str) -> None:
    """Cat stands behind box 1 with the largest single stake; Ann's two stakes do not add up."""
    table = squeezing(
        slug, ("ann", "player", 500_00, 1), ("ann", "player", 400_00, 2), ("cat", "banker", 600_00, 1)
    )
    table.refuses("no-right-to-squeeze", ("3.9",), commands.RequestSqueeze(by="ann", cards=(1,)))
    table.do(commands.RequestSqueeze(by="cat", cards=(1, 3)))


def test_3_9_a_bet_is_a_bet_whatever_it_is_on(slug: str) -> None:
    """A bet on the tie is the highest on the table; two smaller ones of Bob's do not add up."""
    table = squeezing(
        slug, ("ann", "tie", 90_00, 1), ("bob", "player", 80_00, 2), ("bob", "player-pair", 80_00, 2)
    )
    table.refuses("no-right-to-squeeze", ("3.9",), commands.RequestSqueeze(by="bob", cards=(1,)))
    table.do(commands.RequestSqueeze(by="ann", cards=(1,)))


def test_3_9_what_counts_is_what_plays(slug: str) -> None:
    """Cat's 900 shares the differential with Ann's 600 and plays for 600, hers for 400: Bob's 700 is higher."""
    table = Table(slug, seats={"ann": 1, "bob": 2, "cat": 0}, method="face-down")
    table.open()
    table.record("ann", "player", 600_00)
    table.record("cat", "player", 900_00, box=1)
    table.place("bob", "banker", 700_00)
    table.close()
    for person in ("ann", "cat"):
        table.refuses("no-right-to-squeeze", ("3.9",), commands.RequestSqueeze(by=person, cards=(1,)))
    table.do(commands.RequestSqueeze(by="bob", cards=(1,)))


def test_3_9_who_walked_away_squeezes_nothing(slug: str) -> None:
    table = squeezing(slug, ("ann", "player", 100_00, 1), ("bob", "banker", 50_00, 2))
    table.do(commands.Leave(by="ann"))
    table.refuses("no-right-to-squeeze", ("3.9",), commands.RequestSqueeze(by="ann", cards=(1,)))
    table.do(commands.RequestSqueeze(by="bob", cards=(1,)))


def test_3_9_of_equal_bets_the_earliest_placed(slug: str) -> None:
    """Ann reached $100 after Bob did."""
    table = squeezing(
        slug, ("ann", "player", 50_00, 1), ("bob", "banker", 100_00, 2), ("ann", "player", 50_00, 1)
    )
    table.refuses("no-right-to-squeeze", ("3.9",), commands.RequestSqueeze(by="ann", cards=(1,)))
    table.do(commands.RequestSqueeze(by="bob", cards=(1,)))


def test_3_9_asked_for_before_the_card_is_dealt_and_permitted(slug: str) -> None:
    table = squeezing(slug, ("ann", "player", 100_00, 1), ("bob", "banker", 50_00, 2))
    table.refuses(
        "no-right-to-squeeze", ("3.9",), commands.PermitSqueeze(by="sue", player="ann", cards=(1, 3))
    )
    table.do(commands.RequestSqueeze(by="ann", cards=(1, 3)))
    table.refuses("wrong-rank", ("3.9",), commands.PermitSqueeze(by="dee", player="ann", cards=(1, 3)))
    table.do(commands.PermitSqueeze(by="sue", player="ann", cards=(1, 3)))
    table.deal("2C 4H 3D KS")
    table.refuses("no-such-card", ("3.9",), commands.RequestSqueeze(by="ann", cards=(2,)))
    table.refuses("no-right-to-squeeze", ("3.9",), commands.HandOver(by="dee", player="ann", cards=(2,)))
    table.refuses("no-right-to-squeeze", ("3.9",), commands.HandOver(by="dee", player="bob", cards=(1,)))
    table.do(commands.HandOver(by="dee", player="ann", cards=(1, 3)))


PEOPLE = ("ann", "bob", "cat", "dee", "sam", "somebody-passing")


def in_anns_hands(slug: str, device: str) -> Table:
    """Four cards lie face down; Ann was let squeeze Player's."""
    table = Table(slug, seats={"ann": 1, "bob": 2, "cat": 0}, method="face-down", device=device)
    table.open()
    table.place("ann", "player", 100_00)
    table.place("bob", "banker", 50_00)
    table.close()
    table.do(commands.RequestSqueeze(by="ann", cards=(1, 3)))
    table.do(commands.PermitSqueeze(by="sue", player="ann", cards=(1, 3)))
    assert kinds(table.deal("2C 4H 3D KS")) == ["CardDrawn"] * 4
    assert {viewer: table.sees(viewer) for viewer in PEOPLE} == dict.fromkeys(PEOPLE, ["?"] * 4)
    assert kinds(table.do(commands.HandOver(by="dee", player="ann", cards=(1, 3)))) == ["CardsHanded"]
    return table


def test_3_9_drawn_handed_and_exposed_are_three_events(slug: str) -> None:
    """A device that reads cards has named them: the squeezer alone sees which."""
    table = in_anns_hands(slug, "reader")
    assert table.sees("ann") == ["2C", "?", "3D", "?"]
    assert {viewer: table.sees(viewer) for viewer in PEOPLE[1:]} == dict.fromkeys(PEOPLE[1:], ["?"] * 4)
    for person in ("bob", "dee"):
        table.refuses("card-not-yours", ("3.9",), commands.Expose(by=person, cards=(1,)))
    table.refuses("card-not-yours", ("3.9",), commands.Expose(by="ann", cards=(2,)))
    assert kinds(table.expose(1, by="ann"))[0] == "CardsExposed"
    assert table.sees("bob") == ["2C", "?", "?", "?"]
    table.expose(3, by="ann")
    table.expose(2, 4)
    assert table.sees("bob") == ["2C", "4H", "3D", "KS"]


def test_3_9_from_an_ordinary_shoe_a_card_has_no_name_until_it_is_turned(slug: str) -> None:
    """Nothing on record knows it: not the log, and not the view of who has it in hand."""
    table = in_anns_hands(slug, "shoe")
    assert {viewer: table.sees(viewer) for viewer in PEOPLE} == dict.fromkeys(PEOPLE, ["?"] * 4)
    assert not any(name in repr(table.log) for name in ("TWO_CLUBS", "'2C'", "'3D'"))
    table.refuses("card-not-yours", ("3.9",), table.exposing(1))  # Ann has it
    table.refuses("card-not-named", (), commands.Expose(by="dee", cards=(1,), player="ann"))
    assert only(table.expose(1, by="ann"), CardsExposed).names == {1: cards("2C")[0]}
    assert table.sees("bob") == ["2C", "?", "?", "?"]
    table.expose(3, by="ann")
    table.expose(2, 4)
    assert table.sees("bob") == ["2C", "4H", "3D", "KS"]


def test_3_9_cards_that_somebody_holds_can_be_taken_back(slug: str) -> None:
    table = in_anns_hands(slug, "shoe")
    taking = commands.TakeCards(by="dee", cards=(1, 3), reason="does not answer")
    assert table.refused(commands.TakeCards(by="bob", cards=(1, 3), reason="mine")).code == "wrong-rank"
    assert table.refused(commands.TakeCards(by="dee", cards=(1, 3), reason=" ")).code == "fact-missing"
    assert table.refused(commands.TakeCards(by="dee", cards=(1, 2), reason="no")).code == "no-such-card"
    table.do(taking)
    table.expose(1, 2, 3, 4)
    assert table.sees("bob") == ["2C", "4H", "3D", "KS"]


def test_3_9_the_dealer_turns_what_somebody_holds_who_is_gone(slug: str) -> None:
    table = in_anns_hands(slug, "shoe")
    table.refuses("card-not-yours", ("3.9",), table.exposing(1, 3))
    table.do(commands.Leave(by="ann"))
    table.expose(1, 3)
    table.expose(2, 4)
    table.show("2D 5S")
    table.settle()
    assert table.net("ann") == -100_00  # Player 7 under 9: the bet stayed


def test_3_9_a_hand_over_to_the_wrong_person_is_on_record(slug: str) -> None:
    table = squeezing(slug, ("ann", "player", 100_00, 1), ("bob", "banker", 50_00, 2))
    table.do(commands.RequestSqueeze(by="ann", cards=(1, 3)))
    table.do(commands.PermitSqueeze(by="sue", player="ann", cards=(1, 3)))
    table.deal("2C 4H 3D KS")
    right = commands.HandOver(by="dee", player="ann", cards=(1, 3), wrongly=True)
    assert table.refused(right).code == "condition-not-met"
    event = only(table.do(commands.HandOver(by="dee", player="bob", cards=(1, 3), wrongly=True)), CardsHanded)
    assert event.wrongly
    assert [one.held_by for one in table.view("cat").cards] == ["bob", None, "bob", None]
    current = table.state.round
    assert current is not None
    assert current.drawn[0].seen_by == ("bob",)
    table.do(commands.TakeCards(by="dee", cards=(1, 3), reason="not Bob's"))
    table.do(commands.HandOver(by="dee", player="ann", cards=(1, 3)))
    after = table.state.round
    assert after is not None
    assert after.drawn[0].seen_by == ("bob", "ann")


def test_3_9_third_cards_wait_for_what_lies_face_down(slug: str) -> None:
    table = squeezing(slug, ("ann", "player", 100_00, 1))
    table.deal("2C 4H 3D KS")
    assert table.refused(table.drawing("4C")).code == "card-not-due"
    table.expose(1, 2, 3)
    assert table.refused(table.drawing("4C")).code == "card-not-due"
    table.expose(4)
    table.deal("4C")
    assert table.refused(table.drawing("5D")).code == "card-not-due"
    table.expose(5)
    table.deal("5D")
    assert table.refused(commands.Settle(by="dee")).code == "round-not-complete"
    table.expose(6)
    table.settle()


def test_3_9_nobody_squeezes_where_cards_are_dealt_face_up(slug: str) -> None:
    table = Table(slug)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.refuses("not-allowed-here", ("3.9",), commands.RequestSqueeze(by="ann", cards=(1,)))


def test_5_6_a_correction_after_a_new_shoe(slug: str) -> None:
    table = settled(slug)
    table.do(commands.NewShoe(by="dee"))
    table.do(commands.Correct(by="sue", cards=cards("P 9C KD | B 9H KS"), reason="misread"))
    assert (table.net("ann"), table.net("bob")) == (0, 0)


@pytest.mark.parametrize("hidden", ["KC 4H 6D KS", "KC 4H 2D KS", "KC 4H 9D KS"])
def test_3_9_a_refusal_tells_nothing_of_face_down_cards(slug: str, hidden: str) -> None:
    table = squeezing(slug, ("ann", "player", 100_00, 1))
    table.deal(hidden)
    sentence = table.refused(commands.Settle(by="dee")).sentence
    assert "Banker" not in sentence
    assert "Player" not in sentence


def test_1_17_nobody_is_moved_from_a_rank_above_ones_own(slug: str) -> None:
    table = Table(slug)
    assert table.refused(commands.Assign(by="pam", person="sam", rank="dealer")).code == "wrong-rank"
