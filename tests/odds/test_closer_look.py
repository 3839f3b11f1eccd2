"""Bets that look at ranks by place, at suits, at pairs with totals, or that push in several ways."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import perm
from pathlib import Path

import msgspec
import numpy as np
import pytest

from odds import slow
from odds.random_bets import LETTERS, random_bet
from odds.test_counting import strange
from thirdcard.answers import told
from thirdcard.cards import Card, Rank, parse_cards
from thirdcard.errors import BadInput
from thirdcard.money import Odds
from thirdcard.odds import Composition, by_decks, effects, fresh, plan, shoe, tallies, values
from thirdcard.odds.bet_values import cells_of, results_of
from thirdcard.odds.kernel import Kernel
from thirdcard.odds.starts import rounds
from thirdcard.play.bets import result
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.conditions import HandWhen, Pairing, Suits, sight_of
from thirdcard.rulebook.model import Bet, TableOfPlay, Tier, When
from thirdcard.rulebook.parts import Numbers

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"
BOOK = load("mbs-tiger-v2")
TABLE = BOOK.table_of_play


def offering(bets: Iterable[Bet], table: TableOfPlay = TABLE) -> Rulebook:
    return msgspec.structs.replace(BOOK, table_of_play=table, bets={bet.name: bet for bet in bets})


def bet_on(when: When, odds: str = "1 to 1") -> Bet:
    return Bet(name="bet", pays=(Tier(tier="win", when=when, odds=Odds(odds)),))


def chance(when: When, composition: Composition) -> Fraction:
    return values(offering([bet_on(when)]), composition)["bet"].win


def check(book: Rulebook, composition: Composition) -> None:
    """The fast counts, plain and compiled, are those of every round dealt card by card."""
    expected = slow.tallies(book, slow.outcomes(book.table_of_play, composition, slow.EVERYTHING))
    found = tallies(book, composition)
    assert {name: slow.nonzero(tally) for name, tally in found.items()} == expected, composition
    assert all(list(found[name]) == list(results_of(bet)) for name, bet in book.bets.items())
    assert Kernel(book).tally(composition.by_card or composition.ranks) == found, composition


@pytest.mark.gate("0", "1")
@pytest.mark.parametrize("seed", range(12))
def test_any_bet_equals_the_slow_enumeration(seed: int) -> None:
    check(offering(random_bet(100 * seed + number) for number in range(8)), slow.suited_shoe(seed))


@pytest.mark.parametrize("seed", range(3))
def test_any_table_of_play_is_followed(seed: int) -> None:
    bets = [random_bet(7000 + 100 * seed + number) for number in range(4)]
    check(offering(bets, strange(TABLE)), slow.suited_shoe(20 + seed))


@pytest.mark.parametrize("seed", range(3))
def test_suits_need_not_be_known_where_nobody_looks_at_them(seed: int) -> None:
    bets = [random_bet(8000 + 100 * seed + number) for number in range(12)]
    check(offering(bet for bet in bets if not any(sight_of(bet).suits)), slow.small_shoe(seed))


def test_the_random_bets_need_every_kind_of_joint_count() -> None:
    bets = [random_bet(100 * seed + number) for seed in range(12) for number in range(8)]
    assert {cells_of(bet).needs for bet in bets} >= {"endings", "joint", "starts"}
    assert {sight_of(bet).suits for bet in bets} == {(a, b) for a in (False, True) for b in (False, True)}


@pytest.mark.parametrize("composition", [fresh(8), slow.large_shoe(3)], ids=["fresh", "odd"])
def test_starts_count_what_points_and_pairs_count(composition: Composition) -> None:
    """Two ways to the same counts, of shoes too large to enumerate."""
    for number in range(40):
        bet = random_bet(number)
        if cells_of(bet).needs != "starts":
            tally = tallies(offering([bet]), composition)[bet.name]
            found = rounds(TABLE, composition, (bet,))
            assert {names[0]: count for names, count in found.items() if count} == slow.nonzero(tally)


# ---- chances that are known otherwise ---------------------------------------------------------------------


def test_a_card_by_place() -> None:
    for hand in (HandWhen(first=("K",)), HandWhen(second=("K",))):
        for when in (When(player=hand), When(banker=hand)):
            assert chance(when, fresh(8)) == Fraction(1, 13)
    drawn = chance(When(player=HandWhen(cards=Numbers(3))), fresh(8))
    by_rank = [chance(When(player=HandWhen(third=(letter,))), fresh(8)) for letter in LETTERS]
    assert sum(by_rank) == drawn
    assert len(set(by_rank)) > 1  # those who draw hold few eights and nines


def test_suits_of_the_first_two_cards() -> None:
    for suits, cards in ((Suits.SAME, 103), (Suits.COLOUR, 104), (Suits.MIXED, 208)):
        hand = HandWhen(suits=(suits,))
        for when in (When(player=hand), When(banker=hand)):
            assert chance(when, fresh(8)) == Fraction(cards, 415)


@pytest.mark.parametrize("seen", ["", "9C", "9C 9C 9C AS AH 2D 3D KC"])
def test_perfect_pairs_of_the_cards_that_are_left(seen: str) -> None:
    left = shoe(BOOK, 8, parse_cards(seen))
    counts = Counter(list(Card) * 8) - Counter(parse_cards(seen))
    alike = sum(count * (count - 1) for count in counts.values())
    expected = Fraction(alike, perm(left.cards, 2))
    assert chance(When(player=HandWhen(pair=True, suits=(Suits.SAME,))), left) == expected
    assert chance(When(pair=Pairing.BANKER, pair_suits=(Suits.SAME,)), left) == expected


def test_which_card_of_a_rank_was_seen_matters_to_suits_only() -> None:
    book = load(EXAMPLES / "perfect-pairs.toml")
    clubs, mixed = (values(book, shoe(book, 8, parse_cards(seen))) for seen in ("9C 9C", "9C 9S"))
    assert clubs["perfect-pair"].ev != mixed["perfect-pair"].ev
    assert all(clubs[name].ev == mixed[name].ev for name in book.bets if name != "perfect-pair")


# ---- compositions with suits ------------------------------------------------------------------------------


def test_a_shoe_keeps_its_suits() -> None:
    left = shoe(BOOK, 8, parse_cards("9C 9C KD"))
    assert left.suits[3] == (8,) * 8 + (6,) + (8,) * 4
    assert left.suits[2] == (8,) * 12 + (7,)
    assert left.without(parse_cards("9C")).suits[3][8] == 5
    with pytest.raises(BadInput, match="no 9C is left in the shoe, so 9C cannot be drawn from it"):
        fresh(1).without(parse_cards("9C 9C"))


@pytest.mark.parametrize("by_card", [(8,) * 51, (8,) * 51 + (9,), (9, 7) + (8,) * 50, (-1, *(8,) * 51)])
def test_single_cards_add_up_to_ranks(by_card: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="52 counts of single cards do not add up"):
        Composition((32,) * 13, by_card)


def test_bets_on_suits_need_to_know_them() -> None:
    book = load(EXAMPLES / "perfect-pairs.toml")
    kernel = Kernel(book)
    assert tallies(book, Composition((32,) * 13)) == tallies(book, fresh(8)) == kernel.tally((32,) * 13)
    odd = (31, *(32,) * 12)
    for asked in (lambda: tallies(book, Composition(odd)), lambda: kernel.tallies(odd)):
        with pytest.raises(BadInput, match="a bet on suits needs 52 counts"):
            asked()
    assert kernel.names == tuple(book.bets)
    assert tallies(book, Composition(odd), ("banker", "player-pair"))


# ---- the kernel -------------------------------------------------------------------------------------------


def test_the_kernel_takes_every_bet_at_once() -> None:
    bets = [*BOOK.bets.values(), *(random_bet(number) for number in range(6))]
    book = offering(bets)
    kernel = Kernel(book)
    shoes = [slow.suited_shoe(seed) for seed in range(5)] + [fresh(8), shoe(BOOK, 8, parse_cards("9C AS"))]
    cards = np.array([left.by_card for left in shoes])
    exact = np.array([[float(value.ev) for value in values(book, left).values()] for left in shoes])
    assert np.abs(kernel.values(cards) - exact).max() < 1e-12
    assert np.array_equal(kernel.tallies(cards), [kernel.tallies(one) for one in cards])
    assert len(kernel.rows) == sum(len(results_of(bet)) for bet in bets)


@pytest.mark.parametrize("by_card", [(-1, 9, *(8,) * 50), (2**62, *(8,) * 51), (0,) * 51 + (5,)])
def test_what_cannot_be_counted_is_refused(by_card: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="cannot be counted"):
        Kernel(BOOK).tallies(by_card)


# ---- several pushes, and odds of nothing ------------------------------------------------------------------


def test_every_push_has_its_own_count() -> None:
    ez = load(EXAMPLES / "ez-baccarat.toml")
    found = values(ez, fresh(8))
    assert list(found["banker"].tally) == ["two cards", "three cards", "push", "three-card 7", "lose"]
    assert found["banker"].push == found["tie"].win + found["dragon-7"].win
    assert found["banker"].chance("three-card 7") == found["dragon-7"].win
    assert list(found["tie"].tally) == ["win", "push", "lose"]
    as_json = {name: told(value) for name, value in found.items()}
    assert as_json["banker"]["pushes"]["three-card 7"]["probability"] == str(found["dragon-7"].win)
    assert [name for name, bet in as_json.items() if "pushes" in bet] == ["banker"]


@pytest.mark.parametrize(
    ("name", "percent"), [("banker", "1.0183"), ("dragon-7", "7.6113"), ("panda-8", "10.1876")]
)
def test_ez_baccarat_as_published(name: str, percent: str) -> None:
    value = values(load(EXAMPLES / "ez-baccarat.toml"), fresh(8))[name]
    assert f"{float(value.house_edge * 100):.4f}" == percent


def test_a_win_that_pays_nothing() -> None:
    book = offering([bet_on(When(winner=("player",)), "0 to 1")])
    value = values(book, fresh(8))["bet"]
    assert value.ev == -value.lose == value.win - 1
    assert plan(book, fresh(8), {"bet": 100}).rounds == {-100: value.tally["lose"], 0: value.tally["win"]}


# ---- plans and comparisons --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_a_plan_of_any_bets_equals_rounds_settled_one_by_one(seed: int) -> None:
    bets = [random_bet(3000 + 10 * seed + number) for number in range(3)] + [BOOK.bets["banker"]]
    book, left = offering(bets), slow.suited_shoe(40 + seed)
    stakes = {bet.name: 100 * (number + 1) for number, bet in enumerate(bets)}
    nets: Counter[int] = Counter()
    for outcome, ways in slow.outcomes(TABLE, left, slow.EVERYTHING).items():
        came = [(result(bet, outcome), stakes[bet.name]) for bet in bets]
        nets[
            sum(
                one.tier.odds.winnings_cents(stake) if one.tier else -stake * (one.verdict == "lose")
                for one, stake in came
            )
        ] += ways
    assert list(plan(book, left, stakes).rounds.items()) == sorted(nets.items())


def test_a_plan_of_plain_bets_costs_the_same_beside_a_bet_on_suits() -> None:
    book = load(EXAMPLES / "perfect-pairs.toml")
    worth = values(book, fresh(8))
    stakes = {"banker": 10_000, "perfect-pair": 500, "either-pair": 300}
    expected = sum((worth[name].ev * stake for name, stake in stakes.items()), Fraction(0))
    assert plan(book, fresh(8), stakes).mean == expected


def test_one_card_less_is_the_mean_over_its_suits() -> None:
    book, left = load(EXAMPLES / "perfect-pairs.toml"), shoe(BOOK, 8, parse_cards("9C 9C 9C 9H KS"))
    found = effects(book, left, ("perfect-pair", "player"))
    without = {
        card: values(book, left.without((card,)), ("perfect-pair",))["perfect-pair"].ev
        for card in parse_cards("9S 9H 9D 9C")
    }
    assert len(set(without.values())) > 1
    mean = sum(ev * count for ev, count in zip(without.values(), (8, 7, 8, 5), strict=True)) / Fraction(28)
    assert found["perfect-pair"][Rank.NINE] == mean - values(book, left)["perfect-pair"].ev
    assert found["player"] == effects(book, Composition(left.ranks), ("player",))["player"]


def test_more_decks_make_more_perfect_pairs() -> None:
    book = load(EXAMPLES / "perfect-pairs.toml")
    edges = [worth["perfect-pair"].house_edge for worth in by_decks(book, ("perfect-pair",)).values()]
    assert edges == sorted(edges, reverse=True)
    assert len(set(edges)) == len(edges)
