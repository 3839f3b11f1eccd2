"""How pages and files go out: compressed where that is understood, cached while they hold, in a language."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from litestar import Response
from litestar.datastructures import Cookie

from thirdcard.service.api.access import AnyRequest
from thirdcard.service.api.gate import language_of
from thirdcard.service.api.packing import Copy, packs
from thirdcard.service.api.problems import HANDLERS, Problem
from thirdcard.service.people.roles import STAFF, Person
from thirdcard.service.turns import Workers
from thirdcard.web.assets import Asset
from thirdcard.web.pages import render
from thirdcard.words import languages

HTML = "text/html"  # Litestar adds the encoding to text
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "private, no-cache"
LANGUAGE_SECONDS = 365 * 24 * 3600
T = TypeVar("T")
STAFF_LINKS = "<!-- staff links -->"  # where a public page has them for staff


def page(request: AnyRequest, html: str, status: int = 200) -> Response[bytes]:
    """A page; a language that was asked for is remembered. Staff find their own pages in its header."""
    return _page(request, html.replace(STAFF_LINKS, _staff_links(request), 1).encode(), {}, status)


def _staff_links(request: AnyRequest) -> str:
    """For whoever the request was found to be of: pages that are the same for everybody are made once."""
    person: Person | None = request.scope.get("state", {}).get("person")
    if person is None or person.role not in STAFF:
        return ""
    return render("staff_links.html", lang=language_of(request), role=person.role)


async def worked_out(request: AnyRequest, make: Callable[[], T]) -> T:
    """What takes its time is made away from the event loop."""
    workers: Workers = request.app.state.workers
    return await workers.do(make)


def download(body: bytes, kind: str, name: str) -> Response[bytes]:
    """A file of that name, of which nothing stays on a device that many use."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return kept_nowhere(Response(body, media_type=kind, headers=headers))


def kept_nowhere(made: Response[bytes]) -> Response[bytes]:
    """Nothing of it stays on a device that many use."""
    made.headers["Cache-Control"] = "no-store"
    return made


def copied(request: AnyRequest, copy: Copy, *, tagged: bool = False) -> Response[bytes]:
    """A page that is the same for many; `tagged` if scripts fetch it again: 304 if it is what they have."""
    tag = {"ETag": copy.tag} if tagged else {}
    if tagged and request.headers.get("if-none-match", "") == copy.tag:
        return Response(b"", status_code=304, headers={**tag, "Cache-Control": ASK_AGAIN})
    body, headers = copy.answer(request.headers.get("accept-encoding", ""))
    return _page(request, body, headers | tag)


def _page(request: AnyRequest, body: bytes, headers: Mapping[str, str], status: int = 200) -> Response[bytes]:
    always = {"Cache-Control": ASK_AGAIN, "Vary": "Accept-Encoding, Accept-Language, Cookie"}
    made = Response(body, status_code=status, media_type=HTML, headers={**headers, **always})
    asked = request.query_params.get("lang", "")
    if asked in languages():
        made.set_cookie(Cookie(key="lang", value=asked, path="/", samesite="lax", max_age=LANGUAGE_SECONDS))
    return made


def problem_answer(request: AnyRequest, error: Exception) -> Response[Problem]:
    """What is wrong, as the API says it."""
    kind = next(kind for kind in type(error).__mro__ if kind in HANDLERS)
    answer: Response[Problem] = HANDLERS[kind](request, error)
    return answer


def problem_page(request: AnyRequest, problem: Problem) -> Response[bytes]:
    """The same for people."""
    html = render(
        "wrong.html",
        lang=language_of(request),
        status=problem.status,
        heading=problem.title,
        detail=problem.said,
    )
    return page(request, html, problem.status)


def file(request: AnyRequest, one: Asset, *, forever: bool) -> Response[bytes]:
    headers = {"Cache-Control": FOREVER if forever else "no-cache", "Vary": "Accept-Encoding"}
    packed = bool(one.packed) and packs(request.headers.get("accept-encoding", ""))
    if packed:
        headers["Content-Encoding"] = "gzip"
    return Response(one.packed if packed else one.body, media_type=one.kind, headers=headers)
