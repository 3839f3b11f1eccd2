"""The simulator, beside a reference loop in C measured in the same run (`python bench/run.py simulate`)."""

import ctypes
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import cast

from report import SMALLEST, figure, sized
from thirdcard.odds import fresh, values
from thirdcard.simulate import SessionRun, Stakes, TallyRun, Threads, estimates, execute
from thirdcard.simulate.tally import CHUNK

SLUG = "rws-tiger-buffalo-commission-v2"
PERFECT_PAIRS = Path(__file__).parents[1] / "examples" / "rulebooks" / "perfect-pairs.toml"
ROUNDS, MANY, REPEATS = sized((50_000_000, 1_000_000_000, 7), (100_000, 2 * CHUNK, 1))
SESSIONS, STARTS = sized((20_000, 4), (20, 2))
FEW, LONG = sized((5_000_000, 500_000_000), (100_000, 2 * CHUNK))  # rounds whose memory is compared
TURN, TURNS = sized(
    (500_000, 200), (500_000, 2)
)  # rounds of the loop in C, which take as long as a chunk of the simulator's
MILLION = 1_000_000
AIM, CLOSER_AIM, SESSIONS_AIM = 60, 20, 5  # million rounds a second
TIMES_AIM = 2  # as fast as the plain loop in C
WORKERS_AIM = 1.9  # times as fast with two workers
COLD_AIM, WARM_AIM, MEMORY_AIM, ERRORS_AIM = 5.0, 1.0, 10, 4.0  # seconds, seconds, MB, standard errors


@contextmanager
def alone() -> Iterator[None]:
    """One measurement at a time on this machine."""
    with (Path(tempfile.gettempdir()) / "bench.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def rate(run: TallyRun | SessionRun, workers: int, processor: list[float] | None = None) -> float:
    """Millions of rounds a second; `processor` gets those for each second of processor time."""
    begun = time.process_time()
    outcome = execute(run, Threads(workers))
    rounds = int(outcome.total[0].sum() if isinstance(run, TallyRun) else outcome.total[0][:, 1].sum())
    if processor is not None:
        processor.append(rounds / (time.process_time() - begun) / MILLION)
    return rounds / outcome.seconds / MILLION


def reference(folder: Path) -> Callable[[int], None] | None:
    """The C loop as a function of rounds, if there is a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    library = folder / "reference.so"
    source = Path(__file__).with_name("reference.c")
    subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source], check=True)
    deal = ctypes.CDLL(str(library)).deal
    deal.argtypes, deal.restype = [ctypes.c_longlong], None
    return cast("Callable[[int], None]", deal)


def told(found: list[float]) -> str:
    return (
        f"{max(found):.1f} million rounds a second at best, {median(found):.1f} in the middle of {len(found)}"
    )


def beside_c(deal: Callable[[int], None]) -> bool:
    """The simulator and the C loop, turn by turn for some milliseconds each, on one core, by processor time.

    A turn is shorter than what a busy machine leaves a process at a time, and the two of a pair meet the same neighbours.
    """
    run = TallyRun(rulebook=SLUG, rounds=MANY)
    run.play(0, 1)
    deal(TURN)
    ours: list[float] = []
    plain: list[float] = []
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(everywhere)})
    for turn in range(TURNS):
        begun = time.thread_time()
        run.play(turn, 1)
        between = time.thread_time()
        deal(TURN)
        ended = time.thread_time()
        ours.append(CHUNK / (between - begun) / MILLION)
        plain.append(TURN / (ended - between) / MILLION)
    os.sched_setaffinity(0, everywhere)
    times = sorted(a / b for a, b in zip(ours, plain, strict=True))
    return figure(
        f"the simulator beside a plain loop in C, {TURNS} turns on one core, by processor time",
        f"{median(times):.2f} times as fast in the middle, {times[TURNS // 10]:.2f} to {times[-TURNS // 10]:.2f} in eight "
        f"turns of ten, {max(ours) / max(plain):.2f} best against best",
        aim=f"{TIMES_AIM} times",
        compared=f"the simulator {told(ours)}; the loop in C {told(plain)}",
        reached=median(times) > TIMES_AIM,
    )


def speed(folder: Path) -> bool:
    """The C loop; then one worker and two in turn, so that a busy machine slows both."""
    run = TallyRun(rulebook=SLUG, rounds=ROUNDS)
    run.warm()
    in_c = reference(folder)
    one: list[float] = []
    two: list[float] = []
    each: list[float] = []
    with alone():
        twice = in_c is None or beside_c(in_c)
        for _ in range(REPEATS):
            one.append(rate(run, 1))
            two.append(rate(run, 2, each))
    fast = figure(
        f"thirdcard simulate {SLUG} --rounds {ROUNDS} --workers 1, every outcome class counted",
        told(one),
        aim=f"over {AIM} million",
        compared="the plain loop in C, above" if in_c else "no C compiler",
        reached=max(one) > AIM,
    )
    times = max(two) / max(one)
    shared = figure(
        "the same with --workers 2",
        told(two),
        aim=f"at least {WORKERS_AIM} times one worker",
        compared=f"{times:.2f} times one worker; {max(each):.1f} million for each second that a core was ours",
        reached=times >= WORKERS_AIM,
    )
    return twice and fast and shared


def closer_look() -> bool:
    """A rulebook with bets on suits, beside the same rounds of one without, in turn."""
    closer, plain = TallyRun(rulebook=PERFECT_PAIRS, rounds=ROUNDS), TallyRun(rulebook=SLUG, rounds=ROUNDS)
    found: dict[TallyRun, list[float]] = {closer: [], plain: []}
    with alone():
        for run in found:
            run.warm()
        for _ in range(REPEATS):
            for run, rates in found.items():
                rates.append(rate(run, 1))
    return figure(
        f"thirdcard simulate {PERFECT_PAIRS.name} --rounds {ROUNDS} --workers 1, where bets look at suits",
        told(found[closer]),
        aim=f"over {CLOSER_AIM} million",
        compared=f"{max(found[closer]) / max(found[plain]):.2f} times one where none does: {told(found[plain])}",
        reached=max(found[closer]) > CLOSER_AIM,
    )


def sessions() -> bool:
    found = {}
    for policy in ("never", "positive"):
        stakes = Stakes(plan="martingale", insurance=policy)
        run = SessionRun(rulebook=SLUG, rounds=500, sessions=SESSIONS, stakes=stakes)
        run.warm()
        with alone():
            found[policy] = [rate(run, 1) for _ in range(REPEATS)]
    return figure(
        f"thirdcard simulate {SLUG} --plan martingale --insurance positive --sessions {SESSIONS} --workers 1",
        told(found["positive"]),
        aim=f"over {SESSIONS_AIM} million",
        compared=f"without insurance {told(found['never'])}",
        reached=max(found["positive"]) > SESSIONS_AIM,
    )


def first_result() -> bool:
    """The whole program from its start, with compiled code to be made and with it made."""
    command = [sys.executable, "-m", "thirdcard", "simulate", SLUG, "--rounds", "1000", "--json"]
    with tempfile.TemporaryDirectory() as cache, alone():
        place = {} if SMALLEST else {"NUMBA_CACHE_DIR": cache}  # to compile is no matter of size
        environment = os.environ | place
        seconds = []
        for _ in range(STARTS):
            begun = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True, env=environment)
            seconds.append(time.perf_counter() - begun)
    cold, warm = seconds[0], min(seconds[1:])
    return figure(
        f"thirdcard simulate {SLUG} --rounds 1000, from start to exit",
        f"{cold:.2f} s with everything to compile, {warm:.2f} s afterwards",
        aim=f"within {COLD_AIM:.0f} s, then within {WARM_AIM:.0f} s",
        compared="nothing but itself",
        reached=cold < COLD_AIM and warm < WARM_AIM,
    )


def memory() -> bool:
    """What a long run takes beyond a short one, as the system saw it."""
    code = (
        "import resource, sys; from thirdcard.simulate import *; "
        "execute(TallyRun(rulebook='mbs-tiger-v2', rounds=int(sys.argv[1])), Threads(2)); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    few, many = (
        int(subprocess.run([sys.executable, "-c", code, str(n)], check=True, capture_output=True).stdout)
        / 1024
        for n in (FEW, LONG)
    )
    return figure(
        f"memory for {LONG:,} rounds",
        f"{many:.0f} MB at most",
        aim=f"flat: within {MEMORY_AIM} MB of a short run",
        compared=f"{few:.0f} MB for {FEW:,} rounds",
        reached=abs(many - few) < MEMORY_AIM,
    )


def accuracy() -> bool:
    run = TallyRun(rulebook=SLUG, rounds=MANY)
    outcome = execute(run, Threads(os.cpu_count() or 1))
    exact = values(run.book, fresh(run.decks))
    off = {
        name: (found.ev - float(exact[name].ev)) / found.error
        for name, found in estimates(run.book, outcome.total[0]).items()
    }
    worst = max(off, key=lambda name: abs(off[name]))
    return figure(
        f"{MANY:,} rounds against the exact values of {len(off)} bets",
        f"{worst} is furthest off, by {off[worst]:+.2f} standard errors",
        aim=f"every bet within {ERRORS_AIM:.0f} standard errors",
        compared=f"exact analysis; {outcome.seconds:.1f} s with {os.cpu_count()} workers",
        reached=True,
        right=abs(off[worst]) < ERRORS_AIM,
    )


def main() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        reached = [speed(Path(folder)), closer_look(), sessions(), first_result(), memory(), accuracy()]
    return all(reached)


if __name__ == "__main__":
    sys.exit(not main())
