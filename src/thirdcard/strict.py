"""What comes from outside, read strictly: no key twice, whole numbers, types that threads can share."""

from collections import Counter
from enum import Enum
from functools import cache
from operator import index
from threading import RLock
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from thirdcard.errors import BadInput

if TYPE_CHECKING:
    import msgspec

T = TypeVar("T", bound="msgspec.Struct")
K = TypeVar("K")
_making = RLock()
_made: set[object] = set()


def decodable(kind: K) -> K:
    """The same type, once msgspec has made what it decodes it by.

    msgspec makes that at the first use, and two threads that make it at once can crash the interpreter.
    Whoever decodes or converts to a type asks here first, so that one thread at a time makes it.
    """
    if kind not in _made:
        import msgspec  # noqa: PLC0415 - the command line starts without msgspec

        with _making:
            msgspec.json.Decoder(kind)
            _made.add(kind)
    return kind


def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different; for `object_pairs_hook`."""
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twin = next(name for name in counts if counts[name] > 1)
        raise BadInput(f"the key {twin!r} is given twice")
    return made


def whole(what: str, value: object) -> int:
    """A whole number, of NumPy's types too; BadInput for what only looks like one: `1.0`, `True`, `"5"`."""
    if type(value) is int:
        return value
    if not isinstance(value, bool | float | str):
        try:
            return index(value)  # type: ignore[arg-type]  # whatever cannot be one says so
        except TypeError:
            pass
    raise BadInput(f"{what} must be a whole number: got {value!r}")


def converted(made: T) -> T:
    """A value made in Python, checked and converted as if it had come as JSON; BadInput if it does not fit.

    A hand by its name, a list in place of a tuple and a whole number of NumPy's are taken for what they say:
    `Insure(hand="player", …)` becomes `Insure(hand=Side.PLAYER, …)`.
    """
    fields = _simple_fields(type(made))
    if fields is not None and not [name for name, kinds in fields if type(getattr(made, name)) not in kinds]:
        return made  # nearly always
    made = _with_plain_ints(made)
    import msgspec  # noqa: PLC0415 - the same

    try:
        plain = msgspec.to_builtins(made, str_keys=True, enc_hook=lambda value: whole("a number", value))
        return msgspec.convert(plain, decodable(type(made)), str_keys=True)
    except (msgspec.ValidationError, TypeError) as error:
        raise BadInput(str(error)) from error


def fields_of(kind: type[T], given: object, /, **more: Any) -> T:  # noqa: ANN401 - the fields of each kind
    """A struct of that kind with the fields that something else has by the same names, and `more` besides."""
    names = (name for name in kind.__struct_fields__ if name not in more and hasattr(given, name))
    return kind(**{name: getattr(given, name) for name in names}, **more)


def _with_plain_ints(made: T) -> T:
    """The same with plain ints where whole numbers are to be; BadInput for what is none."""
    changed = {
        name: whole(name.replace("_", " "), value)
        for name in whole_fields(type(made))
        if type(value := getattr(made, name)) is not int and value is not None
    }
    if not changed:
        return made
    from msgspec.structs import replace  # noqa: PLC0415 - the same

    return replace(made, **changed)


@cache
def _simple_fields(kind: "type[msgspec.Struct]") -> tuple[tuple[str, tuple[object, ...]], ...] | None:
    """The fields of a type with what their values may be, if none of them is a collection or a part."""
    from msgspec.structs import fields  # noqa: PLC0415 - the same

    found = tuple((field.name, get_args(field.type) or (field.type,)) for field in fields(kind))
    simple = all(
        inner in (int, str, bool, NoneType) or _is_enum(inner) for _, kinds in found for inner in kinds
    )
    return found if simple else None


def _is_enum(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


@cache
def whole_fields(kind: "type[msgspec.Struct]") -> tuple[str, ...]:
    """The fields of a type that are whole numbers, if they are anything."""
    from msgspec.structs import fields  # noqa: PLC0415 - the same

    found = fields(kind)
    return tuple(one.name for one in found if one.type in (int, int | None))
