"""The built wheel carries everything: it settles a round without the source tree."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=300)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_every_file_of_the_package_is_in_the_wheel(unpacked: Path) -> None:
    package = ROOT / "src" / "thirdcard"
    ours = {
        path.relative_to(package)
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert ours == {
        path.relative_to(unpacked / "thirdcard")
        for path in (unpacked / "thirdcard").rglob("*")
        if path.is_file()
    }
    assert Path("py.typed") in ours


def test_the_wheel_settles_a_round(unpacked: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(unpacked)!r}); import thirdcard;"
        f"assert thirdcard.__file__.startswith({str(unpacked)!r}), thirdcard.__file__;"
        "sys.argv = 'thirdcard settle mbs-tiger-v2 --layout A --json --bet tiger-pair=5'.split() + ['--cards', '9C 9H 9D 9S'];"
        "from thirdcard.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=unpacked, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert '"net": 50000' in done.stdout
