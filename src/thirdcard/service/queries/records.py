"""Logs as an auditor reads them: heads to compare with the anchor, parts of a log, the books added up."""

from collections.abc import Iterable, Iterator

import msgspec

from thirdcard.service.log.codec import broken_link
from thirdcard.service.log.store.model import Record, RoundRow, Store
from thirdcard.service.tables.live import Live, RoundRecord, covered, table_events
from thirdcard.table.statements import PlayerStatement, TableStatement, player_statements, table_statement

FEW = 100  # lines of a list before it goes on elsewhere
CHUNK = 1_000  # records read at once while looking for some
TOLD = ("title", "person", "rank", "case", "remedies", "reason", "note")  # what lists show of an event


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where a log ends."""

    id: str
    title: str
    version: int
    hash: str
    at: int


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """A record; `body` is empty where its cards are nobody's business yet."""

    version: int
    at: int
    by: str
    name: str
    round: int
    flag: str
    hash: str
    body: str


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Some of a log; `next` is the version to go on after."""

    lines: tuple[LogLine, ...]
    next: int | None


class Significant(msgspec.Struct, frozen=True, kw_only=True):
    sequence: int
    stream: str
    version: int
    at: int
    by: str
    kind: str
    round: int
    what: str


class BriefRound(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    at: int
    outcome: str
    score: str


class Books(msgspec.Struct, frozen=True, kw_only=True):
    """`broken` is the version of the first record that does not follow from the one before."""

    records: int
    broken: int | None
    table: TableStatement
    players: dict[str, PlayerStatement]


def heads(logs: Iterable[Live]) -> list[Head]:
    return [
        Head(
            id=live.id,
            title=live.created.title if live.created else "",
            version=live.version,
            hash=head_of(live),
            at=live.last_at,
        )
        for live in logs
    ]


def head_of(live: Live) -> str:
    """Empty while the last record may be of a card that nobody has seen."""
    hidden = live.state is not None and covered(live, live.table.rounds)
    return "" if hidden else live.head.hex()


def part_of_log(live: Live, store: Store, *, after: int, number: int | None, kind: str) -> Part:
    """The next lines after a version, of one round or of one kind if that is asked for."""
    found: list[LogLine] = []
    for stored in _records(store, live.id, after):
        if number is not None and stored.round > number:
            break
        if number in (None, stored.round) and kind in ("", stored.name):
            found.append(_line(live, stored))
        if len(found) == FEW:
            return Part(lines=tuple(found), next=stored.version)
    return Part(lines=tuple(found), next=None)


def _records(store: Store, stream: str, after: int) -> Iterator[Record]:
    while records := store.read(stream, after=after, limit=CHUNK):
        yield from records
        after = records[-1].version


def _line(live: Live, stored: Record) -> LogLine:
    """Where cards are dealt face down, nothing of the round being played is shown but what was done."""
    hidden = covered(live, stored.round)
    return LogLine(
        version=stored.version,
        at=stored.at,
        by=stored.by,
        name=stored.name,
        round=stored.round,
        flag=stored.flag,
        hash="" if hidden else stored.hash.hex(),
        body="" if hidden else stored.body.decode(),
    )


def significant(sequence: int, stored: Record) -> Significant:
    """An entry of the significant-event log, with what was said about it."""
    event = msgspec.json.decode(stored.body)
    event["reason"] = event.get("reason") or event.get("inputs", {}).get("reason", "")
    said = [_said(event[name]) for name in TOLD if event.get(name)]
    if stored.name == "noted":
        said = [_said(event["facts"])]
    return Significant(
        sequence=sequence,
        stream=stored.stream,
        version=stored.version,
        at=stored.at,
        by=stored.by,
        kind=stored.flag,
        round=stored.round,
        what="; ".join(said),
    )


def _said(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {inner}" for name, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def brief_round(row: RoundRow) -> BriefRound:
    record = msgspec.json.decode(row.body, type=RoundRecord)
    settled = record.settlement
    return BriefRound(
        number=row.number,
        at=row.at,
        outcome=settled.outcome if settled else "void",
        score=f"{settled.player}:{settled.banker}" if settled else "",
    )


def books(records: list[Record]) -> Books:
    """Every movement of money added up again, and the chain followed from its first record."""
    broken = broken_link(records)
    return Books(
        records=len(records),
        broken=broken.version if broken else None,
        table=table_statement(table_events(records)),
        players=player_statements(table_events(records)),
    )
