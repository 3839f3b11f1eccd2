"""What a load balancer is told, also when nothing else here is answered any more."""

import asyncio
import itertools
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.api.serving import GUARD, NOBODY, Asking, Served
from thirdcard.service.api import health, watchdog
from thirdcard.service.log.anchor import Anchor
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import LONG_TURN, Noted
from thirdcard.service.log.store.model import JOURNAL, StoreDown
from thirdcard.service.tables import outage
from thirdcard.service.turns import Caller

pytestmark = pytest.mark.server

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


def test_metrics_keep_their_names_and_time_requests_commands_and_commits(served: Served) -> None:
    probe = served.as_(NOBODY)
    before = {name: _counted(probe, name) for name in ("request", "command", "commit")}
    assert probe.get("/api/tables").status_code == 200
    asyncio.run_coroutine_threadsafe(served.hall.note("anything", {}), served.loop).result(GUARD)
    assert {name: _counted(probe, name) > count for name, count in before.items()} == dict.fromkeys(
        before, True
    )
    families = {one.name: one.type for one in text_string_to_metric_families(probe.get("/metrics").text)}
    counters = ("rounds", "events", "commits", "commands", "long_turns")
    gauges = (
        "tables", "tables_held_up", "readers", "store_healthy", "oldest_request_seconds", "lag_seconds",
        "uptime_seconds", "memory_bytes",
    )  # fmt: skip
    for kind, names in (("counter", counters), ("gauge", gauges)):
        assert [name for name in names if families.get(f"thirdcard_{name}") != kind] == []
    assert "thirdcard_rounds_total " in probe.get("/metrics").text


def _counted(probe: Asking, name: str) -> float:
    """How many were timed, which is also what all the buckets hold."""
    (family,) = [
        one
        for one in text_string_to_metric_families(probe.get("/metrics").text)
        if one.name == f"thirdcard_{name}_seconds"
    ]
    assert family.type == "histogram"
    found = [one.value for one in family.samples if one.name.endswith("_count")]
    largest = [one.value for one in family.samples if one.labels.get("le") == "+Inf"]
    assert found == largest
    return sum(found)


def test_who_holds_everybody_up_is_on_record_and_pays_for_it(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if every turn of the loop were a long one: all are counted, and the first of a minute is noted."""
    stranger, spent = served.as_(NOBODY), list[float]()
    monkeypatch.setattr(watchdog, "LONG_SECONDS", 0.0)
    monkeypatch.setattr(Caller, "spend", lambda _, seconds: spent.append(seconds))
    for _ in range(2):
        assert stranger.get("/api/tables").status_code == 200
    store = served.hall.engine.store

    def noted() -> list[Noted]:
        found = [event_of(record) for record in store.read(JOURNAL)]
        return [note for note in found if isinstance(note, Noted) and note.kind == LONG_TURN]

    eventually(lambda: bool(noted()))
    (told,) = noted()
    assert (told.facts["origin"], told.facts["path"]) == ("127.0.0.1", "/api/tables")
    (count,) = re.findall(r"(?m)^thirdcard_long_turns_total (\S+)", stranger.get("/metrics").text)
    assert float(count) >= 2
    assert any(more == (watchdog.TIMES - 1) * once for once, more in itertools.pairwise(spent))
