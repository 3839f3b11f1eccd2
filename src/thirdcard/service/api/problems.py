"""Whatever goes wrong is told as problem+json (RFC 9457): what it is, in a sentence, with the paragraphs."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, cast

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec

from thirdcard.errors import BadInput, NotPossible
from thirdcard.rulebook.findings import Finding
from thirdcard.service.log.store.model import StoreDown, StoreFull
from thirdcard.service.tables.draft import HouseCode
from thirdcard.service.tables.engine import KeyReused, Unavailable
from thirdcard.service.turns import Busy
from thirdcard.table import refusals
from thirdcard.words import words
from thirdcard.words.saying import READER, Saying, say, to_you, told, whole

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
# What programs go by: a code stays as it is, however titles and sentences are worded.
Code: TypeAlias = Literal[
    "bad-input",
    "bad-rulebook",
    "code-needed",
    "codes-first",
    "denied",
    "exam-begun",
    "exam-finished",
    "exam-not-begun",
    "exam-not-lapsed",
    "exam-not-open",
    "exam-over",
    "exam-running",
    "exam-sealed",
    "exam-time-up",
    "fault",
    "header-twice",
    "key-reused",
    "no-live-odds",
    "no-shoe",
    "no-such-account",
    "no-such-answer",
    "no-such-class",
    "no-such-exam",
    "no-such-felt",
    "no-such-file",
    "no-such-page",
    "no-such-player",
    "no-such-round",
    "no-such-rulebook",
    "no-such-shoe",
    "no-such-table",
    "not-declared",
    "not-json",
    "not-yours",
    "on-duty",
    "rulebook-exists",
    "sign-in-first",
    "too-many",
    "unavailable",
    "wrong-host",
    "wrong-origin",
    "wrong-pin",
    "wrong-role",
    # What Litestar itself refuses, by its status.
    "the-request-cannot-be-read",
    "not-allowed",
    "there-is-no-such-thing",
    "not-possible-here",
    "the-request-took-too-long",
    "in-conflict-with-what-is-there",
    "too-large",
    "not-a-form-that-is-read-here",
    "refused",
    "too-many-requests",
    "a-fault-of-the-server",
    "not-available-at-the-moment",
]
# What Litestar itself refuses goes by its title.
BY_STATUS = {status: cast("Code", title.lower().replace(" ", "-")) for status, title in TITLES.items()}


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`code` is for programs: a refusal's code, or what the status says. `rules` are paragraphs.

    `detail` is in English, `said` in the reader's language and to whom it is about; a sentence that has words in every language has its
    `key` among them and its `facts`.
    Of several commands that were asked together `index` says which was refused, counted from 0. `findings`
    are all that is to be said of a rulebook.
    """

    status: int
    title: str
    detail: str
    code: str
    said: str = ""
    key: str = ""
    facts: Mapping[str, Any] = {}
    type: str = "about:blank"
    rules: tuple[str, ...] = ()
    index: int | None = None
    findings: tuple[Finding, ...] = ()


class Wrong(Exception):  # noqa: N818 - ends a request with a problem
    def __init__(  # noqa: PLR0913 - the fields of a problem
        self,
        status: int,
        code: Code | refusals.Code | HouseCode,
        detail: Saying | str | Exception,
        rules: tuple[str, ...] = (),
        *,
        index: int | None = None,
        findings: tuple[Finding, ...] = (),
        wait: float = 0,
        asker: str = "",
    ) -> None:
        super().__init__(detail)
        self.status, self.code, self.rules = status, code, rules
        self.detail: Saying | str = _sentence(detail)
        self.index, self.findings, self.wait, self.asker = index, findings, wait, asker

    @property
    def problem(self) -> Problem:
        """What whoever asked is told."""
        said = self.detail if isinstance(self.detail, Saying) else Saying("")
        return Problem(
            status=self.status,
            title=TITLES.get(self.status, "Refused"),
            detail=str(self.detail),
            code=self.code,
            said=whole(told(to_you(said, self.asker))) if said.key else self._in_general(),
            key=said.key,
            facts=said.facts,
            rules=self.rules,
            index=self.index,
            findings=self.findings,
        )

    def _in_general(self) -> str:
        """Prose has no words in other languages: these say what kind of thing it is, and then have the prose."""
        lexicon, english = words(READER.get()()), whole(str(self.detail))
        general = lexicon.name_of("problems", str(self.status), "")
        return f"{general} {english}" if general else english


def wrong_of(error: Exception) -> Wrong:
    """What went wrong, as the asker is told; what we do not know is a fault, and shows nothing of the inside."""
    match error:
        case Wrong():
            return error
        case BadInput():
            return Wrong(400, "bad-input", error, tuple(error.rules))
        case NotPossible():  # what there is not, or what is in conflict with what there is
            status = 404 if error.code.startswith("no-such-") else 409
            return Wrong(status, error.code, error)  # type: ignore[arg-type]
        case KeyReused():
            return Wrong(409, "key-reused", say("key-was-used"))
        case Unavailable() | Busy() | StoreDown() | StoreFull():
            of_store = isinstance(error, StoreDown | StoreFull)
            return Wrong(503, "unavailable", say("store-unreachable") if of_store else error, wait=2)
        case _:
            return Wrong(500, "fault", say("fault-nothing-done"))


def _sentence(detail: Saying | str | Exception) -> Saying | str:
    """What an exception was raised with, if that is a sentence with words; else its prose."""
    if not isinstance(detail, Exception):
        return detail
    return detail.args[0] if detail.args and isinstance(detail.args[0], Saying) else str(detail)


def tell(problem: Problem, wait: float = 0) -> Response[Problem]:
    headers = {"Retry-After": str(max(1, round(wait)))} if wait else {}
    return Response(problem, status_code=problem.status, media_type=PROBLEM_JSON, headers=headers)


def on_wrong(_: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    wrong = wrong_of(error)
    return tell(wrong.problem, wrong.wait)


def on_http(_: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """Litestar's own refusals: unknown addresses, wrong methods, bad parameters."""
    detail = error.detail or TITLES.get(error.status_code, "")
    if isinstance(error, ValidationException) and error.extra:
        detail = "; ".join(f"{one.get('key', '')}: {one.get('message', '')}" for one in error.extra)  # type: ignore[union-attr]
    made = Wrong(error.status_code, BY_STATUS.get(error.status_code, "refused"), detail)
    response = tell(made.problem)
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    return response


def on_fault(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """The asker is not shown what happened inside; the log has it."""
    request.logger.error("fault at %s %s", request.method, request.url.path, exc_info=error)
    return on_wrong(request, error)


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
    BadInput: on_wrong,
    NotPossible: on_wrong,
    KeyReused: on_wrong,
    Unavailable: on_wrong,
    StoreDown: on_wrong,
    StoreFull: on_wrong,
    Busy: on_wrong,
    HTTPException: on_http,
    Exception: on_fault,
}

__all__ = ["HANDLERS", "MediaType", "Problem", "Wrong", "wrong_of"]
