"""The part of a log that a round is, with all that it takes to read it elsewhere."""

import json
from collections.abc import Iterator

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import digest_of
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import content, event_of
from thirdcard.service.log.floor_events import Logged, Seed
from thirdcard.service.log.store.model import Record
from thirdcard.table import evolve
from thirdcard.table.events import TableOpened
from thirdcard.table.ledger import owed, rack
from thirdcard.table.state import State

replace = msgspec.structs.replace


class ShoeOnPaper(msgspec.Struct, frozen=True, kw_only=True):
    """What was promised of the shoe: nothing (`form` 0, dealt by hand), or as `docs/shoes.md` has it.

    `salt` and `cards` are None until the shoe is finished.
    """

    number: int
    form: int = 0
    commitment: str = ""
    decks: int = 0
    seeds: tuple[Seed, ...] = ()
    salt: str | None = None
    cards: str | None = None


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """The records of one round, from the opening of its bets to what came before the next.

    `start` is the table before the first of them, `before` its hash then. `after` are the digests of the
    records that follow up to the head. `is_final`: the next round has begun, and nothing more is put right.
    """

    table: str
    title: str
    number: int
    is_final: bool
    start: State
    before: bytes
    records: tuple[Record, ...]
    after: tuple[bytes, ...]
    shoe: ShoeOnPaper
    texts: dict[str, bytes]

    @property
    def head(self) -> int:
        """The version at which what is shown of the log ends."""
        return self.records[-1].version + len(self.after)


def told_start(state: State, records: tuple[Record, ...]) -> State:
    """A table without what the round does not need: the chips of those whose chips did not move in it.

    Of the house nothing is told. A log of an earlier release names no text: it gets the one it is read by.
    """
    moved = {posting.account for stored in records for posting in event_of(stored).postings}
    people = {account.partition(":")[2] for account in moved}
    kept = {name for player in people for name in (rack(player), owed(player))}
    setups = {
        name: replace(setup, digest=digest_of(setup.book))
        for name in ("setup", "next_setup")
        if (setup := getattr(state, name)) is not None and not setup.digest
    }
    balances = {account: cents for account, cents in state.balances.items() if account in kept}
    return replace(state, balances=balances, **setups)


def folded(part: Slice) -> Iterator[tuple[Record, Logged, State, State]]:
    """Each record with its event, and the table before and after it."""
    state = part.start
    for stored in part.records:
        event, before = event_of(stored), state
        if isinstance(event, TableOpened):
            raise BadInput("a round does not open its table")
        if not isinstance(event, floor.AnyFloorEvent):
            state = evolve(state, event)
        yield stored, event, before, state


def lines(records: tuple[Record, ...]) -> bytes:
    """The records as they are chained, a line each."""
    return b"".join(content(stored) + b"\n" for stored in records)


def records_of(text: bytes, hashes: list[str]) -> tuple[Record, ...]:
    """The records of such lines; ValueError if they are not."""
    found = []
    for line, made in zip(text.decode().split("\n")[:-1], hashes, strict=True):
        columns, end = json.JSONDecoder().raw_decode(line)
        stream, version, at, by, name, schema, number, flag, *asked = columns
        stored = Record(
            stream=stream,
            version=version,
            at=at,
            by=by,
            name=name,
            schema=schema,
            round=number,
            flag=flag,
            body=line[end:].encode(),
            hash=bytes.fromhex(made),
            asked=bytes.fromhex(asked[0]) if asked else b"",
        )
        if content(stored) != line.encode():
            raise ValueError(f"record {version} is not written as one")
        found.append(stored)
    return tuple(found)
