"""What knowing a card, an option of a ruling and a rival reading are worth: values, without what counts them.

Every number is exact; answers for programs and pages round it.
"""

from fractions import Fraction
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec

from thirdcard.answers import Exactly, Rounded, Told
from thirdcard.cards import Rank
from thirdcard.rulebook.model import Rules

Gives: TypeAlias = Literal["take-back", "bet-knowing", "late-insurance", "claim"]
NoWorth: TypeAlias = Literal["no-choice", "before-the-cards", "as-ever", "discretion", "unseen"]
Per: TypeAlias = Literal["round", "case"]
Places: TypeAlias = tuple[int, ...]  # of the cards of a round, from 1


class Knowledge(msgspec.Struct, Told, frozen=True, kw_only=True):
    """What one piece of knowledge is worth to a bet.

    `worth` is per round that is watched, one unit staked whenever it pays; `bets` the share of rounds with a
    stake; `by_rank` the value where a single rank is known, ace to king, `None` where none is left.
    """

    TELLS: ClassVar = ("worth", "bets", "by_rank", "average_edge", "exact=worth_exactly")

    worth: Rounded
    bets: Rounded
    by_rank: dict[Rank, Rounded | None] = {}

    @property
    def average_edge(self) -> Rounded:
        return self.worth / self.bets if self.bets else Fraction(0)

    @property
    def worth_exactly(self) -> Exactly:
        return self.worth


class KnownCards(msgspec.Struct, frozen=True, kw_only=True):
    """One bet: its value with nothing known, and what each piece of knowledge is worth.

    `places`: the card at a place is known. `somewhere`: a card is known to be among the next six, but not
    where. `gone`: a card is known to have left the shoe. `everything`: all six cards are known.
    `sorted_deck`: the round comes from a deck in the order of a new one, and where in it is known.
    """

    value: Rounded
    places: dict[int, Knowledge]
    somewhere: Knowledge
    gone: Knowledge
    everything: Knowledge
    sorted_deck: Knowledge


class SortedBacks(msgspec.Struct, frozen=True):
    """Points whose backs can be told from the others; what that is worth by how many first cards are seen."""

    points: tuple[int, ...]
    best: dict[int, Knowledge]


class KnownAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What knowing a card is worth to each bet, to Player or Banker at choice, and to the best bet."""

    decks: int
    seen: tuple[str, ...]
    cards: int
    bets: dict[str, KnownCards]
    main: dict[int, Knowledge]
    best: dict[int, Knowledge]
    backs: SortedBacks


# --- options of rulings and readings -----------------------------------------------------------------------


class Exposure(msgspec.Struct, frozen=True, kw_only=True):
    """What people see when they choose.

    `known` are the places of the cards that are seen; of them `together` came out at once and nobody knows
    their order yet. The first `decide` cards are beyond doubt: bets that they win or lose are settled.
    """

    known: Places
    decide: int = 0
    together: Places = ()


class OptionWorth(msgspec.Struct, Told, frozen=True, kw_only=True):
    """Per unit staked: what the option is worth, what it would be blind, and how often it is taken."""

    TELLS: ClassVar = ("worth", "blind", "taken", "knowing")

    worth: Rounded
    blind: Rounded
    taken: Rounded

    @property
    def knowing(self) -> Rounded:
        """What the cards that are seen add."""
        return self.worth - self.blind


class Priced(msgspec.Struct, frozen=True, kw_only=True):
    """An option and what is seen, with its worth to each bet, the dearest first."""

    gives: Gives
    exposure: Exposure
    bets: dict[str, OptionWorth]

    @property
    def gaining(self) -> tuple[tuple[str, OptionWorth], ...]:
        """The bets that gain, and what they gain; those that gain most first."""
        return tuple((name, worth) for name, worth in self.bets.items() if worth.worth)


class PricedRuling(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling: what its options are worth, or why they are worth nothing.

    `all_or_none` says that a player decides on all bets at once: prices are then of a bet alone, and several
    bets together are worth at most their sum.
    """

    facts: tuple[dict[str, Any], ...]
    remedy: tuple[str, ...]
    rules: Rules
    decides: str
    all_or_none: bool
    options: tuple[Priced, ...]
    zero: tuple[NoWorth, ...]


class PricedCase(msgspec.Struct, frozen=True, kw_only=True):
    case: str
    title: str
    rules: Rules
    rulings: tuple[PricedRuling, ...]

    @property
    def most(self) -> Priced | None:
        """The option that is worth most to some bet; none where all are worth nothing."""
        gaining = [priced for ruling in self.rulings for priced in ruling.options if priced.gaining]
        return max(gaining, key=lambda priced: priced.gaining[0][1].worth, default=None)


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """What the rival reading adds for a bet: units per million rounds, or per million rounds of a case."""

    bet: str
    units: Rounded
    per: Per = "round"
    case: str = ""


class PricedReading(msgspec.Struct, frozen=True, kw_only=True):
    """An interpretation, its rival if it has one, and what that moves here; else `why` nothing does."""

    number: int
    title: str
    rules: tuple[str, ...]
    rival: str
    why: str
    moves: tuple[Moved, ...]


class PriceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What the options of irregularities are worth, and what rival readings would move."""

    decks: int
    cases: tuple[PricedCase, ...]
    readings: tuple[PricedReading, ...]
