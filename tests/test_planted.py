"""Every fault that tests plant has something to be planted in.

Most plants are tried by `make whole` and `make storms` alone: what they break may move or go before these run.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import test_layers
from each import each
from hostile import planted as costs
from service.api import test_unseen
from simulator import planted as storms
from table import planted_rights, test_machine

TESTS = Path(__file__).parent
# Files of plants that no row of `plants` is of: they name statements of SQL and orders of shoes, and the gate runs them.
OF_OTHER_THINGS = {"service/test_covered.py", "browser/house.py"}


class Plant(NamedTuple):
    """A plant of a file, and what fails where its target is not there."""

    file: str
    name: str
    resolve: Callable[[], object]


def plants() -> Iterator[Plant]:
    for name, storm in storms.PLANTED.items():
        yield Plant("simulator/planted.py", name, partial(planted_and_gone, storm))
    for name, cost in costs.PLANTED.items():
        yield Plant("hostile/planted.py", name, partial(planted_and_gone, cost.plant))
    for name, right in planted_rights.PLANTED.items():
        yield Plant("table/planted_rights.py", name, partial(patched, right.plant))
    for where, function, broken, _ in test_machine.PLANTED:
        target = partial(named, f"thirdcard.table.{where}", function)
        yield Plant("table/test_machine.py", broken.__name__, target)
    for event, broken, _ in test_machine.FOLDS:
        yield Plant("table/test_machine.py", broken.__name__, partial(folded, event))
    for name, (module, function, _) in test_unseen.PLANTED.items():
        yield Plant("service/api/test_unseen.py", name, partial(named, module, function))
    for module, violation, _ in test_layers.PLANTED:
        file = test_layers.ROOT / "src" / "thirdcard" / module
        yield Plant("test_layers.py", violation, file.read_bytes)


def planted_and_gone(plant: Callable[[], AbstractContextManager[Any]]) -> None:
    with plant():
        pass


def patched(plant: Callable[[pytest.MonkeyPatch], None]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)


def named(module: str, function: str) -> object:
    return getattr(import_module(module), function)


def folded(event: type) -> object:
    changes = import_module("thirdcard.table.evolve").CHANGES
    return (changes | import_module("thirdcard.table.evolve_round").ROUND_CHANGES)[event]


@each("plant", plants)
def test_what_a_plant_breaks_is_there(plant: Plant) -> None:
    plant.resolve()


def test_every_list_of_plants_is_looked_at() -> None:
    lists = {
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("*.py")
        if re.search(r"^PLANTED\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert lists == {plant.file for plant in plants()} | OF_OTHER_THINGS
