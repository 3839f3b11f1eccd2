"""Tiger Buffalo (Commission Baccarat with Insurance Plus), RWS, version 2."""

import pytest

from rules import checks, insurance_checks, rounds
from rules.checks import pays, refusal, tiers, wins
from rules.helpers import Document, Draws, insurance_rows
from rules.insurance_checks import line, most
from thirdcard.money import Odds
from thirdcard.play.insurance import Bought
from thirdcard.rulebook.model import Side

SLUGS = ("rws-tiger-buffalo-commission-v2",)

DRAWS = Draws(  # 3.13, 3.15
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
ALL = "ABCDEFGHIJKLMN"
POSITIONS = dict.fromkeys(ALL, (1, 6)) | dict.fromkeys("DEFI", (1, 5)) | {"K": (10, 16)}
OFFERED = {
    "player": ALL,
    "banker": ALL,
    "tie": "ABCDEFGHIJKLMN",  # 4.1.3
    "player-pair": "ABDEGJK",  # 4.1.4
    "banker-pair": "ABDEGJK",
    "big-tiger": "ABCDEFGHIJKLN",  # 4.1.5
    "small-tiger": "ABCDEFGHIJKLN",
    "big-buffalo": "ABCDEFGHIJKLN",  # 4.1.6
    "small-buffalo": "ABCDEFGHIJKLN",
    "banker-big-7": "M",  # 4.1.7
    "banker-small-7": "M",
    "player-big-7": "M",  # 4.1.8
    "player-small-7": "M",
    "tiger-buffalo": "CFHI",  # 4.1.9
    "tiger-pair": "M",  # 4.1.10
    "tiger-tie": "LN",  # 4.1.11
    "wu-dalang": "CFHIM",  # 4.1.12
    "tiger": "M",  # 4.1.13
    "player-char-siu": "ABCDEFGHIJKLN",  # 4.1.14
    "banker-char-siu": "ABCDEFGHIJKLN",
}
INSURANCE = insurance_rows("""
    hand    window  player  banker  odds
    player  1       5       4       3 to 2
    player  1       6       0-5     5 to 2
    player  1       7       0-5     4 to 1
    player  2       5       0-4     3 to 2
    player  2       6       0-5     5 to 2
    player  2       7       0-6     4 to 1
    player  2       8       0-6     10 to 1
    player  2       9       0-6     10 to 1
    banker  1       0-3     4       3 to 2
    banker  1       0-4     5       3 to 2
    banker  1       0-5     6       5 to 2
    banker  1       0-5     7       4 to 1
    banker  2       0       1-6     10 to 1
    banker  2       1       1       6 to 1
    banker  2       1       2-6     10 to 1
    banker  2       2       3-6     4 to 1
    banker  2       3       4       5 to 2
""")
VALUES = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0), strict=True))


@pytest.fixture
def doc() -> Document:
    return Document(SLUGS[0], range(4, 11), DRAWS, POSITIONS, OFFERED, INSURANCE)


# --- 1. Definitions -----------------------------------------------------------------------------------


def test_1_1__3_13__3_15_table_of_play(doc: Document) -> None:
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


def test_1_14__3_12_1_no_insurance_unless_a_third_card_is_due(doc: Document) -> None:
    insurance_checks.closed(doc)


def test_1_15_natural(doc: Document) -> None:
    checks.naturals(doc)


def test_1_16__3_11_only_an_original_bet_can_be_insured(doc: Document) -> None:
    text = rounds.PLAYER_7_BANKER_DRAWS
    assert doc.settle(text, {"player": 10_00}, ("player", 1, 5_00)).net == -10_00 + 20_00
    none: tuple[dict[str, int], ...] = ({"banker": 10_00}, {"tie": 10_00, "player-pair": 10_00}, {})
    for bets in none:
        sentence = refusal(lambda: doc.settle(text, bets, ("player", 1, 5_00)))  # noqa: B023
        assert sentence.startswith("player-insurance needs an original bet on player")
        assert "3.11" in sentence


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
    assert len(POSITIONS) == 14
    checks.layouts(doc)


def test_2_2__2_2_1_four_to_ten_decks(doc: Document) -> None:
    checks.decks(doc, "2.2.1")


# --- 3. How to play -----------------------------------------------------------------------------------


def test_3_1__3_16_the_higher_total_wins(doc: Document) -> None:
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


def test_3_11_insures_only_the_hand_bet_on(doc: Document) -> None:
    text = rounds.BANKER_6_PLAYER_DRAWS
    assert doc.settle(text, {"banker": 10_00}, ("banker", 1, 4_00)).net == 9_50 - 4_00
    assert "needs an original bet on banker" in refusal(
        lambda: doc.settle(text, {"player": 10_00}, ("banker", 1, 4_00))
    )


def test_3_11__4_2_1_insurance_pays_when_the_hand_loses(doc: Document) -> None:
    insurance_checks.comes_out(
        doc,
        tie_paid=lambda row, play: (
            row.window == 2
            and (row.hand, play.player) in {(Side.PLAYER, 9), (Side.BANKER, 0)}
            and (row.hand is Side.PLAYER or play.start[1] in (1, 2, 3, 4, 5, 6))
        ),
    )


def test_3_12__4_1_15_offers_after_four_cards(doc: Document) -> None:
    insurance_checks.first_window(doc)


def test_3_12__4_1_15_offers_after_the_players_third_card(doc: Document) -> None:
    insurance_checks.second_window(doc)


@pytest.mark.parametrize("window", [-1, 0, 3])
def test_3_12_there_are_two_windows(doc: Document, window: int) -> None:
    sentence = refusal(lambda: line(doc, rounds.PLAYER_7_BANKER_DRAWS, "player", window))
    assert sentence.startswith(f"there is no insurance window {window}")


def test_3_12_1_refused_where_the_banker_stands(doc: Document) -> None:
    assert refusal(lambda: line(doc, rounds.BANKER_STANDS_ON_3, "banker", 2)) == (
        "no banker-insurance in window 2 at Player 0, Banker 3: the Banker stands on 3 (3.13, 3.15)"
    )
    insurance_checks.banker_stands(doc)


def test_3_12_2_up_to_the_original_bet_in_each_window(doc: Document) -> None:
    text, bets = rounds.PLAYER_INSURED_TWICE, {"player": 100_00}
    assert doc.settle(text, bets, ("player", 1, 100_00), ("player", 2, 100_00)).net == -100_00
    for window in (1, 2):
        sentence = refusal(lambda: doc.settle(text, bets, ("player", window, 101_00)))  # noqa: B023
        assert f"player-insurance in window {window} is at most 100 here (3.12.2)" in sentence
    assert doc.settle(text, bets, ("player", 1, 60_00), ("player", 1, 40_00)).net == 0
    assert "is at most 40 here (3.12.2)" in refusal(
        lambda: doc.settle(text, bets, ("player", 1, 60_00), ("player", 1, 41_00))
    )


def test_3_12_2_a_quarter_of_the_maximum_at_10_to_1(doc: Document) -> None:
    text = rounds.PLAYER_INSURED_TWICE  # 3 to 2, then 10 to 1
    assert most(doc, text, "player", 2, original=500_00, maximum=1_000_00) == 250_00
    assert most(doc, text, "player", 2, original=200_00, maximum=1_000_00) == 200_00
    assert most(doc, text, "player", 2, original=500_00, maximum=1_010_00) == 252_00  # not 252.50
    assert most(doc, text, "player", 2, original=500_00, maximum=1_000_00, at_these_odds=100_00) == 150_00
    assert most(doc, text, "player", 2, original=500_00, maximum=1_000_00, at_these_odds=250_00) == 0
    assert most(doc, text, "player", 2, original=500_00) == 500_00
    assert most(doc, text, "player", 1, original=500_00, maximum=1_000_00) == 500_00


def test_3_12_2_less_what_the_window_already_holds(doc: Document) -> None:
    text = rounds.PLAYER_INSURED_TWICE
    bought = (Bought(1, 100_00, Odds("3 to 2")), Bought(2, 30_00, Odds("10 to 1")))
    assert most(doc, text, "player", 2, original=100_00, bought=bought) == 70_00
    assert most(doc, text, "player", 2, original=100_00, bought=bought, unit=25_00) == 50_00
    assert most(doc, text, "player", 2, original=20_00, bought=bought) == 0


def test_3_12_2_each_hand_has_its_own_cap(doc: Document) -> None:
    bets = {"player": 40_00, "banker": 100_00}
    both = (("banker", 1, 100_00), ("player", 2, 40_00))
    assert doc.settle(rounds.BANKER_THEN_PLAYER_INSURED, bets, *both).net == -40_00 + 95_00 - 100_00 + 100_00


def test_3_17_a_tie_returns_player_and_banker(doc: Document) -> None:
    checks.tie_returns(doc, {"player", "banker"}, by="3.17")


def test_3_17__4_2_1_a_tie_returns_insurance(doc: Document) -> None:
    for text, hand, window in (
        (rounds.PLAYER_7_TIED, "player", 1),
        (rounds.PLAYER_DRAWS_TO_9_TIED, "player", 1),  # bought before the Player had 9
        (rounds.BANKER_DRAWS_TO_0_TIED, "banker", 1),  # bought before the Player had 0
    ):
        came = line(doc, text, hand, window)
        assert (came.result, came.net) == ("push", 0), text
        assert {"3.17", "4.2.1"} <= set(came.rules)


# --- 4. Settlement ------------------------------------------------------------------------------------


def test_4_1__4_1_1_commission_of_5_percent(doc: Document) -> None:
    for stake, net in ((20, 19), (1_00, 95), (12_60, 11_97), (2_000_00, 1_900_00)):
        assert doc.settle(rounds.BANKER_7_OVER_6, {"banker": stake}, unit=20).net == net
    assert doc.book.commission is not None
    assert doc.book.commission.rate * 100 == 5


def test_4_1__4_1_2_banker_and_player_pay(doc: Document) -> None:
    banker = (rounds.BANKER_7_OVER_6, rounds.BANKER_6_TWO_CARDS, rounds.BANKER_6_THREE_CARDS)
    player = (rounds.PLAYER_8_OVER_7, rounds.PLAYER_6_TWO_CARDS, rounds.PLAYER_6_THREE_CARDS)
    pays(doc, "banker", "0.95 to 1", banker, by="4.1.2")
    pays(doc, "player", "1 to 1", player, by="4.1.2")
    checks.not_won(doc, "player", rounds.BANKER_7_OVER_6, "lose", by="3.16")
    checks.not_won(doc, "banker", rounds.PLAYER_8_OVER_7, "lose", by="3.16")


def test_4_1_3_tie_pays(doc: Document) -> None:
    pays(doc, "tie", "8 to 1", (rounds.TIE_ON_7, rounds.TIE_ON_0), by="4.1.3")
    checks.layouts_named(doc, "tie", by="4.1.3")


def test_4_1_4_pairs_pay(doc: Document) -> None:
    pays(doc, "player-pair", "11 to 1", (rounds.PLAYER_PAIR, rounds.PAIRS_OF_TWO_RANKS), by="4.1.4")
    pays(doc, "banker-pair", "11 to 1", (rounds.BANKER_PAIR, rounds.PAIRS_OF_ONE_RANK), by="4.1.4")


def test_4_1_5_big_tiger_and_small_tiger_pay(doc: Document) -> None:
    pays(doc, "big-tiger", "50 to 1", rounds.BANKER_6_THREE_CARDS, by="4.1.5")
    pays(doc, "small-tiger", "22 to 1", rounds.BANKER_6_TWO_CARDS, by="4.1.5")


def test_4_1_6_big_buffalo_and_small_buffalo_pay(doc: Document) -> None:
    pays(doc, "big-buffalo", "35 to 1", rounds.PLAYER_6_THREE_CARDS, by="4.1.6")
    pays(doc, "small-buffalo", "20 to 1", rounds.PLAYER_6_TWO_CARDS, by="4.1.6")


def test_4_1_7_banker_7_pays(doc: Document) -> None:
    pays(doc, "banker-big-7", "30 to 1", rounds.BANKER_7_THREE_CARDS, by="4.1.7")
    pays(doc, "banker-small-7", "15 to 1", rounds.BANKER_7_TWO_CARDS, by="4.1.7")


def test_4_1_8_player_7_pays(doc: Document) -> None:
    pays(doc, "player-big-7", "30 to 1", rounds.PLAYER_7_THREE_CARDS, by="4.1.8")
    pays(doc, "player-small-7", "15 to 1", rounds.PLAYER_7_TWO_CARDS, by="4.1.8")


def test_4_1_9_tiger_buffalo_pays(doc: Document) -> None:
    tigers = (rounds.BANKER_6_TWO_CARDS, rounds.BANKER_6_THREE_CARDS)
    buffaloes = (rounds.PLAYER_6_TWO_CARDS, rounds.PLAYER_6_THREE_CARDS)
    pays(doc, "tiger-buffalo", "6 to 1", tigers + buffaloes, by="4.1.9")


def test_4_1_10_tiger_pair_pays(doc: Document) -> None:
    pays(doc, "tiger-pair", "4 to 1", (rounds.PLAYER_PAIR, rounds.BANKER_PAIR), by="4.1.10")
    pays(doc, "tiger-pair", "20 to 1", rounds.PAIRS_OF_TWO_RANKS, by="4.1.10")
    pays(doc, "tiger-pair", "100 to 1", rounds.PAIRS_OF_ONE_RANK, by="4.1.10")
    tiers(
        doc,
        "tiger-pair",
        {
            "4 to 1": lambda r: r.player_pair != r.banker_pair,
            "20 to 1": lambda r: r.player_pair and r.banker_pair and not r.same_pair,
            "100 to 1": lambda r: r.same_pair,
        },
    )


def test_4_1_11_tiger_tie_pays(doc: Document) -> None:
    pays(doc, "tiger-tie", "35 to 1", rounds.TIE_ON_6, by="4.1.11")


def test_4_1_12_wu_dalang_pays(doc: Document) -> None:
    pays(doc, "wu-dalang", "150 to 1", rounds.PLAYER_1_OVER_0, by="4.1.12")


def test_4_1_13_tiger_pays(doc: Document) -> None:
    pays(doc, "tiger", "12 to 1", rounds.BANKER_6_TWO_CARDS, by="4.1.13")
    pays(doc, "tiger", "20 to 1", rounds.BANKER_6_THREE_CARDS, by="4.1.13")
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
def test_4_1_14_char_siu_pays(doc: Document, cards: int) -> None:
    pays(doc, "banker-char-siu", CHAR_SIU[cards], rounds.BANKER_CHAR_SIU[cards], by="4.1.14")
    pays(doc, "player-char-siu", CHAR_SIU[cards], rounds.PLAYER_CHAR_SIU[cards], by="4.1.14")


def test_4_1_14_char_siu_by_one_point_with_7_8_or_9(doc: Document) -> None:
    banker, player = "banker-char-siu", "player-char-siu"
    checks.tiers_by_cards(doc, banker, lambda r: r.banker > 6 and r.banker - r.player == 1, CHAR_SIU)
    checks.tiers_by_cards(doc, player, lambda r: r.player > 6 and r.player - r.banker == 1, CHAR_SIU)


def test_4_1_15_insurance_pay_table(doc: Document) -> None:
    assert len(INSURANCE) == 17
    insurance_checks.pay_table(doc)


def test_4_2__4_2_1_tie_paid_on_players_9(doc: Document) -> None:
    came = line(doc, rounds.PLAYER_DRAWS_TO_9_TIED, "player", 2)
    assert (came.result, came.odds, came.net) == ("win", "10 to 1", 100_00)
    assert {"4.2.1(a)", "4.1.15"} <= set(came.rules)


def test_4_2__4_2_1_tie_paid_on_bankers_0(doc: Document) -> None:
    came = line(doc, rounds.BANKER_DRAWS_TO_0_TIED, "banker", 2)
    assert (came.result, came.odds, came.net) == ("win", "10 to 1", 100_00)
    assert {"4.2.1(b)", "4.1.15"} <= set(came.rules)
