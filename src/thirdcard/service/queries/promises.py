"""What was promised of each sealed shoe, which seeds were added to it, and what came of it: for anybody.

Salt and order are told once the shoe is finished, when they are in the log for good.
"""

from typing import TypeAlias

import msgspec

from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import Seed, ShoeCommitted, ShoeRevealed, ShoeSealed
from thirdcard.service.log.store.model import Record
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import ComingShoe, Live
from thirdcard.service.tables.sealed_shoes import check, is_kept

Promised: TypeAlias = ShoeCommitted | ShoeSealed


class ShoePromise(msgspec.Struct, frozen=True, kw_only=True):
    """What was promised of a shoe, and what came of it; `salt` and `cards` once it is finished.

    `form` 2: the order follows from salt, table, number, decks and seeds; `decks` is None until it is sealed.
    `form` 1, of earlier releases: the commitment is to salt and order.
    """

    number: int
    form: int
    commitment: str
    decks: int | None
    seeds: tuple[Seed, ...]
    finished: bool
    salt: str | None
    cards: str | None
    fits: bool | None


async def shoes(hall: Hall, live: Live, *, before: int | None = None, limit: int = 100) -> list[ShoePromise]:
    """Those in use or finished, the latest first, with a number below `before`; without salt and order."""
    last = live.table.shoe.number if live.table.shoe else 0
    first = last if before is None else min(before - 1, last)
    numbers = range(first, max(first - limit, 0), -1)
    return [_shoe(*events) for events in await _found(hall, live, *numbers)]


async def shoe(hall: Hall, live: Live, number: int) -> ShoePromise | None:
    """One shoe, with salt and order if it is finished; also the one that comes next."""
    if live.coming is not None and live.coming.number == number:
        return _coming(live.coming)
    promised = await _found(hall, live, number)
    return await hall.engine.reading(_checked, live.id, *promised[0]) if promised else None


async def _found(hall: Hall, live: Live, *numbers: int) -> list[tuple[Promised, ShoeRevealed | None]]:
    if not numbers:
        return []
    keys = [f"shoe:{number}" for number in numbers]
    found = await hall.engine.reading(hall.engine.store.lookup, live.id, keys, limit=2 * len(keys))
    records: dict[int, list[Record]] = {}
    for row, stored in reversed(found):
        records.setdefault(row.value, []).append(stored)
    return [_events(*records[number]) for number in numbers if number in records]


def _events(promised: Record, revealed: Record | None = None) -> tuple[Promised, ShoeRevealed | None]:
    event, opened = event_of(promised), event_of(revealed) if revealed else None
    assert isinstance(event, Promised)  # the first that is indexed of a shoe
    assert opened is None or isinstance(opened, ShoeRevealed)
    return event, opened


def _coming(promised: ComingShoe) -> ShoePromise:
    return ShoePromise(
        number=promised.number,
        form=2,
        commitment=promised.commitment,
        decks=None,
        seeds=promised.seeds,
        finished=False,
        salt=None,
        cards=None,
        fits=None,
    )


def _shoe(event: Promised, opened: ShoeRevealed | None) -> ShoePromise:
    sealed = event if isinstance(event, ShoeSealed) else None
    return ShoePromise(
        number=event.shoe,
        form=2 if sealed else 1,
        commitment=event.commitment,
        decks=sealed.decks if sealed else None,
        seeds=sealed.seeds if sealed else (),
        finished=opened is not None,
        salt=None,
        cards=None,
        fits=None,
    )


def _checked(table: str, event: Promised, opened: ShoeRevealed | None) -> ShoePromise:
    """With salt and order, and whether they fit: worked out away from the event loop."""
    promise = _shoe(event, opened)
    if opened is None:
        return promise
    if isinstance(event, ShoeSealed):
        fits = is_kept(table, event, opened.salt, opened.cards)
    else:
        fits = check(event.commitment, opened.salt, opened.cards)
    return msgspec.structs.replace(promise, salt=opened.salt, cards=opened.cards, fits=fits)
