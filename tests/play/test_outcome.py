"""Outcomes of whole and half-known rounds, and what is certain of each bet."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealing import dealt
from thirdcard.cards import Card, Rank
from thirdcard.play.bets import result, standing
from thirdcard.play.classes import CLASSES, number_of, outcomes
from thirdcard.play.outcome import outcome_of, possible
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.conditions import Outcome

BOOK = load("rws-tiger-buffalo-commission-v2")
TABLE = BOOK.table_of_play
SPADES = tuple(card for card in Card if card.value.endswith("S"))


def outcome(text: str) -> Outcome:
    return outcome_of(Deal(TABLE, dealt(text)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P 9C 7D | B 4H 2S", Outcome(6, 6, 2, 2, "none")),
        ("P 9C 9D | B 4H 2S", Outcome(8, 6, 2, 2, "player")),
        ("P 9C 9D | B 4H 4S", Outcome(8, 8, 2, 2, "double")),
        ("P TC TD 8S | B TH TS 8C", Outcome(8, 8, 3, 3, "twin")),
        ("P TC KD 8S | B QH QS 8C", Outcome(8, 8, 3, 3, "banker")),
        ("P 2C 4D | B 2H 3S AC", Outcome(6, 6, 2, 3, "none")),
        ("P 2C 3D 8S | B 2H 4S", Outcome(3, 6, 3, 2, "none")),
    ],
)
def test_the_outcome_of_a_whole_round(text: str, expected: Outcome) -> None:
    assert outcome(text) == expected


def test_classes_are_numbered_without_gap() -> None:
    assert len(outcomes()) == CLASSES == 2000
    assert [number_of(one) for one in outcomes()] == list(range(CLASSES))


def slow_possible(known: tuple[Card | None, ...]) -> frozenset[Outcome]:
    """Every round that fits, card by card: all thirteen ranks wherever a card is not known."""
    found = set()

    def extend(cards: tuple[Card, ...]) -> None:
        deal = Deal(TABLE, cards)
        if deal.next is None:
            found.add(outcome_of(deal))
            return
        at = len(cards)
        here = known[at] if at < len(known) else None
        for card in SPADES if here is None else (here,):
            extend((*cards, card))

    extend(())
    return frozenset(found)


@pytest.mark.slow
@given(
    first=st.lists(st.sampled_from(Card), min_size=3, max_size=3),
    rest=st.lists(st.one_of(st.none(), st.sampled_from(Card)), max_size=3),
    hidden=st.sampled_from([None, 0, 1, 2]),
)
def test_half_known_rounds_agree_with_playing_out_every_card(
    first: list[Card], rest: list[Card | None], hidden: int | None
) -> None:
    known: list[Card | None] = [*first, *rest]
    if hidden is not None and len(rest) > 1:
        known[hidden] = None
    assert possible(TABLE, tuple(known)) == slow_possible(tuple(known))


@pytest.mark.parametrize("slug", slugs())
def test_before_the_first_card_every_bet_is_open(slug: str) -> None:
    book = load(slug)
    for bet in book.bets.values():
        assert standing(bet, book.table_of_play, ()).certain is None


@pytest.mark.slow
@pytest.mark.parametrize("slug", slugs())
def test_after_the_last_card_every_bet_is_certain_and_as_settled(slug: str) -> None:
    book = load(slug)
    for ranks in product((Rank.ACE, Rank.FOUR, Rank.SIX, Rank.SEVEN, Rank.KING), repeat=6):
        cards = tuple(SPADES[rank - 1] for rank in ranks)
        deal = Deal(book.table_of_play, cards)
        used = cards[: len(cards) - len(deal.left_over)]
        (only,) = possible(book.table_of_play, used)
        for bet in book.bets.values():
            assert standing(bet, book.table_of_play, used).certain == result(bet, only).verdict


@pytest.mark.parametrize(
    ("known", "bet", "certain"),
    [
        ("9C KD", "player", None),
        ("9C 8D KC", "tiger-pair", None),  # the Banker may still pair
        ("9C 8D KC 7D", "tiger-pair", "lose"),
        ("9C 8D 9D", "player-pair", "win"),
        ("9C 8D 9D", "tiger-pair", "win"),  # single, or double: won in any case
        ("9C 8D 9D 8H", "tiger-pair", "win"),
        ("9C 8D KC 7D", "player", "win"),  # a natural 9 over 5
        ("9C 9D KC KH", "player", "push"),
        ("6C 6D KC KH", "tie", "win"),
        ("6C 6D KC KH", "tiger-tie", "win"),
        ("2C 6D 3C KH 2H", "big-tiger", "lose"),  # Banker stands on two cards
        ("2C 6D 3C KH 6H", "big-tiger", None),
        ("2C 5D 3C KH", "wu-dalang", None),
        ("2C 7D 5C KH", "player", "push"),
        ("2C 7D 4C KH", "wu-dalang", "lose"),
    ],
)
def test_certain_or_open(known: str, bet: str, certain: str | None) -> None:
    cards = tuple(Card(text) for text in known.split())
    assert standing(BOOK.bets[bet], TABLE, cards).certain == certain


def test_a_push_is_certain_but_not_decided() -> None:
    stands = standing(BOOK.bets["player"], TABLE, dealt("P 7C KC | B 7D KH"))
    assert stands.certain == "push"
    assert not stands.decided


def test_cards_nobody_has_seen_count_for_nothing() -> None:
    """A face-down Banker hand leaves Player's pair certain and the winner open."""
    seen = (Card("9C"), None, Card("9D"), None)
    assert standing(BOOK.bets["player-pair"], TABLE, seen).certain == "win"
    assert standing(BOOK.bets["banker-pair"], TABLE, seen).certain is None
    assert standing(BOOK.bets["player"], TABLE, seen).certain is None
