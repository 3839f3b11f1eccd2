"""All logs of a database as a table, and all movements of money as another, at one moment.

What nobody has seen yet is not in them: of rounds that `redaction` covers, events are without their cards and
hashes, and movements of money are left out until the round is told.
"""

from collections.abc import Iterator
from typing import ClassVar

from thirdcard.errors import BadInput
from thirdcard.frames import Schema, Tabular
from thirdcard.rulebook.load import remember
from thirdcard.service.log.store import open_snapshot
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.log.store.model import JOURNAL, Record
from thirdcard.service.queries.redaction import covered, event_shown, hash_shown
from thirdcard.service.tables.live import Live, fold
from thirdcard.words.saying import say


class _Logs(Tabular):
    """The logs of the tables in a database, all or one; read anew whenever a table is made of them."""

    def __init__(self, where: str, table: str | None = None) -> None:
        self.where, self.table = where, table

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.table or 'every table'} in {self.where}>"

    def _rows(self) -> Iterator[tuple[object, ...]]:
        with open_snapshot(self.where) as store:
            for text in store.texts():
                remember(text.text)
            streams = sorted(store.streams() - {JOURNAL})
            if self.table is not None and self.table not in streams:
                raise BadInput(
                    say("no-table-of-that-name", table=self.table, found=", ".join(streams) or "none")
                )
            for stream in streams if self.table is None else [self.table]:
                records = list(store.read(stream))
                yield from self._of(store, stream, records, fold(Live(id=stream), records))

    def _of(
        self, store: LogReading, stream: str, records: list[Record], live: Live
    ) -> Iterator[tuple[object, ...]]:
        raise NotImplementedError


class LoggedEvents(_Logs):
    """Every event: `at` in microseconds since 1970, `body` as JSON, `hash` in hexadecimal digits."""

    COLUMNS: ClassVar[Schema] = {
        "table": "string",
        "version": "int64",
        "at": "int64",
        "by": "string",
        "event": "string",
        "round": "int64",
        "flag": "string",
        "body": "string",
        "hash": "string",
    }

    def _of(
        self,
        store: LogReading,  # noqa: ARG002 - the others need it
        stream: str,
        records: list[Record],
        live: Live,
    ) -> Iterator[tuple[object, ...]]:
        for record in records:
            body = bytes(event_shown(live, record)).decode()
            place = (stream, record.version, record.at, record.by, record.name, record.round, record.flag)
            yield *place, body, hash_shown(live, record)


class LoggedPostings(_Logs):
    """Every posting, in cents: those of an event come to nothing together."""

    COLUMNS: ClassVar[Schema] = {
        "table": "string",
        "version": "int64",
        "at": "int64",
        "event": "string",
        "round": "int64",
        "account": "string",
        "cents": "int64",
    }

    def _of(
        self, store: LogReading, stream: str, records: list[Record], live: Live
    ) -> Iterator[tuple[object, ...]]:
        events = {record.version: record for record in records}
        for entry in store.entries(stream):
            one = events[entry.version]
            if not covered(live, one.round):
                yield stream, one.version, one.at, one.name, one.round, entry.account, entry.cents
