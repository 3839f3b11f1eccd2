"""A table one can hold: what scripts, the service and people at a prompt use alike."""

import pytest

from table.tables import CBI, MBS, set_up
from thirdcard.errors import BadInput
from thirdcard.table import Refusal, Table, commands
from thirdcard.table.statements import PlayerStatement, TableStatement


def opened() -> Table:
    table = Table(set_up(CBI))
    done = table.do(
        commands.Join(by="ann"),
        commands.BuyIn(by="ann", cents=1_000_00),
        commands.Sit(by="ann", box=1),
        commands.NewShoe(by="dee"),
        commands.Open(by="dee"),
    )
    assert not isinstance(done, Refusal)
    return table


def place(bet: str, cents: int) -> commands.Place:
    return commands.Place(by="ann", box=1, bet=bet, cents=cents)


def test_commands_given_together_happen_all_or_not_at_all() -> None:
    table = opened()
    before, length = table.state, len(table.log)
    refused = table.do(place("player", 100_00), place("tie", 20_00), place("no-such-bet", 10_00))
    assert isinstance(refused, Refusal)
    assert (table.state, len(table.log)) == (before, length)
    done = table.do(place("player", 100_00), place("tie", 20_00))
    assert not isinstance(done, Refusal)
    assert len(table.log) == length + len(done)
    assert table.state.rack("ann") == 880_00


def test_each_command_builds_on_the_one_before() -> None:
    table = opened()
    refused = table.do(place("player", 600_00), place("tie", 500_00))
    assert isinstance(refused, Refusal)
    assert refused.code == "rack-too-small"


def test_a_log_comes_to_the_same_table_again() -> None:
    table = opened()
    table.do(place("player", 100_00))
    again = Table.from_log(table.log)
    assert again.state == table.state
    assert again.log == table.log
    again.do(place("tie", 20_00))
    assert again.state != table.state


def test_what_it_lists_as_legal_it_takes() -> None:
    table = opened()
    offered = table.legal("ann")
    assert offered
    for option in offered:
        assert not isinstance(Table.from_log(table.log).do(option.command), Refusal)


def test_it_tells_what_everybody_and_what_one_person_sees() -> None:
    table = opened()
    assert table.view("ann").racks == {"ann": 1_000_00}
    assert table.view().racks == {}


def test_statements_of_a_player_and_of_the_table() -> None:
    table = opened()
    table.do(place("player", 100_00))
    mine, whole = table.statement("ann"), table.statement()
    assert isinstance(mine, PlayerStatement)
    assert isinstance(whole, TableStatement)
    assert [entry.what for entry in mine.entries] == ["buy-in", "stake"]
    assert (mine.balance, whole.lying, whole.drop) == (900_00, 100_00, 1_000_00)
    assert table.statement("cat") == PlayerStatement(player="cat", entries=(), balance=0, net=0)


def test_it_tells_what_happened() -> None:
    assert any("ann" in line for line in opened().transcript())


def test_a_set_up_that_cannot_be_played_is_no_table() -> None:
    with pytest.raises(BadInput):
        Table(set_up(MBS, layout="Z"))
