"""Checkpoints and the index of events: the same tables and answers as from the whole log, at a bounded cost."""

from collections.abc import Sequence

import msgspec
import pytest

from service.houses import WEI, bet, betting, did, made, running, same, timed
from service.logs.keeping import HERE, Kept
from service.playing import KEY, played
from thirdcard.service.audit import audit_store
from thirdcard.service.log.store.model import JOURNAL, Append, IndexRow, Record, Result
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.log.store.tables import EVENT_INDEX, EVENTS
from thirdcard.service.tables import checkpoint
from thirdcard.service.tables.checkpoint import EVERY, as_of, restored, taken
from thirdcard.service.tables.draft import Draft, index_rows, logging_only
from thirdcard.service.tables.engine import Engine
from thirdcard.service.tables.live import Live, recover, steps
from thirdcard.table import commands
from thirdcard.table.statements import player_statements

LOGS = sorted(HERE.glob("*.jsonl"))


def edit(store: MemoryStore, sql: str, *parameters: object) -> None:
    """What nobody but a stranger would write."""
    with store._writing() as writing:  # noqa: SLF001
        writing.ask(sql, parameters)


class Counting(MemoryStore):
    """How many records have been read."""

    records = 0

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
        found = super().read(stream, after=after, limit=limit)
        self.records += len(found)
        return found


class Forgetful(MemoryStore):
    """As an earlier release left it: events, and nothing to find them by."""

    def commit(self, appends: Sequence[Append]) -> list[Result]:
        return super().commit([msgspec.structs.replace(one, index=(), checkpoints=()) for one in appends])


async def busy(engine: Engine, bets: int = 3 * EVERY) -> None:
    """A table at which somebody bets and takes it back again and again."""
    await made(engine)
    await betting(engine)
    back = commands.TakeBack(by="Wei", box=1, bet="player")
    for n in range(bets):
        await did(engine, WEI, back if n % 2 else bet(cents=10_00))


def logs() -> list[tuple[str, list[Record]]]:
    """Every table of a house that played, and of every stored log."""
    store = MemoryStore()
    played(store, rounds=4)
    found = [(stream, store.read(stream)) for stream in store.heads()]
    for log in LOGS:
        records = [EVENTS.made(row[1:]) for row in Kept(log).rows("events")]
        streams = dict.fromkeys(record.stream for record in records)
        found += [(stream, [one for one in records if one.stream == stream]) for stream in streams]
    return found


def test_a_table_is_restored_exactly_from_whatever_moment() -> None:
    for stream, records in logs():
        for _, live in steps(Live(id=stream), records):
            if live.state is None:
                continue
            draft = Draft(live)
            kept, event = taken(live)
            draft.add(logging_only(event), by="", at=0)
            again = restored(kept, draft.append(0).records)
            assert again is not None
            assert same(again, live)


@timed
async def test_a_restart_folds_what_came_after_the_last_checkpoint_and_nothing_else() -> None:
    store = Counting()
    async with running(store) as engine:
        await busy(engine)
        before = engine.tables["one"]
    assert before.version > 3 * EVERY
    store.records = 0
    async with running(store) as engine:
        assert same(engine.tables["one"], before)
        assert store.records <= EVERY + 2
        assert same(before, recover("one", store.read("one")))
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_a_checkpoint_that_was_changed_is_not_used_and_the_audit_tells(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await busy(engine, EVERY)
        before = engine.tables["one"]
    kept = store.checkpoint("one")
    assert kept is not None
    richer = kept.body.replace(b'"rack:Mei":1000000', b'"rack:Mei":9000000')
    assert richer != kept.body
    edit(store, "UPDATE checkpoints SET body = ? WHERE stream = 'one'", richer)
    async with running(store) as engine:
        assert engine.tables["one"].state == before.state
    assert "does not fit its log" in caplog.text
    (problem,) = audit_store(store, (), KEY).problems
    assert (problem.table, problem.event) == ("one", kept.version + 1)
    assert "was changed" in problem.what


@timed
async def test_a_checkpoint_that_is_gone_does_no_harm_and_the_audit_tells() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await busy(engine, EVERY)
        before = engine.tables["one"]
    edit(store, "DELETE FROM checkpoints WHERE stream = 'one'")
    async with running(store) as engine:
        assert engine.tables["one"].state == before.state
    (problem,) = audit_store(store, (), KEY).problems
    assert "is missing" in problem.what


@timed
async def test_what_another_release_left_is_folded_from_its_beginning_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Counting()
    async with running(store) as engine:
        await busy(engine, EVERY)
        before = engine.tables["one"]
    monkeypatch.setattr(checkpoint, "form", lambda: b"another\n")
    store.records = 0
    async with running(store) as engine:
        assert engine.tables["one"].state == before.state
        assert store.records >= before.version
    store.records = 0
    async with running(store) as engine:
        assert engine.tables["one"].state == before.state
        assert engine.tables["one"].version == before.version + 1
        assert store.records <= 2 + len(store.read(JOURNAL))
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_a_log_of_an_earlier_release_is_indexed_when_it_is_first_served() -> None:
    store = Forgetful()
    async with running(store) as engine:
        await busy(engine, EVERY)
    assert not set(store.of_stream(EVENT_INDEX, "one"))
    async with running(store):
        pass
    told = steps(Live(id="one"), store.read("one"))
    wanted = {row for event, live in told for row in index_rows(live, event)}
    assert set(store.of_stream(EVENT_INDEX, "one")) == wanted
    assert {"rack:Wei", "round:1"} <= {row.key for row in wanted}


@timed
async def test_rows_that_are_wrong_are_told() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await busy(engine, 5)
    assert audit_store(store, (), KEY).problems == ()
    edit(store, "UPDATE event_index SET value = 1 WHERE stream = 'one' AND key = 'rack:Wei'")
    (problem,) = audit_store(store, (), KEY).problems
    assert "found again" in problem.what


@timed
async def test_a_table_as_it_was_costs_the_same_wherever_it_is_asked_for() -> None:
    store = Counting()
    async with running(store) as engine:
        await busy(engine)
    records = store.read("one")
    for version in (5, EVERY, EVERY + 1, EVERY + 2, 2 * EVERY + 7, 3 * EVERY + 5):
        store.records = 0
        assert same(as_of(store, "one", version), recover("one", records[:version]))
        assert store.records <= EVERY + 2


def test_the_index_finds_what_a_statement_is_made_of() -> None:
    for stream, records in logs():
        rows, events = list[IndexRow](), []
        for event, live in steps(Live(id=stream), records):
            rows += index_rows(live, event)
            if live.state is not None:
                events.append(event)
        for player, statement in player_statements(events).items():  # type: ignore[arg-type]
            found = [row.value for row in rows if row.key == f"rack:{player}"]
            assert found == [entry.balance for entry in statement.entries]
