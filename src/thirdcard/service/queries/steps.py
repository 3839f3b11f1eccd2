"""Where a table is between two rounds, in the steps that a dealer takes: for staff."""

from typing import Literal, TypeAlias

from thirdcard.play.tableau import INITIAL
from thirdcard.service.tables.live import Live
from thirdcard.table.rights.drawing import due_hand
from thirdcard.table.rights.insurance import open_windows
from thirdcard.table.state import Round, State

StepName: TypeAlias = Literal[
    "shoe", "bets", "close", "four", "insurance", "thirds", "settle", "payouts", "idle"
]
# A round's, in their order.
ROUND: tuple[StepName, ...] = ("bets", "close", "four", "insurance", "thirds", "settle", "payouts")


def step_and_done(live: Live) -> tuple[StepName, tuple[StepName, ...]]:
    """The step that is under way, and those of the round that are over."""
    state = live.table
    current = state.round
    if current is not None and current.phase not in ("settled", "void"):
        step = _in_round(state, current)
        return step, ROUND[: ROUND.index(step)]
    played = current is not None and current.phase == "settled"
    if played and live.paying is not None and not live.paying.done:
        return "payouts", ROUND[: ROUND.index("payouts")]
    shoe = state.shoe
    used_up = shoe is None or shoe.cut_out or shoe.to_come < INITIAL
    return "shoe" if used_up else "idle", ROUND if played else ()


def _in_round(state: State, current: Round) -> StepName:
    """Insurance comes once four cards lie face up, and again after a third card that opens it anew."""
    if current.phase == "betting":
        return "bets"
    if current.phase == "adjusting":
        return "close"
    if len(current.seen) < INITIAL:
        return "four"
    if open_windows(state, current):
        return "insurance"
    return "thirds" if due_hand(state, current) is not None or not current.all_seen else "settle"
