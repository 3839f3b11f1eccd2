"""Who is paid what, in the order in which a dealer does it: for staff, once every card has been seen."""

from collections.abc import Iterable, Sequence

import msgspec

from thirdcard.play.outcome import outcome_of
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.model import Rules
from thirdcard.table import State
from thirdcard.table.decide.settling import settlement_event
from thirdcard.table.state import Line, Round, Settlement, Stake


class PaidLine(msgspec.Struct, frozen=True, kw_only=True):
    bet: str
    window: int | None
    stake: int
    result: str
    odds: str | None
    net: int
    rules: Rules


class Payout(msgspec.Struct, frozen=True, kw_only=True):
    """All that one person has in one box."""

    box: int
    player: str
    standing: bool
    lines: tuple[PaidLine, ...]
    net: int


class Payouts(msgspec.Struct, frozen=True, kw_only=True):
    """`settled`: it has been done; else this is what settling would do."""

    settled: bool
    outcome: str
    people: tuple[Payout, ...]
    take: int
    pay: int


def payouts(state: State) -> Payouts | None:
    """The round as it is paid, or would be once its last card is seen."""
    current = state.round
    made = _settlement(state, current) if current else None
    if current is None or made is None:
        return None
    people = in_order(made.lines, current.stakes.values(), state.setup.bets)
    nets = [line.net for line in made.lines]
    return Payouts(
        settled=current.settlement is not None,
        outcome=made.outcome,
        people=people,
        take=-sum(net for net in nets if net < 0),
        pay=sum(net for net in nets if net > 0),
    )


def _settlement(state: State, current: Round) -> Settlement | None:
    if current.settlement is not None or current.phase != "dealing" or current.pending is not None:
        return current.settlement
    deal = state.deal()
    if deal.next is not None or not current.all_seen:
        return None
    return settlement_event(state, current, outcome_of(deal, sight_of_all(state.rules))).settlement


def in_order(lines: Iterable[Line], stakes: Iterable[Stake], bets: Sequence[str]) -> tuple[Payout, ...]:
    """The lines as a dealer works: box by box, who sits there before who stands, the first to bet first.

    A person's lines are in the order of the layout, insurance after the bet that it insures.
    """
    standing: dict[tuple[int, str], tuple[bool, int]] = {}
    for stake in stakes:
        before = standing.get((stake.box, stake.player), (not stake.seated, stake.order))
        standing[stake.box, stake.player] = min(before, (not stake.seated, stake.order))
    alike: dict[tuple[int, str], list[Line]] = {}
    for line in lines:
        alike.setdefault((line.box, line.player), []).append(line)
    last = (True, 0)
    people = sorted(alike, key=lambda who: (who[0], *standing.get(who, last), who[1]))
    return tuple(
        Payout(
            box=box,
            player=player,
            standing=standing.get((box, player), last)[0],
            lines=tuple(
                msgspec.convert(one, PaidLine, from_attributes=True)
                for one in sorted(alike[box, player], key=lambda one: _place(one, bets))
            ),
            net=sum(one.net for one in alike[box, player]),
        )
        for box, player in people
    )


def _place(line: Line, bets: Sequence[str]) -> tuple[int, int]:
    bet = line.bet.removesuffix("-insurance") if line.window is not None else line.bet
    return bets.index(bet) if bet in bets else len(bets), line.window or 0
