"""Whether the server is well, for probes and for those who look after it."""

from collections.abc import Iterator

import msgspec
from litestar import MediaType, Response, get

from thirdcard.service.api.access import ANYBODY, AnyRequest, hall_of
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.outage import Kind

STUCK_SECONDS = 5.0  # a request that has waited for longer is stuck, and so is who came after it
LAG_SECONDS = 2.0  # an event loop that is later serves nobody well
OUTAGES: dict[Kind, str] = {
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


ROUTES = [alive, ready, metrics]
