"""The record of a release run: what it keeps of what was printed, and what it leaves alone."""

import re
import runpy
from pathlib import Path

import pytest

import release
from every_target import FORMS, ROOT, targets
from release import HEADING, Ran, figures, record, recorded, replaced

FIGURES = """AMD, 2 cores

Bets
  measured  5 a second
  aim       4: reached
  compared  one: 6

settle: 0.7 s
"""


def test_every_target_has_a_smallest_form() -> None:
    assert set(targets()) <= set(FORMS)


def test_figures_are_a_line_each_and_otherwise_the_last_lines_are_kept() -> None:
    assert list(figures(FIGURES)) == ["Bets: 5 a second; aim 4: reached; compared with one: 6"]
    assert list(figures("1\n2\n\n3\n4\n=====\n5\n")) == ["2", "3", "4", "5"]


def row(target: str, result: str = "passed", told: str = "said\n") -> Ran:
    return Ran(
        target,
        " KILLS=3" if target == "docs" else "",
        "abc-dirty",
        "2026-11-18 12:34",
        2345,
        "7%",
        result,
        told,
    )


def test_a_record_takes_the_place_of_the_one_before_and_of_nothing_else() -> None:
    first, second = (record([row("bench", result)], "a machine") for result in ("passed", "failed"))
    page = "# Page\n\nBefore.\n"
    once = replaced(page, first)
    assert once == f"{page}\n{first}"
    assert replaced(once, second) == f"{page}\n{second}"
    assert replaced(f"{once}\n## After\n\nThis.\n", second) == f"{page}\n{second}\n## After\n\nThis.\n"
    assert "| `make bench` | `abc-dirty` | 2026-11-18 12:34 | 2,345 | 7% | failed |" in second
    assert "Not passed: bench." in second
    assert first.startswith(HEADING)


def test_a_record_is_read_as_it_was_written_for_the_machine_that_it_speaks_of() -> None:
    rows = [row("bench", "failed", "one: 1; aim 2\ntwo | three\n"), row("docs", told="")]
    page = f"# Page\n\n{record(rows, 'a machine')}\n## After\n\n{record([row('js')], 'a machine')}"
    assert recorded(page, "a machine") == rows
    assert not recorded(page, "another machine")
    assert not recorded("# Page\n", "a machine")


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page, where targets end at once as ENDS says."""
    page = tmp_path_factory.mktemp("docs") / "checked.md"
    page.write_text("# Page\n", "utf-8")
    monkeypatch.setattr(release, "PAGE", page)
    monkeypatch.setattr(release, "ran", lambda target: row(target, ENDS.get(target, "passed")))
    return page


ENDS = {"help": "failed", "trace": "interrupted"}


def test_interrupted_it_writes_what_it_has(page: Path) -> None:
    assert release.main("help", "no-such-target", "trace", "docs") == 1
    told = page.read_text("utf-8")
    assert "| `make help` | `abc-dirty` | 2026-11-18 12:34 | 2,345 | 7% | failed |" in told
    assert "| 2,345 | 7% | interrupted |" in told
    assert "make docs" not in told


def test_what_ran_before_stays_until_it_runs_again(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert release.main("help", "docs") == 1
    monkeypatch.setattr(release, "ran", lambda target: row(target)._replace(of="def"))
    assert release.main("js", "help") == 0
    told = page.read_text("utf-8")
    rows = [line.split("`")[1:4:2] for line in told.splitlines() if line.startswith("| `make")]
    assert rows == [["make help", "def"], ["make docs KILLS=3", "abc-dirty"], ["make js", "def"]]
    assert "All passed." in told
    assert told.count("`make help`:") == 1


def test_a_row_of_a_target_that_is_no_more_goes(page: Path) -> None:
    machine = runpy.run_path(str(ROOT / "bench" / "report.py"))["machine"]()
    page.write_text(record([row("gone"), row("js")], machine), "utf-8")
    release.main("docs")
    assert [one.target for one in recorded(page.read_text("utf-8"), machine)] == ["js", "docs"]


def test_a_command_is_told_with_its_sizes_its_commit_its_time_and_who_else_worked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MAKEFLAGS", "w -- RELEASE=help KILLS=3")
    told = release.ran("help")
    assert told.result == "passed"
    assert told.sizes == " KILLS=3"
    assert re.fullmatch(r"[\w.-]+", told.of)
    assert re.fullmatch(r"\d+%|unknown", told.others)
    assert "one benchmark" in told.told
