"""What benchmarks say about their own history."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The module that all of them print by, with a history of its own."""
    spec = importlib.util.spec_from_file_location("report", Path(__file__).parents[1] / "bench/report.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    monkeypatch.setattr(made, "HISTORY", tmp_path / "history.jsonl")
    return made


def test_what_takes_a_tenth_longer_than_since_the_release_is_told(report: ModuleType) -> None:
    assert list(report.slower(report.history())) == []
    for what, ratios in {"a bet": (2.0, 1.0, 2.1), "a start": (2.0, 2.5, 2.3), "a round": (3.0,)}.items():
        for ratio in ratios:
            report.keep(what, ratio)
    kept = report.history()
    assert [one["ratio"] for one in kept if one["what"] == "a bet"] == [2.0, 1.0, 2.1]
    (told,) = report.slower(kept)
    assert "a start, 2.30 times what it is compared with, was 2.00" in told


def test_other_machines_and_releases_are_not_compared(report: ModuleType) -> None:
    report.keep("a bet", 2.0)
    (here,) = report.history()
    before = [{**here, "machine": "another", "ratio": 1.0}, {**here, "version": "0.0.1", "ratio": 1.0}]
    assert list(report.slower([*before, here])) == []
    assert list(report.slower([*before, {**here, "machine": "another", "ratio": 9.0}, here])) == []


def test_at_the_least_size_nothing_is_kept(report: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    for smallest, count in ((True, 0), (False, 1)):
        monkeypatch.setattr(report, "SMALLEST", smallest)
        assert report.figure("a bet", "1 µs", aim="none", compared="2 µs", reached=True, ratio=0.5)
        assert len(report.history()) == count
