"""The database that outlives every process, and each process's way to it, which fails in all ways there are."""

import random
from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

import msgspec

from simulator.world import Process, World
from thirdcard.service.log.store import Store, open_store
from thirdcard.service.log.store.model import (
    LEASE_SECONDS,
    Account,
    Append,
    Fenced,
    Result,
    Session,
    StoreDown,
    StoreFull,
)

Callback = Callable[[str, str], None]


class Watch(Protocol):
    """Who is told of every commit."""

    def committed(self, process: Process, appends: Sequence[Append], results: Sequence[Result]) -> None: ...


class Lease(msgspec.Struct):
    holder: Process
    term: int
    until: float


class Disk:
    """What is committed is in its store, whatever becomes of who committed it."""

    def __init__(self, world: World, seed: str, watch: Watch, *, shared: bool) -> None:
        self.store: Store = open_store("memory:")
        self.world, self.watch = world, watch
        self.shared = shared
        self.random = random.Random(f"{seed}/disk")  # noqa: S311 - sample data
        self.lost = self.doubled = 0.0  # how likely a notification is
        self.links: list[Link] = []
        self.leases: dict[str, Lease] = {}

    def link(self, process: Process) -> "Link":
        self.links = [one for one in self.links if one.process.alive]
        made = Link(self, process)
        self.links.append(made)
        return made

    def leads(self, process: Process, stream: str) -> int:
        """The term of a process that leads a stream by now; 0 if another does."""
        now, held = self.world.now, self.leases.get(stream)
        if held is None or held.until <= now:
            self.leases[stream] = Lease(process, held.term + 1 if held else 1, now + LEASE_SECONDS)
        elif held.holder is process:
            held.until = now + LEASE_SECONDS
        else:
            return 0
        return self.leases[stream].term

    def fenced(self, process: Process, append: Append) -> bool:
        held = self.leases.get(append.stream)
        return bool(append.term) and (
            held is None
            or held.term != append.term
            or held.holder is not process
            or held.until <= self.world.now
        )

    def tell(self, topic: str, text: str) -> None:
        """Everybody who listens hears of it, soon, late, twice, or only that something was lost."""
        for link in self.links if self.shared else ():
            if link.callback is None or not link.process.alive:
                continue
            if self.random.random() < self.lost:
                link.hears("lost", "", self.random.uniform(0.2, 4.0))
                continue
            for _ in range(2 if self.random.random() < self.doubled else 1):
                late = self.random.random() < self.doubled
                link.hears(
                    topic, text, self.random.uniform(0.5, 5.0) if late else self.random.uniform(0.001, 0.02)
                )


class Link:
    """A process's store. `faults` befall the next commits: see `commit`. While `away`, nothing answers."""

    place = "simulated"

    def __init__(self, disk: Disk, process: Process) -> None:
        self.disk, self.process = disk, process
        self.shared = disk.shared
        self.away = False
        self.faults: list[str] = []
        self.callback: Callback | None = None

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        method = getattr(self.disk.store, name)

        def reached(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
            self._reach()
            return method(*args, **kwargs)

        return reached

    def _reach(self) -> None:
        if self.away or not self.process.alive:
            raise StoreDown("the store cannot be reached")

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        """`full` writes nothing and says so; `down` writes nothing, `unsure` all of it, and both break off."""
        self._reach()
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "full":
            raise StoreFull("no room")
        if fault == "down":
            raise StoreDown("broke off before the commit")
        results = self._commit(appends)
        if fault == "unsure":
            raise StoreDown("broke off after the commit")
        return results

    def _commit(self, appends: Sequence[Append]) -> list[Result]:
        disk = self.disk
        stopped = [disk.fenced(self.process, append) for append in appends]
        passed = [append for append, no in zip(appends, stopped, strict=True) if not no]
        made = iter(disk.store.commit(passed))
        results: list[Result] = [Fenced() if no else next(made) for no in stopped]
        disk.watch.committed(self.process, appends, results)
        for stream, head in disk.store.heads().items():
            if any(append.stream == stream and append.records for append in passed):
                disk.tell("stream", f"{stream} {head.version}")
        return results

    # Other processes

    def listen(self, callback: Callback) -> Callable[[], None]:
        self.callback = callback

        def unlisten() -> None:
            self.callback = None

        return unlisten

    def hears(self, topic: str, text: str, seconds: float) -> None:
        def hear() -> None:
            if self.callback is not None:
                self.callback(topic, text)

        self.disk.world.call_later(seconds, hear, context=self.process.context())

    def lead(self, streams: Collection[str]) -> dict[str, int]:
        self._reach()
        terms = {stream: self.disk.leads(self.process, stream) for stream in streams}
        return {stream: term for stream, term in terms.items() if term}

    def resign(self) -> None:
        for held in self.disk.leases.values():
            if held.holder is self.process:
                held.until = 0.0

    def put_session(self, session: Session) -> None:
        self._reach()
        self.disk.store.put_session(session)

    def drop_session(self, token_hash: bytes) -> None:
        self._reach()
        self.disk.store.drop_session(token_hash)
        self.disk.tell("session", token_hash.hex())

    def change_account(self, account: Account) -> None:
        self._reach()
        self.disk.store.change_account(account)
        self.disk.tell("account", account.name)

    def close(self) -> None:
        self.callback = None
