"""What is wrong with a rulebook, all of it at once."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from thirdcard.errors import BadInput

MOST_TOLD = 40  # of one book's faults in one sentence


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something about a value of a rulebook: a fault, for which it is refused, or a note.

    `example` is the smallest round or case that shows it, where there is one.
    """

    file: str
    key: str
    finding: str
    example: str = ""
    level: Literal["fault", "note"] = "fault"

    def __str__(self) -> str:
        example = f" ({self.example})" if self.example else ""
        return f"{self.key}: {self.finding}{example}" if self.key else f"{self.finding}{example}"


class RulebookError(BadInput):
    """A rulebook that cannot be used; the message names the file and every key at fault."""

    def __init__(self, file: str, findings: Sequence[Finding]) -> None:
        told = "; ".join(str(one) for one in findings[:MOST_TOLD])
        rest = len(findings) - MOST_TOLD
        super().__init__(f"{file}: {told}" + (f"; and {rest} more" if rest > 0 else ""))
        self.findings = tuple(findings)
