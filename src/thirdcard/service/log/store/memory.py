"""A store in plain dictionaries: all that the others promise, but for surviving the process."""

import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.log.store.model import (
    MANY,
    Account,
    Answered,
    Append,
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
    Result,
    ReviewRow,
    RoundMark,
    RoundPlayed,
    RoundRow,
    RoundsFound,
    RulebookText,
    Session,
    Snapshot,
    Sought,
    Source,
    Wallet,
)
from thirdcard.service.log.store.results import PlayerResult, Tallies, listed, results_of, time_of
from thirdcard.service.log.store.rows import fold, judge


class MemoryStore:
    """It can be audited as it is: between two commits nothing moves."""

    shared = False
    place = "memory"

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._heads: dict[str, Head] = {}
        self._log: list[Record] = []  # its place here is an event's place in the sequence
        self._streams: dict[str, list[Record]] = {}
        self._entries: dict[str, list[PostingRow]] = {}
        self._answers: dict[tuple[str, str], Answered] = {}
        self._rounds: dict[str, dict[int, RoundRow]] = {}
        self._shoes: dict[tuple[str, int], bytes] = {}
        self._accounts: dict[str, Account] = {}
        self._sessions: dict[bytes, Session] = {}
        self._index: dict[str, dict[tuple[str, int], IndexRow]] = {}
        self._marks: dict[str, set[RoundMark]] = {}
        self._quarters: dict[str, Counter[tuple[int, str]]] = {}
        self._checkpoints: dict[str, list[Checkpoint]] = {}
        self._texts: dict[str, RulebookText] = {}
        self._personal: dict[tuple[str, str], bytes] = {}
        self._wallets: dict[str, Wallet] = {}
        self._names: dict[str, KnownAs] = {}
        self._learning: dict[tuple[str, str], KeptDocument] = {}
        self._reviews: dict[str, dict[int, ReviewRow]] = {}
        self._exams: dict[tuple[str, str], KeptDocument] = {}

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        with self._lock:
            versions = {name: wallet.version for name, wallet in self._wallets.items()}
            judged = judge(appends, self._heads, self._answers.get, versions)
            shoes = [(append.stream, shoe.number) for append in judged.good for shoe in append.shoes]
            if len(set(shoes)) < len(shoes) or not self._shoes.keys().isdisjoint(shoes):
                raise ValueError("a shoe is sealed once")
            for append in judged.good:
                self._write(append)
            self._heads.update(judged.heads)
            self._wallets.update(judged.wallets)
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
        self.index(stream, append.index, append.marks)
        for one in append.quarters:
            self._quarters.setdefault(stream, Counter())[one.at, one.name] += one.value
        if append.checkpoint is not None:
            self._checkpoints.setdefault(stream, []).append(append.checkpoint)
        for text in append.texts:
            self._texts.setdefault(text.digest, text)

    def heads(self) -> dict[str, Head]:
        with self._lock:
            return dict(self._heads)

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
        with self._lock:
            after = max(after, 0)
            return self._streams.get(stream, [])[after : None if limit is None else after + limit]

    def entries(self, stream: str, *, after: int = 0) -> list[PostingRow]:
        with self._lock:
            return [entry for entry in self._entries.get(stream, ()) if entry.version > after]

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

    def wallet(self, name: str) -> Wallet | None:
        with self._lock:
            return self._wallets.get(name)

    def _results_of(self, player: str) -> list[tuple[str, RoundRow, PlayerResult]]:
        """In order of time."""
        own = [
            (stream, row, one)
            for stream, rows in self._rounds.items()
            for row in rows.values()
            for one in results_of(row)
            if one.player == player
        ]
        return sorted(own, key=lambda found: (found[1].at, found[0], found[1].number))

    def played(
        self, player: str, which: Listed, *, before: tuple[int, str, int] | None = None, limit: int = 100
    ) -> list[RoundPlayed]:
        with self._lock:
            return [
                RoundPlayed(stream=stream, row=row, net=one.net, staked=one.staked)
                for stream, row, one in reversed(self._results_of(player))
                if which in one.lists and (before is None or (row.at, stream, row.number) < before)
            ][:limit]

    def best(self, player: str, *, limit: int) -> list[RoundPlayed]:
        won = self.played(player, "won", limit=MANY)
        return sorted(won, key=lambda one: (-one.net, one.row.at))[:limit]

    def _sums(self, player: str) -> list[tuple[str, int, str, str, int, int, int, int]]:
        tallies, last = Tallies(), 0
        with self._lock:
            for _, row, one in self._results_of(player):
                tallies.add(one, time_of(row.at, last))
                last = row.at
        return tallies.rows()

    def by_day(self, player: str, *, since: int = 0) -> list[DayTally]:
        return [
            DayTally(day=day, rounds=rounds, staked=staked, net=net, time=time)
            for _, day, _, bet, rounds, staked, net, time in self._sums(player)
            if not bet and day >= since
        ]

    def by_bet(self, player: str, *, since: int = 0) -> list[BetTally]:
        sums = dict[tuple[str, str], tuple[int, int]]()
        for _, day, digest, bet, _, staked, net, _ in self._sums(player):
            if bet and day >= since:
                before = sums.get((digest, bet), (0, 0))
                sums[digest, bet] = before[0] + staked, before[1] + net
        return [
            BetTally(digest=digest, bet=bet, staked=staked, net=net)
            for (digest, bet), (staked, net) in sorted(sums.items())
        ]

    def shoe(self, stream: str, number: int) -> bytes | None:
        with self._lock:
            return self._shoes.get((stream, number))

    def lookup(
        self, stream: str, keys: Sequence[str], *, before: int = MANY, limit: int = 100
    ) -> list[tuple[IndexRow, Record]]:
        with self._lock:
            rows = self._index.get(stream, {}).values()
            found = [row for row in rows if row.key in keys and row.version < before]
            found.sort(key=lambda row: row.version, reverse=True)
            return [(row, self._streams[stream][row.version - 1]) for row in found[:limit]]

    def index(
        self,
        stream: str,
        rows: Sequence[IndexRow],
        marks: Sequence[RoundMark],
        quarters: Sequence[QuarterSum] = (),
    ) -> None:
        with self._lock:
            there = self._index.setdefault(stream, {})
            for row in rows:
                there.setdefault((row.key, row.version), row)
            self._marks.setdefault(stream, set()).update(marks)
            if quarters and stream not in self._quarters:
                self._quarters[stream] = Counter({(one.at, one.name): one.value for one in quarters})

    def _summed(
        self, since: int, until: int, streams: Collection[str] | None
    ) -> Iterator[tuple[int, str, str, int]]:
        with self._lock:
            for stream, sums in self._quarters.items():
                for (at, name), value in sums.items():
                    if since <= at < until and (streams is None or stream in streams):
                        yield at, stream, name, value

    def sums(
        self, since: int, until: int, streams: Collection[str] | None = None
    ) -> list[tuple[str, str, int]]:
        found = Counter[tuple[str, str]]()
        for _, stream, name, value in self._summed(since, until, streams):
            found[stream, name] += value
        return sorted((stream, name, value) for (stream, name), value in found.items())

    def course(
        self, since: int, until: int, streams: Collection[str] | None = None
    ) -> list[tuple[int, str, int]]:
        found = Counter[tuple[int, str]]()
        for at, _, name, value in self._summed(since, until, streams):
            found[at, name] += value
        return sorted((at, name, value) for (at, name), value in found.items())

    def find(self, sought: Sought, *, limit: int, most: int) -> RoundsFound:
        with self._lock:
            marked = [
                (one.mark, (one.at, stream, one.number))
                for stream, marks in self._marks.items()
                if sought.stream in (None, stream)
                for one in marks
            ]
        places = [{place for text, place in marked if text == wanted} for wanted in sought.marks]
        before, rarest = sought.before or (MANY, "", 0), places[0]
        for every in places:
            rarest = every if len(every) < len(rarest) else rarest
        first = [
            place
            for place in sorted(rarest, reverse=True)
            if sought.since <= place[0] < sought.until and place < before
        ]
        found = [place for place in first[:most] if all(place in every for every in places)]
        if len(found) > limit:
            return RoundsFound(places=found[:limit], reached=found[limit - 1])
        return RoundsFound(places=found, reached=first[most - 1] if len(first) > most else None)

    def checkpoint(self, stream: str, *, at_most: int = MANY) -> Checkpoint | None:
        with self._lock:
            kept = reversed(self._checkpoints.get(stream, ()))
            return next((one for one in kept if one.version <= at_most), None)

    def text(self, digest: str) -> bytes | None:
        with self._lock:
            kept = self._texts.get(digest)
            return kept.text if kept else None

    def texts(self) -> list[RulebookText]:
        with self._lock:
            return [kept for _, kept in sorted(self._texts.items())]

    def significant(self, *, before: int | None = None, limit: int = 100) -> list[tuple[int, Record]]:
        with self._lock:
            flagged = [(place, record) for place, record in enumerate(self._log, start=1) if record.flag]
        return [placed for placed in reversed(flagged) if before is None or placed[0] < before][:limit]

    def account(self, name: str) -> Account | None:
        with self._lock:
            return self._accounts.get(fold(name))

    def accounts(self, roles: Collection[str] = ()) -> list[Account]:
        with self._lock:
            found = [account for _, account in sorted(self._accounts.items())]
        return [account for account in found if not roles or account.role in roles]

    def accounts_of(self, names: Collection[str]) -> list[Account]:
        found = (self.account(key) for key in sorted({fold(name) for name in names}))
        return [account for account in found if account is not None]

    def add_account(self, account: Account) -> bool:
        with self._lock:
            if fold(account.name) in self._accounts or fold(account.name) in self._names:
                return False
            self._accounts[fold(account.name)] = account
            return True

    def change_account(self, account: Account) -> None:
        with self._lock:
            if fold(account.name) not in self._accounts:
                raise KeyError(account.name)
            self._accounts[fold(account.name)] = account

    def found_by(self, name: str, use: str) -> KnownAs | None:
        with self._lock:
            found = self._names.get(fold(name))
            return found if found is not None and found.use == use else None

    def name_of(self, account: str, use: str) -> KnownAs | None:
        with self._lock:
            own = (one for one in self._names.values() if (one.account, one.use) == (account, use))
            return next(own, None)

    def claim_name(self, wanted: KnownAs) -> bool:
        key = fold(wanted.name)
        with self._lock:
            held, account = self._names.get(key), self._accounts.get(key)
            whose = {held and held.account, account and account.name} - {None, wanted.account}
            if whose:
                return False
            self._names.pop(key, None)
            self.drop_name(wanted.account, wanted.use)
            self._names[key] = wanted
            return True

    def drop_name(self, account: str, use: str) -> None:
        with self._lock:
            for key, one in list(self._names.items()):
                if (one.account, one.use) == (account, use):
                    del self._names[key]

    def personal(self, name: str, kind: str) -> bytes | None:
        with self._lock:
            return self._personal.get((fold(name), kind))

    def personal_of(self, kind: str) -> list[tuple[str, bytes]]:
        with self._lock:
            return [(key, body) for (key, kept), body in sorted(self._personal.items()) if kept == kind]

    def put_personal(self, name: str, kind: str, body: bytes) -> None:
        with self._lock:
            self._personal[fold(name), kind] = body

    def drop_personal(self, name: str, kind: str) -> None:
        with self._lock:
            self._personal.pop((fold(name), kind), None)

    def learning(self, name: str, kind: str) -> KeptDocument | None:
        with self._lock:
            return self._learning.get((fold(name), kind))

    def all_learning(self, name: str, prefix: str = "") -> list[tuple[str, KeptDocument]]:
        with self._lock:
            kept = sorted(self._learning.items())
        return [(kind, one) for (key, kind), one in kept if key == fold(name) and kind.startswith(prefix)]

    def learning_of(self, names: Collection[str], kind: str) -> dict[str, KeptDocument]:
        found = {fold(name): self.learning(name, kind) for name in names}
        return {key: one for key, one in found.items() if one is not None}

    def latest_reviews(
        self, names: Collection[str], *, each: int, limit: int, holding: bytes = b""
    ) -> list[ReviewRow]:
        found = []
        for key in {fold(name) for name in names}:
            own = self.reviews(key, limit=each)
            found += [(own[0].number - row.number, key, row) for row in own if holding in row.body]
        return [row for *_, row in sorted(found, key=lambda one: one[:2])[:limit]]

    def learning_of_all(
        self, kind: str, *, after: str = "", limit: int = 100
    ) -> list[tuple[str, KeptDocument]]:
        with self._lock:
            kept = sorted(self._learning.items())
        return [(key, one) for (key, of), one in kept if of == kind and key > after][:limit]

    def reviews(self, name: str, *, before: int = MANY, limit: int = 100) -> list[ReviewRow]:
        with self._lock:
            own = sorted(self._reviews.get(fold(name), {}).items(), reverse=True)
        return [row for number, row in own if number < before][:limit]

    def keep_learning(self, writes: Sequence[LearningWrite], reviews: Sequence[ReviewRow] = ()) -> bool:
        with self._lock:
            places = [(fold(one.person), one.kind) for one in writes]
            found = [old.version if (old := self._learning.get(place)) else 0 for place in places]
            stale = found != [one.expected for one in writes]
            if stale or any(row.number in self._reviews.get(fold(row.person), {}) for row in reviews):
                return False
            for place, one in zip(places, writes, strict=True):
                self._learning[place] = KeptDocument(one.expected + 1, one.body)
            for row in reviews:
                key = fold(row.person)
                self._reviews.setdefault(key, {})[row.number] = msgspec.structs.replace(row, person=key)
            return True

    def forget_learning(self, name: str) -> None:
        with self._lock:
            self._reviews.pop(fold(name), None)
            for place in [place for place in self._learning if place[0] == fold(name)]:
                del self._learning[place]

    def drop_learning(self, name: str, kind: str) -> None:
        with self._lock:
            self._learning.pop((fold(name), kind), None)

    def exam(self, exam: str, name: str = "") -> KeptDocument | None:
        with self._lock:
            return self._exams.get((exam, fold(name)))

    def exams(self, name: str = "", *, after: str = "", limit: int = 100) -> list[tuple[str, KeptDocument]]:
        found = [(exam, one) for exam, key, one in self.all_exams() if key == fold(name) and exam > after]
        return found[:limit]

    def sittings(self, exam: str) -> list[tuple[str, KeptDocument]]:
        return [(key, one) for kept, key, one in self.all_exams() if kept == exam and key]

    def keep_exam(self, exam: str, name: str, *, expected: int, body: bytes) -> bool:
        with self._lock:
            old = self._exams.get((exam, fold(name)))
            if (old.version if old else 0) != expected:
                return False
            self._exams[exam, fold(name)] = KeptDocument(expected + 1, body)
            return True

    def all_exams(self) -> list[tuple[str, str, KeptDocument]]:
        with self._lock:
            return [(exam, key, one) for (exam, key), one in sorted(self._exams.items())]

    def forget_answers(self, *, before: int, limit: int) -> int:
        with self._lock:
            old = [key for key, answer in self._answers.items() if answer.until < before][:limit]
            for key in old:
                del self._answers[key]
            return len(old)

    def forget_guests(self, *, after: str, created_before: int, limit: int) -> str:
        with self._lock:
            some = [key for key in sorted(self._accounts) if key > after][:limit]
            busy = {fold(one.account) for one in self._sessions.values()} | {key for key, _ in self._personal}
            busy |= {fold(name) for name in self._wallets} | {
                fold(one.account) for one in self._names.values()
            }
            racks = {key for rows in self._index.values() for key, _ in rows}
            for key in some:
                account = self._accounts[key]
                idle = key not in busy and f"rack:{account.name}" not in racks
                if account.role == "guest" and account.created < created_before and idle:
                    del self._accounts[key]
            return some[-1] if some else ""

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

    def lead(self, streams: Collection[str]) -> dict[str, int]:
        return dict.fromkeys(streams, 0)

    def resign(self) -> None: ...

    def leave_note(self, note: bytes) -> bool:  # noqa: ARG002
        return False

    @contextlib.contextmanager
    def left_notes(self) -> Iterator[list[bytes]]:
        yield []

    def fill(self, source: Source) -> int:  # noqa: ARG002
        raise BadInput("what is in memory is gone with the process: restore into a file or a server")

    # What an audit reads

    def streams(self) -> set[str]:
        return {*self._heads, *self._rounds, *(stream for stream, _ in self._shoes)}

    def shoes(self, stream: str) -> set[int]:
        return {number for kept, number in self._shoes if kept == stream}

    def recalled(self, stream: str) -> set[tuple[int, str, int]]:
        rows = self._rounds.get(stream, {}).values()
        return {(row.number, player, row.at) for row in rows for player in row.players}

    def answers(self) -> Iterable[Answered]:
        return self._answers.values()

    def index_rows(self, stream: str) -> set[IndexRow]:
        return set(self._index.get(stream, {}).values())

    def marks(self, stream: str) -> set[RoundMark]:
        return set(self._marks.get(stream, ()))

    def quarters(self, stream: str) -> set[QuarterSum]:
        sums = self._quarters.get(stream, Counter())
        return {QuarterSum(at, name, value) for (at, name), value in sums.items() if value}

    def checkpoints(self, stream: str) -> set[int]:
        return {kept.version for kept in self._checkpoints.get(stream, ())}

    def keyed_accounts(self) -> Iterable[tuple[str, Account]]:
        return list(self._accounts.items())

    def keyed_sessions(self) -> Iterable[tuple[str, Session]]:
        return [(fold(one.account), one) for one in self._sessions.values()]

    def all_personal(self) -> list[tuple[str, str, bytes]]:
        return [(key, kind, body) for (key, kind), body in sorted(self._personal.items())]

    def keyed_names(self) -> list[tuple[str, KnownAs]]:
        return sorted(self._names.items())

    def wallets(self) -> list[Wallet]:
        return list(self._wallets.values())

    def results(self, stream: str) -> set[tuple[str, str, int, int, int, int]]:
        rows = self._rounds.get(stream, {}).values()
        made = [one for row in rows for one in listed(stream, results_of(row))]
        return {
            (player, which, at, number, net, staked) for player, which, at, _, number, net, staked in made
        }

    def tallies(self) -> list[tuple[str, int, str, str, int, int, int]]:
        tallies = Tallies()
        for rows in self._rounds.values():
            for one in (one for row in rows.values() for one in results_of(row)):
                tallies.add(one, 0)
        return [row[:-1] for row in tallies.rows()]

    def out_of_order(self) -> Iterable[tuple[str, int]]:
        return ()

    def damage(self) -> Iterable[str]:
        return ()

    def close(self) -> None: ...


def open_store(_where: str, /) -> MemoryStore:
    return MemoryStore()


open_beside, file_of = open_store, Path


def open_snapshot(where: str, /) -> Snapshot:
    raise BadInput(f"there is no database {where}")
