"""Seeds: who may add one, that the next shoe follows from them, and that its salt is told by nobody before the end."""

import hashlib
from collections.abc import Callable

import msgspec
import pytest

from service.houses import (
    ANWAR,
    KEY,
    MEI,
    SAM,
    WEI,
    go,
    hall_on,
    new_table,
    running,
    sealed_before,
    seated,
    timed,
)
from thirdcard.cards import Card, format_cards
from thirdcard.errors import BadInput
from thirdcard.service.audit import audit_store
from thirdcard.service.keys import subkey
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import SYSTEM, Logged, Seed
from thirdcard.service.log.store.model import SealedShoe
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.promises import shoe
from thirdcard.service.tables import plans
from thirdcard.service.tables.draft import Decided
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.sealed_shoes import MOST_SEEDS, is_kept, new_salt, unseal
from thirdcard.table import carry_out, commands
from thirdcard.table.refusals import Refusal, ToldRefusal

SHORT = new_table(dealer="automatic", cut=410)  # two rounds or three a shoe
SHOE_KEY = subkey(KEY, "shoes")


def one(hall: Hall) -> Live:
    return hall.engine.tables["one"]


async def added(hall: Hall, person: Person, seed: str, table: str = "one") -> ToldRefusal | None:
    """What is said to somebody's seed."""
    return (await hall.ask(table, plans.add_seed(person, seed), person)).refusal


def in_use(hall: Hall, number: int) -> Callable[[], bool]:
    return lambda: one(hall).sealed is not None and one(hall).sealed.shoe == number  # type: ignore[union-attr]


def events(store: MemoryStore) -> list[Logged]:
    return [event_of(record) for record in store.read("one")]


@timed
async def test_the_next_shoe_follows_from_the_seeds_in_the_order_added() -> None:
    store = MemoryStore()
    async with hall_on(store, SHORT) as hall:
        await go(hall, in_use(hall, 1))
        await seated(hall, WEI, MEI)
        promised = one(hall).coming
        assert promised is not None
        assert promised.number == 2
        for person, seed in ((WEI, "8"), (MEI, "發 8888"), (WEI, "eight is lucky")):
            assert await added(hall, person, seed) is None
        seeds = (Seed(player="Mei", seed="發 8888"), Seed(player="Wei", seed="eight is lucky"))
        assert one(hall).coming == msgspec.structs.replace(promised, seeds=seeds)
        await go(hall, in_use(hall, 3), seconds=30)
    told = {one.shoe: one for one in events(store) if isinstance(one, floor.ShoeSealed)}
    opened = {one.shoe: one for one in events(store) if isinstance(one, floor.ShoeRevealed)}
    assert [told[number].seeds for number in (1, 2, 3)] == [(), seeds, ()]
    assert told[2].commitment == promised.commitment
    assert is_kept("one", told[2], opened[2].salt, opened[2].cards)
    assert audit_store(store, (), KEY).problems == audit_store(store).problems == ()


@timed
async def test_a_promise_is_kept_through_a_restart() -> None:
    store = MemoryStore()
    async with hall_on(store, SHORT) as hall:
        await go(hall, in_use(hall, 1))
        await seated(hall, WEI)
        await added(hall, WEI, "before the restart")
        promised = one(hall).coming
    async with hall_on(store, SHORT) as hall:
        assert one(hall).coming == promised
        await go(hall, in_use(hall, 3), seconds=30)
    assert audit_store(store, (), KEY).problems == ()


@timed
async def test_no_salt_is_told_before_its_shoe_is_over() -> None:
    store = MemoryStore()
    async with hall_on(store, SHORT) as hall:
        await go(hall, in_use(hall, 2), seconds=30)
        salts = [
            unseal(SHOE_KEY, "one", number, store.shoe("one", number) or b"").salt for number in (1, 2, 3)
        ]
        told = b"".join(record.body for record in store.read("one")) + msgspec.json.encode(
            [hall.channels["one"].whole(""), *[await shoe(hall, one(hall), number) for number in (1, 2, 3)]]
        )
        assert [salt.hex().encode() in told for salt in salts] == [True, False, False]
        assert not any(salt in told for salt in salts)


@timed
async def test_seeds_are_added_by_who_has_a_seat_while_a_shoe_is_promised() -> None:
    async with hall_on(MemoryStore(), SHORT, new_table("hand")) as hall:
        early = await hall.engine.ask("one", plans.add_seed(WEI, "8"), actor="Wei")
        assert early.refusal is not None
        await go(hall, in_use(hall, 1))
        await seated(hall, WEI)
        await seated(hall, WEI, table="hand")
        await hall.ask("one", plans.sit_down(ANWAR, None, 10_000_00), ANWAR)
        before = one(hall).version
        for person, table, told in (
            (MEI, "one", "who has a seat"),
            (ANWAR, "one", "who has a seat"),
            (SAM, "one", "who has a seat"),
            (WEI, "hand", "shuffled by hand"),
        ):
            refusal = await added(hall, person, "8", table)
            assert refusal is not None
            assert (refusal.code, told in refusal.sentence) == ("not-allowed-here", True)
        assert one(hall).version == before
        with pytest.raises(BadInput, match="printable characters"):
            plans.add_seed(WEI, "two\nlines")


@timed
async def test_nobody_adds_a_seed_before_the_first_shoe_is_in_use() -> None:
    async with running(MemoryStore()) as engine:
        made = plans.create("One", "automatic", SHORT.setup, pace=SHORT.pace, live_odds=False)
        await engine.ask("one", made, actor=SYSTEM)
        await engine.ask("one", plans.sit_down(WEI, 1, 0), actor="Wei")
        answer = await engine.ask("one", plans.add_seed(WEI, "8"), actor="Wei")
        assert answer.refusal is not None
        assert answer.refusal.code == "wrong-phase"


@timed
async def test_a_shoe_takes_so_many_seeds_and_no_more() -> None:
    async with hall_on(MemoryStore(), new_table(dealer="automatic", positions=5)) as hall:
        await go(hall, in_use(hall, 1))
        people = [Person(name=f"P{number}", role="player") for number in range(MOST_SEEDS + 1)]
        for person in people:  # each takes the seat, adds a seed and leaves it to the next
            await hall.ask("one", plans.sit_down(person, 1, 0), person)
            refusal = await added(hall, person, "8")
            assert (refusal is None) == (person is not people[-1])
            if person is people[0]:
                assert await added(hall, person, "9") is None
            await hall.ask("one", plans.by_person(person, commands.Leave(by=person.name)), person)
        await hall.ask("one", plans.sit_down(people[3], 1, 0), people[3])
        assert await added(hall, people[3], "another") is None, "one's own is replaced however many there are"
        coming = one(hall).coming
        assert coming is not None
        assert len(coming.seeds) == MOST_SEEDS
        assert coming.seeds[-1] == Seed(player="P3", seed="another")


@timed
async def test_the_shoe_of_an_earlier_release_is_dealt_to_its_end_and_the_next_takes_seeds() -> None:
    store = MemoryStore()
    salt, order = new_salt(), tuple(Card) * 8
    committed = floor.ShoeCommitted(
        shoe=1, commitment=hashlib.sha256(salt + format_cards(order).encode()).hexdigest()
    )

    def as_before(live: Live) -> Decided:
        made = carry_out(live.table, commands.NewShoe(by=SYSTEM))
        assert not isinstance(made, Refusal)
        kept = SealedShoe(number=1, sealed=sealed_before(SHOE_KEY, "one", 1, salt, order))
        return Decided(events=(*made, (committed, None)), shoes=(kept,))

    async with running(store) as engine:
        made = plans.create("One", "automatic", SHORT.setup, pace=SHORT.pace, live_odds=False)
        for plan in (made, as_before):
            await engine.ask("one", plan, actor=SYSTEM)
    async with hall_on(store) as hall:
        await go(hall, lambda: one(hall).table.rounds == 1)
        await seated(hall, WEI)
        assert (await added(hall, WEI, "8")).code == "wrong-phase"  # type: ignore[union-attr]
        await go(hall, in_use(hall, 2), seconds=30)
        assert await added(hall, WEI, "8") is None
        await go(hall, in_use(hall, 4), seconds=30)
        shoes = [await shoe(hall, one(hall), number) for number in (1, 2, 3)]
    assert [(one.form, len(one.seeds), one.fits) for one in shoes if one] == [
        (1, 0, True), (2, 0, True), (2, 1, True),
    ]  # fmt: skip
    assert audit_store(store, (), KEY).problems == audit_store(store).problems == ()
