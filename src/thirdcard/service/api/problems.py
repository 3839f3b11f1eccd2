"""Whatever goes wrong is told as problem+json (RFC 9457): what it is, in a sentence, with the paragraphs."""

from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec

from thirdcard.errors import BadInput
from thirdcard.service.log.store.model import StoreDown, StoreFull
from thirdcard.service.tables.engine import KeyReused, Unavailable
from thirdcard.table.refusals import Refusal

PROBLEM_JSON = "application/problem+json"
TITLES = {
    400: "The request cannot be read",
    401: "Sign in first",
    403: "Not allowed",
    404: "There is no such thing",
    405: "Not possible here",
    408: "The request took too long",
    409: "In conflict with what is there",
    413: "Too large",
    415: "Not a form that is read here",
    422: "Refused",
    429: "Too many requests",
    500: "A fault of the server",
    503: "Not available at the moment",
}


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`code` is for programs: a refusal's code, or what the status says. `rules` are paragraphs."""

    status: int
    title: str
    detail: str
    code: str
    type: str = "about:blank"
    rules: tuple[str, ...] = ()


class Wrong(Exception):  # noqa: N818 - ends a request with a problem
    def __init__(
        self, status: int, code: str, detail: str, rules: tuple[str, ...] = (), wait: float = 0
    ) -> None:
        super().__init__(detail)
        self.problem = Problem(
            status=status, title=TITLES.get(status, "Refused"), detail=detail, code=code, rules=rules
        )
        self.wait = wait


def refused(refusal: Refusal) -> Wrong:
    return Wrong(422, refusal.code, refusal.sentence, tuple(refusal.rules))


def tell(problem: Problem, wait: float = 0) -> Response[Problem]:
    headers = {"Retry-After": str(max(1, round(wait)))} if wait else {}
    return Response(problem, status_code=problem.status, media_type=PROBLEM_JSON, headers=headers)


def on_wrong(_: Request[Any, Any, Any], error: Wrong) -> Response[Problem]:
    return tell(error.problem, error.wait)


def on_bad_input(_: Request[Any, Any, Any], error: BadInput) -> Response[Problem]:
    return tell(Wrong(400, "bad-input", str(error), tuple(error.rules)).problem)


def on_key_reused(_: Request[Any, Any, Any], __: KeyReused) -> Response[Problem]:
    told = "this Idempotency-Key was used for another request: take a new one"
    return tell(Wrong(409, "key-reused", told).problem)


def on_unavailable(_: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    told = str(error) if isinstance(error, Unavailable) else "the store cannot be reached: ask again shortly"
    return tell(Wrong(503, "unavailable", told).problem, wait=2)


def on_http(_: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """Litestar's own refusals: unknown addresses, wrong methods, bad parameters."""
    detail = error.detail or TITLES.get(error.status_code, "")
    if isinstance(error, ValidationException) and error.extra:
        detail = "; ".join(f"{one.get('key', '')}: {one.get('message', '')}" for one in error.extra)  # type: ignore[union-attr]
    code = TITLES.get(error.status_code, "refused").lower().replace(" ", "-")
    made = Wrong(error.status_code, code, detail)
    response = tell(made.problem)
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    return response


def on_fault(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Never shows what happened inside; the log has it."""
    request.logger.error("fault at %s %s", request.method, request.url.path, exc_info=error)
    return tell(Wrong(500, "fault", "something went wrong here; nothing was done").problem)


ALWAYS = (400, 403, 404, 429, 503)
CHANGING = (401, 409, 413, 415, 422)


def document(handler: HTTPRouteHandler) -> None:
    """Put the problems that a route may answer with into the OpenAPI document."""
    changes = bool(handler.http_methods - {"GET"})
    closed = handler.opt.get("needs") != "anybody"
    statuses = {*ALWAYS, *(CHANGING if changes else ()), *((401,) if closed else ())}
    problems = {
        status: ResponseSpec(
            Problem, generate_examples=False, description=TITLES[status], media_type=PROBLEM_JSON
        )
        for status in sorted(statuses)
    }
    handler.responses = {**problems, **(handler.responses or {})}


HANDLERS: dict[Any, Any] = {
    Wrong: on_wrong,
    BadInput: on_bad_input,
    KeyReused: on_key_reused,
    Unavailable: on_unavailable,
    StoreDown: on_unavailable,
    StoreFull: on_unavailable,
    HTTPException: on_http,
    Exception: on_fault,
}

__all__ = ["HANDLERS", "MediaType", "Problem", "Wrong", "refused"]
