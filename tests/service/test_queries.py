"""Statements, shoes and rounds told again by the index: what the whole log says, in parts."""

import msgspec
import pytest

from service.houses import timed
from service.playing import TABLES, House, seeded_shoes
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import AnyFloorEvent, ShoePromised, ShoeRevealed, ShoeSealed
from thirdcard.service.log.store.model import Record
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.queries import log_lines
from thirdcard.service.queries.books import StatementPart, books, player_statement, table_account
from thirdcard.service.queries.log_lines import log_part
from thirdcard.service.queries.promises import shoe, shoes
from thirdcard.service.queries.replay import steps
from thirdcard.table.events import AnyEvent
from thirdcard.table.statements import Movement, player_statements, table_statement

AUTOMATIC = [one.id for one in TABLES if one.dealer == "automatic"]


async def filled(house: House, rounds: int = 12) -> None:
    with seeded_shoes(house.random):
        for name in AUTOMATIC:
            await house.play(name, rounds)
        for one in TABLES:
            if one.dealer != "automatic":
                await house.play_by_hand(one.id)


def table_events(records: list[Record]) -> list[AnyEvent]:
    """The events of the table's own rounds."""
    return [event for event in map(event_of, records) if not isinstance(event, AnyFloorEvent)]


async def whole_statement(house: House, table: str, player: str, limit: int) -> tuple[Movement, ...]:
    """All movements, asked for part by part."""
    found: tuple[Movement, ...] = ()
    before: int | None = None
    while True:
        live = house.live(table)
        part = await player_statement(house.hall, live, player, before=before, limit=limit)
        assert isinstance(part, StatementPart)
        found = (*part.entries, *found)
        if part.next is None:
            return found
        before = part.next


@timed
async def test_statements_say_what_the_whole_log_says() -> None:
    store = MemoryStore()
    async with House(store) as house:
        await filled(house)
        for one in TABLES:
            log = table_events(store.read(one.id))
            live = house.live(one.id)
            assert table_account(live) == table_statement(log)
            expected = player_statements(log)
            sums = (await books(house.hall, live)).players
            assert {name: (one.balance, one.net) for name, one in sums.items()} == {
                name: (one.balance, one.net) for name, one in expected.items() if name in live.table.players
            }
            for player, statement in expected.items():
                part = await player_statement(house.hall, live, player)
                assert part is not None
                assert (part.balance, part.net) == (statement.balance, statement.net), "also of who is away"
                found = await whole_statement(house, one.id, player, 7)
                assert all(one.at for one in found), "a log that is kept says when"
                assert tuple(msgspec.structs.replace(one, at=0) for one in found) == statement.entries
            assert await player_statement(house.hall, live, "Nobody") is None


@pytest.mark.slow
@timed
async def test_shoes_are_found_by_their_numbers() -> None:
    store = MemoryStore()
    async with House(store) as house:
        await filled(house, 30)
        for name in AUTOMATIC:
            live = house.live(name)
            events = [event_of(stored) for stored in store.read(name)]
            sealed = {one.shoe: one for one in events if isinstance(one, ShoeSealed)}
            revealed = {one.shoe: one for one in events if isinstance(one, ShoeRevealed)}
            assert len(sealed) > 1
            listed = await shoes(house.hall, live)
            assert [one.number for one in listed] == sorted(sealed, reverse=True)
            assert all(one.salt is None and one.cards is None for one in listed)
            assert [one.number for one in await shoes(house.hall, live, before=2)] == [1]
            for number, shuffle in sealed.items():
                found = await shoe(house.hall, live, number)
                assert found is not None
                assert (found.commitment, found.seeds) == (shuffle.commitment, shuffle.seeds)
                assert (found.cards, found.fits) == (
                    (revealed[number].cards, True) if number in revealed else (None, None)
                )
            coming = await shoe(house.hall, live, len(sealed) + 1)
            *_, promise = (one for one in events if isinstance(one, ShoePromised))
            assert coming is not None
            assert (coming.number, coming.commitment) == (promise.shoe, promise.commitment)
            assert (coming.finished, coming.salt, coming.cards, coming.fits) == (False, None, None, None)
            assert await shoe(house.hall, live, len(sealed) + 2) is None


@timed
async def test_the_rounds_of_a_log_are_told_one_after_the_other_without_a_gap() -> None:
    store = MemoryStore()
    async with House(store) as house:
        await filled(house)
        for one in TABLES:
            live = house.live(one.id)
            told = [step for number in range(live.table.rounds + 1) for step in steps(store, live, number)]
            assert [step.version for step in told] == list(range(2, live.version + 1))
            assert not list(steps(store, live, live.table.rounds + 1))


@timed
async def test_lines_of_one_round_or_kind_are_found_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_lines, "LOOKED_THROUGH", 50)
    store = MemoryStore()
    async with House(store) as house:
        await filled(house)
        live = house.live(AUTOMATIC[0])
        records = store.read(live.id)
        for number, kind in ((None, ""), (3, ""), (None, "card-drawn"), (5, "card-drawn"), (99, "")):
            wanted = [
                one.version for one in records if number in (None, one.round) and kind in ("", one.name)
            ]
            found: list[int] = []
            after: int | None = 0
            while after is not None:
                part = await log_part(house.hall, live, after=after, number=number, kind=kind)
                found += [line.version for line in part.lines]
                after = part.next
            assert found == wanted
