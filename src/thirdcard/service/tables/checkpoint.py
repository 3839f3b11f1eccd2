"""A table as it was at some event, from the checkpoint before it: a long log costs no more than a short.

The event that follows a checkpoint in the log holds its hash, and the log is chained: one that was changed,
or that another release wrote, is not used, and the log is folded from its beginning. What a server starts
from is held to the chain, to where the log is said to end and to the ledger first.
"""

import hashlib
import logging
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import version
from typing import TypeVar

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.log.codec import event_of, follows
from thirdcard.service.log.floor_events import Checkpointed, Logged
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import JOURNAL, Checkpoint, Head, PostingRow, Record
from thirdcard.service.tables.live import Live, advance, fold, recover
from thirdcard.strict import decodable

EVERY = 200  # events from one checkpoint to the next

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(decodable(Live)).decode


@cache
def form() -> bytes:
    """Names the release and the form of everything that is kept: another one may fold otherwise."""
    schema = msgspec.json.encode(msgspec.json.schema(Live), order="sorted")
    return f"{version('thirdcard')} {hashlib.sha256(schema).hexdigest()}\n".encode()


def is_due(live: Live) -> bool:
    return live.state is not None and live.version - live.checkpointed >= EVERY


def taken(live: Live) -> tuple[Checkpoint, Checkpointed]:
    """The table as it is kept, and the event that vouches for it."""
    body = form() + _encode(live)
    event = Checkpointed(sha256=hashlib.sha256(body).hexdigest())
    return Checkpoint(version=live.version, body=body), event


def is_readable(kept: Checkpoint) -> bool:
    """Whether this release wrote it."""
    return kept.body.startswith(form())


def restored(kept: Checkpoint, following: Sequence[Record]) -> Live | None:
    """The table as it was, if the record that follows vouches for it and this release can read it."""
    if not following or not is_readable(kept):
        return None
    try:
        event = event_of(following[0])
    except (msgspec.MsgspecError, BadInput):
        return None
    if not isinstance(event, Checkpointed) or event.sha256 != hashlib.sha256(kept.body).hexdigest():
        return None
    return _decode(kept.body.removeprefix(form()))


Row = TypeVar("Row", Record, PostingRow)
log = logging.getLogger("thirdcard")


class Changed(BadInput):
    """What a server would start from is not what was written."""

    def __init__(self, stream: str, what: str) -> None:
        super().__init__(
            f"the log of {stream} was changed outside the server: {what}. Nothing was started; `thirdcard "
            f"audit` tells more, and `thirdcard restore` fills a new database from a back-up"
        )


def from_checkpoint(store: Store, stream: str, version: int) -> Live | None:
    """The table at that version; None if no checkpoint before it can be used."""
    found = _kept(store, stream, version)
    return found and fold(*found)


def as_of(store: Store, stream: str, version: int) -> Live:
    """The table at that version; what an earlier release logged may have to be folded from its beginning."""
    return from_checkpoint(store, stream, version) or recover(stream, store.read(stream, limit=version))


def indexed(store: Store, table: str, keys: tuple[str, ...], names: set[str]) -> list[Record]:
    """The records under these keys; an earlier release kept no index, then all that have these names."""
    found = [stored for _, stored in reversed(store.lookup(table, keys))]
    return found or [stored for stored in store.read(table) if stored.name in names]


def recovered(store: Store, stream: str, head: Head) -> Live | None:
    """The table where its log is said to end, checked from the last checkpoint on; None if there is none.

    Of the journal only the last record counts, each stands for itself; the latest are checked all the same.
    """
    found = _latest(store, stream, head) if stream == JOURNAL else _kept(store, stream, head.version)
    if found is None:
        return None
    live, records = found
    for _, after in checked(store, live, records, head):
        live = after
    return live


def checked(store: Store, live: Live, records: Iterable[Record], head: Head) -> Iterator[tuple[Logged, Live]]:
    """The events that follow, each with the table after it; Changed if they are not as they were written."""
    stream = live.id
    entries = iter(_written_by_then(store, head, store.entries(stream, after=live.version)))
    for stored in records:
        if not follows(stored, live.version, live.head):
            raise Changed(stream, f"event {stored.version} does not follow from the one before it")
        try:
            event = event_of(stored)
            live = advance(live, event, stored)
        except BadInput:
            raise
        except Exception:  # noqa: BLE001 - events out of place break the fold in whatever way they can
            raise Changed(stream, f"event {stored.version} cannot follow what was before it") from None
        for posting in event.postings:
            if next(entries, None) != PostingRow(stored.version, posting.account, posting.cents):
                raise Changed(stream, f"the ledger does not hold what event {stored.version} moved")
        yield event, live
    if Head(live.version, live.head) != head:
        raise Changed(stream, f"it ends at event {live.version}, and was said to end at {head.version}")
    if next(entries, None) is not None:
        raise Changed(stream, f"the ledger holds more than its events up to {live.version} moved")


def _written_by_then(store: Store, head: Head, rows: list[Row]) -> list[Row]:
    """On a shared store others go on writing: what came after is taken in later."""
    return [row for row in rows if row.version <= head.version] if store.shared else rows


def _kept(store: Store, stream: str, version: int) -> tuple[Live, list[Record]] | None:
    """The last checkpoint before a version, and the records from there on: the first vouches for it."""
    kept = store.checkpoint(stream, at_most=version - 1)
    if kept is None:
        return None
    records = store.read(stream, after=kept.version, limit=version - kept.version)
    live = restored(kept, records)
    if live is None:
        if is_readable(kept):
            log.warning("the checkpoint of %s at event %d does not fit its log", stream, kept.version)
        return None
    return live, records


def _latest(store: Store, stream: str, head: Head) -> tuple[Live, list[Record]]:
    """The last records, after one that they hang on or from the first on."""
    records = _written_by_then(store, head, store.read(stream, after=max(0, head.version - EVERY)))
    if not records or records[0].version == 1:
        return Live(id=stream), records
    return Live(id=stream, version=records[0].version, head=records[0].hash), records[1:]
