"""Shoes followed through a log, from the commitment to the last card and the reveal."""

from collections.abc import Sequence
from typing import Protocol

from thirdcard.cards import Card, parse_cards
from thirdcard.errors import BadInput
from thirdcard.service import events as own
from thirdcard.service import shoes
from thirdcard.service.events import Logged
from thirdcard.service.live import Live
from thirdcard.service.store.model import Record
from thirdcard.table import events


class Kept(Protocol):
    def shoe(self, stream: str, number: int) -> bytes | None: ...


class Wrong(Exception):  # noqa: N818 - what was found
    """Something is wrong with the event that is looked at, or with an earlier one."""

    def __init__(self, what: str, at: Record | None = None) -> None:
        super().__init__(what)
        self.at = at


class Shoes:
    """The shoes of one table: committed to before the first card, dealt as committed, revealed at the end.

    No card that has not been dealt is ever part of what is told.
    """

    def __init__(self, shelf: Kept, stream: str, key: bytes | None) -> None:
        self._shelf, self._stream, self._key = shelf, stream, key
        self._number = self._decks = 0  # the shoe in use
        self._open: own.ShoeCommitted | None = None  # the promise that is still to be kept
        self._order: tuple[Card, ...] | None = None  # as it was sealed, where the key is at hand
        self._drawn: list[tuple[Card, Record]] = []
        self.numbers: set[int] = set()  # of the shoes committed to

    def see(self, live: Live, event: Logged, stored: Record) -> None:
        match event:
            case events.ShoeStarted():
                if self._open is not None:
                    raise Wrong(f"shoe {self._open.shoe} was never revealed")
                self._number, self._decks, self._drawn = event.number, event.size // 52, []
            case own.ShoeCommitted():
                self._commit(event)
            case own.ShoeRevealed():
                self._reveal(event)
            case events.CardDrawn():
                self._draw(live, event, stored)

    def _commit(self, event: own.ShoeCommitted) -> None:
        if event.shoe != self._number or self._drawn or self._open is not None:
            raise Wrong("a shoe is committed to before its first card, and once")
        self._open, self._order = event, None
        self.numbers.add(event.shoe)
        sealed = self._shelf.shoe(self._stream, event.shoe)
        if sealed is None:
            raise Wrong(f"shoe {event.shoe} is not kept")
        if self._key is None:
            return
        try:
            opened = shoes.unseal(self._key, self._stream, event.shoe, sealed)
            shoes.check_composition(opened.cards, self._decks)
        except (shoes.BadSeal, BadInput) as error:
            raise Wrong(str(error)) from None
        if opened.commitment != event.commitment:
            raise Wrong(f"shoe {event.shoe} as it is kept is not the one committed to")
        self._order = opened.cards

    def _draw(self, live: Live, event: events.CardDrawn, stored: Record) -> None:
        shoe = live.table.shoe
        if shoe is not None and shoe.waiting:
            if shoe.waiting[0] is not event.card:
                raise Wrong("the card is not the one that waited")
            return
        if live.automatic and self._open is None:
            raise Wrong("a card was dealt from a shoe that nobody had committed to")
        self._drawn.append((event.card, stored))
        if self._order is not None:
            self._compare(self._order, from_place=len(self._drawn) - 1)

    def _compare(self, order: Sequence[Card], from_place: int = 0) -> None:
        for place in range(from_place, len(self._drawn)):
            card, stored = self._drawn[place]
            if place >= len(order) or order[place] is not card:
                raise Wrong(f"card {place + 1} of shoe {self._number} is not the one committed to", stored)

    def _reveal(self, event: own.ShoeRevealed) -> None:
        promise = self._open
        if promise is None or promise.shoe != event.shoe:
            raise Wrong("a shoe is revealed that was not committed to, or that was revealed before")
        if not shoes.check(promise.commitment, event.salt, event.cards):
            raise Wrong(f"salt and order of shoe {event.shoe} are not those committed to")
        try:
            order = parse_cards(event.cards)
            shoes.check_composition(order, self._decks)
        except BadInput as error:
            raise Wrong(str(error)) from None
        self._compare(order)
        self._open = None
