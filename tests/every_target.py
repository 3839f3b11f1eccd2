"""Every target of the Makefile in its smallest form (`make smallest`), so that no command rots unnoticed.

The files are copied to build/smallest: what writes into the tree writes into a copy of its own, and golden files that
come out otherwise than they are in the tree are an error. A target without a form here is an error too. The virtual
environment is shared; code is imported from the copy. Nothing is judged by its speed.
"""

import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import ClassVar, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = Path(sys.prefix)
PLACE = ROOT / "build" / "smallest"
# Copies for who only reads, for who writes, and for who pins anew what is installed, by which others are remade.
READ, WRITTEN, PINNED = PLACE / "read", PLACE / "written", PLACE / "pinned"
GOLDEN = (
    "tests/transcripts/*",
    "src/thirdcard/rulebook/trace_tests.json",
    "tests/counts/*.json",
    "docs/rules.md",
    "docs/figures.md",
)
BENCHMARKS = sorted(one.stem for one in (ROOT / "bench").glob("*.py") if one.stem not in {"run", "report"})
GUARD = 600.0  # seconds; for what is stuck, whatever the machine
SHOWN = 25  # last lines of what failed
NO_INDEX = "is a package index reachable?"


class Job(NamedTuple):
    """What is run, and what is wrong with it then: nothing, if that is empty."""

    name: str
    work: Callable[[], str]
    writes: bool = False


# Forms --------------------------------------------------------------------------------------------------


def made(target: str, *arguments: str, where: Path = READ) -> str:
    """`make TARGET SMALLEST=1` in a copy."""
    status, told = run(*make(where), target, "SMALLEST=1", *arguments, where=where)
    return told if status else ""


def read(target: str) -> Iterator[Job]:
    yield Job(target, lambda: made(target))


def written(target: str) -> Iterator[Job]:
    yield Job(target, lambda: made(target, where=WRITTEN), writes=True)


def told(target: str) -> Iterator[Job]:
    """Only what it would do: the gate itself runs it, or another target here."""
    yield Job(f"{target} (told)", lambda: made(target, "--dry-run"))


def alone(target: str) -> Iterator[Job]:
    """One process for tests that are few; what is done once for many of them is left out."""
    yield Job(target, lambda: made(target, "WORKERS=0", "--old-file=warm"))


def benchmarks(target: str) -> Iterator[Job]:
    """Each by itself; the school's items and the radar have targets of their own."""
    for name in BENCHMARKS:
        if name not in {"school_items", "radar"} and (
            name != "browser" or (ROOT / ".venv/.browser").exists()
        ):
            yield Job(f"{target} {name}", lambda name=name: made(target, f"BENCH={name}"))  # type: ignore[misc]


def lock(target: str) -> Iterator[Job]:
    """The pins stay; where no packages can be had there is nothing to compare."""
    if not shutil.which("npm"):
        say(f"not run: {target}, for want of npm")
        return

    def work() -> str:
        wrong = made(target, where=PINNED)
        return "" if NO_INDEX in wrong else wrong

    yield Job(target, work)


def served(target: str) -> Iterator[Job]:
    """Started, asked for one page, and ended as by Ctrl-C."""

    def work() -> str:
        with socket.create_server(("127.0.0.1", 0)) as found:
            port = found.getsockname()[1]
        begun = Started(*make(READ), target, f"SERVE=--port {port}", where=READ)
        try:
            page = answer(f"http://127.0.0.1:{port}/", begun)
        finally:
            begun.end(signal.SIGINT)
            said = begun.output()
        return "" if "thirdcard" in page.lower() else f"no page came: {page[:200]}\n{said}"

    yield Job(target, work)


def answer(address: str, begun: "Started") -> str:
    """A page of a server that is on its way up; empty if it ends before."""
    ends = time.monotonic() + GUARD
    while begun.process.poll() is None and time.monotonic() < ends:
        with suppress(OSError), urllib.request.urlopen(address, timeout=60) as page:  # noqa: S310 - our own
            return str(page.read().decode())
        time.sleep(0.1)
    return ""


def cleaned(target: str) -> Iterator[Job]:
    """In a folder of its own, where it removes its environment, and none that stands elsewhere."""

    def work() -> str:
        folder, elsewhere = PLACE / "cleaned", PLACE / "elsewhere"
        for one in (folder / ".venv", folder / "build", elsewhere):
            one.mkdir(parents=True)
        shutil.copy(READ / "Makefile", folder)
        for arguments in ((f"VENV={elsewhere}",), ()):
            status, said = run("make", "-C", str(folder), target, *arguments, where=folder)
            if status:
                return said
        left = [one for one in ("build", ".venv") if (folder / one).exists()]
        if left or not elsewhere.exists():
            return f"left: {left}; what stands elsewhere is {'there' if elsewhere.exists() else 'gone'}"
        return ""

    yield Job(target, work)


def released(target: str) -> Iterator[Job]:
    """A record of commands that take no time."""

    def work() -> str:
        page = WRITTEN / "docs" / "checked.md"
        before = page.read_text("utf-8")
        wrong = made(target, where=WRITTEN)
        after = page.read_text("utf-8")
        page.write_text(before, "utf-8")
        rows = [f"| `make {name} SMALLEST=1` |" for name in ("help", "trace")]
        return wrong or "".join(f"no row {row}\n" for row in rows if row not in after)

    yield Job(target, work, writes=True)


# What takes longest comes first.
FORMS: dict[str, Callable[[str], Iterator[Job]]] = {
    "soak": read,
    "bench": benchmarks,
    "docs": written,
    "cases": read,
    "pictures": written,
    "transcripts": written,
    "lock": lock,
    "sizes": read,
    "radar": read,
    "counts": written,
    "run": served,
    "school": read,
    "versions": alone,
    "whole": alone,
    "part": alone,
    "orders": read,
    "costs": read,
    "quick": alone,
    "mutants": read,
    "icons": written,
    "trace": written,
    "release": released,
    "clean": cleaned,
    "help": read,
    "check": told,
    "js": told,  # the gate runs it
    "test": told,
    "warm": told,
    "tables": told,  # soak runs these
    "kills": told,
    "flips": told,
    "storms": told,
    "hostile": told,
    "smallest": told,
}


def targets() -> dict[str, list[str]]:
    """What the Makefile says is a target and no file, with what it asks for first."""
    _, database = run("make", "--print-data-base", "--dry-run", "help", where=ROOT)
    asks = {
        name: needed.split() for name, needed in re.findall(r"^([.\w]+):([^=\n]*)$", database, re.MULTILINE)
    }
    return {name: asks.get(name, []) for name in asks[".PHONY"]}


def wanting(asked: list[str]) -> str:
    """What there is to be set up before, and is not."""
    return next((one for one in asked if one.startswith(".venv/") and not (ROOT / one).exists()), "")


# Running ------------------------------------------------------------------------------------------------


def make(where: Path) -> list[str]:
    return ["make", "--no-print-directory", "-C", str(where), f"VENV={ENVIRONMENT}"]


class Started:
    """A process with all that it starts, and what they print."""

    every: ClassVar[set["Started"]] = set()

    def __init__(self, *command: str, where: Path) -> None:
        ours = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        source = {"PYTHONPATH": str(where / "src")} if where != ROOT else {}
        self.printed = tempfile.TemporaryFile()  # noqa: SIM115 - as long as this is
        self.process = subprocess.Popen(
            command, cwd=where, env=ours | source, stdin=subprocess.DEVNULL, stdout=self.printed,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        self.every.add(self)

    def output(self) -> str:
        """Of one that has ended."""
        with self.printed:
            self.printed.seek(0)
            return self.printed.read().decode(errors="replace")

    def wait(self) -> int:
        try:
            return self.process.wait(GUARD)
        except subprocess.TimeoutExpired:
            self.end(signal.SIGKILL)
            return 1

    def end(self, how: signal.Signals) -> None:
        """End it, and whatever it started that is still there."""
        for one in (how, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, one)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(60)
        self.every.discard(self)


def run(*command: str, where: Path) -> tuple[int, str]:
    """The status of a command, and what it printed."""
    begun = Started(*command, where=where)
    status = begun.wait()
    begun.every.discard(begun)
    return status, begun.output()


def files() -> list[Path]:
    """All that belongs to the project, as it is in the tree now."""
    ignored = [".git", *(line.rstrip("/") for line in (ROOT / ".gitignore").read_text("utf-8").split())]
    found: list[Path] = []
    for folder, inner, names in os.walk(ROOT):
        place = Path(folder).relative_to(ROOT)
        inner[:] = [one for one in inner if not any(fnmatch(one, pattern) for pattern in ignored)]
        ours = (place / one for one in names if not any(fnmatch(one, pattern) for pattern in ignored))
        found += [one for one in ours if one.as_posix() not in ignored]
    return sorted(found)


def copy_to(place: Path, every: list[Path]) -> None:
    """The files, with what was compiled of them."""
    for folder in {one.parent for one in every}:
        (place / folder).mkdir(parents=True, exist_ok=True)
        (place / folder / "__pycache__").mkdir(exist_ok=True)
        for compiled in (ROOT / folder / "__pycache__").glob("*.pyc"):
            with suppress(FileNotFoundError):  # whoever runs beside this has written it anew
                shutil.copy2(compiled, place / folder / "__pycache__")
    for one in every:
        shutil.copy2(ROOT / one, place / one)


def changed(every: list[Path]) -> Iterator[str]:
    """What is not as it is in the tree where it was written anew."""
    ours = {one.as_posix() for one in every}
    for name in sorted(ours):
        before = (ROOT / name).read_bytes()
        copies = [place / name for place in (WRITTEN, PINNED)]
        if not all(one.exists() and one.read_bytes() == before for one in copies):
            yield name
    for pattern in GOLDEN:
        folder, _, ending = pattern.rpartition("/")
        for one in sorted((WRITTEN / folder).rglob(ending)):
            name = one.relative_to(WRITTEN).as_posix()
            if one.is_file() and "__pycache__" not in one.parts and name not in ours:
                yield name


class Progress:
    """A line for each job as it ends, with what failed."""

    def __init__(self, jobs: list[Job]) -> None:
        self.total, self.done, self.failed = len(jobs), 0, dict[str, str]()
        self._one_at_a_time = threading.Lock()

    def go(self, job: Job) -> None:
        begun = time.monotonic()
        try:
            wrong = job.work()
        except Exception as error:  # noqa: BLE001 - the other jobs go on
            wrong = f"{type(error).__name__}: {error}"
        seconds = time.monotonic() - begun
        with self._one_at_a_time:
            self.done += 1
            if wrong:
                self.failed[job.name] = wrong
            say(f"{self.done:>3}/{self.total}  {seconds:6.1f} s  {job.name}{'  FAILED' if wrong else ''}")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def work_off(jobs: list[Job], progress: Progress) -> None:
    """Three at a time, of which some wait; one at a time of those that write."""
    readers: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        if not job.writes:
            readers.put(job)

    def others() -> None:
        with suppress(queue.Empty):
            while True:
                progress.go(readers.get_nowait())

    def writers() -> None:
        for job in jobs:
            if job.writes:
                progress.go(job)
        others()

    lanes = [threading.Thread(target=one, daemon=True) for one in (writers, others, others)]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()


def main(*names: str) -> int:
    begun, before = time.monotonic(), installed()
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    listed = targets()
    if forgotten := sorted(set(listed) - set(FORMS)):
        say(f"no smallest form, in FORMS of tests/every_target.py, has {', '.join(forgotten)}")
        return 1
    every = files()
    for place in (READ, WRITTEN, PINNED):
        copy_to(place, every)
    wanted = [name for name in FORMS if name in (names or listed)]
    for name in [name for name in wanted if wanting(listed[name])]:
        wanted.remove(name)
        say(f"not run: {name}, for want of {wanting(listed[name])}")
    jobs = [job for name in wanted for job in FORMS[name](name)]
    progress = Progress(jobs)
    try:
        work_off(jobs, progress)
    except KeyboardInterrupt:
        for one in list(Started.every):
            one.end(signal.SIGTERM)
        raise SystemExit(130) from None
    for name, wrong in progress.failed.items():
        say("\n".join(["", f"{name}:", *wrong.splitlines()[-SHOWN:]]))
    other = list(changed(every))
    stale = [name for name in other if any(fnmatch(name, pattern) for pattern in GOLDEN)]
    if other:
        say(f"written otherwise than it is: {', '.join(other)}")
    if stale:
        say(f"golden files that are not up to date: {', '.join(stale)}")
    say(
        f"{len(jobs)} jobs in {time.monotonic() - begun:.0f} s, {len(progress.failed)} failed: {', '.join(progress.failed) or 'none'}"
    )
    if installed() != before:
        say("the virtual environment that is shared was changed: remove it, and make it anew")
        return 1
    return int(bool(progress.failed or stale))


def installed() -> dict[str, int]:
    """Every package in the virtual environment, and when it came there."""
    packages = Path(sysconfig.get_path("purelib"))
    return {
        one.name: one.stat().st_mtime_ns for one in packages.iterdir() if one.suffix in {".dist-info", ".pth"}
    }


if __name__ == "__main__":
    for ends in (signal.SIGINT, signal.SIGTERM):  # beside other commands a shell has the first ignored
        signal.signal(ends, signal.default_int_handler)
    sys.exit(main(*sys.argv[1:]))
