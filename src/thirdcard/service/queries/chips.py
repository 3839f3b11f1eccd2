"""What a table would say to chips being recorded so: whether, why not, and what the box then plays for."""

from typing import TypeAlias

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.service.people.roles import Person, rank_at
from thirdcard.service.queries.parts import Power, power_unless
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.plans import barred, with_rank
from thirdcard.table import State, carry_out, commands
from thirdcard.table.refusals import Refusal
from thirdcard.table.state import Round
from thirdcard.table.table import EventAndState

OfChips: TypeAlias = commands.RecordChips | commands.LateChips | commands.Remove


class ChipsPlay(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody's bet: how it lies in the eyes of the rules, and what of it plays."""

    player: str
    bet: str
    lies: int
    plays: int


class Judged(Power, frozen=True, kw_only=True):
    """Whether chips may be recorded so, and the bets of the box after that.

    `by_pin`: it takes somebody who stands higher, who may confirm it at the desk.
    """

    by_pin: bool = False
    bets: tuple[ChipsPlay, ...] = ()


def judged(live: Live, person: Person, command: OfChips) -> Judged:
    """Nothing is changed; who stands too low is told what somebody would be told who does not."""
    table = live.table
    no = barred(live, person, command)
    answer = no or _said(table, person, command, rank_at(person.role, table.rulebook))
    by_pin = isinstance(answer, Refusal) and answer.code == "wrong-rank" and no is None
    for rank in table.rulebook.ranks if by_pin else ():
        answer = _said(table, person, command, rank.name)
        if not isinstance(answer, Refusal) or answer.code != "wrong-rank":
            break
    if isinstance(answer, Refusal):
        return Judged(**msgspec.structs.asdict(power_unless(answer)))
    events, after = [event for event, _ in answer], answer[-1][1]
    rules: Rules = tuple(dict.fromkeys(rule for event in events for rule in event.rules))
    return Judged(may=not by_pin, rules=rules, by_pin=by_pin, bets=_bets(after.round, command.box))


def _said(
    state: State, person: Person, command: OfChips, rank: str | None
) -> tuple[EventAndState, ...] | Refusal:
    return carry_out(with_rank(state, person.name, rank), command)


def _bets(current: Round | None, box: int) -> tuple[ChipsPlay, ...]:
    """As they lay at the close, once that was said."""
    if current is None:
        return ()
    closed = current.phase not in ("betting", "adjusting")
    return tuple(
        ChipsPlay(
            player=stake.player,
            bet=stake.bet,
            lies=stake.cents,
            plays=current.played[key].cents if closed and key in current.played else stake.cents,
        )
        for key, stake in (current.closed if closed else current.stakes).items()
        if stake.box == box
    )
