"""What people ask of a table, by POST or over its socket: one command, or several that are decided together."""

import contextlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Annotated

import msgspec
from litestar import post
from litestar.connection import ASGIConnection
from litestar.params import FromPath, HeaderParameter, JSONBody
from litestar.types import ASGIApp, Receive, Scope, Send

from thirdcard.errors import BadInput
from thirdcard.service.addresses import network_of
from thirdcard.service.api import bodies
from thirdcard.service.api.access import (
    AnyRequest,
    AtTable,
    Connection,
    check,
    hall_of,
    need_person,
    needs,
    table_of,
)
from thirdcard.service.api.gate import header
from thirdcard.service.api.problems import Wrong
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import away, plans
from thirdcard.service.tables.away import KeptChips
from thirdcard.service.tables.engine import Answer
from thirdcard.service.tables.hall import Hall
from thirdcard.strict import decodable
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand
from thirdcard.words.saying import say

Key = Annotated[
    str, HeaderParameter(name="Idempotency-Key", min_length=1, max_length=64, pattern=bodies.KEY_PATTERN)
]

KEY = re.compile(r"[!-~]{1,64}")
ASKED = msgspec.json.Decoder(decodable(bodies.Asked))
FOR_OTHERS = (commands.Place, commands.Insure, commands.BuyIn, commands.Sit)
_encode = msgspec.json.Encoder().encode


class Seats:
    """Knows who sat down at this process, and on whose account; `most` of 0 is no limit."""

    def __init__(self, hall: Hall, most: int) -> None:
        self._hall, self._most = hall, most
        self._whose: dict[str, str] = {}  # by who has a seat, or has asked for one
        self._asked = Counter[str]()  # seats that are being asked for

    @contextlib.contextmanager
    def asked_for(self, table: str, person: Person, connection: Connection) -> Iterator[None]:
        """For the time that a seat is asked for; ends the request if there are as many as there may be.

        Who has a seat at the table changes it.
        """
        moves = person.name in self._hall.engine.tables[table].table.seats.values()
        if not self._most or moves:
            yield
            return
        host = connection.client.host if connection.client else ""
        whose = f"guests:{network_of(host)}" if person.role == "guest" else person.name
        if self._taken(whose) + self._asked[whose] >= self._most:
            who = say("guests-of-one-address" if person.role == "guest" else "players")
            raise Wrong(429, "too-many", say("too-many-seats", who=who, most=self._most))
        self._whose[person.name] = whose
        self._asked[whose] += 1
        try:
            yield
        finally:
            self._asked[whose] -= 1
            if not self._asked[whose]:
                del self._asked[whose]

    def _taken(self, whose: str) -> int:
        """Seats on one account; who has none any more, and asks for none, is forgotten."""
        seated = Counter(who for live in self._hall.tables().values() for who in live.table.seats.values())
        self._whose = {
            who: account for who, account in self._whose.items() if who in seated or account in self._asked
        }
        return sum(count for who, count in seated.items() if self._whose.get(who, who) == whose)


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """It is done and durable; `version` is that of the table's log after it, `events` what happened."""

    version: int
    events: tuple[str, ...]


def accepted(answer: Answer, asker: str = "") -> Accepted:
    """The answer as it goes out; a refusal ends the request with its problem, told to who asked."""
    no = answer.refusal
    if no is not None:
        raise Wrong(422, no.code, no.said, tuple(no.rules), index=answer.index, asker=asker)
    return Accepted(version=answer.version, events=answer.events)


async def decided(  # noqa: PLR0913 - what a request holds
    connection: Connection,
    hall: Hall,
    table: str,
    person: Person,
    *,
    key: str,
    asked: bodies.Asked,
    text: bytes,
) -> Accepted:
    """What comes of what somebody asks, all of it or nothing; each command counts against how often one may.

    The request itself has been counted as one. `text` is what was asked as it was sent.
    """
    table_of(hall, table, person)
    each = asked if isinstance(asked, list) else [asked]
    for _ in each[1:]:
        connection.app.state.limiter.check("person", person.name)
    wanted = [bodies.command_of(one, person.name) for one in each]
    joins = next((one.player or one.by for one in wanted if isinstance(one, commands.Join)), "")
    plan = plans.by_person(person, *wanted, kept=await hall.kept(table, joins) if joins else KeptChips())
    seats = any(isinstance(one, commands.Sit) and not one.player for one in wanted)
    with _seat(connection, table, person, wanted=seats):
        answer = await hall.ask(table, plan, person, key=key, asked=text, players=players_of(wanted))
        return accepted(answer, person.name)


def players_of(wanted: Iterable[AnyCommand]) -> set[str]:
    """Others whose chips staff mean to lay, or whom they mean to let play."""
    return {one.player for one in wanted if isinstance(one, FOR_OTHERS) and one.player}


def _seat(
    connection: Connection, table: str, person: Person, *, wanted: bool
) -> AbstractContextManager[None]:
    """For the time that a seat is asked for, if one is."""
    seats: Seats = connection.app.state.seats
    return seats.asked_for(table, person, connection) if wanted else nullcontext()


class AnsweredAtOnce:
    """Reads and answers a POST of commands itself.

    Litestar's way of parameters, body and answer would take longer than all that is done with a bet.
    """

    def __init__(self, app: ASGIApp) -> None:
        """The app that would go on from here has nothing to add."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection: Connection = ASGIConnection(scope, receive)
        await check(connection, scope["route_handler"].opt.get("needs"), body=True)
        key = header(scope, b"idempotency-key")
        if not KEY.fullmatch(key):
            raise Wrong(400, "the-request-cannot-be-read", say("no-idempotency-key"))
        text = await _body(scope, receive)
        asked = bodies.decode(text, ASKED)
        person, table = await need_person(connection), scope["path_params"]["table"]
        hall = hall_of(connection)
        answer = _encode(await decided(connection, hall, table, person, key=key, asked=asked, text=text))
        size = str(len(answer)).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", size)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer, "more_body": False})


async def _body(scope: Scope, receive: Receive) -> bytes:
    """All of it, unless it is too large."""
    text, size, more = b"", int(header(scope, b"content-length") or 0), True
    while more and max(size, len(text)) <= bodies.MOST_BYTES:
        message = await receive()
        if message["type"] != "http.request":
            raise Wrong(400, "the-request-cannot-be-read", say("body-broke-off"))
        text += message["body"]
        more = message["more_body"]
    if max(size, len(text)) > bodies.MOST_BYTES:
        raise Wrong(413, "too-large", say("body-too-large", most_bytes=bodies.MOST_BYTES))
    return text


@post("/tables/{table:str}/commands", opt=needs(None), status_code=200, middleware=[AnsweredAtOnce], **bodies.takes(bodies.Asked), summary="Ask something of a table: a command, or a list that is done whole or not at all")  # fmt: skip
async def command(table: FromPath[str], key: Key, data: JSONBody[bodies.Asked]) -> Accepted:
    """Done once however often it is asked with the same key; 422 with code, sentence and paragraphs if refused."""
    raise NotImplementedError  # it says what is read and answered; what does so is AnsweredAtOnce


@post("/tables/{table:str}/sit-down", opt=needs("play"), status_code=200, **bodies.takes(bodies.SitDown), summary="Join with play money and take a seat")  # fmt: skip
async def sit_down(request: AnyRequest, at: AtTable, key: Key, data: JSONBody[bodies.SitDown]) -> Accepted:
    hall, person, table = at.hall, at.person, at.live.id
    text = b"sit-down " + await request.body()
    if data.usual and data.cents:
        raise BadInput(say("say-cents"))
    purse = hall.engine.purse if data.usual else None
    kept = await hall.kept(table, person.name)
    plan = plans.sit_down(person, data.box, data.cents, kept, purse=purse)
    with _seat(request, table, person, wanted=data.box is not None):
        return accepted(await hall.ask(table, plan, person, key=key, asked=text), person.name)


@post("/tables/{table:str}/leave", opt=needs("play"), status_code=200, summary="Leave the table: the seat is free, your rack goes into your wallet")  # fmt: skip
async def leave(at: AtTable, key: Key) -> Accepted:
    """What lies on the layout is settled, and follows into the wallet when you have been away for some rounds."""
    plan = plans.leave(at.person)
    answer = await at.hall.ask(at.live.id, plan, at.person, key=key, asked=b"leave")
    return accepted(answer, at.person.name)


@post("/tables/{table:str}/seeds", opt=needs("play"), status_code=200, **bodies.takes(bodies.AddSeed), summary="Add a seed to the shoe that comes next")  # fmt: skip
async def add_seed(request: AnyRequest, at: AtTable, key: Key, data: JSONBody[bodies.AddSeed]) -> Accepted:
    """By who has a seat; a second seed takes the place of the first, until the shoe is sealed."""
    plan, asked = plans.add_seed(at.person, data.seed), b"seeds " + await request.body()
    return accepted(await at.hall.ask(at.live.id, plan, at.person, key=key, asked=asked))


@post("/tables/{table:str}/ready", opt=needs("play"), status_code=200, **bodies.takes(bodies.SayReady), summary="Say that you need no more time to bet, or that you do")  # fmt: skip
async def say_ready(request: AnyRequest, at: AtTable, key: Key, data: JSONBody[bodies.SayReady]) -> Accepted:
    """By who has bet at an automatic table; once all who bet are ready, bets are closed."""
    plan, asked = away.say_ready(at.person, ready=data.ready), b"ready " + await request.body()
    return accepted(await at.hall.ask(at.live.id, plan, at.person, key=key, asked=asked))
