"""Static files: read once, compressed once, under addresses that change with their contents.

One version stands for all of them, `/static/VERSION/js/table.js`, so modules import each other by relative
addresses. What is drawn and written in Python (cards, words) is served like a file.
"""

import gzip
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from thirdcard.service.tables import announce
from thirdcard.web.draw import sprite
from thirdcard.web.words import bet_names, bet_words, ui

KINDS = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml; charset=utf-8",
}
SPOKEN = "live_"  # phrases that scripts need
WORTH_PACKING = 1_000  # bytes
VERSION_LETTERS = 12


class Asset(msgspec.Struct, frozen=True):
    """A file as it goes out; `packed` is empty where compression gains nothing."""

    body: bytes
    packed: bytes
    kind: str


def asset(body: bytes, kind: str) -> Asset:
    packed = gzip.compress(body, 9, mtime=0) if len(body) > WORTH_PACKING else b""
    return Asset(body, packed if len(packed) < len(body) else b"", kind)


@cache
def assets() -> dict[str, Asset]:
    """Everything that can be asked for, by path; nothing else is ever read."""
    found = dict(_walk(files("thirdcard.web") / "static"))
    found["cards.svg"] = sprite().encode()
    found["words.json"] = words_json()
    return {path: asset(body, KINDS[path.rpartition(".")[2]]) for path, body in found.items()}


def _walk(folder: Traversable, under: str = "") -> Iterator[tuple[str, bytes]]:
    for one in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = under + one.name
        if one.is_dir():
            yield from _walk(one, f"{path}/")
        elif one.name.rpartition(".")[2] in KINDS:
            yield path, one.read_bytes()


@cache
def version() -> str:
    """Changes whenever a file, a drawing or a document does."""
    seen = hashlib.sha256()
    for path, one in assets().items():
        seen.update(f"{path}\0{len(one.body)}\0".encode() + one.body)
    for folder in (files("thirdcard.web") / "draw", files("thirdcard.rulebook") / "documents"):
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if entry.is_file():
                seen.update(entry.read_bytes())
    return seen.hexdigest()[:VERSION_LETTERS]


def address(path: str) -> str:
    """Where a page finds a static file."""
    return f"/static/{version()}/{path}"


def words_json() -> bytes:
    """What scripts say, in both languages: phrases, bets, announcements, cards."""
    english, chinese = ui("en"), ui("zh")
    made = {
        "ui": {
            key.removeprefix(SPOKEN): [english[key], chinese[key]]
            for key in english
            if key.startswith(SPOKEN)
        },
        "bets": {name: bet_words(name) for name in bet_names()},
        "said": announce.WORDS,
        "hands": announce.HANDS,
        "outcomes": announce.OUTCOMES,
        "suits": {suit.name[0]: words for suit, words in announce.SUITS.items()},
    }
    return msgspec.json.encode(made)
