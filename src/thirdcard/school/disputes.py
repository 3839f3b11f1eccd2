"""Items that somebody thinks are wrong: what was said to them, and what it came to."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

import msgspec

from thirdcard.school.memory import Memory, without_wrong
from thirdcard.school.progress import Given, ItemName, Learner

MOST_OPEN: Final = 20  # of one person, which nobody has settled yet
MOST_KEPT: Final = 100  # of one person
ID_LETTERS: Final = 16

replace = msgspec.structs.replace


class DoubtSettled(msgspec.Struct, frozen=True, kw_only=True):
    """Upheld: the item was wrong. Else the `note` explains why it was not."""

    upheld: bool
    note: str
    by: str
    at: int


class ItemDoubt(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody's answer by its `number`, to an item by a text of its rulebook, and why it is wrong."""

    number: int
    item: ItemName
    digest: str
    answers: dict[str, Given]
    right: bool
    reason: str
    at: int
    settled: DoubtSettled | None = None

    @property
    def id(self) -> str:
        """What the item is known by: everybody who thinks that it is wrong means the same."""
        text = msgspec.json.encode(self.item) + self.digest.encode()
        return sha256(text).hexdigest()[:ID_LETTERS]


def kept(disputes: Iterable[ItemDoubt]) -> tuple[ItemDoubt, ...]:
    """As many as are kept: what was explained long ago goes first, then what was upheld."""
    some = list(disputes)
    gone = sorted(
        (doubt for doubt in some if doubt.settled),
        key=lambda doubt: (bool(doubt.settled and doubt.settled.upheld), doubt.at),
    )
    dropped = {doubt.number for doubt in gone[: max(0, len(some) - MOST_KEPT)]}
    return tuple(
        sorted(
            (doubt for doubt in some if doubt.number not in dropped),
            key=lambda doubt: doubt.number,
        )
    )


def taken_back(learner: Learner, memory: Memory, skill: str, at: int, now: int) -> tuple[Learner, Memory]:
    """Without an answer that was marked wrong at that time by an item that was wrong itself.

    It counts no more, and the skill is due anew; one that was never met otherwise is new again. Ratings and
    levels, which later answers rest on, stay.
    """
    skills, one = dict(memory.skills), memory.skills.get(skill)
    if one is not None and one.met <= 1:
        del skills[skill]
    elif one is not None:
        skills[skill] = without_wrong(one, at, now)
    return replace(learner, struck=learner.struck + 1), replace(memory, skills=skills)
