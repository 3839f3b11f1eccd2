"""A shift as its log has it, and as it is marked: records with the table before and after, points. Pure."""

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.school.shift_skills import WorkedSkill
from thirdcard.school.shift_troubles import Trouble
from thirdcard.table import evolve
from thirdcard.table.events import AnyEvent
from thirdcard.table.state import State

ShiftFaultKind: TypeAlias = Literal["payout", "order", "card", "cut", "unheard", "voided"]


class NamedPayout(msgspec.Struct, frozen=True, gc=False):
    """What the trainee said that somebody has coming."""

    box: int
    player: str
    cents: int


class PaidPayout(msgspec.Struct, frozen=True, gc=False):
    """A payout was handed over."""

    box: int
    player: str


class PayoutsFinished(msgspec.Struct, frozen=True, gc=False):
    """The round has been paid."""


class PitCalled(msgspec.Struct, frozen=True, gc=False):
    """The pit was asked to come."""


class PassedUp(msgspec.Struct, frozen=True, gc=False):
    """A case was handed to somebody of that rank, or name."""

    to: str


Deed: TypeAlias = AnyEvent | NamedPayout | PaidPayout | PayoutsFinished | PitCalled | PassedUp


class ShiftRecord(msgspec.Struct, frozen=True, gc=False):
    """One record of the table's log: when, in microseconds, by whom, what; and the table before and after."""

    at: int
    by: str
    deed: Deed
    before: State
    after: State


class ShiftFault(msgspec.Struct, frozen=True, kw_only=True):
    """What was wrong in a round, with its paragraphs and what it costs in points."""

    round: int
    kind: ShiftFaultKind
    player: str = ""
    box: int = 0
    said: int = 0
    right: int = 0
    cards: tuple[str, str] = ("", "")  # entered, and what came
    rules: Rules = ()
    points: int


class TroubleMark(msgspec.Struct, frozen=True, kw_only=True):
    """How something that went wrong was dealt with; `did` says it in a word."""

    trouble: Trouble
    case: str
    did: str
    points: int
    most: int
    rules: Rules

    @property
    def right(self) -> bool:
        return self.points == self.most


class LongestWait(msgspec.Struct, frozen=True, kw_only=True):
    """What took longest in a round that was slow: the seconds before the trainee did it."""

    before: str
    seconds: float


class ShiftRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round, or a case at the pit; `slow` says what took longest where it took longer than par."""

    number: int
    seconds: float
    payouts: int
    wrong: int
    trouble: str = ""
    noticed: bool = True
    slow: LongestWait | None = None


class ShiftPart(msgspec.Struct, frozen=True, kw_only=True):
    name: Literal["money", "procedure", "rulings", "pace"]
    points: int
    most: int


class ShiftMarks(msgspec.Struct, frozen=True, kw_only=True):
    """A shift as it is marked; `score` of 100 over the parts that it had."""

    score: int
    parts: tuple[ShiftPart, ...]
    rounds: tuple[ShiftRound, ...]
    faults: tuple[ShiftFault, ...]
    troubles: tuple[TroubleMark, ...]
    payouts: int
    payouts_right: int
    rulings_right: int
    slow: int  # rounds, or cases
    par: int
    seconds: float  # a round, on average
    skills: tuple[WorkedSkill, ...]


def folded(state: State, records: Iterable[tuple[int, str, Deed]]) -> Iterator[ShiftRecord]:
    """Records with the table before and after each; `state` is that of the table as it was opened."""
    for at, by, deed in records:
        after = state
        if not isinstance(deed, NamedPayout | PaidPayout | PayoutsFinished | PitCalled | PassedUp):
            after = evolve(state, deed)
        yield ShiftRecord(at, by, deed, state, after)
        state = after
