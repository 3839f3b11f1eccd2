"""What holds for all tests of the service."""

import pytest

from service.houses import GUARD_SECONDS
from thirdcard.service.tables import engine


@pytest.fixture(autouse=True)
def a_store_that_is_down_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as a test may take: a busy machine starts a database late. What is about giving up says when."""
    monkeypatch.setattr(engine, "PATIENCE", GUARD_SECONDS)
