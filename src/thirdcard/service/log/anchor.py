"""Where logs ended, kept outside the database: a log that was cut or rewritten no longer fits.

A line of an anchor is `STREAM VERSION HASH MAC`, hash and mac in hex, the mac over the rest of the line under
a key that the database does not hold. Lines are written after the commit, so an anchor is never ahead of a
sound log; whoever audits a running server reads its anchor before its log. Each server process has its own.

Signed heads are for anybody to keep, and to show later that a log was cut. What is signed, with Ed25519, is a
text in UTF-8: a line `thirdcard heads AT`, the wall clock in microseconds, and for each log a line `STREAM
VERSION HASH`, the hash of its event of that version in hex; each line ends in a line feed. The public key of
the house is all it takes to check it.
"""

import errno
import hashlib
import hmac
import logging
import os
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from thirdcard.errors import BadInput
from thirdcard.service.files import hold_beside, open_private
from thirdcard.service.keys import public_key
from thirdcard.service.log.store.model import Head

LIMIT = 1_000_000  # bytes; a longer file is written anew with what counts of it

_LINE = re.compile(rb"(.+) ([1-9][0-9]{0,18}) ([0-9a-f]{64}) ([0-9a-f]{64})")
logger = logging.getLogger(__name__)


class Anchored(msgspec.Struct, frozen=True):
    """What an anchor holds: heads by stream in the order written, lines that are not ours, its length."""

    heads: dict[str, list[Head]]
    bad: list[bytes]
    size: int

    @property
    def latest(self) -> dict[str, Head]:
        return {stream: max(heads, key=lambda head: head.version) for stream, heads in self.heads.items()}

    @property
    def problems(self) -> list[str]:
        """Lines that somebody else wrote, and streams that went back: a log only ever grows."""
        told = [f"a line with a wrong code: {line[:80].decode(errors='replace')}" for line in self.bad]
        for stream, heads in self.heads.items():
            told += [
                f"{stream} was anchored at version {before.version} and later at version {after.version}"
                for before, after in pairwise(heads)
                if _goes_back(before, after)
            ]
        return told


def read_anchor(path: str | Path, key: bytes) -> Anchored:
    """Everything in the file; a last line that a crash cut short is no problem, and does not count."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read the anchor {path}: {error.strerror}") from error
    *lines, _torn = data.split(b"\n")
    found = Anchored({}, [], len(data) - len(_torn))
    for line in lines:
        parts = _LINE.fullmatch(line)
        if parts is None or not hmac.compare_digest(parts[4].decode(), _mac(key, line[:-65])):
            found.bad.append(line)
        else:
            head = Head(int(parts[2]), bytes.fromhex(parts[3].decode()))
            found.heads.setdefault(parts[1].decode(), []).append(head)
    return found


class Anchor:
    """An anchor open for writing, by one process at a time."""

    def __init__(self, path: str | Path, key: bytes) -> None:
        self.path, self._key = Path(path), key
        self._lock, self._file = _open(self.path)
        try:
            self._held = read_anchor(self.path, key)
            os.ftruncate(self._file, self._held.size)
        except BaseException:
            self.close()
            raise
        self._size = self._held.size
        self._owed: dict[str, Head] = {}

    @property
    def problems(self) -> list[str]:
        return self._held.problems

    @property
    def behind(self) -> bool:
        """Whether something could not be written yet; it is tried again with the next write."""
        return bool(self._owed)

    def latest(self) -> dict[str, Head]:
        return self._held.latest

    def write(self, heads: dict[str, Head]) -> None:
        """Add the heads in one write. The commit is made already, so a full disk is told to the log alone."""
        lines = b"".join([_line(self._key, stream, head) for stream, head in (self._owed | heads).items()])
        behind = self.behind
        self._owed |= heads
        try:
            self._append(lines)
        except OSError as error:
            if not behind:
                told = "cannot write the anchor %s: %s; it is tried again and again"
                logger.error(told, self.path, error.strerror)  # noqa: TRY400 - says it all
            return
        if behind:
            logger.warning("the anchor %s has been brought up to date", self.path)
        for stream, head in self._owed.items():
            self._held.heads.setdefault(stream, []).append(head)
        self._owed = {}
        if self._size > LIMIT:
            self._compact()

    def _append(self, lines: bytes) -> None:
        if os.write(self._file, lines) < len(lines):
            os.ftruncate(self._file, self._size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._size += len(lines)

    def _compact(self) -> None:
        """Keep the last head of each stream, and every sign that something is wrong."""
        for stream, heads in self._held.heads.items():
            self._held.heads[stream] = _essential(heads)
        lines = [line + b"\n" for line in self._held.bad]
        lines += [_line(self._key, stream, h) for stream, heads in self._held.heads.items() for h in heads]
        draft = self.path.with_name(f"{self.path.name}.part")
        try:
            draft.unlink(missing_ok=True)
            file = open_private(draft)
            try:
                _write_all(file, b"".join(lines))
                os.fsync(file)
            finally:
                os.close(file)
            self._replace(draft)
        except OSError as error:
            logger.error("cannot shorten the anchor %s: %s", self.path, error.strerror)  # noqa: TRY400
        else:
            self._size = sum(map(len, lines))

    def _replace(self, draft: Path) -> None:
        """Another file takes its place; not every system does that to one that is open."""
        os.close(self._file)
        try:
            draft.replace(self.path)
        finally:
            self._file = open_private(self.path, adding=True)

    def close(self) -> None:
        os.close(self._file)
        os.close(self._lock)


def _open(path: Path) -> tuple[int, int]:
    """Its lock, and the file open for adding; another process that has it open keeps it."""
    try:
        lock = hold_beside(path)
        if lock is not None:
            return lock, open_private(path, adding=True)
    except OSError as error:
        raise BadInput(f"cannot open the anchor {path}: {error.strerror}") from error
    raise BadInput(f"the anchor {path} is in use by another process: each server needs its own")


def _write_all(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


def _mac(key: bytes, text: bytes) -> str:
    return hmac.new(key, text, hashlib.sha256).hexdigest()


def _line(key: bytes, stream: str, head: Head) -> bytes:
    if "\n" in stream:
        raise ValueError("a stream's name is one line")
    text = f"{stream} {head.version} {head.hash.hex()}".encode()
    return text + b" " + _mac(key, text).encode() + b"\n"


def _goes_back(before: Head, after: Head) -> bool:
    return after.version <= before.version and after != before


def _essential(heads: list[Head]) -> list[Head]:
    """The last, and those before and after a step back."""
    steps = [_goes_back(before, after) for before, after in pairwise(heads)]
    return [
        head for head, came, goes in zip(heads, [False, *steps], [*steps, True], strict=True) if came or goes
    ]


# Heads that the house signs ---------------------------------------------------------------------------


SIGNED_LINE = re.compile(r"(.+) ([1-9][0-9]{0,18}) ([0-9a-f]{64})")


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
    found = [SIGNED_LINE.fullmatch(line) for line in signed.text.splitlines()[1:]]
    return {match[1]: Head(int(match[2]), bytes.fromhex(match[3])) for match in found if match is not None}
