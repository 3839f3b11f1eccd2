"""The forms a rulebook has: values of a file, frozen types, and one canonical text with its digest."""

import re
import tomllib
import types
from collections.abc import Iterator
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, lru_cache
from hashlib import sha256
from itertools import islice
from typing import Any, Final, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import Odds
from thirdcard.rulebook.conditions import HandWhen, When
from thirdcard.rulebook.model import Rulebook, Span
from thirdcard.rulebook.parts import Numbers, Part
from thirdcard.rulebook.sums import Compare, Count
from thirdcard.strict import decodable

Raw = dict[str, Any]  # a file's values, or a section's
Fault: TypeAlias = tuple[str, str]  # key, and what is the matter with it
OWN_TEXT = (Odds, Span, Fraction)  # types that are written as text
LONGEST_OWN_TEXT: Final = 24
SHARE: Final = re.compile(r"[0-9]+([/.][0-9]+)?")

LENIENT: Final = (When, HandWhen, Count, Compare)  # in which one value stands for a list of it

LARGEST: Final = 1 << 18  # bytes of one file
ENDLESS: Final = "tables within tables without end"
MOST_FINDINGS: Final = 200  # of one book: enough to begin with
MOST_VALUES: Final = 20_000
MOST_TABLES: Final = 4_000  # lines that begin one
DEEPEST_VALUE: Final = 12  # tables and lists within one another
LONGEST_KEY: Final = 100
LARGEST_NUMBER: Final = 10**9
_KEY_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+')"""
# A key of many parts, over which tomllib takes years.
TABLE_LINE: Final = re.compile(r"^[ \t]*+\[", re.MULTILINE)
LONG_KEY: Final = re.compile(rf"(?:\.[ \t]*+{_KEY_PART}[ \t]*+){{{DEEPEST_VALUE}}}")


# --- the values of a file ---------------------------------------------------------------------------------


@lru_cache(maxsize=600)
def values_of(text: str) -> tuple[Raw, tuple[Fault, ...]]:
    """The values of a file's text, for nobody to change, and all that keeps them from being a rulebook's."""
    if len(text) > LARGEST:
        return {}, (("", f"{len(text):,} characters: a rulebook has at most {LARGEST:,}"),)
    if LONG_KEY.search(text):
        return {}, (("", ENDLESS),)
    if sum(1 for _ in TABLE_LINE.finditer(text)) > MOST_TABLES:
        return {}, (("", f"more than {MOST_TABLES:,} tables"),)
    try:
        text.encode()
        raw = tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        return {}, (("", ENDLESS),)
    except ValueError as error:  # also a number of thousands of digits, and half a character
        return {}, (("", str(error)),)
    wrong = tuple(islice(_bound_faults(raw), MOST_FINDINGS))
    return (raw, ()) if not wrong else ({}, wrong)


def _bound_faults(raw: Raw) -> Iterator[Fault]:
    """Key and complaint for what no document has, so that a hostile one costs nothing."""
    count = 0
    ahead: list[tuple[str, Any, int]] = [("", raw, 0)]
    while ahead:
        key, value, depth = ahead.pop()
        count += 1
        if count > MOST_VALUES:
            yield "", f"more than {MOST_VALUES:,} values"
            return
        if isinstance(value, (dict, list)) and depth >= DEEPEST_VALUE:
            yield key, ENDLESS
        elif isinstance(value, dict):
            for name, inner in value.items():
                if len(name) > LONGEST_KEY:
                    yield key, f"a key of {len(name):,} characters: {name[:LONGEST_KEY]}..."
                else:
                    ahead.append((f"{key}.{name}".lstrip("."), inner, depth + 1))
        elif isinstance(value, list):
            ahead += ((f"{key}[{number}]", inner, depth + 1) for number, inner in enumerate(value))
        elif isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            yield key, f"a number larger than {LARGEST_NUMBER:,}"


# --- types of our own -------------------------------------------------------------------------------------


def decode(kind: type, value: object) -> object:
    """Types msgspec does not know: odds, spans of points, numbers, shares such as `1/4`."""
    if kind is Numbers:
        if value in ([], ()):
            raise ValueError("no number: leave the condition out, or name one")
        return Numbers(value)
    if kind in OWN_TEXT and isinstance(value, str):
        if len(value) > LONGEST_OWN_TEXT:
            raise ValueError(f"{value[:LONGEST_OWN_TEXT]!r}... is too long")
        if kind is Fraction and not SHARE.fullmatch(value):
            raise ValueError(f"{value!r} is not a share such as '1/4'")
        try:
            return kind(value)
        except ZeroDivisionError as error:
            raise ValueError(f"{value!r} is not a share such as '1/4'") from error
    raise TypeError(f"expected text for {kind.__name__}, got {value!r}")


def encode(value: object) -> object:
    """The reverse, for `msgspec.to_builtins` and JSON."""
    if isinstance(value, OWN_TEXT):
        return str(value)
    if isinstance(value, Numbers):
        return value.given
    raise TypeError(f"cannot encode {type(value).__name__}")


def convert(raw: object, kind: Any = Rulebook) -> Any:  # noqa: ANN401 - of the kind that is asked for
    return msgspec.convert(raw, decodable(kind), str_keys=True, dec_hook=decode)


def in_full(raw: object, kind: Any = Rulebook) -> Any:  # noqa: ANN401 - of the kind that is asked for
    """Values of a file in which a condition may name one thing where it has a list of them."""
    for option in _options(kind):
        origin, args = get_origin(option), get_args(option)
        if isinstance(raw, dict) and origin is dict:
            return {name: in_full(value, args[1]) for name, value in raw.items()}
        if isinstance(raw, list) and origin is tuple and args[-1:] == (...,):
            return [in_full(value, args[0]) for value in raw]
        if isinstance(raw, dict) and isinstance(option, type) and issubclass(option, Part):
            hints, own = _hints(option), option in LENIENT
            return {
                name: _listed(value, hints[name], own=own) if name in hints else value
                for name, value in raw.items()
            }
    return raw


def _listed(value: object, kind: Any, *, own: bool) -> Any:  # noqa: ANN401 - of the kind that is asked for
    may_be_one = own and get_origin(kind) is tuple and value not in ("", {}) and not isinstance(value, list)
    return in_full([value] if may_be_one else value, kind)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


# --- every fault of form ----------------------------------------------------------------------------------


def form_faults(raw: object, kind: Any = Rulebook, key: str = "") -> Iterator[Fault]:  # noqa: ANN401
    """Key and complaint for each value that has not the form its type asks for, however many there are."""
    try:
        convert(raw, kind)
    except msgspec.ValidationError as error:
        faults = _inner_faults(raw, kind, key)
        first = next(faults, None)
        if first is not None:
            yield first
            yield from faults
        else:
            complaint, _, path = str(error).partition(" - at `$")
            yield (key + re.sub(r"\[\.\.\.\]", "", path.rstrip("`"))).lstrip("."), complaint


def _inner_faults(raw: object, kind: Any, key: str) -> Iterator[Fault]:  # noqa: ANN401
    """The faults of the parts of a value, none where it has no parts to be looked at by themselves."""
    for option in _options(kind):
        origin, args = get_origin(option), get_args(option)
        struct = origin or option
        if isinstance(raw, dict) and isinstance(struct, type) and issubclass(struct, msgspec.Struct):
            yield from _struct_faults(raw, option, key)
        elif isinstance(raw, dict) and origin is dict:
            for name, value in raw.items():
                yield from form_faults(value, args[1], f"{key}.{name}")
        elif isinstance(raw, list) and origin is tuple and args[-1:] == (...,):
            for number, value in enumerate(raw):
                yield from form_faults(value, args[0], f"{key}[{number}]")


def _options(kind: Any) -> tuple[Any, ...]:  # noqa: ANN401
    """The types of a union but for None; a type alone is the only one."""
    if get_origin(kind) in (Union, types.UnionType):
        return tuple(arg for arg in get_args(kind) if arg is not type(None))
    return (kind,)


def _struct_faults(raw: Raw, kind: Any, key: str) -> Iterator[Fault]:  # noqa: ANN401
    own = get_origin(kind) or kind
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    hints = _hints(own)
    for name in raw:
        if name not in fields:
            near = get_close_matches(name, fields, n=1)
            hint = f": did you mean `{near[0]}`?" if near else f": there are {', '.join(sorted(fields))}"
            yield key or name, f"Object contains unknown field `{name}`{hint}"
    for name, field in fields.items():
        if name in raw:
            kind_of = field.type if get_origin(kind) else hints[field.name]
            yield from form_faults(raw[name], kind_of, f"{key}.{name}".lstrip("."))
        elif field.required:
            yield key or name, f"Object missing required field `{name}`"


# --- the canonical text -----------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def canonical(book: Rulebook) -> bytes:
    """The rulebook as one line of JSON that is the same on every machine and in every release.

    Fields stand in the order of their names, those left at their defaults are left out, and the entries of
    mappings and lists keep the document's order.
    """
    return msgspec.json.encode(_plain(book))


def _plain(value: object) -> object:
    if isinstance(value, msgspec.Struct):
        defaults = _defaults(type(value))
        given = ((name, getattr(value, name)) for name in sorted(defaults))
        return {name: _plain(inner) for name, inner in given if not _same(inner, defaults[name])}
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(inner) for inner in value]
    if isinstance(value, (*OWN_TEXT, Numbers)):
        return _plain(encode(value))
    return str(value) if isinstance(value, str) else value


@cache
def _defaults(kind: type[msgspec.Struct]) -> dict[str, object]:
    """What stands for each field where none is given."""
    return {field.name: field.default for field in msgspec.structs.fields(kind)}


def _same(value: object, default: object) -> bool:
    return type(value) is type(default) and value == default


@lru_cache(maxsize=512)
def digest_of(book: Rulebook) -> str:
    """The SHA-256 of the canonical text, in hexadecimal."""
    return sha256(canonical(book)).hexdigest()


def from_canonical(text: bytes) -> Rulebook:
    """The rulebook whose canonical text that is; BadInput if it is none's."""
    try:
        book: Rulebook = convert(msgspec.json.decode(text))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"not the canonical text of a rulebook: {error}") from error
    return book
