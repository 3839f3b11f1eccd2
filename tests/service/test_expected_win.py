"""How far luck may take a win: covariances against every card that could come, one by one."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from thirdcard.odds import fresh, values
from thirdcard.odds.insurance import offers
from thirdcard.play.bets import result
from thirdcard.play.insurance import result as insured
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.conditions import Outcome, winner_of
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.lookup import usual_decks
from thirdcard.rulebook.model import Side
from thirdcard.rulebook.third_cards import next_by_points
from thirdcard.service.queries.expected_win import PriceLists, Prices, expected_win

pytestmark = pytest.mark.slow

BOOK = load("rws-commission-insurance-v5")
TIGER = load("mbs-tiger-v2")
Rounds = list[tuple[int, int, int, bool, bool, int]]


def every_round(book: Rulebook, player: int, banker: int) -> Rounds:
    """All rounds that begin with these totals by the points of every card, each with how many there are."""
    found = Counter[tuple[int, int, int, bool, bool]]()
    points = fresh(8).points
    starts = [
        cards
        for cards in product(range(10), repeat=4)
        if (cards[0] + cards[2]) % 10 == player and (cards[1] + cards[3]) % 10 == banker
    ]
    for cards in starts:
        left, ways = list(points), 1
        for card in cards:
            ways *= left[card]
            left[card] -= 1
        for x, y in product(range(10), repeat=2):
            many = ways * left[x] * (left[y] - (x == y))
            first = next_by_points(book.table_of_play, player, banker)
            p, b, thirds = player, banker, (False, False)
            if first is Side.PLAYER:
                p, thirds = (player + x) % 10, (True, False)
                if next_by_points(book.table_of_play, player, banker, (x,)) is Side.BANKER:
                    b, thirds = (banker + y) % 10, (True, True)
            elif first is Side.BANKER:
                b, thirds = (banker + x) % 10, (False, True)
            found[p, b, 0, *thirds] += many
    return [(*key, many) for key, many in found.items()]


def net(book: Rulebook, bet: str, one: tuple[int, int, int, bool, bool, int]) -> Fraction:
    outcome = Outcome(one[0], one[1], 2 + one[3], 2 + one[4], "none")
    came = result(book.bets[bet], outcome)
    if came.verdict != "win":
        return Fraction(-1 if came.verdict == "lose" else 0)
    return next(tier.odds.ratio for tier in book.bets[bet].pays if tier.tier == came.name)


def covariance(pairs: list[tuple[Fraction, Fraction, int]]) -> float:
    whole = sum(many for _, _, many in pairs)
    mean = [sum(pair[place] * pair[2] for pair in pairs) / Fraction(whole) for place in (0, 1)]
    return float(sum(a * b * many for a, b, many in pairs) / Fraction(whole) - mean[0] * mean[1])


@pytest.mark.parametrize("bet", ["player", "banker", "tie"])
def test_insurance_and_the_bets_beside_it(bet: str) -> None:
    assert BOOK.insurance is not None
    one = next(one for one in offers(BOOK, fresh(8)) if one.offer.window == 1 and one.rounds)
    odds = {"win": one.offer.odds.ratio, "lose": Fraction(-1), "push": Fraction(0)}
    pairs = []
    for way in every_round(BOOK, one.player, one.banker):
        verdict = insured(BOOK.insurance, one.offer, winner_of(way[0], way[1])).verdict
        pairs.append((odds[verdict], net(BOOK, bet, way), way[5]))
    prices = Prices.of(BOOK, 8)
    key = f"{one.offer.hand}-insurance:1:{one.player}:{one.banker}"
    assert prices.covariance(key, bet) == pytest.approx(covariance(pairs))
    itself = [(a, a, many) for a, _, many in pairs]
    assert prices.covariance(key, key) == pytest.approx(covariance(itself))


def test_two_bets_of_a_round_go_together() -> None:
    """Player and Banker win instead of one another; a pair does not care for either, nearly."""
    prices = Prices.of(TIGER, usual_decks(TIGER, None))
    ways = [way for p in range(10) for b in range(10) for way in every_round(TIGER, p, b)]
    pairs = [(net(TIGER, "player", way), net(TIGER, "banker", way), way[5]) for way in ways]
    assert prices.covariance("player", "banker") == pytest.approx(covariance(pairs))
    assert prices.covariance("banker", "player") == prices.covariance("player", "banker") < -0.8
    pair = next(bet for bet in TIGER.bets if bet.endswith("pair"))
    assert 0 < abs(prices.covariance("banker", pair)) < 0.05


def test_what_is_not_known_is_not_guessed() -> None:
    text, digest = canonical(TIGER), "d" * 64
    known = PriceLists({digest: text}.get)
    edge = values(TIGER, fresh(8))["tie"].house_edge
    assert expected_win({f"staked:tie|8|{digest}": 100_00}, known).cents == round(edge * 100_00)  # type: ignore[union-attr]
    assert expected_win({"staked:tie|8|": 100_00}, known) is None
    assert expected_win({f"staked:no-such-bet|8|{digest}": 1}, known) is None
    assert expected_win({"win": 5, "staked": 7}, known).cents == 0  # type: ignore[union-attr]
