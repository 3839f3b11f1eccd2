"""The words of the pages in English and Chinese, read from `words.toml`: names of bets, and the rest."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

import msgspec

from thirdcard.errors import BadInput

Language: TypeAlias = Literal["en", "zh"]


class BetWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the felt names a bet: `short` is the English name for small cells, `side` whose colour it has."""

    en: str
    short: str
    zh: str
    side: Literal["player", "banker", "tie"]
    row: Literal["main", "middle", "side", "insurance"]


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same thing said in both languages."""

    en: str
    zh: str


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bets: dict[str, BetWords]
    ui: dict[str, Phrase]


@cache
def _words() -> _Words:
    text = (files("thirdcard.web") / "words.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _Words)


def bet_words(name: str) -> BetWords:
    """The words of that bet; BadInput if there is no such bet."""
    words = _words().bets.get(name)
    if words is None:
        raise BadInput(f"there are no words for a bet named {name!r}")
    return words


def bet_names() -> tuple[str, ...]:
    """Every bet with words, in the order of the felt."""
    return tuple(_words().bets)


def ui(lang: Language) -> dict[str, str]:
    """Every phrase of the pages in that language, by key; the caller's own copy."""
    return {key: getattr(phrase, lang) for key, phrase in _words().ui.items()}
