"""Items of a house's own rounds, as they were dealt and bet on; people go by letters, and no time is told.

Only of rounds that are over and whose cards everybody has seen (`redaction`). What is read of a log is the
rounds that are asked for, from the checkpoint before them on: a long log costs no more than a short one.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import named
from thirdcard.rulebook.forms import digest_of
from thirdcard.rulebook.model import Rulebook
from thirdcard.school.item_types import Item
from thirdcard.school.mined import SEED, mined
from thirdcard.school.progress import ItemName
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.queries.redaction import covered
from thirdcard.service.tables.checkpoint import as_of, indexed
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.table.events import AnyEvent
from thirdcard.words.saying import say

MOST_ROUNDS: Final = 20  # at once
OVER: Final = ("settled", "void")


class RoundsMined(msgspec.Struct, frozen=True, kw_only=True):
    """The rounds that were looked at, and what they gave; `last` is the latest that is over, 0 for none."""

    first: int
    count: int
    last: int
    items: tuple[Item, ...]


def last_over(live: Live) -> int:
    """The latest round that is over, 0 if none is."""
    current = live.state.round if live.state is not None else None
    if current is None:
        return 0
    return current.number if current.phase in OVER else current.number - 1


def rounds_mined(  # noqa: PLR0913 - which rounds, and how
    store: Store, live: Live, *, first: int | None, count: int, level: int, of_today: bool = True
) -> RoundsMined:
    """Items of so many rounds, of the latest without a `first`; BadInput if there are no such rounds.

    Of rounds by a text that is not the rulebook's any more only where they are not to teach what holds today.
    """
    last = last_over(live)
    begin = max(1, last - count + 1) if first is None else first
    if not 1 <= count <= MOST_ROUNDS:
        raise BadInput(say("items-from-rounds", most_rounds=MOST_ROUNDS, count=count))
    if not 1 <= begin <= last:
        told = f"rounds 1 to {last} are over" if last else "no round is over yet"
        raise BadInput(say("no-such-round", id=live.id, told=told))
    until = min(begin + count - 1, last)
    found_at = indexed(store, live.id, (f"round:{begin}", f"round:{until + 1}"), {"bets-opened"})
    begins = {stored.round: stored.version for stored in found_at}
    if begin not in begins:
        raise BadInput(say("round-not-on-record", id=live.id, begin=begin))
    before, end = begins[begin] - 1, begins.get(until + 1, live.version + 1) - 1
    found = mined(
        _events(store, live.id, before, end),
        table=live.id,
        level=level,
        start=as_of(store, live.id, before).state,
        only=_is_of_today if of_today else None,
    )
    items = tuple(item for item in found if not covered(live, item.number))
    return RoundsMined(first=begin, count=until - begin + 1, last=last, items=items)


def mined_from(
    store: Store, table: str, *, first: int | None, count: int, level: int
) -> tuple[RoundsMined, Rulebook]:
    """The same from a database alone, by whatever text was played; with what is played by now."""
    head = store.heads().get(table)
    if head is None or table == JOURNAL:
        raise BadInput(say("no-table-in-file", table=table[:64], place=store.place))
    live = as_of(store, table, head.version)
    rounds = rounds_mined(store, live, first=first, count=count, level=level, of_today=False)
    return rounds, live.table.rulebook


def _is_of_today(book: Rulebook) -> bool:
    try:
        return digest_of(named(book.slug)) == digest_of(book)
    except BadInput:
        return False


def _events(store: Store, stream: str, after: int, last: int) -> Iterator[AnyEvent]:
    for stored in store.read(stream, after=after, limit=last - after):
        event = event_of(stored)
        if not isinstance(event, floor.AnyFloorEvent):
            yield event


def own_item(hall: Hall, name: ItemName) -> Item:
    """The item of a name that has a table; BadInput if there is none, or the text is another by now."""
    live = hall.table(str(name.table))
    if live is None or live.state is None:
        raise BadInput(say("no-table-with-items", table=str(name.table)[:40]))
    if name.seed != SEED:
        raise BadInput(say("items-have-own-seed", seed=SEED, seed2=name.seed))
    if name.recorded:
        raise BadInput(say("items-have-own-choices"))
    rounds = rounds_mined(hall.engine.store, live, first=name.number, count=1, level=name.level)
    for item in rounds.items:
        if (item.kind, item.skill) == (name.kind, name.skill):
            _check_ground(item, name)
            return item
    raise BadInput(say("round-has-no-item", number=name.number, id=live.id, skill=name.skill, kind=name.kind))


def _check_ground(item: Item, name: ItemName) -> None:
    made, wanted = (item.rulebook, item.layout, item.decks), (name.rulebook, name.layout, name.decks)
    if made != wanted:
        raise BadInput(
            say(
                "round-played-by",
                number=name.number,
                rulebook=item.rulebook,
                layout=item.layout,
                decks=item.decks,
            )
        )
