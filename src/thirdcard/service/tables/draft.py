"""What a plan comes to, and one stream's part of a commit while it is being decided."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, TypeAlias

import msgspec

from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import record, significance
from thirdcard.service.log.floor_events import SYSTEM, Logged
from thirdcard.service.log.store.model import (
    Answered,
    Append,
    Checkpoint,
    DocumentCopy,
    IndexRow,
    PostingRow,
    QuarterSum,
    Record,
    RoundMark,
    RoundRow,
    RulebookText,
    SealedShoe,
    WalletMove,
)
from thirdcard.service.tables import checkpoint
from thirdcard.service.tables.live import Live, advance, finished, round_of
from thirdcard.service.tables.marks import marks_of
from thirdcard.service.tables.quarters import added_up, dated_rows, quarters_of
from thirdcard.service.tables.rulebook_texts import NAMING, kept_with
from thirdcard.table.events import BetsOpened, DecidedSettled, PlayerLeft, StakeSet
from thirdcard.table.ledger import rack
from thirdcard.table.refusals import Code, Refusal, ToldRefusal
from thirdcard.table.state import State
from thirdcard.table.statements import moved


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan comes to: events to be logged, and what is to be kept with them.

    With each event comes the table's state after it, None where nobody has worked it out yet.
    """

    events: tuple[tuple[Logged, State | None], ...]
    shoes: tuple[SealedShoe, ...] = ()
    texts: tuple[RulebookText, ...] = ()
    documents: tuple[DocumentCopy, ...] = ()


def logging_only(*events: Logged) -> Decided:
    """These events and nothing else."""
    return Decided(events=tuple((event, None) for event in events))


def preceded(first: Sequence[Logged], decided: Decided) -> Decided:
    """What was decided, with events of the floor that come first."""
    if not first:
        return decided
    return msgspec.structs.replace(decided, events=(*((event, None) for event in first), *decided.events))


# What the house refuses: by limits that people set themselves, by what their wallets hold, by who deals; no
# table knows of them.
HouseCode: TypeAlias = Literal[
    "own-limit",
    "reality-check",
    "time-out",
    "not-on-duty",
    "wallet-too-small",
    "granted-already",
    "not-short",
]


class HouseRefusal(Refusal, frozen=True, gc=False):
    """What the table refuses, or the house beside it."""

    code: Code | HouseCode  # type: ignore[assignment]


class ToldHouseRefusal(ToldRefusal, frozen=True, kw_only=True):
    """The same as it is told and kept."""

    code: Code | HouseCode  # type: ignore[assignment]


class RefusedAt(Refusal, frozen=True, gc=False):
    """The refusal of one of several commands; `index` counts them from 0."""

    index: int = 0


Plan = Callable[[Live], Decided | Refusal]
P = ParamSpec("P")


def planned(decide: Callable[Concatenate[Live, P], Decided | Refusal]) -> Callable[P, Plan]:
    """What makes a plan of the other arguments; the table comes when it is decided: `leave(person)(live)`."""

    @wraps(decide)
    def plan(*args: P.args, **kwargs: P.kwargs) -> Plan:
        return lambda live: decide(live, *args, **kwargs)

    return plan


class TableChange(msgspec.Struct, frozen=True, kw_only=True):
    """A table before the records of one request, and each of their events with the table after it."""

    before: Live
    steps: tuple[tuple[Logged, Live], ...]

    @property
    def after(self) -> Live:
        return self.steps[-1][1]

    @property
    def events(self) -> tuple[Logged, ...]:
        return tuple([event for event, _ in self.steps])

    @property
    def only_bets(self) -> bool:
        """Whether chips were laid or taken back while bets are open and nothing is held up, and no more."""
        before = self.before
        if before.stopped_at or before.state is None or before.state.phase != "betting":
            return False
        return all([type(event) is StakeSet for event, _ in self.steps])  # noqa: C419 - twice as fast


class _Rows(msgspec.Struct, gc=False):
    """What is written with some events, as in `Append`."""

    records: list[Record] = []
    entries: list[PostingRow] = []
    rounds: list[RoundRow] = []
    shoes: list[SealedShoe] = []
    index: list[IndexRow] = []
    marks: list[RoundMark] = []
    quarters: list[QuarterSum] = []
    texts: list[RulebookText] = []
    documents: list[DocumentCopy] = []


class Draft:
    """The records of one stream that are to be written together, with all the rows that go with them."""

    def __init__(self, live: Live) -> None:
        self.start = self.live = live
        self.changes: list[TableChange] = []
        self.answers: list[Answered] = []
        self.wallets: tuple[WalletMove, ...] = ()
        self._added: list[_Rows] = []
        self._checkpoint: Checkpoint | None = None

    @property
    def is_empty(self) -> bool:
        return not self.answers and not any(rows.records for rows in self._added)

    def add(self, decided: Decided, *, by: str, at: int, asked: bytes = b"") -> TableChange:
        """Log what was decided on the table as it is now, for whom `asked`; all of it or nothing."""
        live, last = self.live, len(decided.events)
        steps: list[tuple[Logged, Live]] = []
        rows = _Rows()
        for n, (event, state) in enumerate(decided.events, start=1):
            stored = record(
                event,
                stream=live.id,
                version=live.version + 1,
                before=live.head,
                at=at,
                by=by,
                number=round_of(live, event),
                flag=significance(event),
                asked=asked if n == last else b"",
            )
            before, live = live, advance(live, event, stored, state)
            rows.records.append(stored)
            rows.entries += [
                PostingRow(stored.version, posting.account, posting.cents) for posting in event.postings
            ]
            rows.index += index_rows(live, event)
            rows.marks += marks_of(before, live, event, stored)
            rows.quarters += quarters_of(before, live, event, stored)
            if isinstance(event, NAMING) and event.setup.digest:
                rows.texts.append(kept_with(event))
            row = finished(live, event, at)
            if row is not None:
                rows.rounds.append(row)
            steps.append((event, live))
        rows.shoes += decided.shoes
        rows.texts += decided.texts
        rows.documents += decided.documents
        # Nothing can fail from here on.
        change = TableChange(before=self.live, steps=tuple(steps))
        self.changes.append(change)
        self.live = live
        self._added.append(rows)
        return change

    def keep(self, at: int) -> None:
        """A checkpoint of the table as it is now."""
        self._checkpoint, event = checkpoint.taken(self.live)
        self.add(logging_only(event), by=SYSTEM, at=at)

    def append(self, at: int) -> Append:
        """All of it for the store; with a checkpoint, if one is due."""
        if any(rows.records for rows in self._added) and checkpoint.is_due(self.live):
            self.keep(at)
        rows = self._added[0] if len(self._added) == 1 else _together(self._added)
        return Append(
            stream=self.live.id,
            expected=self.start.version,
            records=tuple(rows.records),
            entries=tuple(rows.entries),
            answers=tuple(self.answers),
            rounds=tuple({row.number: row for row in rows.rounds}.values()),
            shoes=tuple(rows.shoes),
            index=tuple(rows.index),
            marks=tuple(dict.fromkeys(rows.marks)),
            quarters=tuple(added_up(rows.quarters)) if rows.quarters else (),
            checkpoints=() if self._checkpoint is None else (self._checkpoint,),
            texts=tuple(rows.texts),
            documents=tuple(rows.documents),
            wallets=self.wallets,
        )


def _together(added: Iterable[_Rows]) -> _Rows:
    """The rows of all of them, in their order."""
    rows = _Rows()
    for part in added:
        for name in _Rows.__struct_fields__:
            getattr(rows, name).extend(getattr(part, name))
    return rows


def left(player: str) -> str:
    """The key under which it is found with what a player left the table."""
    return f"left:{player}"


def early(player: str) -> str:
    """The key under which it is found what of a player's was settled before a round ended."""
    return f"early:{player}"


OF_SHOES = (floor.ShoeCommitted, floor.ShoeSealed, floor.ShoeRevealed)


def index_rows(live: Live, event: Logged) -> Iterator[IndexRow]:
    """Under which keys the event that was logged last is found again.

    Rounds begin where bets are opened, shoes are sealed and revealed, players find what moved their chips,
    with what they had then, what was settled early, and what they left, and the house what it was given and
    its shifts; a shift finds what is out of the ordinary, and counts of the float.
    """
    yield from dated_rows(live, event)
    if isinstance(event, BetsOpened):
        yield IndexRow(f"round:{event.number}", live.version, event.number)
    elif isinstance(event, OF_SHOES):
        yield IndexRow(f"shoe:{event.shoe}", live.version, event.shoe)
    elif isinstance(event, PlayerLeft):
        yield IndexRow(left(event.player), live.version, event.cents)
    elif isinstance(event, floor.Noted):
        if event.kind in (floor.RULEBOOK_ADDED, floor.SHIFTS_SET):
            yield IndexRow(event.kind, live.version, 0)
    elif event.postings:
        for player in moved(event):  # type: ignore[arg-type]  # no event of the floor moves money
            yield IndexRow(rack(player), live.version, live.table.rack(player))
            if isinstance(event, DecidedSettled):
                yield IndexRow(early(player), live.version, live.table.rounds)
