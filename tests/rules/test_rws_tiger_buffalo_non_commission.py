"""Tiger Buffalo (Non-Commission Baccarat), RWS, versions 3 and 4: the same numbers, one layout more."""

import pytest

from rules import checks, rounds
from rules.checks import pays, refusal, tiers, wins
from rules.helpers import Document, Draws
from thirdcard.rulebook.model import Side

SLUGS = ("rws-tiger-buffalo-non-commission-v3", "rws-tiger-buffalo-non-commission-v4")

DRAWS = Draws(  # 3.11, 3.12
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
V3, V4 = SLUGS
POSITIONS_V3 = dict.fromkeys("ABCDEFGHIJKLMNOPQ", (1, 6)) | dict.fromkeys("DEFILMN", (1, 5)) | {"K": (10, 16)}
OFFERED_V3 = {
    "player": "ABCDEFGHIJKLMNOPQ",
    "banker": "ABCDEFGHIJKLMNOPQ",
    "tie": "ABCDEFGHIJKLMNOPQ",  # 4.1.2
    "player-pair": "ABDEGJKLMN",  # 4.1.3
    "banker-pair": "ABDEGJKLMN",
    "big-tiger": "ABCDEFGHIJKLMNOQ",  # 4.1.4
    "small-tiger": "ABCDEFGHIJKLMNOQ",
    "big-buffalo": "ABCDEFGHIJKLOQ",  # 4.1.5
    "small-buffalo": "ABCDEFGHIJKLOQ",
    "banker-big-7": "P",  # 4.1.6
    "banker-small-7": "P",
    "player-big-7": "P",  # 4.1.7
    "player-small-7": "P",
    "tiger-buffalo": "CFHI",  # 4.1.8
    "tiger-pair": "P",  # 4.1.9
    "tiger-tie": "OQ",  # 4.1.10
    "wu-dalang": "CFHIP",  # 4.1.11
    "tiger": "P",  # 4.1.12
    "player-char-siu": "ABCDEFGHIJKLOQ",  # 4.1.13
    "banker-char-siu": "ABCDEFGHIJKLOQ",
}
POSITIONS_V4 = POSITIONS_V3 | {"R": (10, 16)}
OFFERED_V4 = OFFERED_V3 | {
    "player": "ABCDEFGHIJKLMNOPQR",
    "banker": "ABCDEFGHIJKLMNOPQR",
    "tie": "ABCDEFGHIJKLMNOPQR",  # 4.1.2
    "big-tiger": "ABCDEFGHIJKLMNOQR",  # 4.1.4
    "small-tiger": "ABCDEFGHIJKLMNOQR",
    "big-buffalo": "ABCDEFGHIJKLOQR",  # 4.1.5
    "small-buffalo": "ABCDEFGHIJKLOQR",
    "tiger-tie": "OQR",  # 4.1.10
    "player-char-siu": "ABCDEFGHIJKLOQR",  # 4.1.13
    "banker-char-siu": "ABCDEFGHIJKLOQR",
}
VALUES = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0), strict=True))


@pytest.fixture(params=SLUGS)
def doc(request: pytest.FixtureRequest) -> Document:
    positions, offered = {V3: (POSITIONS_V3, OFFERED_V3), V4: (POSITIONS_V4, OFFERED_V4)}[request.param]
    return Document(request.param, range(4, 11), DRAWS, positions, offered)


# --- 1. Definitions -----------------------------------------------------------------------------------


def test_1_1__3_11__3_12_table_of_play(doc: Document) -> None:
    checks.table_of_play(doc)


def test_1_2_banker_big_7(doc: Document) -> None:
    wins(doc, "banker-big-7", lambda r: r.banker_wins and r.banker == 7 and r.banker_cards == 3)


def test_1_3__1_3_1__1_3_2__1_3_3_banker_char_siu(doc: Document) -> None:
    wins(doc, "banker-char-siu", lambda r: (r.banker, r.player) in {(7, 6), (8, 7), (9, 8)})


def test_1_4_banker_small_7(doc: Document) -> None:
    wins(doc, "banker-small-7", lambda r: r.banker_wins and r.banker == 7 and r.banker_cards == 2)


def test_1_6_big_buffalo(doc: Document) -> None:
    wins(doc, "big-buffalo", lambda r: r.player_wins and r.player == 6 and r.player_cards == 3)


def test_1_7_big_tiger(doc: Document) -> None:
    wins(doc, "big-tiger", lambda r: r.banker_wins and r.banker == 6 and r.banker_cards == 3)


def test_1_14_natural(doc: Document) -> None:
    checks.naturals(doc)


def test_1_15_non_commission_pays_half_when_banker_wins_on_6(doc: Document) -> None:
    assert doc.book.commission is None
    tiers(
        doc,
        "banker",
        {
            "1 to 2": lambda r: r.banker_wins and r.banker == 6,
            "1 to 1": lambda r: r.banker_wins and r.banker != 6,
        },
    )


def test_1_16__3_14_a_tie_returns_the_original_bets_only(doc: Document) -> None:
    checks.tie_returns(doc, {"player", "banker"}, by="3.14")


def test_1_19_player_big_7(doc: Document) -> None:
    wins(doc, "player-big-7", lambda r: r.player_wins and r.player == 7 and r.player_cards == 3)


def test_1_20__1_20_1__1_20_2__1_20_3_player_char_siu(doc: Document) -> None:
    wins(doc, "player-char-siu", lambda r: (r.player, r.banker) in {(7, 6), (8, 7), (9, 8)})


def test_1_21_player_pair_and_banker_pair(doc: Document) -> None:
    wins(doc, "player-pair", lambda r: r.player_pair)
    wins(doc, "banker-pair", lambda r: r.banker_pair)
    checks.pairs(doc, Side.PLAYER, "player-pair")
    checks.pairs(doc, Side.BANKER, "banker-pair")


def test_1_22_player_small_7(doc: Document) -> None:
    wins(doc, "player-small-7", lambda r: r.player_wins and r.player == 7 and r.player_cards == 2)


def test_1_12__1_23_point_total_of_a_hand(doc: Document) -> None:
    checks.point_totals(doc, VALUES)


def test_1_27_small_buffalo(doc: Document) -> None:
    wins(doc, "small-buffalo", lambda r: r.player_wins and r.player == 6 and r.player_cards == 2)


def test_1_28_small_tiger(doc: Document) -> None:
    wins(doc, "small-tiger", lambda r: r.banker_wins and r.banker == 6 and r.banker_cards == 2)


def test_1_30_tie(doc: Document) -> None:
    wins(doc, "tie", lambda r: r.player == r.banker)


def test_1_31_tiger(doc: Document) -> None:
    wins(doc, "tiger", lambda r: r.banker_wins and r.banker == 6)


def test_1_32_tiger_buffalo(doc: Document) -> None:
    wins(doc, "tiger-buffalo", lambda r: not r.tie and max(r.player, r.banker) == 6)


def test_1_33_tiger_pair(doc: Document) -> None:
    wins(doc, "tiger-pair", lambda r: r.player_pair or r.banker_pair)
    checks.pairs(doc, Side.PLAYER, "tiger-pair")
    checks.pairs(doc, Side.BANKER, "tiger-pair")
    checks.pairs_in_both_hands(doc, "tiger-pair", different="20 to 1", same="100 to 1")


def test_1_34_tiger_tie(doc: Document) -> None:
    wins(doc, "tiger-tie", lambda r: r.player == r.banker == 6)


def test_1_36_wu_dalang(doc: Document) -> None:
    wins(doc, "wu-dalang", lambda r: r.player_wins and r.player == 1)


# --- 2. Mode of play ----------------------------------------------------------------------------------


def test_2_1__2_1_1_layouts(doc: Document) -> None:
    assert len(doc.positions) == {V3: 17, V4: 18}[doc.slug]
    checks.layouts(doc)


def test_2_2__2_2_1_four_to_ten_decks(doc: Document) -> None:
    checks.decks(doc, "2.2.1")


# --- 3. How to play -----------------------------------------------------------------------------------


def test_3_1__3_13_the_higher_total_wins(doc: Document) -> None:
    checks.winner(doc)
    checks.wins_or_ties(doc, "player", lambda r: r.player > r.banker)
    checks.wins_or_ties(doc, "banker", lambda r: r.banker > r.player)


def test_3_2__3_2_1_an_ace_is_1(doc: Document) -> None:
    checks.card_values(doc, {"A": 1})


def test_3_2__3_2_2_two_to_ten_are_their_face_value(doc: Document) -> None:
    checks.card_values(doc, dict(zip("23456789T", range(2, 11), strict=True)))


def test_3_2__3_2_3_pictures_are_0(doc: Document) -> None:
    checks.card_values(doc, {"J": 0, "Q": 0, "K": 0})


def test_3_7_twenty_bets_each_alone(doc: Document) -> None:
    assert len(doc.offered) == 20
    checks.each_bet_alone(doc)


def test_3_10_first_four_cards(doc: Document) -> None:
    checks.four_cards(doc)
    for bet in ("player-pair", "banker-pair", "tiger-pair"):
        checks.not_won(doc, bet, rounds.THIRD_CARDS_MATCH, "lose", by="3.10")


def test_no_insurance(doc: Document) -> None:
    assert doc.book.insurance is None
    assert "offers no insurance" in refusal(
        lambda: doc.settle(rounds.PLAYER_7_BANKER_DRAWS, {"player": 10_00}, ("player", 1, 5_00))
    )


# --- 4. Settlement ------------------------------------------------------------------------------------


def test_4_1__4_1_1_banker_on_6_pays_half(doc: Document) -> None:
    six = (rounds.BANKER_6_TWO_CARDS, rounds.BANKER_6_THREE_CARDS)
    pays(doc, "banker", "1 to 2", six, by="4.1.1")
    for text in six:
        for stake, net in ((20, 10), (1_00, 50), (12_60, 6_30)):
            assert doc.settle(text, {"banker": stake}, unit=20).net == net


def test_4_1__4_1_1_banker_and_player_pay(doc: Document) -> None:
    banker = (rounds.BANKER_7_OVER_6, rounds.BANKER_7_TWO_CARDS, rounds.BANKER_7_THREE_CARDS)
    player = (rounds.PLAYER_8_OVER_7, rounds.PLAYER_6_TWO_CARDS, rounds.PLAYER_6_THREE_CARDS)
    pays(doc, "banker", "1 to 1", banker, by="4.1.1")
    pays(doc, "player", "1 to 1", player, by="4.1.1")
    checks.not_won(doc, "player", rounds.BANKER_7_OVER_6, "lose", by="3.13")
    checks.not_won(doc, "banker", rounds.PLAYER_8_OVER_7, "lose", by="3.13")


def test_4_1_2_tie_pays(doc: Document) -> None:
    pays(doc, "tie", "8 to 1", (rounds.TIE_ON_7, rounds.TIE_ON_0), by="4.1.2")
    checks.layouts_named(doc, "tie", by="4.1.2")


def test_4_1_3_pairs_pay(doc: Document) -> None:
    pays(doc, "player-pair", "11 to 1", (rounds.PLAYER_PAIR, rounds.PAIRS_OF_TWO_RANKS), by="4.1.3")
    pays(doc, "banker-pair", "11 to 1", (rounds.BANKER_PAIR, rounds.PAIRS_OF_ONE_RANK), by="4.1.3")


def test_4_1_4_big_tiger_and_small_tiger_pay(doc: Document) -> None:
    pays(doc, "big-tiger", "50 to 1", rounds.BANKER_6_THREE_CARDS, by="4.1.4")
    pays(doc, "small-tiger", "22 to 1", rounds.BANKER_6_TWO_CARDS, by="4.1.4")


def test_4_1_5_big_buffalo_and_small_buffalo_pay(doc: Document) -> None:
    pays(doc, "big-buffalo", "35 to 1", rounds.PLAYER_6_THREE_CARDS, by="4.1.5")
    pays(doc, "small-buffalo", "20 to 1", rounds.PLAYER_6_TWO_CARDS, by="4.1.5")


def test_4_1_6_banker_7_pays(doc: Document) -> None:
    pays(doc, "banker-big-7", "30 to 1", rounds.BANKER_7_THREE_CARDS, by="4.1.6")
    pays(doc, "banker-small-7", "15 to 1", rounds.BANKER_7_TWO_CARDS, by="4.1.6")


def test_4_1_7_player_7_pays(doc: Document) -> None:
    pays(doc, "player-big-7", "30 to 1", rounds.PLAYER_7_THREE_CARDS, by="4.1.7")
    pays(doc, "player-small-7", "15 to 1", rounds.PLAYER_7_TWO_CARDS, by="4.1.7")


def test_4_1_8_tiger_buffalo_pays(doc: Document) -> None:
    tigers = (rounds.BANKER_6_TWO_CARDS, rounds.BANKER_6_THREE_CARDS)
    buffaloes = (rounds.PLAYER_6_TWO_CARDS, rounds.PLAYER_6_THREE_CARDS)
    pays(doc, "tiger-buffalo", "6 to 1", tigers + buffaloes, by="4.1.8")


def test_4_1_9_tiger_pair_pays(doc: Document) -> None:
    pays(doc, "tiger-pair", "4 to 1", (rounds.PLAYER_PAIR, rounds.BANKER_PAIR), by="4.1.9")
    pays(doc, "tiger-pair", "20 to 1", rounds.PAIRS_OF_TWO_RANKS, by="4.1.9")
    pays(doc, "tiger-pair", "100 to 1", rounds.PAIRS_OF_ONE_RANK, by="4.1.9")
    tiers(
        doc,
        "tiger-pair",
        {
            "4 to 1": lambda r: r.player_pair != r.banker_pair,
            "20 to 1": lambda r: r.player_pair and r.banker_pair and not r.same_pair,
            "100 to 1": lambda r: r.same_pair,
        },
    )


def test_4_1_10_tiger_tie_pays(doc: Document) -> None:
    pays(doc, "tiger-tie", "35 to 1", rounds.TIE_ON_6, by="4.1.10")


def test_4_1_11_wu_dalang_pays(doc: Document) -> None:
    pays(doc, "wu-dalang", "150 to 1", rounds.PLAYER_1_OVER_0, by="4.1.11")


def test_4_1_12_tiger_pays(doc: Document) -> None:
    pays(doc, "tiger", "12 to 1", rounds.BANKER_6_TWO_CARDS, by="4.1.12")
    pays(doc, "tiger", "20 to 1", rounds.BANKER_6_THREE_CARDS, by="4.1.12")
    tiers(
        doc,
        "tiger",
        {
            "12 to 1": lambda r: r.banker_wins and r.banker == 6 and r.banker_cards == 2,
            "20 to 1": lambda r: r.banker_wins and r.banker == 6 and r.banker_cards == 3,
        },
    )


CHAR_SIU = {4: "10 to 1", 5: "15 to 1", 6: "50 to 1"}


@pytest.mark.parametrize("cards", CHAR_SIU)
def test_4_1_13_char_siu_pays(doc: Document, cards: int) -> None:
    pays(doc, "banker-char-siu", CHAR_SIU[cards], rounds.BANKER_CHAR_SIU[cards], by="4.1.13")
    pays(doc, "player-char-siu", CHAR_SIU[cards], rounds.PLAYER_CHAR_SIU[cards], by="4.1.13")


def test_4_1_13_char_siu_by_one_point_with_7_8_or_9(doc: Document) -> None:
    banker, player = "banker-char-siu", "player-char-siu"
    checks.tiers_by_cards(doc, banker, lambda r: r.banker > 6 and r.banker - r.player == 1, CHAR_SIU)
    checks.tiers_by_cards(doc, player, lambda r: r.player > 6 and r.player - r.banker == 1, CHAR_SIU)
