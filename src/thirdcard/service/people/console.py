"""What a command on the server's own machine changes, accounts and rulebooks, whether or not a server runs.

The change is written here, and so is its entry in the journal where this process may append to it. Where a
server has the streams for itself the entry is left for it, and it takes it in within a second.
"""

import contextlib
import hashlib
from collections.abc import Iterator

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.rulebook.forms import canonical, from_canonical
from thirdcard.service.clock import Clock
from thirdcard.service.log.codec import record, significance
from thirdcard.service.log.floor_events import EVIDENCE_MADE, RULEBOOK_ADDED, Noted
from thirdcard.service.log.store import Store, open_beside
from thirdcard.service.log.store.model import GENESIS, JOURNAL, Append, Conflict, Head, IndexRow, RulebookText
from thirdcard.service.people.accounts import CONSOLE, PERSONAL_SET, NoteFact, People
from thirdcard.strict import decodable
from thirdcard.words.saying import say

KINDS = frozenset(
    {
        "account-added",
        "account-disabled",
        "account-unlocked",
        "password-changed",
        "role-changed",
        PERSONAL_SET,
    }
)


class ConsoleNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is to be written into the journal; `text` is that of a rulebook which is to be kept with it."""

    kind: str
    facts: dict[str, NoteFact]
    text: str = ""

    @property
    def account(self) -> str:
        """Whose account it is about, empty if about none."""
        found = self.facts.get("account" if self.kind == PERSONAL_SET else "name")
        return found if isinstance(found, str) else ""

    @property
    def book(self) -> Rulebook:
        """The rulebook; BadInput if the text is not the one that the facts name."""
        book = from_canonical(self.text.encode())
        named = self.facts.get("rulebook"), self.facts.get("digest")
        if named != (book.slug, hashlib.sha256(self.text.encode()).hexdigest()):
            raise BadInput(say("text-of-another-rulebook"))
        return book


@contextlib.contextmanager
def people_of(where: str) -> Iterator[People]:
    """The accounts of a database. What is done to them is in the journal, or on its way there."""
    clock, notes = Clock(), list[ConsoleNote]()
    with contextlib.closing(open_beside(where)) as store:
        yield People(store, clock, note=lambda kind, facts: notes.append(ConsoleNote(kind, facts)))
        for note in notes:
            _leave(store, clock, note)


def add_rulebook(where: str, file: str, book: Rulebook) -> None:
    """Give the house of a database a rulebook, which has been checked."""
    facts: dict[str, NoteFact] = {
        "rulebook": book.slug,
        "digest": digest_of(book),
        "file": file,
        "by": CONSOLE,
    }
    with contextlib.closing(open_beside(where)) as store:
        _leave(store, Clock(), ConsoleNote(RULEBOOK_ADDED, facts, canonical(book).decode()))


def note_evidence(store: Store, table: str, number: int) -> None:
    """That evidence of a round is taken out of the house by a command; on record before it is given out."""
    facts: dict[str, NoteFact] = {"table": table, "round": number, "by": CONSOLE}
    _leave(store, Clock(), ConsoleNote(EVIDENCE_MADE, facts))


def note_of(line: bytes) -> ConsoleNote | None:
    """What a command left, or None: nothing else gets into the journal by that way."""
    try:
        note = msgspec.json.decode(line, type=decodable(ConsoleNote))
        if note.kind == RULEBOOK_ADDED:
            return note if note.book and isinstance(note.facts.get("file"), str) else None
        if note.kind == EVIDENCE_MADE:
            return (
                note if (type(note.facts.get("table")), type(note.facts.get("round"))) == (str, int) else None
            )
    except (msgspec.MsgspecError, BadInput, ValueError):
        return None
    return note if note.kind in KINDS and note.account else None


def _leave(store: Store, clock: Clock, note: ConsoleNote) -> None:
    if not store.leave_note(msgspec.json.encode(note)):
        add_note(store, clock, note)


def add_note(store: Store, clock: Clock, note: ConsoleNote) -> None:
    """Append to the journal; another process may be first, then again."""
    event = Noted(kind=note.kind, facts=note.facts)
    texts = (RulebookText(str(note.facts["digest"]), note.text.encode()),) if note.text else ()
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
        index = (IndexRow(RULEBOOK_ADDED, stored.version, 0),) if note.text else ()
        append = Append(stream=JOURNAL, expected=head.version, records=(stored,), index=index, texts=texts)
        (result,) = store.commit([append])
        if not isinstance(result, Conflict):
            return
