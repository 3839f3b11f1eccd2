"""A finished run, or one that was broken off, goes on to more rounds: to the last count what one long run has."""

import os
import signal
from pathlib import Path
from typing import Any

import msgspec
import pytest

import thirdcard
from cli.running import answer, complaint
from thirdcard.errors import BadInput
from thirdcard.protect.protect_run import ProtectRun
from thirdcard.simulate import SessionRun, Stakes, TallyRun, Threads, execute
from thirdcard.simulate.shoe_run import Run
from thirdcard.simulate.tally import CHUNK

pytestmark = pytest.mark.slow

BOOK = "mbs-tiger-v2"
tc: Any = thirdcard
PERFECT_PAIRS = str(Path(__file__).parents[2] / "examples" / "rulebooks" / "perfect-pairs.toml")
STAKES = Stakes(plan="labouchere", bankroll=50_000)
RUNS = (
    TallyRun(rulebook=BOOK, rounds=2 * CHUNK + 17, seed=8),
    TallyRun(rulebook=PERFECT_PAIRS, rounds=2 * CHUNK + 17, seed=8),
    SessionRun(rulebook=BOOK, rounds=5000, sessions=700, seed=8, stakes=STAKES),
    ProtectRun(rulebook=BOOK, shoes=100, cuts=(14, 52), bets=("tie",), seed=8),
)
LENGTHS = {"rounds": (1, CHUNK - 1, CHUNK, CHUNK + 1), "sessions": (1, 209, 210, 500), "shoes": (1, 32, 70)}
EVERY = pytest.mark.parametrize("run", RUNS, ids=["tally", "tiers", "sessions", "protect"])


def result(total: tuple[Any, ...]) -> tuple[bytes, ...]:
    return tuple(array.tobytes() for array in total)


@EVERY
def test_a_shorter_run_goes_on_to_the_long_one(run: Run, tmp_path: Path) -> None:
    long = result(execute(run, Threads(2)).total)
    for length in LENGTHS[run.unit]:
        shorter = run.of_length(length)
        first = execute(shorter, Threads(2), checkpoint=tmp_path / "run")
        kept = result(first.total)
        assert result(execute(run, Threads(2), after=first).total) == long, length
        assert result(first.total) == kept, "what is extended stays as it was"
        assert result(execute(run, Threads(2), checkpoint=tmp_path / "run").total) == long, length
        (tmp_path / "run").unlink()


@EVERY
def test_a_run_that_was_broken_off_goes_on_to_a_longer_one(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run"
    stopped = execute(
        run, Threads(1), checkpoint=file, progress=lambda _: os.kill(os.getpid(), signal.SIGINT)
    )
    assert stopped.partial
    longer = run.of_length(run.length + run.length // 3)
    whole = result(execute(longer, Threads(2)).total)
    assert result(execute(longer, Threads(2), after=stopped).total) == whole
    assert result(execute(longer, Threads(2), checkpoint=file).total) == whole


def test_only_the_same_run_and_only_longer(tmp_path: Path) -> None:
    run = RUNS[0]
    first = execute(run, Threads(1), checkpoint=tmp_path / "run")
    with pytest.raises(BadInput, match="only to be longer"):
        execute(run.of_length(5), Threads(1), after=first)
    with pytest.raises(BadInput, match="only the same run"):
        execute(msgspec.structs.replace(run, seed=9), Threads(1), after=first)
    with pytest.raises(BadInput, match="it has rounds 2097169, not 5"):
        execute(run.of_length(5), Threads(1), checkpoint=tmp_path / "run")
    longer = msgspec.structs.replace(run, seed=9, rounds=run.length + 1)
    with pytest.raises(BadInput, match="it has seed 8, not 9"):
        execute(longer, Threads(1), checkpoint=tmp_path / "run")


def test_by_the_front_door() -> None:
    long = tc.simulate(BOOK, CHUNK + 5000)
    assert tc.simulate(BOOK, 3000).extended(CHUNK + 5000).outcomes == long.outcomes
    more = tc.simulate.run_sessions(BOOK, 20, 50, plan="paroli").extended(60)
    assert (more.fields == tc.simulate.run_sessions(BOOK, 60, 50, plan="paroli").fields).all()


def test_on_the_command_line_with_more_rounds_than_before(tmp_path: Path) -> None:
    file, given = str(tmp_path / "run"), ("simulate", BOOK, "--seed", "4", "--workers", "1")
    answer(*given, "--rounds", "3000", "--checkpoint", file)
    longer = answer(*given, "--rounds", "9000", "--checkpoint", file)
    at_once = answer(*given, "--rounds", "9000")
    assert (longer["bets"], longer["outcomes"]) == (at_once["bets"], at_once["outcomes"])
    assert "is a checkpoint of another run: it has rounds 9000, not 3000" in complaint(
        *given, "--rounds", "3000", "--checkpoint", file
    )
