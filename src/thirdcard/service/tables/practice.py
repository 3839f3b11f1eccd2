"""Practice: what a trainee names and ends at a table, and the driver by which everybody else there acts."""

from typing import NamedTuple, Protocol

from thirdcard.service.log import floor_events as floor
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import floor_plans
from thirdcard.service.tables.draft import Decided, Plan, logging_only, planned
from thirdcard.service.tables.live import PLAYING, Live
from thirdcard.service.tables.paying import payout_key
from thirdcard.table.refusals import Refusal
from thirdcard.words.saying import say


class Act(NamedTuple):
    """What somebody does once so much time has passed, unless the table changed meanwhile."""

    ms: int
    by: str
    plan: Plan
    mark: tuple[object, ...] = ()  # remembered as done, where the table itself does not tell


class Driver(Protocol):
    """Everybody at a practice table but the trainee; `done` is what they did that no state tells."""

    done: set[tuple[object, ...]]

    def next_act(self, live: Live) -> Act | None:
        """What comes next, None while the trainee is awaited."""


@planned
def name_payout(live: Live, person: Person, box: int, player: str, cents: int) -> Decided | Refusal:
    """What the trainee says that somebody has coming, before the desk tells; said once."""
    practice, paying = live.practice, live.paying
    if practice is None or practice.trainee != person.name or practice.post != "desk":
        return Refusal("not-allowed-here", say("payouts-named-by-dealer"))
    if paying is None or live.table.phase in PLAYING:
        return Refusal("wrong-phase", say("no-round-to-pay"))
    if payout_key(box, player) in paying.named:
        return Refusal("wrong-phase", say("said-already"))
    if (box, player) not in to_name(live):
        return Refusal("unknown-player", say("no-chips-in-round", who=player, box=box, round=paying.round))
    return logging_only(floor.PayoutNamed(box=box, player=player, cents=cents))


def to_name(live: Live) -> tuple[tuple[int, str], ...]:
    """Whose payouts the trainee has yet to name: everybody with chips, in the order of paying."""
    practice, paying, current = live.practice, live.paying, live.table.round
    if practice is None or practice.post != "desk" or paying is None or paying.done or current is None:
        return ()
    if current.settlement is None:
        return ()
    lines = (*paying.early, *current.settlement.lines)
    seated = {(stake.box, stake.player): stake.seated for stake in current.closed.values()}
    people = sorted(
        {(line.box, line.player) for line in lines},
        key=lambda who: (who[0], not seated.get(who, False), who[1]),
    )
    return tuple(who for who in people if payout_key(*who) not in paying.named)


@planned
def end_early(live: Live, person: Person) -> Decided | Refusal:
    """The trainee stops: the round that is played is the last."""
    if live.practice is None or live.practice.trainee != person.name:
        return Refusal("not-allowed-here", say("shift-ended-by-worker"))
    return floor_plans.announce_last_round()(live)
