"""Rounds and stakes as the radar takes them, from the rounds that tables have finished; players by seat code.

A seat code is the box where somebody first bet at a table, with a number where others came after: whose it is
is told to nobody here.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from thirdcard.cards import CARDS_IN_A_DECK
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.load import remember
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.store import Snapshot
from thirdcard.service.log.store.model import JOURNAL, MANY, RoundRow
from thirdcard.service.tables.live import RoundRecord
from thirdcard.table.events import ShoeStarted, TableOpened

if TYPE_CHECKING:
    from thirdcard.protect.radar import WatchedRound


class TableWatched(NamedTuple):
    """What a table has dealt by one text of its rulebook with one number of decks, the most that there is."""

    table: str
    book: Rulebook
    decks: int
    rounds: "tuple[WatchedRound, ...]"


def seat_codes(records: Iterable[RoundRecord]) -> dict[str, str]:
    """A code for each player, by the box of the first stake: S4, then S4-2 for the next who bets there."""
    codes: dict[str, str] = {}
    taken: dict[int, int] = {}
    for record in records:
        for stake in record.stakes:
            if stake.player not in codes:
                before = taken.get(stake.box, 0)
                taken[stake.box] = before + 1
                codes[stake.player] = f"S{stake.box}" + (f"-{before + 1}" if before else "")
    return codes


def watched(records: Iterable[RoundRecord]) -> "tuple[WatchedRound, ...]":
    """Rounds in their order, with every stake that lay at the close."""
    ordered = sorted(records, key=lambda record: record.number)
    codes = seat_codes(ordered)
    return tuple(_watched(record, codes) for record in ordered)


def _watched(record: RoundRecord, codes: dict[str, str]) -> "WatchedRound":
    from thirdcard.protect.radar import WatchedRound  # noqa: PLC0415 - brings NumPy and Numba

    stakes: dict[str, dict[str, int]] = {}
    for stake in record.stakes:
        own = stakes.setdefault(codes[stake.player], {})
        own[stake.bet] = own.get(stake.bet, 0) + stake.cents
    return WatchedRound(
        table=record.table,
        shoe=str(record.shoe),
        number=record.number,
        cards=tuple(shown.card for shown in record.cards),
        stakes=stakes,
    )


def played_alike(records: Iterable[RoundRecord], digest: str) -> list[RoundRecord]:
    """Those played by this text; a shoe whose first rounds are missing among the latest is left out."""
    found = sorted(
        (record for record in records if record.digest == digest), key=lambda record: record.number
    )
    begun = {record.shoe for before, record in pairwise(found) if record.shoe != before.shoe}
    whole = begun | ({found[0].shoe} if found and found[0].number == 1 else set())
    return [record for record in found if record.shoe in whole]


def records_of(rows: Iterable[RoundRow]) -> list[RoundRecord]:
    return [RoundRecord.of(row) for row in rows]


def tables_watched(snapshot: Snapshot, tables: Collection[str] = ()) -> Iterator[TableWatched]:
    """Every table of a store that has finished rounds, or those named."""
    for stream in sorted(snapshot.streams()):
        if stream == JOURNAL or (tables and stream not in tables):
            continue
        records = records_of(snapshot.rounds(stream, limit=MANY))
        if not records:
            continue
        decks = {}
        for stored in snapshot.read(stream):
            if stored.name in {"shoe-started", "table-opened"}:
                event = event_of(stored)
                if isinstance(event, ShoeStarted):
                    decks[event.number] = event.size // CARDS_IN_A_DECK
                elif isinstance(event, TableOpened):
                    decks.setdefault(0, event.setup.decks)
        kinds: dict[tuple[str, int], list[RoundRecord]] = {}
        for record in records:
            kinds.setdefault((record.digest, decks.get(record.shoe, decks[0])), []).append(record)
        (digest, many), found = max(kinds.items(), key=lambda item: len(item[1]))
        text = snapshot.text(digest)
        if text is not None:
            yield TableWatched(stream, remember(text), many, watched(found))
