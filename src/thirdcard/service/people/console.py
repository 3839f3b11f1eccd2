"""Accounts changed by a command on the server's own machine, whether or not a server runs.

The change is written here, and so is its entry in the journal where this process may append to it. Where a
server has the streams for itself the entry is left for it, and it takes it in within a second.
"""

import contextlib
from collections.abc import Iterator

import msgspec

from thirdcard.service.clock import Clock
from thirdcard.service.log.codec import record
from thirdcard.service.log.floor_events import Noted
from thirdcard.service.log.significant import significance
from thirdcard.service.log.store import open_beside
from thirdcard.service.log.store.model import GENESIS, JOURNAL, Append, Conflict, Head, Store
from thirdcard.service.people.accounts import CONSOLE, Fact, People

KINDS = frozenset({"account-added", "account-disabled", "password-changed", "role-changed"})


class AccountNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be written into the journal."""

    kind: str
    facts: dict[str, Fact]


@contextlib.contextmanager
def people_of(where: str) -> Iterator[People]:
    """The accounts of a database. What is done to them is in the journal, or on its way there."""
    clock, notes = Clock(), list[AccountNote]()
    with contextlib.closing(open_beside(where)) as store:
        yield People(store, clock, note=lambda kind, facts: notes.append(AccountNote(kind, facts)))
        for note in notes:
            if not store.leave_note(msgspec.json.encode(note)):
                _journal(store, clock, note)


def note_of(line: bytes) -> AccountNote | None:
    """What a command left, or None: nothing else gets into the journal by that way."""
    try:
        note = msgspec.json.decode(line, type=AccountNote)
    except msgspec.MsgspecError:
        return None
    return note if note.kind in KINDS and isinstance(note.facts.get("name"), str) else None


def _journal(store: Store, clock: Clock, note: AccountNote) -> None:
    """Append to the journal; another process may be first, then again."""
    event = Noted(kind=note.kind, facts=note.facts)
    while True:
        head = store.heads().get(JOURNAL, Head(0, GENESIS))
        stored = record(
            event,
            stream=JOURNAL,
            version=head.version + 1,
            before=head.hash,
            at=clock.wall(),
            by=CONSOLE,
            number=0,
            flag=significance(event),
        )
        (result,) = store.commit([Append(stream=JOURNAL, expected=head.version, records=(stored,))])
        if not isinstance(result, Conflict):
            return
