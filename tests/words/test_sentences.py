"""Sentences by key and facts: every key that the code says has words in every language, with blanks for its facts."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import pytest

import thirdcard
from each import each
from thirdcard.words import ENGLISH, languages, words
from thirdcard.words.saying import OF_SEVERAL, Fact, Saying, in_words, say, to_you, whole

pytestmark = pytest.mark.slow

SOURCES = Path(thirdcard.__file__).parent
KEPT = words(ENGLISH).sections["sentences"]
# A fact that can be put in each of these ways.
PUT: dict[str, Fact] = {
    "money": 500, "bet": "tiger-pair", "hand": "player", "card": "9C", "case": "late-bet", "rank": "Pit Manager", "odds": "5 to 2",
}  # fmt: skip


class Call(NamedTuple):
    """A call of `say` in the code: the key, or how it begins where the rest is worked out, and its facts."""

    place: str
    key: str
    whole: bool
    facts: frozenset[str]


def sayings(function: str, imported: str) -> Iterator[Call]:
    for path in sorted(SOURCES.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if imported in source else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
                place = f"{path.relative_to(SOURCES)}:{node.lineno}"
                facts = frozenset(one.arg or "" for one in node.keywords)
                for key, is_whole in keys(node.args[0]):
                    yield Call(place, key, is_whole, facts)


def keys(node: ast.expr) -> Iterator[tuple[str, bool]]:
    match node:
        case ast.Constant(value=str(key)):
            yield key, True
        case ast.JoinedStr(values=[ast.Constant(value=str(begins)), *_]):
            yield begins, False
        case ast.IfExp(body=one, orelse=other):
            yield from (*keys(one), *keys(other))


def blanks(template: str) -> dict[str, str]:
    return {name: way or "" for _, name, way, _ in Formatter().parse(template) if name is not None}


SAID = list(sayings("say", "thirdcard.words.saying import"))
CONSOLES = list(sayings("tell", "queries.parts import"))


def test_every_sentence_that_is_said_has_words_for_its_facts() -> None:
    assert len(SAID) > 400
    wrong = [
        one for one in SAID if one.whole and (one.key not in KEPT or set(blanks(KEPT[one.key])) != one.facts)
    ]
    assert wrong == []


def test_every_sentence_is_said_somewhere() -> None:
    keys = {one.key for one in SAID if one.whole}
    begun = tuple(one.key for one in SAID if not one.whole)
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    unsaid = [
        key for key in KEPT if key not in keys and not key.startswith(begun) and f'"{key}"' not in source
    ]
    assert unsaid == []


def test_every_sentence_of_a_console_has_words_in_every_language() -> None:
    begun = {one.key for one in CONSOLES if not one.whole}
    known = words(ENGLISH).sections["consoles"]
    assert len(CONSOLES) > 30
    for language in languages():
        kept = words(language).sections["consoles"]
        assert kept.keys() == known.keys(), language
        assert [key for key in known if blanks(kept[key]).keys() != blanks(known[key]).keys()] == [], language
    for one in CONSOLES:
        if one.whole and "" not in one.facts:  # all its facts are named where it is told
            assert set(blanks(known[one.key])) <= one.facts, one
    said = {one.key for one in CONSOLES if one.whole}
    assert [key for key in known if key not in said and not key.startswith(tuple(begun))] == []


@each("key", KEPT)
def test_every_language_says_it_with_the_same_facts(key: str) -> None:
    for language in languages():
        said = words(language).sections["sentences"][key]
        assert blanks(said).keys() == blanks(KEPT[key]).keys(), language
        if language != ENGLISH and re.search(r"[^{}\s]", re.sub(r"\{[^{}]*\}", "", KEPT[key])):
            assert re.search(r"[\u4e00-\u9fff]", said), language


def fact(way: str) -> Fact:
    if way in OF_SEVERAL:
        return ("Pit Manager", "Shift Manager")
    return PUT.get(way, 7)


@each("key", KEPT)
def test_every_sentence_can_be_made(key: str) -> None:
    ways: dict[str, str] = {}
    for language in languages():
        for name, way in blanks(words(language).sections["sentences"][key]).items():
            ways[name] = ways.get(name, "") or way
    said = Saying(key, {name: fact(way) for name, way in ways.items()})
    for language in languages():
        made = in_words(said, language)
        assert made
        assert "{" not in made


def test_a_fact_may_be_a_sentence_and_each_reader_has_their_own_words() -> None:
    said = say("not-now", phase=say("phase-betting"))
    assert str(said) == "not now: bets are open"
    assert len({in_words(said, language) for language in languages()}) == len(languages())
    assert in_words(say("wrong-rank", who="dee", ranks=("Pit Manager",)), "zh").count("dee") == 1
    assert "Pit" not in in_words(say("wrong-rank", who="dee", ranks=("Pit Manager",)), "zh")


def test_a_sentence_by_itself_begins_with_a_capital_and_ends_with_a_stop() -> None:
    assert whole("bets are open") == "Bets are open."
    assert whole("what now?") == "What now?"


def test_what_is_said_about_somebody_is_said_to_that_person() -> None:
    said = say("rack-too-small", who="ann", has=25_000, cents=100_000)
    assert in_words(to_you(said, "ann"), ENGLISH) == "you have 250 left in your rack; this takes 1,000"
    assert to_you(said, "bob") is said
    for language in languages():
        kept = words(language).sections["you"]
        assert kept.keys() == words(ENGLISH).sections["you"].keys() <= KEPT.keys()
        for key, sentence in kept.items():
            assert blanks(sentence).keys() <= blanks(KEPT[key]).keys() - {"who"}, key
