"""What all tests rely on, and the tier that each belongs to."""

import gc
import itertools
import signal
import sys
from collections.abc import Iterator
from copy import copy
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
# Folders, files and single tests by tier, the first that fits; what is not here is quick.
TIERS = {
    "browser": ("browser",),
    "server": (
        "cli/test_service.py",
        "service/api",
        "service/store/test_sqlite.py::test_one_process_at_a_time_serves_a_file",
        "service/test_cluster.py",
        "service/test_wallets.py",
        "service/test_covered.py",
        "service/test_kill.py",
        "service/test_races.py",
        "simulate/test_cluster.py",
        "web/test_external.py",
        "web/test_site.py",
        "web/test_staff_pages.py",
    ),
    "slow": (
        "cli",
        "counts",
        "law",
        "odds/test_counting.py",
        "odds/test_kernel.py",
        "protect",
        "service/store/test_power.py",
        "service/test_audit.py",
        "service/test_backup.py",
        "service/test_heads.py",
        "service/test_start.py",
        "simulate",
        "simulator",
        "table/test_legal.py",
        "table/test_machine.py",
        "test_docs.py",
        "test_layers.py",
        "test_newcomer.py",
        "test_site.py",
        "test_wheel.py",
        "transcripts/table",
        "transcripts/test_transcripts.py",
    ),
}


QUICK_TURN = 3
SECONDS = (8.0, 2.5, 0.7)  # that a test takes, by its turn: about

# Tests of ten seconds and more, which come before all others.
LONGEST = (
    "browser/test_whole_floor.py",
    "law/test_mutants.py",
    "rulebook/test_contract.py::test_a_missing_part",
    "service/api/test_privacy.py",
    "service/api/test_schemathesis.py",
    "service/test_audit.py",
    "service/test_covered.py",
    "service/test_kill.py",
    "simulate/test_cluster.py",
    "simulate/test_work.py",
    "simulator",
    "table/test_legal.py",
    "table/test_machine.py",
)


@pytest.fixture(scope="module", autouse=True)
def rulebooks_of_a_file_stay_in_it() -> Iterator[None]:
    """Folders searched and books taken by servers in this process are not found by the tests of other files."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_folders", "_taken"):
            patch.setattr(sources, name, copy(getattr(sources, name)))
        yield


def listed(name: str) -> str | None:
    """The tier that a folder, file or test is listed in."""
    for tier, places in TIERS.items():
        if any(name == place or name.startswith((f"{place}/", f"{place}::")) for place in places):
            return tier
    return None


def tier_of(item: pytest.Item) -> str:
    """The tier of a test, by where it stands and by what it asks for."""
    if tier := listed(item.nodeid.removeprefix("tests/").partition("[")[0]):
        return tier
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    asked = {*getattr(item, "fixturenames", ()), *(one for one in parameters if isinstance(one, str))}
    return "server" if asked & POSTGRES else "quick"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Who asks for the quick tier does not wait until the others are read."""
    name = collection_path.relative_to(Path(__file__).parent).as_posix()
    return True if config.getoption("-m") == "quick" and listed(name) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests come first, and each process has its share of them."""
    for item in items:
        item.add_marker(tier_of(item))
    items.sort(key=_turn)
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    if processes > 1:
        items[:] = shared_out(items, processes)


def _turn(item: pytest.Item) -> int:
    name = item.nodeid.removeprefix("tests/")
    if name.startswith(LONGEST):
        return 0
    if item.get_closest_marker("browser"):
        return 1
    return QUICK_TURN if item.get_closest_marker("quick") else 2


def shared_out(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """One part for each process, of the same number of tests and of about the same time.

    That is how xdist hands them out at first, before who is done takes from the others. A file stays together,
    for what its tests share, but for the quick ones, which make the parts equal.
    """
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        if _turn(item) < QUICK_TURN:
            files.setdefault(item.nodeid.partition("::")[0], []).append(item)
    quick = [item for item in items if _turn(item) == QUICK_TURN]
    parts: list[list[pytest.Item]] = [[] for _ in range(processes)]
    load = [0.0] * processes
    seconds = {file: sum(SECONDS[_turn(item)] for item in those) for file, those in files.items()}
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
