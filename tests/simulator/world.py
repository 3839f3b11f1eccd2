"""One thread, several processes and no real time: an event loop whose turns, delays and entropy a seed decides.

A process is a context: whatever is called from within it, however late, belongs to it. So one that is frozen has
no turn, and one that crashed never has another. Time passes when nobody has anything left to do. What would run
in a thread runs here, some moments later, all at once; its result comes some moments after that.
"""

import asyncio
import contextlib
import heapq
import itertools
import os
import random
import sys
import threading
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextvars import Context, ContextVar, copy_context
from types import ModuleType
from typing import Any, TypeVar
from unittest import mock

from thirdcard.service.api import stream
from thirdcard.service.api.stream import OpenWindow
from thirdcard.service.clock import MICROSECONDS, Clock

T = TypeVar("T")
START = 1_800_000_000 * MICROSECONDS
TICK = 1e-6  # the least time that passes at all
MOST_AT_ONCE = 300_000  # turns without any time passing: somebody goes round in circles
SERVICE = "thirdcard.service"


class Process:
    """Something that can stop, for a while or for good, without anybody else stopping."""

    def __init__(self, world: "World", name: str) -> None:
        self.world, self.name = world, name
        self.alive, self.frozen, self.slow = True, False, 1.0
        self.ahead = 0  # microseconds by which its wall clock is wrong
        self.turns: deque[events.Handle] = deque()
        self.tasks: list[asyncio.Task[Any]] = []
        self._context = copy_context()
        self._context.run(PROCESS.set, self)

    def context(self) -> Context:
        return self._context.copy()

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = self.world.create_task(work, context=self.context())
        self.tasks.append(task)
        if len(self.tasks) > 200:
            self.tasks = [one for one in self.tasks if not one.done()]
        return task

    def end(self) -> None:
        self.alive, self.frozen = False, False
        self.turns.clear()


PROCESS: ContextVar[Process | None] = ContextVar("PROCESS", default=None)


_NUMBERS = itertools.count()


def _number(self: Any) -> int:  # noqa: ANN401
    """In place of a hash by address: sets are gone through in the same order in every run."""
    if not hasattr(self, "the_number"):
        self.the_number = next(_NUMBERS)
    return self.the_number  # type: ignore[no-any-return]


class NumberedTask(asyncio.Task[Any]):
    __hash__ = _number


class World(asyncio.BaseEventLoop):
    """`outside` is where people and the network are: it never stops."""

    def __init__(self, seed: str) -> None:
        super().__init__()
        self.now = 1_000.0
        self.turns_taken = 0
        self.random = random.Random(f"{seed}/turns")  # noqa: S311 - sample data
        self.outside = Process(self, "outside")
        self._busy: list[Process] = []
        self._at_once = 0
        self.set_task_factory(_task)

    # What a loop has to do

    def time(self) -> float:
        return self.now

    def _call_soon(self, callback: Any, args: Any, context: Context | None) -> events.Handle:  # noqa: ANN401
        handle = events.Handle(callback, args, self, context)
        self._take(handle)
        return handle

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> events.Handle:  # type: ignore[override]  # noqa: ANN401
        return self._call_soon(callback, args, context)

    call_soon_threadsafe = call_soon  # type: ignore[assignment]

    def _take(self, handle: Any) -> None:  # noqa: ANN401
        process = handle._context.get(PROCESS) or self.outside  # noqa: SLF001
        if process.alive:
            if not process.turns:
                self._busy.append(process)
            process.turns.append(handle)

    def _run_once(self) -> None:
        self._busy = [one for one in self._busy if one.turns]
        ready = [one for one in self._busy if not one.frozen]
        if not ready:
            self._pass_time()
            return
        process = ready[0] if len(ready) == 1 else self.random.choice(ready)
        handle: Any = process.turns.popleft()
        if not handle.cancelled():
            self.turns_taken += 1
            self._at_once += 1
            if self._at_once > MOST_AT_ONCE:
                raise RuntimeError(f"going round in circles: {handle}")
            handle._run()  # noqa: SLF001 - as a loop does

    def _pass_time(self) -> None:
        """To the next that was put off; all that is due then has its turn."""
        timers: list[Any] = self._scheduled  # type: ignore[attr-defined]
        while timers and timers[0].cancelled():
            heapq.heappop(timers)
        if not timers:
            raise RuntimeError("nobody has anything to do, ever")
        self.now = max(timers[0].when(), self.now + TICK)
        self._at_once = 0
        while timers and timers[0].when() <= self.now:
            handle = heapq.heappop(timers)
            if not handle.cancelled():
                self._take(handle)

    def _timer_handle_cancelled(self, handle: events.TimerHandle) -> None:
        """It is left where it is until its time comes."""

    def _process_events(self, event_list: Any) -> None:  # noqa: ANN401
        raise NotImplementedError

    def over(self) -> None:
        """Nobody has another turn."""
        self.outside.end()
        self._busy.clear()
        self._scheduled.clear()  # type: ignore[attr-defined]

    # Threads

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]  # noqa: ANN401
        """As a thread would: begun a little later, one after the other in a lane, told a little later still."""
        answer: asyncio.Future[T] = self.create_future()
        process = PROCESS.get() or self.outside
        begin = self.now + self.random.uniform(0.0001, 0.003) * process.slow
        if isinstance(executor, Lane):
            begin = executor.next_turn(begin)

        def tell(result: T | None, error: BaseException | None) -> None:
            if answer.done():
                return
            if error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(result)  # type: ignore[arg-type]

        def work() -> None:
            result, error = None, None
            try:
                result = func(*args)
            except BaseException as wrong:  # noqa: BLE001 - it is told where it is awaited
                error = wrong
            self.call_later(self.random.uniform(0.0001, 0.002) * process.slow, tell, result, error)

        self.call_at(begin, work)
        return answer


def _task(world: asyncio.AbstractEventLoop, work: Any, context: Context | None = None) -> NumberedTask:  # noqa: ANN401
    return NumberedTask(work, loop=world, context=context)


class Lane:
    """In place of a pool of threads: of one thread, what is asked is done in that order."""

    def __init__(self, max_workers: int = 1, **_: object) -> None:
        self._one, self._free = max_workers == 1, 0.0

    def next_turn(self, begin: float) -> float:
        if self._one:
            begin = self._free = max(begin, self._free + TICK)
        return begin

    def submit(self, work: Callable[..., T], *args: Any, **kwargs: Any) -> "Future[T]":  # noqa: ANN401
        done: Future[T] = Future()
        try:
            done.set_result(work(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - it is told where it is awaited
            done.set_exception(error)
        return done

    def shutdown(self, *_: object, **__: object) -> None: ...


class SimulatedClock(Clock):
    """The clocks of one process; only the one on the wall can be wrong."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def wall(self) -> int:
        return START + round(self._process.world.now * MICROSECONDS) + self._process.ahead

    def monotonic(self) -> float:
        return self._process.world.now

    def boot(self) -> float:
        return self._process.world.now


class _NoTime:
    """In place of the module `time`: computing costs nothing, and nobody reads a clock that is not given."""

    def thread_time(self) -> float:
        return 0.0

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"the service reads the real clock: time.{name}")


class NumberedWindow(OpenWindow):
    __hash__ = _number


@contextlib.contextmanager
def nothing_real(seed: str) -> Iterator[None]:
    """Within, entropy is the seed's, nobody in the service can read a clock, and a thread is done at once."""
    entropy = random.Random(f"{seed}/entropy")  # noqa: S311 - so that a run can be repeated
    with contextlib.ExitStack() as patches:
        for where in (os, random):
            name = "urandom" if where is os else "_urandom"
            patches.enter_context(mock.patch.object(where, name, entropy.randbytes))
        for module in _modules():
            if hasattr(module, "ThreadPoolExecutor"):
                patches.enter_context(mock.patch.object(module, "ThreadPoolExecutor", Lane))
            if getattr(module, "time", None) is sys.modules["time"]:
                patches.enter_context(mock.patch.object(module, "time", _NoTime()))
        patches.enter_context(mock.patch.object(stream, "OpenWindow", NumberedWindow))
        patches.enter_context(mock.patch.object(threading.Thread, "start", threading.Thread.run))
        yield


def _modules() -> list[ModuleType]:
    return [one for name, one in sorted(sys.modules.items()) if name.startswith(SERVICE) and one is not None]
