"""What comes from outside, read strictly: keys given twice, and numbers that only look whole."""

from functools import cache
from operator import index
from typing import TYPE_CHECKING, Any, TypeVar

from thirdcard.errors import BadInput

if TYPE_CHECKING:
    import msgspec

T = TypeVar("T", bound="msgspec.Struct")


def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different; for `object_pairs_hook`."""
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
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
    from msgspec.structs import replace  # noqa: PLC0415 - the command line starts without msgspec

    return replace(made, **changed)


@cache
def whole_fields(kind: "type[msgspec.Struct]") -> tuple[str, ...]:
    """The fields of a type that are whole numbers, if they are anything."""
    from msgspec.structs import fields  # noqa: PLC0415 - the same

    found = fields(kind)
    return tuple(one.name for one in found if one.type in (int, int | None))
