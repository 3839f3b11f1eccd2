"""The OpenAPI document: served from here, complete, and without anything that would be fetched elsewhere."""

import re
import threading
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar

from service.api.routes import SCHEMA, app_of, document, routes
from service.api.serving import GUARD, NOBODY, Served
from thirdcard.service.api import app as application
from thirdcard.service.api.bodies import MADE
from thirdcard.service.api.problems import PROBLEM_JSON

pytestmark = pytest.mark.server


@cache
def whole() -> dict[str, Any]:
    return document(app_of())


def operations() -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": one
        for path, methods in whole()["paths"].items()
        for method, one in methods.items()
    }


def test_it_is_served_to_anybody(served: Served) -> None:
    answer = served.as_(NOBODY).get(SCHEMA)
    assert answer.status_code == 200
    assert answer.json()["paths"].keys() == whole()["paths"].keys()
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


def test_it_is_made_before_anybody_asks_and_holds_nobody_up(
    house_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done, threads = threading.Event(), []

    def making(_: Litestar) -> None:
        threads.append(threading.current_thread().name)
        done.set()

    monkeypatch.setattr(application, "SETTLED_SECONDS", 0.0)
    monkeypatch.setattr(Litestar, "openapi_schema", property(making))
    with Served(house_path):
        assert done.wait(GUARD)
    assert threads[0].startswith("worker")


@pytest.mark.parametrize("page", ["", "/", "/swagger", "/redoc", "/elements", "/rapidoc", "/openapi.yaml"])
def test_there_are_no_pages_that_fetch_scripts(served: Served, page: str) -> None:
    answer = served.as_(NOBODY).get(f"/api/schema{page}")
    assert answer.status_code == 404 or "<script" not in answer.text


def test_it_names_no_other_address() -> None:
    assert not re.findall(
        r"https?://(?!json-schema)[^\"]+", str(whole().get("servers", "")) + str(whole()["paths"])
    )


def test_every_route_is_in_it() -> None:
    declared = {f"{route.method} {route.path}" for route in routes(app_of()) if route.method != "WS"}
    assert declared == operations().keys()


def test_every_operation_says_what_it_does_and_what_can_go_wrong() -> None:
    for name, one in operations().items():
        assert one["summary"], name
        problems = {status for status in one["responses"] if int(status) >= 400}
        assert {"400", "403", "404", "429", "503"} <= problems, name
        for status in problems:
            assert list(one["responses"][status]["content"]) == [PROBLEM_JSON], (name, status)


def test_who_has_to_sign_in_is_told_so() -> None:
    for route in routes(app_of()):
        if route.method != "WS" and "anybody" not in route.roles:
            assert "401" in operations()[f"{route.method} {route.path}"]["responses"], route


def test_every_command_is_described() -> None:
    """Each by itself, or several in a list."""
    *offered, several = operations()["POST /api/tables/{table}/commands"]["requestBody"]["content"][
        "application/json"
    ]["schema"]["oneOf"]
    assert several["items"]["oneOf"] == offered
    names = [one["$ref"].rpartition("/")[2] for one in offered]
    schemas = whole()["components"]["schemas"]
    tags = {schemas[name]["properties"]["command"]["const"] for name in names}
    assert tags == {made.__struct_config__.tag for made in MADE.values()}
    assert not [name for name in names if "by" in schemas[name]["properties"]], (
        "who asks is whoever is signed in"
    )


def test_a_list_of_one_type_is_told_as_such() -> None:
    """Else an answer fits two of its alternatives."""
    habits = whole()["components"]["schemas"]["Habits"]["properties"]
    assert habits["chips"]["items"] == {"type": "integer"}


@pytest.mark.parametrize("number", [2**53 + 1, 2**64, -(2**64)])
def test_a_number_beyond_all_stores_is_no_fault(served: Served, number: int) -> None:
    """In every address that has one, whoever asks."""
    asked = {
        name: [one for one in operation.get("parameters", ()) if one["in"] == "path"]
        for name, operation in operations().items()
    }
    numbered = {
        name: {one["name"]: number if one["schema"].get("type") == "integer" else "one" for one in parts}
        for name, parts in asked.items()
        if any(one["schema"].get("type") == "integer" for one in parts)
    }
    assert len(numbered) > 8
    for name, parts in numbered.items():
        method, path = name.format(**parts).split(" ")
        for role in ("trainer", "shift-manager"):
            body = {"reason": "x"} if method != "GET" else None
            answer = served.as_(role).post(path, body, method=method)
            assert 400 <= answer.status_code < 500, (name, answer.text)
