"""People who are away: after some rounds they leave the table, and their chips go home into their wallets.

Earlier releases kept the chips at the table: whoever has some there finds them when coming back.
"""

import msgspec

from thirdcard.service.log import floor_events as own
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.log.store import Store
from thirdcard.service.people.credentials import WALK_IN
from thirdcard.service.tables import wallets
from thirdcard.service.tables.draft import Decided, Plan, left, logging_only
from thirdcard.service.tables.live import Live, absent
from thirdcard.table import carry_out, commands, events, evolve
from thirdcard.table.refusals import Refusal
from thirdcard.table.rights.squeezing import permit_of
from thirdcard.table.table import EventAndState

ABSENT_ROUNDS = 3  # without a sign, after which somebody leaves the table
MOST_PLAYERS = 200  # at a table; if more come, those leave who have nothing there
MOST_AT_ONCE = 100  # events by which people leave together


class Kept(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The chips of somebody who is away; good as long as nobody has left the table after `left`."""

    cents: int = 0
    brought: int = 0
    left: int = 0
    shown: str = ""  # what others are to see of the person

    def joined(self, player: str, by: str = "") -> events.PlayerJoined:
        """`by` staff, where they bring the player to the table."""
        return events.PlayerJoined(player=player, cents=self.cents, brought=self.brought, by=by)


def kept_for(store: Store, live: Live, player: str) -> Kept:
    """What is kept for somebody who is not at the table."""
    found = store.lookup(live.id, (left(player),), limit=1) if live.left else []
    event = event_of(found[0][1]) if found else None
    if not isinstance(event, events.PlayerLeft):
        return Kept(left=live.left)
    return Kept(cents=event.cents, brought=event.brought, left=live.left)


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
    return tuple(one for one in walk_ins if one not in seated and not state.rack(one))


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


def due_to_be_seen(live: Live, rounds: int) -> tuple[str, ...]:
    """Who would leave before the next round but one, unless there is a sign of them."""
    return absent(live, max(rounds - 1, 1)) if rounds else ()


def seen(players: tuple[str, ...]) -> Plan:
    """People of whom nothing but an open socket tells that they are there."""

    def plan(live: Live) -> Decided:
        there = tuple(player for player in players if player in live.seen)
        return logging_only(*((own.PlayersSeen(players=there),) if there else ()))

    return plan
