"""What a player may do at a live table and why, or why not: for themselves, and for staff about anybody."""

from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.people.roles import Person, rank_at
from thirdcard.service.tables.dealer import dealer_rank
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.plans import with_rank
from thirdcard.table import State
from thirdcard.table.ranks import is_dealer
from thirdcard.table.why import Why, why
from thirdcard.words.saying import READER


def rights(live: Live, person: Person, player: str, right: str = "") -> tuple[Why, ...]:
    """What `player` may do, asked by somebody in the rank that their role gives them here."""
    asked = with_rank(live.table, person.name, rank_at(person.role, live.table.rulebook))
    return why(dealt(asked), player, right, language=READER.get()())


def dealt(state: State) -> State:
    """The table with somebody who would hand out cards and the device: the house, where nobody deals yet."""
    if any(is_dealer(state, person) for person in state.staff):
        return state
    return with_rank(state, SYSTEM, dealer_rank(state.rulebook))
