"""What an answer begins with: its form, the program that gave it, and the text it rests on."""

from importlib.metadata import version
from typing import Final, TypeVar

import msgspec

from thirdcard.rulebook import Rulebook, digest_of

VERSION: Final = version("thirdcard")
T = TypeVar("T", bound=msgspec.Struct)


def identity(schema: str, book: Rulebook) -> dict[str, str]:
    return {
        "schema": f"thirdcard.{schema}.1",
        "thirdcard": VERSION,
        "rulebook": book.slug,
        "digest": digest_of(book),
    }


def identified(kind: type[T], schema: str, book: Rulebook, value: msgspec.Struct) -> T:
    """A value with its identity, as the kind that has the fields of both."""
    return kind(**(msgspec.structs.asdict(value) | identity(schema, book)))
