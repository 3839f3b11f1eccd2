"""Which irregularities can be reported now, and what each report has to say."""

from collections.abc import Iterator

import msgspec

from thirdcard.rulebook.facts import asked_facts
from thirdcard.rulebook.model import Procedure, Rules
from thirdcard.table import State, refusal
from thirdcard.table.reported import CARDS, DETAILS, FACTS
from thirdcard.table.samples import reports

FIELDS = ("drawn", "cards", "shown", "names", "players", "box", "window", "displayed")


class Reportable(msgspec.Struct, frozen=True, kw_only=True):
    """A case; `asks` are the fields of a report that say something about it, besides its note."""

    case: str
    title: str
    rules: Rules
    asks: tuple[str, ...]


def reportable(state: State, person: str) -> tuple[Reportable, ...]:
    """The cases of which somebody could report something that is taken."""
    current = state.round
    if current is None or person not in state.staff:
        return ()
    return tuple(
        Reportable(
            case=procedure.case,
            title=procedure.title,
            rules=procedure.rules,
            asks=tuple(_asks(state, procedure)),
        )
        for procedure in state.rulebook.procedures
        if any(refusal(state, command) is None for command in reports(state, current, person, procedure))
    )


def _asks(state: State, procedure: Procedure) -> Iterator[str]:
    used = frozenset().union(*(DETAILS[about] for about in procedure.about)) if procedure.about else CARDS
    if "differential" in procedure.about and state.rulebook.limits.differential.scope == "table":
        used -= {"box"}
    yield from (name for name in FIELDS if name in used)
    yield from (name for name in FACTS if name in asked_facts(procedure))
    if state.rounds > 1 and ("noticed" in asked_facts(procedure) or "earlier-round" in procedure.about):
        yield "round"
