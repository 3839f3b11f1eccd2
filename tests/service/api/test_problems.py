"""Codes are what programs go by: they stay, however a title or a sentence is worded."""

from typing import get_args

import pytest
from litestar.exceptions import HTTPException

from service.api.serving import NOBODY, Served, is_problem
from thirdcard.service.api import problems
from thirdcard.service.api.problems import BY_STATUS, TITLES, Code, on_http

pytestmark = pytest.mark.server

CODES = """
    a-fault-of-the-server bad-input bad-rulebook code-needed codes-first denied exam-begun exam-finished
    exam-not-begun exam-not-lapsed exam-not-open exam-over exam-running exam-sealed exam-time-up fault header-twice
    in-conflict-with-what-is-there key-reused no-live-odds no-shoe no-such-account no-such-answer no-such-class
    no-such-exam no-such-felt no-such-file no-such-page no-such-player no-such-round no-such-rulebook
    no-such-shoe no-such-table not-a-form-that-is-read-here not-allowed not-available-at-the-moment
    not-declared not-json not-possible-here not-yours on-duty refused rulebook-exists sign-in-first
    the-request-cannot-be-read the-request-took-too-long there-is-no-such-thing too-large too-many
    too-many-requests unavailable wrong-host wrong-origin wrong-pin wrong-role
"""
LITESTARS = {
    400: "the-request-cannot-be-read",
    401: "sign-in-first",
    403: "not-allowed",
    404: "there-is-no-such-thing",
    405: "not-possible-here",
    408: "the-request-took-too-long",
    409: "in-conflict-with-what-is-there",
    413: "too-large",
    415: "not-a-form-that-is-read-here",
    418: "refused",
    422: "refused",
    429: "too-many-requests",
    500: "a-fault-of-the-server",
    503: "not-available-at-the-moment",
}


def test_no_code_is_lost_or_new_by_accident() -> None:
    assert sorted(get_args(Code)) == CODES.split()


def test_every_status_has_a_title_and_a_code() -> None:
    assert BY_STATUS.keys() == TITLES.keys() == LITESTARS.keys() - {418}


@pytest.mark.parametrize(("status", "code"), LITESTARS.items())
def test_a_code_does_not_follow_the_wording_of_titles(
    status: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problems, "TITLES", dict.fromkeys(TITLES, "Worded anew"))
    answer = on_http(None, HTTPException("x", status_code=status))  # type: ignore[arg-type]  # not looked at
    assert answer.content.code == code


def test_codes_go_out_as_they_are_listed(served: Served) -> None:
    nobody, player = served.as_(NOBODY), served.as_("player")
    for answer, status, code in (
        (nobody.get("/api/nowhere"), 404, "there-is-no-such-thing"),
        (nobody.post("/api/tables/one/summary", {}), 405, "not-possible-here"),
        (nobody.get("/api/tables/one/rounds", limit="x"), 400, "the-request-cannot-be-read"),
        (nobody.get("/api/tables/nowhere"), 404, "no-such-table"),
        (nobody.get("/api/rules/nothing"), 404, "no-such-rulebook"),
        (nobody.get("/api/tables/one/legal"), 401, "sign-in-first"),
        (player.get("/api/accounts"), 403, "wrong-role"),
        (player.get("/api/me/rounds", after="x"), 400, "bad-input"),
    ):
        assert is_problem(answer, status)
        assert answer.json()["code"] == code
