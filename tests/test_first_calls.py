"""The first calls of a program may come from many threads at once, whatever they ask for."""

import subprocess
import sys
from random import Random

import pytest

import thirdcard as tc

THREADS = 16
SECONDS = 120  # for one process, so that threads that wait for each other are seen
CALLS = {
    "BadInput": "issubclass(tc.BadInput, Exception)",
    "Card": "str(tc.Card('9C')) == '9C'",
    "Game": "tc.Game(tc.load('mbs-tiger-v2')).rulebook.slug == 'mbs-tiger-v2'",
    "Setup": "tc.Setup is not None",
    "Table": "tc.Table('mbs-tiger-v2').state.rounds == 0",
    "__version__": "len(tc.__version__) > 1",
    "felt": "str(tc.felt('mbs-tiger-v2', boxes=1))",
    "insurance": "len(tc.insurance('rws-commission-insurance-v5')) > 1",
    "load": "tc.load('rws-tiger-buffalo-non-commission-v4').slug",
    "odds": "len(tc.odds('rws-tiger-buffalo-commission-v2')) > 1",
    "roads": "str(tc.roads('BPBPT'))",
    "ruling": "'5.13' in tc.ruling('mbs-tiger-v2', 'drawn-together', order_known=False).rules",
    "settle": "tc.settle('mbs-tiger-v2', '9C 9H 9D 9S', {'tiger-pair': 500}).net == 50_000",
    "loads": "tc.loads({'slug': 'mine', 'extends': 'mbs-tiger-v2'}).slug",
    "slugs": "'mbs-tiger-v2' in tc.slugs()",
}
WITH_KERNELS = {
    "protect": "tc.protect('mbs-tiger-v2', shoes=2)",
    "simulate": "tc.simulate('mbs-tiger-v2', rounds=1_000)",
}
# The threads take turns much more often than usual.
PROGRAM = """
import sys, threading, traceback
calls = sys.argv[1:]
sys.setswitchinterval(1e-6)
together, wrong = threading.Barrier(len(calls)), []
def ask(call):
    together.wait()
    try:
        import thirdcard as tc
        assert eval(call), call
    except BaseException:
        wrong.append(traceback.format_exc())
threads = [threading.Thread(target=ask, args=(call,)) for call in calls]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit("".join(wrong) if wrong else 0)
"""


def first_calls(calls: list[str]) -> None:
    asked = [sys.executable, "-c", PROGRAM, *calls]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert done.returncode == 0, f"{done.returncode}\n{calls}\n{done.stderr[-2_000:]}"


def mixed(seed: int, calls: dict[str, str]) -> list[str]:
    return Random(seed).choices(sorted(calls.values()), k=THREADS)  # noqa: S311 - the same for everybody


def test_every_name_of_the_front_door_is_among_the_calls() -> None:
    assert {*CALLS, *WITH_KERNELS} == {*tc.__all__}


@pytest.mark.parametrize("seed", range(6))
def test_of_anything(seed: int) -> None:
    first_calls(mixed(seed, CALLS))


@pytest.mark.parametrize("name", ["settle", "odds"])
def test_of_the_same(name: str) -> None:
    first_calls([CALLS[name]] * THREADS)


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(6, 200))
def test_of_anything_in_many_processes(seed: int) -> None:
    """Every tenth asks for what is compiled, too."""
    first_calls(mixed(seed, CALLS if seed % 10 else CALLS | WITH_KERNELS))
