"""Who is offered insurance now, on which bet, and what they have said: for staff."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from thirdcard.money import floor_to_unit
from thirdcard.rulebook.model import Side
from thirdcard.table import State, limits
from thirdcard.table.playing import cap_for
from thirdcard.table.rights.insurance import Window, open_windows, silent_in, why_forgone
from thirdcard.table.state import OpenOffer, Round, Stake, offer_odds

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
    found = [one for window in open_windows(state, current) for one in _window(state, current, window)]
    return tuple(sorted(found, key=lambda one: (one.late, one.box, one.standing)))


def _window(state: State, current: Round, window: Window) -> Iterator[InsuranceAnswer]:
    silent = silent_in(state, current, window)
    for offer in window.offers:
        for stake in sorted(current.stakes.values(), key=lambda one: one.order):
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
