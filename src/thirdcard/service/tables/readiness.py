"""Who is ready for the cards: once everybody who bet is, the automatic dealer closes the bets early.

Nobody can say so for somebody else, and nobody is shut out by those who are quick: while somebody at the
table has chips and no bet, half of the time stays.
"""

from thirdcard.service.log import floor_events as own
from thirdcard.service.people.roles import Person
from thirdcard.service.tables.draft import Decided, Plan, logging_only
from thirdcard.service.tables.live import Live
from thirdcard.table import State
from thirdcard.table.refusals import Refusal
from thirdcard.words.saying import say

KEPT = 0.5  # of the time to bet, for those who have yet to
BY_HAND = Refusal("not-allowed-here", say("dealer-says-when-bets"))
NOT_OPEN = Refusal("wrong-phase", say("bets-not-open-nothing"))
NO_BET = Refusal("no-such-stake", say("bet-says-ready-place"))


def say_ready(person: Person, *, ready: bool) -> Plan:
    """A person is ready, or is not after all; said twice it is said once."""

    def plan(live: Live) -> Decided | Refusal:
        if not live.automatic:
            return BY_HAND
        if live.table.phase != "betting" or live.stopped_at:
            return NOT_OPEN
        if person.name not in bettors(live.table):
            return NO_BET
        if (person.name in live.ready) == ready:
            return logging_only()
        return logging_only(own.PlayerReady(player=person.name, ready=ready))

    return plan


def bettors(state: State) -> set[str]:
    """Who has chips on the layout and has not walked away."""
    current = state.round
    return {stake.player for stake in current.stakes.values()}.difference(current.gone) if current else set()


def seconds_left(live: Live, left: float) -> float:
    """What remains of a running timer of which `left` seconds would remain if nobody were ready."""
    timer = live.timer
    if left <= 0 or not live.ready or timer is None or timer.name != "betting":
        return left
    bet = bettors(live.table)
    if not bet or not bet.issubset(live.ready):
        return left
    return max(left - timer.ms / 1000 * (1 - KEPT), 0.0) if _some_may_bet(live.table, bet) else 0.0


def _some_may_bet(state: State, bet: set[str]) -> bool:
    """Whether anybody who has not bet has chips to."""
    return any(player not in bet and state.rack(player) > 0 for player in state.players)
