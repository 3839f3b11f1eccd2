"""Tiger Baccarat, MBS, version 2."""

import pytest

from rules import checks, rounds
from rules.checks import pays, refusal, tiers, wins
from rules.helpers import Document, Draws
from thirdcard.cards import parse_card
from thirdcard.rulebook.model import Side

SLUGS = ("mbs-tiger-v2",)

DRAWS = Draws(  # 3.15
    player="012345",
    banker_if_player_stands="012345",
    banker={
        "012": "0123456789",
        "3": "012345679",
        "4": "234567",
        "5": "4567",
        "6": "67",
        "7": "",
    },
    natural="89",
)
POSITIONS = dict.fromkeys("ABCDEFG", (1, 8)) | {"D": (1, 9), "E": (8, 16)}
OFFERED = {
    "banker": "ABCDEFG",  # 2.2.1
    "player": "ABCDEFG",  # 2.2.2
    "tie": "ABCDEFG",  # 2.2.3
    "tiger": "ABCDEFG",  # 2.2.4
    "big-tiger": "ABCDEFG",  # 2.2.5
    "small-tiger": "ABCDEFG",  # 2.2.6
    "tiger-pair": "ABCDEFG",  # 2.2.7
    "tiger-tie": "ABCDEFG",  # 2.2.8
}
VALUES = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))


@pytest.fixture
def doc() -> Document:
    return Document(SLUGS[0], range(4, 11), DRAWS, POSITIONS, OFFERED)


# --- 1. Definitions -----------------------------------------------------------------------------------


def test_1_1_1__3_19_big_tiger(doc: Document) -> None:
    wins(doc, "big-tiger", lambda r: r.banker_wins and r.banker == 6 and r.banker_cards == 3)


def test_1_1_2__4_1_commission_on_banker(doc: Document) -> None:
    for stake, net in ((20, 19), (1_00, 95), (12_60, 11_97), (2_000_00, 1_900_00)):
        assert doc.settle(rounds.BANKER_7_OVER_6, {"banker": stake}, unit=20).net == net
    assert doc.book.commission is not None
    assert doc.book.commission.rate * 100 == 5


def test_1_1_5__1_1_6_natural_in_the_initial_deal(doc: Document) -> None:
    checks.naturals(doc)


def test_1_1_8__3_18_small_tiger(doc: Document) -> None:
    wins(doc, "small-tiger", lambda r: r.banker_wins and r.banker == 6 and r.banker_cards == 2)


def test_1_1_11__3_16_the_higher_total_wins_and_equal_totals_tie(doc: Document) -> None:
    checks.winner(doc)
    checks.wins_or_ties(doc, "player", lambda r: r.player > r.banker)
    checks.wins_or_ties(doc, "banker", lambda r: r.banker > r.player)


def test_1_1_12_tie_wager(doc: Document) -> None:
    wins(doc, "tie", lambda r: r.player == r.banker)


def test_1_1_13__3_17_tiger(doc: Document) -> None:
    wins(doc, "tiger", lambda r: r.banker_wins and r.banker == 6)


def test_1_1_14__3_14_tiger_pair_needs_two_cards_of_one_rank(doc: Document) -> None:
    wins(doc, "tiger-pair", lambda r: r.player_pair or r.banker_pair)
    checks.pairs(doc, Side.PLAYER, "tiger-pair")
    checks.pairs(doc, Side.BANKER, "tiger-pair")


def test_1_1_14_two_different_cards_worth_nothing_are_no_pair(doc: Document) -> None:
    for hand in ("KC QD", "KC JD", "QC JD", "TC KD"):
        checks.not_won(doc, "tiger-pair", f"P {hand} 3H | B 4S 3D", "lose", by="1.1.14")


def test_1_1_14_1_single_tiger_pair(doc: Document) -> None:
    pays(doc, "tiger-pair", "4 to 1", (rounds.PLAYER_PAIR, rounds.BANKER_PAIR), by="1.1.14.1")


def test_1_1_14_2_double_tiger_pair(doc: Document) -> None:
    pays(doc, "tiger-pair", "20 to 1", rounds.PAIRS_OF_TWO_RANKS, by="1.1.14.2")


def test_1_1_14_3_twin_tiger_pair(doc: Document) -> None:
    pays(doc, "tiger-pair", "100 to 1", rounds.PAIRS_OF_ONE_RANK, by="1.1.14.3")
    checks.pairs_in_both_hands(doc, "tiger-pair", different="20 to 1", same="100 to 1")


def test_1_1_15__3_20_tiger_tie(doc: Document) -> None:
    wins(doc, "tiger-tie", lambda r: r.player == r.banker == 6)


# --- 2. Mode of play ----------------------------------------------------------------------------------


def test_2_1_four_to_ten_decks_without_jokers(doc: Document) -> None:
    checks.decks(doc, "2.1")
    for joker in ("Jo", "JK", "**"):
        assert "is not a card" in refusal(lambda: parse_card(joker))  # noqa: B023


def test_2_2__2_2_1__2_2_2__2_2_3__2_2_4__2_2_5__2_2_6__2_2_7__2_2_8_areas(doc: Document) -> None:
    checks.layouts(doc)


# --- 3. How to play -----------------------------------------------------------------------------------


def test_3_3__3_3_1_ace_to_nine(doc: Document) -> None:
    checks.card_values(doc, dict(zip("A23456789", range(1, 10), strict=True)))


def test_3_3__3_3_2_tens_and_pictures_are_0(doc: Document) -> None:
    checks.card_values(doc, {"T": 0, "J": 0, "Q": 0, "K": 0})


def test_1_1_3__3_4__3_4_1__3_4_2_point_total_of_a_hand(doc: Document) -> None:
    checks.point_totals(doc, VALUES)


def test_3_5__3_6_eight_wagers_each_alone(doc: Document) -> None:
    assert len(doc.offered) == 8
    checks.each_bet_alone(doc)


def test_3_13__3_13_1__3_13_2_two_hands(doc: Document) -> None:
    checks.four_cards(doc)


def test_3_14_third_cards_make_no_pair(doc: Document) -> None:
    checks.not_won(doc, "tiger-pair", rounds.THIRD_CARDS_MATCH, "lose", by="3.14")


def test_3_15_table_of_play(doc: Document) -> None:
    checks.table_of_play(doc)


def test_3_16_1_a_tie_returns_player_and_banker(doc: Document) -> None:
    checks.tie_returns(doc, {"player", "banker"}, by="3.16.1")
    on_7 = doc.settle(rounds.TIE_ON_7, dict.fromkeys(("player", "banker", "tie", "tiger-tie"), 1_00))
    assert [line.result for line in on_7.bets] == ["push", "push", "win", "lose"]
    on_6 = doc.settle(rounds.TIE_ON_6, dict.fromkeys(("player", "banker", "tie", "tiger-tie"), 1_00))
    assert [line.result for line in on_6.bets] == ["push", "push", "win", "win"]


def test_no_insurance(doc: Document) -> None:
    assert doc.book.insurance is None
    assert "offers no insurance" in refusal(
        lambda: doc.settle(rounds.PLAYER_7_BANKER_DRAWS, {"player": 10_00}, ("player", 1, 5_00))
    )


# --- 4. Settlement ------------------------------------------------------------------------------------


def test_4_1_banker_player_and_tie_pay(doc: Document) -> None:
    banker = (rounds.BANKER_7_OVER_6, rounds.BANKER_6_TWO_CARDS, rounds.BANKER_6_THREE_CARDS)
    player = (rounds.PLAYER_8_OVER_7, rounds.PLAYER_6_TWO_CARDS, rounds.PLAYER_6_THREE_CARDS)
    pays(doc, "banker", "0.95 to 1", banker, by="4.1")
    pays(doc, "player", "1 to 1", player, by="4.1")
    pays(doc, "tie", "8 to 1", (rounds.TIE_ON_7, rounds.TIE_ON_0), by="4.1")
    checks.not_won(doc, "player", rounds.BANKER_7_OVER_6, "lose", by="3.16")
    checks.not_won(doc, "banker", rounds.PLAYER_8_OVER_7, "lose", by="3.16")


def test_4_2_tiger_pair_pays(doc: Document) -> None:
    pays(doc, "tiger-pair", "4 to 1", (rounds.PLAYER_PAIR, rounds.BANKER_PAIR), by="4.2")
    pays(doc, "tiger-pair", "20 to 1", rounds.PAIRS_OF_TWO_RANKS, by="4.2")
    pays(doc, "tiger-pair", "100 to 1", ("P TS TH 9C | B TC TD 2H", rounds.PAIRS_OF_ONE_RANK), by="4.2")
    tiers(
        doc,
        "tiger-pair",
        {
            "4 to 1": lambda r: r.player_pair != r.banker_pair,
            "20 to 1": lambda r: r.player_pair and r.banker_pair and not r.same_pair,
            "100 to 1": lambda r: r.same_pair,
        },
    )


def test_4_3_tiger_pays(doc: Document) -> None:
    pays(doc, "tiger", "12 to 1", rounds.BANKER_6_TWO_CARDS, by="4.3")
    pays(doc, "tiger", "20 to 1", rounds.BANKER_6_THREE_CARDS, by="4.3")
    tiers(
        doc,
        "tiger",
        {
            "12 to 1": lambda r: r.banker_wins and r.banker == 6 and r.banker_cards == 2,
            "20 to 1": lambda r: r.banker_wins and r.banker == 6 and r.banker_cards == 3,
        },
    )


def test_4_3_small_tiger_big_tiger_and_tiger_tie_pay(doc: Document) -> None:
    pays(doc, "small-tiger", "22 to 1", rounds.BANKER_6_TWO_CARDS, by="4.3")
    pays(doc, "big-tiger", "50 to 1", rounds.BANKER_6_THREE_CARDS, by="4.3")
    pays(doc, "tiger-tie", "35 to 1", rounds.TIE_ON_6, by="4.3")
