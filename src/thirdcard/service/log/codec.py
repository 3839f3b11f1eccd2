"""Events as bytes, and the chain that ties each record to all before it.

An event is stored under its tag and a version of its form. Whoever changes the form of an event raises its
version here and adds what turns the old form into the new one: old logs are read forever. `significance` says
what makes an event one for the significant-event log.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.store.model import GENESIS, Record
from thirdcard.strict import decodable
from thirdcard.table import events


def _without_text(body: dict[str, Any]) -> dict[str, Any]:
    """A set-up that names no text of its rulebook goes on to be read by its slug."""
    return {**body, "setup": {**body["setup"], "digest": ""}}


def _without_before(body: dict[str, Any]) -> dict[str, Any]:
    """An event that did not yet say as much goes without."""
    return body


def _without_windows(body: dict[str, Any]) -> dict[str, Any]:
    """The insurance that there really was follows from the cards: an event does not say it any more."""
    return {name: value for name, value in body.items() if name not in ("window", "windows")}


VERSIONS: dict[str, int] = {  # of events whose form has changed; all others are at 1
    "table-opened": 2,
    "setup-changed": 3,
    "rulebook-changed": 2,
    "staff-assigned": 2,
    "settlement-reversed": 2,
    "cards-amended": 2,
    "cards-laid": 2,
    "round-voided": 2,
    "stakes-decided": 2,
    "table-closed": 2,
    "table-reopened": 2,
    "pace-changed": 2,
}
UPCASTS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {  # to the next version
    ("table-opened", 1): _without_text,
    ("setup-changed", 1): _without_text,
    ("setup-changed", 2): _without_before,
    ("rulebook-changed", 1): _without_before,
    ("staff-assigned", 1): _without_before,
    ("settlement-reversed", 1): _without_before,
    ("cards-amended", 1): _without_windows,
    ("cards-laid", 1): _without_windows,
    ("round-voided", 1): _without_before,
    ("stakes-decided", 1): _without_before,
    ("table-closed", 1): _without_before,
    ("table-reopened", 1): _without_before,
    ("pace-changed", 1): _without_before,
}

_encode = msgspec.json.Encoder().encode
_decode: Callable[[bytes], Logged] = msgspec.json.Decoder(decodable(Logged)).decode


def tag(event: Logged) -> str:
    name = event.__struct_config__.tag
    assert isinstance(name, str)  # every event has one
    return name


def record(  # noqa: PLR0913 - a record's columns
    event: Logged,
    *,
    stream: str,
    version: int,
    before: bytes,
    at: int,
    by: str,
    number: int,
    flag: str,
    asked: bytes = b"",
) -> Record:
    """The event as it is stored after the record with the hash `before`."""
    name, body = tag(event), _encode(event)
    schema = VERSIONS.get(name, 1)
    told = _content((stream, version, at, by, name, schema, number, flag), asked, body)
    return Record(
        stream=stream,
        version=version,
        at=at,
        by=by,
        name=name,
        schema=schema,
        round=number,
        flag=flag,
        body=body,
        hash=linked(before, hashlib.sha256(told).digest()),
        asked=asked,
    )


def content(of: Record) -> bytes:
    """Everything that is stored of a record but its hash: its columns and its body, a line of JSON each."""
    columns = (of.stream, of.version, of.at, of.by, of.name, of.schema, of.round, of.flag)
    return _content(columns, of.asked, of.body)


def _content(columns: tuple[str | int, ...], asked: bytes, body: bytes) -> bytes:
    return _encode((*columns, asked.hex()) if asked else columns) + body


def chained(before: bytes, of: Record) -> bytes:
    """The hash of a record: of everything stored before it, and of the digest of its content.

    So a chain can be shown from one record to a later one without telling what lies between (`linked`).
    """
    return linked(before, hashlib.sha256(content(of)).digest())


def linked(before: bytes, digest: bytes) -> bytes:
    """The hash of the record whose content has that digest."""
    return hashlib.sha256(before + digest).digest()


def chained_before(before: bytes, of: Record) -> bytes:
    """How releases up to 0.1.0 chained a record: by its content itself."""
    return hashlib.sha256(before + content(of)).digest()


def fits(before: bytes, stored: Record) -> bool:
    """Whether the hash of a record is that of its content after this one, by either way."""
    return stored.hash == chained(before, stored) or stored.hash == chained_before(before, stored)


def asked_by(actor: str, key: str, digest: bytes) -> bytes:
    """What stands with the last event of a command that came with a key."""
    return hashlib.sha256(_encode((actor, key, digest.hex()))).digest()


def event_of(stored: Record) -> Logged:
    """The event of a record, whatever version it was stored at."""
    current = VERSIONS.get(stored.name, 1)
    if stored.schema == current:
        return _decode(stored.body)
    if stored.schema > current:
        raise BadInput(
            f"event {stored.version} of {stored.stream} ({stored.name}) was written by a newer thirdcard: "
            f"its form is {stored.schema}, this one reads up to {current}"
        )
    body = msgspec.json.decode(stored.body)
    for schema in range(stored.schema, current):
        body = UPCASTS[stored.name, schema](body)
    return msgspec.convert(body, decodable(Logged), str_keys=True)  # type: ignore[no-any-return]


def follows(stored: Record, version: int, before: bytes) -> bool:
    """Whether a record is the one after that version, whose hash is `before`, and as it was written."""
    return stored.version == version + 1 and fits(before, stored)


def broken_link(records: Iterable[Record], after: Record | None = None) -> Record | None:
    """The first record that does not follow from the one before it; the first of all, or that `after` one."""
    version, before = (after.version, after.hash) if after is not None else (0, GENESIS)
    for stored in records:
        if not follows(stored, version, before):
            return stored
        version, before = stored.version, stored.hash
    return None


# Which events are for the significant-event log -------------------------------------------------------


LARGE_WIN_CENTS = 1_000_000  # a player's net of one round from here on is significant
EVERYDAY = frozenset(
    (floor.HEADS_SIGNED, floor.SEARCHED, floor.EXAM_KEPT)
)  # notes of the journal that are not
# What can stand out in a round.
OF_ROUNDS = ("void", "correction", "reversal", "ruling", "override", "dispute", "call", "large-win")
SIGNIFICANT: dict[type, str] = {
    events.RoundVoided: "void",
    events.SettlementReversed: "reversal",
    events.CardsCorrected: "correction",
    events.RecordAmended: "correction",
    events.ReportDismissed: "ruling",
    events.IrregularityRuled: "ruling",
    events.SetupChanged: "limits",
    events.RulebookChanged: "rulebook",
    events.StaffAssigned: "rank",
    floor.PaceChanged: "limits",
    floor.TableCreated: "table",
    floor.TableClosed: "table",
    floor.TableReopened: "table",
    floor.SupervisorCalled: "call",
    floor.CasePassedUp: "call",
    floor.PayoutDisputed: "dispute",
    floor.DisputeSettled: "dispute",
    floor.LastRoundAnnounced: "table",
    floor.MovePlanned: "rulebook",
    floor.TableArchived: "table",
    floor.TableUnarchived: "table",
    floor.ShiftStarted: "table",
    floor.FloatCounted: "float",
    floor.FloatFilled: "float",
    floor.FloatCredited: "float",
    floor.SlipVoided: "float",
    floor.DropCounted: "float",
    floor.DifferenceAnswered: "float",
}


def significance(event: Logged) -> str:
    """What makes an event one for the significant-event log; empty for everyday ones."""
    if type(event) is events.StakeSet:
        return ""  # by far the most frequent
    if isinstance(event, floor.Noted):
        return "" if event.kind in EVERYDAY else event.kind
    if isinstance(event, events.RoundSettled):
        most = max(event.settlement.nets.values(), default=0)
        return "large-win" if most >= LARGE_WIN_CENTS else ""
    if isinstance(event, events.IrregularityRuled) and event.inputs.overrides:
        return "override"
    return SIGNIFICANT.get(type(event), "")
