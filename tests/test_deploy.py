"""The container and compose files: no engine builds them here, so what they name is held to what there is."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from thirdcard.cli import app
from thirdcard.service.api.gate import HEALTH

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
CONTAINER = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]


def lines(word: str) -> list[str]:
    """What follows an instruction, wherever it stands."""
    return re.findall(rf"^{word} +(.*?) *$", CONTAINER, re.MULTILINE)


def serving(words: list[str]) -> list[str]:
    """The options of `thirdcard serve` among words that a shell would run."""
    return [word for word in words[words.index("serve") + 1 :] if word.startswith("--")]


def options() -> set[str]:
    """Those that `thirdcard serve` has."""
    from typer.main import get_command  # noqa: PLC0415 - Typer builds it when asked

    command = get_command(app).commands["serve"]  # type: ignore[attr-defined]
    return {name for parameter in command.params for name in parameter.opts}


def test_what_is_copied_is_there_and_let_in() -> None:
    copied = [one for line in lines("COPY") if "--from" not in line for one in line.split()[:-1]]
    assert copied
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text(encoding="utf-8").split()
    assert ignored[0] == "*"
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in ignored


def test_everything_that_the_wheel_needs_is_copied() -> None:
    """pyproject.toml names files of its own: without them nothing is built."""
    named = re.findall(
        r'^(?:readme = |license-files = \[)"(\S+)"',
        (ROOT / "pyproject.toml").read_text("utf-8"),
        re.MULTILINE,
    )
    assert len(named) == 2
    assert all(any(name in line.split() for line in lines("COPY")) for name in named)


def test_the_program_is_called_with_options_that_it_has() -> None:
    (command,), (entry,) = lines("CMD"), lines("ENTRYPOINT")
    assert json.loads(entry) == ["thirdcard"]
    assert set(serving(json.loads(command))) == {"--db", "--key", "--anchor"} <= options()
    asked = serving(shlex.split(SERVICES["server"]["command"][0].replace("$$", "$")))
    assert {"--db", "--public-url", "--proxied", "--key", "--anchor"} == set(asked) <= options()


def test_a_user_without_rights_owns_the_volumes() -> None:
    (user,) = lines("USER")
    assert user not in {"root", "0"}
    made = next(line for line in lines("RUN") if "useradd" in line)
    assert f"--owner {user}" in made
    (volumes,) = lines("VOLUME")
    assert all(volume in made.split() for volume in json.loads(volumes))
    kept = {volume.partition(":")[2] for volume in SERVICES["server"]["volumes"]}
    assert kept <= set(json.loads(volumes))
    assert "USER" in CONTAINER[: CONTAINER.index("ENTRYPOINT")]


def test_health_is_asked_where_it_is_told() -> None:
    (check,) = lines("HEALTHCHECK")
    assert re.search(r"http://127\.0\.0\.1:8000(/\w+)", check)[1] in HEALTH  # type: ignore[index]
    assert "health_uri /readyz" in (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert SERVICES["server"]["depends_on"]["database"]["condition"] == "service_healthy"
    assert "pg_isready" in SERVICES["database"]["healthcheck"]["test"]


def test_there_are_no_passwords_in_it() -> None:
    """The database's comes from a file that is made on the machine and kept out of the repository."""
    assert COMPOSE["secrets"] == {"database": {"file": "database.secret"}}
    assert not (DEPLOY / "database.secret").exists()
    assert {"deploy/database.secret", "deploy/.env"} <= set((ROOT / ".gitignore").read_text("utf-8").split())
    for service in SERVICES.values():
        assert not [
            name
            for name in service.get("environment", {})
            if "PASSWORD" in name and not name.endswith("_FILE")
        ]


def test_what_services_name_is_declared() -> None:
    for service in SERVICES.values():
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]
        assert set(service.get("depends_on", ())) <= set(SERVICES)
        assert set(service.get("secrets", ())) <= set(COMPOSE["secrets"])
    build = SERVICES["server"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).exists()


def test_the_proxy_is_the_only_way_in() -> None:
    """The server believes who its clients are from its own loopback alone, so the proxy stands there."""
    assert SERVICES["proxy"]["network_mode"] == "service:server"
    assert "reverse_proxy 127.0.0.1:8000" in (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert [name for name, service in SERVICES.items() if service.get("ports")] == ["server"]
    assert all(port.split(":")[1] in {"80", "443"} for port in SERVICES["server"]["ports"])
    assert "--host" not in SERVICES["server"]["command"][0]


@pytest.mark.parametrize("name", ["metrics", "readyz", "healthz"])
def test_what_operators_read_is_not_for_the_world(name: str) -> None:
    assert re.search(rf"@private path .*/{name}\b", (DEPLOY / "Caddyfile").read_text(encoding="utf-8"))
