"""Names of bets: as the documents and layouts have them; a bet without words goes by its rulebook's name."""

from importlib import import_module

import msgspec
import pytest

from thirdcard.rulebook import Rulebook, load, slugs
from thirdcard.web.draw import felt_svg, spots
from thirdcard.words import BetWords, bet_names, bet_order, bet_words, words

OFFERED = sorted({bet for slug in slugs() for layout in load(slug).layouts.values() for bet in layout.bets})
INSURANCES = ["player-insurance", "banker-insurance"]
MADE_UP = "made-up-v1"


def is_chinese(text: str) -> bool:
    return bool(text) and all("\u4e00" <= character <= "\u9fff" for character in text)


@pytest.mark.parametrize("name", [*OFFERED, *INSURANCES])
def test_a_bet_has_words_that_agree_with_its_name(name: str) -> None:
    said = bet_words(name)
    assert said.en.lower().replace(" ", "-") == name
    assert is_chinese(said.zh)
    assert len(said.short) <= len(said.en)
    if name.startswith(("player", "banker")):
        assert said.side == name.split("-", maxsplit=1)[0]


@pytest.mark.parametrize("slug", slugs())
def test_the_felt_says_what_the_document_says(slug: str) -> None:
    for name, bet in load(slug).bets.items():
        assert bet_words(name).en == bet.name


def test_no_words_for_bets_that_nobody_offers() -> None:
    for language in ("en", "zh"):
        assert sorted(words(language).sections["bets"]) == sorted([*OFFERED, *INSURANCES])
    assert words("en").sections["short"].keys() <= words("en").sections["bets"].keys()


@pytest.mark.parametrize("field", ["en", "short", "zh"])
def test_no_two_bets_share_a_name(field: str) -> None:
    told = [getattr(bet_words(name), field) for name in bet_names()]
    assert len(set(told)) == len(told)


def test_the_order_of_the_felt_is_that_of_the_words() -> None:
    assert sorted(bet_names(), key=bet_order) == list(bet_names())


# A bet of another name ----------------------------------------------------------------------------------


def made_up() -> Rulebook:
    """A rulebook with a bet that no file of words knows: Dragon 7, which pays as the Big Tiger does."""
    book = load("mbs-tiger-v2")
    dragon = msgspec.structs.replace(book.bets["big-tiger"], name="Dragon 7")
    layouts = {
        letter: msgspec.structs.replace(layout, bets=(*layout.bets, "dragon-7"))
        for letter, layout in book.layouts.items()
    }
    return msgspec.structs.replace(
        book, slug=MADE_UP, bets={**book.bets, "dragon-7": dragon}, layouts=layouts
    )


def test_a_bet_without_words_goes_by_its_own_name() -> None:
    dragon = made_up().bets["dragon-7"]
    said = BetWords(en="Dragon 7", short="Dragon 7", zh="D7", side="banker", row="side")
    assert bet_words("dragon-7", dragon) == said
    assert bet_order("big-tiger") < bet_order("dragon-7", dragon)
    assert words("zh").own("bets", "dragon-7", dragon.name) == "Dragon 7"


def test_a_bet_that_no_rulebook_has_is_named_all_the_same() -> None:
    assert bet_words("lucky-9") == BetWords("Lucky 9", "Lucky 9", "L9", "tie", "side")


def test_a_felt_with_a_bet_without_words(monkeypatch: pytest.MonkeyPatch) -> None:
    book = made_up()
    for module in ("spots", "plan"):
        monkeypatch.setattr(import_module(f"thirdcard.web.draw.{module}"), "load", lambda _: book)
    offered = [one for one in spots(MADE_UP, "A") if one.bet == "dragon-7"]
    assert [(one.words.zh, one.label) for one in offered] == [("D7", "Dragon 7, pays 50 to 1")]
    felt = felt_svg(MADE_UP, "A", 5, 2)
    assert ">D7<" in felt
    assert ">DRAGON 7<" in felt
