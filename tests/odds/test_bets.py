"""Values of bets: published figures, comparisons, plans."""

from collections import Counter
from fractions import Fraction
from math import erf, sqrt

import pytest

from odds import slow
from thirdcard.cards import Rank, parse_cards
from thirdcard.errors import BadInput
from thirdcard.odds import Composition, against, by_decks, effects, fresh, plan, shoe, values
from thirdcard.odds.bet_plans import BetPlan, read_plan, run
from thirdcard.play.outcome import outcome_of
from thirdcard.play.settlement import Game
from thirdcard.rulebook import load, slugs

COMMISSION = "rws-tiger-buffalo-commission-v2"
FREE = "rws-tiger-buffalo-non-commission-v4"
MBS = "mbs-tiger-v2"
CBI = "rws-commission-insurance-v5"

# Rulebook and pay paragraph, decks, bet, house edge in percent as published.
PUBLISHED = [
    (CBI, "4.1.2", 8, "player", "1.2351"),
    (CBI, "4.1.1", 8, "banker", "1.0579"),
    (CBI, "4.1.2", 8, "tie", "14.3596"),
    (CBI, "4.1.2", 8, "player-pair", "10.3614"),
    (CBI, "4.1.2", 8, "banker-pair", "10.3614"),
    (FREE, "4.1.1", 8, "banker", "1.4581"),
    (FREE, "4.1.4", 8, "big-tiger", "15.2533"),
    (MBS, "4.3", 8, "tiger", "16.6836"),
    (MBS, "4.2", 8, "tiger-pair", "16.1217"),
    (COMMISSION, "4.1.2", 6, "player", "1.2374"),
    (COMMISSION, "4.1.1", 6, "banker", "1.0558"),
    (COMMISSION, "4.1.3", 6, "tie", "14.4382"),
    (COMMISSION, "4.1.14", 8, "banker-char-siu", "15.2500"),
    (COMMISSION, "4.1.12", 8, "wu-dalang", "25.5658"),
]


@pytest.mark.parametrize(
    ("slug", "paragraph", "decks", "name", "percent"),
    PUBLISHED,
    ids=[f"{slug}:{paragraph}-{name}-{decks}" for slug, paragraph, decks, name, _ in PUBLISHED],
)
def test_house_edges_as_published(slug: str, paragraph: str, decks: int, name: str, percent: str) -> None:
    value = values(load(slug), fresh(decks))[name]
    assert f"{float(value.house_edge * 100):.4f}" == percent
    assert any(paragraph in tier.rules for tier in value.bet.pays)


def test_a_pair_is_31_in_415() -> None:
    assert values(load(CBI), fresh(8))["player-pair"].win == Fraction(31, 415)


@pytest.mark.parametrize("slug", slugs())
def test_values_follow_from_their_chances(slug: str) -> None:
    for value in values(load(slug), slow.large_shoe(4)).values():
        assert value.win + value.push + value.lose == 1
        nets = [(tier.odds.ratio, value.chance(tier.tier)) for tier in value.bet.pays] + [
            (Fraction(-1), value.lose)
        ]
        mean = sum((net * chance for net, chance in nets), Fraction(0))
        assert value.ev == mean == -value.house_edge
        spread = sum(((net - mean) ** 2 * chance for net, chance in nets), value.push * mean**2)
        assert value.variance == spread


def test_seen_cards_leave_the_shoe() -> None:
    left = shoe(load(MBS), 8, parse_cards("9C 9C KD AS"))
    assert left.cards == 412
    assert (left.ranks[Rank.NINE - 1], left.ranks[Rank.KING - 1], left.ranks[Rank.ACE - 1]) == (30, 31, 31)
    assert left.points == (127, 31, 32, 32, 32, 32, 32, 32, 32, 30)


@pytest.mark.parametrize(
    ("decks", "seen", "complaint"),
    [
        (3, "", "played with 4 to 10 decks"),
        (11, "", "played with 4 to 10 decks"),
        (4, "9C 9C 9C 9C 9C", "9C comes 5 times, but 4 decks hold only 4"),
        (8, "9X", "'9X' is not a card"),
    ],
)
def test_bad_shoes(decks: int, seen: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        shoe(load(MBS), decks, parse_cards(seen))


def test_a_card_that_is_gone_cannot_be_drawn() -> None:
    with pytest.raises(BadInput, match="no A is left"):
        Composition((0, *(4,) * 12)).without(parse_cards("AS"))


def test_effects_of_removal() -> None:
    book, left = load(FREE), slow.large_shoe(1)
    found = effects(book, left, ("banker", "tiger-pair"))
    assert set(found["banker"]) == {rank for rank in Rank if left.ranks[rank - 1]}
    for rank, change in found["tiger-pair"].items():
        fewer = list(left.ranks)
        fewer[rank - 1] -= 1
        after = values(book, Composition(tuple(fewer)))["tiger-pair"].ev
        assert change == after - values(book, left)["tiger-pair"].ev


def test_one_card_less_does_not_change_a_pair_in_a_fresh_shoe() -> None:
    assert set(effects(load(CBI), fresh(), ("player-pair",))["player-pair"].values()) == {0}


def test_by_decks_covers_what_the_document_allows() -> None:
    found = by_decks(load(CBI), ("banker",), parse_cards("9C"))
    assert list(found) == [4, 5, 6, 7, 8]
    assert found[6]["banker"].ev == values(load(CBI), fresh(6).without(parse_cards("9C")))["banker"].ev


def test_version_4_changed_nothing_but_the_layouts() -> None:
    found = against(load("rws-tiger-buffalo-non-commission-v3"), load(FREE), fresh())
    assert (found.changed, found.only_here, found.only_there) == ((), (), ())
    assert list(found.layouts) == ["R"]
    assert found.layouts["R"].here is None


def test_commission_against_non_commission() -> None:
    found = against(load(COMMISSION), load(FREE), fresh())
    assert found.changed == ("banker",)
    here, there = found.common["banker"]
    assert 0 < here.house_edge < there.house_edge


# ---- plans ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "layout", "stakes"),
    [
        (COMMISSION, "M", {"banker": 10_000, "tiger-pair": 500, "wu-dalang": 20, "tiger": 60}),
        (COMMISSION, "A", {"player": 5000, "banker-pair": 700, "banker-char-siu": 300}),
        (FREE, "P", {"banker": 20, "tiger-pair": 2000, "tie": 100}),
    ],
)
@pytest.mark.parametrize("seed", [2, 7, 11])
def test_a_plan_equals_rounds_settled_one_by_one(
    slug: str, layout: str, stakes: dict[str, int], seed: int
) -> None:
    book, left = load(slug), slow.small_shoe(seed)
    game = Game(book, layout, decks=10, unit=20)
    nets: Counter[int] = Counter()
    for deal, ways in slow.dealt(book.table_of_play, left):
        nets[game.settle(deal.cards, stakes).net] += ways
    found = plan(book, left, stakes)
    assert list(found.rounds.items()) == sorted(nets.items())
    mean = Fraction(sum(net * ways for net, ways in nets.items()), left.sequences)
    assert found.mean == mean
    assert (
        found.variance
        == sum(((net - mean) ** 2 * ways for net, ways in nets.items()), Fraction(0)) / left.sequences
    )
    assert (found.worst, found.best) == (min(nets), max(nets))


def test_a_plan_of_a_fresh_shoe_costs_what_its_bets_cost() -> None:
    book = load(COMMISSION)
    stakes = {"banker": 10_000, "tiger-pair": 500, "tiger": 300}
    worth = values(book, fresh())
    assert plan(book, fresh(), stakes).mean == sum(worth[name].ev * stake for name, stake in stakes.items())


def test_many_rounds_by_the_normal_approximation() -> None:
    one = BetPlan({"x": 100}, {-100: 3, 100: 2})
    many = run(one, 400)
    assert many.mean == pytest.approx(-20 * 400)
    assert many.sd == pytest.approx(sqrt(9600 * 400))
    assert many.ahead == pytest.approx((1 + erf(-8000 / sqrt(2 * 9600 * 400))) / 2)
    assert (many.low + many.high) / 2 == pytest.approx(many.mean)
    with pytest.raises(BadInput, match="at least one round"):
        run(one, 0)


def test_a_certain_result_has_no_spread() -> None:
    left = Composition((0,) * 12 + (6,))  # six kings: a tie on nothing, and both hands pair
    found = plan(load(CBI), left, {"tie": 100, "player-pair": 100})
    assert found.rounds == {1900: left.sequences}
    assert found.variance == 0
    assert run(found, 10).ahead == 1


@pytest.mark.parametrize(
    ("layout", "text", "complaint"),
    [
        (None, "bankr=5", "has no bet 'bankr': did you mean banker"),
        (None, "banker", "'banker' is not a bet: expected NAME=DOLLARS"),
        (None, "banker=5,banker=5", "banker is given twice"),
        (None, "banker=five", "'five' is not an amount"),
        (None, "banker=0", "must be more than zero"),
        (None, "banker=0.05", "multiple of the chip unit 0.20"),
        (None, "player-pair=5,tiger-pair=5", "no layout of .* offers all of these together"),
        ("M", "big-tiger=5", "layout M of .* does not offer big-tiger: layout A, B"),
        ("Z", "banker=5", "has no layout 'Z'"),
    ],
)
def test_bad_plans(layout: str | None, text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        read_plan(load(COMMISSION), layout, text)


def test_plans_are_read_in_dollars() -> None:
    assert read_plan(load(COMMISSION), None, "banker=100, big-tiger=12.60") == {
        "banker": 10_000,
        "big-tiger": 1260,
    }


def test_outcomes_of_dealt_rounds_are_whole() -> None:
    """The slow enumeration itself deals whole rounds only, each draw of six cards once."""
    left = slow.small_shoe(1)
    found = list(slow.dealt(load(MBS).table_of_play, left))
    assert sum(ways for _, ways in found) == left.sequences
    assert all(4 <= outcome_of(deal).player_cards + outcome_of(deal).banker_cards <= 6 for deal, _ in found)
