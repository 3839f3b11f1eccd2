"""A round told step by step from its table's log: for auditors, and for whoever rules on an irregularity.

To neither is a card told that lay face down at a step, nor a hash that would tell it (`redaction`).
"""

from collections.abc import Iterator

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.service.log import floor_events as own
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.store.model import Record, Store
from thirdcard.service.queries.redaction import hash_shown
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live, ShownCard, shown_cards
from thirdcard.service.tables.recovery import as_of
from thirdcard.table import State, evolve, replay
from thirdcard.table.events import TableOpened
from thirdcard.table.ledger import Posting
from thirdcard.table.state import Stake
from thirdcard.table.transcript import TOLD
from thirdcard.words import ENGLISH, Language, Words, words


class RoundStep(msgspec.Struct, frozen=True, kw_only=True):
    """One record: what happened, and how the table lay after it."""

    version: int
    at: int
    by: str
    name: str
    hash: str
    told: tuple[str, ...]
    rules: Rules
    cards: tuple[ShownCard, ...]
    stakes: tuple[Stake, ...]
    postings: tuple[Posting, ...]


async def round_steps(hall: Hall, live: Live, number: int, language: Language = ENGLISH) -> list[RoundStep]:
    return await hall.engine.reading(lambda: list(steps(hall.engine.store, live, number, language)))


def steps(store: Store, live: Live, number: int, language: Language = ENGLISH) -> Iterator[RoundStep]:
    """The steps of a round, from its opening to what happened before the next; of 0, all before the first."""
    said = words(language)
    keys = (f"round:{number + 1}", f"round:{number}")
    begins = {row.value: row.version for row, _ in store.lookup(live.id, keys)}
    if number and number not in begins:
        return
    before = max(begins.get(number, 1) - 1, 0)
    last = begins.get(number + 1, live.version + 1) - 1
    state = as_of(store, live.id, before).state
    for stored in store.read(live.id, after=before, limit=max(last - before, 0)):
        event = event_of(stored)
        if isinstance(event, own.AnyFloorEvent):
            told = tuple(_floor(event, said))
        elif isinstance(event, TableOpened):
            state, told = replay([event]), ()
        else:
            assert state is not None
            state = evolve(state, event)
            told = tuple(TOLD[type(event)](said, state, event))
        if state is not None:
            yield _step(live, stored, state, event, told)


def _step(live: Live, stored: Record, state: State, event: Logged, told: tuple[str, ...]) -> RoundStep:
    return RoundStep(
        version=stored.version,
        at=stored.at,
        by=stored.by,
        name=stored.name,
        hash=hash_shown(live, stored),
        told=told,
        rules=event.rules,
        cards=shown_cards(state, state.round) if state.round else (),
        stakes=tuple(state.round.stakes.values()) if state.round else (),
        postings=event.postings,
    )


FLOOR: dict[type, str] = {
    own.TableCreated: "table-created",
    own.TableClosed: "table-closed",
    own.TableReopened: "table-reopened",
    own.PaceChanged: "pace-changed",
    own.ShoeCommitted: "shoe-committed",
    own.ShoePromised: "shoe-promised",
    own.SeedAdded: "seed-added",
    own.ShoeSealed: "shoe-sealed",
    own.ShoeRevealed: "shoe-revealed",
    own.TimerStarted: "timer-started",
    own.SupervisorCalled: "supervisor-called",
    own.SupervisorCame: "supervisor-came",
}


def _floor(event: own.AnyFloorEvent, said: Words) -> Iterator[str]:
    """What happened around the table, in a sentence; nothing of how its log is kept."""
    if type(event) not in FLOOR:
        return
    key, facts = FLOOR[type(event)], msgspec.structs.asdict(event)
    if isinstance(event, own.TimerStarted):
        facts["seconds"] = f"{event.ms / 1000:g}"
    if isinstance(event, own.SupervisorCalled) and event.note:
        key += "-note"
    yield said.say("transcript", key, **facts)
