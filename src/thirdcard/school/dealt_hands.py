"""Rounds for items: dealt as a skill asks for, and hands as they would lie after an error."""

from collections.abc import Callable, Iterable
from functools import lru_cache

from thirdcard.cards import Card, format_cards, in_order, parse_cards, surplus
from thirdcard.errors import BadInput
from thirdcard.play import bets as bet_rules
from thirdcard.play.bets import Result
from thirdcard.play.insurance import open_window
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, Deal, points
from thirdcard.rulebook.conditions import Outcome, sight_of, sight_of_all
from thirdcard.rulebook.model import Bet, Insurance, Offer, Rulebook, Side, TableOfPlay
from thirdcard.rulebook.outcomes import every_outcome, looks_of
from thirdcard.school.chance import SeededChance
from thirdcard.school.item_types import BetLine, Cost
from thirdcard.school.making import Ground, cost_of_net

NATURAL_TRIES = 24
ENOUGH_DECKS = 6  # for six cards alike
SAMPLE_STAKE = 5_000  # cents, on each bet where an error is priced


class NeverDealtError(BadInput):
    """What no round of so few decks can have, as two cards alike from a single one."""

    def __init__(self, what: str, decks: int) -> None:
        super().__init__(
            f"{decks} deck{'s' * (decks > 1)} cannot deal {what}: take more, or ask another skill"
        )


class HandsAsLaid(Deal):
    """Two hands as they lie, whether or not the Table of Play would have it so."""

    def __init__(self, table: TableOfPlay, player: tuple[Card, ...], banker: tuple[Card, ...]) -> None:
        super().__init__(table, ())
        self.player, self.banker = player, banker
        self.player_points, self.banker_points = points(player), points(banker)


def outcome_as_laid(book: Rulebook, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Outcome:
    """What a dealer would read off these two hands."""
    return outcome_of(HandsAsLaid(book.table_of_play, player, banker), sight_of_all(book))


def fits_decks(cards: tuple[Card, ...], decks: int) -> bool:
    return len(cards) <= decks or surplus(cards, decks) is None


def first_cards(ground: Ground) -> tuple[Card, ...]:
    """Two for each hand, by chance, and no more alike than the decks have."""
    cards: tuple[Card, ...] = ()
    while len(cards) < INITIAL:
        card = ground.chance.card()
        if fits_decks((*cards, card), ground.decks):
            cards = (*cards, card)
    return cards


def finished(ground: Ground, cards: tuple[Card, ...]) -> Deal:
    """The round from these cards on, which the decks have, by chance and the Table of Play."""
    deal = Deal(ground.book.table_of_play, cards)
    while deal.next is not None:
        card = ground.chance.card()
        if fits_decks((*deal.cards, card), ground.decks):
            deal = Deal(deal.table, (*deal.cards, card))
    return deal


def dealt_for(ground: Ground, bet: Bet, name: str) -> Deal:
    """A whole round with this result of the bet: dealt by chance, if that takes few deals.

    Else one of the smallest rounds that have it, with other cards of the same points where those do too.
    """
    chance, table = ground.chance, ground.book.table_of_play
    pool = _rounds(bet, table, min(ground.decks, ENOUGH_DECKS))[name]
    if not pool:
        raise NeverDealtError(f"the result {name!r} of {bet.name}", ground.decks)
    for _ in range(NATURAL_TRIES):
        deal = finished(ground, first_cards(ground))
        if result_in(bet, deal).name == name:
            return deal
    deal = Deal(table, parse_cards(chance.pick(pool)))
    places = chance.shuffled(range(len(deal.cards)))

    def still_does(other: Deal) -> bool:
        return result_in(bet, other).name == name and fits_decks(other.cards, ground.decks)

    return varied(deal, chance, places, still_does)


def varied(deal: Deal, chance: SeededChance, places: Iterable[int], may_be: Callable[[Deal], bool]) -> Deal:
    """With other cards of the same points at these places, wherever the round may be so."""
    for place in places:
        cards = list(deal.cards)
        cards[place] = chance.card(cards[place].points)
        other = Deal(deal.table, tuple(cards))
        if may_be(other):
            deal = other
    return deal


def result_in(bet: Bet, deal: Deal) -> Result:
    """What a bet comes to in a finished round."""
    return bet_rules.result(bet, outcome_of(deal, sight_of(bet)))


def dealt_to_row(ground: Ground, row: Offer) -> Deal | None:
    """A whole round that stood at that row of the insurance table while its window was open."""
    player, banker = ground.chance.pick(tuple(row.player)), ground.chance.pick(tuple(row.banker))
    then = dealt_to_points(ground, row.window, player, banker)
    return None if then is None else finished(ground, then.cards)


def dealt_to_points(ground: Ground, window: int, player: int, banker: int) -> Deal | None:
    """A round as far as an open window, at these points."""
    chance, table = ground.chance, ground.book.table_of_play
    if window == 1:
        cards = in_order(chance.two_cards(player), chance.two_cards(banker))
    else:
        against = table.banker_draws.get(banker, ())
        starts = [draw for draw in table.player_draws if (player - draw) % 10 in against]
        if not starts:
            return None
        before = chance.pick(starts)
        four = in_order(chance.two_cards(before), chance.two_cards(banker))
        cards = (*four, chance.card((player - before) % 10))
    then = Deal(table, cards)
    return then if fits_decks(cards, ground.decks) and open_window(then) == window else None


def insurance_of(book: Rulebook) -> Insurance:
    """The insurance of a book that has it: only such a book has skills that ask for it."""
    if book.insurance is None:
        raise BadInput(f"{book.slug} offers no insurance")
    return book.insurance


@lru_cache(maxsize=2048)
def _rounds(bet: Bet, table: TableOfPlay, decks: int) -> dict[str, tuple[str, ...]]:
    """By the bet's result: the smallest round of each outcome that it tells apart, if the decks have it."""
    by_skill: dict[str, list[str]] = {}
    for dealt in every_outcome(table, looks_of(bet.whens)):
        rounds = by_skill.setdefault(bet_rules.result(bet, dealt.outcome).name, [])
        if fits_decks(parse_cards(dealt.cards), decks):
            rounds.append(dealt.cards)
    return {name: tuple(some) for name, some in by_skill.items()}


def results_of(bet: Bet, table: TableOfPlay, decks: int = ENOUGH_DECKS) -> tuple[str, ...]:
    """Every result that a round of these decks can give the bet: its tiers, its pushes and "lose"."""
    return tuple(name for name, rounds in _rounds(bet, table, min(decks, ENOUGH_DECKS)).items() if rounds)


def cost_of(ground: Ground, right: Outcome, wrong: Outcome, coming: tuple[Card, ...] = ()) -> Cost | None:
    """The bet of the layout on which the wrong outcome is dearest, the same stake lying on each.

    `coming` are cards that the learner has not seen. `None` where every bet comes out the same.
    """
    dearest, price = "", 0
    for name in ground.bets:
        difference = net_of(ground.book, name, wrong) - net_of(ground.book, name, right)
        if abs(difference) > abs(price):
            dearest, price = name, difference
    if not dearest:
        return None
    key = "cost-of-cards" if coming else "cost-of-outcome"
    shown = {"cards": format_cards(coming)} if coming else {}
    instead, net = (net_of(ground.book, dearest, outcome) for outcome in (wrong, right))
    return cost_of_net(key, dearest, SAMPLE_STAKE, wrong=instead, right=net, **shown)


def net_of(book: Rulebook, name: str, outcome: Outcome, stake: int = SAMPLE_STAKE) -> int:
    """What a stake wins or loses, in cents."""
    return bet_rules.result(book.bets[name], outcome).net(stake)


def wrongly_settled(book: Rulebook, lines: Iterable[BetLine], wrong: Outcome, right: Outcome) -> int:
    """What is paid or taken too much or too little, all lines together."""
    return sum(
        abs(net_of(book, line.bet, wrong, line.stake) - net_of(book, line.bet, right, line.stake))
        for line in lines
    )


def other_draw(deal: Deal, side: Side, coming: Card) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The hands if this one had done the opposite: drawn where it stood, or stood where it drew."""
    hands = {other: deal.hand(other) for other in Side}
    hands[side] = hands[side][:2] if len(hands[side]) > 2 else (*hands[side], coming)  # noqa: PLR2004
    return hands[Side.PLAYER], hands[Side.BANKER]
