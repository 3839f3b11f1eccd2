"""The desk as the table goes: the step, what is required next, who has answered, which card waits."""

import msgspec
import pytest

from table.tables import MBS, TBC, Table
from thirdcard.cards import parse_cards
from thirdcard.rulebook.model import Side
from thirdcard.service.log.floor_events import SYSTEM, Pace, TableCreated
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.desk import Desk, desk
from thirdcard.service.tables.dealer import dealer_rank
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.paying import Paying
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand

DEE = Person(name="dee", role="dealer")
ROUND = ("bets", "close", "four", "insurance", "thirds", "settle", "payouts")


def seen(table: Table, person: Person = DEE, paying: Paying | None = None) -> Desk:
    created = TableCreated(title="One", dealer="staff", pace=Pace(), live_odds=False)
    staff = {**table.state.staff, SYSTEM: dealer_rank(table.state.rulebook)}
    state = msgspec.structs.replace(table.state, staff=staff)
    return desk(Live(id="one", version=1, created=created, state=state, paying=paying), person)


def at(table: Table, paying: Paying | None = None) -> tuple[str, tuple[str, ...]]:
    found = seen(table, paying=paying)
    return found.step, found.done


def before(step: str) -> tuple[str, tuple[str, ...]]:
    return step, ROUND[: ROUND.index(step)]


def insuring(*more: tuple[str, str, int]) -> Table:
    """Player 6 against Banker 5: Ann and Bob may insure, at 5 to 2."""
    table = Table(TBC, seats={"ann": 1, "bob": 2, "cat": 0})
    table.open()
    for player, bet, cents in (("ann", "player", 100_00), ("bob", "player", 300_00), *more):
        table.place(player, bet, cents)
    table.close()
    table.deal("KC KH 6D 5S")
    return table


# Steps ----------------------------------------------------------------------------------------------------


def test_steps_follow_one_another_and_insurance_is_ticked_after_four_cards() -> None:
    table = Table(TBC)
    assert at(table) == ("idle", ())
    table.open()
    table.place("ann", "player", 100_00)
    assert at(table) == before("bets")
    table.close()
    for card in ["2C", "4H", "3D", "KS"]:
        assert at(table) == before("four")
        table.deal(card)
    assert at(table) == before("insurance")
    table.do(commands.Decline(by="ann"), commands.CloseInsurance(by="dee"))
    assert at(table) == before("thirds")
    table.deal("4C")
    assert at(table) == before("insurance")  # the second window
    table.do(commands.CloseInsurance(by="dee", silent=("ann",)))
    assert at(table) == before("thirds")
    table.deal("2H")
    assert at(table) == before("settle")
    table.settle()
    assert at(table, Paying(round=1)) == before("payouts")
    assert at(table, Paying(round=1, done=True)) == ("idle", ROUND)


def test_cards_that_lie_face_down_are_not_yet_dealt_out() -> None:
    table = Table(TBC, method="face-down")
    table.open()
    table.close()
    table.deal("KC KH 3D 2S")
    assert at(table) == before("four")
    table.expose(1, 2, 3, 4)
    assert at(table) == before("thirds")
    table.deal("4C")
    assert at(table) == before("thirds")


def test_a_used_up_shoe_and_a_void_round() -> None:
    table = Table(TBC, cut=8 * 52 - 6)
    table.open()
    table.do(commands.Void(by="sam", reason="fire"))
    assert at(table) == ("idle", ())
    table.round("9C 3D KH AS", ("ann", "player", 10_00))
    assert at(table) == ("idle", ROUND)
    table.round("9C 3D KH AS", ("ann", "player", 10_00))
    assert at(table) == ("shoe", ROUND)


def test_the_close_is_a_step_while_a_table_differential_is_met() -> None:
    table = Table(MBS, differential=100_00)
    table.open()
    table.place("ann", "player", 900_00)
    assert [one.kind for one in seen(table).flags] == ["over-differential"]
    table.close()
    assert at(table) == before("close")
    assert [one.decides for one in seen(table).flags] == ["pit-manager"]


# Insurance ------------------------------------------------------------------------------------------------


def test_no_card_is_due_until_insurance_is_closed() -> None:
    table = insuring()
    due = seen(table).next
    assert (due.kind, due.silent, due.rules) == ("insurance", ("ann", "bob"), ("5.3",))
    assert (due.hand, due.place) == (Side.BANKER, 5)  # the card that follows
    assert due.command == {"command": "close-insurance", "silent": ("ann", "bob")}
    table.insure("ann", "player", 40_00)
    assert seen(table).next.silent == ("bob",)
    table.do(commands.Decline(by="dee", player="bob"))
    due = seen(table).next
    assert (due.kind, due.silent, due.command) == ("insurance", (), {"command": "close-insurance"})
    table.do(msgspec.convert({**due.command, "by": "dee"}, AnyCommand))
    assert (seen(table).next.kind, seen(table).next.place) == ("draw", 5)


def test_answers_are_told_bet_by_bet() -> None:
    table = insuring(("cat", "player", 50_00), ("ann", "banker", 100_00))
    table.insure("bob", "player", 40_00)
    told = {
        one.player: (one.box, one.stake, one.answer, one.silent, one.cap, one.bought, one.wins, one.standing)
        for one in seen(table).answers
    }
    assert told == {
        "ann": (1, 100_00, "", True, 100_00, 0, 250_00, False),
        "cat": (1, 50_00, "", True, 50_00, 0, 125_00, True),
        "bob": (2, 300_00, "insured", False, 260_00, 40_00, 100_00, False),
    }
    table.do(commands.Decline(by="ann"), commands.Leave(by="cat"))
    told_then = {one.player: (one.answer, one.silent, one.cap, one.wins) for one in seen(table).answers}
    assert told_then["ann"] == ("declined", False, 0, 0)
    assert told_then["cat"] == ("forgone", False, 0, 0)


def test_who_insured_one_bet_is_not_silent_about_another() -> None:
    table = insuring()
    table.do(commands.CloseInsurance(by="dee", silent=("ann", "bob")))
    table.deal("3C")
    table.settle()
    table.open()
    table.place("ann", "player", 100_00)
    table.place("ann", "player", 100_00, box=2)
    table.close()
    table.deal("KC KH 6D 5S")
    table.insure("ann", "player", 40_00)
    rows = [(one.box, one.answer, one.silent, one.cap) for one in seen(table).answers]
    assert rows == [(1, "insured", False, 60_00), (2, "", False, 100_00)]
    assert seen(table).next.silent == ()


def test_a_cap_is_within_the_rack() -> None:
    table = insuring()
    table.do(commands.CashOut(by="ann", cents=table.rack("ann") - 30_50))
    assert seen(table).answers[0].cap == 30_00


def test_insurance_that_was_bought_is_among_what_is_paid() -> None:
    table = insuring()
    table.insure("ann", "player", 40_00)
    table.do(commands.CloseInsurance(by="dee", silent=("bob",)))
    assert [(one.player, one.box, one.cents) for one in table.view("dee").purchases] == [("ann", 1, 40_00)]
    table.deal("3C")
    paid = seen(table).payouts
    assert paid is not None
    (ann,) = [one for one in paid.people if one.player == "ann"]
    assert [(one.bet, one.window, one.stake) for one in ann.lines] == [
        ("player", None, 100_00),
        ("player-insurance", 1, 40_00),
    ]


# Cards that wait ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "shown"), [("face-up", "7C"), ("face-down", "?")])
def test_a_card_that_waits_is_named_and_laid_first(method: str, shown: str) -> None:
    table = Table(TBC, method=method, device="reader")
    table.open()
    table.close()
    table.show("9C 4H KD 2S")
    table.do(commands.Report(by="dee", case="excess-or-exposed-cards", drawn=parse_cards("7C")))
    table.do(commands.Rule(by="sam"))
    table.settle()
    table.open()
    assert seen(table).waiting == (shown,)
    table.close()
    due = seen(table).next
    assert (due.kind, due.command, due.waits) == ("command", {"command": "draw", "place": 1}, shown)
    assert due.why is not None
    assert due.why.key == ("why_waits" if shown == "7C" else "why_waits_unseen")
    table.do(commands.Draw(by="dee", place=1))
    assert seen(table).waiting == ()
    assert seen(table).next.kind == "draw"


# What is a player's own decision --------------------------------------------------------------------------


def test_nothing_that_a_player_chooses_is_due_from_the_dealer() -> None:
    table = Table(TBC)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.deal("2C 4H")
    drawn = parse_cards("3D KS")
    table.do(commands.Report(by="dee", case="drawn-together", order_known=True, drawn=drawn))
    table.do(commands.Rule(by="sue"))
    due = seen(table).next
    assert (due.kind, due.command) == ("wait", {})
    assert due.why is not None
    assert due.why.facts == {"players": "ann"}


def test_5_2_a_bet_that_has_to_be_raised_is_not_taken_back_by_the_dealer() -> None:
    table = Table(TBC)
    table.open()
    table.record("ann", "player", 5_00)
    table.do(commands.Report(by="dee", case="under-minimum"), commands.Rule(by="dee"))
    due = seen(table).next
    assert (due.kind, due.command, due.rules) == ("wait", {}, ("5.2",))
    assert [one["key"] for one in seen(table).flags[0].remedies] == ["raise", "withdraw"]


@pytest.mark.parametrize(("device", "kind"), [("shoe", "turn"), ("reader", "command")])
def test_5_3_1_nothing_waits_for_a_squeezer_who_left(device: str, kind: str) -> None:
    table = Table(TBC, method="face-down", device=device)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.do(commands.RequestSqueeze(by="dee", player="ann", cards=(1, 3)))
    table.do(commands.PermitSqueeze(by="sue", player="ann", cards=(1, 3)))
    table.deal("KC KH 3D 2S")
    table.do(commands.HandOver(by="dee", player="ann", cards=(1, 3)))
    held = seen(table).next.command
    assert (held["cards"], held.get("player", "")) == (((1, 3), "ann") if device == "shoe" else ((2, 4), ""))
    table.do(commands.Leave(by="ann"))
    due = seen(table).next
    assert (due.kind, due.command, due.why) == (kind, {"command": "expose", "cards": (1, 3)}, None)


def test_who_may_rule_is_told_by_rank() -> None:
    table = Table(MBS)
    table.open()
    table.close()
    table.do(commands.Report(by="dee", case="not-covered"))
    due = seen(table).next
    assert due.why is not None
    assert due.why.facts == {"rank": "Gaming Shift Manager"}
