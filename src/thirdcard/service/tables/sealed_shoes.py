"""Shoes that nobody can foresee, that anybody can check afterwards, and that are kept locked up until then.

The commitment is published before the first card; salt and order are revealed after the last. It is the
SHA-256, in lower-case hex, of the salt's 32 bytes followed by the order in ASCII: the cards as they are
drawn, `9C KD …`, one space between two and nothing at the end. With the salt revealed as 64 hex digits:

    (printf '%s' "$SALT" | xxd -r -p; printf '%s' "$CARDS") | sha256sum
"""

import hashlib
import hmac
import os
import secrets

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from thirdcard.cards import Card, format_cards, parse_cards

SALT_SIZE = 32
NONCE_SIZE = 12
FORMAT = b"\x01"  # of a sealed shoe: this byte, the nonce, then salt and order encrypted and authenticated


class BadSeal(Exception):  # noqa: N818 - named for what it is
    """A sealed shoe cannot be opened; `str(error)` is one sentence for people, without cards or key."""


class Commitment(msgspec.Struct, frozen=True):
    """An order of cards and the salt it is committed to with. Its repr shows neither, so no log ever does."""

    salt: bytes
    cards: tuple[Card, ...]

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.salt + format_cards(self.cards).encode("ascii")).hexdigest()

    def __repr__(self) -> str:
        return f"Commitment({self.commitment})"


def shuffled(decks: int) -> tuple[Card, ...]:
    """So many decks in random order, each order as likely as any other.

    The shuffle is Fisher and Yates', fed by the operating system's generator. Each draw takes just enough
    random bits for the places left and draws again when they name none: no remainder favours any place.
    """
    cards = [card for card in Card for _ in range(decks)]
    secrets.SystemRandom().shuffle(cards)
    return tuple(cards)


def new_shoe(decks: int) -> Commitment:
    """A shuffled shoe with a salt of its own, without which its order could be searched for."""
    return Commitment(secrets.token_bytes(SALT_SIZE), shuffled(decks))


def check(commitment: str, salt_hex: str, cards_text: str) -> bool:
    """Whether this salt and order are the ones committed to; anything malformed is not."""
    if not (salt_hex + cards_text).isascii() or len(salt_hex) != 2 * SALT_SIZE:
        return False
    try:
        salt = bytes.fromhex(salt_hex)
    except ValueError:
        return False
    found = hashlib.sha256(salt + cards_text.encode("ascii")).hexdigest()
    return hmac.compare_digest(found.encode(), commitment.encode())


def seal(key: bytes, stream: str, number: int, salt: bytes, cards: tuple[Card, ...]) -> bytes:
    """The shoe encrypted for one place: it opens as shoe `number` of `stream` and nowhere else."""
    nonce = os.urandom(NONCE_SIZE)
    plain = salt + format_cards(cards).encode("ascii")
    return FORMAT + nonce + ChaCha20Poly1305(key).encrypt(nonce, plain, _place(stream, number))


def unseal(key: bytes, stream: str, number: int, sealed: bytes) -> Commitment:
    """The shoe as it was sealed; BadSeal if the key is another, or a bit or the place has changed."""
    if sealed[:1] != FORMAT:
        raise BadSeal(f"shoe {number} of {stream} is not sealed in a way that is known here")
    nonce, locked = sealed[1 : 1 + NONCE_SIZE], sealed[1 + NONCE_SIZE :]
    try:
        plain = ChaCha20Poly1305(key).decrypt(nonce, locked, _place(stream, number))
    except (InvalidTag, ValueError):
        raise BadSeal(
            f"shoe {number} of {stream} cannot be opened: the key is not the one it was sealed with, "
            f"or what is stored was changed"
        ) from None
    return Commitment(plain[:SALT_SIZE], parse_cards(plain[SALT_SIZE:].decode("ascii")))


def _place(stream: str, number: int) -> bytes:
    """The number comes first, so that no other stream and number read the same."""
    return f"thirdcard shoe {number} {stream}".encode()
