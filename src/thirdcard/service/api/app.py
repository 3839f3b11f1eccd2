"""The whole application: routes, who may use them, and the gate in front."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Sequence
from importlib.metadata import version
from types import ModuleType
from typing import Any

from litestar import Litestar, Router
from litestar.config.response_cache import ResponseCacheConfig
from litestar.handlers import HTTPRouteHandler
from litestar.logging import LoggingConfig
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler

from thirdcard.rulebook.load import catalogue
from thirdcard.service.api import (
    asking,
    bodies,
    classes,
    consoles,
    disputes,
    documents,
    evidence,
    exams,
    floor,
    health,
    history,
    house,
    money,
    people,
    players,
    practice,
    radar,
    reference,
    school,
    tables,
)
from thirdcard.service.api.access import DEPENDENCIES, guard
from thirdcard.service.api.asking import Seats
from thirdcard.service.api.gate import Callers, Gate, Limiter, Rates
from thirdcard.service.api.health import Metrics
from thirdcard.service.api.packing import Copies
from thirdcard.service.api.problems import HANDLERS, document
from thirdcard.service.api.stream import Windows, stream
from thirdcard.service.api.watchdog import Watchdog
from thirdcard.service.aside import ASIDE
from thirdcard.service.learning import classes as learning
from thirdcard.service.learning.scripted import ScriptedPeople
from thirdcard.service.log.store.model import StoreDown
from thirdcard.service.tables.hall import Hall
from thirdcard.service.turns import Places, Turnstile, Workers
from thirdcard.words import languages, words

SETTLED_SECONDS = 2.0  # after which there is time for what is not needed at once
HASHES_AT_ONCE = 2  # each takes memory; one more for staff


# The modules with the routes of the API, by what they are about.
TAGGED: dict[str, tuple[ModuleType, ...]] = {
    "tables": (tables, asking, consoles, history, evidence),
    "floor": (floor, money, radar),
    "school": (practice, school, exams, classes, disputes),
    "house": (house,),
    "people": (people, players),
    "rules and odds": (reference, documents),
}


def _handlers(module: ModuleType) -> list[HTTPRouteHandler]:
    """All routes of a module, but for those that are no part of the API."""
    own = [value for value in vars(module).values() if isinstance(value, HTTPRouteHandler)]
    return [handler for handler in own if handler is not tables.show_offers_as_before]


async def _prepare(app: Litestar) -> None:
    """Read and make what is needed once before anybody asks for it: it would hold the event loop up."""
    await asyncio.sleep(SETTLED_SECONDS)
    for work in (catalogue, _all_words, lambda: app.openapi_schema):
        await app.state.workers.do(work)
    await app.state.workers.apart(_all_words)
    engine = app.state.hall.engine
    with contextlib.suppress(StoreDown):  # then it is made when somebody asks
        await engine.reading(learning.prepare, engine.store)


def _all_words() -> None:
    for language in languages():
        words(language)


@contextlib.asynccontextmanager
async def _open(app: Litestar) -> AsyncIterator[None]:
    """The hall is open for as long as the application is."""
    hall: Hall = app.state.hall
    app.state.hashing = Places(HASHES_AT_ONCE)
    app.state.workers = Workers("worker", house=1, aside=ASIDE.ask)
    app.state.copies = Copies(hall.clock, app.state.workers)
    await hall.start()
    beside = [asyncio.create_task(work) for work in (app.state.windows.mind(), _prepare(app))]
    try:
        yield
    finally:
        for task in beside:
            task.cancel()
        await hall.stop()
        app.state.workers.shutdown()


def routed(pages: Sequence[ControllerRouterHandler]) -> Litestar:
    """All that can be asked for, with these pages; of no hall yet."""
    of_modules = [
        Router("", route_handlers=_handlers(module), tags=[tag])
        for tag, modules in TAGGED.items()
        for module in modules
    ]
    api = Router("/api", route_handlers=[*of_modules, stream], guards=[guard])
    others = Router("/", route_handlers=[*_handlers(health), tables.show_offers_as_before], guards=[guard])
    app = Litestar(
        route_handlers=[api, others, *pages],
        dependencies=DEPENDENCIES,
        lifespan=[_open],
        exception_handlers=HANDLERS,
        request_max_body_size=bodies.MOST_BYTES,
        openapi_config=OpenAPIConfig(
            title="thirdcard",
            version=version("thirdcard"),
            description="Live baccarat tables by five approved rulebooks, and by others. Play money only; amounts are whole cents.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        response_cache_config=ResponseCacheConfig(default_expiration=0),
        logging_config=LoggingConfig(configure_root_logger=False, log_exceptions="never"),
        debug=False,
    )
    for route in app.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            document(handler)
    return app


def create_app(
    hall: Hall,
    *,
    hosts: Iterable[str] = (),
    public: str = "",
    rates: Rates | None = None,
    pages: Sequence[ControllerRouterHandler] = (),
) -> Gate:
    """The app over a hall that it starts and stops. `public` is the address that people use, if not this one."""
    hall.practises = ScriptedPeople
    limiter, secure = Limiter(rates or Rates(), hall.clock), public.startswith("https://")
    callers, turnstile = Callers(hall, limiter, secure=secure), Turnstile()
    watchdog = Watchdog(hall)
    metrics = Metrics(hall, watchdog)
    app = routed(pages)
    app.state.update(
        {
            "hall": hall,
            "limiter": limiter,
            "metrics": metrics,
            "callers": callers,
            "turnstile": turnstile,
            "windows": Windows(hall, limiter.rates),
            "seats": Seats(hall, limiter.rates.seats),
            "secure": secure,
        }
    )
    return Gate(
        app,
        hosts=hosts,
        public=public,
        limiter=limiter,
        callers=callers,
        turnstile=turnstile,
        metrics=metrics,
        watchdog=watchdog,
    )


__all__: list[Any] = ["create_app"]
