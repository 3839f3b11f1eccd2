"""What comes from outside costs no more than its size."""

import io
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from each import each
from thirdcard.cards import Card
from thirdcard.errors import BadInput
from thirdcard.rulebook.model import Side
from thirdcard.strict import Bounds, bounded, bytes_of, converted, fields_of, json_of, lines_of, no_twins
from thirdcard.table import commands
from thirdcard.table.commands import Command


class Key(str):
    """A key that counts how often it is compared with another."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        Key.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_looking_for_a_key_given_twice_takes_as_many_steps_as_there_are_keys() -> None:
    pairs = [(Key(f"k{number}"), number) for number in range(2_000)]
    Key.compared = 0
    with pytest.raises(BadInput, match="'k1999' is given twice"):
        no_twins([*pairs, (Key("k1999"), 0)])
    assert Key.compared < 4 * len(pairs)


@each(
    ("kind", "given", "meant"),
    [
        (
            commands.Insure,
            {"box": np.int64(1), "hand": "player", "cents": 500},
            {"box": 1, "hand": Side.PLAYER, "cents": 500},
        ),
        (commands.Draw, {"card": "9C"}, {"card": Card("9C")}),
        (
            commands.Expose,
            {"cards": [1, np.int64(3)], "names": ["9C", Card("KS")]},
            {"cards": (1, 3), "names": (Card("9C"), Card("KS"))},
        ),
        (
            commands.Report,
            {"case": "late-bet", "names": {"2": "9C"}},
            {"case": "late-bet", "names": {2: Card("9C")}},
        ),
    ],
)
def test_a_command_made_in_python_is_taken_for_what_it_says(
    kind: type[Command], given: dict[str, Any], meant: dict[str, Any]
) -> None:
    found, wanted = converted(kind(by="Ann", **given)), kind(by="Ann", **meant)
    assert found == wanted
    assert {name: type(getattr(found, name)) for name in meant} == {
        name: type(value) for name, value in meant.items()
    }


@each(
    ("kind", "given", "told"),
    [
        (
            commands.Insure,
            {"box": 1, "hand": "plyer", "cents": 500},
            "Invalid enum value 'plyer' - at `$.hand`",
        ),
        (commands.Place, {"box": 1, "bet": 5, "cents": 500}, "Expected `str`, got `int` - at `$.bet`"),
        (commands.Place, {"box": 1.0, "bet": "tie", "cents": 500}, "box must be a whole number: got 1.0"),
        (commands.Expose, {"cards": 1}, "Expected `array`, got `int` - at `$.cards`"),
        (commands.Expose, {"cards": (1.0,)}, "Expected `int`, got `float`"),
        (commands.Expose, {"cards": (object(),)}, "must be a whole number: got <object"),
    ],
)
def test_a_command_made_in_python_that_does_not_fit_is_refused_in_a_sentence(
    kind: type[Command], given: dict[str, Any], told: str
) -> None:
    with pytest.raises(BadInput) as caught:
        converted(kind(by="Ann", **given))
    assert told in str(caught.value)


def test_fields_are_taken_as_they_are_and_others_given() -> None:
    class Seen(msgspec.Struct):
        name: str
        cents: int
        kept: bool = True

    class Given(msgspec.Struct):
        name: str
        cents: int
        other: str

    given = Given(name="Mei", cents=500, other="-")
    assert fields_of(Seen, given) == Seen(name="Mei", cents=500)
    assert fields_of(Seen, given, cents=7, kept=False) == Seen(name="Mei", cents=7, kept=False)
    with pytest.raises(TypeError, match="cents"):
        fields_of(Seen, object(), name="Mei")


# Bounds ---------------------------------------------------------------------------------------------------------

SMALL = Bounds(1_000, values=50, depth=5, digits=10)
TOO_MUCH = {
    "too long": b" " * 1_001,
    "too many values": b"[" + b"0," * 50 + b"0]",
    "nested too deeply": b"[" * 6 + b"]" * 6,
    "a number in it is too long": b'{"a": 12345678901}',
}
WITHIN = (
    b" " * 1_000,
    b'"' + b"," * 900 + b'"',  # in a string it is no value
    b'"' + b"[" * 900 + b'"',
    b'["\\"[[[[[[[[", "[[[[[[[["]',
    b'"12345678901"',
    b"[[[[[1234567890]]]]]",
    b"[], [], [], [], [], []",
)


@each(("said", "text"), TOO_MUCH.items())
def test_what_is_too_much_is_told_before_it_is_decoded(said: str, text: bytes) -> None:
    with pytest.raises(BadInput, match=said):
        bounded(text, SMALL)
    with pytest.raises(BadInput, match=said):
        json_of(text, SMALL)


@each("text", WITHIN)
def test_what_is_within_the_bounds_is_left_as_it_is(text: bytes) -> None:
    assert bounded(text, SMALL) is text


def test_a_line_that_is_too_long_is_cut_and_the_next_one_is_whole() -> None:
    source = io.BytesIO(b"a\n" + b"b" * 5_000 + b"\nc\n" + b"d" * 999 + b"\n" + b"e" * 1_000 + b"\nf")
    found = list(lines_of(source, SMALL))
    assert [line[:1] for line in found] == [b"a", b"b", b"c", b"d", b"e", b"f"]
    assert [len(line) for line in found] == [2, 1_001, 2, 1_000, 1_001, 1]
    assert [len(line) > SMALL.size for line in found] == [False, True, False, False, True, False]


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "large"
    file.write_bytes(b"x" * 101)
    assert bytes_of(file, 101) == b"x" * 101
    with pytest.raises(BadInput, match="at most 100 bytes"):
        bytes_of(file, 100)
