"""Every value of a rulebook and every ruling by its facts, a line each; and the rows of the remedy table."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.facts import every_fact
from thirdcard.rulebook.forms import encode
from thirdcard.rulebook.model import Procedure, Rulebook
from thirdcard.rulebook.remedies import ROWS
from thirdcard.rulebook.rulings import rule_on

HERE = Path(__file__).parent
REMEDIES = "remedies"
WIDTH = 140  # a part that fits is one line, a longer one a line for each of its values
NAMED_BY = ("case", "grants", "name")


def everything() -> Iterator[str]:
    yield from slugs()
    yield REMEDIES


def file_of(name: str) -> Path:
    return HERE / f"{name}.txt"


def told(name: str) -> str:
    """What the file of a rulebook, or of the remedy table, has to say."""
    lines = remedy_lines() if name == REMEDIES else rulebook_lines(load(name))
    return "".join(f"{line}\n" for line in lines)


def remedy_lines() -> Iterator[str]:
    for row in ROWS:
        yield from value_lines(row.name, msgspec.to_builtins(row))


def rulebook_lines(book: Rulebook) -> Iterator[str]:
    yield from value_lines("", msgspec.to_builtins(book, enc_hook=encode, str_keys=True))
    for procedure in book.procedures:
        yield ""
        yield from ruling_lines(book, procedure)


def ruling_lines(book: Rulebook, procedure: Procedure) -> Iterator[str]:
    """What is answered while all is open, then for each combination of the facts."""
    combinations: list[dict[str, Any]] = list(every_fact(procedure))
    for facts in [{}, *(facts for facts in combinations if facts)]:
        said = ", ".join(f"{name} {_compact(value)}" for name, value in facts.items()) or "any facts"
        yield f"ruling on {procedure.case}, {said}"
        answer = msgspec.to_builtins(rule_on(book, procedure.case, facts), enc_hook=encode)
        left_out = ("case", "title", "facts", "rulings")
        for name, value in answer.items():
            if value and name not in left_out:
                yield f"  {name} {_compact(value)}"


def value_lines(key: str, value: Any) -> Iterator[str]:  # noqa: ANN401
    """A line if it fits, or those of its parts; lists of plain values stay together."""
    line = f"{key} {_compact(value)}".lstrip()
    parts = _parts(value)
    if not parts or (key and len(line) <= WIDTH):
        yield line
        return
    for label, part in parts:
        yield from value_lines(f"{key}{label}".lstrip("."), part)


def _parts(value: Any) -> list[tuple[str, Any]]:  # noqa: ANN401
    if isinstance(value, dict):
        return [(f".{name}", part) for name, part in value.items()]
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        return [(f"[{_label(number, part)}]", part) for number, part in enumerate(value)]
    return []


def _label(number: int, part: dict[str, Any]) -> str:
    return str(next((part[name] for name in NAMED_BY if name in part), number))


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
