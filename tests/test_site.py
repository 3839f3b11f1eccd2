"""The documentation site: it builds strictly and asks for nothing, and what its pages show is what happens."""

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SETTINGS = tomllib.loads((ROOT / "docs" / "zensical.toml").read_text(encoding="utf-8"))["project"]
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
SHOWING = [*TUTORIALS, ROOT / "PACKAGE.md"]
MADE = {"cli.md", "reference.md"}  # written when the site is
BESIDE = {"CONTRIBUTING.md", "CHANGELOG.md"}


def fences(page: Path, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


# Tutorials ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_the_python_of_a_tutorial_gives_what_it_shows(page: Path) -> None:
    blocks = fences(page, "python")
    parsed = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.stem, str(page), 0)
    told: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    result = runner.run(parsed, out=told.append)
    assert result.attempted >= len(blocks)
    assert result.failed == 0, "".join(told)


def commands(block: str) -> list[tuple[str, str]]:
    """Each command of a block, with what stands under it."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    assert parts[0] == ""
    return list(zip(parts[1::2], parts[2::2], strict=True))


def pattern(shown: str) -> str:
    """What fits: a line `…` stands for any lines, `…` in a line for any part of it."""
    lines = [
        "(?:.*\n)*?" if line == "…" else f"{re.escape(line).replace('…', '.*')}\n"
        for line in shown.splitlines()
    ]
    return "".join(lines)


@pytest.mark.parametrize("page", SHOWING, ids=lambda page: page.stem)
def test_the_commands_of_a_tutorial_print_what_it_shows(page: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    shutil.copy(DOCS / "table-example.jsonl", tmp_path / "docs")
    program = tmp_path / "bin" / "thirdcard"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m thirdcard "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    shown_with = {"PATH": f"{program.parent}:{os.environ['PATH']}", "COLUMNS": "100", "NO_COLOR": "1"}
    asked = [one for block in fences(page, "console") for one in commands(block)]
    assert asked
    for command, shown in asked:
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=tmp_path,
            env=os.environ | shown_with,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        told = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
        assert re.fullmatch(pattern(shown), told), f"{command}\n{told}"


def test_a_tutorial_that_shows_something_else_is_noticed() -> None:
    assert re.fullmatch(pattern("…\nNet +500\n"), "Tie\n\nNet +500\n")
    assert not re.fullmatch(pattern("…\nNet +501\n"), "Tie\n\nNet +500\n")


# Pages --------------------------------------------------------------------------------------------------


def pages_of(nav: list[Any]) -> list[str]:
    found: list[str] = []
    for entry in nav:
        for where in entry.values():
            found += pages_of(where) if isinstance(where, list) else [where]
    return found


def test_every_document_is_in_the_navigation_once() -> None:
    listed = pages_of(SETTINGS["nav"])
    written = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert len(listed) == len(set(listed))
    assert set(listed) == written | MADE | BESIDE


@pytest.fixture(scope="module")
def site() -> ModuleType:
    """What `make docs` builds the site with."""
    sys.path.insert(0, str(DOCS))
    try:
        return import_module("site_pages")
    finally:
        sys.path.remove(str(DOCS))


@pytest.fixture(scope="module")
def built(site: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    site.gather(folder)
    assert site.build(folder) == 0
    return folder


@pytest.mark.whole  # the gate builds it by `make docs`
def test_the_site_builds_strictly_with_every_page(built: Path) -> None:
    made = {page.relative_to(built / "site").as_posix() for page in (built / "site").rglob("*.html")}
    assert {page.replace(".md", ".html") for page in pages_of(SETTINGS["nav"])} <= made


@pytest.mark.whole
def test_no_page_asks_another_machine_for_anything(built: Path) -> None:
    """Links that a reader follows may lead elsewhere; pictures, styles and scripts may not."""
    for page in (built / "site").rglob("*.html"):
        asked = re.findall(
            r'<(?:link|script|img|iframe)[^>]*(?:src|href)="(https?:)?//[^"]*"', page.read_text("utf-8")
        )
        assert asked == [], page.name


@pytest.mark.whole
def test_the_reference_has_the_docstrings(built: Path) -> None:
    page = (built / "site" / "reference.html").read_text(encoding="utf-8")
    for name in (
        "settle",
        "odds",
        "simulate",
        "insurance",
        "ruling",
        "Game",
        "Table",
        "SessionRun",
        "settle_frame",
    ):
        assert re.search(rf'id="thirdcard\.[\w.]*\.{name}"', page), name


@pytest.mark.whole
def test_the_command_line_has_every_command(built: Path) -> None:
    page = (built / "pages" / "cli.md").read_text(encoding="utf-8")
    for name in ("settle", "odds", "serve", "rules diff", "protect radar", "account add"):
        assert f"## `thirdcard {name}`" in page, name


@pytest.mark.whole
def test_notebooks_are_rendered_with_their_answers(built: Path) -> None:
    for page in (DOCS / "notebooks").glob("*.md"):
        made = json.loads((built / "pages" / "notebooks" / f"{page.stem}.ipynb").read_text("utf-8"))
        code = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
        assert len(code) == len(fences(page, "python"))
        assert sum(bool(cell["outputs"]) for cell in code) >= len(code) / 2
        shown = (built / "site" / "notebooks" / f"{page.stem}.html").read_text(encoding="utf-8")
        assert 'class="answer"' in shown


@pytest.mark.whole
def test_a_broken_link_is_an_error(site: ModuleType, tmp_path: Path) -> None:
    for name in pages_of(SETTINGS["nav"]):
        page = tmp_path / "pages" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("# A page\n", encoding="utf-8")
    assert site.build(tmp_path) == 0
    (tmp_path / "pages" / "index.md").write_text("[nowhere](no-such-page.md)\n", encoding="utf-8")
    assert site.build(tmp_path) != 0
