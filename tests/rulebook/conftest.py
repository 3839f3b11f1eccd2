"""Rulebooks are looked for in the package only, unless a test says where else."""

from importlib import import_module

import pytest

sources = import_module("thirdcard.rulebook.sources")


@pytest.fixture(autouse=True)
def nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_folders", [])
    monkeypatch.setattr(sources, "_taken", {})
    monkeypatch.delenv("THIRDCARD_RULEBOOKS", raising=False)
