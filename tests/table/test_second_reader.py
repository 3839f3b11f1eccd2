"""The table and a second reader of the documents agree about who may do what and about every cent.

Walks and storms run with the reader beside them (`beside`, `storms`), and so do the tables of `test_rights`. A failure
tells the right, the person, both reasons, the round as it went and the commands that led there. `storm(place, seed,
steps)` plays it again.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from each import each
from table import second_reader, tables, test_rights
from table.beside import Beside, check
from table.machine import Seeded, Walk, random_setup
from table.planted_rights import PLANTED, found
from table.storms import EVERYTHING, TABLES, Collecting, happened, storm
from thirdcard.rulebook import load, slugs
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent

pytestmark = pytest.mark.slow

LAYOUTS = [(slug, letter) for slug in slugs() for letter in load(slug).layouts]
NAMES = [f"{slug}-{changed.get('method', '')}" for slug, _, changed in TABLES]


def test_the_reader_shares_no_code_with_the_table() -> None:
    """It may use cards, the arithmetic of play, amounts and the documents, and nothing else of the package."""
    allowed = ("thirdcard.cards", "thirdcard.play", "thirdcard.rulebook", "thirdcard.money")
    for file in Path(next(iter(second_reader.__path__))).glob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            ours = [name for name in names if name.startswith("thirdcard")]
            assert all(name.startswith(allowed) for name in ours), (file.name, ours)


# Walks and storms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", range(len(TABLES)), ids=NAMES)
def test_storms(place: int) -> None:
    for seed in range(5):
        storm(place, seed, 120)


@pytest.mark.gate("mbs-tiger-v2-A", "rws-commission-insurance-v5-G", "rws-tiger-buffalo-commission-v2-A")
@pytest.mark.parametrize(("slug", "layout"), LAYOUTS, ids=[f"{slug}-{letter}" for slug, letter in LAYOUTS])
def test_walks(slug: str, layout: str) -> None:
    """As the auditor walks, with anything at all that people may try."""
    chance = Seeded(f"beside/{slug}/{layout}")
    setup = random_setup(chance, slug, layout)
    walk = Walk(setup, chance, table=Beside(setup))
    for _ in range(150):
        kind = chance.below(10)
        move = walk.advance if kind < 7 else walk.listed if kind < 9 else walk.anything
        move()


@pytest.mark.whole
@pytest.mark.parametrize("place", range(len(TABLES)), ids=NAMES)
def test_more_storms(place: int) -> None:
    for seed in range(100, 200):
        storm(place, seed, 200)


@pytest.mark.whole
def test_storms_come_to_everything() -> None:
    """A storm that no longer gets anywhere would compare nothing."""
    seen: set[str] = set()
    for seed in range(40):
        for place in range(len(TABLES)):
            seen |= happened(storm(place, seed, 120, Collecting).facts)
    assert seen >= EVERYTHING, EVERYTHING - seen


# Tables that are set ------------------------------------------------------------------------------------


def scenarios() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every test of `test_rights`, with its parameters."""
    for name, test in vars(test_rights).items():
        if not name.startswith("test_"):
            continue
        marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
        if not marks:
            yield name, {}
            continue
        given = marks[0].args[0]
        names = (given,) if isinstance(given, str) else tuple(given)
        for values in marks[0].args[1]:
            yield name, dict(zip(names, (values,) if isinstance(given, str) else values, strict=True))


@each(("name", "given"), scenarios)
def test_the_tables_of_rights(name: str, given: dict[str, Any]) -> None:
    """The same tables as there, read a second time after every command."""
    original = tables.Table.do

    def do(self: tables.Table, *asked: AnyCommand) -> tuple[AnyEvent, ...]:
        made = original(self, *asked)
        check(self.log, self.state)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables.Table, "do", do)
        getattr(test_rights, name)(**given)


# Planted faults -----------------------------------------------------------------------------------------


@pytest.mark.gate("insurance is capped", "who accepted", "netting is forgotten")
@pytest.mark.parametrize("name", PLANTED)
def test_every_planted_fault_is_found(name: str) -> None:
    assert found(PLANTED[name]), name
