"""Logs as an auditor reads them: where each ends, its lines in parts, and the significant-event log.

For those who may read logs; to them everything is told but cards that nobody has seen (`redaction`).
"""

import msgspec

from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_words import what_happened
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import Record
from thirdcard.service.queries.redaction import covered, event_shown, hash_shown, head_shown
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.words import ENGLISH, Language, words

PAGE = 100  # lines of a list before it goes on elsewhere
LOOKED_THROUGH = 2_000  # records at once while looking for some


class LogHead(msgspec.Struct, frozen=True, kw_only=True):
    """Where a log ends; `hash` to compare with the anchor, empty while it would tell a card."""

    id: str
    title: str
    version: int
    hash: str
    at: int


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """A record of a log; `event` is what was stored."""

    version: int
    at: int
    by: str
    name: str
    round: int
    flag: str
    hash: str
    event: msgspec.Raw

    @property
    def text(self) -> str:
        return bytes(self.event).decode()


class LogPart(msgspec.Struct, frozen=True, kw_only=True):
    """Some of a log; `next` is the version to go on after."""

    lines: tuple[LogLine, ...]
    next: int | None


class Significant(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the significant-event log; `what` is its event in a sentence."""

    sequence: int
    stream: str
    version: int
    at: int
    by: str
    kind: str
    round: int
    what: str
    event: msgspec.Raw


def log_heads(hall: Hall) -> list[LogHead]:
    return [
        LogHead(
            id=live.id,
            title=live.created.title if live.created else "",
            version=live.version,
            hash=head_shown(live),
            at=live.last_at,
        )
        for live in hall.engine.tables.values()
    ]


async def log_lines(hall: Hall, live: Live, *, after: int, limit: int) -> list[LogLine]:
    records = await hall.engine.reading(hall.engine.store.read, live.id, after=after, limit=limit)
    return [_line(live, stored) for stored in records]


async def log_part(hall: Hall, live: Live, *, after: int, number: int | None, kind: str) -> LogPart:
    """The next lines after a version, of one round or of one kind if that is asked for.

    Looking for some takes no more than `LOOKED_THROUGH` records: a part may be short and still have a next.
    """
    return await hall.engine.reading(_part, hall.engine.store, live, after, number, kind)


def _part(store: Store, live: Live, after: int, number: int | None, kind: str) -> LogPart:
    if number is not None:
        begins = (row.version - 1 for row, _ in store.lookup(live.id, (f"round:{number}",)))
        after = max(after, *begins, 0)
    limit = PAGE if number is None and not kind else LOOKED_THROUGH
    records = store.read(live.id, after=after, limit=limit)
    more = records[-1].version if len(records) == limit else None
    lines: list[LogLine] = []
    for stored in records:
        if number is not None and stored.round > number:
            more = None
            break
        if number in (None, stored.round) and kind in ("", stored.name):
            lines.append(_line(live, stored))
        if len(lines) == PAGE:
            more = stored.version
            break
    return LogPart(lines=tuple(lines), next=more)


def _line(live: Live, stored: Record) -> LogLine:
    return LogLine(
        version=stored.version,
        at=stored.at,
        by=stored.by,
        name=stored.name,
        round=stored.round,
        flag=stored.flag,
        hash=hash_shown(live, stored),
        event=event_shown(live, stored),
    )


async def significant_events(
    hall: Hall, *, before: int | None, limit: int, language: Language = ENGLISH
) -> list[Significant]:
    """The latest first, of all tables and of the journal."""
    said = words(language)
    records = await hall.engine.reading(hall.engine.store.significant, before=before, limit=limit)
    return [
        Significant(
            sequence=sequence,
            stream=stored.stream,
            version=stored.version,
            at=stored.at,
            by=stored.by,
            kind=stored.flag,
            round=stored.round,
            what=what_happened(said, event_of(stored), covered=covered(live, stored.round)),
            event=event_shown(live, stored),
        )
        for sequence, stored in records
        for live in (hall.table(stored.stream),)
    ]
