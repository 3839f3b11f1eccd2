"""Perfect play and counts the slow and obvious way: card by card, every value a fraction.

Nothing here comes from `thirdcard.protect` but the run that is asked about.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from thirdcard.cards import Card
from thirdcard.odds import Composition, fresh, situation, values
from thirdcard.odds.insurance import insurance_of
from thirdcard.play.insurance import Bought, cap
from thirdcard.play.tableau import Deal
from thirdcard.protect.protect_run import SHOES, Count, ProtectRun
from thirdcard.rulebook import load
from thirdcard.simulate.pay_tables import cards_of, shoe_of


@lru_cache(maxsize=1000)
def worth(slug: str, unseen: Composition, bets: tuple[str, ...]) -> dict[str, Fraction]:
    return {name: value.ev for name, value in values(load(slug), unseen, bets).items()}


UNIT = 10**9  # the original bet in cents, so large that no cap is rounded to speak of


class Round(NamedTuple):
    """A round about to begin: cards that nobody has seen, how many in the shoe, what was shown, what comes."""

    unseen: Composition
    left: int
    shown: tuple[Card, ...]
    cards: tuple[Card, ...]


def rounds_of(run: ProtectRun, number: int, cut: int) -> Iterator[Round]:
    """The rounds of a shoe at one cut, told as a dealer would tell them."""
    shoe = shoe_of(run.decks, 6, suits=True)
    cards = cards_of(shoe, seed=run.seed, stream=number // SHOES, number=number % SHOES)
    shown: tuple[Card, ...] = ()
    at = int(run.burn) if run.burn.isdigit() else 0
    if run.burn == "first-card":
        shown, at = cards[:1], 1 + (cards[0].points or 10)
    before_cut = len(cards) - cut
    more = 0 if run.ending == "cut-card" else 1
    while True:
        if at > before_cut or (run.ending == "one-more" and at == before_cut):
            if not more:
                return
            more = -1
        deal = Deal(run.book.table_of_play, cards[at : at + 6])
        used = len(deal.player) + len(deal.banker)
        yield Round(fresh(run.decks).without(shown), len(cards) - at, shown, cards[at : at + used])
        if more == -1:
            return
        shown += cards[at : at + used]
        at += used


def perfect(run: ProtectRun, cut: int) -> dict[str, list[Fraction]]:
    """Every value above zero, shoe after shoe."""
    found = defaultdict(list)
    for number in range(run.shoes):
        for one in rounds_of(run, number, cut):
            for name, value in worth(run.rulebook, one.unseen, run.bets).items():
                if value > 0:
                    found[name].append(value)
    return found


def counted(run: ProtectRun, count: Count, cut: int, trigger: Fraction, *, odd: bool) -> list[Fraction]:
    """The values of the rounds in which the count says bet, on every other shoe."""
    found = []
    for number in range(int(odd), run.shoes, 2):
        for one in rounds_of(run, number, cut):
            running = sum(count.tags[card.rank - 1] for card in one.shown)
            if running / decks_left(one.unseen.cards, count.decks_left) >= trigger:
                found.append(worth(run.rulebook, one.unseen, run.bets)[count.bet])
    return found


def decks_left(cards: int, rounding: str) -> Fraction:
    """Halves and wholes are the nearest, the upper one of two, and at least one; a running count has one deck."""
    if rounding == "none":
        return Fraction(1)
    size = {"exact": Fraction(1, 52), "half": Fraction(1, 2), "whole": Fraction(1)}[rounding]
    units = Fraction(cards, 52) / size
    return max(int(units + Fraction(1, 2)), 1) * size


def insured(run: ProtectRun, hand: str, cut: int) -> tuple[int, int, float]:
    """Offers made on a hand, those worth more than zero, and what buying them to the cap gains by a bet of one."""
    insurance = insurance_of(run.book)
    made, good, gained = 0, 0, 0.0
    for number in range(run.shoes):
        for one in rounds_of(run, number, cut):
            bought: list[Bought] = []
            for window in range(1, len(one.cards) - 3):
                for found in situation(run.book, one.unseen, one.cards[: 3 + window]):
                    if found.offer.hand != hand:
                        continue
                    made += 1
                    if found.favours == "player":
                        good += 1
                        most = cap(
                            insurance, found.offer, original=UNIT, bought=bought, unit=1, maximum=UNIT
                        ).cents
                        bought.append(Bought(window, most, found.offer.odds))
                        gained += most / UNIT * float(found.ev or 0)
    return made, good, gained
