"""What comes from outside costs no more than its size, and nothing of it ends in a fault: a sample of all there is.

The whole: `make hostile`. Planted costs have to be found.
"""

import logging
import re
from collections.abc import Iterator
from zlib import crc32

import pytest

from hostile import faults
from hostile.__main__ import everything
from hostile.house import House
from hostile.measuring import AGAIN, Input, cost, too_dear, too_large
from hostile.planted import PLANTED

pytestmark = pytest.mark.slow

ONE_IN = 250  # of the inputs, and of the values at edges
STEP = 8


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    logging.getLogger("litestar").setLevel(logging.CRITICAL)
    with House() as house:
        yield house


@pytest.fixture(scope="module")
def every(house: House, tmp_path_factory: pytest.TempPathFactory) -> list[Input]:
    return [*everything(tmp_path_factory.mktemp("files"), house)]


def test_a_sample_of_all_inputs_costs_no_more_than_its_size(house: House, every: list[Input]) -> None:
    """By their names, so that each is in it or not whatever else there is."""
    found, tried = list[str](), 0
    for one in every:
        if crc32(one.name.encode()) % ONE_IN == 0:
            tried += 1
            house.people_as_before()
            found += too_dear(one, STEP)
            if tried % 10 == 0:
                found += too_large(one)
    assert not found
    assert tried > 30


def test_no_value_at_an_edge_is_a_fault(house: House) -> None:
    """All of what people can look for, and a sample of every other route."""
    assert not [*faults.told(house, lambda route: 1 if "find" in route.path else ONE_IN // 10)]


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_cost_is_found(every: list[Input], name: str) -> None:
    plant = PLANTED[name]
    suited = [one for one in every if re.search(plant.found_by, one.name)]
    assert suited, "no input has that name"
    with plant.plant():
        assert any([*too_dear(one, 4)] or [*too_large(one)] for one in suited)
    assert not [wrong for one in suited for wrong in too_dear(one, STEP)], "without it they are cheap"


def test_costs_that_grow_as_they_should_are_not_told() -> None:
    """Linear work of any price under the limit passes; the same work done quadratically does not."""

    def linear(data: bytes) -> None:
        for _ in range(3):
            sorted(data)

    def quadratic(data: bytes) -> None:
        for at in range(0, len(data), 64):
            data[at:].count(b"x")

    def grown(size: int) -> bytes:
        return b"a" * size

    assert not [*too_dear(Input("linear", grown, 1 << 20, linear))]
    assert [*too_dear(Input("quadratic", grown, 1 << 20, quadratic))]
    assert cost(Input("linear", grown, 1 << 20, linear), 1 << 10, AGAIN).own > 0
