"""Shoes: no order is favoured, a promise binds, and what is kept opens in its own place alone."""

import hashlib
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise

import msgspec
import pytest

from service.houses import sealed_before
from thirdcard.cards import Card, check_shoe, format_cards, parse_cards
from thirdcard.errors import BadInput
from thirdcard.service.log.floor_events import Seed, ShoeSealed
from thirdcard.service.tables import sealed_shoes
from thirdcard.service.tables.sealed_shoes import (
    BadSeal,
    OpenShoe,
    check,
    is_kept,
    is_seed,
    new_salt,
    opened,
    order,
    promise,
    seal,
    shuffled,
    unseal,
)

Order = tuple[Card, ...]
Shuffle = Callable[[int], Order]
KEY = bytes(range(32))
CARDS = parse_cards("9C KD AS")
replace = msgspec.structs.replace


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


def salted(decks: int) -> Order:
    """The shuffle of a shoe with a new salt, as tables are dealt by."""
    sealed = ShoeSealed(shoe=1, commitment="", decks=decks, seeds=(Seed(player="Wei", seed="lucky"),))
    return order(new_salt(), "tiger", sealed)


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
    assert is_even(salted, decks=decks, times=times)


@pytest.mark.parametrize("biased", [swapped_anywhere, remainders, merely_cut])
def test_a_biased_shuffle_fails_the_same_check(biased: Shuffle) -> None:
    assert not is_even(biased, decks=1, times=3_000)


def test_salts_take_nothing_from_a_seed_of_the_process() -> None:
    random.seed(1)
    first = new_salt()
    random.seed(1)
    assert new_salt() != first


def test_numbers_that_would_favour_a_place_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """52 goes into 65,536 numbers 1,260 times and leaves 16, of which this is the last."""
    numbers = iter([65_535, *([0] * 51)])
    monkeypatch.setattr(sealed_shoes, "_numbers", lambda _: numbers)
    shuffled(1, KEY)
    assert next(numbers, None) is None


@pytest.mark.parametrize("decks", range(4, 11))
def test_a_shuffled_shoe_is_complete(decks: int) -> None:
    check_shoe(shuffled(decks, KEY), decks)


def test_a_shoe_that_is_not_complete_is_refused() -> None:
    cards = shuffled(8, KEY)
    twin = next(card for card in Card if card is not cards[0])
    for wrong in (cards[1:], (*cards, cards[0]), (twin, *cards[1:]), ()):
        with pytest.raises(BadInput, match="in a shoe of 8 decks"):
            check_shoe(wrong, 8)


# What is promised.

SALT = KEY
SEEDS = Seed(player="Wei", seed="eight is lucky"), Seed(player="梅", seed="發 8888")
SEALED = ShoeSealed(shoe=7, commitment=promise("tiger", 7, SALT), decks=1, seeds=SEEDS)
ORDER = format_cards(order(SALT, "tiger", SEALED))


def test_a_promise_is_what_sha256sum_says() -> None:
    """By the command in docs/shoes.md."""
    assert SEALED.commitment == hashlib.sha256(b"thirdcard shoe 2\ntiger\n7\n" + SALT).hexdigest()


def test_salt_and_order_are_those_promised() -> None:
    assert is_kept("tiger", SEALED, SALT.hex(), ORDER)


@pytest.mark.parametrize(
    ("table", "sealed"),
    [
        ("tiger-2", SEALED),
        ("tiger", replace(SEALED, shoe=8)),
        ("tiger", replace(SEALED, decks=2)),
        ("tiger", replace(SEALED, seeds=())),
        ("tiger", replace(SEALED, seeds=SEEDS[::-1])),
        ("tiger", replace(SEALED, seeds=SEEDS[:1])),
        ("tiger", replace(SEALED, seeds=(SEEDS[0], replace(SEEDS[1], player="Mei")))),
        ("tiger", replace(SEALED, seeds=(SEEDS[0], replace(SEEDS[1], seed="發 888")))),
    ],
    ids=["table", "number", "decks", "no seeds", "their order", "one less", "whose", "another"],
)
def test_the_order_follows_from_all_that_is_sealed(table: str, sealed: ShoeSealed) -> None:
    again = replace(sealed, commitment=promise(table, sealed.shoe, SALT))
    assert order(SALT, table, again) != order(SALT, "tiger", SEALED)
    assert not is_kept(table, sealed, SALT.hex(), ORDER)


def test_the_promise_is_to_table_number_and_salt() -> None:
    others = promise("tiger-2", 7, SALT), promise("tiger", 8, SALT), promise("tiger", 7, bytes(32))
    assert len({SEALED.commitment, *others}) == 4
    for other in others:
        assert not is_kept("tiger", replace(SEALED, commitment=other), SALT.hex(), ORDER)


@pytest.mark.parametrize("salt", ["", "zz" * 32, "é" * 64, "00" * 31, "00" * 33, SALT.hex() + " "])
def test_what_is_malformed_is_not_what_was_promised(salt: str) -> None:
    assert not is_kept("tiger", SEALED, salt, ORDER)
    assert not check(SEALED.commitment, salt, ORDER)


def test_cards_told_otherwise_are_not_the_order() -> None:
    for cards in (ORDER + " ", ORDER[3:], "", " ".join(reversed(ORDER.split())), "\uff19C"):
        assert not is_kept("tiger", SEALED, SALT.hex(), cards)


def test_every_salt_is_another() -> None:
    salts = {new_salt() for _ in range(50)}
    assert {len(salt) for salt in salts} == {32}
    assert len(salts) == 50


@pytest.mark.parametrize("seed", ["8", "eight is lucky", "發 8888", "x" * 64])
def test_seeds(seed: str) -> None:
    assert is_seed(seed)


@pytest.mark.parametrize("seed", ["", "x" * 65, "a\nb", "a\tb", "a\u2028b", "a\x00", "\u202eevil", "\ud800"])
def test_no_seeds(seed: str) -> None:
    assert not is_seed(seed)


def test_neither_salt_nor_cards_show_in_a_log() -> None:
    shoe = OpenShoe(SALT, CARDS)
    assert repr(shoe) == str(shoe) == "OpenShoe(…)"


# What earlier releases promised.

BEFORE = "65cfef98313aa027fc23d4f9da1f0bbd326d5bb6181a7c532b7aece532d3d212"


def test_the_commitment_of_an_earlier_release_is_what_sha256sum_says() -> None:
    """By the command in the module's docstring."""
    assert check(BEFORE, KEY.hex(), "9C KD AS")


def test_a_commitment_of_an_earlier_release_binds() -> None:
    for salt, cards in (
        (bytes(32), "9C KD AS"),
        (KEY, "KD 9C AS"),
        (KEY, "9C KD AS "),
        (KEY, "\uff19C KD AS"),
    ):
        assert not check(BEFORE, salt.hex(), cards)


def test_salt_and_cards_cannot_be_shifted_against_each_other() -> None:
    """Without a fixed length a card could pass for the end of the salt."""
    assert hashlib.sha256((KEY + b"9") + b"C KD AS").hexdigest() == BEFORE
    assert not check(BEFORE, (KEY + b"9").hex(), "C KD AS")


# What is kept.


def test_a_salt_opens_as_it_was_and_the_order_follows() -> None:
    kept = seal(KEY, "tiger", 7, SALT)
    assert unseal(KEY, "tiger", 7, kept) == OpenShoe(SALT, ())
    assert opened(KEY, "tiger", 7, kept, SEALED) == OpenShoe(SALT, parse_cards(ORDER))


def test_a_shoe_that_an_earlier_release_sealed_opens_with_its_order() -> None:
    kept = sealed_before(KEY, "tiger", 7, KEY, CARDS)
    assert opened(KEY, "tiger", 7, kept, None) == OpenShoe(KEY, CARDS)


def test_what_is_kept_shows_nothing_and_is_sealed_anew_each_time() -> None:
    kept = [seal(KEY, "tiger-1", 7, SALT) for _ in range(2)]
    assert kept[0] != kept[1]
    assert not any(SALT[:4] in one for one in kept)


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
    for kept in (seal(KEY, "tiger-1", 7, SALT), sealed_before(KEY, "tiger-1", 7, SALT, CARDS)):
        with pytest.raises(BadSeal, match="cannot be opened") as refused:
            unseal(key, stream, number, kept)
        assert "9C" not in str(refused.value)
        assert refused.value.__suppress_context__


def test_a_number_cannot_be_moved_into_the_name() -> None:
    with pytest.raises(BadSeal):
        unseal(KEY, "tiger", 12, seal(KEY, "2tiger", 1, SALT))


def test_one_form_does_not_pass_for_the_other() -> None:
    for kept in (seal(KEY, "tiger", 7, SALT), sealed_before(KEY, "tiger", 7, SALT, CARDS)):
        with pytest.raises(BadSeal):
            unseal(KEY, "tiger", 7, bytes([3 - kept[0]]) + kept[1:])


def test_every_changed_bit_and_every_cut_is_noticed() -> None:
    kept = seal(KEY, "tiger-1", 7, SALT)
    for place in range(8 * len(kept)):
        changed = bytearray(kept)
        changed[place // 8] ^= 1 << place % 8
        with pytest.raises(BadSeal):
            unseal(KEY, "tiger-1", 7, bytes(changed))
    for length in range(len(kept)):
        with pytest.raises(BadSeal):
            unseal(KEY, "tiger-1", 7, kept[:length])
