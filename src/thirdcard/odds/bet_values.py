"""The value of every bet: counts of the rounds that win each tier, push and lose, and what they come to."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from thirdcard.answers import Exactly, Told
from thirdcard.notebook import percent
from thirdcard.odds.closer_look import asks_for_pairs
from thirdcard.odds.composition import Composition
from thirdcard.odds.counting import endings, joint, pairings
from thirdcard.odds.starts import rounds
from thirdcard.play.bets import result
from thirdcard.play.classes import PAIRS, outcomes
from thirdcard.rulebook.conditions import PLAIN, sight_of
from thirdcard.rulebook.load import Which, load
from thirdcard.rulebook.lookup import find_layout, no_such_bet
from thirdcard.rulebook.model import Bet, Rulebook, Rules, TableOfPlay

Needs: TypeAlias = Literal["endings", "pairings", "joint", "starts"]
Tally: TypeAlias = dict[str, int]  # rounds by result: each tier by its name, then each push and "lose"


class Cells(NamedTuple):
    """Which counts settle a bet, and its result in each cell of them; `starts` have no cells of their own."""

    needs: Needs
    results: tuple[str, ...]


@lru_cache(maxsize=1024)
def cells_of(bet: Bet) -> Cells:
    """The smallest set of counts that settles the bet: its conditions and nothing else decide."""
    if sight_of(bet) is not PLAIN:
        return Cells("starts", ())
    classes = outcomes()
    if not asks_for_pairs(bet):
        return Cells("endings", tuple([result(bet, outcome).name for outcome in classes[:: len(PAIRS)]]))
    results = tuple([result(bet, outcome).name for outcome in classes])
    by_pairs = results[: len(PAIRS)]
    if results == by_pairs * (len(results) // len(PAIRS)):
        return Cells("pairings", by_pairs)
    return Cells("joint", results)


def cells_in(table: TableOfPlay, bet: Bet) -> Cells:
    """The same in a game whose rounds may begin otherwise."""
    return cells_of(bet) if table.usual else Cells("starts", ())


def results_of(bet: Bet) -> tuple[str, ...]:
    """The results a tally of the bet has, in its order; "push" is always among them."""
    tiers, pushes = [tier.tier for tier in bet.pays], [push.tier for push in bet.every_push]
    return tuple(dict.fromkeys((*tiers, "push", *pushes, "lose")))


def brings_of(bet: Bet) -> dict[str, float]:
    """What each result brings per unit staked."""
    brings = dict.fromkeys(results_of(bet), 0.0)
    brings |= {tier.tier: float(tier.odds.ratio) for tier in bet.pays}
    brings |= {push.tier: float(push.returned - 1) for push in bet.every_push}
    return brings | {"lose": -1.0}


class ResultChance(msgspec.Struct, frozen=True, kw_only=True):
    """How likely a push of a bet is, and the paragraphs that say so."""

    probability: Fraction
    rules: Rules


class TierChance(msgspec.Struct, frozen=True, kw_only=True):
    """How likely a tier of a bet is, what it pays, and the paragraphs that say so."""

    odds: str
    probability: Fraction
    rules: Rules


class HouseEdge(msgspec.Struct, frozen=True):
    """What the house keeps of a stake on average."""

    house_edge: Fraction


class Value(msgspec.Struct, Told, frozen=True):
    """A bet's exact value per unit staked, from its tally.

    >>> from thirdcard.odds import fresh
    >>> values("mbs-tiger-v2", fresh(8), ["tie"])["tie"]
    <Value of Tie: house edge 14.3596%, wins 9.5156%, pushes 0.0000%>
    """

    TELLS: ClassVar = ("ev", "house_edge", "win", "push", "lose", "sd", "variance", "tiers", "pushes")

    bet: Bet
    tally: Tally

    def __repr__(self) -> str:
        shares = [percent(share) for share in (self.house_edge, self.win, self.push)]
        return "<Value of {}: house edge {}, wins {}, pushes {}>".format(self.bet.name, *shares)

    @property
    def rounds(self) -> int:
        return sum(self.tally.values())

    def chance(self, name: str) -> Fraction:
        """Of one result: a tier, a push or "lose"."""
        return Fraction(self.tally[name], self.rounds)

    @property
    def win(self) -> Fraction:
        return Fraction(sum(self.tally[tier.tier] for tier in self.bet.pays), self.rounds)

    @property
    def push(self) -> Fraction:
        """Of any push."""
        return Fraction(sum(self.tally[push.tier] for push in self.bet.every_push), self.rounds)

    @property
    def lose(self) -> Fraction:
        return self.chance("lose")

    @property
    def ev(self) -> Fraction:
        return self._mean(1)

    @property
    def house_edge(self) -> Fraction:
        return -self.ev

    @property
    def variance(self) -> Exactly:
        return self._mean(2) - self.ev**2

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)

    @property
    def tiers(self) -> dict[str, TierChance]:
        """How likely each tier is."""
        return {
            tier.tier: TierChance(odds=tier.odds.text, probability=self.chance(tier.tier), rules=tier.rules)
            for tier in self.bet.pays
        }

    @property
    def pushes(self) -> dict[str, ResultChance] | UnsetType:
        """How likely each push is, where they have names of their own."""
        pushes = self.bet.every_push
        if all(push.tier == "push" for push in pushes):
            return UNSET
        return {
            push.tier: ResultChance(probability=self.chance(push.tier), rules=push.rules) for push in pushes
        }

    def _mean(self, power: int) -> Fraction:
        """Of the result to that power."""
        brings = [(tier.odds.ratio, self.tally[tier.tier]) for tier in self.bet.pays]
        brings += [(push.returned - 1, self.tally[push.tier]) for push in self.bet.every_push]
        brings.append((Fraction(-1), self.tally["lose"]))
        total = Fraction(0)
        for net, count in brings:
            total += net**power * count
        return total / self.rounds


def tallies(
    rulebook: Which, composition: Composition, names: Iterable[str] | None = None
) -> dict[str, Tally]:
    """Exact rounds by result for each bet; every tally adds up to `composition.sequences`.

    >>> from thirdcard.odds import fresh
    >>> tallies("mbs-tiger-v2", fresh(8), ["player"])["player"]["lose"]
    2292252566437888
    """
    book = load(rulebook)
    table, bets = book.table_of_play, book.bets
    if names is not None:
        bets = {name: book.bets[name] for name in names if check_bet(book, name)}
    counts: dict[Needs, Sequence[int]] = {}
    for needs in {cells_in(table, bet).needs for bet in bets.values()}:
        if needs == "endings":
            counts[needs] = endings(table, composition)
        elif needs == "pairings":
            counts[needs] = pairings(composition)
        elif needs == "joint":
            counts[needs] = joint(table, composition)
    by_bet = {}
    for name, bet in bets.items():
        cells = cells_in(table, bet)
        tally = dict.fromkeys(results_of(bet), 0)
        if cells.needs == "starts":
            tally |= {results: count for (results,), count in rounds(table, composition, (bet,)).items()}
        else:
            for results, count in zip(cells.results, counts[cells.needs], strict=True):
                tally[results] += count
        by_bet[name] = tally
    return by_bet


def values(rulebook: Which, composition: Composition, names: Iterable[str] | None = None) -> dict[str, Value]:
    """The exact value of each bet, in the rulebook's order, or of those named, in theirs.

    >>> from thirdcard.odds import fresh
    >>> float(values("mbs-tiger-v2", fresh(8))["player"].ev)
    -0.012350...
    """
    book = load(rulebook)
    return {name: Value(book.bets[name], tally) for name, tally in tallies(book, composition, names).items()}


def edges(worth: Mapping[str, Value]) -> dict[str, HouseEdge]:
    """The house edge of each bet alone."""
    return {name: HouseEdge(value.house_edge) for name, value in worth.items()}


def bets_on(rulebook: Rulebook, layout: str | None) -> tuple[str, ...]:
    """The bets of a layout, or of the whole rulebook."""
    return tuple(rulebook.bets) if layout is None else find_layout(rulebook, layout).bets


def check_bet(rulebook: Rulebook, name: str) -> str:
    """The name of a bet that the rulebook has; BadInput if it has not."""
    if name not in rulebook.bets:
        raise no_such_bet(rulebook, name)
    return name
