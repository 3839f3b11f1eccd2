"""What all tests rely on, and the tier that each belongs to."""

import gc
import itertools
import random
import re
import signal
import sys
from collections.abc import Iterator
from copy import copy
from functools import cache
from importlib import import_module
from pathlib import Path

import hypothesis
import pytest

# A shell that starts a command in the background has it ignore Ctrl-C, and programs started from here would
# inherit that; the tests that interrupt something need it to be noticed.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine makes no test fail: nothing here depends on speed.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

# What checks for several tests, wherever it is imported from first.
pytest.register_assert_rewrite(
    "irregularities.checks",
    "irregularities.checks_cards",
    "irregularities.every_case",
    "irregularities.situations",
    "rules.checks",
    "rules.insurance_checks",
    "table.tables",
)

sources = import_module("thirdcard.rulebook.sources")

POSTGRES = {"postgres", "server"}  # fixtures, or their parameters, that start one
TIERS = ("browser", "server", "slow", "quick")  # in the order in which they run: long tests first
SECONDS = {"browser": 3.0, "server": 0.2, "slow": 0.3, "quick": 0.01}  # that a test takes, about
FILE_MARKS = re.compile(r"^pytestmark = (\[.*?\]|.*?)$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module", autouse=True)
def rulebooks_of_a_file_stay_in_it() -> Iterator[None]:
    """Folders searched and books taken by servers in this process are not found by the tests of other files."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_folders", "_taken"):
            patch.setattr(sources, name, copy(getattr(sources, name)))
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--part", metavar="K/N", help="the K-th of N parts of the tests, from 0; each of a family"
    )
    parser.addoption("--shuffled", metavar="SEED", help="files, and the tests of each, in an order by chance")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Nobody waits until files are read of which all tests are left out: not in `make quick`, not in the gate."""
    wanted = config.getoption("-m")
    if wanted not in {"quick", "not whole"}:
        return None
    left_out = {"whole"} if wanted == "not whole" else {"whole", *TIERS} - {"quick"}
    files = collection_path.rglob("test_*.py") if collection_path.is_dir() else (collection_path,)
    return all(file_marks(file) & left_out for file in files) or None


@cache
def file_marks(file: Path) -> set[str]:
    """What `pytestmark` says of all tests of a file."""
    marks = FILE_MARKS.search(file.read_text("utf-8"))
    return set(re.findall(r"pytest\.mark\.(\w+)", marks[1])) if marks else set()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each test has its tier, by the marks beside it and by what it asks for; long tests come first."""
    for item in items:
        _mark(item)
    if not any("::" in one for one in config.args):
        _check_gates(items)
    if part := config.getoption("--part"):
        _keep_part(config, items, *map(int, part.split("/")))
    if seed := config.getoption("--shuffled"):
        _shuffle(items, seed)
        return
    items.sort(key=_turn)
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    if processes > 1:
        items[:] = shared_out(items, processes)


def _mark(item: pytest.Item) -> None:
    gate = item.get_closest_marker("gate")
    if gate and not case_of(item).startswith(gate.args):
        item.add_marker("whole")
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    asked = {*getattr(item, "fixturenames", ()), *(one for one in parameters if isinstance(one, str))}
    if tier_of(item) == "quick" and asked & POSTGRES:
        item.add_marker("server")
    if tier_of(item) == "quick" and not item.get_closest_marker("whole"):
        item.add_marker("quick")


def case_of(item: pytest.Item) -> str:
    """Which case of its test this is, as the name in brackets has it."""
    return item.name.partition("[")[2]


def tier_of(item: pytest.Item) -> str:
    """Where it runs; what no mark says otherwise of is quick."""
    return next((tier for tier in TIERS if item.get_closest_marker(tier)), "quick")


def _check_gates(items: list[pytest.Item]) -> None:
    """A case that was renamed must not leave the gate unnoticed."""
    cases: dict[str, list[str]] = {}
    gates: dict[str, tuple[str, ...]] = {}
    for item in items:
        if gate := item.get_closest_marker("gate"):
            name = item.nodeid.partition("[")[0]
            cases.setdefault(name, []).append(case_of(item))
            gates[name] = gate.args
    for name, wanted in gates.items():
        gone = [one for one in wanted if not any(case.startswith(one) for case in cases[name])]
        if gone:
            raise pytest.UsageError(f"{name}: its mark `gate` names {gone}, and no case begins so")


def _keep_part(config: pytest.Config, items: list[pytest.Item], which: int, parts: int) -> None:
    """Those that are left of every N, one after the other, so that each family of tests is in every part."""
    tiers = config.getoption("-m")
    assert tiers == "whole", "a part is taken of `make whole`"
    whole = sorted((item for item in items if item.get_closest_marker("whole")), key=lambda item: item.nodeid)
    items[:] = whole[which % parts :: parts]


def _shuffle(items: list[pytest.Item], seed: str) -> None:
    """A file stays together, for what its tests share."""
    chance = random.Random(seed)  # noqa: S311 - an order
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.nodeid.partition("::")[0], []).append(item)
    order = list(files.values())
    chance.shuffle(order)
    for tests in order:
        chance.shuffle(tests)
    items[:] = itertools.chain(*order)


def _turn(item: pytest.Item) -> int:
    return TIERS.index(tier_of(item))


def shared_out(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """One part for each process, of the same number of tests and of about the same time.

    That is how xdist hands them out at first, before who is done takes from the others. A file stays together,
    for what its tests share, but for the quick ones, which make the parts equal.
    """
    files: dict[str, list[pytest.Item]] = {}
    quick: list[pytest.Item] = []
    for item in items:
        if tier_of(item) == "quick":
            quick.append(item)
        else:
            files.setdefault(item.nodeid.partition("::")[0], []).append(item)
    parts: list[list[pytest.Item]] = [[] for _ in range(processes)]
    load = [0.0] * processes
    seconds = {file: sum(SECONDS[tier_of(item)] for item in those) for file, those in files.items()}
    for file in sorted(files, key=lambda file: -seconds[file]):
        least = load.index(min(load))
        parts[least] += files[file]
        load[least] += seconds[file]
    left = len(items)
    for place, part in enumerate(parts):
        size = left // (processes - place)
        room = max(0, size - len(part))
        part.sort(key=_turn)
        part.extend(quick[:room])
        del quick[:room]
        left -= size
    return [*itertools.chain(*parts), *quick]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """No browser runs beside a test that has none."""
    if not item.get_closest_marker("browser"):
        _close_browser()


def pytest_sessionfinish() -> None:
    _close_browser()


def _close_browser() -> None:
    if running := sys.modules.get("browser.running"):
        running.close()


def pytest_collection_finish() -> None:
    """Thousands of tests and their modules stay to the end: going through them again and again takes time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
