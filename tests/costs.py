"""What the tests cost (`make costs`): clock and processor time of every phase, fixture and test.

Processes that a test starts are counted too, those of Chromium's renderers among them, which end without anybody
waiting for them: they are looked at every quarter of a second and at the beginning and end of each phase.
"""

import json
import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from conftest import tier_of

TICKS = os.sysconf("SC_CLK_TCK")
LOOKS_SECONDS = 0.25
PHASES = ("setup", "call", "teardown")
SHOWN = 40


class Cost(NamedTuple):
    """Seconds on the clock, of this process, and of those that it started."""

    clock: float
    own: float
    others: float

    def __sub__(self, before: "Cost") -> "Cost":
        return Cost(*(now - then for now, then in zip(self, before, strict=True)))


class Started:
    """Processor time of all processes that this one started, directly or not, also of those that have ended."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._look_again, daemon=True).start()

    def seconds(self) -> float:
        with self._lock:
            for pid in _below(os.getpid()):
                self._seconds[pid] = max(self._seconds.get(pid, 0.0), _seconds_of(pid))
            return sum(self._seconds.values())

    def _look_again(self) -> None:
        while True:
            time.sleep(LOOKS_SECONDS)
            self.seconds()


def _below(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found = task.read_text().split()
        except OSError:  # it has ended meanwhile
            continue
        for child in map(int, found):
            yield child
            yield from _below(child)


def _seconds_of(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


class Meter:
    """Writes a line for every phase and fixture to a file of this process."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = (folder / f"{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}.jsonl").open("w")
        self._started = Started()

    def pytest_unconfigure(self) -> None:
        self._file.close()

    def now(self) -> Cost:
        return Cost(time.perf_counter(), time.process_time(), self._started.seconds())

    def _measured(self, **what: str) -> Generator[None, Any, Any]:
        before = self.now()
        try:
            return (yield)
        finally:
            cost = self.now() - before
            self._file.write(json.dumps(what | cost._asdict()) + "\n")
            self._file.flush()

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, Any, Any]:
        return (yield from self._measured(phase="collection"))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._of(item, "setup"))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._of(item, "call"))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._of(item, "teardown"))

    def _of(self, item: pytest.Item, phase: str) -> Generator[None, Any, Any]:
        return (yield from self._measured(phase=phase, test=item.nodeid, tier=tier_of(item)))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, Any, Any]:
        name = f"{request.node.nodeid.partition('::')[0]}: {fixturedef.argname} ({fixturedef.scope})"
        return (yield from self._measured(phase="fixture", fixture=name))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--costs", metavar="FOLDER", help="where the costs of the tests are written, and told at the end"
    )


def pytest_configure(config: pytest.Config) -> None:
    folder = config.getoption("--costs")
    if folder and (hasattr(config, "workerinput") or not config.getoption("numprocesses", None)):
        config.pluginmanager.register(Meter(Path(folder)))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if folder := config.getoption("--costs"):
        terminalreporter.write_line("\n".join(told(Path(folder))))


# Summed up ----------------------------------------------------------------------------------------------


def told(folder: Path) -> Iterator[str]:
    """Tables by phase, tier, file, test and fixture, the dearest first."""
    lines = [
        json.loads(line) for file in sorted(folder.glob("*.jsonl")) for line in file.read_text().splitlines()
    ]
    tests = [line for line in lines if line["phase"] in PHASES]
    yield from _table("phase", lines, lambda line: line["phase"])
    yield from _table("tier", tests, lambda line: line["tier"])
    yield from _table("file", tests, lambda line: line["test"].partition("::")[0])
    yield from _table("test", tests, lambda line: line["test"].partition("[")[0])
    fixtures = [line for line in lines if line["phase"] == "fixture"]
    yield from _table("fixture", fixtures, lambda line: line["fixture"])


def _table(name: str, lines: Iterable[dict[str, Any]], key: Callable[[dict[str, Any]], str]) -> Iterator[str]:
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for line in lines:
        for place, field in enumerate(Cost._fields):
            sums[key(line)][place] += line[field]
    yield ""
    yield f"| {name} | clock, s | processor, s | processor of what it started, s |"
    yield "| --- | --- | --- | --- |"
    for one, (clock, own, others) in sorted(sums.items(), key=lambda row: -row[1][1] - row[1][2])[:SHOWN]:
        yield f"| {one} | {clock:.1f} | {own:.1f} | {others:.1f} |"
