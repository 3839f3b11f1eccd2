"""The WebSocket: one table, every change of it from the version on that the reader has, and what it asks of it."""

import asyncio
import contextlib
import logging
from typing import Annotated, Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, QueryParameter

from thirdcard.service.api import bodies, json_bodies
from thirdcard.service.api.access import ANYBODY, hall_of, known, look_up, person_of, token_of
from thirdcard.service.api.asking import ASKED, Accepted, decided
from thirdcard.service.api.gate import Limiter
from thirdcard.service.api.problems import Problem, wrong_of
from thirdcard.service.log.store.model import Account
from thirdcard.service.people.roles import Person
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.publish import Reader

MOST_READERS = 5_000  # in one process
MOST_OF_ONE = 20  # windows of one person at one table
LOOK_SECONDS = 5.0  # how often an open socket's session is looked at
CODES = {"slow": 4008, "stopping": 1012, "signed-out": 4001, "busy": 4013, "no-such-table": 4004}

AnySocket = WebSocket[Any, Any, Any]
MESSAGE = msgspec.json.Decoder(bodies.AskedOverSocket)
_encode = msgspec.json.Encoder().encode
log = logging.getLogger("thirdcard")


class SocketAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of the message with that key; no key if the message could not be read."""

    key: str = ""
    answer: Accepted | None = None
    problem: Problem | None = None


class Asker:
    """Who asks over a socket; its token and address are read once."""

    def __init__(self, socket: AnySocket) -> None:
        self._socket, self._token = socket, token_of(socket)
        self._address = socket.client.host if socket.client else ""
        self._limiter: Limiter = socket.app.state.limiter
        self._people = hall_of(socket).people
        self._account: Account | None = None
        self._person: Person | None = None

    async def person(self) -> Person:
        """Whoever is signed in now, unless that is too often."""
        self._limiter.check("address", self._address)
        account = self._people.at_hand(self._token)
        if account is None or account is not self._account:
            self._account, self._person = account, await look_up(self._socket)
        person = known(self._person)
        self._limiter.check("person", person.name)
        return person


@websocket("/tables/{table:str}/stream", opt=ANYBODY)
async def stream(
    socket: AnySocket,
    table: FromPath[str],
    after: Annotated[int | None, QueryParameter(ge=0, le=2**53)] = None,
) -> None:
    """`?after=VERSION` goes on where an earlier connection ended."""
    hall = hall_of(socket)
    person = await person_of(socket)
    reader = Reader(person.name if person else "", person.session if person else b"")
    why = _refusal(hall, table, reader)
    await socket.accept()
    if why:
        await socket.close(code=CODES[why], reason=why)
        return
    await hall.join(table, reader, after)
    sender = asyncio.create_task(_send(socket, reader))
    minder = asyncio.create_task(_mind(socket, hall, reader))
    try:
        await _listen(socket, table, reader)
    finally:
        hall.leave(table, reader)
        reader.end("gone")
        for task in (sender, minder):
            task.cancel()
        await asyncio.gather(sender, minder, return_exceptions=True)


def _refusal(hall: Hall, table: str, reader: Reader) -> str:
    if hall.table(table) is None:
        return "no-such-table"
    if sum(len(channel.readers) for channel in hall.channels.values()) >= MOST_READERS:
        return "busy"
    mine = [one for one in hall.channels[table].readers if reader.viewer and one.viewer == reader.viewer]
    return "busy" if len(mine) >= MOST_OF_ONE else ""


async def _send(socket: AnySocket, reader: Reader) -> None:
    """All that waits goes out; the end of it closes the socket."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        while (text := await _next(reader.outbox)) is not None:
            await socket.send({"type": "websocket.send", "bytes": None, "text": text})
        await socket.close(code=CODES.get(reader.why, 1000), reason=reader.why)


async def _next(outbox: asyncio.Queue[str | None]) -> str | None:
    """What goes out next; whoever waits for it waits a turn longer, so that an answer leaves with its change."""
    if not outbox.empty():
        return outbox.get_nowait()
    text = await outbox.get()
    await asyncio.sleep(0)
    return text


async def _mind(socket: AnySocket, hall: Hall, reader: Reader) -> None:
    """End the socket with the session it was opened by."""
    token = token_of(socket)
    while reader.viewer:
        await asyncio.sleep(LOOK_SECONDS)
        account = hall.people.at_hand(token, active=False)
        if account is None and await asyncio.to_thread(hall.people.who, token, active=False) is None:
            reader.end("signed-out")
            return


async def _listen(socket: AnySocket, table: str, reader: Reader) -> None:
    """What is asked over the socket, one after the other; the next waits until the last is answered."""
    asker = Asker(socket)
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (message := await socket.receive())["type"] == "websocket.receive":
            answer = await _answer(socket, table, asker, (message.get("text") or "").encode())
            reader.put(_encode(answer).decode())


async def _answer(socket: AnySocket, table: str, asker: Asker, text: bytes) -> SocketAnswer:
    """What comes of a message: the same as of a POST with its key and its commands."""
    key = ""
    try:
        message = json_bodies.decode(text, MESSAGE)
        key = message.key
        asked = json_bodies.typed(message.ask, ASKED)
        person = await asker.person()
        accepted = await decided(socket, table, person, key=key, asked=asked, text=bytes(message.ask))
    except Exception as error:
        wrong = wrong_of(error)
        if wrong.problem.code == "fault":
            log.exception("fault at a message to %s", table)
        await asyncio.sleep(0)  # it may have been found at once: others have their turn before the next
        return SocketAnswer(key=key, problem=wrong.problem)
    return SocketAnswer(key=key, answer=accepted)
