"""What somebody may do at a table now, and why or why not: without any card, so that none is told by it."""

from typing import Any

import msgspec

from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.people.roles import Person, rank_at
from thirdcard.service.tables.dealer import dealer_rank
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.plans import barred, with_rank
from thirdcard.table import State, legal
from thirdcard.table.legal import Option
from thirdcard.table.ranks import is_dealer
from thirdcard.table.why import Why, why
from thirdcard.words.saying import READER

# What the table fills in as an example, to be said by who asks: which cards are to come is nobody's business.
EXAMPLES = {
    "draw": ("card",),
    "expose": ("names",),
    "amend": ("cards",),
    "correct": ("cards",),
    "report": ("drawn", "shown", "names", "cards"),
    "rule": ("inputs",),
}


class PossibleCommand(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A command that would be accepted.

    Its `cents` may be any amount up to `most` in steps of `step`; the fields of `free` are to be filled in.
    """

    command: dict[str, Any]
    most: int | None = None
    step: int | None = None
    free: tuple[str, ...] = ()


def possible(live: Live, person: Person, player: str = "") -> list[PossibleCommand]:
    """Staff name the `player` whose chips they mean to handle; without one chips are left out."""
    state = with_rank(live.table, person.name, rank_at(person.role, live.table.rulebook))
    options = legal(state, person.name, chips_of=(player,) if player in state.players else ())
    return [_without_cards(option) for option in options if barred(live, person, option.command) is None]


def _without_cards(option: Option) -> PossibleCommand:
    command = msgspec.to_builtins(option.command)
    left_out = [name for name in EXAMPLES.get(command["command"], ()) if command.pop(name, None)]
    free = tuple(dict.fromkeys((*option.free, *left_out)))
    return PossibleCommand(command=command, most=option.most, step=option.step, free=free)


def rights(live: Live, person: Person, player: str, right: str = "") -> tuple[Why, ...]:
    """What `player` may do, asked by somebody in the rank that their role gives them here."""
    asked = with_rank(live.table, person.name, rank_at(person.role, live.table.rulebook))
    return why(dealt(asked), player, right, language=READER.get()())


def dealt(state: State) -> State:
    """The table with somebody who would hand out cards and the device: the house, where nobody deals yet."""
    if any(is_dealer(state, person) for person in state.staff):
        return state
    return with_rank(state, SYSTEM, dealer_rank(state.rulebook))
