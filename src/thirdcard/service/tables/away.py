"""People who are away, and people who are ready: what they let the house know without a bet.

After some rounds without a sign people leave the table, and their chips go home into their wallets. Earlier
releases kept the chips at the table: whoever has some there finds them when coming back.
"""

from collections.abc import Collection

import msgspec

from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.log.store import Store
from thirdcard.service.people.credentials import WALK_IN
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import wallets
from thirdcard.service.tables.draft import Decided, Plan, left, logging_only, planned
from thirdcard.service.tables.live import Live, absent
from thirdcard.table import State, carry_out, commands, events, evolve
from thirdcard.table.refusals import Refusal
from thirdcard.table.rights.squeezing import permit_of
from thirdcard.table.state import UNDER_WAY
from thirdcard.table.table import EventAndState
from thirdcard.words.saying import say

ABSENT_ROUNDS = 3  # without a sign, after which somebody leaves the table
ABSENT_MINUTES = 20  # the same at a table that stands still
MOST_PLAYERS = 200  # at a table; if more come, those leave who have nothing there
MOST_AT_ONCE = 100  # events by which people leave together
MAKING_ROOM = frozenset((events.BetsOpened, events.PlayerJoined))  # before which somebody may have to leave


class KeptChips(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The chips of somebody who is away; good as long as nobody has left the table after `left`."""

    cents: int = 0
    brought: int = 0
    left: int = 0
    shown: str = ""  # what others are to see of the person

    def joined(self, player: str, by: str = "") -> events.PlayerJoined:
        """`by` staff, where they bring the player to the table."""
        return events.PlayerJoined(player=player, cents=self.cents, brought=self.brought, by=by)


def kept_for(store: Store, live: Live, player: str) -> KeptChips:
    """What is kept for somebody who is not at the table."""
    found = store.lookup(live.id, (left(player),), limit=1) if live.left else []
    event = event_of(found[0][1]) if found else None
    if not isinstance(event, events.PlayerLeft):
        return KeptChips(left=live.left)
    return KeptChips(cents=event.cents, brought=event.brought, left=live.left)


def clearing(plan: Plan, rounds: int) -> Plan:
    """The plan; where it opens bets, whoever gave no sign for so many rounds leaves the table first.

    Then no bet of theirs is in play, and the round before is final. With 0 rounds nobody does. Walk-ins give
    no sign: who of them has neither chips nor a seat any more goes. Where it lets somebody join a crowd,
    others make room.
    """

    def cleared(live: Live) -> Decided | Refusal:
        decided = plan(live)
        if isinstance(decided, Refusal):
            return decided
        kinds = {type(event) for event, _ in decided.events}
        if kinds.isdisjoint(MAKING_ROOM):
            return decided
        away = absent(live, rounds) if rounds and events.BetsOpened in kinds else ()
        away += _done(live) if events.BetsOpened in kinds else ()
        gone = _leaving(live, away or (_in_the_way(live) if events.PlayerJoined in kinds else ()))
        if not gone:
            return decided
        after = plan(msgspec.structs.replace(live, state=gone[-1][1]))
        if isinstance(after, Refusal):
            return after
        return msgspec.structs.replace(after, events=(*gone, *after.events))

    return cleared


def _done(live: Live) -> tuple[str, ...]:
    """Walk-ins who have nothing at the table any more."""
    state, seated = live.table, set(live.table.seats.values())
    walk_ins = (player for player in state.players if player.startswith(WALK_IN))
    return tuple(walk_in for walk_in in walk_ins if walk_in not in seated and not state.rack(walk_in))


def _in_the_way(live: Live) -> tuple[str, ...]:
    """Of a crowd, those with no seat and no part in the round; who gave no sign for longest comes first."""
    state, current = live.table, live.table.round
    over = len(state.players) + 1 - MOST_PLAYERS
    if over <= 0:
        return ()
    busy = {*state.seats.values(), state.device}
    if current is not None:
        stakes = (*current.stakes.values(), *current.closed.values(), *current.late.values())
        squeezes = (*current.handed.values(), *current.requests)
        permitted = (one.player for place in current.permits if (one := permit_of(current, place)))
        busy |= {*(stake.player for stake in stakes), *squeezes, *permitted}
    idle = [player for player in sorted(live.seen, key=live.seen.__getitem__) if player not in busy]
    return tuple(idle[:over])


def _leaving(live: Live, players: tuple[str, ...]) -> list[EventAndState]:
    """They are stood up; who owes the House nothing leaves the table."""
    state, made = live.table, list[EventAndState]()
    for player in players:
        if len(made) >= MOST_AT_ONCE:
            break
        stood_up = carry_out(state, commands.Leave(by=SYSTEM, player=player))
        if not isinstance(stood_up, Refusal):
            made += stood_up
            state = made[-1][1]
        if not state.debt(player):
            before, home = state.rack(player), wallets.taken_home(state, player, by=SYSTEM)
            made += home
            state = made[-1][1] if home else state
            brought = live.takings.brought.get(player, 0) - (before if home else 0)
            gone = events.PlayerLeft(player=player, cents=state.rack(player), brought=brought)
            state = evolve(state, gone)
            made.append((gone, state))
    return made


def left_behind(live: Live, looking: Collection[str], now: int) -> tuple[str, ...]:
    """Players of a table at which nothing has happened for long, but those who look at it."""
    state, current = live.table, live.table.round
    plays = state.phase in UNDER_WAY and current is not None and (current.stakes or current.drawn)
    still = now - live.last_at >= ABSENT_MINUTES * 60_000_000 and not plays
    return tuple(player for player in live.seen if player not in looking) if still else ()


@planned
def going(live: Live, players: tuple[str, ...]) -> Decided:
    """They leave the table, as before a round."""
    return Decided(events=tuple(_leaving(live, players)))


def due_to_be_seen(live: Live, rounds: int) -> tuple[str, ...]:
    """Who would leave before the next round but one, unless there is a sign of them."""
    return absent(live, max(rounds - 1, 1)) if rounds else ()


@planned
def seen(live: Live, players: tuple[str, ...]) -> Decided:
    """People of whom nothing but an open socket tells that they are there."""
    there = tuple(player for player in players if player in live.seen)
    return logging_only(*((floor.PlayersSeen(players=there),) if there else ()))


# Who is ready -----------------------------------------------------------------------------------------

# Once everybody who bet is ready, the automatic dealer closes the bets early. Nobody can say so for somebody
# else, and nobody is shut out by those who are quick: while somebody at the table has chips and no bet, half
# of the time stays.

KEPT = 0.5  # of the time to bet, for those who have yet to
BY_HAND = Refusal("not-allowed-here", say("dealer-closes-bets"))
NOT_OPEN = Refusal("wrong-phase", say("ready-needs-open-bets"))
NO_BET = Refusal("no-such-stake", say("ready-needs-bet"))


@planned
def say_ready(live: Live, person: Person, *, ready: bool) -> Decided | Refusal:
    """A person is ready, or is not after all; said twice it is said once."""
    if not live.automatic:
        return BY_HAND
    if live.table.phase != "betting" or live.stopped_at:
        return NOT_OPEN
    if person.name not in bettors(live.table):
        return NO_BET
    if (person.name in live.ready) == ready:
        return logging_only()
    return logging_only(floor.PlayerReady(player=person.name, ready=ready))


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
