"""Shoes that nobody can foresee, that anybody can check afterwards, and that are kept locked up until then.

The house promises the salt of a shoe, 32 random bytes, before anybody adds a seed to it. The order follows
from salt, table, number, decks and seeds: the house is bound before it knows a seed, and who adds one does
not know the salt, which is told after the last card. `docs/shoes.md` has it byte by byte.

Shoes of earlier releases were shuffled first. Their commitment is the SHA-256, in lower-case hex, of the salt
followed by the order in ASCII: the cards as they are drawn, `9C KD …`, one space between two, none after.

    (printf '%s' "$SALT" | xxd -r -p; printf '%s' "$CARDS") | sha256sum
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterator, Sequence

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from thirdcard.cards import Card, format_cards, parse_cards
from thirdcard.service.log.floor_events import Seed, ShoeSealed

SALT_SIZE = 32
NONCE_SIZE = 12
NUMBERS = 1 << 16  # how many there are of the random numbers that a shuffle draws
TAG = "thirdcard shoe 2"
MOST_SEEDS = 16  # that a shoe takes
LONGEST_SEED = 64  # characters
# The first byte of what is kept; then come the nonce and, encrypted and authenticated, what is secret.
SALT_AND_ORDER = b"\x01"  # of shoes of earlier releases
SALT_ALONE = b"\x02"


class BadSeal(Exception):  # noqa: N818 - named for what it is
    """A sealed shoe cannot be opened; `str(error)` is one sentence for people, without cards or key."""


class OpenShoe(msgspec.Struct, frozen=True):
    """What is secret of a shoe: its salt and its order. Its repr shows neither, so no log ever does."""

    salt: bytes
    cards: tuple[Card, ...]

    def __repr__(self) -> str:
        return "OpenShoe(…)"


# What is promised -----------------------------------------------------------------------------------------


def new_salt() -> bytes:
    """Of the operating system's generator: without it nothing of a shoe can be searched for."""
    return secrets.token_bytes(SALT_SIZE)


def is_seed(text: str) -> bool:
    """Something to be seen, on one line."""
    return 1 <= len(text) <= LONGEST_SEED and text.isprintable()


def promise(table: str, number: int, salt: bytes) -> str:
    """What binds the house to the salt of this shoe of this table, and tells nothing of it."""
    return hashlib.sha256(f"{TAG}\n{table}\n{number}\n".encode() + salt).hexdigest()


def order(salt: bytes, table: str, sealed: ShoeSealed) -> tuple[Card, ...]:
    """The cards as they are drawn, which follow from the salt and from what was sealed."""
    return shuffled(sealed.decks, _shuffle_key(salt, table, sealed.shoe, sealed.decks, sealed.seeds))


def _shuffle_key(salt: bytes, table: str, number: int, decks: int, seeds: Sequence[Seed]) -> bytes:
    """Neither names nor seeds hold an end of line, so no two shoes come to the same text."""
    added = (text for seed in seeds for text in (seed.player, seed.seed))
    return hmac.digest(salt, "\n".join((TAG, table, str(number), str(decks), *added)).encode(), "sha256")


def shuffled(decks: int, key: bytes) -> tuple[Card, ...]:
    """So many decks in the order that follows from the key; of a random key each is as likely as any other.

    The shuffle is Fisher and Yates', from the last place to the second. A number from the end of the range,
    where there is not one for each place any more, is passed over: no remainder favours any place.
    """
    cards = [card for card in Card for _ in range(decks)]
    numbers = _numbers(key)
    for last in range(len(cards) - 1, 0, -1):
        places = last + 1
        even = NUMBERS - NUMBERS % places
        place = next(number for number in numbers if number < even) % places
        cards[place], cards[last] = cards[last], cards[place]
    return tuple(cards)


def _numbers(key: bytes) -> Iterator[int]:
    """Numbers of 16 bits without end: HMAC-SHA256 of 0, 1, 2 … in 8 bytes, two bytes at a time."""
    counter = 0
    while True:
        block = hmac.digest(key, counter.to_bytes(8, "big"), "sha256")
        for first in range(0, len(block), 2):
            yield int.from_bytes(block[first : first + 2], "big")
        counter += 1


def is_kept(table: str, sealed: ShoeSealed, salt_hex: str, cards_text: str) -> bool:
    """Whether this salt is the one promised, and this the order that follows; anything malformed is not."""
    salt = _salt(salt_hex)
    if salt is None or promise(table, sealed.shoe, salt) != sealed.commitment:
        return False
    return cards_text == format_cards(order(salt, table, sealed))


def check(commitment: str, salt_hex: str, cards_text: str) -> bool:
    """Whether salt and order are those that an earlier release committed to; anything malformed is not."""
    salt = _salt(salt_hex)
    if salt is None or not cards_text.isascii():
        return False
    return hashlib.sha256(salt + cards_text.encode("ascii")).hexdigest() == commitment


def _salt(text: str) -> bytes | None:
    if len(text) != 2 * SALT_SIZE or not text.isascii():
        return None
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


# What is kept ---------------------------------------------------------------------------------------------


def seal(key: bytes, stream: str, number: int, salt: bytes) -> bytes:
    """The salt encrypted for one place: it opens as that of shoe `number` of `stream` and nowhere else."""
    nonce = os.urandom(NONCE_SIZE)
    return SALT_ALONE + nonce + ChaCha20Poly1305(key).encrypt(nonce, salt, _place(SALT_ALONE, stream, number))


def unseal(key: bytes, stream: str, number: int, kept: bytes) -> OpenShoe:
    """What is kept of a shoe, without an order if that follows from what was sealed.

    BadSeal if the key is another, or a bit or the place has changed.
    """
    form = kept[:1]
    if form not in (SALT_AND_ORDER, SALT_ALONE):
        raise BadSeal(f"shoe {number} of {stream} is not sealed in a way that is known here")
    nonce, locked = kept[1 : 1 + NONCE_SIZE], kept[1 + NONCE_SIZE :]
    try:
        plain = ChaCha20Poly1305(key).decrypt(nonce, locked, _place(form, stream, number))
    except (InvalidTag, ValueError):
        raise BadSeal(
            f"shoe {number} of {stream} cannot be opened: the key is not the one it was sealed with, "
            f"or what is stored was changed"
        ) from None
    return OpenShoe(plain[:SALT_SIZE], parse_cards(plain[SALT_SIZE:].decode("ascii")))


def opened(key: bytes, stream: str, number: int, kept: bytes, sealed: ShoeSealed | None) -> OpenShoe:
    """A shoe with its order, to deal from; `sealed` is None for one of an earlier release."""
    shoe = unseal(key, stream, number, kept)
    return shoe if sealed is None else OpenShoe(shoe.salt, order(shoe.salt, stream, sealed))


def _place(form: bytes, stream: str, number: int) -> bytes:
    """The number comes first, so that no other stream and number read the same."""
    what = "shoe" if form == SALT_AND_ORDER else "salt of shoe"
    return f"thirdcard {what} {number} {stream}".encode()
