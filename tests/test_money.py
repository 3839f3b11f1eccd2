"""Cents, odds and rounding."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thirdcard.errors import BadInput
from thirdcard.money import (
    CHIP_STEP,
    LARGEST_STAKE,
    Odds,
    check_chip_unit,
    check_stake,
    floor_to_unit,
    format_dollars,
    parse_dollars,
)
from thirdcard.rulebook import load, slugs


@pytest.mark.parametrize(
    ("text", "ratio"),
    [
        ("0.95 to 1", Fraction(19, 20)),
        ("3 to 2", Fraction(3, 2)),
        ("1.5 to 1", Fraction(3, 2)),
        ("1 to 2", Fraction(1, 2)),
    ],
)
def test_odds_are_exact_and_print_as_written(text: str, ratio: Fraction) -> None:
    assert Odds(text).ratio == ratio
    assert str(Odds(text)) == text


def test_equal_odds_are_equal_however_written() -> None:
    assert Odds("3 to 2") == Odds("1.5 to 1")
    assert hash(Odds("3 to 2")) == hash(Odds("1.5 to 1"))
    assert Odds("3 to 2") != Odds("5 to 2")


@pytest.mark.parametrize(
    "text", ["", "3", "3 to 0", "-1 to 2", "3 : 2", "3 to 2 ", "three to two", "1e3 to 1"]
)
def test_what_are_not_odds(text: str) -> None:
    with pytest.raises(BadInput, match="are not odds"):
        Odds(text)


@given(chips=st.integers(1, 10**9))
def test_every_listed_payout_is_exact_on_multiples_of_twenty_cents(chips: int) -> None:
    stake = chips * CHIP_STEP
    for slug in slugs():
        book = load(slug)
        listed = [tier.odds for bet in book.bets.values() for tier in bet.pays]
        listed += [offer.odds for offer in book.insurance.offers] if book.insurance else []
        for odds in listed:
            assert odds.winnings(stake) == odds.winnings_cents(stake)


@given(stake=st.integers(1, LARGEST_STAKE), numerator=st.integers(1, 300), denominator=st.integers(1, 20))
def test_winnings_are_rounded_down_to_the_cent(stake: int, numerator: int, denominator: int) -> None:
    odds = Odds(f"{numerator} to {denominator}")
    assert 0 <= odds.winnings(stake) - odds.winnings_cents(stake) < 1


@pytest.mark.parametrize(
    ("text", "cents"), [("25", 2500), ("12.60", 1260), ("12.6", 1260), ("0.05", 5), ("-3", -300)]
)
def test_dollars_as_people_type_them(text: str, cents: int) -> None:
    assert parse_dollars(text) == cents


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ten",
        "1,000",
        "1.",
        ".5",
        "1.005",
        "1e3",
        "NaN",
        "inf",
        "+5",
        " 5",
        "\N{ARABIC-INDIC DIGIT FIVE}",
        "--5",
        "9" * 5000,
    ],
)
def test_what_is_not_an_amount(text: str) -> None:
    with pytest.raises(BadInput, match="is not an amount"):
        parse_dollars(text)


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "0"), (2500, "25"), (1260, "12.60"), (-123456700, "-1,234,567"), (5, "0.05")]
)
def test_dollars_as_people_read_them(cents: int, text: str) -> None:
    assert format_dollars(cents) == text


def test_signed_dollars() -> None:
    assert [format_dollars(cents, sign=True) for cents in (4750, 0, -100)] == ["+47.50", "0", "-1"]


def test_floor_to_unit() -> None:
    assert [floor_to_unit(cents, 100) for cents in (0, 99, 100, 199)] == [0, 0, 100, 100]


@pytest.mark.parametrize("unit", [0, -100, 10, 50, 30])
def test_a_chip_unit_is_a_multiple_of_twenty_cents(unit: int) -> None:
    with pytest.raises(BadInput, match=r"the chip unit must be a positive multiple of 0\.20"):
        check_chip_unit(unit)


@pytest.mark.parametrize(
    ("stake", "sentence"),
    [
        (0, "must be more than zero: got 0"),
        (-500, "must be more than zero: got -5"),
        (1260, "must be a multiple of the chip unit 1: got 12.60"),
        (LARGEST_STAKE + 100, "is too large"),
    ],
)
def test_stakes_that_cannot_be_settled(stake: int, sentence: str) -> None:
    with pytest.raises(BadInput, match=f"the stake on tie {sentence}"):
        check_stake("tie", stake, 100)
