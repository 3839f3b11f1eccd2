"""What the house is to expect of bets that were placed, and how far luck may take it from there.

Edges are exact, of a fresh shoe of the table's decks; of insurance at the points that it was offered at. Bets
of one round win and lose together, so their covariances count, insurance with the bets that go by points.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import sqrt

import msgspec

from thirdcard.errors import BadInput
from thirdcard.odds import Composition, fresh, offers, values
from thirdcard.odds.bet_values import cells_of
from thirdcard.odds.counting import Path, endings, joint, pairings, paths
from thirdcard.odds.insurance import OfferValue
from thirdcard.odds.starts import rounds
from thirdcard.play.classes import CLASSES, PAIRS
from thirdcard.play.insurance import result
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.conditions import winner_of
from thirdcard.rulebook.load import remember
from thirdcard.rulebook.model import Bet, TableOfPlay
from thirdcard.service.queries.own_results import house_edges
from thirdcard.service.tables.quarters import SQUARE_DOLLAR, is_insurance


class PriceLists:
    """Prices by the digests that sums name, each text read once; `text_of` gives it."""

    def __init__(self, text_of: Callable[[str], bytes | None]) -> None:
        self._text_of = text_of
        self._found = dict[tuple[str, int], "Prices | None"]()

    def of(self, digest: str, decks: int) -> "Prices | None":
        """None of a text that is not known."""
        key = digest, decks
        if key not in self._found:
            text = self._text_of(digest) if digest else None
            self._found[key] = Prices.of(remember(text), decks) if text is not None else None
        return self._found[key]


class ExpectedWin(msgspec.Struct, frozen=True, kw_only=True):
    """In cents: what the house keeps of the bets on average, and the standard deviation of what it does."""

    cents: int
    deviation: int


def expected_win(sums: Mapping[str, int], lists: PriceLists) -> ExpectedWin | None:
    """Of the sums of a table, or of several: rounds do not depend on one another.

    None where the edge of one of the bets cannot be told.
    """
    mean, variance = Fraction(0), 0.0
    for name, value in sums.items():
        kind, _, rest = name.partition(":")
        if kind not in ("staked", "product") or not rest or not value:
            continue
        what, decks, digest = rest.split("|")
        prices = lists.of(digest, int(decks))
        if prices is None:
            return None
        if kind == "staked":
            edge = prices.edge(what)
            if edge is None:
                return None
            mean += edge * value
        else:
            one, other = what.split("*")
            twice = 1 if one == other else 2
            variance += twice * value * SQUARE_DOLLAR * prices.covariance(one, other)
    return ExpectedWin(cents=round(mean), deviation=round(sqrt(max(variance, 0.0))))


def expected_of(sums: Mapping[str, int], lists: PriceLists, bet: str) -> int | None:
    """What the house expects to keep of one bet alone."""
    own = {
        name: value for name, value in sums.items() if name.startswith((f"staked:{bet}|", f"staked:{bet}:"))
    }
    expected = expected_win(own, lists)
    return None if expected is None else expected.cents


class Prices:
    """The bets of a rulebook in a fresh shoe, by the names under which their stakes are summed up."""

    @staticmethod
    @lru_cache(maxsize=64)
    def of(book: Rulebook, decks: int) -> "Prices":
        return Prices(book, decks)

    def __init__(self, book: Rulebook, decks: int) -> None:
        self.book, self.shoe = book, fresh(decks)
        try:
            self._values = values(book, self.shoe)
        except BadInput:  # this machine cannot count them
            self._values = {}
        insured = offers(book, self.shoe) if book.insurance is not None else ()
        self._offers = {
            f"{offer.offer.hand}-insurance:{offer.offer.window}:{offer.player}:{offer.banker}": offer
            for offer in insured
        }
        self._known = dict[tuple[str, str], float]()

    def edge(self, what: str) -> Fraction | None:
        """What the house keeps of a unit staked; of insurance without points, the mean of its offers."""
        if what in self._values:
            return self._values[what].house_edge
        if what in self._offers:
            return -(self._offers[what].ev or Fraction(0))
        return house_edges(self.book).get(what)

    def covariance(self, one: str, other: str) -> float:
        """Of the results of two stakes of a unit in the same round."""
        key = (one, other) if one <= other else (other, one)
        if key not in self._known:
            self._known[key] = self._covariance(*key)
        return self._known[key]

    def _covariance(self, one: str, other: str) -> float:
        if is_insurance(one.partition(":")[0]) or is_insurance(other.partition(":")[0]):
            return self._with_insurance(one, other)
        a, b = self._values[one], self._values[other]
        if one == other:
            return float(a.variance)
        table, shoe = self.book.table_of_play, self.shoe
        needs = cells_of(a.bet).needs, cells_of(b.bet).needs
        if "starts" in needs:
            found = rounds(table, shoe, (a.bet, b.bet)).items()
            total = sum(_net(a.bet, x) * _net(b.bet, y) * count for (x, y), count in found)
        elif needs[0] == needs[1] != "joint":
            counts = endings(table, shoe) if needs[0] == "endings" else pairings(shoe)
            cells = zip(cells_of(a.bet).results, cells_of(b.bet).results, counts, strict=True)
            total = sum(_net(a.bet, x) * _net(b.bet, y) * count for x, y, count in cells)
        else:
            every = zip(_by_class(a.bet), _by_class(b.bet), _joint(table, shoe.ranks), strict=True)
            total = sum(x * y * count for x, y, count in every)
        return float(total / Fraction(shoe.sequences) - a.ev * b.ev)

    def _with_insurance(self, one: str, other: str) -> float:
        """Given all that was on the table when the later of them was bought; 0 of what points do not tell."""
        insured = [self._offers[what] for what in (one, other) if what in self._offers]
        plain = [
            self._values[what].bet
            for what in (one, other)
            if what in self._values and cells_of(self._values[what].bet).needs == "endings"
        ]
        if len(insured) + len(plain) < 2:  # noqa: PLR2004 - both are told by points
            return 0.0
        whole, sums, product = 0, [Fraction(0), Fraction(0)], Fraction(0)
        for path in paths(self.book.table_of_play, self.shoe.points):
            if all(_was_offered(offer, path) for offer in insured):
                nets = [self._insured(offer, path) for offer in insured]
                nets += [_net(bet, cells_of(bet).results[path.ending]) for bet in plain]
                whole += path.rounds
                sums = [total + net * path.rounds for total, net in zip(sums, nets, strict=True)]
                product += nets[0] * nets[1] * path.rounds
        if not whole:
            return 0.0
        return float(product / whole - sums[0] / whole * (sums[1] / whole))

    def _insured(self, one: OfferValue, path: Path) -> Fraction:
        assert self.book.insurance is not None  # one of its offers is asked about
        winner = winner_of(path.player_points, path.banker_points)
        verdict = result(self.book.insurance, one.offer, winner).verdict
        return {"win": one.offer.odds.ratio, "push": Fraction(0), "lose": Fraction(-1)}[verdict]


def _was_offered(one: OfferValue, path: Path) -> bool:
    """Whether the window was open at these points on the way."""
    thirds = path.player_third is not None, path.banker_third is not None
    if one.offer.window == 1:
        return any(thirds) and (one.player, one.banker) == (path.player, path.banker)
    return all(thirds) and (one.player, one.banker) == (path.player_points, path.banker)


def _net(bet: Bet, came: str) -> Fraction:
    """What a result brings for a unit."""
    if came == "lose":
        return Fraction(-1)
    paid = (tier.odds.ratio for tier in bet.pays if tier.tier == came)
    return next(paid, next((push.returned - 1 for push in bet.every_push if push.tier == came), Fraction(0)))


@lru_cache(maxsize=1024)
def _by_class(bet: Bet) -> tuple[Fraction, ...]:
    """What each of all outcome classes brings."""
    cells = cells_of(bet)
    nets = [_net(bet, came) for came in cells.results]
    if cells.needs == "endings":
        return tuple(net for net in nets for _ in PAIRS)
    if cells.needs == "pairings":
        return tuple(nets) * (CLASSES // len(PAIRS))
    return tuple(nets)


@lru_cache(maxsize=16)
def _joint(table: TableOfPlay, ranks: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(joint(table, Composition(ranks)))
