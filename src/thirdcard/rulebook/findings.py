"""What is wrong with a rulebook, all of it at once."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from thirdcard.errors import BadInput

Level: TypeAlias = Literal["fault", "note"]

MOST_TOLD = 40  # of one book's faults in one sentence
LONGEST_TOLD = 400  # characters of one finding


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something about a value of a rulebook: a fault, for which it is refused, or a note.

    `example` is the smallest round or case that shows it, where there is one; `line` is that of the document
    which the book was held against.
    """

    file: str
    key: str
    finding: str
    example: str = ""
    level: Level = "fault"
    line: int = 0

    def __str__(self) -> str:
        example = f" ({self.example})" if self.example else ""
        return f"{self.key}: {self.finding}{example}" if self.key else f"{self.finding}{example}"


def finding(file: str, key: str, told: str, example: str = "", *, level: Level = "fault") -> Finding:
    """One that can be shown anywhere, whatever the file has in it."""
    return Finding(
        file=printable(file), key=printable(key), finding=printable(told), example=example, level=level
    )


def printable(text: str) -> str:
    """Text in which nothing is hidden, moves the cursor or goes on for ever."""
    cut = text if len(text) <= LONGEST_TOLD else f"{text[:LONGEST_TOLD]}..."
    return cut if cut.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut)


class RulebookError(BadInput):
    """A rulebook that cannot be used; the message names the file and every key at fault."""

    def __init__(self, file: str, findings: Sequence[Finding]) -> None:
        file = printable(file)
        told = "; ".join(
            str(one) if one.file == file else f"in {one.file}: {one}" for one in findings[:MOST_TOLD]
        )
        rest = len(findings) - MOST_TOLD
        super().__init__(f"{file}: {told}" + (f"; and {rest} more" if rest > 0 else ""))
        self.findings = tuple(findings)
