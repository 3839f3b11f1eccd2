"""Words: every bet that a rulebook offers has a name in both languages, and every phrase is said in both."""

from string import Formatter

import pytest

from thirdcard.errors import BadInput
from thirdcard.rulebook import load, slugs
from thirdcard.web.words import bet_names, bet_words, ui

OFFERED = sorted({bet for slug in slugs() for layout in load(slug).layouts.values() for bet in layout.bets})
INSURANCES = ["player-insurance", "banker-insurance"]


def is_chinese(text: str) -> bool:
    return bool(text) and all("\u4e00" <= character <= "\u9fff" for character in text)


def blanks(text: str) -> set[str]:
    """What `str.format` would fill in: `{} {}` are 0 and 1, and so are `{1} {0}`."""
    names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
    return {name or str(place) for place, name in enumerate(names)}


@pytest.mark.parametrize("name", [*OFFERED, *INSURANCES])
def test_a_bet_has_words_that_agree_with_its_name(name: str) -> None:
    words = bet_words(name)
    assert words.en.lower().replace(" ", "-") == name
    assert is_chinese(words.zh)
    assert len(words.short) <= len(words.en)
    if name.startswith(("player", "banker")):
        assert words.side == name.split("-", maxsplit=1)[0]


@pytest.mark.parametrize("slug", slugs())
def test_the_felt_says_what_the_document_says(slug: str) -> None:
    for name, bet in load(slug).bets.items():
        assert bet_words(name).en == bet.name


def test_no_words_for_bets_that_nobody_offers() -> None:
    assert sorted(bet_names()) == sorted([*OFFERED, *INSURANCES])


def test_no_two_bets_share_a_name() -> None:
    for field in ("en", "short", "zh"):
        told = [getattr(bet_words(name), field) for name in bet_names()]
        assert len(set(told)) == len(told)


def test_every_phrase_is_said_in_chinese_with_the_same_blanks_to_fill() -> None:
    """English may be empty: a remark that only Chinese readers need."""
    chinese = ui("zh")
    for key, english in ui("en").items():
        assert chinese[key].strip(), key
        if english:
            assert blanks(english) == blanks(chinese[key]), key


def test_a_page_cannot_change_the_words_of_another() -> None:
    ui("en").clear()
    assert ui("en")


def test_an_unknown_bet_is_refused() -> None:
    with pytest.raises(BadInput, match="'dragon'"):
        bet_words("dragon")
