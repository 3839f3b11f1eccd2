"""A shift at a table: what the books stood at when it began, and what was put right since."""

import msgspec

from thirdcard.table.ledger import HOUSE
from thirdcard.table.state import State

MOST_KEPT = 20  # corrections of a shift that are told one by one


class Correction(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    at: int
    by: str
    round: int


class Shift(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Sums as they stood at its beginning; without a name, at that of the table."""

    name: str = ""
    since: int = 0
    by: str = ""
    house: int = 0
    drop: int = 0
    paid_out: int = 0
    rounds: int = 0
    void_rounds: int = 0
    corrections: tuple[Correction, ...] = ()

    def win(self, state: State) -> int:
        """What the house has won since, in cents."""
        return state.balances.get(HOUSE, 0) - self.house


def corrected(shift: Shift, by: str, at: int, number: int) -> Shift:
    made = (*shift.corrections, Correction(at=at, by=by, round=number))
    return msgspec.structs.replace(shift, corrections=made[-MOST_KEPT:])
