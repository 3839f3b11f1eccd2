"""What comes from outside costs no more than its size."""

from typing import Any

import msgspec
import numpy as np
import pytest

from each import each
from thirdcard.cards import Card
from thirdcard.errors import BadInput
from thirdcard.rulebook.model import Side
from thirdcard.strict import converted, fields_of, no_twins
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
