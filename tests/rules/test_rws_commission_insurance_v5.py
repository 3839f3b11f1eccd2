"""Commission Baccarat with Insurance, RWS, version 5."""

import pytest

from rules import checks, insurance_checks, rounds
from rules.checks import pays, refusal, wins
from rules.helpers import Document, Draws, insurance_rows
from rules.insurance_checks import line, most
from thirdcard.money import Odds
from thirdcard.play.insurance import Bought
from thirdcard.rulebook.model import Side

SLUGS = ("rws-commission-insurance-v5",)

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
POSITIONS = {
    "A": (1, 12),
    "B": (1, 10),
    "C": (1, 9),
    "D": (1, 7),
    "E": (1, 7),
    "F": (1, 6),
    "G": (1, 5),
}
OFFERED = dict.fromkeys(("player", "banker", "tie", "player-pair", "banker-pair"), "ABCDEFG")  # 3.7
INSURANCE = insurance_rows("""
    hand    window  player  banker  odds
    banker  1       0-4     5       2 to 1
    banker  1       0-5     6       3 to 1
    banker  1       0-5     7       4 to 1
    player  1       5       4       2 to 1
    player  1       6       0-5     3 to 1
    player  1       7       0-5     4 to 1
    banker  2       1       1       6 to 1
    banker  2       1       2-6     7 to 1
    banker  2       2       3-6     4 to 1
    banker  2       3       4       1.5 to 1
    player  2       5       0-4     2 to 1
    player  2       6       0-5     3 to 1
    player  2       7       0-6     4 to 1
    player  2       8       0-6     7 to 1
    player  2       9       0-6     8 to 1
""")
VALUES = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0), strict=True))


@pytest.fixture
def doc() -> Document:
    return Document(SLUGS[0], range(4, 9), DRAWS, POSITIONS, OFFERED, INSURANCE)


# --- 1. Definitions -----------------------------------------------------------------------------------


def test_1_1__3_13__3_15_table_of_play(doc: Document) -> None:
    checks.table_of_play(doc)


def test_1_9__3_12_1_no_insurance_unless_a_third_card_is_due(doc: Document) -> None:
    insurance_checks.closed(doc)


def test_1_10_natural(doc: Document) -> None:
    checks.naturals(doc)


def test_1_11__3_11_only_an_original_bet_can_be_insured(doc: Document) -> None:
    text = rounds.PLAYER_7_BANKER_DRAWS
    assert doc.settle(text, {"player": 20_00}, ("player", 1, 5_00)).net == -20_00 + 20_00
    none: tuple[dict[str, int], ...] = ({"banker": 20_00}, {"tie": 20_00, "player-pair": 20_00}, {})
    for bets in none:
        sentence = refusal(lambda: doc.settle(text, bets, ("player", 1, 5_00)))  # noqa: B023
        assert sentence.startswith("player-insurance needs an original bet on player")
        assert "3.11" in sentence


def test_1_14_player_pair_and_banker_pair(doc: Document) -> None:
    wins(doc, "player-pair", lambda r: r.player_pair)
    wins(doc, "banker-pair", lambda r: r.banker_pair)
    checks.pairs(doc, Side.PLAYER, "player-pair")
    checks.pairs(doc, Side.BANKER, "banker-pair")


def test_1_7__1_15_point_total_of_a_hand(doc: Document) -> None:
    checks.point_totals(doc, VALUES)


def test_1_20_tie(doc: Document) -> None:
    wins(doc, "tie", lambda r: r.player == r.banker)


# --- 2. Mode of play ----------------------------------------------------------------------------------


def test_2_1__2_1_1_layouts(doc: Document) -> None:
    checks.layouts(doc)


def test_2_2__2_2_1_four_to_eight_decks(doc: Document) -> None:
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


def test_3_7_five_bets_each_alone(doc: Document) -> None:
    assert len(doc.offered) == 5
    checks.each_bet_alone(doc)


def test_3_10_first_four_cards(doc: Document) -> None:
    checks.four_cards(doc)
    for bet in ("player-pair", "banker-pair"):
        checks.not_won(doc, bet, rounds.THIRD_CARDS_MATCH, "lose", by="3.10")


def test_3_11_insures_only_the_hand_bet_on(doc: Document) -> None:
    text = rounds.BANKER_6_PLAYER_DRAWS
    assert doc.settle(text, {"banker": 20_00}, ("banker", 1, 4_00)).net == 19_00 - 4_00
    assert "needs an original bet on banker" in refusal(
        lambda: doc.settle(text, {"player": 20_00}, ("banker", 1, 4_00))
    )


def test_3_11__4_2_1_insurance_pays_when_the_hand_loses(doc: Document) -> None:
    insurance_checks.comes_out(
        doc,
        tie_paid=lambda row, play: row.window == 2 and row.hand is Side.PLAYER and play.player == 9,
    )


def test_3_12__4_1_3_offers_after_four_cards(doc: Document) -> None:
    insurance_checks.first_window(doc)


def test_3_12__4_1_3_offers_after_the_players_third_card(doc: Document) -> None:
    insurance_checks.second_window(doc)


@pytest.mark.parametrize("window", [-1, 0, 3])
def test_3_12_there_are_two_windows(doc: Document, window: int) -> None:
    sentence = refusal(lambda: line(doc, rounds.PLAYER_7_BANKER_DRAWS, "player", window))
    assert sentence.startswith(f"there is no insurance window {window}")


def test_3_12_1_refused_where_the_banker_stands(doc: Document) -> None:
    assert refusal(lambda: line(doc, rounds.BANKER_STANDS_ON_5, "player", 2)) == (
        "no player-insurance in window 2 at Player 6, Banker 5: the Banker stands on 5 (3.13, 3.15)"
    )
    insurance_checks.banker_stands(doc)


def test_3_12_2_winnings_up_to_the_original_bet(doc: Document) -> None:
    text, bets = rounds.PLAYER_INSURED_TWICE, {"player": 80_00}  # 2 to 1, then 8 to 1
    assert doc.settle(text, bets, ("player", 1, 40_00)).net == 80_00 - 40_00
    assert "in window 1 is at most 40 here (3.12.2)" in refusal(
        lambda: doc.settle(text, bets, ("player", 1, 41_00))
    )
    assert doc.settle(text, bets, ("player", 2, 10_00)).net == 80_00 - 10_00
    assert "in window 2 is at most 10 here (3.12.2)" in refusal(
        lambda: doc.settle(text, bets, ("player", 2, 11_00))
    )


def test_3_12_2_winnings_count_over_both_windows(doc: Document) -> None:
    text, bets = rounds.PLAYER_INSURED_TWICE, {"player": 80_00}
    assert doc.settle(text, bets, ("player", 1, 20_00), ("player", 2, 5_00)).net == 80_00 - 25_00
    for late in (("player", 1, 20_00), ("player", 2, 6_00)), (("player", 2, 6_00), ("player", 1, 20_00)):
        assert "in window 2 is at most 5 here (3.12.2)" in refusal(lambda: doc.settle(text, bets, *late))  # noqa: B023
    full = ("player", 1, 40_00)
    assert "in window 2 is at most 0 here" in refusal(
        lambda: doc.settle(text, bets, full, ("player", 2, 1_00))
    )


def test_3_12_2_rounded_down_to_the_chip_unit(doc: Document) -> None:
    three_to_one = rounds.BANKER_6_PLAYER_DRAWS
    assert most(doc, three_to_one, "banker", 1, original=100_00) == 33_00
    assert most(doc, three_to_one, "banker", 1, original=100_00, unit=20) == 33_20
    assert most(doc, three_to_one, "banker", 1, original=100_00, unit=5_00) == 30_00
    assert most(doc, three_to_one, "banker", 1, original=2_00) == 0
    three_to_two = rounds.BANKER_4_PLAYER_3
    assert most(doc, three_to_two, "banker", 2, original=100_00) == 66_00
    assert most(doc, three_to_two, "banker", 2, original=99_00) == 66_00
    bought = (Bought(1, 10_00, Odds("2 to 1")), Bought(2, 5_00, Odds("8 to 1")))
    assert most(doc, rounds.PLAYER_INSURED_TWICE, "player", 2, original=100_00, bought=bought) == 5_00


def test_3_12_2_each_hand_has_its_own_cap(doc: Document) -> None:
    bets = {"player": 30_00, "banker": 100_00}
    both = (("banker", 1, 50_00), ("player", 2, 10_00))
    assert doc.settle(rounds.BANKER_THEN_PLAYER_INSURED, bets, *both).net == -30_00 + 95_00 - 50_00 + 30_00


def test_3_17_a_tie_returns_player_and_banker(doc: Document) -> None:
    checks.tie_returns(doc, {"player", "banker"}, by="3.17")


def test_3_17__4_2_1_a_tie_returns_insurance(doc: Document) -> None:
    for text, hand, window in (
        (rounds.PLAYER_7_TIED, "player", 1),
        (rounds.PLAYER_DRAWS_TO_9_TIED, "player", 1),  # bought before the Player had 9
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


def test_4_1__4_1_2_pay_table(doc: Document) -> None:
    banker = (rounds.BANKER_7_OVER_6, rounds.BANKER_6_TWO_CARDS, rounds.BANKER_6_THREE_CARDS)
    player = (rounds.PLAYER_8_OVER_7, rounds.PLAYER_6_TWO_CARDS, rounds.PLAYER_6_THREE_CARDS)
    pays(doc, "banker", "0.95 to 1", banker, by="4.1.2")
    pays(doc, "player", "1 to 1", player, by="4.1.2")
    pays(doc, "tie", "8 to 1", (rounds.TIE_ON_7, rounds.TIE_ON_0), by="4.1.2")
    pays(doc, "player-pair", "11 to 1", (rounds.PLAYER_PAIR, rounds.PAIRS_OF_TWO_RANKS), by="4.1.2")
    pays(doc, "banker-pair", "11 to 1", (rounds.BANKER_PAIR, rounds.PAIRS_OF_ONE_RANK), by="4.1.2")
    checks.not_won(doc, "player", rounds.BANKER_7_OVER_6, "lose", by="3.16")
    checks.not_won(doc, "banker", rounds.PLAYER_8_OVER_7, "lose", by="3.16")


def test_4_1_3_insurance_pay_table(doc: Document) -> None:
    assert len(INSURANCE) == 15
    insurance_checks.pay_table(doc)


def test_4_2__4_2_1_tie_paid_on_players_9(doc: Document) -> None:
    came = line(doc, rounds.PLAYER_DRAWS_TO_9_TIED, "player", 2)
    assert (came.result, came.odds, came.net) == ("win", "8 to 1", 80_00)
    assert {"4.2.1", "4.1.3"} <= set(came.rules)


def test_4_2__4_2_1_no_such_exception_for_bankers_0(doc: Document) -> None:
    assert "no such row in the table" in refusal(
        lambda: line(doc, rounds.BANKER_DRAWS_TO_0_TIED, "banker", 2)
    )
