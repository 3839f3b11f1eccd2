"""Where recovery starts: a table as it was at some event, so that only what came after has to be folded.

The event that follows it in the log holds its hash, and the log is chained: a checkpoint that was changed, or
that another release wrote, is not used, and the log is folded from its beginning.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import Checkpointed
from thirdcard.service.log.store.model import Checkpoint, Record
from thirdcard.service.tables.live import Live
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
