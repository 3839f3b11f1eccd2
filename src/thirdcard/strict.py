"""What comes from outside, read strictly: no key twice, whole numbers, types that threads can share."""

from collections import Counter
from functools import cache
from operator import index
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

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


def exact(made: T) -> T:
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
def whole_fields(kind: "type[msgspec.Struct]") -> tuple[str, ...]:
    """The fields of a type that are whole numbers, if they are anything."""
    from msgspec.structs import fields  # noqa: PLC0415 - the same

    found = fields(kind)
    return tuple(one.name for one in found if one.type in (int, int | None))
