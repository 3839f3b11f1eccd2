"""A store in plain dictionaries: all that the others promise, but for surviving the process."""

import threading
from collections.abc import Callable, Sequence

from thirdcard.service.log.store.model import (
    Account,
    Answered,
    Append,
    Entry,
    Head,
    Record,
    Result,
    RoundRow,
    Session,
)
from thirdcard.service.log.store.rows import fold, judge


class MemoryStore:
    shared = False

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._heads: dict[str, Head] = {}
        self._log: list[Record] = []  # its place here is an event's place in the sequence
        self._streams: dict[str, list[Record]] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._answers: dict[tuple[str, str], Answered] = {}
        self._rounds: dict[str, dict[int, RoundRow]] = {}
        self._shoes: dict[tuple[str, int], bytes] = {}
        self._accounts: dict[str, Account] = {}
        self._sessions: dict[bytes, Session] = {}

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        with self._lock:
            judged = judge(appends, self._heads, self._answers.get)
            shoes = [(append.stream, shoe.number) for append in judged.good for shoe in append.shoes]
            if len(set(shoes)) < len(shoes) or not self._shoes.keys().isdisjoint(shoes):
                raise ValueError("a shoe is sealed once")
            for append in judged.good:
                self._write(append)
            self._heads.update(judged.heads)
            return judged.results

    def _write(self, append: Append) -> None:
        stream = append.stream
        self._log += append.records
        self._streams.setdefault(stream, []).extend(append.records)
        written = self._entries.setdefault(stream, [])
        written += sorted(append.entries, key=lambda entry: entry.version)
        for answer in append.answers:
            self._answers[answer.actor, answer.key] = answer
        for row in append.rounds:
            self._rounds.setdefault(stream, {})[row.number] = row
        for shoe in append.shoes:
            self._shoes[stream, shoe.number] = shoe.sealed

    def heads(self) -> dict[str, Head]:
        with self._lock:
            return dict(self._heads)

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
        with self._lock:
            after = max(after, 0)
            return self._streams.get(stream, [])[after : None if limit is None else after + limit]

    def read_round(self, stream: str, number: int) -> list[Record]:
        with self._lock:
            return [record for record in self._streams.get(stream, ()) if record.round == number]

    def entries(self, stream: str) -> list[Entry]:
        with self._lock:
            return list(self._entries.get(stream, ()))

    def answered(self, actor: str, key: str) -> Answered | None:
        with self._lock:
            return self._answers.get((actor, key))

    def rounds(self, stream: str, *, before: int | None = None, limit: int = 100) -> list[RoundRow]:
        with self._lock:
            found = sorted(self._rounds.get(stream, {}).items(), reverse=True)
            return [row for number, row in found if before is None or number < before][:limit]

    def round(self, stream: str, number: int) -> RoundRow | None:
        with self._lock:
            return self._rounds.get(stream, {}).get(number)

    def rounds_of(
        self, player: str, *, before: tuple[int, str, int] | None = None, limit: int = 100
    ) -> list[tuple[str, RoundRow]]:
        with self._lock:
            own = [
                ((row.at, stream, row.number), row)
                for stream, rows in self._rounds.items()
                for row in rows.values()
                if player in row.players
            ]
        own.sort(key=lambda placed: placed[0], reverse=True)
        return [(place[1], row) for place, row in own if before is None or place < before][:limit]

    def shoe(self, stream: str, number: int) -> bytes | None:
        with self._lock:
            return self._shoes.get((stream, number))

    def significant(self, *, before: int | None = None, limit: int = 100) -> list[tuple[int, Record]]:
        with self._lock:
            flagged = [(place, record) for place, record in enumerate(self._log, start=1) if record.flag]
        return [placed for placed in reversed(flagged) if before is None or placed[0] < before][:limit]

    def account(self, name: str) -> Account | None:
        with self._lock:
            return self._accounts.get(fold(name))

    def accounts(self) -> list[Account]:
        with self._lock:
            return [account for _, account in sorted(self._accounts.items())]

    def add_account(self, account: Account) -> bool:
        with self._lock:
            if fold(account.name) in self._accounts:
                return False
            self._accounts[fold(account.name)] = account
            return True

    def change_account(self, account: Account) -> None:
        with self._lock:
            if fold(account.name) not in self._accounts:
                raise KeyError(account.name)
            self._accounts[fold(account.name)] = account

    def session(self, token_hash: bytes) -> Session | None:
        with self._lock:
            return self._sessions.get(token_hash)

    def put_session(self, session: Session) -> None:
        with self._lock:
            self._sessions[session.token_hash] = session

    def touch_session(self, token_hash: bytes, seen: int) -> bool:
        with self._lock:
            old = self._sessions.get(token_hash)
            if old is None:
                return False
            self._sessions[token_hash] = Session(
                token_hash=token_hash, account=old.account, created=old.created, seen=seen
            )
            return True

    def drop_session(self, token_hash: bytes) -> None:
        with self._lock:
            self._sessions.pop(token_hash, None)

    def drop_sessions(self, *, account: str | None = None, seen_before: int | None = None) -> None:
        with self._lock:
            self._sessions = {
                key: session
                for key, session in self._sessions.items()
                if not (account is not None and fold(session.account) == fold(account))
                and not (seen_before is not None and session.seen < seen_before)
            }

    def listen(self, callback: Callable[[str, str], None]) -> Callable[[], None]:  # noqa: ARG002 - nobody else writes
        return lambda: None

    def lead(self, stream: str) -> bool:  # noqa: ARG002 - there is nobody else
        return True

    def resign(self, stream: str) -> None: ...

    def close(self) -> None: ...
