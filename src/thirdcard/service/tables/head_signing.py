"""What the house signs: where each log ended when nothing in it was hidden from the people at the table.

The hash of an event that names a card which nobody has seen would tell the card to whoever tries all of them.
"""

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from thirdcard.errors import BadInput
from thirdcard.service.clock import Clock
from thirdcard.service.keys import public_key
from thirdcard.service.log.anchor import SignedHeads, heads_of, sign
from thirdcard.service.log.floor_events import HEADS_SIGNED, Logged, Noted
from thirdcard.service.log.store.model import JOURNAL, Head
from thirdcard.service.tables.draft import TableChange
from thirdcard.service.tables.live import Live
from thirdcard.strict import decodable

EVERY = 300.0  # seconds from the first event that is not signed for to the note that does
FRESH = 1.0  # seconds for which everybody who asks gets the same


class HeadSigner:
    """Hears of every change; another process of the same house may sign as well, and is heard too."""

    def __init__(self, key: Ed25519PrivateKey, clock: Clock) -> None:
        self.public = public_key(key)
        self.key, self._clock = key, clock
        self._heads: dict[str, Head] = {}
        self._unsigned: dict[str, Head] = {}
        self._since: float | None = None  # the first change since the last note, by the monotonic clock
        self._signed: tuple[float, SignedHeads] | None = None

    def welcome(self, live: Live) -> None:
        """A log as it is found: signed for again with the next note."""
        if live.version and _is_open(live):
            self._heads[live.id] = self._unsigned[live.id] = Head(live.version, live.head)

    def changed(self, change: TableChange) -> None:
        live = change.after
        noted = [one for event in change.events if (one := _noted(event))] if live.id == JOURNAL else []
        for signed in noted:
            for stream, head in signed.items():
                if stream in self._unsigned and self._unsigned[stream].version <= head.version:
                    del self._unsigned[stream]
            self._since = self._clock.monotonic() if self._unsigned else None
        if _is_open(live):
            self._heads[live.id] = Head(live.version, live.head)
            if not noted:
                self._unsigned[live.id] = self._heads[live.id]
                self._since = self._clock.monotonic() if self._since is None else self._since

    def current(self) -> SignedHeads:
        """For anybody to keep."""
        now = self._clock.monotonic()
        if self._signed is None or now - self._signed[0] >= FRESH:
            self._signed = now, sign(self.key, self._heads, self._clock.wall())
        return self._signed[1]

    def note(self, *, waiting: float = 0.0) -> dict[str, str | int] | None:
        """The facts of a note on what is not signed for yet, if something changed so many seconds ago."""
        if self._since is None or self._clock.monotonic() - self._since < waiting:
            return None
        signed = sign(self.key, self._unsigned, self._clock.wall())
        return msgspec.convert(msgspec.to_builtins(signed), dict[str, str | int])


def _is_open(live: Live) -> bool:
    return live.state is None or not live.hides_from


def _noted(event: Logged) -> dict[str, Head] | None:
    """What a note says that the house has signed."""
    if not isinstance(event, Noted) or event.kind != HEADS_SIGNED:
        return None
    try:
        return heads_of(msgspec.convert(event.facts, decodable(SignedHeads)))
    except (msgspec.ValidationError, BadInput):
        return {}
