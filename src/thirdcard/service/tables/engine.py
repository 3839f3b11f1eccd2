"""Every table's decisions, made one after the other and written together.

Requests gather while the last commit is on its way to the disk, and a moment longer where many ask; then
all of them are decided, each on what the ones before it left, and written in one transaction. Nothing changes
in memory, and nobody is answered, before that is durable. If it fails, what was decided never happened.
"""

import asyncio
import contextlib
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

import msgspec
from prometheus_client import Histogram

from thirdcard.errors import BadInput
from thirdcard.service.clock import Clock
from thirdcard.service.log.anchor import Anchor
from thirdcard.service.log.codec import asked_by, tag
from thirdcard.service.log.floor_events import SYSTEM, Logged, Noted
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import (
    JOURNAL,
    Answered,
    Append,
    Conflict,
    Done,
    Fenced,
    Head,
    IndexRow,
    Overtaken,
    QuarterSum,
    Result,
    RoundMark,
    Seen,
    StoreDown,
    StoreFull,
    Wallet,
)
from thirdcard.service.tables import checkpoint
from thirdcard.service.tables.checkpoint import checked, recovered
from thirdcard.service.tables.draft import (
    Decided,
    Draft,
    HouseRefusal,
    Plan,
    RefusedAt,
    TableChange,
    ToldHouseRefusal,
    index_rows,
    logging_only,
)
from thirdcard.service.tables.live import Live, steps
from thirdcard.service.tables.marks import marks_of
from thirdcard.service.tables.outage import Outage
from thirdcard.service.tables.quarters import added_up, quarters_of
from thirdcard.service.tables.rulebook_texts import remember_all, remember_named
from thirdcard.service.tables.wallets import Grants, Purses, WalletBusy, WalletUnread
from thirdcard.service.turns import Workers
from thirdcard.strict import decodable
from thirdcard.table.refusals import Refusal
from thirdcard.words.saying import say

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("thirdcard")
MOST_AT_ONCE = 400  # requests in one commit
CROWD = 4  # requests in one commit from which on more are let come in before the next
GATHERING = 0.004  # seconds for that: a commit costs about as much for many as for few
REMEMBERED = 20_000  # answers, and wallets, kept in memory; older ones are read from the store
KEPT, REFUSED_KEPT = 7 * 86_400 * 1_000_000, 900 * 1_000_000  # microseconds that answers are kept
PATIENCE = 12.0  # seconds that requests wait for a store that is down
PAUSE = 0.2  # seconds between two looks at such a store
STOP_SECONDS = 10.0  # that a thread which does not come back is waited for at the end
LATENCIES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 12.0)  # seconds
NO_OTHERS = Grants()
STOPPING = say("stopping")


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the asker is told. `version` is that of the table's log after it."""

    version: int
    events: tuple[str, ...] = ()
    refusal: ToldHouseRefusal | None = None
    index: int | None = None  # of several commands, the one that was refused


class KeyReused(Exception):  # noqa: N818
    """The idempotency key belongs to another request."""


class Unavailable(Exception):  # noqa: N818
    """Nothing was written, or whether it was is unknown: ask again with the same key."""


class NotLeading(Exception):  # noqa: N818
    """Another process deals at the table by now: nothing was written."""


class Request(msgspec.Struct, kw_only=True):
    """With a `term`, it is written only as long as this process leads the table in that term."""

    stream: str
    actor: str
    key: str
    digest: bytes
    plan: Plan
    answer: asyncio.Future[Answer]
    since: float
    term: int = 0


Written = Result | ValueError | OverflowError | StoreDown | StoreFull
Watcher = Callable[[TableChange], None]


class _Draft(Draft):
    """A draft with the requests that it answers."""

    def __init__(self, live: Live) -> None:
        super().__init__(live)
        self.requests: list[tuple[Request, Answer]] = []
        self.term = 0

    def append(self, at: int) -> Append:
        made = super().append(at)
        return msgspec.structs.replace(made, term=self.term) if self.term else made


def digest(stream: str, body: bytes) -> bytes:
    return hashlib.sha256(stream.encode() + b"\0" + body).digest()


def _times(name: str, told: str) -> Histogram:
    return Histogram(f"thirdcard_{name}_seconds", told, registry=None, buckets=LATENCIES)


class Engine:
    """All tables of this process. `tables` holds each as its log ends; only `_run` changes it."""

    def __init__(
        self, store: Store, clock: Clock, anchor: Anchor | None = None, grants: Grants = NO_OTHERS
    ) -> None:
        self.store, self.clock, self.anchor, self.grants = store, clock, anchor, grants
        self.tables: dict[str, Live] = {}
        self.watchers: list[Watcher] = []
        self.outage = Outage(clock, store.place)
        self.commits = self.decided = 0
        self.command_seconds = _times("command", "From asking to the answer, once it is durable")
        self.commit_seconds = _times("commit", "One commit of all that waited, with its anchor")
        self.hung = False  # a thread did not come back when it was to stop
        self._inbox: list[Request] = []
        self._in_hand: list[Request] = []
        self._stopped = False
        self._behind: dict[str, int] = {}  # streams that others have added to, and up to where
        self._lost = False
        self._folded_whole: list[str] = []
        self._unwritable = ""
        self._wake = asyncio.Event()
        self._told: OrderedDict[tuple[str, str], Answered] = OrderedDict()
        self._wallets: OrderedDict[str, Wallet] = OrderedDict()  # as they were when last read or written here
        self._purses = Purses({})
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._readers = Workers("reader")
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def healthy(self) -> bool:
        return self.outage.kind is None

    @property
    def oldest(self) -> float:
        """For how many seconds the oldest of the requests has not been answered."""
        waiting = [request.since for request in (*self._in_hand, *self._inbox) if not request.answer.done()]
        return asyncio.get_running_loop().time() - min(waiting) if waiting else 0.0

    # Life ---------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Recover every stream, then serve."""
        await self.reading(remember_all, self.store)
        for stream, head in (await self.reading(self.store.heads)).items():
            self.tables[stream] = await self.reading(self._recovered, stream, head)
        await self.writing(self._keep_checkpoints)
        self.tables.setdefault(JOURNAL, Live(id=JOURNAL))
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._run(), name="engine")

    async def stop(self) -> None:
        """Finish what is being written; what waits is told to ask again. What hangs is left behind."""
        self._stopped = True
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self._fail([*self._in_hand, *self._inbox], Unavailable(STOPPING))
        ends = (asyncio.to_thread(one.shutdown) for one in (self._writer, self._readers))
        _, hanging = await asyncio.wait([*map(asyncio.ensure_future, ends)], timeout=STOP_SECONDS)
        self.hung = bool(hanging)
        if self.hung:
            log.error("the store does not answer, so it is left as it is; what was acknowledged is in it")
        else:
            self.store.close()

    async def reading(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """A read of the store, away from the event loop; nobody's reads hold up those of the house."""
        return await self._readers.do(lambda: read(*args, **kwargs))

    async def writing(self, write: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """A write that belongs to no stream, in turn with the commits."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, self._noting, lambda: write(*args, **kwargs))

    def turn(self, work: Callable[[], T], /) -> T:
        """A piece of work in turn with the commits, for threads other than the event loop's."""
        return self._writer.submit(self._noting, work).result()

    async def together(self, work: Callable[[], T]) -> T:
        """A write that belongs to no stream, with what `note` tells the journal of it: in one commit."""

        def whole() -> T:
            with self.store.together():
                return work()

        return await self.writing(whole)

    def note(self, kind: str, facts: dict[str, str | int]) -> None:
        """Tell the journal; in the writer's thread, as a part of what it is writing."""
        decided, now = logging_only(Noted(kind=kind, facts=facts)), self.clock.wall()
        live = self._known(JOURNAL)
        while True:
            draft = Draft(live)
            draft.add(decided, by=SYSTEM, at=now)
            append = draft.append(now)
            (result,) = self.store.commit([append])
            if isinstance(result, Done):
                break
            live = self._read_on(live)[-1][1]
        last = append.records[-1]
        self.store.afterwards(lambda: self._noted(Head(last.version, last.hash)))

    def _noted(self, head: Head) -> None:
        if self.anchor is not None:
            self.anchor.write({JOURNAL: head})
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.heard, JOURNAL, head.version)

    def _noting(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except StoreFull as error:
            self.outage.begins("full", error)
            raise
        except StoreDown as error:
            self.outage.begins("not-written", error)
            raise

    # Asking -------------------------------------------------------------------------------------------------

    async def ask(  # noqa: PLR0913 - what is asked, by whom, and under which conditions
        self, stream: str, plan: Plan, *, actor: str, key: str = "", asked: bytes = b"", term: int = 0
    ) -> Answer:
        """Decide and write. With a key, a request has one effect and one answer however often it is made."""
        if self._stopped:
            raise Unavailable(STOPPING)
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._inbox.append(
            Request(
                stream=stream,
                actor=actor,
                key=key,
                digest=digest(stream, asked),
                plan=plan,
                answer=answer,
                since=loop.time(),
                term=term,
            )
        )
        self._wake.set()
        return await answer

    def heard(self, stream: str, version: int) -> None:
        """Another process has added to a stream; taken in between two commits."""
        self._behind[stream] = max(version, self._behind.get(stream, 0))
        self._wake.set()

    def lost(self) -> None:
        """Others may have added anything to any stream."""
        self._lost = True
        self._wake.set()

    # Writing ------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._take_in()
                self._in_hand, self._inbox = self._inbox[:MOST_AT_ONCE], self._inbox[MOST_AT_ONCE:]
                if self._inbox:
                    self._wake.set()
                await self._serve(self._in_hand)
                if len(self._in_hand) >= CROWD:
                    await asyncio.sleep(GATHERING)
            except StoreFull as error:
                self.outage.begins("full", error)
                self._fail(self._in_hand, Unavailable(say("disk-full")))
            except StoreDown as error:
                self.outage.begins("not-written", error)
                await self._wait_for_store(self._in_hand)
            except Exception:
                log.exception("the engine stumbled")
                self._fail(self._in_hand, Unavailable(say("fault-ask-again")))

    async def _take_in(self) -> None:
        """Read what others have written; a store that is down is looked at again in a moment."""
        try:
            if self._lost:
                self._lost = False
                for stream, head in (await self.reading(self.store.heads)).items():
                    self._behind[stream] = max(head.version, self._behind.get(stream, 0))
                self.outage.ends("not-read")
            while self._behind:
                stream, version = self._behind.popitem()
                known = self.tables.get(stream)
                if known is None or known.version < version:
                    await self.catch_up(stream)
        except StoreDown as error:
            self.outage.begins("not-read", error)
            self._lost = True
            asyncio.get_running_loop().call_later(PAUSE, self._wake.set)
        except Exception:
            log.exception("what others have written cannot be read")

    async def _serve(self, requests: list[Request]) -> None:
        drafts: dict[str, _Draft] = {}
        self._purses, later = Purses(self._wallets), list[Request]()
        waiting = set[str]()  # streams of which a request has to wait: those after it do too
        for request in requests:
            if request.stream in waiting:
                later.append(request)
            elif not request.answer.done() and not await self._decided(request, drafts):
                later.append(request)
                waiting.add(request.stream)
        wanted = [draft for draft in drafts.values() if not draft.is_empty]
        for draft in wanted:
            draft.wallets = self._purses.moves(draft.live.id)
        appends = [draft.append(self.clock.wall()) for draft in wanted]
        outcomes = await self._written(appends) if appends else []
        for draft in drafts.values():
            if draft.is_empty:
                self._reply(draft)
        await self._conclude(list(zip(wanted, outcomes, strict=True)))
        if later:
            self._inbox[:0] = later
            self._wake.set()

    async def _decided(self, request: Request, drafts: dict[str, _Draft]) -> bool:
        """Decide, with the wallets that it takes; False if it has to wait for the next commit."""
        while True:
            try:
                self._decide(request, drafts)
            except WalletBusy:
                return False
            except WalletUnread as unread:
                if not await self._read_wallet(unread.name):
                    self._open_wallet(unread.name, drafts)
                    return False
            else:
                return True

    async def _read_wallet(self, name: str) -> bool:
        """Whether there is one."""
        wallet = await self.reading(self.store.wallet, name)
        if wallet is not None:
            self._know(wallet)
        return wallet is not None

    def _open_wallet(self, name: str, drafts: dict[str, _Draft]) -> None:
        """The first grant, in the journal: whoever waits for it is decided on after that."""
        now = self.clock.wall()
        decided = self._purses.open(name, self.grants, now)
        if decided is not None:
            draft = drafts.setdefault(JOURNAL, _Draft(self.tables[JOURNAL]))
            draft.add(decided, by=SYSTEM, at=now)

    def _known(self, stream: str) -> Live:
        """The table as it is known here; one that begins, if it is not."""
        return self.tables.get(stream) or Live(id=stream)

    def purse(self, stream: str, name: str) -> Wallet:
        """A wallet as it is for a plan of that stream that is being decided."""
        return self._purses.of(stream, name)

    def _know(self, wallet: Wallet) -> None:
        self._wallets[wallet.name] = wallet
        if len(self._wallets) > REMEMBERED:
            self._wallets.popitem(last=False)

    async def _written(self, appends: list[Append]) -> list[Written]:
        """In one commit. If one of them cannot be written, each in its own, so that it fails alone."""
        loop = asyncio.get_running_loop()
        try:
            with self.commit_seconds.time():
                results = await asyncio.shield(loop.run_in_executor(self._writer, self._commit, appends))
        except (ValueError, OverflowError) as error:
            if len(appends) == 1:
                return [error]
        else:
            self.outage.ends()
            self.commits += 1
            return [*results]
        outcomes: list[Written] = []
        for append in appends:
            try:
                outcomes += await self._written([append])
            except (StoreDown, StoreFull) as error:  # what was written before is to be told all the same
                outcomes.append(error)
        return outcomes

    async def _conclude(self, written: list[tuple[_Draft, Written]]) -> None:
        """Tell what is durable; then decide again what others have overtaken: reading that may fail."""
        for draft, outcome in written:
            if isinstance(outcome, Done):
                self._publish(draft)
                self._reply(draft)
        again: list[Request] = []
        for draft, outcome in written:
            if isinstance(outcome, Conflict | Seen | Fenced | Overtaken):
                again += await self._overtaken(draft, outcome)
            elif isinstance(outcome, ValueError | OverflowError):
                await self._one_by_one(draft, outcome)
        if again:
            self._inbox[:0] = again
            self._wake.set()
        for _, outcome in written:
            if isinstance(outcome, StoreDown | StoreFull):
                raise outcome

    async def _one_by_one(self, draft: _Draft, error: Exception) -> None:
        """What cannot be written is told to whoever asked for it, and to nobody else at the table."""
        requests = [request for request, _ in draft.requests]
        if len(requests) > 1:
            for request in requests:
                await self._serve([request])
            return
        told = f"what is asked at {draft.live.id} cannot be written: {error}"
        if told != self._unwritable:  # not again for whoever tries and tries
            self._unwritable = told
            log.error(told)
        self._fail(requests, BadInput(say("cannot-be-written")))

    def _commit(self, appends: list[Append]) -> list[Result]:
        """In the writer's thread: commit, then anchor what is durable."""
        results = self.store.commit(appends)
        if self.anchor is not None:
            heads = {
                append.stream: Head(append.records[-1].version, append.records[-1].hash)
                for append, result in zip(appends, results, strict=True)
                if isinstance(result, Done) and append.records
            }
            if heads:
                self.anchor.write(heads)
        return results

    def _decide(self, request: Request, drafts: dict[str, _Draft]) -> None:
        told = self._told.get((request.actor, request.key)) if request.key else None
        if told is not None:
            self._repeat(request, told)
            return
        draft = drafts.get(request.stream)
        if draft is None:
            draft = drafts[request.stream] = _Draft(self._known(request.stream))
        earlier = next((a for a in draft.answers if a.key == request.key and a.actor == request.actor), None)
        if earlier is not None and earlier.digest != request.digest:
            request.answer.set_exception(KeyReused())
            return
        if earlier is not None:
            draft.requests.append((request, msgspec.json.decode(earlier.answer, type=decodable(Answer))))
            return
        now = self.clock.wall()
        try:
            answer = self._draw_up(request, draft, request.plan(draft.live), now)
        except (WalletUnread, WalletBusy):
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one request is its own affair
            request.answer.set_exception(error)
            return
        draft.requests.append((request, answer))
        draft.term = draft.term or request.term
        if request.key:
            encoded = msgspec.json.encode(answer)
            draft.answers.append(
                Answered(
                    actor=request.actor,
                    key=request.key,
                    digest=request.digest,
                    answer=encoded,
                    until=now + (KEPT if answer.refusal is None else REFUSED_KEPT),
                )
            )

    def _draw_up(self, request: Request, draft: _Draft, decided: Decided | Refusal, now: int) -> Answer:
        if isinstance(decided, Refusal):
            index = decided.index if isinstance(decided, RefusedAt) else None
            return Answer(version=draft.live.version, refusal=ToldHouseRefusal.of(decided), index=index)
        if not decided.events:
            return Answer(version=draft.live.version)
        stream = draft.live.id
        moved = self._purses.after(stream, (event for event, _ in decided.events), request.actor)
        if isinstance(moved, HouseRefusal):
            return Answer(version=draft.live.version, refusal=ToldHouseRefusal.of(moved))
        asked = asked_by(request.actor, request.key, request.digest) if request.key else b""
        change = draft.add(decided, by=request.actor, at=now, asked=asked)
        self._purses.keep(stream, moved)
        return Answer(version=draft.live.version, events=tuple(tag(event) for event in change.events))

    async def _overtaken(self, draft: _Draft, result: Conflict | Seen | Fenced | Overtaken) -> list[Request]:
        """Others were first: learn what they did, and give back the requests to be decided again."""
        for moved in draft.wallets:  # they may be otherwise too
            self._wallets.pop(moved.after.name, None)
        if isinstance(result, Conflict | Fenced):
            await self.catch_up(draft.live.id)
        elif isinstance(result, Overtaken):
            pass
        else:
            for answered in result.answers:
                self._remember(answered)
        requests = [request for request, _ in draft.requests]
        if isinstance(result, Fenced):
            self._fail([request for request in requests if request.term], NotLeading())
        return requests

    def _publish(self, draft: _Draft) -> None:
        if draft.changes:
            self.tables[draft.live.id] = draft.live
        self.decided += len(draft.changes)
        for moved in draft.wallets:
            self._know(moved.after)
        for answered in draft.answers:
            self._remember(answered)
        for change in draft.changes:
            self._tell(change)

    def _tell(self, change: TableChange) -> None:
        for watcher in self.watchers:
            try:
                watcher(change)
            except Exception:
                log.exception("a watcher of %s failed", change.after.id)

    def _reply(self, draft: _Draft) -> None:
        now = asyncio.get_running_loop().time()
        for request, answer in draft.requests:
            if not request.answer.done():
                request.answer.set_result(answer)
                self.command_seconds.observe(now - request.since)

    @staticmethod
    def _repeat(request: Request, told: Answered) -> None:
        if told.digest != request.digest:
            request.answer.set_exception(KeyReused())
        else:
            request.answer.set_result(msgspec.json.decode(told.answer, type=decodable(Answer)))

    def _remember(self, answered: Answered) -> None:
        self._told[answered.actor, answered.key] = answered
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)

    @staticmethod
    def _fail(requests: Iterable[Request], error: Exception) -> None:
        for request in requests:
            if not request.answer.done():
                request.answer.set_exception(error)

    # Trouble ------------------------------------------------------------------------------------------------

    async def _wait_for_store(self, requests: list[Request]) -> None:
        """Whether the commit was made is unknown: read what is there, then decide again.

        Whoever asked with a key gets the answer that was stored, if it was.
        """
        loop = asyncio.get_running_loop()
        while True:
            late = [request for request in requests if loop.time() >= request.since + PATIENCE]
            self._fail(late, Unavailable(say("store-unreachable-same-key")))
            waiting = [request for request in requests if not request.answer.done()]
            if not waiting:
                break
            await asyncio.sleep(PAUSE)
            try:
                for stream in dict.fromkeys(request.stream for request in waiting):
                    await self.catch_up(stream)
            except StoreDown:
                continue
            except Exception:
                log.exception("what was written cannot be read again")
                self._fail(waiting, Unavailable(say("fault-ask-again")))
                break
            self._inbox[:0] = waiting
            self._wake.set()
            return
        self.lost()  # and look until it is back

    async def catch_up(self, stream: str) -> None:
        """Take in what others have added to a stream; called between commits only."""
        known = self._known(stream)
        steps = await self.reading(self._read_on, known)
        if steps:
            change = TableChange(before=known, steps=steps)
            self.tables[stream] = change.after
            self._tell(change)

    def _recovered(self, stream: str, head: Head) -> Live:
        """The table where its log ends: from the last checkpoint on, or else from the first record."""
        return recovered(self.store, stream, head) or self._recovered_whole(stream, head)

    def _keep_checkpoints(self) -> None:
        """Logs that were folded from their beginning, since another release wrote them, are so but once."""
        drafts = []
        for stream in self._folded_whole:
            draft = Draft(self.tables[stream])
            draft.keep(self.clock.wall())
            drafts.append(draft)
        results = self._commit([draft.append(self.clock.wall()) for draft in drafts]) if drafts else []
        for draft, result in zip(drafts, results, strict=True):
            if isinstance(result, Done):  # else another process was first
                self.tables[draft.live.id] = draft.live
        self._folded_whole.clear()

    def _recovered_whole(self, stream: str, head: Head) -> Live:
        """From the first record on; an earlier release may have left its log without an index."""
        live, rows, marks = Live(id=stream), list[IndexRow](), dict[RoundMark, None]()
        quarters = list[QuarterSum]()
        upto = head.version if self.store.shared else None  # others go on writing there
        records = self.store.read(stream, limit=upto)
        for stored, (event, after) in zip(records, checked(self.store, live, records, head), strict=True):
            rows += index_rows(after, event)
            marks |= dict.fromkeys(marks_of(live, after, event, stored))
            quarters += quarters_of(live, after, event, stored)
            live = after
        self.store.index(stream, rows, tuple(marks), added_up(quarters))
        if live.version >= checkpoint.EVERY:
            self._folded_whole.append(stream)
        return live

    def _read_on(self, live: Live) -> tuple[tuple[Logged, Live], ...]:
        records = self.store.read(live.id, after=live.version)
        remember_named(self.store, records)
        return tuple(steps(live, records))
