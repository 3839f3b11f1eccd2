"""Who is offered insurance and who is paid what, in the order in which a dealer does it: for staff.

What is paid is told once every card has been seen.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

from thirdcard.money import chips_of, floor_to_unit
from thirdcard.play.outcome import outcome_of
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.model import Rules, Side
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.paying import Paying, payout_key
from thirdcard.table import State, limits
from thirdcard.table.playing import cap_for
from thirdcard.table.rights.insurance import Window, open_windows, silent_in, why_forgone
from thirdcard.table.settling import settlement_event
from thirdcard.table.state import Line, OpenOffer, Round, Settlement, Stake, offer_odds


class PaidLine(msgspec.Struct, frozen=True, kw_only=True):
    """`returned` is what goes back of a stake that did not play, or not in full."""

    bet: str
    window: int | None
    stake: int
    result: str
    odds: str | None
    net: int
    commission: int
    returned: int
    rules: Rules


class Payout(msgspec.Struct, frozen=True, kw_only=True):
    """All that one person has in one box.

    `pays` are the winnings to hand out; stakes that stay are not paid. `handed` was handed out already. After
    a correction of what was paid, both are all that somebody wins or loses there; `to_take` of it are bets on
    the felt that now lose. `chips` are those that are still to go over the table, one way or the other.
    `note` is what was said of a dispute, for supervisors.
    """

    box: int
    player: str
    standing: bool
    lines: tuple[PaidLine, ...]
    net: int
    pays: int
    commission: int
    returned: int
    handed: int
    to_take: int
    paid: bool
    disputed: bool
    note: str
    chips: tuple[tuple[int, int], ...]


class PersonDifference(msgspec.Struct, frozen=True, kw_only=True):
    """What a correction makes different for one person: to be paid, or collected if it is negative."""

    player: str
    before: int
    after: int
    difference: int


class Payouts(msgspec.Struct, frozen=True, kw_only=True):
    """`settled`: it has been done; else this is what settling would do. `taken` are lost stakes, by box.

    People are in the order in which they are paid; those who have nothing coming are among them. After a
    correction `differences` are what each gets or gives back by it, chips of the bets included.
    """

    round: int
    settled: bool
    done: bool
    outcome: str
    taken: dict[int, int]
    people: tuple[Payout, ...]
    take: int
    pay: int
    differences: tuple[PersonDifference, ...] = ()
    corrected: bool = False


NOTHING_PAID = Paying(round=0)


def payouts(live: Live, *, notes: bool = False) -> Payouts | None:
    """The round as it is paid, or would be once its last card is seen; with `notes` on disputes."""
    state, paying = live.table, live.paying or NOTHING_PAID
    current = state.round
    settlement = _settlement(state, current) if current else None
    if current is None or (settlement is None and not (paying.early or paying.paid or paying.before)):
        return None
    lines = (*paying.early, *(settlement.lines if settlement else ()))
    stakes = (*current.closed.values(), *current.stakes.values())
    people = in_order(
        lines, stakes, state.setup.bets, paying, commission=state.rulebook.commission is not None
    )
    taken: dict[int, int] = {}
    for line in lines:
        if line.net < 0:
            taken[line.box] = taken.get(line.box, 0) - line.net
    return Payouts(
        round=current.number,
        settled=current.settlement is not None or current.phase == "void",
        done=paying.done,
        outcome=settlement.outcome if settlement else "",
        taken=dict(sorted(taken.items())),
        people=people if notes else tuple(msgspec.structs.replace(person, note="") for person in people),
        take=sum(one.to_take for one in people) if paying.carried else sum(taken.values()),
        pay=sum(person.pays for person in people),
        differences=tuple(_differences(paying.before, current)),
        corrected=bool(paying.carried),
    )


def _differences(before: dict[str, int], current: Round) -> Iterator[PersonDifference]:
    """Once it is settled again, or void."""
    if not before or (current.settlement is None and current.phase != "void"):
        return
    nets = current.settlement.nets if current.settlement is not None else {}
    for player in dict.fromkeys((*before, *nets)):
        had, has = before.get(player, 0), nets.get(player, 0)
        if had != has:
            yield PersonDifference(player=player, before=had, after=has, difference=has - had)


def _settlement(state: State, current: Round) -> Settlement | None:
    if current.settlement is not None or current.phase != "dealing" or current.pending is not None:
        return current.settlement
    deal = state.deal()
    if deal.next is not None or not current.all_seen:
        return None
    return settlement_event(state, current, outcome_of(deal, sight_of_all(state.rulebook))).settlement


def in_order(
    lines: Iterable[Line],
    stakes: Iterable[Stake],
    bets: Sequence[str],
    paying: Paying = NOTHING_PAID,
    *,
    commission: bool = False,
) -> tuple[Payout, ...]:
    """The lines as a dealer works: box by box, who sits there before who stands, the first to bet first.

    A person's lines are in the order of the layout, insurance after the bet that it insures. Who was paid
    and has no line any more is there too.
    """
    standing: dict[tuple[int, str], tuple[bool, int]] = {}
    for stake in stakes:
        before = standing.get((stake.box, stake.player), (not stake.seated, stake.order))
        standing[stake.box, stake.player] = min(before, (not stake.seated, stake.order))
    alike: dict[tuple[int, str], list[Line]] = {}
    for line in lines:
        alike.setdefault((line.box, line.player), []).append(line)
    for box, _, player in (key.partition("/") for key in (*paying.paid, *paying.due, *paying.disputed)):
        alike.setdefault((int(box), player), [])
    last = (True, 0)
    people = sorted(alike, key=lambda who: (who[0], *standing.get(who, last), who[1]))
    return tuple(
        _payout(
            box,
            player,
            sorted(alike[box, player], key=lambda line: _place(line, bets)),
            paying,
            standing=standing.get((box, player), last)[0],
            commission=commission,
        )
        for box, player in people
    )


def _payout(  # noqa: PLR0913 - what a payout is made of
    box: int, player: str, lines: list[Line], paying: Paying, *, standing: bool, commission: bool
) -> Payout:
    shown = tuple(_line(line, commission=commission) for line in lines)
    key, whole = payout_key(box, player), bool(paying.carried)
    pays = sum(line.net for line in lines if line.net > 0 or whole)
    handed = paying.paid.get(key, 0)
    return Payout(
        box=box,
        player=player,
        standing=standing,
        lines=shown,
        net=sum(line.net for line in lines),
        pays=pays,
        commission=sum(line.commission for line in shown),
        returned=sum(line.returned for line in shown),
        handed=handed,
        to_take=_to_take(lines, paying.carried),
        paid=(bool(handed) or whole) and handed == pays,
        disputed=key in paying.disputed,
        note=paying.disputed[key].note if key in paying.disputed else "",
        chips=chips_of(abs(pays - handed)),
    )


def _to_take(lines: Iterable[Line], carried: tuple[Line, ...]) -> int:
    """The stakes that lose now and did not before: they lie there."""
    stayed = {(line.box, line.player, line.bet, line.window) for line in carried if line.net >= 0}
    losing = [line for line in lines if line.net < 0]
    return -sum(one.net for one in losing if (one.box, one.player, one.bet, one.window) in stayed)


def _line(line: Line, *, commission: bool) -> PaidLine:
    """Banker's odds are even money less the commission."""
    played = line.stake if line.played is None else line.played
    charged = commission and line.bet == "banker" and line.result == "win"
    return PaidLine(
        bet=line.bet,
        window=line.window,
        stake=line.stake,
        result=line.result,
        odds=line.odds,
        net=line.net,
        commission=played - line.net if charged else 0,
        returned=line.stake if line.result == "returned" else line.stake - played,
        rules=line.rules,
    )


def _place(line: Line, bets: Sequence[str]) -> tuple[int, int]:
    bet = line.bet.removesuffix("-insurance") if line.window is not None else line.bet
    return bets.index(bet) if bet in bets else len(bets), line.window or 0


# Insurance --------------------------------------------------------------------------------------------


Answer: TypeAlias = Literal["", "insured", "declined", "forgone"]


class InsuranceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody stands with the insurance on one bet.

    `cap` is what may still be bought on it, `wins` what the insurance wins if it comes: what was `bought`,
    else the cap. Who is `silent` forgoes insurance when it is closed; nobody is who insured another bet.
    """

    player: str
    box: int
    bet: Side
    window: int
    odds: str
    stake: int
    standing: bool
    answer: Answer
    silent: bool
    cap: int
    bought: int
    wins: int
    late: bool


def answers(state: State) -> tuple[InsuranceAnswer, ...]:
    """Everybody with a bet that insurance is on offer for, by box; a late offer is a question of its own."""
    current = state.round
    if current is None:
        return ()
    asked = [answer for window in open_windows(state, current) for answer in _window(state, current, window)]
    return tuple(sorted(asked, key=lambda answer: (answer.late, answer.box, answer.standing)))


def _window(state: State, current: Round, window: Window) -> Iterator[InsuranceAnswer]:
    silent = silent_in(state, current, window)
    for offer in window.offers:
        for stake in sorted(current.stakes.values(), key=lambda stake: stake.order):
            if stake.bet == offer.hand and (not window.late_for or stake.player in window.late_for):
                yield _answer(state, current, window, offer, stake, silent=stake.player in silent)


def _answer(  # noqa: PLR0913 - which offer to whom
    state: State, current: Round, window: Window, offer: OpenOffer, stake: Stake, *, silent: bool
) -> InsuranceAnswer:
    late, player = bool(window.late_for), stake.player
    here = (player, stake.box, offer.hand, window.number, late)
    bought = sum(
        purchase.cents
        for purchase in current.purchases
        if (purchase.player, purchase.box, purchase.hand, purchase.window, purchase.late) == here
    )
    forgone = bool(why_forgone(state, current, player, window.number))
    said: Answer = "insured" if bought else "declined" if player in window.declined else ""
    cap = 0 if forgone or said == "declined" else _cap(state, current, offer, stake, late=late)
    return InsuranceAnswer(
        player=player,
        box=stake.box,
        bet=offer.hand,
        window=window.number,
        odds=offer.odds,
        stake=limits.plays_for(current.stakes, current.played, stake.key),
        standing=not stake.seated,
        answer=said or ("forgone" if forgone else ""),
        silent=silent and not forgone,
        cap=cap,
        bought=bought,
        wins=offer_odds(state, offer.row).winnings_cents(bought or cap),
        late=late,
    )


def _cap(state: State, current: Round, offer: OpenOffer, stake: Stake, *, late: bool) -> int:
    """What would be accepted now, within the rack too."""
    cap = cap_for(state, current, offer, stake.player, stake.box, late=late).cents
    most = min(cap, state.rack(stake.player), limits.space(state, stake.player))
    return floor_to_unit(max(most, 0), state.setup.chip_unit)
