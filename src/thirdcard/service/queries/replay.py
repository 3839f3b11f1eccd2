"""A round told step by step from its table's log: for auditors, and for whoever rules on an irregularity."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from thirdcard.cards import Card
from thirdcard.rulebook.model import Rules, Side
from thirdcard.service.log import floor_events as own
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.store.model import Record
from thirdcard.table import State, evolve, replay
from thirdcard.table.events import TableOpened
from thirdcard.table.ledger import Posting
from thirdcard.table.state import Round, Stake
from thirdcard.table.transcript import TOLD


class Lying(msgspec.Struct, frozen=True, kw_only=True):
    """A card on the table; None where it lies face down."""

    hand: Side
    card: Card | None


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One record: what happened, and how the table lay after it."""

    version: int
    at: int
    by: str
    name: str
    hash: str
    told: tuple[str, ...]
    rules: Rules
    cards: tuple[Lying, ...]
    stakes: tuple[Stake, ...]
    postings: tuple[Posting, ...]


def steps(records: Iterable[Record], number: int) -> Iterator[Step]:
    """The steps of a round, from its opening to what happened before the next, out of the whole log.

    A card that lay face down at a step is not told there, nor its value in any sentence.
    """
    state: State | None = None
    for stored in records:
        event = event_of(stored)
        if isinstance(event, own.AnyFloorEvent):
            told: tuple[str, ...] = (HOUSE[type(event)](event),)
        elif isinstance(event, TableOpened):
            state, told = replay([event]), ()
        else:
            assert state is not None
            state = evolve(state, event)
            told = tuple(TOLD[type(event)](state, event)) if state.rounds == number else ()
        if state is not None and state.rounds > number:
            return
        if state is not None and state.rounds == number:
            yield _step(stored, state, event, told)


def _step(stored: Record, state: State, event: Logged, told: tuple[str, ...]) -> Step:
    return Step(
        version=stored.version,
        at=stored.at,
        by=stored.by,
        name=stored.name,
        hash="" if state.setup.dealing.face_down else stored.hash.hex(),  # it would tell the card
        told=told,
        rules=event.rules,
        cards=tuple(_cards(state, state.round)) if state.round else (),
        stakes=tuple(state.round.stakes.values()) if state.round else (),
        postings=event.postings,
    )


HOUSE: dict[type, Callable[[Any], str]] = {
    own.TableCreated: lambda e: f"The table is created: {e.title}",
    own.TableClosed: lambda _: "The table is closed: no further round is opened",
    own.TableReopened: lambda _: "The table is open again",
    own.PaceChanged: lambda _: "The pace is changed",
    own.ShoeCommitted: lambda e: f"Shoe {e.shoe} is promised: {e.commitment}",
    own.ShoeRevealed: lambda e: f"Shoe {e.shoe} is revealed",
    own.TimerStarted: lambda e: f"{e.ms / 1000:g} seconds for {e.timer}",
    own.SupervisorCalled: lambda e: f"The dealer calls the pit{': ' if e.note else ''}{e.note}",
    own.SupervisorCame: lambda _: "A supervisor has come",
}


def _cards(state: State, current: Round) -> Iterator[Lying]:
    for place, card in enumerate(current.drawn, start=1):
        hand = current.hand(state.rules.table_of_play, place) or Side.BANKER
        yield Lying(hand=hand, card=card.name if card.face_up else None)
