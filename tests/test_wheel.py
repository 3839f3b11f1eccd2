"""The built wheel carries everything: it settles a round without the source tree."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

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
        if path.is_file() and "__pycache__" not in path.parts
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


# An environment with the core alone: whatever the extras bring is not to be found.
CORE_ONLY = """
import sys
from thirdcard.cli import EXTRAS, main
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
sys.argv = ["thirdcard", *sys.argv[1:]]
main()
"""
NEEDS = (
    (("serve",), "serve"),
    (("audit", "nowhere.db"), "serve"),
    (("restore", "nowhere.backup", "other.db"), "serve"),
    (("backup", "nowhere.db", "other"), "serve"),
    (("account", "list", "--db", "postgresql://localhost/none"), "serve"),
    (("rulebook", "add", "my.toml"), "serve"),
    (("simulate", "mbs-tiger-v2"), "analysis"),
    (("protect", "mbs-tiger-v2"), "analysis"),
    (("report", "mbs-tiger-v2", "--out", "page.html"), "report"),
    (("settle", "mbs-tiger-v2", "--layout", "A", "--in", "a.csv", "--out", "b.csv"), "data"),
)  # fmt: skip


@pytest.mark.parametrize(("command", "extra"), NEEDS, ids=lambda one: one if isinstance(one, str) else one[0])
def test_a_command_without_its_extra_says_what_to_install(command: tuple[str, ...], extra: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CORE_ONLY, *command], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert f"thirdcard[{extra}]" in done.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("settle", "mbs-tiger-v2", "--layout", "A", "--cards", "9C 9H 9D 9S"),
        ("odds", "mbs-tiger-v2"),
        ("rules", "list"),
        ("roads", "BPT"),
    ],
)
def test_the_core_needs_no_extra(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CORE_ONLY, *command], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
