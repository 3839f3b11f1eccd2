"""In which language whoever asks is answered."""

from typing import Any

from litestar.connection import ASGIConnection

from thirdcard.words import ENGLISH, Language, accepted, languages

AnyConnection = ASGIConnection[Any, Any, Any, Any]


def language_of(connection: AnyConnection) -> Language:
    """What was asked for by `?lang=`, else by the cookie that this left, else by the browser; or English."""
    for asked in (connection.query_params.get("lang", ""), connection.cookies.get("lang", "")):
        if asked in languages():
            return asked
    return accepted(connection.headers.get("accept-language", "")) or ENGLISH
