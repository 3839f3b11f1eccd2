"""Money of the house at a table as it is moved: numbered slips, counts, differences that somebody answers."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from thirdcard.money import CHIP_VALUES
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.store.model import Record

replace = msgspec.structs.replace
KEPT = 40  # slips and differences of a table that are told one by one
SlipState: TypeAlias = Literal["asked", "done", "void"]


class Slip(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A fill or a credit: by its number, chips by value in cents; `people` signed its end."""

    number: int
    what: floor.SlipKind
    pieces: dict[int, int]
    at: int
    by: str
    state: SlipState = "asked"
    people: tuple[str, ...] = ()
    ended_at: int = 0
    reason: str = ""

    @property
    def cents(self) -> int:
        return worth(self.pieces)


class Difference(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A count that was not what the books come to: a case, until a supervisor answers it in writing."""

    at: int
    why: str
    cents: int
    expected: int
    people: tuple[str, ...]
    answer: str = ""
    answered_by: str = ""
    answered_at: int = 0


class Money(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """`numbers` of slips were given; `counted` is what the last count was for, `dropped` is counted drop."""

    numbers: int = 0
    slips: tuple[Slip, ...] = ()
    differences: tuple[Difference, ...] = ()
    counted: str = ""
    dropped: int = 0

    def slip(self, number: int) -> Slip | None:
        return next((one for one in self.slips if one.number == number), None)


def worth(pieces: Mapping[int, int]) -> int:
    """Chips by value, in cents."""
    return sum(value * count for value, count in pieces.items())


COINS = 1  # what is smaller than any chip, in cents
VALUES = frozenset((COINS, *(dollars * 100 for dollars in CHIP_VALUES)))


def are_chips(pieces: Mapping[int, int]) -> bool:
    """Whether there are chips of these values, or coins."""
    return all(value in VALUES and count >= 0 for value, count in pieces.items())


def asked(money: Money, event: floor.SlipAsked, stored: Record) -> Money:
    made = Slip(number=event.number, what=event.what, pieces=event.pieces, at=stored.at, by=stored.by)
    return replace(money, numbers=event.number, slips=(*money.slips, made)[-KEPT:])


def ended(money: Money, event: floor.SlipDone | floor.SlipVoided, stored: Record) -> Money:
    """Its number is not used again."""
    void = isinstance(event, floor.SlipVoided)
    changed = {
        "state": "void" if void else "done",
        "people": event.people,
        "ended_at": stored.at,
        "reason": event.reason if isinstance(event, floor.SlipVoided) else "",
    }
    slips = [replace(one, **changed) if one.number == event.number else one for one in money.slips]
    return replace(money, slips=tuple(slips))


def counted(money: Money, event: floor.FloatCounted | floor.DropCounted, stored: Record) -> Money:
    """By two people; a count of one person's, as before, opens no case."""
    why = "drop" if isinstance(event, floor.DropCounted) else event.why
    dropped = money.dropped + (event.expected or 0) if why == "drop" else money.dropped
    now = replace(money, counted=money.counted if why == "drop" else why, dropped=dropped)
    if not event.people or event.expected in (None, event.cents):
        return now
    found = Difference(
        at=stored.at, why=why, cents=event.cents, expected=event.expected or 0, people=event.people
    )
    return replace(now, differences=(*now.differences, found)[-KEPT:])


def handed_over(money: Money, event: floor.DealerRelieved, stored: Record) -> Money:
    """Counted by who leaves and who takes over."""
    if event.counted is None or event.expected in (None, event.counted):
        return money
    people = (event.off, event.on)
    found = Difference(
        at=stored.at, why="check", cents=event.counted, expected=event.expected or 0, people=people
    )
    return replace(money, differences=(*money.differences, found)[-KEPT:])


def answered(money: Money, event: floor.DifferenceAnswered, stored: Record) -> Money:
    said = {"answer": event.answer, "answered_by": stored.by, "answered_at": stored.at}
    found = [replace(one, **said) if one.at == event.at else one for one in money.differences]
    return replace(money, differences=tuple(found))
