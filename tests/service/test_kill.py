"""A server that is killed at any moment loses nothing that it has acknowledged and does nothing twice.

`make soak` does the same a thousand times.
"""

import asyncio
from pathlib import Path

from service.kill import Asked, misfits, storm
from thirdcard.service.log.codec import record
from thirdcard.service.log.floor_events import TableClosed, TableReopened
from thirdcard.service.log.store import Record


def test_what_was_acknowledged_before_a_kill_is_there_once_and_answered_as_before(tmp_path: Path) -> None:
    tally = asyncio.run(storm(tmp_path / "house.db", 5))
    assert tally.problems == []
    assert tally.kills == 5
    assert tally.answers > 10


def test_a_server_that_answers_before_it_commits_is_found_out(tmp_path: Path) -> None:
    tally = asyncio.run(storm(tmp_path / "house.db", 25, kind="hasty", every=1))
    assert tally.problems


def logged() -> list[Record]:
    return [
        record(event, stream="one", version=version, before=b"", at=0, by="Dee", number=0, flag="")
        for version, event in ((4, TableClosed()), (7, TableReopened()))
    ]


def asked(version: int, *events: str) -> Asked:
    answer = {"version": version, "events": events}
    return Asked("Dee", "one", "commands", {}, f"key {version}", 200, answer)


def test_events_and_answers_must_match_one_to_one() -> None:
    both = [asked(4, "table-closed"), asked(7, "table-reopened")]
    assert misfits(logged(), both) == []
    assert misfits(logged()[:1], both) == ["answered, but not in the log: (7, 'table-reopened')"]
    assert misfits(logged(), both[:1]) == ["in the log, but asked for by nobody: (7, 'table-reopened')"]
    assert misfits(logged(), [*both, both[0]]) == ["answered, but not in the log: (4, 'table-closed')"]
    refused = Asked("Dee", "one", "commands", {}, "key", 422, {"code": "wrong-phase"})
    assert misfits(logged(), [*both, refused]) == []
    broken = Asked("Dee", "one", "commands", {}, "key", 500, {})
    assert misfits(logged(), [*both, broken]) == ["answered, but not in the log: (0, 'status 500 for {}')"]
