"""Insurance before a card is counted: which offers favour the player, and what they do. Exact."""

from fractions import Fraction

import msgspec

from thirdcard.odds import fresh, values
from thirdcard.odds.insurance import OfferValue, insurance_of, offers
from thirdcard.protect.protection import FavourableOffer, OffTheTop
from thirdcard.rulebook import Rulebook


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
    best = sorted([one for one in made if one.favours == "player"], key=lambda one: -(one.ev or 0))
    return OffTheTop(
        offers=len(made),
        favourable=tuple([_offer(one) for one in best]),
    )


def _offer(one: OfferValue) -> FavourableOffer:
    return FavourableOffer(
        hand=one.offer.hand,
        window=one.offer.window,
        player=one.player,
        banker=one.banker,
        odds=one.offer.odds.text,
        ev=float(one.ev or 0),
        probability=float(one.probability),
        rules=one.rules,
    )


def by_decks(book: Rulebook) -> tuple[InsuredDecks, ...]:
    """For every number of decks that the rulebook allows."""
    return tuple([_insured(book, decks) for decks in range(book.decks.min, book.decks.max + 1)])


def _insured(book: Rulebook, decks: int) -> InsuredDecks:
    shoe = fresh(decks)
    made = [offer for offer in offers(book, shoe) if offer.ev is not None]
    good = [one for one in made if one.favours == "player"]
    hands = tuple(dict.fromkeys(one.offer.hand for one in made))
    edges = {hand: value.house_edge for hand, value in values(book, shoe, hands).items()}
    return InsuredDecks(
        decks=decks,
        offers=len(made),
        favourable=len(good),
        best=float(max((one.ev for one in made if one.ev is not None), default=Fraction(0))),
        comes_up=float(sum((one.probability for one in good), Fraction(0))),
        alone={hand: float(edges[hand]) for hand in hands},
        insured={
            hand: float(
                edges[hand] - sum((_adds(book, one) for one in good if one.offer.hand == hand), Fraction(0))
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
