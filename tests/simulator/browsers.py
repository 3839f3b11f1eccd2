"""People and their browsers: they play, deal, rule, lose connections, come back, ask again and try it on.

A window lays every change over what it has, as a page does, and has the referee look at it. What it asks has a
key, and is asked again with that key, here or at another process, until somebody says what came of it.
"""

import asyncio
import itertools
import random
from typing import Any

import msgspec

from simulator.referee import Referee
from simulator.wire import Network, Socket, ask, connect
from simulator.world import Process, World
from thirdcard.service.api.gate import Gate

PASSWORD = "correct horse battery"  # noqa: S105 - of people who live as long as a run
GARBAGE = (b"{", b"[]", b'{"command":"place"}', b'{"command":"fly"}', b'{"command":"join","by":"x"}', b"null")
PATIENCE = 6.0  # seconds before something is asked again
ANSWERED_WITHIN = 40.0  # seconds in which a process that is well answers
WELL_FOR = 20.0  # seconds for which it has been
ENCODE = msgspec.json.Encoder().encode


class Incoming(msgspec.Struct, rename={"since": "from"}):
    """A message of the socket: a view, a change, or an answer."""

    version: int = 0
    since: int | None = None
    view: dict[str, msgspec.Raw] | None = None
    changed: dict[str, msgspec.Raw] | None = None
    you: dict[str, msgspec.Raw] | None = None
    key: str = ""
    answer: msgspec.Raw = msgspec.Raw()
    problem: msgspec.Raw = msgspec.Raw()


READ = msgspec.json.Decoder(Incoming).decode


class Door:
    """The way in: which processes are there, as a load balancer sees it."""

    def __init__(self, world: World, network: Network, referee: Referee) -> None:
        self.world, self.network, self.referee = world, network, referee
        self.gates: dict[str, tuple[Process, Gate]] = {}
        self.calm = False  # nothing is broken any more, and nobody breaks anything

    def pick(self, chance: random.Random) -> tuple[Process, Gate] | None:
        there = [one for one in self.gates.values() if one[0].alive]
        return chance.choice(there) if there else None


class Waiting(msgspec.Struct, kw_only=True):
    """What somebody has asked and has no answer to."""

    actor: str
    key: str
    table: str
    path: str
    body: bytes
    sent: float
    since: float = 0.0  # when it was sent last


class Person:
    """Somebody with a session and a few windows."""

    def __init__(self, door: Door, seed: str, name: str, role: str) -> None:
        self.door, self.role = door, role
        self.name, self.account, self.token = "", name, ""
        self.random = random.Random(f"{seed}/person/{name}")  # noqa: S311 - sample data
        self.address = f"10.0.{self.random.randrange(250)}.{self.random.randrange(250)}"
        self.waiting: dict[str, Waiting] = {}
        self.done: list[Waiting] = []
        self.away = 0.0  # until when nothing is heard of them
        self._keys = itertools.count(1)
        self._coming = asyncio.Lock()

    @property
    def staff(self) -> bool:
        return self.role != "guest"

    async def come_in(self) -> None:
        """As a guest, or by one's account; again and again until it works."""
        async with self._coming:
            await self._come_in()

    async def _come_in(self) -> None:
        while not self.token:
            if self.role == "guest":
                got = await self.request("POST", "/api/guests")
            else:
                body = ENCODE({"name": self.account, "password": PASSWORD})
                got = await self.request("POST", "/api/sessions", body=body)
            if got is not None and got[0] == 201:
                told = msgspec.json.decode(got[1])
                self.name, self.token = told["name"], told["token"]
                self.waiting.clear()
                self.done.clear()
                self.door.referee.say(f"{self.account} comes in as {self.name}")
            else:
                await asyncio.sleep(self.random.uniform(0.5, 2.0))

    async def request(
        self, method: str, path: str, *, key: str = "", body: bytes = b""
    ) -> tuple[int, bytes] | None:
        """Status and body; None if nobody answered in time."""
        to = self.door.pick(self.random)
        if to is None:
            await asyncio.sleep(0.5)
            return None
        sent = ask(
            self.door.network, *to, method, path, token=self.token, address=self.address, key=key, body=body
        )
        try:
            async with asyncio.timeout(PATIENCE):
                got = await sent.answer
        except TimeoutError:
            sent.cut()
            return None
        if got is not None and got[0] == 500:
            self.door.referee.wrong(f"a fault at {method} {path}: {got[1]!r}")
        if got is not None and got[0] == 401 and path != "/api/sessions":
            self.token = ""
        return got

    # Asking with a key

    def key(self) -> str:
        return f"k{next(self._keys)}"

    def new(self, table: str, body: bytes, path: str = "commands") -> Waiting:
        key, now = self.key(), self.door.world.now
        made = Waiting(actor=self.name, key=key, table=table, path=path, body=body, sent=now)
        self.waiting[made.key] = made
        return made

    def note(self, one: Waiting) -> None:
        one.since = self.door.world.now
        self.door.referee.asked(one.actor, one.key, one.table, _digested(one.path, one.body))

    def told(self, one: Waiting, status: int, said: bytes) -> None:
        referee = self.door.referee
        referee.say(f"{one.actor} {one.key} {one.table} {one.body[:80]!r}: {status} {said[:90]!r}")
        referee.answered(one.actor, one.key, _digested(one.path, one.body), status, said)
        if status in (200, 400, 401, 403, 404, 409, 413, 415, 422):
            self.waiting.pop(one.key, None)
            self.done.append(one)
            del self.done[:-20]

    async def post(self, one: Waiting) -> None:
        to = self.door.pick(self.random)
        if to is None:
            return
        self.note(one)
        path = f"/api/tables/{one.table}/{one.path}"
        sent = ask(
            self.door.network,
            *to,
            "POST",
            path,
            token=self.token,
            address=self.address,
            key=one.key,
            body=one.body,
        )
        try:
            async with asyncio.timeout(ANSWERED_WITHIN):
                got = await sent.answer
        except TimeoutError:
            self.unanswered(one, to[0])
            sent.cut()
            return
        if got is not None:
            self.told(one, *got)

    def unanswered(self, one: Waiting, process: Process) -> None:
        """Nothing came for long over a connection that is open: a process that is well should have said something."""
        referee, now = self.door.referee, self.door.world.now
        if referee.health.get(process.name) and now - referee.healthy_since[process.name] > WELL_FOR:
            referee.wrong(f"{process.name} never answered {one.actor} {one.key} {one.body!r}")


def _digested(path: str, body: bytes) -> bytes:
    return body if path == "commands" else path.encode() + b" " + body


class Window:
    """One table in one window of somebody's browser, or of nobody's in particular."""

    def __init__(self, person: Person | None, door: Door, seed: str, table: str, number: int) -> None:
        self.person, self.door, self.table = person, door, table
        who = person.account if person else "nobody"
        self.random = random.Random(f"{seed}/window/{who}/{table}/{number}")  # noqa: S311 - sample data
        self.address = person.address if person else f"10.9.0.{number}"
        self.socket: Socket | None = None
        self.viewer = ""
        self.version = -1
        self.public: dict[str, bytes] = {}
        self.own: dict[str, bytes] = {}
        self.began = False  # whether anything came over this socket
        self.sent: dict[str, tuple[Waiting, float]] = {}  # what was asked over it, and when
        self.since = 0.0
        self.pace = self.random.choice((0.3, 0.8, 2.0))

    # The socket

    def open(self) -> None:
        to = self.door.pick(self.random)
        if to is None:
            return
        keeps = self.version >= 0 and self.random.random() < 0.9
        if not keeps:
            self.version = -1
        self.viewer = self.person.name if self.person else ""
        self.began, self.since = False, self.door.world.now
        self.sent.clear()
        self.socket = connect(
            self.door.network,
            *to,
            self.table,
            after=self.version if keeps else None,
            token=self.person.token if self.person else "",
            address=self.address,
            on_text=self._hear,
            on_end=self._ended,
        )

    def _ended(self, why: str) -> None:
        self.socket = None
        if why == "signed-out" and self.person is not None:
            self.person.token = ""

    def _hear(self, text: str) -> None:
        message = READ(text)
        if message.key or bytes(message.problem):
            self._answer(message)
            return
        if not message.version:  # something that is said besides
            return
        referee = self.door.referee
        if message.view is not None:
            if self.version > message.version and self.socket is not None:
                referee.goes_back(
                    self.table, self.viewer, self.socket.process.name, self.version, message.version
                )
            self.public = {name: bytes(raw) for name, raw in message.view.items()}
            self.own = {}
        else:
            referee.goes_on(self.table, self.viewer, self.version, message.since, message.version)
            self.public = self.public | {name: bytes(raw) for name, raw in (message.changed or {}).items()}
        self.version, self.began = message.version, True
        own = None
        if message.you is not None:
            own = self.own = {name: bytes(raw) for name, raw in message.you.items()}
        staff = bool(self.person and self.person.staff)
        referee.sees(self.table, self.viewer, staff, self.version, text, self.public, own)

    def _answer(self, message: Incoming) -> None:
        assert self.person is not None
        self.sent.pop(message.key, None)
        one = self.person.waiting.get(message.key)
        if one is None:
            return
        said = bytes(message.problem)
        if not said:
            self.person.told(one, 200, bytes(message.answer))
        else:
            self.person.told(one, msgspec.json.decode(said)["status"], said)

    # What is on the page

    def field(self, name: str) -> Any:  # noqa: ANN401
        raw = self.own.get(name, self.public.get(name))
        return msgspec.json.decode(raw) if raw is not None else None

    # Life

    async def live(self) -> None:
        while True:
            if self.person is not None:
                await self._rest(self.person)
            if self.person is not None and not self.person.token:
                await self.person.come_in()
            if self.socket is None:
                self.open()
                await asyncio.sleep(self.random.uniform(0.1, 0.6))
            elif not self.began and self.door.world.now - self.since > PATIENCE:
                self.socket.cut()
            await asyncio.sleep(self.random.expovariate(1 / self.pace))
            if self.person is not None:
                await self._do_something(self.person)
            if not self.door.calm and self.socket is not None and self.random.random() < 0.004:
                self.socket.cut()

    async def _rest(self, person: Person) -> None:
        """Now and then somebody closes all windows and comes back later, after some rounds perhaps."""
        now = self.door.world.now
        if not (self.door.calm or person.staff) and self.random.random() < 0.002:
            person.away = now + self.random.uniform(20, 120)
        if person.away > now:
            if self.socket is not None:
                self.socket.cut()
            await asyncio.sleep(person.away - now)

    async def _do_something(self, person: Person) -> None:
        now = self.door.world.now
        for one, sent in self.sent.values() if self.socket is not None else ():
            if now - sent > ANSWERED_WITHIN and self.socket is not None:
                person.unanswered(one, self.socket.process)
        old = [
            one for one in person.waiting.values() if one.table == self.table and now - one.since > PATIENCE
        ]
        if old:
            await self._send(person, self.random.choice(old))
        elif len(person.waiting) < 4 and self.began and self.viewer == person.name:
            await self._new(person)

    async def _new(self, person: Person) -> None:
        chance = self.random.random()
        if not self.door.calm:
            if chance < 0.01 and person.done:  # an answer that was lost: ask again
                again = self.random.choice(person.done)
                if again.table == self.table:
                    person.waiting[again.key] = again
                    await self._send(person, again)
                return
            if chance < 0.015 and person.done:  # the key of something else
                key = self.random.choice(person.done).key
                other = person.new(self.table, ENCODE({"command": "buy-in", "cents": 77_700}))
                del person.waiting[other.key]
                await self._stray(person, msgspec.structs.replace(other, key=key))
                return
            if chance < 0.02:
                other = person.new(self.table, self.random.choice(GARBAGE))
                del person.waiting[other.key]
                await self._stray(person, other)
                return
        await self._go_about(person, self.staff_wish() if person.staff else self.wish())

    async def _go_about(self, person: Person, wanted: Any) -> None:  # noqa: ANN401
        if wanted == "look":
            await self._from_list(person)
        elif wanted in GRANTS:
            await person.request("POST", f"/api/me/wallet/{wanted}", key=person.key())
        elif isinstance(wanted, tuple) and wanted[0] in WITHOUT_KEY:
            await person.request(WITHOUT_KEY[wanted[0]], f"/api/tables/{self.table}/{wanted[0]}")
        elif isinstance(wanted, tuple):
            await person.post(person.new(self.table, ENCODE(wanted[1]), wanted[0]))
        elif wanted:
            await self._send(person, person.new(self.table, ENCODE(wanted)))

    async def _stray(self, person: Person, one: Waiting) -> None:
        """Something else with a key that was used: its answer is looked at, and that is all."""
        to = self.door.pick(self.random)
        if to is None:
            return
        person.note(one)
        path = f"/api/tables/{one.table}/{one.path}"
        network = self.door.network
        sent = ask(
            network, *to, "POST", path, token=person.token, address=person.address, key=one.key, body=one.body
        )
        got = None
        try:
            async with asyncio.timeout(PATIENCE):
                got = await sent.answer
        except TimeoutError:
            sent.cut()
        if got is not None:
            self.door.referee.answered(one.actor, one.key, one.body, *got)

    async def _send(self, person: Person, one: Waiting) -> None:
        """Over the socket or by POST."""
        if one.path == "commands" and self.socket is not None and self.began and self.random.random() < 0.8:
            person.note(one)
            self.sent.setdefault(one.key, (one, self.door.world.now))
            self.socket.send(f'{{"key":"{one.key}","ask":{one.body.decode()}}}')
        else:
            await person.post(one)

    async def _from_list(self, person: Person) -> None:
        """Anything that the house itself says may be done."""
        got = await person.request("GET", f"/api/tables/{self.table}/legal")
        if got is None or got[0] != 200:
            return
        options = [one for one in msgspec.json.decode(got[1]) if one["command"]["command"] not in TOO_MUCH]
        if not options:
            return
        kinds = sorted({one["command"]["command"] for one in options})
        kind = self.random.choice(kinds)
        option = self.random.choice([one for one in options if one["command"]["command"] == kind])
        command = {name: value for name, value in option["command"].items() if name != "by"}
        if option.get("most") and "cents" in command:
            steps = min(option["most"] - command["cents"], 2_000_00) // option["step"]
            command["cents"] += option["step"] * self.random.randint(0, max(steps, 0))
        if "reason" in command:
            command["reason"] = "it was so"
        await self._send(person, person.new(self.table, ENCODE(command)))

    # What a player wishes

    def wish(self) -> Any:  # noqa: ANN401
        """Nothing, `look`, a grant, a command, several, or a path and a body."""
        pick, me, phase = self.random, self.viewer, self.field("phase")
        racks, chance = self.field("racks") or {}, self.random.random()
        if me not in racks:
            box = pick.choice((None, *range(1, self.field("positions") + 1)))
            return "sit-down", {**self._brings(), **({} if box is None else {"box": box})}
        if chance < 0.03:
            return "look"
        if chance < 0.06 or racks[me] < 50_00:
            return self._about_money(racks[me])
        held = self.field("held_up")
        if held is not None:
            outstanding = held["choices"].get(me) == ""
            return (
                {"command": "choose", "choice": pick.choice(("continue", "return"))} if outstanding else None
            )
        if phase in ("betting", "adjusting"):
            return self._bet(racks[me])
        return self._at_the_cards() if phase == "dealing" else None

    def _brings(self) -> dict[str, Any]:
        """What is usual, a part of what a wallet is opened with, or more than anybody has."""
        pick = self.random
        chance = pick.random()
        if chance < 0.4:
            return {"usual": True}
        return {"cents": 1_00 * (pick.randint(500, 5_000) if chance < 0.9 else pick.randint(10_001, 20_000))}

    def _about_money(self, rack: int) -> Any:  # noqa: ANN401
        pick = self.random
        if rack >= 50_00:
            kind = pick.choice(("buy-in", "cash-out", "leave", "sit"))
        else:  # whoever has nothing left plays on with what the house gives
            kind = pick.choice(("buy-in", *GRANTS))
        if kind in GRANTS:
            return kind
        if kind == "leave":
            return {"command": "leave"}
        if kind == "sit":
            return {"command": "sit", "box": pick.randint(1, self.field("positions"))}
        cents = 1_00 * (pick.randint(100, 3_000) if pick.random() < 0.9 else pick.randint(10_001, 100_000))
        return {"command": kind, "cents": cents if kind == "buy-in" else pick.randint(1, rack)}

    def _bet(self, rack: int) -> Any:  # noqa: ANN401
        pick, bets, seats = self.random, self.field("bets"), sorted(self.field("seats"))

        def one() -> dict[str, Any]:
            cents = pick.choice((*(10_00, 35_00, 50_00, 120_00, 300_00) * 4, rack, 999_999_00, -5, 7))
            bet = pick.choice((*("player", "banker", "tie") * 4, *bets))
            box = int(pick.choice(seats)) if seats and pick.random() < 0.9 else pick.randint(1, 9)
            return {"command": "place", "box": box, "bet": bet, "cents": cents}

        mine = [stake for stake in self.field("stakes") if stake["player"] == self.viewer]
        if mine and pick.random() < 0.25:
            stake = pick.choice(mine)
            return {"command": "take-back", "box": stake["box"], "bet": stake["bet"]}
        if len(mine) > 5:
            return None
        return [one() for _ in range(pick.randint(2, 3))] if pick.random() < 0.1 else one()

    def _at_the_cards(self) -> Any:  # noqa: ANN401
        pick, me = self.random, self.viewer
        cards: list[dict[str, Any]] = self.field("cards")
        wishes: list[dict[str, Any]] = []
        held = [one["place"] for one in cards if one["held_by"] == me and not one["exposed"]]
        if held:
            wishes += [{"command": "expose", "cards": held}, {"command": "expose", "cards": held[:1]}]
            wishes.append({"command": "refuse-cards", "hand": pick.choice(("player", "banker"))})
        for offer in self.field("offers"):
            for box, cap in offer["caps"].items():
                unit = 1_00
                cents = max(unit, pick.randint(0, cap // unit) * unit)
                wishes.append({"command": "insure", "box": int(box), "hand": offer["hand"], "cents": cents})
                wishes.append({"command": "decline"})
        if len(cards) < 6 and pick.random() < 0.1:
            wishes.append({"command": "request-squeeze", "cards": [pick.randint(len(cards) + 1, 6)]})
        return pick.choice(wishes) if wishes else None

    # What staff wish

    def staff_wish(self) -> Any:  # noqa: ANN401
        pick, held, house = self.random, self.field("held_up"), self.field("house")
        wanted: Any = None
        if self.field("amendment") is not None:
            wanted = {"command": "drop-amendment", "reason": "it was right"}
        elif held is not None:
            wanted = self._rule(held)
        elif house["closed"]:
            wanted = ("open", {}) if self.door.calm or pick.random() < 0.3 else None
        elif house["dealer"] == "staff":
            wanted = ("dealer", {}) if pick.random() < 0.02 else self._deal()
        elif not self.door.calm:
            wanted = self._meddle(pick.random())
        return wanted

    @staticmethod
    def _meddle(chance: float) -> Any:  # noqa: ANN401
        """At a table that deals by itself."""
        if chance < 0.01:
            return {"command": "void", "reason": "it had to be"}
        if chance < 0.015:
            return "close", {}
        return "look" if chance < 0.08 else None

    def _rule(self, held: dict[str, Any]) -> Any:  # noqa: ANN401
        """Whatever it takes; to void the round ends everything."""
        pick = self.random
        if "" in held["choices"].values() and pick.random() < 0.7:
            return None
        wishes: list[Any] = [{"command": "rule"}, {"command": "dismiss", "reason": "nothing to it"}]
        inputs = {
            "reason": "so it is",
            "action": pick.choice(("continue", "void", "let-stand", "withdraw-all")),
        }
        wishes += [
            ("rule", {"inputs": inputs}),
            ("rule", {"inputs": {"reconstructable": False, "reason": "no"}}),
        ]
        wishes.append({"command": "void", "reason": "it cannot be put right"})
        return pick.choice(wishes)

    def _deal(self) -> Any:  # noqa: ANN401
        """By hand: cards as they happen to come."""
        pick, phase = self.random, self.field("phase")
        card = pick.choice("A23456789TJQK") + pick.choice("SHDC")
        if phase in ("betting", "adjusting"):
            return {"command": "close"} if pick.random() < 0.2 else None
        if phase == "dealing":
            hidden = [one["place"] for one in self.field("cards") if not one["exposed"]]
            wishes: list[Any] = [{"command": "draw", "card": card}, {"command": "settle"}]
            if hidden:
                wishes.append({"command": "expose", "cards": hidden[:1], "names": [card]})
                wishes.append({"command": "expose", "cards": hidden})
            return pick.choice(wishes)
        return pick.choice(
            ({"command": "open"}, {"command": "new-shoe"})
            if self.field("shoe")
            else ({"command": "new-shoe"},)
        )


WITHOUT_KEY = {"open": "POST", "close": "POST", "dealer": "DELETE"}  # a pit opens and closes, and signs off
GRANTS = ("daily", "fresh-start")  # of play money
TOO_MUCH = frozenset({"change-rulebook", "change-setup", "void", "assign"})
