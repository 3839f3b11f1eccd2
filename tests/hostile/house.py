"""A house in this process: requests and messages go into its gate as a server would pass them on."""

import asyncio
import contextlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple, Self
from unittest import mock

import msgspec
from litestar.handlers import HTTPRouteHandler

from service.api.routes import Route, document, routes
from service.api.serving import NOBODY, PASSWORD, weak_hasher
from service.clocks import FakeClock
from service.houses import KEY, RICH, HallOfTests, new_table
from thirdcard.service.api import app as application
from thirdcard.service.api.app import create_app
from thirdcard.service.api.bodies import MOST_BYTES
from thirdcard.service.api.gate import MOST_ADDRESS, MOST_HEADER, Rates
from thirdcard.service.api.server import MOST_FRAME_BYTES
from thirdcard.service.log.store.model import Account, Session
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import ROLES
from thirdcard.service.people.sessions import mark_of
from thirdcard.service.turns import done
from thirdcard.web.pages.find_page import FIELDS
from thirdcard.web.site import PAGES

GUARD = 600.0
GIVEN = ("request", "asking", "at", "data", "socket")  # to handlers, by what is around them
PATHS = {"table": "one", "slug": "mbs-tiger-v2", "other": "rws-commission-insurance-v5", "player": "player-1",
         "number": "1", "name": "dealer-1", "case": "late-bet", "code": "en", "bet": "banker", "layout": "A"}  # fmt: skip


def person_of(role: str) -> str:
    """The one person of a role."""
    return f"{role[:18]}-1"


class Asked(NamedTuple):
    """A request: its parts, each of which may grow."""

    method: str
    path: str
    query: bytes = b""
    body: bytes | None = None
    headers: tuple[tuple[bytes, bytes], ...] = ()


class House:
    """Open for the time of a `with`."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._stack = contextlib.ExitStack()
        self.store, self.clock = MemoryStore(), FakeClock()
        self.talks: list[Talk] = []

    def __enter__(self) -> Self:
        self._stack.enter_context(self._runner)
        patches = (
            mock.patch.object(application, "ASIDE", SimpleNamespace(ask=done)),  # its work counts here
            mock.patch.object(application, "SETTLED_SECONDS", GUARD),
            mock.patch("thirdcard.service.people.accounts.default_hasher", weak_hasher),
        )
        for patch in patches:
            self._stack.enter_context(patch)
        self.run(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self._close())
        self._stack.close()

    async def _open(self) -> None:
        self.hall = HallOfTests(
            self.store, key=KEY, clock=self.clock, first_tables=(new_table("one"),), grants=RICH
        )
        self.gate = create_app(self.hall, rates=Rates.off(), pages=PAGES)
        app: Any = self.gate.app
        self.app = app
        self._over, up = asyncio.Event(), asyncio.Event()

        async def serves() -> None:
            async with self.app.lifespan():
                up.set()
                await self._over.wait()

        self._serving = asyncio.create_task(serves())
        await up.wait()
        self._hash = weak_hasher().hash(PASSWORD)
        self.routes = [route for route in routes(self.app) if route.method != "WS"]
        self.bodies = dict(self._bodies())
        self.queries = dict(self._queries())
        self.people_as_before()

    async def _close(self) -> None:
        for talk in self.talks:
            await talk.end()
        self._over.set()
        await self._serving

    def run(self, work: Any) -> Any:  # noqa: ANN401
        async def guarded() -> Any:  # noqa: ANN401
            async with asyncio.timeout(GUARD):
                return await work

        return self._runner.run(guarded())

    def people_as_before(self) -> None:
        """Everybody has the account and the session that they are to have, whatever was asked meanwhile."""
        now, people = self.clock.wall(), self.hall.people
        for role in ROLES:
            name = person_of(role)
            account = Account(
                name=name, role=role, password="" if role == "guest" else self._hash, created=now
            )
            if not self.store.add_account(account):
                self.store.change_account(account)
            self.store.put_session(
                Session(token_hash=people.session_of(self.token(role)), account=name, created=now, seen=now)
            )
            people.forget(name)

    def token(self, role: str) -> str:
        return person_of(role) + mark_of(person_of(role))

    def _bodies(self) -> Iterator[tuple[tuple[str, str], Any]]:
        """The type of the body of each route that takes one."""
        for route in self.app.routes:
            for handler in getattr(route, "route_handlers", ()):
                if isinstance(handler, HTTPRouteHandler) and handler.dto is not None:
                    decoder = getattr(handler.dto, "decoder", None)
                    if isinstance(decoder, msgspec.json.Decoder):
                        yield from (
                            ((str(method), route.path_format), decoder.type)
                            for method in handler.http_methods
                        )

    def _queries(self) -> Iterator[tuple[tuple[str, str], list[str]]]:
        """The names that each route has in its query: what the document says, and what pages take besides."""
        taken = (*FIELDS, "ahead", "after")
        for route in self.app.routes:
            for handler in getattr(route, "route_handlers", ()):
                if isinstance(handler, HTTPRouteHandler) and not route.path_format.startswith("/api"):
                    own = [name for name in handler.parsed_fn_signature.parameters if name not in GIVEN]
                    own = [name for name in own if f"{{{name}" not in route.path]
                    names = [*own, "lang", "next", *(taken if "find" in route.path_format else ())]
                    yield from (((str(method), route.path_format), names) for method in handler.http_methods)
        for path, methods in document(self.app)["paths"].items():
            for method, told in methods.items():
                names = [one["name"] for one in told.get("parameters", ()) if one["in"] == "query"]
                yield (method.upper(), path), names

    # Asking

    def role_for(self, route: Route) -> str:
        """Somebody who may: staff before players, and nobody where nobody has to be anybody."""
        return next((role for role in reversed([*ROLES]) if role in route.roles), NOBODY)

    def ask(self, asked: Asked, role: str) -> int:
        """The status of the answer."""
        return int(self.run(self._answer(asked, role)))

    def scope(self, kind: str, role: str, path: str, **more: object) -> dict[str, Any]:
        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
        if role != NOBODY:
            headers.append((b"authorization", f"Bearer {self.token(role)}".encode()))
        return {
            "type": kind, "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "path": path,
            "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers,
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "state": {}, "extensions": {}, **more,
        }  # fmt: skip

    async def _answer(self, asked: Asked, role: str) -> int:
        scope = self.scope("http", role, asked.path, method=asked.method, query_string=asked.query)
        replaced = {name for name, _ in asked.headers}
        scope["headers"] = [pair for pair in scope["headers"] if pair[0] not in replaced] + [*asked.headers]
        if asked.method != "GET" and b"idempotency-key" not in replaced:
            scope["headers"].append((b"idempotency-key", b"k%d" % id(scope)))
        body = asked.body or b""
        statuses: list[int] = []
        sent = False

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if sent:
                await asyncio.Event().wait()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:  # noqa: ANN401
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        await self.gate(scope, receive, send)
        return statuses[0]

    def socket(self, role: str) -> "Talk":
        """A socket at the table, opened when something is first said over it and closed with the house."""
        talk = Talk(self, role)
        self.talks.append(talk)
        return talk


class Talk:
    """A socket at the table: what is sent is answered before the next."""

    def __init__(self, house: House, role: str) -> None:
        self._house, self._role = house, role
        self._come: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._news: asyncio.Queue[str] = asyncio.Queue()
        self._task: asyncio.Future[None] | None = None

    async def begin(self) -> None:
        async def send(message: Any) -> None:  # noqa: ANN401
            if message["type"] == "websocket.send":
                await self._news.put(message.get("text") or "")

        scope = self._house.scope("websocket", self._role, "/api/tables/one/stream", subprotocols=[])
        self._come.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.ensure_future(self._house.gate(scope, self._come.get, send))
        await self._news.get()  # the whole view

    async def end(self) -> None:
        if self._task is None:
            return
        self._come.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._task

    def say(self, text: bytes) -> str:
        return str(self._house.run(self._said(text)))

    async def _said(self, text: bytes) -> str:
        if self._task is None:
            await self.begin()
        self._come.put_nowait({"type": "websocket.receive", "text": text.decode("utf-8", "replace")})
        while True:
            answer = await self._news.get()
            if '"problem"' in answer or '"answer"' in answer:
                return answer


def filled_in(path: str) -> str:
    """An address with something that there is, or may be, in place of its parts."""
    for part in path.split("/"):
        if part.startswith("{"):
            path = path.replace(part, PATHS.get(part.strip("{}").partition(":")[0], "1"))
    return path


LIMITS = {
    "body": MOST_BYTES,
    "query": MOST_ADDRESS,
    "path": MOST_ADDRESS,
    "header": MOST_HEADER - 300,
    "message": MOST_FRAME_BYTES,
}
