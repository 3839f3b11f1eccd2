"""What an answer about a table begins with: its form, the program that gave it, and the text it rests on."""

from typing import TypeVar

import msgspec

from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.lookup import identity

T = TypeVar("T", bound=msgspec.Struct)


def identified(kind: type[T], schema: str, book: Rulebook, value: msgspec.Struct) -> T:
    """A value with its identity, as the kind that has the fields of both."""
    return kind(**(msgspec.structs.asdict(value) | identity(schema, book)))
