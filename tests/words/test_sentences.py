"""Refusals in full: every sentence that a table or the house refuses with can be said in Chinese."""

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from string import Formatter

import pytest

import thirdcard
from each import each
from thirdcard.words import words

SOURCES = Path(thirdcard.__file__).parent
REFUSES = {"refuse", "Refusal", "HouseRefusal", "_unless", "_not_met"}
COMPLAINS = SOURCES / "table" / "decide" / "conditions.py"  # whose checks return the sentence
KEPT = words("zh").sections["sentences"]


def skeleton(template: str) -> str:
    """A sentence with every blank alike."""
    return re.sub(r"\{[^{}]*\}", "{}", template)


def said(node: ast.expr) -> list[str]:
    """Every sentence that an expression can come to, blanks left open."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr():
            return ["".join(parts) for parts in product(*map(said, node.values))]
        case ast.FormattedValue():
            return ["{}"]
        case ast.IfExp():
            return [*said(node.body), *said(node.orelse)]
        case ast.BinOp(op=ast.Add()):
            return ["".join(parts) for parts in product(said(node.left), said(node.right))]
    return []


def sentences(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and len(node.args) > 1:
            if getattr(node.func, "id", getattr(node.func, "attr", "")) in REFUSES:
                yield from said(node.args[1])
        elif isinstance(node, ast.Return) and node.value is not None and path == COMPLAINS:
            yield from said(node.value)


# Where anybody is told no outside of the rules of a table, and which argument says it.
ASKED = ("access", "asking", "gate", "habits", "history", "problems", "seats")
COMPLAINTS = {"Wrong": 2, "BadInput": 0, "Unavailable": 0}


def complaints(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            place = COMPLAINTS.get(getattr(node.func, "id", ""))
            if place is not None and len(node.args) > place:
                yield from said(node.args[place])


def complaining() -> Iterator[Path]:
    yield from (SOURCES / "service" / "api" / f"{name}.py" for name in ASKED)
    yield from (SOURCES / "service" / "people" / f"{name}.py" for name in ("habits", "own_limits"))
    yield SOURCES / "service" / "tables" / "engine.py"


def files() -> Iterator[Path]:
    for room in ("table", "service/tables"):
        yield from sorted((SOURCES / room).rglob("*.py"))


@pytest.mark.slow
def test_every_refusal_is_said_in_chinese() -> None:
    refused = [one for path in files() for one in sentences(path)]
    elsewhere = [one for path in complaining() for one in complaints(path)]
    found = {skeleton(one) for one in (*refused, *elsewhere) if " " in one}
    assert len(found) > 150
    assert sorted(found - {skeleton(english) for english in KEPT}) == []


def reasons() -> Iterator[str]:
    """What `why` says of a thing that somebody might do, and the facts that a yes rests on."""
    for node in ast.walk(ast.parse((SOURCES / "table" / "why.py").read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id="Wish"), args=[what, _, *rest]):
                yield from (one for part in (what, *rest[:1]) for one in said(part))
            case ast.Return(value=ast.Tuple(elts=[because, *_])):
                yield from said(because)
            case ast.Assign(targets=[ast.Tuple(), *_], value=ast.Tuple(elts=[because, *_])):
                yield from said(because)
            case ast.Assign(value=because):
                yield from said(because)


@pytest.mark.slow
def test_every_reason_is_said_in_chinese() -> None:
    found = {skeleton(one) for one in reasons() if re.search("[a-z] ", skeleton(one)) or one == "choose"}
    assert len(found) > 18
    assert {"bets are open", "{} has most on {}", "be handed card {}", "choose"} <= found
    assert sorted(found - {skeleton(english) for english in KEPT}) == []


@pytest.mark.slow
@each("english", KEPT)
def test_a_sentence_keeps_its_blanks(english: str) -> None:
    def blanks(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}

    assert blanks(KEPT[english]) == blanks(english)
    assert re.search(r"[\u4e00-\u9fff]", KEPT[english])
