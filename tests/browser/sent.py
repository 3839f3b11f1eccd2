"""Prints what the server sends as TypeScript declarations, which the JavaScript of the pages is checked against."""

import json
import sys
from collections.abc import Iterable, Iterator

from msgspec import inspect

from thirdcard.service.api.players import LimitsView, WalletView
from thirdcard.service.learning.practice_shift import ShiftScene
from thirdcard.service.queries.desk import Desk
from thirdcard.service.queries.pit import Pit
from thirdcard.service.queries.spot_help import SpotHelp
from thirdcard.service.tables.announce import Heard
from thirdcard.service.tables.publish import PublicFacts, TimerView
from thirdcard.table.view import View

SENT = (View, PublicFacts, TimerView, Heard, SpotHelp, Desk, Pit, LimitsView, WalletView, ShiftScene)
PLAIN = {
    inspect.AnyType: "any",
    inspect.NoneType: "null",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
}


def declarations() -> str:
    """One interface for each type that is sent, by name."""
    found: dict[str, inspect.StructType] = {}
    for one in inspect.multi_type_info(SENT):
        _collect(one, found)
    return "\n\n".join(_interface(name, kind) for name, kind in found.items())


def _collect(kind: inspect.Type, found: dict[str, inspect.StructType]) -> None:
    if isinstance(kind, inspect.StructType):
        name = kind.cls.__name__
        if name in found:
            assert found[name].cls is kind.cls, f"two types called {name}"
            return
        found[name] = kind
    for inner in _parts(kind):
        _collect(inner, found)


def _parts(kind: inspect.Type) -> Iterator[inspect.Type]:
    match kind:
        case inspect.StructType():
            yield from (field.type for field in kind.fields)
        case inspect.UnionType():
            yield from kind.types
        case inspect.TupleType():
            yield from kind.item_types
        case inspect.VarTupleType():
            yield kind.item_type
        case inspect.DictType():
            yield kind.value_type


def _interface(name: str, kind: inspect.StructType) -> str:
    lines = [f"  {field.encode_name}: {_told(field.type)};" for field in kind.fields]
    return "\n".join([f"interface {name} {{", *lines, "}"])


def _told(kind: inspect.Type) -> str:
    match kind:
        case inspect.StructType():
            told = kind.cls.__name__
        case inspect.EnumType():
            told = _either(one.value for one in kind.cls)
        case inspect.LiteralType():
            told = _either(kind.values)
        case inspect.UnionType():
            told = " | ".join(_told(one) for one in kind.types)
        case inspect.TupleType():
            told = f"[{', '.join(_told(one) for one in kind.item_types)}]"
        case inspect.VarTupleType():
            told = f"Array<{_told(kind.item_type)}>"
        case inspect.DictType():
            told = f"Record<string, {_told(kind.value_type)}>"
        case _:
            told = PLAIN[type(kind)]
    return told


def _either(values: Iterable[object]) -> str:
    return " | ".join(json.dumps(one) for one in values)


if __name__ == "__main__":
    sys.stdout.write(declarations() + "\n")
