"""The key of the house: kept in a file of its own, apart from the database, and never shown."""

import hashlib
import hmac
import os
import re
import secrets
import stat
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from thirdcard.errors import BadInput
from thirdcard.service.files import HAS_MODES, PRIVATE, sync_folder

SIZE = 32


def load_key(path: str | Path) -> bytes:
    """The key in that file; made, for its owner alone to read, if there is no such file.

    A new file appears whole or not at all, so two servers that start at once agree on the key.
    """
    path = Path(path)
    try:
        if not path.exists():
            _make(path)
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(2 * SIZE + 2)
    except OSError as error:
        raise BadInput(f"the key file {path} cannot be used: {error.strerror or 'unknown error'}") from None
    if HAS_MODES and stat.S_IMODE(mode) & 0o077:
        raise BadInput(f"the key file {path} can be read by others: make it private with chmod 600")
    if not re.fullmatch(rb"[0-9a-fA-F]{64}\n?", text):
        raise BadInput(
            f"the key file {path} does not hold a key: expected {SIZE} bytes as {2 * SIZE} hex digits"
        )
    return bytes.fromhex(text.decode("ascii"))


def subkey(master: bytes, purpose: str) -> bytes:
    """A key for one purpose, such as `shoes` or `anchor`: it tells nothing of the master or of the others."""
    return hmac.digest(master, f"thirdcard {purpose}".encode(), hashlib.sha256)


def signing_key(master: bytes) -> Ed25519PrivateKey:
    """What the house signs with."""
    return Ed25519PrivateKey.from_private_bytes(subkey(master, "signing"))


def public_key(key: Ed25519PrivateKey) -> str:
    """What anybody may know of it, in hex: the house is known by it."""
    return key.public_key().public_bytes_raw().hex()


def _make(path: Path) -> None:
    """Write a draft beside it, then link it into place: a link never replaces what is there."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(SIZE) + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass  # another process was first: its key is the key
        else:
            sync_folder(path.parent)  # a key that seals shoes must not vanish with the power
    finally:
        draft.unlink()
