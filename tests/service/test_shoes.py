"""Shoes: no order is favoured, a commitment binds, and a sealed shoe opens in its own place alone."""

import hashlib
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest

from thirdcard.cards import Card, check_shoe, format_cards, parse_cards
from thirdcard.errors import BadInput
from thirdcard.service.tables.sealed_shoes import (
    BadSeal,
    Commitment,
    check,
    new_shoe,
    seal,
    shuffled,
    unseal,
)

Order = tuple[Card, ...]
Shuffle = Callable[[int], Order]
KEY = bytes(range(32))
CARDS = parse_cards("9C KD AS")


# The shuffle.


def surprise(counts: Counter[tuple[object, object]], cells: int) -> float:
    """Chi-square against equal counts, as standard deviations above its mean for that many cells."""
    expected = counts.total() / cells
    found = sum((count - expected) ** 2 / expected for count in counts.values())
    found += (cells - len(counts)) * expected
    return float((found - cells) / (2 * cells) ** 0.5)


def places(shoes: Iterable[Order]) -> Counter[tuple[object, object]]:
    return Counter((card, place) for shoe in shoes for place, card in enumerate(shoe))


def neighbours(shoes: Iterable[Order]) -> Counter[tuple[object, object]]:
    return Counter(pair for shoe in shoes for pair in pairwise(shoe))


GENEROUS = 9  # standard deviations: a fair shuffle gets there once in more than 10**15 runs


def is_even(shuffle: Shuffle, *, decks: int, times: int) -> bool:
    """Every card at every place as often, and in one deck every card after every other."""
    shoes = [shuffle(decks) for _ in range(times)]
    even = surprise(places(shoes), 52 * 52 * decks) < GENEROUS
    if decks == 1:
        even = even and surprise(neighbours(shoes), 52 * 51) < GENEROUS
    return even


def swapped_anywhere(decks: int) -> Order:
    """The usual mistake: each card changes places with any other."""
    cards = list(Card) * decks
    for place in range(len(cards)):
        other = secrets.randbelow(len(cards))
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)


def remainders(decks: int) -> Order:
    """Fisher and Yates by the remainder of six bits, which favours low places."""
    cards = list(Card) * decks
    for place in range(len(cards) - 1, 0, -1):
        other = secrets.randbits(6) % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)


def merely_cut(decks: int) -> Order:
    """Every card at every place as often, and yet no shuffle."""
    cards = list(Card) * decks
    cut = secrets.randbelow(len(cards))
    return tuple(cards[cut:] + cards[:cut])


@pytest.mark.parametrize(("decks", "times"), [(1, 3_000), (8, 300)])
def test_the_shuffle_favours_no_order(decks: int, times: int) -> None:
    assert is_even(shuffled, decks=decks, times=times)


@pytest.mark.parametrize("biased", [swapped_anywhere, remainders, merely_cut])
def test_a_biased_shuffle_fails_the_same_check(biased: Shuffle) -> None:
    assert not is_even(biased, decks=1, times=3_000)


def test_the_shuffle_takes_nothing_from_a_seed() -> None:
    random.seed(1)
    first = shuffled(1)
    random.seed(1)
    assert shuffled(1) != first


@pytest.mark.parametrize("decks", range(4, 11))
def test_a_shuffled_shoe_is_complete(decks: int) -> None:
    check_shoe(shuffled(decks), decks)


def test_a_shoe_that_is_not_complete_is_refused() -> None:
    cards = shuffled(8)
    twin = next(card for card in Card if card is not cards[0])
    for wrong in (cards[1:], (*cards, cards[0]), (twin, *cards[1:]), ()):
        with pytest.raises(BadInput, match="in a shoe of 8 decks"):
            check_shoe(wrong, 8)


# The commitment.


def test_the_commitment_is_what_sha256sum_says() -> None:
    """By the command in the module's docstring."""
    known = "65cfef98313aa027fc23d4f9da1f0bbd326d5bb6181a7c532b7aece532d3d212"
    assert Commitment(KEY, CARDS).commitment == known
    assert check(known, KEY.hex(), "9C KD AS")


def test_a_commitment_binds() -> None:
    shoe = new_shoe(8)
    salt, cards = shoe.salt.hex(), format_cards(shoe.cards)
    assert check(shoe.commitment, salt, cards)
    assert not check(shoe.commitment, new_shoe(8).salt.hex(), cards)
    assert not check(shoe.commitment, salt, format_cards(shoe.cards[::-1]))
    assert not check(shoe.commitment, salt, cards + " ")
    assert not check(new_shoe(8).commitment, salt, cards)


@pytest.mark.parametrize(
    ("commitment", "salt", "cards"),
    [
        ("", "", ""),
        ("x", "zz" * 32, "9C"),
        ("é", "é" * 64, "9C"),
        ("x", "00" * 31, "9C"),
        ("x", "00" * 32, "\uff19C"),
    ],
)
def test_what_is_malformed_is_not_what_was_committed_to(commitment: str, salt: str, cards: str) -> None:
    assert not check(commitment, salt, cards)


def test_salt_and_cards_cannot_be_shifted_against_each_other() -> None:
    """Without a fixed length a card could pass for the end of the salt."""
    shoe = Commitment(KEY, CARDS)
    assert hashlib.sha256((KEY + b"9") + b"C KD AS").hexdigest() == shoe.commitment
    assert not check(shoe.commitment, (KEY + b"9").hex(), "C KD AS")


def test_every_shoe_has_its_own_salt() -> None:
    shoes = [new_shoe(1) for _ in range(50)]
    assert {len(shoe.salt) for shoe in shoes} == {32}
    assert len({shoe.salt for shoe in shoes}) == 50


def test_neither_salt_nor_cards_show_in_a_log() -> None:
    shoe = new_shoe(8)
    assert repr(shoe) == str(shoe) == f"Commitment({shoe.commitment})"


# The seal.


def test_a_sealed_shoe_opens_as_it_was() -> None:
    shoe = new_shoe(8)
    sealed = seal(KEY, "tiger-1", 7, shoe.salt, shoe.cards)
    assert unseal(KEY, "tiger-1", 7, sealed) == shoe


def test_a_sealed_shoe_shows_no_card_and_is_sealed_anew_each_time() -> None:
    sealed = [seal(KEY, "tiger-1", 7, KEY, CARDS) for _ in range(2)]
    assert sealed[0] != sealed[1]
    cards = [card.value for card in CARDS]  # two at a time: one may stand there by chance
    told = [between.join(pair).encode() for pair in pairwise(cards) for between in ("", " ", '","')]
    assert not any(text in one for one in sealed for text in (*told, KEY[:4]))


@pytest.mark.parametrize(
    ("key", "stream", "number"),
    [
        (bytes(32), "tiger-1", 7),
        (b"short", "tiger-1", 7),
        (KEY, "tiger-2", 7),
        (KEY, "tiger-1", 8),
        (KEY, "7 tiger-1", 7),
    ],
)
def test_another_key_table_or_number_does_not_open_it(key: bytes, stream: str, number: int) -> None:
    sealed = seal(KEY, "tiger-1", 7, KEY, CARDS)
    with pytest.raises(BadSeal, match="cannot be opened") as refused:
        unseal(key, stream, number, sealed)
    assert "9C" not in str(refused.value)
    assert refused.value.__suppress_context__


def test_a_number_cannot_be_moved_into_the_name() -> None:
    sealed = seal(KEY, "2tiger", 1, KEY, CARDS)
    with pytest.raises(BadSeal):
        unseal(KEY, "tiger", 12, sealed)


def test_every_changed_bit_and_every_cut_is_noticed() -> None:
    sealed = seal(KEY, "tiger-1", 7, KEY, CARDS)
    for place in range(8 * len(sealed)):
        changed = bytearray(sealed)
        changed[place // 8] ^= 1 << place % 8
        with pytest.raises(BadSeal):
            unseal(KEY, "tiger-1", 7, bytes(changed))
    for length in range(len(sealed)):
        with pytest.raises(BadSeal):
            unseal(KEY, "tiger-1", 7, sealed[:length])
