"""What the application offers, read from its own routes."""

from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.serialization import encode_json, get_serializer
from litestar.types import ControllerRouterHandler

from thirdcard.service.api.access import declared
from thirdcard.service.api.app import create_app
from thirdcard.service.log.store import open_store
from thirdcard.service.people.roles import ROLES
from thirdcard.service.tables.hall import Hall

SCHEMA = "/api/schema/openapi.json"


class Route(msgspec.Struct, frozen=True):
    """`needs` is empty if the route declares nothing; `roles` has `anybody` where one need not sign in."""

    method: str
    path: str
    needs: str
    roles: frozenset[str]
    summary: str


def app_of(*pages: ControllerRouterHandler) -> Litestar:
    app: Any = create_app(Hall(open_store("memory:"), key=bytes(32)), pages=pages).app
    assert isinstance(app, Litestar)
    return app


def document(app: Litestar) -> dict[str, Any]:
    """The OpenAPI document as it is served."""
    found: dict[str, Any] = msgspec.json.decode(
        encode_json(app.openapi_schema.to_schema(), get_serializer({}))
    )
    return found


def routes(app: Litestar) -> list[Route]:
    """Every route but the OpenAPI document's own and the answers to OPTIONS that Litestar adds."""
    found = []
    for route in app.routes:
        path = route.path_format
        for handler in getattr(route, "route_handlers", None) or [route.route_handler]:  # type: ignore[union-attr]
            if path.startswith("/api/schema") or "OPTIONS" in getattr(handler, "http_methods", ()):
                continue
            assert isinstance(handler, HTTPRouteHandler | WebsocketRouteHandler)
            methods = handler.http_methods if isinstance(handler, HTTPRouteHandler) else {"WS"}
            needs = str(handler.opt.get("needs", ""))
            summary = getattr(handler, "summary", None) or "Every change of a table, as it happens"
            found += [Route(str(method), path, needs, declared(handler), summary) for method in methods]
    return found


def as_markdown(app: Litestar) -> str:
    """Who may use which route, as a table for the documentation."""
    found = sorted(routes(app), key=lambda one: (one.path, one.method))
    lines = [f"| `{one.method} {one.path}` | {one.summary} | {_open_to(one)} |" for one in found]
    return "\n".join(["| request | what it does | open to |", "| --- | --- | --- |", *lines]) + "\n"


def _open_to(route: Route) -> str:
    if "anybody" in route.roles:
        return "anybody"
    if route.roles == set(ROLES):
        return "anybody signed in"
    return ", ".join(role.replace("-", " ") for role in ROLES if role in route.roles)


if __name__ == "__main__":
    print(as_markdown(app_of()), end="")  # noqa: T201
