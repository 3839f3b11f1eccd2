"""What is wrong with the chips while bets are open, by the paragraphs that all RWS documents share."""

import pytest

from table.tables import Table
from thirdcard.table.flags import flags
from thirdcard.table.setup import Limit

SLUGS = (
    "rws-tiger-buffalo-commission-v2",
    "rws-tiger-buffalo-non-commission-v3",
    "rws-tiger-buffalo-non-commission-v4",
    "rws-commission-insurance-v5",
)
pytestmark = pytest.mark.parametrize("slug", SLUGS)

LIMITS = {"*": Limit(50_00, 2_000_00), "tie": Limit(50_00, 200_00)}


def opened(slug: str) -> Table:
    """Boxes 1 and 2 are taken; a differential of $500, no bet under $50, no tie over $200."""
    table = Table(slug, seats={"ann": 1, "bob": 2, "cat": 0, "dan": 0}, limits=LIMITS, differential=500_00)
    table.open()
    return table


def test_5_1_excess_over_the_differential_goes_back_standing_before_seated(slug: str) -> None:
    table = opened(slug)
    table.record("ann", "player", 700_00)
    table.record("cat", "player", 100_00, box=1)
    flag = table.flag()
    assert (flag.kind, flag.box, flag.bet, flag.cents) == ("over-differential", 1, "player", 300_00)
    assert flag.back == (("cat", "player", 100_00), ("ann", "player", 200_00))
    assert (flag.players, flag.decides, flag.rules) == (("cat", "ann"), "", ("5.1",))
    table.clear(flag, "return-excess")
    assert flags(table.state) == ()
    assert table.stakes() == {("ann", 1, "player"): 500_00}


def test_5_2_who_is_under_the_minimum_raises_or_withdraws(slug: str) -> None:
    for key, stakes in (("raise", {("ann", 1, "tie"): 50_00}), ("withdraw", {})):
        table = opened(slug)
        table.record("ann", "tie", 20_00)
        flag = table.flag()
        assert (flag.kind, flag.box, flag.bet, flag.cents) == ("under-minimum", 1, "tie", 30_00)
        assert (flag.players, flag.rules) == (("ann",), ("5.2",))
        assert [one["key"] for one in flag.remedies] == ["raise", "withdraw"]
        table.clear(flag, key)
        assert table.stakes() == stakes
        assert flags(table.state) == ()


def test_5_2_who_has_no_chips_to_raise_with_can_only_withdraw(slug: str) -> None:
    table = opened(slug)
    table.join("pip", 3, bank=30_00)
    table.record("pip", "tie", 20_00)
    assert [one["key"] for one in table.flag().remedies] == ["withdraw"]


def test_3_5_what_is_over_a_maximum_goes_back(slug: str) -> None:
    table = opened(slug)
    table.record("ann", "tie", 300_00)
    flag = table.flag()
    assert (flag.kind, flag.cents, flag.back, flag.rules) == (
        "over-maximum",
        100_00,
        (("ann", "tie", 100_00),),
        ("3.5",),
    )
    table.clear(flag, "return-excess")
    assert table.stakes() == {("ann", 1, "tie"): 200_00}


def test_flags_come_in_the_order_in_which_they_are_cleared(slug: str) -> None:
    table = opened(slug)
    table.record("ann", "tie", 20_00)
    table.record("bob", "tie", 300_00)
    table.record("ann", "banker", 600_00)
    table.record("bob", "player", 600_00)
    found = [(one.kind, one.box) for one in flags(table.state)]
    assert found == [
        ("over-differential", 1),
        ("over-differential", 2),
        ("over-maximum", 2),
        ("under-minimum", 1),
    ]
    table.close()
    assert flags(table.state) == ()  # what nobody noticed is settled by other rules


def test_there_is_nothing_to_clear_where_chips_lie_within_the_limits(slug: str) -> None:
    table = opened(slug)
    assert flags(table.state) == ()
    table.place("ann", "player", 500_00)
    table.place("bob", "tie", 200_00)
    assert flags(table.state) == ()
