"""Whatever is asked of a table: no fault of the server, and answers as the OpenAPI document has them."""

from pathlib import Path
from typing import Any

import pytest
import requests
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.api.routes import app_of, document
from service.api.serving import SLOW, Served
from service.houses import MBS, new_table

pytestmark = pytest.mark.server

COMMANDS = "/api/tables/{table}/commands"
ROLES = ("player", "dealer", "shift-manager")


def test_whatever_is_asked_of_a_table(house_path: Path) -> None:
    """A round is open, a player sits, and cards lie face down at another table."""
    import schemathesis  # noqa: PLC0415 - it takes a second, in every process that collects tests
    from schemathesis import GenerationMode, checks  # noqa: PLC0415

    conforms = [
        checks.not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
        checks.unsupported_method,
    ]
    asked = schemathesis.openapi.from_dict(document(app_of()))[COMMANDS]["POST"]
    cases = st.one_of(*(asked.as_strategy(generation_mode=mode) for mode in GenerationMode))
    down = new_table("down", "automatic", SLOW, slug=MBS, method="A", high_limit=True)
    with Served(house_path, new_table("one"), down) as served, requests.Session() as session:
        session.trust_env = False
        served.as_("player").post("/api/tables/one/sit-down", {"box": 1, "cents": 1_000_000})
        for command in ("new-shoe", "open"):
            served.as_("dealer").does(command)

        @settings(
            max_examples=100,
            derandomize=True,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(cases, st.sampled_from(ROLES), st.sampled_from(("one", "down")))
        def asks(case: Any, role: str, table: str) -> None:  # noqa: ANN401 - a case of Schemathesis
            case.path_parameters = {"table": table}
            headers = {"Authorization": f"Bearer {served.token(role)}"}
            response = case.call(base_url=served.url, session=session, headers=headers)
            case.validate_response(response, checks=conforms)

        asks()
