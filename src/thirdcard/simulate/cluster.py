"""The same chunks on a Dask cluster: lost workers cost time, not results."""

import logging
import re
import threading
import time
from concurrent.futures import CancelledError, Future
from functools import lru_cache
from importlib import import_module
from typing import Any

import msgspec

from thirdcard.errors import BadInput
from thirdcard.simulate.kernel import DEALING
from thirdcard.simulate.shoe_run import Part, Run
from thirdcard.simulate.work import CLUSTER_SPAN
from thirdcard.strict import decodable

ANSWER_SECONDS = 4.0  # to connect, and again to find a worker: together under ten seconds
WINDOW = 64
ADDRESS = re.compile(r"([a-z]+://)?[^\s:/]+:[0-9]{1,5}|([a-z]+://)?\[[0-9a-fA-F:.]+\]:[0-9]{1,5}")


def play_span(dealing: int, kind: type[Run], run: bytes, first: int, count: int) -> Part:
    """What a worker is asked to do."""
    if dealing != DEALING:
        raise BadInput("the cluster's workers have another version of thirdcard, which deals other cards")
    return _run(kind, run).play(first, count)


@lru_cache(maxsize=8)
def _run(kind: type[Run], run: bytes) -> Run:
    return msgspec.json.decode(run, type=decodable(kind))


class Piece:
    """A piece of work, and all that is needed to hand it out again."""

    def __init__(self, run: Run, first: int, count: int) -> None:
        self.asked = (DEALING, type(run), msgspec.json.encode(run), first, count)
        self.future: Any = None


class Cluster:
    """The workers of a Dask cluster; they need the same thirdcard installed."""

    def __init__(self, address: str) -> None:
        if not ADDRESS.fullmatch(address):
            raise BadInput(
                f"{address!r} is not a cluster's address: expected one such as tcp://localhost:8786"
            )
        try:
            distributed: Any = import_module("distributed")  # only those who use a cluster have it
        except ModuleNotFoundError as error:
            raise BadInput(
                f"a cluster needs Dask: install thirdcard[cluster] ({error.name} is missing)"
            ) from error
        self.address = address
        self._dask = distributed
        for name in list(logging.root.manager.loggerDict):
            if name.startswith(("distributed", "tornado")):  # what matters is said here in one sentence
                logging.getLogger(name).setLevel(logging.CRITICAL)
        self._client = self._connect()
        self.size = self._count_threads()
        self.span = CLUSTER_SPAN
        self.window = max(WINDOW, 4 * self.size)

    def _connect(self) -> Any:  # noqa: ANN401 - Dask has no types
        """Connect on a thread of its own: Dask waits for ever on a port that is open and never speaks."""
        answer: Future[Any] = Future()

        def connect() -> None:
            try:
                answer.set_result(
                    self._dask.Client(self.address, timeout=ANSWER_SECONDS, set_as_default=False)
                )
            except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
                answer.set_exception(error)

        threading.Thread(target=connect, daemon=True).start()
        try:
            return answer.result(ANSWER_SECONDS + 0.5)
        except (OSError, ValueError) as error:
            raise BadInput(
                f"the cluster at {self.address} does not answer: is its scheduler running there?"
            ) from error

    def _count_threads(self) -> int:
        """The workers' threads; waits a little for the first worker."""
        until = time.monotonic() + ANSWER_SECONDS
        while not (threads := sum(self._client.nthreads().values())):
            if time.monotonic() > until:
                self.close()
                raise BadInput(f"the cluster at {self.address} has no workers: start some with `dask worker`")
            time.sleep(0.1)
        return int(threads)

    def submit(self, run: Run, first: int, count: int) -> Piece:
        piece = Piece(run, first, count)
        self._hand_out(piece)
        return piece

    def _hand_out(self, piece: Piece) -> None:
        piece.future = self._client.submit(play_span, *piece.asked, pure=False)

    def take(self, work: Piece, seconds: float) -> Part | None:
        """As `Crew.take`.

        Dask itself plays again what a lost worker had; what it gives up on or forgets is handed out anew.
        """
        try:
            part: Part | None = work.future.result(timeout=seconds)
        except TimeoutError:
            part = None
        except self._dask.KilledWorker:
            self._hand_out(work)
            part = None
        except BadInput:
            raise
        except Exception as error:
            cancelled = work.future.cancelled()
            running = self._client.status == "running"
            if cancelled and running:
                self._hand_out(work)
                return None
            if isinstance(error, UnboundLocalError) and work.future.status != "error" and running:
                return None  # what Dask's client raises where its question was cancelled and not the work
            if cancelled or isinstance(error, CancelledError | OSError):
                raise BadInput(
                    f"the cluster at {self.address} no longer answers: its scheduler is lost"
                ) from error
            raise BadInput(
                f"a worker of the cluster at {self.address} cannot play ({type(error).__name__}: {error}): "
                "is the same thirdcard[analysis] installed there?"
            ) from error
        return part

    def close(self) -> None:
        self._client.close(timeout=ANSWER_SECONDS)
