"""What a load balancer is told, also when nothing else here is answered any more."""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from service.api.serving import GUARD, NOBODY, Asking, Served
from thirdcard.service.api import health
from thirdcard.service.log.anchor import Anchor
from thirdcard.service.log.store import StoreDown
from thirdcard.service.tables import outage

READY = {"status": "ready", "reasons": []}


def reasons(probe: Asking) -> list[str]:
    answer = probe.get("/readyz")
    told: list[str] = answer.json()["reasons"]
    assert answer.status_code == (503 if told else 200)
    assert answer.json()["status"] == ("not ready" if told else "ready")
    return told


def eventually(found: Callable[[], bool]) -> None:
    give_up = time.monotonic() + GUARD
    while not found():
        assert time.monotonic() < give_up, "it never came"
        time.sleep(0.01)


def test_a_house_that_is_well_is_ready(served: Served) -> None:
    answer = served.as_(NOBODY).get("/readyz")
    assert (answer.status_code, answer.json()) == (200, READY)


def test_one_whose_threads_all_hang_says_so_and_lives(
    house_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "STUCK_SECONDS", 0.1)
    monkeypatch.setattr(outage, "ANSWER_SECONDS", 0.1)
    monkeypatch.setattr(outage, "FRESH", 0.0)
    gate = threading.Event()

    def hangs(call: Callable[..., Any]) -> Callable[..., Any]:
        def wait(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
            gate.wait()
            return call(*args, **kwargs)

        return wait

    with Served(house_path) as served:
        store, probe = served.hall.engine.store, served.as_(NOBODY)
        try:
            for name in ("commit", "text", "read", "account", "session"):
                monkeypatch.setattr(store, name, hangs(getattr(store, name)))
            noted = asyncio.run_coroutine_threadsafe(served.hall.note("anything", {}), served.loop)
            eventually(lambda: len(reasons(probe)) == 2)
            silent, stuck = reasons(probe)
            assert silent == "the store does not answer"
            assert stuck.startswith("the oldest request has waited for ")
            assert probe.get("/healthz").status_code == 200
        finally:
            gate.set()
        noted.result(GUARD)
        eventually(lambda: reasons(probe) == [])


def test_a_store_that_cannot_be_read_an_anchor_that_is_behind_and_a_process_that_is_late_are_told(
    house_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: str) -> None:
        raise StoreDown("somewhere with a secret in its name")

    with Served(house_path) as served:
        probe, hall = served.as_(NOBODY), served.hall
        monkeypatch.setattr(outage, "FRESH", 0.0)
        monkeypatch.setattr(hall.engine.store, "text", gone)
        monkeypatch.setattr(Anchor, "behind", True)
        hall.engine.anchor = Anchor(house_path.with_name("anchor"), bytes(32))
        served.call(lambda: setattr(hall, "lag", 3_600.0))
        unread, behind, late = reasons(probe)
        hall.engine.anchor.close()
        hall.engine.anchor = None
    assert (unread, behind) == ("the store cannot be read", "the anchor is behind")
    assert late.startswith("the process was late by ")
