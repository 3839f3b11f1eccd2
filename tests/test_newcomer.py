"""A newcomer's first minutes: the wheel in an empty environment with the core alone, then with each extra.

The environment holds what pyproject.toml declares, all that this needs in turn, and nothing else, so what is
imported but not declared is not found. The parts are those that are installed here: nothing is fetched.
"""

import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
FIRST_STEPS = """
import thirdcard as tc
print(tc.__version__, len(tc.slugs()))
statement = tc.settle("mbs-tiger-v2", "9C 9H 9D 9S", {"tiger-pair": 500})
print(statement.net, *statement.bets[0].rules)
print(f"{float(tc.odds('mbs-tiger-v2')['banker'].house_edge):.4%}")
print(len(tc.insurance("rws-commission-insurance-v5")))
print(tc.ruling("mbs-tiger-v2", "drawn-together", order_known=False, stage="initial-deal").remedy[0])
print(tc.roads("BBPT").big_road[-1].winner)
try: tc.settle("mbs-tiger-v2", "9C 9H 9D 9S", {"tiger-pear": 500})
except tc.BadInput as error: print(error)
"""
# What each extra is for, with the extras that it needs beside it.
EXTRAS = {
    "analysis": (
        (),
        "import thirdcard as tc; print(tc.simulate('mbs-tiger-v2', 40, workers=1).rounds)",
        "40",
    ),
    "data": (
        (),
        """
from thirdcard.data import settle_frame
print(settle_frame("mbs-tiger-v2", {"cards": ["9C 9H 9D 9S"], "tiger-pair": [500]})["net"].to_pylist())
""",
        "[50000]",
    ),
    "cluster": (
        ("analysis",),
        "from thirdcard.simulate.cluster import Cluster; print(Cluster.__name__)",
        "Cluster",
    ),
    "report": (
        (),
        """
from thirdcard.cli import app
app(["report", "mbs-tiger-v2", "--out", "page.html"], standalone_mode=False)
print("<svg" in open("page.html", encoding="utf-8").read())
""",
        "True",
    ),
    "serve": ((), "from thirdcard.web.site import PAGES; print(len(PAGES) > 0)", "True"),
    "plot": (
        ("analysis",),
        """
from pathlib import Path
from thirdcard.simulate.plot import write
picture = Path("a.png")
write(picture, '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
print(picture.read_bytes()[1:4])
""",
        "b'PNG'",
    ),
}


def add(part: Distribution, extra: str, found: dict[str, Distribution]) -> None:
    """What a part needs, alone (an extra of "") or with an extra, and what that needs in turn."""
    for line in part.requires or ():
        asked = Requirement(line)
        if asked.marker and not asked.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(asked.name)
        if name not in found:
            found[name] = distribution(asked.name)
            add(found[name], "", found)
        for more in asked.extras:
            add(found[name], more, found)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes an environment with the wheel and what some extras declare, and gives its Python."""
    folder = tmp_path_factory.mktemp("newcomer")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=300)
    (wheel,) = folder.glob("*.whl")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile"]
    subprocess.run([*install, "--target", str(folder / "ours"), str(wheel)], check=True, timeout=300)
    (about,) = (folder / "ours").glob("thirdcard-*.dist-info")
    ours: Distribution = Distribution.at(about)

    def made(*extras: str) -> Path:
        place = folder / ("-".join(extras) or "core")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True, timeout=300)
        (site,) = place.glob("lib/python*/site-packages")
        found = {"thirdcard": ours}
        for extra in ("", *extras):
            add(ours, extra, found)
        for part in found.values():
            for top in {file.parts[0] for file in part.files or ()} - {"..", "__pycache__"}:
                (site / top).symlink_to(str(part.locate_file(top)))
        return place / "bin" / "python"

    return made


def said(python: Path, *arguments: str) -> str:
    done = subprocess.run(
        [str(python), "-I", *arguments],
        cwd=python.parent,
        env={
            "NUMBA_DISABLE_JIT": "1",  # compiling takes longer than all the rest
            "PYTHONWARNINGS": "ignore",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_ten_lines_with_the_core_alone(environment: Callable[..., Path]) -> None:
    python = environment()
    version, *told = said(python, "-c", FIRST_STEPS).splitlines()
    assert version == f"{VERSION} 5"
    assert told == [
        "50000 1.1.14 3.14 1.1.14.3 4.2",
        "1.0579%",
        "73",
        "void",
        "player",
        "mbs-tiger-v2 has no bet 'tiger-pear': did you mean tiger-pair or tiger-tie or tiger?",
    ]
    (site,) = python.parents[1].glob("lib/python*/site-packages")
    assert not {"numpy", "litestar", "jinja2", "pyarrow"} & {one.name for one in site.iterdir()}
    assert said(python, "-m", "thirdcard", "--version") == f"thirdcard {VERSION}"


@pytest.mark.gate("serve")
@pytest.mark.parametrize("extra", EXTRAS)
def test_each_extra_brings_what_it_needs(extra: str, environment: Callable[..., Path]) -> None:
    beside, code, expected = EXTRAS[extra]
    assert said(environment(*beside, extra), "-c", code).splitlines()[-1] == expected
