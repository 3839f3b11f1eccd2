"""The automatic dealer: each thing it does, and whole shoes with people at random."""

from collections import Counter
from typing import get_args

import msgspec
import pytest

from service.driving import CBI, MBS, PACE, TBC, V3, V4, WALKS, Driven, setup_for, walk
from thirdcard.cards import parse_cards
from thirdcard.rulebook import load
from thirdcard.rulebook.model import Side
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.tables.dealer import (
    NO_ANSWER,
    Do,
    DrawNext,
    Rest,
    Shuffle,
    Timer,
    Wait,
    dealer_rank,
    interruption,
)
from thirdcard.table import commands, events, replay
from thirdcard.table.rights.insurance import has_forgone
from thirdcard.table.setup import Limit
from thirdcard.table.state import Inputs, stake_key

EVERY = (TBC, V3, V4, CBI, MBS)


def at_bets(slug: str = TBC, *people: str, **changed: object) -> Driven:
    """A table with bets open and people seated from box 1 on."""
    table = Driven(setup_for(slug, "A", **changed), *people)
    table.until("betting")
    return table


def bet(table: Driven, who: str, name: str, cents: int, box: int = 1) -> None:
    table.do(commands.Place(by=who, box=box, bet=name, cents=cents))


def dealt(table: Driven, text: str) -> None:
    """These cards come next; bets are closed."""
    table.stack(*parse_cards(text))
    table.until("dealing")


# The course of a round ------------------------------------------------------------------------------------


def test_a_first_shoe_comes_at_once_and_bets_open_at_once() -> None:
    table = Driven(setup_for(TBC), "Wei")
    assert table.next() == (Shuffle(), None)
    table.tick()
    assert table.next() == (Do((commands.Open(by=SYSTEM),)), None)


def test_a_round_without_bets_is_dealt_all_the_same() -> None:
    table = at_bets()
    step, timer = table.next()
    assert step == Do((commands.Close(by=SYSTEM),))
    assert timer == Timer(name="betting", key="betting/1", ms=PACE.betting)
    dealt(table, "9C 2D KH 3S")
    for place in range(1, 5):
        assert table.next() == (
            DrawNext(by=SYSTEM),
            Timer(name="card", key=f"card/1/{place}", ms=PACE.card if place == 1 else PACE.card // 10),
        )
        table.tick()
        table.tick(PACE.card)
    assert table.next()[0] == Do((commands.Settle(by=SYSTEM),))
    table.until("settled")
    assert table.next() == (
        Do((commands.Open(by=SYSTEM),)),
        Timer(name="result", key="result/1", ms=PACE.result),
    )


def test_the_cut_card_ends_the_shoe_after_the_result_was_shown() -> None:
    table = at_bets(TBC, cut=8 * 52 - 6)  # it comes out with the seventh card
    seen = [table.state.rounds]
    while table.state.shoe is not None and table.state.shoe.number == 1:
        assert table.state.rounds <= 2
        table.until("settled")
        step, timer = table.next()
        assert timer is not None
        assert timer.name == "result"
        table.tick()
        table.tick(PACE.result)
        seen.append(table.state.rounds)
    assert step == Shuffle()
    assert table.next() == (
        Do((commands.Open(by=SYSTEM),)),
        Timer(name="shuffle", key="shuffle/2", ms=PACE.shuffle),
    )
    assert any(isinstance(event, events.CutCardAppeared) for event in table.log)


def test_a_round_that_the_shoe_might_not_finish_is_not_begun() -> None:
    table = at_bets(TBC, cut=0)
    for _ in range(200):
        table.until("settled", "void")
        assert table.state.shoe is not None
        left = table.state.shoe.left
        table.tick()
        step = table.tick(PACE.result)
        assert isinstance(step, Shuffle) == (left < 6)
        if isinstance(step, Shuffle):
            return
        table.until("betting")
    raise AssertionError("the shoe never ended")


def test_a_table_without_cards_for_the_round_waits_for_staff() -> None:
    table = at_bets(TBC, "Wei")
    table.until("dealing")
    assert table.state.shoe is not None
    empty = msgspec.structs.replace(table.state.shoe, used=table.state.shoe.size)
    table.state = msgspec.structs.replace(table.state, shoe=empty)
    assert table.next() == (Rest(), None)


def test_a_paces_milliseconds_are_bounded() -> None:
    for bad in (b'{"betting": -1}', b'{"betting": 600001}', b'{"betting": 1.5}', b'{"bets": 1}'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(bad, type=Pace)
    assert msgspec.json.decode(b'{"betting": 5000}', type=Pace) == Pace(betting=5000)


@pytest.mark.parametrize("slug", EVERY)
def test_the_dealers_rank_is_one_that_nobody_stands_above(slug: str) -> None:
    rules = load(slug)
    assert not any(dealer_rank(rules) in rank.above for rank in rules.ranks)


# Bets -----------------------------------------------------------------------------------------------------


def test_betting_reopened_after_an_irregularity_gets_its_time_anew() -> None:
    table = at_bets(MBS, "Wei", device="reader")
    first = table.next()[1]
    table.until("dealing")
    table.do(commands.Report(by="Sam", case="device-reset"))
    assert table.next() == (Rest(), None)
    table.do(commands.Rule(by="Sam"))
    assert table.state.phase == "betting"
    again = table.next()[1]
    assert first is not None
    assert again is not None
    assert (first.name, again.name) == ("betting", "betting")
    assert first.key != again.key


def test_a_wager_that_was_to_be_raised_comes_off_at_the_close() -> None:
    table = at_bets(TBC, "Wei", "Mei")
    bet(table, "Mei", "banker", 50_00, 2)
    table.do(commands.RecordChips(by="Sam", player="Wei", box=1, bet="player", cents=2_00))
    table.do(commands.Report(by="Sam", case="under-minimum"))
    table.do(commands.Rule(by="Sam"))
    step, _ = table.next()
    assert step == Do(
        (commands.TakeBack(by=SYSTEM, player="Wei", box=1, bet="player"), commands.Close(by=SYSTEM))
    )
    table.until("dealing")
    assert set(table.round.stakes) == {stake_key("Mei", 2, "banker")}


def over_the_differential(minimum: int = 10_00) -> Driven:
    """Banker is ahead by $350 where $100 is allowed; Mei bet last."""
    limits = {"*": Limit(minimum, 2_000_00)}
    table = at_bets(MBS, "Wei", "Mei", "Anwar", differential=100_00, limits=limits)
    bet(table, "Wei", "banker", 200_00)
    bet(table, "Anwar", "player", 100_00, 3)
    bet(table, "Mei", "banker", 250_00, 2)
    table.until("adjusting")
    return table


def test_who_meets_the_table_differential_is_not_kept_waiting() -> None:
    table = over_the_differential()
    assert table.next()[1] == Timer(name="adjusting", key="adjusting/1", ms=PACE.adjusting)
    table.do(commands.TakeBack(by="Mei", box=2, bet="banker"))
    assert table.next() == (Do((commands.Close(by=SYSTEM),)), None)
    table.tick()
    assert table.state.phase == "dealing"


def test_the_last_placed_wager_of_the_heavier_hand_comes_off_to_the_differential() -> None:
    table = over_the_differential()
    step, _ = table.next()
    assert step == Do(
        (
            commands.Remove(by=SYSTEM, player="Mei", box=2, bet="banker", cents=250_00),
            commands.Close(by=SYSTEM),
        )
    )
    table = over_the_differential()
    bet(table, "Anwar", "player", 100_00, 3)  # now $150 too much
    step, _ = table.next()
    assert isinstance(step, Do)
    assert step.commands[0] == commands.Remove(by=SYSTEM, player="Mei", box=2, bet="banker", cents=150_00)
    table.until("dealing")
    assert table.round.stakes[stake_key("Mei", 2, "banker")].cents == 100_00


def test_what_would_fall_below_its_minimum_comes_off_whole_on_both_hands_if_need_be() -> None:
    table = at_bets(MBS, "Wei", "Mei", differential=20_00, limits={"*": Limit(100_00, 2_000_00)})
    bet(table, "Mei", "player", 200_00, 2)
    bet(table, "Wei", "banker", 150_00, 1)
    bet(table, "Mei", "banker", 150_00, 2)
    table.until("adjusting")
    step, _ = table.next()
    assert step == Do(
        (
            commands.Remove(by=SYSTEM, player="Mei", box=2, bet="banker", cents=150_00),
            commands.Remove(by=SYSTEM, player="Mei", box=2, bet="player", cents=30_00),
            commands.Close(by=SYSTEM),
        )
    )
    table.until("dealing")
    left = {key: stake.cents for key, stake in table.round.stakes.items()}
    assert left == {stake_key("Mei", 2, "player"): 170_00, stake_key("Wei", 1, "banker"): 150_00}


# Insurance ------------------------------------------------------------------------------------------------


def insured(*bets: tuple[str, str, int]) -> Driven:
    """TBC with Player 6 against Banker 5: Player insurance is open."""
    table = at_bets(TBC, "Wei", "Mei")
    for who, name, box in bets:
        bet(table, who, name, 100_00, box)
    dealt(table, "6C 5D KH KS 4C 4D")
    while not table.round.offerings:
        table.tick()
        table.tick(PACE.card)
    return table


def test_insurance_has_its_time_and_silence_ends_it() -> None:
    table = insured(("Wei", "player", 1), ("Mei", "player", 2))
    assert table.next() == (
        DrawNext(by=SYSTEM),
        Timer(name="insurance", key="insurance/1/1", ms=PACE.insurance),
    )
    table.tick()
    assert table.tick(PACE.insurance - 1) is None
    assert table.tick(1) == DrawNext(by=SYSTEM)
    assert all(has_forgone(table.state, table.round, person) for person in ("Wei", "Mei"))


def test_insurance_ends_early_once_everybody_has_answered() -> None:
    table = insured(("Wei", "player", 1), ("Mei", "player", 2), ("Mei", "player", 1))
    table.do(commands.Decline(by="Wei"))
    table.do(commands.Insure(by="Mei", box=2, hand=Side.PLAYER, cents=10_00))
    timer = table.next()[1]
    assert timer is not None
    assert timer.name == "insurance"  # Mei has another bet to insure
    table.do(commands.Insure(by="Mei", box=1, hand=Side.PLAYER, cents=10_00))
    assert table.next() == (DrawNext(by=SYSTEM), Timer(name="card", key="card/1/5", ms=2 * PACE.card))


@pytest.mark.parametrize(("cards", "times"), [("9C KD 7D 4H", 2), ("2C KD KH 5H", 1), ("9C 2D KH 3S", 1)])
def test_a_card_that_decides_the_round_is_waited_for_twice_as_long(cards: str, times: int) -> None:
    """Banker on 4 against 6: its card is the last one. Player on 2: the Banker may draw too. A natural: none."""
    table = at_bets()
    dealt(table, cards)
    while len(table.round.cards) < 4:
        table.tick()
        table.tick(PACE.card)
    timer = table.next()[1]
    assert timer is not None
    assert timer.ms == times * PACE.card


def test_insurance_that_a_person_cannot_pay_for_is_not_waited_for() -> None:
    table = insured(("Mei", "player", 2), ("Mei", "player", 1))
    table.do(commands.Insure(by="Mei", box=2, hand=Side.PLAYER, cents=10_00))
    table.do(commands.CashOut(by="Mei", cents=table.state.rack("Mei")))
    timer = table.next()[1]
    assert timer is not None
    assert timer.name == "card"


# Squeezing ------------------------------------------------------------------------------------------------


def method_a(*bets: tuple[str, str, int], method: str = "A") -> Driven:
    special = {"device": "reader", "high_limit": True} if method == "C" else {}
    table = at_bets(MBS, "Wei", "Mei", "Anwar", method=method, **special)
    for who, name, cents in bets:
        bet(table, who, name, cents)
    dealt(table, "2C 2D 3H 3S 4C 4D")
    while len(table.round.cards) < 4:
        table.tick()
        table.tick(PACE.card)
    return table


@pytest.mark.parametrize("method", ["A", "C"])
def test_face_down_cards_go_to_who_has_the_right_and_the_player_hand_is_shown_first(method: str) -> None:
    table = method_a(("Wei", "player", 100_00), ("Mei", "banker", 200_00), method=method)
    for expected in (
        commands.RevealFirst(by=SYSTEM, hand=Side.PLAYER),
        commands.HandOver(by=SYSTEM, player="Wei", cards=(1, 3)),
        commands.HandOver(by=SYSTEM, player="Mei", cards=(2, 4)),
    ):
        assert table.next() == (Do((expected,)), None)
        table.tick()
    step, timer = table.next()
    assert timer == Timer(name="squeeze", key="squeeze/1/player/Wei", ms=PACE.squeeze)
    assert step == Do(
        (
            commands.TakeCards(by=SYSTEM, cards=(1, 3), reason=NO_ANSWER),
            commands.Expose(by=SYSTEM, cards=(1, 3)),
        )
    )
    table.do(commands.Expose(by="Wei", cards=(1, 3)))
    timer = table.next()[1]
    assert timer == Timer(name="squeeze", key="squeeze/1/banker/Mei", ms=PACE.squeeze)
    table.tick()
    table.tick(PACE.squeeze)
    assert not table.hidden
    step, _ = table.next()
    assert step == DrawNext(by="Mei" if method == "C" else SYSTEM)  # there players draw, who bet most
    table.carry_out(step)
    # Wei squeezed and gets the third card too.
    assert table.next() == (Do((commands.HandOver(by=SYSTEM, player="Wei", cards=(5,)),)), None)


def test_cards_that_are_refused_pass_on_and_are_then_turned_by_the_dealer() -> None:
    table = method_a(("Wei", "player", 100_00), ("Mei", "player", 50_00))
    table.tick()
    table.tick()
    table.do(commands.RefuseCards(by="Wei", hand=Side.PLAYER))
    assert table.next() == (Do((commands.HandOver(by=SYSTEM, player="Mei", cards=(1, 3)),)), None)
    table.tick()
    table.do(commands.RefuseCards(by="Mei", hand=Side.PLAYER))
    assert table.next() == (
        Do((commands.Expose(by=SYSTEM, cards=(1, 3)),)),
        Timer(name="card", key="card/1/turn/player", ms=PACE.card),
    )


def test_cards_of_several_people_are_taken_from_who_lets_the_time_pass() -> None:
    table = method_a(("Wei", "player", 100_00))
    table.do(commands.PermitSqueeze(by="Sam", player="Anwar", cards=(3,)))
    for _ in range(3):
        table.tick()
    assert table.round.handed == {1: "Wei", 3: "Anwar"}
    assert table.next()[0] == Do(
        (
            commands.TakeCards(by=SYSTEM, cards=(1, 3), reason=NO_ANSWER),
            commands.Expose(by=SYSTEM, cards=(1, 3)),
        )
    )
    table.do(commands.Expose(by="Wei", cards=(1,)))
    step, timer = table.next()
    assert timer == Timer(name="squeeze", key="squeeze/1/player/Anwar", ms=PACE.squeeze)
    table.carry_out(step)
    turned = [e for e in table.log if isinstance(e, events.CardsExposed)]
    assert [(event.by, event.places) for event in turned] == [("Wei", (1,)), (SYSTEM, (3,))]


def test_the_cards_of_somebody_who_left_are_turned_without_waiting() -> None:
    table = method_a(("Wei", "player", 100_00))
    for _ in range(2):
        table.tick()
    assert table.round.handed == {1: "Wei", 3: "Wei"}
    table.do(commands.Leave(by="Wei"))
    assert table.next()[1] == Timer(name="card", key="card/1/turn/player", ms=PACE.card)
    table.until("settled")


def test_a_sealed_shoe_reads_its_cards_from_the_next_round_on() -> None:
    """A table of release 0.1.0 that is dealt face down is set up so between two rounds."""
    table = Driven(setup_for(MBS, "A", method="A"), "Wei")
    table.tick()
    reads = commands.ChangeSetup(by=SYSTEM, changes=commands.Changes(device="reader"))
    assert table.next() == (Do((reads, commands.Open(by=SYSTEM))), None)
    table.until("settled")
    assert table.state.setup.reads_cards
    assert table.next()[0] == Do((commands.Open(by=SYSTEM),))


@pytest.mark.parametrize("slug", [MBS, TBC, CBI])
def test_a_round_that_was_begun_without_reading_is_finished(slug: str) -> None:
    """Its cards come without a name and get it when they are turned; who holds them lets the time pass."""
    table = Driven(setup_for(slug, "A", method="A" if slug == MBS else "face-down"), "Wei")
    table.tick()
    table.do(commands.Open(by=SYSTEM))
    bet(table, "Wei", "player", 100_00)
    table.do(commands.Close(by=SYSTEM))
    if slug != MBS:
        table.do(commands.RequestSqueeze(by="Wei", cards=(1, 3, 5)))
    table.stack(*parse_cards("2C KD 3H 2S 4C 4D"))
    table.until("settled")
    drawn = [e.card for e in table.log if isinstance(e, events.CardDrawn)]
    assert drawn == [None] * 6
    assert table.round.cards == parse_cards("2C KD 3H 2S 4C 4D")
    assert any(isinstance(e, events.CardsRetrieved) for e in table.log)


def test_a_squeeze_that_is_asked_for_in_time_is_permitted() -> None:
    table = at_bets(TBC, "Wei", "Mei", method="face-down")
    bet(table, "Wei", "player", 100_00)
    dealt(table, "2C 2D 3H 3S 4C 4D")
    table.do(commands.RequestSqueeze(by="Wei", cards=(1, 5)))
    permit = commands.PermitSqueeze(by=SYSTEM, player="Wei", cards=(1, 5))
    assert table.next() == (Do((permit,)), None)
    table.tick()
    while len(table.round.cards) < 4:
        table.tick()
        table.tick(PACE.card)
    assert table.next() == (Do((commands.HandOver(by=SYSTEM, player="Wei", cards=(1,)),)), None)
    table.tick()
    step, timer = table.next()
    assert timer == Timer(name="squeeze", key="squeeze/1/player/Wei", ms=PACE.squeeze)
    taken = commands.TakeCards(by=SYSTEM, cards=(1,), reason=NO_ANSWER)
    assert step == Do((taken, commands.Expose(by=SYSTEM, cards=(1, 3))))
    table.tick()
    table.tick(PACE.squeeze)
    assert table.next()[0] == Do((commands.Expose(by=SYSTEM, cards=(2, 4)),))
    table.until("settled")
    assert len(table.round.exposed) == len(table.round.cards)


def test_a_squeeze_is_not_permitted_of_a_card_that_was_drawn_meanwhile() -> None:
    table = at_bets(TBC, "Wei", method="face-down")
    bet(table, "Wei", "player", 100_00)
    table.until("dealing")
    table.do(commands.RequestSqueeze(by="Wei", cards=(1, 5)))
    table.draw("Sam")
    permit = commands.PermitSqueeze(by=SYSTEM, player="Wei", cards=(5,))
    assert table.next() == (Do((permit,)), None)


def test_the_bankers_third_card_is_shown_first_where_staff_consented() -> None:
    table = at_bets(TBC, "Wei", method="face-down")
    bet(table, "Wei", "player", 100_00)
    dealt(table, "2C KD 3H 2S 4C 4D")
    while len(table.round.exposed) < 4:
        table.tick(60_000)
    table.do(commands.Decline(by="Wei")) if table.round.offerings else None
    table.do(commands.RequestBankerThirdFirst(by="Wei"))
    table.do(commands.BankerThirdFirst(by="Sam", player="Wei"))
    table.until("settled")
    shown = [e.places for e in table.log if isinstance(e, events.CardsExposed)]
    assert shown[-2:] == [(6,), (5,)]


def test_who_has_the_device_draws_and_is_waited_for() -> None:
    table = at_bets(MBS, "Wei", method="C", device="reader", high_limit=True)
    bet(table, "Wei", "player", 100_00)
    table.do(commands.GiveDevice(by="Sam", player="Wei"))
    table.until("dealing")
    assert table.next() == (
        DrawNext(by="Wei"),
        Timer(name="squeeze", key="squeeze/1/draw/1", ms=PACE.squeeze),
    )
    table.until("settled")


def test_the_device_comes_back_from_who_may_not_draw() -> None:
    table = at_bets(MBS, "Wei", method="C", device="reader", high_limit=True)
    table.do(commands.GiveDevice(by=SYSTEM, player="Wei"))  # without a wager, for this round
    dealt(table, "9C 2D KH 3S")
    assert table.next()[0] == DrawNext(by="Wei")
    table.until("settled")
    table.until("dealing")
    assert table.next() == (Do((commands.TakeDevice(by=SYSTEM),)), None)
    table.until("settled")


def test_where_players_draw_the_device_goes_to_who_has_most_on_the_table() -> None:
    table = at_bets(MBS, "Wei", "Mei", "Anwar", method="C", device="reader", high_limit=True)
    bet(table, "Wei", "player", 100_00)
    bet(table, "Mei", "banker", 60_00, 2)
    bet(table, "Mei", "tie", 50_00, 2)
    bet(table, "Anwar", "player", 200_00, 3)
    table.do(commands.Leave(by="Anwar"))
    table.until("dealing")
    assert table.next() == (Do((commands.GiveDevice(by=SYSTEM, player="Mei"),)), None)
    table.until("settled")


def test_a_late_offer_has_its_time_and_its_own_answers() -> None:
    """It is open to Wei alone, who had been passed over; the second window is open to Wei again too."""
    table = at_bets(TBC, "Wei", "Mei")
    bet(table, "Wei", "banker", 100_00)
    bet(table, "Mei", "banker", 100_00, 2)
    dealt(table, "5C 6D KH KS 6H")
    while len(table.round.drawn) < 5:
        table.tick(60_000)
    table.do(commands.Report(by="Sam", case="neglected-insurance", players=("Wei",), window=1))
    assert table.next() == (Rest(), None)
    table.do(commands.Rule(by="Sam"))
    timer = Timer(name="insurance", key="insurance/1/2/1-late/after-1", ms=PACE.insurance)
    assert table.next() == (DrawNext(by=SYSTEM), timer)
    table.do(commands.Insure(by="Wei", box=1, hand=Side.BANKER, cents=10_00, window=1))
    assert table.next() == (DrawNext(by=SYSTEM), timer)
    table.do(commands.Insure(by="Wei", box=1, hand=Side.BANKER, cents=10_00, window=2))
    after = table.next()[1]
    assert after is not None
    assert after.name == "card"
    table.until("settled")


def test_a_stake_over_its_maximum_is_decided_on_by_staff() -> None:
    """RWS has no rule for it, so nothing is paid before."""
    table = at_bets(TBC, "Wei", limits={"*": Limit(10_00, 200_00)})
    table.do(commands.RecordChips(by="Sam", player="Wei", box=1, bet="tie", cents=500_00))
    dealt(table, "9C 2D KH 3S")
    while len(table.round.drawn) < 4:
        table.tick(60_000)
    assert table.next() == (Rest(), None)
    table.do(commands.Report(by="Sam", case="not-covered"))
    stake = ("Wei", 1, "tie")
    decision = Inputs(action="cut-to-maximum", stakes=(stake,), reason="the maximum counts")
    table.do(commands.Rule(by="Sam", inputs=decision))
    table.until("settled")
    assert table.state.rack("Wei") == 50_000_00 - 200_00


def test_a_record_that_is_being_put_right_is_waited_for() -> None:
    table = at_bets(TBC, "Wei")
    dealt(table, "9C 2D KH 3S")
    while len(table.round.drawn) < 4:
        table.tick(60_000)
    table.do(commands.Amend(by="Sam", cards=parse_cards("9C 2D KH 4S"), reason="misread"))
    assert table.next() == (Rest(), None)
    assert interruption(table.state) == ()
    table.do(commands.DropAmendment(by="Sam", reason="it was right"))
    table.until("settled")


# Irregularities -------------------------------------------------------------------------------------------


def first_card(table: Driven) -> None:
    """Bets are closed and one card lies there."""
    while table.round.phase == "betting" or not table.round.drawn:
        table.tick(PACE.card)


def test_a_reported_irregularity_waits_for_staff_and_silence_goes_on() -> None:
    table = at_bets(TBC, "Wei", "Mei")
    bet(table, "Wei", "player", 100_00)
    bet(table, "Mei", "banker", 100_00, 2)
    first_card(table)
    table.do(commands.Report(by="Sam", case="other-dealing-error"))
    assert table.next() == (Rest(), None)
    table.do(commands.Rule(by="Sam"))
    table.do(commands.Choose(by="Mei", choice="return"))
    assert table.next() == (
        Do((commands.Choose(by=SYSTEM, player="Wei", choice="continue"),)),
        Timer(name="choice", key="choice/1/after-1", ms=PACE.choice),
    )
    table.tick()
    table.tick(PACE.choice)
    assert table.round.pending is None
    assert set(table.round.stakes) == {stake_key("Wei", 1, "player")}


def test_nobody_waits_for_the_choice_of_who_was_stood_up() -> None:
    table = at_bets(TBC, "Wei")
    bet(table, "Wei", "player", 100_00)
    first_card(table)
    table.do(commands.Report(by="Sam", case="other-dealing-error"), commands.Rule(by="Sam"))
    assert table.next()[1] is not None
    table.do(commands.Leave(by="Sam", player="Wei"))
    assert table.round.pending is None
    assert isinstance(table.next()[0], DrawNext)
    table.until("settled")
    assert table.round.stakes, "the bets play"


@pytest.mark.parametrize("slug", EVERY)
def test_nothing_is_interrupted_between_rounds(slug: str) -> None:
    table = Driven(setup_for(slug), "Wei")
    assert interruption(table.state) == ()
    table.until("settled")
    assert interruption(table.state) == ()


@pytest.mark.parametrize("slug", EVERY)
def test_an_interruption_before_any_outcome_is_established(slug: str) -> None:
    """RWS voids the round (5.4.2); at MBS players may withdraw, and silence goes on (5.17.1)."""
    table = at_bets(slug, "Wei", "Mei")
    bet(table, "Wei", "player", 100_00)
    bet(table, "Mei", "banker", 100_00, 2)
    table.until("dealing")
    for command in interruption(table.state):
        table.do(command)
    if slug == MBS:
        table.do(commands.Choose(by="Wei", choice="return"))
        timer = table.next()[1]
        assert timer is not None
        assert timer.name == "choice"
        assert interruption(table.state) == ()  # one is enough
        table.until("settled")
        assert set(table.round.stakes) == {stake_key("Mei", 2, "banker")}
    else:
        assert table.state.phase == "void"
        assert table.state.rack("Wei") == 50_000_00


@pytest.mark.parametrize("slug", EVERY)
def test_an_interruption_after_an_outcome_is_established_changes_nothing(slug: str) -> None:
    table = at_bets(slug, "Wei")
    bet(table, "Wei", "player", 100_00)
    dealt(table, "9C 2D KH 3S")
    while len(table.round.cards) < 4:
        table.tick(60_000)
    for command in interruption(table.state):
        table.do(command)
    assert table.state.phase == "dealing"
    assert table.round.pending is None
    table.until("settled")
    assert table.state.rack("Wei") == 50_100_00


def test_an_interruption_that_was_reported_but_not_ruled_on_is_ruled_on_next() -> None:
    table = at_bets(TBC, "Wei")
    table.do(interruption(table.state)[0])
    assert table.next() == (Do((commands.Rule(by=SYSTEM),)), None)


# Whole shoes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WALKS)
def test_whole_shoes_with_people_at_random(name: str) -> None:
    """Every cent is accounted for, and the log replays."""
    table = walk(name)
    assert table.state.rounds > 50
    assert replay(table.log) == table.state
    brought = sum(event.cents for event in table.log if isinstance(event, events.BoughtIn))
    racks = sum(table.state.rack(player) for player in table.state.players)
    assert racks + table.state.balances["house"] == brought


def test_the_walks_met_everything_a_dealer_does() -> None:
    """What none of them met would not have been tested."""
    timers: Counter[str] = Counter()
    given: Counter[str] = Counter()
    for name in WALKS:
        timers.update(walk(name).timers)
        given.update(walk(name).done)
    assert set(timers) == set(get_args(Wait))
    assert set(given) == {
        "Open", "ChangeSetup", "Remove", "Close", "Settle", "RevealFirst", "HandOver", "PermitSqueeze",
        "TakeCards", "Expose", "Choose", "Rule", "GiveDevice", "TakeDevice",
    }  # fmt: skip
