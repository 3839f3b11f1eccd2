"""What goes out: whoever lays the changes over the first view sees what a fresh view would show, and no more."""

import asyncio
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from service.clocks import START, FakeClock
from service.driving import WALKS, walk
from service.houses import MEI, WEI, bet, betting, did, hall_on, new_table, seated, timed
from thirdcard.roads import Roads
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import event_of, record
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store.model import Record
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.tables import announce, publish
from thirdcard.service.tables.draft import TableChange
from thirdcard.service.tables.live import Live, advance, recover
from thirdcard.service.tables.publish import MOST_WAITING, NOBODY, Channel, Reader, replayed
from thirdcard.table import view
from thirdcard.words import languages

pytestmark = pytest.mark.slow

VIEWERS = ("", "Wei", "Mei", "Anwar", "Lena", "Sam", "Nobody")
MANY = 350  # events of each walk: some rounds, among them irregularities, insurance, squeezes
Fields = dict[str, Any]


def records_of(name: str) -> list[Record]:
    """A walk's log as it would be stored."""
    created = floor.TableCreated(title="One", dealer="automatic", pace=Pace(), live_odds=True)
    records: list[Record] = []
    live = Live(id="one")
    several: list[Any] = [created, *walk(name).log[:MANY]]
    for version, event in enumerate(several, start=1):
        stored = record(
            event, stream="one", version=version, before=live.head, at=START, by="Mei", number=0, flag=""
        )
        live = advance(live, event, stored)
        records.append(stored)
    return records


def changes(records: list[Record], seed: str) -> Iterator[TableChange]:
    """The log in pieces of one to four events, as commits make them, from the set-up on."""
    chance = random.Random(seed)  # noqa: S311 - sample data
    live, rest = recover("one", records[:2]), records[2:]
    while rest:
        size = chance.randint(1, 4)
        piece, rest = rest[:size], rest[size:]
        before, steps = live, []
        for stored in piece:
            live = advance(live, event_of(stored), stored)
            steps.append((event_of(stored), live))
        yield TableChange(before=before, steps=tuple(steps))


class Client:
    """Somebody who lays what comes over what is there."""

    def __init__(self, viewer: str) -> None:
        self.reader = Reader(viewer, b"")
        self.version = -1
        self.view: Fields = {}
        self.you: Fields = {}
        self.said: list[Any] = []

    def take(self) -> None:
        """All that has come in; without gap and without double."""
        while self.reader.outbox:
            text = self.reader.outbox.pop(0)
            if text is None:
                return
            message = msgspec.json.decode(text)
            if "view" in message:
                self.view = message["view"]
            else:
                assert message["from"] == self.version, "a gap or a double"
                self.view |= message["changed"]
            self.version = message["version"]
            self.you = message.get("you", self.you)
            self.said += message.get("said", [])

    @property
    def sees(self) -> Fields:
        return {**self.view, **self.you}


def fresh(live: Live, viewer: str) -> Fields:
    """The view made anew, as it would be sent."""
    made: Fields = msgspec.json.decode(msgspec.json.encode(msgspec.structs.asdict(view(live.table, viewer))))
    made["house"] = msgspec.json.decode(msgspec.json.encode(publish.public_facts(live)))
    return made


def wrong_views(name: str) -> list[str]:
    """Who sees something else than a fresh view, or something of somebody else's, at any version."""
    records = records_of(name)
    channel = Channel(recover("one", records[:2]), FakeClock())
    clients = [Client(viewer) for viewer in VIEWERS]
    for client in clients:
        channel.welcome(client.reader, None)
    found = []
    for change in changes(records, name):
        channel.change(change)
        for client in clients:
            client.take()
            viewer = client.reader.viewer
            place = f"{viewer or 'a watcher'} at {client.version}"
            assert client.version == change.after.version
            if client.view != fresh(change.after, NOBODY):
                found.append(f"{place}: what is public differs")
            if client.sees != fresh(change.after, viewer or NOBODY):
                found.append(f"{place}: the view differs")
            if viewer != "Sam" and client.sees["racks"].keys() - {viewer}:
                found.append(f"{place}: another's rack")
    return found


@pytest.mark.parametrize("name", WALKS)
def test_changes_laid_over_the_first_view_are_a_fresh_view_at_every_version(name: str) -> None:
    assert wrong_views(name) == []


def test_a_change_that_leaves_something_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = publish.public
    forgets = iter(range(MANY))

    def forgetful(live: Live, board: Roads | None = None) -> Fields:
        seen = whole(live, board)
        return {**seen, "phase": "betting"} if next(forgets) % 5 == 4 else seen

    monkeypatch.setattr(publish, "public", forgetful)
    assert any("what is public differs" in told for told in wrong_views("TBC face up"))


def test_a_view_that_shows_somebody_elses_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = publish.own
    monkeypatch.setattr(publish, "own", lambda live, viewer, seen, _: right(live, viewer and "Sam", seen))
    assert any("another's rack" in told for told in wrong_views("TBC face up"))


def test_who_has_not_joined_the_table_has_nothing_of_their_own() -> None:
    live = recover("one", records_of("TBC face up"))
    for viewer in ("", "Nobody"):
        assert publish.own(live, viewer, publish.public(live)) == {}
    assert set(publish.own(live, "Wei", publish.public(live))) >= {"racks"}


# From the log -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WALKS)
def test_what_is_replayed_from_the_log_is_what_was_sent_live(name: str) -> None:
    records = records_of(name)
    channel = Channel(recover("one", records[:2]), FakeClock())
    live = Client("Wei")
    channel.welcome(live.reader, None)
    for change in changes(records, name):
        channel.change(change)
        live.take()
    chance = random.Random(name)  # noqa: S311 - sample data
    for after in (2, *chance.sample(range(3, len(records)), 3)):
        late = Client("Wei")
        late.version, late.view = after, fresh(recover("one", records[:after]), "")
        again = Channel(recover("one", records), FakeClock())
        again.recall(list(replayed(recover("one", records[:after]), records[after:])))
        again.welcome(late.reader, after)
        late.take()
        assert (late.version, late.sees) == (live.version, live.sees)
        assert late.said == live.said[len(live.said) - len(late.said) :]
        assert after > 2 or late.said == live.said
    assert live.said, "something is said"


# Readers ------------------------------------------------------------------------------------------------


@timed
async def test_a_reader_who_does_not_keep_up_is_dropped_and_comes_back_without_gap_or_double() -> None:
    async with hall_on(MemoryStore(), new_table("one")) as hall:
        await seated(hall, WEI, MEI)
        await betting(hall.engine)
        quick, slow = Client("Wei"), Client("Mei")
        for client in (quick, slow):
            await hall.join("one", client.reader, None)
        slow.take()
        for _ in range(2 * MOST_WAITING):
            await did(hall.engine, WEI, bet(cents=10_00))
            quick.take()
        assert slow.reader.why == "slow"
        assert slow.reader.outbox == [None]
        hall.leave("one", slow.reader)
        assert not quick.reader.why
        slow.reader = Reader("Mei", b"")
        await hall.join("one", slow.reader, slow.version)
        await did(hall.engine, WEI, bet(cents=10_00))
        slow.take()
        quick.take()
        assert not slow.reader.why, "who comes back has time to read what was missed"
        assert slow.version == quick.version == hall.engine.tables["one"].version
        assert slow.sees == fresh(hall.engine.tables["one"], "Mei")
        assert quick.sees == fresh(hall.engine.tables["one"], "Wei")


@timed
async def test_a_reader_who_was_away_gets_what_it_missed_from_memory_from_the_log_or_as_a_whole_view() -> (
    None
):
    store = MemoryStore()
    async with hall_on(store, new_table("one")) as hall:
        await seated(hall, WEI)
        await betting(hall.engine)
        stays, goes = Client("Wei"), Client("Wei")
        await hall.join("one", goes.reader, None)
        goes.take()
        left_at = goes.version, dict(goes.view), dict(goes.you)
        hall.leave("one", goes.reader)
        await did(hall.engine, WEI, bet(cents=10_00))  # nobody watches: it is kept in the log alone
        await hall.join("one", stays.reader, None)
        stays.take()
        for _ in range(3):
            await did(hall.engine, WEI, bet(cents=10_00))
            stays.take()

        async def back(after: int | None) -> Client:
            client = Client("Wei")
            client.version, client.view, client.you = left_at if after is not None else (-1, {}, {})
            client.view = dict(client.view)
            await hall.join("one", client.reader, after)
            client.take()
            hall.leave("one", client.reader)
            return client

        for after in (left_at[0], None, 10**6):
            assert (await back(after)).sees == stays.sees == fresh(hall.engine.tables["one"], "Wei")
    async with hall_on(store, new_table("one")) as hall:  # and after a restart
        assert (await back(left_at[0])).sees == stays.sees


@timed
async def test_whoever_reads_the_log_while_the_table_goes_on_misses_nothing() -> None:
    async with hall_on(MemoryStore(), new_table("one")) as hall:
        await seated(hall, WEI)
        await betting(hall.engine)
        start = hall.engine.tables["one"].version
        seen = fresh(hall.engine.tables["one"], "")
        stays = Client("")
        await did(hall.engine, WEI, bet(cents=10_00))
        await hall.join("one", stays.reader, None)
        for n in range(15):
            late = Client("")
            late.version, late.view = start, dict(seen)
            asked = [did(hall.engine, WEI, bet(cents=10_00)) for _ in range(n)]
            joining = hall.join("one", late.reader, start)
            await asyncio.gather(*asked[::2], joining, *asked[1::2])
            await did(hall.engine, WEI, bet(cents=10_00))
            late.take()
            assert late.sees == fresh(hall.engine.tables["one"], "")
            hall.leave("one", late.reader)


def test_messages_of_several_windows_of_one_person_are_the_same() -> None:
    records = records_of("TBC face up")
    channel = Channel(recover("one", records[:20]), FakeClock())
    windows = [Reader("Wei", b""), Reader("Wei", b"")]
    for window in (*windows, Reader("", b"")):
        channel.welcome(window, None)
    live = channel.live
    for stored in records[20:60]:
        before, live = live, advance(live, event_of(stored), stored)
        channel.change(TableChange(before=before, steps=((event_of(stored), live),)))
    texts = [window.outbox[1:] for window in windows]
    assert texts[0] == texts[1]
    assert {msgspec.json.decode(text)["here"] for text in texts[0] if text is not None} == {2}, "two people"
    versions = [msgspec.json.decode(text)["version"] for text in texts[0] if text is not None]
    assert all(later == earlier + 1 for earlier, later in pairwise(versions))


def test_everybody_reads_in_their_language_what_is_said_with_people_as_others_see_them() -> None:
    records = records_of("MBS method A")
    channel = Channel(
        msgspec.structs.replace(recover("one", records[:20]), names={"Wei": "Lion"}), FakeClock()
    )
    windows = {language: Reader("", b"", language=language) for language in languages()}
    for window in windows.values():
        window.most = MANY
        channel.welcome(window, None)
    live = channel.live
    for stored in records[20:]:
        before, live = live, advance(live, event_of(stored), stored)
        channel.change(TableChange(before=before, steps=((event_of(stored), live),)))
    read = {
        language: [msgspec.json.decode(text) for text in window.outbox if text is not None]
        for language, window in windows.items()
    }
    said = {language: [one for m in read[language] for one in m.get("said", ())] for language in read}
    assert {one["sentence"] for one in said["en"]} == {one["beside"] for one in said["zh-Hans"]}
    assert {one["sentence"] for one in said["zh"]} == {one["beside"] for one in said["en"]}
    told = [one for one in said["en"] if one.get("facts", {}).get("player") == "Wei"]
    assert told
    assert all("Lion" in one["sentence"] and "Wei" not in one["sentence"] for one in told)


@pytest.mark.parametrize("name", WALKS)
def test_what_stands_is_sent_whenever_it_changes(name: str) -> None:
    records = records_of(name)
    channel = Channel(recover("one", records[:2]), FakeClock())
    reader = Reader("", b"")
    channel.welcome(reader, None)
    stands: list[Any] = []
    for change in changes(records, name):
        channel.change(change)
        for text in reader.outbox:
            stands = msgspec.json.decode(text or "{}").get("stands", stands)
        reader.outbox.clear()
        right = announce.standing(change.after.table, publish.public(change.after))
        assert [(one["key"], one.get("facts", {})) for one in stands] == [
            (one.key, one.facts) for one in right
        ]
