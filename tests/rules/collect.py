"""Finds which tests carry which paragraph, by their names, and writes it down for the trace.

A test of the file that says `SLUGS = ("mbs-tiger-v2",)` carries paragraph 1.1.14.2 of that document if it
is called `test_1_1_14_2_double_tiger_pair`; two underscores join several paragraphs, as in
`test_3_13__3_15_table_of_play`. The words after the numbers begin with a letter. Files without `SLUGS`
are left out. Nothing is imported: the files are only read.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

TESTS = Path(__file__).resolve().parents[1]
WRITTEN = TESTS.parent / "src" / "thirdcard" / "rulebook" / "trace_tests.json"

Carried: TypeAlias = dict[str, dict[str, list[str]]]

_NUMBERS = r"[0-9]+(?:_[0-9]+)+"
_NAME = re.compile(rf"test_({_NUMBERS}(?:__{_NUMBERS})*)_[a-z][a-z0-9_]*")
_RULE_NAMED = re.compile(r"test_[0-9]")


def paragraphs_in(name: str) -> tuple[str, ...]:
    """The paragraphs in a test's name, none if it begins without a number; ValueError if it is malformed."""
    if not _RULE_NAMED.match(name):
        return ()
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"{name}: expected a form such as test_1_7_words or test_3_13__3_15_words")
    return tuple(numbers.replace("_", ".") for numbers in match[1].split("__"))


def tests_in(tree: ast.Module) -> Iterator[str]:
    """The names of a module's tests as pytest puts them after the file: `test_x`, `TestY::test_z`."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}::{name}" for name in _functions(node.body))
    yield from _functions(tree.body)


def _functions(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_"):
            yield node.name


def slugs_in(tree: ast.Module) -> tuple[str, ...]:
    """The documents that a module's tests speak of."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["SLUGS"]:
            return tuple(ast.literal_eval(node.value))
    return ()


def every_test(tests: Path = TESTS) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The node id of every test, and the documents of its file."""
    for file in sorted(tests.rglob("test_*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        slugs = slugs_in(tree)
        for name in tests_in(tree):
            yield f"{file.relative_to(tests.parent).as_posix()}::{name}", slugs


def collect(tests: Path = TESTS) -> Carried:
    """Document, paragraph, tests: everything in order."""
    found: Carried = {}
    for node_id, slugs in every_test(tests):
        if not slugs:
            continue
        for paragraph in paragraphs_in(node_id.rpartition("::")[2]):
            for slug in slugs:
                found.setdefault(slug, {}).setdefault(paragraph, []).append(node_id)
    return {
        slug: {
            paragraph: sorted(set(found[slug][paragraph]))
            for paragraph in sorted(found[slug], key=lambda one: [int(part) for part in one.split(".")])
        }
        for slug in sorted(found)
    }


def as_text(carried: Carried) -> str:
    return json.dumps(carried, indent=1) + "\n"


if __name__ == "__main__":
    WRITTEN.write_text(as_text(collect()), encoding="utf-8")
