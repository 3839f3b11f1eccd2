"""Cards and their notation."""

import pytest

from thirdcard.cards import Card, Rank, Suit, check_copies, format_cards, parse_cards, surplus
from thirdcard.errors import BadInput


def test_there_are_52_different_cards_named_as_written() -> None:
    assert len(Card) == 52
    assert {card.value for card in Card} == {r + s for r in "A23456789TJQK" for s in "SHDC"}
    assert Card("9C").rank is Rank.NINE
    assert Card("9C").suit is Suit.CLUBS
    assert Card("9C").name == "NINE_OF_CLUBS"


def test_points_of_every_rank() -> None:
    expected = dict(zip("A23456789TJQK", [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0], strict=True))
    assert {rank.letter: rank.points for rank in Rank} == expected
    assert all(card.points == card.rank.points for card in Card)


def test_notation_survives_a_round_trip() -> None:
    text = " ".join(card.value for card in Card)
    assert format_cards(parse_cards(text)) == text
    assert parse_cards("") == ()
    assert parse_cards("  9C   KD ") == (Card("9C"), Card("KD"))


@pytest.mark.parametrize(
    ("text", "hint"),
    [("9c", "9C"), ("10C", "TC"), ("kd", "KD"), ("10h", "TH")],
)
def test_a_card_written_otherwise_gets_a_hint(text: str, hint: str) -> None:
    with pytest.raises(BadInput, match=rf"'{text}' is not a card: .* did you mean {hint}\?"):
        parse_cards(text)


@pytest.mark.parametrize(
    "text", ["1C", "9", "C9", "9CC", "9C,KD", "**", "🂡", "9\N{ROMAN NUMERAL ONE HUNDRED}", "٩C"]
)
def test_what_is_not_a_card_is_named(text: str) -> None:
    with pytest.raises(BadInput, match="is not a card") as caught:
        parse_cards(f"AS {text}")
    assert repr(text) in str(caught.value)
    assert "did you mean" not in str(caught.value)


def test_no_more_copies_of_a_card_than_decks() -> None:
    four = parse_cards("9C 9C 9C 9C")
    check_copies(four, 4)
    with pytest.raises(BadInput, match="9C comes 5 times, but 4 decks hold only 4 of it"):
        check_copies((*four, Card("9C")), 4)


def test_the_first_card_that_the_decks_cannot_hold() -> None:
    """With those that have been drawn before, by name."""
    cards = parse_cards("9C KD 9C KD KD")
    assert surplus(cards, 3) is None
    assert surplus(cards, 2) is Card("KD")
    assert surplus(cards, 1) is Card("9C")
    assert surplus(cards, 3, {"9C": 1}) is None
    assert surplus(cards, 3, {"9C": 2, "KD": 1}) is Card("9C")
    assert surplus((), 3, {"9C": 7}) is None
