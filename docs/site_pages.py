"""The documentation site: pages gathered in build/pages, then built to build/site (`make docs`).

Gathered are the documents as they are, notebooks executed, the command line as its own help tells it, and a
page that asks for the docstring of every public name. A broken link is an error. Nothing asks the network for
anything.
"""

import inspect
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from executing import as_notebook, as_page, execute

import thirdcard

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
BUILD = ROOT / "build"
BESIDE = ("CONTRIBUTING.md", "CHANGELOG.md")  # documents that stand outside docs/
MODULES = ("odds", "simulate", "data", "rulebook", "table")  # what offers more than the front door
COMPLETION = """
## Completion

`thirdcard --install-completion` teaches bash, zsh, fish or PowerShell the commands, the options and the names
of rulebooks; `thirdcard --show-completion` prints what it would install.
"""


def gather(folder: Path = BUILD) -> None:
    """Every page of the site, and what pages show and link to, in `pages` of a folder."""
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(DOCS, pages, ignore=shutil.ignore_patterns("*.py", "__pycache__", "zensical.toml"))
    shutil.copytree(ROOT / "examples", pages / "examples")
    for name in BESIDE:
        shutil.copy(ROOT / name, pages)
    for page in pages.glob("*.md"):  # links of the repository, as they are in the site
        text = page.read_text(encoding="utf-8").replace("](docs/", "](")
        page.write_text(re.sub(rf"\]\(\.\./({'|'.join(BESIDE)})", r"](\1", text), encoding="utf-8")
    for page in (pages / "notebooks").glob("*.md"):
        cells = execute(page.read_text(encoding="utf-8"))
        page.with_suffix(".ipynb").write_text(as_notebook(cells), encoding="utf-8")
        offered = f"\n[This page as a notebook]({page.stem}.ipynb), with its answers.\n"
        page.write_text(as_page(cells) + offered, encoding="utf-8")
    (pages / "cli.md").write_text(command_line(), encoding="utf-8")
    (pages / "reference.md").write_text(reference(), encoding="utf-8")


def command_line() -> str:
    """Every command with its arguments and options, as Typer tells them."""
    asked = [sys.executable, "-m", "typer", "thirdcard.cli", "utils", "docs", "--name", "thirdcard"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    told = re.sub(
        r"^thirdcard .*$", lambda one: f"    {unescape(one[0])}", told, flags=re.MULTILINE
    )  # examples
    return told.replace("# `thirdcard`\n", f"# The command line\n{COMPLETION}\n## Everywhere\n", 1)


def reference() -> str:
    """A page that asks for the docstring of every name of the front door, and of the modules behind it."""
    lines = ["# The library", "", "Names of `import thirdcard as tc`, then what stands behind them.", ""]
    lines += ["## The front door", ""]
    for name in thirdcard.__all__:
        value = getattr(thirdcard, name)
        if inspect.ismodule(value):
            lines += [f"::: {_called(value)}", ""]
        elif not name.startswith("__"):
            lines += [f"::: {value.__module__}.{value.__qualname__}", ""]
    for name in MODULES:
        module = import_module(f"thirdcard.{name}")
        offered = (getattr(module, one) for one in module.__all__ if one not in thirdcard.__all__)
        homes = {f"{one.__module__}.{one.__qualname__}" for one in offered if hasattr(one, "__qualname__")}
        lines += [f"## `thirdcard.{name}`", "", (module.__doc__ or "").strip(), ""]
        lines += [line for home in sorted(homes) for line in (f"::: {home}", "")]
    return "\n".join(lines)


def _called(module: ModuleType) -> str:
    """What calling a module calls."""
    found = inspect.unwrap(cast("Callable[..., Any]", module))
    return f"{found.__module__}.{found.__qualname__}"


def build(folder: Path = BUILD) -> int:
    """The site of the pages in a folder, strictly: 0 if nothing is wrong with it."""
    shutil.rmtree(folder / "site", ignore_errors=True)
    shutil.copy(DOCS / "zensical.toml", folder)
    asked = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    ours = {"PYTHONPATH": os.pathsep.join([str(DOCS), os.environ.get("PYTHONPATH", "")])}  # doctest_fences
    return subprocess.run(asked, cwd=folder, env=os.environ | ours, check=False).returncode


if __name__ == "__main__":
    gather()
    sys.exit(build())
