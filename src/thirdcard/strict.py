"""What comes from outside, read strictly: in bounds, no key twice, whole numbers; types that threads share.

Whatever others send or hand over passes `bounded` before anything is made of it: its size, how many values it
has, how deep they lie in one another and how long its numbers are. That takes a look at each byte, no more.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from enum import Enum
from functools import cache
from operator import index
from pathlib import Path
from threading import RLock
from types import NoneType
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, NoReturn, TypeVar, get_args

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


class Bounds(NamedTuple):
    """The most of a text from outside: bytes, values and keys, levels in one another, digits of a number."""

    size: int
    values: int = 50_000
    depth: int = 40
    digits: int = 40


LINE: Final = Bounds(1 << 20)  # of a file or of standard input
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)  # to the end, where it is not closed
_BRACKET = re.compile(rb"[\[\]{}]")


def bounded(text: bytes, most: Bounds) -> bytes:
    """The text of some JSON, if it is within the bounds; BadInput says which it is not. It is not decoded."""
    if len(text) > most.size:
        raise BadInput(f"it is too long: at most {most.size:,} bytes are read")
    opened, bare = text.count(b"[") + text.count(b"{"), None
    if opened + text.count(b",") > most.values or opened > most.depth:
        bare = _STRING.sub(b'""', text)
        if _deeper(bare, most.depth):
            raise BadInput(f"it is nested too deeply: at most {most.depth} levels are read")
        if sum(map(bare.count, (b"[", b"{", b","))) > most.values:
            raise BadInput(f"it has too many values: at most {most.values:,} are read")
    if len(text) > most.digits and (long := _digits(most.digits + 1)).search(text):
        bare = _STRING.sub(b'""', text) if bare is None else bare
        if long.search(bare):
            raise BadInput(f"a number in it is too long: at most {most.digits} digits are read")
    return text


@cache
def _digits(count: int) -> re.Pattern[bytes]:
    return re.compile(rb"[0-9]{%d}" % count)


def _deeper(bare: bytes, most: int) -> bool:
    """Whether lists and objects lie in more than so many others; strings have been left out."""
    depth = 0
    for bracket in _BRACKET.finditer(bare):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > most:
            return True
    return False


def json_of(text: bytes, most: Bounds = LINE) -> Any:  # noqa: ANN401 - whatever was written
    """The value of some JSON that is within the bounds; ValueError says what is wrong with it."""
    return decoded(bounded(text, most))


def decoded(text: bytes) -> Any:  # noqa: ANN401 - the same
    """The value of JSON that has been looked at, without a key twice and what is no number, as NaN."""
    return _decode(text.decode())


def lines_of(source: BinaryIO, most: Bounds = LINE) -> Iterator[bytes]:
    """The lines of a file, one by one; of one that is too long the beginning, which shows that it is."""
    while line := source.readline(most.size + 1):
        yield line
        while len(line) > most.size and not line.endswith(b"\n"):
            line = source.readline(most.size + 1)


def bytes_of(file: Path, most: int) -> bytes:
    """What is in a file, if that is not more; BadInput if it is, OSError if it cannot be read."""
    with file.open("rb") as opened:
        found = opened.read(most + 1)
    if len(found) > most:
        raise BadInput(f"{file} is too large: at most {most:,} bytes are read")
    return found


def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different; for `object_pairs_hook`."""
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twin = next(name for name in counts if counts[name] > 1)
        raise BadInput(f"the key {twin!r} is given twice")
    return made


def _no_constant(name: str) -> NoReturn:
    raise BadInput(f"{name} is not a number here")


_decode = json.JSONDecoder(object_pairs_hook=no_twins, parse_constant=_no_constant).decode


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
