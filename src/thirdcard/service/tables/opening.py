"""What goes with the opening of bets: what stands in its way, and what it brings where people deal."""

from collections.abc import Iterator

import msgspec

from thirdcard.service.log import floor_events as own
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.tables.draft import Decided
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.paying import Paying
from thirdcard.table import Setup, State, events
from thirdcard.table.refusals import Refusal
from thirdcard.table.state import HANDS
from thirdcard.words.saying import Saying, say

ARCHIVED = Refusal("wrong-phase", say("table-archived-pit-manager"))


def barred(live: Live) -> Refusal | None:
    """Why no round is opened now."""
    if live.closed:
        return Refusal("wrong-phase", say("table-closed-pit-manager"))
    if live.ended:
        return Refusal("wrong-phase", say("last-round-played-pit"))
    paying = live.paying
    return in_dispute(paying) if paying is not None and paying.disputed else None


def in_dispute(paying: Paying) -> Refusal:
    box, _, player = next(iter(paying.disputed)).partition("/")
    told = say("coming-box-disputed-supervisor", who=player, box=box)
    return Refusal("decision-needed", told)


def accompanied(live: Live, decided: Decided) -> Decided:
    """What was decided; where people deal, opening ends the payouts before it and starts a timer."""
    if live.automatic or not any(isinstance(event, events.BetsOpened) for event, _ in decided.events):
        return decided
    return msgspec.structs.replace(decided, events=tuple(_accompanied(live, decided)))


def _accompanied(live: Live, decided: Decided) -> Iterator[tuple[Logged, State | None]]:
    assert live.pace is not None  # it comes with the table
    for event, state in decided.events:
        opens = isinstance(event, events.BetsOpened)
        if opens and live.paying is not None and not live.paying.done:
            yield own.PayoutsDone(round=live.paying.round), None
        yield event, state
        if isinstance(event, events.BetsOpened) and live.pace.betting:
            yield own.TimerStarted(timer="betting", key=f"betting/{event.number}", ms=live.pace.betting), None


def unplayable(setup: Setup) -> Saying | None:
    """What is wrong with limits that each for itself are in order; None if nothing is."""
    least = max((limit.min for bet, limit in setup.limit_of.items() if bet in HANDS), default=0)
    if setup.differential is None or setup.differential >= least:
        return None
    return say("maximum-differential-below-minimum", differential=setup.differential, least=least)


def changes_to_unplayable(state: State, decided: Decided) -> Refusal | None:
    """The refusal of a change by which the table could not be played."""
    present = state.next_setup or state.setup
    for event, _ in decided.events:
        if not isinstance(event, events.SetupChanged | events.RulebookChanged):
            continue
        same = (event.setup.limits, event.setup.differential) == (present.limits, present.differential)
        told = None if same else unplayable(event.setup)
        if told:
            return Refusal("bad-setup", told)
    return None
