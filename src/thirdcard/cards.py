"""Cards and how people write them: `9C KD` is the nine of clubs, then the king of diamonds."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, IntEnum
from itertools import chain, zip_longest
from typing import TypeAlias

from thirdcard.errors import BadInput


class Rank(IntEnum):
    """Ace to king; two cards of one rank are a pair."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def points(self) -> int:
        """Ace 1, two to nine their number, tens and pictures 0 (a ten's 10 is 0 modulo 10)."""
        return self.value if self.value < Rank.TEN else 0

    @property
    def letter(self) -> str:
        return "A23456789TJQK"[self.value - 1]


class Suit(Enum):
    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Card(Enum):
    """One of the 52 cards, its value the way it is written: `Card("9C")`.

    The members are made from the ranks and suits below, so there is nothing to mistype.

    >>> Card("9C").points, Card("KD").suit.name, str(Card.NINE_OF_CLUBS)
    (9, 'DIAMONDS', '9C')
    """

    _ignore_ = ["_rank", "_suit"]  # noqa: RUF012 - what Enum asks for
    for _suit in Suit:
        for _rank in Rank:
            vars()[f"{_rank.name}_OF_{_suit.name}"] = _rank.letter + _suit.value

    def __init__(self, text: str) -> None:
        self.rank = Rank("A23456789TJQK".index(text[0]) + 1)
        self.suit = Suit(text[1])
        self.points = self.rank.points

    def __str__(self) -> str:
        return str(self.value)

    __hash__ = object.__hash__  # members are singletons; hashing the name each time is five times slower


CARDS_IN_A_DECK = len(Card)
NONE_DRAWN: Mapping[str, int] = {}
CardsLike: TypeAlias = str | Iterable[Card | str]
_BY_TEXT: dict[str, Card] = {card.value: card for card in Card}
_SUITS = dict(zip("♠♥♦♣♤♡♢♧", "SHDC" * 2, strict=True))
_BETWEEN = " \t\r\n,;|/"  # what may stand between two cards
_WRITTEN = re.compile(rf"[{_BETWEEN}]*(10|[A2-9TJQK])([SHDC♠♥♦♣♤♡♢♧])\ufe0f?", re.IGNORECASE)


def parse_card(text: str) -> Card:
    card = _BY_TEXT.get(text)
    if card is None:
        better = text.upper().replace("10", "T")
        hint = f"; did you mean {better}?" if better in _BY_TEXT else ""
        raise BadInput(
            f"{text!r} is not a card: expected a rank of A23456789TJQK then a suit of SHDC, such as 9C{hint}"
        )
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards in the order drawn, separated by spaces."""
    try:
        return tuple([_BY_TEXT[word] for word in text.split()])
    except KeyError:
        return tuple(parse_card(word) for word in text.split())


def cards_of(given: CardsLike) -> tuple[Card, ...]:
    """Cards in the order drawn, given as text or one by one.

    >>> cards_of("9C KD") == cards_of(["9C", Card("KD")])
    True
    """
    if isinstance(given, str):
        return parse_cards(given)
    try:
        return tuple([one if isinstance(one, Card) else parse_card(one) for one in given])
    except (AttributeError, TypeError):
        raise BadInput(f"cards are written such as '9C KD', or given one by one: got {given!r}") from None


def read_cards(text: str) -> tuple[Card, ...]:
    """Cards as people and other programs write them: `9c`, `10C`, `9♣`, with commas or without spaces.

    >>> read_cards("9c,10♦ Kh") == parse_cards("9C TD KH")
    True
    """
    found, place, end = [], 0, len(text.rstrip(_BETWEEN))
    while place < end:
        match = _WRITTEN.match(text, place)
        if match is None:
            word = text[place:].split(maxsplit=1)[0]
            raise BadInput(f"{word!r} is not a card: expected a rank and a suit, such as 9C, 10c or 9♣")
        rank, suit = match[1].upper().replace("10", "T"), match[2].upper()
        found.append(_BY_TEXT[rank + _SUITS.get(suit, suit)])
        place = match.end()
    return tuple(found)


def in_order(player: Sequence[Card], banker: Sequence[Card]) -> tuple[Card, ...]:
    """Two hands as they were dealt: first and third card to the Player, second and fourth to the Banker.

    >>> format_cards(in_order(cards_of("9C 7D"), cards_of("KS 4H 3D")))
    '9C KS 7D 4H 3D'
    """
    return tuple(card for card in chain(*zip_longest(player, banker)) if card is not None)


def format_cards(cards: Iterable[Card]) -> str:
    return " ".join([card.value for card in cards])


def surplus(cards: Iterable[Card], decks: int, drawn: Mapping[str, int] = NONE_DRAWN) -> Card | None:
    """The first of the cards that so many decks cannot hold, less those `drawn` before, counted by name."""
    counts = dict(drawn)
    for card in cards:
        name = card.value
        counts[name] = counts.get(name, 0) + 1
        if counts[name] > decks:
            return card
    return None


def check_copies(cards: Sequence[Card], decks: int) -> None:
    """Refuse more copies of one card than the decks hold."""
    card = surplus(cards, decks) if len(cards) > decks else None
    if card is not None:
        raise BadInput(f"{card} comes {cards.count(card)} times, but {decks} decks hold only {decks} of it")


def check_shoe(cards: Sequence[Card], decks: int) -> None:
    """Refuse what is not so many whole decks."""
    card = surplus(cards, decks)
    if card is not None:
        raise BadInput(f"{card} comes {cards.count(card)} times in a shoe of {decks} decks")
    if len(cards) != CARDS_IN_A_DECK * decks:
        raise BadInput(f"there are {len(cards)} cards in a shoe of {decks} decks")
