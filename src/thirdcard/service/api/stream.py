"""The WebSocket: one table, every change of it from the version on that the reader has, and what it asks of it.

`Windows` are all open sockets: how many there may be and of whom, what goes out over them, when they end.
"""

import asyncio
import contextlib
import logging
from collections import Counter, deque
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, QueryParameter

from thirdcard.service.api import bodies
from thirdcard.service.api.access import ANYBODY, hall_of, known, look_up, may_visit, person_of, token_of
from thirdcard.service.api.asking import ASKED, Accepted, decided
from thirdcard.service.api.connections import room
from thirdcard.service.api.gate import Callers, Limiter, Rates, language_of
from thirdcard.service.api.problems import Problem, wrong_of
from thirdcard.service.log.store.model import Account, StoreDown
from thirdcard.service.people.roles import Person, seen_as
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.publish import Reader
from thirdcard.service.turns import CALLER, Caller, Turnstile
from thirdcard.strict import decodable

MOST_WINDOWS = 12_500  # in one process
STRANGERS = 0.8  # the part that strangers may have; the others are kept back for those who have a place here
MOST_OF_ONE = 20  # windows of one person at one table
SEATED_TIMES = 2  # as many as strangers may those have who sit at tables, at one address
SENT_AT_ONCE = 32  # windows of those who only watch, in one turn of the event loop
LOOK_SECONDS = 5.0  # how often the sessions of open windows are looked at
CODES = {"slow": 4008, "stopping": 1012, "signed-out": 4001, "busy": 4013, "no-such-table": 4004}

AnySocket = WebSocket[Any, Any, Any]


class OpenWindow(Reader):
    """A socket that shows a table to somebody."""

    __slots__ = ("_windows", "caller", "sending", "socket", "token", "write_now")

    def __init__(self, person: Person | None, socket: AnySocket, windows: "Windows") -> None:
        name, session = (person.name, person.session) if person else ("", b"")
        super().__init__(
            name,
            session,
            sees_as=seen_as(person),
            role=person.role if person else "",
            language=language_of(socket),
        )
        self.socket, self._windows = socket, windows
        self.token = token_of(socket) if person else ""
        self.caller = CALLER.get() or Caller("")
        self.sending = False
        extensions: Mapping[str, Any] = socket.scope.get("extensions") or {}
        self.write_now: Callable[[bytes], bool] | None = extensions.get("thirdcard.write", {}).get("now")

    def wake(self) -> None:
        if not self.sending:
            self.sending = True
            self._windows.due(self)


class Windows:
    def __init__(self, hall: Hall, rates: Rates) -> None:
        self._hall, self._rates = hall, rates
        self._most = min(MOST_WINDOWS, room() * 9 // 10)
        self._open: set[OpenWindow] = set()
        self._by_place: Counter[str] = Counter()
        self._by_name: Counter[str] = Counter()
        self._strangers = 0
        self._at_tables: list[OpenWindow] = []
        self._due: deque[OpenWindow] = deque()
        self._turning = False
        self._framed: tuple[str, bytes] = "", b""
        self._tasks: set[asyncio.Task[None]] = set()

    # How many -----------------------------------------------------------------------------------------------

    def refusal(self, window: OpenWindow, table: str) -> str:
        """Why there is no room for another, if so."""
        caller, name, rates = window.caller, window.viewer, self._rates
        stranger = caller.standing == "stranger"
        mine = [reader for reader in self._hall.channels[table].readers if name and reader.viewer == name]
        most = rates.sockets * (1 if stranger else SEATED_TIMES)
        full = (
            len(self._open) >= self._most
            or (stranger and self._strangers >= self._most * STRANGERS)
            or len(mine) >= MOST_OF_ONE
            or (rates.own_sockets and self._by_name[name] >= rates.own_sockets)
            or (most and self._by_place[caller.place] >= most)
        )
        return "busy" if full else ""

    def add(self, window: OpenWindow) -> None:
        self._open.add(window)
        self._count(window, 1)

    def remove(self, window: OpenWindow) -> None:
        """It is closed: nothing goes out any more."""
        window.sending = True
        window.end("gone")
        self._open.discard(window)
        self._count(window, -1)

    def _count(self, window: OpenWindow, by: int) -> None:
        self._strangers += by * (window.caller.standing == "stranger")
        for counter, key in ((self._by_place, window.caller.place), (self._by_name, window.viewer)):
            if key:
                counter[key] += by
                if not counter[key]:
                    del counter[key]

    # What goes out ------------------------------------------------------------------------------------------

    def due(self, window: OpenWindow) -> None:
        """Something waits to be sent: in a moment to people at the table, to others a few in each turn of the loop."""
        if window.at_table:
            self._at_tables.append(window)
            if len(self._at_tables) == 1:
                asyncio.get_running_loop().call_soon(self._soon)
            return
        self._due.append(window)
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _soon(self) -> None:
        """In the next turn, so that an answer leaves with its change."""
        asyncio.get_running_loop().call_soon(self._turn_of_tables)

    def _turn_of_tables(self) -> None:
        windows, self._at_tables = self._at_tables, []
        for window in windows:
            self._pass_on(window)

    def _turn(self) -> None:
        for _ in range(min(SENT_AT_ONCE, len(self._due))):
            self._pass_on(self._due.popleft())
        self._turning = bool(self._due)
        if self._turning:
            asyncio.get_running_loop().call_soon(self._turn)

    def _pass_on(self, window: OpenWindow) -> None:
        """All that waits goes out in one piece; who does not take it at once is waited for."""
        write, texts = window.write_now, [text for text in window.outbox if text is not None]
        if write is None or len(texts) < len(window.outbox) or not write(b"".join(map(self._frame, texts))):
            self._send(window)
            return
        window.outbox.clear()
        window.sending = False

    def _frame(self, text: str) -> bytes:
        """What is the same for many is made a frame once."""
        if text is not self._framed[0]:
            self._framed = text, framed(text)
        return self._framed[1]

    def _send(self, window: OpenWindow) -> None:
        task = asyncio.create_task(_sent(window))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # When they end ------------------------------------------------------------------------------------------

    async def mind(self) -> None:
        """End windows with the sessions that they were opened by."""
        people, reading = self._hall.people, self._hall.engine.reading
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for token in {window.token for window in self._open if window.token}:
                with contextlib.suppress(StoreDown):  # the next look may do better
                    account = people.at_hand(token, active=False)
                    if account is None and await reading(people.who, token, active=False) is None:
                        self._end(token)

    def _end(self, token: str) -> None:
        for window in [window for window in self._open if window.token == token]:
            window.end("signed-out")


def framed(text: str) -> bytes:
    """A text as a frame of a WebSocket, as a server sends it (RFC 6455, 5.2)."""
    body = text.encode()
    size = len(body)
    if size < 126:  # noqa: PLR2004
        head = bytes((0x81, size))
    elif size < 2**16:
        head = b"\x81\x7e" + size.to_bytes(2, "big")
    else:
        head = b"\x81\x7f" + size.to_bytes(8, "big")
    return head + body


async def _sent(window: OpenWindow) -> None:
    """All that waits goes out; the end of it closes the socket."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        while window.outbox:
            text = window.outbox.pop(0)
            if text is None:
                await window.socket.close(code=CODES.get(window.why, 1000), reason=window.why)
                return
            await window.socket.send({"type": "websocket.send", "bytes": None, "text": text})
        window.sending = False


# One socket -------------------------------------------------------------------------------------------


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
    """Who asks over a socket; its session and address are read once."""

    def __init__(self, socket: AnySocket) -> None:
        self._socket = socket
        self._address = socket.client.host if socket.client else ""
        self._limiter: Limiter = socket.app.state.limiter
        self._callers: Callers = socket.app.state.callers
        self._turnstile: Turnstile = socket.app.state.turnstile
        self.hall = hall_of(socket)
        self._people = self.hall.people
        self._session = self._people.session_of(token_of(socket))
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
        account = self._people.held(self._session)
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
            message = bodies.decode(text, MESSAGE)
            key = message.key
        finally:
            await asker.admit()  # what cannot be read counts too
        asked = bodies.typed(message.ask, ASKED)
        person = await asker.person()
        text = bytes(message.ask)
        accepted = await decided(socket, asker.hall, table, person, key=key, asked=asked, text=text)
    except Exception as error:
        wrong = wrong_of(error)
        if wrong.problem.code == "fault":
            log.exception("fault at a message to %s", table)
        # It may have been found at once: others have their turn before the next.
        await asyncio.sleep(min(wrong.wait, MOST_HELD_SECONDS))
        return SocketAnswer(key=key, problem=wrong.problem)
    return SocketAnswer(key=key, answer=accepted)
