"""Walk-ins: patrons without an account, whom staff bring to a table, describe for one another and see off.

A description is kept for 30 days, under the table and the name; no log has it, and only staff read it.
"""

import secrets

import msgspec

from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.log.store import Store
from thirdcard.service.people.credentials import WALK_IN
from thirdcard.service.people.roles import Person
from thirdcard.service.tables.away import KeptChips
from thirdcard.service.tables.draft import Decided, planned
from thirdcard.service.tables.live import PLAYING, Live
from thirdcard.service.tables.plans import by_person
from thirdcard.strict import decodable
from thirdcard.table import State, carry_out, commands, events, evolve
from thirdcard.table.commands import AnyCommand
from thirdcard.table.refusals import Refusal
from thirdcard.words.saying import say

KIND = "walk-in"  # what a description is kept as
KEPT = 30 * 86_400 * MICROSECONDS


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """`salt`, so that what the journal knows of it tells nobody what to guess."""

    text: str
    since: int
    salt: str


class Patron(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    description: str


@planned
def bring(  # noqa: PLR0913 - who comes, and with what
    live: Live, person: Person, name: str, *, box: int | None, cents: int, kept: KeptChips, least: int
) -> Decided | Refusal:
    """Join, buy in and sit for a walk-in; without a name the next number, which is `least` or more."""
    player = name or f"{WALK_IN}{max(live.walk_ins + 1, least)}"
    wanted: list[AnyCommand] = []
    if player not in live.table.players:
        wanted.append(commands.Join(by=person.name, player=player))
    if cents:
        wanted.append(commands.BuyIn(by=person.name, player=player, cents=cents))
    if box is not None and live.table.seats.get(box) != player:
        wanted.append(commands.Sit(by=person.name, player=player, box=box))
    return by_person(person, *wanted, kept=kept if name else KeptChips(left=live.left))(live)


@planned
def see_off(live: Live, person: Person, name: str) -> Decided | Refusal:
    """A walk-in cashes all in and goes.

    Who had a part in the round before is of the table until bets are opened: its result may yet change.
    """
    if not name.startswith(WALK_IN) or name not in live.table.players:
        return Refusal("unknown-player", say("no-such-walk-in", who=name))
    if _has_bets(live.table, name):
        return Refusal("wrong-phase", say("chips-on-layout", who=name))
    cents = live.table.rack(name)
    out = (commands.CashOut(by=person.name, player=name, cents=cents),) if cents else ()
    decided = by_person(person, *out)(live)
    if isinstance(decided, Refusal):
        return decided
    made = list(decided.events)
    state = next((state for _, state in reversed(made) if state is not None), live.table)
    stood_up = carry_out(state, commands.Leave(by=SYSTEM, player=name))
    if not isinstance(stood_up, Refusal):
        made += stood_up
        state = stood_up[-1][1]
    if not state.debt(name) and not _played_last(state, name):
        gone = events.PlayerLeft(player=name, brought=live.takings.brought.get(name, 0) - cents)
        made.append((gone, evolve(state, gone)))
    return Decided(events=tuple(made))


def _has_bets(state: State, name: str) -> bool:
    return state.phase in PLAYING and _played_last(state, name)


def _played_last(state: State, name: str) -> bool:
    current = state.round
    bets = (*current.stakes.values(), *current.closed.values(), *current.late.values()) if current else ()
    return any(stake.player == name for stake in bets)


# Descriptions -------------------------------------------------------------------------------------------


def place_of(table: str, name: str) -> str:
    """Under which a walk-in of a table is described: others may have the same number elsewhere."""
    return f"{table}/{name}"


def description(text: str, now: int) -> bytes:
    """As it is kept."""
    return msgspec.json.encode(Description(text=text, since=now, salt=secrets.token_hex(16)))


def described(store: Store, live: Live) -> list[Patron]:
    """The walk-ins who are at a table."""
    found = []
    for name in live.table.players:
        if name.startswith(WALK_IN):
            body = store.personal(place_of(live.id, name), KIND)
            kept = msgspec.json.decode(body, type=decodable(Description)) if body is not None else None
            found.append(Patron(name=name, description=kept.text if kept else ""))
    return found


def outdated(store: Store, before: int) -> list[str]:
    """The places of descriptions that were written too long ago."""
    decoder = msgspec.json.Decoder(decodable(Description))
    return [place for place, body in store.personal_of(KIND) if decoder.decode(body).since < before]
