"""Exact odds as one asks for them: a rulebook by any name, decks, and the cards that have been seen."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, overload

import msgspec
from msgspec import UNSET, UnsetType

from thirdcard.answers import told
from thirdcard.cards import Card, CardsLike, Rank, cards_of, check_copies
from thirdcard.frames import Schema, Tabular
from thirdcard.notebook import html_table, percent
from thirdcard.odds.bet_plans import BetPlan
from thirdcard.odds.bet_values import HouseEdge, Value, bets_on, values
from thirdcard.odds.compare import Comparison
from thirdcard.odds.composition import Composition, shoe
from thirdcard.odds.insurance import OfferValue, insurance_of, offers, situation
from thirdcard.rulebook import Rulebook, Which, load
from thirdcard.rulebook.by_bet import ByBet
from thirdcard.rulebook.lookup import usual_decks


class EvChange(msgspec.Struct, frozen=True):
    """By how much the value of a bet changes."""

    ev: Fraction


class OddsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The exact odds as programs get them; what nobody asked for is left out."""

    decks: int
    seen: tuple[str, ...]
    cards_left: int
    bets: dict[str, Value]
    ranks: dict[Rank, int] | UnsetType = UNSET  # left in the shoe; of a server
    fresh: dict[str, HouseEdge] | UnsetType = UNSET  # the same
    plan: BetPlan | UnsetType = UNSET
    effects: dict[str, dict[Rank, EvChange]] | UnsetType = UNSET
    by_decks: dict[int, dict[str, HouseEdge]] | UnsetType = UNSET
    against: Comparison | UnsetType = UNSET


class OddsSheet(ByBet[Value], Tabular):
    """The exact value of each bet, for the cards that are left.

    >>> odds("mbs-tiger-v2").to_frame().column_names
    ['bet', 'name', 'ev', 'house_edge', 'win', 'push', 'lose', 'sd', 'ev_exact']
    """

    COLUMNS: ClassVar[Schema] = {
        "bet": "string",
        "name": "string",
        **dict.fromkeys(("ev", "house_edge", "win", "push", "lose", "sd"), "double"),
        "ev_exact": "string",
    }

    def __init__(self, rulebook: Rulebook, decks: int, left: Composition, worth: dict[str, Value]) -> None:
        super().__init__(rulebook, worth)
        self.decks, self.left = decks, left

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as in the JSON of the command line, by bet."""
        return {bet: told(value) for bet, value in self.items()}

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for bet, value in self.items():
            shares = map(float, (value.ev, value.house_edge, value.win, value.push, value.lose))
            yield bet, value.bet.name, *shares, value.sd, str(value.ev)

    def __repr__(self) -> str:
        return f"<OddsSheet of {_told(self.rulebook, self.decks, self.left)}: {len(self)} bets>"

    def _repr_html_(self) -> str:
        rows = (
            (
                self.rulebook.bets[name].name,
                *map(percent, (value.house_edge, value.win, value.push, value.lose)),
            )
            for name, value in self.items()
        )
        columns = ("Bet", "House edge", "Wins", "Pushes", "Loses")
        return html_table(_told(self.rulebook, self.decks, self.left), columns, rows)


if TYPE_CHECKING:
    _InOrder = Sequence[OfferValue]
else:

    class _InOrder:
        """What a sequence has, and none by its type: polars and pandas would take each for one value."""

        __iter__, __contains__, __reversed__, index, count = (
            getattr(Sequence, name) for name in ("__iter__", "__contains__", "__reversed__", "index", "count")
        )


class OfferSheet(_InOrder, Tabular):
    """Every insurance offer with its exact value, in the document's order.

    >>> insurance("rws-commission-insurance-v5").to_frame().num_rows
    73
    """

    COLUMNS: ClassVar[Schema] = {
        "hand": "string",
        "window": "int64",
        "player": "int64",
        "banker": "int64",
        "odds": "string",
        "probability": "double",
        "ev": "double",
        "favours": "string",
        "ev_exact": "string",
    }

    def __init__(
        self, rulebook: Rulebook, decks: int, left: Composition, found: tuple[OfferValue, ...]
    ) -> None:
        self.rulebook, self.decks, self.left = rulebook, decks, left
        self._found = found

    @overload
    def __getitem__(self, place: int) -> OfferValue: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[OfferValue]: ...
    def __getitem__(self, place: int | slice) -> OfferValue | Sequence[OfferValue]:
        return self._found[place]

    def __len__(self) -> int:
        return len(self._found)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as in the JSON of the command line."""
        return {"offers": told(tuple(self))}

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for offer_value in self:
            offer, worth = offer_value.offer, offer_value.ev
            value = (None, None) if worth is None else (float(worth), str(worth))
            place = (str(offer.hand), offer.window, offer_value.player, offer_value.banker, offer.odds.text)
            yield *place, float(offer_value.probability), value[0], offer_value.favours, value[1]

    def __repr__(self) -> str:
        told = _told(self.rulebook, self.decks, self.left)
        return f"<OfferSheet of {told}: {len(self)} offers, {self.favourable} in the player's favour>"

    @property
    def favourable(self) -> int:
        """How many of them are worth more than they cost."""
        return sum(offer.favours == "player" for offer in self)

    def _repr_html_(self) -> str:
        rows = (
            (
                offer.offer.hand.label,
                offer.offer.window,
                offer.player,
                offer.banker,
                offer.offer.odds,
                percent(offer.probability),
                percent(offer.ev, 2),
            )
            for offer in self
        )
        columns = ("Insured", "Window", "Player", "Banker", "Pays", "Comes up", "Value")
        return html_table(_told(self.rulebook, self.decks, self.left), columns, rows)


def _told(book: Rulebook, decks: int, left: Composition) -> str:
    return f"{book.slug}, {decks} decks, {left.cards} cards left"


def odds(
    rulebook: Which, *, decks: int | None = None, layout: str | None = None, seen: CardsLike = ()
) -> OddsSheet:
    """The exact odds of every bet, or of a layout's, for a fresh shoe or without the cards seen.

    >>> sheet = odds("mbs-tiger-v2", seen="9C KD")
    >>> sheet["banker"].house_edge > 0
    True
    >>> sheet
    <OddsSheet of mbs-tiger-v2, 8 decks, 414 cards left: 8 bets>
    """
    book, count, left = _shoe(rulebook, decks, cards_of(seen))
    return OddsSheet(book, count, left, values(book, left, bets_on(book, layout)))


def insurance(
    rulebook: Which, *, decks: int | None = None, seen: CardsLike = (), cards: CardsLike | None = None
) -> OfferSheet:
    """What each insurance offer is worth; with the four or five `cards` on the table, those open now.

    >>> insurance("rws-commission-insurance-v5")
    <OfferSheet of rws-commission-insurance-v5, 8 decks, 416 cards left: 73 offers, 12 in the player's favour>
    """
    gone = cards_of(seen)
    book, count, left = _shoe(rulebook, decks, gone)
    insurance_of(book)
    if cards is None:
        return OfferSheet(book, count, left, offers(book, left))
    drawn = cards_of(cards)
    check_copies((*gone, *drawn), count)
    return OfferSheet(book, count, left, situation(book, left, drawn))


def _shoe(rulebook: Which, decks: int | None, seen: tuple[Card, ...]) -> tuple[Rulebook, int, Composition]:
    book = load(rulebook)
    count = usual_decks(book, decks)
    return book, count, shoe(book, count, seen)
