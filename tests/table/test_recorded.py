"""What staff record for people who have no device, and what is said to people and to staff alone."""

import pytest

from table.tables import EVERY, MBS, TBC, Table, only
from thirdcard.cards import parse_cards
from thirdcard.rulebook.model import Side
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand, why_unreadable
from thirdcard.table.events import IrregularityReported, PlayerJoined
from thirdcard.table.ranks import ranks_that_may, titles_that_may
from thirdcard.table.script import Script
from thirdcard.table.transcript import transcript

WALK_IN = "W-17"


# For a person ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", EVERY)
def test_a_dealer_brings_somebody_to_the_table_with_chips_and_a_seat(slug: str) -> None:
    table = Table(slug)
    made = table.do(
        commands.Join(by="dee", player=WALK_IN),
        commands.BuyIn(by="dee", player=WALK_IN, cents=500_00),
        commands.Sit(by="dee", player=WALK_IN, box=4),
    )
    assert [one.by for one in made] == ["dee"] * 3  # type: ignore[union-attr]
    assert (table.state.seats[4], table.rack(WALK_IN)) == (WALK_IN, 500_00)
    table.do(commands.CashOut(by="dee", player=WALK_IN, cents=200_00))
    assert table.rack(WALK_IN) == 300_00
    assert "W-17 buys in for 500 (recorded by dee)" in list(transcript(table.log))


def test_one_does_for_oneself_what_nobody_else_recorded() -> None:
    table = Table(TBC, seats={})
    joined = only(table.do(commands.Join(by="ann", player="ann")), PlayerJoined)
    assert joined == PlayerJoined(player="ann")


@pytest.mark.parametrize(
    "command",
    [
        commands.Join(by="ann", player="zed"),
        commands.BuyIn(by="ann", player="bob", cents=100_00),
        commands.CashOut(by="ann", player="bob", cents=100_00),
        commands.Sit(by="ann", player="bob", box=3),
        commands.Decline(by="ann", player="bob"),
        commands.RequestSqueeze(by="ann", player="bob", cards=(5,)),
        commands.RequestBankerThirdFirst(by="ann", player="bob"),
        commands.RefuseCards(by="ann", player="bob", hand=Side.PLAYER),
    ],
    ids=lambda command: type(command).__name__,
)
def test_no_player_speaks_for_another(command: AnyCommand) -> None:
    table = Table(TBC)
    refusal = table.refused(command)
    assert refusal.code == "wrong-rank"
    who = "Dealer, Pit Supervisor, Pit Manager or Table Games Shift Manager"
    assert refusal.sentence == f"ann may not: this is for {who}"


# What is written ------------------------------------------------------------------------------------------


def test_what_was_written_about_a_report_is_for_staff_alone() -> None:
    table = Table(TBC)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    note = "the sleeve caught a card"
    made = table.do(commands.Report(by="dee", case="technical-interruption", note=f" {note} "))
    assert only(made, IrregularityReported).pending.note == note
    assert table.state.round is not None
    assert table.state.round.pending is not None
    assert table.state.round.pending.note == note
    for viewer in ("ann", "somebody-passing", "dee"):
        assert note not in str(table.view(viewer))
    assert any(note in line for line in transcript(table.log))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"command": "draw", "by": "dee", "card": "10S"}, "did you mean TS?"),
        ({"command": "rule", "by": "dee", "inputs": {"substitutes": {"1": "10S"}}}, "did you mean TS?"),
        ({"command": "rule", "by": "dee", "inputs": {"order": ["9c", 2]}}, "did you mean 9C?"),
        ({"command": "amend", "by": "dee", "reason": "x", "cards": ["1S", None]}, "'1S' is not a card"),
    ],
)
def test_a_card_that_is_written_otherwise_is_told_as_such(value: object, told: str) -> None:
    script = Script()
    script.table = Table(TBC)
    with pytest.raises(Exception, match="Invalid enum value") as wrong:
        script.run(value, 2)
    assert told in why_unreadable(wrong.value)
    assert "$" not in why_unreadable(wrong.value)


def test_what_is_no_card_is_told_as_it_is() -> None:
    wrong = ValueError("Invalid enum value '10S' - at `$.hand`")
    assert why_unreadable(wrong) == str(wrong)


def test_who_may_is_said_exactly() -> None:
    """Neither of the two at the top of one ladder stands above the other."""
    rules = Table(MBS).state.rulebook
    assert ranks_that_may(rules, "gaming-shift-manager") == ("gaming-shift-manager",)
    assert titles_that_may(rules, "assistant-casino-manager") == ("Assistant Casino Manager",)
    assert titles_that_may(rules, "pit-manager") == (
        "Pit Manager",
        "Gaming Shift Manager",
        "Assistant Casino Manager",
    )


def test_a_card_that_waits_is_named_to_who_draws_another() -> None:
    table = Table(TBC)
    table.open()
    table.close()
    table.deal("P 9C KD | B 4H 2S")
    table.do(commands.Report(by="dee", case="excess-or-exposed-cards", drawn=parse_cards("7C"), shown=(5,)))
    table.do(commands.Rule(by="sam"))
    table.settle()
    table.open()
    table.close()
    refusal = table.refused(table.drawing("2C"))
    assert refusal.code == "card-not-due"
    assert refusal.sentence.startswith("7C came out before and is laid first")
