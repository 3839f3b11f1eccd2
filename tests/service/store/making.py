"""Appends for the tests of stores: short to write, different in every byte that matters."""

import hashlib
from typing import Any

from thirdcard.service.log.store.model import Answered, Append, PostingRow, Record


def hash_of(stream: str, version: int) -> bytes:
    return hashlib.sha256(f"{stream} {version}".encode()).digest()


def record(stream: str, version: int, **changes: Any) -> Record:  # noqa: ANN401 - any column
    columns: dict[str, Any] = {
        "stream": stream,
        "version": version,
        "at": 1_700_000_000_000_000 - version,  # the clock runs back: it orders nothing
        "by": "Mei",
        "name": "bet-placed",
        "schema": 1,
        "round": 1 + version // 3,
        "flag": "",
        "body": f'{{"of":"{stream}","stake":{version}}}'.encode(),
        "hash": hash_of(stream, version),
    }
    return Record(**columns | changes)


def answer(key: str, *, actor: str = "Mei", text: bytes = b"done") -> Answered:
    return Answered(actor=actor, key=key, digest=hashlib.sha256(key.encode()).digest(), answer=text)


def append(stream: str, expected: int = 0, count: int = 1, **more: Any) -> Append:  # noqa: ANN401
    """So many records after version `expected`, each with two postings."""
    versions = range(expected + 1, expected + count + 1)
    columns: dict[str, Any] = {
        "records": tuple(record(stream, version) for version in versions),
        "entries": tuple(
            PostingRow(version, account, cents)
            for version in versions
            for account, cents in (("rack:Mei", -version), ("felt", version))
        ),
    }
    return Append(stream=stream, expected=expected, **columns | more)
