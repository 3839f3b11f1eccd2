"""What nobody has seen is in nobody's answer, whatever the role, the address or the form.

Random tables are played twice, all the same but for one card that lies unseen. Until that card is turned, every
decision, every answer, every message and every page has to be the same for everybody, to the byte: its size, its
headers and its hashes too. Whoever holds the card is left out.
"""

import asyncio
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import zip_longest
from typing import Any

import msgspec
import pytest

from service.api.routes import Route, routes
from service.api.serving import GUARD, NOBODY
from service.clocks import FakeClock
from service.houses import CBI, KEY, MBS, TBC, set_up
from table import machine
from table.machine import PLAYERS, Anything, Seeded, Walk, from_shoe, pick, random_setup
from thirdcard.cards import Card, parse_cards
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import remember
from thirdcard.service.api.app import create_app
from thirdcard.service.api.gate import Rates
from thirdcard.service.log.floor_events import SYSTEM, Pace, TableCreated
from thirdcard.service.log.store.model import Account, Session
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import ROLES, allowed
from thirdcard.service.people.sessions import mark_of
from thirdcard.service.queries.chances import seen_cards
from thirdcard.service.tables.dealer import next_step
from thirdcard.service.tables.draft import logging_only
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.table import Refusal, Setup, State, Table, commands, decide, evolve
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent
from thirdcard.table.state import DrawnCard, Pending
from thirdcard.table.unseen import unseen as unseen_cards
from thirdcard.table.why import Why
from thirdcard.web.site import PAGES

pytestmark = pytest.mark.server

SOAK_MINUTES = float(os.environ.get("THIRDCARD_SOAK", "0"))
MOST_TWINS = 4  # tables played beside the first, each with one other card
ENCODE = msgspec.json.Encoder().encode
replace = msgspec.structs.replace
Made = tuple[AnyEvent, ...]


class Leak(AssertionError):  # noqa: N818 - what somebody is told
    """Somebody could tell one table from the other."""


# Two tables that differ in what nobody sees --------------------------------------------------------------


def hidden(card: DrawnCard) -> bool:
    return card.name is not None and not card.face_up


def masked(card: DrawnCard) -> DrawnCard:
    return replace(card, name=Card("AS")) if hidden(card) else card


def reported(pending: Pending, lying: int) -> Pending:
    """A report with one and the same card wherever one lies unseen."""
    first = pending.first or lying + 1
    drawn = [
        name if name is None or first + n in pending.shown else Card("AS")
        for n, name in enumerate(pending.drawn)
    ]
    return replace(pending, drawn=tuple(drawn), waited=tuple(map(masked, pending.waited)))


def looks(state: State) -> State:
    """The table as people who see it have it before them."""
    current, shoe = state.round, state.shoe
    if current is None or shoe is None:
        return state
    lying = len(current.drawn)
    reports = [one for one in (current.pending, *current.reported) if one is not None]
    in_error = {place for one in reports for place in one.shown if place <= lying}
    shown = replace(
        current,
        drawn=tuple(
            replace(card, face_up=True) if place in in_error else masked(card)
            for place, card in enumerate(current.drawn, start=1)
        ),
        pending=reported(current.pending, lying) if current.pending else None,
        reported=tuple(reported(one, lying) for one in current.reported),
    )
    left = {"": sum(shoe.unturned.values())}
    waiting = tuple(map(masked, shoe.waiting))
    return replace(state, round=shown, shoe=replace(shoe, drawn={}, unturned=left, waiting=waiting))


def faces(state: State) -> list[Card | None]:
    """The cards that everybody sees."""
    seen = looks(state)
    lying = [*(seen.round.drawn if seen.round else ()), *(seen.shoe.waiting if seen.shoe else ())]
    found = [one.name for one in lying if one.face_up]
    for one in (seen.round.pending, *seen.round.reported) if seen.round else ():
        found += [*one.drawn, *one.names.values()] if one else []
    return found


def steps(state: State) -> object:
    """What an automatic dealer would do next, and when."""
    return next_step(state, pace=Pace())


def holders(one: State, other: State) -> set[str]:
    """Who has a card in hand that differs."""
    if one.round is None or other.round is None:
        return set()
    pairs = zip(one.round.drawn, other.round.drawn, strict=True)
    return {card.holder for card, twin in pairs if card.name is not twin.name and card.holder}


def with_another(command: AnyCommand, another: Callable[[Card], Card]) -> Iterator[AnyCommand]:
    """The command with one of the cards that it brings out of the shoe replaced."""
    if isinstance(command, commands.Draw) and command.card is not None:
        yield replace(command, card=another(command.card))
    elif isinstance(command, commands.Report):
        for n, card in enumerate(command.drawn):
            if card is not None:
                yield replace(command, drawn=(*command.drawn[:n], another(card), *command.drawn[n + 1 :]))


class Beside:
    """A table at which one card is another."""

    def __init__(self, state: State, steps: list[Made]) -> None:
        self.state, self.steps = state, list(steps)

    def takes(self, made: Made) -> None:
        self.steps.append(made)
        for event in made:
            self.state = evolve(self.state, event)


class Twins(machine.Table):
    """A table with others beside it: a decision at one that is not made at the other tells the card."""

    def __init__(self, setup: Setup, chance: machine.Chance) -> None:
        super().__init__(setup)
        self.chance = chance
        self.steps: list[Made] = [tuple(self.log)]
        self.twins: list[Beside] = []
        self.compared: Counter[str] = Counter()

    def do(self, command: AnyCommand) -> Made | Refusal:
        decided = self.ask(command)
        others = [(twin, decide(twin.state, command)) for twin in self.twins]
        for _, other in others:
            self.compared[type(command).__name__] += 1
            refused = isinstance(decided, Refusal), isinstance(other, Refusal)
            if refused != (False, False) and decided != other:
                raise Leak(f"{command}: {decided} here, {other} beside")
        if isinstance(decided, Refusal):
            return decided
        fresh = list(self._fresh(command))
        self.steps.append(decided)
        self.log += decided
        for event in decided:
            self.state = evolve(self.state, event)
        for twin, other in others:
            assert not isinstance(other, Refusal)
            twin.takes(other)
        self.twins = [twin for twin in (*self.twins, *fresh) if self._is_alike(twin, command)][-MOST_TWINS:]
        return decided

    def _fresh(self, command: AnyCommand) -> Iterator[Beside]:
        for other in with_another(command, self._another):
            made = decide(self.state, other)
            if not isinstance(made, Refusal):
                twin = Beside(self.state, self.steps)
                twin.takes(made)
                yield twin

    def _another(self, card: Card) -> Card:
        """Any other card; now and then one that lies there already, so that there is a pair or none."""
        there = [one for one in (self.state.round.cards if self.state.round else ()) if one is not None]
        pool = there if there and self.chance.below(3) == 0 else list(Card)
        return pick(self.chance, [one for one in pool if one is not card] or [Card("AS"), Card("KD")])

    def _is_alike(self, twin: Beside, command: AnyCommand) -> bool:
        """Whether the other card is still unseen, and its shoe in use; then nothing else may differ."""
        current, shoe = self.state.round, self.state.shoe
        over = current is not None and shoe is not None and current.shoe != shoe.number
        if over or faces(twin.state) != faces(self.state):
            return False
        kinds, others = ([type(event) for event in table.steps[-1]] for table in (self, twin))
        if (
            kinds != others
            or looks(twin.state) != looks(self.state)
            or steps(self.state) != steps(twin.state)
        ):
            raise Leak(f"{command}: the tables differ in more than a card that nobody has seen")
        return twin.state != self.state


class Played(Walk):
    """A walk among twins, at which cards come out together and unseen more often than elsewhere."""

    table: Twins

    def __init__(self, setup: Setup, chance: machine.Chance) -> None:
        super().__init__(setup, chance, table=Twins(setup, chance))

    def goes_on(self) -> None:
        current = self.state.round
        free = current is not None and current.phase in ("dealing", "settled") and not self.is_held_up
        if free and self.chance.below(6) == 0:
            self.cards_come_out_together()
        elif self.chance.below(8) == 0:
            self.anything()
        else:
            self.advance()

    def cards_come_out_together(self) -> None:
        """Those that wait come first, and have their names already."""
        known, shoe = self.state.rulebook.procedure("drawn-together"), self.state.shoe
        assert shoe is not None
        waiting = [one.name for one in shoe.waiting[:2]]
        fresh = iter(from_shoe(self.state, self.chance, 2))
        drawn = [None if name else next(fresh, None) for name in (*waiting, None, None)[:2]]
        if known is not None:
            order = bool(self.chance.below(2))
            self.table.do(
                commands.Report(by=self.dealer, case=known.case, drawn=tuple(drawn), order_known=order)
            )


# Two houses with these tables -----------------------------------------------------------------------------

Told = tuple[object, ...]  # status, headers and body of an answer, or what a socket was sent
# Beside the addresses as they are: what is asked for in them.
ASKED = {
    "/api/tables/{table}/legal": ("player=ann",),
    "/api/tables/{table}/why": ("player=ann", "player=ben", "player=ann&right=squeeze"),
    "/api/tables/{table}/log": ("after=7&limit=200", "after={late}"),
    "/api/tables/{table}/record": ("lang=zh",),
    "/audit/{table}": ("round={number}", "kind=card-drawn", "after={late}"),
    "/audit/{table}/statements": ("player=ann",),
    "/rules/diff": ("a=mbs-tiger-v2&b=mbs-tiger-v2",),
}
ELSEWHERE = {
    "slug": MBS, "other": MBS, "case": "drawn-together", "player": "ann", "name": "ann", "layout": "A",
    "positions": 7, "own": "0.svg", "given": "now", "path": "nothing", "kind": "pay", "exam": "none", "place": 0,
}  # fmt: skip
DRAWN = ("/api/school/next/{slug}",)  # an item by chance, of no table
# What no card can change and is not the same in two houses.
VARYING = tuple(
    f"thirdcard_{one}".encode()
    for one in ("memory_bytes", "request_seconds", "command_seconds", "commit_seconds")
)
FIRST_STAFF = {f"{role[:18]}-1": role for role in ROLES if role not in ("guest", "player")}
PEOPLE = {NOBODY: "", **dict.fromkeys(PLAYERS, "player"), "guest-1": "guest", "zoe": "player", **FIRST_STAFF}


def token_of(name: str) -> str:
    return name + mark_of(name)


class House:
    """One of the two, asked in this process; everybody's token is the same in both."""

    def __init__(self) -> None:
        store, self.clock = MemoryStore(), FakeClock()
        now = self.clock.wall()
        for name, role in PEOPLE.items():
            if role:
                store.add_account(
                    Account(name=name, role=role, password="-" if role != "guest" else "", created=now)
                )
        self.hall = Hall(store, key=KEY, clock=self.clock, first_tables=(), deals=False, absent_rounds=0)
        for name in filter(PEOPLE.get, PEOPLE):
            kept = self.hall.people.session_of(token_of(name))
            store.put_session(Session(token_hash=kept, account=name, created=now, seen=now))
        self.gate = create_app(self.hall, rates=Rates.off(), pages=PAGES)
        self.app: Any = self.gate.app

    async def opens_doors(self, over: asyncio.Event) -> asyncio.Task[None]:
        up = asyncio.Event()

        async def serves() -> None:
            async with self.app.lifespan():
                up.set()
                await over.wait()

        task = asyncio.create_task(serves())
        await up.wait()
        return task

    async def plays(self, table: str, events: Sequence[Any]) -> None:
        answer = await self.hall.engine.ask(table, lambda _: logging_only(*events), actor=SYSTEM)
        assert answer.refusal is None

    def live(self, table: str) -> Live:
        return self.hall.engine.tables[table]

    def _scope(self, kind: str, who: str, path: str, **more: object) -> dict[str, Any]:
        path, _, query = path.partition("?")
        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
        if who != NOBODY:
            headers.append((b"authorization", f"Bearer {token_of(who)}".encode()))
        return {
            "type": kind, "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "path": path,
            "raw_path": path.encode(), "query_string": query.encode(), "root_path": "", "headers": headers,
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "state": {}, "extensions": {}, **more,
        }  # fmt: skip

    async def ask(self, who: str, path: str, body: object = None, key: str = "") -> Told:
        scope = self._scope("http", who, path, method="GET" if body is None else "POST")
        if body is not None:
            scope["headers"].append((b"idempotency-key", key.encode()))
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"" if body is None else ENCODE(body), "more_body": False}

        async def send(message: Any) -> None:  # noqa: ANN401
            sent.append(message)

        await self.gate(scope, receive, send)
        text = b"".join(one.get("body", b"") for one in sent)
        lines = b"\n".join(line for line in text.splitlines() if not line.startswith(VARYING))
        headers = [pair for pair in sent[0]["headers"] if pair[0] != b"content-length" or lines == text]
        return sent[0]["status"], tuple(sorted(headers)), lines

    async def listens(self, who: str, path: str, meanwhile: Awaitable[None] | None = None) -> Told:
        """What is sent over a socket until the table is as it is now."""
        sent: list[bytes] = []
        come: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        come.put_nowait({"type": "websocket.connect"})
        news = asyncio.Event()

        async def send(message: Any) -> None:  # noqa: ANN401
            sent.append((message.get("text") or message["type"]).encode())
            news.set()

        task = asyncio.ensure_future(
            self.gate(self._scope("websocket", who, path, subprotocols=[]), come.get, send)
        )
        table = path.split("/")[3]
        await self._hears(sent, news, table)
        if meanwhile is not None:
            await meanwhile
            await self._hears(sent, news, table)
        come.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await task
        return tuple(sent)

    async def _hears(self, sent: list[bytes], news: asyncio.Event, table: str) -> None:
        wanted = b'{"version":%d,' % self.live(table).version
        while not any(text.startswith(wanted) for text in sent):
            news.clear()
            await news.wait()


def _where_they_part(one: object, other: object) -> tuple[str, str]:
    """Two things that differ, from shortly before they do."""
    texts = repr(one), repr(other)
    same = next((at for at, pair in enumerate(zip_longest(*texts)) if pair[0] != pair[1]), 0)
    at = max(same - 100, 0)
    return texts[0][at : at + 500], texts[1][at : at + 500]


class Houses:
    """Both, and what anybody is told at one and not at the other."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self.one, self.other = House(), House()
        self._runner = runner
        self.number = 0
        self.asked: Counter[tuple[str, str]] = Counter()
        found = [route for route in routes(self.one.app) if route.method == "GET" and route.path not in DRAWN]
        self.about_tables = [route for route in found if "{table}" in route.path or route.path in ABOUT_ALL]
        self.elsewhere = [route for route in found if route not in self.about_tables]

    def do(self, work: Awaitable[Any]) -> Any:  # noqa: ANN401
        async def guarded() -> Any:  # noqa: ANN401
            async with asyncio.timeout(GUARD):
                return await work

        return self._runner.run(guarded())

    async def opens(self, table: Twins, twin: Beside) -> str:
        """The two tables up to the last thing that happened there."""
        self.number += 1
        name = f"t{self.number}"
        for house in (self.one, self.other):
            house.clock.wait(2)  # what is kept for a second is worked out anew
        created = TableCreated(title="A table", dealer="staff", pace=Pace(), live_odds=True)
        for house, steps in ((self.one, table.steps), (self.other, twin.steps)):
            await house.plays(name, [created, *(event for made in steps[:-1] for event in made)])
        return name

    async def comes_back(self, name: str, who: str, *, after: int) -> list[str]:
        """Somebody hears what happened since."""
        path = f"/api/tables/{name}/stream?after={after}"
        return self._difference(
            path, who, await self.one.listens(who, path), await self.other.listens(who, path)
        )

    async def goes_on(self, name: str, who: str, table: Twins, twin: Beside) -> list[str]:
        """The last thing happens, and somebody hears of it."""
        heard = []
        for house, steps in ((self.one, table.steps), (self.other, twin.steps)):
            heard.append(
                await house.listens(who, f"/api/tables/{name}/stream", meanwhile=house.plays(name, steps[-1]))
            )
        return self._difference("WS", who, *heard)

    def _difference(self, where: str, who: str, one: Told, other: Told) -> list[str]:
        if one == other:
            return []
        parts = [(a, b) for a, b in zip_longest(one, other) if a != b]
        return [
            f"{who} at {where}: {near} and {far}" for near, far in (_where_they_part(*pair) for pair in parts)
        ]

    async def compare(self, who: str, path: str, body: object = None) -> list[str]:
        key = f"{self.number}/{self.asked.total()}"
        self.asked[who, path] += 1
        one, other = await self.one.ask(who, path, body, key), await self.other.ask(who, path, body, key)
        if path.endswith("/commands") and (one[0], other[0]) == (200, 200):
            return []  # it was done at both, and cards may have been turned
        return self._difference(f"{path} {body or ''}", who, one, other)

    def addresses(self, name: str, route: Route) -> Iterator[str]:
        live = self.one.live(name)
        facts = {
            **ELSEWHERE,
            "table": name,
            "number": live.table.rounds or 1,
            "late": max(live.version - 30, 0),
        }
        path = route.path.format(**facts)
        yield path
        yield from (f"{path}?{query.format(**facts)}" for query in ASKED.get(route.path, ()))

    async def leaks(self, name: str, who: Iterable[str], wanted: Iterable[Route]) -> list[str]:
        found = []
        for route in wanted:
            for path in self.addresses(name, route):
                for person in who:
                    found += await self.compare(person, path)
        return found


# What is told about all tables at once.
ABOUT_ALL = (
    "/", "/tables", "/pit", "/audit", "/metrics", "/api/tables", "/api/significant-events", "/api/heads", "/api/me",
    "/api/me/rounds",
)  # fmt: skip


def new_walk(which: str, seed: object, *, one_deck: bool = False) -> Played:
    """A table where a device reads the cards; with one deck whoever counts would soon know what is left."""
    chance = Seeded(f"{which}/{seed}")
    rules = of_one_deck(which) if one_deck else load(which)
    staff = {f"{rank.name[:18]}-1": rank.name for rank in rules.ranks}
    setup = random_setup(chance, rules, pick(chance, list(rules.layouts)))
    cut = 6 if one_deck else setup.cut
    return Played(replace(setup, device="reader", staff=staff, cut=cut), chance)


@cache
def of_one_deck(which: str) -> Rulebook:
    rules = load(which)
    return remember(canonical(replace(rules, decks=replace(rules.decks, min=1, max=1))))


def moments(walk: Played, steps: int) -> Iterator[tuple[Twins, Beside]]:
    """Where a card lies unseen that another lies for beside."""
    for _ in range(steps):
        walk.goes_on()
        if walk.table.twins:
            yield walk.table, pick(walk.chance, walk.table.twins)


def situation(state: State) -> tuple[object, ...]:
    """What sort of moment it is: how many cards lie unseen where, and what is being done about it."""
    current, shoe = state.round, state.shoe
    assert current is not None
    assert shoe is not None
    pending = current.pending
    return (
        state.setup.dealing.face_down,
        current.phase,
        sum(map(hidden, current.drawn)),
        sum(map(hidden, shoe.waiting)),
        bool(current.handed),
        current.proposal is not None,
        pending and (pending.case, bool(pending.inputs), len(pending.drawn), bool(current.reported)),
    )


def is_plain(state: State) -> bool:
    """Cards lie face down as they should, and nothing else is the matter."""
    current, shoe = state.round, state.shoe
    assert current is not None
    assert shoe is not None
    held_up = current.pending is not None or current.proposal is not None
    return any(map(hidden, current.drawn)) and not (
        held_up or current.handed or any(map(hidden, shoe.waiting))
    )


def tries(state: State, twin: State, chance: machine.Chance) -> Iterator[tuple[str, object]]:
    """Who asks what that may be refused: anything at all, the unseen cards by their names, lists that turn cards."""
    current, shoe = state.round, state.shoe
    assert current is not None
    assert shoe is not None
    for _ in range(20):
        command = Anything(state, chance).command()
        if isinstance(decide(state, command), Refusal):
            yield command.by, body_of(command)
    unseen = [one.name for table in (state, twin) for one in everything(table) if hidden(one)]
    dealer, top = "dealer-1", next(name for name, rank in state.staff.items() if "shift" in rank)
    places, leave = list(current.hidden), {"command": "leave"}
    yield dealer, [{"command": "expose", "cards": places}, {"command": "draw"}, leave]
    yield dealer, [{"command": "draw"}, {"command": "expose", "cards": places}, leave]
    yield top, [{"command": "rule"}, {"command": "settle"}, leave]
    yield dealer, {"command": "expose", "cards": places, "names": unseen[: len(places)]}
    for card in unseen[:4]:
        yield top, {"command": "rule", "inputs": {"order": [card, card]}}
        yield top, {"command": "rule", "inputs": {"names": {"1": card}, "substitutes": {"1": card}}}
        yield dealer, {"command": "amend", "cards": [card] * len(current.drawn), "reason": "x"}
        yield top, {"command": "correct", "cards": [card] * len(current.drawn), "reason": "x"}
        if any(map(hidden, shoe.waiting[:1])):
            yield dealer, {"command": "draw", "card": card}
            yield (
                dealer,
                {"command": "report", "case": "drawn-together", "drawn": [card] * 2, "order_known": True},
            )


def previews(state: State, twin: State) -> Iterator[tuple[str, object]]:
    """What is asked before something is said: what rulings and other cards would change."""
    current = state.round
    assert current is not None
    unseen = [one.name for table in (state, twin) for one in everything(table) if hidden(one)]
    if current.pending is not None:
        for inputs in ({}, {"reconstructable": False}, {"order": [2, 1]}, {"order": unseen[:2]}):
            yield "consequences", {"inputs": inputs}
    lying = [one.name if one.face_up else None for one in current.drawn]
    for place, card in enumerate((Card("9H"), *unseen)[: len(lying)]):
        yield "wrong-card", {"cards": [*lying[:place], card, *lying[place + 1 :]]}


def everything(state: State) -> tuple[DrawnCard, ...]:
    current, shoe = state.round, state.shoe
    pending = current.pending if current else None
    out = tuple(DrawnCard(name=name) for name in (pending.drawn if pending else ()))
    return (*(current.drawn if current else ()), *(shoe.waiting if shoe else ()), *out)


def body_of(command: AnyCommand) -> dict[str, object]:
    return {name: value for name, value in msgspec.to_builtins(command).items() if name != "by"}


async def looked(
    houses: Houses, table: Twins, twin: Beside, people: Sequence[str], wanted: Iterable[Route]
) -> list[str]:
    """Whatever these people are told at such a moment that is not the same at both tables."""
    name = await houses.opens(table, twin)
    before = houses.one.live(name).version
    found = await houses.goes_on(name, people[0], table, twin)
    if is_told_to_auditors(houses.one.live(name), table, twin):
        people = [who for who in people if not allowed_to_read_logs(who)]
    for who in people[1:]:
        found += await houses.comes_back(name, who, after=before)
    found += await houses.leaks(name, people, wanted)
    one, other = (house.live(name) for house in (houses.one, houses.other))
    if seen_cards(one.table) != seen_cards(other.table):
        found.append("odds are worked out of cards that nobody has seen")
    for address, body in previews(table.state, twin.state):
        for who in [one for one in people if allowed(PEOPLE[one], "staff")][:1]:
            found += await houses.compare(who, f"/api/tables/{name}/{address}", body)
    for who, body in tries(table.state, twin.state, table.chance):
        if who in people:
            found += await houses.compare(who, f"/api/tables/{name}/commands", body)
            if one.version != houses.one.live(name).version:
                break  # it was done, and what follows is another moment
    return found


def is_told_to_auditors(live: Live, table: Twins, twin: Beside) -> bool:
    """Whether the card went out of play unseen, in a round that is over."""
    lying, other = ([one for one in everything(one.state) if hidden(one)] for one in (table, twin))
    over = live.unturned.last < live.table.rounds or live.table.phase in ("settled", "void")
    return lying == other and over


def allowed_to_read_logs(who: str) -> bool:
    return bool(PEOPLE[who]) and allowed(PEOPLE[who], "read-log")


# What is held to it ---------------------------------------------------------------------------------------

BOOKS = (TBC, CBI, MBS, "rws-tiger-buffalo-non-commission-v3", "rws-tiger-buffalo-non-commission-v4")
LOOKS = {TBC: 2, MBS: 2}  # moments of a book, of different sorts; one of the others


@pytest.fixture(scope="module")
def houses() -> Iterator[Houses]:
    with opened() as found:
        yield found


@pytest.fixture(scope="module")
def leaky() -> Iterator[Houses]:
    """Two more, for what is planted: something may stay there."""
    with opened() as found:
        yield found


@contextmanager
def opened() -> Iterator[Houses]:
    with asyncio.Runner() as runner:
        found, over = Houses(runner), asyncio.Event()
        serving = [found.do(house.opens_doors(over)) for house in (found.one, found.other)]
        yield found
        over.set()
        found.do(asyncio.wait(serving))


@pytest.mark.gate("mbs", "rws-commission")
@pytest.mark.parametrize("which", BOOKS)
def test_no_decision_depends_on_a_card_that_nobody_has_seen(which: str) -> None:
    """Nor does what is laid where, what is offered to whom, and what is refused in which words."""
    compared: Counter[str] = Counter()
    for seed in range(4):
        walk = new_walk(which, seed, one_deck=seed > 1)
        for _ in moments(walk, 120):
            pass
        compared += walk.table.compared
    assert {"Rule", "Report", "Choose", "Draw"} <= set(compared)
    assert compared.total() > 200


@pytest.mark.gate("mbs", "rws-commission")
@pytest.mark.parametrize("which", BOOKS)
def test_nobody_is_told_of_a_card_that_nobody_has_seen(houses: Houses, which: str) -> None:
    """Everybody, at every address that tells of tables, over the socket and in refusals."""
    seen, most = set[tuple[object, ...]](), LOOKS.get(which, 1)
    for table, twin in moments(new_walk(which, "service"), 250):
        here = situation(table.state)
        if is_plain(table.state) or here in seen or len(seen) == most:
            continue
        seen.add(here)
        people = [one for one in PEOPLE if one not in holders(table.state, twin.state)]
        assert houses.do(looked(houses, table, twin, people, houses.about_tables)) == [], here
    assert len(seen) == most


def test_nor_where_no_table_is_told_of(houses: Houses) -> None:
    table, twin = next(moments(new_walk(TBC, 0), 60))
    name = houses.do(houses.opens(table, twin))
    assert houses.do(houses.leaks(name, ("administrator-1",), houses.elsewhere)) == []


def went_out_unseen(walk: Played) -> bool:
    """Plays until a round is over in which a card went out of play that nobody has seen."""
    for _ in range(300):
        walk.goes_on()
        current, shoe = walk.state.round, walk.state.shoe
        over = current is not None and current.phase == "settled" and current.pending is None
        if over and shoe is not None and shoe.unturned and not any(map(hidden, everything(walk.state))):
            return True
    return False


def test_an_auditor_reads_all_of_it_when_the_round_is_over(houses: Houses) -> None:
    """The whole log with its hashes, with a card that went out of play unseen."""
    walk = next(filter(went_out_unseen, (new_walk(TBC, f"auditor {seed}") for seed in range(20))))
    walk.table.steps.append(())  # tables are opened up to their last step
    name = houses.do(houses.opens(walk.table, Beside(walk.state, walk.table.steps)))
    stored = houses.one.hall.engine.store.read(name)
    _, _, told = houses.do(houses.one.ask("auditor-1", f"/api/tables/{name}/log"))
    lines = msgspec.json.decode(told)
    assert [(line["hash"], line["event"]) for line in lines] == [
        (record.hash.hex(), msgspec.json.decode(record.body)) for record in stored[: len(lines)]
    ]


def test_who_reads_no_logs_is_told_no_hash_that_such_a_card_is_in(houses: Houses) -> None:
    """The floor reads the round step by step; a hash would tell the card to whoever tries all of them."""
    walk = next(filter(went_out_unseen, (new_walk(TBC, f"floor {seed}") for seed in range(20))))
    walk.table.steps.append(())
    name = houses.do(houses.opens(walk.table, Beside(walk.state, walk.table.steps)))
    for who, told in {"dealer-1": False, "pit-manager-1": False, "shift-manager-1": True}.items():
        _, _, answer = houses.do(houses.one.ask(who, f"/api/tables/{name}/record"))
        steps = msgspec.json.decode(answer)
        assert len(steps) > 1
        assert [bool(step["hash"]) for step in steps] == [told] * len(steps), who


def test_a_name_that_is_right_is_refused_as_one_that_is_wrong() -> None:
    """From an ordinary shoe too, where the dealer has said what came out and nobody else has seen it."""
    staff = {"dealer-1": "dealer", "shift-manager-1": "shift-manager"}
    table, by, drawn = Table(set_up(TBC, staff=staff)), "dealer-1", parse_cards("6D 8C")
    together = commands.Report(by=by, case="drawn-together", drawn=drawn, order_known=False)
    cards = [commands.Draw(by=by, card=card) for card in parse_cards("3S 7D 2H 9C")]
    table.do(commands.NewShoe(by=by), commands.Open(by=by), commands.Close(by=by), *cards, together)
    created = TableCreated(title="A table", dealer="staff", pace=Pace(), live_odds=True)
    with opened() as houses:  # of its own: the others go on with two that are alike
        one, name = houses.one, "ordinary"
        houses.do(one.plays(name, [created, *table.log]))

        def rules(*order: str | int) -> Told:
            body, key = {"command": "rule", "inputs": {"order": order}}, f"rule-{order[0]}"
            answer: Told = houses.do(one.ask("shift-manager-1", f"/api/tables/{name}/commands", body, key))
            return answer

        wrong = rules("9H", "9D")
        assert wrong[0] == 422
        assert rules("8C", "6D") == wrong
        assert rules(2, 1)[0] == 200


PLANTED: dict[str, tuple[str, str, object]] = {
    "/log": ("thirdcard.service.queries.redaction", "covered", lambda *_, **__: False),
    "/heads": ("thirdcard.service.tables.head_signing", "_is_open", lambda _: True),
    "/audit": ("thirdcard.service.queries.redaction", "covered", lambda *_, **__: False),
    "odds": ("thirdcard.service.queries.chances", "seen_counts", lambda state: dict(state.shoe.drawn)),
    "/stream": ("thirdcard.table.view", "_waiting", lambda shoe: tuple(one.name for one in shoe.waiting)),
    "/desk": (
        "thirdcard.service.queries.decisions",
        "came_out",
        lambda _, pending: tuple(DrawnCard(name=one, face_up=True) for one in pending.drawn),
    ),
    "/commands": ("thirdcard.service.tables.plans", "are_turned", lambda *_: False),
    "/why": (
        "thirdcard.service.queries.possible",
        "why",
        lambda state, person, right, **_: [
            Why(person=person, right=right, what="", may=True, because=f"{unseen_cards(state)}")
        ],
    ),
}


@pytest.mark.whole
@pytest.mark.parametrize("where", PLANTED)
def test_a_planted_leak_is_found(leaky: Houses, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """Controls: what one of them lets through is noticed within a few moments of play."""
    module, name, other = PLANTED[where]
    monkeypatch.setattr(sys.modules[module], name, other)
    wanted = [one for one in leaky.about_tables if where in one.path]
    for seed in range(6):
        for table, twin in moments(new_walk(TBC, f"planted {seed}"), 60):
            people = ["auditor-1", "pit-supervisor-1", "dealer-1", "shift-manager-1"]
            if any(where in one for one in leaky.do(looked(leaky, table, twin, people, wanted))):
                return
    raise AssertionError("it was not found")


def test_a_planted_decision_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A control: an outcome that is established by cards which nobody has seen."""
    reporting = sys.modules["thirdcard.table.reported"]
    monkeypatch.setattr(reporting, "as_reported", lambda current, _: current.cards)
    with pytest.raises(Leak):
        _walk_all(20)


def _walk_all(seeds: int) -> None:
    for seed in range(seeds):
        for _ in moments(new_walk(MBS, seed), 120):
            pass


@pytest.mark.skipif(not SOAK_MINUTES, reason="make soak")
def test_soak() -> None:
    """Everybody at every address at every moment."""
    ends, seed = time.monotonic() + 60 * SOAK_MINUTES, 0
    while time.monotonic() < ends:
        seed += 1
        walk = new_walk(BOOKS[seed % len(BOOKS)], f"soak {seed}", one_deck=seed % 3 == 0)
        with opened() as houses:
            for table, twin in moments(walk, 120):
                people = [one for one in PEOPLE if one not in holders(table.state, twin.state)]
                assert houses.do(looked(houses, table, twin, people, houses.about_tables)) == [], seed
                if time.monotonic() > ends:
                    break
