"""Where logs ended, signed by the house: whoever keeps it can show later that a log was cut or rewritten.

What is signed, with Ed25519, is a text in UTF-8: a line `thirdcard heads AT`, the wall clock in microseconds,
and for each log a line `STREAM VERSION HASH`, the hash of its event of that version in hex; each line ends in
a line feed. The public key of the house is all it takes to check it.
"""

import re
from collections.abc import Mapping

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from thirdcard.errors import BadInput
from thirdcard.service.keys import public_key
from thirdcard.service.log.store.model import Head

_LINE = re.compile(r"(.+) ([1-9][0-9]{0,18}) ([0-9a-f]{64})")


class SignedHeads(msgspec.Struct, frozen=True, kw_only=True):
    """The text, the house's public key and the signature, both in hex."""

    text: str
    key: str
    signature: str


def sign(key: Ed25519PrivateKey, heads: Mapping[str, Head], at: int) -> SignedHeads:
    lines = [f"thirdcard heads {at}\n"]
    lines += [f"{stream} {head.version} {head.hash.hex()}\n" for stream, head in sorted(heads.items())]
    text = "".join(lines)
    return SignedHeads(text=text, key=public_key(key), signature=key.sign(text.encode()).hex())


def heads_of(signed: SignedHeads, key: str = "") -> dict[str, Head]:
    """What was signed; BadInput if this house, the one with that public key, did not sign it."""
    if key and signed.key != key:
        raise BadInput("the heads were signed with a key that is not this house's")
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.key))
        public.verify(bytes.fromhex(signed.signature), signed.text.encode())
    except (InvalidSignature, ValueError):
        raise BadInput("the signature of the heads is wrong: they were changed") from None
    found = [_LINE.fullmatch(line) for line in signed.text.splitlines()[1:]]
    return {one[1]: Head(int(one[2]), bytes.fromhex(one[3])) for one in found if one is not None}
