"""The gate that every request passes: host and origin, who calls, how often, and the headers of every answer."""

import asyncio
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Mapping, MutableMapping
from itertools import islice
from time import perf_counter, thread_time
from typing import Any, Protocol
from urllib.parse import SplitResult, urlsplit

import msgspec
from litestar.connection import ASGIConnection

from thirdcard.service.addresses import network_of
from thirdcard.service.api.packing import WORTH_PACKING, pack, packs, worth_packing
from thirdcard.service.api.problems import Problem, Wrong, wrong_of
from thirdcard.service.api.watchdog import Watchdog
from thirdcard.service.clock import Clock
from thirdcard.service.people.roles import STAFF, Person
from thirdcard.service.tables.hall import Hall
from thirdcard.service.turns import CALLER, Busy, Caller, Turnstile
from thirdcard.words import ENGLISH, Language, accepted, languages
from thirdcard.words.saying import READER, say

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AnyConnection = ASGIConnection[Any, Any, Any, Any]
ASGIApp = Callable[[Any, Any, Any], Coroutine[Any, Any, None]]

COOKIE = "thirdcard"
HOST_COOKIE = f"__Host-{COOKIE}"  # over TLS: no other host, no subdomain and no plain page can set it
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ONCE = frozenset(
    {b"host", b"origin", b"authorization", b"idempotency-key", b"content-type", b"content-length"}
)
HEALTH = ("/healthz", "/readyz", "/metrics")  # asked by probes that know only an address
MOST_TOKEN = 200
MOST_ADDRESS = 4_096  # bytes of a path, and of a query
MOST_HEADERS, MOST_HEADER = 100, 16_384  # headers of a request, and the bytes of all their values
HELD_SECONDS = 1.0  # how long a stranger waits to be told that it was too often
MOST_HELD = 1_000
MOST_MET = 20_000  # people whom `Callers` remembers

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# Of a page that shows others of ours in frames, and of those that it shows: no other site may do either.
FRAMES = {"Content-Security-Policy": f"{POLICY}; frame-src 'self'"}
FRAMED = {
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    "X-Frame-Options": "SAMEORIGIN",
}
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


class Buckets:
    """A bucket of `burst` tokens for each key, refilled by `rate` a second; a request takes one, or what it costs.

    Kept for a key is only the time at which its bucket is full again. A full bucket is the same as none, so
    full ones are forgotten when there are `most`, and then the oldest if that is not enough. For one thread.
    """

    def __init__(self, rate: float, burst: float, clock: Clock, most: int = 10_000) -> None:
        self._refill, self._depth = 1 / rate, burst / rate
        self._clock = clock
        self._most = most
        self._full_at: dict[str, float] = {}  # the last to take a token comes last

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: str, cost: float = 1) -> float:
        """0 if the request may go ahead, else the seconds until one may. Being refused costs nothing."""
        now = self._clock.monotonic()
        full_at = max(now, self._full_at.get(key, now)) + cost * self._refill
        wait = full_at - now - self._depth
        if wait > 1e-9:  # noqa: PLR2004 - less than a clock can tell is rounding
            return wait
        if cost:
            self._put(key, full_at, now)
        return 0.0

    def spend(self, key: str, cost: float) -> None:
        """Take what something has cost that was not known before; the bucket may owe some then."""
        now = self._clock.monotonic()
        self._put(key, max(now, self._full_at.get(key, now)) + cost * self._refill, now)

    def _put(self, key: str, full_at: float, now: float) -> None:
        if self._full_at.pop(key, None) is None and len(self._full_at) >= self._most:
            self._make_room(now)
        self._full_at[key] = full_at

    def _make_room(self, now: float) -> None:
        """At least a tenth at once, so that a flood of new keys does not pay for a sweep each."""
        self._full_at = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        excess = len(self._full_at) - self._most * 9 // 10
        for key in list(islice(self._full_at, max(0, excess))):
            del self._full_at[key]


Rate = tuple[float, float]
NO_LIMIT: Rate = (0, 0)


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """How much a second and how much at once; 0 switches a limit off (for load tests on one's own machine).

    An address is an IPv4 address or an IPv6 network. Those who sit at a table share the same again, apart from
    the strangers of their address, and each member of staff has it alone.
    """

    person: Rate = (40.0, 120)
    address: Rate = (100.0, 400)
    work: Rate = (0.15, 0.5)  # seconds of a processor, at an address
    sign_in: Rate = (0.5, 12)
    guests: Rate = (2.0, 60)
    accounts: Rate = (1 / 120, 10)  # few enough that nobody finds out whose names are taken
    limits: Rate = (0.2, 20)  # that people set themselves; each is in the journal
    health: Rate = (20.0, 60)
    sockets: int = 200  # open at once at an address
    own_sockets: int = 40  # of one person
    connections: int = 800  # of an address
    seats: int = 6  # of one player at once, or of all guests of an address

    @classmethod
    def off(cls) -> "Rates":
        return cls(**dict.fromkeys(KINDS, NO_LIMIT), sockets=0, own_sockets=0, connections=0, seats=0)


KINDS = ("person", "address", "work", "sign_in", "guests", "accounts", "limits", "health")


class Limiter:
    """`check` ends a request that comes too soon after too many others; work waits until there is time for it."""

    def __init__(self, rates: Rates, clock: Clock) -> None:
        self.rates = rates
        found: dict[str, Rate] = {kind: getattr(rates, kind) for kind in KINDS}
        self._buckets = {kind: Buckets(rate, burst, clock) for kind, (rate, burst) in found.items() if rate}

    def wait(self, kind: str, key: str, cost: float = 1) -> float:
        buckets = self._buckets.get(kind)
        return buckets.take(key, cost) if buckets is not None else 0.0

    def check(self, kind: str, key: str) -> None:
        wait = self.wait(kind, key)
        if wait:
            raise Wrong(429, "too-many", say("too-often", wait=round(wait)), wait=wait)

    def admit(self, caller: Caller) -> None:
        """A request, or a message over a socket, from somebody's place."""
        self.check("address", caller.place)

    def spend(self, place: str, seconds: float) -> None:
        if "work" in self._buckets:
            self._buckets["work"].spend(place, seconds)

    def owes(self, place: str) -> float:
        return self.wait("work", place, 0)


# Who calls, and what they read ------------------------------------------------------------------------


class Callers:
    """Strangers share the budget of their network; who sits at a table shares another, and staff have their own."""

    def __init__(self, hall: Hall, limiter: Limiter, *, secure: bool) -> None:
        self._hall, self._limiter, self._secure = hall, limiter, secure
        self._met: dict[bytes, Person] = {}  # by session
        self._seated: set[str] = set()
        self._looked = -1  # how much had been decided by then

    def met(self, person: Person) -> None:
        """Somebody has shown who they are."""
        self._met.pop(person.session, None)
        self._met[person.session] = person
        if len(self._met) > MOST_MET:
            del self._met[next(iter(self._met))]

    def of(self, scope: Mapping[str, Any]) -> Caller:
        client = scope.get("client")
        token = token_in(scope, secure=self._secure)
        return self.known(client[0] if client else "", self._hall.people.session_of(token) if token else b"")

    def known(self, address: str, session: bytes) -> Caller:
        """Whoever has that session, at that address."""
        network = network_of(address)
        person = self._met.get(session)
        if person is not None and person.role in STAFF:
            return Caller(f"staff {person.name}", "staff", self._limiter)
        if person is not None and self._sits(person.name):
            return Caller(f"seated {network}", "seated", self._limiter)
        return Caller(network, "stranger", self._limiter)

    def _sits(self, name: str) -> bool:
        """Looked up again for those who sat nowhere, once anything has happened; who stands up may be late."""
        decided = self._hall.engine.decided
        if name not in self._seated and self._looked != decided:
            tables = self._hall.tables().values()
            self._seated = {name for live in tables for name in live.table.seats.values()}
            self._looked = decided
        return name in self._seated


def language_of(connection: AnyConnection) -> Language:
    """What was asked for by `?lang=`, else by the cookie that this left, else by the browser; or English."""
    for asked in (connection.query_params.get("lang", ""), connection.cookies.get("lang", "")):
        if asked in languages():
            return asked
    return accepted(connection.headers.get("accept-language", "")) or ENGLISH


class CountsTimes(Protocol):
    def answered(self, scope: Mapping[str, Any], seconds: float) -> None: ...


def header(scope: Mapping[str, Any], name: bytes) -> str:
    for key, value in scope["headers"]:
        if key == name:
            found: str = value.decode("latin-1")
            return found
    return ""


def within_bounds(scope: Mapping[str, Any]) -> bool:
    """Whether address and headers are no larger than those of any request that can be answered."""
    headers = scope["headers"]
    return (
        max(len(scope["path"]), len(scope["query_string"])) <= MOST_ADDRESS
        and len(headers) <= MOST_HEADERS
        and sum(len(value) for _, value in headers) <= MOST_HEADER
    )


def _split(address: str) -> SplitResult:
    """The parts of an address; what is none has none."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def cookie_name(scope: Mapping[str, Any], *, secure: bool) -> str:
    """What the session's cookie is called: over TLS a name that browsers guard."""
    return HOST_COOKIE if secure or scope.get("scheme") in ("https", "wss") else COOKIE


def token_in(scope: Mapping[str, Any], *, secure: bool) -> str:
    """The session's token: `Authorization: Bearer …` of programs, or the cookie of browsers."""
    kind, _, token = header(scope, b"authorization").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()[:MOST_TOKEN]
    name = cookie_name(scope, secure=secure)
    cookies = (part.strip().partition("=") for part in header(scope, b"cookie").split(";"))
    return next((value[:MOST_TOKEN] for key, _, value in cookies if key == name), "")


class Gate:
    """Wraps the whole app. `hosts` are the names that this server goes by."""

    def __init__(  # noqa: PLR0913
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str],
        public: str,
        limiter: Limiter,
        callers: "Callers",
        turnstile: Turnstile,
        metrics: CountsTimes,
        watchdog: Watchdog,
    ) -> None:
        self.app, self.limiter, self.public, self._callers = app, limiter, public, callers
        self.hosts = LOOPBACK | {host.lower() for host in hosts}
        self.secure = public.startswith("https://")
        self._turnstile, self._metrics, self._watchdog = turnstile, metrics, watchdog
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        fits = within_bounds(scope)  # before anything of it is looked at
        caller = self._callers.of(scope if fits else {**scope, "headers": []})
        READER.set(lambda: language_of(ASGIConnection(scope)) if fits else ENGLISH)  # type: ignore[arg-type]
        if scope["type"] == "http":
            send = self._sending(scope, send, caller)
        try:
            self._check(scope, caller, fits=fits)
            if scope["path"] not in HEALTH:
                await self._turnstile.enter(caller)
        except (Wrong, Busy) as error:
            wrong = wrong_of(error)
            if caller.standing == "stranger" and wrong.wait:
                await self._hold()
            await _refuse(scope, send, wrong)
            return
        CALLER.set(caller)
        scope.setdefault("state", {})["caller"] = caller
        answering = counted(self.app(scope, receive, send), caller, scope["path"], self._watchdog)
        if scope["type"] != "http" or scope["path"] in HEALTH:
            await answering
            return
        begin = perf_counter()
        await answering
        self._metrics.answered(scope, perf_counter() - begin)

    async def _hold(self) -> None:
        """Whoever asks too often does not ask again at once."""
        if self._held < MOST_HELD:
            self._held += 1
            try:
                await asyncio.sleep(HELD_SECONDS)
            finally:
                self._held -= 1

    def _check(self, scope: Scope, caller: Caller, *, fits: bool) -> None:
        if scope["path"] in HEALTH:
            self.limiter.check("health", caller.place)
        else:
            self.limiter.admit(caller)
        if not fits:
            raise Wrong(413, "too-large", say("request-head-too-large"))
        names = [name for name, _ in scope["headers"] if name in ONCE]
        if len(set(names)) < len(names):
            raise Wrong(400, "header-twice", say("header-may-come-once"))
        host = header(scope, b"host")
        name = (_split(f"//{host}").hostname or "").lower()
        if name not in self.hosts and scope["path"] not in HEALTH:
            raise Wrong(403, "wrong-host", say("unknown-host"))
        if scope["type"] == "http" and scope["method"] in SAFE:
            return
        if not self._same_origin(scope, host):
            raise Wrong(403, "wrong-origin", say("from-another-site"))

    def _same_origin(self, scope: Scope, host: str) -> bool:
        """Browsers say where a request comes from; programs need not."""
        origin = header(scope, b"origin")
        if origin:
            return origin == self.public or _split(origin).netloc == host
        return header(scope, b"sec-fetch-site") in ("", "same-origin", "none")

    def _sending(self, scope: Scope, send: Send, caller: Caller) -> Send:
        """Sends with our headers, and compressed; an answer that is to be compressed starts with its body."""
        held: Message | None = None

        async def sending(message: Message) -> None:
            nonlocal held
            if message["type"] == "http.response.start":
                self._dress(scope, message)
                if packs(header(scope, b"accept-encoding")) and worth_packing(message):
                    held = message
                    return
            elif held is not None:
                start, held = held, None
                whole = not message.get("more_body") and len(message["body"]) > WORTH_PACKING
                if whole:
                    message["body"] = await pack(start, message["body"], caller)
                await send(start)
            await send(message)

        return sending

    def _dress(self, scope: Scope, message: Message) -> None:
        headers: list[tuple[bytes, bytes]] = list(message["headers"])
        names = {name.lower() for name, _ in headers}
        headers += [(name, value) for name, value in HEADERS if name not in names]
        if self.secure:
            headers.append(STRICT_TRANSPORT)
        if b"cache-control" not in names and scope["path"].startswith("/api"):
            headers.append((b"cache-control", b"no-store"))
        message["headers"] = headers


@types.coroutine
def counted(
    work: Coroutine[Any, Any, None], caller: Caller, path: str, watchdog: Watchdog
) -> Generator[Any, Any, None]:
    """Do the work; each time that it has the event loop is the caller's."""
    step: Callable[[Any], Any] = work.send
    given: Any = None
    while True:
        begin = thread_time()
        try:
            waits_for = step(given)
        except StopIteration:
            return
        finally:
            taken = thread_time() - begin
            caller.spend(taken)
            watchdog.turned(caller, path, taken)
        try:
            step, given = work.send, (yield waits_for)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is for the work
            step, given = work.throw, error


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
