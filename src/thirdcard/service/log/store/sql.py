"""What the stores in SQL have in common: all that is read, and the accounts and sessions that are written.

Statements keep to what SQLite and PostgreSQL both understand, with `?` for what is filled in; where the two
keep something differently, a class says how.
"""
# ruff: noqa: S608 - what is put into a statement's text are our own lists of columns

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Self

from thirdcard.service.log.store.model import (
    MANY,
    Account,
    Answered,
    BetTally,
    Checkpoint,
    DayTally,
    Head,
    IndexRow,
    KeptDocument,
    KnownAs,
    LearningWrite,
    Listed,
    PostingRow,
    QuarterSum,
    Record,
    ReviewRow,
    RoundMark,
    RoundPlayed,
    RoundRow,
    RoundsFound,
    RulebookText,
    Session,
    Sought,
    Wallet,
)
from thirdcard.service.log.store.rows import (
    ACCOUNT,
    COLUMNS,
    RECORD,
    ROUND,
    SESSION,
    WALLET,
    Row,
    account_row,
    as_account,
    as_document,
    as_heads,
    as_known,
    as_played,
    as_record,
    as_review,
    as_round,
    as_session,
    as_wallet,
    fold,
    names,
)

# Tables with streams in them.
NAMED = (
    "streams",
    "events",
    "rounds",
    "round_players",
    "results",
    "shoes",
    "event_index",
    "marks",
    "quarters",
    "checkpoints",
)
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
FIND_WALLET = f"SELECT {WALLET} FROM wallets WHERE name = ?"
# The few of a list first, and then their rounds.
RESULT_LIST = """SELECT p.stream, p.net, p.staked, r.number, r.at, r.players, r.body FROM (
SELECT at, stream, number, net, staked FROM results
WHERE player = ? AND list = ? AND (at, stream, number) < (?, ?, ?)
ORDER BY at DESC, stream DESC, number DESC LIMIT ?) AS p JOIN rounds r USING (stream, number)
ORDER BY p.at DESC, p.stream DESC, p.number DESC"""
BEST = """SELECT p.stream, p.net, p.staked, r.number, r.at, r.players, r.body FROM (
SELECT stream, number, net, staked FROM results
WHERE player = ? AND list = 'won' ORDER BY net DESC LIMIT ?) AS p JOIN rounds r USING (stream, number)
ORDER BY p.net DESC, r.at"""
BY_DAY = """SELECT day, rounds, staked, net, time FROM tallies
WHERE player = ? AND digest = '' AND bet = '' AND day >= ? AND rounds > 0 ORDER BY day"""
BY_BET = """SELECT digest, bet, CAST(sum(staked) AS bigint), CAST(sum(net) AS bigint) FROM tallies
WHERE player = ? AND bet <> '' AND day >= ? GROUP BY digest, bet ORDER BY digest, bet"""
FIND_ANSWER = "SELECT digest, answer FROM answers WHERE actor = ? AND key = ?"
FIND_SHOE = "SELECT sealed FROM shoes WHERE stream = ? AND number = ?"
# The index first, and then its few events: no planner is to read a log backwards instead.
LOOKUP = f"""SELECT key, value, {RECORD} FROM (
SELECT stream, key, version, value FROM event_index
WHERE stream = ? AND key IN ({{keys}}) AND version < ? ORDER BY version DESC LIMIT ?) AS found
JOIN events USING (stream, version) ORDER BY version DESC"""
INDEX_ROWS = "SELECT key, version, value FROM event_index WHERE stream = ?"
# Rounds that have the rarest mark, so many at most, and of those the ones that have the others too.
MARKED = """SELECT at, stream, number FROM marks
WHERE mark = ? AND at >= ? AND at < ? AND (at, stream, number) < (?, ?, ?){stream}
ORDER BY at DESC, stream DESC, number DESC LIMIT ?"""
HOW_MANY = f"SELECT count(*) FROM ({MARKED}) AS few"
LAST_MARKED = f"{MARKED} OFFSET ?"
FIND = f"""SELECT m.at, m.stream, m.number FROM ({MARKED}) AS m
{{also}} ORDER BY m.at DESC, m.stream DESC, m.number DESC LIMIT ?"""
ALSO = """EXISTS (SELECT 1 FROM marks AS o
WHERE o.mark = ? AND o.at = m.at AND o.stream = m.stream AND o.number = m.number)"""
SUMS = """SELECT stream, name, CAST(sum(value) AS bigint) FROM quarters
WHERE at >= ? AND at < ?{streams} GROUP BY stream, name ORDER BY stream, name"""
COURSE = """SELECT at, name, CAST(sum(value) AS bigint) FROM quarters
WHERE at >= ? AND at < ?{streams} GROUP BY at, name ORDER BY at, name"""
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
ACCOUNTS_OF = f"SELECT {ACCOUNT} FROM accounts WHERE role IN ({{roles}}) ORDER BY key"
ACCOUNTS_BY_NAME = f"SELECT {ACCOUNT} FROM accounts WHERE key IN ({{names}}) ORDER BY key"
ADD_ACCOUNT = "INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING name"
KNOWN = "name, account, use"
FIND_KEY = "SELECT key FROM names WHERE key = ?"
FIND_NAME = f"SELECT {KNOWN} FROM names WHERE key = ? AND use = ?"
NAME_OF = f"SELECT {KNOWN} FROM names WHERE account = ? AND use = ?"
WHOSE = "SELECT account FROM names WHERE key = ? UNION ALL SELECT name FROM accounts WHERE key = ?"
FREE_NAME = "DELETE FROM names WHERE account = ? AND (use = ? OR key = ?) RETURNING key"
PUT_NAME = "INSERT INTO names VALUES (?, ?, ?, ?) RETURNING key"
DROP_NAME = "DELETE FROM names WHERE account = ? AND use = ? RETURNING account"
CHANGE_ACCOUNT = f"UPDATE accounts SET ({ACCOUNT}) = (?, ?, ?, ?, ?, ?, ?) WHERE key = ? RETURNING name"
FIND_PERSONAL = "SELECT body FROM personal WHERE key = ? AND kind = ?"
PERSONAL_OF = "SELECT key, body FROM personal WHERE kind = ? ORDER BY key"
PUT_PERSONAL = """INSERT INTO personal VALUES (?, ?, ?)
ON CONFLICT (key, kind) DO UPDATE SET body = excluded.body RETURNING key"""
DROP_PERSONAL = "DELETE FROM personal WHERE key = ? AND kind = ? RETURNING key"
FIND_LEARNING = "SELECT version, body FROM learning WHERE person = ? AND kind = ?"
ALL_LEARNING = """SELECT kind, version, body FROM learning
WHERE person = ? AND kind >= ? AND kind < ? ORDER BY kind"""
LEARNING_OF = "SELECT person, version, body FROM learning WHERE person IN ({names}) AND kind = ?"
LEARNING_OF_ALL = """SELECT person, version, body FROM learning
WHERE kind = ? AND person > ? ORDER BY person LIMIT ?"""
NEW_LEARNING = """INSERT INTO learning (person, kind, body, version) VALUES (?, ?, ?, ? + 1)
ON CONFLICT DO NOTHING RETURNING version"""
PUT_LEARNING = """UPDATE learning SET body = ?, version = version + 1
WHERE person = ? AND kind = ? AND version = ? RETURNING version"""
DROP_LEARNING = "DELETE FROM learning WHERE person = ? AND kind = ? RETURNING kind"
REVIEWS = """SELECT person, number, at, body FROM reviews
WHERE person = ? AND number < ? ORDER BY number DESC LIMIT ?"""
LATEST_REVIEWS = """SELECT r.person, r.number, r.at, r.body FROM (
SELECT column1 AS person, (SELECT max(number) FROM reviews WHERE person = column1) AS top
FROM (VALUES {names}) AS names) AS who
JOIN reviews AS r ON r.person = who.person AND r.number > who.top - ?
WHERE {holds} > 0 ORDER BY who.top - r.number, r.person LIMIT ?"""
PUT_REVIEW = "INSERT INTO reviews VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING number"
FORGET_LEARNING = "DELETE FROM learning WHERE person = ? RETURNING kind"
FORGET_REVIEWS = "DELETE FROM reviews WHERE person = ? RETURNING number"
FIND_EXAM = "SELECT version, body FROM exams WHERE exam = ? AND person = ?"
EXAMS = """SELECT exam, version, body FROM exams
WHERE person = ? AND exam > ? ORDER BY exam LIMIT ?"""
SITTINGS = "SELECT person, version, body FROM exams WHERE exam = ? AND person <> '' ORDER BY person"
ALL_EXAMS = "SELECT exam, person, version, body FROM exams ORDER BY exam, person"
NEW_EXAM = """INSERT INTO exams (exam, person, body, version) VALUES (?, ?, ?, ? + 1)
ON CONFLICT DO NOTHING RETURNING version"""
PUT_EXAM = """UPDATE exams SET body = ?, version = version + 1
WHERE exam = ? AND person = ? AND version = ? RETURNING version"""
FORGET_ANSWERS = """DELETE FROM answers WHERE (actor, key) IN (
SELECT actor, key FROM answers WHERE until < ? ORDER BY until LIMIT ?) RETURNING key"""
LAST_OF_FEW = """SELECT coalesce(max(key), '') FROM (
SELECT key FROM accounts WHERE key > ? ORDER BY key LIMIT ?) AS few"""
FORGET_GUESTS = """DELETE FROM accounts WHERE role = 'guest' AND created < ? AND key > ? AND key <= ?
AND NOT EXISTS (SELECT 1 FROM sessions WHERE account_key = accounts.key)
AND NOT EXISTS (SELECT 1 FROM personal WHERE personal.key = accounts.key)
AND NOT EXISTS (SELECT 1 FROM wallets WHERE wallets.name = accounts.name)
AND NOT EXISTS (SELECT 1 FROM names WHERE names.account = accounts.name)
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
LAST = chr(0x10FFFF)  # after every text
Naming = Callable[[str, Row], list[Any]]  # carries out a statement in a transaction; its rows


def account_changed(name: str) -> str:
    return f"account {name}"


def _session_ended(token_hash: bytes) -> str:
    return f"session {token_hash.hex()}"


class _Faster(Exception):  # noqa: N818 - not a fault
    """Somebody else changed it first: nothing of this is to be written."""


def _or_overtaken(written: list[Any]) -> None:
    if not written:
        raise _Faster


class SqlFinding(ABC):
    """Rounds and events found by an index, in a store or in a snapshot of it."""

    @abstractmethod
    def _ask(self, sql: str, parameters: Row = ()) -> list[Any]:
        """The rows of a statement that only reads."""

    def _ask_one(self, sql: str, parameters: Row = ()) -> Any:  # noqa: ANN401 - a row, or none
        rows = self._ask(sql, parameters)
        return rows[0] if rows else None

    def round(self, stream: str, number: int) -> RoundRow | None:
        row = self._ask_one(FIND_ROUND, (stream, number))
        return row and as_round(row)

    def lookup(
        self, stream: str, keys: Sequence[str], *, before: int = MANY, limit: int = 100
    ) -> list[tuple[IndexRow, Record]]:
        sql = LOOKUP.format(keys=", ".join("?" * len(keys)))
        found = [
            (key, value, as_record(row))
            for key, value, *row in self._ask(sql, (stream, *keys, before, limit))
        ]
        return [(IndexRow(key, stored.version, value), stored) for key, value, stored in found]

    def sums(
        self, since: int, until: int, streams: Collection[str] | None = None
    ) -> list[tuple[str, str, int]]:
        rows = self._summed(SUMS, since, until, streams)
        return [(stream, name, value) for stream, name, value in rows]

    def course(
        self, since: int, until: int, streams: Collection[str] | None = None
    ) -> list[tuple[int, str, int]]:
        rows = self._summed(COURSE, since, until, streams)
        return [(at, name, value) for at, name, value in rows]

    def _summed(self, sql: str, since: int, until: int, streams: Collection[str] | None) -> list[Any]:
        if streams is None:
            return self._ask(sql.format(streams=""), (since, until))
        only = f" AND stream IN ({', '.join('?' * len(streams))})"
        return self._ask(sql.format(streams=only), (since, until, *streams)) if streams else []

    def find(self, sought: Sought, *, limit: int, most: int) -> RoundsFound:
        only = "" if sought.stream is None else " AND stream = ?"

        def where(mark: str) -> Row:
            within = (sought.since, sought.until, *(sought.before or (MANY, "", 0)))
            return (mark, *within, *(() if sought.stream is None else (sought.stream,)))

        counts = {
            mark: self._ask_one(HOW_MANY.format(stream=only), (*where(mark), most + 1))[0]
            for mark in dict.fromkeys(sought.marks)
        }
        rarest = min(counts, key=counts.__getitem__)
        others = [mark for mark in counts if mark != rarest]
        also = f"WHERE {' AND '.join([ALSO] * len(others))}" if others else ""
        sql = FIND.format(stream=only, also=also)
        found = [
            (at, stream, number)
            for at, stream, number in self._ask(sql, (*where(rarest), most, *others, limit + 1))
        ]
        if len(found) > limit:
            return RoundsFound(places=found[:limit], reached=found[limit - 1])
        last = None
        if counts[rarest] > most:
            last = tuple(self._ask_one(LAST_MARKED.format(stream=only), (*where(rarest), 1, most - 1)))
        return RoundsFound(places=found, reached=last)


class SqlStore(SqlFinding):
    """A store without its connections, its commits and its other processes."""

    POSTINGS: ClassVar[str] = "postings"  # where postings are found with their stream and version
    FLAGGED: ClassVar[str] = "events"  # where significant events are found without reading the others
    HOLDS: ClassVar[str] = "position(? IN r.body)"  # where some bytes begin in an answer, counted from 1

    @abstractmethod
    def _change(self, sql: str, parameters: Row, telling: Telling | None = None) -> list[Any]:
        """Carry out a statement durably; the one value that it gives back of each row that it changed."""

    @abstractmethod
    def _naming(self, account: str) -> AbstractContextManager[Naming]:
        """Statements in one transaction while nobody else gives names, which concern an account."""

    @abstractmethod
    def _together(self) -> AbstractContextManager[Naming]:
        """Statements in one transaction, undone if the block ends by an exception."""

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

    def rounds_of(
        self, player: str, *, before: tuple[int, str, int] | None = None, limit: int = 100
    ) -> list[tuple[str, RoundRow]]:
        rows = self._ask(ROUNDS_OF, (player, *(before or (MANY, "", 0)), limit))
        return [(stream, as_round(row)) for stream, *row in rows]

    def wallet(self, name: str) -> Wallet | None:
        row = self._ask_one(FIND_WALLET, (name,))
        return row and as_wallet(row)

    def played(
        self, player: str, which: Listed, *, before: tuple[int, str, int] | None = None, limit: int = 100
    ) -> list[RoundPlayed]:
        rows = self._ask(RESULT_LIST, (player, which, *(before or (MANY, "", 0)), limit))
        return [as_played(row) for row in rows]

    def best(self, player: str, *, limit: int) -> list[RoundPlayed]:
        return [as_played(row) for row in self._ask(BEST, (player, limit))]

    def by_day(self, player: str, *, since: int = 0) -> list[DayTally]:
        return [
            DayTally(day=day, rounds=rounds, staked=staked, net=net, time=time)
            for day, rounds, staked, net, time in self._ask(BY_DAY, (player, since))
        ]

    def by_bet(self, player: str, *, since: int = 0) -> list[BetTally]:
        return [
            BetTally(digest=digest, bet=bet, staked=staked, net=net)
            for digest, bet, staked, net in self._ask(BY_BET, (player, since))
        ]

    def shoe(self, stream: str, number: int) -> bytes | None:
        row = self._ask_one(FIND_SHOE, (stream, number))
        return None if row is None else bytes(row[0])

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

    def accounts(self, roles: Collection[str] = ()) -> list[Account]:
        if not roles:
            return [as_account(row) for row in self._ask(ACCOUNTS)]
        wanted = ACCOUNTS_OF.format(roles=", ".join("?" * len(roles)))
        return [as_account(row) for row in self._ask(wanted, tuple(roles))]

    def accounts_of(self, names: Collection[str]) -> list[Account]:
        keys = sorted({fold(name) for name in names})
        wanted = ACCOUNTS_BY_NAME.format(names=", ".join("?" * len(keys)))
        return [as_account(row) for row in self._ask(wanted, tuple(keys))] if keys else []

    def add_account(self, account: Account) -> bool:
        row = (fold(account.name), *account_row(account))
        if account.role == "guest":  # nobody goes by such a name
            return bool(self._change(ADD_ACCOUNT, row, account_changed))
        with self._naming(account.name) as ask:
            return not ask(FIND_KEY, (row[0],)) and bool(ask(ADD_ACCOUNT, row))

    def found_by(self, name: str, use: str) -> KnownAs | None:
        row = self._ask_one(FIND_NAME, (fold(name), use))
        return row and as_known(row)

    def name_of(self, account: str, use: str) -> KnownAs | None:
        row = self._ask_one(NAME_OF, (account, use))
        return row and as_known(row)

    def claim_name(self, wanted: KnownAs) -> bool:
        key = fold(wanted.name)
        with self._naming(wanted.account) as ask:
            if any(whose != wanted.account for (whose,) in ask(WHOSE, (key, key))):
                return False
            ask(FREE_NAME, (wanted.account, wanted.use, key))
            return bool(ask(PUT_NAME, (key, wanted.name, wanted.account, wanted.use)))

    def drop_name(self, account: str, use: str) -> None:
        self._change(DROP_NAME, (account, use), account_changed)

    def change_account(self, account: Account) -> None:
        row = (*account_row(account), fold(account.name))
        if not self._change(CHANGE_ACCOUNT, row, account_changed):
            raise KeyError(account.name)

    def personal(self, name: str, kind: str) -> bytes | None:
        row = self._ask_one(FIND_PERSONAL, (fold(name), kind))
        return None if row is None else bytes(row[0])

    def personal_of(self, kind: str) -> list[tuple[str, bytes]]:
        return [(key, bytes(body)) for key, body in self._ask(PERSONAL_OF, (kind,))]

    def put_personal(self, name: str, kind: str, body: bytes) -> None:
        self._change(PUT_PERSONAL, (fold(name), kind, body), account_changed)

    def drop_personal(self, name: str, kind: str) -> None:
        self._change(DROP_PERSONAL, (fold(name), kind), account_changed)

    # The school

    def learning(self, name: str, kind: str) -> KeptDocument | None:
        row = self._ask_one(FIND_LEARNING, (fold(name), kind))
        return row and as_document(row)

    def all_learning(self, name: str, prefix: str = "") -> list[tuple[str, KeptDocument]]:
        rows = self._ask(ALL_LEARNING, (fold(name), prefix, prefix + LAST))
        return [(kind, as_document(row)) for kind, *row in rows]

    def learning_of(self, names: Collection[str], kind: str) -> dict[str, KeptDocument]:
        keys = sorted({fold(name) for name in names})
        wanted = LEARNING_OF.format(names=", ".join("?" * len(keys)))
        rows = self._ask(wanted, (*keys, kind)) if keys else []
        return {person: as_document(row) for person, *row in rows}

    def latest_reviews(
        self, names: Collection[str], *, each: int, limit: int, holding: bytes = b""
    ) -> list[ReviewRow]:
        keys = sorted({fold(name) for name in names})
        wanted = LATEST_REVIEWS.format(names=", ".join(["(?)"] * len(keys)), holds=self.HOLDS)
        return [as_review(row) for row in self._ask(wanted, (*keys, each, holding, limit))] if keys else []

    def learning_of_all(
        self, kind: str, *, after: str = "", limit: int = 100
    ) -> list[tuple[str, KeptDocument]]:
        rows = self._ask(LEARNING_OF_ALL, (kind, after, limit))
        return [(person, as_document(row)) for person, *row in rows]

    def reviews(self, name: str, *, before: int = MANY, limit: int = 100) -> list[ReviewRow]:
        return [as_review(row) for row in self._ask(REVIEWS, (fold(name), before, limit))]

    def keep_learning(self, writes: Sequence[LearningWrite], reviews: Sequence[ReviewRow] = ()) -> bool:
        try:
            with self._together() as ask:
                for one in sorted(writes, key=lambda write: (fold(write.person), write.kind)):
                    place = (fold(one.person), one.kind)
                    if one.expected:
                        written = ask(PUT_LEARNING, (one.body, *place, one.expected))
                    else:
                        written = ask(NEW_LEARNING, (*place, one.body, 0))
                    _or_overtaken(written)
                for row in reviews:
                    _or_overtaken(ask(PUT_REVIEW, (fold(row.person), row.number, row.at, row.body)))
        except _Faster:
            return False
        return True

    def forget_learning(self, name: str) -> None:
        with self._together() as ask:
            ask(FORGET_LEARNING, (fold(name),))
            ask(FORGET_REVIEWS, (fold(name),))

    def drop_learning(self, name: str, kind: str) -> None:
        self._change(DROP_LEARNING, (fold(name), kind))

    def exam(self, exam: str, name: str = "") -> KeptDocument | None:
        row = self._ask_one(FIND_EXAM, (exam, fold(name)))
        return row and as_document(row)

    def exams(self, name: str = "", *, after: str = "", limit: int = 100) -> list[tuple[str, KeptDocument]]:
        rows = self._ask(EXAMS, (fold(name), after, limit))
        return [(exam, as_document(row)) for exam, *row in rows]

    def sittings(self, exam: str) -> list[tuple[str, KeptDocument]]:
        return [(person, as_document(row)) for person, *row in self._ask(SITTINGS, (exam,))]

    def keep_exam(self, exam: str, name: str, *, expected: int, body: bytes) -> bool:
        place = (exam, fold(name))
        if expected:
            return bool(self._change(PUT_EXAM, (body, *place, expected)))
        return bool(self._change(NEW_EXAM, (*place, body, 0)))

    def forget_answers(self, *, before: int, limit: int) -> int:
        return len(self._change(FORGET_ANSWERS, (before, limit)))

    def forget_guests(self, *, after: str, created_before: int, limit: int) -> str:
        (last,) = self._ask_one(LAST_OF_FEW, (after, limit))
        self._change(FORGET_GUESTS, (created_before, after, last), account_changed)
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


class SqlSnapshot(SqlFinding):
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

    def _ask(self, sql: str, parameters: Row = ()) -> list[Any]:
        return list(self.ask(self._known(sql), parameters))

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

    def read(self, stream: str, *, after: int = 0, limit: int = MANY) -> Iterator[Record]:
        return map(as_record, self.ask(self._known(READ), (stream, after, limit)))

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

    def marks(self, stream: str) -> set[RoundMark] | None:
        if "marks" not in self.tables:
            return None
        rows = self.ask("SELECT mark, number, at FROM marks WHERE stream = ?", (stream,))
        return {RoundMark(*row) for row in rows}

    def quarters(self, stream: str) -> set[QuarterSum] | None:
        if "quarters" not in self.tables:
            return None
        rows = self.ask("SELECT at, name, value FROM quarters WHERE stream = ? AND value <> 0", (stream,))
        return {QuarterSum(*row) for row in rows}

    def _summed(self, sql: str, since: int, until: int, streams: Collection[str] | None) -> list[Any]:
        return super()._summed(sql, since, until, streams) if "quarters" in self.tables else []

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

    def all_exams(self) -> Iterator[tuple[str, str, KeptDocument]]:
        if "exams" not in self.tables:
            return iter(())
        return ((exam, person, as_document(row)) for exam, person, *row in self.ask(ALL_EXAMS))

    def wallets(self) -> Iterator[Wallet]:
        return (as_wallet(row) for row in self.rows("wallets"))

    def keyed_names(self) -> Iterator[tuple[str, KnownAs]]:
        return ((key, as_known(row)) for key, *row in self.rows("names"))

    def results(self, stream: str) -> set[tuple[str, str, int, int, int, int]] | None:
        if "results" not in self.tables:
            return None
        sql = "SELECT player, list, at, number, net, staked FROM results WHERE stream = ?"
        return {(row[0], row[1], row[2], row[3], row[4], row[5]) for row in self.ask(sql, (stream,))}

    def tallies(self) -> Iterator[tuple[str, int, str, str, int, int, int]] | None:
        if "tallies" not in self.tables:
            return None
        rows = self.ask("SELECT player, day, digest, bet, rounds, staked, net FROM tallies")
        return ((row[0], row[1], row[2], row[3], row[4], row[5], row[6]) for row in rows)

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
