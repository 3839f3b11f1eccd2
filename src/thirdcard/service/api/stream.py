"""The WebSocket: one table, every change of it from the version on that the reader has, and what it asks of it."""

import asyncio
import contextlib
import logging
from typing import Annotated

import msgspec
from litestar import websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, QueryParameter

from thirdcard.service.api import bodies, json_bodies
from thirdcard.service.api.access import ANYBODY, hall_of, known, look_up, may_visit, person_of, token_of
from thirdcard.service.api.asking import ASKED, Accepted, decided
from thirdcard.service.api.callers import Callers
from thirdcard.service.api.gate import Limiter
from thirdcard.service.api.problems import Problem, wrong_of
from thirdcard.service.api.windows import CODES, AnySocket, OpenWindow, Windows
from thirdcard.service.log.store.model import Account
from thirdcard.service.people.roles import Person
from thirdcard.service.people.sessions import token_hash
from thirdcard.service.turns import CALLER, Turnstile
from thirdcard.strict import decodable

MOST_HELD_SECONDS = 1.0  # how long a message waits to be told that it was too often
MESSAGE = msgspec.json.Decoder(decodable(bodies.AskedOverSocket))
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
        self._session = token_hash(self._token)
        self._limiter: Limiter = socket.app.state.limiter
        self._callers: Callers = socket.app.state.callers
        self._turnstile: Turnstile = socket.app.state.turnstile
        self._people = hall_of(socket).people
        self._account: Account | None = None
        self._person: Person | None = None

    async def admit(self) -> None:
        """Wait for the turn of another message from there; who sits down meanwhile is a stranger no more."""
        caller = self._callers.known(self._address, self._session)
        CALLER.set(caller)
        self._limiter.admit(caller)
        await self._turnstile.enter(caller)

    async def person(self) -> Person:
        """Whoever is signed in now, unless that is too often."""
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
    hall, windows = hall_of(socket), windows_of(socket)
    person, live = await person_of(socket), hall.table(table)
    window = OpenWindow(person, socket, windows)
    found = live is not None and may_visit(live, person)
    why = windows.refusal(window, table) if found else "no-such-table"
    await socket.accept()
    if why:
        await socket.close(code=CODES[why], reason=why)
        return
    windows.add(window)
    try:
        await hall.join(table, window, after)
        await _listen(socket, table, window)
    finally:
        hall.leave(table, window)
        windows.remove(window)


def windows_of(socket: AnySocket) -> Windows:
    windows: Windows = socket.app.state.windows
    return windows


async def _listen(socket: AnySocket, table: str, window: OpenWindow) -> None:
    """What is asked over the socket, one after the other; the next waits until the last is answered."""
    asker = Asker(socket)
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (message := await socket.receive())["type"] == "websocket.receive":
            answer = await _answer(socket, table, asker, (message.get("text") or "").encode())
            window.put(_encode(answer).decode())


async def _answer(socket: AnySocket, table: str, asker: Asker, text: bytes) -> SocketAnswer:
    """What comes of a message: the same as of a POST with its key and its commands."""
    key = ""
    try:
        try:
            message = json_bodies.decode(text, MESSAGE)
            key = message.key
        finally:
            await asker.admit()  # what cannot be read counts too
        asked = json_bodies.typed(message.ask, ASKED)
        person = await asker.person()
        accepted = await decided(socket, table, person, key=key, asked=asked, text=bytes(message.ask))
    except Exception as error:
        wrong = wrong_of(error)
        if wrong.problem.code == "fault":
            log.exception("fault at a message to %s", table)
        # It may have been found at once: others have their turn before the next.
        await asyncio.sleep(min(wrong.wait, MOST_HELD_SECONDS))
        return SocketAnswer(key=key, problem=wrong.problem)
    return SocketAnswer(key=key, answer=accepted)
