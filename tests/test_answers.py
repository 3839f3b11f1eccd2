"""A struct as plain values, and the type that its schema is made from."""

from fractions import Fraction
from typing import ClassVar, Literal

import msgspec
from msgspec import UNSET, UnsetType

from thirdcard.answers import Exactly, Rounded, Told, form_of, told
from thirdcard.cards import Rank


class Inner(msgspec.Struct, Told):
    TELLS: ClassVar = ("share", "kind=colour", "twice")

    share: Fraction | None
    colour: Literal["red", "black"] = "red"
    hidden: int = 0

    @property
    def twice(self) -> Rounded:
        return (self.share or Fraction(0)) * 2


class Outer(msgspec.Struct):
    by_rank: dict[Rank, Inner]
    parts: tuple[Inner, ...]
    exact: Exactly
    rest: Inner | UnsetType = UNSET


class Plain(msgspec.Struct, omit_defaults=True):
    name: str
    left_out: str = ""


HALF = {"share": "1/2", "share_approx": 0.5, "kind": "red", "twice": 1.0}
NONE = {"share": None, "share_approx": None, "kind": "black", "twice": 0.0}


def test_exact_numbers_stand_beside_rounded_ones_and_properties_beside_fields() -> None:
    outer = Outer({Rank.TEN: Inner(Fraction(1, 2))}, (Inner(None, "black"),), Fraction(-1, 3))
    assert told(outer) == {"by_rank": {"T": HALF}, "parts": [NONE], "exact": "-1/3"}
    outer.rest = Inner(Fraction(1, 2))
    assert told(outer)["rest"] == HALF
    assert told([Inner(Fraction(1, 2))]) == [HALF]


def test_a_struct_with_nothing_of_that_is_as_it_is() -> None:
    assert told(Plain("x")) == {"name": "x"}
    assert form_of(Plain).kind is Plain


def test_the_schema_is_of_what_is_told() -> None:
    schema = msgspec.json.schema(form_of(Outer).kind)
    inner = schema["$defs"]["Inner"]
    assert schema["$defs"]["Outer"]["required"] == ["by_rank", "parts", "exact"]
    assert list(inner["properties"]) == list(HALF) == inner["required"]
    assert inner["properties"]["twice"] == {"type": "number"}
    assert inner["properties"]["kind"] == {"type": "string"}
    numbers = inner["properties"]["share"]["anyOf"]
    assert {"type": "null"} in numbers
    assert any("pattern" in one for one in numbers)
