"""The tiers of the tests: what a mark beside a test says is where it runs."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parent
FILES = {
    "test_mixed.py": """
import pytest

def test_plain(): pass
@pytest.mark.slow
def test_slow(): pass
@pytest.mark.whole
def test_whole(): pass
@pytest.mark.gate("en", "zh-")
@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh"])
def test_gate(lang): pass
@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_store(store): pass
""",
    "test_server.py": """
import pytest
pytestmark = pytest.mark.server

def test_served(): pass
""",
    "test_unread.py": """
pytestmark = pytest.mark.browser
import a_module_that_is_not_there
""",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tiers")
    for name, text in FILES.items():
        (made / name).write_text(text)
    return made


def collect(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    settings = (
        "-c",
        str(TESTS.parent / "pyproject.toml"),
        "--rootdir",
        str(folder),
        "-p",
        "no:cacheprovider",
    )
    words = [sys.executable, "-m", "pytest", "-q", "--collect-only", "--confcutdir", str(folder), *settings]
    environment = {"PYTHONPATH": str(TESTS)}
    return subprocess.run(
        [*words, "-p", "conftest", *options, str(folder)],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def names(done: subprocess.CompletedProcess[str]) -> set[str]:
    assert done.returncode == 0, done.stdout + done.stderr
    return {line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line}


def test_quick_is_what_no_mark_says_otherwise_of_and_no_other_file_is_read(folder: Path) -> None:
    found = names(collect(folder, "-m", "quick"))
    assert found == {"test_plain", "test_gate[en]", "test_gate[zh-Hans]", "test_store[sqlite]"}


def test_the_gate_leaves_whole_tests_and_cases_to_make_whole(folder: Path) -> None:
    ignoring = ("--ignore", str(folder / "test_unread.py"))
    whole = names(collect(folder, "-m", "whole", *ignoring))
    assert whole == {"test_whole", "test_gate[zh]"}
    gate = names(collect(folder, "-m", "not whole", *ignoring))
    assert gate == {
        "test_plain", "test_slow", "test_gate[en]", "test_gate[zh-Hans]", "test_served",
        "test_store[sqlite]", "test_store[postgres]",
    }  # fmt: skip
    assert names(collect(folder, "-m", "server", *ignoring)) == {"test_served", "test_store[postgres]"}
    parts = [names(collect(folder, "-m", "whole", "--part", f"{part}/2", *ignoring)) for part in range(2)]
    assert parts[0] | parts[1] == whole
    assert not parts[0] & parts[1]


def test_a_case_that_was_renamed_is_an_error(folder: Path, tmp_path: Path) -> None:
    del folder
    text = FILES["test_mixed.py"].replace('"zh-")', '"zh-TW")')
    (tmp_path / "test_renamed.py").write_text(text)
    done = collect(tmp_path)
    assert done.returncode != 0
    assert "test_gate: its mark `gate` names ['zh-TW']" in done.stderr + done.stdout


def test_an_order_by_chance_has_all_tests_and_comes_back_by_its_seed(folder: Path) -> None:
    ignoring = ("--ignore", str(folder / "test_unread.py"))
    told = [collect(folder, "--shuffled", seed, *ignoring).stdout for seed in ("1", "1", "2", "3")]
    orders = [tuple(line for line in one.splitlines() if "::" in line) for one in told]
    assert orders[0] == orders[1]
    assert len(set(orders)) > 1
    assert {frozenset(one) for one in orders} == {frozenset(orders[0])}
