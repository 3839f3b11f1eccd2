"""Many compositions at once."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from odds import slow
from thirdcard.errors import BadInput
from thirdcard.odds import Composition, fresh, values
from thirdcard.odds import kernel as kernels
from thirdcard.odds.kernel import MOST_CARDS, Kernel
from thirdcard.rulebook import load

pytestmark = pytest.mark.slow

BOOK = load("rws-tiger-buffalo-non-commission-v4")
KERNEL = Kernel(BOOK)


def test_values_are_the_exact_ones_rounded() -> None:
    shoes = [slow.large_shoe(seed).ranks for seed in range(40)] + [
        fresh(decks).ranks for decks in range(1, 11)
    ]
    found = KERNEL.values(shoes)
    assert found.shape == (50, len(BOOK.bets))
    for ranks, row in zip(shoes, found, strict=True):
        exact = [float(value.ev) for value in values(BOOK, Composition(ranks)).values()]
        assert np.abs(row - exact).max() < 1e-12


def test_threads_and_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shoes = np.random.default_rng(5).integers(0, 32, (500, 13))
    alone = KERNEL.values(shoes, workers=1)
    monkeypatch.setattr(kernels, "BLOCK", 7)
    assert np.array_equal(KERNEL.values(shoes, workers=4), alone)


def test_many_tallies_are_those_of_each() -> None:
    shoes = np.random.default_rng(6).integers(0, 32, (20, 13))
    assert np.array_equal(KERNEL.tallies(shoes), [KERNEL.tallies(ranks) for ranks in shoes])


def test_some_bets_only() -> None:
    two = Kernel(BOOK, ("banker", "tiger-pair"))
    assert two.values([fresh().ranks]).shape == (1, 2)
    assert two.tally(fresh().ranks)["banker"] == KERNEL.tally(fresh().ranks)["banker"]


@pytest.mark.parametrize(
    "ranks", [(0,) * 12 + (5,), (-1, *(4,) * 12), (MOST_CARDS, *(1,) * 12), (2**62, 2**62, *(1,) * 11)]
)
def test_what_cannot_be_counted_is_refused(ranks: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="cannot be counted"):
        KERNEL.tallies(ranks)
    with pytest.raises(BadInput, match="cannot be counted"):
        KERNEL.values([fresh().ranks, ranks])


@pytest.mark.parametrize("given", [[1.5] * 13, [4] * 12, [[[4] * 13]]])
def test_only_arrays_of_thirteen_whole_counts(given: object) -> None:
    with pytest.raises(BadInput, match="13 whole counts"):
        KERNEL.values(given)  # type: ignore[arg-type]


def test_nothing_but_the_kernel_needs_numpy(tmp_path: Path) -> None:
    page = str(tmp_path / "page.html")
    code = f"""
import sys
sys.modules["numpy"] = sys.modules["numba"] = None
from pathlib import Path
from thirdcard.cli.odds import insurance, odds, report
odds("rws-tiger-buffalo-commission-v2", plan="banker=100,tie=5", effects=True, json_output=True)
insurance("rws-tiger-buffalo-commission-v2", json_output=True)
report("rws-tiger-buffalo-commission-v2", Path({page!r}))
try:
    import thirdcard.odds.kernel
except ModuleNotFoundError as error:
    sys.exit(0 if "install thirdcard[analysis]" in str(error) else 3)
sys.exit(4)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.whole
def test_the_kernel_compiles_where_nothing_can_be_kept(tmp_path: Path) -> None:
    """No cache beside the code and none at home: the way of a read-only installation."""
    code = """
import numba.core.caching as caching
def nowhere(*_arguments, **_options):
    raise RuntimeError("cannot cache function: no locator available")
caching.CacheImpl.__init__ = nowhere
from thirdcard.odds import fresh
from thirdcard.odds.kernel import Kernel
from thirdcard.rulebook import load
tally = Kernel(load("mbs-tiger-v2")).tally(fresh().ranks)
assert tally["tie"]["win"] == 475_627_426_473_216
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
