"""Whether the server is well, for probes and for those who look after it."""

import resource

import msgspec
from litestar import MediaType, Response, get

from thirdcard.service.api.access import ANYBODY, Asking
from thirdcard.service.tables.live import Live


class Health(msgspec.Struct, frozen=True):
    status: str


@get("/healthz", opt=ANYBODY, summary="The process answers", tags=["health"])
async def alive() -> Health:
    return Health("alive")


@get("/readyz", opt=ANYBODY, summary="The store can be written to", tags=["health"])
async def ready(asking: Asking) -> Response[Health]:
    well = asking.hall.engine.healthy
    return Response(Health("ready" if well else "waiting for the store"), status_code=200 if well else 503)


@get("/metrics", opt=ANYBODY, media_type=MediaType.TEXT, summary="Counters and gauges", tags=["health"])
async def metrics(asking: Asking) -> str:
    """In the text format that Prometheus reads; nothing in it is about a person."""
    hall = asking.hall
    tables = hall.tables().values()
    rounds = sum(live.table.rounds for live in tables)
    figures = {
        "tables": ("gauge", "Tables", len(tables)),
        "tables_held_up": ("gauge", "Tables held up by an irregularity", sum(map(_held_up, tables))),
        "rounds_total": ("counter", "Rounds opened at all tables", rounds),
        "events_total": ("counter", "Events in all logs", sum(live.version for live in tables)),
        "commits_total": ("counter", "Commits of this process", hall.engine.commits),
        "commands_total": ("counter", "Requests of this process that changed a table", hall.engine.decided),
        "readers": ("gauge", "Open sockets", sum(len(c.readers) for c in hall.channels.values())),
        "store_healthy": ("gauge", "1 while the store can be written to", int(hall.engine.healthy)),
        "uptime_seconds": ("gauge", "Since the start", round(hall.clock.monotonic() - hall.started)),
        "memory_bytes": ("gauge", "The most memory so far", _memory()),
    }
    lines = [
        f"# HELP thirdcard_{name} {told}\n# TYPE thirdcard_{name} {kind}\nthirdcard_{name} {value}\n"
        for name, (kind, told, value) in figures.items()
    ]
    return "".join(lines)


def _held_up(live: Live) -> bool:
    current = live.table.round
    return current is not None and current.pending is not None


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


ROUTES = [alive, ready, metrics]
