"""Names of bets: as the documents and layouts have them; a bet without words goes by its rulebook's name."""

import msgspec
import pytest

from thirdcard.rulebook import Rulebook, load, slugs
from thirdcard.rulebook.forms import convert
from thirdcard.rulebook.load import packaged
from thirdcard.rulebook.model import When
from thirdcard.web.draw import felt_svg, spots
from thirdcard.words import BetWords, bet_name, bet_names, bet_order, bet_words, words

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
    book = made_up()
    said = BetWords(en="Dragon 7", short="Dragon 7", zh="D7", side="banker", row="side")
    assert bet_words("dragon-7", book) == said
    assert bet_order("big-tiger") < bet_order("dragon-7", book)
    assert bet_name("dragon-7", "zh", book) == "Dragon 7"
    assert bet_name("big-tiger", "zh", book) == "大虎"


def test_one_name_may_stand_for_different_bets() -> None:
    """Each book's own, whatever others or we call it; our characters only for what we mean by it."""
    tiger = msgspec.structs.replace(load("mbs-tiger-v2").bets["tie"], name="Golden Tiger")
    book = msgspec.structs.replace(made_up(), bets={"tiger": tiger})
    assert bet_words("tiger", book) == BetWords("Golden Tiger", "Golden Tiger", "GT", "tie", "middle")
    assert bet_words("tiger").en == "Tiger"
    assert bet_words("tiger", made_up()).zh == "虎"
    assert bet_name("tiger", "zh", book) == "Golden Tiger"


def test_the_documents_of_the_package_mean_the_same_by_a_name() -> None:
    said = {
        name: {bet_words(name, load(slug)) for slug in packaged() if name in load(slug).bets}
        for name in OFFERED
    }
    assert [name for name, words_of_it in said.items() if len(words_of_it) != 1] == []


def test_marks_of_a_book_differ() -> None:
    names = ("Dragon 7", "Diamond 7", "Dragon 7", "Dragon 7", "Dragon Bonus", "B14", "B1", "Панда", "龍 寶")
    bet = load("mbs-tiger-v2").bets["tie"]
    bets = {f"bet-{number}": msgspec.structs.replace(bet, name=name) for number, name in enumerate(names)}
    book = msgspec.structs.replace(made_up(), bets=bets)
    assert [bet_words(name, book).zh for name in bets] == [
        "D7",
        "Di7",
        "Dr7",
        "D7b",
        "DB",
        "B14",
        "B1",
        "П",
        "龍寶",
    ]


def test_a_bet_is_coloured_by_the_hand_that_it_is_about() -> None:
    def side(**when: object) -> str:
        tier = msgspec.structs.replace(made_up().bets["tie"].pays[0], when=convert(when, When))
        bets = {"x": msgspec.structs.replace(made_up().bets["tie"], name="X", pays=(tier,))}
        return bet_words("x", msgspec.structs.replace(made_up(), bets=bets)).side

    assert side(winner=["banker"], total=6) == "banker"
    assert side(pair="player") == "player"
    assert side(player={"natural": True}) == "player"
    assert side(banker={"third": ["A"]}) == "banker"
    assert {side(pair="either"), side(sum=0), side(player={"total": 1}, banker={"total": 2})} == {"tie"}


def test_a_bet_that_no_rulebook_has_is_named_all_the_same() -> None:
    assert bet_words("lucky-9") == BetWords("Lucky 9", "Lucky 9", "L9", "tie", "side")


def test_a_felt_with_a_bet_without_words() -> None:
    book = made_up()
    offered = [one for one in spots(book, "A") if one.bet == "dragon-7"]
    assert [(one.words.zh, one.label) for one in offered] == [("D7", "Dragon 7, pays 50 to 1")]
    felt = felt_svg(book, "A", 5, 2)
    assert ">D7<" in felt
    assert ">DRAGON 7<" in felt
