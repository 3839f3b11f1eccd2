"""How pages and files go out: compressed where that is understood, cached while they hold, in a language."""

import gzip
import hashlib

from litestar import Response
from litestar.datastructures import Cookie

from thirdcard.service.api.access import AnyRequest
from thirdcard.service.api.problems import HANDLERS, Problem
from thirdcard.web.assets import WORTH_PACKING, Asset, asset
from thirdcard.web.pages import render
from thirdcard.words import ENGLISH, Language, accepted, languages

HTML = "text/html"  # Litestar adds the encoding to text
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "private, no-cache"
LANGUAGE_SECONDS = 365 * 24 * 3600


def language_of(request: AnyRequest) -> Language:
    """What was asked for by `?lang=`, else by the cookie that this left, else by the browser; or English."""
    for asked in (request.query_params.get("lang", ""), request.cookies.get("lang", "")):
        if asked in languages():
            return asked
    return accepted(request.headers.get("accept-language", "")) or ENGLISH


def page(request: AnyRequest, html: str, status: int = 200) -> Response[bytes]:
    """A page; a language that was asked for is remembered."""
    body = html.encode()
    headers = {"Cache-Control": ASK_AGAIN, "Vary": "Accept-Encoding, Accept-Language, Cookie"}
    if len(body) > WORTH_PACKING and _packs(request):
        body = gzip.compress(body, 6, mtime=0)
        headers["Content-Encoding"] = "gzip"
    made = Response(body, status_code=status, media_type=HTML, headers=headers)
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
        detail=problem.detail,
    )
    return page(request, html, problem.status)


def fragment(request: AnyRequest, html: str) -> Response[bytes]:
    """A part of a page that scripts fetch again and again; 304 if it is what they have."""
    tag = f'"{hashlib.sha256(html.encode()).hexdigest()[:16]}"'
    if request.headers.get("if-none-match", "") == tag:
        return Response(b"", status_code=304, headers={"ETag": tag, "Cache-Control": ASK_AGAIN})
    made = page(request, html)
    made.headers["ETag"] = tag
    return made


def file(request: AnyRequest, one: Asset, *, forever: bool) -> Response[bytes]:
    headers = {"Cache-Control": FOREVER if forever else "no-cache", "Vary": "Accept-Encoding"}
    packed = bool(one.packed) and _packs(request)
    if packed:
        headers["Content-Encoding"] = "gzip"
    return Response(one.packed if packed else one.body, media_type=one.kind, headers=headers)


def drawing(request: AnyRequest, svg: str, *, forever: bool) -> Response[bytes]:
    return file(request, asset(svg.encode(), "image/svg+xml; charset=utf-8"), forever=forever)


def _packs(request: AnyRequest) -> bool:
    """Whether gzip is understood: named, and not refused by `q=0`."""
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() in {"gzip", "*"}:
            return weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False
