"""Whose card is next. A round is the sequence of its cards; hands and points are derived from it."""

from thirdcard.cards import Card, format_cards
from thirdcard.errors import BadInput
from thirdcard.rulebook.conditions import Winner, winner_of
from thirdcard.rulebook.model import Side, TableOfPlay
from thirdcard.rulebook.third_cards import next_by_points

INITIAL = 4  # first and third card to the Player, second and fourth to the Banker
LONGEST = 6
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


def points(cards: tuple[Card, ...]) -> int:
    return sum([card.points for card in cards]) % 10


def total(table: TableOfPlay, hand: tuple[Card, ...]) -> int:
    """What a hand has: its points, or the place of its card in the order of the ranks."""
    if table.order:
        return sum([table.order.index(card.rank.letter) + 1 for card in hand])
    return points(hand)


def initial(table: TableOfPlay) -> int:
    """How many cards a round begins with."""
    return INITIAL // 2 if table.order else INITIAL


def next_hand(table: TableOfPlay, cards: tuple[Card, ...]) -> Side | None:
    """The hand that draws after these cards, or `None` when the round is complete."""
    drawn = len(cards)
    if drawn < initial(table):
        return Side.BANKER if drawn % 2 else Side.PLAYER
    if table.order:
        return None
    first, second, third, fourth = cards[:INITIAL]
    return next_by_points(
        table,
        (first.points + third.points) % 10,
        (second.points + fourth.points) % 10,
        tuple([card.points for card in cards[INITIAL:]]),
    )


class Deal:
    """Cards in the order drawn, laid to the hands they belong to.

    Cards beyond those the round needs are `left_over`, in their order.
    """

    def __init__(self, table: TableOfPlay, cards: tuple[Card, ...]) -> None:
        self.table = table
        self.cards = cards
        first = initial(table)
        hands = {Side.PLAYER: cards[0:first:2], Side.BANKER: cards[1:first:2]}
        used = min(len(cards), first)
        while (due := next_hand(table, cards[:used])) is not None and used < len(cards):
            hands[due] += (cards[used],)
            used += 1
        self.next: Side | None = due
        self.player = hands[Side.PLAYER]
        self.banker = hands[Side.BANKER]
        self.player_points = total(table, self.player)
        self.banker_points = total(table, self.banker)
        self.left_over = cards[used:]

    def __repr__(self) -> str:
        return f"Deal(P {format_cards(self.player)} | B {format_cards(self.banker)})"

    def hand(self, side: Side) -> tuple[Card, ...]:
        return self.player if side is Side.PLAYER else self.banker

    def points(self, side: Side) -> int:
        return self.player_points if side is Side.PLAYER else self.banker_points

    @property
    def winner(self) -> Winner:
        """Who wins, or is ahead so far."""
        return winner_of(self.player_points, self.banker_points)

    def after(self, drawn: int) -> "Deal":
        """The same round when only so many cards had been drawn."""
        return Deal(self.table, self.cards[:drawn])


def from_shoe(deal: Deal) -> tuple[Card, ...]:
    """The cards of a round but for one that is printed."""
    return deal.cards[1:] if deal.table.printed else deal.cards


def check_whole(deal: Deal) -> None:
    """Refuse a round with cards missing or cards to spare."""
    drawn, printed = len(deal.cards), deal.table.printed
    if drawn < initial(deal.table):
        begins = "two" if deal.table.order else "four"
        raise BadInput(f"a round starts with {begins} cards: {drawn} given")
    if printed and deal.cards[0].value != printed:
        raise BadInput(f"the Player's first card is the printed {printed}: got {deal.cards[0]}")
    if deal.next is not None:
        raise BadInput(
            f"the {deal.next.label} draws on {deal.points(deal.next)}: a {ORDINALS[drawn]} card is missing"
        )
    if deal.left_over:
        needed = drawn - len(deal.left_over)
        raise BadInput(
            f"nobody draws a {ORDINALS[needed]} card: "
            f"Player {deal.player_points}, Banker {deal.banker_points}"
        )
