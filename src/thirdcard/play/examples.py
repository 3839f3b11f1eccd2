"""Rounds that show what a bet is about: the smallest with one of its results, and as plain as it can be."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from thirdcard.cards import Card, Rank, parse_cards
from thirdcard.play.bets import result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.conditions import sight_of
from thirdcard.rulebook.model import Bet, TableOfPlay
from thirdcard.rulebook.outcomes import every_outcome, looks_of


@lru_cache(maxsize=1024)
def example(bet: Bet, name: str, table: TableOfPlay) -> Deal | None:
    """A whole round with this result of the bet: a tier's name, a push's or "lose"; None if there is none.

    It has as few cards as such a round can have. Nothing in it leads astray: a pair is only there where the
    result asks for one, and so are two cards of one suit.
    """
    for dealt in every_outcome(table, looks_of(bet.whens)):
        if result(bet, dealt.outcome).name == name:
            return _plainer(bet, name, Deal(table, parse_cards(dealt.cards)))
    return None


def _plainer(bet: Bet, name: str, deal: Deal) -> Deal:
    """The same with other first cards of the same totals, where those say less that does not matter."""
    for place in (0, 1) if deal.table.usual else ():
        as_good = (other for other in _others(deal, place) if _came(bet, other) == name)
        deal = next((other for other in as_good if len(other.cards) == len(deal.cards)), deal)
    return deal


def _came(bet: Bet, deal: Deal) -> str:
    return result(bet, outcome_of(deal, sight_of(bet))).name


def _others(deal: Deal, place: int) -> Iterator[Deal]:
    """With other ranks for a hand's first two cards, never a pair: pictures first."""
    first, second = deal.cards[place], deal.cards[place + 2]
    total = (first.points + second.points) % 10
    ranks = sorted(product(Rank, Rank), key=lambda two: (two[0].points != 0, -two[0], two[1]))
    for rank, other in ranks:
        if rank is other or (rank.points + other.points) % 10 != total:
            continue
        cards = list(deal.cards)
        cards[place], cards[place + 2] = _like(first, rank), _like(second, other)
        yield Deal(deal.table, tuple(cards))


def _like(card: Card, rank: Rank) -> Card:
    """Of the same suit."""
    return Card(rank.letter + card.suit.value)
