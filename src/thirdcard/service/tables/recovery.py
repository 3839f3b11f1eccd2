"""A table as it was at some event, from the checkpoint before it: a long log costs no more than a short."""

import logging

from thirdcard.service.log.store.model import Store
from thirdcard.service.tables.checkpoint import is_readable, restored
from thirdcard.service.tables.live import Live, fold, recover

log = logging.getLogger("thirdcard")


def from_checkpoint(store: Store, stream: str, version: int) -> Live | None:
    """The table at that version; None if no checkpoint before it can be used."""
    kept = store.checkpoint(stream, at_most=version - 1)
    if kept is None:
        return None
    records = store.read(stream, after=kept.version, limit=version - kept.version)
    live = restored(kept, records)
    if live is None:
        if is_readable(kept):
            log.warning("the checkpoint of %s at event %d does not fit its log", stream, kept.version)
        return None
    return fold(live, records)


def as_of(store: Store, stream: str, version: int) -> Live:
    """The table at that version; what an earlier release logged may have to be folded from its beginning."""
    return from_checkpoint(store, stream, version) or recover(stream, store.read(stream, limit=version))
