"""A house that has been played in: automatic tables and one dealt by hand, a step of the dealer at a time.

Everything but how shoes are sealed comes from the seed, so that what a test finds it finds again.
"""

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Self, TypeVar

import pytest

from service.clocks import START, FakeClock
from service.driving import CBI, MBS, TBC, People
from thirdcard.cards import parse_cards
from thirdcard.service.keys import subkey
from thirdcard.service.log.anchor import Anchor
from thirdcard.service.log.floor_events import Logged, Pace, TableCreated
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import Append
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import plans, sealed_shoes
from thirdcard.service.tables.dealer import Rest, Shuffle, next_step
from thirdcard.service.tables.draft import Draft, logging_only
from thirdcard.service.tables.hall import Hall, NewTable
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.wallets import Grants
from thirdcard.table import Setup, commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent
from thirdcard.table.setup import Limit

T = TypeVar("T")
Log = list[tuple[Logged, int, str]]
KEY = bytes(range(32))
RICH = Grants(opening=10**13)
PLAYERS = tuple(Person(name=name, role="player") for name in ("Wei", "Mei", "Anwar"))
DEE = Person(name="Dee", role="dealer")
SAM = Person(name="Sam", role="shift-manager")
PACE = Pace(betting=0, insurance=0, adjusting=0, choice=0, squeeze=0, card=0, result=0, shuffle=0)


def table(name: str, rulebook: str, dealer: str = "automatic", **changed: object) -> NewTable:
    """A table whose cut card comes after some two dozen cards, so that shoes end."""
    values: dict[str, object] = {
        "rulebook": rulebook,
        "layout": "A",
        "positions": 5,
        "limits": {"*": Limit(10_00, 20_000_00)},
        "differential": 20_000_00,
        "cut": 52 * 8 - 24,
    }
    setup = Setup(**(values | changed))  # type: ignore[arg-type]
    return NewTable(id=name, title=name, dealer=dealer, setup=setup, pace=PACE)  # type: ignore[arg-type]


TABLES = (
    table("insured", CBI),
    table("squeezed", TBC, method="face-down"),
    table("tiger", MBS),
    table("by-hand", TBC, "staff"),
)


@contextmanager
def seeded_shoes(chance: random.Random) -> Iterator[None]:
    """Salts come from the seed instead of the system."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sealed_shoes, "new_salt", lambda: chance.randbytes(32))
        yield


class House:
    """A hall whose dealer does one thing when it is told to."""

    def __init__(
        self, store: Store, anchor: Path | None = None, *, seed: object = 0, key: bytes = KEY
    ) -> None:
        self.random = random.Random(str(seed))  # noqa: S311 - sample data
        self.anchor = None if anchor is None else Anchor(anchor, subkey(key, "anchor"))
        self.clock = FakeClock()
        self.hall = Hall(
            store,
            key=key,
            anchor=self.anchor,
            clock=self.clock,
            first_tables=TABLES,
            deals=False,
            grants=RICH,
        )
        vars(self.hall.leading)["term"] = lambda _: 0  # it deals alone, when it is told to
        self.asked = 0

    async def __aenter__(self) -> Self:
        await self.hall.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.hall.stop()
        if self.anchor is not None:
            self.anchor.close()

    def live(self, name: str) -> Live:
        return self.hall.engine.tables[name]

    async def ask(self, name: str, person: Person, *asked: AnyCommand) -> bool:
        """Whether it was accepted."""
        self.asked += 1
        self.clock.wait(1.5)
        key = f"key-{self.live(name).version}-{self.asked}"
        return (await self.hall.ask(name, plans.by_person(person, *asked), person, key=key)).refusal is None

    async def sit(self, name: str) -> None:
        for box, person in enumerate(PLAYERS, start=1):
            await self.hall.ask(
                name, plans.sit_down(person, box, 500_000_00), person, key=f"sit-{name}-{box}"
            )

    async def step(self, name: str) -> None:
        """People try something; then the dealer does what is due, or staff what only they may."""
        current = self.live(name).table.round
        busy = current is not None and (
            current.phase == "betting" or any(not one.over for one in current.offerings)
        )
        for _ in range(6 if busy else 1):
            await self.wish(name)
        step, _ = next_step(self.live(name).table, pace=PACE)
        if isinstance(step, Shuffle):
            await self.add_seeds(name)
        live = self.live(name)
        if isinstance(step, Rest):
            current = live.table.round
            assert current is not None
            assert current.pending is not None
            assert await self.ask(name, SAM, commands.Dismiss(by=SAM.name, reason="nothing to it"))
        else:
            await self.hall._carry_out(live, step)  # noqa: SLF001
        self.hall.sign_of_life(name)

    async def add_seeds(self, name: str) -> None:
        """Whoever sits there adds one; the first of them thinks again."""
        for number, person in enumerate((*PLAYERS, PLAYERS[0])):
            plan = plans.add_seed(person, f"發 {self.live(name).version} {number}")
            await self.hall.ask(name, plan, person, key=f"seed-{name}-{self.live(name).version}")

    async def wish(self, name: str) -> None:
        live = self.live(name)
        if live.table.round is not None:
            person = self.random.choice(PLAYERS)
            seen = People(SimpleNamespace(state=live.table, random=self.random))  # type: ignore[arg-type]
            wishes = list(seen._wishes(live.table.round, person.name))  # noqa: SLF001
            if wishes:
                await self.ask(name, person, self.random.choice(wishes))

    async def play(self, name: str, rounds: int) -> None:
        """So many rounds to their end, one of them interrupted."""
        await self.sit(name)
        last = self.live(name).table.rounds + rounds
        while not (
            self.live(name).table.rounds == last and self.live(name).table.phase in ("settled", "void")
        ):
            await self.step(name)
            state = self.live(name).table
            if state.rounds == last - 1 and state.phase == "dealing" and self.random.random() < 0.5:
                await self.hall._ask(self.live(name), plans.interrupt)  # noqa: SLF001

    async def while_played(self, name: str, work: Callable[[int], T], times: int) -> list[T]:
        """Do some work in a thread, again and again while a table is played at: each time it has moved on."""
        over, done, seen = asyncio.Event(), list[T](), 0

        async def go_on() -> None:
            while not over.is_set():
                await self.play(name, 1)

        playing = asyncio.create_task(go_on())
        for number in range(times):
            while self.live(name).version == seen:  # noqa: ASYNC110 - the engine has no such event
                await asyncio.sleep(0.001)
            seen = self.live(name).version
            done.append(await asyncio.to_thread(work, number))
        over.set()
        await playing
        return done

    async def play_by_hand(self, name: str) -> None:
        """A round that is corrected, a void one, one that is voided after its settlement."""
        await self.sit(name)
        wei, mei = PLAYERS[0], PLAYERS[1]
        assert await self.ask(name, DEE, commands.NewShoe(by="Dee"))
        for cards, then in (
            ("9C 7D KH 2S", commands.Correct(by="Sam", cards=parse_cards("9C 7D KH AS"), reason="misread")),
            ("2C 4H 3D KS 5C", commands.Void(by="Sam", reason="wrong game")),
            ("6C 3D KH AS 3C", commands.Void(by="Sam", reason="chips moved")),
            ("9D 9H 9S 9C", None),
        ):
            assert await self.ask(name, DEE, commands.Open(by="Dee"))
            assert await self.ask(name, wei, commands.Place(by="Wei", box=1, bet="player", cents=15_000_00))
            assert await self.ask(name, mei, commands.Place(by="Mei", box=2, bet="banker", cents=350_00))
            assert await self.ask(name, DEE, commands.Close(by="Dee"))
            for card in parse_cards(cards):
                assert await self.ask(name, DEE, commands.Draw(by="Dee", card=card))
            if "5C" not in cards:
                assert await self.ask(name, DEE, commands.Settle(by="Dee"))
            if then is not None:
                assert await self.ask(name, SAM, then)
        assert "Anwar" not in self.live(name).table.players, "who did nothing for three rounds"
        anwar, kept = PLAYERS[2], await self.hall.kept(name, "Anwar")
        assert (await self.hall.ask(name, plans.sit_down(anwar, 3, 1_000_00, kept), anwar)).refusal is None
        assert await self.ask(name, anwar, commands.CashOut(by="Anwar", cents=200_00))


async def play(store: Store, anchor: Path | None = None, *, rounds: int = 8, seed: object = 0) -> None:
    """Fill an empty store; it is closed afterwards."""
    async with House(store, anchor, seed=seed) as house:
        with seeded_shoes(house.random):
            await _play(house, rounds)


async def _play(house: House, rounds: int) -> None:
    for one in TABLES:
        if one.dealer == "automatic":
            await house.play(one.id, rounds)
        else:
            await house.play_by_hand(one.id)
    await house.hall.note("clock-changed", {"by_ms": 5})


def played(store: Store, anchor: Path | None = None, *, rounds: int = 8, seed: object = 0) -> None:
    asyncio.run(play(store, anchor, rounds=rounds, seed=seed))


def logged(stream: str, log: Sequence[tuple[Logged, int, str]]) -> Append:
    """A whole log as the engine would have written it: each event with its time and who asked."""
    draft = Draft(Live(id=stream))
    for event, at, by in log:
        draft.add(logging_only(event), by=by, at=at)
    return draft.append(log[-1][1])


def table_log(events: Iterable[AnyEvent]) -> Log:
    """The log of a table that people deal at, from the events of its rounds."""
    created = TableCreated(title="a table", dealer="staff", pace=PACE, live_odds=False)
    return [(event, START + place * 1_000, "Dee") for place, event in enumerate((created, *events))]
