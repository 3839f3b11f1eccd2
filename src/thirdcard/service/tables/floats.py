"""Fills, credits and counts, as plans: two people sign, each by name, and what they sign is on record."""

import msgspec

from thirdcard.service.log import floor_events as floor
from thirdcard.service.people.roles import Person
from thirdcard.service.tables.draft import Decided, logging_only, planned
from thirdcard.service.tables.duty import supervises
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.money import Slip, are_chips, worth
from thirdcard.table.refusals import Refusal
from thirdcard.words.saying import say

NO_FLOAT = Refusal("not-allowed-here", say("no-float-to-count"))
Pieces = dict[int, int]


def _barred(live: Live, *people: Person, pieces: Pieces | None = None) -> Refusal | None:
    """Two people, one of whom supervises, and chips that there are."""
    if live.automatic:
        return NO_FLOAT
    if pieces is not None and not are_chips(pieces):
        return Refusal("not-a-multiple", say("no-such-chips"))
    if not people:
        return None
    if len({one.name for one in people}) < len(people):
        return Refusal("wrong-rank", say("two-people-sign", who=people[0].name))
    if not any(supervises(one, live.table) for one in people):
        return Refusal("wrong-rank", say("float-by-supervisor"))
    return None


def expected(live: Live, why: str) -> int | None:
    """What the books come to: the float, or the drop since its last count."""
    if why == "drop":
        return live.takings.drop - live.money.dropped
    return live.tray.expected(live.table)


@planned
def count(  # noqa: PLR0913, PLR0917 - who counts what, and what the first count came to
    live: Live,
    person: Person,
    other: Person,
    why: floor.CountOf | str,
    pieces: Pieces,
    first: int | None = None,
) -> Decided | Refusal:
    """By two people; what differs from the books is a case."""
    no = _barred(live, person, other, pieces=pieces)
    if no is not None:
        return no
    told = {
        "cents": worth(pieces),
        "expected": expected(live, why),
        "pieces": pieces,
        "people": (person.name, other.name),
    }
    if why == "drop":
        return logging_only(msgspec.convert(told, floor.DropCounted))
    return logging_only(msgspec.convert(told | {"why": why, "first": first}, floor.FloatCounted))


@planned
def ask_slip(live: Live, person: Person, what: floor.SlipKind, pieces: Pieces) -> Decided | Refusal:
    """A number is given when a fill or a credit is asked for; the float is as it was."""
    no = _barred(live, pieces=pieces)
    if no is not None:
        return no
    if person.name != live.duty.dealer and not supervises(person, live.table):
        return Refusal("wrong-rank", say("slip-by-dealer-and-pit"))
    if not worth(pieces):
        return Refusal("not-a-multiple", say("say-which-chips"))
    return logging_only(floor.SlipAsked(number=live.money.numbers + 1, what=what, pieces=pieces))


@planned
def finish_slip(live: Live, person: Person, other: Person, number: int) -> Decided | Refusal:
    """The chips have been counted by both: only now they are in the float, or out of it."""
    slip = _open(live, number)
    no = _barred(live, person, other)
    if isinstance(slip, Refusal) or no is not None:
        return slip if isinstance(slip, Refusal) else no or NO_FLOAT
    done = floor.SlipDone(number=number, people=(person.name, other.name))
    moved = floor.FloatFilled if slip.what == "fill" else floor.FloatCredited
    return logging_only(done, moved(cents=slip.cents))


@planned
def void_slip(live: Live, person: Person, other: Person, number: int, reason: str) -> Decided | Refusal:
    """The number stays on record, with the reason; nothing has moved."""
    slip = _open(live, number)
    no = _barred(live, person, other)
    if isinstance(slip, Refusal) or no is not None:
        return slip if isinstance(slip, Refusal) else no or NO_FLOAT
    if not reason.strip():
        return Refusal("fact-missing", say("say-why-slip-is-void"))
    people = (person.name, other.name)
    return logging_only(floor.SlipVoided(number=number, reason=reason.strip(), people=people))


def _open(live: Live, number: int) -> Slip | Refusal:
    slip = live.money.slip(number)
    if slip is None:
        return Refusal("unknown-case", say("no-such-slip", number=number))
    if slip.state != "asked":
        return Refusal("wrong-phase", say("slip-is-closed", number=number))
    return slip


@planned
def answer_difference(live: Live, person: Person, at: int, answer: str) -> Decided | Refusal:
    """In writing, by a supervisor who did not count; once."""
    found = next((one for one in live.money.differences if one.at == at), None)
    if found is None:
        return Refusal("unknown-case", say("no-such-difference"))
    if found.answer:
        return Refusal("wrong-phase", say("difference-answered-already"))
    if not supervises(person, live.table):
        return Refusal("wrong-rank", say("difference-by-supervisor"))
    if not answer.strip():
        return Refusal("fact-missing", say("answer-in-writing"))
    return logging_only(floor.DifferenceAnswered(at=at, answer=answer.strip()))
