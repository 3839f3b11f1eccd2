"""Statements drawn from a log add up to what the table holds, and say why."""

import pytest

from table.machine import walk
from table.tables import Table
from thirdcard.rulebook import slugs
from thirdcard.table import commands
from thirdcard.table.ledger import HOUSE
from thirdcard.table.statements import player_statements, table_statement

MBS = "mbs-tiger-v2"


def played() -> Table:
    """Ann wins 95 on Banker, Bob loses 50 on Player; the next round is voided."""
    table = Table(MBS)
    table.open()
    table.place("ann", "banker", 100_00)
    table.place("bob", "player", 50_00)
    table.close()
    table.deal("2C 4H KD 5S")
    table.settle()
    table.open()
    table.place("ann", "tie", 20_00)
    table.do(commands.Void(by="sam", reason="misdeal"))
    return table


def test_a_players_statement_tells_every_movement_and_why() -> None:
    table = played()
    ann = player_statements(table.log)["ann"]
    moves = [(entry.round, entry.what, entry.cents) for entry in ann.entries if entry.round]
    assert moves == [
        (1, "stake", -100_00),
        (1, "settlement", 195_00),
        (2, "stake", -20_00),
        (2, "round void", 20_00),
    ]
    (line,) = next(entry for entry in ann.entries if entry.what == "settlement").lines
    assert (line.bet, line.net, line.rules) == ("banker", 95_00, ("3.16", "4.1"))
    assert (ann.net, ann.balance) == (95_00, table.state.rack("ann"))


def test_a_loss_is_on_the_statement_though_the_rack_does_not_move() -> None:
    bob = player_statements(played().log)["bob"]
    settled = next(entry for entry in bob.entries if entry.what == "settlement")
    assert (settled.cents, [line.net for line in settled.lines]) == (0, [-50_00])
    assert bob.net == -50_00


def test_the_tables_statement() -> None:
    table = played()
    whole = table_statement(table.log)
    assert (whole.rounds, whole.void_rounds, whole.house, whole.lying) == (2, 1, -45_00, 0)
    assert whole.drop - whole.paid_out == sum(whole.racks.values()) + whole.house + whole.lying


@pytest.mark.slow
@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize("seed", range(3))
def test_statements_of_random_tables_add_up(slug: str, seed: int) -> None:
    table = walk(slug, "A", f"statements{seed}", 150, quick=True).table
    whole, players = table_statement(table.log), player_statements(table.log)
    assert whole.house == table.state.balances.get(HOUSE, 0)
    owed = sum(whole.owed.values())
    assert whole.drop - whole.paid_out == sum(whole.racks.values()) - owed + whole.house + whole.lying
    for player, statement in players.items():
        assert statement.balance == table.state.rack(player) == whole.racks[player]
        assert statement.balance == sum(entry.cents for entry in statement.entries)
