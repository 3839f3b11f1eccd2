"""A whole database as it was at one moment, read-only, while a server goes on writing to it.

Whoever audits or backs up reads through this: one transaction, on a SQLite file and on PostgreSQL alike.
"""
# ruff: noqa: S608 - what is put into a statement's text are our own lists of columns

import contextlib
import itertools
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.log.store.model import Answered, Entry, Head, Record, RoundRow, StoreDown
from thirdcard.service.log.store.rows import RECORD, ROUND, Row, as_record, as_round
from thirdcard.service.log.store.sqlite import APPLICATION, VERSION

ADDRESS = ("postgresql://", "postgres://")
MANY = 2**62
FETCHED = 1_000  # rows at a time from a server

# What a back-up holds, in the order in which it is written. Sessions are no part of it: whoever was signed
# out stays so. Who played in which round follows from the rounds.
COLUMNS = {
    "streams": "stream, version, head",
    "events": f"seq, {RECORD}",
    "postings": "stream, version, n, account, cents",
    "answers": "actor, key, digest, answer",
    "rounds": f"stream, {ROUND}",
    "shoes": "stream, number, sealed",
    "accounts": "key, name, role, password, created, disabled, failures, locked_until",
}
NAMED = ("streams", "events", "rounds", "round_players", "shoes")  # tables with streams in them


def is_address(where: str) -> bool:
    """Whether it names a server rather than a file."""
    return where.startswith(ADDRESS)


class Snapshot:
    """Open until `close`, or the end of a `with`. Rows come one by one, however many there are.

    What cannot be read raises StoreDown; a place that holds no database of thirdcard is BadInput.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self._on_server = is_address(where)
        self._numbers = itertools.count(1)
        self._connection: Any = _on_server(where) if self._on_server else _in_file(where)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def ask(self, sql: str, parameters: Row = ()) -> Iterator[Row]:
        """Rows of a statement written for both, with `?` for what is filled in."""
        with self._faults():
            if not self._on_server:
                yield from self._connection.execute(sql, parameters)
                return
            name = f"rows{next(self._numbers)}"  # several may be read side by side
            with self._connection.cursor(name=name, scrollable=False) as cursor:
                cursor.itersize = FETCHED
                yield from cursor.execute(sql.replace("?", "%s"), parameters)

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        faults: tuple[type[Exception], ...] = (sqlite3.Error,)
        if self._on_server:
            import psycopg  # noqa: PLC0415 - only where there is a server

            faults = (psycopg.Error,)
        try:
            yield
        except faults as error:
            why = "the server broke off" if self._on_server else str(error)
            raise StoreDown(f"the database cannot be read: {why}") from None

    # What an audit reads

    def heads(self) -> dict[str, Head]:
        rows = self.ask("SELECT stream, version, head FROM streams WHERE version > 0")
        return {stream: Head(version, head) for stream, version, head in rows}

    def streams(self) -> set[str]:
        """Every stream that any table speaks of, whether or not it is said to exist."""
        return {row[0] for table in NAMED for row in self.ask(f"SELECT DISTINCT stream FROM {table}")} - {
            row[0] for row in self.ask("SELECT stream FROM streams WHERE version = 0")
        }

    def read(self, stream: str) -> Iterator[Record]:
        rows = self.ask(f"SELECT {RECORD} FROM events WHERE stream = ? ORDER BY version", (stream,))
        return map(as_record, rows)

    def entries(self, stream: str) -> Iterator[Entry]:
        sql = f"SELECT version, account, cents FROM {self._postings} WHERE stream = ? ORDER BY version, n"
        return (Entry(*row) for row in self.ask(sql, (stream,)))

    def rounds(self, stream: str, *, limit: int = MANY) -> Iterator[RoundRow]:
        sql = f"SELECT {ROUND} FROM rounds WHERE stream = ? ORDER BY number DESC LIMIT ?"
        for number, at, players, body in self.ask(sql, (stream, limit)):
            yield as_round((number, at, self._names(players), body))

    def shoe(self, stream: str, number: int) -> bytes | None:
        rows = list(self.ask("SELECT sealed FROM shoes WHERE stream = ? AND number = ?", (stream, number)))
        return bytes(rows[0][0]) if rows else None

    def shoes(self, stream: str) -> set[int]:
        """The numbers of the sealed shoes of a stream."""
        return {row[0] for row in self.ask("SELECT number FROM shoes WHERE stream = ?", (stream,))}

    def recalled(self, stream: str) -> set[tuple[int, str, int]]:
        """Number, player and time of a stream's rounds as players find them again."""
        sql = "SELECT number, player, at FROM round_players WHERE stream = ?"
        return {(number, player, at) for number, player, at in self.ask(sql, (stream,))}

    def answers(self) -> Iterator[Answered]:
        for actor, key, digest, answer in self.ask(f"SELECT {COLUMNS['answers']} FROM answers"):
            yield Answered(actor=actor, key=key, digest=digest, answer=answer)

    def out_of_order(self) -> Iterator[Row]:
        """Stream and version of events that the store's own sequence puts before the event before them."""
        sql = (
            "SELECT stream, version FROM (SELECT stream, version, seq,"
            " lag(seq) OVER (PARTITION BY stream ORDER BY version) AS before FROM events) AS placed"
            " WHERE seq <= before ORDER BY stream, version"
        )
        return self.ask(sql)

    def damage(self) -> Iterator[str]:
        """What is wrong with the file itself; a server looks after its own."""
        if self._on_server:
            return
        for (told,) in self.ask("PRAGMA integrity_check(1)"):
            if told != "ok":
                yield f"the file is damaged: {told}"
        for _ in self.ask("SELECT 1 FROM postings WHERE seq NOT IN (SELECT seq FROM events) LIMIT 1"):
            yield "there are postings of no event"
        # Here the sequence has no gaps: it counts the events.
        for count, last in self.ask("SELECT count(*), coalesce(max(seq), 0) FROM events"):
            if count != last:
                yield f"the sequence of events comes to {last}, but there are {count}"

    # What a back-up reads

    def rows(self, table: str) -> Iterator[list[Any]]:
        """All rows of a table in the same form from either kind of database."""
        source = self._postings if table == "postings" else table
        order = "1, 2" if self._on_server or table != "postings" else "seq, n"
        which = " WHERE version > 0" if table == "streams" else ""
        for row in self.ask(f"SELECT {COLUMNS[table]} FROM {source}{which} ORDER BY {order}"):
            values = list(row)
            if table == "rounds":
                values[3] = self._names(values[3])
            elif table == "accounts":
                values[5] = bool(values[5])
            yield values

    @property
    def _postings(self) -> str:
        return "postings" if self._on_server else "postings JOIN events USING (seq)"

    @staticmethod
    def _names(players: Any) -> list[str]:  # noqa: ANN401 - as the database gives it
        return msgspec.json.decode(players, type=list[str]) if isinstance(players, str) else players


def _in_file(where: str) -> sqlite3.Connection:
    path = Path(where)
    if not path.is_file():
        raise BadInput(f"there is no database {where}")
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # from now on it stands still
    except sqlite3.Error as error:
        raise BadInput(f"{where} is not a database of thirdcard, or it is damaged: {error}") from None
    if application != APPLICATION:
        connection.close()
        raise BadInput(f"{where} is not a database of thirdcard")
    if version > VERSION:
        connection.close()
        raise BadInput(f"{where} was written by a newer thirdcard: it has schema {version}, not {VERSION}")
    return connection


def _on_server(where: str) -> Any:  # noqa: ANN401 - a connection of psycopg, only loaded where it is used
    from thirdcard.service.log.store.bulk import reading  # noqa: PLC0415

    return reading(where)
