"""No sum of money leaves 64 bits, whatever a table's limits are and however lucky people are."""

from typing import Any

import msgspec
import pytest

from table.tables import BANK, CBI, MANAGERS, TBC, Table, set_up
from thirdcard.errors import BadInput
from thirdcard.money import LARGEST_WAGER
from thirdcard.rulebook import digest_of, load
from thirdcard.rulebook.faults import LONGEST_ODDS
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import remember
from thirdcard.table import commands, limits, start
from thirdcard.table.commands import AnyCommand
from thirdcard.table.ledger import CASH, HOUSE, rack
from thirdcard.table.limits import LARGEST_BALANCE, LARGEST_TOTAL
from thirdcard.table.setup import Limit

MOST = 2**63 - 1
JACKPOT = f"""
slug = "jackpot"
extends = "plain"
[document]
title = "Jackpot"
[bets.jackpot]
name = "Jackpot"
pays = [{{ tier = "nine", when = {{ winner = ["player"], total = 9 }}, odds = "{LONGEST_ODDS} to 1" }}]
"""
NO_MAXIMUM = {"limits": {"*": Limit(10_00)}, "differential": None}


@pytest.fixture(scope="module")
def jackpot(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The set-up of a game that pays as much as any may, without a maximum."""
    path = tmp_path_factory.mktemp("books") / "jackpot.toml"
    path.write_text(JACKPOT)
    book = load(str(path))
    remember(canonical(book))
    MANAGERS["jackpot"] = {}
    return {"digest": digest_of(book), "staff": {"dee": "dealer"}, **NO_MAXIMUM}


def test_what_a_round_moves_and_what_lies_there_before_stay_within_64_bits_together() -> None:
    moved = LARGEST_TOTAL * (LONGEST_ODDS + 1)
    assert LARGEST_BALANCE + 2 * moved < 2**62, "also where a settlement is reversed and made anew"
    assert LARGEST_BALANCE + LARGEST_TOTAL * 2 * LONGEST_ODDS < MOST // 2, "and two such accounts together"


def rich(table: Table, balance: int, player: str) -> None:
    """Luck has been with somebody for long."""
    balances = dict(table.state.balances)
    balances[HOUSE] = balances.get(HOUSE, 0) + balances[rack(player)] - balance
    balances[rack(player)] = balance
    table.state = msgspec.structs.replace(table.state, balances=balances)


def test_the_largest_payout_that_can_be_is_paid(jackpot: dict[str, Any]) -> None:
    table = Table("jackpot", "A", seats={}, positions=7, **jackpot)
    table.open()
    for n in range(LARGEST_TOTAL // LARGEST_WAGER):
        table.join(f"p{n}", n + 1 if n < 7 else 0, bank=LARGEST_WAGER)
        table.place(f"p{n}", "jackpot", LARGEST_WAGER)
    table.do(commands.BuyIn(by="p0", cents=10_00))
    more = table.placing("p0", "jackpot", 10_00)
    assert table.refused(more).code == "above-maximum", "the layout holds no more"
    table.close()
    table.deal("P 9C KD | B 4H 2S")
    table.settle()
    assert table.state.balances[HOUSE] <= -LARGEST_TOTAL * LONGEST_ODDS
    assert max(map(abs, table.state.balances.values())) < LARGEST_BALANCE


@pytest.mark.parametrize("balance", [LARGEST_BALANCE + BANK + 1, 2 * LARGEST_BALANCE])
def test_whoever_has_more_than_can_be_counted_plays_no_more(jackpot: dict[str, Any], balance: int) -> None:
    table = Table("jackpot", "A", positions=7, **jackpot)
    table.open()
    rich(table, balance, "ann")
    assert table.refused(table.placing("ann", "player", 10_00)).code == "above-maximum"
    assert table.refused(commands.BuyIn(by="ann", cents=10_00)).code == "above-maximum"
    assert table.refused(table.placing("bob", "player", 10_00)).code == "above-maximum", (
        "the House has lost it"
    )
    table.do(commands.CashOut(by="ann", cents=balance))


def test_a_rack_is_bought_no_larger_than_a_bet_can_be() -> None:
    table = Table(TBC, seats={})
    table.join("ann", 1, bank=LARGEST_WAGER)
    assert table.refused(commands.BuyIn(by="ann", cents=10_00)).code == "above-maximum"
    table.join("bob", 2, bank=0)
    assert table.refused(commands.BuyIn(by="bob", cents=LARGEST_WAGER + 100)).code == "above-maximum"
    balances = {CASH: -LARGEST_BALANCE - 1, HOUSE: LARGEST_BALANCE + 1}
    table.state = msgspec.structs.replace(table.state, balances=balances)
    assert table.refused(commands.BuyIn(by="bob", cents=10_00)).code == "above-maximum"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"limits": {"*": Limit(10_00, LARGEST_WAGER + 100)}}, "no more than 10,000,000,000"),
        ({"limits": {"*": Limit(LARGEST_WAGER + 100)}}, "no more than the maximum"),
        ({"differential": 10**15 + 100}, "the maximum differential"),
    ],
)
def test_limits_are_bounded_too(changed: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        start(set_up(TBC, "A", **changed))


def stakes_everywhere(table: Table, phase: str) -> list[AnyCommand]:
    """Whatever brings money onto the layout in that phase, by players and by staff."""
    player, spot = "ann", {"box": 1, "bet": "player"}
    if phase == "betting":
        return [
            table.placing(player, "player", 10_00),
            commands.Place(by="dee", player=player, cents=10_00, **spot),  # type: ignore[arg-type]
            commands.RecordChips(by="dee", player=player, cents=LARGEST_WAGER, **spot),  # type: ignore[arg-type]
        ]
    return [
        commands.LateChips(by="dee", player=player, cents=10_00, **spot),  # type: ignore[arg-type]
        commands.RecordChips(by="sam", player=player, cents=20_00, reason="seen", **spot),  # type: ignore[arg-type]
        commands.Insure(by=player, box=1, hand="player", cents=10_00),  # type: ignore[arg-type]
    ]


@pytest.mark.parametrize("phase", ["betting", "dealing"])
def test_nothing_comes_onto_a_layout_that_is_full(phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FEW", 0)  # however few stakes make it full
    table = Table(CBI, "D", limits={"*": Limit(10_00)}, differential=10**15)
    table.open()
    table.place("ann", "player", 10_00)
    if phase == "dealing":
        table.close()
        table.deal("6C 3D KH AS")
    full = {**table.state.balances, "box:2": LARGEST_TOTAL - 10_00}
    rest = {**full, HOUSE: full.get(HOUSE, 0) - sum(full.values())}
    table.state = msgspec.structs.replace(table.state, balances=rest)
    codes = {type(one).__name__: table.refused(one).code for one in stakes_everywhere(table, phase)}
    assert set(codes.values()) == {"above-maximum"}, codes
