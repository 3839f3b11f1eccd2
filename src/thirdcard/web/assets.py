"""Static files: read once, compressed once, under addresses that change with their contents.

One version stands for all of them, `/static/VERSION/js/table.js`, so modules import each other by relative
addresses. What is drawn and written in Python (cards, words) is served like a file.
"""

import gzip
import hashlib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, TypedDict

import msgspec

from thirdcard.cards import Rank, Suit
from thirdcard.drawing import NIGHT_1
from thirdcard.money import CHIP_VALUES
from thirdcard.web.draw import sprite, squeeze_sprite
from thirdcard.web.joining import joined_script, joined_sheet
from thirdcard.words import Language, bet_names, bet_words, languages, words

# What pages know of the house besides their words -------------------------------------------------------

MARKS: Final = dict(zip((suit.value for suit in Suit), "♠♥♦♣", strict=True))
NOT_IN_RACKS: Final = (25, 25_000)  # dollars; a player's rack makes them of smaller chips
LARGEST_IN_TRAYS: Final = 10_000  # dollars; what a dealer counts and changes


class PageFacts(TypedDict):
    ranks: str
    suits: dict[str, str]
    chips: list[int]
    rack: list[int]
    tray: list[int]


def facts() -> PageFacts:
    """Ranks, suits with their marks, and in cents the chips there are, those of a rack and of a tray."""
    return {
        "ranks": "".join(rank.letter for rank in Rank),
        "suits": MARKS,
        "chips": [value * 100 for value in CHIP_VALUES],
        "rack": [value * 100 for value in CHIP_VALUES if value not in NOT_IN_RACKS],
        "tray": [value * 100 for value in CHIP_VALUES if value <= LARGEST_IN_TRAYS],
    }


KINDS = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml; charset=utf-8",
    "webmanifest": "application/manifest+json",
}
PAGES = {
    "play": ("play", "shared"),
    "lobby": ("lobby", "shared"),
    "desk": ("desk", "floor", "shared"),
    "pit": ("pit", "floor", "shared"),
    "office": ("office", "floor", "shared"),
    "school": ("school", "shared"),
}  # what the scripts of each kind of page say: sections of `ui`
NAMED = ("hands", "outcomes", "cards", "cases", "bets", "books", "ranks", "methods", "remedies")
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


@lru_cache(maxsize=512)
def drawing(svg: str) -> Asset:
    """A drawing as it goes out; those that are asked for again and again are compressed once."""
    return asset(svg.encode(), KINDS["svg"])


@cache
def assets() -> dict[str, Asset]:
    """Everything that can be asked for, by path; nothing else is ever read."""
    every = dict(_walk(files("thirdcard.web") / "static"))
    every |= joined_script(every, "table") | {"joined/table.css": joined_sheet(every, "at-table")}
    every["cards.svg"] = sprite().encode()
    every["squeeze.svg"] = squeeze_sprite().encode()
    for language in languages():
        every |= {f"words/{page}-{language}.json": words_json(language, page) for page in PAGES}
    every |= {f"app/{language}.webmanifest": manifest(language) for language in languages()}
    return {path: asset(body, KINDS[path.rpartition(".")[2]]) for path, body in every.items()}


def _walk(folder: Traversable, under: str = "") -> Iterator[tuple[str, bytes]]:
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = under + file.name
        if file.is_dir():
            yield from _walk(file, f"{path}/")
        elif file.name.rpartition(".")[2] in KINDS:
            yield path, file.read_bytes()


@cache
def version() -> str:
    """Changes whenever a file, a drawing or a document does."""
    seen = hashlib.sha256()
    for path, one in assets().items():
        seen.update(f"{path}\0{len(one.body)}\0".encode() + one.body)
    seen.update((files("thirdcard") / "drawing.py").read_bytes())
    for folder in (files("thirdcard.web") / "draw", files("thirdcard.rulebook") / "documents"):
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if entry.is_file():
                seen.update(entry.read_bytes())
    return seen.hexdigest()[:VERSION_LETTERS]


def address(path: str) -> str:
    """Where a page finds a static file."""
    return f"/static/{version()}/{path}"


ICONS = (("192", "any"), ("512", "any"), ("maskable", "maskable"))
MASKABLE = 512  # pixels; the others are named by theirs


def manifest(language: Language) -> bytes:
    """What a browser needs to install the pages as an app, in a language; addresses are relative to it."""
    lexicon = words(language)
    sizes = [(name, purpose, int(name) if name.isdecimal() else MASKABLE) for name, purpose in ICONS]
    content = {
        "id": "/",
        "name": "thirdcard",
        "short_name": "thirdcard",
        "description": lexicon.ui["app_description"],
        "lang": lexicon.heading.html,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": NIGHT_1,
        "theme_color": NIGHT_1,  # what a device shows around the pages
        "categories": ["games"],
        "icons": [
            {"src": f"icon-{name}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for name, purpose, size in sizes
        ],
    }
    return msgspec.json.encode(content)


def words_json(language: Language, page: str) -> bytes:
    """What the scripts of a kind of page say in a language."""
    lexicon = words(language)
    content = {
        "code": language,
        "ui": {key: lexicon.ui[key] for section in PAGES[page] for key in lexicon.pages[section]},
        "facts": facts(),
        "felt": {name: bet_words(name) for name in bet_names()},
        "beside": lexicon.beside.heading.html,
    }
    return msgspec.json.encode(content | {name: lexicon.sections.get(name, {}) for name in NAMED})
