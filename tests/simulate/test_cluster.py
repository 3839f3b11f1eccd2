"""The same run on a Dask cluster: identical tallies, and workers that die cost time only.

What is expected is played first, here: compiled once, the workers find it on the disk.
"""

import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thirdcard.errors import BadInput
from thirdcard.protect.asking import Question, prepare
from thirdcard.rulebook import load
from thirdcard.simulate import SessionRun, Stakes, TallyRun, Threads, execute

distributed = pytest.importorskip("distributed")

from thirdcard.simulate.cluster import ANSWER_SECONDS, Cluster, play_span  # noqa: E402 - after the check for Dask

# What Dask itself leaves behind when it closes processes and sockets; nothing of ours.
pytestmark = [
    pytest.mark.server,
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:distributed"),
]

TALLY = TallyRun(rulebook="rws-tiger-buffalo-commission-v2", rounds=20_000_000, seed=4)
Counts = np.ndarray[Any, np.dtype[np.int64]]
GUARD = 300.0  # seconds; for a test that is stuck, whatever the machine


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster that is there may be as slow as it likes."""
    wait(monkeypatch, GUARD)


def wait(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr("thirdcard.simulate.cluster.ANSWER_SECONDS", seconds)


@pytest.fixture(scope="module")
def expected() -> Counts:
    """The tally as it is played without a cluster."""
    return TALLY.play(0, TALLY.chunks)[0]


@pytest.fixture(scope="module")
def made() -> Iterator[Any]:
    """Two workers in processes of their own, on this machine only."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0", processes=True
    ) as made:
        yield made


@pytest.fixture
def cluster(made: Any) -> Any:  # noqa: ANN401 - Dask has no types
    """Whatever a test before this one did to its workers, both are there."""
    both_there(made)
    return made


def both_there(cluster: Any, *, but: int = 0) -> None:  # noqa: ANN401
    """Wait until both workers run and the scheduler knows them, neither in the process `but`."""
    until = time.monotonic() + GUARD
    while time.monotonic() < until:
        nannies = list(cluster.workers.values())
        known = set(cluster.scheduler.workers) == {nanny.worker_address for nanny in nannies}
        if known and len(nannies) == 2 and but not in [nanny.pid for nanny in nannies]:
            return
        time.sleep(0.1)
    pytest.fail("the cluster does not have its two workers")


def test_a_cluster_gives_the_identical_tally(cluster: Any, expected: Counts) -> None:  # noqa: ANN401 - Dask has no types
    crew = Cluster(cluster.scheduler_address)
    assert crew.size == 2
    outcome = execute(TALLY, crew)
    assert not outcome.partial
    assert (outcome.total[0] == expected).all()


def test_a_cluster_plays_the_identical_sessions(cluster: Any) -> None:  # noqa: ANN401
    run = SessionRun(
        rulebook="rws-commission-insurance-v5",
        rounds=400,
        sessions=500,
        stakes=Stakes(plan="paroli", side={"tie": 500}),
    )
    here = run.play(0, run.chunks)
    outcome = execute(run, Cluster(cluster.scheduler_address))
    for found, wanted in zip(outcome.total, here, strict=True):
        assert (found == wanted).all()


@pytest.mark.whole
def test_a_cluster_follows_the_identical_shoes_and_ends_at_the_same(cluster: Any) -> None:  # noqa: ANN401
    """`thirdcard protect --error --cluster`: pieces of work are larger there, and it is enough at the same shoe."""
    asked = Question(bets=("big-tiger",), cuts=(14,), shoes=100_000, error=0.02)
    run = prepare(load("mbs-tiger-v2"), asked)
    here = execute(run, Threads(1))
    far = execute(run, Cluster(cluster.scheduler_address))
    assert (far.partial, far.done) == (False, here.done)
    for found, wanted in zip(far.total, here.total, strict=True):
        assert (found == wanted).all()


@pytest.mark.whole
def test_workers_play_by_the_text_of_a_file_that_they_never_saw(cluster: Any, tmp_path: Path) -> None:  # noqa: ANN401
    file = Path(shutil.copy(Path(__file__).with_name("closer-look.toml"), tmp_path))
    stakes = Stakes(bet="first-ace", side={"perfect-pair": 500})
    runs = (
        TallyRun(rulebook=file, rounds=5_000_000, seed=4),
        SessionRun(rulebook=file, rounds=100, sessions=200, stakes=stakes),
    )
    file.unlink()
    for run in runs:
        here = run.play(0, run.chunks)
        outcome = execute(run, Cluster(cluster.scheduler_address))
        for found, wanted in zip(outcome.total, here, strict=True):
            assert (found == wanted).all()


def test_a_killed_worker_costs_no_result(cluster: Any, expected: Counts) -> None:  # noqa: ANN401
    """One worker is killed outright after the first piece of work; its nanny starts another."""
    crew = Cluster(cluster.scheduler_address)
    killed: list[int] = []

    def kill(_: int) -> None:
        if not killed:
            victim = next(iter(cluster.workers.values())).pid
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    outcome = execute(TALLY, crew, progress=kill)
    assert killed
    assert not outcome.partial
    assert (outcome.total[0] == expected).all()
    both_there(cluster, but=killed[0])
    again = execute(TALLY, Cluster(cluster.scheduler_address))
    assert (again.total[0] == outcome.total[0]).all()


class GivenUp:
    def result(self, timeout: float) -> None:  # noqa: ARG002 - as Dask has it
        raise distributed.KilledWorker("task", None, 3)


class Forgotten:
    def result(self, timeout: float) -> None:  # noqa: ARG002 - as Dask has it
        raise UnboundLocalError  # what Dask makes of work that is cancelled while it waits

    def cancelled(self) -> bool:
        return True


@pytest.mark.parametrize("lost", [GivenUp, Forgotten])
def test_work_that_dask_gives_up_on_or_forgets_is_handed_out_again(
    cluster: Any,  # noqa: ANN401
    lost: type,
) -> None:
    crew = Cluster(cluster.scheduler_address)
    piece = crew.submit(TALLY, 3, 2)
    piece.future = lost()
    assert crew.take(piece, 0.1) is None
    part = None
    while part is None:
        part = crew.take(piece, 1.0)
    crew.close()
    assert (part[0] == TALLY.play(3, 2)[0]).all()


class AskedInVain:
    """The question was cancelled, and the work goes on."""

    status = "pending"

    def result(self, timeout: float) -> None:  # noqa: ARG002 - as Dask has it
        raise UnboundLocalError

    def cancelled(self) -> bool:
        return False


def test_a_question_that_dask_drops_is_asked_again(cluster: Any) -> None:  # noqa: ANN401
    crew = Cluster(cluster.scheduler_address)
    work = crew.submit(TALLY, 0, 1)
    own, work.future = work.future, AskedInVain()
    assert crew.take(work, 0.1) is None
    assert isinstance(work.future, AskedInVain), "nothing is handed out twice"
    work.future = own
    while (part := crew.take(work, 1)) is None:
        pass
    assert (part[0] == TALLY.play(0, 1)[0]).all()
    crew.close()


@pytest.mark.whole
def test_an_interrupted_cluster_run_ends_with_what_is_done(cluster: Any) -> None:  # noqa: ANN401
    long = TallyRun(rulebook="mbs-tiger-v2", rounds=10**13)
    outcome = execute(
        long, Cluster(cluster.scheduler_address), progress=lambda _: os.kill(os.getpid(), signal.SIGINT)
    )
    assert outcome.partial
    assert outcome.total[0].sum() == long.size(outcome.done) > 0


@pytest.mark.whole
def test_a_lost_scheduler_is_said_and_what_is_done_is_kept(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], expected: Counts
) -> None:
    """The scheduler is closed under the run; the checkpoint goes on without it."""
    file, closed = tmp_path / "run", threading.Event()
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as made:
        crew = Cluster(made.scheduler_address)

        def close(_: int) -> None:
            if not closed.is_set():
                closed.set()
                made.close()

        with pytest.raises(BadInput, match="no longer answers: its scheduler is lost"):
            execute(TALLY, crew, checkpoint=file, progress=close)
    starts: list[int] = []
    outcome = execute(TALLY, Threads(1), checkpoint=file, progress=starts.append)
    assert starts[0] > 2
    assert (outcome.total[0] == expected).all()
    assert "Traceback" not in capfd.readouterr().err


def test_workers_of_another_version_are_refused() -> None:
    with pytest.raises(BadInput, match="workers have another version of thirdcard"):
        play_span(0, TallyRun, b"{}", 0, 1)


def test_a_worker_that_cannot_play_says_so(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
    crew = Cluster(cluster.scheduler_address)
    piece = crew.submit(TALLY, 0, 1)
    crew.take(piece, GUARD)

    class Broken:
        def result(self, timeout: float) -> None:  # noqa: ARG002 - as Dask has it
            raise ModuleNotFoundError("No module named 'thirdcard'")

        def cancelled(self) -> bool:
            return False

    monkeypatch.setattr(piece, "future", Broken())
    with pytest.raises(BadInput, match=r"cannot play .*is the same thirdcard.analysis. installed there"):
        crew.take(piece, 1.0)
    crew.close()


def test_who_gets_no_answer_is_told_so_within_ten_seconds() -> None:
    assert 2 * ANSWER_SECONDS + 1 < 10  # to connect, and again to find a worker


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    wait(monkeypatch, 0.5)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(BadInput, match=f"the cluster at {address} does not answer"):
            Cluster(address)


def test_a_cluster_that_listens_and_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    wait(monkeypatch, 0.5)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(BadInput, match="does not answer"):
            Cluster(f"127.0.0.1:{silent.getsockname()[1]}")


@pytest.mark.parametrize("address", ["", "nonsense", "127.0.0.1:port", "tcp://", "http://a/b:1"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(BadInput, match="is not a cluster's address: expected one such as"):
        Cluster(address)


def test_a_kind_of_address_that_dask_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    wait(monkeypatch, 0.5)
    with pytest.raises(BadInput, match="does not answer"):
        Cluster("nonsense://127.0.0.1:80")


@pytest.mark.whole
def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    wait(monkeypatch, ANSWER_SECONDS)
    with (
        distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0") as empty,
        pytest.raises(BadInput, match="has no workers: start some"),
    ):
        Cluster(empty.scheduler_address)
