"""Costs put into the project on purpose: a fuzzer that does not find them finds nothing.

The first four are what was found once, before anything was bounded.
"""

import contextlib
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from json import JSONDecoder
from typing import Any, NamedTuple
from unittest import mock

from thirdcard import money, strict
from thirdcard.errors import BadInput
from thirdcard.rulebook import forms
from thirdcard.school import certificates
from thirdcard.service.api import gate
from thirdcard.service.evidence import standalone
from thirdcard.service.people import credentials

Planting = contextlib.AbstractContextManager[Any]


class Plant(NamedTuple):
    """A fault, and which inputs find it, as a pattern of their names."""

    plant: Callable[[], Planting]
    found_by: str


PLANTED: dict[str, Plant] = {}


def planted(found_by: str) -> Callable[[Callable[[], Planting]], Callable[[], Planting]]:
    def decorate(plant: Callable[[], Planting]) -> Callable[[], Planting]:
        PLANTED[plant.__name__.replace("_", "-")] = Plant(plant, found_by)
        return plant

    return decorate


@planted(r"settle --jsonl: (keys|twins)$")
def twins_counted_in_a_list() -> Planting:
    def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        if twins := [name for name in names if names.count(name) > 1]:
            raise BadInput(f"the key {twins[0]!r} is given twice")
        return dict(pairs)

    decoder = JSONDecoder(object_pairs_hook=no_twins)
    return mock.patch.object(strict, "_decode", decoder.decode)


@planted(r"a password: signs")
def password_measured_in_every_reading() -> Planting:
    return mock.patch.object(credentials, "MOST_READINGS", 10**9)


@planted(r"verifier by itself: files")
def archive_joined_again_and_again() -> Planting:
    def packed(files: Mapping[str, bytes]) -> bytes:
        found = index = b""
        for name, data in files.items():
            raw = name.encode()
            head = struct.pack(
                "<5H3I2H", 20, 0, 0, 0, 33, zlib.crc32(data), len(data), len(data), len(raw), 0
            )
            index += b"PK\1\2\x14\0" + head + struct.pack("<3H2I", 0, 0, 0, 0, len(found)) + raw
            found += b"PK\3\4" + head + raw + data
        return found + index

    stack = contextlib.ExitStack()
    stack.enter_context(mock.patch.object(standalone, "packed", packed))
    stack.enter_context(mock.patch.object(standalone, "MOST_FILES", 10**9))
    return stack


@planted(r"verifier by itself: entries that overlap")
def archive_read_before_its_sizes() -> Planting:
    def unpacked(data: bytes) -> dict[str, bytes]:
        """By the index at its end, wherever that leads."""
        files, at = dict[str, bytes](), data.find(b"PK\1\2")
        while at >= 0 and data.startswith(b"PK\1\2", at):
            (size,), (named,), (where,) = (
                struct.unpack_from(form, data, at + place)
                for form, place in (("<I", 24), ("<H", 28), ("<I", 42))
            )
            begin = where + 30 + named
            files[str(len(files))] = data[begin : begin + size]
            at += 46 + named
        return files

    return mock.patch.object(standalone, "unpacked", unpacked)


@planted(r"verify a certificate: signed plan/parts: a list")
def exam_of_any_length() -> Planting:
    stack = contextlib.ExitStack()
    for name in ("MOST_ITEMS", "MOST_PARTS"):
        stack.enter_context(mock.patch.object(certificates, name, 10**9))
    return stack


@planted(r"odds: digits")
def odds_that_backtrack() -> Planting:
    return mock.patch.object(
        money, "_ODDS", re.compile(r"([0-9]*[0-9]*[0-9]*(?:\.[0-9]+)?) to ([1-9][0-9]*)")
    )


@planted(r"header cookie: cookies")
def cookies_looked_up_in_a_list() -> Planting:
    token_in = gate.token_in

    def looks(scope: Mapping[str, Any], *, secure: bool) -> str:
        seen: list[str] = []
        for number, part in enumerate(gate.header(scope, b"cookie").split(";")):
            if (name := f"{part}{number}") not in seen:
                seen.append(name)
        return token_in(scope, secure=secure)

    return mock.patch.object(gate, "token_in", looks)


@planted(r"POST /api/sessions body: lists within lists")
def levels_counted_from_the_start() -> Planting:
    def deeper(bare: bytes, most: int) -> bool:
        depths = (bare[:at].count(b"[") - bare[:at].count(b"]") for at in range(len(bare)))
        return max(depths, default=0) > most

    return mock.patch.object(strict, "_deeper", deeper)


@planted(r"rulebook: many keys$")
def keys_looked_up_in_a_list() -> Planting:
    bound_faults = forms._bound_faults  # noqa: SLF001

    def looks(raw: dict[str, Any]) -> Iterator[tuple[str, str]]:
        seen: list[str] = []
        seen.extend(key for key in raw if key not in seen)
        return bound_faults(raw)

    return mock.patch.object(forms, "_bound_faults", looks)


@planted(r"rulebook: keys of many parts")
def keys_of_any_length() -> Planting:
    return mock.patch.object(forms, "LONG_KEY", re.compile("(?!)"))
