"""Generated documents are current, and what the README shows works."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from thirdcard.rulebook.trace import markdown, trace

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_rules_md_is_what_the_trace_says_now() -> None:
    """`make docs` writes it."""
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == markdown(trace())


def commands() -> list[str]:
    """The README's examples that end by themselves, one a line, continued lines joined."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    lines = "\n".join(block for kind, block in blocks if not kind).replace("\\\n", " ").splitlines()
    return [line for line in lines if "thirdcard " in line]


def test_the_readme_has_examples() -> None:
    assert len(commands()) >= 8


@pytest.mark.parametrize("line", commands())
def test_an_example_of_the_readme_works(line: str, tmp_path: Path) -> None:
    stdin = b""
    if line.startswith("echo "):
        echoed, _, line = line.partition(" | ")
        stdin = (shlex.split(echoed)[1] + "\n").encode()
    arguments = shlex.split(line, comments=True)
    assert arguments[0] == "thirdcard"
    for name in re.findall(r"docs/[\w./-]+", line):
        source = ROOT / name
        if source.exists():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(source.read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        input=stdin,
        cwd=tmp_path,
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout or "--out" in arguments or "--svg" in arguments


def test_the_library_example_of_the_readme_works() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout.startswith("50000 ")


def test_links_of_the_documents_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
