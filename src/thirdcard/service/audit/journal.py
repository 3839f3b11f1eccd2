"""What the journal says of the house: its people, what they have set, what was signed, where trust begins."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.audit.starting import ANCHOR_MISSING
from thirdcard.service.audit.walk import AuditProblem
from thirdcard.service.log.anchor import SignedHeads, heads_of
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import DOCUMENT_KEPT, DOCUMENT_TAKEN, EXAM_KEPT, HEADS_SIGNED, Noted
from thirdcard.service.log.store.model import JOURNAL, Head, Record
from thirdcard.service.log.store.people import fold
from thirdcard.service.people.accounts import NAME_TAKEN, PERSONAL_SET
from thirdcard.strict import decodable

NoteFacts = dict[str, str | int]


class AccountOnRecord(msgspec.Struct):
    """An account as its notes have it; None is what no note tells."""

    name: str
    role: str | None = None
    password: str | None = None  # the SHA-256 of its hash
    disabled: bool = False


class Journal:
    """All notes that the rest is held against, read once. `house` is its public key, if that is known."""

    def __init__(self, records: Iterable[Record], house: str = "") -> None:
        self.accounts: dict[str, AccountOnRecord] = {}
        self.personal: dict[tuple[str, str], str] = {}
        self.exams: dict[tuple[str, str], tuple[int, str]] = {}  # by exam and who sat it: version, hash
        self.documents: dict[str, str] = {}  # copies of documents, by their rulebooks' digests
        self.names: dict[tuple[str, str], str] = {}  # that accounts go by, for what; empty for none
        self.heads: dict[str, list[Head]] = {}
        self.problems: list[AuditProblem] = []
        self.remarks: list[str] = []
        self._house = house
        for stored, note in _notes(records):
            try:
                self._take(stored, note.kind, note.facts)
            except Exception as error:  # noqa: BLE001 - anything may be stored
                self._tell(stored, f"it cannot be read: {error}")

    def _tell(self, stored: Record, what: str) -> None:
        self.problems.append(AuditProblem(table=JOURNAL, event=stored.version, what=what))

    def _take(self, stored: Record, kind: str, facts: NoteFacts) -> None:
        if kind == HEADS_SIGNED:
            self._signed(stored, facts)
        elif kind == ANCHOR_MISSING:
            when = datetime.fromtimestamp(stored.at / 1e6, UTC).strftime("%Y-%m-%d %H:%M UTC")
            self.remarks.append(
                f"trust begins anew at event {stored.version} of the journal, {when}: {facts.get('by')} went "
                f"on without the anchor that there was ({facts.get('reason')}). What was logged up to "
                f"{facts.get('heads')} is vouched for by hashes and signatures alone"
            )
        elif kind == PERSONAL_SET:
            place = fold(str(facts.get("account"))), str(facts.get("kind"))
            self.personal[place] = str(facts.get("sha256", ""))
        elif kind in (DOCUMENT_KEPT, DOCUMENT_TAKEN):
            self.documents[str(facts.get("digest"))] = str(facts.get("sha256"))
        elif kind == EXAM_KEPT:
            place = str(facts.get("exam")), fold(str(facts.get("account")))
            noted = int(facts.get("version", 0)), str(facts.get("sha256"))
            self.exams[place] = max(self.exams.get(place, noted), noted)
        elif kind == NAME_TAKEN:
            self.names[str(facts.get("account")), str(facts.get("use"))] = str(facts.get("as", ""))
        elif "name" in facts:
            self._account(kind, facts)

    def _account(self, kind: str, facts: NoteFacts) -> None:
        name = str(facts["name"])
        known = self.accounts.setdefault(fold(name), AccountOnRecord(name))
        if kind in ("account-added", "role-changed"):
            known.role = str(facts.get("role"))
        if kind in ("account-added", "password-changed", "password-rehashed"):
            known.password = str(facts["sha256"]) if "sha256" in facts else None
        if kind == "account-disabled":
            known.disabled = True

    def _signed(self, stored: Record, facts: NoteFacts) -> None:
        try:
            signed = heads_of(msgspec.convert(facts, decodable(SignedHeads)), self._house)
        except (BadInput, msgspec.ValidationError) as error:
            self._tell(stored, str(error))
            return
        for stream, head in signed.items():
            self.heads.setdefault(stream, []).append(head)


def _notes(records: Iterable[Record]) -> Iterator[tuple[Record, Noted]]:
    """What cannot be read is told where the journal is walked through."""
    for stored in records:
        try:
            event = event_of(stored)
        except Exception:  # noqa: BLE001, S112
            continue
        if isinstance(event, Noted):
            yield stored, event
