"""Nothing waits for who walked away from a choice, by the paragraph of the documents with insurance."""

import pytest

from table.tables import Table, kinds, only
from thirdcard.cards import parse_cards
from thirdcard.table import commands
from thirdcard.table.events import ChoiceMade

SLUGS = ("rws-tiger-buffalo-commission-v2", "rws-commission-insurance-v5")
pytestmark = pytest.mark.parametrize("slug", SLUGS)


def choosing(slug: str, *players: str) -> Table:
    """Two cards came out together: everybody with a bet chooses."""
    table = Table(slug)
    table.open()
    for player in players:
        table.place(player, "player", 100_00)
    table.close()
    table.deal("2C 4H")
    report = commands.Report(by="dee", case="drawn-together", order_known=True, drawn=parse_cards("3D KS"))
    table.do(report)
    return table


def test_5_3_1_who_leaves_while_choosing_goes_on(slug: str) -> None:
    table = choosing(slug, "ann", "bob")
    table.do(commands.Rule(by="sue"))
    assert table.state.round is not None
    assert table.state.round.pending is not None
    made = table.do(commands.Leave(by="bob"))
    walked = table.state.rulebook.procedure("walked-away")
    assert walked is not None
    rules = walked.rules
    assert only(made, ChoiceMade) == ChoiceMade(player="bob", choice="continue", rules=rules)
    made = table.do(commands.Choose(by="ann", choice="continue"))
    assert "IrregularityClosed" in kinds(made)
    table.deal("2H")
    assert ("bob", 2, "player") in table.stakes()


def test_5_3_1_the_last_to_choose_leaves_and_the_round_goes_on(slug: str) -> None:
    table = choosing(slug, "ann")
    table.do(commands.Rule(by="sue"))
    assert kinds(table.do(commands.Leave(by="ann")))[-1] == "IrregularityClosed"
    assert table.state.round is not None
    assert table.state.round.pending is None


def test_5_3_1_who_has_left_is_not_waited_for(slug: str) -> None:
    table = choosing(slug, "ann", "bob")
    table.do(commands.Leave(by="bob"))
    table.do(commands.Rule(by="sue"))
    assert "ann still to choose" in table.refused(commands.Settle(by="dee")).sentence
