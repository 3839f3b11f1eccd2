"""Schemathesis over the OpenAPI document: whatever is sent, no fault of the server, and answers as documented.

`make whole` sends a little to every route, `make soak` six times as much for each minute; the gate has
`test_any_command.py`.
"""

import os
from collections.abc import Iterator
from math import ceil
from typing import Any, TypeAlias

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from schemathesis import checks

from service.api.routes import app_of, document, routes
from service.api.serving import NOBODY, SLOW, Served
from service.houses import MBS, new_table

pytestmark = [pytest.mark.server, pytest.mark.whole]

Case: TypeAlias = schemathesis.Case[Any]
REAL = {
    "table": "one",
    "slug": MBS,
    "other": "rws-commission-insurance-v5",
    "player": "player-1",
    "number": 1,
}
CONFORMS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.unsupported_method,
]
MINUTES = os.environ.get("THIRDCARD_SOAK")
MUCH = 6 * float(MINUTES) if MINUTES else 1
BOUNDED: dict[str, Any] = {
    "derandomize": True,
    "deadline": None,
    "database": None,
    "suppress_health_check": list(HealthCheck),
}
schema = schemathesis.openapi.from_dict(document(app_of()))
commands = schema.include(path="/api/tables/{table}/commands")
open_to = {(route.method, route.path): sorted(route.roles) for route in routes(app_of())}


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as made:
        made.trust_env = False
        yield made


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A round is open, a player sits, and cards lie face down at another table."""
    down = new_table("down", "automatic", SLOW, slug=MBS, method="A", high_limit=True)
    with Served(tmp_path_factory.mktemp("house") / "house.db", new_table("one"), down) as house:
        house.as_("player").post("/api/tables/one/sit-down", {"box": 1, "cents": 1_000_000})
        for command in ("new-shoe", "open"):
            house.as_("dealer").does(command)
        yield house


def ask(case: Case, role: str, served: Served, session: requests.Session) -> None:
    token = served.token(role)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = case.call(base_url=served.url, session=session, headers=headers)
    if response.status_code in (204, 401):
        served.tokens.pop(role, None)  # signed out, or what was sent has changed the account
    case.validate_response(response, checks=CONFORMS)


@schema.given(who=st.integers(0, 9), allowed=st.booleans(), real=st.booleans())
@schema.parametrize()
@settings(max_examples=ceil(8 * MUCH), **BOUNDED)
def test_whatever_is_sent(  # noqa: PLR0913
    case: Case, who: int, *, allowed: bool, real: bool, served: Served, session: requests.Session
) -> None:
    """`allowed`: by somebody who may; `real`: to an address of something that there is."""
    if real:
        case.path_parameters = {
            name: REAL.get(name, value) for name, value in (case.path_parameters or {}).items()
        }
    roles = (
        open_to[case.method, case.operation.path]
        if allowed
        else [NOBODY, "guest", "player", "dealer", "administrator"]
    )
    role = roles[who % len(roles)]
    ask(case, NOBODY if role == "anybody" else role, served, session)


@commands.given(
    role=st.sampled_from(("player", "dealer", "shift-manager")), table=st.sampled_from(("one", "down"))
)
@commands.parametrize()
@settings(max_examples=ceil(150 * MUCH), **BOUNDED)
def test_whatever_is_asked_of_a_table(
    case: Case, role: str, table: str, served: Served, session: requests.Session
) -> None:
    case.path_parameters = {"table": table}
    ask(case, role, served, session)
