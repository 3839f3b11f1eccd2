"""The record of a release run: what it keeps of what was printed, and what it leaves alone."""

import pytest

import release
from every_target import FORMS, targets
from release import HEADING, Ran, figures, record, replaced

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


def test_a_record_takes_the_place_of_the_one_before_and_of_nothing_else() -> None:
    first, second = (record([Ran("bench", result, 2.4, FIGURES)], "abc") for result in ("passed", "failed"))
    page = "# Page\n\nBefore.\n"
    once = replaced(page, first)
    assert once == f"{page}\n{first}"
    assert replaced(once, second) == f"{page}\n{second}"
    assert replaced(f"{once}\n## After\n\nThis.\n", second) == f"{page}\n{second}\n## After\n\nThis.\n"
    assert "| `make bench` | 2 | failed |" in second
    assert "Not passed: bench." in second
    assert first.startswith(HEADING)


def test_interrupted_it_writes_what_it_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = tmp_path_factory.mktemp("docs") / "checked.md"
    page.write_text("# Page\n", "utf-8")
    ends = {"help": "failed", "trace": "interrupted"}
    monkeypatch.setattr(release, "PAGE", page)
    monkeypatch.setattr(release, "ran", lambda target: Ran(target, ends[target], 1.0, "said\n"))
    assert release.main("help", "no-such-target", "trace", "docs") == 1
    told = page.read_text("utf-8")
    assert "| `make help` | 1 | failed |" in told
    assert "| `make trace` | 1 | interrupted |" in told
    assert "make docs" not in told
