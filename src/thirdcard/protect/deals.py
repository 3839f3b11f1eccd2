"""Every deal of a round as a table of counts, one axis for each of the six places in the order drawn.

Places are 1 to 6: the Player's first card, the Banker's, the Player's second, the Banker's, then the next
two, whoever draws them. Cells count ordered draws of six cards, so whatever is known of a round is a sum over
the places that are not known, and nothing is rounded. A bet that asks for totals alone is counted by points,
any other by ranks; suits are summed over, since whoever glimpses a card is taken to know its rank.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from thirdcard.cards import Card, Rank, Suit
from thirdcard.errors import BadInput
from thirdcard.odds.bet_values import cells_of
from thirdcard.odds.compiled import Integers, np
from thirdcard.odds.composition import VALUES, Composition, check_round
from thirdcard.odds.counting import TOTALS
from thirdcard.odds.starts import RELATIONS
from thirdcard.play.bets import result
from thirdcard.play.classes import PAIRS, outcomes
from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.protect.worths import Places
from thirdcard.rulebook.conditions import PLAIN, Outcome, Sight, Suits, sight_of
from thirdcard.rulebook.model import Bet, TableOfPlay
from thirdcard.rulebook.sums import DECK, by_rank
from thirdcard.rulebook.third_cards import play_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Truths: TypeAlias = "NDArray[np.bool_]"

PLACES: Final = tuple(range(1, LONGEST + 1))
RANKS: Final = len(Rank)
POINTS: Final = len(TOTALS)
BY_RANK: Final = np.array(VALUES)
INT64: Final = 2**63 - 1


class Counted(NamedTuple):
    """What is won or lost over `rounds`, by what is known; `net` counts parts of a stake, `per` a whole."""

    rounds: Integers
    net: Integers
    per: int

    def value(self, at: tuple[int, ...]) -> Fraction | None:
        """The exact value where this is known; none where it cannot come up."""
        rounds = int(self.rounds[at])
        return Fraction(int(self.net[at]), rounds * self.per) if rounds else None


class DealCounts(NamedTuple):
    """The deals of one bet: ordered ways by cell, and what the bet nets in it, in units of one over `per`.

    `won` and `lost` tell whether every round of a cell is.
    """

    ways: Integers
    net: Integers
    won: Truths
    lost: Truths
    per: int

    @property
    def letters(self) -> int:
        """Ten where places are by points, thirteen by ranks."""
        return int(self.ways.shape[0])

    def known(self, places: Places) -> Counted:
        """By the cards at these places, in this order of places."""
        others = tuple(place - 1 for place in PLACES if place not in places)
        return Counted(self.ways.sum(axis=others), self.net.sum(axis=others), self.per)

    def decided(self, first: int) -> Truths:
        """By the first so many cards: whether the bet is then certain to win, or to lose."""
        others = tuple(range(first, LONGEST))
        return np.asarray(self.won.all(axis=others) | self.lost.all(axis=others))


def deal(table: TableOfPlay, composition: Composition, bet: Bet) -> DealCounts:
    """Every round that these cards can make, as far as the bet can see it."""
    check_round(composition)
    if not can_be_known(bet):
        raise BadInput(f"{bet.name} asks for suits of single cards: what they tell is not counted by place")
    per = _unit(bet)
    if composition.cards**LONGEST * max(abs(pay) for pay in _nets(bet, per).values()) > INT64:
        raise BadInput(f"{bet.name} pays too much to be counted by place with {composition.cards} cards")
    if cells_of(bet).needs == "endings":
        ways = ways_to_draw(composition.points)
        pays = _pays_by_points(table, bet)
        return DealCounts(ways, ways * pays, pays > 0, pays < 0, per)
    return _by_ranks(table, composition, bet, per)


def can_be_known(bet: Bet) -> bool:
    """Whether the deals of a bet can be counted by ranks, the suits of first two cards summed over."""
    return all(map(by_rank, sight_of(bet).cards))


def _unit(bet: Bet) -> int:
    shares = [push.returned for push in bet.every_push]
    return lcm(*(share.denominator for share in (*(tier.odds.ratio for tier in bet.pays), *shares)))


def _nets(bet: Bet, per: int) -> dict[str, int]:
    """What each result nets, in units of one over `per`."""
    nets = {tier.tier: int(tier.odds.ratio * per) for tier in bet.pays}
    nets |= {push.tier: int((push.returned - 1) * per) for push in bet.every_push}
    return {**nets, "lose": -per}


def _axis(values: "Sequence[int] | Integers", place: int, places: int = LONGEST) -> Integers:
    """Values along the axis of a place, from 0."""
    shape = [1] * places
    shape[place] = len(values)
    return np.asarray(values).reshape(shape)


@lru_cache(maxsize=4)
def ways_to_draw(counts: tuple[int, ...], places: int = LONGEST) -> Integers:
    """Ordered ways to draw each sequence of so many cards, by points or by ranks."""
    letters = range(len(counts))
    total = np.ones((1,) * places, np.int64)
    for place in range(places):
        left = _axis(counts, place, places)
        for earlier in range(place):
            left = left - (_axis(letters, earlier, places) == _axis(letters, place, places))
        total = total * np.maximum(left, 0)
    return total


@lru_cache(maxsize=8)
def _endings(table: TableOfPlay) -> Integers:
    """The ending, as `odds.counting` numbers them, by two-card totals and points of the next two cards."""
    found = np.empty((POINTS,) * 4, np.int64)
    for player, banker, fifth, sixth in product(TOTALS, repeat=4):
        totals = play_out(table, player, banker, (fifth, sixth))
        found[player, banker, fifth, sixth] = (
            (totals[0] * 10 + totals[1]) * 4 + (totals[2] - 2) * 2 + totals[3] - 2
        )
    return found


def _ending_cells(table: TableOfPlay, points: Integers) -> Integers:
    """The ending of each cell, where a letter has these points."""
    places = [_axis(points, place) for place in range(LONGEST)]
    found: Integers = _endings(table)[
        (places[0] + places[2]) % 10, (places[1] + places[3]) % 10, places[4], places[5]
    ]
    return found


@lru_cache(maxsize=64)
def _pays_by_points(table: TableOfPlay, bet: Bet) -> Integers:
    nets = _nets(bet, _unit(bet))
    by_ending = np.array([nets.get(came, 0) for came in cells_of(bet).results])
    return by_ending[_ending_cells(table, np.arange(POINTS))]


def _by_ranks(table: TableOfPlay, composition: Composition, bet: Bet, per: int) -> DealCounts:
    sight, nets, ways = sight_of(bet), _nets(bet, per), ways_to_draw(composition.ranks)
    if sight is PLAIN:
        by_class = np.array([nets.get(result(bet, outcome).name, 0) for outcome in outcomes()])
        plain = by_class[_seen(table, sight)]
        return DealCounts(ways, ways * plain, plain > 0, plain < 0, per)
    codes, cells = np.unique(_seen(table, sight), return_inverse=True)
    cells = cells.reshape((RANKS,) * LONGEST)

    def pays(suits: tuple[Suits | None, ...]) -> Integers:
        named = [result(bet, _outcome(int(code), sight, suits)).name for code in codes]
        return np.array([nets.get(came, 0) for came in named])[cells]

    if not any(sight.suits):
        all_suits = pays(())
        return DealCounts(ways, ways * all_suits, all_suits > 0, all_suits < 0, per)
    net, won, lost = np.zeros_like(ways), np.ones(ways.shape, bool), np.ones(ways.shape, bool)
    starts = _starts_by_suits(composition)
    whole = np.maximum(sum(starts.values()), 1)[..., None, None]
    thirds = ways // whole  # drawn from what the start leaves of each rank, whatever its suits
    for suits, drawn in starts.items():
        brings, some = pays(suits), drawn[..., None, None]
        net += thirds * some * brings
        won &= (some == 0) | (brings > 0)
        lost &= (some == 0) | (brings < 0)
    return DealCounts(ways, net, won, lost, per)


# A bet's sight has the ranks of a hand together; cards are drawn to the hands by turns.
_DRAWN_AT: Final = {0: 0, 1: 2, 3: 1, 4: 3}  # place in the sight: place in the order drawn, third cards apart
_SEEN_KINDS: Final = RANKS + 1


@lru_cache(maxsize=2)
def _seen(table: TableOfPlay, sight: Sight) -> Integers:
    """A number for each cell, the same where a bet with this sight sees the same; suits left out."""
    ranks = [_axis(range(RANKS), place) for place in range(LONGEST)]
    ending = _ending_cells(table, BY_RANK)
    player, banker = ranks[0] == ranks[2], ranks[1] == ranks[3]
    twin = player & banker & (ranks[0] == ranks[1])
    of = PAIRS.index
    code = ending * len(PAIRS) + np.select(
        [twin, player & banker, player, banker],
        [of("twin"), of("double"), of("player"), of("banker")],
        of("none"),
    )
    player_third, banker_third = ending % 4 >= 2, ending % 2 == 1  # noqa: PLR2004 - as endings are numbered
    for place, named in enumerate(sight.ranks):
        if not named:
            continue
        looked_for = np.array([rank in named for rank in Rank])
        there, lies = _lying_at(place, ranks, player_third, banker_third)
        code = code * _SEEN_KINDS + np.where(lies & looked_for[there], there + 1, 0)
    for place, alike in enumerate(sight.cards):
        there, lies = _lying_at(place, ranks, player_third, banker_third)
        labels = np.array([alike[number].rank for number in range(RANKS)])
        code = code * _SEEN_KINDS + np.where(lies, labels[there], 0)
    return np.broadcast_to(code, (RANKS,) * LONGEST)


def _lying_at(
    place: int, ranks: list[Integers], player_third: Truths, banker_third: Truths
) -> tuple[Integers, Truths]:
    """The rank at a place of a sight by cell, and where a card lies there."""
    if place in _DRAWN_AT:
        return ranks[_DRAWN_AT[place]], np.broadcast_to(True, player_third.shape)  # noqa: FBT003 - a value
    if place == 2:  # noqa: PLR2004 - the Player's third card
        return ranks[4], player_third
    return np.where(player_third, ranks[5], ranks[4]), banker_third


def _outcome(code: int, sight: Sight, suits: tuple[Suits | None, ...]) -> Outcome:
    """What such a number stands for."""
    seen: list[Rank | None] = [None] * len(sight.ranks)
    cards: list[Card | None] = [None] * len(sight.cards)
    for place in reversed(range(len(sight.cards))):
        code, label = divmod(code, _SEEN_KINDS)
        cards[place] = DECK[label - 1] if label else None
    for place in reversed(range(len(sight.ranks))):
        if sight.ranks[place]:
            code, rank = divmod(code, _SEEN_KINDS)
            seen[place] = Rank(rank) if rank else None
    plain = outcomes()[code]
    return Outcome(
        plain.player,
        plain.banker,
        plain.player_cards,
        plain.banker_cards,
        plain.pairs,
        tuple(seen),
        suits,
        tuple(cards),
    )


def _starts_by_suits(composition: Composition) -> dict[tuple[Suits | None, ...], Integers]:
    """Ordered ways to draw the first four cards, by how the suits of each hand go together."""
    kinds = tuple(Suits)
    by_suit = np.array(composition.suits)
    ranks = [_axis(range(RANKS), place, INITIAL) for place in range(INITIAL)]
    starts: dict[tuple[Suits | None, ...], Integers] = {}
    for suits in product(range(len(Suit)), repeat=4):
        ways = np.ones((1,) * 4, np.int64)
        for place in range(4):
            left = by_suit[suits[place]][ranks[place]]
            for earlier in range(place):
                if suits[earlier] == suits[place]:
                    left = left - (ranks[earlier] == ranks[place])
            ways = ways * np.maximum(left, 0)
        how = kinds[RELATIONS[suits[0]][suits[2]]], kinds[RELATIONS[suits[1]][suits[3]]]
        starts[how] = starts.get(how, 0) + ways
    return starts
