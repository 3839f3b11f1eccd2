"""Servers for the tests of the API: one for a module, unless a test starts its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.api.serving import Served


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> None:
    """Only the file that needs Schemathesis waits for it."""
    if module_path.name == "test_schemathesis.py":
        parent.config.pluginmanager.import_plugin("schemathesis.pytest.plugin")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house with one staffed table."""
    with Served(tmp_path_factory.mktemp("house") / "house.db") as house:
        yield house


@pytest.fixture
def house_path(tmp_path: Path) -> Path:
    return tmp_path / "house.db"
