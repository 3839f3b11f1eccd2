"""A server that is killed at any moment loses nothing that it has acknowledged and does nothing twice.

`make soak` does the same a thousand times. One that stands still for a while takes nobody's silence for an answer.
"""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.kill import LATE_SECONDS, OFFERED, Asked, misfits, offer, storm
from thirdcard.service.log.codec import event_of, record
from thirdcard.service.log.floor_events import TableClosed, TableReopened, TimerStarted
from thirdcard.service.log.store.model import Record
from thirdcard.service.log.store.sqlite import BesideServer, SqliteStore

pytestmark = pytest.mark.server


@pytest.mark.whole  # the gate has one kill by `make soak SMALLEST=1`
def test_what_was_acknowledged_before_a_kill_is_there_once_and_answered_as_before(tmp_path: Path) -> None:
    tally = asyncio.run(storm(tmp_path / "house.db", 3))
    assert tally.problems == []
    assert tally.kills == 3
    assert tally.answers >= 3


@pytest.mark.whole
def test_a_server_that_answers_before_it_commits_is_found_out(tmp_path: Path) -> None:
    tally = asyncio.run(storm(tmp_path / "house.db", 25, kind="hasty", every=1))
    assert tally.problems


@contextlib.contextmanager
def stood_still(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    yield
    os.kill(pid, signal.SIGCONT)


def open_window(log: list[Record]) -> bool:
    """Opened lately: in its last moments the server may have closed it and not yet said so."""
    last = event_of(log[-1]) if log else None
    open_since = time.time() - log[-1].at / 1e6 if log else 0
    return (
        isinstance(last, TimerStarted) and last.timer == "insurance" and open_since < OFFERED.insurance / 2000
    )


def test_5_4_a_server_that_stood_still_over_a_window_takes_nobodys_silence_for_an_answer(
    tmp_path: Path,
) -> None:
    path = tmp_path / "house.db"
    SqliteStore(path).close()
    server = multiprocessing.get_context("forkserver").Process(target=offer, args=(str(path),), daemon=True)
    server.start()
    try:
        assert server.pid is not None
        with contextlib.closing(BesideServer(str(path))) as store:
            stopped = 0
            while not stopped:
                time.sleep(0.005)
                if open_window(store.read("auto")):
                    with stood_still(server.pid):
                        log = store.read("auto")
                        if open_window(log):  # it had no time to do more
                            stopped = len(log)
                            time.sleep(OFFERED.insurance / 1000 + LATE_SECONDS + 0.5)
            resumed = time.time()
            while not (after := store.read("auto", after=stopped)):
                time.sleep(0.01)
        # Or it stood still before it knew that the window was open: then its time began when it went on.
        had_time = after[0].at / 1e6 - resumed > 0.9 * OFFERED.insurance / 1000
        assert after[0].name == "irregularity-reported" or (after[0].name == "insurance-closed" and had_time)
    finally:
        server.kill()
        server.join()


def logged() -> list[Record]:
    return [
        record(event, stream="one", version=version, before=b"", at=0, by="Dee", number=0, flag="")
        for version, event in ((4, TableClosed()), (7, TableReopened()))
    ]


def asked(version: int, *events: str) -> Asked:
    answer = {"version": version, "events": events}
    return Asked("Dee", "one", "commands", {}, f"key {version}", 200, answer)


def test_events_and_answers_must_match_one_to_one() -> None:
    both = [asked(4, "table-closed"), asked(7, "table-reopened")]
    assert misfits(logged(), both) == []
    assert misfits(logged()[:1], both) == ["answered, but not in the log: (7, 'table-reopened')"]
    assert misfits(logged(), both[:1]) == ["in the log, but asked for by nobody: (7, 'table-reopened')"]
    assert misfits(logged(), [*both, both[0]]) == ["answered, but not in the log: (4, 'table-closed')"]
    refused = Asked("Dee", "one", "commands", {}, "key", 422, {"code": "wrong-phase"})
    assert misfits(logged(), [*both, refused]) == []
    broken = Asked("Dee", "one", "commands", {}, "key", 500, {})
    assert misfits(logged(), [*both, broken]) == ["answered, but not in the log: (0, 'status 500 for {}')"]
