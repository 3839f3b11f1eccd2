"""No input is answered as a fault of the server: every value at the edges of dates, zones, numbers and names."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from hostile.house import Asked, House, filled_in
from hostile.samples import DIGITS, EDGES, INTEGERS, at_edges, bounds_of, variants
from service.api.routes import Route
from service.api.serving import NOBODY
from thirdcard.service.people.roles import ROLES

FAULT = 500
BUSY = 503  # that something is not to be had at the moment is no fault


LONG = [("-" if count % 2 else "") + "9" * count for count in DIGITS]
TEXTS = [*EDGES, *map(str, INTEGERS), *LONG]


def asks(house: House, route: Route) -> Iterator[Asked]:
    """A route with each of its parts in turn at every edge, as text and as numbers of up to 10,000 digits."""
    path = filled_in(route.path)
    kind = house.bodies.get((route.method, route.path))
    first = None if kind is None else msgspec.json.encode(next(variants(kind)))
    for parameter in house.queries.get((route.method, route.path), ()):
        for value in TEXTS:
            yield Asked(route.method, path, _query(parameter, value), first)
    for part in (part for part in route.path.split("/") if part.startswith("{")):
        for value in TEXTS:
            if "/" not in value and value not in ("", ".."):
                filled = route.path.replace(part, value.encode(errors="replace").decode())
                yield Asked(route.method, filled_in(filled), body=first)
    for body in () if kind is None else _bodies(kind):
        yield Asked(route.method, path, body=body)


def _bodies(kind: Any) -> Iterator[bytes]:  # noqa: ANN401
    bounds = [*bounds_of(kind)]
    for given in variants(kind):
        yield from map(_json, at_edges(given))
        if not isinstance(given, dict):
            continue
        for name, bound in bounds:
            if name in given:
                yield _json(given | {name: bound})
        for name in given:
            for digits in LONG:
                yield _json(given | {name: "here"}).replace(b'"here"', digits.encode())
        if "words" in given:  # a question in words takes nothing beside it but where the asker is
            yield from (_json({"words": text}) for text in TEXTS)
            yield from (_json({"words": "today", name: bound}) for name, bound in bounds)


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _query(name: str, value: str) -> bytes:
    escaped = "".join(f"%{byte:02X}" for byte in value.encode(errors="surrogatepass"))
    return f"{name}={escaped}".encode()


def told(house: House, one_in: Callable[[Route], int]) -> Iterator[str]:
    """What ends in a fault at any route, of which one in so many is tried; by everybody who may ask, in turn."""
    for route in house.routes:
        roles = [role for role in [*ROLES, NOBODY] if role in route.roles or "anybody" in route.roles]
        known = set[str]()
        for number, asked in enumerate(asks(house, route)):
            if number % one_in(route):
                continue
            if number % 50 == 0:
                house.people_as_before()
            role = roles[number % len(roles)]
            status = house.ask(asked, role)
            sentence = f"{status} at {asked.method} {route.path}"
            if status >= FAULT and status != BUSY and sentence not in known:
                known.add(sentence)
                shown = f"{asked.path[:80]}?{asked.query[:80]!r} {(asked.body or b'')[:200]!r}"
                yield f"{sentence} for {role}: {shown}"
