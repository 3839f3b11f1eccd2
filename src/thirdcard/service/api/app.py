"""The whole application: routes, who may use them, and the gate in front."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from litestar import Litestar, Router
from litestar.config.compression import CompressionConfig
from litestar.config.response_cache import ResponseCacheConfig
from litestar.datastructures import State
from litestar.logging import LoggingConfig
from litestar.middleware import DefineMiddleware
from litestar.middleware.compression import CompressionMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler

from thirdcard.service.api import (
    asking,
    bodies,
    consoles,
    health,
    history,
    people,
    reference,
    rulebooks,
    tables,
)
from thirdcard.service.api.access import DEPENDENCIES, guard
from thirdcard.service.api.gate import Gate, Limiter, Rates
from thirdcard.service.api.problems import HANDLERS, document
from thirdcard.service.api.stream import stream
from thirdcard.service.tables.hall import Hall

PACKING = CompressionConfig(
    backend="gzip", minimum_size=1024, gzip_compress_level=5, exclude=["/commands$", "/stream$"]
)
HASHES_AT_ONCE = 2  # each takes memory


def create_app(
    hall: Hall,
    *,
    hosts: Iterable[str] = (),
    public: str = "",
    rates: Rates | None = None,
    pages: Sequence[ControllerRouterHandler] = (),
) -> Gate:
    """The app over a hall that it starts and stops. `public` is the address that people use, if not this one."""
    limiter = Limiter(rates or Rates(), hall.clock)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.hashing = asyncio.Semaphore(HASHES_AT_ONCE)
        app.state.working = asyncio.Semaphore(1)
        await hall.start()
        try:
            yield
        finally:
            await hall.stop()

    api = Router(
        "/api",
        route_handlers=[
            tables.router,
            asking.router,
            consoles.router,
            history.router,
            people.router,
            reference.router,
            rulebooks.router,
            stream,
        ],
        guards=[guard],
        middleware=[DefineMiddleware(CompressionMiddleware, config=PACKING)],
    )
    others = Router("/", route_handlers=[*health.ROUTES, tables.show_offers_as_before], guards=[guard])
    app = Litestar(
        route_handlers=[api, others, *pages],
        dependencies=DEPENDENCIES,
        lifespan=[lifespan],
        exception_handlers=HANDLERS,
        request_max_body_size=bodies.MOST_BYTES,
        openapi_config=OpenAPIConfig(
            title="thirdcard",
            version=version("thirdcard"),
            description="Live baccarat tables by five approved rulebooks, and by others. Play money only; amounts are whole cents.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        state=State({"hall": hall, "limiter": limiter, "secure": public.startswith("https://")}),
        response_cache_config=ResponseCacheConfig(default_expiration=0),
        logging_config=LoggingConfig(configure_root_logger=False, log_exceptions="never"),
        debug=False,
    )
    for route in app.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            document(handler)
    return Gate(app, hosts=hosts, public=public, limiter=limiter)


__all__: list[Any] = ["create_app"]
