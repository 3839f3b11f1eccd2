"""Conditions in words: every kind there is, in every language, and none told like another."""

import re
from fractions import Fraction

import msgspec
import pytest

from thirdcard.money import Odds
from thirdcard.rulebook import load
from thirdcard.rulebook.conditions import HandWhen, Pairing, Suits
from thirdcard.rulebook.extending import plain_game
from thirdcard.rulebook.forms import convert, in_full
from thirdcard.rulebook.load import read
from thirdcard.rulebook.model import Commission, CommissionRate, When
from thirdcard.words import languages, words
from thirdcard.words.telling import assumed, commission, condition, pays, terms

DASH = "\N{EN DASH}"
COUNT = {"of": ["7", "black"], "number": [2, 3]}
HANDS = {
    "total": [1, 2, 3],
    "cards": 2,
    "natural": True,
    "pair": False,
    "suits": ["mixed"],
    "first": ["A", "T"],
    "second": ["K"],
    "third": ["9"],
    "ranks": ["KQ", "88"],
    "first_two": 4,
    "count": COUNT,
    "every": ["red", "7"],
    "no": "spades",
}
WHENS = {
    "winner": ["player", "tie"],
    "total": ["1-6", 8],
    "cards": 3,
    "cards_in_all": [5, 6],
    "margin": "4-9",
    "sum": 18,
    "pair": "either",
    "pair_suits": ["same"],
    "winning": HANDS,
    "losing": HANDS,
    "player": HANDS,
    "banker": HANDS,
    "count": COUNT,
    "every": "red",
    "no": ["J", "9S", "clubs"],
    "compare": {"card": "player.first", "how": "higher", "than": "banker.third"},
    "any": [{"total": 1}, {"margin": 8}],
    "otherwise": True,
}


def when(**given: object) -> When:
    made: When = convert(in_full(given, When), When)
    return made


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "any result"),
        ({"winner": ["banker"], "total": 6, "cards": 3}, "Banker wins on 6 with 3 cards"),
        ({"winner": ["tie"]}, "a tie"),
        ({"winner": ["player", "tie"]}, "Player wins or a tie"),
        ({"winner": ["player", "banker"], "margin": "4-9"}, f"Player or Banker wins by 4{DASH}9"),
        ({"winner": ["banker"], "total": ["1-6", 8, 9]}, f"Banker wins on 1{DASH}6, 8 or 9"),
        ({"sum": [0, 18]}, "any result with totals that add up to 0 or 18"),
        ({"pair": "none"}, "neither hand pairs"),
        ({"pair": "both", "pair_suits": ["same"]}, "both hands pair (counting only pairs of one suit)"),
        ({"winner": ["banker"], "losing": {"natural": True}}, "Banker wins, the losing hand has a natural"),
        (
            {"player": {"total": 7, "cards": 3, "third": ["A", "K"]}},
            "Player has a total of 7, 3 cards and ace or king as its third card",
        ),
        ({"winning": {}}, "the winning hand has any cards"),
        ({"count": {"of": "7", "number": 3, "suited": True}}, "3 of all cards being seven, all of one suit"),
        (
            {"player": {"every": "red", "first_two": 5}},
            "Player has 5 points in its first two cards and only cards that are red",
        ),
        ({"winner": "tie", "no": ["J", "9S"]}, "a tie, no card jack or nine of spades"),
        (
            {"player": {"ranks": ["KQ", "AA"]}},
            "Player has king and queen or ace and ace as its first two cards",
        ),
        ({"compare": WHENS["compare"]}, "Player's first card higher than Banker's third card"),
        ({"any": [{"total": 1}, {"winner": "tie"}]}, "any result on 1; or a tie"),
        (
            {"otherwise": True, "player": {"suits": "same"}},
            "otherwise Player has its first two cards of one suit",
        ),
        ({"otherwise": True}, "anything else"),
    ],
)
def test_a_condition_in_english(given: dict[str, object], told: str) -> None:
    assert condition(when(**given), words("en")) == told


def test_a_condition_in_chinese() -> None:
    own = words("zh")
    told = condition(when(winner=["banker"], total=["1-6", 8, 9], cards=3), own)
    assert re.split(r"\W", told) == ["庄贏", "1", "6", "8或9", "點", "3", "張牌"]
    told = condition(when(pair="either", pair_suits=["same"]), own)
    assert re.split(r"\W", told)[:2] == ["至少一方首兩張為對子", "只計同花色的對子"]
    assert condition(when(losing={"natural": True}), own) == "輸方有例牌"
    assert condition(when(losing={"natural": True}), words("zh-Hans")) == "输方有例牌"


@pytest.mark.parametrize("language", languages())
def test_every_field_and_value_is_told_and_none_like_another(language: str) -> None:
    own = words(language)
    assert WHENS.keys() == set(When.__struct_fields__)
    assert HANDS.keys() == set(HandWhen.__struct_fields__)
    found = [
        condition(when(**{field: value}), own) for field, value in WHENS.items() if field != "pair_suits"
    ]
    found += [condition(when(pair=pair.value), own) for pair in Pairing if pair is not Pairing.EITHER]
    found += [condition(when(pair="both", pair_suits=[one.value]), own) for one in Suits]
    for hand in ("player", "banker", "winning", "losing"):
        found += [condition(when(**{hand: {field: value}}), own) for field, value in HANDS.items()]
        for field in ("natural", "pair"):
            found.append(condition(when(**{hand: {field: not HANDS[field]}}), own))
        found += [
            condition(when(**{hand: {"suits": [one.value]}}), own) for one in Suits if one is not Suits.MIXED
        ]
    for more in ({"suited": True}, {"initial": True}):
        found += [
            condition(when(**given), own)
            for given in ({"count": COUNT | more}, {"player": {"count": COUNT | more}})
        ]
    compare = WHENS["compare"]
    assert isinstance(compare, dict)
    for other in ({"how": ["lower", "same"]}, {"by": "points"}, {"card": "banker.second"}):
        found.append(condition(when(compare=compare | other), own))
    assert len(set(found)) == len(found)
    assert all("{" not in told and told.strip() == told for told in found)


@pytest.mark.parametrize("language", languages())
def test_what_a_book_leaves_out_is_named(language: str) -> None:
    small = read("small.toml", 'slug = "small"\n[document]\ntitle = "Small"')
    own = words(language)
    assert set(plain_game()) | {"layouts"} == set(small.assumed)
    for name in small.assumed:
        assert own.ui[f"assumed_{name}"] in assumed(small, own)
    assert assumed(load("mbs-tiger-v2"), own) == ""


def test_a_commission_with_exceptions() -> None:
    book = load("rws-commission-insurance-v5")
    assert commission(book, words("en")) == "Banker's odds are even money less a commission of 5%"
    other = CommissionRate(when=when(winner=["banker"], total=6), rate=Fraction(1, 2))
    rated = Commission(rate=Fraction(1, 40), except_when=(other,))
    told = commission(msgspec.structs.replace(book, commission=rated), words("en"))
    assert told == "Banker's odds are even money less a commission of 2.5%, 50% where Banker wins on 6"
    assert commission(msgspec.structs.replace(book, commission=None), words("en")) == ""


def test_odds_of_nothing_are_told_in_words() -> None:
    assert pays(Odds("0 to 1"), words("en")) == "the stake alone"
    assert pays(Odds("3 to 2"), words("en")) == "3 to 2"
    assert pays(Odds("3 to 2"), words("zh")) == "2賠3"


def test_a_part_that_only_cites_and_cites_nothing_says_nothing() -> None:
    small = read("small.toml", 'slug = "small"\n[document]\ntitle = "Small"')
    told = list(terms(small, small.limits, words("en")))
    assert told
    assert all(term.value for term in told)
    assert any(
        not term.value for term in terms(load("mbs-tiger-v2"), load("mbs-tiger-v2").limits, words("en"))
    )
