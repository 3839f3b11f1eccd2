"""Tables of Tiger Buffalo without commission, by the paragraphs of their own numbers."""

import pytest

from table.tables import Table, only
from thirdcard.rulebook.model import Side
from thirdcard.table import commands
from thirdcard.table.events import RoundVoided, StakeSet

SLUGS = ("rws-tiger-buffalo-non-commission-v3", "rws-tiger-buffalo-non-commission-v4")
pytestmark = pytest.mark.parametrize("slug", SLUGS)

PLAYER_WINS = "P 9C KD | B 4H 2S"


def bet(slug: str, *stakes: tuple[str, str, int]) -> Table:
    table = Table(slug)
    table.open()
    for player, name, cents in stakes:
        table.place(player, name, cents)
    table.close()
    return table


def test_1_15_banker_pays_even_money_but_half_on_six(slug: str) -> None:
    table = Table(slug)
    assert table.round("P 4C 2D | B 9H KS", ("ann", "banker", 100_00)) == {"ann": 100_00}
    assert table.round("P 4C KD KH | B 6H KS", ("ann", "banker", 100_00)) == {"ann": 50_00}


def test_3_11__3_12_cards_are_drawn_as_the_table_of_play_says(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00))
    table.refuses("round-not-complete", ("3.11", "3.12"), commands.Settle(by="dee"))
    table.deal("2C 4H 3D KS KD")
    table.refuses("card-not-due", ("3.11", "3.12"), table.drawing("2C"))
    table.settle()
    assert table.net("ann") == 100_00


def test_3_14_a_tie_returns_original_bets(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), ("bob", "banker", 100_00))
    table.deal("P 4C 4D | B 6H 2S")
    table.settle()
    assert [(line.result, line.rules) for line in table.lines()] == [("push", ("3.14",))] * 2
    assert (table.net("ann"), table.net("bob"), table.house) == (0, 0, 0)


def test_no_insurance_and_no_reversed_third_cards(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00))
    table.deal("KC KH 6D 5S")
    assert table.offers() == {}
    refusal = table.refused(commands.Insure(by="ann", box=1, hand=Side.PLAYER, cents=10_00))
    assert refusal.code == "insurance-not-offered-here"
    refusal = table.refused(commands.BankerThirdFirst(by="sue", player="ann"))
    assert refusal.code == "not-allowed-here"


def test_5_3_bets_of_who_walks_away_are_settled(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00))
    table.do(commands.Leave(by="ann"))
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("ann") == 100_00


def test_5_14_bets_are_settled_as_the_chips_lie(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00))
    table.refuses(
        "wrong-rank",
        ("5.14",),
        commands.RecordChips(by="bob", player="ann", box=1, bet="banker", cents=100_00),
    )
    assert only(table.record("ann", "player", 0), StakeSet).rules == ("5.14",)
    table.record("ann", "banker", 100_00)
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.net("ann") == -100_00


def test_5_16__5_18_a_void_round_returns_every_bet(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), ("ann", "tie", 20_00))
    table.refuses("wrong-rank", ("5.18",), commands.Void(by="pam", reason="power"))
    event = only(table.do(commands.Void(by="sam", reason="power")), RoundVoided)
    assert "5.18" in event.rules
    assert (table.net("ann"), table.house) == (0, 0)


def test_5_17_pit_employees_place_bets_for_a_player(slug: str) -> None:
    table = Table(slug)
    table.open()
    event = only(table.do(commands.Place(by="sue", player="ann", box=1, bet="tie", cents=50_00)), StakeSet)
    assert (event.stake.player, event.stake.by, event.rules) == ("ann", "sue", ("5.17",))
    table.refuses(
        "wrong-rank", ("5.17",), commands.Place(by="bob", player="ann", box=1, bet="tie", cents=50_00)
    )
