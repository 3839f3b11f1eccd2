"""What comes from outside costs no more than its size, and threads may begin at once."""

import subprocess
import sys

import pytest

from thirdcard.errors import BadInput
from thirdcard.strict import no_twins

# As in a program that asks for the first time in all of its threads; they take turns much more often than usual.
FIRST_CALLS = """
import sys, threading
import thirdcard as tc
sys.setswitchinterval(1e-6)
books = ("mbs-tiger-v2", "rws-commission-insurance-v5", "rws-tiger-buffalo-commission-v2")
together, wrong = threading.Barrier(16), []
def ask(number):
    together.wait()
    try:
        assert tc.settle(books[number % 3], "9C 9H 9D 9S", {"player": 500}).net == 0
    except BaseException as error:
        wrong.append(error)
threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit(repr(wrong) if wrong else 0)
"""


class Key(str):
    """A key that counts how often it is compared with another."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        Key.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_looking_for_a_key_given_twice_takes_as_many_steps_as_there_are_keys() -> None:
    pairs = [(Key(f"k{number}"), number) for number in range(2_000)]
    Key.compared = 0
    with pytest.raises(BadInput, match="'k1999' is given twice"):
        no_twins([*pairs, (Key("k1999"), 0)])
    assert Key.compared < 4 * len(pairs)


@pytest.mark.parametrize(
    "time", range(6)
)  # about every second process crashed while types were made by several
def test_first_calls_from_several_threads(time: int) -> None:
    del time
    done = subprocess.run([sys.executable, "-c", FIRST_CALLS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
