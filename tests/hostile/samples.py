"""A valid sample of any type that bodies are of, and values at the edges of what it takes."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

NAMES = {"table": "one", "player": "player-1", "person": "player-1", "rulebook": "mbs-tiger-v2", "layout": "A",
         "password": "correct horse battery", "name": "player-1", "to": "dealer-1", "kind": "third-card",
         "key": "k1", "cards": "9C 4H 7D 2S", "case": "late-bet", "pin": "184032"}  # fmt: skip
# What clocks, calendars and stores end at.
INTEGERS = (-(2**63) - 1, -(2**63), -(2**53), -1440, -1, 0, 1, 1439, 1440, 9999, 2**31, 2**53, 2**53 + 1, 2**63 - 1,
            2**63, 2**64, 10**18, 10**30)  # fmt: skip
EDGES = (
    "", " ", "0", "-1", "1e9", "NaN", "0001-01-01", "9999-12-31", "0000-00-00", "2026-02-30", "10000-01-01",
    "9999-12-31T23:59", "0001-01-01T00:00", "2026-11-16T25:00", "today 23:59", "9999-12-31 about ten",
    "0001-01-01 about ten", "0001-01-01 0:10", "9999-12-31 23:50-23:40", "box 99999999999999999999",
    "round 99999999999999999999 table one", "box \u0661", "box \u00b2", "999999999999999999k", "9" * 17 + "k", "1-" + "9" * 18,
    "+24:00", "+14:00", "UTC", "\0", "\ud800", "\u202e", "%", "%00", "'", "9C", "one.1", f"{10**30}.one.1",
    "1.one.1", "-1.one.1", f"{2**63}.one.{2**63}", "../..", "mbs-tiger-v2@", "mbs-tiger-v2@" + "0" * 64, "a" * 300,
)  # fmt: skip
DIGITS = (10, 19, 20, 100, 1_000, 4_000, 10_000)


def sample(kind: Any, name: str = "") -> Any:  # noqa: ANN401 - JSON
    """A value of that type, as it stands in JSON."""
    return _of(inspect.type_info(kind), name)


def _of(kind: inspect.Type, name: str) -> Any:  # noqa: ANN401, C901, PLR0911, PLR0912 - one case for each kind of type
    match kind:
        case inspect.Metadata():
            return _of(kind.type, name)
        case inspect.UnionType():
            some = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
            return _of(some[0], name)
        case inspect.StructType() | inspect.DataclassType() | inspect.TypedDictType():
            made = {field.encode_name: _of(field.type, field.encode_name) for field in kind.fields}
            tag = getattr(kind, "tag", None)
            return {kind.tag_field: tag, **made} if tag is not None else made  # type: ignore[union-attr]
        case inspect.StrType():
            return NAMES.get(name, "abcdefghij"[: kind.max_length or 10].ljust(kind.min_length or 0, "x"))
        case inspect.IntType():
            return int(kind.ge if kind.ge is not None else 1 if kind.gt is None else kind.gt + 1)
        case inspect.FloatType():
            return 0.5
        case inspect.BoolType():
            return True
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.EnumType():
            return next(iter(kind.cls)).value
        case inspect.DictType():
            return {
                _of(kind.key_type, "key") if not isinstance(kind.key_type, inspect.IntType) else "1": _of(
                    kind.value_type, name
                )
            }
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            return [_of(kind.item_type, name)]
        case inspect.TupleType():
            return [_of(one, name) for one in kind.item_types]
        case _:
            return NAMES.get(name, "9C")


def variants(kind: Any) -> Iterator[Any]:  # noqa: ANN401
    """A sample of every type of a union, with lists of them left out."""
    info = inspect.type_info(kind)
    for one in info.types if isinstance(info, inspect.UnionType) else (info,):
        if not isinstance(one, inspect.ListType | inspect.Metadata):
            yield _of(one, "")


def at_edges(given: Any) -> Iterator[Any]:  # noqa: ANN401 - JSON
    """The same with each value in turn at every edge of numbers, dates and names."""
    if isinstance(given, dict):
        for key, value in given.items():
            for other in at_edges(value):
                yield given | {key: other}
    elif isinstance(given, list):
        for value in given[:1]:
            yield from ([other] for other in at_edges(value))
        yield []
    else:
        yield from INTEGERS
        yield from EDGES
        yield from (None, True, 0.5, [], {})


def bounds_of(kind: Any) -> Iterator[tuple[str, int]]:  # noqa: ANN401
    """The names of whole numbers in a body with the least and the most that each may be."""
    for struct in _structs(inspect.type_info(kind), set()):
        for field in struct.fields:
            inner = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
            for one in inner.types if isinstance(inner, inspect.UnionType) else (inner,):
                if isinstance(one, inspect.IntType):
                    yield from ((field.encode_name, bound) for bound in (one.ge, one.le) if bound is not None)


def _structs(kind: Any, seen: set[type]) -> Iterator[inspect.StructType]:  # noqa: ANN401
    if isinstance(kind, inspect.StructType) and kind.cls not in seen:
        seen.add(kind.cls)
        yield kind
        for field in kind.fields:
            yield from _structs(field.type, seen)
    for name in ("type", "item_type", "value_type"):
        if (inner := getattr(kind, name, None)) is not None and isinstance(inner, inspect.Type):
            yield from _structs(inner, seen)
    for inner in getattr(kind, "types", ()):
        yield from _structs(inner, seen)


__all__ = ["DIGITS", "EDGES", "INTEGERS", "at_edges", "bounds_of", "msgspec", "sample", "variants"]
