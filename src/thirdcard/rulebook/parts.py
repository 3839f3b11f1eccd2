"""What the parts of a rulebook are made of: paragraphs, hands, numbers, a fact with what it rests on."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Final, Generic, TypeAlias, TypeVar

import msgspec

Paragraph: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[0-9]+(\.[0-9]+)*(\([a-z]\))?$")]
Rules: TypeAlias = tuple[Paragraph, ...]  # lettered items as "4.2.1(b)"
T = TypeVar("T")


class Side(StrEnum):
    """One of the two hands."""

    PLAYER = "player"
    BANKER = "banker"

    @property
    def other(self) -> "Side":
        return Side.BANKER if self is Side.PLAYER else Side.PLAYER

    @property
    def label(self) -> str:
        return "Player" if self is Side.PLAYER else "Banker"


class Numbers:
    """Whole numbers that a condition names: `6`, `"4-9"`, or a list of both; none at all means any."""

    __slots__ = ("given", "values")

    def __init__(self, given: object = ()) -> None:
        self.given = given
        listed = given if isinstance(given, (list, tuple)) else (given,)
        self.values = tuple(dict.fromkeys(number for one in listed for number in self._spelled(one)))

    @staticmethod
    def _spelled(one: object) -> range:
        if isinstance(one, int) and not isinstance(one, bool):
            return range(one, one + 1)
        low, dash, high = one.partition("-") if isinstance(one, str) else ("", "", "")
        if not (dash and low.isdecimal() and high.isdecimal() and len(low + high) <= 4):  # noqa: PLR2004
            raise ValueError(f"{one!r} is not a number or a range such as '4-9'")
        if int(low) > int(high):
            raise ValueError(f"{one!r} runs backwards: expected the smaller number first")
        return range(int(low), int(high) + 1)

    def allow(self, number: int) -> bool:
        return not self.values or number in self.values

    def __bool__(self) -> bool:
        return bool(self.values)

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbers) and set(self.values) == set(other.values)

    def __hash__(self) -> int:
        return hash(frozenset(self.values))

    def __str__(self) -> str:
        given = self.given if isinstance(self.given, (list, tuple)) else (self.given,)
        return ", ".join(map(str, given))

    def __repr__(self) -> str:
        return f"Numbers({self.given!r})"


ANY: Final = Numbers()


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a rulebook."""


class Fact(Part, frozen=True, kw_only=True):
    """Something the document says, and where; a document without numbered paragraphs cites none."""

    rules: Rules = ()


class Cited(Fact, Generic[T], frozen=True, kw_only=True):
    value: T
