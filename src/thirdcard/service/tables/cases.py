"""Irregularities that wait at a table: who reported them and when, who looks after them, and who is to."""

from collections.abc import Iterable

import msgspec

from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.store.model import Record
from thirdcard.table import events
from thirdcard.table.events import AnyEvent
from thirdcard.table.ranks import outranks, titles_that_may
from thirdcard.table.refusals import Refusal
from thirdcard.table.state import Pending, Round, State
from thirdcard.words.saying import say

replace = msgspec.structs.replace


class OpenCase(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """`by` reported it. `passed_to` is a rank of the table, or a person."""

    case: str
    by: str
    at: int
    taken_by: str = ""
    taken_rank: str = ""
    taken_at: int = 0
    passed_to: str = ""
    passed_by: str = ""
    passed_at: int = 0
    note: str = ""


def waiting(current: Round | None) -> tuple[Pending, ...]:
    """The irregularity that holds the round up, then those behind it."""
    if current is None or current.pending is None:
        return ()
    return (current.pending, *current.reported)


def may_not_take(state: State, person: str, rank: str, held: OpenCase, number: int) -> Refusal | None:
    """Only who may rule takes a case, and takes it over only from who stands lower."""
    book, pending = state.rulebook, waiting(state.round)[number]
    if held.taken_by == person:
        return Refusal("wrong-phase", say("taken-already"))
    if not rank or not outranks(book, rank, pending.decides):
        return Refusal(
            "wrong-rank", say("has-to-rule", ranks=titles_that_may(book, pending.decides)), pending.rules
        )
    holder = held.taken_rank
    if holder and (rank == holder or not outranks(book, rank, holder)):
        return Refusal("wrong-rank", say("case-is-with", who=held.taken_by))
    return None


def after(
    cases: tuple[OpenCase, ...], event: AnyEvent, stored: Record, current: Round | None
) -> tuple[OpenCase, ...]:
    """Those that are open after an event, in the order of the table."""
    if isinstance(event, events.IrregularityReported):
        cases = (*cases, OpenCase(case=event.pending.case, by=event.by, at=stored.at))
    elif isinstance(event, events.ReportDismissed | events.ReportEnded):
        cases = (*cases[: event.number], *cases[event.number + 1 :])
    elif isinstance(event, events.IrregularityClosed):
        cases = cases[1:]
    return tuple(_still(cases, waiting(current)))


def _still(cases: tuple[OpenCase, ...], pending: Iterable[Pending]) -> Iterable[OpenCase]:
    left = list(cases)
    for other in pending:
        found = next((case for case in left if case.case == other.case), None)
        if found is not None:
            left.remove(found)
            yield found


def taken(cases: tuple[OpenCase, ...], event: floor.CaseTaken, stored: Record) -> tuple[OpenCase, ...]:
    mine = replace(cases[event.number], taken_by=stored.by, taken_rank=event.rank, taken_at=stored.at)
    return (*cases[: event.number], mine, *cases[event.number + 1 :])


def passed(cases: tuple[OpenCase, ...], event: floor.CasePassedUp, stored: Record) -> tuple[OpenCase, ...]:
    """Whom it was passed to has to take it."""
    mine = replace(
        cases[event.number],
        taken_by="",
        taken_rank="",
        taken_at=0,
        passed_to=event.to,
        passed_by=stored.by,
        passed_at=stored.at,
        note=event.note,
    )
    return (*cases[: event.number], mine, *cases[event.number + 1 :])
