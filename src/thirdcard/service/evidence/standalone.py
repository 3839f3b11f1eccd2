"""Checks an archive of evidence by Python's standard library alone: python3 verify.py EVIDENCE.zip [KEY].

Every byte is what the house signed; the records of a round lead to a head that it signed; shoe and rulebook
are those promised and named. KEY is the house's public key in hex: without it the key inside is used, which
shows only that one house signed all of it. Whether settlement or figures follow, `thirdcard verify` tells.
"""

import hashlib
import hmac
import json
import struct
import sys
import zlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

Point = tuple[int, int, int, int]
Files = dict[str, bytes]
MOST_BYTES, MOST_FILES, MOST_VALUES = 8_000_000, 40, 200_000  # of an archive; in one file of it
P = 2**255 - 19  # Ed25519, as RFC 8032 has it
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def _add(a: Point, b: Point) -> Point:
    s, t = (a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0])
    u, v = 2 * a[3] * b[3] * D, 2 * a[2] * b[2]
    e, f, g, h = t - s, v - u, v + u, t + s
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(many: int, point: Point) -> Point:
    total = (0, 1, 1, 0)
    while many:
        total = _add(total, point) if many & 1 else total
        point, many = _add(point, point), many >> 1
    return total


def _point(data: bytes) -> Point:
    odd, y = divmod(int.from_bytes(data, "little"), 2**255)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x * pow(2, (P - 1) // 4, P) % P if (x * x - square) % P else x
    _need(y < P and not (x * x - square) % P and (x or not odd), "a key is no point of the curve")
    x = P - x if x & 1 != odd else x
    return x, y, 1, x * y % P


@lru_cache(maxsize=16)
def is_signed(key: str, signature: str, message: bytes) -> bool:
    """Whether the signature is that of the public key over the message; both in hex."""
    try:
        public, made = bytes.fromhex(key), bytes.fromhex(signature)
        x, y, _, t = _point(public)
    except ValueError:  # no hex, or no key
        return False
    scalar = int.from_bytes(made[32:], "little")
    if (public.hex(), made.hex(), len(public), len(made)) != (key, signature, 32, 64) or scalar >= ORDER:
        return False
    asked = int.from_bytes(hashlib.sha512(made[:32] + public + message).digest(), "little") % ORDER
    base = _point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    x, y, z, _ = _add(_times(scalar, base), _times(asked, (P - x, y, 1, P - t)))
    x, y = x * pow(z, -1, P) % P, y * pow(z, -1, P) % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == made[:32]


def packed(files: Files) -> bytes:
    """These files as an archive, in one way only: not even a date in it can be changed."""
    found, index, at = list[bytes](), list[bytes](), 0
    for name, data in files.items():
        raw, size = name.encode(), len(data)
        head = struct.pack("<5H3I2H", 20, 0, 0, 0, 33, zlib.crc32(data), size, size, len(raw), 0)
        index += b"PK\1\2\x14\0" + head, struct.pack("<3H2I", 0, 0, 0, 0, at), raw
        found += b"PK\3\4" + head, raw, data
        at += 30 + len(raw) + size
    ends = struct.pack("<4H2IH", 0, 0, len(files), len(files), sum(map(len, index)), at, 0)
    return b"".join((*found, *index, b"PK\5\6", ends))


def unpacked(data: bytes) -> Files:
    """The files of an archive in their order; ValueError if it was not written in that way.

    What stands before a file says how long it is; the next one begins behind it, so nothing is read twice.
    """
    _need(len(data) <= MOST_BYTES, f"it is larger than {MOST_BYTES:,} bytes, the most that evidence has")
    files, at = Files(), 0
    while data.startswith(b"PK\3\4", at) and at + 30 <= len(data):
        _need(len(files) < MOST_FILES, f"it has more than {MOST_FILES} files, the most that evidence has")
        size, named = struct.unpack_from("<IH", data, at + 22)
        begin = at + 30 + named
        files[data[at + 30 : begin].decode("ascii", "replace")] = data[begin : begin + size]
        at = begin + size
    _need(packed(files) == data, "something was changed, added or removed")
    return files


class Wrong(ValueError):  # noqa: N818 - what somebody is told
    """What is wrong, in a sentence."""


def _need(holds: object, wrong: str) -> None:
    if not holds:
        raise Wrong(wrong)


def _bounded(text: bytes) -> bytes:
    values = sum(map(text.count, (b",", b"[", b"{", b"\n", b"\\n")))
    _need(values <= MOST_VALUES, f"a file has more than {MOST_VALUES:,} values, the most that evidence has")
    return text


def _json(text: bytes) -> Any:  # noqa: ANN401 - whatever is written
    return json.loads(_bounded(text))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def manifest(files: Files, _: str) -> str:
    listed = _json(files["manifest.json"])["files"]
    _need([*listed, "manifest.json", "signature.txt"] == [*files], "files are missing, or there are more")
    for name, digest in listed.items():
        _need(sha256(files[name]) == digest, f"{name} is not the file that was signed")
    return f"{len(listed)} files are those that were signed"


def signature(files: Files, given: str) -> str:
    key, made = files["signature.txt"].decode("ascii").removesuffix("\n").split(" ")
    _need(f"{key} {made}\n".encode() == files["signature.txt"], "the signature is not written as one")
    _need(given in ("", key), f"it was signed with another key: {key}")
    _need(is_signed(key, made, files["manifest.json"]), "the signature of the manifest is wrong")
    return f"signed with {key}, the key {'given' if given else 'inside: compare it with the one you know'}"


def chain(files: Files, _: str) -> str:
    told, lines = _json(files["chain.json"]), _bounded(files["log.txt"]).split(b"\n")
    _need(lines.pop() == b"" and lines, "records are missing")
    before, first = bytes.fromhex(told["before"]), told["first"]
    for version, (line, wanted) in enumerate(zip(lines, told["hashes"], strict=True), start=first):
        columns, _end = json.JSONDecoder().raw_decode(line.decode())
        _need(columns[:2] == [told["stream"], version], f"record {version} is not in its place")
        ways = before + hashlib.sha256(line).digest(), before + line  # now, and in releases up to 0.1.0
        _need(wanted in map(sha256, ways), f"record {version} does not follow from the one before it")
        before = bytes.fromhex(wanted)
    for digest in told["after"]:
        before = hashlib.sha256(before + bytes.fromhex(digest)).digest()
    end = first + len(lines) - 1
    _need([end + len(told["after"]), before.hex()] == told["head"], "the records do not lead to the head")
    return f"records {first} to {end} lead to the head at record {told['head'][0]}"


def head(files: Files, _: str) -> str:
    told, signed = _json(files["chain.json"]), _json(files["heads.json"])
    first, *lines = signed["text"].split("\n")
    line = f"{told['stream']} {told['head'][0]} {told['head'][1]}"
    _need(line in lines, "the head is not one of those that were signed")
    _need(files["signature.txt"].startswith(signed["key"].encode()), "the head is signed with another key")
    fits = is_signed(signed["key"], signed["signature"], signed["text"].encode())
    _need(fits, "the signature of the head is wrong")
    return f"the head is one of the {first}"


def shuffled(table: str, number: int, decks: int, seeds: list[dict[str, str]], salt: bytes) -> list[str]:
    """The order that follows from what is told of a shoe (docs/shoes.md)."""
    lines = ["thirdcard shoe 2", table, str(number), str(decks)]
    lines += [text for seed in seeds for text in (seed["player"], seed["seed"])]
    key = hmac.digest(salt, "\n".join(lines).encode(), "sha256")
    cards = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK" for _ in range(decks)]
    blocks = (hmac.digest(key, n.to_bytes(8, "big"), "sha256") for n in range(2**32))
    numbers = (number for block in blocks for number in struct.unpack(">16H", block))
    for last in range(len(cards) - 1, 0, -1):
        place = next(n for n in numbers if n < 65536 - 65536 % (last + 1)) % (last + 1)
        cards[place], cards[last] = cards[last], cards[place]
    return cards


def shoe(files: Files, _: str) -> str:
    told, said = _json(files["shoe.json"]), _json(files["evidence.json"])
    if not told["form"] or told["salt"] is None:
        return "it is not finished: salt and order are not told" if told["form"] else "it was dealt by hand"
    salt, cards, table = bytes.fromhex(told["salt"]), told["cards"].split(" "), said["table"]
    promised, order = salt + told["cards"].encode(), cards  # of releases up to 0.1.0
    if told["form"] != 1:
        _need(told["decks"] * 52 == len(cards), "the order of the cards is not that of its decks")
        promised = f"thirdcard shoe 2\n{table}\n{told['number']}\n".encode() + salt
        order = shuffled(table, told["number"], told["decks"], told["seeds"], salt)
    _need(sha256(promised) == told["commitment"], "the salt is not the one promised")
    _need(order == cards, "the order of the cards does not follow from salt and seeds")
    first, last = said["shoe"]["first"], said["shoe"]["last"]
    _need(not first or cards[first - 1 : last] == said["shoe"]["cards"], "other cards were dealt")
    return "salt and order are those promised" + (f", cards {first} to {last} as dealt" if first else "")


def rulebook(files: Files, _: str) -> str:
    named = _json(files["manifest.json"])["digest"]
    _need(sha256(files["rulebook.json"]) == named, "it is not the text that was signed for")
    return f"its text has the digest {named}"


def _told(check: Callable[[Files, str], str], files: Files, key: str) -> tuple[str, str, str]:
    try:
        return check.__name__, check(files, key.lower()), ""
    except Exception as error:  # noqa: BLE001 - whatever something changed may lead to
        form = f"it does not have the form of evidence ({error!r:.80})"
        return check.__name__, "", str(error) if isinstance(error, Wrong) else form


def check(data: bytes, key: str = "") -> list[tuple[str, str, str]]:
    """The name of each check with what holds and what is wrong, one of the two empty."""
    files: Files = {}

    def archive(_: Files, __: str) -> str:
        files.update(unpacked(data))
        return f"{len(files)} files, as they were written"

    read = _told(archive, files, key)
    of_round = (chain, head, shoe) if "chain.json" in files or not files else ()
    return [read, *(_told(one, files, key) for one in (manifest, signature, *of_round, rulebook))]


if __name__ == "__main__":
    with Path(sys.argv[1]).open("rb") as file:
        results = check(file.read(MOST_BYTES + 1), *sys.argv[2:3])
    for name, holds, wrong in results:
        print("WRONG" if wrong else "holds", f"{name}: {wrong or holds}")  # noqa: T201
    sys.exit(any(wrong for _, _, wrong in results))
