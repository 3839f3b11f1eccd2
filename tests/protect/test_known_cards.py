"""Known cards and options of rulings, against plain enumeration of small shoes and against published figures."""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest

from thirdcard.cards import Card, parse_cards
from thirdcard.odds import Composition, fresh, values
from thirdcard.play.bets import result, standing
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.protect.known_cards import best_of, known_cards, known_places, sorted_backs
from thirdcard.protect.pricing import Pricing, price
from thirdcard.protect.readings import readings
from thirdcard.protect.worths import Exposure
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.conditions import sight_of
from thirdcard.rulebook.model import Bet, Rulebook
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.rulebook.trace import interpretations

pytestmark = pytest.mark.slow

FEW = parse_cards("6C 6D 7H 9S AC 3D KH 8S")  # 20,160 rounds
MBS = "mbs-tiger-v2"
BETS = (
    (MBS, "banker"),
    (MBS, "small-tiger"),
    (MBS, "tiger-pair"),
    ("examples/rulebooks/perfect-pairs.toml", "perfect-pair"),
    ("examples/rulebooks/nine-over-seven.toml", "three-giving-eight"),
)


def left_of(cards: tuple[Card, ...]) -> Composition:
    by_card = tuple(cards.count(card) for card in Card)
    return Composition(tuple(sum(by_card[rank::13]) for rank in range(13)), by_card)


LEFT = left_of(FEW)


def net(book: Rulebook, bet: Bet, cards: tuple[Card, ...]) -> Fraction:
    came = result(bet, outcome_of(Deal(book.table_of_play, cards), sight_of(bet)))
    if came.tier is not None:
        return came.tier.odds.ratio
    return Fraction(-1 if came.verdict == "lose" else 0)


@cache
def rounds(slug: str, name: str) -> tuple[tuple[tuple[Card, ...], Fraction], ...]:
    book = load(slug)
    return tuple((cards, net(book, book.bets[name], cards)) for cards in permutations(FEW, 6))


@pytest.mark.gate("mbs")
@pytest.mark.parametrize(("slug", "name"), BETS)
def test_known_cards_of_a_small_shoe(slug: str, name: str) -> None:
    book, dealt = load(slug), rounds(slug, name)
    found = known_cards(book, LEFT, (name,))[name]
    assert found.everything.worth == sum(max(won, Fraction(0)) for _, won in dealt) / len(dealt)
    for place in range(1, 7):
        by_rank = defaultdict(list)
        for cards, won in dealt:
            by_rank[cards[place - 1].rank].append(won)
        told = {rank: sum(won) / len(won) for rank, won in by_rank.items()}
        assert {rank: found.places[place].by_rank[rank] for rank in told} == told
        expected = sum(max(sum(won, Fraction(0)), Fraction(0)) for won in by_rank.values()) / len(dealt)
        assert found.places[place].worth == expected
    pairs: dict[object, Fraction] = defaultdict(Fraction)
    for cards, won in dealt:
        pairs[cards[1].rank, cards[4].rank] += won
    worth = sum(max(won, Fraction(0)) for won in pairs.values()) / len(dealt)
    assert known_places(book, LEFT, name, (2, 5)).worth == worth


@pytest.mark.parametrize(
    ("name", "cards", "beyond"), [("banker", 3, 3), ("small-tiger", 5, 4), ("tiger-pair", 4, 2)]
)
def test_a_bet_taken_back_in_a_small_shoe(name: str, cards: int, beyond: int) -> None:
    """5.8.1: a bet that no card beyond doubt decides is taken back where it is worth less than nothing."""
    book = load(MBS)
    worth: dict[object, Fraction] = defaultdict(Fraction)
    for dealt, won in rounds(MBS, name):
        if not standing(book.bets[name], book.table_of_play, dealt[:beyond]).decided:
            worth[tuple(card.rank for card in dealt[:cards])] += won
    expected = -sum(min(won, Fraction(0)) for won in worth.values()) / len(rounds(MBS, name))
    exposure = Exposure(known=tuple(range(1, cards + 1)), decide=beyond)
    assert Pricing(book, LEFT).taken_back(name, exposure, open_only=False) == expected


def test_a_bet_taken_back_while_no_outcome_is_established() -> None:
    """5.17.1: with three cards open, only where they decide no bet of the layout."""
    book = load(MBS)
    pricing = Pricing(book, LEFT)
    for name in ("banker", "tiger-pair"):
        worth: dict[object, Fraction] = defaultdict(Fraction)
        for dealt, won in rounds(MBS, name):
            if not any(standing(bet, book.table_of_play, dealt[:3]).decided for bet in book.bets.values()):
                worth[tuple(card.rank for card in dealt[:3])] += won
        expected = -sum(min(won, Fraction(0)) for won in worth.values()) / len(rounds(MBS, name))
        assert pricing.taken_back(name, Exposure(known=(1, 2, 3), decide=3)) == expected


def test_an_order_that_nobody_knows_yet_is_worth_less() -> None:
    """5.8.2.2: before the order is decided people see the two cards, after it which of them counts first."""
    book, name = load(MBS), "banker"
    worth: dict[object, Fraction] = defaultdict(Fraction)
    for dealt, won in rounds(MBS, name):
        if not standing(book.bets[name], book.table_of_play, dealt[:4]).decided:
            first = tuple(card.rank for card in dealt[:4])
            worth[first, tuple(sorted(card.rank for card in dealt[4:]))] += won
    expected = -sum(min(won, Fraction(0)) for won in worth.values()) / len(rounds(MBS, name))
    pricing, whole = Pricing(book, LEFT), (1, 2, 3, 4, 5, 6)
    untold = pricing.taken_back(name, Exposure(known=whole, decide=4, together=(5, 6)), open_only=False)
    told = pricing.taken_back(name, Exposure(known=whole, decide=4), open_only=False)
    assert untold == expected < told


def test_published_figures_of_one_known_card() -> None:
    """Eight decks, Player or Banker, betting only when it pays."""
    book = load("rws-commission-insurance-v5")
    found = best_of(fresh(8), known_cards(book, fresh(8), ("player", "banker")))
    told = {place: f"{float(one.worth):.3%}" for place, one in found.items()}
    assert (told[1], told[3], told[5]) == ("6.765%", "6.765%", "8.973%")


def test_published_figures_of_sorted_backs() -> None:
    """Eight decks, Player, Banker or Tie (Jacobson): 6 to 9 told from the rest, one card and four; the best of all sorts."""
    book, main = load("rws-commission-insurance-v5"), ("player", "banker", "tie")
    found = sorted_backs(book, fresh(8), main)
    assert (f"{float(found[1].worth):.3%}", f"{float(found[4].worth):.3%}") == ("6.765%", "20.928%")
    best = sorted_backs(book, fresh(8), main, (4, 5, 6, 7, 8, 9))
    assert f"{float(best[4].worth):.3%}" == "30.291%"


def test_sorted_backs_of_a_small_shoe() -> None:
    """By dealing every round: of a bet on totals and one on ranks, whichever pays more by the backs of three cards."""
    book, names = load(MBS), ("banker", "tiger-pair")
    worth: dict[tuple[bool, ...], list[Fraction]] = defaultdict(lambda: [Fraction(0)] * len(names))
    for which, name in enumerate(names):
        for dealt, won in rounds(MBS, name):
            backs = tuple(card.points in {6, 7} for card in dealt[:3])
            worth[backs] = [one + won * (at == which) for at, one in enumerate(worth[backs])]
    expected = sum(max(Fraction(0), *each) for each in worth.values()) / len(rounds(MBS, "banker"))
    assert sorted_backs(book, LEFT, names, (6, 7))[3].worth == expected > 0


@pytest.mark.gate("mbs", "rws-tiger-buffalo-commission")
@pytest.mark.parametrize("slug", slugs())
def test_every_ruling_is_priced_or_says_why_not(slug: str) -> None:
    """In every document; and where nobody is said to have a choice, no remedy gives one."""
    for case in price(load(slug), LEFT, names=("banker",)):
        for ruling in case.rulings:
            assert bool(ruling.options) != bool(ruling.zero), (case.case, ruling.remedy)
            if ruling.zero == ("no-choice",):
                assert not any(REMEDIES[remedy].options for remedy in ruling.remedy), (
                    case.case,
                    ruling.remedy,
                )


def test_neglected_insurance_is_a_claim() -> None:
    (case,) = price(load("rws-commission-insurance-v5"), LEFT, "neglected-insurance")
    offered, claimed = case.rulings
    assert offered.zero == ("as-ever",)
    assert claimed.options[0].gives == "claim"
    assert 0 < claimed.options[0].bets["player"].worth < 1


@pytest.mark.whole
def test_every_interpretation_has_a_price_or_a_reason() -> None:
    book = load("rws-tiger-buffalo-non-commission-v3")
    found = {one.number: one for one in readings(book, fresh(8))}
    assert set(found) == {one.number for one in interpretations() if book.slug in one.paragraphs}
    assert all(bool(one.moves) != bool(one.why) for one in found.values())
    (moved,) = found[8].moves  # 4.1.4: 22 to 1, of which a drawing says 25
    assert moved.units == 3 * values(book, fresh(8), ("small-tiger",))["small-tiger"].win * 1_000_000


def test_44_what_waits_for_its_tier_is_worth_more() -> None:
    """4.2, 5.9: a pair of the Player's after three cards is paid as a single one, and may become a double or a twin."""
    book = load(MBS)
    (found,) = [one for one in readings(book, fresh(8)) if one.number == 44]
    (moved,) = found.moves  # every other bet is certain to win only when its tier is certain too
    assert (moved.bet, moved.case) == ("tiger-pair", "device-reset, cards out: 3")
    ways = 416 * 415 * 414 * 413
    double, twin = 13 * 32 * 31 * 12 * 32 * 31, 13 * 32 * 31 * 30 * 29
    assert moved.units == Fraction(double * (20 - 4) + twin * (100 - 4), ways) * 1_000_000
