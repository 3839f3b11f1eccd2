"""Each store on a fresh place of its own; PostgreSQL is a real server that the tests start."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.store.server import Server
from thirdcard.service.log.store import Store, open_store


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    started = Server()
    yield started
    started.stop()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """What people type to name a store."""
    if request.param == "memory":
        return "memory:"
    if request.param == "sqlite":
        return str(tmp_path / "house.db")
    server: Server = request.getfixturevalue("server")
    return server.database()


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    opened = open_store(where)
    yield opened
    opened.close()


@pytest.fixture
def database(server: Server) -> str:
    return server.database()


@pytest.fixture
def opened() -> Iterator[Callable[[str], Store]]:
    """Opens stores that are closed at the end of the test."""
    stores: list[Store] = []

    def open_one(where: str) -> Store:
        stores.append(open_store(where))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()
