"""Shoes followed through a log, from the promise over the seeds to the last card and the reveal."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK, Card, check_shoe, format_cards, parse_cards
from thirdcard.errors import BadInput
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.log.store.model import Record
from thirdcard.service.tables import sealed_shoes
from thirdcard.service.tables.live import ComingShoe, Live
from thirdcard.table import events
from thirdcard.table.state import DrawnCard


class Flaw(Exception):  # noqa: N818 - what was found
    """Something is wrong with the event that is looked at, or with an earlier one."""

    def __init__(self, what: str, at: Record | None = None) -> None:
        super().__init__(what)
        self.at = at


class Shoes:
    """The shoes of one table: promised, given seeds, sealed, dealt in the order that follows, revealed.

    Each is promised before a card of the one before it is dealt, so that there is time for seeds; only the
    first is sealed at once. Shoes of earlier releases came before all promises, and took no seeds.

    A card may leave the shoe without a name and get it when it is turned; its place in the order is known all
    the same, unless it came out in error or somebody decided in which order cards count. No card that has not
    been dealt is ever part of what is told.
    """

    def __init__(self, store: LogReading, stream: str, key: bytes | None) -> None:
        self._store, self._stream, self._key = store, stream, key
        self._number = self._decks = 0  # the shoe in use
        self._coming: ComingShoe | None = None  # the promise of the next shoe, with its seeds
        self._open: floor.ShoeCommitted | floor.ShoeSealed | None = (
            None  # the promise that is still to be kept
        )
        self._order: tuple[Card, ...] | None = None  # as it was sealed, where the key is at hand
        self._out: list[tuple[Card | None, Record]] = []  # the cards in the order in which they came out
        self._lying: list[int | None] = []  # places in that order: of the round's cards
        self._waiting: list[int | None] = []  # and of those that wait
        self.numbers: set[int] = set()  # of the shoes committed to

    def see(self, live: Live, event: Logged, stored: Record) -> None:
        match event:
            case events.ShoeStarted():
                if self._open is not None:
                    raise Flaw(f"shoe {self._open.shoe} was never revealed")
                self._number, self._decks = event.number, event.size // CARDS_IN_A_DECK
                self._out, self._lying, self._waiting = [], [], []
            case events.CardDrawn():
                self._draw(live, event, stored)
            case events.CardsExposed():
                for place, card in event.names.items():
                    self._name(place, card, stored)
            case floor.FloorEvent():
                self._see_house(live, event, stored)
            case _:
                self._see_rest(live, event, stored)

    def _see_house(self, live: Live, event: floor.FloorEvent, stored: Record) -> None:
        """What the house promises, takes seeds for and reveals."""
        match event:
            case floor.ShoeCommitted():
                self._commit(event)
            case floor.ShoePromised():
                self._promise(event)
            case floor.SeedAdded():
                self._add_seed(live, event, stored)
            case floor.ShoeSealed():
                self._seal(live, event)
            case floor.ShoeRevealed():
                self._reveal(live, event)

    def _see_rest(self, live: Live, event: Logged, stored: Record) -> None:
        """Cards that come out in error, that are laid anew, that are gone with their round."""
        match event:
            case events.BetsOpened() | events.BetsReopened():
                self._lying = []
            case events.IrregularityReported():
                new = event.pending.drawn[len(event.pending.waited) :]
                del self._waiting[: len(event.pending.waited)]
                for card in new:
                    self._come_out(card, stored)
            case events.ReportDismissed():
                self._dismiss(live, event)
            case events.RoundVoided() if event.waiting is not None:
                self._waiting = [None for _ in event.waiting]
            case events.CardsLaid() | events.CardsAmended() | events.CardsReconstructed():
                self._lay(live, event)
            case events.RoundSettled() if self._order is not None:
                self._count(live, self._order)

    def _commit(self, event: floor.ShoeCommitted) -> None:
        if event.shoe != self._number or self._out or self._open is not None:
            raise Flaw("a shoe is committed to before its first card, and once")
        if self._coming is not None:
            raise Flaw(f"shoe {event.shoe} is not the one that was promised")
        self._open, self._order = event, None
        opened = self._kept(event.shoe)
        if opened is None:
            return
        self._check_whole(opened.cards)
        if not sealed_shoes.check(event.commitment, opened.salt.hex(), format_cards(opened.cards)):
            raise Flaw(f"shoe {event.shoe} as it is kept is not the one committed to")
        self._order = opened.cards

    def _promise(self, event: floor.ShoePromised) -> None:
        if event.shoe != self._number + 1 or self._coming is not None:
            raise Flaw("a shoe is promised while the one before it is in use, and once")
        self._coming = ComingShoe(number=event.shoe, commitment=event.commitment)
        opened = self._kept(event.shoe)
        if opened is None:
            return
        if sealed_shoes.promise(self._stream, event.shoe, opened.salt) != event.commitment:
            raise Flaw(f"the salt of shoe {event.shoe} as it is kept is not the one promised")

    def _add_seed(self, live: Live, event: floor.SeedAdded, stored: Record) -> None:
        coming = self._coming
        if coming is None or coming.number != event.shoe:
            raise Flaw("a seed is added to a shoe that is promised and not yet sealed")
        if event.player not in live.table.seats.values() or stored.by != event.player:
            raise Flaw("a seed is added by a seated player, for nobody else")
        others = tuple(seed for seed in coming.seeds if seed.player != event.player)
        if len(others) >= sealed_shoes.MOST_SEEDS or not sealed_shoes.is_seed(event.seed):
            raise Flaw("it is no seed, or one too many")
        added = floor.Seed(player=event.player, seed=event.seed)
        self._coming = msgspec.structs.replace(coming, seeds=(*others, added))

    def _seal(self, live: Live, event: floor.ShoeSealed) -> None:
        if event.shoe != self._number or self._out or self._open is not None or not live.automatic:
            raise Flaw("a shoe is sealed before its first card, and once")
        promised = ComingShoe(number=event.shoe, commitment=event.commitment, seeds=event.seeds)
        if promised != self._coming or event.decks != self._decks:
            raise Flaw(f"shoe {event.shoe} is not sealed with its promise, its decks and every seed")
        self._open, self._order, self._coming = event, None, None
        opened = self._kept(event.shoe)
        if opened is not None:
            self._order = sealed_shoes.order(opened.salt, self._stream, event)

    def _kept(self, number: int) -> sealed_shoes.OpenShoe | None:
        """What the store keeps of a shoe, where the key is at hand."""
        self.numbers.add(number)
        kept = self._store.shoe(self._stream, number)
        if kept is None:
            raise Flaw(f"shoe {number} is not kept")
        if self._key is None:
            return None
        try:
            return sealed_shoes.unseal(self._key, self._stream, number, kept)
        except (sealed_shoes.BadSeal, BadInput) as error:
            raise Flaw(str(error)) from None

    def _check_whole(self, order: Sequence[Card]) -> None:
        try:
            check_shoe(order, self._decks)
        except BadInput as error:
            raise Flaw(str(error)) from None

    def _draw(self, live: Live, event: events.CardDrawn, stored: Record) -> None:
        shoe = live.table.shoe
        if shoe is not None and shoe.waiting:
            if shoe.waiting[0].name not in (None, event.card):
                raise Flaw("the card is not the one that waited")
            self._lying.append(self._waiting.pop(0) if self._waiting else None)
            if event.card is not None:
                self._name(len(self._lying), event.card, stored)
            return
        if live.automatic and self._open is None:
            raise Flaw("a card was dealt from a shoe that nobody had committed to")
        if isinstance(self._open, floor.ShoeSealed) and self._coming is None:
            raise Flaw("a card was dealt before the next shoe was promised")
        self._come_out(event.card, stored)
        self._lying.append(len(self._out) - 1)

    def _come_out(self, card: Card | None, stored: Record) -> None:
        self._out.append((card, stored))
        if self._order is not None:
            self._compare(self._order, from_place=len(self._out) - 1)

    def _name(self, place: int, card: Card, stored: Record) -> None:
        """A card of the round shows what it is."""
        at = self._lying[place - 1] if 0 < place <= len(self._lying) else None
        if at is None:
            return
        self._out[at] = card, stored
        if self._order is not None:
            self._compare(self._order, from_place=at)

    def _dismiss(self, live: Live, event: events.ReportDismissed) -> None:
        """What a report said to have come out did not."""
        current = live.table.round
        every = [current.pending, *current.reported] if current is not None else []
        report = every[event.number] if event.number < len(every) else None
        if report is not None:
            new = len(report.drawn) - len(report.waited)
            del self._out[len(self._out) - new :]
            self._waiting[:0] = [None] * len(report.waited)

    def _lay(
        self, live: Live, event: events.CardsLaid | events.CardsAmended | events.CardsReconstructed
    ) -> None:
        """Cards that only change between a hand and those that wait keep their places; others have none."""
        current, shoe = live.table.round, live.table.shoe
        assert current is not None
        assert shoe is not None
        besides = current.pending.drawn if current.pending is not None else ()
        before = [*current.cards, *besides, *(card.name for card in shoe.waiting)]
        after = [one.name if isinstance(one, DrawnCard) else one for one in (*event.cards, *event.waiting)]
        places = [*self._lying, *(None for _ in besides), *self._waiting]
        if before != after or len(places) != len(after):
            places = [None for _ in after]
        self._lying, self._waiting = places[: len(event.cards)], places[len(event.cards) :]

    def _count(self, live: Live, order: Sequence[Card]) -> None:
        """Once every card that came out has a name, they are the first of the order, however they lie."""
        shoe = live.table.shoe
        if shoe is not None and shoe.number == self._number and sum(shoe.drawn.values()) == shoe.used:
            found = {name: many for name, many in shoe.drawn.items() if many}
            if found != Counter(card.value for card in order[: shoe.used]):
                raise Flaw(f"the cards dealt from shoe {self._number} are not those committed to")

    def _compare(self, order: Sequence[Card], from_place: int = 0) -> None:
        for place in range(from_place, len(self._out)):
            card, stored = self._out[place]
            if place >= len(order) or card not in (None, order[place]):
                raise Flaw(f"card {place + 1} of shoe {self._number} is not the one committed to", stored)

    def _reveal(self, live: Live, event: floor.ShoeRevealed) -> None:
        promise = self._open
        if promise is None or promise.shoe != event.shoe:
            raise Flaw("a shoe is revealed that was not committed to, or that was revealed before")
        if isinstance(promise, floor.ShoeSealed):
            kept = sealed_shoes.is_kept(self._stream, promise, event.salt, event.cards)
        else:
            kept = sealed_shoes.check(promise.commitment, event.salt, event.cards)
        if not kept:
            raise Flaw(f"salt and order of shoe {event.shoe} are not those committed to")
        try:
            order = parse_cards(event.cards)
        except BadInput as error:
            raise Flaw(str(error)) from None
        self._check_whole(order)
        self._compare(order)
        self._count(live, order)
        self._open = None
