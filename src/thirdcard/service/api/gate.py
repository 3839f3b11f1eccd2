"""The gate that every request passes: host and origin, how often, and the headers of every answer."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

import msgspec

from thirdcard.service.addresses import network_of
from thirdcard.service.api.problems import Problem, Wrong
from thirdcard.service.api.rates import Buckets
from thirdcard.service.clock import Clock

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Any, Any, Any], Awaitable[None]]

COOKIE = "thirdcard"
HOST_COOKIE = f"__Host-{COOKIE}"  # over TLS: no other host, no subdomain and no plain page can set it
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ONCE = frozenset(
    {b"host", b"origin", b"authorization", b"idempotency-key", b"content-type", b"content-length"}
)
OPEN_TO_ALL_HOSTS = ("/healthz", "/readyz", "/metrics")  # asked by probes that know only an address

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
]
STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """Requests a second and how many at once; 0 switches a limit off (for load tests on one's own machine)."""

    person: tuple[float, int] = (40.0, 120)
    address: tuple[float, int] = (200.0, 800)
    sign_in: tuple[float, int] = (0.5, 12)
    guests: tuple[float, int] = (2.0, 60)
    accounts: tuple[float, int] = (1 / 120, 10)  # few enough that nobody finds out whose names are taken

    @classmethod
    def off(cls) -> "Rates":
        return cls(person=(0, 0), address=(0, 0), sign_in=(0, 0), guests=(0, 0), accounts=(0, 0))


class Limiter:
    """`check` ends a request that comes too soon after too many others."""

    def __init__(self, rates: Rates, clock: Clock) -> None:
        self._buckets = {
            kind: Buckets(rate, burst, clock)
            for kind, (rate, burst) in msgspec.structs.asdict(rates).items()
            if rate
        }

    def wait(self, kind: str, key: str) -> float:
        buckets = self._buckets.get(kind)
        return buckets.take(key) if buckets is not None else 0.0

    def check(self, kind: str, key: str) -> None:
        wait = self.wait(kind, key)
        if wait:
            raise Wrong(429, "too-many", f"that was too often: try again in {wait:.0f} seconds", wait=wait)


def header(scope: Mapping[str, Any], name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def _split(address: str) -> SplitResult:
    """The parts of an address; what is none has none."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def cookie_name(scope: Mapping[str, Any], *, secure: bool) -> str:
    """What the session's cookie is called: over TLS a name that browsers guard."""
    return HOST_COOKIE if secure or scope.get("scheme") in ("https", "wss") else COOKIE


class Gate:
    """Wraps the whole app. `hosts` are the names that this server goes by."""

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str], public: str, limiter: Limiter) -> None:
        self.app, self.limiter, self.public = app, limiter, public
        self.hosts = LOOPBACK | {host.lower() for host in hosts}
        self.secure = public.startswith("https://")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] == "http":
            send = self._sending(scope, send)
        try:
            self._check(scope)
        except Wrong as wrong:
            await _refuse(scope, send, wrong)
        else:
            await self.app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        client = scope.get("client")
        self.limiter.check("address", network_of(client[0]) if client else "")
        names = [name for name, _ in scope["headers"] if name in ONCE]
        if len(set(names)) < len(names):
            raise Wrong(400, "header-twice", "a header that may come once came twice")
        host = header(scope, b"host")
        name = (_split(f"//{host}").hostname or "").lower()
        if name not in self.hosts and scope["path"] not in OPEN_TO_ALL_HOSTS:
            raise Wrong(403, "wrong-host", "this server does not go by that name")
        if scope["type"] == "http" and scope["method"] in SAFE:
            return
        if not self._same_origin(scope, host):
            raise Wrong(403, "wrong-origin", "the request comes from another site")

    def _same_origin(self, scope: Scope, host: str) -> bool:
        """Browsers say where a request comes from; programs need not."""
        origin = header(scope, b"origin")
        if origin:
            return origin == self.public or _split(origin).netloc == host
        return header(scope, b"sec-fetch-site") in ("", "same-origin", "none")

    def _sending(self, scope: Scope, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._dress(scope, message)
            await send(message)

        return sending

    def _dress(self, scope: Scope, message: Message) -> None:
        headers: list[tuple[bytes, bytes]] = list(message["headers"])
        names = {name.lower() for name, _ in headers}
        headers += HEADERS
        if self.secure:
            headers.append(STRICT_TRANSPORT)
        if b"cache-control" not in names and scope["path"].startswith("/api"):
            headers.append((b"cache-control", b"no-store"))
        message["headers"] = headers


async def _refuse(scope: Scope, send: Send, wrong: Wrong) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4403, "reason": wrong.problem.code})
        return
    body = msgspec.json.encode(wrong.problem)
    headers: list[tuple[bytes, bytes]] = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(body)).encode()),
    ]
    if wrong.wait:
        headers.append((b"retry-after", str(max(1, round(wrong.wait))).encode()))
    start = {"type": "http.response.start", "status": wrong.problem.status, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": body, "more_body": False})


__all__ = ["Gate", "Limiter", "Problem", "Rates", "cookie_name", "header"]
