"""What the scripts of the pages ask for is there: no address is of a route that nobody serves."""

import re
from pathlib import Path

import pytest

import thirdcard.web
from service.api.routes import app_of, document

SCRIPTS = Path(thirdcard.web.__file__).parent / "static" / "js"
FILLED = r"\$\{(?:[^{}]|\{[^{}]*\})*\}"
ADDRESS = re.compile(rf"""["`](/api/(?:{FILLED}|[^`"?$\s])*)""")


def addresses() -> list[tuple[str, str]]:
    """Every address with the script that asks for it."""
    return [
        (one, str(script.relative_to(SCRIPTS)))
        for script in sorted(SCRIPTS.rglob("*.js"))
        for one in ADDRESS.findall(script.read_text(encoding="utf-8"))
    ]


def pattern(address: str) -> re.Pattern[str]:
    """What is filled in is one step of a path; at its end it may be several, or none."""
    fixed = re.split(FILLED, address)
    path = "[^/]*".join(map(re.escape, fixed))
    return re.compile(
        path.removesuffix("[^/]*") + ".*" if not fixed[-1] and not fixed[-2].endswith("/") else path
    )


@pytest.fixture(scope="module")
def served() -> list[str]:
    return [re.sub(r"\{[^}]*\}", "x", path) for path in document(app_of())["paths"]]


def test_every_address_that_a_script_asks_for_is_served(served: list[str]) -> None:
    asked = addresses()
    assert len({address for address, _ in asked}) > 80, "they are read from the scripts"
    lost = [
        (address, script) for address, script in asked if not any(map(pattern(address).fullmatch, served))
    ]
    assert not lost


def test_an_address_that_is_not_served_would_be_found(served: list[str]) -> None:
    for address in ("/api/rulebooks/${book}", "/api/school/exams/${exam}/nothing", "/api/table"):
        assert not any(map(pattern(address).fullmatch, served)), address
    for address in (
        "/api/rules/${book}",
        "/api/tables/${table.id}/patrons${more}",
        "/api/school/exams/${exam}${more}",
    ):
        assert any(map(pattern(address).fullmatch, served)), address
