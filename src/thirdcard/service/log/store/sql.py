"""What the stores in SQL have in common: all that is read, and the accounts and sessions that are written.

Statements keep to what SQLite and PostgreSQL both understand, with `?` for what is filled in; where the two
keep something differently, a class says how.
"""
# ruff: noqa: S608 - what is put into a statement's text are our own lists of columns

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Self

from thirdcard.service.log.store.model import (
    MANY,
    Account,
    Answered,
    Checkpoint,
    Head,
    IndexRow,
    PostingRow,
    Record,
    RoundRow,
    RulebookText,
    Session,
)
from thirdcard.service.log.store.rows import (
    ACCOUNT,
    COLUMNS,
    RECORD,
    ROUND,
    SESSION,
    Row,
    account_row,
    as_account,
    as_heads,
    as_record,
    as_round,
    as_session,
    fold,
    names,
)

# Tables with streams in them.
NAMED = ("streams", "events", "rounds", "round_players", "shoes", "event_index", "checkpoints")
PLAYED = "INSERT INTO round_players SELECT DISTINCT"  # who played in which round follows from the rounds

HEADS = "SELECT stream, version, head FROM streams WHERE version > 0"
READ = f"SELECT {RECORD} FROM events WHERE stream = ? AND version > ? ORDER BY version LIMIT ?"
ENTRIES = """SELECT version, account, cents FROM {postings}
WHERE stream = ? AND version > ? ORDER BY version, n"""
ROUNDS = f"SELECT {ROUND} FROM rounds WHERE stream = ? AND number < ? ORDER BY number DESC LIMIT ?"
FIND_ROUND = f"SELECT {ROUND} FROM rounds WHERE stream = ? AND number = ?"
ROUNDS_OF = """SELECT p.stream, p.number, p.at, r.players, r.body
FROM round_players p JOIN rounds r USING (stream, number)
WHERE p.player = ? AND (p.at, p.stream, p.number) < (?, ?, ?)
ORDER BY p.at DESC, p.stream DESC, p.number DESC LIMIT ?"""
FIND_ANSWER = "SELECT digest, answer FROM answers WHERE actor = ? AND key = ?"
FIND_SHOE = "SELECT sealed FROM shoes WHERE stream = ? AND number = ?"
# The index first, and then its few events: no planner is to read a log backwards instead.
LOOKUP = f"""SELECT key, value, {RECORD} FROM (
SELECT stream, key, version, value FROM event_index
WHERE stream = ? AND key IN ({{keys}}) AND version < ? ORDER BY version DESC LIMIT ?) AS found
JOIN events USING (stream, version) ORDER BY version DESC"""
INDEX_ROWS = "SELECT key, version, value FROM event_index WHERE stream = ?"
CHECKPOINT = """SELECT version, body FROM checkpoints WHERE stream = ? AND version <= ?
ORDER BY version DESC LIMIT 1"""
TEXTS = "SELECT digest, text FROM rulebooks ORDER BY digest"
FIND_TEXT = "SELECT text FROM rulebooks WHERE digest = ?"
SIGNIFICANT = f"""SELECT seq, {RECORD} FROM {{flagged}}
WHERE flag <> '' AND seq < ? ORDER BY seq DESC LIMIT ?"""
OUT_OF_ORDER = """SELECT stream, version FROM (SELECT stream, version, seq,
lag(seq) OVER (PARTITION BY stream ORDER BY version) AS before FROM events) AS placed
WHERE seq <= before ORDER BY stream, version"""

FIND_ACCOUNT = f"SELECT {ACCOUNT} FROM accounts WHERE key = ?"
ACCOUNTS = f"SELECT {ACCOUNT} FROM accounts ORDER BY key"
ADD_ACCOUNT = "INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING name"
CHANGE_ACCOUNT = f"UPDATE accounts SET ({ACCOUNT}) = (?, ?, ?, ?, ?, ?, ?) WHERE key = ? RETURNING name"
FIND_PERSONAL = "SELECT body FROM personal WHERE key = ? AND kind = ?"
PUT_PERSONAL = """INSERT INTO personal VALUES (?, ?, ?)
ON CONFLICT (key, kind) DO UPDATE SET body = excluded.body RETURNING key"""
DROP_PERSONAL = "DELETE FROM personal WHERE key = ? AND kind = ? RETURNING key"
FORGET_ANSWERS = """DELETE FROM answers WHERE (actor, key) IN (
SELECT actor, key FROM answers WHERE until < ? ORDER BY until LIMIT ?) RETURNING key"""
LAST_OF_FEW = """SELECT coalesce(max(key), '') FROM (
SELECT key FROM accounts WHERE key > ? ORDER BY key LIMIT ?) AS few"""
FORGET_GUESTS = """DELETE FROM accounts WHERE role = 'guest' AND created < ? AND key > ? AND key <= ?
AND NOT EXISTS (SELECT 1 FROM sessions WHERE account_key = accounts.key)
AND NOT EXISTS (SELECT 1 FROM personal WHERE personal.key = accounts.key)
AND NOT EXISTS (SELECT 1 FROM streams JOIN event_index USING (stream)
WHERE event_index.key = 'rack:' || accounts.name) RETURNING name"""
FIND_SESSION = f"SELECT {SESSION} FROM sessions WHERE token_hash = ?"
PUT_SESSION = """INSERT INTO sessions VALUES (?, ?, ?, ?, ?) ON CONFLICT (token_hash) DO UPDATE
SET account = excluded.account, created = excluded.created, seen = excluded.seen,
account_key = excluded.account_key RETURNING token_hash"""
TOUCH_SESSION = "UPDATE sessions SET seen = ? WHERE token_hash = ? RETURNING token_hash"
DROP_SESSION = "DELETE FROM sessions WHERE token_hash = ? RETURNING token_hash"
DROP_SESSIONS = "DELETE FROM sessions WHERE account_key = ? OR seen < ? RETURNING token_hash"

Telling = Callable[[Any], str]  # what others are told of a value that was changed


def _account_changed(name: str) -> str:
    return f"account {name}"


def _session_ended(token_hash: bytes) -> str:
    return f"session {token_hash.hex()}"


class SqlStore(ABC):
    """A store without its connections, its commits and its other processes."""

    POSTINGS: ClassVar[str] = "postings"  # where postings are found with their stream and version
    FLAGGED: ClassVar[str] = "events"  # where significant events are found without reading the others

    @abstractmethod
    def _ask(self, sql: str, parameters: Row = ()) -> list[Any]:
        """The rows of a statement that only reads."""

    @abstractmethod
    def _change(self, sql: str, parameters: Row, telling: Telling | None = None) -> list[Any]:
        """Carry out a statement durably; the one value that it gives back of each row that it changed."""

    def _ask_one(self, sql: str, parameters: Row = ()) -> Any:  # noqa: ANN401 - a row, or none
        rows = self._ask(sql, parameters)
        return rows[0] if rows else None

    # Streams

    def heads(self) -> dict[str, Head]:
        return as_heads(self._ask(HEADS))

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
        return [as_record(row) for row in self._ask(READ, (stream, after, MANY if limit is None else limit))]

    def entries(self, stream: str, *, after: int = 0) -> list[PostingRow]:
        sql = ENTRIES.format(postings=self.POSTINGS)
        return [PostingRow(*row) for row in self._ask(sql, (stream, after))]

    def answered(self, actor: str, key: str) -> Answered | None:
        row = self._ask_one(FIND_ANSWER, (actor, key))
        return row and Answered(actor=actor, key=key, digest=row[0], answer=row[1])

    def rounds(self, stream: str, *, before: int | None = None, limit: int = 100) -> list[RoundRow]:
        rows = self._ask(ROUNDS, (stream, MANY if before is None else before, limit))
        return [as_round(row) for row in rows]

    def round(self, stream: str, number: int) -> RoundRow | None:
        row = self._ask_one(FIND_ROUND, (stream, number))
        return row and as_round(row)

    def rounds_of(
        self, player: str, *, before: tuple[int, str, int] | None = None, limit: int = 100
    ) -> list[tuple[str, RoundRow]]:
        rows = self._ask(ROUNDS_OF, (player, *(before or (MANY, "", 0)), limit))
        return [(stream, as_round(row)) for stream, *row in rows]

    def shoe(self, stream: str, number: int) -> bytes | None:
        row = self._ask_one(FIND_SHOE, (stream, number))
        return None if row is None else bytes(row[0])

    def lookup(
        self, stream: str, keys: Sequence[str], *, before: int = MANY, limit: int = 100
    ) -> list[tuple[IndexRow, Record]]:
        sql = LOOKUP.format(keys=", ".join("?" * len(keys)))
        found = [
            (key, value, as_record(row))
            for key, value, *row in self._ask(sql, (stream, *keys, before, limit))
        ]
        return [(IndexRow(key, stored.version, value), stored) for key, value, stored in found]

    def checkpoint(self, stream: str, *, at_most: int = MANY) -> Checkpoint | None:
        row = self._ask_one(CHECKPOINT, (stream, at_most))
        return row and Checkpoint(version=row[0], body=row[1])

    def text(self, digest: str) -> bytes | None:
        row = self._ask_one(FIND_TEXT, (digest,))
        return None if row is None else bytes(row[0])

    def texts(self) -> list[RulebookText]:
        return [RulebookText(*row) for row in self._ask(TEXTS)]

    def significant(self, *, before: int | None = None, limit: int = 100) -> list[tuple[int, Record]]:
        sql = SIGNIFICANT.format(flagged=self.FLAGGED)
        rows = self._ask(sql, (MANY if before is None else before, limit))
        return [(seq, as_record(row)) for seq, *row in rows]

    # People

    def account(self, name: str) -> Account | None:
        row = self._ask_one(FIND_ACCOUNT, (fold(name),))
        return row and as_account(row)

    def accounts(self) -> list[Account]:
        return [as_account(row) for row in self._ask(ACCOUNTS)]

    def add_account(self, account: Account) -> bool:
        row = (fold(account.name), *account_row(account))
        return bool(self._change(ADD_ACCOUNT, row, _account_changed))

    def change_account(self, account: Account) -> None:
        row = (*account_row(account), fold(account.name))
        if not self._change(CHANGE_ACCOUNT, row, _account_changed):
            raise KeyError(account.name)

    def personal(self, name: str, kind: str) -> bytes | None:
        row = self._ask_one(FIND_PERSONAL, (fold(name), kind))
        return None if row is None else bytes(row[0])

    def put_personal(self, name: str, kind: str, body: bytes) -> None:
        self._change(PUT_PERSONAL, (fold(name), kind, body), _account_changed)

    def drop_personal(self, name: str, kind: str) -> None:
        self._change(DROP_PERSONAL, (fold(name), kind), _account_changed)

    def forget_answers(self, *, before: int, limit: int) -> int:
        return len(self._change(FORGET_ANSWERS, (before, limit)))

    def forget_guests(self, *, after: str, created_before: int, limit: int) -> str:
        (last,) = self._ask_one(LAST_OF_FEW, (after, limit))
        self._change(FORGET_GUESTS, (created_before, after, last), _account_changed)
        return str(last)

    def session(self, token_hash: bytes) -> Session | None:
        row = self._ask_one(FIND_SESSION, (token_hash,))
        return row and as_session(row)

    def put_session(self, session: Session) -> None:
        row = (session.token_hash, session.account, session.created, session.seen, fold(session.account))
        self._change(PUT_SESSION, row)

    def touch_session(self, token_hash: bytes, seen: int) -> bool:
        return bool(self._change(TOUCH_SESSION, (seen, token_hash)))

    def drop_session(self, token_hash: bytes) -> None:
        self._change(DROP_SESSION, (token_hash,), _session_ended)

    def drop_sessions(self, *, account: str | None = None, seen_before: int | None = None) -> None:
        key = None if account is None else fold(account)
        self._change(DROP_SESSIONS, (key, seen_before), _session_ended)

    # Notes: where everybody may append nobody leaves any

    def leave_note(self, note: bytes) -> bool:  # noqa: ARG002
        return False

    @contextlib.contextmanager
    def left_notes(self) -> Iterator[list[bytes]]:
        yield []


class SqlSnapshot(ABC):
    """A snapshot without its connection. Rows come one by one, however many there are.

    A database of an earlier schema lacks tables: they are read as empty ones.
    """

    POSTINGS: ClassVar[str] = "postings"
    POSTINGS_ORDER: ClassVar[str] = "stream, version, n"

    EMPTY: ClassVar[str]  # no bytes
    tables: frozenset[str]  # those that there are

    @abstractmethod
    def ask(self, sql: str, parameters: Row = ()) -> Iterator[Row]:
        """The rows of a statement; StoreDown if they cannot be read."""

    @abstractmethod
    def damage(self) -> Iterator[str]: ...

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def heads(self) -> dict[str, Head]:
        return as_heads(self.ask(HEADS))

    def streams(self) -> set[str]:
        named = {
            row[0]
            for table in NAMED
            if table in self.tables
            for row in self.ask(f"SELECT DISTINCT stream FROM {table}")
        }
        return named - {row[0] for row in self.ask("SELECT stream FROM streams WHERE version = 0")}

    def read(self, stream: str) -> Iterator[Record]:
        return map(as_record, self.ask(self._known(READ), (stream, 0, MANY)))

    def entries(self, stream: str) -> Iterator[PostingRow]:
        sql = ENTRIES.format(postings=self.POSTINGS)
        return (PostingRow(*row) for row in self.ask(sql, (stream, -MANY)))

    def rounds(self, stream: str, *, limit: int = MANY) -> Iterator[RoundRow]:
        return map(as_round, self.ask(ROUNDS, (stream, MANY, limit)))

    def shoe(self, stream: str, number: int) -> bytes | None:
        rows = list(self.ask(FIND_SHOE, (stream, number)))
        return bytes(rows[0][0]) if rows else None

    def shoes(self, stream: str) -> set[int]:
        return {row[0] for row in self.ask("SELECT number FROM shoes WHERE stream = ?", (stream,))}

    def recalled(self, stream: str) -> set[tuple[int, str, int]]:
        sql = "SELECT number, player, at FROM round_players WHERE stream = ?"
        return {(number, player, at) for number, player, at in self.ask(sql, (stream,))}

    def answers(self) -> Iterator[Answered]:
        sql = self._known(f"SELECT {COLUMNS['answers']} FROM answers")
        for actor, key, digest, answer, until in self.ask(sql):
            yield Answered(actor=actor, key=key, digest=digest, answer=answer, until=until)

    def index_rows(self, stream: str) -> set[IndexRow]:
        if "event_index" not in self.tables:
            return set()
        return {IndexRow(*row) for row in self.ask(INDEX_ROWS, (stream,))}

    def checkpoint(self, stream: str, *, at_most: int) -> Checkpoint | None:
        if "checkpoints" not in self.tables:
            return None
        found = [Checkpoint(version=row[0], body=row[1]) for row in self.ask(CHECKPOINT, (stream, at_most))]
        return found[0] if found else None

    def checkpoints(self, stream: str) -> set[int]:
        if "checkpoints" not in self.tables:
            return set()
        return {row[0] for row in self.ask("SELECT version FROM checkpoints WHERE stream = ?", (stream,))}

    def text(self, digest: str) -> bytes | None:
        rows = list(self.ask(FIND_TEXT, (digest,))) if "rulebooks" in self.tables else []
        return bytes(rows[0][0]) if rows else None

    def out_of_order(self) -> Iterator[tuple[str, int]]:
        return ((stream, version) for stream, version in self.ask(OUT_OF_ORDER))

    def texts(self) -> Iterator[RulebookText]:
        return (RulebookText(digest, bytes(text)) for digest, text in self.rows("rulebooks"))

    def accounts(self) -> list[Account]:
        return [as_account(row) for row in self.ask(ACCOUNTS)]

    def keyed_accounts(self) -> Iterator[tuple[str, Account]]:
        return ((key, as_account(row)) for key, *row in self.rows("accounts"))

    def keyed_sessions(self) -> Iterator[tuple[str, Session]]:
        rows = self.ask(f"SELECT account_key, {SESSION} FROM sessions")
        return ((key, as_session(row)) for key, *row in rows)

    def all_personal(self) -> list[tuple[str, str, bytes]]:
        rows = self.rows("personal")
        return [(key, kind, bytes(body)) for key, kind, body in rows]

    def _known(self, sql: str) -> str:
        """The statement with what stands for columns that an earlier schema lacks."""
        if "personal" in self.tables:
            return sql
        return sql.replace(", asked", f", {self.EMPTY} AS asked").replace(", until", ", 0 AS until")

    def rows(self, table: str) -> Iterator[list[Any]]:
        if table not in self.tables:
            return
        source, order = (self.POSTINGS, self.POSTINGS_ORDER) if table == "postings" else (table, "1, 2")
        which = " WHERE version > 0" if table == "streams" else ""
        sql = self._known(f"SELECT {COLUMNS[table]} FROM {source}{which} ORDER BY {order}")
        for row in self.ask(sql):
            values = list(row)
            if table == "rounds":
                values[3] = names(values[3])
            elif table == "accounts":
                values[5] = bool(values[5])
            yield values
