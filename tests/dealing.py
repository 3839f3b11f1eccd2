"""Rounds as a dealer says them: "P 9C 7D | B 4H 2S"."""

from thirdcard.cards import Card, parse_cards


def dealt(text: str) -> tuple[Card, ...]:
    """The cards in the order they were drawn."""
    player_text, banker_text = text.split("|")
    player = parse_cards(player_text.strip().removeprefix("P "))
    banker = parse_cards(banker_text.strip().removeprefix("B "))
    initial = (player[0], banker[0], player[1], banker[1])
    return initial + player[2:] + banker[2:]
