"""What was promised of each sealed shoe before its first card, and what came of it: for anybody.

Salt and order are told once the shoe is finished, when they are in the log for good.
"""

import msgspec

from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import ShoeCommitted, ShoeRevealed
from thirdcard.service.log.store.model import Record
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.sealed_shoes import check


class ShoePromise(msgspec.Struct, frozen=True, kw_only=True):
    """What was promised of a shoe, and what came of it; `salt` and `cards` once it is finished."""

    number: int
    commitment: str
    finished: bool
    salt: str | None
    cards: str | None
    fits: bool | None


async def shoes(hall: Hall, live: Live, *, before: int | None = None, limit: int = 100) -> list[ShoePromise]:
    """The latest first, those with a number below `before`, without salt and order."""
    last = live.table.shoe.number if live.table.shoe else 0
    first = last if before is None else min(before - 1, last)
    numbers = range(first, max(first - limit, 0), -1)
    told = await _found(hall, live, *numbers)
    return [msgspec.structs.replace(one, salt=None, cards=None, fits=None) for one in told]


async def shoe(hall: Hall, live: Live, number: int) -> ShoePromise | None:
    """One shoe, with salt and order if it is finished."""
    found = await _found(hall, live, number)
    return found[0] if found else None


async def _found(hall: Hall, live: Live, *numbers: int) -> list[ShoePromise]:
    if not numbers:
        return []
    keys = [f"shoe:{number}" for number in numbers]
    found = await hall.engine.reading(hall.engine.store.lookup, live.id, keys, limit=2 * len(keys))
    records: dict[int, list[Record]] = {}
    for row, stored in reversed(found):
        records.setdefault(row.value, []).append(stored)
    return [_shoe(*records[number]) for number in numbers if number in records]


def _shoe(promised: Record, revealed: Record | None = None) -> ShoePromise:
    event, opened = event_of(promised), event_of(revealed) if revealed else None
    assert isinstance(event, ShoeCommitted)  # the first that is indexed of a shoe
    assert opened is None or isinstance(opened, ShoeRevealed)
    return ShoePromise(
        number=event.shoe,
        commitment=event.commitment,
        finished=opened is not None,
        salt=opened.salt if opened else None,
        cards=opened.cards if opened else None,
        fits=check(event.commitment, opened.salt, opened.cards) if opened else None,
    )
