"""Plays a run's chunks: on threads here or on a cluster, in order, with a clean end at any time.

Chunks are numbered and each has random streams of its own, so who plays which changes nothing. They are put
together in their order: at any moment the total is that of the first so many chunks, and that number
is all a checkpoint has to remember.
"""

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

from thirdcard.errors import BadInput
from thirdcard.simulate import saved_run as checkpoints
from thirdcard.simulate.shoe_run import Part, Run, check_count

Progress: TypeAlias = Callable[[int], None]  # told how many chunks are done

MOST_WORKERS = 1024
THREAD_SPAN = 2  # the most chunks in one piece of work: about 25 milliseconds here, half a second there
CLUSTER_SPAN = 32
SAVE_SECONDS = 5.0
POLL_SECONDS = 0.1


class RunOutcome(NamedTuple):
    """What a run came to: its total over the first `done` chunks.

    >>> from thirdcard.simulate import TallyRun
    >>> execute(TallyRun(rulebook="mbs-tiger-v2", rounds=1000), Threads(1)).partial
    False
    """

    run: Run
    total: Part
    done: int
    seconds: float

    @property
    def partial(self) -> bool:
        return not self.run.enough(self.total, self.done)


class Crew(Protocol):
    """Those who do the work."""

    size: int
    span: int
    window: int  # pieces of work handed out at once

    def submit(self, run: Run, first: int, count: int) -> Any:  # noqa: ANN401 - whatever `take` knows it by
        """Hand out a piece of work."""
        ...

    def take(self, work: Any, seconds: float) -> Part | None:  # noqa: ANN401
        """The result of a piece of work, or `None` if it is not there within so many seconds."""
        ...

    def close(self) -> None: ...


class Threads:
    """Threads of this process; the kernels run without the interpreter's lock.

    >>> Threads(2).size
    2
    """

    def __init__(self, workers: int) -> None:
        check_count("workers", workers, MOST_WORKERS)
        self.size = workers
        self.span = THREAD_SPAN
        self.window = 2 * workers + 1
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="simulate")

    def submit(self, run: Run, first: int, count: int) -> "Future[Part]":
        return self._pool.submit(run.play, first, count)

    def take(self, work: "Future[Part]", seconds: float) -> Part | None:
        return work.result() if wait([work], seconds).done else None

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets in place of stopping the program somewhere; a second one stops it."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.getsignal(signal.SIGINT)

    def ask(_number: int, _frame: object) -> None:
        asked.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def execute(
    run: Run,
    crew: Crew,
    *,
    checkpoint: Path | str | None = None,
    after: RunOutcome | None = None,
    progress: Progress | None = None,
) -> RunOutcome:
    """Play a run to its end, or to where Ctrl-C ends it, and close the crew.

    With a checkpoint it goes on where that one stopped, and the file always holds a whole state; it is
    written at once, so that a place that cannot be written to shows before any work is done. A checkpoint of
    the same run that was shorter, or the outcome of one that it comes `after`, is gone on from: the
    result is that of one long run.

    >>> from thirdcard.simulate import TallyRun
    >>> run = TallyRun(rulebook="mbs-tiger-v2", rounds=1000)
    >>> int(execute(run, Threads(1)).total[0].sum())
    1000
    """
    try:
        checkpoint = _file(checkpoint)
        total, done, before = checkpoints.load(checkpoint, run) if checkpoint else (run.empty(), 0, 0.0)
        if after is not None:
            total, done, before = _from(run, after)
        with interruptible() as stop:
            if checkpoint:
                checkpoints.save(checkpoint, run, done, before, total)
            begun = saved = time.perf_counter()
            try:
                for first, count, part in _in_order(run, crew, done, stop):
                    if run.enough(total, done):
                        break
                    run.merge(total, part, first)
                    done = first + count
                    if progress:
                        progress(done)
                    now = time.perf_counter()
                    if checkpoint and now - saved > SAVE_SECONDS:
                        checkpoints.save(checkpoint, run, done, before + now - begun, total)
                        saved = now
            finally:
                seconds = before + time.perf_counter() - begun
                if checkpoint:
                    checkpoints.save(checkpoint, run, done, seconds, total)
        return RunOutcome(run, total, done, seconds)
    finally:
        crew.close()


def _file(given: Path | str | None) -> Path | None:
    if given is None or isinstance(given, str | os.PathLike):
        return None if given is None else Path(given)
    raise BadInput(f"a checkpoint is a file: got {given!r}")


def _from(run: Run, after: RunOutcome) -> tuple[Part, int, float]:
    """Where a longer run begins that comes after a shorter one; what that came to stays as it is."""
    if after.run.length > run.length or after.run.of_length(run.length) != run:
        raise BadInput("only the same run can be extended, and only to be longer")
    kept = tuple([array.copy() for array in after.total])
    return *run.go_on(after.run, kept, after.done), after.seconds


def _in_order(run: Run, crew: Crew, done: int, stop: threading.Event) -> Iterator[tuple[int, int, Part]]:
    """Spans of chunks with their parts, first to last; ends early when asked to stop."""
    span = max(1, min(crew.span, run.chunks // (8 * crew.size)))
    ahead: deque[tuple[int, int, Any]] = deque()
    first = done
    while ahead or first < run.chunks:
        while first < run.chunks and len(ahead) < crew.window:
            count = min(span, run.chunks - first, run.stride - first % run.stride if run.stride else span)
            ahead.append((first, count, crew.submit(run, first, count)))
            first += count
        begin, count, work = ahead.popleft()
        part = None
        while part is None:
            if stop.is_set():
                return
            part = crew.take(work, POLL_SECONDS)
        yield begin, count, part
