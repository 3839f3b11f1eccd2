"""Finished rounds settled, and every kind of bad input refused in a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealing import dealt
from thirdcard.cards import Card, parse_cards
from thirdcard.errors import BadInput
from thirdcard.money import LARGEST_STAKE
from thirdcard.play.settlement import Game, Insured
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.model import Side

TBC = load("rws-tiger-buffalo-commission-v2")
CBI = load("rws-commission-insurance-v5")
MBS = load("mbs-tiger-v2")


def insured(text: str, dollars: int) -> Insured:
    hand, window = text.split(":")
    return Insured(hand=Side(hand), window=int(window), stake=dollars * 100)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("", "a round starts with four cards: 0 given"),
        ("9C 4H 7D", "a round starts with four cards: 3 given"),
        ("2C 2H 3D 3S", "the Player draws on 5: a fifth card is missing"),
        ("2C 2H 4D 3S", "the Banker draws on 5: a fifth card is missing"),
        ("2C 2H 3D 3S 4C", "the Banker draws on 5: a sixth card is missing"),
        ("9C 4H KD 2S 3C", "nobody draws a fifth card: Player 9, Banker 6"),
        ("6C 7H KD KS 3C", "nobody draws a fifth card: Player 6, Banker 7"),
        ("6C 2H KD 3S 3C 2D", "nobody draws a sixth card: Player 6, Banker 8"),
        ("2C 2H 3D 3S 4C 4D 5C", "nobody draws a seventh card: Player 9, Banker 9"),
    ],
)
def test_too_few_cards_and_too_many(cards: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=f"^{sentence}$"):
        Game(MBS, "A").settle(parse_cards(cards), {"player": 100})


@pytest.mark.parametrize(("decks", "fine"), [(4, False), (5, True), (8, True)])
def test_five_of_one_card_need_five_decks(decks: int, *, fine: bool) -> None:
    game = Game(MBS, "A", decks=decks)
    cards = parse_cards("9C KD 9C QD")
    assert game.settle(cards, {}).player.points == 8
    five = parse_cards("4C 2D 4C 2D")
    assert game.settle(five, {}).outcome == "player"
    many = parse_cards("2C 2C 2C 2C 2C 3D")
    if fine:
        assert game.settle(many, {}).outcome == "banker"
    else:
        with pytest.raises(BadInput, match="2C comes 5 times, but 4 decks hold only 4"):
            game.settle(many, {})


@pytest.mark.parametrize("decks", [3, 0, -8, 11, 100])
def test_decks_outside_the_documents_range(decks: int) -> None:
    with pytest.raises(BadInput, match=rf"mbs-tiger-v2 is played with 4 to 10 decks \(2\.1\): got {decks}"):
        Game(MBS, "A", decks=decks)


def test_nine_decks_are_too_many_for_commission_insurance() -> None:
    with pytest.raises(BadInput, match="4 to 8 decks"):
        Game(CBI, "A", decks=9)


def test_unknown_layout_and_unknown_bets() -> None:
    with pytest.raises(BadInput, match="has no layout 'H': choose one of A, B, C, D, E, F, G"):
        Game(MBS, "H")
    cards = parse_cards("9C 4H KD 2S")
    with pytest.raises(BadInput, match="has no bet 'big-tigr': did you mean big-tiger"):
        Game(TBC, "A").settle(cards, {"big-tigr": 100})
    with pytest.raises(BadInput, match=r"layout A of .* does not offer wu-dalang: layout C, F, H, I, M does"):
        Game(TBC, "A").settle(cards, {"wu-dalang": 100})
    with pytest.raises(BadInput, match="has no bet 'player-insurance'"):
        Game(TBC, "A").settle(cards, {"player-insurance": 100})


@pytest.mark.parametrize("stake", [0, -100, 50, 1260, LARGEST_STAKE + 100])
def test_stakes_that_are_no_stakes(stake: int) -> None:
    with pytest.raises(BadInput, match="the stake on tie"):
        Game(MBS, "A").settle(parse_cards("9C 4H KD 2S"), {"player": 100, "tie": stake})


def test_a_smaller_chip_unit_allows_smaller_stakes() -> None:
    line = Game(MBS, "A", unit=20).settle(parse_cards("2C 4H KD 5S"), {"banker": 1260}).bets[0]
    assert (line.net, line.odds) == (1197, "0.95 to 1")


@pytest.mark.parametrize(
    ("insure", "cards", "sentence"),
    [
        ("player:3", "P 6C KH | B 3D AS 3C", r"there is no insurance window 3: expected 1 .* or 2 "),
        ("player:0", "P 6C KH | B 3D AS 3C", "there is no insurance window 0"),
        (
            "player:2",
            "P 6C KH | B 3D AS 3C",
            "no player-insurance in window 2 .*: the Player drew no third card",
        ),
        ("player:1", "P 8C KH | B 3D AS", "no player-insurance in window 1 .*: nobody draws a third card"),
        (
            "player:1",
            "P 4C KH 2D | B 3D 2S",
            r"window 1 at Player 4, Banker 5: no such row in the table \(4\.1\.15\)",
        ),
        (
            "player:2",
            "P 2C 3H AD | B 3D 3S",
            r"window 2 at Player 6, Banker 6: the Banker stands on 6 \(3\.13, 3\.15\)",
        ),
        (
            "banker:1",
            "P 6C KH | B 3D AS 3C",
            "no banker-insurance in window 1 at Player 6, Banker 4: no such row",
        ),
    ],
)
def test_insurance_that_was_never_open(insure: str, cards: str, sentence: str) -> None:
    bets = {"player": 10000, "banker": 10000}
    with pytest.raises(BadInput, match=sentence):
        Game(TBC, "A").settle(dealt(cards), bets, [insured(insure, 10)])


def test_insurance_needs_an_original_bet_on_that_hand() -> None:
    with pytest.raises(BadInput, match=r"player-insurance needs an original bet on player to insure \(3\.11"):
        Game(TBC, "A").settle(dealt("P 6C KH | B 3D AS 3C"), {"banker": 10000}, [insured("player:1", 10)])


def test_no_insurance_where_the_rulebook_has_none() -> None:
    with pytest.raises(BadInput, match="mbs-tiger-v2 offers no insurance"):
        Game(MBS, "A").settle(dealt("P 6C KH | B 3D AS 3C"), {"player": 10000}, [insured("player:1", 10)])


def test_over_the_cap_names_the_cap_and_its_paragraph() -> None:
    cards = dealt("P 6C KH | B 3D AS 3C")
    Game(TBC, "A").settle(cards, {"player": 10000}, [insured("player:1", 100)])
    with pytest.raises(BadInput, match=r"in window 1 is at most 100 here \(3\.12\.2\): got 101"):
        Game(TBC, "A").settle(cards, {"player": 10000}, [insured("player:1", 101)])
    with pytest.raises(BadInput, match=r"at most 40 here .*: got 41"):
        Game(TBC, "A").settle(cards, {"player": 10000}, [insured("player:1", 60), insured("player:1", 41)])
    Game(CBI, "A").settle(cards, {"player": 10000}, [insured("player:1", 33)])
    with pytest.raises(BadInput, match=r"at most 33 here \(3\.12\.2\): got 34"):
        Game(CBI, "A").settle(cards, {"player": 10000}, [insured("player:1", 34)])


def test_bad_insurance_settles_nothing_at_all() -> None:
    game = Game(TBC, "A")
    with pytest.raises(BadInput):
        game.settle(
            dealt("P 6C KH | B 3D AS 3C"),
            {"player": 10000},
            [insured("player:1", 100), insured("player:2", 1)],
        )


@given(
    slug=st.sampled_from(slugs()),
    pick=st.integers(0, 10**6),
    cards=st.lists(st.sampled_from(Card), min_size=6, max_size=6),
    chips=st.lists(st.integers(1, 10**6), min_size=20, max_size=20),
)
def test_a_statement_adds_up(slug: str, pick: int, cards: list[Card], chips: list[int]) -> None:
    book = load(slug)
    letter = sorted(book.layouts)[pick % len(book.layouts)]
    deal = Deal(book.table_of_play, tuple(cards))
    used = tuple(cards)[: 6 - len(deal.left_over)]
    stakes = {name: chip * 100 for name, chip in zip(book.layouts[letter].bets, chips, strict=False)}
    statement = Game(book, letter, decks=8).settle(used, stakes)
    assert statement.net == sum(line.net for line in statement.bets)
    assert [line.bet for line in statement.bets] == list(stakes)
    for line in statement.bets:
        assert line.rules
        assert (line.net > 0, line.net < 0) == (line.result == "win", line.result == "lose")
        assert (line.odds is not None) == (line.result == "win")
        assert line.result != "lose" or line.net == -line.stake
    if statement.outcome == "tie":
        assert {line.result for line in statement.bets if line.bet in ("player", "banker")} == {"push"}
