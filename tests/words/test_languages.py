"""Languages: each says all that English says, with the same blanks, and names what the documents name."""

from collections.abc import Iterator
from string import Formatter
from typing import get_args, get_type_hints

import pytest

from thirdcard.cards import Card
from thirdcard.errors import BadInput
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.model import Part, Side
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.service.api.problems import TITLES
from thirdcard.service.log.floor_events import PublicSentence
from thirdcard.service.tables.announce import Key
from thirdcard.table import events
from thirdcard.table.setup import Setup
from thirdcard.table.state import Change
from thirdcard.table.statements import CORRECTED, NAMES
from thirdcard.words import ENGLISH, accepted, card_name, languages, words

BOOKS = [load(slug) for slug in slugs()]
OTHERS = [language for language in languages() if language != ENGLISH]
# What English has alone: names for cells too small for a whole one.
ENGLISH_ALONE = {"short"}
# What English does not say again, since documents and problems do.
NAMED: dict[str, set[str]] = {
    "books": set(slugs()),
    "methods": {method.name for book in BOOKS for method in book.dealing},
    "insurance": {book.insurance.name for book in BOOKS if book.insurance},
    "ranks": {rank.name for book in BOOKS for rank in book.ranks},
    "cases": {procedure.case for book in BOOKS for procedure in book.procedures},
    "remedies": set(REMEDIES),
    "notices": {notice.shows for book in BOOKS for notice in book.notices if not notice.only_private},
    "problems": {str(status) for status in TITLES},
    "statements": {*NAMES.values(), CORRECTED},
    "setup": set(Setup.__struct_fields__),
    "why": set(get_args(get_type_hints(events.DeviceReturned)["why"])),
    "changes": set(get_args(get_type_hints(Change)["what"])),
}
# One term for each thing: what must not be said, since something else is.
NEVER = (
    "賭桌",
    "盒",
    "莊",
    "搓牌",
    "咪牌",
    "天牌",
    "時段",
    "機會",
    "場務",
    "企位",
    "兌出",
    "逐字",
    "閒家",
    "庄家",
)


def blanks(phrase: str) -> set[str]:
    """What `str.format` would fill in: `{} {}` are 0 and 1, and so are `{1} {0}`."""
    names = [name for _, name, _, _ in Formatter().parse(phrase) if name is not None]
    return {name or str(place) for place, name in enumerate(names)}


def chinese_characters(language: str) -> Iterator[tuple[str, str]]:
    for section in words(language).sections.values():
        for key, phrase in section.items():
            yield from ((key, letter) for letter in phrase if "\u4e00" <= letter <= "\u9fff")


def test_the_languages_that_there_are() -> None:
    assert languages() == ("en", "zh", "zh-Hans")
    assert [words(one).heading.html for one in languages()] == ["en", "zh-Hant", "zh-Hans"]
    with pytest.raises(BadInput, match="en, zh and zh-Hans: got 'fr'"):
        words("fr")


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_all_that_english_says(language: str) -> None:
    english, own = words(ENGLISH).sections, words(language).sections
    assert own.keys() == (english.keys() - ENGLISH_ALONE) | NAMED.keys()
    for section in english.keys() - ENGLISH_ALONE:
        assert own[section].keys() == english[section].keys(), section


@pytest.mark.parametrize("language", OTHERS)
def test_every_phrase_of_the_pages_stands_once_and_by_the_same_pages(language: str) -> None:
    english, own = words(ENGLISH).pages, words(language).pages
    assert {page: set(keys) for page, keys in own.items()} == {
        page: set(keys) for page, keys in english.items()
    }
    assert sum(map(len, own.values())) == len(words(language).ui)


@pytest.mark.parametrize("language", OTHERS)
def test_every_phrase_has_the_blanks_that_english_has(language: str) -> None:
    """English may be empty: a remark that only others need."""
    for name, section in words(ENGLISH).sections.items():
        for key, phrase in section.items() if name not in ENGLISH_ALONE else ():
            said = words(language).sections[name][key]
            assert said or not phrase, key
            if phrase:
                assert blanks(said) == blanks(phrase), key


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(("section", "names"), NAMED.items())
def test_every_language_names_what_the_documents_name(language: str, section: str, names: set[str]) -> None:
    assert words(language).sections[section].keys() == names


@pytest.mark.parametrize("language", languages())
def test_the_public_reads_one_of_a_fixed_list(language: str) -> None:
    """Of both languages at once: none is without words, none is like another, and nothing is to be filled in."""
    told = {key: said for key, said in words(language).ui.items() if key.startswith("public_")}
    chosen = {f"public_{one}" for one in get_args(PublicSentence)}
    assert told.keys() == chosen | {"public_closed"}, "the last is told by the table itself"
    assert len(set(told.values())) == len(told)
    assert not any(map(blanks, told.values()))


def test_english_says_nothing_that_the_documents_say() -> None:
    assert not words(ENGLISH).sections.keys() & NAMED.keys()


@pytest.mark.parametrize("language", languages())
def test_every_announcement_card_and_fact_has_words(language: str) -> None:
    own = words(language)
    assert own.sections["said"].keys() == {*get_args(Key), "deciding"}
    assert own.sections["hands"].keys() == {side.value for side in Side}
    assert len({card_name(card, language) for card in (*Card, None)}) == len(Card) + 1
    rulings = [ruling for book in BOOKS for procedure in book.procedures for ruling in procedure.rulings]
    for name, value in {fact for ruling in rulings for fact in _facts(ruling.when)}:
        assert f"fact_{name}_{value}".lower().replace("-", "_") in own.ui


def _facts(when: Part) -> Iterator[tuple[str, object]]:
    for name in when.__struct_fields__:
        yield from ((name, value) for value in getattr(when, name))


@pytest.mark.parametrize("language", languages())
def test_a_language_stands_beside_another(language: str) -> None:
    assert words(language).beside.code in set(languages()) - {language}


def test_one_chinese_term_for_each_thing() -> None:
    for section in words("zh").sections.values():
        for key, phrase in section.items():
            assert not [term for term in NEVER if term in phrase], key


def test_simplified_chinese_has_no_traditional_characters() -> None:
    """GB 2312 holds the simplified characters; these two it left out."""
    written = {letter for _, letter in chinese_characters("zh-Hans")} - set("曱甴")
    assert "".join(written).encode("gb2312")
    assert not written & set("後於覆")  # there are simpler ones, though GB 2312 has these too
    assert words("zh-Hans").say("hands", "player") == "闲"
    assert words("zh-Hans").ui["nav_odds"] == "概率"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("en-SG, zh;q=0.5", "en"),
        ("zh", "zh"),
        ("zh-TW", "zh"),
        ("zh-HK, en", "zh"),
        ("zh-CN", "zh-Hans"),
        ("zh-SG;q=0.9", "zh-Hans"),
        ("fr, zh-Hans-MY, zh", "zh-Hans"),
        ("zh-Hant-SG", "zh"),
        ("fr", None),
        ("", None),
    ],
)
def test_browsers_get_the_first_language_that_there_is(header: str, language: str | None) -> None:
    assert accepted(header) == language
