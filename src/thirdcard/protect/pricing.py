"""What the options of a ruling are worth, exactly: by case, by what people see when they choose, and by bet.

A price is per unit staked and per round in which the case comes up, from the cards given. Where players may
take a bet back, the option is worth what it saves: the value of the bet, wherever that is below zero. `blind`
is what taking it back is worth to somebody who sees nothing, which is the edge of the house; the rest is
what the cards on the table add. Cases, facts and remedies are the rulebook's; none is known here by its name.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Final, NamedTuple

from thirdcard.odds.compiled import Integers, np
from thirdcard.odds.composition import VALUES, Composition
from thirdcard.odds.counting import Path, paths
from thirdcard.odds.insurance import insurance_of, verdict_on, windows_of
from thirdcard.play.insurance import rows_at
from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.protect.deals import PLACES, POINTS, RANKS, Counted, DealCounts, Truths, deal, ways_to_draw
from thirdcard.protect.worths import (
    Exposure,
    NoWorth,
    OptionWorth,
    Places,
    Priced,
    PricedCase,
    PricedRuling,
)
from thirdcard.rulebook.facts import every_fact, fits
from thirdcard.rulebook.lookup import find_layout
from thirdcard.rulebook.model import Insurance, Offer, Procedure, Rulebook, Ruling, Side
from thirdcard.rulebook.rulings import find_case
from thirdcard.strict import fields_of

TAKES_BACK: Final = ("options", "withdraw", "withdraw-all")
ALL_OR_NONE: Final = ("options", "withdraw-all")
DOUBTFUL: Final = ("decide-order", "as-they-lie")  # cards in an order that nobody knows decide no bet
BEFORE_THE_CARDS: Final = ("raise-or-withdraw", "remove", "reject")
MOST_KEPT: Final = 3  # cards kept for the next round that are priced
MOST_TOGETHER: Final = 3  # cards whose order is not known yet, priced over every order


def price(
    book: Rulebook,
    composition: Composition,
    case: str | None = None,
    layout: str | None = None,
    names: Iterable[str] | None = None,
) -> tuple[PricedCase, ...]:
    """Every case of a rulebook, or one; `layout` says which bets can establish an outcome, else all do."""
    pricing = Pricing(book, composition, layout, names)
    cases = book.procedures if case is None else (find_case(book, case),)
    return tuple(pricing.case(procedure) for procedure in cases)


class _PriceAsked(NamedTuple):
    """One price to work out: over rounds in which no outcome is established, or over all."""

    exposure: Exposure
    open_only: bool


class Pricing:
    """Prices over one composition; each deal is counted once for all that is asked of it."""

    def __init__(
        self,
        book: Rulebook,
        composition: Composition,
        layout: str | None = None,
        names: Iterable[str] | None = None,
        establishing: tuple[str, ...] | None = None,
    ) -> None:
        self._book, self._composition = book, composition
        offered = find_layout(book, layout).bets if layout else tuple(book.bets)
        self._offered = offered if establishing is None else establishing
        self._names = tuple(offered if names is None else names)
        self._deal = cache(self._count)
        self._taken_back = cache(self._worth)
        self._outcomes = cache(self._established)
        self._is_shut = cache(self._always_established)
        self._is_early = cache(lambda name: bool(self._deal(name).decided(INITIAL).all()))
        self._sum = cache(lambda name, places: self._deal(name).known(places))

    def case(self, procedure: Procedure) -> PricedCase:
        rulings = tuple(self._ruling(procedure, ruling) for ruling in procedure.rulings)
        return fields_of(PricedCase, procedure, rulings=rulings)

    def _ruling(self, procedure: Procedure, ruling: Ruling) -> PricedRuling:
        options = tuple(self._options(procedure, ruling))
        return fields_of(
            PricedRuling,
            ruling,
            facts=tuple(facts for facts in every_fact(procedure) if fits(ruling.when, facts)),
            all_or_none=any(remedy in ALL_OR_NONE for remedy in ruling.remedy),
            options=options,
            zero=() if options else (_why(ruling),),
        )

    def _options(self, procedure: Procedure, ruling: Ruling) -> Iterator[Priced]:
        for remedy in ruling.remedy:
            if remedy in TAKES_BACK:
                for exposure in exposures(procedure, ruling):
                    asked = _PriceAsked(exposure, ruling.when.outcome_established == (False,))
                    bets = {name: self._taken_back(name, asked) for name in self._names}
                    yield Priced(gives="take-back", exposure=exposure, bets=_with_worth(bets))
            elif remedy == "keep-for-next-round":
                for kept in range(1, MOST_KEPT + 1):
                    yield self._bet_knowing(PLACES[:kept])
            elif remedy == "late-insurance":
                yield self._late_insurance()
            elif remedy == "return-original":
                yield self._claim()
        if "face-up-in-device" in procedure.about:
            for place in PLACES:
                yield self._bet_knowing((place,))

    def takes_back(self, ruling: Ruling) -> bool:
        return any(remedy in TAKES_BACK for remedy in ruling.remedy)

    def taken_back(self, name: str, exposure: Exposure, *, open_only: bool = True) -> Fraction:
        """What it is worth to take one bet back, seeing this; by default while no outcome is established."""
        return self._taken_back(name, _PriceAsked(exposure, open_only)).worth

    # Bets taken back ------------------------------------------------------------------------------------

    def _count(self, name: str) -> DealCounts:
        return deal(self._book.table_of_play, self._composition, self._book.bets[name])

    def _worth(self, name: str, asked: _PriceAsked) -> OptionWorth:
        counts, exposure = self._deal(name), asked.exposure
        if asked.open_only and self._is_shut(exposure.decide):
            return OptionWorth(worth=Fraction(0), blind=Fraction(0), taken=Fraction(0))
        found = self._known(name, exposure)
        ways, net = found.rounds, found.net
        total = int(ways.sum()) * counts.per
        if exposure.decide:
            still = ~_over(counts.decided(exposure.decide), ways.ndim)
            ways, net = ways * still, net * still
        if exposure.together:
            ways, net = _in_any_order(ways, exposure), _in_any_order(net, exposure)
            total *= len(list(permutations(exposure.together)))
        if not asked.open_only:
            return _saved(ways, net, total)
        return self._saved_while_open(counts.letters, exposure, ways, net, total)

    def _known(self, name: str, exposure: Exposure) -> Counted:
        """By the cards that are seen; for a bet that four cards decide, the others add nothing to those."""
        places = exposure.known
        four_will_do = len(places) > INITIAL and not exposure.together and exposure.decide <= INITIAL
        if four_will_do and self._is_early(name):
            places = PLACES[:INITIAL]
        return self._sum(name, places)

    def _always_established(self, first: int) -> bool:
        """Whether no round is left open after so many cards."""
        early = first > 0 and self._is_shut(first - 1)
        return early or any(bool(outcome.all()) for outcome in self._outcomes(first))

    def _saved_while_open(
        self, letters: int, exposure: Exposure, ways: Integers, net: Integers, total: int
    ) -> OptionWorth:
        """The same over rounds in which the cards beyond doubt decide no bet of the layout."""
        shut = self._shut(exposure.decide, letters)
        if shut is None:  # ranks establish it and the bet sees points: a share of the rounds of each cell
            return _shared(self._open_share(exposure.decide, ways.ndim), ways, net, total)
        still = ~_over(shut, ways.ndim)
        return _saved(ways * still, net * still, total)

    def _established(self, first: int) -> tuple[Truths, Truths]:
        """Whether the first so many cards decide some bet of the layout: by points, and by ranks."""
        by_points, by_ranks = np.zeros((POINTS,) * first, bool), np.zeros((RANKS,) * first, bool)
        for name in self._offered:
            counts = self._deal(name)
            found = by_points if counts.letters == POINTS else by_ranks
            found |= counts.decided(first)
        return by_points, by_ranks

    def _shut(self, first: int, letters: int) -> "Truths | None":
        by_points, by_ranks = self._outcomes(first)
        if letters == RANKS:
            return (
                by_ranks | by_points[np.ix_(*[np.array(VALUES)] * first)] if first else by_ranks | by_points
            )
        if not by_ranks.any() or by_points.all():
            return by_points
        return None

    def _open_share(self, first: int, places: int) -> tuple[Integers, Integers]:
        """Rounds by the points of the first cards: those still open, and all."""
        by_points, by_ranks = self._outcomes(first)
        ways = ways_to_draw(self._composition.ranks, first)
        open_ways = ways * ~(by_ranks | by_points[np.ix_(*[np.array(VALUES)] * first)])
        whole = (*(POINTS,) * first, *(1,) * (places - first))
        return _by_points(open_ways).reshape(whole), _by_points(ways).reshape(whole)

    # Other options --------------------------------------------------------------------------------------

    def _bet_knowing(self, places: Places) -> Priced:
        """Bets are open while cards of the round are known."""
        bets = {}
        for name in self._names:
            counted = self._deal(name).known(places)
            total = int(counted.rounds.sum()) * counted.per
            pays = counted.net > 0
            bets[name] = OptionWorth(
                worth=Fraction(int(np.maximum(counted.net, 0).sum()), total),
                blind=max(Fraction(0), Fraction(int(counted.net.sum()), total)),
                taken=Fraction(int(counted.rounds[pays].sum()), int(counted.rounds.sum())),
            )
        return Priced(gives="bet-knowing", exposure=Exposure(known=places), bets=_with_worth(bets))

    def _late_insurance(self) -> Priced:
        """The row of the first window, offered when the Player's third card is on the table.

        Per unit of the original bet, which is the most that the insurance may win.
        """
        insurance = insurance_of(self._book)
        bets = {}
        for side in Side:
            late, in_time, taken = Fraction(0), Fraction(0), 0
            for offer, found in self._at_first_window(side):
                shares = _by_third(insurance, offer, found)
                odds = offer.odds.ratio
                late += sum((value for value, _ in shares if value > 0), Fraction(0)) / odds
                in_time += max(Fraction(0), sum((value for value, _ in shares), Fraction(0))) / odds
                taken += sum(rounds for value, rounds in shares if value > 0)
            among = self._composition.sequences
            bets[side.value] = OptionWorth(
                worth=late / among, blind=in_time / among, taken=Fraction(taken, among)
            )
        exposure = Exposure(known=PLACES[: INITIAL + 1], decide=INITIAL + 1)
        return Priced(gives="late-insurance", exposure=exposure, bets=_with_worth(bets))

    def _at_first_window(self, side: Side) -> Iterator[tuple[Offer, list[Path]]]:
        """Each offer at exact points, with the rounds in which both hands draw: a card is to come."""
        insurance = insurance_of(self._book)
        ways = paths(self._book.table_of_play, self._composition.points)
        drawn = [path for path in ways if path.player_third is not None and path.banker_third is not None]
        for offer in insurance.offers:
            if offer.hand is side and offer.window == 1:
                for player in offer.player:
                    for banker in offer.banker:
                        yield offer, [p for p in drawn if (p.player, p.banker) == (player, banker)]

    def _claim(self) -> Priced:
        """The original bet goes back to who is found to have meant to insure, where that would have won."""
        insurance = insurance_of(self._book)
        won = dict.fromkeys((side.value for side in Side), 0)
        for path in paths(self._book.table_of_play, self._composition.points):
            for side in Side:
                won[side.value] += path.rounds * _would_have_won(insurance, side, path)
        among = self._composition.sequences
        bets = {
            name: OptionWorth(worth=Fraction(rounds, among), blind=Fraction(0), taken=Fraction(rounds, among))
            for name, rounds in won.items()
        }
        return Priced(gives="claim", exposure=Exposure(known=PLACES, decide=LONGEST), bets=_with_worth(bets))


def exposures(procedure: Procedure, ruling: Ruling) -> Iterator[Exposure]:
    """What may lie open when players choose: the case says which cards, its remedies which of them count."""
    choice = next(at for at, remedy in enumerate(ruling.remedy) if remedy in TAKES_BACK)
    before = ruling.remedy[:choice]
    doubtful = any(remedy in DOUBTFUL for remedy in before)
    laid_later = "reconstruct" in ruling.remedy[choice:]
    if "drawn-together" in procedure.about:
        for first, last in _groups(ruling):
            in_doubt = doubtful or laid_later
            known, group = PLACES[:last], PLACES[first - 1 : last]
            yield Exposure(known=known, decide=first - 1 if in_doubt else last)
            if doubtful and len(group) <= MOST_TOGETHER:  # before somebody has said which card counts first
                yield Exposure(known=known, decide=first - 1, together=group)
    elif "seen-in-error" in procedure.about:
        yield from (Exposure(known=(place,)) for place in PLACES)
    elif procedure.about == ("wrong-person",):
        yield Exposure(known=())
    else:
        for cards in range(LONGEST + 1):
            yield Exposure(known=PLACES[:cards], decide=0 if doubtful else cards)


def _groups(ruling: Ruling) -> Iterator[tuple[int, int]]:
    """Cards that may come out at once, by the stage that the ruling is for."""
    for first in range(1, LONGEST):
        stage = "initial-deal" if first <= INITIAL else "after-initial-deal"
        if not ruling.when.stage or stage in ruling.when.stage:
            yield from ((first, last) for last in range(first + 1, LONGEST + 1))


def _why(ruling: Ruling) -> NoWorth:
    """Why a ruling without an option that can be priced is worth nothing."""
    if "decide" in ruling.remedy or "remove-named" in ruling.remedy:
        return "discretion"
    if any(remedy in BEFORE_THE_CARDS for remedy in ruling.remedy) or ruling.when.noticed == ("bets-open",):
        return "before-the-cards"
    return "as-ever" if "offer" in ruling.remedy else "no-choice"


def _with_worth(bets: dict[str, OptionWorth]) -> dict[str, OptionWorth]:
    """The dearest first."""
    return dict(sorted(bets.items(), key=lambda item: -item[1].worth))


def _over(first: Truths, places: int) -> Truths:
    """What the first cards say, beside those that follow."""
    return first.reshape((*first.shape, *(1,) * (places - first.ndim)))


def _in_any_order(counts: Integers, exposure: Exposure) -> Integers:
    """Summed over every order of the cards that came out together: each cell then stands for all of them."""
    axes = [exposure.known.index(place) for place in exposure.together]
    total = np.zeros_like(counts)
    for order in permutations(axes):
        turned = list(range(counts.ndim))
        for axis, other in zip(axes, order, strict=True):
            turned[axis] = other
        total += counts.transpose(turned)
    return total


def _saved(ways: Integers, net: Integers, total: int) -> OptionWorth:
    rounds = int(ways.sum())
    return OptionWorth(
        worth=Fraction(-int(np.minimum(net, 0).sum()), total),
        blind=max(Fraction(0), Fraction(-int(net.sum()), total)),
        taken=Fraction(int((ways * (net < 0)).sum()), rounds) if rounds else Fraction(0),
    )


def _shared(share: tuple[Integers, Integers], ways: Integers, net: Integers, total: int) -> OptionWorth:
    """The same where only a share of the rounds of each cell counts."""
    open_ways, every = (np.broadcast_to(row, ways.shape) for row in share)
    worth, whole, taken, rounds = Fraction(0), Fraction(0), Fraction(0), Fraction(0)
    for at in zip(*np.nonzero(open_ways * (ways > 0)), strict=True):
        part = Fraction(int(open_ways[at]), int(every[at]))
        value = part * int(net[at])
        whole += value
        rounds += part * int(ways[at])
        if value < 0:
            worth -= value
            taken += part * int(ways[at])
    return OptionWorth(
        worth=worth / total,
        blind=max(Fraction(0), -whole / total),
        taken=taken / rounds if rounds else Fraction(0),
    )


def _by_points(by_ranks: Integers) -> Integers:
    """Counts by rank added up by points, on every axis."""
    found = by_ranks
    for axis in range(by_ranks.ndim):
        parts = [
            found.take([rank for rank in range(RANKS) if VALUES[rank] == points], axis=axis).sum(axis=axis)
            for points in range(POINTS)
        ]
        found = np.stack(parts, axis=axis)
    return found


def _by_third(insurance: Insurance, offer: Offer, found: Sequence[Path]) -> list[tuple[Fraction, int]]:
    """By the Player's third card: what a unit of this insurance nets over all its rounds, and how many."""
    net: dict[int, Fraction] = {}
    rounds: dict[int, int] = {}
    for path in found:
        third = path.player_third or 0
        verdict = verdict_on(insurance, offer, path)
        brings = {"win": offer.odds.ratio, "push": Fraction(0), "lose": Fraction(-1)}[verdict]
        net[third] = net.get(third, Fraction(0)) + brings * path.rounds
        rounds[third] = rounds.get(third, 0) + path.rounds
    return [(net[third], rounds[third]) for third in net]


def _would_have_won(insurance: Insurance, side: Side, path: Path) -> bool:
    """Whether some insurance on that hand, in a window that this round opens, wins."""
    return any(
        offer.hand is side and verdict_on(insurance, offer, path) == "win"
        for window, points in windows_of(path)
        for offer in rows_at(insurance, window, *points)
    )
