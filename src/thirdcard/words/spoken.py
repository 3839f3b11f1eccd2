"""Announcements in words, with cards, hands and amounts as people say them."""

from collections.abc import Mapping
from typing import Protocol

from thirdcard.cards import Card, parse_cards
from thirdcard.money import format_dollars
from thirdcard.words.lexicon import ENGLISH, Language, Words, words

SECTIONS = {"hand": "hands", "other_hand": "hands", "outcome": "outcomes"}
NAMES = {
    "bet": ("bets", "bet"),
    "title": ("cases", "case"),
}  # what languages call otherwise


class Announcement(Protocol):
    """What is said, by its key and its facts."""

    @property
    def key(self) -> str: ...
    @property
    def facts(self) -> Mapping[str, str | int]: ...


def spoken(said: Announcement, language: Language) -> str:
    """The announcement in that language."""
    own = words(language)
    return own.say("said", said.key, **{name: _named(name, said.facts, own) for name in said.facts})


def _named(name: str, facts: Mapping[str, str | int], own: Words) -> str:
    fact = facts[name]
    if name in SECTIONS:
        return own.say(SECTIONS[name], str(fact))
    if name in NAMES:
        section, key = NAMES[name]
        return own.own(section, str(facts.get(key, "")), str(fact))
    if name in ("cents", "before"):
        return format_dollars(int(fact))
    if name in ("card", "cards") and isinstance(fact, str):
        return own.say("spoken", "cards").join(_card(card, own) for card in parse_cards(fact))
    if name == "odds":
        return str(fact).replace(" to ", own.say("spoken", "odds"))
    return str(fact)


def card_name(card: Card | None, language: Language = ENGLISH) -> str:
    """As it is read aloud: `nine of clubs`, `face down`."""
    own = words(language)
    return own.say("cards", "face-down") if card is None else _card(card, own)


def _card(card: Card, own: Words) -> str:
    rank, suit = (own.say("cards", f"{kind}-{card.value[n]}") for n, kind in enumerate(("rank", "suit")))
    return own.say("cards", "name", rank=rank, suit=suit)
