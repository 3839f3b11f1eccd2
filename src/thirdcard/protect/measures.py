"""From the totals of a run to what they mean: units, shares, money, and where to cut."""

from collections.abc import Iterator
from fractions import Fraction
from math import exp, sqrt
from typing import Any

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK
from thirdcard.odds import effects, fresh, values
from thirdcard.odds.compiled import Integers, np
from thirdcard.odds.insurance import OfferValue, insurance_of, offers
from thirdcard.protect.follow_kernel import BILLION, GAIN, MILLION, Totals
from thirdcard.protect.insurance_kernel import STEP, CoverSums
from thirdcard.protect.protect_run import TOTALS, Count, ProtectRun
from thirdcard.protect.protection import (
    AtCut,
    BetAtCut,
    BetFacts,
    CountPlay,
    CutRow,
    Depth,
    FavourableOffer,
    InsuredHand,
    OffTheTop,
    PerfectPlay,
    Protection,
    SafeFrom,
    Terms,
    Turns,
    WhereToCut,
)
from thirdcard.protect.tags import SIMPLE, by_rank, correlation, in_order
from thirdcard.rulebook import Rulebook
from thirdcard.simulate.session_plans import HANDS
from thirdcard.simulate.tally import ERRORS_95
from thirdcard.simulate.work import RunOutcome
from thirdcard.strict import fields_of

TENTH, MIDDLE, NINE_TENTHS = 0.1, 0.5, 0.9
MAXIMA = (1, 2, 5, 10)  # times the maximum
DEPTH_STEP = 26  # from one row of the table of cuts to the next
EVEN, ODD = range(2)  # the shoes that choose a trigger, and those that measure it


def protection(run: ProtectRun, outcome: RunOutcome, terms: Terms) -> Protection:
    return Measures(run, outcome.total, run.size(outcome.done), terms).protection(partial=outcome.partial)


class Measures:
    """The measures of so many shoes."""

    def __init__(self, run: ProtectRun, total: tuple[Integers, ...], shoes: int, terms: Terms) -> None:
        self.run, self.shoes, self.terms = run, shoes, terms
        self.totals = totals = Totals(*total[:TOTALS])
        self._insured = CoverSums(*total[TOTALS:]) if run.insurance else None
        self.half = CARDS_IN_A_DECK * run.decks // 2
        self.least = min(run.cuts)
        self.depths = range(
            self.least, max(self.half, self.least) + 1
        )  # also where every cut is deeper than half
        self._cuts = sorted(run.cuts)
        self._rounds = _from_there_on(totals.rounds)  # by cut depth
        self._chances = _from_there_on(totals.chances.swapaxes(0, 1))  # [cut depth, bet, what]
        shoe = fresh(run.decks)
        self._values = values(run.book, shoe, run.bets)
        self._effects = {name: in_order(by) for name, by in effects(run.book, shoe, run.bets).items()}

    def protection(self, *, partial: bool) -> Protection:
        run = self.run
        return fields_of(
            Protection,
            run,
            shoes=self.shoes,
            shoes_asked=run.shoes,
            partial=partial,
            error_asked=run.error,
            largest_error=run.largest_error(self.totals, self.shoes),
            terms=self.terms,
            cuts={str(cut): self.at_cut(cut) for cut in run.cuts},
            bets={name: self.facts(name) for name in run.bets},
            where=self.where(),
            insurance=off_the_top(run.book, run.decks) if run.insurance else None,
        )

    def rounds(self, cut: int) -> float:
        """A shoe."""
        return int(self._rounds[cut]) / self.shoes

    def units(self, cut: int, bet: str) -> float:
        """What perfect play wins a shoe at any cut."""
        gain: int = self._chances[cut, self.run.bets.index(bet), GAIN]
        return float(gain / BILLION / self.shoes)

    def at_cut(self, cut: int) -> AtCut:
        number = self._cuts.index(cut)
        bets = {}
        for bet, name in enumerate(self.run.bets):
            chances, gain, square = self._chances[cut, bet].tolist()
            shoes = self.totals.shoes[:, number, bet]
            perfect = self._perfect(cut, chances, gain, square, int(shoes[:, 1].sum()))
            counts = self._counts(cut, name, shoes[:, 0])
            simple = [count for count in counts if count[1].level in SIMPLE] or counts
            best = max(simple, key=lambda one: one[0], default=(0, _no_count()))
            bets[name] = BetAtCut(
                perfect=perfect, count=best[1], counts=tuple([count for _, count in counts])
            )
        teams = {
            name: self._perfect(cut, *self.totals.teams[number, team].tolist())
            for team, name in enumerate(self.run.teams)
        }
        return AtCut(
            rounds_per_shoe=self.rounds(cut), bets=bets, teams=teams, insurance=dict(self._hands(cut))
        )

    def _hands(self, cut: int) -> Iterator[tuple[str, InsuredHand]]:
        if self._insured is None:
            return
        rounds, at = self.rounds(cut) * self.shoes, self._cuts.index(cut)
        for number, hand in enumerate(HANDS):
            offered, favourable, staked, gained, value = (
                self._insured.hands[number, cut:].sum(axis=0).tolist()
            )
            found = self._insured.policies[:, at, number]
            chosen, measured = int(found[EVEN, :, GAIN].argmax()), max(self.shoes // 2, 1)
            yield (
                hand,
                InsuredHand(
                    **_gain(measured, self.rounds(cut) * measured, *found[ODD, chosen].tolist()),
                    from_value=-STEP * chosen,
                    at_most=int(self._insured.hindsight[at, number]) / BILLION / self.shoes,
                    offers=offered / rounds,
                    favourable=favourable / offered if offered else 0.0,
                    staked=staked / BILLION / rounds,
                    edge=gained / staked if staked else 0.0,
                    insurance=gained / BILLION / rounds,
                    every_round=(value + gained) / BILLION / rounds,
                ),
            )

    def _perfect(self, cut: int, chances: int, gain: int, square: int, shoe_square: int) -> PerfectPlay:
        rounds = self.rounds(cut) * self.shoes
        mean = gain / BILLION / rounds
        variance = max(square / MILLION / rounds - mean * mean, 0.0)
        stake = self.terms.maximum * self.terms.boxes
        ruin = exp(-2 * mean * self.terms.bankroll / stake / variance) if variance else 0.0
        return PerfectPlay(
            **_gain(self.shoes, rounds, chances, gain, shoe_square),
            sd_per_100=10 * sqrt(variance),
            desirability=1000 * mean / sqrt(variance) if variance else 0.0,
            ruin=ruin,
            hourly=self.terms.hourly(mean),
        )

    def _counts(self, cut: int, name: str, perfect: Integers) -> list[tuple[int, CountPlay]]:
        """Each with what it won on the shoes that choose; `perfect` is what perfect play won, by halves."""
        return [
            self._count(cut, number, count, perfect)
            for number, count in enumerate(self.run.counts)
            if count.bet == name
        ]

    def _count(self, cut: int, number: int, count: Count, perfect: Integers) -> tuple[int, CountPlay]:
        """Chosen on the even shoes and measured on the odd ones; a given trigger is measured on all."""
        found = self.totals.counts[:, self._cuts.index(cut), number]
        if count.triggers == 1:
            chosen, measured, shoes, whole = 0, found.sum(axis=0), self.shoes, int(perfect.sum())
        else:
            chosen, measured, shoes = int(found[EVEN, :, GAIN].argmax()), found[ODD], self.shoes // 2
            whole = int(perfect[ODD])
        pays = count.triggers == 1 or found[EVEN, chosen, GAIN] > 0
        chances, gain, square = measured[chosen].tolist() if pays and shoes else (0, 0, 0)
        made = _gain(max(shoes, 1), self.rounds(cut) * max(shoes, 1), chances, gain, square)
        return int(found[EVEN, chosen, GAIN]), CountPlay(
            **made,
            level=count.level,
            tags=by_rank(count.tags),
            trigger=count.trigger(chosen) if pays else None,
            correlation=correlation(count.tags, self._effects[count.bet]),
            efficiency=gain / whole if whole else 0.0,
            decks_left=count.decks_left,
        )

    def facts(self, name: str) -> BetFacts:
        bet = self.run.book.bets[name]
        depths = tuple(
            Depth(cut=cut, rounds_per_shoe=self.rounds(cut), units_per_shoe=self.units(cut, name))
            for cut in self.depths
        )
        safe = [depth.cut for depth in depths if depth.units_per_shoe <= self.terms.tolerance]
        return BetFacts(
            name=bet.name,
            house_edge=float(self._values[name].house_edge),
            effects={letter: float(one) for letter, one in _lettered(self._effects[name]).items()},
            safe_cut=min(safe, default=None),
            turns=self._turns(self.totals.turned[self.run.bets.index(name)]),
            depths=depths,
        )

    def _turns(self, turned: Integers) -> Turns | None:
        shoes = int(turned.sum())
        if not shoes:
            return None
        reached = np.cumsum(turned) / shoes
        late, median, early = (int(np.searchsorted(reached, share)) for share in (TENTH, MIDDLE, NINE_TENTHS))
        return Turns(share=shoes / self.shoes, late=late, median=median, early=early)

    def where(self) -> WhereToCut:
        steps = [cut for cut in range(DEPTH_STEP, self.half + 1, DEPTH_STEP) if cut > self.least]
        listed = sorted({*self.run.cuts, *steps})
        safe = []
        for times in MAXIMA:
            maximum = self.terms.maximum * times
            fitting = [cut for cut in self.depths if self._most(cut, maximum)[1] <= self.terms.an_hour]
            cut = min(fitting, default=None)
            safe.append(
                SafeFrom(maximum=maximum, cut=cut, rounds_kept=None if cut is None else self._kept(cut))
            )
        return WhereToCut(
            tolerance=self.terms.an_hour, rows=tuple(map(self._row, listed)), by_maximum=tuple(safe)
        )

    def _kept(self, cut: int) -> float:
        return self.rounds(cut) / self.rounds(self.least)

    def _most(self, cut: int, maximum: int) -> tuple[str, int]:
        """The bet worth most an hour at that cut, and how much."""
        if not self.rounds(cut):
            return self.run.bets[0], 0
        best = max(self.run.bets, key=lambda name: self.units(cut, name))
        return best, self.terms.hourly(self.units(cut, best) / self.rounds(cut), maximum)

    def _row(self, cut: int) -> CutRow:
        bet, hourly = self._most(cut, self.terms.maximum)
        return CutRow(
            cut=cut,
            rounds_per_shoe=self.rounds(cut),
            rounds_kept=self._kept(cut),
            bet=bet,
            units_per_shoe=self.units(cut, bet),
            hourly=hourly,
        )


def _from_there_on(by_need: Integers) -> Integers:
    """Totals by cut depth: a cut deals all rounds that need it or less."""
    summed: Integers = by_need[::-1].cumsum(axis=0)[::-1]
    return summed


def _gain(shoes: int, rounds: float, chances: int, gain: int, shoe_square: int) -> dict[str, Any]:
    units = gain / BILLION / shoes
    error = sqrt(max(shoe_square / BILLION / shoes - units * units, 0.0) / max(shoes - 1, 1))
    return {
        "units_per_shoe": units,
        "low": units - ERRORS_95 * error,
        "high": units + ERRORS_95 * error,
        "error": error,
        "units_per_100": 100 * gain / BILLION / rounds,
        "frequency": chances / rounds,
        "average_edge": gain / BILLION / chances if chances else 0.0,
    }


def _lettered(by: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(by_rank(by), by, strict=True))


def _no_count() -> CountPlay:
    """Of a bet to which every card is like every other."""
    return CountPlay(
        **_gain(1, 1.0, 0, 0, 0),
        level="1",
        tags=by_rank((0,) * 13),
        trigger=None,
        correlation=0.0,
        efficiency=0.0,
        decks_left="exact",
    )


# --- insurance before a card is counted -------------------------------------------------------------------


class InsuredDecks(msgspec.Struct, frozen=True, kw_only=True):
    """What insurance off the top comes to with so many decks, the best value of all offers among it.

    By hand: what the bet costs alone, and with every favourable offer insured as far as the caps allow, each
    window on its own (which is at most a little kinder than a cap on what a round may win in all).
    """

    decks: int
    offers: int
    favourable: int
    best: float
    comes_up: float  # the share of rounds with a favourable offer; rounds with two count twice
    alone: dict[str, float]
    insured: dict[str, float]


def off_the_top(book: Rulebook, decks: int) -> OffTheTop:
    """The insurance offers of a fresh shoe, exactly."""
    made = offers(book, fresh(decks))
    best = sorted(
        [offer for offer in made if offer.favours == "player"],
        key=lambda offer: -(offer.ev or 0),
    )
    favourable = [
        fields_of(
            FavourableOffer,
            offer,
            ev=float(offer.ev or 0),
            probability=float(offer.probability),
        )
        for offer in best
    ]
    return OffTheTop(offers=len(made), favourable=tuple(favourable))


def by_decks(book: Rulebook) -> tuple[InsuredDecks, ...]:
    """For every number of decks that the rulebook allows."""
    return tuple([_insured(book, decks) for decks in range(book.decks.min, book.decks.max + 1)])


def _insured(book: Rulebook, decks: int) -> InsuredDecks:
    shoe = fresh(decks)
    made = [offer for offer in offers(book, shoe) if offer.ev is not None]
    good = [offer_value for offer_value in made if offer_value.favours == "player"]
    hands = tuple(dict.fromkeys(offer_value.offer.hand for offer_value in made))
    edges = {hand: value.house_edge for hand, value in values(book, shoe, hands).items()}
    return InsuredDecks(
        decks=decks,
        offers=len(made),
        favourable=len(good),
        best=float(
            max((offer_value.ev for offer_value in made if offer_value.ev is not None), default=Fraction(0))
        ),
        comes_up=float(sum((offer_value.probability for offer_value in good), Fraction(0))),
        alone={hand: float(edges[hand]) for hand in hands},
        insured={
            hand: float(
                edges[hand]
                - sum(
                    (_adds(book, offer_value) for offer_value in good if offer_value.offer.hand == hand),
                    Fraction(0),
                )
            )
            for hand in hands
        },
    )


def _adds(book: Rulebook, one: OfferValue) -> Fraction:
    """To a unit on its hand: chance times value times the largest stake, each window on its own."""
    insurance, most = insurance_of(book), Fraction(1)
    if insurance.stake_per_window is not None:
        most = insurance.stake_per_window.value
    if insurance.winnings_per_round is not None:
        most = min(most, insurance.winnings_per_round.value / one.offer.odds.ratio)
    return one.probability * (one.ev or Fraction(0)) * most
