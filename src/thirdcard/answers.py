"""Answers for programs: any struct as plain values, and the type whose JSON Schema says so.

A struct tells its fields, or what its `TELLS` names: fields and properties, `key=attribute` where the key is
another. An exact number is text such as `-74/7020`, with a rounded one beside it under the same key and
`_approx`; `Rounded` and `Exactly` tell one of the two. What is `UNSET` is left out.

>>> class Chance(msgspec.Struct):
...     rank: str
...     probability: Fraction
>>> told(Chance("9", Fraction(1, 13)))
{'rank': '9', 'probability': '1/13', 'probability_approx': 0.07692307692307693}
"""

from collections.abc import Callable, Iterator
from enum import IntEnum, StrEnum
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from thirdcard.rulebook.forms import encode

Exact: TypeAlias = Annotated[str, msgspec.Meta(pattern="^-?[0-9]+(/[0-9]+)?$")]
Rounded: TypeAlias = Annotated[Fraction, msgspec.Meta(extra={"told": float})]
Exactly: TypeAlias = Annotated[Fraction, msgspec.Meta(extra={"told": str})]


class Told:
    """A struct that tells properties too, or not every field."""

    __slots__ = ()
    TELLS: ClassVar[tuple[str, ...]]


class AnswerForm(NamedTuple):
    """What a type comes to in an answer, and what makes it so; nothing where values stay as they are."""

    kind: Any
    tell: Callable[[Any], Any] | None = None


class _Entry(NamedTuple):
    """A key of an answer, the attribute that it tells, and its form."""

    key: str
    attribute: str
    form: AnswerForm


def told(value: Any) -> Any:  # noqa: ANN401 - JSON
    """A struct, or a list of structs, as plain values."""
    if isinstance(value, list | tuple):
        return [told(one) for one in value]
    kind: Any = type(value)
    tell = form_of(kind).tell
    return msgspec.to_builtins(value, enc_hook=encode) if tell is None else tell(value)


@cache
def form_of(kind: Any) -> AnswerForm:  # noqa: ANN401 - any type
    """The form that values of a type have in an answer."""
    origin, args = get_origin(kind), get_args(kind)
    made = AnswerForm(kind)
    if origin is Annotated:
        made = _annotated(kind, args)
    elif origin in (Union, UnionType):
        made = _union(kind, args)
    elif origin is dict:
        made = _mapping(kind, *args)
    elif origin in (tuple, list) and args[-1:] in {(...,), args[:1]}:
        made = _series(kind, form_of(args[0]))
    elif origin is Literal or _is_a(kind, StrEnum):
        made = AnswerForm(str)  # a later release may have more such words
    elif _is_a(kind, msgspec.Struct):
        made = _struct(kind)
    return made


def _is_a(kind: Any, base: type) -> bool:  # noqa: ANN401
    return isinstance(kind, type) and issubclass(kind, base)


def _annotated(kind: Any, args: tuple[Any, ...]) -> AnswerForm:  # noqa: ANN401
    if args[0] is not Fraction:
        return AnswerForm(kind)
    told_as = args[1].extra["told"]
    return AnswerForm(Exact if told_as is str else float, told_as)


def _union(kind: Any, args: tuple[Any, ...]) -> AnswerForm:  # noqa: ANN401
    """One type, or nothing in its place; several that have to be told apart stay as they are."""
    some = [arg for arg in args if arg not in (NoneType, msgspec.UnsetType)]
    form = form_of(some[0])
    if len(some) > 1 or form.tell is None:
        return AnswerForm(kind)
    tell, others = form.tell, [arg for arg in args if arg not in some]

    def tell_any(value: Any) -> Any:  # noqa: ANN401
        return value if value is None or value is msgspec.UNSET else tell(value)

    return AnswerForm(Union[form.kind, *others], tell_any)


def _mapping(kind: Any, keys: Any, values: Any) -> AnswerForm:  # noqa: ANN401
    """Numbers are text where they are keys, and ranks go by their letters."""
    form = form_of(values)
    is_enum = _is_a(keys, IntEnum)
    if form.tell is None and not is_enum:
        return AnswerForm(kind)
    tell = form.tell or (lambda value: value)

    def tell_all(found: Any) -> Any:  # noqa: ANN401
        return {key.letter if is_enum else str(key): tell(value) for key, value in found.items()}

    return AnswerForm(dict[str, form.kind], tell_all)  # type: ignore[name-defined]


def _series(kind: Any, form: AnswerForm) -> AnswerForm:  # noqa: ANN401
    many, tell = list[form.kind], form.tell  # type: ignore[name-defined]
    if tell is None:
        return AnswerForm(kind if form.kind in get_args(kind) else many)
    return AnswerForm(many, lambda found: [tell(one) for one in found])


def _struct(kind: type[msgspec.Struct]) -> AnswerForm:
    entries = list(_entries(kind))
    if not issubclass(kind, Told) and all(entry.form.tell is None for entry in entries):
        return AnswerForm(kind)

    def tell(value: msgspec.Struct) -> dict[str, object]:
        found = ((entry, getattr(value, entry.attribute)) for entry in entries)
        return {
            one.key: one.form.tell(given) if one.form.tell else given
            for one, given in found
            if given is not msgspec.UNSET
        }

    fields = [
        (entry.key, entry.form.kind, msgspec.UNSET)
        if _may_be_left_out(entry)
        else (entry.key, entry.form.kind)
        for entry in entries
    ]
    made = msgspec.defstruct(kind.__name__, fields, kw_only=True, namespace={"__doc__": kind.__doc__})
    return AnswerForm(made, tell)


def _may_be_left_out(entry: _Entry) -> bool:
    return msgspec.UnsetType in get_args(entry.form.kind)


def _entries(kind: type[msgspec.Struct]) -> Iterator[_Entry]:
    """What a struct tells; an exact number under two keys."""
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for name in kind.TELLS if issubclass(kind, Told) else types:
        key, _, attribute = name.partition("=")
        source = attribute or key
        found = types.get(source) or get_type_hints(getattr(kind, source).fget, include_extras=True)["return"]
        if found in (Fraction, Fraction | None):
            nothing = found is not Fraction
            yield _Entry(key, source, form_of(Exactly | None if nothing else Exactly))
            yield _Entry(f"{key}_approx", source, form_of(Rounded | None if nothing else Rounded))
        else:
            yield _Entry(key, source, form_of(found))
