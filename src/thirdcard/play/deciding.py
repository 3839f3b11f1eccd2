"""The card that decides a round: what it has to be, by arithmetic alone."""

import msgspec

from thirdcard.cards import Card
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.conditions import winner_of
from thirdcard.rulebook.model import Side, TableOfPlay
from thirdcard.rulebook.third_cards import next_by_points

VALUES = range(10)


class Deciding(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The hand that draws, on how many points; the values of a card by which it wins, and those that tie."""

    hand: Side
    points: int
    wins: tuple[int, ...]
    ties: tuple[int, ...]


def deciding(table: TableOfPlay, cards: tuple[Card, ...]) -> Deciding | None:
    """What the next card has to be, if it is the last one whatever it is, and can change who wins."""
    if len(cards) < INITIAL:
        return None
    deal = Deal(table, cards)
    hand = deal.next
    if hand is None or (hand is Side.PLAYER and _banker_may_follow(table, deal)):
        return None
    winners = {value: _winner(deal, hand, value) for value in VALUES}
    if len(set(winners.values())) == 1:
        return None
    return Deciding(
        hand=hand,
        points=deal.points(hand),
        wins=tuple(value for value, winner in winners.items() if winner == hand),
        ties=tuple(value for value, winner in winners.items() if winner == "tie"),
    )


def _banker_may_follow(table: TableOfPlay, deal: Deal) -> bool:
    player, banker = deal.player_points, deal.banker_points
    return any(next_by_points(table, player, banker, (value,)) is Side.BANKER for value in VALUES)


def _winner(deal: Deal, hand: Side, value: int) -> str:
    drawn = (deal.points(hand) + value) % 10
    return (
        winner_of(drawn, deal.banker_points) if hand is Side.PLAYER else winner_of(deal.player_points, drawn)
    )
