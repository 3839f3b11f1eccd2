"""Events as bytes: what is stored is read back for ever, and no change of it goes unnoticed."""

from collections.abc import Callable
from typing import Any, get_args

import msgspec
import pytest

from each import each
from service.clocks import START
from service.driving import WALKS, walk
from thirdcard.errors import BadInput
from thirdcard.service.log import codec
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import VERSIONS, broken_link, chained, event_of, record, tag
from thirdcard.service.log.floor_events import AnyFloorEvent, Logged, Pace
from thirdcard.service.log.store.model import GENESIS, Record
from thirdcard.table import events
from thirdcard.table.events import AnyEvent

HOUSE: tuple[Logged, ...] = (
    floor.TableCreated(title="One", dealer="staff", pace=Pace(), live_odds=False),
    floor.TableClosed(rounds=42, chips=1_000_00),
    floor.TableReopened(rounds=42, chips=1_000_00),
    floor.PaceChanged(pace=Pace(betting=5_000), before=Pace()),
    floor.ShoeCommitted(shoe=1, commitment="ab" * 32),
    floor.ShoePromised(shoe=2, commitment="ab" * 32),
    floor.SeedAdded(shoe=2, player="Wei", seed="發 8888"),
    floor.ShoeSealed(
        shoe=2, commitment="ab" * 32, decks=8, seeds=(floor.Seed(player="Wei", seed="發 8888"),)
    ),
    floor.ShoeRevealed(shoe=1, salt="cd" * 32, cards="9C KD"),
    floor.TimerStarted(timer="betting", key="betting/1", ms=20_000),
    floor.PlayersSeen(players=("Wei", "Mei")),
    floor.PlayerReady(player="Wei", ready=True),
    floor.SupervisorCalled(note="please"),
    floor.SupervisorCame(),
    floor.DealerSignedOn(dealer="Dee"),
    floor.DealerSignedOff(dealer="Dee", by="Pia"),
    floor.DealerRelieved(off="Dee", on="Dan", counted=100_000_00),
    floor.ReliefPlanned(at=START, dealer="Dan"),
    floor.MovePlanned(at=START, rulebook="game-v2", digest="0" * 64, layout="B"),
    floor.ConfirmedAtDesk(person="Pia", desk="Dee"),
    floor.PayoutTicked(box=3, player="Mei", cents=475_00),
    floor.PayoutNamed(box=3, player="Mei", cents=475_00),
    floor.PayoutUnticked(box=3, player="Mei"),
    floor.PayoutDisputed(box=3, player="Mei", note="says it was Banker"),
    floor.DisputeSettled(box=3, player="Mei"),
    floor.PayoutsDone(round=42),
    floor.SaidInPublic(sentence="moment"),
    floor.LastRoundAnnounced(round=43),
    floor.TableArchived(),
    floor.TableUnarchived(),
    floor.ShiftStarted(name="B"),
    floor.FloatCounted(why="closing", cents=100_000_00, expected=100_500_00),
    floor.SlipAsked(number=3, what="fill", pieces={100_00: 200}),
    floor.SlipDone(number=3, people=("Dee", "Pia")),
    floor.SlipVoided(number=4, people=("Dee", "Pia"), reason="asked twice"),
    floor.DropCounted(cents=9_500_00, expected=10_000_00, pieces={100_00: 95}, people=("Dee", "Pia")),
    floor.DifferenceAnswered(at=START, answer="a chip lay under the tray"),
    floor.FloatFilled(cents=20_000_00),
    floor.FloatCredited(cents=5_000_00),
    floor.CaseTaken(case="drawn-together", number=0),
    floor.CasePassedUp(case="drawn-together", number=0, to="shift-manager", note="please"),
    floor.Checkpointed(sha256="0" * 64),
    floor.Noted(kind="clock-changed", facts={"by_ms": -3, "table": "one"}),
    floor.WalletGranted(account="Wei", why="daily", day=20_000, cents=500_000),
    floor.PlayerKnownAs(player="Wei", name="Tiger"),
)


def stored(event: Logged, version: int = 1, before: bytes = GENESIS) -> Record:
    return record(
        event, stream="one", version=version, before=before, at=START, by="Mei", number=3, flag="call"
    )


def logged(*several: Logged) -> list[Record]:
    records: list[Record] = []
    for version, event in enumerate(several, start=1):
        records.append(stored(event, version, records[-1].hash if records else GENESIS))
    return records


i = msgspec.inspect
# Some value of a type, as different from its default as can be, so that every field is in the bytes.
FILLED: dict[type, Callable[[Any], object]] = {
    i.BoolType: lambda _: True,
    i.IntType: lambda info: info.ge or 7,
    i.StrType: lambda info: "5.1" if info.pattern else "text",
    i.EnumType: lambda info: list(info.cls)[-1],
    i.LiteralType: lambda info: info.values[-1],
    i.UnionType: lambda info: filled(next(one for one in info.types if not isinstance(one, i.NoneType))),
    i.VarTupleType: lambda info: (filled(info.item_type),) * 2,
    i.TupleType: lambda info: tuple(filled(one) for one in info.item_types),
    i.DictType: lambda info: {filled(info.key_type): filled(info.value_type)},
    i.StructType: lambda info: info.cls(**{one.name: filled(one.type) for one in info.fields}),
}


def filled(info: msgspec.inspect.Type) -> Any:  # noqa: ANN401
    return FILLED[type(info)](info)


KINDS = (*get_args(AnyEvent), *get_args(AnyFloorEvent))


@each("kind", KINDS, ids=lambda kind: kind.__struct_config__.tag)
def test_an_event_of_every_kind_is_read_as_it_was_written(kind: type) -> None:
    event = filled(msgspec.inspect.type_info(kind))
    kept = stored(event)
    assert event_of(kept) == event
    assert (kept.name, kept.schema) == (tag(event), VERSIONS.get(tag(event), 1))
    missing = {field.encode_name for field in msgspec.structs.fields(kind)} - msgspec.json.decode(
        kept.body
    ).keys()
    assert not missing, "every field is in the bytes"


def test_no_two_kinds_are_stored_under_one_name() -> None:
    assert len({kind.__struct_config__.tag for kind in KINDS}) == len(KINDS)
    assert {tag(event) for event in HOUSE} == {kind.__struct_config__.tag for kind in get_args(AnyFloorEvent)}


@pytest.mark.parametrize("name", WALKS)
def test_whole_shoes_are_read_as_they_were_written(name: str) -> None:
    log = walk(name).log[:3_000]
    records = logged(*log)
    assert [event_of(one) for one in records] == log
    assert broken_link(records) is None


# The chain ----------------------------------------------------------------------------------------------

CHANGED: dict[str, Any] = {
    "stream": "two",
    "version": 4,
    "at": START + 1,
    "by": "Wei",
    "name": "noted",
    "schema": 2,
    "round": 4,
    "flag": "",
    "body": b"{}",
    "hash": bytes(32),
    "asked": bytes(32),
}


@pytest.mark.parametrize("column", Record.__struct_fields__)
def test_a_change_of_any_column_breaks_the_chain_there(column: str) -> None:
    records = logged(*HOUSE)
    changed = msgspec.structs.replace(records[4], **{column: CHANGED[column]})
    assert changed != records[4]
    assert broken_link([*records[:4], changed, *records[5:]]) is changed


@pytest.mark.parametrize(
    "column", sorted(CHANGED.keys() - {"hash", "version"})
)  # a wrong version shows by itself
def test_who_also_makes_the_hash_of_a_changed_record_anew_breaks_the_chain_after_it(column: str) -> None:
    records = logged(*HOUSE)
    changed = msgspec.structs.replace(records[4], **{column: CHANGED[column]})
    changed = msgspec.structs.replace(changed, hash=chained(records[3].hash, changed))
    assert broken_link([*records[:4], changed, *records[5:]]) is records[5]


def test_records_left_out_swapped_or_put_in_break_the_chain() -> None:
    records = logged(*HOUSE)
    assert broken_link(records) is None
    assert broken_link(records[:4]) is None  # the anchor is what finds a cut tail
    assert broken_link([*records[:4], *records[5:]]) is records[5]
    assert broken_link([*records[:4], records[5], records[4], *records[6:]]) is records[5]
    assert broken_link([*records[:5], *records[4:]]) is records[4]
    assert broken_link(records[1:]) is records[1]


def test_a_version_left_out_breaks_a_chain_whose_hashes_all_fit() -> None:
    first = stored(HOUSE[0])
    third = stored(HOUSE[1], 3, first.hash)
    assert broken_link([first, third]) is third


def test_columns_cannot_run_into_each_other() -> None:
    one = stored(HOUSE[1])
    other = msgspec.structs.replace(one, by="Mei,", name="")
    assert chained(GENESIS, one) != chained(GENESIS, other)


# Old and new forms --------------------------------------------------------------------------------------


def test_an_event_of_an_old_form_is_read_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    old = msgspec.structs.replace(
        stored(floor.TableClosed()),
        name="pace-changed",
        schema=1,
        body=b'{"event":"pace-changed","bets":5,"unit":"s"}',
    )

    def in_ms(body: dict[str, Any]) -> dict[str, Any]:
        return {"event": "pace-changed", "betting_ms": body["bets"] * 1000}

    def as_pace(body: dict[str, Any]) -> dict[str, Any]:
        return {"event": "pace-changed", "pace": {"betting": body["betting_ms"]}}

    monkeypatch.setitem(codec.VERSIONS, "pace-changed", 3)
    monkeypatch.setitem(codec.UPCASTS, ("pace-changed", 1), in_ms)
    monkeypatch.setitem(codec.UPCASTS, ("pace-changed", 2), as_pace)
    assert event_of(old) == floor.PaceChanged(pace=Pace(betting=5_000))
    second = msgspec.structs.replace(old, schema=2, body=b'{"event":"pace-changed","betting_ms":6000}')
    assert event_of(second) == floor.PaceChanged(pace=Pace(betting=6_000))
    assert stored(floor.PaceChanged(pace=Pace())).schema == 3, "and what is new is written in the new form"


def test_an_event_of_the_table_in_an_old_form_is_read_with_its_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = next(event for event in walk("TBC face up").log if isinstance(event, events.CardDrawn))
    kept = stored(drawn)
    body = msgspec.json.decode(kept.body)
    body["drawn"] = body.pop("card")
    old = msgspec.structs.replace(kept, body=msgspec.json.encode(body))
    monkeypatch.setitem(codec.VERSIONS, "card-drawn", 2)
    monkeypatch.setitem(
        codec.UPCASTS, ("card-drawn", 1), lambda body: {**body, "card": body["drawn"], "drawn": None}
    )
    assert event_of(old) == drawn


def test_an_event_of_a_newer_form_is_refused_in_a_sentence() -> None:
    newer = msgspec.structs.replace(stored(HOUSE[1], version=5), schema=3)
    with pytest.raises(BadInput) as told:
        event_of(newer)
    assert str(told.value) == (
        "event 5 of one (table-closed) was written by a newer thirdcard: its form is 3, this one reads up to 2"
    )
