"""The texts of rulebooks that a store keeps: logs are read by them, tables played by those it was given."""

import hashlib
import logging
from collections.abc import Iterable

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import by_digest, remember, slugs, take_kept
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import RULEBOOK_ADDED, Logged, MovePlanned, Noted
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.log.store.model import JOURNAL, MANY, Record, RulebookText
from thirdcard.table.events import RulebookChanged, TableOpened

NAMING = (TableOpened, RulebookChanged)  # what names a text, besides notes
NAMES = frozenset(kind.__struct_config__.tag for kind in (*NAMING, MovePlanned))
log = logging.getLogger("thirdcard")


def named_by(event: Logged) -> tuple[str, str] | None:
    """Slug and digest of the text that an event is the first to name, if it names one."""
    if isinstance(event, NAMING) and event.setup.digest:
        return event.setup.rulebook, event.setup.digest
    if isinstance(event, MovePlanned) and event.digest:
        return event.rulebook, event.digest
    if isinstance(event, Noted) and event.kind == RULEBOOK_ADDED:
        return str(event.facts.get("rulebook")), str(event.facts.get("digest"))
    return None


def kept_with(event: TableOpened | RulebookChanged) -> RulebookText:
    """The text that an event names, to be written with it."""
    return RulebookText(event.setup.digest, canonical(event.setup.book))


def remember_all(store: LogReading) -> None:
    """Know every text of a store, so that its logs can be folded."""
    for kept in store.texts():
        _remember(kept.digest, kept.text)


def remember_named(store: Store, records: Iterable[Record]) -> None:
    """Know the texts that records name which another process wrote."""
    for stored in records:
        if stored.name in NAMES or stored.flag == RULEBOOK_ADDED:
            named = named_by(event_of(stored))
            text = store.text(named[1]) if named else None
            if named and text is not None:
                _remember(named[1], text)


def _remember(digest: str, text: bytes) -> None:
    """A text that was changed is none: whoever asks for it is told that it is not known."""
    if hashlib.sha256(text).hexdigest() != digest:
        log.warning("the text %s of a rulebook was changed: it is not used", digest)
        return
    try:
        remember(text)
    except (msgspec.MsgspecError, ValueError) as error:
        log.warning("the text %s of a rulebook cannot be read: %s", digest, error)


def take_all(store: Store) -> None:
    """Have the house play by what it was given before, of each rulebook by what it was given last.

    All that is found elsewhere is read here too, so that no request waits for it.
    """
    given = store.lookup(JOURNAL, (RULEBOOK_ADDED,), limit=MANY)
    take_rulebooks(event_of(stored) for _, stored in reversed(given))
    slugs()


def take_rulebooks(events: Iterable[Logged]) -> None:
    for event in events:
        named = named_by(event) if isinstance(event, Noted) else None
        if named is not None:
            try:
                take_kept(canonical(by_digest(*named)))
            except BadInput as error:
                log.warning("rulebook %s, which this house was given, cannot be used: %s", named[0], error)
