"""What grows in an input, each by the size that it is to have: texts, numbers, lists, levels, keys and twins."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Grown = Callable[[int], bytes]


def filled(part: str, before: str = "", after: str = "") -> Grown:
    """A part again and again, between two others."""
    unit = len(part.encode())
    around = len((before + after).encode())
    return lambda size: (before + part * max(1, (size - around) // unit) + after).encode()


def object_of(size: int, twin: bool, begin: str = "") -> bytes:  # noqa: FBT001
    """As many keys as fit, all different but for the last if it is a twin."""
    count = max(1, (size - 20 - len(begin)) // 11)
    keys = [f'"k{number:05}":1' for number in range(count)]
    if twin:
        keys.append(keys[-1])
    return ("{" + begin + ",".join(keys) + "}").encode()


# Texts that parsers of one kind or another take long for, of any length.
TEXTS: dict[str, str] = {
    "letters": "a",
    "spaces": " ",
    "digits": "9",
    "alternatives": "a-",
    "accents": "e\u0301",
    "ligatures": "\ufdfa",
    "words": "password1 ",
    "signs for letters": "4@8({[<369!1|07$5+%2",
    "keyboard": "qwertyuiop",
    "cards": "9C ",
    "commas": ",",
    "points": "1.",
    "percents": "%41",
    "quotes": '"',
    "brackets": "[",
    "lines": "a\n",
    "tags": "<a>",
    "chinese": "\u6211",
    "stars": "*a",
}

# Whole bodies, whatever is asked for.
WHOLE: Mapping[str, Grown] = {
    "keys": lambda size: object_of(size, twin=False),
    "twins": lambda size: object_of(size, twin=True),
    "one key again": filled('"k":1,', "{", '"k":1}'),
    "lists within lists": lambda size: b"[" * (size // 2) + b"]" * (size // 2),
    "lists that nobody closes": filled("["),
    "objects within objects": lambda size: b'{"a":' * (size // 6) + b"1" + b"}" * (size // 6),
    "many lists": filled("[],", "[", "1]"),
    "many objects": filled("{},", "[", "1]"),
    "many numbers": filled("1,", "[", "1]"),
    "one number": filled("9"),
    "a fraction": filled("9", "0."),
    "an exponent": filled("9", "1e"),
    "many exponents": filled("1e308,", "[", "1]"),
    "one text": filled("a", '"', '"'),
    "a text that nobody closes": filled("a", '"'),
    "escapes": filled("\\u00e9", '"', '"'),
    "escaped quotes": filled('\\"', '"', '"'),
    "quotes": filled('"'),
    "spaces": filled(" "),
    "no text": lambda size: b"\xff" * size,
    "nothing known": lambda size: b"\0" * size,
}


def in_fields(sample: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str, Grown]]:  # noqa: ANN401
    """Each value of a sample in turn grown into every form; the rest of it stays as it is."""
    for place, value in _values(sample):
        name = "/".join(map(str, (*path, *place)))
        for kind, text in TEXTS.items():
            yield f"{name}: {kind}", _put(sample, place, text)
        yield f"{name}: digits of a number", _raw(sample, place, "9", "", "")
        unit = json.dumps(value[0] if isinstance(value, list) and value else value)
        yield f"{name}: a list", _raw(sample, place, unit + ",", "[", unit + "]")
        yield f"{name}: lists", _raw(sample, place, "[],", "[", "1]")
        yield f"{name}: levels", _raw(sample, place, "[", "", "")
        yield f"{name}: keys", _keys(sample, place)
        if isinstance(value, dict) and len(value) == 1:  # as a mapping has, whatever its keys
            yield f"{name}: keys of its own kind", _own_keys(sample, place, *value.items())


def _values(sample: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:  # noqa: ANN401
    if isinstance(sample, dict):
        for key, value in sample.items():
            yield (key,), value
            yield from (((key, *place), inner) for place, inner in _values(value))
    elif isinstance(sample, list):
        for number, value in enumerate(sample[:1]):
            yield from (((number, *place), inner) for place, inner in _values(value))


MARK = "here-it-grows"


def _around(sample: Any, place: tuple[str | int, ...]) -> tuple[str, str]:  # noqa: ANN401
    """The text of a sample before and after one of its values."""
    copy = json.loads(json.dumps(sample))
    inner = copy
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = MARK
    before, _, after = json.dumps(copy).partition(f'"{MARK}"')
    return before, after


def _put(sample: Any, place: tuple[str | int, ...], text: str) -> Grown:  # noqa: ANN401
    before, after = _around(sample, place)
    return filled(json.dumps(text)[1:-1], before + '"', '"' + after)


def _raw(sample: Any, place: tuple[str | int, ...], part: str, begin: str, end: str) -> Grown:  # noqa: ANN401
    before, after = _around(sample, place)
    return filled(part, before + begin, end + after)


def _keys(sample: Any, place: tuple[str | int, ...]) -> Grown:  # noqa: ANN401
    before, after = (part.encode() for part in _around(sample, place))
    return lambda size: before + object_of(size - len(before + after), twin=True) + after


def _own_keys(sample: Any, place: tuple[str | int, ...], first: tuple[str, Any]) -> Grown:  # noqa: ANN401
    before, after = _around(sample, place)
    key = "%d" if first[0].isdigit() else "k%06d"
    part = f'"{key}": {json.dumps(first[1])}'

    def made(size: int) -> bytes:
        count = max(1, (size - len(before + after)) // (len(part) + 6))
        return (
            before + "{" + ", ".join(part % (number + 1) for number in range(count)) + "}" + after
        ).encode()

    return made
