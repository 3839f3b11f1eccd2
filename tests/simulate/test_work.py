"""Who plays a run, in how many pieces and with how many interruptions, changes nothing of its result."""

import os
import signal
import threading
from pathlib import Path

import msgspec
import numpy as np
import pytest

from thirdcard.errors import BadInput
from thirdcard.simulate import SessionRun, Stakes, TallyRun, Threads, execute
from thirdcard.simulate import work as working
from thirdcard.simulate.shoe_run import Run
from thirdcard.simulate.work import RunOutcome

pytestmark = pytest.mark.slow

TALLY = TallyRun(rulebook="mbs-tiger-v2", rounds=20_000_000, seed=8)
SESSIONS = SessionRun(
    rulebook="rws-commission-insurance-v5",
    rounds=2_000,
    sessions=3_000,
    seed=8,
    stakes=Stakes(plan="labouchere", insurance="positive"),
)
RUNS = pytest.mark.parametrize("run", [TALLY, SESSIONS], ids=["tally", "sessions"])


def whole(run: Run) -> tuple[bytes, ...]:
    """The result of a run in one piece, with nobody to share the work."""
    return tuple(array.tobytes() for array in run.play(0, run.chunks))


def result(outcome: RunOutcome) -> tuple[bytes, ...]:
    return tuple(array.tobytes() for array in outcome.total)


@RUNS
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_the_result_does_not_depend_on_the_workers(run: Run, workers: int) -> None:
    outcome = execute(run, Threads(workers))
    assert not outcome.partial
    assert result(outcome) == whole(run)


@RUNS
def test_progress_counts_chunks_to_the_last(run: Run) -> None:
    seen: list[int] = []
    execute(run, Threads(2), progress=seen.append)
    assert seen == sorted(set(seen))
    assert (seen[-1], run.size(seen[-1])) == (run.chunks, run.size(run.chunks))


@RUNS
def test_an_interrupted_run_goes_on_to_the_identical_result(run: Run, tmp_path: Path) -> None:
    """Ctrl-C again and again, each time after the first piece of work."""
    file = tmp_path / "run"
    stopped = 0
    for _ in range(run.chunks + 1):
        outcome = execute(
            run, Threads(2), checkpoint=file, progress=lambda _: os.kill(os.getpid(), signal.SIGINT)
        )
        if not outcome.partial:
            break
        stopped += 1
        assert 0 < outcome.done < run.chunks
        begun = run.empty()
        run.merge(begun, run.play(0, outcome.done), 0)
        assert result(outcome) == tuple(array.tobytes() for array in begun)
    assert stopped > 2
    assert result(outcome) == whole(run)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_finished_checkpoint_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = execute(TALLY, Threads(1), checkpoint=tmp_path / "run")
    monkeypatch.setattr(TallyRun, "play", None)
    again = execute(TALLY, Threads(1), checkpoint=tmp_path / "run")
    assert result(again) == result(first)
    assert again.seconds >= first.seconds
    assert [file.name for file in tmp_path.iterdir()] == ["run"]


def test_a_run_may_be_played_outside_the_main_thread() -> None:
    found: list[RunOutcome] = []
    thread = threading.Thread(target=lambda: found.append(execute(TALLY, Threads(1))))
    thread.start()
    thread.join()
    assert result(found[0]) == whole(TALLY)


def test_a_failing_run_leaves_what_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "run"
    play = TallyRun.play

    def broken(
        self: TallyRun, first: int, count: int
    ) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.int64]], ...]:
        if first > 4:
            raise MemoryError("no more")
        return play(self, first, count)

    with monkeypatch.context() as patch:
        patch.setattr(TallyRun, "play", broken)
        with pytest.raises(MemoryError):
            execute(TALLY, Threads(1), checkpoint=file)
    starts: list[int] = []
    outcome = execute(TALLY, Threads(1), checkpoint=file, progress=starts.append)
    assert starts[0] > 1
    assert result(outcome) == whole(TALLY)


def test_checkpoints_are_written_along_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working, "SAVE_SECONDS", 0.0)
    file, sizes = tmp_path / "run", set()

    def look(_: int) -> None:
        sizes.add(msgspec.msgpack.decode(file.read_bytes())["done"])

    execute(TALLY, Threads(1), checkpoint=file, progress=look)
    assert len(sizes) > 5


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"seed": 9}, "seed 8, not 9"),
        ({"rounds": 5}, "rounds 20000000, not 5"),
        ({"decks": 6, "cut": 20}, "decks 8, not 6; cut 14, not 20"),
        (
            {"rulebook": "rws-commission-insurance-v5", "digest": ""},
            "rulebook mbs-tiger-v2, not rws-commission-insurance-v5",
        ),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(
    changed: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "run"
    execute(TALLY, Threads(1), checkpoint=file)
    before = file.read_bytes()
    with pytest.raises(BadInput, match=f"is a checkpoint of another run: it has {sentence}"):
        execute(msgspec.structs.replace(TALLY, **changed), Threads(1), checkpoint=file)
    assert file.read_bytes() == before


def test_a_checkpoint_of_another_plan_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run"
    execute(SESSIONS, Threads(1), checkpoint=file)
    stakes = msgspec.structs.replace(SESSIONS.stakes, bet="player")
    with pytest.raises(BadInput, match="it has bet banker, not player"):
        execute(msgspec.structs.replace(SESSIONS, stakes=stakes), Threads(1), checkpoint=file)
    with pytest.raises(BadInput, match="it has kind sessions, not tally"):
        execute(TALLY, Threads(1), checkpoint=file)


@pytest.mark.parametrize("content", [b"", b"hello", b"\x93\x01\x02\x03", b"\x80"])
def test_a_file_that_is_no_checkpoint_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_bytes(content)
    with pytest.raises(BadInput, match="is not a checkpoint of a simulation"):
        execute(TALLY, Threads(1), checkpoint=file)
    assert file.read_bytes() == content


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run"
    execute(TALLY, Threads(1), checkpoint=file)
    found = msgspec.msgpack.decode(file.read_bytes())
    file.write_bytes(msgspec.msgpack.encode({**found, "arrays": [b"12345678"]}))
    with pytest.raises(BadInput, match="is damaged: 8 bytes where 16000 should be"):
        execute(TALLY, Threads(1), checkpoint=file)
    file.write_bytes(msgspec.msgpack.encode({**found, "format": "thirdcard simulation 0"}))
    with pytest.raises(BadInput, match="is a checkpoint of another version"):
        execute(TALLY, Threads(1), checkpoint=file)


def test_a_checkpoint_that_cannot_be_written_shows_at_once(tmp_path: Path) -> None:
    for file in (tmp_path / "nowhere" / "run", tmp_path):
        with pytest.raises(BadInput, match=r"cannot (write|read) the checkpoint"):
            execute(TALLY, Threads(1), checkpoint=file)


@pytest.mark.parametrize("workers", [0, -1, 5000])
def test_the_number_of_workers_is_sensible(workers: int) -> None:
    with pytest.raises(BadInput, match="the number of workers must be"):
        Threads(workers)
