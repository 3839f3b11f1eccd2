"""Which card decides a round, and what it has to be, against every round that there is."""

from itertools import product

import pytest

from thirdcard.cards import Card, parse_cards
from thirdcard.play.deciding import Deciding, deciding
from thirdcard.play.outcome import possible
from thirdcard.rulebook import load
from thirdcard.rulebook.model import Side

PLAY = load("mbs-tiger-v2").table_of_play
RANKS = "KA23456789"  # one card of each value, by its value


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("9C KS 7D 4H", Deciding(hand=Side.BANKER, points=4, wins=(3, 4, 5), ties=(2,))),
        ("2C 7D KH KS", Deciding(hand=Side.PLAYER, points=2, wins=(6, 7), ties=(5,))),
        ("2C 2D KH KS 4C", Deciding(hand=Side.BANKER, points=2, wins=(5, 6, 7), ties=(4,))),
        ("2C 3D KH KS", None),  # the Banker may draw after the Player
        ("9C 2D KH 3S", None),  # a natural: nobody draws
        ("9C KS 7D", None),  # not dealt yet
    ],
)  # fmt: skip
def test_a_deciding_card_says_what_it_needs(cards: str, told: Deciding | None) -> None:
    assert deciding(PLAY, parse_cards(cards)) == told


def test_it_agrees_with_all_that_can_happen() -> None:
    """Told if and only if every value of the next card ends the round, and not all of them alike."""
    told = 0
    for player, banker, third in product(RANKS, repeat=3):
        cards = parse_cards(f"{player}C {banker}D KC KD")
        for known in (cards, (*cards, *parse_cards(f"{third}D"))):
            found = deciding(PLAY, known)
            came = [_winners((*known, *parse_cards(f"{rank}H"))) for rank in RANKS]
            decides = all(len(one) == 1 for one in came) and len(set.union(*came)) > 1
            assert (found is not None) == decides
            if found is not None:
                told += 1
                assert found.wins == tuple(value for value, one in enumerate(came) if one == {found.hand})
                assert found.ties == tuple(value for value, one in enumerate(came) if one == {"tie"})
    assert told > 100


def _winners(known: tuple[Card, ...]) -> set[str]:
    return {str(one.winner) for one in possible(PLAY, known)}
