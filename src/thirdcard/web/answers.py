"""How pages and files go out: compressed where that is understood, cached while they hold, in a language."""

import gzip
import hashlib
from typing import Any

from litestar import Request, Response
from litestar.datastructures import Cookie

from thirdcard.web.assets import WORTH_PACKING, Asset, asset
from thirdcard.web.pages import LANGUAGES
from thirdcard.web.words import Language

AnyRequest = Request[Any, Any, Any]
HTML = "text/html"  # Litestar adds the encoding to text
FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "private, no-cache"
LANGUAGE_SECONDS = 365 * 24 * 3600


def language_of(request: AnyRequest) -> Language:
    """What was asked for by `?lang=`, else by the cookie that this left, else by the browser; or English."""
    wanted = [request.query_params.get("lang", ""), request.cookies.get("lang", "")]
    wanted += [one.strip()[:2] for one in request.headers.get("accept-language", "").lower().split(",")]
    for one in wanted:
        for known in LANGUAGES:
            if one == known:
                return known
    return "en"


def page(request: AnyRequest, html: str, status: int = 200) -> Response[bytes]:
    """A page; a language that was asked for is remembered."""
    body = html.encode()
    headers = {"Cache-Control": ASK_AGAIN, "Vary": "Accept-Encoding, Accept-Language, Cookie"}
    if len(body) > WORTH_PACKING and _packs(request):
        body = gzip.compress(body, 6, mtime=0)
        headers["Content-Encoding"] = "gzip"
    made = Response(body, status_code=status, media_type=HTML, headers=headers)
    asked = request.query_params.get("lang", "")
    if asked in LANGUAGES:
        made.set_cookie(Cookie(key="lang", value=asked, path="/", samesite="lax", max_age=LANGUAGE_SECONDS))
    return made


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
