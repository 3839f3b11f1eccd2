"""A real server on a loopback port, in a thread of its own, and people who ask things of it."""

import asyncio
import contextlib
import socket
import ssl
import threading
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from unittest import mock

import httpx
import msgspec
import uvloop
from argon2 import PasswordHasher
from litestar import Litestar
from litestar.types import ControllerRouterHandler
from websockets.sync.client import ClientConnection, connect

from service.houses import KEY, RICH, HallOfTests, new_table
from thirdcard.service.api import app as application
from thirdcard.service.api.app import create_app
from thirdcard.service.api.gate import Gate, Rates
from thirdcard.service.api.server import server
from thirdcard.service.clock import Clock
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store import open_store
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.people.roles import ROLES
from thirdcard.service.tables.away import ABSENT_ROUNDS
from thirdcard.service.tables.hall import NewTable
from thirdcard.service.tables.live import Live

T = TypeVar("T")
GUARD = 300.0  # seconds; for a test that is stuck, whatever the machine
PASSWORD = "correct horse battery"  # noqa: S105 - of accounts that live as long as a test
QUICK = Pace(betting=40, insurance=10, adjusting=10, choice=10, squeeze=10, card=1, result=1, shuffle=1)
SLOW = Pace(betting=600_000, insurance=600_000, adjusting=600_000, choice=600_000, squeeze=600_000, card=1)
NOBODY = "nobody"
# Servers of the tests make nothing beforehand: most end before anybody asks for it, and it takes half a second.
application.SETTLED_SECONDS = GUARD
PLAIN = ssl.SSLContext(
    ssl.PROTOCOL_TLS_CLIENT
)  # never used: a client makes its own otherwise, which takes long


MAKE_ROUTES = application.routed
IDLE: dict[tuple[int, ...], list[Litestar]] = {}  # of servers that stopped, by their pages


def routed(pages: Sequence[ControllerRouterHandler]) -> Litestar:
    """One whose server stopped, with nothing of its hall: to make another takes half a second."""
    idle = IDLE.setdefault(tuple(map(id, pages)), [])
    if not idle:
        return MAKE_ROUTES(pages)
    app = idle.pop()
    app.state.clear()
    return app


application.routed = routed


def weak_hasher() -> PasswordHasher:
    """For passwords of the tests: what makes them slow to guess is tested with the accounts."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Served:
    """One server process' worth: a hall over an SQLite file, served until `stop`."""

    def __init__(  # noqa: PLR0913
        self,
        path: Path,
        *tables: NewTable,
        clock: Clock | None = None,
        rates: Rates | None = None,
        public: str = "",
        hosts: Sequence[str] = (),
        pages: Sequence[ControllerRouterHandler] = (),
        change: Callable[[Litestar], None] | None = None,
        absent_rounds: int = ABSENT_ROUNDS,
    ) -> None:
        self.path = path
        self._again = None if change else IDLE.setdefault(tuple(map(id, pages)), [])
        with mock.patch("thirdcard.service.people.accounts.default_hasher", weak_hasher):
            store = open_store(str(path))
            self.hall = HallOfTests(
                store,
                key=KEY,
                clock=clock,
                first_tables=tables or (new_table("one"),),
                absent_rounds=absent_rounds,
                grants=RICH,
            )
        rates = rates or Rates.off()
        self.gate: Gate = create_app(self.hall, rates=rates, public=public, hosts=hosts, pages=pages)
        if change:
            change(self.app)
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port: int = self.listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.tokens: dict[str, str] = {}
        self.open: list[httpx.Client] = []
        self.loop: asyncio.AbstractEventLoop
        self._server = server(self.gate, host="127.0.0.1", port=self.port)
        setattr(self._server, "capture_signals", contextlib.nullcontext)  # noqa: B010 - they are the main thread's
        self._up = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="served", daemon=True)
        self._thread.start()
        assert self._up.wait(GUARD), "the server does not come up"

    @property
    def app(self) -> Litestar:
        app: Litestar = self.gate.app  # type: ignore[assignment]
        return app

    def _serve(self) -> None:
        async def life() -> None:
            self.loop = asyncio.get_running_loop()
            serving = asyncio.create_task(self._server.serve(sockets=[self.listening]))
            await self._server.ready.wait()
            self._up.set()
            await serving

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(life())

    def stop(self) -> None:
        for client in self.open:
            client.close()
        self._server.should_exit = True
        self._thread.join(GUARD)
        assert not self._thread.is_alive(), "the server does not end"
        if self._again is not None:
            self._again.append(self.app)
            self._again = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    # Within ---------------------------------------------------------------------------------------------

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something in the server's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(GUARD)

    def call(self, work: Callable[[], T]) -> T:
        """The same for something that does not wait."""

        async def once() -> T:
            return work()

        return self.do(once())

    def live(self, table: str = "one") -> Live:
        return self.hall.engine.tables[table]

    def versions(self) -> dict[str, int]:
        """Where each table's log ends: the same as before if nothing happened."""
        heads = self.hall.engine.store.heads()
        return {name: head.version for name, head in heads.items() if name != JOURNAL}

    # People ---------------------------------------------------------------------------------------------

    def account(self, name: str, role: str) -> str:
        """A new account's token."""
        self.hall.people.register(name, PASSWORD, role)
        return self.sign_in(name)

    def sign_in(self, name: str) -> str:
        return self.hall.people.sign_in(name, PASSWORD, origin="test")

    def token(self, role: str) -> str:
        """The token of this house's one person of that role; nobody has none."""
        if role == NOBODY:
            return ""
        if role not in self.tokens:
            self.tokens[role] = self._comes_in(role)
        return self.tokens[role]

    def _comes_in(self, role: str) -> str:
        people, name = self.hall.people, f"{role[:18]}-1"
        if role == "guest":
            return people.guest()[1]
        return self.sign_in(name) if people.find(name) else self.account(name, role)

    def as_(self, who: str) -> "Asking":
        """Somebody of a role, or whoever has this token."""
        return Asking(self, self.token(who) if who in ROLES or who == NOBODY else who)

    def player(
        self, name: str, table: str = "one", *, box: int | None = None, cents: int = 1_000_000
    ) -> "Asking":
        """A player with an account who sits down."""
        person = Asking(self, self.account(name, "player"))
        answer = person.post(f"/api/tables/{table}/sit-down", {"box": box, "cents": cents})
        assert answer.status_code == 200, answer.text
        return person


class Asking:
    """A program that asks in somebody's name."""

    def __init__(self, served: Served, token: str) -> None:
        self.served, self.token = served, token
        self.http = httpx.Client(base_url=served.url, timeout=GUARD, trust_env=False, verify=PLAIN)
        served.open.append(self.http)
        if token:
            self.http.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str, **params: str | int) -> httpx.Response:
        return self.http.get(path, params=params or None)

    def post(self, path: str, body: object = None, *, key: str = "", method: str = "POST") -> httpx.Response:
        content = body if isinstance(body, bytes) else b"" if body is None else msgspec.json.encode(body)
        headers = {"Idempotency-Key": key or uuid.uuid4().hex, "Content-Type": "application/json"}
        return self.http.request(method, path, content=content, headers=headers)

    def command(self, name: str, table: str = "one", *, key: str = "", **fields: object) -> httpx.Response:
        return self.post(f"/api/tables/{table}/commands", {"command": name, **fields}, key=key)

    def does(self, name: str, table: str = "one", **fields: object) -> None:
        """A command that must be accepted."""
        answer = self.post(f"/api/tables/{table}/commands", {"command": name, **fields})
        assert answer.status_code == 200, answer.text

    @contextlib.contextmanager
    def stream(
        self,
        table: str = "one",
        *,
        after: int | None = None,
        **options: Any,  # noqa: ANN401
    ) -> Iterator[ClientConnection]:
        query = "" if after is None else f"?after={after}"
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if language := self.http.cookies.get("lang"):
            headers["Cookie"] = f"lang={language}"
        address = f"ws://127.0.0.1:{self.served.port}/api/tables/{table}/stream{query}"
        options = {"max_queue": None, "open_timeout": GUARD, "proxy": None, **options}
        with connect(address, additional_headers=headers, **options) as socket:
            yield socket


def heard(socket: ClientConnection) -> dict[str, Any]:
    """The next message of a stream."""
    message: dict[str, Any] = msgspec.json.decode(socket.recv(timeout=GUARD))
    return message


def settles(holds: Callable[[], bool]) -> None:
    """Wait until it holds; the guard ends what never does."""
    give_up = time.monotonic() + GUARD
    while not holds():
        assert time.monotonic() < give_up, "it never comes to that"
        time.sleep(0.02)


def is_problem(answer: httpx.Response, *statuses: int) -> bool:
    """Whether it is one of these statuses, told as a problem should be."""
    if answer.status_code not in statuses or answer.headers["content-type"] != "application/problem+json":
        return False
    told = answer.json()
    return bool(told["status"] == answer.status_code and told["title"] and told["code"] and "detail" in told)
