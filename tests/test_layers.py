"""Imports only go up the list of layers; a planted violation shows that the check can fail."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [
        str(Path(sys.executable).with_name("lint-imports")),
        "--no-cache",
        "--config",
        str(folder / "pyproject.toml"),
    ]
    environment = {"PYTHONPATH": str(folder / "src"), "PATH": "", "COLUMNS": "200"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_layers_hold(copy: Path) -> None:
    done = lint(copy)
    assert done.returncode == 0, done.stdout + done.stderr


# A module, what it must not import, and what the linter says of it.
PLANTED = [
    (
        "play/tableau.py",
        "import thirdcard.cli.output",
        "thirdcard.play is not allowed to import thirdcard.cli",
    ),
    (
        "rulebook/model.py",
        "import thirdcard.play.bets",
        "thirdcard.rulebook is not allowed to import thirdcard.play",
    ),
    ("cards.py", "import thirdcard.money", "thirdcard.cards is not allowed to import thirdcard.money"),
    ("play/outcome.py", "import random", "thirdcard.play is not allowed to import random"),
    (
        "table/state.py",
        "import thirdcard.service.clock",
        "thirdcard.table is not allowed to import thirdcard.service",
    ),
    (
        "service/clock.py",
        "import thirdcard.web.roads_svg",
        "thirdcard.service is not allowed to import thirdcard.web",
    ),
    ("money.py", "import time", "thirdcard.money is not allowed to import time"),
]


@pytest.mark.whole
@pytest.mark.parametrize(("module", "violation", "named"), PLANTED)
def test_a_planted_violation_is_found(copy: Path, module: str, violation: str, named: str) -> None:
    file = copy / "src" / "thirdcard" / module
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{violation}\n", encoding="utf-8")
    done = lint(copy)
    assert done.returncode == 1
    assert named in done.stdout
