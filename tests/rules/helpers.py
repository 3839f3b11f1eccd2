"""Rounds as a dealer would say them, and a document as its tests transcribe it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from thirdcard.cards import Card, parse_cards
from thirdcard.play.classes import outcomes
from thirdcard.play.settlement import Game, Insured, Statement
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.conditions import Outcome
from thirdcard.rulebook.model import Side

RANKS = "A23456789TJQK"
POINTS = range(10)


def dealt(text: str) -> tuple[Card, ...]:
    """`P 9C 7D KH | B 4H 2S`, put in the order drawn."""
    (p, *player), (b, *banker) = (side.split() for side in text.split("|"))
    if (p, b) != ("P", "B"):
        raise ValueError(f"{text!r} is not of the form 'P 9C 7D | B 4H 2S'")
    first, second, *third = player
    return parse_cards(" ".join((first, banker[0], second, banker[1], *third, *banker[2:])))


def card(points: int, suit: str) -> str:
    """A card worth so many points; a king for none."""
    return (RANKS[points - 1] if points else "K") + suit


def start(player: int, banker: int) -> tuple[Card, ...]:
    """Four cards that give both hands these totals."""
    return dealt(f"P KS {card(player, 'S')} | B QH {card(banker, 'H')}")


def ratio(odds: str) -> Fraction:
    """What `a to b` pays for a stake of 1."""
    gain, stake = odds.split(" to ")
    return Fraction(gain) / int(stake)


class Case(NamedTuple):
    """A finished round in the words of the definitions."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    pairs: str

    @property
    def player_wins(self) -> bool:
        return self.player > self.banker

    @property
    def banker_wins(self) -> bool:
        return self.banker > self.player

    @property
    def tie(self) -> bool:
        return self.player == self.banker

    @property
    def cards(self) -> int:
        return self.player_cards + self.banker_cards

    @property
    def player_pair(self) -> bool:
        return self.pairs in ("player", "double", "twin")

    @property
    def banker_pair(self) -> bool:
        return self.pairs in ("banker", "double", "twin")

    @property
    def same_pair(self) -> bool:
        return self.pairs == "twin"


def every_case() -> Iterator[tuple[Case, Outcome]]:
    """All outcome classes, those that no deal can reach included."""
    for one in outcomes():
        yield Case(one.player, one.banker, one.player_cards, one.banker_cards, one.pairs), one


@dataclass(frozen=True)
class Draws:
    """A Table of Play as printed: points as digits in a row.

    `banker` maps the Banker's points to the Player third cards it draws against.
    """

    player: str
    banker_if_player_stands: str
    banker: dict[str, str]
    natural: str

    def player_draws(self, player: int, banker: int) -> bool:
        return not self.ended(player, banker) and str(player) in self.player

    def banker_draws(self, player: int, banker: int, third: int | None) -> bool:
        """Whether the Banker draws, `third` being the Player's third card if it drew one."""
        if self.ended(player, banker):
            return False
        if third is None:
            return str(banker) in self.banker_if_player_stands
        (against,) = (cards for points, cards in self.banker.items() if str(banker) in points)
        return str(third) in against

    def ended(self, player: int, banker: int) -> bool:
        return str(player) in self.natural or str(banker) in self.natural


class Play(NamedTuple):
    """A whole round: two-card totals, points of the third cards, final totals."""

    cards: tuple[Card, ...]
    start: tuple[int, int]
    player_third: int | None
    banker_third: int | None
    player: int
    banker: int


def every_play(draws: Draws) -> Iterator[Play]:
    """Each combination of two-card totals and third cards that the table allows."""
    for player, banker in product(POINTS, POINTS):
        thirds = POINTS if draws.player_draws(player, banker) else (None,)
        for third in thirds:
            due = draws.banker_draws(player, banker, third)
            for banker_third in POINTS if due else (None,):
                drawn = [
                    card(points, suit)
                    for points, suit in ((third, "D"), (banker_third, "C"))
                    if points is not None
                ]
                yield Play(
                    start(player, banker) + parse_cards(" ".join(drawn)),
                    (player, banker),
                    third,
                    banker_third,
                    (player + (third or 0)) % 10,
                    (banker + (banker_third or 0)) % 10,
                )


class Row(NamedTuple):
    """A row of an insurance table."""

    hand: Side
    window: int
    player: range
    banker: range
    odds: str


def insurance_rows(text: str) -> tuple[Row, ...]:
    """From lines of hand, window, Player's points, Banker's points, odds."""
    _, *lines = text.strip().splitlines()
    made = []
    for line in lines:
        hand, window, player, banker, odds = line.split(maxsplit=4)
        made.append(Row(Side(hand), int(window), _span(player), _span(banker), odds))
    return tuple(made)


def _span(text: str) -> range:
    low, _, high = text.partition("-")
    return range(int(low), int(high or low) + 1)


@dataclass(frozen=True)
class Document:
    """A document as its tests transcribe it, beside the rulebook that is to agree with it.

    `offered` maps each bet to the letters of the layouts that have it.
    """

    slug: str
    decks: range
    draws: Draws
    positions: dict[str, tuple[int, int]]
    offered: dict[str, str]
    insurance: tuple[Row, ...] = ()
    book: Rulebook = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "book", load(self.slug))

    def deal(self, cards: tuple[Card, ...]) -> Deal:
        return Deal(self.book.table_of_play, cards)

    def game(self, layout: str = "A", *, decks: int = 8, unit: int = 100) -> Game:
        return Game(self.book, layout, decks=decks, unit=unit)

    def settle(
        self,
        text: str,
        bets: dict[str, int],
        *insure: tuple[str, int, int],
        layout: str = "A",
        unit: int = 100,
    ) -> Statement:
        """A round settled: stakes in cents, insurance as hand, window, stake."""
        bought = [Insured(hand=Side(hand), window=window, stake=stake) for hand, window, stake in insure]
        return self.game(layout, unit=unit).settle(dealt(text), bets, bought)
