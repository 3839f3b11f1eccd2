"""The HTTP server: uvicorn, with time and size limits on what comes in before a request is complete."""

import asyncio
import contextlib
import gc
import signal
import socket
import sys
from collections import deque
from collections.abc import Callable
from time import thread_time
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.http11 import Request
from websockets.utils import apply_mask

from thirdcard.service.addresses import network_of
from thirdcard.service.api.connections import Connections, room
from thirdcard.service.api.gate import Gate
from thirdcard.service.turns import Caller

REQUEST_SECONDS = 20.0  # for headers and body together, from the first connection or byte on
TAKEN_SECONDS = 20.0  # for the other side to take something of what is sent to it
TAKEN_OPTION = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux has it
MOST_HEADER_BYTES = 32_768
MOST_REQUEST_BYTES = 1_000_000  # with whatever is sent around a body that is small enough
MOST_FRAME_BYTES = 16_384  # of one message over a socket; a hundred bets fit
MOST_PART_BYTES = 4_096  # of requests that are read in one turn of the event loop
MOST_FRAMES_BYTES = 512  # the same of frames, which may have six bytes each
WHOLE, WHOLE_TEXT, MASKED = 0x80, 0x81, 0x80  # in the first byte of a frame, and in the second
SHORT_HEAD, LONG_HEAD, TWO_BYTES = 6, 8, 126  # bytes of a head, and the length that says: two bytes follow
MOST_REST_SECONDS = 1.0  # until frames are read again of somebody who has used up what there is for them
IDLE_SECONDS = 15
GARBAGE = (25_000, 20, 50)  # allocations before the collector looks, and how seldom at what is old
PING_SECONDS = 10.0
SWITCH_SECONDS = 0.0001  # after which slow work lets the event loop go on
SHARE = 4  # of the connections, the part that one network may have at most


class OnePiece:
    """A transport that sends in one piece what is written to it in one turn of the loop.

    The head and the body of an answer, or a change and the answer after it, would each be a call of the system.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._written: list[bytes] = []
        self.is_closing = transport.is_closing

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - all that is not about writing
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._written:
            self._loop.call_soon(self._flush)
        self._written.append(data)

    def write_now(self, data: bytes) -> None:
        self._flush()
        self._transport.write(data)

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._written and not self._transport.is_closing():  # it may have been lost since
            self._transport.writelines(self._written)
        self._written.clear()


class Shared(ServerState):
    """What all connections of a server have in common."""

    def __init__(self, most: int, most_of_one: int) -> None:
        super().__init__()
        self.room = Connections(most, most_of_one)
        self._upgrades: deque[Callable[[], None]] = deque()

    def one_by_one(self, upgrade: Callable[[], None]) -> None:
        """Make sockets of connections, one in each turn of the event loop."""
        self._upgrades.append(upgrade)
        if len(self._upgrades) == 1:
            asyncio.get_running_loop().call_soon(self._upgrade)

    def _upgrade(self) -> None:
        self._upgrades[0]()
        self._upgrades.popleft()
        if self._upgrades:
            asyncio.get_running_loop().call_soon(self._upgrade)


class Guarded(HttpToolsProtocol):
    """A connection that delivers no whole request in time, or headers without end, or takes no answer, is closed."""

    server_state: Shared
    _deadline: asyncio.TimerHandle | None = None
    _bytes = 0  # of a request that is not yet complete
    _in_headers = True
    _rest = b""  # of much that came at once
    _is_socket = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(OnePiece(transport, self.loop))  # type: ignore[arg-type]
        if not self.server_state.room.add(self, network_of(self.client[0]) if self.client else ""):
            transport.abort()
            return
        self._arm()
        if TAKEN_OPTION is not None:  # of the connection itself, so a socket that it becomes has it too
            link = transport.get_extra_info("socket")
            link.setsockopt(socket.IPPROTO_TCP, TAKEN_OPTION, round(TAKEN_SECONDS * 1000))

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        self._rest = b""
        self.server_state.room.remove(self)
        super().connection_lost(exc)

    def drop(self) -> None:
        """Make room for another."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self._rest:
            self._rest += data
            if len(self._rest) > MOST_REQUEST_BYTES:
                self.transport.abort()
            return
        self._take(data[:MOST_PART_BYTES])
        self._rest = b"" if self._is_socket else data[MOST_PART_BYTES:]
        if self._rest:
            self.loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        """Read on in what has come; what is asked before is answered first."""
        if self.pipeline:
            self.loop.call_later(0.01, self._go_on)
        elif self._rest and not self.transport.is_closing():
            data, self._rest = self._rest, b""
            self.data_received(data)

    def _take(self, data: bytes) -> None:
        self._arm()
        self._bytes += len(data)
        super().data_received(data)
        if self._bytes > (MOST_HEADER_BYTES if self._in_headers else MOST_REQUEST_BYTES):
            self.transport.abort()

    def on_message_begin(self) -> None:
        self._in_headers = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_headers = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._bytes = 0
        if self.cycle is None or not self.cycle.response_complete:  # else the next request has what is left
            self._disarm()
            self.server_state.room.asks(self)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete:
            self.server_state.room.waits(self)

    def handle_websocket_upgrade(self) -> None:
        self._disarm()
        self._is_socket = True
        self.server_state.room.asks(self)
        self.transport.pause_reading()
        self.server_state.one_by_one(self._upgrade)

    def _upgrade(self) -> None:
        if not self.transport.is_closing():
            self.server_state.room.remove(self)  # the socket has its place
            self.transport.resume_reading()
            super().handle_websocket_upgrade()

    def _arm(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self._too_slow)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        self.transport.abort()


class Inbox:
    """What a socket was sent and nobody has read yet; a queue of the library would take a few kilobytes."""

    __slots__ = ("_items", "_reader")

    def __init__(self) -> None:
        self._items: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        return not self._items

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for the next."""
        return self._reader is not None and not self._reader.done()

    def put_nowait(self, item: Any) -> None:  # noqa: ANN401
        self._items.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:  # noqa: ANN401
        while not self._items:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        self._reader = None
        return self._items.pop(0)


class Writable:
    """Whether the other side takes what is sent; like an event of the library, which would be as large."""

    __slots__ = ("_until",)

    def __bool__(self) -> bool:
        return self._until is None

    def __init__(self) -> None:
        self._until: asyncio.Future[None] | None = None

    def clear(self) -> None:
        self._until = self._until or asyncio.get_running_loop().create_future()

    def set(self) -> None:
        if self._until is not None and not self._until.done():
            self._until.set_result(None)
        self._until = None

    async def wait(self) -> None:
        while self._until is not None:
            await asyncio.shield(self._until)


def frame_at(data: bytes, at: int) -> tuple[int, int] | None:
    """Where the content of a client's frame begins and ends (RFC 6455, 5.2).

    None if its head is not all there, or says what those of our messages do not.
    """
    length = data[at + 1] - MASKED if at + 1 < len(data) else -1
    begin = at + SHORT_HEAD
    if length == TWO_BYTES and at + LONG_HEAD <= len(data):
        length, begin = int.from_bytes(data[at + 2 : at + 4], "big"), at + LONG_HEAD
    return (
        (begin, begin + length) if length >= 0 and (begin > at + SHORT_HEAD or length < TWO_BYTES) else None
    )


def whole_message(data: bytes) -> str | None:
    """The text of a message that came whole and alone, as nearly all do; None of all else."""
    place = frame_at(data, 0)
    if place is None or data[0] != WHOLE_TEXT or place[1] != len(data):
        return None
    begin = place[0]
    try:
        return apply_mask(data[begin:], data[begin - 4 : begin]).decode()
    except UnicodeDecodeError:
        return None


def lacking(data: bytes, lacked: int | None) -> int | None:
    """How many bytes of a frame are yet to come after these; None from a frame on that is not counted."""
    at = lacked
    while at is not None and at < len(data):
        place = frame_at(data, at)
        at = place[1] if place is not None and data[at] & WHOLE else None
    return None if at is None else at - len(data)


class GuardedSocket(WebSocketsSansIOProtocol):
    """A socket takes as much memory as it needs, and of the event loop no more than its caller may have."""

    _rest = b""  # of much that came at once
    _lacks: int | None = 0  # bytes that the frame begun has yet to get, None where nobody counts them

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: Shared,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._room = server_state.room
        self.queue = self._inbox = Inbox()  # type: ignore[assignment]
        self.writable = Writable()  # type: ignore[assignment]

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401
        super().connection_made(transport)
        self._room.add(self, network_of(self.client[0]) if self.client else "")
        self._room.asks(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._rest = b""
        self._room.remove(self)
        super().connection_lost(exc)

    def drop(self) -> None:
        """A socket waits for nothing."""
        raise AssertionError

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"]["thirdcard.write"] = {"now": self.write_now}

    def start_keepalive(self) -> None:
        """The socket is open: what it was asked for by is of no use any more."""
        del self.request, self.response
        super().start_keepalive()

    def write_now(self, frame: bytes) -> bool:
        """Send a frame that was made for many; False if the other side does not take it at once."""
        if not self.handshake_complete or self.close_sent or self.transport.is_closing() or not self.writable:
            return False
        self.transport.write_now(frame)  # type: ignore[attr-defined]
        return True

    def data_received(self, data: bytes) -> None:
        if self._rest:
            self._rest += data
            if len(self._rest) > MOST_REQUEST_BYTES:
                self.transport.abort()
            return
        if not self.handshake_complete:
            super().data_received(data)
            return
        begin = thread_time()
        text = whole_message(data) if self._lacks == 0 and len(data) <= MOST_FRAMES_BYTES else None
        if text is None or self.close_sent:
            self._rest = data[MOST_FRAMES_BYTES:]
            self._lacks = lacking(data[:MOST_FRAMES_BYTES], self._lacks)
            super().data_received(data[:MOST_FRAMES_BYTES])
        else:
            self._pass_on(text)
        caller = self._caller()
        caller.spend(thread_time() - begin)
        owes = caller.owes()
        if (self._rest or owes) and not self.transport.is_closing():
            self.transport.pause_reading()
            self.loop.call_later(min(owes, MOST_REST_SECONDS), self._go_on)

    def _pass_on(self, text: str) -> None:
        """A message; nothing more is read until somebody has taken it, unless somebody waits for it."""
        awaited = self._inbox.is_awaited
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})
        if not awaited and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _go_on(self) -> None:
        """Read on, unless somebody has yet to read what has come before."""
        if self.transport.is_closing():
            return
        if not self.queue.empty():
            self.loop.call_later(0.01, self._go_on)
            return
        data, self._rest = self._rest, b""
        if data:
            self.data_received(data)
        if not self._rest and not self.read_paused:
            self.transport.resume_reading()

    def _caller(self) -> Caller:
        found: Caller = self.scope["state"]["caller"]
        return found


class Server(uvicorn.Server):
    """Says when it is ready, and leaves signals to whoever runs it."""

    def __init__(self, config: uvicorn.Config, shared: Shared) -> None:
        super().__init__(config)
        self.server_state = shared
        self.ready = asyncio.Event()

    async def startup(self, sockets: Any = None) -> None:  # noqa: ANN401
        await super().startup(sockets)
        # Rules, routes and code stay for good: going through them again and again would hold requests up.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        sys.setswitchinterval(SWITCH_SECONDS)
        self.ready.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Any:  # noqa: ANN401
        mind_signals(self._asked_to_stop)
        try:
            yield
        finally:
            _leave_signals()

    def _asked_to_stop(self, _number: int) -> None:
        self.should_exit = True


SIGNALS = (signal.SIGINT, signal.SIGTERM)


def mind_signals(asked: Callable[[int], None]) -> None:
    """Have the running loop ask that for each signal to stop, in place of whatever was asked before."""
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        try:
            loop.add_signal_handler(number, asked, number)
        except NotImplementedError:  # loops of Windows have none
            signal.signal(number, lambda came, _: loop.call_soon_threadsafe(asked, came) and None)


def _leave_signals() -> None:
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        try:
            loop.remove_signal_handler(number)
        except NotImplementedError:
            signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.default_int_handler)


def run(app: Gate, *, host: str, port: int, proxied: bool = False) -> Server:
    """Serve until asked to stop."""
    made = server(app, host=host, port=port, proxied=proxied)
    with asyncio.Runner(loop_factory=made.config.get_loop_factory()) as runner:
        runner.run(made.serve())
    return made


def server(app: Gate, *, host: str, port: int, proxied: bool = False) -> Server:
    """A server for the app; `proxied` trusts the forwarding headers of a proxy on this machine."""
    most_of_one = 0 if proxied else min(app.limiter.rates.connections, room() // SHARE)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=Guarded,
        ws=GuardedSocket,
        lifespan="on",
        log_config=None,
        log_level="warning",  # in full detail it writes down the headers of sockets, tokens and all
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=proxied,
        forwarded_allow_ips="127.0.0.1,::1",
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=5,
        backlog=1024,
        ws_max_size=MOST_FRAME_BYTES,
        ws_max_queue=8,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,
    )
    return Server(config, Shared(room(), most_of_one))
