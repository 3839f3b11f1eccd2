"""Between a browser and a process: requests and sockets that take a while, break, and lose what is under way."""

import asyncio
import random
from collections import deque
from collections.abc import Callable, MutableMapping
from typing import Any

from simulator.world import Process, World
from thirdcard.service.api.gate import Gate

Message = MutableMapping[str, Any]


class Network:
    """How long everything takes, and everything that is open."""

    def __init__(self, world: World, seed: str) -> None:
        self.world = world
        self.random = random.Random(f"{seed}/network")  # noqa: S311 - sample data
        self.open: list[Socket | Request] = []

    def delay(self) -> float:
        return self.random.uniform(0.002, 0.04)

    def later(self, at: float, call: Callable[..., object], *args: object) -> None:
        if self.world.outside.alive:
            self.world.call_at(at, call, *args, context=self.world.outside.context())

    def lose(self, process: Process) -> None:
        """All that was open to a process ends with it."""
        for one in [one for one in self.open if one.process is process]:
            one.cut()

    def cut_some(self, share: float) -> None:
        for one in list(self.open):
            if self.random.random() < share:
                one.cut()


def _scope(  # noqa: PLR0913 - a request's parts
    kind: str, path: str, *, query: str = "", token: str, address: str, extra: list[tuple[bytes, bytes]]
) -> Message:
    headers = [(b"host", b"localhost"), *extra]
    if token:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": headers,
        "client": (address, 40_000),
        "server": ("localhost", 8000),
        "state": {},
        "subprotocols": [],
        "extensions": {},
    }


class Request:
    """One HTTP request. `answer` is status and body; None if the connection was lost first."""

    def __init__(self, network: Network, process: Process) -> None:
        self.network, self.process = network, process
        self.answer: asyncio.Future[tuple[int, bytes] | None] = network.world.create_future()
        self._status, self._body, self._asked = 0, b"", b""
        self._read = False
        network.open.append(self)

    def begin(self, gate: Gate, scope: Message, body: bytes) -> None:
        self._asked = body
        self.network.later(self.network.world.now + self.network.delay(), self._arrive, gate, scope)

    def _arrive(self, gate: Gate, scope: Message) -> None:
        if self.process.alive:
            self.process.spawn(gate(scope, self._receive, self._send))
        else:
            self.cut()

    async def _receive(self) -> Message:
        if self._read:
            await asyncio.Event().wait()
        self._read = True
        return {"type": "http.request", "body": self._asked, "more_body": False}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
        elif message["type"] == "http.response.body":
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                network = self.network
                network.later(network.world.now + network.delay(), self._end, (self._status, self._body))

    def _end(self, answer: tuple[int, bytes] | None) -> None:
        if self in self.network.open:
            self.network.open.remove(self)
        if not self.answer.done():
            self.answer.set_result(answer)

    def cut(self) -> None:
        self._end(None)


class Socket:
    """One WebSocket. `on_text` hears what comes, in order; `on_end` once that nothing more does."""

    def __init__(
        self,
        network: Network,
        process: Process,
        *,
        on_text: Callable[[str], None],
        on_end: Callable[[str], None],
    ) -> None:
        self.network, self.process = network, process
        self.on_text, self.on_end = on_text, on_end
        self.accepted = self.ended = False
        self.table, self.opened = "", network.world.now
        self._in: deque[Message] = deque()
        self._waiting: asyncio.Future[None] | None = None
        self._last_in = self._last_out = 0.0
        network.open.append(self)

    def begin(self, gate: Gate, scope: Message) -> None:
        self.network.later(self.network.world.now + self.network.delay(), self._arrive, gate, scope)

    def _arrive(self, gate: Gate, scope: Message) -> None:
        if not self.process.alive or self.ended:
            self.cut()
            return
        self._in.append({"type": "websocket.connect"})
        self.process.spawn(gate(scope, self._receive, self._send))

    # The process's end

    async def _receive(self) -> Message:
        while not self._in:
            self._waiting = self.network.world.create_future()
            await self._waiting
        return self._in.popleft()

    def _put(self, message: Message) -> None:
        self._in.append(message)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def _send(self, message: Message) -> None:
        if self.ended:
            raise OSError("the connection is gone")
        self._last_out = max(self._last_out + 1e-6, self.network.world.now + self.network.delay())
        self.network.later(self._last_out, self._come, message)

    # The browser's end

    def _come(self, message: Message) -> None:
        if self.ended:
            return
        if message["type"] == "websocket.accept":
            self.accepted = True
        elif message["type"] == "websocket.send":
            self.on_text(message["text"])
        else:
            self._end(message.get("reason") or "closed")

    def send(self, text: str) -> None:
        if not self.ended:
            self._last_in = max(self._last_in + 1e-6, self.network.world.now + self.network.delay())
            self.network.later(
                self._last_in, self._put, {"type": "websocket.receive", "text": text, "bytes": None}
            )

    def _end(self, why: str) -> None:
        if not self.ended:
            self.ended = True
            if self in self.network.open:
                self.network.open.remove(self)
            self.on_end(why)

    def cut(self) -> None:
        """The connection breaks: what is under way is lost, and the process hears of it later."""
        late = self.network.random.uniform(0.0, 2.0)
        self.network.later(
            self.network.world.now + late, self._put, {"type": "websocket.disconnect", "code": 1006}
        )
        self._end("lost")


def ask(  # noqa: PLR0913 - a request's parts
    network: Network,
    process: Process,
    gate: Gate,
    method: str,
    path: str,
    *,
    token: str = "",
    address: str = "10.0.0.1",
    key: str = "",
    body: bytes = b"",
) -> Request:
    made = Request(network, process)
    extra = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if key:
        extra.append((b"idempotency-key", key.encode()))
    scope = _scope("http", path, token=token, address=address, extra=extra)
    scope["method"] = method
    made.begin(gate, scope, body)
    return made


def connect(  # noqa: PLR0913
    network: Network,
    process: Process,
    gate: Gate,
    table: str,
    *,
    after: int | None,
    token: str,
    address: str,
    on_text: Callable[[str], None],
    on_end: Callable[[str], None],
) -> Socket:
    made = Socket(network, process, on_text=on_text, on_end=on_end)
    made.table = table
    query = "" if after is None else f"after={after}"
    scope = _scope(
        "websocket", f"/api/tables/{table}/stream", query=query, token=token, address=address, extra=[]
    )
    made.begin(gate, scope)
    return made
