"""What every spot of a layout is, for anybody: what wins it, with cards to look at, what it pays, and why.

Figures are exact, of a fresh shoe. What a shoe has brought so far is told by `shoe_hits`.
"""

from collections.abc import Sequence

import msgspec

from thirdcard.cards import Card
from thirdcard.odds import OfferValue, Value, fresh, offers, values
from thirdcard.odds.bet_values import bets_on
from thirdcard.play.examples import example
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Bet, Rules, Side
from thirdcard.words import Language, Words, bet_name, words
from thirdcard.words.telling import condition, pays, pushed


class ShownHand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand of an example."""

    cards: tuple[str, ...]
    points: int


class ToldTier(msgspec.Struct, frozen=True, kw_only=True):
    """One way to win, or to have the stake returned: then it pays nothing.

    `chance` is of a fresh shoe; `hands` are those of a round that shows it, Player's first.
    """

    when: str
    pays: str
    chance: float
    winner: str
    hands: tuple[ShownHand, ...]
    rules: Rules


class ToldOffer(msgspec.Struct, frozen=True, kw_only=True):
    """Insurance at exact points: the insured hand's `own` against the `other`; `edge` once it is offered."""

    window: int
    own: int
    other: int
    pays: str
    win: float
    edge: float


class SpotHelp(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A bet in words and figures; of insurance there are `offers` instead of tiers."""

    name: str
    win: float = 0.0
    edge: float = 0.0
    tiers: tuple[ToldTier, ...] = ()
    pushes: tuple[ToldTier, ...] = ()
    offers: tuple[ToldOffer, ...] = ()
    rules: Rules = ()


def spot_help(book: Rulebook, layout: str, decks: int, lang: Language) -> dict[str, SpotHelp]:
    """By bet, in the layout's order; insurance on either hand where the rulebook has it."""
    by_bet = spots(book, bets_on(book, layout), decks, lang)
    if book.insurance is not None:
        offered = offers(book, fresh(decks))
        for side in Side:
            by_bet[f"{side}-insurance"] = _insurance(side, offered, words(lang))
    return by_bet


def spots(book: Rulebook, bets: Sequence[str], decks: int, lang: Language) -> dict[str, SpotHelp]:
    """These bets of a book, by name."""
    worth = values(book, fresh(decks), bets) if bets else {}
    return {name: _spot(book, name, value, words(lang)) for name, value in worth.items()}


def _spot(book: Rulebook, name: str, value: Value, lexicon: Words) -> SpotHelp:
    bet = book.bets[name]
    return SpotHelp(
        name=bet_name(name, lexicon.code, book),
        win=float(value.win),
        edge=float(value.house_edge),
        tiers=tuple(_tier(book, bet, value, tier.tier, lexicon) for tier in bet.pays),
        pushes=tuple(_tier(book, bet, value, push.tier, lexicon) for push in bet.every_push),
        rules=bet.rules,
    )


def _tier(book: Rulebook, bet: Bet, value: Value, name: str, lexicon: Words) -> ToldTier:
    paid = next((tier for tier in bet.pays if tier.tier == name), None)
    push = next((push for push in bet.every_push if push.tier == name), None)
    said = paid or push
    assert said is not None  # one of them has the name
    shown = example(bet, name, book.table_of_play)
    return ToldTier(
        when=pushed(push, lexicon) if push else condition(said.when, lexicon),
        pays=pays(paid.odds, lexicon) if paid else "",
        chance=float(value.chance(name)),
        winner=shown.winner if shown else "",
        hands=_hands(shown) if shown else (),
        rules=said.rules,
    )


def _hands(deal: Deal) -> tuple[ShownHand, ...]:
    return tuple(ShownHand(cards=_texts(deal.hand(side)), points=deal.points(side)) for side in Side)


def _texts(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(str(card) for card in cards)


def _insurance(side: Side, offered: Sequence[OfferValue], lexicon: Words) -> SpotHelp:
    here = [offer for offer in offered if offer.offer.hand is side and offer.rounds]
    return SpotHelp(
        name=bet_name(f"{side}-insurance", lexicon.code),
        offers=tuple(
            ToldOffer(
                window=offer.offer.window,
                own=offer.player if side is Side.PLAYER else offer.banker,
                other=offer.banker if side is Side.PLAYER else offer.player,
                pays=pays(offer.offer.odds, lexicon),
                win=float(offer.chance("win") or 0),
                edge=-float(offer.ev or 0),
            )
            for offer in here
        ),
        rules=tuple(dict.fromkeys(rule for offer in here for rule in offer.rules)),
    )
