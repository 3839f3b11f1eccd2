"""The HTTP server: uvicorn, with time and size limits on what comes in before a request is complete."""

import asyncio
import contextlib
import gc
import signal
import socket
from typing import Any

import uvicorn
import uvloop
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_SECONDS = 20.0  # for headers and body together, from the first connection or byte on
TAKEN_SECONDS = 20.0  # for the other side to take something of what is sent to it
TAKEN_OPTION = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux has it
MOST_HEADER_BYTES = 32_768
MOST_REQUEST_BYTES = 1_000_000  # with whatever is sent around a body that is small enough
MOST_FRAME_BYTES = 16_384  # of one message over a socket; a hundred bets fit
IDLE_SECONDS = 15
GARBAGE = (25_000, 20, 50)  # allocations before the collector looks, and how seldom at what is old
PING_SECONDS = 10.0


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

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._written:
            self._transport.write(b"".join(self._written))
            self._written.clear()


class Guarded(HttpToolsProtocol):
    """A connection that delivers no whole request in time, or headers without end, or takes no answer, is closed."""

    _deadline: asyncio.TimerHandle | None = None
    _bytes = 0  # of a request that is not yet complete
    _in_headers = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(OnePiece(transport, self.loop))  # type: ignore[arg-type]
        self._arm()
        if TAKEN_OPTION is not None:  # of the connection itself, so a socket that it becomes has it too
            link = transport.get_extra_info("socket")
            link.setsockopt(socket.IPPROTO_TCP, TAKEN_OPTION, round(TAKEN_SECONDS * 1000))

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
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
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._disarm()
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


class Server(uvicorn.Server):
    """Says when it is ready, and leaves signals to whoever runs it."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: Any = None) -> None:  # noqa: ANN401
        await super().startup(sockets)
        # Rules, routes and code stay for good: going through them again and again would hold requests up.
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        self.ready.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Any:  # noqa: ANN401
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._asked_to_stop)
        try:
            yield
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)

    def _asked_to_stop(self) -> None:
        self.should_exit = True


def run(app: Any, *, host: str, port: int, proxied: bool = False) -> Server:  # noqa: ANN401
    """Serve until asked to stop."""
    made = server(app, host=host, port=port, proxied=proxied)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(made.serve())
    return made


def server(app: Any, *, host: str, port: int, proxied: bool = False) -> Server:  # noqa: ANN401
    """A server for the app; `proxied` trusts the forwarding headers of a proxy on this machine."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=Guarded,
        ws="websockets-sansio",
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
    return Server(config)
