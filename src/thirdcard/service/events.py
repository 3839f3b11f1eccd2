"""What a live table's log holds besides the events of its rounds, and what the journal holds.

Like the events of a table these are stored forever under the names given here.
"""

from typing import Literal, TypeAlias

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.service.dealer import Pace
from thirdcard.table.events import AnyEvent
from thirdcard.table.ledger import Posting

Dealer: TypeAlias = Literal["automatic", "staff"]


class HouseEvent(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="event"):
    """It moves no money and rests on no paragraph."""

    rules: Rules = ()
    postings: tuple[Posting, ...] = ()


class TableCreated(HouseEvent, frozen=True, kw_only=True, tag="table-created"):
    """The first event of every table's log; its set-up follows. `live_odds`: whether players may see them."""

    title: str
    dealer: Dealer
    pace: Pace
    live_odds: bool


class TableClosed(HouseEvent, frozen=True, kw_only=True, tag="table-closed"):
    """No round is opened until it is open again; the one being played is finished."""


class TableReopened(HouseEvent, frozen=True, kw_only=True, tag="table-reopened"):
    pass


class PaceChanged(HouseEvent, frozen=True, kw_only=True, tag="pace-changed"):
    pace: Pace


class ShoeCommitted(HouseEvent, frozen=True, kw_only=True, tag="shoe-committed"):
    """The SHA-256 of salt and order, before the first card."""

    shoe: int
    commitment: str


class ShoeRevealed(HouseEvent, frozen=True, kw_only=True, tag="shoe-revealed"):
    """Salt and order, once no card of the shoe can be dealt any more."""

    shoe: int
    salt: str
    cards: str


class TimerStarted(HouseEvent, frozen=True, kw_only=True, tag="timer-started"):
    """`key` names the situation that the timer is for: once that has passed, so has the timer."""

    timer: str
    key: str
    ms: int


class SupervisorCalled(HouseEvent, frozen=True, kw_only=True, tag="supervisor-called"):
    """The dealer asks the pit to come."""

    note: str


class SupervisorCame(HouseEvent, frozen=True, kw_only=True, tag="supervisor-came"):
    pass


class Noted(HouseEvent, frozen=True, kw_only=True, tag="noted"):
    """An entry of the journal: what happened in the house outside any table."""

    kind: str
    facts: dict[str, str | int]


AnyHouseEvent: TypeAlias = (
    TableCreated | TableClosed | TableReopened | PaceChanged | ShoeCommitted | ShoeRevealed | TimerStarted
    | SupervisorCalled | SupervisorCame | Noted
)  # fmt: skip
Logged: TypeAlias = AnyEvent | AnyHouseEvent
