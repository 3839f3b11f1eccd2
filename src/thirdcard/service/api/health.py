"""Whether the server is well, and what it counts and times, for probes and for those who look after it."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from litestar import MediaType, Response, get
from prometheus_client import CollectorRegistry, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from thirdcard.service.api.access import ANYBODY, AnyRequest, hall_of
from thirdcard.service.api.watchdog import Watchdog
from thirdcard.service.tables.engine import LATENCIES
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.outage import Trouble

try:
    import resource
except ModuleNotFoundError:  # only Unix has it
    resource = None  # type: ignore[assignment]

PREFIX = "thirdcard_"
disable_created_metrics()  # type: ignore[no-untyped-call]  # when a histogram was made is of no use to anybody
STUCK_SECONDS = 5.0  # a request that has waited for longer is stuck, and so is who came after it
LAG_SECONDS = 2.0  # an event loop that is later serves nobody well
OUTAGES: dict[Trouble, str] = {
    "full": "there is no room to write",
    "not-written": "the store cannot be written to",
    "not-read": "the store cannot be read",
}


class Health(msgspec.Struct, frozen=True):
    status: str


class Readiness(msgspec.Struct, frozen=True):
    """`reasons` are all that speak against sending anybody here; none if it is ready."""

    status: str
    reasons: tuple[str, ...]


@get("/healthz", opt=ANYBODY, summary="The process answers", tags=["health"])
async def alive() -> Health:
    return Health("alive")


@get("/readyz", opt=ANYBODY, summary="What is asked here can be done", tags=["health"])
async def ready(request: AnyRequest) -> Response[Readiness]:
    """It waits a second at most, for nothing that a command waits for; asking often makes no more work."""
    hall = hall_of(request)
    silent = await hall.probe.trouble()
    reasons = (*([silent] if silent else ()), *_reasons(hall))
    told = Readiness("not ready" if reasons else "ready", reasons)
    return Response(told, status_code=503 if reasons else 200)


def _reasons(hall: Hall) -> Iterator[str]:
    engine = hall.engine
    if engine.outage.kind is not None:
        yield OUTAGES[engine.outage.kind]
    if engine.oldest > STUCK_SECONDS:
        yield f"the oldest request has waited for {engine.oldest:.0f} s"
    if engine.anchor is not None and engine.anchor.behind:
        yield "the anchor is behind"
    if hall.lag > LAG_SECONDS:
        yield f"the process was late by {hall.lag:.1f} s"


@get(
    "/metrics", opt=ANYBODY, media_type=MediaType.TEXT, summary="Counters, gauges and times", tags=["health"]
)
async def metrics(request: AnyRequest) -> str:
    """In the text format that Prometheus reads; nothing in it is about a person."""
    told: str = request.app.state.metrics.text()
    return told


class Metrics:
    """The figures of one server. Those of the hall are looked up when asked for, times are kept as they come."""

    def __init__(self, hall: Hall, watchdog: Watchdog) -> None:
        self._hall, self._watchdog = hall, watchdog
        self._registry = CollectorRegistry()
        self._requests = Histogram(
            f"{PREFIX}request_seconds",
            "From a request to the end of its answer, by kind: page, read, change",
            ["kind"],
            registry=self._registry,
            buckets=LATENCIES,
        )
        self._registry.register(self)
        for own in (hall.engine.command_seconds, hall.engine.commit_seconds):
            self._registry.register(own)

    def answered(self, scope: Mapping[str, Any], seconds: float) -> None:
        """A request was answered after so long."""
        api = scope["path"].startswith("/api")
        kind = "page" if not api else "read" if scope["method"] in ("GET", "HEAD") else "change"
        self._requests.labels(kind).observe(seconds)

    def text(self) -> str:
        """In the text format that Prometheus reads."""
        return generate_latest(self._registry).decode()

    def collect(self) -> Iterator[Metric]:
        """What the registry asks of us, figure by figure."""
        hall = self._hall
        tables = hall.tables().values()
        counters: dict[str, tuple[str, float]] = {
            "rounds": ("Rounds opened at all tables", sum(live.table.rounds for live in tables)),
            "events": ("Events in all logs", sum(live.version for live in tables)),
            "commits": ("Commits of this process", hall.engine.commits),
            "long_turns": ("Requests that held everybody else up", self._watchdog.long_turns),
            "commands": ("Requests of this process that changed a table", hall.engine.decided),
        }
        gauges: dict[str, tuple[str, float]] = {
            "tables": ("Tables", len(tables)),
            "tables_held_up": ("Tables held up by an irregularity", sum(map(_held_up, tables))),
            "readers": ("Open sockets", sum(len(channel.readers) for channel in hall.channels.values())),
            "store_healthy": ("1 while the store can be written to", int(hall.engine.healthy)),
            "oldest_request_seconds": ("The longest wait of now", round(hall.engine.oldest, 3)),
            "lag_seconds": ("By how much the event loop was late", round(hall.lag, 3)),
            "uptime_seconds": ("Since the start", round(hall.clock.monotonic() - hall.started)),
        }
        for name, (told, value) in counters.items():
            yield CounterMetricFamily(PREFIX + name, told, value=value)
        for name, (told, now) in gauges.items():
            yield GaugeMetricFamily(PREFIX + name, told, value=now)
        if resource is not None:
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            yield GaugeMetricFamily(f"{PREFIX}memory_bytes", "The most memory so far", value=most)


def _held_up(live: Live) -> bool:
    current = live.table.round
    return current is not None and current.pending is not None
